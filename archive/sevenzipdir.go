package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zip"
	"github.com/ulikunitz/xz/lzma"

	"laundromat/internal/fault"
)

// The directory of a 7z is read here before the library may read it, because the library
// believes every count. A file of 400 bytes makes it take gigabytes. Counts that contradict
// each other make it index past the end. What passes here is consistent and small. The
// names are those of 7-Zip's description of the format.

const (
	maxSevenDirectory = 64 << 20 // bytes, unpacked
	maxSevenFiles     = 1 << 18  // some 400 bytes each, in the library
	maxSevenWork      = 1 << 31  // files × folders: the library looks for each file's folder from the first
	maxSevenCoders    = 8
	sevenHead         = 32
	sevenMark         = "7z\xBC\xAF\x27\x1C"
)

// Identifiers of the parts of a directory.
const (
	sevenEnd         = 0x00
	sevenHeader      = 0x01
	sevenProperties  = 0x02
	sevenAdditional  = 0x03
	sevenStreams     = 0x04
	sevenFiles       = 0x05
	sevenPack        = 0x06
	sevenUnpack      = 0x07
	sevenSubStreams  = 0x08
	sevenSize        = 0x09
	sevenCRC         = 0x0A
	sevenFolder      = 0x0B
	sevenUnpackSize  = 0x0C
	sevenNumUnpack   = 0x0D
	sevenEmptyStream = 0x0E
	sevenEmptyFile   = 0x0F
	sevenNames       = 0x11
	sevenCreated     = 0x12
	sevenAccessed    = 0x13
	sevenModified    = 0x14
	sevenAttributes  = 0x15
	sevenEncoded     = 0x17
	sevenPadding     = 0x19
)

var (
	errSeven          = errors.New("archive: a 7z directory that contradicts itself")
	errSevenEncrypted = errors.New("archive: an encrypted 7z directory")
)

// sevenDirectory is what is kept of a directory that was checked.
type sevenDirectory struct {
	folders []sevenFolderInfo
	files   int
	end     int64       // of the archive
	plain   []byte      // the directory without what the library can't read; nil if that is nothing
	cuts    []sevenPart // of the directory
	packed  int64       // bytes before it, after the head
}

// sevenPart is a part of a directory.
type sevenPart struct{ from, to int }

type sevenFolderInfo struct {
	coders    []sevenCoder
	packed    int    // streams that it is packed in
	at        int64  // the place of the first in the file
	length    int64  // of that
	main      int    // the coder whose output is the folder's
	size      uint64 // of that output
	streams   uint64 // files in it
	crc       uint32 // of that output, where it is the first folder
	hasCRC    bool
	encrypted bool
	unknown   string // a way of packing that can't be read; "" if all can
}

// readSevenDirectory checks a 7z up to its list of files.
func readSevenDirectory(in *tap) (*sevenDirectory, error) {
	d, raw, err := rawSevenDirectory(in)
	if err != nil || raw == nil {
		return d, err
	}
	r := &sevenReader{rest: raw}
	if r.byte() != sevenHeader {
		return nil, errSeven
	}
	r.directory(d, raw)
	return d, r.err
}

// rawSevenDirectory reads the bytes of a directory, unpacked; nil for an archive of nothing.
func rawSevenDirectory(in *tap) (d *sevenDirectory, raw []byte, err error) {
	var head [sevenHead]byte
	if n, _ := in.ReadAt(head[:], 0); n < len(head) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	le := binary.LittleEndian
	if crc32.ChecksumIEEE(head[12:]) != le.Uint32(head[8:]) {
		return nil, nil, errSeven
	}
	at, length := le.Uint64(head[12:]), le.Uint64(head[20:])
	switch size := uint64(in.src.Size()); {
	case at > size || length > size || sevenHead+at+length > size:
		return nil, nil, io.ErrUnexpectedEOF
	case length > maxSevenDirectory:
		return nil, nil, zip.ErrAlgorithm
	case length == 0 && at == 0 && le.Uint32(head[28:]) == 0:
		return &sevenDirectory{end: sevenHead}, nil, nil
	case length == 0:
		return nil, nil, errSeven
	}
	raw = make([]byte, length)
	if n, _ := in.ReadAt(raw, int64(sevenHead+at)); n < len(raw) {
		return nil, nil, io.ErrUnexpectedEOF
	}
	if crc32.ChecksumIEEE(raw) != le.Uint32(head[28:]) {
		return nil, nil, errSeven
	}
	if raw[0] == sevenEncoded {
		if raw, err = unpackSevenDirectory(in, raw[1:]); err != nil {
			return nil, nil, err
		}
	}
	return &sevenDirectory{end: int64(sevenHead + at + length), packed: int64(at)}, raw, nil
}

