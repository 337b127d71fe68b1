package pages_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/recordset"
)

// product brings a seed through its stages, whose wash made one product of lines, and returns the address of its
// page.
func (s *site) product(uri, format, name, lines, schema string) string {
	s.t.Helper()
	ctx := s.t.Context()
	if _, err := s.seeds.Add(ctx, []seedlist.NewSeed{{URI: uri, Source: "test"}}); err != nil {
		s.t.Fatal(err)
	}
	s.washed(seedlist.Key(uri), format, name, lines, schema)
	return "/seeds/" + seedlist.Key(uri)
}

// washed brings a seed that is ready through its stages.
func (s *site) washed(hash, format, name, lines, schema string) {
	s.t.Helper()
	ctx := s.t.Context()
	for _, stage := range seedlist.Stages() {
		claims, err := s.seeds.Claim(ctx, stage, "test", 1)
		if err != nil || len(claims) != 1 {
			s.t.Fatal(claims, err)
		}
		outcome := seedlist.Outcome{Next: stage.Next()[0], Update: func(r *seedlist.Record) {
			r.Format, r.Content = format, &digest.Content{NumberOfBytes: int64(len(dirtyTable)), SHA256: "0", MD5: sumOf(lines)[:32]}
			r.Encoding = &seedlist.Encoding{Chosen: "utf-8"}
		}}
		if stage == seedlist.Parsing {
			suffix, key := files.Records, files.Key(hash, claims[0].Fence)
			if name == seedlist.ProductArticles {
				suffix = files.Articles
			}
			bytes, written := int64(len(lines)), int64(strings.Count(lines, "\n"))
			p := seedlist.Product{Name: name, Fence: claims[0].Fence}
			if lines == "" {
				p.None = true
			} else {
				s.put(key, suffix, lines)
				p.SHA256, p.Bytes, p.Written = sumOf(lines), &bytes, &written
			}
			if schema != "" {
				s.put(key, files.Schema, schema)
				p.Schema = sumOf(schema)
			}
			outcome.Products = []seedlist.Product{p}
			outcome.Update = func(r *seedlist.Record) {
				r.Records = &digest.Records{Read: written + 1, Kept: written, Dropped: 1, Written: written}
			}
		}
		s.must(s.seeds.Complete(ctx, claims[0], outcome))
	}
}

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s *site) put(key string, suffix files.Suffix, text string) {
	s.t.Helper()
	p, err := s.files.Create()
	s.must(err)
	if suffix == files.Schema {
		io.WriteString(p, text)
	} else {
		z := gzip.NewWriter(p)
		io.WriteString(z, text)
		z.Close()
	}
	s.must(p.Seal(key, suffix))
	s.must(s.files.Commit(s.t.Context(), p))
}

// dirtyTable is the document of every product here.
const dirtyTable = "name,age\nAnn,41\nBob,\n"

// textOfTable and placesOfTable are what is known of its bytes.
func textOfTable(context.Context, seedlist.Seed) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader(dirtyTable)), nil
}

func placesOfTable(_ context.Context, _ seedlist.Seed, from, to, _ int64) (all [][]recordset.Placed, err error) {
	for n := from; n <= to; n++ {
		all = append(all, []recordset.Placed{{Field: "name", Pos: fault.Pos{Line: n + 1, Column: 1}}})
	}
	return all, nil
}

const personSchema = `{"fields":[{"name":"name","type":"string"},{"name":"age","type":"integer"}],"missingValues":[""]}`

// says fails the test unless a page has all these texts.
func (s *site) says(path string, wants ...string) *html.Node {
	s.t.Helper()
	root := s.page(path)
	text := textOf(root)
	for _, want := range wants {
		if !strings.Contains(text, want) {
			s.t.Errorf("%s says nothing of %q:\n%s", path, want, text)
		}
	}
	return root
}

// links are the addresses that links of a class lead to; "" for all.
func links(root *html.Node, class string) (all []string) {
	each(root, func(n *html.Node) {
		if n.Data == "a" && (class == "" || hasClass(n, class)) {
			all = append(all, attribute(n, "href"))
		}
	})
	return all
}

