package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
)

// pageSet is a set of pages: a bit for each.
type pageSet []uint64

func newPageSet(pages uint64) pageSet { return make(pageSet, (pages+63)/64) }

func (s pageSet) has(id uint64) bool { return id/64 < uint64(len(s)) && s[id/64]&(1<<(id%64)) != 0 }
func (s pageSet) add(id uint64)      { s[id/64] |= 1 << (id % 64) }

// pageFault is a part of a tree that can't be read.
type pageFault struct {
	bucket    string // "" for the tree that holds the buckets
	why       error
	low, high []byte // the keys that are lost are not before low, and before high; nil: not bounded
	// isUnsafe says that the library must not read the tree: a page is in it twice, or is free.
	isUnsafe bool
}

func (s pageSet) remove(id uint64) { s[id/64] &^= 1 << (id % 64) }

// freeBucket stands for the list of pages that are not in use, where the name of a bucket is.
const freeBucket = "\x00free"

// treeWalk walks through the trees of a file, from the root down.
type treeWalk struct {
	*pageFile
	free    pageSet
	reached pageSet
	faults  []pageFault
	// onlyBranches leaves out the pages at the bottom, which are nearly all. Their number is held
	// against those that are free, or were met before.
	onlyBranches bool
	// leaf is called for each element of the pages at the bottom, in the order of the keys. The slices are
	// valid until it returns.
	leaf func(bucket string, e element)
	// buckets are those that were found, by name.
	buckets map[string]bucketHead
}

// bucketHead is what the tree of buckets says of one.
type bucketHead struct{ root, sequence uint64 }

// walk goes through all trees of the file. Faults are collected, and what is beside them is read.
func (f *pageFile) walk(onlyBranches bool, leaf func(string, element)) *treeWalk {
	w := &treeWalk{
		pageFile: f, reached: newPageSet(f.known()), onlyBranches: onlyBranches, leaf: leaf, buckets: map[string]bucketHead{},
	}
	var err error
	if w.free, err = f.freePages(); err != nil {
		w.fault(freeBucket, err, nil, nil)
	}
	var inline []element
	w.subtree(f.root, subtreeAt{}, func(e element) {
		if e.isBucket && len(e.value) >= pageHeader {
			inline = append(inline, element{key: bytes.Clone(e.key), value: bytes.Clone(e.value)})
		}
	})
	for _, e := range inline {
		name := string(e.key)
		head := bucketHead{binary.NativeEndian.Uint64(e.value), binary.NativeEndian.Uint64(e.value[8:])}
		w.buckets[name] = head
		visit := func(e element) {
			if leaf != nil {
				leaf(name, e)
			}
		}
		if head.root == 0 {
			w.inlineBucket(name, e.value[pageHeader:], visit)
		} else {
			w.subtree(head.root, subtreeAt{bucket: name}, visit)
		}
	}
	return w
}

// known is the number of pages that the head speaks of. More than mostPages no head tells the truth about.
func (f *pageFile) known() uint64 { return min(f.pages, mostPages) }

const mostPages = 1 << 31

func (w *treeWalk) fault(bucket string, why error, low, high []byte) {
	w.faults = append(w.faults, pageFault{bucket: bucket, why: why, low: bytes.Clone(low), high: bytes.Clone(high)})
}

// inlineBucket reads a bucket so small that it lies in the tree of buckets.
func (w *treeWalk) inlineBucket(name string, data []byte, visit func(element)) {
	if len(data) < pageHeader {
		w.fault(name, errors.New("it is cut short"), nil, nil)
		return
	}
	n := binary.NativeEndian
	p := &page{kind: n.Uint16(data[8:]), count: int(n.Uint16(data[10:])), data: data}
	if p.kind != leafKind {
		w.fault(name, errors.New("it is of no known kind"), nil, nil)
		return
	}
	all, err := p.elements()
	if err != nil {
		w.fault(name, err, nil, nil)
	}
	for _, e := range all {
		visit(e)
	}
}

