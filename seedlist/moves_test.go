package seedlist_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

func audit(t testing.TB, store *seedlist.Store) {
	t.Helper()
	for _, wrong := range store.Audit() {
		t.Error(wrong)
	}
}

func TestNoSeedIsClaimedTwice(t *testing.T) {
	store := open(t, seedlist.Options{})
	const n = 10_000
	seeds := make([]seedlist.NewSeed, n)
	for i := range seeds {
		seeds[i].URI = fmt.Sprintf("http://h%d.example/%d", i%50, i)
	}
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := make(map[string]int)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for {
				claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 7)
				if err != nil || len(claims) == 0 {
					if err != nil {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				for _, c := range claims {
					seen[c.Seed.Hash]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(seen) != n {
		t.Errorf("%d of %d claimed", len(seen), n)
	}
	for hash, times := range seen {
		if times != 1 {
			t.Errorf("%s claimed %d times", hash, times)
		}
	}
	audit(t, store)
}

// TestNoOutcomeButThoseOfTheTable tries every outcome from every state.
func TestNoOutcomeButThoseOfTheTable(t *testing.T) {
	for _, stage := range seedlist.Stages() {
		for _, next := range append(seedlist.States(), "", "nonsense") {
			store := open(t, seedlist.Options{})
			hash := add(t, store, "http://example.org/")[0]
			c := drive(t, store, stage)
			err := store.Complete(t.Context(), c, seedlist.Outcome{Next: next})
			if lawful := slices.Contains(stage.Next(), next); (err == nil) != lawful {
				t.Errorf("%s → %q: %v", stage, next, err)
			} else if lawful {
				wantState(t, store, hash, next)
			} else {
				wantState(t, store, hash, stage)
			}
			audit(t, store)
			store.Close()
		}
	}
}

// TestEveryStateCanBeLeftOnlyAsTheDesignSays tries, from every state, the moves
// that no worker makes.
func TestEveryStateCanBeLeftOnlyAsTheDesignSays(t *testing.T) {
	failedIn := map[seedlist.State]seedlist.State{}
	for _, stage := range seedlist.Stages() {
		failedIn["failed in "+stage] = stage
	}
	states := slices.DeleteFunc(seedlist.States(), func(s seedlist.State) bool { return s == seedlist.Failed || s == seedlist.Cleaned })
	for s := range failedIn {
		states = append(states, s)
	}
	for _, state := range states {
		for _, from := range append([]seedlist.State{""}, seedlist.States()...) {
			store := open(t, seedlist.Options{})
			hash := add(t, store, "http://example.org/")[0]
			stage, failed := failedIn[state]
			if failed {
				complete(t, store, drive(t, store, stage), seedlist.Outcome{Next: seedlist.Failed})
			} else {
				drive(t, store, state)
			}
			before := seed(t, store, hash).Status
			errs, err := store.Retry(t.Context(), from, hash)
			refused := err != nil || errs[0] != nil
			want := before
			switch {
			case from == "" && before.IsFinal():
				want = seedlist.Added
			case failed && from == stage.Ready():
				want = from
			}
			if got := seed(t, store, hash).Status; got != want || refused != (want == before) {
				t.Errorf("%s, retry from %q: %s, want %s (%v, %v)", state, from, got, want, errs, err)
			}
			audit(t, store)
			store.Close()
		}
	}
}

func TestUnchangedLeadsToTheLastFinalState(t *testing.T) {
	for _, last := range []seedlist.State{seedlist.Parsed, seedlist.Depleted, seedlist.Failed} {
		store := open(t, seedlist.Options{})
		hash := add(t, store, "http://example.org/")[0]
		c := claim(t, store, seedlist.Downloading)
		if err := store.Complete(t.Context(), c, seedlist.Outcome{Unchanged: true}); err == nil {
			t.Fatal("unchanged, but never washed")
		}
		if err := store.GiveBack(t.Context(), c, seedlist.Return{}); err != nil {
			t.Fatal(err)
		}
		drive(t, store, last)
		before := seed(t, store, hash)
		if errs, err := store.Retry(t.Context(), "", hash); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		c = claim(t, store, seedlist.Downloading)
		if c.Last != last {
			t.Fatalf("last %q, want %q", c.Last, last)
		}
		complete(t, store, c, seedlist.Outcome{Unchanged: true})
		after := seed(t, store, hash)
		if after.Status != last || after.Clean != before.Clean || !after.Processed.After(before.Processed) || after.Retrieved != before.Retrieved {
			t.Errorf("%+v\n%+v", before, after)
		}
		audit(t, store)
		store.Close()
	}
}

// zip is an archive's entries: names and what their bytes are.
func zip(entries ...string) (children []seedlist.Child) {
	for _, e := range entries {
		name, bytes, _ := strings.Cut(e, "=")
		size := int64(len(bytes))
		children = append(children, seedlist.Child{
			Name: name, Archive: seedlist.Archive{Format: "zip", Size: &size}, Content: *contentOf(bytes),
		})
	}
	return children
}

// deplete brings the one archive that is added through its stages.
func deplete(t testing.TB, store *seedlist.Store, children []seedlist.Child) {
	t.Helper()
	complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: children})
}

func TestAnArchiveDepletedAgainFilesOnlyWhatChanged(t *testing.T) {
	store := open(t, seedlist.Options{Interval: time.Hour})
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/a.zip", Priority: 4, Source: "list"}}); err != nil {
		t.Fatal(err)
	}
	parent := seedlist.Key("http://example.org/a.zip")
	child := func(name string, n int) string { return seedlist.ChildKey(parent, name, n) }
	deplete(t, store, zip("same=1", "changes=1", "goes=1", "twice=1", "twice=2", "caf\xe9=1", "fails=1"))
	p := seed(t, store, parent)
	if p.Status != seedlist.Depleted || *p.ChildrenTotal != 7 || len(p.Children) != 7 || p.Children[0] != child("same", 1) || p.Children[4] != child("twice", 2) {
		t.Fatalf("%+v", p)
	}
	c := seed(t, store, child("caf\xe9", 1))
	if c.Parent != parent || c.Archive.Name() != "caf\xe9" || c.Archive.Entry != "caf\uFFFD" || c.Priority != 4 || c.Source != "list" || *c.Interval != 3600 || c.Gone == nil || *c.Gone {
		t.Errorf("%+v", c)
	}
	if c := seed(t, store, child("twice", 2)); c.Archive.Nth != 2 {
		t.Errorf("%+v", c.Archive)
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while its entries are being worked on: %v", errs)
	}
	audit(t, store)

	// All entries end; one fails, one is an archive of its own.
	inner := child("same", 1)
	for range 7 {
		c := claim(t, store, seedlist.Unarchiving)
		switch c.Seed.Hash {
		case child("fails", 1):
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
		case inner:
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Depleted, Children: zip("x=1")})
		default:
			complete(t, store, c, seedlist.Outcome{Next: seedlist.Unarchived})
		}
	}
	for range 5 {
		complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Failed})
	}
	if errs, _ := store.Retry(t.Context(), "", parent); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("retried while an entry's entry is being worked on: %v", errs)
	}
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	audit(t, store)
	if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if errs, _ := store.Retry(t.Context(), "", child("fails", 1)); errs[0] != seedlist.ErrNotAtRest {
		t.Errorf("a child retried while its archive is being fetched: %v", errs)
	}

	deplete(t, store, zip("same=1", "changes=2", "twice=2", "twice=1", "new=1", "caf\xe9=1", "fails=1"))
	for hash, want := range map[string]seedlist.State{
		inner: seedlist.Depleted, child("changes", 1): seedlist.Filed, child("goes", 1): seedlist.Failed, child("twice", 1): seedlist.Filed,
		child("twice", 2): seedlist.Filed, child("new", 1): seedlist.Filed, child("caf\xe9", 1): seedlist.Failed, child("fails", 1): seedlist.Failed,
	} {
		s := seed(t, store, hash)
		if gone := hash == child("goes", 1); s.Status != want || *s.Gone != gone {
			t.Errorf("%s: %s, gone %v; want %s", s.Archive.Entry, s.Status, *s.Gone, want)
		}
	}
	if c := seed(t, store, child("changes", 1)); c.Content.SHA256 != contentOf("2").SHA256 {
		t.Error("the record has the old content")
	}
	if p := seed(t, store, parent); *p.ChildrenTotal != 8 {
		t.Errorf("%d children", *p.ChildrenTotal)
	}
	audit(t, store)

	// An entry comes back; then the archive is a plain file.
	for range 4 {
		complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
	}
	for _, again := range []func(){
		func() { deplete(t, store, zip("goes=1")) },
		func() {
			complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
			complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
		},
	} {
		if errs, err := store.Retry(t.Context(), "", parent); err != nil || errs[0] != nil {
			t.Fatal(errs, err)
		}
		again()
		goes := seed(t, store, child("goes", 1))
		if still := seed(t, store, parent).Status == seedlist.Depleted; *goes.Gone == still || goes.Status != seedlist.Failed {
			t.Errorf("%+v", goes.Standing)
		}
		if !*seed(t, store, inner).Gone {
			t.Error("not gone")
		}
		audit(t, store)
	}
}

