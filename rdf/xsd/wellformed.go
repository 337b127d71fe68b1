package xsd

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// Datatypes whose literals are small documents are held to the syntax of those. They have no canonical
// form here: their values are trees, and rewriting them is not for the one who only washes.

// appendJSON is RDF 1.2 Concepts, rdf:JSON: a text that the grammar of RFC 8259 makes, and
// that is I-JSON (RFC 7493). JSON-LD 1.1 §10.2, where the datatype comes from, asks only
// for the first.
func appendJSON(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, json.Valid(lexical) && faultOfIJSON(lexical) == "")
}

// appendGeoJSON is GeoSPARQL 1.1, requirements geojson-literal and geojson-literal-empty:
// an object of JSON, or nothing, which is the empty geometry. What the object says is not
// looked at.
func appendGeoJSON(dst, lexical []byte) ([]byte, Verdict) {
	text := bytes.TrimLeft(lexical, " \t\r\n")
	return sameIf(dst, lexical, len(lexical) == 0 || len(text) > 0 && text[0] == '{' && json.Valid(lexical))
}

// appendXML is RDF 1.1 Concepts §5.3: balanced content, with its namespaces
// declared, that may be between a start tag and an end tag.
func appendXML(dst, lexical []byte) ([]byte, Verdict) {
	return sameIf(dst, lexical, !bytes.ContainsAny(lexical, "<&") && !hasControl(lexical) || isXML(lexical))
}

// appendGML is GeoSPARQL 1.1, requirements gml-literal and gml-literal-empty: an element,
// or nothing, which is the empty geometry. Which element is not looked at.
func appendGML(dst, lexical []byte) ([]byte, Verdict) {
	text := bytes.TrimLeft(lexical, " \t\r\n")
	return sameIf(dst, lexical, len(lexical) == 0 || len(text) > 0 && text[0] == '<' && isXML(lexical) && isOneElement(lexical))
}

// isOneElement says that well-formed content is one element, with no other text.
func isOneElement(text []byte) bool {
	tags := xml.NewDecoder(bytes.NewReader(text))
	elements, depth := 0, 0
	for {
		token, err := tags.RawToken()
		if err != nil {
			return elements == 1
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				elements++
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.CharData:
			if depth == 0 && len(bytes.TrimSpace(token)) > 0 {
				return false
			}
		}
	}
}

// hasControl says that text holds a control character or noncharacter that XML 1.0 does
// not know, or the end of a CDATA section.
func hasControl(text []byte) bool {
	for _, b := range text {
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' {
			return true
		}
	}
	return bytes.Contains(text, []byte("]]>")) || !isXMLText(text)
}

// isXML says that text is well-formed content, by Namespaces in XML 1.0.
func isXML(text []byte) bool {
	tags := xml.NewDecoder(bytes.NewReader(text))
	open := elements{prefixes: []string{"xml"}}
	for {
		token, err := tags.RawToken()
		if err != nil {
			return errors.Is(err, io.EOF) && len(open.open) == 0
		}
		sound := true
		switch token := token.(type) {
		case xml.StartElement:
			sound = open.begin(token)
		case xml.EndElement:
			sound = open.end(token.Name)
		case xml.ProcInst:
			sound = !strings.EqualFold(token.Target, "xml")
		case xml.Directive:
			sound = false
		}
		if !sound {
			return false
		}
	}
}

// elements are those that are open, and the prefixes declared in them.
type elements struct {
	open     []element
	prefixes []string
}

type element struct {
	name     xml.Name
	declared int // how many prefixes were declared outside it
}

// begin opens an element. False means that its tag is not well-formed.
func (e *elements) begin(tag xml.StartElement) bool {
	e.open = append(e.open, element{tag.Name, len(e.prefixes)})
	for i, a := range tag.Attr {
		switch {
		case a.Name.Space == "xmlns" && (a.Value == "" || a.Name.Local == "xmlns"):
			return false
		case a.Name.Space == "xmlns":
			e.prefixes = append(e.prefixes, a.Name.Local)
		}
		for _, b := range tag.Attr[:i] {
			if a.Name == b.Name {
				return false
			}
		}
	}
	if !e.isDeclared(tag.Name) {
		return false
	}
	for _, a := range tag.Attr {
		if a.Name.Space != "xmlns" && !e.isDeclared(a.Name) {
			return false
		}
	}
	return true
}

// end closes the last element. False means that the name is another.
func (e *elements) end(name xml.Name) bool {
	if len(e.open) == 0 || e.open[len(e.open)-1].name != name {
		return false
	}
	e.prefixes = e.prefixes[:e.open[len(e.open)-1].declared]
	e.open = e.open[:len(e.open)-1]
	return true
}

func (e *elements) isDeclared(name xml.Name) bool {
	return name.Space == "" || slices.Contains(e.prefixes, name.Space)
}
