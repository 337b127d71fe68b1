package jsonread

import (
	"bytes"
	"io"
)

// prove reads on to the end of the long object at the mark, and notes whether it is sound (certain). Where it
// is, lines and columns say nothing against it when it is taken apart. The text that is read is spooled, and
// comes next. No more of it is held than a scalar.
//
// A value that is not sound may be read ahead of what it turns out to be. So that all proofs together take no more
// than a few readings of the text, one that would exceed that is left out.
func (o *outline) prove(at mark, outer []shape) {
	r := o.Reader
	if r.proved > manyProofs*at.pos.Offset+spoolMemory {
		return
	}
	next := o.spool.began + o.spool.size // behind what is in the window
	before := int(at.pos.Offset - o.spool.began)
	text := newSource(r.ctx, r.reader, r.maxBytes, r.format)
	text.window = append(make([]byte, 0, 2*proofBytes), r.window[r.keep-before:]...)
	text.at, text.known, text.knownAt, text.afterCR = before, at.pos, before, at.afterCR
	text.tee, text.ended = o.spool, r.ended
	p := &parser{source: text, guide: r.guide, rules: r.rules, words: r.words, maxDepth: r.maxDepth, edits: r.edits, maxWeight: r.maxWeight,
		depth: len(outer), skipping: true, proving: true}
	sound := p.value() != nil
	if sound {
		b, more := p.ahead(p.behind(0))
		sound = !more || b == '{' || b == '[' || len(outer) > 0 && (b == ',' || b == ']')
	}
	r.certain = sound && p.err == nil
	r.proved += p.offset() - at.pos.Offset
	if r.err = p.err; o.spool.began+o.spool.size > next {
		r.reread = o.spool.from(next)
	}
}

// proofBytes is how much text is read at once to prove an object sound. Before a proof begins, no more than
// manyProofs times the text before it was read for proofs.
const proofBytes, manyProofs = 64 << 10, 4

// end gives the spool back, or hands on what was read ahead and is behind the object.
func (o *outline) end() {
	r := o.Reader
	r.tee, r.certain = nil, false
	ahead, _ := r.reread.(*spooled)
	if r.reread = nil; ahead == nil || r.err != nil {
		o.spool.close()
		return
	}
	if ahead.left() > spoolMemory {
		r.unread = append(r.unread, o.spool)
		r.reader = &readAhead{ahead, r.reader}
		return
	}
	defer o.spool.close()
	rest, err := io.ReadAll(ahead)
	if err != nil {
		r.err = o.spool.trouble(err)
	}
	r.reader = io.MultiReader(bytes.NewReader(rest), r.reader)
}

// readAhead reads what was read ahead, of which the spool is given back then, and then what follows.
type readAhead struct {
	text *spooled // nil if it was read
	next io.Reader
}

func (a *readAhead) Read(into []byte) (int, error) {
	for a.text != nil {
		n, err := a.text.Read(into)
		if err == io.EOF {
			a.text.spool.close()
			a.text, err = nil, nil
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	return a.next.Read(into)
}
