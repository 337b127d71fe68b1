package transform_test

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/transform"
)

// kept collects what a stage passes on.
type kept struct {
	records []string
	notices []string
}

func (k *kept) Record(r *records.Record) error {
	var fields []string
	for _, f := range r.Fields {
		fields = append(fields, f.Name+"="+f.Value.Text)
	}
	k.records = append(k.records, strings.Join(fields, " "))
	return nil
}

func (k *kept) Notice(n fault.Notice) {
	k.notices = append(k.notices, string(n.Code)+" "+n.Field+" "+n.Message)
}

func TestANaturalMapJoinsNamesThatDifferInSpellingAlone(t *testing.T) {
	for _, c := range []struct{ name, schema, in, want, told string }{
		{"the very names", "id name", "name=Ann id=1", "id=1 name=Ann", ""},
		{"case", "id name", "ID=1 NAME=Ann", "id=1 name=Ann", `map/natural  "ID" fills "id", "NAME" fills "name"`},
		{"spaces and underscores", "birth_date", "Birth Date=1", "birth_date=1", `"Birth Date" fills "birth_date"`},
		{"words run together", "birth_date", "BirthDate=1", "birth_date=1", `"BirthDate" fills "birth_date"`},
		{"hyphens and stops", "no", "N-o.=1", "no=1", `"N-o." fills "no"`},
		{"accents", "prénom Straße", "PRENOM=Zoë strasse=x", "prénom=Zoë",
			`left out, since the schema has no field of such a name: "strasse"`},
		{"full width", "id", "ＩＤ=1", "id=1", `"ＩＤ" fills "id"`},
		{"what has no field", "id", "id=1 colour=red", "id=1", `left out, since the schema has no field of such a name: "colour"`},
		{"a missing field", "id town", "id=1", "id=1", `map/never-found town no record has a field of the name "town"`},
		{"two for one", "id", "ID=2 Id=3", "id=2", `map/natural-twice id in 1 records "Id" would fill "id"`},
		{"the very name comes first", "id", "ID=2 id=3", "id=3", `map/natural-twice id in 1 records "ID" would fill "id"`},
		{"two of the schema that are alike", "id ID", "id=1 ID=2 Id=3", "id=1 ID=2", `no field of such a name: "Id"`},
		{"signs alone", "# name", "#=1 Name=x", "#=1 name=x", `"Name" fills "name"`},
		{"another script", "имя", "ИМЯ=Аня", "имя=Аня", `"ИМЯ" fills "имя"`},
	} {
		out := &kept{}
		stage := transform.CompileNatural(strings.Fields(c.schema)).Sink(out)
		var in records.Record
		for _, f := range strings.Fields(strings.Replace(c.in, "Birth Date", "Birth\x00Date", 1)) {
			name, value, _ := strings.Cut(strings.ReplaceAll(f, "\x00", " "), "=")
			in.Set(name, records.Value{Kind: records.Text, Text: value})
		}
		if err := stage.Record(&in); err != nil {
			t.Fatal(err)
		}
		if err := stage.Flush(); err != nil {
			t.Fatal(err)
		}
		told := strings.Join(out.notices, "\n")
		if got := strings.Join(out.records, "|"); got != c.want || !strings.Contains(told, c.told) || c.told == "" && told != "" {
			t.Errorf("%s: %q with\n%s\nwant %q with\n%s", c.name, got, told, c.want, c.told)
		}
	}
}
