package xsd

import (
	"bytes"

	"laundromat/markup/xmltext"
)

// The types derived from string (XSD 1.1 Part 2 §3.4.1 to §3.4.7) restrict which characters are in
// them, and have one form for each value.
//
// string itself and anyURI take the characters of XML alone (§3.3.1, §3.3.17, production Char).
// Whether those of XML 1.0 or 1.1 is for the implementation to say (§1.3). Here it is 1.1, as in RDF
// 1.2 Concepts, whose strings lack only U+0000, U+FFFE and U+FFFF.

// isXMLText says that text has characters of XML 1.1 alone. It is UTF-8, so that there are
// no surrogates.
func isXMLText(text []byte) bool {
	return bytes.IndexByte(text, 0) < 0 && !bytes.Contains(text, []byte("\uFFFE")) && !bytes.Contains(text, []byte("\uFFFF"))
}

func sameIf(dst, lexical []byte, ok bool) ([]byte, Verdict) {
	if !ok {
		return dst, IllTyped
	}
	return append(dst, lexical...), Valid
}

func appendNormalizedString(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, isXMLText(lexical) && !bytes.ContainsAny(lexical, "\t\n\r"))
}

func appendToken(dst, lexical []byte) ([]byte, Verdict) {
	n := len(lexical)
	return sameIf(dst, lexical, isXMLText(lexical) && !bytes.ContainsAny(lexical, "\t\n\r") && !bytes.Contains(lexical, []byte("  ")) &&
		(n == 0 || lexical[0] != ' ' && lexical[n-1] != ' '))
}

func appendLanguage(dst, lexical []byte) ([]byte, Verdict) {
	ok, length, first := true, 0, true // length of the subtag
	for _, b := range lexical {
		switch {
		case isLetter(b) || isDigit(b) && !first:
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

func appendName(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, isXMLName(lexical, true, true))
}

func appendNCName(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, isXMLName(lexical, false, true))
}

func appendNMTOKEN(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, isXMLName(lexical, true, false))
}

// appendAnyURI is XSD 1.1 Part 2 §3.3.17, which allows any text of XML: whether it is an
// IRI is not the datatype's to say.
func appendAnyURI(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, isXMLText(lexical))
}

// isXMLName says that text is a Name of XML 1.0, or without starts a Nmtoken.
func isXMLName(text []byte, colons, starts bool) bool {
	if len(text) == 0 {
		return false
	}
	var kept [64]byte
	for first := true; ; first = false {
		part, rest, more := bytes.Cut(text, []byte(":"))
		if more && !colons {
			return false
		}
		if !first || !starts || len(part) == 0 { // what need not be a start may follow one
			part = append(append(kept[:0], '_'), part...)
		}
		if !xmltext.IsNCName(part) {
			return false
		}
		if !more {
			return true
		}
		text = rest
	}
}
