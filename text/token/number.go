package token

import "strings"

// number takes what begins with a digit.
func (l *lexer) number() {
	s, i := l.s, l.pos
	w := l.alnums(i)
	m := match{w, w}
	end := l.digits(i)
	m.offer(end, end)
	if w < len(s) && s[w] != ' ' {
		l.offerDotted(&m, w)
		l.offerHyphened(&m)
		l.offerSlashed(&m)
		l.offerUnderscored(&m, w)
		l.offerAddress(&m, w)
		l.offerFile(&m, w)
	}
	l.offerFraction(&m)
	l.offerPhone(&m)
	if l.negated(w) {
		m.offer(w-1, w+2)
	}
	l.emitSpaced(m.end)
}

// negated says whether what ends at w is followed by 't, as in a word that begins with digits.
func (l *lexer) negated(w int) bool {
	return w-1 > l.pos && l.s[w-1]|0x20 == 'n' && l.apostropheAt(w) == 1 && l.byteAt(w+1)|0x20 == 't'
}

// emitSpaced emits a token whose spaces are written as no-break ones.
func (l *lexer) emitSpaced(end int) {
	text := l.s[l.pos:end]
	if strings.IndexByte(text, ' ') >= 0 {
		l.write(end, strings.ReplaceAll(text, " ", "\u00a0"))
		return
	}
	l.emitClean(end)
}

// digits is the end of a number at i, which may begin with a period, comma or colon; i if there is none.
func (l *lexer) digits(i int) int {
	s := l.s
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	for i+1 < len(s) && (s[i] == '.' || s[i] == ',' || s[i] == ':') && isDigit(s[i+1]) {
		i += 2
		for i < len(s) && isDigit(s[i]) {
			i++
		}
	}
	return i
}

// few is the end of at most most digits from i, or i if they are fewer than least.
func (l *lexer) few(i, least, most int) int {
	end := i
	for end < len(l.s) && end-i < most && isDigit(l.s[end]) {
		end++
	}
	if end-i < least {
		return i
	}
	return end
}

// offerFraction offers 7/8, and 5 7/8 or 5-7/8 as well.
func (l *lexer) offerFraction(m *match) {
	end := l.few(l.pos, 1, 4)
	if end == l.pos {
		return
	}
	if f := l.fraction(end); f > end {
		m.offer(f, f)
	}
	n := l.blankAt(end)
	if n == 0 && l.byteAt(end) == '-' {
		n = 1
	}
	if n == 0 {
		return
	}
	if top := l.few(end+n, 1, 4); top > end+n {
		if f := l.fraction(top); f > top {
			m.offer(f, f)
		}
	}
}

// fraction is the end of the slash and the digits behind the numerator that ends at i, or i.
func (l *lexer) fraction(i int) int {
	n := 0
	switch {
	case l.byteAt(i) == '/':
		n = 1
	case strings.HasPrefix(l.s[i:], "⁄"):
		n = 3
	}
	if end := l.few(i+n, 1, 4); n > 0 && end > i+n {
		return end
	}
	return i
}

// offerPhone offers a telephone number: groups of digits with hyphens or spaces, the first perhaps in brackets.
func (l *lexer) offerPhone(m *match) {
	i := l.pos
	if l.s[i] == '(' {
		end := l.few(i+1, 2, 3)
		if end == i+1 || l.byteAt(end) != ')' {
			return
		}
		i = end + 1 + l.blankAt(end+1)
		l.offerLocal(m, i)
		return
	}
	if l.s[i] == '+' {
		i++
	}
	// One or two groups of two to four digits stand before the local number.
	for range 2 {
		end := l.few(i, 2, 4)
		n := l.gapAt(end)
		if end == i || n == 0 {
			return
		}
		i = end + n
		l.offerLocal(m, i)
	}
}

// gapAt is the length of a hyphen or space at i, or 0.
func (l *lexer) gapAt(i int) int {
	if l.byteAt(i) == '-' {
		return 1
	}
	return l.blankAt(i)
}

// offerLocal offers a telephone number whose local part begins at i: two groups of digits that may be one.
func (l *lexer) offerLocal(m *match, i int) {
	for _, size := range [...]int{4, 3} {
		end := l.few(i, size, size)
		if end == i {
			continue
		}
		for _, next := range [...]int{end + l.gapAt(end), end} {
			if last := l.few(next, 3, 5); last > next {
				m.offer(last, last)
			}
		}
	}
}

// offerFile offers a file name with digits in it, which would else end before its period.
func (l *lexer) offerFile(m *match, w int) {
	if l.byteAt(w) != '.' {
		return
	}
	end := w + 1
	for end < len(l.s) && isAlnum(l.s[end]) {
		end++
	}
	if n := end - w - 1; n >= 2 && n <= 4 && files[strings.ToLower(l.s[w+1:end])] {
		m.offer(end, end)
	}
}

// files are common suffixes of file names.
var files = map[string]bool{"bmp": true, "bz2": true, "csv": true, "doc": true, "docx": true, "exe": true, "gif": true, "gz": true,
	"htm": true, "html": true, "jpeg": true, "jpg": true, "js": true, "json": true, "mp3": true, "mp4": true, "mpeg": true,
	"mpg": true, "odt": true, "pdf": true, "php": true, "png": true, "pps": true, "ppt": true, "pptx": true, "ps": true, "rar": true,
	"rtf": true, "svg": true, "tar": true, "tex": true, "tgz": true, "tif": true, "tiff": true, "txt": true, "wav": true,
	"xls": true, "xlsx": true, "xml": true, "zip": true}
