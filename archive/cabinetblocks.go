package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
)

const (
	cabinetStored = 0
	cabinetMSZIP  = 1

	cabinetBlockHead  = 8
	cabinetBlock      = 32 << 10            // bytes that each block but a folder's last unpacks to
	cabinetMostPacked = cabinetBlock + 6144 // bytes that a block may have, packed
	cabinetHops       = 1 << 17             // heads of blocks that are tried after damage, for each folder
)

var errCabinet = errors.New("archive: a cabinet that is damaged")

// cabinetStream unpacks the blocks of a folder. Of a block that is damaged nothing is
// believed, for it is small and a checksum says so. Those after it are read on where
// they need no history, or it is there again.
type cabinetStream struct {
	solid
	in      *tap
	folder  *cabinetFolderInfo
	reserve int64
	next    int64 // where the next block begins
	left    int   // blocks that are to come
	packed  []byte
	block   []byte // what the last one unpacked to: the history of the next
	spare   []byte
	z       io.ReadCloser
	hops    int
}

func newCabinetStream(in *tap, d *cabinetDirectory, folder *cabinetFolderInfo) *cabinetStream {
	f := &cabinetStream{in: in, folder: folder, reserve: int64(d.reserve), next: folder.at, left: folder.blocks, hops: cabinetHops}
	f.solid = solid{format: "cabinet", more: f.unpack}
	f.z = flate.NewReader(bytes.NewReader(nil))
	return f
}

// unpack reads the next block.
func (f *cabinetStream) unpack() {
	if f.left <= 0 {
		f.err = io.EOF
		return
	}
	at := f.next
	b, err := f.read(at, f.left == 1)
	var block []byte
	if err != errCabinet {
		var ok bool
		if block, ok = f.inflate(b.size); !ok && err == nil {
			err = errCabinet
		}
	}
	switch {
	case f.in.trouble.err != nil:
		f.err = f.in.trouble.err
	case err == io.ErrUnexpectedEOF:
		f.ready, f.lost, f.err = block, at, err
	case err == nil:
		f.ready, f.next = block, b.end
		f.left--
	case b.plausible && (f.left == 1 || f.head(b.end, f.left == 2).plausible):
		f.block = f.block[:0]
		f.lost, f.gap, f.next = at, b.size, b.end
		f.left--
	default: // it may be the head that is damaged
		f.resume(at)
	}
}

// cabinetBlockInfo is the head of a block.
type cabinetBlockInfo struct {
	sum          uint32
	size, length int64 // unpacked and packed
	end          int64 // where the next one begins
	plausible    bool
}

// head reads the head at a place, of a folder's last block or another.
func (f *cabinetStream) head(at int64, last bool) (b cabinetBlockInfo) {
	le := binary.LittleEndian
	var head [cabinetBlockHead]byte
	if n, _ := f.in.ReadAt(head[:], at); n < len(head) {
		return b
	}
	b = cabinetBlockInfo{sum: le.Uint32(head[:]), length: int64(le.Uint16(head[4:])), size: int64(le.Uint16(head[6:]))}
	b.end = at + cabinetBlockHead + f.reserve + b.length
	b.plausible = b.length > 0 && b.length <= cabinetMostPacked && (b.size == cabinetBlock || last && b.size < cabinetBlock)
	if f.folder.method == cabinetStored && b.length != b.size && b.size > 0 {
		b.plausible = false
	}
	return b
}

// read has a block's packed bytes in f.packed. The error is io.ErrUnexpectedEOF, where the rest
// is missing or in the next cabinet, or errCabinet.
func (f *cabinetStream) read(at int64, last bool) (b cabinetBlockInfo, err error) {
	f.packed = f.packed[:0]
	start := at + cabinetBlockHead + f.reserve
	if start >= f.in.src.Size() {
		return b, io.ErrUnexpectedEOF
	}
	if b = f.head(at, last); !b.plausible {
		return b, errCabinet
	}
	if f.packed == nil {
		f.packed = make([]byte, cabinetMostPacked)
	}
	n, _ := f.in.ReadAt(f.packed[:b.length], start)
	f.packed = f.packed[:n]
	if int64(n) < b.length {
		return b, io.ErrUnexpectedEOF
	}
	if b.sum != 0 {
		head := make([]byte, cabinetBlockHead-4+f.reserve)
		f.in.ReadAt(head, at+4)
		if cabinetSum(f.packed, head) != b.sum {
			return b, errCabinet
		}
	}
	if b.size == 0 {
		return b, io.ErrUnexpectedEOF
	}
	return b, nil
}

