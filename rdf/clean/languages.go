package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// languages puts language tags in small letters and looks at their form.
type languages struct {
	teller
	good   []byte // the last tag that had no fault, as it came
	buffer []byte
}

func (f *languages) Quad(q *rdf.Quad) error {
	tag := q.Object.Language
	if len(tag) == 0 || q.Object.Kind != rdf.Literal || len(tag) == 2 && isLower(tag[0]) && isLower(tag[1]) || bytes.Equal(tag, f.good) {
		return f.Sink.Quad(q)
	}
	clean, underscores := f.buffer[:0], false
	for _, b := range bytes.TrimSpace(tag) {
		switch {
		case 'A' <= b && b <= 'Z':
			b |= 0x20
		case b == '_':
			b, underscores = '-', true
		}
		clean = append(clean, b)
	}
	f.buffer = clean
	if bytes.Equal(clean, tag) && isWellFormed(tag) {
		f.good = append(f.good[:0], tag...)
		return f.Sink.Quad(q)
	}
	if !isWritable(clean) {
		f.drop(object, &q.Object, tag, fault.LanguageInvalid, "the language tag can't be written in any RDF syntax")
		return nil
	}
	trimmed := len(clean) != len(tag)
	if trimmed {
		f.repair(object, q, &q.Object, tag, fault.LanguageSpace)
	}
	if underscores {
		f.repair(object, q, &q.Object, tag, fault.LanguageUnderscore)
	}
	if !trimmed && !underscores && !bytes.Equal(clean, tag) {
		f.tell(object, &q.Object, tag, fault.Notice{Code: fault.LanguageCase, Severity: fault.Note,
			Message: "the language tag was written in small letters"})
	}
	if !isWellFormed(clean) {
		f.tell(object, &q.Object, tag, fault.Notice{Code: fault.LanguageIllFormed, Severity: fault.Warning,
			Message: "the language tag is not built as BCP 47 says"})
	}
	q.Object.Language = clean
	return f.Sink.Quad(q)
}

// isWritable says that the grammar of N-Quads (LANGTAG) knows the tag, which is in
// small letters.
func isWritable(tag []byte) bool {
	first, digits := true, false // of the subtag; digits may stand from the second on
	for _, b := range tag {
		switch {
		case 'a' <= b && b <= 'z', digits && isDigit(b):
			first = false
		case b == '-' && !first:
			first, digits = true, true
		default:
			return false
		}
	}
	return !first
}

// isWellFormed says that a tag in small letters is well-formed (RFC 5646 §2.1):
//
//	language [-script] [-region] *(-variant) *(-extension) [-x-private]
//
// It does not ask whether the subtags are registered.
func isWellFormed(tag []byte) bool {
	if len(tag) == 2 {
		return isAlpha(tag)
	}
	if irregular[string(tag)] {
		return true
	}
	rest := tag
	next := func() (subtag []byte) {
		subtag, rest, _ = bytes.Cut(rest, []byte("-"))
		return subtag
	}
	if len(tag) == 0 || tag[len(tag)-1] == '-' || !isAlphanumeric(tag) {
		return false
	}
	sub := next()
	if len(sub) != 1 { // language; a tag may be private as a whole: x-…
		if !isAlpha(sub) || len(sub) < 2 || len(sub) > 8 {
			return false
		}
		short := len(sub) <= 3
		sub = next()
		for n := 0; short && n < 3 && len(sub) == 3 && isAlpha(sub); n++ { // extended language
			sub = next()
		}
		if len(sub) == 4 && isAlpha(sub) { // script
			sub = next()
		}
		if len(sub) == 2 && isAlpha(sub) || len(sub) == 3 && isDigits(sub) { // region
			sub = next()
		}
		for len(sub) >= 5 && len(sub) <= 8 || len(sub) == 4 && isDigit(sub[0]) { // variant
			sub = next()
		}
		for len(sub) == 1 && sub[0] != 'x' { // extension
			n := 0
			for sub = next(); len(sub) >= 2 && len(sub) <= 8; sub = next() {
				n++
			}
			if n == 0 {
				return false
			}
		}
	}
	if len(sub) == 0 {
		return len(rest) == 0
	}
	if string(sub) != "x" || len(rest) == 0 {
		return false
	}
	for len(rest) > 0 {
		if sub = next(); len(sub) < 1 || len(sub) > 8 {
			return false
		}
	}
	return true
}

// irregular are the grandfathered tags that the grammar does not make (RFC 5646
// §2.1, "irregular"), and those it makes only by chance of length ("regular").
var irregular = map[string]bool{
	"en-gb-oed": true, "i-ami": true, "i-bnn": true, "i-default": true, "i-enochian": true, "i-hak": true,
	"i-klingon": true, "i-lux": true, "i-mingo": true, "i-navajo": true, "i-pwn": true, "i-tao": true,
	"i-tay": true, "i-tsu": true, "sgn-be-fr": true, "sgn-be-nl": true, "sgn-ch-de": true,

	"art-lojban": true, "cel-gaulish": true, "no-bok": true, "no-nyn": true, "zh-guoyu": true,
	"zh-hakka": true, "zh-min": true, "zh-min-nan": true, "zh-xiang": true,
}

func isLower(b byte) bool { return 'a' <= b && b <= 'z' }

func isAlpha(s []byte) bool {
	for _, b := range s {
		if !isASCIILetter(b) {
			return false
		}
	}
	return true
}

func isDigits(s []byte) bool {
	for _, b := range s {
		if !isDigit(b) {
			return false
		}
	}
	return true
}

// isAlphanumeric says that s is made of letters, digits, and hyphens between them.
func isAlphanumeric(s []byte) bool {
	for i, b := range s {
		if !isASCIILetter(b) && !isDigit(b) && (b != '-' || i == 0 || s[i-1] == '-') {
			return false
		}
	}
	return true
}
