package quote

import (
	"strings"
	"sync"
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
	shape      int8 // 1 for one that opens by its shape, -1 for one that closes, 0 for the others
	role       role

	left, right        rune // what stands beside it; 0 at the ends of the paragraph
	afterSpace         rune // what stands before the plain spaces that it follows; 0 where there are none
	mayOpen, mayClose  bool
	afterDigit, afterS bool
	beforeWord         bool   // a space and a small letter follow
	beforeEnd          bool   // stops follow, and then a mark
	apart              bool   // plain spaces stand on both sides
	rest               string // of the paragraph, behind it
	leftMark           bool   // another mark stands before it
	far                rune   // what stands behind the marks that follow it without a space
	leads              bool   // signs follow, and then a word
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
	shape int8
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

// count is at least how many marks a text has.
func count(s string) (n int) {
	for i := range len(s) {
		if begins[s[i]] {
			n++
		}
	}
	return n
}

// scan appends the marks of a paragraph.
func scan(marks []mark, s string, p text.Span) []mark {
	first := len(marks)
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
		m.leftMark = len(marks) > first && marks[len(marks)-1].end == m.start
		marks = append(marks, m)
		i = m.end
	}
	for i := len(marks) - 1; i >= first; i-- {
		if marks[i].far = marks[i].right; i+1 < len(marks) && marks[i+1].leftMark {
			marks[i].far = marks[i+1].far
		}
	}
	return marks
}

// shape gives marks the shape that they have in a language and, above that, in the text itself. The text counts where
// a mark that points one way stands like one that points the other in most clear cases.
func shape(all [][]mark, language map[string]int8) {
	type votes struct{ open, close int }
	habit := map[string]*votes{}
	for _, marks := range all {
		for i := range marks {
			m := &marks[i]
			if m.shape == 0 || strings.Contains("`‘’「」『』", m.text) || m.spacedOpening() || m.spacedClosing() {
				continue // a mark with a space inside is known by its shape alone
			}
			m.settle(marks, i)
			v := habit[m.text]
			if v == nil {
				v = &votes{}
				habit[m.text] = v
			}
			switch {
			case m.mayOpen && !m.mayClose:
				v.open++
			case m.mayClose && !m.mayOpen:
				v.close++
			}
		}
	}
	for _, marks := range all {
		for i := range marks {
			m := &marks[i]
			if s, ok := language[m.text]; ok {
				m.shape = s
			}
			if v := habit[m.text]; v != nil && v.open > 2*v.close+2 {
				m.shape = 1
			} else if v != nil && v.close > 2*v.open+2 {
				m.shape = -1
			}
		}
	}
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
	next := m.rest[:min(len(m.rest), 16)]
	behind := strings.TrimLeft(next, ".…-–—")
	r, _ := utf8.DecodeRuneInString(behind)
	m.leads = len(behind) < len(next) && (unicode.IsLetter(r) || unicode.IsDigit(r))
	m.apart = isPlain(m.left) && isPlain(m.right)
	if isPlain(m.left) {
		m.afterSpace, _ = utf8.DecodeLastRuneInString(strings.TrimRight(before, " \n"))
		m.afterS = m.afterSpace == 's' || m.afterSpace == 'S'
	}
	stops := strings.TrimLeft(next, ".,;:!?…")
	m.beforeEnd = len(stops) < len(next) && stops != "" && begins[stops[0]]
}

// spacedOpening says whether a plain space stands where a quotation would begin, and none of its words before the mark.
func (m *mark) spacedOpening() bool {
	return isPlain(m.right) && (m.left == 0 || isSpace(m.left) || m.side(m.left, true) == dash || strings.ContainsRune("([{", m.left))
}

// spacedClosing says whether a plain space stands where a quotation would end, and none of its words behind the mark.
func (m *mark) spacedClosing() bool {
	return isPlain(m.left) && (m.right == 0 || isSpace(m.right) || m.side(m.right, false) == closing || m.side(m.right, false) == dash)
}

// settle decides what a mark may be by what stands around it. Marks before it have their roles.
func (m *mark) settle(marks []mark, i int) {
	left, right := m.sides(marks, i)
	m.mayOpen = left != word && right != outside && right != closing || left == neutral && right == neutral
	m.mayClose = right != word && left != outside || left == neutral && right == neutral
	if left == word && right == word && !m.isApostrophe() && m.text != `"` && m.text != "`" {
		m.mayOpen, m.mayClose = m.shape > 0, true // words run together
	}
	if left == outside && right == word || left == outside && right == inside {
		m.mayClose = false
	}
	m.settleGuillemet()
	m.settleSpaced()
}

