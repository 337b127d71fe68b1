package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
)

var errStore = errors.New("the store failed")

// failing is a store that fails at one of its questions.
type failing struct {
	*memory.Store
	t     *testing.T
	moves *engine.Moves
	at    int // which question fails, from 1; 0: none does
	asked int
}

func (f *failing) View(ctx context.Context, inOne bool, look func(engine.Tx) error) error {
	return f.Store.View(ctx, inOne, func(tx engine.Tx) error {
		t := &failingTx{Tx: tx, store: f}
		err := look(t)
		if t.failed && !errors.Is(err, errStore) {
			f.t.Errorf("question %d failed, and the answer is %v", f.at, err)
		}
		return err
	})
}

func (f *failing) Do(ctx context.Context, o *engine.Op) error {
	return f.View(ctx, true, func(tx engine.Tx) error {
		s := f.moves.Begin(tx)
		if err := errors.Join(s.Gather(o), s.Run(o)); err != nil {
			return err
		}
		if o.Err != nil {
			return o.Err
		}
		if _, err := s.Finish(); err != nil {
			return err
		}
		s.Committed()
		return nil
	})
}

// failingTx counts the questions.
type failingTx struct {
	engine.Tx
	store  *failing
	failed bool
}

func (t *failingTx) ask() error {
	f := t.store
	if t.failed {
		f.t.Errorf("a transaction goes on that failed at question %d", f.at)
	}
	if f.asked++; f.asked != f.at {
		return nil
	}
	t.failed = true
	return errStore
}

// asked is an answer, or that the store failed.
func asked[T any](t *failingTx, question func() (T, error)) (answer T, err error) {
	if err := t.ask(); err != nil {
		return answer, err
	}
	return question()
}

func (t *failingTx) Seeds(numbers []uint64, hashes []string, old bool) ([]*engine.Seed, error) {
	return asked(t, func() ([]*engine.Seed, error) { return t.Tx.Seeds(numbers, hashes, old) })
}

func (t *failingTx) Documents(seeds ...*engine.Seed) error {
	return errors.Join(t.ask(), t.Tx.Documents(seeds...))
}

func (t *failingTx) Ready(q engine.Queue, at time.Time, most int) ([]*engine.Seed, error) {
	return asked(t, func() ([]*engine.Seed, error) { return t.Tx.Ready(q, at, most) })
}

func (t *failingTx) Turns(at time.Time, most int) ([]engine.Turn, error) {
	return asked(t, func() ([]engine.Turn, error) { return t.Tx.Turns(at, most) })
}

func (t *failingTx) Blocked(at time.Time, most int) ([]*engine.Host, int, error) {
	if err := t.ask(); err != nil {
		return nil, 0, err
	}
	return t.Tx.Blocked(at, most)
}

func (t *failingTx) Next(q engine.Queue, at time.Time, most int) (engine.Outlook, error) {
	return asked(t, func() (engine.Outlook, error) { return t.Tx.Next(q, at, most) })
}

func (t *failingTx) Hosts(keys []string, count int) ([]*engine.Host, error) {
	return asked(t, func() ([]*engine.Host, error) { return t.Tx.Hosts(keys, count) })
}

func (t *failingTx) Links(q engine.LinkQuery) ([]engine.Link, map[uint64]int64, error) {
	if err := t.ask(); err != nil {
		return nil, nil, err
	}
	return t.Tx.Links(q)
}

func (t *failingTx) Unrest(of []uint64) ([]uint64, error) {
	return asked(t, func() ([]uint64, error) { return t.Tx.Unrest(of) })
}

func (t *failingTx) Scan(f engine.Scan, after uint64, most int) ([]*engine.Seed, error) {
	return asked(t, func() ([]*engine.Seed, error) { return t.Tx.Scan(f, after, most) })
}

func (t *failingTx) Catalogs(q engine.CatalogQuery) ([]*engine.Catalog, error) {
	return asked(t, func() ([]*engine.Catalog, error) { return t.Tx.Catalogs(q) })
}

func (t *failingTx) Log(of []string, after uint64, most int) ([]engine.Entry, error) {
	return asked(t, func() ([]engine.Entry, error) { return t.Tx.Log(of, after, most) })
}

func (t *failingTx) Changes(after uint64, most int) ([]seedlist.Change, uint64, uint64, error) {
	if err := t.ask(); err != nil {
		return nil, 0, 0, err
	}
	return t.Tx.Changes(after, most)
}

func (t *failingTx) Counts() (map[string]int64, error) { return asked(t, t.Tx.Counts) }

