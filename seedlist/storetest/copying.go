package storetest

import (
	"fmt"
	"testing"
	"time"

	"laundromat/seedlist"
)

// ACopyIsTheList copies a list of many kinds of rows into empty ones, killed after every so many steps.
func ACopyIsTheList(t *testing.T, source seedlist.RowSource, open func() seedlist.RowTarget) {
	hashes := PopulateWithEntries(t, source, 40)
	five := 5.0
	Must[seedlist.HostUse](t)(source.SetHost(t.Context(), "host1.example", func(s *seedlist.HostSettings) {
		s.Paused, s.Delay = true, &five
	}))
	Must[[]error](t)(source.Remove(t.Context(), hashes[3]))
	contexts := putContexts(t, source)
	putRecipes(t, source)
	c := Claim(t, source, seedlist.Downloading)
	if err := source.GiveBack(t.Context(), c, seedlist.Return{CountTry: true, Due: time.Now().Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	for _, some := range []int{1000, 7} {
		target := open()
		for steps := 2; !Copy(t, source, target, some, steps); steps++ {
			if came := Must[*seedlist.Copying](t)(target.Came(t.Context())); came == nil {
				t.Fatal("a copy that was killed has come to nothing")
			}
		}
		if came := Must[*seedlist.Copying](t)(target.Came(t.Context())); came != nil {
			t.Errorf("a copy that was ended has come to %+v", came)
		}
		WantSameRows(t, source, target)
		if a, b := Everything(t, source), Everything(t, target); a != b {
			t.Errorf("the list says\n%s, its copy\n%s", a, b)
		}
		for _, c := range contexts {
			wantContext(t, target, c)
		}
		Audit(t, target)
		workGoesOn(t, target)
	}
}

// Copy copies a list into another, some rows at a time, from where the last copy has come to. After the steps named it
// ends as a process does that is killed; 0: never. It says whether it came to the end.
func Copy(t testing.TB, source seedlist.RowSource, target seedlist.RowTarget, some, steps int) (ended bool) {
	t.Helper()
	if err := target.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	came := Must[*seedlist.Copying](t)(target.Came(t.Context()))
	if came == nil {
		came = &seedlist.Copying{From: "a test", Part: seedlist.PartSeeds}
		if err := target.SetCopying(t.Context(), came); err != nil {
			t.Fatal(err)
		}
	}
	isReached := false
	for _, part := range seedlist.Parts() {
		var at seedlist.Place
		if part == came.Part {
			isReached, at = true, came.At
		}
		for isReached {
			if steps--; steps == 0 {
				return false
			}
			rows := Must[[]seedlist.Row](t)(source.Rows(t.Context(), part, at, some))
			if len(rows) == 0 {
				break
			}
			if err := target.PutRows(t.Context(), part, rows); err != nil {
				t.Fatal(part, err)
			}
			at = rows[len(rows)-1].Place
		}
	}
	if err := target.SetCopying(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return true
}

// WantSameRows holds all rows of two lists against each other.
func WantSameRows(t testing.TB, a, b seedlist.RowSource) {
	t.Helper()
	for _, part := range seedlist.Parts() {
		one := Must[[]seedlist.Row](t)(a.Rows(t.Context(), part, seedlist.Place{}, 1<<20))
		other := Must[[]seedlist.Row](t)(b.Rows(t.Context(), part, seedlist.Place{}, 1<<20))
		if len(one) != len(other) {
			t.Errorf("%s: %d rows, and %d", part, len(one), len(other))
		}
		for i := range min(len(one), len(other)) {
			x := fmt.Sprintf("%+v %s %s", one[i], one[i].Data, one[i].More)
			if y := fmt.Sprintf("%+v %s %s", other[i], other[i].Data, other[i].More); x != y {
				t.Errorf("%s: a row is\n%s, and\n%s", part, x, y)
			}
		}
	}
}

// PopulateWithEntries is [Populate] for a list with an archive that has entries, some of which were washed.
func PopulateWithEntries(t testing.TB, list seedlist.List, documents int) (hashes []string) {
	t.Helper()
	Add(t, list, "http://archive.example/first.zip")
	Complete(t, list, Claim(t, list, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Filed})
	entries := Zip("a.nt=1", "b.nt=2", "c/d.nt=3")
	Complete(t, list, Claim(t, list, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: entries})
	return Populate(t, list, documents)
}

// workGoesOn adds a seed to a copy, and works on all that waits.
func workGoesOn(t *testing.T, list seedlist.List) {
	t.Helper()
	before := Must[seedlist.Counts](t)(list.Counts(t.Context()))
	Add(t, list, "http://new.example/after-the-copy.nt")
	for _, stage := range seedlist.Stages() {
		for {
			claims := Must[[]seedlist.Claim](t)(list.Claim(t.Context(), stage, "worker", 100))
			for _, c := range claims {
				Complete(t, list, c, Usual(c))
			}
			if len(claims) == 0 {
				break
			}
		}
	}
	after := Must[seedlist.Counts](t)(list.Counts(t.Context()))
	if after.States[seedlist.Parsed] <= before.States[seedlist.Parsed] {
		t.Errorf("nothing was washed of a copy: %+v, then %+v", before.States, after.States)
	}
	Audit(t, list)
}

// rowsGoOnAfterTheLast asks for rows after each place.
func rowsGoOnAfterTheLast(t *testing.T, open Opener) {
	list := open(t, seedlist.Options{}).(seedlist.RowSource)
	Add(t, list, "http://example.org/a")
	rows := Must[[]seedlist.Row](t)(list.Rows(t.Context(), seedlist.PartSeeds, seedlist.Place{}, 10))
	if len(rows) != 1 || rows[0].Hash != seedlist.Key("http://example.org/a") {
		t.Errorf("%+v", rows)
	}
	if rows = Must[[]seedlist.Row](t)(list.Rows(t.Context(), seedlist.PartSeeds, rows[0].Place, 10)); len(rows) != 0 {
		t.Errorf("after the last: %+v", rows)
	}
}
