package storetest

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"laundromat/seedlist"
)

// namesInADocumentAreOneSeedToClaim: whatever names are added, in what order, batches and
// spellings, what can be claimed is each document once.
func namesInADocumentAreOneSeedToClaim(t *testing.T, open Opener) {
	for _, c := range []struct {
		name      string
		uris      []string
		claimed   string // the URIs that are claimed
		fragments int64
	}{
		{"twenty names", numbered("http://a.test/voc.ttl#c", 20), "http://a.test/voc.ttl", 20},
		{"the document first", []string{"http://a.test/v", "http://a.test/v#x"}, "http://a.test/v", 1},
		{"the document last", []string{"http://a.test/v#x", "http://a.test/v"}, "http://a.test/v", 1},
		{"an empty fragment", []string{"http://a.test/v#"}, "http://a.test/v", 1},
		{"two documents", []string{"http://a.test/v#x", "http://a.test/w#x"}, "http://a.test/v http://a.test/w", 2},
		{"queries are documents of their own", []string{"http://a.test/v?1#x", "http://a.test/v?2#x"},
			"http://a.test/v?1 http://a.test/v?2", 2},
		{"one key, two spellings", []string{"http://A.test/%76#x", "http://a.test/v#y"}, "http://A.test/%76", 2},
		{"the same twice", []string{"http://a.test/v#x", "http://a.test/v#x"}, "http://a.test/v", 1},
		{"a fragment with a stroke", []string{"http://a.test/v#/x/../y?z"}, "http://a.test/v", 1},
		{"letters outside ASCII", []string{"http://a.test/v#größe"}, "http://a.test/v", 1},
		{"relative: counted as that", []string{"v.ttl#x", "#x"}, "", 0},
		{"a file", []string{"file:///tmp/v.ttl#x"}, "file:///tmp/v.ttl", 1},
		{"FTP", []string{"ftp://a.test/v.ttl#x"}, "ftp://a.test/v.ttl", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := open(t, seedlist.Options{})
			Add(t, store, c.uris...)
			checkNames(t, store, c.claimed, c.fragments)
		})
	}
}

// namesInDocumentsAtRandom makes 200 more lists, each of hosts of its own.
func namesInDocumentsAtRandom(t *testing.T, open Opener) {
	random := rand.New(rand.NewPCG(28, 4))
	store := open(t, seedlist.Options{})
	var uris, claimed []string
	documents, names := map[string]bool{}, map[string]bool{}
	for list := range 200 {
		for range 1 + random.IntN(8) {
			document := fmt.Sprintf("http://h%d-%d.test/d%d", list, random.IntN(2), random.IntN(3))
			uri := document
			if random.IntN(3) > 0 {
				uri += fmt.Sprintf("#n%d", random.IntN(4))
				names[uri] = true
			}
			if uris = append(uris, uri); !documents[document] {
				documents[document] = true
				claimed = append(claimed, document)
			}
		}
	}
	for len(uris) > 0 {
		n := min(1+random.IntN(50), len(uris))
		Add(t, store, uris[:n]...)
		uris = uris[n:]
	}
	checkNames(t, store, strings.Join(claimed, " "), int64(len(names)))
}

func numbered(prefix string, n int) (uris []string) {
	for i := range n {
		uris = append(uris, fmt.Sprint(prefix, i))
	}
	return uris
}

