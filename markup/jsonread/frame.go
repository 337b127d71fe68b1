package jsonread

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// frame is an open bracket in broken text, with what was read behind it.
type frame struct {
	shape
	v    *Value // nil for a bracket around what is being mended
	seen map[string]int
	m    Member    // the present one
	end  fault.Pos // behind the last value, where a bracket that is missing should stand
	void bool      // it is lost, whatever is in it

	// A repair touches all that follows; the next value is lost, or the last was.
	touch, voidNext, lastLost bool
	adrift                    bool // the next value is lost, but not the nodes in it
	// torn: a graph has lost its bracket, and what follows may stand in it.
	torn bool
	// dead: a member was lost without which the others mean nothing. For typeless, that is @type,
	// without which values mean something else. For nameless, it is @id, without which only the nodes
	// in it can be read.
	dead, typeless, nameless bool
	valueless                bool // it may have been @value
}

// add adds a sound value: an item, or the value of the present member.
func (m *mender) add(f *frame, v *Value) {
	v.Repaired = v.Repaired || f.touch || f.touchNext
	f.touchNext, f.lastLost = false, false
	if f.v == nil {
		m.addAround(f, v)
		return
	}
	if f.voidNext {
		if f.adrift && m.rules.on(keepAdrift) {
			m.drift(f, v)
		}
		f.voidNext, f.adrift, f.lastLost = false, false, true
		return
	}
	f.v.Gaps = f.v.Gaps || v.Gaps
	if !f.object {
		f.v.Items = append(f.v.Items, v)
		f.v.Partial = f.v.Partial || v.Partial
		return
	}
	f.m.Value = v
	if v.Partial {
		f.v.Partial = true
		if name := m.meant(f.m.Name); name == m.words.Context || name == m.words.Value {
			f.dead = true
		}
	}
	f.dead = f.dead || v.Gaps && m.meant(f.m.Name) == m.words.Value
	if m.isID(f.m.Name) && m.faults > 0 {
		if old := f.v.Get(f.m.Name); old != nil && !Same(old, v) {
			f.nameless = true // one of them may be that of another node
		} else if m.askew && m.habit.known() && m.says(f.v) {
			f.nameless = true // it may be that of a node in it, whose brace is gone
		}
	}
	m.note(&f.m)
	f.v.Members, f.seen = m.put(f.v.Members, 0, f.seen, f.m)
}

// addAround adds a sound value to a bracket around what is being mended.
func (m *mender) addAround(f *frame, v *Value) {
	switch {
	case f.voidNext: // behind what is left of a name
		v = lostValue(v.Pos)
	case m.certain:
	case f.nodes && !m.isNode(v) && m.rules.on(doubtNoNode), f.placed && m.misled(&f.shape, v) && m.rules.on(doubtReference):
		m.gone(v.Pos, v.End)
		v = lostValue(v.Pos)
	case v.Kind == Object && (v.Partial && f.lacksName(m.parser, v, sureItems) || m.item != nil && f.lacksName(m.parser, v, fewNamed)) &&
		m.rules.on(doubtNameless):
		v.Nameless = true
		m.gone(v.Pos, v.End)
	}
	f.voidNext, f.adrift = false, false
	m.complete(v)
}

// lose notes that an item or the present member is lost, which was told.
func (m *mender) lose(f *frame) {
	if f.v == nil {
		f.voidNext, f.adrift = false, false
		if !f.object && (!f.nodes || f.placed) { // it may be a list, in which its place counts
			m.complete(lostValue(f.end))
		}
		return
	}
	if m.loseTerm(f) {
		return
	}
	f.v.Partial, f.lastLost = true, true
	switch {
	case f.voidNext:
	case f.object:
		m.loseNamed(f, f.m.Name)
		m.overwritten(f)
	default:
		f.v.Items = append(f.v.Items, lostValue(f.end))
	}
	f.voidNext, f.adrift, f.touchNext = false, false, false
}

// loseTerm notes in a context that the definition of the present member's name is lost. What needs
// that term can't be known, and all else can. In a definition, each member counts.
func (m *mender) loseTerm(f *frame) bool {
	if !f.object || !f.sort.context {
		return false
	}
	if f.voidNext { // with its name, which was told
		f.voidNext, f.adrift, f.touchNext, f.lastLost = false, false, false, true
		return true
	}
	if !m.inContext() {
		f.dead = true
		return false
	}
	switch name := f.m.Name; {
	case name == "":
		return false
	case name[0] == m.words.Sign:
		m.loseKeyword(f, BrokenName{Head: name, Exact: true})
		return true
	}
	f.lastLost, f.touchNext, f.v.Gaps = true, false, true
	f.m.Value = &Value{Kind: Lost, Pos: f.m.Pos, End: f.m.Pos.Offset, compound: &noCompound}
	for i := range f.v.Members {
		if f.v.Members[i].Name == f.m.Name {
			m.gone(f.v.Members[i].Pos, f.v.Members[i].Value.End)
			f.v.Members[i] = f.m
			return true
		}
	}
	f.v.Members, f.v.index, f.seen = append(f.v.Members, f.m), nil, nil
	return true
}

