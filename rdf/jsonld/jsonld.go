// Package jsonld reads JSON-LD 1.1 (W3C JSON-LD 1.1 and its Processing Algorithms
// and API, §5 and §8.1) and hands on its statements in document order.
//
// The text may be one JSON value, an array of them, or values one after another (newline-delimited
// JSON-LD). Each top-level value is held whole while its statements are made, and no more than one at
// a time. An array or a file of lines takes no more memory than its longest item. A fault costs the
// smallest thing that can do without it: a value, else the node it belongs to, else the item.
//
//	err := jsonld.Read(ctx, text, rdf.Input{Base: "http://example.org/"}, jsonld.Options{}, sink)
//
// Contexts and expansion are this package's own work and not that of a library. Places, labels,
// document order and losses all have to come through, and no input may end the process.
//
// Nothing is ever fetched. A context that a document names is looked for in Options.Contexts, then
// among the few that are built in. What only another could give a meaning is lost, each with a notice,
// and the rest is read without it.
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
	"laundromat/markup/jsontext"
	"laundromat/rdf"
)

// Options bound what a document may take; zero values mean what is said here.
type Options struct {
	// Contexts maps the IRI of a context to the file that holds it. An IRI that ends in "/" maps to a
	// folder, below which the rest of a longer IRI is looked for.
	Contexts map[string]string

	Processing

	// OneValue says that line ends do not part values, as in a file of lines: a second value is told.
	OneValue bool

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
// opt.ExpandContext is of no use (kind Local). Another such error is a top-level value longer than
// opt.MaxBytes (kind Limit, code limit/memory).
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	opt.applyDefaults()
	r := &reader{
		parser: parser{source: newSource(ctx, text, opt.MaxBytes), maxDepth: opt.MaxDepth, maxWeight: MemoryFactor * opt.MaxBytes, hold: opt.hold, guide: guide{}, words: &words, names: map[string]string{}, intricate: opt.ExpandContext != ""},
		notice: to.Notice,
		out:    emitter{expander: newExpander(in, opt, to)},
	}
	if err := r.out.begin(); err != nil {
		return err
	}
	for r.more() {
		if r.read(); r.out.failed != nil {
			return r.out.failed
		}
	}
	if r.handled == 0 && r.tooLong != nil && r.err == nil {
		return r.tooLong
	}
	return r.err
}

// MemoryFactor is how many bytes of memory may be taken for a byte of Options.MaxBytes. What is held
// is weighed while it is read. 8 MB of JSON take 40 MB where strings have 190 bytes. As a list of
// numbers of one digit they would take 900 MB, and as nodes without members 1 GB, and are too much.
const MemoryFactor = 50

// reader reads the top-level values, and makes statements of them.
type reader struct {
	parser
	notice  func(fault.Notice)
	out     emitter
	handled int  // top-level values, so far
	lines   int  // of these, those that stood on a line each, since the last that did not
	mended  bool // the last top-level value had a fault
	inArray bool // the present one is an item of an array
	begins  lineHabit
	barren  int64 // the offset up to which no value was found to stand apart behind a broken one
	tooLong error // nothing could be read, since the first value is too long

	values   int   // that began, so far
	lastLine int64 // where the last of them ended
	spanned  bool  // one of them stands on several lines
}

// more says that another top-level value begins.
func (r *reader) more() bool {
	r.release()
	r.depth = 0
	for r.source.space(); r.passFiller() || r.passStray(); r.source.space() {
		r.flush()
		r.release()
	}
	_, ok := r.peek()
	return ok && r.err == nil
}

// passStray takes what stands between values, is none, and holds no statement. Behind a broken value
// that ended on this line words are taken for the rest of it.
func (r *reader) passStray() bool {
	b, ok := r.peek()
	if !ok || b == '{' {
		return false
	}
	size := r.stray(0, false, r.mended && r.pos().Line == r.lastLine)
	if line, whole := r.lineFrom(0); size == 0 && whole && r.lines > 0 && jsontext.Closes(line) {
		size = len(line) // no line of those that hold a value each
	}
	if size > 0 {
		r.passOver(filler{size, fault.JSONStray})
	}
	return size > 0
}

// flush tells what was found.
func (r *reader) flush() {
	for _, n := range r.found {
		if n.Code == fault.LimitJSONValue && r.handled == 0 && r.tooLong == nil {
			r.tooLong = fault.New("jsonld.Read", fault.Limit, fault.LimitMemory,
				"a JSON-LD value of more than %d bytes can only be read whole, which takes some %d times its size in memory (%d bytes)",
				r.out.opt.MaxBytes, MemoryFactor, MemoryFactor*r.out.opt.MaxBytes)
		}
		r.notice(n)
	}
	r.found = r.found[:0]
}

