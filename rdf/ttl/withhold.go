package ttl

import (
	"laundromat/internal/fault"
	"laundromat/rdf"
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
func (r *turtle) withhold(q *rdf.Quad, sure bool) {
	h := &r.withheld
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
func (r *turtle) release() {
	h := &r.withheld
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
	if r.odd > 0 {
		r.odd = 0
	}
	for i := range r.stack[:r.depth] {
		f := &r.stack[i]
		f.firstHeld, f.sureHeld, f.steppedHeld = 0, 0, 0
	}
}

// opened notes that frame f, which holds statements of its own, was opened.
func (r *turtle) opened(f *frame) {
	r.withheld.open++
	f.firstHeld = len(r.withheld.quads)
	f.sureHeld = f.firstHeld
}

// closed notes that the frame on top, which holds statements of its own, was closed.
func (r *turtle) closed() {
	if r.withheld.open--; r.withheld.open == 0 && len(r.withheld.quads) > 0 {
		r.release()
	}
}

// abandon drops what is held back of frame f, which was never closed, except what is sure.
// Sure is what precedes a predicate that the layout shows to be still in it. So is the
// first object of a predicate that is known to be in it. With cut, all is sure.
func (r *turtle) abandon(f *frame, cut bool) {
	r.withheld.open--
	if !cut {
		r.dropFrom(f.sureHeld, "the subject of this statement is not sure, since a bracket before or behind it may be missing")
	}
	if r.withheld.open == 0 {
		r.release()
	}
}

// dropFrom drops what is held back from index kept on and is not sure; message says why.
func (r *turtle) dropFrom(kept int, message string) {
	h := &r.withheld
	for i := kept; i < len(h.quads); i++ {
		if !h.sure[i] {
			q := &h.quads[i]
			r.To.Notice(fault.Notice{Code: fault.SyntaxUnclosedBracket, Severity: fault.Drop, Pos: q.Object.Pos, Lost: 1,
				Message: message, Excerpt: r.shown(&terms.Held{Term: q.Object})})
			continue
		}
		h.quads[kept], h.sure[kept] = h.quads[i], true
		kept++
	}
	if kept < len(h.quads) {
		h.quads, h.sure = h.quads[:kept], h.sure[:kept]
	}
	r.odd = min(r.odd, len(h.quads))
}

// doubt drops what is held back of frame f, which is closed, but perhaps not by its own ]. It
// begins where the layout shows that one is missing. It ends at the next predicate of the frame
// around.
func (r *turtle) doubt(f *frame) {
	r.dropFrom(min(f.sureHeld, f.steppedHeld), "the subject of this statement is not sure, since a bracket before or behind it may be missing")
	below := &r.stack[r.depth-2]
	if f.role == asObject && below.hasPairs() {
		below.predicate.Clear()
		below.predicate.Dead = fault.SyntaxUnclosedBracket
	}
}

// beginOdd holds back what follows up to the end of the statement, since a line with a [ may be lost.
func (r *turtle) beginOdd() {
	if r.odd < 0 {
		r.odd = len(r.withheld.quads)
		r.withheld.open++
	}
}

// endOdd gives what beginOdd held back; if a [ is lost indeed, only what is sure.
func (r *turtle) endOdd(lost bool) {
	h := &r.withheld
	if h.open--; lost {
		r.dropFrom(r.odd, "the subject of this statement is not sure, since a bracket before or behind it may be missing")
	}
	r.oddSure = false
	if r.odd = -1; h.open == 0 {
		r.release()
	}
}
