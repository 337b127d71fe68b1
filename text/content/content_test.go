package content_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/content"
)

type silent struct{}

func (silent) Notice(fault.Notice) {}

func judged(t testing.TB, source string, url string) *text.Article {
	t.Helper()
	a, err := article.FromPage(context.Background(), []byte(source), article.Options{Source: "page", URL: url,
		Judge: content.Judge}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func unjudged(t testing.TB, source string) *text.Article {
	t.Helper()
	a, err := article.FromPage(context.Background(), []byte(source), article.Options{Source: "page"}, silent{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// prose is a paragraph of an article; each has other words.
func prose(i int) string {
	return "<p>" + strings.Repeat([]string{
		"The harbour was full of small boats when the storm came in from the west, and nobody had expected it so early. ",
		"She asked the council for a new survey of the river, because the old one had been made before the bridge was built. ",
		"Most of the houses in the lower town were rebuilt within ten years, which surprised even those who had planned it. ",
	}[i%3], 3) + "</p>"
}

// TestPartsOfPages are what stands around them says.
func TestPartsOfPages(t *testing.T) {
	links := strings.Repeat("<li><a href=/x>Some other page</a></li>", 6)
	article := "<h1>The storm</h1>" + prose(0) + prose(1) + prose(2) + prose(0)
	for name, c := range map[string]struct{ before, after, text, part string }{
		"nav": {before: "<nav><ul>" + links + "<li><a href=/y>Marker one</a></li></ul></nav>", text: "Marker one",
			part: "navigation"},
		"role": {before: "<div role=navigation><ul>" + links + "<li><a href=/y>Marker one</a></li></ul></div>",
			text: "Marker one", part: "navigation"},
		"class nav": {before: "<div class=main-nav><ul>" + links + "<li><a href=/y>Marker one</a></li></ul></div>",
			text: "Marker one", part: "navigation"},
		"cookies": {after: "<div id=cookie-banner><p>We use cookies to improve our site.</p><button>Accept " +
			"all</button></div>", text: "Accept all", part: "notice"},
		"consent": {after: "<div class=GdprConsent><p>We use cookies.</p><button>Reject</button></div>", text: "Reject",
			part: "notice"},
		"footer":     {after: "<footer><p>© 2020 Example</p></footer>", text: "© 2020 Example", part: "footer"},
		"class foot": {after: "<div class=site-footer><p>© 2020 Example</p></div>", text: "© 2020 Example", part: "footer"},
		"copyright":  {after: "<div><p>© 2020 Example</p></div>", text: "© 2020 Example", part: "footer"},
		"related": {after: "<aside class=related-posts><ul>" + links + "<li><a href=/z>Marker two</a></li></ul></aside>",
			text: "Marker two", part: "related"},
		"share": {after: "<div class=sharing><a href=/f>Share this on Marker</a></div>", text: "Share this on Marker",
			part: "social"},
		"sponsor": {after: "<div class=ad-slot><a href=/f>Buy this Marker</a></div>", text: "Buy this Marker", part: "advertisement"},
		"sidebar": {after: "<div class=sidebar><ul>" + links + "<li><a href=/z>Marker three</a></li></ul></div>",
			text: "Marker three", part: "aside"},
		"story": {text: "The storm", part: text.Main},
	} {
		source := "<html><head><title>The storm</title></head><body>" + c.before + "<main><article>" + article +
			"</article></main>" + c.after + "</body></html>"
		a := judged(t, source, "")
		found := false
		for _, b := range a.Blocks {
			if a.Text[b.Start:b.End] != c.text {
				continue
			}
			found = true
			if b.Part != c.part || b.Reason == "" {
				t.Errorf("%s: %q is %s (%g, %s), not %s", name, c.text, b.Part, b.Score, b.Reason, c.part)
			}
		}
		if !found {
			t.Errorf("%s: %q is not there", name, c.text)
		}
	}
}

// check holds a page to the laws of judging.
func check(t *testing.T, source string) {
	plain, a := unjudged(t, source), judged(t, source, "")
	if plain == nil || a == nil {
		if plain != a {
			t.Errorf("a page is empty or not, by whether it is judged")
		}
		return
	}
	if plain.Text != a.Text || len(plain.Blocks) != len(a.Blocks) {
		t.Fatalf("text and blocks depend on whether they are judged")
	}
	for i := range a.Blocks {
		b := a.Blocks[i]
		if b.Part == "" || b.Reason == "" || b.Score < 0 || b.Score > 1 {
			t.Errorf("a block has no part, score or reason: %+v", b)
		}
		b.Part, b.Score, b.Reason = "", 0, ""
		if b != plain.Blocks[i] {
			t.Errorf("a block is another since it is judged: %+v, not %+v", b, plain.Blocks[i])
		}
	}
	if m := a.Metadata; m.Kind == "" || m.Confidence < 0 || m.Confidence > 1 {
		t.Errorf("the page is of kind %q, with confidence %g", m.Kind, m.Confidence)
	}
	elsewhere := judged(t, source, "http://other.example/forum/thread?product=1")
	if !reflect.DeepEqual(elsewhere.Blocks, a.Blocks) || elsewhere.Metadata.Confidence != a.Metadata.Confidence {
		t.Errorf("scores depend on where the page was found")
	}
	keep(t, a)
}

// keep checks that what --main leaves is just the blocks that are main content.
func keep(t *testing.T, a *text.Article) {
	var want []string
	for _, b := range a.Blocks {
		if b.Part == text.Main {
			want = append(want, a.Text[b.Start:b.End])
		}
	}
	before := *a
	a.KeepMain()
	if len(want) == 0 {
		if a.Text != before.Text {
			t.Errorf("a page without main content is not whole any more")
		}
		return
	}
	var have []string
	at := 0
	for _, b := range a.Blocks {
		if b.Start < at || b.End > len(a.Text) || strings.TrimSpace(a.Text[at:b.Start]) != "" {
			t.Fatalf("block %+v, after %d of %d", b, at, len(a.Text))
		}
		have = append(have, a.Text[b.Start:b.End])
		if at := a.Places.Source(b.Span); at != b.Bytes {
			t.Errorf("%q stands at %v, not %v", a.Text[b.Start:b.End], at, b.Bytes)
		}
		at = b.End
	}
	if !reflect.DeepEqual(want, have) {
		t.Errorf("left are %q, not %q", have, want)
	}
	for _, l := range a.Links {
		if !l.InTitle && (l.Start < 0 || l.End < l.Start || l.End > len(a.Text)) {
			t.Errorf("a link at %d to %d of %d", l.Start, l.End, len(a.Text))
		}
	}
}

func FuzzJudging(f *testing.F) {
	for _, s := range []string{"", "<p>a", "<nav><a href=x>b</a></nav><main>" + prose(0) + "</main>",
		"<table><tr><td>1<td>2</table>—", "<a href=x></a><p>東京は大きい。",
		"<script type=application/ld+json>{\"@type\":\"Article\",\"articleBody\":\"a b " +
			"c\",\"author\":[{\"name\":\"x\"}]}</script><p>a b c", "<div class='a b' id=comments><p>x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) < 1<<16 {
			check(t, strings.ToValidUTF8(source, "?"))
		}
	})
}

func wordsOf(into map[string]int, s string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) &&
			!unicode.IsNumber(r) && r != '_'
	}) {
		into[w]++
	}
}