func (t *failingTx) Washed(span seedlist.Span, from, to time.Time) ([]seedlist.Washed, error) {
	return asked(t, func() ([]seedlist.Washed, error) { return t.Tx.Washed(span, from, to) })
}

func (t *failingTx) Orphans(q engine.OrphanQuery) ([]string, error) {
	return asked(t, func() ([]string, error) { return t.Tx.Orphans(q) })
}

func (t *failingTx) Items(q engine.ItemQuery) ([]engine.Item, error) {
	return asked(t, func() ([]engine.Item, error) { return t.Tx.Items(q) })
}

func (t *failingTx) Meta(name string) ([]byte, error) {
	return asked(t, func() ([]byte, error) { return t.Tx.Meta(name) })
}

func (t *failingTx) Numbers(n int) ([]uint64, error) {
	return asked(t, func() ([]uint64, error) { return t.Tx.Numbers(n) })
}

func (t *failingTx) Write(w *engine.Writes) error {
	if err := t.ask(); err != nil {
		return err
	}
	return t.Tx.Write(w)
}

// TestMovesEndWithTheFirstErrorOfTheStore has the store fail at each question of a long life of a list in turn. The
// call that met it returns that error, whatever the move made of what it did not find. It asks and writes nothing more.
func TestMovesEndWithTheFirstErrorOfTheStore(t *testing.T) {
	live := func(at int) (asked int, err error) {
		f := &failing{Store: memory.New(seedlist.Options{HostDelay: -1}), t: t, at: at}
		options := seedlist.Options{HostDelay: -1}
		options.ApplyDefaults()
		f.moves = engine.New(f, options, time.Second)
		defer f.moves.End()
		err = longLife(t.Context(), f.moves)
		return f.asked, err
	}
	most, err := live(0)
	if err != nil {
		t.Fatal(err)
	}
	if most < 200 {
		t.Fatalf("the store was asked %d times only", most)
	}
	for at := 1; at <= most; at++ {
		if _, err := live(at); !errors.Is(err, errStore) {
			t.Errorf("question %d of %d failed, and the call returned %v", at, most, err)
		}
	}
}

