package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"

	"github.com/pierrec/lz4/v4"
)

// lz4Frames reads the frames of an lz4 file (LZ4 Frame Format 1.6.3), those of the old
// form too. Blocks that do not depend on each other are lost one by one.
type lz4Frames struct {
	packed, block []byte // of blocks, kept from frame to frame
}

const (
	lz4Mark       = "\x04\x22\x4D\x18"
	lz4OldMark    = "\x02\x21\x4C\x18"
	lz4OldBlock   = 8 << 20
	lz4Window     = 64 << 10
	lz4Stored     = 1 << 31
	lz4Dependent  = 1 << 5 // bits of the descriptor, this one inverted
	lz4BlockSum   = 1 << 4
	lz4HasSize    = 1 << 3
	lz4ContentSum = 1 << 2
	lz4Dictionary = 1 << 0
)

var (
	errLz4     = errors.New("archive: not an lz4 frame")
	errLz4Dict = errors.New("archive: an lz4 frame that needs a dictionary")
)

func (*lz4Frames) fresh() memberKind { return &lz4Frames{} }

func (*lz4Frames) is(head []byte) bool { return isLz4(head) || isSkippable(head) }

func (z *lz4Frames) found(head []byte) bool { return z.is(head) }

func (z *lz4Frames) open(in *bufio.Reader) (io.Reader, error) {
	head, err := in.Peek(7)
	switch {
	case len(head) >= 4 && string(head[:4]) == lz4OldMark:
		in.Discard(4)
		f := &lz4Frame{in: in, kept: z, old: true, most: lz4OldBlock, independent: true}
		return &blocks{next: f.summed}, nil
	case len(head) < 7:
		return nil, cutShort(err)
	case isSkippableMark(head):
		return nil, skipFrame(in)
	case string(head[:4]) != lz4Mark || head[4]>>6 != 1 || head[5]&0x8F != 0 || head[5]>>4 < 4:
		return nil, errLz4
	}
	flags := head[4]
	f := &lz4Frame{in: in, kept: z, most: 1 << (8 + 2*(head[5]>>4)), independent: flags&lz4Dependent != 0,
		blockSum: flags&lz4BlockSum != 0, contentSum: flags&lz4ContentSum != 0}
	length := 2
	if flags&lz4HasSize != 0 {
		length += 8
	}
	if flags&lz4Dictionary != 0 {
		length += 4
	}
	head, err = in.Peek(4 + length + 1)
	if len(head) < 4+length+1 {
		return nil, cutShort(err)
	}
	var sum xxh32
	sum.Write(head[4 : 4+length])
	if byte(sum.Sum()>>8) != head[4+length] {
		return nil, errLz4
	}
	in.Discard(len(head))
	if flags&lz4Dictionary != 0 {
		return nil, errLz4Dict
	}
	return &blocks{next: f.summed}, nil
}

