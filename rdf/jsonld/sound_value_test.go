package jsonld_test

import (
	"context"
	"encoding/json"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/jsonld"
)

func TestBrokenJSONIsReadAsSoundJSON(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		worst          fault.Severity
	}{
		{"sound", `{"a":[1,2.5e3,true,null,"x"],"b":{}}`, `{"a":[1,2.5e3,true,null,"x"],"b":{}}`, 0},
		{"raw tab and line end in a string", "{\"title\":\"a\tb\nc\",\"url\":\"u\"}", `{"title":"a\tb\nc","url":"u"}`, fault.Repair},
		{"comma behind the last member", `{"a":1,}`, `{"a":1}`, fault.Repair},
		{"comma behind the last item", `[1,2,]`, `[1,2]`, fault.Repair},
		{"comma missing between members", `{"a":1 "b":2}`, `{"a":1,"b":2}`, fault.Repair},
		{"comma missing between items", `[{"a":1} {"b":2}]`, `[{"a":1},{"b":2}]`, fault.Repair},
		{"comments", "{// one\n\"a\":1 /* two */}", `{"a":1}`, fault.Repair},
		{"apostrophes for quotation marks", `{'a':'x'}`, `{"a":"x"}`, fault.Repair},
		{"names without quotation marks", `{a:"x"}`, `{"a":"x"}`, fault.Repair},
		{"escape that there is not", `{"a":"c:\data","b":1}`, `{"b":1}`, fault.Drop},
		{"number that JSON has not", `{"a":NaN,"b":1}`, `{"a":"NaN","b":1}`, fault.Repair},
		{"cut off", `{"a":[{"b":1},{"c":2},{"d":`, `{"a":[{"b":1},{"c":2}]}`, fault.Drop},
		{"semicolon behind", `{"a":1};`, `{"a":1}`, fault.Drop},
		{"nothing", ``, ``, 0},
		{"no JSON", `hello`, ``, fault.Drop},
	} {
		var worst fault.Severity
		var found []fault.Notice
		got, err := jsonld.Sound(context.Background(), []byte(c.in), 1<<20, func(n fault.Notice) {
			worst = max(worst, n.Severity)
			found = append(found, n)
		})
		if err != nil || string(got) != c.want || worst != c.worst {
			t.Errorf("%s: %v\n%s\nwant\n%s\n%v", c.name, err, got, c.want, found)
		}
		if len(got) > 0 && !json.Valid(got) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}
