package encoding

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"laundromat/internal/fault"
)

// Doubled counts the characters outside ASCII that are UTF-8 which was read as windows-1252
// or ISO-8859-1, in a text that is written to it. Each of them appears as two to four
// others. Its zero value is ready. It holds a few bytes.
type Doubled struct {
	doubled int64 // characters that are there as several
	lowered int64 // the same, where the first of the several was made a small letter
	sound   int64 // others
	held    []byte
}

const (
	doubledLeast = 3   // a text of fewer is judged literal by literal
	doubledShare = 0.5 // from here on the document is reported
	wholeShare   = 0.9 // from here on it may be read back as a whole
)

// Write counts; it never fails.
func (d *Doubled) Write(p []byte) (int, error) {
	n := len(p)
	if len(d.held) > 0 {
		d.held = append(d.held, p...)
		p = d.held
	}
	used := d.count(p, false)
	d.held = append(d.held[:0], p[used:]...)
	return n, nil
}

// maxDoubled is the length of the longest character that is there as several: four of
// three bytes.
const maxDoubled = 12

// count counts in p, and returns how much of it is decided.
func (d *Doubled) count(p []byte, atEOF bool) int {
	i := 0
	for {
		for i+maxDoubled+8 <= len(p) { // nearly all characters: those that are there once at a glance
			word := binary.LittleEndian.Uint64(p[i:]) & 0x8080808080808080
			if word == 0 {
				for i += 8; i+32+maxDoubled <= len(p) && isASCII32(p[i:]); i += 32 {
				}
				continue
			}
			i += bits.TrailingZeros64(word) / 8
			if n, characters := plainRun(binary.LittleEndian.Uint64(p[i:])); n > 0 {
				d.sound += characters
				i += n
				continue
			}
			size := plainSize(p[i : i+3 : i+3])
			if size == 0 {
				break
			}
			d.sound++
			i += size
		}
		if i == len(p) || p[i] < utf8.RuneSelf {
			i += firstHigh(p[i:])
		}
		if i == len(p) {
			return i
		}
		if len(p)-i < maxDoubled && !atEOF {
			return i
		}
		if size := plainSize(p[i:]); size > 0 {
			d.sound++
			i += size
			continue
		}
		_, size, isLowered := undoubled(p[i:])
		switch {
		case size == 0:
			d.sound++
			_, size = utf8.DecodeRune(p[i:])
		case isLowered:
			d.lowered++
		default:
			d.doubled++
		}
		i += size
	}
}

// plainRun looks at the eight bytes of a word. Where they begin with four characters of two bytes, or two of three, it
// returns the length of these and how many they are. They are such as plainSize finds.
func plainRun(word uint64) (n int, characters int64) {
	const lanes = 0x0001000100010001
	// With leads from C4 on, the third and the higher bits of which are not all 0.
	if word&(0xC0E0*lanes) == 0x80C0*lanes && (word&(0x1C*lanes)+0xFC*lanes)&(0x100*lanes) == 0x100*lanes {
		return 8, 4
	}
	if word&0xC0E0FFC0E0FF == 0x80A0E080A0E0 { // E0, which A0 to BF follow
		return 6, 2
	}
	if word&0xC0C0F0C0C0F0 == 0x8080E08080E0 && (word-1)&0xF < 0xC && (word>>24-1)&0xF < 0xC { // E1 to EC
		return 6, 2
	}
	return 0, 0
}

// plainSize is the length of the character outside ASCII at the beginning of p. It is 0 where it is not clear at a
// glance that the character is there once.
func plainSize(p []byte) int {
	switch lead := p[0]; {
	case len(p) < 3:
		return 0
	case lead == 0xC3 && p[2] < utf8.RuneSelf, 0xC4 <= lead && lead < 0xE0: // no ASCII follows a misread lead byte
		if p[1]&0xC0 == 0x80 {
			return 2
		}
	case lead == 0xE0:
		if p[1]&0xE0 == 0xA0 && p[2]&0xC0 == 0x80 {
			return 3
		}
	case 0xE1 <= lead && lead < 0xED:
		if p[1]&0xC0 == 0x80 && p[2]&0xC0 == 0x80 {
			return 3
		}
	}
	return 0
}

// Close counts the end of the text.
func (d *Doubled) Close() error {
	d.count(d.held, true)
	d.held = nil
	return nil
}

// Outside is how many characters outside ASCII the text has; those that are there as
// several count once.
func (d *Doubled) Outside() int64 { return d.doubled + d.lowered + d.sound }

func (d *Doubled) share() float64 {
	found := d.doubled + d.lowered
	if found < doubledLeast {
		return 0
	}
	return float64(found) / float64(found+d.sound)
}

// Whole says that so much of the text is double that it can be read back as a whole.
func (d *Doubled) Whole() bool { return d.share() >= wholeShare }