func collect(n *html.Node, to *strings.Builder) {
	if n.Type == html.TextNode {
		to.WriteString(n.Data)
	}
	to.WriteByte(' ')
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		collect(c, to)
	}
}

// TestMainContentIsThatOfMozilla, as far as the words of both go, on pages that nothing was learnt from.
func TestMainContentIsThatOfMozilla(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*"))
	sum, n, off := 0.0, 0.0, 0.0
	for _, dir := range dirs {
		source, err := os.ReadFile(filepath.Join(dir, "source.html"))
		if err != nil {
			continue
		}
		expected, err := os.ReadFile(filepath.Join(dir, "expected.html"))
		if err != nil {
			t.Fatal(err)
		}
		document, err := html.Parse(strings.NewReader(string(expected)))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		collect(document, &b)
		want, have := map[string]int{}, map[string]int{}
		wordsOf(want, b.String())
		check(t, string(source))
		a := judged(t, string(source), "")
		confidence := a.Metadata.Confidence
		for _, b := range a.Blocks {
			if b.Part == text.Main {
				wordsOf(have, a.Text[b.Start:b.End])
			}
		}
		both, all := 0, 0
		for w, k := range have {
			both += min(k, want[w])
			all += k
		}
		for _, k := range want {
			all += k
		}
		f := 2 * float64(both) / float64(max(1, all))
		t.Logf("%s: F %.3f, expected %.3f, %s", filepath.Base(dir), f, confidence, a.Metadata.Kind)
		sum, n, off = sum+f, n+1, off+max(f-confidence, confidence-f)
	}
	t.Logf("%g pages: mean F %.4f, off from the expected by %.3f", n, sum/n, off/n)
	if sum/n < 0.91 {
		t.Errorf("F of %g pages is %.4f", n, sum/n)
	}
}
