package views_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"laundromat/seedlist/views"
)

// compareAmong holds what is counted among the seeds of a query against a scan.
func compareAmong(t testing.TB, v *views.Views, all []scanned, q views.Query) {
	t.Helper()
	var by []views.Facet
	for _, name := range views.FacetNames() {
		f, _ := views.FacetNamed(name)
		by = append(by, f)
	}
	matching := listed(all, &q)
	want := map[string]map[string]int64{}
	pairs := map[[2]string]int64{}
	for _, s := range all {
		if !slices.Contains(matching, s.number) {
			continue
		}
		for f, of := range s.values {
			for _, value := range of {
				add(want, f.String(), value)
			}
		}
		var pair [2]string
		copy(pair[:1], s.values[views.State])
		copy(pair[1:], s.values[views.Host])
		pairs[pair]++
	}
	among, err := v.Among(t.Context(), q, by, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if among.Seeds != int64(len(matching)) || among.IsCut {
		t.Fatalf("%+v: %d seeds (cut: %v), a scan finds %d", q, among.Seeds, among.IsCut, len(matching))
	}
	for _, f := range by {
		got := map[string]int64{}
		for _, c := range among.Facets[f].Counts {
			got[c.Values[0]] = c.Seeds
		}
		if !maps.Equal(got, want[f.String()]) || among.Facets[f].Total != len(got) || among.Facets[f].IsPartial {
			t.Fatalf("%+v by %s: counted\n%v, a scan finds\n%v", q, f, got, want[f.String()])
		}
	}
	tallied, err := v.Tally(t.Context(), q, [2]views.Facet{views.State, views.Host})
	if err != nil || !maps.Equal(tallied.Counts, pairs) || tallied.Next != "" {
		t.Fatalf("%+v: tallied\n%v (%v), a scan finds\n%v", q, tallied, err, pairs)
	}
	for value := range want["host"] {
		prefix := value[:len(value)-1]
		begin, err := v.Beginning(t.Context(), views.Host, prefix, 1000)
		isAmong := slices.ContainsFunc(begin, func(c views.Count) bool { return c.Values[0] == value })
		areAll := !slices.ContainsFunc(begin, func(c views.Count) bool { return !strings.HasPrefix(c.Values[0], prefix) })
		if err != nil || !isAmong || !areAll {
			t.Fatalf("%s begins %v (%v)", prefix, begin, err)
		}
	}
}
