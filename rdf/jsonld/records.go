package jsonld

import (
	"bytes"
	"fmt"

	"laundromat/internal/fault"
)

// records reads the items of an array one by one, up to behind its bracket. Its
// opening bracket, at began, has been read; outer are the brackets that are open, the
// array being the last. Each sound item, and what can be saved of one that is not, is
// handed on; false ends the reading. No more of the text is kept than an item.
//
// It returns the brackets that are still open: it may turn out that those around the
// array have ended too.
func (p *parser) records(outer []shape, began fault.Pos, hand func(*value) bool) []shape {
	m, hard, whole := mender{tokens: tokens{parser: p}}, p.hard, p.maxBytes
	between, weight := p.between, p.weight
	p.hard, p.between, m.last = nil, nil, began // what hard reads has records of its own
	for {
		if between != nil {
			between()
		}
		if !p.holding {
			p.weight = weight
		}
		s := &outer[len(outer)-1]
		p.release()
		p.depth = len(outer)
		for p.source.space(); p.passFiller(); p.source.space() {
			if between != nil {
				between()
			}
		}
		b, ok := p.peek()
		if p.err != nil {
			return nil
		}
		at := p.mark()
		if ok && p.until > 0 && at.pos.Offset >= p.until { // another top-level value is next
			p.tell(fault.JSONBracket, fault.Repair, m.last, p.at, 0, "the bracket that closes an array is missing")
			p.unclosed = true
			p.release()
			return outer[:0]
		}
		if !ok {
			if !p.cutTold {
				p.tell(fault.JSONCutShort, fault.Drop, at.pos, p.at, 1, "the document ends within the array that begins in line %d", began.Line)
			}
			p.cutTold, p.ranOut = true, true
			if s.state == wanted && !hand(&value{kind: lost, pos: at.pos, compound: &noCompound}) {
				return nil
			}
			return ended(outer[:len(outer)-1])
		}
		first, _ := p.lineAt(p.at)
		switch {
		case b == ']' && s.state != wanted && p.closesAt(0, outer) && (!first || s.indent == 0 || s.column == 0 || s.indent == at.pos.Column):
			p.at++
			p.release()
			return ended(outer[:len(outer)-1])
		case b == ',' && s.state == filled:
			p.at++
			s.state = wanted
			continue
		case s.state != filled && b != ']' && b != '}' && b != ',' && b != ':':
			p.depth, p.deep = len(outer), false
			if p.maxBytes = whole; hard != nil {
				p.maxBytes = p.hold
			}
			before := len(p.found)
			v := p.value()
			if v != nil && (p.sound(outer) || v.kind == object && p.endsLine(s, first)) && !p.misplaced(v) && !p.runsOn(s, outer, first, at.pos.Column) && !p.laidWrong(s, first, at.pos.Column) && !p.swallows(at, outer) {
				if v.kind == number && p.atEnd() { // it may go on
					v = &value{kind: lost, pos: at.pos, end: v.end, compound: &noCompound}
				}
				m.last = p.pos()
				p.see(s, first, at.pos.Column)
				p.learnStart(s, v)
				s.longest = max(s.longest, int(m.last.Offset-at.pos.Offset))
				if v.repaired = v.repaired || s.touchNext; s.astray {
					if s.untold {
						p.tellAstray(at)
						s.untold = false
					}
					v.touch()
				}
				if s.left > 0 && v.kind == object && s.lacksName(p, v, fewNamed) {
					v.nameless = true // it is what is left of the broken one
					p.tell(fault.JSONSyntax, fault.Drop, at.pos, p.keep, 0, "this is lost with what is missing or broken near it")
				}
				if left := s.left > 0 && v.kind == object && s.lacksNode(v) || p.isLeft(s, v); left || s.astray && v.kind == object && len(v.members) == 0 {
					said := 0 // by it
					if left {
						said = 1
					}
					p.tell(fault.JSONSyntax, fault.Drop, at.pos, p.keep, said, "this is lost with what is missing or broken near it")
					v = &value{kind: lost, pos: at.pos, end: v.end, compound: &noCompound}
				}
				if s.state, s.touchNext = filled, false; first && s.column == 0 {
					s.column = at.pos.Column
				}
				if !hand(v) {
					return nil
				}
				continue
			}
			p.found = p.found[:before]
		}
		long, deep := p.long, p.deep
		p.maxBytes, p.deep = whole, false
		m.far, m.forced = 0, 0
		head := 0 // bytes before the item that mean nothing
		if s.nodes && p.err == nil && !deep && !(long && hard != nil) {
			m.far = farBytes + farTimes*s.longest
			p.rewind(at)
			m.begin(at)
			head = m.token(0).from
			m.forced = p.resume(at, head, m.far, s.longest, resumeItems, outer)
			if hard != nil && bytes.Contains(p.window[p.keep:p.keep+m.forced], []byte(`"@graph"`)) {
				m.forced = 0 // the nodes may be those of a graph in the item
			}
			p.rewind(at)
		}
		switch {
		case p.err != nil:
			return nil
		case b == '{' && hard != nil && !deep && m.forced == 0:
			left := hard(at, outer)
			if p.err != nil || len(left) < len(outer) {
				return left
			}
			copy(outer, left)
			continue
		case !long && !deep:
			p.rewind(at)
			m.outer = append(m.outer[:0], outer...)
			before := len(p.found)
			p.faulty = true
			m.mend(at)
			if m.swallowed && p.err == nil {
				p.found, p.weight = p.found[:before], weight
				m.far, m.forced = 0, p.resume(at, head, m.far, s.longest, fewItems, outer)
				p.rewind(at)
				m.outer = append(m.outer[:0], outer...)
				m.mend(at)
			}
			if p.err != nil {
				return nil
			}
			if long, deep = p.long, p.deep; long || deep {
				p.found = p.found[:before]
			}
		}
		if long || deep {
			p.tooMuch(at.pos, at, 0, deep)
			s.state = filled
			continue
		}
		if !m.each(hand) {
			return nil
		}
		if p.unclosed = m.torn; m.ended > 0 {
			p.release()
			return m.left()
		}
		copy(outer, m.left())
		s.left = leftReferences
		if m.askew && !s.nodes {
			s.astray, s.untold = true, s.untold || !m.repaired
		}
		m.last = m.top().end
	}
}

