package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// document is a clean text as a row of pieces, each of which knows the statements
// that can't be read without it.
type document struct {
	format string
	layout string // the name
	// whole says of programs whether they read the clean document whole.
	whole map[string]bool
	// soundTo says the same of witnesses, and that they found nothing wrong with it.
	soundTo    map[string]bool
	pieces     []piece
	statements []statement
	text       string
	at         []int          // where each piece begins in text
	placed     map[string]int // where terms are that occur once, -1 if they occur more often; see placeOf
	block      int            // the block that is being written; 0 between blocks
	tag        int            // tags of XML, so far
	name       string         // of a real file
	origin     []int          // of a real file: where the object of each statement is
	firsts     [][2]int       // of each block, its number and its first piece; see firstOfBlocks
}

// statement is four terms as canonical N-Quads writes them; graph is empty for the
// default graph.
type statement struct{ subject, predicate, object, graph string }

// kind is what a piece of text is in its format.
type kind uint8

const (
	space kind = iota
	newline
	iri
	name
	label
	quoted
	long
	language
	datatype
	number
	word
	comma
	semicolon
	dot
	openBracket
	closeBracket
	openList
	closeList
	openGraph
	closeGraph
	directive
	declaration // of XML, and the tag of the root
	tagOpen
	attribute
	tagClose
	content
	endTag
	openObject
	closeObject
	key
	colon
	openArray
	closeArray
	head // what is before the nodes of JSON-LD, and after them
)

// role is what a piece is in its statement.
type role uint8

const (
	noRole role = iota
	subject
	predicate
	object
	graph
)

// piece is a token, or the white space between two.
type piece struct {
	kind  kind
	role  role
	text  string
	needs []int // the statements that depend on it
	block int   // the statement, node or line it is in; 0 between those
	tag   int   // the tag of XML it is a part of
	after []int // the statements after it in its block whose reading depends on a bracket
}

func (d *document) add(k kind, r role, text string, needs ...int) int {
	d.pieces = append(d.pieces, piece{kind: k, role: r, text: text, needs: needs, block: d.block, tag: d.tag})
	return len(d.pieces) - 1
}

// say makes a statement, and returns its number.
func (d *document) say(s, p, o, g string) int {
	d.statements = append(d.statements, statement{s, p, o, g})
	return len(d.statements) - 1
}

// finish puts the text together.
func (d *document) finish() *document {
	var b strings.Builder
	for i := range d.pieces {
		d.at = append(d.at, b.Len())
		b.WriteString(d.pieces[i].text)
	}
	d.at = append(d.at, b.Len())
	d.text = b.String()
	return d
}

// places are where the object of each statement is in the text, or the first piece that it needs.
func (d *document) places() []int {
	all := make([]int, len(d.statements))
	known := make([]role, len(d.statements))
	for i := range d.pieces {
		for _, s := range d.pieces[i].needs {
			if r := d.pieces[i].role; all[s] == 0 || r == object && known[s] != object {
				all[s], known[s] = d.at[i], r
			}
		}
	}
	return all
}

const (
	base      = "http://example.org/doc"
	namespace = "http://example.org/ns#"
	data      = "http://example.org/data/"
	rdfNS     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	xsd       = "http://www.w3.org/2001/XMLSchema#"
)

// node is a thing that a document describes.
type node struct {
	term     string // an IRI in brackets, or a label
	unnamed  bool   // a blank node that the format writes without a label
	class    string // local name; empty for none
	isA      int    // the statement that says so
	graph    string
	props    []*property
	all      []int // the statements whose subject it is
	deep     []int // and those of the nodes and lists in it
	attrs    int   // in RDF/XML: how many of its first properties are attributes
	resource bool  // in RDF/XML: written with parseType="Resource"
}

type property struct {
	name   string
	values []*value
	all    []int
}

// value is an object with the statement it is in.
type value struct {
	kind      valueKind
	text, tag string // lexical form, IRI or label; language or local name of the datatype
	says      int
	node      *node
	members   []*value
	firsts    []int // of the list's nodes
	rests     []int
}

