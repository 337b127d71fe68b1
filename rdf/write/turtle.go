package write

import (
	"bytes"

	"laundromat/rdf"
)

// turtle writes Turtle, and TriG if it has graphs.
type turtle struct {
	out    []byte
	table  *table
	graphs bool

	at      fields
	isOpen  bool   // a statement is, which lacks its dot
	inGraph bool   // the { of a graph is open
	margin  string // before subjects

	predicates       map[string][]byte // as they are written
	subjects         slot
	objects          slot
	datatypes, names slot
}

// mostPredicates is how many predicates are remembered as they are written.
const mostPredicates = 4096

func newTurtle(prefixes *Prefixes, graphs bool) *turtle {
	return &turtle{table: newTable(prefixes), graphs: graphs, predicates: map[string][]byte{}}
}

func (t *turtle) text() *[]byte { return &t.out }

func (t *turtle) add(line []byte, shared int) error {
	same := t.at.find(line, shared, t.graphs)
	f := &t.at
	if !f.isLine(line) {
		return errNoLine(line)
	}
	switch same {
	case samePredicate:
		t.out = append(t.out, ",\n        "...)
		t.out = append(t.out, t.margin...)
	case sameSubject:
		t.out = append(t.out, " ;\n    "...)
		t.out = append(t.out, t.margin...)
		t.writePredicate(line[f.subject : f.predicate-1])
	default:
		t.endStatement()
		if isStale := t.table.isStale(); isStale || t.graphs && same == allNew {
			t.endGraph()
			if isStale {
				t.declare()
			}
			t.beginGraph(line[:max(f.graph-1, 0)])
		}
		t.out = append(t.out, t.margin...)
		t.writeNode(line[f.graph:f.subject-1], &t.subjects)
		t.out = append(t.out, ' ')
		t.writePredicate(line[f.subject : f.predicate-1])
		t.isOpen = true
	}
	t.writeObject(line[f.predicate : len(line)-len(" .")])
	return nil
}

// end closes what is open.
func (t *turtle) end() {
	if t.table.isStale() && !t.isOpen { // so that an empty document names them too
		t.declare()
	}
	t.endStatement()
	t.endGraph()
	t.at = fields{}
}

func (t *turtle) endStatement() {
	if t.isOpen {
		t.out = append(t.out, " .\n"...)
		if !t.inGraph {
			t.out = append(t.out, '\n')
		}
		t.isOpen = false
	}
}

// beginGraph opens the graph of a name, if it has one.
func (t *turtle) beginGraph(name []byte) {
	if len(name) == 0 {
		return
	}
	t.writeNode(name, &t.names)
	t.out = append(t.out, " {\n"...)
	t.inGraph, t.margin = true, "    "
}

func (t *turtle) endGraph() {
	if t.inGraph {
		t.out = append(t.out, "}\n\n"...)
		t.inGraph, t.margin = false, ""
	}
}

// declare writes the prefixes that are not written yet. Terms are written anew with them.
func (t *turtle) declare() {
	for _, p := range t.table.renew() {
		t.out = append(t.out, "@prefix "...)
		t.out = append(t.out, p.name...)
		t.out = append(t.out, ": <"...)
		t.out = append(t.out, p.iri...)
		t.out = append(t.out, "> .\n"...)
	}
	if len(t.table.all) > 0 {
		t.out = append(t.out, '\n')
	}
	clear(t.predicates)
	t.subjects, t.objects, t.datatypes, t.names = slot{}, slot{}, slot{}, slot{}
}

// writePredicate writes a predicate, which is <an IRI>, and a space.
func (t *turtle) writePredicate(iri []byte) {
	if known, ok := t.predicates[string(iri)]; ok {
		t.out = append(t.out, known...)
		return
	}
	from := len(t.out)
	if string(iri) == typeIRI {
		t.out = append(t.out, 'a')
	} else {
		t.writeNode(iri, &slot{})
	}
	t.out = append(t.out, ' ')
	if len(t.predicates) >= mostPredicates {
		clear(t.predicates)
	}
	t.predicates[string(iri)] = bytes.Clone(t.out[from:])
}

// writeNode writes <an IRI> or a blank node.
func (t *turtle) writeNode(term []byte, last *slot) {
	if term[0] == '<' {
		if name, local, ok := t.table.split(term[1:len(term)-1], last); ok {
			t.out = append(t.out, name...)
			t.out = append(t.out, ':')
			t.out = append(t.out, local...)
			return
		}
	}
	t.out = append(t.out, term...)
}

// writeObject writes an object. Triple terms are written as they are: no prefix spares much there.
func (t *turtle) writeObject(object []byte) {
	switch {
	case object[0] == '"':
		t.writeLiteral(object)
	case object[0] == '<' && object[1] == '<':
		t.out = append(t.out, object...)
	default:
		t.writeNode(object, &t.objects)
	}
}

// writeLiteral writes a literal: its text as it is, since the escapes of canonical N-Quads are those of Turtle.
func (t *turtle) writeLiteral(object []byte) {
	if object[len(object)-1] != '>' {
		t.out = append(t.out, object...)
		return
	}
	l := literalOf(object)
	if text := l.quoted[1 : len(l.quoted)-1]; isShort(text, l.datatype) {
		t.out = append(t.out, text...)
		return
	}
	t.out = append(t.out, l.quoted...)
	t.out = append(t.out, "^^"...)
	t.writeNode(object[len(l.quoted)+len("^^"):], &t.datatypes)
}

// isShort says that Turtle reads a text without quotation marks as a literal of the datatype (RDF 1.2 Turtle,
// grammar, INTEGER to DOUBLE and BooleanLiteral).
func isShort(text, datatype []byte) bool {
	name, ok := bytes.CutPrefix(datatype, []byte(rdf.XSD))
	if !ok {
		return false
	}
	switch string(name) {
	case "boolean":
		return string(text) == "true" || string(text) == "false"
	case "integer", "decimal", "double":
		return len(text) > 0 && string(name) == numberType(text)
	}
	return false
}

// numberType is the datatype that Turtle gives to a number; "" if the text is none.
func numberType(text []byte) string {
	i := 0
	if text[0] == '+' || text[0] == '-' {
		i++
	}
	digits := func() (n int) {
		for i < len(text) && text[i] >= '0' && text[i] <= '9' {
			i++
			n++
		}
		return n
	}
	whole, part, name := digits(), 0, "integer"
	if i < len(text) && text[i] == '.' {
		i++
		if part, name = digits(), "decimal"; part == 0 {
			name = "" // 1. is a number and a dot, unless an exponent follows
		}
	}
	if whole+part > 0 && i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		if i++; i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		if name = "double"; digits() == 0 {
			return ""
		}
	}
	if whole+part == 0 || i < len(text) {
		return ""
	}
	return name
}
