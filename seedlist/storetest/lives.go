package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"laundromat/seedlist"
)

func seedsAreAddedOnce(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	lines := []seedlist.NewSeed{
		{URI: "http://example.org/a", Priority: 3, Source: "list", Title: "A", Claims: map[string]string{"format": "ttl"}},
		{URI: "HTTP://EXAMPLE.org/./a"},
		{URI: "example.org/b"},
		{URI: "../c.nt"},
		{URI: "http://example.org/d", Interval: -1},
	}
	for round := range 2 {
		added := Must[[]seedlist.Addition](t)(store.Add(t.Context(), lines))
		first := round == 0
		if !(added[0].New == first && !added[1].New && added[0].Hash == added[1].Hash && added[3].New == first && added[3].Relative &&
			added[4].New == first) {
			t.Fatalf("round %d: %+v", round, added)
		}
		var refused *seedlist.URIError
		if !errors.As(added[2].Err, &refused) || added[2].Hash != "" {
			t.Fatalf("round %d: %+v", round, added[2])
		}
	}
	a, err := Find(t.Context(), store, "http://example.ORG/x/../a")
	if err != nil || a.URI != "http://example.org/a" || a.Priority != 3 || a.Title != "A" || a.Claims["format"] != "ttl" ||
		*a.Interval != 8640000 {
		t.Errorf("%+v, %v", a, err)
	}
	if byHash := Seed(t, store, a.Hash); byHash.URI != a.URI {
		t.Errorf("%+v", byHash)
	}
	if d, err := Find(t.Context(), store, seedlist.Key("http://example.org/d")); err != nil || *d.Interval != 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if _, err := Find(t.Context(), store, "http://example.org/nothing"); err != seedlist.ErrNotFound {
		t.Errorf("found: %v", err)
	}
	counts := Must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Seeds != 3 || counts.Relative != 1 || counts.States[seedlist.Added] != 3 {
		t.Errorf("%+v", counts)
	}
}

func relativeSeedsAreNeverClaimed(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	Add(t, store, "../a.nt", "b.ttl")
	if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", 10); len(claims) > 0 || err != nil {
		t.Errorf("%v, %v", claims, err)
	}
	if idle := Must[bool](t)(store.Idle(t.Context())); !idle {
		t.Error("relative seeds keep the store busy")
	}
	if errs, err := store.Retry(t.Context(), "", seedlist.Key("../a.nt")); err != nil || errs[0] != seedlist.ErrNoURI {
		t.Errorf("%v, %v", errs, err)
	}
}

func aWholeLifeLeadsToTheEnd(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/a.nt")[0]
	if idle := Must[bool](t)(store.Idle(t.Context())); idle {
		t.Error("idle, but a seed is ready")
	}
	for i, stage := range seedlist.Stages() {
		WantState(t, store, hash, stage.Ready())
		c := Claim(t, store, stage)
		if c.Fence != uint64(i+1) || c.Try != 1 || c.Stage != stage || c.Seed.Hash != hash || c.Seed.Status != stage ||
			c.Worker != "worker" {
			t.Fatalf("%+v", c)
		}
		ShowProgress(t, store, c, seedlist.Progress{Bytes: 5, Of: 9, Message: "half"})
		if s := Seed(t, store, hash); s.Status != stage || s.Worker != "worker" || s.Progress == nil || s.Progress.Bytes != 5 {
			t.Fatalf("%+v", s.Standing)
		}
		Complete(t, store, c, Usual(c))
		if s := Seed(t, store, hash); s.Worker != "" || s.Progress != nil {
			t.Fatalf("%+v", s.Standing)
		}
	}
	s := Seed(t, store, hash)
	if s.Status != seedlist.Parsed || s.Processed.IsZero() || s.Retrieved.IsZero() || !s.Due.After(s.Processed) || s.Tries != 0 ||
		s.Clean == "" {
		t.Errorf("%+v", s)
	}
	clean := Seed(t, store, s.Clean)
	if clean.Status != seedlist.Cleaned || clean.Dirty != hash || clean.URI != "" || clean.Due != (time.Time{}) {
		t.Errorf("%+v", clean)
	}
	if idle := Must[bool](t)(store.Idle(t.Context())); !idle {
		t.Error("not idle")
	}
	attempts := Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash))
	if len(attempts) != 4 || attempts[3].Result != "parsed" || attempts[0].ParserName != "downloading" {
		t.Errorf("%+v", attempts)
	}
}

func prioritiesMayComeAtAnyTime(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hashes := Add(t, store, "http://a.example/1", "http://a.example/2", "http://a.example/3")
	errs, err := store.Set(t.Context(), priority(9), hashes[2], seedlist.Key("http://none.example/"))
	if err != nil || errs[0] != nil || errs[1] != seedlist.ErrNotFound {
		t.Fatal(errs, err)
	}
	for _, want := range []string{hashes[2], hashes[0], hashes[1]} {
		c := Claim(t, store, seedlist.Downloading)
		if c.Seed.Hash != want {
			t.Fatalf("claimed %s", c.Seed.URI)
		}
		Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed})
	}
	if _, err := store.Set(t.Context(), priority(10), hashes[1]); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{hashes[1], hashes[2], hashes[0]} {
		if c := Claim(t, store, seedlist.Unarchiving); c.Seed.Hash != want {
			t.Fatalf("claimed %s", c.Seed.URI)
		}
	}
}

func aStoppedCallerLeavesNothingBehind(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	Add(t, store, "http://example.org/")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := store.Claim(ctx, seedlist.Downloading, "w", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := store.Wait(ctx, seedlist.Parsing); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	Claim(t, store, seedlist.Downloading)
}

func aClosedListRefusesAll(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	Add(t, store, "http://example.org/")
	c := Claim(t, store, seedlist.Downloading)
	waits := make(chan error)
	go func() { waits <- store.Wait(t.Context(), seedlist.Parsing) }()
	go func() { waits <- store.WaitCatalog(t.Context()) }()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	_, added := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/2"}})
	_, found := store.Seed(t.Context(), c.Seed.Hash)
	_, counted := store.Counts(t.Context())
	for i, err := range []error{
		<-waits, <-waits, added, found, counted, store.Complete(t.Context(), c, seedlist.Outcome{Next: seedlist.Filed}),
		store.GiveBack(t.Context(), c, seedlist.Return{}), store.Swept(t.Context(), c.Seed.Hash),
	} {
		if err != seedlist.ErrClosed {
			t.Errorf("%d: %v", i, err)
		}
	}
	if err := store.Close(); err != nil {
		t.Errorf("closed again: %v", err)
	}
}
