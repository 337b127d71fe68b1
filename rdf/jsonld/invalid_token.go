package jsonld

import "bytes"

// garbage takes what is no token. It goes to the end of a string that was not opened, or to what may
// be a token. It goes to the end of the line if that holds nothing else.
func (t *tokens) garbage(one *token) {
	one.kind, one.flaw = tokenBroken, "this is not JSON"
	end := one.from // of the line, or the first quotation mark on it
	quote, structure := -1, -1
	for ; end < one.from+nearBytes && !t.ends(end); end++ {
		switch t.byte(end) {
		case '"':
			if end > one.from && t.byte(end-1) == '\\' {
				continue // of a string that is not opened
			}
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
	case b == '/' && (second == '*' || second == '/') && !t.oneLine && !t.ends(line()) &&
		(one.first || !bytes.Contains(t.window[t.keep+one.from:t.keep+line()], []byte(`":`))):
		one.to, one.flaw = line(), "this may be a comment, which JSON has not, or the rest of something"
		return
	case t.bareMember(one, line()):
		return
	case one.first && (quote < 0 && structure < 0 || t.intruder(one, line())):
		one.to = line()
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
		if b == ',' || b == '{' || b == '}' || b == '[' || b == ']' || b == '"' && t.byte(n-1) != '\\' {
			break
		}
		if c := t.byte(n + 1); b == ':' && !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '/' || c >= 0x80) {
			break
		}
	}
	for ; n > one.from+1 && (t.byte(n-1) == ' ' || t.byte(n-1) == '\t'); n-- {
	}
	if one.to = n; t.bareWithValue(one) {
		return
	}
	if t.byte(t.behindSpace(n)) == ':' && isBare(t.bytes(one)) {
		one.kind, one.bare, one.flaw = tokenText, true, "a name stands without quotation marks"
	}
}

// bareMember takes a name without quotation marks, or in apostrophes, that begins a line on which
// nothing else is wrong. A value of any kind but a string follows the colon, and then what can follow
// it. end is that of the line.
func (t *tokens) bareMember(one *token, end int) bool {
	if last := len(t.all) - 1; !one.first || last < 0 || t.all[last].kind != ',' && t.all[last].kind != '{' {
		return false
	}
	n := one.from
	for n < end && t.byte(n) != ':' && t.byte(n) != ' ' && t.byte(n) != '\t' {
		n++
	}
	name := t.window[t.keep+one.from : t.keep+n]
	single := len(name) > 2 && name[0] == '\'' && name[len(name)-1] == '\''
	if single {
		name = name[1 : len(name)-1]
	}
	colon := t.behindSpace(n)
	if !isBare(name) || colon >= end || t.byte(colon) != ':' {
		return false
	}
	from := t.behindSpace(colon + 1)
	to := end
	for ; to > from && (t.blank(to-1) || t.byte(to-1) == ','); to-- {
	}
	if from >= to {
		return false
	}
	value := t.window[t.keep+from : t.keep+to]
	inner := len(value) > 1 && value[0] == '\'' && value[len(value)-1] == '\'' && !bytes.ContainsAny(value[1:len(value)-1], `'"\`)
	if !inner && !isNumber(value) && !isWord(value) || bytes.Count(t.window[t.keep+to:t.keep+end], []byte(",")) > 1 {
		return false
	}
	if bytes.IndexByte(t.window[t.keep+to:t.keep+end], ',') < 0 && t.byte(t.behindSpace(end)) != '}' {
		return false
	}
	one.kind, one.to = tokenText, n
	if one.bare, one.single, one.flaw = true, false, "a name stands without quotation marks"; single {
		one.bare, one.single, one.flaw = false, true, "a string stands in apostrophes"
	}
	return true
}

// bareWithValue takes a name without quotation marks off the number or word behind its colon, where members
// begin. An IRI with a port is none.
func (t *tokens) bareWithValue(one *token) bool {
	raw := t.bytes(one)
	colon := bytes.LastIndexByte(raw, ':')
	if last := len(t.all) - 1; colon < 1 || last < 0 || t.all[last].kind != ',' && t.all[last].kind != '{' {
		return false
	}
	if name, value := raw[:colon], raw[colon+1:]; !isBare(name) || bytes.Contains(name, []byte("//")) || !isNumber(value) && !isWord(value) {
		return false
	}
	one.to = one.from + colon
	one.kind, one.bare, one.flaw = tokenText, true, "a name stands without quotation marks"
	return true
}

// intruder says that a line is none of the text. It begins in the first column with more than one
// word, and the next line goes on indented, as JSON.
func (t *tokens) intruder(one *token, end int) bool {
	if one.pos.Column != 1 || one.bare {
		return false
	}
	line := t.window[t.keep+one.from : t.keep+end]
	words := bytes.IndexByte(line, ' ')
	if words < 0 || bytes.ContainsAny(line[:words], `{}[],:"'`) && line[0] != '<' && !isStamp(line[:words]) {
		return false
	}
	next := t.behindSpace(end)
	if b := t.byte(next - 1); next == end || b != ' ' && b != '\t' {
		return false
	}
	switch t.byte(next) {
	case '"', '{', '}', '[', ']':
		return true
	}
	return false
}

// isStamp says that a word is made of digits and what stands between those of dates and times.
func isStamp(word []byte) bool {
	for _, b := range word {
		if (b < '0' || b > '9') && bytes.IndexByte([]byte("-:.,T/[]Z+"), b) < 0 {
			return false
		}
	}
	return true
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
