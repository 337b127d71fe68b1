package postgres_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"

	"laundromat/seedlist"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/storetest"
)

// trip is a test of how many round trips a call takes.
type trip struct {
	*testing.T
	server  *server
	address string
	list    *postgres.Store
	n       int // how many records it is of
	next    int
}

// added are n new seeds.
func (t *trip) added() []string {
	var uris []string
	for range t.n {
		t.next++
		uris = append(uris, fmt.Sprintf("http://h%d.example/%d", t.next%7, t.next))
	}
	return storetest.Add(t, t.list, uris...)
}

// claimed are n seeds, claimed into a stage.
func (t *trip) claimed(stage seedlist.State) []seedlist.Claim {
	t.added()
	for _, s := range seedlist.Stages() {
		claims := storetest.Must[[]seedlist.Claim](t)(t.list.Claim(t.Context(), s, "w", t.n))
		if len(claims) != t.n {
			t.Fatalf("%d claims of %s", len(claims), s)
		}
		if s == stage {
			return claims
		}
		for _, c := range claims {
			storetest.Complete(t, t.list, c, storetest.Usual(c))
		}
	}
	return nil
}

// washed are n seeds that were washed, each with a clean file of its own.
func (t *trip) washed() (hashes []string) {
	for _, c := range t.claimed(seedlist.Parsing) {
		storetest.Complete(t, t.list, c, cleaned(c))
		hashes = append(hashes, c.Seed.Hash)
	}
	return hashes
}

func cleaned(c seedlist.Claim) seedlist.Outcome {
	return seedlist.Outcome{Next: seedlist.Parsed, Clean: &seedlist.Clean{Content: *storetest.ContentOf("clean " + c.Seed.Hash)}}
}

// archive is a claim on one archive, and n entries of it.
func (t *trip) archive() (seedlist.Claim, []seedlist.Child) {
	n := t.n
	t.n = 1
	claim := t.claimed(seedlist.Unarchiving)[0]
	t.n = n
	var entries []string
	for i := range n {
		entries = append(entries, fmt.Sprintf("e%d", i), fmt.Sprintf("text %d", i))
	}
	return claim, storetest.Zip(entries...)
}

