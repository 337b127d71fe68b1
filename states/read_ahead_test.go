package states

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/report"
)

// fateful is a source with an end of its own.
type fateful struct {
	io.Reader
	end    func() error
	closed bool
}

func (f *fateful) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err == io.EOF {
		err = f.end()
	}
	return n, err
}

func (f *fateful) Close() error { f.closed = true; return nil }

func testFindings() *Findings {
	return NewFindings(func() *report.Collector { return report.NewCollector("x", 5) })
}

// TestReadingAheadIsReading holds the bytes and the end of a source read ahead against
// the source, in sizes with and without the goroutine.
func TestReadingAheadIsReading(t *testing.T) {
	broken := errors.New("broken")
	for _, size := range []int{0, 1, AheadFrom - 1, AheadFrom, AheadFrom + 1, AheadFrom + AheadBytes, AheadFrom + 3*AheadBytes + 17} {
		text := make([]byte, size)
		random := rand.New(rand.NewPCG(1, uint64(size)))
		for i := range text {
			text[i] = byte(random.Uint32())
		}
		for name, end := range map[string]error{"whole": io.EOF, "broken": broken} {
			for way, slowly := range map[string]func(io.Reader) io.Reader{
				"at once": func(r io.Reader) io.Reader { return r }, "in halves": iotest.HalfReader,
				"error with data": iotest.DataErrReader,
			} {
				source := &fateful{Reader: slowly(bytes.NewReader(text)), end: func() error { return end }}
				open := readAhead(func(context.Context) (io.ReadCloser, error) { return source, nil }, testFindings())
				r, err := open(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				if want := map[error]error{io.EOF: nil, broken: broken}[end]; err != want || !bytes.Equal(got, text) {
					t.Errorf("%d bytes, %s, %s: %d bytes and %v", size, name, way, len(got), err)
				}
				if err := r.Close(); err != nil || !source.closed {
					t.Errorf("%d bytes: close: %v, source closed: %v", size, err, source.closed)
				}
			}
		}
	}
}

// TestReadingAheadEndsWhenClosed closes a source that has no end.
func TestReadingAheadEndsWhenClosed(t *testing.T) {
	source := &fateful{Reader: endless{}}
	r, err := readAhead(func(context.Context) (io.ReadCloser, error) { return source, nil }, testFindings())(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := io.CopyN(io.Discard, r, AheadFrom+AheadBytes); err != nil {
		t.Fatal(n, err)
	}
	if err := r.Close(); err != nil || !source.closed {
		t.Fatal(err, source.closed)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestPanicsOfSourcesReadAheadAreErrors lets a decoder fail on the goroutine.
func TestPanicsOfSourcesReadAheadAreErrors(t *testing.T) {
	source := &fateful{Reader: strings.NewReader(strings.Repeat("x", 2*AheadFrom)), end: func() error { panic("a horrid file") }}
	r, err := readAhead(func(context.Context) (io.ReadCloser, error) { return source, nil }, testFindings())(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	n, err := io.Copy(io.Discard, r)
	if fault.KindOf(err) != fault.Bug || !strings.Contains(err.Error(), "a horrid file") {
		t.Errorf("%v", err)
	}
	if n < AheadFrom {
		t.Errorf("%d bytes came before", n)
	}
}

// TestFindingsOfLayersReadAheadComeInTurn lets a layer find something at its end: it is
// not there before the bytes are, and it is there with the end.
func TestFindingsOfLayersReadAheadComeInTurn(t *testing.T) {
	found := testFindings()
	source := &fateful{Reader: strings.NewReader(strings.Repeat("x", AheadFrom+2*AheadBytes)), end: func() error {
		found.Layer(fault.Notice{Code: fault.ArchiveTruncated, Severity: fault.Drop, Lost: 1})
		return io.EOF
	}}
	r, err := readAhead(func(context.Context) (io.ReadCloser, error) { return source, nil }, found)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := io.CopyN(io.Discard, r, AheadFrom+10); err != nil || found.Collector.Count() != 0 {
		t.Fatalf("%v, %d found before the end", err, found.Collector.Count())
	}
	if _, err := io.Copy(io.Discard, r); err != nil || found.Collector.Count() != 1 {
		t.Fatalf("%v, %d found at the end", err, found.Collector.Count())
	}
}
