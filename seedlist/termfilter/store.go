package termfilter

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
)

// The file begins with a line that names its form. Filters follow, each a head and its blocks. Numbers are
// little-endian.
//
//	hash      16 bytes, the MD5 that the clean file is named by
//	text      8 bytes, how long the clean file's text is, in bytes
//	blocks    4 bytes
//	last      1 byte; 0: another filter of the same file follows
//	checksum  4 bytes, CRC-32C of the bytes before
//
// A filter that a crash cut short is the last, and is overwritten.
const (
	form     = "laundromat terms 1\n"
	headSize = 16 + 8 + 4 + 1 + crc32.Size
)

// id is the hash of a clean file.
type id [16]byte

// filters are those of one clean file.
type filters struct {
	known
	more []part // after the first
}

// known is what the table holds of a clean file. There may be millions, so that it is small, and points at nothing:
// the garbage collector need not look into the table.
type known struct {
	text    int64  // bytes of the clean file's text
	place   int64  // of the first filter
	blocks  uint32 // of the first filter
	hasMore bool
}

// put adds a filter, which has blocks.
func (f *filters) put(p part) {
	if f.blocks == 0 {
		f.place, f.blocks = p.place, p.blocks
	} else {
		f.more, f.hasMore = append(f.more, p), true
	}
}

// part is where a filter is in the file.
type part struct {
	place  int64
	blocks uint32
}

func (f *filters) parts(each func(part) bool) bool {
	if !each(part{f.place, f.blocks}) {
		return false
	}
	for _, p := range f.more {
		if !each(p) {
			return false
		}
	}
	return true
}

// size is how many bytes of the file they take.
func (f *filters) size() (n int64) {
	f.parts(func(p part) bool {
		n += headSize + int64(p.blocks)*blockSize
		return true
	})
	return n
}

// store is the file of filters. It is for one goroutine at a time, but for ask.
type store struct {
	file   *os.File
	isOpen bool // for writing
	end    int64
	of     map[id]known
	more   map[id][]part // of those that have more than one filter
	used   int64         // bytes of filters that are in of
}

// openStore opens the file. One that is to be written is made if it isn't there. One of another form is begun anew,
// or has no filters where nothing may be written.
func openStore(path string, onlyRead bool) (s *store, err error) {
	s = &store{of: map[id]known{}, more: map[id][]part{}, isOpen: !onlyRead}
	if onlyRead {
		s.file, err = os.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			return s, nil
		}
	} else {
		s.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if err := s.load(); err != nil {
		s.file.Close()
		return nil, err
	}
	return s, nil
}

// load reads the heads.
func (s *store) load() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	head := make([]byte, max(headSize, len(form)))
	if n, _ := s.file.ReadAt(head[:len(form)], 0); string(head[:n]) != form {
		if !s.isOpen {
			return nil
		}
		if err := s.file.Truncate(0); err != nil {
			return err
		}
		s.end = int64(len(form))
		_, err := s.file.WriteAt([]byte(form), 0)
		return err
	}
	s.end = int64(len(form))
	var of id
	var made filters
	for at := s.end; at+headSize <= size; {
		if _, err := s.file.ReadAt(head[:headSize], at); err != nil {
			return err
		}
		sum := headSize - crc32.Size
		if crc32.Checksum(head[:sum], castagnoli) != binary.LittleEndian.Uint32(head[sum:]) {
			break // what follows can't be found
		}
		p := part{place: at + headSize, blocks: binary.LittleEndian.Uint32(head[24:])}
		if at += headSize + int64(p.blocks)*blockSize; at > size || p.blocks == 0 {
			break
		}
		if this := id(head[:16]); made.blocks == 0 || this != of {
			of, made = this, filters{known: known{text: int64(binary.LittleEndian.Uint64(head[16:]))}}
		}
		made.put(p)
		if head[28] != 0 {
			s.put(of, made)
			s.end, made = at, filters{}
		}
	}
	return nil
}

