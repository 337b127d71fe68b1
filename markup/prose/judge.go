// Package prose judges the text of literals: whether it came through all the
// programs that had it in hand as it was written.
//
//	prose.Judge([]byte("MÃ¼nchen"), nil) // Mojibake: reads München, was read as windows-1252
//
// What it reports are doubts, and doubts of good text are lies: so each rule asks for
// more than one sign. A text in which nothing is found need not be sound.
package prose

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// Finding is something doubtful in a text.
type Finding struct {
	Kind   Kind
	Detail string // what was found, for a person; may be empty
}

// Kind says what is doubtful.
type Kind uint8

const (
	Mojibake      Kind = iota + 1 // UTF-8 was read as another encoding, once or more often
	Replacement                   // U+FFFD is where a character was lost
	QuestionMarks                 // question marks are where letters must be
	Control                       // control characters, noncharacters
	PrivateUse                    // characters without a public meaning
	Entity                        // character references of HTML
	Tag                           // tags of HTML
	Blank                         // white space at an end
	NotNFC                        // not in Unicode's normal form C
)

// IsSound says at a glance that nothing is doubtful in a text. It knows most texts in which [Judge]
// finds nothing, and none in which it finds something. Question marks are not sound, since only the
// language shows.
func IsSound(text []byte) bool {
	n := len(text)
	if n == 0 {
		return true
	}
	if text[0] <= ' ' || text[n-1] <= ' ' {
		return false
	}
	var odd, high uint64
	i := 0
	for ; i+8 <= n; i += 8 {
		word := binary.LittleEndian.Uint64(text[i:])
		high |= word
		odd |= oddBytes(word)
	}
	if i < n {
		var word uint64
		if n >= 8 {
			word = binary.LittleEndian.Uint64(text[n-8:])
		} else {
			const spaces = 0x2020202020202020
			word = spaces
			for i, b := range text {
				word ^= uint64(b^' ') << (8 * i)
			}
		}
		high |= word
		odd |= oddBytes(word)
	}
	if odd != 0 && classesIn(text)&^isHigh != 0 {
		return false
	}
	return high&0x8080808080808080 == 0 || !look(text).isOdd
}

// JudgeBeyondASCII is [Judge] of a text of which only the characters outside ASCII
// are still to be judged. It neither begins nor ends with a blank of ASCII.
func JudgeBeyondASCII(text, language []byte) []Finding {
	return judge(text, language, isHigh)
}

// oddBytes has a high bit set if one of eight bytes is a control character but LF,
// or one of & < = > ? and DEL.
func oddBytes(word uint64) uint64 {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	low := word &^ high
	newlines := ^((low ^ '\n'*ones) + 0x7F*ones)
	controls := ^(low + (0x80-0x20)*ones) &^ newlines // below 0x20
	deletes := low + ones                             // 0x7F
	ampersands := ^((low ^ '&'*ones) + 0x7F*ones)
	tags := ^((low&^(3*ones) ^ '<'*ones) + 0x7F*ones)
	return (controls | deletes | ampersands | tags) &^ word & high
}

// Classes of bytes, so that those of a text can be joined.
const (
	isControl = 1 << iota
	isQuestion
	isAmpersand
	isBracket
	isHigh // not ASCII
)

var classes = func() (t [256]uint8) {
	for b := range t {
		switch c := byte(b); {
		case c >= utf8.RuneSelf:
			t[b] = isHigh
		case c < 0x20 && c != '\n' && c != '\t' && c != '\r', c == 0x7F:
			t[b] = isControl
		case c == '?':
			t[b] = isQuestion
		case c == '&':
			t[b] = isAmpersand
		case c == '<':
			t[b] = isBracket
		}
	}
	return t
}()

func classesIn(text []byte) (joined uint8) {
	for len(text) >= 8 {
		b := (*[8]byte)(text)
		joined |= classes[b[0]] | classes[b[1]] | classes[b[2]] | classes[b[3]] | classes[b[4]] |
			classes[b[5]] | classes[b[6]] | classes[b[7]]
		text = text[8:]
	}
	for _, b := range text {
		joined |= classes[b]
	}
	return joined
}

