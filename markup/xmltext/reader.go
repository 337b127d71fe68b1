// Package xmltext reads XML as a stream of tokens and forgives what is wrong with it.
//
// A [Reader] takes UTF-8 text and hands out start tags, end tags and stretches of text, each with its
// place (line, column, offset). Its tokens are always balanced. Whatever the document does, each start
// tag is followed, sooner or later, by one end tag, so that the caller needs no stack to mend. What
// was wrong is reported in notices as they are met:
//
//   - a fault with one clear meaning (a bare &, an unquoted attribute, a superfluous end
//     tag, …) is repaired. The token says so ([Reader.Repaired], [Attr.Repaired],
//     [Reader.Implied]), and whoever makes statements of it passes that on;
//   - where tags do not fit, their names decide, or a [Guide] that knows the grammar of
//     what is written. The guide also says where sound mark-up goes on in a comment that
//     does not end;
//   - a value that can't be trusted comes with the notice of its loss ([Attr.Lost],
//     [Reader.Lost]). It has an entity that nobody declared, or lacks a quotation mark. The
//     notice is not reported yet: only the caller knows what it costs.
//
// Entities of the internal subset are expanded, nested ones too, within a bound;
// nothing outside the document is ever loaded. Default attributes of the internal
// subset (ATTLIST) are applied as if they had been written, without the further
// normalisation of their declared types. The encoding that the XML declaration names
// is not looked at: the text is UTF-8 by then. Bytes that are not UTF-8 pass through.
//
// Memory is bounded by the longest tag (Options.MaxToken), the depth of nesting (Options.MaxDepth) and
// the declared entities (Options.MaxEntity). Text, comments and CDATA sections come in pieces as they
// arrive.
package xmltext

import (
	"bytes"
	"context"
	"io"
	"sync"

	"laundromat/internal/fault"
)

// Options bound what a Reader holds. Zero fields mean the defaults.
type Options struct {
	// MaxToken is the longest tag or declaration, in bytes; 16 MiB if 0.
	MaxToken int
	// MaxDepth is how many elements may be open at once; 1,000 if 0.
	MaxDepth int
	// MaxEntity bounds, in bytes, the entities that the document declares and what one reference expands
	// to; 16 MiB if 0. It bounds, too, what all references and default attributes expand to beyond 32
	// times the length of the text. Past it references are lost.
	MaxEntity int
	// Comments asks for comments and processing instructions as tokens, whole;
	// without it they are skipped. It can be changed by [Reader.WantComments].
	Comments bool
	// Entity says what an entity means that the document does not declare. It must have a single meaning
	// at the beginning of an attribute's value ("&owl;"). The reference is repaired. May be nil.
	Entity func(name string) (string, bool)
	// Prolog is that of the document whose part is read, with the entities and the defaults
	// of attributes that it declares. Its faults are not reported. May be empty.
	Prolog []byte
	// CheckNames reports names of elements and attributes that are none, which a reader may do by itself that makes
	// something of them.
	CheckNames bool
	// Edits asks for the edits of repairs ([fault.Notice.Edits]).
	Edits bool
	// Guide says what is meant where tags do not fit. Without one their names decide: an end tag
	// closes the innermost element of its name with all in it.
	Guide Guide
}

const (
	defaultMaxToken  = 16 << 20
	defaultMaxDepth  = 1000
	defaultMaxEntity = 16 << 20
	// amplification is how many bytes of expanded entities a byte of text may make before
	// Options.MaxEntity begins to be used up. One byte makes 6 in "&owl;".
	amplification = 32
	// firstBuffer holds any common tag many times over.
	firstBuffer = 64 << 10
)

func (o *Options) applyDefaults() {
	if o.MaxToken <= 0 {
		o.MaxToken = defaultMaxToken
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = defaultMaxDepth
	}
	if o.MaxEntity <= 0 {
		o.MaxEntity = defaultMaxEntity
	}
}

// Kind distinguishes the tokens.
type Kind uint8

