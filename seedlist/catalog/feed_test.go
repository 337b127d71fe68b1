package catalog_test

import (
	"testing"

	"laundromat/seedlist/catalog"
)

const (
	rssHead   = `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>t</title><link>http://h.example/</link>`
	rssEnd    = `</channel></rss>`
	atomHead  = `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><id>urn:x</id>`
	soundItem = `<item><title>t</title><enclosure url="http://h.example/a.ttl" type="text/turtle"/></item>`
)

func enclosure(uri string) string {
	return `<item><title>t</title><enclosure url="` + uri + `"/></item>`
}

// A fault of the XML costs what it must, and no entry beside it.
func TestFeedsAreReadWithRecovery(t *testing.T) {
	const a, b = "http://h.example/a.ttl ", "http://h.example/b.ttl"
	odd := func(item string) string { return rssHead + item + soundItem + rssEnd }
	mended, damaged := []catalog.Reason{catalog.Mended}, []catalog.Reason{catalog.Damaged}
	checkAll(t, []named{
		{name: "a raw & in an address", text: odd(enclosure("http://h.example/b.ttl?x=1&y=2")), want: a + b + "?x=1&y=2", refused: mended,
			not: damaged},
		{name: "an entity of HTML", text: odd(`<item><title>a&nbsp;&mdash;b</title><enclosure url="` + b + `"/></item>`), want: a + b,
			not: damaged},
		{name: "an entity of the DTD in an address", text: `<!DOCTYPE rss [<!ENTITY base "http://h.example/">]>` +
			odd(enclosure("&base;b.ttl")), want: a + b, not: damaged},
		{name: "an entity that nobody declares, in a title", text: odd(`<item><title>a &foo; b</title><enclosure url="` + b + `"/></item>`),
			want: a + b, refused: mended, not: damaged},
		{name: "an entity that nobody declares, in an address", text: odd(enclosure("&foo;b.ttl")), want: a, refused: damaged},
		{name: "a raw < in a title", text: odd(`<item><title>1 < 2 and a<b</title><enclosure url="` + b + `"/></item>`), want: a + b},
		{name: "a tag that is not closed", text: odd(`<item><title>t</title><enclosure url="` + b + `"></item>`), want: a + b},
		{name: "tags that cross", text: odd(`<item><title><b>t</title></b><enclosure url="` + b + `"/></item>`), want: a + b},
		{name: "an attribute without quotation marks", text: odd(`<item><title>t</title><enclosure url=` + b +
			` type="text/turtle"/></item>`), want: a + b},
		{name: "control characters", text: odd(`<item><title>a` + "\x0b\x08" + `b</title><enclosure url="` + b + `"/></item>`), want: a + b,
			not: damaged},
		{name: "bytes that are not UTF-8", text: odd(`<item><title>caf` + "\xe9" + `</title><enclosure url="` + b + `"/></item>`), want: a +
			b, not: damaged},
		{name: "blank lines before the declaration", text: "\n \n" + odd(enclosure(b)), want: a + b, kind: catalog.Feed, not: damaged},
		{name: "a warning of PHP before the declaration", text: "<br />\n<b>Warning</b>: in <b>x.php</b> on line <b>3</b><br>\n" +
			odd(enclosure(b)), want: a + b, kind: catalog.Feed, refused: mended},
		{name: "a warning in plain text, and no declaration", text: "Warning: in x.php\n" +
			odd(enclosure(b))[len(`<?xml version="1.0"?>`):], want: a + b, kind: catalog.Feed, refused: mended},
		{name: "a declaration of XML 1.1", text: `<?xml version="1.1"?>` + odd(enclosure(b))[len(`<?xml version="1.0"?>`):], want: a + b,
			not: damaged},
		{name: "something behind the end", text: odd(enclosure(b)) + "\n<!-- cached -->", want: a + b, not: damaged},
		{name: "the feed breaks off in an entry", text: odd(enclosure(b))[:len(odd(enclosure(b)))-len(soundItem+rssEnd)+30], want: b,
			fails: true},
	})
}

