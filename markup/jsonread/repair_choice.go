package jsonread

import "slices"

// way is a way to mend a fault.
type way struct {
	kind  wayKind
	close int // brackets that end, for wayClose and wayCloseOpen
	cost  int
}

type wayKind uint8

const (
	wayDelete    wayKind = iota // the token is too much
	wayClose                    // brackets are missing before it
	wayComma                    // a comma is
	wayClosing                  // the comma before it is too much
	wayNoValue                  // the value before it is missing
	wayNoColon                  // the colon behind it
	wayOpen                     // a brace before it
	wayOpenBoth                 // a bracket and a brace before it
	wayCloseOpen                // brackets before it, and then a brace
	wayOrphan                   // the name before it
	wayArray                    // the bracket before the last value
	wayTake                     // it is half a value
	wayName                     // it is half a name
	wayAgain                    // the last closing bracket was too much
	wayOther                    // it is the wrong closing bracket
	waySwap                     // it and the one behind it are the wrong way round
	wayIgnore                   // only its column is wrong
	wayUnnamed                  // it is a colon whose name is missing
	wayDecimal                  // it is what stands behind a decimal comma
	wayKinds                    // how many there are
)

// bends says that a repair may move what follows into another bracket, or out of one. What is next
// shows no place for the bracket, nor does the layout.
func (m *mender) bends(w way, one *token) bool {
	if f := m.top(); m.layout && one.first && f != nil && f.column > 0 {
		return false
	}
	switch w.kind {
	case wayClose, wayOpenBoth, wayCloseOpen, wayOrphan, wayArray, wayAgain:
		return true
	case wayOpen:
		return m.top().state != valued
	case wayOther:
		return one.kind != tokenBroken
	case wayDelete:
		return one.kind == '{' || one.kind == '[' || one.kind == '}' || one.kind == ']'
	}
	return false
}

// choices are ways among which one is chosen.
type choices []way

// may adds a way.
func (c *choices) may(kind wayKind, cost int) { *c = append(*c, way{kind: kind, cost: cost}) }

// ways lists what may be wrong at the next token.
func (m *mender) ways() []way {
	one := *m.token(m.i)
	var c choices
	if len(m.frames) == 0 {
		c.may(wayDelete, 1)
		if m.reopens(&one) && m.rules.on(ruleNumber(wayAgain)) {
			c.may(wayAgain, 2)
		}
		return c
	}
	s := m.top().shape
	closer := one.kind == '}' || one.kind == ']'
	switch {
	case one.kind == tokenEnd:
	case m.layout && m.fits(m.now(), m.i, false):
		c.wrongColumn(&s, &one, closer)
	case m.inwardBehindLost(&s, &one):
		c.may(wayDelete, 3)
		c.may(wayComma, 3)
		c.may(wayOpen, 2)
		c.may(wayOpenBoth, 3)
	case one.kind == tokenBroken:
		m.waysAtBroken(&c, &s, &one)
	case closer:
		m.waysAtCloser(&c, &s, &one)
	case one.kind == ',', one.kind == ':' && s.state == valued:
		c.may(wayDelete, 1)
	case one.kind == ':' && s.object && s.state <= wanted && m.top().v != nil:
		c.may(wayDelete, 3)
		c.may(wayUnnamed, 1)
	default:
		m.waysAtValue(&c, &s, &one)
	}
	if s.state == valued && one.kind != tokenBroken {
		c.may(wayNoValue, 1)
	}
	if m.reopens(&one) {
		c.may(wayAgain, 2)
	}
	m.waysToClose(&c, &one)
	c = slices.DeleteFunc(c, func(w way) bool { return !m.rules.on(ruleNumber(w.kind)) })
	if len(c) == 0 {
		c.may(wayDelete, 1)
	}
	return c
}

// inwardBehindLost says that a name begins a line behind a member that is lost, further inward than
// members do.
func (m *mender) inwardBehindLost(s *shape, one *token) bool {
	return m.layout && one.first && s.state == filled && m.top().lastLost && m.isName(m.i) && s.column > 0 && one.pos.Column > s.column
}

