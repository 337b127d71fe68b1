package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/text"
)

// role is what a mark was found to be.
type role uint8

const (
	unknown role = iota
	opens
	closes
)

// mark is a sign that may be a quotation mark, with what stands around it.
type mark struct {
	text       string
	start, end int
	shape      int // 1 for one that opens by its shape, -1 for one that closes, 0 for the others
	role       role

	left, right         rune // what stands beside it; 0 at the ends of the paragraph
	mayOpen, mayClose   bool
	afterDigit, afterS  bool
	beforeWord          bool   // a space and a small letter follow
	apart               bool   // plain spaces stand on both sides
	rest                string // of the paragraph, behind it
	leftMark, rightMark bool   // another mark stands beside it
}

// isApostrophe says whether the sign may be an apostrophe.
func (m *mark) isApostrophe() bool { return m.text == "'" || m.text == "’" }

// straight says whether the sign may be one of feet or inches.
func (m *mark) straight() bool {
	return m.text == `"` || m.text == "'" || m.text == "’" || m.text == "”"
}

// signs are the marks and their shapes. Those of LaTeX come before the half of them.
var signs = []struct {
	text  string
	shape int
}{
	{"``", 1}, {"''", -1}, {"`", 1}, {"'", 0}, {`"`, 0},
	{"“", 1}, {"”", -1}, {"‘", 1}, {"’", -1}, {"„", 1}, {"‚", 1}, {"‟", 1}, {"‛", 1},
	{"«", 1}, {"»", -1}, {"‹", 1}, {"›", -1}, {"「", 1}, {"」", -1}, {"『", 1}, {"』", -1}, {"〝", 1}, {"〞", -1}, {"〟", -1},
}

// single are the marks that are written ` and '.
var single = map[string]bool{"`": true, "'": true, "‘": true, "’": true, "‚": true, "‛": true, "‹": true, "›": true, "『": true, "』": true}

// begins says which bytes begin a mark.
var begins = func() (t [256]bool) {
	for _, s := range signs {
		t[s.text[0]] = true
	}
	return t
}()

// scan lists the marks of a paragraph.
func scan(s string, p text.Span) (marks []mark) {
	for i := p.Start; i < p.End; {
		if !begins[s[i]] {
			i++
			continue
		}
		m, ok := at(s[i:p.End])
		if !ok {
			i++
			continue
		}
		m.start, m.end = i, i+len(m.text)
		m.rest = s[m.end:p.End]
		if i > p.Start {
			m.left, _ = utf8.DecodeLastRuneInString(s[p.Start:i])
		}
		if m.rest != "" {
			m.right, _ = utf8.DecodeRuneInString(m.rest)
		}
		m.look(s[p.Start:i])
		if n := len(marks); n > 0 && marks[n-1].end == m.start {
			m.leftMark, marks[n-1].rightMark = true, true
		}
		marks = append(marks, m)
		i = m.end
	}
	return marks
}

// at is the mark at the beginning of a text.
func at(s string) (mark, bool) {
	for _, sign := range signs {
		if strings.HasPrefix(s, sign.text) {
			return mark{text: sign.text, shape: sign.shape}, true
		}
	}
	return mark{}, false
}

// look notes what stands before and behind a mark.
func (m *mark) look(before string) {
	m.afterDigit = m.left >= '0' && m.left <= '9'
	m.afterS = m.left == 's' || m.left == 'S' || m.left == 'z' || m.left == 'x'
	if strings.HasPrefix(m.rest, " ") {
		r, _ := utf8.DecodeRuneInString(m.rest[1:])
		m.beforeWord = unicode.IsLower(r)
	}
	m.apart = (m.left == ' ' || m.left == '\n') && (m.right == ' ' || m.right == '\n')
}

