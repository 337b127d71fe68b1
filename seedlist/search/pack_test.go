package search

import (
	"slices"
	"testing"

	"laundromat/rdf/statistics"
)

func TestAPackGivesItsEntriesBack(t *testing.T) {
	entries := []entry{
		{Field: Title, Text: "a"}, {Field: LabelOf, Property: "http://p.example/", Text: "東京 \x00\n", Line: 1 << 40}, {Field: Claim},
		{Field: LabelOf, Property: statistics.LabelProperties[7], Text: "b", Line: 2}, {Field: Class, term: 1 << 50},
	}
	got, err := readPack(nil, appendPack(nil, entries))
	if err != nil || !slices.Equal(got, entries) {
		t.Errorf("%v, %v", got, err)
	}
}

func FuzzReadPack(f *testing.F) {
	f.Add(appendPack(nil, []entry{
		{Field: Title, Text: "a"}, {Field: LabelOf, Property: "p", Text: "b", Line: 7}, {Field: Property, term: 3},
	}))
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