// wrongColumn lists what may be wrong at a token that fits but for its column.
func (c *choices) wrongColumn(s *shape, one *token, closer bool) {
	c.may(wayIgnore, 3)
	if closer {
		c.may(wayDelete, 1)
	} else if s.object && one.pos.Column > s.column {
		c.may(wayOpen, 2)
		c.may(wayOpenBoth, 3)
	}
}

// waysAtBroken lists what half a token may be.
func (m *mender) waysAtBroken(c *choices, s *shape, one *token) {
	c.may(wayDelete, 2)
	want := s.state <= wanted
	switch {
	case s.state == valued, !s.object && want && !s.nodes:
		c.may(wayTake, 1)
	case s.state == filled && string(m.bytes(one)) == ")" && len(m.frames) > len(m.outer):
		c.may(wayOther, 1)
	case want && m.token(m.i+1).kind == ':':
		c.may(wayName, 1)
	}
}

// waysAtCloser lists what may be wrong at a closing bracket.
func (m *mender) waysAtCloser(c *choices, s *shape, one *token) {
	c.may(wayDelete, 1)
	if len(m.frames) > m.home || m.leavesSurely(one) {
		c.may(wayOther, 3)
	}
	if m.swapped(one) {
		c.may(waySwap, 1)
	}
	if s.state == wanted && one.kind == s.closer() {
		c.may(wayClosing, 0)
	}
}

// waysAtValue lists what may be wrong at a token with which a value or name begins, or at a colon.
func (m *mender) waysAtValue(c *choices, s *shape, one *token) {
	want, isName := s.state <= wanted, m.isName(m.i)
	if m.decimal(*s, one) {
		c.may(wayDecimal, 0)
	}
	c.may(wayDelete, 3)
	if s.state == filled && one.kind != ':' {
		c.may(wayComma, 1)
	}
	if s.object && want && one.kind == tokenText && !isName {
		c.may(wayNoColon, 1)
	}
	if s.object && s.state == wanted && !isName && one.begins() && m.mayBeArray() {
		c.may(wayArray, 2)
	}
	if s.object && want && (one.kind == '{' || one.kind == '[') {
		c.may(wayOrphan, 2)
	}
	if isName && (s.state == valued || !s.object && (want || m.layout && one.first)) {
		c.may(wayOpen, 3)
	}
}

// waysToClose lists how many brackets may be missing before a token. Those around the value end only
// if much speaks for it.
func (m *mender) waysToClose(c *choices, one *token) {
	for n := 1; n <= min(len(m.frames), maxClosings); n++ {
		around := max(0, n-(len(m.frames)-m.home))
		if n == len(m.frames) && !one.first && one.kind != tokenEnd || len(m.frames)-n < m.home && !m.leftBefore(one, n) {
			break
		}
		if n == len(m.frames) && m.allInArray && one.kind == '{' {
			break // rather an item of the array than a value behind it
		}
		*c = append(*c, way{wayClose, n, 1 + n + 4*around})
		if m.layout && one.first && around == 0 && len(m.frames) > n && !m.frames[len(m.frames)-1-n].object && m.isName(m.i) {
			*c = append(*c, way{wayCloseOpen, n, 3 + n})
		}
	}
}

// decimal says that the token and the last value are a number with a decimal comma.
func (m *mender) decimal(s shape, one *token) bool {
	if one.kind != tokenNumber || !s.object || s.state != wanted || m.i < 2 {
		return false
	}
	f := m.top()
	if f.v == nil || len(f.v.Members) == 0 {
		return false
	}
	last := f.v.Members[len(f.v.Members)-1].Value
	return last.Kind == Number && last.Pos == m.token(m.i-2).pos &&
		m.token(m.i-1).to == one.from && m.token(m.i-2).to == one.from-1
}

// swapped says that a closing bracket and the one behind it would close what is open if they were the other way round.
func (m *mender) swapped(one *token) bool {
	n := len(m.frames)
	if n < len(m.outer)+2 || m.frames[n-1].state != filled || one.kind != m.frames[n-2].closer() {
		return false
	}
	next := m.token(m.i + 1)
	return next.kind == m.frames[n-1].closer() && !next.first
}