type valueKind uint8

const (
	plain valueKind = iota
	tagged
	typed
	reference
	labelled
	integer
	truth
	lines
	decimal
	double
	nested
	list
	markup
)

// maker makes what documents say: every object once only, so that a blank node can
// be known by what is said of it.
type maker struct {
	d      *document
	random *rand.Rand
	serial int
	kinds  []valueKind
}

var may = map[string][]valueKind{
	"N-Triples": {plain, tagged, typed, reference, labelled},
	"N-Quads":   {plain, tagged, typed, reference, labelled},
	"Turtle":    {plain, tagged, typed, reference, labelled, integer, decimal, double, truth, lines, nested, list},
	"TriG":      {plain, tagged, typed, reference, labelled, integer, decimal, double, truth, lines, nested, list},
	"RDF/XML":   {plain, tagged, typed, reference, labelled, nested, list, markup},
	"JSON-LD":   {plain, tagged, typed, reference, labelled, integer, double, truth, nested, list},
}

func (m *maker) next() int { m.serial++; return m.serial }

var words = strings.Fields(
	"the old town on the river has a market where people sell bread and fish every second day of the week café naïve 東京")

func (m *maker) phrase() string {
	text := fmt.Sprint("No ", m.next())
	for range 1 + m.random.IntN(6) {
		text += " " + words[m.random.IntN(len(words))]
	}
	return text
}

// thing makes a node with its statements; depth is how deeply it is nested.
func (m *maker) thing(graph string, depth int) *node {
	n := m.node(graph, depth)
	count := 3 + m.random.IntN(5)
	if depth > 0 {
		count = 2 + m.random.IntN(2)
	}
	for i := range count {
		m.property(n, i < n.attrs, depth)
	}
	return n
}

// node makes a node without properties except for its class.
func (m *maker) node(graph string, depth int) *node {
	n := &node{graph: graph, term: fmt.Sprintf("<%sthing%d>", data, m.next()), isA: -1}
	switch k := m.random.IntN(10); {
	case k < 2 && depth == 0:
		n.term = fmt.Sprint("_:node", m.serial)
	case depth > 0 && (k < 7 || m.d.format == "Turtle" || m.d.format == "TriG"):
		n.term, n.unnamed = fmt.Sprint("_:unnamed", m.serial), true
	}
	if m.d.format == "RDF/XML" && depth > 0 && n.unnamed && m.random.IntN(2) == 0 {
		n.resource = true
	}
	if m.random.IntN(3) > 0 && !n.resource {
		n.class = []string{"Town", "Person", "Film", "Building"}[m.random.IntN(4)]
		n.isA = m.d.say(n.term, "<"+rdfNS+"type>", "<"+namespace+n.class+">", graph)
		n.all = append(n.all, n.isA)
	}
	if m.d.format == "RDF/XML" && !n.resource && m.random.IntN(3) == 0 {
		n.attrs = 1
	}
	n.deep = append(n.deep, n.all...)
	return n
}

// property gives a node a property with one value or several; an attribute has one plain value.
func (m *maker) property(n *node, isAttribute bool, depth int) {
	p := &property{name: fmt.Sprint("p", m.next())}
	many := 1
	if m.random.IntN(4) == 0 && !strings.HasPrefix(m.d.format, "N-") && !isAttribute {
		many = 2 + m.random.IntN(2)
	}
	for range many {
		k := m.kinds[m.random.IntN(len(m.kinds))]
		// each statement once
		if depth > 1 && k == nested || isAttribute || many > 1 && (k == labelled || k == truth) {
			k = plain
		}
		v := m.value(k, depth)
		v.says = m.d.say(n.term, "<"+namespace+p.name+">", v.term(), n.graph)
		p.values, p.all = append(p.values, v), append(p.all, v.says)
		n.all, n.deep = append(n.all, v.says), append(n.deep, v.says)
		switch k {
		case nested:
			m.fill(v, n.graph, depth)
			m.d.statements[v.says].object = v.node.term
			n.deep = append(n.deep, v.node.deep...)
		case list:
			m.cells(v, n.graph)
			n.deep = append(append(n.deep, v.firsts...), v.rests...)
		}
	}
	n.props = append(n.props, p)
}