// values are the cells of a table of records, each with its field.
func values(root *html.Node) (all []string) {
	each(root, func(table *html.Node) {
		if table.Data != "table" || !hasClass(table, "values") {
			return
		}
		each(table, func(n *html.Node) {
			if n.Data == "td" {
				all = append(all, attribute(n, "data-name")+"="+textOf(n))
			}
		})
	})
	return all
}

func TestTheTableOfADocumentLeadsToItsBytes(t *testing.T) {
	s := newSite(t)
	at := s.product("http://example.org/people.csv", "CSV", "records", `{"name":"Ann","age":"41","_line":2}`+"\n"+
		`{"name":"Bob","age":"","_line":3}`+"\n", personSchema)
	root := s.says(at, "3 rows read: 2 kept, 0 repaired, 1 dropped", "Ann", "Bob", "integer", "50 %", "2 rows")
	cells := links(root, "value")
	if len(cells) != 4 || cells[2] != at+"/cell?field=name&row=2" {
		t.Fatalf("the cells lead to %q", cells)
	}
	reply := s.ask(cells[2])
	to := reply.Header().Get("Location")
	if reply.Code != 303 || to != at+"/text?column=1&line=3#L3" {
		t.Fatalf("%d %s", reply.Code, to)
	}
	found := ""
	each(s.page(strings.TrimSuffix(to, "#L3")), func(n *html.Node) {
		if n.Data == "mark" {
			found += textOf(n)
		}
	})
	if found != "Bob" {
		t.Errorf("marked is %q", found)
	}
	// Where only the place of the row is known, it is that.
	if to := s.ask(cells[3]).Header().Get("Location"); to != at+"/text?line=3#L3" {
		t.Errorf("the cell leads to %s", to)
	}
	s.says(at+"/records?from=2", "Rows 2 to 2 of 2", "Bob")
	s.says(at+"/records?from=3", "No rows")
	s.says(at+"/text?offset=9", "Ann")
	for path, want := range map[string]string{
		"/records?from=0": "from is a number from 1", "/records?table=none": "no table is named none",
		"/cell?row=9&field=name": "fewer records",
		"/text?offset=-1":        "offset is a number from 0", "/article": "no articles",
		"/articles": "no articles", "/records?rows=3": "there is no",
	} {
		reply := s.ask(at + path)
		if text := textOf(parsed(t, reply.Body.Bytes())); reply.Code/100 != 4 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, reply.Code, text)
		}
	}
}

func TestSeveralTablesAreShownByName(t *testing.T) {
	s := newSite(t)
	var lines strings.Builder
	for i := range 12 {
		fmt.Fprintf(&lines, "{\"a\":\"first %d\",\"_table\":\"one\"}\n", i)
		fmt.Fprintf(&lines, "{\"b\":\"second %d\",\"_table\":\"two & three\"}\n", i)
	}
	at := s.product("http://example.org/tables.html", "HTML", "records", lines.String(), "")
	root := s.says(at, "first 9", "two & three", "All rows and columns")
	if shown := values(root); len(shown) != 10 || shown[9] != "a=first 9" {
		t.Errorf("the beginning of the first table is %q", shown)
	}
	chips := links(root, "chip")
	if len(chips) != 2 || chips[1] != at+"/records?table=two+%26+three" {
		t.Fatalf("the tables are at %q", chips)
	}
	if shown := values(s.says(chips[1], "Rows 1 to 12 of two & three")); len(shown) != 12 || shown[11] != "b=second 11" {
		t.Errorf("the rows of the second table are %q", shown)
	}
}

