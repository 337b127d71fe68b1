package hosts

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/testkit/corpus"
)

// The tempers that a host may turn to. It gives something else in the place of its documents.
const (
	SigningIn    Temper = "a page to sign in, 200"        // another text each time
	Maintaining  Temper = "one page for all, 200"         // the same bytes, with an ETag
	Excusing     Temper = "plain text, 200"               // a sentence
	Apologising  Temper = "an error in JSON, 200"         // {"error": …}
	Hollow       Temper = "a page without statements"     // with a script of JSON-LD that says nothing
	Depicting    Temper = "a picture"                     // of PNG
	Damaging     Temper = "a damaged gzip"                // its head, and noise
	Garbling     Temper = "broken throughout"             // lines that are no statements
	Emptied      Temper = "a document without statements" // N-Triples with a remark alone
	Missing      Temper = "404"                           // for all documents
	Withdrawing  Temper = "410"                           // for all documents
	Denying      Temper = "401"                           // for all documents
	Down         Temper = "503, always"                   // without a word
	Halving      Temper = "cut, always"                   // half of the document
	Barring      Temper = "robots.txt forbids all"        // and documents would come
	Zipping      Temper = "in a zip"                      // the document, and another beside it
	ZippingOne   Temper = "in a zip, alone"               // the other is gone
	ZippingNoise Temper = "a page to sign in, in a zip"   // under the name of the document
)

// Turned are the tempers that a host may turn to.
var Turned = []Temper{
	SigningIn, Maintaining, Excusing, Apologising, Hollow, Depicting, Damaging, Garbling, Emptied, Missing, Withdrawing, Denying,
	Down, Halving, Barring, Zipping, ZippingOne, ZippingNoise,
}

// The names of the members of a zip.
const (
	Member  = "data.nt"
	Another = "more.nt"
)

// turns say what hosts of these tempers answer a request for a document with.
var turns = map[Temper]func(w *Web, e *entry, reply *counted, r *http.Request){
	SigningIn: func(w *Web, e *entry, reply *counted, r *http.Request) {
		page(reply, fmt.Sprintf("<form><input name=user><input type=hidden name=t value=%d></form>", time.Now().UnixNano()))
	},
	Maintaining: func(w *Web, e *entry, reply *counted, r *http.Request) {
		const tag = `"maintenance"`
		reply.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			reply.WriteHeader(http.StatusNotModified)
			return
		}
		page(reply, "<p>We are back soon.</p>")
	},
	Excusing:    body("text/plain", "Down for maintenance. Please come back later, we are working on it!\n"),
	Apologising: body("application/json", `{"error": "maintenance"}`),
	Hollow: func(w *Web, e *entry, reply *counted, r *http.Request) {
		page(reply, fmt.Sprintf(`<script type="application/ld+json">{}</script><p>%d</p>`, time.Now().UnixNano()))
	},
	Depicting:   body("image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01"),
	Damaging:    body("application/gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03broken"),
	Garbling:    body("application/n-triples", strings.Repeat("<http://example.org/s> oops .\n", 5)),
	Emptied:     body("application/n-triples", "# nothing is in it any more\n"),
	Missing:     status(http.StatusNotFound),
	Withdrawing: status(http.StatusGone),
	Denying:     status(http.StatusUnauthorized),
	Down:        status(http.StatusServiceUnavailable),
	Halving: func(w *Web, e *entry, reply *counted, r *http.Request) {
		text := w.text(e.number, w.version(e))
		reply.Header().Set("Content-Type", "application/n-triples")
		reply.Header().Set("Content-Length", strconv.Itoa(len(text)))
		reply.Write([]byte(text[:len(text)/2]))
	},
	Zipping: func(w *Web, e *entry, reply *counted, r *http.Request) {
		zipped(reply, Member, w.text(e.number, w.version(e)), Another, w.text(e.number+another, w.version(e)))
	},
	ZippingOne: func(w *Web, e *entry, reply *counted, r *http.Request) {
		zipped(reply, Member, w.text(e.number, w.version(e)))
	},
	ZippingNoise: func(w *Web, e *entry, reply *counted, r *http.Request) {
		zipped(reply, Member, "<html><body><form><input name=user></form></body></html>\n", Another, w.text(e.number+another, w.version(e)))
	},
}

// another is added to the number of a document for the text of the member beside it.
const another = 1 << 20

func page(reply *counted, text string) {
	reply.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(reply, "<!DOCTYPE html>\n<html><head><title>Welcome</title></head><body>%s</body></html>\n", text)
}

func body(contentType, text string) func(*Web, *entry, *counted, *http.Request) {
	return func(_ *Web, _ *entry, reply *counted, _ *http.Request) {
		reply.Header().Set("Content-Type", contentType)
		reply.Write([]byte(text))
	}
}

func status(code int) func(*Web, *entry, *counted, *http.Request) {
	return func(_ *Web, _ *entry, reply *counted, _ *http.Request) { reply.WriteHeader(code) }
}

func zipped(reply *counted, entries ...string) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(entries); i += 2 {
		if member, err := z.Create(entries[i]); err == nil {
			member.Write([]byte(entries[i+1]))
		}
	}
	z.Close()
	reply.Header().Set("Content-Type", "application/zip")
	reply.Write(out.Bytes())
}

// Given is what a request for a document was answered with.
type Given struct {
	At      time.Time
	Temper  Temper
	Version int // of the document at the time
}

func (w *Web) note(e *entry, temper Temper) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e.given = append(e.given, Given{time.Now(), temper, e.version})
}

func (w *Web) version(e *entry) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return e.version
}

// Turn gives a host another temper from now on; "" gives it back that of the start.
func (w *Web) Turn(host int, temper Temper) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h := w.hosts[host]
	if h.now = temper; temper == "" {
		h.now = h.temper
	}
}

// Edit gives another version to a document.
func (w *Web) Edit(number int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.entries[number].version++
}

// Document is the URI of a document of the catalog, and the number of its host.
func (w *Web) Document(number int) (uri string, host int) {
	e := w.entries[number]
	return "http://" + e.host.name + e.path, slices.Index(w.hosts, e.host)
}

// Given is what requests for a document were answered with so far, and its version now. Requests that got no
// document, or none in its place, are left out.
func (w *Web) Given(number int) (given []Given, version int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.entries[number]
	return slices.Clone(e.given), e.version
}

// Text is a version of a document, or of the member beside it.
func (w *Web) Text(number, version int, beside bool) string {
	if beside {
		number += another
	}
	return w.text(number, version)
}

func (w *Web) text(number, version int) string {
	var text bytes.Buffer
	corpus.Write(&text, corpus.NTriples, number+version*len(w.entries), statements)
	return text.String()
}
