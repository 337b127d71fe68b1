package statistics

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
)

// Statistics are the counts of all lines. The Counter is done with then.
func (c *Counter) Statistics() *Statistics {
	c.endSubject()
	s := &c.counted
	s.Objects = s.take("objects", &c.objects)
	s.Graphs = s.take("graphs", &c.graphs)
	s.Properties = s.leave("by_property", &c.properties)
	s.Classes = s.leave("by_class", &c.classes)
	s.leave("datatypes", &c.datatypes)
	s.leave("languages", &c.languages)
	s.leave("hosts", &c.hosts)

	s.ByProperty, s.ByClass = []Property{}, []Class{}
	spaces := vocabularies{of: map[string]*Vocabulary{}}
	for e := range c.properties.inOrder(0) {
		s.ByProperty = append(s.ByProperty, Property{e.text, e.counts[0], e.counts[1]})
	}
	for i := range c.properties.entries {
		e := &c.properties.entries[i]
		v := spaces.vocabulary(e.text)
		v.Properties++
		v.Triples += e.counts[0]
	}
	for e := range c.classes.inOrder(1) {
		s.ByClass = append(s.ByClass, Class{e.text, e.counts[0], e.counts[1]})
	}
	for i := range c.classes.entries {
		e := &c.classes.entries[i]
		v := spaces.vocabulary(e.text)
		v.Classes++
		v.Triples += e.counts[0]
	}
	s.Vocabularies = []Vocabulary{}
	for _, v := range spaces.of {
		s.Vocabularies = append(s.Vocabularies, *v)
	}
	slices.SortFunc(s.Vocabularies, func(a, b Vocabulary) int { return order(a.Triples, b.Triples, a.Namespace, b.Namespace) })
	s.Datatypes, s.Languages, s.Hosts = c.datatypes.list(), c.languages.list(), c.hosts.list()
	return s
}

// vocabularies are those of names.
type vocabularies struct {
	of   map[string]*Vocabulary
	last *Vocabulary
}

// vocabulary is that of a name.
func (v *vocabularies) vocabulary(iri string) *Vocabulary {
	if v.last != nil && isIn(iri, v.last.Namespace) {
		return v.last
	}
	name := namespace(iri)
	if v.last = v.of[name]; v.last == nil {
		v.last = &Vocabulary{Namespace: name}
		v.of[name] = v.last
	}
	return v.last
}

// order is the order of two rows of a list.
func order(triplesA, triplesB int64, nameA, nameB string) int {
	return cmp.Or(cmp.Compare(triplesB, triplesA), cmp.Compare(nameA, nameB))
}

// take is a count of distinct values, which is said to be estimated if it is.
func (s *Statistics) take(name string, d *distinct) int64 {
	n, exact := d.count()
	if !exact {
		s.Estimated = append(s.Estimated, name)
	}
	return n
}

// leave is how many names a list has or lacks. What it lacks is said.
func (s *Statistics) leave(list string, n *names) int64 {
	held := int64(len(n.entries))
	if n.lost == [2]int64{} {
		return held
	}
	lacks := s.take(list, &n.leftOut)
	s.LeftOut = append(s.LeftOut, LeftOut{List: list, Names: lacks, Triples: n.lost[0]})
	return held + lacks
}

// list are the names, those with the most triples first.
func (n *names) list() []Name {
	list := make([]Name, 0, len(n.entries))
	for e := range n.inOrder(0) {
		list = append(list, Name{e.text, e.counts[0]})
	}
	return list
}

// row is what an entry is put in order by.
type row struct {
	count int64
	head  uint64 // the first bytes behind what all names begin with
	at    int    // the entry
}

// inOrder are the entries in descending order of one of their counts, then in that of their names. One order is used
// at a time.
func (n *names) inOrder(count int) iter.Seq[*entry] {
	// Most are told apart by a few bytes behind what all begin with.
	begin := n.commonPrefix()
	rows := slices.Grow(n.rows[:0], len(n.entries))[:len(n.entries)]
	n.rows = rows
	for i := range n.entries {
		e := &n.entries[i]
		var head [8]byte
		copy(head[:], e.text[begin:])
		rows[i] = row{e.counts[count], binary.BigEndian.Uint64(head[:]), i}
	}
	slices.SortFunc(rows, func(a, b row) int {
		switch {
		case a.count != b.count:
			return cmp.Compare(b.count, a.count)
		case a.head != b.head:
			return cmp.Compare(a.head, b.head)
		}
		return strings.Compare(n.entries[a.at].text, n.entries[b.at].text)
	})
	return func(yield func(*entry) bool) {
		for i := range rows {
			if !yield(&n.entries[rows[i].at]) {
				return
			}
		}
	}
}

// commonPrefix is how many bytes all names begin with in common.
func (n *names) commonPrefix() int {
	if len(n.entries) == 0 {
		return 0
	}
	common := n.entries[0].text
	for i := range n.entries {
		for !strings.HasPrefix(n.entries[i].text, common) {
			common = common[:len(common)-1]
		}
	}
	return len(common)
}