// longLife makes all moves of a list.
func longLife(ctx context.Context, l *engine.Moves) (failed error) {
	check := func(err error, answers ...error) {
		if failed == nil {
			failed = errors.Join(append(answers, err)...)
		}
	}
	steps := []func(){}
	step := func(do func()) { steps = append(steps, do) }
	complete := func(c seedlist.Claim, o seedlist.Outcome) { check(l.Complete(ctx, c, o)) }
	claim := func(stage seedlist.State, then func(c seedlist.Claim)) {
		step(func() {
			claims, err := l.Claim(ctx, stage, "worker", 1)
			if check(err); err == nil && len(claims) != 1 {
				check(fmt.Errorf("%d claims for %s", len(claims), stage))
			}
			if failed == nil {
				then(claims[0])
			}
		})
	}
	var archive, document, thing string
	step(func() {
		added, err := l.Add(ctx, []seedlist.NewSeed{
			{URI: "http://a.example/archive.zip", Priority: 9}, {URI: "http://b.example/d.nt", Source: "list:x"},
			{URI: "http://b.example/d.nt#me"},
		})
		if check(err); err == nil {
			archive, document, thing = added[0].Hash, added[1].Hash, added[2].Hash
		}
	})
	claim(seedlist.Downloading, func(c seedlist.Claim) { complete(c, storetest.Usual(c)) })
	claim(seedlist.Unarchiving, func(c seedlist.Claim) {
		filed, err := l.FileChildren(ctx, c, storetest.Zip("one.nt=1"), func(r *seedlist.Record) { r.Title = "an archive" })
		if check(err); err == nil {
			complete(c, seedlist.Outcome{Next: seedlist.Depleted, Children: storetest.Zip("two.nt=2", "three.nt=3"), Filed: filed})
		}
	})
	for range 3 {
		claim(seedlist.Unarchiving, func(c seedlist.Claim) { complete(c, seedlist.Outcome{Next: seedlist.Unarchived}) })
		claim(seedlist.Guessing, func(c seedlist.Claim) { complete(c, storetest.Usual(c)) })
		claim(seedlist.Parsing, func(c seedlist.Claim) { complete(c, storetest.Usual(c)) })
	}
	claim(seedlist.Downloading, func(c seedlist.Claim) {
		held, err := l.Holds(ctx, c)
		if check(err); !held {
			check(errors.New("the claim is not held"))
		}
		_, err = l.Overdue(ctx)
		check(err)
		check(l.Rest(ctx, c, seedlist.Load{}))
		check(l.GiveBack(ctx, c, seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour)}))
	})
	always := func(seedlist.Seed) error { return nil }
	for _, do := range []func() error{
		func() error { return firstOf(l.Retry(ctx, "", document)) },
		func() error { _, err := l.Hold(ctx, "source list:x", true); return err },
		func() error { _, err := l.Idle(ctx); return err },
		func() error { _, err := l.Hold(ctx, "source list:x", false); return err },
		func() error {
			_, err := l.WashAgain(ctx, seedlist.Again{Asked: seedlist.Rewash, To: seedlist.Filed, If: always}, archive)
			return err
		},
		func() error {
			priority := 3
			return firstOf(l.Set(ctx, seedlist.SeedSettings{Priority: &priority, If: always}, document, thing))
		},
		func() error { _, err := l.Retain(ctx, seedlist.Retention{}, false, archive, document); return err },
		func() error { _, _, err := l.RetainAttempts(ctx, seedlist.Age(0), false, 0); return err },
		func() error {
			_, err := l.SetHost(ctx, "b.example", func(h *seedlist.HostSettings) { h.Connections = 2 })
			return err
		},
		func() error { _, err := l.Host(ctx, "b.example"); return err },
		func() error { _, err := l.Hosts(ctx); return err },
		func() error { _, err := l.Manners(ctx, "b.example"); return err },
		func() error { return l.Showed(ctx, "b.example", seedlist.Load{}) },
		func() error { _, err := l.LeaseHost(ctx, "b.example", 0); return err },
		func() error { _, err := l.Waits(ctx, 9); return err },
		func() error { _, err := l.OldestDue(ctx); return err },
		func() error { _, err := l.Counts(ctx); return err },
		func() error { _, err := l.Seed(ctx, archive); return err },
		func() error { _, err := l.Record(ctx, document); return err },
		func() error { _, err := l.Attempts(ctx, archive); return err },
		func() error {
			_, _, err := l.List(ctx, seedlist.Filter{Host: "a.example", Source: "list:x"})
			return err
		},
		func() error { _, err := l.NumberedAfter(ctx, 0, 99); return err },
		func() error { _, err := l.Whole(ctx, 1, 2, 3, 4, 5, 6); return err },
		func() error { _, err := l.Changes(ctx, 0, 99); return err },
		func() error { _, err := l.Alike(ctx, storetest.ContentOf("1"), 9); return err },
		func() error { return l.FillOutcomes(ctx, &seedlist.Seed{Record: seedlist.Record{Document: document}}) },
		func() error { _, err := l.Rescue(ctx); return err },
		func() error { _, err := l.Orphans(ctx, 9); return err },
		func() error { return l.Disown(ctx, document) },
		func() error {
			return l.EditContext(ctx, "http://c.example/c", func(c *seedlist.Context) bool { return true })
		},
		func() error { _, err := l.Context(ctx, "http://c.example/c"); return err },
		func() error { _, err := l.Contexts(ctx, "", 9); return err },
		func() error { return harvest(ctx, l) },
		func() error { return firstOf(l.Remove(ctx, document, archive)) },
	} {
		step(func() { check(do()) })
	}
	for _, part := range seedlist.Parts() {
		step(func() {
			_, err := l.Rows(ctx, part, seedlist.Place{}, 99)
			check(err)
		})
	}
	for _, do := range steps {
		if do(); failed != nil {
			break
		}
	}
	return failed
}

func firstOf(answers []error, err error) error { return errors.Join(append(answers, err)...) }

// harvest takes a catalog into a list, reads it, and takes it out.
func harvest(ctx context.Context, l *engine.Moves) error {
	known, _, err := l.AddCatalog(ctx, "http://c.example/catalog", seedlist.CatalogSettings{}, time.Time{})
	if err != nil {
		return err
	}
	for _, uris := range [][]seedlist.NewSeed{
		{{URI: "http://b.example/d.nt", Title: "anew"}, {URI: "http://d.example/e.nt"}}, {{URI: "http://d.example/e.nt"}},
	} {
		claim, ok, err := l.ClaimCatalogOf(ctx, known.Hash, "worker")
		if err != nil || !ok {
			return errors.Join(err, ctx.Err())
		}
		if _, err := l.AddListed(ctx, claim, uris); err != nil {
			return err
		}
		if _, err := l.EndHarvest(ctx, claim, seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{Complete: true}}); err != nil {
			return err
		}
	}
	if _, _, err := l.ListedBy(ctx, known.Hash, false, "", 9); err != nil {
		return err
	}
	return l.RemoveCatalog(ctx, known.Hash)
}
