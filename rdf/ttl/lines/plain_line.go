package lines

import (
	"bytes"
	"encoding/binary"

	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// plainLine is the statement on a plain line. That is one of which each term is written as the grammar asks for, so
// that the lexer is not needed.
//
//	statement ::= subject predicate object graphLabel? '.'
type plainLine struct {
	quad    rdf.Quad // without places
	graphs  bool     // it may have a fourth term
	fourth  bool     // it has one
	spelled bool     // it is written as the canonical form is
	wide    bool     // a term has characters outside ASCII
	at      [4]int   // the indices where its terms begin

	decoded []byte // terms that held escapes
	subject known
	names   [64]known // of predicates, datatypes and graphs, by their last letters
	noted   bool      // decoding came upon something that needs a notice
	note    func(lex.Finding)
}

// begin makes the line ready for another one. It is found out how that is spelled only if asked.
func (p *plainLine) begin(asked bool) {
	p.spelled, p.fourth, p.wide = asked, false, false
	p.decoded = p.decoded[:0]
}

// known is an IRI that holds no character it must not hold.
type known struct {
	iri   []byte
	bytes rdf.Bytes
}

// gap goes over white space at index i, of which the canonical form has one blank.
func (p *plainLine) gap(b []byte, i int) int {
	p.spelled = false
	for lex.Class[b[i]]&lex.Space != 0 {
		i++
	}
	return i
}

// blank goes over the white space between two terms.
func (p *plainLine) blank(b []byte, i int) int {
	if b[i] == ' ' && lex.Class[b[i+1]]&lex.Space == 0 {
		return i + 1
	}
	return p.gap(b, i)
}

// terms reads the terms of the line, and returns the index of the dot; else -1.
func (p *plainLine) terms(b []byte, i int) int {
	q := &p.quad
	p.at[0] = i
	if b[i] == '<' {
		i = p.again(b, i, &q.Subject)
	} else {
		i = p.label(b, i, &q.Subject)
	}
	if i < 0 {
		return -1
	}
	i = p.blank(b, i)
	p.at[1] = i
	if i = p.name(b, i, &q.Predicate); i < 0 {
		return -1
	}
	i = p.blank(b, i)
	p.at[2] = i
	switch b[i] {
	case '"':
		i = p.literal(b, i, &q.Object)
	case '<':
		i = p.iri(b, i, &q.Object)
	default:
		i = p.label(b, i, &q.Object)
	}
	if i < 0 {
		return -1
	}
	i = p.blank(b, i)
	q.Graph.Kind = rdf.NoTerm
	if b[i] == '.' {
		return i
	}
	if !p.graphs {
		return -1
	}
	p.at[3], p.fourth = i, true
	if b[i] == '<' {
		i = p.name(b, i, &q.Graph)
	} else {
		i = p.label(b, i, &q.Graph)
	}
	if i < 0 {
		return -1
	}
	if i = p.blank(b, i); b[i] != '.' {
		return -1
	}
	return i
}

// again reads the IRI at index i, which is most often that of the line before.
func (p *plainLine) again(b []byte, i int, t *rdf.Term) int {
	if last := p.subject.iri; len(last) > 0 && bytes.HasPrefix(b[i+1:], last) && b[i+1+len(last)] == '>' {
		p.wide = p.wide || p.subject.bytes&rdf.BytesHigh != 0
		t.Kind, t.Bytes, t.Value = rdf.IRI, p.subject.bytes, b[i+1:i+1+len(last):i+1+len(last)]
		return i + len(last) + 2
	}
	next := p.iri(b, i, t)
	if next >= 0 && len(t.Value) == next-i-2 { // without escapes
		p.subject.iri, p.subject.bytes = append(p.subject.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// name reads the IRI at index i, which is most often one of few.
func (p *plainLine) name(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	n := bytes.IndexByte(b[i+1:], '>')
	if n < 8 {
		return p.iri(b, i, t)
	}
	value := b[i+1 : i+1+n : i+1+n]
	slot := &p.names[binary.LittleEndian.Uint64(value[n-8:])*0x9E3779B97F4A7C15>>58]
	if bytes.Equal(slot.iri, value) {
		p.wide = p.wide || slot.bytes&rdf.BytesHigh != 0
		t.Kind, t.Bytes, t.Value = rdf.IRI, slot.bytes, value
		return i + n + 2
	}
	next := p.iri(b, i, t)
	if next >= 0 && len(t.Value) == next-i-2 {
		slot.iri, slot.bytes = append(slot.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// iri reads the IRI whose < is at index i.
func (p *plainLine) iri(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	end, seen := lex.SeeUntil(b, i+1, lex.EndsIRI)
	value := b[i+1 : end : end]
	if b[end] == '\\' {
		p.spelled = false
		wide := byte(0)
		for b[end] == '\\' || lex.Class[b[end]]&lex.InIRI != 0 {
			wide |= b[end]
			end++
		}
		if b[end] != '>' {
			return -1
		}
		if value = p.decode(lex.AppendIRI, b[i+1:end]); value == nil {
			return -1
		}
		seen = seen&uint8(rdf.BytesHigh) | wide>>7*uint8(rdf.BytesHigh) // BytesSeen is not among them
	}
	if b[end] != '>' || !lex.Absolute(value) {
		return -1
	}
	p.wide = p.wide || seen&uint8(rdf.BytesHigh) != 0
	t.Kind, t.Bytes, t.Value = rdf.IRI, rdf.Bytes(seen), value
	return end + 1
}

// decode decodes raw into a piece of decoded; nil if that takes a notice.
func (p *plainLine) decode(how func(dst, raw []byte, repaired func(lex.Finding)) ([]byte, *lex.Finding), raw []byte) []byte {
	n := len(p.decoded)
	p.noted = false
	var lost *lex.Finding
	p.decoded, lost = how(p.decoded, raw, p.note)
	if p.noted || lost != nil {
		return nil
	}
	return p.decoded[n:len(p.decoded):len(p.decoded)]
}

// label reads the blank node label at index i; labels with characters outside ASCII
// are left to mend.
func (p *plainLine) label(b []byte, i int, t *rdf.Term) int {
	end := labelEnd(b, i)
	if end >= 0 {
		t.Kind, t.Bytes, t.Value = rdf.BlankNode, 0, b[i+2:end:end]
	}
	return end
}

// labelEnd is the index after the blank node label at index i; -1 where there is none, or one that is
// left to mend.
func labelEnd(b []byte, i int) int {
	if b[i] != '_' || b[i+1] != ':' || lex.Class[b[i+2]]&(lex.NameStart|lex.Digit) == 0 {
		return -1
	}
	j := i + 3
	for j < len(b) && (lex.Class[b[j]]&lex.NameInside != 0 || b[j] == '.') {
		j++
	}
	switch c := b[j]; {
	case c >= 0x80, c == ':', c == '%', c == '/', c == '~', c == '+', c == '$', c == '!', c == '&', c == '=', c == '*':
		return -1
	}
	for b[j-1] == '.' {
		j--
	}
	return j
}

// literal reads the literal whose " is at index i.
func (p *plainLine) literal(b []byte, i int, t *rdf.Term) int {
	from := i + 1
	end, seen := lex.SeeUntil(b, from, lex.EndsQuoted)
	value := b[from:end:end]
	if b[end] == '\\' {
		for b[end] == '\\' {
			switch b[end+1] {
			case '"', '\\', 'n', 'r', 't', 'b', 'f':
			case '\n', '\r':
				return -1
			default:
				p.spelled = false
			}
			var more uint8
			end, more = lex.SeeUntil(b, end+2, lex.EndsQuoted)
			seen |= more
		}
		if value = p.decode(lex.AppendString, b[from:end]); value == nil {
			return -1
		}
	}
	if b[end] != '"' {
		return -1
	}
	p.spelled = p.spelled && isWrittenAsIs(b[from:end], rdf.Bytes(seen))
	seen &^= lex.EndsIRI
	if len(value) != end-from {
		seen &^= uint8(rdf.BytesSeen)
	}
	p.wide = p.wide || seen&uint8(rdf.BytesHigh) != 0
	t.Kind, t.Bytes, t.Value, t.Language, t.Datatype = rdf.Literal, rdf.Bytes(seen), value, nil, nil
	i = end + 1
	switch b[i] {
	case '"':
		return -1 // """ of Turtle
	case '@':
		i++
		begin := i
		for lex.Class[b[i]]&lex.NameInside != 0 {
			i++
		}
		t.Language = b[begin:i:i]
		if !lex.IsLanguageTag(t.Language) || bytes.IndexByte(t.Language, '_') >= 0 {
			return -1
		}
		for i := 0; p.spelled && i < len(t.Language); i++ {
			p.spelled = t.Language[i] < 'A' || 'Z' < t.Language[i]
		}
	case '^':
		if b[i+1] != '^' {
			return -1
		}
		var datatype rdf.Term
		if i = p.name(b, i+2, &datatype); i < 0 {
			return -1
		}
		t.Datatype = datatype.Value
		p.spelled = p.spelled && string(t.Datatype) != rdf.String
	}
	return i
}

// isWrittenAsIs says that the canonical form escapes no character of a string that the
// text does not escape.
func isWrittenAsIs(text []byte, seen rdf.Bytes) bool {
	if seen&rdf.BytesOdd != 0 {
		for _, c := range text {
			if c < ' ' || c == 0x7F {
				return false
			}
		}
	}
	return seen&rdf.BytesHigh == 0 || bytes.IndexByte(text, 0xEF) < 0 // U+FFFE and U+FFFF begin with it
}
