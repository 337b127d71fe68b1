package fetch

import (
	"bytes"
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
)

const (
	// refreshHead is how much of a page is looked at for where it leads.
	refreshHead = 64 << 10
	// refreshSoon is the longest time after which a page that leads on is one that only does
	// that. What waits longer is to be read, or reloads itself.
	refreshSoon = 30 * time.Second
)

// isPage says that a body is a page of HTML by its type.
func isPage(header http.Header) bool {
	kind, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// refreshed is where a page leads by its Refresh field, or by the like in its head
// (HTML §4.2.5.3); nil if it is a document. A page that holds data is one, and so is
// what leads to itself without having set a cookie.
func (a *answer) refreshed(u *url.URL, sent string, cookies *cookies) *url.URL {
	field := a.reply.Header.Get("Refresh")
	kind, _, _ := mime.ParseMediaType(a.reply.Header.Get("Content-Type"))
	isPage := isPage(a.reply.Header)
	if !isPage && kind != "" && (kind != "text/plain" || field == "") {
		return nil
	}
	if !isPage && field == "" && !a.looksLikePage() {
		return nil
	}
	head := unpacked(a.peek(refreshHead), refreshHead)
	if field == "" && !mayRefresh(head) {
		return nil
	}
	page := readPageHead(head)
	if page.hasData {
		return nil
	}
	if field == "" {
		field = page.refresh
	}
	after, reference, ok := parseRefresh(field)
	if !ok || after > refreshSoon {
		return nil
	}
	at := u
	if page.base != "" {
		if base, err := url.Parse(encodeStray(page.base)); err == nil {
			at = u.ResolveReference(base)
		}
	}
	to, err := url.Parse(encodeStray(reference))
	if err != nil {
		return nil
	}
	to = withCredentials(u, at.ResolveReference(to))
	if check(to) != nil || withoutFragment(to).String() == withoutFragment(u).String() && cookies.of(u) == sent {
		return nil
	}
	return to
}

// unpacked is the beginning of what is in a gzip member, or what came: some servers send that unasked.
func unpacked(body []byte, most int64) []byte {
	if !bytes.HasPrefix(body, []byte("\x1F\x8B")) {
		return body
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body
	}
	text, _ := io.ReadAll(io.LimitReader(r, most)) // its end may not have come
	return text
}

// looksLikePage says whether a body of no type begins as pages do, without waiting for
// more of one that does not.
func (a *answer) looksLikePage() bool {
	for n := 1; ; n = 4 * pageMark {
		head := bytes.TrimLeft(bytes.TrimPrefix(a.peek(n), []byte("\xEF\xBB\xBF")), " \t\r\n")
		start := strings.ToLower(string(head[:min(len(head), pageMark)]))
		switch {
		case strings.HasPrefix(start, "<!doctype html"), strings.HasPrefix(start, "<html"):
			return true
		case n > 1, start != "" && start[0] != '<':
			return false
		}
	}
}

// pageMark is how many bytes a page is known by.
const pageMark = 16

// pageHead is what the beginning of a page says of itself.
type pageHead struct {
	base, refresh string
	hasData       bool
}

// mayRefresh says that there may be a refresh. Most pages have none, and taking them into tags costs much more than
// this look: a meta element of one has the word in it, or references to characters in its place.
func mayRefresh(head []byte) bool {
	for at := 0; ; at++ {
		n := indexFold(head[at:], 'f')
		if n < 0 {
			break
		}
		if at += n; at >= 2 && at+3 <= len(head) && strings.EqualFold(string(head[at-2:at+3]), "refre") {
			return true
		}
	}
	const attribute = "http-equiv"
	for at := 0; ; at++ {
		n := indexFold(head[at:], 'q')
		if n < 0 {
			return false
		}
		from := at + n - strings.IndexByte(attribute, 'q')
		if at += n; from < 0 || from+len(attribute) > len(head) || !strings.EqualFold(string(head[from:from+len(attribute)]), attribute) {
			continue
		}
		tag, _, _ := bytes.Cut(head[at:], []byte{'>'})
		if bytes.IndexByte(tag, '&') >= 0 {
			return true
		}
	}
}

// indexFold is where a letter of ASCII is first, small or large; -1 if it isn't there.
func indexFold(in []byte, letter byte) int {
	n := bytes.IndexByte(in, letter)
	if n >= 0 {
		in = in[:n]
	}
	if large := bytes.IndexByte(in, letter-'a'+'A'); large >= 0 {
		return large
	}
	return n
}

// readPageHead looks for a refresh, and for marks of data. These are scripts that hold some, items
// of Microdata, and RDFa beyond the properties that every page has for its card.
func readPageHead(head []byte) (page pageHead) {
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return page
		case html.StartTagToken, html.SelfClosingTagToken:
		default:
			continue
		}
		name, more := z.TagName()
		tag := string(name)
		values := map[string]string{}
		for more {
			var key, value []byte
			key, value, more = z.TagAttr()
			if _, twice := values[string(key)]; !twice {
				values[string(key)] = string(value)
			}
		}
		for _, mark := range []string{"itemscope", "typeof", "vocab"} {
			if _, ok := values[mark]; ok {
				page.hasData = true
			}
		}
		switch tag {
		case "noscript":
			z.NextIsNotRawText() // we run none
		case "script":
			page.hasData = page.hasData || isDataType(values["type"])
		case "base":
			if page.base == "" {
				page.base = values["href"]
			}
		case "meta":
			if page.refresh == "" && strings.EqualFold(strings.TrimSpace(values["http-equiv"]), "refresh") {
				page.refresh = values["content"]
			}
		}
	}
}

