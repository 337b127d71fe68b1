// Package quadline takes lines of canonical N-Quads apart without reading their terms.
package quadline

import "bytes"

// Terms are those of a statement as its line writes them. Graph is nil in the default graph.
type Terms struct{ Subject, Predicate, Object, Graph []byte }

// Cut takes a line of canonical N-Quads apart, which is given without its end. ok is false of one that has not the
// outer shape of a statement. The terms share the line's bytes.
func Cut(line []byte) (t Terms, ok bool) {
	rest, ok := bytes.CutSuffix(line, []byte(" ."))
	if !ok {
		return t, false
	}
	if t.Subject, rest, ok = cutNode(rest); !ok {
		return t, false
	}
	if t.Predicate, rest, ok = cutNode(rest); !ok || len(rest) < 2 {
		return t, false
	}
	t.Object, t.Graph = Object(rest)
	return t, len(t.Object) > 0
}

// CutObject takes the rest of a line of canonical N-Quads apart: what follows the predicate and its space.
func CutObject(rest []byte) (object, graph []byte) {
	rest = bytes.TrimSuffix(rest, []byte(" ."))
	if len(rest) < 2 {
		return nil, nil
	}
	return Object(rest)
}

// cutNode cuts an IRI or a blank node and the space behind it off.
func cutNode(text []byte) (term, rest []byte, ok bool) {
	term, rest, ok = bytes.Cut(text, []byte{' '})
	return term, rest, ok && len(term) > 1 && (term[0] == '<' || term[0] == '_')
}

// Object takes apart what follows the predicate and its space, without the dot at the end: the object, and the graph,
// which is nil in the default graph. There is at least one byte; what begins as no term does has no object. A literal
// is read from its end: within it, a quotation mark is escaped, and a space may be anywhere.
func Object(rest []byte) (object, graph []byte) {
	switch {
	case rest[0] == '_':
		return cutAt(rest, bytes.IndexByte(rest, ' '))
	case rest[0] == '<' && !bytes.HasPrefix(rest, []byte("<<(")):
		return cutAt(rest, bytes.IndexByte(rest, '>')+1)
	case rest[0] != '"' && rest[0] != '<':
		return nil, nil
	}
	at := bytes.LastIndexByte(rest, ' ')
	if at < 0 {
		return rest, nil
	}
	tail := rest[at+1:]
	if len(tail) > 1 && (tail[0] == '<' || bytes.HasPrefix(tail, []byte("_:"))) && bytes.IndexByte(tail, '"') < 0 {
		return rest[:at], tail
	}
	return rest, nil // the space is within the literal, or before the end of the triple term
}

// cutAt takes the object and the graph apart at the index behind the object, where a space is if there is a graph.
func cutAt(rest []byte, at int) (object, graph []byte) {
	if at <= 0 || at >= len(rest) {
		return rest, nil
	}
	return rest[:at], rest[at+1:]
}
