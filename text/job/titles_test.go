package job_test

import (
	"strings"
	"testing"

	"laundromat/text/job"
)

// TestLinksOfTitlesHaveNoPlace: in JSON they are at -1, in f5 and full5 their place is empty. F is the title as it was,
// T is without tags and references.
func TestLinksOfTitlesHaveNoPlace(t *testing.T) {
	atom := func(typ, title string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="` + typ + `">` + title +
			`</title><content>x</content></entry></feed>`
	}
	for _, row := range []struct {
		form                   job.Form
		source, title, f, urls string
	}{
		{job.HTML, "<title>See http://s.example/x now</title>a", "See http://s.example/x now", "See http://s.example/x now",
			"http://s.example/x"},
		{job.HTML, "<title>Tom &amp; Jerry</title>a", "Tom & Jerry", "Tom &amp; Jerry", ""},
		{job.HTML, "<title>\n One\n  two </title>a", "One two", "One   two", ""},
		{job.HTML, "<title>www.s.example</title><a href=/b>c</a>", "www.s.example", "www.s.example", "http://www.s.example"},
		{job.HTML, "<title>One</title>http://b.example/", "One", "One", ""},
		{job.Feed, atom("html", `See &lt;a href="http://s.example/y">this&lt;/a> and http://s.example/z`),
			"See this and http://s.example/z", `See <a href="http://s.example/y">this</a> and http://s.example/z`,
			"http://s.example/y http://s.example/z"},
		{job.Feed, atom("xhtml", `<div xmlns="http://www.w3.org/1999/xhtml">a <a href="/y">b</a></div>`), "a b",
			`<div xmlns="http://www.w3.org/1999/xhtml">a <a href="/y">b</a></div>`, "http://a.example/y"},
		{job.Feed, atom("text", `a &lt;b> www.s.example`), "a <b> www.s.example", "a <b> www.s.example", "http://www.s.example"},
		{job.Feed, `<rss><channel><item><title>a &lt;i>b&lt;/i> &lt;c> http://s.example/</title><description>x</description></item></channel></rss>`,
			"a b <c> http://s.example/", "a <i>b</i> <c> http://s.example/", "http://s.example/"},
		{job.F5, "U:http://a.example/\tD:\tF:See http://s.example/x now\tH:<p>a\n", "See http://s.example/x now",
			"See http://s.example/x now", "http://s.example/x"},
		{job.F5, "U:http://a.example/\tD:\tF:A <b>bold</b> &amp; <a href=\"/x\">b</a>\tH:<p>a\n", "A bold & b",
			`A <b>bold</b> &amp; <a href="/x">b</a>`, "http://a.example/x"},
		{job.F5, "U:http://a.example/\tD:\tF:List<String>\tH:<p>a\n", "List<String>", "List<String>", ""},
		{job.Full5, "U\thttp://a.example/\nD\t\nF\tA <i>b</i> http://s.example/\nH\t<p>a\n", "A b http://s.example/",
			"A <i>b</i> http://s.example/", "http://s.example/"},
	} {
		items, _, _ := whole(t, job.Options{Tokens: job.CoreNLP}, row.source, row.form)
		a := items[0].Article
		var urls []string
		for _, l := range a.Links {
			if l.InTitle {
				urls = append(urls, l.URL)
			}
		}
		if a.Title != row.title || strings.Join(urls, " ") != row.urls {
			t.Errorf("%s: %q, %q; want %q, %s", row.source, a.Title, urls, row.title, row.urls)
		}
		out := job.Output{Format: "f5"}
		line := string(out.Append(nil, items[0], &told{}))
		if !strings.Contains(line, "\tF:"+row.f+"\t") || strings.Count(line, "\tL:::") != len(urls) {
			t.Errorf("%s: %s", row.source, line)
		}
		_, after, _ := strings.Cut(line, "\tT:")
		if tokens, _, _ := strings.Cut(after, "\t"); tokens != spelled(a.TitleTokens) || tokens == "" {
			t.Errorf("%s: %s", row.source, line)
		}
		json := string((&job.Output{Format: "jsonl"}).Append(nil, items[0], &told{}))
		if strings.Count(json, "[-1,-1,") != len(urls) {
			t.Errorf("%s: %s", row.source, json)
		}
	}
}
