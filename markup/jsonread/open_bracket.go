package jsonread

// shape is an open bracket, as far as what may stand behind it goes.
type shape struct {
	object bool
	nodes  bool // an array in which only objects stand
	placed bool // the array may be a list, in which the place of what is lost counts
	refers bool // references to nodes stand in it, of which nothing is said there
	left   int8 // so many more of these may be left of the broken item before; 0 if there is none
	state  state
	sort   sort
	// touchNext says that a repair touches the next value.
	touchNext bool
	astray    bool       // what follows may belong to an item before, whose brackets were mended
	untold    bool       // and no repair was told
	indent    int64      // the column of the first token on the line of the bracket; 0 if not known
	column    int64      // that of the members or items which begin a line; 0 if there was none
	rows      rows       // of an array of nodes: how its items stand on lines
	habit     *itemHabit // and what they have in common
	seen      bool       // one of them was seen
	longest   int        // of these, in bytes
}

// strays says that a token is a scalar in the place of a node, which is lost like an item of its own.
func (s *shape) strays(one *token) bool {
	return s.nodes && s.state == wanted && (one.kind == tokenText || one.kind == tokenNumber || one.kind == tokenWord)
}

// state is what an open bracket waits for.
type state uint8

const (
	empty  state = iota // a member or item, or the other bracket
	wanted              // a member or item
	named               // a colon
	valued              // the value of a member
	filled              // a comma or the other bracket
)

func (s *shape) closer() tokenKind {
	if s.object {
		return '}'
	}
	return ']'
}

// fits says that the i-th token may stand where it does. Where the text is indented
// as brackets are nested (layout), it must also stand in the right column.
func (t *tokens) fits(all []shape, i int, layout bool) bool {
	one := *t.token(i)
	if len(all) == 0 {
		return one.kind == tokenEnd || one.kind == '{' || one.kind == '['
	}
	s := &all[len(all)-1]
	if len(all) > t.home && t.beyond(&one) {
		return false // it begins the next item
	}
	if len(all) <= t.home && (one.kind == ']' || one.kind == '}') && !t.leaves(&one, all) {
		return false // there are more items
	}
	switch s.state {
	case named:
		return one.kind == ':'
	case filled:
		return one.kind == ',' || one.kind == s.closer() && s.laid(&one, s.indent, layout)
	case valued:
		return one.begins() && !t.isName(i)
	}
	switch {
	case one.kind == s.closer():
		return s.state == empty && s.laid(&one, s.indent, layout)
	case s.object:
		return t.isName(i) && s.laid(&one, s.column, layout)
	case s.nodes:
		return one.kind == '{' && s.laid(&one, s.column, layout)
	}
	return one.begins() && !t.isName(i) && s.laid(&one, s.column, layout)
}

// laid says that a token is in its column, which is not known if it is 0. Where the text is not laid out, and
// where the token does not begin a line, it may be in any.
func (s *shape) laid(one *token, column int64, layout bool) bool {
	if !layout || !one.first {
		return true
	}
	if column > 0 {
		return one.pos.Column == column
	}
	return one.kind == s.closer() || one.pos.Column > s.indent
}

// isName says that the i-th token is a string with a colon behind it.
func (t *tokens) isName(i int) bool {
	return t.token(i).kind == tokenText && t.token(i+1).kind == ':'
}

// move passes over the i-th token, which fits.
func (t *tokens) move(all []shape, i int) []shape {
	one := *t.token(i)
	if len(all) == 0 {
		if one.kind != tokenEnd {
			all = append(all, shape{object: one.kind == '{', indent: one.indent})
		}
		return all
	}
	s := &all[len(all)-1]
	switch {
	case one.kind == ',':
		s.state = wanted
	case one.kind == ':':
		s.state = valued
	case one.kind == '}' || one.kind == ']':
		if all = all[:len(all)-1]; len(all) > 0 {
			all[len(all)-1].state = filled
		}
	default:
		if one.first && s.column == 0 && s.state <= wanted {
			s.column = one.pos.Column
		}
		if s.object && s.state <= wanted {
			s.state = named
			s.sort, _ = t.sorted(s.sort, &one)
			break
		}
		s.state = filled
		if one.kind == '{' || one.kind == '[' {
			all = append(all, shape{object: one.kind == '{', indent: one.indent, sort: s.sort.inner()})
		}
	}
	return all
}

// makesSense says that an object can have the name that the i-th token is, if it is one. It says, too,
// that no scalar is among the nodes of a graph.
func (t *tokens) makesSense(s *shape, i int) bool {
	one := *t.token(i)
	if !s.object && s.sort.inGraph {
		return one.kind != tokenText && one.kind != tokenNumber && one.kind != tokenWord || !t.rules.on(trialSense)
	}
	if !s.object || s.state > wanted || one.kind != tokenText {
		return true
	}
	_, ok := t.sorted(s.sort, &one)
	return ok || !t.rules.on(trialSense)
}

// forgiven is how many faults more a trial passes, and costForgiven how many tokens must fit
// behind one for it to be worth that.
const forgiven, costForgiven = 4, 8

// trial counts the tokens from the i-th on that fit and make sense, up to most, and says
// whether the value ends among them. Faults behind the first are passed, so that they do not
// hide what follows them. It changes all.
func (t *tokens) trial(all []shape, i, most int, layout bool) (n int, ended bool) {
	home := len(all) <= t.home && (t.bound == 0 || t.guessed)
	return t.goOn(all, passage{first: i, most: most, home: home, layout: layout})
}

