package texts_test

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"testing"

	"codeberg.org/readeck/go-readability/v2"

	"laundromat/text/job"
)

// TestHowMuchIsKept counts the words of the pages that come out here, and of the main content that Readability finds.
func TestHowMuchIsKept(t *testing.T) {
	address, err := url.Parse("http://fakehost/test/page.html")
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs, without := 0, 0, 0
	all, _ := pages(t)
	for _, page := range all {
		doc := job.Document{Name: "p", URL: address.String(), Form: job.HTML}
		_, err := job.Options{Tokens: job.None}.Whole(context.Background(), page, doc, silent{}, func(item *job.Item) error {
			ours += len(strings.Fields(item.Article.Text))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		a, err := readability.FromReader(bytes.NewReader(page), address)
		var out bytes.Buffer
		if err != nil || a.RenderText(&out) != nil {
			without++
			continue
		}
		theirs += len(strings.Fields(out.String()))
	}
	t.Logf("%d pages: %d words here, %d by Readability, which finds nothing in %d pages", len(all), ours, theirs, without)
	if ours < theirs {
		t.Errorf("%d words are fewer than those of the main content, %d", ours, theirs)
	}
}
