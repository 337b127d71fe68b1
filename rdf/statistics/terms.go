package statistics

import (
	"cmp"
	"slices"
)

// Terms are what of a dataset is found by words.
type Terms struct {
	// Classes and Properties are in descending order of triples, then of names.
	Classes, Properties []string
	// Labels and LabelsLeft are those of [Statistics].
	Labels     []Label
	LabelsLeft int64
}

// Terms are those of all lines that were counted. They cost less than [Counter.Statistics]. The Counter is done with
// then, until [Counter.Reset].
func (c *Counter) Terms() *Terms {
	c.endSubject()
	return &Terms{Classes: c.classes.ordered(1), Properties: c.properties.ordered(0),
		Labels: c.counted.Labels, LabelsLeft: c.counted.LabelsLeft}
}

// Terms are those of counted statistics.
func (s *Statistics) Terms() *Terms {
	t := &Terms{Classes: []string{}, Properties: []string{}, Labels: s.Labels, LabelsLeft: s.LabelsLeft}
	for i := range s.ByClass {
		t.Classes = append(t.Classes, s.ByClass[i].IRI)
	}
	for i := range s.ByProperty {
		t.Properties = append(t.Properties, s.ByProperty[i].IRI)
	}
	return t
}

// ordered are the names, those with the most triples first, which are one of the two counts.
func (n *names) ordered(triples int) []string {
	slices.SortFunc(n.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.counts[triples], a.counts[triples]), cmp.Compare(a.text, b.text))
	})
	texts := make([]string, len(n.entries))
	for i := range n.entries {
		texts[i] = n.entries[i].text
	}
	return texts
}
