package quality_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/quality"
)

// washed is a document with so many statements, of which some are not kept, and its notices.
func washed(read, repaired, dropped int64, notices map[fault.Code]int64) *seedlist.Seed {
	return &seedlist.Seed{Hash: "h", URI: "http://a.example/", Standing: seedlist.Standing{Status: seedlist.Parsed},
		Record: seedlist.Record{
			Processed: time.Unix(1e9, 0), Clean: "c", Format: "Turtle", Notices: notices,
			Statements: &digest.Statements{Read: read, Kept: read - repaired - dropped, Repaired: repaired, Dropped: dropped,
				Written: read - dropped},
		}}
}

func failed(kind fault.Kind, code fault.Code) *seedlist.Seed {
	return &seedlist.Seed{Hash: "h", URI: "http://a.example/", Standing: seedlist.Standing{Status: seedlist.Failed},
		Record: seedlist.Record{Processed: time.Unix(1e9, 0), Error: &seedlist.Error{Kind: kind, Code: code}}}
}

func TestOnlyDocumentsCount(t *testing.T) {
	with := func(change func(*seedlist.Seed)) *seedlist.Seed {
		s := washed(10, 0, 0, nil)
		change(s)
		return s
	}
	for name, test := range map[string]struct {
		seed *seedlist.Seed
		want quality.Sums // of documents by state alone
	}{
		"washed":           {washed(10, 0, 0, nil), quality.Sums{Documents: 1, Clean: 1, Washed: 1, Read: 1}},
		"a clean file":     {with(func(s *seedlist.Seed) { s.Status = seedlist.Cleaned }), quality.Sums{}},
		"an archive":       {with(func(s *seedlist.Seed) { s.Status = seedlist.Depleted }), quality.Sums{}},
		"a relative one":   {with(func(s *seedlist.Seed) { s.Relative = true }), quality.Sums{}},
		"with a fragment":  {with(func(s *seedlist.Seed) { s.Document = "d" }), quality.Sums{}},
		"that is not read": {&seedlist.Seed{Standing: seedlist.Standing{Status: seedlist.Parsed}}, quality.Sums{}},
		"never asked for": {&seedlist.Seed{Hash: "h", Standing: seedlist.Standing{Status: seedlist.Added}},
			quality.Sums{Documents: 1, Waiting: 1}},
		"being asked again": {with(func(s *seedlist.Seed) { s.Status = seedlist.Downloading }), quality.Sums{Documents: 1,
			Clean: 1, Again: 1, Read: 1}},
		"refused": {failed(fault.Refused, "http/status"), quality.Sums{Documents: 1,
			Failed: quality.FailedDocuments{Refused: 1}}},
		"away": {failed(fault.Remote, "transport/dns"), quality.Sums{Documents: 1,
			Failed: quality.FailedDocuments{Remote: 1}}},
		"no data": {failed(fault.Data, "format/not-rdf"), quality.Sums{Documents: 1,
			Failed: quality.FailedDocuments{Data: 1}}},
		"too large":          {failed(fault.Limit, "limit/bytes"), quality.Sums{Documents: 1, Failed: quality.FailedDocuments{Limit: 1}}},
		"by a fault of ours": {failed(fault.Bug, "bug/panic"), quality.Sums{Documents: 1, Failed: quality.FailedDocuments{Other: 1}}},
		"failed, and an older wash is served": {with(func(s *seedlist.Seed) {
			s.Status, s.Error = seedlist.Failed, &seedlist.Error{Kind: fault.Remote}
		}), quality.Sums{Documents: 1, Clean: 1, Read: 1, Failed: quality.FailedDocuments{Remote: 1}}},
	} {
		got := quality.Of(test.seed)
		got.Statements = quality.StatementSums{}
		if got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestNoticesThatServersAndCatalogsAreWrong(t *testing.T) {
	for code, want := range map[fault.Code]quality.ToldWrongly{
		"http/content-type":            {MediaType: 1, Any: 1},
		"http/short-body":              {Length: 1, Any: 1},
		"encoding/declaration-refuted": {Encoding: 1, Any: 1},
		"encoding/disagreement":        {Encoding: 1, Any: 1},
		"claim/media-type":             {MediaType: 1, Catalog: 1, Any: 1},
		"claim/format":                 {MediaType: 1, Catalog: 1, Any: 1},
		"claim/size":                   {Length: 1, Catalog: 1, Any: 1},
		"claim/checksum":               {Catalog: 1, Any: 1},
		"claim/modified":               {Catalog: 1, Any: 1},
		"claim/triples":                {Catalog: 1, Any: 1},
		"iri/space":                    {},
		"encoding/guessed":             {},
	} {
		got := quality.Of(washed(10, 0, 0, map[fault.Code]int64{code: 3}))
		if got.Told != want {
			t.Errorf("%s: %+v, want %+v", code, got.Told, want)
		}
	}
}

func TestDoubtsAreWarningsAboutTermsAtMostOnePerStatement(t *testing.T) {
	for _, test := range []struct {
		code    fault.Code
		n, want int64
	}{
		{"literal/ill-typed", 3, 3}, {"literal/ill-typed", 30, 8}, {"language/unregistered", 2, 2}, {"iri/percent-twice", 1, 1},
		{"literal/non-canonical", 3, 0}, // a note
		{"iri/space", 3, 0},             // a repair: of the syntax
		{"syntax/missing-dot", 3, 0}, {"http/content-type", 1, 0}, {"encoding/guessed", 1, 0}, {"literal/ill-typed", 0, 0},
	} {
		if got := quality.Of(washed(10, 1, 2, map[fault.Code]int64{test.code: test.n})).Doubtful; got != test.want {
			t.Errorf("%d of %s: %d, want %d", test.n, test.code, got, test.want)
		}
	}
}

// Ten hosts, each with one kind of fault, are ranked in this order, which was written down before the first run: the
// worst first.
func TestHostsAreRankedByWhatIsWrongWithThem(t *testing.T) {
	tenth := func(one *seedlist.Seed) (all []*seedlist.Seed) { // one document of ten has the fault
		for range 9 {
			all = append(all, washed(100, 0, 0, nil))
		}
		return append(all, one)
	}
	all := func(one *seedlist.Seed) []*seedlist.Seed { return slices.Repeat([]*seedlist.Seed{one}, 10) }
	planted := []struct {
		host  string
		seeds []*seedlist.Seed
	}{
		{"dead.example", all(failed(fault.Remote, "transport/dns"))},
		{"pages-for-data.example", append(all(failed(fault.Data, "format/not-rdf")), washed(100, 0, 0, nil))},
		{"half-gone.example", append(all(failed(fault.Refused, "http/status")), all(washed(100, 0, 0, nil))...)},
		{"broken-lines.example", all(washed(100, 0, 60, nil))},
		{"mended-lines.example", all(washed(100, 50, 0, map[fault.Code]int64{"iri/space": 50}))},
		{"ill-typed.example", all(washed(100, 0, 0, map[fault.Code]int64{"literal/ill-typed": 90}))},
		{"wrong-media-type.example", append(all(washed(100, 0, 0, map[fault.Code]int64{"http/content-type": 1})),
			all(washed(100, 0, 0, nil))[:3]...)},
		{"one-missing.example", tenth(failed(fault.Refused, "http/status"))},
		{"one-wrong-encoding.example", tenth(washed(100, 0, 0, map[fault.Code]int64{"encoding/declaration-refuted": 1}))},
		{"one-claim.example", append(tenth(washed(100, 0, 0, map[fault.Code]int64{"claim/size": 1})), all(washed(100, 0, 0, nil))...)},
		{"sound.example", all(washed(100, 0, 0, nil))},
	}
	before := -1.0
	for _, host := range planted {
		var sums quality.Sums
		for _, seed := range host.seeds {
			one := quality.Of(seed)
			sums.Add(&one, 1)
		}
		score := sums.Score()
		if score.Score == nil || *score.Score <= before {
			t.Errorf("%s has %v, and the one before it %v: %+v", host.host, score.Score, before, score)
			continue
		}
		before = *score.Score
	}
	if before != 100 {
		t.Errorf("a host without faults has %v", before)
	}
}

func TestScoreIsTheFormulaOfItsParts(t *testing.T) {
	for _, test := range []struct {
		name string
		sums quality.Sums
		want string
	}{
		{"nothing", quality.Sums{}, "none"},
		{"only waiting", quality.Sums{Documents: 3, Waiting: 3}, "none"},
		{"only faults of ours", quality.Sums{Documents: 3, Failed: quality.FailedDocuments{Other: 2, Limit: 1}}, "none"},
		{"all away", quality.Sums{Documents: 3, Failed: quality.FailedDocuments{Remote: 3}}, "0"},
		{"half away", quality.Sums{Washed: 1, Failed: quality.FailedDocuments{Refused: 1}}, "50"},
		{"no statements", quality.Sums{Washed: 1, Read: 1}, "100"},
		{"half kept", quality.Sums{Washed: 1, Read: 1, Statements: quality.StatementSums{Read: 2, Kept: 1, Repaired: 1}}, "75"},
		{"nothing kept", quality.Sums{Washed: 1, Read: 1, Statements: quality.StatementSums{Read: 2, Dropped: 2}}, "50"},
		{"all doubtful", quality.Sums{Washed: 1, Read: 1, Doubtful: 2, Statements: quality.StatementSums{Read: 2, Kept: 2}}, "75"},
		{"all told wrongly", quality.Sums{Washed: 2, Read: 2, Told: quality.ToldWrongly{Any: 2}}, "75"},
		{"records count", quality.Sums{Washed: 1, Read: 1, Records: quality.RecordSums{Read: 4, Kept: 2, Dropped: 2}}, "75"},
		{"limits of ours do not count", quality.Sums{Washed: 1, Read: 1, Failed: quality.FailedDocuments{Limit: 9, Other: 9}}, "100"},
		{"rounded", quality.Sums{Washed: 1, Failed: quality.FailedDocuments{Remote: 2}}, "33.3"},
	} {
		got := "none"
		if score := test.sums.Score(); score.Score != nil {
			got = fmt.Sprint(*score.Score)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestStepsAddUpToWhatIsServed(t *testing.T) {
	day := func(n int64) time.Time { return time.Unix(n*24*60*60, 0) }
	version := func(n int64, clean string, read, repaired, dropped int64) seedlist.Version {
		return seedlist.Version{Washed: day(n), Clean: clean, Read: read, Repaired: repaired, Dropped: dropped}
	}
	tally := func(clean, failed, read, repaired, dropped int64) quality.Tally {
		return quality.Tally{Clean: clean, Failed: failed, Read: read, Repaired: repaired, Dropped: dropped}
	}
	old := seedlist.Version{Washed: day(3), Clean: "o", Written: new(int64(7))}
	at := func(s *seedlist.Seed, n int64) *seedlist.Seed { s.Processed = day(n); return s }
	for name, test := range map[string]struct {
		seed    *seedlist.Seed
		history []seedlist.Version
		want    []quality.Step
	}{
		"never washed": {failed(0, ""), nil, []quality.Step{{11574, quality.Tally{Failed: 1}}}},
		"once": {washed(9, 1, 2, nil), []seedlist.Version{version(5, "a", 9, 1, 2)}, []quality.Step{{5,
			tally(1, 0, 9, 1, 2)}}},
		"of an older program":  {washed(7, 0, 0, nil), []seedlist.Version{old}, []quality.Step{{3, tally(1, 0, 7, 0, 0)}}},
		"bytes without a wash": {washed(0, 0, 0, nil), []seedlist.Version{{Retrieved: day(2)}}, nil},
		"twice": {washed(4, 0, 1, nil), []seedlist.Version{version(5, "a", 9, 1, 2), version(8, "b", 4, 0,
			1)}, []quality.Step{{5, tally(1, 0, 9, 1, 2)}, {8, tally(0, 0, -5, -1, -1)}}},
		"twice on a day": {washed(4, 0, 1, nil), []seedlist.Version{version(5, "a", 9, 1, 2), version(5, "b", 4, 0,
			1)}, []quality.Step{{5, tally(1, 0, 4, 0, 1)}}},
		"again the same": {washed(9, 1, 2, nil), []seedlist.Version{version(5, "a", 9, 1, 2), version(8, "a", 9, 1,
			2)}, []quality.Step{{5, tally(1, 0, 9, 1, 2)}}},
		"washed, then failed": {at(failed(0, ""), 9), []seedlist.Version{version(5, "a", 9, 1, 2)}, []quality.Step{{5,
			tally(1, 0, 9, 1, 2)}, {9, quality.Tally{Failed: 1}}}},
		"failed, washed later?": {at(failed(0, ""), 4), []seedlist.Version{version(5, "a", 9, 1, 2)}, []quality.Step{{4,
			quality.Tally{Failed: 1}}, {5, tally(1, 0, 9, 1, 2)}}},
		"a clean file": {&seedlist.Seed{Hash: "c", Standing: seedlist.Standing{Status: seedlist.Cleaned}},
			[]seedlist.Version{version(5, "a", 9, 1, 2)}, nil},
	} {
		test.seed.History = test.history
		got := quality.Steps(test.seed)
		for i := range got {
			got[i].Turns = quality.Turns{} // see the next test
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}

func TestTurnsAreOnTheirDays(t *testing.T) {
	day := func(n int64) time.Time { return time.Unix(n*24*60*60+60, 0) }
	version := func(n int64, clean string, written int64, c *seedlist.Changes) seedlist.Version {
		return seedlist.Version{Washed: day(n), Clean: clean, Written: &written, Changes: c}
	}
	compared := &seedlist.Changes{From: "b", To: "c", Removed: seedlist.ChangeFile{Count: 4}, Added: seedlist.ChangeFile{Count: 5}}
	seed := washed(9, 1, 2, nil)
	seed.Record.Added, seed.Mended = day(2), day(7)
	seed.History = []seedlist.Version{version(3, "a", 9, nil), version(4, "a", 9, nil), version(5, "b", 6, nil),
		version(8, "c", 7, compared)}
	want := map[int64]quality.Turns{
		2: {Added: 1}, 5: {StatementsRemoved: 3}, 7: {Mended: 1}, 8: {Rewritten: 1, StatementsAdded: 5, StatementsRemoved: 4},
	}
	got := map[int64]quality.Turns{}
	for _, s := range quality.Steps(seed) {
		var again quality.Tally
		if rest := again.Decode(s.Append(nil)); again != s.Tally || len(rest) > 0 {
			t.Errorf("%+v is stored as %+v", s.Tally, again)
		}
		if s.Turns != (quality.Turns{}) {
			got[s.Day] = s.Turns
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	broken := failed(0, "")
	broken.Processed, broken.Broken = day(9), day(6)
	if at := quality.TurnTimes(broken)[quality.Broken]; !at.Equal(day(6)) {
		t.Errorf("broken since %s", at)
	}
}

func TestAgeIsTheMeanOfAllDocuments(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	var sums quality.Sums
	if _, ok := sums.Age(now); ok {
		t.Error("nothing has an age")
	}
	for i := range 10_000 {
		one := washed(1, 0, 0, nil)
		one.Retrieved = now.AddDate(0, 0, -5*(i%3))
		of := quality.Of(one)
		sums.Add(&of, 1)
	}
	if age, ok := sums.Age(now); !ok || age.Round(time.Hour) != 5*24*time.Hour {
		t.Errorf("%s, %v", age, ok)
	}
}

func TestSumsAreStoredWhole(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var sums, got quality.Sums
		for range random.IntN(5) {
			one := quality.Of(washed(random.Int64N(1<<40), 1, 2, map[fault.Code]int64{"claim/size": 1,
				"literal/ill-typed": random.Int64N(9)}))
			one.Dated, one.Days = 1, random.Int64N(1e5)-5e4
			sums.Add(&one, 1)
		}
		rest := got.Decode(append(sums.Append(nil), "rest"...))
		if got != sums || string(rest) != "rest" {
			t.Fatalf("%+v is read as %+v, then %q", sums, got, rest)
		}
		var tally quality.Tally
		want := quality.Tally{Clean: 1, Failed: -2, Read: random.Int64(), Repaired: 4, Dropped: -random.Int64(),
			Turns: quality.Turns{Added: 1, StatementsRemoved: random.Int64()}}
		if rest := tally.Decode(want.Append(nil)); tally != want || len(rest) > 0 {
			t.Fatalf("%+v is read as %+v", want, tally)
		}
		if got.Decode(sums.Append(nil)[:random.IntN(len(sums.Append(nil)))]); got == (quality.Sums{Documents: -1}) {
			t.Fatal("what is cut short ends")
		}
	}
}
