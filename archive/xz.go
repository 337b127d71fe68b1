package archive

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"
	"slices"

	"laundromat/internal/branch"
	"laundromat/internal/fault"
	"laundromat/internal/lzma"
)

// xzBlocks reads the blocks of an xz file (The .xz File Format 1.2.1). A damaged one
// costs only itself. The headers, indexes and footers of the real streams are members without
// data.
type xzBlocks struct {
	chunks *lzma.Reader2
	memory int     // for its window
	flags  [2]byte // of the stream: which check its blocks have
	inside bool    // of a stream: a block or an index is next
	tell   func(f fault.Notice, format string, args ...any)
	told   bool
}

const (
	xzMark   = "\xFD7zXZ\x00"
	xzFooter = "YZ"
)

var errXz = errors.New("archive: not a part of an xz stream")

// fresh looks for a block of the same stream, or for another stream.
func (x *xzBlocks) fresh() memberKind {
	return &xzBlocks{flags: x.flags, inside: x.inside, memory: x.memory}
}

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
	return x.block(in, head[:xzBlockHeader(head)])
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

// block opens a block by its header (§3.1): the filters that its data went through, of which
// LZMA2 is the last.
func (x *xzBlocks) block(in *bufio.Reader, header []byte) (io.Reader, error) {
	flags, rest := header[1], header[2:len(header)-4]
	if flags&0x3C != 0 {
		return nil, errXzOptions
	}
	number := func() (v uint64) {
		v, n := binary.Uvarint(rest)
		rest = rest[max(n, 0):]
		return v
	}
	if flags&0x40 != 0 {
		number() // the packed size, which the chunks show too
	}
	if flags&0x80 != 0 {
		number() // and the unpacked size
	}
	filters := make([]xzFilter, flags&3+1)
	for i := range filters {
		filters[i].id = number()
		length := number()
		if length > uint64(len(rest)) {
			return nil, errXz
		}
		filters[i].properties = rest[:length]
		rest = rest[length:]
	}
	last := filters[len(filters)-1]
	if last.id != xzLzma2 || len(last.properties) != 1 || last.properties[0] > 40 {
		return nil, errXzOptions
	}
	in.Discard(len(header))
	window := lzma.Window2(last.properties[0])
	if x.chunks == nil {
		x.chunks = lzma.NewReader2(in, window, x.memory)
		x.chunks.KeepsDoubtful = true
	} else {
		x.chunks.Reset(in, window, x.memory)
	}
	m := &xzMember{in: in, chunks: x.chunks, out: x.chunks, check: x.flags[1] & 0xF}
	for _, f := range slices.Backward(filters[:len(filters)-1]) {
		out, err := f.undone(m.out)
		if err != nil {
			return nil, err
		}
		m.out = out
	}
	switch m.check {
	case 0:
	case 1:
		m.sum = crc32.NewIEEE()
	case 4:
		m.sum = crc64.New(crc64Table)
	case 10:
		m.sum = sha256.New()
	default:
		x.unknown(m.check)
	}
	return m, nil
}

// unknown says once that nothing can be checked.
func (x *xzBlocks) unknown(check byte) {
	if x.tell != nil && !x.told {
		x.tell(fault.Notice{Code: fault.ArchiveUnchecked, Severity: fault.Warning},
			"xz data has checks of a kind that is not known (%d): it is read, and nothing shows whether it is what was packed", check)
	}
	x.told = true
}

var (
	errXzOptions = errors.New("archive: an xz block with filters that are not known")
	crc64Table   = crc64.MakeTable(crc64.ECMA)
)

// Identifiers of filters (§5.3).
const (
	xzDelta = 0x03
	xzLzma2 = 0x21
)

// xzBranches are the filters for programs (§5.3.2).
var xzBranches = map[uint64]branch.Kind{4: branch.X86, 5: branch.PPC, 6: branch.IA64, 7: branch.ARM, 8: branch.ARMThumb, 9: branch.SPARC,
	10: branch.ARM64}

type xzFilter struct {
	id         uint64
	properties []byte
}

// undone undoes a filter.
func (f xzFilter) undone(in io.Reader) (io.Reader, error) {
	if f.id == xzDelta && len(f.properties) == 1 {
		return branch.NewDelta(in, int(f.properties[0])+1), nil
	}
	kind, known := xzBranches[f.id]
	if !known {
		return nil, errXzOptions
	}
	start := uint32(0)
	if len(f.properties) == 4 {
		start = binary.LittleEndian.Uint32(f.properties)
	}
	return branch.NewReader(in, kind, start), nil
}

// xzChecks are the lengths of the checks, by their identifiers (§2.1.1.2).
var xzChecks = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

// xzMember is the data of a block.
type xzMember struct {
	in     *bufio.Reader
	chunks *lzma.Reader2
	out    io.Reader // of the last filter
	check  byte
	sum    hash.Hash // nil: there is none, or its kind is not known
}

func (m *xzMember) Read(p []byte) (int, error) {
	n, err := m.out.Read(p)
	if m.sum != nil {
		m.sum.Write(p[:n])
	}
	if err == io.EOF {
		err = m.end()
	}
	return n, err
}

// end reads the padding and the check behind a block (§3.3, §3.4). The length of a header can
// be divided by four.
func (m *xzMember) end() error {
	tail := make([]byte, int(-m.chunks.Taken()&3)+xzChecks[m.check])
	if _, err := io.ReadFull(m.in, tail); err != nil {
		return cutShort(err)
	}
	check := tail[len(tail)-xzChecks[m.check]:]
	if m.sum == nil {
		return io.EOF
	}
	want := m.sum.Sum(nil)
	if m.check != 10 {
		slices.Reverse(want) // the lowest byte is first
	}
	if !bytes.Equal(check, want) {
		return errWrongSum
	}
	return io.EOF
}
