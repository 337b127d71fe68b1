package statistics

import (
	"cmp"
	"slices"
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

	vocabularies := map[string]*Vocabulary{}
	of := func(iri string) *Vocabulary {
		name := namespace(iri)
		if vocabularies[name] == nil {
			vocabularies[name] = &Vocabulary{Namespace: name}
		}
		return vocabularies[name]
	}
	s.ByProperty, s.ByClass = []Property{}, []Class{}
	for _, e := range c.properties.entries {
		s.ByProperty = append(s.ByProperty, Property{e.text, e.counts[0], e.counts[1]})
		v := of(e.text)
		v.Properties++
		v.Triples += e.counts[0]
	}
	for _, e := range c.classes.entries {
		s.ByClass = append(s.ByClass, Class{e.text, e.counts[0], e.counts[1]})
		v := of(e.text)
		v.Classes++
		v.Triples += e.counts[0]
	}
	s.Vocabularies = []Vocabulary{}
	for _, v := range vocabularies {
		s.Vocabularies = append(s.Vocabularies, *v)
	}
	slices.SortFunc(s.ByProperty, func(a, b Property) int { return order(a.Triples, b.Triples, a.IRI, b.IRI) })
	slices.SortFunc(s.ByClass, func(a, b Class) int { return order(a.Triples, b.Triples, a.IRI, b.IRI) })
	slices.SortFunc(s.Vocabularies, func(a, b Vocabulary) int { return order(a.Triples, b.Triples, a.Namespace, b.Namespace) })
	s.Datatypes, s.Languages, s.Hosts = c.datatypes.list(), c.languages.list(), c.hosts.list()
	return s
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
	list := []Name{}
	for _, e := range n.entries {
		list = append(list, Name{e.text, e.counts[0]})
	}
	slices.SortFunc(list, func(a, b Name) int { return order(a.Triples, b.Triples, a.Name, b.Name) })
	return list
}
