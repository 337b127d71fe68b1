package feed_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"math/rand"
	"strings"
	"testing"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/feed"
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

func read(t testing.TB, source string) (articles []*text.Article, told notices, count feed.Count) {
	t.Helper()
	count, err := feed.Read(context.Background(), []byte(source),
		feed.Options{Options: article.Options{Source: "feed.xml", URL: "http://f.example/feed"}}, &told,
		func(a *text.Article, _ []byte) error {
			articles = append(articles, a)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if count.Read != count.Kept+count.Empty || count.Kept != len(articles) {
		t.Errorf("%+v, %d articles", count, len(articles))
	}
	return articles, told, count
}

func shown(a *text.Article) string {
	s := fmt.Sprintf("%s|%s|%s %s|%q", a.URL, a.Title, a.Created, a.CreatedFrom, a.Text)
	for _, l := range a.Links {
		s += fmt.Sprintf("|%d-%d %s", l.Start, l.End, l.URL)
	}
	return s
}

func TestEntriesOfFeeds(t *testing.T) {
	const rss, rssEnd = `<?xml version="1.0"?><rss version="2.0"><channel><title>Feed</title><link>http://f.example/</link>`,
		`</channel></rss>`
	const atom, atomEnd = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/d/"><title>Feed</title><updated>2001-01-01T00:00:00Z</updated>`,
		`</feed>`
	for _, row := range []struct{ name, source, want, notices string }{
		{"RSS, escaped", rss +
			`<item><title>A &amp;amp; B</title><link>http://f.example/1</link><pubDate>Tue, 09 Apr 2013 02:26:00 GMT</pubDate><description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;&lt;a href="x"&gt;two&lt;/a&gt;</description></item>` +
			rssEnd,
			`http://f.example/1|A & B|2013-04-09T02:26:00Z feed|"One\n\ntwo"|5-8 http://f.example/x`, ""},
		{"RSS, CDATA", rss +
			`<item><title><![CDATA[A <b>B</b>]]></title><guid>http://f.example/2</guid><dc:date>2013-04-09</dc:date><description>short</description><content:encoded><![CDATA[<p>Long & full]]></content:encoded></item>` +
			rssEnd,
			`http://f.example/2|A B|2013-04-09 feed|"Long & full"`, ""},
		{"RSS, not escaped at all",
			rss + `<item><link>/3</link><description><p>One<br/>two</p></description><pubDate>2013-04-09</pubDate></item>` + rssEnd,
			`http://f.example/3||2013-04-09 feed|"One\ntwo"`, ""},
		{"RSS, escaped twice", rss + "\n" +
			`<item><guid isPermaLink="false">x</guid><pubDate>2013-04-09</pubDate><description>AT&amp;amp;amp;T</description></item>` +
			rssEnd, `||2013-04-09 feed|"AT&T"`, "2:85 text/entity"},
		{"RSS, a bare ampersand and an entity of HTML",
			rss + `<item><title>Q&A</title><pubDate>2013-04-09</pubDate><description>caf&eacute; &nbsp;&copy=1</description></item>` +
				rssEnd, `|Q&A|2013-04-09 feed|"café \u00a0©=1"`, ""},
		{"RSS, broken date", rss + `<item><title>T</title><pubDate>soon</pubDate><description>x</description></item>` + rssEnd, `|T| |"x"`,
			"1:99 text/no-date"},
		{"RSS 1.0", `<rdf:RDF xmlns="http://purl.org/rss/1.0/"><channel/><item rdf:about="http://f.example/4"><title>T</title><dc:date>2013-04-09T02:26Z</dc:date><description>x</description></item></rdf:RDF>`,
			`http://f.example/4|T|2013-04-09T02:26:00Z feed|"x"`, ""},
		{"Atom, HTML", atom +
			`<entry><title type="html">A &amp;lt; B</title><link rel="self" href="s"/><link href="5"/><id>tag:5</id><published>2013-04-08T22:26:00-04:00</published><updated>2014-01-01T00:00:00Z</updated><content type="html">&lt;i&gt;x&lt;/i&gt; y</content></entry>` +
			atomEnd,
			`http://b.example/d/5|A < B|2013-04-09T02:26:00Z feed|"x y"`, ""},
		{"Atom, XHTML", atom +
			`<entry><title>A &amp; B</title><link href="6"/><updated>2013-04-09T00:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>a<a name="n"/>b &lt;c&gt;</p><p><a href="#n">d</a></p></div></content></entry>` +
			atomEnd,
			`http://b.example/d/6|A & B|2013-04-09T00:00:00Z feed|"ab <c>\n\nd"|8-9 http://b.example/d/#n`, ""},
		{"Atom, XHTML with a prefix",
			atom + `<entry><updated>2013-04-09</updated><content type="xhtml"><xhtml:div><xhtml:p>a</xhtml:p><xhtml:p>b</xhtml:p></xhtml:div></content></entry>` +
				atomEnd, `||2013-04-09 feed|"a\n\nb"`, ""},
		{"Atom, text", atom +
			`<entry><title>T</title><updated>2013-04-09T00:00:00Z</updated><summary>1 &lt; 2 &amp;amp; 3</summary></entry>` + atomEnd,
			`|T|2013-04-09T00:00:00Z feed|"1 < 2 &amp; 3"`, ""},
		{"Atom, content elsewhere",
			atom + `<entry><title>T</title><published>2013-04-09</published><content type="image/png" src="x.png"/><summary>s</summary></entry>` +
				atomEnd, `|T|2013-04-09 feed|"s"`, ""},
		{"Atom with a prefix",
			`<atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:entry><atom:title>T</atom:title><atom:updated>2013-04-09</atom:updated><atom:content>x</atom:content></atom:entry></atom:feed>`,
			`|T|2013-04-09 feed|"x"`, ""},
		{"no content", rss + `<item><title>T</title><pubDate>2013-04-09</pubDate></item>` + rssEnd, "", "1:99 text/empty"},
		{"cut in the content", rss + `<item><pubDate>2013-04-09</pubDate><description>&lt;p&gt;One tw`, `||2013-04-09 feed|"One tw"`,
			"1:162 text/cut"},
		{"cut in CDATA", rss + `<item><pubDate>2013-04-09</pubDate><description><![CDATA[<p>One`, `||2013-04-09 feed|"One"`,
			"1:162 text/cut"},
		{"cut in a tag", rss + `<item><pubDate>2013-04-09</pubDate><description>One</descr`, `||2013-04-09 feed|"One"`, "1:157 text/cut"},
		{"cut between", rss + `<item><pubDate>2013-04-09</pubDate><description>One</description></item>`, `||2013-04-09 feed|"One"`,
			"1:171 text/cut"},
		{"an element without an end", rss + `<item><pubDate>2013-04-09</pubDate><description>One</item>` + rssEnd,
			`||2013-04-09 feed|"One"`, "1:134 text/cut"},
	} {
		articles, told, _ := read(t, row.source)
		got := ""
		for _, a := range articles {
			got += shown(a)
		}
		if got != row.want || told.String() != row.notices {
			t.Errorf("%s:\n%s %s\nwant\n%s %s", row.name, got, told, row.want, row.notices)
		}
	}
}

// What an entry has not is asked of its page.
func TestEntriesWithoutContentAreTheirPages(t *testing.T) {
	const source = `<rss><channel><item><title>T</title><link>/p</link></item><item><link>/q</link></item></channel></rss>`
	var told notices
	var got []string
	fetch := func(_ context.Context, url string) (*text.Article, error) {
		if strings.HasSuffix(url, "/q") {
			return nil, nil
		}
		return &text.Article{Text: "page", Blocks: []text.Block{{Span: text.Span{Start: 0, End: 4}}}, Created: "2013-04-09",
			CreatedFrom: "meta"}, nil
	}
	count, err := feed.Read(context.Background(), []byte(source), feed.Options{Options: article.Options{URL: "http://f.example/"},
		Fetch: fetch}, &told, func(a *text.Article, _ []byte) error {
		got = append(got, shown(a))
		return nil
	})
	if want := `http://f.example/p|T|2013-04-09 meta|"page"`; err != nil || strings.Join(got, " ") != want ||
		count != (feed.Count{Read: 2, Kept: 1, Empty: 1}) {
		t.Errorf("%v %v %v", got, count, err)
	}
	stop := errors.New("full disk")
	if _, err := feed.Read(context.Background(), []byte(source), feed.Options{Fetch: fetch}, &told,
		func(*text.Article, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

func TestEntriesHaveTheLanguageOfTheirFeed(t *testing.T) {
	for source, want := range map[string]string{
		`<rss><channel><language>de-ch</language><item><description>x</description></item></channel></rss>`: "de-ch",
		`<feed xml:lang="fr"><entry><summary>x</summary></entry></feed>`:                                    "fr",
		`<feed xml:lang="fr"><entry xml:lang="it"><summary>x</summary></entry></feed>`:                      "it",
		`<feed><entry><summary>x</summary></entry></feed>`:                                                  "",
	} {
		if articles, _, _ := read(t, source); len(articles) != 1 || articles[0].Language != want {
			t.Errorf("%s: %v", source, articles)
		}
	}
}

func TestFeedsAreKnownByTheirRoot(t *testing.T) {
	for source, want := range map[string]bool{
		`<?xml version="1.0"?><!-- x --><rss version="2.0">`:       true,
		`<feed xmlns="http://www.w3.org/2005/Atom">`:               true,
		`<a:feed xmlns:a="http://www.w3.org/2005/Atom">`:           true,
		`<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/">`: true,
		`<rdf:RDF xmlns:rdf="r">`:                                  false,
		`<html><body><rss>`:                                        false,
		`<feed>`:                                                   false,
		`plain <rss`:                                               false,
		"\ufeff<?xml version='1.0'?>\n<rss>":                       true,
	} {
		if got := feed.Is([]byte(source)); got != want {
			t.Errorf("%q: %v", source, got)
		}
	}
}

// places holds the places of a text against the feed: what stands there is the text, escaped.
func places(t testing.TB, source string, a *text.Article) {
	t.Helper()
	at := 0
	for _, r := range a.Places {
		if r.Text < at || r.Source < 0 || r.Source+r.SourceLength > len(source) {
			t.Fatalf("%q: %+v", source, r)
		}
		at = r.Text + r.Length
		said, written := a.Text[r.Text:at], source[r.Source:r.Source+r.SourceLength]
		for n := 0; n < 4 && written != said; n++ {
			written = html.UnescapeString(written)
		}
		if written != said {
			t.Fatalf("%q: %q stands for %q", source, source[r.Source:r.Source+r.SourceLength], said)
		}
	}
	if strings.TrimSpace(a.Text[at:]) != "" {
		t.Fatalf("%q: %q has no place", source, a.Text[at:])
	}
}

// The generator escapes the same paragraphs in every way that feeds do; the text is the same, and every place is right.
func TestRandomFeedsGiveTheSameText(t *testing.T) {
	words := []string{"one", "é", "a & b", "<tag>", "\"q\"", "x < y", "€5", "don't", "😀"}
	random := rand.New(rand.NewSource(9))
	for range 1000 {
		var want, page []string
		for range 1 + random.Intn(3) {
			var line []string
			for range 1 + random.Intn(4) {
				line = append(line, words[random.Intn(len(words))])
			}
			want = append(want, strings.Join(line, " "))
			page = append(page, "<p>"+html.EscapeString(strings.Join(line, " "))+"</p>")
		}
		content := strings.Join(page, "\n")
		for _, source := range []string{
			`<rss><channel><item><pubDate>2013-04-09</pubDate><description>` + html.EscapeString(content) +
				`</description></item></channel></rss>`,
			`<rss><channel><item><pubDate>2013-04-09</pubDate><description><![CDATA[` + content +
				`]]></description></item></channel></rss>`,
			`<feed><entry><published>2013-04-09</published><content type="xhtml"><div>` + content + `</div></content></entry></feed>`,
			`<feed><entry><published>2013-04-09</published><content type="html">` + html.EscapeString(content) +
				`</content></entry></feed>`,
		} {
			articles, _, _ := read(t, source)
			if len(articles) != 1 || articles[0].Text != strings.Join(want, "\n\n") {
				t.Fatalf("%s: %v", source, articles)
			}
			places(t, source, articles[0])
			for i, b := range articles[0].Blocks {
				if b.Bytes.End <= b.Bytes.Start || i > 0 && b.Bytes.Start < articles[0].Blocks[i-1].Bytes.End {
					t.Fatalf("%s: %+v", source, articles[0].Blocks)
				}
			}
		}
	}
}

func FuzzFeed(f *testing.F) {
	f.Add(`<rss><channel><item><title>a</title><description>&lt;p&gt;b&amp;amp;c</description></item>`)
	f.Add(`<feed><entry><content type="xhtml"><div>x<![CDATA[y]]></div></content><updated>2013-04-09`)
	f.Add(jsonFeedOf(`{"content_html":"<p>\u00e9\/","date_published":"2020-02-03T04:05:06Z"},{"title":"x`))
	f.Fuzz(func(t *testing.T, source string) {
		if !utf8.ValidString(source) {
			return
		}
		var told notices
		_, err := feed.Read(context.Background(), []byte(source), feed.Options{}, &told, func(a *text.Article, _ []byte) error {
			at := 0
			for _, r := range a.Places {
				if r.Text < at || r.Source < 0 || r.Source+r.SourceLength > len(source) {
					t.Fatalf("%+v", a.Places)
				}
				at = r.Text + r.Length
			}
			return nil
		})
		if err != nil && fault.KindOf(err) != fault.Limit {
			t.Fatal(err)
		}
	})
}
