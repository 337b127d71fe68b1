package clean

import (
	"strconv"

	"laundromat/rdf"
)

// skolemiser turns blank nodes into IRIs (RDF 1.1 Concepts §3.5).
type skolemiser struct {
	rdf.Sink
	nodes
	prefix []byte
	tally  *Tally
}

// genidPath is where the path of a skolem IRI begins (RDF 1.1 Concepts §3.5).
const genidPath = "/.well-known/genid/"

func newSkolemiser(genid string, tally *Tally, to rdf.Sink) *skolemiser {
	s := &skolemiser{Sink: to, tally: tally, prefix: append([]byte(genid+genidPath), Key, '/')}
	s.name = s.skolemise
	return s
}

func (s *skolemiser) Quad(q *rdf.Quad) error {
	s.rename(q)
	return s.Sink.Quad(q)
}

// skolemise makes an IRI of t in buffer, which holds the prefix or nothing.
func (s *skolemiser) skolemise(t *rdf.Term, buffer []byte) []byte {
	if len(buffer) == 0 {
		buffer = append(buffer, s.prefix...)
	}
	s.tally.Keyed = true
	iri := buffer[:len(s.prefix)]
	if t.Anonymous != 0 {
		iri = strconv.AppendUint(append(iri, '-'), t.Anonymous, 10)
	} else {
		iri = appendLabel(iri, t.Value)
	}
	t.Kind, t.Value, t.Anonymous = rdf.IRI, iri, 0
	return iri
}

// appendLabel percent-encodes what is not unreserved (RFC 3986 §2.3). As the first sign it encodes a
// hyphen, which is the mark of nodes without a label. It encodes the dot of a label that would be
// taken out of the path as a segment (§5.2.4). No two labels become the same.
func appendLabel(dst, label []byte) []byte {
	isSegment := string(label) == "." || string(label) == ".."
	for i, b := range label {
		if unreserved[b] && (i > 0 || b != '-' && !isSegment) {
			dst = append(dst, b)
		} else {
			dst = appendPercent(dst, b)
		}
	}
	return dst
}

func appendPercent(dst []byte, b byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(dst, '%', hex[b>>4], hex[b&15])
}

var unreserved = func() (t [256]bool) {
	for b := range t {
		c := byte(b)
		t[b] = isASCIILetter(c) || isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~'
	}
	return t
}()

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
