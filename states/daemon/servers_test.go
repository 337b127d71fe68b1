package daemon_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/mholt/archives"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

var update = flag.Bool("update", false, "write the table of docs/crawling.md")

// stranger is a server of its own. It answers with what answer gives, byte for byte, and ends the
// connection.
type stranger struct {
	robots string // "": 404
	answer func(n int, r *http.Request) string

	mu    sync.Mutex
	asked []string // for documents
}

// start returns where it listens.
func (s *stranger) start(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer connection.Close()
				if r, err := http.ReadRequest(bufio.NewReader(connection)); err == nil {
					io.WriteString(connection, s.reply(r))
				}
			})
		}
	})
	t.Cleanup(func() { listener.Close(); all.Wait() })
	return "http://" + listener.Addr().String()
}

func (s *stranger) reply(r *http.Request) string {
	if r.URL.Path == "/robots.txt" {
		if s.robots == "" {
			return says("404 Not Found", "")
		}
		return says("200 OK", s.robots)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.RequestURI())
	return s.answer(len(s.asked), r)
}

// says is a reply: its status, its body, and further lines of its head.
func says(status, body string, head ...string) string {
	head = append([]string{"HTTP/1.1 " + status, "Connection: close", fmt.Sprintf("Content-Length: %d", len(body))}, head...)
	return strings.Join(head, "\r\n") + "\r\n\r\n" + body
}

// bare is a reply whose head is given whole.
func bare(body string, head ...string) string { return strings.Join(head, "\r\n") + "\r\n\r\n" + body }

// short is a reply of which only so many bytes of the body come.
func short(body string, n int, head ...string) string {
	whole := says("200 OK", body, head...)
	return whole[:len(whole)-len(body)+n]
}

// always gives one answer to all.
func always(text string) func(int, *http.Request) string {
	return func(int, *http.Request) string { return text }
}

// first gives some answers in turn, and then the last of them.
func first(texts ...string) func(int, *http.Request) string {
	return func(n int, _ *http.Request) string { return texts[min(n, len(texts))-1] }
}

