package feed_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

const rssHead = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
	`xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Feed</title>`

const rssTail = `</channel></rss>`

func rssItem(inner string) string { return rssHead + `<item>` + inner + `</item>` + rssTail }

func atomEntry(inner string) string {
	return `<feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><entry><updated>2021-03-04T05:06:07Z</updated>` + inner +
		`</entry></feed>`
}

// textsOf are the texts of all articles, "; " between them.
func textsOf(t *testing.T, source string) string {
	t.Helper()
	articles, _, _ := read(t, source)
	var all []string
	for _, a := range articles {
		all = append(all, strings.ReplaceAll(a.Text, "\n\n", "|"))
		places(t, source, a)
	}
	return strings.Join(all, "; ")
}

// TestSectionsAreTextWhereverTheyStand: what is in CDATA is never lost, whatever is beside it.
func TestSectionsAreTextWhereverTheyStand(t *testing.T) {
	for source, want := range map[string]string{
		rssItem(`<description><![CDATA[One.]]><br/>Two.</description>`):                                   "One.\nTwo.",
		rssItem(`<description>One.<br/><![CDATA[Two.]]></description>`):                                   "One.\nTwo.",
		rssItem(`<description><p>a <![CDATA[b & c]]> d</p></description>`):                                "a b & c d",
		rssItem(`<description><![CDATA[<p>One.</p>]]><p>Two.</p></description>`):                          "One.|Two.",
		rssItem(`<description><![CDATA[<p>One.</p>]]> <![CDATA[<p>Two.</p>]]></description>`):             "One.|Two.",
		rssItem(`<description><![CDATA[a]]><![CDATA[b]]></description>`):                                  "ab",
		rssItem(`<description><p>x<![CDATA[ < y]]></p></description>`):                                    "x < y",
		rssItem(`<description><p><![CDATA[List<String>]]></p></description>`):                             "List<String>",
		rssItem(`<description>a ]]]]><![CDATA[> b</description>`):                                         "a ]]]]>> b",
		rssItem(`<content:encoded>&lt;p>a&lt;/p><![CDATA[<p>b</p>]]></content:encoded>`):                  "a|b",
		atomEntry(`<content type="xhtml"><div><p>a <![CDATA[<b> & c]]></p></div></content>`):              "a <b> & c",
		atomEntry(`<content type="html"><![CDATA[<p>a</p>]]><![CDATA[<p>b</p>]]></content>`):              "a|b",
		atomEntry(`<content type="xhtml"><div><![CDATA[]]>x</div></content>`):                             "x",
		atomEntry(`<summary>a <![CDATA[<b>]]></summary>`):                                                 "a <b>",
		rssHead + `<item><description><p>One.</p><![CDATA[Two. that is cut`:                               "One.|Two. that is cut",
		strings.Replace(rssItem(`<description>x</description>`), "<item>", "<item><!-- <![CDATA[ -->", 1): "x",
	} {
		if got := textsOf(t, source); got != want {
			t.Errorf("%s:\n%q, want %q", source, got, want)
		}
	}
}

// TestATypeIsWhatItIsWithoutItsParameters: all that begins with text/ is text; only pictures and the like are not.
func TestATypeIsWhatItIsWithoutItsParameters(t *testing.T) {
	for typ, want := range map[string]string{
		`text/html; charset=utf-8`: "a b", `TEXT/HTML`: "a b", `text/html ;q=1`: "a b", `html`: "a b", ` html `: "a b", `xhtml`: "a b",
		`application/xhtml+xml; charset=utf-8`: "a b",
		`text/markdown`:                        "<p>a <b>b</b></p>", `text/plain; charset=utf-8`: "<p>a <b>b</b></p>",
		`text`: "<p>a <b>b</b></p>", ``: "<p>a <b>b</b></p>", `text/x-rst`: "<p>a <b>b</b></p>",
		`image/png`: "short", `application/octet-stream; x=y`: "short", `video/mp4`: "short", `application/xml`: "a b",
	} {
		if got := textsOf(t, atomEntry(`<summary>short</summary><content type="`+typ+
			`">&lt;p>a &lt;b>b&lt;/b>&lt;/p></content>`)); got != want {
			t.Errorf("%q: %q, want %q", typ, got, want)
		}
	}
}

