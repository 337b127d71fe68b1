package token

import (
	"strings"
	"unicode/utf8"
)

// word takes what begins with a letter.
func (l *lexer) word() {
	s, i := l.s, l.pos
	j := i + max(l.letterAt(i), 1)
	for j < len(s) && isAlnum(s[j]) {
		j++
	}
	if j == len(s) || class[s[j]] == space || s[j] == ')' || s[j] == '"' {
		if s[i] >= utf8.RuneSelf {
			l.emitWord(j)
		} else if !l.emitMerged(j) {
			l.emit(j)
		}
		return
	}
	if s[j] == ',' && !l.inMail(i) {
		if next := l.byteAt(j + 1); next == ' ' || next == '\n' {
			l.emitWord(j)
			return
		}
	}
	w := l.alnums(j)
	m := match{w, w}
	l.offerDotted(&m, w)
	l.offerHyphened(&m)
	l.offerSlashed(&m)
	l.offerUnderscored(&m, w)
	l.offerNegation(&m, w)
	l.offerApostrophe(&m, w)
	l.offerAddress(&m, w)
	l.offerInitials(&m, w)
	if a, ok := l.abbreviation(w); ok && a.total > m.total {
		l.emitAbbreviation(a)
		return
	}
	if m.end == w {
		l.emitWord(w)
		return
	}
	if n := l.apostropheAt(w); n > 1 && m.end == w+n+1 && w == l.pos+1 && l.s[l.pos]|0x20 == 'n' {
		l.write(m.end, l.s[l.pos:w]+"'"+l.s[w+n:m.end]) // n’t
		return
	}
	l.emitClean(m.end)
}

// merged are words that the Treebank writes as two, by the length of the first.
var merged = map[string]int{"cannot": 3, "gonna": 3, "gotta": 3, "lemme": 3, "gimme": 3, "wanna": 3}

// emitWord emits a word, or two if it is a merged one.
func (l *lexer) emitWord(end int) {
	if !l.emitMerged(end) {
		l.emitClean(end)
	}
}

// emitMerged emits the two words of a merged one, if it is one.
func (l *lexer) emitMerged(end int) bool {
	n := end - l.pos
	if n != 5 && n != 6 {
		return false
	}
	if c := l.s[end-1] | 0x20; c != 'a' && c != 'e' && c != 't' {
		return false
	}
	var lower [6]byte
	for i := range n {
		lower[i] = l.s[l.pos+i] | 0x20
	}
	cut := merged[string(lower[:n])]
	if cut == 0 {
		return false
	}
	l.emit(l.pos + cut)
	l.emit(end)
	return true
}

// emitClean emits a token without its soft hyphens. One that is nothing else is a hyphen.
func (l *lexer) emitClean(end int) {
	text := l.s[l.pos:end]
	if strings.Contains(text, softHyphen) {
		if text = strings.ReplaceAll(text, softHyphen, ""); text == "" {
			text = "-"
		}
	}
	l.write(end, text)
}

// offerDotted offers words joined by a period, exclamation or question mark, as in alt.folklore.urban. It also offers
// a word with a period before a comma, semicolon or colon.
func (l *lexer) offerDotted(m *match, w int) {
	end := w
	if isLetter(l.s[l.pos]) || l.letterAt(l.pos) > 0 {
		for end < len(l.s) && (l.s[end] == '.' || l.s[end] == '!' || l.s[end] == '?') {
			n := l.letterAt(end + 1)
			if n == 0 {
				break
			}
			end = l.alnums(end + 1 + n)
		}
	}
	m.offer(end, end)
	if l.byteAt(end) == '.' {
		if c := l.byteAt(end + 1); c == ',' || c == ';' || c == ':' {
			m.offer(end+1, end+2)
		}
	}
}

// offerHyphened offers words joined by hyphens. The first of them may hold periods and commas, as in 80,000-man.
func (l *lexer) offerHyphened(m *match) {
	if l.pos >= l.head {
		l.head = l.headEnd(l.pos)
	}
	if end := l.hyphened(l.head); end > l.head {
		m.offer(end, end)
	}
}

// headEnd is the end of the first of words joined by hyphens. It is the same from wherever in it one begins.
func (l *lexer) headEnd(i int) int {
	for {
		n := l.alnumAt(i)
		if n == 0 && i > l.pos && (l.byteAt(i) == '.' || l.byteAt(i) == ',') {
			n = 1
		}
		if n == 0 {
			return i
		}
		i += n
	}
}

