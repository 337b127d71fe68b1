// Package format is the list of RDF formats that Laundromat reads. It distinguishes them by what a
// document holds, and calls the reader of each.
//
//	g := format.Guess(prefix, whole, contentType, name)
//	if g.Format == "" {
//		… the document is g.NotRDF
//	}
//	reading, err := format.Parse(ctx, g.Format, text, format.Options{Guessed: true}, sink)
//
// Content speaks first: on the web one in ten Content-Type headers is wrong, and
// names of files are worse. Both only decide what the content leaves open. A
// document is of a format also if parts of it are broken; how much is lost in the
// end, the reader finds out.
package format

import (
	"mime"
	"path"
	"strings"

	"laundromat/internal/fault"
)

// Format is an RDF format by the name that records and reports show.
type Format string

// The formats that are read. Their values are stored in records and do not change.
const (
	HTML     Format = "HTML" // RDFa, Microdata, and scripts in JSON-LD or another format
	JSONLD   Format = "JSON-LD"
	NQuads   Format = "N-Quads"
	NTriples Format = "N-Triples"
	RDFXML   Format = "RDF/XML"
	RDFJSON  Format = "RDF/JSON"
	RDFa     Format = "RDFa" // alone
	TriG     Format = "TriG"
	TriX     Format = "TriX"
	Turtle   Format = "Turtle"
	N3       Format = "N3" // Turtle with formulae, which are lost
)

// formats is the list. The first media type is the registered one; extensions are
// without dot. Names are compared without case, and without "-", "/" and spaces.
var formats = []struct {
	format     Format
	names      []string
	mediaTypes []string
	extensions []string
}{
	{HTML, []string{"html", "xhtml"},
		[]string{"text/html", XHTML},
		[]string{"html", "htm", "xhtml", "xht"}},
	{JSONLD, []string{"jsonld"},
		[]string{"application/ld+json", "application/x-json+ld"},
		[]string{"jsonld", "json-ld"}},
	{NQuads, []string{"nquads"},
		[]string{"application/n-quads", "text/x-nquads", "text/nquads", "application/nquads", "text/n-quads"},
		[]string{"nq", "nquads"}},
	{NTriples, []string{"ntriples"},
		[]string{"application/n-triples", "text/ntriples", "text/n-triples", "application/ntriples", "application/x-ntriples",
			"text/x-ntriples"},
		[]string{"nt", "ntriples"}},
	{RDFXML, []string{"rdfxml", "xmlrdf"},
		[]string{"application/rdf+xml", "text/rdf+xml", "application/rdf", "text/rdf", "application/owl+xml"},
		[]string{"rdf", "rdfs", "owl", "rdfxml"}},
	{RDFJSON, []string{"rdfjson"},
		[]string{"application/rdf+json"},
		[]string{"rj"}},
	{RDFa, []string{"rdfa"},
		[]string{"image/svg+xml"},
		[]string{"svg"}},
	{TriG, []string{"trig"},
		[]string{"application/trig", "application/x-trig", "text/trig"},
		[]string{"trig"}},
	{TriX, []string{"trix"},
		[]string{"application/trix", "application/trix+xml"},
		[]string{"trix"}},
	{Turtle, []string{"turtle"},
		[]string{"text/turtle", "application/x-turtle", "application/turtle", "text/x-turtle"},
		[]string{"ttl", "turtle"}},
	{N3, []string{"n3", "notation3"},
		[]string{"text/n3", "text/rdf+n3", "application/n3"},
		[]string{"n3"}},
}

var withoutMarks = strings.NewReplacer("-", "", "/", "", " ", "")

// Named finds a format by a name in any case, by a media type, or by an extension. Parameters and the
// dot may be there or not. Another name is an error of kind Data with the code format/unknown.
func Named(s string) (Format, error) {
	plain := withoutMarks.Replace(strings.ToLower(strings.TrimSpace(s)))
	for _, f := range formats {
		for _, name := range f.names {
			if name == plain {
				return f.format, nil
			}
		}
	}
	if f := ofMediaType(s); f != "" {
		return f, nil
	}
	if f := ofExtension(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), ".")); f != "" {
		return f, nil
	}
	return "", fault.New("format.Named", fault.Data, fault.FormatUnknown, "%q isn't a known RDF format", s)
}

// IsXHTML says that a name which [Named] takes means HTML by the rules of XML.
func IsXHTML(s string) bool {
	switch strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), ".") {
	case "xhtml", "xht":
		return true
	}
	return mediaTypeOf(s) == XHTML
}

// XHTML is the media type of HTML by the rules of XML.
const XHTML = "application/xhtml+xml"

// MediaType is the registered media type of the format, without parameters.
func (f Format) MediaType() string {
	for _, row := range formats {
		if row.format == f {
			return row.mediaTypes[0]
		}
	}
	return ""
}

func ofMediaType(contentType string) Format {
	mediaType := mediaTypeOf(contentType)
	for _, f := range formats {
		for _, m := range f.mediaTypes {
			if m == mediaType {
				return f.format
			}
		}
	}
	return ""
}

// mediaTypeOf cuts the parameters off, also where these are not well-formed.
func mediaTypeOf(contentType string) string {
	if mediaType, _, err := mime.ParseMediaType(contentType); err == nil {
		return mediaType
	}
	mediaType, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(mediaType))
}

func ofExtension(extension string) Format {
	for _, f := range formats {
		for _, e := range f.extensions {
			if e == extension {
				return f.format
			}
		}
	}
	return ""
}

// ofName finds the format that the name of a file or the path of an IRI speaks for. An extension of a
// compression is skipped.
func ofName(name string) Format {
	name, _, _ = strings.Cut(name, "#")
	name, _, _ = strings.Cut(name, "?")
	for range 3 {
		extension := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
		if f := ofExtension(extension); f != "" {
			return f
		}
		switch extension {
		case "gz", "bz2", "xz", "zst", "lz4", "z", "br", "lzma", "sz", "zip":
			name = name[:len(name)-len(extension)-1]
		default:
			return ""
		}
	}
	return ""
}
