package archive

import (
	"bytes"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"hash"
	"io"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
)

// maxWarcHeader is the longest header of a record, in bytes.
const maxWarcHeader = 64 << 10

// isWarc knows the first line of a record (ISO 28500:2017 §4): a version, alone.
func isWarc(head []byte) bool {
	line, _, ok := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	return ok && len(line) >= 8 && len(line) <= 10 && string(line[:5]) == "WARC/" && len(bytes.Trim(line[5:], "0123456789.")) == 0
}

// warcRecord is the header of a record.
type warcRecord struct {
	at     int64 // where the record begins, in bytes
	fields textproto.MIMEHeader
	size   int64
	length int // of the header
}

// readWarc reads a header; ok is false if it is none, or has no length.
func readWarc(head []byte) (r warcRecord, ok bool) {
	if !isWarc(head) {
		return r, false
	}
	_, rest, _ := bytes.Cut(head, []byte("\n"))
	r.fields, r.length, ok = readFields(rest)
	if !ok {
		return r, false
	}
	r.length += len(head) - len(rest)
	size, err := strconv.ParseInt(r.fields.Get("Content-Length"), 10, 64)
	r.size = size
	return r, err == nil && size >= 0
}

// readFields reads named fields up to an empty line (RFC 2616 §4.2, which WARC
// refers to). A line without a colon is skipped; one that begins with a blank
// goes on with the field before.
func readFields(text []byte) (fields textproto.MIMEHeader, length int, ok bool) {
	fields = textproto.MIMEHeader{}
	last := ""
	for rest := text; ; {
		line, after, found := bytes.Cut(rest, []byte("\n"))
		if !found {
			return fields, 0, false
		}
		rest = after
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			return fields, len(text) - len(rest), true
		}
		if (line[0] == ' ' || line[0] == '\t') && last != "" {
			values := fields[last]
			values[len(values)-1] += " " + strings.TrimSpace(string(line))
			continue
		}
		name, value, colon := bytes.Cut(line, []byte(":"))
		if !colon {
			continue
		}
		last = textproto.CanonicalMIMEHeaderKey(strings.TrimSpace(string(name)))
		fields[last] = append(fields[last], strings.TrimSpace(string(value)))
	}
}

// uri is the target, which some writers put in angle brackets.
func (r *warcRecord) uri() string {
	uri := strings.TrimSpace(r.fields.Get("Warc-Target-Uri"))
	return strings.TrimSuffix(strings.TrimPrefix(uri, "<"), ">")
}

// warc walks a WARC file: each response, resource and conversion is an entry.
func (w *walk) warc() error {
	r := w.records("WARC")
	for {
		if !r.passLineEnds() {
			return r.stopped()
		}
		at := r.place()
		head, _ := r.in.Peek(maxWarcHeader)
		record, ok := readWarc(head)
		if !ok {
			code := fault.ArchiveCorrupt
			if len(head) < maxWarcHeader && isWarc(head) && bytes.Count(head, []byte("WARC/")) == 1 {
				code = fault.ArchiveTruncated
			}
			found, err := r.resume(code, len("WARC/1.0\n"), func(p []byte) bool {
				if p[0] != 'W' || p[1] != 'A' {
					return false
				}
				_, ok := readWarc(p)
				return ok
			})
			if err != nil || !found {
				return err
			}
			continue
		}
		record.at = at
		r.in.Discard(record.length)
		if err := w.met(); err != nil {
			return err
		}
		if err := r.warcRecord(&record); err != nil {
			return err
		}
		if w.cut {
			return nil // reported already, of the entry itself
		}
	}
}

