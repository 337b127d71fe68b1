package xsd

import (
	"bytes"
	"encoding/json"

	"laundromat/rdf"
)

// Standing says what an IRI is as a datatype.
type Standing uint8

const (
	Foreign    Standing = iota // of a namespace that others rule
	Known                      // a datatype of RDF; Find finds it, unless it takes any text
	Misspelt                   // none, and one is clearly meant: see Meant
	Unknown                    // none, in a namespace that is ruled by specifications
	Unsuitable                 // one of XML Schema or a class, which RDF says not to use
)

// Judge says what an IRI is as a datatype.
func Judge(iri []byte) Standing {
	for _, space := range []struct {
		iri   string
		known map[string]*Datatype
	}{{rdf.XSD, builtIn}, {rdf.RDF, ofRDF}, {geosparql, ofGeoSPARQL}} {
		name, found := bytes.CutPrefix(iri, []byte(space.iri))
		if !found {
			continue
		}
		switch {
		case space.known[string(name)] != nil, anyText[space.iri+string(name)]:
			return Known
		case unsuitable[space.iri+string(name)]:
			return Unsuitable
		}
		if Meant(iri) != "" {
			return Misspelt
		}
		return Unknown
	}
	switch {
	case unsuitable[string(iri)]:
		return Unsuitable
	case Meant(iri) != "":
		return Misspelt
	}
	for _, draft := range []string{"http://www.w3.org/1999/XMLSchema", "http://www.w3.org/2000/10/XMLSchema",
		"http://www.w3.org/2001/XMLSchema-datatypes", "http://www.w3.org/2000/01/rdf-schema#"} {
		if bytes.HasPrefix(iri, []byte(draft)) {
			return Unknown
		}
	}
	return Foreign
}

// anyText are the datatypes whose lexical space is all text.
var anyText = map[string]bool{
	rdf.XSD + "string": true, rdf.LangString: true, rdf.DirLangString: true, rdf.RDF + "HTML": true,
	geosparql + "kmlLiteral": true, geosparql + "dggsLiteral": true, // of which nothing is checked
}

// unsuitable are the other built-in types of XSD 1.1, which RDF 1.1 Concepts §5.1 says not to use.
// Two names that are no datatypes of a graph are also among them.
var unsuitable = map[string]bool{
	rdf.XSD + "QName": true, rdf.XSD + "NOTATION": true, rdf.XSD + "ENTITY": true, rdf.XSD + "ENTITIES": true,
	rdf.XSD + "ID": true, rdf.XSD + "IDREF": true, rdf.XSD + "IDREFS": true, rdf.XSD + "NMTOKENS": true,
	rdf.XSD + "anyType": true, rdf.XSD + "anySimpleType": true, rdf.XSD + "anyAtomicType": true,
	rdf.RDF + "PlainLiteral":                       true, // its specification keeps it out of graphs
	"http://www.w3.org/2000/01/rdf-schema#Literal": true, // the class of all literals
}

// Meant is the IRI of the one datatype that a misspelt IRI surely means; "" if it is not misspelt, or
// several may be meant. The name is right except for the case of its letters. So is the namespace, except
// for https, a missing www or #, or another sign in the place of #. It may have -datatypes after it,
// or be a prefix (xsd:, xs:) that was never resolved. Nobody but W3C makes names in that namespace,
// and no two there differ in case alone.
func Meant(iri []byte) string {
	if right := rdf.LanguageType(iri); right != "" && right != string(iri) {
		return right
	}
	name := iri
	if rest, ok := cutFold(iri, "xsd:"); ok {
		name = rest
	} else if rest, ok := cutFold(iri, "xs:"); ok {
		name = rest
	} else {
		if name, ok = cutFold(iri, "http://"); !ok {
			if name, ok = cutFold(iri, "https://"); !ok {
				return ""
			}
		}
		name, _ = cutFold(name, "www.")
		for _, space := range []string{rdf.RDF, geosparql} {
			_, rest, _ := bytes.Cut([]byte(space), []byte("//www."))
			if local, ok := cutFold(name, string(rest)); ok {
				return byFold(space, local, iri)
			}
		}
		if name, ok = cutFold(name, "w3.org/2001/XMLSchema"); !ok {
			return ""
		}
		// XSD 1.1 Part 2 §3.1: the same datatypes are in this namespace too; appendix I.1
		// deprecates it, and RDF does not know it.
		name, _ = cutFold(name, "-datatypes")
		name = bytes.TrimLeft(name, "#/:")
		if rest, ok := cutFold(name, "%23"); ok {
			name = rest
		}
		if rest, ok := cutFold(name, "xsd:"); ok {
			name = rest
		}
	}
	return byFold(rdf.XSD, name, iri)
}

