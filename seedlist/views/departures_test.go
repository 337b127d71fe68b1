package views_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/digest"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// told is a list that changes as a test says, at times that it says.
type told struct {
	mu      sync.Mutex
	seeds   map[uint64]seedlist.Seed
	changes []seedlist.Change
	moved   chan struct{}
}

func newTold() *told { return &told{seeds: map[uint64]seedlist.Seed{}, moved: make(chan struct{})} }

// set makes a seed what it is from then on; nil removes it.
func (l *told) set(number uint64, seed *seedlist.Seed, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := seedlist.Change{Revision: uint64(len(l.changes) + 1), Time: at, Number: number, From: seedlist.Parsed, To: seedlist.Parsed}
	if seed == nil {
		was := l.seeds[number]
		c.To, c.Hash, c.Name = "", was.Hash, was.URI
		delete(l.seeds, number)
	} else {
		l.seeds[number] = *seed
	}
	l.changes = append(l.changes, c)
	close(l.moved)
	l.moved = make(chan struct{})
}

func (l *told) Revision(context.Context) (uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return uint64(len(l.changes)), nil
}

func (l *told) Changes(_ context.Context, after uint64, limit int) ([]seedlist.Change, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	rest := l.changes[min(after, uint64(len(l.changes))):]
	return slices.Clone(rest[:min(limit, len(rest))]), nil
}

func (l *told) WaitChange(ctx context.Context, after uint64) error {
	for {
		l.mu.Lock()
		isThere, moved := uint64(len(l.changes)) > after, l.moved
		l.mu.Unlock()
		if isThere {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (l *told) Numbered(_ context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, n := range numbers {
		if seed, ok := l.seeds[n]; ok {
			all = append(all, seedlist.Numbered{Number: n, Seed: seed})
		}
	}
	return all, nil
}

func (l *told) NumberedAfter(ctx context.Context, after uint64, limit int) ([]seedlist.Numbered, error) {
	l.mu.Lock()
	numbers := slices.Sorted(maps.Keys(l.seeds))
	l.mu.Unlock()
	numbers = slices.DeleteFunc(numbers, func(n uint64) bool { return n <= after })
	return l.Numbered(ctx, numbers[:min(limit, len(numbers))]...)
}

func (l *told) Whole(context.Context, ...uint64) ([]seedlist.Seed, error) { return nil, nil }

func (l *told) Washed(context.Context, seedlist.Span, time.Time, time.Time) ([]seedlist.Washed, error) {
	return nil, nil
}

func (l *told) Counts(context.Context) (seedlist.Counts, error) { return seedlist.Counts{}, nil }

// toldSeed is a document that was washed.
func toldSeed(number uint64, statements int64, publisher string, catalogs ...string) *seedlist.Seed {
	seed := &seedlist.Seed{Hash: fmt.Sprintf("%032x", number), URI: fmt.Sprintf("http://h%d.example/%d", number%3, number),
		Standing: seedlist.Standing{Status: seedlist.Parsed}}
	seed.Record.Added = time.Now().Add(-time.Hour)
	seed.Statements = &digest.Statements{Read: statements, Kept: statements, Written: statements}
	if publisher != "" {
		seed.Claims = map[string]string{"publisher": publisher}
	}
	for _, c := range catalogs {
		seed.Catalogs = append(seed.Catalogs, seedlist.Listing{Catalog: c})
	}
	return seed
}

// departing is what a test knows of a document that departed.
type departing struct {
	number     uint64
	at         time.Time
	statements int64
}

// departures is what departed of each value, as a test knows it: facet, value, number.
type departures map[views.Facet]map[string]map[uint64]departing

func (d departures) of(f views.Facet, value string) map[uint64]departing {
	if d[f] == nil {
		d[f] = map[string]map[uint64]departing{}
	}
	if d[f][value] == nil {
		d[f][value] = map[uint64]departing{}
	}
	return d[f][value]
}

// valuesOf are the values of a document that departures are kept of; "" for those of all, in the place of the state.
func valuesOf(seed *seedlist.Seed) (all map[views.Facet][]string) {
	if seed == nil {
		return nil
	}
	all = map[views.Facet][]string{views.State: {""}, views.Host: {seed.URI[len("http://"):len("http://h0.example")]}}
	if p := seed.Claims["publisher"]; p != "" {
		all[views.Publisher] = []string{p}
	}
	for _, c := range seed.Catalogs {
		all[views.Catalog] = append(all[views.Catalog], c.Catalog)
	}
	return all
}

// note notes that a document was one thing and is another.
func (d departures) note(number uint64, was, is *seedlist.Seed, at time.Time) {
	before, after := valuesOf(was), valuesOf(is)
	for f, values := range before {
		for _, value := range values {
			if !slices.Contains(after[f], value) {
				d.of(f, value)[number] = departing{number, at, was.Statements.Written}
			}
		}
	}
	for f, values := range after {
		for _, value := range values {
			delete(d.of(f, value), number)
		}
	}
}

// compareDepartures holds the views against what a test knows.
func compareDepartures(t testing.TB, v *views.Views, d departures, since time.Time, limit int) {
	t.Helper()
	for f, values := range d {
		for value, of := range values {
			var want []departing
			statements := int64(0)
			for _, one := range of {
				if !one.at.Before(since) {
					want = append(want, one)
					statements += one.statements
				}
			}
			slices.SortFunc(want, func(a, b departing) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.number, a.number)) })
			all, found, err := v.Compare(t.Context(), f, value, since)
			if err != nil || len(want) > 0 && !found || all.Removed != int64(len(want)) || all.RemovedStatements != statements {
				t.Fatalf("%s %q since %s: %d removed with %d statements, found %v, %v; want %d with %d", f, value, since, all.Removed,
					all.RemovedStatements, found, err, len(want), statements)
			}
			var got []departing
			for cursor := ""; ; {
				page, err := v.Departed(t.Context(), views.DepartedQuery{By: f, Value: value, Since: since, Cursor: cursor, Limit: limit})
				if err != nil || len(page.Documents) > limit || page.Next != "" && len(page.Documents) < limit {
					t.Fatalf("%+v, %v", page, err)
				}
				for _, one := range page.Documents {
					got = append(got, departing{one.Number, one.Left, one.Statements})
					name := fmt.Sprintf("http://h%d.example/%d", one.Number%3, one.Number)
					if one.Hash != fmt.Sprintf("%032x", one.Number) || one.Name != name {
						t.Fatalf("%s %q lists %+v, want %s", f, value, one, name)
					}
				}
				if cursor = page.Next; cursor == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s %q since %s lists\n%v, want\n%v", f, value, since, got, want)
			}
		}
	}
}

