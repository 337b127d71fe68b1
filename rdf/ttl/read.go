// Package ttl reads the four text formats of RDF 1.1, N-Triples, N-Quads, Turtle
// and TriG, as a stream and with recovery.
//
// A broken statement costs itself, and not the document. Each fault is reported to the sink with its
// place, and reading goes on where the next statement certainly begins. Where what was meant is
// clear, the statement is kept and reported as a repair; [fault.Repairs] lists every kind.
//
//	syntax, err := ttl.Read(ctx, text, rdf.Input{Base: iri}, ttl.Options{Syntax: ttl.Turtle}, sink)
//
// The readers of lines work on slices of a block of text, and allocate nothing for a
// plain line. The reader of Turtle and TriG holds one token, the terms of the
// statement that is open, and the prefixes; never the document.
package ttl

import (
	"context"
	"io"

	"laundromat/internal/rule"
	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/lines"
	"laundromat/rdf/ttl/repair"
	"laundromat/rdf/ttl/terms"
	"laundromat/rdf/ttl/turtle"
)

// Syntax names a format of the family.
type Syntax = lines.Syntax

// The formats of the family.
const (
	NTriples = lines.NTriples
	NQuads   = lines.NQuads
	Turtle   = lines.Turtle
	TriG     = lines.TriG
	N3       = lines.N3
)

// Options of a reading. The zero value reads N-Triples.
type Options struct {
	Syntax Syntax
	// MayHandOver says that Syntax was guessed. A reader of lines then hands over to Turtle
	// or TriG at a directive or the { of a graph. It does so too at a statement that goes
	// on over the line end after ; or , or in an open bracket. After a line of four terms
	// it never hands over. Likewise N-Triples proves to be N-Quads, and Turtle TriG,
	// without a repair.
	MayHandOver bool
	// CalledTurtle says that the header or the name of the document calls it Turtle or TriG. Then
	// lines hand over, if they may, also at a sound statement on one line that only Turtle has.
	// It has ; or , or brackets in it, or a, or a number, a boolean or a string as only Turtle
	// writes them.
	CalledTurtle bool
	// CalledTriples says that the header or the name of the document calls it N-Triples. A fourth term
	// in what is read as N-Triples is a fault then, though the syntax was guessed.
	CalledTriples bool
	// MaxToken is the longest term (in N-Triples and N-Quads: line) that is held, in
	// bytes; 0 means 16 MiB. A longer one is lost. The reader may hold twice as much.
	MaxToken int
	// Workers is how many goroutines look at lines at once, if the sink is a rdf.LineSink; by
	// default one. What comes out is the same, in the same order.
	Workers int

	block    int  // size of a block; tests make it small
	stepwise bool // Turtle and TriG are read token by token, as tests ask
}

func (o *Options) applyDefaults() {
	if o.MaxToken <= 0 {
		o.MaxToken = 16 << 20
	}
	if o.block <= 0 {
		o.block = lex.BlockSize / 2 * min(max(o.Workers, 2), 16)
	}
}

// Read reads text, which is UTF-8 without a byte order mark, to its end, and gives
// its statements and findings to to. It returns the syntax that the text proved to
// be, which differs from opt.Syntax only with opt.MayHandOver.
//
// Stray bytes that are not UTF-8 are passed on in strings and IRIs; elsewhere they
// are faults. An error is a *rdf.SinkError, what text.Read returned, or the error of
// ctx; whatever is wrong with the document is none.
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) (Syntax, error) {
	opt.applyDefaults()
	w := lex.NewWindow(text, ctx.Err, opt.block)
	t := terms.New(lex.New(w, opt.MaxToken), to)
	t.BaseIRI.Begin(in)
	t.Edits = in.Edits
	syntax := opt.Syntax
	if syntax == NTriples || syntax == NQuads {
		l := lines.New(t, syntax, lines.Options{
			MayHandOver: opt.MayHandOver, CalledTurtle: opt.CalledTurtle, CalledTriples: opt.CalledTriples, Workers: opt.Workers,
			Block: opt.block,
		})
		found, err := l.Run()
		if err != nil || found == NTriples || found == NQuads {
			w.Free()
			return found, err
		}
		syntax, t = found, l.Rest()
	}
	r := turtle.New(t)
	r.Stepwise, r.Formulae = opt.stepwise, syntax == N3
	r.TriG, r.Adapts, r.Input, r.Rules = syntax == TriG, opt.MayHandOver, in, repair.Switch{Switch: rule.Of(ctx, repair.Rules)}
	err := r.Run()
	switch {
	case r.TriG:
		syntax = TriG
	case r.Formulae:
		syntax = N3
	}
	r.Free()
	return syntax, err
}
