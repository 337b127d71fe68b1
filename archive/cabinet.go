package archive

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// A cabinet is a head, a table of folders, a table of files, and the blocks of the folders. A
// folder is one stream that holds files, cut into blocks of 32 KiB. Each block has its own
// checksum and is packed by itself, with what the one before unpacked to as history.
// Microsoft Cabinet Format, [MS-CAB] §2.

const (
	cabinetMark   = "MSCF\x00\x00\x00\x00"
	cabinetHead   = 36
	cabinetFolder = 8  // bytes of a row of the table of folders
	cabinetFile   = 16 // bytes of a row of the table of files, before the name
	cabinetName   = 64 << 10
	maxCabinets   = 1 << 16 // after each other

	cabinetHasPrevious = 1 // flags of the head
	cabinetHasNext     = 2
	cabinetHasReserve  = 4

	cabinetFromPrevious = 0xFFFD // instead of a folder's number
	cabinetToNext       = 0xFFFE
	cabinetFromAndTo    = 0xFFFF
)

// isCabinet wants version 1.3, the only one there is.
func isCabinet(head []byte) bool {
	return len(head) >= cabinetHead && string(head[:8]) == cabinetMark && head[24] == 3 && head[25] == 1
}

// cabinetDirectory is what is before the blocks.
type cabinetDirectory struct {
	end     int64 // of the cabinet, as it says
	reserve int   // bytes of each block's head that others may use
	folders []cabinetFolderInfo
	files   []cabinetFileInfo
}

type cabinetFolderInfo struct {
	at     int64 // of its first block
	end    int64 // where the next folder begins
	blocks int
	method int
	broken bool // it begins in the cabinet before
}

type cabinetFileInfo struct {
	name        string
	start, size int64 // in what the folder unpacks to
	folder      int
	date, clock uint16
}

// oneCabinet walks a cabinet and returns where it ends.
func (w *walk) oneCabinet(_ context.Context, in *tap) (end int64, err error) {
	directory, err := readCabinetDirectory(in)
	if w.chain.trouble.err != nil {
		return 0, errStop
	}
	if err != nil {
		w.place++
		code := damageCode(err)
		w.note(code, fault.Drop, "", "the tables of the cabinet %s; the files that they name from there on are lost", damageVerb(code))
	}
	var stream *cabinetStream
	for i := range directory.files {
		f := &directory.files[i]
		if err := w.met(); err != nil {
			return 0, err
		}
		if f.folder >= len(directory.folders) {
			w.note(fault.ArchiveCorrupt, fault.Drop, f.name, "the table points to a folder that there is not")
			continue
		}
		folder := &directory.folders[f.folder]
		switch {
		case folder.broken:
			w.note(fault.ArchiveTruncated, fault.Drop, f.name, "it is lost: the stream that it is packed in begins in the cabinet before "+
				"this one")
			continue
		case folder.method > cabinetMSZIP:
			w.note(fault.ArchiveUnsupported, fault.Drop, f.name, "it is packed by %s, which can't be read", cabinetMethod(folder.method))
			continue
		}
		if stream == nil || stream.folder != folder {
			stream = newCabinetStream(in, directory, folder)
		}
		if err := w.cabinetEntry(stream, f); err != nil {
			return 0, err
		}
	}
	if directory.end < cabinetHead || err != nil {
		return in.src.Size(), nil
	}
	return directory.end, nil
}

func (w *walk) cabinetEntry(stream *cabinetStream, f *cabinetFileInfo) error {
	e := Entry{Name: f.name, ModTime: dosTime(f.date, f.clock), Size: f.size}
	if f.size == 0 {
		return w.entry(e, strings.NewReader(""), checks{})
	}
	if f.start < stream.at {
		w.note(fault.ArchiveCorrupt, fault.Drop, f.name, "the table points into the file before it")
		return nil
	}
	if err := w.passOver(f.start - stream.at); err != nil {
		w.stoppedIn(f.name)
		return w.chain.trouble.err
	}
	if !stream.skip(f.start, f.start+f.size) {
		if w.chain.trouble.err != nil {
			return errStop
		}
		stream.loss(w, f.name)
		return nil
	}
	return w.entry(e, &solidFile{w: w, f: &stream.solid, name: f.name, end: f.start + f.size}, checks{size: f.size})
}

