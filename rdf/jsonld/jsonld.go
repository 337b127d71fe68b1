// Package jsonld reads JSON-LD 1.1 (W3C JSON-LD 1.1 and its Processing Algorithms
// and API, §5 and §8.1) and hands on its statements in document order.
//
// The text may be one JSON value, an array of them, or values one after another (newline-delimited
// JSON-LD). Each top-level value is held whole while its statements are made, and no more than one at
// a time. An array or a file of lines takes no more memory than its longest item. Of an object that is
// long, the items of its arrays are read one by one, after all else of it: see [jsonread.Spill]. That needs
// neither an order of the members nor more memory. It is not so of arrays that say something of the object
// as a whole: those of keywords other than @graph, and JSON literals.
//
// A fault costs the smallest thing that can do without it: a value, else the node it belongs to, else
// the item.
//
//	err := jsonld.Read(ctx, text, rdf.Input{Base: "http://example.org/"}, jsonld.Options{}, sink)
//
// Contexts and expansion are this package's own work and not that of a library. Places, labels,
// document order and losses all have to come through, and no input may end the process.
//
// Nothing is fetched here. A context that a document names is looked for in Options.Contexts, then
// among those that the program has, then by Options.Loader. What only another could give a meaning is
// lost, each with a notice, and the rest is read without it.
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
	"laundromat/internal/rule"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// Options bound what a document may take; zero values mean what is said here.
type Options struct {
	// Contexts maps the IRI of a context to the file that holds it. An IRI that ends in "/" maps to a
	// folder, below which the rest of a longer IRI is looked for.
	Contexts map[string]string
	// Loader is asked for contexts that are neither there nor in the program; nil: no one is.
	Loader ContextLoader

	Processing

	// OneValue says that line ends do not part values, as in a file of lines: a second value is told.
	OneValue bool

	// MaxBytes is the longest top-level value: 8 MiB. It takes some MemoryFactor
	// times its length in memory.
	MaxBytes int64
	// MaxLiteral is the longest top-level value where it is larger than MaxBytes. What is held is weighed, so that
	// only values with long literals are as long.
	MaxLiteral int64
	// MaxDepth is how deeply brackets may be nested: 500. A deeper item is lost.
	MaxDepth int
	// MaxContexts is how many contexts named by IRI may include one another: 32.
	// Ten thousand times as many terms may be defined while one item is read.
	MaxContexts int
	// MaxContextBytes is the longest file of a context: 4 MiB.
	MaxContextBytes int64
	// Temp is the folder for text that has to be read twice; "" for the system's.
	Temp string

	hold int64 // how long a top-level object may be that is read at once: holdBytes
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
	if o.hold <= 0 {
		o.hold = holdBytes
	}
	o.hold = min(o.hold, o.MaxBytes)
}

// Read reads JSON-LD from text and hands its statements to a sink.
//
// It returns nil at the end of the document, whatever it found there. It returns an error if the sink
// fails (as *rdf.SinkError), if text can't be read, or if ctx ends. It does, too, if the context
// opt.ExpandContext is of no use (kind Local), and if opt.Loader says of a context that it is due.
// Another such error is a top-level value longer than
// opt.MaxBytes (kind Limit, code limit/memory).
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	opt.applyDefaults()
	text, to = requoted(text, to)
	r := &reader{to: to, out: emitter{expander: newExpander(in, opt, to)}}
	r.out.rules = ruleSwitch{rule.Of(ctx, Rules)}
	r.json = jsonread.NewReader(ctx, text, jsonread.Options{Guide: guide{}, Format: formatName, OneValue: opt.OneValue, Edits: in.Edits,
		Intricate: opt.ExpandContext != "", MaxBytes: max(opt.MaxBytes, opt.MaxLiteral), Hold: opt.hold,
		MaxWeight: MemoryFactor * opt.MaxBytes,
		MaxDepth:  opt.MaxDepth, Temp: opt.Temp}, r)
	defer r.json.Close()
	r.out.loader.askWith(ctx)
	if err := r.out.begin(); err != nil {
		return err
	}
	for r.json.More() {
		if r.json.Read(); r.out.failed != nil {
			return r.out.failed
		}
	}
	r.out.tellAbsences()
	if r.json.TooLong() {
		return fault.New("jsonld.Read", fault.Limit, fault.LimitMemory,
			"a JSON-LD value of more than %d bytes can only be read whole, which takes some %d times its size in memory (%d bytes)",
			opt.MaxBytes, MemoryFactor, MemoryFactor*opt.MaxBytes)
	}
	return r.json.Err()
}

