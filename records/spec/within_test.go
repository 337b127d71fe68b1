package spec_test

import (
	"testing"

	"laundromat/records/spec"
)

func TestPlacesWithinATextAreThoseOfTheFile(t *testing.T) {
	for _, c := range []struct {
		in                   string
		line, column         int
		wantLine, wantColumn int
	}{
		{"a: b + c", 1, 4, 1, 8},
		{"a: 'b + c'", 1, 4, 1, 9},
		{"a: \"b + c\"", 1, 4, 1, 9},
		{"a: |\n  b +\n   c\n", 2, 1, 3, 4},
		{"a: |\n\n    é + c\n", 2, 4, 3, 9},
		{"a: >\n  b +\n  c\n", 1, 4, 1, 4},
		{"a: 'it''s + c'", 1, 7, 1, 4},
		{`{"a": "b + c"}`, 1, 4, 1, 12},
		{`{"a": "\"b\" + c"}`, 1, 6, 1, 7},
		{"a: b\n  + c", 1, 4, 1, 4},
		{"é: é + c", 1, 4, 1, 8},
	} {
		n, err := spec.Parse("s", []byte(c.in))
		if err != nil {
			t.Fatal(err)
		}
		at := n.Entries[0].Value.Within(c.line, c.column)
		if at.Line != c.wantLine || at.Column != c.wantColumn {
			t.Errorf("%q: %d:%d, want %d:%d", c.in, at.Line, at.Column, c.wantLine, c.wantColumn)
		}
	}
}
