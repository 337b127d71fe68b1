// Package archive turns bytes into entries: bytes in, entries out, within limits.
//
// A file from the web is seldom what its name says. [Open] looks at the bytes alone and
// peels one layer after another. The layers are filters: gzip, bzip2, xz, zstd, lz4, lzip,
// lzma, lzop, snappy, compress, uuencode. Brotli, which has no mark of its own, is tried
// only where the name says so too. It ends at a container (zip, tar, 7z, rar, cpio, ar,
// iso9660, xar) or at a leaf, which is anything else:
//
//	opened, err := archive.Open(ctx, source, "dump.tar.gz", archive.Limits{}, notice)
//	if err != nil { … }
//	defer opened.Close()
//	if opened.Format == "" {
//		body, err := opened.Reader(ctx) // a leaf: the bytes after the filters
//		…
//	}
//	err = opened.Entries(ctx, func(e archive.Entry, r io.Reader) error { … })
//
// An entry may be an archive itself: spool it ([Spool]) and open it within
// [Opened.Inside], so that the limits hold for all of it together.
//
// # Damage
//
// Damaged data costs only itself. What could be unpacked is handed on, and a notice
// says what is missing, and where. After the damage, reading goes on with the next member,
// frame or block that is sound. A mark that no format allows is left in the gap. Where
// nothing sound follows, the stream ends. A truncated zip is read from its front, a tar
// goes on at its next sound header. Errors are only: those of the Source (their kind is
// kept), a cancelled context, what a callback returned, and limits.
//
// # Safety
//
// Everything that grows is measured against [Limits] at every layer, so a small
// file can't become a large one unseen. Names of entries are data: nothing is
// ever written under them.
package archive

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"laundromat/internal/fault"
)

// Source is a stream that can be read from any place. It is read by one
// goroutine at a time.
type Source interface {
	io.ReaderAt
	// Size is the length of the stream in bytes. It does not change.
	Size() int64
}

// Opened is a source whose layers are known. It is not safe for use by several
// goroutines. It holds no file open unless a container within filters had to be
// spooled; Close removes that.
type Opened struct {
	Filters []string // outermost first: "gzip", "bzip2", …
	Format  string   // "zip", "tar", "7z", …; "" for a leaf

	src    Source
	limits Limits
	opens  []filter // those of Filters
	// container is that of Format; nil for a leaf.
	container *container
	part      int // of several, if it is one and that is known
	noted     noted
	total     int64 // bytes of the leaf that are counted in limits.spent
	walked    walked
	inner     SpooledSource
}

// Open finds the layers of src. The name serves only for brotli and in messages.
// Findings go to notice, which may be nil. It is called during Open, Reader and
// Entries, on their goroutine, once for each finding however often the bytes
// are read.
//
// The error is one of the source, of ctx, limit/archive-depth, -bytes or -ratio, or
// [ErrNothing].
func Open(ctx context.Context, src Source, name string, limits Limits, notice func(fault.Notice)) (*Opened, error) {
	return OpenCoded(ctx, src, Said{Name: name}, limits, notice)
}

// Said is what is said of a source, which may be wrong.
type Said struct {
	Name string
	// Codings are what the header of a reply names, in the order in which they were
	// applied: see [codedFilter].
	Codings []string
}

// OpenCoded is Open for the body of a reply.
func OpenCoded(ctx context.Context, src Source, said Said, limits Limits, notice func(fault.Notice)) (*Opened, error) {
	limits.applyDefaults()
	limits.begin(src.Size())
	o := &Opened{src: src, limits: limits, noted: noted{notice: notice, layers: map[int]int{}}}
	c := o.newChain(ctx)
	defer c.close()
	c.raw.keep = recentBytes // the head is read before it is known who decodes it
	windows := 0
	isTarName := hasSuffix(said.Name, tarSuffixes)
	for {
		head, _ := c.top.Peek(headSize)
		if c.trouble.err != nil {
			return nil, c.trouble.err
		}
		if len(head) == 0 && c.damaged() {
			return nil, o.noted.nothing()
		}
		f, found := c.nextFilter(head, &said)
		if !found {
			isTarName = isTarName || hasSuffix(said.Name, tarSuffixes)
			if err := o.within(&look{c, head, said.Name, isTarName, len(o.Filters) > 0}); err != nil {
				return nil, err
			}
			if o.Format == "zip" && len(o.Filters) > 0 {
				if err := o.asPackage(ctx); err != nil {
					return nil, err
				}
			}
			return o, nil
		}
		if f.window {
			windows++
		}
		o.Filters = append(o.Filters, f.name)
		o.opens = append(o.opens, f)
		switch {
		case o.layers() > limits.Depth:
			return nil, depthError(limits.Depth)
		case windows > maxWindows:
			return nil, windowsError()
		}
		said.Name = trimSuffix(said.Name, f.suffixes)
		c.push(f)
		c.raw.keep = recentBytes
	}
}

