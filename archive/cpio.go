package archive

import (
	"bytes"
	"hash"
	"io"
	"strconv"
	"time"

	"laundromat/internal/fault"
)

// cpioHeader is what is before an entry of a cpio archive, in any of its forms.
type cpioHeader struct {
	name           string
	mode           uint64
	links          uint64
	modified       time.Time
	size           int64
	sum            uint32
	hasSum         bool
	length         int   // of the header with its name and padding, in bytes
	align          int64 // of headers and bodies
	device, number uint64
}

const (
	cpioNew     = "070701"
	cpioSum     = "070702"
	cpioOld     = "070707"
	cpioTrailer = "TRAILER!!!"
	cpioLeast   = 26

	unixModeMask = 0o170000
)

func isCpio(head []byte) bool {
	_, ok := readCpio(head)
	return ok
}

// readCpio reads a header, its name included; ok is false if it is none, or not all
// of it is there.
func readCpio(head []byte) (h cpioHeader, ok bool) {
	switch {
	case len(head) >= 110 && (begins(cpioNew)(head) || begins(cpioSum)(head)):
		return readCpioNew(head)
	case len(head) >= 76 && begins(cpioOld)(head):
		return readCpioOld(head)
	case len(head) >= cpioLeast && head[0] == 0xC7 && head[1] == 0x71:
		return readCpioBinary(head, func(i int) uint64 { return uint64(head[i]) | uint64(head[i+1])<<8 })
	case len(head) >= cpioLeast && head[0] == 0x71 && head[1] == 0xC7:
		return readCpioBinary(head, func(i int) uint64 { return uint64(head[i+1]) | uint64(head[i])<<8 })
	}
	return h, false
}

// numbers reads fields of digits one after another.
type numbers struct {
	rest []byte
	base int
	bad  bool
}

func (n *numbers) next(width int) uint64 {
	v, err := strconv.ParseUint(string(n.rest[:width]), n.base, 64)
	n.bad = n.bad || err != nil
	n.rest = n.rest[width:]
	return v
}

func readCpioNew(head []byte) (h cpioHeader, ok bool) {
	n := &numbers{rest: head[6:110], base: 16}
	h.number = n.next(8)
	h.mode = n.next(8)
	n.next(16) // owner, group
	h.links = n.next(8)
	h.modified = time.Unix(int64(n.next(8)), 0).UTC()
	h.size = int64(n.next(8))
	h.device = n.next(8)<<32 | n.next(8)
	n.next(16) // of a device
	names := n.next(8)
	h.sum, h.hasSum = uint32(n.next(8)), begins(cpioSum)(head)
	h.align = 4
	return h.named(head, 110, names, n.bad)
}

func readCpioOld(head []byte) (h cpioHeader, ok bool) {
	n := &numbers{rest: head[6:76], base: 8}
	h.device = n.next(6)
	h.number = n.next(6)
	h.mode = n.next(6)
	n.next(12)
	h.links = n.next(6)
	n.next(6)
	h.modified = time.Unix(int64(n.next(11)), 0).UTC()
	names := n.next(6)
	h.size = int64(n.next(11))
	h.align = 1
	return h.named(head, 76, names, n.bad)
}

func readCpioBinary(head []byte, word func(int) uint64) (h cpioHeader, ok bool) {
	h.device, h.number, h.mode, h.links = word(2), word(4), word(6), word(12)
	h.modified = time.Unix(int64(word(16)<<16|word(18)), 0).UTC()
	h.size = int64(word(22)<<16 | word(24))
	h.align = 2
	return h.named(head, cpioLeast, word(20), false)
}

// named takes the name, which ends with a zero byte that is counted. A mode of no
// known kind says that this is no header.
func (h cpioHeader) named(head []byte, at int, length uint64, bad bool) (cpioHeader, bool) {
	if bad || length < 2 || length > 1<<16 || uint64(at)+length > uint64(len(head)) {
		return h, false
	}
	name := head[at : at+int(length)]
	if i := bytes.IndexByte(name, 0); i != len(name)-1 {
		return h, false
	}
	h.name = string(name[:len(name)-1])
	h.length = at + int(length)
	h.length += int(h.padding(int64(h.length)))
	switch h.mode & unixModeMask {
	case 0o010000, 0o020000, 0o040000, 0o060000, 0o100000, 0o120000, 0o140000, 0o110000:
		return h, true
	}
	return h, h.name == cpioTrailer
}

