package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"time"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// Signatures and lengths of the records of a zip (APPNOTE.TXT 4.3).
const (
	zipLocal      = "PK\x03\x04"
	zipCentral    = "PK\x01\x02"
	zipEnd        = "PK\x05\x06"
	zipEnd64      = "PK\x06\x06"
	zipLocator64  = "PK\x06\x07"
	zipDescriptor = "PK\x07\x08"

	zipLocalSize   = 30
	zipCentralSize = 46
	zipEndSize     = 22
	zipEnd64Size   = 56
	zipLocatorSize = 20
)

// Bits of the general purpose flag (4.4.4).
const (
	zipEncrypted      = 1 << 0
	zipHasDescriptor  = 1 << 3
	zipPatched        = 1 << 5
	zipStrong         = 1 << 6
	zipMaskedHeader   = 1 << 13
	zipCantBeRead     = zipEncrypted | zipStrong | zipMaskedHeader
	zipMethodAES      = 99
	zipSizeIn64       = 1<<32 - 1
	zipExtra64        = 1
	zipExtraTime      = 0x5455
	zipExtraName      = 0x7075
	zipMakerUnix      = 3
	zipMakerMac       = 19
	unixModeType      = 0xF000
	unixModePipe      = 0x1000
	unixModeRegular   = 0x8000
	unixModeDirectory = 0x4000
	unixModeLink      = 0xA000
)

var errZip = errors.New("archive: not a zip record")

// zipEntry is what a record of the directory, or a local header, says of an entry.
type zipEntry struct {
	name         string
	text         string // the name as people read it, if that is another
	flags        uint16
	method       uint16
	modified     time.Time
	crc          uint32
	packed, size int64
	at           int64  // of the local header
	mode         uint32 // Unix file type; 0 if unknown
	disk         int    // the part of the zip, from 0, that at is counted from
}

// zip walks a zip by its directory, which is read as a stream: a million entries
// take no more memory than one. Where the directory is missing or breaks off, the
// entries are looked for by their local headers. What is before the zip may be
// a zip of its own.
func (w *walk) zip(in *tap) error {
	zips := []zipPart{{in: in}}
	for in.src.Size() > 0 && len(zips) < maxZips {
		part := &zips[len(zips)-1]
		part.dir, part.err = findZipDirectory(part.in)
		if w.chain.trouble.err != nil {
			return errStop
		}
		if part.err != nil && len(zips) > 1 { // the directory found was that of an entry
			zips = []zipPart{{in: in, err: part.err}}
			break
		}
		if part.err != nil || part.dir.base == 0 {
			break
		}
		before := &tap{ctx: in.ctx, src: io.NewSectionReader(part.in.src, 0, part.dir.base), trouble: in.trouble}
		var head [4]byte
		before.ReadAt(head[:], 0)
		if !isZip(head[:]) {
			w.o.noted.ofEntry(w.place, fault.Notice{Code: fault.ArchiveLeadingBytes, Severity: fault.Note, Bytes: part.dir.base,
				Message: fmt.Sprintf("the zip begins at byte %d, after what may be a program that unpacks it", part.dir.base)})
			break
		}
		zips = append(zips, zipPart{in: before})
	}
	for i := len(zips) - 1; i >= 0; i-- {
		if err := w.oneZip(zips[i]); err != nil {
			return err
		}
	}
	return nil
}

// maxZips is how many zips may be one after another in a file.
const maxZips = 1000

// zipPart is one zip of those that are one after another.
type zipPart struct {
	in  *tap
	dir zipDirectory
	err error // why it has no directory
}

