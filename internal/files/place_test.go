package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"laundromat/internal/files"
)

// What is placed outside of the store is the store's file or a copy of it, once. It is
// replaced as a whole when it is another.
func TestFilesArePlacedWhereTheyAreAskedFor(t *testing.T) {
	dir := t.TempDir()
	store, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const hash = "00112233445566778899aabbccddeeff"
	write := func(text string) {
		p, err := store.Create()
		if err != nil {
			t.Fatal(err)
		}
		defer p.Abort()
		p.Write([]byte(text))
		if err := errors.Join(p.Seal(hash, files.Dirty), store.Commit(t.Context(), p)); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	target := filepath.Join(dir, "out", "a", "b+c")
	for _, step := range []struct {
		name            string
		copied, already bool
		change          func()
		want            string
	}{
		{"a link", false, false, func() {}, "one"},
		{"the link again", false, true, func() {}, "one"},
		{"a copy in its place", true, false, func() {}, "one"},
		{"the copy again", true, true, func() {}, "one"},
		{"what somebody wrote into the copy", true, false, func() { os.WriteFile(target, []byte("other"), 0o666) }, "one"},
		{"a new version", true, false, func() { write("second") }, "second"},
		{"a link where something else stood", false, false, func() { os.Remove(target); os.Symlink("/etc/passwd", target) }, "second"},
		{"another version under the link", false, false, func() { write("third") }, "third"},
	} {
		step.change()
		placed, err := store.Place(hash, files.Dirty, target, step.copied)
		if err != nil || placed.Copied != step.copied || placed.Already != step.already || placed.Size != int64(len(step.want)) {
			t.Errorf("%s: %+v %v", step.name, placed, err)
		}
		text, err := os.ReadFile(target)
		if err != nil || string(text) != step.want {
			t.Errorf("%s: %q %v", step.name, text, err)
		}
		if entries, err := os.ReadDir(filepath.Dir(target)); err != nil || len(entries) != 1 {
			t.Errorf("%s: left behind: %v %v", step.name, entries, err)
		}
	}
	if _, err := store.Place("ffffffffffffffffffffffffffffffff", files.Dirty, target, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
