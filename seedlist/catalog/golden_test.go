package catalog_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

var update = flag.Bool("update", false, "write what catalogs give into testdata/golden")

// site is a small web: pages by URI.
type site map[string]catalogPage

type catalogPage struct {
	contentType string
	links       []string
	body        []byte
	err         error
}

func (s site) fetch(_ context.Context, uri string) (catalog.Document, io.Closer, error) {
	p, ok := s[uri]
	switch {
	case !ok:
		return catalog.Document{}, nil, fault.New("test", fault.Refused, fault.HTTPStatus, "404 Not Found")
	case p.err != nil:
		return catalog.Document{}, nil, p.err
	}
	return catalog.Document{URI: uri, ContentType: p.contentType, Links: p.links, Text: strings.NewReader(string(p.body))},
		io.NopCloser(nil), nil
}

// tally keeps what a harvest gives.
type tally struct {
	entries []catalog.Entry
	refused []catalog.Refusal
}

func (t *tally) Entry(e catalog.Entry) error  { t.entries = append(t.entries, e); return nil }
func (t *tally) Refused(r catalog.Refusal)    { t.refused = append(t.refused, r) }
func (t *tally) Catalog(string) (bool, error) { return false, nil }

func harvest(t testing.TB, s site, uri string, opt catalog.Options) (*tally, catalog.Result, error) {
	t.Helper()
	var out tally
	result, err := catalog.Harvest(context.Background(), uri, opt, s.fetch, &out)
	refused := map[catalog.Reason]int64{}
	for _, r := range out.refused {
		refused[r.Reason]++
	}
	if result.Refused[catalog.OverLimit] == 0 && !maps.Equal(refused, result.Refused) {
		t.Errorf("refused %v, counted %v", refused, result.Refused)
	}
	if int64(len(out.entries)) != result.Entries {
		t.Errorf("%d entries, counted %d", len(out.entries), result.Entries)
	}
	return &out, result, err
}

// line is an entry as a golden file has it.
func line(e catalog.Entry) string {
	text := e.URI + "\n    key=" + seedlist.Key(e.URI)
	if e.Title != "" {
		text += " title=" + e.Title
	}
	for _, name := range slices.Sorted(maps.Keys(e.Claims)) {
		text += " " + name + "=" + e.Claims[name]
	}
	return text
}

// shown is how many entries, and refusals of a reason, a golden file shows: the rest
// is held by a hash.
const shown = 8

func golden(t *testing.T, name string, out *tally, result catalog.Result, err error) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "kind: %s\npages: %d\ncomplete: %v\n", result.Kind, result.Pages, result.Complete)
	if err != nil {
		fmt.Fprintf(&b, "error: %s, %s: %v\n", fault.KindOf(err), fault.CodeOf(err), err)
	}
	hash := sha256.New()
	for _, e := range out.entries {
		fmt.Fprintln(hash, line(e))
	}
	fmt.Fprintf(&b, "entries: %d, SHA-256 of their lines %s\n", len(out.entries), hex.EncodeToString(hash.Sum(nil))[:16])
	for i, e := range out.entries {
		if i == shown {
			break
		}
		fmt.Fprintf(&b, "  %s\n", line(e))
	}
	byReason := map[catalog.Reason][]catalog.Refusal{}
	for _, r := range out.refused {
		byReason[r.Reason] = append(byReason[r.Reason], r)
	}
	for _, reason := range slices.Sorted(maps.Keys(byReason)) {
		fmt.Fprintf(&b, "refused, %s: %d\n", reason, result.Refused[reason])
		for i, r := range byReason[reason] {
			if i == 3 {
				break
			}
			fmt.Fprintf(&b, "  %q %s\n", r.URI, r.Message)
		}
	}
	file := filepath.Join("testdata", "golden", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, readErr := os.ReadFile(file)
	if readErr != nil {
		t.Fatal(readErr)
	}
	if b.String() != string(want) {
		t.Errorf("%s gives\n%s\nwant\n%s", name, b.String(), want)
	}
}

