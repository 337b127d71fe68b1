package catalog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist/catalog"
)

// portal is a CKAN that searches as it should, except for what is said here.
type portal struct {
	packages int
	page     int            // the most that it gives at once
	count    func() any     // nil: what there is; a count of nil is absent
	empty    map[int]bool   // starts whose pages hold nothing
	stuck    bool           // it ignores the start
	broken   map[int]string // replies by start, in place of the true one
	under    string         // the path of the portal
	one      func(i int) string
}

var errMissing = fault.New("test", fault.Refused, fault.HTTPStatus, "404 Not Found")

func (p *portal) fetch(_ context.Context, uri string) (catalog.Document, io.Closer, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return catalog.Document{}, nil, err
	}
	if u.Path != p.under+"/api/3/action/package_search" {
		return catalog.Document{}, nil, errMissing
	}
	start, _ := strconv.Atoi(u.Query().Get("start"))
	rows, _ := strconv.Atoi(u.Query().Get("rows"))
	if p.stuck {
		start = 0
	}
	text, ok := p.broken[start]
	if !ok {
		var results []string
		for i := start; i < min(p.packages, start+min(p.page, rows)) && !p.empty[start]; i++ {
			one := fmt.Sprintf(`{"name":"p%d","title":"Package %d","resources":[{"url":"http://h.example/%d.nt","format":"NT"}]}`, i, i, i)
			if p.one != nil {
				one = p.one(i)
			}
			results = append(results, one)
		}
		var count any = p.packages
		if p.count != nil {
			count = p.count()
		}
		said := ""
		if count != nil {
			said = fmt.Sprintf(`"count":%v,`, count)
		}
		text = fmt.Sprintf(`{"success":true,"result":{%s"results":[%s]}}`, said, strings.Join(results, ","))
	}
	return catalog.Document{URI: uri, ContentType: "application/json", Text: strings.NewReader(text)}, io.NopCloser(nil), nil
}

// pages is a site whose pages are made when they are asked for.
type pages func(uri string) (contentType, body string, ok bool)

func (p pages) fetch(_ context.Context, uri string) (catalog.Document, io.Closer, error) {
	contentType, body, ok := p(uri)
	if !ok {
		return catalog.Document{}, nil, errMissing
	}
	return catalog.Document{URI: uri, ContentType: contentType, Text: strings.NewReader(body)}, io.NopCloser(nil), nil
}

// single is a site of one page.
func single(contentType, body string) pages {
	return func(uri string) (string, string, bool) {
		return contentType, body, uri == "http://h.example/catalog"
	}
}

// hydra is a series of pages in Turtle; each names what entries says, and leads to the next.
func hydra(entries func(page int) []int) pages {
	return func(uri string) (string, string, bool) {
		_, number, _ := strings.Cut(uri, "page=")
		n, _ := strconv.Atoi(number)
		text := "@prefix dcat: <http://www.w3.org/ns/dcat#> .\n@prefix hydra: <http://www.w3.org/ns/hydra/core#> .\n"
		for _, i := range entries(n) {
			text += fmt.Sprintf("<#d%d> a dcat:Distribution ; dcat:downloadURL <http://h.example/%d.nt> .\n", i, i)
		}
		return "text/turtle", text + fmt.Sprintf("<> hydra:next <http://h.example/catalog?page=%d> .\n", n+1), true
	}
}

func upTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}

const (
	search = "http://h.example/api/3/action/package_search?rows=10&start=0"
	at     = "http://h.example/catalog"
	sound  = `{"name":"a","resources":[{"url":"http://h.example/0.nt","format":"NT"}]},{"name":"b","resources":[{"url":"http://h.example/1.nt","format":"NT"}]}`
)

// reply is a search in JSON that has something between its two packages.
func reply(between, behind string) string {
	return strings.Replace(`{"success":true,"result":{"count":2,"results":[`+sound+`]}}`, "]},{", "]}"+between+",{", 1) + behind
}

// oddCatalog is a catalog that is not as it should be, and what becomes of it.
type oddCatalog struct {
	of, what string
	uri      string
	fetch    catalog.Fetch
	kind     catalog.Kind
	want     int // documents: N stands for http://h.example/0.nt to N-1, unless named holds others
	named    []string
	complete bool
	told     []catalog.Reason
	fails    fault.Code
}

