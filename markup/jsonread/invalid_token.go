package jsonread

import "bytes"

// What is wrong with a token that lacks its quotation marks.
const (
	bareFlaw   = "a name is without quotation marks"
	singleFlaw = "a string is in apostrophes"
)

// garbage takes what is no token. It goes to the end of a string that was not opened, or to what may
// be a token. It goes to the end of the line if that holds nothing else.
func (t *tokens) garbage(one *token) {
	one.kind, one.flaw = tokenBroken, "this is not JSON"
	end, quote, structured := t.firstQuote(one.from)
	line := t.lineEnd(one.from, end)
	switch first := t.byte(one.from); {
	case t.comment(one, line):
		one.to, one.flaw = line, "this may be a comment, which JSON has not, or the rest of something"
		return
	case t.rules.on(tokenBareMember) && t.bareMember(one, line):
		return
	case one.first && (quote < 0 && !structured || t.intruder(one, line) && t.rules.on(tokenIntruder)):
		one.to = line
		return
	case first == '\'' && t.rules.on(tokenSingle) && t.singleQuoted(one, line):
		return
	case first != '\'' && quote >= 0 && t.closing(quote) && !t.opening(quote) && t.rules.on(tokenUnopened):
		one.to, one.flaw = quote+1, "a string is not opened"
		return
	}
	one.to = t.garbageEnd(one.from, end)
	if t.rules.on(tokenBareValue) && t.bareWithValue(one) {
		return
	}
	if t.byte(t.behindSpace(one.to)) == ':' && isBare(t.bytes(one)) {
		one.kind, one.bare, one.flaw = tokenText, true, bareFlaw
	}
}

// firstQuote looks for the first quotation mark on the line from a place on, and for brackets before
// it. If there is none, quote is -1; then end is that of the line, or of what is looked at.
func (t *tokens) firstQuote(from int) (end, quote int, structured bool) {
	for end = from; end < from+nearBytes && !t.ends(end); end++ {
		switch t.byte(end) {
		case '"':
			if end > from && t.byte(end-1) == '\\' {
				continue // of a string that is not opened
			}
			return end, end, structured
		case '{', '}', '[', ']':
			structured = true
		case '\n', '\r':
			return end, -1, structured
		}
	}
	return end, -1, structured
}

// lineEnd is where the line ends on which from and n are.
func (t *tokens) lineEnd(from, n int) int {
	for ; n < from+nearBytes && !t.ends(n) && t.byte(n) != '\n' && t.byte(n) != '\r'; n++ {
	}
	return n
}

// comment says that a token may be a comment up to the end of its line.
func (t *tokens) comment(one *token, line int) bool {
	second := t.byte(one.from + 1)
	return t.byte(one.from) == '/' && (second == '*' || second == '/') && !t.oneLine && !t.ends(line) &&
		(one.first || !bytes.Contains(t.window[t.keep+one.from:t.keep+line], []byte(`":`)))
}

// singleQuoted takes a string between apostrophes that ends on the line.
func (t *tokens) singleQuoted(one *token, line int) bool {
	const most = 8 // apostrophes that are tried
	marks := 0
	for n := one.from + 1; n < line && marks < most; n++ {
		if t.byte(n) != '\'' {
			continue
		}
		if marks++; t.closing(n) {
			one.to, one.flaw = n+1, singleFlaw
			if raw := t.bytes(one); bytes.IndexByte(raw, '"') < 0 && bytes.IndexByte(raw, '\\') < 0 {
				one.kind, one.single = tokenText, true
			}
			return true
		}
	}
	return false
}

// garbageEnd is where what is no token ends: before what may be one, or at end. White space before
// that is no part of it.
func (t *tokens) garbageEnd(from, end int) int {
	n := from + 1
	for ; n < end; n++ {
		b := t.byte(n)
		if b == ',' || b == '{' || b == '}' || b == '[' || b == ']' || b == '"' && t.byte(n-1) != '\\' {
			break
		}
		if b == ':' && !isOfIRI(t.byte(n+1)) {
			break
		}
	}
	for ; n > from+1 && (t.byte(n-1) == ' ' || t.byte(n-1) == '\t'); n-- {
	}
	return n
}

// isOfIRI says that a byte behind a colon shows that this is one of an IRI or compact IRI.
func isOfIRI(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '/' || b >= 0x80
}

// startsMember says that the last token is one behind which a member begins.
func (t *tokens) startsMember() bool {
	n := len(t.all)
	return n > 0 && (t.all[n-1].kind == ',' || t.all[n-1].kind == '{')
}

// bareMember takes a name without quotation marks, or in apostrophes, that begins a line on which
// nothing else is wrong. A value of any kind but a string follows the colon, and then what can follow
// it. end is that of the line.
func (t *tokens) bareMember(one *token, end int) bool {
	if !one.first || !t.startsMember() {
		return false
	}
	n := one.from
	for n < end && t.byte(n) != ':' && t.byte(n) != ' ' && t.byte(n) != '\t' {
		n++
	}
	name, single := unquoteSingle(t.window[t.keep+one.from : t.keep+n])
	colon := t.behindSpace(n)
	if !isBare(name) || colon >= end || t.byte(colon) != ':' || !t.valueAlone(colon+1, end) {
		return false
	}
	one.kind, one.to = tokenText, n
	one.bare, one.single, one.flaw = !single, single, bareFlaw
	if single {
		one.flaw = singleFlaw
	}
	return true
}

// unquoteSingle takes the apostrophes off a text that is between two.
func unquoteSingle(raw []byte) (inside []byte, single bool) {
	if len(raw) > 1 && raw[0] == '\'' && raw[len(raw)-1] == '\'' {
		return raw[1 : len(raw)-1], true
	}
	return raw, false
}

// valueAlone says that one value of any kind but a string is between a place and the end of its line.
// Then comes what can follow it.
func (t *tokens) valueAlone(from, end int) bool {
	from = t.behindSpace(from)
	to := end
	for ; to > from && (t.blank(to-1) || t.byte(to-1) == ','); to-- {
	}
	if from >= to {
		return false
	}
	value, behind := t.window[t.keep+from:t.keep+to], t.window[t.keep+to:t.keep+end]
	inner, single := unquoteSingle(value)
	if !isNumber(value) && !isWord(value) && (!single || bytes.ContainsAny(inner, `'"\`)) {
		return false
	}
	switch bytes.Count(behind, []byte(",")) {
	case 0:
		return t.byte(t.behindSpace(end)) == '}'
	case 1:
		return true
	}
	return false
}

// bareWithValue takes a name without quotation marks off the number or word behind its colon, where members
// begin. An IRI with a port is none.
func (t *tokens) bareWithValue(one *token) bool {
	raw := t.bytes(one)
	colon := bytes.LastIndexByte(raw, ':')
	if colon < 1 || !t.startsMember() {
		return false
	}
	if name, value := raw[:colon], raw[colon+1:]; !isBare(name) || bytes.Contains(name, []byte("//")) || !isNumber(value) &&
		!isWord(value) {
		return false
	}
	one.to = one.from + colon
	one.kind, one.bare, one.flaw = tokenText, true, bareFlaw
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
