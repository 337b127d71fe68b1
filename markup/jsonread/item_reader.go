package jsonread

import (
	"bytes"

	"laundromat/internal/fault"
)

// itemReader reads the items of one array.
type itemReader struct {
	*parser
	mender mender // of items that are broken
	outer  []shape
	began  fault.Pos
	hand   func(*Value) bool

	// What the parser had when the array began: see the fields of these names.
	hard    func(at mark, outer []shape, long bool) []shape
	between func()
	whole   int64 // maxBytes
	held    int64 // weight
}

// array is the bracket whose items are read.
func (r *itemReader) array() *shape { return &r.outer[len(r.outer)-1] }

// reach passes over what says nothing before the next item, and gives its first byte; false at the
// end of the text.
func (r *itemReader) reach() (byte, bool) {
	r.pause()
	if !r.holding {
		r.weight = r.held
	}
	r.release()
	r.depth = len(r.outer)
	for r.source.space(); r.passFiller(); r.source.space() {
		r.pause()
	}
	return r.peek()
}

// pause calls what is to be called between items.
func (r *itemReader) pause() {
	if r.between != nil {
		r.between()
	}
}

// endsUnclosed ends an array without its bracket, where another top-level value is next.
func (r *itemReader) endsUnclosed() []shape {
	n := fault.Notice{Code: fault.JSONBracket, Severity: fault.Repair, Pos: r.mender.last}
	r.tell(n, r.at, "the bracket that closes an array is missing")
	if len(r.outer) == 1 {
		r.edit(n.Offset, n.Offset, "]")
	}
	r.unclosed = true
	r.release()
	return r.outer[:0]
}

// endsShort ends an array where the text does.
func (r *itemReader) endsShort(at mark) []shape {
	if !r.cutTold {
		n := fault.Notice{Code: fault.JSONCutShort, Severity: fault.Drop, Pos: at.pos, Lost: 1}
		r.tell(n, r.at, "the document ends within the array that begins in line %d", r.began.Line)
	}
	r.cutTold, r.ranOut = true, true
	if r.array().state == wanted && !r.hand(lostValue(at.pos)) {
		return nil
	}
	return ended(r.outer[:len(r.outer)-1])
}

// soundItem reads the item at the mark, of which first says that it begins a line. It is nil if it is
// not sound, and was read in vain.
func (r *itemReader) soundItem(at mark, first bool) *Value {
	r.depth, r.deep = len(r.outer), false
	if r.maxBytes = r.whole; r.hard != nil {
		r.maxBytes = r.hold
	}
	before := len(r.found)
	v := r.value()
	if v == nil || !r.isSound(v, at, first) {
		r.found = r.found[:before]
		return nil
	}
	return r.settled(v, at, first)
}

// isSound says that nothing shows a value which was read to be less or more than one item.
func (r *itemReader) isSound(v *Value, at mark, first bool) bool {
	if r.certain {
		return true
	}
	s := r.array()
	return r.sound(r.outer) && !r.misplaced(v) &&
		!(r.runsOn(s, r.outer, first, at.pos.Column) && r.rules.on(lineRunsOn)) &&
		!(r.laidWrong(s, first, at.pos.Column) && r.rules.on(lineWrong)) && !(r.swallows(at, r.outer) && r.rules.on(itemSwallows))
}

// settled notes a sound item, and gives what is handed on for it: itself, or a lost one in its place.
func (r *itemReader) settled(v *Value, at mark, first bool) *Value {
	s := r.array()
	if v.Kind == Number && r.atEnd() { // it may go on
		v = lostItem(v, at)
	}
	r.mender.last = r.pos()
	r.see(s, first, at.pos.Column)
	r.learnItem(s, v)
	s.longest = max(s.longest, int(r.mender.last.Offset-at.pos.Offset))
	v.Repaired = v.Repaired || s.touchNext
	if s.astray {
		if s.untold {
			r.tellAstray(at)
			s.untold = false
		}
		v.touch()
	}
	v = r.leftover(v, at)
	s.state, s.touchNext = filled, false
	if first && s.column == 0 {
		s.column = at.pos.Column
	}
	return v
}

