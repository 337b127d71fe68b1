// Package rdfjson reads RDF/JSON (RDF 1.1 JSON Alternate Serialization) as a stream, and goes on after
// faults.
//
//	{"http://e/s": {"http://e/p": [{"type": "literal", "value": "x", "lang": "en"}]}}
//
// [Read] takes UTF-8 text and calls a sink for each statement when the object that says its object
// ends. Memory is bounded by the longest string (Options.MaxToken), not by the document.
//
// Since every value is at one of four levels, a place in the text shows by itself what it is. A name
// before "{" is a subject, and a name before "[" is a predicate. A brace before "value", "type",
// "lang" or "datatype" begins an object. So a fault costs:
//
//   - commas, colons, apostrophes and brackets, where one thing alone can be meant: nothing;
//   - a fault in an object: its statement;
//   - any other: what comes up to the next such place, as one loss. What was skipped
//     may hide the end of the subject or the name of the predicate. Each object up to the
//     next name is then lost (syntax/rdfjson-lost-part).
//
// Relative IRIs are resolved against the base of the input; RDF/JSON has none of its own.
//
// A minimal reading:
//
//	err := rdfjson.Read(ctx, text, rdf.Input{Base: "http://example.org/doc"}, rdfjson.Options{}, sink)
package rdfjson

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode"

	"laundromat/internal/fault"
	"laundromat/markup/jsontext"
	"laundromat/rdf"
)

// Options bound what a reading holds. Zero fields mean the defaults.
type Options struct {
	MaxToken int // longest string, in bytes; 16 MiB if 0
}

const defaultMaxToken = 16 << 20

// Read reads one document. It returns nil at its end, whatever it found in it; an
// error only if the sink failed (*rdf.SinkError), text failed, or ctx ended.
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	if opt.MaxToken <= 0 {
		opt.MaxToken = defaultMaxToken
	}
	p := &parser{source: newSource(ctx, text), to: to, maxToken: opt.MaxToken, base: rdf.Resolver{Input: in}}
	for p.failed == nil && p.source.err == nil {
		t := p.next()
		if p.source.err != nil {
			break
		}
		if t.kind == tokenEnd {
			p.end(t)
			return p.failed
		}
		p.step(t)
	}
	if p.failed != nil {
		return p.failed
	}
	return p.source.err
}

// level is where the reader is.
type level uint8

const (
	outside      level = iota
	inSubjects         // in the outermost object
	inPredicates       // in that of a subject
	inObjects          // in the array of a predicate
	inObject           // in an object of a statement
)

// parser reads one document.
type parser struct {
	*source
	to       rdf.Sink
	maxToken int
	base     rdf.Resolver
	failed   error // of the sink

	place   int64 // where the next token is looked for
	token   token // the last one
	again   bool  // it is the next one
	scratch []byte
	noted   []byte // what a notice may show

	level  level
	filled bool // a member or item is before this place, and no comma
	comma  bool // a comma does
	rooted bool // the outermost object has begun
	// single says that the object that is open is without an array.
	single bool
	// touched says that a repair was made that made the next statement possible.
	touched bool
	cutTold bool

	unseenTo int64 // where the marks end that can't be seen and were reported last

	subject, predicate term
	// What can't be known since a fault hides it; noSubject includes the predicate.
	noSubject, noPredicate bool
	object                 object
	quad                   rdf.Quad
}

// term is a subject or predicate.
type term struct {
	rdf.Term
	value    []byte
	repaired bool
}

// note keeps the text from a place on for a notice to show.
func (p *parser) note(place int64) { p.noted = append(p.noted[:0], p.excerpt(place)...) }

func (p *parser) notice(t token, code fault.Code, severity fault.Severity, lost int, message string) {
	p.to.Notice(fault.Notice{Code: code, Severity: severity, Pos: t.pos, Message: message, Excerpt: fault.Excerpt(p.lineFrom(t)),
		Lost: lost})
}

// repair reports a repair and its edits.
func (p *parser) repair(t token, code fault.Code, message string, edits []fault.Edit) {
	p.to.Notice(fault.Notice{Code: code, Severity: fault.Repair, Pos: t.pos, Message: message, Excerpt: fault.Excerpt(p.lineFrom(t)),
		Edits: edits})
}

// stretch is a piece of the text, of which edits are made if they are asked for.
func (p *parser) stretch(from, to int64) *jsontext.Edits {
	if !p.base.Edits || from < p.origin {
		return &jsontext.Edits{At: -1}
	}
	return &jsontext.Edits{Text: p.between(from, to), At: from}
}

