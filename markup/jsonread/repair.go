package jsonread

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
)

// trialTokens is how far the text is tried with a repair. Where a value has many
// faults, less of it is.
const trialTokens = 240

// costTokens is how many tokens more a repair must make sense of for each fault more
// that it supposes.
const costTokens = 5

// endTokens is how many tokens it is worth that the value ends, and does not take in
// what follows it.
const endTokens = 16

// repair mends the fault at the next token.
func (m *mender) repair() {
	if m.faults++; m.faults > maxFaults {
		m.deep, m.hopeless, m.deepAt = true, true, m.token(m.i).pos
		return
	}
	if m.begun, m.idle = true, m.idle+1; m.idle > m.maxDepth+100 {
		m.delete(m.top(), *m.token(m.i)) // so that there is an end
		return
	}
	if one := m.token(m.i); len(m.frames) > m.home && m.beyond(one) {
		m.closeMissing(len(m.frames)-m.home, *one)
		return
	}
	most := max(8, trialTokens/(1+m.faults/8))
	best, reach := way{kind: wayDelete}, -1<<30
	for _, w := range m.ways() {
		all, i := m.after(m.now(), w)
		n, ended := m.trialOf(w, all, i, most)
		if n += i - m.i - costTokens*w.cost; ended && m.rules.on(trialEnd) {
			n += endTokens
		}
		if n > reach {
			best, reach = w, n
		}
	}
	m.apply(best)
}

// trialOf is the trial of a way. Where brackets are missing before one that begins its line, they stood before it on
// that line, and its column says nothing.
func (m *mender) trialOf(w way, all []shape, i, most int) (n int, ended bool) {
	one := m.token(i)
	if w.kind != wayClose || !one.first || one.kind != '}' && one.kind != ']' {
		return m.trial(all, i, most, m.layout)
	}
	if !m.fits(all, i, false) {
		return 0, false
	}
	n, ended = m.trial(m.move(all, i), i+1, most-1, m.layout)
	return n + 1, ended
}

// apply mends the fault at the next token.
func (m *mender) apply(w way) {
	one := *m.token(m.i)
	f := m.top()
	if !m.askew && m.bends(w, &one) {
		m.askew, m.bent = true, one.pos
	}
	switch w.kind {
	case wayDelete:
		m.deleteName(f, one)
	case wayClose:
		m.closeMissing(w.close, one)
	case wayComma:
		m.addComma(f, one)
	case wayClosing:
		m.told(fault.JSONComma, fault.Repair, one.pos, "a comma before the closing bracket was left out")
		if m.edits { // the comma may be before the value that is being read
			at := m.keep + int(one.pos.Offset-m.began)
			before := jsontext.Edits{Text: m.window[:at], At: one.pos.Offset - int64(at)}
			m.found[len(m.found)-1].Edits = before.DropLastComma()
		}
		m.touchLast(f)
		f.state = filled
	case wayNoValue:
		m.noValue(f, one)
	case wayNoColon:
		m.noColon(f, one)
	case wayOpen:
		m.open(f, one, false)
	case wayOpenBoth:
		m.open(f, one, true)
	case wayCloseOpen:
		m.closeMissing(w.close, one)
		m.open(m.top(), one, false)
	case wayOrphan:
		m.told(fault.JSONSyntax, fault.Drop, one.pos, "a name should be before this")
		f.state, f.voidNext, f.dead = filled, true, f.dead || f.sort.context
		m.consume(&one)
		m.push(one, true)
	case wayArray:
		m.openArray(f, one)
	case wayTake:
		m.takeHalf(f, one)
	case wayName:
		m.takeHalfName(f, one)
	case wayAgain:
		m.reopen()
	case wayOther:
		m.replaceCloser(f, one)
	case waySwap:
		m.swap(f, one)
	case wayIgnore:
		m.take(one)
	case wayUnnamed:
		m.unnamed(f, one)
	case wayDecimal:
		m.loseDecimal(f, one)
	}
}

