package xmltext

import (
	"context"
	"fmt"

	"laundromat/internal/fault"
)

// Guide knows the grammar of what is written in XML, and so can say what is meant where
// the names of the tags alone can't. It may call [Reader.Ahead], and should call nothing
// else of the Reader that reads.
type Guide interface {
	// Begin is asked about each start tag, before it is handed out. The Reader has its name and
	// attributes; what they declare and whether they can be trusted is not known yet.
	Begin(ctx context.Context) (Plan, error)
	// End is asked about each end tag that does not have the name of the innermost
	// element, and about that of a root.
	End(ctx context.Context, name []byte) (Plan, error)
	// Resume says where sound mark-up goes on inside a comment or the like that does not end; -1 if
	// nowhere. It looks from byte from of the token to byte to.
	Resume(ctx context.Context, from, to int) (int, error)
	// Elements says that elements may be at this place, and that text may too.
	Elements() (elements, text bool)
	// Declared says that a prefix is.
	Declared(prefix []byte) bool
}

// Plan is what a [Guide] makes of a tag. The zero Plan takes it as it is.
type Plan struct {
	// Close is how many elements, from the innermost on, end before the tag. Of an end
	// tag it is how many end before the one that it closes.
	Close int
	// Suppose begins an element without a name before a start tag: its own start tag is lost.
	Suppose bool
	// Skip leaves a tag out.
	Skip bool
	// Open takes an empty-element tag as a start tag: its / is too much.
	Open bool
}

// guided asks the guide about the start tag that was read, of n bytes, and does what it plans. If a
// token came of it before the tag, token is true, and the tag is read again later. If the window
// moved, again is true, and the tag must be read again at once.
func (r *Reader) guided(ctx context.Context, name []byte, n int) (token, again bool, err error) {
	if !r.planned {
		moves := r.moves
		if r.plan, err = r.opt.Guide.Begin(ctx); err != nil {
			return false, false, err
		}
		r.planned = true
		if r.moves != moves {
			return false, true, nil
		}
	}
	plan := &r.plan
	plan.Close = min(plan.Close, len(r.open))
	switch {
	case plan.Close > 0:
		f := finding{code: fault.XMLUnclosedElement, severity: fault.Repair}
		switch innermost, more := r.unclosed(plan.Close); {
		case more == 0:
			f.message = fmt.Sprintf("<%s> begins while <%s> is open; that was taken to end before it", name, innermost)
			r.editIn(&f, 0, 0, "</"+string(innermost)+">")
		case more > 0:
			f.message = fmt.Sprintf("<%s> begins while <%s> and %d more are open; they were taken to end before it", name, innermost, more)
		}
		r.discard()
		if f.message != "" {
			r.out.Notice(r.notice(&f, n))
		}
		r.closing, r.closingAll, r.implied = plan.Close-1, true, true
		plan.Close = 0
		r.pos = r.start
		r.pop()
	case plan.Suppose:
		plan.Suppose = false
		r.discard()
		r.push(nil)
		r.open[len(r.open)-1].supposed = true
		r.supposed, r.shown = true, n
		r.prefix, r.local = nil, nil
		r.pos = r.start
		r.kind = StartTag
	default:
		r.planned = false
		return false, false, nil
	}
	return true, false, nil
}

// unclosed is the innermost of the last n open elements whose start tag is there, and how many more
// there are. It is -1 if there is none.
func (r *Reader) unclosed(n int) (innermost []byte, more int) {
	more = -1
	for i := len(r.open) - 1; i >= len(r.open)-n; i-- {
		if r.open[i].supposed {
			continue
		}
		if more++; more == 0 {
			innermost = r.Name(i)
		}
	}
	return innermost, more
}

// discard forgets what was found in a tag that will be read again.
func (r *Reader) discard() {
	r.faults, r.losses, r.attrs, r.repaired = r.faults[:0], r.losses[:0], r.attrs[:0], false
}

// Supposed says that a StartTag has no name since its tag is lost. It was begun by [Plan.Suppose], at
// the place of the next start tag.
func (r *Reader) Supposed() bool { return r.supposed }

// Indent is how many characters are before the start tag on its line, if it is the first thing on it.
// It is -1 if it is not. Only a [Guide] may ask.
func (r *Reader) Indent() int { return r.indent }

// TagName is the whole name of the start tag that a [Guide] is asked about, or that was handed out.
func (r *Reader) TagName() []byte { return r.tagName }

// Name is the name of the open element i, counted from the root, without bytes that are no
// text; empty if its tag is lost.
func (r *Reader) Name(i int) []byte { return SoundName(r.name(i)) }

// Odd says that a name in the start tag holds control characters, or bytes beyond ASCII.
func (r *Reader) Odd() bool { return r.odd }

// Rename gives the start tag that a [Guide] is asked about another name, which it was meant to have.
func (r *Reader) Rename(name string) { r.renamed = name }

// Behind shows what is right after the token: as many bytes as are there, most at most.
func (r *Reader) Behind(ctx context.Context, most int) ([]byte, error) {
	n := r.pos - r.start
	if len(r.outer) == 0 {
		// That the source fails farther on is reported when it is read up to there.
		if err := r.need(ctx, n+most); err != nil && r.err == nil {
			return nil, err
		}
	}
	b := r.window()[n:]
	return b[:min(len(b), most)], nil
}

// Raw is the start tag as it is written. Only a [Guide] may ask, before it looks ahead, and whom the tag is handed to.
func (r *Reader) Raw() []byte { return r.buf[r.start:r.pos] }

// Junk says that the tag that was read last held words that are no attribute, which were left out. A
// damaged attribute may be among them, or text after an end tag without its >.
func (r *Reader) Junk() bool { return r.junk }
