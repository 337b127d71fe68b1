// Package metadata describes what was washed, in RDF: the datasets and their files in DCAT 3, with checksums of SPDX;
// what they say, counted, in VoID; how they were made in PROV-O; and their score in DQV. A catalog of them keeps to
// DCAT-AP 3 and is paged by Hydra. All is made of one [Dataset], as is the description in the words of schema.org.
//
//	var g metadata.Graph
//	site := metadata.Site{Base: "https://example.org/laundromat"}
//	site.Describe(&g, &dataset)
//	err := g.Write(w, write.Turtle)
//
// No node is blank: what hangs on a dataset has its IRI with a fragment. Every term is one of its vocabulary, and what
// is written are canonical lines, so that washing a description finds nothing.
package metadata

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

// Site is where descriptions and files are.
type Site struct {
	// Base is the address of the service, without a slash at its end.
	Base string
	// Version is that of the program.
	Version string
}

// Dataset is what is known of a document. Its IRI is that of its seed below /id/.
type Dataset struct {
	// Seed is the record, as it is kept: what is told is what is served of it.
	Seed seedlist.Seed
	// Name is how people know the document: its URI, or URI!/entry.
	Name string
	// Attempts is the log of the seed, oldest first.
	Attempts []seedlist.Attempt
	// Statistics are those of the clean statements; nil: not known.
	Statistics *statistics.Statistics
}

// IsDataset says that a seed is one of the washed documents, which are listed. The others are described too.
func IsDataset(seed *seedlist.Seed) bool {
	return seed.Status != seedlist.Cleaned && seed.Document == "" && (seed.Status == seedlist.Parsed || seed.ServedClean() != "")
}

// Distribution is a form in which a dataset can be had.
type Distribution struct {
	Name  string // of the fragment of its IRI
	Title string // in English
	URL   string
	// MediaType is as IANA lists it; "" for one that is not listed, which gives access and is no file to be harvested.
	MediaType string
	// Bytes and SHA256 are of what the URL gives, where they are known: -1 and "" where not.
	Bytes  int64
	SHA256 string
}

// ID is the IRI of the dataset, or of the clean file, that has a key.
func (s Site) ID(hash string) string { return s.Base + "/id/" + hash }

// Page is the page about a dataset, for people.
func (s Site) Page(hash string) string { return s.Base + "/seeds/" + hash }

// record is the address of the record, below which its files are.
func (s Site) record(hash string) string { return s.Base + "/api/v1/seeds/" + hash }

// titleOf is what the dataset is called.
func (d *Dataset) titleOf() string {
	return cmp.Or(printable(seedlist.ShownIn(d.Seed.Title)), printable(seedlist.ShownIn(d.Name)), d.Seed.Hash)
}

// descriptionOf says in English what became of the document.
func (d *Dataset) descriptionOf() string {
	served := d.Seed.Served()
	var b strings.Builder
	switch {
	case served.Status == seedlist.Cleaned:
		b.WriteString("Clean statements that Laundromat wrote.")
	case d.Seed.IsServed():
		fmt.Fprintf(&b, "What Laundromat made of %s.", cmp.Or(printable(seedlist.ShownIn(d.Name)), d.Seed.Hash))
	default:
		fmt.Fprintf(&b, "%s, of which Laundromat has made nothing.", cmp.Or(printable(seedlist.ShownIn(d.Name)), d.Seed.Hash))
	}
	if n := served.Statements; n != nil {
		fmt.Fprintf(&b, " Of %d statements %d were kept as they were, %d repaired and %d dropped; %d are written, each once.",
			n.Read, n.Kept, n.Repaired, n.Dropped, n.Written)
	}
	if behind := d.Seed.Behind(); behind != "" {
		fmt.Fprintf(&b, " What is served is the last good wash, %s.", behind)
	}
	return b.String()
}

// Modified is when what is served of a seed was washed last; the zero time where nothing is.
func Modified(seed *seedlist.Seed) time.Time {
	number, _ := seed.ServedVersion()
	versions := seed.Versions()
	for i := range versions {
		if v := &versions[i]; v.Number == number && !v.Washed.IsZero() {
			return v.Washed
		}
	}
	served := seed.Served()
	if served.Processed.IsZero() {
		return served.Retrieved
	}
	return served.Processed
}

func (d *Dataset) modified() time.Time { return Modified(&d.Seed) }

// Changed is the time of the last change that a description shows.
func (d *Dataset) Changed() time.Time {
	last := d.modified()
	for _, at := range []time.Time{d.Seed.Added, d.Seed.Retrieved, d.Seed.Processed} {
		if at.After(last) {
			last = at
		}
	}
	for i := range d.Attempts {
		if end := ended(&d.Attempts[i]); end.After(last) {
			last = end
		}
	}
	return last
}

// Distributions are the forms in which files of a dataset are served. The bytes as they came are none: see
// [Site.Describe].
func (s Site) Distributions(seed *seedlist.Seed) (all []Distribution) {
	at := s.record(seed.Hash)
	switch {
	case seed.Status == seedlist.Cleaned:
		d := Distribution{Name: "clean", Title: "Clean N-Quads", URL: at + "/clean.nq", MediaType: nquads, Bytes: -1}
		if c := seed.Content; c != nil {
			d.Bytes, d.SHA256 = c.NumberOfBytes, c.SHA256
		}
		return append(all, d)
	case seed.ServedClean() != "":
		d := Distribution{Name: "clean", Title: "Clean N-Quads", URL: at + "/clean.nq", MediaType: nquads, Bytes: -1}
		served := seed.Served()
		if p := served.Product(seedlist.ProductStatements); p != nil && p.SHA256 != "" && p.Bytes != nil {
			d.Bytes, d.SHA256 = *p.Bytes, p.SHA256
		}
		all = append(all, d)
	}
	for _, form := range []struct{ product, name, title, query, mediaType string }{
		{seedlist.ProductRecords, "records", "Records as CSV", "?as=csv", "text/csv"},
		{seedlist.ProductArticles, "articles", "Articles, a JSON object a line", "", ""},
	} {
		if p := seed.Product(form.product); p != nil && p.HasFile() {
			all = append(all, Distribution{Name: form.name, Title: form.title, URL: at + "/" + form.product + form.query,
				MediaType: form.mediaType, Bytes: -1})
		}
	}
	return all
}

// nquads is the media type of clean files.
const nquads = "application/n-quads"

// claim is what a catalog says of a document, as it is shown.
func (d *Dataset) claim(name string) string {
	return printable(seedlist.ShownIn(d.Seed.ListedClaims()[name]))
}

// publisher is who publishes the document, as a catalog says: an IRI, or else a name.
func (d *Dataset) publisher() (iri, name string) { return iriOrName(d.claim(catalog.Publisher)) }

// licence is under which the document may be used, as a catalog says: an IRI, or else a name.
func (d *Dataset) licence() (iri, name string) { return iriOrName(d.claim(catalog.License)) }

func iriOrName(text string) (iri, name string) {
	if iri = iriOf(text); iri != "" && strings.Contains(iri, "://") {
		return iri, ""
	}
	return "", text
}
