package search

import (
	"slices"
	"testing"
)

func TestAPackGivesItsEntriesBack(t *testing.T) {
	entries := []entry{{Title, "", "a", 0}, {LabelOf, "http://p.example/", "東京 \x00\n", 1 << 40}, {Claim, "", "", 0}}
	got, err := readPack(nil, appendPack(nil, entries))
	if err != nil || !slices.Equal(got, entries) {
		t.Errorf("%v, %v", got, err)
	}
}

func FuzzReadPack(f *testing.F) {
	f.Add(appendPack(nil, []entry{{Title, "", "a", 0}, {LabelOf, "p", "b", 7}}))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, pack []byte) {
		entries, err := readPack(nil, pack)
		if err != nil {
			return
		}
		again, err := readPack(nil, appendPack(nil, entries))
		if err != nil || !slices.Equal(again, entries) {
			t.Fatalf("%v, %v", again, err)
		}
	})
}
