package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// guard stands before every decoder. A decoder that has bytes left need not ask its input again
// for long, and a faulty one may never. So the context is looked at here too. A decoder that
// gives neither bytes nor an error, again and again, is given up.
type guard struct {
	ctx     context.Context
	trouble *trouble
	nothing int // how often in a row it gave nothing
}

// maxNothing is how often in a row a decoder may give neither a byte nor an error. Those of
// filters do so now and then where they wait for a whole instruction.
const maxNothing = 1000

// errStalled ends what a decoder is given up for; it costs no more than damage would.
var errStalled = errors.New("archive: neither a byte nor an error")

func (w *walk) guard() *guard { return &guard{ctx: w.chain.tap.ctx, trouble: w.chain.trouble} }

// read reads from a decoder.
func (g *guard) read(r io.Reader, p []byte) (int, error) {
	if g.trouble.err != nil {
		return 0, g.trouble.err
	}
	if err := g.ctx.Err(); err != nil {
		return 0, g.trouble.set(fmt.Errorf("read archive: %w", err))
	}
	for len(p) > 0 {
		n, err := r.Read(p)
		if n > 0 || err != nil {
			g.nothing = 0
			return n, err
		}
		if g.nothing++; g.nothing >= maxNothing {
			return 0, errStalled
		}
	}
	return 0, nil
}

// guarded is a reader behind a guard.
type guarded struct {
	*guard
	r io.Reader
}

func (g guarded) Read(p []byte) (int, error) { return g.read(g.r, p) }