// stir changes a list at random for some days, and holds the views against it each day.
func stir(t *testing.T, list *told, v *views.Views, random *rand.Rand, steps int) {
	known, next := departures{}, uint64(0)
	at := time.Now().UTC().Truncate(time.Second).AddDate(0, 0, -9)
	first := at
	for step := range steps {
		number := uint64(random.IntN(int(next)+1)) + 1
		var was, is *seedlist.Seed
		if seed, ok := list.seeds[number]; ok {
			was = &seed
		} else if number <= next {
			continue // removed: its number is never given again
		}
		if next = max(next, number); was == nil || random.IntN(3) > 0 {
			catalogs := []string{"c0", "c1", "c2"}[:random.IntN(4)]
			is = toldSeed(number, int64(random.IntN(9)), []string{"", "A", "B"}[random.IntN(3)], catalogs...)
		}
		list.set(number, is, at)
		known.note(number, was, is, at)
		at = at.Add(time.Duration(random.IntN(2*9*24*60/steps)) * time.Minute)
		at = slices.MinFunc([]time.Time{at, time.Now().UTC().Truncate(time.Second)}, time.Time.Compare)
		// What came and went between two looks is not known.
		if err := v.Wait(t.Context(), uint64(len(list.changes))); err != nil {
			t.Fatal(err)
		}
		if step%16 == 15 {
			since := first.AddDate(0, 0, random.IntN(9)).Truncate(24 * time.Hour)
			compareDepartures(t, v, known, since, 1+random.IntN(4))
		}
	}
}

func TestRemovedDocumentsAreCountedAndListed(t *testing.T) {
	for seedOfTest := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			list := newTold()
			v := open(t, filepath.Join(t.TempDir(), "views.db"), list)
			defer v.Close()
			stir(t, list, v, rand.New(rand.NewPCG(seedOfTest, 58)), 160)
		})
	}
}

func TestRemovedDocumentsAreCountedAndListedInADatabase(t *testing.T) {
	store := inDatabase(t, database(t).Address, false)
	defer store.Close()
	list := newTold()
	v, err := views.In(store.Tables(views.TableNames()), list, nil, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	stir(t, list, v, rand.New(rand.NewPCG(4, 58)), 48)
}

// Removed documents are known for two months, and since the tables were made; both are said.
func TestHowLongRemovedDocumentsAreKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list, path := newTold(), filepath.Join(t.TempDir(), "views.db")
		v := open(t, path, list)
		defer func() { v.Close() }()
		made := time.Now().UTC()
		removed := func(want int64, since time.Time) {
			t.Helper()
			if err := v.Wait(t.Context(), uint64(len(list.changes))); err != nil {
				t.Fatal(err)
			}
			all, _, err := v.Compare(t.Context(), views.Host, "", made.AddDate(-1, 0, 0))
			page, err2 := v.Departed(t.Context(), views.DepartedQuery{Since: made.AddDate(-1, 0, 0), Limit: 10})
			if err != nil || err2 != nil || all.Removed != want || int64(len(page.Documents)) != want ||
				!all.RemovedSince.Equal(since) || !page.Known.Equal(since) {
				t.Errorf("%d removed since %s, listed %d since %s, want %d since %s; %v, %v", all.Removed, all.RemovedSince,
					len(page.Documents), page.Known, want, since, err, err2)
			}
		}
		for i := range uint64(3) {
			list.set(i+1, toldSeed(i+1, 5, "A"), time.Now())
		}
		removed(0, made)
		list.set(1, nil, time.Now())
		removed(1, made)
		time.Sleep(40 * 24 * time.Hour)
		list.set(2, nil, time.Now())
		removed(2, made)
		time.Sleep(30 * 24 * time.Hour) // the first is over
		list.set(4, toldSeed(4, 5, "A"), time.Now())
		removed(1, time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -61))
		v.Close()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		made = time.Now().UTC()
		v = open(t, path, list)
		removed(0, time.Now().UTC().Truncate(time.Second))
	})
}
