package ttl

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// lines reads N-Triples and N-Quads. A plain line is read in one pass over the
// block it stands in; any other line goes to mend, which is slower, knows the
// repairs, and says exactly what is wrong.
type lines struct {
	terms
	syntax Syntax
	// handsOver says that a line may prove the text to be Turtle or TriG; called that it is called so.
	handsOver, called bool
	hasGraphs         bool // a line has four terms
	hasTriples        bool // a line has three
	quads             int  // lines with four terms, as far as manyQuads
	// broken says that the line before ends behind its subject. The present line may be the rest of it.
	broken bool
	behind nextLine // if the present line has no dot
	str    openString
	indent unseenMark // zero bytes before the present line
	holed  bool       // they are why broken is set
	// adapts says that the format was guessed, so that a fourth term is no fault.
	adapts bool

	quad    rdf.Quad
	decoded []byte // terms of the present line that held escapes
	odd     bool   // decoding came upon something that needs a notice
	noteOdd func(finding)
	mender  *mender // nil before the first line that is not plain
	unended bool    // the last line of the text had no line end
	sinkErr error
	fore    *forejudge // nil if the sink knows no judge
}

// lineOptions are those of a reading of lines.
type lineOptions struct {
	// MayHandOver says that the syntax was guessed; CalledTurtle that the document is called Turtle or TriG.
	MayHandOver, CalledTurtle bool
	// Workers is how many goroutines look at lines at once; Block is the size of a block in bytes.
	Workers, Block int
}

func newLines(t terms, syntax Syntax, opt lineOptions) *lines {
	l := &lines{terms: t, syntax: syntax, handsOver: opt.MayHandOver, called: opt.CalledTurtle, adapts: opt.MayHandOver}
	l.fore = newForejudge(t.to, opt.Workers, t.maxToken, opt.Block)
	l.noteOdd = func(finding) { l.odd = true }
	return l
}

// rest is what another reader goes on with after handing over.
func (l *lines) rest() terms { return l.terms }

// run reads to the end of the text, or to a statement at which Turtle or TriG takes
// over; it returns the syntax of what was read, or of what comes.
func (l *lines) run() (Syntax, error) {
	syntax, err := l.read()
	if l.sinkErr == nil {
		l.closeString()
	}
	return syntax, err
}

func (l *lines) read() (Syntax, error) {
	for {
		limit, end := l.wholeLines(), l.base+int64(len(l.buf))
		over := false
		if l.fore != nil && limit > l.pos && !l.fore.mayRest() {
			base := l.base
			l.fore.look(l.buf[:limit], l.pos, l.syntax == NQuads, func(r run) bool {
				moved := int(l.base - base) // the window may have
				if over = l.upTo(r.from - moved); over || l.sinkErr != nil {
					return false
				}
				if l.pos == r.from-moved { // else the lines before reached into these
					r.from, r.to = r.from-moved, r.to-moved
					for (l.broken || l.str.open) && r.lines > 0 && !over && l.sinkErr == nil {
						over = l.first(&r)
					}
					if !over && l.sinkErr == nil && r.lines > 0 {
						l.pass(r)
					}
				}
				return l.sinkErr == nil && !over
			})
			limit -= int(l.base - base)
		}
		if !over {
			over = l.upTo(limit)
		}
		if over {
			return l.syntax, nil
		}
		l.skipIndent() // so that the length of a line is that without its indentation
		switch {
		case l.sinkErr != nil:
			return l.syntax, l.sinkErr
		case l.base+int64(len(l.buf)) != end:
			// more was read while a line was mended
		case l.err != nil:
			return l.syntax, l.err
		case l.eof && l.pos >= len(l.buf):
			l.tellIndent()
			return l.syntax, nil
		case len(l.buf)-l.pos > l.maxToken+2:
			l.longLine()
		case l.eof:
			// the last line has no end: lend it one
			l.unended = true
			l.buf = append(l.buf, '\n')
		default:
			l.refill()
		}
	}
}

// upTo reads the lines before index limit. It says that Turtle or TriG takes over.
func (l *lines) upTo(limit int) (over bool) {
	for l.pos < limit && l.sinkErr == nil {
		if l.str.open {
			l.lookInString(l.buf[l.pos : l.pos+bytes.IndexAny(l.buf[l.pos:limit], "\r\n")])
		}
		if next := l.plain(l.buf[:limit], l.pos); next >= 0 {
			l.pos = next
			continue
		}
		base := l.base
		if l.mend() {
			return true
		}
		limit -= int(l.base - base) // the window may have moved
	}
	return false
}

// first reads the first line of a run as if it were not known to be clean.
func (l *lines) first(r *run) (over bool) {
	line, base, end := l.line, l.base, r.to
	if n := bytes.IndexByte(l.buf[l.pos:r.to], '\n'); n >= 0 {
		end = l.pos + n + 1
	}
	over = l.upTo(end)
	r.from, r.to, r.lines = l.pos, r.to-int(l.base-base), r.lines-int(l.line-line)
	return over
}