// packed is text in codings, the first applied first.
func packed(t *testing.T, text string, codings ...string) string {
	t.Helper()
	for _, coding := range codings {
		var b bytes.Buffer
		var w io.WriteCloser
		var err error
		switch coding {
		case "gzip":
			w = gzip.NewWriter(&b)
		case "zlib":
			w = zlib.NewWriter(&b)
		case "deflate":
			w, err = flate.NewWriter(&b, 6)
		case "br":
			w, err = archives.Brotli{}.OpenWriter(&b)
		case "zstd":
			w, err = zstd.NewWriter(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		w.Close()
		text = b.String()
	}
	return text
}

// served is a row of the table: what a server does, and what becomes of its document.
type served struct {
	kind, does string
	server     *stranger
	path       string // "": /x.nt
	want       string
	requests   int // for documents
}

const (
	wholly     = "washed"
	washedCut  = "washed as far as it came (`http/short-body`)"
	forbidden  = "failed at once: `robots/disallowed`"
	triedAgain = "tried again, 3 times in all, then failed: "
)

// whatServersDo are the rows.
func whatServersDo(t *testing.T) []served {
	body := strings.Repeat(triple, 3) + "<http://example.org/s> <http://example.org/p> \"more\" .\n"
	data := says("200 OK", body)
	rules := func(rule string) *stranger {
		return &stranger{robots: "User-agent: *\nDisallow: " + rule + "\n", answer: always(data)}
	}
	replies := func(texts ...string) *stranger { return &stranger{answer: first(texts...)} }
	gz := packed(t, body, "gzip")
	longer := func(body, kind string) string {
		return bare(body, "HTTP/1.1 200 OK", "Connection: close", "Content-Encoding: "+kind,
			fmt.Sprintf("Content-Length: %d", len(body)+1000))
	}
	// parts cuts the whole, and brings what is asked for up to to, or the rest once with another head.
	parts := func(to func(from int) int, otherHead string, total bool) *stranger {
		return &stranger{answer: func(n int, r *http.Request) string {
			var from int
			if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err != nil {
				if n > 1 {
					return says("200 OK", body, `ETag: "1"`)
				}
				return short(body, len(triple), `ETag: "1"`)
			}
			end, of := len(body), "*"
			if to != nil {
				end = min(to(from), end)
			}
			if total {
				of = fmt.Sprint(len(body))
			}
			head := []string{`ETag: "1"`, fmt.Sprintf("Content-Range: bytes %d-%d/%s", from, end-1, of)}
			if otherHead != "" {
				head = append(head, otherHead)
			}
			return says("206 Partial Content", body[from:end], head...)
		}}
	}
	unpackedLength := func(packed string) string {
		return bare(packed, "HTTP/1.1 200 OK", "Connection: close", fmt.Sprintf("Content-Length: %d", len(body)))
	}
	chunk := func(body string) string {
		return bare(fmt.Sprintf("%x\r\n%s\r\n", len(body), body), "HTTP/1.1 200 OK", "Transfer-Encoding: chunked")
	}
	hops := func(most int) *stranger {
		return &stranger{answer: func(n int, r *http.Request) string {
			if n > most {
				return data
			}
			return says("302 Found", "", fmt.Sprintf("Location: /x.nt?%d", n))
		}}
	}
	needsCookie := func(without string) *stranger {
		return &stranger{answer: func(_ int, r *http.Request) string {
			if r.Header.Get("Cookie") == "seen=1" {
				return data
			}
			return without
		}}
	}
	refresh := func(head, page string) *stranger {
		return &stranger{answer: func(_ int, r *http.Request) string {
			if r.URL.Path == "/data.nt" {
				return data
			}
			return says("200 OK", page, "Content-Type: text/html"+head)
		}}
	}
	coded := func(named string, codings ...string) *stranger {
		return replies(says("200 OK", packed(t, body, codings...), "Content-Encoding: "+named))
	}
	const status, malformed = "`http/status`", "`http/malformed`"
	return []served{
		{"robots.txt", "a rule with letters outside ASCII, a path with them encoded", rules("/größe/"), "/gr%c3%b6%C3%9Fe/x.nt", forbidden,
			0},
		{"", "the same rule in Latin-1", rules("/gr\xF6\xDFe/"), "/gr%C3%B6%C3%9Fe/x.nt", forbidden, 0},
		{"", "a rule with encoded letters, a path with the letters", rules("/%7Eme/%62ooks"), "/~me/books/x.nt", forbidden, 0},
		{"", "a path with dot segments that lead to what is forbidden", rules("/private/"), "/a/../private/x.nt", forbidden, 0},
		{"", "two strokes for one", rules("/private/"), "//private/x.nt", forbidden, 0},
		{"", "an encoded wildcard in a rule, the character in a path", rules("/f-%2A"), "/f-*.nt", forbidden, 0},
		{"", "an encoded wildcard in a rule, another character in a path", rules("/f-%2A"), "/f-x.nt", wholly, 1},
		{"", "wildcards and an end", rules("/*.nt$"), "/a/b.%6et", forbidden, 0},

		{"successes", "202, then the document", replies(says("202 Accepted", "", "Retry-After: 1"), data), "", wholly, 2},
		{"", "202, always", replies(says("202 Accepted", body)), "", triedAgain + status, 3},
		{"", "204", replies(bare("", "HTTP/1.1 204 No Content", "Connection: close")), "", triedAgain + status, 3},
		{"", "205, then the document", replies(says("205 Reset Content", ""), data), "", wholly, 2},
		{"", "203", replies(says("203 Non-Authoritative Information", body)), "", wholly, 1},
		{"", "206 that nobody asked for, of the whole",
			replies(says("206 Partial Content", body, fmt.Sprintf("Content-Range: bytes 0-%d/%d", len(body)-1, len(body)))), "", wholly, 1},
		{"", "200 with the `Content-Range` of a part",
			replies(says("200 OK", body[:50], fmt.Sprintf("Content-Range: bytes 0-49/%d", len(body)))), "", triedAgain + malformed, 3},
		{"", "200 with the `Content-Range` of the whole",
			replies(says("200 OK", body, fmt.Sprintf("Content-Range: bytes 0-%d/%d", len(body)-1, len(body)))), "", wholly, 1},
		{"", "206 that nobody asked for, of a part",
			replies(says("206 Partial Content", body[:50], fmt.Sprintf("Content-Range: bytes 0-49/%d", len(body)))), "", triedAgain +
				malformed, 3},
		{"", "207, 208", replies(says("207 Multi-Status", body)), "", triedAgain + status, 3},
		{"", "226 with `IM`: a difference", replies(says("226 IM Used", body, "IM: diffe")), "", triedAgain + status, 3},
		{"", "any other 2xx", replies(says("299 Fine", body)), "", wholly, 1},
		{"", "300 with `Location`", replies(says("300 Multiple Choices", "", "Location: /y.nt"), data), "", wholly, 2},
		{"", "300 without", replies(says("300 Multiple Choices", body)), "", "failed at once: " + status, 1},

		{"bodies that break off", "once, without an `ETag`", replies(short(body, 100), data), "", wholly, 2},
		{"", "always, without an `ETag`", replies(short(body, 3*len(triple))), "", washedCut, 3},
		{"", "once, with a weak `ETag`", replies(short(body, 100, `ETag: W/"1"`), data), "", wholly, 2},
		{"", "a part of it each time, at ends of lines", parts(func(from int) int { return from + len(triple) }, "", true), "", wholly, 4},
		{"", "a part of it each time, and no total", parts(func(from int) int { return from + len(triple) }, "", false), "", wholly, 4},
		{"", "a part of it, then an error page as 206 with the same `ETag`", parts(nil, "Content-Type: text/html", true), "", wholly, 3},
		{"", "a part of it, then an error page with 200, then the whole", replies(short(body, len(triple), `ETag: "v1"`),
			says("200 OK", "<p>Too many</p>", "Content-Type: text/html"), says("200 OK", body, `ETag: "v1"`)), "", wholly, 3},
		{"", "a part of it, then the rest in gzip", parts(nil, "Content-Encoding: gzip", true), "", wholly, 3},
		{"", "between two chunks", replies(bare("5\r\n<a:a>\r\n", "HTTP/1.1 200 OK", "Transfer-Encoding: chunked"), data), "", wholly, 2},
		{"", "a gzip member whole, `Content-Length` that of its text", replies(unpackedLength(gz)), "", wholly, 1},
		{"", "a zstd frame whole, `Content-Length` that of its text", replies(unpackedLength(packed(t, body, "zstd"))), "", wholly, 1},
		{"", "a gzip member whole, `Content-Length` larger, always", replies(longer(gz, "gzip")), "", washedCut, 3},
		{"", "a zstd frame whole, `Content-Length` larger, always", replies(longer(packed(t, body, "zstd"), "zstd")), "", washedCut, 3},
		{"", "after the first of two gzip members", replies(longer(gz, "gzip"), says("200 OK", gz+gz)), "", wholly, 2},
		{"", "after a gzip member in a chunk, without the last chunk", replies(chunk(gz), says("200 OK", gz+gz)), "", wholly, 2},
		{"", "the same, always", replies(chunk(gz)), "", washedCut, 3},
		{"", "a gzip member cut, then whole", replies(longer(gz[:len(gz)-9], "gzip"), says("200 OK", gz)), "", wholly, 2},
		{"", "after two gzip members, where another may follow, always", replies(longer(gz+gz, "gzip")), "", washedCut, 3},

		{"redirects", "to itself, with a cookie that it wants", needsCookie(says("302 Found", "", "Location: /x.nt", "Set-Cookie: seen=1")),
			"", wholly, 2},
		{"", "to itself, without", replies(says("302 Found", "", "Location: /x.nt")), "", "failed at once: `http/redirect-loop`", 1},
		{"", "twenty", hops(20), "", wholly, 21},
		{"", "twenty-one", hops(21), "", "failed at once: `http/too-many-redirects`", 21},
		{"", "`Refresh: 0; url=…`", refresh("\r\nRefresh: 0; url=/data.nt", "wait"), "/x", wholly, 2},
		{"", "`<meta http-equiv=refresh>`", refresh("", `<meta http-equiv="refresh" content="3; url=data.nt">`), "/x", wholly, 2},
		{"", "the same after two minutes: a page to read", refresh("", `<meta http-equiv="refresh" content="120; url=data.nt">`), "/x",
			"failed at once: `format/not-rdf`", 1},
		{"", "the same in a page with data (JSON-LD, Microdata, `typeof`, `vocab`)",
			refresh("", `<meta http-equiv="refresh" content="3; url=data.nt"><p vocab="http://schema.org/" typeof="Thing">x`), "/x", wholly,
			1},

		{"heads", "`Content-Length: N, N`",
			replies(bare(body+"more", "HTTP/1.1 200 OK", fmt.Sprintf("Content-Length: %d, %d", len(body), len(body)))), "", wholly, 1},
		{"", "`Content-Length` that isn't a number", replies(bare(body, "HTTP/1.1 200 OK", "Content-Length: many")), "", wholly, 1},
		{"", "`Transfer-Encoding: identity`", replies(bare(body, "HTTP/1.1 200 OK", "Transfer-Encoding: identity")), "", wholly, 1},
		{"", "a line without a colon", replies(bare(body, "HTTP/1.1 200 OK", "this isn't a field", "Connection: close")), "", wholly, 1},
		{"", "a status line without a version", replies(bare(body, "HTTP 200 OK", "Connection: close")), "", wholly, 1},
		{"", "two lengths that differ", replies(bare(body, "HTTP/1.1 200 OK", "Content-Length: 5, 6")), "", triedAgain + malformed, 3},
		{"", "something else than HTTP", replies("SSH-2.0-OpenSSH\r\n"), "", triedAgain + malformed, 3},

		{"codings of the content", "`deflate`, as zlib", coded("deflate", "zlib"), "", wholly, 1},
		{"", "`deflate`, bare", coded("deflate", "deflate"), "", wholly, 1},
		{"", "`br`", coded("br", "br"), "", wholly, 1},
		{"", "`zstd`", coded("zstd", "zstd"), "", wholly, 1},
		{"", "`x-gzip`", coded("x-gzip", "gzip"), "", wholly, 1},
		{"", "layers: `deflate, br, gzip`", coded("deflate, br, gzip", "zlib", "br", "gzip"), "", wholly, 1},
		{"", "one that was not applied", coded("br"), "", wholly, 1},
		{"", "one that is none: `utf-8`", coded("utf-8"), "", wholly, 1},
		{"", "one that is not said: gzip", coded("identity", "gzip"), "", wholly, 1},
	}
}

// TestWhatServersDo crawls a server for each row, and holds docs/crawling.md against what became of it.
func TestWhatServersDo(t *testing.T) {
	w := newWorld(t, seedlist.Options{HostConnections: 1})
	w.opt.Retries.Most = 20 * time.Millisecond // Retry-After is bounded by it
	w.fetch.ResumePause = time.Millisecond
	rows := whatServersDo(t)
	uris := make([]string, len(rows))
	for i, row := range rows {
		if row.path == "" {
			row.path = "/x.nt"
		}
		uris[i] = row.server.start(t) + row.path
		if answers, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: uris[i]}}); err != nil || answers[0].Err != nil {
			t.Fatal(uris[i], err, answers)
		}
	}
	w.run()
	var table strings.Builder
	kind := ""
	for i, row := range rows {
		if row.kind != "" {
			kind = row.kind
			fmt.Fprintf(&table, "\n| %s | what becomes of the document | requests |\n|---|---|--:|\n", kind)
		}
		seed, err := storetest.Find(t.Context(), w.seeds, uris[i])
		if err != nil {
			t.Fatal(err)
		}
		got := becameOf(w, &seed)
		if got != row.want || len(row.server.asked) != row.requests {
			t.Errorf("%s: %s: %s, asked %q, want %s, %d; %+v", kind, row.does, got, row.server.asked, row.want, row.requests, seed.Error)
		}
		if strings.HasPrefix(got, wholly) && seed.Statements.Written == 0 {
			t.Errorf("%s: %s: nothing was written", kind, row.does)
		}
		fmt.Fprintf(&table, "| %s | %s | %d |\n", row.does, got, len(row.server.asked))
	}
	w.sound()
	if !t.Failed() {
		holdSection(t, "../../docs/crawling.md", "go test ./states/daemon -run WhatServersDo -update", table.String())
	}
}

