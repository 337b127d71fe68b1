package seedlist_test

import (
	"testing"
	"time"

	"github.com/docker/go-units"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

func dirtyKept(t *testing.T, text string) seedlist.DirtyKept {
	t.Helper()
	kept, err := seedlist.ParseDirtyKept(text, units.RAMInBytes)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

// What is kept is read as it is written, and nothing near to it.
func TestWhatIsKeptIsReadAsItIsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"all": "all", "failed": "failed", "none": "none", "30d": "30d", "1h": "1h", "14d": "2w", "365d": "1y", "48h": "2d", "200G": "200G",
		"1024M": "1G", "1.5K": "1536", "5GiB": "5G",
	} {
		kept := dirtyKept(t, text)
		if got := kept.String(); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{"", "some", "5m", "5s", "0", "0d", "0G", "-1d", "-5G", "500m", "5g", "d", "30 d", "1d12h", "30D",
		"1e3h", "None"} {
		if kept, err := seedlist.ParseDirtyKept(text, units.RAMInBytes); err == nil {
			t.Errorf("%q is read as %s", text, &kept)
		}
	}
}

// Bytes go as it is said, but never those of a last good wash that is not the last, nor those that are needed.
func TestBytesThatAreNeededAreKeptWhateverIsSaid(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	const day = 24 * time.Hour
	seed := func(state seedlist.State, age time.Duration, change func(*seedlist.Seed)) seedlist.Seed {
		s := seedlist.Seed{Hash: "h", URI: "http://e/"}
		s.Status = state
		s.Content = &digest.Content{MD5: "m", SHA256: "s", NumberOfBytes: 7}
		s.Retrieved, s.Processed = now.Add(-age), now.Add(-age)
		if state == seedlist.Parsed {
			s.Clean = "c"
		}
		if change != nil {
			change(&s)
		}
		return s
	}
	fails := func(stage seedlist.State, kind fault.Kind) func(*seedlist.Seed) {
		return func(s *seedlist.Seed) { s.Error = &seedlist.Error{Stage: stage, Kind: kind} }
	}
	held := func(s *seedlist.Seed) { // other bytes came in the place of a good wash, and came to nothing
		s.Previous = "c0"
		s.Good = &seedlist.Good{Reading: seedlist.Record{Content: &digest.Content{MD5: "m0", NumberOfBytes: 9}}}
		s.Fences.Dirty = 4
		s.Error = &seedlist.Error{Stage: seedlist.Guessing, Kind: fault.Data}
	}
	for name, c := range map[string]struct {
		kept string
		seed seedlist.Seed
		goes bool
	}{
		"all keeps all":         {"all", seed(seedlist.Parsed, 900*day, nil), false},
		"none: washed":          {"none", seed(seedlist.Parsed, 0, nil), true},
		"none: unpacked":        {"none", seed(seedlist.Depleted, 0, nil), true},
		"none: failed, no data": {"none", seed(seedlist.Failed, 0, fails(seedlist.Guessing, fault.Data)), true},
		"none: waits":           {"none", seed(seedlist.Filed, 0, nil), false},
		"none: at work":         {"none", seed(seedlist.Parsing, 0, nil), false},
		"none: to be fetched":   {"none", seed(seedlist.Added, 0, nil), false},
		"none: a clean file":    {"none", seed(seedlist.Cleaned, 0, nil), false},
		"none: marked":          {"none", seed(seedlist.Parsed, 0, func(s *seedlist.Seed) { s.Marked = &seedlist.Mark{} }), false},
		"none: gone already": {"none", seed(seedlist.Parsed, 0, func(s *seedlist.Seed) {
			s.Removed.Dirty = &seedlist.Removal{}
		}), false},
		"none: never came": {"none", seed(seedlist.Failed, 0, func(s *seedlist.Seed) { s.Content = nil }), false},
		"none: washed, and 404 since": {"none", seed(seedlist.Failed, 0, func(s *seedlist.Seed) {
			s.Clean = "c"
			fails(seedlist.Downloading, fault.Refused)(s)
		}), false},
		"none: a process died of it":        {"none", seed(seedlist.Failed, 0, fails(seedlist.Parsing, fault.Bug)), false},
		"none: what came since a good wash": {"none", seed(seedlist.Failed, 0, held), true},
		"none: the same bytes, read otherwise": {"none", seed(seedlist.Failed, 0, func(s *seedlist.Seed) {
			held(s)
			s.Fences.Dirty = 0
		}), false},
		"none: a product is of them": {"none", seed(seedlist.Failed, 0, func(s *seedlist.Seed) {
			s.Products = []seedlist.Product{{Name: "records", SHA256: "r", Of: &seedlist.Source{}}}
		}), false},
		"failed: washed":    {"failed", seed(seedlist.Parsed, 0, nil), true},
		"failed: unpacked":  {"failed", seed(seedlist.Depleted, 0, nil), true},
		"failed: failed":    {"failed", seed(seedlist.Failed, 900*day, nil), false},
		"30d: old":          {"30d", seed(seedlist.Parsed, 31*day, nil), true},
		"30d: young":        {"30d", seed(seedlist.Parsed, 29*day, nil), false},
		"30d: to the hour":  {"30d", seed(seedlist.Parsed, 30*day, nil), false},
		"30d: a failure":    {"30d", seed(seedlist.Failed, 31*day, nil), true},
		"30d: a member":     {"30d", seed(seedlist.Parsed, 31*day, func(s *seedlist.Seed) { s.Retrieved = time.Time{} }), true},
		"size: not counted": {"1K", seed(seedlist.Parsed, 31*day, nil), false},
	} {
		kept := seedlist.Retention{Dirty: dirtyKept(t, c.kept)}
		is := c.seed
		trimmed := kept.Trim(&is, now)
		goes := c.seed.Removed.Dirty == nil && is.Removed.Dirty != nil
		if goes != c.goes || trimmed.Dirty != map[bool]int64{true: 1}[goes] || trimmed.DirtyBytes != 7*trimmed.Dirty {
			t.Errorf("%s: %v, %+v", name, goes, trimmed)
		}
		if goes && is.Removed.Dirty.String() != "removed by --keep-dirty "+c.kept+" on 2026-05-01" {
			t.Errorf("%s: %s", name, is.Removed.Dirty)
		}
	}
}

// Of a size the last that came are kept, never more than that.
func TestTheLastBytesThatCameAreKept(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	var seeds []seedlist.Seed
	var ages seedlist.DirtyAges
	for i := range 10 {
		s := seedlist.Seed{Hash: string(rune('a' + i))}
		s.Status, s.Content, s.Retrieved = seedlist.Parsed, &digest.Content{NumberOfBytes: 100}, now.Add(-time.Duration(10-i/2)*time.Hour)
		ages.Add(&s)
		seeds = append(seeds, s)
	}
	for most, want := range map[int64]int64{1: 0, 199: 0, 200: 200, 399: 200, 400: 400, 999: 800, 1000: 1000, 5000: 1000} {
		kept := seedlist.Retention{Dirty: seedlist.DirtyKept{Bytes: most, Before: ages.Before(most)}}
		left := int64(0)
		for _, s := range seeds {
			if kept.Trim(&s, now); s.HasDirty() {
				left += s.Content.NumberOfBytes
			}
		}
		if left != want {
			t.Errorf("%d: %d are left, want %d", most, left, want)
		}
	}
}

// Older versions go by age and by number; that which is served stays.
func TestOlderVersionsGoByAgeAndNumber(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.Add(-time.Duration(days) * 24 * time.Hour) }
	two, none, own := 2, 0, 1
	for name, c := range map[string]struct {
		kept   seedlist.Retention
		own    *int
		served bool // the last version is not what is served
		want   string
	}{
		"all":                      {seedlist.Retention{}, nil, false, "abc"},
		"by age":                   {seedlist.Retention{Versions: seedlist.Age(25 * 24 * time.Hour)}, nil, false, "c"},
		"none is old":              {seedlist.Retention{Versions: seedlist.Age(99 * 24 * time.Hour)}, nil, false, "abc"},
		"all are old":              {seedlist.Retention{Versions: seedlist.Age(time.Hour)}, nil, false, ""},
		"by number":                {seedlist.Retention{Number: &two}, nil, false, "bc"},
		"no number":                {seedlist.Retention{Number: &none}, nil, false, ""},
		"a number of its own":      {seedlist.Retention{Number: &none}, &own, false, "c"},
		"by number and age":        {seedlist.Retention{Number: &two, Versions: seedlist.Age(25 * 24 * time.Hour)}, nil, false, "c"},
		"what is served stays":     {seedlist.Retention{Versions: seedlist.Age(time.Hour)}, nil, true, "c"},
		"what is served, by count": {seedlist.Retention{Number: &none}, nil, true, "c"},
	} {
		s := seedlist.Seed{Hash: "h"}
		s.Status, s.Clean, s.Content, s.KeepVersions = seedlist.Parsed, "d", &digest.Content{MD5: "4"}, c.own
		s.History = []seedlist.Version{
			{Number: 1, MD5: "1", Clean: "a", Kept: true, Seen: ago(40)}, {Number: 2, MD5: "2", Clean: "b", Kept: true, Seen: ago(30)},
			{Number: 3, MD5: "3", Clean: "c", Kept: true, Seen: ago(20)}, {Number: 4, MD5: "4", Clean: "d", Seen: ago(0)},
		}
		want := c.want + "d"
		if c.served {
			s.Status, s.Clean, s.Previous, s.History[3].Clean = seedlist.Failed, "", "c", ""
			s.Good = &seedlist.Good{Version: 3}
			want = c.want
		}
		trimmed := c.kept.Trim(&s, now)
		got := ""
		for _, hash := range s.Cleans() {
			got += hash
		}
		gone := int64(len("abc") - len(c.want)) // what is served is none of the older ones
		if got != want || trimmed.Versions != gone {
			t.Errorf("%s: %s are left, want %s; %+v", name, got, want, trimmed)
		}
	}
}