// mend reports a repair without which the next statement would not be read.
func (p *parser) mend(t token, code fault.Code, message string) {
	p.notice(t, code, fault.Repair, 0, message)
	p.touched = true
}

// unfit recovers from a token that does not fit.
func (p *parser) unfit(t token) {
	code, message := fault.JSONSyntax, "this has no place here"
	if t.kind == tokenBroken {
		code, message = t.code, t.flaw
	}
	p.recover(t, code, message)
}

// flawed reports what is wrong with a string that can be read nevertheless.
func (p *parser) flawed(t token) bool {
	if t.control {
		p.repair(t, fault.JSONControl, "a control character in a string should be written as an escape",
			p.stretch(t.from, t.to).EscapeControls())
	}
	if t.single {
		p.repair(t, fault.JSONQuotes, "a string is in apostrophes",
			p.stretch(t.from, t.to).Quote())
	}
	if t.escape {
		p.repair(t, fault.JSONEscape, `\' isn't an escape in a JSON string; it is read as an apostrophe`,
			p.stretch(t.from, t.to).FreeApostrophes())
	}
	return t.control || t.single || t.escape
}

// step takes a token.
func (p *parser) step(t token) {
	if t.kind == ',' && p.level != outside {
		if !p.filled {
			p.repair(t, fault.JSONComma, "a comma that separates nothing was left out", p.stretch(t.from, t.to).Replace(""))
		}
		p.filled, p.comma = false, true
		return
	}
	switch p.level {
	case outside:
		p.stepOutside(t)
	case inSubjects, inPredicates:
		p.stepNames(t)
	case inObjects:
		p.stepObjects(t)
	case inObject:
		p.stepObject(t)
	}
}

// separate reports a missing comma before a member or item.
func (p *parser) separate(t token) {
	if p.filled {
		p.repair(t, fault.JSONComma, "a comma is missing before this", p.stretch(t.from, t.from).Replace(","))
		p.touched = true
	}
	p.filled, p.comma = false, false
}

// close ends the level that is open.
func (p *parser) close(t token) {
	if !p.filled && p.comma {
		p.repair(t, fault.JSONComma, "a comma before the closing bracket was left out",
			p.stretch(max(t.from-fillerBytes, p.origin), t.from).DropLastComma())
	}
	p.filled, p.comma = true, false
	p.level--
}

// stepOutside takes a token outside of the outermost object.
func (p *parser) stepOutside(t token) {
	switch {
	case t.kind == '{' && !p.rooted:
		p.rooted = true
		p.level, p.filled, p.comma = inSubjects, false, false
	case t.kind == '{':
		p.mend(t, fault.JSONBracket, "another object begins after the end of the first; it was read too")
		p.level, p.filled, p.comma = inSubjects, false, false
	case t.kind == ',' && p.rooted && p.headerAt(p.space(t.to)) == subjectHeader:
		p.mend(t, fault.JSONBracket, "the bracket before this closes too early, and was left out")
		p.level, p.filled, p.comma = inSubjects, false, true
	case t.kind == ',':
		p.repair(t, fault.JSONComma, "a comma that separates nothing was left out", p.stretch(t.from, t.to).Replace(""))
	case p.rooted && (t.kind == tokenScalar || t.kind == tokenText && p.isAlone(t)):
		p.notice(t, fault.JSONStray, fault.Repair, 0, "this isn't JSON, and holds no statement; it was left out")
	case p.rooted && (t.kind == '}' || t.kind == ']'):
		p.notice(t, fault.JSONBracket, fault.Repair, 0, "a bracket that closes nothing was left out")
	default:
		p.unfit(t)
		p.rooted = true
	}
}

// isAlone says that a string is no name: no colon follows.
func (p *parser) isAlone(t token) bool {
	b, _ := p.at(p.space(t.to))
	return b != ':'
}

// stepNames takes a token where the name of a subject or of a predicate is due.
func (p *parser) stepNames(t token) {
	switch t.kind {
	case tokenText:
		if p.level == inPredicates && p.headerAt(t.from) == subjectHeader {
			p.mend(t, fault.JSONBracket, "the brace is missing that closes the object of a subject")
			p.level, p.filled, p.comma = inSubjects, false, false
		}
		p.separate(t)
		p.name(t)
	case '}':
		p.close(t)
	case ']':
		p.notice(t, fault.JSONBracket, fault.Repair, 0, "a bracket that closes nothing was left out")
	default:
		p.unfit(t)
	}
}

