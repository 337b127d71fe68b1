package weblink_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/weblink"
)

func told(links []weblink.Link) string {
	var b strings.Builder
	for _, l := range links {
		fmt.Fprintf(&b, "%s|%s|%s|%s\n", l.Target, strings.Join(l.Rel, ","), l.Type, l.Anchor)
	}
	return b.String()
}

func TestHeadersAreReadAsTheyAreWritten(t *testing.T) {
	for _, test := range []struct{ name, header, want string }{
		{"one", `<d.ttl>; rel="alternate"; type="text/turtle"`, "d.ttl|alternate|text/turtle|\n"},
		{"tokens", `<d.ttl>;rel=alternate;type=text/turtle`, "d.ttl|alternate|text/turtle|\n"},
		{"two in one", `<a>; rel=x, <b>; rel="y z"`, "a|x||\nb|y,z||\n"},
		{"capitals", `<a>; REL="Alternate"; Type="Text/Turtle; charset=utf-8"`, "a|alternate|text/turtle|\n"},
		{"the first counts", `<a>; rel=x; rel=y; type=a/b; type=c/d`, "a|x|a/b|\n"},
		{"a comma in a URI", `<a,b>; rel=x, <c>; rel=y`, "a,b|x||\nc|y||\n"},
		{"a comma and an escape in quotes", `<a>; title="a, \"<z>; rel=no"; rel=x, <c>; rel=y`, "a|x||\nc|y||\n"},
		{"an anchor", `<a>; anchor="#part"; rel=x`, "a|x||#part\n"},
		{"white space", " < a > \t; rel = x ; type = \"a/b\" ,<b>", "a|x|a/b|\nb|||\n"},
		{"a parameter without a value", `<a>; crossorigin; rel=x`, "a|x||\n"},
		{"no brackets", `a; rel=x, <b>; rel=y`, "b|y||\n"},
		{"no end", `<a; rel=x`, ""},
		{"quotes without an end", `<a>; rel="x`, "a|x||\n"},
		{"nothing", ``, ""},
	} {
		if got := told(weblink.Parse([]string{test.header})); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestPagesTellTheirLinks(t *testing.T) {
	const page = `<!DOCTYPE html><html><head><base href="/b/"><base href="/c/">
<LINK REL="Alternate Meta" TYPE="text/turtle;charset=utf-8" HREF=" d.ttl?a=1&amp;b=2 ">
<link rel=alternate href=untyped.nt><link type="text/turtle" href="norel.ttl"><link rel=alternate type=text/turtle>
<!-- <link rel="alternate" type="text/turtle" href="comment.ttl"> -->
<script>"<link rel='alternate' type='text/turtle' href='script.ttl'>"</script></head>
<body><a rel="alternate" type="application/rdf+xml" href="e.rdf">RDF</a><a rel="alternate" href="no.html">x</a>
<a href="plain">x</a></body></html>`
	base, links, err := weblink.Page(strings.NewReader(page))
	const want = "d.ttl?a=1&b=2|alternate,meta|text/turtle|\nuntyped.nt|alternate||\ne.rdf|alternate|application/rdf+xml|\n"
	if got := told(links); base != "/b/" || got != want || err != nil {
		t.Errorf("%q %v\n%s", base, err, got)
	}
}

func FuzzWhatIsWrittenIsRead(f *testing.F) {
	f.Add("http://example.org/a,b;c", `a "quoted" \ title`)
	f.Add("", "")
	f.Fuzz(func(t *testing.T, target, title string) {
		weblink.Parse([]string{target, title})
		weblink.Page(strings.NewReader(target))
		if strings.ContainsAny(target, "<>") || len(target)+len(title) > 10_000 {
			return
		}
		quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(title)
		links := weblink.Parse([]string{fmt.Sprintf(`<%s>; title="%s"; rel=x, <b>; anchor="%s"; rel=y`, target, quoted, quoted)})
		if len(links) != 2 || links[0].Target != strings.TrimSpace(target) || !links[0].Has("x") || !links[1].Has("y") ||
			links[1].Anchor != strings.TrimSpace(title) {
			t.Errorf("%+v", links)
		}
	})
}
