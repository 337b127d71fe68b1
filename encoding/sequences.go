package encoding

import (
	"unicode/utf8"

	"golang.org/x/text/transform"
)

// sequenceDecoder reads ASCII as it is, and other characters from sequences of bytes.
type sequenceDecoder struct {
	transform.NopResetter
	length func(rest []byte) int      // of the sequence that rest begins with, in bytes
	runeOf func(sequence []byte) rune // U+FFFD for none; then the first byte alone is the fault
}

func (d sequenceDecoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		rest := src[nSrc:]
		r, size := rune(rest[0]), 1
		if r >= utf8.RuneSelf {
			r = utf8.RuneError
			switch n := d.length(rest); {
			case len(rest) >= n:
				if r = d.runeOf(rest[:n]); r != utf8.RuneError {
					size = n
				}
			case !atEOF:
				return nDst, nSrc, transform.ErrShortSrc
			}
		}
		nDst += utf8.EncodeRune(dst[nDst:], r)
		nSrc += size
	}
	return nDst, nSrc, nil
}

// mapEncoder writes ASCII as it is, and other characters as bytesOf says.
type mapEncoder struct {
	transform.NopResetter
	bytesOf func() map[rune][]byte
}

func (e mapEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		r, size := utf8.DecodeRune(src[nSrc:])
		written, ok := e.bytesOf()[r]
		switch {
		case r < utf8.RuneSelf:
			written = src[nSrc : nSrc+1]
		case !ok:
			return nDst, nSrc, errNoPlace
		}
		if nDst+len(written) > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += copy(dst[nDst:], written)
		nSrc += size
	}
	return nDst, nSrc, nil
}
