package archive

import (
	"bytes"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"time"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// Entries calls each for every regular file of a container, in the order in which
// they lie in it. The reader holds the entry's bytes until the call returns. It
// need not be read to its end (what is not read is not checked either). An error
// of each ends the walk and is returned as it is.
//
// Links, directories and devices are skipped; so are entries that can't be
// read, with a notice. Where something was lost and no byte came, it ends with
// [ErrNothing]. Entries can be called again: what the walk before put on
// the account of the limits is taken off it first.
func (o *Opened) Entries(ctx context.Context, each func(Entry, io.Reader) error) error {
	return o.Part(ctx, 0, 1, each)
}

// Part calls each for the pages of a crawl dump that begin in one of several equal parts of
// it, counted from 0. So several readers can share one file. All parts together have every
// page once. Of another container there is only one part.
func (o *Opened) Part(ctx context.Context, part, parts int, each func(Entry, io.Reader) error) error {
	switch {
	case o.Format == "":
		return errLeaf
	case part < 0 || part >= parts || parts > 1 && !o.container.hasParts:
		return errPart
	}
	c := o.newChain(ctx)
	defer c.close()
	for _, f := range o.opens {
		c.push(f)
	}
	o.limits.spent.bytes.Add(-o.walked.bytes)
	o.limits.spent.entries.Add(-o.walked.entries)
	o.walked = walked{}
	w := &walk{o: o, chain: c, each: each, seen: map[[md5.Size]byte]int{}, most: o.limits.most(o.src.Size()),
		part: part, parts: parts, isPacked: isPacked}
	err := w.container(ctx, o.container)
	if c.trouble.err != nil {
		if fault.CodeOf(c.trouble.err) == fault.LimitArchiveRatio && o.limits.isBomb(o.walked.bytes) {
			o.limits.takeBack(o.walked.bytes)
			o.walked.bytes = 0
		}
		return c.trouble.err
	}
	if err == nil && parts == 1 && !w.had && o.noted.lost.Code != "" {
		return o.noted.nothing()
	}
	return err
}

// container walks the container from its beginning.
func (w *walk) container(ctx context.Context, c *container) error {
	if c.stream != nil {
		return c.stream(w, ctx)
	}
	in := w.chain.tap
	if len(w.o.opens) > 0 {
		inner, err := w.o.spooled(ctx, w.chain)
		if err != nil {
			return err
		}
		in = &tap{ctx: ctx, src: inner, trouble: w.chain.trouble}
	}
	if c.sought != nil {
		return c.sought(w, ctx, in)
	}
	return w.eachBehind(ctx, in, c)
}

// spooled holds what lies within the filters as a source, once for all walks.
func (o *Opened) spooled(ctx context.Context, c *chain) (Source, error) {
	if o.inner == nil {
		inner, err := Spool(ctx, c.top, o.limits.Temp, spoolMemory)
		if err != nil {
			return nil, err
		}
		o.inner = inner
	}
	return o.inner, nil
}

// walk is one reading of a container.
type walk struct {
	o     *Opened
	chain *chain
	each  func(Entry, io.Reader) error
	part  int // of the container, among so many parts
	parts int
	// isPacked is the function of that name: what the table of containers holds can't
	// name what reads the table.
	isPacked func(head []byte) bool
	seen     map[[md5.Size]byte]int // how often a name was met, by its hash
	place    int64                  // of the current entry among all that were met, from 1
	n        int64                  // bytes that came out of entries
	most     int64
	cut      bool  // the last entry that was read ended too early
	gap      bool  // and in its middle some of it is missing
	had      bool  // an entry was whole, or some of its bytes came
	over     int64 // bytes that came out of the last entry, if it alone reached the ratio; 0 if not
	zipReaders
	scanned int64    // bytes of a zip that were searched for descriptors
	names   zipNames // of a zip, that are no UTF-8
}

// share is where the part of a number begins.
func share(size int64, part, parts int) int64 {
	whole, rest := size/int64(parts), size%int64(parts)
	return whole*int64(part) + min(int64(part), rest)
}

// errPart is what Part says of a part that there is not.
var errPart = errors.New("only a crawl dump that is not compressed can be read in parts, numbered from 1")

// errStop ends a walk whose reason is in trouble.
var errStop = errors.New("archive: stop")

// met counts an entry of whatever kind. Each is to be met before it is noted.
func (w *walk) met() error {
	w.place++
	w.o.walked.entries++
	if err := w.o.limits.meet(); err != nil {
		return w.chain.trouble.set(err)
	}
	return nil
}

// note reports on the current entry.
func (w *walk) note(code fault.Code, severity fault.Severity, name, format string, args ...any) {
	f := fault.Notice{Code: code, Severity: severity, Message: fmt.Sprintf(format, args...)}
	if name != "" {
		f.Message = fmt.Sprintf("entry %s: %s", fault.Excerpt([]byte(name)), f.Message)
	}
	if severity == fault.Drop && !w.chain.damaged() {
		f.Lost = 1 // else the filter's notice has counted this loss
	}
	w.o.noted.ofEntry(w.place, f)
}

// device reports an entry that is no file but a way to a machine's parts.
func (w *walk) device(name string) {
	w.note(fault.ArchiveDevice, fault.Warning, name, "it is a device or a pipe")
}

// checks is what an entry's bytes can be compared with when they have been read.
type checks struct {
	size   int64 // -1 if unknown
	crc    uint32
	hasCRC bool
	hash   hash.Hash32 // that crc was made with, if it is no CRC-32
}

// entry hands an entry to the caller. The stream in may fail in any way.
func (w *walk) entry(e Entry, in io.Reader, c checks) error {
	key := md5.Sum([]byte(e.Name))
	w.seen[key]++
	e.Number = w.seen[key]
	if e.URI == "" && (unsafeName(e.label()) || utf8.ValidString(e.Name) && unsafeName(e.Name)) {
		w.note(fault.ArchiveUnsafeName, fault.Warning, e.label(), "the name would lead out of a folder, or means different things on "+
			"different systems")
	}
	if year := e.ModTime.Year(); !e.ModTime.IsZero() && (year < 0 || year > 9999) {
		e.ModTime = time.Time{} // which RFC 3339 can't say
		w.note(fault.ArchiveBadField, fault.Warning, e.label(), "its time lies in the year %d, which can't be meant; its time is taken "+
			"for unknown", year)
	}
	w.cut, w.gap, w.over = false, false, 0
	body := &body{w: w, name: e.label(), in: in, checks: c, guard: w.guard()}
	if c.hasCRC {
		body.sum = crc32.NewIEEE()
	} else if c.hash != nil {
		body.sum = c.hash
	}
	err := w.each(e, body)
	if w.over > 0 && w.chain.trouble.err == nil && (err == nil || errors.Is(err, body.end)) {
		w.note(fault.LimitArchiveRatio, fault.Drop, e.label(), "%v; it is passed over", body.end)
		return nil
	}
	w.had = w.had || body.n > 0 || !w.cut && !w.gap
	w.stoppedIn(e.label())
	if err != nil {
		return err
	}
	if w.chain.trouble.err != nil {
		return errStop // the callback may not have passed it on
	}
	return nil
}

// stoppedIn says at which entry a limit was reached.
func (w *walk) stoppedIn(name string) {
	if t := w.chain.trouble; fault.KindOf(t.err) == fault.Limit {
		t.err = fmt.Errorf("in entry %d, %s: %w", w.place, fault.Excerpt([]byte(name)), t.err)
	}
}

// body is the stream of one entry.
type body struct {
	w    *walk
	name string
	in   io.Reader
	checks
	guard *guard
	sum   hash.Hash32
	n     int64
	end   error
}

func (b *body) Read(p []byte) (int, error) {
	if b.end != nil || len(p) == 0 {
		return 0, b.end
	}
	trouble := b.w.chain.trouble
	if trouble.err != nil {
		b.end = trouble.err
		return 0, b.end
	}
	n, err := b.guard.read(b.in, p)
	b.n += int64(n)
	if b.sum != nil {
		b.sum.Write(p[:n])
	}
	switch limit := b.w.count(int64(n)); {
	case trouble.err != nil && limit == nil:
		b.end = trouble.err
	case limit != nil:
		b.end = b.w.exceeded(b.n, limit)
	case err == io.EOF:
		b.finish()
	case err != nil:
		b.damage(err)
	}
	return n, b.end
}

// spend counts bytes that came out of the container. A limit ends the walk.
func (w *walk) spend(n int64) error {
	if err := w.count(n); err != nil {
		return w.chain.trouble.set(err)
	}
	return nil
}

func (w *walk) count(n int64) error {
	w.n += n
	w.o.walked.bytes += n
	if w.n > w.most {
		return w.o.limits.exceeded(w.o.src.Size(), w.n)
	}
	return w.o.limits.spend(n)
}

// exceeded decides what a limit costs that was reached in an entry of which n bytes came. It
// costs that entry alone if most of what may come is from it; else all that follows.
func (w *walk) exceeded(n int64, limit error) error {
	isBomb := 2*n > w.most || w.o.limits.isBomb(n)
	if fault.CodeOf(limit) != fault.LimitArchiveRatio || !isBomb || !w.o.limits.takeBack(n) {
		return w.chain.trouble.set(limit)
	}
	w.n -= n
	w.o.walked.bytes -= n
	w.over = n
	return limit
}

// passOver counts what has to be unpacked in order to skip it, since later
// entries are packed with it.
func (w *walk) passOver(n int64) error {
	switch {
	case n <= 0:
		return nil
	case w.over == 0:
		return w.spend(n)
	case !w.o.limits.waste(n):
		return w.chain.trouble.set(w.o.limits.exceeded(w.o.src.Size(), n))
	}
	return nil
}

// walked is what the last walk has put on the account.
type walked struct{ bytes, entries int64 }

// finish holds a whole entry against what the archive says of it.
func (b *body) finish() {
	b.end = io.EOF
	switch {
	case b.w.gap: // that was reported
	case b.size >= 0 && b.n < b.size:
		b.w.cut = true
		b.w.note(fault.ArchiveTruncated, fault.Drop, b.name, "it is cut short: %d of %d bytes came", b.n, b.size)
	case b.sum != nil && b.sum.Sum32() != b.crc:
		b.w.note(fault.ArchiveChecksum, fault.Warning, b.name, "it fails its checksum; its %d bytes are kept, but some of them are not "+
			"what was packed", b.n)
	}
}

// damage ends an entry at a fault of its data.
func (b *body) damage(err error) {
	b.end = io.EOF
	if isEncrypted(err) {
		b.w.note(fault.ArchiveEncrypted, fault.Drop, b.name, "it is encrypted")
		return
	}
	code := rarCode(err)
	if code == fault.ArchiveChecksum {
		b.w.note(code, fault.Warning, b.name, "it fails its checksum; its %d bytes are kept", b.n)
		return
	}
	b.w.cut = true
	more := ""
	if code == fault.ArchiveCorrupt && b.n > 0 {
		more = "; some of them may be made by the damage"
	}
	b.w.note(code, fault.Drop, b.name, "the data %s, after %d bytes had come out of it%s", damageVerb(code), b.n, more)
}

// isPackage says whether a zip whose first entry has that name is a document or program.
func isPackage(name string) bool {
	return name == "mimetype" || name == "META-INF/MANIFEST.MF" || name == "META-INF/"
}

// eachBehind walks a container, and those of its kind that come right after it.
func (w *walk) eachBehind(ctx context.Context, in *tap, c *container) error {
	head := make([]byte, c.followers.headSize)
	for range c.followers.most {
		end, err := c.one(w, ctx, in)
		rest := in.src.Size() - end
		if err != nil || rest <= 0 {
			return err
		}
		behind := &tap{ctx: in.ctx, src: io.NewSectionReader(in.src, end, rest), trouble: in.trouble}
		n, _ := behind.ReadAt(head, 0)
		if w.chain.trouble.err != nil {
			return errStop
		}
		if !c.is(head[:n]) {
			if !allZero(head[:n]) || rest > int64(len(head)) {
				w.place++
				w.o.noted.ofEntry(w.place, fault.Notice{Code: fault.ArchiveTrailingBytes, Severity: fault.Warning, Bytes: rest,
					Message: fmt.Sprintf("the %s is followed by bytes that are none, at byte %d; they are passed over", c.followers.noun,
						end)})
			}
			return nil
		}
		in = behind
	}
	return nil
}

// allZero says whether p holds nothing but zero bytes.
func allZero(p []byte) bool { return len(bytes.Trim(p, "\x00")) == 0 }