// overwritten takes back the member whose name the lost one has too: only the later value counts.
func (m *mender) overwritten(f *frame) {
	before := len(f.v.Members)
	f.v.Members = slices.DeleteFunc(f.v.Members, func(earlier Member) bool {
		if earlier.Name != f.m.Name {
			return false
		}
		m.gone(earlier.Pos, earlier.Value.End)
		return true
	})
	if len(f.v.Members) < before {
		f.v.index, f.seen = nil, nil
	}
}

// loseNamed notes that the member of a name is lost.
func (m *mender) loseNamed(f *frame, name string) {
	f.v.Partial = true
	switch name = m.meant(name); {
	case name == m.words.Type || name == m.words.Usual.Type:
		f.typeless = true
	case name == m.words.ID || name == m.words.Usual.ID:
		f.nameless = true
	case name == m.words.Graph || name == m.words.Reverse || name == m.words.Included || name == m.words.Nest || name == m.words.Index:
	case len(name) > 0 && name[0] == m.words.Sign:
		f.dead = true
	}
}

// loseText notes that a stretch is lost in which the name of a member stood.
func (m *mender) loseText(f *frame, raw []byte) {
	switch {
	case f.v == nil:
		return
	case f.object && f.sort.context:
		m.loseName(f, raw, 0)
		return
	}
	f.v.Partial, f.lastLost = true, true
	if !f.object {
		return
	}
	raw = bytes.Trim(bytes.Map(func(r rune) rune {
		if r < 0x20 || r == '\\' || r == utf8.RuneError {
			return -1
		}
		return r
	}, raw), quotationMarks+" :")
	named := m.hasID(f.v)
	if !m.loseWords(f, raw, named) && (len(raw) > 0 && raw[0] == m.words.Sign || len(raw) == 0 && len(f.v.Members) == 0) {
		// It may be any.
		f.nameless, f.typeless = f.nameless || !named, true
	}
	switch string(raw) {
	case m.words.Usual.ID:
		m.loseNamed(f, m.words.ID)
	case m.words.Usual.Type:
		m.loseNamed(f, m.words.Type)
	default:
		if alias, ok := m.aliases[string(raw)]; ok {
			m.loseNamed(f, alias)
		}
	}
}

// loseWords loses the members whose keyword a stretch of text begins with, or may be the beginning of.
// If the object has its @id, named is true. It returns whether there is such a keyword.
func (m *mender) loseWords(f *frame, raw []byte, named bool) (known bool) {
	for _, word := range m.words.inObjects() {
		switch {
		case bytes.HasPrefix(raw, []byte(word)):
			m.loseNamed(f, word)
			known = true
		case len(raw) > 1 && bytes.HasPrefix([]byte(word), raw):
			known = true
			if !named || m.besideID(word) {
				m.loseNamed(f, word)
			}
		}
	}
	return known
}

// besideID says that a keyword may be in an object that has its @id.
func (m *mender) besideID(word string) bool {
	switch word {
	case m.words.ID, m.words.Value, m.words.Language, m.words.List, m.words.Set:
		return false
	case m.words.Context:
		return m.habit.contexts > 0 || !m.habit.known()
	}
	return true
}

// unnamed loses a member whose name is missing, its colon being next. It may have said
// what the object is about, or in which context it stands.
func (m *mender) unnamed(f *frame, one token) {
	m.told(fault.JSONSyntax, fault.Drop, one.pos, "a name should be before this")
	m.consume(&one)
	f.dead = f.dead || f.sort.context
	next := *m.token(m.i)
	iri := next.kind != tokenNumber && next.kind != tokenWord && bytes.ContainsAny(m.bytes(&next), ":/#")
	f.v.Partial, f.typeless = true, true
	f.dead = f.dead || len(f.v.Members) == 0 && (iri || next.kind == '{' || next.kind == '[')
	f.valueless = f.valueless || len(f.v.Members) == 0
	f.nameless = f.nameless || iri && !m.hasID(f.v)
	f.m, f.state, f.voidNext = Member{Pos: one.pos}, valued, true
}

// touchLast marks the last item or member as repaired.
func (m *mender) touchLast(f *frame) {
	if f.v == nil && m.item == nil {
		m.touchHanded()
	} else if v := m.lastOf(f); v != nil {
		v.Repaired = true
	}
}