// leftover judges whether a sound item is what is left of the broken one before it. It then has lost
// its name, or is lost itself.
func (r *itemReader) leftover(v *Value, at mark) *Value {
	s := r.array()
	near := s.left > 0 && v.Kind == Object // the broken one
	n := fault.Notice{Code: fault.JSONSyntax, Severity: fault.Drop, Pos: at.pos}
	if near && s.lacksName(r.parser, v, fewNamed) && r.rules.on(doubtNameless) {
		v.Nameless = true
		r.tell(n, r.keep, lostNearby)
	}
	switch {
	case near && s.lacksNode(r.parser, v) && r.rules.on(doubtNoNode) || r.isLeft(s, v) && r.rules.on(doubtLeft):
		n.Lost = 1 // by it
	case s.astray && v.Kind == Object && len(v.Members) == 0 && r.rules.on(doubtHollow):
	default:
		return v
	}
	r.tell(n, r.keep, lostNearby)
	return lostItem(v, at)
}

// lostNearby tells of what costs nothing more than a fault that was told.
const lostNearby = "this is lost with what is missing or broken near it"

// lostItem stands for an item that was read at the mark, and is lost.
func lostItem(v *Value, at mark) *Value {
	return &Value{Kind: Lost, Pos: at.pos, End: v.End, compound: &noCompound}
}

// lostValue stands for a value at a place that is lost.
func lostValue(at fault.Pos) *Value {
	return &Value{Kind: Lost, Pos: at, compound: &noCompound}
}

// brokenItem saves what it can of the item at the mark, which begins with a byte. It says whether the
// array is done, and which brackets are still open then.
func (r *itemReader) brokenItem(at mark, first byte) (left []shape, done bool) {
	m := &r.mender
	long, deep := r.long, r.deep
	r.maxBytes, r.deep = r.whole, false
	m.far, m.forced = 0, 0
	head := 0 // bytes before the item that mean nothing
	if r.array().nodes && r.err == nil && !deep && !(long && r.hard != nil) {
		head = r.findNext(at)
	}
	switch {
	case r.err != nil:
		return nil, true
	case first == '{' && r.hard != nil && !deep && m.forced == 0:
		left := r.hard(at, r.outer, long)
		if r.err != nil || len(left) < len(r.outer) {
			return left, true
		}
		copy(r.outer, left)
		return nil, false
	case !long && !deep:
		if long, deep = r.mendItem(at, head); r.err != nil {
			return nil, true
		}
	}
	if long || deep {
		r.tooMuch(at.pos, at, 0, deep)
		r.array().state = filled
		return nil, false
	}
	return r.handMended()
}

// findNext looks for the place where the broken item at the mark must end, since sound ones follow. It
// returns how many bytes before the item mean nothing.
func (r *itemReader) findNext(at mark) (head int) {
	m, s := &r.mender, r.array()
	m.far = farBytes + farTimes*s.longest
	r.rewind(at)
	m.begin(at)
	head = m.token(0).from
	m.forced = r.resume(at, search{head: head, most: m.far, longest: s.longest, enough: resumeItems}, r.outer)
	if m.forced > 0 && !r.rules.on(itemResumes) {
		m.forced = 0
	}
	if r.hard != nil && bytes.Contains(r.window[r.keep:r.keep+m.forced], []byte(`"`+r.words.Graph+`"`)) {
		m.forced = 0 // the nodes may be those of a graph in the item
	}
	r.rewind(at)
	return head
}

// mendItem mends the broken item at the mark. Where it seems to swallow those behind it, it is mended
// again with fewer of them as a sign of its end. It says whether the item is too long or too deep.
func (r *itemReader) mendItem(at mark, head int) (long, deep bool) {
	m := &r.mender
	r.rewind(at)
	m.outer = append(m.outer[:0], r.outer...)
	before := len(r.found)
	r.faulty = true
	m.mend(at)
	if m.swallowed && r.err == nil && r.rules.on(itemMendedAgain) {
		r.found, r.weight = r.found[:before], r.held
		s := search{head: head, most: m.far, longest: r.array().longest, enough: fewItems}
		m.far, m.forced = 0, r.resume(at, s, r.outer)
		r.rewind(at)
		m.outer = append(m.outer[:0], r.outer...)
		m.mend(at)
	}
	if r.err == nil && (r.long || r.deep) {
		r.found = r.found[:before]
	}
	return r.long, r.deep
}

// handMended hands on what was saved of a broken item. It says whether the array is done, and which
// brackets are still open then.
func (r *itemReader) handMended() (left []shape, done bool) {
	m := &r.mender
	if !m.each(r.hand) {
		return nil, true
	}
	if r.unclosed = m.torn; m.ended > 0 {
		r.release()
		return m.left(), true
	}
	copy(r.outer, m.left())
	s := r.array()
	s.left = leftReferences
	if m.askew && !s.nodes {
		s.astray, s.untold = true, s.untold || !m.repaired
	}
	m.last = m.top().end
	return nil, false
}
