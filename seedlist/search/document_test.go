package search

import (
	"bufio"
	"strings"
	"testing"
)

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
