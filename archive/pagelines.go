package archive

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strconv"

	"laundromat/internal/fault"
)

// The safe form of a crawl dump: a line a page, its URL, a tab, and the page in
// base64 (RFC 4648 §4). Nothing in a page can be taken for the end of it.

// isPageLines wants a URL, a tab, and base64 of what may be a page.
func isPageLines(head []byte) bool {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	uri, coded, ok := bytes.Cut(bytes.TrimRight(line, "\r"), []byte("\t"))
	if !ok || !isURLLine(uri) {
		return false
	}
	whole := len(line) < len(head)
	if !whole {
		coded = coded[:len(coded)&^3]
	}
	page := make([]byte, base64.StdEncoding.DecodedLen(len(coded)))
	n, err := base64.StdEncoding.Decode(page, coded)
	if err != nil || n == 0 && len(rest) == 0 {
		return false
	}
	for _, b := range page[:min(n, 64)] { // a column of a table that looks coded gives other bytes
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != 0 && b != 0x1B {
			return page[0] == 0x1F && page[1] == 0x8B || page[0] == 0xFF || page[0] == 0xFE
		}
	}
	return true
}

// pageLines walks the lines. One that is broken costs its own page.
func (w *walk) pageLines() error {
	r := w.records("crawl lines")
	for !r.ended() {
		at := r.place()
		head, _ := r.in.Peek(maxURLLine + 1)
		if head[0] == '\n' || head[0] == '\r' {
			r.in.Discard(1)
			continue
		}
		if err := w.met(); err != nil {
			return err
		}
		uri, _, ok := bytes.Cut(head, []byte("\t"))
		if !ok || !isURLLine(uri) {
			n := r.skipLine()
			w.note(fault.ArchiveCorrupt, fault.Drop, "", "line at byte %d of the crawl isn't a URL followed by a page; its %d bytes are "+
				"passed over", at, n)
			continue
		}
		r.in.Discard(len(uri) + 1)
		e := Entry{Name: strconv.FormatInt(at, 10) + " " + string(uri), URI: string(uri), Size: -1}
		if !isBase(e.URI) {
			e.URI = ""
		}
		line := &lineReader{in: r.in}
		if err := w.entry(e, base64.NewDecoder(base64.StdEncoding, line), checks{size: -1}); err != nil {
			return err
		}
		io.Copy(io.Discard, line)
		if !line.ended && !w.cut && w.chain.trouble.err == nil {
			w.note(fault.ArchiveTruncated, fault.Warning, e.Name, "the last line has no end; some of the page may be missing")
		}
	}
	return r.stopped()
}

// skipLine skips the rest of a line.
func (r *records) skipLine() (n int64) {
	for {
		part, err := r.in.ReadSlice('\n')
		n += int64(len(part))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n
		}
	}
}

// lineReader reads up to the end of a line, which it takes and does not hand on.
type lineReader struct {
	in    *bufio.Reader
	ended bool
	err   error
}

func (l *lineReader) Read(p []byte) (int, error) {
	if l.err != nil {
		return 0, l.err
	}
	if window, err := l.in.Peek(1); len(window) == 0 {
		l.err = err
		return 0, err
	}
	window, _ := l.in.Peek(min(l.in.Buffered(), len(p)))
	switch end := bytes.IndexByte(window, '\n'); {
	case end == 0:
		l.in.Discard(1)
		l.ended, l.err = true, io.EOF
		return 0, io.EOF
	case end > 0:
		window = window[:end]
	}
	n := copy(p, window)
	l.in.Discard(n)
	return n, nil
}

// WritePageLine writes a page as a line of the safe form of a crawl dump. A URI
// that is no URL, or holds a blank, can't be in one.
func WritePageLine(to io.Writer, uri string, page io.Reader) error {
	if !isURLLine([]byte(uri)) {
		return errPageURI
	}
	if _, err := io.WriteString(to, uri+"\t"); err != nil {
		return err
	}
	coder := base64.NewEncoder(base64.StdEncoding, to)
	if _, err := io.Copy(coder, page); err != nil {
		return err
	}
	if err := coder.Close(); err != nil {
		return err
	}
	_, err := io.WriteString(to, "\n")
	return err
}

var errPageURI = errors.New("archive: a page without a URL")
