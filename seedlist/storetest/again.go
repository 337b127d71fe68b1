package storetest

import (
	"slices"
	"testing"
	"time"

	"laundromat/seedlist"
)

// Again asks for one seed to be washed again, and fails if that is refused.
func Again(t testing.TB, store seedlist.List, again seedlist.Again, hash string) (root string) {
	t.Helper()
	answers := Must[[]seedlist.AgainAnswer](t)(store.WashAgain(t.Context(), again, hash))
	if len(answers) != 1 || answers[0].Err != nil {
		t.Fatalf("%s of %s: %+v", again.Asked, hash, answers)
	}
	return answers[0].Root
}

// refused is why a request for one seed is refused; nil if it is not.
func refused(t testing.TB, store seedlist.List, again seedlist.Again, hash string) error {
	t.Helper()
	return Must[[]seedlist.AgainAnswer](t)(store.WashAgain(t.Context(), again, hash))[0].Err
}

var (
	rewash = seedlist.Again{Asked: seedlist.Rewash, To: seedlist.Filed, Entries: true}
	force  = seedlist.Again{Asked: seedlist.Force, To: seedlist.Added, Entries: true}
	repair = seedlist.Again{Asked: seedlist.Repair, To: seedlist.Filed}
)

// wash brings the one seed that is ready from a stage to Parsed, as a plain file.
func wash(t testing.TB, store seedlist.List, from seedlist.State) {
	t.Helper()
	stages := seedlist.Stages()
	for _, stage := range stages[slices.Index(stages, from):] {
		c := Claim(t, store, stage)
		o := Usual(c)
		o.Next = stage.Next()[0]
		Complete(t, store, c, o)
	}
}

// What is washed again from its stored bytes begins with these. What was read is forgotten,
// the clean file and the history stay.
func whatIsRewashedBeginsWithItsStoredBytes(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: time.Hour})
	hash := Add(t, store, "http://example.org/a.nt")[0]
	wash(t, store, seedlist.Downloading)
	before := Seed(t, store, hash)
	if root := Again(t, store, rewash, hash); root != hash {
		t.Errorf("%s begins again", root)
	}
	s := Seed(t, store, hash)
	if s.Status != seedlist.Filed || s.Clean != "" || s.Previous != before.Clean || s.Notices != nil || s.Format != "" ||
		s.Content.SHA256 != before.Content.SHA256 || s.Marked == nil || s.Marked.Asked != seedlist.Rewash || len(s.HTTP) != 1 ||
		s.Retrieved != before.Retrieved {
		t.Errorf("%+v", s)
	}
	if alike := Must[[]seedlist.Seed](t)(store.Alike(t.Context(), s.Content, 1)); len(alike) != 0 {
		t.Error("its wash is taken over by others, though it is not there")
	}
	WantState(t, store, before.Clean, seedlist.Cleaned)
	Audit(t, store)
	Again(t, store, rewash, hash) // waits already: no harm
	wash(t, store, seedlist.Unarchiving)
	after := Seed(t, store, hash)
	if after.Status != seedlist.Parsed || after.Clean != before.Clean || after.Marked != nil || after.Fence != before.Fence+3 ||
		len(after.History) != 1 ||
		after.History[0].Clean != before.Clean || !after.History[0].Washed.After(before.History[0].Washed) {
		t.Errorf("%+v", after)
	}
	if attempts := Must[[]seedlist.Attempt](t)(store.Attempts(t.Context(), hash)); len(attempts) != 7 {
		t.Errorf("%d attempts", len(attempts))
	}
	Audit(t, store)
}

// A mark outlives downloads that fail, and ends when what came is opened.
func aForcedFetchIsForcedUntilBytesCame(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{Interval: time.Hour})
	hash := Add(t, store, "http://example.org/a.nt")[0]
	wash(t, store, seedlist.Downloading)
	Again(t, store, force, hash)
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed})
	if errs, err := store.Retry(t.Context(), "", hash); err != nil || errs[0] != nil {
		t.Fatal(errs, err)
	}
	c := Claim(t, store, seedlist.Downloading)
	if c.Seed.Marked == nil || c.Seed.Marked.Asked != seedlist.Force {
		t.Errorf("%+v", c.Seed.Marked)
	}
	Complete(t, store, c, Usual(c))
	c = Claim(t, store, seedlist.Unarchiving)
	if c.Seed.Marked == nil || !c.Seed.Marked.Entries {
		t.Errorf("who opens it does not learn that its entries are meant: %+v", c.Seed.Marked)
	}
	Complete(t, store, c, Usual(c))
	if s := Seed(t, store, hash); s.Marked != nil || s.Status != seedlist.Unarchived {
		t.Errorf("%+v", s)
	}
	Audit(t, store)
}

