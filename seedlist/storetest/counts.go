package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// countsAreWhatAScanFinds does anything in any order.
func countsAreWhatAScanFinds(t *testing.T, open Opener) {
	for seedOfTest := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seedOfTest, 7))
			store := open(t, seedlist.Options{Interval: 30 * time.Minute, HostConnections: 2, HostDelay: time.Second})
			defer store.Close()
			var held []seedlist.Claim
			uri := func() string {
				return fmt.Sprintf("http://h%d.example/%d", random.IntN(5), random.IntN(12))
			}
			for step := range 1500 {
				switch random.IntN(12) {
				case 0:
					_, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: uri(), Priority: random.IntN(3)}, {URI: fmt.Sprint("../", random.IntN(4))}})
					if err != nil {
						t.Fatal(err)
					}
				case 1, 2, 3:
					stage := seedlist.Stages()[random.IntN(4)]
					held = append(held, Must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "w", 1+random.IntN(3)))...)
				case 4:
					if random.IntN(8) == 0 {
						if _, err := store.Remove(t.Context(), seedlist.Key(uri())); err != nil {
							t.Fatal(err)
						}
					}
				case 5:
					from := []seedlist.State{"", seedlist.Added, seedlist.Filed, seedlist.Unarchived, seedlist.Guessed}[random.IntN(5)]
					seeds, _, err := store.List(t.Context(), seedlist.Filter{State: seedlist.States()[8+random.IntN(4)]})
					if err != nil {
						t.Fatal(err)
					}
					if len(seeds) > 0 {
						again := []seedlist.Again{{To: from}, rewash, force, repair}[random.IntN(4)]
						if _, err := store.WashAgain(t.Context(), again, seeds[random.IntN(len(seeds))].Hash); err != nil {
							t.Fatal(err)
						}
					}
				case 6:
					time.Sleep(time.Duration(random.IntN(600)) * time.Second)
				case 7:
					if _, err := store.SetPriority(t.Context(), random.IntN(5), seedlist.Key(uri())); err != nil {
						t.Fatal(err)
					}
				default:
					if len(held) == 0 {
						continue
					}
					i := random.IntN(len(held))
					c := held[i]
					if random.IntN(10) > 0 { // else it is completed again, late
						held = slices.Delete(held, i, i+1)
					}
					if random.IntN(4) == 0 {
						r := seedlist.Return{CountTry: random.IntN(2) == 0}
						if r.CountTry {
							r.Due, r.Error = time.Now().Add(time.Minute), &seedlist.Error{Stage: c.Stage, Code: "http/status"}
						}
						if err := store.GiveBack(t.Context(), c, r); err != nil && err != seedlist.ErrLost {
							t.Fatal(err)
						}
						break
					}
					if err := store.Complete(t.Context(), c, anyOutcome(random, c)); err != nil && err != seedlist.ErrLost {
						t.Fatal(err)
					}
				}
				if step%100 == 99 {
					Audit(t, store)
					if t.Failed() {
						t.Fatalf("wrong after step %d", step)
					}
				}
			}
		})
	}
}

func anyOutcome(random *rand.Rand, c seedlist.Claim) seedlist.Outcome {
	if c.Stage == seedlist.Downloading && c.Last != "" && random.IntN(3) == 0 {
		return seedlist.Outcome{Unchanged: true}
	}
	next := c.Stage.Next()
	o := seedlist.Outcome{Next: next[random.IntN(len(next))]}
	n := random.Int64N(5)
	code := fault.Code(fmt.Sprint("iri/", n))
	o.Update = func(r *seedlist.Record) {
		switch o.Next {
		case seedlist.Filed:
			r.Content = &content.Content{NumberOfBytes: n}
			if n == 0 {
				r.ForgetReading()
			}
		case seedlist.Guessed:
			r.Format = fmt.Sprint("F", n)
		case seedlist.Parsed:
			r.Statements = &content.Statements{Read: n, Written: n}
			r.Notices = map[fault.Code]int64{code: n}
		case seedlist.Failed:
			r.Error = &seedlist.Error{Stage: c.Stage, Code: code}
		}
	}
	switch o.Next {
	case seedlist.Depleted:
		var entries []string
		for i := range random.IntN(4) {
			entries = append(entries, fmt.Sprintf("e%d=%d", i, random.IntN(2)))
		}
		o.Children = Zip(entries...)
		for i := range o.Children {
			o.Children[i].Within = c.Seed.Marked
		}
	case seedlist.Parsed:
		o.Clean = &seedlist.Clean{Content: *ContentOf(fmt.Sprint("clean", n))}
	}
	return o
}