// nextFilter finds the filter of what is uppermost, by sight or by what is said of it. It
// takes the codings off that are undone then.
func (c *chain) nextFilter(head []byte, said *Said) (f filter, found bool) {
	if isSkippable(head) {
		f, found = c.skippableFilter(said.Name)
	} else {
		f, found = filterOf(head, said.Name)
	}
	if found {
		said.Codings = withoutCoding(said.Codings, f)
		return f, true
	}
	f, said.Codings, found = codedFilter(head, said.Codings)
	return f, found
}

// within finds what the filters hold: a container or a leaf.
func (o *Opened) within(l *look) error {
	if o.container = l.container(); o.container != nil {
		o.Format = o.container.name
	}
	switch {
	case l.chain.trouble.err != nil:
		return l.chain.trouble.err
	case o.Format != "" && o.layers() > o.limits.Depth:
		return depthError(o.limits.Depth)
	}
	if what := unsupported(l.head); what != "" {
		o.noted.layer(len(o.Filters), 1, fault.Notice{Code: fault.ArchiveUnsupported, Severity: fault.Warning,
			Message: what + " can't be unpacked; its bytes are taken as they are"})
	}
	return nil
}

// layers counts the filters and the container.
func (o *Opened) layers() int {
	n := len(o.Filters)
	if o.Format != "" {
		n++
	}
	return n
}

// Inside returns the limits for opening an entry of o: what o's layers leave of
// the depth, and the same account of bytes and entries.
func (o *Opened) Inside() Limits {
	inside := o.limits
	inside.Share = 0 // the account has it
	inside.Depth -= o.layers()
	if inside.Depth == 0 {
		inside.Depth = -1 // 0 would be the default
	}
	return inside
}

// CountOn makes Entries count on met; it is called before Entries. The limit on entries
// holds for all that count on the same: the archives in one file that are opened
// separately. Several goroutines may read such archives at a time.
func (o *Opened) CountOn(met *atomic.Int64) { o.limits.spent.entries = met }

// Met is how many entries the last walk met, of all kinds.
func (o *Opened) Met() int64 { return o.walked.entries }

// Close gives back what o holds.
func (o *Opened) Close() error {
	if o.inner == nil {
		return nil
	}
	err := o.inner.Close()
	o.inner = nil
	return err
}

// Reader returns the bytes after the filters, from their beginning; for a leaf
// those of the document, for a container those of the archive. It can be called
// again. The stream obeys ctx as long as it is read.
func (o *Opened) Reader(ctx context.Context) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	c := o.newChain(ctx)
	for _, f := range o.opens {
		c.push(f)
	}
	return &leaf{o: o, c: c}, nil
}

// leaf is the stream of Reader. It counts its bytes in the account that is
// shared with what else is unpacked, but those of a second reading only once.
type leaf struct {
	o *Opened
	c *chain
	n int64
}

func (l *leaf) Read(p []byte) (int, error) {
	if l.c.top == nil {
		return 0, os.ErrClosed
	}
	n, err := l.c.top.Read(p)
	l.n += int64(n)
	if len(l.o.opens) > 0 && l.n > l.o.total {
		fresh := l.n - l.o.total
		l.o.total = l.n
		if limit := l.o.limits.spend(fresh); limit != nil && err == nil {
			err = l.c.trouble.set(limit)
		}
	}
	if err != nil && l.o.total > 0 && fault.CodeOf(l.c.trouble.err) == fault.LimitArchiveRatio && l.o.limits.isBomb(l.o.total) {
		l.o.limits.takeBack(l.o.total) // so that it does not cost what lies next to it
		l.o.total = 0
	}
	return n, err
}

func (l *leaf) Close() error { l.c.close(); return nil }

// chain is the stack of decoders over the source.
type chain struct {
	o       *Opened
	trouble *trouble
	tap     *tap
	layers  []*layer
	raw     *input // what top is filled from
	top     *bufio.Reader
	begun   *readBuffer // what the source is read with
}

const (
	tapBuffer   = 64 << 10
	smallSource = 8 << 10
	layerBuffer = 36 << 10 // a little more than what an image of a disc is known by
)

func (o *Opened) newChain(ctx context.Context) *chain {
	t := &trouble{}
	tap := &tap{ctx: ctx, src: o.src, trouble: t}
	raw := &input{below: tap}
	c := &chain{o: o, trouble: t, tap: tap, raw: raw}
	of := &tapBuffers
	if max(o.src.Size()+1, headSize) <= smallSource {
		of = &smallBuffers // a small file needs no more
	}
	c.begun = of.Get().(*readBuffer)
	raw.recent = c.begun.recent[:0]
	c.top = c.begun.top
	c.top.Reset(raw)
	return c
}

// readBuffer is what reading a source begins with.
type readBuffer struct {
	top    *bufio.Reader
	recent []byte
	of     *sync.Pool
}

// smallBuffers and tapBuffers serve again.
var smallBuffers, tapBuffers sync.Pool

func init() {
	for size, of := range map[int]*sync.Pool{smallSource: &smallBuffers, tapBuffer: &tapBuffers} {
		of.New = func() any { return &readBuffer{bufio.NewReaderSize(nil, size), make([]byte, 0, size), of} }
	}
}

