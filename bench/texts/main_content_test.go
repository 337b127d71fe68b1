package texts_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"codeberg.org/readeck/go-readability/v2"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"laundromat/rdf/rdftest"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/content"
)

// extractor gives the main content of a page as text.
type extractor func(page []byte, at *url.URL) string

// extractors are those that are compared. Only ours has learnt from WCXB, so that its figure there is that of
// `go run ./text/content/train -validate 5`, not the one of this test.
var extractors = map[string]extractor{
	"laundromat": func(page []byte, at *url.URL) string {
		a, err := article.FromPage(context.Background(), page, article.Options{URL: at.String(), Judge: content.Judge}, silent{})
		if err != nil || a == nil {
			return ""
		}
		var b strings.Builder
		for _, block := range a.Blocks {
			if block.Part == text.Main {
				b.WriteString(a.Text[block.Start:block.End] + "\n")
			}
		}
		return b.String()
	},
	"trafilatura": func(page []byte, at *url.URL) string {
		r, err := trafilatura.Extract(bytes.NewReader(page), trafilatura.Options{OriginalURL: at, EnableFallback: true})
		if err != nil || r == nil {
			return ""
		}
		return r.ContentText + "\n" + r.CommentsText
	},
	"readability": func(page []byte, at *url.URL) string {
		a, err := readability.FromReader(bytes.NewReader(page), at)
		var b bytes.Buffer
		if err != nil || a.RenderText(&b) != nil {
			return ""
		}
		return b.String()
	},
}

func wordsOf(s string) map[string]int {
	words := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_'
	}) {
		words[w]++
	}
	return words
}

// wordF is F of two sets of words that may be there several times.
func wordF(have, want map[string]int) float64 {
	both, all := 0, 0
	for w, n := range have {
		both, all = both+min(n, want[w]), all+n
	}
	for _, n := range want {
		all += n
	}
	if all == 0 {
		return 1
	}
	return 2 * float64(both) / float64(all)
}

// compare measures what all extractors make of pages. Each page comes with its kind and its main content.
func compare(t *testing.T, each func(take func(kind string, page []byte, at *url.URL, want map[string]int))) {
	sums, counts := map[string]map[string]float64{}, map[string]int{}
	each(func(kind string, page []byte, at *url.URL, want map[string]int) {
		for name, extract := range extractors {
			f := wordF(wordsOf(extract(page, at)), want)
			if sums[name] == nil {
				sums[name] = map[string]float64{}
			}
			sums[name][kind] += f
			sums[name]["all"] += f
		}
		counts[kind]++
		counts["all"]++
	})
	for name, byKind := range sums {
		var line strings.Builder
		for _, kind := range slices.Sorted(maps.Keys(counts)) {
			fmt.Fprintf(&line, " %s %.3f", kind, byKind[kind]/float64(counts[kind]))
		}
		t.Logf("%s:%s", name, line.String())
	}
}

// TestMainContentOfWCXB beside that of others, on pages that ours has learnt from.
func TestMainContentOfWCXB(t *testing.T) {
	folder := filepath.Join(rdftest.Shared(t, "text"), "wcxb")
	compare(t, func(take func(string, []byte, *url.URL, map[string]int)) {
		scanner := bufio.NewScanner(bytes.NewReader(unpack(t, filepath.Join(folder, "gold.jsonl.gz"))))
		scanner.Buffer(nil, 16<<20)
		for scanner.Scan() {
			var gold struct {
				ID, URL, Type string
				Content       string `json:"main_content"`
			}
			if err := json.Unmarshal(scanner.Bytes(), &gold); err != nil {
				t.Fatal(err)
			}
			at, err := url.Parse(gold.URL)
			if err != nil {
				t.Fatal(err)
			}
			take(gold.Type, unpack(t, filepath.Join(folder, "html", gold.ID+".html.gz")), at, wordsOf(gold.Content))
		}
	})
}

// TestMainContentOfMozilla beside that of others. The pages are those that Readability is tested with.
func TestMainContentOfMozilla(t *testing.T) {
	at, err := url.Parse("http://fakehost/test/page.html")
	if err != nil {
		t.Fatal(err)
	}
	names, _ := filepath.Glob(filepath.Join(rdftest.Shared(t, "text"), "readability", "*", "source.html"))
	compare(t, func(take func(string, []byte, *url.URL, map[string]int)) {
		for _, name := range names {
			page, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			expected, err := os.ReadFile(filepath.Join(filepath.Dir(name), "expected.html"))
			if err != nil {
				t.Fatal(err)
			}
			document, err := html.Parse(bytes.NewReader(expected))
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for n := range document.Descendants() {
				if n.Type == html.TextNode {
					b.WriteString(n.Data + " ")
				}
			}
			take("pages", page, at, wordsOf(b.String()))
		}
	})
}

func unpack(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