// TestModesOfAtom03: what is Base64 is decoded, and of parts that are the same one is read.
func TestModesOfAtom03(t *testing.T) {
	b := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	entry := func(inner string) string {
		return `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><issued>2004-03-04</issued>` + inner + `</entry></feed>`
	}
	long := strings.Repeat("“é” & so on ", 20) + "end"
	for source, want := range map[string]string{
		entry(`<content type="text/html" mode="base64">` + b("<p>High at <b>noon</b>.</p>") +
			`</content>`): "High at noon.",
		entry(`<content type="text/html" mode="base64">` + strings.Join(strings.SplitAfter(b("<p>"+long+"</p>"), "a"), "\n ") +
			`</content>`): long,
		entry(`<content type="text/plain" mode="base64">` + b("1 < 2") +
			`</content>`): "1 < 2",
		entry(`<content mode="base64"><![CDATA[` + b("plain") +
			`]]></content>`): "plain",
		entry(`<content type="text/html" mode="base64">` + strings.TrimRight(b("<p>no end"), "=") +
			`</content>`): "no end",
		entry(`<summary type="text/html" mode="base64">` + b("<i>s</i>") +
			`</summary>`): "s",
		entry(`<content type="text/html" mode="base64">No letters of it!</content>`):                                                                                     "No letters of it!",
		entry(`<content type="text/html" mode="escaped">&lt;p>a&lt;/p></content>`):                                                                                       "a",
		entry(`<content mode="escaped">&lt;p>a&lt;/p></content>`):                                                                                                        "a",
		entry(`<content type="application/xhtml+xml" mode="xml"><div><p>a</p></div></content>`):                                                                          "a",
		entry(`<content type="multipart/alternative"><content type="text/plain">a</content><content type="text/html" mode="escaped">&lt;b>b&lt;/b></content></content>`): "b",
		entry(`<content type="multipart/alternative"><content type="text/html" mode="escaped">&lt;b>b&lt;/b></content><content type="text/plain">a</content></content>`): "b",
		entry(`<content type="multipart/alternative"><content type="text/html"/><content type="text/plain">a</content></content>`):                                       "a",
		entry(`<content type="multipart/alternative"><content type="image/png">a</content><content>b</content></content>`):                                               "b",
		entry(`<content type="multipart/mixed"><content type="text/plain">a</content><content type="text/plain">b</content></content>`):                                  "a|b",
	} {
		articles, _, _ := read(t, source)
		got := ""
		for _, a := range articles {
			got += strings.ReplaceAll(a.Text, "\n\n", "|")
		}
		if got != want {
			t.Errorf("%s:\n%q, want %q", source, got, want)
		}
	}
	source := entry(`<title type="text/html" mode="base64">` + b("A <i>b</i>") + `</title><content>x</content>`)
	if articles, _, _ := read(t, source); articles[0].Title != "A b" {
		t.Errorf("%q", articles[0].Title)
	}
	// The places are those of the letters.
	source = entry(`<content mode="base64">` + b("One.\n\nTwo é three.") + `</content>`)
	articles, _, _ := read(t, source)
	for _, block := range articles[0].Blocks {
		letters := source[block.Bytes.Start:block.Bytes.End]
		if whole, err := base64.RawStdEncoding.DecodeString(letters); err != nil ||
			!strings.Contains(string(whole), articles[0].Text[block.Start:block.End]) {
			t.Errorf("%q: %q, %v", articles[0].Text[block.Start:block.End], whole, err)
		}
	}
}

