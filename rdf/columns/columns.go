// Package columns writes statements as a table in Parquet, one a row.
//
// The columns, all texts, are:
//
//	dataset    the name of the file or the key of the document
//	graph      the graph name, absent for the default graph
//	subject    an IRI, or _: and a label
//	predicate  an IRI
//	object     an IRI, _: and a label, the lexical form of a literal, or a triple term as N-Triples writes it
//	kind       of the object: iri, blank, literal, triple
//	language   of a literal, in lower case; absent for none
//	direction  of a literal, ltr or rtl; absent for none
//	datatype   of a literal, always an IRI; absent for other objects
//
// Rows come in the order in which they are given. A group of rows is in memory until it is complete.
package columns

import (
	"laundromat/rdf"
)

// GroupBytes is the size of a group of rows: bytes of text, before it is packed.
const GroupBytes = 128 << 20

// Options say how a table is written.
type Options struct {
	// GroupBytes is the size of a group of rows, of text before it is packed; by default [GroupBytes].
	// Memory is up to twice as much.
	GroupBytes int64
	// Creator is the name of the program, for the file's metadata.
	Creator string
}

// The IRIs of the datatypes that a statement does not name.
const (
	xsdString     = "http://www.w3.org/2001/XMLSchema#string"
	langString    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
	dirLangString = "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString"
)

// kinds are the values of the column kind.
var kinds = [...]string{rdf.IRI: "iri", rdf.BlankNode: "blank", rdf.Literal: "literal", rdf.TripleTerm: "triple"}

// The columns, by number.
const (
	dataset = iota
	graph
	subject
	predicate
	object
	kind
	language
	direction
	datatype
	columnCount
)

// columnNames are those of the table.
var columnNames = [columnCount]string{"dataset", "graph", "subject", "predicate", "object", "kind", "language", "direction", "datatype"}

// isOptional says that a row may have no value.
var isOptional = [columnCount]bool{graph: true, language: true, direction: true, datatype: true}

// row is one statement as texts; nil for no value. They are valid until the quad is gone.
type row [columnCount][]byte

// set fills the row from a statement. The texts that are not the quad's are put into scratch, which it returns.
func (r *row) set(name []byte, q *rdf.Quad, scratch []byte) []byte {
	*r = row{dataset: name, predicate: q.Predicate.Value}
	r[subject], scratch = node(&q.Subject, scratch)
	if q.Graph.Kind != rdf.NoTerm {
		r[graph], scratch = node(&q.Graph, scratch)
	}
	r[kind] = []byte(kinds[q.Object.Kind])
	switch o := &q.Object; o.Kind {
	case rdf.Literal:
		r[object], r[datatype] = orEmpty(o.Value), o.Datatype
		if len(o.Language) > 0 {
			r[language], r[datatype] = o.Language, []byte(langString)
			if o.Direction != rdf.NoDirection {
				r[direction], r[datatype] = []byte(o.Direction.String()), []byte(dirLangString)
			}
		} else if len(o.Datatype) == 0 {
			r[datatype] = []byte(xsdString)
		}
	case rdf.TripleTerm:
		from := len(scratch)
		scratch = rdf.AppendTerm(scratch, o)
		r[object] = scratch[from:]
	default:
		r[object], scratch = node(o, scratch)
	}
	return scratch
}

// node is an IRI as it is, and a blank node with its mark.
func node(t *rdf.Term, scratch []byte) (text, rest []byte) {
	if t.Kind != rdf.BlankNode {
		return orEmpty(t.Value), scratch
	}
	from := len(scratch)
	scratch = append(append(scratch, "_:"...), t.Value...)
	return scratch[from:], scratch
}

// orEmpty is a text that is there, if it is empty, too.
func orEmpty(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}
