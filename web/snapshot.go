package web

import (
	"io"
	"net/http"
)

// snapshot sends the seed list as it is at one moment.
func (a *api) snapshot(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	out := &counted{to: w}
	switch err := a.Snapshot(r.Context(), out); {
	case err != nil && out.n == 0:
		writeProblem(w, problem(err))
	case err != nil:
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	}
}

// counted counts what is written.
type counted struct {
	to io.Writer
	n  int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.to.Write(b)
	c.n += int64(n)
	return n, err
}
