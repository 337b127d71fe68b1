package job_test

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/text/job"
)

// FuzzNothingComesOfADocumentWithoutAWord: each article that is read and not kept is told, and so is a document
// without any.
func FuzzNothingComesOfADocumentWithoutAWord(f *testing.F) {
	for i, source := range []string{"", "<p>", "<style>a", "<rss><channel><item/></channel></rss>",
		"<feed xmlns='http://www.w3.org/2005/Atom'/>", "<noscript><iframe", "<svg><style>x", "<template><p>a",
		"<rss><item><title>x<item><description>y", "\x00", "<entry xmlns='http://www.w3.org/2005/Atom'><content type='image/png'>x"} {
		f.Add(source, uint8(i))
	}
	forms := []job.Form{job.HTML, job.XHTML, job.Feed, job.Plain}
	f.Fuzz(func(t *testing.T, source string, form uint8) {
		if !utf8.ValidString(source) {
			return
		}
		var notices told
		items, at := 0, 0
		doc := job.Document{Name: "member", Form: forms[int(form)%len(forms)]}
		count, err := job.Options{}.Whole(context.Background(), []byte(source), doc, &notices, func(item *job.Item) error {
			items++
			at = 0
			for _, token := range item.Article.Tokens {
				if token.Start < at || token.End < token.Start {
					t.Fatalf("%q: token %+v", source, token)
				}
				at = token.Start
			}
			return nil
		})
		if fault.KindOf(err) == fault.Limit {
			return
		}
		empty := 0
		for _, n := range notices {
			if n.Code == fault.TextEmpty {
				empty++
			}
		}
		if err != nil || count.Read != count.Kept+count.Empty || int(count.Kept) != items || items == 0 && len(notices) == 0 ||
			int64(empty) < count.Empty || count.Read == 0 && empty == 0 {
			t.Fatalf("%q: %+v, %d articles, %v, %v", source, count, items, notices, err)
		}
	})
}

// FuzzSplitRecordsGiveTheSameArticles: records give the same articles in whatever pieces they are read, and as two
// files as in one. What an article says of its phase or its text never depends on those before it.
func FuzzSplitRecordsGiveTheSameArticles(f *testing.F) {
	f.Add("U:u1\tD:2009-03-04T10:00:00Z\tC:joã£o nã£o", "U:u2\tD:2010-07-20T10:00:00Z\tC:jo\xe3o\tL:0:4:http://b/", false)
	f.Add("U\tu1\nH\t<p>a \"b\" <a href=x>c</a>\n\n", "U\tu2\nC\tplain words\nQ\t0\t5\tplain\n\n", true)
	f.Add("U:u1\tH:<p>It's", "no record\nU:u2\tC:x", false)
	f.Fuzz(func(t *testing.T, one, two string, isFull bool) {
		form, end := job.F5, "\n"
		if isFull {
			form, end = job.Full5, "\n\n"
		}
		one, two = strings.TrimRight(one, "\r\n")+end, strings.TrimLeft(two, "\r\n")+end
		if !strings.HasPrefix(one, "U") || !strings.HasPrefix(two, "U") {
			return // the id of a record without an address is its place
		}
		read := func(in io.Reader) (lines []byte) {
			out := job.Output{Format: "jsonl"}
			var notices told
			doc := job.Document{Name: "member", Form: form, Key: func(uri string) string { return uri }}
			_, err := job.Options{}.Stream(context.Background(), in, doc, &notices, func(item *job.Item) error {
				lines = out.Append(lines, item, &notices)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return lines
		}
		whole := read(strings.NewReader(one + two))
		if bytes.Contains(whole, []byte(`"id":"member `)) {
			return
		}
		pieces := read(iotest.OneByteReader(strings.NewReader(one + two)))
		apart := append(read(strings.NewReader(one)), read(strings.NewReader(two))...)
		if !bytes.Equal(whole, pieces) {
			t.Errorf("%q, in pieces %q", whole, pieces)
		}
		// A block says where it is in its file.
		places := regexp.MustCompile(`"bytes":\[[0-9]+,[0-9]+\]`)
		if a, b := places.ReplaceAll(whole, nil), places.ReplaceAll(apart, nil); !bytes.Equal(a, b) {
			t.Errorf("%q, as two files %q", a, b)
		}
	})
}

// FuzzNoFormDependsOnTheURLAlone: what a server calls HTML is a page or a feed, whatever its URL ends in.
func FuzzNoFormDependsOnTheURLAlone(f *testing.F) {
	for _, name := range []string{"README.md", "a.txt", "a.f5", "a.full5", "a.json", "a.svg", "x", "a.log", "a.rst", ".org"} {
		f.Add("<p>a", name)
	}
	f.Fuzz(func(t *testing.T, source, name string) {
		for _, mediaType := range []string{"text/html", "application/xhtml+xml; charset=utf-8", "text/plain"} {
			want, _, wantErr := job.Guess(&job.Document{MediaType: mediaType}, []byte(source))
			form, _, err := job.Guess(&job.Document{MediaType: mediaType, FileName: name}, []byte(source))
			if mediaType == "text/plain" && (form == job.F5 || form == job.Full5) {
				continue // a file of records has no media type of its own
			}
			if form != want || (err == nil) != (wantErr == nil) {
				t.Fatalf("%q as %s: %s, without its name %s", name, mediaType, form, want)
			}
		}
	})
}