func TestAChildBeginsAgainBeforeTheStageThatFailed(t *testing.T) {
	store := open(t, seedlist.Options{})
	parent := add(t, store, "http://example.org/a.zip")[0]
	deplete(t, store, zip("a=1"))
	child := seedlist.ChildKey(parent, "a", 1)
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived})
	complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Failed})
	if errs, err := store.Retry(t.Context(), "", child); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	wantState(t, store, child, seedlist.Unarchived)
	complete(t, store, claim(t, store, seedlist.Guessing), seedlist.Outcome{Next: seedlist.Guessed})
	complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *contentOf("c")}})
	if errs, _ := store.Retry(t.Context(), "", child); errs[0] != seedlist.ErrNoURI {
		t.Errorf("a child that was parsed began again: %v", errs)
	}
	if errs, _ := store.Retry(t.Context(), "", contentOf("c").MD5); errs[0] != seedlist.ErrNoURI {
		t.Errorf("a clean seed moved: %v", errs)
	}
	audit(t, store)
}

func TestOneCleanFileIsSharedAndGoesWithItsLast(t *testing.T) {
	store := open(t, seedlist.Options{})
	hashes := add(t, store, "http://example.org/1", "http://example.org/2", "http://example.org/3")
	wash := func(text string) string {
		t.Helper()
		file := contentOf(text)
		drive(t, store, seedlist.Guessed)
		complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *file}})
		return file.MD5
	}
	clean := wash("shared")
	for range 2 {
		wash("shared")
	}
	s := seed(t, store, clean)
	if s.Dirty != hashes[0] || !slices.Equal(s.AlsoDirty, hashes[1:]) || *s.AlsoDirtyTotal != 2 {
		t.Fatalf("%+v", s.Links)
	}
	counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Clean.Files != 1 || counts.Clean.Lines != 10 {
		t.Errorf("%+v", counts.Clean)
	}
	audit(t, store)

	// One is washed to something else, one is removed: the third keeps the file.
	if errs, err := store.Retry(t.Context(), "", hashes[0]); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	other := wash("other")
	if errs, err := store.Remove(t.Context(), hashes[1], clean); err != nil || errs[0] != nil || errs[1] != seedlist.ErrDerived {
		t.Fatal(errs, err)
	}
	if s := seed(t, store, clean); s.Dirty != hashes[2] || len(s.AlsoDirty) != 0 || *s.AlsoDirtyTotal != 0 {
		t.Errorf("%+v", s.Links)
	}
	audit(t, store)
	if errs, err := store.Remove(t.Context(), hashes[2]); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if _, err := store.Seed(t.Context(), clean); err != seedlist.ErrNotFound {
		t.Errorf("a clean seed that nothing names: %v", err)
	}
	orphans := must[[]string](t)(store.Orphans(t.Context(), 10))
	if want := []string{hashes[1], hashes[2], clean}; len(orphans) != 3 || !slices.Contains(orphans, want[0]) || !slices.Contains(orphans, want[1]) || !slices.Contains(orphans, want[2]) {
		t.Errorf("%v", orphans)
	}
	if err := store.Swept(t.Context(), hashes[1]); err != nil {
		t.Fatal(err)
	}
	add(t, store, "http://example.org/3")
	if orphans := must[[]string](t)(store.Orphans(t.Context(), 10)); !slices.Equal(orphans, []string{clean}) {
		t.Errorf("%v", orphans)
	}
	wantState(t, store, other, seedlist.Cleaned)
	audit(t, store)
}

