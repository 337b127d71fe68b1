package web_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// withViews gives an API views of its list.
func withViews(h *house, o *web.Options) {
	v, err := views.Open(filepath.Join(h.t.TempDir(), "views.db"), h.seeds, nil, func(err error) { h.t.Error(err) })
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { v.Close() })
	o.Views = v
}

// populate washes some documents in several ways.
func (h *house) populate() {
	h.t.Helper()
	for i := range 30 {
		uri := fmt.Sprintf("http://h%d.example/%d?a=1&b=2", i%3, i)
		if _, err := h.seeds.Add(h.t.Context(), []seedlist.NewSeed{{URI: uri, Source: fmt.Sprint("list ", i%4),
			Claims: map[string]string{"publisher": fmt.Sprint("Office ", i%2), "license": "CC0"}}}); err != nil {
			h.t.Fatal(err)
		}
		if i%5 == 4 {
			continue
		}
		for _, stage := range seedlist.Stages() {
			claims, err := h.seeds.Claim(h.t.Context(), stage, "test", 100)
			if err != nil {
				h.t.Fatal(err)
			}
			for _, c := range claims {
				o := seedlist.Outcome{Next: stage.Next()[0], Update: func(r *seedlist.Record) {
					r.HTTP = []seedlist.Exchange{{Status: 200}}
					if i%3 == 1 {
						r.Recipe = &seedlist.RecipeUse{Name: "lists", SHA256: strings.Repeat("1", 64)}
					}
					r.Format = []string{"N-Triples", "Turtle"}[i%2]
					r.Encoding = &seedlist.Encoding{Presumed: "utf-8", Chosen: []string{"utf-8", "utf-8", "windows-1252"}[i%3]}
					r.Content = &digest.Content{NumberOfBytes: int64(i * 37 % 11)}
					r.Notices = map[fault.Code]int64{"iri/space": 1}
					r.Statements = &digest.Statements{Read: 10, Dropped: int64(i % 3), Written: int64(i % 7)}
				}}
				if i%7 == 6 && (i%2 == 0 || stage == seedlist.Parsing) {
					o.Next, o.Update = seedlist.Failed, func(r *seedlist.Record) {
						r.HTTP = []seedlist.Exchange{{Status: 404}}
						r.Error = &seedlist.Error{Stage: stage, Kind: fault.Refused, Code: "http/status", Message: "404"}
					}
				}
				if o.Next == seedlist.Parsed {
					o.Clean = &seedlist.Clean{Content: digest.Content{MD5: fmt.Sprintf("%032x", i+1), SHA256: strings.Repeat("0", 64)}}
				}
				if err := h.seeds.Complete(h.t.Context(), c, o); err != nil {
					h.t.Fatal(err)
				}
			}
		}
	}
}

// listed has a catalog name seeds that are there.
func (h *house) listed(uris ...string) {
	h.t.Helper()
	ctx := h.t.Context()
	c, _, err := h.seeds.AddCatalog(ctx, "http://catalog.example/", seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		h.t.Fatal(err)
	}
	claim, ok, err := h.seeds.ClaimCatalog(ctx, "test")
	if err != nil || !ok {
		h.t.Fatalf("nothing to harvest: %v, %v", ok, err)
	}
	var named []seedlist.NewSeed
	for _, uri := range uris {
		named = append(named, seedlist.NewSeed{URI: uri, Source: "catalog:" + c.URI, Claims: map[string]string{seedlist.ClaimedBy: c.Hash}})
	}
	if _, err := h.seeds.AddListed(ctx, claim, named); err != nil {
		h.t.Fatal(err)
	}
	if _, err := h.seeds.EndHarvest(ctx, claim, seedlist.HarvestEnd{}); err != nil {
		h.t.Fatal(err)
	}
}

