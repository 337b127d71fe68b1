package encoding

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/transform"
)

func newDecoder(c charset) decoder {
	switch c.name {
	case "utf-16le":
		return wideDecoder{binary.LittleEndian, 2}
	case "utf-16be":
		return wideDecoder{binary.BigEndian, 2}
	case "utf-32le":
		return wideDecoder{binary.LittleEndian, 4}
	case "utf-32be":
		return wideDecoder{binary.BigEndian, 4}
	case "utf-7":
		return &utf7Decoder{}
	}
	if strings.HasPrefix(c.name, "iso-2022-") && c.enc == nil {
		return &shiftingDecoder{korean: c.name == "iso-2022-kr"}
	}
	if decode, ok := singleByte(c); ok {
		return newTable(decode)
	}
	return textDecoder{c.enc.NewDecoder().Transformer}
}

// table decodes an encoding of one byte a character.
type table struct {
	utf8 [256][utf8.UTFMax]byte
	len  [256]uint8
	bad  [256]bool
}

func newTable(decode func(byte) rune) *table {
	t := &table{}
	for i := range 256 {
		r := decode(byte(i))
		t.len[i] = uint8(utf8.EncodeRune(t.utf8[i][:], r))
		t.bad[i] = r == utf8.RuneError
	}
	return t
}

func (t *table) decode(dst, src []byte, _ bool, misfits []misfit) (nDst, nSrc int, _ []misfit, err error) {
	for i, b := range src {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, i, misfits, transform.ErrShortDst
		}
		n := int(t.len[b])
		if t.bad[b] {
			misfits = append(misfits, misfit{nDst, int(b)})
		}
		*(*[utf8.UTFMax]byte)(dst[nDst:]) = t.utf8[b]
		nDst += n
	}
	return nDst, len(src), misfits, nil
}

// wideDecoder decodes UTF-16 and UTF-32. A surrogate without its partner, and what
// is beyond U+10FFFF, is a misfit of its own.
type wideDecoder struct {
	order binary.ByteOrder
	size  int
}

func (w wideDecoder) decode(dst, src []byte, atEOF bool, misfits []misfit) (nDst, nSrc int, _ []misfit, err error) {
	for nSrc < len(src) {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, misfits, transform.ErrShortDst
		}
		rest := src[nSrc:]
		if len(rest) < w.size {
			if !atEOF {
				return nDst, nSrc, misfits, transform.ErrShortSrc
			}
			misfits = append(misfits, misfit{nDst, int(rest[0])})
			nDst += copy(dst[nDst:], "\uFFFD")
			return nDst, len(src), misfits, nil
		}
		var r rune
		size := w.size
		if w.size == 4 {
			r = rune(w.order.Uint32(rest))
		} else if r = rune(w.order.Uint16(rest)); utf16.IsSurrogate(r) && r < 0xDC00 {
			if len(rest) < 4 && !atEOF {
				return nDst, nSrc, misfits, transform.ErrShortSrc
			}
			if len(rest) >= 4 {
				if pair := utf16.DecodeRune(r, rune(w.order.Uint16(rest[2:]))); pair != utf8.RuneError {
					r, size = pair, 4
				}
			}
		}
		if !utf8.ValidRune(r) {
			misfits = append(misfits, misfit{nDst, int(uint32(r))})
			r = utf8.RuneError
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, misfits, nil
}

// textDecoder decodes by x/text, which puts U+FFFD for each misfit. None of the
// encodings that it is used for has that character, but GB 18030. There, U+FFFD
// is what an earlier conversion has lost, and a misfit all the same.
type textDecoder struct{ transform.Transformer }

func (t textDecoder) decode(dst, src []byte, atEOF bool, misfits []misfit) (nDst, nSrc int, _ []misfit, err error) {
	nDst, nSrc, err = t.Transform(dst, src, atEOF)
	for at := 0; ; at += 3 {
		i := bytes.Index(dst[at:nDst], []byte("\uFFFD"))
		if i < 0 {
			return nDst, nSrc, misfits, err
		}
		at += i
		misfits = append(misfits, misfit{at, -1})
	}
}

// utf7Decoder decodes UTF-7 (RFC 2152). ASCII characters pass, also those that
// the RFC wants encoded; "+…-" holds UTF-16 in base64, "+-" is a plus sign.
type utf7Decoder struct {
	shifted bool
	empty   bool // nothing came since the shift
	bits    uint32
	n       uint
	high    rune // a surrogate that waits for its partner; 0 if none
}

var base64Value = func() (v [256]int8) {
	for i := range v {
		v[i] = int8(strings.IndexByte(base64Alphabet, byte(i)))
	}
	return v
}()

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func (u *utf7Decoder) decode(dst, src []byte, atEOF bool, misfits []misfit) (nDst, nSrc int, _ []misfit, err error) {
	misfitAt := func(raw int) {
		misfits = append(misfits, misfit{nDst, raw})
		nDst += copy(dst[nDst:], "\uFFFD")
	}
	for i, b := range src {
		if nDst+16 > len(dst) {
			return nDst, i, misfits, transform.ErrShortDst
		}
		v := base64Value[b]
		switch {
		case !u.shifted && b == '+':
			*u = utf7Decoder{shifted: true, empty: true}
		case !u.shifted && b >= 0x80:
			misfitAt(int(b))
		case !u.shifted:
			dst[nDst] = b
			nDst++
		case v >= 0:
			u.empty = false
			u.bits, u.n = u.bits<<6|uint32(v), u.n+6
			if u.n < 16 {
				break
			}
			u.n -= 16
			unit := rune(u.bits >> u.n & 0xFFFF)
			pair := utf16.DecodeRune(u.high, unit)
			switch {
			case u.high != 0 && pair != utf8.RuneError:
				u.high = 0
				nDst += utf8.EncodeRune(dst[nDst:], pair)
				continue
			case u.high != 0:
				misfitAt(int(u.high))
			}
			u.high = 0
			switch {
			case 0xD800 <= unit && unit < 0xDC00:
				u.high = unit
			case utf16.IsSurrogate(unit):
				misfitAt(int(unit))
			default:
				nDst += utf8.EncodeRune(dst[nDst:], unit)
			}
		default: // the end of what is shifted
			if u.high != 0 {
				misfitAt(int(u.high))
			}
			if u.empty && b == '-' {
				dst[nDst] = '+'
				nDst++
			}
			u.shifted, u.high = false, 0
			if b >= 0x80 {
				misfitAt(int(b))
			} else if b != '-' {
				dst[nDst] = b
				nDst++
			}
		}
	}
	if atEOF && u.high != 0 {
		misfitAt(int(u.high))
		u.high = 0
	}
	return nDst, len(src), misfits, nil
}