func (w *walk) oneZip(part zipPart) error {
	in, dir := part.in, part.dir
	if part.err != nil {
		w.place++
		w.note(fault.ArchiveTruncated, fault.Drop, "", "the directory at the end of the zip is missing; its entries are looked for from "+
			"the front")
		return w.scanZip(in, 0)
	}
	w.names = zipNames{}
	r := bufio.NewReaderSize(io.NewSectionReader(in, dir.at, dir.end-dir.at), layerBuffer)
	reached := dir.base
	read := int64(0)
	for first := true; ; first = false {
		e, err := readZipCentral(r)
		switch {
		case w.chain.trouble.err != nil:
			return errStop
		case err == io.EOF:
			return nil
		case err != nil:
			w.place++
			w.note(fault.ArchiveCorrupt, fault.Drop, "", "the directory of the zip is corrupt after %d entries, at byte %d; the others "+
				"are looked for by their own headers", read, dir.end-int64(r.Buffered()))
			return w.scanZip(in, reached)
		}
		read++
		if first && isPackage(e.name) {
			w.note(fault.ArchivePackage, fault.Note, "", "the file is a document or program that is a zip; its parts are read")
		}
		e.at += dir.base + startOf(in.src, e.disk)
		w.readName(&e, func(add func(zipEntry) bool) {
			again := bufio.NewReaderSize(io.NewSectionReader(in, dir.at, dir.end-dir.at), layerBuffer)
			for {
				if e, err := readZipCentral(again); err != nil || !add(e) {
					return
				}
			}
		})
		if end := e.at + e.packed; e.packed >= 0 && end <= dir.at {
			reached = max(reached, end)
		}
		if err := w.zipEntry(in, dir, e); err != nil {
			return err
		}
	}
}

// zipDirectory is where the directory lies, and how much is before the zip
// that the places in it don't count.
type zipDirectory struct{ at, end, base int64 }

// findZipDirectory reads the record at the end of a zip (4.3.16), and the longer
// one of large zips before it (4.3.14). A directory that lies neither where the
// record says nor right before it is not taken. One that lies right before it says
// by how much the zip was moved.
func findZipDirectory(in *tap) (zipDirectory, error) {
	size := in.src.Size()
	tail := make([]byte, min(size, zipEndSize+1<<16-1))
	if n, err := in.ReadAt(tail, size-int64(len(tail))); n < len(tail) {
		return zipDirectory{}, err
	}
	for i := len(tail) - zipEndSize; i >= 0; i-- {
		i = bytes.LastIndex(tail[:i+4], []byte(zipEnd))
		if i < 0 {
			break
		}
		end := tail[i:]
		if int(binary.LittleEndian.Uint16(end[20:])) > len(end)-zipEndSize {
			continue
		}
		length := int64(binary.LittleEndian.Uint32(end[12:]))
		at := startOf(in.src, int(binary.LittleEndian.Uint16(end[6:]))) + int64(binary.LittleEndian.Uint32(end[16:]))
		stop := size - int64(len(tail)) + int64(i)
		if a, l, s, ok := findZipDirectory64(in, stop); ok {
			at, length, stop = a, l, s
		}
		if at < 0 || length < 0 || at > stop-length {
			continue
		}
		base := stop - length - at
		switch {
		case base == 0 && isZipDirectory(in, at, length), length > 0 && isZipDirectory(in, at, length):
			return zipDirectory{at: at, end: at + length}, nil
		case isZipDirectory(in, at+base, length) && (length == 0 || movedZip(in, at+base, base)):
			return zipDirectory{at: at + base, end: stop, base: base}, nil
		}
	}
	return zipDirectory{}, errZip
}

// isZip knows a zip by its first bytes: an entry, or the end of one without any.
func isZip(head []byte) bool {
	return begins(zipLocal)(head) || begins(zipEnd)(head) || begins(zipDescriptor+zipLocal)(head) || begins("PK00"+zipLocal)(head)
}

