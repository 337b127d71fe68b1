// Package blobtest holds the laws of a store of files, which the tests of each implementation run.
package blobtest

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"laundromat/internal/files"
)

// Opener opens an empty store, which the test closes at its end.
type Opener func(t testing.TB) files.Blobs

// Run holds a store to the laws of [files.Blobs].
func Run(t *testing.T, open Opener) {
	for _, law := range []struct {
		name string
		hold func(*testing.T, files.Blobs)
	}{
		{"a committed file is read under its name", committedFileIsReadUnderItsName},
		{"a file of any length is read from any place", anyLengthIsReadFromAnyPlace},
		{"a file that is not committed is not there", uncommittedFileIsNotThere},
		{"a file is replaced by one of other bytes", fileIsReplacedByOtherBytes},
		{"a missing file is fs.ErrNotExist", missingFileIsErrNotExist},
		{"what is no name is refused", badNamesAreRefused},
		{"a removed file is gone", removedFileIsGone},
		{"a file again is a file of its own", fileAgainIsItsOwn},
		{"files of two fences are apart where the store says so", fencesAreApart},
		{"all files of a hash are removed together", allOfAHashAreRemoved},
		{"files laid aside are taken up again", filesAsideAreTakenUp},
		{"a walk finds every file once, in order", walkFindsEachOnce},
		{"a walk ends with the error of its function", walkEndsWithItsError},
		{"many commit the same file at once", manyCommitTheSame},
		{"a blob is read on many goroutines", blobIsReadOnManyGoroutines},
		{"an open blob never shows bytes of another", openBlobShowsNoOther},
	} {
		t.Run(law.name, func(t *testing.T) { law.hold(t, open(t)) })
	}
}

// HashOf is a hash made of a name.
func HashOf(name string) string {
	sum := md5.Sum([]byte(name))
	return hex.EncodeToString(sum[:])
}

// Sealed returns a file that is ready to be committed under the hash of name.
func Sealed(t testing.TB, store files.Writer, name string, suffix files.Suffix, data []byte) files.Pending {
	t.Helper()
	p, err := store.Create()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := p.Seal(HashOf(name), suffix); err != nil {
		t.Fatal(err)
	}
	return p
}

// Put commits a file.
func Put(t testing.TB, store files.Writer, name string, suffix files.Suffix, data []byte) {
	t.Helper()
	if err := store.Commit(t.Context(), Sealed(t, store, name, suffix, data)); err != nil {
		t.Fatal(err)
	}
}

// Read reads a whole file.
func Read(t testing.TB, store files.Opener, name string, suffix files.Suffix) []byte {
	t.Helper()
	blob, err := store.Open(HashOf(name), suffix)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	data, err := io.ReadAll(files.Sequential(blob))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Bytes are n bytes, the same each time for the same seed.
func Bytes(n int, seed uint64) []byte {
	random, data := rand.New(rand.NewPCG(seed, 0)), make([]byte, n)
	for i := range data {
		data[i] = byte(random.Uint32())
	}
	return data
}

func wantBytes(t testing.TB, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes, which differ from the %d that are wanted", what, len(got), len(want))
	}
}

func wantMissing(t testing.TB, store files.Opener, name string, suffix files.Suffix) {
	t.Helper()
	if blob, err := store.Open(HashOf(name), suffix); !errors.Is(err, fs.ErrNotExist) || blob != nil {
		t.Errorf("%s%s: Open gave %v, %v, want no blob and fs.ErrNotExist", name, suffix, blob, err)
	}
	if size, err := store.Size(HashOf(name), suffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s%s: Size gave %d, %v, want fs.ErrNotExist", name, suffix, size, err)
	}
}

