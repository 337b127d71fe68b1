package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// How many publishers, licences, classes and properties there are. Of a licence there are many documents, of a
// publisher some.
const (
	publishers = 2_000
	licences   = 5
	classes    = 500
	properties = 2_000
)

func publisherName(n int) string { return fmt.Sprintf("Office %d", n%publishers) }
func licenceName(n int) string   { return fmt.Sprintf("https://licence.example/%d", n%licences) }
func className(n uint64) string  { return fmt.Sprintf("http://vocabulary.example/Class%d", n%classes) }
func propertyName(n uint64) string {
	return fmt.Sprintf("http://vocabulary.example/property%d", n%properties)
}

// seedList is named so that a list has a method List.
type seedList = seedlist.List

// claimed is a list to which seeds are added with what a catalog says of them.
type claimed struct {
	seedList

	seeds int
}

// Add adds seeds, each with its publisher and licence.
func (c *claimed) Add(ctx context.Context, seeds []seedlist.NewSeed) ([]seedlist.Addition, error) {
	for i := range seeds {
		seeds[i].Claims = map[string]string{"publisher": publisherName(c.seeds), "license": licenceName(c.seeds)}
		c.seeds++
	}
	return c.seedList.Add(ctx, seeds)
}

// CompleteAll completes lives with clean files whose names begin with other than zeros, as those of files do: their
// beginnings tell clean files apart in lists.
func (c *claimed) CompleteAll(ctx context.Context, claim seedlist.Claim, outcomes []seedlist.Outcome) error {
	if clean := outcomes[len(outcomes)-1].Clean; clean != nil {
		half := clean.Content.MD5[16:]
		clean.Content.MD5 = "1" + half[1:] + half
	}
	return c.seedList.CompleteAll(ctx, claim, outcomes)
}

// termsOf are what a clean file uses: a class of a few, and properties of many.
func termsOf(_ context.Context, clean string) (*statistics.Terms, error) {
	n, err := strconv.ParseUint(clean[16:], 16, 64)
	if err != nil {
		return nil, err
	}
	return &statistics.Terms{
		Classes: []string{className(n), className(7 * n)}, Properties: []string{propertyName(n), propertyName(3 * n), propertyName(0)},
		Vocabularies: []string{"http://vocabulary.example/"}, Datatypes: []string{"http://www.w3.org/2001/XMLSchema#date"},
		Languages: []string{"en"}, Hosts: []string{"host1.example"},
	}, nil
}

func catalogHash(n int) string { return seedlist.Key(catalogURI(n)) }

// publisherPaths are the pages and lists about publishers, and about what is in datasets.
func publisherPaths() (paths []string) {
	for _, by := range views.Groups() {
		paths = append(paths, "/publishers?by="+by, "/api/v1/publishers?by="+by)
	}
	paths = append(paths, "/publishers?sort=-dropped", "/publishers?find=host7", "/publishers?least=3&sort=statements",
		"/publishers.csv?by=licence",
		"/compare", "/removed", "/catalogs", "/catalogs/"+catalogHash(7), "/hosts", "/hosts/host77.example")
	for by, value := range map[string]string{"host": "host77.example", "catalog": catalogHash(7), "publisher": publisherName(7),
		"licence": licenceName(1)} {
		query := url.Values{"value": {value}}.Encode()
		paths = append(paths, "/publishers/"+by+"?"+query, "/publishers/"+by+"/report.html?"+query, "/api/v1/publishers/"+by+"?"+query,
			"/compare?by="+by+"&"+query, "/removed?by="+by+"&"+query, "/seeds?"+url.Values{by: {value}}.Encode(),
			"/seeds?"+url.Values{by: {value}, "score": {"syntax!"}}.Encode())
	}
	for name, value := range map[string]string{
		"class": className(3), "property": propertyName(0), "vocabulary": "http://vocabulary.example/", "links_to": "host1.example",
		"datatype": "http://www.w3.org/2001/XMLSchema#date", "language": "en",
	} {
		paths = append(paths, "/seeds?"+url.Values{name: {value}}.Encode())
	}
	return append(paths, "/api/v1/counts?by=class", "/seeds?"+url.Values{"class": {className(3)}, "host": {"host77.example"}}.Encode(),
		"/seeds?turn=added", "/seeds?turn=broken")
}