// deleteName leaves a token out. If it is what is left of a name among nodes, its value goes with it.
func (m *mender) deleteName(f *frame, one token) {
	m.delete(f, one)
	next := *m.token(m.i)
	if f != nil && f.nodes && f.v == nil && (next.kind == '{' || next.kind == '[') && bytes.HasSuffix(m.bytes(&one), []byte(":")) {
		f.state = filled
		m.consume(&next)
		m.push(next, true) // the value of a name that is lost, and no node
	}
}

// addComma supposes a comma before a token.
func (m *mender) addComma(f *frame, one token) {
	m.told(fault.JSONComma, fault.Repair, one.pos, "a comma is missing before this")
	m.edit(f.end.Offset, f.end.Offset, ",")
	m.cutNumber(f, &one)
	f.state, f.touchNext = wanted, true
	if one.first && f.object && f.v != nil && f.column == 0 {
		f.touch = true // the object may have ended in what is missing, and another have begun
	}
}

// noValue loses the member whose value is missing before a token.
func (m *mender) noValue(f *frame, one token) {
	if !f.voidNext { // else it is lost with its name, which was told
		m.told(fault.JSONSyntax, fault.Drop, one.pos, "the value of %q is missing", f.m.Name)
	}
	m.lose(f)
	if f.state = filled; m.isName(m.i) {
		f.state = wanted
	}
}

// noColon supposes a colon behind a name if a value follows; else the name is lost.
func (m *mender) noColon(f *frame, one token) {
	next := *m.token(m.i + 1)
	if next.begins() && !m.isName(m.i+1) {
		m.take(one)
		isInName := false
		if n := len(f.m.Name); n > 1 && f.m.Name[n-1] == ':' {
			isInName = true
			f.m.Name = f.m.Name[:n-1]
			f.sort, _ = f.sort.with(m.words, m.meant(f.m.Name))
		}
		m.told(fault.JSONColon, fault.Repair, next.pos, "a colon is missing before this")
		if end := m.behindToken(&one).Offset; !isInName {
			m.edit(end, end, ":")
		}
		f.state, f.touchNext = valued, true
		return
	}
	m.told(fault.JSONSyntax, fault.Drop, one.pos, "a colon should follow the name %s", m.bytes(&one))
	m.loseText(f, m.bytes(&one))
	m.consume(&one)
	f.state = filled
}

// takeHalf takes half a value, which is lost.
func (m *mender) takeHalf(f *frame, one token) {
	m.consume(&one)
	m.half(one)
	if f.v != nil && f.sort.context && m.words.signs(bytes.TrimLeft(m.bytes(&one), `"'`)) {
		m.keywordLost()
	}
	if raw := m.bytes(&one); bytes.Count(raw, []byte(`"`))-bytes.Count(raw, []byte(`\"`)) > 2 {
		m.loseUnseen(f)
	}
	m.lose(f)
	f.end = m.behindToken(&one)
	f.state = filled
}

// takeHalfName takes half a name, whose value is lost with it.
func (m *mender) takeHalfName(f *frame, one token) {
	m.consume(&one)
	m.half(one)
	if f.v != nil && f.sort.context {
		m.loseName(f, m.bytes(&one), m.i+1)
	} else {
		m.loseText(f, m.bytes(&one))
	}
	f.state, f.m, f.voidNext = named, Member{Pos: one.pos}, true
	f.adrift = f.v != nil && !f.void && !f.sort.context && m.isProperty(m.bytes(&one)) &&
		(m.token(m.i+1).kind == '{' || m.array == nil || len(m.frames) > len(m.outer)+1) // else it may be long
}

// replaceCloser takes a bracket for the one that should close what is open.
func (m *mender) replaceCloser(f *frame, one token) {
	m.told(fault.JSONBracket, fault.Repair, one.pos, "%s should be %c", m.bytes(&one), f.closer())
	m.editToken(&one, string(f.closer()))
	f.end = m.behindToken(&one)
	if m.torn = m.torn || f.v == nil; f.v != nil {
		f.v.touch()
	}
	m.consume(&one)
	m.pop(false)
}