// TestTheNearestBaseCounts: that is the nearest xml:base, itself resolved against the one around it.
func TestTheNearestBaseCounts(t *testing.T) {
	rss := func(root, channel, item, inner string) string {
		return `<rss` + root + `><channel` + channel + `><item` + item + `>` + inner + `</item></channel></rss>`
	}
	base := func(s string) string { return ` xml:base="` + s + `"` }
	const link, content = `<link>http://e.example/p/1</link>`, `<description>&lt;a href="m">x&lt;/a></description>`
	for _, row := range []struct{ source, url, links string }{
		{rss("", "", "", link+content), "http://e.example/p/1", "http://e.example/p/m"},
		{rss("", "", "", content), "", "http://f.example/m"},
		{rss(base("http://a.example/"), "", "", link+content), "http://e.example/p/1", "http://a.example/m"},
		{rss(base("http://a.example/"), base("b/"), "", `<link>c</link>`+content), "http://a.example/b/c", "http://a.example/b/m"},
		{rss(base("http://a.example/"), base("b/"), base("c/"), content), "", "http://a.example/b/c/m"},
		{rss("", "", base("/d/"), `<link>c</link>`+content), "http://f.example/d/c", "http://f.example/d/m"},
		{rss("", "", "", link+strings.Replace(content, "<description", "<description"+base("http://d.example/"), 1)),
			"http://e.example/p/1", "http://d.example/m"},
		{rss("", "", "", strings.Replace(link, "<link>http://e.example/", "<link"+base("http://l.example/")+">", 1)+content),
			"http://l.example/p/1", "http://l.example/p/m"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"` + base("http://a.example/s/") +
			`><entry><link href="1"/><content type="html">&lt;a href="m">x&lt;/a></content></entry></feed>`, "http://a.example/s/1",
			"http://a.example/s/m"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"><entry><link` + base("http://l.example/") +
			` href="1"/><content type="html">&lt;a href="m">x&lt;/a></content></entry></feed>`, "http://l.example/1", "http://l.example/m"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"><entry><link href="http://e.example/"/><content type="xhtml"><div` +
			base("http://d.example/") + `><a href="m">x</a></div></content></entry></feed>`, "http://e.example/", "http://d.example/m"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"` + base("http://a.example/") + `><entry><content type="xhtml"` + base("c/") +
			`><div><p` + base("d/") + `><a href="m">x</a></p><a href="n">y</a></div></content></entry></feed>`, "",
			"http://a.example/c/d/m http://a.example/c/n"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"><title` + base("http://t.example/") +
			`>x</title><entry><content type="html">&lt;a href="m">x&lt;/a></content></entry></feed>`, "", "http://f.example/m"},
	} {
		articles, _, _ := read(t, row.source)
		var links []string
		for _, l := range articles[0].Links {
			links = append(links, l.URL)
		}
		if a := articles[0]; a.URL != row.url || strings.Join(links, " ") != row.links {
			t.Errorf("%s:\n%q, %q", row.source, a.URL, links)
		}
	}
}

// TestTitlesOfRSSAreText: only elements that HTML has and that end are markup.
func TestTitlesOfRSSAreText(t *testing.T) {
	for written, want := range map[string]string{
		`Drawing with the &lt;canvas&gt; element`:         "Drawing with the <canvas> element",
		`A &lt;b&gt;bold&lt;/b&gt; move`:                  "A bold move",
		`Read &lt;&lt;&lt;this&gt;&gt;&gt; first`:         "Read <<<this>>> first",
		`List&lt;String&gt; of Java`:                      "List<String> of Java",
		`&lt;script&gt; and &lt;style&gt; are raw`:        "<script> and <style> are raw",
		`1 &lt; 2 &amp;&amp; 3 &gt; 2`:                    "1 < 2 && 3 > 2",
		`AT&amp;amp;T`:                                    "AT&T",
		`The &lt;b&gt; element`:                           "The <b> element",
		`&lt;/b&gt; ends it`:                              "</b> ends it",
		`a&lt;br/&gt;b`:                                   "a b",
		`Why &lt;br&gt; is void`:                          "Why <br> is void",
		`<![CDATA[A <i>b</i> & <canvas>]]>`:               "A b & <canvas>",
		`A <b>bold</b> <canvas> move`:                     "A bold <canvas> move",
		`&amp;lt;canvas&amp;gt; &lt;i&gt;x&lt;/i&gt;`:     "<canvas> x",
		`vector&lt;a&gt; and map&lt;a,b&gt;`:              "vector<a> and map<a,b>",
		`&lt;a href="http://l.example/"&gt;x&lt;/a&gt; y`: "x y",
		`&lt;em&gt;a &lt;nav&gt; b&lt;/em&gt;`:            "a <nav> b",
		`&lt;!-- x --&gt;a &lt;!DOCTYPE html&gt;`:         "a <!DOCTYPE html>",
		`  a
  b `: "a b",
		`ends with &lt;b`: "ends with <b",
	} {
		articles, _, _ := read(t, rssItem(`<title>`+written+`</title><description>d</description>`))
		if got := articles[0].Title; got != want {
			t.Errorf("%s: %q, want %q", written, got, want)
		}
	}
}

