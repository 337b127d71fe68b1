package files

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/commonprefix"
	"laundromat/internal/deflate"
	"laundromat/internal/digest"
)

// CleanOptions say how a clean file is made.
type CleanOptions struct {
	// Level is the level of compression, 1 (fast) to 9 (small); by default 6.
	Level int
	// Workers is how many goroutines compress; by default GOMAXPROCS. Each takes
	// about 3 MiB of memory.
	Workers int
	// Index takes the index, if it is not nil: see the package's index format.
	Index io.Writer
	// Unmeasured saves the hashes: Content is not asked for.
	Unmeasured bool
	// WithoutMD5 saves the MD5, which Content does not have then: that of a file which is not named by it.
	WithoutMD5 bool
}

const (
	defaultLevel = 6
	lineLevel    = 1         // what is compressed by internal/deflate
	memberText   = 1 << 20   // the most text in a member, unless a single line is longer
	smallText    = 256 << 10 // the buffers of a file of one member are reused up to this; an article has some 140 kB
	keptBuffer   = 2 << 20   // larger buffers, of longer lines, are not used again
)

// Indexed says whether a clean file with so many bytes of text has an index next to it: one
// of a single member needs none.
func Indexed(text int64) bool { return text > memberText }

// CleanWriter writes a clean file: lines of N-Quads in gzip members of at most 1 MiB of
// text each, cut at line ends. By RFC 1952 §2.2 a gzip file is a series of members. Any
// gunzip reads it; with the index one can begin at any member. The same lines and level
// give the same bytes, however many goroutines compress them.
//
// It must be ended with Close or Abort. It is used from one goroutine.
type CleanWriter struct {
	out    io.Writer
	opt    CleanOptions
	index  indexWriter
	md5    hash.Hash
	sha256 hash.Hash
	bytes  int64
	lines  int64
	chars  int64

	cur     *member
	started int // members made; each is used again
	ended   bool

	// The goroutines, once there is more than one member. Each member goes to all.
	pack, hash5, hash256, write chan *member
	free                        chan *member
	running                     sync.WaitGroup

	mu  sync.Mutex
	err error
}

// member is a gzip member that is being made.
type member struct {
	text   []byte
	ends   []int // after each line; like shared of level 1 alone
	shared []int // how many bytes it and the line before begin with
	lent   *loan // what the text is part of, if it is not the member's own
	own    []byte
	lines  int64
	chars  int64
	packed packed
	parts  sync.WaitGroup // compression and the two hashes
}

// packed collects compressed bytes.
type packed struct{ data []byte }

func (p *packed) Write(data []byte) (int, error) {
	p.data = append(p.data, data...)
	return len(data), nil
}