// nested fills a list with an archive that holds one entry, and an archive of two.
func nested(t testing.TB, store seedlist.List) (root, plain, inner, first, second string) {
	t.Helper()
	root = Add(t, store, "http://example.org/a.zip")[0]
	c := Claim(t, store, seedlist.Downloading)
	Complete(t, store, c, Usual(c))
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted,
		Children: Zip("plain=1", "inner=2")})
	plain, inner = seedlist.ChildKey(root, "plain", 1), seedlist.ChildKey(root, "inner", 1)
	first, second = seedlist.ChildKey(inner, "first", 1), seedlist.ChildKey(inner, "second", 1)
	endEntries(t, store, inner)
	return root, plain, inner, first, second
}

// endEntries ends all entries that wait to be opened; inner is an archive of two.
func endEntries(t testing.TB, store seedlist.List, inner string) {
	t.Helper()
	for {
		claims := Must[[]seedlist.Claim](t)(store.Claim(t.Context(), seedlist.Unarchiving, "worker", 1))
		if len(claims) == 0 {
			return
		}
		o := seedlist.Outcome{Next: seedlist.Failed}
		if claims[0].Seed.Hash == inner {
			o = seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("first=1", "second=2")}
			for i := range o.Children {
				o.Children[i].Within = claims[0].Seed.Marked
				o.Children[i].Again = o.Children[i].Within != nil && o.Children[i].Within.Entries
			}
		}
		Complete(t, store, claims[0], o)
	}
}

// A member goes back with the archives above it, and nothing else in them does.
func aMarkedMemberIsFiledWithItsArchive(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	root, plain, inner, first, second := nested(t, store)
	if r := Again(t, store, rewash, first); r != root {
		t.Errorf("%s begins again, not the archive", r)
	}
	WantState(t, store, root, seedlist.Filed)
	WantState(t, store, first, seedlist.Failed)
	for hash, want := range map[string]*seedlist.Mark{
		root: {Asked: seedlist.Rewash}, inner: {Asked: seedlist.Rewash}, first: {Asked: seedlist.Rewash, Entries: true}, second: nil,
		plain: nil,
	} {
		if is := Seed(t, store, hash).Marked; (is == nil) != (want == nil) || is != nil && *is != *want {
			t.Errorf("%s: marked %+v, want %+v", hash, is, want)
		}
	}
	Audit(t, store)
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted,
		Children: Zip("plain=1", "inner=2")})
	WantState(t, store, inner, seedlist.Filed)
	WantState(t, store, plain, seedlist.Failed)
	if Seed(t, store, inner).Marked != nil || Seed(t, store, root).Marked != nil {
		t.Error("filed, and still marked")
	}
	c := Claim(t, store, seedlist.Unarchiving)
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("first=1", "second=2")})
	WantState(t, store, first, seedlist.Filed)
	WantState(t, store, second, seedlist.Failed)
	Audit(t, store)
}

// What is asked of an archive is asked of all that is in it. A second member of an archive
// that waits already is marked, too.
func whatIsAskedOfAnArchiveIsAskedOfItsEntries(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	root, plain, inner, first, second := nested(t, store)
	Again(t, store, repair, second)
	Again(t, store, repair, plain)
	Again(t, store, rewash, root)
	c := Claim(t, store, seedlist.Unarchiving)
	if c.Seed.Hash != root || c.Seed.Marked == nil || !c.Seed.Marked.Entries {
		t.Fatalf("%+v", c.Seed.Marked)
	}
	children := Zip("plain=1", "inner=2")
	for i := range children {
		children[i].Within, children[i].Again = c.Seed.Marked, true
	}
	Complete(t, store, c, seedlist.Outcome{Next: seedlist.Depleted, Children: children})
	for _, hash := range []string{plain, inner} {
		if s := Seed(t, store, hash); s.Status != seedlist.Filed || s.Marked == nil || !s.Marked.Entries {
			t.Errorf("%+v %+v", s.Standing, s.Marked)
		}
	}
	fence := Seed(t, store, first).Fence
	endEntries(t, store, inner)
	for _, hash := range []string{plain, inner, first, second} {
		if s := Seed(t, store, hash); s.Marked != nil || !s.Status.IsFinal() {
			t.Errorf("%s: %+v %+v", hash, s.Standing, s.Marked)
		}
	}
	if Seed(t, store, first).Fence == fence {
		t.Error("an entry of an entry was not worked on again")
	}
	Audit(t, store)
}

