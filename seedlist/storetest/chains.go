package storetest

import (
	"encoding/json"
	"errors"
	"testing"

	"laundromat/internal/digest"
	"laundromat/internal/pattern"
	"laundromat/seedlist"
)

// outcomesOfAWash are those of the stages of a document that meets no trouble, or of one
// that ends in a stage.
func outcomesOfAWash(failsIn seedlist.State) []seedlist.Outcome {
	lines := int64(1)
	made := digest.Content{MD5: "0123456789abcdef0123456789abcdef", SHA256: "ab", NumberOfBytes: 7, NumberOfLines: &lines}
	outcomes := []seedlist.Outcome{
		{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content = &digest.Content{MD5: "ab", NumberOfBytes: 5} }},
		{Next: seedlist.Unarchived, Update: func(r *seedlist.Record) { r.Archive = &seedlist.Archive{Filters: []string{"gzip"}} }},
		{Next: seedlist.Guessed, Update: func(r *seedlist.Record) { r.Format = "Turtle" },
			Named: []seedlist.NewSeed{{URI: "http://example.org/named"}}},
		{Next: seedlist.Parsed, Update: func(r *seedlist.Record) { r.Statements = &digest.Statements{Read: 1, Kept: 1, Written: 1} },
			Clean: &seedlist.Clean{Content: made}},
	}
	for i, stage := range seedlist.Stages() {
		outcomes[i].Attempt.ParserRuntime = 1
		if stage == failsIn {
			outcomes[i] = seedlist.Outcome{Next: seedlist.Failed, Attempt: outcomes[i].Attempt, Update: func(r *seedlist.Record) {
				r.Error = &seedlist.Error{Stage: stage, Message: "no"}
			}}
			return outcomes[:i+1]
		}
	}
	return outcomes
}

// stagesCompletedTogetherAreStagesCompletedOneByOne: records, attempts, counts and
// what is ready then are the same.
func stagesCompletedTogetherAreStagesCompletedOneByOne(t *testing.T, open Opener) {
	times := pattern.New(`"20\d\d-[^"]*Z( – [^"]*)?"`)
	for _, failsIn := range append(seedlist.Stages(), "") {
		var told [2]string
		for together := range 2 {
			store := open(t, seedlist.Options{Interval: -1})
			hash := Add(t, store, "http://example.org/x")[0]
			claim := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 1))[0]
			outcomes := outcomesOfAWash(failsIn)
			if together == 1 {
				at := claim
				for _, o := range outcomes[:len(outcomes)-1] {
					at = Must[seedlist.Claim](t)(store.Foresee(at, o))
				}
				if at.Seed.Fence != at.Fence || at.Seed.Status != at.Stage || failsIn == "" && at.Seed.Format != "Turtle" {
					t.Errorf("foreseen: %+v", at)
				}
				if err := store.CompleteAll(t.Context(), claim, outcomes); err != nil {
					t.Fatal(err)
				}
			} else {
				for i, o := range outcomes {
					if i > 0 {
						claim = Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Stages()[i], "w", 1))[0]
					}
					if err := store.Complete(t.Context(), claim, o); err != nil {
						t.Fatal(err)
					}
				}
			}
			Audit(t, store)
			for _, what := range []any{
				Must[seedlist.Seed](t)(store.Seed(t.Context(), hash)), Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash)),
				Must[seedlist.Counts](t)(store.Counts(t.Context())),
			} {
				text, err := json.Marshal(what)
				if err != nil {
					t.Fatal(err)
				}
				told[together] += times.ReplaceAllString(string(text), `"TIME$1"`) + "\n"
			}
		}
		if told[0] != told[1] {
			t.Errorf("fails in %q: one by one\n%stogether\n%s", failsIn, told[0], told[1])
		}
	}
}

// aLostClaimCompletesNothingOfWhatFollowed: nor does a chain that is none.
func aLostClaimCompletesNothingOfWhatFollowed(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: -1})
	hash := Add(t, store, "http://example.org/x")[0]
	lost := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 1))[0]
	if err := store.GiveBack(t.Context(), lost, seedlist.Return{}); err != nil {
		t.Fatal(err)
	}
	claim := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 1))[0]
	outcomes := outcomesOfAWash("")
	if err := store.CompleteAll(t.Context(), lost, outcomes); !errors.Is(err, seedlist.ErrLost) {
		t.Errorf("error %v", err)
	}
	if seed := Must[seedlist.Seed](t)(store.Seed(t.Context(), hash)); seed.Status != seedlist.Downloading || seed.Fence != 2 ||
		seed.Content != nil {
		t.Errorf("%+v", seed)
	}
	for _, bad := range [][]seedlist.Outcome{
		{outcomes[0], outcomes[2]},
		{{Next: seedlist.Failed}, outcomes[1]},
		{outcomes[1]},
	} {
		if err := store.CompleteAll(t.Context(), claim, bad); err == nil {
			t.Errorf("%d outcomes that do not follow each other were taken", len(bad))
		}
	}
	if err := store.CompleteAll(t.Context(), claim, outcomes); err != nil {
		t.Error(err)
	}
	Audit(t, store)
}

// aRestedHostIsFreeWhileTheWorkGoesOn, and is not freed twice.
func aRestedHostIsFreeWhileTheWorkGoesOn(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{HostConnections: 1, HostDelay: -1})
	Add(t, store, "http://example.org/1", "http://example.org/2", "http://example.org/3")
	claims := func() []seedlist.Claim {
		return Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", 9))
	}
	first := claims()
	if len(first) != 1 || len(claims()) != 0 {
		t.Fatalf("%d claims", len(first))
	}
	for range 2 {
		if err := store.Rest(t.Context(), first[0], seedlist.Load{}); err != nil {
			t.Fatal(err)
		}
	}
	if second := claims(); len(second) != 1 || len(claims()) != 0 {
		t.Fatalf("%d claims", len(second))
	}
	if err := store.Complete(t.Context(), first[0], seedlist.Outcome{Next: seedlist.Filed}); err != nil {
		t.Fatal(err)
	}
	if more := claims(); len(more) != 0 {
		t.Errorf("%d claims: the host was freed again", len(more))
	}
}
