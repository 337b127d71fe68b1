// Package lines reads N-Triples and N-Quads.
//
// Lines go three ways, the quickest first. Where the sink is a [rdf.LineSink], a judge looks at many at a
// time, on several goroutines (clean_lines.go). Those that are clean as they are, are passed on as
// bytes. Of other plain lines it makes what the sink would. A plain line that has a context is
// read in one pass (plain_line.go). Any other is read token by token with the lexer of Turtle, which knows the
// repairs (line_repair.go). A line may prove the text to be Turtle or TriG (handover.go).
package lines

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// Syntax names a format.
type Syntax uint8

// The formats of the family.
const (
	NTriples Syntax = iota
	NQuads
	Turtle
	TriG
	N3 // Turtle with formulae
)

// String is the name of the format as records have it.
func (s Syntax) String() string {
	return [...]string{"N-Triples", "N-Quads", "Turtle", "TriG", "N3"}[s]
}

// Reader reads N-Triples and N-Quads.
type Reader struct {
	terms.Reader
	syntax  Syntax
	opt     Options
	fore    *forejudge // nil if the sink knows no judge
	plain   plainLine
	tokens  tokenLine
	sinkErr error

	stringEnd  int64 // the line up to which lines belong to a string, unless they are statements
	quads      int   // lines with four terms, as far as manyQuads
	hasTriples bool  // a line has three
	// broken says that the line before ends after its subject, or in a hole. The present line may be the rest of it.
	broken  bool
	stays   bool // the text is N-Quads, whatever directives it has
	unended bool // the last line of the text had no line end
}

// Options are those of a reading of lines.
type Options struct {
	// MayHandOver says that the syntax was guessed; CalledTurtle that the document is called Turtle or TriG, and
	// CalledTriples that it is called N-Triples.
	MayHandOver, CalledTurtle, CalledTriples bool
	// Workers is how many goroutines look at lines at once; Block is the size of a block in bytes.
	Workers, Block int
}

// New makes a reader of the lines of a syntax, which gives what it reads to the sink of t.
func New(t terms.Reader, syntax Syntax, opt Options) *Reader {
	l := &Reader{Reader: t, syntax: syntax, opt: opt, fore: newForejudge(t.To, t.MaxToken, opt)}
	l.LineFormat = true
	return l
}

// Rest is what another reader goes on with after handing over.
func (l *Reader) Rest() terms.Reader { return l.Reader }

