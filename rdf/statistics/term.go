package statistics

import "bytes"

// kind is what an object is.
type kind byte

const (
	iri kind = iota
	blank
	literal
	triple
)

// object is the object of a line and what follows it.
type object struct {
	kind     kind
	text     []byte // as it is in the line
	datatype []byte // of a literal: its IRI, absent where the line has none
	language []byte // of a literal: its tag, with the direction if it has one
	graph    []byte // as it is in the line; absent for the default graph
}

// split takes the rest of a line apart: what follows the property and its space, without the dot at the end.
// A literal is read from its end: within it, a quotation mark is escaped, and anything else may be there.
func split(rest []byte) (o object) {
	switch {
	case rest[0] == '_':
		o.kind = blank
		o.text, o.graph = cut(rest, bytes.IndexByte(rest, ' '))
	case rest[0] == '<' && !bytes.HasPrefix(rest, tripleBegins):
		o.text, o.graph = cut(rest, bytes.IndexByte(rest, '>')+1)
	default:
		o.kind, o.text = literal, rest
		if rest[0] == '<' {
			o.kind = triple
		}
		if at := graphOf(rest); at >= 0 {
			o.text, o.graph = rest[:at], rest[at+1:]
		}
		if o.kind == literal {
			o.readSuffix()
		}
	}
	return o
}

var tripleBegins = []byte("<<(")

// cut takes the object and the graph apart at the index behind the object, where a space is if there is a graph.
func cut(rest []byte, at int) (text, graph []byte) {
	if at < 0 || at >= len(rest) {
		return rest, nil
	}
	return rest[:at], rest[at+1:]
}

// graphOf is the index of the space before the graph that a literal or a triple term is followed by; -1 if there is
// none.
func graphOf(rest []byte) int {
	at := bytes.LastIndexByte(rest, ' ')
	if at < 0 {
		return -1
	}
	tail := rest[at+1:]
	if len(tail) > 1 && (tail[0] == '<' || bytes.HasPrefix(tail, blankBegins)) && bytes.IndexByte(tail, '"') < 0 {
		return at
	}
	return -1 // the space is within the literal, or before the end of the triple term
}

var blankBegins = []byte("_:")

// readSuffix reads the datatype or the language of a literal.
func (o *object) readSuffix() {
	at := bytes.LastIndexByte(o.text, '"')
	switch suffix := o.text[at+1:]; {
	case len(suffix) == 0:
	case suffix[0] == '@':
		o.language = suffix[1:]
	case len(suffix) > len("^^<>"):
		o.datatype = suffix[len("^^<") : len(suffix)-1]
	}
}

// hostOf is the host of an IRI in angle brackets, without user and port; absent if it has none, and of an IRI that
// stands for a blank node (RDF 1.1 Concepts §3.5), whose host is only that of the program which made it.
func hostOf(term []byte) []byte {
	if len(term) == 0 || term[0] != '<' {
		return nil
	}
	at := bytes.Index(term, authorityBegins)
	if at < 0 || bytes.ContainsAny(term[1:at], ":/?#") {
		return nil
	}
	host := term[at+len(authorityBegins):]
	if i := bytes.IndexByte(host, '/'); i >= 0 && bytes.HasPrefix(host[i:], skolemPath) {
		return nil
	}
	if i := bytes.IndexAny(host, "/?#>"); i >= 0 {
		host = host[:i]
	}
	if i := bytes.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	if i := bytes.LastIndexByte(host, ':'); i > bytes.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return host
}

var (
	authorityBegins = []byte("://")
	skolemPath      = []byte("/.well-known/genid/")
)
