package daemon_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// changeFile is what a file of changes says.
func (w *world) changeFile(hash string, suffix files.Suffix) string {
	w.t.Helper()
	file, err := w.files.Open(hash, suffix)
	if err != nil {
		w.t.Fatal(err)
	}
	defer file.Close()
	lines, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		w.t.Fatal(err)
	}
	text, err := io.ReadAll(lines)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(text)
}

var changeSuffixes = []files.Suffix{files.Removed, files.Added, files.Renamed}

// addresses is a document of people with an address that has no name.
func addresses(pairs ...string) []byte {
	text := "@prefix e: <http://e/> .\n"
	for _, pair := range pairs {
		person, street, _ := strings.Cut(pair, " ")
		text += fmt.Sprintf("e:%s e:address [ e:street %q ] .\n", person, street)
	}
	return []byte(text)
}

// TestAWashOfOtherBytesSaysWhatChanged, in files of their own and in the history.
func TestAWashOfOtherBytesSaysWhatChanged(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/a", addresses("ann Oak", "bob Elm"))
	w.add("/a")
	w.run()
	first := w.seed("/a")
	if first.Changes != nil || first.Previous != "" || len(first.History) != 1 || first.History[0].Number != 1 ||
		first.History[0].Washed.IsZero() {
		t.Errorf("%+v", first.Record)
	}
	for _, suffix := range changeSuffixes {
		if w.there(first.Hash, suffix) {
			t.Errorf("%s of the first wash", suffix)
		}
	}
	// The nodes change places, one street and one person.
	p.set(200, addresses("amy Ash", "bob Elm", "ann Yew"))
	w.retry("/a")
	w.run()
	is := w.seed("/a")
	c := is.Changes
	if c == nil || c.From != first.Clean || c.To != is.Clean || c.Removed.Count != 1 || c.Added.Count != 3 || c.Renamed.Count != 1 ||
		c.UnmatchedBefore != 0 || c.UnmatchedAfter != 1 || c.ByName || c.Error != "" {
		t.Fatalf("%+v", c)
	}
	removed, added := w.changeFile(is.Hash, files.Removed), w.changeFile(is.Hash, files.Added)
	if !strings.Contains(removed, `"Oak"`) || strings.Count(added, "\n") != 3 || !strings.Contains(added, `"Yew"`) ||
		int64(len(added)) != c.Added.NumberOfBytes {
		t.Errorf("%s%s", removed, added)
	}
	v := is.History[1]
	if len(is.History) != 2 || v.Number != 2 || v.Changes == nil || v.Changes.Added.Count != 3 || v.Changes.Added.MD5 != "" ||
		is.History[0].Kept || is.Previous != "" {
		t.Errorf("%+v", is.History)
	}
	log := w.attempts(is.Hash)
	if last := log[len(log)-1]; last.Counts["added"] != 3 || last.Counts["removed"] != 1 || last.Counts["renamed"] != 1 ||
		last.Counts["unmatched"] != 1 {
		t.Errorf("%+v", last.Counts)
	}
	if _, err := w.seeds.Seed(t.Context(), first.Clean); !errors.Is(err, seedlist.ErrNotFound) {
		t.Errorf("the clean file of before is still named: %v", err)
	}
	w.sound()

	// Bytes that say the same: nothing changed, and that is said.
	p.set(200, append(addresses("amy Ash", "bob Elm", "ann Yew"), "# the same\n"...))
	w.retry("/a")
	w.run()
	same := w.seed("/a")
	if same.Clean != is.Clean || same.Changes.From != same.Changes.To || same.Changes.Added.Count+same.Changes.Removed.Count != 0 ||
		len(same.History) != 3 || w.changeFile(is.Hash, files.Added) != "" {
		t.Errorf("%+v", same.Changes)
	}
	w.sound()

	// Bytes that can't be washed leave what there was to compare the next with.
	p.set(200, []byte("no data any more, only words that were written for people"))
	w.retry("/a")
	w.run()
	if failed := w.seed("/a"); failed.Status != seedlist.Failed || failed.Previous != same.Clean || !w.there(same.Clean, files.Clean) {
		t.Errorf("%s, %+v", failed.Status, failed.Record)
	}
	w.sound()
	p.set(200, addresses("amy Ash", "bob Elm"))
	w.retry("/a")
	w.run()
	if is = w.seed("/a"); is.Changes.From != same.Clean || is.Changes.Removed.Count != 2 || is.Changes.Added.Count != 0 ||
		is.Previous != "" {
		t.Errorf("%+v", is.Changes)
	}
	w.sound()

	// An archive in its place has no lines that could change.
	p.set(200, zipOf(t, "x.nt", nt("x")))
	w.retry("/a")
	w.run()
	if is = w.seed("/a"); is.Status != seedlist.Depleted || is.Changes != nil || is.Previous == "" || w.there(is.Hash, files.Added) {
		t.Errorf("%s, %+v", is.Status, is.Changes)
	}
	w.sound()
	p.set(200, zipOf(t, "x.nt", nt("x")+nt("y")))
	w.retry("/a")
	w.run()
	if child := w.child("/a", "x.nt"); child.Changes == nil || child.Changes.Added.Count != 1 || len(child.History) != 2 ||
		child.History[1].Retrieved.IsZero() {
		t.Errorf("%+v, %+v", child.Changes, child.History)
	}
	w.sound()
}

