package search

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laundromat/internal/files"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
)

// feed is a list of seeds that tells what changes.
type feed struct {
	mu      sync.Mutex
	seeds   map[uint64]seedlist.Seed
	changes []seedlist.Change
	moved   chan struct{}
}

func newFeed() *feed { return &feed{seeds: map[uint64]seedlist.Seed{}, moved: make(chan struct{})} }

// set makes a seed what it is said to be; one without a hash is removed.
func (f *feed) set(number uint64, seed seedlist.Seed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seeds[number] = seed; seed.Hash == "" {
		delete(f.seeds, number)
	}
	f.changes = append(f.changes, seedlist.Change{Revision: uint64(len(f.changes) + 1), Number: number,
		Time: time.Unix(int64(1e9+len(f.changes)), 0).UTC()})
	close(f.moved)
	f.moved = make(chan struct{})
}

func (f *feed) Revision(context.Context) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return uint64(len(f.changes)), nil
}

func (f *feed) Changes(_ context.Context, after uint64, limit int) ([]seedlist.Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if after > uint64(len(f.changes)) {
		return nil, &seedlist.LateError{}
	}
	return slices.Clone(f.changes[after:min(after+uint64(limit), uint64(len(f.changes)))]), nil
}

func (f *feed) WaitChange(ctx context.Context, after uint64) error {
	for {
		f.mu.Lock()
		n, moved := uint64(len(f.changes)), f.moved
		f.mu.Unlock()
		if n > after {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (f *feed) Numbered(_ context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, number := range numbers {
		if seed, ok := f.seeds[number]; ok {
			all = append(all, seedlist.Numbered{Number: number, Seed: seed})
		}
	}
	return all, nil
}

func (f *feed) NumberedAfter(_ context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for number := after + 1; number <= 10_000 && len(all) < limit; number++ {
		if seed, ok := f.seeds[number]; ok {
			all = append(all, seedlist.Numbered{Number: number, Seed: seed})
		}
	}
	return all, nil
}

func (f *feed) Whole(context.Context, ...uint64) ([]seedlist.Seed, error) {
	return nil, errors.ErrUnsupported
}

func (f *feed) Washed(context.Context, seedlist.Span, time.Time, time.Time) ([]seedlist.Washed, error) {
	return nil, errors.ErrUnsupported
}

// laundry is an index with its list and its files.
type laundry struct {
	*Search
	t      *testing.T
	feed   *feed
	store  *files.Folder
	counts seedfile.Counts
	path   string
	log    func(error)
}

// newLaundry is one whose index may find no fault.
func newLaundry(t *testing.T) *laundry {
	t.Helper()
	return newTellingLaundry(t, func(err error) { t.Error(err) })
}

// newTellingLaundry is one whose index tells log of each fault.
func newTellingLaundry(t *testing.T, log func(error)) *laundry {
	t.Helper()
	store, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	l := &laundry{t: t, feed: newFeed(), store: store, path: filepath.Join(t.TempDir(), "search.db"), log: log}
	l.open()
	return l
}

func (l *laundry) open() {
	l.t.Helper()
	labels := statistics.LabelOptions{Most: 1000, Properties: []string{"http://p.example/nick"}}
	s, err := Open(l.path, l.feed, l.store, Options{Labels: labels, Counts: &l.counts, Log: l.log})
	if err != nil {
		l.t.Fatal(err)
	}
	l.Search = s
	l.t.Cleanup(s.Close)
}

// hash is a key of a number.
func hash(n uint64) string { return fmt.Sprintf("%032x", n) }

// clean stores statements, and gives the key of their file.
func (l *laundry) clean(lines ...string) string {
	l.t.Helper()
	file, err := l.store.Create()
	if err != nil {
		l.t.Fatal(err)
	}
	w := files.NewCleanWriter(file, files.CleanOptions{Level: 1, Workers: 1})
	slices.Sort(lines)
	for _, line := range slices.Compact(lines) {
		if err := w.Line([]byte(line)); err != nil {
			l.t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		l.t.Fatal(err)
	}
	key := w.Content().MD5
	if err := file.Seal(key, files.Clean); err != nil {
		l.t.Fatal(err)
	}
	if err := l.store.Commit(l.t.Context(), file); err != nil {
		l.t.Fatal(err)
	}
	return key
}

func (l *laundry) seed(number uint64, title, clean string, claims map[string]string) {
	seed := seedlist.Seed{Hash: hash(number)}
	seed.Status, seed.Title, seed.Clean, seed.Claims = seedlist.Parsed, title, clean, claims
	l.feed.set(number, seed)
}

// finds says which documents a search names, in their order, and what of them.
func (l *laundry) finds(text, want string) {
	l.t.Helper()
	ctx, end := context.WithTimeout(l.t.Context(), time.Minute)
	defer end()
	if err := l.Wait(ctx); err != nil {
		l.t.Fatal(err)
	}
	r, err := l.Find(ctx, text, 20)
	got := []string{}
	for _, h := range r.Hits {
		got = append(got, fmt.Sprintf("%s %s %d %s", strings.TrimLeft(h.Hash, "0"), h.Field, h.Line, h.Text))
	}
	answer := strings.Join(got, "\n")
	if err != nil {
		answer = err.Error()
	} else if r.Count != len(r.Hits) && !r.IsMore {
		l.t.Errorf("%s: %d hits are counted as %d", text, len(r.Hits), r.Count)
	}
	if answer != want {
		l.t.Errorf("%s:\n%s\nnot\n%s", text, answer, want)
	}
}

const (
	label = " <http://www.w3.org/2000/01/rdf-schema#label> "
	typed = " <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://xmlns.com/foaf/0.1/Person> ."
)

func TestDocumentsAreFoundByTheirWords(t *testing.T) {
	l := newLaundry(t)
	people := l.clean("<http://a.example/1>"+label+`"Anna Züllig"@de .`, "<http://a.example/1>"+label+`"Anna Züllig"@en .`,
		"<http://a.example/1>"+typed,
		"<http://a.example/2>"+label+`"Bo \"the\\nboat\" Li\n2"^^<http://www.w3.org/2001/XMLSchema#string> <http://g.example/> .`,
		`<http://a.example/3> <http://p.example/nick> "東京都庁" .`, `<http://a.example/3> <http://p.example/other> "Unfound" .`)
	l.seed(1, "Boats of the Rhine", "", map[string]string{"publisher": "City of Bonn", "size": "12345", "dataset_title": "Harbours"})
	l.seed(2, "", people, nil)
	l.finds("rhine", "1 title 0 Boats of the Rhine")
	l.finds("BONN", "1 publisher 0 City of Bonn")
	l.finds("harbours", "1 title 0 Harbours")
	l.finds("12345", "")
	l.finds("zullig", "2 label 2 Anna Züllig")
	l.finds("nboat", "2 label 4 Bo \"the\\nboat\" Li\n2")
	l.finds(`"li 2"`, "2 label 4 Bo \"the\\nboat\" Li\n2")
	l.finds(`"the bo"`, "")
	l.finds("京都", "2 label 5 東京都庁")
	l.finds("京市", "")
	l.finds("unfound", "")
	l.finds("person", "2 class 0 http://xmlns.com/foaf/0.1/Person")
	l.finds("http://xmlns.com/foaf/0.1/Person", "2 class 0 http://xmlns.com/foaf/0.1/Person")
	l.finds("harb*", "1 title 0 Harbours")
	l.finds("har*", "a beginning with * has at least 4 letters")
	l.finds("--", "there is no word in it")
}

// What is told of a clean file is believed, so that its file is not opened; what is forgotten is read from the file.
func TestWhatWasCountedIsNotReadAgain(t *testing.T) {
	l := newLaundry(t)
	for n := range 40 {
		told := statistics.Terms{Labels: []statistics.Label{{Property: "p", Text: strings.Repeat("x ", 1<<17), Line: 1}}}
		if n == 39 {
			told = statistics.Terms{Classes: []string{"http://c.example/Boat"}, Labels: []statistics.Label{{Text: "kept", Line: 3}}}
		}
		l.counts.Keep(hash(uint64(1000+n)), &told)
	}
	l.seed(1, "", hash(1039), nil) // there is no such file
	l.finds("kept", "1 label 3 kept")
	l.finds("boat", "1 class 0 http://c.example/Boat")
	if l.counts.Lately(seedfile.Lists, hash(1000)) != nil {
		t.Error("all that was told is held")
	}
	l.seed(2, "", l.clean("<http://a.example/1>"+label+`"read" .`), nil)
	l.finds("read", "2 label 1 read")
}

func TestTheIndexIsWhatTheListIs(t *testing.T) {
	l := newLaundry(t)
	l.seed(1, "one alpha", "", nil)
	l.seed(2, "two alpha", "", nil)
	l.finds("alpha", "1 title 0 one alpha\n2 title 0 two alpha")
	l.seed(1, "one beta", "", nil)
	l.finds("alpha", "2 title 0 two alpha")
	l.finds("beta", "1 title 0 one beta")
	l.feed.set(2, seedlist.Seed{})
	l.finds("alpha", "")
	clean := l.clean("<http://a.example/1>" + label + `"gamma" .`)
	l.seed(3, "", clean, nil)
	l.finds("gamma", "3 label 1 gamma")
	other := seedlist.Seed{Hash: hash(4)}
	other.Status, other.Title = seedlist.Cleaned, "gamma"
	l.feed.set(4, other) // a file, no document
	l.finds("gamma", "3 label 1 gamma")
}

func TestAFileThatCantBeReadHidesNoOther(t *testing.T) {
	told := make(chan error, 10)
	l := newTellingLaundry(t, func(err error) { told <- err })
	broken := l.clean("this is no statement")
	l.seed(1, "still found", broken, nil)
	l.seed(2, "also found", hash(77), nil) // its file is gone
	l.seed(3, "found too", "", nil)
	l.finds("found", "3 title 0 found too\n1 title 0 still found\n2 title 0 also found")
	if err := <-told; !strings.Contains(err.Error(), hash(1)) {
		t.Error(err)
	}
}

func TestADeletedOrBrokenIndexIsMadeAgain(t *testing.T) {
	l := newLaundry(t)
	for n := range uint64(1200) {
		l.seed(n+1, fmt.Sprintf("number %d", n+1), "", nil)
	}
	l.finds("1100", "44c title 0 number 1100")
	for name, spoil := range map[string]func(){
		"deleted": func() {
			for _, end := range []string{"", "-wal", "-shm"} {
				os.Remove(l.path + end)
			}
		},
		"broken": func() { os.WriteFile(l.path, []byte("SQLite format 3\x00 and nothing else"), 0o600) },
		"whole":  func() {},
		"of another list": func() {
			l.feed.mu.Lock()
			for i := range l.feed.changes {
				l.feed.changes[i].Time = l.feed.changes[i].Time.Add(time.Hour)
			}
			l.feed.mu.Unlock()
		},
		"behind": func() { l.seed(1100, "number 9999", "", nil) },
	} {
		l.Search.Close()
		spoil()
		l.open()
		if name == "behind" || l.feed.seeds[1100].Title == "number 9999" {
			l.finds("1100", "")
			l.finds("9999", "44c title 0 number 9999")
		} else {
			l.finds("1100", "44c title 0 number 1100")
		}
	}
}

// Where the file is deleted while it is searched and fed, every search finds what it found before, and says how far the
// list was then; and the file comes again, with what came since.
func TestAnIndexThatIsDeletedUnderLoadAnswersAsBefore(t *testing.T) {
	told := make(chan error, 100)
	l := newTellingLaundry(t, func(err error) { told <- err })
	const stable = 1500
	for n := range uint64(stable) {
		l.seed(n+1, fmt.Sprintf("stable s%d", n+1), "", nil)
	}
	l.finds("s1100", "44c title 0 stable s1100")
	end := make(chan struct{})
	var load sync.WaitGroup
	for searcher := range 4 {
		load.Go(func() {
			last := uint64(0)
			for n := searcher; ; n = (n + 17) % stable {
				select {
				case <-end:
					return
				default:
				}
				ctx, cancel := context.WithCancel(t.Context())
				if searcher == 0 { // who asks goes away
					go cancel()
				}
				r, err := l.Find(ctx, fmt.Sprintf("s%d", n+1), 20)
				cancel()
				switch {
				case errors.Is(err, context.Canceled) && searcher == 0:
				case err != nil || len(r.Hits) != 1 || r.Hits[0].Hash != hash(uint64(n+1)):
					t.Errorf("s%d: %+v, %v", n+1, r, err)
				case r.AsOf.Building || r.AsOf.Revision < last:
					t.Errorf("it has come to %+v, and had come to %d", r.AsOf, last)
				default:
					last = r.AsOf.Revision
				}
			}
		})
	}
	load.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-end:
				return
			case <-time.After(10 * time.Millisecond):
				l.seed(stable+1+uint64(n%50), fmt.Sprintf("fed f%d", n), "", nil)
			}
		}
	})
	for round, ends := range [][]string{{""}, {"", "-wal", "-shm"}, {""}} {
		for _, end := range ends {
			os.Remove(l.path + end)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		for there := false; !there && ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			_, err := os.Stat(l.path)
			there = err == nil
		}
		late := fmt.Sprintf("late l%d", round)
		l.seed(stable+100, late, "", nil)
		if err := l.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		r, err := l.Find(ctx, late, 20)
		if err != nil || len(r.Hits) != 1 {
			t.Errorf("%s: %+v, %v", late, r, err)
		}
		cancel()
	}
	close(end)
	load.Wait()
	if len(told) != 3 {
		t.Errorf("the index told %d times of its file", len(told))
	}
	before, err := l.Sums(t.Context())
	if err != nil || before.Documents < stable {
		t.Errorf("%+v, %v", before, err)
	}
	l.Search.Close()
	l.open() // what is on the disk now
	l.finds("l2", "640 title 0 late l2")
	l.finds("s1100", "44c title 0 stable s1100")
}

