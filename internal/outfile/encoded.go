package outfile

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Encoder writes lines in another syntax. It is used from one goroutine.
type Encoder interface {
	// Line takes a line without its end, which is valid until Line returns.
	Line(line []byte) error
	// Lines takes many lines with their ends. It also takes the indices behind each, and how many bytes it begins
	// with that the line before begins with too.
	Lines(text []byte, ends, shared []int) error
	// Close writes what is left. It does not close what is written to.
	Close() error
}

// encodedLines writes lines by an encoder.
type encodedLines struct {
	Encoder
	closer io.Closer
	abort  func()
}

// Lines takes many lines at once. Once they are written it calls release.
func (e *encodedLines) Lines(text []byte, ends, shared []int, release func()) error {
	defer release()
	return e.Encoder.Lines(text, ends, shared)
}

func (e *encodedLines) Close() error {
	if err := e.Encoder.Close(); err != nil {
		e.Abort()
		return err
	}
	if e.closer == nil {
		return nil
	}
	return e.closer.Close()
}

func (e *encodedLines) Abort() {
	if e.abort != nil {
		e.abort()
	}
}

// both closes a compressor, and then the file that it writes to. A file that is not whole leaves nothing.
type both struct {
	packed io.Closer
	file   *File
}

func (b both) Close() error {
	if err := b.packed.Close(); err != nil {
		b.file.Abort()
		return err
	}
	return b.file.Close()
}

// zstdWindow is how far back the compressor looks, in bytes: every decoder has room for so much (RFC 8878 §3.1.1.1.2).
const zstdWindow = 8 << 20

// zstandard compresses what is written to w. Levels are those of gzip, of which zstd has four.
func (o Options) zstandard(w io.Writer) (io.WriteCloser, error) {
	level := zstd.SpeedBestCompression
	switch {
	case o.Level <= 3:
		level = zstd.SpeedFastest
	case o.Level <= 6:
		level = zstd.SpeedDefault
	case o.Level <= 8:
		level = zstd.SpeedBetterCompression
	}
	packed, err := zstd.NewWriter(w, zstd.WithEncoderLevel(level), zstd.WithWindowSize(zstdWindow),
		zstd.WithEncoderConcurrency(max(1, o.Workers)))
	if err != nil {
		return nil, errors.Join(errors.New("compress with zstd"), err)
	}
	return packed, nil
}
