package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"laundromat/archive/sevenzip"
	"laundromat/internal/fault"
	"laundromat/internal/pattern"
)

// An archive may be cut into parts, each in a file whose name says which part it is.
// Where these lie side by side they are read as one file. One of them alone is not read: what can be
// had of it are pieces of documents.

// partNames are the ways in which parts are called. Each has the name of the whole and a number.
var partNames = []struct {
	is    *pattern.Pattern
	first int // number of the part that is called so first
	name  func(whole string, number, width int) string
	// before and behind are the endings of the part before all of these, and behind.
	before, behind string
}{
	{pattern.New(`(?i)^(.+\.(?:7z|zip|rar|tar|tgz|tbz2?|txz|gz|bz2|xz|zst|lz4|lzma))\.(\d{3,})$`), 1,
		func(whole string, number, width int) string { return fmt.Sprintf("%s.%0*d", whole, width, number) }, "", ""},
	{pattern.New(`(?i)^(.+)\.part(\d+)\.rar$`), 1,
		func(whole string, number, width int) string {
			return fmt.Sprintf("%s.part%0*d.rar", whole, width, number)
		}, "", ""},
	{pattern.New(`(?i)^(.+)\.z(\d{2,})$`), 1,
		func(whole string, number, width int) string { return fmt.Sprintf("%s.z%0*d", whole, width, number) }, "", ".zip"},
	{pattern.New(`(?i)^(.+)\.r(\d{2,})$`), 0,
		func(whole string, number, width int) string { return fmt.Sprintf("%s.r%0*d", whole, width, number) }, ".rar", ""},
}

// Parts are the names of all parts of the archive that a file belongs to, in their order, and the name
// of the whole. They are nil for a file that is no part, or whose neighbours are not there.
func Parts(name string, exists func(string) bool) (parts []string, whole string) {
	for _, way := range partNames {
		base, width := "", 2
		if m := way.is.Regexp().FindStringSubmatch(name); m != nil {
			base, width = m[1], len(m[2])
		} else if edge := way.before + way.behind; edge != "" && hasSuffix(name, []string{edge}) {
			base = name[:len(name)-len(edge)]
		} else {
			continue
		}
		if first := base + way.before; way.before != "" && exists(first) {
			parts = append(parts, first)
		}
		for number := way.first; exists(way.name(base, number, width)); number++ {
			parts = append(parts, way.name(base, number, width))
		}
		if last := base + way.behind; way.behind != "" && exists(last) {
			parts = append(parts, last)
		}
		isOne := false
		for _, part := range parts {
			isOne = isOne || part == name
		}
		if len(parts) > 1 && isOne {
			return parts, base + way.before + way.behind
		}
		parts = nil
	}
	return nil, ""
}

// partNumber is which part a name says that a file is, from 1; 0 if it says nothing.
func partNumber(name string) int {
	for _, way := range partNames {
		if m := way.is.Regexp().FindStringSubmatch(name); m != nil {
			number, _ := strconv.Atoi(m[2])
			if way.before != "" {
				number++
			}
			return number - way.first + 1
		}
	}
	return 0
}

// Joined is a source made of others, one after another.
type Joined struct {
	parts  []Source
	starts []int64 // of the parts, and the end of the last
}

// Join makes one source of several.
func Join(parts ...Source) *Joined {
	j := &Joined{parts: parts, starts: []int64{0}}
	for i, p := range parts {
		j.starts = append(j.starts, j.starts[i]+p.Size())
	}
	return j
}

// Size is the length of all.
func (j *Joined) Size() int64 { return j.starts[len(j.parts)] }

// ReadAt reads from any place on.
func (j *Joined) ReadAt(p []byte, off int64) (n int, err error) {
	for i, part := range j.parts {
		at := off + int64(n)
		if at < j.starts[i] || at >= j.starts[i+1] {
			continue
		}
		k, err := part.ReadAt(p[n:min(int64(len(p)), int64(n)+j.starts[i+1]-at)], at-j.starts[i])
		n += k
		if n == len(p) {
			return n, nil
		}
		if err != nil && err != io.EOF || off+int64(n) < j.starts[i+1] {
			return n, err
		}
	}
	return n, io.EOF
}

// startOf is where a part begins, by its number from 0: what a place in a zip is counted from.
func startOf(src Source, part int) int64 {
	if j, ok := src.(*Joined); ok && part < len(j.parts) {
		return j.starts[part]
	}
	return 0
}

