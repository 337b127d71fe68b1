package linesort

import (
	"bytes"
	"sync"
	"sync/atomic"
)

// intake takes lines from the goroutine that adds them to one that puts them into their
// buckets, batch after batch. So whoever makes the lines need not wait for that.
type intake struct {
	room    int // bytes of lines in a batch
	cur     *batch
	full    chan *batch // nil while there is no goroutine
	free    chan *batch
	pending sync.WaitGroup // batches that are not yet put
	ended   chan struct{}
	err     atomic.Pointer[error] // the first; later lines are thrown away
}

// batch is lines one after the other, in parts.
type batch struct {
	text  []byte
	parts []part
}

// part is a line without its end, or whole lines with theirs.
type part struct {
	end      int // in the text
	document int
	lines    bool
}

// Each batch that has to be waited for costs the waking of a goroutine, which takes a
// processor some 50 microseconds. Batches are so large that this does not matter.
const (
	intakeMost    = 256 << 10 // bytes of lines in a batch
	intakeLeast   = 64 << 10
	intakeLine    = 128 // bytes of a line that are counted with; a batch of shorter lines grows
	intakeBatches = 4
	intakeFrom    = 1 << 20 // bytes of lines that are not worth a goroutine
)

// intakeRoom is the bytes of lines in a batch where all batches may take so much memory;
// 0 if that is too little.
func intakeRoom(memory int64) int {
	room := int(memory / intakeBatches * intakeLine / (intakeLine + 24)) // a part takes 24
	if room < intakeLeast {
		return 0
	}
	return min(room, intakeMost)
}

// start begins the goroutine, which passes each line to put, with whether a key is known to
// have no place in it.
func (in *intake) start(put func(document int, line []byte, keyless bool) error) {
	in.full, in.free, in.ended = make(chan *batch, intakeBatches), make(chan *batch, intakeBatches), make(chan struct{})
	for range intakeBatches {
		in.free <- &batch{text: make([]byte, 0, in.room), parts: make([]part, 0, in.room/intakeLine)}
	}
	in.cur = <-in.free
	go func(full <-chan *batch, free chan<- *batch) {
		defer close(in.ended)
		for b := range full {
			if in.err.Load() == nil {
				in.put(b, put)
			}
			b.text, b.parts = b.text[:0], b.parts[:0]
			free <- b
			in.pending.Done()
		}
	}(in.full, in.free)
}

func (in *intake) put(b *batch, put func(document int, line []byte, keyless bool) error) {
	from := 0
	keyless := bytes.IndexByte(b.text, keyMark) < 0 // a batch at once, since most have none
	for _, p := range b.parts {
		if !p.lines {
			if err := put(p.document, b.text[from:p.end:p.end], keyless); err != nil {
				in.fail(err)
				return
			}
		}
		for p.lines && from < p.end {
			end := from + bytes.IndexByte(b.text[from:p.end], '\n')
			if err := put(p.document, b.text[from:end:end], keyless); err != nil {
				in.fail(err)
				return
			}
			from = end + 1
		}
		from = p.end
	}
}

// fail keeps the error of the goroutine. Not inlined: err would be a new variable on
// the heap for each line.
//
//go:noinline
func (in *intake) fail(err error) { in.err.Store(&err) }

// add takes a line that fits; it waits while all batches are full.
func (in *intake) add(document int, line []byte) {
	if len(in.cur.text)+len(line) > in.room {
		in.send()
	}
	in.cur.text = append(in.cur.text, line...)
	in.cur.parts = append(in.cur.parts, part{len(in.cur.text), document, false})
}

// addLines takes as many of the lines, each of which has its end, as a batch has room for,
// and returns their length. It returns 0 if the first is longer than a batch.
func (in *intake) addLines(document int, text []byte) int {
	n := wholeLines(text, in.room-len(in.cur.text))
	if n == 0 && len(in.cur.parts) > 0 {
		in.send()
		n = wholeLines(text, in.room)
	}
	if n > 0 {
		in.cur.text = append(in.cur.text, text[:n]...)
		in.cur.parts = append(in.cur.parts, part{len(in.cur.text), document, true})
	}
	return n
}

// wholeLines is the length of the lines that fit in so many bytes.
func wholeLines(text []byte, room int) int {
	if len(text) <= room {
		return len(text)
	}
	return bytes.LastIndexByte(text[:room], '\n') + 1
}

// fits says that a line is no longer than a batch.
func (in *intake) fits(line []byte) bool { return len(line) <= in.room }

func (in *intake) send() {
	in.pending.Add(1)
	in.full <- in.cur // has room for all
	in.cur = <-in.free
}

// settle waits until all lines are put.
func (in *intake) settle() {
	if in.full == nil {
		return
	}
	if len(in.cur.parts) > 0 {
		in.send()
	}
	in.pending.Wait()
}

// failed returns the first error of the goroutine.
func (in *intake) failed() error {
	if err := in.err.Load(); err != nil {
		return *err
	}
	return nil
}

// close ends the goroutine.
func (in *intake) close() {
	if in.full != nil {
		close(in.full)
		<-in.ended
		in.full, in.cur = nil, nil
	}
}
