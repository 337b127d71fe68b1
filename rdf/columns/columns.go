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
