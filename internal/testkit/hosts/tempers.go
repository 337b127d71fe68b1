package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Temper is what a host is like.
type Temper string

// The tempers of hosts.
const (
	Plain       Temper = "plain"              // robots.txt: 404
	Open        Temper = "open"               // robots.txt allows all
	Dated       Temper = "dated"              // documents with Last-Modified, without an ETag
	Closed      Temper = "partly closed"      // robots.txt: Disallow: /private/
	Delaying    Temper = "crawl delay"        // robots.txt: Crawl-delay
	Unruled     Temper = "no robots, 503"     // robots.txt: 503, always
	Late        Temper = "robots, first 503"  // robots.txt: 503 the first time, then 404
	Slow        Temper = "slow"               // every reply takes its time
	Crowded     Temper = "slow and large"     // slow, and a large part of all documents
	Trickling   Temper = "slow bodies"        // the body comes in pieces
	Busy        Temper = "429, seconds"       // 429 with Retry-After in seconds, each eighth time
	Unavailable Temper = "503, date"          // 503 with Retry-After as a date, each eighth time
	Failing     Temper = "503"                // 503 without a word, each eighth time
	Forbidding  Temper = "403"                // 403 to all
	Dead        Temper = "connection refused" // nobody listens
	Resetting   Temper = "reset"              // the connection is reset before a reply
	Breaking    Temper = "broken off"         // the first reply breaks off halfway; Range goes on
	Redirecting Temper = "redirects away"     // 302 to a plain host
	Walled      Temper = "cookie wall"        // 302 to itself with a cookie, which it wants
	Queueing    Temper = "202 queue"          // 202 with Retry-After the first time
	Fragmented  Temper = "fragments"          // two names in each document
	Cutting     Temper = "cut, weak tag"      // the first reply breaks off halfway; nothing can be gone on with
	Encoded     Temper = "encoded rules"      // robots.txt and paths are spelt otherwise
)

// Described says of each temper what a host of it does.
var Described = []struct {
	Temper Temper
	Does   string
}{
	{Plain, "404 for robots.txt"},
	{Open, "`Allow: /`; the first has the catalog, too"},
	{Dated, "documents with `Last-Modified`, without `ETag`"},
	{Closed, "`Disallow: /private/` for us, all for others; half of its documents are there"},
	{Delaying, "`Crawl-delay`"},
	{Unruled, "503 for robots.txt, always: nothing else is to be asked for"},
	{Late, "503 for robots.txt the first time"},
	{Slow, "half as slow as the next"},
	{Crowded, "each reply takes its time; a twentieth of all documents is there"},
	{Trickling, "bodies in pieces, with pauses"},
	{Busy, "429 with `Retry-After: 2` to each eighth request for a document"},
	{Unavailable, "503 with `Retry-After` and a date, to each eighth"},
	{Failing, "503 without it, to each eighth"},
	{Forbidding, "403 to all requests for documents"},
	{Dead, "nobody listens"},
	{Resetting, "the connection is reset before a reply"},
	{Breaking, "the first reply breaks off halfway; the rest can be had by `Range`"},
	{Redirecting, "302 to a plain host"},
	{Walled, "302 to itself, with a cookie, to who has none"},
	{Queueing, "202 with `Retry-After: 1` to the first request for each document"},
	{Fragmented, "the catalog names two things in each document (`…nt#a`, `…nt#b`)"},
	{Cutting, "the first reply breaks off halfway; its `ETag` is weak, so that it is asked for from the start"},
	{Encoded, "`Disallow: /größe/`; half of its documents are at `/gr%c3%b6%c3%9fe/`"},
}

// tempers are those of twenty-five hosts in turn; all others are plain or open. The first,
// which has the catalog, is open.
var tempers = []Temper{
	Open, Dated, Closed, Delaying, Unruled, Late, Slow, Trickling, Busy, Unavailable,
	Failing, Forbidding, Dead, Resetting, Breaking, Redirecting, Plain, Dated, Plain, Plain,
	Walled, Queueing, Fragmented, Cutting, Encoded,
}

func temperOf(i int) Temper {
	switch {
	case i == 1:
		return Crowded
	case i >= 100 && i%2 == 0: // half of the hosts from the hundredth on
		return Plain
	}
	return tempers[i%len(tempers)]
}

// canBeHad says that a document comes to whoever keeps the rules, and asks again.
func (e *entry) canBeHad() bool {
	switch e.host.temper {
	case Unruled, Forbidding, Dead, Resetting:
		return false
	}
	return !e.isForbidden()
}

// isForbidden says that the rules of its host forbid it.
func (e *entry) isForbidden() bool {
	return strings.HasPrefix(e.path, "/private/") || strings.HasPrefix(e.path, encodedFolder)
}

// encodedFolder is that of the documents which a rule with letters outside ASCII forbids.
const encodedFolder = "/gr%c3%b6%c3%9fe/"

// names are the URIs by which the catalog knows a document.
func (e *entry) names() []string {
	uri := "http://" + e.host.name + e.path
	if e.host.temper == Fragmented {
		return []string{uri + "#a", uri + "#b"}
	}
	return []string{uri}
}

