package postgres_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

// begin opens a list by the server's clock, as a worker does.
func begin(t testing.TB, address string, options seedlist.Options) *postgres.Store {
	t.Helper()
	store, err := postgres.Open(context.Background(), address, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

var quick = seedlist.Options{HostConnections: 1000, HostDelay: -1, Interval: -1}

// washAll has so many goroutines of each worker wash all that is there. It returns how often each seed was parsed.
func washAll(t *testing.T, stores []*postgres.Store, goroutines int) map[string]int {
	t.Helper()
	parsed := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var idle atomic.Bool
	for _, store := range stores {
		for g := range goroutines {
			wg.Go(func() {
				stage := seedlist.Stages()[g%4]
				for !idle.Load() {
					claims, err := store.Claim(t.Context(), stage, fmt.Sprint("w", g), 7)
					if fault.KindOf(err) == fault.Local {
						time.Sleep(50 * time.Millisecond) // as the daemon pauses
						continue
					}
					if err != nil {
						t.Error(err)
						return
					}
					for _, c := range claims {
						if err := store.Complete(t.Context(), c, storetest.Usual(c)); err != nil {
							t.Errorf("%s of %s: %v", c.Stage, c.Seed.URI, err)
							continue
						}
						if stage == seedlist.Parsing {
							mu.Lock()
							parsed[c.Seed.URI]++
							mu.Unlock()
						}
					}
					if len(claims) > 0 {
						continue
					}
					if is, err := store.Idle(t.Context()); err == nil && is {
						idle.Store(true)
					}
					waiting, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
					store.Wait(waiting, stage)
					cancel()
				}
			})
		}
	}
	wg.Wait()
	return parsed
}

func addMany(t *testing.T, store *postgres.Store, n int) {
	t.Helper()
	var seeds []seedlist.NewSeed
	for i := range n {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", i%37, i)})
	}
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
}

func wantEachOnce(t *testing.T, store *postgres.Store, parsed map[string]int, n int) {
	t.Helper()
	for uri, times := range parsed {
		if times != 1 {
			t.Errorf("%s was parsed %d times", uri, times)
		}
	}
	if len(parsed) != n {
		t.Errorf("%d of %d were parsed", len(parsed), n)
	}
	counts := storetest.Must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.States[seedlist.Parsed] != int64(n) || counts.Clean.Files != int64(n) {
		t.Errorf("%+v", counts)
	}
	storetest.Audit(t, store)
}

// TestManyWorkersMayMakeTheTables opens a list that is not there yet, ten times at once.
func TestManyWorkersMayMakeTheTables(t *testing.T) {
	for range 5 {
		server := need(t)
		name := fmt.Sprint("fresh", time.Now().UnixNano())
		server.exec(t, "CREATE SCHEMA "+name)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() {
				store, err := postgres.Open(t.Context(), server.Address+"&search_path="+name, quick)
				if err != nil {
					t.Error(err)
					return
				}
				store.Close()
			})
		}
		all.Wait()
	}
}

// TestManyWorkersWashEachSeedOnce has three processes' worth of stores share a list.
func TestManyWorkersWashEachSeedOnce(t *testing.T) {
	address := need(t).schema(t)
	stores := []*postgres.Store{begin(t, address, quick), begin(t, address, quick), begin(t, address, quick)}
	addMany(t, stores[0], 500)
	wantEachOnce(t, stores[1], washAll(t, stores, 22), 500)
}

// TestAHostsSeedsAreClaimedByOneWorkerAtATime: another claims none before the first has let the host go.
func TestAHostsSeedsAreClaimedByOneWorkerAtATime(t *testing.T) {
	address := need(t).schema(t)
	polite := seedlist.Options{HostConnections: 2, HostDelay: -1}
	a, b := begin(t, address, polite), begin(t, address, polite)
	storetest.Add(t, a, "http://a.example/1", "http://a.example/2", "http://a.example/3")
	first := storetest.Must[[]seedlist.Claim](t)(a.Claim(t.Context(), seedlist.Downloading, "a", 1))
	if others := storetest.Must[[]seedlist.Claim](t)(b.Claim(t.Context(), seedlist.Downloading, "b", 9)); len(first) != 1 ||
		len(others) != 0 {
		t.Fatalf("%d claims, and %d of another's host", len(first), len(others))
	}
	second := storetest.Must[[]seedlist.Claim](t)(a.Claim(t.Context(), seedlist.Downloading, "a", 9))
	if len(second) != 1 || first[0].Number == second[0].Number {
		t.Fatalf("%d claims of a host with two connections", len(second))
	}
	if err := b.Complete(t.Context(), second[0], seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
		t.Errorf("another process completes a claim: %v", err)
	}
	for _, c := range append(first, second...) {
		if others := storetest.Must[[]seedlist.Claim](t)(b.Claim(t.Context(), seedlist.Downloading, "b", 9)); len(others) != 0 {
			t.Errorf("%d claims of another's host", len(others))
		}
		if err := a.Rest(t.Context(), c, seedlist.Load{}); err != nil {
			t.Fatal(err)
		}
	}
	if third := storetest.Must[[]seedlist.Claim](t)(b.Claim(t.Context(), seedlist.Downloading, "b", 9)); len(third) != 1 {
		t.Errorf("%d claims of a host that was given up", len(third))
	}
}