// isDataType says that a script of a type holds data and is not run.
func isDataType(kind string) bool {
	kind, _, _ = mime.ParseMediaType(kind)
	for _, data := range []string{"ld+json", "turtle", "trig", "n-triples", "n-quads", "rdf+xml"} {
		if strings.HasSuffix(kind, data) {
			return true
		}
	}
	return false
}

// parseRefresh reads a value of Refresh as browsers do; ok is false if it names no other place.
func parseRefresh(value string) (after time.Duration, reference string, ok bool) {
	value = strings.TrimLeft(value, " \t\r\n\f")
	digits := 0
	for digits < len(value) && isDigit(value[digits]) {
		digits++
	}
	if digits == 0 && !strings.HasPrefix(value, ".") {
		return 0, "", false
	}
	after = 24 * time.Hour // more digits than that is long enough
	if digits <= 4 {
		after = 0
		for _, d := range []byte(value[:digits]) {
			after = 10*after + time.Duration(d-'0')*time.Second
		}
	}
	value = strings.TrimLeft(value[digits:], "0123456789.")
	rest := strings.TrimLeft(value, " \t\r\n\f")
	if rest == "" || len(rest) == len(value) && rest[0] != ';' && rest[0] != ',' {
		return after, "", false
	}
	rest = strings.TrimLeft(strings.TrimLeft(rest, ";,"), " \t\r\n\f")
	if len(rest) > 3 && strings.EqualFold(rest[:3], "url") {
		if named, found := strings.CutPrefix(strings.TrimLeft(rest[3:], " \t\r\n\f"), "="); found {
			rest = strings.TrimLeft(named, " \t\r\n\f")
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		quote := rest[:1]
		rest, _, _ = strings.Cut(rest[1:], quote)
	}
	rest = strings.TrimSpace(rest)
	return after, rest, rest != ""
}

// peek is the beginning of the body, which is read again; shorter only where it ends or fails.
func (a *answer) peek(n int) []byte {
	buffer := make([]byte, 4<<10)
	for len(a.head) < n && a.headErr == nil {
		var got int
		got, a.headErr = a.receive(buffer)
		if len(a.head) >= len(buffer) && len(a.head)+got > cap(a.head) { // most are shorter
			a.head = slices.Grow(a.head, max(got, n+len(buffer)-len(a.head)))
		}
		a.head = append(a.head, buffer[:got]...)
	}
	return a.head
}

// isDocument says that a successful reply is the document that was asked for. It is not where the
// answer is still to come (202) or there is nothing (204, 205). Nor is a reply of several things
// (207, 208), or of a change (226).
func isDocument(reply *http.Response) bool {
	switch reply.StatusCode {
	case http.StatusAccepted, http.StatusNoContent, http.StatusResetContent, http.StatusMultiStatus, http.StatusAlreadyReported:
		return false
	case http.StatusIMUsed:
		return reply.Header.Get("IM") == ""
	}
	return reply.StatusCode >= 200 && reply.StatusCode <= 299
}
