package archive

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
)

// ARC is the format of the Internet Archive's old crawls, before WARC. A record is a line with URL, address, date,
// media type and length, then the reply as it came, then a line end. Version 2 has more fields before the length. The
// first record is about the file, and its URL begins with filedesc.

const arcMark = "filedesc://"

// maxArcLine is the longest line of a record, in bytes.
const maxArcLine = maxURLLine + 1024

// arcRecord is the line of a record.
type arcRecord struct {
	uri, mediaType string
	date           time.Time
	size           int64
	length         int // of the line
}

// isArc knows the record about the file.
func isArc(head []byte) bool {
	_, ok := readArc(head)
	return ok && bytes.HasPrefix(head, []byte(arcMark))
}

// readArc reads the line of a record; ok is false if it is none. A URL may hold blanks.
func readArc(head []byte) (r arcRecord, ok bool) {
	line, _, found := bytes.Cut(head[:min(len(head), maxArcLine)], []byte("\n"))
	if !found {
		return r, false
	}
	r.length = len(line) + 1
	fields := strings.Split(strings.TrimSuffix(string(line), "\r"), " ")
	date := -1
	for i := len(fields) - 3; i >= 2; i-- {
		if t, err := time.Parse("20060102150405", fields[i]); err == nil {
			date, r.date = i, t
			break
		}
	}
	if date < 0 {
		return r, false
	}
	r.uri, r.mediaType = strings.Join(fields[:date-1], " "), fields[date+1]
	size, err := strconv.ParseInt(fields[len(fields)-1], 10, 64)
	r.size = size
	scheme, _, hasScheme := strings.Cut(r.uri, ":")
	return r, err == nil && size >= 0 && hasScheme && scheme != "" &&
		strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.") == ""
}

// arc walks an ARC file: each record but the first is an entry.
func (w *walk) arc() error {
	r := w.records("ARC")
	for {
		if !r.passLineEnds() {
			return r.stopped()
		}
		at := r.place()
		head, _ := r.in.Peek(maxArcLine)
		record, ok := readArc(head)
		if !ok {
			code := fault.ArchiveCorrupt
			if len(head) < maxArcLine && bytes.IndexByte(head, '\n') < 0 {
				code = fault.ArchiveTruncated
			}
			found, err := r.resume(code, len("a:b 0 19960101000000 t/h 0\n"), func(p []byte) bool {
				if !bytes.HasPrefix(p, []byte("http")) && !bytes.HasPrefix(p, []byte("ftp")) && !bytes.HasPrefix(p, []byte("dns:")) {
					return false
				}
				_, ok := readArc(p)
				return ok
			})
			if err != nil || !found {
				return err
			}
			continue
		}
		r.in.Discard(record.length)
		if strings.HasPrefix(record.uri, arcMark) {
			if err := r.skip(record.size, 0); err != nil {
				return err
			}
			continue
		}
		if err := w.met(); err != nil {
			return err
		}
		if err := r.arcRecord(&record, at); err != nil {
			return err
		}
		if w.cut {
			return nil // reported already, of the entry itself
		}
	}
}

// arcRecord hands on a record.
func (r *records) arcRecord(record *arcRecord, at int64) error {
	w := r.w
	e := Entry{Name: strconv.FormatInt(at, 10) + " " + record.uri, URI: record.uri, Size: -1, ContentType: record.mediaType,
		ModTime: record.date}
	if !isBase(e.URI) {
		e.URI = ""
	}
	block := &warcBlock{in: io.LimitReader(r.in, record.size), size: record.size}
	var body io.Reader = block
	if isHTTP("", record.uri) {
		reply := newReplyBody(block)
		if e.Reply = reply.reply; e.Reply != nil {
			e.Reply.Time = e.ModTime
			if said := e.Reply.Headers.Get("Content-Type"); said != "" {
				e.ContentType = said
			}
		}
		body = reply
	}
	if err := w.entry(e, body, checks{size: -1}); err != nil {
		return err
	}
	io.Copy(io.Discard, block)
	if w.chain.trouble.err != nil {
		return errStop
	}
	if block.n < block.size && !w.cut {
		w.cut = true
		w.note(fault.ArchiveTruncated, fault.Drop, e.Name, "it is cut short: %d of %d bytes came", block.n, block.size)
	}
	return nil
}
