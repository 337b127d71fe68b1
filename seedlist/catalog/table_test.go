package catalog_test

import (
	"testing"

	"laundromat/seedlist/catalog"
)

func TestATableNeedsNoHead(t *testing.T) {
	const a, b, both = "http://h.example/a.nt", "http://h.example/b.nt", "http://h.example/a.nt http://h.example/b.nt"
	row := func(name, text string) named { return named{name: name, text: text, kind: catalog.Table, want: both} }
	list := func(name, text, want string) named {
		return named{name: name, text: text, kind: catalog.List, want: want}
	}
	checkAll(t, []named{
		row("address, media type, size", a+",application/n-triples,1200\n"+b+",application/n-triples,310\n"),
		row("address and media type", a+",text/turtle\n"+b+",text/turtle\n"),
		row("address and format", a+",nt\n"+b+",nt\n"),
		row("address and size", a+",1200\n"+b+",310\n"),
		row("address and date", a+",2024-01-01\n"+b+",2024-01-01\n"),
		row("semicolons", a+";text/turtle;1\n"+b+";text/turtle;2\n"),
		row("strokes", a+"|text/turtle\n"+b+"|text/turtle\n"),
		row("tabs", a+"\tx\n"+b+"\ty\n"),
		row("a title first", "A,"+a+",text/turtle\nB,"+b+",text/turtle\n"),
		row("a title first, semicolons", "A;"+a+"\nB;"+b+"\n"),
		row("two addresses", a+","+b+"\n"),
		row("quotation marks", `"`+a+`","text/turtle"`+"\n"+`"`+b+`","text/turtle"`+"\n"),
		{name: "an address without a known name", text: "http://h.example/get?1,text/turtle\n", kind: catalog.Table,
			want: "http://h.example/get?1"},
		list("addresses with commas", "http://h.example/x,y\nhttp://h.example/x,z\n", "http://h.example/x,y http://h.example/x,z"),
		list("places on a map", "http://h.example/51.5,0.12\n", "http://h.example/51.5,0.12"),
		list("a version behind a semicolon", "http://h.example/a.nt;v=1\n", "http://h.example/a.nt;v=1"),
		list("a version behind a comma", "http://h.example/a.nt,v1\n", "http://h.example/a.nt,v1"),
		list("addresses with semicolons", "http://h.example/x;v=1\n", "http://h.example/x;v=1"),
	})
}

func TestTheHeadOfATableIsKnownByItsWords(t *testing.T) {
	head := func(name, head string) named {
		return named{name: name, text: head + "\nLake,http://h.example/lake.nt,x\n", kind: catalog.Table, want: "http://h.example/lake.nt"}
	}
	checkAll(t, []named{
		{name: "a line that names the separator", text: "sep=;\nname;url\nLake;http://h.example/lake.nt\n", kind: catalog.Table,
			want: "http://h.example/lake.nt"},
		{name: "another separator, and CRLF", text: "sep=,\r\nname,url\r\nLake,http://h.example/lake.nt\r\n", kind: catalog.Table,
			want: "http://h.example/lake.nt"},
		{name: "in quotation marks, behind a byte order mark", text: "\uFEFF\"sep=|\"\nname|url\nLake|http://h.example/lake.nt\n",
			kind: catalog.Table, want: "http://h.example/lake.nt"},
		{name: "before a table without a head", text: "SEP=;\nLake;http://h.example/lake.nt\n", kind: catalog.Table,
			want: "http://h.example/lake.nt"},
		{name: "another separator in the cells", text: "sep=;\nname;url\na,b;http://h.example/lake.nt\n", kind: catalog.Table,
			want: "http://h.example/lake.nt"},
		head("download link", "Name,Download Link,Notes"),
		head("with an underscore", "name,data_url,notes"),
		head("in one word with a capital", "name,fileUrl,notes"),
		head("in brackets", "Name,Download (URL),Notes"),
		head("a phrase", "Name,Link to the file,Notes"),
		head("link of data", "Name,Data link,Homepage URL"),
		head("beside a licence", "Name,Dump URL,License URL"),
		head("known before guessed", "name,url,image link"),
		{name: "none that speaks of data", text: "name,homepage url,logo link\nLake,http://h.example/,http://h.example/l.png\n",
			fails: true},
	})
}

