package ttl_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/corpus"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/ttl"
)

// discard is a sink that only counts.
type discard struct{ quads, notices int }

func (d *discard) Quad(*rdf.Quad) error { d.quads++; return nil }
func (d *discard) Notice(fault.Notice)  { d.notices++ }

// sample makes about a megabyte of a mixture as catalogs have it.
func sample(syntax ttl.Syntax) []byte {
	var b bytes.Buffer
	if syntax == ttl.Turtle || syntax == ttl.TriG {
		b.WriteString("@prefix ex: <http://example.org/resource/> .\n@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n")
	}
	for i := 0; b.Len() < 1<<20; i++ {
		switch syntax {
		case ttl.NTriples, ttl.NQuads:
			graph := ""
			if syntax == ttl.NQuads {
				graph = " <http://example.org/graph/people>"
			}
			s := fmt.Sprintf("<http://example.org/resource/person%d>", i)
			fmt.Fprintf(&b, "%s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://xmlns.com/foaf/0.1/Person>%s .\n", s, graph)
			fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/name> \"Person number %d from Zürich\"@de%s .\n", s, i, graph)
			fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/age> \"%d\"^^<http://www.w3.org/2001/XMLSchema#integer>%s .\n", s, i%90, graph)
			fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/knows> _:b%d%s .\n", s, i/3, graph)
			fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/note> \"a \\\"quoted\\\" word, and\\na new line\"%s .\n", s, graph)
		default:
			if syntax == ttl.TriG {
				fmt.Fprintf(&b, "ex:graph%d {\n", i/10)
			}
			fmt.Fprintf(&b, "ex:person%d a foaf:Person ;\n    foaf:name \"Person number %d from Zürich\"@de ;\n    foaf:age %d ;\n    foaf:knows ex:person%d , [ foaf:name \"somebody\" ] ;\n    foaf:birthday \"1980-01-01\"^^xsd:date ;\n    foaf:homepage <http://example.org/home/%d> .\n",
				i, i, i%90, i/3, i)
			if syntax == ttl.TriG {
				b.WriteString("}\n")
			}
		}
	}
	return b.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, syntax := range []ttl.Syntax{ttl.NTriples, ttl.NQuads, ttl.Turtle, ttl.TriG} {
		b.Run(syntax.String(), func(b *testing.B) {
			text := bytes.Repeat(sample(syntax), 16)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			quads := 0
			for b.Loop() {
				var d discard
				if _, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{}, ttl.Options{Syntax: syntax},
					&d); err != nil {
					b.Fatal(err)
				}
				if d.notices > 0 {
					b.Fatalf("%d notices", d.notices)
				}
				quads = d.quads
			}
			b.ReportMetric(float64(quads)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mquads/s")
		})
	}
}

// BenchmarkWashLines is a valid file on its way to clean lines, every check made: judged
// before it is read, on one goroutine, and read.
func BenchmarkWashLines(b *testing.B) {
	var text bytes.Buffer
	if err := corpus.Write(&text, corpus.NTriples, 1, 50_000); err != nil {
		b.Fatal(err)
	}
	for _, judged := range []bool{true, false} {
		b.Run(map[bool]string{true: "judged", false: "read"}[judged], func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			best := time.Duration(0)
			for b.Loop() {
				sink, _ := clean.Chain(clean.Options{}, clean.EachLine(func([]byte) error { return nil }), nil)
				if !judged {
					sink = plainSink{sink}
				}
				begin := time.Now()
				if _, err := ttl.Read(context.Background(), bytes.NewReader(text.Bytes()), rdf.Input{}, ttl.Options{Syntax: ttl.NTriples},
					sink); err != nil {
					b.Fatal(err)
				}
				if took := time.Since(begin); best == 0 || took < best {
					best = took
				}
			}
			b.ReportMetric(float64(text.Len())/best.Seconds()/1e6, "best-MB/s")
		})
	}
}
