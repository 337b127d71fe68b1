package jsonread

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
)

// mender reads one value that is broken. At each fault it asks of every way to mend it how much of
// what follows would be JSON then. It takes the best, and reports what that costs.
type mender struct {
	tokens
	outer []shape // the brackets around the value, and what they wait for
	// array reads the value of a member of the outermost object that is an array, its bracket being next.
	// It is nil if that is to be done as for all others.
	array func(f *frame, one token)

	last fault.Pos // behind what stands before the value

	frames []frame
	i      int // the next token
	// items are those that were complete before the last one. Where a fault follows a value, it may show
	// only within the next that the two are apart.
	items      []*Value
	begun      bool   // a token was read, or a fault mended
	item       *Value // the value, once it is complete; nil if it is lost or there is none
	layout     bool   // the text is indented as brackets are nested
	faults     int
	itemFaults int     // those before the value was complete
	idle       int     // repairs since the last token
	shapes     []shape // for trials
	// deleted is the token behind the one that was left out last, the last of inRow.
	deleted, inRow int
	doubted        bool      // what stands before them was taken back
	closed         frame     // the bracket that was closed last
	back           bool      // it can be opened again
	ended          int       // brackets of outer that have ended
	torn           bool      // the innermost of them did so without its own closing bracket
	headless       bool      // the value is the rest of a line whose beginning is gone
	askew          bool      // a bracket was mended, and no layout tells what belongs to what
	bent           fault.Pos // where that was
	repaired       bool      // a repair was told

	// far is how long the value may become before it is taken for one that swallows those behind it, in
	// bytes, 0 for any length. If it did, swallowed is true, and it must end at forced.
	far, forced int
	swallowed   bool
	ranOvers    int // how often it was looked whether an object ran over

	marked mark // where the tokens begin
	opened int  // brackets of the value that were open there
}

// mend reads the value that begins at the mark, or what stands there instead. Reading
// goes on where the value has ended, in the brackets of m.outer, m.ended of which
// have ended too.
func (m *mender) mend(at mark) {
	m.marked, m.opened = at, 0
	m.begin(at)
	m.nested, m.around = len(m.outer), len(m.outer)
	for m.home = len(m.outer); m.home > 0 && !m.outer[m.home-1].nodes; m.home-- {
	}
	m.guessed = false
	if m.findRow(m.outer); m.until > 0 {
		m.bound = int(m.until - m.began)
	} else if m.forced > 0 && m.bound == 0 {
		m.row, m.bound, m.guessed = 0, m.forced, true
	}
	m.swallowed = false
	m.items = m.items[:0]
	m.i, m.item, m.faults, m.back, m.ended, m.torn, m.begun, m.idle, m.askew, m.headless, m.repaired = 0, nil, 0, false, 0, false, false, 0,
		false, false, false
	m.deleted, m.inRow, m.ranOvers = -1, 0, 0
	m.layout = !m.certain && m.laidOut() && m.rules.on(trialLayout)
	m.frames = m.frames[:0]
	for _, s := range m.outer {
		m.frames = append(m.frames, frame{shape: s, end: m.last})
	}
	for !m.stopped() {
		m.step()
	}
	if m.long = m.tooLong(); m.err == nil && !m.long && !m.deep {
		m.noisy(m.token(m.i), m.i)
		m.at = m.keep + m.token(m.i).from
	}
}

// complete notes that a value is complete.
func (m *mender) complete(v *Value) {
	if m.item != nil {
		m.items = append(m.items, m.item)
	}
	m.item, m.itemFaults = v, m.faults
}

// each hands on what was read, one value in most cases; false ends it. Values that were lost
// are handed on where their places count.
func (m *mender) each(hand func(*Value) bool) bool {
	if m.item != nil {
		m.items = append(m.items, m.item)
	}
	for _, v := range m.items {
		if m.askew && m.rules.on(doubtAskew) {
			if v.Kind != Lost && !m.headless && !m.repaired {
				m.told(fault.JSONBracket, fault.Repair, m.bent, "a bracket may be missing here, or one too many; the text around it "+
					"was read as its other brackets say")
			}
			v.touch()
		}
		if m.headless && v.Kind != Lost {
			m.gone(v.Pos, v.End)
			continue
		}
		if (v.Kind != Lost || len(m.outer) > 0) && !hand(v) {
			return false
		}
	}
	return true
}

