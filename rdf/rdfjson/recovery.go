package rdfjson

import (
	"bytes"

	"laundromat/internal/fault"
)

// header is what a place in the text begins, as far as that can be known by itself.
type header uint8

const (
	noHeader        header = iota
	subjectHeader          // "…": { and no member of an object
	predicateHeader        // "…": [
	objectHeader           // { and the name of a member
	bareObject             // "…": { and the name of a member: an object without its array
)

// longestHeader is how long a name may be that is looked for after a fault.
const longestHeader = 8 << 10

// stringEnd is after the string that begins at a place; false if it does not end within
// longestHeader bytes or holds control characters.
func (p *parser) stringEnd(place int64) (int64, bool) {
	mark, _ := p.at(place)
	for end := place + longestHeader; place < end; {
		place++
		switch b, ok := p.at(place); {
		case !ok || b < 0x20:
			return place, false
		case b == '\\':
			place++
		case b == mark:
			return place + 1, true
		}
	}
	return place, false
}

// headerAt finds out what begins at a place.
func (p *parser) headerAt(place int64) header {
	b, _ := p.at(place)
	switch b {
	case '{':
		if p.memberAt(p.space(place + 1)) {
			return objectHeader
		}
		return noHeader
	case '"', '\'':
	default:
		return noHeader
	}
	end, ok := p.stringEnd(place)
	if !ok {
		return noHeader
	}
	colon := p.space(end)
	if b, _ := p.at(colon); b != ':' {
		return noHeader
	}
	bracket := p.space(colon + 1)
	switch b, _ := p.at(bracket); {
	case b == '[':
		return predicateHeader
	case b != '{':
		return noHeader
	}
	if p.memberAt(p.space(bracket + 1)) {
		return bareObject
	}
	return subjectHeader
}

// memberAt says that a member of an object begins at a place.
func (p *parser) memberAt(place int64) bool {
	mark, _ := p.at(place)
	if mark != '"' && mark != '\'' {
		return false
	}
	for _, name := range memberNames {
		n := len(name) + 1
		if b := p.from(place+1, n); len(b) == n && string(b[:n-1]) == name && b[n-1] == mark {
			c, _ := p.at(p.space(place + 1 + int64(n)))
			return c == ':'
		}
	}
	return false
}

var memberNames = []string{"value", "type", "lang", "datatype"}

// recover skips what is broken, from a token on, up to where reading can go on. That is the next
// name of a subject or predicate, or the next object. What is between may hide the end of what was
// open. Where it may, what follows has lost its subject or predicate.
func (p *parser) recover(t token, code fault.Code, message string) {
	n := fault.Notice{Code: code, Severity: fault.Drop, Pos: t.pos, Message: message, Excerpt: fault.Excerpt(p.lineFrom(t)), Lost: 1}
	if p.level == inObject && p.object.bad { // the loss of which is reported
		n.Lost = 0
	}
	place := t.from
	if t.long {
		place = t.to
	}
	passed, place, found := p.pass(place)
	n.Bytes = place - t.from
	p.to.Notice(n)
	if p.err != nil {
		return
	}
	p.place, p.keep, p.again, p.filled, p.comma = place, place, false, false, false
	mayClose := 0
	if p.level == inObject {
		mayClose = 1
	}
	lostSubject := p.level < inPredicates || passed.opens > 0 || passed.closes > mayClose || passed.closedBehind > 0
	lostPredicate := lostSubject || p.level < inObjects || passed.brackets > 0
	p.object.reset()
	switch found {
	case subjectHeader:
		p.level = inSubjects
	case predicateHeader, bareObject:
		p.level = inPredicates
		p.noSubject = p.noSubject || lostSubject
	case objectHeader:
		p.level = inObjects
		p.noSubject = p.noSubject || lostSubject
		p.noPredicate = p.noPredicate || lostPredicate
	default:
		p.cutTold = true
	}
}

// passedSigns counts the signs that were skipped. closedBehind are closing braces after a bracket.
type passedSigns struct{ opens, closes, brackets, closedBehind int }

// pass goes from a place on to where reading can go on, which found names.
func (p *parser) pass(from int64) (passed passedSigns, place int64, found header) {
	place, found = from, noHeader
	for first := true; ; first = false {
		b, ok := p.at(place)
		if !ok {
			return passed, place, found
		}
		// A token that is sound by itself is at fault here all the same.
		if !first && (b == '{' || b == '"' || b == '\'') && !p.escapedAt(place) {
			if found = p.headerAt(place); found != noHeader {
				return passed, place, found
			}
		}
		switch b {
		case '{':
			passed.opens++
		case '}':
			if passed.closes++; passed.brackets > 0 {
				passed.closedBehind++
			}
		case '[', ']':
			passed.brackets++
		}
		place++
		p.keep = max(p.keep, place-1)
	}
}

// escapedAt says that the byte at a place is after a backslash.
func (p *parser) escapedAt(place int64) bool {
	if place <= p.origin {
		return false
	}
	return p.window[place-p.origin-1] == '\\'
}

// lineFrom is the text from a token on, to the end of its line.
func (p *parser) lineFrom(t token) []byte {
	if t.long {
		return p.noted
	}
	return p.excerpt(t.from)
}

// skipValue skips a sound value, the first token of which was read; false if it is not sound.
func (p *parser) skipValue(t token) bool {
	var open []byte
	for {
		switch t.kind {
		case '{', '[':
			if len(open) == maxDepth {
				return false
			}
			open = append(open, byte(t.kind)+2) // the closing one
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != byte(t.kind) {
				return false
			}
			open = open[:len(open)-1]
		case tokenEnd, tokenBroken:
			return false
		}
		if len(open) == 0 {
			return t.kind != ',' && t.kind != ':'
		}
		t = p.next()
	}
}

// maxDepth bounds what is skipped.
const maxDepth = 1000

func contains(set string, b byte) bool { return bytes.IndexByte([]byte(set), b) >= 0 }
