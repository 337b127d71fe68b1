// Package rdfa reads RDFa 1.1 from HTML, XHTML, SVG and other XML (W3C RDFa Core 1.1, HTML+RDFa 1.1,
// XHTML+RDFa 1.1).
//
// HTML is read as browsers read it, and never fails. XML is read by package xmltext, which forgives
// what is clear. A page is held whole, as a light tree whose elements know the places of their start
// tags; its statements come in document order.
//
//	err := rdfa.Read(ctx, text, rdf.Input{Base: "http://example.org/"}, page.Options{}, sink)
//
// A page without RDFa has no statements, and no findings. The specification has a processor skip
// some things (terms without a vocabulary, prefixes that can't be read). They give a warning, but the
// many values of @rel that only mean something to browsers do not. A CURIE whose prefix is not
// declared is an absolute IRI, as the specification says. It gives a warning unless its scheme is a
// well-known one.
//
// Not done, since the specification leaves it open: the processor graph, vocabulary expansion, and
// @role.
package rdfa

import (
	"context"
	"fmt"
	"io"

	"laundromat/markup/page"
	"laundromat/rdf"
)

// MemoryFactor is how many bytes of memory the process takes at its peak for a byte of
// a page.
const MemoryFactor = page.MemoryFactor

// Read reads the RDFa of a page and hands its statements to a sink.
//
// It returns nil at the end of the page, whatever it found there. It returns an error if the sink
// fails (as *rdf.SinkError), if text can't be read, or if ctx ends. A page longer than opt.MaxBytes is
// an error of kind Limit, code limit/memory.
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt page.Options, to rdf.Sink) error {
	p, err := page.Read(ctx, text, opt, to)
	if err != nil {
		return fmt.Errorf("read RDFa: %w", err)
	}
	return Process(ctx, p, in, to)
}

// Process hands the statements in the RDFa of a page to a sink. It returns an error if
// the sink fails (as *rdf.SinkError) or if ctx ends.
func Process(ctx context.Context, pg *page.Page, in rdf.Input, to rdf.Sink) error {
	p := newProcessor(ctx, in, pg.Host, to)
	for _, root := range pg.Roots {
		p.keeps = p.keeps || mayCopy(root)
	}
	p.run(pg)
	if err := ctx.Err(); err != nil && p.failed == nil {
		return fmt.Errorf("read RDFa: %w", err)
	}
	p.copyPatterns()
	for i := range p.triples {
		p.write(&p.triples[i])
	}
	return p.failed
}
