package daemon

import (
	"runtime"

	"laundromat/rdf/format"
	"laundromat/states"
	"laundromat/states/kind"
)

// memoryNeed is what a document draws from the budget, in bytes, and how many goroutines
// look at its lines, sort and compress for that.
type memoryNeed struct {
	sort, reader, fixed int64
	term                int64 // beyond what is usual
	workers             int
}

func (n memoryNeed) total() int64 { return n.sort + n.reader + n.fixed + n.term }

const (
	needFixed   = 4 << 20 // buffers of files, filters, decoders and the compressor, without those of ahead
	needWorker  = 3 << 20 // buffers of each worker but the first
	largeFrom   = 8 << 20 // bytes of a document from which on all processors may work at it
	needSort    = 8 << 20 // the least that a sort works with
	spreadLines = 4       // clean lines take so many times the bytes of the document, or less
)

// need is what a document may draw. A small one draws little, and none so much that a second could
// not be read at the same time.
func (r *Runner) need(f format.Format, size int64) memoryNeed {
	share := r.opt.Memory / 2
	n := memoryNeed{workers: 1, fixed: needFixed, sort: min(max(share/4, needSort), share)}
	if size < 0 || size > states.AheadFrom {
		n.fixed += states.AheadBytes
	}
	if more := int64(runtime.GOMAXPROCS(0) - 1); (size < 0 || size > largeFrom) && n.fixed+more*needWorker <= share/4 {
		n.workers += int(more)
		n.fixed += more * needWorker
	}
	if size >= 0 {
		n.sort = min(max(size*spreadLines, needSort), n.sort)
	}
	if factor := f.MemoryFactor(); factor > 0 {
		n.reader = share - n.fixed - n.sort
		if size >= 0 {
			n.reader = min(n.reader, wholeFloor+size*factor)
		}
	}
	return n
}

// factorOf is how many bytes of memory a document takes that is read in a form, for each of its own. A page takes as
// many whether or not it has statements.
func factorOf(form kind.Form) int64 {
	if form == kind.Tree {
		return format.HTML.MemoryFactor()
	}
	return heldFactor
}

// heldFactor is how many bytes of memory a document takes that is held whole, with what is made of it, for each of its
// own.
const heldFactor = 24

// streamed is what a table or tree takes that is read row by row, in bytes.
const streamed = 16 << 20

// needProducts adds what products other than statements need. They are made after these, one after another.
func (w *parseWork) needProducts(guessed *states.Guessed, size int64) {
	share := w.runner.opt.Memory / 2
	all := w.runner.opt.makes(w.by, guessed)
	if w.by.Leads(guessed.Kind) {
		all = append(all, kind.Articles) // its links are found as the text of a page is
	}
	for _, product := range all {
		if product == kind.Statements {
			continue
		}
		need := int64(streamed)
		if guessed.Kind.Form(product) != kind.Stream {
			need = share
			if size >= 0 {
				need = wholeFloor + size*factorOf(guessed.Kind.Form(product))
			}
		}
		w.need.reader = max(w.need.reader, min(need, share-w.need.fixed-w.need.sort))
	}
}

// wholeFloor is what a reader that holds a document whole takes in addition to what grows with it,
// in bytes.
const wholeFloor = 8 << 20