// Judge finds what is doubtful in a text, in order of kinds. language is its tag in
// small letters, if it has one. Nothing is allocated where nothing is found. Bytes
// that are not UTF-8 are reported as [Replacement].
func Judge(text, language []byte) []Finding {
	if len(text) == 0 {
		return nil
	}
	return judge(text, language, classesIn(text))
}

// judge is Judge of a text that holds bytes of some classes.
func judge(text, language []byte, joined uint8) (found []Finding) {
	var s seen
	if joined&isHigh != 0 {
		s = look(text)
	}
	if !s.isOdd && joined&^isHigh == 0 && text[0] > ' ' && text[len(text)-1] > ' ' {
		return nil
	}
	add := func(kind Kind, format string, args ...any) {
		found = append(found, Finding{kind, fmt.Sprintf(format, args...)})
	}
	if s.paired {
		if page, meant := demojibake(text, s.single); page != "" {
			add(Mojibake, "read as %s, it is %s", page, meant)
		}
	}
	if s.replacement {
		add(Replacement, "")
	}
	if joined&isQuestion != 0 && len(language) > 0 {
		if word := questioned(text, language, joined&isHigh != 0); word != "" {
			add(QuestionMarks, "in %s", word)
		}
	}
	if joined&isControl != 0 || s.hasControl {
		add(Control, "%s", describeControl(firstControl(text)))
	}
	if s.private != 0 {
		add(PrivateUse, "%U", s.private)
	}
	if joined&isAmpersand != 0 {
		if entity := findEntity(text); entity != "" {
			add(Entity, "%s", entity)
		}
	}
	if joined&isBracket != 0 {
		if tag := findTag(text); tag != "" {
			add(Tag, "%s", tag)
		}
	}
	if where := blankEnds(text); where != "" {
		add(Blank, "%s", where)
	}
	if s.delicate && !norm.NFC.IsNormal(text) {
		add(NotNFC, "")
	}
	return found
}

// describeControl names a control character, and says what it may mean.
func describeControl(control rune) string {
	meant := charmap.Windows1252.DecodeByte(byte(control))
	switch {
	case 0x80 <= control && control < 0xA0 && meant != utf8.RuneError && !unicode.IsControl(meant):
		return fmt.Sprintf("%U, which is %c in windows-1252", control, meant)
	case control == 0 || control == 0xFFFE || control == 0xFFFF: // XSD 1.1 Part 2 §3.3.1
		return fmt.Sprintf("%U, which no xsd:string has", control)
	}
	return fmt.Sprintf("%U", control)
}

// seen is what a look at the characters outside ASCII shows.
type seen struct {
	isOdd       bool // something below, or white space
	hasControl  bool
	private     rune // the first
	replacement bool
	delicate    bool // a character that normal form C may not have as it is
	paired      bool // two are side by side, and the first may be a lead byte of UTF-8 that was misread
	single      bool // one is alone, so that the text as a whole was not misread
}

// look goes over the characters outside ASCII.
func look(text []byte) (s seen) {
	q := quick()
	for i := skipASCII(text, 0); i < len(text); i = skipASCII(text, i) {
		if isLoneLetter(text[i:]) { // as in most texts of Europe
			s.single = true
			i += 2
			continue
		}
		run := 0 // how many are side by side
		mayLead := false
		mark := class(0)              // of the character before, if that is a mark
		before, r := rune(0), rune(0) // the character before, if it is not ASCII
		for i < len(text) && text[i] >= utf8.RuneSelf {
			before = r
			var size int
			r, size = decode(text[i:])
			i += size
			run++
			c := classOf(r)
			if c < firstMark {
				s.paired = s.paired || mayLead && c&rests != 0
				mayLead, mark = c&leads != 0, 0
				continue
			}
			if c == joins && before != 0 && !isJoined(before, r) {
				mayLead, mark = false, 0
				continue
			}
			if c < joins {
				s.delicate = s.delicate || c < mark
				mayLead, mark = false, c
				continue
			}
			mark = 0
			if known := q.of(r); known.lead|known.rest != 0 {
				s.paired = s.paired || mayLead && known.rest != 0
				mayLead = known.lead != 0
			} else {
				mayLead = false
			}
			s.closely(r)
		}
		s.single = s.single || run == 1
	}
	s.isOdd = s.isOdd || s.hasControl || s.private != 0 || s.replacement || s.delicate || s.paired
	return s
}

