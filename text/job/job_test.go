package job_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"strings"
	"testing"

	"laundromat/archive"
	"laundromat/internal/fault"
	"laundromat/text"
	"laundromat/text/job"
)

type told []fault.Notice

func (n *told) Notice(one fault.Notice) { *n = append(*n, one) }

func TestWhatADocumentIs(t *testing.T) {
	const page = "<html><body><p>x"
	for _, c := range []struct{ name, mediaType, head, want string }{
		{"a.html", "", "x", "HTML"},
		{"a.html", "", page, "HTML"},
		{"a.txt", "", page, "text"},
		{"a.TXT", "text/html", page, "HTML"},
		{"a.txt", "text/html; charset=utf-8", "x", "HTML"},
		{"README.md", "text/html", page, "HTML"},
		{"a.rst", "TEXT/HTML", page, "HTML"},
		{"a.log", "application/xhtml+xml", page, "XHTML"},
		{"a.f5", "text/html", page, "HTML"},
		{"a.full5", "text/html", page, "HTML"},
		{"a.f5", "text/plain", "U:http://a.example/\tD:\tF:x\n", "f5"},
		{"a.md", "text/html", "<rss version='2.0'><channel>", "feed"},
		{"a.org", "application/rss+xml", "<rss version='2.0'><channel>", "feed"},
		{"a.txt", "application/xml", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "XHTML"},
		{"a.txt", "application/json", "{}", ""},
		{"a.org", "text/dns", "20130409", ""},
		{"a.html", "text/plain", page, "text"},
		{"a.html", "text/markdown; charset=utf-8", page, "text"},
		{"a.md", "application/octet-stream", page, "text"},
		{"", "text/plain; charset=utf-8", page, "text"},
		{"", "text/html; charset=utf-8", "x", "HTML"},
		{"", "application/xhtml+xml", "<p>x", "XHTML"},
		{"a.xhtml", "", page, "XHTML"},
		{"a.xml", "", "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>", "XHTML"},
		{"a.html", "", "<?xml version='1.0'?><html>", "HTML"},
		{"", "", "\xEF\xBB\xBF\n<!DOCTYPE HTML>\n<title>", "HTML"},
		{"", "", "<!-- a --><div>x", "HTML"},
		{"", "", "text before <html >", "HTML"},
		{"", "", "some <b>prose</b>", "text"},
		{"", "", "1 < 2", "text"},
		{"", "", "", "text"},
		{"a.html", "", "<rss version='2.0'><channel>", "feed"},
		{"", "text/plain", "<rss version='2.0'><channel>", "feed"},
		{"a.txt", "", "<rss version='2.0'><channel>", "text"},
		{"", "", "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'>", "feed"},
		{"a", "", "U:http://a.example/\tD:\tF:x\n", "f5"},
		{"a.txt", "", "U:http://a.example/\tD:\tF:x\n", "f5"},
		{"a.f5", "", "", "f5"},
		{"a.full5", "", "", "full5"},
		{"", "", "I\t7\nU\thttp://a.example/\n", "full5"},
		{"", "", "A\tb\nC\td\n", "text"},
		{"", "", "C\tis a letter\nand so on\n", "text"},
		{"a.svg", "", "<svg>", ""},
		{"a", "image/svg+xml", "<svg>", ""},
		{"a.xml", "", "<?xml version='1.0'?><urlset>", ""},
		{"a", "application/json", "{}", ""},
		{"a", "", `{"a":1}`, ""},
		{"style.css", "", "a {}", ""},
		{"style.css", "text/html", "<p>a", "HTML"},
		{"", "text/dns", "20130409", ""},
		{"notes.md", "", "# A <b>", "text"},
		{"tea.ics", "", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", ""},
		{"tea", "", "\xEF\xBB\xBFbegin:vcalendar\nVERSION:2.0\n", ""},
		{"", "application/octet-stream", "BEGIN:VCARD\nFN:Bo\n", ""},
		{"bo.vcf", "", "FN:Bo\n", ""},
		{"tea.txt", "", "BEGIN:VCALENDAR\n", "text"},
		{"tea.ics", "text/html", "<p>BEGIN:VCALENDAR", "HTML"},
		{"", "", "BEGIN:VCALENDAR is how a calendar begins", "text"},
		{"", "", "Begin: vcalendar", "text"},
		{"", "", "BEGIN:VEVENT\n", "text"},
		{"", "text/calendar", "BEGIN:VCALENDAR\n", ""},
	} {
		form, _, err := job.Guess(&job.Document{FileName: c.name, MediaType: c.mediaType}, []byte(c.head))
		if string(form) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q, %q, %q: %q, %v; want %q", c.name, c.mediaType, c.head, form, err, c.want)
		}
		if err != nil && fault.CodeOf(err) != fault.TextFormat {
			t.Errorf("%q: %v", c.head, err)
		}
	}
}