// directory reads a directory, after its first byte. raw is all of it.
func (r *sevenReader) directory(d *sevenDirectory, raw []byte) {
	id := r.byte()
	begin := len(raw) - len(r.rest) - 1
	if id == sevenProperties {
		for r.number() != sevenEnd && r.err == nil {
			r.bytes(r.number())
		}
		id = r.byte()
	}
	if id == sevenAdditional {
		r.streams()
		id = r.byte()
	}
	d.cut(begin, len(raw)-len(r.rest)-1)
	if id == sevenStreams {
		d.folders, _ = r.streams()
		id = r.byte()
	}
	if id == sevenFiles {
		r.files(d, len(raw))
		id = r.byte()
	}
	if id != sevenEnd {
		r.fail(errSeven)
	}
	if r.err == nil && len(d.cuts) > 0 {
		from := 0
		for _, c := range d.cuts {
			d.plain = append(d.plain, raw[from:c.from]...)
			from = c.to
		}
		d.plain = append(d.plain, raw[from:]...)
	}
}

// isEmpty says that there is nothing in the archive at all.
func (d *sevenDirectory) isEmpty() bool {
	streams := uint64(0)
	for _, f := range d.folders {
		streams += f.streams
	}
	return d.files == 0 && streams == 0
}

// unpackSevenDirectory unpacks a directory that is packed itself.
func unpackSevenDirectory(in *tap, raw []byte) ([]byte, error) {
	r := &sevenReader{rest: raw}
	folders, pack := r.streams()
	if r.err != nil {
		return nil, r.err
	}
	if len(folders) != 1 || len(pack.sizes) == 0 {
		return nil, errSeven
	}
	f := folders[0]
	switch {
	case f.encrypted:
		return nil, errSevenEncrypted
	case f.size > maxSevenDirectory || len(f.coders) != 1:
		return nil, zip.ErrAlgorithm
	}
	packed := bufio.NewReader(io.NewSectionReader(in, sevenHead+int64(pack.at), int64(pack.sizes[0])))
	var out io.Reader
	var err error
	switch coder := f.coders[0]; coder.id {
	case sevenCopy:
		out = packed
	case sevenLzma:
		out, err = newLzma(packed, [5]byte(coder.properties), f.size)
	case sevenLzma2:
		out, err = lzma.Reader2Config{DictCap: max(int(lzma2Window(coder.properties[0])), lzma.MinDictCap)}.NewReader2(packed)
	default:
		return nil, zip.ErrAlgorithm
	}
	if err != nil {
		return nil, err
	}
	// The size is only claimed: the buffer grows with what comes.
	var directory bytes.Buffer
	if _, err := io.CopyN(&directory, out, int64(f.size)); err != nil {
		return nil, err
	}
	if f.hasCRC && crc32.ChecksumIEEE(directory.Bytes()) != f.crc {
		return nil, errSeven
	}
	return directory.Bytes(), nil
}

// sevenPackInfo is where packed streams lie, one after another.
type sevenPackInfo struct {
	at    uint64
	sizes []uint64
}

func (r *sevenReader) streams() ([]sevenFolderInfo, sevenPackInfo) {
	var pack sevenPackInfo
	var folders []sevenFolderInfo
	id := r.byte()
	if id == sevenPack {
		pack = r.packInfo()
		id = r.byte()
	}
	if id == sevenUnpack {
		folders = r.unpackInfo()
		id = r.byte()
	}
	if id == sevenSubStreams {
		r.subStreams(folders)
		id = r.byte()
	}
	packed, at := 0, sevenHead+pack.at
	for i := range folders {
		f := &folders[i]
		f.at = int64(at)
		for n := range f.packed {
			if packed >= len(pack.sizes) || pack.sizes[packed] > 1<<60 || at > 1<<60 {
				r.fail(errSeven)
				return folders, pack
			}
			if n == 0 {
				f.length = int64(pack.sizes[packed])
			}
			at += pack.sizes[packed]
			packed++
		}
	}
	if id != sevenEnd {
		r.fail(errSeven)
	}
	return folders, pack
}

func (r *sevenReader) packInfo() sevenPackInfo {
	pack := sevenPackInfo{at: r.size()}
	n := r.count()
	id := r.byte()
	if id == sevenSize {
		for range n {
			pack.sizes = append(pack.sizes, r.size())
		}
		id = r.byte()
	}
	if id == sevenCRC {
		r.checksums(n)
		id = r.byte()
	}
	if id != sevenEnd {
		r.fail(errSeven)
	}
	return pack
}

func (r *sevenReader) unpackInfo() []sevenFolderInfo {
	if r.byte() != sevenFolder {
		r.fail(errSeven)
	}
	n := r.count()
	if r.byte() != 0 { // said elsewhere: no writer does that
		r.fail(errSeven)
	}
	var folders []sevenFolderInfo
	for i := 0; i < n && r.err == nil; i++ {
		folders = append(folders, r.folder())
	}
	if r.byte() != sevenUnpackSize {
		r.fail(errSeven)
	}
	for i := range folders {
		for j := range folders[i].coders {
			if size := r.size(); j == folders[i].main {
				folders[i].size = size
			}
		}
	}
	id := r.byte()
	if id == sevenCRC {
		first, has := r.checksums(n)
		if len(folders) > 0 {
			folders[0].crc, folders[0].hasCRC = first, has
		}
		id = r.byte()
	}
	if id != sevenEnd {
		r.fail(errSeven)
	}
	return folders
}

