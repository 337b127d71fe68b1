package catalog_test

import (
	"strings"
	"testing"

	"laundromat/seedlist/catalog"
)

// A folder is read as such a one, whatever shows it: its documents, and those of the folders in it. What
// is above, and other orders of it, are not asked for.
func TestFoldersAreEnteredWhateverListsThem(t *testing.T) {
	const at = "http://site.example/data/"
	sub := map[string]string{
		at + "sub/":                  `<title>Index of /data/sub</title><a href="../">../</a><a href="s.ttl">s.ttl</a>`,
		at + "sub":                   `<ul><li><a href="/data/">..</a><li><a href="/data/sub/s.ttl">s.ttl</a><li><a href="/data/sub/s.txt">s.txt</a></ul>`,
		at:                           "",
		"http://site.example/":       `<title>Index of /</title><a href="data/">data/</a><a href="secret.ttl">secret.ttl</a>`,
		"http://site.example/other/": `<title>Index of /other</title><a href="other.ttl">other.ttl</a>`,
	}
	both := at + "a.ttl " + at + "sub/s.ttl"
	row := func(name, text string) named {
		return named{name: name, at: at, text: text, more: sub, kind: catalog.Listing, want: both, asked: at + "sub/"}
	}
	serve := row("serve: no slash behind a folder",
		`<!DOCTYPE html><title>Files within data/</title><h1><i>Index of&nbsp;</i><a href="/">host/</a><a href="/data/">data/</a></h1><ul id="files"><li><a href="/" title=".." class="folder">..</a></li><li><a href="/data/sub" title="sub/" class="folder ">sub/</a></li><li><a href="/data/a.ttl" title="a.ttl" class="ttl">a.ttl</a></li></ul>`)
	serve.asked = at + "sub"
	query := row("folders with a query of their own",
		`<title>Index of /data</title><a href="a.ttl">a.ttl</a><a href="sub/?version=1">sub/</a>`)
	query.more = map[string]string{at + "sub/?version=1": sub[at+"sub/"]}
	query.asked = at + "sub/?version=1"
	bare := func(name, text string) named { // not called a listing: it may be anybody's page
		n := row(name, text)
		n.kind = catalog.HTML
		return n
	}
	short := bare("a bare list of folders", `<ul><li><a href="sub/">sub/</a></ul>`)
	short.want = at + "sub/s.ttl"
	checkAll(t, []named{
		row("Apache", `<html><head><title>Index of /data</title></head><table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr><tr><td><a href="/">Parent Directory</a></td></tr><tr><td><a href="a.ttl">a.ttl</a></td><td>2020-01-01 00:00</td></tr><tr><td><a href="sub/">sub/</a></td></tr></table>`),
		row("Apache in German",
			`<title>Index von /data</title><h1>Index von /data</h1><pre><a href="?C=N;O=D">Name</a> <a href="?C=M;O=A">Zuletzt ge&auml;ndert</a><hr><a href="/">&Uuml;bergeordnetes Verzeichnis</a> -
<a href="a.ttl">a.ttl</a> 2020-01-01 00:00 12
<a href="sub/">sub/</a> 2020-01-01 00:00 -</pre>`),
		row("names that are cut off",
			`<title>Verzeichnis /data</title><a href="/">Zur&uuml;ck</a><a href="a.ttl">a.t..&gt;</a><a href="sub/">su..&gt;</a>`),
		row("IIS", `<html><head><title>site.example - /data/</title></head><body><H1>site.example - /data/</H1><hr><pre><A HREF="/">[To Parent Directory]</A><br><br> 1/1/2020 12:00 AM &lt;dir&gt; <A HREF="/data/sub/">sub</A><br> 1/1/2020 12:00 AM 123 <A HREF="/data/a.ttl">a.ttl</A><br></pre>`),
		row("IIS in French",
			`<title>site.example - /data/</title><pre><A HREF="/">[Vers le r&eacute;pertoire parent]</A><br> &lt;r&eacute;p&gt; <A HREF="/data/sub/">sub</A><br> <A HREF="/data/a.ttl">a.ttl</A></pre>`),
		row("fancyindex: folders that keep the order",
			`<title>Index of /data/</title><table id="list"><tr><th><a href="?C=N&amp;O=A">File Name</a></th></tr><tr><td><a href="../?C=N&amp;O=A">Parent directory/</a></td></tr><tr><td><a href="sub/?C=N&amp;O=A" title="sub">sub/</a></td></tr><tr><td><a href="a.ttl" title="a.ttl">a.ttl</a></td></tr></table>`),
		row("Caddy", `<!DOCTYPE html><title>/data/</title><table><tr><th><a href="?sort=name&amp;order=desc">Name</a><a href="?sort=size&amp;order=asc">Size</a></th></tr><tr><td><a href=".."><span class="goup">Go up</span></a></td></tr><tr><td><a href="./sub/"><span class="name">sub</span></a></td></tr><tr><td><a href="./a.ttl"><svg></svg><span class="name">a.ttl</span></a></td></tr></table>`),
		serve,
		row("h5ai, without its program",
			`<!DOCTYPE html><html class="no-js"><title>site.example - powered by h5ai v0.29.0</title><div id="fallback"><table><tr><td><img></td><td><a href="..">Parent Directory</a></td></tr><tr><td></td><td><a href="/data/sub/">sub</a></td></tr><tr><td></td><td><a href="/data/a.ttl">a.ttl</a></td></tr></table></div><a href="https://larsjung.de/h5ai/">powered by h5ai</a>`),
		row("h5ai in noscript",
			`<!DOCTYPE html><title>site.example</title><noscript><table><tr><td><a href="..">Parent Directory</a></td></tr><tr><td><a href="/data/sub/">sub</a></td></tr><tr><td><a href="/data/a.ttl">a.ttl</a></td></tr></table></noscript>`),
		bare("a bare list", `<ul><li><a href="a.ttl">a.ttl</a></li><li><a href="sub/">sub/</a></li></ul>`),
		bare("bare links", `<a href="sub/">sub/</a><br><a href="a.ttl">a.ttl</a><br>`),
		short,
		row("preformatted text with the folder above",
			"<pre><a href=\"..\">..</a>\n<a href=\"sub/\">sub/</a>\n<a href=\"a.ttl\">a.ttl</a>\n</pre>"),
		bare("absolute links",
			`<html><body><a href="http://site.example/data/a.ttl">a.ttl</a> <a href="http://site.example/data/sub/">sub</a></body></html>`),
		bare("icons before the names",
			`<html><body><p><a href="a.ttl">&#128196; a.ttl</a></p><p><a href="sub/">&#128193; sub</a></p></body></html>`),
		row("a list in the folder above too",
			`<title>Index of /data</title><a href="/other/">other</a><a href="a.ttl">a.ttl</a><a href="sub/">sub/</a>`),
		query,
		func() named {
			n := bare("a description in the head",
				`<link rel="describedby" href="/void"><ul><li><a href="a.ttl">a.ttl</a></li><li><a href="sub/">sub/</a></li></ul>`)
			n.more = map[string]string{at + "sub/": sub[at+"sub/"],
				"http://site.example/void": `<> <http://rdfs.org/ns/void#dataDump> <http://h.example/d.nt> .`}
			n.asked, n.want = at+"sub/ http://site.example/void", both+" http://h.example/d.nt"
			return n
		}(),
	})
}

