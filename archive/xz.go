package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	fastxz "github.com/mikelolasagasti/xz"
)

// xzBlocks reads the blocks of an xz file (The .xz File Format 1.2.1). Each is
// given to the decoder as a stream of its own, so that a damaged one costs only
// itself. The headers, indexes and footers of the real streams are members without
// data.
type xzBlocks struct {
	decoder *fastxz.Reader
	flags   [2]byte // of the stream: which check its blocks have
	inside  bool    // of a stream: a block or an index is next
}

const (
	xzMark   = "\xFD7zXZ\x00"
	xzFooter = "YZ"
)

var errXz = errors.New("archive: not a part of an xz stream")

// fresh looks for a block of the same stream, or for another stream.
func (x *xzBlocks) fresh() memberKind { return &xzBlocks{flags: x.flags, inside: x.inside} }

func (x *xzBlocks) is(head []byte) bool {
	return isXzHeader(head) || x.inside && len(head) > 0 && (head[0] == 0 || isXzBlock(head))
}

// found takes no zero byte for an index, unless all of it fits.
func (x *xzBlocks) found(head []byte) bool {
	switch {
	case isXzHeader(head):
		return true
	case !x.inside || len(head) == 0:
		return false
	case head[0] == 0:
		return readXzIndex(bufio.NewReaderSize(bytes.NewReader(head), 16)) == nil
	}
	return isXzBlock(head)
}

func isXzHeader(head []byte) bool {
	return len(head) >= 12 && string(head[:6]) == xzMark && head[6] == 0 && head[7] < 16 &&
		crc32.ChecksumIEEE(head[6:8]) == binary.LittleEndian.Uint32(head[8:])
}

// isXzBlock holds the header of a block against its checksum (§3.1).
func isXzBlock(head []byte) bool {
	size := xzBlockHeader(head)
	return head[0] != 0 && len(head) >= size &&
		crc32.ChecksumIEEE(head[:size-4]) == binary.LittleEndian.Uint32(head[size-4:])
}

func xzBlockHeader(head []byte) int { return (int(head[0]) + 1) * 4 }

func (x *xzBlocks) open(in *bufio.Reader) (io.Reader, error) {
	head, err := in.Peek(1024)
	if len(head) == 0 {
		return nil, cutShort(err)
	}
	switch {
	case isXzHeader(head):
		x.flags, x.inside = [2]byte(head[6:8]), true
		in.Discard(12)
		if len(head) > 12 {
			return nil, nil
		}
		return nil, io.ErrUnexpectedEOF
	case !x.inside:
		return nil, errXz
	case head[0] == 0:
		x.inside = false
		return nil, readXzIndex(in)
	case len(head) < xzBlockHeader(head):
		return nil, io.ErrUnexpectedEOF
	case !isXzBlock(head):
		return nil, errXz
	}
	block := &xzBlock{in: in, flags: x.flags}
	if x.decoder == nil {
		x.decoder, err = fastxz.NewReader(block, maxWindow)
	} else {
		err = x.decoder.Reset(block)
	}
	if err != nil {
		return nil, err
	}
	return xzMember{x.decoder, block}, nil
}

// readXzIndex skips an index and its footer (§4, §2.1.2), and checks both.
func readXzIndex(in *bufio.Reader) error {
	sum := crc32.NewIEEE()
	n := int64(0)
	next := func() (byte, error) {
		b, err := in.ReadByte()
		if err != nil {
			return 0, cutShort(err)
		}
		n++
		sum.Write([]byte{b})
		return b, nil
	}
	number := func() (v uint64, err error) {
		for i := range 9 {
			b, err := next()
			if err != nil {
				return 0, err
			}
			if v |= uint64(b&0x7F) << (7 * i); b < 0x80 {
				return v, nil
			}
		}
		return 0, errXz
	}
	next()
	records, err := number()
	for i := uint64(0); i < records && err == nil; i++ {
		if _, err = number(); err == nil {
			_, err = number()
		}
	}
	for err == nil && n%4 != 0 {
		var b byte
		if b, err = next(); b != 0 {
			err = errXz
		}
	}
	if err != nil {
		return err
	}
	want := sum.Sum32()
	var tail [16]byte // checksum; footer: checksum, length of the index, flags, mark
	if _, err := io.ReadFull(in, tail[:]); err != nil {
		return cutShort(err)
	}
	le := binary.LittleEndian
	if le.Uint32(tail[:]) != want || string(tail[14:]) != xzFooter ||
		crc32.ChecksumIEEE(tail[8:14]) != le.Uint32(tail[4:]) || int64(le.Uint32(tail[8:]))*4 != n {
		return errXz
	}
	return nil
}

type xzMember struct {
	decoder *fastxz.Reader
	block   *xzBlock
}

func (m xzMember) Read(p []byte) (int, error) {
	n, err := m.decoder.Read(p)
	m.block.out += int64(n)
	switch {
	case err == nil, err == io.EOF:
	case m.block.err != nil:
		err = m.block.err
	case errors.Is(err, fastxz.ErrData) && m.block.stage >= xzEnd && m.block.out == m.block.unpacked:
		err = errWrongSum // all came; the check that follows it is wrong
	}
	return n, err
}

