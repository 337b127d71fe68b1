package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

func keys(t testing.TB, v any) []string {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(Must[[]byte](t)(json.Marshal(v)), &object); err != nil {
		t.Fatal(err)
	}
	for key, value := range object {
		if string(value) == "null" {
			t.Errorf("%s is null", key)
		}
	}
	return slices.Sorted(maps.Keys(object))
}

func whatIsNotKnownIsAbsentAndWhatIsKnownIsWritten(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/a.zip")[0]
	want := []string{"added", "due", "fence", "hash", "interval", "interval_adapts", "priority", "relative", "status", "tries", "uri"}
	if got := keys(t, Seed(t, store, hash)); !slices.Equal(got, want) {
		t.Errorf("new: %v", got)
	}
	c := Claim(t, store, seedlist.Downloading)
	ShowProgress(t, store, c, seedlist.Progress{})
	want = append(want, "progress", "worker")
	if got := keys(t, Seed(t, store, hash)); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
		t.Errorf("claimed: %v", got)
	}
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) {
		zero := 0.0
		r.HTTP = []seedlist.Exchange{}
		r.Content = &digest.Content{}
		r.Statements = &digest.Statements{}
		r.Notices = map[fault.Code]int64{}
		r.Encoding = &seedlist.Encoding{Evidence: []seedlist.Evidence{{Confidence: &zero}}}
	}})
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted})
	data := string(Must[[]byte](t)(json.Marshal(Seed(t, store, hash))))
	for _, known := range []string{
		`"http":[]`, `"notices":{}`, `"children":[]`, `"children_total":0`, `"read":0`, `"confidence":0`, `"number_of_bytes":0`,
		`"relative":false`, `"tries":0`,
	} {
		if !strings.Contains(data, known) {
			t.Errorf("no %s in %s", known, data)
		}
	}
	if strings.Contains(data, "null") {
		t.Error(data)
	}
	for _, key := range []string{"added", "due", "retrieved", "processed"} {
		var object map[string]any
		if err := json.Unmarshal([]byte(data), &object); err != nil {
			t.Fatal(err)
		}
		text, _ := object[key].(string)
		if _, err := time.Parse(time.RFC3339Nano, text); err != nil || !strings.HasSuffix(text, "Z") {
			t.Errorf("%s is %q", key, text)
		}
	}
}

func aRecordComesBackAsItWasStored(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/é?a=<b>&c")[0]
	size, confidence := int64(0), 0.5
	when := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	want := seedlist.Record{
		Title: "T", Source: "S", Claims: map[string]string{"x": "y"}, Washer: "v1", Format: "Turtle",
		HTTP: []seedlist.Exchange{{URI: "http://example.org/", Time: when, Error: "no reply", Walltime: 1.5},
			{URI: "u", Status: 200, Version: &seedlist.HTTPVersion{Major: 2}, Headers: map[string][]string{"a": {"b", "c"}}}},
		Archive: &seedlist.Archive{Filters: []string{"gzip"}},
		Content: ContentOf("x"),
		Text:    &digest.Text{Newline: digest.CRLF, NumberOfBytes: 1},
		Encoding: &seedlist.Encoding{Presumed: "utf-8", Chosen: "windows-1252",
			Evidence: []seedlist.Evidence{{From: "guess", Value: "v", Confidence: &confidence}}},
		Statements: &digest.Statements{Read: 6, Kept: 5, Repaired: 4, Dropped: 3, Duplicates: 2, Written: size},
		Sources:    map[string]int64{"RDFa": 6, "JSON-LD": 0, "page": 1},
		Notices:    map[fault.Code]int64{"iri/space": 2},
	}
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) {
		kept := *r
		*r = want
		r.Interval, r.Parent, r.Clean = kept.Interval, "somebody", "something"
	}})
	got := Seed(t, store, hash)
	if got.Parent != "" || got.Clean != "" || got.Added.IsZero() {
		t.Errorf("what is the store's was changed: %+v", got.Record)
	}
	if got.URI != "http://example.org/é?a=<b>&c" || !got.HTTP[0].Time.Equal(when) || got.HTTP[0].Time.Location() != time.UTC {
		t.Errorf("%+v", got)
	}
	got.HTTP[0].Time = when
	got.Interval, got.IntervalAdapts, got.History, got.Added, got.Retrieved = nil, false, nil, time.Time{}, time.Time{}
	if a, b := string(Must[[]byte](t)(json.Marshal(got.Record))), string(Must[[]byte](t)(json.Marshal(want))); a != b {
		t.Errorf("%s\n%s", a, b)
	}
}

