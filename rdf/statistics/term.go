package statistics

import (
	"bytes"
	"encoding/binary"

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
func (s *suffixes) split(rest []byte) (o object) {
	switch {
	case rest[0] == '"':
		s.literal(&o, rest)
		return o
	case rest[0] == '_':
		o.kind = blank
	case bytes.HasPrefix(rest, tripleBegins):
		o.kind = triple
	}
	o.text, o.graph = quadline.Object(rest)
	return o
}

var tripleBegins = []byte("<<(")

// suffixes are what followed the text of some literals, from the last quotation mark on, by their last eight bytes.
type suffixes [16][]byte

// glanceBytes are looked at one by one from the end of a literal: a language is mostly found there.
const glanceBytes = 8

// literal takes the rest of a line apart whose object is a literal.
func (s *suffixes) literal(o *object, rest []byte) {
	o.kind = literal
	at := len(rest) - 1
	for least := max(0, len(rest)-glanceBytes); at > least && rest[at] != '"'; {
		at--
	}
	if rest[at] != '"' {
		at = s.find(rest)
	}
	suffix := rest[at+1:]
	if i := bytes.IndexByte(suffix, ' '); i >= 0 {
		suffix, o.graph = suffix[:i], suffix[i+1:]
	}
	o.text = rest[:at+1+len(suffix)]
	switch {
	case len(suffix) == 0:
	case suffix[0] == '@':
		o.language = suffix[1:]
	case len(suffix) > len("^^<>"):
		o.datatype = suffix[len("^^<") : len(suffix)-1]
	}
}

// find is the place of the last quotation mark of a text of at least eight bytes.
func (s *suffixes) find(text []byte) int {
	key := binary.LittleEndian.Uint64(text[len(text)-glanceBytes:]) * 0x9E3779B97F4A7C15
	known := &s[key>>60]
	if len(*known) > 0 && bytes.HasSuffix(text, *known) {
		return len(text) - len(*known)
	}
	at := bytes.LastIndexByte(text, '"')
	*known = append((*known)[:0], text[at:]...)
	return at
}

// hostOf is the host of an IRI in angle brackets, without user and port; absent if it has none, and of an IRI that
// stands for a blank node (RDF 1.1 Concepts §3.5), whose host is only that of the program which made it. n is
// how many bytes all IRIs of that authority begin with, and the host is between two places.
func hostOf(term []byte) (n int, host [2]int) {
	if len(term) == 0 || term[0] != '<' {
		return 0, host
	}
	at := bytes.IndexByte(term, ':')
	if at < 0 || !bytes.HasPrefix(term[at:], authorityBegins) {
		return 0, host
	}
	if scheme := term[1:at]; string(scheme) != "http" && string(scheme) != "https" && bytes.ContainsAny(scheme, "/?#") {
		return 0, host
	}
	from := at + len(authorityBegins)
	end, hasMore := from, false
	for end < len(term) && !isPathBegin[term[end]] {
		hasMore = hasMore || term[end] == '@' || term[end] == ':'
		end++
	}
	if end == len(term) || isSkolem(term[end:]) {
		return 0, host
	}
	n, host = end+1, [2]int{from, end}
	if hasMore {
		text := term[from:end]
		host[0] += bytes.LastIndexByte(text, '@') + 1
		if i := bytes.LastIndexByte(text, ':'); i > bytes.LastIndexAny(text, "]@") {
			host[1] = from + i
		}
	}
	return n, host
}

// isPathBegin has the bytes that end an authority in angle brackets.
var isPathBegin = [256]bool{'/': true, '?': true, '#': true, '>': true}

var (
	authorityBegins = []byte("://")
	skolemPath      = []byte("/.well-known/genid/")
)

// isSkolem says that what follows an authority is of an IRI that stands for a blank node.
func isSkolem(rest []byte) bool {
	return len(rest) > 1 && rest[1] == '.' && bytes.HasPrefix(rest, skolemPath)
}

// authority is that of an IRI, which many that follow it share.
type authority struct {
	begins []byte // as hostOf has it; of a line's text, until keep copies it
	host   [2]int // where in it the host is
	kept   []byte
}

// isOf says whether an IRI has it.
func (a *authority) isOf(term []byte) bool {
	n := len(a.begins)
	return n > 0 && bytes.HasPrefix(term, a.begins) && !isSkolem(term[n-1:])
}

// read takes it from an IRI. It has no host if that has none.
func (a *authority) read(term []byte) {
	n, host := hostOf(term)
	a.begins, a.host = term[:n], host
}

// keep has it last beyond the text that it is of.
func (a *authority) keep() {
	a.kept = append(a.kept[:0], a.begins...)
	a.begins = a.kept
}

// hostIn is the host of an IRI that has the authority.
func (a *authority) hostIn(term []byte) []byte { return term[a.host[0]:a.host[1]] }