// hyphened is the end of the words joined by hyphens to what ends at i.
func (l *lexer) hyphened(i int) int {
	for {
		n := l.hyphenAt(i)
		if n == 0 {
			return i
		}
		end := l.alnums(i + n)
		if end == i+n {
			return i
		}
		i = end
	}
}

// offerSlashed offers two or three words joined by slashes, as in and/or. Those behind a hyphen have no digits.
func (l *lexer) offerSlashed(m *match) {
	end := l.slashPart(l.pos)
	for parts := 1; parts < 3 && l.byteAt(end) == '/'; parts++ {
		next := l.slashPart(end + 1)
		if next == end+1 {
			break
		}
		end = next
		m.offer(end, end)
	}
}

func (l *lexer) slashPart(i int) int {
	i = l.alnums(i)
	for n := l.hyphenAt(i); n > 0; n = l.hyphenAt(i) {
		end := l.letters(i + n)
		if end == i+n {
			break
		}
		i = end
	}
	return i
}

// offerUnderscored offers words joined by underscores.
func (l *lexer) offerUnderscored(m *match, w int) {
	for l.byteAt(w) == '_' {
		end := l.alnums(w + 1)
		if end == w+1 {
			return
		}
		w = end
		m.offer(w, w)
	}
}

// offerNegation offers the verb before n't, and n't itself.
func (l *lexer) offerNegation(m *match, w int) {
	n := l.apostropheAt(w)
	if n == 0 || l.s[w-1]|0x20 != 'n' || l.byteAt(w+n)|0x20 != 't' {
		return
	}
	if w-1 == l.pos {
		m.offer(w+n+1, w+n+1)
		return
	}
	m.offer(w-1, w+n+1)
}

// offerApostrophe offers words with an apostrophe inside: names (O'Brien), French articles (l'amour), y'all.
func (l *lexer) offerApostrophe(m *match, w int) {
	n := l.apostropheAt(w)
	if n == 0 {
		return
	}
	behind := w + n
	end := l.letters(behind)
	head := l.s[l.pos:w]
	if len(head) == 1 && strings.IndexByte("dDlLjJ", head[0]) >= 0 {
		m.offer(behind, behind)
	}
	if end == behind {
		if n == 1 && strings.EqualFold(head, "somethin") {
			m.offer(behind, behind) // the one of these words that the reference knows
		}
		return
	}
	if len(head) == 1 {
		c := head[0]
		switch {
		case c == 'y' || c == 'Y':
			m.offer(behind, end)
			return
		case c >= 'A' && c <= 'Z' && c != 'I' || c == 'n' || c == 'd' || c == 'l' || c == 'j':
			if l.letterAt(behind+l.letterAt(behind)) > 0 {
				m.offer(end, end)
				return
			}
		}
	}
	if strings.EqualFold(head, "qu") || n == 1 && whole[strings.ToLower(l.s[l.pos:end])] {
		m.offer(end, end)
	}
}

// whole are further words whose apostrophe parts nothing.
var whole = map[string]bool{"o'clock": true, "ma'am": true, "c'mon": true, "c'est": true, "o'er": true, "ne'er": true, "e'er": true,
	"where'er": true, "howe'er": true, "whene'er": true, "whate'er": true, "whoe'er": true}

// offerInitials offers AT&T, U+FFFF, C++ and the signs of dollars such as US$.
func (l *lexer) offerInitials(m *match, w int) {
	switch l.byteAt(w) {
	case '&', '+':
		if w-l.pos == 1 && l.s[l.pos]|0x20 == 'c' && l.byteAt(w) == '+' && l.byteAt(w+1) == '+' {
			m.offer(w+2, w+2)
			return
		}
		end := l.capitals(l.pos)
		for c := l.byteAt(end); end >= w && (c == '&' || c == '+'); c = l.byteAt(end) {
			next := l.capitals(end + 1)
			if next == end+1 {
				break
			}
			end = next
		}
		if end > w {
			m.offer(end, end)
		}
	case '$':
		if dollars[l.s[l.pos:w]] {
			m.offer(w+1, w+1)
		}
	}
}

// capitals is the end of the capital letters of ASCII at i.
func (l *lexer) capitals(i int) int {
	for c := l.byteAt(i); c >= 'A' && c <= 'Z'; c = l.byteAt(i) {
		i++
	}
	return i
}

// dollars are the letters before a dollar sign that belong to it.
var dollars = map[string]bool{"US": true, "A": true, "C": true, "HK": true, "NZ": true, "NT": true, "S": true, "R": true}
