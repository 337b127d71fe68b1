package faces_test

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/views"
	"laundromat/web"
	"laundromat/web/faces"
)

// world is a list with seeds in it, and its faces.
type world struct {
	t       *testing.T
	list    *bolt.Store
	handler http.Handler
	n       int
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	list, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{HostDelay: -1, HostConnections: 1000, Interval: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { list.Close() })
	blobs, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { blobs.Close() })
	v, err := views.Open(filepath.Join(dir, "views.db"), list, nil, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	w := &world{t: t, list: list}
	w.handler = web.New(web.Options{Seeds: list, Files: blobs, Views: v, Version: "1.0",
		Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler { return faces.New(reader, otherwise) }})
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// add adds seeds, and brings each to its end: of four two are washed, one fails, and one waits.
func (w *world) add(n int) {
	w.t.Helper()
	for range n {
		w.n++
		uri := fmt.Sprintf("http://host%d.example/%d.nt", w.n, w.n)
		_, err := w.list.Add(w.t.Context(), []seedlist.NewSeed{{URI: uri}})
		w.must(err)
		switch w.n % 4 {
		case 0, 1:
			w.wash(uri)
		case 2:
			w.fail(uri)
		}
	}
}

func (w *world) claim(uri string) seedlist.Claim {
	w.t.Helper()
	claims, err := w.list.Claim(w.t.Context(), seedlist.Downloading, "test", 1000)
	w.must(err)
	at := slices.IndexFunc(claims, func(c seedlist.Claim) bool { return c.Seed.URI == uri })
	if at < 0 {
		w.t.Fatalf("%s can't be claimed", uri)
	}
	for i, c := range claims {
		if i != at {
			w.must(w.list.GiveBack(w.t.Context(), c, seedlist.Return{}))
		}
	}
	return claims[at]
}

func (w *world) wash(uri string) {
	w.t.Helper()
	clean := seedlist.Key("clean of " + uri)
	w.must(w.list.CompleteAll(w.t.Context(), w.claim(uri), []seedlist.Outcome{
		{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content = &digest.Content{MD5: clean, SHA256: clean + clean} }},
		{Next: seedlist.Unarchived, Update: func(*seedlist.Record) {}},
		{Next: seedlist.Guessed, Update: func(r *seedlist.Record) { r.Format = "N-Triples" }},
		{Next: seedlist.Parsed, Update: func(r *seedlist.Record) {
			r.Statements = &digest.Statements{Read: 10, Kept: 9, Dropped: 1, Written: 9}
		}, Clean: &seedlist.Clean{Content: digest.Content{MD5: clean, SHA256: clean + clean, NumberOfBytes: 90}}},
	}))
}

func (w *world) fail(uri string) {
	w.t.Helper()
	w.must(w.list.Complete(w.t.Context(), w.claim(uri), seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
		r.Error = &seedlist.Error{Stage: seedlist.Downloading, Kind: fault.Refused, Code: "http/status", Message: "404 Not Found"}
	}}))
}

// again has a document fetched again.
func (w *world) again(uri string) {
	w.t.Helper()
	answers, err := w.list.WashAgain(w.t.Context(), seedlist.Again{Asked: seedlist.Force, To: seedlist.Added}, seedlist.Key(uri))
	w.must(cmp.Or(err, answers[0].Err))
}

func (w *world) ask(method, path string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://here.example"+path, nil)
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	reply := httptest.NewRecorder()
	w.handler.ServeHTTP(reply, request)
	return reply
}

func (w *world) get(path string) string {
	w.t.Helper()
	reply := w.ask(http.MethodGet, path)
	if reply.Code != http.StatusOK {
		w.t.Fatalf("%s: %d %s", path, reply.Code, reply.Body)
	}
	return reply.Body.String()
}

