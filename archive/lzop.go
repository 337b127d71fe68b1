package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/adler32"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zip"
)

// lzopFiles reads the files of lzop, several of which may follow one another. Each is a
// header and blocks that do not depend on each other, with checksums. A block whose data is
// not what its checksum was made from is lost, and no other.
type lzopFiles struct {
	packed, block []byte // of blocks, kept from file to file
}

const (
	lzopMark = "\x89LZO\x00\x0D\x0A\x1A\x0A"

	lzopMostBlock  = 64 << 20 // bytes of an unpacked block, as lzop itself takes them
	lzopNewVersion = 0x0940   // from which on the header holds more
	lzopFixed      = 9 + 2 + 2 + 1 + 4 + 4 + 4 + 1
	lzopStopMark   = 4

	// Flags of a header.
	lzopAdlerPlain  = 1 << 0
	lzopAdlerPacked = 1 << 1
	lzopExtra       = 1 << 6
	lzopCRCPlain    = 1 << 8
	lzopCRCPacked   = 1 << 9
	lzopPart        = 1 << 10 // of a file in several volumes
	lzopFilter      = 1 << 11
	lzopHeaderCRC   = 1 << 12
)

var errLzop = errors.New("archive: not a file of lzop")

func isLzop(head []byte) bool {
	return len(head) >= lzopFixed && string(head[:len(lzopMark)]) == lzopMark
}

func (*lzopFiles) fresh() memberKind        { return &lzopFiles{} }
func (*lzopFiles) is(head []byte) bool      { return isLzop(head) }
func (z *lzopFiles) found(head []byte) bool { return z.is(head) }

// open reads the header, which ends with a checksum of itself.
func (z *lzopFiles) open(in *bufio.Reader) (io.Reader, error) {
	head, err := in.Peek(lzopFixed + 9 + 255 + 4)
	if len(head) < lzopFixed {
		return nil, cutShort(err)
	}
	if !isLzop(head) {
		return nil, errLzop
	}
	be := binary.BigEndian
	at := len(lzopMark)
	version := be.Uint16(head[at:])
	at += 4 // its own and that of the library
	if version >= lzopNewVersion {
		at += 2 // the version that it takes to unpack it
	}
	method := head[at]
	at++
	if version >= lzopNewVersion {
		at++ // level
	}
	flags := be.Uint32(head[at:])
	at += 4
	if flags&lzopFilter != 0 {
		at += 4
	}
	at += 8 // mode and time
	if version >= lzopNewVersion {
		at += 4 // more of the time
	}
	if at >= len(head) {
		return nil, io.ErrUnexpectedEOF
	}
	at += 1 + int(head[at]) // name
	if at+4 > len(head) {
		return nil, io.ErrUnexpectedEOF
	}
	sum := adler32.Checksum(head[len(lzopMark):at])
	if flags&lzopHeaderCRC != 0 {
		sum = crc32.ChecksumIEEE(head[len(lzopMark):at])
	}
	if sum != be.Uint32(head[at:]) {
		return nil, errLzop
	}
	in.Discard(at + 4)
	// the three are ways to find the same instructions
	if method < 1 || method > 3 || flags&(lzopFilter|lzopPart) != 0 {
		return nil, zip.ErrAlgorithm
	}
	if flags&lzopExtra != 0 {
		var length [4]byte
		if _, err := io.ReadFull(in, length[:]); err != nil {
			return nil, cutShort(err)
		}
		if _, err := io.CopyN(io.Discard, in, int64(be.Uint32(length[:]))+4); err != nil {
			return nil, cutShort(err)
		}
	}
	f := &lzopFile{in: in, kept: z, flags: flags}
	return &blocks{next: f.next}, nil
}

type lzopFile struct {
	in    *bufio.Reader
	kept  *lzopFiles
	flags uint32
}

// next unpacks a block. Of one that is cut short, what came is returned with the error.
func (f *lzopFile) next() ([]byte, error) {
	be := binary.BigEndian
	head, err := f.in.Peek(8)
	if len(head) >= lzopStopMark && be.Uint32(head) == 0 {
		f.in.Discard(lzopStopMark)
		return nil, io.EOF
	}
	if len(head) < 8 {
		return nil, cutShort(err)
	}
	size, length := int64(be.Uint32(head)), int64(be.Uint32(head[4:]))
	if size > lzopMostBlock || length > size || length == 0 {
		return nil, errLzop
	}
	f.in.Discard(len(head))
	stored := length == size
	var sums [4]uint32 // of the plain data, then of the packed: Adler-32, CRC-32
	for i, flag := range []uint32{lzopAdlerPlain, lzopCRCPlain, lzopAdlerPacked, lzopCRCPacked} {
		if f.flags&flag == 0 || i >= 2 && stored {
			continue
		}
		var sum [4]byte
		if _, err := io.ReadFull(f.in, sum[:]); err != nil {
			return nil, cutShort(err)
		}
		sums[i] = be.Uint32(sum[:])
	}
	packed, err := readAtMost(f.in, f.kept.packed, int(length))
	f.kept.packed = packed
	block, whole := packed, true
	if !stored {
		f.kept.block, whole = unpackLzo(f.kept.block[:0], packed, int(size))
		block = f.kept.block
	}
	if err != nil {
		return block, cutShort(err)
	}
	if !whole || len(block) != int(size) ||
		f.flags&lzopAdlerPlain != 0 && adler32.Checksum(block) != sums[0] || f.flags&lzopCRCPlain != 0 &&
		crc32.ChecksumIEEE(block) != sums[1] {
		return nil, &gapped{length}
	}
	return block, nil
}
