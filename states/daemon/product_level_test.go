package daemon_test

import (
	"testing"

	"laundromat/seedlist"
	"laundromat/states/kind"
)

// TestLevelsAreOfTheirFiles: clean files are packed at one level, records and articles at another. The extra flags of a
// gzip header (RFC 1952 §2.3.1) tell 9 from others.
func TestLevelsAreOfTheirFiles(t *testing.T) {
	const page = `<script type="application/ld+json">{"@id":"http://example.org/a","http://example.org/p":"x"}</script>` +
		"<table><tr><th>name<th>age<tr><td>Ann<td>7<tr><td>Bob<td>8</table><p>The first of all texts on this page.</p>"
	const smallest = 2
	for _, c := range []struct {
		level, productLevel  int
		statements, products byte
	}{
		{6, 9, 0, smallest},
		{9, 6, smallest, 0},
		{9, 0, smallest, 0},
	} {
		w := newWorld(t, seedlist.Options{})
		w.opt.Products, w.opt.Level, w.opt.ProductLevel = kind.Products(), c.level, c.productLevel
		w.serve("/a", "text/html", page)
		w.add("/a")
		w.run()
		for _, product := range kind.Products() {
			want := c.products
			if product == kind.Statements {
				want = c.statements
			}
			file := w.fileOf(w.seed("/a"), product)
			if len(file) < 10 || file[8] != want {
				t.Errorf("levels %d and %d: %s: the file begins %q", c.level, c.productLevel, product, file[:min(10, len(file))])
			}
		}
	}
}