// TestElementsOfAtomInRSSAreHTML: only what has Atom's namespace has its types.
func TestElementsOfAtomInRSSAreHTML(t *testing.T) {
	for inner, want := range map[string]string{
		`<content><![CDATA[<p>a <b>b</b></p>]]></content>`:                                 "a b",
		`<content>&lt;p>a &lt;b>b&lt;/b>&lt;/p></content>`:                                 "a b",
		`<summary>&lt;i>a&lt;/i> b</summary>`:                                              "a b",
		`<summary><![CDATA[<p>a<p>b]]></summary>`:                                          "a|b",
		`<content type="text">&lt;b>a&lt;/b></content>`:                                    "a",
		`<content><p>a <b>b</b></p></content>`:                                             "a b",
		`<body><p>a</p></body>`:                                                            "a",
		`<content-encoded>&lt;b>a&lt;/b></content-encoded>`:                                "a",
		`<description>short</description><content>&lt;b>a&lt;/b></content>`:                "a",
		`<atom:summary xmlns:atom="http://www.w3.org/2005/Atom">&lt;b></atom:summary>`:     "<b>",
		`<x:summary xmlns:x="http://www.w3.org/2005/Atom" type="html">&lt;b>a</x:summary>`: "a",
		`<summary>&lt;b>s&lt;/b></summary><description>d</description>`:                    "d",
	} {
		if got := textsOf(t, rssItem(inner)); got != want {
			t.Errorf("%s: %q, want %q", inner, got, want)
		}
	}
}

// TestAnElementTwice: an empty one never takes the place of one that has text, and of two with text both are kept.
func TestAnElementTwice(t *testing.T) {
	for inner, want := range map[string]string{
		`<description>a</description><description></description>`:                                              "a",
		`<description></description><description>a</description>`:                                              "a",
		`<description>a</description><description/>`:                                                           "a",
		`<description>a</description><description> <![CDATA[ ]]></description>`:                                "a",
		`<description>a</description><description>&lt;br></description>`:                                       "a",
		`<description>a</description><description>b</description>`:                                             "a|b",
		`<content:encoded>&lt;p>a&lt;/p></content:encoded><content:encoded>b</content:encoded>`:                "a|b",
		`<content:encoded>a</content:encoded><description>s</description><content:encoded>b</content:encoded>`: "a|b",
		`<content:encoded/><description>s</description>`:                                                       "s",
		`<content:encoded>a</content:encoded><content:encoded>a</content:encoded>`:                             "a",
		`<itunes:summary>a</itunes:summary><itunes:summary/>`:                                                  "a",
		`<summary/><summary>a</summary><summary/>`:                                                             "a",
	} {
		if got := textsOf(t, rssItem(inner)); got != want {
			t.Errorf("%s: %q, want %q", inner, got, want)
		}
	}
	const twice = `<title/><title>T</title><title></title><link/><link>http://e.example/1</link><link/><pubDate/><pubDate>2021-03-04</pubDate><pubDate/><guid/><description>a</description>`
	if articles, _, _ := read(t, rssItem(twice)); shown(articles[0]) != `http://e.example/1|T|2021-03-04 feed|"a"` {
		t.Error(shown(articles[0]))
	}
	const content = `<content>a</content><content type="html">&lt;p>b&lt;/p></content>`
	if got := textsOf(t, atomEntry(content)); got != "a|b" {
		t.Error(got)
	}
}