func attemptsAreWrittenWithTheirKeys(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://user:secret@example.org/a")[0]
	c := Claim(t, store, seedlist.Downloading)
	if err := store.GiveBack(t.Context(), c,
		seedlist.Return{CountTry: true, Attempt: seedlist.Attempt{Kind: "remote", Traceback: "trace"}}); err != nil {
		t.Fatal(err)
	}
	c = Claim(t, store, seedlist.Downloading)
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Attempt: seedlist.Attempt{ParserVersion: "v1", ParserRuntime: 1.5,
		InsertCount: 3, Counts: map[string]int64{"bytes": 3}}})
	attempts := Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash))
	if len(attempts) != 2 {
		t.Fatal(attempts)
	}
	every := []string{
		"access_datetime", "counts", "fence", "id", "insert_count", "kind", "parser_name", "parser_runtime", "parser_version", "result",
		"seed", "source_text",
		"source_url", "traceback", "tries", "worker",
	}
	for _, attempt := range attempts {
		if got := keys(t, attempt); !slices.Equal(got, every) {
			t.Errorf("%v", got)
		}
	}
	retry, filed := attempts[0], attempts[1]
	if retry.Kind != "remote" || retry.Result != "retry" || retry.Tries != 1 || filed.Tries != 2 || filed.Fence != 2 ||
		filed.Traceback != "" ||
		filed.ParserRuntime != 1.5 || filed.SourceURL != "http://***@example.org/a" || filed.Seed != hash || filed.Worker != "worker" {
		t.Errorf("%+v", attempts)
	}
	at := c.Since.UTC().Format("2006-01-02T15:04:05Z")
	if want := at + " – downloading – filed – " + hash[:16] + "-2"; filed.ID != want {
		t.Errorf("id %q, want %q", filed.ID, want)
	}
	if !strings.Contains(string(Must[[]byte](t)(json.Marshal(filed))), `"access_datetime":"`+at+`"`) {
		t.Error("not to the second")
	}
	if _, err := store.Attempts(t.Context(), seedlist.Key("http://none.example/")); err != seedlist.ErrNotFound {
		t.Errorf("%v", err)
	}
}

func passwordsAreRequestedButNotWrittenOut(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	const uri = "http://user:secret@example.org/a"
	Add(t, store, uri)
	c := Claim(t, store, seedlist.Downloading)
	if c.Seed.URI != uri {
		t.Errorf("the request needs %q, not %q", uri, c.Seed.URI)
	}
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) {
		r.Source, r.HTTP = uri, []seedlist.Exchange{{URI: uri}}
	}})
	s := Must[seedlist.Seed](t)(Find(t.Context(), store, uri))
	if data := Must[[]byte](t)(json.Marshal(s)); strings.Contains(string(data), "secret") {
		t.Errorf("%s", data)
	}
	if s.HTTP[0].URI != uri {
		t.Error("marshalling changed the record")
	}
}

func listsAreFilteredAndGoOn(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	var seeds []seedlist.NewSeed
	for i := range 2500 {
		seeds = append(seeds, seedlist.NewSeed{URI: fmt.Sprintf("http://h%d.example/%d", i%10, i), Source: fmt.Sprint("list ", i%2)})
	}
	seeds = append(seeds, seedlist.NewSeed{URI: "../relative", Source: "list 0"})
	if _, err := store.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	c := Claim(t, store, seedlist.Downloading)
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Failed, Update: func(r *seedlist.Record) {
		r.Error = &seedlist.Error{Code: "http/status", Message: "list 1 Turtle"}
		r.Washer, r.HTTP = "v9 (b1)", []seedlist.Exchange{{Status: 404}}
		r.Format, r.Notices = "HTML", map[fault.Code]int64{"iri/space": 1}
		r.Sources = map[string]int64{"Turtle": 2, "RDFa": 6, "JSON-LD": 0, "page": 1}
	}})
	relative, absolute := true, false
	for _, test := range []struct {
		name   string
		filter seedlist.Filter
		want   int
	}{
		{"all", seedlist.Filter{}, 2501},
		{"pages of one", seedlist.Filter{Limit: 1, Host: "H3.example"}, 250},
		{"state", seedlist.Filter{State: seedlist.Added}, 2500},
		{"another state", seedlist.Filter{State: seedlist.Failed}, 1},
		{"no seed of a state", seedlist.Filter{State: seedlist.Parsed}, 0},
		{"host", seedlist.Filter{Host: "h3.example"}, 250},
		{"source", seedlist.Filter{Source: "list 0"}, 1251},
		{"state and source", seedlist.Filter{State: seedlist.Added, Source: "list 7"}, 0},
		{"HTTP status", seedlist.Filter{HTTPStatus: 404}, 1},
		{"HTTP status that none had", seedlist.Filter{HTTPStatus: 500}, 0},
		{"relative", seedlist.Filter{Relative: &relative}, 1},
		{"not relative", seedlist.Filter{Relative: &absolute}, 2500},
		{"format", seedlist.Filter{Format: "HTML"}, 1},
		{"a format of a script in the page", seedlist.Filter{Format: "Turtle"}, 1},
		{"a format of a part of the page", seedlist.Filter{Format: "RDFa"}, 1},
		{"a format of which a page has nothing", seedlist.Filter{Format: "JSON-LD"}, 0},
		{"what is of the page as a whole", seedlist.Filter{Format: "page"}, 0},
		{"a format that only a message names", seedlist.Filter{Format: "list 1 Turtle"}, 0},
		{"washer", seedlist.Filter{Washer: "v9 (b1)"}, 1},
		{"all builds of a release", seedlist.Filter{Washer: "v9"}, 1},
		{"another washer", seedlist.Filter{Washer: "v"}, 0},
		{"another build", seedlist.Filter{Washer: "v9 (b2)"}, 0},
		{"the beginning of a build", seedlist.Filter{Washer: "v9 (b"}, 0},
		{"error", seedlist.Filter{Error: "http/status"}, 1},
		{"notice", seedlist.Filter{Notice: "iri/space"}, 1},
		{"notice that is an error", seedlist.Filter{Notice: "http/status"}, 0},
		{"children of what has none", seedlist.Filter{Parent: c.Seed.Hash}, 0},
	} {
		if test.filter.Limit == 0 {
			test.filter.Limit = 700
		}
		seen := map[string]bool{}
		pages := 0
		for more := true; more; pages++ {
			page, next, err := store.List(t.Context(), test.filter)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range page {
				if seen[s.Hash] {
					t.Fatalf("%s: %s twice", test.name, s.URI)
				}
				seen[s.Hash] = true
			}
			test.filter.Cursor, more = next, next != ""
		}
		if len(seen) != test.want {
			t.Errorf("%s: %d seeds in %d pages, want %d", test.name, len(seen), pages, test.want)
		}
	}
	for _, bad := range []seedlist.Filter{{Cursor: "!"}, {State: "nonsense"}, {Parent: "none"}} {
		if _, _, err := store.List(t.Context(), bad); err == nil {
			t.Errorf("%+v was listed", bad)
		}
	}
}

