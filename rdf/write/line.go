package write

import (
	"bytes"
	"fmt"

	"laundromat/internal/commonprefix"
	"laundromat/internal/fault"
	"laundromat/rdf"
)

// AppendGraphFirst appends lines of N-Quads, each with its end, with the graph before the subject: "G S P O .".
// In the default graph the line begins with a space. So that graph comes first in the order of bytes, and
// the statements of each graph come together. No two lines become the same.
func AppendGraphFirst(dst, text []byte) []byte {
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		line := text[:end]
		from, to := graphOf(line)
		dst = append(dst, line[from:to]...)
		dst = append(dst, ' ')
		dst = append(dst, line[:max(from-1, 0)]...)
		if from == to {
			dst = append(dst, line...)
		} else {
			dst = append(dst, " ."...)
		}
		dst = append(dst, '\n')
		text = text[end+1:]
	}
	return dst
}

// graphOf finds the graph in a line of N-Quads; from and to are 0 if it has none.
func graphOf(line []byte) (from, to int) {
	to = len(line) - len(" .")
	object := bytes.IndexByte(line, ' ') + 1
	object += bytes.IndexByte(line[object:], ' ') + 1
	from = bytes.LastIndexByte(line[:to], ' ') + 1
	last := line[from:to]
	if from <= object || from == to || bytes.IndexByte(last, '"') >= 0 || last[0] != '_' && last[0] != '<' {
		return 0, 0 // the object is it, or ends with it
	}
	return from, to
}

// literal is an object in quotation marks, taken apart. Its text has the escapes of canonical N-Quads.
type literal struct {
	quoted    []byte // the text with its quotation marks
	datatype  []byte // without < and >; empty if it is not written
	language  []byte
	direction []byte
}

// literalOf takes an object apart that begins with a quotation mark.
func literalOf(object []byte) (l literal) {
	quote := bytes.LastIndexByte(object, '"')
	l.quoted = object[:quote+1]
	switch rest := object[quote+1:]; {
	case len(rest) == 0:
	case rest[0] == '^':
		l.datatype = rest[3 : len(rest)-1]
	default:
		l.language = rest[1:]
		if dashes := bytes.Index(l.language, []byte("--")); dashes >= 0 {
			l.language, l.direction = l.language[:dashes], l.language[dashes+2:]
		}
	}
	return l
}

// fields are where the parts of a line end, each with the space behind it. Lines without a graph have an
// empty one.
type fields struct {
	graph, subject, predicate int
}

// sameness is how much of a line is that of the line before.
type sameness uint8

const (
	allNew sameness = iota
	sameGraph
	sameSubject   // in the same graph
	samePredicate // of the same subject
)

// find finds the fields of a line, of which so many bytes are those of the line before.
func (f *fields) find(line []byte, shared int, withGraph bool) (same sameness) {
	switch {
	case f.predicate > 0 && shared >= f.predicate:
		return samePredicate
	case f.subject > 0 && shared >= f.subject:
		same = sameSubject
	default:
		if withGraph && (f.graph == 0 || shared < f.graph) {
			f.graph = bytes.IndexByte(line, ' ') + 1
		} else {
			same = sameGraph
		}
		f.subject = f.graph + bytes.IndexByte(line[f.graph:], ' ') + 1
	}
	f.predicate = f.subject + bytes.IndexByte(line[f.subject:], ' ') + 1
	return same
}

// isLine says that the fields are those of a statement.
func (f *fields) isLine(line []byte) bool {
	return f.subject > f.graph+1 && f.predicate > f.subject+1 && f.predicate+len(`"" .`) <= len(line)
}

func commonPrefix(a, b []byte) int { return commonprefix.Common(a, b, 0) }

// errNoTripleTerms says that a line can't be written.
func errNoTripleTerms(line []byte) error {
	return fault.New("write.JSONLD", fault.Data, fault.FormatTripleTerm,
		"JSON-LD has no triple terms: %s", fault.Excerpt(line))
}

// errNoLine says that a line is none that package clean makes.
func errNoLine(line []byte) error {
	return fmt.Errorf("no canonical line of N-Quads: %s", fault.Excerpt(line))
}

const typeIRI = "<" + rdf.Type + ">"