// TestWhatHasNoEndTagEndsWithTheNext: nothing else is lost, and it is told.
func TestWhatHasNoEndTagEndsWithTheNext(t *testing.T) {
	const date = `<pubDate>2021-03-04</pubDate>`
	item := func(n, inner string) string { return `<item><title>` + n + `</title>` + inner }
	for _, row := range []struct{ source, want string }{
		{item("1", `<description>a</description>`+date) + item("2", `<description>b</description>`+date+`</item>`),
			`|1|2021-03-04 feed|"a"; |2|2021-03-04 feed|"b"`},
		{item("1", `<description>a</description>`+date) + item("2", `<description>b</description>`+date),
			`|1|2021-03-04 feed|"a"; |2|2021-03-04 feed|"b"`},
		{`<item><title>1<description>a</description>` + date + `</item>`, `|1|2021-03-04 feed|"a"`},
		{`<item><title>1</title><description>a` + date + `</item>`, `|1|2021-03-04 feed|"a"`},
		{`<item><title>1</title><link>http://e.example/1<description>a</description>` + date + `</item>`,
			`http://e.example/1|1|2021-03-04 feed|"a"`},
		{`<item><title>1</title><pubDate>2021-03-04<description>a</description></item>`, `|1|2021-03-04 feed|"a"`},
		{`<item><title>1</title><guid>http://e.example/g<description>a</description>` + date + `</item>`,
			`http://e.example/g|1|2021-03-04 feed|"a"`},
		{`<item><title>1<link>http://e.example/1<description>a` + date + `</item>`, `http://e.example/1|1|2021-03-04 feed|"a"`},
		{`<item>` + date + `<title>1</title><description>a</item>`, `|1|2021-03-04 feed|"a"`},
		{`<item>` + date + `<title>1<title>2</title><description>a</description></item>`, `|1|2021-03-04 feed|"a"`},
		{`<item>` + date + `<content:encoded><![CDATA[<p>a</p>]]><title>1</title></item>`, `|1|2021-03-04 feed|"a"`},
		{`<item>` + date + `<title>1</title><author>x<description>a</description></item>`, `|1|2021-03-04 feed|"a"`},
		{`<item>` + date + `<title>1</title><description>a <b>b</b> c<category>x</category></item>`, `|1|2021-03-04 feed|"a b c"`},
	} {
		source := rssHead + row.source + rssTail
		articles, told, _ := read(t, source)
		var got []string
		for _, a := range articles {
			got = append(got, shown(a))
		}
		if strings.Join(got, "; ") != row.want || !strings.Contains(told.String(), "text/cut") {
			t.Errorf("%s:\n%s, %s; want %s", row.source, got, told, row.want)
		}
	}
	// Time does not rise with the square of what is open.
	if articles, _, _ := read(t, rssHead+"<item>"+strings.Repeat("<title>x<link>y<author>", 30000)+"<description>a</description></item>"+
		rssTail); len(articles) != 1 || articles[0].Title != "x" {
		t.Error(len(articles))
	}
}

// TestTextIsTakenFromWhereItIs when nothing else has any.
func TestTextIsTakenFromWhereItIs(t *testing.T) {
	for inner, want := range map[string]string{
		`<dc:description>a</dc:description>`:                                                                       "a",
		`<itunes:summary>a</itunes:summary>`:                                                                       "a",
		`<itunes:subtitle>a</itunes:subtitle>`:                                                                     "a",
		`<media:description>a</media:description>`:                                                                 "a",
		`<media:group><media:content url="x"/><media:description>a</media:description></media:group>`:              "a",
		`<media:content url="x"><media:description type="html">&lt;b>a&lt;/b></media:description></media:content>`: "a",
		`<itunes:subtitle>b</itunes:subtitle><itunes:summary>a</itunes:summary>`:                                   "a",
		`<itunes:summary>b</itunes:summary><dc:description>a</dc:description>`:                                     "a",
		`<media:description>b</media:description><itunes:subtitle>a</itunes:subtitle>`:                             "a",
		`<dc:description>b</dc:description><description>a</description>`:                                           "a",
		`<dc:description>a</dc:description><description/>`:                                                         "a",
		`<dc:description>&lt;p>a&lt;/p></dc:description>`:                                                          "a",
		`<d:description xmlns:d="http://purl.org/dc/elements/1.0/">a</d:description>`:                              "a",
		`<itunes:summary>b</itunes:summary><content:encoded>a</content:encoded>`:                                   "a",
	} {
		if got := textsOf(t, rssItem(inner)); got != want {
			t.Errorf("%s: %q, want %q", inner, got, want)
		}
	}
	for inner, want := range map[string]string{
		`<dc:title>a</dc:title>`: "a", `<dc:title>b</dc:title><title>a</title>`: "a", `<title/><dc:title>a</dc:title>`: "a",
		`<media:title>a</media:title>`:                   "a",
		`<itunes:title>b</itunes:title><title>a</title>`: "a", `<itunes:title>a</itunes:title><media:title>b</media:title>`: "a",
		`<media:content><media:title>a</media:title></media:content>`: "a", `<title> </title><itunes:title>a</itunes:title>`: "a",
		`<dc:title>&lt;i>a&lt;/i></dc:title>`: "a", `<title>a</title><media:content><media:title>b</media:title></media:content>`: "a",
	} {
		if articles, _, _ := read(t, rssItem(inner+`<description>x</description>`)); articles[0].Title != want {
			t.Errorf("%s: %q, want %q", inner, articles[0].Title, want)
		}
	}
}