func TestWholeTextsComeFirstAndEachDocumentOnce(t *testing.T) {
	l := newLaundry(t)
	l.seed(1, "", l.clean("<http://a.example/1>"+label+`"Bonn" .`,
		"<http://a.example/2>"+label+`"Bonn" .`,
		"<http://a.example/3>"+label+`"the city of Bonn" .`), nil)
	l.seed(2, "", l.clean("<http://b.example/1>"+label+`"in Bonn" .`), nil)
	l.finds("bonn", "1 label 1 Bonn\n2 label 1 in Bonn\n1 label 2 Bonn\n1 label 3 the city of Bonn")
}

func TestLabelsBeyondTheLimitAreCounted(t *testing.T) {
	l := newLaundry(t)
	var lines []string
	for n := range 1500 {
		lines = append(lines, fmt.Sprintf(`<http://a.example/%04d>%s"common x%d" .`, n, label, n))
	}
	l.seed(1, "", l.clean(lines...), nil)
	l.finds("x999", "1 label 1000 common x999")
	l.finds("x1000", "")
	sums, err := l.Sums(t.Context())
	if want := (Sums{Documents: 1, Entries: 1001, Left: 500}); err != nil || sums != want {
		t.Errorf("%+v, %v", sums, err)
	}
	r, err := l.Find(t.Context(), "common", 20)
	if err != nil || len(r.Hits) != 20 || r.Count != 1000 || r.IsMore {
		t.Errorf("%d hits, %d, %v, %v", len(r.Hits), r.Count, r.IsMore, err)
	}
}

