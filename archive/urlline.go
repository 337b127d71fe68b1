package archive

import (
	"bytes"
	"hash/maphash"
)

// urlLine is a line that is a URL and nothing else.
type urlLine struct {
	start, end int64 // without its end
	next       int64 // where the next line begins
	hash       uint64
	before     int64 // number of the line before with the same URL; -1 if none is known
	after      int64 // and of the line after; 0 if none was read
	follows    bool  // the line before that is not blank is a URL too, or there is none
	spaced     bool  // a blank line is between
	markup     bool  // what looks like markup comes next
	document   bool  // the beginning of a whole document comes next
	last       bool  // nothing but blank lines comes next
}

// isURLLine says whether a line is a URL and nothing else.
func isURLLine(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("http"))
	if ok {
		rest = bytes.TrimPrefix(rest, []byte("s"))
	} else if rest, ok = bytes.CutPrefix(line, []byte("ftp")); !ok {
		return false
	}
	rest, ok = bytes.CutPrefix(rest, []byte("://"))
	if !ok || len(rest) == 0 || len(line) > maxURLLine {
		return false
	}
	for _, b := range rest {
		if b <= ' ' || b == 0x7F || b == '<' || b == '>' || b == '"' {
			return false
		}
	}
	return true
}

// looksLikeMarkup says whether text begins with a tag, a comment or a declaration,
// and whether that begins a whole document.
func looksLikeMarkup(text []byte) (markup, document bool) {
	text = bytes.TrimPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("\xEF\xBB\xBF"))
	if len(text) < 2 || text[0] != '<' {
		return false, false
	}
	letter := text[1]|0x20 >= 'a' && text[1]|0x20 <= 'z'
	if !letter && text[1] != '!' && text[1] != '?' {
		return false, false
	}
	for bytes.HasPrefix(text, []byte("<!--")) {
		end := bytes.Index(text, []byte("-->"))
		if end < 0 {
			return true, false
		}
		text = bytes.TrimLeft(text[end+3:], " \t\r\n")
	}
	start := bytes.ToLower(text[:min(9, len(text))])
	for _, first := range []string{"<!doctype", "<html", "<?xml", "<head"} {
		document = document || bytes.HasPrefix(start, []byte(first))
	}
	return true, document
}

// line returns the line of a number, and reads on for it; ok is false after the last.
func (d *dumpReader) line(number int64) (*urlLine, bool) {
	for number >= d.first+int64(len(d.lines)) {
		if d.ended || d.in.trouble.err != nil {
			return nil, false
		}
		d.more()
	}
	return &d.lines[number-d.first], true
}

// more reads the next chunk for lines.
func (d *dumpReader) more() {
	base := max(d.at, 0)
	if d.buffer == nil {
		d.buffer = make([]byte, min(dumpChunk+dumpOverlap, d.in.src.Size()+1)) // a byte more shows the end
	}
	n, err := d.in.ReadAt(d.buffer, base)
	buffer := d.buffer[:n]
	whole := err != nil
	d.base = base
	last := len(buffer) - dumpOverlap // lines that begin after it are the next chunk's
	if whole {
		last = len(buffer)
	}
	for from := 0; ; {
		var start int
		if d.at < 0 { // the first line of the file
			start = len(buffer) - len(bytes.TrimLeft(bytes.TrimPrefix(buffer, []byte("\xEF\xBB\xBF")), " \t\r\n"))
			d.at = 0
			d.take(buffer, start)
			from = start
			continue
		}
		if from >= last {
			break
		}
		start = nextURLStart(buffer[from:])
		if start < 0 || from+start > last {
			break
		}
		start += from
		d.take(buffer, start)
		from = start
	}
	d.at = base + int64(max(last, 0))
	d.ended = whole
}

// nextURLStart finds where a line begins that may be a URL.
func nextURLStart(p []byte) int {
	i := bytes.Index(p, []byte("\nhttp"))
	if j := bytes.Index(p[:max(i, 0)], []byte("\nftp:")); j >= 0 {
		return j + 1
	}
	if i < 0 {
		if i = bytes.Index(p, []byte("\nftp:")); i < 0 {
			return -1
		}
	}
	return i + 1
}

// take adds the line that begins at a place of the buffer, if it is a URL.
func (d *dumpReader) take(buffer []byte, start int) {
	text := buffer[start:]
	length := bytes.IndexByte(text[:min(len(text), maxURLLine+2)], '\n')
	next := length + 1
	if length < 0 {
		length = min(len(text), maxURLLine+2)
		next = length
	}
	line := bytes.TrimRight(text[:length], " \t\r")
	if !isURLLine(line) {
		return
	}
	l := urlLine{start: d.base + int64(start), hash: maphash.Bytes(d.seed, line), before: -1}
	l.end = l.start + int64(len(line))
	l.next = l.start + int64(next)
	behind := text[next:]
	l.markup, l.document = looksLikeMarkup(behind[:min(len(behind), 4<<10)])
	l.last = len(bytes.TrimLeft(behind, " \t\r\n")) == 0 && d.base+int64(len(buffer)) == d.in.src.Size()
	l.follows, l.spaced = d.between(buffer, start)
	number := d.first + int64(len(d.lines))
	if before, ok := d.latest[l.hash]; ok {
		l.before = before
		if before >= d.first {
			d.lines[before-d.first].after = number
		}
	}
	d.latest[l.hash] = number
	d.lines = append(d.lines, l)
}

// between looks at what is between the last line and the one that begins at a
// place of the buffer.
func (d *dumpReader) between(buffer []byte, start int) (follows, spaced bool) {
	from := int64(0)
	if len(d.lines) > 0 {
		from = d.lines[len(d.lines)-1].next
	} else if d.first > 0 || d.base > 0 {
		return false, false // whatever it is, it lies too far back to matter
	}
	at := d.base + int64(start)
	if at-from > maxBlank {
		return false, false
	}
	gap := make([]byte, at-from)
	if from >= d.base {
		copy(gap, buffer[from-d.base:start])
	} else {
		d.in.ReadAt(gap, from)
	}
	if from == 0 {
		gap = bytes.TrimPrefix(gap, []byte("\xEF\xBB\xBF"))
	}
	return len(bytes.TrimLeft(gap, " \t\r\n")) == 0, len(gap) > 0
}

// forget drops lines that nothing looks back at any more.
func (d *dumpReader) forget(number int64) {
	keep := number - dumpLines
	if keep < d.first+dumpLines/4 {
		return
	}
	for i := range d.lines[:keep-d.first] {
		if l := &d.lines[i]; d.latest[l.hash] == d.first+int64(i) {
			delete(d.latest, l.hash)
		}
	}
	d.lines = append(d.lines[:0], d.lines[keep-d.first:]...)
	d.first = keep
}
