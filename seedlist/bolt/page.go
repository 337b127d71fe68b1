package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
)

// This file reads the pages of bbolt's format by itself. The library checks little of what it reads,
// and its own check panics, or never ends, on some damaged files. Pages that lead in a circle
// would overflow the stack, which nothing can recover. What is read here is checked first.
//
//	page   = id (8 bytes), kind (2), number of elements (2), number of pages that follow it (4), elements, data
//	leaf   = flags (4), position of its data (4), length of key (4), of value (4)
//	branch = position of its key (4), length of key (4), page (8)
//
// The data of the elements are in their order, without gaps.

const (
	pageHeader   = 16
	pageElement  = 16
	branchKind   = 0x01
	leafKind     = 0x02
	metaKind     = 0x04
	freelistKind = 0x10
	isBucketFlag = 0x01

	metaMagic   = 0xED0CDAED
	metaVersion = 2
	metaSummed  = 56 // bytes before the sum
	noFreelist  = ^uint64(0)

	smallestPage, largestPage = 1 << 10, 1 << 16
)

// head is one of the two first pages, which say where all else begins. They are written in turns.
type head struct {
	pageSize        int
	root, freelist  uint64
	pages           uint64 // of the file; the pages from there on are not in use
	transaction     uint64
	sequenceOfRoots uint64
}

// pageFile is a file of pages, as one of its heads describes it.
type pageFile struct {
	file io.ReaderAt
	size int64
	head
	// bad are the heads that can't be read.
	bad []int
}

// openPages reads the heads of a file, and goes by the newer one that is sound.
func openPages(file io.ReaderAt, size int64) (*pageFile, error) {
	f := &pageFile{file: file, size: size}
	var heads [2]*head
	first, err := readHead(file, 0)
	if err == nil {
		heads[0] = first
	}
	for pageSize := smallestPage; pageSize <= largestPage; pageSize *= 2 {
		if first != nil && pageSize != first.pageSize {
			continue
		}
		if second, err := readHead(file, int64(pageSize)); err == nil && second.pageSize == pageSize {
			heads[1] = second
			break
		}
	}
	for i, h := range heads {
		switch {
		case h == nil:
			f.bad = append(f.bad, i)
		case f.pageSize == 0 || h.transaction > f.transaction:
			f.head = *h
		}
	}
	if f.pageSize == 0 {
		return f, errors.New("has no head that can be read: it isn't a seed list, or its first pages are lost")
	}
	return f, nil
}

func readHead(file io.ReaderAt, at int64) (*head, error) {
	b := make([]byte, pageHeader+metaSummed+8)
	if _, err := file.ReadAt(b, at); err != nil {
		return nil, err
	}
	meta := b[pageHeader:]
	sum := fnv.New64a()
	sum.Write(meta[:metaSummed])
	n := binary.NativeEndian
	h := &head{
		pageSize: int(n.Uint32(meta[8:])), root: n.Uint64(meta[16:]), sequenceOfRoots: n.Uint64(meta[24:]),
		freelist: n.Uint64(meta[32:]), pages: n.Uint64(meta[40:]), transaction: n.Uint64(meta[48:]),
	}
	if n.Uint32(meta) != metaMagic || n.Uint32(meta[4:]) != metaVersion || n.Uint64(meta[metaSummed:]) != sum.Sum64() ||
		h.pageSize < smallestPage || h.pageSize > largestPage || h.pages > 1<<48 {
		return nil, errors.New("no head")
	}
	return h, nil
}

// page is one page, with those that follow it.
type page struct {
	id        uint64
	kind      uint16
	count     int
	following uint64
	data      []byte // all of it, with its header
}

// errPage is what is wrong with a page.
type errPage struct {
	id  uint64
	why string
}

func (e *errPage) Error() string { return fmt.Sprintf("page %d %s", e.id, e.why) }