// harvest is a harvest of a new catalog, and n seeds that it names.
func (t *trip) harvest() (seedlist.HarvestClaim, []seedlist.NewSeed) {
	t.next++
	catalog, _, err := t.list.AddCatalog(t.Context(), fmt.Sprintf("http://c.example/%d", t.next), seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var seeds []seedlist.NewSeed
	for range t.n {
		t.next++
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", t.next%7, t.next)})
	}
	claim, _, err := t.list.ClaimCatalogOf(t.Context(), catalog.Hash, "w")
	if err != nil {
		t.Fatal(err)
	}
	return claim, seeds
}

// listed is a catalog that names n seeds, which were all there, with its harvest.
func (t *trip) listed() (seedlist.HarvestClaim, []string) {
	claim, seeds := t.harvest()
	_, err := t.list.AddListed(t.Context(), claim, seeds)
	t.must(err)
	var hashes []string
	for i := range seeds {
		hashes = append(hashes, seedlist.Key(seeds[i].URI))
	}
	return claim, hashes
}

// numbers are those of seeds.
func (t *trip) numbers() (numbers []uint64, after uint64) {
	t.washed()
	all := storetest.Must[[]seedlist.Numbered](t)(t.list.NumberedAfter(t.Context(), 0, 1000))
	for _, one := range all[len(all)-t.n:] {
		numbers = append(numbers, one.Number)
	}
	return numbers, numbers[0] - 1
}

func (t *trip) must(err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// calls are calls of the list that are of many records: each prepares one. It may take most round trips, whatever the
// number of records is.
var calls = []struct {
	name string
	most int64
	of   func(t *trip) func()
}{
	{"Add", 5, func(t *trip) func() { return func() { t.added() } }},
	{"Claim for downloading", 7, func(t *trip) func() {
		t.added()
		return func() { storetest.Must[[]seedlist.Claim](t)(t.list.Claim(t.Context(), seedlist.Downloading, "w", t.n)) }
	}},
	{"Claim of a stage", 5, func(t *trip) func() {
		for _, c := range t.claimed(seedlist.Downloading) {
			storetest.Complete(t, t.list, c, storetest.Usual(c))
		}
		return func() { storetest.Must[[]seedlist.Claim](t)(t.list.Claim(t.Context(), seedlist.Unarchiving, "w", t.n)) }
	}},
	{"Set", 6, func(t *trip) func() {
		hashes := t.washed()
		priority, interval := 3, int64(7)
		return func() {
			_, err := t.list.Set(t.Context(), seedlist.SeedSettings{Priority: &priority, Interval: &interval}, hashes...)
			t.must(err)
		}
	}},
	{"Retry", 5, func(t *trip) func() {
		hashes := t.washed()
		return func() { _, err := t.list.Retry(t.Context(), "", hashes...); t.must(err) }
	}},
	{"WashAgain", 7, func(t *trip) func() {
		hashes := t.washed()
		return func() {
			_, err := t.list.WashAgain(t.Context(), seedlist.Again{Asked: seedlist.Force, To: seedlist.Added}, hashes...)
			t.must(err)
		}
	}},
	{"Remove", 7, func(t *trip) func() {
		hashes := t.washed()
		return func() { _, err := t.list.Remove(t.Context(), hashes...); t.must(err) }
	}},
	{"Remove of an archive", 7, func(t *trip) func() {
		claim, children := t.archive()
		storetest.Complete(t, t.list, claim, seedlist.Outcome{Next: seedlist.Depleted, Children: children})
		return func() { _, err := t.list.Remove(t.Context(), claim.Seed.Hash); t.must(err) }
	}},
	{"FileChildren", 9, func(t *trip) func() {
		claim, children := t.archive()
		return func() { _, err := t.list.FileChildren(t.Context(), claim, children, nil); t.must(err) }
	}},
	{"AddListed of new ones", 6, func(t *trip) func() {
		claim, seeds := t.harvest()
		return func() { _, err := t.list.AddListed(t.Context(), claim, seeds); t.must(err) }
	}},
	{"AddListed of known ones", 6, func(t *trip) func() {
		claim, seeds := t.harvest()
		_, err := t.list.Add(t.Context(), seeds)
		t.must(err)
		return func() { _, err := t.list.AddListed(t.Context(), claim, seeds); t.must(err) }
	}},
	{"EndHarvest", 11, func(t *trip) func() {
		claim, seeds := t.harvest()
		_, err := t.list.AddListed(t.Context(), claim, seeds)
		t.must(err)
		whole := seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true, Entries: int64(t.n)}}
		_, err = t.list.EndHarvest(t.Context(), claim, whole)
		t.must(err)
		t.must(t.list.HarvestNow(t.Context(), claim.Catalog.Hash, true))
		claim, _, err = t.list.ClaimCatalogOf(t.Context(), claim.Catalog.Hash, "w")
		t.must(err)
		return func() { _, err := t.list.EndHarvest(t.Context(), claim, whole); t.must(err) }
	}},
	{"RemoveCatalog", 9, func(t *trip) func() {
		claim, _ := t.listed()
		return func() { t.must(t.list.RemoveCatalog(t.Context(), claim.Catalog.Hash)) }
	}},
	{"Rescue of downloads", 7, func(t *trip) func() {
		other := open(t, t.address, quick)
		t.added()
		if claims := storetest.Must[[]seedlist.Claim](t)(other.Claim(t.Context(), seedlist.Downloading, "w", t.n)); len(claims) != t.n {
			t.Fatalf("%d claims", len(claims))
		}
		t.server.exec(t, fmt.Sprintf("UPDATE %s.holders SET lease = 1 WHERE holder = '%s'", nameOf(t.address), other.Holder()))
		return func() {
			if n := storetest.Must[int](t)(t.list.Rescue(t.Context())); n != t.n {
				t.Errorf("%d seeds were given back", n)
			}
		}
	}},
	{"a source let go on", 22, func(t *trip) func() {
		var seeds []seedlist.NewSeed
		for range t.n {
			t.next++
			seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", t.next%7, t.next), Source: "s"})
		}
		_, err := t.list.Add(t.Context(), seeds)
		t.must(err)
		_, err = t.list.Hold(t.Context(), seedlist.HoldOfSource("s"), true)
		t.must(err)
		_, err = t.list.Claim(t.Context(), seedlist.Downloading, "w", t.n) // which puts them off
		t.must(err)
		return func() { _, err := t.list.Hold(t.Context(), seedlist.HoldOfSource("s"), false); t.must(err) }
	}},
	{"Retain", 6, func(t *trip) func() {
		hashes := t.washed()
		no := 0
		kept := seedlist.Retention{Dirty: seedlist.DirtyKept{Which: "none"}, Number: &no}
		return func() { _, err := t.list.Retain(t.Context(), kept, false, hashes...); t.must(err) }
	}},
	{"RetainAttempts", 5, func(t *trip) func() {
		t.washed()
		age := seedlist.Age(time.Nanosecond)
		return func() {
			if n, _, err := t.list.RetainAttempts(t.Context(), age, false, 0); err != nil || n < int64(t.n) {
				t.Errorf("%d entries removed: %v", n, err)
			}
		}
	}},
	{"Disown, Orphans and Swept", 14, func(t *trip) func() {
		var hashes []string
		for range t.n {
			t.next++
			hashes = append(hashes, seedlist.Key(fmt.Sprintf("http://nobody.example/%d", t.next)))
		}
		return func() {
			t.must(t.list.Disown(t.Context(), hashes...))
			orphans, err := t.list.Orphans(t.Context(), 1000)
			t.must(err)
			t.must(t.list.Swept(t.Context(), orphans...))
		}
	}},
	{"RecipeForms", 1, func(t *trip) func() {
		var sums []string
		for range t.n {
			t.next++
			body := fmt.Sprint(t.next)
			sums = append(sums, seedlist.RecipeSum([]byte(body)))
			_, err := t.list.PutRecipe(t.Context(), seedlist.Recipe{Name: "r" + body, Body: []byte(body)}, "")
			t.must(err)
		}
		return func() {
			if forms := storetest.Must[map[string][]byte](t)(t.list.RecipeForms(t.Context(), sums...)); len(forms) != t.n {
				t.Errorf("%d forms", len(forms))
			}
		}
	}},
	{"Numbered", 4, func(t *trip) func() {
		numbers, _ := t.numbers()
		return func() { _, err := t.list.Numbered(t.Context(), numbers...); t.must(err) }
	}},
	{"NumberedAfter", 5, func(t *trip) func() {
		_, after := t.numbers()
		return func() { _, err := t.list.NumberedAfter(t.Context(), after, t.n); t.must(err) }
	}},
	{"Whole", 5, func(t *trip) func() {
		numbers, _ := t.numbers()
		return func() { _, err := t.list.Whole(t.Context(), numbers...); t.must(err) }
	}},
	{"List", 5, func(t *trip) func() {
		t.washed()
		return func() { _, _, err := t.list.List(t.Context(), seedlist.Filter{Limit: t.n}); t.must(err) }
	}},
	{"ListedBy", 6, func(t *trip) func() {
		claim, _ := t.listed()
		return func() { _, _, err := t.list.ListedBy(t.Context(), claim.Catalog.Hash, false, "", t.n); t.must(err) }
	}},
	{"FillOutcomes", 4, func(t *trip) func() {
		var seeds []*seedlist.Seed
		for _, hash := range t.washed() {
			seeds = append(seeds, &seedlist.Seed{Record: seedlist.Record{Document: hash}})
		}
		return func() { t.must(t.list.FillOutcomes(t.Context(), seeds...)) }
	}},
}

