package daemon_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/digest"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/internal/files/blobtest"
	"laundromat/internal/files/bucket"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/postgres"
	"laundromat/seedlist/postgres/pgtest"
	"laundromat/states/daemon"
)

// anyList is embedded under a name that is none of its methods.
type anyList = seedlist.List

// claiming is a list that remembers what was claimed.
type claiming struct {
	anyList
	mu     sync.Mutex
	claims []seedlist.Claim
	isOver bool // nothing more is claimed
}

func (c *claiming) Wait(ctx context.Context, stage seedlist.State) error {
	c.mu.Lock()
	isOver := c.isOver
	c.mu.Unlock()
	if isOver {
		<-ctx.Done()
		return ctx.Err()
	}
	return c.anyList.Wait(ctx, stage)
}

func (c *claiming) Claim(ctx context.Context, stage seedlist.State, worker string, limit int) ([]seedlist.Claim, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isOver {
		return nil, nil
	}
	claims, err := c.anyList.Claim(ctx, stage, worker, limit)
	c.claims = append(c.claims, claims...)
	return claims, err
}

// lose takes from the worker what it holds, and gives it nothing more.
func (c *claiming) lose(t *testing.T) (lost int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isOver = true
	for _, claim := range c.claims {
		switch err := c.GiveBack(t.Context(), claim, seedlist.Return{}); {
		case err == nil:
			lost++
		case !errors.Is(err, seedlist.ErrLost):
			t.Error(err)
		}
	}
	return lost
}

// late is a store in which the first commit that is chosen waits for what others do.
type late struct {
	files.Blobs
	isChosen func([]files.Pending) bool
	others   func()
	once     sync.Once
}

func (l *late) Commit(ctx context.Context, pending ...files.Pending) error {
	if l.isChosen(pending) {
		l.once.Do(l.others)
	}
	return l.Blobs.Commit(ctx, pending...)
}

// storesToShare opens lists that several workers share; nil where there is none of the kind.
var storesToShare = map[string]func(t *testing.T, options seedlist.Options) seedlist.List{
	"memory": func(_ *testing.T, options seedlist.Options) seedlist.List { return memory.New(options) },
	"bolt": func(t *testing.T, options seedlist.Options) seedlist.List {
		list, err := bolt.Open(filepath.Join(t.TempDir(), "seeds.db"), options)
		if err != nil {
			t.Fatal(err)
		}
		return list
	},
	"postgres": func(t *testing.T, options seedlist.Options) seedlist.List {
		list, err := postgres.Open(t.Context(), pgtest.ForTest(t, false).Address, options)
		if err != nil {
			t.Fatal(err)
		}
		return list
	},
}

// Two workers write the files of one seed. The one that has lost its claim writes last, and what the other wrote
// stays as it is.
func TestALateWriterDoesNotReplaceFiles(t *testing.T) {
	document := func(version string) []byte {
		return []byte("<http://e.org/" + version + "> <http://e.org/p> \"" + version + "\" .\n<http://e.org/a b> nonsense " + version +
			"\n")
	}
	isOwn := func(pending []files.Pending) bool { return true }
	isEntries := func(pending []files.Pending) bool {
		return files.HashOf(pending[0].Hash()) != files.HashOf(pending[len(pending)-1].Hash())
	}
	for kind, open := range storesToShare {
		t.Run(kind+", a document", func(t *testing.T) {
			lateWriter(t, open, "/doc.nt", document, isOwn)
		})
		t.Run(kind+", an archive", func(t *testing.T) {
			lateWriter(t, open, "/all.zip", func(version string) []byte {
				var packed bytes.Buffer
				w := zip.NewWriter(&packed)
				for _, name := range []string{"one.nt", "two.nt"} {
					entry, err := w.Create(name)
					if err != nil {
						t.Fatal(err)
					}
					entry.Write(document(name + version))
				}
				w.Close()
				return packed.Bytes()
			}, isEntries)
		})
	}
}

