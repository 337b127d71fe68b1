package daemon_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/states/recipe"
)

// What a trial says of a document is what a wash by the recipe makes of it, and nothing is kept.
func TestATrialOfARecipeSaysWhatAWashWouldMake(t *testing.T) {
	const list = `<!DOCTYPE html><body><div class=e><h2>One</h2><a class=more href="/one.html">more</a></div><div class=e><h2>Two</h2></div>`
	for name, c := range map[string]struct{ path, document, media, recipe string }{
		"a table":     {"/a.csv", "price\n\"1,5\"\nx\n\"2,5\"\n", "text/csv", "spec: {map: {price: {number: {decimal: ','}}}}"},
		"a list":      {"/a.html", list, "text/html", "spec: {select: [.e, {title: h2}]}\npages: {detail: a.more}"},
		"an encoding": {"/b.csv", "name\nZo\xeb\n", "text/csv", "read: {encoding: windows-1252}\nproducts: [records]"},
		"a workbook":  {"/a.xlsx", workbook(t), "application/octet-stream", "products: [records]"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.serve(c.path, c.media, c.document)
			w.add(c.path)
			w.run() // without a recipe
			before := w.seed(c.path)
			text := "name: r\nmatch: {uri: '*" + c.path + "'}\n" + c.recipe + "\n"
			by, err := recipe.Parse("r", []byte(text), "")
			if err != nil {
				t.Fatal(err)
			}
			trial := daemon.RecipeTrial{Files: w.files, Seeds: w.seeds, Temp: t.TempDir(), Rows: 100, Notices: 100, Bytes: 1 << 20}
			tried, err := trial.Try(t.Context(), before, by)
			if err != nil || !tried.IsMatched || tried.IsCut {
				t.Fatalf("%+v, %v", tried, err)
			}
			if now := w.seed(c.path); now.Fence != before.Fence || now.Recipe != nil {
				t.Errorf("the trial changed the seed: %+v", now)
			}
			w.putRecipe(text, "")
			w.retry(c.path)
			w.run()
			after := w.seed(c.path)
			rows := strings.Split(strings.TrimSuffix(w.records(c.path), "\n"), "\n")
			got := make([]string, len(tried.Rows))
			for i := range tried.Rows {
				got[i] = string(tried.Rows[i])
			}
			if !slices.Equal(rows, got) || tried.Sums.Written != int64(len(rows)) {
				t.Errorf("the trial gives %q\nand the wash %q", got, rows)
			}
			if led := w.pagesOf(); int64(len(led)) != tried.Led {
				t.Errorf("the trial leads to %d pages, and the wash to %d", tried.Led, len(led))
			}
			for _, n := range tried.Notices {
				if after.Notices[n.Code] == 0 {
					t.Errorf("the wash does not say %s", n.Code)
				}
			}
			// Of a text that is long, the beginning is read.
			trial.Bytes = 12
			if tried, err := trial.Try(t.Context(), after, by); name == "a table" && (err != nil || !tried.IsCut || len(tried.Rows) == 3) {
				t.Errorf("of 12 bytes: %+v, %v", tried, err)
			}
		})
	}
}