// folder reads how some streams are packed: a few coders, whose outputs go into
// inputs of others.
func (r *sevenReader) folder() sevenFolderInfo {
	f := sevenFolderInfo{streams: 1}
	n := r.count()
	if n == 0 || n > maxSevenCoders {
		r.fail(errSeven)
		return f
	}
	var inputs uint64
	for range n {
		c := r.coder()
		inputs += c.in
		f.coders = append(f.coders, c)
		f.encrypted = f.encrypted || c.id == sevenAES
		if how := c.unknown(n == 1); how != "" {
			f.unknown = how
		}
	}
	if r.err != nil {
		return f // its numbers are none
	}
	outputs := uint64(n)
	boundIn, boundOut := map[uint64]bool{}, map[uint64]bool{}
	for range n - 1 {
		in, out := r.number(), r.number()
		if in >= inputs || out >= outputs || boundIn[in] || boundOut[out] {
			r.fail(errSeven)
		}
		boundIn[in], boundOut[out] = true, true
	}
	for i := range n {
		if !boundOut[uint64(i)] {
			f.main = i
		}
	}
	if inputs < outputs {
		r.fail(errSeven)
		return f
	}
	f.packed = int(inputs - (outputs - 1))
	if f.packed > 1 {
		for range f.packed {
			if in := r.number(); in >= inputs || boundIn[in] {
				r.fail(errSeven)
			}
		}
	}
	return f
}

func (r *sevenReader) subStreams(folders []sevenFolderInfo) {
	id := r.byte()
	if id == sevenNumUnpack {
		for i := range folders {
			folders[i].streams = r.number()
		}
		id = r.byte()
	}
	total := uint64(0)
	several := false
	for _, f := range folders {
		if f.streams > maxSevenDirectory {
			r.fail(errSeven)
		}
		total += f.streams
		several = several || f.streams > 1
	}
	switch {
	case id == sevenSize:
		for _, f := range folders {
			sum := uint64(0)
			for j := uint64(1); j < f.streams && r.err == nil; j++ {
				sum += r.size()
			}
			if sum > f.size {
				r.fail(errSeven)
			}
		}
		id = r.byte()
	case several:
		r.fail(errSeven)
	}
	if id == sevenCRC {
		if total > maxSevenDirectory {
			r.fail(errSeven)
		}
		r.checksums(int(total))
		id = r.byte()
	}
	if id != sevenEnd {
		r.fail(errSeven)
	}
}

// files reads the list of files, in a directory of so many bytes.
func (r *sevenReader) files(d *sevenDirectory, all int) {
	d.files = r.count()
	switch {
	case d.files > maxSevenFiles:
		r.fail(fault.New("archive.Entries", fault.Limit, fault.LimitArchiveEntries, "more than %d entries in one 7z archive", maxSevenFiles))
	case d.files*len(d.folders) > maxSevenWork:
		r.fail(fault.New("archive.Entries", fault.Limit, fault.LimitArchiveEntries, "%d entries in %d streams of one 7z archive", d.files, len(d.folders)))
	}
	empty := 0
	seen := map[byte]bool{}
	for r.err == nil {
		begin := all - len(r.rest)
		id := r.byte()
		if id == sevenEnd {
			break
		}
		if seen[id] && id != sevenPadding {
			r.fail(errSeven)
		}
		seen[id] = true
		// The library goes by the counts, not by a property's length: both must agree.
		property := &sevenReader{rest: r.bytes(r.number())}
		switch id {
		case sevenEmptyStream:
			empty = property.bits(d.files)
		case sevenEmptyFile:
			property.bits(empty)
		case sevenCreated, sevenAccessed, sevenModified:
			property.each(d.files, 8)
		case sevenAttributes:
			property.each(d.files, 4)
		case sevenNames:
			if property.byte() != 0 || len(property.rest) < 2*d.files {
				property.fail(errSeven)
			}
			property.rest = nil
		case sevenPadding:
			property.rest = nil
		default: // places, marks of what is to be deleted, comments, and what is yet unknown
			property.rest = nil
			d.cut(begin, all-len(r.rest))
		}
		if property.err != nil || len(property.rest) > 0 {
			r.fail(errSeven)
		}
	}
	streams := uint64(0)
	for _, f := range d.folders {
		streams += f.streams
	}
	if uint64(d.files-empty) > streams {
		r.fail(fmt.Errorf("%w: more files than streams", errSeven))
	}
}
