package sevenzip

import (
	"encoding/binary"
	"time"
	"unicode/utf16"
)

// File is an entry of the directory.
type File struct {
	Name     string
	Modified time.Time // zero if unknown
	Kind     Kind
	// Folder is the number of what it is packed in; -1 for one without data, which may be
	// a file of nothing.
	Folder int
	Size   int64
	CRC    uint32
	HasCRC bool
}

// Kind is what an entry is.
type Kind int

// What an entry may be.
const (
	Regular Kind = iota
	DirectoryKind
	Link
	Device
	Anti // what is to be deleted
)

// Attributes are those of Windows. What a file is in Unix lies above them, where it is known.
const (
	attributeDirectory = 0x10
	attributeUnix      = 0xF0008000 // one of them, at least

	unixType      = 0xF000
	unixDirectory = 0x4000
	unixRegular   = 0x8000
	unixLink      = 0xA000
)

// kindOf reads attributes.
func kindOf(attributes uint32) Kind {
	if attributes&attributeUnix != 0 {
		switch attributes >> 16 & unixType {
		case unixDirectory:
			return DirectoryKind
		case unixLink:
			return Link
		case unixRegular, 0:
			return Regular
		}
		return Device
	}
	if attributes&attributeDirectory != 0 {
		return DirectoryKind
	}
	return Regular
}

// files reads the list of files.
func (r *reader) files(d *Directory) {
	n := r.count()
	if n > maxFiles {
		r.fail(tooMany())
		return
	}
	d.Files = make([]File, n)
	var isEmpty, isFile, isAnti bits
	empty := 0
	seen := map[byte]bool{}
	for r.err == nil {
		id := r.byte()
		if id == idEnd {
			break
		}
		if seen[id] && id != idPadding {
			r.fail(ErrCorrupt)
		}
		seen[id] = true
		property := &reader{rest: r.bytes(r.number())}
		switch id {
		case idEmptyStream:
			isEmpty = property.bits(n)
			empty = isEmpty.count(n)
		case idEmptyFile:
			isFile = property.bits(empty)
		case idAnti:
			isAnti = property.bits(empty)
		case idCreated, idAccessed:
			property.each(n, 8, func(int, []byte) {})
		case idModified:
			property.each(n, 8, func(i int, v []byte) { d.Files[i].Modified = timeOf(binary.LittleEndian.Uint64(v)) })
		case idAttributes:
			property.each(n, 4, func(i int, v []byte) { d.Files[i].Kind = kindOf(binary.LittleEndian.Uint32(v)) })
		case idNames:
			property.names(d.Files)
		default: // padding, places, comments, and what is yet unknown
			property.rest = nil
		}
		if property.err != nil || len(property.rest) > 0 {
			r.fail(ErrCorrupt)
		}
	}
	if r.err == nil {
		r.place(d, isEmpty, isFile, isAnti)
	}
}

// names reads the names, which are UTF-16 and end with a zero.
func (r *reader) names(files []File) {
	if r.byte() != 0 { // said elsewhere: no writer does that
		r.fail(ErrCorrupt)
	}
	var name []uint16
	for i := range files {
		name = name[:0]
		for {
			unit := r.bytes(2)
			if unit == nil {
				return
			}
			v := binary.LittleEndian.Uint16(unit)
			if v == 0 {
				break
			}
			name = append(name, v)
		}
		files[i].Name = string(utf16.Decode(name))
	}
}

// timeOf reads a time of Windows: tenths of a microsecond since 1601.
func timeOf(v uint64) time.Time {
	const perSecond, until1970 = 10_000_000, 11_644_473_600
	return time.Unix(int64(v/perSecond)-until1970, int64(v%perSecond)*100).UTC()
}

// place gives each file its part of a folder. A link has one as a file has.
func (r *reader) place(d *Directory, isEmpty, isFile, isAnti bits) {
	folder, inFolder, empty := 0, 0, 0
	for i := range d.Files {
		f := &d.Files[i]
		if isEmpty.has(i) {
			f.Folder = -1
			switch {
			case isAnti.has(empty):
				f.Kind = Anti
			case !isFile.has(empty) && f.Kind == Regular:
				f.Kind = DirectoryKind
			}
			empty++
			continue
		}
		for folder < len(d.Folders) && inFolder == len(d.Folders[folder].streams) {
			folder, inFolder = folder+1, 0
		}
		if folder == len(d.Folders) {
			r.fail(ErrCorrupt) // more files than streams
			return
		}
		s := d.Folders[folder].streams[inFolder]
		f.Folder, f.Size, f.CRC, f.HasCRC = folder, int64(s.size), s.sum, s.has
		inFolder++
	}
}
