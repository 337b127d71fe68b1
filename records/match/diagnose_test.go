package match_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/match"
	"laundromat/records/spec"
)

// fixture is a page with a spec that fits it.
type fixture struct{ name, spec, page string }

const catalog = `<!DOCTYPE html><html><head><title>Data</title></head><body>
<div id="nav"><a class="home" href="/">Home</a> <a href="/about" class="about">About</a></div>
<div class="results"><h2>3 datasets</h2>
<article class="dataset"><header><h3 class="title"><a href="/d/1">Trees</a></h3><span class="org">City of A</span></header>
 <p class="notes">All trees.</p><ul class="formats"><li class="format">CSV</li><li class="format">JSON</li></ul><time datetime="2019-01-02">2 January 2019</time><span class="licence">CC0</span></article>
<article class="dataset"><header><h3 class="title"><a href="/d/2">Roads</a></h3><span class="org">City of B</span></header>
 <p class="notes">Roads by length.</p><ul class="formats"><li class="format">SHP</li></ul><time datetime="2018-05-06">6 May 2018</time><span class="licence">ODbL</span></article>
<article class="dataset"><header><h3 class="title"><a href="/d/3">Air</a></h3><span class="org">City of A</span></header>
 <p class="notes">Air quality, 12 stations.</p><ul class="formats"><li class="format">CSV</li></ul><time datetime="2020-02-03">3 February 2020</time><span class="licence">CC0</span></article>
</div><p class="footer">End</p></body></html>`

const catalogSpec = `
- .results > .dataset
- title: h3.title > a
  url: {link: .title a}
  publisher: header > .org
  description: p.notes
  formats: [.formats > .format]
  modified: {attr: [time, datetime]}
  date: {to_date: time}
  licence: .licence
`

const events = `<!DOCTYPE html><html><body><h1 class="name">Calendar</h1><table class="cal"><tbody>
<tr class="ev" id="e1"><td class="day">2009-08-19</td><td class="what"><b class="t">Hearing</b> <span class="room">Room 5</span></td><td><a class="more" href="e1.html">more</a></td></tr>
<tr class="ev" id="e2"><td class="day">2009-08-20</td><td class="what"><b class="t">Vote</b> <span class="room">Room 7</span></td><td><a class="more" href="e2.html">more</a></td></tr>
</tbody></table><div class="contact vcard"><span class="fn">Ann Bee</span> <span class="tel"><span class="type">work</span> <span class="value">+1 555 0100</span></span></div></body></html>`

const eventsSpec = `
heading: h1.name
events: [table.cal .ev, {id: {attr: ["", id]}, day: {to_date: .day}, title: .what > .t, room: {to_i: {regexp: [.what .room, 'Room (\d+)']}}, more: {href: a.more}}]
contact: {one: [.contact, {name: .fn, "cc, number": {regexp: [.tel > .value, '\+(\d+) ([\d ]+)']}, kind: .tel .type}]}
`

func fixtures(t *testing.T) []fixture {
	all := []fixture{{"catalog", catalogSpec, catalog}, {"events", eventsSpec, events}}
	if _, err := os.Stat(filepath.Join("..", "..", "..", "shared")); err != nil && os.Getenv("LAUNDROMAT_SHARED") == "" {
		return all
	}
	root := rdftest.Shared(t, "records", "pages")
	for _, name := range []string{"hcard/spec.yaml", "hcards/spec.yaml", "bookmarks/spec-mended.yaml"} {
		s, err := os.ReadFile(filepath.Join(root, name))
		page, err2 := os.ReadFile(filepath.Join(root, filepath.Dir(name), "page.html"))
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		all = append(all, fixture{filepath.Dir(name), strings.TrimPrefix(string(s), "select:\n"), string(page)})
	}
	return all
}

func values(k *kept) (all []records.Value) {
	for _, r := range k.records {
		all = append(all, records.Value{Kind: records.Object, Fields: r.Fields})
	}
	return all
}

// mutate changes a page as its owner might: a class renamed, an element moved, a wrapper put in.
func mutate(r *rand.Rand, page string, kind int) string {
	document, _ := html.Parse(strings.NewReader(page))
	var all []*html.Node
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.ElementNode && c.Data != "head" {
				if classOf(c) != "" {
					all = append(all, c)
				}
				walk(c)
			}
		}
	}
	walk(document)
	victim := all[r.Intn(len(all))]
	class := strings.Fields(classOf(victim))[0]
	var same []*html.Node // the change is made to all elements of the class, as by a new template
	for _, n := range all {
		if slices.Contains(strings.Fields(classOf(n)), class) {
			same = append(same, n)
		}
	}
	to := []string{class + "-new", "c-" + class, class + "s", strings.ToUpper(class[:1]) + class[1:] + "Box",
		"x" + fmt.Sprint(r.Intn(1000)), "entry__" + class}[r.Intn(6)]
	up, into := 1+r.Intn(2), r.Intn(2) == 0
	for _, n := range same {
		switch kind {
		case 0:
			var names []string
			for _, c := range strings.Fields(classOf(n)) {
				if c == class {
					c = to
				}
				names = append(names, c)
			}
			setClass(n, strings.Join(names, " "))
		case 1:
			// It stays in its record: what leaves it can't be selected from there. Rows and items
			// of lists stay where the parser of HTML lets them.
			target := n.Parent
			for range up {
				if target.Parent != nil && target.Parent.Type == html.ElementNode && !isRecord(target) {
					target = target.Parent
				}
			}
			if into {
				for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
					if c.Type == html.ElementNode && !slices.Contains(same, c) && isContainer(c) && !isRecord(c) {
						target = c
					}
				}
			}
			if target == n.Parent || target.Data == "tr" || n.Data == "tr" || n.Data == "td" || n.Data == "li" || isRecord(n) {
				continue
			}
			n.Parent.RemoveChild(n)
			target.AppendChild(n)
		case 2:
			if n.Data == "tr" || n.Data == "td" {
				continue
			}
			wrapper := &html.Node{Type: html.ElementNode, Data: "div", Attr: []html.Attribute{{Key: "class", Val: "wrap"}}}
			n.Parent.InsertBefore(wrapper, n)
			n.Parent.RemoveChild(n)
			wrapper.AppendChild(n)
		}
	}
	var b strings.Builder
	_ = html.Render(&b, document)
	return b.String()
}

