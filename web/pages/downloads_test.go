package pages

import (
	"net/url"
	"testing"

	"laundromat/web"
)

func TestADownloadHasEachFilterOfTheList(t *testing.T) {
	for _, name := range actionFilters {
		if name == "relative" {
			continue // those that are have no clean files
		}
		at, err := url.Parse(web.DownloadPath("nq", url.Values{name: {"x y"}, "sort": {"size"}}))
		if err != nil || at.Query().Get(name) != "x y" || len(at.Query()) != 2 {
			t.Errorf("%s: %v, %v", name, at, err)
		}
	}
}