// No call of the list takes a round trip for each record.
func TestACallTakesRoundTripsByTheBatchAndNotByTheRecord(t *testing.T) {
	server := need(t)
	for _, call := range calls {
		t.Run(call.name, func(t *testing.T) {
			trips := map[int]int64{}
			for _, n := range []int{4, 40} {
				address := server.schema(t)
				p := newProxy(t, address, func(*pgproto3.DataRow) {})
				list := open(t, p.Address+"&pool_max_conns=2", quick)
				of := &trip{T: t, server: server, address: address, list: list, n: n}
				for range 4 { // the first calls have the server prepare statements
					do := call.of(of)
					before := p.trips.Load()
					do()
					if took := p.trips.Load() - before; trips[n] == 0 || took < trips[n] {
						trips[n] = took
					}
				}
			}
			t.Logf("%d round trips", trips[40])
			if trips[4] > call.most || trips[40] > call.most {
				t.Errorf("%d round trips for 4 records, %d for 40, and at most %d for any", trips[4], trips[40], call.most)
			}
		})
	}
}

// Completions that are written together take the round trips of a few transactions, also with clean files.
func TestCompletionsTakeRoundTripsByTheBatch(t *testing.T) {
	t.Run("with clean files", func(t *testing.T) { completionsTakeFewRoundTrips(t, cleaned) })
	t.Run("that lead to pages of a recipe", func(t *testing.T) {
		completionsTakeFewRoundTrips(t, func(c seedlist.Claim) seedlist.Outcome {
			o := cleaned(c)
			o.Named = []seedlist.NewSeed{{
				URI: c.Seed.URI + "/page", Source: seedlist.RecipeSource + "r", Recipe: "r",
				Page: &seedlist.RecipePage{Links: 1}, Most: 1e6,
			}}
			return o
		})
	})
}

func completionsTakeFewRoundTrips(t *testing.T, outcome func(seedlist.Claim) seedlist.Outcome) {
	server := need(t)
	address := server.schema(t)
	p := newProxy(t, address, func(*pgproto3.DataRow) {})
	of := &trip{T: t, list: open(t, p.Address, quick), n: 40}
	var least int64
	for range 3 {
		claims := of.claimed(seedlist.Parsing)
		conn, err := pgx.Connect(t.Context(), address)
		of.must(err)
		// Both that write completions wait for a lock, until all are there.
		_, err = conn.Exec(t.Context(), "BEGIN; LOCK TABLE hot IN EXCLUSIVE MODE")
		of.must(err)
		var all sync.WaitGroup
		before := p.trips.Load()
		for _, c := range claims {
			all.Go(func() {
				if err := of.list.Complete(t.Context(), c, outcome(c)); err != nil {
					t.Error(err)
				}
			})
		}
		for server.waiting(t) < 2 {
		}
		of.must(conn.Close(t.Context()))
		all.Wait()
		if took := p.trips.Load() - before; least == 0 || took < least {
			least = took
		}
	}
	t.Logf("%d round trips", least)
	if least > 36 {
		t.Errorf("%d round trips for 40 completions, in four transactions at most", least)
	}
}
