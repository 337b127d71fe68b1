package archive

import (
	"bufio"
	"fmt"
	"io"

	"laundromat/internal/fault"
)

// records reads a container that is a row of headers, each with the bytes of its
// entry after it: cpio, ar, WARC. After a header that is none, the next one that
// is sound is looked for.
type records struct {
	w    *walk
	name string // of the format
	raw  *input
	in   *bufio.Reader
}

// recordBuffer holds the longest header, with a name of 64 kB in it.
const recordBuffer = 128 << 10

func (w *walk) records(name string) *records {
	raw := &input{below: w.chain.top}
	return &records{w: w, name: name, raw: raw, in: bufio.NewReaderSize(raw, recordBuffer)}
}

// place is where the reading is, in bytes of the container.
func (r *records) place() int64 { return r.raw.at - int64(r.in.Buffered()) }

// passLineEnds passes over the line ends that stand between records; false means that nothing follows.
func (r *records) passLineEnds() bool {
	for {
		b, _ := r.in.Peek(1)
		switch {
		case len(b) == 0:
			return false
		case b[0] != '\r' && b[0] != '\n':
			return true
		}
		r.in.Discard(1)
	}
}

// body hands on an entry whose bytes come next, and skips what of it was not
// read, and over padding.
func (r *records) body(e Entry, size, padding int64, c checks) error {
	body := io.LimitReader(r.in, size)
	c.size = size
	if err := r.w.entry(e, body, c); err != nil {
		return err
	}
	return r.pass(body, padding)
}

// skip skips an entry that is not handed on.
func (r *records) skip(size, padding int64) error {
	return r.pass(io.LimitReader(r.in, size), padding)
}

func (r *records) pass(body io.Reader, padding int64) error {
	io.Copy(io.Discard, body)
	io.CopyN(io.Discard, r.in, padding)
	if r.w.chain.trouble.err != nil {
		return errStop
	}
	return nil
}

// resume reports what is no header and looks for the next header. Its argument is says
// whether one begins there; the shortest header has least bytes.
func (r *records) resume(code fault.Code, least int, is func([]byte) bool) (found bool, err error) {
	w := r.w
	at := r.place()
	r.in.Discard(1)
	for !found {
		window, end := r.in.Peek(r.in.Size())
		step := len(window)
		for i := 0; i+least <= len(window); i++ {
			if is(window[i:]) {
				step, found = i, true
				break
			}
		}
		if !found && end == nil {
			step = len(window) - least + 1
		}
		r.in.Discard(step)
		if end != nil && !found {
			break
		}
	}
	if w.chain.trouble.err != nil {
		return false, errStop
	}
	w.place++
	passed := r.place() - at
	more := "to its end"
	if found {
		more = fmt.Sprintf("up to byte %d", r.place())
	}
	f := fault.Notice{Code: code, Severity: fault.Drop, Bytes: passed,
		Message: fmt.Sprintf("the %s archive %s at byte %d, before its entry %d; it is passed over %s", r.name, damageVerb(code), at,
			w.place, more)}
	if !w.chain.damaged() {
		f.Lost = 1
	}
	w.o.noted.ofEntry(w.place, f)
	return found, nil
}

// ended says whether the container ends here.
func (r *records) ended() bool {
	b, _ := r.in.Peek(1)
	return len(b) == 0
}

// trailing reports what follows the end of the container.
func (r *records) trailing(at int64) {
	w := r.w
	w.place++
	w.o.noted.ofEntry(w.place, fault.Notice{Code: fault.ArchiveTrailingBytes, Severity: fault.Warning, Bytes: r.place() - at,
		Message: fmt.Sprintf("the end of the %s archive is followed by other bytes, at byte %d; they are passed over", r.name, at)})
}
