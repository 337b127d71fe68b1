package clean

import (
	"bytes"
	"unicode/utf8"
)

// The types derived from string (XSD 1.1 Part 2 §3.4.1 to §3.4.7) restrict which
// characters stand in them, and have one form for each value.

func sameIf(dst, lexical []byte, ok bool) ([]byte, verdict) {
	if !ok {
		return dst, illTyped
	}
	return append(dst, lexical...), wellTyped
}

func appendNormalizedString(dst, lexical []byte) ([]byte, verdict) {
	return sameIf(dst, lexical, !bytes.ContainsAny(lexical, "\t\n\r"))
}

func appendToken(dst, lexical []byte) ([]byte, verdict) {
	n := len(lexical)
	return sameIf(dst, lexical, !bytes.ContainsAny(lexical, "\t\n\r") && !bytes.Contains(lexical, []byte("  ")) &&
		(n == 0 || lexical[0] != ' ' && lexical[n-1] != ' '))
}

func appendLanguage(dst, lexical []byte) ([]byte, verdict) {
	ok, length, first := true, 0, true // length of the subtag
	for _, b := range lexical {
		switch {
		case isASCIILetter(b) || isDigit(b) && !first:
			length++
			ok = ok && length <= 8
		case b == '-' && length > 0:
			length, first = 0, false
		default:
			ok = false
		}
	}
	return sameIf(dst, lexical, ok && length > 0)
}

func appendName(dst, lexical []byte) ([]byte, verdict) {
	return sameIf(dst, lexical, isXMLName(lexical, true, true))
}

func appendNCName(dst, lexical []byte) ([]byte, verdict) {
	return sameIf(dst, lexical, isXMLName(lexical, false, true))
}

func appendNMTOKEN(dst, lexical []byte) ([]byte, verdict) {
	return sameIf(dst, lexical, isXMLName(lexical, true, false))
}

// isXMLName says that text is a Name of XML 1.0, or without starts a Nmtoken.
func isXMLName(text []byte, colons, starts bool) bool {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == ':':
			if !colons {
				return false
			}
		case r < utf8.RuneSelf && isDigit(byte(r)):
			if starts && i == 0 {
				return false
			}
		case isLabelStart(r):
		case isNameRest(r):
			if starts && i == 0 {
				return false
			}
		default:
			return false
		}
		i += size
	}
	return len(text) > 0
}

// isNameRest says that r may stand in names of XML and in labels, but not begin one.
func isNameRest(r rune) bool {
	return r == '-' || r == '.' || r == 0xB7 || 0x300 <= r && r <= 0x36F || r == 0x203F || r == 0x2040
}