func (h *cpioHeader) padding(n int64) int64 { return -n & (h.align - 1) }

// cpio walks a cpio archive: the new form with or without checksums, the old one in
// octal digits, and that in binary of either order.
func (w *walk) cpio() error {
	r := w.records("cpio")
	mark, _ := r.in.Peek(2)
	same := func(p []byte) bool { return p[0] == mark[0] && p[1] == mark[1] && isCpio(p) }
	mark = bytes.Clone(mark)
	for {
		if r.ended() {
			w.place++
			w.note(fault.ArchiveTruncated, fault.Drop, "", "the cpio archive ends without its end mark, at byte %d", r.place())
			return r.stopped()
		}
		head, _ := r.in.Peek(r.in.Size())
		h, ok := readCpio(head)
		if !ok {
			code := fault.ArchiveCorrupt
			if len(head) < 110+1<<16 && bytes.HasPrefix([]byte(cpioNew), head[:min(5, len(head))]) {
				code = fault.ArchiveTruncated
			}
			found, err := r.resume(code, cpioLeast, same)
			if err != nil || !found {
				return err
			}
			continue
		}
		r.in.Discard(h.length)
		if h.name == cpioTrailer {
			if more, err := r.cpioTail(); err != nil || !more {
				return err
			}
			continue
		}
		if err := w.met(); err != nil {
			return err
		}
		if err := r.cpioEntry(h); err != nil {
			return err
		}
		if w.cut {
			return nil // reported already, of the entry itself
		}
	}
}

func (r *records) cpioEntry(h cpioHeader) error {
	w := r.w
	padding := h.padding(h.size)
	switch h.mode & unixModeMask {
	case 0o100000, 0o110000:
		if h.size == 0 && h.links > 1 {
			w.note(fault.ArchiveLink, fault.Warning, h.name, "it is a link to another entry, or empty")
		}
	case 0o040000:
		return r.skip(h.size, padding)
	case 0o120000:
		target, _ := io.ReadAll(io.LimitReader(r.in, min(h.size, 4096)))
		w.note(fault.ArchiveLink, fault.Warning, h.name, "it is a link to %s", fault.Excerpt(target))
		return r.skip(h.size-int64(len(target)), padding)
	default:
		w.device(h.name)
		return r.skip(h.size, padding)
	}
	c := checks{}
	if h.hasSum {
		c.crc, c.hash = h.sum, new(byteSum)
	}
	return r.body(Entry{Name: h.name, ModTime: h.modified, Size: h.size}, h.size, padding, c)
}

// cpioTail looks at what follows the end: zero bytes up to a whole block, and then
// maybe another archive.
func (r *records) cpioTail() (more bool, err error) {
	for {
		window, _ := r.in.Peek(r.in.Size())
		zeros := len(window) - len(bytes.TrimLeft(window, "\x00"))
		r.in.Discard(zeros)
		if zeros == len(window) {
			if len(window) == 0 {
				return false, r.stopped()
			}
			continue
		}
		if isCpio(window[zeros:]) {
			return true, nil
		}
		at := r.place()
		r.skip(1<<62, 0)
		r.trailing(at)
		return false, r.stopped()
	}
}

func (r *records) stopped() error {
	if r.w.chain.trouble.err != nil {
		return errStop
	}
	return nil
}

// byteSum is the sum of all bytes.
type byteSum uint32

var _ hash.Hash32 = new(byteSum)

func (s *byteSum) Write(p []byte) (int, error) {
	for _, b := range p {
		*s += byteSum(b)
	}
	return len(p), nil
}
func (s *byteSum) Sum32() uint32       { return uint32(*s) }
func (s *byteSum) Sum(b []byte) []byte { return b }
func (s *byteSum) Reset()              { *s = 0 }
func (s *byteSum) Size() int           { return 4 }
func (s *byteSum) BlockSize() int      { return 1 }