func lateWriter(t *testing.T, open func(*testing.T, seedlist.Options) seedlist.List, path string, document func(string) []byte,
	isChosen func([]files.Pending) bool) {
	w := newWorld(t, seedlist.Options{})
	server := blobtest.Server(t, "laundry")
	at, err := bucket.ParseAddress("s3://laundry/one?endpoint=" + server.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	list := open(t, seedlist.Options{HostDelay: -1, HostConnections: 16, Interval: -1})
	t.Cleanup(func() { list.Close() })
	store := func() *bucket.Bucket {
		b, err := bucket.Open(t.Context(), at, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
	run := func(list seedlist.List, blobs files.Blobs) {
		t.Helper()
		fetcher := fetch.New(w.fetch)
		defer fetcher.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := daemon.NewRunner(list, blobs, fetcher, zerolog.New(&w.log), w.opt).Run(ctx, ctx); err != nil || ctx.Err() != nil {
			t.Fatal(err, ctx.Err(), w.log.String())
		}
	}
	again := func() {
		if answers, err := list.WashAgain(t.Context(), seedlist.Again{Asked: seedlist.Force, To: seedlist.Added, Entries: true},
			seedlist.Key(w.uri(path))); err != nil || answers[0].Err != nil {
			t.Fatal(err, answers)
		}
	}

	here := w.page(path, document("first"))
	if answers, err := list.Add(t.Context(), []seedlist.NewSeed{{URI: w.uri(path)}}); err != nil || answers[0].Err != nil {
		t.Fatal(err, answers)
	}
	winner := store()
	run(list, winner)
	here.set(200, document("second"))
	again()
	loser, isLost := &claiming{anyList: list}, false
	run(loser, &late{Blobs: store(), isChosen: isChosen, others: func() {
		isLost = loser.lose(t) > 0
		here.set(200, document("third"))
		run(list, winner)
		again()
		run(list, winner)
	}})
	if !isLost {
		t.Fatal("no claim was lost")
	}

	seed, err := list.Seed(t.Context(), seedlist.Key(w.uri(path)))
	if err != nil {
		t.Fatal(err)
	}
	hasher := digest.NewHasher()
	hasher.Write(document("third"))
	if seed.Content.MD5 != hasher.Content().MD5 {
		t.Errorf("the record is of %s, not of the third version", seed.Content.MD5)
	}
	if seed.Fences.Dirty == 0 {
		t.Error("the record does not say who wrote its bytes")
	}
	strays := wantWhole(t, list, winner)
	if strays == 0 {
		t.Error("the loser wrote nothing")
	}
	leftovers := func() daemon.Leftovers {
		left, err := daemon.RemoveLeftovers(t.Context(), list, winner, daemon.LeftoverOptions{Before: time.Now().Add(time.Hour)},
			func(daemon.Leftover) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	if left := leftovers(); left.Files != 0 || left.Young != strays {
		t.Errorf("of %d files that no record names, none a day old, %d are removed", strays, left.Files)
	}
	if server.Buckets == "" {
		t.Skip("the age of a file of this store can't be changed")
	}
	age(t, server.Buckets, 25*time.Hour)
	if left := leftovers(); left.Files != strays || left.Young != 0 {
		t.Errorf("of %d files that no record names and are a day old, %d are removed", strays, left.Files)
	}
	if strays := wantWhole(t, list, winner); strays != 0 {
		t.Errorf("%d files that no record names", strays)
	}
}

// wantWhole holds a list against its files, and returns how many files no record names.
func wantWhole(t *testing.T, list seedlist.List, blobs files.Blobs) (strays int64) {
	t.Helper()
	sums, err := daemon.Verify(t.Context(), list, blobs, func(d daemon.Damage) error {
		if !d.Stray {
			t.Errorf("%s %s: %s", d.Hash, d.File, d.Problem)
		}
		return nil
	})
	if err != nil || sums.Files == 0 {
		t.Errorf("%+v, %v", sums, err)
	}
	return sums.Strays
}

// age makes all files of a folder so much older.
func age(t *testing.T, dir string, by time.Duration) {
	t.Helper()
	old := time.Now().Add(-by)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			err = os.Chtimes(path, old, old)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// unfenced is a bucket as a version before fences wrote it.
type unfenced struct{ files.Blobs }

func (unfenced) Fenced() bool { return false }

// What an older version wrote into a bucket is read under its names. What is written in its place has new ones.
func TestABucketOfAnOlderVersionIsReadAndGetsNewNames(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	server := blobtest.Server(t, "laundry")
	at, err := bucket.ParseAddress("s3://laundry?endpoint=" + server.Endpoint)
	if err != nil {
		t.Fatal(err)
	}
	store, err := bucket.Open(t.Context(), at, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	run := func(blobs files.Blobs) {
		t.Helper()
		fetcher := fetch.New(w.fetch)
		defer fetcher.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := daemon.NewRunner(w.seeds, blobs, fetcher, zerolog.New(&w.log), w.opt).Run(ctx, ctx); err != nil || ctx.Err() != nil {
			t.Fatal(err, ctx.Err(), w.log.String())
		}
	}
	fenced := func() (n int) {
		err := store.Walk(t.Context(), func(key string, suffix files.Suffix, _ int64) error {
			if key != files.HashOf(key) {
				n++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	here := w.page("/doc.nt", []byte(nt("one")+"nonsense\n"))
	w.add("/doc.nt")
	run(unfenced{store})
	sweep := func() {
		if err := daemon.SweepOrphans(t.Context(), w.seeds, store); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	if seed := w.seed("/doc.nt"); seed.Fences != (seedlist.Fences{}) || fenced() != 0 || wantWhole(t, w.seeds, store) != 0 {
		t.Errorf("%+v, %d files with a fence", seed.Fences, fenced())
	}
	here.set(200, []byte(nt("three")+"other nonsense\n"))
	w.retry("/doc.nt")
	run(store)
	sweep()
	seed := w.seed("/doc.nt")
	if f := seed.Fences; f.Dirty == 0 || f.Notices == 0 || f.Changes == 0 || fenced() != 5 {
		t.Errorf("%+v, %d files with a fence", f, fenced())
	}
	if strays := wantWhole(t, w.seeds, store); strays != 0 {
		t.Errorf("%d files of before are left", strays)
	}
}
