package views_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/quality"
	"laundromat/seedlist/views"
)

// addTurns adds what a document went through, and the parts of the score that it has a share in.
func (one *scanned) addTurns(raw *seedlist.Seed) {
	one.turns = map[string]time.Time{}
	if one.sums.Documents == 0 {
		return
	}
	one.values[views.Judged] = quality.Parts(&one.sums)
	for turn, at := range map[string]time.Time{"added": raw.Added, "broken": raw.Broken, "mended": raw.Mended} {
		if !at.IsZero() {
			one.turns[turn] = at
		}
	}
	before := ""
	for _, v := range raw.History {
		if v.Clean == "" || v.Washed.IsZero() {
			continue
		}
		if before != "" && v.Clean != before {
			one.turns["rewritten"] = v.Washed
		}
		before = v.Clean
	}
}

// compareTurns holds what became since a day, and the lists behind each number, against a scan.
func compareTurns(t testing.TB, v *views.Views, all []scanned, random *rand.Rand) {
	t.Helper()
	since := time.Now().UTC().AddDate(0, 0, -random.IntN(3)).Truncate(24 * time.Hour)
	values := map[views.Facet]map[string]bool{views.State: {"": true}} // all
	for _, name := range views.Groups() {
		f, _ := views.FacetNamed(name)
		values[f] = map[string]bool{}
		for _, s := range all {
			for _, value := range s.values[f] {
				values[f][value] = s.sums.Documents > 0 || values[f][value]
			}
		}
	}
	for f, of := range values {
		for value, isThere := range of {
			if !isThere || value != "" && random.IntN(4) > 0 {
				continue
			}
			found, _, err := v.Compare(t.Context(), f, value, since)
			if err != nil {
				t.Fatal(err)
			}
			for i, n := range []int64{found.Added, found.Broken, found.Mended, found.Rewritten} {
				q := views.Query{Turn: quality.TurnNames()[i], Since: since, Limit: 3}
				if value != "" {
					q.Where = map[views.Facet]string{f: value}
				}
				var want []scanned
				for _, s := range all {
					at, turned := s.turns[q.Turn]
					if turned && !at.Before(since) && (value == "" || slices.Contains(s.values[f], value)) {
						want = append(want, s)
					}
				}
				slices.SortFunc(want, func(a, b scanned) int {
					if c := b.turns[q.Turn].Truncate(time.Second).Compare(a.turns[q.Turn].Truncate(time.Second)); c != 0 {
						return c
					}
					return int(b.number) - int(a.number)
				})
				var numbers []uint64
				for _, s := range want {
					numbers = append(numbers, s.number)
				}
				if got := whole(t, v, q); !slices.Equal(got, numbers) || n != int64(len(numbers)) {
					t.Fatalf("%s of %q since %s: %d, listed %v, a scan finds %v", q.Turn, value, since, n, got, numbers)
				}
			}
		}
	}
}
