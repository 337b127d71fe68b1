package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	fastxz "github.com/mikelolasagasti/xz"
)

// lzma2Stream decodes LZMA2 as it is in a 7z, without anything around it. The
// decoder is given it as the one block of an xz stream that has no check. What comes
// of a chunk is handed out when all of it was found sound, so that nothing that damage
// made is taken for data. Of a chunk that is cut short, all that came, and of a damaged
// one what came long before the fault.
type lzma2Stream struct {
	decoder *fastxz.Reader
	block   *xzBlock
	buffer  []byte
	held    []byte // what came and was not handed out
	came    int64  // bytes that came out of the decoder
	sound   int64  // of those
	lost    int64  // the place in the input of the chunk that was found damaged
	err     error
}

// lzma2Ends is a chunk: where it begins in the input, and how many bytes have come
// out when it ends.
type lzma2Ends struct{ at, unpacked int64 }

// newLzma2 reads LZMA2 from its beginning. The code of the window's size is that of a
// 7z and of an xz.
func newLzma2(in *bufio.Reader, window byte) (*lzma2Stream, error) {
	block := &xzBlock{in: in, bare: true, window: window}
	decoder, err := fastxz.NewReader(block, maxWindow)
	if err != nil {
		return nil, err
	}
	return &lzma2Stream{decoder: decoder, block: block, buffer: make([]byte, 32<<10)}, nil
}

// Read returns io.ErrUnexpectedEOF where the input ends within a chunk, or without an
// end mark.
func (z *lzma2Stream) Read(p []byte) (int, error) {
	for {
		if ready := int(z.sound - (z.came - int64(len(z.held)))); ready > 0 {
			n := copy(p, z.held[:ready])
			z.held = z.held[n:]
			return n, nil
		}
		if z.err != nil {
			return 0, z.err
		}
		z.fill()
	}
}

// lzma2Doubtful is how many bytes before a fault may be made by the damage. The worst of 120
// trials, with 64 bytes of a dataset's archive overwritten, had 73 kB.
const lzma2Doubtful = 128 << 10

// fill asks for no byte beyond the end of a chunk. When the last byte of a chunk comes
// without an error, the chunk has therefore been checked.
func (z *lzma2Stream) fill() {
	ends := &z.block.ends
	ask := int64(1) // brings the header of the next chunk
	if len(*ends) > 0 {
		ask = min(int64(len(z.buffer)), (*ends)[0].unpacked-z.came)
	}
	n, err := z.decoder.Read(z.buffer[:ask])
	z.held = append(z.held, z.buffer[:n]...)
	z.came += int64(n)
	z.err = err
	if z.block.err != nil && errors.Is(err, fastxz.ErrBuf) {
		z.err = z.block.err
	}
	switch {
	case z.err == nil:
		if len(*ends) > 0 && (*ends)[0].unpacked == z.came {
			z.sound = z.came
			*ends = (*ends)[1:]
		}
	case z.err == io.EOF, errors.Is(z.err, io.ErrUnexpectedEOF):
		z.sound = z.came
	case len(*ends) > 0:
		z.lost = (*ends)[0].at
		z.sound = max(z.sound, z.came-lzma2Doubtful)
	default:
		z.lost = z.block.size - z.block.made
	}
}

// bareXzHeader is the header of an xz block that has the filter LZMA2 alone (The .xz
// File Format 1.2.1, §3.1, §5.3.1).
func bareXzHeader(window byte) []byte {
	header := []byte{2, 0, 0x21, 1, window, 0, 0, 0}
	return binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
}

// lzma2Chain is a row of chunks, as their headers show it.
type lzma2Chain struct {
	chunks   int
	end      int64 // where it ends: after the end mark, or where no further chunk is
	unpacked int64
	marked   bool // it has its end mark
	stored   bool // its first chunk is not packed
	cut      bool // its last chunk goes on after the end of the input
}

// lzma2Hops is how many headers of chunks are looked at in one search. Chunks of one
// byte would make every step of a search a walk through all of the input.
const lzma2Hops = 1 << 20

