package daemon_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

func (w *world) catalog(path string, settings seedlist.CatalogSettings) seedlist.Catalog {
	w.t.Helper()
	c, _, err := w.seeds.AddCatalog(w.t.Context(), w.uri(path), settings, time.Time{})
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

func (w *world) harvested(hash string) seedlist.Catalog {
	w.t.Helper()
	c, err := w.seeds.Catalog(w.t.Context(), hash)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// A catalog is harvested, and its documents are washed with what is claimed of them. After a change
// a second harvest finds what is new and what is gone.
func TestCatalogBecomesSeeds(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.serve("/a.nt", "application/n-triples", triple)
	w.serve("/b.nt", "application/n-triples", strings.Replace(triple, "/s", "/b", 1))
	w.serve("/c.nt", "application/n-triples", strings.Replace(triple, "/s", "/c", 1))
	void := func(names ...string) []byte {
		text := "@prefix void: <http://rdfs.org/ns/void#> . @prefix dct: <http://purl.org/dc/terms/> .\n<#set> a void:Dataset ; dct:title \"The set\" ; dct:license <http://example.org/license> .\n"
		for _, name := range names {
			text += "<#set> void:dataDump <" + name + "> .\n"
		}
		return []byte(text + "<#set> void:sparqlEndpoint </sparql> .\n")
	}
	page := w.page("/void.ttl", void("a.nt", "b.nt"))
	c := w.catalog("/void.ttl", seedlist.CatalogSettings{Interval: 3600, Priority: 7})
	w.run()
	w.sound()
	got := w.harvested(c.Hash)
	if got.Status != seedlist.CatalogResting || got.Fence != 1 || got.Found != "void" || got.New != 2 || got.Listed != 2 || !got.Complete ||
		got.Refused["endpoint"] != 1 {
		t.Fatalf("%+v\n%s", got, w.log.String())
	}
	seed := w.seed("/a.nt")
	if seed.Status != seedlist.Parsed || seed.Source != "catalog:"+w.uri("/void.ttl") || seed.Priority != 7 ||
		seed.Title != "The set" || seed.Claims["license"] != "http://example.org/license" || seed.Claims["catalog"] != c.Hash {
		t.Errorf("%+v", seed)
	}
	log := w.attempts(c.Hash)
	if len(log) != 1 || log[0].ParserName != "catalog/void" || log[0].Seed != c.Hash || log[0].Fence != 1 || log[0].InsertCount != 2 ||
		log[0].Result != "success" || log[0].SourceURL != w.uri("/void.ttl") || !strings.HasPrefix(log[0].ParserVersion, "1.0") ||
		log[0].Counts["refused/endpoint"] != 1 {
		t.Errorf("%+v", log)
	}
	refusals, err := w.seeds.Refusals(t.Context(), c.Hash)
	if err != nil || !strings.Contains(string(refusals), "/sparql") {
		t.Errorf("%s, %v", refusals, err)
	}

	page.set(200, void("b.nt", "c.nt"))
	if err := w.seeds.HarvestNow(t.Context(), c.Hash, false); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.sound()
	got = w.harvested(c.Hash)
	if got.Fence != 2 || got.New != 1 || got.Listed != 2 || got.Gone != 1 || got.Vanished != 1 {
		t.Errorf("%+v", got)
	}
	if seed := w.seed("/a.nt"); seed.Gone == nil || !*seed.Gone || seed.Clean == "" {
		t.Errorf("what vanished is not marked and kept: %+v", seed)
	}
	if seed := w.seed("/c.nt"); seed.Status != seedlist.Parsed || seed.Gone != nil {
		t.Errorf("%+v", seed)
	}
}

// What can't be had for now is tried again; what is refused, or is no catalog, fails, and
// says why.
func TestHarvestThatFailsSaysWhy(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	asked := 0
	w.mux.HandleFunc("/flaky.txt", func(reply http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			http.Error(reply, "busy", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(reply, w.uri("/a.nt"))
	})
	w.serve("/a.nt", "application/n-triples", triple)
	w.serve("/picture", "image/png", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")
	w.serve("/ckan/api/3/action/package_list", "application/json", `{"success": false, "error": {"message": "Not allowed"}}`)
	flaky := w.catalog("/flaky.txt", seedlist.CatalogSettings{})
	missing := w.catalog("/missing", seedlist.CatalogSettings{})
	picture := w.catalog("/picture", seedlist.CatalogSettings{})
	portal := w.catalog("/ckan/api/3/action/package_list", seedlist.CatalogSettings{})
	w.run()
	w.sound()
	if c := w.harvested(flaky.Hash); c.Status != seedlist.CatalogResting || c.Fence != 2 || c.Listed != 1 || c.Error != nil ||
		!c.Due.IsZero() {
		t.Errorf("%+v", c)
	}
	if log := w.attempts(flaky.Hash); len(log) != 2 || log[0].Kind != "remote" || log[0].SourceText != "busy\n" || log[0].Traceback == "" ||
		log[1].Result != "success" {
		t.Errorf("%+v", log)
	}
	for hash, code := range map[string]string{missing.Hash: "http/status", picture.Hash: "catalog/unknown",
		portal.Hash: "catalog/error-reply"} {
		c := w.harvested(hash)
		if c.Status != seedlist.CatalogFailed || c.Error == nil || string(c.Error.Code) != code || c.Fence != 1 {
			t.Errorf("%s: %+v", code, c)
		}
	}
}

// Pages come packed, in other encodings, and cut short.
func TestPagesOfCatalogsAreUnpackedAndDecoded(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, "<urlset><url><loc>"+w.uri("/a.nt")+"</loc></url></urlset>")
	z.Close()
	w.page("/sitemap.xml.gz", packed.Bytes())
	latin := "uri,title\n" + w.uri("/b.nt") + ",Z\xfcrich und M\xfcnchen\n"
	w.serve("/latin.csv", "text/csv; charset=iso-8859-1", latin)
	w.mux.HandleFunc("/short.txt", func(reply http.ResponseWriter, _ *http.Request) {
		reply.Header().Set("Content-Length", "10000")
		fmt.Fprintf(reply, "%s\n%s\n", w.uri("/a.nt"), w.uri("/c.nt"))
	})
	for _, name := range []string{"/a.nt", "/b.nt", "/c.nt"} {
		w.serve(name, "application/n-triples", triple)
	}
	sitemap := w.catalog("/sitemap.xml.gz", seedlist.CatalogSettings{})
	table := w.catalog("/latin.csv", seedlist.CatalogSettings{})
	short := w.catalog("/short.txt", seedlist.CatalogSettings{})
	w.run()
	w.sound()
	if c := w.harvested(sitemap.Hash); c.Listed != 1 || c.Found != "sitemap" {
		t.Errorf("%+v", c)
	}
	if c := w.harvested(table.Hash); c.Listed != 1 || w.seed("/b.nt").Title != "Zürich und München" {
		t.Errorf("%+v %q", c, w.seed("/b.nt").Title)
	}
	// What came is taken; that more was to come is an error, tried again, and nothing is gone.
	if c := w.harvested(short.Hash); c.Listed != 2 || c.Complete || c.Error == nil || c.Error.Code != "http/short-body" || c.Fence != 3 {
		t.Errorf("%+v", c)
	}
}

// A page over its limit, and one at an address that is not public, are refused.
func TestHarvestKeepsItsLimits(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Harvest.MaxBytes = 100
	w.serve("/long.txt", "text/plain", strings.Repeat(w.uri("/a.nt")+"\n", 100))
	long := w.catalog("/long.txt", seedlist.CatalogSettings{})
	w.run()
	if c := w.harvested(long.Hash); c.Error == nil || c.Error.Code != "limit/bytes" || c.Error.Kind.String() != "limit" {
		t.Errorf("%+v", c)
	}
	w.fetch.AllowPrivate = false
	w.seeds.HarvestNow(t.Context(), long.Hash, false)
	w.run()
	if c := w.harvested(long.Hash); c.Error == nil || c.Error.Code != "transport/forbidden-address" || c.Fence != 2 {
		t.Errorf("%+v", c)
	}
}

// A harvest that is stopped is given back, and done again at the next start.
func TestStoppedHarvestIsGivenBack(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	asked := make(chan struct{}, 10)
	var hang atomic.Bool
	hang.Store(true)
	w.mux.HandleFunc("/list.txt", func(reply http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		if hang.Load() {
			<-r.Context().Done()
			return
		}
		fmt.Fprintln(reply, w.uri("/a.nt"))
	})
	w.serve("/a.nt", "application/n-triples", triple)
	c := w.catalog("/list.txt", seedlist.CatalogSettings{})
	stop := w.start()
	<-asked
	stop()
	got := w.harvested(c.Hash)
	if got.Status != seedlist.CatalogWaiting || got.Fence != 1 || got.Tries != 0 || got.Error != nil {
		t.Errorf("%+v", got)
	}
	hang.Store(false)
	w.opt.UntilIdle = true
	w.run()
	if got := w.harvested(c.Hash); got.Fence != 2 || got.Listed != 1 {
		t.Errorf("%+v", got)
	}
}

// A Harvester that works alone does what the daemon does.
func TestHarvesterWorksWithoutADaemon(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.serve("/list.txt", "text/plain", w.uri("/a.nt")+"\n")
	c := w.catalog("/list.txt", seedlist.CatalogSettings{})
	fetcher := fetch.New(w.fetch)
	defer fetcher.Close()
	h := daemon.NewHarvester(w.seeds, fetcher, zerolog.Nop(), daemon.RunOptions{Settings: w.opt.Settings})
	claim, ok, err := w.seeds.ClaimCatalogOf(t.Context(), c.Hash, "test")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	ended, err := h.Harvest(context.Background(), context.Background(), claim)
	if err != nil || ended.New != 1 || w.seed("/a.nt").Status != seedlist.Added {
		t.Errorf("%+v, %v", ended, err)
	}
}

// Where records or articles are made, catalogs give documents that are no RDF too.
func TestCatalogsGiveWhatTheProductsAreMadeOf(t *testing.T) {
	for _, test := range []struct {
		products []string
		want     int64
	}{{nil, 1}, {[]string{"statements"}, 1}, {[]string{"statements", "records"}, 2}, {[]string{"articles"}, 2}} {
		w := newWorld(t, seedlist.Options{})
		w.serve("/dcat.ttl", "text/turtle", `<#d> <http://www.w3.org/ns/dcat#distribution> <#a>, <#b> .
			<#a> <http://www.w3.org/ns/dcat#downloadURL> <a.nt> . <#b> <http://www.w3.org/ns/dcat#downloadURL> <b.csv> .`)
		c := w.catalog("/dcat.ttl", seedlist.CatalogSettings{})
		fetcher := fetch.New(w.fetch)
		h := daemon.NewHarvester(w.seeds, fetcher, zerolog.Nop(), daemon.RunOptions{Settings: w.opt.Settings, Products: test.products})
		ended, err := h.HarvestNow(t.Context(), c.Hash, false)
		fetcher.Close()
		if err != nil || ended.New != test.want {
			t.Errorf("%v: %d new, want %d; %v", test.products, ended.New, test.want, err)
		}
	}
}

// What a catalog names on another host becomes a catalog only where that is asked for, and only so
// deep. It has the settings of the one that names it.
func TestCatalogsThatACatalogNamesAreFollowedIfAsked(t *testing.T) {
	for _, c := range []struct {
		name     string
		follow   daemon.FollowOptions
		catalogs int   // that are in the list in the end
		refused  int64 // by the last of them
	}{
		{"not asked for", daemon.FollowOptions{}, 1, 1},
		{"asked for", daemon.FollowOptions{Catalogs: true}, 2, 1},
		{"to depth 1", daemon.FollowOptions{Catalogs: true, Depth: 1}, 2, 1},
		{"to depth 2", daemon.FollowOptions{Catalogs: true, Depth: 2}, 3, 0},
		{"to any depth", daemon.FollowOptions{Catalogs: true, Depth: 9}, 3, 0},
		{"data alone", daemon.FollowOptions{DCAT: true, VoID: true, Depth: 9}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Follow = c.follow
			other := strings.Replace(w.uri(""), "127.0.0.1", "localhost", 1)
			w.serve("/first", "text/turtle", "<> <http://www.w3.org/ns/dcat#catalog> <"+other+"/second> .")
			w.serve("/second", "text/turtle", "<> <http://www.w3.org/ns/dcat#catalog> <"+w.uri("/third")+"> .")
			w.serve("/third", "text/turtle", "<> <http://rdfs.org/ns/void#dataDump> <a.nt> .")
			w.serve("/a.nt", "application/n-triples", triple)
			first := w.catalog("/first", seedlist.CatalogSettings{Interval: 3600, Priority: 5, Kind: "dcat"})
			w.run()
			w.sound()
			all, _, err := w.seeds.Catalogs(t.Context(), "", 0)
			if err != nil || len(all) != c.catalogs {
				t.Fatalf("%d catalogs, %v\n%s", len(all), err, w.log.String())
			}
			last := all[len(all)-1]
			if last.Refused["another-catalog"] != c.refused || last.Depth != c.catalogs-1 || last.Priority != 5 || last.Interval != 3600 {
				t.Errorf("%+v", last)
			}
			if c.catalogs > 1 && (all[1].Source != "catalog:"+first.Hash || all[1].Kind != "") {
				t.Errorf("%+v", all[1])
			}
		})
	}
}