// Notices report a text of which much is double, in which it was left.
func (d *Doubled) Notices() []fault.Notice {
	if d.share() < doubledShare {
		return nil
	}
	return []fault.Notice{warning(fault.EncodingDoubleEncoded, d.found())}
}

// Undone adds to a choice that a text was read back, and reports it.
func (d *Doubled) Undone(c Choice) (Choice, fault.Notice) {
	c.Doubled++
	c.Evidence = append(c.Evidence[:len(c.Evidence):len(c.Evidence)], Evidence{"double-encoded", "windows-1252", round(d.share())})
	return c, warning(fault.EncodingDoubleEncoded, d.found()+"; it was read back, as --fix-mojibake asks")
}

func (d *Doubled) found() string {
	found := d.doubled + d.lowered
	small := ""
	if d.lowered > d.doubled {
		small = " and written in small letters"
	}
	return fmt.Sprintf("%.0f %% of the characters outside ASCII (%d of %d) are UTF-8 that was read as windows-1252%s, and written as "+
		"UTF-8 again",
		100*float64(found)/float64(found+d.sound), found, found+d.sound, small)
}

// undoubled is the character that the several which p begins with are really, and
// their length in bytes; 0 if they are none.
func undoubled(p []byte) (meant rune, size int, isLowered bool) {
	if p[0] != 0xC3 || len(p) < 4 { // all lead bytes of UTF-8 are letters from U+00C2 to U+00F4
		return 0, 0, false
	}
	first, n := utf8.DecodeRune(p)
	if first < 0xC2 || first > 0xFE {
		return 0, 0, false
	}
	var raw [utf8.UTFMax]byte
	raw[0] = byte(first)
	length, size := 1, n
	for length < len(raw) && size < len(p) {
		r, n := utf8.DecodeRune(p[size:])
		b, ok := continuation(r)
		if !ok {
			break
		}
		raw[length] = b
		length++
		size += n
		if r, n := utf8.DecodeRune(raw[:length]); n == length && n > 1 {
			return r, size, false
		}
	}
	// A small letter may have been a capital: of C2 to DE, lead bytes of two.
	// So was Ÿ, which stands for the last byte of ß.
	second, m := utf8.DecodeRune(p[n:])
	if second == 'ÿ' {
		raw[1], length = 0x9F, 2
	}
	if first >= 0xE2 && length > 1 {
		raw[0] -= 0x20
		if r, size := utf8.DecodeRune(raw[:2]); size == 2 {
			return r, n + m, true
		}
	}
	return 0, 0, false
}

// continuation is the byte from 0x80 to 0xBF that was read as r.
func continuation(r rune) (byte, bool) {
	if 0x80 <= r && r <= 0xBF {
		return byte(r), true
	}
	if r < 0x152 || r > 0x2122 {
		return 0, false
	}
	b, ok := charmap.Windows1252.EncodeRune(r)
	return b, ok && 0x80 <= b && b <= 0xBF
}

// undoubler is a reader that reads back text that [Doubled] finds double. Each character
// that appears as several others comes out as itself.
type undoubler struct {
	src   io.Reader
	in    []byte
	out   []byte
	ready []byte
	end   error
}

func newUndoubler(text io.Reader) *undoubler {
	return &undoubler{src: text, in: make([]byte, 0, rawSize)}
}

func (u *undoubler) Read(p []byte) (int, error) {
	for idle := 0; len(u.ready) == 0; idle++ {
		if u.end != nil && len(u.in) == 0 {
			return 0, u.end
		}
		if u.end == nil {
			n, err := u.src.Read(u.in[len(u.in):cap(u.in)])
			u.in, u.end = u.in[:len(u.in)+n], err
			if n > 0 {
				idle = 0
			} else if err == nil && idle > 100 {
				u.end = io.ErrNoProgress
			}
		}
		u.undo()
	}
	n := copy(p, u.ready)
	u.ready = u.ready[n:]
	return n, nil
}

// undo moves what of in is decided to ready.
func (u *undoubler) undo() {
	var used int
	u.out, used = appendUndoubled(u.out[:0], u.in, u.end != nil, nil)
	u.in = u.in[:copy(u.in, u.in[used:])]
	u.ready = u.out
}

// appendUndoubled appends text with each character that is there as several read back, and returns how much of text
// is decided. Moved is called with each of these, and may be nil.
func appendUndoubled(dst, text []byte, atEOF bool, moved func(at, size int, meant rune)) (out []byte, used int) {
	i := 0
	for i < len(text) {
		n := firstHigh(text[i:])
		dst = append(dst, text[i:i+n]...)
		i += n
		if i == len(text) || len(text)-i < maxDoubled && !atEOF {
			break
		}
		r, size, _ := undoubled(text[i:])
		if size == 0 {
			_, size = utf8.DecodeRune(text[i:])
			dst = append(dst, text[i:i+size]...)
		} else {
			if moved != nil {
				moved(i, size, r)
			}
			dst = utf8.AppendRune(dst, r)
		}
		i += size
	}
	return dst, i
}