var (
	memberLine = regexp.MustCompile(`(?m)^<http://here\.example/catalog> <http://www\.w3\.org/ns/dcat#dataset> <(.*)> \.$`)
	nextLine   = regexp.MustCompile(`(?m)^<.*> <http://www\.w3\.org/ns/hydra/core#next> <http://here\.example(.*)> \.$`)
	// hangingNode is a node of a dataset, or the dataset, as the object of a statement.
	hangingNode = regexp.MustCompile(`> (<http://here\.example/(?:id/[0-9a-f]{32}|quality)[^>]*>) \.\n`)
	totalLine   = regexp.MustCompile(`(?m)^<.*> <http://www\.w3\.org/ns/hydra/core#totalItems> "(\d+)"`)
)

// walk follows the catalog from page to page, and returns the datasets. The function between is called before each
// page but the first.
func (w *world) walk(limit int, between func()) (members []string) {
	w.t.Helper()
	for path := fmt.Sprintf("/catalog?limit=%d", limit); path != ""; {
		page := w.ask(http.MethodGet, path, "Accept", "application/n-quads").Body.String()
		some := memberLine.FindAllStringSubmatch(page, -1)
		if len(some) > limit {
			w.t.Errorf("%s has %d datasets", path, len(some))
		}
		for _, m := range some {
			members = append(members, m[1])
		}
		// All that hangs on a dataset is on its page.
		hanging := hangingNode.FindAllStringSubmatch(page, -1)
		if len(hanging) < 3*len(some) {
			w.t.Errorf("%s: %d nodes hang on %d datasets", path, len(hanging), len(some))
		}
		for _, node := range hanging {
			if !strings.Contains(page, "\n"+node[1]+" ") {
				w.t.Errorf("%s says nothing of %s", path, node[1])
			}
		}
		path = ""
		if next := nextLine.FindStringSubmatch(page); next != nil {
			path = next[1]
			between()
		}
	}
	return members
}

// datasets are those that the list has, by their IRIs, as "laundromat datasets" lists them.
func (w *world) datasets() (all []string) {
	w.t.Helper()
	for _, state := range seedlist.States() {
		seeds, _, err := w.list.List(w.t.Context(), seedlist.Filter{State: state, Limit: 1000})
		w.must(err)
		for i := range seeds {
			if state == seedlist.Parsed || state != seedlist.Cleaned && seeds[i].ServedClean() != "" {
				all = append(all, "http://here.example/id/"+seeds[i].Hash)
			}
		}
	}
	slices.Sort(all)
	return all
}

// The header leads to the next page in the form of the page that it stands with, whether the path or the header Accept
// asks for it.
func TestTheNextPageOfTheCatalogHasTheSameForm(t *testing.T) {
	w := newWorld(t)
	w.add(30)
	header := regexp.MustCompile(`^<(.*)>; rel="next"$`)
	for path, accept := range map[string]string{
		"/catalog.nq?limit=4": "*/*", "/catalog.jsonld?limit=4": "text/turtle", "/catalog.ttl?limit=4": "*/*",
		"/catalog?limit=4": "application/n-quads",
	} {
		first := w.ask(http.MethodGet, path, "Accept", accept)
		next := header.FindStringSubmatch(first.Header().Get("Link"))
		if next == nil {
			t.Errorf("%s: %q", path, first.Header())
			continue
		}
		second := w.ask(http.MethodGet, next[1], "Accept", accept)
		is, was := second.Header().Get("Content-Type"), first.Header().Get("Content-Type")
		if second.Code != 200 || is != was || second.Body.String() == first.Body.String() {
			t.Errorf("%s leads to %s: %d, %q", path, next[1], second.Code, second.Header())
		}
	}
}

func TestTheCatalogHasEveryDatasetOnceAndSaysHowMany(t *testing.T) {
	w := newWorld(t)
	w.add(30)
	// One that is washed again, and one that failed since: what they were is served.
	for i, uri := range []string{"http://host4.example/4.nt", "http://host5.example/5.nt"} {
		w.again(uri)
		if i == 1 {
			w.fail(uri)
		}
	}
	want := w.datasets()
	if len(want) < 15 {
		t.Fatal(len(want))
	}
	for _, limit := range []int{1, 2, 7, 100} {
		got := w.walk(limit, func() {})
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d a page: %d datasets, want %d", limit, len(got), len(want))
		}
	}
	if total := totalLine.FindStringSubmatch(w.get("/catalog.nq")); total == nil || total[1] != fmt.Sprint(len(want)) {
		t.Errorf("total %v, want %d", total, len(want))
	}
}

