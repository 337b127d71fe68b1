package encoding

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/transform"
)

// shiftingDecoder decodes ISO-2022-KR (RFC 1557) and ISO-2022-CN (RFC 1922), whose bytes
// are all below 0x80. An escape sequence names the set of characters that bytes stand
// for between SO and SI. Another one names that of the two bytes that follow SS2. In
// ISO-2022-CN both hold until the end of the line.
type shiftingDecoder struct {
	korean  bool
	shifted bool // after SO
	set     byte // of SO: 'C' is KS X 1001, 'A' is GB 2312, 'G' plane 1 of CNS 11643; 0 is none yet
	second  byte // of SS2: 'H' is plane 2 of CNS 11643
}

const (
	shiftOut = 0x0E
	shiftIn  = 0x0F
	escape   = 0x1B
)

func (d *shiftingDecoder) decode(dst, src []byte, atEOF bool, misfits []misfit) (nDst, nSrc int, _ []misfit, err error) {
	for nSrc < len(src) {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, misfits, transform.ErrShortDst
		}
		rest := src[nSrc:]
		if rest[0] == escape && len(rest) < 4 && !atEOF || d.shifted && rest[0] > ' ' && len(rest) < 2 && !atEOF {
			return nDst, nSrc, misfits, transform.ErrShortSrc
		}
		if n := d.control(rest); n > 0 {
			nSrc += n
			continue
		}
		r, size := rune(rest[0]), 1
		switch b := rest[0]; {
		case bytes.HasPrefix(rest, []byte("\x1BN")) && len(rest) > 3:
			r, size = utf8.RuneError, 4
			if d.second == 'H' {
				r = cnsRune(2, rest[2]|0x80, rest[3]|0x80)
			}
		case b == '\n':
			d.shifted = false
			if !d.korean {
				d.set, d.second = 0, 0
			}
		case b >= utf8.RuneSelf:
			r = utf8.RuneError
		case d.shifted && b > ' ' && len(rest) > 1:
			r, size = d.shiftedRune(b|0x80, rest[1]|0x80), 2
		case d.shifted && b > ' ':
			r = utf8.RuneError
		}
		if r == utf8.RuneError {
			misfits = append(misfits, misfit{nDst, int(rest[0])})
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, misfits, nil
}

// control obeys the shift or the naming of a set that text begins with, and returns its length; 0 for none.
func (d *shiftingDecoder) control(text []byte) int {
	switch {
	case text[0] == shiftOut:
		d.shifted = true
		return 1
	case text[0] == shiftIn:
		d.shifted = false
		return 1
	case len(text) < 4:
		return 0
	case bytes.HasPrefix(text, []byte("\x1B$)")):
		d.set = text[3]
		return 4
	case bytes.HasPrefix(text, []byte("\x1B$*")):
		d.second = text[3]
		return 4
	}
	return 0
}

// shiftedRune is the character that two bytes stand for between SO and SI.
func (d *shiftingDecoder) shiftedRune(first, second byte) rune {
	var enc encoding.Encoding
	switch d.set {
	case 'C':
		enc = korean.EUCKR
	case 'A':
		enc = simplifiedchinese.GBK
	case 'G':
		return cnsRune(1, first, second)
	default:
		return utf8.RuneError
	}
	text, err := enc.NewDecoder().Bytes([]byte{first, second})
	if r, size := utf8.DecodeRune(text); err == nil && size == len(text) {
		return r
	}
	return utf8.RuneError
}
