package outfile

import (
	"bufio"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/files"
)

// Lines takes the lines of an output, without their ends.
type Lines interface {
	// Line adds a line, which is valid until Line returns.
	Line([]byte) error
	// Close completes the output.
	Close() error
	// Abort removes it, unless it was closed.
	Abort()
}

// Options say how lines are written.
type Options struct {
	Level   int // of compression, 1 (fast) to 9 (small)
	Workers int // that compress at once
	// Encode makes what writes lines in another syntax. With nil they are written as they are.
	Encode func(io.Writer) Encoder
}

// Create writes lines to a file, which appears under its name only when it is
// complete. A device or pipe is written in place.
func (o Options) Create(name string) (Lines, error) { return o.createAs(name, name) }

// createAs writes lines to a file that errors call by another name.
func (o Options) createAs(name, called string) (Lines, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		device, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return o.lines(device, device, nil), nil
	}
	file, err := Create(name)
	if err != nil {
		return nil, err
	}
	file.called = called
	switch {
	case strings.HasSuffix(name, ".gz") && o.Encode == nil:
		return o.zipped(file), nil
	case strings.HasSuffix(name, ".gz"):
		zipped, err := gzip.NewWriterLevel(file, o.Level)
		if err != nil {
			file.Abort()
			return nil, err
		}
		return o.lines(zipped, both{zipped, file}, file.Abort), nil
	case strings.HasSuffix(name, ".zst"):
		packed, err := o.zstandard(file)
		if err != nil {
			file.Abort()
			return nil, err
		}
		return o.lines(packed, both{packed, file}, file.Abort), nil
	}
	return o.lines(file, file, file.Abort), nil
}

// zipped writes lines to a file in gzip.
func (o Options) zipped(file *File) Lines {
	options := files.CleanOptions{Level: o.Level, Workers: o.Workers, Unmeasured: true}
	return &gzipLines{CleanWriter: files.NewCleanWriter(file, options), file: file}
}

// lineBuffer is how much is collected before it is written, in bytes.
const lineBuffer = 256 << 10

// Stream writes lines to w as they are. It closes nothing.
func Stream(w io.Writer) Lines { return Options{}.Stream(w) }

// Stream writes lines to w, and closes nothing.
func (o Options) Stream(w io.Writer) Lines { return o.lines(w, nil, nil) }

// lines writes lines to w. At the end closer is closed, or abort is called; both may be nil.
func (o Options) lines(w io.Writer, closer io.Closer, abort func()) Lines {
	if o.Encode != nil {
		return &encodedLines{Encoder: o.Encode(w), closer: closer, abort: abort}
	}
	return &plainLines{w: bufio.NewWriterSize(w, lineBuffer), closer: closer, abort: abort}
}

type plainLines struct {
	w      *bufio.Writer
	closer io.Closer
	abort  func()
}

func (p *plainLines) Line(line []byte) error {
	if _, err := p.w.Write(line); err != nil {
		return err
	}
	return p.w.WriteByte('\n')
}

// Text takes many lines at once, with their ends.
func (p *plainLines) Text(text []byte) error {
	_, err := p.w.Write(text)
	return err
}

// Lines takes many lines at once, with their ends. What is written calls release when it has them.
func (p *plainLines) Lines(text []byte, _, _ []int, release func()) error {
	defer release()
	return p.Text(text)
}

func (p *plainLines) Close() error {
	err := p.w.Flush()
	if p.closer == nil {
		return err
	}
	if err != nil {
		p.Abort()
		return err
	}
	return p.closer.Close()
}

func (p *plainLines) Abort() {
	if p.abort != nil {
		p.abort()
	}
}

type gzipLines struct {
	*files.CleanWriter
	file *File
}

func (g *gzipLines) Close() error {
	if err := g.CleanWriter.Close(); err != nil {
		g.file.Abort()
		return err
	}
	return g.file.Close()
}

func (g *gzipLines) Abort() {
	if !g.file.done {
		g.CleanWriter.Close()
		g.file.Abort()
	}
}

// Nowhere takes lines and keeps none.
type Nowhere struct{}

// Line drops the line, without an error.
func (Nowhere) Line([]byte) error { return nil }

// Close has nothing to complete, and returns no error.
func (Nowhere) Close() error { return nil }

// Abort has nothing to remove, and does nothing.
func (Nowhere) Abort() {}