func committedFileIsReadUnderItsName(t *testing.T, store files.Blobs) {
	for i, suffix := range files.Suffixes() {
		data := Bytes(100+i, uint64(i))
		Put(t, store, "a", suffix, data)
		wantBytes(t, string(suffix), Read(t, store, "a", suffix), data)
		if size, err := store.Size(HashOf("a"), suffix); err != nil || size != int64(len(data)) {
			t.Errorf("%s: size %d, %v", suffix, size, err)
		}
	}
	blob, err := store.Open(HashOf("a"), files.Clean)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	if blob.ModTime().IsZero() || blob.Size() != 100 {
		t.Errorf("written %v, %d bytes", blob.ModTime(), blob.Size())
	}
}

func anyLengthIsReadFromAnyPlace(t *testing.T, store files.Blobs) {
	const mega = 1 << 20
	random := rand.New(rand.NewPCG(1, 0))
	for i, n := range []int{0, 1, mega - 1, mega, mega + 1, 6*mega + 17} {
		data, name := Bytes(n, uint64(i)), fmt.Sprint(n)
		Put(t, store, name, files.Dirty, data)
		wantBytes(t, name, Read(t, store, name, files.Dirty), data)
		blob, err := store.Open(HashOf(name), files.Dirty)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			from, piece := random.IntN(n+1), make([]byte, random.IntN(2*mega)+1)
			got, err := blob.ReadAt(piece, int64(from))
			want := data[from:min(n, from+len(piece))]
			if len(want) < len(piece) != errors.Is(err, io.EOF) || err != nil && !errors.Is(err, io.EOF) {
				t.Errorf("%d bytes: %d from %d: %v", n, len(piece), from, err)
			}
			wantBytes(t, name, piece[:got], want)
		}
		blob.Close()
	}
}

func uncommittedFileIsNotThere(t *testing.T, store files.Blobs) {
	p := Sealed(t, store, "a", files.Dirty, []byte("text"))
	wantMissing(t, store, "a", files.Dirty)
	p.Abort()
	if err := store.Commit(t.Context(), p); err == nil {
		t.Error("a file that was given up is committed")
	}
	wantMissing(t, store, "a", files.Dirty)
	open, err := store.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer open.Abort()
	if err := store.Commit(t.Context(), open); err == nil {
		t.Error("a file that is not sealed is committed")
	}
}

func fileIsReplacedByOtherBytes(t *testing.T, store files.Blobs) {
	for _, suffix := range files.Suffixes() {
		for i, n := range []int{1000, 1000, 10, 5000} {
			data := Bytes(n, uint64(i))
			for range 2 {
				Put(t, store, "a", suffix, data)
				wantBytes(t, string(suffix), Read(t, store, "a", suffix), data)
			}
		}
	}
}

func missingFileIsErrNotExist(t *testing.T, store files.Blobs) {
	wantMissing(t, store, "nothing", files.Clean)
	if _, err := store.Again(HashOf("nothing"), files.Dirty, HashOf("b")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Again: %v, want fs.ErrNotExist", err)
	}
	if err := store.Remove(HashOf("nothing"), files.Clean); err != nil {
		t.Errorf("Remove: %v", err)
	}
}

func badNamesAreRefused(t *testing.T, store files.Blobs) {
	for _, row := range []struct {
		hash   string
		suffix files.Suffix
	}{
		{"", files.Clean}, {"../../../../etc/passwd", files.Clean}, {HashOf("a")[:31], files.Clean},
		{files.Key(HashOf("a"), 1), files.Clean}, {files.Key(HashOf("a"), 1), files.Index}, {HashOf("a") + "/0", files.Dirty},
		{HashOf("a") + "/01", files.Dirty}, {HashOf("a") + "/../x", files.Dirty}, {HashOf("a") + "/", files.Dirty},
		{HashOf("a") + "/-1", files.Dirty},
		{"A" + HashOf("a")[1:], files.Clean}, {HashOf("a"), ""}, {HashOf("a"), ".exe"}, {HashOf("a"), "/../x"},
	} {
		if _, err := store.Open(row.hash, row.suffix); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q%q is opened: %v", row.hash, row.suffix, err)
		}
		if _, err := store.Size(row.hash, row.suffix); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q%q has a size: %v", row.hash, row.suffix, err)
		}
		if err := store.Remove(row.hash, row.suffix); err == nil {
			t.Errorf("%q%q is removed", row.hash, row.suffix)
		}
		p, err := store.Create()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Seal(row.hash, row.suffix); err == nil {
			t.Errorf("%q%q is sealed", row.hash, row.suffix)
		}
		p.Abort()
	}
}

