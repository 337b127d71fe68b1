package peers_test

import (
	"strings"

	"laundromat/rdf"
)

// speller writes a graph as Turtle, in a manner that the generator chooses.
type speller struct {
	*generator
	b       strings.Builder
	about   map[string][]rdf.Quad // by subject
	left    []string              // subjects to be written, in order
	written map[string]bool
	uses    map[string]int // how often a blank node is an object
	nested  bool           // whether [ ] and ( ) are written
	based   bool           // whether relative IRIs are
}

const namespace = "http://example.org/ns#"

// turtle spells a graph as Turtle, and says whether there are relative IRIs in it.
func (g *generator) turtle(quads []rdf.Quad) (text string, based bool) {
	g.crlf = g.IntN(4) == 0
	s := &speller{generator: g, about: map[string][]rdf.Quad{}, written: map[string]bool{}, uses: map[string]int{}, nested: g.IntN(4) > 0,
		based: g.IntN(3) == 0}
	for _, q := range quads {
		subject := key(&q.Subject)
		if s.about[subject] == nil {
			s.left = append(s.left, subject)
		}
		s.about[subject] = append(s.about[subject], q)
		s.uses[key(&q.Object)]++
	}
	s.b.WriteString(g.one("@prefix ex: <http://example.org/ns#> .", "PREFIX ex: <http://example.org/ns#>",
		"@prefix ex:<http://example.org/ns#>.", "pReFiX\tex:\t<http://example.org/ns#>") + g.lineEnd())
	s.b.WriteString("@prefix : <http://example.org/ns#> . @prefix xsd: <" + rdf.XSD + "> ." + g.lineEnd())
	if s.based {
		s.b.WriteString(g.one("@base <"+generatedBase+"> .", "BASE <"+generatedBase+">") + g.lineEnd())
	}
	// What is only an object of another goes into that, if it can. So subjects that are used come
	// last, and a ring of them is written as it is.
	for _, inner := range []bool{false, true} {
		for _, subject := range s.left {
			if s.written[subject] || !inner && s.folds(subject) {
				continue
			}
			s.statement(subject)
		}
	}
	return s.b.String(), s.based
}

func key(t *rdf.Term) string { return string(rdf.AppendTerm(nil, t)) }

func (s *speller) folds(subject string) bool {
	return s.nested && strings.HasPrefix(subject, "_:") && s.uses[subject] == 1
}

func (s *speller) gap() string {
	return s.one(" ", " ", " ", "\t", s.lineEnd(), " # comment ; . ]"+s.lineEnd())
}

func (s *speller) statement(subject string) {
	s.written[subject] = true
	quads := s.about[subject]
	if s.nested && strings.HasPrefix(subject, "_:") && s.uses[subject] == 0 && s.IntN(2) == 0 {
		if s.IntN(2) == 0 {
			s.b.WriteString("[")
			s.predicates(quads)
			s.b.WriteString("]" + s.one("", " ") + "." + s.lineEnd())
			return
		}
		s.b.WriteString(s.one("[]", "[ ]"))
	} else {
		s.b.WriteString(s.spelled(&quads[0].Subject, false))
	}
	s.b.WriteString(s.gap())
	s.predicates(quads)
	s.b.WriteString(s.one(" .", s.lineEnd()+".", " ; .") + s.lineEnd())
}

func (s *speller) predicates(quads []rdf.Quad) {
	for i := range quads {
		q := &quads[i]
		if i > 0 && string(q.Predicate.Value) == string(quads[i-1].Predicate.Value) && s.IntN(3) > 0 {
			s.b.WriteString(s.one(",", " ,", " , "))
		} else {
			if i > 0 {
				s.b.WriteString(s.one(" ;", " ; ", " ;; "))
			}
			s.b.WriteString(s.gap() + s.spelled(&q.Predicate, true))
		}
		s.b.WriteString(s.gap())
		s.object(&q.Object)
	}
}

