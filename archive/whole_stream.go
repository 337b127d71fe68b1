package archive

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// IsWhole says that the bytes end where their own form says that they do, whatever else may have been
// said of their length. They are a zip or 7z with its directory. A gzip member, a zstd or lz4 frame, a
// stream of xz or bzip2, or a lzip member proves nothing: another may follow. It is whole only if what it
// unpacks to is as long as was said. Some servers name the length of what they packed. Below 0, nothing
// was said.
func IsWhole(src Source, said int64) bool {
	head := make([]byte, headSize)
	n, _ := src.ReadAt(head, 0)
	head = head[:n]
	switch size := src.Size(); {
	case isGzip(head):
		return said >= 0 && isWholeGzip(src, said)
	case bytes.HasPrefix(head, []byte(zstdMark)):
		return said >= 0 && isWholeZstd(src, head) && unpacksTo(src, said)
	case isLzip(head):
		var lengths [16]byte
		_, err := src.ReadAt(lengths[:], size-16)
		return said >= 0 && err == nil && binary.LittleEndian.Uint64(lengths[:]) == uint64(said) &&
			binary.LittleEndian.Uint64(lengths[8:]) == uint64(size)
	case bytes.HasPrefix(head, []byte(xzMark)):
		return said >= 0 && isWholeXz(src, said)
	case isBzip2(head):
		return said >= 0 && hasLength(bzip2.NewReader(io.NewSectionReader(src, 0, size)), said)
	case bytes.HasPrefix(head, []byte(lz4Mark)):
		return said >= 0 && hasLength(lz4.NewReader(io.NewSectionReader(src, 0, size)), said)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		_, err := zip.NewReader(src, size)
		return err == nil
	case bytes.HasPrefix(head, []byte("7z\xBC\xAF\x27\x1C")) && len(head) >= 32:
		at, length := binary.LittleEndian.Uint64(head[12:]), binary.LittleEndian.Uint64(head[20:])
		return at < 1<<62 && length < 1<<62 && at+length+32 == uint64(size)
	}
	return false
}

func isWholeGzip(src Source, said int64) bool {
	in := bufio.NewReaderSize(io.NewSectionReader(src, 0, src.Size()), tapBuffer)
	r, err := gzip.NewReader(in)
	if err != nil {
		return false
	}
	r.Multistream(false)
	if n, err := io.Copy(io.Discard, io.LimitReader(r, said+1)); err != nil || n != said {
		return false
	}
	_, err = in.Peek(1)
	return err == io.EOF
}

// unpacksTo says that a zstd frame holds so many bytes.
func unpacksTo(src Source, said int64) bool {
	r, err := zstd.NewReader(io.NewSectionReader(src, 0, src.Size()), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return false
	}
	defer r.Close()
	return hasLength(r, said)
}

// hasLength says that a text is so long, and ends without an error.
func hasLength(r io.Reader, said int64) bool {
	n, err := io.Copy(io.Discard, io.LimitReader(r, said+1))
	return err == nil && n == said
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

// isWholeXz compares the sizes of the blocks with the length of the stream, and of their text with what was
// said. The index at the end of the stream holds both (.xz format, §2.1.2, §4).
func isWholeXz(src Source, said int64) bool {
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
	total, unpacked := uint64(2*edge+length), uint64(0)
	for range records {
		unpadded, n := binary.Uvarint(rest)
		if n <= 0 || unpadded > uint64(size) {
			return false
		}
		rest = rest[n:]
		text, n := binary.Uvarint(rest)
		if n <= 0 {
			return false
		}
		rest = rest[n:]
		unpacked += text
		total += (unpadded + 3) &^ 3
	}
	return total == uint64(size) && unpacked == uint64(said)
}

// maxXzIndex is the longest index that is looked at.
const maxXzIndex = 16 << 20
