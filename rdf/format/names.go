package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"laundromat/internal/pattern"
)

// describeXML names a language of XML by its root: by the namespace where that tells,
// else by the name, and at least by what the root is called.
func describeXML(root tag, space string) string {
	name := local(root.name)
	for _, known := range xmlLanguages {
		if known.root != "" && known.root != name || known.space == "" && known.root == "" {
			continue
		}
		if known.space == "" || strings.Contains(space, known.space) {
			return known.is
		}
	}
	return fmt.Sprintf("XML (%s)", root.name)
}

// xmlLanguages are known by the name of the root, by what its namespace holds, or by both.
var xmlLanguages = []struct{ root, space, is string }{
	{"svg", "", "SVG"},
	{"rss", "", "RSS"},
	{"feed", "", "Atom"},
	{"entry", "2005/Atom", "Atom"},
	{"Ontology", "owl", "OWL/XML"},
	{"sparql", "sparql-results", "SPARQL results"},
	{"kml", "", "KML"},
	{"gpx", "", "GPX"},
	{"schema", "www.w3.org/2001/XMLSchema", "XML Schema"},
	{"definitions", "schemas.xmlsoap.org/wsdl", "WSDL"},
	{"description", "www.w3.org/ns/wsdl", "WSDL"},
	{"Envelope", "soap", "SOAP"},
	{"stylesheet", "XSL/Transform", "XSLT"},
	{"transform", "XSL/Transform", "XSLT"},
	{"OAI-PMH", "", "OAI-PMH"},
	{"urlset", "", "sitemap"},
	{"sitemapindex", "", "sitemap"},
	{"opml", "", "OPML"},
	{"plist", "", "property list"},
	{"TEI", "", "TEI"},
	{"graphml", "", "GraphML"},
	{"gexf", "", "GEXF"},
	{"grammar", "relaxng", "RELAX NG"},
	{"", "opengis.net/gml", "GML"},
	{"FeatureCollection", "opengis.net/wfs", "GML"},
	{"", "opengis.net/kml", "KML"},
	{"", "opengis.net/", "OGC service"},
	{"", "isotc211.org/", "ISO 19139"},
	{"", "loc.gov/MARC21", "MARCXML"},
	{"", "loc.gov/mods", "MODS"},
	{"", "loc.gov/METS", "METS"},
	{"", "docbook.org/", "DocBook"},
	{"", "openxmlformats.org/", "Office Open XML"},
	{"", "urn:oasis:names:tc:opendocument", "OpenDocument"},
	{"", "www.w3.org/1998/Math/MathML", "MathML"},
	{"", "www.wikidata.org/", "Wikibase export"},
	{"mediawiki", "", "MediaWiki export"},
	{"", "OAI/2.0/oai_dc", "Dublin Core in XML"},
	{"", "purl.org/dc/", "Dublin Core in XML"},
	{"ead", "", "EAD"},
	{"", "ead3.archivists.org/", "EAD"},
	{"osm", "", "OpenStreetMap"},
	{"", "maven.apache.org/POM", "Maven project"},
	{"xliff", "", "XLIFF"},
	{"", "loc.gov/mads", "MADS"},
	{"", "loc.gov/premis", "PREMIS"},
	{"", "lido-schema.org", "LIDO"},
	{"DDI", "", "DDI"}, {"codeBook", "", "DDI"},
	{"mxfile", "", "draw.io"},
	{"article", "jats.nlm.nih.gov", "JATS"},
	{"score-partwise", "", "MusicXML"},
	{"xmi", "", "XMI"}, {"XMI", "", "XMI"},
	{"application", "wadl", "WADL"},
	{"schema", "purl.oclc.org/dsdl/schematron", "Schematron"},
}

// isXML says that a name is one of describeXML's.
func isXML(is string) bool {
	for _, known := range xmlLanguages {
		if known.is == is {
			return true
		}
	}
	return strings.HasPrefix(is, "XML")
}

