// Package jsonread reads JSON (RFC 8259) that may be broken, one top-level value at a time. Such are the
// one value of a text, the items of an array that is one, or values one after another.
//
// What is sound is read by a parser that forgives nothing. What is not is read again by a mender. At
// each fault it gives every way to mend it a cost. It tries how much of what follows would be JSON then,
// and takes the best. What can't be mended costs the smallest thing that can do without it: a value,
// else the object it belongs to, else the item. Each repair and each loss is told with its place.
//
// The package knows no RDF. Of the format that is written in JSON it knows what a [Guide] tells. These are the
// names that say what an object is about, or what kind of thing it is. Where those are lost, more is lost than
// the member, and where objects have them, broken brackets can be found. Comments call these names as
// JSON-LD does.
//
//	r := jsonread.NewReader(ctx, text, jsonread.Options{Guide: guide, …}, sink)
//	defer r.Close()
//	for r.More() {
//		r.Read() // calls sink
//	}
//	return r.Err()
package jsonread

import (
	"context"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/internal/rule"
	"laundromat/markup/jsontext"
)

// Options bound what a [Reader] may take, and say what it reads. All but OneValue and Intricate must be given.
type Options struct {
	Guide  Guide
	Format string // the name of what is read, for errors

	// OneValue says that line ends do not part values, as in a file of lines: a second value is told.
	OneValue bool
	// Intricate says that one of the contexts that hold from the beginning is; see [Guide].
	Intricate bool

	// MaxBytes is the longest top-level value. Hold is how long one may be that is read at once, not
	// longer than MaxBytes. A longer one is read twice: first its members, then the items of its arrays one
	// by one. Only all members together say what the items belong to.
	MaxBytes, Hold int64
	// MaxWeight is how much memory the values may take that are held together, in bytes. What they
	// expand to is counted with them.
	MaxWeight int64
	// MaxDepth is how deeply brackets may be nested. A deeper item is lost.
	MaxDepth int
	// Edits asks for the edits of repairs ([fault.Notice.Edits]).
	Edits bool
	// Temp is the folder for text that has to be read twice; "" for the system's.
	Temp string
}

// Sink takes what a [Reader] reads.
type Sink interface {
	// Notice takes a finding.
	Notice(n fault.Notice)
	// Value takes a top-level value, or an item of a top-level array (inArray). It holds until Value
	// returns. Its arrays in long were passed over for their length, and are empty. It returns false to
	// end the reading. Before it makes anything of the value it calls [Reader.Begin].
	Value(v *Value, inArray bool, long []*Spill) (more bool)
}

// Reader reads the values of a text one by one, and mends those that are broken.
type Reader struct {
	parser
	opt     Options
	sink    Sink
	handled int  // top-level values, so far
	lines   int  // of these, those that stood on a line each, since the last that did not
	mended  bool // the last top-level value had a fault
	inArray bool // the present one is an item of an array
	begins  lineHabit
	barren  int64    // the offset up to which no value was found to stand apart behind a broken one
	tooLong bool     // nothing could be read, since the first value is too long
	proved  int64    // bytes that were read to see whether long values are sound
	unread  []*spool // what holds text that was read ahead; some of them were given back

	values   int   // that began, so far
	lastLine int64 // where the last of them ended
	spanned  bool  // one of them stands on several lines
}

// NewReader makes a reader of a text.
func NewReader(ctx context.Context, text io.Reader, opt Options, to Sink) *Reader {
	r := &Reader{parser: newParser(newSource(ctx, text, opt.MaxBytes, opt.Format), &opt), opt: opt, sink: to}
	r.rules = ruleSwitch{rule.Of(ctx, Rules)}
	return r
}

// newParser makes a parser of a text.
func newParser(text *source, opt *Options) parser {
	return parser{source: text, guide: opt.Guide, words: opt.Guide.Words(), maxDepth: opt.MaxDepth, edits: opt.Edits,
		maxWeight: opt.MaxWeight,
		hold:      opt.Hold, intricate: opt.Intricate, names: map[string]string{}}
}

// Err is why the text can't be read, or that ctx has ended; nil if neither is so.
func (r *Reader) Err() error { return r.err }

// Close gives back the disk space of text that was read ahead.
func (r *Reader) Close() {
	for _, s := range r.unread {
		s.close()
	}
}

// TooLong says that nothing could be read, since the first value is longer than MaxBytes or takes more than MaxWeight.
func (r *Reader) TooLong() bool { return r.handled == 0 && r.tooLong && r.err == nil }

// Begin says that something is made of the present value. What was found before is told now.
func (r *Reader) Begin() {
	r.flush()
	r.handled++
}

