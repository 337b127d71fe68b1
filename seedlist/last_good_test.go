package seedlist_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// washed is a record with a good wash of so many statements, whose bytes were replaced.
func washed(written int64) seedlist.Record {
	r := seedlist.Record{
		Clean: "c1", Content: &digest.Content{MD5: "m1"}, Statements: &digest.Statements{Read: written, Kept: written, Written: written},
		History: []seedlist.Version{{Number: 4, MD5: "m1", Clean: "c1", Retrieved: time.Unix(1, 0), Seen: time.Unix(2, 0)}},
	}
	r.ForgetReading()
	return r
}

// Only a good wash takes the place of a good wash.
func TestOnlyAGoodWashReplacesAGoodWash(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	failed := func(stage seedlist.State, kind fault.Kind, code fault.Code) seedlist.Try {
		return seedlist.Try{Error: &seedlist.Error{Stage: stage, Kind: kind, Code: code}}
	}
	empty := func(n int, ago time.Duration) seedlist.Record {
		r := washed(5)
		r.Good.Empty, r.Good.EmptyAt = n, now.Add(-ago)
		return r
	}
	page := seedlist.Try{IsPage: true}
	gone := failed(seedlist.Downloading, fault.Refused, fault.HTTPStatus)
	gone.Reply = 410
	for _, c := range []struct {
		name   string
		record seedlist.Record
		try    seedlist.Try
		want   seedlist.Decision
	}{
		{"a document that was never washed", seedlist.Record{}, failed(seedlist.Guessing, fault.Data, fault.FormatNotRDF),
			seedlist.Decision{}},
		{"its first wash", seedlist.Record{}, page, seedlist.Decision{Replaces: true}},
		{"statements", washed(5), seedlist.Try{Written: 1}, seedlist.Decision{Replaces: true}},
		{"statements of a page", washed(5), seedlist.Try{Written: 1, IsPage: true}, seedlist.Decision{Replaces: true}},
		{"some lost", washed(5), seedlist.Try{Written: 1, Dropped: 9}, seedlist.Decision{Replaces: true}},
		{"a valid document of a format that holds nothing else", washed(5), seedlist.Try{}, seedlist.Decision{Replaces: true}},
		{"a broken one", washed(5), seedlist.Try{Dropped: 9}, seedlist.Decision{Again: day}},
		{"a broken page", washed(5), seedlist.Try{Dropped: 9, IsPage: true}, seedlist.Decision{Again: day}},
		{"a page without statements, in place of none", washed(0), page, seedlist.Decision{Replaces: true}},
		{"a login page", washed(5), failed(seedlist.Guessing, fault.Data, fault.FormatNotRDF), seedlist.Decision{Again: day}},
		{"an error of unpacking", washed(5), failed(seedlist.Unarchiving, fault.Limit, fault.LimitMemory), seedlist.Decision{Again: day}},
		{"an error of parsing", washed(5), failed(seedlist.Parsing, fault.Bug, fault.BugProcessDied), seedlist.Decision{Again: day}},
		{"404", washed(5), failed(seedlist.Downloading, fault.Refused, fault.HTTPStatus), seedlist.Decision{Again: day}},
		{"410", washed(5), gone, seedlist.Decision{}},
		{"robots.txt", washed(5), failed(seedlist.Downloading, fault.Refused, fault.RobotsDisallowed), seedlist.Decision{}},
		{"the first page without statements", washed(5), page, seedlist.Decision{Again: day, Empty: 1, EmptyAt: now}},
		{"the second, too early", empty(1, 2*time.Hour), page, seedlist.Decision{Again: day, Empty: 1, EmptyAt: now.Add(-2 * time.Hour)}},
		{"the second", empty(1, day), page, seedlist.Decision{Again: day, Empty: 2, EmptyAt: now}},
		{"the third, too early", empty(2, 3*time.Hour), page, seedlist.Decision{Again: day, Empty: 2, EmptyAt: now.Add(-3 * time.Hour)}},
		{"the third", empty(2, day), page, seedlist.Decision{Replaces: true, Empty: 3, EmptyAt: now}},
	} {
		if got := c.record.Decide(seedlist.ProductStatements, c.try, now); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What is served of a seed is the last good wash, and the record says which version that is and why.
func TestARecordSaysWhichVersionIsServed(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name     string
		seed     func(*seedlist.Seed)
		products string
		behind   string
	}{
		{"washed", func(s *seedlist.Seed) { s.Status, s.Clean, s.Previous, s.Good = seedlist.Parsed, "c1", "", nil }, "", ""},
		{"being fetched again", func(s *seedlist.Seed) { s.Status = seedlist.Filed }, `[{"name":"statements","good":4}]`, ""},
		{"no data", func(s *seedlist.Seed) {
			s.Status, s.Error = seedlist.Failed, &seedlist.Error{Stage: seedlist.Guessing, Kind: fault.Data, Code: fault.FormatNotRDF,
				Message: "not RDF: HTML"}
		}, `[{"name":"statements","error":{"stage":"guessing","kind":"data","code":"format/not-rdf","message":"not RDF: HTML"},"good":4}]`,
			"as of 1970-01-01; since then: not RDF: HTML"},
		{"a page without statements", func(s *seedlist.Seed) {
			s.Status, s.Error, s.Good.Empty = seedlist.Failed, &seedlist.Error{Code: fault.FormatNotRDF,
				Message: "HTML without statements"}, 1
		}, `[{"name":"statements","none":true,"good":4}]`, "as of 1970-01-01; since then: HTML without statements"},
		{"gone for good", func(s *seedlist.Seed) {
			s.Status, s.Error, s.HTTP = seedlist.Failed, &seedlist.Error{Code: fault.HTTPStatus, Message: "410 Gone"},
				[]seedlist.Exchange{{Status: 410}}
		}, "", "as of 1970-01-01; since then: the server says that it is gone for good"},
		{"forbidden", func(s *seedlist.Seed) {
			s.Status, s.Error = seedlist.Failed, &seedlist.Error{Code: fault.RobotsDisallowed}
		}, "", "as of 1970-01-01; since then: robots.txt forbids it"},
		{"withdrawn", func(s *seedlist.Seed) { s.Status, s.Clean, s.Gone = seedlist.Parsed, "c1", &yes }, "",
			"as of 1970-01-01; since then: no catalog names it any more"},
		{"out of its archive", func(s *seedlist.Seed) { s.Status, s.Clean, s.Gone, s.Parent = seedlist.Parsed, "c1", &yes, "p" }, "",
			"as of 1970-01-01; since then: no longer in its archive"},
		{"an archive in its place", func(s *seedlist.Seed) { s.Status = seedlist.Depleted }, `[{"name":"statements","good":4}]`,
			"as of 1970-01-01; since then: an archive"},
	} {
		seed := seedlist.Seed{Hash: "h", Record: washed(5)}
		c.seed(&seed)
		text, err := json.Marshal(seed)
		if err != nil {
			t.Fatal(err)
		}
		if c.products != "" && !strings.Contains(string(text), `"products":`+c.products) || c.name == "washed" &&
			strings.Contains(string(text), "products") {
			t.Errorf("%s: %s", c.name, text)
		}
		if got := seed.Behind(); got != c.behind {
			t.Errorf("%s: %q, want %q", c.name, got, c.behind)
		}
		served := seed.Served()
		if served.Clean != "c1" || served.Statements == nil || served.Statements.Written != 5 || served.Content.MD5 != "m1" {
			if c.name != "washed" && c.name != "withdrawn" && c.name != "out of its archive" {
				t.Errorf("%s: served %+v", c.name, served.Record)
			}
		}
	}
}

// The last good wash outlives any number of others that came to nothing.
func TestTheLastGoodWashOutlivesWhatCameSince(t *testing.T) {
	r := washed(5)
	for range 3 {
		r.Content, r.Format = &digest.Content{MD5: "login"}, "HTML"
		r.ForgetReading()
	}
	if r.ServedClean() != "c1" || r.Good.Version != 4 || r.Good.Reading.Content.MD5 != "m1" || r.Summed().Statements.Written != 5 {
		t.Errorf("%+v", r)
	}
}

// What is served says when it was washed, and names the file of that wash, whatever came to nothing since.
func TestWhatIsServedIsDatedByItsOwnWash(t *testing.T) {
	washedAt, bytes := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC), int64(7)
	r := seedlist.Record{
		Clean: "c1", Content: &digest.Content{MD5: "m1"}, Retrieved: washedAt, Processed: washedAt, Washer: "1.0",
		Made:    seedlist.Made{Products: []seedlist.Product{{Name: seedlist.ProductStatements, SHA256: "s1", Bytes: &bytes}}},
		History: []seedlist.Version{{Number: 4, MD5: "m1", Clean: "c1", Retrieved: washedAt, Seen: washedAt}},
	}
	r.ForgetReading()
	r.Processed, r.Washer, r.Error = washedAt.Add(time.Hour), "1.1", &seedlist.Error{Code: fault.FormatNotRDF, Message: "not RDF"}
	seed := seedlist.Seed{Hash: "h", Record: r}
	seed.Status = seedlist.Failed
	if served := seed.Served(); !served.Processed.Equal(washedAt) || served.Washer != "1.0" || len(served.Products) != 1 ||
		served.Products[0].SHA256 != "s1" {
		t.Errorf("%+v", served.Record)
	}
	text, err := json.Marshal(seed)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `"products":[{"name":"statements","sha256":"s1","bytes":7,"error":{`) {
		t.Errorf("%s", text)
	}
}
