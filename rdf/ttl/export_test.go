package ttl

import (
	"context"
	"strings"

	"laundromat/rdf"
)

// Looked reads a text of Turtle or TriG, and says how many bytes were looked at ahead to find
// where to go on behind faults.
func Looked(text string, trig bool, to rdf.Sink) (int64, error) {
	opt := Options{}
	opt.applyDefaults()
	w := newWindow(strings.NewReader(text), context.Background().Err, 0)
	t := newTerms(newLexer(w, opt.MaxToken), to)
	r := newTurtle(t, trig)
	err := r.run()
	return r.looked, err
}

// WithBlock returns opt with another size of a block, so that tests can let the
// ends of blocks fall anywhere.
func WithBlock(opt Options, size int) Options {
	opt.block = size
	return opt
}
