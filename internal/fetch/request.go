package fetch

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Request says what is fetched, and what is known of it already.
type Request struct {
	URI string
	// Accept is the header of that name, for another kind of document than RDF; "" for RDF.
	Accept string
	// Known is what an earlier fetch brought whole: the body comes only if it has
	// changed since. Nil: it comes.
	Known *Validators
	// Part is what an earlier fetch brought before it broke off; the writer holds it.
	// The rest is asked for. Nil: the writer is empty.
	Part *Part
	// Restart empties the writer, for a server that has another body by now. Without
	// it a body that broke off is not gone on with.
	Restart func() error
	// KeepShort takes a body that broke off for good as it is, with a notice. Without
	// it, that is an error worth another try.
	KeepShort bool
	// Whole says of what the writer holds that it has an end of its own, which came: then a body
	// that broke off did not. Nil: nothing has.
	Whole func() bool
	// Patience is how long to wait for a host's turn. Where the turn comes later, the error
	// says when, with kind Stopped and code transport/host-resting. With 0, the wait has no
	// limit.
	Patience time.Duration
	// Claimed says that the caller holds the lease of the host of URI, by its claim of a seed. Those of other
	// hosts on the way are taken for each request.
	Claimed bool
}

// Validators distinguish a version of a document from others (RFC 9110 §8.8).
type Validators struct {
	URI          string // that gave them, without credentials; they are sent to no other
	ETag         string
	LastModified string
	Size         int64 // in bytes; it counts where a server has no other mark of a version: FTP
}

// Part is how far a body came that broke off, and how to ask for the rest.
type Part struct {
	URI       string // without credentials
	Validator string // for If-Range: a strong entity tag, or a date that is as good as one
	Bytes     int64  // that the writer holds
	Total     int64  // of the whole body; below 0 if the server did not say
	// ContentType and FinalURI are those of the reply that began the body.
	ContentType string
	FinalURI    string
}

// transfer is the body of one fetch on its way through one or more replies.
type transfer struct {
	request *Request
	to      io.Writer
	written int64
	total   int64 // of the whole body; below 0 if it is not known
	part    *Part // of the reply that broke off last; nil if it can't be gone on with
	cookies cookies
	waiting waiting
	breaks  int  // without much coming between them
	short   bool // the last break was an end before the end, not a silence
}

const (
	maxBreaks = 5       // in a row that a body is gone on with after
	muchCame  = 1 << 20 // bytes between two breaks that begin the row again
	resumeMax = time.Minute
)

// conditions are the headers that make a request one for what is not there yet.
func (t *transfer) conditions(u *url.URL) map[string]string {
	uri := base(u)
	if t.written > 0 {
		if t.part == nil || t.part.URI != uri {
			return nil
		}
		return map[string]string{"Range": "bytes=" + strconv.FormatInt(t.written, 10) + "-", "If-Range": t.part.Validator}
	}
	known := t.request.Known
	if known == nil || known.URI != uri {
		return nil
	}
	conditions := map[string]string{}
	if sendable(known.ETag) {
		conditions["If-None-Match"] = known.ETag
	}
	if sendable(known.LastModified) {
		conditions["If-Modified-Since"] = known.LastModified
	}
	return conditions
}

// sendable says that a value may be in a header.
func sendable(value string) bool {
	return value != "" && !strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F })
}

// restart begins the body again.
func (t *transfer) restart() error {
	t.part = nil
	if t.written == 0 {
		return nil
	}
	t.written = 0
	return t.request.Restart()
}

// broke notes that a body broke off after n more bytes, and says whether to go on.
func (t *transfer) broke(u *url.URL, a *answer, n int64, result *Result) bool {
	if n >= muchCame {
		t.breaks = 0
	}
	t.breaks++
	if a.conditions["Range"] == "" {
		t.part = partOf(u, a.reply, result)
	}
	if t.part == nil || t.request.Restart == nil {
		return false
	}
	t.part.Bytes = t.written
	return t.written > 0 && t.breaks <= maxBreaks
}

// partOf says how to go on with a body; nil if the server did not promise a way.
func partOf(u *url.URL, reply *http.Response, result *Result) *Part {
	if isFTP(u) {
		return ftpPart(u, reply, result)
	}
	validator := strongValidator(reply.Header)
	if validator == "" || strings.EqualFold(strings.TrimSpace(reply.Header.Get("Accept-Ranges")), "none") {
		return nil
	}
	return &Part{URI: base(u), Validator: validator, Total: reply.ContentLength, ContentType: result.ContentType, FinalURI: result.FinalURI}
}

// strongValidator is what If-Range may hold (RFC 9110 §8.8.2.2, §13.1.5). It is a strong entity
// tag, or else a date of change at least a minute before the reply.
func strongValidator(header http.Header) string {
	if tag := header.Get("ETag"); tag != "" {
		if strings.HasPrefix(tag, `"`) && sendable(tag) {
			return tag
		}
		return ""
	}
	changed, err := http.ParseTime(header.Get("Last-Modified"))
	if err != nil {
		return ""
	}
	sent, err := http.ParseTime(header.Get("Date"))
	if err != nil || sent.Sub(changed) < time.Minute {
		return ""
	}
	return header.Get("Last-Modified")
}

// fits says that a reply 206 goes on where the body broke off.
func (t *transfer) fits(reply *http.Response) bool {
	first, total, ok := contentRange(reply.Header.Get("Content-Range"))
	if !ok || first != t.written || t.part.Total >= 0 && total >= 0 && total != t.part.Total {
		return false
	}
	tag := reply.Header.Get("ETag")
	return tag == "" || !strings.HasPrefix(t.part.Validator, `"`) || tag == t.part.Validator
}

// isWhole says that by a reply 416 nothing is missing.
func (t *transfer) isWhole(reply *http.Response) bool {
	text, ok := strings.CutPrefix(strings.TrimSpace(reply.Header.Get("Content-Range")), "bytes */")
	total, err := strconv.ParseInt(text, 10, 64)
	return ok && err == nil && total == t.written && (t.part.Total < 0 || t.part.Total == total)
}

// isWholeRange says that a reply 206 brings all there is.
func isWholeRange(reply *http.Response) bool {
	value := reply.Header.Get("Content-Range")
	first, total, ok := contentRange(value)
	_, last, _ := strings.Cut(value, "-")
	last, _, _ = strings.Cut(last, "/")
	n, err := strconv.ParseInt(strings.TrimSpace(last), 10, 64)
	return ok && first == 0 && err == nil && n+1 == total && (reply.ContentLength < 0 || reply.ContentLength == total)
}

// contentRange reads "bytes 5-9/10"; total is below 0 if it is "*".
func contentRange(value string) (first, total int64, ok bool) {
	value, found := strings.CutPrefix(strings.TrimSpace(value), "bytes ")
	span, whole, cut := strings.Cut(value, "/")
	from, _, dash := strings.Cut(span, "-")
	first, err := strconv.ParseInt(strings.TrimSpace(from), 10, 64)
	if !found || !cut || !dash || err != nil || first < 0 {
		return 0, 0, false
	}
	if whole == "*" {
		return first, -1, true
	}
	total, err = strconv.ParseInt(whole, 10, 64)
	return first, total, err == nil
}