// closely looks at a character whose class does not tell.
func (s *seen) closely(r rune) {
	switch {
	case r < 0xA0, r == 0xFEFF, r&0xFFFE == 0xFFFE, 0xFDD0 <= r && r <= 0xFDEF:
		s.hasControl = true
	case r == 0xA0, 0x2000 <= r && r < 0x200B, r == 0x3000, r == 0x2028, r == 0x2029, r == 0x202F, r == 0x205F, r == 0x1680:
		s.isOdd = true // white space, which may be at an end
	case r < 0x300:
	case r == utf8.RuneError:
		s.replacement = true
	case 0xE000 <= r && r <= 0xF8FF, r >= 0xF0000:
		if s.private == 0 {
			s.private = r
		}
	case isSettled(r):
	default:
		s.delicate = true
	}
}

// skipASCII is the index of the first byte from i on that is outside ASCII.
func skipASCII(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if high := binary.LittleEndian.Uint64(text[i:]) & 0x8080808080808080; high != 0 {
			return i + bits.TrailingZeros64(high)>>3
		}
	}
	for i < len(text) && text[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// isLoneLetter says that text begins with one character of U+00A1 to U+02FF, and ASCII
// or nothing after it. In such nothing is odd.
func isLoneLetter(text []byte) bool {
	if len(text) < 2 || len(text) > 2 && text[2] >= utf8.RuneSelf || text[1]&0xC0 != 0x80 {
		return false
	}
	return 0xC3 <= text[0] && text[0] <= 0xCB || text[0] == 0xC2 && text[1] > 0xA0
}

func firstControl(text []byte) rune {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		i += size
		if r < utf8.RuneSelf && classes[r] == isControl || 0x80 <= r && r < 0xA0 || r == 0xFEFF || r&0xFFFE == 0xFFFE || 0xFDD0 <= r &&
			r <= 0xFDEF {
			return r
		}
	}
	return 0
}

// IsSettled says at a glance that text is UTF-8 in normal form C, with letters and signs of a public
// meaning outside ASCII. It denies many of which this is true too.
func IsSettled(text []byte) bool {
	for i := skipASCII(text, 0); i < len(text); i = skipASCII(text, i) {
		for mark := class(0); i < len(text) && text[i] >= utf8.RuneSelf; {
			r, size := decode(text[i:])
			switch c := classOf(r); {
			case c < firstMark:
				mark = 0
			case c >= joins, c < mark:
				return false
			default:
				mark = c
			}
			i += size
		}
	}
	return true
}

// isSettled says that r, beyond U+0300, is in normal form C as it is and leaves
// what is around it alone. It knows the letters that most texts are made of; the
// others are looked up.
func isSettled(r rune) bool {
	switch {
	case r < 0x370, r == 0x1680:
		return false
	case r < 0x530:
		return r >= 0x400 && (r <= 0x482 || r >= 0x48A) || 0x388 <= r && r <= 0x3CE
	case r < 0x660:
		return 0x5D0 <= r && r <= 0x5EA || 0x621 <= r && r <= 0x64A
	case r < 0x2000:
		return 0xE01 <= r && r <= 0xE37 || 0x1E00 <= r && r <= 0x1EF9
	case r < 0x3041:
		return 0x2010 <= r && r <= 0x2027 || 0x2030 <= r && r <= 0x205E || r == 0x20AC || r == 0x2122
	}
	return r <= 0x3096 || 0x30A1 <= r && r <= 0x30FA || 0x4E00 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3
}

// blankEnds says at which ends of a text there is white space.
func blankEnds(text []byte) string {
	first, _ := utf8.DecodeRune(text)
	last, _ := utf8.DecodeLastRune(text)
	before, behind := unicode.IsSpace(first), unicode.IsSpace(last)
	switch {
	case before && behind:
		return "at both ends"
	case before:
		return "at the beginning"
	case behind:
		return "at the end"
	}
	return ""
}
