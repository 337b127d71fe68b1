// Package recordtest holds what the tests of the records engine share.
package recordtest

import (
	"encoding/json"
	"strings"
	"testing"

	"laundromat/records"
)

// ValueOf makes a value of a text in JSON, with the order of its members and all digits of its numbers.
func ValueOf(t testing.TB, text string) records.Value {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var read func() records.Value
	read = func() records.Value {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		switch v := token.(type) {
		case string:
			return records.TextOf(v)
		case json.Number:
			return records.NumberOf(v.String())
		case bool:
			return records.BoolOf(v)
		case json.Delim:
			value := records.Value{Kind: records.List}
			if v == '{' {
				value.Kind = records.Object
			}
			for d.More() {
				if v == '[' {
					value.Items = append(value.Items, read())
					continue
				}
				name := read().Text
				value.Fields = append(value.Fields, records.Field{Name: name, Value: read()})
			}
			_, _ = d.Token()
			return value
		}
		return records.Value{}
	}
	return read()
}
