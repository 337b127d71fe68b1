// Package jsonld reads JSON-LD 1.1 (W3C JSON-LD 1.1 and its Processing Algorithms
// and API, §5 and §8.1) and hands on its statements in document order.
//
// The text may be one JSON value, an array of them, or values one after another
// (newline-delimited JSON-LD). Each top-level value is held whole while its
// statements are made, and no more than one at a time: an array or a file of lines
// takes no more memory than its longest item. A fault costs the smallest thing that
// can do without it: a value, else the node it belongs to, else the item.
//
//	err := jsonld.Read(ctx, text, rdf.Input{Base: "http://example.org/"}, jsonld.Options{}, sink)
//
// Contexts and expansion are this package's own work and not that of a library, since
// places, labels, document order and losses all have to come through, and no input may
// end the process.
//
// Nothing is ever fetched. A context that a document names is looked for in
// Options.Contexts, then among the few that are built in; a node that names another
// is lost, with a notice.
//
// What the specification tells a processor to pass over (terms that no context
// defines, values outside of any node, base directions) gives a warning. IRIs,
// language tags and stray bytes that are not UTF-8 are handed on as they stand:
// package clean judges them.
package jsonld

import (
	"context"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Options bound what a document may take; zero values mean what is said here.
type Options struct {
	// Contexts maps the IRI of a context to the file that holds it; an IRI that ends
	// in "/" maps to a folder, below which the rest of a longer IRI is looked for.
	Contexts map[string]string

	// MaxBytes is the longest top-level value: 8 MiB. It takes some MemoryFactor
	// times its length in memory.
	MaxBytes int64
	// MaxDepth is how deeply brackets may be nested: 500. A deeper item is lost.
	MaxDepth int
	// MaxContexts is how many contexts named by IRI may include one another: 32.
	// Ten thousand times as many terms may be defined while one item is read.
	MaxContexts int
	// MaxContextBytes is the longest file of a context: 4 MiB.
	MaxContextBytes int64
}

func (o *Options) applyDefaults() {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 8 << 20
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = 500
	}
	if o.MaxContexts <= 0 {
		o.MaxContexts = 32
	}
	if o.MaxContextBytes <= 0 {
		o.MaxContextBytes = 4 << 20
	}
}

// Read reads JSON-LD from text and hands its statements to a sink.
//
// It returns nil at the end of the document, whatever it found there; and an error
// if the sink fails (as *rdf.SinkError), if text can't be read, if ctx ends, or if
// a top-level value is longer than opt.MaxBytes (kind Limit, code limit/memory).
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	opt.applyDefaults()
	r := &reader{
		parser: parser{source: newSource(ctx, text, opt.MaxBytes), notice: to.Notice,
			maxDepth: opt.MaxDepth, names: map[string]string{}},
		out: emitter{expander: &expander{in: in, opt: opt, sink: to, loader: newLoader(opt),
			initial:   &active{base: in.Base, hasBase: in.Base != ""},
			processed: map[memo]*active{}}},
	}
	for r.more() {
		if r.read(); r.out.failed != nil {
			return r.out.failed
		}
	}
	if r.err != nil {
		return r.err
	}
	return nil
}

// MemoryFactor is how many bytes of memory the process takes at its peak for a byte of
// a top-level value. Measured on 6 MiB: 21 for a @graph of small nodes, 40 for one node
// with many nested ones, 44 for one with many strings of one letter.
const MemoryFactor = 44

func tooLong(maxBytes int64) error {
	return fault.New("jsonld.Read", fault.Limit, fault.LimitMemory,
		"a JSON-LD value of more than %d bytes can only be read whole, which takes some %d times its size in memory (%d bytes)",
		maxBytes, MemoryFactor, MemoryFactor*maxBytes)
}

type reader struct {
	parser
	out     emitter
	handled int // top-level values
}

// more says that another top-level value begins.
func (r *reader) more() bool {
	r.space()
	_, ok := r.peek()
	return ok && r.err == nil
}