// Run reads to the end of the text, or to a statement at which Turtle or TriG takes over. It returns
// the syntax of what was read, or of what comes.
func (l *Reader) Run() (Syntax, error) {
	for {
		end := l.Base + int64(len(l.Buf))
		limit, over := l.readClean(l.wholeLines())
		if over || l.upTo(limit) {
			return l.syntax, nil
		}
		l.skipIndent() // so that the length of a line is that without its indentation
		switch {
		case l.sinkErr != nil:
			return l.syntax, l.sinkErr
		case l.Base+int64(len(l.Buf)) != end:
			// more was read
		case l.Err != nil:
			return l.syntax, l.Err
		case l.EOF && l.Pos >= len(l.Buf):
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
	if l.fore == nil || limit <= l.Pos {
		return limit, false
	}
	base := l.Base
	for _, r := range l.fore.look(l.Buf[:limit], base, l.Pos, l.syntax == NQuads) {
		if over = l.upTo(r.from - int(l.Base-base)); over || l.sinkErr != nil {
			break
		}
		r.from, r.to = r.from-int(l.Base-base), r.to-int(l.Base-base)
		switch {
		case l.Pos != r.from: // the lines before reached into these
		case l.broken, r.isMade && l.LineStart != l.Offset():
			over = l.upTo(r.to) // what is known of the lines holds only where nothing before reaches into them
		default:
			l.pass(&r)
		}
		if over || l.sinkErr != nil {
			break
		}
	}
	return limit - int(l.Base-base), over
}

// upTo reads the lines before index limit. It says that Turtle or TriG takes over.
func (l *Reader) upTo(limit int) (over bool) {
	for l.Pos < limit && l.sinkErr == nil {
		if l.readPlain(limit) {
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

// pass gives clean lines to the sink as they are, or what was made of others.
func (l *Reader) pass(r *run) {
	if !r.isMade {
		l.failed(l.fore.to.Lines(l.Buf[r.from:r.to], r.lines))
	} else {
		for i := range r.made.Notices {
			r.made.Notices[i].Line += l.Line - 1
		}
		l.failed(l.fore.to.Cleaned(&r.made))
	}
	l.note(r.quads, true)
	l.note(r.triples, false)
	l.Line += int64(r.lines)
	l.Pos = r.to
	l.LineStart, l.Extra = l.Offset(), 0
}

// failed notes an error of the sink.
func (l *Reader) failed(err error) {
	if err != nil {
		l.sinkErr = &rdf.SinkError{Err: err}
	}
}

// note notes that n statements were read, with a graph or without. After one with a graph the text is N-Quads: it does
// not become Turtle any more.
func (l *Reader) note(n int, isQuad bool) {
	switch {
	case n > 0 && !isQuad:
		l.hasTriples = true
	case n > 0:
		l.quads = min(manyQuads, l.quads+n)
		if l.mayBeQuads() {
			l.syntax = NQuads
		}
	}
}

// mayBeQuads says that a fourth term shows the text to be N-Quads.
func (l *Reader) mayBeQuads() bool { return l.opt.MayHandOver && !l.opt.CalledTriples }

// manyQuads is how many statements with a graph, and none without, make one without doubtful after a
// line that is broken.
const manyQuads = 16

// onlyQuads says that each statement so far has a graph, and that they are many.
func (l *Reader) onlyQuads() bool { return l.quads >= manyQuads && !l.hasTriples }

// wholeLines is the index after the last line end that is surely whole.
func (l *Reader) wholeLines() int {
	text := l.Buf[l.Pos:]
	if !l.EOF {
		text = bytes.TrimSuffix(text, []byte("\r"))
	}
	return l.Pos + bytes.LastIndexAny(text, "\r\n") + 1
}

// skipIndent goes over white space and comments, and over zero bytes and marks that can't be seen, which it reports.
// After a hole, the line may be the rest of a statement.
func (l *Reader) skipIndent() {
	l.SkipSpace()
	l.broken = l.broken || l.BehindHole
	l.TellMarks(l.To.Notice)
}

// longLine gives up the current line, which is longer than may be held.
func (l *Reader) longLine() {
	l.Tok = lex.Token{From: l.Offset(), Pos: l.Place()}
	n := l.Notice(fault.LimitToken, fault.Drop, l.Tok.Pos, "%s", fault.TooLong("this line", l.MaxToken))
	for {
		i := bytes.IndexAny(l.Buf[l.Pos:], "\r\n")
		if i >= 0 {
			l.Pos += i
			break
		}
		if l.Pos = len(l.Buf); !l.Refill() {
			break
		}
	}
	n.Lost, n.Bytes = 1, l.Offset()-n.Offset
	l.To.Notice(n)
}

// readPlain reads the line at pos, if it is plain and right. The last line before index limit is whole.
func (l *Reader) readPlain(limit int) bool {
	p := &l.plain
	p.graphs = l.syntax != NTriples || l.mayBeQuads()
	next := p.line(l.Buf[:limit], l.Pos, l.MaxToken)
	if next < 0 || p.isStatement && !p.fourth && l.broken {
		return false
	}
	if p.isStatement {
		l.broken = false
		p.place(&p.quad, l.Buf, l.Place())
		l.failed(l.To.Quad(&p.quad))
		l.note(1, p.fourth)
		p.quad = rdf.Quad{} // the sink may have changed it
	}
	l.Pos = next
	l.Line++
	l.LineStart, l.Extra = l.Offset(), 0
	return true
}
