package daemon_test

import (
	"encoding/binary"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	unicode16 "unicode/utf16"

	"github.com/rs/zerolog"

	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// servedCatalog is a catalog on a server of this machine, and what a harvest comes to. In its texts
// HOST means the server.
type servedCatalog struct {
	name, contentType, body string
	pages                   func(query func(string) int) string // in place of the body
	path                    string                              // "" for /catalog
	kind                    string
	listed                  int64
	complete                bool
	told                    map[string]int64
	fails                   string
}

func utf16Text(text string, order binary.AppendByteOrder, mark bool) string {
	var out []byte
	if mark {
		out = order.AppendUint16(out, 0xFEFF)
	}
	for _, unit := range unicode16.Encode([]rune(text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// packages are those of a search from one on, to another.
func packages(from, to int) string {
	var all []string
	for i := from; i < to; i++ {
		all = append(all, fmt.Sprintf(`{"name":"p%d","resources":[{"url":"http://HOST/%d.nt","format":"NT"}]}`, i, i))
	}
	return strings.Join(all, ",")
}

func searchReply(count, results string) string {
	return `{"success":true,"result":{` + count + `"results":[` + results + `]}}`
}

// searchOf answers a search of 25 packages, ten a page.
func searchOf(count string, empty int) func(query func(string) int) string {
	return func(query func(string) int) string {
		from := query("start")
		if from == empty {
			return searchReply(count, "")
		}
		return searchReply(count, packages(min(from, 25), min(from+10, 25)))
	}
}

const turtleHead = "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix adms: <http://www.w3.org/ns/adms#> . @prefix hydra: <http://www.w3.org/ns/hydra/core#> .\n"

func hydraPage(entries string) func(query func(string) int) string {
	return func(query func(string) int) string {
		return turtleHead + strings.ReplaceAll(entries, "PAGE", strconv.Itoa(query("page"))) +
			fmt.Sprintf("<> hydra:next <http://HOST/catalog?page=%d> .\n", query("page")+1)
	}
}

var (
	ckanPath = "/api/3/action/package_search"
	twoLines = "http://HOST/0.nt\nhttp://HOST/1.nt\n"
	noted    = func(reason string, n int64) map[string]int64 { return map[string]int64{reason: n} }
)

var servedCatalogs = []servedCatalog{
	{name: "CKAN: a count that is right", path: ckanPath, pages: searchOf(`"count":25,`, -1), listed: 25, complete: true},
	{name: "CKAN: no count", path: ckanPath, pages: searchOf("", -1), listed: 25, complete: true},
	{name: "CKAN: a count that is null", path: ckanPath, pages: searchOf(`"count":null,`, -1), listed: 25, complete: true},
	{name: "CKAN: a count of the page", path: ckanPath, pages: searchOf(`"count":10,`, -1), listed: 25, complete: true},
	{name: "CKAN: a count too high", path: ckanPath, pages: searchOf(`"count":26,`, -1), listed: 25, told: noted("incomplete", 1)},
	{name: "CKAN: an empty page in between", path: ckanPath, pages: searchOf(`"count":25,`, 10), listed: 15, told: noted("incomplete", 1)},
	{name: "CKAN: below a path", path: "/sub" + ckanPath, kind: "ckan", pages: searchOf(`"count":25,`, -1), listed: 25, complete: true},
	{name: "CKAN: no success", path: ckanPath, contentType: "application/json", body: `{"success":false,"error":{"message":"no"}}`,
		fails: "catalog/error-reply"},
	{name: "CKAN: one odd resource", path: ckanPath, pages: func(query func(string) int) string {
		return searchReply(`"count":1,`, strings.Repeat(`{"name":"p","resources":[7,{"url":"http://HOST/0.nt","format":"NT"}]}`,
			max(0, 1-query("start"))))
	}, listed: 1, told: noted("damaged", 1)},

	{name: "JSON: a raw tab", contentType: "application/json", body: strings.Replace(searchReply(`"count":2,`, packages(0, 2)), "p0",
		"p\t0", 1), listed: 2, complete: true, told: noted("mended", 1)},
	{name: "JSON: a raw line end", contentType: "application/json", body: strings.Replace(searchReply(`"count":2,`, packages(0, 2)), "p0",
		"p\n0", 1), listed: 2, complete: true, told: noted("mended", 1)},
	{name: "JSON: a comma at the end", contentType: "application/json", body: searchReply(`"count":2,`, packages(0, 2)+","), listed: 2,
		complete: true, told: noted("mended", 1)},
	{name: "JSON: a comment", contentType: "application/json", body: searchReply("/* two */", packages(0, 2)), listed: 2, complete: true,
		told: noted("mended", 1)},
	{name: "JSON: names without quotation marks", contentType: "application/json", body: strings.Replace(searchReply("", packages(0, 2)),
		`"name"`, `name`, 1), listed: 2, complete: true, told: noted("mended", 1)},
	{name: "JSON: cut off", contentType: "application/json", body: strings.TrimSuffix(searchReply("", packages(0, 2)), "]}}"), listed: 2,
		told: noted("damaged", 1)},

	{name: "pages: the same entries for ever", pages: hydraPage("<#d> dcat:downloadURL <0.nt> .\n"), listed: 1, told: noted("repeated", 3)},
	{name: "pages: other names for the same", pages: hydraPage("<#dPAGE> dcat:downloadURL <0.nt> .\n"), listed: 1,
		told: noted("repeated", 3)},
	{name: "pages: nothing on any", pages: hydraPage(""), told: noted("repeated", 1), fails: "catalog/empty"},
	{name: "pages: a start that is ignored", path: ckanPath,
		pages: func(func(string) int) string { return searchReply(`"count":99,`, packages(0, 10)) }, listed: 10,
		told: noted("repeated", 3)},
	{name: "pages: a start that is ignored, and no count", path: ckanPath,
		pages: func(func(string) int) string { return searchReply("", packages(0, 10)) }, listed: 10, told: noted("repeated", 3)},

	{name: "sitemap: loc without url", contentType: "text/xml",
		body: "<urlset><loc>http://HOST/0.nt</loc><loc>http://HOST/1.nt</loc></urlset>", listed: 2, complete: true},
	{name: "sitemap: two loc in one url", contentType: "text/xml",
		body: "<urlset><url><loc>http://HOST/0.nt</loc><loc>http://HOST/1.nt</loc></url></urlset>", listed: 2, complete: true},
	{name: "bucket: a plus in a key", contentType: "application/xml",
		body: "<ListBucketResult><Contents><Key>a+b.nt</Key></Contents></ListBucketResult>", listed: 1, complete: true},
	{name: "list: UTF-16LE with its mark", contentType: "text/plain", body: utf16Text("http://e.example/0.nt\nhttp://e.example/1.nt\n",
		binary.LittleEndian, true), listed: 2, complete: true},
	{name: "list: UTF-16BE with its mark", contentType: "text/plain", body: utf16Text("http://e.example/0.nt\r\nhttp://e.example/1.nt\r\n",
		binary.BigEndian, true), listed: 2, complete: true},
	{name: "list: UTF-16LE", contentType: "text/plain", body: utf16Text("http://e.example/0.nt\nhttp://e.example/1.nt\n",
		binary.LittleEndian, false), listed: 2, complete: true},
	{name: "list: UTF-16LE with CR alone", contentType: "text/plain", body: utf16Text("http://e.example/0.nt\rhttp://e.example/1.nt\r",
		binary.LittleEndian, true), listed: 2, complete: true},
	{name: "list: CR alone", contentType: "text/plain", body: strings.ReplaceAll(twoLines, "\n", "\r"), listed: 2, complete: true},

	{name: "sample: a distribution", contentType: "text/turtle", body: turtleHead +
		"<#d> dcat:distribution [ dcat:downloadURL <0.nt> ] ; adms:sample [ dcat:downloadURL <s.nt> ] .", listed: 1, complete: true,
		told: noted("example", 1)},
	{name: "sample: a document", contentType: "text/turtle", body: turtleHead +
		"<#d> dcat:distribution [ dcat:downloadURL <0.nt> ] ; adms:sample <s.nt> .", listed: 1, complete: true, told: noted("example", 1)},
	{name: "sample: with an access URL alone", contentType: "text/turtle", body: turtleHead +
		"<#d> dcat:distribution [ dcat:downloadURL <0.nt> ] ; adms:sample [ a dcat:Distribution ; dcat:accessURL <s.nt> ] .", listed: 1,
		complete: true, told: noted("example", 1)},
	{name: "sample: the distribution itself", contentType: "text/turtle", body: turtleHead +
		"<#d> dcat:distribution <#x> ; adms:sample <#x> . <#x> dcat:downloadURL <s.nt> .", complete: true, told: noted("example", 1)},
	{name: "sample: in RDF/XML", contentType: "application/rdf+xml",
		body: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcat="http://www.w3.org/ns/dcat#" xmlns:adms="http://www.w3.org/ns/adms#"><dcat:Dataset rdf:about="#d">` +
			`<dcat:distribution><dcat:Distribution><dcat:downloadURL rdf:resource="0.nt"/></dcat:Distribution></dcat:distribution><adms:sample><dcat:Distribution><dcat:downloadURL rdf:resource="s.nt"/></dcat:Distribution></adms:sample></dcat:Dataset></rdf:RDF>`,
		listed: 1, complete: true, told: noted("example", 1)},
}

// Catalogs that are not as they should be, over HTTP: what came becomes seeds, and what may not
// have come is reported.
func TestOddCatalogsAreHarvestedOverHTTP(t *testing.T) {
	for _, c := range servedCatalogs {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			host := strings.TrimPrefix(w.uri(""), "http://")
			path := c.path
			if path == "" {
				path = "/catalog"
			}
			w.mux.HandleFunc(path, func(reply http.ResponseWriter, r *http.Request) {
				text, contentType := c.body, c.contentType
				if c.pages != nil {
					text = c.pages(func(name string) int { n, _ := strconv.Atoi(r.URL.Query().Get(name)); return n })
					if contentType = "application/json"; path == "/catalog" {
						contentType = "text/turtle"
					}
				}
				reply.Header().Set("Content-Type", contentType)
				fmt.Fprint(reply, strings.ReplaceAll(text, "HOST", host))
			})
			start := path
			if c.kind != "" {
				start, _, _ = strings.Cut(path, "/api/")
			}
			catalog := w.catalog(start, seedlist.CatalogSettings{Kind: c.kind})
			w.opt.Harvest.Catalog.MaxPages = 50
			fetcher := fetch.New(w.fetch)
			defer fetcher.Close()
			harvester := daemon.NewHarvester(w.seeds, fetcher, zerolog.Nop(), daemon.RunOptions{Settings: w.opt.Settings,
				Harvest: w.opt.Harvest})
			claim, ok, err := w.seeds.ClaimCatalogOf(t.Context(), catalog.Hash, "test")
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			harvester.Harvest(t.Context(), t.Context(), claim) // what came of it is in the record
			got := w.harvested(catalog.Hash)
			if c.fails != "" {
				if got.Error == nil || string(got.Error.Code) != c.fails {
					t.Errorf("%+v", got)
				}
				return
			}
			if got.Error != nil || got.Listed != c.listed || got.Complete != c.complete {
				t.Errorf("%d listed, complete: %v; want %d, %v: %+v", got.Listed, got.Complete, c.listed, c.complete, got)
			}
			for reason, n := range c.told {
				if got.Refused[reason] != n {
					t.Errorf("told %v, want %v", got.Refused, c.told)
				}
			}
			if len(got.Refused) != len(c.told) {
				t.Errorf("told %v, want %v", got.Refused, c.told)
			}
		})
	}
}
