package article_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
)

type notices []fault.Notice

func (n *notices) Notice(one fault.Notice) { *n = append(*n, one) }

func (n notices) String() string {
	var all []string
	for _, one := range n {
		all = append(all, fmt.Sprintf("%d:%d %s", one.Line, one.Column, one.Code))
	}
	return strings.Join(all, ", ")
}

func fromPage(t testing.TB, source string) (*text.Article, notices) {
	t.Helper()
	var told notices
	a, err := article.FromPage(context.Background(), []byte(source), article.Options{Source: "page.html", URL: "http://a.example/dir/p"},
		&told)
	if err != nil {
		t.Fatal(err)
	}
	return a, told
}

// The best evidence counts; what is no date of publication, or can't be read, is none.
func TestDatesOfPages(t *testing.T) {
	const ld, end = `<script type="application/ld+json">`, `</script>`
	for _, row := range []struct{ name, page, want, notice string }{
		{"JSON-LD", ld + `{"@type":"NewsArticle","datePublished":"2013-04-09T02:26:00Z","dateModified":"2014-01-01"}` + end,
			"2013-04-09T02:26:00Z json-ld", ""},
		{"JSON-LD in a graph",
			ld + `{"@graph":[{"@type":"WebPage","datePublished":"2001-01-01"},{"@type":["Thing","BlogPosting"],"datePublished":"2013-04-09"}]}` +
				end, "2013-04-09 json-ld", ""},
		{"JSON-LD with line ends in strings", ld + "[{\"@type\":\"Article\",\"description\":\"a\nb\",\"datePublished\":\"2013-04-09\"}]" +
			end, "2013-04-09 json-ld", ""},
		{"JSON-LD in a comment", ld + `<!-- {"@type":"Article","datePublished":"2013-04-09"} -->` + end, "2013-04-09 json-ld", ""},
		{"JSON-LD of an event", ld + `{"@type":"Event","datePublished":"2013-04-09"}` + end, "", "0:0 text/no-date"},
		{"broken JSON-LD", ld + `{"datePublished":"2013-04-09"` + end, "2013-04-09 json-ld", ""},
		{"JSON-LD before meta", `<meta property="article:published_time" content="2012-01-01">` + ld +
			`{"@type":"Article","datePublished":"2013-04-09"}` + end, "2013-04-09 json-ld", ""},
		{"meta", `<meta property="article:published_time" content="2013-04-08T22:26:00-0400">`, "2013-04-09T02:26:00Z meta", ""},
		{"meta in capitals", `<META NAME="DC.Date.Issued" CONTENT="2013-04-09">`, "2013-04-09 meta", ""},
		{"the better of two", `<meta name=date content=2011-01-01><meta itemprop=datePublished content=2013-04-09>`, "2013-04-09 meta", ""},
		{"the next of two, where the first is none", `<meta name=pubdate content=soon><meta name=date content=2013-04-09>`,
			"2013-04-09 meta", ""},
		{"modified is not published",
			`<meta property="article:modified_time" content="2013-04-09"><meta name="last-modified" content="2013-04-09">`, "",
			"0:0 text/no-date"},
		{"one time", `<p><time datetime="2013-04-09T02:26Z">then</time>`, "2013-04-09T02:26:00Z time", ""},
		{"a time that says what it is", `<time datetime=2001-01-01></time><time itemprop="datePublished" datetime=2013-04-09></time>`,
			"2013-04-09 time", ""},
		{"the first in an article",
			`<time datetime=2001-01-01></time><article><time datetime=2013-04-09></time><time datetime=2015-01-01></time></article>`,
			"2013-04-09 time", ""},
		{"times that differ", `<time datetime=2001-01-01></time><time datetime=2013-04-09></time>`, "", "1:1 text/no-date"},
		{"a time in a footer", `<footer><time datetime=2001-01-01></time></footer>`, "", "1:9 text/no-date"},
		{"a microformat", `<abbr class="published" title="2013-04-09T02:26:00Z">then</abbr>`, "2013-04-09T02:26:00Z time", ""},
		{"a date that is none", `<meta name=date content="03/04/2013">`, "", "1:1 text/no-date"},
		{"prose", `<p>Published on April 9, 2013`, "", "0:0 text/no-date"},
	} {
		a, told := fromPage(t, row.page+"<p>text")
		if got := strings.TrimSpace(a.Created + " " + a.CreatedFrom); got != row.want || told.String() != row.notice {
			t.Errorf("%s: %q %v, want %q %v", row.name, got, told, row.want, row.notice)
		}
	}
}

