package rdf

import "bytes"

// LanguageType is the datatype of texts in a language that an IRI means, rdf:langString or
// rdf:dirLangString; "" for any other. It may be misspelt in the case of its letters, with https, or
// without www.
func LanguageType(iri []byte) (meant string) {
	const name = "langString"
	if len(iri) < len(name) || !bytes.EqualFold(iri[len(iri)-len(name):], []byte(name)) {
		return ""
	}
	_, place, found := bytes.Cut(iri, []byte("://"))
	scheme := iri[:len(iri)-len(place)]
	if !found || !bytes.EqualFold(scheme, []byte("http://")) && !bytes.EqualFold(scheme, []byte("https://")) {
		return ""
	}
	const www = len("www.")
	for _, right := range []string{LangString, DirLangString} {
		rest := []byte(right[len("http://"):])
		if bytes.EqualFold(place, rest) || bytes.EqualFold(place, rest[www:]) {
			return right
		}
	}
	return ""
}
