package statistics

import "slices"

// Terms are what a dataset is found by.
type Terms struct {
	// Classes and Properties are in descending order of triples, then of names.
	Classes, Properties []string
	// Vocabularies, Datatypes, Languages and Hosts are those of [Statistics], in the order of their bytes.
	Vocabularies, Datatypes, Languages, Hosts []string
	// IsCut says that the dataset has more names than are held.
	IsCut bool
	// Labels and LabelsLeft are those of [Statistics].
	Labels     []Label
	LabelsLeft int64
}

// Terms are those of all lines that were counted. They cost less than [Counter.Statistics]. The Counter is done with
// then, until [Counter.Reset].
func (c *Counter) Terms() *Terms {
	c.endSubject()
	t := &Terms{Classes: c.classes.ordered(1), Properties: c.properties.ordered(0), Datatypes: c.datatypes.sorted(),
		Languages: c.languages.sorted(), Hosts: c.hosts.sorted(), Labels: c.counted.Labels, LabelsLeft: c.counted.LabelsLeft}
	for _, n := range []*names{&c.properties, &c.classes, &c.datatypes, &c.languages, &c.hosts} {
		t.IsCut = t.IsCut || n.lost != [2]int64{}
	}
	t.fillVocabularies()
	return t
}

// Terms are those of counted statistics.
func (s *Statistics) Terms() *Terms {
	t := &Terms{Classes: []string{}, Properties: []string{}, Datatypes: sortedNames(s.Datatypes), Languages: sortedNames(s.Languages),
		Hosts: sortedNames(s.Hosts), IsCut: len(s.LeftOut) > 0, Labels: s.Labels, LabelsLeft: s.LabelsLeft}
	for i := range s.ByClass {
		t.Classes = append(t.Classes, s.ByClass[i].IRI)
	}
	for i := range s.ByProperty {
		t.Properties = append(t.Properties, s.ByProperty[i].IRI)
	}
	t.fillVocabularies()
	return t
}

// fillVocabularies finds the namespaces of properties and classes.
func (t *Terms) fillVocabularies() {
	t.Vocabularies = []string{}
	last := ""
	for _, all := range [...][]string{t.Properties, t.Classes} {
		for _, iri := range all {
			if name := namespace(iri); name != last {
				last = name
				t.Vocabularies = append(t.Vocabularies, name)
			}
		}
	}
	slices.Sort(t.Vocabularies)
	t.Vocabularies = slices.Compact(t.Vocabularies)
}

func sortedNames(names []Name) []string {
	texts := make([]string, len(names))
	for i := range names {
		texts[i] = names[i].Name
	}
	slices.Sort(texts)
	return texts
}

// ordered are the names, those with the most triples first, which are one of the two counts.
func (n *names) ordered(triples int) []string {
	texts := make([]string, 0, len(n.entries))
	for e := range n.inOrder(triples) {
		texts = append(texts, e.text)
	}
	return texts
}

// sorted are the names in the order of their bytes.
func (n *names) sorted() []string {
	texts := n.texts()
	slices.Sort(texts)
	return texts
}

func (n *names) texts() []string {
	texts := make([]string, len(n.entries))
	for i := range n.entries {
		texts[i] = n.entries[i].text
	}
	return texts
}

// Size is about how many bytes they take in memory.
func (t *Terms) Size() int {
	const each = 24 // of a string and what a table needs for it
	size := 200
	for _, all := range [...][]string{t.Classes, t.Properties, t.Vocabularies, t.Datatypes, t.Languages, t.Hosts} {
		for _, text := range all {
			size += len(text) + each
		}
	}
	for i := range t.Labels {
		size += len(t.Labels[i].Property) + len(t.Labels[i].Text) + 2*each
	}
	return size
}
