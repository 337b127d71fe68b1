package lines

import (
	"bytes"
	"encoding/binary"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
)

// judge looks at lines, for one goroutine at a time.
type judge struct {
	of      rdf.LineJudge
	graphs  bool  // a line may have a fourth term
	longest int   // of the lines that are looked at, in bytes
	base    int64 // the offset of the text's first byte
	out     *rdf.CleanedLines

	quad        rdf.Quad // the line that was looked at last
	isStatement bool     // it is one, and no empty line or comment
	fourth      bool     // it has a graph
	spelled     bool     // it is written as the canonical form is
	decoded     []byte
	subject     known
	names       [64]known // of predicates and datatypes, by their last letters
	noted       bool      // decoding came upon something that needs a notice
	note        func(lex.Finding)

	// The places of its terms: text is what the line begins in at begin, and row is which of its run it is.
	// The terms begin at the indices at.
	text  []byte
	begin int
	row   int64
	at    [4]int
}

// known is an IRI that holds no character it must not hold.
type known struct {
	iri   []byte
	bytes rdf.Bytes
}

// line returns the index after the line at index i, and what is known of it. Unjudged are those that the plain
// way of the reader does not take either, and those that the sink has to see.
func (j *judge) line(b []byte, i int) (next int, verdict rdf.Verdict) {
	j.begin = i
	j.spelled, j.isStatement, j.fourth = true, false, false
	j.decoded = j.decoded[:0]
	if b[i] != '<' {
		i = j.gap(b, i)
		switch b[i] {
		case '\n', '\r', '#':
			return j.bare(b, i)
		}
	}
	from := i
	i = j.terms(b, i)
	if i < 0 {
		return -1, rdf.Unjudged
	}
	i++ // behind the dot
	next = i + 1
	if b[i] != '\n' {
		i, next = j.end(b, j.gap(b, i))
	}
	if next < 0 || i-from > j.longest {
		return -1, rdf.Unjudged
	}
	j.isStatement = true
	if j.quad.Object.Kind != rdf.Literal && (j.quad.Object.Language != nil || j.quad.Object.Datatype != nil) {
		j.quad.Object.Language, j.quad.Object.Datatype = nil, nil // of a line before
	}
	if verdict = j.of.Judge(&j.quad, j.spelled, j.out); verdict != rdf.Sound {
		j.quad = rdf.Quad{} // the judge may have changed it
	}
	return next, verdict
}

// bare is line for one without a statement.
func (j *judge) bare(b []byte, i int) (next int, verdict rdf.Verdict) {
	if _, next = j.end(b, i); next < 0 {
		return -1, rdf.Unjudged
	}
	return next, rdf.Cleaned
}

// end goes over a comment at index i, and over the line end. It returns where the one is and what comes next; -1 where
// that is no line end, or one of CR alone.
func (j *judge) end(b []byte, i int) (end, next int) {
	if b[i] == '#' {
		for b[i] != '\n' && b[i] != '\r' {
			i++
		}
	}
	switch {
	case b[i] == '\n':
		return i, i + 1
	case b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n':
		return i, i + 2
	}
	return i, -1
}

// gap goes over white space at index i, of which the canonical form has one blank.
func (j *judge) gap(b []byte, i int) int {
	j.spelled = false
	for lex.Class[b[i]]&lex.Space != 0 {
		i++
	}
	return i
}

// blank goes over the white space between two terms.
func (j *judge) blank(b []byte, i int) int {
	if b[i] == ' ' && lex.Class[b[i+1]]&lex.Space == 0 {
		return i + 1
	}
	return j.gap(b, i)
}

// terms reads the terms of the line, and returns the index of the dot; else -1.
func (j *judge) terms(b []byte, i int) int {
	q := &j.quad
	j.at[0] = i
	if b[i] == '<' {
		i = j.again(b, i, &q.Subject)
	} else {
		i = j.label(b, i, &q.Subject)
	}
	if i < 0 {
		return -1
	}
	i = j.blank(b, i)
	j.at[1] = i
	if i = j.name(b, i, &q.Predicate); i < 0 {
		return -1
	}
	i = j.blank(b, i)
	j.at[2] = i
	switch b[i] {
	case '"':
		i = j.literal(b, i, &q.Object)
	case '<':
		i = j.iri(b, i, &q.Object)
	default:
		i = j.label(b, i, &q.Object)
	}
	if i < 0 {
		return -1
	}
	i = j.blank(b, i)
	q.Graph.Kind = rdf.NoTerm
	if b[i] == '.' {
		return i
	}
	if !j.graphs {
		return -1
	}
	j.at[3], j.fourth = i, true
	if b[i] == '<' {
		i = j.iri(b, i, &q.Graph)
	} else {
		i = j.label(b, i, &q.Graph)
	}
	if i < 0 {
		return -1
	}
	if i = j.blank(b, i); b[i] != '.' {
		return -1
	}
	return i
}