// hashes asks for all pages of a list.
func (h *house) hashes(query url.Values) (hashes []string, seeds []seedlist.Seed) {
	h.t.Helper()
	for path := "/api/v1/seeds?" + query.Encode(); path != ""; {
		reply, text := h.ask("GET", path, "")
		var page web.SeedPage
		if err := json.Unmarshal([]byte(text), &page); err != nil || reply.StatusCode != 200 {
			h.t.Fatalf("%s: %s\n%s", path, reply.Status, text)
		}
		if page.AsOf == nil || page.AsOf.Revision == 0 {
			h.t.Errorf("%s: as of %+v", path, page.AsOf)
		}
		link := reply.Header.Get("Link")
		path, _, _ = strings.Cut(strings.TrimPrefix(link, "<"), ">; rel=\"next\"")
		if (page.Next != "") != (path != "") || page.Next != "" && !strings.Contains(path, "cursor="+url.QueryEscape(page.Next)) {
			h.t.Fatalf("next is %q, Link %q", page.Next, link)
		}
		for _, seed := range page.Seeds {
			hashes = append(hashes, seed.Hash)
		}
		seeds = append(seeds, page.Seeds...)
	}
	return hashes, seeds
}

func TestListsOfViewsAreThoseOfTheSeedList(t *testing.T) {
	plain := newHouse(t, false)
	plain.populate()
	h := newHouse(t, false, func(h *house, o *web.Options) {
		h.seeds = plain.seeds
		o.Seeds = plain.seeds
		withViews(h, o)
	})
	filled := 0
	for _, query := range []string{
		"", "host=h1.example", "host=H1.example", "format=Turtle", "source=list+2", "error=http/status", "notice=iri/space",
		"relative=false",
		"state=parsed&format=N-Triples", "host=h2.example&error=http/status", "format=Turtle&host=h0.example&source=list+1",
		"host=nowhere.example",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		values.Set("limit", "3")
		want, _ := plain.hashes(values)
		got, _ := h.hashes(values)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%v, want\n%v", query, got, want)
		}
		filled += min(len(want), 1)
		reply, text := h.ask("GET", "/api/v1/seeds?"+query, "", "Accept", "application/x-ndjson")
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if reply.Header.Get("Content-Type") != "application/x-ndjson" || strings.Count(text, "\n") != len(want) {
			t.Errorf("%s: %d lines of %s", query, len(lines), reply.Header.Get("Content-Type"))
		}
		for i := range want {
			var seed seedlist.Seed
			if err := json.Unmarshal([]byte(lines[i]), &seed); err != nil || seed.Hash != want[i] {
				t.Errorf("%s: line %d is %s", query, i+1, lines[i])
			}
		}
	}
	if filled != 11 {
		t.Errorf("%d of the lists have seeds", filled)
	}
}

// gated is a list that gives all seeds to its views when the gate is open.
type gated struct {
	*bolt.Store
	open chan struct{}
}