// touchIn marks it with all that is in it; false if it has no brackets.
func (m *mender) touchIn(f *frame) bool {
	if f.v == nil && m.item == nil {
		return m.touchHanded()
	}
	v := m.lastOf(f)
	if v == nil || v.compound == nil {
		return false
	}
	v.touch()
	return true
}

// touchHanded marks the item that was handed on last, before those of the mender; false if that can't be done.
func (m *mender) touchHanded() bool { return m.parser.touchLast != nil && m.parser.touchLast() }

// lastOf is the last item, or the value of the last member; nil if there is none at hand, or it is lost.
func (m *mender) lastOf(f *frame) *Value {
	switch {
	case f.lastLost:
		return nil
	case f.v == nil:
		return m.item
	case len(f.v.Items) > 0:
		return f.v.Items[len(f.v.Items)-1]
	case len(f.v.Members) > 0:
		return f.v.Members[len(f.v.Members)-1].Value
	}
	return nil
}

// doubt takes back the last item or member if only its end tells what it is.
func (m *mender) doubt(f *frame) {
	if f.v == nil || m.doubted || !m.rules.on(doubtLast) {
		return
	}
	if m.doubted = true; f.lastLost {
		return // that it was the last is told
	}
	if n := len(f.v.Items); n > 0 && !f.v.Items[n-1].closed() {
		m.gone(f.v.Items[n-1].Pos, f.v.Items[n-1].End)
		m.loseItem(f)
	}
	if n := len(f.v.Members); n > 0 && !f.v.Members[n-1].Value.closed() {
		m.drop(f)
	}
}

// drop takes back the last member.
func (m *mender) drop(f *frame) {
	n := len(f.v.Members)
	last := &f.v.Members[n-1]
	m.gone(last.Pos, last.Value.End)
	if f.sort.context {
		if f.m = *last; m.loseTerm(f) {
			return
		}
	}
	m.loseNamed(f, last.Name)
	f.v.Members, f.seen, f.lastLost = f.v.Members[:n-1], nil, true
}

// closed says that a value tells its own end.
func (v *Value) closed() bool { return v.Kind == Array || v.Kind == Object }

// nearNotices is how many of the last findings are searched for one that tells of a loss.
const nearNotices = 64

// gone tells of a stretch that is lost by a fault which was told at a place outside.
func (m *mender) gone(from fault.Pos, to int64) {
	if f := m.top(); to <= from.Offset || f != nil && f.void {
		return
	}
	for i := len(m.found) - 1; i >= max(0, len(m.found)-nearNotices); i-- {
		if n := &m.found[i]; n.Severity == fault.Drop && n.Offset >= from.Offset && n.Offset <= to {
			return
		}
	}
	m.tell(fault.Notice{Code: fault.JSONSyntax, Severity: fault.Drop, Pos: from}, m.keep+int(from.Offset-m.began), lostNearby)
	m.found[len(m.found)-1].Bytes = to - from.Offset
}

// says says that a property stands in an object.
func (m *mender) says(v *Value) bool {
	for i := range v.Members {
		if m.saysSomething(v.Members[i].Name) {
			return true
		}
	}
	return false
}

// isNode says that a value is no literal, list or set.
func (m *mender) isNode(v *Value) bool {
	if v.Kind != Object && v.Kind != Lost && v.Kind != Null {
		return false
	}
	for i := range v.Members {
		switch m.meant(v.Members[i].Name) {
		case m.words.Value, m.words.List, m.words.Set:
			return false
		}
	}
	return true
}

// hollow says that an object that holds nothing is one of the brackets that are wrong. Or it is a
// literal of which only the type is left.
func (m *mender) hollow(f *frame) bool {
	if !f.object || f.sort.context {
		return false
	}
	for i := range f.v.Members {
		switch m.meant(f.v.Members[i].Name) {
		case m.words.Type, m.words.Language, m.words.Direction, m.words.Index:
			if f.valueless {
				continue
			}
		}
		return false
	}
	return (f.valueless || m.askew || f.touch) && m.rules.on(doubtHollow)
}

// finish makes the value of a frame that has ended.
func (m *mender) finish(f *frame) *Value {
	v := f.v
	v.End = f.end.Offset
	whole := f.void || f.dead || f.typeless && v.Get(m.words.Value) != nil || f.nameless && len(v.Members) == 0 || m.hollow(f)
	if whole || f.nameless {
		m.gone(v.Pos, m.began+int64(m.token(m.i).from))
	}
	switch {
	case whole:
		return lostValue(v.Pos)
	case f.nameless:
		v.Nameless = true
	}
	return v
}
