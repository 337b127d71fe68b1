// Package corpus makes the linked data that the benchmarks wash: always the same,
// in the manner of DBpedia, in any of a few formats.
package corpus

import (
	"bufio"
	"fmt"
	"io"
)

// Format is how the statements are written.
type Format string

// The formats that can be made.
const (
	NTriples Format = "nt"
	Turtle   Format = "ttl"
	RDFXML   Format = "rdf"
)

const (
	resource = "http://dbpedia.org/resource/"
	ontology = "http://dbpedia.org/ontology/"
	rdfs     = "http://www.w3.org/2000/01/rdf-schema#"
	rdf      = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	owl      = "http://www.w3.org/2002/07/owl#"
	xsd      = "http://www.w3.org/2001/XMLSchema#"
)

// perSubject is how many statements one subject has.
const perSubject = 10

// Write writes n statements, rounded up to whole subjects, about subjects of the
// given family: those of two families have nothing in common. One statement in
// fifty is there twice.
func Write(to io.Writer, format Format, family, n int) error {
	out := bufio.NewWriterSize(to, 64<<10)
	write := map[Format]func(*bufio.Writer, subject){
		NTriples: writeNTriples, Turtle: writeTurtle, RDFXML: writeRDFXML,
	}[format]
	if write == nil {
		return fmt.Errorf("corpus: no format %q", format)
	}
	switch format {
	case Turtle:
		fmt.Fprintf(out, "@prefix dbr: <%s> .\n@prefix dbo: <%s> .\n@prefix rdfs: <%s> .\n@prefix owl: <%s> .\n@prefix xsd: <%s> .\n", resource, ontology, rdfs, owl, xsd)
	case RDFXML:
		fmt.Fprintf(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns:rdf=\"%s\" xmlns:rdfs=\"%s\" xmlns:dbo=\"%s\" xmlns:owl=\"%s\">\n", rdf, rdfs, ontology, owl)
	}
	random := generator(uint64(family)*0x9E3779B97F4A7C15 + 1)
	for made := 0; made < n; made += perSubject {
		write(out, newSubject(family, made/perSubject, &random))
	}
	if format == RDFXML {
		out.WriteString("</rdf:RDF>\n")
	}
	return out.Flush()
}

// generator is a xorshift generator of pseudo-random numbers: few lines, and the
// same everywhere.
type generator uint64

func (g *generator) next(n int) int {
	*g ^= *g << 13
	*g ^= *g >> 7
	*g ^= *g << 17
	return int(uint64(*g) >> 1 % uint64(n))
}

// subject is what is said of one thing.
type subject struct {
	name       string
	label      string
	abstract   string
	class      string
	population int
	area       string
	founded    string
	links      [2]string
	homepage   string
	wikidata   string
}

var (
	syllables = []string{"ba", "den", "el", "for", "gra", "haus", "in", "kö", "lau", "mar", "nor", "os", "pen", "ri", "sta", "tú", "ver", "wald", "yl", "zu"}
	classes   = []string{"Settlement", "Person", "Film", "Species", "MusicalWork", "Building", "Organisation"}
	words     = []string{"is", "a", "town", "in", "the", "north", "of", "known", "for", "its", "river", "and", "old", "market", "with", "many", "houses", "café", "since", "then"}
)

func newSubject(family, number int, random *generator) subject {
	name := ""
	for range 2 + random.next(3) {
		name += syllables[random.next(len(syllables))]
	}
	abstract := name
	for range 12 + random.next(20) {
		abstract += " " + words[random.next(len(words))]
	}
	return subject{
		name:       fmt.Sprintf("%s_%x_%d", name, family, number),
		label:      name,
		abstract:   abstract + ".",
		class:      classes[random.next(len(classes))],
		population: random.next(5_000_000),
		area:       fmt.Sprintf("%d.%dE3", 1+random.next(9), random.next(1000)),
		founded:    fmt.Sprintf("%d-%02d-%02d", 1000+random.next(1020), 1+random.next(12), 1+random.next(28)),
		links:      [2]string{link(family, random), link(family, random)},
		homepage:   fmt.Sprintf("http://www.%s.example/%d", syllables[random.next(7)], number),
		wikidata:   fmt.Sprintf("http://www.wikidata.org/entity/Q%d", random.next(1<<30)),
	}
}