// inflate unpacks what was read, to so many bytes; 0 for as many as come. What came is returned in any case.
func (f *cabinetStream) inflate(size int64) (block []byte, ok bool) {
	if f.folder.method == cabinetStored {
		return f.packed, true
	}
	if len(f.packed) < 2 || string(f.packed[:2]) != "CK" {
		return nil, false
	}
	if cap(f.spare) < cabinetBlock {
		f.spare = make([]byte, cabinetBlock)
	}
	f.z.(flate.Resetter).Reset(bytes.NewReader(f.packed[2:]), f.block)
	n, err := io.ReadFull(f.z, f.spare[:cabinetBlock])
	block = f.spare[:n]
	if int64(n) != size || err != nil && err != io.ErrUnexpectedEOF {
		return block, false
	}
	f.block, f.spare = block, f.block
	return block, true
}

// resume goes on after a damaged head with the next block that is sound.
func (f *cabinetStream) resume(damage int64) {
	f.lost, f.err = damage, errCabinet
	pattern, before := []byte("CK"), cabinetBlockHead+f.reserve
	if f.folder.method == cabinetStored {
		if f.goOn(damage + cabinetBlockHead + f.reserve + cabinetBlock) { // where it must be
			return
		}
		pattern, before = []byte("\x00\x80\x00\x80"), 4 // both its sizes
	}
	window := make([]byte, layerBuffer)
	for from := damage + 1 + before; f.hops > 0; {
		n, _ := f.in.ReadAt(window[:max(min(int64(len(window)), f.folder.end-from), 0)], from)
		if n < len(pattern) {
			return
		}
		found := bytes.Index(window[:n], pattern)
		if found < 0 {
			from += int64(n - len(pattern) + 1)
			continue
		}
		if f.goOn(from + int64(found) - before) {
			return
		}
		from += int64(found) + 1
		f.hops--
	}
}

// goOn goes on at a place if a sound block is there. So many blocks must follow to the end
// of the folder that their place is known: all but the last unpack to the same size.
func (f *cabinetStream) goOn(at int64) bool {
	if blocks := f.follow(at); blocks > 0 {
		if b, err := f.read(at, blocks == 1); err == nil && b.sum != 0 {
			f.gap = int64(f.left-blocks) * cabinetBlock
			f.block, f.next, f.left, f.err = f.block[:0], at, blocks, nil
			return true
		}
	}
	return false
}

// follow counts the blocks from a place to the folder's end; 0 if they do not lead there.
func (f *cabinetStream) follow(at int64) (blocks int) {
	for ; at < f.folder.end; blocks++ {
		f.hops--
		b := f.head(at, false)
		if !b.plausible {
			b = f.head(at, true)
		}
		if !b.plausible || f.hops < 0 || blocks >= f.left || b.size != cabinetBlock && b.end != f.folder.end {
			return 0
		}
		at = b.end
	}
	if at != f.folder.end {
		return 0
	}
	return blocks
}

// cabinetSum is the checksum of a block: of its data, then of its head.
func cabinetSum(data, head []byte) uint32 { return cabinetXor(head, cabinetXor(data, 0)) }

// cabinetXor puts words together; of the bytes that are no whole word the first counts most.
func cabinetXor(p []byte, sum uint32) uint32 {
	for ; len(p) >= 4; p = p[4:] {
		sum ^= binary.LittleEndian.Uint32(p)
	}
	last := uint32(0)
	for _, c := range p {
		last = last<<8 | uint32(c)
	}
	return sum ^ last
}