// xzBlock makes a stream of one block: a header, the block, whose chunks show where
// it ends, and an index and footer that suit it.
type xzBlock struct {
	in       *bufio.Reader
	flags    [2]byte
	stage    xzStage
	ready    []byte
	body     int64 // bytes of the chunk that are still to come
	size     int64 // bytes of the block so far
	unpacked int64
	out      int64 // bytes that were unpacked, of those
	err      error

	bare   bool        // the input is LZMA2 alone; the header and the end of the block are made too
	window byte        // as its header says
	made   int64       // bytes of that header
	ends   []lzma2Ends // of the chunks, if bare
}

type xzStage int

const (
	xzStart xzStage = iota
	xzHead
	xzChunks
	xzTail
	xzEnd
	xzOver
)

func (b *xzBlock) Read(p []byte) (int, error) {
	for b.err == nil {
		switch {
		case len(b.ready) > 0:
			n := copy(p, b.ready)
			b.ready = b.ready[n:]
			return n, nil
		case b.body > 0:
			n, err := b.in.Read(p[:min(int64(len(p)), b.body)])
			b.body -= int64(n)
			b.size += int64(n)
			if err != nil {
				b.err = cutShort(err)
			}
			if n > 0 {
				return n, nil
			}
		case b.stage == xzOver:
			return 0, io.EOF
		default:
			b.err = b.advance()
		}
	}
	if b.err == errXz || errors.Is(b.err, io.ErrUnexpectedEOF) {
		return 0, io.EOF // the decoder may have more to hand out
	}
	return 0, b.err
}

func (b *xzBlock) advance() error {
	switch b.stage {
	case xzStart:
		b.stage = xzHead
		b.ready = append([]byte(xzMark), b.flags[:]...)
		b.ready = binary.LittleEndian.AppendUint32(b.ready, crc32.ChecksumIEEE(b.flags[:]))
		return nil
	case xzHead:
		b.stage = xzChunks
		if b.bare {
			b.ready = bareXzHeader(b.window)
			b.made = int64(len(b.ready))
			b.size = b.made
			return nil
		}
		head, err := b.in.Peek(1)
		if err != nil {
			return cutShort(err)
		}
		return b.take(xzBlockHeader(head))
	case xzChunks:
		return b.chunk()
	case xzTail:
		b.stage = xzEnd
		padding := int(-b.size & 3)
		if b.bare {
			b.ready = make([]byte, padding)
			return nil
		}
		check := xzChecks[b.flags[1]]
		if err := b.take(padding + check); err != nil {
			return err
		}
		b.size -= int64(padding)
		return nil
	case xzEnd:
		b.stage = xzOver
		b.ready = b.end()
	}
	return nil
}

// xzChecks are the lengths of the checks, by their identifiers (§2.1.1.2).
var xzChecks = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

// chunk reads the header of a chunk of LZMA2, which every block ends up in.
func (b *xzBlock) chunk() error {
	control, err := b.in.Peek(1)
	if err != nil {
		return cutShort(err)
	}
	switch c := control[0]; {
	case c == 0:
		b.stage = xzTail
		return b.take(1)
	case c <= 2:
		if err := b.take(3); err != nil {
			return err
		}
		b.body = int64(binary.BigEndian.Uint16(b.ready[1:])) + 1
		b.unpacked += b.body
		b.chunkBegins(3)
		return nil
	case c < 0x80:
		return errXz
	default:
		length := 5
		if c>>5&3 >= 2 {
			length++ // properties
		}
		if err := b.take(length); err != nil {
			return err
		}
		b.body = int64(binary.BigEndian.Uint16(b.ready[3:])) + 1
		b.unpacked += int64(c&0x1F)<<16 + int64(binary.BigEndian.Uint16(b.ready[1:])) + 1
		b.chunkBegins(length)
		return nil
	}
}

// chunkBegins remembers where the chunk lies whose header was just taken.
func (b *xzBlock) chunkBegins(header int) {
	if b.bare {
		b.ends = append(b.ends, lzma2Ends{at: b.size - b.made - int64(header), unpacked: b.unpacked})
	}
}

func (b *xzBlock) take(n int) error {
	b.ready = make([]byte, n)
	m, err := io.ReadFull(b.in, b.ready)
	b.ready = b.ready[:m]
	b.size += int64(m)
	if err != nil && n > 0 {
		return cutShort(err)
	}
	return nil
}

// end makes the index and the footer.
func (b *xzBlock) end() []byte {
	index := []byte{0, 1}
	for _, v := range []uint64{uint64(b.size), uint64(b.unpacked)} {
		index = binary.AppendUvarint(index, v)
	}
	for len(index)%4 != 0 {
		index = append(index, 0)
	}
	length := len(index)
	index = binary.LittleEndian.AppendUint32(index, crc32.ChecksumIEEE(index))
	footer := binary.LittleEndian.AppendUint32(nil, uint32(length/4))
	footer = append(footer, b.flags[:]...)
	index = binary.LittleEndian.AppendUint32(index, crc32.ChecksumIEEE(footer))
	return append(append(index, footer...), xzFooter...)
}
