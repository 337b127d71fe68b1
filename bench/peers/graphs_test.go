package peers_test

import (
	"fmt"
	"strings"

	"laundromat/rdf"
)

// spread puts some statements into named graphs; those of a list stay in one.
func (g *generator) spread(quads []rdf.Quad) []rdf.Quad {
	for i := range quads {
		if g.IntN(2) == 0 && !strings.HasPrefix(string(quads[i].Subject.Value), "cell") {
			quads[i].Graph = iri(g.one("http://example.org/g", "http://example.org/dir/é", "urn:x-graph:1"))
		}
	}
	return quads
}

// fours spells quads as N-Quads.
func (g *generator) fours(quads []rdf.Quad) string {
	g.crlf = g.IntN(4) == 0
	var b strings.Builder
	for i := range quads {
		q := &quads[i]
		b.WriteString(g.one("", "", "# a comment"+g.lineEnd(), "\t") + g.triple(q))
		if q.Graph.Kind == rdf.IRI {
			b.WriteString(g.one(" ", "\t", "") + g.plain(&q.Graph))
		}
		b.WriteString(g.one(" .", ".", " . # <x>") + g.lineEnd())
	}
	return b.String()
}

func (g *generator) triple(q *rdf.Quad) string {
	return g.plain(&q.Subject) + g.one(" ", "\t") + g.plain(&q.Predicate) + g.one(" ", "  ") + g.plain(&q.Object)
}

// blocks spells quads as TriG, those of a graph that follow each other in one block.
func (g *generator) blocks(quads []rdf.Quad) string {
	g.crlf = g.IntN(4) == 0
	var b strings.Builder
	b.WriteString(g.one("@prefix e: <http://example.org/> .", "PREFIX e: <http://example.org/>") + g.lineEnd())
	for i := 0; i < len(quads); {
		graph := quads[i].Graph
		block := graph.Kind == rdf.IRI || g.IntN(2) == 0
		switch {
		case graph.Kind == rdf.IRI && string(graph.Value) == "http://example.org/g":
			b.WriteString(g.one("e:g {", "GRAPH e:g{", "graph <http://example.org/g>\t{"))
		case graph.Kind == rdf.IRI:
			b.WriteString(g.one("", "GRAPH ") + g.plain(&graph) + g.one("{", " {"+g.lineEnd()))
		case block:
			b.WriteString("{" + g.lineEnd())
		}
		for first := true; i < len(quads) && key(&quads[i].Graph) == key(&graph); i++ {
			if !first {
				b.WriteString(" ." + g.lineEnd())
			}
			first = false
			b.WriteString(g.triple(&quads[i]))
		}
		if block {
			b.WriteString(g.one(" .", "") + g.one("}", g.lineEnd()+"}") + g.lineEnd())
		} else {
			b.WriteString(" ." + g.lineEnd())
		}
	}
	return b.String()
}

// inXML leaves statements out whose text XML can't hold.
func inXML(quads []rdf.Quad) (fit []rdf.Quad) {
	for _, q := range quads {
		if q.Object.Kind != rdf.Literal || !strings.ContainsAny(string(q.Object.Value), "\b\f\u0001\u001f") {
			fit = append(fit, q)
		}
	}
	return fit
}

// markup spells a graph as RDF/XML: what follows of one subject in one element, text in
// elements or attributes.
func (g *generator) markup(quads []rdf.Quad) string {
	g.crlf = g.IntN(4) == 0
	var b strings.Builder
	b.WriteString(g.one("", `<?xml version="1.0"?>`+g.lineEnd(), `<?xml version='1.0' encoding='UTF-8'?>`))
	b.WriteString(`<rdf:RDF xmlns:rdf="` + rdf.RDF + `" xmlns:e="http://example.org/ns#" xmlns:owl='http://www.w3.org/2002/07/owl#'` +
		g.lineEnd() + ` xmlns:d="http://example.org/dir/">`)
	for i := 0; i < len(quads); {
		subject := quads[i].Subject
		fmt.Fprintf(&b, "%s<rdf:Description%s>", g.one("", g.lineEnd(), "<!-- <e:x/> -->"), g.reference("about", &subject))
		for ; i < len(quads) && key(&quads[i].Subject) == key(&subject); i++ {
			q := &quads[i]
			name := g.qualified(string(q.Predicate.Value))
			switch o := &q.Object; {
			case o.Kind != rdf.Literal:
				fmt.Fprintf(&b, "<%s%s%s", name, g.reference("resource", o), g.one("/>", " />", "></"+name+">"))
			case len(o.Language) == 0 && len(o.Datatype) == 0 && g.IntN(3) == 0 && string(q.Predicate.Value) != rdf.Type &&
				!strings.HasPrefix(name, "rdf:"):
				// the property is an attribute of a node that is the same
				fmt.Fprintf(&b, "</rdf:Description><rdf:Description%s %s=\"%s\">", g.reference("about", &subject), name,
					g.marked(string(o.Value), true))
			default:
				fmt.Fprintf(&b, "<%s", name)
				if len(o.Language) > 0 {
					fmt.Fprintf(&b, " xml:lang=%q", o.Language)
				}
				if len(o.Datatype) > 0 {
					fmt.Fprintf(&b, " rdf:datatype='%s'", g.marked(string(o.Datatype), true))
				}
				fmt.Fprintf(&b, ">%s</%s>", g.marked(string(o.Value), false), name)
			}
		}
		b.WriteString("</rdf:Description>")
	}
	return b.String() + g.one("", g.lineEnd()) + "</rdf:RDF>" + g.one("", g.lineEnd())
}

func (g *generator) qualified(predicate string) string {
	for prefix, namespace := range map[string]string{"rdf": rdf.RDF, "e": namespace, "owl": "http://www.w3.org/2002/07/owl#",
		"d": "http://example.org/dir/"} {
		if name, ok := strings.CutPrefix(predicate, namespace); ok {
			return prefix + ":" + name
		}
	}
	panic(predicate)
}

// reference is the attribute that names a node.
func (g *generator) reference(attribute string, t *rdf.Term) string {
	if t.Kind == rdf.BlankNode {
		return fmt.Sprintf(" rdf:nodeID=%q", t.Value)
	}
	return fmt.Sprintf("%srdf:%s=\"%s\"", g.one(" ", "  "), attribute, g.marked(string(t.Value), true))
}

// marked writes text with references where XML asks for them, and at times elsewhere.
func (g *generator) marked(text string, attribute bool) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '&', r == '<', r == '>', r == '"', r == '\'':
			b.WriteString(map[rune]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;", '\'': "&apos;"}[r])
		case r == '\r', attribute && (r == '\n' || r == '\t'), g.IntN(12) == 0:
			fmt.Fprintf(&b, g.one("&#%d;", "&#x%X;"), r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
