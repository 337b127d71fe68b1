package lzma

import (
	"bufio"
	"encoding/binary"
	"io"
)

// Reader2 unpacks LZMA2, which is LZMA in chunks of up to 2 MiB. What comes of a chunk is
// handed out when all of it was found sound: nothing that damage made is taken for data. Of a
// chunk that is cut short, all that came is handed out, and of a damaged one what came
// long before the fault.
type Reader2 struct {
	// KeepsDoubtful has all that came of a damaged chunk be handed out, for data whose own
	// checksum shows that.
	KeepsDoubtful bool

	decoder
	src    *bufio.Reader
	packed []byte
	given  int64 // of all: bytes that were handed out
	sound  int64 // and those that may be
	stored int   // bytes of the chunk that are still to be copied
	err    error
	needs  need
	begun  int64 // in the input: where the last chunk begins
	taken  int64 // bytes of the input that were read
}

// need is what the next chunk has to bring.
type need int

const (
	needNothing need = iota
	needProperties
	needWindow
)

const (
	maxChunk = 2 << 20 // bytes that come out of one
	// doubtful is how many bytes before a fault may be made by the damage. The worst of 120
	// trials, with 64 bytes of a dataset's archive overwritten, had 73 kB.
	doubtful = 128 << 10
)

// NewReader2 unpacks what in holds. The size of the window is that of the header, and memory is how
// much the window may take, in bytes.
func NewReader2(in *bufio.Reader, window uint64, memory int) *Reader2 {
	z := &Reader2{}
	z.Reset(in, window, memory)
	return z
}

// Reset begins another stream, in the memory of the one before.
func (z *Reader2) Reset(in *bufio.Reader, window uint64, memory int) {
	z.src, z.needs = in, needWindow
	z.begin(window, memory, maxChunk)
	z.given, z.sound, z.stored, z.err, z.begun, z.taken = 0, 0, 0, nil, 0, 0
}

// Chunk is where in the input the chunk begins that was read last: after an error, the one
// that it lies in.
func (z *Reader2) Chunk() int64 { return z.begun }

// Taken is how many bytes of the input were read.
func (z *Reader2) Taken() int64 { return z.taken }

// Read ends with io.EOF at the mark of the end, which it takes. Where the input ends before
// that, it is io.ErrUnexpectedEOF. Else it is ErrCorrupt, ErrMemory, or an error of the input.
func (z *Reader2) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for z.given == z.sound {
		if z.err != nil {
			return 0, z.err
		}
		z.err = z.next()
	}
	from := z.pos - int(z.all-z.given)
	if from < 0 {
		from += len(z.buf)
	}
	n := copy(p, z.buf[from:min(len(z.buf), from+int(z.sound-z.given))])
	z.given += int64(n)
	return n, nil
}

// next unpacks the next chunk, or a part of one that is stored.
func (z *Reader2) next() error {
	if z.stored == 0 {
		packed, unpacked, err := z.header()
		if err != nil {
			return err
		}
		if packed > 0 {
			return z.unpack(packed, unpacked)
		}
		z.stored = unpacked
	}
	n := min(z.room(), z.stored)
	n, err := z.src.Read(z.buf[z.pos : z.pos+n])
	z.pos += n
	z.all += int64(n)
	z.stored -= n
	z.taken += int64(n)
	z.sound = z.all
	return cutShort(err)
}

// header reads the header of a chunk, and does what it says; packed is 0 for a chunk that is
// stored.
func (z *Reader2) header() (packed, unpacked int, err error) {
	z.begun = z.taken
	var h [6]byte
	take := func(from, to int) error {
		n, err := io.ReadFull(z.src, h[from:to])
		z.taken += int64(n)
		return cutShort(err)
	}
	if err := take(0, 1); err != nil {
		return 0, 0, err
	}
	control := h[0]
	switch {
	case control == 0:
		return 0, 0, io.EOF
	case control == 1 || control >= 0xE0:
		z.needs = needProperties
		z.empty()
		z.given, z.sound = 0, 0
	case z.needs == needWindow || control > 2 && control < 0x80:
		return 0, 0, ErrCorrupt
	}
	if control < 0x80 {
		err := take(1, 3)
		return 0, int(binary.BigEndian.Uint16(h[1:])) + 1, err
	}
	length := 5
	if control >= 0xC0 {
		length++
	}
	if err := take(1, length); err != nil {
		return 0, 0, err
	}
	switch {
	case control >= 0xC0:
		p, err := PropertiesOf(h[5])
		if err != nil || p.LC+p.LP > 4 {
			return 0, 0, ErrCorrupt
		}
		z.reset(p)
		z.needs = needNothing
	case z.needs == needProperties:
		return 0, 0, ErrCorrupt
	case control >= 0xA0:
		z.forget()
	}
	return int(binary.BigEndian.Uint16(h[3:])) + 1, int(control&0x1F)<<16 + int(binary.BigEndian.Uint16(h[1:])) + 1, nil
}

// unpack unpacks a chunk.
func (z *Reader2) unpack(packed, unpacked int) error {
	if cap(z.packed) < packed+most {
		z.packed = make([]byte, packed+most, 1<<16+most)
	}
	z.in = z.packed[:packed+most]
	n, err := io.ReadFull(z.src, z.in[:packed])
	z.taken += int64(n)
	if err = cutShort(err); err != nil && err != io.ErrUnexpectedEOF {
		return err
	}
	clear(z.in[n:])
	if err == nil {
		err = z.symbols(n, unpacked)
		switch err {
		case nil:
			err = z.ended(n)
		case io.ErrUnexpectedEOF: // more bytes than the chunk has
			err = ErrCorrupt
		}
	} else if fault := z.symbols(n, unpacked); fault != nil && fault != io.ErrUnexpectedEOF {
		err = fault
	}
	z.sound = max(z.sound, z.all)
	if err == ErrCorrupt && !z.KeepsDoubtful {
		z.sound = max(z.given, z.all-doubtful)
	}
	return err
}

// symbols unpacks so many bytes of so many packed ones.
func (z *Reader2) symbols(packed, unpacked int) error {
	if packed < 5 {
		return io.ErrUnexpectedEOF
	}
	if z.in[0] != 0 {
		return ErrCorrupt
	}
	z.rng, z.code, z.at, z.length = 1<<32-1, binary.BigEndian.Uint32(z.in[1:]), 5, 0
	end := z.all + int64(unpacked)
	for z.all < end {
		z.room()
		if z.length == 0 {
			before := z.all
			err := z.symbol()
			if z.at > packed {
				z.pos -= int(z.all - before)
				z.all, z.length = before, 0
				return io.ErrUnexpectedEOF
			}
			if err == errMark {
				err = ErrCorrupt
			}
			if err != nil {
				z.length = 0
				return err
			}
		}
		z.copyMatch(int(end - z.all))
	}
	return nil
}

// ended says whether the range coder ended with the chunk.
func (z *Reader2) ended(packed int) error {
	if z.length > 0 {
		return ErrCorrupt
	}
	if z.normalise(); z.at != packed || z.code != 0 {
		return ErrCorrupt
	}
	return nil
}

// Window2 is the size of the window that a byte in the header of an xz or a 7z stands for, up
// to 40.
func Window2(code byte) uint64 {
	if code == 40 {
		return 1<<32 - 1
	}
	return uint64(2|code&1) << (code/2 + 11)
}