const (
	// End is the end of the document; every element was closed before.
	End Kind = iota
	// StartTag has Prefix, Local and Attrs. An empty-element tag is followed by an EndTag.
	StartTag
	// EndTag closes the innermost open element; Implied and Misnamed say how well.
	EndTag
	// Text is a piece of character data or of a CDATA section, references expanded.
	// Where pieces begin and end means nothing.
	Text
	// Comment has its text in Text; only with Options.Comments.
	Comment
	// Instruction has its target in Local and its data in Text; only with Options.Comments.
	Instruction
	// TooDeep stands for an element, skipped with all in it, that was nested
	// deeper than Options.MaxDepth; [Reader.Lost] has the notice.
	TooDeep
	// TooLong stands for a tag, skipped, longer than Options.MaxToken;
	// [Reader.Lost] has the notice.
	TooLong
)

// Listener takes the notices to which the caller has nothing to add. Its method is called on the
// goroutine that reads.
type Listener interface{ Notice(fault.Notice) }

// Reader reads one document. All slices it hands out are valid until the next call
// of Next; they must not be written into.
type Reader struct {
	in  io.Reader
	out Listener
	opt Options

	// The token is in buf[start:pos], what is read beyond it in buf[pos:end].
	// buf is the text of an entity while len(outer) > 0.
	buf             []byte
	start, pos, end int
	origin          int64 // offset of buf[0] in the document
	ended           bool  // in has nothing more
	err             error // of in
	outer           []input
	mark, cur       cursor // at the token's start; and last asked for
	hasCR           bool   // buf may hold CR, so that lines must be counted slowly

	kind          Kind
	prefix, local []byte
	tagName       []byte
	tagCopy       []byte // holds it, where a guide may look ahead
	unsplit       bool   // prefix and local are not taken from tagName yet
	attrs         []Attr
	text          []byte
	blank         bool
	repaired      bool
	garbled       bool // control characters were left out of the name of the tag
	bare          int  // the attribute that came last, if its value has no quotation marks; else -1
	odd           bool // a name in the tag holds control characters, or bytes beyond ASCII
	signs         bool // signs that no name holds are right after the name of the tag
	junk          bool // words or signs that are no attribute were left out of the tag
	resumed       bool
	implied       bool
	misnamed      bool
	atEnd         bool
	lost          *fault.Notice
	scratch       []byte
	seen          map[string]int // attributes of a tag that has very many
	faults        []finding      // reported when the token is certain
	losses        []finding      // of attributes

	open    []element
	names   []byte // of the open elements, one after another
	closing int    // end tags still to hand out for the end tag that was read
	// closingAll says that the last of them is implied too; misnamedEnd that it has
	// another name than that end tag.
	closingAll, misnamedEnd bool

	pendingEnd bool // an empty-element tag was handed out
	emptyTag   bool // the start tag that was read last is one
	planned    bool // plan is that of the start tag that comes now
	plan       Plan
	renamed    string // the name that the start tag was meant to have
	moves      int    // how often the window moved
	supposed   bool   // the StartTag handed out is one of Plan.Suppose
	shown      int    // how much of the text an excerpt of it shows
	fresh      bool   // no text but white space is between the last tag and here
	indent     int    // how far this place is after the beginning of its line; -1 if something is between
	over       int    // how many elements are open beyond MaxDepth
	inCData    bool
	section    Cut // the CDATA section that was begun
	sawRoot    bool
	sawDoctype bool
	cut        Cut
	// Up to where the document is known to hold no end of a comment, a CDATA section or a
	// processing instruction.
	noComment, noSection, noInstruction int64

	parameters map[string]*entity // those for the document type alone
	spent      bool               // they expanded to too much
	entities   map[string]*entity
	defaults   map[string]*defaultAttrs // by element
	declared   int                      // bytes that both take
	external   bool                     // there is a part of the DTD that was not loaded
	expanded   int64                    // bytes that entities were expanded to so far
}

// input is what is read on with when an entity is used up.
type input struct {
	buf             []byte
	start, pos, end int
	entity          *entity
}

// element is an open element.
type element struct {
	name     int // where its name begins in Reader.names
	text     bool
	child    bool
	supposed bool // its start tag is lost; it has no name
}

// Cut says how the document was cut short.
type Cut struct {
	// Inside names what was not complete where the text ended: "a tag", "a comment", …; "" if nothing.
	Inside string
	Pos    fault.Pos // where that began
	Bytes  int64     // how much of it there was
	// Excerpt shows its beginning.
	Excerpt string
}

// NewReader returns a Reader of the UTF-8 text in, which reports its findings to out.
func NewReader(in io.Reader, opt Options, out Listener) *Reader {
	opt.applyDefaults()
	start := cursor{line: 1, column: 1}
	r := &Reader{in: in, out: out, opt: opt, buf: firstBuffers.Get().(*[firstBuffer]byte)[:], mark: start, cur: start, fresh: true}
	if len(opt.Prolog) > 0 {
		r.takeProlog()
	}
	return r
}

