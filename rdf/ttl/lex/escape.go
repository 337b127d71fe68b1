package lex

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/internal/rfc3986"
)

// Finding is what decoding came upon: a repair, or a drop, which costs the term. At is the index of the byte where it
// lies.
type Finding struct {
	Severity fault.Severity
	Code     fault.Code
	At       int
	Message  string
	isOfAll  bool // it speaks of all of its kind in the text
	allPlain bool // no backslash in the text begins an escape
}

// Edits are the changes of raw after which decoding comes upon the finding no more, where it is of an escape. Places
// count from the beginning of raw.
func (f *Finding) Edits(raw []byte) (all []fault.Edit) {
	change := func(from, to int, with string) {
		all = append(all, fault.Edit{From: int64(from), To: int64(to), With: with})
	}
	if f.Code == fault.SyntaxSurrogates {
		r, size, _ := numericEscape(raw[f.At:])
		change(f.At, f.At+size, fmt.Sprintf(`\U%08X`, r))
	}
	for i := 0; i < len(raw) && f.Code == fault.SyntaxEscape; i++ {
		if raw[i] != '\\' {
			continue
		}
		next := byte(0)
		if i+1 < len(raw) {
			next = raw[i+1]
		}
		switch _, size, _ := numericEscape(raw[i:]); {
		case f.allPlain:
			change(i, i, `\`)
		case next == '/':
			if f.isOfAll {
				change(i, i+1, "")
			}
			i++
		case next != 0 && bytes.IndexByte([]byte(`tbnrf"'\`), next) >= 0:
			i++
		case size == 0 && !f.isOfAll:
			change(i, i, `\`)
		}
	}
	return all
}

// decoding is the work on the text of a string or an IRI.
type decoding struct {
	raw    []byte
	found  []Finding
	isLost bool
}

func (d *decoding) repair(code fault.Code, at int, message string) {
	d.found = append(d.found, Finding{Severity: fault.Repair, Code: code, At: at, Message: message})
}

// repairOnce is repair for the first of its kind in the text.
func (d *decoding) repairOnce(code fault.Code, at int, message string) {
	if !slices.ContainsFunc(d.found, func(f Finding) bool { return f.isOfAll && f.Code == code }) {
		d.repair(code, at, message)
		d.found[len(d.found)-1].isOfAll = true
	}
}

func (d *decoding) lose(code fault.Code, at int, message string) {
	d.found, d.isLost = append(d.found, Finding{Severity: fault.Drop, Code: code, At: at, Message: message}), true
}

// escape reads what begins at the backslash at index i, up to index end, both in strings and IRIs. That is UCHAR, or
// a slash as JSON writes it. The size is 0 where it is neither.
func (d *decoding) escape(i, end int) (r rune, size int) {
	r, size, pair := numericEscape(d.raw[i:end])
	if pair {
		d.repair(fault.SyntaxSurrogates, i, "two escapes that are one character in UTF-16 were read as that character")
	} else if size == 0 && i+1 < end && d.raw[i+1] == '/' {
		d.repairOnce(fault.SyntaxEscape, i, "slashes with a backslash before them, as JSON writes them, were read as slashes")
		return '/', 2
	}
	return r, size
}

// AppendString appends the string that raw, the text between the quotation marks, means. If the last finding is a
// drop, the string has no sure meaning.
//
//	ECHAR ::= '\' [tbnrf"'\]
//	UCHAR ::= '\u' HEX HEX HEX HEX | '\U' HEX HEX HEX HEX HEX HEX HEX HEX
func AppendString(dst, raw []byte) ([]byte, []Finding) {
	d := decoding{raw: raw}
	begin, unknown := len(dst), -1 // the first backslash that begins no escape
	for i := 0; !d.isLost; {
		n := bytes.IndexByte(raw[i:], '\\')
		if n < 0 {
			if dst = append(dst, raw[i:]...); unknown >= 0 {
				dst = d.settleBackslashes(dst, begin, unknown)
			}
			return dst, d.found
		}
		dst = append(dst, raw[i:i+n]...)
		i += n
		next := byte(0)
		if i+1 < len(raw) {
			next = raw[i+1]
		}
		if j := bytes.IndexByte([]byte(`tbnrf"'\`), next); j >= 0 {
			dst = append(dst, "\t\b\n\r\f\"'\\"[j])
			i += 2
			continue
		}
		r, size := d.escape(i, len(raw))
		switch {
		case size > 0:
			dst = utf8.AppendRune(dst, r)
		case next|0x20 == 'u' && i+2 < len(raw) && isHex(raw[i+2]):
			d.lose(fault.SyntaxNumericEscape, i, "this escape names no character")
		default:
			if unknown < 0 {
				unknown = i
				d.repair(fault.SyntaxEscape, i, "no escape begins so; the backslash was kept as a character")
			}
			dst = append(dst, '\\')
			size = 1
		}
		i += size
	}
	return dst, d.found
}

// settleBackslashes judges a text in which a backslash begins no escape, the first one at an index of raw. Whoever
// wrote C:\temp\x meant neither backslash to begin one. So all stand for themselves, or the text has no sure
// meaning. The text is what dst holds from begin on.
func (d *decoding) settleBackslashes(dst []byte, begin, unknown int) []byte {
	doubled, control, others := false, false, false
	for i := 0; i+1 < len(d.raw); i++ {
		if d.raw[i] != '\\' {
			continue
		}
		switch next := d.raw[i+1]; {
		case next == '\\':
			doubled = doubled || i > 0 // two begin the name of a server
			i++
		case bytes.IndexByte([]byte("tbnrf"), next) >= 0:
			control = true
		case next == '"', next == '\'', next == '/':
			others = true
			i++
		default:
			_, size, _ := numericEscape(d.raw[i:])
			others = others || size > 0
		}
	}
	isServer := bytes.HasPrefix(d.raw, []byte(`\\`))
	switch {
	case !control && !(isServer && !doubled && !others):
	case doubled || others:
		d.lose(fault.SyntaxEscape, unknown, "no escape begins so, and others do in this text: which backslashes stand for themselves is "+
			"not plain")
	default:
		d.found = nil
		d.repair(fault.SyntaxEscape, unknown, "no escape begins so; all backslashes of this text were kept as characters")
		d.found[0].allPlain = true
		return append(dst[:begin], d.raw...)
	}
	return dst
}

// numericEscape reads \uXXXX or \UXXXXXXXX at the start of b: the character and the
// length of the escape, 0 if it names no character. Two \u escapes that are the
// halves of a surrogate pair name one character; pair says so.
func numericEscape(b []byte) (r rune, size int, pair bool) {
	r, size = hexEscape(b)
	switch {
	case size == 0 || r > utf8.MaxRune:
		return 0, 0, false
	case !utf16.IsSurrogate(r):
		return r, size, false
	}
	low, n := hexEscape(b[size:])
	if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
		return 0, 0, false
	}
	return r, size + n, true
}

func hexEscape(b []byte) (r rune, size int) {
	switch {
	case len(b) >= 6 && b[0] == '\\' && b[1] == 'u':
		size = 6
	case len(b) >= 10 && b[0] == '\\' && b[1] == 'U':
		size = 10
	default:
		return 0, 0
	}
	n, err := strconv.ParseUint(string(b[2:size]), 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(min(n, utf8.MaxRune+1)), size
}

// AppendIRI appends the IRI that raw, the text between < and >, means. Escapes are decoded, white
// space around it is cut off, and the characters that the grammar forbids are percent-encoded. In a
// host, where they leave open which host is meant, they cost the statement.
func AppendIRI(dst, raw []byte) ([]byte, []Finding) {
	d, start := decoding{raw: raw}, len(dst)
	i, end := WithoutWhite(raw)
	if i > 0 || end < len(raw) {
		d.repair(fault.IRITrimmed, 0, TrimmedIRI)
	}
	for i < end && !d.isLost {
		at, c := i, rune(raw[i])
		i++
		if c == '\\' {
			if r, size := d.escape(at, end); size > 0 {
				c, i = r, at+size
			} else if i < end && raw[i]|0x20 == 'u' {
				d.lose(fault.SyntaxNumericEscape, at, "this escape names no character")
				break
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
		case rfc3986.SecondIRI(unescaped(raw[:end])) > 0:
			d.lose(fault.IRITwo, at, TwoIRIs)
		case c < ' ':
			d.lose(fault.IRIForbidden, at, "a control character in an IRI")
		case endsInHost(dst[start:]):
			d.lose(fault.IRIHost, at, "a character that no host may hold, in the host of an IRI")
		case c == ' ':
			d.repairOnce(fault.IRISpace, at, "the spaces in this IRI were written as %20")
		default:
			d.repairOnce(fault.IRICharacter, at, "characters that no IRI may hold were percent-encoded")
		}
		dst = fmt.Appendf(dst, "%%%02X", c)
	}
	return dst, d.found
}

// unescaped is raw with its numeric escapes decoded, as far as they name characters of ASCII.
func unescaped(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	var text []byte
	for i := 0; i < len(raw); {
		if r, size, _ := numericEscape(raw[i:]); size > 0 {
			text = utf8.AppendRune(text, r)
			i += size
			continue
		}
		text = append(text, raw[i])
		i++
	}
	return text
}

// TwoIRIs is the message of the notice on two IRIs between one < and its >.
const TwoIRIs = "two whole IRIs are in the place of one; which is meant is not plain"

// TrimmedIRI is the message of the notice on an IRI in white space.
const TrimmedIRI = "the white space around this IRI was cut off"

var (
	whiteBefore = pattern.New(`^(?:[\t-\r \x{85}]|\\u00(?:0[9A-Da-d]|20|85)|\\U000000(?:0[9A-Da-d]|20|85))+`)
	whiteBehind = pattern.New(`(?:[\t-\r \x{85}]|\\u00(?:0[9A-Da-d]|20|85)|\\U000000(?:0[9A-Da-d]|20|85))+$`)
)

// WithoutWhite is where the text between < and > begins and ends without white space that no IRI holds, also as an
// escape.
func WithoutWhite(raw []byte) (from, to int) {
	to = len(raw)
	if found := whiteBefore.FindIndex(raw); found != nil {
		from = found[1]
	}
	// Most IRIs end with neither, which is quickly seen.
	if rest := raw[from:]; len(rest) > 0 && (rest[len(rest)-1] <= ' ' || rest[len(rest)-1] == 0x85 ||
		bytes.IndexByte(rest[max(len(rest)-10, 0):], '\\') >= 0) {
		if found := whiteBehind.FindIndex(rest); found != nil {
			to = from + found[0]
		}
	}
	return from, to
}

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
	return append(dst, bytes.ReplaceAll(raw, []byte(`\`), nil)...)
}
