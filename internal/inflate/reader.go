// Package inflate decodes deflate (RFC 1951) and Deflate64, in less than half the time of the packages that
// also compress. It decodes gzip (RFC 1952) too.
//
// It takes from its input what [compress/flate] takes, to the byte, and gives the same
// bytes and the same errors, whatever the input is. So what follows the data can be
// read from the same input, and what is made of damaged data does not depend on the decoder.
// The data of a block is decoded in two ways. The quick one (quick.go) looks at eight bytes of
// input at once, while input and room for output are plenty and all is well. The careful one
// (careful.go) asks for no bit before it is needed. The quick one stops before the code at which
// any of that ends, and the careful one decodes that.
package inflate

import (
	"bufio"
	"compress/flate"
	"io"
	"sync"
)

// Reader decodes one stream of deflate. Its zero value is to be Reset.
type Reader struct {
	in    *bufio.Reader
	work  *work // nil once all is handed out
	taken int   // bytes of work.in that were used
	ahead int   // bytes that work.in has; in.Discard must still learn of those used
	total int64 // bytes that were discarded from in

	hold  uint64 // bits that were taken and are not used, the next one lowest
	nhold uint   // and how many; above them hold is 0

	step   func(*Reader) error // what comes next; nil: the end
	final  bool                // the current block is the last
	stored int                 // bytes that the stored block at work still has

	distance, length uint // of a long copy of Deflate64 that is at work

	given  int   // of work.window, how much was handed out
	filled int   // and how much was decoded
	err    error // that comes when all is handed out
}

const (
	inputSize   = 1 << 14
	historySize = 32 << 10 // as far as a distance reaches (§3.2.5); in Deflate64 twice as far
	windowSize  = 1 << 17
	// margin is for what is copied after the window's end: the last copy's end, and what the
	// quick way copies beyond the length.
	margin = 512
)

// work is what decoding needs, in one piece so that one register reaches it all.
type work struct {
	in     [inputSize + 8]byte // what comes next in the input
	tables                     // of the current block
	code   codeTable
	window [windowSize + margin]byte // history that copies reach for, and what is to be handed out
}

var works = sync.Pool{New: func() any { return new(work) }}

// Reset makes r decode what in holds from where it is.
func (r *Reader) Reset(in *bufio.Reader) {
	w := r.work
	if w == nil {
		w = works.Get().(*work)
	}
	w.is64 = false
	*r = Reader{in: in, work: w, step: (*Reader).block}
}

// Reset64 is Reset for Deflate64 (method 9 of zip). That is deflate with twice the history,
// two more distances, and a longest copy whose length is in 16 bits.
func (r *Reader) Reset64(in *bufio.Reader) {
	r.Reset(in)
	r.work.is64 = true
}

// InputOffset is how many bytes were taken from the input since r was reset. Once an error has come
// out they are those of the stream, or those up to the damage.
func (r *Reader) InputOffset() int64 { return r.total + int64(r.taken) }

// Next returns the bytes that come next, at least one, or an error. That is io.EOF after
// the end of the stream, or io.ErrUnexpectedEOF where the input ends too early. It may also
// be a flate.CorruptInputError or an error of the input. The bytes are valid until the next
// call.
func (r *Reader) Next() ([]byte, error) {
	r.given = r.filled
	if r.err == nil {
		r.fill()
	}
	if r.given < r.filled {
		return r.work.window[r.given:r.filled], nil
	}
	if r.work != nil {
		works.Put(r.work)
		r.work, r.given, r.filled = nil, 0, 0
	}
	return nil, r.err
}

// Read is that of an io.Reader.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if r.given == r.filled {
		data, err := r.Next()
		if err != nil {
			return 0, err
		}
		r.given = r.filled - len(data)
	}
	n := copy(p, r.work.window[r.given:r.filled])
	r.given += n
	return n, nil
}

// fill decodes until the window is full, or to the end.
func (r *Reader) fill() {
	if r.filled > windowSize-room {
		history := historySize
		if r.work.is64 {
			history = 2 * historySize
		}
		n := copy(r.work.window[:], r.work.window[r.filled-history:r.filled])
		r.given, r.filled = n, n
	}
	r.look()
	for r.err == nil && r.filled <= windowSize-room {
		if r.step == nil {
			r.err = io.EOF
			break
		}
		r.err = r.step(r)
	}
	r.tell()
}

// look copies what the input has at hand.
func (r *Reader) look() {
	ahead, _ := r.in.Peek(min(r.in.Buffered(), inputSize))
	r.ahead, r.taken = copy(r.work.in[:], ahead), 0
}

// tell has the input skip what was used.
func (r *Reader) tell() {
	r.in.Discard(r.taken)
	r.total += int64(r.taken)
	r.ahead, r.taken = 0, 0
}

// room is what must be left of the window for one step of the careful way: a copy.
const room = 258

// corrupt is the error that compress/flate gives here.
func (r *Reader) corrupt() error {
	return flate.CorruptInputError(r.InputOffset())
}

// more takes another byte of the input.
func (r *Reader) more() error {
	if r.taken == r.ahead {
		if err := r.readOn(); err != nil {
			return err
		}
	}
	r.hold |= uint64(r.work.in[r.taken]) << (r.nhold & 63)
	r.taken++
	r.nhold += 8
	return nil
}

// readOn gets what comes after what was used.
func (r *Reader) readOn() error {
	r.tell()
	if _, err := r.in.Peek(1); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	r.look()
	return nil
}

// need takes bytes until n bits are at hand.
func (r *Reader) need(n uint) error {
	for r.nhold < n {
		if err := r.more(); err != nil {
			return err
		}
	}
	return nil
}

// use uses up n bits, which are at hand.
func (r *Reader) use(n uint) uint {
	bits := uint(r.hold) & (1<<(n&63) - 1)
	r.hold >>= n & 63
	r.nhold -= n
	return bits
}
