package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
)

// SamplesListed is how many notices of each code are at the head of a [List].
const SamplesListed = 100

// NoticesMax is how many bytes a [List] may have where nothing else is asked for.
const NoticesMax = 1 << 30

// List is the full list of a document's notices: JSON lines, in gzip, each notice once. The first
// SamplesListed of each code make the head, which is the first member of the gzip stream. A reader
// that wants samples stops there ([ReadHead]). The others follow in document order. Where they grow
// past the maximum, limit/notices is the last row.
//
// The head is known only at the end, so what follows it waits in a temporary file,
// compressed. It belongs to one goroutine.
type List struct {
	temp  string
	max   int64
	head  []fault.Notice
	seen  map[fault.Code]int
	rest  *os.File // nil while all notices fit the head
	count countingWriter
	gzip  *gzip.Writer
	json  *json.Encoder
	full  bool
	err   error
}

// NewList returns an empty list. Its temporary files are in the folder temp, "" for the system's.
// It may have max compressed bytes after its head, a block of the compressor more or less; 0
// means NoticesMax.
func NewList(temp string, max int64) *List {
	if max == 0 {
		max = NoticesMax
	}
	return &List{temp: temp, max: max, seen: map[fault.Code]int{}}
}

// Notice takes a finding. It never fails: WriteTo returns the error.
func (l *List) Notice(n fault.Notice) {
	if l.seen[n.Code] < SamplesListed {
		l.seen[n.Code]++
		l.head = append(l.head, n)
		return
	}
	if l.full || l.err != nil {
		return
	}
	if l.rest == nil && !l.open() {
		return
	}
	if l.count.n > l.max {
		l.full = true
		n = fault.Notice{Code: fault.LimitNotices, Severity: fault.Warning, Pos: n.Pos,
			Message: fmt.Sprintf("the list ends here, since it is longer than %d bytes; the counts go on", l.max)}
	}
	l.fail(l.json.Encode(n))
}

func (l *List) open() bool {
	file, err := os.CreateTemp(l.temp, "notices-*.jsonl.gz")
	if err != nil {
		l.fail(err)
		return false
	}
	l.rest, l.count.to = file, file
	l.gzip = gzip.NewWriter(&l.count)
	l.json = json.NewEncoder(l.gzip)
	l.json.SetEscapeHTML(false)
	return true
}

func (l *List) fail(err error) {
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("write the list of notices: %w", err)
	}
}

// headWriter writes a head. The compressor writes its own head, its blocks and its end one by one, which are put
// together for the file.
type headWriter struct {
	out  *bufio.Writer
	gzip *gzip.Writer
}

// headWriters are used again: they are large, and most lists small.
var headWriters = sync.Pool{New: func() any { return &headWriter{bufio.NewWriter(nil), gzip.NewWriter(nil)} }}

// WriteTo writes the list. It is called once, when all notices were given, and
// returns the first error that there was since the beginning.
func (l *List) WriteTo(w io.Writer) (int64, error) {
	out := countingWriter{to: w}
	if l.err != nil {
		return 0, l.err
	}
	head := headWriters.Get().(*headWriter)
	defer func() {
		head.out.Reset(nil)
		headWriters.Put(head)
	}()
	head.out.Reset(&out)
	head.gzip.Reset(head.out)
	encoder := json.NewEncoder(head.gzip)
	encoder.SetEscapeHTML(false)
	for i := range l.head {
		l.fail(encoder.Encode(l.head[i]))
	}
	l.fail(head.gzip.Close())
	l.fail(head.out.Flush())
	if l.rest != nil {
		l.fail(l.gzip.Close())
		_, err := l.rest.Seek(0, io.SeekStart)
		l.fail(err)
		if l.err == nil {
			_, err = io.Copy(&out, l.rest)
			l.fail(err)
		}
	}
	return out.n, l.err
}

// Close removes the temporary file. It is called in any case.
func (l *List) Close() error {
	if l.rest == nil {
		return nil
	}
	err := errors.Join(l.rest.Close(), os.Remove(l.rest.Name()))
	l.rest = nil
	return err
}

// ReadHead calls each for every notice at the head of a list.
func ReadHead(r io.Reader, each func(fault.Notice) error) error { return readList(r, false, each) }

// ReadList calls each for every notice of a list.
func ReadList(r io.Reader, each func(fault.Notice) error) error { return readList(r, true, each) }

func readList(r io.Reader, all bool, each func(fault.Notice) error) error {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return fmt.Errorf("read the list of notices: %w", err)
	}
	defer unzipped.Close()
	unzipped.Multistream(all)
	decoder := json.NewDecoder(unzipped)
	for {
		var n fault.Notice
		switch err := decoder.Decode(&n); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read the list of notices: %w", err)
		}
		if err := each(n); err != nil {
			return err
		}
	}
}

// countingWriter counts the bytes that pass it.
type countingWriter struct {
	to io.Writer
	n  int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}
