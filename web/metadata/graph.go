package metadata

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/rdf"
	"laundromat/rdf/write"
)

// prefixes are the vocabularies of all descriptions, by the names that the code and Turtle write for them.
var prefixes = map[string]string{
	"dcat":   "http://www.w3.org/ns/dcat#",
	"dct":    "http://purl.org/dc/terms/",
	"dqv":    "http://www.w3.org/ns/dqv#",
	"foaf":   "http://xmlns.com/foaf/0.1/",
	"format": "http://www.w3.org/ns/formats/",
	"hydra":  "http://www.w3.org/ns/hydra/core#",
	"prov":   "http://www.w3.org/ns/prov#",
	"rdf":    rdf.RDF,
	"rdfs":   "http://www.w3.org/2000/01/rdf-schema#",
	"skos":   "http://www.w3.org/2004/02/skos/core#",
	"spdx":   "http://spdx.org/rdf/terms#",
	"void":   "http://rdfs.org/ns/void#",
	"xsd":    "http://www.w3.org/2001/XMLSchema#",
}

// named is the IRI of a term, which is written as prefix:name.
func named(term string) string {
	prefix, name, _ := strings.Cut(term, ":")
	return prefixes[prefix] + name
}

// Graph is a set of statements. Its zero value is empty.
type Graph struct {
	lines [][]byte // canonical, each with its end
}

// add adds a statement about a subject; the property is written as prefix:name.
func (g *Graph) add(subject, property string, object rdf.Term) {
	q := rdf.Quad{Subject: node(subject), Predicate: node(named(property)), Object: object}
	g.lines = append(g.lines, append(rdf.AppendQuad(nil, &q), '\n'))
}

// is adds the classes of a subject, which are written as prefix:name.
func (g *Graph) is(subject string, classes ...string) {
	for _, class := range classes {
		g.add(subject, "rdf:type", node(named(class)))
	}
}

// links adds a statement whose object is an IRI; nothing for one that is empty.
func (g *Graph) links(subject, property, iri string) {
	if iri != "" {
		g.add(subject, property, node(iri))
	}
}

// says adds a text without a language; nothing for an empty one.
func (g *Graph) says(subject, property, text string) {
	if text = printable(text); text != "" {
		g.add(subject, property, rdf.Term{Kind: rdf.Literal, Value: []byte(text)})
	}
}

// saysInEnglish adds a text of ours.
func (g *Graph) saysInEnglish(subject, property, text string) {
	g.add(subject, property, rdf.Term{Kind: rdf.Literal, Value: []byte(printable(text)), Language: []byte("en")})
}

// typed adds a literal in the canonical form of its datatype, which is written as xsd:name.
func (g *Graph) typed(subject, property, value, datatype string) {
	g.add(subject, property, rdf.Term{Kind: rdf.Literal, Value: []byte(value), Datatype: []byte(named(datatype))})
}

// counts adds a number of things.
func (g *Graph) counts(subject, property string, n int64) {
	g.typed(subject, property, strconv.FormatInt(n, 10), "xsd:integer")
}

// dates adds a time; nothing for one that is not known.
func (g *Graph) dates(subject, property string, at time.Time) {
	if !at.IsZero() {
		g.typed(subject, property, dateTime(at), "xsd:dateTime")
	}
}

// dateTime is a time in the canonical form of xsd:dateTime, to the second, as the log has it.
func dateTime(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05Z") }

func node(iri string) rdf.Term { return rdf.Term{Kind: rdf.IRI, Value: []byte(iri)} }

// printable is a text without what no literal can hold, or what nobody sees.
func printable(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return ' '
		case r < ' ', r == 0x7F, r >= 0x80 && r < 0xA0, r == 0xFFFE, r == 0xFFFF:
			return -1
		}
		return r
	}, text))
}

// sorted are the lines in the order of their bytes, each once.
func (g *Graph) sorted() [][]byte {
	slices.SortFunc(g.lines, bytes.Compare)
	g.lines = slices.CompactFunc(g.lines, bytes.Equal)
	return g.lines
}

// Write writes the statements, in [write.NQuads], [write.Turtle] or [write.JSONLD]. JSON-LD is one document, in
// expanded form.
func (g *Graph) Write(to io.Writer, syntax write.Syntax) error {
	text := bytes.Join(g.sorted(), nil)
	switch syntax {
	case write.NQuads:
		_, err := to.Write(text)
		return err
	case write.JSONLD:
		var nodes bytes.Buffer
		if err := writeLines(write.New(syntax, &nodes, nil), write.AppendGraphFirst(nil, text)); err != nil {
			return err
		}
		// The writer gives a node a line; one document is an array of them.
		whole := append([]byte("[\n"), bytes.ReplaceAll(bytes.TrimSuffix(nodes.Bytes(), []byte("\n")), []byte("\n"), []byte(",\n"))...)
		_, err := to.Write(append(whole, "\n]\n"...))
		return err
	}
	return writeLines(write.New(syntax, to, g.used(text)), text)
}

func writeLines(w *write.Writer, text []byte) error {
	for line := range bytes.Lines(text) {
		if err := w.Line(bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
	}
	return w.Close()
}

// used are the prefixes that a text has a use for.
func (g *Graph) used(text []byte) *write.Prefixes {
	all := &write.Prefixes{}
	for name, iri := range prefixes {
		if bytes.Contains(text, []byte("<"+iri)) {
			all.Add([]byte(name), []byte(iri))
		}
	}
	return all
}
