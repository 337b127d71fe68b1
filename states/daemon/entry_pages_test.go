package daemon_test

import (
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/states/kind"
)

// The page of an entry without content becomes a seed, once, and its article is its own. One with content leads
// nowhere, and what a page of an entry names is followed no further.
func TestThePageOfAnEntryWithoutContentBecomesASeed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Products = []string{kind.Articles}
	site := w.http.URL
	w.serve("/feed.xml", "application/rss+xml", ""+
		`<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>`+
		site+`/</link>`+
		`<item><title>Whole</title><link>`+site+`/whole.html</link>`+
		`<description>Here is all that there is to say of it.</description></item>`+
		`<item><title>Bare</title><link>`+site+`/bare.html#top</link></item>`+
		`<item><title>Again</title><link>`+site+`/bare.html</link></item>`+
		`<item><title>The feed</title><link>`+site+`/feed.xml</link></item>`+
		`<item><title>Bad</title><link>file:///etc/passwd</link></item>`+
		`<item><title>Other feed</title><link>`+site+`/other.xml</link></item></channel></rss>`)
	w.serve("/bare.html", "text/html", "<!DOCTYPE html><html lang=en><title>Bare</title><body><h1>Bare</h1><p>The page of the entry says what the "+
		"feed leaves out, in a paragraph of its own that is long enough.</p></body></html>")
	w.serve("/other.xml", "application/rss+xml", `<?xml version="1.0"?><rss version="2.0"><channel><title>Other</title>`+
		`<item><title>Deep</title><link>`+site+`/deep.html</link></item></channel></rss>`)
	w.add("/feed.xml")
	w.run()
	feed, page := w.seed("/feed.xml"), w.seed("/bare.html")
	if feed.Status != seedlist.Parsed || page.Status != seedlist.Parsed || page.Depth != 1 || page.Source != "follow:"+feed.Hash {
		t.Errorf("%s %+v; the page %s %d %q %+v", feed.Status, feed.Error, page.Status, page.Depth, page.Source, page.Error)
	}
	if got := w.product(page, kind.Articles); !strings.Contains(got, "leaves out") || strings.Count(got, "\n") != 1 {
		t.Errorf("the articles of the page: %s", got)
	}
	if got := w.product(feed, kind.Articles); strings.Contains(got, "leaves out") || !strings.Contains(got, "all that there is") {
		t.Errorf("the articles of the feed: %s", got)
	}
	counts, err := w.seeds.Counts(t.Context())
	if err != nil || counts.Seeds != 3 { // the feed, the page and the other feed
		t.Errorf("%d seeds, %v", counts.Seeds, err)
	}
	for _, path := range []string{"/whole.html", "/deep.html"} {
		if _, err := w.seeds.Seed(t.Context(), seedlist.Key(site+path)); err == nil {
			t.Errorf("%s became a seed", path)
		}
	}
	before := counts.Seeds
	w.retry("/feed.xml")
	w.run()
	if counts, err := w.seeds.Counts(t.Context()); err != nil || counts.Seeds != before {
		t.Errorf("after another wash there are %d seeds, and were %d", counts.Seeds, before)
	}
	w.wholeStore()
}
