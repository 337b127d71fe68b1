package format

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"laundromat/internal/pattern"
)

// describeXML names a language of XML by its root. The namespace decides where it can, else the name;
// at least the answer is what the root is called.
func describeXML(root tag, space string) string {
	for _, known := range xmlLanguages {
		if known.fits(root, space) {
			return known.is
		}
	}
	return fmt.Sprintf("XML (%s)", root.name)
}

// isForeign says that the namespace of the root is that of a language which is no RDF/XML, though
// descriptions in RDF may be within.
func isForeign(root tag, space string) bool {
	for _, known := range xmlLanguages {
		if known.space != "" && known.fits(root, space) {
			return known.is != dublinCore && known.is != owlXML // of which there are classes, too
		}
	}
	return false
}

const (
	dublinCore  = "Dublin Core in XML"
	owlXML      = "OWL/XML"
	epubPackage = "EPUB package"
	stylesheet  = "XSLT" // what is in it is for what it makes
)

// xmlLanguage is known by the name of the root, by what its namespace holds, or by both.
type xmlLanguage struct{ root, space, is string }

func (l xmlLanguage) fits(root tag, space string) bool {
	return (l.root == "" || l.root == local(root.name)) && strings.Contains(space, l.space)
}

// xmlLanguages are asked in this order.
var xmlLanguages = []xmlLanguage{
	{"svg", "", "SVG"},
	{"package", "www.idpf.org/", epubPackage},
	{"ncx", "daisy.org/", epubPackage},
	{"rss", "", "RSS"},
	{"feed", "2005/Atom", "Atom"}, {"feed", "", "Atom"},
	{"entry", "2005/Atom", "Atom"},
	{"Ontology", "owl", owlXML},
	{"sparql", "sparql-results", "SPARQL results"},
	{"kml", "", "KML"},
	{"gpx", "", "GPX"},
	{"schema", "www.w3.org/2001/XMLSchema", "XML Schema"},
	{"definitions", "schemas.xmlsoap.org/wsdl", "WSDL"},
	{"description", "www.w3.org/ns/wsdl", "WSDL"},
	{"Envelope", "soap", "SOAP"},
	{"stylesheet", "XSL/Transform", stylesheet},
	{"transform", "XSL/Transform", stylesheet},
	{"OAI-PMH", "", "OAI-PMH"},
	{"urlset", "", "sitemap"},
	{"sitemapindex", "", "sitemap"},
	{"opml", "", "OPML"},
	{"plist", "", "property list"},
	{"TEI", "", "TEI"}, {"TEI.2", "", "TEI"}, {"teiCorpus", "", "TEI"},
	{"graphml", "", "GraphML"},
	{"gexf", "", "GEXF"},
	{"grammar", "relaxng", "RELAX NG"},
	{"", "opengis.net/citygml", "CityGML"},
	{"", "opengis.net/gml", "GML"},
	{"FeatureCollection", "opengis.net/wfs", "GML"},
	{"", "opengis.net/kml", "KML"},
	{"", "opengis.net/", "OGC service"},
	{"", "isotc211.org/", "ISO 19139"},
	{"", "standards.iso.org/iso/19115/-2/", "ISO 19139"},
	{"", "standards.iso.org/iso/19115/", "ISO 19115-3"},
	{"searchRetrieveResponse", "", "SRU results"},
	{"", "info:srw/schema/5/picaXML", "PICA in XML"},
	{"", "datacite.org/", "DataCite"},
	{"", "crossref.org/", "Crossref"},
	{"", "sdmx.org/", "SDMX"},
	{"", "xbrl.org/", "XBRL"},
	{"CMD", "clarin.eu/", "CMDI"},
	{"", "uniprot.org/uniprot", "UniProt in XML"},
	{"", "europeana.eu/schemas/ese", "ESE"},
	{"topicMap", "", "topic map"},
	{"sbml", "", "SBML"},
	{"xmpmeta", "adobe:ns:meta", "XMP"},
	{"ONIXMessage", "", "ONIX"},
	{"", "loc.gov/MARC21", "MARCXML"},
	{"", "loc.gov/mods", "MODS"},
	{"", "loc.gov/METS", "METS"},
	{"", "docbook.org/", "DocBook"},
	{"", "openxmlformats.org/", "Office Open XML"},
	{"", "urn:oasis:names:tc:opendocument", "OpenDocument"},
	{"", "www.w3.org/1998/Math/MathML", "MathML"},
	{"", "www.wikidata.org/", "Wikibase export"},
	{"mediawiki", "", "MediaWiki export"},
	{"", "OAI/2.0/oai_dc", dublinCore},
	{"", "purl.org/dc/", dublinCore},
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

// IsXML says that a name in NotRDF may be that of a language written in XML.
func IsXML(is string) bool { return isXML(is) }

// IsJSON says that a name in NotRDF may be that of a language written in JSON.
func IsJSON(is string) bool {
	for _, known := range jsonLanguages {
		if known.is == is {
			return true
		}
	}
	return is == "JSON" || is == "JSON lines" || is == "JSON Schema" || is == "HexTuples"
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

// jsonLanguages are recognised by names of members, which all must be there.
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
	{[]string{"CityObjects", "vertices"}, "CityJSON"},
	{[]string{"entities", "labels", "claims"}, "Wikibase export"},
	{[]string{"responseHeader", "numFound", "docs"}, "Solr results"},
	{[]string{"help", "success", "result"}, "CKAN reply"},
}

// textLanguages are recognised by how a line begins, or by what is in one.
var textLanguages = []struct {
	line *pattern.Pattern
	is   string
}{
	{pattern.New(`(?m)^\s*(?:"@context"|'@context')\s*:`), "YAML-LD"},
	{pattern.New(`(?im)^\s*(?:insert|delete)\s+(?:data|where)?\s*\{|^\s*(?:load|clear|drop|create|copy|move|add)\s+(?:silent\s+)?(?:graph|default|named|all|<)`),
		"SPARQL update"},
	{pattern.New(`\A\?\w+(?:\t\?\w+)*\s*[\r\n]`), "SPARQL results in TSV"},
	{pattern.New(`(?m)^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@`), "a patch"},
	{pattern.New(`\A-----BEGIN PGP `), "PGP"},
	{pattern.New(`\A-----BEGIN [A-Z0-9 ]+-----`), "PEM"},
	{pattern.New(`\Aversion https://git-lfs\.github\.com/spec/`), "pointer of Git LFS"},
	{pattern.New(`\A-{3,}\r?\n\|[^\n]*\|\r?\n={3,}\r?\n`), "SPARQL results as text"},
	{pattern.New(`\A\[PrefixDeclaration\]`), "mapping of Ontop"},
	{pattern.New(`\A(?:#[^\n]*\n)*(?:https?|ftp)://[^\s<>"]+\s*\n(?:(?:#|(?:https?|ftp)://)[^\s<>"]*\s*)+\z`), "list of addresses"},
	{pattern.New(`\A\d{3}[A-Z@](?:/\d\d)? \$[0-9a-zA-Z]`), "PICA"},
	{pattern.New(`\A=LDR  `), "MARC 21 as text"},
	{pattern.New(`\A%0 [A-Z][A-Za-z ]+\r?\n%[A-Z] `), "EndNote"},
	{pattern.New(`\A(?:version: 1\r?\n\s*)?dn: `), "LDIF"},
	{pattern.New(`(?m)^[ \d]{6}[ \d]*V[23]000\r?$`), "molecule (MDL)"},
	{pattern.New(`\A(?:# [^\n]*\n)*1\t[^\t\n]+(?:\t[^\t\n]+){8}\r?\n`), "CoNLL"},
	{pattern.New(`\A#NEXUS`), "NEXUS"},
	{pattern.New(`\A\s*\([^\n]*\)[\w:.]*;\s*\z`), "tree (Newick)"},
	{pattern.New(`\A(?i:SRID=\d+;)?\s*(?:(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|GEOMETRYCOLLECTION)\s*(?:Z|M|ZM)?\s*\(|\A(?:GEOG|PROJ|GEOD)(?:CS|CRS)\[`),
		"well-known text"},
	{pattern.New(`\A(?:Creator[^\n]*\n)?\s*graph\s*\[`), "graph (GML)"},
	{pattern.New(`\A@startuml\b`), "PlantUML"},
	{pattern.New(`\A(?:(?:graph|flowchart) (?:TD|TB|LR|RL|BT)\b|(?:sequenceDiagram|classDiagram|erDiagram|stateDiagram)\b)`), "Mermaid"},
	{pattern.New(`\A(?:;[^\n]*\n|\s)*\((?:def|in-)[\w-]* `), "Lisp"},
	{pattern.New(`\{\{(?i:infobox)\b|\[\[(?:Category|Kategorie|Catégorie|File|Image):`), "wiki text"},
	{pattern.New(`\A(?:/\*\*/)?[\w$.]+\(\s*[{\[]\s*"`), "JavaScript"},
	{pattern.New(`\A(?:\s|//[^\n]*\n|/\*(?s:.*?)\*/)*\{\s*[A-Za-z_$][\w$]*\s*:\s*["'\[{\w-]`), "JSON5"},
	{pattern.New(`\Ad\d+:[a-z]`), "BitTorrent"},
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
	{pattern.New(`(?m)^package \w+\r?\n(?s:.*)^(?:func [\w(]|import [("]|type \w|var \w|const [\w(])`), "Go"},
	{pattern.New(`(?m)^(?:case class|object|trait) \w[^\n]*\{?$|^\s*def \w+(?:\[\w+\])?\([^\n]*\)?: \w+[^\n]* =`), "Scala"},
	{pattern.New(`(?m)^using [\w.]+;\r?$|^namespace [\w.]+[;{]?\s*\{?\r?$`), "C#"},
	{pattern.New(`(?m)^use (?:std|crate|self|\w+)::[^\n]*;|^(?:pub )?fn \w+[(<]`), "Rust"},
	{pattern.New(`(?m)^module [A-Z][\w.]*(?: \([^)]*\))? where|^import qualified |^\w+ :: [A-Z(\[]`), "Haskell"},
	{pattern.New(`(?m)^require(?:_relative)? ['"]`), "Ruby"},
	{pattern.New(`(?m)^(?:library|require)\([\w."]+\)|^[\w.]+ <- `), "R"},
	{pattern.New(`(?im)\A\s*@?echo off\b|^rem `), "batch file"},
	{pattern.New(`(?m)^(?:type|input|interface|enum|extend type|query|mutation|subscription)\b[^{;=\n]*\{\s*(?:#|"|\w+\s*(?:\([^)]*\))?\s*(?:[:{\n]|$))`),
		"GraphQL"},
	{pattern.New(`(?m)^(?:FROM|RUN|CMD|ENTRYPOINT|COPY|ENV) \S[^\n]*\n(?s:.*)^(?:RUN|CMD|ENTRYPOINT|COPY) `), "Dockerfile"},
	{pattern.New(`(?m)^[\w.%/ -]+:(?:[^\n=]*)\r?\n\t\S`), "Makefile"},
	{pattern.New(`(?m)^syntax\s*=\s*"proto[23]";`), "Protocol Buffers"},
	{pattern.New(`(?m)^namespace \w+ [\w.]+\s*$`), "Thrift"},
	{pattern.New(`(?m)^(?:package|import(?: static)?) [\w.]+(?:\.\*)?;|^public (?:final |abstract )?(?:class|interface|enum) \w`), "Java"},
	{pattern.New(`(?m)^#include\s*[<"]`), "C"},
	{pattern.New(`(?m)^(?:def \w+\(.*\).*:|from [\w.]+ import [\w*])`), "Python"},
	{pattern.New(`(?m)^(?::-\s*\w|[a-z]\w*\([^()]*\)\s*:-)|\A(?:%[^\n]*\n|\s)*(?:[a-z]\w*\([^\n]*\)\.\s*){2}`), "Prolog or Datalog"},
	{pattern.New(`(?m)^(?:import .* from ['"]|export (?:default|const|function|class)|(?:var|let|const) [\w$]+ ?=|function [\w$]+ ?\(|!?\(?function ?\(|\(\(\) ?=>|['"]use strict['"];|module\.exports)`),
		"JavaScript"},
	{pattern.New(`(?mi)^@[a-z]+\s*[{(]\s*[^\s,={}]+\s*(?:,\s*$|,\s*[\w-]+\s*=|=\s*["{])`), "BibTeX"},
	{pattern.New(`(?m)^\s*[\w.#:*\[\]="', >+~-]+\{\s*(?:[\w-]+\s*:[^;{}]+;?\s*)+\}|\A\s*@(?:import|charset|media|font-face)\b`), "CSS"},
	{pattern.New(`(?im)^\s*(?:create table|insert into|drop table|alter table|select\s.+\sfrom)\b|^-- PostgreSQL database dump|^set \w+ = [^;\n]*;`),
		"SQL"},
	{pattern.New(`(?m)^\\(?:documentclass|begin\{)`), "LaTeX"},
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
	text := pattern.TextOf(head)
	for _, known := range textLanguages {
		if known.line.MayMatch(&text) && known.line.Match(head) {
			return known.is
		}
	}
	return ""
}

func cutParameters(mediaType string) string {
	name, _, _ := strings.Cut(mediaType, ";")
	return name
}

// hexTuples recognises lines that are arrays of six strings, of which the first two are IRIs
// or blank nodes.
var hexTuples = pattern.New(
	`\A\[\s*"(?:[a-zA-Z][\w+.-]*:|_:)(?:[^"\\]|\\.)*"\s*,\s*"[a-zA-Z][\w+.-]*:(?:[^"\\]|\\.)*"(?:\s*,\s*"(?:[^"\\]|\\.)*"){4}\s*\]`)

// isJSONLines says that each of several lines holds a JSON value of its own.
func isJSONLines(in []byte) bool {
	first, rest, found := bytes.Cut(bytes.TrimSpace(in), []byte("\n"))
	if !found {
		return false
	}
	first, rest = bytes.TrimSpace(first), bytes.TrimSpace(rest)
	return len(first) > 1 && len(rest) > 0 && (first[0] == '{' && first[len(first)-1] == '}' || first[0] == '[' &&
		first[len(first)-1] == ']') && rest[0] == first[0]
}
