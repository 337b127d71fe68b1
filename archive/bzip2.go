package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"io"

	"laundromat/internal/fault"
)

// bzip2Stream reads a bzip2 file block by block. A block begins at any bit, with a
// mark of 48 bits. Each is given to the decoder as a stream of its own, so that a
// damaged one costs only itself. A mark that is in a block by chance, once in
// some 30 TB, would make a loss, which is reported.
type bzip2Stream struct {
	layer *layer
	bits  bzip2Bits
	block *bzip2Block
	out   io.Reader // of that block; nil between two
	level byte      // as the header of the stream says
	sum   uint32    // of the stream
	lost  bool      // a block of it, so that its checksum says nothing
	held  bytes.Buffer
	ready []byte // to be handed out
}

const (
	bzip2BlockMark = 0x314159265359
	bzip2EndMark   = 0x177245385090
	bzip2MarkBits  = 48
	bzip2Held      = 4 << 20 // of a block, until its checksum is known; only runs of one byte make more
	bzip2Longest   = 2 << 20 // bytes of a packed block; none is longer than its 900 kB and a little
)

func openBzip2(l *layer) (io.ReadCloser, error) {
	return io.NopCloser(&bzip2Stream{layer: l, level: '9', bits: bzip2Bits{in: l.in}}), nil
}

func (z *bzip2Stream) Read(p []byte) (int, error) {
	for len(z.ready) == 0 {
		if z.out == nil {
			block, err := z.nextBlock()
			if err != nil {
				return 0, err
			}
			z.block, z.out = block, bzip2.NewReader(bytes.NewReader(block.stream()))
		}
		z.held.Reset()
		_, err := io.CopyN(&z.held, z.out, bzip2Held)
		z.ready = z.held.Bytes()
		switch err {
		case nil:
		case io.EOF:
			z.out = nil
		default:
			z.out, z.ready = nil, nil
			if err := z.broken(err); err != nil {
				return 0, err
			}
		}
	}
	n := copy(p, z.ready)
	z.ready = z.ready[n:]
	return n, nil
}

// broken reports that what was to come of the current block is lost; nil means
// that the next is read. A wrong checksum is a loss as well: the transform after
// bzip2 mixes one wrong byte into all of the block.
func (z *bzip2Stream) broken(err error) error {
	z.lost = true
	code := fault.ArchiveCorrupt
	if err == bzip2.StructuralError("block checksum mismatch") {
		code = fault.ArchiveChecksum
	}
	if z.block.cut {
		z.layer.lose(fault.ArchiveTruncated, z.layer.place(), 0, "")
		return io.EOF
	}
	z.layer.lose(code, z.block.at, int64(len(z.block.raw)), "; the reading goes on with the next block")
	if z.layer.n > 0 {
		z.ready = []byte(gapMark)
	}
	return nil
}

// nextBlock reads up to the mark after the next block, past the ends and headers
// of streams. Its errors are the end of the file, and those of the input.
func (z *bzip2Stream) nextBlock() (*bzip2Block, error) {
	for {
		piece, err := z.bits.upToMark()
		if err != nil {
			return nil, err
		}
		switch piece.before {
		case bzip2BlockMark:
			if piece.bits() < 32 {
				break
			}
			block := &bzip2Block{level: z.level, at: piece.at, raw: piece.raw, from: piece.from, to: piece.to, cut: piece.after == 0}
			z.sum = (z.sum<<1 | z.sum>>31) ^ block.sum()
			return block, nil
		default:
			z.between(piece)
		}
		if piece.after == 0 {
			return nil, io.EOF
		}
	}
}

// between looks at what lies outside of blocks: the header of the file, or the
// checksum of a stream, and the header of the next.
func (z *bzip2Stream) between(p bzip2Piece) {
	last := p.after == 0
	from := p.from
	if p.before == bzip2EndMark {
		if p.bits() < 32 {
			z.layer.lose(fault.ArchiveTruncated, z.layer.place(), 0, "")
			return
		}
		if want := uint32(bitsAt(p.raw, from, 32)); want != z.sum && !z.lost {
			z.layer.say(fault.Notice{Code: fault.ArchiveChecksum, Severity: fault.Warning},
				"a bzip2 stream fails its checksum, at byte %s; its data is kept", z.layer.where(p.at))
		}
		from = (from + 32 + 7) &^ 7
	}
	z.sum, z.lost = 0, false
	rest := p.raw[min((from+7)/8, len(p.raw)):]
	if !last && p.to%8 == 0 && p.to >= 32 {
		if header := p.raw[(p.to-32)/8 : p.to/8]; string(header[:3]) == "BZh" && header[3] >= '1' && header[3] <= '9' {
			z.level = header[3]
			rest = p.raw[min((from+7)/8, (p.to-32)/8) : (p.to-32)/8]
		}
	}
	if !allZero(rest) || p.passed > 0 {
		z.layer.say(fault.Notice{Code: fault.ArchiveTrailingBytes, Severity: fault.Warning, Bytes: int64(len(rest)) + p.passed},
			"bzip2 data is followed by bytes that are none, at byte %s; they are passed over", z.layer.where(p.at+int64(from/8)))
	}
}

