package lex

import (
	"bytes"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
)

// Finding is what decoding came upon: a repair, or a fault that costs the term. at
// is the index of the byte where it lies.
type Finding struct {
	Code    fault.Code
	At      int
	Message string
}

// AppendString appends the string that raw, the text between the quotation marks, means. Each repair
// is given to repaired, which may be nil if there can be none. If lost is not nil, the string has no
// sure meaning.
//
//	ECHAR ::= '\' [tbnrf"'\]
//	UCHAR ::= '\u' HEX HEX HEX HEX | '\U' HEX HEX HEX HEX HEX HEX HEX HEX
func AppendString(dst, raw []byte, repaired func(Finding)) (_ []byte, lost *Finding) {
	slash := false // one notice of these for each string is enough
	for i := 0; i < len(raw); {
		n := bytes.IndexByte(raw[i:], '\\')
		if n < 0 {
			return append(dst, raw[i:]...), nil
		}
		dst = append(dst, raw[i:i+n]...)
		i += n
		next := byte(0)
		if i+1 < len(raw) {
			next = raw[i+1]
		}
		if j := bytes.IndexByte([]byte(`tbnrf"'\`), next); j >= 0 && next != 0 {
			dst = append(dst, "\t\b\n\r\f\"'\\"[j])
			i += 2
			continue
		}
		if next == 'u' || next == 'U' {
			r, size, pair := numericEscape(raw[i:])
			switch {
			case size > 0:
				if pair {
					repaired(Finding{fault.SyntaxSurrogates, i, "two escapes that are one character in UTF-16 were read as that character"})
				}
				dst = utf8.AppendRune(dst, r)
				i += size
				continue
			case i+2 < len(raw) && isHex(raw[i+2]):
				return dst, &Finding{fault.SyntaxNumericEscape, i, "this escape names no character"}
			}
		}
		if next == '/' {
			if !slash {
				repaired(Finding{fault.SyntaxEscape, i, "slashes with a backslash before them, as JSON writes them, were read as slashes"})
			}
			slash = true
			dst = append(dst, '/')
			i += 2
			continue
		}
		repaired(Finding{fault.SyntaxEscape, i, "no escape begins so; the backslash was kept as a character"})
		dst = append(dst, '\\')
		i++
	}
	return dst, nil
}

// numericEscape reads \uXXXX or \UXXXXXXXX at the start of b: the character and the
// length of the escape, 0 if it names no character. Two \u escapes that are the
// halves of a surrogate pair name one character; pair says so.
func numericEscape(b []byte) (r rune, size int, pair bool) {
	r, size = hexEscape(b)
	switch {
	case size == 0 || r > utf8.MaxRune:
		return 0, 0, false
	case r < 0xD800 || r > 0xDFFF:
		return r, size, false
	}
	low, n := hexEscape(b[size:])
	if r < 0xDC00 && n > 0 && 0xDC00 <= low && low <= 0xDFFF {
		return (r-0xD800)<<10 + (low - 0xDC00) + 0x10000, size + n, true
	}
	return 0, 0, false
}

func hexEscape(b []byte) (r rune, size int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 0
	}
	switch b[1] {
	case 'u':
		size = 6
	case 'U':
		size = 10
	}
	if size == 0 || len(b) < size {
		return 0, 0
	}
	var v uint32
	for _, c := range b[2:size] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, 0
		}
		v = v<<4 | uint32(c)
	}
	return rune(min(v, utf8.MaxRune+1)), size
}

// AppendIRI appends the IRI that raw, the text between < and >, means. Escapes are decoded, white
// space around it is cut off, and the characters that the grammar forbids are percent-encoded. In a
// host, where they leave open which host is meant, they cost the statement.
func AppendIRI(dst, raw []byte, repaired func(Finding)) (_ []byte, lost *Finding) {
	i, end := WithoutWhite(raw)
	if i > 0 || end < len(raw) {
		repaired(Finding{fault.IRITrimmed, 0, TrimmedIRI})
	}
	var space, character, slash bool // one notice of a kind for each IRI is enough
	start := len(dst)
	for i < end {
		c, at := rune(raw[i]), i
		i++
		if c == '\\' {
			r, size, pair := numericEscape(raw[at:end])
			switch {
			case size > 0:
				if pair {
					repaired(Finding{fault.SyntaxSurrogates, at, "two escapes that are one character in UTF-16 were read as that character"})
				}
				c, i = r, at+size
			case at+1 < end && (raw[at+1] == 'u' || raw[at+1] == 'U'):
				return dst, &Finding{fault.SyntaxNumericEscape, at, "this escape names no character"}
			case at+1 < end && raw[at+1] == '/':
				if !slash {
					repaired(Finding{fault.SyntaxEscape, at, "slashes with a backslash before them, as JSON writes them, were read as slashes"})
				}
				slash, c, i = true, '/', at+2
			}
			if c >= 0x80 {
				dst = utf8.AppendRune(dst, c)
				continue
			}
		}
		switch {
		case c >= 0x80 || Class[c]&InIRI != 0:
			dst = append(dst, byte(c))
			continue
		case c >= ' ' && c != 0x7F && endsInHost(dst[start:]):
			return dst, &Finding{fault.IRIHost, at, "a character that no host may hold, in the host of an IRI"}
		case c == ' ':
			if !space {
				repaired(Finding{fault.IRISpace, at, "the spaces in this IRI were written as %20"})
			}
			space = true
		case c < ' ' || c == 0x7F:
			return dst, &Finding{fault.IRIForbidden, at, "a control character in an IRI"}
		default:
			if !character {
				repaired(Finding{fault.IRICharacter, at, "characters that no IRI may hold were percent-encoded"})
			}
			character = true
		}
		const hex = "0123456789ABCDEF"
		dst = append(dst, '%', hex[c>>4], hex[c&15])
	}
	return dst, nil
}

// TrimmedIRI is the message of the notice on an IRI in white space.
const TrimmedIRI = "the white space around this IRI was cut off"

// WithoutWhite is where the text between < and > begins and ends without white space that no IRI holds, also as an
// escape.
func WithoutWhite(raw []byte) (from, to int) {
	to = len(raw)
	for from < to {
		n := whiteAt(raw[from:to])
		if n == 0 {
			break
		}
		from += n
	}
	for from < to {
		n := 1
		switch c := raw[to-1]; {
		case c >= 0x80 && to-from > 1:
			n = 2
		case isHexDigit(c) && to-from >= 6 && raw[to-6] == '\\':
			n = 6
		case isHexDigit(c) && to-from >= 10 && raw[to-10] == '\\':
			n = 10
		}
		if whiteAt(raw[to-n:to]) != n {
			break
		}
		to -= n
	}
	return from, to
}

// whiteAt is the length of the white space, or of its escape, that raw begins with; 0 if there is none.
func whiteAt(raw []byte) int {
	r, n := rune(raw[0]), 1
	switch {
	case r == '\\':
		r, n, _ = numericEscape(raw)
	case r >= 0x80:
		r, n = utf8.DecodeRune(raw)
	}
	if n > 0 && len(rdf.TrimReference(utf8.AppendRune(nil, r))) == 0 {
		return n
	}
	return 0
}

func isHexDigit(c byte) bool { return Class[c]&Digit != 0 || 'a' <= c|0x20 && c|0x20 <= 'f' }

// endsInHost says that iri, the beginning of an IRI, ends within its authority
// (RFC 3986 §3.2).
func endsInHost(iri []byte) bool {
	if n := rfc3986.SchemeLength(iri); n > 0 {
		iri = iri[n+1:]
	}
	return bytes.HasPrefix(iri, []byte("//")) && !bytes.ContainsAny(iri[2:], "/?#")
}

// AppendLocal appends the local part of a prefixed name: the backslashes of
// PN_LOCAL_ESC are dropped, percent-encoded octets stay as they are.
func AppendLocal(dst, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		if raw[i] == '\\' && i+1 < len(raw) {
			i++
		}
		dst = append(dst, raw[i])
	}
	return dst
}
