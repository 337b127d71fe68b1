package jsonread

import (
	"bytes"

	"laundromat/internal/fault"
)

// quotedText takes a string, or what seems to be one.
func (t *tokens) quotedText(one *token) {
	if t.tripled(one) {
		return
	}
	n, line, cut := t.textEnd(one)
	switch {
	case cut:
		t.unclosed(one, line)
	case t.ends(n) && t.long:
		one.kind, one.to = tokenEnd, one.from
	case t.ends(n):
		one.kind, one.flaw, one.to = tokenBroken, cutInString, n
		if line >= 0 {
			t.unclosed(one, line)
		}
	case t.closing(n):
		one.kind, one.to = tokenText, n+1
		t.judge(one)
	case line >= 0:
		t.unclosed(one, line)
	case t.opening(n) && !(t.amidIRI(n) && t.rules.on(tokenAmidIRI)):
		// The mark opens the next string. What is between them goes with neither.
		t.unclosed(one, n)
	default:
		t.markInText(one, n)
	}
}

// unclosed takes a string without its second quotation mark, which ends at n at the latest.
func (t *tokens) unclosed(one *token, n int) {
	one.kind, one.to, one.flaw = tokenBroken, t.beforeStructure(one.from, n), "a string is not closed"
}

// textEnd looks for the second quotation mark of a string, or the end of the text. The first line of
// the string ends at line, -1 if it is on one. If the string can't go on to that mark, cut is true.
func (t *tokens) textEnd(one *token) (n, line int, cut bool) {
	line = -1
	for n = one.from + 1; !t.ends(n) && t.byte(n) != '"'; n++ {
		switch b := t.byte(n); {
		case n == t.bound:
			if line < 0 {
				line = n
			}
			return n, line, true
		case b == '\\' && !t.ends(n+1) && t.byte(n+1) != '\n' && t.byte(n+1) != '\r':
			n++
		case b == '\n' || b == '\r':
			if line < 0 {
				line = n
			}
			one.raw = true
			if t.oneLine {
				return n, line, true
			}
		case b < 0x20:
			one.raw = true
		}
	}
	return n, line, false
}

// markInText takes a string with the quotation mark at n in its middle.
func (t *tokens) markInText(one *token, n int) {
	one.kind, one.flaw = tokenBroken, "a quotation mark in a string should be written as an escape"
	if one.to = n + 1; !t.rules.on(tokenMarkInside) {
		return
	}
	for n++; n < one.from+nearBytes && !t.ends(n) && t.byte(n) != '\n'; n++ {
		if t.byte(n) != '"' || t.byte(n-1) == '\\' {
			continue
		}
		if t.opening(n) {
			one.to = t.beforeStructure(one.from, n)
			return
		}
		if one.to = n + 1; t.closing(n) {
			return
		}
	}
}

// amidIRI says that the quotation mark at n, behind a colon, is in an IRI and does not open the next
// string. The rest of the IRI follows, or what would be the name of another member.
func (t *tokens) amidIRI(n int) bool {
	if n == 0 || t.byte(n-1) != ':' {
		return false
	}
	if t.byte(n+1) == '/' && t.byte(n+2) == '/' {
		return true
	}
	end := n + 1
	for ; end < n+maxName && !t.ends(end) && t.byte(end) != '"' && t.byte(end) > ' '; end++ {
	}
	return t.byte(end) == '"' && t.byte(t.behindSpace(end+1)) == ':'
}

// tripled takes a string between three quotation marks and three, which JSON has not.
func (t *tokens) tripled(one *token) bool {
	marks := func(n int) bool { return t.byte(n) == '"' && t.byte(n+1) == '"' && t.byte(n+2) == '"' }
	if !marks(one.from) {
		return false
	}
	for n := one.from + 3; n < one.from+nearBytes && !t.ends(n); n++ {
		if t.oneLine && t.byte(n) == '\n' || n == t.bound {
			return false
		}
		if marks(n) && t.closing(n+2) && t.rules.on(tokenTripled) {
			one.kind, one.to, one.flaw = tokenBroken, n+3, "JSON has no strings between three quotation marks"
			return true
		}
	}
	return false
}

// judge looks for what makes a closed string a broken one.
func (t *tokens) judge(one *token) {
	raw := t.inside(one)
	if bytes.IndexByte(raw, 0) >= 0 {
		one.kind, one.flaw = tokenBroken, "a string holds a NUL"
		return
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return
	}
	if _, _, bad := t.unescape(raw); bad >= 0 {
		one.kind, one.flaw = tokenBroken, "JSON has no escape "+fault.Excerpt(raw[bad:min(bad+2, len(raw))])
	}
}