// isContainer says that an element holds elements and no text of its own.
func isContainer(n *html.Node) bool {
	elements := false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if elements = elements || c.Type == html.ElementNode; c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return elements
}

// isRecord says that the specs take an element for a record.
func isRecord(n *html.Node) bool {
	if n.Data == "body" || n.Data == "span" && n.Parent != nil && strings.Contains(classOf(n.Parent), "dateGroup") {
		return true
	}
	return slices.ContainsFunc(strings.Fields(classOf(n)), func(c string) bool {
		return slices.Contains([]string{"vcard", "tel", "adr", "ev", "contact", "dataset", "bookmark", "post"}, c)
	})
}

func classOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "class" {
			return a.Val
		}
	}
	return ""
}

func setClass(n *html.Node, class string) {
	for i := range n.Attr {
		if n.Attr[i].Key == "class" {
			n.Attr[i].Val = class
		}
	}
}

// replace puts the first proposals into a spec.
func replace(n *spec.Node, found []match.Suggestion) {
	for _, s := range found {
		if n.Kind == spec.Text && n.Line == s.Line && n.Column == s.Column && len(s.Proposals) > 0 {
			n.Text = s.Proposals[0].Selector
		}
	}
	for _, i := range n.Items {
		replace(i, found)
	}
	for _, e := range n.Entries {
		replace(e.Value, found)
	}
}

func TestLintNamesTheRightSelector(t *testing.T) {
	kinds := []string{"a class renamed", "an element moved", "a wrapper put in"}
	for kind, name := range kinds {
		broken, right := 0, 0
		all := fixtures(t)
		// Most moves do no harm: where few pages are at hand, more are made of each until enough are broken.
		for seed := int64(0); seed < 60 || broken < 20 && seed < 600; seed++ {
			for _, f := range all {
				whole := onHTML(t, compile(t, f.spec, match.Options{}), f.page)
				want := whole.json()
				page := mutate(rand.New(rand.NewSource(seed)), f.page, kind)
				m := compile(t, f.spec, match.Options{})
				if onHTML(t, m, page).json() == want {
					continue // the spec still fits
				}
				broken++
				found, err := m.Diagnose(context.Background(), match.Document{URL: pageURL}, []byte(page), values(whole))
				if err != nil {
					t.Fatal(err)
				}
				node := parse(t, f.spec)
				replace(node, found)
				mended, err := match.Compile(node, match.Options{})
				if err != nil {
					t.Errorf("%s, seed %d: %v", f.name, seed, err)
					continue
				}
				if got := onHTML(t, mended, page).json(); got == want {
					right++
				} else if testing.Verbose() {
					t.Logf("%s, %s, seed %d: %+v\n%s", f.name, name, seed, found, got)
				}
			}
		}
		t.Logf("%s: %d of %d", name, right, broken)
		if broken < 20 || right*10 < broken*9 {
			t.Errorf("%s: %d of %d", name, right, broken)
		}
	}
}

func TestDiagnoseOfASoundPageIsSilent(t *testing.T) {
	for _, f := range fixtures(t) {
		m := compile(t, f.spec, match.Options{})
		k := onHTML(t, m, f.page)
		found, err := m.Diagnose(context.Background(), match.Document{URL: pageURL}, []byte(f.page), values(k))
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %+v %v", f.name, found, err)
		}
	}
}

func TestDiagnoseWithoutExpectedRecords(t *testing.T) {
	m := compile(t, strings.Replace(catalogSpec, "p.notes", "p.note", 1), match.Options{})
	found, err := m.Diagnose(context.Background(), match.Document{URL: pageURL}, []byte(catalog), nil)
	if err != nil || len(found) != 1 {
		t.Fatalf("%+v %v", found, err)
	}
	s := found[0]
	if s.Field != "description" || s.Line != 6 || s.Column != 16 || s.Selector != "p.note" || s.Matches != 0 ||
		s.Proposals[0].Selector != "p.notes" {
		t.Errorf("%+v", s)
	}
}

// TestAMissingDotIsNamedFirst: the class of the same name comes before other selectors that
// give the same.
func TestAMissingDotIsNamedFirst(t *testing.T) {
	for _, c := range []struct{ wrong, right string }{
		{".tags tag", ".tags .tag"}, {"tag", ".tag"}, {"#tag", ".tag"}, {"ul > tag", "ul > .tag"}, {".tags > #tag", ".tags > .tag"},
	} {
		m := compile(t, "tags: ['"+c.wrong+"']", match.Options{})
		page := `<p>x</p><ul class="tags"><li class="tag"><a>b</a></li><li class="tag"><a>c</a></li></ul>`
		want := []records.Value{{Kind: records.Object, Fields: []records.Field{{Name: "tags",
			Value: records.Value{Kind: records.List, Items: []records.Value{records.TextOf("b"), records.TextOf("c")}}}}}}
		found, err := m.Diagnose(context.Background(), match.Document{}, []byte(page), want)
		if err != nil || len(found) != 1 || len(found[0].Proposals) == 0 || found[0].Proposals[0].Selector != c.right {
			t.Errorf("%s: %+v %v", c.wrong, found, err)
		}
	}
}