// mayBeSecond says that the i-th token, the first of a trial, may be a fault of its own behind the one
// that is mended. It is half a token, or the bracket behind a comma when what was between them was
// left out.
func (t *tokens) mayBeSecond(all []shape, i int) bool {
	one := t.token(i)
	if one.kind == tokenBroken {
		return true
	}
	if len(all) <= t.home {
		return false
	}
	s := &all[len(all)-1]
	return one.kind == s.closer() && s.state == wanted
}

// passage is how far a trial has come: tokens, and faults among them that were passed.
type passage struct {
	first, most int  // the token that the trial begins with, and how many are tried
	home        bool // the value ends at once
	layout      bool // tokens must be in the right column, too

	tokens, faults int
	ended          bool // the value has
}

// goOn goes on with a trial.
func (t *tokens) goOn(all []shape, p passage) (n int, ended bool) {
	best, bestEnded := 0, false
	for ; p.tokens < p.most; p.tokens++ {
		next := p.first + p.tokens
		if one := t.token(next); t.bound > 0 && one.from >= t.bound {
			if len(all) == t.home { // it ends where lines tell that it does
				p.tokens, p.ended = p.most, true
			}
			break
		}
		if !t.fits(all, next, p.layout) || len(all) > 0 && !t.makesSense(&all[len(all)-1], next) {
			if p.tokens == 0 && !t.mayBeSecond(all, next) || p.faults == forgiven || len(all) <= t.home {
				break
			}
			passed, ok := t.forgive(all, next)
			if !ok {
				break
			}
			all = passed
			if score := p.score(); score > best {
				best, bestEnded = score, p.ended
			}
			p.faults++
			continue
		}
		if t.token(next).kind == tokenEnd {
			p.tokens, p.ended = p.most, true
			break
		}
		if len(all) <= t.home && t.leavesUnsure(all, next) {
			break
		}
		all = t.move(all, next)
		p.ended = p.ended || p.home || len(all) <= max(t.home, t.around) && (t.bound == 0 || t.guessed)
	}
	if score := p.score(); score > best {
		return score, p.ended
	}
	return best, bestEnded
}

// score is what a trial that has come so far speaks for its repair.
func (p *passage) score() int { return p.tokens - p.faults*costForgiven }

// forgive passes over the i-th token, which does not fit, as far as it is a fault of its own. It is
// half a string or number in the place of a value, or a bracket that closes nothing. Or it is a comma
// too many or too few, also before a closing bracket.
func (t *tokens) forgive(all []shape, i int) ([]shape, bool) {
	if !t.rules.on(trialFaults) {
		return all, false
	}
	s, one := &all[len(all)-1], *t.token(i)
	switch {
	case one.kind == tokenBroken && (s.state == valued || !s.object && s.state <= wanted && !s.nodes):
		s.state = filled
	case one.kind == tokenBroken && s.object && s.state <= wanted && t.token(i+1).kind == ':':
		s.state = named
	case one.kind == ',' && s.state == wanted:
	case s.state == filled && one.begins() && s.object == t.isName(i): // a comma is missing before it
		s.state = wanted
		return t.move(all, i), true
	case (one.kind == '}' || one.kind == ']') && one.kind != s.closer():
	case one.kind == s.closer() && s.state == wanted:
		return t.move(all, i), true
	default:
		return all, false
	}
	return all, true
}

// leavesUnsure says that the i-th token closes a bracket around all nodes, for all that is known. What
// follows was not seen to be the end. A repair that leads there has nothing for it.
func (t *tokens) leavesUnsure(all []shape, i int) bool {
	one := *t.token(i)
	if len(all) == 0 || one.kind != ']' && one.kind != '}' {
		return false
	}
	_, sure := t.leaving(&one, all)
	return !sure
}

// laidOutTokens is how many tokens are looked at to see whether a text is laid out.
const laidOutTokens = 400

// sample says how a stretch of text that was looked at is laid out.
type sample struct {
	from, to int64 // offsets, between which a value may begin that it goes for
	laidOut  bool
}

// laidOut says that lines are indented as brackets are nested, as far as the first tokens show it.
// Where the first name that begins a line is no further inward than the brace that it is in, they are
// not. That holds however well they are below each other. A value that begins in the first half of
// what was looked at for another is judged as that was. So the work does not grow with the faults.
func (t *tokens) laidOut() bool {
	if s := &t.sample; t.began < s.from || t.began >= s.to {
		s.from, s.laidOut = t.began, t.looksLaidOut()
		i := min(laidOutTokens/2, t.dropped+len(t.all)-1)
		s.to = t.began + int64(t.token(i).from)
	}
	return t.sample.laidOut
}

func (t *tokens) looksLaidOut() bool {
	right, wrong := 0, 0
	open, outermost := 0, t.token(0).indent
	for i := 1; i < laidOutTokens; i++ {
		one, last := *t.token(i), *t.token(i - 1)
		switch last.kind {
		case '{', '[':
			open++
		case '}', ']':
			open--
		}
		if one.kind == tokenEnd {
			break
		}
		if !one.first {
			continue
		}
		if right+wrong == 0 && open > 0 && one.pos.Column <= outermost && t.isName(i) {
			return false
		}
		inward := last.kind == '{' || last.kind == '['
		outward := one.kind == '}' || one.kind == ']'
		var ok bool
		switch column := one.pos.Column; {
		case inward && outward:
			ok = column == last.indent
		case inward:
			ok = column > last.indent
		case outward:
			ok = column < last.indent
		case last.kind == ',':
			ok = column == last.indent
		default:
			continue
		}
		if ok {
			right++
		} else {
			wrong++
		}
	}
	return right >= 3 && wrong*8 <= right
}