func TestWhatStandsBehindAURIInAListIsNoPartOfIt(t *testing.T) {
	row := func(name, line string) named {
		return named{name: name, text: "http://h.example/a.nt\n" + line + "\n", kind: catalog.List,
			want: "http://h.example/a.nt http://h.example/b.nt"}
	}
	first := row("in the first line", "http://h.example/b.nt")
	first.text = "http://h.example/a.nt # the first\nhttp://h.example/b.nt\n"
	checkAll(t, []named{
		first,
		row("a remark", "http://h.example/b.nt # all of it"),
		row("a remark without a space", "http://h.example/b.nt #all"),
		row("behind a tab", "http://h.example/b.nt\t# all"),
		row("in brackets", "http://h.example/b.nt (12 MB)"),
		row("in square brackets", "http://h.example/b.nt [ok]"),
		row("behind a dash", "http://h.example/b.nt – all of it"),
		row("behind two strokes", "http://h.example/b.nt // all"),
		row("behind an address in angle brackets", "<http://h.example/b.nt> # all"),
		row("in quotation marks", `http://h.example/b.nt "All of it"`),
		row("a media type", "http://h.example/b.nt   application/n-triples"),
		row("spaces alone", "  http://h.example/b.nt   "),
		{name: "a fragment", text: "http://h.example/a#b\n", want: "http://h.example/a#b"},
	})
}

// A field of two addresses is never one seed.
func TestTwoAddressesInAFieldAreTwo(t *testing.T) {
	const both = "http://h.example/a.nt http://o.example/b.nt"
	loc := func(name, text string) named {
		return named{name: name, text: "<urlset><url><loc>" + text + "</loc></url></urlset>", want: both}
	}
	checkAll(t, []named{
		loc("a space", "http://h.example/a.nt http://o.example/b.nt"),
		loc("a line end", "http://h.example/a.nt\n  http://o.example/b.nt"),
		loc("a comma", "http://h.example/a.nt,http://o.example/b.nt"),
		loc("a comma and a space", "http://h.example/a.nt, http://o.example/b.nt"),
		loc("a semicolon", "http://h.example/a.nt;http://o.example/b.nt"),
		loc("a stroke", "http://h.example/a.nt | http://o.example/b.nt"),
		{name: "in a list", text: "http://h.example/a.nt http://o.example/b.nt\n", want: both},
		{name: "in a cell", text: "url,title\n\"http://h.example/a.nt; http://o.example/b.nt\",x\n", want: both},
		{name: "in a feed", text: rssHead + "<item><link>http://h.example/a.nt\nhttp://o.example/b.nt</link></item>" + rssEnd, want: both},
		{name: "in an enclosure", text: rssHead + enclosure("http://h.example/a.nt http://o.example/b.nt") + rssEnd, want: both},
		{name: "in CKAN",
			text: `{"success":true,"result":{"resources":[{"url":"http://h.example/a.nt http://o.example/b.nt","format":"NT"}]}}`,
			want: both},
		{name: "in Turtle", text: `<> <http://www.w3.org/ns/dcat#downloadURL> "http://h.example/a.nt http://o.example/b.nt" .`, want: both},
		{name: "in JSON by its keys",
			text: `{"dataset":[{"distribution":[{"downloadURL":"http://h.example/a.nt http://o.example/b.nt"}]}]}`, want: both},
		{name: "an address in the query", text: "http://h.example/get?from=http://o.example/a.nt,http://o.example/b.nt\n",
			want: "http://h.example/get?from=http://o.example/a.nt,http://o.example/b.nt"},
		{name: "an address in the path", text: "http://h.example/web/2020/http://o.example/b.nt\n",
			want: "http://h.example/web/2020/http://o.example/b.nt"},
		{name: "an address broken over two lines", text: "<urlset><url><loc>http://h.example/\na.nt</loc></url></urlset>",
			want: "http://h.example/a.nt"},
	})
}
