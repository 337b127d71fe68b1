package main

import (
	"regexp"
	"strings"
)

// turtleTokens are the tokens of Turtle, TriG, N-Triples and N-Quads, each with its kind. The first that
// matches counts.
var turtleTokens = []struct {
	kind    kind
	pattern *regexp.Regexp
}{
	{space, regexp.MustCompile(`^(?:[ \t\r\n]+|#[^\n]*)+`)},
	{long, regexp.MustCompile(`^"""(?:[^"\\]|\\.|\\\n|"{1,2}(?:[^"\\]|\\.))*"""`)},
	{word, regexp.MustCompile(`^(?:'''(?s:.*?)'''|'(?:[^'\\\n]|\\.)*')`)},
	{quoted, regexp.MustCompile(`^"(?:[^"\\\n]|\\.)*"`)},
	{iri, regexp.MustCompile("^<[^<>\"{}|^`\\\\ \\t\\n]*>")},
	{directive, regexp.MustCompile(`^(?:@prefix|@base)`)},
	{language, regexp.MustCompile(`^@[A-Za-z]+(?:-[A-Za-z0-9]+)*`)},
	{datatype, regexp.MustCompile(`^\^\^(?:<[^<>\s]*>|[^\s;,.\[\](){}<>"'#]*:[^\s;,.\[\](){}<>"'#]*)`)},
	{label, regexp.MustCompile(`^_:[\pL\pN_](?:[\pL\pN_.·-]*[\pL\pN_·-])?`)},
	{number, regexp.MustCompile(`^[+-]?(?:[0-9]*\.[0-9]+|[0-9]+\.[0-9]*[eE]|[0-9]+)(?:[eE]?[+-]?[0-9]+)?`)},
	{name, regexp.MustCompile(
		`^(?:\pL(?:[\pL\pN_.-]*[\pL\pN_-])?)?:(?:(?:[\pL\pN_:]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-])(?:(?:[\pL\pN_.:·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-])*(?:[\pL\pN_:·-]|%[0-9A-Fa-f]{2}|\\[_~.!$&'()*+,;=/?#@%-]))?)?`)},
	{word, regexp.MustCompile(`^[A-Za-z]+`)},
	{comma, regexp.MustCompile(`^,`)}, {semicolon, regexp.MustCompile(`^;`)}, {dot, regexp.MustCompile(`^\.`)},
	{openBracket, regexp.MustCompile(`^\[`)}, {closeBracket, regexp.MustCompile(`^\]`)},
	{openList, regexp.MustCompile(`^\(`)}, {closeList, regexp.MustCompile(`^\)`)},
	{openGraph, regexp.MustCompile(`^\{`)}, {closeGraph, regexp.MustCompile(`^\}`)},
}

// scanTurtle cuts Turtle and its like into pieces.
func scanTurtle(d *document, text string) bool {
	s := turtleScan{d: d, expects: []role{subject}}
	for len(text) > 0 {
		matched := false
		for _, token := range turtleTokens {
			if found := token.pattern.FindString(text); found != "" {
				s.take(token.kind, found)
				text, matched = text[len(found):], true
				break
			}
		}
		if !matched || s.unknown {
			return false
		}
	}
	return len(d.pieces) > 0
}

// turtleScan is what is open while Turtle is cut into pieces.
type turtleScan struct {
	d         *document
	blocks    int
	from      int    // the first piece of the block
	expects   []role // innermost last: what the next term is
	directive bool   // one is open, up to its dot
	sparql    int    // terms of a directive without a dot that are still to come
	unknown   bool
}

// take adds a token.
func (s *turtleScan) take(k kind, text string) {
	d := s.d
	top := &s.expects[len(s.expects)-1]
	outermost := len(s.expects) == 1 && *top == subject
	switch {
	case k == space:
		s.space(text)
		return
	case k == directive:
		s.directive = true
	case k == word && outermost && (strings.EqualFold(text, "prefix") || strings.EqualFold(text, "base")):
		s.sparql = 2
		if strings.EqualFold(text, "base") {
			s.sparql = 1
		}
		d.add(word, noRole, text)
		return
	case k == word && outermost && strings.EqualFold(text, "graph"):
		d.add(word, noRole, text)
		return
	}
	if s.directive || s.sparql > 0 {
		d.block = 0
		d.add(word, noRole, text)
		s.sparql = max(0, s.sparql-1)
		s.directive = s.directive && k != dot
		return
	}
	if d.block == 0 && k != closeGraph && k != openGraph {
		s.blocks++
		d.block, s.from = s.blocks, len(d.pieces)
	}
	s.token(k, text, top)
}

// space adds white space, which ends a block of a line format at its line.
func (s *turtleScan) space(text string) {
	kind := space
	if strings.HasPrefix(s.d.format, "N-") && strings.Contains(text, "\n") {
		kind = newline
	}
	s.d.add(kind, noRole, text)
}

// token adds a token of a statement or graph.
func (s *turtleScan) token(k kind, text string, top *role) {
	d := s.d
	switch k {
	case dot:
		d.add(dot, noRole, text)
		s.end()
	case openGraph:
		for i := s.from; i < len(d.pieces); i++ { // its name
			d.pieces[i].block = 0
		}
		d.block = 0
		d.add(openGraph, noRole, text)
		s.end()
	case closeGraph:
		d.block = 0
		d.add(closeGraph, noRole, text)
		s.end()
	case comma, semicolon:
		if *top = object; k == semicolon {
			*top = predicate
		}
		d.add(k, noRole, text)
	case openBracket, openList:
		d.add(k, *top, text)
		s.next(top)
		inside := predicate
		if k == openList {
			inside = object
		}
		s.expects = append(s.expects, inside)
	case closeBracket, closeList:
		if s.unknown = len(s.expects) == 1; !s.unknown {
			s.expects = s.expects[:len(s.expects)-1]
		}
		d.add(k, noRole, text)
	case language, datatype:
		d.add(k, noRole, text)
	default:
		d.add(k, *top, text)
		s.next(top)
	}
}

// next is what is expected behind a term.
func (s *turtleScan) next(top *role) {
	switch *top {
	case subject:
		*top = predicate
	case predicate:
		*top = object
	case object:
		if s.d.format == "N-Quads" {
			*top = graph
		}
	}
}

// end ends a block.
func (s *turtleScan) end() {
	s.d.block, s.expects = 0, append(s.expects[:0], subject)
}