func becameOf(w *world, seed *seedlist.Seed) string {
	switch {
	case seed.Status == seedlist.Parsed && seed.Notices[fault.HTTPShortBody] > 0:
		return washedCut
	case seed.Status == seedlist.Parsed:
		return wholly
	case seed.Status != seedlist.Failed || seed.Error == nil:
		return string(seed.Status)
	}
	tries := 0
	for _, a := range w.attempts(seed.Hash) {
		if a.ParserName == string(seedlist.Downloading) {
			tries++
		}
	}
	if tries > 1 {
		return fmt.Sprintf("tried again, %d times in all, then failed: `%s`", tries, seed.Error.Code)
	}
	return fmt.Sprintf("failed at once: `%s`", seed.Error.Code)
}

// holdSection holds a section of a page against text, or writes it there.
func holdSection(t *testing.T, page, command, text string) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- written by "+command+": begin -->\n", "<!-- written by "+command+": end -->\n"
	before, rest, ok := strings.Cut(string(raw), begin)
	was, after, ended := strings.Cut(rest, end)
	switch {
	case !ok || !ended:
		t.Fatalf("%s has no section %q", page, strings.TrimSpace(begin))
	case *update:
		err = os.WriteFile(page, []byte(before+begin+text+end+after), 0o644)
		if err != nil {
			t.Fatal(err)
		}
	case was != text:
		t.Errorf("%s is not what becomes of documents: %s", page, command)
	}
}