// A page for people stays one, though it has links to what is beside it.
func TestAPageForPeopleIsNoFolder(t *testing.T) {
	const at = "http://site.example/"
	page := func(name, text, want string) named {
		return named{name: name, at: at, text: `<!DOCTYPE html><html><head><title>Data</title></head><body>` + text, kind: catalog.HTML,
			want: want, more: map[string]string{at + "about/": "<p>About"}}
	}
	checkAll(t, []named{
		page("navigation", `<a href="/">Home</a><a href="about/">About</a><a href="contact/">Contact us</a><a href="a.ttl">All of it</a>`,
			at+"a.ttl"),
		page("names in capitals", `<a href="about/">About</a><a href="a.ttl">Turtle</a>`, at+"a.ttl"),
		page("a document called by its name, among others",
			`<a href="a.ttl">a.ttl</a><a href="http://o.example/">o</a><a href="http://p.example/">p</a><a href="http://q.example/">q</a>`,
			at+"a.ttl"),
		page("one document called by its name", `<a href="a.ttl">a.ttl</a>`, at+"a.ttl"),
		page("documents elsewhere", `<a href="http://h.example/a.ttl">a.ttl</a><a href="http://h.example/b.ttl">b.ttl</a>`,
			"http://h.example/a.ttl http://h.example/b.ttl"),
		page("documents in a folder", `<a href="x/a.ttl">a.ttl</a><a href="x/b.ttl">b.ttl</a><a href="about/">about</a>`, at+"x/a.ttl "+at+
			"x/b.ttl"),
		{name: "a page in a folder", at: at + "index.html", kind: catalog.HTML,
			text: `<html><a href="a.ttl">a.ttl</a><a href="about/">about</a>`, want: at + "a.ttl"},
		page("no text", `<a href="a.ttl"><img></a><a href="about/"><img></a>`, at+"a.ttl"),
		page("parts of itself", `<a href="#a">a</a><a href="#b">b</a><a href="a.ttl">RDF</a>`, at+"a.ttl"),
		page("languages", `<a href="de/">Deutsch</a><a href="en/">English</a><a href="a.ttl">RDF</a>`, at+"a.ttl"),
	})
}