// NewCleanWriter returns a CleanWriter that writes to w. A Level that gzip does not
// know is taken for the default.
func NewCleanWriter(w io.Writer, opt CleanOptions) *CleanWriter {
	if opt.Level < 1 || opt.Level > 9 {
		opt.Level = defaultLevel
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	c := &CleanWriter{out: w, opt: opt, md5: md5.New(), sha256: sha256.New(), cur: members.Get().(*member), started: 1}
	c.index.out = opt.Index
	return c
}

var errEnded = errors.New("files: the clean file is ended")

// Line writes a line, given without its line end; it is copied. Lines must come in
// order, each once; that is not checked. An error of the writers below comes back
// from this or a later call, or from Close. Line waits while the lines come faster
// than they can be compressed and written.
func (c *CleanWriter) Line(line []byte) error {
	if err := c.room(len(line) + 1); err != nil {
		return err
	}
	m := c.cur
	at := len(m.text)
	m.text = append(append(m.text, line...), '\n')
	m.lines++
	if c.opt.Level == lineLevel {
		shared := 0
		if n := len(m.ends); n > 0 {
			before := 0
			if n > 1 {
				before = m.ends[n-2]
			}
			shared = commonprefix.Common(m.text[before:], m.text[at:], 0)
		}
		m.ends, m.shared = append(m.ends, len(m.text)), append(m.shared, shared)
	}
	return nil
}

// room makes the current member one with room for so many bytes, or one without a line.
func (c *CleanWriter) room(n int) error {
	if c.ended {
		return errEnded
	}
	if m := c.cur; m.lines > 0 && len(m.text)+n > memberText {
		return c.next()
	}
	return nil
}

// Lines writes lines as Line does, many at once. It takes their text, each with its line end, and the
// indices after each. It also takes how many bytes each and the line before have in common at their
// beginning. The text is not copied as a whole: it must stay as it is until release is called, on any
// goroutine.
func (c *CleanWriter) Lines(text []byte, ends, shared []int, release func()) error {
	lent := &loan{release: release}
	lent.parts.Store(1)
	defer lent.end()
	from := 0 // in text
	for len(ends) > 0 {
		if err := c.room(ends[0] - from); err != nil {
			return err
		}
		m := c.cur
		n, _ := slices.BinarySearch(ends, from+memberText-len(m.text)+1) // those that fit
		n = max(n, 1)
		to, shift := ends[n-1], len(m.text)-from
		if m.lines == 0 && n < len(ends) { // all that the member will have
			lent.parts.Add(1)
			m.lent, m.own, m.text = lent, m.text, text[from:to:to]
		} else {
			m.text = append(m.text, text[from:to]...)
		}
		m.lines += int64(n)
		if c.opt.Level == lineLevel {
			m.shared = append(m.shared, shared[:n]...)
			for _, end := range ends[:n] {
				m.ends = append(m.ends, end+shift)
			}
		}
		from, ends, shared = to, ends[n:], shared[n:]
	}
	return nil
}

// loan is a text of which members have parts.
type loan struct {
	parts   atomic.Int32
	release func()
}

// end gives one part back.
func (l *loan) end() {
	if l.parts.Add(-1) == 0 {
		l.release()
	}
}

// next hands the current member over and begins another.
func (c *CleanWriter) next() error {
	if err := c.failed(); err != nil {
		return err
	}
	if c.write == nil {
		c.start()
	}
	c.hand()
	if c.started < c.opt.Workers+2 {
		c.started++
		c.cur = &member{text: make([]byte, 0, memberText)}
		return nil
	}
	c.cur = <-c.free // the goroutines give every member back, after an error too
	return nil
}

// hand gives the current member to the goroutines; their channels have room for all.
func (c *CleanWriter) hand() {
	m := c.cur
	c.cur = nil
	if c.opt.Unmeasured {
		m.parts.Add(1)
	} else {
		m.parts.Add(3)
		c.hash5 <- m
		c.hash256 <- m
	}
	c.pack <- m
	c.write <- m
}

func (c *CleanWriter) start() {
	room := c.opt.Workers + 2
	c.pack, c.hash5 = make(chan *member, room), make(chan *member, room)
	c.hash256, c.write = make(chan *member, room), make(chan *member, room)
	c.free = make(chan *member, room)
	part := func(members <-chan *member, do func(*member)) {
		c.running.Go(func() {
			for m := range members {
				do(m)
				m.parts.Done()
			}
		})
	}
	for range c.opt.Workers {
		part(c.pack, c.compress)
	}
	part(c.hash5, func(m *member) {
		if !c.opt.WithoutMD5 {
			c.md5.Write(m.text)
		}
	})
	part(c.hash256, func(m *member) { c.sha256.Write(m.text) })
	c.running.Go(func() {
		for m := range c.write {
			m.parts.Wait()
			if c.failed() == nil {
				c.fail(c.put(m))
			}
			c.free <- m.empty()
		}
	})
}

// empty makes m ready to be used again.
func (m *member) empty() *member {
	if m.lent != nil {
		m.lent.end()
		m.lent, m.text, m.own = nil, m.own, nil
	}
	if cap(m.text) > keptBuffer {
		m.text = nil
	}
	if cap(m.packed.data) > keptBuffer {
		m.packed.data = nil
	}
	m.text, m.packed.data, m.lines, m.chars = m.text[:0], m.packed.data[:0], 0, 0
	m.ends, m.shared = m.ends[:0], m.shared[:0]
	return m
}

// small leaves out buffers of m that are too large to be kept for a file of one member.
func (m *member) small() *member {
	if cap(m.text) > smallText {
		m.text = nil
	}
	if cap(m.packed.data) > smallText {
		m.packed.data = nil
	}
	return m
}

// members are the first of a file each, which serve again: most files have no other.
var members = sync.Pool{New: func() any { return new(member) }}

// lineCompressors are those of lineLevel.
var lineCompressors = sync.Pool{New: func() any { return new(deflate.Encoder) }}

// compressors keeps gzip writers by level: they are large, and most clean files small.
var compressors [10]sync.Pool

func (c *CleanWriter) compress(m *member) {
	if !c.opt.Unmeasured {
		m.chars = digest.CountChars(m.text)
	}
	if c.opt.Level == lineLevel {
		e := lineCompressors.Get().(*deflate.Encoder)
		m.packed.data = e.AppendMember(m.packed.data, m.text, m.ends, m.shared)
		lineCompressors.Put(e)
		return
	}
	z, _ := compressors[c.opt.Level].Get().(*gzip.Writer)
	if z == nil {
		z, _ = gzip.NewWriterLevel(&m.packed, c.opt.Level) // the level is known
	} else {
		z.Reset(&m.packed)
	}
	_, err := z.Write(m.text)
	c.fail(errors.Join(err, z.Close()))
	compressors[c.opt.Level].Put(z)
}

// put writes a member that is compressed.
func (c *CleanWriter) put(m *member) error {
	if _, err := c.out.Write(m.packed.data); err != nil {
		return err
	}
	c.bytes += int64(len(m.text))
	c.lines += m.lines
	c.chars += m.chars
	return c.index.member(int64(len(m.packed.data)), m.text, m.lines)
}

// Close writes what is left, and the end of the index. The writers below are not
// closed. A file without a line is one empty member.
func (c *CleanWriter) Close() error {
	if c.ended {
		return errEnded
	}
	c.ended = true
	if c.write == nil { // a small file: no goroutine needed
		if !c.opt.Unmeasured {
			if !c.opt.WithoutMD5 {
				c.md5.Write(c.cur.text)
			}
			c.sha256.Write(c.cur.text)
		}
		c.compress(c.cur)
		if c.failed() == nil {
			c.fail(c.put(c.cur))
		}
		members.Put(c.cur.empty().small())
		c.cur = nil
	} else {
		c.hand()
		c.wait()
	}
	if c.failed() == nil {
		c.fail(c.index.end())
	}
	return c.failed()
}

// Abort ends the work without writing what is left. After Close it does nothing.
func (c *CleanWriter) Abort() {
	if c.ended {
		return
	}
	c.ended = true
	c.fail(errEnded)
	if c.write != nil {
		c.wait()
	}
}

// wait ends the goroutines.
func (c *CleanWriter) wait() {
	for _, members := range []chan *member{c.pack, c.hash5, c.hash256, c.write} {
		close(members)
	}
	c.running.Wait()
}

// Content measures the N-Quads before compression, after Close; MD5 is the hash of
// the clean seed.
func (c *CleanWriter) Content() digest.Content {
	lines, chars := c.lines, c.chars
	measured := digest.Content{
		SHA256:        hex.EncodeToString(c.sha256.Sum(nil)),
		NumberOfBytes: c.bytes,
		NumberOfChars: &chars,
		NumberOfLines: &lines,
		Newline:       digest.LF,
	}
	if !c.opt.WithoutMD5 {
		measured.MD5 = hex.EncodeToString(c.md5.Sum(nil))
	}
	if lines == 0 {
		measured.Newline = digest.None
	}
	return measured
}

func (c *CleanWriter) failed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// fail keeps the first error.
func (c *CleanWriter) fail(err error) {
	c.mu.Lock()
	if c.err == nil {
		c.err = err
	}
	c.mu.Unlock()
}
