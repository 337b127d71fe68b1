package clean

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
	"laundromat/rdf/xsd"
)

// literals writes the lexical forms of datatypes in their canonical form. It warns of those that are
// not in the lexical space of their datatype, or have lost characters (texts.go does so for strings).
// A misspelt name of a datatype is mended where the value is one of the datatype that is meant.
type literals struct {
	teller
	keep   bool
	buffer []byte
	words  words
	links  *iris // judges what is in xsd:anyURI; nil before the first

	cache *[32]judged // what is known of the datatypes that came last, by length and last letter; nil before the first
}

// judged is a datatype, and what is known of it.
type judged struct {
	iri      []byte
	datatype *xsd.Datatype // nil if its literals pass
	standing xsd.Standing
	isLink   bool // xsd:anyURI

	isLanguage bool // rdf:langString or rdf:dirLangString
	isPlain    bool // the IRI itself was found good
}

func newLiterals(options Options, to rdf.Sink) *literals {
	return &literals{teller: teller{Sink: to, strict: options.Strict}, keep: options.KeepLiterals}
}

// asString takes away the datatype of a string that names it: it is a string without too.
func asString(t *rdf.Term) {
	if len(t.Datatype) == len(xsdString) && len(t.Language) == 0 && string(t.Datatype) == xsdString {
		t.Datatype = nil
	}
}

const xsdString = rdf.XSD + "string"

func (f *literals) Quad(q *rdf.Quad) error {
	t := &q.Object
	asString(t)
	if t.Kind != rdf.Literal || len(t.Datatype) == 0 {
		return f.Sink.Quad(q)
	}
	if len(t.Language) > 0 { // which readers give beside no other datatypes
		f.repair(datatype, q, t, t.Datatype, fault.Notice{Code: fault.LiteralLanguageDatatype, Message: "the datatype was left out, " +
			"since a literal with a language has it"})
		t.Datatype = nil
		return f.Sink.Quad(q)
	}
	known := f.judge(t.Datatype)
	if known.standing > xsd.Known {
		if known = f.named(q, known); len(t.Datatype) == 0 {
			return f.Sink.Quad(q)
		}
	}
	if bytes.IndexByte(t.Value, replacement[0]) >= 0 && bytes.Contains(t.Value, []byte(replacement)) {
		f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralReplaced, Severity: fault.Warning,
			Message: "part of this text was lost: U+FFFD is in its place"})
	}
	if known.datatype == nil {
		if len(t.Language) == 0 && known.isLanguage {
			if f.doubt(object, t, t.Value, fault.LiteralNoLanguage, "rdf:"+string(t.Datatype[len(rdf.RDF):])+" without a language tag") {
				return nil
			}
		}
		return f.Sink.Quad(q)
	}
	canonical, verdict := known.datatype.AppendCanonical(f.buffer[:0], t.Value)
	f.buffer = canonical
	switch verdict {
	case xsd.IllTyped:
		message := "not in the lexical space of " + known.datatype.Name()
		if why := known.datatype.Why(t.Value); why != "" {
			message += ": " + why
		}
		f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralIllTyped, Severity: fault.Warning, Message: message})
	case xsd.OutOfRange:
		f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralOutOfRange, Severity: fault.Warning,
			Message: "more than " + known.datatype.Name() + " can hold"})
	case xsd.Valid:
		if known.isLink {
			f.link(t)
		}
		if !f.keep && !bytes.Equal(canonical, t.Value) {
			f.tellForm(t, canonical)
		}
	}
	return f.Sink.Quad(q)
}

// tellForm notes that a literal is not in canonical form, and writes it so.
func (f *literals) tellForm(t *rdf.Term, canonical []byte) {
	var n fault.Notice
	f.noteForm(&n, t, canonical)
	f.tell(object, t, t.Value, n)
	t.Value = canonical
}

