package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/seedlist"
)

// follower knows of each seed what the feed has told.
type follower struct {
	after  uint64
	states map[uint64]seedlist.State
	hashes map[uint64]string
}

// follow reads what is new, so many changes a call, and returns which seeds changed.
func (f *follower) follow(t testing.TB, store seedlist.List, limit int) map[uint64]bool {
	t.Helper()
	changed := map[uint64]bool{}
	for {
		changes, err := store.Changes(t.Context(), f.after, limit)
		if err != nil {
			t.Fatal(err)
		}
		if len(changes) == 0 {
			return changed
		}
		if len(changes) > limit {
			t.Fatalf("%d changes, at most %d were asked for", len(changes), limit)
		}
		for _, c := range changes {
			if c.Revision != f.after+1 {
				t.Fatalf("revision %d comes after %d", c.Revision, f.after)
			}
			if c.From != f.states[c.Number] || c.From == "" && c.To == "" {
				t.Fatalf("%+v: it was %q", c, f.states[c.Number])
			}
			if age := time.Since(c.Time); age < 0 || age > 24*time.Hour {
				t.Fatalf("%+v: it is of another time", c)
			}
			f.after, changed[c.Number] = c.Revision, true
			if c.To != "" {
				f.states[c.Number] = c.To
				continue
			}
			if hash, known := f.hashes[c.Number]; known && c.Hash != hash {
				t.Fatalf("%+v: its hash was %s", c, hash)
			}
			delete(f.states, c.Number)
			delete(f.hashes, c.Number)
		}
	}
}

// wholeList are all seeds of a list.
func wholeList(t testing.TB, store seedlist.List) map[uint64]seedlist.Seed {
	t.Helper()
	all := map[uint64]seedlist.Seed{}
	for after := uint64(0); ; {
		page, err := store.NumberedAfter(t.Context(), after, 7)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return all
		}
		for _, n := range page {
			if n.Number <= after {
				t.Fatalf("the number %d comes after %d", n.Number, after)
			}
			after = n.Number
			whole := Must[[]seedlist.Seed](t)(store.Whole(t.Context(), n.Number))
			if len(whole) != 1 || whole[0].Hash != n.Seed.Hash || whole[0].Status != n.Seed.Status {
				t.Fatalf("%d is %+v, whole %+v", n.Number, n.Seed, whole)
			}
			all[n.Number] = whole[0]
		}
	}
}

// eachTransactionTellsWhatItChanged compares all records before and after each step with what was told.
func eachTransactionTellsWhatItChanged(t *testing.T, open Opener) {
	for seedOfTest := range uint64(2) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seedOfTest, 11))
			store := open(t, seedlist.Options{Interval: 30 * time.Minute, HostConnections: 2, HostDelay: time.Second})
			defer store.Close()
			history := History{Store: store, Random: random}
			f := follower{states: map[uint64]seedlist.State{}, hashes: map[uint64]string{}}
			before := map[uint64]string{}
			for step := range 600 {
				history.Step(t)
				changed := f.follow(t, store, 1+random.IntN(5))
				now := map[uint64]string{}
				for number, seed := range wholeList(t, store) {
					if f.states[number] != seed.Status {
						t.Fatalf("step %d: %d is %s, and %q was told", step, number, seed.Status, f.states[number])
					}
					f.hashes[number] = seed.Hash
					seed.Worker, seed.Progress = "", nil
					for i := range seed.Catalogs {
						seed.Catalogs[i].Harvest = 0
					}
					data, err := json.Marshal(seed)
					if err != nil {
						t.Fatal(err)
					}
					if now[number] = string(data); now[number] != before[number] && !changed[number] {
						t.Fatalf("step %d: nobody was told of the change of %d from\n%s to\n%s", step, number, before[number], data)
					}
				}
				if len(now) != len(f.states) {
					t.Fatalf("step %d: %d seeds are there, and %d were told", step, len(now), len(f.states))
				}
				before = now
			}
			if last := Must[uint64](t)(store.Revision(t.Context())); last != f.after || last < 100 {
				t.Errorf("the revision is %d, the last change %d", last, f.after)
			}
		})
	}
}