// TestWhatADeadWorkerHeldIsASuspect gives back, by another process, what one held that gives no sign of life any more.
func TestWhatADeadWorkerHeldIsASuspect(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	dead := open(t, address, quick)
	alive := open(t, address, quick)
	hash := storetest.Add(t, dead, "http://a.example/1", "http://a.example/2")[0]
	storetest.Complete(t, dead, storetest.Claim(t, dead, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	held := storetest.Claim(t, dead, seedlist.Unarchiving)
	download := storetest.Claim(t, dead, seedlist.Downloading)
	catalog, _, err := dead.AddCatalog(t.Context(), "http://c.example/", seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := dead.ClaimCatalog(t.Context(), "dead"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	alive.Live()
	storetest.WantState(t, alive, hash, seedlist.Unarchiving)
	server.exec(t, fmt.Sprintf("UPDATE %s.holders SET lease = 1 WHERE holder = '%s'", nameOf(address), dead.Holder()))
	alive.Live()
	storetest.WantState(t, alive, hash, seedlist.Filed)
	if claims := storetest.Must[[]seedlist.Claim](t)(alive.Claim(t.Context(), seedlist.Unarchiving, "w", 9)); len(claims) != 0 {
		t.Error("a suspect is washed beside others")
	}
	if err := dead.Complete(t.Context(), held, seedlist.Outcome{Next: seedlist.Unarchived}); err != seedlist.ErrLost {
		t.Errorf("completed by the dead: %v", err)
	}
	c, found, err := alive.ClaimSuspect(t.Context(), "w")
	if err != nil || !found || c.Seed.Hash != hash || c.Crashes != 1 || c.Fence != held.Fence+1 || c.Try != 1 {
		t.Errorf("%v %v %+v", found, err, c)
	}
	if again := storetest.Claim(t, alive, seedlist.Downloading); again.Number != download.Number || again.Try != 1 {
		t.Errorf("%+v", again)
	}
	if claim, ok, err := alive.ClaimCatalog(t.Context(), "w"); err != nil || !ok || claim.Catalog.Hash != catalog.Hash ||
		claim.Crashes != 1 {
		t.Errorf("%v %v %+v", ok, err, claim)
	}
	if err := dead.Complete(t.Context(), download, seedlist.Outcome{Next: seedlist.Filed}); err != seedlist.ErrLost {
		t.Errorf("completed by the dead: %v", err)
	}
}

// TestClaimsThatNobodyKnowsOfAreGivenBack loses the answer to a claim that was committed.
func TestClaimsThatNobodyKnowsOfAreGivenBack(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	a := open(t, address, seedlist.Options{HostConnections: 1, HostDelay: -1})
	storetest.Add(t, a, "http://a.example/1", "http://b.example/1")
	lost, known := storetest.Claim(t, a, seedlist.Downloading), storetest.Claim(t, a, seedlist.Downloading)
	if _, _, err := a.AddCatalog(t.Context(), "http://c.example/", seedlist.CatalogSettings{}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	harvest, ok, err := a.ClaimCatalog(t.Context(), "w")
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	a.Live()
	storetest.WantState(t, a, lost.Seed.Hash, seedlist.Downloading)
	a.Forget(lost)
	a.ForgetHarvest(harvest)
	a.Live()
	storetest.WantState(t, a, lost.Seed.Hash, seedlist.Added)
	storetest.WantState(t, a, known.Seed.Hash, seedlist.Downloading)
	again := storetest.Claim(t, a, seedlist.Downloading)
	if again.Number != lost.Number || again.Fence != lost.Fence+1 || again.Try != 1 || again.Crashes != 0 {
		t.Errorf("%+v", again)
	}
	if claim, ok, err := a.ClaimCatalog(t.Context(), "w"); err != nil || !ok || claim.Fence != harvest.Fence+1 || claim.Crashes != 0 {
		t.Errorf("%v %v %+v", ok, err, claim)
	}
	storetest.Audit(t, a)
}

// TestWhoComesBackIsNotTakenForDead has a process claim that others have taken for dead, before its next sign of life.
func TestWhoComesBackIsNotTakenForDead(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	a, b := open(t, address, quick), open(t, address, quick)
	hash := storetest.Add(t, a, "http://a.example/1")[0]
	server.exec(t, fmt.Sprintf("UPDATE %s.holders SET lease = 1 WHERE holder = '%s'", nameOf(address), a.Holder()))
	a.BeSilent()
	b.Live()
	c := storetest.Claim(t, a, seedlist.Downloading)
	b.Live()
	storetest.WantState(t, a, hash, seedlist.Downloading)
	storetest.Complete(t, a, c, storetest.Usual(c))
}

// TestWhatIsSweptIsWashedAgain ends a wash while the file that it has written is being removed.
func TestWhatIsSweptIsWashedAgain(t *testing.T) {
	address := need(t).schema(t)
	a, b := open(t, address, quick), open(t, address, quick)
	hash := storetest.Add(t, a, "http://a.example/1")[0]
	var c seedlist.Claim
	for _, stage := range seedlist.Stages() {
		if c = storetest.Claim(t, a, stage); stage != seedlist.Parsing {
			storetest.Complete(t, a, c, storetest.Usual(c))
		}
	}
	clean := storetest.Usual(c).Clean.Content.MD5
	if err := b.Disown(t.Context(), clean); err != nil {
		t.Fatal(err)
	}
	if swept := storetest.Must[[]string](t)(b.Orphans(t.Context(), 10)); len(swept) != 1 {
		t.Fatal(swept)
	}
	if err := a.Complete(t.Context(), c, storetest.Usual(c)); err != seedlist.ErrLost {
		t.Errorf("it is written down with a file that is gone: %v", err)
	}
	storetest.WantState(t, a, hash, seedlist.Guessed)
	if err := b.Swept(t.Context(), clean); err != nil {
		t.Fatal(err)
	}
	c = storetest.Claim(t, a, seedlist.Parsing)
	storetest.Complete(t, a, c, storetest.Usual(c))
	storetest.WantState(t, a, hash, seedlist.Parsed)
	storetest.Audit(t, a)
}

// TestWhatIsGivenBackOfTheDeadLeavesTheNextHolderItsHost: its claims are none of those that are counted now.
func TestWhatIsGivenBackOfTheDeadLeavesTheNextHolderItsHost(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	polite := seedlist.Options{HostConnections: 1, HostDelay: -1, HostLease: time.Second}
	dead, next, other := begin(t, address, polite), begin(t, address, polite), begin(t, address, polite)
	hash := storetest.Add(t, dead, "http://a.example/1")[0]
	storetest.Claim(t, dead, seedlist.Downloading)
	dead.Cut()
	lease, err := next.LeaseHost(t.Context(), "a.example", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	server.exec(t, fmt.Sprintf("UPDATE %s.holders SET lease = 1 WHERE holder = '%s'", nameOf(address), dead.Holder()))
	next.Live()
	storetest.WantState(t, next, hash, seedlist.Added)
	if _, err := other.LeaseHost(t.Context(), "a.example", 0); fault.CodeOf(err) != fault.TransportHostResting {
		t.Errorf("two hold a host: %v", err)
	}
	lease.Give(0)
	if _, err := other.LeaseHost(t.Context(), "a.example", time.Minute); err != nil {
		t.Error(err)
	}
}

// TestAFileThatIsNamedAgainIsNotRemoved disowns the file of a lost claim while another that wrote the same ends.
func TestAFileThatIsNamedAgainIsNotRemoved(t *testing.T) {
	server := need(t)
	address := server.schema(t)
	a, b := open(t, address, quick), open(t, address, quick)
	storetest.Add(t, a, "http://a.example/1")
	var c seedlist.Claim
	for _, stage := range seedlist.Stages() {
		if c = storetest.Claim(t, a, stage); stage != seedlist.Parsing {
			storetest.Complete(t, a, c, storetest.Usual(c))
		}
	}
	clean := storetest.Usual(c).Clean.Content.MD5
	storetest.Complete(t, a, c, storetest.Usual(c))
	// as another's transaction leaves it that did not see the record yet
	server.exec(t, fmt.Sprintf("INSERT INTO %s.orphans (hash) VALUES ('%s')", nameOf(address), clean))
	if swept := storetest.Must[[]string](t)(b.Orphans(t.Context(), 10)); len(swept) != 0 {
		t.Errorf("%v would be removed, and have records", swept)
	}
	storetest.Audit(t, a)
}