// TestOlderVersionsAreKeptAsAsked: so many clean files, by the store's setting or the seed's.
func TestOlderVersionsAreKeptAsAsked(t *testing.T) {
	w := newWorld(t, seedlist.Options{KeepVersions: 2})
	a, b := w.page("/a", []byte(nt("0"))), w.page("/b", []byte(nt("0")))
	w.add("/a")
	none := 0
	if _, err := w.seeds.Add(t.Context(), []seedlist.NewSeed{{URI: w.uri("/b"), KeepVersions: &none}}); err != nil {
		t.Fatal(err)
	}
	w.run()
	var cleans []string
	for i := range 5 {
		text := []byte(nt(fmt.Sprint(i)))
		a.set(200, text)
		b.set(200, text)
		w.retry("/a", "/b")
		w.run()
		cleans = append(cleans, w.seed("/a").Clean)
	}
	kept := func(path string) (numbers []int64) {
		for _, v := range w.seed(path).History {
			if v.Kept {
				numbers = append(numbers, v.Number)
			}
		}
		return numbers
	}
	if got := kept("/a"); !slices.Equal(got, []int64{3, 4}) {
		t.Errorf("kept %v of %+v", got, w.seed("/a").History)
	}
	if got := kept("/b"); got != nil {
		t.Errorf("kept %v", got)
	}
	w.sound()
	for i, clean := range cleans {
		if there := w.there(clean, files.Clean); there != (i >= 2) {
			t.Errorf("version %d is there: %v", i+1, there)
		}
	}
	// What comes back is the file that was kept, not one more; and a version that goes is
	// compared with the one before it.
	a.set(200, []byte(nt("2")))
	w.retry("/a")
	w.run()
	if is := w.seed("/a"); is.Clean != cleans[2] || is.Changes.From != cleans[4] || !slices.Equal(kept("/a"), []int64{3, 4, 5}) {
		t.Errorf("kept %v, %+v", kept("/a"), is.Changes)
	}
	w.sound()
	// All of it goes with the seed.
	if answers, err := w.seeds.Remove(t.Context(), w.seed("/a").Hash, w.seed("/b").Hash); err != nil || answers[0] != nil {
		t.Fatal(answers, err)
	}
	w.sound()
	for _, clean := range cleans {
		if w.there(clean, files.Clean) {
			t.Errorf("%s is left", clean)
		}
	}
}

// TestAMissingFileOfBeforeIsSaid, and costs nothing but the changes.
func TestAMissingFileOfBeforeIsSaid(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	p := w.page("/a", []byte(nt("0")))
	w.add("/a")
	w.run()
	p.set(200, []byte(nt("1")))
	w.retry("/a")
	w.run()
	if err := w.files.Remove(w.seed("/a").Clean, files.Clean); err != nil {
		t.Fatal(err)
	}
	p.set(200, []byte(nt("2")))
	w.retry("/a")
	w.run()
	is := w.seed("/a")
	if is.Status != seedlist.Parsed || is.Changes == nil || is.Changes.Error == "" || w.clean(is) != nt("2") ||
		w.there(is.Hash, files.Added) {
		t.Errorf("%s, %+v", is.Status, is.Changes)
	}
	w.sound()
}
