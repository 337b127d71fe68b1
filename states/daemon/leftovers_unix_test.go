//go:build unix

package daemon_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states"
	"laundromat/states/daemon"
)

// These variables make the test binary a daemon that kills itself. They say where its data are, whom
// it asks, and at which step of its work it dies, after how many of them.
const (
	dyingIn   = "LAUNDROMAT_TEST_DYING_IN"
	dyingFrom = "LAUNDROMAT_TEST_DYING_FROM"
	dyingAt   = "LAUNDROMAT_TEST_DYING_AT"
)

// killer ends this process as kill -9 does, when a step is taken for the nth time.
type killer struct {
	step string
	n    atomic.Int64 // how often it is still survived
}

func (k *killer) at(step string) {
	if step == k.step && k.n.Add(-1) == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // not one step more
	}
}

// dyingFiles is a store of files on the way to whose calls the process may die.
type dyingFiles struct {
	files.Blobs
	*killer
}

func (d dyingFiles) Create() (files.Pending, error) {
	p, err := d.Blobs.Create()
	d.at("a temporary file is there")
	return p, err
}

func (d dyingFiles) Commit(ctx context.Context, pending ...files.Pending) error {
	d.at("the files are written")
	if d.step == "some of the files are committed" && len(pending) > 1 {
		if err := d.Blobs.Commit(ctx, pending[:len(pending)/2]...); err != nil {
			return err
		}
		pending = pending[len(pending)/2:]
		d.at(d.step)
	}
	err := d.Blobs.Commit(ctx, pending...)
	d.at("the files are committed")
	return err
}

func (d dyingFiles) Remove(hash string, suffix files.Suffix) error {
	d.at("an old file is to be removed")
	err := d.Blobs.Remove(hash, suffix)
	d.at("an old file is removed")
	return err
}

// dyingList is a seed list on the way to whose writes the process may die.
type dyingList struct {
	wholeList
	*killer
}

// wholeList is a name for the list in another: List is one of its methods.
type wholeList = seedlist.List

func (d dyingList) Complete(ctx context.Context, c seedlist.Claim, o seedlist.Outcome) error {
	d.at("a stage is to be written down")
	err := d.wholeList.Complete(ctx, c, o)
	d.at("a stage is written down")
	return err
}

func (d dyingList) CompleteAll(ctx context.Context, c seedlist.Claim, all []seedlist.Outcome) error {
	d.at("all stages are to be written down")
	err := d.wholeList.CompleteAll(ctx, c, all)
	d.at("all stages are written down")
	return err
}

func (d dyingList) FileChildren(ctx context.Context, c seedlist.Claim, children []seedlist.Child,
	update func(*seedlist.Record)) (seedlist.FiledChildren, error) {
	d.at("entries are to be filed")
	ids, err := d.wholeList.FileChildren(ctx, c, children, update)
	d.at("entries are filed")
	return ids, err
}

// TestDieOnTheWay is the daemon that kills itself. It is no test by itself.
func TestDieOnTheWay(t *testing.T) {
	dir := os.Getenv(dyingIn)
	if dir == "" {
		t.Skip("it is run by others")
	}
	step, times, _ := strings.Cut(os.Getenv(dyingAt), ":")
	k := &killer{step: step}
	if n, err := strconv.Atoi(times); err == nil {
		k.n.Store(int64(n))
	}
	seeds, blobs := openLeft(t, dir)
	defer seeds.Close()
	defer blobs.Close()
	ctx := context.Background()
	temp := filepath.Join(dir, "temp")
	if err := errors.Join(os.RemoveAll(temp), os.Mkdir(temp, 0o700)); err != nil {
		t.Fatal(err)
	}
	var all []seedlist.NewSeed
	for _, path := range leftPaths {
		all = append(all, seedlist.NewSeed{URI: os.Getenv(dyingFrom) + path})
	}
	if _, err := seeds.Add(ctx, all); err != nil {
		t.Fatal(err)
	}
	opt := daemon.RunOptions{
		Settings: states.Settings{Settings: format.Settings{Temp: temp}}, Version: "1.0", UntilIdle: true,
		Memory: 256 << 20, EntriesHeld: 10, Retries: daemon.Retries{Tries: 1},
	}
	fetcher := fetch.New(fetch.Options{UserAgent: "Laundromat/test", AllowPrivate: true, IgnoreRobots: true})
	runner := daemon.NewRunner(dyingList{seeds, k}, dyingFiles{blobs, k}, fetcher, zerolog.Nop(), opt)
	if err := runner.Run(ctx, ctx); err != nil {
		t.Fatal(err)
	}
}

