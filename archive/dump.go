package archive

import (
	"bytes"
	"context"
	"hash/maphash"
	"io"
	"strconv"

	"laundromat/internal/fault"
)

// A crawl dump is one file of many pages, as old crawlers wrote them. Each page lies
// between two lines with its URL. Nothing says how long a page is, and a page may hold
// anything, such lines too. What counts is the evidence around each line that is a URL and
// nothing else:
//
//   - a page ends at a line with the URL that it began with. The next line that is not
//     blank must be a URL too, or the file must end there;
//   - the next page begins at that second line. Either its URL comes again where a page
//     ends, or the beginning of a document follows. Or a blank line comes before it and
//     markup after it;
//   - a page that never ends so is cut at a URL that the beginning of a document follows.
//     That URL must come again where a page ends, or come after a blank line;
//   - a few URLs of nothing may lie between the end of a page and the beginning of the next.
//     They belong to neither.
//
// None of these looks further than dumpReach, so that a reader may begin anywhere
// and finds what one finds that began at the front.

const (
	dumpReach   = 16 << 20 // how far the evidence on a line is looked for, in bytes
	dumpLines   = 1 << 17  // and in lines that are URLs, before it
	dumpAhead   = 1 << 12  // and after it
	dumpSame    = 32       // lines of one URL that are looked at for one
	dumpChunk   = 1 << 20
	dumpOverlap = 16 << 10 // holds the longest line, and what is looked at after it
	dumpStray   = 8        // URLs of nothing that may lie between two pages
	maxURLLine  = 8 << 10
	maxBlank    = 1 << 10 // bytes of blank lines between two lines that belong together
)

// dumpReader finds the pages of a dump that begin in a part of it.
type dumpReader struct {
	in    *tap
	seed  maphash.Seed
	reach int64 // how far evidence is looked for

	buffer []byte // of the file, from bufferAt on
	at     int64  // where the next look for a line begins
	base   int64  // of buffer in the file
	ended  bool

	lines  []urlLine // the last ones, and those looked ahead at
	first  int64     // number of the first of them
	latest map[uint64]int64
}

// dumpPage is one page of a dump and what is around it. The pieces of all pages,
// one after another, are the file.
type dumpPage struct {
	at         int64 // of the line before it, or of what is before the first
	start, end int64 // of the page itself
	next       int64 // where the next one begins
	uri        string
	closed     bool
	stray      int64 // where the first URL of nothing after it begins
	strays     int   // how many there are
}

// boundary is where a page begins, and what ended the one before.
type boundary struct {
	open  urlLine
	begin int64 // that of the line, or of the blanks before the first
	close int64 // where the line begins that ended the page before; -1 for none
	stray int64 // where the first line begins that is between both and in neither page
	lone  int   // how many such lines there are
	ok    bool
}

// isDump wants a URL, what looks like markup after it, and the URL again; that may
// lie after what is seen if more follows.
func isDump(head []byte, more bool) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n")
	line, rest, ok := bytes.Cut(text, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	if !ok || !isURLLine(line) {
		return false
	}
	if markup, _ := looksLikeMarkup(rest); !markup {
		return false
	}
	again := append([]byte("\n"), line...)
	for {
		i := bytes.Index(rest, again)
		if i < 0 {
			return more
		}
		rest = rest[i+len(again):]
		if end := bytes.TrimLeft(rest, " \t\r"); len(end) == 0 || end[0] == '\n' {
			return true
		}
	}
}

// dumpGoesOn looks for the URL that a file begins with in what is not seen yet.
func dumpGoesOn(in *tap, head []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\xEF\xBB\xBF \t\r\n"), []byte("\n"))
	again := append([]byte("\n"), bytes.TrimRight(line, " \t\r")...)
	buffer := make([]byte, 256<<10)
	for at := int64(len(head) - len(again)); at < dumpReach; {
		n, err := in.ReadAt(buffer, at)
		if bytes.Contains(buffer[:n], again) {
			return true
		}
		if err != nil {
			return false
		}
		at += int64(n - len(again))
	}
	return false
}

func newDumpReader(in *tap, from int64) *dumpReader {
	return newDumpReaderWithin(in, from, dumpReach)
}

// newDumpReaderWithin makes a reader whose evidence reaches no further than reach.
func newDumpReaderWithin(in *tap, from, reach int64) *dumpReader {
	d := &dumpReader{in: in, seed: maphash.MakeSeed(), reach: reach, latest: map[uint64]int64{}}
	if d.at = from - reach - dumpChunk; d.at <= 0 {
		d.at = -1 // the beginning of the file ends a line, too
	}
	return d
}

