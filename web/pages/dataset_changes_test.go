package pages_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/seedlist"
)

// changed are the rows of a page of changes.
func changed(root *html.Node) (all []string) {
	each(root, func(n *html.Node) {
		if n.Data != "tbody" {
			return
		}
		each(n, func(row *html.Node) {
			if row.Data == "tr" {
				all = append(all, strings.Join(strings.Fields(textOf(row)), " "))
			}
		})
	})
	return all
}

// next has a seed washed once more.
func (s *site) next(at, format, name, lines, schema string) {
	s.t.Helper()
	hash := strings.TrimPrefix(at, "/seeds/")
	answers, err := s.seeds.Retry(s.t.Context(), "", hash)
	if err != nil || answers[0] != nil {
		s.t.Fatal(answers, err)
	}
	s.washed(hash, format, name, lines, schema)
}

// TestVersionsOfRecordsAreComparedByKey: the page of a dataset counts what was added, removed and changed, and leads to
// the records.
func TestVersionsOfRecordsAreComparedByKey(t *testing.T) {
	keyed := `{"fields":[{"name":"code"}],"primaryKey":"code"}`
	two := `{"fields":[{"name":"a"},{"name":"b"}],"primaryKey":["a","b"]}`
	long := strings.Repeat("long ", 60)
	for _, c := range []struct {
		name, before, after, schema, key string // key is that of the form
		counts                           string
		rows                             []string
	}{
		{"by id", `{"id":"1","n":"x","_line":2}|{"id":"2","n":"y","_line":3}|{"id":"3","n":"z","_line":4}`,
			`{"id":"1","n":"x","_line":2}|{"id":"3","n":"Z","_line":3}|{"id":"4","n":"w","_line":4}`, "", "",
			"1 added, 1 removed, 1 changed", []string{"changed 3 n: z → Z", `added 4 {"id":"4","n":"w"}`, `removed 2 {"id":"2","n":"y"}`}},
		{"places are no values",
			`{"id":"1","_line":2}`, `{"id":"1","_line":9}|{"id":"2","_line":2}`, "", "", "1 added, 0 removed, 0 changed",
			[]string{`added 2 {"id":"2"}`}},
		{"by the key of the schema", `{"code":"a","n":1}`, `{"code":"a","n":2}`, keyed, "", "0 added, 0 removed, 1 changed",
			[]string{"changed a n: 1 → 2"}},
		{"by a key of two fields", `{"a":1,"b":1,"c":1}|{"a":1,"b":2,"c":2}`, `{"a":1,"b":1,"c":1}|{"a":1,"b":2,"c":3}`, two, "",
			"0 added, 0 removed, 1 changed", []string{"changed 1, 2 c: 2 → 3"}},
		{"by a key that is asked for", `{"k":"a","n":1}`, `{"k":"a","n":2}`, "", "k", "0 added, 0 removed, 1 changed",
			[]string{"changed a n: 1 → 2"}},
		{"by spaces and commas", `{"k":"a","l":"b","n":1}`, `{"k":"a","l":"b","n":2}`, "", " k , l,", "0 added, 0 removed, 1 changed",
			[]string{"changed a, b n: 1 → 2"}},
		{"without a key", `{"n":1}`, `{"n":2}`, "", "", "1 added, 1 removed, 0 changed", []string{`added {"n":2}`, `removed {"n":1}`}},
		{"a key that comes twice",
			`{"id":1,"n":1}`, `{"id":1,"n":2}|{"id":1,"n":3}`, "", "", "2 added, 1 removed, 0 changed",
			[]string{`added 1 {"id":1,"n":2}`, `added 1 {"id":1,"n":3}`, `removed 1 {"id":1,"n":1}`}},
		{"a field that came and one that went", `{"id":1,"a":"x"}`, `{"id":1,"b":""}`, "", "", "0 added, 0 removed, 1 changed",
			[]string{"changed 1 b: absent → empty a: x → absent"}},
		{"null and a list", `{"id":1,"a":null,"b":[1]}`, `{"id":1,"a":"null","b":[1,2]}`, "", "", "0 added, 0 removed, 1 changed",
			[]string{"changed 1 a: null → null b: [1] → [1,2]"}},
		{"long texts are shown where they differ", `{"id":1,"a":"` + long + `old"}`, `{"id":1,"a":"` + long + `new"}`, "", "",
			"0 added, 0 removed, 1 changed", []string{"changed 1 a: …" + long[len(long)-33:] + "old → …" + long[len(long)-33:] + "new"}},
		{"the order", `{"id":1}|{"id":2}`, `{"id":2}|{"id":1}`, "", "", "the same", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			lines := func(text string) string { return strings.ReplaceAll(text, "|", "\n") + "\n" }
			at := s.product("http://example.org/a.csv", "CSV", "records", lines(c.before), c.schema)
			if root := s.page(at); strings.Contains(textOf(root), "since version") {
				t.Error("one version is compared with nothing")
			}
			s.next(at, "CSV", "records", lines(c.after), c.schema)
			to := at + "/changes?from=1&product=records&version=2"
			wants := []string{"records since version 1"}
			if c.key == "" {
				wants = append(wants, c.counts)
			} else {
				to += "&key=" + strings.ReplaceAll(c.key, " ", "+")
			}
			root := s.says(at, wants...)
			found := false
			for _, link := range links(root, "") {
				found = found || strings.HasPrefix(to, link) && strings.Contains(link, "changes")
			}
			if !found {
				t.Errorf("the page leads to %q", links(root, ""))
			}
			rows := changed(s.says(to, c.counts))
			if fmt.Sprint(rows) != fmt.Sprint(c.rows) {
				t.Errorf("%q\nwant %q", rows, c.rows)
			}
		})
	}
}