func TestACleanFileIsSharedOnlyIfItsBytesAreEqual(t *testing.T) {
	store := open(t, seedlist.Options{})
	add(t, store, "http://example.org/1", "http://example.org/2")
	file := *contentOf("a")
	drive(t, store, seedlist.Guessed)
	complete(t, store, claim(t, store, seedlist.Parsing), seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: file}})
	file.SHA256 = contentOf("b").SHA256
	drive(t, store, seedlist.Guessed)
	c := claim(t, store, seedlist.Parsing)
	if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: file}}); err != seedlist.ErrCollision {
		t.Errorf("%v", err)
	}
	complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed})
	audit(t, store)
}

func TestRemovalTakesAllThatIsBelow(t *testing.T) {
	store := open(t, seedlist.Options{})
	parent := add(t, store, "http://example.org/a.zip", "http://example.org/b")[0]
	var entries []string
	for i := range 2500 {
		entries = append(entries, fmt.Sprintf("e%d=%d", i, i))
	}
	complete(t, store, claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: zip(entries...)})
	held := claim(t, store, seedlist.Unarchiving)
	complete(t, store, claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: zip("inner=1")})
	working := claim(t, store, seedlist.Downloading)
	p := seed(t, store, parent)
	if len(p.Children) != seedlist.MaxLinks || *p.ChildrenTotal != 2500 {
		t.Fatalf("%d of %d", len(p.Children), *p.ChildrenTotal)
	}
	if errs, err := store.Remove(t.Context(), held.Seed.Hash); err != nil || errs[0] != seedlist.ErrDerived {
		t.Fatal(errs, err)
	}
	errs, err := store.Remove(t.Context(), parent, seedlist.Key("http://none.example/"), working.Seed.Hash)
	if err != nil || errs[0] != nil || errs[1] != seedlist.ErrNotFound || errs[2] != nil {
		t.Fatal(errs, err)
	}
	for _, c := range []seedlist.Claim{held, working} {
		if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: c.Stage.Next()[0]}); err != seedlist.ErrLost {
			t.Errorf("%v", err)
		}
	}
	// A new seed of the same URI is not the old one, whatever its fence.
	add(t, store, "http://example.org/b")
	if c := claim(t, store, seedlist.Downloading); c.Fence != working.Fence {
		t.Errorf("fence %d", c.Fence)
	}
	if err := store.Complete(t.Context(), working, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
		t.Errorf("%v", err)
	}
	counts := must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Seeds != 1 || counts.Bytes != 0 {
		t.Errorf("%+v", counts)
	}
	audit(t, store)
}

func TestHostsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := open(t, seedlist.Options{HostConnections: 1, HostDelay: time.Second})
		defer store.Close()
		var seeds []seedlist.NewSeed
		for i := range 10_000 {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://large.example/%d", i), Priority: 100})
		}
		for i := range 300 {
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", i%100, i), Priority: i % 3})
		}
		if _, err := store.Add(t.Context(), seeds); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var mu sync.Mutex
		var small []string
		large, mostAtOnce, atOnce := 0, 0, map[string]int{}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for time.Since(start) < 300*time.Second {
					if store.Wait(t.Context(), seedlist.Downloading) != nil {
						return
					}
					claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 1)
					if err != nil {
						t.Error(err)
						return
					}
					for _, c := range claims {
						host, _, _ := strings.Cut(strings.TrimPrefix(c.Seed.URI, "http://"), "/")
						mu.Lock()
						atOnce[host]++
						mostAtOnce = max(mostAtOnce, atOnce[host])
						if host == "large.example" {
							if time.Since(start) < 300*time.Second {
								large++
							}
						} else {
							small = append(small, c.Seed.URI)
						}
						mu.Unlock()
						if host == "large.example" {
							time.Sleep(20 * time.Second) // it is slow as well
						} else {
							time.Sleep(100 * time.Millisecond)
						}
						mu.Lock()
						atOnce[host]--
						mu.Unlock()
						if err := store.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Filed}); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		for range 20 {
			time.Sleep(time.Second)
			mu.Lock()
			done := len(small)
			mu.Unlock()
			if done == 300 {
				break
			}
		}
		mu.Lock()
		if len(small) != 300 {
			t.Errorf("%d of 300 small hosts' seeds in %v", len(small), time.Since(start))
		}
		// Eight workers note their claims in any order, so the last eight may be mixed.
		for i, uri := range small[:92] {
			host := strings.Split(uri, "/")[2]
			if slices.ContainsFunc(small[:i], func(other string) bool { return strings.Split(other, "/")[2] == host }) {
				t.Errorf("%s had a second turn before all others had one", host)
			}
		}
		if mostAtOnce != 1 {
			t.Errorf("%d connections to one host", mostAtOnce)
		}
		mu.Unlock()
		wg.Wait()
		if large != 15 {
			t.Errorf("%d seeds of the large host in 300 s, of 20 s and 1 s of rest each", large)
		}
	})
}

