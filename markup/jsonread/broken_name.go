package jsonread

import (
	"bytes"
	"unicode/utf8"
)

// BrokenName is what is known of a name in a context that is broken: which terms it may have been.
// What needs one of them can't be known.
type BrokenName struct {
	Head, Tail string // of the name
	Exact      bool   // it is head
}

// quotationMarks are those in which a name may have been put, right or wrong.
const quotationMarks = "\"'“”„«»‘’"

// brokenNameOf finds what is known of a broken name from its text: what is before and behind the bytes
// in it that no name has.
func brokenNameOf(raw []byte) (b BrokenName) {
	raw = bytes.Trim(raw, quotationMarks+" :\t\r\n")
	sound := func(r rune) bool { return r >= ' ' && r != '\\' && r != '"' && r != 0x7F && r != utf8.RuneError }
	n := bytes.IndexFunc(raw, func(r rune) bool { return !sound(r) })
	if n < 0 {
		return BrokenName{Head: string(raw), Exact: true}
	}
	from := bytes.LastIndexFunc(raw, func(r rune) bool { return !sound(r) })
	_, size := utf8.DecodeRune(raw[from:])
	end := from + size
	if raw[from] == '\\' && end < len(raw) { // the escape itself, which may have any length
		if end++; raw[end-1] == 'u' {
			end = min(end+4, len(raw))
		}
	}
	return BrokenName{Head: string(raw[:n]), Tail: string(raw[end:])}
}

// loseName notes in a context, or in a definition in one, that the name of a member is broken. The
// parameter value is the number of the token of its value, 0 if that is not known.
func (m *mender) loseName(f *frame, raw []byte, value int) {
	f.lastLost = true
	if !m.inContext() {
		f.dead = true // in a definition each member counts
		return
	}
	b := brokenNameOf(raw)
	switch {
	case !m.rules.on(loseContextName):
		f.dead = true
		return
	case b.Head != "" && b.Head[0] == m.words.Sign:
		m.loseKeyword(f, b)
		return
	case b.Head == "" && (b.Tail == "" || b.Tail[0] == m.words.Sign), value == 0 || m.defines(value):
		f.dead = true
		return
	}
	f.v.Gaps, m.intricate = true, true
	f.v.Broken = append(f.v.Broken, b)
}

// loseUnseen notes that something is lost in a context in which any definition may have stood.
func (m *mender) loseUnseen(f *frame) {
	if f.v != nil && f.object && f.sort.context && m.inContext() {
		f.v.Gaps, m.intricate = true, true
		f.v.Broken = append(f.v.Broken, BrokenName{})
	}
}

// loseKeyword notes that a member of a context is lost whose name is that of a keyword, as far as it can be read.
func (m *mender) loseKeyword(f *frame, b BrokenName) {
	f.lastLost, f.v.Gaps = true, true
	words, whole := m.guide.Lost(b)
	f.dead = f.dead || whole
	f.v.Broken = append(f.v.Broken, words...)
}

// keywordLost notes that a term which may be another name of a keyword has lost its definition.
// Nothing that is read under the context can be known.
func (m *mender) keywordLost() {
	for i := range m.frames {
		if f := &m.frames[i]; f.object && f.sort.context && f.v != nil {
			f.dead = true
		}
	}
}

// inContext says that the innermost bracket is that of a context, and not of a definition in it.
func (m *mender) inContext() bool {
	outer := len(m.frames) - 2
	for outer >= 0 && !m.frames[outer].object {
		outer--
	}
	return outer >= 0 && !m.frames[outer].sort.context
}

// defines says that the definition which begins with the i-th token may give a name to a keyword. All
// that has the name can't be read then.
func (m *mender) defines(i int) bool {
	word := func(i int) bool {
		one := m.token(i)
		return one.kind == tokenBroken || one.kind == tokenText && m.words.signs(m.inside(one))
	}
	if m.token(i).kind != '{' {
		return word(i)
	}
	for end := i + manyInDefinition; i < end; i++ {
		switch one := m.token(i); {
		case one.kind == '}':
			return false
		case one.kind == tokenEnd || one.kind == tokenBroken:
			return true
		case one.kind == tokenText && string(m.inside(one)) == m.words.ID:
			return word(i + 2)
		}
	}
	return true
}

// manyInDefinition is how many tokens of a definition are looked through.
const manyInDefinition = 64
