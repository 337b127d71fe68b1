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

	own int // the size of what it shares with no other, without labels; 0: all is its own
}

// Terms are those of all lines that were counted. They cost less than [Counter.Statistics]. The Counter is done with
// then, until [Counter.Reset]. Lists that are those of the dataset before are the same in memory: datasets of a source
// often use the same terms.
func (c *Counter) Terms() *Terms {
	c.endSubject()
	l := &c.lists
	t := &Terms{Labels: c.counted.Labels, LabelsLeft: c.counted.LabelsLeft, own: fixedSize}
	for _, n := range c.tables() {
		t.IsCut = t.IsCut || n.lost != [2]int64{}
	}
	var isSame [4]bool
	t.Classes, isSame[0] = l.share(t, inClasses, c.classes.appendOrdered(l.at[:0], 1))
	t.Properties, isSame[1] = l.share(t, inProperties, c.properties.appendOrdered(l.at[:0], 0))
	t.Datatypes, _ = l.share(t, inDatatypes, c.datatypes.appendSorted(l.at[:0]))
	t.Languages, _ = l.share(t, inLanguages, c.languages.appendSorted(l.at[:0]))
	t.Hosts, _ = l.share(t, inHosts, c.hosts.appendSorted(l.at[:0]))
	if isSame[0] && isSame[1] && l.before[inVocabularies] != nil {
		t.Vocabularies = l.before[inVocabularies]
	} else {
		t.fillVocabularies()
		l.keep(t, inVocabularies, t.Vocabularies)
	}
	return t
}

// lists are those of the dataset before, where they are short.
type lists struct {
	before [listCount][]string
	at     []string // the list at hand
}

const (
	inClasses = iota
	inProperties
	inVocabularies
	inDatatypes
	inLanguages
	inHosts
	listCount
)

// share is a list as t may hold it, which is that of the dataset before where they are the same. The list given is in
// the memory of l.at.
func (l *lists) share(t *Terms, which int, list []string) (held []string, isSame bool) {
	if l.at = list; cap(l.at) > mostKept {
		l.at = nil
	}
	if before := l.before[which]; before != nil && slices.Equal(before, list) {
		return before, true
	}
	held = append(make([]string, 0, len(list)), list...)
	l.keep(t, which, held)
	return held, false
}

// keep takes a list of t for the next dataset.
func (l *lists) keep(t *Terms, which int, list []string) {
	t.own += sizeOf(list)
	if l.before[which] = list; len(list) > fewNames {
		l.before[which] = nil
	}
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

// appendOrdered appends the names, those with the most triples first, which are one of the two counts.
func (n *names) appendOrdered(texts []string, triples int) []string {
	for e := range n.inOrder(triples) {
		texts = append(texts, e.text)
	}
	return texts
}

// appendSorted appends the names, which are the only ones in the list, in the order of their bytes.
func (n *names) appendSorted(texts []string) []string {
	for i := range n.entries {
		texts = append(texts, n.entries[i].text)
	}
	slices.Sort(texts)
	return texts
}

const (
	// eachSize is about what a string takes, and what a table needs for it.
	eachSize = 24
	// fixedSize is about what Terms take without their lists.
	fixedSize = 250
)

func sizeOf(texts []string) int {
	size := eachSize * len(texts)
	for _, text := range texts {
		size += len(text)
	}
	return size
}

// Size is about how many bytes they take in memory, without what they share with those before.
func (t *Terms) Size() int {
	size := t.own
	if size == 0 {
		size = fixedSize
		for _, all := range [...][]string{t.Classes, t.Properties, t.Vocabularies, t.Datatypes, t.Languages, t.Hosts} {
			size += sizeOf(all)
		}
	}
	for i := range t.Labels {
		size += len(t.Labels[i].Text) + 3*eachSize
	}
	return size
}