// mayBeArray says that the last member of an object can be an array with its value as the first item.
func (m *mender) mayBeArray() bool {
	f := m.top()
	n := len(f.v.Members)
	if n == 0 || f.lastLost || f.v.Members[n-1].Value.Kind == Array {
		return false
	}
	switch m.meant(f.v.Members[n-1].Name) {
	case m.words.ID, m.words.Usual.ID, m.words.Value, m.words.Language, m.words.Index:
		return f.sort.context
	}
	return true
}

// leavesSurely says that a closing bracket is one of those around all nodes. A repair needs more than
// that it may be, since all that follows would be lost.
func (m *mender) leavesSurely(one *token) bool {
	ok, sure := m.leaving(one, m.now())
	return ok && sure
}

// reopens says that the token may belong to what was closed last. A name that is there already does
// not. Of what follows a node among others, nothing but a name does: else those behind it could become
// its values.
func (m *mender) reopens(one *token) bool {
	if f := m.top(); m.closed.object && (f == nil || f.nodes) && (one.begins() || one.kind == tokenBroken || one.kind == ':') &&
		!m.isName(m.i) {
		return false // what follows may be the rest of another node
	}
	if f := m.top(); f != nil && m.closed.v != nil && m.misled(&f.shape, m.closed.v) {
		return false
	}
	return m.back && !(m.repeats() && m.rules.on(doubtRepeat))
}

// repeatTokens is how many tokens are searched for a name that the bracket closed last has.
const repeatTokens = 64

// repeats says that a name follows which stands already in what was closed last.
func (m *mender) repeats() bool {
	if !m.closed.object {
		return false
	}
	depth := 0
	for i := m.i; i < m.i+repeatTokens && depth >= 0; i++ {
		switch one := *m.token(i); one.kind {
		case tokenEnd:
			return false
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case tokenText:
			if depth == 0 && (i == m.i || m.isName(i)) && m.closed.v.Get(string(m.inside(&one))) != nil {
				return true
			}
		}
	}
	return false
}

// leftBefore says that brackets around all nodes may be missing before a token, so many
// brackets ending there.
func (m *mender) leftBefore(one *token, ending int) bool {
	if m.within(one) || one.kind == tokenEnd {
		return !m.within(one)
	}
	all := m.now()
	ok, sure := m.followsAt(one.from, all[:len(all)-ending+1], all[len(all)-1].state == wanted)
	return ok && sure
}

// maxClosings is how many brackets are taken to be missing in one place.
const maxClosings = 12

// manyRanOvers is how often a value is looked at for objects that ran over, and ranOverBraces how
// many braces may be missing where one did.
const manyRanOvers, ranOverBraces = 64, 3

// ranOver says that a name which fits can't be in its object, such as that of a property in a literal.
// What follows shows why. Braces are missing before it, which it puts in.
func (m *mender) ranOver(one token) bool {
	f := m.top()
	if m.certain || f == nil || f.v == nil || one.kind != tokenText || m.makesSense(&f.shape, m.i) || m.ranOvers == manyRanOvers {
		return false
	}
	m.ranOvers++
	all := m.now()
	all[len(all)-1].sort = sort{kind: nodeSort, context: f.sort.context} // it may be a mistake in a sound text
	best, _ := m.trial(m.move(all, m.i), m.i+1, trialTokens, m.layout)
	braces := 0
	for n := 1; n <= min(ranOverBraces, len(m.frames)-m.home-1); n++ {
		all, i := m.after(m.now(), way{wayClose, n, 0})
		if reach, _ := m.trial(all, i, trialTokens, m.layout); reach-costTokens*(1+n) > best {
			best, braces = reach, n
		}
	}
	if braces == 0 || !m.rules.on(objectEndsBefore) {
		return false
	}
	m.faults++
	m.begun = true
	m.closeMissing(braces, one)
	return true
}