// read reads one top-level value, or the items of a top-level array.
func (r *reader) read() {
	defer r.flush()
	at := r.mark()
	defer r.several(at.pos)()
	b, _ := r.peek()
	behind := r.mended && at.pos.Column != 1
	r.cutTold, r.mended, r.weight, r.heavy = false, false, 0, false
	r.memory.reset() // nothing is held between two values
	if behind {
		if b != '{' || !r.another(at) {
			r.rest(at)
		}
		return
	}
	switch {
	case b == '[' && r.amongLines(at) && !r.wholeLine(at):
		r.line(at)
	case b == '[':
		r.at++
		r.array(at.pos)
	default:
		r.one(at, b)
	}
}

// several reports a value that follows another, at a place. Together they are no JSON (RFC 8259 §2),
// unless each is on its own line. Whether it does is known once it was read, which the function is
// called for.
func (r *reader) several(at fault.Pos) (read func()) {
	b, _ := r.peek()
	isValue := b == '{' || b == '['
	second := isValue && r.values > 0 && !r.mended
	tell := func() {
		second = false
		r.tell(fault.Notice{Code: fault.JSONSeveral, Severity: fault.Repair, Pos: at}, r.at, "another value begins here, where JSON has but one; it was read too")
	}
	if second && (r.out.opt.OneValue || r.spanned || at.Line == r.lastLine) {
		tell()
		r.flush()
	}
	return func() {
		if r.err != nil {
			return
		}
		r.lastLine = r.pos().Line
		if !isValue {
			return
		}
		if r.values++; r.lastLine != at.Line {
			r.spanned = true
			if second && !r.mended {
				tell()
			}
		}
	}
}

// array reads the items of a top-level array, each as if it stood alone.
func (r *reader) array(began fault.Pos) {
	outer := []shape{{nodes: true}}
	_, outer[0].indent = r.lineAt(r.at - 1)
	r.maxBytes = r.out.opt.MaxBytes
	r.hard, r.between, r.inArray, r.allInArray = r.outline, r.flush, true, r.lines == 0
	r.records(outer, began, func(v *value) bool {
		if v.kind != lost {
			r.item(v)
		}
		r.memory.reset()
		return r.out.failed == nil && !r.stopped()
	})
	r.hard, r.lines, r.inArray, r.allInArray, r.faulty = nil, 0, false, false, false
}

// one reads the top-level value at the mark, which is no array.
func (r *reader) one(at mark, b byte) {
	r.maxBytes = r.out.opt.hold
	r.depth, r.deep = 0, false
	if v := r.value(); v != nil && r.alone() && (b == '{' || b == '[' || r.endsHere()) {
		if r.lines++; at.pos.Column != 1 || r.pos().Line != at.pos.Line {
			r.lines = 0
		}
		r.begins.see(&r.parser, v)
		r.item(v)
		return
	}
	r.found = r.found[:0]
	long, deep := r.long, r.deep
	r.maxBytes, r.deep = r.out.opt.MaxBytes, false
	if r.err != nil {
		return
	}
	r.rewind(at)
	if b != '{' && r.amongLines(at) {
		r.line(at)
		return
	}
	lines := !long && !deep && b == '{' && r.byLines(at)
	switch {
	case deep && b != '{': // else only what is in it may be too deep
		r.deep = true
		r.tooMuch(at.pos, at, 0, true)
	case b != '{' || lines:
		r.mendOne(at, lines)
	default:
		r.lines, r.faulty, r.until = 0, !long && !deep, 0
		if r.faulty {
			r.head, _ = r.nameBehind(1)
			r.until = r.nextApart(at)
		}
		r.outline(at, nil)
		r.faulty, r.until, r.head = false, 0, ""
	}
}

// mendOne mends the broken top-level value at the mark; line says that it ends with its line.
func (r *reader) mendOne(at mark, line bool) {
	m := mender{tokens: tokens{parser: &r.parser, oneLine: line}, last: at.pos}
	switch m.mend(at); {
	case r.err != nil:
	case r.long || r.deep:
		r.found = r.found[:0]
		r.tooMuch(at.pos, at, 0, r.deep)
	default:
		m.each(func(v *value) bool {
			if line && r.begins.doubt(&r.parser, v) {
				m.gone(v.pos, v.end)
				return true
			}
			r.item(v)
			return r.out.failed == nil && !r.stopped()
		})
	}
}