// pass gives clean lines to the sink as they are.
func (l *lines) pass(r run) {
	if err := l.fore.to.Lines(l.buf[r.from:r.to], r.lines); err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
	if r.quads {
		l.fourTerms()
		l.quads = min(manyQuads, l.quads+r.lines)
	}
	l.hasTriples = l.hasTriples || r.triples
	l.line += int64(r.lines)
	l.pos = r.to
	l.lineStart, l.extra, l.afterCR = l.offset(), 0, -1
}

// wholeLines is the index behind the last line end that is surely whole.
func (l *lines) wholeLines() int {
	for i := len(l.buf) - 1; i >= l.pos; i-- {
		switch l.buf[i] {
		case '\n':
			return i + 1
		case '\r':
			if i+1 < len(l.buf) || l.eof {
				return i + 1
			}
		}
	}
	return l.pos
}

// longLine gives up the present line, which is longer than may be held; if it is a
// comment, without a word.
func (l *lines) longLine() {
	l.closeString()
	l.extra = 0
	l.tok = token{from: l.offset(), pos: l.place()}
	comment := l.buf[l.pos] == '#'
	n := l.notice(fault.LimitToken, fault.Drop, l.tok.pos, "the line is longer than %d bytes", l.maxToken)
	for {
		i := bytes.IndexAny(l.buf[l.pos:], "\r\n")
		if i >= 0 && (l.buf[l.pos+i] == '\n' || l.pos+i+1 < len(l.buf) || l.eof) {
			l.pos += i
			n.Bytes = l.offset() - n.Offset
			l.pos = l.endLine(l.buf, l.pos)
			break
		}
		if i < 0 {
			i = len(l.buf) - l.pos
		}
		l.pos += i
		if !l.refill() {
			n.Bytes = l.offset() - n.Offset
			break
		}
	}
	if n.Lost = 1; !comment {
		l.to.Notice(n)
	}
}

// plain reads the line that begins at index p of b, whose last line is whole. It
// returns the index of the next line; -1 if the line is not plain, or not right.
//
//	nquadsDoc ::= statement? (EOL statement)* EOL?
//	statement ::= subject predicate object graphLabel? '.'
func (l *lines) plain(b []byte, p int) int {
	i := p
	for class[b[i]]&space != 0 {
		i++
	}
	switch b[i] {
	case '\n', '\r', '#':
		return l.endLine(b, i)
	}
	p = i
	l.quad = rdf.Quad{}
	l.decoded = l.decoded[:0]
	if b[i] == '<' {
		i = l.iri(b, i, &l.quad.Subject)
	} else {
		i = l.label(b, i, &l.quad.Subject)
	}
	if i < 0 {
		return -1
	}
	for class[b[i]]&space != 0 {
		i++
	}
	if b[i] != '<' {
		return -1
	}
	if i = l.iri(b, i, &l.quad.Predicate); i < 0 {
		return -1
	}
	for class[b[i]]&space != 0 {
		i++
	}
	switch b[i] {
	case '<':
		i = l.iri(b, i, &l.quad.Object)
	case '"':
		i = l.literal(b, i, &l.quad.Object)
	default:
		i = l.label(b, i, &l.quad.Object)
	}
	if i < 0 {
		return -1
	}
	for class[b[i]]&space != 0 {
		i++
	}
	if b[i] != '.' {
		if b[i] == '<' {
			i = l.iri(b, i, &l.quad.Graph)
		} else {
			i = l.label(b, i, &l.quad.Graph)
		}
		if i < 0 {
			return -1
		}
		for class[b[i]]&space != 0 {
			i++
		}
		if b[i] != '.' || l.syntax == NTriples && !l.adapts {
			return -1
		}
	}
	i++
	for class[b[i]]&space != 0 {
		i++
	}
	switch b[i] {
	case '\n', '\r':
	case '#':
		for b[i] != '\n' && b[i] != '\r' {
			i++
		}
	default:
		return -1
	}
	if i-p > l.maxToken {
		return -1
	}
	if l.quad.Graph.Kind != rdf.NoTerm {
		l.fourTerms()
	} else if l.broken {
		return -1
	} else {
		l.hasTriples = true
	}
	l.broken, l.holed = false, false
	if err := l.to.Quad(&l.quad); err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
	return l.endLine(b, i)
}

// fourTerms notes that the text is N-Quads: it does not become Turtle any more.
func (l *lines) fourTerms() {
	l.handsOver, l.hasGraphs = false, true
	if l.quads < manyQuads {
		l.quads++
	}
	if l.adapts {
		l.syntax = NQuads
	}
}

// manyQuads is how many statements with a graph, and none without, make one without doubtful behind a
// line that is broken.
const manyQuads = 16