func counts(values ...any) func() any {
	i := -1
	return func() any { i = min(i+1, len(values)-1); return values[i] }
}

var oddCatalogs = []oddCatalog{
	{of: "CKAN", what: "a count that is right", uri: search, fetch: (&portal{packages: 25, page: 10}).fetch, want: 25, complete: true},
	{of: "CKAN", what: "a count below what there is", uri: search, fetch: (&portal{packages: 25, page: 10, count: counts(10)}).fetch,
		want: 25, complete: true},
	{of: "CKAN", what: "a count of the page, and not of all", uri: search,
		fetch: (&portal{packages: 25, page: 10, count: counts(10, 10, 5)}).fetch, want: 25, complete: true},
	{of: "CKAN", what: "a count above what there is", uri: search, fetch: (&portal{packages: 25, page: 10, count: counts(40)}).fetch,
		want: 25, told: []catalog.Reason{catalog.Incomplete}},
	{of: "CKAN", what: "no count", uri: search, fetch: (&portal{packages: 25, page: 10, count: counts(nil)}).fetch, want: 25,
		complete: true},
	{of: "CKAN", what: "a count that isn't a number", uri: search, fetch: (&portal{packages: 25, page: 10, count: counts(`"many"`)}).fetch,
		want: 25, complete: true},
	{of: "CKAN", what: "fewer at once than was asked for", uri: strings.Replace(search, "rows=10", "rows=1000", 1),
		fetch: (&portal{packages: 25, page: 7}).fetch, want: 25, complete: true},
	{of: "CKAN", what: "fewer at once, and a count of the page", uri: strings.Replace(search, "rows=10", "rows=1000", 1),
		fetch: (&portal{packages: 25, page: 10, count: counts(10)}).fetch, want: 25, complete: true},
	{of: "CKAN", what: "an empty page in between", uri: search,
		fetch: (&portal{packages: 25, page: 10, empty: map[int]bool{10: true}}).fetch, want: 15,
		named: []string{"0-9", "20-24"}, told: []catalog.Reason{catalog.Incomplete}},
	{of: "CKAN", what: "an empty first page", uri: search, fetch: (&portal{packages: 25, page: 10, empty: map[int]bool{0: true}}).fetch,
		want:  15,
		named: []string{"10-24"}, told: []catalog.Reason{catalog.Incomplete}},
	{of: "CKAN", what: "empty pages only", uri: search, fetch: (&portal{packages: 500, page: 10, empty: everyTen()}).fetch,
		told: []catalog.Reason{catalog.Repeated}},
	{of: "CKAN", what: "the start of a page ignored", uri: search, fetch: (&portal{packages: 25, page: 10, stuck: true}).fetch, want: 10,
		told: []catalog.Reason{catalog.Repeated}},
	{of: "CKAN", what: "the start ignored, and no count", uri: search,
		fetch: (&portal{packages: 25, page: 10, stuck: true, count: counts(nil)}).fetch, want: 10,
		told: []catalog.Reason{catalog.Repeated}},
	{of: "CKAN", what: "the start ignored where one page holds all", uri: search,
		fetch: (&portal{packages: 8, page: 10, stuck: true}).fetch, want: 8, complete: true},
	{of: "CKAN", what: "`success: false`", uri: search,
		fetch: (&portal{broken: map[int]string{0: `{"success":false,"error":{"message":"Access denied"}}`}}).fetch,
		fails: fault.CatalogReply},
	{of: "CKAN", what: "`success: \"false\"` beside a result", uri: search,
		fetch: (&portal{broken: map[int]string{0: `{"success":"false","result":{}}`}}).fetch, fails: fault.CatalogReply},
	{of: "CKAN", what: "`error` as a text", uri: search,
		fetch: (&portal{broken: map[int]string{0: `{"success":false,"error":"down"}`}}).fetch, fails: fault.CatalogReply},
	{of: "CKAN", what: "`success: false` for a further page", uri: search,
		fetch: (&portal{packages: 25, page: 10, broken: map[int]string{10: `{"success":false}`}}).fetch, want: 10,
		told: []catalog.Reason{catalog.Damaged}},
	{of: "CKAN", what: "a resource that is null, a number, a list", uri: search, kind: catalog.CKAN,
		fetch: (&portal{packages: 3, page: 10, one: func(i int) string {
			return fmt.Sprintf(`{"name":"p%d","resources":[%s,{"url":"http://h.example/%d.nt","format":"NT"}]}`, i,
				[]string{"null", "7", "[]"}[i], i)
		}}).fetch, want: 3, told: []catalog.Reason{catalog.Damaged}},
	{of: "CKAN", what: "a resource that is but its URL; resources that are one object; an organization that is a text", uri: search,
		fetch: (&portal{packages: 3, page: 10, one: func(i int) string {
			resource := fmt.Sprintf(`{"url":"http://h.example/%d.nt","format":"NT"}`, i)
			return []string{`{"name":"p","resources":["http://h.example/0.nt"]}`, `{"name":"p","resources":` + resource + `}`,
				`{"name":"p","organization":"o","resources":[` + resource + `]}`}[i]
		}}).fetch, want: 3, complete: true},
	{of: "CKAN", what: "a portal below a path", uri: "http://h.example/sub/", kind: catalog.CKAN,
		fetch: (&portal{packages: 3, page: 10, under: "/sub"}).fetch, want: 3, complete: true},
	{of: "CKAN", what: "a portal below a path, without its last slash", uri: "http://h.example/a/b?x=1", kind: catalog.CKAN,
		fetch: (&portal{packages: 3, page: 10, under: "/a/b"}).fetch, want: 3, complete: true},

	{of: "JSON", what: "a raw tab in a text", uri: at, fetch: single("application/json", strings.Replace(reply("", ""), `"a"`, "\"a\tb\"",
		1)).fetch, want: 2, complete: true, told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "a raw line end in a text", uri: at,
		fetch: single("application/json", strings.Replace(reply("", ""), `"a"`, "\"a\nb\"", 1)).fetch, want: 2, complete: true,
		told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "a comma after the last item", uri: at,
		fetch: single("application/json", strings.Replace(reply("", ""), `}]}}`, `},]}}`, 1)).fetch, want: 2, complete: true,
		told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "a comma after the last member", uri: at,
		fetch: single("application/json", strings.Replace(reply("", ""), `"NT"}`, `"NT",}`, 1)).fetch, want: 2, complete: true,
		told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "two commas", uri: at, fetch: single("application/json", reply(",", "")).fetch, want: 2, complete: true,
		told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "a comment", uri: at, fetch: single("application/json", reply(" /* here */ ", "")).fetch, want: 2, complete: true,
		told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "apostrophes for quotation marks", uri: at,
		fetch: single("application/json", strings.ReplaceAll(reply("", ""), `"`, `'`)).fetch, want: 2, complete: true,
		told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "a number that JSON has not", uri: at,
		fetch: single("application/json", strings.Replace(reply("", ""), `"format"`, `"size":NaN,"format"`, 1)).fetch, want: 2,
		complete: true, told: []catalog.Reason{catalog.Mended}},
	{of: "JSON", what: "an escape that JSON has not", uri: at,
		fetch: single("application/json", strings.Replace(reply("", ""), `"a"`, `"C:\data"`, 1)).fetch, want: 2,
		told: []catalog.Reason{catalog.Damaged}},
	{of: "JSON", what: "the text cut off", uri: at, fetch: single("application/json", reply("", "")[:len(reply("", ""))-5]).fetch, want: 2,
		told: []catalog.Reason{catalog.Damaged}},
	{of: "JSON", what: "a raw tab in a list of datasets read by their keys", uri: at, fetch: single("application/json",
		"{\"@context\":\"https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld\",\"dataset\":[{\"title\":\"a\tb\",\"distribution\":[{\"downloadURL\":\"http://h.example/0.nt\",\"format\":\"NT\"}]}]}").fetch,
		want: 1, complete: true, told: []catalog.Reason{catalog.Mended}},

	{of: "pages", what: "Hydra with the same entries for ever", uri: at, fetch: hydra(func(int) []int { return upTo(3) }).fetch, want: 3,
		told: []catalog.Reason{catalog.Repeated}},
	{of: "pages", what: "Hydra with the same entries in turn for ever", uri: at,
		fetch: hydra(func(n int) []int { return []int{n % 2} }).fetch, want: 2, told: []catalog.Reason{catalog.Repeated}},
	{of: "pages", what: "Hydra with empty pages for ever", uri: at, fetch: hydra(func(n int) []int { return upTo(max(0, 2-n)) }).fetch,
		want: 2, told: []catalog.Reason{catalog.Repeated}},
	{of: "pages", what: "a feed whose `next` has the same entries", uri: at, fetch: pages(func(uri string) (string, string, bool) {
		_, number, _ := strings.Cut(uri, "p=")
		n, _ := strconv.Atoi(number)
		return "application/atom+xml",
			fmt.Sprintf(`<feed xmlns="http://www.w3.org/2005/Atom"><link rel="next" href="http://h.example/catalog?p=%d"/><entry><link rel="enclosure" href="http://h.example/0.nt"/></entry></feed>`,
				n+1), true
	}).fetch, want: 1, told: []catalog.Reason{catalog.Repeated}},
	{of: "pages", what: "a bucket whose token leads to the same page", uri: at, fetch: pages(func(uri string) (string, string, bool) {
		return "application/xml",
			fmt.Sprintf(`<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>%dx</NextContinuationToken><Contents><Key>0.nt</Key></Contents></ListBucketResult>`,
				len(uri)), true
	}).fetch, want: 1, named: []string{"http://h.example/catalog/0.nt"}, told: []catalog.Reason{catalog.Repeated}},

	{of: "sitemap", what: "`<loc>` without `<url>`", uri: at,
		fetch: single("text/xml", `<urlset><loc>http://h.example/0.nt</loc><loc>http://h.example/1.nt</loc></urlset>`).fetch, want: 2,
		complete: true},
	{of: "sitemap", what: "`<loc>` with and without `<url>`", uri: at,
		fetch: single("text/xml", `<urlset><url><loc>http://h.example/0.nt</loc></url><loc>http://h.example/1.nt</loc></urlset>`).fetch,
		want:  2, complete: true},
	{of: "sitemap", what: "two `<loc>` in one `<url>`", uri: at,
		fetch: single("text/xml",
			`<urlset><url><loc>http://h.example/0.nt</loc><loc>http://h.example/1.nt</loc><lastmod>2020-01-01</lastmod></url></urlset>`).fetch,
		want: 2, complete: true},
	{of: "sitemap", what: "a `<url>` without `<loc>`", uri: at,
		fetch: single("text/xml", `<urlset><url><loc>http://h.example/0.nt</loc></url><url><lastmod>2020</lastmod></url></urlset>`).fetch,
		want:  1, complete: true, told: []catalog.Reason{catalog.NoURI}},
	{of: "sitemap", what: "an index with `<loc>` alone", uri: at, fetch: pages(func(uri string) (string, string, bool) {
		if uri == at {
			return "text/xml", `<sitemapindex><loc>http://h.example/s.xml</loc></sitemapindex>`, true
		}
		return "text/xml", `<urlset><loc>http://h.example/0.nt</loc></urlset>`, uri == "http://h.example/s.xml"
	}).fetch, want: 1, complete: true},

	{of: "bucket", what: "keys with a plus, a space, a percent sign", uri: at, fetch: single("application/xml",
		`<ListBucketResult><Contents><Key>a+b.nt</Key></Contents><Contents><Key>a b.nt</Key></Contents><Contents><Key>50%.nt</Key></Contents></ListBucketResult>`).fetch,
		want:     3,
		named:    []string{"http://h.example/catalog/a%2Bb.nt", "http://h.example/catalog/a%20b.nt", "http://h.example/catalog/50%25.nt"},
		complete: true},
	{of: "bucket", what: "keys that are written for a URI", uri: at, fetch: single("application/xml",
		`<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>a%2Bb+c.nt</Key></Contents></ListBucketResult>`).fetch, want: 1,
		named: []string{"http://h.example/catalog/a%2Bb%20c.nt"}, complete: true},

	{of: "list", what: "CR alone ends lines", uri: at, fetch: single("text/plain", "http://h.example/0.nt\rhttp://h.example/1.nt\r").fetch,
		want: 2, complete: true},
	{of: "list", what: "CR, LF and CRLF by turns", uri: at,
		fetch: single("text/plain", "http://h.example/0.nt\r\n\rhttp://h.example/1.nt\nhttp://h.example/2.nt").fetch, want: 3,
		complete: true},
	{of: "list", what: "a table whose rows end in CR alone", uri: at,
		fetch: single("text/csv", "uri,title\rhttp://h.example/0.nt,a\rhttp://h.example/1.nt,b").fetch, want: 2, complete: true},

	{of: "DCAT", what: "`adms:sample` beside a distribution", uri: at,
		fetch: single("text/turtle", `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix adms: <http://www.w3.org/ns/adms#> .
<#d> a dcat:Dataset ; dcat:distribution <#x> ; adms:sample <#s> .
<#x> dcat:downloadURL <http://h.example/0.nt> . <#s> a dcat:Distribution ; dcat:downloadURL <http://h.example/sample.nt> .`).fetch, want: 1,
		complete: true, told: []catalog.Reason{catalog.Example}},
	{of: "DCAT", what: "`adms:sample` of a document", uri: at,
		fetch: single("text/turtle", `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix adms: <http://www.w3.org/ns/adms#> .
<#d> a dcat:Dataset ; dcat:distribution [ dcat:downloadURL <http://h.example/0.nt> ] ; adms:sample <http://h.example/sample.nt> .`).fetch,
		want: 1, complete: true, told: []catalog.Reason{catalog.Example}},
}