// What was there when a walk began is met once, whatever comes, goes and is washed again meanwhile.
func TestCursorsOfTheCatalogSurviveChanges(t *testing.T) {
	w := newWorld(t)
	w.add(24)
	before := w.datasets()
	removed := map[string]bool{}
	step := 0
	got := w.walk(2, func() {
		step++
		switch uri := fmt.Sprintf("http://host%d.example/%d.nt", 4*step, 4*step); step {
		case 1, 2:
			w.again(uri)
		case 3, 4:
			errs, err := w.list.Remove(t.Context(), seedlist.Key(uri))
			w.must(cmp.Or(err, errs[0]))
			removed["http://here.example/id/"+seedlist.Key(uri)] = true
		default:
			w.add(1)
		}
	})
	seen := map[string]int{}
	for _, one := range got {
		seen[one]++
		if seen[one] > 1 {
			t.Errorf("%s came %d times", one, seen[one])
		}
	}
	for _, one := range before {
		if seen[one] == 0 && !removed[one] {
			t.Errorf("%s was not met", one)
		}
	}
}

func TestAnIRILeadsToTheFormThatIsAskedFor(t *testing.T) {
	w := newWorld(t)
	w.add(1)
	hash := seedlist.Key("http://host1.example/1.nt")
	for _, one := range []struct{ accept, to string }{
		{"", "/id/" + hash + ".ttl"}, {"*/*", "/id/" + hash + ".ttl"}, {"application/n-quads", "/id/" + hash + ".nq"},
		{"application/ld+json, text/turtle;q=0.9", "/id/" + hash + ".jsonld"}, {"application/json", "/api/v1/seeds/" + hash},
	} {
		reply := w.ask(http.MethodGet, "/id/"+hash, "Accept", one.accept)
		h := reply.Header()
		if reply.Code != http.StatusSeeOther || h.Get("Location") != one.to || !strings.Contains(h.Get("Vary"), "Accept") {
			t.Errorf("%s: %d %v", one.accept, reply.Code, h)
		}
		if n := len(reply.Header().Values("Link")); n != 5 {
			t.Errorf("%s: %d other forms are named", one.accept, n)
		}
	}
	for path, status := range map[string]int{
		"/id/" + hash + ".html": 303, "/id/" + hash + ".json": 303, "/id/" + hash + ".ttl": 200, "/id/" + hash + ".nq": 200,
		"/id/" + hash + ".jsonld": 200, "/id/" + hash + ".pdf": 404, "/id/" + strings.Repeat("0", 32): 404, "/id/x": 404,
		"/id/" + hash + "?x=1": 400, "/catalog?cursor=x": 400, "/catalog?limit=0": 422, "/catalog?limit=1001": 422, "/sitemaps/0.xml": 404,
		"/sitemaps/01.xml": 404, "/sitemaps/2.xml": 404, "/sitemaps/1.txt": 404, "/feed?cursor=x": 400, "/catalog.xml": 404,
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if reply := w.ask(method, path); reply.Code != status {
				t.Errorf("%s %s: %d, want %d", method, path, reply.Code, status)
			}
		}
	}
	reply := w.ask(http.MethodGet, "/id/"+hash, "Accept", "image/png")
	forms := "text/turtle, application/n-quads, application/ld+json"
	if reply.Code != http.StatusNotAcceptable || !strings.Contains(reply.Body.String(), forms) {
		t.Errorf("%d %s", reply.Code, reply.Body)
	}
}

