package schema_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/schema"
	"laundromat/records/spec"
)

// field makes a schema of one field n.
func field(rest string) string { return `{"fields":[{"name":"n",` + rest + `}]}` }

// TestValuesOfTypes: what a text becomes; "!" means that the record is dropped.
func TestValuesOfTypes(t *testing.T) {
	for _, row := range []struct{ field, in, want string }{
		{`"type":"integer"`, "+3", "3"}, {`"type":"integer"`, "007", "7"}, {`"type":"integer"`, "-0", "-0"},
		{`"type":"integer"`, " 1", "!"}, {`"type":"integer"`, "--1", "!"}, {`"type":"integer"`, "+-1", "!"},
		{`"type":"integer"`, "123456789012345678901234567890", "123456789012345678901234567890"},
		{`"type":"integer","groupChar":","`, "1,234,567", "1234567"}, {`"type":"integer","groupChar":","`, "1,,2", "!"},
		{`"type":"integer","bareNumber":false`, "$ 12 USD", "12"}, {`"type":"integer","bareNumber":false`, "-€95", "-95"},
		{`"type":"integer","bareNumber":false`, "(95)", "!"}, {`"type":"integer","bareNumber":false`, "95-", "!"},
		{`"type":"integer","bareNumber":false`, "5 of 7", "!"}, {`"type":"integer","bareNumber":false`, "abc", "!"},
		{`"type":"number"`, ".5", "0.5"}, {`"type":"number"`, "5.", "5"}, {`"type":"number"`, "+01.50", "1.50"},
		{`"type":"number"`, "-.5E+2", "-0.5E+2"}, {`"type":"number"`, ".", "!"}, {`"type":"number"`, "1e", "!"},
		{`"type":"number"`, "NaN", `"NaN"`}, {`"type":"number"`, "inf", "!"}, {`"type":"number"`, "0x10", "!"},
		{`"type":"number","decimalChar":","`, "1.5", "!"}, {`"type":"number","decimalChar":","`, "1,5", "1.5"},
		{`"type":"number","groupChar":" "`, "1 234.5", "1234.5"}, {`"type":"number","groupChar":" "`, "1 2.3 4", "!"},
		{`"type":"boolean"`, "1", "true"}, {`"type":"boolean"`, "tRUE", "!"},
		{`"type":"boolean","trueValues":["ja"],"falseValues":["nein"]`, "true", "!"},
		{`"type":"date"`, "2024-02-30", "!"}, {`"type":"date"`, "1900-02-29", "!"}, {`"type":"date"`, "2000-02-29", `"2000-02-29"`},
		{`"type":"date"`, "2024-1-2", "!"}, {`"type":"date","format":"%d/%m/%Y"`, "1/2/2009", `"2009-02-01"`},
		{`"type":"date","format":"%d %B %Y"`, "3 march 2020", `"2020-03-03"`}, {`"type":"date","format":"%d/%m/%y"`, "01/02/70",
			`"1970-02-01"`},
		{`"type":"date","format":"%d/%m/%y"`, "01/02/68", `"2068-02-01"`}, {`"type":"date","format":"%Y-%j"`, "2024-366", `"2024-12-31"`},
		{`"type":"date","format":"%Y-%j"`, "2023-366", "!"}, {`"type":"date","format":"%a %d %b %Y"`, "Wed 25 Nov 2026", `"2026-11-25"`},
		{`"type":"date","format":"%a %d %b %Y"`, "Thu 25 Nov 2026", "!"}, {`"type":"date","format":"any"`, "01/02/2009", "!"},
		{`"type":"date","format":"any"`, "25/12/2009", `"2009-12-25"`}, {`"type":"date","format":"any"`, "Dec 25, 2009", `"2009-12-25"`},
		{`"type":"date","format":"%e %B %Y"`, "3 march 2020", `"2020-03-03"`},
		{`"type":"date","format":"%e %h %Y"`, "3 Mar 2020", `"2020-03-03"`},
		{`"type":"date","format":"%d %B %Y"`, "3rd March 2020", "!"}, {`"type":"date","format":"%G-W%V-%u"`, "2020-W10-2", `"2020-03-03"`},
		{`"type":"date","format":"%D"`, "03/04/20", `"2020-03-04"`},
		{`"type":"datetime","format":"%s"`, "1583229600", `"2020-03-03T10:00:00Z"`},
		{`"type":"time","format":"%R"`, "7:05", `"07:05:00"`}, {`"type":"time","format":"%H:%M"`, "24:00", "!"},
		{`"type":"time","format":"%T.%L"`, "07:05:01.250", `"07:05:01.250"`}, {`"type":"time","format":"%r"`, "07:05:01 pm", `"19:05:01"`},
		{`"type":"datetime","format":"%F %T %z"`, "2020-03-03 10:00:00 +0000", `"2020-03-03T10:00:00+00:00"`},
		{`"type":"datetime","format":"%F %T %z"`, "2020-03-03 10:00:00 -03:30", `"2020-03-03T10:00:00-03:30"`},
		{`"type":"datetime","format":"%F %T %z"`, "2020-03-03 10:00:00 +01:02:03", "!"},
		{`"type":"datetime","format":"%F %T %Z"`, "2020-03-03 10:00:00 EST", `"2020-03-03T10:00:00-05:00"`},
		{`"type":"datetime","format":"%F %T %Z"`, "2020-03-03 10:00:00 IST", "!"},
		{`"type":"datetime","format":"%F %T %Z"`, "2020-03-03 10:00:00 UTC", `"2020-03-03T10:00:00Z"`},
		{`"type":"datetime"`, "2009-08-19T13:43:21", `"2009-08-19T13:43:21"`}, {`"type":"datetime"`, "2009-08-19 13:43:21", "!"},
		{`"type":"datetime"`, "2009-08-19T13:43:21.5+02:00", `"2009-08-19T13:43:21.5+02:00"`},
		{`"type":"datetime"`, "2009-08-19T13:43:21+15:00", "!"},
		{`"type":"datetime","format":"%Y-%m-%d %H:%M"`, "2009-08-19 13:43", `"2009-08-19T13:43:00"`},
		{`"type":"datetime","format":"%d.%m.%Y %I:%M %p %z"`, "19.08.2009 12:05 AM +0530", `"2009-08-19T00:05:00+05:30"`},
		{`"type":"time"`, "24:00:00", `"24:00:00"`}, {`"type":"time"`, "12:00:60", "!"}, {`"type":"time"`, "12:00", "!"},
		{`"type":"time","format":"%H:%M"`, "7:05", `"07:05:00"`}, {`"type":"year"`, "2009", "2009"}, {`"type":"year"`, "-0044", "-44"},
		{`"type":"year"`, "99", "!"}, {`"type":"yearmonth"`, "2009-12", `"2009-12"`}, {`"type":"yearmonth"`, "2009-00", "!"},
		{`"type":"duration"`, "P1Y2M3DT4H5M6.7S", `"P1Y2M3DT4H5M6.7S"`}, {`"type":"duration"`, "P", "!"}, {`"type":"duration"`, "PT", "!"},
		{`"type":"duration"`, "P1DT", "!"}, {`"type":"duration"`, "P1D1Y", "!"}, {`"type":"duration"`, "-PT0.5S", `"-PT0.5S"`},
		{`"type":"duration"`, "PT1.S", "!"}, {`"type":"duration"`, "PT1.5M", "!"}, {`"type":"duration"`, "PT1.", "!"},
		{`"type":"geopoint"`, "90.5, 45.1", `"90.5, 45.1"`}, {`"type":"geopoint"`, "180.1,0", "!"},
		{`"type":"geopoint","format":"array"`, "[1,2,3]", "!"},
		{`"type":"geopoint","format":"object"`, `{"lon":1,"lat":"2"}`, "!"}, {`"type":"geopoint","format":"array"`, "[1, 2]", "[1,2]"},
		{`"type":"list"`, "a,b", `["a","b"]`}, {`"type":"list","itemType":"integer","delimiter":";"`, "1;2", "[1,2]"},
		{`"type":"list","itemType":"integer"`, "1,x", "!"}, {`"type":"array"`, "[1", "!"}, {`"type":"object"`, `{"a":{"b":[1.0]}}`,
			`{"a":{"b":[1.0]}}`},
		{`"type":"geojson"`, `{"type":"Point","coordinates":[1,2]}`, `{"type":"Point","coordinates":[1,2]}`},
		{`"type":"geojson"`, `{"type":"Polygon","coordinates":[1,2]}`, "!"}, {`"type":"geojson","format":"topojson"`,
			`{"type":"Point","coordinates":[1,2]}`, "!"},
		{`"type":"geojson","format":"topojson"`, `{"type":"Topology","objects":{},"arcs":[]}`,
			`{"type":"Topology","objects":{},"arcs":[]}`},
		{`"type":"string","format":"email"`, "a.b@c.org", `"a.b@c.org"`}, {`"type":"string","format":"email"`, "a..b@c.org", "!"},
		{`"type":"string","format":"uri"`, "http://e/%zz", "!"}, {`"type":"string","format":"uri"`, "mailto:a@b", `"mailto:a@b"`},
		{`"type":"string","format":"binary"`, "YWI=", `"YWI="`}, {`"type":"string","format":"binary"`, "YWI", "!"},
		{`"type":"string","missingValues":[{"value":"-","label":"none"}]`, "-", "null"}, {`"type":"string","missingValues":[]`, "", `""`},
		{`"type":"number","constraints":{"maximum":1}`, "1.0000000000000000000000001", "!"}, {`"type":"number","constraints":{"maximum":1}`,
			"1e999999999", "!"},
		{`"type":"number","constraints":{"minimum":0}`, "1e-999999999", "1e-999999999"}, {`"type":"number","constraints":{"enum":["1.50"]}`,
			"1.5", "1.5"},
		{`"type":"number","constraints":{"maximum":9}`, "NaN", "!"}, {`"type":"datetime","constraints":{"minimum":"2009-01-01T00:00:00Z"}`,
			"2009-01-01T01:00:00+02:00", "!"},
		{`"type":"duration","constraints":{"maximum":"P1D"}`, "PT25H", "!"},
		{`"type":"date","format":"%d/%m/%Y","constraints":{"minimum":"01/02/2009"}`, "31/01/2009", "!"},
		{`"type":"string","constraints":{"maxLength":2}`, "äö", `"äö"`},
		{`"type":"array","constraints":{"jsonSchema":{"items":{"type":"integer"}}}`, `["a"]`, "!"},
		{`"type":"integer","categories":[{"value":1,"label":"one"},2]`, "3", "!"}, {`"type":"integer","onError":"null"`, "x", "null"},
		{`"type":"integer","onError":"default","default":0`, "x", "0"}, {`"type":"integer","onError":"keep"`, "x", `"x"`},
	} {
		s := compile(t, field(row.field), schema.Options{})
		got := &tally{}
		c, err := s.Check(got)
		if err != nil {
			t.Fatal(err)
		}
		give(t, c, &records.Record{Fields: []records.Field{{Name: "n", Value: records.TextOf(row.in)}}})
		text := "!"
		if len(got.records) == 1 {
			text = string(got.records[0].Fields[0].Value.AppendJSON(nil))
		}
		if text != row.want {
			t.Errorf("{%s} %q: %s, want %s (%v)", row.field, row.in, text, row.want, got.notices)
		}
		if len(got.records)+got.lost() != 1 {
			t.Errorf("{%s} %q: the accounts do not hold", row.field, row.in)
		}
		if text == "!" {
			continue
		}
		// What was written is valid by the schema of what is written, and stays the same.
		w, err := s.Written()
		if err != nil {
			t.Errorf("{%s}: %v", row.field, err)
			continue
		}
		if strings.Contains(row.field, `"keep"`) {
			continue
		}
		again := &tally{}
		c, _ = w.Check(again)
		give(t, c, got.records[0].Clone())
		if len(again.records) != 1 || !again.records[0].Fields[0].Value.Equal(got.records[0].Fields[0].Value) {
			t.Errorf("{%s} %q: %s read again is not valid: %v", row.field, row.in, text, again.notices)
		}
	}
}

