package peers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	knakk "github.com/knakk/rdf"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/format"
)

// forgetful is a sink for readers that are timed.
type forgetful struct{ quads int }

func (f *forgetful) Quad(*rdf.Quad) error { f.quads++; return nil }
func (f *forgetful) Notice(fault.Notice)  {}

// BenchmarkReaders reads ten thousand subjects of three statements each, with the
// readers of this program and with knakk/rdf.
//
//	go -C bench test -run none -bench Readers ./peers
func BenchmarkReaders(b *testing.B) {
	var lines, turtle, xml strings.Builder
	turtle.WriteString("@prefix ex: <http://example.org/ns#> .\n")
	xml.WriteString(`<rdf:RDF xmlns:rdf="` + rdf.RDF + `" xmlns:ex="http://example.org/ns#">` + "\n")
	const subjects = 10000
	for i := range subjects {
		fmt.Fprintf(&lines, "<http://example.org/item/%d> <%s> <http://example.org/ns#Item> .\n", i, rdf.Type)
		fmt.Fprintf(&lines, "<http://example.org/item/%d> <http://example.org/ns#label> \"Item number %d\"@en .\n", i, i)
		fmt.Fprintf(&lines, "<http://example.org/item/%d> <http://example.org/ns#next> <http://example.org/item/%d> .\n", i, i+1)
		fmt.Fprintf(&turtle,
			"<http://example.org/item/%d> a ex:Item ;\n\tex:label \"Item number %d\"@en ;\n\tex:next <http://example.org/item/%d> .\n", i,
			i, i+1)
		fmt.Fprintf(&xml,
			"<ex:Item rdf:about=\"http://example.org/item/%d\">\n\t<ex:label xml:lang=\"en\">Item number %d</ex:label>\n\t<ex:next rdf:resource=\"http://example.org/item/%d\"/>\n</ex:Item>\n",
			i, i, i+1)
	}
	xml.WriteString("</rdf:RDF>\n")
	for _, bench := range []struct{ name, text string }{{"ntriples", lines.String()}, {"turtle", turtle.String()},
		{"rdfxml", xml.String()}} {
		b.Run(bench.name+"/ours", func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				var sink forgetful
				if _, err := format.Parse(context.Background(), formats[bench.name], strings.NewReader(bench.text), format.Options{},
					&sink); err != nil || sink.quads != 3*subjects {
					b.Fatal(sink.quads, err)
				}
			}
		})
		b.Run(bench.name+"/knakk", func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				decoder := knakk.NewTripleDecoder(bytes.NewReader([]byte(bench.text)), knakkFormats[bench.name])
				n := 0
				for {
					if _, err := decoder.Decode(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != 3*subjects {
					b.Fatal(n)
				}
			}
		})
	}
}

// BenchmarkJSONLD reads ten thousand nodes of three statements each.
//
//	go -C bench test -run none -bench JSONLD -benchmem ./peers
func BenchmarkJSONLD(b *testing.B) {
	var text strings.Builder
	text.WriteString(`{"@context":{"@vocab":"http://example.org/ns#","next":{"@type":"@id"}},"@graph":[`)
	const nodes = 10000
	for i := range nodes {
		if i > 0 {
			text.WriteString(",\n")
		}
		fmt.Fprintf(&text,
			`{"@id":"http://example.org/item/%d","@type":"Item","label":"Item number %d","next":"http://example.org/item/%d"}`, i, i, i+1)
	}
	text.WriteString("]}")
	q := request{"jsonld", "http://example.org/", []byte(text.String())}
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(q.Text)))
		for b.Loop() {
			var sink forgetful
			if _, err := format.Parse(context.Background(), format.JSONLD, bytes.NewReader(q.Text), format.Options{}, &sink); err != nil ||
				sink.quads != 3*nodes {
				b.Fatal(sink.quads, err)
			}
		}
	})
	b.Run("json-gold", func(b *testing.B) {
		b.SetBytes(int64(len(q.Text)))
		for b.Loop() {
			if err := gold(q); err != nil {
				b.Fatal(err)
			}
		}
	})
}
