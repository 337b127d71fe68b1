package dump

import (
	"encoding/json"
	"strings"
	"testing"

	"laundromat/records"
)

var jsonSeeds = []string{`null`, `true`, `false`, `1`, `-0.5e3`, `""`, `"a\"b"`, `"\u00e9\ud83d\ude00"`, `"é"`, "\"\xff\"", `[]`, `{}`,
	` [1, "x", {"a": null}] `, `{"a":1,"a":2}`,
	`{"a":{"b":[[]]}}`, `nul`, `01`, `1.`, `"a`, `"\x"`, "\"\t\"", `[1,]`, `{"a"}`, `{"a":}`, `{a:1}`, `[1 2]`, `1 2`, ``, ` `, `]`, `"\`,
	`{"a":1,}`, `-`, `tru`, `[`, `{"":""}`}

// FuzzJSONIsReadAsTheStandardLibraryReadsIt: what is JSON, and what is in it.
func FuzzJSONIsReadAsTheStandardLibraryReadsIt(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ReadJSON([]byte(s))
		if valid := json.Valid([]byte(s)); valid != (err == nil) {
			t.Fatalf("%q: %v, and the standard library says %v", s, err, valid)
		}
		if err != nil {
			return
		}
		decode := func(text string) (v any) {
			d := json.NewDecoder(strings.NewReader(text))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			return v
		}
		want, got := decode(s), decode(string(v.AppendJSON(nil)))
		a, _ := json.Marshal(want)
		b, _ := json.Marshal(got)
		if string(a) != string(b) {
			t.Fatalf("%q: %s, want %s", s, b, a)
		}
	})
}

// TestLinesOfOriginalsAreReadAlike: by the quick way and as JSON.
func TestLinesOfOriginalsAreReadAlike(t *testing.T) {
	for _, value := range []string{`"1,50"`, `1.5`, `""`, `"a\"b"`, `"a\\"`, `null`, `true`, `[1,"x"]`, `{"a":1}`, `"é"`, `-1e400`, `"x,y"`,
		`"}"`} {
		for _, field := range []string{`"price"`, `"a\"b"`, `""`, `"two words"`} {
			line := `{"row":12,"field":` + field + `,"value":` + value + `,"rule":"r"}`
			var o originalLine
			if ok, err := o.read([]byte(line)); !ok || err != nil {
				t.Errorf("%s: %v %v", line, ok, err)
				continue
			}
			back := `{"row":12,"field":` + string(records.AppendJSONText(nil, o.field)) + `,"value":` + string(o.value.AppendJSON(nil)) +
				`,"rule":"` + o.rule + `"}`
			if o.row != 12 || back != line {
				t.Errorf("%s: %s", line, back)
			}
		}
	}
	for line, wrong := range map[string]bool{`{"table":"t.csv","bytes":1,"hash":"x"}`: false, `{"row":1,"field":"a`: true,
		`{"row":"x"}`: true, `{"row":1,"field":"a","value":nul,"rule":"r"}`: true} {
		var o originalLine
		if ok, err := o.read([]byte(line)); ok || (err != nil) != wrong {
			t.Errorf("%s: %v %v", line, ok, err)
		}
	}
}