func (g *gated) NumberedAfter(ctx context.Context, after uint64, limit int) ([]seedlist.Numbered, error) {
	select {
	case <-g.open:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return g.Store.NumberedAfter(ctx, after, limit)
}

func TestWhileViewsAreMadeTheSeedListAnswers(t *testing.T) {
	plain := newHouse(t, false)
	plain.populate()
	var made *views.Views
	gate := &gated{Store: plain.seeds, open: make(chan struct{})}
	h := newHouse(t, false, func(h *house, o *web.Options) {
		h.seeds, o.Seeds = plain.seeds, plain.seeds
		v, err := views.Open(filepath.Join(t.TempDir(), "views.db"), gate, nil, func(err error) { t.Error(err) })
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		o.Views, made = v, v
	})
	query := url.Values{"host": {"h1.example"}, "format": {"Turtle"}, "limit": {"2"}}
	want, _ := plain.hashes(query)
	if got, _ := h.hashes(query); len(want) < 3 || !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if reply, text := h.ask("GET", "/api/v1/seeds?sort=size", ""); reply.StatusCode != 503 || reply.Header.Get("Retry-After") == "" {
		t.Errorf("%s %v %s", reply.Status, reply.Header, text)
	}
	if reply, text := h.ask("GET", "/api/v1/counts?by=host", ""); reply.StatusCode != 200 || !strings.Contains(text, `"building":true`) ||
		!strings.Contains(text, "so far") {
		t.Errorf("%s %s", reply.Status, text)
	}
	_, first := h.ask("GET", "/api/v1/seeds?"+query.Encode(), "")
	var page web.SeedPage
	if err := json.Unmarshal([]byte(first), &page); err != nil {
		t.Fatal(err)
	}
	close(gate.open)
	if err := made.Wait(t.Context(), page.AsOf.Revision); err != nil {
		t.Fatal(err)
	}
	if got, _ := h.hashes(url.Values{"sort": {"size"}, "limit": {"1000"}}); len(got) < 40 {
		t.Errorf("%d seeds", len(got))
	}
	query.Set("cursor", page.Next) // of the seed list: the views go on with it
	if got, _ := h.hashes(query); !slices.Equal(got, want[2:]) {
		t.Errorf("%v, want %v", got, want[2:])
	}
}

func TestListsComeInTheOrderAskedFor(t *testing.T) {
	h := newHouse(t, false, withViews)
	h.populate()
	size := func(s seedlist.Seed) int64 {
		if s.Content == nil {
			return -1
		}
		return s.Content.NumberOfBytes
	}
	_, up := h.hashes(url.Values{"sort": {"size"}, "limit": {"4"}})
	_, down := h.hashes(url.Values{"sort": {"-size"}, "limit": {"5"}})
	if len(up) < 40 || !slices.IsSortedFunc(up, func(a, b seedlist.Seed) int { return int(size(a) - size(b)) }) {
		t.Errorf("%d seeds are not in order", len(up))
	}
	slices.Reverse(down)
	if len(down) != len(up) || !slices.EqualFunc(up, down, func(a, b seedlist.Seed) bool { return a.Hash == b.Hash }) {
		t.Error("the other order is not the other way round")
	}
	_, text := h.ask("GET", "/api/v1/seeds?sort=size&limit=2", "")
	var page web.SeedPage
	if err := json.Unmarshal([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	for query, status := range map[string]int{
		"sort=-size&cursor=" + page.Next: 400, "sort=size&host=h1.example&cursor=" + page.Next: 400, "cursor=" + page.Next: 400,
		"sort=siez": 422, "sort=size&parent=" + nowhere: 404, "encoding=windows-1252": 200,
	} {
		if reply, text := h.ask("GET", "/api/v1/seeds?"+query, ""); reply.StatusCode != status {
			t.Errorf("%s: %s, want %d: %s", query, reply.Status, status, text)
		}
	}
	without := newHouse(t, false)
	if reply, text := without.ask("GET", "/api/v1/seeds?sort=size", ""); reply.StatusCode != 503 ||
		!strings.Contains(text, "laundromat serve") {
		t.Errorf("%s: %s", reply.Status, text)
	}
}

func TestEachCountIsTheLengthOfItsList(t *testing.T) {
	h := newHouse(t, false, withViews)
	h.populate()
	h.listed("http://h0.example/0?a=1&b=2", "http://h1.example/1?a=1&b=2", "http://h0.example/6?a=1&b=2")
	for _, by := range append(views.Pairs(), "state", "host", "format", "encoding", "error", "notice", "source", "format,notice") {
		reply, text := h.ask("GET", "/api/v1/counts?by="+by, "")
		var counts web.CountReply
		if err := json.Unmarshal([]byte(text), &counts); err != nil || reply.StatusCode != 200 {
			t.Fatal(reply.Status, text)
		}
		if len(counts.Counts) == 0 || counts.Total != len(counts.Counts) || strings.Join(counts.By, ",") != by {
			t.Errorf("%s: %s", by, text)
		}
		for i, c := range counts.Counts {
			query := url.Values{"limit": {"1000"}}
			for j, name := range counts.By {
				query.Set(name, c.Values[j])
			}
			if hashes, _ := h.hashes(query); int64(len(hashes)) != c.Seeds {
				t.Errorf("%s: counted %d, listed %d", query.Encode(), c.Seeds, len(hashes))
			}
			if i > 0 && counts.Counts[i-1].Seeds < c.Seeds {
				t.Errorf("by %s: %d comes after %d", by, c.Seeds, counts.Counts[i-1].Seeds)
			}
		}
	}
	for query, status := range map[string]int{"by=colour": 422, "by=source,host": 422, "by=": 422, "": 422, "by=host&limit=0": 422} {
		if reply, text := h.ask("GET", "/api/v1/counts?"+query, ""); reply.StatusCode != status {
			t.Errorf("%q: %s %s", query, reply.Status, text)
		}
	}
}

func TestWhatAClientHasIsNotSentAgain(t *testing.T) {
	h := newHouse(t, false, withViews)
	h.populate()
	for _, path := range []string{"/api/v1/seeds?host=h1.example", "/api/v1/seeds", "/api/v1/stats", "/api/v1/counts?by=host",
		"/api/v1/seeds/" + seedlist.Key("http://h0.example/0?a=1&b=2")} {
		reply, plain := h.ask("GET", path, "")
		tag := reply.Header.Get("ETag")
		if !strings.HasPrefix(tag, `"`) {
			t.Fatalf("%s: ETag %s", path, tag)
		}
		if reply, text := h.ask("GET", path, "", "If-None-Match", `"other", `+tag); reply.StatusCode != 304 || text != "" {
			t.Errorf("%s: %s", path, reply.Status)
		}
		packed, text := h.ask("GET", path, "", "Accept-Encoding", "gzip")
		if packed.Header.Get("Content-Encoding") != "gzip" {
			if len(plain) > 2000 {
				t.Errorf("%s: %d bytes are not compressed", path, len(plain))
			}
			continue
		}
		z, err := gzip.NewReader(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if unpacked, err := io.ReadAll(z); err != nil || string(unpacked) != plain || packed.Header.Get("ETag") == tag {
			t.Errorf("%s: compressed it is %q, ETag %s, %v", path, unpacked, packed.Header.Get("ETag"), err)
		}
		if again, _ := h.ask("GET", path, "", "Accept-Encoding", "gzip", "If-None-Match",
			packed.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s: %s", path, again.Status)
		}
	}
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://h1.example/new"}}); err != nil {
		t.Fatal(err)
	}
	reply, _ := h.ask("GET", "/api/v1/seeds?host=h1.example", "")
	if again, _ := h.ask("GET", "/api/v1/seeds?host=h1.example", "", "If-None-Match", reply.Header.Get("ETag")); again.StatusCode != 304 {
		t.Error("the list has another tag without a change")
	}
}

func TestAWriteIsRefusedWhenTheRecordHasChanged(t *testing.T) {
	h := newHouse(t, true)
	if _, err := h.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: "http://a.example/"}}); err != nil {
		t.Fatal(err)
	}
	seed := "/api/v1/seeds/" + seedlist.Key("http://a.example/")
	reply, _ := h.ask("GET", seed, "")
	old := reply.Header.Get("ETag")
	if _, err := h.seeds.Set(t.Context(), seedlist.SeedSettings{Priority: new(5)}, seedlist.Key("http://a.example/")); err != nil {
		t.Fatal(err)
	}
	if reply, text := h.ask("DELETE", seed, "", "If-Match", old); reply.StatusCode != 412 {
		t.Errorf("%s %s", reply.Status, text)
	}
	reply, _ = h.ask("GET", seed, "")
	if reply, text := h.ask("DELETE", seed, "", "If-Match", reply.Header.Get("ETag")); reply.StatusCode != 204 {
		t.Errorf("%s %s", reply.Status, text)
	}
}