func (s *speller) object(t *rdf.Term) {
	name := key(t)
	if !s.folds(name) || s.written[name] {
		s.b.WriteString(s.spelled(t, false))
		return
	}
	if items, ok := s.list(name); ok {
		s.b.WriteString(s.one("(", "( "))
		for _, item := range items {
			s.object(&item)
			s.b.WriteString(s.gap())
		}
		s.b.WriteString(")")
		return
	}
	s.written[name] = true
	s.b.WriteString("[")
	s.predicates(s.about[name])
	if len(s.about[name]) > 0 {
		s.b.WriteString(s.one("", " ;"))
	}
	s.b.WriteString(s.one("]", " ]"))
}

// list is what the list that begins with a cell holds, if it is to be written as ( ) and can be. Then
// each of its cells says rdf:first and rdf:rest and is used once.
func (s *speller) list(cell string) (items []rdf.Term, ok bool) {
	var cells []string
	if s.IntN(4) == 0 {
		return nil, false
	}
	for ; cell != "<"+rdf.Nil+">"; cell = key(&s.about[cell][1].Object) {
		quads := s.about[cell]
		if !s.folds(cell) || s.written[cell] || len(quads) != 2 || string(quads[0].Predicate.Value) != rdf.First ||
			string(quads[1].Predicate.Value) != rdf.Rest {
			return nil, false
		}
		items, cells = append(items, quads[0].Object), append(cells, cell)
	}
	for _, c := range cells {
		s.written[c] = true
	}
	return items, true
}

func (s *speller) spelled(t *rdf.Term, predicate bool) string {
	value := string(t.Value)
	switch {
	case t.Kind == rdf.BlankNode:
		return "_:" + value
	case t.Kind == rdf.IRI:
		return s.name(value, predicate)
	case len(t.Language) == 0 && strings.HasPrefix(string(t.Datatype), rdf.XSD) &&
		s.bare(value, strings.TrimPrefix(string(t.Datatype), rdf.XSD)) && s.IntN(3) > 0:
		return value
	}
	text := s.quoted(value)
	switch {
	case len(t.Language) > 0:
		return text + "@" + string(t.Language)
	case len(t.Datatype) > 0:
		return text + "^^" + s.name(string(t.Datatype), false)
	}
	return text
}

func (s *speller) bare(value, datatype string) bool {
	for _, n := range numbers {
		if n.text == value && n.datatype == datatype {
			return true
		}
	}
	return false
}

func (s *speller) name(value string, predicate bool) string {
	if value == rdf.Type && predicate && s.IntN(2) == 0 {
		return "a"
	}
	if local, ok := strings.CutPrefix(value, namespace); ok && s.IntN(3) > 0 {
		return s.one("ex:", ":") + local // each local part in the tables is one without escapes
	}
	if local, ok := strings.CutPrefix(value, rdf.XSD); ok && s.IntN(2) == 0 {
		return "xsd:" + local
	}
	if s.based && s.IntN(2) == 0 {
		if fragment, ok := strings.CutPrefix(value, generatedBase); ok {
			return "<" + s.escaped(fragment, "", 0) + ">"
		}
		if path, ok := strings.CutPrefix(value, "http://example.org/dir/"); ok {
			return "<" + s.escaped(path, "", 0) + ">"
		}
		if path, ok := strings.CutPrefix(value, "http://example.org"); ok {
			return "<" + s.escaped(path, "", 0) + ">"
		}
	}
	return "<" + s.escaped(value, "", 0) + ">"
}

func (s *speller) quoted(value string) string {
	quote := s.one(`"`, `'`, `"""`, `'''`)
	if len(quote) == 1 {
		return quote + s.escaped(value, quote+"\\\n\r", 1) + quote
	}
	must := `\` + "\r" // a carriage return is text in a long string, but editors change it
	if strings.Contains(value, quote) || strings.HasSuffix(value, quote[:1]) {
		must += quote[:1]
	}
	return quote + s.escaped(value, must, 1) + quote
}
