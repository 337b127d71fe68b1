package files_test

import (
	"errors"
	"io"
	"io/fs"
	"testing"
	"testing/iotest"
	"time"

	"laundromat/internal/files"
)

var _ files.Blobs = (*files.Folder)(nil)

func TestBlobIsTheFileAsItWasOpened(t *testing.T) {
	s := open(t, t.TempDir())
	before := time.Now().Add(-time.Minute)
	if err := s.Commit(t.Context(), sealed(t, s, "a", files.Dirty, "one text")); err != nil {
		t.Fatal(err)
	}
	blob, err := s.Open(hashOf("a"), files.Dirty)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	if err := s.Commit(t.Context(), sealed(t, s, "a", files.Dirty, "another")); err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(files.Sequential(blob), []byte("one text")); err != nil {
		t.Error(err)
	}
	if blob.Size() != 8 || blob.ModTime().Before(before) || blob.ModTime().After(time.Now().Add(time.Minute)) {
		t.Errorf("%d bytes, written at %v", blob.Size(), blob.ModTime())
	}
	if n, err := blob.ReadAt(make([]byte, 5), 4); n != 4 || err != io.EOF {
		t.Errorf("ReadAt over the end: %d bytes, %v", n, err)
	}
}

func TestBlobTellsNoPath(t *testing.T) {
	s := open(t, t.TempDir())
	p := sealed(t, s, "a", files.Dirty, "text")
	early, err := p.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer early.Close()
	if err := s.Commit(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	blob, err := s.Open(hashOf("a"), files.Dirty)
	if err != nil {
		t.Fatal(err)
	}
	defer blob.Close()
	for _, b := range []files.Blob{early, blob} {
		if _, ok := b.(interface{ Name() string }); ok {
			t.Errorf("a %T has a name", b)
		}
	}
}

func TestMissingBlobIsANilInterface(t *testing.T) {
	s := open(t, t.TempDir())
	if blob, err := s.Open(hashOf("a"), files.Dirty); blob != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", blob, err)
	}
	if p, err := s.Again(hashOf("a"), files.Dirty, hashOf("b")); p != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := files.OpenToRead(t.TempDir()).Create(); p != nil || !errors.Is(err, files.ErrReadOnly) {
		t.Errorf("%v, %v", p, err)
	}
}
