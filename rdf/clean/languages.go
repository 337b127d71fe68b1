package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/bcp47"
)

// languages puts language tags in small letters, and asks whether they are
// well-formed and their subtags registered.
type languages struct {
	teller
	good    []goodTag // by their letters; nil before the first
	misses  int       // tags that were not there
	buffer  []byte
	excerpt string // of the tag with capitals that came last
}

// goodTag is a tag that had no fault; the last byte is its length.
type goodTag [16]byte

// As many tags are remembered at first, and where these turn out to be few.
const (
	fewTags  = 64
	manyTags = 1024
)

func (f *languages) Quad(q *rdf.Quad) error {
	tag := q.Object.Language
	if len(tag) == 0 || q.Object.Kind != rdf.Literal || bcp47.IsCommon(tag) || f.isGood(tag) {
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
	wellFormed := bcp47.WellFormed(clean)
	var held []bcp47.Finding
	if wellFormed {
		held = bcp47.Judge(clean)
	}
	if wellFormed && len(held) == 0 && bytes.Equal(clean, tag) {
		f.remember(tag)
		return f.Sink.Quad(q)
	}
	if !isWritable(clean) {
		f.drop(object, &q.Object, tag, fault.LanguageInvalid, "the language tag can't be written in any RDF syntax")
		return nil
	}
	trimmed := len(clean) != len(tag)
	if trimmed {
		f.repair(object, q, &q.Object, tag, fault.Notice{Code: fault.LanguageSpace, Message: "white space around the language tag was " +
			"cut off"})
	}
	if underscores {
		f.repair(object, q, &q.Object, tag, fault.Notice{Code: fault.LanguageUnderscore, Message: "each underscore in the language tag " +
			"was written as a hyphen"})
	}
	if !trimmed && !underscores && !bytes.Equal(clean, tag) {
		f.tellCase(&q.Object, clean)
	}
	if !wellFormed && f.doubt(object, &q.Object, tag, fault.LanguageIllFormed, "the language tag is not built as BCP 47 says") {
		return nil
	}
	for _, finding := range held {
		n := noticeOf(finding)
		f.tell(object, &q.Object, tag, n)
	}
	q.Object.Language = clean
	return f.Sink.Quad(q)
}

// tellCase notes that a tag had capitals, and writes it as lower.
func (f *languages) tellCase(t *rdf.Term, lower []byte) {
	var n fault.Notice
	f.noteCase(&n, t)
	f.tell(object, t, t.Language, n)
	t.Language = lower
}

// noteCase makes the note that a tag has capitals.
func (f *languages) noteCase(n *fault.Notice, t *rdf.Term) {
	n.Code, n.Severity, n.Message = fault.LanguageCase, fault.Note, "the language tag was written in small letters"
	if string(t.Language) != f.excerpt { // the same tags come again and again
		f.excerpt = fault.Excerpt(t.Language)
	}
	n.Excerpt = f.excerpt
}

// learn says that a tag, which is in small letters, has no fault, and remembers it then.
func (f *languages) learn(tag []byte) bool {
	if !bcp47.WellFormed(tag) || len(bcp47.Judge(tag)) > 0 {
		return false
	}
	f.remember(tag)
	return true
}

// slot is where a tag is remembered, there or beside it; -1 if it is too long.
func (f *languages) slot(tag []byte) int {
	if len(tag) >= len(goodTag{}) {
		return -1
	}
	hash := uint32(len(tag))
	for _, b := range tag {
		hash = (hash ^ uint32(b)) * 0x01000193 // FNV
	}
	return int(hash^hash>>16) & (len(f.good) - 1)
}

func (f *languages) isGood(tag []byte) bool {
	if f.good == nil {
		return false
	}
	i := f.slot(tag)
	return i >= 0 && (f.good[i].is(tag) || f.good[i^1].is(tag))
}

func (g *goodTag) is(tag []byte) bool {
	return int(g[15]) == len(tag) && string(g[:len(tag)]) == string(tag)
}

func (f *languages) remember(tag []byte) {
	switch f.misses++; f.misses {
	case 1:
		f.good = make([]goodTag, fewTags)
	case 2 * fewTags:
		f.good = make([]goodTag, manyTags)
	}
	if i := f.slot(tag); i >= 0 {
		f.good[i^1] = f.good[i] // two that share a slot come in turn
		f.good[i] = goodTag{}
		f.good[i][15] = byte(copy(f.good[i][:], tag))
	}
}

// noticeOf says what the registry holds against a tag.
func noticeOf(f bcp47.Finding) fault.Notice {
	n := fault.Notice{Severity: fault.Warning}
	n.Message = "the " + f.Part + " " + f.Subtag
	switch f.Kind {
	case bcp47.Unregistered:
		n.Code = fault.LanguageUnregistered
		n.Message += " is not registered"
		if f.Instead != "" {
			n.Message += "; " + f.Instead + " may be meant"
		}
	case bcp47.Deprecated:
		n.Code = fault.LanguageDeprecated
		n.Message += " is deprecated"
		if f.Instead != "" {
			n.Message += "; write " + f.Instead
		}
	case bcp47.Misplaced:
		n.Code = fault.LanguagePrefix
		n.Message += " belongs after " + f.Instead
	case bcp47.Repeated:
		n.Code = fault.LanguageRepeated
		n.Message += " occurs twice"
	case bcp47.Needless:
		n.Code = fault.LanguageScript
		n.Message += " goes without saying in this language"
	}
	return n
}

// isWritable says that the grammar of N-Quads (LANGTAG) knows the tag, which is in
// small letters.
func isWritable(tag []byte) bool {
	first, digits := true, false // of the subtag; digits may be from the second on
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

// TagsDate is how old the registry of language subtags is.
var TagsDate = bcp47.Date
