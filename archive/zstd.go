package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"laundromat/internal/lzma"
)

// zstdFrames reads the frames of a zstd file (RFC 8878 §3.1).
type zstdFrames struct {
	decoder *zstd.Decoder
	memory  int // for a window
}

const (
	zstdMark  = "\x28\xB5\x2F\xFD"
	zstdBlock = 128 << 10 // the longest block that the format allows, in bytes
)

var errZstd = errors.New("archive: not a zstd frame")

func (z *zstdFrames) fresh() memberKind { return &zstdFrames{memory: z.memory} }

func (*zstdFrames) is(head []byte) bool {
	return len(head) >= 8 && string(head[:4]) == zstdMark || isSkippable(head)
}

func (z *zstdFrames) found(head []byte) bool { return z.is(head) }

func (z *zstdFrames) open(in *bufio.Reader) (io.Reader, error) {
	if head, _ := in.Peek(8); isSkippable(head) {
		return nil, skipFrame(in)
	}
	frame := &zstdFrame{in: in, memory: z.memory}
	var err error
	if err = frame.begin(); err != nil {
		return nil, err
	}
	if z.decoder == nil {
		z.decoder, err = zstd.NewReader(frame, zstdOptions...)
	} else {
		err = z.decoder.Reset(frame)
	}
	if err != nil {
		return nil, err
	}
	return zstdMember{z.decoder, frame}, nil
}

// skipFrame skips a frame without data.
func skipFrame(in *bufio.Reader) error {
	var head [8]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	n := int64(binary.LittleEndian.Uint32(head[4:]))
	if skipped, _ := io.CopyN(io.Discard, in, n); skipped < n {
		return io.ErrUnexpectedEOF
	}
	return nil
}

type zstdMember struct {
	decoder *zstd.Decoder
	frame   *zstdFrame
}

func (m zstdMember) Read(p []byte) (int, error) {
	n, err := m.decoder.Read(p)
	switch {
	case err == nil:
	case errors.Is(err, zstd.ErrCRCMismatch) && m.frame.stage == zstdDone:
		err = errWrongSum // the checksum is the last of a frame
	case err != io.EOF && m.frame.err != nil:
		err = m.frame.err
	case err != io.EOF && m.frame.isNarrowed:
		err = lzma.ErrMemory // most likely it refers to what lies further back
	}
	return n, err
}

// zstdFrame hands on the bytes of one frame and no more, which the lengths in it give.
type zstdFrame struct {
	in     *bufio.Reader
	stage  zstdStage
	ready  []byte // the header that is to be handed on
	header [18]byte
	body   int64 // bytes of the block that are still to come
	last   bool
	sum    bool
	err    error

	memory     int  // that the window may take
	isNarrowed bool // the header asks for more
}

type zstdStage int

const (
	zstdBlocks zstdStage = iota
	zstdSum
	zstdDone
)

func (f *zstdFrame) Read(p []byte) (int, error) {
	for f.err == nil {
		switch {
		case len(f.ready) > 0:
			n := copy(p, f.ready)
			f.ready = f.ready[n:]
			return n, nil
		case f.body > 0:
			n, err := f.in.Read(p[:min(int64(len(p)), f.body)])
			if f.body -= int64(n); err == io.EOF {
				f.err = io.ErrUnexpectedEOF
			} else {
				f.err = err
			}
			if n > 0 {
				return n, nil
			}
		default:
			f.err = f.advance()
		}
	}
	return 0, f.err
}

// begin reads the header of the frame (§3.1.1.1). A window that is larger than it may be is
// narrowed: most data does not refer so far back.
func (f *zstdFrame) begin() error {
	if err := f.take(5); err != nil {
		return err
	}
	if string(f.ready[:4]) != zstdMark {
		return errZstd
	}
	descriptor := f.ready[4]
	f.sum = descriptor&4 != 0
	isSingle := descriptor&0x20 != 0
	dictionary, size := [4]int{0, 1, 2, 4}[descriptor&3], [4]int{0, 2, 4, 8}[descriptor>>6]
	if isSingle && size == 0 {
		size = 1
	}
	at := 5 // of the dictionary's number
	if !isSingle {
		at++
	}
	if err := f.more(at - 5 + dictionary + size); err != nil {
		return err
	}
	var number [8]byte
	copy(number[:], f.ready[at:at+dictionary])
	if id := binary.LittleEndian.Uint64(number[:]); id != 0 {
		return f.pass(id)
	}
	if !isSingle {
		f.narrow(zstdWindow(f.ready[5]))
		return nil
	}
	clear(number[:])
	copy(number[:], f.ready[at+dictionary:])
	if size >= 4 && binary.LittleEndian.Uint64(number[:]) > uint64(f.memory) { // the window is the size
		f.header[4] &^= 0x20
		copy(f.header[6:], f.header[5:len(f.ready)])
		f.ready = f.header[:len(f.ready)+1]
		f.narrow(binary.LittleEndian.Uint64(number[:]))
	}
	return nil
}

// zstdWindow reads the size of a window.
func zstdWindow(b byte) uint64 { return (8 + uint64(b&7)) << (10 + b>>3) >> 3 }

// narrow writes another window into the header, if that is larger than it may be.
func (f *zstdFrame) narrow(window uint64) {
	if window <= uint64(f.memory) {
		return
	}
	f.isNarrowed = true
	f.ready[5] = 0
	for f.ready[5] < 31<<3 && zstdWindow(f.ready[5]+1) <= uint64(f.memory) {
		f.ready[5]++
	}
}

// pass skips a frame that needs a dictionary, of which nobody but its packer knows more than
// the number.
func (f *zstdFrame) pass(dictionary uint64) error {
	f.ready = nil
	n, err := io.Copy(io.Discard, f)
	if err != nil {
		return err
	}
	return &passed{bytes: n, why: fmt.Sprintf("; the frame needs the dictionary of number %d, which is not in it", dictionary)}
}

// advance reads the next header.
func (f *zstdFrame) advance() error {
	switch f.stage {
	case zstdBlocks:
		if f.last {
			f.stage = zstdSum
			return nil
		}
		if err := f.take(3); err != nil {
			return err
		}
		head := int64(f.ready[0]) | int64(f.ready[1])<<8 | int64(f.ready[2])<<16
		f.last = head&1 != 0
		switch kind, size := head>>1&3, head>>3; {
		case kind == 3 || size > zstdBlock:
			f.ready = nil
			return errZstd
		case kind == 1:
			f.body = 1
		default:
			f.body = size
		}
		return nil
	case zstdSum:
		f.stage = zstdDone
		if f.sum {
			return f.take(4)
		}
		return nil
	}
	return io.EOF
}

func (f *zstdFrame) take(n int) error {
	f.ready = f.header[:0]
	return f.more(n)
}

func (f *zstdFrame) more(n int) error {
	from := len(f.ready)
	if _, err := io.ReadFull(f.in, f.header[from:from+n]); err != nil {
		f.ready = nil
		return io.ErrUnexpectedEOF
	}
	f.ready = f.header[:from+n]
	return nil
}
