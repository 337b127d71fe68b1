package storetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"laundromat/seedlist"
)

// contextOf is a context that came, with text of a length that does not become shorter by being compressed.
func contextOf(iri string, length int) seedlist.Context {
	random := rand.New(rand.NewPCG(uint64(length), 7))
	text := make([]byte, length)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	sum := sha256.Sum256(text)
	at := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	return seedlist.Context{
		IRI: iri, From: iri + "/in-the-end", SHA256: hex.EncodeToString(sum[:]), Retrieved: at, Due: at.Add(time.Hour), Tries: 1,
		Failures: 2,
		Error:    &seedlist.Error{Stage: seedlist.Downloading, Code: "http/status", Message: "404"}, Washing: true, Text: text,
	}
}

func putContext(t testing.TB, list seedlist.List, c seedlist.Context) {
	t.Helper()
	err := list.EditContext(t.Context(), c.IRI, func(is *seedlist.Context) bool {
		*is = c
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

func wantContext(t testing.TB, list seedlist.List, want seedlist.Context) {
	t.Helper()
	got := Must[seedlist.Context](t)(list.Context(t.Context(), want.IRI))
	if !bytes.Equal(got.Text, want.Text) {
		t.Errorf("%s: %d bytes of text, want %d", want.IRI, len(got.Text), len(want.Text))
	}
	got.Text, want.Text = nil, nil
	if fmt.Sprintf("%+v", encoded(t, got)) != fmt.Sprintf("%+v", encoded(t, want)) {
		t.Errorf("%s is %s, want %s", want.IRI, encoded(t, got), encoded(t, want))
	}
}

func encoded(t testing.TB, c seedlist.Context) string {
	t.Helper()
	known, _, err := c.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return string(known)
}

// contextsAreKeptUnderTheirIRI: as it is, whatever it and the text are like.
func contextsAreKeptUnderTheirIRI(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	iris := []string{
		"https://a.test/context", "https://a.test/context/", "HTTPS://a.test/context", "https://a.test/context#",
		"https://a.test/context?v=1", "https://a.test/%7econtext",
		"https://a.test/~context", "https://a.test/ž", "https://a.test/" + string(bytes.Repeat([]byte("long/"), 2000)),
	}
	var want []seedlist.Context
	for i, length := range []int{2, 100, 59_999, 60_000, 60_001, 200_000, 1 << 20, 3 << 20, 0} {
		want = append(want, contextOf(iris[i], length))
		putContext(t, list, want[i])
	}
	for _, c := range want {
		wantContext(t, list, c)
	}
	// A shorter text leaves nothing of a longer one, and none leaves nothing.
	want[7] = contextOf(iris[7], 10)
	want[6] = seedlist.Context{IRI: iris[6], Tries: 3}
	for _, c := range want[6:8] {
		putContext(t, list, c)
		wantContext(t, list, c)
	}
	if _, err := list.Context(t.Context(), "https://a.test/other"); !errors.Is(err, seedlist.ErrNotFound) {
		t.Errorf("one that nobody has named: %v", err)
	}
	counts := Must[seedlist.Counts](t)(list.Counts(t.Context()))
	for state, n := range counts.States {
		if n != 0 {
			t.Errorf("contexts are counted: %d are %s", n, state)
		}
	}
	if seeds, _, err := list.List(t.Context(), seedlist.Filter{}); err != nil || len(seeds) != 0 {
		t.Errorf("contexts are seeds: %d, %v", len(seeds), err)
	}
	if idle, err := list.Idle(t.Context()); err != nil || !idle {
		t.Errorf("a list with nothing but contexts is idle: %v, %v", idle, err)
	}
	Audit(t, list)
}

// allContextsAreMetOnce: page by page, in one order, without texts.
func allContextsAreMetOnce(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	const n = 23
	for i := range n {
		putContext(t, list, contextOf(fmt.Sprintf("https://a.test/%d", i), 70_000*(i%2)+1))
	}
	for _, limit := range []int{1, 2, 7, 22, 23, 100} {
		met, after, last := map[string]bool{}, "", ""
		for {
			page := Must[[]seedlist.Context](t)(list.Contexts(t.Context(), after, limit))
			if len(page) == 0 {
				break
			}
			if len(page) > limit {
				t.Fatalf("%d contexts of %d", len(page), limit)
			}
			for _, c := range page {
				if met[c.IRI] || c.Key() <= last || c.Text != nil || c.SHA256 == "" {
					t.Errorf("%s: met before %v, or out of order, or with %d bytes of text", c.IRI, met[c.IRI], len(c.Text))
				}
				met[c.IRI], last = true, c.Key()
			}
			after = page[len(page)-1].IRI
		}
		if len(met) != n {
			t.Errorf("%d at a time: %d of %d are met", limit, len(met), n)
		}
	}
}

// aContextIsEditedByOneAtATime: whoever changes it sees what others have written.
func aContextIsEditedByOneAtATime(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{})
	const goroutines, times = 8, 10
	var all sync.WaitGroup
	for range goroutines {
		all.Go(func() {
			for range times {
				err := list.EditContext(t.Context(), "https://a.test/c", func(c *seedlist.Context) bool {
					c.Tries++
					return true
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	c := Must[seedlist.Context](t)(list.Context(t.Context(), "https://a.test/c"))
	if c.Tries != goroutines*times || c.IRI != "https://a.test/c" || !c.IsComing() {
		t.Errorf("%+v, want %d tries", c, goroutines*times)
	}
	unchanged := func(c *seedlist.Context) bool {
		c.Tries = 0
		return false
	}
	for _, iri := range []string{"https://a.test/c", "https://a.test/new"} {
		if err := list.EditContext(t.Context(), iri, unchanged); err != nil {
			t.Error(err)
		}
	}
	if c := Must[seedlist.Context](t)(list.Context(t.Context(), "https://a.test/c")); c.Tries != goroutines*times {
		t.Errorf("what was not to be written is: %+v", c)
	}
	if _, err := list.Context(t.Context(), "https://a.test/new"); !errors.Is(err, seedlist.ErrNotFound) {
		t.Errorf("one that was not to be written is there: %v", err)
	}
	long := contextOf("https://a.test/c", seedlist.MostContext+1)
	err := list.EditContext(t.Context(), long.IRI, func(c *seedlist.Context) bool {
		*c = long
		return true
	})
	if err == nil {
		t.Error("one that is too long is written")
	}
}

// putContexts writes contexts of many lengths, and one that could not be had.
func putContexts(t testing.TB, list seedlist.List) (all []seedlist.Context) {
	t.Helper()
	for i := range 7 {
		c := contextOf(fmt.Sprintf("https://a.test/%d", i), 50_000*i+1)
		if i == 3 {
			c = seedlist.Context{IRI: c.IRI, Failures: 1}
		}
		all = append(all, c)
		putContext(t, list, c)
	}
	return all
}