// followed says whether another URL comes right after a line.
func (d *dumpReader) followed(number int64) (next *urlLine, ok bool) {
	l, ok := d.line(number + 1)
	if !ok || !l.follows {
		return nil, false
	}
	return l, true
}

// opener is the URL line after a line at which a page may begin, and its number. URLs of nothing between are
// passed over.
func (d *dumpReader) opener(number int64) (next *urlLine, at int64, ok bool) {
	first, ok := d.followed(number)
	if !ok {
		return nil, 0, false
	}
	next, at = first, number+1
	for ; ok && at <= number+1+dumpStray; at++ {
		if next.markup {
			return next, at, true
		}
		next, ok = d.followed(at)
	}
	return first, number + 1, true
}

// opened says whether a page that ends at a line began with the same URL. That is the
// nearest such line before it where one may have begun, unless one ended there.
func (d *dumpReader) opened(number int64) bool {
	l, _ := d.line(number)
	before := l.before
	for range dumpSame {
		if before < max(d.first, number-dumpLines) {
			break
		}
		b, _ := d.line(before)
		if b.start < l.start-d.reach {
			return false
		}
		here := *b
		next, at, followed := d.opener(before)
		switch {
		case followed && before+1 == number:
			return here.follows || here.document // a page of nothing
		case followed && (next.document || next.markup && d.comesAgain(at) && !d.endsLater(before)):
			return false // there one ended
		case !followed && (here.follows || here.document):
			return true
		}
		before = here.before
	}
	return false
}

// again is the next line with the URL of a line, near enough to be evidence.
func (d *dumpReader) again(number, since int64) (int64, bool) {
	first, _ := d.line(since)
	reach := first.start + d.reach
	d.line(since + dumpAhead) // so that it is read
	l, _ := d.line(number)
	if l.after <= number || l.after > since+dumpAhead {
		return 0, false
	}
	next, _ := d.line(l.after)
	return l.after, next.start <= reach
}

// comesAgain says whether the URL of a line comes again where a page may end, before
// one begins with it.
func (d *dumpReader) comesAgain(number int64) bool {
	return d.ends(number, func(i int64, m, next *urlLine) bool {
		return next.markup || next.spaced || i == number+1 && m.follows // the latter of an empty page
	})
}

// endsLater says whether the URL of a line comes again where a document follows, before a
// page begins with it. There is the better place for the page's end.
func (d *dumpReader) endsLater(number int64) bool {
	return d.ends(number, func(_ int64, _, next *urlLine) bool { return next.document })
}

// ends says whether the URL of a line comes again before a page begins with it. It may come
// as the last line, or where a page may end before the URL line that follows.
func (d *dumpReader) ends(number int64, may func(i int64, m, next *urlLine) bool) bool {
	i, ok := d.again(number, number)
	for range dumpSame {
		if !ok {
			break
		}
		next, _, followed := d.opener(i)
		m, _ := d.line(i)
		switch {
		case m.last, followed && may(i, m, next):
			return true
		case m.follows && m.markup:
			return false
		}
		i, ok = d.again(i, number)
	}
	return false
}

// boundaryAt says whether a page begins at a line, by what is around it.
func (d *dumpReader) boundaryAt(number int64) boundary {
	l, _ := d.line(number)
	open := *l
	if number == 0 && open.follows {
		return boundary{open: open, begin: 0, close: -1, ok: true} // the first of the file
	}
	if d.isStray(number) {
		return boundary{}
	}
	again := (open.follows || open.document) && d.comesAgain(number)
	if open.follows && number > d.first && (again || open.document || open.markup && open.spaced) {
		if end, ok := d.endBefore(number, again && open.markup || open.document); ok {
			b := boundary{open: open, begin: open.start, lone: int(number - 1 - end), ok: true}
			closes, _ := d.line(end)
			b.close = closes.start
			stray, _ := d.line(end + 1) // the next page's own where there is none
			b.stray = stray.start
			return b
		}
	}
	if open.document && (again || open.follows && open.spaced) {
		return boundary{open: open, begin: open.start, close: -1, ok: true}
	}
	return boundary{}
}

// isStray says whether a line comes before the beginning of a page, and nothing of its own
// follows it. The same URL twice is an empty page.
func (d *dumpReader) isStray(number int64) bool {
	l, _ := d.line(number)
	open := *l
	next, at, ok := d.opener(number)
	if !ok || !open.follows || !next.markup || next.hash == open.hash {
		return false
	}
	if first, _ := d.line(number + 1); first.hash == open.hash {
		return false
	}
	return d.comesAgain(at)
}

