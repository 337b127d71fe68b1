package main

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// stateful are encodings in which no line can be written alone.
var stateful = map[string]encoding.Encoding{
	"iso-2022-jp": japanese.ISO2022JP,
	"hz-gb-2312":  simplifiedchinese.HZGB2312,
}

// shifted writes ISO-2022-KR.
func shifted(text string) (raw []byte, ok bool) {
	plain, err := korean.EUCKR.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, false
	}
	raw = append(raw, "\x1B$)C"...)
	isOut := false
	for _, b := range plain {
		if high := b >= 0x80; high != isOut {
			isOut = high
			raw = append(raw, map[bool]byte{true: 0x0E, false: 0x0F}[high])
		}
		raw = append(raw, b&0x7F)
	}
	// Syllables that are not in KS X 1001 have second bytes that must not lose a bit.
	for i := 0; i+1 < len(plain); i++ {
		if plain[i] >= 0x80 {
			if plain[i] < 0xA1 || plain[i+1] < 0xA1 {
				return nil, false
			}
			i++
		}
	}
	return raw, true
}