func everyTen() map[int]bool {
	all := map[int]bool{}
	for i := 0; i < 1000; i += 10 {
		all[i] = true
	}
	return all
}

// expanded are the documents that a case names, in order.
func (c *oddCatalog) expanded() (all []string) {
	if c.named == nil {
		c.named = []string{fmt.Sprintf("0-%d", c.want-1)}
	}
	for _, name := range c.named {
		first, last, ok := strings.Cut(name, "-")
		from, err := strconv.Atoi(first)
		if !ok || err != nil {
			all = append(all, name)
			continue
		}
		for to, _ := strconv.Atoi(last); from <= to; from++ {
			all = append(all, fmt.Sprintf("http://h.example/%d.nt", from))
		}
	}
	return all
}

// Catalogs that are not as they should be give what came. What may not have come is reported,
// and then nothing may be called gone.
func TestOddCatalogsAreReadByWhatCame(t *testing.T) {
	var table bytes.Buffer
	fmt.Fprintf(&table, "| of | what comes | documents | complete | reported |\n|---|---|--:|---|---|\n")
	for _, c := range oddCatalogs {
		t.Run(c.of+"/"+c.what, func(t *testing.T) {
			var out tally
			result, err := catalog.Harvest(context.Background(), c.uri, catalog.Options{Kind: c.kind}, c.fetch, &out)
			if fault.CodeOf(err) != c.fails {
				t.Fatalf("the harvest ended with %v, want %q", err, c.fails)
			}
			var got []string
			for _, e := range out.entries {
				if !slices.Contains(got, e.URI) {
					got = append(got, e.URI)
				}
			}
			if want := c.expanded(); !slices.Equal(got, want) {
				t.Errorf("it gives %v, want %v; refused %v", got, want, out.refused)
			}
			told := slices.Sorted(maps.Keys(result.Refused))
			slices.Sort(c.told)
			if c.fails == "" && (result.Complete != c.complete || !slices.Equal(told, c.told)) {
				t.Errorf("complete: %v, told %v; want %v, %v; %v", result.Complete, told, c.complete, c.told, out.refused)
			}
		})
		complete, told := "no", ""
		if c.complete {
			complete = "yes"
		}
		for _, reason := range c.told {
			told += ", `" + string(reason) + "`"
		}
		if c.fails != "" {
			told = ", the harvest fails: `" + string(c.fails) + "`"
		}
		fmt.Fprintf(&table, "| %s | %s | %d | %s | %s |\n", c.of, strings.ReplaceAll(c.what, "|", `\|`), c.want, complete,
			strings.TrimPrefix(told, ", "))
	}
	holdTable(t, "../../docs/catalogs.md", "odd catalogs", table.String())
}

