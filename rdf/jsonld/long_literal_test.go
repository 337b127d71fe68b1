package jsonld_test

import (
	"context"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// A literal may be longer than a value of many small ones, which takes more memory than its length.
func TestALiteralMayBeLongerThanOtherValues(t *testing.T) {
	opt := jsonld.Options{MaxBytes: 10_000, MaxLiteral: 100_000}
	for _, c := range []struct {
		name, text string
		kept, long int
		isLost     bool
	}{
		{"alone", `{"@id":"http://e/s","http://e/p":"` + strings.Repeat("x", 90_000) + `"}`, 1, 90_000, false},
		{"as a value object", `{"@id":"http://e/s","http://e/p":{"@value":"` + strings.Repeat("x", 90_000) + `","@language":"en"}}`, 1,
			90_000, false},
		{"as an item", `[{"@id":"http://e/s","http://e/p":"y"},{"@id":"http://e/s","http://e/p":"` + strings.Repeat("x", 90_000) + `"}]`, 2,
			90_000, false},
		{"escaped", `{"@id":"http://e/s","http://e/p":"` + strings.Repeat(`\u0078`, 15_000) + `"}`, 1, 15_000, false},
		{"too long", `[{"@id":"http://e/s","http://e/p":"y"},{"@id":"http://e/s","http://e/p":"` + strings.Repeat("x", 110_000) + `"}]`, 1,
			1, true},
		{"many small values", `[{"@id":"http://e/s","http://e/p":"y"},{"@id":"http://e/s","http://e/p":{"@list":[` +
			strings.Repeat("1,", 40_000) + `1]}}]`, 1, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got rdftest.Collector
			if err := jsonld.Read(context.Background(), strings.NewReader(c.text), rdf.Input{Base: "http://b/"}, opt, &got); err != nil {
				t.Fatal(err)
			}
			if len(got.Quads) != c.kept || len(got.Quads[c.kept-1].Object.Value) != c.long || (got.Worst() == fault.Drop) != c.isLost {
				t.Errorf("%d statements, %v", len(got.Quads), shown(got.Notices))
			}
		})
	}
}
