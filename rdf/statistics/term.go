package statistics

import (
	"bytes"

	"laundromat/rdf/quadline"
)

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
func split(rest []byte) (o object) {
	o.text, o.graph = quadline.Object(rest)
	switch {
	case rest[0] == '_':
		o.kind = blank
	case rest[0] == '"':
		o.kind = literal
		o.readSuffix()
	case bytes.HasPrefix(rest, tripleBegins):
		o.kind = triple
	}
	return o
}

var tripleBegins = []byte("<<(")

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