// read reads one top-level value, or the items of a top-level array.
func (r *reader) read() {
	began := r.pos()
	r.began = began.Offset
	if b, _ := r.peek(); b == '[' {
		r.items(began)
		return
	}
	if r.hurt && r.handled > 0 && began.Column != 1 {
		// What follows a value with a fault on its line, or further in, is the rest of it.
		r.rest(began)
		return
	}
	r.cutTold, r.hurt, r.leftTo = false, false, 0
	if v := r.value(false); v != nil {
		if v.kind != lost {
			r.item(v)
		}
		return
	}
	if r.err != nil {
		return
	}
	// In a file of lines, a broken line costs only itself.
	single := began.Column == 1 && r.last == began.Line
	switch place := r.broken.pos; {
	case single && place.Line > began.Line && place.Column == 1:
		r.depth = 0
	case r.depth == 0 || single:
		r.skip(0, true)
	default:
		r.skip(0, false)
	}
	r.lose(began)
}

// rest loses what is left of a value that seemed to end, up to a line that begins
// with a bracket.
func (r *reader) rest(began fault.Pos) {
	r.fail(fault.JSONBracket, "the value that ends before has lost a bracket, or has one too many; this is what is left of it")
	for {
		b, ok := r.peek()
		if !ok || (b == '{' || b == '[') && r.pos().Column == 1 {
			break
		}
		if r.at++; b != '\n' && b != '\r' {
			r.line()
		}
		r.began = max(r.began, r.offset()-r.maxBytes)
	}
	r.hurt = false
	r.lose(began)
}

// line passes over the rest of a line.
func (r *reader) line() {
	for b, ok := r.peek(); ok && b != '\n' && b != '\r'; b, ok = r.peek() {
		r.at++
	}
}

// items reads the items of a top-level array, each as if it stood alone.
func (r *reader) items(began fault.Pos) {
	r.see(began)
	r.open(array)
	comma := true
	for {
		r.space()
		b, ok := r.peek()
		place := r.pos()
		r.began = place.Offset
		switch {
		case !ok:
			r.fail(fault.JSONCutShort, "the document ends within the array that begins in line %d", began.Line)
			r.lose(place)
			r.depth = 0
			return
		case b == ']':
			if comma && place.Offset > began.Offset+1 && r.handled > 0 {
				r.mend(fault.JSONComma, place, "a comma before the closing bracket was left out")
			}
			r.at++
			r.depth = 0
			return
		case b == ',' && !comma:
			r.at++
			comma = true
			continue
		}
		r.see(place)
		r.hurt = false
		v := r.value(true)
		r.leftTo = 0
		if v == nil {
			if r.err != nil {
				return
			}
			if r.skip(1, false); r.offset() == place.Offset {
				r.at++ // a stray comma or colon
			}
			r.lose(place)
			comma = false
			continue
		}
		if !comma {
			r.mend(fault.JSONComma, place, "a comma between two items was missing")
			v.repaired = true
		}
		comma = false
		if v.kind == lost {
			continue
		}
		if r.item(v); r.out.failed != nil {
			return
		}
	}
}

// item makes the statements of one top-level value.
func (r *reader) item(v *value) {
	r.handled++
	r.out.contextsRead, r.out.termsDefined = 0, 0
	if graph := v.get("@graph"); graph != nil && (len(v.members) == 1 || len(v.members) == 2 && v.get("@context") != nil) {
		r.graph(v, graph)
		return
	}
	r.write(r.out.expandTop(v))
}

// graph makes the statements of an object that holds but a context and nodes: the
// nodes one after another, so that only one is held expanded.
func (r *reader) graph(v, graph *value) {
	a, _, f := r.out.contextOf(r.out.initial, v, nil, mode{})
	if f != nil {
		r.out.lose(f)
		return
	}
	all := graph.list()
	for i := range all {
		nodes := r.out.each(a, "@graph", all[i], mode{}).all
		if r.write(nodes); r.out.failed != nil || r.stopped() {
			return
		}
		if graph.kind == array {
			all[i] = nil
		}
	}
}

// write writes nodes of the default graph.
func (r *reader) write(nodes []*thing) {
	for _, node := range nodes {
		r.out.node(node, rdf.Term{})
	}
}

// stopped says that ctx has ended.
func (r *reader) stopped() bool {
	if err := r.ctx.Err(); err != nil && r.err == nil {
		r.err = fmt.Errorf("read JSON-LD: %w", err)
	}
	return r.err != nil
}

// failure is a fault that ends the expansion of a value, a node or an item. It is
// told by who can do without it.
type failure struct {
	code    fault.Code
	message string
	at      *value
}

func (f *failure) Error() string { return f.message }

func failed(code fault.Code, at *value, format string, args ...any) *failure {
	return &failure{code: code, at: at, message: fmt.Sprintf(format, args...)}
}
