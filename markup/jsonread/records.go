package jsonread

import (
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
func (p *parser) records(outer []shape, began fault.Pos, hand func(*Value) bool) []shape {
	r := itemReader{parser: p, mender: mender{tokens: tokens{parser: p}, last: began}, outer: outer, began: began, hand: hand,
		hard: p.hard, between: p.between, whole: p.maxBytes, held: p.weight}
	p.hard, p.between = nil, nil // what hard reads has records of its own
	for {
		b, ok := r.reach()
		if p.err != nil {
			return nil
		}
		at := p.mark()
		switch {
		case ok && p.until > 0 && at.pos.Offset >= p.until:
			return r.endsUnclosed()
		case !ok:
			return r.endsShort(at)
		}
		s := &outer[len(outer)-1]
		first, _ := p.lineAt(p.at)
		switch {
		case b == ']' && s.state != wanted && p.certain, b == ']' && s.state != wanted && p.closesAt(0, outer) &&
			(!first || s.indent == 0 || s.column == 0 || s.indent == at.pos.Column):
			p.at++
			p.release()
			return ended(outer[:len(outer)-1])
		case b == ',' && s.state == filled:
			p.at++
			s.state = wanted
			continue
		case s.state != filled && beginsItem(b):
			if v := r.soundItem(at, first); v != nil {
				if !hand(v) {
					return nil
				}
				continue
			}
		}
		if left, done := r.brokenItem(at, b); done {
			return left
		}
	}
}

// beginsItem says that a byte may begin an item of an array, whatever follows it.
func beginsItem(b byte) bool { return b != ']' && b != '}' && b != ',' && b != ':' }

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
	n := p.resume(at, search{most: farBytes + farTimes*s.longest, longest: s.longest, enough: resumeItems}, outer)
	p.rewind(at)
	p.at = before
	return n > 0
}

// misplaced says that a value is a keyword where broken text seems to have one among values: it was a name.
func (p *parser) misplaced(v *Value) bool {
	return p.faulty && v.Kind == Text && p.guide.IsWord(v.Text) && p.rules.on(doubtKeyword)
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

// tell notes a finding, with a message and the text around window[in].
func (p *parser) tell(n fault.Notice, in int, format string, args ...any) {
	n.Message, n.Excerpt = fmt.Sprintf(format, args...), p.around(in)
	p.found = append(p.found, n)
}

// edit adds an edit to the last finding, if edits are asked for.
func (p *parser) edit(from, to int64, with string) {
	if n := &p.found[len(p.found)-1]; p.edits {
		n.Edits = append(n.Edits, fault.Edit{From: from, To: to, With: with})
	}
}

// tooMuch loses the value that began at a place, which is longer or deeper than it may be.
// The mark at is where so many of its brackets are open.
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
	n := fault.Notice{Code: fault.LimitJSONValue, Severity: fault.Drop, Pos: began, Lost: 1, Bytes: p.offset() - began.Offset,
		Excerpt: excerpt}
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
