package daemon_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/states/kind"
)

// What a document is decides its content alone, for the article as for the rest: neither the media type of a filter,
// nor a wrong one, nor a name takes it away.
func TestNoMediaTypeTakesAnArticleAway(t *testing.T) {
	const page = `<!DOCTYPE html><html lang=en><title>Tides</title><body><h1>Tides</h1><p>The water rises twice a day, and falls as often.</p>` +
		`<table><tr><th>a<th>b<tr><td>1<td>2</table></body></html>`
	const prose = "The water rises twice a day.\nIt falls as often, which nobody minds.\n"
	for _, c := range []struct {
		path, media, body string
		packed            bool
	}{
		{"/a.html.gz", "application/gzip", page, true},
		{"/b.gz", "application/x-gzip", page, true},
		{"/c.txt.gz", "application/gzip", prose, true},
		{"/d.gz", "application/octet-stream", prose, true},
		{"/e.csv", "text/csv", page, false},
		{"/f.json", "application/json", page, false},
		{"/g.txt", "text/plain", page, false},
		{"/h.zip", "application/zip", page, false},
		{"/i.js", "text/javascript", page, false},
	} {
		t.Run(c.path, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.opt.Products = kind.Products()
			body := c.body
			if c.packed {
				body = gzipped(t, body)
			}
			w.serve(c.path, c.media, body)
			w.add(c.path)
			w.run()
			seed := w.seed(c.path)
			got := w.product(seed, kind.Articles)
			if !strings.Contains(got, `"text":"The water`) && !strings.Contains(got, `"text":"Tides\n\nThe water`) {
				t.Errorf("%s %s: %+v, %q", seed.Status, seed.Format, seed.Products, got)
			}
		})
	}
}

// A page takes what its tags need, whether or not it has statements.
func TestAPageWithoutDataMayTakeAsMuchMemoryAsOneWithData(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.opt.Products = kind.Products()
	var rows strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&rows, "<tr class=a id=i%d><td class=b>%d<td class=c>x<td class=d>y\n", i, i)
	}
	w.serve("/a.html", "text/html", "<!DOCTYPE html><title>Rows</title><p>Many rows.</p><table><tr><th>a<th>b<th>c"+rows.String()+"</table>")
	w.add("/a.html")
	w.run()
	for _, p := range w.seed("/a.html").Products {
		if p.Error != nil || p.Name != kind.Statements && p.SHA256 == "" {
			t.Errorf("%s: %+v", p.Name, p.Error)
		}
	}
}
