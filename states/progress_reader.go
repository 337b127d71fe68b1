package states

import (
	"context"
	"io"
	"time"

	"laundromat/rdf/clean"
)

// WithContext is a reader of what from gives, which ends with ctx.
func WithContext(ctx context.Context, from io.Reader) io.Reader {
	return &watched{ctx: ctx, from: from}
}

// watched is a reader that ends with its context and reports its progress.
type watched struct {
	ctx   context.Context
	from  io.Reader
	tell  func(bytes, statements int64)
	tally *clean.Tally

	read, told int64
	at         time.Time // of the last report
}

// ProgressBytes is how many bytes pass between two reports of progress.
const ProgressBytes = 1 << 20

// ProgressPause is the pause after which progress is reported, however little there was: a slow
// source is alive as long as something comes.
const ProgressPause = time.Second

func (w *watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.from.Read(p)
	w.read += int64(n)
	if w.tell == nil {
		return n, err
	}
	if now := time.Now(); w.read-w.told >= ProgressBytes || err != nil || now.Sub(w.at) >= ProgressPause {
		w.told, w.at = w.read, now
		w.tell(w.read, w.tally.Read)
	}
	return n, err
}