// header reads the first bytes of a page, and checks what they say.
func (f *pageFile) header(id uint64) (*page, error) {
	if id < 2 || id >= f.pages {
		return nil, &errPage{id, "is outside of the file"}
	}
	b := make([]byte, pageHeader)
	at := int64(id) * int64(f.pageSize)
	if at+int64(f.pageSize) > f.size {
		return nil, &errPage{id, "is lost: the file ends before it"}
	}
	if _, err := f.file.ReadAt(b, at); err != nil {
		return nil, &errPage{id, "can't be read: " + err.Error()}
	}
	n := binary.NativeEndian
	p := &page{id: n.Uint64(b), kind: n.Uint16(b[8:]), count: int(n.Uint16(b[10:])), following: uint64(n.Uint32(b[12:]))}
	switch {
	case p.id != id:
		return nil, &errPage{id, "is not that page"}
	case p.kind != branchKind && p.kind != leafKind && p.kind != freelistKind:
		return nil, &errPage{id, "is of no known kind"}
	case id+p.following >= f.pages:
		return nil, &errPage{id, "goes on beyond the end"}
	}
	return p, nil
}

// page reads a page whole.
func (f *pageFile) page(id uint64) (*page, error) {
	p, err := f.header(id)
	if err != nil {
		return nil, err
	}
	length, at := int64(p.following+1)*int64(f.pageSize), int64(id)*int64(f.pageSize)
	if at+length > f.size {
		return nil, &errPage{id, "is lost in part: the file ends within it"}
	}
	p.data = make([]byte, length)
	if _, err := f.file.ReadAt(p.data, at); err != nil {
		return nil, &errPage{id, "can't be read: " + err.Error()}
	}
	return p, nil
}

// element is one entry of a page. Of a branch, child is the page that it leads to.
type element struct {
	isBucket   bool
	key, value []byte
	child      uint64
}

// elements reads the elements of a page of one of the trees. Those that can be read are returned also where
// others can't; the slices are parts of the page.
func (p *page) elements() (all []element, err error) {
	n := binary.NativeEndian
	count := p.fitting()
	if count != p.count {
		err = &errPage{p.id, fmt.Sprintf("says that it has %d elements, and has %d", p.count, count)}
	}
	begin := pageHeader + count*pageElement
	wrong := func(format string, args ...any) {
		if err == nil {
			err = &errPage{p.id, fmt.Sprintf(format, args...)}
		}
	}
	expected := begin
	for i := range count {
		at := pageHeader + i*pageElement
		b := p.data[at : at+pageElement]
		var e element
		var position, keyLength, valueLength int
		if p.kind == leafKind {
			flags := n.Uint32(b)
			e.isBucket = flags&isBucketFlag != 0
			if flags > isBucketFlag {
				wrong("has an element %d of no known kind", i)
			}
			position, keyLength, valueLength = int(n.Uint32(b[4:])), int(n.Uint32(b[8:])), int(n.Uint32(b[12:]))
		} else {
			position, keyLength, e.child = int(n.Uint32(b)), int(n.Uint32(b[4:])), n.Uint64(b[8:])
		}
		start, end := at+position, at+position+keyLength+valueLength
		if start < begin || end > len(p.data) || start != expected {
			wrong("has an element %d that is not where it must be", i)
		}
		expected = end
		if start < begin || end > len(p.data) {
			continue
		}
		e.key, e.value = p.data[start:start+keyLength], p.data[start+keyLength:end]
		if len(all) > 0 && bytes.Compare(all[len(all)-1].key, e.key) >= 0 {
			wrong("has keys that are not in order")
		}
		all = append(all, e)
	}
	return all, err
}

// fitting is the number of elements that a page has by the place of the data of the first, which
// follow the last element.
func (p *page) fitting() int {
	if len(p.data) < pageHeader+pageElement {
		return 0
	}
	at := p.data[pageHeader:]
	if p.kind == leafKind {
		at = at[4:]
	}
	first := int(binary.NativeEndian.Uint32(at))
	if p.count == 0 && first == 0 {
		return 0
	}
	most := (len(p.data) - pageHeader) / pageElement
	if first%pageElement != 0 || first == 0 || first/pageElement > most {
		return min(p.count, most)
	}
	return first / pageElement
}
