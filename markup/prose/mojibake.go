package prose

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Text that was UTF-8 and was read in a code page shows each character outside ASCII as two to four
// others. The first is a lead byte, the others are continuation bytes. Read back, such a run gives one
// character a sequence. Good text hardly ever has it: its words mix letters outside ASCII with others,
// and a single one that is alone is no sequence.

// page is a code page that UTF-8 is read in by mistake.
type page struct {
	name  string
	table *charmap.Charmap
	// alone says that one sequence in a text is enough to believe it. Where letters are leads and
	// continuations in words of its own languages, it takes two. Sequences of three bytes are believed
	// there to be signs only.
	alone bool
}

var pages = [...]page{
	{"windows-1252", charmap.Windows1252, true},
	{"mac-roman", charmap.Macintosh, true},
	{"code page 437", charmap.CodePage437, true},
	{"code page 850", charmap.CodePage850, true},
	{"windows-1250", charmap.Windows1250, false},
	{"windows-1251", charmap.Windows1251, false},
	{"windows-1253", charmap.Windows1253, false},
	{"windows-1254", charmap.Windows1254, false},
	{"windows-1257", charmap.Windows1257, false},
	{"koi8-r", charmap.KOI8R, false},
	{"code page 866", charmap.CodePage866, false},
	{"iso-8859-15", charmap.ISO8859_15, false},
	{"iso-8859-1", charmap.ISO8859_1, true},
}

// roles says of a character in which pages it stands for a lead byte of UTF-8, and
// in which for a continuation byte. A bit is a page.
type roles struct{ lead, rest uint16 }

var rolesOf = sync.OnceValue(func() map[rune]roles {
	all := map[rune]roles{}
	for p := range pages {
		for b := 0x80; b <= 0xF4; b++ {
			r := pages[p].table.DecodeByte(byte(b))
			add := func(r rune) {
				known := all[r]
				switch {
				case b < 0xC0:
					known.rest |= 1 << p
				case b >= 0xC2:
					known.lead |= 1 << p
				}
				all[r] = known
			}
			if r != utf8.RuneError {
				add(r)
			}
			if b < 0xA0 && (p == 0 || r == utf8.RuneError) { // ISO 8859-1, and bytes that a page lacks
				add(rune(b))
			}
		}
	}
	return all
})

// quick has the roles of the characters up to U+02FF, U+0400 on and U+2000 on.
type quickRoles struct {
	low     [0x500]roles
	symbols [0x600]roles // from U+2000
}

var quick = sync.OnceValue(func() *quickRoles {
	q := new(quickRoles)
	for r, known := range rolesOf() {
		switch {
		case r < 0x500:
			q.low[r] = known
		case 0x2000 <= r && r < 0x2600:
			q.symbols[r-0x2000] = known
		}
	}
	return q
})

func (q *quickRoles) of(r rune) roles {
	switch {
	case r < 0x500:
		return q.low[r]
	case 0x2000 <= r && r < 0x2600:
		return q.symbols[r-0x2000]
	}
	return roles{}
}

// demojibake finds the page that a text was read in, and what it says when it is read correctly; "" if
// it seems sound. In a text with a single character outside ASCII between others, only parts were
// misread.
func demojibake(text []byte, single bool) (name, meant string) {
	alive := uint16(0)
	if !single {
		if meant, page := Mend(text); page != "" {
			return page, shorten(meant)
		}
		alive = alivePages(text)
	}
	for p := 0; alive != 0; p, alive = p+1, alive>>1 {
		if alive&1 == 0 {
			continue
		}
		if fixed, ok := reread(text, p); ok {
			again := pages[p].name
			if _, deeper := demojibakeOnce(fixed); deeper != nil {
				again += ", twice"
				fixed = deeper
			}
			return again, shorten(fixed)
		}
	}
	if fixed := lowered(text); fixed != nil {
		return "windows-1252 and written in small letters", shorten(fixed)
	}
	if fixed := strewn(text); fixed != nil {
		return "windows-1252", shorten(fixed)
	}
	return "", ""
}