// A broken item that is longer than farBytes and farTimes the longest sound one is taken
// for one that swallows others.
const farBytes, farTimes = 4 << 10, 3

// swallows says of a sound item of an array of nodes that it holds the items behind it. The text ends
// with its brackets open. One of its own brackets is missing.
func (p *parser) swallows(at mark, outer []shape) bool {
	s := &outer[len(outer)-1]
	if _, ok := p.ahead(p.behind(0)); ok || p.long || !s.nodes {
		return false
	}
	before := p.at
	n := p.resume(at, 0, farBytes+farTimes*s.longest, s.longest, resumeItems, outer)
	p.rewind(at)
	p.at = before
	return n > 0
}

// misplaced says that a value is a keyword where broken text seems to have one among values: it was a name.
func (p *parser) misplaced(v *value) bool {
	return p.faulty && v.kind == text && isKeyword(v.text)
}

// atEnd says that the text ends here.
func (p *parser) atEnd() bool {
	_, ok := p.ahead(0)
	return !ok && !p.long
}

// ended says of the innermost bracket that a value in it has ended.
func ended(outer []shape) []shape {
	if n := len(outer); n > 0 {
		outer[n-1].state = filled
	}
	return outer
}

// behind is how far from here the first byte from n on is that is no white space, and in nothing
// that says as little.
func (p *parser) behind(n int) int {
	for end := n + nearBytes; n < end; n++ {
		b, ok := p.ahead(n)
		if !ok {
			break
		}
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			f := p.source.fillerAt(n, false, true)
			if f.size == 0 {
				break
			}
			n += f.size - 1
			end += f.size
		}
	}
	return n
}

// sound says that what follows an item of an array is what can follow one.
func (p *parser) sound(outer []shape) bool {
	n := p.behind(0)
	switch b, ok := p.ahead(n); {
	case !ok:
		return !p.long
	case b == ']':
		return p.closesAt(n, outer)
	case b != ',':
		return false
	}
	n = p.behind(n + 1)
	switch b, ok := p.ahead(n); {
	case !ok:
		return !p.long
	case p.faulty && outer[len(outer)-1].nodes && b != '{':
		return false
	case b == '"':
		return !p.nameAt(n)
	case b == '{' || b == '[' || b == '-' || '0' <= b && b <= '9' || b == 't' || b == 'f' || b == 'n':
		return true
	}
	return false
}

// closingBytes is how far what follows a bracket is looked at.
const closingBytes = 64 << 10

// closesAt says that what follows the bracket at n is what can follow the array. It looks up to the
// end of the brackets around it, as far as they are looked at. An item that has a bracket too many is
// followed by its own rest.
func (p *parser) closesAt(n int, outer []shape) bool {
	ok, _ := p.followsAt(n+1, outer, false)
	return ok
}

// followsAt says so of what is at n or behind it, the innermost bracket having ended;
// comma says that a comma stands before. It is sure if the end of the brackets around was seen.
func (p *parser) followsAt(n int, outer []shape, comma bool) (ok, sure bool) {
	most := n + closingBytes
	for open := len(outer) - 1; ; n++ {
		n = p.behind(n)
		b, ok := p.ahead(n)
		if comma && ok && b != ',' {
			comma, b = false, ','
			n--
		}
		switch {
		case !ok:
			return !p.long, !p.long
		case n > most:
			return true, false
		case open == 0 && b == ',' && p.until > 0 && p.offset()+int64(p.behind(n+1)) == p.until:
			return true, true // it separates nothing
		case open == 0:
			return b != ',' && b != ']' && b != '}' && b != ':' && b != '"' && p.begins(n) && !p.isItem(n, most), true
		case tokenKind(b) == outer[open-1].closer():
			open--
		case b != ',':
			return false, true
		default:
			n = p.behind(n + 1)
			if b, ok = p.ahead(n); !outer[open-1].object {
				return ok && b != '"' && b != ',' && b != ']' && b != '}' && b != ':', false
			}
			if b != '"' || !p.nameAt(n) {
				return false, true
			}
			if n = p.behindValue(n, most); n < 0 { // the name
				return true, false
			}
			if n = p.behindValue(p.behind(p.behind(n)+1), most); n < 0 {
				return true, false
			}
			n--
		}
	}
}

