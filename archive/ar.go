package archive

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
)

const (
	arMark   = "!<arch>\n"
	arHeader = 60
	arNames  = 1 << 20 // bytes of long names that are held
)

// arEntry is the header of an entry of an ar archive.
type arEntry struct {
	name     string
	modified time.Time
	size     int64
}

// readArHeader reads a header (ar(5)): fields of digits, with spaces after them, and
// a mark at the end.
func readArHeader(head []byte) (e arEntry, ok bool) {
	if len(head) < arHeader || head[58] != '`' || head[59] != '\n' {
		return e, false
	}
	field := func(from, to, base int) int64 {
		text := strings.TrimRight(string(head[from:to]), " ")
		if text == "" {
			return 0 // the table of long names has no time and no mode
		}
		v, err := strconv.ParseInt(text, base, 64)
		if err != nil || v < 0 {
			ok = false
		}
		return v
	}
	ok = true
	e.name = strings.TrimRight(string(head[:16]), " ")
	if seconds := field(16, 28, 10); seconds > 0 {
		e.modified = time.Unix(seconds, 0).UTC()
	}
	field(40, 48, 8)
	e.size = field(48, 58, 10)
	return e, ok && e.name != "" && head[48] != ' '
}

// ar walks an ar archive, with the long names of GNU and of BSD.
func (w *walk) ar() error {
	r := w.records("ar")
	r.in.Discard(len(arMark))
	var names []byte // the table of GNU
	for !r.ended() {
		head, _ := r.in.Peek(arHeader)
		e, ok := readArHeader(head)
		switch {
		case len(head) < arHeader && len(bytes.Trim(head, "\n\x00")) == 0:
			return nil // padding
		case !ok && begins(arMark)(head):
			r.in.Discard(len(arMark)) // another archive
			names = nil
			continue
		case !ok:
			code := fault.ArchiveCorrupt
			if len(head) < arHeader {
				code = fault.ArchiveTruncated
			}
			found, err := r.resume(code, arHeader, func(p []byte) bool { _, ok := readArHeader(p); return ok })
			if err != nil || !found {
				return err
			}
			continue
		}
		r.in.Discard(arHeader)
		padding := e.size & 1
		if e.isTable() {
			if e.name == "//" {
				names, _ = readAtMost(r.in, nil, int(min(e.size, arNames)))
				e.size -= int64(len(names))
			}
			if err := r.skip(e.size, padding); err != nil {
				return err
			}
			continue
		}
		e.takeName(r.in, names)
		if err := w.met(); err != nil {
			return err
		}
		if err := r.body(Entry{Name: e.name, ModTime: e.modified, Size: e.size}, e.size, padding, checks{}); err != nil {
			return err
		}
		if w.cut {
			return nil // the notice of the entry has said it
		}
	}
	return r.stopped()
}

// isTable says that an entry is no file: it lists symbols, or long names.
func (e *arEntry) isTable() bool {
	return e.name == "/" || e.name == "//" || e.name == "/SYM64/" || strings.HasPrefix(e.name, "__.SYMDEF")
}

// takeName finds the name that the header refers to: BSD has it before the file's bytes, GNU
// in a table of names.
func (e *arEntry) takeName(in *bufio.Reader, names []byte) {
	switch {
	case strings.HasPrefix(e.name, "#1/"):
		length, err := strconv.ParseInt(e.name[3:], 10, 32)
		if err == nil && length <= min(e.size, 1<<16) {
			name, _ := readAtMost(in, nil, int(length))
			e.name = string(bytes.TrimRight(name, "\x00"))
			e.size -= int64(len(name))
		}
	case e.name[0] == '/':
		if at, err := strconv.Atoi(e.name[1:]); err == nil && at >= 0 && at < len(names) {
			name, _, _ := bytes.Cut(names[at:], []byte("\n"))
			e.name = strings.TrimSuffix(string(name), "/")
		}
	default:
		e.name = strings.TrimSuffix(e.name, "/")
	}
}