// leftPaths are documents, small and long, sound and broken, and an archive of many entries.
var leftPaths = []string{"/a.nt", "/b.nt", "/broken.nt", "/long.nt", "/all.zip", "/none"}

// leftServer answers them; of a later version they say something else.
func leftServer(version *atomic.Int64) http.Handler {
	line := func(n, v int) string {
		return fmt.Sprintf("<http://example.org/%d> <http://example.org/p> \"%d\" .\n", n, v)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := int(version.Load())
		switch r.URL.Path {
		case "/a.nt", "/b.nt":
			fmt.Fprint(w, line(len(r.URL.Path), v))
		case "/broken.nt":
			fmt.Fprint(w, line(1, v), "nonsense\n", line(2, v))
		case "/long.nt":
			for n := range 3000 {
				fmt.Fprint(w, line(n, v))
			}
		case "/all.zip":
			var b bytes.Buffer
			z := zip.NewWriter(&b)
			for n := range 25 {
				entry, _ := z.Create(fmt.Sprintf("%d.nt", n))
				fmt.Fprint(entry, line(n, v))
			}
			z.Close()
			w.Write(b.Bytes())
		default:
			http.NotFound(w, r)
		}
	})
}

func openLeft(t *testing.T, dir string) (*bolt.Store, *files.Folder) {
	t.Helper()
	seeds, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{HostDelay: -1, HostConnections: 8, Interval: -1})
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := files.Open(dir)
	if err != nil {
		seeds.Close()
		t.Fatal(err)
	}
	return seeds, blobs
}

// runsToItsEnd runs the daemon that kills itself; it says whether it did not.
func runsToItsEnd(t *testing.T, dir, server, at string) bool {
	t.Helper()
	command := exec.Command(os.Args[0], "-test.run=^TestDieOnTheWay$")
	command.Env = append(os.Environ(), dyingIn+"="+dir, dyingFrom+"="+server, dyingAt+"="+at)
	out, err := command.CombinedOutput()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return false
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return true
}

