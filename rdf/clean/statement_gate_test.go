package clean_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
)

// protocol writes down what arrives.
type protocol struct{ strings.Builder }

func (p *protocol) Quad(q *rdf.Quad) error {
	fmt.Fprintf(p, "%s %v\n", rdf.AppendQuad(nil, q), q.Repaired)
	return nil
}
func (p *protocol) Notice(n fault.Notice) {
	fmt.Fprintf(p, "%s %s %s %d\n", n.Severity, n.Code, n.Message, n.Lost)
}

// With the gate and without it the same comes out, whatever came before.
func FuzzGateChangesNothing(f *testing.F) {
	f.Add("http://e.org/s", "http://e.org/p", "http://e.org/o#x", "", "", uint8(0))
	f.Add("http://e.org/s", "http://e.org/p", "München", "", "de", uint8(1))
	f.Add("_:b", "http://e.org/p", "12", rdf.XSD+"integer", "", uint8(1))
	f.Add("http://e.org/a b", "ftp:x", "MÃ¼nchen", rdf.XSD+"Integer", "en-UK", uint8(1))
	f.Add("http://e.org/\xff", "urn:ex:y", "2024-02-29", rdf.XSD+"date", "", uint8(1))
	f.Add("http://http//e/", "urn:x", "http://e:80/", "", "", uint8(0))
	f.Add("b", "http://e.org/p", "label\xff", "", "", uint8(2))
	f.Add("http://e.org/a#s", "http://e.org/~p", "http://e.org/p/é?", "", "", uint8(4))
	f.Add("http://e.org/a/.s", "http://e.org/p\u0301", "Ça va & <b>?", "", "fr", uint8(5))
	f.Add("http://e.org/%C3%A9%c3", "http://e.org/p", "Ça va ", "", "fr", uint8(5))
	f.Add("", "http://e/", "Ça va & <b>?", "", "fr", uint8('1'))
	f.Fuzz(func(t *testing.T, s, p, o, datatype, language string, kind uint8) {
		object := iri(o)
		switch kind % 3 {
		case 1:
			object = text(o, datatype)
			if datatype == "" || language != "" {
				object = tagged(o, language)
			}
		case 2:
			object = blank(o)
		}
		node := iri(s)
		if label, ok := strings.CutPrefix(s, "_:"); ok {
			node = blank(label)
		}
		quads := []rdf.Quad{
			quad(node, iri(p), object), quad(node, iri(p), object, iri(s)), quad(iri(p), iri(p), iri(o)), quad(iri(o), iri(s), object),
			quad(iri("http://e.org/s"), iri("http://e.org/p"), object), quad(node, iri(p), object),
		}
		var with, without protocol
		gated, plain := clean.Checks(&with), clean.WithoutGate(&without)
		for _, q := range quads {
			a, b := q, q
			if kind&4 != 0 { // as a reader may know it
				for _, t := range []*rdf.Term{&a.Subject, &a.Predicate, &a.Object, &a.Graph} {
					t.Bytes = rdf.BytesOf(t.Value)
				}
			}
			if gated.Quad(&a) != nil || plain.Quad(&b) != nil {
				t.Fatal("an error")
			}
		}
		if with.String() != without.String() {
			t.Fatalf("with the gate:\n%s\nwithout:\n%s", with.String(), without.String())
		}
	})
}
