package rdfjson

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf"
)

// object is an object of a statement, as far as it was read.
type object struct {
	token    token // its brace
	line     []byte
	value    member
	kind     member // its "type"
	lang     member
	datatype member
	bad      bool // its loss is reported
	repaired bool
	iri      []byte // that of a value or datatype
	typeIRI  []byte
}

// member is a member of an object.
type member struct {
	is     bool
	text   []byte
	scalar bool // a number or word, not a string
}

func (o *object) reset() {
	o.value.is, o.kind.is, o.lang.is, o.datatype.is = false, false, false, false
	o.bad, o.repaired = false, false
}

func (o *object) member(name []byte) *member {
	switch string(name) {
	case "value":
		return &o.value
	case "type":
		return &o.kind
	case "lang":
		return &o.lang
	case "datatype":
		return &o.datatype
	}
	return nil
}

// beginObject begins an object of a statement, whose brace is t.
func (p *parser) beginObject(t token) {
	p.level, p.filled, p.comma = inObject, false, false
	o := &p.object
	o.reset()
	o.token, o.line = t, append(o.line[:0], p.excerpt(t.from)...)
	o.repaired, p.touched = p.touched, false
}

// tellObject reports a finding about the object as a whole.
func (p *parser) tellObject(code fault.Code, severity fault.Severity, lost int, message string) {
	p.to.Notice(fault.Notice{Code: code, Severity: severity, Pos: p.object.token.pos, Message: message,
		Excerpt: fault.Excerpt(p.object.line), Lost: lost})
}

// lose says why the statement of the object is lost, and counts it once.
func (p *parser) lose(code fault.Code, message string) {
	lost := 1
	if p.object.bad {
		lost = 0
	}
	p.object.bad = true
	p.tellObject(code, fault.Drop, lost, message)
}

// stepObject takes a token in an object.
func (p *parser) stepObject(t token) {
	switch t.kind {
	case tokenText:
		if p.complete() && rfc3986.IsAbsolute(t.text) && p.headerAt(t.from) == predicateHeader {
			p.closeMissing(t)
			return
		}
		p.memberName(t)
	case '}':
		p.close(t)
		p.endObject()
	case ']':
		if !p.complete() || p.single {
			p.unfitObject(t)
			return
		}
		p.closeMissing(t)
	case '{':
		if !p.complete() || p.headerAt(t.from) != objectHeader || p.single {
			p.unfitObject(t)
			return
		}
		p.closeMissing(t)
	default:
		p.unfitObject(t)
	}
}

// complete says that the object says all that one must.
func (p *parser) complete() bool { return p.object.value.is && p.object.kind.is }

// closeMissing ends an object whose brace is missing before a token, which is read again.
func (p *parser) closeMissing(t token) {
	p.notice(t, fault.JSONBracket, fault.Repair, 0, "the brace is missing that closes an object")
	p.object.repaired = true
	p.level, p.filled = inObjects, !p.comma || t.kind == ']'
	p.comma = false
	p.endObject()
	p.touched = true
	p.back()
}

// unfitObject recovers from a token that does not fit into an object, which is lost.
func (p *parser) unfitObject(t token) {
	p.single = false
	p.unfit(t)
}

// memberName takes the name of a member, and its value.
func (p *parser) memberName(t token) {
	o := &p.object
	if p.filled {
		p.repair(t, fault.JSONComma, "a comma is missing before this", p.stretch(t.from, t.from).Replace(","))
		o.repaired = true
	}
	p.filled, p.comma = true, false
	o.repaired = p.flawed(t) || o.repaired
	m := o.member(t.text)
	if m == nil {
		name := fault.Excerpt(t.text[:min(len(t.text), 40)])
		p.notice(t, fault.RDFJSONMember, fault.Warning, 0, "RDF/JSON has no member "+name+"; it was passed over")
	}
	v := p.next()
	if v.kind == ':' {
		v = p.next()
	} else if v.kind == tokenText || v.kind == tokenScalar {
		p.notice(v, fault.JSONColon, fault.Repair, 0, "a colon is missing before this")
		o.repaired = true
	}
	switch {
	case m == nil:
		if !p.skipValue(v) {
			p.unfitObject(p.token)
		}
		return
	case v.kind == '{' || v.kind == '[':
		if p.skipValue(v) {
			p.lose(fault.RDFJSONTerm, "a member of an object isn't a string")
			return
		}
		p.unfitObject(p.token)
		return
	case v.kind != tokenText && v.kind != tokenScalar:
		p.unfitObject(v)
		return
	}
	o.repaired = p.flawed(v) || o.repaired
	if m.is && (!bytes.Equal(m.text, v.text) || m.scalar != (v.kind == tokenScalar)) {
		p.lose(fault.JSONDuplicateKey, "a member occurs twice in an object, with two values")
		return
	}
	if m.is {
		p.notice(v, fault.JSONDuplicateKey, fault.Warning, 0, "a member occurs twice in an object, with the same value")
	}
	m.is, m.scalar, m.text = true, v.kind == tokenScalar, append(m.text[:0], v.text...)
}

// endObject makes a statement of the object.
func (p *parser) endObject() {
	if p.single {
		p.single = false
		p.level = inPredicates
	}
	o := &p.object
	if o.bad {
		return
	}
	switch {
	case p.noSubject:
		p.lose(fault.RDFJSONLostPart, "the subject of this statement was lost by a fault reported before")
		return
	case p.noPredicate:
		p.lose(fault.RDFJSONLostPart, "the predicate of this statement was lost by a fault reported before")
		return
	}
	t := rdf.Term{Pos: o.token.pos}
	if p.makeObject(&t); o.bad {
		return
	}
	q := &p.quad
	q.Subject, q.Predicate, q.Object, q.Graph = p.subject.Term, p.predicate.Term, t, rdf.Term{}
	q.Repaired = o.repaired || p.subject.repaired || p.predicate.repaired
	if err := p.to.Quad(q); err != nil {
		p.failed = &rdf.SinkError{Err: err}
	}
}