// TestNamesAreThoseOfTheirNamespace, whatever their prefix.
func TestNamesAreThoseOfTheirNamespace(t *testing.T) {
	const atomURI, contentURI = `"http://www.w3.org/2005/Atom"`, `"http://purl.org/rss/1.0/modules/content/"`
	for _, row := range []struct{ source, want string }{
		{`<ns0:feed xmlns:ns0=` + atomURI +
			`><ns0:entry><ns0:title>T</ns0:title><ns0:content type="html">&lt;p>a&lt;/p></ns0:content></ns0:entry></ns0:feed>`, "T: a"},
		{`<ns0:feed xmlns:ns0="http://purl.org/atom/ns#"><ns0:entry><ns0:content>a</ns0:content></ns0:entry></ns0:feed>`, ": a"},
		{`<a:entry xmlns:a=` + atomURI + `><a:title>T</a:title><a:content>a</a:content></a:entry>`, "T: a"},
		{`<entry xmlns=` + atomURI + `><title>T</title><content>a</content></entry>`, "T: a"},
		{`<feed xmlns=` + atomURI + `><entry xmlns:x=` + atomURI + `><x:title>T</x:title><x:summary>a</x:summary></entry></feed>`, "T: a"},
		{`<rss xmlns:c=` + contentURI + `><channel><item><description>b</description><c:encoded>a</c:encoded></item></channel></rss>`,
			": a"},
		{`<rss><channel><item><description>b</description><c:encoded xmlns:c=` + contentURI + `>a</c:encoded></item></channel></rss>`,
			": a"},
		{`<rss xmlns:content="http://o.example/"><channel><item><description>b</description><content:encoded>a</content:encoded></item></channel></rss>`,
			": b"},
		{`<rss><channel><item><description>b</description><content:encoded>a</content:encoded></item></channel></rss>`, ": a"},
		{`<rss xmlns="http://o.example/rss"><channel><item><title>T</title><description>a</description></item></channel></rss>`, "T: a"},
		{`<rss xmlns:m="http://search.yahoo.com/mrss/"><channel><item><m:title>N</m:title><title>T</title><m:description>b</m:description><description>a</description></item></channel></rss>`,
			"T: a"},
		{`<rss><channel xmlns:d="http://purl.org/dc/elements/1.1/"><item><d:title>T</d:title><d:description>a</d:description></item></channel></rss>`,
			"T: a"},
		{`<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://purl.org/rss/1.0/"><s:item r:about="x"><s:title>T</s:title><s:description>a</s:description></s:item></r:RDF>`,
			"T: a"},
		{`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>F</title></channel><item><title>T</title><description>a</description></item></rdf:RDF>`,
			"T: a"},
		{`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://channel.netscape.com/rdf/simple/0.9/"><item><title>T</title><description>a</description></item></rdf:RDF>`,
			"T: a"},
		{`<Channel xmlns="http://purl.org/net/rss1.1#"><title>F</title><items><item><title>T</title><description>a</description></item></items></Channel>`,
			"T: a"},
		{`<rss xmlns:h="http://www.w3.org/1999/xhtml"><channel><item><h:body><h:p>a</h:p><h:p>b</h:p></h:body></item></channel></rss>`,
			": a|b"},
		{`<rss xmlns:x="http://o.example/"><channel><item><x:title>N</x:title><title>T</title><x:description>b</x:description><description>a</description></item></channel></rss>`,
			"T: a"},
	} {
		articles, _, _ := read(t, row.source)
		if len(articles) != 1 || articles[0].Title+": "+strings.ReplaceAll(articles[0].Text, "\n\n", "|") != row.want {
			t.Errorf("%s: %+v, want %s", row.source, articles, row.want)
		}
	}
}

