package rdfxml_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// counter is a sink that only counts.
type counter struct {
	quads, lost int
	notices     []fault.Notice
}

func (c *counter) Quad(*rdf.Quad) error { c.quads++; return nil }
func (c *counter) Notice(n fault.Notice) {
	c.lost += n.Lost
	c.notices = append(c.notices, n)
}

const records = `<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [ <!ENTITY xsd "http://www.w3.org/2001/XMLSchema#"> ]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:foaf="http://xmlns.com/foaf/0.1/" xml:base="http://example.org/">
`

const record = `  <foaf:Document rdf:about="http://example.org/document/%d">
    <dc:title xml:lang="en">The title of document number %[1]d, which is neither short nor long</dc:title>
    <dc:date rdf:datatype="&xsd;date">2014-10-%02[2]d</dc:date>
    <dc:creator>
      <foaf:Person rdf:about="person/%[1]d" foaf:name="Someone Else"/>
    </dc:creator>
    <rdfs:seeAlso rdf:resource="http://example.com/elsewhere/%[1]d"/>
    <dc:description>A few words more, with an &amp; and a line end
in them.</dc:description>
  </foaf:Document>
`

func BenchmarkRecords(b *testing.B) {
	var doc strings.Builder
	doc.WriteString(records)
	for i := range 5000 {
		fmt.Fprintf(&doc, record, i, i%28+1)
	}
	doc.WriteString("</rdf:RDF>\n")
	text := doc.String()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var c counter
	for b.Loop() {
		c = counter{}
		if err := rdfxml.Read(context.Background(), strings.NewReader(text), rdf.Input{}, rdfxml.Options{}, &c); err != nil {
			b.Fatal(err)
		}
	}
	if c.quads != 5000*8 || len(c.notices) > 0 {
		b.Fatalf("%d quads, notices %+v", c.quads, c.notices)
	}
	b.ReportMetric(float64(c.quads)*float64(b.N)/b.Elapsed().Seconds(), "quads/s")
}

// endless writes one rdf:Description with very many statements.
type endless struct {
	n, of int
	rest  string
}

func (e *endless) Read(p []byte) (int, error) {
	for e.rest == "" {
		switch {
		case e.n == 0:
			e.rest = records + `<rdf:Description rdf:about="http://example.org/one">`
		case e.n <= e.of:
			e.rest = fmt.Sprintf("<dc:relation rdf:ID=\"r%d\" rdf:resource=\"http://example.org/%d\"/><dc:title>t%d</dc:title>\n", e.n, e.n,
				e.n)
		case e.n == e.of+1:
			e.rest = "</rdf:Description></rdf:RDF>"
		default:
			return 0, io.EOF
		}
		e.n++
	}
	n := copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// heap is a sink that looks at the heap now and then.
type heap struct {
	counter
	first, most uint64
}

func (h *heap) Quad(q *rdf.Quad) error {
	if h.quads%100_000 == 50_000 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if h.first == 0 {
			h.first = m.HeapAlloc
		}
		h.most = max(h.most, m.HeapAlloc)
	}
	return h.counter.Quad(q)
}

// BenchmarkOneDescription measures what 600,000 statements about one node add to the
// heap: the hashes of 100,000 rdf:IDs, and nothing else.
func BenchmarkOneDescription(b *testing.B) {
	for b.Loop() {
		var h heap
		if err := rdfxml.Read(context.Background(), &endless{of: 100_000}, rdf.Input{}, rdfxml.Options{}, &h); err != nil {
			b.Fatal(err)
		}
		if h.quads != 600_000 {
			b.Fatalf("%d quads", h.quads)
		}
		growth := float64(h.most) - float64(h.first)
		if growth > 8<<20 {
			b.Fatalf("the heap grew by %.0f bytes", growth)
		}
		b.ReportMetric(growth, "heap-growth-B")
	}
}