func demojibakeOnce(text []byte) (p int, fixed []byte) {
	for p, alive := 0, alivePages(text); alive != 0; p, alive = p+1, alive>>1 {
		if alive&1 == 1 {
			if fixed, ok := reread(text, p); ok {
				return p, fixed
			}
		}
	}
	return 0, nil
}

// alivePages are the pages in which every run of characters outside ASCII begins
// with a lead and a continuation. It is what nearly all good text fails.
func alivePages(text []byte) uint16 {
	q := quick()
	alive := uint16(1<<len(pages) - 1)
	found := false
	for i := 0; i < len(text) && alive != 0; {
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		first, size := utf8.DecodeRune(text[i:])
		i += size
		alive &= q.of(first).lead
		if alive == 0 || i >= len(text) || text[i] < utf8.RuneSelf {
			return 0
		}
		second, size := utf8.DecodeRune(text[i:])
		i += size
		alive &= q.of(second).rest
		found = true
		for alive != 0 && i < len(text) && text[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			i += size
			known := q.of(r)
			alive &= known.lead | known.rest
		}
	}
	if !found {
		return 0
	}
	return alive
}

// encode is the byte that r stands for in a page.
func encode(p int, r rune) (byte, bool) {
	if 0x80 <= r && r < 0xA0 && (p == 0 || pages[p].table.DecodeByte(byte(r)) == utf8.RuneError) {
		return byte(r), true
	}
	return pages[p].table.EncodeRune(r)
}

// run is a part of a text that is all outside ASCII.
type run struct {
	begin, end int // in the text
	at, until  int // in what the text means
}

// reread reads text as UTF-8 that was read in a page, and says whether the result
// is likelier than the text itself.
func reread(text []byte, p int) (fixed []byte, ok bool) {
	var runs []run
	sequences := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			fixed = append(fixed, text[i])
			i++
			continue
		}
		r := run{begin: i, at: len(fixed)}
		for i < len(text) && text[i] >= utf8.RuneSelf {
			c, size := utf8.DecodeRune(text[i:])
			b, known := encode(p, c)
			if !known {
				return nil, false
			}
			fixed = append(fixed, b)
			i += size
		}
		r.end, r.until = i, len(fixed)
		meant := fixed[r.at:]
		if !utf8.Valid(meant) {
			return nil, false
		}
		sequences += utf8.RuneCount(meant)
		runs = append(runs, r)
	}
	if sequences < 2 && !pages[p].alone && !(len(runs) == 1 && isCapitalInside(text, runs[0].begin)) {
		return nil, false
	}
	m := misreading{text, fixed, p, sequences}
	for _, r := range runs {
		if !m.isLikely(r) {
			return nil, false
		}
	}
	return fixed, sequences > 0
}

// isCapitalInside says that a capital letter is at i, right after a small one.
func isCapitalInside(text []byte, i int) bool {
	r, _ := utf8.DecodeRune(text[i:])
	return i > 0 && 'a' <= text[i-1] && text[i-1] <= 'z' && unicode.IsUpper(r)
}

// misreading is a text, and what it means if it was read in a page.
type misreading struct {
	text, fixed []byte
	page        int
	sequences   int // of UTF-8 in fixed that are outside ASCII
}

// isLikely says that a run may well be meant as it was read again. The more sequences
// there are in the text, the less is asked of each.
func (m *misreading) isLikely(r run) bool {
	around := m.around(r)
	var script *unicode.RangeTable
	for i := r.at; i < r.until; {
		c, size := utf8.DecodeRune(m.fixed[i:r.until])
		i += size
		switch {
		case c < 0xA0: // the C1 controls: nobody writes them, but a second round of reading makes them
			if m.page != 0 || m.sequences < 2 {
				return false
			}
		case isCommonSign(c):
		case unicode.Is(unicode.Latin, c):
			if !m.hasLatin(c, around) {
				return false
			}
		case unicode.IsMark(c) || unicode.IsLetter(c):
			next, ok := m.nextScript(c, script, around)
			if !ok {
				return false
			}
			script = next
		case !pages[m.page].alone || !isRareSign(c):
			return false
		}
	}
	return !m.endsWord(r, around)
}

