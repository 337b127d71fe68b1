package schema_test

import (
	"testing"

	"laundromat/records"
	"laundromat/records/schema"
)

// A value that breaks its field is mended only where one reading alone is possible; "!" says that the record is
// dropped.
func TestValuesAreMendedWhereTheyHaveOneReading(t *testing.T) {
	for _, row := range []struct{ field, in, want string }{
		{`"type":"integer"`, " 12 ", "12"}, {`"type":"integer"`, "1 234", "1234"},
		{`"type":"integer"`, "1\u00a0234\u00a0567", "1234567"},
		{`"type":"integer"`, "1.234.567", "1234567"}, {`"type":"integer"`, "12.0", "12"}, {`"type":"integer"`, "12.5", "!"},
		{`"type":"integer"`, "\u22125", "-5"}, {`"type":"integer"`, "€ 5", "5"}, {`"type":"integer"`, "1,234", "!"},
		{`"type":"integer"`, "1'234", "1234"}, {`"type":"integer"`, "1 23", "!"}, {`"type":"integer"`, "x", "!"},
		{`"type":"integer"`, "5 km", "!"},
		{`"type":"integer"`, "12\u200b", "12"}, {`"type":"integer","constraints":{"maximum":9}`, " 12 ", "!"},
		{`"type":"number"`, "1.234,50", "1234.50"}, {`"type":"number"`, "1,234.50", "1234.50"}, {`"type":"number"`, "3,14", "3.14"},
		{`"type":"number"`, "0,125", "0.125"}, {`"type":"number"`, "1,234", "!"}, {`"type":"number"`, "1.2.3", "!"},
		{`"type":"number"`, "$1,234,567.89", "1234567.89"}, {`"type":"number"`, "-3,5 €", "-3.5"}, {`"type":"number"`, ",", "!"},
		{`"type":"number"`, "1,23.456", "!"}, {`"type":"number"`, "1.234,567.8", "!"},
		{`"type":"number","decimalChar":","`, "3.14", "3.14"},
		{`"type":"boolean"`, "YES", "true"}, {`"type":"boolean"`, "off", "false"}, {`"type":"boolean"`, "maybe", "!"},
		{`"type":"boolean","trueValues":["ja"],"falseValues":["nein"]`, "y", "true"},
		{`"type":"date"`, "19 August 2009", `"2009-08-19"`}, {`"type":"date"`, "31/12/2009", `"2009-12-31"`},
		{`"type":"date"`, "03/04/2009", "!"}, {`"type":"date"`, " 2009-08-19", `"2009-08-19"`},
		{`"type":"date"`, "30 February 2009", "!"},
		{`"type":"date","format":"%d.%m.%Y"`, "2009-08-19", `"2009-08-19"`},
		{`"type":"date","constraints":{"minimum":"2010-01-01"}`, "19 August 2009", "!"},
		{`"type":"string","constraints":{"enum":["Red","blue"]}`, "RED", `"Red"`},
		{`"type":"string","constraints":{"enum":["Red","RED"]}`, "red", "!"},
		{`"type":"string","constraints":{"enum":["dark blue"]}`, "Dark\u00a0 Blue", `"dark blue"`},
		{`"type":"string","categories":["low",{"value":"high","label":"High"}]`, "HIGH", `"high"`},
		{`"type":"string","constraints":{"pattern":"[a-z]+"}`, " ab ", `"ab"`},
		{`"type":"string","constraints":{"pattern":"[a-z]+"}`, "AB", "!"},
		{`"type":"string","constraints":{"maxLength":2}`, "abc", "!"},
		{`"type":"string","format":"email"`, " a@b.org\u200b", `"a@b.org"`},
		{`"type":"year"`, " 2009 ", "2009"}, {`"type":"year"`, "09", "!"},
		{`"type":"integer","constraints":{"required":true}`, "", "!"},
	} {
		s := compile(t, field(row.field+`,"onError":"mend"`), schema.Options{})
		got := &tally{}
		c, err := s.Check(got)
		if err != nil {
			t.Fatal(err)
		}
		give(t, c, &records.Record{Fields: []records.Field{{Name: "n", Value: records.TextOf(row.in)}}})
		text := "!"
		if len(got.records) == 1 {
			text = string(got.records[0].Fields[0].Value.AppendJSON(nil))
			if len(got.records[0].Was) != 1 || got.records[0].Was[0].Value.Text != row.in {
				t.Errorf("{%s} %q: the original is not kept: %v", row.field, row.in, got.records[0].Was)
			}
		}
		if text != row.want {
			t.Errorf("{%s} %q: %s, want %s (%v)", row.field, row.in, text, row.want, got.notices)
		}
		if len(got.records)+got.lost() != 1 {
			t.Errorf("{%s} %q: the accounts do not hold", row.field, row.in)
		}
		strict := &tally{}
		c, err = compile(t, field(row.field+`,"onError":"mend"`), schema.Options{Strict: true}).Check(strict)
		if err != nil {
			t.Fatal(err)
		}
		if give(t, c, &records.Record{Fields: []records.Field{{Name: "n", Value: records.TextOf(row.in)}}}); len(strict.records) != 0 {
			t.Errorf("{%s} %q is mended although strict", row.field, row.in)
		}
	}
}