// TestNoOtherAnswerOverwritesWhatWasWashed: what was washed stays, with its clean file, whatever a second
// fetch brings that is not the document; and the record says both.
func TestNoOtherAnswerOverwritesWhatWasWashed(t *testing.T) {
	for _, answer := range []string{
		says("202 Accepted", ""), says("202 Accepted", "{}", "Retry-After: 1"), bare("", "HTTP/1.1 204 No Content"),
		says("205 Reset Content", ""),
		says("207 Multi-Status", "<x/>"), says("206 Partial Content", "<a:a>", "Content-Range: bytes 0-4/99"),
		says("300 Multiple Choices", "a or b"),
		says("404 Not Found", "gone"), says("503 Service Unavailable", ""), says("304 Not Modified", ""), says("302 Found", ""),
		bare("", "HTTP/1.1 200 OK", "Content-Length: 99"), bare(triple, "HTTP/1.1 200 OK", "Content-Length: 5, 6"), "garbage",
	} {
		w := newWorld(t, seedlist.Options{})
		w.opt.Retries.Most = 5 * time.Millisecond
		server := &stranger{answer: first(says("200 OK", triple), answer)}
		uri := server.start(t) + "/x.nt"
		if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: uri}}); err != nil {
			t.Fatal(err)
		}
		w.run()
		before, err := storetest.Find(t.Context(), w.seeds, uri)
		if err != nil || before.Status != seedlist.Parsed {
			t.Fatal(before.Status, err)
		}
		if _, err := w.seeds.Retry(t.Context(), "", before.Hash); err != nil {
			t.Fatal(err)
		}
		w.run()
		after, err := storetest.Find(t.Context(), w.seeds, uri)
		if err != nil || after.Status != seedlist.Failed || after.Error == nil || after.Clean != before.Clean ||
			after.Content.MD5 != before.Content.MD5 || after.Statements.Written != 1 || w.clean(after) != triple {
			t.Errorf("%.40q: %s, %+v, clean %q, error %v", answer, after.Status, after.Error, after.Clean, err)
		}
		w.sound()
	}
}