func TestAWideTableIsShownInParts(t *testing.T) {
	s := newSite(t)
	var line strings.Builder
	for i := 1; i <= 25; i++ {
		fmt.Fprintf(&line, ",\"c%d\":\"v%d\"", i, i)
	}
	at := s.product("http://example.org/wide.csv", "CSV", "records", strings.Repeat("{"+line.String()[1:]+"}\n", 60), "")
	seen := map[string]bool{}
	for next := at + "/records"; next != ""; {
		root := s.page(next)
		for _, shown := range values(root) {
			seen[shown] = true
		}
		next = ""
		each(root, func(n *html.Node) {
			if n.Data == "a" && textOf(n) == "Columns after" {
				next = attribute(n, "href")
			}
		})
	}
	if len(seen) != 25 || !seen["c25=v25"] {
		t.Errorf("the pages show %d columns of 25: %v", len(seen), seen)
	}
}

func TestAProductThatIsNotThereIsSaidWhy(t *testing.T) {
	s := newSite(t)
	s.says(s.product("http://example.org/page.html", "HTML", "records", "", ""), "Not made", "no records: the document holds none")
	at := s.product("http://example.org/gone.csv", "CSV", "records", `{"a":"1"}`+"\n", "")
	seed, err := s.seeds.Seed(t.Context(), strings.TrimPrefix(at, "/seeds/"))
	s.must(err)
	s.must(s.files.Remove(files.Key(seed.Hash, seed.Product("records").Fence), files.Records))
	s.says(at, "Not made", "records: the file is not there")
}

// article is a line of a stored file.
const article = `{"id":"i","url":"http://example.org/a","created":"2026-01-02","created_from":"feed","title":"A \u0026 B",` +
	`"text":"Menu\n\nHe said “yes, here” to all. Bad.\n\nx\ty\nz\tw","attributes":{"blocks":[` +
	`[0,4,"navigation",{"part":"navigation","bytes":[0,4]}],[6,38,"paragraph",{"part":"main","bytes":[9,13]}],` +
	`[40,41,"table-cell",{"part":"main","bytes":[20,21]}],[42,43,"table-cell",{"part":"main","bytes":[20,21]}],` +
	`[44,45,"table-cell",{"part":"main","bytes":[20,21]}],[46,47,"table-cell",{"part":"main","bytes":[20,21]}]],` +
	`"links":[[20,24,"http://example.org/here"],[34,37,"javascript:alert(1)"],[-1,-1,"http://example.org/t"]],` +
	`"quotes":[[15,24,"yes, here"]]},"metadata":{"languages":[["en",1]],"kind":"article","author":{"value":"Ann","from":"meta"}}}` + "\n"

func TestAnArticleIsShownWithItsLinksAndQuotations(t *testing.T) {
	s := newSite(t)
	at := s.product("http://example.org/a.html", "HTML", "articles", article, "")
	for _, path := range []string{at, at + "/article?number=1"} {
		root := s.says(path, "A & B", "He said “yes, here” to all. Bad.", "Menu", "Ann", "2026-01-02")
		quoted, led, rows := "", "", 0
		each(root, func(n *html.Node) {
			switch {
			case n.Data == "mark":
				quoted += textOf(n) + "|"
			case n.Data == "a" && strings.HasPrefix(attribute(n, "href"), "http"):
				led += textOf(n) + " to " + attribute(n, "href") + "; "
				if rel := attribute(n, "rel"); !strings.Contains(rel, "noopener") || !strings.Contains(rel, "noreferrer") {
					t.Errorf("a link of others has the relation %q", rel)
				}
			case hasClass(n, "link"):
				led += textOf(n) + " at " + attribute(n, "title") + "; "
			case hasClass(n, "of-row"):
				rows++
			}
		})
		if quoted != "yes, |here|" || led != "here to http://example.org/here; Bad at javascript:alert(1); " || rows != 2 {
			t.Errorf("%s: quotations %s, links %s, rows of a table %d", path, quoted, led, rows)
		}
		if places := links(root, "place"); len(places) != 4 || places[1] != at[:len("/seeds/")+32]+"/text?offset=9#here" {
			t.Errorf("the blocks lead to %q", places)
		}
	}
}