func TestChangesOfManyRecordsAreShownInPart(t *testing.T) {
	s := newSite(t)
	text := func(n int) (lines string) {
		for i := range n {
			lines += fmt.Sprintf("{\"id\":%d}\n", i)
		}
		return lines
	}
	at := s.product("http://example.org/a.csv", "CSV", "records", text(10), "")
	s.next(at, "CSV", "records", text(300), "")
	root := s.says(at+"/changes", "10 records in version 1, 300 in version 2: 290 added, 0 removed, 0 changed", "190 more are not shown",
		"laundromat diff --records")
	if rows := changed(root); len(rows) != 100 {
		t.Errorf("%d rows", len(rows))
	}
	for path, want := range map[string]string{
		"/changes?product=statements": "product is records or articles", "/changes?version=9": "version 9",
		"/changes?from=0": "from is a number from 1", "/changes?product=articles": "articles", "/changes?rows=3": "there is no",
	} {
		reply := s.ask(at + path)
		if text := textOf(parsed(t, reply.Body.Bytes())); reply.Code/100 != 4 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", path, reply.Code, text)
		}
	}
	// Articles are known by their id.
	feed := s.product("http://example.org/b.rss", "RSS", seedlist.ProductArticles, article, "")
	s.next(feed, "RSS", seedlist.ProductArticles, strings.Replace(article, "to all", "to none", 1), "")
	s.says(feed, "articles since version 1", "0 added, 0 removed, 1 changed")
	s.says(feed+"/changes?product=articles", "1 articles in version 1, 1 in version 2", "to none")
}

// TestChangesOfOthersAreInert has hostile texts in keys, names and values of records that changed.
func TestChangesOfOthersAreInert(t *testing.T) {
	s := newSite(t)
	for i, text := range hostile {
		quoted, _ := json.Marshal(text)
		before := fmt.Sprintf("{\"id\":%s,%s:1}\n{\"id\":1,\"a\":%s}\n", quoted, quoted, quoted)
		after := fmt.Sprintf("{\"id\":%s,%s:%s}\n{\"id\":2,\"a\":%s}\n", quoted, quoted, quoted, quoted)
		at := s.product(fmt.Sprintf("http://example.org/%d.csv", i), "CSV", "records", before, "")
		s.next(at, "CSV", "records", after, "")
		for _, path := range []string{at, at + "/changes"} {
			reply := s.ask(path)
			if reply.Code != 200 {
				t.Errorf("%q: %s: %d %s", text, path, reply.Code, reply.Body)
			}
			each(parsed(t, reply.Body.Bytes()), func(n *html.Node) { ours(t, path, n) })
		}
	}
}