// zipBehind says whether a zip follows other bytes, most often a program that unpacks it.
// Its end record is the very end of the file. Or the file is a program or calls itself a
// zip, and an end record or an entry is found.
func zipBehind(in *tap, head []byte, name string) bool {
	size := in.src.Size()
	var end [zipEndSize]byte
	if n, _ := in.ReadAt(end[:], size-zipEndSize); n < len(end) {
		return false
	}
	whole := string(end[:4]) == zipEnd && end[20] == 0 && end[21] == 0
	program := begins("MZ")(head) || begins("\x7FELF")(head) || begins("#!")(head)
	if !whole && !program && !hasSuffix(name, []string{".zip"}) {
		return false
	}
	if dir, err := findZipDirectory(in); err == nil {
		return dir.end > dir.at
	}
	if !program {
		return false
	}
	for at := int64(0); at < maxZipPrefix; at += int64(len(zipLocal)) {
		if at = nextZipHeader(in, at); at < 0 || at > maxZipPrefix {
			return false
		}
		if e, _, ok := readZipLocal(in, at); ok && (e.method == zipStored || e.method == zipDeflate) && isText(e.name) {
			return true
		}
	}
	return false
}

// maxZipPrefix is how far into a program without a directory an entry is looked for.
const maxZipPrefix = 1 << 20

// movedZip says whether the first entry of a directory lies where it does if the
// whole was moved by base. Else the directory is that of a zip that is an entry of
// one whose end is missing.
func movedZip(in *tap, at, base int64) bool {
	e, err := readZipCentral(bufio.NewReader(io.NewSectionReader(in, at, 1<<17)))
	var mark [4]byte
	n, _ := in.ReadAt(mark[:], e.at+base)
	return err == nil && n == len(mark) && string(mark[:]) == zipLocal
}

func findZipDirectory64(in *tap, end int64) (at, length, stop int64, ok bool) {
	var locator [zipLocatorSize]byte
	if n, _ := in.ReadAt(locator[:], end-zipLocatorSize); n < len(locator) || string(locator[:4]) != zipLocator64 {
		return 0, 0, 0, false
	}
	stop = int64(binary.LittleEndian.Uint64(locator[8:]))
	var record [zipEnd64Size]byte
	for _, place := range []int64{stop, end - zipLocatorSize - zipEnd64Size} { // as it says, or else just before
		if n, _ := in.ReadAt(record[:], place); n == len(record) && string(record[:4]) == zipEnd64 {
			length = int64(binary.LittleEndian.Uint64(record[40:]))
			at = int64(binary.LittleEndian.Uint64(record[48:]))
			return at, length, place, at >= 0 && length >= 0
		}
	}
	return 0, 0, 0, false
}

// isZipDirectory says whether a directory may lie at a place.
func isZipDirectory(in *tap, at, length int64) bool {
	if length == 0 {
		return true
	}
	var mark [4]byte
	n, _ := in.ReadAt(mark[:], at)
	return n == len(mark) && string(mark[:]) == zipCentral
}

// readZipCentral reads one record of the directory (4.3.12). io.EOF is its end.
func readZipCentral(r *bufio.Reader) (zipEntry, error) {
	var h [zipCentralSize]byte
	if _, err := io.ReadFull(r, h[:4]); err != nil {
		return zipEntry{}, err
	}
	if mark := string(h[:4]); mark != zipCentral {
		if mark == zipEnd64 || mark == zipEnd || mark == "PK\x05\x05" { // the last is a signature of the directory
			return zipEntry{}, io.EOF
		}
		return zipEntry{}, errZip
	}
	if _, err := io.ReadFull(r, h[4:]); err != nil {
		return zipEntry{}, errZip
	}
	le := binary.LittleEndian
	e := zipEntry{
		flags: le.Uint16(h[8:]), method: le.Uint16(h[10:]), modified: dosTime(le.Uint16(h[14:]), le.Uint16(h[12:])),
		crc: le.Uint32(h[16:]), packed: int64(le.Uint32(h[20:])), size: int64(le.Uint32(h[24:])), at: int64(le.Uint32(h[42:])),
		disk: int(le.Uint16(h[34:])),
	}
	if maker := h[5]; maker == zipMakerUnix || maker == zipMakerMac {
		e.mode = le.Uint32(h[38:]) >> 16 & unixModeType
	}
	rest := make([]byte, int(le.Uint16(h[28:]))+int(le.Uint16(h[30:])))
	if _, err := io.ReadFull(r, rest); err != nil {
		return zipEntry{}, errZip
	}
	if _, err := r.Discard(int(le.Uint16(h[32:]))); err != nil {
		return zipEntry{}, errZip
	}
	e.name = string(rest[:le.Uint16(h[28:])])
	e.readExtra(rest[len(e.name):])
	return e, nil
}

