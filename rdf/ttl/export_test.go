package ttl

import (
	"context"
	"strings"

	"laundromat/rdf"
	"laundromat/rdf/ttl/lex"
	"laundromat/rdf/ttl/terms"
)

// Looked reads a text of Turtle or TriG, and says how many bytes were looked at ahead to find
// where to go on after faults.
func Looked(text string, trig bool, to rdf.Sink) (int64, error) {
	opt := Options{}
	opt.applyDefaults()
	w := lex.NewWindow(strings.NewReader(text), context.Background().Err, 0)
	t := terms.New(lex.New(w, opt.MaxToken), to)
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