// hasLatin says that a Latin letter of a run may be meant.
func (m *misreading) hasLatin(c rune, around neighbours) bool {
	if c >= 0x250 && m.sequences == 1 && !isLower(around.before) {
		return false
	}
	// In a word of capitals a capital is meant, in one of small letters a small one.
	if unicode.IsLower(c) && isUpper(around.after) || unicode.IsUpper(c) && isLower(around.before) {
		return false
	}
	return m.page == 0 || m.sequences > 1 || around.isLetter()
}

// nextScript is the script of a run after c, a letter or mark that is not Latin; script is the one before it.
// Where c can't be meant, ok is false: one letter alone, in a word with Latin letters, or of another script.
func (m *misreading) nextScript(c rune, script *unicode.RangeTable, around neighbours) (_ *unicode.RangeTable, ok bool) {
	if m.sequences < 2 {
		return nil, false
	}
	if unicode.Is(unicode.Inherited, c) {
		return script, true
	}
	s := scriptOf(c)
	if s == nil || !pages[m.page].alone && c >= 0x800 || script != nil && s != script {
		return nil, false
	}
	joinsLatin := s == unicode.Han || s == unicode.Hangul || s == unicode.Thai
	return s, joinsLatin || !around.isLetter()
}

// endsWord says that a run is one sequence after a capital, or ends in a mark that follows words: SPÖ“, AMANHÃ…
func (m *misreading) endsWord(r run, around neighbours) bool {
	if m.sequences != 1 || m.page == 1 || m.page == 2 || m.page == 3 {
		return false
	}
	last, _ := utf8.DecodeLastRune(m.text[r.begin:r.end])
	return unicode.IsPunct(last) && !isLower(around.before) && !isLower(around.after)
}

// isCommonSign recognises the signs of Latin-1, and of typography, that are in texts of any language.
func isCommonSign(c rune) bool {
	return c < 0xC0 || 0x200B <= c && c <= 0x200F || 0x2010 <= c && c <= 0x2044 || c == 0x20AC || c == 0x2122 || c == 0xD7 || c == 0xF7
}

// isRareSign recognises other signs that can be printed: arrows, marks of East Asia, pictures.
func isRareSign(c rune) bool {
	isSign := 0x2000 <= c && c < 0x2C00 || 0x3000 <= c && c < 0x3040 || 0xFF00 <= c && c < 0xFFF0 || c >= 0x1F000
	return isSign && unicode.IsPrint(c)
}

// neighbours are the bytes around a run; 0 at an end of the text.
type neighbours struct{ before, after byte }

func (m *misreading) around(r run) (n neighbours) {
	if r.begin > 0 {
		n.before = m.text[r.begin-1]
	}
	if r.end < len(m.text) {
		n.after = m.text[r.end]
	}
	return n
}

// isLetter says that one of them is a letter.
func (n neighbours) isLetter() bool {
	return isUpper(n.before) || isLower(n.before) || isUpper(n.after) || isLower(n.after)
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }

// scripts are those that are written with UTF-8 and read otherwise often enough.
var scripts = []*unicode.RangeTable{
	unicode.Cyrillic, unicode.Greek, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic, unicode.Hebrew,
	unicode.Thai, unicode.Devanagari, unicode.Bengali, unicode.Georgian, unicode.Armenian, unicode.Tamil, unicode.Telugu, unicode.Ethiopic,
	unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Lao, unicode.Tibetan,
	unicode.Myanmar, unicode.Khmer, unicode.Mongolian,
}

func scriptOf(r rune) *unicode.RangeTable {
	for _, s := range scripts {
		if unicode.Is(s, r) {
			if s == unicode.Hiragana || s == unicode.Katakana {
				return unicode.Han // they share words
			}
			return s
		}
	}
	return nil
}