const (
	restSeconds = 2 // of Retry-After
	queued      = time.Second
	refuseEach  = 8  // request for a document
	statements  = 20 // of a document
)

// answer is the handler of a host.
func (w *Web) answer(h *host, rw http.ResponseWriter, r *http.Request) {
	v := w.begin(h, r)
	defer w.end(h, v)
	reply := &counted{ResponseWriter: rw, visit: v}
	switch {
	case r.URL.Path == "/robots.txt":
		w.robots(h, reply)
	case strings.Contains(r.URL.Path, "/api/3/action/") && turns[v.Temper] != nil:
		turns[v.Temper](w, w.entries[0], reply, r)
	case strings.Contains(r.URL.Path, "/api/3/action/"):
		w.search(reply, r)
	default:
		w.document(h, reply, r)
	}
}

func (w *Web) begin(h *host, r *http.Request) *Visit {
	w.mu.Lock()
	defer w.mu.Unlock()
	for range 50 {
		// That a connection was closed at its other end may be seen a moment later.
		if h.connections <= 1 {
			break
		}
		w.mu.Unlock()
		time.Sleep(time.Millisecond)
		w.mu.Lock()
	}
	h.inFlight++
	v := &Visit{
		Host: h.name, Temper: h.now, Path: r.URL.RequestURI(), Begun: time.Now(),
		InFlight: h.inFlight, Connections: h.connections, Agent: r.UserAgent(),
		Cookie:      r.Header.Get("Cookie") != "",
		Conditional: r.Header.Get("If-None-Match")+r.Header.Get("If-Modified-Since") != "", Range: r.Header.Get("Range") != "",
	}
	w.log = append(w.log, v)
	return v
}

func (w *Web) end(h *host, v *Visit) {
	w.mu.Lock()
	defer w.mu.Unlock()
	h.inFlight--
	v.Ended = time.Now()
}

// counted notes the status and the length of a reply in the log.
type counted struct {
	http.ResponseWriter
	visit *Visit
}