func checkNames(t *testing.T, store seedlist.List, claimed string, fragments int64) {
	t.Helper()
	counts := Must[seedlist.Counts](t)(store.Counts(t.Context()))
	if counts.Fragments != fragments {
		t.Errorf("%d fragments are counted, want %d", counts.Fragments, fragments)
	}
	var ended sync.WaitGroup
	want := map[string]bool{}
	for uri := range strings.FieldsSeq(claimed) {
		want[uri] = true
	}
	for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "worker", 1000)) {
		if !want[c.Seed.URI] {
			t.Errorf("%s is claimed", c.Seed.URI)
		}
		delete(want, c.Seed.URI)
		ended.Go(func() {
			Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
				r.Error = &seedlist.Error{Stage: seedlist.Downloading, Code: "http/status", Message: "404"}
			}})
		})
	}
	ended.Wait()
	if len(want) > 0 {
		t.Errorf("not claimed: %v", want)
	}
	if idle := Must[bool](t)(store.Idle(t.Context())); !idle {
		t.Error("names keep it from rest")
	}
	seeds, _, err := store.List(t.Context(), seedlist.Filter{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	for i := range seeds {
		seed := &seeds[i]
		before, _, named := strings.Cut(seed.URI, "#")
		if named = named && !seed.Relative; named != (seed.Document != "") {
			t.Errorf("%s: document %q", seed.URI, seed.Document)
		}
		if !named {
			continue
		}
		if seed.Document != seedlist.Key(before) || seed.Status != seedlist.Added {
			t.Errorf("%s: %s, document %s", seed.URI, seed.Status, seed.Document)
		}
		if err := store.FillOutcomes(t.Context(), seed); err != nil || seed.Outcome != seedlist.Failed || seed.Error == nil ||
			seed.Status != seedlist.Added {
			t.Errorf("%s: outcome %q, %+v, %v", seed.URI, seed.Outcome, seed.Error, err)
		}
	}
	Audit(t, store)
}

func retryOfANameIsOneOfItsDocument(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	name := Add(t, store, "http://a.test/v#x")[0]
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed})
	if errs, err := store.Retry(t.Context(), "", name); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	if c := Claim(t, store, seedlist.Downloading); c.Seed.URI != "http://a.test/v" {
		t.Error(c.Seed.URI)
	}
	// A document that was removed is made again when its name is added again.
	if _, err := store.Remove(t.Context(), seedlist.Key("http://a.test/v")); err != nil {
		t.Fatal(err)
	}
	Add(t, store, "http://a.test/v#x")
	if c := Claim(t, store, seedlist.Downloading); c.Seed.URI != "http://a.test/v" {
		t.Error(c.Seed.URI)
	}
}

func identifiersOf2018LeadToTheSeed(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	old := func(uri string) string { return hex.EncodeToString(seedlist.OldKey(uri, "")) }
	const given, again = "HTTP://Example.org/%7ea/../b", "http://EXAMPLE.org/b"
	hash := Add(t, store, given)[0]
	Add(t, store, again)
	for _, key := range []string{old(given), old(again)} {
		if s := Seed(t, store, key); s.Hash != hash || key == hash {
			t.Errorf("%s leads to %s", key, s.Hash)
		}
		if _, err := store.Attempts(t.Context(), key); err != nil {
			t.Errorf("attempts of %s: %v", key, err)
		}
	}
	if _, err := store.Remove(t.Context(), hash); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(t.Context(), store, old(given)); err != seedlist.ErrNotFound {
		t.Errorf("%v", err)
	}
}

// aDocumentMayNameItself, and others that are there, in whatever spelling: none of them is a new seed.
func aDocumentMayNameItself(t *testing.T, open Opener) {
	named := []seedlist.NewSeed{
		{URI: "http://a.example/1"}, {URI: "HTTP://A.example/1"}, {URI: "http://a.example/1#me"}, {URI: "http://a.example/2"},
	}
	for _, together := range []bool{true, false} {
		store := open(t, seedlist.Options{})
		hash := Add(t, store, "http://a.example/1", "http://a.example/2")[0]
		before := Must[seedlist.Counts](t)(store.Counts(t.Context())).Seeds
		if together {
			c := Claim(t, store, seedlist.Downloading)
			err := store.CompleteAll(t.Context(), c, []seedlist.Outcome{
				{Next: seedlist.Filed}, {Next: seedlist.Unarchived}, {Next: seedlist.Guessed, Named: named}, {Next: seedlist.Failed},
			})
			if err != nil {
				t.Fatal(err)
			}
		} else {
			for _, o := range []seedlist.Outcome{
				{Next: seedlist.Filed}, {Next: seedlist.Unarchived},
				{Next: seedlist.Guessed, Named: named}, {Next: seedlist.Parsed, Named: named},
			} {
				Complete(t, store, Claim(t, store, stageBefore(o.Next)), o)
			}
		}
		if after := Must[seedlist.Counts](t)(store.Counts(t.Context())).Seeds; after != before {
			t.Errorf("together %v: %d seeds, want %d", together, after, before)
		}
		if seed := Seed(t, store, hash); !seed.Status.IsFinal() {
			t.Errorf("together %v: the document is %s", together, seed.Status)
		}
		Audit(t, store)
		store.Close()
	}
}

// stageBefore is the stage that leads to a state which ends well.
func stageBefore(next seedlist.State) seedlist.State {
	for _, stage := range seedlist.Stages() {
		if stage.Next()[0] == next {
			return stage
		}
	}
	return ""
}