// followLzma2 goes from header to header, from a place up to an end, and takes the
// headers that it reads off hops.
func followLzma2(in io.ReaderAt, at, end int64, hops *int) (c lzma2Chain) {
	for c.end = at; *hops > 0; *hops-- {
		var h [6]byte
		n, _ := in.ReadAt(h[:min(6, max(end-c.end, 0))], c.end)
		length, packed, unpacked, ok := lzma2Chunk(h[:n])
		switch {
		case n == 0 || !ok:
			c.cut = n == 0 && c.chunks > 0
			return c
		case h[0] == 0:
			c.end++
			c.marked = true
			return c
		}
		c.stored = c.stored || c.chunks == 0 && h[0] <= 2
		c.chunks++
		c.unpacked += unpacked
		if c.end += int64(length) + packed; c.end > end || n < length {
			c.end, c.cut = end, true
			return c
		}
	}
	return c
}

// lzma2Chunk reads the header of a chunk, or as much as there is of it.
func lzma2Chunk(h []byte) (length int, packed, unpacked int64, ok bool) {
	var whole [6]byte
	copy(whole[:], h)
	first := int64(binary.BigEndian.Uint16(whole[1:])) + 1
	switch c := whole[0]; {
	case len(h) == 0, c > 2 && c < 0x80:
		return 0, 0, 0, false
	case c == 0:
		return 1, 0, 0, true
	case c <= 2:
		return 3, first, first, true
	case c>>5&3 < 2:
		return 5, int64(binary.BigEndian.Uint16(whole[3:])) + 1, int64(c&0x1F)<<16 + first, true
	default:
		return 6, int64(binary.BigEndian.Uint16(whole[3:])) + 1, int64(c&0x1F)<<16 + first, len(h) < 6 || isLzma2Properties(whole[5])
	}
}

// isLzma2Properties says whether a byte may hold the properties of LZMA in LZMA2:
// contexts of a literal and positions, together at most four bits.
func isLzma2Properties(b byte) bool { return b < 9*5*5 && b%9+b/9%5 <= 4 }

// isLzma2Start says whether a chunk that needs nothing before it may begin with head. Such
// a chunk empties the window. It is stored, or has its own properties and a range coder
// that begins with a zero.
func isLzma2Start(head []byte) bool {
	return len(head) >= 4 && head[0] == 1 || len(head) >= 7 && head[0] >= 0xE0 && isLzma2Properties(head[5]) && head[6] == 0
}

// nextLzma2Start looks from a place on for a chunk that needs nothing before it, and from
// which on the headers make a row that fits.
func nextLzma2Start(in io.ReaderAt, from, end int64, hops *int, fits func(lzma2Chain) bool) (at int64, c lzma2Chain, found bool) {
	r := bufio.NewReaderSize(io.NewSectionReader(in, from, end-from), layerBuffer)
	for at = from; ; at++ {
		head, _ := r.Peek(7)
		if len(head) < 4 || *hops <= 0 {
			return 0, c, false
		}
		if isLzma2Start(head) {
			if c = followLzma2(in, at, end, hops); fits(c) && startsLzma2(in, at, end) {
				return at, c, true
			}
		}
		r.Discard(1)
	}
}

// lzma2Sure is how many bytes must come of a chunk that is cut short. Bytes that are
// none fail much sooner, when they repeat what was not there.
const lzma2Sure = 1 << 10

// startsLzma2 says whether the first chunk at a place is sound, or as much of it as
// there is.
func startsLzma2(in io.ReaderAt, at, end int64) bool {
	var h [6]byte
	n, _ := in.ReadAt(h[:min(6, end-at)], at)
	length, packed, unpacked, ok := lzma2Chunk(h[:n])
	if !ok || h[0] == 0 {
		return false
	}
	z, err := newLzma2(bufio.NewReader(io.NewSectionReader(in, at, min(end-at, int64(length)+packed))), lzma2Code(unpacked))
	if err != nil {
		return false
	}
	came, err := io.Copy(io.Discard, z)
	return errors.Is(err, io.ErrUnexpectedEOF) && (came == unpacked || came >= lzma2Sure && at+int64(length)+packed > end)
}

func lzma2Window(code byte) uint64 { return uint64(2|code&1) << (code/2 + 11) }

// lzma2Code is the code of the smallest window that so many bytes fit in, or of the
// largest that is read.
func lzma2Code(size int64) (code byte) {
	for lzma2Window(code) < uint64(size) && lzma2Window(code+1) <= maxWindow {
		code++
	}
	return code
}