// TestEntitiesThatTheFeedDeclares stand for their text.
func TestEntitiesThatTheFeedDeclares(t *testing.T) {
	for declared, row := range map[string][2]string{
		`<!ENTITY p "C:\data">`:                      {`&p;`, `C:\data`},
		`<!ENTITY h "hello &amp;amp; bye">`:          {`&h;`, "hello & bye"},
		`<!ENTITY p 'a "b" c'>`:                      {`x &p; y`, `x a "b" c y`},
		`<!ENTITY a "1"><!ENTITY b "&a;2">`:          {`&b;&a;`, "121"},
		`<!ENTITY a "1"><!ENTITY a "2">`:             {`&a;`, "1"},
		`<!ENTITY a "&b;"><!ENTITY b "&a;">`:         {`x &a; y`, "x &a; y"},
		`<!ENTITY e "&#233;">`:                       {`caf&e;`, "café"},
		`<!ENTITY a SYSTEM "x.txt">`:                 {`x &a; y`, "x &a; y"},
		`<!ENTITY % a "1">`:                          {`x &a; y`, "x &a; y"},
		`<!ENTITY  co   "Acme">`:                     {`&co;'s`, "Acme's"},
		`<!ENTITY t "&lt;p>a&lt;/p>">`:               {`&t;b`, "a|b"},
		`<!ENTITY nbsp "&#160;"><!ENTITY l "&#60;">`: {`a&nbsp;b &l; c`, "a\u00a0b < c"},
		`<!ENTITY c "x"><!-- <!ENTITY d "y"> -->`:    {`<![CDATA[&c;]]> &c;`, "&c; x"},
		`<!ELEMENT rss ANY><!ENTITY z "last">`:       {`&z; &#x110000;`, "last \uFFFD"},
	} {
		source := "<?xml version='1.0'?><!DOCTYPE rss [" + declared + `]><rss><channel><item><description>` + row[0] +
			`</description></item></channel></rss>`
		articles, _, _ := read(t, source)
		if len(articles) != 1 || strings.ReplaceAll(articles[0].Text, "\n\n", "|") != row[1] {
			t.Errorf("%s: %+v, want %s", source, articles, row[1])
		}
	}
	// What stands for more and more is bounded.
	bomb := `<!ENTITY a0 "aaaaaaaaaa">`
	for i := range 12 {
		bomb += fmt.Sprintf(`<!ENTITY a%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&a%d;", i), 10))
	}
	hollow := strings.Replace(bomb, "aaaaaaaaaa", "", 1)
	if _, _, count := read(t, "<!DOCTYPE rss ["+hollow+`]><rss><channel><item><description>`+strings.Repeat("&a9;", 10000)+
		`</description></item></channel></rss>`); count.Read != 1 {
		t.Error(count)
	}
	articles, _, _ := read(t, "<!DOCTYPE rss ["+bomb+`]><rss><channel><item><description>&a12;</description></item></channel></rss>`)
	if n := len(articles[0].Text); n > 100<<10 {
		t.Error(n)
	}
}

// TestNothingComesOfAFeedWithoutAWord: what has no entries, or entries without text, is told.
func TestNothingComesOfAFeedWithoutAWord(t *testing.T) {
	for _, source := range []string{
		`<rss version="2.0"><channel><title>F</title></channel></rss>`, `<rss/>`, `<rss version="2.0">`,
		`<feed xmlns="http://www.w3.org/2005/Atom"/>`, `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>`,
		`<rss><channel><item/></channel></rss>`, `<rss><channel><item></item></channel></rss>`,
		`<rss><channel><x:item xmlns:x="http://o.example/">x</x:item></channel></rss>`,
		`<rss><channel><item><description/></item></channel></rss>`,
		`<rss><channel><item><description><![CDATA[]]></description></item></channel></rss>`,
		`<entry xmlns="http://www.w3.org/2005/Atom"/>`,
		`<feed xmlns="http://www.w3.org/2005/Atom"><entry><content type="image/png">x</content></entry></feed>`,
	} {
		articles, told, count := read(t, source)
		if len(articles) != 0 || count.Kept != 0 || len(told) == 0 || !strings.Contains(told.String(), string(fault.TextEmpty)) {
			t.Errorf("%s: %v, %v", source, articles, told)
		}
	}
}