// settle decides what a mark may be by what stands around it. Marks before it have their roles.
func (m *mark) settle(marks []mark, i int) {
	left, right := m.side(m.left, true), m.side(m.right, false)
	if m.leftMark {
		switch marks[i-1].role {
		case opens:
			left = outside
		case closes:
			left = inside
		}
	}
	if m.rightMark {
		last := i
		for last+1 < len(marks) && marks[last].rightMark {
			last++
		}
		right = m.side(marks[last].right, false)
	}
	m.mayOpen = left != word && right != outside && right != closing || left == neutral && right == neutral
	m.mayClose = right != word && left != outside || left == neutral && right == neutral
	if left == word && right == word && !m.isApostrophe() && m.text != `"` && m.text != "`" {
		m.mayOpen, m.mayClose = m.shape > 0, true // words run together
	}
	if left == outside && right == word || left == outside && right == inside {
		m.mayClose = false
	}
	m.settleGuillemet()
}

// settleGuillemet decides on marks that have spaces inside, as in French. A no-break space is inside.
func (m *mark) settleGuillemet() {
	if !strings.Contains("«»‹›“”", m.text) {
		return
	}
	switch hardLeft, hardRight := isHard(m.left), isHard(m.right); {
	case hardRight && !hardLeft:
		m.mayOpen, m.mayClose = true, false
	case hardLeft && !hardRight:
		m.mayOpen, m.mayClose = false, true
	case m.apart && strings.Contains("«»‹›", m.text):
		m.mayOpen, m.mayClose = m.shape > 0, true
	case m.left == ' ' && strings.Contains("»›", m.text) && m.side(m.right, false) != word:
		m.mayOpen, m.mayClose = false, true
	}
}

// The kinds of what may stand beside a mark.
const (
	outside = iota // space, or nothing, or what brackets open
	word           // a letter or digit
	inside         // what belongs to the text before or behind
	closing        // what ends a clause
	neutral        // a letter of a script without spaces
)

// side is the kind of a character beside a mark.
func (m *mark) side(r rune, left bool) int {
	switch {
	case r == 0 || isSpace(r):
		return outside
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return neutral
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return word
	case strings.ContainsRune(".,;:!?…)]}%。，、！？；：）」』】", r):
		if left {
			return inside
		}
		return closing
	case strings.ContainsRune("([{<–—―-/=¿¡（【", r):
		if left {
			return outside
		}
		if r == '¿' || r == '¡' || r == '(' || r == '[' || r == '{' || r == '<' {
			return inside
		}
		return closing
	}
	return inside
}

// elides says whether a sign stands for letters that a word has lost, as in 'tis or the '90s.
func (m *mark) elides() bool {
	if !m.isApostrophe() {
		return m.text == "‘" && m.right >= '0' && m.right <= '9' && !strings.Contains(m.rest, "’")
	}
	if m.right >= '0' && m.right <= '9' {
		digits := strings.TrimLeft(m.rest, "0123456789")
		n := len(m.rest) - len(digits)
		return n == 2 && !strings.HasPrefix(digits, ",") || n == 1
	}
	end := 0
	for end < len(m.rest) && m.rest[end]|0x20 >= 'a' && m.rest[end]|0x20 <= 'z' {
		end++
	}
	return elided[strings.ToLower(m.rest[:end])]
}

// elided are words whose beginning is lost: English, then Dutch.
var elided = map[string]bool{"tis": true, "twas": true, "twere": true, "twill": true, "twould": true, "em": true, "til": true,
	"till": true, "cause": true, "cuz": true, "bout": true, "round": true, "n": true, "nother": true, "neath": true, "gainst": true,
	"nuff": true, "tude": true, "ere": true, "s": true, "t": true, "ns": true, "k": true, "m": true, "ie": true}

// lead is the length of the space before a text.
func lead(s string) int { return len(s) - len(strings.TrimLeftFunc(s, isSpace)) }

func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }

// isHard says whether a space holds what is beside it together.
func isHard(r rune) bool { return r == '\u00a0' || r == '\u202f' }