// endBefore is the number of the line that ends the page before the one that begins at a line.
// It comes right before, or, where sure says that a page begins there, with a few URLs of
// nothing between.
func (d *dumpReader) endBefore(number int64, sure bool) (end int64, ok bool) {
	l, _ := d.line(number)
	open := *l
	for end = number - 1; end >= d.first && number-end <= 1+dumpStray; end-- {
		before, _ := d.line(end)
		last, follows := before.hash, before.follows
		// A URL twice is one page after another only if a document follows.
		if (last != open.hash || open.document) && d.opened(end) {
			return end, open.document || !d.endsLater(end)
		}
		if !sure || !follows {
			break
		}
	}
	return 0, false
}

// pages calls each for the pages that begin in a part of the file, in order.
func (d *dumpReader) pages(from, to int64, each func(dumpPage) error) error {
	var page *dumpPage
	finish := func(end, next int64, closed bool) error {
		page.end, page.next, page.closed = end, next, closed
		return each(*page)
	}
	for number := int64(0); ; number++ {
		l, ok := d.line(number)
		if !ok {
			break
		}
		if l.start < from && number > 0 {
			continue // only evidence
		}
		b := d.boundaryAt(number)
		if !b.ok {
			if l.start >= to && page == nil {
				break
			}
			d.forget(number)
			continue
		}
		if page != nil {
			end := b.close
			closed := end >= page.start
			if closed {
				page.stray, page.strays = b.stray, b.lone
			} else {
				end = b.begin
			}
			if err := finish(end, b.begin, closed); err != nil {
				return err
			}
			page = nil
		}
		if b.begin >= to {
			return d.stopped()
		}
		if b.begin >= from {
			uri := make([]byte, b.open.end-b.open.start)
			d.in.ReadAt(uri, b.open.start)
			page = &dumpPage{at: b.begin, start: b.open.next, uri: string(uri)}
		}
		d.forget(number)
	}
	if page == nil || d.in.trouble.err != nil {
		return d.stopped()
	}
	size := d.in.src.Size()
	if n := d.first + int64(len(d.lines)) - 1; n >= d.first {
		if l, _ := d.line(n); l.last {
			if end, ok := d.lastOf(page, n); ok {
				if page.strays = int(n - end); page.strays > 0 {
					stray, _ := d.line(end + 1)
					page.stray = stray.start
				}
				l, _ := d.line(end)
				return finish(l.start, size, true)
			}
		}
	}
	return finish(size, size, false)
}

// lastOf is the number of the line that ends the last page: the last line of the file, or one
// with nothing but a few URLs after it.
func (d *dumpReader) lastOf(page *dumpPage, last int64) (end int64, ok bool) {
	for end = last; end >= d.first && last-end <= dumpStray; end-- {
		l, _ := d.line(end)
		if l.start < page.start {
			break
		}
		if d.openedBy(end, page) {
			return end, true
		}
		if !l.follows {
			break
		}
	}
	return 0, false
}

// openedBy says whether a line has the URL of a page.
func (d *dumpReader) openedBy(number int64, page *dumpPage) bool {
	l, _ := d.line(number)
	return l.hash == maphash.String(d.seed, page.uri)
}

func (d *dumpReader) stopped() error {
	if d.in.trouble.err != nil {
		return errStop
	}
	return nil
}

// dump walks the pages of a crawl dump that begin in a part of it.
func (w *walk) dump(_ context.Context, in *tap) error {
	size := in.src.Size()
	from, to := share(size, w.part, w.parts), share(size, w.part+1, w.parts)
	return newDumpReader(in, from).pages(from, to, func(page dumpPage) error {
		if err := w.met(); err != nil {
			return err
		}
		e := Entry{Name: strconv.FormatInt(page.at, 10) + " " + page.uri, URI: page.uri, Size: page.end - page.start}
		if !isBase(e.URI) {
			e.URI = ""
		}
		if err := w.entry(e, io.NewSectionReader(in, page.start, e.Size), checks{size: e.Size}); err != nil {
			return err
		}
		if !page.closed {
			w.note(fault.ArchiveTruncated, fault.Drop, e.Name, "the page is not followed by its URL, at byte %d; some of it may be missing",
				page.end)
		}
		if page.strays > 0 {
			w.note(fault.ArchiveStrayURL, fault.Warning, "", "URLs between two pages, which belong to neither: %d, the first at byte %d",
				page.strays, page.stray)
		}
		return nil
	})
}
