package files_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"laundromat/internal/fault"
	"laundromat/internal/files"
)

func open(t testing.TB, dir string) *files.Folder {
	t.Helper()
	s, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func hashOf(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// sealed returns a file that is ready to be committed under the hash of name.
func sealed(t testing.TB, s *files.Folder, name string, suffix files.Suffix, data string) files.Pending {
	t.Helper()
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(p, data); err != nil {
		t.Fatal(err)
	}
	if err := p.Seal(hashOf(name), suffix); err != nil {
		t.Fatal(err)
	}
	return p
}

func read(t testing.TB, s *files.Folder, name string, suffix files.Suffix) string {
	t.Helper()
	file, err := s.Open(hashOf(name), suffix)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := io.ReadAll(files.Sequential(file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// all is what Walk finds.
func all(t testing.TB, s *files.Folder) (found []string) {
	t.Helper()
	err := s.Walk(t.Context(), func(hash string, suffix files.Suffix, size int64) error {
		found = append(found, fmt.Sprintf("%s%s %d", hash, suffix, size))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// temporary counts the files in the folder for temporary ones.
func temporary(t testing.TB, dir string) int {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "blobs", "temp"))
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func TestCommittedFileIsReadUnderItsName(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	for _, suffix := range []files.Suffix{files.Clean, files.Index, files.Statistics, files.Dirty, files.DirtyGzip, files.Notices} {
		p := sealed(t, s, "a", suffix, "content of "+string(suffix))
		if _, err := s.Open(hashOf("a"), suffix); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: before Commit: %v", suffix, err)
		}
		if err := s.Commit(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if got := read(t, s, "a", suffix); got != "content of "+string(suffix) {
			t.Errorf("%s: %q", suffix, got)
		}
		if size, err := s.Size(hashOf("a"), suffix); err != nil || size != p.Size() {
			t.Errorf("%s: size %d, %v", suffix, size, err)
		}
		h := hashOf("a")
		if _, err := os.Stat(filepath.Join(dir, "blobs", h[:2], h[2:4], h+string(suffix))); err != nil {
			t.Error(err)
		}
	}
	if n := temporary(t, dir); n > 0 {
		t.Errorf("%d temporary files", n)
	}
}

func TestFilesAreTheirOwnersAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no modes")
	}
	dir := filepath.Join(t.TempDir(), "new")
	s := open(t, dir)
	if err := s.Commit(t.Context(), sealed(t, s, "a", files.Clean, "x")); err != nil {
		t.Fatal(err)
	}
	sealed(t, s, "b", files.Clean, "x")
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, _ error) error {
		info, err := e.Info()
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %o, %v", path, info.Mode().Perm(), err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestBatchIsCommittedTogether(t *testing.T) {
	for _, n := range []int{1, 3, 50} { // by file and by file system
		dir := t.TempDir()
		s := open(t, dir)
		var pending []files.Pending
		var want []string
		for i := range n {
			name := fmt.Sprint(i)
			pending = append(pending, sealed(t, s, name, files.Dirty, name))
			want = append(want, fmt.Sprintf("%s.dirty %d", hashOf(name), len(name)))
		}
		if err := s.Commit(t.Context(), pending...); err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		if got := all(t, s); !slices.Equal(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
		if n := temporary(t, dir); n > 0 {
			t.Errorf("%d temporary files", n)
		}
	}
}

// A file that was damaged on the disk gives way to the one that is made again, of the same length.
func TestAFileOfOtherBytesIsReplaced(t *testing.T) {
	tests := []struct {
		suffix           files.Suffix
		old, new, result string
	}{
		{files.Clean, "one", "one", "one"},
		{files.Clean, "one", "two", "two"},
		{files.Index, "one", "two", "two"},
		{files.Clean, "one", "three", "three"}, // packed in another way, or damaged
		{files.Dirty, "one", "two", "two"},
		{files.DirtyGzip, "one", "two", "two"},
		{files.Notices, "one", "two", "two"},
	}
	for _, test := range tests {
		dir := t.TempDir()
		s := open(t, dir)
		for _, data := range []string{test.old, test.new} {
			if err := s.Commit(t.Context(), sealed(t, s, "a", test.suffix, data)); err != nil {
				t.Fatal(err)
			}
		}
		if got := read(t, s, "a", test.suffix); got != test.result {
			t.Errorf("%s: %q, then %q, gives %q", test.suffix, test.old, test.new, got)
		}
		if n := temporary(t, dir); n > 0 {
			t.Errorf("%s: %d temporary files", test.suffix, n)
		}
	}
}

func TestManyCommitTheSameFileAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			for j := range 20 {
				same := sealed(t, s, "same", files.Clean, "the same")
				own := sealed(t, s, fmt.Sprint(i, j), files.Dirty, "own")
				if err := s.Commit(t.Context(), same, own); err != nil {
					t.Error(err)
				}
				if got := read(t, s, "same", files.Clean); got != "the same" {
					t.Errorf("read %q", got)
				}
			}
		})
	}
	wait.Wait()
	if n := len(all(t, s)); n != 1+16*20 {
		t.Errorf("%d files", n)
	}
	if n := temporary(t, dir); n > 0 {
		t.Errorf("%d temporary files", n)
	}
}

func TestAbortedFileLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	p.Abort()
	p.Abort()
	q := sealed(t, s, "a", files.Clean, "x")
	q.Abort()
	if err := s.Commit(t.Context(), q); err == nil {
		t.Error("an aborted file was committed")
	}
	if n := temporary(t, dir) + len(all(t, s)); n > 0 {
		t.Errorf("%d files", n)
	}
}

func TestFileGoesItsWayOnce(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), p); err == nil {
		t.Error("committed before it was sealed")
	}
	for _, bad := range []string{"", "../../../../../../etc/passwd0000", strings.Repeat("A", 32), strings.Repeat("0", 33)} {
		if err := p.Seal(bad, files.Clean); err == nil {
			t.Errorf("%q was taken for a hash", bad)
		}
	}
	if err := p.Seal(hashOf("a"), "/../x"); err == nil {
		t.Error("any suffix was taken")
	}
	if err := p.Seal(hashOf("a"), files.Clean); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Write([]byte("x")); err == nil {
		t.Error("written after it was sealed")
	}
	if err := p.Seal(hashOf("a"), files.Clean); err == nil {
		t.Error("sealed twice")
	}
	if err := open(t, t.TempDir()).Commit(t.Context(), p); err == nil {
		t.Error("committed to another store")
	}
	if err := s.Commit(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	p.Abort()
	if err := s.Commit(t.Context(), p); err == nil {
		t.Error("committed twice")
	}
	if len(all(t, s)) != 1 {
		t.Error("the file is gone")
	}
}