// plainSigns follow Ã in mojibake, and no letter in good text. They are ¡ to ¾ without those that
// follow words, as ª º ° ² ³ ¹ » · ®.
const plainSigns = "¡¢£¤¥¦§¨©¬¯±´µ¶¸¼½¾"

// lowered reads text that was read as windows-1252 and then written in small
// letters, ã¤ for ä; nil if it is not such.
func lowered(text []byte) (fixed []byte) {
	sure := false
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			if 'A' <= text[i] && text[i] <= 'Z' {
				return nil
			}
			i++
			continue
		}
		lead, rest, second, size := pair(text[i:])
		if lead == 0 || rest < 0x80 || rest > 0xBF {
			return nil
		}
		var kept [2]byte
		if r, _ := utf8.DecodeRune(append(kept[:0], lead, rest)); unicode.IsUpper(r) {
			return nil
		}
		sure = sure || strings.ContainsRune(plainSigns, second)
		i += size
	}
	if !sure {
		return nil
	}
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			fixed = append(fixed, text[i])
			i++
			continue
		}
		lead, rest, _, size := pair(text[i:])
		fixed = append(fixed, lead, rest)
		i += size
	}
	return fixed
}

// pair is the sequence of two bytes that the first two characters of text are, where the first, the
// lead, was made a small letter. If they are none, lead is 0.
func pair(text []byte) (lead, rest byte, second rune, size int) {
	first, n := utf8.DecodeRune(text)
	if first != 'ã' && first != 'â' && first != 'ä' && first != 'å' {
		return 0, 0, 0, 0
	}
	second, m := utf8.DecodeRune(text[n:])
	rest, known := encode(0, second)
	if !known || second < utf8.RuneSelf {
		return 0, 0, 0, 0
	}
	return byte(first) - 0x20, rest, second, n + m
}

// strewn mends what is surely read as windows-1252 in a text that has other characters outside ASCII
// too; nil if there is nothing. A text that was put together from several has such characters.
func strewn(text []byte) (fixed []byte) {
	kept := 0 // what of text is in fixed
	for i := 0; i < len(text); {
		// Ã, Â and â begin with the same byte.
		next := bytes.IndexByte(text[i:], 0xC3)
		if next < 0 || i+next+3 > len(text) {
			break
		}
		i += next
		if text[i+2] < 0xC0 {
			i += 2
			continue
		}
		first, n := utf8.DecodeRune(text[i:])
		second, m := utf8.DecodeRune(text[i+n:])
		before, _ := utf8.DecodeLastRune(text[:i])
		var meant [3]byte
		length := 0
		switch {
		case first == 'Ã' && strings.ContainsRune(plainSigns, second),
			first == 'Â' && strings.ContainsRune("£©§±¶½¼¾", second) && !unicode.IsUpper(before):
			meant, length = [3]byte{byte(first), byte(second)}, 2
		case first == 'â' && second == '€':
			third, l := utf8.DecodeRune(text[i+n+m:])
			if b, known := encode(0, third); known && 0x80 <= b && b < 0xC0 {
				meant, length = [3]byte{0xE2, 0x80, b}, 3
				m += l
			}
		}
		if length > 0 {
			fixed = append(append(fixed, text[kept:i]...), meant[:length]...)
			kept = i + n + m
			i = kept
		} else {
			i += n
		}
	}
	if kept == 0 {
		return nil
	}
	return append(fixed, text[kept:]...)
}

// shorten cuts a text for a message, after the first character outside ASCII and
// some more.
func shorten(text []byte) string {
	const before, length = 16, 40
	begin := 0
	for begin < len(text) && text[begin] < utf8.RuneSelf {
		begin++
	}
	begin = max(0, begin-before)
	end := min(len(text), begin+length)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return string(bytes.ToValidUTF8(text[begin:end], nil))
}
