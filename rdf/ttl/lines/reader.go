// Package lines reads N-Triples and N-Quads.
//
// Lines go three ways, the quickest first. Where the sink is a [rdf.LineSink], a judge looks at many at a
// time, on several goroutines (clean_lines.go, line_judge.go). Those that are clean as they are, are passed on as
// bytes. Of other plain lines it makes what the sink would. A plain line that has a context is
// read in one pass (reader.go). Any other is read with the lexer of Turtle, which knows the
// repairs (line_repair.go). A line may prove the text to be Turtle or TriG (handover.go).
package lines

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// Reader reads N-Triples and N-Quads. A plain line is read in one pass over the block that holds it.
// Any other line goes to mend, which is slower, knows the repairs, and says exactly what is wrong.
type Reader struct {
	terms.Reader
	syntax Syntax
	// handsOver says that a line may prove the text to be Turtle or TriG; called that it is called so.
	handsOver, called bool
	hasGraphs         bool // a line has four terms
	hasTriples        bool // a line has three
	quads             int  // lines with four terms, as far as manyQuads
	// broken says that the line before ends after its subject. The present line may be the rest of it.
	broken bool
	behind nextLine // if the current line has no dot
	str    openString
	indent lex.UnseenMark // zero bytes before the current line
	holed  bool           // they are why broken is set
	// adapts says that the format was guessed, so that a fourth term is no fault.
	adapts bool

	line    plainLine // the last one
	mender  *mender   // nil before the first line that is not plain
	unended bool      // the last line of the text had no line end
	sinkErr error
	fore    *forejudge // nil if the sink knows no judge
}

// Options are those of a reading of lines.
type Options struct {
	// MayHandOver says that the syntax was guessed; CalledTurtle that the document is called Turtle or TriG.
	MayHandOver, CalledTurtle bool
	// Workers is how many goroutines look at lines at once; Block is the size of a block in bytes.
	Workers, Block int
}

// New makes a reader of the lines of a syntax, which gives what it reads to the sink of t.
func New(t terms.Reader, syntax Syntax, opt Options) *Reader {
	l := &Reader{Reader: t, syntax: syntax, handsOver: opt.MayHandOver, called: opt.CalledTurtle, adapts: opt.MayHandOver}
	l.fore = newForejudge(t.To, opt.Workers, t.MaxToken, opt.Block)
	l.line.note = func(lex.Finding) { l.line.noted = true }
	return l
}

// Rest is what another reader goes on with after handing over.
func (l *Reader) Rest() terms.Reader { return l.Reader }

// Run reads to the end of the text, or to a statement at which Turtle or TriG takes over. It returns
// the syntax of what was read, or of what comes.
func (l *Reader) Run() (Syntax, error) {
	syntax, err := l.read()
	if l.sinkErr == nil {
		l.closeString()
	}
	return syntax, err
}

func (l *Reader) read() (Syntax, error) {
	for {
		end := l.Base + int64(len(l.Buf))
		limit, over := l.readClean(l.wholeLines())
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
		case l.Base+int64(len(l.Buf)) != end:
			// more was read while a line was mended
		case l.Err != nil:
			return l.syntax, l.Err
		case l.EOF && l.Pos >= len(l.Buf):
			l.tellIndent()
			return l.syntax, nil
		case len(l.Buf)-l.Pos > l.MaxToken+2:
			l.longLine()
		case l.EOF:
			// the last line has no end: lend it one
			l.unended = true
			l.Buf = append(l.Buf, '\n')
		default:
			l.Refill()
		}
	}
}

// readClean reads the lines before index limit up to the last that is clean, if clean lines are looked for. It returns
// limit as it is now, since the window may have moved. over says that Turtle or TriG takes over.
func (l *Reader) readClean(limit int) (_ int, over bool) {
	if l.fore == nil || limit <= l.Pos || l.fore.mayRest() {
		return limit, false
	}
	base := l.Base
	l.fore.look(l.Buf[:limit], base, l.Pos, l.syntax == NQuads, func(r run) bool {
		moved := int(l.Base - base)
		if over = l.upTo(r.from - moved); over || l.sinkErr != nil {
			return false
		}
		if l.Pos == r.from-moved { // else the lines before reached into these
			r.from, r.to = r.from-moved, r.to-moved
			if r.made != nil && (l.broken || l.str.open || l.LineStart != l.Offset() || l.Extra != 0) {
				over = l.upTo(r.to) // what was made of the lines holds only where nothing before reaches into them
				return l.sinkErr == nil && !over
			}
			for (l.broken || l.str.open) && r.lines > 0 && !over && l.sinkErr == nil {
				over = l.first(&r)
			}
			if !over && l.sinkErr == nil && r.lines > 0 {
				l.pass(r)
			}
		}
		return l.sinkErr == nil && !over
	})
	return limit - int(l.Base-base), over
}

// upTo reads the lines before index limit. It says that Turtle or TriG takes over.
func (l *Reader) upTo(limit int) (over bool) {
	for l.Pos < limit && l.sinkErr == nil {
		if l.str.open {
			l.lookInString(l.Buf[l.Pos : l.Pos+bytes.IndexAny(l.Buf[l.Pos:limit], "\r\n")])
		}
		if next := l.plain(l.Buf[:limit], l.Pos); next >= 0 {
			l.Pos = next
			continue
		}
		base := l.Base
		if l.mend() {
			return true
		}
		limit -= int(l.Base - base) // the window may have moved
	}
	return false
}

