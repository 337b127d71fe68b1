package corpus

import (
	"bufio"
	"fmt"
)

// writer is how a format writes subjects.
type writer struct {
	head, between, foot string
	subject             func(*bufio.Writer, subject)
	// graph writes what is before the first subject of a graph; nil if nothing does.
	graph func(w *bufio.Writer, number int)
}

var prefixes = fmt.Sprintf("@prefix dbr: <%s> .\n@prefix dbo: <%s> .\n@prefix rdfs: <%s> .\n@prefix owl: <%s> .\n@prefix xsd: <%s> .\n",
	resource, ontology, rdfs, owl, xsd)

var writers = map[Format]writer{
	NTriples: {subject: func(w *bufio.Writer, s subject) { writeLines(w, s, " .\n") }},
	NQuads:   {subject: func(w *bufio.Writer, s subject) { writeLines(w, s, " <"+s.graph+"> .\n") }},
	Turtle:   {head: prefixes, subject: writeTurtle},
	TriG: {head: prefixes, foot: "}\n", subject: writeTurtle, graph: func(w *bufio.Writer, number int) {
		if number > 0 {
			w.WriteString("}\n")
		}
		fmt.Fprintf(w, "\n<%s> {\n", graphOf(number))
	}},
	RDFXML: {
		head: fmt.Sprintf(
			"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns:rdf=\"%s\" xmlns:rdfs=\"%s\" xmlns:dbo=\"%s\" xmlns:owl=\"%s\">\n",
			rdf, rdfs, ontology, owl),
		foot: "</rdf:RDF>\n", subject: writeRDFXML,
	},
	JSONLD: {
		head: fmt.Sprintf("{\n  \"@context\": {\n    \"dbr\": %q, \"dbo\": %q, \"rdfs\": %q, \"owl\": %q, \"xsd\": %q,\n"+
			"    \"dbo:wikiPageWikiLink\": {\"@type\": \"@id\"}, \"dbo:isPrimaryTopicOf\": {\"@type\": \"@id\"}, \"owl:sameAs\": {\"@type\": \"@id\"},\n"+
			"    \"dbo:populationTotal\": {\"@type\": \"xsd:nonNegativeInteger\"}, \"dbo:foundingDate\": {\"@type\": \"xsd:date\"}, \"dbo:areaTotal\": {\"@type\": \"xsd:double\"}\n  },\n  \"@graph\": [\n",
			resource, ontology, rdfs, owl, xsd),
		between: ",\n", foot: "\n  ]\n}\n", subject: writeJSONLD,
	},
}

// page is what a subject has in common with many others: a blank node or an IRI, as
// the given patterns write them.
func (s *subject) page(blank, named string) string {
	number := s.wikidata[len(s.wikidata)-4:]
	if s.named {
		return fmt.Sprintf(named, "http://en.wikipedia.org/wiki/page"+number)
	}
	return fmt.Sprintf(blank, "page"+number)
}

// writeLines writes N-Triples or N-Quads; end is what is after an object.
func writeLines(w *bufio.Writer, s subject, end string) {
	me := "<" + resource + s.name + "> "
	for _, said := range []string{
		fmt.Sprintf("<%stype> <%s%s>", rdf, ontology, s.class),
		fmt.Sprintf("<%slabel> \"%s\"@en", rdfs, s.label),
		fmt.Sprintf("<%sabstract> \"%s\"@en", ontology, s.abstract),
		fmt.Sprintf("<%spopulationTotal> \"%d\"^^<%snonNegativeInteger>", ontology, s.population, xsd),
		fmt.Sprintf("<%sareaTotal> \"%s\"^^<%sdouble>", ontology, s.area, xsd),
		fmt.Sprintf("<%sfoundingDate> \"%s\"^^<%sdate>", ontology, s.founded, xsd),
		fmt.Sprintf("<%swikiPageWikiLink> <%s%s>", ontology, resource, s.links[0]),
		fmt.Sprintf("<%swikiPageWikiLink> <%s%s>", ontology, resource, s.links[1]),
		fmt.Sprintf("<%sisPrimaryTopicOf> %s", ontology, s.page("_:%s", "<%s>")),
		fmt.Sprintf("<%ssameAs> <%s>", owl, s.wikidata),
	} {
		w.WriteString(me)
		w.WriteString(said)
		w.WriteString(end)
	}
}