func TestReferencesOfFeedsAreResolvedByXMLBase(t *testing.T) {
	entry := func(attrs, href string) string {
		return `<entry` + attrs + `><title>t</title><link rel="enclosure" href="` + href + `"/></entry></feed>`
	}
	checkAll(t, []named{
		{name: "none", text: atomHead + entry("", "a.ttl"), want: "http://site.example/a.ttl"},
		{name: "of the feed", text: `<feed xml:base="http://h.example/x/">` + entry("", "a.ttl"), want: "http://h.example/x/a.ttl"},
		{name: "of the entry", text: atomHead + entry(` xml:base="http://h.example/y/"`, "a.ttl"), want: "http://h.example/y/a.ttl"},
		{name: "of the entry, against that of the feed", text: `<feed xml:base="http://h.example/x/">` +
			entry(` xml:base="../z/"`, "a.ttl"), want: "http://h.example/z/a.ttl"},
		{name: "relative, against the page", text: `<feed xml:base="deep/">` + entry("", "a.ttl"), want: "http://site.example/deep/a.ttl"},
		{name: "of the link itself", text: atomHead + `<entry><link xml:base="http://h.example/l/" href="a.ttl"/></entry></feed>`,
			want: "http://h.example/l/a.ttl"},
		{name: "of RSS", text: `<rss xml:base="http://h.example/r/"><channel>` + enclosure("a.ttl") + rssEnd,
			want: "http://h.example/r/a.ttl"},
		{name: "an absolute link", text: `<feed xml:base="http://h.example/x/">` + entry("", "http://o.example/a.ttl"),
			want: "http://o.example/a.ttl"},
		{name: "one that is none", text: `<feed xml:base="  ">` + entry("", "a.ttl"), want: "http://site.example/a.ttl"},
		{name: "of an entry before", text: atomHead + `<entry xml:base="http://h.example/x/"><link href="a.ttl"/></entry>` +
			entry("", "b.ttl"), want: "http://h.example/x/a.ttl http://site.example/b.ttl"},
		{name: "content of another place",
			text: `<feed xml:base="http://h.example/x/"><entry><content src="c.ttl" type="text/turtle"/></entry></feed>`,
			want: "http://h.example/x/c.ttl"},
		{name: "RSS 1.0",
			text: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xml:base="http://h.example/x/"><item rdf:about="a.ttl"><title>t</title></item></rdf:RDF>`,
			want: "http://h.example/x/a.ttl"},
	})
}

func TestAnEntryGivesItsOwnDocuments(t *testing.T) {
	checkAll(t, []named{
		{name: "the source of an entry of Atom", text: atomHead +
			`<entry><link href="http://h.example/a.ttl"/><source><link href="http://other.example/o.ttl"/><title>o</title></source></entry></feed>`,
			want: "http://h.example/a.ttl"},
		{name: "a source before the link", text: atomHead +
			`<entry><source><link rel="enclosure" href="http://other.example/o.ttl"/></source><link href="http://h.example/a.ttl"/></entry></feed>`,
			want: "http://h.example/a.ttl"},
		{name: "the source of an item of RSS", text: rssHead +
			`<item><link>http://h.example/a.ttl</link><source url="http://other.example/feed.ttl">o</source></item>` + rssEnd,
			want: "http://h.example/a.ttl"},
		{name: "a source that leads on", text: atomHead +
			`<entry><link href="http://h.example/a.ttl"/><source><link rel="next" href="http://other.example/2"/></source></entry></feed>`,
			want: "http://h.example/a.ttl"},
		{name: "a guid alone", text: rssHead + `<item><guid>http://h.example/a.ttl</guid></item>` + rssEnd, want: "http://h.example/a.ttl"},
		{name: "a guid that says it is permanent", text: rssHead + `<item><guid isPermaLink="TRUE"> http://h.example/a.ttl </guid></item>` +
			rssEnd, want: "http://h.example/a.ttl"},
		{name: "a guid that isn't a link", text: rssHead +
			`<item><title>t</title><guid isPermaLink="false">http://h.example/a.ttl</guid></item>` + rssEnd,
			refused: []catalog.Reason{catalog.NoURI}},
		{name: "a guid that is a number", text: rssHead + `<item><guid>urn:uuid:1</guid></item>` + rssEnd,
			refused: []catalog.Reason{catalog.BadScheme}},
		{name: "a guid beside a link", text: rssHead +
			`<item><link>http://h.example/a.ttl</link><guid>http://h.example/?p=1</guid></item>` + rssEnd, want: "http://h.example/a.ttl"},
		{name: "media that is RDF", text: rssHead +
			`<item><link>http://h.example/a.html</link><media:content url="http://h.example/a.ttl" type="text/turtle"/></item>` + rssEnd,
			want: "http://h.example/a.ttl"},
		{name: "media that is RDF by its name, in a group", text: rssHead +
			`<item><link>http://h.example/a.html</link><media:group><media:content url="http://h.example/a.png" type="image/png"/><media:content url="http://h.example/a.nt.gz"/></media:group></item>` +
			rssEnd, want: "http://h.example/a.nt.gz"},
		{name: "media that is a picture", text: rssHead +
			`<item><link>http://h.example/a.ttl</link><media:content url="http://h.example/a.png" type="image/png"/></item>` + rssEnd,
			want: "http://h.example/a.ttl"},
		{name: "media beside an enclosure", text: rssHead +
			`<item><enclosure url="http://h.example/a.nt"/><media:content url="http://h.example/b.nt"/></item>` + rssEnd,
			want: "http://h.example/a.nt http://h.example/b.nt"},
		{name: "two enclosures", text: rssHead +
			`<item><enclosure url="http://h.example/a.nt"/><enclosure url="http://h.example/b.nt"/></item>` + rssEnd,
			want: "http://h.example/a.nt http://h.example/b.nt"},
	})
}

const (
	urlset = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>http://h.example/a</loc>`
	urlEnd = `</url></urlset>`
)

