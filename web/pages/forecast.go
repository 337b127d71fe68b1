package pages

import (
	"context"
	"fmt"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web"
)

// forecast is how fast documents are washed now, how many are left, and when these will be done. What can't be known of
// it is said in words.
type forecast struct {
	Left    int64 // seeds that wait or are at work, without those that are tried again later or never fetched
	Later   int64 // that are tried again later, counted up to a limit
	Rate    float64
	Done    int64         // documents that were washed in Within
	Within  time.Duration // this hour and the one before, or this hour alone if work began in it
	Takes   time.Duration // at that rate; 0: it can't be known
	Largest views.Count   // the host with most seeds to download, and how many; "" where that is not counted
}

// leastWithin is the shortest time from which a rate is found.
const leastWithin = time.Minute

// forecastOf looks at what was washed lately. As many of those that are left are expected to fail as of those that are
// done.
func forecastOf(stats *web.Stats, hours []seedlist.Washed, now time.Time) (f forecast) {
	for _, state := range seedlist.States() {
		if state.IsReady() || state.IsWorking() {
			f.Left += stats.States[state]
		}
	}
	f.Later = int64(stats.Waits.Later)
	f.Left = max(0, f.Left-stats.Relative-stats.Fragments-f.Later)
	hour := now.UTC().Truncate(time.Hour)
	f.Within = now.Sub(hour)
	for _, w := range hours {
		switch {
		case !w.Begin.Before(hour):
			f.Done += w.Documents
		case !w.Begin.Before(hour.Add(-time.Hour)) && w.Documents > 0:
			f.Done += w.Documents
			f.Within = now.Sub(hour) + time.Hour
		}
	}
	if f.Done == 0 || f.Within < leastWithin {
		return f
	}
	f.Rate = float64(f.Done) / f.Within.Hours()
	washed, failed := float64(stats.Washed), float64(stats.States[seedlist.Failed])
	share := 1.0
	if washed > 0 {
		share = washed / (washed + failed)
	}
	f.Takes = time.Duration(float64(f.Left) * share / f.Rate * float64(time.Hour))
	return f
}

// readForecast reads what a forecast is made of.
func readForecast(ctx context.Context, s *site, stats *web.Stats) (f forecast, err error) {
	hours, err := s.read.Washed(ctx, seedlist.Hour, 2)
	if err != nil {
		return f, err
	}
	f = forecastOf(stats, hours, time.Now())
	if f.Left == 0 || s.read.AsOf().Building {
		return f, nil
	}
	waiting := web.ListQuery{SeedFilter: web.SeedFilter{State: string(seedlist.Added)}}
	among, err := s.read.Among(ctx, waiting, []views.Facet{views.Host}, 1)
	if err != nil {
		return f, err
	}
	if all := among.Facets[views.Host].Counts; len(all) > 0 {
		f.Largest = all[0]
	}
	return f, nil
}

// Speed is the rate in words: documents an hour, or a minute where that is more than one.
func (f forecast) Speed() string {
	switch perMinute := f.Rate / 60; {
	case perMinute >= 1:
		return fmt.Sprintf("%s documents a minute", number(int64(perMinute+0.5)))
	default:
		return fmt.Sprintf("%s documents an hour", number(max(1, int64(f.Rate+0.5))))
	}
}

// MinutesOver are the minutes of Within beside whole hours.
func (f forecast) MinutesOver() int64 { return int64(f.Within.Minutes()) % 60 }

// Lasts is how long it takes in words, no more exact than it can be.
func (f forecast) Lasts() string { return roughly(f.Takes) }

// roughly is a time in words, in one unit.
func roughly(d time.Duration) string {
	for _, unit := range []struct {
		name string
		is   time.Duration
	}{
		{"year", 365 * 24 * time.Hour}, {"month", 30 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour},
		{"minute", time.Minute},
	} {
		if n := int64((d + unit.is/2) / unit.is); d >= unit.is {
			if n == 1 {
				return "a" + map[bool]string{true: "n"}[unit.name == "hour"] + " " + unit.name
			}
			return number(n) + " " + unit.name + "s"
		}
	}
	return "a minute"
}
