package dump

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"

	"laundromat/internal/fault"
)

// spoolBuffer is how much a spool holds in memory; what is more goes into a file.
const spoolBuffer = 1 << 20

// A spool holds rows until all columns are known. A row is its length, the number of its
// cells, each as column, kind and text, and the originals of what rules changed.
type spool struct {
	dir  string
	most int64
	buf  []byte
	one  []byte
	file *os.File
	size int64 // of the file
	rows int64
}

func newSpool(dir string, most int64) *spool { return &spool{dir: dir, most: most} }

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// add holds a row.
func (s *spool) add(r *row) error {
	s.rows++
	b := s.one[:0]
	cells := 0
	for i := range r.cells {
		if r.cells[i].kind != absent {
			cells++
		}
	}
	b = binary.AppendUvarint(b, uint64(cells))
	for i := range r.cells {
		if c := &r.cells[i]; c.kind != absent {
			b = append(binary.AppendUvarint(b, uint64(i)), byte(c.kind))
			b = appendText(b, c.text)
		}
	}
	b = binary.AppendUvarint(b, uint64(len(r.was)))
	for i := range r.was {
		b = appendText(appendText(appendText(b, r.was[i].field), r.was[i].rule), r.was[i].value)
	}
	s.one = b
	if s.buf == nil {
		s.buf = make([]byte, 0, spoolBuffer+spoolBuffer/8)
	}
	s.buf = append(binary.AppendUvarint(s.buf, uint64(len(b))), b...)
	if len(s.buf) < spoolBuffer {
		return nil
	}
	return s.spill()
}

// spill moves what is held into the file.
func (s *spool) spill() error {
	if s.most > 0 && s.size+int64(len(s.buf)) > s.most {
		return fault.New("dump.Record", fault.Limit, fault.LimitHeld,
			"the records take more than %d bytes on the disk until their columns are known", s.most)
	}
	if s.file == nil {
		file, err := os.CreateTemp(s.dir, "laundromat-records-*")
		if err != nil {
			return err
		}
		s.file = file
		// A file that has no name any more is gone when the program ends, however it ends.
		// Windows does not let it go; there close removes it.
		os.Remove(file.Name())
	}
	n, err := s.file.Write(s.buf)
	s.size += int64(n)
	s.buf = s.buf[:0]
	return err
}

// each gives all rows that are held, in order, with the cells in the places of their columns.
// No more can be added.
func (s *spool) each(places []int, to func(*row) error) error {
	var from io.Reader = bytes.NewReader(s.buf)
	if s.file != nil {
		from = io.MultiReader(io.NewSectionReader(s.file, 0, s.size), from)
	}
	in := bufio.NewReaderSize(from, 1<<18)
	var r row
	for ; r.number < s.rows; r.number++ {
		length, err := binary.ReadUvarint(in)
		if err != nil {
			return fmt.Errorf("read what was held: %w", err)
		}
		if uint64(cap(s.one)) < length {
			s.one = make([]byte, length)
		}
		if _, err := io.ReadFull(in, s.one[:length]); err != nil {
			return fmt.Errorf("read what was held: %w", err)
		}
		r.decode(string(s.one[:length]), places)
		r.number++
		err = to(&r)
		r.number--
		if err != nil {
			return err
		}
	}
	return nil
}

// decode reads a row as add wrote it. Its texts are parts of s.
func (r *row) decode(s string, places []int) {
	clear(r.cells)
	number := func() (n int) {
		for shift := 0; ; shift += 7 {
			b := s[0]
			s = s[1:]
			n |= int(b&0x7f) << shift
			if b < 0x80 {
				return n
			}
		}
	}
	part := func() (p string) {
		n := number()
		p, s = s[:n], s[n:]
		return p
	}
	for range number() {
		at := places[number()]
		for at >= len(r.cells) {
			r.cells = append(r.cells, cell{})
		}
		kind := cellKind(s[0])
		s = s[1:]
		r.cells[at] = cell{kind, part()}
	}
	r.was = r.was[:0]
	for range number() {
		r.was = append(r.was, original{field: part(), rule: part(), value: part()})
	}
}

// close gives up what is held.
func (s *spool) close() {
	if s == nil {
		return
	}
	s.buf = nil
	if s.file != nil {
		s.file.Close()
		os.Remove(s.file.Name())
		s.file = nil
	}
}
