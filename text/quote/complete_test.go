package quote_test

import (
	"context"
	"fmt"
	"testing"

	"laundromat/internal/fault"
	"laundromat/text/article"
	"laundromat/text/quote"
)

type listener []string

func (l *listener) Notice(n fault.Notice) {
	*l = append(*l, fmt.Sprintf("%s %d:%d %s", n.Code, n.Line, n.Column, n.Excerpt))
}

func TestArticlesGetTheirQuotes(t *testing.T) {
	for _, c := range []struct{ name, page, quotes, told string }{
		{"two blocks", "<p>He said “no”.<p>“Yes,” she said.", "[no Yes,]", "[]"},
		{"a mark by reference", "<p>&ldquo;a&rdquo; and &quot;b&quot;", "[a b]", "[]"},
		{"one that never closes", "<p>é: <b>He</b> said\n“no.<p>So “a”", "[a]", "[text/unclosed-quote 2:1 “no.]"},
		{"one by reference", "<h1>x</h1>\n<p>so &laquo;no", "[]", "[text/unclosed-quote 2:7 «no]"},
		{"code", "<pre>\"a\"</pre><p>“b”", "[b]", "[]"},
		{"the language", "<html lang=de><p>Er sagte „ja“, »nein«.", "[ja nein]", "[]"},
	} {
		var told, all listener
		a, err := article.FromPage(context.Background(), []byte(c.page), article.Options{}, &all)
		if err != nil {
			t.Fatal(err)
		}
		marks := quote.Complete(a, []byte(c.page), &told)
		var got []string
		for _, q := range a.Quotes {
			got = append(got, q.Text)
		}
		if fmt.Sprint(got) != c.quotes || fmt.Sprint([]string(told)) != c.told || len(marks) != 2*len(got) {
			t.Errorf("%s: got %q, want %s; told %q, want %s; %d marks", c.name, got, c.quotes, told, c.told, len(marks))
		}
	}
}
