package archive

import (
	"encoding/binary"
	"hash/crc32"

	"laundromat/internal/fault"
)

// The headers of a rar are checked here before the library may read them. The library
// believes the lengths in them, and indexes past the end where they are wrong.

const (
	rarMark4  = 7 // length of the mark of version 1.5 to 4
	rarMark5  = 8 // and of version 5
	rarHuge   = 1 << 60
	rar5Main  = 1
	rar5File  = 2
	rar5Crypt = 4
	rar5End   = 5
	// rar5Redirection is the record of a file without data of its own: a link, of whatever kind, or a
	// copy of another.
	rar5Redirection = 5
	rar4File        = 0x74
	rar4Sub         = 0x7A
	rar4End         = 0x7B
)

// soundRar returns up to where the blocks of a rar are sound, and what ends them there. Links says
// which of its files are links that the library takes for files.
// That is "" at the end of the archive, or for something that the library detects itself.
func soundRar(in *tap) (end int64, links []bool, code fault.Code) {
	var mark [rarMark5]byte
	in.ReadAt(mark[:], 0)
	five := mark[6] == 1
	at := int64(rarMark4)
	if five {
		at = rarMark5
	}
	size := in.src.Size()
	for at < size {
		var next int64
		var last bool
		if five {
			next, last, code = soundRar5(in, at, &links)
		} else {
			next, last, code = soundRar4(in, at)
		}
		switch {
		case code != "":
			return at, links, code
		case next >= size:
			return size, links, ""
		case last:
			return next, links, "" // the library would read on after it
		}
		at = next
	}
	return size, links, ""
}

// soundRar5 checks the block at a place: CRC, length, and a header of
// numbers of seven bits a byte.
func soundRar5(in *tap, at int64, links *[]bool) (next int64, last bool, code fault.Code) {
	var head [7]byte
	if n, _ := in.ReadAt(head[:], at); n < len(head) {
		return 0, false, fault.ArchiveTruncated
	}
	r := &sevenBits{rest: head[4:]}
	length := r.number()
	used := 3 - len(r.rest)
	if r.bad || length < 2 || length > 1<<21 || used+int(length) < 3 {
		return 0, false, fault.ArchiveCorrupt
	}
	block := make([]byte, used+int(length))
	if n, _ := in.ReadAt(block, at+4); n < len(block) {
		return 0, false, fault.ArchiveTruncated
	}
	if crc32.ChecksumIEEE(block) != binary.LittleEndian.Uint32(head[:]) {
		return 0, false, fault.ArchiveCorrupt
	}
	r = &sevenBits{rest: block[used:]}
	kind, flags := r.number(), r.number()
	var extra, data uint64
	if flags&1 != 0 {
		extra = r.number()
	}
	if flags&2 != 0 {
		data = r.number()
	}
	if kind == rar5Crypt && at == rarMark5 {
		// Nothing after it can be read. Anywhere else the library skips such a block.
		return in.src.Size(), true, ""
	}
	if kind == rar5Main && data > 0 { // the library does not skip it, and no writer writes any
		return 0, false, fault.ArchiveCorrupt
	}
	if r.bad || data > rarHuge || extra > uint64(len(r.rest)) {
		return 0, false, fault.ArchiveCorrupt
	}
	extras := &sevenBits{rest: r.rest[len(r.rest)-int(extra):]}
	isLink := false
	for len(extras.rest) > 0 {
		length := extras.number()
		record := &sevenBits{rest: extras.rest}
		isLink = isLink || record.number() == rar5Redirection
		extras.skip(length)
	}
	r.rest = r.rest[:len(r.rest)-int(extra)]
	if kind == rar5File {
		r.file()
		*links = append(*links, isLink)
	}
	if r.bad || extras.bad {
		return 0, false, fault.ArchiveCorrupt
	}
	return at + 4 + int64(len(block)) + int64(data), kind == rar5End, ""
}

// sevenBits reads numbers of seven bits a byte.
type sevenBits struct {
	rest []byte
	bad  bool
}

func (r *sevenBits) number() (v uint64) {
	for i, b := range r.rest {
		if i == 9 {
			break
		}
		v |= uint64(b&0x7F) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return v
		}
	}
	r.rest, r.bad = nil, true
	return 0
}

func (r *sevenBits) skip(n uint64) {
	if n > uint64(len(r.rest)) {
		r.rest, r.bad = nil, true
		return
	}
	r.rest = r.rest[n:]
}

// file checks the header of a file up to its name.
func (r *sevenBits) file() {
	flags := r.number()
	size := r.number()
	r.number() // attributes
	if flags&2 != 0 {
		r.skip(4) // time
	}
	if flags&4 != 0 {
		r.skip(4) // CRC
	}
	r.number() // method
	r.number() // system
	r.skip(r.number())
	r.bad = r.bad || size > rarHuge
}

// soundRar4 checks the lengths in the block at a place; the library checks the rest.
func soundRar4(in *tap, at int64) (next int64, last bool, code fault.Code) {
	var head [40]byte
	n, _ := in.ReadAt(head[:], at)
	if n < 7 {
		return 0, false, fault.ArchiveTruncated
	}
	le := binary.LittleEndian
	kind, flags, length := head[2], le.Uint16(head[3:]), int64(le.Uint16(head[5:]))
	if length < 7 {
		return 0, false, fault.ArchiveCorrupt
	}
	var data uint64
	if flags&0x8000 != 0 {
		data = uint64(le.Uint32(head[7:]))
	}
	if large := flags&0x100 != 0; large && (kind == rar4File || kind == rar4Sub) {
		if n < len(head) || length < int64(len(head)) {
			return 0, false, fault.ArchiveCorrupt
		}
		data |= uint64(le.Uint32(head[32:])) << 32
		if unpacked := uint64(le.Uint32(head[36:]))<<32 | uint64(le.Uint32(head[11:])); unpacked > rarHuge && unpacked != 1<<64-1 {
			return 0, false, fault.ArchiveCorrupt
		}
	}
	if data > rarHuge {
		return 0, false, fault.ArchiveCorrupt
	}
	return at + length + int64(data), kind == rar4End, ""
}
