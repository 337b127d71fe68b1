package match_test

import (
	"context"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/match"
)

// converted runs a conversion over a text; kept as it is where it can't be converted.
func converted(t *testing.T, name, text string) (string, string) {
	t.Helper()
	k := &kept{}
	m := compile(t, "{record: {k: {const: 1}, f: {"+name+": v}}}", match.Options{Source: match.JSON})
	v := records.Value{Kind: records.Object, Fields: []records.Field{{Name: "v", Value: records.TextOf(text)}}}
	if _, err := m.Value(context.Background(), match.Document{}, v, fault.Pos{}, k); err != nil {
		t.Fatal(err)
	}
	f := k.records[0].Field("f")
	if f == nil {
		return "", k.codes()
	}
	return string(f.Value.AppendJSON(nil)), k.codes()
}

const stays = "record/not-converted 0:0 f"

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ name, text, want, notices string }{
		{"to_i", "26", "26", ""},
		{"to_i", " 26 savers", "26", ""},
		{"to_i", "Seats: 12", "12", ""},
		{"to_i", "-3", "-3", ""},
		{"to_i", "+3", "3", ""},
		{"to_i", "−3", "-3", ""},
		{"to_i", "007", "7", ""},
		{"to_i", "1,234", "1234", ""},
		{"to_i", "1,234,567 people", "1234567", ""},
		{"to_i", "1 234 567", "1234567", ""},
		{"to_i", "1'234", "1234", ""},
		{"to_i", "1.234.567", "1234567", ""},
		{"to_i", "3.0", "3", ""},
		{"to_i", "123456789012345678901234567890", "123456789012345678901234567890", ""},
		{"to_i", "$5", "5", ""},
		{"to_i", "", "", ""},
		{"to_i", "  ", "", ""},
		{"to_i", "3.7", `"3.7"`, stays},
		{"to_i", "1.234", `"1.234"`, stays},
		{"to_i", "12,34", `"12,34"`, stays},
		{"to_i", "26 of 30", `"26 of 30"`, stays},
		{"to_i", "n/a", `"n/a"`, stays},
		{"to_i", "A4", `"A4"`, stays},
		{"to_i", "2009-08-19", `"2009-08-19"`, stays},
		{"to_f", "3.70", "3.70", ""},
		{"to_f", "3,7", "3.7", ""},
		{"to_f", "1.234", "1.234", ""},
		{"to_f", "1,234.5", "1234.5", ""},
		{"to_f", "1.234,5", "1234.5", ""},
		{"to_f", "1 234,5 km", "1234.5", ""},
		{"to_f", "0,125", "0.125", ""},
		{"to_f", ".5", "0.5", ""},
		{"to_f", "-.5", "-0.5", ""},
		{"to_f", "1e3", "1e3", ""},
		{"to_f", "26", "26", ""},
		{"to_f", "€ 9.99", "9.99", ""},
		{"to_f", "1,234", `"1,234"`, stays},
		{"to_f", "1,2,3", `"1,2,3"`, stays},
		{"to_f", "1.2.3", `"1.2.3"`, stays},
		{"to_f", "none", `"none"`, stays},
		{"to_bool", "Yes", "true", ""},
		{"to_bool", " off ", "false", ""},
		{"to_bool", "0", "false", ""},
		{"to_bool", "", "", ""},
		{"to_bool", "maybe", `"maybe"`, stays},
	} {
		if got, notices := converted(t, c.name, c.text); got != c.want || notices != c.notices {
			t.Errorf("%s %q: %s %s, want %s %s", c.name, c.text, got, notices, c.want, c.notices)
		}
	}
}

