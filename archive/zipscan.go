package archive

import (
	"bytes"
	"encoding/binary"
	"io"

	"laundromat/internal/fault"
)

// scanZip reads the entries of a zip without its directory, from their local
// headers (APPNOTE.TXT 4.3.7), beginning at a place. An entry whose length is
// only after it is unpacked to find where it ends.
func (w *walk) scanZip(in *tap, at int64) error {
	for {
		at = nextZipHeader(in, at)
		if w.chain.trouble.err != nil {
			return errStop
		}
		if at < 0 {
			return nil
		}
		e, data, ok := readZipLocal(in, at)
		if w.chain.trouble.err != nil {
			return errStop
		}
		if !ok {
			at += int64(len(zipLocal))
			continue
		}
		w.readName(&e, nil)
		if err := w.met(); err != nil {
			return err
		}
		end, err := w.scannedEntry(in, e, data)
		if err != nil {
			return err
		}
		at = max(end, data)
	}
}

// scannedEntry hands on the entry whose data begins at a place. It returns the place where
// it ends, or from which the next header must be searched for.
func (w *walk) scannedEntry(in *tap, e zipEntry, data int64) (int64, error) {
	size := in.src.Size()
	cut := false
	behind := e.flags&zipHasDescriptor != 0 && e.packed == 0
	if behind {
		e.size = -1
		if e.method != zipDeflate || e.flags&zipCantBeRead != 0 {
			e.packed, cut = w.untilDescriptor(in, data) // no knowing but by what follows
		} else {
			e.packed = size - data
		}
	}
	end := data + min(e.packed, size-data)
	if !w.wanted(e) {
		return end, nil
	}
	c := checks{size: e.size, crc: e.crc, hasCRC: !behind && e.flags&zipHasDescriptor == 0}
	packed := w.section(in, data, e.packed)
	entry := Entry{Name: e.name, Text: e.text, ModTime: e.modified, Size: e.size}
	if !behind || e.method != zipDeflate {
		out, err := e.unpack(&w.zipReaders, packed, w.o.limits.window())
		if err != nil {
			w.notUnpacked(e, err)
			return end, nil
		}
		defer out.Close()
		err = w.entry(entry, out, c)
		if cut && err == nil && !w.cut {
			w.cut = true
			w.note(fault.ArchiveTruncated, fault.Drop, e.label(), "its end can't be found from byte %d on; the data up to the "+
				"next entry is taken for it", data)
		}
		return end, err
	}
	out := w.inflated(packed)
	if err := w.entry(entry, out, c); err != nil {
		return end, err
	}
	n, _ := io.Copy(io.Discard, guarded{w.guard(), out}) // what nobody read: only its end is wanted
	if w.chain.trouble.err != nil {
		return end, errStop
	}
	return data + out.InputOffset(), w.passOver(n)
}

// readZipLocal reads a local header; ok is false if it can't be one.
func readZipLocal(in *tap, at int64) (e zipEntry, data int64, ok bool) {
	var mark [4]byte
	if n, _ := in.ReadAt(mark[:], at); n < len(mark) || string(mark[:]) != zipLocal {
		return e, 0, false
	}
	return readZipLocalFields(in, at)
}

// readZipLocalFields reads what comes after the mark of a local header.
func readZipLocalFields(in *tap, at int64) (e zipEntry, data int64, ok bool) {
	var h [zipLocalSize]byte
	if n, _ := in.ReadAt(h[:], at); n < len(h) {
		return e, 0, false
	}
	le := binary.LittleEndian
	names, extras := int(le.Uint16(h[26:])), int(le.Uint16(h[28:]))
	if names == 0 || h[4] > 63 { // the highest version of the format
		return e, 0, false
	}
	rest := make([]byte, names+extras)
	if n, _ := in.ReadAt(rest, at+zipLocalSize); n < len(rest) {
		return e, 0, false
	}
	e = zipEntry{
		name: string(rest[:names]), flags: le.Uint16(h[6:]), method: le.Uint16(h[8:]),
		modified: dosTime(le.Uint16(h[12:]), le.Uint16(h[10:])),
		crc:      le.Uint32(h[14:]), packed: int64(le.Uint32(h[18:])), size: int64(le.Uint32(h[22:])), at: at,
	}
	e.readExtra(rest[names:])
	if e.packed < 0 || e.size < 0 {
		return e, 0, false
	}
	return e, at + zipLocalSize + int64(len(rest)), true
}

// nextZipHeader finds the next local header from a place on; -1 if there is none.
func nextZipHeader(in *tap, at int64) int64 {
	return findMark(in, at, func(p []byte) int { return bytes.Index(p, []byte(zipLocal)) })
}

// untilDescriptor finds how long an entry is whose length is only in the
// descriptor after it (4.3.9): the descriptor says how far it is away. Where there
// is none, the entry ends at the next record, or at the end, and is cut.
func (w *walk) untilDescriptor(in *tap, data int64) (length int64, cut bool) {
	size := in.src.Size()
	first := int64(-1)
	for at := data; ; at += 4 {
		before := at
		at = findMark(in, at, func(p []byte) int {
			least := -1
			for _, mark := range []string{zipLocal, zipCentral, zipDescriptor, zipEnd} {
				if i := bytes.Index(p, []byte(mark)); i >= 0 && (least < 0 || i < least) {
					least = i
				}
			}
			return least
		})
		if at < 0 {
			at = size
		}
		w.scanned += at - before
		var around [40]byte // 20 bytes on both sides
		from := max(at-20, 0)
		n, _ := in.ReadAt(around[:], from)
		le := binary.LittleEndian
		here := int(at - from)
		says := func(i int, distance int64) bool {
			return distance >= 0 && i >= 0 && i+4 <= n && int64(le.Uint32(around[i:])) == distance&0xFFFFFFFF
		}
		switch {
		case here+4 <= n && string(around[here:here+4]) == zipDescriptor && says(here+8, at-data):
			return at - data, false
		case says(here-8, at-12-data): // one without a mark, and lengths of 4 bytes
			return at - 12 - data, false
		case says(here-16, at-20-data): // of 8 bytes
			return at - 20 - data, false
		}
		if first < 0 && at < size {
			first = at
		}
		if at == size || w.scanned > maxZipScan*size {
			break
		}
	}
	if first < 0 {
		first = size
	}
	return first - data, true
}

// maxZipScan is how often, on average, a zip without a directory is searched for
// descriptors.
const maxZipScan = 16

// findMark looks for a mark of four bytes from a place on.
func findMark(in *tap, at int64, index func([]byte) int) int64 {
	const overlap = 3
	buf := make([]byte, 32<<10)
	for {
		n, err := in.ReadAt(buf, at)
		if i := index(buf[:n]); i >= 0 {
			return at + int64(i)
		}
		if err != nil || n <= overlap {
			return -1
		}
		at += int64(n - overlap)
	}
}
