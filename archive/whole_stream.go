package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zstd"
)

// IsWhole says that the bytes end where their own form says that they do. They are one gzip member with its
// checksum, one zstd frame, one lzip member, one xz stream, or a zip or 7z with its directory. Whatever else
// may have been said of their length, nothing is missing. Of several members or frames after each other the
// next could be, so those prove nothing.
func IsWhole(src Source) bool {
	head := make([]byte, headSize)
	n, _ := src.ReadAt(head, 0)
	head = head[:n]
	switch size := src.Size(); {
	case isGzip(head):
		return isWholeGzip(src)
	case bytes.HasPrefix(head, []byte(zstdMark)):
		return isWholeZstd(src, head)
	case isLzip(head):
		var length [8]byte
		_, err := src.ReadAt(length[:], size-8)
		return err == nil && binary.LittleEndian.Uint64(length[:]) == uint64(size)
	case bytes.HasPrefix(head, []byte(xzMark)):
		return isWholeXz(src)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		_, err := zip.NewReader(src, size)
		return err == nil
	case bytes.HasPrefix(head, []byte("7z\xBC\xAF\x27\x1C")) && len(head) >= 32:
		at, length := binary.LittleEndian.Uint64(head[12:]), binary.LittleEndian.Uint64(head[20:])
		return at < 1<<62 && length < 1<<62 && at+length+32 == uint64(size)
	}
	return false
}

func isWholeGzip(src Source) bool {
	in := bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), tapBuffer)
	r, err := gzip.NewReader(in)
	if err != nil {
		return false
	}
	r.Multistream(false)
	if _, err := io.Copy(io.Discard, r); err != nil {
		return false
	}
	_, err = in.Peek(1)
	return err == io.EOF
}

// isWholeZstd walks the blocks of a frame without decoding them (RFC 8878 §3.1.1).
func isWholeZstd(src Source, head []byte) bool {
	var header zstd.Header
	if header.Decode(head) != nil || header.Skippable {
		return false
	}
	at := int64(header.HeaderSize)
	for {
		var b [3]byte
		if _, err := src.ReadAt(b[:], at); err != nil {
			return false
		}
		block := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		size := block >> 3
		if block>>1&3 == 1 { // one byte, repeated
			size = 1
		}
		at += 3 + size
		if block&1 == 1 {
			break
		}
	}
	if header.HasCheckSum {
		at += 4
	}
	return at == src.Size()
}

// isWholeXz compares the sizes of the blocks, which the index at the end of a stream holds, with its length
// (.xz format, §2.1.2, §4).
func isWholeXz(src Source) bool {
	const edge = 12 // bytes of the header, and of the footer
	size := src.Size()
	var footer [edge]byte
	if size < 2*edge {
		return false
	}
	if _, err := src.ReadAt(footer[:], size-edge); err != nil || string(footer[10:]) != "YZ" {
		return false
	}
	length := (int64(binary.LittleEndian.Uint32(footer[4:])) + 1) * 4 // of the index
	if length > size-2*edge || length > maxXzIndex {
		return false
	}
	index := make([]byte, length)
	if _, err := src.ReadAt(index, size-edge-length); err != nil || index[0] != 0 {
		return false
	}
	rest := index[1:]
	records, n := binary.Uvarint(rest)
	if n <= 0 {
		return false
	}
	rest = rest[n:]
	total := uint64(2*edge + length)
	for range records {
		unpadded, n := binary.Uvarint(rest)
		if n <= 0 || unpadded > uint64(size) {
			return false
		}
		rest = rest[n:]
		if _, n = binary.Uvarint(rest); n <= 0 {
			return false
		}
		rest = rest[n:]
		total += (unpadded + 3) &^ 3
	}
	return total == uint64(size)
}

// maxXzIndex is the longest index that is looked at.
const maxXzIndex = 16 << 20