func TestAFeedIsAListOfItsArticles(t *testing.T) {
	s := newSite(t)
	var lines strings.Builder
	for i := 1; i <= 60; i++ {
		fmt.Fprintf(&lines, `{"id":"%d","title":"Entry %d","text":"text of %02d","attributes":{"blocks":[[0,10,"paragraph",{"bytes":[0,9]}]],`+
			`"links":[],"quotes":[]},"metadata":{}}`+"\n", i, i, i)
	}
	at := s.product("http://example.org/news.rss", "RSS", "articles", lines.String(), "")
	root := s.says(at, "Entry 1", "Entry 10", "text of 10", "All articles")
	if strings.Contains(textOf(root), "Entry 11") {
		t.Error("the page shows more than the first articles")
	}
	s.says(at+"/articles", "Entry 50", "Articles after")
	s.says(at+"/articles?from=51", "Entry 60", "Articles before")
	s.says(at+"/article?number=60", "Entry 60", "text of 60", "Article before")
	if reply := s.ask(at + "/article?number=61"); reply.Code != 404 {
		t.Errorf("%d", reply.Code)
	}
}

// TestProductsOfOthersAreInert has each hostile text in the names of fields and tables, in values, titles, texts and
// links.
func TestProductsOfOthersAreInert(t *testing.T) {
	s := newSite(t)
	for i, text := range hostile {
		quoted, _ := json.Marshal(text)
		link, _ := json.Marshal("https://example.org/" + text)
		record := fmt.Sprintf(`{%s:%s,"n":1,"_line":2,"_table":%s}`+"\n"+`{"n":2,"_table":"two"}`+"\n", quoted, quoted, quoted)
		at := s.product(fmt.Sprintf("http://example.org/%d.csv", i), "CSV", "records", record, "")
		all := []string{at, at + "/records"}
		n := len([]rune(strings.ToValidUTF8(text, "\uFFFD")))
		line := fmt.Sprintf(`{"id":"i","url":%s,"title":%s,"created":%s,"text":%s,"attributes":{"blocks":[[0,%d,"paragraph",{"part":%s,`+
			`"bytes":[0,1]}]],"links":[[0,1,%s],[1,%d,%s]],"quotes":[[0,2,"x"]]},"metadata":{"kind":%s,"author":{"value":%s,"from":"meta"}}}`+"\n",
			link, quoted, quoted, quoted, n, quoted, quoted, n, link, quoted, quoted)
		page := s.product(fmt.Sprintf("http://example.org/%d.html", i), "HTML", "articles", line, "")
		feed := s.product(fmt.Sprintf("http://example.org/%d.rss", i), "RSS", "articles", line+line, "")
		all = append(all, page, page+"/article", feed, feed+"/articles")
		for _, path := range append(all, links(s.page(at), "value")...) {
			reply := s.ask(path)
			if reply.Code == 303 {
				continue
			}
			if reply.Code != 200 {
				t.Errorf("%q: %s: %d %s", text, path, reply.Code, reply.Body)
			}
			each(parsed(t, reply.Body.Bytes()), func(n *html.Node) { ours(t, path, n) })
		}
	}
}

// ours fails the test if an element can't be one of a template.
func ours(t *testing.T, path string, n *html.Node) {
	t.Helper()
	switch n.Data {
	case "img", "iframe", "style", "b", "object", "embed", "base":
		t.Errorf("%s has an element %s", path, n.Data)
	case "script", "link":
		isForPrograms := attribute(n, "type") == "application/ld+json" && n.Data == "script" || attribute(n, "rel") == "alternate"
		if at := attribute(n, "src") + attribute(n, "href"); !isForPrograms && !strings.HasPrefix(at, "/static/") {
			t.Errorf("%s loads %q", path, at)
		}
	}
	for _, a := range n.Attr {
		lower := strings.ToLower(strings.TrimSpace(a.Val))
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "href" && strings.HasPrefix(lower, "javascript:") {
			t.Errorf("%s has an attribute %s=%q", path, a.Key, a.Val)
		}
	}
}
