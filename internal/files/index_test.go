package files

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// counting counts the reads of an index, and what they read.
type counting struct {
	io.ReaderAt
	reads, bytes int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	c.reads++
	c.bytes += len(p)
	return c.ReaderAt.ReadAt(p, at)
}

// TestIndexesOfAnySizeAreLookedIntoNotRead: the last member before a subject is the one that a
// look at every member finds. Little of a large index is read for that.
func TestIndexesOfAnySizeAreLookedIntoNotRead(t *testing.T) {
	for _, members := range []int{0, 1, 2, blockEntries - 1, blockEntries, blockEntries + 1, 3 * blockEntries,
		blockEntries*blockEntries - 1,
		blockEntries * blockEntries, blockEntries*blockEntries + 1, 40_000} {
		var file bytes.Buffer
		w := indexWriter{out: &file}
		subject := func(i int) []byte { return fmt.Appendf(nil, "<http://example.org/%08d>", 10*(i/3)) }
		packed := func(i int) int64 { return int64(1 + i%1000) }
		places := []int64{0}
		for i := range members {
			if err := w.member(packed(i), append(subject(i), " <p> <o> ."...), 1); err != nil {
				t.Fatal(err)
			}
			places = append(places, places[i]+packed(i))
		}
		if err := w.end(); err != nil {
			t.Fatal(err)
		}
		in := &counting{ReaderAt: bytes.NewReader(file.Bytes())}
		x, err := openIndex(in, int64(file.Len()))
		if err != nil || x.packed != uint64(places[members]) {
			t.Fatalf("%d members: %v", members, err)
		}
		for _, at := range []int{0, 1, 2, 3, 126, 127, 128, 129, 130, 383, 384, 385, 16_382, 16_383, 16_384, 16_385, members / 2,
			members - 2, members - 1, members} {
			if at < 0 || at > members {
				continue
			}
			sought := subject(at)
			for _, sought := range [][]byte{sought, append(bytes.Clone(sought[:len(sought)-2]), "5>"...)} {
				want := int64(0)
				for i := 0; i < members && bytes.Compare(subject(i), sought) < 0; i++ {
					want = places[i]
				}
				got, err := x.last(func(_ int64, s []byte) (bool, error) { return bytes.Compare(s, sought) < 0, nil })
				if err != nil || got != want {
					t.Errorf("%d members, %s: %d, %v; want %d", members, sought, got, err, want)
				}
			}
		}
		in.reads, in.bytes = 0, 0
		x, err = openIndex(in, int64(file.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.last(func(int64, []byte) (bool, error) { return true, nil }); err != nil || in.reads > 4 ||
			in.bytes > 3*longestBlock {
			t.Errorf("%d members, %d bytes: %d reads of %d bytes, %v", members, file.Len(), in.reads, in.bytes, err)
		}
	}
}

// TestDamageOnTheWayThroughAnIndexIsTold: whatever bit is changed of what is read, the answer
// is an error or the right one.
func TestDamageOnTheWayThroughAnIndexIsTold(t *testing.T) {
	var file bytes.Buffer
	w := indexWriter{out: &file}
	for i := range 2*blockEntries + 7 {
		if err := w.member(100, fmt.Appendf(nil, "<http://example.org/%04d> ", i), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.end(); err != nil {
		t.Fatal(err)
	}
	find := func(data []byte) (int64, error) {
		x, err := openIndex(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return 0, err
		}
		return x.last(func(_ int64, s []byte) (bool, error) { return string(s) < "<http://example.org/0200>", nil })
	}
	want, err := find(file.Bytes())
	if err != nil || want != 19_900 {
		t.Fatal(want, err)
	}
	told := 0
	for i := range 8 * file.Len() {
		data := bytes.Clone(file.Bytes())
		data[i/8] ^= 1 << (i % 8)
		got, err := find(data)
		if err != nil {
			told++
		} else if got != want {
			t.Errorf("bit %d: %d", i, got)
		}
	}
	for n := range file.Len() {
		if got, err := find(file.Bytes()[:n]); err == nil {
			t.Errorf("%d bytes of %d: %d", n, file.Len(), got)
		}
	}
	if told < 4*blockEntries*20 {
		t.Errorf("only %d changes were told", told)
	}
}

// TestWhatAnIndexOfAnotherVersionNamesIsFoundWithout: a store that an older version of this
// program filled can be searched.
func TestWhatAnIndexOfAnotherVersionNamesIsFoundWithout(t *testing.T) {
	store, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var clean bytes.Buffer
	w := NewCleanWriter(&clean, CleanOptions{})
	if err := w.Line([]byte("<http://example.org/> <p> <o> .")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	hash := w.Content().MD5
	for suffix, data := range map[Suffix][]byte{Clean: clean.Bytes(), Index: append([]byte(indexMagic), 1, 2, 3)} {
		p, err := store.Create()
		if err != nil {
			t.Fatal(err)
		}
		p.Write(data)
		if err := p.Seal(hash, suffix); err != nil {
			t.Fatal(err)
		}
		if err := store.Commit(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	if err := EachOfSubject(store, hash, "http://example.org/", func([]byte) error { found++; return nil }); err != nil || found != 1 {
		t.Errorf("%d lines, %v", found, err)
	}
}