// bzip2Block is one block as it lies in a file.
type bzip2Block struct {
	level    byte
	at       int64  // where it begins, in bytes
	raw      []byte // holds it
	from, to int    // bits of raw
	cut      bool   // the file ends in it
}

// sum is the checksum of the block, which is first in it.
func (b *bzip2Block) sum() uint32 { return uint32(bitsAt(b.raw, b.from, 32)) }

// stream makes a stream of the block alone.
func (b *bzip2Block) stream() []byte {
	w := bitWriter{out: append(make([]byte, 0, len(b.raw)+32), 'B', 'Z', 'h', b.level)}
	w.put(bzip2BlockMark, bzip2MarkBits)
	at := b.from
	for ; at+32 <= b.to; at += 32 {
		w.put(bitsAt(b.raw, at, 32), 32)
	}
	for ; at < b.to; at++ {
		w.put(bitsAt(b.raw, at, 1), 1)
	}
	w.put(bzip2EndMark, bzip2MarkBits)
	w.put(uint64(b.sum()), 32)
	return w.bytes()
}

// bzip2Bits cuts the input at marks.
type bzip2Bits struct {
	in     *bufio.Reader
	read   int64  // bytes
	last   uint64 // the last 64 bits
	left   []byte // the byte in which the mark before ended
	from   int    // the bit of it after the mark
	before uint64 // that mark
	ended  bool
}

// bzip2Piece is what lies between two marks.
type bzip2Piece struct {
	before, after uint64 // the marks; 0 for the beginning and the end of the input
	at            int64  // where it begins, in bytes
	raw           []byte
	from, to      int   // bits of raw
	passed        int64 // bytes that were too many to be held
}

func (p *bzip2Piece) bits() int { return p.to - p.from }

// upToMark reads the next piece. After the last it returns io.EOF.
func (b *bzip2Bits) upToMark() (bzip2Piece, error) {
	if b.ended {
		return bzip2Piece{}, io.EOF
	}
	p := bzip2Piece{before: b.before, at: b.read - int64(len(b.left)), raw: append([]byte(nil), b.left...), from: b.from}
	fresh := 0 // bits since the last mark, lest one is found in what was read before it
	if len(b.left) > 0 {
		fresh = 8 - b.from
	}
	for {
		c, err := b.in.ReadByte()
		if err == io.EOF {
			b.ended = true
			p.to = 8 * len(p.raw)
			return p, nil
		}
		if err != nil {
			return p, err
		}
		b.read++
		b.last = b.last<<8 | uint64(c)
		fresh += 8
		p.raw = append(p.raw, c)
		if len(p.raw) > bzip2Longest+8 {
			drop := len(p.raw) - 8
			p.raw = append(p.raw[:0], p.raw[drop:]...)
			p.passed += int64(drop)
			p.from = 0
		}
		for shift := 7; shift >= 0; shift-- {
			mark := b.last >> shift & (1<<bzip2MarkBits - 1)
			if (mark != bzip2BlockMark && mark != bzip2EndMark) || fresh-shift < bzip2MarkBits {
				continue
			}
			p.after = mark
			p.to = 8*len(p.raw) - shift - bzip2MarkBits
			b.before = mark
			b.left, b.from = nil, 0
			if shift > 0 {
				b.left, b.from = []byte{c}, 8-shift
			}
			return p, nil
		}
	}
}

// bitsAt reads up to 48 bits, the highest first.
func bitsAt(raw []byte, at, n int) uint64 {
	var word [8]byte
	copy(word[:], raw[at/8:])
	return binary.BigEndian.Uint64(word[:]) << (at % 8) >> (64 - n)
}

// bitWriter writes bits, the highest first.
type bitWriter struct {
	out  []byte
	word uint64
	n    int
}

func (w *bitWriter) put(v uint64, n int) {
	for n > 0 {
		take := min(n, 8)
		n -= take
		w.word = w.word<<take | v>>n&(1<<take-1)
		if w.n += take; w.n >= 8 {
			w.n -= 8
			w.out = append(w.out, byte(w.word>>w.n))
		}
	}
}

// bytes ends with zero bits up to a whole byte.
func (w *bitWriter) bytes() []byte {
	if w.n > 0 {
		w.put(0, 8-w.n)
	}
	return w.out
}
