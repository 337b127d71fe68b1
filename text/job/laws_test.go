package job_test

import (
	"context"
	"testing"
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
