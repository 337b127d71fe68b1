package encoding

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// codePage is an encoding of one byte a character that x/text lacks.
type codePage struct {
	isEBCDIC bool
	decoded  func() *[256]rune // by their bytes; U+FFFD where there is none
	encoded  func() map[rune]byte
}

// singleByte returns what decodes a byte of an encoding of one byte a character;
// U+FFFD stands for none. ok is false for other encodings.
func singleByte(c charset) (decode func(byte) rune, ok bool) {
	switch enc := c.enc.(type) {
	case *charmap.Charmap:
		return enc.DecodeByte, true
	case *codePage:
		return func(b byte) rune { return enc.decoded()[b] }, true
	}
	return nil, false
}

// newCodePage makes a page of what a line of codepages.txt says after its name.
func newCodePage(table string, isEBCDIC bool) *codePage {
	p := &codePage{isEBCDIC: isEBCDIC}
	p.decoded = sync.OnceValue(func() *[256]rune { all := readCodePage(table); return &all })
	p.encoded = sync.OnceValue(func() map[rune]byte {
		all := map[rune]byte{}
		for b, r := range p.decoded() {
			if _, twice := all[r]; !twice && r != utf8.RuneError {
				all[r] = byte(b)
			}
		}
		return all
	})
	return p
}

func (p *codePage) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: pageDecoder{page: p}}
}

func (p *codePage) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: pageEncoder{page: p}}
}

type pageDecoder struct {
	transform.NopResetter
	page *codePage
}

func (d pageDecoder) Transform(dst, src []byte, _ bool) (nDst, nSrc int, err error) {
	all := d.page.decoded()
	for _, b := range src {
		if nDst+utf8.UTFMax > len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		nDst += utf8.EncodeRune(dst[nDst:], all[b])
		nSrc++
	}
	return nDst, nSrc, nil
}

type pageEncoder struct {
	transform.NopResetter
	page *codePage
}

func (e pageEncoder) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		if !atEOF && !utf8.FullRune(src[nSrc:]) {
			return nDst, nSrc, transform.ErrShortSrc
		}
		if nDst == len(dst) {
			return nDst, nSrc, transform.ErrShortDst
		}
		r, size := utf8.DecodeRune(src[nSrc:])
		b, ok := e.page.encoded()[r]
		if !ok {
			return nDst, nSrc, errNoPlace
		}
		dst[nDst] = b
		nDst, nSrc = nDst+1, nSrc+size
	}
	return nDst, nSrc, nil
}