// aChangeIsToldOnceAndInOrder follows one life, and waits for what comes.
func aChangeIsToldOnceAndInOrder(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{})
		defer store.Close()
		if changes, err := store.Changes(t.Context(), 0, 10); len(changes) > 0 || err != nil {
			t.Fatalf("an empty list changed: %v, %v", changes, err)
		}
		woken := make(chan error, 1)
		go func() { woken <- store.WaitChange(t.Context(), 0) }()
		synctest.Wait()
		if len(woken) > 0 {
			t.Fatal("woken by nothing")
		}
		hash := Add(t, store, "http://me:secret@example.org/a")[0]
		if err := <-woken; err != nil {
			t.Fatal(err)
		}
		Drive(t, store, seedlist.Filed)
		if errs, err := store.Remove(t.Context(), hash); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		changes := Must[[]seedlist.Change](t)(store.Changes(t.Context(), 0, 10))
		told := ""
		for _, c := range changes {
			told += fmt.Sprintf("%d %s→%s %s %s;", c.Revision, c.From, c.To, c.Hash, c.Name)
		}
		if want := "1 →added  ;2 added→downloading  ;3 downloading→filed  ;4 filed→ " + hash + " http://***@example.org/a;"; told != want {
			t.Errorf("told\n%s, want\n%s", told, want)
		}
		number := changes[0].Number
		if there, err := store.Numbered(t.Context(), number); len(there) > 0 || err != nil {
			t.Errorf("a removed seed is there: %v, %v", there, err)
		}
		other := Add(t, store, "http://example.org/b")[0]
		whole := Must[[]seedlist.Seed](t)(store.Whole(t.Context(), number, number+1))
		if len(whole) != 1 || !reflect.DeepEqual(whole[0], Seed(t, store, other)) {
			t.Errorf("%+v", whole)
		}
		if err := store.WaitChange(t.Context(), 3); err != nil {
			t.Error(err)
		}
		if some := Must[[]seedlist.Change](t)(store.Changes(t.Context(), 2, 1)); len(some) != 1 || some[0] != changes[2] {
			t.Errorf("%v", some)
		}
	})
}

// aLateReaderIsTold asks for what is no longer kept, and for what never was.
func aLateReaderIsTold(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{KeepChanges: 20})
	for i := range 300 {
		Add(t, store, fmt.Sprintf("http://example.org/%d", i))
	}
	last := Must[uint64](t)(store.Revision(t.Context()))
	if last != 300 {
		t.Fatalf("the revision is %d", last)
	}
	var late *seedlist.LateError
	if _, err := store.Changes(t.Context(), 5, 10); !errors.As(err, &late) || late.Last != last || late.First > last-19 || late.First <= 6 {
		t.Fatalf("%v", err)
	}
	if _, err := store.Changes(t.Context(), late.First-2, 10); !errors.As(err, &late) {
		t.Errorf("the change before the first is told: %v", err)
	}
	rest, err := store.Changes(t.Context(), late.First-1, 1000)
	if err != nil || uint64(len(rest)) != last+1-late.First || rest[0].Revision != late.First {
		t.Errorf("%d changes, %v", len(rest), err)
	}
	if _, err := store.Changes(t.Context(), last+1, 10); !errors.As(err, &late) || late.Last != last {
		t.Errorf("a revision that never was: %v", err)
	}
	for _, revision := range []uint64{0, late.First - 1, late.First, last, last + 1} {
		kept := revision >= late.First && revision <= last
		if c, ok, err := seedlist.ChangeOf(t.Context(), store, revision); err != nil || ok != kept || ok && c.Revision != revision {
			t.Errorf("change %d: %v, %v, %v", revision, c.Revision, ok, err)
		}
	}
	if c, err := seedlist.LastChange(t.Context(), store); err != nil || c.Revision != last || c.Time.IsZero() {
		t.Errorf("the last change is %d of %v, %v", c.Revision, c.Time, err)
	}
}

// whatIsWashedIsSummedByTime washes documents over three months.
func whatIsWashedIsSummedByTime(t *testing.T, open Opener) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{Interval: -1})
		defer store.Close()
		begin := time.Now()
		var bytes int64
		for day := range 90 {
			Add(t, store, fmt.Sprintf("http://example.org/%d", day))
			for _, stage := range seedlist.Stages() {
				c := Claim(t, store, stage)
				if stage == seedlist.Parsing {
					bytes += c.Seed.Content.NumberOfBytes
				}
				Complete(t, store, c, Usual(c))
			}
			time.Sleep(24 * time.Hour)
		}
		for _, span := range seedlist.Spans() {
			sums := Must[[]seedlist.Washed](t)(store.Washed(t.Context(), span, begin.Add(-48*time.Hour), time.Now()))
			var all seedlist.Washed
			for i, w := range sums {
				all.Add(w)
				if !w.Begin.Equal(w.Begin.Truncate(span.Length())) || i > 0 && !sums[i-1].Begin.Before(w.Begin) {
					t.Errorf("a %s begins at %v", span, w.Begin)
				}
			}
			want := 90
			if kept := span.Kept(); kept > 0 {
				want = int(kept/(24*time.Hour)) + 1 // the last was a day ago, and nothing was forgotten since
			}
			if len(sums) != want || all.Documents != int64(want) || all.Statements != 10*int64(want) || want == 90 && all.Bytes != bytes {
				t.Errorf("by the %s: %d sums of %+v, want %d", span, len(sums), all, want)
			}
		}
		day := begin.UTC().Truncate(24 * time.Hour)
		if one := Must[[]seedlist.Washed](t)(store.Washed(t.Context(), seedlist.Day, day, day.Add(time.Hour))); len(one) != 1 ||
			one[0].Documents != 1 {
			t.Errorf("%+v", one)
		}
	})
}
