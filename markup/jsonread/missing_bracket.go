package jsonread

import "laundromat/internal/fault"

// closeMissing ends brackets that are not closed before a token.
func (m *mender) closeMissing(count int, one token) {
	f := m.top()
	comma, place := f.state == wanted, f.end
	what := "bracket that closes an array"
	if f.object {
		what = "brace that closes an object"
	}
	void, cost, closers := f.void, false, ""
	m.cutNumber(f, &one)
	for range count {
		closers += string(m.top().closer())
		if f := m.top(); f.v == nil {
			m.torn = true
		} else {
			f.dead = f.dead || m.oneLine && f.sort.context && f.object // the line may go on with it
			cost = m.closeOne(f, m.layout && one.first && f.column > 0) || cost
		}
		m.pop(false)
	}
	m.told(fault.JSONBracket, fault.Repair, place, "the %s is missing", what)
	m.edit(place.Offset, place.Offset, closers)
	m.touchAround()
	if cost && !void {
		m.told(fault.JSONBracket, fault.Drop, place, "without the %s it is not sure what belongs to it", what)
	}
	if f := m.top(); f != nil {
		f.state = m.afterClosing(&f.shape, &one, comma)
	}
}

// closeOne makes ready an object or array whose bracket is missing, and says whether something is lost by it.
// If the layout shows where it ends, as it does where members begin lines, sure is true.
func (m *mender) closeOne(f *frame, sure bool) (cost bool) {
	if f.state == named || f.state == valued {
		m.lose(f)
		cost = true
	}
	m.touchLast(f)
	f.v.Repaired, f.v.unclosed = true, !f.object
	if !f.object {
		if n := len(f.v.Items); f.state == wanted || n > 0 && f.v.Items[n-1].Kind == Lost {
			m.cutOff(f)
		}
		return cost
	}
	if len(f.v.Members) == 0 && !f.sort.context && m.rules.on(doubtNoMembers) {
		f.dead = true // whatever was in it is gone
	}
	if sure {
		return cost
	}
	if f.v.Get(m.words.Value) != nil && f.v.Get(m.words.Type) == nil && f.v.Get(m.words.Language) == nil && m.rules.on(doubtLiteral) {
		f.dead = true // they may have been there
		return true
	}
	// The object behind which it is may be the one that is not closed, and its members those of this one.
	// Or it is any that is in it.
	f.v.touchBehind()
	return m.rules.on(doubtUnsure) && m.loseUnsure(f) || cost
}

// loseUnsure loses what may belong to an object without its brace or to the one that is its last value,
// or in that. It says whether there is something.
func (m *mender) loseUnsure(f *frame) bool {
	v := f.v
	for n := len(v.Members); n > 0; n = len(v.Members) {
		inner := v.Members[n-1].Value
		switch {
		case inner.Kind != Object, len(inner.Members) == 0, inner.Get(m.words.Value) != nil:
			return false
		case len(inner.Members) > 1:
			return m.loseUnsureIn(f, inner, v == f.v)
		}
		v = inner
	}
	return false
}

// loseUnsureIn loses what may belong to an object without its brace or to inner, in it; last says that
// this is its last value.
func (m *mender) loseUnsureIn(f *frame, inner *Value, last bool) bool {
	for i := 1; i < len(inner.Members); i++ {
		if m.isID(inner.Members[i].Name) && !m.hasID(f.v) {
			f.nameless = true
		}
	}
	if m.hasID(inner) && !m.isID(inner.Members[0].Name) || inner.Members[0].Name == m.words.Context || !last {
		m.drop(f)
		return true
	}
	sure := m.sureMembers(f.v, inner)
	if sure == len(inner.Members) {
		return false
	}
	m.gone(inner.Members[sure].Pos, inner.End)
	inner.Members, inner.index, inner.Partial = inner.Members[:sure], nil, true
	f.v.Partial = true
	return true
}

// sureMembers is how many members of the last value of an object are its own. The others are not those
// of the object, which would have two of one name.
func (m *mender) sureMembers(outer, inner *Value) int {
	for i := len(inner.Members) - 1; i > 0; i-- {
		name := inner.Members[i].Name
		if m.isID(name) && m.hasID(outer) || outer.Get(name) != nil {
			return i + 1
		}
	}
	return 1
}