// More says that another top-level value begins.
func (r *Reader) More() bool {
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
func (r *Reader) passStray() bool {
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
func (r *Reader) flush() {
	for _, n := range r.found {
		r.tooLong = r.tooLong || n.Code == fault.LimitJSONValue && r.handled == 0
		r.sink.Notice(n)
	}
	r.found = r.found[:0]
}

// Read reads one top-level value, or the items of a top-level array.
func (r *Reader) Read() {
	defer r.flush()
	at := r.mark()
	defer r.several(at.pos)()
	b, _ := r.peek()
	behind := r.mended && at.pos.Column != 1
	r.cutTold, r.mended, r.weight, r.heavy = false, false, 0, false
	r.memory.reset() // nothing is held between two values
	if behind {
		if b != '{' || !r.rules.on(valueBehind) || !r.another(at) {
			r.rest(at)
		}
		return
	}
	switch {
	case b == '[' && r.amongLines(at) && !r.wholeLine(at) && r.rules.on(lineOfNoObject):
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
func (r *Reader) several(at fault.Pos) (read func()) {
	b, _ := r.peek()
	isValue := b == '{' || b == '['
	second := isValue && r.values > 0 && !r.mended
	tell := func() {
		second = false
		r.tell(fault.Notice{Code: fault.JSONSeveral, Severity: fault.Repair, Pos: at}, r.at, "another value begins here, where JSON has "+
			"but one; it was read too")
	}
	if second && (r.opt.OneValue || r.spanned || at.Line == r.lastLine) {
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
func (r *Reader) array(began fault.Pos) {
	outer := []shape{{nodes: true}}
	_, outer[0].indent = r.lineAt(r.at - 1)
	r.maxBytes = r.opt.MaxBytes
	r.hard, r.between, r.inArray, r.allInArray = r.outline, r.flush, true, r.lines == 0
	r.records(outer, began, func(v *Value) bool {
		more := v.Kind == Lost || r.sink.Value(v, true, nil)
		r.memory.reset()
		return more && !r.Stopped()
	})
	r.hard, r.lines, r.inArray, r.allInArray, r.faulty = nil, 0, false, false, false
}

// one reads the top-level value at the mark, which is no array.
func (r *Reader) one(at mark, b byte) {
	r.maxBytes = r.opt.Hold
	r.depth, r.deep = 0, false
	if v := r.value(); v != nil && r.alone() && (b == '{' || b == '[' || r.endsHere()) {
		if r.lines++; at.pos.Column != 1 || r.pos().Line != at.pos.Line {
			r.lines = 0
		}
		r.begins.see(&r.parser, v)
		r.sink.Value(v, r.inArray, nil)
		return
	}
	r.found = r.found[:0]
	long, deep := r.long, r.deep
	r.maxBytes, r.deep = r.opt.MaxBytes, false
	if r.err != nil {
		return
	}
	r.rewind(at)
	if b != '{' && r.amongLines(at) && r.rules.on(lineOfNoObject) {
		r.line(at)
		return
	}
	lines := !long && !deep && b == '{' && r.byLines(at) && r.rules.on(valueOnLine)
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
			if r.until = r.nextApart(at); r.until > 0 && !r.rules.on(valueApart) {
				r.until = 0
			}
		}
		r.outline(at, nil, long)
		r.faulty, r.until, r.head = false, 0, ""
	}
}

// mendOne mends the broken top-level value at the mark; line says that it ends with its line.
func (r *Reader) mendOne(at mark, line bool) {
	m := mender{tokens: tokens{parser: &r.parser, oneLine: line}, last: at.pos}
	switch m.mend(at); {
	case r.err != nil:
	case r.long || r.deep:
		r.found = r.found[:0]
		r.tooMuch(at.pos, at, 0, r.deep)
	default:
		m.each(func(v *Value) bool {
			if line && r.begins.doubt(&r.parser, v) && r.rules.on(doubtLine) {
				m.gone(v.Pos, v.End)
				return true
			}
			return r.sink.Value(v, r.inArray, nil) && !r.Stopped()
		})
	}
}

// alone says that what follows a top-level value is not the rest of it.
func (r *Reader) alone() bool {
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
func (r *Reader) endsHere() bool {
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
func (r *Reader) byLines(at mark) bool {
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
func (r *Reader) onItsLine() bool {
	line := r.pos().Line
	return r.value() != nil && r.pos().Line == line && r.alone()
}

// lookAhead looks at what follows the mark: values are passed over until back is called, which goes back there.
func (r *Reader) lookAhead(at mark) (back func()) {
	r.skipping = true
	return func() { r.skipping, r.deep = false, false; r.rewind(at) }
}

// amongLines says that a line begins at the mark which is no object, in a text of which each line is
// one. It is something that is no part of it, or what is left of one.
func (r *Reader) amongLines(at mark) bool {
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
func (r *Reader) startsLine(at mark) bool {
	first, _ := r.lineAt(r.at)
	return first || at.pos.Column == 1
}

// wholeLine says that the value at the mark is sound, and ends on its line.
func (r *Reader) wholeLine(at mark) bool {
	defer r.lookAhead(at)()
	return r.onItsLine()
}

// line loses the line at the mark: what it said can't be known without its beginning.
func (r *Reader) line(at mark) {
	excerpt := r.around(r.at)
	r.release()
	for b, ok := r.peek(); ok && b != '\n'; b, ok = r.peek() {
		r.at++
	}
	r.passedOver(at, fault.JSONSyntax, excerpt, "each line is an object of its own, and this is none; it is lost")
}

// Stopped says that ctx has ended, or that the text can't be read.
func (r *Reader) Stopped() bool {
	if err := r.ctx.Err(); err != nil && r.err == nil {
		r.err = fmt.Errorf("read %s: %w", r.opt.Format, err)
	}
	return r.err != nil
}
