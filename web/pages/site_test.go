package pages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/views"
	"laundromat/web"
	"laundromat/web/pages"
)

// site is a store with seeds in it, and its pages.
type site struct {
	t       *testing.T
	seeds   *counted
	files   *files.Folder
	handler http.Handler
	asking  map[string]*web.HostAsking // by host
}

// counted is a seed list that counts the records which are read of it.
type counted struct {
	*bolt.Store
	read atomic.Int64
}

func (c *counted) List(ctx context.Context, f seedlist.Filter) ([]seedlist.Seed, string, error) {
	seeds, next, err := c.Store.List(ctx, f)
	c.read.Add(int64(len(seeds)))
	return seeds, next, err
}

func (c *counted) Whole(ctx context.Context, numbers ...uint64) ([]seedlist.Seed, error) {
	seeds, err := c.Store.Whole(ctx, numbers...)
	c.read.Add(int64(len(seeds)))
	return seeds, err
}

func newSite(t *testing.T) *site { return newSiteFor(t, false) }

// newSiteFor makes a site as one of the two listeners has it: the socket, which may write, or TCP.
func newSiteFor(t *testing.T, writable bool) *site {
	dir := t.TempDir()
	list, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{
		HostDelay: -1, HostConnections: 1000, Interval: -1, KeepVersions: 2})
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
	s := &site{t: t, seeds: &counted{Store: list}, files: blobs, asking: map[string]*web.HostAsking{}}
	s.handler = web.New(web.Options{
		Daemon: web.DaemonOptions{Asking: func(_ context.Context, host string) (*web.HostAsking, *seedlist.Exchange, error) {
			return s.asking[host], nil, nil
		}},
		Seeds: s.seeds, Files: blobs, Views: v, Version: "1.0", Writable: writable, Formats: []string{"Turtle", "N-Triples", "N-Quads"},
		Text: textOfTable, Rereading: web.Rereading{CellPlaces: placesOfTable},
		Pages: func(reader *web.Reader, otherwise http.Handler) http.Handler {
			return pages.New(reader, pages.Options{Disk: func() pages.Disk { return pages.Disk{Known: true, Free: 5e9, Keep: 1e8} }},
				otherwise)
		},
	})
	return s
}

// fill adds seeds in every state: of ten, four are washed, two failed, two are tried again, one is at work,
// and one waits.
func (s *site) fill(n int) {
	s.t.Helper()
	ctx := s.t.Context()
	var add []seedlist.NewSeed
	for i := range n {
		add = append(add, seedlist.NewSeed{URI: fmt.Sprintf("http://host%d.example/%d.ttl", i%3, i), Source: fmt.Sprint("list ", i%2)})
	}
	add = append(add, seedlist.NewSeed{URI: "relative/path"}, seedlist.NewSeed{URI: "http://host0.example/0.ttl#thing"})
	if _, err := s.seeds.Add(ctx, add); err != nil {
		s.t.Fatal(err)
	}
	var claims []seedlist.Claim
	for len(claims) < n*9/10 {
		some, err := s.seeds.Claim(ctx, seedlist.Downloading, "test", n*9/10-len(claims))
		if err != nil || len(some) == 0 {
			s.t.Fatal(len(claims), err)
		}
		claims = append(claims, some...)
	}
	for i, claim := range claims {
		switch i % 9 {
		case 0, 1, 2, 3:
			s.wash(claim, []string{"Turtle", "N-Triples"}[i%2])
		case 4, 5:
			e := &seedlist.Error{Stage: seedlist.Downloading, Kind: fault.Refused, Code: "http/status", Message: "404 Not Found"}
			s.must(s.seeds.Complete(ctx, claim, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
				r.Error, r.HTTP = e, []seedlist.Exchange{{URI: claim.Seed.URI, Time: time.Now(), Status: http.StatusNotFound}}
			}}))
		case 6, 7:
			e := &seedlist.Error{Stage: seedlist.Downloading, Kind: fault.Remote, Code: "transport/silence", Message: "too late"}
			s.must(s.seeds.GiveBack(ctx, claim, seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour), Error: e}))
		case 8:
			s.seeds.Progress(ctx, claim, seedlist.Progress{Bytes: 100, Of: 1000, Message: "reading"})
		}
	}
}

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// wash brings a claimed seed through all stages, and returns its key.
func (s *site) wash(claim seedlist.Claim, format string) {
	s.t.Helper()
	clean := seedlist.Key("clean of " + claim.Seed.URI)
	s.must(s.seeds.CompleteAll(s.t.Context(), claim, []seedlist.Outcome{
		{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content = &digest.Content{NumberOfBytes: 1234} }},
		{Next: seedlist.Unarchived, Update: func(*seedlist.Record) {}},
		{Next: seedlist.Guessed, Update: func(r *seedlist.Record) {
			r.Format, r.Encoding = format, &seedlist.Encoding{Chosen: "utf-8"}
		}},
		{Next: seedlist.Parsed, Update: func(r *seedlist.Record) {
			r.Statements = &digest.Statements{Read: 10, Kept: 9, Dropped: 1, Written: 9}
			r.Notices = map[fault.Code]int64{"iri/space": 2, "language/case": 1}
		}, Clean: &seedlist.Clean{Content: digest.Content{MD5: clean, SHA256: clean + clean}}},
	}))
}

// ask asks as a browser does.
func (s *site) ask(path string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	request.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	reply := httptest.NewRecorder()
	s.handler.ServeHTTP(reply, request)
	return reply
}

// page is a page that must be there, as a tree.
func (s *site) page(path string) *html.Node {
	s.t.Helper()
	reply := s.ask(path)
	if reply.Code != http.StatusOK {
		s.t.Fatalf("%s: %d\n%s", path, reply.Code, textOf(parsed(s.t, reply.Body.Bytes())))
	}
	return parsed(s.t, reply.Body.Bytes())
}

func parsed(t *testing.T, body []byte) *html.Node {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// each calls visit for every element.
func each(root *html.Node, visit func(*html.Node)) {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	return strings.Contains(" "+attribute(n, "class")+" ", " "+class+" ")
}

func textOf(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
	}
	return b.String()
}

// length is that of the list at an address of the wardrobe, as the API lists it.
func (s *site) length(address string) int {
	s.t.Helper()
	_, query, _ := strings.Cut(address, "?")
	reply := s.ask("/api/v1/seeds?"+query, "Accept", "application/x-ndjson")
	if reply.Code != http.StatusOK {
		s.t.Fatalf("%s: %d %s", address, reply.Code, reply.Body)
	}
	return bytes.Count(reply.Body.Bytes(), []byte("\n"))
}

// problem is what the API says of a path that it refuses.
func (s *site) problem(path string) (status int, detail string) {
	s.t.Helper()
	reply := s.ask(path, "Accept", "application/json")
	var p struct{ Detail string }
	s.must(json.Unmarshal(reply.Body.Bytes(), &p))
	return reply.Code, p.Detail
}
