package metadata

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"laundromat/rdf/statistics"
	"laundromat/seedlist"
)

// Outline adds what a catalog has of a dataset: what it is, where it comes from, its files and its score.
func (s Site) Outline(g *Graph, d *Dataset) {
	seed := &d.Seed
	id, page := s.ID(seed.Hash), s.Page(seed.Hash)
	g.is(id, "prov:Entity")
	if IsDataset(seed) || seed.Status == seedlist.Cleaned {
		g.is(id, "dcat:Dataset")
	}
	g.says(id, "dct:identifier", seed.Hash)
	g.says(id, "dct:title", d.titleOf())
	g.saysInEnglish(id, "dct:description", d.descriptionOf())
	g.links(id, "dcat:landingPage", page)
	g.is(page, "foaf:Document")
	g.dates(id, "dct:issued", seed.Added)
	g.dates(id, "dct:modified", d.modified())
	if number, _ := seed.ServedVersion(); number > 0 {
		g.says(id, "dcat:version", strconv.FormatInt(number, 10))
	}
	source := iriOf(seed.Place())
	g.links(id, "dct:source", source)
	g.links(id, "prov:wasDerivedFrom", source)
	if seed.Parent != "" {
		g.links(id, "dct:isPartOf", s.ID(seed.Parent))
	}
	s.publishedBy(g, d, id)
	for _, one := range s.Distributions(seed) {
		s.distribution(g, d, id, page, &one)
	}
	s.score(g, d, id)
}

// publishedBy adds what catalogs claim of who publishes the document.
func (s Site) publishedBy(g *Graph, d *Dataset, id string) {
	iri, name := d.publisher()
	if name != "" {
		iri = id + "#publisher"
		g.says(iri, "foaf:name", name)
	}
	if iri != "" {
		g.links(id, "dct:publisher", iri)
		g.is(iri, "foaf:Agent")
	}
}

func (s Site) distribution(g *Graph, d *Dataset, id, page string, one *Distribution) {
	at := id + "#" + one.Name
	g.links(id, "dcat:distribution", at)
	g.is(at, "dcat:Distribution")
	g.saysInEnglish(at, "dct:title", one.Title)
	g.dates(at, "dct:modified", d.modified())
	if one.MediaType == "" {
		g.links(at, "dcat:accessURL", one.URL)
	} else {
		g.links(at, "dcat:accessURL", page)
		g.links(at, "dcat:downloadURL", one.URL)
		g.links(at, "dcat:mediaType", mediaTypes+one.MediaType)
		g.is(mediaTypes+one.MediaType, "dct:MediaType")
	}
	if one.Bytes >= 0 {
		g.typed(at, "dcat:byteSize", strconv.FormatInt(one.Bytes, 10), "xsd:nonNegativeInteger")
	}
	checksum(g, at, one.SHA256)
	iri, name := d.licence()
	if name != "" {
		iri = id + "#licence"
		g.says(iri, "rdfs:label", name)
	}
	if iri != "" {
		g.links(at, "dct:license", iri)
		g.is(iri, "dct:LicenseDocument")
	}
}

// mediaTypes are those of IANA's registry.
const mediaTypes = "https://www.iana.org/assignments/media-types/"

// checksum adds the SHA-256 of what is at an IRI.
func checksum(g *Graph, at, sha256 string) {
	if sha256 == "" {
		return
	}
	of := at + "-sha256"
	g.links(at, "spdx:checksum", of)
	g.is(of, "spdx:Checksum")
	g.links(of, "spdx:algorithm", named("spdx:checksumAlgorithm_sha256"))
	// The canonical form of xsd:hexBinary has capitals.
	g.typed(of, "spdx:checksumValue", strings.ToUpper(sha256), "xsd:hexBinary")
}

// Describe adds all that is known of a dataset: beside its outline how it was made, what it says, and how well its
// document was made.
func (s Site) Describe(g *Graph, d *Dataset) {
	s.DescribeIn(g, d)
	s.Quality(g)
}

// DescribeIn is Describe for one of many descriptions: what the metrics are is said once beside them.
func (s Site) DescribeIn(g *Graph, d *Dataset) {
	s.Outline(g, d)
	s.provenance(g, d)
	s.measures(g, d)
	if d.Statistics != nil {
		s.void(g, d)
	}
	id := s.ID(d.Seed.Hash)
	for _, child := range d.Seed.Children {
		g.links(id, "dct:hasPart", s.ID(child))
	}
	for _, form := range Forms() {
		about := id + "." + form.Extension
		g.links(id, "foaf:isPrimaryTopicOf", about)
		g.is(about, "foaf:Document")
		g.links(about, "dct:format", named(form.format))
	}
}

// mostParts is how many classes, properties and vocabularies are described, those with most triples first.
const mostParts = 1000

