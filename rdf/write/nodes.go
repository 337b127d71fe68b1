package write

import (
	"bytes"
)

// nodes writes JSON-LD in expanded form (JSON-LD 1.1 §9.1), a line for each node of each graph. What a long node
// says stands in several lines, so that each can be read in little memory.
type nodes struct {
	out []byte

	at      fields
	isOpen  bool // an object is, and the array of a property in it
	inGraph bool // so is that of a graph
	isType  bool // the array is that of @type
	size    int  // some bytes of the line

	last []byte // the greatest key that is in the node
}

// longNode is how long the line of a node gets before it goes on in another, in bytes.
const longNode = 64 << 10

func (n *nodes) text() *[]byte { return &n.out }

func (n *nodes) add(line []byte, shared int) error {
	same := n.at.find(line, shared, true)
	f := &n.at
	if !f.isLine(line) {
		return errNoLine(line)
	}
	object := line[f.predicate : len(line)-len(" .")]
	if object[0] == '<' && object[1] == '<' {
		return errNoTripleTerms(line)
	}
	key := line[f.subject : f.predicate-1]
	isType := string(key) == typeIRI && object[0] != '"'
	switch {
	case !n.isOpen:
		n.begin(line, f)
		n.key(key, isType)
	case same >= sameSubject && n.size > longNode:
		n.end()
		n.begin(line, f)
		n.key(key, isType)
	case same == samePredicate && isType == n.isType:
		n.out = append(n.out, ',')
	case same == samePredicate && isType, same == sameSubject && bytes.Compare(key, n.last) > 0:
		n.out = append(n.out, "],"...)
		n.key(key, isType)
	default: // or a key that may be in the node already
		n.end()
		n.begin(line, f)
		n.key(key, isType)
	}
	n.value(object, isType)
	n.size += len(object) + len(`{"@value":},`)
	return nil
}

// begin begins a line, with the subject.
func (n *nodes) begin(line []byte, f *fields) {
	n.size = 0
	if n.inGraph = f.graph > 1; n.inGraph {
		n.out = append(n.out, `{"@id":`...)
		n.node(line[:f.graph-1])
		n.out = append(n.out, `,"@graph":[`...)
	}
	n.out = append(n.out, `{"@id":`...)
	n.node(line[f.graph : f.subject-1])
	n.out = append(n.out, ',')
	n.isOpen = true
}

// key begins the array of a property.
func (n *nodes) key(iri []byte, isType bool) {
	n.last = append(n.last[:0], iri...)
	if n.isType = isType; isType {
		n.out = append(n.out, `"@type":[`...)
		return
	}
	n.node(iri)
	n.out = append(n.out, ":["...)
}

// end ends the line.
func (n *nodes) end() {
	if !n.isOpen {
		return
	}
	n.out = append(n.out, "]}"...)
	if n.inGraph {
		n.out = append(n.out, "]}"...)
	}
	n.out = append(n.out, '\n')
	n.isOpen, n.last = false, n.last[:0]
}

// node writes <an IRI> or a blank node as a string. Neither holds a sign that JSON would escape.
func (n *nodes) node(term []byte) {
	n.out = append(n.out, '"')
	if term[0] == '<' {
		term = term[1 : len(term)-1]
	}
	n.out = append(n.out, term...)
	n.out = append(n.out, '"')
}

// value writes an object.
func (n *nodes) value(object []byte, isType bool) {
	switch {
	case isType:
		n.node(object)
	case object[0] != '"':
		n.out = append(n.out, `{"@id":`...)
		n.node(object)
		n.out = append(n.out, '}')
	default:
		n.literal(object)
	}
}

// literal writes a value object. The escapes of canonical N-Quads are those of JSON.
func (n *nodes) literal(object []byte) {
	l := literalOf(object)
	n.out = append(n.out, `{"@value":`...)
	n.out = append(n.out, l.quoted...)
	for _, part := range [...]struct {
		key  string
		text []byte
	}{{`,"@type":"`, l.datatype}, {`,"@language":"`, l.language}, {`,"@direction":"`, l.direction}} {
		if len(part.text) > 0 {
			n.out = append(n.out, part.key...)
			n.out = append(n.out, part.text...)
			n.out = append(n.out, '"')
		}
	}
	n.out = append(n.out, '}')
}