// swap takes two closing brackets the other way round.
func (m *mender) swap(f *frame, one token) {
	next := *m.token(m.i + 1)
	m.told(fault.JSONBracket, fault.Repair, one.pos, "%s and %s are the wrong way round", m.bytes(&one), m.bytes(&next))
	m.editToken(&one, string(m.bytes(&next)))
	m.editToken(&next, string(m.bytes(&one)))
	f.v.touch()
	for _, closing := range [...]token{one, next} {
		m.top().end = m.behindToken(&closing)
		m.consume(&closing)
		m.pop(false)
	}
	if f := m.top(); f != nil {
		m.touchLast(f)
	} else if m.item != nil {
		m.item.Repaired = true
	}
}

// loseDecimal loses a number with what follows its decimal comma.
func (m *mender) loseDecimal(f *frame, one token) {
	last := f.v.Members[len(f.v.Members)-1]
	m.told(fault.JSONNumber, fault.Drop, last.Value.Pos, "JSON has no decimal comma, and the number %s is lost", last.Value.Text+","+
		string(m.bytes(&one)))
	m.consume(&one)
	f.end = m.behindToken(&one)
	m.drop(f)
	f.state = filled
}

// open reads what follows as an object without its brace, which is lost. What belongs to it is known,
// but not whether all that was before it is gone. If it is the first item of an array whose bracket
// is lost too, both is true. Nodes in it hold where it begins a line among nodes, of which none has a
// context of its own. What they mean does not depend on what is gone.
func (m *mender) open(f *frame, one token, both bool) {
	if !f.object {
		m.cutNumber(f, &one)
	}
	m.told(fault.JSONBracket, fault.Drop, one.pos, "the brace before %s is missing", m.bytes(&one))
	indent := m.indentOf(&f.shape, &one)
	if f.state == filled && m.touchIn(f) {
		m.told(fault.JSONBracket, fault.Repair, one.pos, "this may be the rest of the value before it, which was read as it is")
	}
	if f.object && f.state != valued {
		f.voidNext, f.dead = true, f.dead || f.sort.context
	}
	f.state = filled
	if both {
		m.push(token{kind: '[', pos: one.pos}, true)
		f = m.top()
		f.state, f.indent = filled, indent
	}
	amongNodes := f.nodes && !both && m.layout && one.first && m.habit.contexts == 0
	m.push(one, !amongNodes)
	inner := m.top()
	inner.indent, inner.nameless = indent, amongNodes
}

// openArray takes the last value for the first item of an array without its bracket.
func (m *mender) openArray(f *frame, one token) {
	inside := m.arrayOf(&f.shape, &one)
	n := len(f.v.Members) - 1
	last := f.v.Members[n]
	m.told(fault.JSONBracket, fault.Repair, last.Value.Pos, "the bracket before this, with which an array begins, is missing")
	m.edit(last.Value.Pos.Offset, last.Value.Pos.Offset, "[")
	f.v.Members, f.seen = f.v.Members[:n], nil
	f.m, f.state = Member{Name: last.Name, Pos: last.Pos}, filled
	m.push(token{kind: '[', pos: last.Value.Pos}, false)
	inner := m.top()
	inner.shape, inner.touch = inside, true
	last.Value.Repaired = true
	inner.v.Items = append(inner.v.Items, last.Value)
}

// half tells of a token that is none, which has been consumed.
func (m *mender) half(one token) {
	code := fault.JSONSyntax
	if one.flaw == cutInString {
		code = fault.JSONCutShort
	}
	m.cutTold = m.cutTold || m.token(m.i).kind == tokenEnd
	m.told(code, fault.Drop, one.pos, "%s", one.flaw)
}

// stretchTokens is how many tokens in a row are told one by one when they are left out.
const stretchTokens = 4

