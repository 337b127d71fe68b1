package files_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/files"
)

// stored writes lines, and their index if asked for, into a store.
func stored(t testing.TB, lines []string, indexed bool) (*files.Folder, string) {
	t.Helper()
	store, err := files.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	all := write(t, lines, files.CleanOptions{Level: 1})
	put(t, store, all.content.MD5, files.Clean, all.clean)
	if indexed {
		put(t, store, all.content.MD5, files.Index, all.index)
	}
	return store, all.content.MD5
}

func put(t testing.TB, store *files.Folder, hash string, suffix files.Suffix, data []byte) {
	t.Helper()
	p, err := store.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer p.Abort()
	if _, err := p.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(p.Seal(hash, suffix), store.Commit(context.Background(), p)); err != nil {
		t.Fatal(err)
	}
}

// subjects are files in which subjects are hard to find. They are prefixes of each other,
// longer than the index keeps, alike in all that it keeps, or spread over members. Some
// have lines longer than a member.
func subjects() map[string][]string {
	random := rand.New(rand.NewPCG(3, 4))
	filler := func() string { return fmt.Sprintf("%x", random.Uint64()) }
	all := map[string][]string{"none": nil}
	add := func(name, subject, object string) {
		all[name] = append(all[name], "<"+subject+"> <http://e/p> \""+object+"\" .")
	}
	long := "http://example.org/" + strings.Repeat("a", 80)
	for i := range 30_000 {
		add("short", fmt.Sprintf("http://e/%d", i/5), filler())
		add("alike in what the index keeps", fmt.Sprintf("%s/%d", long, i/5), filler())
		add("few of many", fmt.Sprintf("http://e/%d", random.IntN(3)), filler())
	}
	for i := range 12 {
		add("giant lines", fmt.Sprintf("http://e/%d", i/2), strings.Repeat(string(rune('a'+i%2)), 1<<20+i))
	}
	// The rest of a long line looks like a later subject.
	add("giant lines", "http://e/0", strings.Repeat("z", 70_000)+"<http://e/1> ")
	for i := range 100 {
		add("prefixes", "http://e/"+strings.Repeat("x", i), filler())
		add("prefixes", "http://e/"+strings.Repeat("x", i)+"!", filler())
	}
	for name := range all {
		slices.Sort(all[name])
	}
	return all
}

// TestEachOfSubjectIsTheLinesOfTheSubject compares what is found with what a look at
// every line finds, with the index and without.
func TestEachOfSubjectIsTheLinesOfTheSubject(t *testing.T) {
	for name, lines := range subjects() {
		bySubject := map[string][]string{"http://e/": nil, "http://e/none": nil, "a": nil, "zzz": nil, "http://e/" +
			strings.Repeat("x", 100_000): nil}
		for _, line := range lines {
			subject := line[1:strings.IndexByte(line, '>')]
			bySubject[subject] = append(bySubject[subject], line)
		}
		for _, indexed := range []bool{true, false} {
			store, hash := stored(t, lines, indexed)
			asked := 0
			for subject, want := range bySubject {
				if asked++; asked > 60 {
					break // of a random order
				}
				var got []string
				err := files.EachOfSubject(store, hash, subject, func(line []byte) error {
					got = append(got, string(line))
					return nil
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, index %v, <%.100s>: %d lines, %v; there are %d", name, indexed, subject, len(got), err, len(want))
				}
			}
		}
	}
}

// TestDamageOfAnIndexIsToldWhenASubjectIsSought never takes a damaged index for the word
// that a subject has no lines.
func TestDamageOfAnIndexIsToldWhenASubjectIsSought(t *testing.T) {
	lines := subjects()["short"]
	all := write(t, lines, files.CleanOptions{Level: 1})
	for _, damaged := range [][]byte{nil, all.index[:len(all.index)-1], bytes.Replace(all.index, []byte("http"), []byte("hatp"), 1)} {
		store, hash := stored(t, lines, false)
		put(t, store, hash, files.Index, damaged)
		if err := files.EachOfSubject(store, hash, "http://e/7", func([]byte) error { return nil }); err == nil {
			t.Errorf("an index of %d bytes is taken for that of %d", len(damaged), len(all.index))
		}
	}
	store, hash := stored(t, lines[:1000], true)
	stop := errors.New("stop")
	if err := files.EachOfSubject(store, hash, "http://e/0", func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	if err := files.EachOfSubject(store, strings.Repeat("0", 32), "http://e/7", func([]byte) error { return nil }); err == nil {
		t.Error("a file that is not there has no subject")
	}
}

func BenchmarkEachOfSubject(b *testing.B) {
	store, hash := stored(b, ordered(500_000), true)
	random := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		found := 0
		subject := fmt.Sprintf("http://example.org/resource/Thing_%07d", random.IntN(500_000/3))
		if err := files.EachOfSubject(store, hash, subject, func([]byte) error { found++; return nil }); err != nil || found != 3 {
			b.Fatal(found, err)
		}
	}
}
