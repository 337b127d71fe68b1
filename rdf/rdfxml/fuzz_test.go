package rdfxml_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/rdfxml"
)

// pieces gives its text in pieces of changing size.
type pieces struct {
	text []byte
	seed uint32
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.text) == 0 {
		return 0, io.EOF
	}
	p.seed = p.seed*1664525 + 1013904223
	n := min(1+int(p.seed>>28), len(p.text), len(b))
	n = copy(b[:n], p.text)
	p.text = p.text[n:]
	return n, nil
}

// told is all that a reading reports, one line each.
func told(t testing.TB, text io.Reader, opt rdfxml.Options) (*rdftest.Collector, []string) {
	t.Helper()
	var c rdftest.Collector
	if err := rdfxml.Read(context.Background(), text, rdf.Input{Base: "http://example.org/doc"}, opt, &c); err != nil {
		t.Fatal(err)
	}
	var all []string
	for i := range c.Quads {
		q := &c.Quads[i]
		all = append(all, fmt.Sprint(string(rdf.AppendQuad(nil, q)), q.Repaired, q.Subject.Pos, q.Predicate.Pos, q.Object.Pos))
	}
	for _, n := range c.Notices {
		all = append(all, fmt.Sprintf("%+v", n))
	}
	return &c, all
}

func FuzzRead(f *testing.F) {
	for _, row := range faults {
		f.Add([]byte(row.doc()), uint32(len(row.name)))
	}
	for _, doc := range sound {
		f.Add([]byte(doc), uint32(7))
	}
	if dir := os.Getenv("LAUNDROMAT_SHARED"); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "conformance/w3c-rdf-tests/rdf1?/rdf-xml/*/*.rdf"))
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				f.Add(text, uint32(3))
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint32) {
		opt := rdfxml.Options{MaxToken: 1 << 10, MaxDepth: 12, MaxEntity: 1 << 12}
		if seed%2 == 0 {
			opt = rdfxml.Options{}
		}
		c, whole := told(t, bytes.NewReader(text), opt)
		_, split := told(t, &pieces{text, seed}, opt)
		if len(whole) != len(split) {
			t.Errorf("in one piece:\n%q\nin many:\n%q", whole, split)
		}
		for i := range min(len(whole), len(split)) {
			if whole[i] != split[i] {
				t.Errorf("in one piece: %s\nin many:      %s", whole[i], split[i])
			}
		}
		checkNotices(t, c, text)
		checkQuads(t, c)
	})
}

func checkNotices(t *testing.T, c *rdftest.Collector, text []byte) {
	for _, n := range c.Notices {
		if _, ok := fault.Explain(n.Code); !ok {
			t.Errorf("no explanation of %s", n.Code)
		}
		if n.Severity != fault.Drop && n.Lost != 0 {
			t.Errorf("a notice that loses without being a drop: %+v", n)
		}
		if n.Lost < 0 || n.Bytes < 0 || n.Offset < 0 || n.Offset+n.Bytes > int64(len(text)) {
			t.Errorf("a notice outside of %d bytes: %+v", len(text), n)
			continue
		}
		if len(n.Excerpt) > fault.MaxExcerpt || !utf8.ValidString(n.Excerpt) {
			t.Errorf("a bad excerpt: %+v", n)
		}
		if want := place(text, n.Offset); n.Pos != want {
			t.Errorf("%+v: want %+v", n, want)
		}
	}
}

// place counts lines and columns in the plainest way.
func place(text []byte, offset int64) fault.Pos {
	pos := fault.Pos{Line: 1, Column: 1, Offset: offset}
	for i, b := range text[:offset] {
		switch {
		case b == '\n' && i > 0 && text[i-1] == '\r':
		case b == '\n', b == '\r':
			pos.Line++
			pos.Column = 1
		case b&0xC0 != 0x80:
			pos.Column++
		}
	}
	return pos
}

func checkQuads(t *testing.T, c *rdftest.Collector) {
	// A statement may be doubtful since something around it is lost.
	mended := false
	for _, n := range c.Notices {
		mended = mended || n.Severity >= fault.Repair
	}
	for i := range c.Quads {
		q := &c.Quads[i]
		if q.Repaired && !mended {
			t.Errorf("repaired without a notice: %s", rdf.AppendQuad(nil, q))
		}
		for _, term := range []*rdf.Term{&q.Subject, &q.Object} {
			if term.Kind == rdf.BlankNode && (term.Anonymous != 0) == (len(term.Value) != 0) {
				t.Errorf("a node with both a label and a number, or neither: %+v", term)
			}
		}
		if q.Subject.Kind != rdf.IRI && q.Subject.Kind != rdf.BlankNode || q.Predicate.Kind != rdf.IRI || q.Object.Kind == rdf.NoTerm ||
			q.Graph.Kind != rdf.NoTerm {
			t.Errorf("a term of the wrong kind: %+v", q)
		}
		all := []*rdf.Term{&q.Subject, &q.Predicate, &q.Object}
		depth := 0
		for triple := q.Object.Triple; triple != nil; triple = triple.Object.Triple {
			all = append(all, &triple.Subject, &triple.Predicate, &triple.Object)
			if depth++; triple.Predicate.Kind != rdf.IRI || triple.Object.Kind == rdf.NoTerm || depth > rdf.MaxTriples {
				t.Errorf("a triple term of the wrong kind: %+v", triple)
			}
		}
		for _, term := range all {
			if term.Kind == rdf.IRI && !rfc3986.IsAbsolute(term.Value) {
				t.Errorf("%q is not absolute", term.Value)
			}
		}
	}
}