func (c *counted) WriteHeader(status int) {
	c.visit.Status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(p []byte) (int, error) {
	if c.visit.Status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	n, err := c.ResponseWriter.Write(p)
	c.visit.Bytes += int64(n)
	return n, err
}

func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (w *Web) robots(h *host, reply *counted) {
	w.mu.Lock()
	h.robots++
	first := h.robots == 1
	w.mu.Unlock()
	switch reply.visit.Temper {
	case Open:
		io.WriteString(reply, "User-agent: *\nAllow: /\n")
	case Closed:
		io.WriteString(reply, "User-agent: laundromat\nDisallow: /private/\n\nUser-agent: *\nDisallow: /\n")
	case Barring:
		io.WriteString(reply, "User-agent: *\nDisallow: /\n")
	case Encoded:
		io.WriteString(reply, "User-agent: *\nDisallow: /größe/\n")
	case Delaying:
		fmt.Fprintf(reply, "User-agent: *\nCrawl-delay: %g\n", w.options.CrawlDelay.Seconds())
	case Unruled, Late:
		if reply.visit.Temper == Unruled || first {
			reply.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		reply.WriteHeader(http.StatusNotFound)
	default:
		reply.WriteHeader(http.StatusNotFound)
	}
}

// refusal is the status of a request for a document that is not answered; 0 if it is.
func (w *Web) refusal(h *host, reply *counted) int {
	temper := reply.visit.Temper
	w.mu.Lock()
	h.documents++
	refused := h.documents%refuseEach == 0
	w.mu.Unlock()
	rest := func(value string, d time.Duration) {
		reply.Header().Set("Retry-After", value)
		reply.visit.Rest = d
	}
	switch {
	case temper == Forbidding:
		return http.StatusForbidden
	case !refused:
	case temper == Busy:
		rest(strconv.Itoa(restSeconds), restSeconds*time.Second)
		return http.StatusTooManyRequests
	case temper == Unavailable:
		till := time.Now().Add(restSeconds * time.Second).Truncate(time.Second)
		rest(till.UTC().Format(http.TimeFormat), time.Until(till))
		return http.StatusServiceUnavailable
	case temper == Failing:
		return http.StatusServiceUnavailable
	}
	return 0
}

// entryAt is the entry of a path; nil if there is none.
func (w *Web) entryAt(path string) *entry {
	name, isDocument := strings.CutSuffix(path[strings.LastIndexByte(path, '/')+1:], ".nt")
	number, err := strconv.Atoi(name)
	if err != nil || !isDocument || number < 0 || number >= len(w.entries) {
		return nil
	}
	return w.entries[number]
}

func (w *Web) document(h *host, reply *counted, r *http.Request) {
	e := w.entryAt(r.URL.Path)
	if e == nil {
		reply.WriteHeader(http.StatusNotFound)
		return
	}
	number := e.number
	temper := reply.visit.Temper
	switch temper {
	case Slow:
		time.Sleep(w.options.Latency / 2)
	case Crowded:
		time.Sleep(w.options.Latency)
	}
	if status := w.refusal(h, reply); status != 0 {
		reply.WriteHeader(status)
		return
	}
	if turned := turns[temper]; turned != nil {
		w.note(e, temper)
		turned(w, e, reply, r)
		return
	}
	if e.to != nil && e.host == h {
		reply.Header().Set("Location", "http://"+e.to.name+"/moved"+e.path)
		reply.WriteHeader(http.StatusFound)
		return
	}
	if temper == Walled && r.Header.Get("Cookie") != "wall=open" {
		reply.Header().Set("Set-Cookie", "wall=open; Path=/")
		reply.Header().Set("Location", e.path)
		reply.WriteHeader(http.StatusFound)
		return
	}
	w.mu.Lock()
	e.visits++
	version, visits := e.version, e.visits
	w.mu.Unlock()
	if temper == Queueing && visits == 1 {
		reply.Header().Set("Retry-After", strconv.Itoa(int(queued/time.Second)))
		reply.visit.Rest = queued
		reply.WriteHeader(http.StatusAccepted)
		return
	}
	changed := w.start.Add(time.Duration(version-1000) * time.Hour).UTC().Format(http.TimeFormat)
	tag := fmt.Sprintf(`"%d-%d"`, number, version)
	header := reply.Header()
	if temper == Cutting {
		tag = "W/" + tag // and no date, which may be strong
	} else {
		header.Set("Last-Modified", changed)
	}
	known := r.Header.Get("If-None-Match") == tag
	if temper == Dated {
		known = r.Header.Get("If-Modified-Since") == changed
	} else {
		header.Set("ETag", tag)
	}
	w.note(e, temper)
	if known {
		reply.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Type", "application/n-triples")
	var text bytes.Buffer
	text.WriteString(w.text(number, version))
	switch {
	case temper == Resetting:
		cut(reply)
	case (temper == Breaking || temper == Cutting) && visits == 1:
		reply.visit.Cut = true
		header.Set("Content-Length", strconv.Itoa(text.Len()))
		reply.Write(text.Bytes()[:text.Len()/2])
		http.NewResponseController(reply).Flush()
		cut(reply)
	case temper == Breaking && r.Header.Get("If-Range") == tag:
		var from int
		fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		from = min(max(from, 0), text.Len())
		header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, text.Len()-1, text.Len()))
		reply.WriteHeader(http.StatusPartialContent)
		reply.Write(text.Bytes()[from:])
	case temper == Trickling:
		for text.Len() > 0 {
			reply.Write(text.Next(1000))
			http.NewResponseController(reply).Flush()
			time.Sleep(w.options.Latency / 20)
		}
	default:
		reply.Write(text.Bytes())
	}
}

// cut ends a connection with a reset.
func cut(reply *counted) {
	connection, _, err := http.NewResponseController(reply).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := connection.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	connection.Close()
}

// resource is a document as CKAN speaks of it.
type resource struct {
	URL          string `json:"url"`
	Name         string `json:"name"`
	Format       string `json:"format"`
	Mimetype     string `json:"mimetype"`
	LastModified string `json:"last_modified"`
}

type dataset struct {
	Name      string     `json:"name"`
	Title     string     `json:"title"`
	Resources []resource `json:"resources"`
}

// What the first host has besides the catalog: the same search below these folders.
const (
	shortFolder   = "/short"   // the second page is empty
	endlessFolder = "/endless" // each page is the first, and the count is that of a million
)

// search answers package_search: datasets of ten documents each.
func (w *Web) search(reply *counted, r *http.Request) {
	const inDataset = 10
	query := r.URL.Query()
	start, _ := strconv.Atoi(query.Get("start"))
	rows, _ := strconv.Atoi(query.Get("rows"))
	all := (len(w.entries) + inDataset - 1) / inDataset
	count, most := all, max(rows/inDataset, 1)
	first := min(max(start, 0), all)
	last := min(first+most, all)
	switch {
	case strings.HasPrefix(r.URL.Path, shortFolder) && start == most:
		last = first
	case strings.HasPrefix(r.URL.Path, endlessFolder):
		first, last, count = 0, min(most, all), 1_000_000
	}
	results := []dataset{}
	w.mu.Lock()
	for i := first; i < last; i++ {
		d := dataset{Name: fmt.Sprintf("set-%d", i), Title: fmt.Sprintf("Set %d", i)}
		for _, e := range w.entries[i*inDataset : min((i+1)*inDataset, len(w.entries))] {
			for _, uri := range e.names() {
				d.Resources = append(d.Resources, resource{
					URL: uri, Name: fmt.Sprintf("Document %d", e.number), Format: "N-Triples", Mimetype: "application/n-triples",
					LastModified: w.start.Add(time.Duration(e.told-1000) * time.Hour).UTC().Format("2006-01-02T15:04:05"),
				})
			}
		}
		results = append(results, d)
	}
	w.mu.Unlock()
	reply.Header().Set("Content-Type", "application/json")
	json.NewEncoder(reply).Encode(map[string]any{"success": true, "result": map[string]any{"count": count, "results": results}})
}
