package search

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

func TestAllArticlesOfADocumentAreFound(t *testing.T) {
	l := newLaundry(t)
	for number, written := range []*int64{nil, new(int64)} {
		seed := seedlist.Seed{Hash: hash(uint64(number + 1))}
		file, err := l.store.Create()
		if err != nil {
			t.Fatal(err)
		}
		packed := gzip.NewWriter(file)
		for n := range 3 {
			fmt.Fprintf(packed, `{"id":"%d","title":"article a%d","text":"%s"}`+"\n", n, n, strings.Repeat("x ", articleHead))
		}
		packed.Close()
		if err := file.Seal(files.Key(seed.Hash, 1), files.Articles); err != nil {
			t.Fatal(err)
		}
		if err := l.store.Commit(t.Context(), file); err != nil {
			t.Fatal(err)
		}
		if written != nil {
			*written = 3
		}
		seed.Status = seedlist.Parsed
		seed.Products = []seedlist.Product{{Name: seedlist.ProductArticles, SHA256: "s", Written: written, Fence: 1}}
		l.feed.set(uint64(number+1), seed)
	}
	l.finds("article", "1 article 0 article a0\n2 article 0 article a0\n1 article 0 article a1\n2 article 0 article a1\n"+
		"1 article 0 article a2\n2 article 0 article a2")
}

func TestTheTitleOfAnArticleIsReadWithoutItsText(t *testing.T) {
	long := strings.Repeat("x", 2*articleHead)
	for _, c := range []struct{ line, title string }{
		{`{"id":"1","source":"a!/b","url":"http://a.example/","title":"Rhine \"boats\" \u00e4","text":"` + long + `"}`, `Rhine "boats" ä`},
		{`{"id":"1","attributes":{"title":"no","links":[[1,"title"]]},"title":"yes"}`, "yes"},
		{`{"id":"title","text":"no title"}`, ""},
		{`{"title":["no","text"],"text":""}`, ""},
		{`{"title":"cut`, ""},
		{`["title","no"]`, ""},
		{``, ""},
	} {
		in := bufio.NewReaderSize(strings.NewReader(c.line+"\n"+`{"title":"of the next line"}`), articleHead)
		if got := titleOf(in); got != c.title {
			t.Errorf("%.60s: %q, not %q", c.line, got, c.title)
		}
	}
}
