package pages

import (
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
)

// A forecast says how long what is left takes, and nothing where that can't be known.
func TestAForecastSaysNoMoreThanIsKnown(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 30, 0, 0, time.UTC)
	hour := now.Truncate(time.Hour)
	washed := func(this, before int64) []seedlist.Washed {
		return []seedlist.Washed{{Begin: hour.Add(-time.Hour), Documents: before}, {Begin: hour, Documents: this}}
	}
	stats := func(waiting, washed, failed int64) *web.Stats {
		s := &web.Stats{}
		s.States = map[seedlist.State]int64{seedlist.Added: waiting + 3, seedlist.Parsed: washed, seedlist.Failed: failed}
		s.Washed, s.Relative, s.Fragments = washed, 1, 2
		return s
	}
	for name, c := range map[string]struct {
		stats *web.Stats
		hours []seedlist.Washed
		now   time.Time
		left  int64
		takes time.Duration
		words string
	}{
		"steady":                        {stats(600, 1000, 0), washed(100, 200), now, 600, 3 * time.Hour, "3 hours"},
		"half of them fail":             {stats(600, 1000, 1000), washed(100, 200), now, 600, 90 * time.Minute, "2 hours"},
		"work began in this hour":       {stats(600, 1000, 0), washed(100, 0), now, 600, 3 * time.Hour, "3 hours"},
		"nothing was washed for long":   {stats(600, 1000, 0), washed(0, 0), now, 600, 0, "a minute"},
		"work began a moment ago":       {stats(600, 0, 0), washed(5, 0), hour.Add(5 * time.Second), 600, 0, "a minute"},
		"nothing is left":               {stats(0, 1000, 0), washed(100, 200), now, 0, 0, "a minute"},
		"none is washed as yet, but is": {stats(600, 0, 0), nil, now, 600, 0, "a minute"},
	} {
		f := forecastOf(c.stats, c.hours, c.now)
		if f.Left != c.left || f.Takes != c.takes || f.Lasts() != c.words {
			t.Errorf("%s: %d are left and take %s, %q; want %d, %s, %q", name, f.Left, f.Takes, f.Lasts(), c.left, c.takes, c.words)
		}
	}
	s := stats(600, 1000, 0)
	s.Waits.Later = 100
	if f := forecastOf(s, washed(100, 200), now); f.Left != 500 || f.Later != 100 {
		t.Errorf("of 600 that wait 100 are tried again later, and %d are left", f.Left)
	}
}
