package lzma

import (
	"bufio"
	"errors"
	"io"
)

// UnknownSize is the size of data that ends with a mark.
const UnknownSize = 1<<64 - 1

// Reader unpacks one stream of LZMA. It takes no byte from its input that is not of the
// stream, if the buffer of that has room for 64 bytes.
type Reader struct {
	decoder
	src     *bufio.Reader
	left    uint64 // bytes that are still to come; UnknownSize if the mark alone says
	out     int    // in the window: from here on to pos is what is to be handed out
	err     error
	started bool
	tail    [2 * most]byte // the last bytes of the input, and zero bytes
	real    int            // how many of in are of the input
}

// NewReader unpacks what in holds. The size of the window is that of the header, and memory is how
// much the window may take, in bytes.
func NewReader(in *bufio.Reader, p Properties, window, size uint64, memory int) *Reader {
	z := &Reader{src: in, left: size}
	z.begin(window, memory, 0)
	z.reset(p)
	return z
}

// Read ends with io.EOF at the end of the stream, io.ErrUnexpectedEOF where the input ends
// before it, ErrCorrupt, ErrMemory, or an error of the input. What was unpacked before
// that comes first.
func (z *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for z.out == z.pos {
		if z.err != nil {
			return 0, z.err
		}
		z.room()
		z.out = z.pos
		z.err = z.fill()
	}
	n := copy(p, z.buf[z.out:z.pos])
	z.out += n
	return n, nil
}

// Ended is why nothing more comes; nil if more may come.
func (z *Reader) Ended() error { return z.err }

// fill unpacks as much as there is input at hand for, and room in the window.
func (z *Reader) fill() error {
	if !z.started {
		if err := z.start(); err != nil {
			return err
		}
	}
	if err := z.look(); err != nil {
		return err
	}
	err := z.symbols()
	z.src.Discard(min(z.at, z.real))
	return err
}

// start reads what the range coder begins with.
func (z *Reader) start() error {
	var head [5]byte
	if _, err := io.ReadFull(z.src, head[:]); err != nil {
		return cutShort(err)
	}
	if head[0] != 0 {
		return ErrCorrupt
	}
	z.rng = 1<<32 - 1
	for _, b := range head[1:] {
		z.code = z.code<<8 | uint32(b)
	}
	z.started = true
	return nil
}

// look has the input at hand, without taking it. At its end zero bytes are put behind it.
func (z *Reader) look() error {
	z.at = 0
	in, err := z.src.Peek(max(z.src.Buffered(), most))
	if len(in) >= most {
		z.in, z.real = in, len(in)
		return nil
	}
	if err != nil && err != io.EOF {
		return err
	}
	clear(z.tail[:])
	z.real = copy(z.tail[:], in)
	z.in = z.tail[:]
	return nil
}

// symbols unpacks until the window is to be emptied or the input is at its end.
func (z *Reader) symbols() error {
	for z.pos < len(z.buf) {
		if z.length > 0 {
			before := z.all
			z.copyMatch(int(min(z.left, 1<<30)))
			z.count(z.all - before)
			if z.left == 0 {
				z.length = 0
			}
			continue
		}
		if z.left == 0 {
			return z.finish()
		}
		if z.at+most > len(z.in) || z.at > z.real {
			break
		}
		before := z.all
		err := z.symbol()
		if z.at > z.real { // it was made of what is not there
			z.pos -= int(z.all - before)
			z.length = 0
			return io.ErrUnexpectedEOF
		}
		z.count(z.all - before)
		switch {
		case errors.Is(err, errMark):
			if z.normalise(); z.at > z.real {
				return io.ErrUnexpectedEOF
			}
			if z.left != UnknownSize {
				return io.ErrUnexpectedEOF
			}
			return io.EOF
		case err != nil:
			z.length = 0
			return err
		}
	}
	return nil
}

func (z *Reader) count(n int64) {
	if z.left != UnknownSize {
		z.left -= uint64(n)
	}
}

// finish ends data whose size is known. There may be a mark behind it all the same.
func (z *Reader) finish() error {
	if z.normalise(); z.at > z.real {
		return io.ErrUnexpectedEOF
	}
	if z.code == 0 {
		return io.EOF
	}
	pos, all := z.pos, z.all
	err := z.symbol()
	z.pos, z.all, z.length = pos, all, 0
	switch {
	case z.at > z.real:
		return io.ErrUnexpectedEOF
	case !errors.Is(err, errMark):
		return ErrCorrupt
	}
	if z.normalise(); z.at > z.real {
		return io.ErrUnexpectedEOF
	}
	return io.EOF
}

func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
