package peers_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

var formats = map[string]format.Format{"ntriples": format.NTriples, "nquads": format.NQuads, "turtle": format.Turtle, "trig": format.TriG,
	"rdfxml": format.RDFXML, "jsonld": format.JSONLD}

func ours(t testing.TB, q request) *rdftest.Collector {
	t.Helper()
	var c rdftest.Collector
	if _, err := format.Parse(context.Background(), formats[q.Format], bytes.NewReader(q.Text),
		format.Options{Input: rdf.Input{Base: q.Base}}, &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

// score counts the answers of a peer over a set of documents.
type score struct {
	agree, differ, refuse, die int
	rows                       []int // of the table of differences, as met
}

// compare asks a peer about a document. It fails if that says something else than ours without a word
// in the table of differences; name is where to look there.
func compare(t *testing.T, p peer, name string, q request, want *rdftest.Collector, s *score) {
	t.Helper()
	got := p.ask(q)
	if p.values {
		got.Quads, want = byValue(t, got.Quads), &rdftest.Collector{Quads: byValue(t, want.Quads)}
	}
	switch {
	case strings.HasPrefix(got.Error, died):
		s.die++
		t.Logf("%s dies of %s: %s", p.name, name, got.Error)
	case got.Error != "":
		s.refuse++
	case rdftest.Isomorphic(got.Quads, want.Quads):
		s.agree++
	default:
		s.differ++
		row := explained(p.name, name)
		s.rows = append(s.rows, row)
		if row < 0 {
			t.Errorf("%s and ours differ on %s:%s", p.name, name, difference(got.Quads, want.Quads))
		}
	}
}

// difference shows the lines that only one side has: "+" the peer, "-" ours.
func difference(peer, ours []rdf.Quad) string {
	p, o := (&rdftest.Collector{Quads: peer}).Lines(), (&rdftest.Collector{Quads: ours}).Lines()
	var b strings.Builder
	for _, line := range p {
		if !slices.Contains(o, line) {
			b.WriteString("\n+ " + line)
		}
	}
	for _, line := range o {
		if !slices.Contains(p, line) {
			b.WriteString("\n- " + line)
		}
	}
	return b.String()
}

func TestPeersAgreeOnConformanceData(t *testing.T) {
	for _, suite := range []struct{ folder, format string }{
		{"rdf-n-triples", "ntriples"}, {"rdf-n-quads", "nquads"}, {"rdf-turtle", "turtle"}, {"rdf-trig", "trig"}, {"rdf-xml", "rdfxml"},
	} {
		t.Run(suite.folder, func(t *testing.T) {
			entries := rdftest.Manifest(t, rdftest.Shared(t, "conformance", "w3c-rdf-tests", "rdf11", suite.folder, "manifest.ttl"))
			for _, p := range peersOf(t) {
				if !strings.Contains(p.formats, " "+suite.format+" ") {
					continue
				}
				var s score
				wrong, accepted := 0, 0
				for _, e := range entries {
					text, err := os.ReadFile(e.Action)
					if err != nil {
						t.Fatal(err)
					}
					q := request{suite.format, e.Base, text}
					if strings.Contains(e.Type, "Negative") {
						wrong++
						if p.ask(q).Error == "" {
							accepted++
						}
						continue
					}
					compare(t, p, suite.format+"/"+e.Name, q, ours(t, q), &s)
				}
				for i, d := range differences {
					if d.peer == p.name && strings.Contains("|"+d.pattern, "|"+suite.format+"/") && !slices.Contains(s.rows, i) {
						t.Errorf("%s agrees with ours on %s, which the table calls different", d.peer, d.pattern)
					}
				}
				t.Logf("%s: %d agree, %d differ as explained, %d refused, %d die; of %d faulty ones it accepts %d", p.name, s.agree,
					s.differ, s.refuse, s.die, wrong, accepted)
			}
		})
	}
}

// The generator knows what its documents say: ours must say the same.
func TestPeersAgreeOnGeneratedDocuments(t *testing.T) {
	documents := 200
	if testing.Short() {
		documents = 20
	}
	peers := peersOf(t)
	for _, name := range []string{"ntriples", "nquads", "turtle", "trig", "rdfxml"} {
		t.Run(name, func(t *testing.T) {
			scores := make([]score, len(peers))
			documents := documents
			if name != "ntriples" && name != "turtle" {
				documents /= 2 // the terms are the same
			}
			for i := range documents {
				g := &generator{Rand: rand.New(rand.NewPCG(uint64(i), 7))}
				graph := g.graph()
				set, text, based := "lines", "", false
				switch name {
				case "ntriples":
					text = g.lines(graph)
				case "nquads":
					graph = g.spread(graph)
					set, text = "quads", g.fours(graph)
				case "trig":
					graph = g.spread(graph)
					set, text = "graphs", g.blocks(graph)
				case "rdfxml":
					graph = inXML(graph)
					set, text = "markup", g.markup(graph)
				default:
					if text, based = g.turtle(graph); based {
						set = "relative"
					} else {
						set = "absolute"
					}
				}
				q := request{name, generatedBase, []byte(text)}
				want := ours(t, q)
				if want.Worst() >= fault.Repair || !rdftest.Isomorphic(want.Quads, graph) {
					t.Fatalf("document %d is read wrongly: %v%s\nof\n%s", i, want.Notices, difference(want.Quads, graph), text)
				}
				for j, p := range peers {
					if !strings.Contains(p.formats, " "+name+" ") {
						continue
					}
					compare(t, p, fmt.Sprintf("%s/%d", set, i), q, want, &scores[j])
				}
			}
			for j, s := range scores {
				t.Logf("%s: %d agree, %d differ as explained, %d refused, %d die", peers[j].name, s.agree, s.differ, s.refuse, s.die)
			}
		})
	}
}
