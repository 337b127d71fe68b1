package fetch

import (
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
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
	// that broke off did not. The length that the server named is said if the connection ended in
	// order after less; otherwise it is below 0. Nil: nothing has such an end.
	Whole func(said int64) bool
	// Sized is given how long the body is to be when all of it has come, before more of it comes; 0 if the server
	// did not say. Nil: nobody asks.
	Sized func(of int64)
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
	// ContentType, Codings and FinalURI are those of the reply that began the body.
	ContentType string
	Codings     []string
	FinalURI    string
}

// transfer is the body of one fetch on its way through one or more replies.
type transfer struct {
	request *Request
	to      io.Writer
	first   *url.URL // that was asked for, before any redirect
	written int64
	total   int64 // of the whole body; below 0 if it is not known
	part    *Part // of the reply that broke off last; nil if it can't be gone on with
	cookies cookies
	waiting waiting
	breaks  int  // without much coming between them
	parts   int  // that were smaller than what was asked for, without much coming between them
	open    bool // the last part came whole, and nobody said how many there are
	short   bool // the last break was an end before the end, not a silence
}

// newTransfer begins one, or goes on with the part of another fetch.
func newTransfer(u *url.URL, request *Request, to io.Writer, result *Result) *transfer {
	t := &transfer{request: request, to: to, first: u}
	if part := request.Part; part != nil && request.Restart != nil {
		t.part, t.written, t.total, t.short = part, part.Bytes, part.Total, true
		result.Bytes, result.ContentType, result.Codings = part.Bytes, part.ContentType, part.Codings
	}
	return t
}

const (
	maxBreaks = 5       // in a row that a body is gone on with after
	maxParts  = 1000    // in a row that a body may come in
	keptParts = 50      // in a row that are recorded, with the last among them
	muchCame  = 1 << 20 // bytes between two breaks that begin the row again
	resumeMax = time.Minute
)

// errOtherPart says why a body is begun anew.
const errOtherPart = "the rest of the body was not what was asked for"

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
	t.part, t.parts = nil, 0
	if t.written == 0 {
		return nil
	}
	t.written = 0
	return t.request.Restart()
}

// isRest says that a reply to the request for the rest of a body brings it, the whole, or a word
// about the document.
func (t *transfer) isRest(u *url.URL, reply *http.Response, result *Result) bool {
	switch statusOf(reply) {
	case http.StatusPartialContent:
		return t.fits(reply, result)
	case http.StatusRequestedRangeNotSatisfiable:
		return false
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return u == t.first // else the address may only have run out to which a redirect led
	case http.StatusOK: // a page for people in place of data is not believed at once
		return reply.Header.Get("Refresh") != "" || !isPage(reply.Header) || sameType(reply.Header.Get("Content-Type"), result.ContentType)
	}
	return true
}

// withoutRest ends a body of which there is no more, or begins it again.
func (t *transfer) withoutRest(u *url.URL, reply *http.Response, result *Result) (*url.URL, error) {
	switch statusOf(reply) {
	case http.StatusPartialContent, http.StatusOK:
		return t.anew(u, errOtherPart)
	case http.StatusRequestedRangeNotSatisfiable:
		if t.isWhole(reply) {
			result.Part = nil
			return nil, nil
		}
		return t.anew(u, errOtherPart)
	}
	return t.anew(t.first, statusText(reply))
}

// anew begins the body again at a URI, unless it was in vain too often.
func (t *transfer) anew(u *url.URL, why string) (*url.URL, error) {
	if t.breaks++; t.breaks > maxBreaks || t.request.Restart == nil {
		return nil, fault.New("fetch.Get", fault.Remote, fault.HTTPMalformed, "%s", why)
	}
	return u, local(t.restart())
}

// said is the length that was named for a body which the server ended in order before it; below 0 otherwise.
func (t *transfer) said(err error) int64 {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return t.total
	}
	return -1
}

