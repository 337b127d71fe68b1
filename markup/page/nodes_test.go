package page_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf/rdftest"
)

type silent struct{ notices []fault.Notice }

func (s *silent) Notice(n fault.Notice) { s.notices = append(s.notices, n) }

func readNodes(t testing.TB, text string) *page.Nodes {
	t.Helper()
	p, err := page.ReadNodes(context.Background(), []byte(text), page.Options{}, &silent{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// eachElement calls f with all elements, in document order.
func eachElement(n *html.Node, f func(*html.Node)) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			f(c)
		}
		eachElement(c, f)
	}
}

// inner is what is written in the first element of a name.
func inner(p *page.Nodes, name string) (text string) {
	found := false
	eachElement(p.Document, func(n *html.Node) {
		if s, ok := p.Span(n); ok && n.Data == name && !found {
			found, text = true, string(p.Source[s.Inner:s.End])
		}
	})
	return text
}

func TestSpansAreWhatIsWritten(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"<div>a &amp; b</div>", "div", "a &amp; b"},
		{"<DIV Class=x>a<BR>b</DIV >c", "div", "a<BR>b"},
		{"<ul><li>a <li>b</ul>", "li", "a "},
		{"<ul><li>a <li>b</ul>", "ul", "<li>a <li>b"},
		{"<p>a<p>b", "p", "a"},
		{"<p>a<div>b</div>", "p", "a"},
		{"<div><p>a</div>b", "div", "<p>a"},
		{"<div><p>a</div>b", "p", "a"},
		{"<div>a</span>b</div>", "div", "a</span>b"},
		{"<span>a<div>b</span>c</div>d</span>", "span", "a<div>b</span>c</div>d"},
		{"<span>a<div>b</span>c</div>d</span>", "div", "b</span>c"},
		{"<b>a<p>x</b>y</p>", "p", "x</b>y"},
		{"<table><tr><td>a<td>b</table>c", "table", "<tr><td>a<td>b"},
		{"<table><tr><td>a<td>b</table>c", "tr", "<td>a<td>b"},
		{"<table><tr><td>a<td>b</table>c", "td", "a"},
		{"<table><tr><td><div>a</td><td>b</table>", "div", "a"},
		{"<table><tr><td>a</div>b</td></tr></table>", "td", "a</div>b"},
		{"<div><img src=x>a</div>", "img", ""},
		{"<div><img src=x>a</div>", "div", "<img src=x>a"},
		{"<script>if (a<b) {}</script>x", "script", "if (a<b) {}"},
		{"<textarea><b>x</textarea>", "textarea", "<b>x"},
		{"<!-- <p>no</p> --><p>yes", "p", "yes"},
		{"<html><body>a</body></html>\n", "body", "a"},
		{"<body>a", "body", "a"},
		{"<h1>a</h2>b", "h1", "a"},
		{"<dl><dt>a<dd>b<dt>c</dl>", "dd", "b"},
		{"<svg><path d='x'/><g>a</g></svg>", "svg", "<path d='x'/><g>a</g>"},
		{"<svg><style><![CDATA[ a<b>c ]]></style></svg>z", "style", "<![CDATA[ a<b>c ]]>"},
		{"<a href=x>a<div>b</div></a>", "a", "a<div>b</div>"},
		{"<select><option>a<option>b</select>", "option", "a"},
		{"<div title='>'>a</div>", "div", "a"},
		{"<body><noscript><p>a</noscript>", "noscript", "<p>a"},
	} {
		if got := inner(readNodes(t, c.text), c.name); got != c.want {
			t.Errorf("%s: in %s %q, want %q", c.text, c.name, got, c.want)
		}
	}
}

// written is an element that the generator wrote, with what it wrote in it.
type written struct{ id, inner string }

func generate(r *rand.Rand, b *strings.Builder, depth int, all *[]written) {
	for range 1 + r.Intn(4) {
		switch n := r.Intn(6); {
		case n == 0 || depth > 5:
			b.WriteString([]string{"text ", "é &amp; ", "a\r\nb ", "<br>", "<!-- <p> -->", "<img alt='<b>'>"}[r.Intn(6)])
		default:
			name := []string{"div", "section", "ul", "span", "article", "em"}[r.Intn(6)]
			if r.Intn(3) == 0 {
				name = strings.ToUpper(name)
			}
			id := fmt.Sprintf("n%d", len(*all))
			*all = append(*all, written{})
			at := len(*all) - 1
			fmt.Fprintf(b, "<%s id=%s>", name, id)
			var in strings.Builder
			generate(r, &in, depth+1, all)
			(*all)[at] = written{id, in.String()}
			b.WriteString(in.String() + "</" + name + ">")
		}
	}
}

func TestSpansOfGeneratedPages(t *testing.T) {
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(seed))
		var b strings.Builder
		var all []written
		generate(r, &b, 0, &all)
		p := readNodes(t, "<!DOCTYPE html><title>t</title><body>"+b.String())
		found := map[string]string{}
		eachElement(p.Document, func(n *html.Node) {
			for _, a := range n.Attr {
				if s, ok := p.Span(n); a.Key == "id" && ok {
					found[a.Val] = string(p.Source[s.Inner:s.End])
				}
			}
		})
		for _, w := range all {
			if found[w.id] != w.inner {
				t.Fatalf("seed %d: in %s %q, want %q", seed, w.id, found[w.id], w.inner)
			}
		}
	}
}

// The numbers in the tags change nothing in the tree.
func TestNumbersChangeNoTree(t *testing.T) {
	files, _ := filepath.Glob(rdftest.Shared(t, "text", "readability") + "/*/source.html")
	for i, f := range files {
		if i%5 != 0 {
			continue
		}
		text, _ := os.ReadFile(f)
		p := readNodes(t, string(text))
		plain, err := html.ParseWithOptions(strings.NewReader(string(text)), html.ParseOptionEnableScripting(false))
		if err != nil {
			t.Fatal(err)
		}
		eachElement(p.Document, func(n *html.Node) {
			if page.Number(n) >= 0 {
				n.Attr = n.Attr[1:]
			}
		})
		var a, b strings.Builder
		if html.Render(&a, p.Document) != nil || html.Render(&b, plain) != nil || a.String() != b.String() {
			t.Errorf("%s: the trees differ", f)
		}
	}
}

func BenchmarkNodes(b *testing.B) {
	files, _ := filepath.Glob(rdftest.Shared(b, "text", "readability") + "/*/source.html")
	var all [][]byte
	n := 0
	for _, f := range files {
		text, _ := os.ReadFile(f)
		all, n = append(all, text), n+len(text)
	}
	for name, read := range map[string]func(text []byte) error{
		"parser": func(text []byte) error {
			_, err := html.Parse(strings.NewReader(string(text)))
			return err
		},
		"nodes": func(text []byte) error {
			_, err := page.ReadNodes(context.Background(), text, page.Options{}, &silent{})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				for _, text := range all {
					if err := read(text); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