// void adds what the clean statements say, counted.
func (s Site) void(g *Graph, d *Dataset) {
	n, seed := d.Statistics, &d.Seed
	id := s.ID(seed.Hash)
	g.is(id, "void:Dataset")
	g.links(id, "void:dataDump", s.record(seed.Hash)+"/clean.nq.gz")
	g.links(id, "void:feature", named("format:N-Quads"))
	g.counts(id, "void:triples", n.Triples)
	g.counts(id, "void:distinctSubjects", n.Subjects)
	g.counts(id, "void:distinctObjects", n.Objects)
	g.counts(id, "void:properties", n.Properties)
	g.counts(id, "void:classes", n.Classes)
	for i := range n.ByClass[:min(len(n.ByClass), mostParts)] {
		c := &n.ByClass[i]
		part := partOf(id, "class", c.IRI)
		g.links(id, "void:classPartition", part)
		g.links(part, "void:class", c.IRI)
		g.counts(part, "void:entities", c.Entities)
		g.counts(part, "void:triples", c.Triples)
	}
	for i := range n.ByProperty[:min(len(n.ByProperty), mostParts)] {
		p := &n.ByProperty[i]
		part := partOf(id, "property", p.IRI)
		g.links(id, "void:propertyPartition", part)
		g.links(part, "void:property", p.IRI)
		g.counts(part, "void:triples", p.Triples)
		g.counts(part, "void:distinctSubjects", p.Subjects)
	}
	for i := range n.Vocabularies[:min(len(n.Vocabularies), mostParts)] {
		g.links(id, "void:vocabulary", iriOf(n.Vocabularies[i].Namespace))
	}
	if lack := lacking(n); lack != "" {
		g.saysInEnglish(id, "rdfs:comment", lack)
	}
	g.links(id, "rdfs:seeAlso", s.record(seed.Hash)+"/statistics")
}

// partOf is the IRI of a part of a dataset, which stays the same when others come.
func partOf(id, kind, iri string) string {
	sum := md5.Sum([]byte(iri))
	return id + "#" + kind + "-" + hex.EncodeToString(sum[:8])
}

// lacking says what the description leaves out or does not know exactly; "" if nothing.
func lacking(n *statistics.Statistics) string {
	var all []string
	for _, list := range []struct {
		what  string
		known int
		of    int64
	}{
		{"class partitions", len(n.ByClass), n.Classes}, {"property partitions", len(n.ByProperty), n.Properties},
	} {
		if shown := min(list.known, mostParts); int64(shown) < list.of {
			all = append(all, fmt.Sprintf("Of %d %s the %d largest are described.", list.of, list.what, shown))
		}
	}
	if len(n.Vocabularies) > mostParts {
		all = append(all, fmt.Sprintf("Of %d vocabularies %d are named.", len(n.Vocabularies), mostParts))
	}
	if len(n.Estimated) > 0 {
		all = append(all, "Estimates, by 1 %: "+strings.Join(n.Estimated, ", ")+".")
	}
	return strings.Join(all, " ")
}

// Told is what a dataset is called, and what became of its document, in English.
func (d *Dataset) Told() (title, description string) { return d.titleOf(), d.descriptionOf() }

// SchemaOrg is the dataset in the words of schema.org, for search engines: an object of JSON-LD.
func (s Site) SchemaOrg(d *Dataset) map[string]any {
	seed := &d.Seed
	catalog := s.Base + "/catalog"
	all := map[string]any{
		"@context": "https://schema.org/", "@type": "Dataset", "@id": s.ID(seed.Hash), "url": s.Page(seed.Hash),
		"identifier": seed.Hash, "name": d.titleOf(), "description": d.descriptionOf(),
		"includedInDataCatalog": map[string]any{"@type": "DataCatalog", "@id": catalog, "url": catalog, "name": s.called()},
	}
	if !seed.Added.IsZero() {
		all["datePublished"] = dateTime(seed.Added)
	}
	if at := d.modified(); !at.IsZero() {
		all["dateModified"] = dateTime(at)
	}
	if number, _ := seed.ServedVersion(); number > 0 {
		all["version"] = strconv.FormatInt(number, 10)
	}
	if source := iriOf(seed.Place()); source != "" {
		all["isBasedOn"] = source
	}
	if seed.Parent != "" {
		all["isPartOf"] = map[string]any{"@type": "Dataset", "@id": s.ID(seed.Parent)}
	}
	if iri, name := d.publisher(); iri != "" || name != "" {
		agent := map[string]any{"@type": "Organization", "name": cmp.Or(name, iri)}
		if iri != "" {
			agent["@id"] = iri
		}
		all["publisher"] = agent
	}
	if iri, name := d.licence(); iri != "" || name != "" {
		all["license"] = cmp.Or(iri, name)
	}
	var files []any
	for _, one := range s.Distributions(seed) {
		file := map[string]any{"@type": "DataDownload", "name": one.Title, "contentUrl": one.URL}
		if one.MediaType != "" {
			file["encodingFormat"] = one.MediaType
		}
		if one.Bytes >= 0 {
			file["contentSize"] = strconv.FormatInt(one.Bytes, 10) + " B"
		}
		if one.SHA256 != "" {
			file["sha256"] = one.SHA256
		}
		files = append(files, file)
	}
	if files != nil {
		all["distribution"] = files
	}
	return all
}