// holdTable compares a table of a page with what the test found, or writes it there.
func holdTable(t *testing.T, page, name, table string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := []byte("<!-- "+name+": begin -->\n\n"), []byte("\n<!-- "+name+": end -->")
	before, rest, found := bytes.Cut(text, begin)
	old, after, closed := bytes.Cut(rest, end)
	switch {
	case !found || !closed:
		t.Fatalf("%s has no place for the table of %s", page, name)
	case string(old) == table:
	case *update:
		all := slices.Concat(before, begin, []byte(table), end, after)
		if err := os.WriteFile(page, all, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s in %s is of another day; write it with -update", name, page)
	}
}

// A portal may have, give at once and count any number of packages, and leave any page empty. A
// harvest is called complete only if it has all packages.
func TestCompleteMeansThatNothingIsMissing(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 8))
	complete := 0
	for i := range 200 {
		p := &portal{packages: random.IntN(60), page: 1 + random.IntN(12), empty: map[int]bool{}}
		switch random.IntN(4) {
		case 0:
			p.count = counts(nil)
		case 1:
			p.count = counts(random.IntN(80))
		}
		if random.IntN(3) == 0 && p.count == nil {
			p.empty[p.page*random.IntN(6)] = true
		}
		p.stuck = random.IntN(6) == 0 && p.count == nil
		var out tally
		result, err := catalog.Harvest(context.Background(), search, catalog.Options{}, p.fetch, &out)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, e := range out.entries {
			got[e.URI] = true
		}
		if result.Complete {
			complete++
		}
		if result.Complete && len(got) != p.packages {
			t.Errorf("%d: %d of %d packages, and complete: %+v", i, len(got), p.packages, p)
		}
		if len(p.empty) == 0 && !p.stuck && len(got) != p.packages {
			t.Errorf("%d: %d of %d packages: %+v", i, len(got), p.packages, p)
		}
		if result.Pages > 80 {
			t.Errorf("%d: %d pages asked for", i, result.Pages)
		}
	}
	if complete < 50 {
		t.Errorf("only %d of 200 harvests are complete", complete)
	}
}