// partContainer is a part of an archive whose other parts are not there.
var partContainer = &container{name: "part", sought: (*walk).lonelyPart}

// isPart says that a source is one part of an archive, and which.
func (l *look) isPart() (number int, ok bool) {
	if _, isJoined := l.chain.o.src.(*Joined); isJoined {
		return 0, false
	}
	number = partNumber(l.name)
	known := containerOf(l.head)
	switch {
	case isRar(l.head):
		volume, isVolume := rarVolume(l.head)
		return max(volume, number), isVolume
	case !l.isFiltered && known != nil && known.name == "7z" && number == 1:
		_, err := sevenzip.Read(l.chain.tap, l.chain.tap.src.Size(), l.chain.o.limits.window())
		return 1, damageCode(err) == fault.ArchiveTruncated && err != nil
	case !l.isFiltered && known != nil && known.name == "zip" && number > 0:
		_, err := findZipDirectory(l.chain.tap)
		return number, err != nil
	case !l.isFiltered && l.chain.tap.src.Size() >= zipEndSize && (number > 0 || hasSuffix(l.name, []string{".zip"}) ||
		bytes.HasPrefix(l.head, []byte("PK"))):
		if disk := zipDisk(l.chain.tap); disk > 0 {
			return disk + 1, true
		}
	}
	// Each part of a rar is known by its mark.
	isMarked := hasSuffix(strings.TrimRight(l.name, "0123456789"), []string{".r", ".rar"})
	return number, number > 1 && known == nil && !isMarked
}

// zipDisk is the number of the last part of a zip, by its end record, from 0.
func zipDisk(in *tap) int {
	size := in.src.Size()
	tail := make([]byte, min(size, zipEndSize+1<<10))
	in.ReadAt(tail, size-int64(len(tail)))
	i := bytes.LastIndex(tail, []byte(zipEnd))
	if i < 0 || len(tail)-i < zipEndSize || int(binary.LittleEndian.Uint16(tail[i+20:])) != len(tail)-i-zipEndSize {
		return 0
	}
	disk := int(binary.LittleEndian.Uint16(tail[i+4:]))
	if disk == 0xFFFF { // a zip of more than 4 GiB says it elsewhere
		return 0
	}
	return disk
}

// rarVolume says whether a rar is one of several parts, and which, if it says that.
func rarVolume(head []byte) (number int, is bool) {
	if head[6] != 1 { // version 1.5 to 4
		return 0, len(head) > rarMark4+5 && head[rarMark4+2] == 0x73 && head[rarMark4+3]&1 != 0
	}
	if len(head) < rarMark5+8 {
		return 0, false
	}
	r := &sevenBits{rest: head[rarMark5+4:]}
	r.number() // length
	kind, flags := r.number(), r.number()
	if flags&1 != 0 {
		r.number()
	}
	archive := r.number()
	if kind != rar5Main || r.bad || archive&1 == 0 {
		return 0, false
	}
	if archive&2 != 0 {
		number = int(r.number()) + 1
	}
	return max(number, 1), true
}

// lonelyPart says that there is nothing to be read.
func (w *walk) lonelyPart(_ context.Context, _ *tap) error {
	w.place++
	which := "one part"
	if w.o.part > 0 {
		which = fmt.Sprintf("part %d", w.o.part)
	}
	w.note(fault.ArchivePart, fault.Drop, "", "this is %s of an archive in several parts, and the others do not lie beside it; it is "+
		"not read", which)
	return nil
}

// rarFolder is the parts of a rar as the library asks for them: by names that count up.
type rarFolder struct {
	in    *tap
	parts []rarSection
}

// rarSection is where a part lies in all of them.
type rarSection struct{ from, to int64 }

const rarFolderFirst = "x.part1.rar"

func (f rarFolder) Open(name string) (fs.File, error) {
	if n := partNumber(name); n > 0 && n <= len(f.parts) {
		part := f.parts[n-1]
		return rarPart{io.NewSectionReader(f.in, part.from, part.to-part.from)}, nil
	}
	return nil, fs.ErrNotExist
}

type rarPart struct{ io.Reader }

func (rarPart) Close() error                 { return nil }
func (p rarPart) Stat() (fs.FileInfo, error) { return p, nil }
func (rarPart) Name() string                 { return "" }
func (rarPart) Size() int64                  { return 0 }
func (rarPart) Mode() fs.FileMode            { return 0 }
func (rarPart) ModTime() time.Time           { return time.Time{} }
func (rarPart) IsDir() bool                  { return false }
func (rarPart) Sys() any                     { return nil }
