//go:build !lean

package columns

import "laundromat/rdf"

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
