package encoding

import (
	"unicode/utf8"

	"golang.org/x/text/transform"
)

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