// cutShort makes the end of an input the end of something that is not whole.
func cutShort(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

type lz4Frame struct {
	in                   *bufio.Reader
	kept                 *lz4Frames
	old                  bool
	most                 int // bytes of a block
	independent          bool
	blockSum, contentSum bool
	sum                  xxh32
	window               []byte // what came before, for blocks that depend on it
	lost                 bool   // some of the frame is missing, so that its checksum says nothing
}

// summed decodes a block, which the checksum of the frame is of, too.
func (f *lz4Frame) summed() ([]byte, error) {
	block, err := f.next()
	if !f.lost {
		f.sum.Write(block)
	}
	return block, err
}

// next decodes a block. What could be decoded of a broken one comes with the error.
func (f *lz4Frame) next() ([]byte, error) {
	head, err := f.in.Peek(4)
	if f.old && (len(head) == 0 || len(head) == 4 && (isLz4(head) || isSkippableMark(head))) {
		return nil, io.EOF
	}
	if len(head) < 4 {
		return nil, cutShort(err)
	}
	word := binary.LittleEndian.Uint32(head)
	if word == 0 && !f.old {
		f.in.Discard(4)
		return nil, f.finish()
	}
	stored := !f.old && word&lz4Stored != 0
	size := int(word &^ lz4Stored)
	most := f.most
	if f.old {
		size, most = int(word), lz4.CompressBlockBound(lz4OldBlock)
	}
	if size > most || size == 0 {
		return nil, errLz4
	}
	f.in.Discard(4)
	packed, err := readAtMost(f.in, f.kept.packed, size)
	f.kept.packed = packed
	if err != nil {
		if stored {
			return packed, cutShort(err)
		}
		block, _ := f.decode(packed)
		return block, cutShort(err)
	}
	good := true
	if f.blockSum {
		var want [4]byte
		if _, err := io.ReadFull(f.in, want[:]); err != nil {
			good = false
		} else {
			var sum xxh32
			sum.Write(packed)
			good = sum.Sum() == binary.LittleEndian.Uint32(want[:])
		}
	}
	block := packed
	if !stored {
		var whole bool
		block, whole = f.decode(packed)
		good = good && whole
	}
	if !f.independent {
		f.window = append(f.window, block...)
		if len(f.window) > 4*lz4Window {
			f.window = f.window[:copy(f.window, f.window[len(f.window)-lz4Window:])]
		}
	}
	if good {
		return block, nil
	}
	f.lost = true
	if !f.independent {
		return block, errLz4 // what follows refers to what is missing
	}
	return block, &gapped{int64(size)}
}

// decode unpacks a block; whole is false if that came to a fault.
func (f *lz4Frame) decode(packed []byte) (block []byte, whole bool) {
	if cap(f.kept.block) < f.most {
		f.kept.block = make([]byte, f.most)
	}
	window := f.window[max(len(f.window)-lz4Window, 0):]
	n, err := lz4.UncompressBlockWithDict(packed, f.kept.block[:f.most], window)
	if err == nil {
		return f.kept.block[:n], true
	}
	return lz4Prefix(packed, f.kept.block[:f.most], window), false
}

// lz4Prefix unpacks a block up to its first fault (LZ4 Block Format).
func lz4Prefix(packed, out, window []byte) []byte {
	n := 0
	length := func(nibble byte) (int, bool) {
		v := int(nibble)
		if nibble < 15 {
			return v, true
		}
		for len(packed) > 0 {
			b := packed[0]
			packed = packed[1:]
			if v += int(b); b < 255 {
				return v, true
			}
		}
		return 0, false
	}
	for len(packed) > 0 {
		token := packed[0]
		packed = packed[1:]
		literals, ok := length(token >> 4)
		if !ok {
			break
		}
		copied := copy(out[n:], packed[:min(literals, len(packed))])
		n += copied
		if packed = packed[copied:]; copied < literals || len(packed) < 2 {
			break
		}
		back := int(binary.LittleEndian.Uint16(packed))
		packed = packed[2:]
		match, ok := length(token & 15)
		if match += 4; !ok || back == 0 || back > n+len(window) || match > len(out)-n {
			break
		}
		for range match {
			if from := n - back; from >= 0 {
				out[n] = out[from]
			} else {
				out[n] = window[len(window)+from]
			}
			n++
		}
	}
	return out[:n]
}

// finish checks the whole of a frame.
func (f *lz4Frame) finish() error {
	if !f.contentSum {
		return io.EOF
	}
	var want [4]byte
	if _, err := io.ReadFull(f.in, want[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	if !f.lost && binary.LittleEndian.Uint32(want[:]) != f.sum.Sum() {
		return errWrongSum
	}
	return io.EOF
}

// readAtMost reads n bytes into buffer, which grows with what comes and not with
// what is claimed.
func readAtMost(in io.Reader, buffer []byte, n int) ([]byte, error) {
	buffer = buffer[:0]
	for len(buffer) < n {
		if len(buffer) == cap(buffer) {
			buffer = append(buffer, make([]byte, min(n-len(buffer), max(len(buffer), 64<<10)))...)[:len(buffer)]
		}
		m, err := in.Read(buffer[len(buffer):min(cap(buffer), n)])
		buffer = buffer[:len(buffer)+m]
		if err != nil && len(buffer) < n {
			return buffer, err
		}
	}
	return buffer, nil
}
