package jsonld

import "bytes"

// garbage takes what is no token: to the end of a string that was not opened, to the
// end of the line if that holds nothing else, or to what may be a token.
func (t *tokens) garbage(one *token) {
	one.kind, one.flaw = tokenBroken, "this is not JSON"
	end := one.from // of the line, or the first quotation mark on it
	quote, structure := -1, -1
	for ; end < one.from+nearBytes && !t.ends(end); end++ {
		switch t.byte(end) {
		case '"':
			quote = end
		case '{', '}', '[', ']':
			if structure < 0 {
				structure = end
			}
			continue
		case '\n', '\r':
		default:
			continue
		}
		break
	}
	line := func() int {
		n := end
		for ; n < one.from+nearBytes && !t.ends(n) && t.byte(n) != '\n' && t.byte(n) != '\r'; n++ {
		}
		return n
	}
	second := t.byte(one.from + 1)
	switch b := t.byte(one.from); {
	case b == '/' && second == '*':
		one.flaw = "JSON has no comments"
		one.to = line()
		if i := bytes.Index(t.window[t.keep+one.from:t.keep+one.to], []byte("*/")); i > 0 {
			one.to = one.from + i + 2
		}
		return
	case b == '/' && second == '/':
		one.to, one.flaw = line(), "JSON has no comments"
		return
	case one.first && quote < 0 && structure < 0:
		one.to = end
		return
	case b == '\'':
		marks := 0
		for n, last := one.from+1, line(); n < last && marks < 8; n++ {
			if t.byte(n) == '\'' {
				marks++
			}
			if t.byte(n) == '\'' && t.closing(n) {
				one.to, one.flaw = n+1, "a string stands in apostrophes"
				if raw := t.bytes(one); bytes.IndexByte(raw, '"') < 0 && bytes.IndexByte(raw, '\\') < 0 {
					one.kind, one.single = tokenText, true
				}
				return
			}
		}
	case quote >= 0 && t.closing(quote) && !t.opening(quote):
		one.to, one.flaw = quote+1, "a string is not opened"
		return
	}
	n := one.from + 1
	for ; n < end; n++ {
		b := t.byte(n)
		if b == ',' || b == '{' || b == '}' || b == '[' || b == ']' || b == '"' {
			break
		}
		if c := t.byte(n + 1); b == ':' && !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '/' || c >= 0x80) {
			break
		}
	}
	for ; n > one.from+1 && (t.byte(n-1) == ' ' || t.byte(n-1) == '\t'); n-- {
	}
	one.to = n
	if t.byte(t.behindSpace(n)) == ':' && isBare(t.bytes(one)) {
		one.kind, one.bare, one.flaw = tokenText, true, "a name stands without quotation marks"
	}
}

// isBare says that text can be a name that only lacks its quotation marks.
func isBare(raw []byte) bool {
	for i, b := range raw {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', b == '_', b == '$', b == '@':
		case i > 0 && ('0' <= b && b <= '9' || b == '-' || b == ':' || b == '/' || b == '.' || b == '#'):
		default:
			return false
		}
	}
	return len(raw) > 0
}