// TestWrongSchemasAreRefused with the place and the nearest name.
func TestWrongSchemasAreRefused(t *testing.T) {
	for in, want := range map[string]string{
		`{"fields":[{"name":"a","type":"intger"}]}`:                                                          `s.json:1:31: unknown type "intger": did you mean "integer"?`,
		`{"fields":[{"name":"a","tpye":"integer"}]}`:                                                         `s.json:1:24: unknown key of a field "tpye": did you mean "type"?`,
		`{"fields":[{"type":"integer"}]}`:                                                                    `a field has a name`,
		`{"fields":[{"name":"a"},{"name":"a"}]}`:                                                             `two fields of the name "a"`,
		`{"fields":[{"name":"a"}],"primaryKey":"b"}`:                                                         `there is no field "b"`,
		`{"fields":[{"name":"a"}],"fieldsMatch":"exakt"}`:                                                    `did you mean "exact"?`,
		`{"fields":[{"name":"a"}],"fieldsMatch":["equal","exact"]}`:                                          `a text is wanted`,
		`{"fields":[{"name":"a","type":"string","constraints":{"minimum":1}}]}`:                              `not for the type string`,
		`{"fields":[{"name":"a","constraints":{"requird":true}}]}`:                                           `did you mean "required"?`,
		`{"fields":[{"name":"a","constraints":{"required":"yes"}}]}`:                                         `a boolean is wanted`,
		`{"fields":[{"name":"a","constraints":{"pattern":"(?=a)"}}]}`:                                        `a regular expression of RE2`,
		`{"fields":[{"name":"a","type":"integer","constraints":{"maximum":"x"}}]}`:                           `a value of the type integer`,
		`{"fields":[{"name":"a","type":"date","format":"%d/%m"}]}`:                                           `no whole date`,
		`{"fields":[{"name":"a","type":"date","format":"%Q"}]}`:                                              `unknown directive`,
		`{"fields":[{"name":"a","type":"string","format":"emial"}]}`:                                         `did you mean "email"?`,
		`{"fields":[{"name":"a"}],"foreignKeys":[{"fields":"a","reference":{"resource":"t","fields":"b"}}]}`: `"t", which a foreign key refers to, is not given`,
		`{"fields":[{"name":"a","onError":"nul"}]}`:                                                          `did you mean "null"?`,
		`{"fields":[{"name":"a","type":"integer","onError":"default","default":"x"}]}`:                       `the default breaks the field`,
		`{"fields":{}}`:                             `a list is wanted`,
		`{"feilds":[]}`:                             `did you mean "fields"?`,
		`{"type":"objct"}`:                          `s.json:1:9: unknown type "objct": did you mean "object"?`,
		`{"$ref":"http://e/s"}`:                     `s.json:1:9: http://e/s: the schema is not given`,
		`{"properties":{"a":{"$ref":"#/$defs/x"}}}`: `there is no schema #/$defs/x`,
		`{"type":"object","required":"a"}`:          `s.json:1:29`,
		`{"allOf":[{"pattern":"("}]}`:               `s.json:1:22`,
	} {
		node, err := spec.Parse("s.json", []byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := schema.Compile(node, schema.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// TestMendsKeepTheOriginal: a field that asks for it is mended, with the original next to it;
// strict drops the record.
func TestMendsKeepTheOriginal(t *testing.T) {
	const text = `{"fields":[{"name":"a","type":"integer","onError":"null"},{"name":"b","type":"date"}]}`
	const rows = "a,b\nx,2009-01-01\ny,never\n"
	got := run(t, compile(t, text, schema.Options{}), rows)
	want := `{"a":null,"b":"2009-01-01","was":{"a":{"value":"x","rule":"schema"}}}`
	if lines := got.lines(); len(lines) != 1 || lines[0] != want || !got.records[0].Repaired {
		t.Errorf("%q", lines)
	}
	if got.notices[0].Severity != fault.Repair || got.lost() != 1 {
		t.Errorf("%+v", got.notices)
	}
	if got := run(t, compile(t, text, schema.Options{Strict: true}), rows); len(got.records) != 0 || got.lost() != 2 {
		t.Errorf("strict: %q", got.lines())
	}
}

// TestNestedRecords: a fault of a JSON Schema has its path and place.
func TestNestedRecords(t *testing.T) {
	s := compile(t, `{"type":"object","required":["id"],"properties":{"a":{"items":{"type":"integer"}},"n":{"maximum":1}}}`,
		schema.Options{})
	got := &tally{}
	c, _ := s.Check(got)
	a, _ := schema.ParseJSON(`[1,"x"]`)
	give(t, c, &records.Record{Pos: fault.Pos{Line: 3, Column: 1}, Fields: []records.Field{
		{Name: "a", Value: a, Pos: fault.Pos{Line: 4, Column: 5}}, {Name: "n", Value: records.NumberOf("1.0000000000000000000001")}}})
	give(t, c, &records.Record{Fields: []records.Field{{Name: "id", Value: records.NumberOf("1")},
		{Name: "n", Value: records.NumberOf("1e99999999")}}})
	give(t, c, &records.Record{Fields: []records.Field{{Name: "id", Value: records.NumberOf("1")}}})
	fields := map[string]int64{}
	for _, n := range got.notices {
		fields[n.Field] = n.Line
	}
	if len(got.records) != 1 || got.lost() != 2 || len(got.notices) != 4 || fields["a/1"] != 4 {
		t.Errorf("%d records, %d lost: %+v", len(got.records), got.lost(), got.notices)
	}
}

// TestKeysInBoundedMemory: duplicates and references are found alike in memory and on disk.
func TestKeysInBoundedMemory(t *testing.T) {
	const rows = 60_000
	s := `{"fields":[{"name":"id","type":"integer"},{"name":"p","type":"integer"}],"primaryKey":"id",
		"foreignKeys":[{"fields":"p","reference":{"resource":"","fields":"id"}}]}`
	for _, memory := range []int64{1, 0} {
		got := &tally{}
		c, err := compile(t, s, schema.Options{KeyMemory: memory, Temp: t.TempDir()}).Check(got)
		if err != nil {
			t.Fatal(err)
		}
		order := rand.New(rand.NewSource(1)).Perm(rows)
		dangling, twice := 0, 0
		for n, id := range order {
			p := records.IntOf(int64((id + 1) % rows)) // the next may come later
			if n%1000 == 7 {
				p = records.IntOf(int64(rows + n))
				dangling++
			}
			one := func() {
				give(t, c, &records.Record{Fields: []records.Field{{Name: "id", Value: records.IntOf(int64(id))}, {Name: "p", Value: p}}})
			}
			if one(); n%500 == 3 {
				one()
				twice++
			}
		}
		if err := c.Flush(); err != nil {
			t.Fatal(err)
		}
		if len(got.records) != rows-dangling || got.lost() != dangling+twice {
			t.Errorf("memory %d: %d records, %d lost, want %d and %d", memory, len(got.records), got.lost(), rows-dangling, dangling+twice)
		}
		for i, r := range got.records[1:] {
			if i > 0 && r.Fields[0].Value.Equal(got.records[i].Fields[0].Value) {
				t.Fatal("the order is lost")
			}
		}
	}
}

// TestFieldsMatch: which columns each way of matching allows.
func TestFieldsMatch(t *testing.T) {
	for _, row := range []struct{ match, header, want string }{
		{`"exact"`, "a,b", ""}, {`"exact"`, "b,a", "incorrect-label incorrect-label"}, {`["exact"]`, "a,b,c", "extra-label"},
		{`"equal"`, "b,a", ""}, {`["equal"]`, "a", "missing-label"}, {`"equal"`, "a,b,c", "extra-label"},
		{`"subset"`, "c,b,a", ""}, {`"subset"`, "a,c", "missing-label"}, {`"superset"`, "b", ""}, {`"superset"`, "b,c", "extra-label"},
		{`"partial"`, "c,b", ""}, {`"partial"`, "c,d", "missing-label"}, {`"equal"`, "a,,b", "blank-label"},
	} {
		s := compile(t, `{"fields":[{"name":"a"},{"name":"b"}],"fieldsMatch":`+row.match+`}`, schema.Options{})
		var told []string
		for _, n := range run(t, s, row.header+"\n").notices {
			told = append(told, strings.TrimPrefix(string(n.Code), "schema/"))
		}
		if got := strings.Join(told, " "); got != row.want {
			t.Errorf("%s %s: %q, want %q", row.match, row.header, got, row.want)
		}
	}
}

// TestInference: the type that all rows have, and what decided against narrower ones.
func TestInference(t *testing.T) {
	in := schema.NewInference(nil)
	feed(t, "i,n,z,d,w,b,m,u,e\n1,1,1,2024-01-02,01/02/2024,true,1,http://e/a,\n2,1.5,01,2023-02-28,03/04/2024,FALSE,NA,http://e/b,\n,2,3,,12/11/2024,,2,,\n",
		in)
	var got []string
	for _, f := range in.Fields() {
		got = append(got, f.Type)
		switch f.Name {
		case "z":
			if c := f.Against[0]; c.Value != "01" || c.Line != 3 || c.Type != "integer" {
				t.Errorf("%+v", f)
			}
		case "w":
			if len(f.Readings) != 2 {
				t.Errorf("readings: %+v", f.Readings)
			}
		case "u":
			if f.Format != "uri" || f.Missing != 1 {
				t.Errorf("%+v", f)
			}
		}
	}
	if want := "integer number string date string boolean string string any"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRecordsAreValidByTheirInferredSchema, whatever is in them.
func TestRecordsAreValidByTheirInferredSchema(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	values := []string{"1", "01", "-3", "1.5", "1e3", "true", "", "x", "2024-01-02", "2024-13-02", "12:00:00", "2024-01-02T00:00:00Z",
		"http://e/", "a@b.c", "1,5", " 1", "NaN", "99999999999999999999", "-0", "+1"}
	for range 300 {
		in := schema.NewInference(nil)
		var rows []*records.Record
		few := values[:1+r.Intn(len(values))]
		for range 1 + r.Intn(6) {
			one := &records.Record{}
			for _, name := range []string{"a", "b", "c"} {
				v := records.TextOf(few[r.Intn(len(few))])
				switch r.Intn(12) {
				case 0:
					v = records.IntOf(int64(r.Intn(9)))
				case 1:
					v = records.BoolOf(true)
				case 2:
					v = records.Value{Kind: records.List}
				}
				one.Fields = append(one.Fields, records.Field{Name: name, Value: v})
			}
			rows = append(rows, one)
			give(t, in, one.Clone())
		}
		text := string(in.AppendJSON(nil))
		got := &tally{}
		c, _ := compile(t, text, schema.Options{}).Check(got)
		for _, one := range rows {
			give(t, c, one)
		}
		if len(got.notices) > 0 {
			t.Fatalf("%s\n%+v", text, got.notices)
		}
	}
}

// FuzzCheckedRecordsAreValidAgain: what a check hands on is valid by the schema of what is
// written, and stays the same; the accounts hold.
func FuzzCheckedRecordsAreValidAgain(f *testing.F) {
	kinds := []string{`"type":"integer","groupChar":","`, `"type":"number","decimalChar":",","groupChar":"."`,
		`"type":"number","bareNumber":false`,
		`"type":"boolean"`, `"type":"date","format":"%d/%m/%Y"`, `"type":"datetime","format":"any"`, `"type":"time"`, `"type":"year"`,
		`"type":"duration"`, `"type":"geopoint"`, `"type":"geojson"`, `"type":"list","itemType":"number"`, `"type":"object"`,
		`"type":"string","format":"uri"`, `"type":"array"`}
	var checks, again []*schema.Schema
	for _, k := range kinds {
		s := compile(f, field(k), schema.Options{})
		w, err := s.Written()
		if err != nil {
			f.Fatal(err)
		}
		checks, again = append(checks, s), append(again, w)
	}
	for i, seed := range []string{"1,234", "1.234,5", "€95", "true", "19/08/2009", "2009-08-19T13:43:21Z", "13:43:21", "2009", "P1DT2H",
		"1,2",
		`{"type":"Point","coordinates":[1,2]}`, "1,2", "{}", "http://e/", "[]"} {
		f.Add(uint8(i), seed)
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		i := int(kind) % len(kinds)
		first, second := &tally{}, &tally{}
		c, _ := checks[i].Check(first)
		give(t, c, &records.Record{Fields: []records.Field{{Name: "n", Value: records.TextOf(text)}}})
		if len(first.records)+first.lost() != 1 {
			t.Fatal("the accounts do not hold")
		}
		if len(first.records) == 0 {
			return
		}
		line := string(first.records[0].AppendJSON(nil))
		v, err := schema.ParseJSON(line)
		if err != nil {
			return // a text that is not UTF-8, or a name that comes twice
		}
		c, _ = again[i].Check(second)
		give(t, c, &records.Record{Fields: v.Fields})
		if len(second.records) != 1 || string(second.records[0].AppendJSON(nil)) != line {
			t.Errorf("{%s} %q: %s is not valid again: %+v", kinds[i], text, line, second.notices)
		}
	})
}

type sink struct{}

func (sink) Record(*records.Record) error { return nil }
func (sink) Notice(fault.Notice)          {}

// BenchmarkFiveFields checks rows of texts, as a CSV gives them, against five fields.
func BenchmarkFiveFields(b *testing.B) {
	s := compile(b, `{"fields":[{"name":"id","type":"integer","constraints":{"required":true,"minimum":0}},{"name":"name","type":"string","constraints":{"maxLength":40}},
		{"name":"price","type":"number","constraints":{"minimum":0}},{"name":"day","type":"date"},{"name":"sold","type":"boolean"}]}`,
		schema.Options{})
	benchmark(b, s)
}

// BenchmarkFiveFieldsAndKey has a primary key besides.
func BenchmarkFiveFieldsAndKey(b *testing.B) {
	s := compile(b, `{"fields":[{"name":"id","type":"integer"},{"name":"name","type":"string"},{"name":"price","type":"number"},{"name":"day","type":"date"},
		{"name":"sold","type":"boolean"}],"primaryKey":"id"}`, schema.Options{Temp: b.TempDir()})
	benchmark(b, s)
}

func benchmark(b *testing.B, s *schema.Schema) {
	c, err := s.Check(sink{})
	if err != nil {
		b.Fatal(err)
	}
	names := []string{"id", "name", "price", "day", "sold"}
	ids := make([]string, b.N)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	r := &records.Record{Fields: make([]records.Field, 5)}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		for j, text := range [...]string{ids[i], "A name of some length", "1234.50", "2024-02-29", "true"} {
			r.Fields[j] = records.Field{Name: names[j], Value: records.TextOf(text)}
		}
		if err := c.Record(r); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