// What can't be washed again is left as it is, with the reason.
func whatCantBeWashedAgainIsSaid(t *testing.T, open Opener) {
	store := open(t, seedlist.Options{})
	root, plain, inner, first, _ := nested(t, store)
	washed := Add(t, store, "http://example.org/a.nt")[0]
	wash(t, store, seedlist.Downloading)
	clean := Seed(t, store, washed).Clean
	never := Add(t, store, "http://example.org/never", "../relative")
	Complete(t, store, Claim(t, store, seedlist.Downloading), seedlist.Outcome{Next: seedlist.Failed})
	for _, test := range []struct {
		name  string
		again seedlist.Again
		hash  string
		want  error
	}{
		{"nothing", rewash, "00", seedlist.ErrNotFound},
		{"a clean file", rewash, clean, seedlist.ErrClean},
		{"a relative URI", force, never[1], seedlist.ErrNoURI},
		{"never fetched", rewash, never[0], seedlist.ErrNoBytes},
	} {
		dry := test.again
		dry.DryRun = true
		if err := refused(t, store, dry, test.hash); err != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
		if err := refused(t, store, test.again, test.hash); err != test.want {
			t.Errorf("%s: %v, want %v", test.name, err, test.want)
		}
	}
	for _, nonsense := range []seedlist.Again{
		{Asked: seedlist.Rewash, To: seedlist.Added}, {Asked: seedlist.Force, To: seedlist.Filed},
		{Asked: seedlist.Repair, To: seedlist.Guessed}, {Asked: "nonsense"},
	} {
		if _, err := store.WashAgain(t.Context(), nonsense, washed); err == nil {
			t.Errorf("%+v was done", nonsense)
		}
	}

	dry := rewash
	dry.DryRun = true
	before := Seed(t, store, first)
	if r := Again(t, store, dry, first); r != root {
		t.Error(r)
	}
	if after := Seed(t, store, first); after.Marked != nil || after.Fence != before.Fence {
		t.Errorf("a dry run marked it: %+v", after)
	}
	WantState(t, store, root, seedlist.Depleted)

	Again(t, store, force, plain)
	if err := refused(t, store, rewash, plain); err != seedlist.ErrNotAtRest {
		t.Errorf("from the stored bytes, while others are to come: %v", err)
	}
	held := Claim(t, store, seedlist.Downloading)
	if err := refused(t, store, force, inner); err != seedlist.ErrNotAtRest {
		t.Errorf("while its archive is being fetched: %v", err)
	}
	Complete(t, store, held, seedlist.Outcome{Next: seedlist.Filed})
	Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Depleted, Children: Zip("inner=2")})
	if err := refused(t, store, force, plain); err != seedlist.ErrGone {
		t.Errorf("gone: %v", err)
	}
	Audit(t, store)
}

// everyStateCanBeWashedAgainOnlyAsTheDesignSays tries, from every state, the requests that
// heed nothing that is known.
func everyStateCanBeWashedAgainOnlyAsTheDesignSays(t *testing.T, open Opener) {
	for _, again := range []seedlist.Again{rewash, force, repair, {Asked: seedlist.Repair, To: seedlist.Added}} {
		for _, state := range seedlist.States() {
			if state == seedlist.Cleaned {
				continue
			}
			store := open(t, seedlist.Options{})
			hash := Add(t, store, "http://example.org/")[0]
			if state == seedlist.Failed { // with bytes
				c := Claim(t, store, seedlist.Downloading)
				Complete(t, store, c, Usual(c))
				Complete(t, store, Claim(t, store, seedlist.Unarchiving), seedlist.Outcome{Next: seedlist.Failed})
			} else if state != seedlist.Added {
				c := Claim(t, store, seedlist.Downloading)
				if state != seedlist.Downloading {
					Complete(t, store, c, Usual(c))
					driveOn(t, store, state)
				}
			}
			want := state
			isLawful := state == again.To || state.IsEnd()
			if isLawful {
				want = again.To
			}
			if err := refused(t, store, again, hash); (err == nil) != isLawful {
				t.Errorf("%s of %s to %s: %v", again.Asked, state, again.To, err)
			}
			WantState(t, store, hash, want)
			Audit(t, store)
			store.Close()
		}
	}
}

// driveOn brings the one seed that is filed to a state.
func driveOn(t testing.TB, store seedlist.List, to seedlist.State) {
	t.Helper()
	for _, stage := range seedlist.Stages()[1:] {
		if stage.Ready() == to {
			return
		}
		c := Claim(t, store, stage)
		if stage == to {
			return
		}
		o := Usual(c)
		if to == seedlist.Depleted {
			o = seedlist.Outcome{Next: to}
		}
		Complete(t, store, c, o)
		if o.Next == to {
			return
		}
	}
}