func link(family int, random *generator) string {
	return fmt.Sprintf("%s_%x", syllables[random.next(7)]+syllables[random.next(7)], family)
}

func (s *subject) repeats() bool { return len(s.abstract)%5 == 0 }

func writeNTriples(w *bufio.Writer, s subject) {
	me := "<" + resource + s.name + "> "
	fmt.Fprintf(w, "%s<%stype> <%s%s> .\n", me, rdf, ontology, s.class)
	fmt.Fprintf(w, "%s<%slabel> \"%s\"@en .\n", me, rdfs, s.label)
	fmt.Fprintf(w, "%s<%sabstract> \"%s\"@en .\n", me, ontology, s.abstract)
	fmt.Fprintf(w, "%s<%spopulationTotal> \"%d\"^^<%snonNegativeInteger> .\n", me, ontology, s.population, xsd)
	fmt.Fprintf(w, "%s<%sareaTotal> \"%s\"^^<%sdouble> .\n", me, ontology, s.area, xsd)
	fmt.Fprintf(w, "%s<%sfoundingDate> \"%s\"^^<%sdate> .\n", me, ontology, s.founded, xsd)
	fmt.Fprintf(w, "%s<%swikiPageWikiLink> <%s%s> .\n", me, ontology, resource, s.links[0])
	second := s.links[1]
	if s.repeats() {
		second = s.links[0]
	}
	fmt.Fprintf(w, "%s<%swikiPageWikiLink> <%s%s> .\n", me, ontology, resource, second)
	fmt.Fprintf(w, "%s<%sisPrimaryTopicOf> _:page%s .\n", me, ontology, s.wikidata[len(s.wikidata)-4:])
	fmt.Fprintf(w, "%s<%ssameAs> <%s> .\n", me, owl, s.wikidata)
}

func writeTurtle(w *bufio.Writer, s subject) {
	second := s.links[1]
	if s.repeats() {
		second = s.links[0]
	}
	fmt.Fprintf(w, "\ndbr:%s a dbo:%s ;\n    rdfs:label \"%s\"@en ;\n    dbo:abstract \"%s\"@en ;\n", s.name, s.class, s.label, s.abstract)
	fmt.Fprintf(w, "    dbo:populationTotal \"%d\"^^xsd:nonNegativeInteger ;\n    dbo:areaTotal %s ;\n    dbo:foundingDate \"%s\"^^xsd:date ;\n", s.population, s.area, s.founded)
	fmt.Fprintf(w, "    dbo:wikiPageWikiLink dbr:%s, dbr:%s ;\n    dbo:isPrimaryTopicOf _:page%s ;\n    owl:sameAs <%s> .\n", s.links[0], second, s.wikidata[len(s.wikidata)-4:], s.wikidata)
}

func writeRDFXML(w *bufio.Writer, s subject) {
	second := s.links[1]
	if s.repeats() {
		second = s.links[0]
	}
	fmt.Fprintf(w, "<dbo:%s rdf:about=\"%s%s\">\n  <rdfs:label xml:lang=\"en\">%s</rdfs:label>\n  <dbo:abstract xml:lang=\"en\">%s</dbo:abstract>\n", s.class, resource, s.name, s.label, s.abstract)
	fmt.Fprintf(w, "  <dbo:populationTotal rdf:datatype=\"%snonNegativeInteger\">%d</dbo:populationTotal>\n", xsd, s.population)
	fmt.Fprintf(w, "  <dbo:areaTotal rdf:datatype=\"%sdouble\">%s</dbo:areaTotal>\n", xsd, s.area)
	fmt.Fprintf(w, "  <dbo:foundingDate rdf:datatype=\"%sdate\">%s</dbo:foundingDate>\n", xsd, s.founded)
	fmt.Fprintf(w, "  <dbo:wikiPageWikiLink rdf:resource=\"%s%s\"/>\n  <dbo:wikiPageWikiLink rdf:resource=\"%s%s\"/>\n", resource, s.links[0], resource, second)
	fmt.Fprintf(w, "  <dbo:isPrimaryTopicOf rdf:nodeID=\"page%s\"/>\n  <owl:sameAs rdf:resource=\"%s\"/>\n</dbo:%s>\n", s.wikidata[len(s.wikidata)-4:], s.wikidata, s.class)
}