func TestLinksOfAPageAreRDFByWhatTheySay(t *testing.T) {
	page := func(name, link, want string) named {
		return named{name: name, text: `<!DOCTYPE html><title>Files</title><a href="http://h.example/x.nt">x</a> ` + link,
			want: "http://h.example/x.nt " + want}
	}
	a := func(uri string) string { return `<a href="` + strings.ReplaceAll(uri, "&", "&amp;") + `">It</a>` }
	same := func(name, uri string) named { return page(name, a(uri), uri) }
	none := func(name, uri string) named { return page(name, a(uri), "") }
	checkAll(t, []named{
		same("a name in the query", "http://h.example/get?file=bees.nt.gz"),
		same("a name with a path in the query", "http://h.example/get.php?id=3&path=dumps/bees.ttl"),
		same("an archive in the query", "http://h.example/get?f=dump.zip"),
		same("a format", "http://h.example/export?format=ttl"),
		same("a format in capitals", "http://h.example/export?Format=RDF/XML"),
		same("a media type", "http://h.example/export?accept=text/turtle"),
		same("a media type with a plus", "http://h.example/export?output=application/rdf+xml"),
		same("a media type that is written for a URI", "http://h.example/export?mime=application%2Fn-triples"),
		same("another separator", "http://h.example/export?id=1;format=n3"),
		same("an export of a wiki", "http://h.example/index.php?title=Special:Export&type=jsonld"),
		none("another format", "http://h.example/export?format=csv"),
		none("the address of another in the query", "http://h.example/view?url=http://o.example/x.ttl"),
		none("a word that is a format by chance", "http://h.example/search?q=turtle"),
		none("a question", "http://h.example/sparql?query=SELECT+*+{?s+?p+?o}"),
		page("the name to save it by", `<a href="/get/17" download="bees.ttl">Bees</a>`, "http://site.example/get/17"),
		page("the name to save it by, packed", `<a href="/get/17" download="bees.nt.gz">Bees</a>`, "http://site.example/get/17"),
		page("a download without a name", `<a href="/get/17" download>Bees</a>`, ""),
		page("a download of a table", `<a href="/get/17" download="bees.csv">Bees</a>`, ""),
		page("a link in noscript", `<script>more()</script><noscript><p><a href="http://h.example/two.nt">two</a></p></noscript>`,
			"http://h.example/two.nt"),
		page("a link in noscript in the head", `<noscript><link rel="alternate" type="text/turtle" href="http://h.example/two"></noscript>`,
			"http://h.example/two"),
		page("a link behind noscript that is not closed", `<noscript><p>No script<a href="http://h.example/two.nt">two</a>`,
			"http://h.example/two.nt"),
	})
}