// restart goes on at the present place of the text, which is behind the last token.
func (m *mender) restart() {
	m.marked, m.opened = m.mark(), 1
	m.begin(m.marked)
	m.nested = 1
	if m.findRow(m.now()); m.until > m.began {
		m.bound = int(m.until - m.began)
	}
	m.i, m.back, m.deleted = 0, false, -1
}

// tooLong says that the end of what may be kept has been reached, not only looked at.
func (m *mender) tooLong() bool { return m.long && m.token(m.i).kind == tokenEnd }

// maxFaults is how many faults a value may have of which something is to be saved. Behind it,
// restFaults may be its own.
const maxFaults, restFaults = 10_000, 8

// manyTokens is how many tokens are read of something before a value.
const manyTokens = 1 << 12

// stopped says that the value is complete, and something that can follow it is next.
func (m *mender) stopped() bool {
	if m.far > 0 && m.bound == 0 && m.faults > 0 && m.item == nil && m.token(m.i).from > m.far {
		m.swallowed = true
		return true
	}
	if m.err != nil || m.deep || m.ended > 0 || m.tooLong() {
		return true
	}
	if len(m.frames) == 0 && m.token(m.i).kind == tokenEnd {
		return true // there is nothing but noise
	}
	if len(m.frames) != len(m.outer) || !m.begun {
		return false
	}
	if m.i > manyTokens && m.item == nil {
		return true // so that no more is kept of text that makes no sense
	}
	if m.token(m.i).kind == tokenEnd || m.item != nil && m.faults > m.itemFaults+restFaults {
		return true
	}
	if m.token(m.i).from < m.bound {
		return false // what stands before the next item goes with this one
	}
	if f := m.top(); m.item != nil && (f == nil || f.state <= wanted) && m.token(m.i).begins() && m.fits(m.now(), m.i, m.layout) {
		return true // the next one
	}
	n, _ := m.trial(m.now(), m.i, 3, m.layout)
	return n == 3
}

// now is a copy of the shapes of all frames.
func (m *mender) now() []shape {
	m.shapes = m.shapes[:0]
	for i := range m.frames {
		m.shapes = append(m.shapes, m.frames[i].shape)
	}
	return m.shapes
}

func (m *mender) top() *frame {
	if len(m.frames) == 0 {
		return nil
	}
	return &m.frames[len(m.frames)-1]
}

// left is the shapes of the brackets that are still open around the value.
func (m *mender) left() []shape {
	left := m.outer[:0]
	for i := range m.frames {
		left = append(left, m.frames[i].shape)
	}
	return left
}

// step takes a token, or mends a fault.
func (m *mender) step() {
	m.forget(m.i)
	one := *m.token(m.i)
	switch {
	case one.kind == tokenEnd && len(m.frames) > len(m.outer):
		m.cutShort(one)
	case !m.fits(m.now(), m.i, m.layout):
		m.repair()
	case !m.ranOver(one):
		m.take(one)
	}
}

// take takes a token that fits.
func (m *mender) take(one token) {
	f := m.top()
	m.begun, m.idle = true, 0
	if one.kind == '[' && m.array != nil && len(m.frames) == len(m.outer)+1 && f.object {
		m.noisy(&one, m.i)
		f.state = filled
		m.array(f, one)
		return
	}
	m.consume(&one)
	if one.kind != ',' && one.kind != tokenEnd {
		m.back = false
	}
	switch {
	case f == nil:
		m.push(one, false)
		return
	case one.kind == ',':
		if f.state = wanted; one.semi {
			m.told(fault.JSONComma, fault.Repair, one.pos, "a semicolon is used in the place of a comma")
			m.editToken(&one, ",")
			f.touchNext = true
		}
		return
	case one.kind == ':':
		f.state = valued
		return
	case one.kind == '}' || one.kind == ']':
		f.end = m.behindToken(&one)
		m.pop(!m.layout || !one.first)
		return
	}
	// what is broken may stand anywhere
	if one.first && one.noise == 0 && f.column == 0 && f.state <= wanted && (f.v != nil || m.faults == 0) {
		f.column = one.pos.Column
	}
	if f.object && f.state <= wanted {
		m.takeName(f, one)
		return
	}
	f.state = filled
	if one.kind == '{' || one.kind == '[' {
		m.push(one, false)
		return
	}
	m.takeScalar(f, one)
}

// takeName takes the name of a member.
func (m *mender) takeName(f *frame, one token) {
	m.flawed(&one)
	decoded, _, _ := m.unescape(m.inside(&one))
	f.m = Member{Name: m.intern(decoded), Pos: one.pos}
	f.touchNext = f.touchNext || one.raw || one.bare || one.single
	f.state = named
	if f.torn && !f.voidNext {
		m.told(fault.JSONBracket, fault.Drop, one.pos, "this may occur in the graph before it, which has lost its bracket")
		f.voidNext = true
	}
	f.sort, _ = m.sorted(f.sort, &one)
}

