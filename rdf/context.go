package rdf

// InitialContext maps the prefixes of the RDFa 1.1 initial context to their namespaces. In RDFa they need no
// declaration; what they mean elsewhere, WellKnown says. It must not be changed.
var InitialContext = map[string]string{
	// vocabularies of the W3C
	"as":     "https://www.w3.org/ns/activitystreams#",
	"cnt":    "http://www.w3.org/2008/content#",
	"csvw":   "http://www.w3.org/ns/csvw#",
	"dcat":   "http://www.w3.org/ns/dcat#",
	"dqv":    "http://www.w3.org/ns/dqv#",
	"duv":    "https://www.w3.org/ns/duv#",
	"earl":   "http://www.w3.org/ns/earl#",
	"gldp":   "http://www.w3.org/ns/people#",
	"grddl":  "http://www.w3.org/2003/g/data-view#",
	"ht":     "http://www.w3.org/2006/http#",
	"jsonld": "http://www.w3.org/ns/json-ld#",
	"ldp":    "http://www.w3.org/ns/ldp#",
	"ma":     "http://www.w3.org/ns/ma-ont#",
	"oa":     "http://www.w3.org/ns/oa#",
	"odrl":   "http://www.w3.org/ns/odrl/2/",
	"org":    "http://www.w3.org/ns/org#",
	"owl":    "http://www.w3.org/2002/07/owl#",
	"prov":   "http://www.w3.org/ns/prov#",
	"ptr":    "http://www.w3.org/2009/pointers#",
	"qb":     "http://purl.org/linked-data/cube#",
	"rdf":    RDF,
	"rdfa":   "http://www.w3.org/ns/rdfa#",
	"rdfs":   "http://www.w3.org/2000/01/rdf-schema#",
	"rif":    "http://www.w3.org/2007/rif#",
	"rr":     "http://www.w3.org/ns/r2rml#",
	"sd":     "http://www.w3.org/ns/sparql-service-description#",
	"skos":   "http://www.w3.org/2004/02/skos/core#",
	"skosxl": "http://www.w3.org/2008/05/skos-xl#",
	"sosa":   "http://www.w3.org/ns/sosa/",
	"ssn":    "http://www.w3.org/ns/ssn/",
	"time":   "http://www.w3.org/2006/time#",
	"void":   "http://rdfs.org/ns/void#",
	"wdr":    "http://www.w3.org/2007/05/powder#",
	"wdrs":   "http://www.w3.org/2007/05/powder-s#",
	"xhv":    "http://www.w3.org/1999/xhtml/vocab#",
	"xml":    "http://www.w3.org/XML/1998/namespace",
	"xsd":    XSD,

	// widely used vocabularies of others
	"cc":      "http://creativecommons.org/ns#",
	"ctag":    "http://commontag.org/ns#",
	"dc":      "http://purl.org/dc/terms/",
	"dc11":    "http://purl.org/dc/elements/1.1/",
	"dcterms": "http://purl.org/dc/terms/",
	"foaf":    "http://xmlns.com/foaf/0.1/",
	"gr":      "http://purl.org/goodrelations/v1#",
	"ical":    "http://www.w3.org/2002/12/cal/icaltzd#",
	"og":      "http://ogp.me/ns#",
	"rev":     "http://purl.org/stuff/rev#",
	"schema":  "http://schema.org/",
	"sioc":    "http://rdfs.org/sioc/ns#",
	"v":       "http://rdf.data-vocabulary.org/#",
	"vcard":   "http://www.w3.org/2006/vcard/ns#",
}

// ambiguous are the prefixes of the initial context that people declare for more than one vocabulary, and the other
// one. A document that does not declare one of these leaves open which it means.
//
// All prefixes above were held against the declarations that prefix.cc collects, and against those of Wikibase.
// Those that are not here have one namespace there, or another that data gave up long ago. Such are that of skos
// from the drafts of 2008, and that of xsd from 2000.
var ambiguous = map[string]string{
	"as":     "http://www.w3.org/ns/activitystreams#", // without TLS, as people declare it in Turtle
	"cc":     "http://web.resource.org/cc/",           // Creative Commons until 2008, in RSS and SVG
	"cnt":    "http://www.w3.org/2011/content#",       // the version after that of the initial context
	"dc":     "http://purl.org/dc/elements/1.1/",      // the elements of Dublin Core beside its terms
	"duv":    "http://www.w3.org/ns/duv#",             // as the vocabulary itself has it
	"ht":     "http://www.w3.org/2011/http#",          // the version after that of the initial context
	"ical":   "http://www.w3.org/2002/12/cal/ical#",   // without time zones
	"og":     "http://opengraphprotocol.org/schema/",  // Open Graph until 2010
	"schema": "https://schema.org/",                   // as the site itself is addressed today
	"sd":     "https://w3id.org/okn/o/sd#",            // descriptions of software, not of SPARQL services
	"ssn":    "http://purl.oclc.org/NET/ssnx/ssn#",    // sensors, before the W3C recommended them
	"v":      "http://www.wikidata.org/value/",        // value nodes of Wikibase; vCard too
	"vcard":  "http://www.w3.org/2001/vcard-rdf/3.0#", // vCard 3
}

// WellKnown is the namespace of a prefix that has one meaning everywhere, so that a document which uses it without
// declaring it leaves no doubt.
func WellKnown(prefix string) (iri string, ok bool) {
	if ambiguous[prefix] != "" {
		return "", false
	}
	if prefix == "dct" {
		prefix = "dcterms"
	}
	iri, ok = InitialContext[prefix]
	return iri, ok
}
