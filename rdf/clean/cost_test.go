package clean_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"laundromat/internal/testkit/corpus"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/ttl"
)

// people makes about a megabyte of N-Triples as catalogs have them.
func people() []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < 1<<20; i++ {
		s := fmt.Sprintf("<http://example.org/resource/person%d>", i)
		fmt.Fprintf(&b, "%s <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://xmlns.com/foaf/0.1/Person> .\n", s)
		fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/name> \"Person number %d from Zürich\"@de .\n", s, i)
		fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/age> \"%d\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", s, i%90)
		fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/knows> _:b%d .\n", s, i/3)
		fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/note> \"a \\\"quoted\\\" word, and\\na new line\" .\n", s)
		fmt.Fprintf(&b, "%s <http://xmlns.com/foaf/0.1/homepage> <http://www.example.com/~person%d/> .\n", s, i)
	}
	return b.Bytes()
}

// BenchmarkCost measures what the checks of terms cost compared with reading. It takes the shortest of
// many readings of a thousand statements each, in turn, so that other work on the machine weighs
// little. Each filter is measured alone, then all with the gate before them, as a chain has them; the
// share is that of the reader's time.
//
//	go test ./rdf/clean -run - -bench Cost -benchtime 3000x
func BenchmarkCost(b *testing.B) {
	var made bytes.Buffer
	if err := corpus.Write(&made, corpus.NTriples, 1, 1000); err != nil {
		b.Fatal(err)
	}
	some := people()
	some = some[:bytes.LastIndexByte(some[:made.Len()], '\n')+1]
	for name, text := range map[string][]byte{"people": some, "corpus": made.Bytes()} {
		b.Run(name, func(b *testing.B) {
			names := []string{"reader", "straybytes", "iris", "languages", "texts", "literals", "all"}
			filters := clean.Filters(end{})
			filters["reader"], filters["all"] = end{}, clean.Checks(end{})
			best := map[string]time.Duration{}
			for b.Loop() {
				for _, name := range names {
					for range 5 { // the first readings find a processor that has learned another filter's ways
						begin := time.Now()
						if _, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{}, ttl.Options{Syntax: ttl.NTriples},
							filters[name]); err != nil {
							b.Fatal(err)
						}
						if took := time.Since(begin); best[name] == 0 || took < best[name] {
							best[name] = took
						}
					}
				}
			}
			statements := float64(bytes.Count(text, []byte("\n")))
			b.ReportMetric(0, "ns/op")
			for name, took := range best {
				if name != "reader" {
					took -= best["reader"]
				}
				b.ReportMetric(float64(took.Nanoseconds())/statements, name+"-ns/statement")
			}
			b.ReportMetric(100*float64(best["all"]-best["reader"])/float64(best["reader"]), "share-%")
		})
	}
}

// hoard is a sink that keeps what it gets.
type hoard struct {
	end
	quads []rdf.Quad
}

func (h *hoard) Quad(q *rdf.Quad) error {
	kept := *q
	for _, t := range []*rdf.Term{&kept.Subject, &kept.Predicate, &kept.Object, &kept.Graph} {
		t.Value, t.Datatype, t.Language = bytes.Clone(t.Value), bytes.Clone(t.Datatype), bytes.Clone(t.Language)
	}
	h.quads = append(h.quads, kept)
	return nil
}

// kinds are statements of one kind each.
func kinds(b *testing.B) map[string][]rdf.Quad {
	var h hoard
	if _, err := ttl.Read(context.Background(), bytes.NewReader(people()), rdf.Input{}, ttl.Options{Syntax: ttl.NTriples}, &h); err != nil {
		b.Fatal(err)
	}
	kinds := map[string][]rdf.Quad{"all": h.quads}
	for i, q := range h.quads {
		name := []string{"type", "german", "integer", "blank", "lines", "link"}[i%6]
		kinds[name] = append(kinds[name], q)
	}
	for name, quads := range corpora() {
		kinds["corpus-"+name] = quads
	}
	return kinds
}

// BenchmarkChecks measures all checks on statements of one kind each.
func BenchmarkChecks(b *testing.B) {
	for name, quads := range kinds(b) {
		b.Run(name, func(b *testing.B) {
			checks := clean.Checks(end{})
			b.ReportAllocs()
			i := 0
			var q rdf.Quad
			for b.Loop() {
				q = quads[i]
				checks.Quad(&q)
				if i++; i == len(quads) {
					i = 0
				}
			}
		})
	}
}
