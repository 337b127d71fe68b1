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

// UnquoteIRI makes the current token the IRI that a directive needs, if that stands in quotation marks. False means
// that it does not.
func (t *Reader) UnquoteIRI() bool {
	if t.Tok.Kind != lex.String || t.Tok.Quote != 1 || t.Tok.Escaped {
		return false
	}
	text := t.Tok.Reference(t.Bytes(&t.Tok))
	if len(text) == 0 || bytes.ContainsAny(text, "\x00\t <>\"{}|^`") {
		return false
	}
	t.Repair(fault.SyntaxDirective, t.Tok.Pos, "this IRI stands in quotation marks and not in < >")
	t.EditAround(1, "<", ">")
	t.Tok.Kind = lex.IRI
	return true
}
