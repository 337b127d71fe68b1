package archive

import (
	"encoding/binary"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"laundromat/internal/fault"
)

const (
	isoSector = 2048
	isoFirst  = 16 // the sector of the first volume descriptor
	isoHead   = isoFirst*isoSector + 6
	isoMark   = "CD001"

	isoDirectory = 1 << 1 // flags of a record (ECMA-119 9.1.6)
	isoMore      = 1 << 7 // the file goes on in the next record

	isoMaxDepth   = 256
	isoMaxParts   = 1 << 12 // records of one file
	isoMaxVolumes = 64      // descriptors that are looked at
)

func isIso(head []byte) bool {
	return len(head) >= isoHead && head[isoFirst*isoSector] == 1 && string(head[isoFirst*isoSector+1:isoHead]) == isoMark
}

// isoRecord is what a directory of an image says of one file (9.1), with what the
// Rock Ridge extensions add.
type isoRecord struct {
	name     string
	flags    byte
	modified time.Time
	parts    []isoPart
	mode     uint64
	link     string
	packed   bool // by zisofs
	moved    uint32
	hidden   bool // stands here only because directories were too deep
}

type isoPart struct{ at, size int64 }

func (r *isoRecord) size() (n int64) {
	for _, p := range r.parts {
		n += p.size
	}
	return n
}

// isoReader reads the directories of an image (ECMA-119), by the names of Rock Ridge
// where there are any, else those of Joliet, else plain ones.
type isoReader struct {
	w      *walk
	in     *tap
	joliet bool
	ridge  bool
	skip   int // bytes before the extensions in a record
	seen   map[int64]bool
}

// iso walks an image of a disc.
func (w *walk) iso(in *tap) error {
	r := &isoReader{w: w, in: in, seen: map[int64]bool{}}
	var plain, joliet *isoRecord
	var sector [isoSector]byte
	for i := range int64(isoMaxVolumes) {
		n, _ := in.ReadAt(sector[:], (isoFirst+i)*isoSector)
		if w.chain.trouble.err != nil {
			return errStop
		}
		if n < len(sector) || string(sector[1:6]) != isoMark || sector[0] == 255 {
			break
		}
		root, ok := r.record(sector[156:190])
		if !ok {
			continue
		}
		switch sector[0] {
		case 1:
			if plain == nil {
				plain = root
			}
		case 2:
			if escape := string(sector[88:91]); joliet == nil && (escape == "%/@" || escape == "%/C" || escape == "%/E") {
				joliet = root
			}
		}
	}
	if plain == nil {
		w.place++
		w.note(fault.ArchiveCorrupt, fault.Drop, "", "the image of a disc has no directory")
		return nil
	}
	root := plain
	if r.findRidge(plain); !r.ridge && joliet != nil {
		r.joliet, root = true, joliet
	}
	return r.directory(root, "", 0)
}

// findRidge looks for the extensions in the first record of the root (SUSP 5.3).
func (r *isoReader) findRidge(root *isoRecord) {
	var head [256]byte
	n, _ := r.in.ReadAt(head[:], root.parts[0].at)
	if n < 34 || int(head[0]) > n || head[0] < 34 {
		return
	}
	use := head[34:head[0]]
	if len(use) >= 7 && string(use[:2]) == "SP" && use[4] == 0xBE && use[5] == 0xEF {
		r.ridge, r.skip = true, int(use[6])
	}
}

