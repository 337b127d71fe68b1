package ttl

import "bytes"

// maxWithin is how many places within a string are tried.
const maxWithin = 64

// within looks for a place to go on in what the lexer took for a string, the token t:
// where a quotation mark is missing, strings and what is between them are exchanged up
// to the end of the line. The places are behind each quotation mark, and at each sign that
// may follow an object.
func (s *search) within(t token, tried int) {
	if t.to == 0 || s.depth > 0 || t.from < s.base {
		return
	}
	if t.to-s.base > int64(len(s.buf)) || !s.spend(t.to-t.from) {
		return
	}
	m := s.mark()
	present := t.from == m.tok.from
	text := bytes.Clone(s.buf[t.from-s.base : min(t.to-s.base, t.from-s.base+16<<10)])
	s.inText = t
	quotes := len(text) // behind which nothing is tried that the tokens do not say already
	if t.kind == stringToken {
		quotes -= int(t.quote)
	}
	crossed := false // another statement may have begun
	for i := 0; i < len(text) && tried < maxWithin && s.best.score < fullScore; i++ {
		crossed = crossed || i > 0 && t.quote == 3 && s.mayCross(text[i:])
		switch c := text[i]; {
		case (c == '"' || c == '\'') && !crossed && present && i < quotes && t.quote > 0 && (s.near || s.turtle.depth > 0):
			if t.quote == 3 && i+2 < len(text) && text[i+1] == c && text[i+2] == c {
				i += 2
			}
			switch s.state {
			case expectEnd, expectObject, expectTag, expectDatatype, expectMember, expectTripleEnd, expectTripleObject:
			case expectVerb:
				if t.quote != 3 {
					continue
				}
			default:
				continue
			}
			if !s.near || s.state == expectMember && (s.quoted || i > 0) {
				continue
			}
			s.seek(t.pos, t.from+int64(i)+1)
			s.next()
			s.midLine = t.quote == 3 && (s.cut || !s.words) && t.pos.Line > s.line0 && !endsLine(text[i+1:]) && !s.hasLines()
			s.try(goOnTag, s.turtle.depth, walker{state: expectTag}, endedScore)
			s.midLine = false
		case bytes.IndexByte([]byte(";,.])}"), c) >= 0 && i > 0:
			if t.quote == 3 && (crossed || !endsLine(text[i:])) {
				continue
			}
			s.seek(t.pos, t.from+int64(i))
			s.next()
			best := s.best
			if s.look(); s.best.score < endedScore {
				s.best = best
			}
		default:
			continue
		}
		tried++
	}
	s.inText = token{}
	s.reset(m)
}

// mayCross says that text, which stands in what seems to be a string, begins with a brace of a graph, or with a dot
// and what may begin a statement behind it.
func (s *search) mayCross(text []byte) bool {
	switch text[0] {
	case '{', '}':
		return s.hasGraphs()
	case '.':
		text = bytes.TrimLeft(text[1:], " \t")
		if n := wordEnd(text); n+1 < len(text) && text[n] == ':' && text[n+1] > ' ' && text[n+1] != '/' {
			return true
		}
		return len(text) > 1 && text[0] == '<' && text[1] > ' '
	}
	return false
}

// endsLine says that only signs that may follow an object, and perhaps a comment, stand on the
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

// isTail says that the present token, a string in three quotes, begins where another one ends, most
// likely, the beginning of which is lost: a tag and what follows a literal stand behind these
// quotes, or what follows one up to the end of the line.
func (r *turtle) isTail() bool {
	if r.tok.quote != 3 || r.tok.from < r.base {
		return false
	}
	text := r.bytes(&r.tok)[3:]
	rest := text
	switch {
	case len(text) > 2 && text[0] == '@' && class[text[1]]&letter != 0:
		rest = text[1+wordEnd(text[1:]):]
	case len(text) > 3 && text[0] == '^' && text[1] == '^':
		if rest = text[2:]; rest[0] == '<' {
			end := bytes.IndexByte(rest, '>')
			if end < 0 || bytes.ContainsAny(rest[:end], " \t\r\n\"") {
				return false
			}
			rest = rest[end+1:]
		} else if end, colon := plainName(rest); colon > 0 {
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
