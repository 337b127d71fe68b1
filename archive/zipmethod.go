package archive

import (
	"bufio"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zip"

	"laundromat/internal/fault"
	"laundromat/internal/inflate"
	"laundromat/internal/lzma"
)

// Methods of compression in a zip (APPNOTE.TXT 4.4.5).
const (
	zipStored    = 0
	zipDeflate   = 8
	zipDeflate64 = 9
	zipBzip2     = 12
	zipLzma      = 14
	zipZstdOld   = 20
	zipZstd      = 93
	zipXz        = 95
)

// zipMethods are the names of ways of packing that are known by name alone (4.4.5).
var zipMethods = map[uint16]string{
	1: "Shrink", 2: "Reduce", 3: "Reduce", 4: "Reduce", 5: "Reduce", 6: "Implode", 7: "Tokenize", 10: "PKWARE's DCL Implode",
	16: "IBM z/OS CMPSC", 18: "IBM TERSE", 19: "IBM LZ77", 94: "MP3", 96: "JPEG", 97: "WavPack", 98: "PPMd",
}

// how names the way in which an entry is packed.
func (e *zipEntry) how() string {
	switch name := zipMethods[e.method]; {
	case e.flags&zipPatched != 0:
		return "as a patch of another file"
	case name != "":
		return fmt.Sprintf("by %s (method %d)", name, e.method)
	}
	return fmt.Sprintf("by method %d", e.method)
}

// notUnpacked reports that an entry's data could not be opened.
func (w *walk) notUnpacked(e zipEntry, err error) {
	if errors.Is(err, zip.ErrAlgorithm) {
		w.cut = true
		w.note(fault.ArchiveUnsupported, fault.Drop, e.label(), "it is packed %s, which can't be unpacked", e.how())
		return
	}
	(&body{w: w, name: e.label()}).damage(err)
}

// zipReaders are kept from entry to entry: a zip of many small ones would spend
// its time in making them.
type zipReaders struct {
	packed  *bufio.Reader
	inflate inflate.Reader
}

// section reads n bytes of a zip from a place on. It takes the place of the section before.
func (z *zipReaders) section(in io.ReaderAt, at, n int64) *bufio.Reader {
	section := io.NewSectionReader(in, at, n)
	if z.packed == nil {
		z.packed = bufio.NewReaderSize(section, layerBuffer)
	}
	z.packed.Reset(section)
	return z.packed
}

// inflated decodes deflate. It takes the place of the decoder before.
func (z *zipReaders) inflated(packed *bufio.Reader) *inflate.Reader {
	z.inflate.Reset(packed)
	return &z.inflate
}

// unpack opens an entry's data. Zip.ErrAlgorithm says that the method is not known.
func (e *zipEntry) unpack(z *zipReaders, packed *bufio.Reader, memory int) (io.ReadCloser, error) {
	if e.flags&zipPatched != 0 {
		return nil, zip.ErrAlgorithm
	}
	switch e.method {
	case zipStored:
		return io.NopCloser(packed), nil
	case zipDeflate:
		return io.NopCloser(z.inflated(packed)), nil
	case zipDeflate64:
		return io.NopCloser(newDeflate64(packed)), nil
	case zipBzip2:
		return io.NopCloser(bzip2.NewReader(packed)), nil
	case zipLzma:
		return e.unpackLzma(packed, memory)
	case zipZstd, zipZstdOld:
		return newMemberStream(packed, &zstdFrames{memory: memory}), nil
	case zipXz:
		return newMemberStream(packed, &xzBlocks{memory: memory}), nil
	}
	return nil, zip.ErrAlgorithm
}

// unpackLzma reads the small header of its own that LZMA has in a zip (5.8.8).
func (e *zipEntry) unpackLzma(packed *bufio.Reader, memory int) (io.ReadCloser, error) {
	var head [9]byte // version (2), length of the properties (2), properties (5)
	if _, err := io.ReadFull(packed, head[:]); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if binary.LittleEndian.Uint16(head[2:]) != 5 {
		return nil, zip.ErrAlgorithm
	}
	size := uint64(lzma.UnknownSize)
	if marked := e.flags&(1<<1) != 0; !marked && e.size >= 0 {
		size = uint64(e.size)
	}
	z, err := newLzma(packed, [5]byte(head[4:]), size, memory)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(z), nil
}
