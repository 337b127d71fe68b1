package web

import (
	"testing"
	"time"

	"laundromat/seedlist"
)

// An article was added when the bytes came that it is of: those of the last good version, too.
func TestAProductIsAsOldAsItsBytes(t *testing.T) {
	first := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 0, 7)
	for _, c := range []struct {
		title         string
		good, version int64
		want          time.Time
	}{
		{"what came last", 0, 0, last},
		{"what stays served", 1, 0, first},
		{"a version that is asked for", 0, 1, first},
		{"the last version, where another is served", 1, 2, last},
	} {
		seed := &seedlist.Seed{}
		seed.Retrieved = last
		seed.History = []seedlist.Version{{Number: 1, Retrieved: first}, {Number: 2, Retrieved: last}}
		seed.Products = []seedlist.Product{{Name: seedlist.ProductArticles, Good: c.good}}
		if got := retrievedOf(seed, seedlist.ProductArticles, c.version); !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", c.title, got, c.want)
		}
	}
}