// name takes the name of a subject or a predicate, and the bracket after it.
func (p *parser) name(t token) {
	if p.level == inSubjects {
		p.takeName(&p.subject, t)
		p.noSubject = p.subject.Kind == rdf.NoTerm
	} else {
		p.takeName(&p.predicate, t)
		p.noPredicate = p.predicate.Kind == rdf.NoTerm
	}
	b := p.next()
	if b.kind == ':' {
		b = p.next()
	} else if b.kind == '{' || b.kind == '[' {
		p.mend(b, fault.JSONColon, "a colon is missing before this")
	}
	switch {
	case p.level == inSubjects && b.kind == '{' && !p.memberAt(p.space(b.to)):
		p.level, p.filled = inPredicates, false
	case p.level == inPredicates && b.kind == '[':
		p.level, p.filled = inObjects, false
	case p.level == inPredicates && b.kind == '{' && p.memberAt(p.space(b.to)):
		p.mend(b, fault.RDFJSONArray, "the value of a predicate is an array of objects; this one is without it")
		p.single = true
		p.beginObject(b)
	case b.kind == tokenScalar || b.kind == tokenText:
		p.notice(b, fault.RDFJSONShape, fault.Drop, 1, "the value of a subject is an object, and that of a predicate an array of "+
			"objects; this is neither")
		p.filled = true
	default:
		p.unfit(b)
	}
}

// takeName makes the term that a name says.
func (p *parser) takeName(to *term, t token) {
	to.repaired = p.flawed(t)
	to.Term = rdf.Term{Pos: t.pos}
	name := rdf.TrimReference(t.text)
	if len(name) < len(t.text) {
		p.notice(t, fault.IRITrimmed, fault.Repair, 0, "white space around an IRI was cut off")
		to.repaired = true
	}
	if label, ok := bytes.CutPrefix(name, []byte("_:")); ok {
		switch {
		case to == &p.predicate:
			p.notice(t, fault.RDFJSONTerm, fault.Drop, 0, "a blank node can't be a predicate")
		case !isLabel(label):
			p.notice(t, fault.RDFJSONTerm, fault.Drop, 0, "the label of a blank node is empty, nothing but dots, or holds control "+
				"characters")
		default:
			to.value = append(to.value[:0], label...)
			to.Kind, to.Value = rdf.BlankNode, to.value
		}
		return
	}
	value, ok := p.base.AppendJudged(to.value[:0], name, func(code fault.Code, severity fault.Severity, message string) {
		p.notice(t, code, severity, 0, message)
	})
	if to.value = value; ok {
		to.Kind, to.Value = rdf.IRI, to.value
	}
}

// isLabel says that a blank node may have this label. One of dots would mean another
// place at the end of an IRI, which it becomes.
func isLabel(label []byte) bool {
	return len(bytes.Trim(label, ".")) > 0 && !bytes.ContainsFunc(label, unicode.IsControl)
}

// stepObjects takes a token in the array of a predicate.
func (p *parser) stepObjects(t token) {
	switch t.kind {
	case '{':
		p.separate(t)
		p.beginObject(t)
	case ']':
		p.close(t)
	case '}':
		if next := p.space(t.to); p.filled && p.objectBehind(next) {
			p.mend(t, fault.JSONBracket, "a brace that closes nothing was left out")
			return
		}
		p.notice(t, fault.JSONBracket, fault.Repair, 0, "the bracket is missing that closes the array of a predicate")
		p.close(t)
		p.back()
	case tokenText, tokenScalar:
		switch h := p.headerAt(t.from); h {
		case predicateHeader, bareObject, subjectHeader:
			p.mend(t, fault.JSONBracket, "the bracket is missing that closes the array of a predicate")
			p.level, p.filled, p.comma = inPredicates, false, false
			p.back()
		default:
			p.separate(t)
			p.notice(t, fault.RDFJSONShape, fault.Drop, 1, "the items of the array of a predicate are objects; this is none")
			p.filled = true
		}
	default:
		p.unfit(t)
	}
}

// objectBehind says that the array of a predicate goes on at a place.
func (p *parser) objectBehind(place int64) bool {
	switch b, _ := p.at(place); b {
	case ']':
		return true
	case ',':
		return p.headerAt(p.space(place+1)) == objectHeader
	}
	return false
}

// end reports how the document ended.
func (p *parser) end(t token) {
	if p.cutTold || !p.rooted || p.level == outside {
		return
	}
	n := fault.Notice{Code: fault.JSONCutShort, Severity: fault.Drop, Pos: t.pos,
		Message: "the document ends before its objects do, so nobody knows what else was to come; all statements that were complete " +
			"were kept"}
	if p.level == inObject && !p.object.bad {
		n.Lost = 1
		n.Message = fmt.Sprintf("%s; the one that was begun is lost", n.Message)
	}
	p.to.Notice(n)
}
