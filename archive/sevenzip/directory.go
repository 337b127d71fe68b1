// Package sevenzip reads the directory of a 7z, and unpacks its folders. What 7z calls a
// folder is a stream that some files were packed in, one after another, by a chain of
// coders. The names are those of 7-Zip's description of the format.
//
//	d, err := sevenzip.Read(in, size)
//	for _, f := range d.Files { … }
//	r, err := sevenzip.Unpack(in, &d.Folders[0], memory)
//
// Every count in a directory is held against the bytes that are there before anything is
// made of it. So a small file can't take much memory.
package sevenzip

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"laundromat/internal/fault"
)

const (
	maxDirectory = 64 << 20 // bytes, unpacked
	maxFiles     = 1 << 18
	maxCoders    = 8
	// HeadSize is how many bytes are before the first stream.
	HeadSize = 32
	// Mark is what a 7z begins with.
	Mark = "7z\xBC\xAF\x27\x1C"
)

// Identifiers of the parts of a directory.
const (
	idEnd         = 0x00
	idHeader      = 0x01
	idProperties  = 0x02
	idAdditional  = 0x03
	idStreams     = 0x04
	idFiles       = 0x05
	idPack        = 0x06
	idUnpack      = 0x07
	idSubStreams  = 0x08
	idSize        = 0x09
	idCRC         = 0x0A
	idFolder      = 0x0B
	idUnpackSize  = 0x0C
	idNumUnpack   = 0x0D
	idEmptyStream = 0x0E
	idEmptyFile   = 0x0F
	idAnti        = 0x10
	idNames       = 0x11
	idCreated     = 0x12
	idAccessed    = 0x13
	idModified    = 0x14
	idAttributes  = 0x15
	idEncoded     = 0x17
	idPadding     = 0x19
)

// What may be wrong with a directory, beside what the source says. Io.ErrUnexpectedEOF says
// that the file ends too early.
var (
	ErrCorrupt     = errors.New("sevenzip: a directory that contradicts itself")
	ErrEncrypted   = errors.New("sevenzip: an encrypted directory")
	ErrUnsupported = errors.New("sevenzip: packed in a way that can't be read")
)

// Directory is what a 7z says of itself.
type Directory struct {
	Folders []Folder
	Files   []File
	End     int64 // of the archive
}

// Start is the head of a 7z: where its directory lies.
type Start struct {
	At, Length uint64 // in bytes after the head
	crc        uint32
}

// ReadStart reads the head. IsSound says whether it has the right checksum.
func ReadStart(in io.ReaderAt) (s Start, isSound bool, err error) {
	var head [HeadSize]byte
	if n, _ := in.ReadAt(head[:], 0); n < len(head) {
		return s, false, io.ErrUnexpectedEOF
	}
	le := binary.LittleEndian
	s = Start{le.Uint64(head[12:]), le.Uint64(head[20:]), le.Uint32(head[28:])}
	return s, crc32.ChecksumIEEE(head[12:]) == le.Uint32(head[8:]), nil
}

// Read reads the directory of a 7z of so many bytes. Unpacking it takes a window of as much
// memory as is said.
func Read(in io.ReaderAt, size int64, memory int) (*Directory, error) {
	s, isSound, err := ReadStart(in)
	switch all := uint64(size); {
	case err != nil:
		return nil, err
	case !isSound:
		return nil, ErrCorrupt
	case s.At > all || s.Length > all || HeadSize+s.At+s.Length > all:
		return nil, io.ErrUnexpectedEOF
	case s.Length > maxDirectory:
		return nil, ErrUnsupported
	case s == Start{}:
		return &Directory{End: HeadSize}, nil
	case s.Length == 0:
		return nil, ErrCorrupt
	}
	raw := make([]byte, s.Length)
	if n, _ := in.ReadAt(raw, int64(HeadSize+s.At)); n < len(raw) {
		return nil, io.ErrUnexpectedEOF
	}
	if crc32.ChecksumIEEE(raw) != s.crc {
		return nil, ErrCorrupt
	}
	for range maxCoders { // a packed one may be packed again
		if raw[0] != idEncoded {
			break
		}
		if raw, err = unpackDirectory(in, raw[1:], memory); err != nil {
			return nil, err
		}
	}
	r := &reader{rest: raw}
	if r.byte() != idHeader {
		return nil, ErrCorrupt
	}
	d := &Directory{End: int64(HeadSize + s.At + s.Length)}
	r.directory(d)
	return d, r.err
}

// unpackDirectory unpacks a directory that is packed itself, in whatever way.
func unpackDirectory(in io.ReaderAt, raw []byte, memory int) ([]byte, error) {
	r := &reader{rest: raw}
	folders := r.streams()
	if r.err != nil {
		return nil, r.err
	}
	if len(folders) != 1 || folders[0].Size == 0 {
		return nil, ErrCorrupt
	}
	f := &folders[0]
	switch {
	case f.IsEncrypted:
		return nil, ErrEncrypted
	case f.Size > maxDirectory || f.Unknown != "":
		return nil, ErrUnsupported
	}
	out, err := Unpack(in, f, memory)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	directory, err := io.ReadAll(io.LimitReader(out, int64(f.Size))) // the size is only claimed
	switch {
	case err != nil:
		return nil, err
	case uint64(len(directory)) < f.Size:
		return nil, io.ErrUnexpectedEOF
	case f.HasCRC && crc32.ChecksumIEEE(directory) != f.CRC:
		return nil, ErrCorrupt
	}
	return directory, nil
}

// directory reads a directory, after its first byte.
func (r *reader) directory(d *Directory) {
	id := r.byte()
	if id == idProperties {
		for r.number() != idEnd && r.err == nil {
			r.bytes(r.number())
		}
		id = r.byte()
	}
	if id == idAdditional {
		r.streams()
		id = r.byte()
	}
	if id == idStreams {
		d.Folders = r.streams()
		id = r.byte()
	}
	if id == idFiles {
		r.files(d)
		id = r.byte()
	}
	if id != idEnd {
		r.fail(ErrCorrupt)
	}
}

// tooMany is the error of a directory that names more files than are held.
func tooMany() error {
	return fault.New("archive.Entries", fault.Limit, fault.LimitArchiveEntries, "more than %d entries in one 7z archive", maxFiles)
}