// isItem says that the object at n, behind the bracket of a top-level array, is one of its items. What
// separates it from the next, or ends the array, follows it.
func (p *parser) isItem(n, most int) bool {
	if b, _ := p.ahead(n); b != '{' {
		return false
	}
	if n = p.behindValue(n, most); n < 0 {
		return false
	}
	b, _ := p.ahead(p.behind(n))
	return b == ',' || b == ']'
}

// behindValue is how far from here the value at n ends, as far as brackets and quotation marks show.
// It is -1 if that is more than most, or if what follows a quotation mark shows that one is missing.
func (p *parser) behindValue(n, most int) int {
	for depth := 0; n < most; n++ {
		b, ok := p.ahead(n)
		switch {
		case !ok && depth > 0:
			return -1
		case !ok:
			return n
		case b == '"':
			for n++; n < most; n++ {
				if b, ok = p.ahead(n); !ok || b == '"' {
					break
				}
				if b == '\\' {
					n++
				}
			}
			if depth == 0 {
				return n + 1
			}
			if b, ok = p.ahead(p.behind(n + 1)); ok && b > ' ' && bytes.IndexByte([]byte(`,:{}[]"`), b) < 0 {
				return -1
			}
		case b == '/' || b == '#':
			n += max(1, p.source.fillerAt(n, false, true).size) - 1
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			if depth--; depth == 0 {
				return n + 1
			} else if depth < 0 {
				return n
			}
		case b == ',' && depth == 0:
			return n
		}
	}
	return -1
}

// maxName is how long a name may be that is looked for.
const maxName = 512

// nameAt says that a string begins at n, with a colon behind it.
func (p *parser) nameAt(n int) bool {
	end := n + maxName
	for n++; n < end; n++ {
		switch b, ok := p.ahead(n); {
		case !ok:
			return false
		case b == '\\':
			n++
		case b == '"':
			b, _ = p.ahead(p.behind(n + 1))
			return b == ':'
		}
	}
	return false
}

// tell notes a finding, with the text around window[in].
func (p *parser) tell(code fault.Code, severity fault.Severity, at fault.Pos, in, lost int, format string, args ...any) {
	p.found = append(p.found, fault.Notice{Code: code, Severity: severity, Pos: at, Lost: lost,
		Message: fmt.Sprintf(format, args...), Excerpt: p.around(in)})
}

// tooMuch loses the value that began at a place, which is longer or deeper than it may
// be. at is the mark, where so many of its brackets are open.
func (p *parser) tooMuch(began fault.Pos, at mark, open int, deep bool) {
	p.rewind(at)
	excerpt := p.around(p.at)
	if deep {
		excerpt = p.around(p.at + int(p.deepAt.Offset-at.pos.Offset))
	}
	held := len(p.window)
	before := p.at
	if p.pass(open); p.at == before {
		p.at = held // so that there is an end
	}
	n := fault.Notice{Code: fault.LimitJSONValue, Severity: fault.Drop, Pos: began, Lost: 1, Bytes: p.offset() - began.Offset, Excerpt: excerpt}
	switch {
	case p.heavy:
		n.Message = longerThan(p.maxBytes, n.Bytes)
		p.heavy, p.weight = false, 0
	case p.hopeless:
		n.Code, n.Message = fault.JSONSyntax, fmt.Sprintf("a value with more than %d faults makes no sense, and is lost", maxFaults)
		p.hopeless = false
	case deep:
		n.Code, n.Pos = fault.LimitNesting, p.deepAt
		n.Message = fmt.Sprintf("brackets are nested more than %d deep", p.maxDepth)
	default:
		n.Message = longerThan(p.maxBytes, n.Bytes)
	}
	p.found = append(p.found, n)
	p.deep = false
}

// longerThan is what is said of a value that is too long.
func longerThan(maxBytes, bytes int64) string {
	return fmt.Sprintf("this takes %d bytes; no more than %d can be held in memory at once", bytes, maxBytes)
}

// pass passes over a value without keeping it, whatever is wrong in it. So many of its
// brackets are open.
func (p *parser) pass(depth int) {
	p.release()
	for {
		b, ok := p.peek()
		if !ok {
			return
		}
		switch b {
		case '/', '#':
			if f := p.source.fillerAt(0, false, true); f.size > 0 {
				p.at += f.size
				continue
			}
		case '"':
			p.at++
			for b, ok = p.peek(); ok && b != '"'; b, ok = p.peek() {
				if p.at++; b == '\\' {
					if _, ok = p.peek(); ok {
						p.at++
					}
				}
			}
			if !ok {
				return
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				if depth == 0 {
					p.at++
				}
				return
			}
		case ',':
			if depth == 0 {
				return
			}
		}
		p.at++
	}
}