// Each real catalog, with its traps, gives the seeds, the claims and the refusals that
// are in its golden file.
func TestRealCatalogsGiveWhatTheyName(t *testing.T) {
	root := rdftest.Shared(t, "catalogs")
	for _, test := range []struct {
		file, uri, contentType string
		kind                   catalog.Kind
	}{
		{"ckan/action_error.json", "https://dati.example.org/api/3/action/package_list", "application/json", ""},
		{"ckan/package_list_suomi.json", "https://liityntakatalogi.suomi.fi/api/3/action/package_list", "application/json", ""},
		{"ckan/package_search_hdx.json", "https://data.humdata.org/api/3/action/package_search?rows=1", "application/json", ""},
		{"ckan/ckanext-dcat_full_ckan_dataset.json", "https://example.org/dataset.json", "application/json", ""},
		{"databus/databus_publish_template.jsonld", "https://databus.dbpedia.org/a.jsonld", "application/ld+json", ""},
		{"databus/databus_test_constructed-version.jsonld", "https://databus.dbpedia.org/b.jsonld", "application/ld+json", ""},
		{"databus/databus_test_version.jsonld", "https://databus.dbpedia.org/c.jsonld", "application/ld+json", ""},
		{"dcat/catalog.rdf", "https://data.some.org/catalog.rdf", "application/rdf+xml", ""},
		{"dcat/catalog_pod.jsonld", "http://www.agency.gov/data.json", "application/ld+json", ""},
		{"dcat/catalog_with_at_graph.jsonld", "https://example.org/catalog.jsonld", "application/ld+json", ""},
		{"dcat/dataset_deri.ttl", "http://data.london.gov.uk/d.ttl", "text/turtle", ""},
		{"dcat/dataset_gob_es.ttl", "https://datos.gob.es/d.ttl", "text/turtle", ""},
		{"dcat/dataset_gov_de.rdf", "https://www.opendata-hro.de/d.rdf", "application/rdf+xml", ""},
		{"dcat/dataset_sweden.rdf", "http://nobelprize.org/datasets/dcat", "application/rdf+xml", ""},
		{"void/worldbank.270a.info_void.ttl", "http://worldbank.270a.info/void.ttl", "text/turtle", ""},
		{"void/associations_void.ttl", "https://w3id.org/associations/void.ttl", "text/turtle", ""},
		{"void/JITA_void.ttl", "http://aims.fao.org/aos/jita/void.ttl", "text/turtle", ""},
		{"lodcloud/lod-data_15_records.json", "https://lod-cloud.net/lod-data.json", "application/json", ""},
		{"sitemap/sitemap.badns.xml", "http://www.example.com/sitemap.xml", "text/xml", ""},
		{"sitemap/sitemap.index.xml", "https://example.com/sitemap.xml", "text/xml", ""},
		{"sitemap/sitemap.ns.xml", "http://www.example.com/sitemap.xml", "text/xml", ""},
		{"sitemap/semantic_sitemap_bare_dataset.xml", "http://example.org/sitemap.xml", "text/xml", ""},
		{"sitemap/semantic_sitemap_urlset.xml", "http://example.org/sitemap.xml", "text/xml", ""},
		{"lov/vocabulary_list_shape.json", "https://lov.linkeddata.es/dataset/lov/api/v2/vocabulary/list", "application/json", ""},
		{"lov/vocabulary_info_shape.json", "https://lov.linkeddata.es/dataset/lov/api/v2/vocabulary/info?vocab=label", "application/json",
			""},
		{"lists/seeds.csv", "https://example.org/seeds.csv", "text/csv", ""},
		{"lists/squirrel_seeds_file1.csv", "https://example.org/seeds1.csv", "text/csv", ""},
		{"lists/squirrel_mCloudURIs_head30.txt", "https://example.org/mcloud.txt", "text/plain", ""},
		{"html/apache_index_pre.html", "https://example.org/pub/fedora/linux/releases/", "text/html", ""},
		{"html/apache_index_table.html", "https://example.org/lamaria/raw_data/training/", "text/html", ""},
		{"warc/two_records.warc", "https://example.org/two.warc", "application/warc", ""},
	} {
		t.Run(test.file, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join(root, test.file))
			if err != nil {
				t.Fatal(err)
			}
			s := site{test.uri: {contentType: test.contentType, body: body}}
			out, result, err := harvest(t, s, test.uri, catalog.Options{Kind: test.kind})
			golden(t, "real-"+strings.NewReplacer("/", "-", ".", "-").Replace(test.file), out, result, err)
		})
	}
}
