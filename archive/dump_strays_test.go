package archive

import (
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"laundromat/internal/fault"
)

// A URL that belongs to no page is in none, and counted, wherever it lies between two.
func TestAStrayURLIsInNoPage(t *testing.T) {
	const a, b, stray, third = "http://a.example/1\n", "http://b.example/2\n", "http://stray.example/\n", "https://c.example/3?q=1\n"
	doc, bare := "<html>\n<p>text</p>\n</html>\n", "<rdf:RDF>\n<p>text</p>\n</rdf:RDF>\n"
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	for _, c := range []struct {
		name, dump string
		strays     []int
		texts      []string
	}{
		{"none", a + doc + a + b + doc + b, []int{0, 0}, []string{doc, doc}},
		{"one", a + doc + a + stray + b + doc + b, []int{1, 0}, []string{doc, doc}},
		{"several", a + doc + a + stray + third + "http://s/\n" + b + doc + b, []int{3, 0}, []string{doc, doc}},
		{"between blank lines", a + doc + a + "\n" + stray + "\n" + b + doc + b, []int{1, 0}, []string{doc, doc}},
		{"with CRLF", crlf(a + doc + a + stray + b + doc + b), []int{1, 0}, []string{crlf(doc), crlf(doc)}},
		{"pages without a declaration", a + bare + a + stray + b + bare + b, []int{1, 0}, []string{bare, bare}},
		{"after such a page in the middle", a + bare + a + b + bare + b + stray + third + bare + third,
			[]int{0, 1, 0}, []string{bare, bare, bare}},
		{"between each two", a + doc + a + stray + b + doc + b + stray + third + doc + third, []int{1, 1, 0}, []string{doc, doc, doc}},
		{"that of the page before", a + doc + a + a + b + doc + b, []int{1, 0}, []string{doc, doc}},
		{"that of the next page", a + doc + a + b + b + doc + b, []int{1, 0}, []string{doc, doc}},
		{"of FTP", a + doc + a + "ftp://f.example/x\n" + b + doc + b, []int{1, 0}, []string{doc, doc}},
		{"after the last", a + doc + a + b + doc + b + stray, []int{0, 1}, []string{doc, doc}},
		{"after the last, without a line end", a + doc + a + stray + third[:len(third)-1], []int{2}, []string{doc}},
		{"after an empty page", a + doc + a + third + third + stray + b + doc + b, []int{0, 1, 0}, []string{doc, "", doc}},
		{"within a page it is the page's", a + "<html>\n" + stray + "text\n</html>\n" + a + b + doc + b, []int{0, 0},
			[]string{"<html>\n" + stray + "text\n</html>\n", doc}},
		{"a list of links in a page", a + "<html>\n" + a + stray + third + "and more\n" + a + b + doc + b, []int{0, 0},
			[]string{"<html>\n" + a + stray + third + "and more\n", doc}},
	} {
		size := int64(len(c.dump))
		pages := pagesOf(t, []byte(c.dump), 0, size)
		var strays []int
		var texts []string
		for _, p := range pages {
			if p.end < p.start {
				t.Errorf("%s: a page ends before it begins: %+v", c.name, p)
				continue
			}
			strays, texts = append(strays, p.strays), append(texts, c.dump[p.start:p.end])
			if !p.closed {
				t.Errorf("%s: a page is not closed: %+v", c.name, p)
			}
			if p.strays > 0 && !isURLLine([]byte(strings.TrimRight(strings.SplitN(c.dump[p.stray:], "\n", 2)[0], "\r"))) {
				t.Errorf("%s: no URL at %d", c.name, p.stray)
			}
		}
		if !slices.Equal(strays, c.strays) || !slices.Equal(texts, c.texts) {
			t.Errorf("%s: %d strays, texts %q; want %d, %q", c.name, strays, texts, c.strays, c.texts)
		}
		for cut := range size + 1 {
			if parts := append(pagesOf(t, []byte(c.dump), 0, cut), pagesOf(t, []byte(c.dump), cut, size)...); !slices.Equal(parts, pages) {
				t.Errorf("%s, cut at %d: %+v, want %+v", c.name, cut, parts, pages)
			}
		}
	}
}

// What is passed over between pages is reported, once for each place.
func TestAStrayURLIsReported(t *testing.T) {
	doc := "<html>\n<p>text</p>\n</html>\n"
	dump := "http://a.example/\n" + doc + "http://a.example/\nhttp://stray.example/\nhttp://b.example/\n" + doc + "http://b.example/\n"
	var notices []fault.Notice
	o, err := Open(t.Context(), strings.NewReader(dump), "", Limits{}, func(n fault.Notice) { notices = append(notices, n) })
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	err = o.Entries(t.Context(), func(_ Entry, r io.Reader) error {
		text, err := io.ReadAll(r)
		texts = append(texts, string(text))
		return err
	})
	if err != nil || !slices.Equal(texts, []string{doc, doc}) {
		t.Errorf("%q, error %v", texts, err)
	}
	if len(notices) != 1 || notices[0].Code != fault.ArchiveStrayURL || notices[0].Severity != fault.Warning || notices[0].Lost != 0 ||
		!strings.Contains(notices[0].Message, "byte "+strconv.Itoa(strings.Index(dump, "http://stray"))) {
		t.Errorf("notices %+v", notices)
	}
}