// byFold is the IRI of the datatype of a namespace whose name differs from name in case at most. It is
// "" if there is none, or it is iri.
func byFold(space string, name, iri []byte) string {
	known := builtIn
	switch space {
	case rdf.RDF:
		known = ofRDF
	case geosparql:
		known = ofGeoSPARQL
	}
	meant := ""
	if space == rdf.XSD && bytes.EqualFold(name, []byte("string")) {
		meant = "string"
	}
	for right := range known {
		if len(right) == len(name) && bytes.EqualFold(name, []byte(right)) {
			meant = right
		}
	}
	if meant == "" || string(iri) == space+meant {
		return ""
	}
	return space + meant
}

// cutFold cuts off a prefix in any case.
func cutFold(text []byte, prefix string) ([]byte, bool) {
	if len(text) < len(prefix) || !bytes.EqualFold(text[:len(prefix)], []byte(prefix)) {
		return text, false
	}
	return text[len(prefix):], true
}

// Why says, for a person, why a lexical form that is not in the lexical space of d
// is not.
func (d *Datatype) Why(lexical []byte) string {
	trimmed := bytes.TrimSpace(lexical)
	switch {
	case len(lexical) == 0:
		return "there is no text"
	case len(trimmed) == 0:
		return "there is only white space"
	case len(trimmed) < len(lexical) && valid(d, trimmed):
		return "there is white space around the value"
	case d.whole != nil && valid(builtIn["integer"], lexical):
		return "the number is out of its range"
	case !isXMLText(lexical):
		return "it holds a character that no text of XML has"
	}
	switch d.name {
	case "xsd:date", "xsd:dateTime", "xsd:dateTimeStamp":
		if why := whyNoDate(lexical); why != "" {
			return why
		}
	case "xsd:boolean":
		return "only true, false, 1 and 0 are"
	case "rdf:JSON":
		if json.Valid(lexical) {
			return faultOfIJSON(lexical)
		}
	}
	for _, name := range []string{"boolean", "integer", "decimal", "double", "date", "dateTime", "time", "gYear", "gYearMonth",
		"duration"} {
		if other := builtIn[name]; other != d && valid(other, lexical) {
			return "it would be right as " + other.name
		}
	}
	if comma := bytes.IndexByte(lexical, ','); comma >= 0 && d.name != "xsd:date" && valid(d, withByte(lexical, comma, '.')) {
		return "the decimal mark is a point"
	}
	return ""
}

// valid says that text is in the lexical space of d.
func valid(d *Datatype, text []byte) bool {
	_, verdict := d.append(nil, text)
	return verdict == Valid
}

// withByte is text with b at index i.
func withByte(text []byte, i int, b byte) []byte {
	text = bytes.Clone(text)
	text[i] = b
	return text
}

// whyNoDate says why a text is no date, or no date with a time; "" if nothing is known.
func whyNoDate(lexical []byte) string {
	shape := make([]byte, 0, 32)
	for _, b := range lexical {
		if len(shape) < 24 && isDigit(b) {
			b = '0'
		}
		shape = append(shape, b)
	}
	if len(shape) > 10 && (shape[10] == ' ' || shape[10] == 't') && valid(builtIn["dateTime"], withByte(lexical, 10, 'T')) {
		return "between date and time is a T"
	}
	if bytes.HasPrefix(shape, []byte("0000-00-00")) && !valid(builtIn["date"], lexical[:10]) {
		return "there is no such day"
	}
	return ""
}