// find finds the filters of a file.
func (s *store) find(of id) (f filters, isThere bool) {
	if f.known, isThere = s.of[of]; f.hasMore {
		f.more = s.more[of]
	}
	return f, isThere
}

func (s *store) put(of id, made filters) {
	s.drop(of)
	if s.of[of] = made.known; made.hasMore {
		s.more[of] = made.more
	}
	s.used += made.size()
}

// drop forgets the filters of a file.
func (s *store) drop(of id) {
	if was, isThere := s.find(of); isThere {
		s.used -= was.size()
		delete(s.of, of)
		delete(s.more, of)
	}
}

// add appends the filters of a file.
func (s *store) add(of id, b *Builder) error {
	if _, isThere := s.of[of]; isThere || !s.isOpen {
		return nil
	}
	all, text := b.made()
	made := filters{known: known{text: text}}
	var packed []byte
	for i, blocks := range all {
		from := len(packed)
		packed = append(packed, of[:]...)
		packed = binary.LittleEndian.AppendUint64(packed, uint64(text))
		p := part{place: s.end + int64(from) + headSize, blocks: uint32(len(blocks) / blockSize)}
		packed = binary.LittleEndian.AppendUint32(packed, p.blocks)
		last := byte(0)
		if i == len(all)-1 {
			last = 1
		}
		packed = append(packed, last)
		packed = binary.LittleEndian.AppendUint32(packed, crc32.Checksum(packed[from:], castagnoli))
		packed = append(packed, blocks...)
		made.put(p)
	}
	if _, err := s.file.WriteAt(packed, s.end); err != nil {
		return err
	}
	s.end += int64(len(packed))
	s.put(of, made)
	return nil
}

// answer is what filters say of a file.
type answer uint8

const (
	no answer = iota
	maybe
	unknown // there is none, or it is damaged
)

// ask asks the filters of a file whether it may hold all keys.
func (s *store) ask(f *filters, keys []key) answer {
	var block [blockSize]byte
	is := maybe
	for _, k := range keys {
		isIn := false
		isRead := f.parts(func(p part) bool {
			place := p.place + int64(k.block(p.blocks))*blockSize
			if _, err := s.file.ReadAt(block[:], place); err != nil {
				return false
			}
			in, ok := k.isIn(block[:])
			isIn = isIn || in
			return ok
		})
		if !isRead {
			return unknown
		}
		if !isIn {
			is = no
		}
	}
	return is
}

// isWasteful says that a third of the file or more is of no use.
func (s *store) isWasteful() bool {
	const least = 1 << 20
	dead := s.end - s.used
	return s.isOpen && dead > least && dead > s.end/3
}

// rewrite writes the filters that are known to another file, and names it as the present one.
func (s *store) rewrite() (err error) {
	name := s.file.Name()
	fresh, err := os.OpenFile(name+".new", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	moved, more := make(map[id]known, len(s.of)), map[id][]part{}
	end := int64(len(form))
	out := bufio.NewWriterSize(fresh, 1<<20)
	_, err = out.WriteString(form)
	for of := range s.of {
		was, _ := s.find(of)
		made := filters{known: known{text: was.text}}
		was.parts(func(p part) bool {
			length := headSize + int64(p.blocks)*blockSize
			if err == nil {
				_, err = io.Copy(out, io.NewSectionReader(s.file, p.place-headSize, length))
			}
			p.place = end + headSize
			end += length
			made.put(p)
			return err == nil
		})
		if moved[of] = made.known; made.hasMore {
			more[of] = made.more
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = os.Rename(fresh.Name(), name)
	}
	if err != nil {
		fresh.Close()
		os.Remove(fresh.Name())
		return err
	}
	s.file.Close()
	s.file, s.of, s.more, s.end = fresh, moved, more, end
	return nil
}

func (s *store) close() {
	if s.file != nil {
		s.file.Close()
	}
}
