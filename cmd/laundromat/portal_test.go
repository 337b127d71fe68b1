package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/seedlist/seedfile"
	"laundromat/states/kind"
	"laundromat/storage"
)

// portal is a data portal with files of every kind, and a catalog of them as CKAN has it. With the second version
// some of the files are others, and a page to log in takes the place of some.
type portal struct {
	*httptest.Server
	version atomic.Int32
	files   [2]map[string]portalFile
	pages   [2]map[string]portalFile // which no catalog names
	recipes map[string]string        // their files, by their names
}

type portalFile struct{ media, body string }

const loginPage = `<!DOCTYPE html><html lang="en"><title>Log in</title><body><h1>Log in</h1><form action="/login">` +
	`<p>Your name: <input name=n></p>` +
	`<p>Please log in with the name and the password of your account to see this file of the portal.</p></form></body></html>`

func newPortal(t *testing.T) *portal {
	t.Helper()
	p := &portal{}
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(p.answer))
	p.URL = "http://" + p.Listener.Addr().String()
	t.Cleanup(p.Close)
	p.files[0] = portalFiles(t, p.URL, 0)
	p.files[1] = portalFiles(t, p.URL, 1)
	p.pages = [2]map[string]portalFile{calendarFiles(0), calendarFiles(1)}
	p.recipes = portalRecipeFiles(t)
	for _, name := range []string{"people.xlsx", "list.json", "page.html", "data.ttl", "feed.rss", "late.csv"} {
		p.files[1][name] = portalFile{"text/html", loginPage}
	}
	p.URL = "" // Start refuses to name another
	p.Start()
	return p
}