// directory walks a directory and those in it.
func (r *isoReader) directory(d *isoRecord, path string, depth int) error {
	w := r.w
	if depth > isoMaxDepth || r.seen[d.parts[0].at] {
		w.place++
		w.note(fault.ArchiveCorrupt, fault.Drop, path, "the directory lies in itself")
		return nil
	}
	r.seen[d.parts[0].at] = true
	var file *isoRecord // whose records are not all read
	for _, part := range d.parts {
		for at := part.at; at < part.at+part.size; at += isoSector {
			var sector [isoSector]byte
			n, _ := r.in.ReadAt(sector[:], at)
			if w.chain.trouble.err != nil {
				return errStop
			}
			if n < len(sector) {
				w.place++
				w.note(fault.ArchiveTruncated, fault.Drop, path, "the directory lies beyond the end of the image, at byte %d", at)
				return nil
			}
			for rest := sector[:]; len(rest) > 0 && rest[0] != 0; {
				length := int(rest[0])
				if length > len(rest) {
					length = len(rest)
				}
				record, ok := r.record(rest[:length])
				if !ok {
					w.place++
					w.note(fault.ArchiveCorrupt, fault.Drop, path, "the directory is corrupt, at byte %d", at+int64(isoSector-len(rest)))
					break
				}
				rest = rest[length:]
				if record.name == "\x00" || record.name == "\x01" {
					continue // itself and the one above
				}
				if file != nil {
					file.parts = append(file.parts, record.parts...)
					file.flags = record.flags
				} else {
					file = record
				}
				if file.flags&isoMore != 0 && len(file.parts) < isoMaxParts {
					continue
				}
				whole := file
				file = nil
				if err := r.entry(whole, path, depth); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (r *isoReader) entry(f *isoRecord, path string, depth int) error {
	w := r.w
	name := path + f.name
	switch {
	case f.hidden:
		return nil
	case f.moved != 0:
		f.parts = []isoPart{r.extentOf(int64(f.moved) * isoSector)}
		return r.directory(f, name+"/", depth+1)
	case f.flags&isoDirectory != 0:
		return r.directory(f, name+"/", depth+1)
	}
	if err := w.met(); err != nil {
		return err
	}
	switch {
	case f.link != "" || f.mode&unixModeMask == 0o120000:
		w.note(fault.ArchiveLink, fault.Warning, name, "it is a link to %s", fault.Excerpt([]byte(f.link)))
		return nil
	case f.mode != 0 && f.mode&unixModeMask != 0o100000:
		w.device(name)
		return nil
	case f.packed:
		w.note(fault.ArchiveUnsupported, fault.Drop, name, "it is packed by zisofs")
		return nil
	}
	readers := make([]io.Reader, len(f.parts))
	for i, p := range f.parts {
		readers[i] = io.NewSectionReader(r.in, p.at, p.size)
	}
	size := f.size()
	return w.entry(Entry{Name: name, ModTime: f.modified, Size: size}, io.MultiReader(readers...), checks{size: size})
}

// extentOf reads the length of a directory from the record of itself that it begins with.
func (r *isoReader) extentOf(at int64) isoPart {
	var head [34]byte
	r.in.ReadAt(head[:], at)
	return isoPart{at, int64(binary.LittleEndian.Uint32(head[10:]))}
}

// record reads one record; ok is false if it can't be one.
func (r *isoReader) record(b []byte) (*isoRecord, bool) {
	if len(b) < 34 || int(b[32]) > len(b)-33 || b[32] == 0 {
		return nil, false
	}
	le := binary.LittleEndian
	at, size := int64(le.Uint32(b[2:]))+int64(b[1]), int64(le.Uint32(b[10:]))
	f := &isoRecord{flags: b[25], parts: []isoPart{{at * isoSector, size}}, modified: isoTime(b[18:25])}
	raw := b[33 : 33+int(b[32])]
	f.name = string(raw)
	if f.name == "\x00" || f.name == "\x01" {
		return f, true
	}
	if r.joliet {
		units := make([]uint16, len(raw)/2)
		for i := range units {
			units[i] = binary.BigEndian.Uint16(raw[2*i:])
		}
		f.name = string(utf16.Decode(units))
	}
	if i := strings.LastIndexByte(f.name, ';'); i > 0 {
		f.name = strings.TrimSuffix(f.name[:i], ".")
	}
	if r.ridge {
		use := 33 + len(raw)
		use += use & 1 // a byte of padding
		if use += r.skip; use < len(b) {
			r.extensions(f, b[use:])
		}
	}
	return f, true
}

// isoTime reads a time of seven bytes (9.1.5).
func isoTime(b []byte) time.Time {
	if b[1] == 0 {
		return time.Time{}
	}
	zone := time.FixedZone("", int(int8(b[6]))*15*60)
	return time.Date(1900+int(b[0]), time.Month(b[1]), int(b[2]), int(b[3]), int(b[4]), int(b[5]), 0, zone).UTC()
}

// extensions reads what Rock Ridge says of a file (RRIP 4.1).
func (r *isoReader) extensions(f *isoRecord, use []byte) {
	var name strings.Builder
	var link []string
	open := false // the last part of the link goes on
	areas := 0
	for len(use) >= 4 {
		length := int(use[2])
		if length < 4 || length > len(use) {
			break
		}
		field := use[:length]
		use = use[length:]
		le := binary.LittleEndian
		switch string(field[:2]) {
		case "NM":
			if length > 5 && field[4]&6 == 0 {
				name.Write(field[5:])
			}
		case "PX":
			if length >= 12 {
				f.mode = uint64(le.Uint32(field[4:]))
			}
		case "SL":
			for part := field[min(5, length):]; len(part) >= 2 && int(part[1])+2 <= len(part); part = part[2+part[1]:] {
				text := string(part[2 : 2+part[1]])
				switch part[0] &^ 1 {
				case 2:
					text = "."
				case 4:
					text = ".."
				case 8:
					text = ""
				}
				if open {
					link[len(link)-1] += text
				} else {
					link = append(link, text)
				}
				open = part[0]&1 != 0
			}
		case "CL":
			if length >= 12 {
				f.moved = le.Uint32(field[4:])
			}
		case "RE":
			f.hidden = true
		case "ZF":
			f.packed = true
		case "CE":
			if areas++; length < 28 || areas > 16 {
				return
			}
			more := make([]byte, min(le.Uint32(field[20:]), isoSector))
			n, _ := r.in.ReadAt(more, int64(le.Uint32(field[4:]))*isoSector+int64(le.Uint32(field[12:])))
			use = more[:n]
		case "ST":
			use = nil
		}
	}
	if name.Len() > 0 {
		f.name = name.String()
	}
	f.link = strings.Join(link, "/")
}
