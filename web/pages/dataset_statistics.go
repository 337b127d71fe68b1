package pages

import (
	"net/http"

	"laundromat/rdf/statistics"
)

// namesShown is how many names of a list a page has; the API has all.
const namesShown = 50

// statisticsPage is what the clean statements of a document say.
type statisticsPage struct {
	Hash, Name string
	*statistics.Statistics
	Estimates map[string]bool
	Lists     []namesList
}

// namesList is a list of names with their triples and one more count.
type namesList struct {
	ID, Title, Names string
	Facet            string // by which documents that have a name are listed
	Second           string // Second is the heading of the other count; "" if there is none
	Rows             []nameRow
	More             int64 // names that are not shown
}

type nameRow struct {
	Name    string
	Triples int64
	Second  int64
	Bar     bar
}

// rowsOf makes the rows of a list, in its order.
func rowsOf[T any](l namesList, all []T, row func(T) nameRow) namesList {
	most := int64(1)
	for _, one := range all {
		most = max(most, row(one).Triples)
	}
	for _, one := range all[:min(len(all), namesShown)] {
		r := row(one)
		r.Bar = bar{r.Triples, most}
		l.Rows = append(l.Rows, r)
	}
	l.More = int64(len(all) - len(l.Rows))
	return l
}

// statisticsPage shows what the clean statements say.
func (s *site) statisticsPage(r *http.Request) (page, error) {
	ctx := r.Context()
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	document = document.Served()
	p := statisticsPage{Hash: document.Hash, Name: s.read.Name(ctx, &document), Estimates: map[string]bool{}}
	if p.Statistics, err = s.read.Statistics(ctx, document.Hash); err != nil {
		return page{}, err
	}
	for _, name := range p.Estimated {
		p.Estimates[name] = true
	}
	ofName := func(n statistics.Name) nameRow { return nameRow{Name: n.Name, Triples: n.Triples} }
	p.Lists = []namesList{
		rowsOf(namesList{ID: "by_class", Facet: "class", Title: "Classes", Names: "class", Second: "subjects"}, p.ByClass,
			func(c statistics.Class) nameRow { return nameRow{Name: c.IRI, Triples: c.Triples, Second: c.Entities} }),
		rowsOf(namesList{ID: "by_property", Facet: "property", Title: "Properties", Names: "property", Second: "subjects"}, p.ByProperty,
			func(c statistics.Property) nameRow {
				return nameRow{Name: c.IRI, Triples: c.Triples, Second: c.Subjects}
			}),
		rowsOf(namesList{ID: "vocabularies", Facet: "vocabulary", Title: "Vocabularies", Names: "namespace", Second: "names"},
			p.Vocabularies,
			func(v statistics.Vocabulary) nameRow {
				return nameRow{Name: v.Namespace, Triples: v.Triples, Second: v.Classes + v.Properties}
			}),
		rowsOf(namesList{ID: "datatypes", Facet: "datatype", Title: "Datatypes", Names: "datatype"}, p.Datatypes, ofName),
		rowsOf(namesList{ID: "languages", Facet: "language", Title: "Languages", Names: "language"}, p.Languages, ofName),
		rowsOf(namesList{ID: "hosts", Facet: "links_to", Title: "Links to other hosts", Names: "host"}, p.Hosts, ofName),
	}
	return page{title: "What is in " + p.Name, template: "dataset_statistics.html", data: p}, nil
}
