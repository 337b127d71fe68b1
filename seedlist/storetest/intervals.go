package storetest

import (
	"fmt"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// theIntervalFollowsWhatBecomesOfASeed: longer where nothing changes, shorter
// where it does, between the bounds; one that a person set stays.
func theIntervalFollowsWhatBecomesOfASeed(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: 100 * time.Hour, IntervalMin: 40 * time.Hour, IntervalMax: 300 * time.Hour, HostDelay: -1})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{
		{URI: "http://a.example/adapts"}, {URI: "http://b.example/own", Interval: 100 * time.Hour},
		{URI: "http://c.example/never", Interval: -1},
	}); err != nil {
		t.Fatal(err)
	}
	// fetch fetches all seeds; body "" is one that did not change.
	fetch := func(body string) (hours string) {
		t.Helper()
		for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)) {
			if body == "" {
				Complete(t, store, c, seedlist.Outcome{Unchanged: true})
				continue
			}
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) {
				r.Content = &digest.Content{MD5: body, NumberOfBytes: 7}
			}})
			for _, stage := range []seedlist.State{seedlist.Unarchiving} {
				for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "w", 10)) {
					Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
				}
			}
		}
		for _, uri := range []string{"http://a.example/adapts", "http://b.example/own", "http://c.example/never"} {
			seed := Must[seedlist.Seed](t)(Find(t.Context(), store, uri))
			hours += fmt.Sprintf("%d ", *seed.Interval/3600)
			if answers, err := store.Retry(t.Context(), "", seed.Hash); err != nil || answers[0] != nil {
				t.Fatal(answers, err)
			}
		}
		return hours
	}
	for i, c := range []struct{ body, want string }{
		{"a", "100 100 0 "}, {"", "200 100 0 "}, {"", "300 100 0 "}, {"", "300 100 0 "}, {"b", "150 100 0 "},
		{"b", "150 100 0 "}, {"c", "75 100 0 "}, {"d", "40 100 0 "}, {"e", "40 100 0 "}, {"", "80 100 0 "},
	} {
		if got := fetch(c.body); got != c.want {
			t.Errorf("%d: %s, want %s", i, got, c.want)
		}
	}
	seed := Must[seedlist.Seed](t)(Find(t.Context(), store, "http://a.example/adapts"))
	story := ""
	for _, v := range seed.History {
		story += fmt.Sprintf("%s %d, ", v.MD5, v.Unchanged)
		if v.Retrieved.IsZero() || v.Seen.Before(v.Retrieved) || v.NumberOfBytes != 7 {
			t.Errorf("%+v", v)
		}
	}
	if story != "a 3, b 0, c 0, d 0, e 1, " {
		t.Error(story)
	}
	for i := range seedlist.MaxHistory + 5 {
		fetch(fmt.Sprint(i))
	}
	seed = Must[seedlist.Seed](t)(Find(t.Context(), store, "http://a.example/adapts"))
	if n := len(seed.History); n != seedlist.MaxHistory || seed.History[n-1].MD5 != fmt.Sprint(seedlist.MaxHistory+4) {
		t.Errorf("%d versions", n)
	}
	Audit(t, store)
}

// aFailureIsTriedAgainAfterPausesThatDouble up to the interval, however long that is, and never
// where the seed has none.
func aFailureIsTriedAgainAfterPausesThatDouble(t *testing.T, open Opener) {
	const year = 365 * 24
	store := open(t, seedlist.Options{HostDelay: -1})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{
		{URI: "http://a.example/", Interval: 100 * time.Hour}, {URI: "http://b.example/", Interval: -1},
		{URI: "http://c.example/", Interval: year * time.Hour},
	}); err != nil {
		t.Fatal(err)
	}
	round := func(o seedlist.Outcome) (pauses [3]time.Duration) {
		t.Helper()
		for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)) {
			Complete(t, store, c, o)
		}
		for i, uri := range []string{"http://a.example/", "http://b.example/", "http://c.example/"} {
			seed := Must[seedlist.Seed](t)(Find(t.Context(), store, uri))
			if !seed.Due.IsZero() {
				pauses[i] = time.Until(seed.Due).Round(time.Minute)
			}
			if answers, err := store.Retry(t.Context(), "", seed.Hash); err != nil || answers[0] != nil {
				t.Fatal(answers, err)
			}
		}
		Audit(t, store)
		return pauses
	}
	again := seedlist.Outcome{Next: seedlist.Failed, Again: 24 * time.Hour}
	for i, c := range []struct {
		outcome     seedlist.Outcome
		hours, long time.Duration
	}{
		{again, 24, 24}, {again, 48, 48}, {again, 96, 96}, {again, 100, 192}, {again, 100, 384}, {again, 100, 768}, {again, 100, 1536},
		{again, 100, 3072}, {again, 100, 6144}, {again, 100, year}, {again, 100, year},
		{seedlist.Outcome{Next: seedlist.Failed}, 100, year}, {again, 24, 24}, {again, 48, 48},
	} {
		if got := round(c.outcome); got != [3]time.Duration{c.hours * time.Hour, 0, c.long * time.Hour} {
			t.Errorf("%d: %v, want %d h, never, and %d h", i, got, c.hours, c.long)
		}
	}
}