func (p *portal) answer(w http.ResponseWriter, r *http.Request) {
	time.Sleep(5 * time.Millisecond)
	all := p.files[p.version.Load()]
	if r.URL.Path == "/api/3/action/package_search" {
		var packages []string
		names := append(slices.Sorted(maps.Keys(all)), "calendar/1.html")
		if r.URL.Query().Get("start") == "" || r.URL.Query().Get("start") == "0" {
			for i, name := range names {
				packages = append(packages, fmt.Sprintf(`{"name":"p%d","title":"Package %d","resources":[{"url":"%s/%s"}]}`, i, i,
					p.URL, name))
			}
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"success":true,"result":{"count":%d,"results":[%s]}}`, len(names), strings.Join(packages, ","))
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	file, ok := all[name]
	if !ok {
		file, ok = p.pages[p.version.Load()][name]
	}
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", file.media)
	io.WriteString(w, file.body)
}

// portalFiles are the files of a version.
func portalFiles(t *testing.T, base string, version int) map[string]portalFile {
	t.Helper()
	var rows strings.Builder
	for i := range 400 {
		fmt.Fprintf(&rows, "%d,Name %d,%d.5\n", i, i, i*(version+1))
	}
	people := "id,name,size\n1,Ada,3\n2,\"Bob, Jr\",4\n3,Zo\xEB,\n" + fmt.Sprintf("4,New,%d\n", version)
	page := func(title string) string {
		return `<!DOCTYPE html><html lang="en"><head><title>` + title + `</title>` +
			`<script type="application/ld+json">{"@context":"http://schema.org/","@type":"Dataset","@id":"http://e.example/` + title +
			`","name":"` + title + `"}</script></head><body><h1>` + title + `</h1><p>This page has a paragraph of text that says what ` +
			title + ` is about, in some words, <a href="/people.csv">with a link</a>.</p><table><caption>` + title + `</caption>` +
			`<tr><th>id</th><th>name</th></tr><tr><td>1</td><td>A` + fmt.Sprint(version) + `</td></tr></table></body></html>`
	}
	sheet := func(name string) string {
		return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
			`<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c><c r="B1" t="inlineStr"><is><t>` + name + `</t></is></c></row>` +
			`<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2.5</v></c></row></sheetData></worksheet>`
	}
	const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relation := func(id, kind, target string) string {
		return `<Relationship Id="` + id + `" Type="` + office + `/` + kind + `" Target="` + target + `"/>`
	}
	relations := func(all ...string) string {
		return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + strings.Join(all, "") +
			`</Relationships>`
	}
	book := portalZip(t, "xl/workbook.xml",
		`<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="`+office+`"><sheets>`+
			`<sheet name="One" sheetId="1" r:id="r1"/><sheet name="Two" sheetId="2" r:id="r2"/></sheets></workbook>`,
		"xl/one.xml", sheet("one"), "xl/two.xml", sheet("two"),
		"xl/_rels/workbook.xml.rels", relations(relation("r1", "worksheet", "one.xml"), relation("r2", "worksheet", "two.xml")),
		"_rels/.rels", relations(relation("r1", "officeDocument", "xl/workbook.xml")),
		"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, book)
	w.Close()
	var dump strings.Builder
	for i := range 3 {
		body := base64.StdEncoding.EncodeToString([]byte(page(fmt.Sprint("crawled", i))))
		fmt.Fprintf(&dump, "http://crawl.example/%d.html\t%s\n", i, body)
	}
	entry := func(n int) string {
		return fmt.Sprintf(`<item><title>Entry %d of %d</title><link>%s/entry/%d</link>`+
			`<description>The text of an entry.</description></item>`, n, version, base, n)
	}
	return map[string]portalFile{
		"people.csv":     {"text/csv", people},
		"late.csv":       {"text/csv", "a;b\n1;2\n"},
		"rows.csv":       {"text/csv; charset=utf-8", "id,name,value\n" + rows.String()},
		"ragged.csv":     {"text/csv", "a,b,c\n1,2,3\n1,2\n1,2,3,4\n\"open,2,3\n"},
		"tabs.tsv":       {"text/tab-separated-values", "id\tname\n1\tA\n2\tB\n"},
		"people.xlsx":    {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", book},
		"packed.xlsx.gz": {"application/gzip", packed.String()},
		"list.json":      {"application/json", fmt.Sprintf(`[{"a":1,"b":"x"},{"a":%d,"b":"y"}]`, version)},
		"lines.jsonl":    {"application/x-ndjson", "{\"a\":1}\n{\"a\":}\n{\"a\":3}\n"},
		"places.geojson": {"application/geo+json",
			`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"n":1},"geometry":null}]}`},
		"tables.zip": {"application/zip", portalZip(t, "a.csv", people, "in/b.csv", "x,y\n1,2\n", "c.nt",
			"<http://e.example/z> <http://e.example/p> \"z\" .\n", "book.xlsx", book)},
		"feed.rss": {"application/rss+xml", `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>` +
			`<link>` + base + `/</link>` +
			entry(1) + entry(2) + `</channel></rss>`},
		"feed.atom": {"application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>A</title>` +
			`<id>urn:a</id><content>Words of an entry.</content></entry></feed>`},
		"page.html":  {"text/html", page("portal")},
		"same.html":  {"text/html; charset=utf-8", page("same")},
		"empty.html": {"text/html", "<!DOCTYPE html><title>Nothing</title>"},
		"crawl.txt":  {"text/plain", dump.String()},
		"data.ttl":   {"text/turtle", "@prefix e: <http://e.example/> .\ne:a e:p \"1\" , [ e:q 2 ] .\ne:a no:prefix 1 .\n"},
		"dirty.nt":   {"application/n-triples", "<http://e.example/a b> <http://e.example/p> \"x\"@EN .\nnonsense\n"},
		"data.rdf": {"application/rdf+xml", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ` +
			`xmlns:e="http://e.example/"><rdf:Description rdf:about="http://e.example/r"><e:p>r</e:p></rdf:Description></rdf:RDF>`},
		"prose.txt":       {"text/plain", "Some prose of a text file.\n\nA second paragraph of it.\n"},
		"measures.dat":    {"application/octet-stream", "id;ort\n1;Z\xFCrich\n" + fmt.Sprintf("2;Ort %d\n", version)},
		"conf.yaml":       {"application/yaml", "- a: 1\n- a: 2\n"},
		"books.xml":       {"application/xml", `<books><book><title>T</title></book><book><title>U</title></book></books>`},
		"leaflet.pdf":     {"application/pdf", "%PDF-1.7\n1 0 obj\n"},
		"noheader.csv":    {"text/csv", "1,2\n3,4\n5,6\n"},
		"readme.notready": {"application/octet-stream", "\x00\x01\x02\x03"},
	}
}

func portalZip(t *testing.T, pairs ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(pairs); i += 2 {
		entry, err := w.Create(pairs[i])
		if err == nil {
			_, err = io.WriteString(entry, pairs[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// serving is a run of the daemon that washes the portal, and puts the records of its recipes into a database.
func (p *portal) serving(data, into string, more ...string) []string {
	args := serving(data, "--until-idle", "--catalog", p.URL+"/api/3/action/package_search", "--products",
		strings.Join(kind.Products(), ","), "--keep-versions", "2", "--tries", "2", "--retry-delay", "10ms", "--records-into", into)
	for _, name := range slices.Sorted(maps.Keys(p.recipes)) {
		args = append(args, "--recipe", p.recipes[name])
	}
	return append(args, more...)
}

// again is a second version of the portal: what is there now is fetched again.
func (p *portal) again(t *testing.T, data string, run func()) {
	t.Helper()
	p.version.Store(1)
	defer p.version.Store(0)
	output(t, "seed", "retry", "--force", "--state", "parsed", "--data", data)
	output(t, "seed", "retry", "--force", "--state", "depleted", "--data", data)
	run()
}

// productsIn is what a data folder holds: of each record what was made, and each file that it names. Every file of
// the store must be named, and every file that is named must be there.
func productsIn(t *testing.T, data string) map[string]string {
	t.Helper()
	store, err := storage.OpenFilesToRead(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all, named := map[string]string{}, map[string]bool{}
	for _, seed := range seedsOf(t, data) {
		name := seedlist.Shown(seed.URI)
		if name == "" {
			name = seed.Hash
		}
		var made []string
		for _, p := range seed.Products {
			one := fmt.Sprintf("%s %s none=%v good=%d", p.Name, p.SHA256, p.None, p.Good)
			if p.Error != nil {
				one += " " + string(p.Error.Code)
			}
			made = append(made, one)
		}
		failure := ""
		if seed.Error != nil {
			failure = string(seed.Error.Code)
		}
		sums, err := json.Marshal([]any{seed.Statements, seed.Records, seed.Articles, seed.Notices, seed.Text})
		if err != nil {
			t.Fatal(err)
		}
		all["record "+name] = strings.Join([]string{string(seed.Status), seed.Format, failure, strings.Join(made, ", "), seed.Clean,
			fmt.Sprint(len(seed.History)), string(sums)}, " ")
		sumsAddUp(t, name, &seed)
		for n := range seedfile.All(&seed) {
			if n.Suffix == files.Index || n.Suffix == files.Statistics {
				continue // small files have none
			}
			blob, err := store.Open(n.Key, n.Suffix)
			if err != nil {
				t.Errorf("%s names %s%s, which is not there: %v", name, n.Key, n.Suffix, err)
				continue
			}
			text, err := io.ReadAll(files.Sequential(blob))
			blob.Close()
			if err != nil {
				t.Fatal(err)
			}
			named[n.Key+string(n.Suffix)] = true
			sum := sha256.Sum256(text)
			all[fmt.Sprintf("file %s %s %s %d", name, n.Suffix, n.Product, n.Version)] = hex.EncodeToString(sum[:])
		}
	}
	err = store.Walk(t.Context(), func(key string, suffix files.Suffix, _ int64) error {
		// In a bucket, a worker of another machine may be about to name a file: gc leaves it for a day.
		isWaiting := store.Fenced() && strings.Contains(key, "/")
		if suffix != files.Index && suffix != files.Statistics && !isWaiting && !named[key+string(suffix)] {
			t.Errorf("no record names %s%s", key, suffix)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sumsAddUp holds the sums of each product against DESIGN's accounting.
func sumsAddUp(t *testing.T, name string, seed *seedlist.Seed) {
	t.Helper()
	if n := seed.Statements; n != nil && (n.Read != n.Kept+n.Repaired+n.Dropped || n.Written != n.Kept+n.Repaired-n.Duplicates) {
		t.Errorf("%s: statements %+v", name, n)
	}
	if n := seed.Records; n != nil && (n.Read != n.Kept+n.Repaired+n.Dropped || n.Written != n.Kept+n.Repaired) {
		t.Errorf("%s: records %+v", name, n)
	}
	if p := seed.Product(kind.Records); p != nil && p.Written != nil && p.Good == 0 && *p.Written != seed.Records.Written {
		t.Errorf("%s: %d records are in the file, and %d were written", name, *p.Written, seed.Records.Written)
	}
	if n, p := seed.Articles, seed.Product(kind.Articles); n != nil && p != nil && p.Written != nil && p.Good == 0 &&
		(*p.Written != n.Kept || n.Read < n.Kept+n.Empty) {
		t.Errorf("%s: articles %+v, %d in the file", name, n, *p.Written)
	}
}

// TestAPortalIsWashedWholeWhateverIsKilled washes the portal with all products while the daemon is killed, on the
// embedded store and on PostgreSQL with a bucket. What is there in the end is what an undisturbed run leaves.
// LAUNDROMAT_KILLS=20 kills it twenty times.
func TestAPortalIsWashedWholeWhateverIsKilled(t *testing.T) {
	takesLong(t)
	p := newPortal(t)
	alone, into := filepath.Join(t.TempDir(), "data"), "sqlite:"+filepath.Join(t.TempDir(), "undisturbed.db")
	names := []string{"calendar", "rows", "measures"}
	parts := append(names, "calendar_details")
	start := time.Now()
	output(t, p.serving(alone, into)...)
	whole := time.Since(start)
	first, firstRows := productsIn(t, alone), tablesIn(t, into, nil, parts...)
	productsAreThoseOfTheCommands(t, p, alone)
	recipesAreRefusedAndMake(t, p, alone)
	joinedAre(t, into, alone)
	if failed := p.URL + "/calendar/event-8.html|http/status|1|0|0|0"; !strings.Contains(firstRows["log"], failed) {
		t.Errorf("the log has no %q:\n%s", failed, firstRows["log"])
	}
	p.again(t, alone, func() { output(t, p.serving(alone, into)...) })
	second, secondRows := productsIn(t, alone), tablesIn(t, into, nil, parts...)
	loginPagesTakeNothing(t, p, alone, first, second)
	wantSound(t, alone)
	t.Logf("undisturbed: %v, %d and %d records and files", whole.Round(time.Millisecond), len(first), len(second))

	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	disturbed := func(t *testing.T, n int, data, into string, server *pgtest.Server, more ...string) {
		hit := 0
		temp := t.TempDir()
		run := func() {
			for range n {
				moment := time.Duration(random.Int64N(int64(whole / 3))) // later most of the work is done
				if killAt(t, temp, moment, p.serving(data, into, more...)...) {
					hit++
				}
			}
			output(t, p.serving(data, into, more...)...)
			output(t, "gc", "--older", "0s", "--data", data) // a kill leaves files that no record came to name
		}
		run()
		if got := productsIn(t, data); !maps.Equal(got, first) {
			t.Fatalf("the end differs from that of an undisturbed run:\n%s", differences(got, first))
		}
		if got := tablesIn(t, into, server, parts...); !maps.Equal(got, firstRows) {
			t.Fatalf("the rows differ from those of an undisturbed run:\n%s", differences(got, firstRows))
		}
		p.again(t, data, run)
		if got := productsIn(t, data); !maps.Equal(got, second) {
			t.Fatalf("the end of the second version differs from that of an undisturbed run:\n%s", differences(got, second))
		}
		if got := tablesIn(t, into, server, parts...); !maps.Equal(got, secondRows) {
			t.Fatalf("the rows of the second version differ from those of an undisturbed run:\n%s", differences(got, secondRows))
		}
		wantSound(t, data)
		t.Logf("%d kills came before the end of the work", hit)
	}
	each := (kills(t) + 1) / 2 // of the two versions
	t.Run("embedded", func(t *testing.T) {
		disturbed(t, each, filepath.Join(t.TempDir(), "data"), "sqlite:"+filepath.Join(t.TempDir(), "killed.db"), nil)
	})
	t.Run("PostgreSQL and a bucket", func(t *testing.T) {
		address := database(t).Address
		store := blobtest.Server(t, "laundry")
		server := database(t)
		if os.Getenv("LAUNDROMAT_KILLS") == "" {
			each = 1 // what a killed process held is free after a minute
		}
		disturbed(t, each, filepath.Join(t.TempDir(), "data"), server.Address, server, "--store", address, "--blobs",
			"s3://laundry?endpoint="+store.Endpoint)
	})
}

// wantSound verifies a data folder. In a bucket, kills may have left files that gc removes after a day.
func wantSound(t *testing.T, data string) {
	t.Helper()
	want := " 0 damaged or missing, 0 files that no record names"
	store, err := storage.OpenFilesToRead(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if store.Fenced() {
		want = " 0 damaged or missing"
	}
	if text := output(t, "verify", "--data", data); !strings.Contains(text, want) {
		t.Errorf("verify: %s", text)
	}
}

// productsAreThoseOfTheCommands compares each product of the daemon with what the command makes of the same
// document.
func productsAreThoseOfTheCommands(t *testing.T, p *portal, data string) {
	t.Helper()
	network := []string{"--allow-private", "-q"}
	byRecipe := func(seed *seedlist.Seed) map[string][]string {
		if seed.PageOf() != "" {
			return nil // the page before it says how it is read
		}
		test := []string{"recipe", "test", p.recipes[seed.Recipe.Name]}
		return map[string][]string{kind.Statements: append(test, "--as", "nq"), kind.Records: test}
	}
	compared := map[string]int{}
	for _, seed := range seedsOf(t, data) {
		if seed.URI == "" || seed.Status != seedlist.Parsed {
			continue
		}
		commands := map[string][]string{
			kind.Statements: {"wash", "--base", seed.URI},
			kind.Records:    {"records", "--as", "jsonl"},
			kind.Articles:   {"text", "--as", "jsonl"},
		}
		if seed.Recipe != nil {
			commands = byRecipe(&seed)
		}
		for product, command := range commands {
			is := seed.Product(product)
			if is == nil || is.SHA256 == "" {
				continue
			}
			get := []string{"get", seed.URI, "--data", data}
			if product != kind.Statements {
				get = append(get, "--"+product)
			}
			command := process(t, t.TempDir(), append(append(command, network...), seed.URI)...)
			want, err := command.Output()
			if code := exitCodeOf(t, err); code != exitOK && code != exitDropped {
				t.Errorf("%s of %s: exit %d", product, seed.URI, code)
			}
			if got := output(t, get...); withoutAdded(t, product, got) != withoutAdded(t, product, string(want)) {
				t.Errorf("%s of %s: the daemon made\n%s\nthe command\n%s", product, seed.URI, got, want)
			}
			compared[product]++
		}
	}
	t.Logf("compared: %v", compared)
	if compared[kind.Statements] < 5 || compared[kind.Records] < 12 || compared[kind.Articles] < 4 {
		t.Errorf("only so many products were compared: %v", compared)
	}
}

// withoutAdded leaves out of articles when they were read.
func withoutAdded(t *testing.T, product, text string) string {
	t.Helper()
	if product != kind.Articles {
		return text
	}
	var lines []string
	for _, article := range decodeLines[map[string]any](t, text) {
		delete(article, "added")
		line, err := json.Marshal(article)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n")
}

// loginPagesTakeNothing holds that what was served of a document is served when a page to log in came in its place.
func loginPagesTakeNothing(t *testing.T, p *portal, data string, first, second map[string]string) {
	t.Helper()
	for name, file := range p.files[1] {
		if file.body != loginPage {
			continue
		}
		begin := "file " + p.URL + "/" + name + " "
		for key, sum := range first {
			isProduct := strings.Contains(key, string(files.Records)) || strings.Contains(key, string(files.Articles)) ||
				strings.Contains(key, string(files.Clean))
			if strings.HasPrefix(key, begin) && isProduct && second[key] != sum {
				t.Errorf("%s: a page to log in took it away", key)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(data, "blobs")); err != nil {
		t.Fatal(err)
	}
}
