package archive

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// A zip says twice how an entry is packed: in its directory, and in a header right before the
// data. Where the two differ, the checksum shows which is right.

// zipPlace finds the data of an entry of the directory, and returns the entry as it is packed
// most likely.
func (w *walk) zipPlace(in *tap, dir zipDirectory, e zipEntry) (zipEntry, int64, bool) {
	local, data, ok := readZipLocal(in, e.at)
	if !ok && e.at >= 0 {
		local, data, ok = readZipLocalFields(in, e.at)
		wrong := "the mark of its own header is wrong; the rest is not"
		if ok = ok && local.name == e.name; !ok {
			local, data, ok = w.searchZipLocal(in, e)
			wrong = wrongPlace
		}
		if ok {
			w.note(fault.ArchiveBadField, fault.Warning, e.label(), "%s", wrong)
		}
	}
	if !ok || e.packed < 0 && local.packed < 0 {
		return e, 0, false
	}
	if strings.HasSuffix(e.name, "/") || !e.differs(in, local, data) {
		return e, data, e.packed >= 0
	}
	if local.name != e.name { // some writers say a name in two ways
		if own, at, ok := w.searchZipLocal(in, e); ok {
			w.note(fault.ArchiveBadField, fault.Warning, e.label(), "%s", wrongPlace)
			if local, data = own, at; !e.differs(in, local, data) {
				return e, data, true
			}
		}
	}
	e = w.zipAgreed(in, dir, e, local, data)
	return e, data, e.packed >= 0
}

const wrongPlace = "the directory of the zip is wrong about its place: its own header is elsewhere"

// differs says whether the directory and what is around the data contradict each other. Lengths
// that the local header does not have come behind the data.
func (e *zipEntry) differs(in *tap, local zipEntry, data int64) bool {
	if e.method != local.method || (e.flags^local.flags)&zipCantBeRead != 0 {
		return true
	}
	if local.flags&zipHasDescriptor == 0 || local.packed != 0 || local.size != 0 {
		return e.packed != local.packed || e.size != local.size || e.crc != local.crc
	}
	var behind [24]byte
	n, _ := in.ReadAt(behind[:], data+max(e.packed, 0))
	le := binary.LittleEndian
	fields := behind[:n]
	if len(fields) >= 4 && string(fields[:4]) == zipDescriptor {
		fields = fields[4:]
	}
	if len(fields) < 12 || le.Uint32(fields) != e.crc || le.Uint32(fields[4:]) != uint32(e.packed) {
		return true
	}
	return le.Uint32(fields[8:]) != uint32(e.size) && (len(fields) < 16 || le.Uint32(fields[12:]) != uint32(e.size))
}

// searchZipLocal looks for the local header of an entry that is not where the directory says.
func (w *walk) searchZipLocal(in *tap, e zipEntry) (local zipEntry, data int64, ok bool) {
	size := in.src.Size()
	for at := int64(0); w.scanned < maxZipScan*size; at += int64(len(zipLocal)) {
		before := at
		if at = nextZipHeader(in, at); at < 0 {
			w.scanned += size - before
			break
		}
		w.scanned += at - before
		local, data, ok = readZipLocal(in, at)
		if ok && local.name == e.name && (local.crc == e.crc || local.flags&zipHasDescriptor != 0) {
			return local, data, true
		}
	}
	return local, 0, false
}

// zipAgreed tries the ways in which the two headers say that an entry is packed. The directory
// is believed first, and where no way gives the checksum of either.
func (w *walk) zipAgreed(in *tap, dir zipDirectory, e, local zipEntry, data int64) zipEntry {
	sums := []uint32{e.crc}
	if local.crc != 0 {
		sums = append(sums, local.crc)
	}
	methods := []uint16{e.method, local.method}
	lengths := []int64{e.packed, local.packed, max(dir.at-data, 0)} // most ways of packing show their end
	if e.method == zipStored || local.method == zipStored {
		lengths = append(lengths, e.size, local.size)
	}
	tried := map[zipEntry]bool{}
	for _, method := range methods {
		for _, packed := range lengths {
			for _, size := range []int64{e.size, local.size} {
				way := e
				way.method, way.packed, way.size = method, packed, size
				way.flags &^= zipCantBeRead &^ (e.flags & local.flags)
				if way.packed < 0 || data+way.packed > in.src.Size() || tried[way] || way.flags&zipCantBeRead != 0 {
					continue
				}
				tried[way] = true
				sum, n, ok := w.zipTried(in, way, data)
				if !ok || !slices.Contains(sums, sum) || n == 0 && e.crc != 0 {
					continue
				}
				way.crc, way.size = sum, n
				if fields := way.unlike(e); fields != "" {
					w.note(fault.ArchiveBadField, fault.Warning, e.label(), "the directory of the zip is wrong about its %s: that of its "+
						"own header is right by the checksum", fields)
				}
				return way
			}
		}
	}
	return e
}

// unlike names the fields in which an entry is other than the directory says.
func (e *zipEntry) unlike(dir zipEntry) string {
	var fields []string
	for _, f := range []struct {
		name  string
		other bool
	}{
		{"method", e.method != dir.method},
		{"length", e.packed != dir.packed || e.size != dir.size},
		{"checksum", e.crc != dir.crc},
		{"encryption", e.flags != dir.flags},
	} {
		if f.other {
			fields = append(fields, f.name)
		}
	}
	return strings.Join(fields, " and ")
}

// zipTried unpacks an entry for its checksum alone.
func (w *walk) zipTried(in *tap, e zipEntry, data int64) (sum uint32, n int64, ok bool) {
	out, err := e.unpack(&w.zipReaders, w.section(in, data, e.packed), w.o.limits.window())
	if err != nil {
		return 0, 0, false
	}
	defer out.Close()
	crc := crc32.NewIEEE()
	most := w.o.limits.most(w.o.src.Size())
	n, err = io.Copy(crc, io.LimitReader(guarded{w.guard(), out}, most))
	if !w.o.limits.waste(n) || n == most {
		return 0, n, false
	}
	return crc.Sum32(), n, err == nil
}
