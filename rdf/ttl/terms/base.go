package terms

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// Base is what relative IRIs are resolved against.
type Base struct {
	iri      []byte // absolute; empty if there is none
	Repaired bool   // it is not what the document says, but what it means
	IsFile   bool   // it comes from the place of the file
	warned   bool   // a notice said so
	Used     *bool  // to be set when it is used; nil for one that the document names whole
}

// Begin makes b the base that a document has before it names one.
func (b *Base) Begin(in rdf.Input) {
	if in.Base != "" {
		b.Set([]byte(in.Base))
		b.IsFile, b.Used = in.BaseIsFile, in.BaseUsed
	}
}

// Set makes iri the base.
func (b *Base) Set(iri []byte) { b.iri = append(b.iri[:0], iri...) }

// Lose leaves the document without a base: it names one that can't be read, and the one before is not meant.
func (b *Base) Lose() { *b = Base{iri: b.iri[:0]} }

// RemarkIRI makes the current token the IRI that a directive needs, if only its marks are wrong. It stands in quotation
// marks, or lacks its < or its >. False means that it does not.
func (t *Reader) RemarkIRI() bool {
	text := t.Bytes(&t.Tok)
	switch k := t.Tok.Kind; {
	case k == lex.String && t.Tok.Quote == 1 && !t.Tok.Escaped:
		if text = t.Tok.Reference(text); len(text) == 0 || bytes.ContainsAny(text, "\x00\t <>\"{}|^`") {
			return false
		}
		t.Repair(fault.SyntaxDirective, t.Tok.Pos, "this IRI is in quotation marks and not in < >")
		t.EditAround(1, "<", ">")
	case k == lex.Broken && t.Tok.Code == fault.SyntaxUnclosedIRI:
		if text = text[1:]; !isWholeIRI(text) || !t.endsDirective(t.Tok.To) {
			return false
		}
		t.Tok.From, t.Tok.Bare = t.Tok.From+1, true
	case k == lex.Name:
		from := t.Tok.From - t.Base
		end := bytes.IndexAny(t.Buf[from:], "> \t\r\n")
		if end < 0 || t.Buf[from:][end] != '>' || !isWholeIRI(t.Buf[from:][:end]) || !t.endsDirective(t.Tok.From+int64(end)+1) {
			return false
		}
		t.Tok.To, t.Tok.Bare = t.Tok.From+int64(end), true
		t.Seek(t.Tok.Pos, t.Tok.To+1)
	default:
		return false
	}
	t.Tok.Kind, t.Tok.Code = lex.IRI, ""
	return true
}

// endsDirective says that nothing but the sign at the end of a directive is on the line from an offset on.
func (t *Reader) endsDirective(at int64) bool {
	rest := bytes.TrimLeft(t.Buf[at-t.Base:], " \t.;,")
	return len(rest) == 0 || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '#'
}

// isWholeIRI says that text is an IRI with an authority whose end is plain: no sign that may stand behind it ends it.
func isWholeIRI(text []byte) bool {
	return lex.Absolute(text) && bytes.Count(text, []byte("://")) == 1 && !bytes.ContainsAny(text, "\x00\t <>\"{}|^`\\") &&
		bytes.IndexByte([]byte(".,;:)'"), text[len(text)-1]) < 0
}