func TestArticleOfAPage(t *testing.T) {
	a, _ := fromPage(t,
		`<!doctype html><html lang=de-CH><head><title>Über &amp; X</title><base href="/b/"><link rel=canonical href=c><meta name=date content=2013-04-09></head>
<body><p>Ä <a href="x">link</a>, http://b.example.</body></html>`)
	got := string(a.AppendJSON(nil, text.CodePoints))
	want := `{"source":"page.html","url":"http://a.example/dir/p","created":"2013-04-09","created_from":"meta","title":"Über & X","text":"Ä link, http://b.example.",` +
		`"attributes":{"blocks":[[0,25,"paragraph",{"bytes":[162,204]}]],"links":[[2,6,"http://a.example/b/x"],[8,24,"http://b.example"]],"quotes":[]},"metadata":{}}`
	if got != want || !json.Valid([]byte(got)) || a.Language != "de-CH" {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestEmptyPagesAreTold(t *testing.T) {
	for _, source := range []string{"", "<p>&nbsp;", "<script>x</script>", "<title>t</title>"} {
		if a, told := fromPage(t, source); a != nil || told.String() != "0:0 text/empty" {
			t.Errorf("%q: %v %v", source, a, told)
		}
	}
}

func TestPagesOverTheLimitEnd(t *testing.T) {
	var told notices
	_, err := article.FromPage(context.Background(), []byte(strings.Repeat("<p>x", 10000)), article.Options{MaxMemory: 100000}, &told)
	if fault.CodeOf(err) != fault.LimitMemory || fault.KindOf(err) != fault.Limit {
		t.Error(err)
	}
}

func TestPlainText(t *testing.T) {
	for _, row := range []struct{ name, source, want, notice string }{
		{"paragraphs", "One\r\ntwo\n\n \n  three\n", `["One\ntwo" 0-8] ["  three" 12-19]`, "0:0 text/no-date"},
		{"markup is text", "<p>a &amp; b</p>", `["<p>a &amp; b</p>" 0-16]`, "0:0 text/no-date"},
		{"U+0000", "a\x00b\n\x00\nc", `["ab" 0-3] ["c" 6-7]`, "1:2 text/nul, 0:0 text/no-date"},
		{"old line ends", "a\rb\r\rc", `["a\nb" 0-3] ["c" 5-6]`, "0:0 text/no-date"},
		{"pages", "a\fb", `["a" 0-1] ["b" 2-3]`, "0:0 text/no-date"},
		{"nothing", " \n\t\n", ``, "0:0 text/empty"},
	} {
		var told notices
		a := article.FromText([]byte(row.source), article.Options{}, &told)
		var got []string
		if a != nil {
			for _, b := range a.Blocks {
				got = append(got, fmt.Sprintf("[%q %d-%d]", a.Text[b.Start:b.End], b.Bytes.Start, b.Bytes.End))
			}
		}
		if s := strings.Join(got, " "); s != row.want || told.String() != row.notice {
			t.Errorf("%s: %s %v, want %s %v", row.name, s, told, row.want, row.notice)
		}
	}
}

// Mozilla's judgement of the same pages: what it finds in meta or JSON-LD is found here.
func TestDatesAndTitlesOfRealPages(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*"))
	dates, same, titles, of := 0, 0, 0, 0
	for _, dir := range dirs {
		source, err := os.ReadFile(filepath.Join(dir, "source.html"))
		if err != nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "expected-metadata.json"))
		if err != nil {
			t.Fatal(err)
		}
		var expected struct{ Title, PublishedTime string }
		if err := json.Unmarshal(data, &expected); err != nil {
			t.Fatal(err)
		}
		a, _ := fromPage(t, string(source))
		if a == nil {
			t.Errorf("%s: empty", filepath.Base(dir))
			continue
		}
		if !json.Valid(a.AppendJSON(nil, text.UTF16)) {
			t.Errorf("%s: no JSON", filepath.Base(dir))
		}
		of++
		if strings.Contains(a.Title, strings.Join(strings.Fields(expected.Title), " ")) {
			titles++
		}
		if want, ok := article.ParseDate(expected.PublishedTime); ok {
			dates++
			if a.Created == want {
				same++
			} else {
				t.Logf("%s: %s %s, want %s", filepath.Base(dir), a.Created, a.CreatedFrom, want)
			}
		}
	}
	t.Logf("%d of %d dates, %d of %d titles hold Mozilla's", same, dates, titles, of)
	if same < dates*9/10 || titles < of*8/10 {
		t.Errorf("%d of %d dates, %d of %d titles", same, dates, titles, of)
	}
}

// The page of the sample of the Spinn3r format: its links stand where the words behind them do.
func TestSampleOfSpinn3r(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(rdftest.Shared(t, "text"), "spinn3r", "article.H.html"))
	if err != nil {
		t.Fatal(err)
	}
	var told notices
	a, err := article.FromPage(context.Background(), source, article.Options{Part: true}, &told)
	if err != nil || len(told) > 0 || len(a.Links) != 4 {
		t.Fatal(err, told, a)
	}
	for i, want := range []string{"I wanted", "The only", "Details", "The Back Porch Quilters"} {
		l := a.Links[i]
		if !strings.HasPrefix(a.Text[l.Start:], want) || (l.End > l.Start) != (i == 3) || i == 3 && a.Text[l.Start:l.End] != want {
			t.Errorf("%+v stands before %.20q", l, a.Text[l.Start:])
		}
	}
}
