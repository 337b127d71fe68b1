package block_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"laundromat/rdf/rdftest"
	"laundromat/text/block"
)

// within are the elements in the middle of words.
const within = " a b bdi bdo i em strong span sup sub small code u font abbr cite q s tt kbd mark time wbr ins del var "

func collectWords(n *html.Node, to *strings.Builder) {
	if n.Type == html.TextNode {
		to.WriteString(strings.NewReplacer("\u00a0", " ", "\u00ad", "").Replace(n.Data))
		return
	}
	inner := strings.Contains(within, " "+n.Data+" ")
	if !inner {
		to.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		collectWords(c, to)
	}
	if !inner {
		to.WriteByte(' ')
	}
}

// Mozilla's article is a part of each page: all of its words are in the blocks, none of them joined to another.
func TestWordsOfArticlesAreThere(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*"))
	all, missing := 0, 0
	for _, dir := range dirs {
		source, err := os.ReadFile(filepath.Join(dir, "source.html"))
		if err != nil {
			continue
		}
		expected, err := os.ReadFile(filepath.Join(dir, "expected.html"))
		if err != nil {
			t.Fatal(err)
		}
		r, _ := read(t, string(source), block.Options{})
		have := map[string]bool{}
		for _, word := range strings.Fields(r.Text) {
			have[word] = true
		}
		document, err := html.Parse(strings.NewReader(string(expected)))
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		collectWords(document, &text)
		for _, word := range strings.Fields(text.String()) {
			all++
			if !have[word] {
				missing++
				t.Logf("%s: %q", filepath.Base(dir), word)
			}
		}
	}
	t.Logf("%d of %d words are missing", missing, all)
	if missing*2000 > all {
		t.Errorf("%d of %d words are missing", missing, all)
	}
}