func TestFacesHaveTagsAndMayBeReadAnywhere(t *testing.T) {
	w := newWorld(t)
	w.add(1)
	id := "/id/" + seedlist.Key("http://host1.example/1.nt")
	for path, kind := range map[string]string{
		id + ".ttl": "text/turtle; charset=utf-8", id + ".nq": "application/n-quads", id + ".jsonld": "application/ld+json",
		"/catalog": "text/turtle; charset=utf-8", "/catalog.jsonld": "application/ld+json",
		"/.well-known/void": "text/turtle; charset=utf-8",
		"/quality":          "text/turtle; charset=utf-8", "/feed": "application/atom+xml; charset=utf-8",
		"/sitemap.xml": "application/xml; charset=utf-8", "/sitemaps/1.xml": "application/xml; charset=utf-8",
		"/robots.txt": "text/plain; charset=utf-8",
	} {
		reply := w.ask(http.MethodGet, path)
		h := reply.Header()
		if reply.Code != 200 || h.Get("Content-Type") != kind || h.Get("ETag") == "" || h.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v", path, reply.Code, h)
		}
		if again := w.ask(http.MethodGet, path, "If-None-Match", h.Get("ETag")); again.Code != 304 || again.Body.Len() > 0 {
			t.Errorf("%s again: %d", path, again.Code)
		}
		head := w.ask(http.MethodHead, path)
		if head.Code != 200 || head.Header().Get("ETag") != h.Get("ETag") {
			t.Errorf("HEAD %s: %d %v", path, head.Code, head.Header())
		}
		packed := w.ask(http.MethodGet, path, "Accept-Encoding", "gzip")
		if packed.Header().Get("Content-Encoding") == "gzip" {
			if text := unpacked(t, packed.Body); text != reply.Body.String() {
				t.Errorf("%s is another in gzip", path)
			}
		}
	}
}

func unpacked(t *testing.T, in io.Reader) string {
	t.Helper()
	z, err := gzip.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The dump says of each dataset what its own description says.
func TestTheDumpIsAllDescriptions(t *testing.T) {
	w := newWorld(t)
	w.add(9)
	reply := w.ask(http.MethodGet, "/dump.nq.gz")
	dump := unpacked(t, bytes.NewReader(reply.Body.Bytes()))
	lines := map[string]bool{}
	for line := range strings.Lines(dump) {
		lines[line] = true
	}
	n := 0
	for _, id := range w.datasets() {
		for line := range strings.Lines(w.get(strings.TrimPrefix(id, "http://here.example") + ".nq")) {
			if n++; !lines[line] {
				t.Fatalf("the dump lacks %s", line)
			}
		}
	}
	if n < 100 {
		t.Error(n)
	}
}

// Every dataset has its page in one sitemap, which names the same after others have come.
func TestSitemapsAndTheFeedNameEveryDataset(t *testing.T) {
	w := newWorld(t)
	w.add(12)
	var index struct {
		Maps []string `xml:"sitemap>loc"`
	}
	w.must(xml.Unmarshal([]byte(w.get("/sitemap.xml")), &index))
	var pages []string
	for _, at := range index.Maps {
		var set struct {
			Pages []struct {
				Address string    `xml:"loc"`
				Changed time.Time `xml:"lastmod"`
			} `xml:"url"`
		}
		w.must(xml.Unmarshal([]byte(w.get(strings.TrimPrefix(at, "http://here.example"))), &set))
		for _, p := range set.Pages {
			if time.Since(p.Changed) > time.Hour {
				t.Error(p)
			}
			pages = append(pages, strings.Replace(p.Address, "/seeds/", "/id/", 1))
		}
	}
	var feed struct {
		IDs []string `xml:"entry>id"`
	}
	w.must(xml.Unmarshal([]byte(w.get("/feed")), &feed))
	slices.Sort(pages)
	slices.Sort(feed.IDs)
	if want := w.datasets(); !slices.Equal(pages, want) || !slices.Equal(feed.IDs, want) {
		t.Errorf("%d in sitemaps, %d in the feed, want %d", len(pages), len(feed.IDs), len(want))
	}
}