// onlyQuads says that each statement so far has a graph, and that they are many.
func (l *lines) onlyQuads() bool { return l.quads >= manyQuads && !l.hasTriples }

// endLine goes over a comment, if one begins at index i, and the line end.
func (l *lines) endLine(b []byte, i int) int {
	for b[i] != '\n' && b[i] != '\r' {
		i++
	}
	if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
		i++
	}
	i++
	l.line++
	l.lineStart, l.extra = l.base+int64(i), 0
	l.afterCR = -1
	return i
}

// posAt is the position of the byte at index i of the present line, for the term
// that begins there; extra counts up to it.
func (l *lines) posAt(i int) fault.Pos {
	at := l.base + int64(i)
	return fault.Pos{Line: l.line, Column: at - l.lineStart - l.extra + 1, Offset: at}
}

// iri reads the IRI whose < is at index i.
func (l *lines) iri(b []byte, i int, t *rdf.Term) int {
	from := i + 1
	j, seen := seeUntil(b, from, endsIRI)
	value := b[from:j:j]
	if b[j] != '>' {
		if b[j] != '\\' {
			return -1
		}
		wide := byte(0)
		for b[j] == '\\' || class[b[j]]&inIRI != 0 {
			wide |= b[j]
			j++
		}
		if b[j] != '>' {
			return -1
		}
		if value = l.decode(appendIRI, b[from:j]); value == nil {
			return -1
		}
		seen = seen&uint8(rdf.BytesHigh) | wide>>7*uint8(rdf.BytesHigh) // BytesSeen is not among them
	}
	if !absolute(value) {
		return -1
	}
	t.Kind, t.Bytes, t.Value, t.Pos = rdf.IRI, rdf.Bytes(seen), value, l.posAt(i)
	if seen&uint8(rdf.BytesHigh) != 0 {
		l.extra += continuations(b[from:j])
	}
	return j + 1
}

// decode decodes raw into a piece of decoded; nil if that takes a notice.
func (l *lines) decode(how func(dst, raw []byte, repaired func(finding)) ([]byte, *finding), raw []byte) []byte {
	n := len(l.decoded)
	l.odd = false
	var lost *finding
	l.decoded, lost = how(l.decoded, raw, l.noteOdd)
	if l.odd || lost != nil {
		return nil
	}
	return l.decoded[n:len(l.decoded):len(l.decoded)]
}

// label reads the blank node label at index i; labels with characters outside ASCII
// are left to mend.
func (l *lines) label(b []byte, i int, t *rdf.Term) int {
	if b[i] != '_' || b[i+1] != ':' || class[b[i+2]]&(nameStart|digit) == 0 {
		return -1
	}
	j := i + 3
	for j < len(b) && (class[b[j]]&nameInside != 0 || b[j] == '.') {
		j++
	}
	switch c := b[j]; {
	case c >= 0x80, c == ':', c == '%', c == '/', c == '~', c == '+', c == '$', c == '!', c == '&', c == '=', c == '*':
		return -1
	}
	for b[j-1] == '.' {
		j--
	}
	t.Kind, t.Value, t.Pos = rdf.BlankNode, b[i+2:j:j], l.posAt(i)
	return j
}

// literal reads the literal whose " is at index i.
func (l *lines) literal(b []byte, i int, t *rdf.Term) int {
	from := i + 1
	j, seen := seeUntil(b, from, endsQuoted)
	escaped := false
	for {
		if b[j] == '"' {
			break
		}
		if b[j] != '\\' || b[j+1] == '\n' || b[j+1] == '\r' {
			return -1
		}
		escaped = true
		var more uint8
		j, more = seeUntil(b, j+2, endsQuoted)
		seen |= more
	}
	value := b[from:j:j]
	if escaped {
		// an empty piece of decoded is not nil: decoded has room by now
		if value = l.decode(appendString, value); value == nil {
			return -1
		}
		seen &^= uint8(rdf.BytesSeen)
	}
	// endsQuoted is not among them
	t.Kind, t.Bytes, t.Value, t.Pos = rdf.Literal, rdf.Bytes(seen&^endsIRI), value, l.posAt(i)
	if seen&uint8(rdf.BytesHigh) != 0 {
		l.extra += continuations(b[from:j])
	}
	j++
	switch b[j] {
	case '"':
		return -1 // """ of Turtle
	case '@':
		from := j + 1
		for j++; class[b[j]]&nameInside != 0; j++ {
		}
		tag := b[from:j:j]
		if !isLanguageTag(tag) || bytes.IndexByte(tag, '_') >= 0 {
			return -1
		}
		t.Language = tag
	case '^':
		if b[j+1] != '^' || b[j+2] != '<' {
			return -1
		}
		var datatype rdf.Term
		if j = l.iri(b, j+2, &datatype); j < 0 {
			return -1
		}
		t.Datatype = datatype.Value
	}
	return j
}