// partCame notes that a part came whole, after which there is more (RFC 9110 §15.3.7). The rest is asked
// for if result has a part then.
func (t *transfer) partCame(u *url.URL, a *answer, n int64, result *Result) {
	if t.parts++; n >= muchCame {
		t.parts = 1
	}
	if a.conditions["Range"] == "" {
		t.part = partOf(u, a.reply, result)
		if t.part != nil {
			t.part.Total = t.total
		}
	}
	t.breaks, t.short, t.open = 0, true, t.total < 0
	if result.Part = nil; t.part != nil {
		t.part.Bytes = t.written
		if n > 0 && t.parts <= maxParts && t.request.Restart != nil {
			result.Part = t.part
		}
	}
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
	return &Part{URI: base(u), Validator: validator, Total: reply.ContentLength, ContentType: result.ContentType, Codings: result.Codings,
		FinalURI: result.FinalURI}
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

// fits says that a reply 206 goes on where the body broke off, with the same version of the same thing. That
// it does not say so is as if it were another (RFC 9110 §15.3.7.3), but for the type, which it may leave out.
func (t *transfer) fits(reply *http.Response, result *Result) bool {
	part, ok := partIn(reply)
	if !ok || part.first != t.written || t.part.Total >= 0 && part.total >= 0 && part.total != t.part.Total {
		return false
	}
	header, validator := reply.Header, "Last-Modified"
	if strings.HasPrefix(t.part.Validator, `"`) {
		validator = "ETag"
	}
	kind := header.Get("Content-Type")
	return header.Get(validator) == t.part.Validator && slices.Equal(codings(header), result.Codings) &&
		(kind == "" || sameType(kind, result.ContentType))
}

// begins says that a reply 206 to a question for the whole brings its beginning, and that the rest can be had.
func (t *transfer) begins(reply *http.Response) bool {
	part, ok := partIn(reply)
	return ok && part.first == 0 && t.request.Restart != nil && strongValidator(reply.Header) != ""
}

// sameType says that two values of Content-Type mean the same.
func sameType(a, b string) bool {
	kind, parameters, err := mime.ParseMediaType(a)
	other, others, otherErr := mime.ParseMediaType(b)
	if err != nil || otherErr != nil {
		return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b))
	}
	return kind == other && maps.EqualFunc(parameters, others, strings.EqualFold)
}

// isWhole says that by a reply 416 nothing is missing.
func (t *transfer) isWhole(reply *http.Response) bool {
	value := strings.TrimSpace(reply.Header.Get("Content-Range"))
	if value == "" {
		return t.open
	}
	text, ok := strings.CutPrefix(value, "bytes */")
	total, err := strconv.ParseInt(text, 10, 64)
	return ok && err == nil && total == t.written && (t.part.Total < 0 || t.part.Total == total)
}

// isWholeRange says that a reply 206 brings all there is.
func isWholeRange(reply *http.Response) bool {
	part, ok := partIn(reply)
	return ok && part.first == 0 && part.last+1 == part.total
}

// contentRange is which bytes of a body a reply 206 brings. The total is below 0 if that is not said.
type contentRange struct{ first, last, total int64 }

// statusOf is the status of a reply. A 200 that says which bytes it brings, has no others, and is not all, is a 206:
// caches and scripts of servers confuse them.
func statusOf(reply *http.Response) int {
	if part, ok := rangeIn(reply); ok && reply.StatusCode == http.StatusOK && reply.ContentLength >= 0 && part.last-part.first+
		1 < part.total {
		return http.StatusPartialContent
	}
	return reply.StatusCode
}

// partIn is which bytes a reply 206 brings.
func partIn(reply *http.Response) (r contentRange, ok bool) {
	if statusOf(reply) != http.StatusPartialContent {
		return r, false
	}
	return rangeIn(reply)
}

// rangeIn reads "bytes 5-9/10" of a reply whose body is not of another length.
func rangeIn(reply *http.Response) (r contentRange, ok bool) {
	value, found := strings.CutPrefix(strings.TrimSpace(reply.Header.Get("Content-Range")), "bytes ")
	span, whole, cut := strings.Cut(value, "/")
	from, to, dash := strings.Cut(span, "-")
	first, err := strconv.ParseInt(strings.TrimSpace(from), 10, 64)
	last, lastErr := strconv.ParseInt(strings.TrimSpace(to), 10, 64)
	if !found || !cut || !dash || err != nil || lastErr != nil || first < 0 || last < first {
		return r, false
	}
	r = contentRange{first, last, -1}
	if whole = strings.TrimSpace(whole); whole != "*" {
		r.total, err = strconv.ParseInt(whole, 10, 64)
	}
	length := reply.ContentLength
	return r, err == nil && (r.total < 0 || last < r.total) && (length < 0 || length == last-first+1)
}