// delete leaves a token out.
func (m *mender) delete(f *frame, one token) {
	m.idle = 0
	if f == nil {
		f = &frame{}
	}
	m.consume(&one)
	if m.i-1 != m.deleted {
		m.inRow, m.doubted = 0, false
	}
	if m.deleted = m.i; one.kind != '}' && (one.kind != ']' || m.closed.object && f.nodes) {
		m.back = false // more is wrong than that a bracket closes too early
	}
	if m.inRow++; m.inRow > stretchTokens && len(m.found) > 0 {
		// The rest of the stretch goes with what was told last.
		last := &m.found[len(m.found)-1]
		last.Bytes = one.pos.Offset + int64(one.to-one.from) - last.Offset
		return
	} else if m.inRow == stretchTokens {
		m.told(fault.JSONSyntax, fault.Drop, one.pos, "nothing can be made of this, and of what follows")
		m.doubt(f)
		return
	}
	switch one.kind {
	case ',':
		m.told(fault.JSONComma, fault.Repair, one.pos, "a comma that separates nothing was left out")
		m.editToken(&one, "")
		m.touchLast(f)
	case '}', ']':
		m.told(fault.JSONBracket, fault.Repair, one.pos, "a bracket that closes nothing was left out")
		m.editToken(&one, "")
		m.headless = m.headless || m.oneLine && one.kind == ']' && len(m.frames) == 0
		m.touchIn(f)
		m.touchAround()
	case '{', '[':
		m.told(fault.JSONBracket, fault.Repair, one.pos, "a bracket that opens nothing was left out")
		m.editToken(&one, "")
		f.touch = true
	case tokenBroken:
		if m.half(one); f.state == filled {
			m.doubt(f)
			m.loseUnseen(f)
		} else {
			m.loseText(f, m.bytes(&one))
		}
	default:
		if m.told(fault.JSONSyntax, fault.Drop, one.pos, "this has no place here"); f.state == filled {
			m.doubt(f)
		} else if f.strays(&one) {
			f.state = filled
		}
		if one.kind == tokenText {
			m.loseText(f, m.bytes(&one))
		}
	}
}

// cutNumber takes back a number that ends a line on which a comma or bracket is missing. The rest of
// the line may be missing, and of the number.
func (m *mender) cutNumber(f *frame, one *token) {
	if f.v == nil || !one.first || f.state != filled || f.lastLost || !m.rules.on(doubtNumber) {
		return
	}
	if n := len(f.v.Items); n > 0 && f.v.Items[n-1].Kind == Number {
		last := f.v.Items[n-1]
		m.told(fault.JSONNumber, fault.Drop, last.Pos, "the line ends after this number where more is missing, maybe of the number too")
		m.loseItem(f)
	}
	if n := len(f.v.Members); n > 0 && f.v.Members[n-1].Value.Kind == Number {
		m.told(fault.JSONNumber, fault.Drop, f.v.Members[n-1].Value.Pos, "the line ends after this number where more is missing, maybe "+
			"of the number too")
		m.drop(f)
	}
}

// loseItem takes the last item of an array back.
func (m *mender) loseItem(f *frame) {
	last := f.v.Items[len(f.v.Items)-1]
	f.v.Items[len(f.v.Items)-1] = lostValue(last.Pos)
	f.v.Partial, f.lastLost = true, true
}

// cutOff notes that an array ends without its bracket where more stood. Behind a comma there
// was another item, at least.
func (m *mender) cutOff(f *frame) {
	f.v.Cut, f.v.Partial = true, true
	if f.state == wanted {
		f.v.Items = append(f.v.Items, lostValue(f.end))
	}
}

// touchAround marks what follows in the open brackets of the value: where it belongs
// depends on a repair.
func (m *mender) touchAround() {
	for i := range m.frames {
		if f := &m.frames[i]; f.v != nil {
			f.touch = true
		}
	}
}

// reopen goes on in the object or array that was closed last.
func (m *mender) reopen() {
	f, again := m.top(), m.closed
	m.told(fault.JSONBracket, fault.Repair, again.end, "the bracket before this closes too early, and was left out")
	m.edit(again.end.Offset-1, again.end.Offset, "")
	again.state = filled
	if f != nil {
		if f.state == wanted {
			again.state = wanted
		}
		f.state = filled
	}
	switch {
	case f == nil || f.v == nil:
		m.item = nil
	case len(f.v.Members) > 0 && f.v.Members[len(f.v.Members)-1].Value == again.v:
		last := f.v.Members[len(f.v.Members)-1]
		f.m, f.v.Members, f.seen = Member{Name: last.Name, Pos: last.Pos}, f.v.Members[:len(f.v.Members)-1], nil
	case len(f.v.Items) > 0:
		f.v.Items = f.v.Items[:len(f.v.Items)-1]
	}
	again.touch = true
	again.dead = again.dead || m.oneLine && again.sort.context
	again.v.touchBehind()
	m.frames = append(m.frames, again)
	m.back = false
}
