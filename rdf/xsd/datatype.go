// Package xsd knows the datatypes of RDF. It says which text is in the lexical space of each, and the one
// canonical form in which each value is written.
//
//	d := xsd.Find([]byte("http://www.w3.org/2001/XMLSchema#integer"))
//	canonical, verdict := d.AppendCanonical(nil, []byte("+007")) // "7", xsd.Valid
//
// These are the datatypes that RDF 1.1 Concepts §5.1 lists, by XSD 1.1 Part 2. Some more have no
// canonical form but a syntax: rdf:XMLLiteral, rdf:JSON, geo:wktLiteral and their kin.
//
// RDF takes lexical forms as they are. The white space processing of XML Schema belongs to XML
// documents, so that white space around a number is in no lexical space here. RDF 1.1 Concepts §5.1
// asks for no such processing, and by XSD 1.1 Part 2 §4.1.4 the facet takes no part in validity.
//
// Values have any number of digits; only float and double are bounded, by what they are. Nothing here
// allocates except for text that is not ordinary.
package xsd

import (
	"bytes"

	"laundromat/rdf"
)

// Verdict says what a lexical form is to its datatype.
type Verdict uint8

const (
	Valid      Verdict = iota // the canonical form was appended
	IllTyped                  // not in the lexical space, or its value not in the value space
	OutOfRange                // the canonical form would be another value: infinity, zero
)

// Datatype is a datatype whose lexical space is known.
type Datatype struct {
	name   string // as people write it: xsd:integer
	append form
	whole  *bounds // of the integers, nil for others
	digits int     // how many digits a positive integer may have and be in its bounds in any case
	below  int     // and a negative one
	glance func(d *Datatype, lexical []byte) bool
}

// form appends the canonical form of a lexical form to dst.
type form func(dst, lexical []byte) ([]byte, Verdict)

// Name is how people write the datatype: xsd:integer, rdf:JSON.
func (d *Datatype) Name() string { return d.name }

// AppendCanonical appends to dst the canonical form of a lexical form. Unless the
// verdict is [Valid], what was appended means nothing. Datatypes without a
// canonical form of their own give the lexical form itself.
func (d *Datatype) AppendCanonical(dst, lexical []byte) ([]byte, Verdict) {
	return d.append(dst, lexical)
}

// IsCanonical says that a lexical form is canonical, at a glance. It is quick, knows
// the ordinary forms of numbers and dates, and denies all others.
func (d *Datatype) IsCanonical(lexical []byte) bool {
	return d.glance != nil && d.glance(d, lexical)
}

// Find finds a datatype by its IRI; nil if nothing is known of its lexical space. It is also nil if
// nothing is to be known, as of xsd:string and rdf:HTML, which take any text.
func Find(iri []byte) *Datatype {
	switch {
	case len(iri) > len(rdf.XSD) && string(iri[:len(rdf.XSD)]) == rdf.XSD:
		return builtIn[string(iri[len(rdf.XSD):])]
	case len(iri) > len(rdf.RDF) && string(iri[:len(rdf.RDF)]) == rdf.RDF:
		return ofRDF[string(iri[len(rdf.RDF):])]
	case len(iri) > len(geosparql) && string(iri[:len(geosparql)]) == geosparql:
		return ofGeoSPARQL[string(iri[len(geosparql):])]
	}
	return nil
}

// geosparql is the namespace of OGC GeoSPARQL.
const geosparql = "http://www.opengis.net/ont/geosparql#"