// readExtra takes what the extra fields say better: sizes and places beyond 4 GiB
// (4.5.3), and the time in UTC.
func (e *zipEntry) readExtra(extra []byte) {
	le := binary.LittleEndian
	for len(extra) >= 4 {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return
		}
		field := extra[:n]
		extra = extra[n:]
		switch id {
		case zipExtra64:
			for _, value := range []*int64{&e.size, &e.packed, &e.at} {
				if *value == zipSizeIn64 && len(field) >= 8 {
					*value = int64(le.Uint64(field))
					field = field[8:]
				}
			}
		case zipExtraName: // version, checksum of the name, the name in UTF-8
			if n > 5 && field[0] == 1 && le.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(e.name)) && utf8.Valid(field[5:]) &&
				string(field[5:]) != e.name {
				e.text = string(field[5:])
			}
		case zipExtraTime:
			if n >= 5 && field[0]&1 != 0 {
				e.modified = time.Unix(int64(int32(le.Uint32(field[1:]))), 0).UTC()
			}
		}
	}
}

// dosTime reads a time of MS-DOS, which has no zone: UTC is as good as any.
func dosTime(date, clock uint16) time.Time {
	if date == 0 {
		return time.Time{}
	}
	return time.Date(int(date>>9)+1980, time.Month(date>>5&15), int(date&31),
		int(clock>>11), int(clock>>5&63), int(clock&31)*2, 0, time.UTC)
}

// zipEntry hands on an entry that the directory names.
func (w *walk) zipEntry(in *tap, dir zipDirectory, e zipEntry) error {
	if err := w.met(); err != nil {
		return err
	}
	e, data, ok := w.zipPlace(in, dir, e)
	switch {
	case w.chain.trouble.err != nil:
		return errStop
	case !w.wanted(e):
		return nil
	case !ok && e.at >= 0 && e.at+zipLocalSize > in.src.Size():
		w.note(fault.ArchiveTruncated, fault.Drop, e.label(), "it lies beyond the end of the zip")
		return nil
	case !ok:
		w.note(fault.ArchiveCorrupt, fault.Drop, e.label(), "the directory points to a place where it is not")
		return nil
	}
	out, err := e.unpack(&w.zipReaders, w.section(in, data, e.packed), w.o.limits.window())
	if err != nil {
		w.notUnpacked(e, err)
		return nil
	}
	defer out.Close()
	size := e.size
	if size < 0 {
		size = -1
	}
	return w.entry(Entry{Name: e.name, Text: e.text, ModTime: e.modified, Size: size}, out, checks{size: size, crc: e.crc, hasCRC: true})
}

// wanted says whether an entry is a file that can be read.
func (w *walk) wanted(e zipEntry) bool {
	switch {
	case e.name != "" && e.name[len(e.name)-1] == '/', e.mode == unixModeDirectory:
		return false
	case e.mode == unixModeLink:
		w.note(fault.ArchiveLink, fault.Warning, e.label(), "it is a link")
		return false
	case e.mode == unixModePipe && e.packed != 0: // what zip packs from its standard input
	case e.mode != 0 && e.mode != unixModeRegular:
		w.device(e.label())
		return false
	}
	switch {
	case e.flags&zipCantBeRead != 0 || e.method == zipMethodAES:
		w.note(fault.ArchiveEncrypted, fault.Drop, e.label(), "it is encrypted")
		return false
	}
	return true
}