func writeTurtle(w *bufio.Writer, s subject) {
	fmt.Fprintf(w, "\ndbr:%s a dbo:%s ;\n    rdfs:label \"%s\"@en ;\n    dbo:abstract \"%s\"@en ;\n", s.name, s.class, s.label, s.abstract)
	fmt.Fprintf(w, "    dbo:populationTotal \"%d\"^^xsd:nonNegativeInteger ;\n    dbo:areaTotal %s ;\n    dbo:foundingDate \"%s\"^^xsd:date ;\n",
		s.population, s.area, s.founded)
	fmt.Fprintf(w, "    dbo:wikiPageWikiLink dbr:%s, dbr:%s ;\n    dbo:isPrimaryTopicOf %s ;\n    owl:sameAs <%s> .\n", s.links[0],
		s.links[1], s.page("_:%s", "<%s>"), s.wikidata)
}

func writeRDFXML(w *bufio.Writer, s subject) {
	fmt.Fprintf(w, "<dbo:%s rdf:about=\"%s%s\">\n  <rdfs:label xml:lang=\"en\">%s</rdfs:label>\n  <dbo:abstract xml:lang=\"en\">%s</dbo:abstract>\n",
		s.class, resource, s.name, s.label, s.abstract)
	fmt.Fprintf(w, "  <dbo:populationTotal rdf:datatype=\"%snonNegativeInteger\">%d</dbo:populationTotal>\n", xsd, s.population)
	fmt.Fprintf(w, "  <dbo:areaTotal rdf:datatype=\"%sdouble\">%s</dbo:areaTotal>\n", xsd, s.area)
	fmt.Fprintf(w, "  <dbo:foundingDate rdf:datatype=\"%sdate\">%s</dbo:foundingDate>\n", xsd, s.founded)
	fmt.Fprintf(w, "  <dbo:wikiPageWikiLink rdf:resource=\"%s%s\"/>\n  <dbo:wikiPageWikiLink rdf:resource=\"%s%s\"/>\n", resource,
		s.links[0], resource, s.links[1])
	fmt.Fprintf(w, "  <dbo:isPrimaryTopicOf rdf:%s/>\n  <owl:sameAs rdf:resource=\"%s\"/>\n</dbo:%s>\n",
		s.page(`nodeID="%s"`, `resource="%s"`), s.wikidata, s.class)
}

func writeJSONLD(w *bufio.Writer, s subject) {
	fmt.Fprintf(w, "    {\n      \"@id\": \"dbr:%s\",\n      \"@type\": \"dbo:%s\",\n", s.name, s.class)
	fmt.Fprintf(w, "      \"rdfs:label\": {\"@value\": \"%s\", \"@language\": \"en\"},\n      \"dbo:abstract\": {\"@value\": \"%s\", \"@language\": \"en\"},\n",
		s.label, s.abstract)
	fmt.Fprintf(w, "      \"dbo:populationTotal\": \"%d\",\n      \"dbo:areaTotal\": \"%s\",\n      \"dbo:foundingDate\": \"%s\",\n",
		s.population, s.area, s.founded)
	fmt.Fprintf(w, "      \"dbo:wikiPageWikiLink\": [\"dbr:%s\", \"dbr:%s\"],\n      \"dbo:isPrimaryTopicOf\": \"%s\",\n      \"owl:sameAs\": \"%s\"\n    }",
		s.links[0], s.links[1], s.page("_:%s", "%s"), s.wikidata)
}