func mistakesOfTheCallerChangeNothing(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/")[0]
	c := Claim(t, store, seedlist.Downloading)
	for _, o := range []seedlist.Outcome{
		{}, {Next: seedlist.Parsed}, {Next: seedlist.Filed, Unchanged: true},
		{Next: seedlist.Filed, Children: Zip("a=1")}, {Next: seedlist.Filed, Clean: &seedlist.Clean{}},
	} {
		if err := store.Complete(t.Context(), c, o); err == nil || errors.Is(err, seedlist.ErrLost) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := store.Complete(t.Context(), seedlist.Claim{}, seedlist.Outcome{Next: seedlist.Filed}); err == nil {
		t.Error("a claim of nothing was completed")
	}
	if err := store.GiveBack(t.Context(), seedlist.Claim{}, seedlist.Return{}); err == nil {
		t.Error("a claim of nothing was given back")
	}
	if _, err := store.Claim(t.Context(), seedlist.Added, "w", 1); err == nil {
		t.Error("a ready state was claimed into")
	}
	if claims, err := store.Claim(t.Context(), seedlist.Downloading, "w", -1); len(claims) > 0 || err != nil {
		t.Errorf("%v, %v", claims, err)
	}
	if _, err := store.Retry(t.Context(), seedlist.Parsed, hash); err == nil {
		t.Error("retried from a final state")
	}
	WantState(t, store, hash, seedlist.Downloading)
	Audit(t, store)
}

func onlyFiltersOfAChildsArchiveAreTheWorkersToSay(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	hash := Add(t, store, "http://example.org/a.zip")[0]
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: []seedlist.Child{
		{Name: "a.nt.gz", Archive: seedlist.Archive{Format: "zip"}, Content: *ContentOf("x")},
	}})
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Unarchived, Update: func(r *seedlist.Record) {
		r.Archive = &seedlist.Archive{Format: "tar", Entry: "another", Filters: []string{"gzip"}}
	}})
	got := Seed(t, store, seedlist.ChildKey(hash, "a.nt.gz", 1)).Archive
	if got == nil || got.Format != "zip" || got.Entry != "a.nt.gz" || len(got.Filters) != 1 {
		t.Errorf("%+v", got)
	}
}

func nothingIsSharedWithTheCaller(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	claims := map[string]string{"a": "1"}
	if _, err := store.Add(t.Context(), []seedlist.NewSeed{{URI: "http://example.org/", Claims: claims}}); err != nil {
		t.Fatal(err)
	}
	hash := seedlist.Key("http://example.org/")
	claims["a"] = "2"
	c := Claim(t, store, seedlist.Downloading)
	c.Seed.Claims["a"] = "3"
	given := &digest.Content{NumberOfBytes: 1}
	var seen *seedlist.Record
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Filed, Update: func(r *seedlist.Record) { r.Content, seen = given, r }})
	given.NumberOfBytes = 2
	seen.Claims["a"] = "4"
	Seed(t, store, hash).Claims["a"] = "5"
	if s := Seed(t, store, hash); s.Claims["a"] != "1" || s.Content.NumberOfBytes != 1 {
		t.Errorf("%v, %d bytes", s.Claims, s.Content.NumberOfBytes)
	}
}
