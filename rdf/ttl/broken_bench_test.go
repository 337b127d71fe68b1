package ttl_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/ttl"
)

// slips are faults that people make, each as a statement of the number i.
var slips = []struct{ name, statement string }{
	{"semicolon for a dot", "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ;\n    ex:in ex:place ;\n"},
	{"missing dot", "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ;\n    ex:in ex:place\n"},
	{"comma for a semicolon", "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ,\n    ex:in ex:place .\n"},
	{"quotation mark in a text", "ex:s%d a ex:Thing ;\n    ex:name \"the \"first\" thing\" ;\n    ex:in ex:place .\n"},
	{"text without its end", "ex:s%d a ex:Thing ;\n    ex:name \"thing ;\n    ex:in ex:place .\n"},
	{"name to be escaped", "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ;\n    ex:in ex:AC/DC .\n"},
	{"term too many", "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ;\n    ex:in ex:place ex:other .\n"},
	{"bracket that is not closed", "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ;\n    ex:in [ ex:name \"place\" .\n"},
}

// BenchmarkBroken reads some 50,000 statements, of which every tenth subject or each one has a fault.
func BenchmarkBroken(b *testing.B) {
	for _, slip := range slips {
		for _, each := range []int{10, 1} {
			b.Run(fmt.Sprintf("%s/1 in %d", slip.name, each), func(b *testing.B) {
				var text bytes.Buffer
				text.WriteString("@prefix ex: <http://example.org/> .\n")
				for i := range 16_700 {
					if i%each == each-1 {
						fmt.Fprintf(&text, slip.statement, i)
					} else {
						fmt.Fprintf(&text, "ex:s%d a ex:Thing ;\n    ex:name \"thing\" ;\n    ex:in ex:place .\n", i)
					}
				}
				b.SetBytes(int64(text.Len()))
				b.ReportAllocs()
				var d discard
				for b.Loop() {
					d = discard{}
					if _, err := ttl.Read(context.Background(), bytes.NewReader(text.Bytes()), rdf.Input{}, ttl.Options{Syntax: ttl.Turtle},
						&d); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(d.quads), "quads")
				b.ReportMetric(float64(d.notices), "notices")
			})
		}
	}
}