// takeScalar takes a string, number or word that is a value.
func (m *mender) takeScalar(f *frame, one token) {
	v := m.scalar(&one)
	f.end = m.behindToken(&one)
	v.End = f.end.Offset
	if !f.object && !f.sort.context && m.misplaced(v) {
		m.told(fault.JSONSyntax, fault.Drop, one.pos, "this has no place here")
		m.lose(f)
		return
	}
	m.add(f, v)
}

// consume goes on behind a token.
func (m *mender) consume(one *token) {
	m.noisy(one, m.i)
	m.i++
}

// knownNoise is how many bytes that mean nothing are too few to have been a member or an item.
const knownNoise = 4

// noisy tells of what stands before the i-th token and says nothing.
func (m *mender) noisy(one *token, i int) {
	n := 0
	for ; n < len(m.fillers) && m.fillers[n].before <= i; n++ {
		f := &m.fillers[n]
		m.tell(fault.Notice{Code: f.code, Severity: fault.Repair, Pos: f.pos, Bytes: int64(f.size)}, m.keep+f.from, "%s", f.told())
		m.edit(f.pos.Offset, f.pos.Offset+int64(f.size), " ")
	}
	m.fillers = m.fillers[n:]
	switch {
	case one.noise > knownNoise:
		m.told(fault.JSONSyntax, fault.Drop, one.pos, "bytes that mean nothing are before this, and were left out")
	case one.noise > 0:
		m.tell(fault.Notice{Code: fault.JSONStray, Severity: fault.Repair, Pos: one.pos}, m.keep+one.from, "bytes that mean nothing "+
			"are before this, and were left out")
	}
}

// push opens a bracket. void says that what stands in it is lost.
func (m *mender) push(one token, void bool) {
	v := &Value{Kind: Array, Pos: one.pos, compound: new(compound)}
	if one.kind != '[' {
		v.Kind = Object
	}
	if f := m.top(); f != nil {
		void = void || f.void || f.voidNext && !f.adrift
	}
	m.back = false
	touch := false // by a bracket that was mended around it
	inner := sort{}
	if f := m.top(); f != nil {
		touch, inner = f.v != nil && f.touch, f.sort.inner()
	}
	m.frames = append(m.frames, frame{v: v, void: void, touch: touch, end: one.pos,
		shape: shape{object: v.Kind == Object, indent: one.indent, sort: inner}})
	if m.weight += weightOfScalar + weightOfObject; len(m.frames) > m.maxDepth {
		m.deep, m.deepAt = true, one.pos
	}
	m.tooHeavy()
}

// pop ends the innermost bracket. again says that it can be opened again.
func (m *mender) pop(again bool) {
	n := len(m.frames) - 1
	f := m.frames[n]
	m.frames = m.frames[:n]
	if m.back = false; f.v == nil {
		if m.ended++; n > 0 {
			m.frames[n-1].state = filled
		}
		return
	}
	if m.back = again; again {
		m.closed = f
	}
	v := m.finish(&f)
	if n == 0 {
		m.complete(v)
		return
	}
	outer := &m.frames[n-1]
	outer.state, outer.end = filled, f.end
	if v.Kind == Lost {
		m.lose(outer)
		return
	}
	m.add(outer, v)
}

// behindToken is the place behind a token.
func (m *mender) behindToken(one *token) fault.Pos {
	pos := one.pos
	advance(&pos, m.bytes(one), false)
	return pos
}

// scalar makes the value of a token.
func (m *mender) scalar(one *token) *Value {
	v := &Value{Pos: one.pos, compound: &noCompound}
	m.weight += weightOfScalar
	m.tooHeavy()
	switch word := string(m.bytes(one)); {
	case one.kind == tokenText:
		m.flawed(one)
		decoded, apostrophe, _ := m.unescape(m.inside(one))
		v.Kind, v.Text, v.Repaired = Text, string(decoded), one.raw || one.bare || one.single || apostrophe
		if apostrophe {
			m.told(fault.JSONEscape, fault.Repair, one.pos, `\' isn't an escape in a JSON string; it is read as an apostrophe`)
			editLast(m, stretchOf(m, one).FreeApostrophes())
		}
	case word == "NaN" || word == "Infinity" || word == "-Infinity":
		v.Kind, v.Repaired = Number, true
		v.Text = map[string]string{"NaN": "NaN", "Infinity": "INF", "-Infinity": "-INF"}[word]
		m.told(fault.JSONNumber, fault.Repair, one.pos, "JSON has no number %s; it is read as the xsd:double %s", word, v.Text)
	case word == "null":
	case word == "true" || word == "false":
		v.Kind, v.Text = Boolean, word
	default:
		v.Kind, v.Text = Number, word
	}
	return v
}