func TestSitemapsNameTheOtherFormsOfAPage(t *testing.T) {
	const a = "http://h.example/a "
	link := func(attrs string) string { return urlset + `<xhtml:link ` + attrs + `/>` + urlEnd }
	checkAll(t, []named{
		{name: "RDF by its type", text: link(`rel="alternate" type="text/turtle" href="http://h.example/get?a"`), want: a +
			"http://h.example/get?a"},
		{name: "RDF by its name", text: link(`rel="alternate" href="http://h.example/a.rdf"`), want: a + "http://h.example/a.rdf"},
		{name: "a type with parameters", text: link(`rel="alternate" type="application/ld+json; profile=x" href="/a.jsonld"`), want: a +
			"http://site.example/a.jsonld"},
		{name: "several relations", text: link(`rel="alternate describedby" type="application/rdf+xml" href="/a.rdf"`), want: a +
			"http://site.example/a.rdf"},
		{name: "without a prefix", text: urlset + `<link rel="alternate" type="application/n-triples" href="/a.nt"/>` + urlEnd, want: a +
			"http://site.example/a.nt"},
		{name: "in capitals", text: urlset + `<XHTML:LINK REL="Alternate" TYPE="text/turtle" HREF="/a.ttl"/>` + urlEnd, want: a +
			"http://site.example/a.ttl"},
		{name: "another language", text: link(`rel="alternate" hreflang="de" href="http://h.example/de/a"`), want: a},
		{name: "a picture", text: link(`rel="alternate" type="image/png" href="http://h.example/a.png"`), want: a},
		{name: "another relation", text: link(`rel="canonical" href="http://h.example/a.ttl"`), want: a},
		{name: "two forms", text: urlset +
			`<xhtml:link rel="alternate" type="text/turtle" href="/a.ttl"/><xhtml:link rel="alternate" type="application/rdf+xml" href="/a.rdf"/>` +
			urlEnd, want: a + "http://site.example/a.ttl http://site.example/a.rdf"},
		{name: "no address", text: link(`rel="alternate" type="text/turtle"`), want: a, refused: []catalog.Reason{catalog.NoURI}},
	})
}

// What a catalog named before it breaks off is read.
func TestACatalogThatBreaksOffIsReadAsFarAsItGoes(t *testing.T) {
	index := func(text string) string {
		return `<sitemapindex><sitemap><loc>http://site.example/1.xml</loc></sitemap>` + text
	}
	more := map[string]string{
		"http://site.example/1.xml": `<urlset><url><loc>http://h.example/1</loc></url></urlset>`,
		"http://site.example/2.xml": `<urlset><url><loc>http://h.example/2</loc></url></urlset>`,
		"http://site.example/2":     "http://h.example/2.nt\n",
	}
	one, first := "http://h.example/1", "http://site.example/1.xml"
	checkAll(t, []named{
		{name: "in a tag", more: more, text: index("<sitemap><lo"), want: one, asked: first, fails: true},
		{name: "in an address", more: more, text: index("<sitemap><loc>http://site.example/2"), want: one, asked: first, fails: true},
		{name: "behind an address", more: more, text: index("<sitemap><loc>http://site.example/2.xml</loc>"), want: one, asked: first,
			fails: true},
		{name: "between two", more: more, text: index(""), want: one, asked: first, fails: true},
		{name: "in a comment", more: more, text: index("<!-- and so"), want: one, asked: first, fails: true},
		{name: "an end tag too much", more: more,
			text: index("</foo><sitemap><loc>http://site.example/2.xml</loc></sitemap></sitemapindex>"), want: one + " http://h.example/2",
			asked: first + " http://site.example/2.xml"},
		{name: "a raw <", more: more, text: index("< <sitemap><loc>http://site.example/2.xml</loc></sitemap></sitemapindex>"), want: one +
			" http://h.example/2", asked: first + " http://site.example/2.xml"},
		{name: "a sitemap that is not closed", more: more, text: index("<sitemap><loc>http://site.example/2.xml</loc></sitemapindex>"),
			want: one + " http://h.example/2", asked: first + " http://site.example/2.xml"},
		{name: "a raw &", more: map[string]string{"http://site.example/1.xml": more[first],
			"http://site.example/s?a=1&b=2": more["http://site.example/2.xml"]},
			text: index("<sitemap><loc>http://site.example/s?a=1&b=2</loc></sitemap></sitemapindex>"), want: one + " http://h.example/2",
			asked: first + " http://site.example/s?a=1&b=2"},
		{name: "a bucket",
			more: map[string]string{
				"http://site.example/catalog?prefix=x%2F": `<ListBucketResult><Contents><Key>x/a.ttl</Key></Contents></ListBucketResult>`,
			},
			text: `<ListBucketResult><CommonPrefixes><Prefix>x/</Prefix></CommonPrefixes><Contents><Key>b`,
			want: "http://site.example/catalog/x/a.ttl", asked: "http://site.example/catalog?prefix=x%2F", fails: true},
		{name: "a feed", more: map[string]string{"http://site.example/2": rssHead + enclosure("http://h.example/2.nt") + rssEnd},
			text: `<feed><link rel="next" href="/2"/><entry><title>`, want: "http://h.example/2.nt", asked: "http://site.example/2",
			fails: true},
	})
}
