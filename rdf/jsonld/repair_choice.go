package jsonld

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

// ways lists what may be wrong at the next token.
func (m *mender) ways() (ways []way) {
	one := *m.token(m.i)
	may := func(k wayKind, cost int) { ways = append(ways, way{kind: k, cost: cost}) }
	closer := one.kind == '}' || one.kind == ']'
	if len(m.frames) == 0 {
		may(wayDelete, 1)
		if m.reopens(&one) {
			may(wayAgain, 2)
		}
		return ways
	}
	s := m.top().shape
	want := s.state <= wanted
	switch {
	case one.kind == tokenEnd:
	case m.layout && m.fits(m.now(), m.i, false):
		may(wayIgnore, 3)
		if closer {
			may(wayDelete, 1)
		} else if s.object && one.pos.Column > s.column {
			may(wayOpen, 2)
			may(wayOpenBoth, 3)
		}
	case m.layout && one.first && s.state == filled && m.top().lastLost && m.isName(m.i) && s.column > 0 && one.pos.Column > s.column:
		may(wayDelete, 3)
		may(wayComma, 3)
		may(wayOpen, 2)
		may(wayOpenBoth, 3)
	case one.kind == tokenBroken:
		if may(wayDelete, 2); s.state == valued || !s.object && want && !s.nodes {
			may(wayTake, 1)
		} else if s.state == filled && string(m.bytes(&one)) == ")" && len(m.frames) > len(m.outer) {
			may(wayOther, 1)
		} else if want && m.token(m.i+1).kind == ':' {
			may(wayName, 1)
		}
	case closer:
		may(wayDelete, 1)
		if len(m.frames) > m.home || m.leavesSurely(&one) {
			may(wayOther, 3)
		}
		if m.swapped(&one) {
			may(waySwap, 1)
		}
		if s.state == wanted && one.kind == s.closer() {
			may(wayClosing, 0)
		}
	case one.kind == ',', one.kind == ':' && s.state == valued:
		may(wayDelete, 1)
	case one.kind == ':' && s.object && want && m.top().v != nil:
		may(wayDelete, 3)
		may(wayUnnamed, 1)
	default:
		if m.decimal(s, &one) {
			may(wayDecimal, 0)
		}
		may(wayDelete, 3)
		if s.state == filled && one.kind != ':' {
			may(wayComma, 1)
		}
		if s.object && want && one.kind == tokenText && !m.isName(m.i) {
			may(wayNoColon, 1)
		}
		if s.object && s.state == wanted && !m.isName(m.i) && one.begins() && m.mayBeArray() {
			may(wayArray, 2)
		}
		if s.object && want && (one.kind == '{' || one.kind == '[') {
			may(wayOrphan, 2)
		}
		if m.isName(m.i) && (s.state == valued || !s.object && (want || m.layout && one.first)) {
			may(wayOpen, 3)
		}
	}
	if s.state == valued && one.kind != tokenBroken {
		may(wayNoValue, 1)
	}
	if m.reopens(&one) {
		may(wayAgain, 2)
	}
	// Brackets around the value end only if much speaks for it.
	for n := 1; n <= min(len(m.frames), maxClosings); n++ {
		around := max(0, n-(len(m.frames)-m.home))
		if n == len(m.frames) && !one.first && one.kind != tokenEnd || len(m.frames)-n < m.home && !m.leftBefore(&one, n) {
			break
		}
		if n == len(m.frames) && m.allInArray && one.kind == '{' {
			break // rather an item of the array than a value behind it
		}
		ways = append(ways, way{wayClose, n, 1 + n + 4*around})
		if m.layout && one.first && around == 0 && len(m.frames) > n && !m.frames[len(m.frames)-1-n].object && m.isName(m.i) {
			ways = append(ways, way{wayCloseOpen, n, 3 + n})
		}
	}
	if len(ways) == 0 {
		may(wayDelete, 1)
	}
	return ways
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
	n := len(f.v.members)
	if n == 0 || f.lastLost || f.v.members[n-1].value.kind == array {
		return false
	}
	switch m.meant(f.v.members[n-1].name) {
	case "@id", "id", "@value", "@language", "@index":
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
	if f := m.top(); m.closed.object && (f == nil || f.nodes) && (one.begins() || one.kind == tokenBroken || one.kind == ':') && !m.isName(m.i) {
		return false // what follows may be the rest of another node
	}
	if f := m.top(); f != nil && m.closed.v != nil && m.misled(&f.shape, m.closed.v) {
		return false
	}
	return m.back && !m.repeats()
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
			if depth == 0 && (i == m.i || m.isName(i)) && m.closed.v.get(string(m.inside(&one))) != nil {
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

// afterClosing is what a bracket waits for before a token when brackets in it have
// ended; comma says that a comma stands before the token.
func (m *mender) afterClosing(s *shape, one *token, comma bool) state {
	if (comma || one.begins()) && one.kind != ',' && one.kind != s.closer() {
		return wanted
	}
	return filled
}

// after says what would wait for what if a fault were mended in some way, and from
// which token on.
func (m *mender) after(all []shape, w way) (_ []shape, i int) {
	i = m.i
	var s *shape
	if len(all) > 0 {
		s = &all[len(all)-1]
	}
	one := *m.token(i)
	switch w.kind {
	case wayDelete:
		i++
		if s != nil && s.strays(&one) {
			s.state = filled
		}
	case wayClose:
		comma := s.state == wanted
		if all = all[:len(all)-w.close]; len(all) > 0 {
			s = &all[len(all)-1]
			s.state = m.afterClosing(s, &one, comma)
		}
	case wayComma:
		s.state = wanted
	case wayClosing:
		s.state = filled
	case wayNoValue:
		if s.state = filled; m.isName(i) {
			s.state = wanted
		}
	case wayNoColon:
		i++
		if s.state = filled; m.token(i).begins() && !m.isName(i) {
			s.state = valued
		}
	case wayOpen:
		indent := m.indentOf(s, &one)
		s.state = filled
		all = append(all, shape{object: true, indent: indent})
	case wayOpenBoth:
		indent := m.indentOf(s, &one)
		s.state = filled
		all = append(all, shape{state: filled, indent: indent}, shape{object: true, indent: indent})
	case wayCloseOpen:
		all = all[:len(all)-w.close]
		s = &all[len(all)-1]
		indent := m.indentOf(s, &one)
		s.state = filled
		all = append(all, shape{object: true, indent: indent})
	case wayOrphan:
		s.state = filled
		i++
		all = append(all, shape{object: one.kind == '{', indent: one.indent, sort: s.sort.inner()})
	case wayArray:
		s.state = filled
		all = append(all, m.arrayOf(s, &one))
	case wayTake:
		i++
		s.state = filled
	case wayName:
		i++
		s.state = named
	case wayAgain:
		comma := s != nil && s.state == wanted
		all = append(all, m.closed.shape)
		if s = &all[len(all)-1]; comma {
			s.state = wanted
		} else {
			s.state = filled
		}
	case wayOther:
		i++
		if all = all[:len(all)-1]; len(all) > 0 {
			all[len(all)-1].state = filled
		}
	case waySwap:
		i += 2
		if all = all[:len(all)-2]; len(all) > 0 {
			all[len(all)-1].state = filled
		}
	case wayIgnore:
		i++
		all = m.move(all, i-1)
	case wayUnnamed:
		i++
		s.state = valued
	case wayDecimal:
		i++
		s.state = filled
	}
	return all, i
}

// arrayOf is the array whose first item is the last member of an object, its bracket being
// lost and the token its second.
func (m *mender) arrayOf(s *shape, one *token) shape {
	if one.first && s.column > 0 {
		return shape{state: wanted, indent: s.column, column: one.pos.Column}
	}
	return shape{state: wanted, indent: one.indent}
}

// indentOf is the column of the line on which an object began that has lost its brace,
// the token being the first name in it.
func (m *mender) indentOf(s *shape, one *token) int64 {
	switch {
	case !m.layout || s.state == valued || !one.first:
		return one.indent
	case s.column < one.pos.Column:
		return s.column // 0 if it is not known
	}
	return 0
}

// manyRanOvers is how often a value is looked at for objects that ran over, and ranOverBraces how
// many braces may be missing where one did.
const manyRanOvers, ranOverBraces = 64, 3

// ranOver says that a name which fits can't be in its object, such as that of a property in a literal.
// What follows shows why. Braces are missing before it, which it puts in.
func (m *mender) ranOver(one token) bool {
	f := m.top()
	if f == nil || f.v == nil || one.kind != tokenText || m.makesSense(&f.shape, m.i) || m.ranOvers == manyRanOvers {
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
	if braces == 0 {
		return false
	}
	m.faults++
	m.begun = true
	m.closeMissing(braces, one)
	return true
}