// formatName is the name of what is read.
const formatName = "JSON-LD"

// holdBytes is how long a top-level object may be that is read at once.
const holdBytes = 1 << 20

// Sound reads the first value of a JSON text that may be broken, with the recovery of [Read]. It
// returns it as JSON (RFC 8259) without a fault. What is read there is told to notice, a loss as a
// drop. The result is nil where nothing can be read.
//
// The value is held whole, in at most maxMemory bytes; one that takes more is an error
// of kind Limit.
func Sound(ctx context.Context, text []byte, maxMemory int64, notice func(fault.Notice)) ([]byte, error) {
	opt := jsonread.Options{Guide: guide{}, Format: formatName, MaxWeight: maxMemory, MaxDepth: 500}
	return jsonread.Sound(ctx, text, opt, notice)
}

// MemoryFactor is how many bytes of memory may be taken for a byte of Options.MaxBytes. What is held
// is weighed while it is read. 8 MB of JSON take 40 MB where strings have 190 bytes. As a list of
// numbers of one digit they would take 900 MB, and as nodes without members 1 GB, and are too much.
const MemoryFactor = 50

// LiteralFactor is how many bytes of memory may be taken for a byte of Options.MaxLiteral. A literal is held
// as it stands, decoded, as a term and as a line. One of 40 MB was read in 476 MB.
const LiteralFactor = 9

// reader makes statements of the values of a text.
type reader struct {
	json *jsonread.Reader
	to   rdf.Sink
	out  emitter
}

// Notice tells of what was found in the text.
func (r *reader) Notice(n fault.Notice) { r.to.Notice(n) }

// Value makes the statements of a value.
func (r *reader) Value(v *jsonread.Value, inArray bool, long []*jsonread.Spill) (more bool) {
	if len(long) > 0 {
		r.long(v, inArray, long)
	} else {
		r.item(v, inArray)
	}
	return r.out.failed == nil
}

// start begins with the statements of a top-level value; nil for one that is not held whole.
func (r *reader) start(item *jsonread.Value) {
	r.out.item, r.out.unlabelled = item, 0
	clear(r.out.nameless)
	r.json.Begin()
	r.out.reset()
	r.out.contextsRead, r.out.termsDefined = 0, 0
}

// item makes the statements of one top-level value. Of an object that holds only a graph, that is the
// default graph if the object is the whole of a document. It is one without a name if the object is an
// item of an array (JSON-LD 1.1 API §9.1, expand, step 8).
func (r *reader) item(v *jsonread.Value, inArray bool) {
	r.start(v)
	if inArray {
		r.write(r.out.each(r.out.start, "", v, mode{}).all)
		return
	}
	if onlyGraph(v) {
		r.graph(v, v.Get("@graph"))
		return
	}
	r.write(r.out.expandTop(v))
}

// graph makes the statements of an object that holds only a context and nodes. The nodes come one
// after another, so that only one is held expanded.
func (r *reader) graph(v, graph *jsonread.Value) {
	a, _, f := r.out.contextOf(r.out.start, v, nil, mode{})
	if f != nil {
		r.out.loseInside(f, r.out.start, v)
		return
	}
	all := graph.List()
	for i := range all {
		r.out.reset()
		nodes := r.out.each(a, "@graph", all[i], mode{}).all
		if r.write(nodes); r.out.failed != nil || r.json.Stopped() {
			return
		}
		if graph.Kind == jsonread.Array {
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

// failure is a fault that ends the expansion of a value, a node or an item. It is
// told by who can do without it.
type failure struct {
	code    fault.Code
	message string
	at      *jsonread.Value
	lacks   string // the IRI of the context that is needed and could not be had
	// isLiteral says that what is lost was to be a literal, although it does not look like one.
	isLiteral bool
}

func (f *failure) Error() string { return f.message }

func failed(code fault.Code, at *jsonread.Value, format string, args ...any) *failure {
	return &failure{code: code, at: at, message: fmt.Sprintf(format, args...)}
}