// builtIn are the datatypes of XSD that RDF knows, except for string.
var builtIn = byName("xsd:", []Datatype{
	{name: "boolean", append: appendBoolean, glance: (*Datatype).isPlainBoolean},
	{name: "decimal", append: appendDecimal, glance: (*Datatype).isPlainDecimal},
	{name: "float", append: appendFloat, glance: (*Datatype).isPlainFloat},
	{name: "double", append: appendDouble, glance: (*Datatype).isPlainDouble},

	{name: "integer", whole: &bounds{}},
	{name: "nonPositiveInteger", whole: &bounds{most: atLeast("")}},
	{name: "negativeInteger", whole: &bounds{most: negative("1")}},
	{name: "nonNegativeInteger", whole: &bounds{least: atLeast("")}},
	{name: "positiveInteger", whole: &bounds{least: atLeast("1")}},
	{name: "long", whole: &bounds{negative("9223372036854775808"), atLeast("9223372036854775807")}},
	{name: "int", whole: &bounds{negative("2147483648"), atLeast("2147483647")}},
	{name: "short", whole: &bounds{negative("32768"), atLeast("32767")}},
	{name: "byte", whole: &bounds{negative("128"), atLeast("127")}},
	{name: "unsignedLong", whole: &bounds{atLeast(""), atLeast("18446744073709551615")}},
	{name: "unsignedInt", whole: &bounds{atLeast(""), atLeast("4294967295")}},
	{name: "unsignedShort", whole: &bounds{atLeast(""), atLeast("65535")}},
	{name: "unsignedByte", whole: &bounds{atLeast(""), atLeast("255")}},

	{name: "date", append: appendDate, glance: (*Datatype).isPlainDate},
	{name: "dateTime", append: appendDateTime, glance: (*Datatype).isPlainDateTime},
	{name: "dateTimeStamp", append: appendDateTimeStamp},
	{name: "time", append: appendTime},
	{name: "gYear", append: appendGYear},
	{name: "gYearMonth", append: appendGYearMonth},
	{name: "gMonth", append: appendGMonth},
	{name: "gMonthDay", append: appendGMonthDay},
	{name: "gDay", append: appendGDay},
	{name: "duration", append: appendDuration},
	{name: "yearMonthDuration", append: appendYearMonthDuration},
	{name: "dayTimeDuration", append: appendDayTimeDuration},

	{name: "hexBinary", append: appendHexBinary},
	{name: "base64Binary", append: appendBase64Binary},
	{name: "normalizedString", append: appendNormalizedString},
	{name: "token", append: appendToken},
	{name: "language", append: appendLanguage},
	{name: "Name", append: appendName},
	{name: "NCName", append: appendNCName},
	{name: "NMTOKEN", append: appendNMTOKEN},
	{name: "anyURI", append: appendAnyURI},
})

var ofRDF = byName("rdf:", []Datatype{
	{name: "XMLLiteral", append: appendXML},
	{name: "JSON", append: appendJSON},
})

var ofGeoSPARQL = byName("geo:", []Datatype{
	{name: "wktLiteral", append: appendWKT},
	{name: "gmlLiteral", append: appendGML},
	{name: "geoJSONLiteral", append: appendGeoJSON},
})

// byName gives each datatype its name with a prefix, and finds it by its name without.
func byName(prefix string, all []Datatype) map[string]*Datatype {
	found := make(map[string]*Datatype, len(all))
	for i := range all {
		d := &all[i]
		if d.whole != nil {
			least, most := d.whole.least, d.whole.most
			d.glance, d.digits, d.below = (*Datatype).isPlainInteger, roomIn(least, most), roomBelow(least, most)
			d.append = func(dst, lexical []byte) ([]byte, Verdict) { return appendWhole(dst, lexical, least, most) }
		}
		found[d.name] = d
		d.name = prefix + d.name
	}
	return found
}

// appendBoolean is XSD 1.1 Part 2 §3.3.2.
func appendBoolean(dst, lexical []byte) ([]byte, Verdict) {
	switch string(lexical) {
	case "true", "1":
		return append(dst, "true"...), Valid
	case "false", "0":
		return append(dst, "false"...), Valid
	}
	return dst, IllTyped
}

// appendHexBinary is XSD 1.1 Part 2 §3.3.15: pairs of digits, upper case.
func appendHexBinary(dst, lexical []byte) ([]byte, Verdict) {
	if len(lexical)%2 != 0 {
		return dst, IllTyped
	}
	for _, b := range lexical {
		switch {
		case !isDigit(b) && (b|0x20 < 'a' || b|0x20 > 'f'):
			return dst, IllTyped
		case b >= 'a':
			b -= 'a' - 'A'
		}
		dst = append(dst, b)
	}
	return dst, Valid
}

// appendBase64Binary is XSD 1.1 Part 2 §3.3.16: the lexical form may hold single
// spaces between its characters, the canonical one does not.
func appendBase64Binary(dst, lexical []byte) ([]byte, Verdict) {
	begin, padding, spaced := len(dst), 0, true
	var last byte // the last digit
	for _, b := range lexical {
		switch {
		case b == ' ' && !spaced:
			spaced = true
			continue
		case b == '=' && padding < 2:
			padding++
		case padding == 0 && (isLetter(b) || isDigit(b) || b == '+' || b == '/'):
			last = b
		default:
			return dst, IllTyped
		}
		spaced = false
		dst = append(dst, b)
	}
	if spaced && len(lexical) > 0 || (len(dst)-begin)%4 != 0 {
		return dst, IllTyped
	}
	// The digit before the padding ends in bits that must be zero.
	unused := [3]string{"", "AEIMQUYcgkosw048", "AQgw"}[padding]
	if padding > 0 && bytes.IndexByte([]byte(unused), last) < 0 {
		return dst, IllTyped
	}
	return dst, Valid
}

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