func TestAHostsSeedsComeByPriorityDueAndAge(t *testing.T) {
	store := open(t, seedlist.Options{})
	var seeds []seedlist.NewSeed
	for i, p := range []int{0, 5, 0, 5, -1} {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://a.example/%d", i), Priority: p})
	}
	seeds = append(seeds, seedlist.NewSeed{URI: "http://b.example/5"})
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	var order string
	for range 3 {
		for _, c := range must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 2)) {
			order += c.Seed.URI[len(c.Seed.URI)-1:]
		}
	}
	// Which host comes first is open; after that they take turns.
	if order != "153024" && order != "513024" {
		t.Errorf("order %s", order)
	}
}

func TestOneHostMayHaveSeveralConnections(t *testing.T) {
	store := open(t, seedlist.Options{HostConnections: 3, HostDelay: -1})
	var uris []string
	for i := range 10 {
		uris = append(uris, fmt.Sprintf("http://a.example/%d", i))
	}
	add(t, store, uris...)
	claims := must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10))
	if len(claims) != 3 {
		t.Fatalf("%d claims", len(claims))
	}
	complete(t, store, claims[1], seedlist.Outcome{Next: seedlist.Filed})
	if claims := must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 10)); len(claims) != 1 {
		t.Fatalf("%d claims", len(claims))
	}
	audit(t, store)
}

// TestCountsAndIndicesAreWhatAScanFinds does anything in any order.
func TestCountsAndIndicesAreWhatAScanFinds(t *testing.T) {
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
					held = append(held, must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "w", 1+random.IntN(3)))...)
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
						if _, err := store.Retry(t.Context(), from, seeds[random.IntN(len(seeds))].Hash); err != nil {
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
					audit(t, store)
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
			r.Statements = &seedlist.Statements{Read: n, Written: n}
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
		o.Children = zip(entries...)
	case seedlist.Parsed:
		o.Clean = &seedlist.Clean{Content: *contentOf(fmt.Sprint("clean", n))}
	}
	return o
}
