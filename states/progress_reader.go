package states

import (
	"context"
	"io"
	"time"

	"laundromat/rdf/clean"
)

// watched is a reader that ends with its context and tells of its progress.
type watched struct {
	ctx   context.Context
	from  io.Reader
	tell  func(bytes, statements int64)
	tally *clean.Tally

	read, told int64
	at         time.Time // of the last telling
}

// tellEvery is how many bytes pass between two reports of progress.
const tellEvery = 1 << 20

// tellAlive is the pause after which progress is told however little there was: what
// is slow is alive as long as something comes.
const tellAlive = time.Second

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(p)
	w.read += int64(n)
	if w.tell == nil {
		return n, err
	}
	if now := time.Now(); w.read-w.told >= tellEvery || err != nil || now.Sub(w.at) >= tellAlive {
		w.told, w.at = w.read, now
		w.tell(w.read, w.tally.Read)
	}
	return n, err
}
