package content

import "testing"

// TestEachFeatureHasAColumnOfItsOwn, and is in one group at most: two that share a column are one, the later of them.
func TestEachFeatureHasAColumnOfItsOwn(t *testing.T) {
	groups := []string{"text", "class", "linear", "kind", "place", "container", "shape", "near", "heading", "path", "page", "stage"}
	of := map[int]string{}
	for _, name := range groups {
		features := Group(name)
		if len(features) == 0 {
			t.Errorf("the group %s has no feature", name)
		}
		for _, f := range features {
			if f < 0 || f >= Features {
				t.Errorf("the group %s has feature %d of %d", name, f, Features)
			}
			if of[f] != "" {
				t.Errorf("feature %d is in the groups %s and %s", f, of[f], name)
			}
			of[f] = name
		}
	}
	for f := fGapBefore; f < Features; f++ {
		if of[f] == "" {
			t.Errorf("feature %d is in no group", f)
		}
	}
}