// mendObject reports a repair of the object.
func (p *parser) mendObject(code fault.Code, message string) {
	p.tellObject(code, fault.Repair, 0, message)
	p.object.repaired = true
}

// makeObject makes the term that the object says, or loses it.
func (p *parser) makeObject(t *rdf.Term) {
	o := &p.object
	for _, m := range []*member{&o.lang, &o.datatype} {
		if m.is && (len(m.text) == 0 || m.scalar && string(m.text) == "null") {
			p.mendObject(fault.RDFJSONMember, "lang or datatype says nothing; it was read as if it were not there")
			m.is = false
		} else if m.is && m.scalar {
			p.lose(fault.RDFJSONTerm, "lang or datatype isn't a string")
			return
		}
	}
	kind := p.kindOf()
	switch {
	case o.bad:
		return
	case !o.value.is || o.value.scalar && string(o.value.text) == "null":
		p.lose(fault.RDFJSONTerm, "an object has no value")
		return
	case o.value.scalar && (kind != "literal" || !o.datatype.is):
		p.lose(fault.RDFJSONTerm, "the value of an object isn't a string, and its type is unknown")
		return
	case o.value.scalar:
		p.mendObject(fault.RDFJSONValue, "a value without quotation marks was read as the string that is written")
	}
	if kind != "literal" && (o.lang.is || o.datatype.is) {
		p.tellObject(fault.RDFJSONMember, fault.Warning, 0, "lang and datatype mean nothing except in a literal; they were skipped")
	}
	value := o.value.text
	if label := rdf.TrimReference(value); kind == "uri" && bytes.HasPrefix(label, []byte("_:")) {
		value = p.trim(value)
		p.mendObject(fault.RDFJSONType, "a blank node is called an IRI; it was taken for what it is")
		kind = "bnode"
	}
	switch kind {
	case "uri":
		p.makeIRI(t, value)
	case "bnode":
		label, prefixed := bytes.CutPrefix(value, []byte("_:"))
		if !isLabel(label) {
			p.lose(fault.RDFJSONTerm, "the label of a blank node is empty, nothing but dots, or holds control characters")
			return
		}
		if !prefixed {
			p.mendObject(fault.RDFJSONType, "the label of a blank node lacks its _:")
		}
		t.Kind, t.Value = rdf.BlankNode, label
	default:
		p.makeLiteral(t)
	}
}

// kindOf is what the member "type" says: uri, bnode or literal.
func (p *parser) kindOf() string {
	o := &p.object
	if !o.kind.is {
		if !o.lang.is && !o.datatype.is {
			p.lose(fault.RDFJSONTerm, "an object has no type")
			return ""
		}
		p.mendObject(fault.RDFJSONType, "an object has no type; since it has a language or a datatype, it is a literal")
		return "literal"
	}
	for _, known := range []string{"uri", "bnode", "literal"} {
		if string(o.kind.text) == known {
			return known
		}
	}
	for _, other := range []struct{ word, means string }{
		{"uri", "uri"}, {"iri", "uri"}, {"bnode", "bnode"}, {"blank", "bnode"}, {"literal", "literal"}, {"typed-literal", "literal"},
	} {
		if bytes.EqualFold(o.kind.text, []byte(other.word)) {
			p.mendObject(fault.RDFJSONType, "RDF/JSON has the types uri, bnode and literal; this one was taken for "+other.means)
			return other.means
		}
	}
	p.lose(fault.RDFJSONTerm, "an object has a type that is none of uri, bnode and literal")
	return ""
}

// makeIRI makes the IRI that the value says.
func (p *parser) makeIRI(t *rdf.Term, value []byte) {
	if p.object.iri = p.appendIRI(p.object.iri[:0], p.trim(value)); !p.object.bad {
		t.Kind, t.Value = rdf.IRI, p.object.iri
	}
}

// trim cuts off the white space around an IRI of the object.
func (p *parser) trim(value []byte) []byte {
	ref := rdf.TrimReference(value)
	if len(ref) < len(value) {
		p.mendObject(fault.IRITrimmed, "white space around an IRI was cut off")
	}
	return ref
}

func (p *parser) appendIRI(dst, ref []byte) []byte {
	dst, _ = p.base.AppendJudged(dst, ref, func(code fault.Code, severity fault.Severity, message string) {
		if severity == fault.Drop {
			p.lose(code, message)
		} else {
			p.tellObject(code, severity, 0, message)
		}
	})
	return dst
}

// makeLiteral makes the literal that the object says.
func (p *parser) makeLiteral(t *rdf.Term) {
	o := &p.object
	t.Kind, t.Value = rdf.Literal, o.value.text
	if o.datatype.is {
		ref := p.trim(o.datatype.text)
		if _, ok := rdf.BlankNodeIn(ref); ok {
			p.lose(fault.BlankNodePlace, "a blank node can't be a datatype")
			return
		}
		if o.typeIRI = p.appendIRI(o.typeIRI[:0], ref); o.bad {
			return
		}
		t.Datatype = o.typeIRI
	}
	if o.lang.is {
		if o.datatype.is && rdf.LanguageType(t.Datatype) == "" {
			p.lose(fault.RDFJSONTerm, "a literal has both a language and a datatype")
			return
		}
		t.Language = o.lang.text
	}
	if string(t.Datatype) == rdf.String {
		t.Datatype = nil
	}
}
