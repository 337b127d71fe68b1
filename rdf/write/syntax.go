// Package write writes clean statements in the syntaxes of RDF that people name: Turtle and TriG, grouped by
// subject, and JSON-LD, a node a line.
//
// What comes in is canonical lines, as package clean makes them. They should be sorted, since the statements of
// a subject come together then. In any other order all is written too, in more words. Nothing but the present
// subject is remembered, so that the memory does not grow with the text.
//
//	w := write.New(write.Turtle, file, &prefixes)
//	err := w.Line(line) // and so on
//	err = w.Close()
//
// # Graphs
//
// N-Quads are sorted by subject, and the graph comes last. TriG and the nodes of JSON-LD stand in their
// graphs, so they are written of lines in which the graph comes first: see [AppendGraphFirst]. Whoever sorts
// puts the graph first before, and needs one sort only.
//
// # What is the same afterwards
//
// A reader of the output finds the same statements: IRIs, labels and literals are copied as they are. Three
// things are said otherwise, or not at all. A label of the shape 0-1 is one that the reader of Turtle and JSON-LD
// makes room for ("0-1" becomes "00-1"). JSON-LD 1.1 has no triple terms, so that a line with one is an error.
// Base directions are written as @direction, which a processor has to be asked for.
package write

import (
	"io"
)

// Syntax is what is written.
type Syntax uint8

// The syntaxes. NQuads and NTriples are the lines as they come.
const (
	NQuads Syntax = iota
	NTriples
	Turtle
	TriG
	JSONLD
)

// syntaxes are the names of files and of people for them.
var syntaxes = [...]struct{ extension, name string }{
	NQuads: {"nq", "N-Quads"}, NTriples: {"nt", "N-Triples"}, Turtle: {"ttl", "Turtle"}, TriG: {"trig", "TriG"},
	JSONLD: {"jsonld", "JSON-LD"},
}

// String is the name that people know.
func (s Syntax) String() string { return syntaxes[s].name }

// Extension is what files end in, without the dot.
func (s Syntax) Extension() string { return syntaxes[s].extension }

// Extensions are those of all syntaxes.
func Extensions() (all []string) {
	for _, s := range syntaxes {
		all = append(all, s.extension)
	}
	return all
}

// Of is the syntax of files that end so, without the dot.
func Of(extension string) (Syntax, bool) {
	for s := range syntaxes {
		if syntaxes[s].extension == extension {
			return Syntax(s), true
		}
	}
	return 0, false
}

// IsLines says that clean lines are written as they are.
func (s Syntax) IsLines() bool { return s <= NTriples }

// HasGraphs says that statements may stand in a named graph.
func (s Syntax) HasGraphs() bool { return s != NTriples && s != Turtle }

// HasTripleTerms says that a statement may be the object of another.
func (s Syntax) HasTripleTerms() bool { return s != JSONLD }

// WantsGraphFirst says that the lines that a [Writer] takes begin with their graph: see [AppendGraphFirst].
func (s Syntax) WantsGraphFirst() bool { return s == TriG || s == JSONLD }

// Writer writes lines. It is used from one goroutine.
type Writer struct {
	to       io.Writer
	body     body
	previous []byte // of Line
}

// body writes statements into memory.
type body interface {
	// add takes a line without its end, and how many bytes of it are those of the line before.
	add(line []byte, shared int) error
	// end closes what is open.
	end()
	// text is what was written, which is forgotten when it was taken.
	text() *[]byte
}

// bufferBytes is how much is collected before it is written, in bytes.
const bufferBytes = 128 << 10

// New makes a writer of a syntax other than those that are lines. Prefixes may come in until Close; JSON-LD has
// none.
func New(syntax Syntax, to io.Writer, prefixes *Prefixes) *Writer {
	w := &Writer{to: to}
	if syntax == JSONLD {
		w.body = &nodes{}
	} else {
		w.body = newTurtle(prefixes, syntax == TriG)
	}
	return w
}

// Line takes a line without its end, which is valid until Line returns.
func (w *Writer) Line(line []byte) error {
	shared := commonPrefix(line, w.previous)
	w.previous = append(w.previous[:0], line...)
	return w.add(line, shared)
}

// Lines takes many lines with their ends. It also takes the indices behind each, and how many bytes it begins with
// that the line before begins with too. The line before the first is the last of the call before.
func (w *Writer) Lines(text []byte, ends, shared []int) error {
	from := 0
	for i, end := range ends {
		if err := w.add(text[from:end-1], shared[i]); err != nil {
			return err
		}
		from = end
	}
	return nil
}

func (w *Writer) add(line []byte, shared int) error {
	if err := w.body.add(line, shared); err != nil {
		return err
	}
	if len(*w.body.text()) >= bufferBytes {
		return w.flush()
	}
	return nil
}

// Close writes what is left. It does not close what is written to.
func (w *Writer) Close() error {
	w.body.end()
	return w.flush()
}

func (w *Writer) flush() error {
	text := w.body.text()
	_, err := w.to.Write(*text)
	*text = (*text)[:0]
	return err
}
