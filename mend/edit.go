package mend

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
)

// edit says that text[from:to) becomes with. Offsets are bytes of the UTF-8 text.
type edit struct {
	from, to int64
	with     []byte
	code     fault.Code
}

func (e *edit) same(f *edit) bool {
	return e.from == f.from && e.to == f.to && string(e.with) == string(f.with)
}

// crosses says that the two can't both be made: they change the same bytes, or one
// puts something into what the other takes away.
func (e *edit) crosses(f *edit) bool {
	if e.from == e.to || f.from == f.to {
		return e.from < f.to && f.from < e.to
	}
	return max(e.from, f.from) < min(e.to, f.to)
}

// editFile holds edits in order, on disk where they are many.
type editFile struct{ spill }

func (f *editFile) add(e *edit) error {
	b := binary.AppendVarint(nil, e.from)
	b = binary.AppendVarint(b, e.to-e.from)
	b = binary.AppendUvarint(b, uint64(len(e.code)))
	b = append(b, e.code...)
	b = binary.AppendUvarint(b, uint64(len(e.with)))
	_, err := f.Write(append(b, e.with...))
	return err
}

// read gives the edits whose code is allowed, one a call; ok is false at the end.
func (f *editFile) read(allowed func(fault.Code) bool) (next func() (e edit, ok bool, err error), err error) {
	from, err := f.reader()
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(from)
	return func() (edit, bool, error) {
		for {
			e, err := readEdit(r)
			switch {
			case errors.Is(err, io.EOF):
				return edit{}, false, nil
			case err != nil:
				return edit{}, false, fmt.Errorf("read the edits again: %w", err)
			case allowed(e.code):
				return e, true, nil
			}
		}
	}, nil
}

func readEdit(r *bufio.Reader) (e edit, err error) {
	if e.from, err = binary.ReadVarint(r); err != nil {
		return e, err
	}
	if e.to, err = binary.ReadVarint(r); err != nil {
		return e, unexpected(err)
	}
	e.to += e.from
	code, err := readBytes(r)
	if err != nil {
		return e, unexpected(err)
	}
	e.code = fault.Code(code)
	e.with, err = readBytes(r)
	return e, unexpected(err)
}

func readBytes(r *bufio.Reader) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	b := make([]byte, n)
	_, err = io.ReadFull(r, b)
	return b, err
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// edited reads a text with the edits made in it.
type edited struct {
	from  *bufio.Reader
	at    int64 // of what from gives next
	next  func() (edit, bool, error)
	edit  edit
	any   bool
	ahead []byte // to be given before more is read
	err   error
}

func newEdited(text io.Reader, next func() (edit, bool, error)) *edited {
	r := &edited{from: bufio.NewReaderSize(text, 64<<10), next: next}
	r.edit, r.any, r.err = next()
	return r
}

func (r *edited) Read(p []byte) (int, error) {
	for {
		switch {
		case len(p) == 0:
			return 0, nil
		case len(r.ahead) > 0:
			n := copy(p, r.ahead)
			r.ahead = r.ahead[n:]
			return n, nil
		case r.err != nil:
			return 0, r.err
		case !r.any || r.at < r.edit.from:
			if r.any {
				p = p[:min(int64(len(p)), r.edit.from-r.at)]
			}
			n, err := r.from.Read(p)
			r.at += int64(n)
			return n, err
		}
		skipped, err := io.CopyN(io.Discard, r.from, r.edit.to-r.at)
		r.at += skipped
		if err != nil {
			r.err = unexpected(err)
			continue
		}
		r.ahead = r.edit.with
		r.edit, r.any, r.err = r.next()
	}
}