func TestRowsAreLinesOfTheCleanFile(t *testing.T) {
	h := newHouse(t, false)
	seed := h.washed("http://a.example/", "dirty", "one\ntwo\nthree\nfour\n")
	packed, err := h.files.Create()
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(packed)
	io.WriteString(z, "one\ntwo\nthree\nfour\n")
	z.Close()
	if err := errors.Join(packed.Seal(seed.Clean, files.Clean), h.files.Commit(t.Context(), packed)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/rows":                `"rows":[{"line":1,"text":"one"},{"line":2,"text":"two"},{"line":3,"text":"three"},{"line":4,"text":"four"}]`,
		"/rows?from=2&limit=2": `"rows":[{"line":2,"text":"two"},{"line":3,"text":"three"}],"next":4}`,
		"/rows?from=4":         `"rows":[{"line":4,"text":"four"}]}`,
		"/rows?from=9":         `"rows":[]}`,
	} {
		for _, hash := range []string{seed.Hash, seed.Clean} {
			if reply, text := h.ask("GET", "/api/v1/seeds/"+hash+path, ""); reply.StatusCode != 200 || !strings.Contains(text, want) {
				t.Errorf("%s: %s %s", path, reply.Status, text)
			}
		}
	}
	if reply, _ := h.ask("GET", "/api/v1/seeds/"+seed.Hash+"/rows?from=1&limit=1", ""); !strings.Contains(reply.Header.Get("Link"),
		"from=2&limit=1") {
		t.Errorf("Link: %s", reply.Header.Get("Link"))
	}
	if reply, _ := h.ask("GET", "/api/v1/seeds/"+seed.Hash+"/rows?from=0", ""); reply.StatusCode != 422 {
		t.Error(reply.Status)
	}
	if reply, _ := h.ask("GET", "/api/v1/seeds/"+seed.Hash+"/clean.nq.gz", "", "Want-Repr-Digest", "sha-256=1"); !strings.HasPrefix(
		reply.Header.Get("Repr-Digest"), "sha-256=:") {
		t.Errorf("Repr-Digest: %s", reply.Header.Get("Repr-Digest"))
	}
}

