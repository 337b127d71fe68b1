package archive

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// SpooledSource is a Source that was made from a stream. Close removes it.
type SpooledSource interface {
	Source
	io.Closer
}

// Spool reads r to its end and holds what came: up to inMemory bytes in memory, more in a
// file. The file is in the folder temp ("" is the system's). Where the system allows that,
// it has no name any more. Then nothing is left even after a crash. An error of r is
// returned as it is, wrapped, and nothing is kept.
func Spool(ctx context.Context, r io.Reader, temp string, inMemory int64) (SpooledSource, error) {
	var memory bytes.Buffer
	in := &heeding{ctx, r}
	if _, err := io.Copy(&memory, io.LimitReader(in, max(inMemory, 0))); err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	var next [1]byte
	n, err := io.ReadFull(in, next[:])
	if n == 0 {
		if err != io.EOF {
			return nil, fmt.Errorf("spool: %w", err)
		}
		return inMemorySource{bytes.NewReader(memory.Bytes())}, nil
	}
	file, err := os.CreateTemp(temp, "laundromat-spool-*")
	if err != nil {
		return nil, fmt.Errorf("spool: %w", err)
	}
	spooled := &fileSource{File: file}
	if os.Remove(file.Name()) != nil {
		spooled.name = file.Name() // Windows removes no file that is open
	}
	spooled.size, err = io.Copy(file, io.MultiReader(&memory, bytes.NewReader(next[:]), in))
	if err != nil {
		spooled.Close()
		return nil, fmt.Errorf("spool: %w", err)
	}
	return spooled, nil
}

type inMemorySource struct{ *bytes.Reader }

func (inMemorySource) Close() error { return nil }

type fileSource struct {
	*os.File
	size int64
	name string // to be removed at Close; "" if that is done
}

func (f *fileSource) Size() int64 { return f.size }

func (f *fileSource) Close() error {
	err := f.File.Close()
	if f.name != "" {
		if e := os.Remove(f.name); err == nil {
			err = e
		}
	}
	return err
}

// heeding is a reader that ends when its context does.
type heeding struct {
	ctx context.Context
	r   io.Reader
}

func (h *heeding) Read(p []byte) (int, error) {
	if err := h.ctx.Err(); err != nil {
		return 0, err
	}
	return h.r.Read(p)
}