// alone says that what follows a top-level value is not the rest of it.
func (r *reader) alone() bool {
	b, ok := r.ahead(r.behind(0))
	switch {
	case !ok:
		return !r.long
	case b == '"' || b == ']':
		line, whole := r.lineFrom(r.behind(0))
		return b == '"' && whole && jsontext.IsString(line) || jsontext.Stray(line, whole) > 0
	}
	return b != ',' && b != ':' && b != '}'
}

// endsHere says that nothing stands behind a value on its line.
func (r *reader) endsHere() bool {
	for n := 0; ; n++ {
		switch b, ok := r.ahead(n); {
		case !ok:
			return !r.long
		case b == '\n' || b == '\r':
			return true
		case b != ' ' && b != '\t':
			return false
		}
	}
}

// byLines says that every line holds a value of its own, at whose beginning the mark is.
func (r *reader) byLines(at mark) bool {
	if r.startsLine(at) && r.lines > 0 {
		return true
	}
	if at.pos.Column != 1 {
		return false
	}
	r.skipping = true
	defer func() { r.skipping = false; r.rewind(at) }()
	last := byte(0) // of the line
	for b, ok := r.peek(); ok && b != '\n'; b, ok = r.peek() {
		if last == '}' {
			if f := r.fillerAt(0, true, false); f.size > 0 {
				r.at += f.size
				continue
			}
		}
		if b != ' ' && b != '\t' && b != '\r' {
			last = b
		}
		r.at++
	}
	r.at += r.behind(0)
	if b, _ := r.peek(); b != '{' || r.pos().Column != 1 || last == ',' || last == '[' {
		return false
	}
	r.depth = 0
	return r.onItsLine()
}

// onItsLine says that a value which is sound, ends on the present line, and stands alone is next.
func (r *reader) onItsLine() bool {
	line := r.pos().Line
	return r.value() != nil && r.pos().Line == line && r.alone()
}

// lookAhead looks at what follows the mark: values are passed over until back is called, which goes back there.
func (r *reader) lookAhead(at mark) (back func()) {
	r.skipping = true
	return func() { r.skipping, r.deep = false, false; r.rewind(at) }
}

// amongLines says that a line begins at the mark which is no object, in a text of which each line is
// one. It is something that is no part of it, or what is left of one.
func (r *reader) amongLines(at mark) bool {
	if r.startsLine(at) && r.lines > 0 {
		return true
	}
	if at.pos.Column != 1 {
		return false
	}
	defer r.lookAhead(at)()
	for n := 0; n < nodesBytes; n++ {
		if b, ok := r.ahead(n); !ok {
			return false
		} else if b != '\n' {
			continue
		}
		r.at += n + 1
		b, _ := r.peek()
		r.depth = 0
		if b != '{' || !r.onItsLine() {
			return false
		}
		b, _ = r.peek()
		return b != ';' // which may part items
	}
	return false
}

// startsLine says that nothing but white space stands before the mark, which is here, on its line.
func (r *reader) startsLine(at mark) bool {
	first, _ := r.lineAt(r.at)
	return first || at.pos.Column == 1
}

// wholeLine says that the value at the mark is sound, and ends on its line.
func (r *reader) wholeLine(at mark) bool {
	defer r.lookAhead(at)()
	return r.onItsLine()
}

// line loses the line at the mark: what it said can't be known without its beginning.
func (r *reader) line(at mark) {
	excerpt := r.around(r.at)
	r.release()
	for b, ok := r.peek(); ok && b != '\n'; b, ok = r.peek() {
		r.at++
	}
	r.passedOver(at, fault.JSONSyntax, excerpt, "each line is an object of its own, and this is none; it is lost")
}

// start begins with the statements of a top-level value.
func (r *reader) start() {
	r.flush()
	r.handled++
	r.out.reset()
	r.out.contextsRead, r.out.termsDefined = 0, 0
}

// item makes the statements of one top-level value. Of an object that holds only a graph, that is the
// default graph if the object is the whole of a document. It is one without a name if the object is an
// item of an array (JSON-LD 1.1 API §9.1, expand, step 8).
func (r *reader) item(v *value) {
	r.start()
	if r.inArray {
		r.write(r.out.each(r.out.start, "", v, mode{}).all)
		return
	}
	if onlyGraph(v) {
		r.graph(v, v.get("@graph"))
		return
	}
	r.write(r.out.expandTop(v))
}

// graph makes the statements of an object that holds only a context and nodes. The nodes come one
// after another, so that only one is held expanded.
func (r *reader) graph(v, graph *value) {
	a, _, f := r.out.contextOf(r.out.start, v, nil, mode{})
	if f != nil {
		r.out.loseAll(f, v)
		return
	}
	all := graph.list()
	for i := range all {
		r.out.reset()
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