// firstBuffers serve again: most documents are smaller than one.
var firstBuffers = sync.Pool{New: func() any { return new([firstBuffer]byte) }}

// Free gives memory back that is reused, after the End. The Reader, and what it gave, are not used
// any more.
func (r *Reader) Free() {
	if len(r.outer) == 0 && len(r.buf) == firstBuffer {
		firstBuffers.Put((*[firstBuffer]byte)(r.buf))
	}
	r.buf = nil
}

// WantComments says whether comments and processing instructions come as tokens from now on.
func (r *Reader) WantComments(yes bool) { r.opt.Comments = yes }

// Prefix is the part before the colon of the name of a tag; empty if there is none.
func (r *Reader) Prefix() []byte {
	if r.unsplit {
		r.split()
	}
	return r.prefix
}

// Local is the name of a tag without its prefix; the target of an instruction.
func (r *Reader) Local() []byte {
	if r.unsplit {
		r.split()
	}
	return r.local
}

// split takes the name of an end tag apart, which few ask for.
func (r *Reader) split() {
	r.prefix, r.local = splitName(r.tagName)
	r.unsplit = false
}

// Attrs are the attributes of a start tag, in document order, those that declare namespaces included.
func (r *Reader) Attrs() []Attr { return r.attrs }

// Text is the text of a Text, a Comment or an Instruction.
func (r *Reader) Text() []byte { return r.text }

// Blank says that a Text is white space alone.
func (r *Reader) Blank() bool { return r.blank }

// Repaired says that a fault of the token as a whole was repaired; its attributes speak for themselves.
func (r *Reader) Repaired() bool { return r.repaired }

// Implied says that the element of an EndTag was never closed: the end tag of one
// that holds it came first, or the document ended.
func (r *Reader) Implied() bool { return r.implied }

// Misnamed says that the end tag of an element had another name, and was taken for
// its own all the same.
func (r *Reader) Misnamed() bool { return r.misnamed }

// AtEnd says that an EndTag is there only because the document ended.
func (r *Reader) AtEnd() bool { return r.atEnd }

// EmptyTag says that the start tag that was read last is an empty-element tag: its end
// comes next.
func (r *Reader) EmptyTag() bool { return r.emptyTag }

// Resumed says that a Text stands for a comment, CDATA section or instruction that does not
// end. The reading goes on where a [Guide] took it to end; all depends on that which follows
// in the element that it is in. Lost has the notice.
func (r *Reader) Resumed() bool { return r.resumed }

// Lost is the notice, not given yet, of what can't be trusted in a Text, TooDeep or TooLong token, or
// in a StartTag's name. It is nil if all is sound. The caller sets what it costs, and reports it.
// Without a Guide that of a StartTag is reported, since elements are only passed by.
func (r *Reader) Lost() *fault.Notice { return r.lost }

// Depth is the number of open elements.
func (r *Reader) Depth() int { return len(r.open) }

// Cut says what was not complete at the end of the document; asked after End.
func (r *Reader) Cut() Cut { return r.cut }

// Next reads the next token. It returns an error only when in failed or ctx ended.
func (r *Reader) Next(ctx context.Context) (Kind, error) {
	if r.pendingEnd {
		r.clear()
		r.pendingEnd = false
		return r.pop(), nil
	}
	if r.closing > 0 {
		r.clear()
		r.closing--
		r.implied = r.closing > 0 || r.closingAll
		r.misnamed = r.closing == 0 && r.misnamedEnd
		return r.pop(), nil
	}
	r.closingAll, r.misnamedEnd = false, false
	for {
		r.clear()
		token, err := r.step(ctx)
		if err != nil || token {
			return r.kind, err
		}
	}
}

func (r *Reader) clear() {
	r.prefix, r.local, r.text, r.attrs, r.unsplit = nil, nil, nil, r.attrs[:0], false
	r.blank, r.repaired, r.implied, r.misnamed, r.supposed, r.resumed, r.lost = false, false, false, false, false, false, nil
	r.faults, r.losses, r.scratch = r.faults[:0], r.losses[:0], r.scratch[:0]
}

