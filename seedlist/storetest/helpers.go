package storetest

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Must returns the value of a call that may not fail.
func Must[T any](t testing.TB) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// Add adds URIs and returns their hashes.
func Add(t testing.TB, store seedlist.List, uris ...string) []string {
	t.Helper()
	seeds := make([]seedlist.NewSeed, len(uris))
	for i := range uris {
		seeds[i].URI = uris[i]
	}
	hashes := make([]string, len(uris))
	for i, a := range Must[[]seedlist.Addition](t)(store.Add(t.Context(), seeds)) {
		if a.Err != nil {
			t.Fatal(a.Err)
		}
		hashes[i] = a.Hash
	}
	return hashes
}

// Claim claims one seed, and fails if there is none.
func Claim(t testing.TB, store seedlist.List, stage seedlist.State) seedlist.Claim {
	t.Helper()
	claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), stage, "worker", 1))
	if len(claims) != 1 {
		t.Fatalf("nothing to claim for %s", stage)
	}
	return claims[0]
}

// Complete completes a claim, and fails if that is refused.
func Complete(t testing.TB, store seedlist.List, c seedlist.Claim, o seedlist.Outcome) {
	t.Helper()
	if err := store.Complete(t.Context(), c, o); err != nil {
		t.Fatalf("%s → %s: %v", c.Stage, o.Next, err)
	}
}

// ShowProgress shows how far a claim has come, and fails if that fails.
func ShowProgress(t testing.TB, store seedlist.List, c seedlist.Claim, p seedlist.Progress) {
	t.Helper()
	if err := store.Progress(t.Context(), c, p); err != nil {
		t.Fatal(err)
	}
}

// Seed is the record of a hash, and fails if there is none.
func Seed(t testing.TB, store seedlist.List, hash string) seedlist.Seed {
	t.Helper()
	return Must[seedlist.Seed](t)(store.Seed(t.Context(), hash))
}

// WantState fails if a seed is in another state.
func WantState(t testing.TB, store seedlist.List, hash string, want seedlist.State) {
	t.Helper()
	if got := Seed(t, store, hash).Status; got != want {
		t.Fatalf("%s is %s, want %s", hash, got, want)
	}
}

// Drive brings the one seed that is ready to a state by the straight way; for
// Failed, it fails in the stage before.
func Drive(t testing.TB, store seedlist.List, to seedlist.State) (c seedlist.Claim) {
	t.Helper()
	for _, stage := range seedlist.Stages() {
		if stage.Ready() == to {
			return c
		}
		c = Claim(t, store, stage)
		if stage == to {
			return c
		}
		next := stage.Next()[0]
		for _, n := range stage.Next() {
			if n == to {
				next = n
			}
		}
		o := seedlist.Outcome{Next: next}
		if next == seedlist.Parsed {
			o.Clean = &seedlist.Clean{Content: *ContentOf("clean " + c.Seed.Hash)}
		}
		Complete(t, store, c, o)
		if next == to {
			return c
		}
	}
	return c
}

// Usual is an outcome as a plain N-Triples file has it.
func Usual(c seedlist.Claim) seedlist.Outcome {
	n := int64(1234)
	o := seedlist.Outcome{Next: c.Stage.Next()[0], Attempt: seedlist.Attempt{ParserVersion: "1"}}
	switch c.Stage {
	case seedlist.Downloading:
		o.Update = func(r *seedlist.Record) {
			r.HTTP = []seedlist.Exchange{{
				URI: c.Seed.URI, Time: time.Now(), Status: 200, Version: &seedlist.HTTPVersion{Major: 1, Minor: 1}, Walltime: 0.4,
				Headers: map[string][]string{
					"content-type": {"application/n-triples"}, "content-length": {"1234"}, "etag": {`"5f3c-5b2d7a9e1c0f0"`},
					"server":        {"nginx/1.22.1"},
					"last-modified": {"Mon, 02 Jan 2006 15:04:05 GMT"}, "date": {"Mon, 02 Jan 2006 15:04:05 GMT"},
					"accept-ranges": {"bytes"},
				},
			}}
			r.Content = ContentOf(c.Seed.URI)
		}
	case seedlist.Guessing:
		o.Update = func(r *seedlist.Record) {
			r.Encoding = &seedlist.Encoding{Presumed: "utf-8", Evidence: []seedlist.Evidence{{From: "http", Value: "utf-8"}}}
			r.Format = "N-Triples"
		}
	case seedlist.Parsing:
		o.Update = func(r *seedlist.Record) {
			r.Encoding.Chosen = "utf-8"
			r.Text = &digest.Text{Newline: digest.LF, NumberOfBytes: n, NumberOfChars: n, NumberOfLines: 10}
			r.Statements = &digest.Statements{Read: 10, Kept: 9, Repaired: 1, Written: 10}
			r.Notices = map[fault.Code]int64{"iri/space": 1}
		}
		o.Clean = &seedlist.Clean{Content: *ContentOf(c.Seed.URI + " clean")}
	}
	return o
}

// ContentOf is the content of a file of that text; it says that it has ten lines.
func ContentOf(text string) *digest.Content {
	m, s := md5.Sum([]byte(text)), sha256.Sum256([]byte(text))
	lines := int64(10)
	return &digest.Content{MD5: hex.EncodeToString(m[:]), SHA256: hex.EncodeToString(s[:]), NumberOfBytes: int64(len(text)),
		NumberOfLines: &lines}
}

// Zip is an archive's entries: names and what their bytes are.
func Zip(entries ...string) (children []seedlist.Child) {
	for _, e := range entries {
		name, bytes, _ := strings.Cut(e, "=")
		size := int64(len(bytes))
		children = append(children, seedlist.Child{
			Name: name, Archive: seedlist.Archive{Format: "zip", Size: &size}, Content: *ContentOf(bytes),
		})
	}
	return children
}

// Deplete brings the one archive that is added through its stages.
func Deplete(t testing.TB, store seedlist.List, children []seedlist.Child) {
	t.Helper()
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: children})
}
