package metadata

import (
	"cmp"
	"net/url"
	"strconv"

	"laundromat/rdf/write"
)

// Form is a syntax in which descriptions are given.
type Form struct {
	Syntax    write.Syntax
	Extension string
	MediaType string
	format    string // the term of W3C's list of formats
}

// Forms are all, the one that is given where a client does not care first.
func Forms() []Form {
	return []Form{
		{write.Turtle, "ttl", "text/turtle", "format:Turtle"},
		{write.NQuads, "nq", nquads, "format:N-Quads"},
		{write.JSONLD, "jsonld", "application/ld+json", "format:JSON-LD"},
	}
}

// Page is one page of the catalog, with all that hangs on its datasets.
type Page struct {
	Cursor, Next string // of this page and of the next; "" for the first, and where there is none
	Limit        int    // of the datasets of a page
	Total        int64  // datasets on all pages
	Datasets     []Dataset
}

// called is the name of the catalog.
func (s Site) called() string {
	at, err := url.Parse(s.Base)
	if err != nil {
		return "Laundromat"
	}
	return "Laundromat at " + cmp.Or(at.Host, s.Base) + at.Path
}

// Catalog adds a page of the catalog.
func (s Site) Catalog(g *Graph, p *Page) {
	catalog, view := s.Base+"/catalog", s.PageOf(p.Cursor, p.Limit)
	s.catalog(g, p.Total)
	g.links(catalog, "hydra:view", view)
	g.is(view, "hydra:PartialCollectionView")
	g.links(view, "hydra:first", s.PageOf("", p.Limit))
	if p.Next != "" {
		g.links(view, "hydra:next", s.PageOf(p.Next, p.Limit))
	}
	for i := range p.Datasets {
		id := s.ID(p.Datasets[i].Seed.Hash)
		g.links(catalog, "dcat:dataset", id)
		g.links(catalog, "hydra:member", id)
		s.Outline(g, &p.Datasets[i])
	}
	s.Quality(g)
}

// catalog adds what the catalog is.
func (s Site) catalog(g *Graph, total int64) {
	catalog, home, publisher := s.Base+"/catalog", s.Base+"/", s.Base+"/#publisher"
	g.is(catalog, "dcat:Catalog", "hydra:Collection")
	g.saysInEnglish(catalog, "dct:title", s.called())
	g.saysInEnglish(catalog, "dct:description", "Documents of linked data that were washed: their clean statements, records and articles, "+
		"where they come from, and what was wrong with them.")
	g.links(catalog, "dct:publisher", publisher)
	g.is(publisher, "foaf:Agent")
	g.says(publisher, "foaf:name", s.called())
	g.links(catalog, "foaf:homepage", home)
	g.is(home, "foaf:Document")
	g.counts(catalog, "hydra:totalItems", total)
}

// PageOf is the address of the page of the catalog at a cursor, "" for the first, with so many datasets at most. The
// page is another thing than the catalog, so that it always has the limit.
func (s Site) PageOf(cursor string, limit int) string {
	return s.Base + "/catalog?" + PageQuery(cursor, limit)
}

// PageQuery is the query that asks for a page of the catalog, without its question mark.
func PageQuery(cursor string, limit int) string {
	query := url.Values{"limit": {strconv.Itoa(limit)}}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	return query.Encode()
}

// Root adds what the service says of itself at /.well-known/void: where all descriptions are.
func (s Site) Root(g *Graph, total int64) {
	about, all := s.Base+"/.well-known/void", s.Base+"/catalog#descriptions"
	g.is(about, "void:DatasetDescription")
	g.saysInEnglish(about, "dct:title", "The datasets of "+s.called())
	g.links(about, "foaf:primaryTopic", all)
	g.is(all, "void:Dataset")
	g.saysInEnglish(all, "dct:title", "The descriptions of all datasets of "+s.called())
	g.saysInEnglish(all, "dct:description", "What is known of each dataset in DCAT, VoID, PROV-O and DQV, as a dump, page by page, "+
		"and by the IRI of each.")
	g.links(all, "void:dataDump", s.Base+"/dump.nq.gz")
	g.links(all, "void:rootResource", s.Base+"/catalog")
	for _, form := range Forms() {
		g.links(all, "void:feature", named(form.format))
	}
	for _, prefix := range []string{"dcat", "dct", "dqv", "foaf", "prov", "spdx", "void"} {
		g.links(all, "void:vocabulary", prefixes[prefix])
	}
	s.catalog(g, total)
}