func TestTheNextPageIsAskedFor(t *testing.T) {
	const at = "http://site.example/catalog"
	more := map[string]string{
		at + "?page=2": `<!DOCTYPE html><title>2</title><a href="http://h.example/2.nt">2</a><a rel="next" href="?page=3">&gt;</a>`,
		at + "?page=3": `<!DOCTYPE html><title>3</title><a href="http://h.example/3.nt">3</a>`,
		at + "/p2":     "http://h.example/p2.nt\n",
	}
	one, all, both := "http://h.example/1.nt", "http://h.example/1.nt http://h.example/2.nt http://h.example/3.nt", at+"?page=2 "+at+
		"?page=3"
	html := func(head, body string) string {
		return `<!DOCTYPE html><html><head><title>1</title>` + head + `</head><body><a href="http://h.example/1.nt">1</a>` + body
	}
	list := "http://h.example/1.nt\n"
	checkAll(t, []named{
		{name: "link in the head", text: html(`<link rel="next" href="?page=2">`, ""), more: more, want: all, asked: both},
		{name: "link in the body", text: html("", `<a rel="next" href="?page=2">more</a>`), more: more, want: all, asked: both},
		{name: "several relations", text: html(`<link rel="NEXT nofollow" href="?page=2">`, ""), more: more, want: all, asked: both},
		{name: "both", text: html(`<link rel="next" href="?page=2">`, `<a rel="next" href="?page=2">more</a>`), more: more, want: all,
			asked: both},
		{name: "the page before", text: html(`<link rel="prev" href="?page=2">`, ""), more: more, want: one},
		{name: "itself", text: html(`<link rel="next" href="">`, ""), more: more, want: one},
		{name: "in a header", text: list, link: `</catalog/p2>; rel="next"`, more: more, want: one + " http://h.example/p2.nt", asked: at +
			"/p2"},
		{name: "in a header, of this page", text: list, link: `</catalog/p2>; rel="next"; anchor="/catalog"`, more: more, want: one +
			" http://h.example/p2.nt", asked: at + "/p2"},
		{name: "in a header, of a part of this page", text: list, link: `</catalog/p2>; rel="next"; anchor="#x"`, more: more, want: one +
			" http://h.example/p2.nt", asked: at + "/p2"},
		{name: "in a header, of another page", text: list, link: `</catalog/p2>; rel="next"; anchor="/other/list"`, more: more, want: one},
		{name: "in a header, of another host", text: list, link: `</catalog/p2>; anchor="http://o.example/"; rel=next`, more: more,
			want: one},
		{name: "a description of another page", text: list, link: `</catalog/p2>; rel="describedby"; anchor="/other"`, more: more,
			want: one},
	})
}