// reach notes that a page is part of a tree; false if it must not be.
func (w *treeWalk) reach(bucket string, id uint64, low, high []byte) bool {
	why := ""
	switch {
	case id < 2 || id >= w.known():
		why = "is outside of the file"
	case w.reached.has(id):
		why = "is in the trees twice"
	case w.free.has(id):
		why = "is in a tree, and is free"
	default:
		w.reached.add(id)
		return true
	}
	w.faults = append(w.faults, pageFault{bucket, &errPage{id, why}, bytes.Clone(low), bytes.Clone(high), true})
	return false
}

// mostLevels bounds the depth of a tree: a page has two children or more.
const mostLevels = 64

// subtreeAt is where a page is: in a bucket, so many levels below its root. Its keys are not before low, and
// before high; nil does not bound them.
type subtreeAt struct {
	bucket    string
	low, high []byte
	level     int
}

// subtree walks through one page and those below it.
func (w *treeWalk) subtree(id uint64, at subtreeAt, visit func(element)) {
	bucket, low, high := at.bucket, at.low, at.high
	if !w.reach(bucket, id, low, high) {
		return
	}
	p, err := w.page(id)
	if err == nil && p.kind == freelistKind {
		err = &errPage{id, "is of another kind than it must be"}
	}
	if err == nil && at.level == mostLevels {
		err = &errPage{id, "is deeper than any"}
	}
	if err != nil {
		w.fault(bucket, err, low, high)
		w.reached.remove(id) // what is left of it may be salvaged
		return
	}
	for following := range p.following {
		w.reach(bucket, id+1+following, low, high)
	}
	all, err := p.elements()
	if err == nil && len(all) > 0 &&
		(low != nil && bytes.Compare(all[0].key, low) < 0 || high != nil && bytes.Compare(all[len(all)-1].key, high) >= 0) {
		err = &errPage{id, "has keys of another page"}
	}
	if err != nil {
		w.fault(bucket, err, low, high)
	}
	if p.kind == leafKind {
		for _, e := range all {
			visit(e)
		}
		return
	}
	if w.onlyBranches && len(all) > 0 {
		if first, err := w.header(all[0].child); err == nil && first.kind == leafKind && bucket != "" {
			for _, e := range all {
				w.reach(bucket, e.child, e.key, nil)
			}
			return
		}
	}
	for i, e := range all {
		end := high
		if i+1 < len(all) {
			end = all[i+1].key
		}
		w.subtree(e.child, subtreeAt{bucket, e.key, end, at.level + 1}, visit)
	}
}

// freePages reads the list of pages that are not in use.
func (f *pageFile) freePages() (pageSet, error) {
	free := newPageSet(f.known())
	if f.freelist == noFreelist {
		return free, nil
	}
	p, err := f.page(f.freelist)
	if err != nil {
		return free, err
	}
	if p.kind != freelistKind {
		return free, &errPage{p.id, "isn't a list of free pages"}
	}
	n := binary.NativeEndian
	count, ids := uint64(p.count), p.data[pageHeader:]
	if count == 0xFFFF {
		count, ids = n.Uint64(ids), ids[8:]
	}
	if count > uint64(len(ids)/8) {
		return free, &errPage{p.id, "says that it has more entries than have room in it"}
	}
	last := uint64(1)
	for i := range int(count) {
		id := n.Uint64(ids[8*i:])
		if id <= last || id >= f.known() {
			return newPageSet(f.known()), &errPage{p.id, "has entries that aren't free pages"}
		}
		free.add(id)
		last = id
	}
	for following := range p.following + 1 {
		if free.has(p.id + following) {
			return newPageSet(f.known()), &errPage{p.id, "lists itself as free"}
		}
	}
	return free, nil
}

// lost is the number of pages that are in use and in no tree. It means something only if all pages were
// walked through, and the list of free ones was read.
func (w *treeWalk) lost() (ids []uint64) {
	for id := uint64(2); id < w.known(); id++ {
		if !w.reached.has(id) && !w.free.has(id) {
			ids = append(ids, id)
		}
	}
	if p, err := w.header(w.freelist); err == nil {
		ids = slices.DeleteFunc(ids, func(id uint64) bool { return id >= p.id && id <= p.id+p.following })
	}
	return ids
}