// jsonLanguages are told by names of members, which all must be there.
var jsonLanguages = []struct {
	names []string
	is    string
}{
	{[]string{"head", "results"}, "SPARQL results"},
	{[]string{"head", "boolean"}, "SPARQL results"},
	{[]string{"type", "features"}, "GeoJSON"},
	{[]string{"type", "geometry"}, "GeoJSON"},
	{[]string{"type", "coordinates"}, "GeoJSON"},
	{[]string{"type", "arcs", "objects"}, "TopoJSON"},
	{[]string{"openapi"}, "OpenAPI"},
	{[]string{"log", "entries", "request"}, "HTTP archive (HAR)"},
	{[]string{"swagger"}, "OpenAPI"},
	{[]string{"cells", "nbformat"}, "Jupyter notebook"},
}

// textLanguages are told by how a line begins, or by what stands in one.
var textLanguages = []struct {
	line *pattern.Pattern
	is   string
}{
	{pattern.New(`(?m)^\s*(?:"@context"|'@context')\s*:`), "YAML-LD"},
	{pattern.New(`(?im)^\s*(?:insert|delete)\s+(?:data|where)?\s*\{|^\s*(?:load|clear|drop|create|copy|move|add)\s+(?:silent\s+)?(?:graph|default|named|all|<)`), "SPARQL update"},
	{pattern.New(`\A\?\w+(?:\t\?\w+)*\s*[\r\n]`), "SPARQL results in TSV"},
	{pattern.New(`(?m)^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`), "a patch"},
	{pattern.New(`\A-----BEGIN [A-Z0-9 ]+-----`), "PEM"},
	{pattern.New(`\AFrom \S+ +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) `), "mail"},
	{pattern.New(`(?m)^msgid "[^\n]*"\r?\nmsgstr `), "gettext"},
	{pattern.New(`\ASIMPLE  = {20}T`), "FITS"},
	{pattern.New(`\A##gff-version`), "GFF"},
	{pattern.New(`\A##fileformat=VCF`), "VCF (variants)"},
	{pattern.New(`\A(?:>[^\n]*\n[A-Za-z*\-\r\n]+)(?:>|\z)`), "FASTA"},
	{pattern.New(`\A@\S[^\n]*\n[ACGTNacgtn.]+\r?\n\+[^\n]*\n`), "FASTQ"},
	{pattern.New(`(?m)^ATOM +\d+ `), "Protein Data Bank"},
	{pattern.New(`(?im)^@relation\s[^\n]*\n(?s:.*)^@attribute\s`), "ARFF"},
	{pattern.New(`(?m)\A\*Vertices\s+\d`), "Pajek"},
	{pattern.New(`(?m)^\S+ \S+ \S+ \[\d{1,2}/[A-Z][a-z]{2}/\d{4}:[^\]\n]*\] "`), "log"},
	{pattern.New(`\A(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\n]*\n){2}`), "log"},
	{pattern.New(`(?m)^package \w+\r?\n(?s:.*)^(?:func|import|type|var|const)\b`), "Go"},
	{pattern.New(`(?m)^(?:type|input|interface|enum|extend type|query|mutation|subscription)\b[^{;=\n]*\{\s*(?:#|"|\w+\s*(?:\([^)]*\))?\s*(?:[:{\n]|$))`), "GraphQL"},
	{pattern.New(`(?m)^(?:FROM|RUN|CMD|ENTRYPOINT|COPY|ENV) \S[^\n]*\n(?s:.*)^(?:RUN|CMD|ENTRYPOINT|COPY) `), "Dockerfile"},
	{pattern.New(`(?m)^[\w.%/ -]+:(?:[^\n=]*)\r?\n\t\S`), "Makefile"},
	{pattern.New(`(?m)^syntax\s*=\s*"proto[23]";`), "Protocol Buffers"},
	{pattern.New(`(?m)^namespace \w+ [\w.]+\s*$`), "Thrift"},
	{pattern.New(`(?m)^(?:package|import(?: static)?) [\w.]+(?:\.\*)?;|^public (?:final |abstract )?(?:class|interface|enum) \w`), "Java"},
	{pattern.New(`(?m)^#include\s*[<"]`), "C"},
	{pattern.New(`(?m)^(?:def \w+\(.*\).*:|from [\w.]+ import [\w*])`), "Python"},
	{pattern.New(`(?m)^(?::-\s*\w|[a-z]\w*\([^()]*\)\s*:-)`), "Prolog or Datalog"},
	{pattern.New(`(?m)^(?:import .* from ['"]|export (?:default|const|function|class)|(?:var|let|const) [\w$]+ ?=|function [\w$]+ ?\(|!?\(?function ?\(|\(\(\) ?=>|['"]use strict['"];|module\.exports)`), "JavaScript"},
	{pattern.New(`(?m)^\s*[\w.#:*\[\]="', >+~-]+\{\s*(?:[\w-]+\s*:[^;{}]+;?\s*)+\}|\A\s*@(?:import|charset|media|font-face)\b`), "CSS"},
	{pattern.New(`(?im)^\s*(?:create table|insert into|drop table|alter table|select\s.+\sfrom)\b|^-- PostgreSQL database dump|^set \w+ = [^;\n]*;`), "SQL"},
	{pattern.New(`(?m)^\\(?:documentclass|begin\{)`), "LaTeX"},
	{pattern.New(`(?mi)^@(?:article|book|inproceedings|misc|incollection|phdthesis|techreport)\s*\{`), "BibTeX"},
	{pattern.New(`\A\s*(?:strict\s+)?(?:di)?graph\s+[\w"]*\s*\{`), "Graphviz"},
	{pattern.New(`(?m)^TY  - `), "RIS"},
	{pattern.New(`(?m)^User-agent:\s`), "robots.txt"},
	{pattern.New(`(?m)^#!`), "script"},
}