// A fault in the JSON of a catalog costs no entry that is outside of it.
func TestBrokenJSONCostsNoSoundEntry(t *testing.T) {
	random := rand.New(rand.NewPCG(28, 9))
	hurts := []struct {
		old, new string
		loses    bool // an entry may go with it
	}{
		{`"title":"`, "\"title\":\"\t", false}, {`"title":"`, "\"title\":\"\n", false}, {`"title":"`, "\"title\":\"\x01", false},
		{`"},{"name"`, `"},,{"name"`, false}, {`}]}`, `},]}`, false}, {`"NT"}`, `"NT",}`, false}, {`{"name"`, `{/* c */"name"`, false},
		{`"format":`, `format:`, false}, {`"NT"`, `'NT'`, false}, {`"NT"`, `NaN`, false}, {`"NT"`, `True`, false},
		{`"title":"`, `"title":"\q`, true}, {`"title":"`, `"title":`, true}, {`"format":"NT"`, `"format":"NT`, true},
	}
	for i := range 200 {
		hurt := hurts[i%len(hurts)]
		n := 3 + random.IntN(6)
		var all []string
		for j := range n {
			all = append(all,
				fmt.Sprintf(`{"name":"p%d","title":"Package %d","resources":[{"url":"http://h.example/%d.nt","format":"NT"}]}`, j, j, j))
		}
		broken := random.IntN(n)
		one := strings.Replace(all[broken], hurt.old, hurt.new, 1)
		if one == all[broken] {
			continue // the fault does not fit in a package
		}
		all[broken] = one
		text := fmt.Sprintf(`{"success":true,"result":{"count":%d,"results":[%s]}}`, n, strings.Join(all, ","))
		var out tally
		s := site{at: {contentType: "application/json", body: []byte(text)}}
		result, err := catalog.Harvest(context.Background(), at, catalog.Options{}, s.fetch, &out)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := map[string]bool{}
		for _, e := range out.entries {
			got[e.URI] = true
		}
		missing := 0
		for j := range n {
			if !got[fmt.Sprintf("http://h.example/%d.nt", j)] && (!hurt.loses || j < broken) {
				missing++
			}
		}
		lost := n - len(got)
		if missing > 0 || lost > 2 || lost > 0 && result.Complete || len(out.refused) == 0 {
			t.Errorf("%q for %q: %d of %d entries, complete: %v, %v", hurt.new, hurt.old, len(got), n, result.Complete, out.refused)
		}
	}
}

// An error of our own ends a harvest: what it found of other catalogs is not to be lost in silence.
func TestCatalogThatCannotBeKeptEndsTheHarvest(t *testing.T) {
	s := site{at: {contentType: "text/turtle", body: []byte("<> <http://www.w3.org/ns/dcat#dataset> <http://other.example/d> .")}}
	full := errors.New("disk full")
	_, err := catalog.Harvest(context.Background(), at, catalog.Options{}, s.fetch, &refusing{err: full})
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

type refusing struct {
	tally
	err error
}

func (r *refusing) Catalog(string) (bool, error) { return false, r.err }