// place fills in where the terms of the line are.
func (j *judge) place(q *rdf.Quad) {
	from, more := j.begin, int64(0)
	for i, t := range [...]*rdf.Term{&q.Subject, &q.Predicate, &q.Object, &q.Graph} {
		if i < 3 || j.fourth {
			at := j.at[i]
			more += lex.Continuations(j.text[from:at])
			t.Pos = fault.Pos{Line: j.row, Column: int64(at-j.begin) - more + 1, Offset: j.base + int64(at)}
			from = at
		}
	}
}

// again reads the IRI at index i, which is most often that of the line before.
func (j *judge) again(b []byte, i int, t *rdf.Term) int {
	if last := j.subject.iri; len(last) > 0 && bytes.HasPrefix(b[i+1:], last) && b[i+1+len(last)] == '>' {
		t.Kind, t.Bytes, t.Value = rdf.IRI, j.subject.bytes, b[i+1:i+1+len(last):i+1+len(last)]
		return i + len(last) + 2
	}
	next := j.iri(b, i, t)
	if next >= 0 && len(t.Value) == next-i-2 { // without escapes
		j.subject.iri, j.subject.bytes = append(j.subject.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// name reads the IRI at index i, which is most often one of few.
func (j *judge) name(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	n := bytes.IndexByte(b[i+1:], '>')
	if n < 8 {
		return j.iri(b, i, t)
	}
	value := b[i+1 : i+1+n : i+1+n]
	slot := &j.names[binary.LittleEndian.Uint64(value[n-8:])*0x9E3779B97F4A7C15>>58]
	if bytes.Equal(slot.iri, value) {
		t.Kind, t.Bytes, t.Value = rdf.IRI, slot.bytes, value
		return i + n + 2
	}
	next := j.iri(b, i, t)
	if next >= 0 && len(t.Value) == next-i-2 {
		slot.iri, slot.bytes = append(slot.iri[:0], t.Value...), t.Bytes
	}
	return next
}

// iri reads the IRI whose < is at index i.
func (j *judge) iri(b []byte, i int, t *rdf.Term) int {
	if b[i] != '<' {
		return -1
	}
	end, seen := lex.SeeUntil(b, i+1, lex.EndsIRI)
	value := b[i+1 : end : end]
	if b[end] == '\\' {
		j.spelled = false
		wide := byte(0)
		for b[end] == '\\' || lex.Class[b[end]]&lex.InIRI != 0 {
			wide |= b[end]
			end++
		}
		if b[end] != '>' {
			return -1
		}
		if value = j.decode(lex.AppendIRI, b[i+1:end]); value == nil {
			return -1
		}
		seen = seen&uint8(rdf.BytesHigh) | wide>>7*uint8(rdf.BytesHigh) // BytesSeen is not among them
	}
	if b[end] != '>' || !lex.Absolute(value) {
		return -1
	}
	t.Kind, t.Bytes, t.Value = rdf.IRI, rdf.Bytes(seen), value
	return end + 1
}

// decode decodes raw into a piece of decoded; nil if that takes a notice.
func (j *judge) decode(how func(dst, raw []byte, repaired func(lex.Finding)) ([]byte, *lex.Finding), raw []byte) []byte {
	n := len(j.decoded)
	j.noted = false
	var lost *lex.Finding
	j.decoded, lost = how(j.decoded, raw, j.note)
	if j.noted || lost != nil {
		return nil
	}
	return j.decoded[n:len(j.decoded):len(j.decoded)]
}

// label reads the blank node label at index i, as the reader's does.
func (j *judge) label(b []byte, i int, t *rdf.Term) int {
	end := labelEnd(b, i)
	if end >= 0 {
		t.Kind, t.Bytes, t.Value = rdf.BlankNode, 0, b[i+2:end:end]
	}
	return end
}

// literal reads the literal whose " is at index i.
func (j *judge) literal(b []byte, i int, t *rdf.Term) int {
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
				j.spelled = false
			}
			var more uint8
			end, more = lex.SeeUntil(b, end+2, lex.EndsQuoted)
			seen |= more
		}
		if value = j.decode(lex.AppendString, b[from:end]); value == nil {
			return -1
		}
	}
	if b[end] != '"' {
		return -1
	}
	j.spelled = j.spelled && isWrittenAsIs(b[from:end], rdf.Bytes(seen))
	seen &^= lex.EndsIRI
	if len(value) != end-from {
		seen &^= uint8(rdf.BytesSeen)
	}
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
		for _, c := range t.Language {
			j.spelled = j.spelled && (c < 'A' || 'Z' < c)
		}
	case '^':
		if b[i+1] != '^' {
			return -1
		}
		var datatype rdf.Term
		if i = j.name(b, i+2, &datatype); i < 0 {
			return -1
		}
		t.Datatype = datatype.Value
		j.spelled = j.spelled && string(t.Datatype) != rdf.String
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
