package rdf

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// AppendQuad appends q as one line of canonical N-Quads, without the line end (RDF 1.2 N-Quads, "A
// Canonical form of N-Quads"). It returns the longer slice. Language tags are written as they are;
// package clean puts them in lower case.
func AppendQuad(dst []byte, q *Quad) []byte {
	dst = AppendTerm(dst, &q.Subject)
	dst = append(dst, ' ')
	dst = AppendTerm(dst, &q.Predicate)
	dst = append(dst, ' ')
	dst = AppendTerm(dst, &q.Object)
	if q.Graph.Kind != NoTerm {
		dst = append(dst, ' ')
		dst = AppendTerm(dst, &q.Graph)
	}
	return append(dst, " ."...)
}

// AppendTerm appends t in canonical form. A blank node without a label is written
// as _:0-N, N being its number.
func AppendTerm(dst []byte, t *Term) []byte {
	switch t.Kind {
	case IRI:
		dst = append(dst, '<')
		dst = append(dst, t.Value...)
		return append(dst, '>')
	case BlankNode:
		dst = append(dst, "_:"...)
		if t.Anonymous != 0 {
			dst = append(dst, "0-"...)
			return strconv.AppendUint(dst, t.Anonymous, 10)
		}
		return append(dst, t.Value...)
	case Literal:
		dst = append(dst, '"')
		dst = appendEscaped(dst, t.Value)
		dst = append(dst, '"')
		switch {
		case len(t.Language) > 0:
			dst = append(dst, '@')
			dst = append(dst, t.Language...)
			if t.Direction != NoDirection {
				dst = append(dst, "--"...)
				dst = append(dst, t.Direction.String()...)
			}
			return dst
		case len(t.Datatype) > 0 && string(t.Datatype) != String:
			dst = append(dst, "^^<"...)
			dst = append(dst, t.Datatype...)
			return append(dst, '>')
		}
	case TripleTerm:
		return appendTriple(dst, t.Triple)
	}
	return dst
}

func appendTriple(dst []byte, t *Triple) []byte {
	dst = append(dst, "<<( "...)
	dst = AppendTerm(dst, &t.Subject)
	dst = append(dst, ' ')
	dst = AppendTerm(dst, &t.Predicate)
	dst = append(dst, ' ')
	dst = AppendTerm(dst, &t.Object)
	return append(dst, " )>>"...)
}

// plain recognises the ASCII bytes that a canonical literal holds as they are. 0xEF is
// looked at more closely: it begins U+FFFE and U+FFFF.
var plain = func() (t [256]bool) {
	for b := range t {
		t[b] = b >= 0x20 && b != '"' && b != '\\' && b != 0x7F && b != 0xEF
	}
	return t
}()

// plainLength is how many bytes text begins with that are plain. Eight are looked at at once.
func plainLength(text []byte) (n int) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	for ; n+8 <= len(text); n += 8 {
		word := binary.LittleEndian.Uint64(text[n:])
		low := word &^ high
		quotes := ^((low ^ '"'*ones) + 0x7F*ones) // each has the high bit of the bytes that are it
		slashes := ^((low ^ '\\'*ones) + 0x7F*ones)
		controls := ^(low + (0x80-' ')*ones)
		deletes := low + ones
		specials := ^((low ^ 0x6F*ones) + 0x7F*ones) & word // 0xEF
		if odd := ((quotes|slashes|controls|deletes)&^word | specials) & high; odd != 0 {
			return n + bits.TrailingZeros64(odd)/8
		}
	}
	for n < len(text) && plain[text[n]] {
		n++
	}
	return n
}

func appendEscaped(dst, text []byte) []byte {
	for {
		n := plainLength(text)
		dst = append(dst, text[:n]...)
		text = text[n:]
		if len(text) == 0 {
			return dst
		}
		b := text[0]
		if b == 0xEF {
			r, size := utf8.DecodeRune(text)
			if r == 0xFFFE || r == 0xFFFF {
				dst = append(dst, `\uFFF`...)
				dst = append(dst, "EF"[r-0xFFFE])
			} else {
				dst = append(dst, text[:size]...)
			}
			text = text[size:]
			continue
		}
		if i := bytes.IndexByte([]byte("\b\t\n\f\r\"\\"), b); i >= 0 {
			dst = append(dst, '\\', `btnfr"\`[i])
		} else {
			const hex = "0123456789ABCDEF"
			dst = append(dst, '\\', 'u', '0', '0', hex[b>>4], hex[b&15])
		}
		text = text[1:]
	}
}