func (m *maker) fill(v *value, graph string, depth int) { v.node = m.thing(graph, depth+1) }

// cells makes the statements of a list.
func (m *maker) cells(v *value, graph string) {
	cell := func(i int) string {
		if i == len(v.members) {
			return "<" + rdfNS + "nil>"
		}
		return fmt.Sprintf("_:cell%s.%d", v.text, i)
	}
	m.d.statements[v.says].object = cell(0)
	for i, member := range v.members {
		v.firsts = append(v.firsts, m.d.say(cell(i), "<"+rdfNS+"first>", member.term(), graph))
		v.rests = append(v.rests, m.d.say(cell(i), "<"+rdfNS+"rest>", cell(i+1), graph))
		member.says = v.firsts[i]
	}
}

func (m *maker) value(k valueKind, depth int) *value {
	v := &value{kind: k}
	n := m.next()
	switch k {
	case plain:
		v.text = m.phrase()
	case markup:
		v.text = "No " + fmt.Sprint(n) + " <b>bold</b> text"
	case tagged:
		v.text, v.tag = m.phrase(), []string{"en", "de", "fr-ca"}[n%3]
	case typed:
		v.text, v.tag = fmt.Sprintf("%04d-%02d-%02d", 1000+n/300, 1+n/25%12, 1+n%25), "date"
		if n >= 2_000_000 {
			v.text = fmt.Sprintf("%d-01-01", n)
		}
	case reference:
		v.text = fmt.Sprint(data, "place", n)
	case labelled:
		v.text = fmt.Sprint("other", n)
	case integer:
		v.text = fmt.Sprint(n)
	case decimal:
		v.text = fmt.Sprintf("%d.5", n)
	case double:
		s := fmt.Sprint(n)
		if v.text = s[:1] + "." + strings.TrimRight(s[1:], "0"); len(v.text) == 2 {
			v.text += "0"
		}
		v.text += fmt.Sprint("E", len(s)-1+30)
	case truth:
		v.text = []string{"false", "true"}[n%2]
	case lines:
		v.text = m.phrase() + "\nand \"so on\"; a.\nNo " + fmt.Sprint(n)
	case list:
		v.text = fmt.Sprint(n)
		for range 2 + m.random.IntN(3) {
			k := []valueKind{plain, reference}[m.random.IntN(2)]
			if m.d.format == "RDF/XML" {
				k = reference
			}
			v.members = append(v.members, m.value(k, depth))
		}
	}
	return v
}

// term is the value as canonical N-Quads writes it; a nested node or list has none yet.
func (v *value) term() string {
	switch v.kind {
	case plain, lines:
		return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(v.text) + `"`
	case markup:
		return `"` + v.text + `"^^<` + rdfNS + "XMLLiteral>"
	case tagged:
		return `"` + v.text + `"@` + v.tag
	case typed:
		return `"` + v.text + `"^^<` + xsd + v.tag + ">"
	case reference:
		return "<" + v.text + ">"
	case labelled:
		return "_:" + v.text
	case integer:
		return `"` + v.text + `"^^<` + xsd + "integer>"
	case decimal:
		return `"` + v.text + `"^^<` + xsd + "decimal>"
	case double:
		return `"` + v.text + `"^^<` + xsd + "double>"
	case truth:
		return `"` + v.text + `"^^<` + xsd + "boolean>"
	}
	return ""
}

// makeDocument writes a clean document of at least n statements.
func makeDocument(format string, n int, l *layout, random *rand.Rand) *document {
	m := &maker{d: &document{format: format}, random: random, kinds: may[format]}
	switch format {
	case "N-Triples", "N-Quads":
		m.writeLines(n)
	case "Turtle", "TriG":
		m.writeTurtle(n)
	case "RDF/XML":
		m.writeXML(n)
	case "JSON-LD":
		m.writeJSON(n)
	}
	m.d.layout = l.name
	l.apply(random, m.d)
	return m.d.finish()
}