// TestNamesInADocumentAreOneRequest: twenty names, one request, one wash.
func TestNamesInADocumentAreOneRequest(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	server := &stranger{answer: always(says("200 OK", triple))}
	at := server.start(t)
	var uris []seedlist.NewSeed
	for i := range 20 {
		uris = append(uris, seedlist.NewSeed{URI: fmt.Sprintf("%s/voc.nt#c%d", at, i)})
	}
	if _, err := w.seeds.Add(t.Context(), uris); err != nil {
		t.Fatal(err)
	}
	w.run()
	counts := w.counts()
	if len(server.asked) != 1 || counts.States[seedlist.Parsed] != 1 || counts.Fragments != 20 || counts.Statements.Written != 1 {
		t.Errorf("asked %q, %+v", server.asked, counts)
	}
	document := seedlist.Key(at + "/voc.nt")
	for _, seed := range w.all() {
		if !strings.Contains(seed.URI, "#") {
			continue
		}
		if err := w.seeds.FillOutcomes(t.Context(), &seed); err != nil {
			t.Fatal(err)
		}
		if seed.Document != document || seed.Status != seedlist.Added || seed.Outcome != seedlist.Parsed || w.clean(seed) != triple {
			t.Errorf("%s: %s, %s, %q", seed.URI, seed.Document, seed.Status, seed.Outcome)
		}
	}
	w.sound()
}

// TestAResetOfHTTP2IsABodyThatBrokeOff: it is asked for again while tries are left.
func TestAResetOfHTTP2IsABodyThatBrokeOff(t *testing.T) {
	for cuts, want := range map[int]string{0: wholly, 1: wholly, 2: wholly, 3: washedCut, 9: washedCut} {
		w := newWorld(t, seedlist.Options{})
		var asked []string
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(reply http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(reply, r)
				return
			}
			asked = append(asked, r.Proto)
			io.WriteString(reply, triple)
			reply.(http.Flusher).Flush()
			if len(asked) <= cuts {
				panic(http.ErrAbortHandler)
			}
			io.WriteString(reply, strings.ReplaceAll(triple, "/o>", "/p>"))
		}))
		server.EnableHTTP2 = true
		server.StartTLS()
		w.fetch.Transport = server.Client().Transport
		if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: server.URL + "/x.nt"}}); err != nil {
			t.Fatal(err)
		}
		w.run()
		seed, err := storetest.Find(t.Context(), w.seeds, server.URL+"/x.nt")
		if err != nil || becameOf(w, &seed) != want || len(asked) != min(cuts+1, 3) || !slices.Contains(asked, "HTTP/2.0") {
			t.Errorf("%d cuts: %s, asked %q, %+v, %v", cuts, becameOf(w, &seed), asked, seed.Error, err)
		}
		w.sound()
		server.Close()
	}
}