func whole(t testing.TB, o job.Options, source string, form job.Form) (items []*job.Item, notices told, count job.Count) {
	t.Helper()
	doc := job.Document{Name: "member", URL: "http://a.example/", Form: form, Key: func(uri string) string { return "key of " + uri }}
	yield := func(item *job.Item) error {
		items = append(items, item)
		return nil
	}
	var err error
	if job.IsStream(form) {
		count, err = o.Stream(context.Background(), strings.NewReader(source), doc, &notices, yield)
	} else {
		count, err = o.Whole(context.Background(), []byte(source), doc, &notices, yield)
	}
	if err != nil {
		t.Fatalf("%q: %v", source, err)
	}
	if count.Read != count.Kept+count.Empty {
		t.Errorf("%q: %+v", source, count)
	}
	return items, notices, count
}

func spelled(tokens []text.Token) string {
	var all []string
	for _, t := range tokens {
		all = append(all, t.Text)
	}
	return strings.Join(all, " ")
}

func TestTokensFollowFromQuotations(t *testing.T) {
	const source = "<title>»Ja«</title><p>»Ja« 👍<p>b"
	for _, c := range []struct {
		o             job.Options
		tokens, title string
	}{
		{job.Options{}, "`` Ja '' 👍 b", "`` Ja ''"},
		{job.Options{Newlines: true}, "`` Ja '' 👍 *NL* *NL* b", "`` Ja ''"},
		{job.Options{Tokens: job.None}, "", ""},
		{job.Options{Tokens: job.None, Newlines: true}, "", ""},
		{job.Options{Tokens: job.CoreNLP}, "'' Ja `` \uFFFD \uFFFD b", "'' Ja ``"},
	} {
		items, _, _ := whole(t, c.o, source, job.HTML)
		if a := items[0].Article; spelled(a.Tokens) != c.tokens || spelled(a.TitleTokens) != c.title || len(a.Quotes) != 1 ||
			a.Quotes[0].Text != "Ja" {
			t.Errorf("%+v: %q, %q, %v", c.o, spelled(a.Tokens), spelled(a.TitleTokens), a.Quotes)
		}
	}
}

// TestRandomArticlesComeBack writes articles of random pages in each format, and reads them again.
func TestRandomArticlesComeBack(t *testing.T) {
	words := []string{"one", "“two”", "can't", "3/4", "x@y.example", "http://b.example/c", "é", "👍", "\"", "&amp;", "<a href=/d>e</a>",
		"<p>", "<br>", "<li>", "\n", "\t", "Corp."}
	random := rand.New(rand.NewSource(7))
	for range 300 {
		var b strings.Builder
		for range random.Intn(40) {
			b.WriteString(words[random.Intn(len(words))] + " ")
		}
		items, _, count := whole(t, job.Options{Tokens: job.CoreNLP}, b.String(), job.HTML)
		if count.Read != 1 || int(count.Kept) != len(items) {
			t.Fatalf("%q: %+v", b.String(), count)
		}
		if len(items) == 0 {
			continue
		}
		for _, form := range []job.Form{job.F5, job.Full5} {
			out := job.Output{Format: string(form)}
			written := string(out.Append(nil, items[0], &told{}))
			again, notices, _ := whole(t, job.Options{Tokens: job.CoreNLP}, written, form)
			for _, n := range notices {
				if n.Code != fault.TextNoDate {
					t.Errorf("%q: %v", written, n)
				}
			}
			a, want := again[0].Article, items[0].Article
			if a.Text != spelled(want.Tokens) || len(a.Links) != len(want.Links) || len(a.Quotes) != len(want.Quotes) {
				t.Errorf("%q: %+v", written, a)
			}
			if back := string(out.Append(nil, again[0], &told{})); back != written {
				t.Errorf("%q comes back as %q", written, back)
			}
		}
	}
}

// TestConversionRecordsAreRead: our own reader of WARC finds each text, its lengths and digests right.
func TestConversionRecordsAreRead(t *testing.T) {
	out := job.Output{Format: "wet"}
	file := out.Begin()
	var want []string
	for i := range 20 {
		items, _, _ := whole(t, job.Options{}, fmt.Sprintf("<p>Text %d\u2028 é", i)+strings.Repeat("<p>WARC/1.0", i), job.HTML)
		file = out.Append(file, items[0], &told{})
		want = append(want, items[0].Article.Text+"\n")
	}
	opened, err := archive.Open(context.Background(), bytes.NewReader(file), "a.warc",
		archive.Limits{Depth: 4, Entries: 100, Bytes: 1 << 20, Ratio: 100}, func(n fault.Notice) { t.Error(n) })
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	var got []string
	err = opened.Entries(context.Background(), func(entry archive.Entry, r io.Reader) error {
		body, err := io.ReadAll(r)
		got = append(got, string(body))
		if entry.URI != "http://a.example/" || !strings.HasPrefix(entry.ContentType, "text/plain") {
			t.Errorf("%+v", entry)
		}
		return err
	})
	if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%v: %q, want %q", err, got, want)
	}
}
