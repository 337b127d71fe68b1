package linesort

import (
	"bytes"
	"slices"
	"testing"
)

// FuzzBranchFindsAsASearchDoes compares the tree of splitters with a count of those that are not after a line. The
// splitters are the pieces between commas.
func FuzzBranchFindsAsASearchDoes(f *testing.F) {
	f.Add([]byte("a,ab,abc,abcdefghi,abcdefghij,abcdefgh,abcdefgh\x00,abcdefgh\x00\x00,b"), []byte("abcdefghi"))
	f.Add([]byte("<http://dbpedia.org/resource/A>,<http://dbpedia.org/resource/B>,<http://dbpedia.org/resource/Berlin>"),
		[]byte("<http://dbpedia.org/resource/Be"))
	f.Add([]byte(""), []byte("x"))
	f.Add([]byte("a\x00,a\x00\x00,a\x00\x00\x00\x00\x00\x00\x00\x00\x00"), []byte("a"))
	f.Fuzz(func(t *testing.T, pieces, line []byte) {
		splitters := bytes.Split(pieces, []byte(","))
		slices.SortFunc(splitters, bytes.Compare)
		splitters = slices.CompactFunc(splitters, bytes.Equal)
		if len(splitters) > 0 && len(splitters[0]) == 0 {
			splitters = splitters[1:]
		}
		tree := newBranch(splitters, 0, 0)
		for _, line := range append([][]byte{line, append(bytes.Clone(line), 0), line[:len(line)/2]}, splitters...) {
			want := 0
			for want < len(splitters) && bytes.Compare(splitters[want], line) <= 0 {
				want++
			}
			if got := tree.find(line); got != want {
				t.Errorf("%q among %q: %d, not %d", line, splitters, got, want)
			}
		}
	})
}
