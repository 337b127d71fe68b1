package peers_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"laundromat/rdf"
)

// A generator makes graphs, and spells them in many ways. The same seed gives the
// same documents.
type generator struct {
	*rand.Rand
	crlf bool
}

func (g *generator) one(of ...string) string { return of[g.IntN(len(of))] }

const generatedBase = "http://example.org/dir/doc"

var (
	iris = []string{
		generatedBase, generatedBase + "#a", generatedBase + "#b-c", "http://example.org/dir/x", "http://example.org/dir/sub/y?q=1&r=%20",
		"http://example.org/", "http://example.org/ns#name", "http://example.org/ns#1st", "http://example.org/ns#a.b",
		"http://example.org/ns#a:b",
		"http://example.org/é/日本", "http://example.org/ns#naïve", "http://example.org/ns#x%2Fy", "http://example.org/ns#",
		"urn:isbn:0451450523",
		"mailto:a@example.org", "http://example.com/(a)/b'c,d;e*", "http://example.org/\U0001F600",
	}
	predicates = []string{rdf.Type, "http://example.org/ns#name", "http://example.org/ns#knows", "http://example.org/dir/p",
		"http://example.org/ns#a.b", "http://www.w3.org/2002/07/owl#sameAs"}
	texts = []string{
		"", "chat", "two words", "quote \" apostrophe '", "\"", "'", "''", "\"\"quoted\"\"", "back\\slash", "\\", "a\nb", "a\r\nb",
		"tab\there", "\b\f",
		"naïve café", "日本語", "\U0001F600!", "\u0001\u001f", "\u007f\u0085\u00a0", "# no comment", "ends in quote\"", "a .", "{}[]();,",
		"\u2028", "\uFFFD", "\\u0041",
	}
	languages = []string{"en", "de", "zh-hans-cn", "x-private", "en-gb"}
	datatypes = []string{rdf.XSD + "date", rdf.XSD + "byte", "http://example.org/ns#type", "http://example.org/dt/é"}
	numbers   = []struct{ text, datatype string }{
		{"0", "integer"}, {"-5", "integer"}, {"+007", "integer"}, {"1.5", "decimal"}, {"-.5", "decimal"}, {"1e0", "double"},
		{"1.E+3", "double"}, {".5e-10", "double"}, {"true", "boolean"}, {"false", "boolean"},
	}
)

func iri(value string) rdf.Term { return rdf.Term{Kind: rdf.IRI, Value: []byte(value)} }

func (g *generator) blank() rdf.Term {
	return rdf.Term{Kind: rdf.BlankNode, Value: []byte(g.one("a", "n1", "node-x", "x.y", "é", "_c"))}
}

func (g *generator) literal() rdf.Term {
	t := rdf.Term{Kind: rdf.Literal, Value: []byte(g.one(texts...))}
	switch g.IntN(6) {
	case 0:
		t.Language = []byte(g.one(languages...))
	case 1:
		t.Datatype = []byte(g.one(datatypes...))
	case 2:
		n := numbers[g.IntN(len(numbers))]
		t.Value, t.Datatype = []byte(n.text), []byte(rdf.XSD+n.datatype)
	}
	return t
}

// graph makes up to a dozen statements, some of them those of a list.
func (g *generator) graph() (quads []rdf.Quad) {
	cells := 0
	var list func(depth int) rdf.Term
	list = func(depth int) rdf.Term {
		head := iri(rdf.Nil)
		for range g.IntN(4) {
			cells++
			cell := rdf.Term{Kind: rdf.BlankNode, Value: fmt.Appendf(nil, "cell%d", cells)}
			item := g.literal()
			if g.IntN(3) == 0 && depth > 0 {
				item = list(depth - 1)
			} else if g.IntN(2) == 0 {
				item = iri(g.one(iris...))
			}
			quads = append(quads, rdf.Quad{Subject: cell, Predicate: iri(rdf.First), Object: item},
				rdf.Quad{Subject: cell, Predicate: iri(rdf.Rest), Object: head})
			head = cell
		}
		return head
	}
	for range 1 + g.IntN(9) {
		q := rdf.Quad{Subject: iri(g.one(iris...)), Predicate: iri(g.one(predicates...))}
		if g.IntN(3) == 0 {
			q.Subject = g.blank()
		}
		switch g.IntN(8) {
		case 0, 1:
			q.Object = iri(g.one(iris...))
		case 2:
			q.Object = g.blank()
		case 3:
			q.Object = list(1)
		default:
			q.Object = g.literal()
		}
		quads = append(quads, q)
	}
	return quads
}

func (g *generator) lineEnd() string {
	if g.crlf {
		return "\r\n"
	}
	return "\n"
}

// lines spells a graph as N-Triples.
func (g *generator) lines(quads []rdf.Quad) string {
	g.crlf = g.IntN(4) == 0
	var b strings.Builder
	for i := range quads {
		q := &quads[i]
		if g.IntN(8) == 0 {
			b.WriteString(g.one("# comment <a> <b> <c> .", "", " \t", "#") + g.lineEnd())
		}
		b.WriteString(g.one("", " ", "\t") + g.plain(&q.Subject) + g.one(" ", "  ", "\t") + g.plain(&q.Predicate) + g.one(" ", "\t \t") +
			g.plain(&q.Object) + g.one(" .", "\t.", " . ", " . # <x>") + g.lineEnd())
	}
	return b.String()
}

// plain spells a term as N-Triples does.
func (g *generator) plain(t *rdf.Term) string {
	switch t.Kind {
	case rdf.IRI:
		return "<" + g.escaped(string(t.Value), "", 0) + ">"
	case rdf.BlankNode:
		return "_:" + string(t.Value)
	}
	text := `"` + g.escaped(string(t.Value), "\"\\\n\r", 1) + `"`
	if len(t.Language) > 0 {
		return text + "@" + string(t.Language)
	}
	if len(t.Datatype) > 0 {
		return text + "^^<" + g.escaped(string(t.Datatype), "", 0) + ">"
	}
	return text
}

// escaped writes text with escapes where it must (each of must, by ECHAR) and, at
// times, where it may. Of IRIs only what is beyond ASCII is escaped.
func (g *generator) escaped(text, must string, echar int) string {
	var b strings.Builder
	for _, r := range text {
		needs := strings.ContainsRune(must, r)
		named := strings.IndexRune("\t\b\n\r\f\"'\\", r)
		switch may := (echar > 0 || r > 0x7f) && g.IntN(6) == 0; {
		case !needs && !may:
			b.WriteRune(r)
		case echar > 0 && named >= 0 && g.IntN(3) > 0:
			b.WriteString(`\` + `tbnrf"'\`[named:named+1])
		case r > 0xffff || g.IntN(3) == 0:
			fmt.Fprintf(&b, g.one(`\U%08X`, `\U%08x`), r)
		default:
			fmt.Fprintf(&b, g.one(`\u%04X`, `\u%04x`), r)
		}
	}
	return b.String()
}