// flawed tells of what is wrong with a string that can be read nevertheless.
func (m *mender) flawed(one *token) {
	if one.raw {
		m.told(fault.JSONControl, fault.Repair, one.pos, "a control character in a string should be written as an escape")
		editLast(m, stretchOf(m, one).EscapeControls())
	}
	if one.bare || one.single {
		m.told(fault.JSONQuotes, fault.Repair, one.pos, "%s", one.flaw)
		editLast(m, stretchOf(m, one).Quote())
	}
}

// cutShort ends all brackets where the document ends. What was complete is kept if it
// is known what it is about.
func (m *mender) cutShort(one token) {
	if !m.cutTold {
		what := "document"
		if m.oneLine {
			what = "line"
		}
		m.told(fault.JSONCutShort, fault.Drop, one.pos, "the %s ends within %s", what, m.top().v.Kind)
	}
	m.cutTold = !m.oneLine
	// A line that ends like an object lacks a brace somewhere before.
	lacks := m.oneLine && m.i > 0 && m.token(m.i-1).kind == '}'
	if lacks {
		m.told(fault.JSONBracket, fault.Repair, one.pos, "a brace is missing in this line")
	}
	for len(m.frames) > len(m.outer) {
		f := m.top()
		f.v.Partial = true
		if lacks && f.object && f.state == filled {
			m.closeOne(f, false)
		}
		if f.object {
			if f.state == named || f.state == valued {
				m.lose(f)
			}
			if n := len(f.v.Members); f.state == filled && !f.lastLost && n > 0 && f.v.Members[n-1].Value.Kind == Number {
				m.drop(f)
			}
			m.cutObject(f)
		} else {
			if n := len(f.v.Items); f.state == filled && n > 0 && f.v.Items[n-1].Kind == Number {
				m.gone(f.v.Items[n-1].Pos, f.v.Items[n-1].End)
				m.loseItem(f)
			}
			m.cutOff(f)
		}
		m.pop(false)
	}
}

// cutObject decides what becomes of an object of which only the beginning is there. What is said of a
// node is certain if it has its @id, or if the document shows that the @id would have come
// earlier. Else only what is in it is certain. A value may lack its type.
func (m *mender) cutObject(f *frame) {
	node, list := false, false
	for i := range f.v.Members {
		switch name := m.meant(f.v.Members[i].Name); {
		case name == m.words.Value:
			f.dead = true
			return
		case name == m.words.List || name == m.words.Set:
			list = true
		default:
			node = node || m.saysSomething(name)
		}
	}
	if !m.rules.on(doubtCut) {
		return
	}
	outermost := f.v.Get(m.words.Graph) != nil && len(m.frames) == len(m.outer)+1
	switch {
	case m.hasID(f.v), outermost, list, node && m.habit.known():
	case node:
		f.nameless = true
	default:
		f.dead = true
	}
}

// editToken adds to the last finding that a token becomes another.
func (m *mender) editToken(one *token, with string) {
	m.edit(one.pos.Offset, one.pos.Offset+int64(one.to-one.from), with)
}

// told notes a finding: a drop, or a repair. A value that is lost with its name was counted with that.
func (m *mender) told(code fault.Code, severity fault.Severity, at fault.Pos, format string, args ...any) {
	lost := 0
	if f := m.top(); severity == fault.Drop && (f == nil || !f.void && !f.voidNext) {
		lost = 1
	}
	m.repaired = m.repaired || severity != fault.Drop
	m.tell(fault.Notice{Code: code, Severity: severity, Pos: at, Lost: lost}, m.keep+int(at.Offset-m.began), format, args...)
}

// stretchOf is the text of a token, of which edits are made if they are asked for.
func stretchOf(m *mender, one *token) *jsontext.Edits {
	if !m.edits {
		return &jsontext.Edits{At: -1}
	}
	return &jsontext.Edits{Text: m.bytes(one), At: one.pos.Offset}
}

// editLast adds edits to the last finding.
func editLast(m *mender, edits []fault.Edit) {
	n := &m.found[len(m.found)-1]
	n.Edits = append(n.Edits, edits...)
}
