package rdf_test

import (
	"testing"

	"laundromat/rdf"
)

// A prefix that people declare for two vocabularies has no meaning by itself, though RDFa gives it one.
func TestOnlyPrefixesOfOneMeaningAreWellKnown(t *testing.T) {
	for prefix, want := range map[string]string{
		"foaf": "http://xmlns.com/foaf/0.1/", "skos": "http://www.w3.org/2004/02/skos/core#", "owl": "http://www.w3.org/2002/07/owl#",
		"sioc":    "http://rdfs.org/sioc/ns#",
		"dcterms": "http://purl.org/dc/terms/", "dct": "http://purl.org/dc/terms/", "prov": "http://www.w3.org/ns/prov#", "xsd": rdf.XSD,
		"dc": "", "v": "", "ical": "", "vcard": "", "cc": "", "og": "", "ssn": "", "cnt": "", "duv": "", "sd": "", "schema": "", "as": "",
		"ht": "", "wd": "", "": "", "FOAF": "",
	} {
		if got, ok := rdf.WellKnown(prefix); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v; want %q", prefix, got, ok, want)
		}
	}
}
