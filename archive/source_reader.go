package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// tap reads a source, in order and by place, for decoders. What goes wrong here
// is never the archive's fault; decoders wrap, replace or hide errors, so the
// first is kept in trouble.
type tap struct {
	ctx     context.Context // of the one reading that the tap was made for
	src     Source
	at      int64
	trouble *trouble
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.ReadAt(p, t.at)
	t.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (t *tap) ReadAt(p []byte, off int64) (int, error) {
	if t.trouble.err != nil {
		return 0, t.trouble.err
	}
	if err := t.ctx.Err(); err != nil {
		return 0, t.trouble.set(fmt.Errorf("read archive: %w", err))
	}
	if off < 0 || off >= t.src.Size() {
		return 0, io.EOF
	}
	n, err := t.src.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = t.trouble.set(fmt.Errorf("read archive: %w", err))
	}
	return n, err
}

// Seek lets a tar reader skip bodies that nobody reads.
func (t *tap) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += t.at
	case io.SeekEnd:
		offset += t.src.Size()
	}
	if offset < 0 {
		return 0, errors.New("archive: seek before the beginning")
	}
	t.at = offset
	return offset, nil
}

// trouble holds the first error that is not the data's.
type trouble struct{ err error }

func (t *trouble) set(err error) error {
	if t.err == nil {
		t.err = err
	}
	return t.err
}