// readCabinetDirectory reads the head and the tables. With an error comes what it could
// read before; files are in the order in which they lie in their folders.
func readCabinetDirectory(in *tap) (*cabinetDirectory, error) {
	le := binary.LittleEndian
	d := &cabinetDirectory{}
	var head [cabinetHead]byte
	at := func(offset int64) *bufio.Reader {
		return bufio.NewReaderSize(io.NewSectionReader(in, offset, max(in.src.Size()-offset, 0)), layerBuffer)
	}
	r := at(0)
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return d, cutShort(err)
	}
	d.end = int64(le.Uint32(head[8:]))
	files, flags := int64(le.Uint32(head[16:])), le.Uint16(head[30:])
	folderReserve := 0
	if flags&cabinetHasReserve != 0 {
		var sizes [4]byte
		if _, err := io.ReadFull(r, sizes[:]); err != nil {
			return d, cutShort(err)
		}
		folderReserve, d.reserve = int(sizes[2]), int(sizes[3])
		if _, err := r.Discard(int(le.Uint16(sizes[:]))); err != nil {
			return d, cutShort(err)
		}
	}
	for _, flag := range []uint16{cabinetHasPrevious, cabinetHasNext} {
		for range 2 { // the name of a cabinet, and of the disc that it is on
			if flags&flag == 0 {
				continue
			}
			if _, err := cabinetText(r); err != nil {
				return d, err
			}
		}
	}
	for range le.Uint16(head[26:]) {
		var row [cabinetFolder]byte
		_, err := io.ReadFull(r, row[:])
		if err == nil {
			_, err = r.Discard(folderReserve)
		}
		if err != nil {
			return d, cutShort(err)
		}
		d.folders = append(d.folders, cabinetFolderInfo{at: int64(le.Uint32(row[:])), end: d.end,
			blocks: int(le.Uint16(row[4:])), method: int(le.Uint16(row[6:]) & 0xF)})
	}
	begins := make([]int64, len(d.folders))
	for i, f := range d.folders {
		begins[i] = f.at
	}
	slices.Sort(begins)
	for i := range d.folders {
		f := &d.folders[i]
		if next, _ := slices.BinarySearch(begins, f.at+1); next < len(begins) {
			f.end = min(f.end, begins[next])
		}
	}
	r = at(files)
	err := error(nil)
	for range le.Uint16(head[28:]) {
		var f cabinetFileInfo
		if f, err = d.readFile(r); err != nil {
			break
		}
		d.files = append(d.files, f)
	}
	slices.SortStableFunc(d.files, func(a, b cabinetFileInfo) int {
		return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.start, b.start), cmp.Compare(a.size, b.size))
	})
	return d, err
}

// readFile reads a row of the table of files.
func (d *cabinetDirectory) readFile(r *bufio.Reader) (f cabinetFileInfo, err error) {
	le := binary.LittleEndian
	var row [cabinetFile]byte
	if _, err := io.ReadFull(r, row[:]); err != nil {
		return f, cutShort(err)
	}
	name, err := cabinetText(r)
	f = cabinetFileInfo{
		name: strings.ReplaceAll(name, `\`, "/"), // which is how a cabinet parts folders
		size: int64(le.Uint32(row[:])), start: int64(le.Uint32(row[4:])), folder: int(le.Uint16(row[8:])),
		date: le.Uint16(row[10:]), clock: le.Uint16(row[12:]),
	}
	switch f.folder {
	case cabinetFromPrevious, cabinetFromAndTo:
		f.folder = 0
		if len(d.folders) > 0 {
			d.folders[0].broken = true
		}
	case cabinetToNext:
		f.folder = max(len(d.folders)-1, 0)
	}
	return f, err
}

// cabinetText reads text that a zero byte ends.
func cabinetText(r *bufio.Reader) (string, error) {
	var text []byte
	for len(text) <= cabinetName {
		c, err := r.ReadByte()
		switch {
		case err != nil:
			return "", cutShort(err)
		case c == 0:
			return string(text), nil
		}
		text = append(text, c)
	}
	return "", errCabinet
}

func cabinetMethod(method int) string {
	switch method {
	case 2:
		return "Quantum"
	case 3:
		return "LZX"
	}
	return fmt.Sprintf("method %d", method)
}
