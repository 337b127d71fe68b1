package postgres_test

import (
	"sync"
	"testing"

	"laundromat/seedlist"
	"laundromat/seedlist/storetest"
)

// What one process sets while another claims is in the claim, or the completion is made anew: a row that was waited
// for is read as it is then, and its document must not be that of before.
func TestWhatIsSetDuringAClaimIsNotLost(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	one, other := open(t, address, quick), open(t, address, quick)
	const seeds, rounds = 8, 25
	var uris []string
	for i := range seeds {
		uris = append(uris, "http://a.example/"+string(rune('a'+i)))
	}
	hashes := storetest.Add(t, one, uris...)
	for round := range rounds {
		interval := int64(1_000_000 + round)
		var all sync.WaitGroup
		all.Go(func() {
			for _, hash := range hashes {
				if _, err := one.Set(t.Context(), seedlist.SeedSettings{Interval: &interval}, hash); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for left := seeds; left > 0 && !t.Failed(); {
				claims, err := other.Claim(t.Context(), seedlist.Downloading, "w", 3)
				if err != nil {
					t.Error(err)
				}
				left -= len(claims)
				for _, c := range claims {
					failed := seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) { r.Title = "met" }}
					if err := other.Complete(t.Context(), c, failed); err != nil {
						t.Error(err)
					}
				}
			}
		})
		all.Wait()
		for _, hash := range hashes {
			seed := storetest.Seed(t, one, hash)
			if *seed.Interval != interval || seed.Title != "met" {
				t.Fatalf("the interval is %d, not %d, and the title %q: something that was written is lost", *seed.Interval, interval, seed.Title)
			}
		}
		if _, err := one.Retry(t.Context(), "", hashes...); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Audit(t, one)
}
