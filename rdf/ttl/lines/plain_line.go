package lines

import (
	"bytes"
	"encoding/binary"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// plainLine is the last plain line that was read. That is one of which each term is written as the grammar asks for, so
// that the lexer is not needed.
type plainLine struct {
	quad        rdf.Quad // without places
	isStatement bool     // it is one, and no empty line or comment
	graphs      bool     // it may have a fourth term
	fourth      bool     // it has one
	spelled     bool     // it is written as the canonical form is
	wide        bool     // a term has characters outside ASCII
	from        int      // the index where it begins
	at          [4]int   // the indices where its terms begin

	decoded []byte    // terms that held escapes
	subject known     // the last one
	names   [64]known // of predicates, datatypes and graphs, by their last letters
}

// known is an IRI that holds no character it must not hold.
type known struct {
	iri   []byte
	bytes rdf.Bytes
}

// line reads the line that begins at index i of b, whose last line is whole. It returns the index of the next line; -1
// if the line is not plain, or longer than may be.
//
//	nquadsDoc ::= statement? (EOL statement)* EOL?
//	statement ::= subject predicate object graphLabel? '.'
func (p *plainLine) line(b []byte, i, longest int) (next int) {
	p.spelled, p.fourth, p.wide, p.isStatement = true, false, false, true
	p.decoded = p.decoded[:0]
	if p.from = i; b[i] != '<' {
		i = p.gap(b, i)
		p.isStatement = b[i] != '\n' && b[i] != '\r' && b[i] != '#'
	}
	begin := i
	if p.isStatement {
		if i = p.terms(b, i); i < 0 {
			return -1
		}
		i++
	}
	if b[i] != '\n' {
		i = p.gap(b, i)
		if b[i] == '#' {
			for b[i] != '\n' && b[i] != '\r' {
				i++
			}
		}
	}
	switch {
	case p.isStatement && i-begin > longest:
		return -1
	case b[i] == '\n':
		return i + 1
	case b[i] != '\r':
		return -1
	case i+1 < len(b) && b[i+1] == '\n':
		return i + 2
	}
	return i + 1
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

// label reads the blank node label at index i. Those with characters outside ASCII are left to mend.
func (p *plainLine) label(b []byte, i int, t *rdf.Term) int {
	end := lex.PlainLabel(b, i)
	if end == 0 {
		return -1
	}
	t.Kind, t.Bytes, t.Value = rdf.BlankNode, 0, b[i+2:end:end]
	return end
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
	end, seen := lex.SeeUntil(b, i+1, lex.EndsIRI)
	value := b[i+1 : end : end]
	if b[end] == '\\' {
		p.spelled = false
		wide := byte(0)
		for b[end] == '\\' || lex.Class[b[end]]&lex.InIRI != 0 {
			wide |= b[end]
			end++
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
func (p *plainLine) decode(how func(dst, raw []byte) ([]byte, []lex.Finding), raw []byte) []byte {
	n := len(p.decoded)
	decoded, found := how(p.decoded, raw)
	if len(found) > 0 {
		return nil
	}
	p.decoded = decoded
	return decoded[n:len(decoded):len(decoded)]
}

// literal reads the literal whose " is at index i.
func (p *plainLine) literal(b []byte, i int, t *rdf.Term) int {
	end, seen, escaped := lex.PlainString(b, i)
	if end == 0 {
		return -1
	}
	value := b[i+1 : end-1 : end-1]
	p.spelled = p.spelled && isWrittenAsIs(value, seen, escaped)
	p.wide = p.wide || seen&rdf.BytesHigh != 0
	if escaped {
		if value = p.decode(lex.AppendString, value); value == nil {
			return -1
		}
	}
	t.Kind, t.Bytes, t.Value, t.Language, t.Datatype = rdf.Literal, seen, value, nil, nil
	switch b[end] {
	case '@':
		tag := lex.PlainTag(b, end)
		if tag == 0 {
			return -1
		}
		t.Language = b[end+1 : tag : tag]
		for i := 0; p.spelled && i < len(t.Language); i++ {
			p.spelled = t.Language[i] < 'A' || 'Z' < t.Language[i]
		}
		return tag
	case '^':
		if b[end+1] != '^' {
			return -1
		}
		var datatype rdf.Term
		end = p.name(b, end+2, &datatype)
		t.Datatype = datatype.Value
		p.spelled = p.spelled && string(t.Datatype) != rdf.String
	}
	return end
}

// isWrittenAsIs says that the canonical form escapes the same characters of a string as the text does.
func isWrittenAsIs(text []byte, seen rdf.Bytes, escaped bool) bool {
	for i := 0; escaped; i += 2 {
		n := bytes.IndexByte(text[i:], '\\')
		if n < 0 {
			break
		}
		i += n
		switch text[i+1] {
		case '"', '\\', 'n', 'r', 't', 'b', 'f':
		default:
			return false
		}
	}
	if seen&rdf.BytesOdd != 0 {
		for _, c := range text {
			if c < ' ' || c == 0x7F {
				return false
			}
		}
	}
	return seen&rdf.BytesHigh == 0 || bytes.IndexByte(text, 0xEF) < 0 // U+FFFE and U+FFFF begin with it
}

// place fills in where the terms of q are. The line begins at start.
func (p *plainLine) place(q *rdf.Quad, b []byte, start fault.Pos) {
	from, more := p.from, int64(0)
	for i, t := range [...]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
		if i == 3 && !p.fourth {
			return
		}
		at := p.at[i]
		if p.wide {
			more += lex.Continuations(b[from:at])
		}
		behind := int64(at - p.from)
		t.Pos = fault.Pos{Line: start.Line, Column: start.Column + behind - more, Offset: start.Offset + behind}
		from = at
	}
}
