package daemon_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/daemon"
)

// conditional serves documents that have an ETag and are "not modified" to who has it; it counts
// the requests that were answered so.
type conditional struct {
	body   map[string][]byte
	spared atomic.Int64 // answered 304
}

func (c *conditional) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, found := c.body[r.URL.Path]
	if !found {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%d"`, len(body)))
	w.Header().Set("Content-Type", "application/n-triples")
	if strings.HasSuffix(r.URL.Path, ".zip") {
		w.Header().Set("Content-Type", "application/zip")
	}
	if r.Header.Get("If-None-Match") != "" {
		c.spared.Add(1)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Write(body)
}

// blobs are the files of the store, by their names without fences: one of each at rest.
func (w *world) blobs() map[string][]byte {
	w.t.Helper()
	all := map[string][]byte{}
	err := w.files.Walk(w.t.Context(), func(hash string, suffix files.Suffix, _ int64) error {
		file, err := w.files.Open(hash, suffix)
		if err != nil {
			return err
		}
		defer file.Close()
		data := make([]byte, file.Size())
		_, err = file.ReadAt(data, 0)
		if name := files.HashOf(hash) + string(suffix); all[name] != nil {
			w.t.Errorf("there are two files %s", name)
		} else {
			all[name] = data
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// path is where the folder keeps a file.
func (w *world) path(name string) string {
	plain := filepath.Join(w.dir, "blobs", name[:2], name[2:4], name)
	if fenced, err := filepath.Glob(plain[:len(plain)-len(name)+32] + "-*" + name[32:]); err == nil && len(fenced) == 1 {
		return fenced[0]
	}
	return plain
}

func (w *world) repair() (sums daemon.Verified, faults []daemon.Damage) {
	w.t.Helper()
	sums, err := daemon.Repair(w.t.Context(), w.seeds, w.files, func(d daemon.Damage) error {
		faults = append(faults, d)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return sums, faults
}

// document is a small one, now and then with a notice or a blank node.
func document(n int) string {
	text := nt(fmt.Sprint("subject", n))
	if n%3 == 0 {
		text += "_:b <http://example.org/p> \"x\" .\n"
	}
	if n%5 == 0 {
		text += fmt.Sprintf("<http://example.org/a b%d> <http://example.org/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", n)
	}
	return text
}

// TestWhatVerifyFindsIsMended washes 900 documents, and loses and damages files of any kind.
func TestWhatVerifyFindsIsMended(t *testing.T) {
	w := newWorld(t, seedlist.Options{Interval: 24 * time.Hour})
	w.fetch.AllowFile = true
	site := &conditional{body: map[string][]byte{}}
	w.mux.Handle("/", site)
	local := t.TempDir()
	var seeds []seedlist.NewSeed
	for n := range 300 {
		path := fmt.Sprintf("/%d.nt", n)
		site.body[path] = []byte(document(n))
		seeds = append(seeds, seedlist.NewSeed{URI: w.uri(path)})
		name := filepath.Join(local, fmt.Sprint(n, ".nt"))
		if err := os.WriteFile(name, []byte(document(1000+n)), 0o600); err != nil {
			t.Fatal(err)
		}
		seeds = append(seeds, seedlist.NewSeed{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()})
	}
	for a := range 10 {
		var entries, inner []string
		for n := range 20 {
			entries = append(entries, fmt.Sprint("e", n, ".nt"), document(2000+30*a+n))
		}
		for n := range 10 {
			inner = append(inner, fmt.Sprint("i", n, ".nt"), document(2000+30*a+20+n))
		}
		entries = append(entries, "long.nt", strings.Repeat(document(5*a), 3000), "inner.zip", string(zipOf(t, inner...)))
		path := fmt.Sprintf("/%d.zip", a)
		site.body[path] = zipOf(t, entries...)
		seeds = append(seeds, seedlist.NewSeed{URI: w.uri(path)})
	}
	if _, err := w.seeds.Add(t.Context(), seeds); err != nil {
		t.Fatal(err)
	}
	w.run()
	w.sound()
	if n := w.counts().States[seedlist.Parsed]; n != 910 {
		t.Fatalf("%d were washed", n)
	}
	before, records := w.blobs(), map[string]seedlist.Seed{}
	attempts := map[string]int{}
	for _, seed := range w.all() {
		records[seed.Hash] = seed
		attempts[seed.Hash] = len(w.attempts(seed.Hash))
	}

	random := rand.New(rand.NewPCG(27, 3))
	names := slices.Sorted(maps.Keys(before))
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:30] {
		if err := os.Remove(w.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names[30:40] {
		data := slices.Clone(before[name])
		head := 0
		if strings.HasSuffix(name, ".gz") {
			head = 12 // a time in there means nothing
		}
		data[head+random.IntN(len(data)-head)] ^= 1 << random.IntN(8)
		if err := os.WriteFile(w.path(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sums, faults := w.repair()
	damaged := map[string]bool{}
	for _, d := range faults {
		damaged[d.Hash+d.File] = true
		if d.Name == "" || d.Seed == "" || !strings.Contains(d.Name, ":") || d.Mending == nil || d.Mending.Err != nil {
			t.Errorf("%+v %+v", d, d.Mending)
		}
	}
	for _, name := range names[:30] {
		if !damaged[name] {
			t.Errorf("%s is missing, and nothing was said", name)
		}
	}
	if sums.Bad < 39 || sums.Marked != sums.Bad { // a bit that fills up the last byte of a gzip member means nothing
		t.Errorf("%+v", sums)
	}
	w.run()
	w.sound()
	if n := site.spared.Load(); n > 0 {
		t.Errorf("%d were asked for on conditions", n)
	}
	after := w.blobs()
	for name, data := range before {
		if !bytes.Equal(after[name], data) && damaged[name] {
			t.Errorf("%s was %d bytes, is %d", name, len(data), len(after[name]))
		}
	}
	for name := range after {
		if before[name] == nil {
			t.Errorf("%s is new", name)
		}
	}
	for _, seed := range w.all() {
		was := records[seed.Hash]
		if seed.Status != was.Status || seed.Clean != was.Clean || seed.Marked != nil || len(seed.History) != len(was.History) ||
			len(w.attempts(seed.Hash)) < attempts[seed.Hash] || !maps.Equal(seed.Notices, was.Notices) {
			t.Errorf("%s %s\n%+v\n%+v", seed.Hash, seed.URI, was.Record, seed.Record)
		}
	}
	if len(w.all()) != len(records) {
		t.Error("there are other records than before")
	}
}

// TestEveryFileIsMendedByItself loses and damages each file of a small store, of each kind.
func TestEveryFileIsMendedByItself(t *testing.T) {
	w := newWorld(t, seedlist.Options{KeepVersions: 1})
	var long strings.Builder
	for n := range 20_000 {
		long.WriteString(nt(fmt.Sprint("line", n)))
	}
	p := w.page("/a.nt", []byte(document(1)))
	w.page("/long.nt", []byte(long.String()))
	w.page("/broken.nt", []byte(document(5)+"broken\n"))
	w.page("/a.zip", zipOf(t, "x.nt", document(10), "in.zip", string(zipOf(t, "long.nt", strings.Repeat(document(3), 2000)))))
	w.add("/a.nt", "/long.nt", "/broken.nt", "/a.zip")
	w.run()
	old := w.seed("/a.nt").Clean
	p.set(200, []byte(document(2)))
	w.retry("/a.nt")
	w.run()
	w.sound()
	before, kinds := w.blobs(), map[files.Suffix]bool{}
	for name, data := range before {
		kinds[files.Suffix(name[32:])] = true
		for _, lose := range []bool{true, false} {
			if name[:32] == old {
				continue // of an older version
			}
			if lose {
				if err := os.Remove(w.path(name)); err != nil {
					t.Fatal(err)
				}
			} else {
				damaged := slices.Clone(data)
				damaged[len(damaged)/2] ^= 0x55
				if err := os.WriteFile(w.path(name), damaged, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if sums, faults := w.repair(); sums.Bad == 0 || sums.Marked != sums.Bad {
				t.Errorf("%s, lost %v: %+v %+v", name, lose, sums, faults)
			}
			w.run()
			if !maps.EqualFunc(before, w.blobs(), bytes.Equal) {
				t.Fatalf("%s, lost %v: the files are others", name, lose)
			}
		}
	}
	if len(kinds) < 7 {
		t.Errorf("only the kinds %v", kinds)
	}
	w.sound()
}

// What can't be made again is said, with the reason, and stays as it is.
func TestWhatCantBeMendedIsSaid(t *testing.T) {
	w := newWorld(t, seedlist.Options{KeepVersions: 1})
	p := w.page("/a.nt", []byte(nt("one")))
	z := w.page("/a.zip", zipOf(t, "stays.nt", nt("stays"), "goes.nt", nt("goes")))
	w.add("/a.nt", "/a.zip")
	w.run()
	old := w.seed("/a.nt").Clean
	goes := seedlist.ChildKey(w.seed("/a.zip").Hash, "goes.nt", 1)
	p.set(200, []byte(nt("two")))
	z.set(200, zipOf(t, "stays.nt", nt("stays")))
	w.retry("/a.nt", "/a.zip")
	w.run()
	w.sound()
	if err := errors.Join(w.files.Remove(old, files.Clean), w.files.Remove(goes, files.Dirty)); err != nil {
		t.Fatal(err)
	}
	sums, faults := w.repair()
	if sums.Bad != 2 || sums.Marked != 0 {
		t.Errorf("%+v", sums)
	}
	for _, d := range faults {
		want, name := seedlist.ErrGone.Error(), w.uri("/a.zip!/goes.nt")
		if d.Hash == old {
			want, name = "it is of an older version, and the bytes that it was washed from are gone", w.uri("/a.nt")
		}
		if d.Mending.Err == nil || d.Mending.Err.Error() != want || d.Name != name {
			t.Errorf("%+v %+v", d, d.Mending)
		}
	}
}

// Files that say what a wash changed are made again as long as both clean files are there.
func TestChangesThatAreLostAreFoundAgain(t *testing.T) {
	for name, keep := range map[string]int{"kept": 1, "not kept": 0} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{KeepVersions: keep})
			p := w.page("/a.nt", []byte(nt("one")))
			w.add("/a.nt")
			w.run()
			p.set(200, []byte(nt("two")))
			w.retry("/a.nt")
			w.run()
			// as the upkeep does some time
			if err := daemon.SweepOrphans(t.Context(), w.seeds, w.files); err != nil {
				t.Fatal(err)
			}
			before, was := w.blobs(), w.seed("/a.nt")
			if err := w.files.Remove(was.Hash, files.Added); err != nil {
				t.Fatal(err)
			}
			if sums, faults := w.repair(); sums.Bad != 1 || sums.Marked != 1 || faults[0].Mending.To != seedlist.Filed {
				t.Fatalf("%+v %+v", sums, faults)
			}
			asked := p.asked
			w.run()
			w.sound()
			if p.asked != asked {
				t.Error("the server was asked")
			}
			is := w.seed("/a.nt")
			if keep == 0 {
				if is.Changes == nil || is.Changes.Error == "" {
					t.Errorf("%+v", is.Changes)
				}
				return
			}
			if *is.Changes != *was.Changes {
				t.Errorf("%+v, was %+v", is.Changes, was.Changes)
			}
			if after := w.blobs(); !maps.EqualFunc(before, after, bytes.Equal) {
				t.Error("the files are others")
			}
		})
	}
}

// A clean file that several documents were washed to is made again, though another that has the
// same bytes would give it.
func TestASharedCleanFileThatIsDamagedIsMended(t *testing.T) {
	for name, isAlone := range map[string]bool{"all of its documents": false, "one of them": true} {
		t.Run(name, func(t *testing.T) { sharedIsMended(t, isAlone) })
	}
}

func sharedIsMended(t *testing.T, isAlone bool) {
	w := newWorld(t, seedlist.Options{})
	w.page("/a.nt", []byte(nt("same")))
	w.page("/b.nt", []byte(nt("same")))
	w.add("/a.nt", "/b.nt")
	w.run()
	name := w.seed("/a.nt").Clean + string(files.Clean)
	before := w.blobs()
	data := slices.Clone(before[name])
	data[len(data)-7] ^= 1
	if err := os.WriteFile(w.path(name), data, 0o600); err != nil {
		t.Fatal(err)
	}
	if isAlone {
		again := seedlist.Again{Asked: seedlist.Repair, To: seedlist.Filed}
		if answers, err := w.seeds.WashAgain(t.Context(), again, w.seed("/a.nt").Hash); err != nil || answers[0].Err != nil {
			t.Fatal(answers, err)
		}
	} else if sums, _ := w.repair(); sums.Bad != 1 || sums.Marked != 1 {
		t.Errorf("%+v", sums)
	}
	w.run()
	w.sound()
	if after := w.blobs(); !maps.EqualFunc(before, after, bytes.Equal) {
		t.Error("the files are others")
	}
}

// Who asks for a fetch whatever the server says gets one, and a wash of whatever came.
func TestAForcedFetchAsksWithoutConditions(t *testing.T) {
	for name, held := range map[string]int{"at once": 0, "one at a time": 1} {
		t.Run(name, func(t *testing.T) { forced(t, held) })
	}
}

func forced(t *testing.T, held int) {
	w := newWorld(t, seedlist.Options{})
	w.opt.EntriesHeld = held
	site := &conditional{body: map[string][]byte{
		"/a.nt": []byte(document(5)), "/a.zip": zipOf(t, "x.nt", document(1), "in.zip", string(zipOf(t, "y.nt", document(2)))),
	}}
	w.mux.Handle("/", site)
	w.add("/a.nt", "/a.zip")
	w.run()
	w.retry("/a.nt", "/a.zip")
	w.run()
	if site.spared.Load() != 2 {
		t.Fatal("a retry is not conditional")
	}
	fences := map[string]uint64{}
	for _, seed := range w.all() {
		fences[seed.Hash] = seed.Fence
	}
	before := w.blobs()
	for asked, to := range map[seedlist.Wish]seedlist.State{seedlist.Force: seedlist.Added, seedlist.Rewash: seedlist.Filed} {
		mender := daemon.NewMender(w.seeds, w.files)
		mendings, err := mender.Again(t.Context(), asked, false, w.seed("/a.nt"), w.seed("/a.zip"))
		if err != nil || mendings[0].Err != nil || mendings[1].Err != nil || mendings[1].To != to {
			t.Fatalf("%+v %v", mendings, err)
		}
		w.run()
		w.sound()
		for _, seed := range w.all() {
			if seed.Status != seedlist.Cleaned && seed.Fence == fences[seed.Hash] {
				t.Errorf("%s: %s was not washed again", asked, seed.Hash)
			}
			fences[seed.Hash] = seed.Fence
		}
		if !maps.EqualFunc(before, w.blobs(), bytes.Equal) {
			t.Errorf("%s: the files are others", asked)
		}
	}
	if site.spared.Load() != 2 {
		t.Error("a forced fetch was conditional")
	}
}

// Stored bytes that are damaged are not washed: nobody would learn that they are others.
func TestDamagedBytesAreNotRewashed(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.page("/a.nt", []byte(nt("one")))
	w.page("/a.zip", zipOf(t, "x.nt", nt("two")))
	w.add("/a.nt", "/a.zip")
	w.run()
	member, err := w.seeds.Seed(t.Context(), seedlist.ChildKey(w.seed("/a.zip").Hash, "x.nt", 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/a.nt", "/a.zip"} {
		name := w.path(w.seed(path).Hash + string(files.Dirty))
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)/2] ^= 4
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	mendings, err := daemon.NewMender(w.seeds, w.files).Again(t.Context(), seedlist.Rewash, false, w.seed("/a.nt"), member)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mendings {
		if !errors.As(m.Err, new(*daemon.NotWholeError)) {
			t.Errorf("%+v", m)
		}
	}
	if s := w.seed("/a.nt"); s.Status != seedlist.Parsed || s.Marked != nil {
		t.Errorf("%+v", s.Standing)
	}
	if _, err := os.Stat(w.path(w.seed("/a.nt").Clean + string(files.Clean))); errors.Is(err, fs.ErrNotExist) {
		t.Error("its clean file is gone")
	}
}