// noteForm makes the note that a literal is not in canonical form.
func (f *literals) noteForm(n *fault.Notice, t *rdf.Term, canonical []byte) {
	n.Code, n.Severity = fault.LiteralNonCanonical, fault.Note
	const words = "written as "
	if digits := len(canonical); digits+len(t.Value) < 64 && isNumeral(canonical) && isNumeral(t.Value) {
		// Both are their own excerpts. Many files have one for each number: one piece of memory serves both.
		both := f.words.join(words, canonical, t.Value)
		n.Message, n.Excerpt = both[:len(words)+digits], both[len(words)+digits:]
		return
	}
	n.Message, n.Excerpt = words+fault.Excerpt(canonical), fault.Excerpt(t.Value)
}

// isNumeral says that text has digits, signs and capitals alone, as numbers and dates do.
func isNumeral(text []byte) bool {
	for _, b := range text {
		if b < '+' || b > 'Z' { // + , - . / digits : ; < = > ? @ letters
			return false
		}
	}
	return true
}

// replacement is the character that stands for others which were lost.
const replacement = "\uFFFD"

// judge finds out what is known of a datatype.
func (f *literals) judge(iri []byte) *judged {
	if f.cache == nil {
		f.cache = new([32]judged)
	}
	n := len(iri)
	known := &f.cache[(n*5+int(iri[n-1]))%len(f.cache)]
	if !bytes.Equal(known.iri, iri) {
		known.iri = append(known.iri[:0], iri...)
		known.standing = xsd.Judge(iri)
		known.datatype = xsd.Find(iri)
		known.isLink = string(iri) == rdf.XSD+"anyURI"
		known.isLanguage = string(iri) == rdf.LangString || string(iri) == rdf.DirLangString
		known.isPlain = false
	}
	return known
}

// link warns of a literal of xsd:anyURI that no RDF syntax would take as an IRI. The
// datatype takes any text, and a relative IRI is one of them.
func (f *literals) link(t *rdf.Term) {
	const wrong = forbidden | badHost | twoIRIs | trimmed | space | character | bracket | fragment | authority | percent
	if f.links == nil {
		f.links = newIRIs(nil)
	}
	iri := t.Value
	if !rfc3986.IsAbsolute(iri) {
		iri = append(append(f.links.buffers[subject][:0], "example:"...), iri...)
		f.links.buffers[subject] = iri
	}
	if !f.links.isPlainIRI(iri) && f.links.judge(object, iri)&wrong != 0 {
		f.tell(object, t, t.Value, fault.Notice{Code: fault.LiteralLink, Severity: fault.Warning, Message: "this xsd:anyURI isn't an IRI"})
	}
}

// named reports what is wrong with the name of the datatype of q, and mends it where it is clear. It
// returns what is known of the datatype then.
func (f *literals) named(q *rdf.Quad, known *judged) *judged {
	t := &q.Object
	warn := func(code fault.Code, message string) {
		f.tell(datatype, t, t.Datatype, fault.Notice{Code: code, Severity: fault.Warning, Message: message})
	}
	switch known.standing {
	case xsd.Misspelt:
		meant := []byte(xsd.Meant(t.Datatype))
		right := xsd.Find(meant)
		if right != nil {
			if _, verdict := right.AppendCanonical(nil, t.Value); verdict == xsd.IllTyped {
				warn(fault.LiteralUnknownDatatype, "there is no such datatype, and the text is none of "+right.Name()+" either")
				break
			}
		}
		f.repair(datatype, q, t, t.Datatype, fault.Notice{Code: fault.LiteralMisspeltDatatype, Message: "the datatype was given its " +
			"right name, " + string(meant), Meant: string(meant)})
		t.Datatype = meant
		asString(t)
		return &judged{datatype: right, standing: xsd.Known, isLanguage: rdf.LanguageType(meant) != ""}
	case xsd.Unknown:
		warn(fault.LiteralUnknownDatatype, "there is no such datatype in its namespace")
	case xsd.Unsuitable:
		warn(fault.LiteralUnsuitableDatatype, "RDF says not to use this as a datatype")
	}
	return known
}