// filesBelow are all files below the folder of a store, temporary ones too, with their hashes.
func filesBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(dir, "blobs"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := os.ReadFile(path)
		sum := md5.Sum(body)
		name := d.Name() // without the fence: a kill costs one
		if key, suffix, ok := strings.Cut(name, "."); ok {
			hash, _, _ := strings.Cut(key, "-")
			name = hash + "." + suffix
		}
		for all[name] != "" {
			name += ", another"
		}
		all[name] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A kill may come at any step between the first byte of a file and the removal of the last old one.
// All that it leaves is found and removed, and nothing that a record names.
func TestLeftoversOfAKillAreRemovedAndNothingElse(t *testing.T) {
	version := new(atomic.Int64)
	server := httptest.NewServer(leftServer(version))
	defer server.Close()
	begin := func(t *testing.T, v int64) string {
		dir := t.TempDir()
		if version.Store(1); v == 2 {
			runsToItsEnd(t, dir, server.URL, "")
			fetchAgain(t, dir)
			version.Store(2)
		}
		return dir
	}
	undisturbed := map[int64]map[string]string{}
	for v := range int64(2) {
		dir := begin(t, v+1)
		runsToItsEnd(t, dir, server.URL, "")
		undisturbed[v+1] = settled(t, dir)
	}
	for _, c := range []struct {
		step    string
		version int64
		leaves  bool // one of these kills at least leaves something
	}{
		{"a temporary file is there", 1, true},
		{"the files are written", 1, true},
		{"some of the files are committed", 1, true},
		{"the files are committed", 1, true},
		{"a stage is to be written down", 1, true},
		{"a stage is written down", 1, false},
		{"all stages are to be written down", 1, true},
		{"all stages are written down", 1, false},
		{"entries are to be filed", 1, true},
		{"entries are filed", 1, true},
		{"the files are committed", 2, true},
		{"all stages are written down", 2, true},
		{"an old file is to be removed", 2, true},
		{"an old file is removed", 2, false},
	} {
		t.Run(fmt.Sprintf("%s, version %d", c.step, c.version), func(t *testing.T) {
			kills, left := 0, int64(0)
			for _, n := range []int{1, 6} {
				dir := begin(t, c.version)
				if !runsToItsEnd(t, dir, server.URL, fmt.Sprintf("%s:%d", c.step, n)) {
					kills++
				}
				left += removeLeft(t, dir)
				runsToItsEnd(t, dir, server.URL, "")
				if got := settled(t, dir); !maps.Equal(got, undisturbed[c.version]) {
					t.Errorf("the %dth time: in the end there are %d files, undisturbed %d", n, len(got), len(undisturbed[c.version]))
				}
			}
			if kills == 0 || c.leaves && left == 0 {
				t.Errorf("%d kills left %d files: this holds nothing", kills, left)
			}
		})
	}
}

// settled are the files of a store whose daemon has ended, once those of clean seeds that no document names
// any more are removed.
func settled(t *testing.T, dir string) map[string]string {
	t.Helper()
	seeds, blobs := openLeft(t, dir)
	defer seeds.Close()
	defer blobs.Close()
	if err := daemon.SweepOrphans(t.Context(), seeds, blobs); err != nil {
		t.Fatal(err)
	}
	return filesBelow(t, dir)
}

// fetchAgain lets all seeds with a URI be fetched again.
func fetchAgain(t *testing.T, dir string) {
	t.Helper()
	seeds, blobs := openLeft(t, dir)
	defer seeds.Close()
	defer blobs.Close()
	all, _, err := seeds.List(t.Context(), seedlist.Filter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range all {
		if seed.URI == "" {
			continue
		}
		if _, err := seeds.Retry(t.Context(), "", seed.Hash); err != nil {
			t.Fatal(err)
		}
	}
}

// removeLeft removes what a kill left, and holds that this is all that no record names and nothing else.
func removeLeft(t *testing.T, dir string) int64 {
	t.Helper()
	seeds, blobs := openLeft(t, dir)
	defer seeds.Close()
	defer blobs.Close()
	before := filesBelow(t, dir)
	strays, replaced := map[string]bool{}, int64(0)
	if _, err := daemon.Verify(t.Context(), seeds, blobs, func(d daemon.Damage) error {
		if d.Stray {
			strays[d.Hash+d.File] = true
		} else if replaced++; d.File != string(files.Dirty) {
			t.Errorf("before: %+v", d) // new bytes are there before their record; they are fetched again
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	old := daemon.LeftoverOptions{Before: time.Now().Add(-time.Hour)}
	if sums, err := daemon.RemoveLeftovers(t.Context(), seeds, blobs, old, unexpected(t)); err != nil || sums.Young != int64(len(strays)) {
		t.Errorf("of files that are young: %+v, %v", sums, err)
	}
	dry := daemon.LeftoverOptions{Before: time.Now().Add(time.Minute), DryRun: true}
	foreseen, err := daemon.RemoveLeftovers(t.Context(), seeds, blobs, dry, func(daemon.Leftover) error { return nil })
	if err != nil || !maps.Equal(before, filesBelow(t, dir)) {
		t.Errorf("a dry run changes files: %v", err)
	}
	wet := daemon.LeftoverOptions{Before: dry.Before}
	removed, err := daemon.RemoveLeftovers(t.Context(), seeds, blobs, wet, func(l daemon.Leftover) error {
		if !l.Temporary && !strays[l.Name] {
			t.Errorf("%s was removed, which a record names", l.Name)
		}
		delete(strays, l.Name)
		return nil
	})
	if err != nil || removed != foreseen {
		t.Errorf("removed %+v, foreseen %+v: %v", removed, foreseen, err)
	}
	if len(strays) > 0 {
		t.Errorf("these are left: %v", strays)
	}
	sums, err := daemon.Verify(t.Context(), seeds, blobs, func(d daemon.Damage) error { return nil })
	if err != nil || sums.Strays > 0 || sums.Bad != replaced {
		t.Errorf("after: %+v %v, want %d", sums, err, replaced)
	}
	if after := filesBelow(t, dir); int64(len(before)-len(after)) != removed.Files+removed.Temporary {
		t.Errorf("%d files before, %d after, %+v removed", len(before), len(after), removed)
	}
	return removed.Files + removed.Temporary
}

func unexpected(t *testing.T) func(daemon.Leftover) error {
	return func(l daemon.Leftover) error {
		t.Errorf("%+v was removed", l)
		return nil
	}
}