// While more changes come than are read at once, the index doesn't fall behind by a pause for each reading.
func TestManyChangesAreTakenTogetherAndEachSeedOnce(t *testing.T) {
	f := newFeed()
	const seeds = maxChanges + maxChanges/2
	for number := range uint64(seeds) {
		f.changes = append(f.changes, seedlist.Change{Revision: number + 1, Number: number + 1, To: seedlist.Added})
	}
	for number := range uint64(seeds) {
		f.changes = append(f.changes, seedlist.Change{Revision: seeds + number + 1, Number: number + 1, To: seedlist.Parsed})
	}
	s := &Search{list: f}
	next, numbers, err := s.changed(t.Context(), standing{})
	if err != nil || len(numbers) != seeds || next.Revision != 2*seeds {
		t.Errorf("%d seeds to revision %d, %v; want %d to %d", len(numbers), next.Revision, err, seeds, 2*seeds)
	}
	for len(f.changes) <= maxReads*maxChanges {
		f.changes = append(f.changes, seedlist.Change{Revision: uint64(len(f.changes)) + 1, Number: 1, To: seedlist.Parsed})
	}
	if next, _, err = s.changed(t.Context(), standing{}); err != nil || next.Revision != maxReads*maxChanges {
		t.Errorf("one step goes to revision %d, %v", next.Revision, err)
	}
}
