package xmltext

import (
	"bytes"
	"context"
	"fmt"
	"io"
)

// window is the token and what is read beyond it.
func (r *Reader) window() []byte { return r.buf[r.start:r.end] }

// offset is the place of buf[i] in the document.
func (r *Reader) offset(i int) int64 { return r.origin + int64(i) }

// whole is the window, up to n bytes of it, and whether that is all that a token can be made of. What
// is decided by it does not depend on how the text arrived.
func (r *Reader) whole(n int) ([]byte, bool) {
	b := r.window()
	if len(r.outer) > 0 {
		return b, true
	}
	if len(b) >= n {
		return b[:n], true
	}
	return b, r.ended
}

// grow reads more text, at least as much again as the window holds, so that
// reading a token again after it stays cheap. False says that there is no more. The
// window may move; what is before r.start is gone.
func (r *Reader) grow(ctx context.Context) (bool, error) {
	if len(r.outer) > 0 {
		return false, nil
	}
	if r.ended {
		return false, r.err
	}
	have := r.end - r.start
	if r.start > 0 {
		r.advance(&r.mark, r.start)
		if r.cur.offset < r.mark.offset {
			r.cur = r.mark
		}
		copy(r.buf, r.buf[r.start:r.end])
		r.moves++
		r.origin += int64(r.start)
		r.pos -= r.start
		r.start, r.end = 0, have
	}
	if have > len(r.buf)/2 {
		bigger := make([]byte, 2*len(r.buf))
		copy(bigger, r.buf[:have])
		r.buf = bigger
		r.moves++
	}
	for idle := 0; r.end < max(2*have, 1); {
		if err := ctx.Err(); err != nil {
			return false, fmt.Errorf("read XML: %w", err)
		}
		n, err := r.in.Read(r.buf[r.end:])
		r.hasCR = r.hasCR || bytes.IndexByte(r.buf[r.end:r.end+n], '\r') >= 0
		r.end += n
		if n > 0 {
			idle = 0
		} else if idle++; idle > 100 && err == nil {
			err = io.ErrNoProgress
		}
		if err != nil {
			r.ended = true
			if err != io.EOF {
				r.err = fmt.Errorf("read XML: %w", err)
				return false, r.err
			}
			break
		}
	}
	return r.end-r.start > have, nil
}

// need reads until the window holds n bytes, or the text ends.
func (r *Reader) need(ctx context.Context, n int) error {
	for r.end-r.start < n {
		more, err := r.grow(ctx)
		if err != nil {
			return err
		}
		if !more {
			return nil
		}
	}
	return nil
}
