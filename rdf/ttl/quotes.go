package ttl

import (
	"bytes"

	"laundromat/rdf/ttl/lex"
)

// maxWithin is how many places within a string are tried.
const maxWithin = 64

// within looks for a place to go on in what the lexer took for a string, the token t. Where
// a quotation mark is missing, strings and what is between them are exchanged up to the end
// of the line. The places are after each quotation mark, and at each sign that may follow
// an object.
func (s *search) within(t lex.Token, tried int) {
	if t.To == 0 || s.depth > 0 || t.From < s.Base {
		return
	}
	if t.To-s.Base > int64(len(s.Buf)) || !s.spend(t.To-t.From) {
		return
	}
	m := s.Mark()
	present := t.From == m.Tok.From
	text := bytes.Clone(s.Buf[t.From-s.Base : min(t.To-s.Base, t.From-s.Base+16<<10)])
	s.inText = t
	quotes := len(text) // after which nothing is tried that the tokens do not say already
	if t.Kind == lex.String {
		quotes -= int(t.Quote)
	}
	crossed := false // another statement may have begun
	for i := 0; i < len(text) && tried < maxWithin && s.best.score < fullScore; i++ {
		crossed = crossed || i > 0 && t.Quote == 3 && s.mayCross(text[i:])
		switch c := text[i]; {
		case (c == '"' || c == '\'') && !crossed && present && i < quotes && t.Quote > 0 && (s.near || s.turtle.depth > 0):
			if t.Quote == 3 && i+2 < len(text) && text[i+1] == c && text[i+2] == c {
				i += 2
			}
			switch s.state {
			case expectEnd, expectObject, expectTag, expectDatatype, expectMember, expectTripleEnd, expectTripleObject:
			case expectVerb:
				if t.Quote != 3 {
					continue
				}
			default:
				continue
			}
			if !s.near || s.state == expectMember && (s.quoted || i > 0) {
				continue
			}
			s.Seek(t.Pos, t.From+int64(i)+1)
			s.Next()
			s.midLine = t.Quote == 3 && (s.cut || !s.words) && t.Pos.Line > s.line0 && !endsLine(text[i+1:]) && !s.hasLines()
			s.try(goOnTag, s.turtle.depth, walker{state: expectTag}, endedScore)
			s.midLine = false
		case bytes.IndexByte([]byte(";,.])}"), c) >= 0 && i > 0:
			if t.Quote == 3 && (crossed || !endsLine(text[i:])) {
				continue
			}
			s.Seek(t.Pos, t.From+int64(i))
			s.Next()
			best := s.best
			if s.look(); s.best.score < endedScore {
				s.best = best
			}
		default:
			continue
		}
		tried++
	}
	s.inText = lex.Token{}
	s.Reset(m)
}

// mayCross says that text, which seems to be in a string, begins with a brace of a graph. Or it begins with a dot,
// and after it with what may begin a statement.
func (s *search) mayCross(text []byte) bool {
	switch text[0] {
	case '{', '}':
		return s.hasGraphs()
	case '.':
		text = bytes.TrimLeft(text[1:], " \t")
		if n := lex.WordEnd(text); n+1 < len(text) && text[n] == ':' && text[n+1] > ' ' && text[n+1] != '/' {
			return true
		}
		return len(text) > 1 && text[0] == '<' && text[1] > ' '
	}
	return false
}

// endsLine says that only signs that may follow an object, and perhaps a comment, are on the
// line that text begins with.
func endsLine(text []byte) bool {
	for _, c := range text {
		switch c {
		case '\n', '\r', '#':
			return true
		case ' ', '\t', ';', ',', '.', ']', ')', '}':
		default:
			return false
		}
	}
	return true
}

// isTail says that the current token, a string in three quotes, most likely begins where another
// one ends whose beginning is lost. After these quotes comes a tag and what follows a literal, or
// what follows a literal up to the end of the line.
func (r *turtle) isTail() bool {
	if r.Tok.Quote != 3 || r.Tok.From < r.Base {
		return false
	}
	text := r.Bytes(&r.Tok)[3:]
	rest := text
	switch {
	case len(text) > 2 && text[0] == '@' && lex.Class[text[1]]&lex.Letter != 0:
		rest = text[1+lex.WordEnd(text[1:]):]
	case len(text) > 3 && text[0] == '^' && text[1] == '^':
		if rest = text[2:]; rest[0] == '<' {
			end := bytes.IndexByte(rest, '>')
			if end < 0 || bytes.ContainsAny(rest[:end], " \t\r\n\"") {
				return false
			}
			rest = rest[end+1:]
		} else if end, colon := lex.PlainName(rest); colon > 0 {
			rest = rest[end:]
		}
	}
	tagged := len(rest) < len(text)
	rest = bytes.TrimLeft(rest, " \t")
	if len(rest) == 0 || bytes.IndexByte([]byte(";,.])}"), rest[0]) < 0 {
		return false
	}
	return tagged || endsLine(rest)
}