// first reads the first line of a run as if it were not known to be clean.
func (l *Reader) first(r *run) (over bool) {
	line, base, end := l.Line, l.Base, r.to
	if n := bytes.IndexByte(l.Buf[l.Pos:r.to], '\n'); n >= 0 {
		end = l.Pos + n + 1
	}
	over = l.upTo(end)
	r.from, r.to, r.lines = l.Pos, r.to-int(l.Base-base), r.lines-int(l.Line-line)
	r.quads = min(r.quads, max(r.lines, 0))
	return over
}

// pass gives clean lines to the sink as they are, or what was made of others.
func (l *Reader) pass(r run) {
	var err error
	if r.made == nil {
		err = l.fore.to.Lines(l.Buf[r.from:r.to], r.lines)
	} else {
		for i := range r.made.Notices {
			r.made.Notices[i].Line += l.Line - 1
		}
		err = l.fore.to.Cleaned(r.made)
	}
	if err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
	if r.quads > 0 {
		l.fourTerms()
		l.quads = min(manyQuads, l.quads+r.quads-1)
	}
	l.hasTriples = l.hasTriples || r.triples
	l.Line += int64(r.lines)
	l.Pos = r.to
	l.LineStart, l.Extra, l.AfterCR = l.Offset(), 0, -1
}

// wholeLines is the index after the last line end that is surely whole.
func (l *Reader) wholeLines() int {
	for i := len(l.Buf) - 1; i >= l.Pos; i-- {
		switch l.Buf[i] {
		case '\n':
			return i + 1
		case '\r':
			if i+1 < len(l.Buf) || l.EOF {
				return i + 1
			}
		}
	}
	return l.Pos
}

// longLine gives up the current line, which is longer than may be held; if it is a
// comment, without a word.
func (l *Reader) longLine() {
	l.closeString()
	l.Extra = 0
	l.Tok = lex.Token{From: l.Offset(), Pos: l.Place()}
	comment := l.Buf[l.Pos] == '#'
	n := l.Notice(fault.LimitToken, fault.Drop, l.Tok.Pos, "the line is longer than %d bytes", l.MaxToken)
	for {
		i := bytes.IndexAny(l.Buf[l.Pos:], "\r\n")
		if i >= 0 && (l.Buf[l.Pos+i] == '\n' || l.Pos+i+1 < len(l.Buf) || l.EOF) {
			l.Pos += i
			n.Bytes = l.Offset() - n.Offset
			l.Pos = l.endLine(l.Buf, l.Pos)
			break
		}
		if i < 0 {
			i = len(l.Buf) - l.Pos
		}
		l.Pos += i
		if !l.Refill() {
			n.Bytes = l.Offset() - n.Offset
			break
		}
	}
	if n.Lost = 1; !comment {
		l.To.Notice(n)
	}
}

// plain reads the line that begins at index i of b, whose last line is whole. It returns the index of the next line;
// -1 if the line is not plain, or not right.
//
//	nquadsDoc ::= statement? (EOL statement)* EOL?
func (l *Reader) plain(b []byte, i int) int {
	for lex.Class[b[i]]&lex.Space != 0 {
		i++
	}
	switch b[i] {
	case '\n', '\r', '#':
		return l.endLine(b, i)
	}
	p, from := &l.line, i
	p.quad, p.graphs = rdf.Quad{}, l.syntax != NTriples || l.adapts
	p.begin(false)
	if i = p.terms(b, i); i < 0 {
		return -1
	}
	i++
	for lex.Class[b[i]]&lex.Space != 0 {
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
	switch {
	case i-from > l.MaxToken, !p.fourth && l.broken:
		return -1
	case p.fourth:
		l.fourTerms()
	default:
		l.hasTriples = true
	}
	l.broken, l.holed = false, false
	l.place(b, from)
	if err := l.To.Quad(&p.quad); err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
	return l.endLine(b, i)
}

// place fills in where the terms of the plain line are, which begins at an index.
func (l *Reader) place(b []byte, from int) {
	p := &l.line
	p.quad.Subject.Pos, from = l.posAt(b, from, p.at[0])
	p.quad.Predicate.Pos, from = l.posAt(b, from, p.at[1])
	p.quad.Object.Pos, from = l.posAt(b, from, p.at[2])
	if p.fourth {
		p.quad.Graph.Pos, _ = l.posAt(b, from, p.at[3])
	}
}

// posAt is the position of the term at index i of the line; extra counts up to the term before, at index from.
func (l *Reader) posAt(b []byte, from, i int) (fault.Pos, int) {
	if l.line.wide {
		l.Extra += lex.Continuations(b[from:i])
	}
	at := l.Base + int64(i)
	return fault.Pos{Line: l.Line, Column: at - l.LineStart - l.Extra + 1, Offset: at}, i
}

// fourTerms notes that the text is N-Quads: it does not become Turtle any more.
func (l *Reader) fourTerms() {
	l.handsOver, l.hasGraphs = false, true
	if l.quads < manyQuads {
		l.quads++
	}
	if l.adapts {
		l.syntax = NQuads
	}
}

// manyQuads is how many statements with a graph, and none without, make one without doubtful after a
// line that is broken.
const manyQuads = 16

// onlyQuads says that each statement so far has a graph, and that they are many.
func (l *Reader) onlyQuads() bool { return l.quads >= manyQuads && !l.hasTriples }

// endLine goes over a comment, if one begins at index i, and the line end.
func (l *Reader) endLine(b []byte, i int) int {
	for b[i] != '\n' && b[i] != '\r' {
		i++
	}
	if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
		i++
	}
	i++
	l.Line++
	l.LineStart, l.Extra = l.Base+int64(i), 0
	l.AfterCR = -1
	return i
}