// step goes on to the next place where a token can begin, and reads it; false if it gave none.
func (r *Reader) step(ctx context.Context) (bool, error) {
	if len(r.outer) == 0 && r.cur.offset <= r.offset(r.pos) {
		r.mark = r.cur
	}
	r.start = r.pos
	if r.pos == r.end {
		if len(r.outer) > 0 {
			r.leave()
			return false, nil
		}
		more, err := r.grow(ctx)
		if err != nil {
			return false, err
		}
		if !more && r.over > 0 {
			r.over = 0
			return false, nil
		}
		if !more {
			r.finish()
			return true, nil
		}
	}
	return r.token(ctx)
}

// token reads one token at r.start; false if what is there gives none.
func (r *Reader) token(ctx context.Context) (bool, error) {
	if r.inCData {
		return r.cdata(ctx)
	}
	if r.buf[r.start] != '<' {
		return r.characters(ctx)
	}
	if err := r.need(ctx, 9); err != nil { // "<![CDATA[", "<!DOCTYPE"
		return false, err
	}
	b := r.window()
	if len(b) == 1 {
		return r.bareLess(ctx)
	}
	switch c := b[1]; {
	case c < ' ' && class[c]&dubious != 0:
		return r.afterControls(ctx)
	case class[c]&(nameStart|dubious) != 0:
		return r.startTag(ctx, 1)
	case c == '/':
		return r.endTag(ctx, 2)
	case bytes.IndexByte(signs, c) >= 0:
		lead, err := r.afterSign(ctx)
		switch {
		case err != nil:
			return false, err
		case lead == 2:
			return r.startTag(ctx, 2)
		case lead == 3:
			return r.endTag(ctx, 3)
		}
		b = r.window()
	}
	switch c := b[1]; {
	case c == '?':
		return r.instruction(ctx)
	case bytes.HasPrefix(b, []byte("<!--")):
		return r.comment(ctx)
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		if err := r.need(ctx, lookahead); err != nil {
			return false, err
		}
		if r.opt.Guide != nil && r.over == 0 && len(r.outer) == 0 {
			at, err := r.endless(ctx, &r.noSection, "<![CDATA[", "]]>")
			if err != nil {
				return false, err
			}
			if at > 0 {
				f := finding{code: fault.XMLBadMarkup, severity: fault.Drop, message: "a CDATA section does not end; its content is " +
					"lost up to where sound mark-up goes on"}
				r.resume(&f, at)
				return true, nil
			}
		}
		r.section = Cut{Inside: "a CDATA section", Pos: r.Pos(), Excerpt: r.ExcerptAt(0, lookahead)}
		r.pos = r.start + 9
		r.inCData = true
		return false, nil
	case len(b) >= 9 && bytes.EqualFold(b[:9], []byte("<!DOCTYPE")):
		return false, r.doctype(ctx)
	case c == '!':
		return r.declaration(ctx)
	default:
		return r.bareLess(ctx)
	}
}

// afterControls reads what begins with a < that control characters follow.
func (r *Reader) afterControls(ctx context.Context) (bool, error) {
	const most = 16
	if err := r.need(ctx, most); err != nil {
		return false, err
	}
	b := r.window()
	n := 1
	for n < len(b) && n < most-1 && b[n] < ' ' {
		n++
	}
	if n < len(b) && b[n] == '/' {
		return r.endTag(ctx, n+1)
	}
	return r.startTag(ctx, 1)
}

// finish hands out an end tag for each element still open, then End.
func (r *Reader) finish() {
	r.planned = false
	if len(r.open) == 0 {
		r.kind = End
		return
	}
	r.implied, r.atEnd = true, true
	r.pop()
}

func (r *Reader) push(name []byte) {
	if n := len(r.open); n > 0 {
		r.open[n-1].child = true
	}
	r.sawRoot = true
	r.open = append(r.open, element{name: len(r.names)})
	r.names = append(r.names, name...)
}

func (r *Reader) pop() Kind {
	top := len(r.open) - 1
	name := r.names[r.open[top].name:]
	r.tagName, r.unsplit = name, true
	r.names = r.names[:r.open[top].name]
	r.open = r.open[:top]
	r.kind = EndTag
	return EndTag
}

// name is the name of the open element i.
func (r *Reader) name(i int) []byte {
	end := len(r.names)
	if i+1 < len(r.open) {
		end = r.open[i+1].name
	}
	return r.names[r.open[i].name:end]
}