// warcRecord hands on a record, or says why it holds no document.
func (r *records) warcRecord(record *warcRecord) error {
	w := r.w
	uri := record.uri()
	name := strconv.FormatInt(record.at, 10) + " " + uri
	kind := strings.ToLower(record.fields.Get("Warc-Type"))
	switch kind {
	case "response", "resource", "conversion":
	case "revisit":
		of := record.fields.Get("Warc-Refers-To-Target-Uri")
		if of == "" {
			of = record.fields.Get("Warc-Refers-To")
		}
		before := ""
		if of != "" {
			before = " (" + fault.Excerpt([]byte(of)) + ")"
		}
		w.note(fault.ArchiveRevisit, fault.Note, name, "the page was the same as before%s, so the record holds none of it", before)
		return r.skip(record.size, 0)
	case "continuation":
		w.note(fault.ArchiveUnsupported, fault.Drop, name, "it is a part of a record that begins in another")
		return r.skip(record.size, 0)
	default:
		return r.skip(record.size, 0) // about the crawl, or about other records
	}
	e := Entry{Name: name, URI: uri, Size: -1, ContentType: record.fields.Get("Content-Type")}
	if !isBase(uri) {
		e.URI = ""
	}
	e.ModTime, _ = time.Parse(time.RFC3339Nano, record.fields.Get("Warc-Date"))
	block := &warcBlock{in: io.LimitReader(r.in, record.size), size: record.size, more: r.beyond}
	block.digest, block.want = digestOf(record.fields.Get("Warc-Block-Digest"))
	var body io.Reader = block
	if kind == "response" && isHTTP(e.ContentType, uri) {
		reply := newReplyBody(block)
		e.ContentType = ""
		if e.Reply = reply.reply; e.Reply != nil {
			e.Reply.Time = e.ModTime
			e.ContentType = e.Reply.Headers.Get("Content-Type")
		} else {
			w.note(fault.ArchiveCorrupt, fault.Warning, name, "it holds no reply of HTTP; its bytes are taken as they are")
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
	if block.n > block.size {
		w.note(fault.ArchiveBadField, fault.Warning, name, "its length is too small: %d bytes came before the next record, %d were said",
			block.n, block.size)
	}
	switch {
	case block.n < block.size:
		if !w.cut {
			w.cut = true
			w.note(fault.ArchiveTruncated, fault.Drop, name, "it is cut short: %d of %d bytes came", block.n, block.size)
		}
	case block.digest != nil && !bytes.Equal(block.digest.Sum(nil), block.want):
		w.note(fault.ArchiveChecksum, fault.Warning, name, "it fails its checksum; its %d bytes are kept", block.n)
	}
	if why := record.fields.Get("Warc-Truncated"); why != "" {
		w.note(fault.ArchiveTruncated, fault.Drop, name, "the crawler stored only the beginning of it (%s)", fault.Excerpt([]byte(why)))
	}
	if record.fields.Get("Warc-Segment-Number") != "" {
		w.note(fault.ArchiveTruncated, fault.Drop, name, "it goes on in another record, which is not joined to it")
	}
	return nil
}

// isHTTP says whether a record holds a reply with its headers.
func isHTTP(contentType, uri string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	kind = strings.TrimSpace(kind)
	return kind == "application/http" || kind == "" && strings.HasPrefix(strings.ToLower(uri), "http")
}

// warcBlock is the block of a record, with its checksum.
type warcBlock struct {
	in      io.Reader
	n, size int64
	more    func() io.Reader // asked once at the end: what of the block is behind its length; nil: nothing
	digest  hash.Hash
	want    []byte
}

func (b *warcBlock) Read(p []byte) (int, error) {
	n, err := b.in.Read(p)
	b.n += int64(n)
	if b.digest != nil {
		b.digest.Write(p[:n])
	}
	if err == io.EOF && n == 0 && b.n == b.size && b.more != nil && (b.digest == nil || !bytes.Equal(b.digest.Sum(nil), b.want)) {
		more := b.more()
		if b.more = nil; more != nil {
			b.in = more
			return b.Read(p)
		}
	}
	return n, err
}

// beyond is what of a record lies behind the length that its header says, up to the line ends before the next
// record. It is nil where the length is right, or the next record is not in sight.
func (r *records) beyond() io.Reader {
	const end = "\r\n\r\n"
	window, _ := r.in.Peek(r.in.Size())
	if len(window) == 0 || window[0] == '\r' || window[0] == '\n' || isWarc(window) {
		return nil
	}
	for at := 0; ; {
		i := bytes.Index(window[at:], []byte(end+"WARC/"))
		if i < 0 {
			return nil
		}
		at += i
		if _, ok := readWarc(window[at+len(end):]); ok {
			return io.LimitReader(r.in, int64(at))
		}
		at += len(end)
	}
}

// digestOf reads a digest "sha1:BASE32" or the like; nil if its kind is not known.
func digestOf(field string) (hash.Hash, []byte) {
	kind, value, _ := strings.Cut(field, ":")
	var h hash.Hash
	switch strings.ToLower(kind) {
	case "sha1":
		h = sha1.New()
	case "md5":
		h = md5.New()
	case "sha256":
		h = sha256.New()
	default:
		return nil, nil
	}
	want, err := hex.DecodeString(value)
	if err != nil || len(want) != h.Size() {
		want, err = base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(value, "=")))
	}
	if err != nil || len(want) != h.Size() {
		return nil, nil
	}
	return h, want
}

// isBase says whether a URI is absolute, of a sane length, and holds nothing that an
// IRI may not.
func isBase(uri string) bool {
	scheme, rest, ok := strings.Cut(uri, ":")
	if !ok || scheme == "" || rest == "" || len(uri) > maxURLLine ||
		strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r == 0x7F || strings.ContainsRune("<>\"{}|\\^`", r) }) {
		return false
	}
	for i, r := range scheme {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return true
}