// settleSpaced decides on marks with plain spaces inside, as in text that was cut into tokens, in French that was typed
// quickly, and in 「 … 」. The shape decides; a straight one that opens follows no number, which would be of inches.
func (m *mark) settleSpaced() {
	opening, closing := m.spacedOpening(), m.spacedClosing()
	switch {
	case m.shape > 0 && opening:
		m.mayOpen, m.mayClose = true, closing // as in „ … “
	case m.shape < 0 && closing:
		m.mayOpen, m.mayClose = false, true
	case m.text == "'" && closing:
		m.mayClose = true // what ` opened alone: see judge
	case m.shape == 0 && m.text != "'" && (opening || closing) && (isPlain(m.left) || m.left == 0) && (isPlain(m.right) || m.right == 0):
		m.mayOpen, m.mayClose = opening && !unicode.IsDigit(m.afterSpace), closing
	}
}

// sides are the kinds of what stands on the two sides of a mark, seen past the marks beside it.
func (m *mark) sides(marks []mark, i int) (left, right int) {
	left, right = m.side(m.left, true), m.side(m.right, false)
	if m.leftMark {
		switch marks[i-1].role {
		case opens:
			left = outside
		case closes:
			left = inside
		}
	}
	if m.far != m.right {
		right = m.side(m.far, false)
		if m.shape < 0 && marks[i+1].shape > 0 {
			right = outside // as in “A,”“B”
		}
	}
	if left == dash { // it belongs to the other side of what it stands before
		left = outside
		if right == outside || right == closing {
			left = inside
		}
	}
	if right == dash {
		right = closing
		if left == outside {
			right = inside
		}
	}
	if left == outside && right == closing && m.leads {
		right = inside // as in “...and then”
	}
	return left, right
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
	case hardLeft && hardRight:
		m.mayOpen, m.mayClose = m.shape > 0, m.shape <= 0
	}
}

// The kinds of what may stand beside a mark.
const (
	outside = iota // space, or nothing, or what brackets open
	word           // a letter or digit
	inside         // what belongs to the text before or behind
	closing        // what ends a clause
	neutral        // a letter of a script without spaces
	dash           // a dash or hyphen
)

// side is the kind of a character beside a mark.
func (m *mark) side(r rune, left bool) int {
	switch {
	case r == 0 || isSpace(r):
		return outside
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar):
		return neutral
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return word
	case strings.ContainsRune(".,;:!?…)]}%。，、！？；：）」』】", r):
		if left {
			return inside
		}
		return closing
	case strings.ContainsRune("–—―-", r):
		return dash
	case strings.ContainsRune("([{</=¿¡（【", r):
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

// The ways in which a sign may stand for letters that are left out.
const (
	never = iota
	perhaps
	always
)

// elided says whether a sign may stand for letters that a word has lost, as in 'tis or the '90s.
func (m *mark) elided() int {
	if m.right >= '0' && m.right <= '9' && (m.isApostrophe() || m.text == "‘") {
		digits := 0
		for digits < len(m.rest) && m.rest[digits] >= '0' && m.rest[digits] <= '9' {
			digits++
		}
		if digits <= 2 {
			return perhaps
		}
		return never
	}
	if !m.isApostrophe() {
		return never
	}
	end := 0
	for end < len(m.rest) && end < 8 && m.rest[end]|0x20 >= 'a' && m.rest[end]|0x20 <= 'z' {
		end++
	}
	return lost()[strings.ToLower(m.rest[:end])]
}

// lost are words whose beginning is lost: English, then Dutch.
var lost = sync.OnceValue(func() map[string]int {
	t := map[string]int{}
	for _, w := range strings.Fields("tis twas twere twill twould em til n nother neath nuff gainst s t ns k m ie") {
		t[w] = always
	}
	for _, w := range strings.Fields("till cause cuz bout round ere") {
		t[w] = perhaps
	}
	return t
})

// lead is the length of the space before a text.
func lead(s string) int { return len(s) - len(strings.TrimLeftFunc(s, isSpace)) }

func isSpace(r rune) bool { return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' }

// isPlain says whether a space is one between words, or the end of a line.
func isPlain(r rune) bool { return r == ' ' || r == '\n' }

// isHard says whether a space holds what is beside it together: the no-break and the narrow ones.
func isHard(r rune) bool {
	return r == '\u00a0' || r == '\u202f' || r >= '\u2005' && r <= '\u200a'
}