func TestAPageThatNamesNothingIsSearchedForByCustom(t *testing.T) {
	const site = "http://site.example"
	map1 := `<urlset><url><loc>http://h.example/1</loc></url></urlset>`
	row := func(name, robots string, asked string, more ...string) named {
		n := named{name: name, at: site + "/", text: `<!DOCTYPE html><title>Welcome</title><p>Hello`, more: map[string]string{},
			asked: asked}
		if robots != "" {
			n.more[site+"/robots.txt"] = robots
			n.asked += " " + site + "/robots.txt"
		}
		for _, uri := range more {
			n.more[uri] = map1
		}
		if asked != "" {
			n.want = "http://h.example/1"
		}
		return n
	}
	unreachable := row("a sitemap that is not there", "Sitemap: /none.xml", "")
	unreachable.refused = []catalog.Reason{catalog.Unreachable}
	names := row("of a page that names something it is not asked for", "", "")
	names.text, names.want, names.more[site+"/robots.txt"] = `<!DOCTYPE html><title>Welcome</title><a href="a.nt">a</a>`, site+"/a.nt",
		"Sitemap: /m.xml"
	checkAll(t, []named{
		row("the usual place", "", site+"/sitemap.xml", site+"/sitemap.xml"),
		row("named by robots.txt", "User-agent: *\nDisallow: /x\nSitemap: "+site+"/maps/1.xml\n", site+"/maps/1.xml", site+"/maps/1.xml"),
		row("in lower case, and relative", "sitemap : /maps/1.xml", site+"/maps/1.xml", site+"/maps/1.xml"),
		row("with a remark", "Sitemap: /maps/1.xml # all\r\n", site+"/maps/1.xml", site+"/maps/1.xml"),
		row("between groups", "User-agent: a\nDisallow:\n\nSitemap: /maps/1.xml\n\nUser-agent: b\nDisallow: /\n", site+"/maps/1.xml",
			site+"/maps/1.xml"),
		row("named as it is by custom", "Sitemap: "+site+"/sitemap.xml", site+"/sitemap.xml", site+"/sitemap.xml"),
		row("in a remark", "# Sitemap: /maps/1.xml", "", site+"/maps/1.xml"),
		row("a robots.txt without one", "User-agent: *\nDisallow: /", ""),
		row("a robots.txt that is empty", "\n", ""),
		row("a path that looks like one", "Disallow: /sitemap: /maps/1.xml", "", site+"/maps/1.xml"),
		unreachable,
		names,
	})
}

func TestPagesOfATreeAreFollowed(t *testing.T) {
	const at, px = "http://site.example/catalog", "@prefix tree: <https://w3id.org/tree#> . @prefix dcat: <http://www.w3.org/ns/dcat#> .\n"
	data := func(n string) string {
		return px + "<#d> dcat:distribution [ dcat:downloadURL <http://h.example/" + n + ".ttl> ] .\n"
	}
	rel := func(uris ...string) (text string) {
		for _, uri := range uris {
			text += "<> tree:relation [ a tree:GreaterThanRelation ; tree:node <" + uri + "> ] .\n"
		}
		return text
	}
	chain := map[string]string{at + "/2": data("2") + rel(at+"/3"), at + "/3": data("3")}
	tree := map[string]string{at + "/2": data("2"), at + "/3": data("3"), at + "/4": px + rel(at+"/2", at+"/3")}
	h := func(names string) (all string) {
		for _, n := range strings.Fields(names) {
			all += " http://h.example/" + n + ".ttl"
		}
		return all
	}
	checkAll(t, []named{
		{name: "one after another", text: data("1") + rel(at+"/2"), more: chain, want: h("1 2 3"), asked: at + "/2 " + at + "/3"},
		{name: "branches", text: data("1") + rel(at+"/2", at+"/3"), more: tree, want: h("1 2 3"), asked: at + "/2 " + at + "/3"},
		{name: "a root that names nothing else", text: px + rel(at+"/2"), more: chain, want: h("2 3"), asked: at + "/2 " + at + "/3"},
		{name: "branches of branches", text: px + rel(at+"/4"), more: tree, want: h("2 3"), asked: at + "/2 " + at + "/3 " + at + "/4"},
		{name: "relative", text: data("1") + rel("catalog/3"), more: chain, want: h("1 3"), asked: at + "/3"},
		{name: "by its view", text: data("1") + "<#all> tree:view <> . <> tree:relation [ tree:node <catalog/3> ] .", more: chain,
			want: h("1 3"), asked: at + "/3"},
		{name: "the old prefix of http", text: strings.ReplaceAll(data("1")+rel(at+"/3"), "https://w3id", "http://w3id"), more: chain,
			want: h("1 3"), asked: at + "/3"},
		{name: "in circles", text: data("1") + rel(at+"/3", at), more: chain, want: h("1 3"), asked: at + "/3"},
		{name: "a node that is a text", text: data("1") + "<> tree:relation [ tree:node \"" + at + "/3\" ] .", more: chain, want: h("1")},
		{name: "a relation that has none", text: data("1") + "<> tree:relation [ a tree:Relation ] .", more: chain, want: h("1")},
		{name: "nothing at all", text: px + rel(at+"/9"), more: chain, refused: []catalog.Reason{catalog.Unreachable}},
	})
}
