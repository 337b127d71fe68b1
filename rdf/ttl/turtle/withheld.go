package turtle

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl/repair"
	"laundromat/rdf/ttl/terms"
)

// withheld holds back the statements of a [ ] or {| |} until its outermost bracket is
// closed. Without the closing bracket, nobody knows which of them have the subject that
// they seem to have.
type withheld struct {
	quads []rdf.Quad
	sure  []bool // of each: it is right even if the bracket is not closed
	bytes []byte // of their terms
	open  int    // brackets with statements that are open
}

// maxWithheld is how many bytes are held back; what is more is given unseen.
const maxWithheld = 1 << 20

// withhold holds a quad back.
func (r *Reader) withhold(q *rdf.Quad, sure bool) {
	h := &r.held
	if len(h.bytes) > maxWithheld || len(h.quads) == 1<<12 {
		r.release()
	}
	h.quads, h.sure = append(h.quads, *q), append(h.sure, sure)
	kept := &h.quads[len(h.quads)-1]
	for _, t := range [...]*rdf.Term{&kept.Subject, &kept.Predicate, &kept.Object} {
		for _, part := range [...]*[]byte{&t.Value, &t.Language, &t.Datatype} {
			if n := len(h.bytes); len(*part) > 0 {
				h.bytes = append(h.bytes, *part...)
				*part = h.bytes[n:len(h.bytes):len(h.bytes)]
			}
		}
	}
}

// release gives all that is held back.
func (r *Reader) release() {
	h := &r.held
	for i := range h.quads {
		if r.sinkErr != nil {
			break
		}
		if err := r.To.Quad(&h.quads[i]); err != nil {
			r.sinkErr = &rdf.SinkError{Err: err}
		}
	}
	h.quads, h.sure, h.bytes = h.quads[:0], h.sure[:0], h.bytes[:0]
	if cap(h.bytes) > 2*maxWithheld {
		h.bytes = nil
	}
	for i := range r.stack[:r.depth] {
		f := &r.stack[i]
		f.sureHeld = 0
	}
}

// opened notes that frame f, which holds statements of its own, was opened.
func (r *Reader) opened(f *frame) {
	r.held.open++
	f.sureHeld = len(r.held.quads)
}

// closed notes that the frame on top, which holds statements of its own, was closed.
func (r *Reader) closed() {
	if r.held.open--; r.held.open == 0 && len(r.held.quads) > 0 {
		r.release()
	}
}

// closeHeld is closed, or abandon where the end of f is missing.
func (r *Reader) closeHeld(f *frame) {
	if r.plan.forced && !r.plan.cut {
		r.abandon(f)
	} else {
		r.closed()
	}
}

// abandon drops what is held back of frame f, which was never closed, except what is sure.
func (r *Reader) abandon(f *frame) {
	r.held.open--
	r.dropFrom(f.sureHeld, "the subject of this statement is not sure, since a bracket before or after it may be missing")
	if r.held.open == 0 {
		r.release()
	}
}

// dropFrom drops what is held back from index kept on and is not sure; message says why.
func (r *Reader) dropFrom(kept int, message string) {
	h := &r.held
	if kept < len(h.quads) && !r.Rules.Holds(repair.WithheldBracket) {
		kept = len(h.quads)
	}
	for i := kept; i < len(h.quads); i++ {
		if !h.sure[i] {
			q := &h.quads[i]
			r.tell(fault.Notice{Code: fault.SyntaxUnclosedBracket, Severity: fault.Drop, Pos: q.Object.Pos, Lost: 1,
				Message: message, Excerpt: r.shown(&terms.Held{Term: q.Object})})
			continue
		}
		h.quads[kept], h.sure[kept] = h.quads[i], true
		kept++
	}
	if kept < len(h.quads) {
		h.quads, h.sure = h.quads[:kept], h.sure[:kept]
	}
}
