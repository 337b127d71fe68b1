package archive

import (
	"bytes"
	"context"

	"laundromat/archive/sevenzip"
)

// container is a way of holding many files in one.
type container struct {
	name string
	// is knows it by the first headSize bytes; nil: it has no mark among them.
	is func(head []byte) bool
	// isFurther knows it by what else can be seen. It is asked only where is of no
	// container says yes; nil: there is nothing else.
	isFurther func(*look) bool
	// isLeaf says of one that was known that it is a document, and so is not walked.
	isLeaf func(*look) bool

	// One of these three walks it.
	//
	// stream reads it from its beginning to its end.
	stream func(*walk, context.Context) error
	// sought reads it by places: within filters, what they unpack to is spooled first.
	sought func(*walk, context.Context, *tap) error
	// one does so too, and returns where the container ends: another may follow it.
	one func(*walk, context.Context, *tap) (end int64, err error)

	followers followers // of one
	hasParts  bool      // several readers can share it: see Opened.Part
}

// followers bounds the containers of a kind that come right after each other.
type followers struct {
	noun     string // for messages
	most     int    // that are walked
	headSize int    // bytes that is wants
}

// containers is every container there is, in the order in which they are asked. What each
// may cost at most is a constant of its own file: how long a name, a directory or a header may be.
var containers = []container{
	{name: "iso9660", isFurther: isIsoImage, sought: func(w *walk, _ context.Context, in *tap) error { return w.iso(in) }},
	{name: "zip", is: isZip, isFurther: isZipBehind, isLeaf: isZipLeaf,
		sought: func(w *walk, _ context.Context, in *tap) error { return w.zip(in) }},
	{name: "7z", is: begins(sevenzip.Mark), isFurther: isSevenStart.isBehind, one: (*walk).oneSevenZip,
		followers: followers{noun: "7z archive", most: maxZips, headSize: sevenzip.HeadSize}},
	{name: "rar", is: isRar, isFurther: isRarStart.isBehind, sought: (*walk).rar},
	{name: "warc", is: isWarc, stream: func(w *walk, _ context.Context) error { return w.warc() }},
	{name: "arc", is: isArc, stream: func(w *walk, _ context.Context) error { return w.arc() }},
	{name: "crawl-lines", is: isPageLines, stream: func(w *walk, _ context.Context) error { return w.pageLines() }},
	{name: "xar", is: isXar, sought: func(w *walk, _ context.Context, in *tap) error { return w.xar(in) }},
	{name: "cab", is: isCabinet, one: (*walk).oneCabinet,
		followers: followers{noun: "cabinet", most: maxCabinets, headSize: cabinetHead}},
	{name: "ar", is: begins(arMark), stream: func(w *walk, _ context.Context) error { return w.ar() }},
	{name: "cpio", is: isCpio, stream: func(w *walk, _ context.Context) error { return w.cpio() }},
	{name: "tar", is: isTar, isFurther: isNamedTar, stream: (*walk).tar},
	{name: "crawl-dump", isFurther: isWholeDump, hasParts: true, sought: (*walk).dump},
}

// containerOf finds the container that bytes beginning with head are; nil if none.
func containerOf(head []byte) *container {
	for i := range containers {
		if c := &containers[i]; c.is != nil && c.is(head) {
			return c
		}
	}
	return nil
}

// isPacked says that bytes beginning with head went through a filter, or are a container.
func isPacked(head []byte) bool {
	_, isFiltered := filterOf(head, "")
	return isFiltered || containerOf(head) != nil
}

// look is what a container is known by.
type look struct {
	chain     *chain
	head      []byte // its first headSize bytes, or all
	name      string // of the file, without the suffixes of its filters
	isTarName bool   // the file is called a tar
	// isFiltered says that it is within filters: it can't be read by places yet.
	isFiltered bool
}

// longest is as much of the beginning as can be seen, and says whether that is all.
func (l *look) longest() (long []byte, isAll bool) {
	top := l.chain.top
	long, _ = top.Peek(top.Size())
	return long, len(long) < top.Size()
}

// container finds what is seen; nil for a leaf.
func (l *look) container() *container {
	if number, ok := l.isPart(); ok {
		l.chain.o.part = number
		return partContainer
	}
	found := containerOf(l.head)
	for i := 0; found == nil && i < len(containers); i++ {
		if c := &containers[i]; c.isFurther != nil && c.isFurther(l) {
			found = c
		}
	}
	if found != nil && found.isLeaf != nil && found.isLeaf(l) {
		return nil
	}
	return found
}

func isIsoImage(l *look) bool {
	if bytes.IndexByte(l.head, 0) < 0 {
		return false // a text, which need not be read that far
	}
	long, _ := l.chain.top.Peek(isoHead)
	return isIso(long)
}

func isZipBehind(l *look) bool { return !l.isFiltered && zipBehind(l.chain.tap, l.head, l.name) }

func isZipLeaf(l *look) bool { return isZipDocument(l.head, l.chain.tap, l.isFiltered) }

func isRar(head []byte) bool {
	return begins("Rar!\x1A\x07\x00")(head) || begins("Rar!\x1A\x07\x01\x00")(head)
}

// isTar wants a header first. A single block of zeros before it is passed over, as between two entries.
func isTar(head []byte) bool {
	if len(head) >= 2*tarBlock && allZero(head[:tarBlock]) {
		head = head[tarBlock:]
	}
	return len(head) >= tarBlock && isTarHeader(head[:tarBlock])
}

func isNamedTar(l *look) bool {
	if !l.isTarName {
		return false
	}
	long, isAll := l.longest()
	return isAll && isEmptyTar(long)
}

func isWholeDump(l *look) bool {
	if !isDump(l.head, true) {
		return false
	}
	long, isAll := l.longest()
	return isDump(long, !isAll && (l.isFiltered || dumpGoesOn(l.chain.tap, long)))
}