func TestDates(t *testing.T) {
	const noZone = "record/date-without-zone 0:0 f"
	for _, c := range []struct{ text, want, notices string }{
		{"2009-08-19", "2009-08-19T00:00:00Z", ""},
		{"20090819", "2009-08-19T00:00:00Z", ""},
		{"2009/8/9", "2009-08-09T00:00:00Z", ""},
		{"19 August 2009", "2009-08-19T00:00:00Z", ""},
		{"19 Aug 2009", "2009-08-19T00:00:00Z", ""},
		{"August 19, 2009", "2009-08-19T00:00:00Z", ""},
		{"Aug. 19th, 2009", "2009-08-19T00:00:00Z", ""},
		{"Wednesday, August 19, 2009", "2009-08-19T00:00:00Z", ""},
		{"19/08/2009", "2009-08-19T00:00:00Z", ""},
		{"08/19/2009", "2009-08-19T00:00:00Z", ""},
		{"05.05.2009", "2009-05-05T00:00:00Z", ""},
		{"2009-08-19T09:43:00Z", "2009-08-19T09:43:00Z", ""},
		{"2009-08-19T09:43:00-04:00", "2009-08-19T13:43:00Z", ""},
		{"2009-08-19T23:43:10.5-0400", "2009-08-20T03:43:10Z", ""},
		{"Wed, 19 Aug 2009 13:43:00 GMT", "2009-08-19T13:43:00Z", ""},
		{"Wed, 19 Aug 2009 09:43:00 -0400", "2009-08-19T13:43:00Z", ""},
		{"2009-08-19 09:43", "2009-08-19T09:43:00Z", noZone},
		{"19 August 2009, 9:43 pm", "2009-08-19T21:43:00Z", noZone},
		{"August 19, 2009 at 9:43 a.m.", "2009-08-19T09:43:00Z", noZone},
		{"", "", ""},
		{"03/04/2009", "03/04/2009", stays},
		{"23 APR 08", "23 APR 08", stays},
		{"08.19.2009", "2009-08-19T00:00:00Z", ""},
		{"2009 August 19", "2009-08-19T00:00:00Z", ""},
		{"Wed Aug 19 09:43:00 2009", "2009-08-19T09:43:00Z", noZone},
		{"20090819T094300Z", "2009-08-19T09:43:00Z", ""},
		{"2009-08-19 09:43 EST", "2009-08-19T14:43:00Z", ""},
		{"August 19, 2009 0:43 am", "2009-08-19T00:43:00Z", noZone},
		// A page's own dates are read from these, too; a field may hold any number, or a zone of several meanings.
		{"03.04.2009", "03.04.2009", stays},
		{"20090819094300", "20090819094300", stays},
		{"1365474360", "1365474360", stays},
		{"2009-08-19 09:43 IST", "2009-08-19 09:43 IST", stays},
		{"2009-08-19 23:59:60", "2009-08-19 23:59:60", stays},
		{"Wed, 19 Aug 09 09:43 GMT", "Wed, 19 Aug 09 09:43 GMT", stays},
		{"2009-02-30", "2009-02-30", stays},
		{"31/31/2009", "31/31/2009", stays},
		{"2009", "2009", stays},
		{"yesterday", "yesterday", stays},
		{"19 août 2009", "19 août 2009", stays},
	} {
		want := ""
		if c.want != "" {
			want = `"` + c.want + `"`
		}
		if got, notices := converted(t, "to_date", c.text); got != want || notices != c.notices {
			t.Errorf("%q: %s %s, want %s %s", c.text, got, notices, want, c.notices)
		}
	}
}

// Whatever the page, the accounts hold and the same page gives the same records. Each field
// that has an element has a place in the page.
func FuzzPages(f *testing.F) {
	f.Add(shop)
	f.Add("<table><div>a<tr><td>b</table><b><p>c</b>d</p>")
	f.Add("<svg><title><a href=x>y</title><![CDATA[<p>]]></svg><ul><li>1<li>2")
	f.Add("\xff<a href='\x00'>\r\n&#0;</a")
	m := compile(f, `["*", {t: "", h: {html: ""}, l: {link: ""}, n: {to_i: "> *"}, x: "xpath:./*[1]", d: {to_date: ""}, all: ["~ *"]}]`,
		match.Options{MaxBytes: 1 << 20})
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 1<<14 {
			t.Skip()
		}
		run := func() *kept {
			k := &kept{}
			counts, err := m.HTML(context.Background(), match.Document{URL: pageURL}, []byte(page), k)
			if err != nil {
				if fault.KindOf(err) != fault.Limit {
					t.Fatal(err)
				}
				return k
			}
			if counts.Read != counts.Kept+counts.Repaired+counts.Dropped || counts.Written != int64(len(k.records)) {
				t.Errorf("%+v of %d records", counts, len(k.records))
			}
			return k
		}
		k := run()
		if again := run(); again.json() != k.json() || again.codes() != k.codes() {
			t.Error("the same page gives other records")
		}
		for _, r := range k.records {
			for _, field := range r.Fields {
				if field.Element != "" && (field.Pos.Line == 0 || field.Pos.Offset > int64(len(page))) {
					t.Errorf("%s: %+v", field.Name, field.Pos)
				}
			}
		}
	})
}