// push puts a decoder on top.
func (c *chain) push(f filter) {
	l := &layer{chain: c, number: len(c.layers), filter: f, raw: c.raw, in: c.top, most: c.o.limits.most(c.o.src.Size())}
	c.layers = append(c.layers, l)
	c.raw = &input{below: l}
	c.top = buffers.Get().(*bufio.Reader)
	c.top.Reset(c.raw)
}

// buffers are those of layers, which serve again: most documents are smaller than one.
var buffers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, layerBuffer) }}

// damaged says whether a filter ended early.
func (c *chain) damaged() bool {
	for _, l := range c.layers {
		if l.damaged {
			return true
		}
	}
	return false
}

// close ends the reading. A second time it does nothing.
func (c *chain) close() {
	if c.top == nil {
		return
	}
	for i, l := range c.layers {
		if l.out != nil {
			l.out.Close()
			l.out = nil
		}
		l.end = os.ErrClosed
		if i > 0 {
			l.in.Reset(nil)
			buffers.Put(l.in)
		}
	}
	if len(c.layers) > 0 {
		c.top.Reset(nil)
		buffers.Put(c.top)
	}
	c.begun.top.Reset(nil)
	c.begun.of.Put(c.begun)
	c.begun = nil
	c.top = nil
}

// layer is the output of one decoder. A fault of the data ends it like the end
// of a file, with a notice. Trouble that isn't the data's comes out as it is.
type layer struct {
	chain   *chain
	number  int
	filter  filter
	raw     *input
	in      *bufio.Reader // filled from raw
	out     io.ReadCloser
	n       int64 // bytes that came out
	most    int64 // and how many may
	told    int   // findings of this reading
	end     error
	damaged bool
	watch   *guard // of its decoder; nil until that is asked
}

// guard stands before the decoder.
func (l *layer) guard() *guard {
	if l.watch == nil {
		l.watch = &guard{ctx: l.chain.tap.ctx, trouble: l.chain.trouble}
	}
	return l.watch
}

// window is how much memory the decoder's window may take.
func (l *layer) window() int { return l.chain.o.limits.window() }

// place is where in its input a layer reads, in bytes.
func (l *layer) place() int64 { return l.raw.at - int64(l.in.Buffered()) }

// where says a place in words.
func (l *layer) where(place int64) string {
	if l.number == 0 {
		return strconv.FormatInt(place, 10)
	}
	return fmt.Sprintf("%d of what is in the %s", place, l.chain.layers[l.number-1].filter.name)
}

func (l *layer) Read(p []byte) (int, error) {
	if l.end != nil || len(p) == 0 {
		return 0, l.end
	}
	if l.out == nil {
		out, err := l.filter.open(l)
		if err != nil {
			l.end = l.judge(err)
			return 0, l.end
		}
		l.out = out
	}
	n, err := l.guard().read(l.out, p)
	l.n += int64(n)
	switch {
	case err != nil:
		l.end = l.judge(err)
	case l.n > l.most:
		n -= int(l.n - l.most) // so that what came before is the same in each reading
		l.end = l.chain.trouble.set(l.chain.o.limits.exceeded(l.chain.o.src.Size(), l.n))
	}
	return n, l.end
}

// judge decides what an error of the decoder means for the stream.
func (l *layer) judge(err error) error {
	if l.chain.trouble.err != nil {
		return l.chain.trouble.err
	}
	if err == io.EOF {
		return io.EOF
	}
	l.lose(damageCode(err), l.place(), 0, "")
	return io.EOF
}

// lose reports that some data of the layer is lost: at a place of its input, this many
// bytes were skipped.
func (l *layer) lose(code fault.Code, at, passed int64, more string) {
	lost := 1
	for _, below := range l.chain.layers[:l.number] {
		if below.damaged {
			lost = 0
		}
	}
	l.damaged = true
	l.say(fault.Notice{Code: code, Severity: fault.Drop, Lost: lost, Bytes: passed},
		"%s data %s at byte %s, after %d bytes had come out of it%s", l.filter.name, damageVerb(code), l.where(at), l.n, more)
}

// say hands on a finding, with its message.
func (l *layer) say(f fault.Notice, format string, args ...any) {
	f.Message = fmt.Sprintf(format, args...)
	l.told++
	l.chain.o.noted.layer(l.number, l.told, f)
}

func damageVerb(code fault.Code) string {
	switch code {
	case fault.ArchiveTruncated:
		return "ends early"
	case fault.ArchiveUnsupported:
		return "is of a kind that can't be unpacked"
	case fault.ArchiveChecksum:
		return "fails its checksum"
	case fault.LimitMemory:
		return "needs a larger window than the memory that it may have (--memory)"
	case fault.LimitArchiveStalled:
		return "is stuck: its decoder gives neither a byte nor an error"
	}
	return "is corrupt"
}

// errLeaf is what Entries says of a source that is no container: a fault of the caller.
var errLeaf = errors.New("archive: a leaf has no entries")
