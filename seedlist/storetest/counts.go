package storetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// countsAreWhatAScanFinds does anything in any order.
func countsAreWhatAScanFinds(t *testing.T, open Opener) {
	for seedOfTest := range uint64(4) {
		synctest.Test(t, func(t *testing.T) {
			store := open(t, seedlist.Options{Interval: 30 * time.Minute, HostConnections: 2, HostDelay: time.Second})
			defer store.Close()
			history := History{Store: store, Random: rand.New(rand.NewPCG(seedOfTest, 7))}
			for step := range 1500 {
				history.Step(t)
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

// History does anything to a list in any order. It runs in a bubble of synctest.
type History struct {
	Store  seedlist.List
	Random *rand.Rand
	held   []seedlist.Claim
}

func (h *History) uri() string {
	return fmt.Sprintf("http://h%d.example/%d", h.Random.IntN(5), h.Random.IntN(12))
}

// Step does one thing; some do nothing.
func (h *History) Step(t testing.TB) {
	t.Helper()
	random, store := h.Random, h.Store
	var err error
	switch random.IntN(13) {
	case 0:
		source := fmt.Sprint("list ", random.IntN(3))
		_, err = store.Add(t.Context(), []seedlist.NewSeed{{URI: h.uri(), Source: source, Priority: random.IntN(3)},
			{URI: fmt.Sprint("../", random.IntN(4))}})
	case 1, 2, 3:
		stage := seedlist.Stages()[random.IntN(4)]
		h.held = append(h.held, Must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "w", 1+random.IntN(3)))...)
	case 4:
		if random.IntN(8) == 0 {
			_, err = store.Remove(t.Context(), seedlist.Key(h.uri()))
		}
	case 5:
		from := []seedlist.State{"", seedlist.Added, seedlist.Filed, seedlist.Unarchived, seedlist.Guessed}[random.IntN(5)]
		var seeds []seedlist.Seed
		seeds, _, err = store.List(t.Context(), seedlist.Filter{State: seedlist.States()[8+random.IntN(4)]})
		if err == nil && len(seeds) > 0 {
			again := []seedlist.Again{{To: from}, rewash, force, repair}[random.IntN(4)]
			_, err = store.WashAgain(t.Context(), again, seeds[random.IntN(len(seeds))].Hash)
		}
	case 6:
		time.Sleep(time.Duration(random.IntN(600)) * time.Second)
	case 7:
		n, seconds := random.IntN(5), random.Int64N(5000)-1000
		_, err = store.Set(t.Context(), []seedlist.SeedSettings{priority(n), {Interval: &seconds}, {KeepVersions: &n}}[random.IntN(3)],
			seedlist.Key(h.uri()))
	case 8:
		if random.IntN(4) == 0 {
			h.harvest(t)
		}
	default:
		h.end(t)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// end ends a claim that is held in some way.
func (h *History) end(t testing.TB) {
	t.Helper()
	if len(h.held) == 0 {
		return
	}
	random := h.Random
	i := random.IntN(len(h.held))
	c := h.held[i]
	if random.IntN(10) > 0 { // else it is completed again, late
		h.held = slices.Delete(h.held, i, i+1)
	}
	var err error
	if random.IntN(4) == 0 {
		r := seedlist.Return{CountTry: random.IntN(2) == 0}
		if r.CountTry {
			r.Due, r.Error = time.Now().Add(time.Minute), &seedlist.Error{Stage: c.Stage, Code: "http/status"}
		}
		err = h.Store.GiveBack(t.Context(), c, r)
	} else {
		err = h.Store.Complete(t.Context(), c, anyOutcome(random, c))
	}
	if err != nil && err != seedlist.ErrLost {
		t.Fatal(err)
	}
}

// harvest has one of two catalogs name some seeds, or removes it.
func (h *History) harvest(t testing.TB) {
	t.Helper()
	random, store := h.Random, h.Store
	uri := fmt.Sprint("http://catalog.example/", random.IntN(2))
	c, _, err := store.AddCatalog(t.Context(), uri, seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if random.IntN(5) == 0 {
		if err := store.RemoveCatalog(t.Context(), c.Hash); err != nil {
			t.Fatal(err)
		}
		return
	}
	claim, ok, err := store.ClaimCatalogOf(t.Context(), c.Hash, "w")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := store.AddListed(t.Context(), claim, []seedlist.NewSeed{
		{URI: h.uri(), Claims: map[string]string{"publisher": fmt.Sprint("P", random.IntN(3)), "license": "CC0", "size": "1"}},
		{URI: h.uri()},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := store.EndHarvest(t.Context(), claim,
		seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: random.IntN(3) > 0}}); err != nil {
		t.Fatal(err)
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
		if c.Stage == seedlist.Downloading {
			r.Retrieved = time.Now()
			r.HTTP = []seedlist.Exchange{{Status: 200, Robots: true}, {Status: int(200 + 100*n)}}
		}
		switch o.Next {
		case seedlist.Filed:
			r.Content = &digest.Content{NumberOfBytes: n}
			if n == 0 {
				r.ForgetReading()
			}
		case seedlist.Guessed:
			r.Format = fmt.Sprint("F", n)
			r.Sources = map[string]int64{"F1": int64(n), "RDFa": int64(n % 2), "page": 1}
			r.Encoding = &seedlist.Encoding{Presumed: fmt.Sprint("E", n)}
		case seedlist.Parsed:
			r.Statements = &digest.Statements{Read: n, Kept: n - n/2, Dropped: n / 2, Written: n - n/2}
			r.Notices = map[fault.Code]int64{code: n, fault.HTTPContentType: n % 2, fault.LiteralIllTyped: n}
		case seedlist.Failed:
			r.Error = &seedlist.Error{Stage: c.Stage, Code: code, Kind: fault.Kind(n)}
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

// Pages adds pages that hold several syntaxes, and a file that holds one.
func Pages(t testing.TB, store seedlist.List) []string {
	t.Helper()
	hashes := Add(t, store, "http://a.example/1", "http://b.example/2", "http://c.example/3", "http://d.example/4")
	for i, sources := range []map[string]int64{
		{"RDFa": 6, "JSON-LD": 2, "page": 1}, {"RDFa": 1, "Microdata": 0, "JSON-LD": 0}, {"Microdata": 9}, nil,
	} {
		c := Claim(t, store, seedlist.Downloading)
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
			r.Format, r.Sources = "HTML", sources
			if i == 3 {
				r.Format = "RDFa"
			}
		}})
	}
	return hashes
}

// pagesCountUnderEachSyntax that they hold, beside HTML.
func pagesCountUnderEachSyntax(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	Pages(t, store)
	got := Must[seedlist.Counts](t)(store.Counts(t.Context())).Formats
	if want := map[string]int64{"HTML": 3, "RDFa": 3, "JSON-LD": 1, "Microdata": 1}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	Audit(t, store)
}
