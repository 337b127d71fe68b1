package storetest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// temper is what a server answers a fetch with.
type temper struct {
	name string
	// ends are the stages that are completed, each with what it comes to; the last is the end.
	ends []seedlist.State
	// written are the statements of what was read to its end; -1: it was not.
	written int64
	code    fault.Code
}

// tempers are those of servers over a year. What was read to its end is put to [seedlist.Record.Decide].
var tempers = []temper{
	{"new data", []seedlist.State{seedlist.Filed, seedlist.Unarchived, seedlist.Guessed, seedlist.Parsed}, 7, ""},
	{"a valid document without statements", []seedlist.State{seedlist.Filed, seedlist.Unarchived, seedlist.Guessed, seedlist.Parsed}, 0,
		""},
	{"not found", []seedlist.State{seedlist.Failed}, -1, fault.HTTPStatus},
	{"robots.txt", []seedlist.State{seedlist.Failed}, -1, fault.RobotsDisallowed},
	{"a damaged archive", []seedlist.State{seedlist.Filed, seedlist.Failed}, -1, fault.ArchiveCorrupt},
	{"a login page", []seedlist.State{seedlist.Filed, seedlist.Unarchived, seedlist.Failed}, -1, fault.FormatNotRDF},
	{"broken text", []seedlist.State{seedlist.Filed, seedlist.Unarchived, seedlist.Guessed, seedlist.Failed}, -1, fault.SyntaxUnreadable},
	{"an archive", []seedlist.State{seedlist.Filed, seedlist.Depleted}, -1, ""},
}

// whatIsServedChangesOnlyByAGoodWash lets servers have their tempers for many fetches. At no moment does a clean file
// that is served go, but for one of a good wash.
func whatIsServedChangesOnlyByAGoodWash(t *testing.T, open Opener) {
	const hosts, fetches = 3, 14
	store := open(t, seedlist.Options{HostDelay: -1, Interval: 1000 * time.Hour})
	served := map[string]string{}
	for i := range hosts {
		served[Add(t, store, fmt.Sprintf("http://host%d.example/data", i))[0]] = ""
	}
	random := rand.New(rand.NewPCG(41, 1))
	check := func(when string) {
		t.Helper()
		washed := int64(0)
		for hash, clean := range served {
			seed := Must[seedlist.Seed](t)(store.Seed(t.Context(), hash))
			if seed.ServedClean() != clean {
				t.Fatalf("%s: %s is served, and not %s", when, seed.ServedClean(), clean)
			}
			if clean == "" {
				continue
			}
			washed++
			if file := Must[seedlist.Seed](t)(store.Seed(t.Context(), clean)); file.Status != seedlist.Cleaned {
				t.Fatalf("%s: %s is %s", when, clean, file.Status)
			}
			if is := seed.Served(); is.Statements == nil || is.Content == nil {
				t.Fatalf("%s: %+v", when, is.Record)
			}
		}
		if counts := Must[seedlist.Counts](t)(store.Counts(t.Context())); counts.Washed != washed {
			t.Fatalf("%s: %d documents have a clean file, %d are counted", when, washed, counts.Washed)
		}
	}
	for n := range fetches {
		for _, c := range Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Downloading, "w", hosts)) {
			how := tempers[random.IntN(len(tempers))]
			if n == 0 {
				how = tempers[0]
			}
			hash := c.Seed.Hash
			for i, end := range how.ends {
				if i > 0 {
					c = Claim(t, store, how.ends[i-1].Working())
				}
				o := how.outcome(&c, end, fmt.Sprint(hash, n))
				Complete(t, store, c, o)
				if end == seedlist.Parsed {
					served[hash] = o.Clean.Content.MD5
				}
				check(fmt.Sprintf("fetch %d, %s, %s", n, how.name, end))
			}
			if answers, err := store.Retry(t.Context(), "", hash); err != nil || answers[0] != nil {
				t.Fatal(answers, err)
			}
			check(fmt.Sprintf("fetch %d, %s, again", n, how.name))
		}
	}
	Audit(t, store)

	// A person ends it, of what shows why none came since.
	c := Claim(t, store, seedlist.Downloading)
	Complete(t, store, c, tempers[2].outcome(&c, seedlist.Failed, ""))
	if answers, err := store.Set(t.Context(), seedlist.SeedSettings{Forget: true}, c.Seed.Hash); err != nil || answers[0] != nil {
		t.Fatal(answers, err)
	}
	served[c.Seed.Hash] = ""
	check("forgotten")
	Audit(t, store)
}

// outcome is what a stage comes to. The bytes are named by text.
func (how temper) outcome(c *seedlist.Claim, end seedlist.State, text string) seedlist.Outcome {
	o := seedlist.Outcome{Next: end}
	try := seedlist.Try{Written: how.written}
	if how.code != "" {
		try.Error = &seedlist.Error{Stage: c.Stage, Kind: fault.Data, Code: how.code, Message: how.name}
	}
	if end == seedlist.Failed {
		o.Again = c.Seed.Decide("", try, time.Now()).Again
	}
	o.Update = func(r *seedlist.Record) {
		switch end {
		case seedlist.Filed:
			r.ForgetReading()
			r.Content = ContentOf(text)
		case seedlist.Failed:
			r.Error = try.Error
		case seedlist.Parsed:
			r.Statements = &digest.Statements{Read: how.written, Kept: how.written, Written: how.written}
		}
	}
	if end == seedlist.Parsed && c.Seed.Decide("", try, time.Now()).Replaces {
		o.Clean = &seedlist.Clean{Content: *ContentOf("clean " + text)}
	}
	return o
}