func TestRemovedFileIsGone(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.Commit(t.Context(), sealed(t, s, "a", files.Clean, "x")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Remove(hashOf("a"), files.Clean); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Size(hashOf("a"), files.Clean); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestFullDiskIsThisMachinesTrouble(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	s := open(t, dir)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	files.WriteTo(p, full)
	if _, err = p.Write([]byte("x")); fault.KindOf(err) != fault.Local || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Write: %v", err)
	}
	if err := p.Seal(hashOf("a"), files.Clean); fault.KindOf(err) != fault.Local || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Seal: %v", err)
	}
	if err := s.Commit(t.Context(), p); err == nil {
		t.Error("committed what was not written")
	}
	p.Abort()
	if n := temporary(t, dir) + len(all(t, s)); n > 0 {
		t.Errorf("%d files are left", n)
	}
}

func TestShortFileIsNotSealed(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	p, err := s.Create()
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(p, "lost")
	other, err := os.Create(filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	files.WriteTo(p, other)
	if err := p.Seal(hashOf("a"), files.Clean); fault.KindOf(err) != fault.Local {
		t.Errorf("error %v", err)
	}
	p.Abort()
}

func TestTroubleOfOneCommitIsNotTheOthers(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	h := hashOf("bad")
	if err := os.MkdirAll(filepath.Join(dir, "blobs", h[:2], h[2:4], h+".dirty"), 0o700); err != nil {
		t.Fatal(err) // a folder is where the file must go
	}
	var good, bad error
	release := s.Hold()
	var wait sync.WaitGroup
	goodFile, badFile := sealed(t, s, "good", files.Dirty, "x"), sealed(t, s, "bad", files.Dirty, "x")
	wait.Go(func() { good = s.Commit(t.Context(), goodFile) })
	wait.Go(func() { bad = s.Commit(t.Context(), badFile) })
	for s.Waiting() < 2 {
		runtime.Gosched()
	}
	release()
	wait.Wait()
	if good != nil {
		t.Error(good)
	}
	if fault.KindOf(bad) != fault.Local {
		t.Errorf("error %v", bad)
	}
	if read(t, s, "good", files.Dirty) != "x" || temporary(t, dir) > 0 {
		t.Error("the good one is not as it should be")
	}
}

func TestCommitThatWaitsCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		s, err := files.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		release := s.Hold()
		ctx, cancel := context.WithCancel(t.Context())
		given, stays := sealed(t, s, "given up", files.Clean, "x"), sealed(t, s, "stays", files.Clean, "x")
		cancelled, committed := make(chan error, 1), make(chan error, 1)
		go func() { cancelled <- s.Commit(ctx, given) }()
		go func() { committed <- s.Commit(t.Context(), stays) }()
		synctest.Wait()
		cancel()
		if err := <-cancelled; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		release()
		if err := <-committed; err != nil {
			t.Error(err)
		}
		if got := all(t, s); len(got) != 1 || !strings.HasPrefix(got[0], hashOf("stays")) {
			t.Errorf("found %v", got)
		}
		if n := temporary(t, dir); n > 0 {
			t.Errorf("%d temporary files", n)
		}
	})
}

// A crash is a store that is opened again while the old one's files lie there.
func TestCrashAtAnyStepLeavesAWholeFileOrRubbish(t *testing.T) {
	const data = "all of it"
	steps := []struct {
		name string
		do   func(p files.Pending) error
	}{
		{"created", func(p files.Pending) error { return nil }},
		{"half written", func(p files.Pending) error { _, err := p.Write([]byte(data[:4])); return err }},
		{"written", func(p files.Pending) error { _, err := p.Write([]byte(data[4:])); return err }},
		{"sealed", func(p files.Pending) error { return p.Seal(hashOf("a"), files.Clean) }},
		{"durable", files.MakeDurable},
		{"renamed", files.Rename},
	}
	for last := range steps {
		t.Run(steps[last].name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			p, err := s.Create()
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range steps[:last+1] {
				if err := step.do(p); err != nil {
					t.Fatal(err)
				}
			}
			files.Crash(p)

			again := open(t, dir)
			renamed := last == len(steps)-1
			removed, err := again.Sweep(t.Context(), files.SweepOptions{})
			if err != nil || (removed == 0) != renamed {
				t.Errorf("%d files swept, %v", removed, err)
			}
			if n := temporary(t, dir); n > 0 {
				t.Errorf("%d temporary files after the sweep", n)
			}
			if found := all(t, again); len(found) > 0 != renamed {
				t.Errorf("found %v", found)
			}
			if err := again.Commit(t.Context(), sealed(t, again, "a", files.Clean, data)); err != nil {
				t.Fatal(err)
			}
			if got := read(t, again, "a", files.Clean); got != data {
				t.Errorf("read %q", got)
			}
		})
	}
}