func removedFileIsGone(t *testing.T, store files.Blobs) {
	Put(t, store, "a", files.Clean, []byte("text"))
	Put(t, store, "a", files.Index, []byte("index"))
	for range 2 {
		if err := store.Remove(HashOf("a"), files.Clean); err != nil {
			t.Fatal(err)
		}
	}
	wantMissing(t, store, "a", files.Clean)
	wantBytes(t, "the index", Read(t, store, "a", files.Index), []byte("index"))
}

func fileAgainIsItsOwn(t *testing.T, store files.Blobs) {
	data := Bytes(3000, 3)
	Put(t, store, "a", files.Dirty, data)
	p, err := store.Again(HashOf("a"), files.Dirty, HashOf("b"))
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Remove(HashOf("a"), files.Dirty); err != nil {
		t.Fatal(err)
	}
	if err := store.Commit(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	wantBytes(t, "the copy", Read(t, store, "b", files.Dirty), data)
	wantMissing(t, store, "a", files.Dirty)
}

func filesAsideAreTakenUp(t *testing.T, store files.Blobs) {
	batch := store.NewBatch()
	var aside []files.Aside
	for i := range 5 {
		p, err := batch.Create()
		if err != nil {
			t.Fatal(err)
		}
		p.Write(Bytes(10+i, uint64(i)))
		if err := p.Seal(HashOf(fmt.Sprint(i)), files.DirtyGzip); err != nil {
			t.Fatal(err)
		}
		a, err := p.Aside()
		if err != nil {
			t.Fatal(err)
		}
		aside = append(aside, a)
	}
	for _, a := range aside[:4] {
		p, err := batch.Take(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Commit(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	batch.End()
	batch.End()
	for i := range 4 {
		wantBytes(t, fmt.Sprint(i), Read(t, store, fmt.Sprint(i), files.DirtyGzip), Bytes(10+i, uint64(i)))
	}
	wantMissing(t, store, "4", files.DirtyGzip)
}

func walkFindsEachOnce(t *testing.T, store files.Blobs) {
	var want, pending = []string{}, []files.Pending{}
	for i := range 60 {
		name, suffix := fmt.Sprint(i), files.Suffixes()[i%len(files.Suffixes())]
		pending = append(pending, Sealed(t, store, name, suffix, Bytes(i, 0)))
		want = append(want, fmt.Sprint(HashOf(name), suffix, " ", i))
	}
	if err := store.Commit(t.Context(), pending...); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	var got []string
	err := store.Walk(t.Context(), func(hash string, suffix files.Suffix, size int64) error {
		got = append(got, fmt.Sprint(hash, suffix, " ", size))
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\nfound %v\nwant  %v", err, got, want)
	}
}

func walkEndsWithItsError(t *testing.T, store files.Blobs) {
	Put(t, store, "a", files.Clean, []byte("text"))
	Put(t, store, "b", files.Clean, []byte("text"))
	enough, calls := errors.New("enough"), 0
	err := store.Walk(t.Context(), func(string, files.Suffix, int64) error { calls++; return enough })
	if err != enough || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func manyCommitTheSame(t *testing.T, store files.Blobs) {
	data := Bytes(5000, 7)
	var working sync.WaitGroup
	for range 16 {
		p := Sealed(t, store, "a", files.Clean, data)
		working.Go(func() {
			if err := store.Commit(t.Context(), p); err != nil {
				t.Error(err)
			}
		})
	}
	working.Wait()
	wantBytes(t, "the clean file", Read(t, store, "a", files.Clean), data)
}

func blobIsReadOnManyGoroutines(t *testing.T, store files.Blobs) {
	data := Bytes(20<<20, 9)
	Put(t, store, "a", files.Dirty, data)
	blob, err := store.Open(HashOf("a"), files.Dirty)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	var working sync.WaitGroup
	for worker := range 8 {
		working.Go(func() {
			random, piece := rand.New(rand.NewPCG(uint64(worker), 0)), make([]byte, 100_000)
			for range 20 {
				from := random.IntN(len(data) - len(piece))
				if _, err := blob.ReadAt(piece, int64(from)); err != nil || !bytes.Equal(piece, data[from:from+len(piece)]) {
					t.Errorf("from %d: %v, or other bytes", from, err)
				}
			}
		})
	}
	working.Wait()
}

// openBlobShowsNoOther replaces and removes a file while it is read. Who reads it may get an error,
// and never a byte of another file.
func openBlobShowsNoOther(t *testing.T, store files.Blobs) {
	before, after := Bytes(9<<20, 11), Bytes(9<<20, 12)
	Put(t, store, "a", files.Dirty, before)
	blob, err := store.Open(HashOf("a"), files.Dirty)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	Put(t, store, "a", files.Dirty, after)
	for step := range 2 {
		if step == 1 {
			if err := store.Remove(HashOf("a"), files.Dirty); err != nil {
				t.Fatal(err)
			}
		}
		for from := 0; from < len(before); from += 1 << 20 {
			piece := make([]byte, 1000)
			if _, err := blob.ReadAt(piece, int64(from)); err == nil && !bytes.Equal(piece, before[from:from+len(piece)]) {
				t.Errorf("from %d: bytes of another file", from)
			}
		}
	}
}

// putKey commits a file of a key.
func putKey(t testing.TB, store files.Writer, key string, suffix files.Suffix, data []byte) {
	t.Helper()
	p, err := store.Create()
	if err == nil {
		_, err = p.Write(data)
	}
	if err == nil {
		err = p.Seal(key, suffix)
	}
	if err == nil {
		err = store.Commit(t.Context(), p)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func fencesAreApart(t *testing.T, store files.Blobs) {
	keys := []string{HashOf("a"), files.Key(HashOf("a"), 9), files.Key(HashOf("a"), 10)}
	for i, key := range keys {
		putKey(t, store, key, files.Dirty, Bytes(100+i, uint64(i)))
	}
	want := map[string]int64{keys[0]: 100, keys[1]: 101, keys[2]: 102}
	got := map[string]int64{}
	err := store.Walk(t.Context(), func(key string, suffix files.Suffix, size int64) error {
		got[key] = size
		return nil
	})
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
	for i, key := range keys {
		size, err := store.Size(key, files.Dirty)
		if right := int64(100 + i); err != nil || size != right {
			t.Errorf("%s: %d bytes, %v", key, size, err)
		}
	}
}

func allOfAHashAreRemoved(t *testing.T, store files.Blobs) {
	for _, suffix := range files.Suffixes() {
		Put(t, store, "a", suffix, []byte("text"))
	}
	putKey(t, store, files.Key(HashOf("a"), 7), files.Notices, []byte("text"))
	Put(t, store, "b", files.Dirty, []byte("other"))
	for range 2 {
		if err := store.RemoveAll(t.Context(), HashOf("a")); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	err := store.Walk(t.Context(), func(key string, _ files.Suffix, _ int64) error {
		if n++; key != HashOf("b") {
			t.Errorf("%s is left", key)
		}
		return nil
	})
	if err != nil || n != 1 {
		t.Errorf("%d files, %v", n, err)
	}
	if err := store.RemoveAll(t.Context(), "../x"); err == nil {
		t.Error("what is no hash is removed")
	}
}