func TestAClientIsBoundedUnlessItIsOfThisMachine(t *testing.T) {
	h := newHouse(t, false)
	api := web.New(web.Options{Seeds: h.seeds, Files: h.files, Limits: web.Limits{Rate: 1, Burst: 3}})
	refused := func(address string) (n int) {
		for range 10 {
			reply := httptest.NewRecorder()
			request := httptest.NewRequest("GET", "/healthz", nil)
			request.RemoteAddr = address
			api.ServeHTTP(reply, request)
			if reply.Code == http.StatusTooManyRequests {
				if n++; reply.Header().Get("Retry-After") == "" || !strings.Contains(reply.Body.String(), "requests per second") {
					t.Errorf("%v %s", reply.Header(), reply.Body)
				}
			}
		}
		return n
	}
	for address, want := range map[string]bool{"192.0.2.1:1234": true, "[2001:db8::1]:1": true, "[2001:db9::1]:1": true,
		"127.0.0.1:4": false, "[::1]:4": false} {
		if n := refused(address); (n > 5) != want {
			t.Errorf("%s: %d of 10 were refused", address, n)
		}
	}
}

func TestPagesOfOtherSitesMayReadAndNoMore(t *testing.T) {
	h := newHouse(t, false)
	if reply, _ := h.ask("GET", "/api/v1/stats", "", "Origin", "https://other.example"); reply.Header.Get(
		"Access-Control-Allow-Origin") != "*" {
		t.Error(reply.Header)
	}
	reply, _ := h.ask("OPTIONS", "/api/v1/seeds", "", "Origin", "https://other.example", "Access-Control-Request-Method", "POST")
	if methods := reply.Header.Get("Access-Control-Allow-Methods"); reply.StatusCode != 204 || methods != "GET, HEAD" {
		t.Errorf("%s %s", reply.Status, methods)
	}
	local := newHouse(t, true)
	if reply, _ := local.ask("GET", "/api/v1/stats", "", "Origin", "https://other.example"); reply.Header.Get(
		"Access-Control-Allow-Origin") != "" {
		t.Error("where one may write, pages of others may read")
	}
}