// textNames are languages of text that the library knows by their first bytes.
var textNames = map[string]string{
	"text/x-php": "PHP", "text/javascript": "JavaScript", "text/x-python": "Python", "text/x-perl": "Perl", "text/x-ruby": "Ruby",
	"text/x-shellscript": "shell script", "text/x-lua": "Lua", "text/x-tcl": "Tcl", "text/rtf": "RTF", "text/vcard": "vCard",
	"text/calendar": "calendar", "text/vtt": "subtitles", "application/x-subrip": "subtitles", "application/warc": "WARC",
	"message/rfc822": "mail", "text/vnd.familysearch.gedcom": "GEDCOM",
}

// describeText names a language of text; "" if none is known.
func describeText(in []byte) string {
	head := in[:min(len(in), 16<<10)]
	if name, ok := textNames[cutParameters(mimetype.Detect(head).String())]; ok {
		return name
	}
	for _, known := range textLanguages {
		if known.line.Match(head) {
			return known.is
		}
	}
	return ""
}

func cutParameters(mediaType string) string {
	name, _, _ := strings.Cut(mediaType, ";")
	return name
}

// hexTuples tells lines that are arrays of six strings, of which the first two are IRIs
// or blank nodes.
var hexTuples = pattern.New(`\A\[\s*"(?:[a-zA-Z][\w+.-]*:|_:)(?:[^"\\]|\\.)*"\s*,\s*"[a-zA-Z][\w+.-]*:(?:[^"\\]|\\.)*"(?:\s*,\s*"(?:[^"\\]|\\.)*"){4}\s*\]`)

// isJSONLines says that each of several lines holds a JSON value of its own.
func isJSONLines(in []byte) bool {
	first, rest, found := bytes.Cut(bytes.TrimSpace(in), []byte("\n"))
	if !found {
		return false
	}
	first, rest = bytes.TrimSpace(first), bytes.TrimSpace(rest)
	return len(first) > 1 && len(rest) > 0 && (first[0] == '{' && first[len(first)-1] == '}' || first[0] == '[' && first[len(first)-1] == ']') && rest[0] == first[0]
}
