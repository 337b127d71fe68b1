package format_test

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/format"
)

// sample is a document of a format, and what it is to be recognised as: a format that is read,
// or what else it is.
type sample struct {
	what string // in words
	file string // a name with the extension that such files have
	want string
	text string // the document
	make string // or a command that writes it to the file $1, in a shell; skipped where it fails
}

const (
	sampleLine   = "<http://e/s> <http://e/p> \"o\" .\n"
	sampleRDFXML = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s"><e:p>o</e:p></rdf:Description></rdf:RDF>`
)

// samples is the table of docs/formats.md.
var samples = slices.Concat(commonSamples, furtherSamples, emptySamples)

var commonSamples = []sample{
	{"N-Triples", "a.nt", "N-Triples", strings.Repeat(sampleLine, 3), ""},
	{"N-Quads", "a.nq", "N-Quads", "<http://e/s> <http://e/p> \"o\" <http://e/g> .\n", ""},
	{"Turtle", "a.ttl", "Turtle", "@prefix e: <http://e/> .\ne:s e:p \"o\" ; e:q 1 .\n", ""},
	{"TriG", "a.trig", "TriG", "@prefix e: <http://e/> .\ne:g { e:s e:p \"o\" . }\n", ""},
	{"RDF/XML", "a.rdf", "RDF/XML", sampleRDFXML, ""},
	{"RDF/XML without rdf:RDF", "b.rdf", "RDF/XML",
		`<e:T xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/" rdf:about="http://e/s"><e:p>o</e:p></e:T>`, ""},
	{"RDF/XML after a comment of 100 kB", "c.rdf", "RDF/XML", "<?xml version='1.0'?>\n<!-- " + strings.Repeat("a <b> c\n", 12_500) +
		"-->\n" + sampleRDFXML, ""},
	{"RDF/XML after a DTD", "d.rdf", "RDF/XML", "<!DOCTYPE rdf:RDF [<!ENTITY rdf 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'>]>\n" +
		`<rdf:RDF xmlns:rdf="&rdf;" xmlns:e="http://e/"><rdf:Description rdf:about="http://e/s"><e:p>o</e:p></rdf:Description></rdf:RDF>`,
		""},
	{"RDF/XML as rapper writes it", "e.rdf", "RDF/XML", "",
		"printf '<http://e/s> <http://e/p> \"o\" .\\n' | rapper -q -i ntriples -o rdfxml-abbrev - http://e/ > $1"},
	{"RSS 1.0", "a.rss", "RDF/XML",
		`<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="http://e/"><title>x</title></channel></rdf:RDF>`,
		""},
	{"JSON-LD", "a.jsonld", "JSON-LD", `{"@context": {"p": "http://e/p"}, "@id": "http://e/s", "p": "o"}`, ""},
	{"JSON-LD, a line a document", "b.jsonld", "JSON-LD", strings.Repeat("{\"@id\": \"http://e/s\", \"http://e/p\": \"o\"}\n", 3), ""},
	{"RDF/JSON", "a.rj", "RDF/JSON", `{"http://e/s": {"http://e/p": [{"type": "literal", "value": "o"}]}}`, ""},
	{"RDF/JSON as rapper writes it", "b.rj", "RDF/JSON", "",
		"printf '<http://e/s> <http://e/p> \"o\" .\\n' | rapper -q -i ntriples -o json -O - - http://e/ > $1"},
	{"TriX", "a.trix", "TriX",
		`<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral>o</plainLiteral></triple></graph></TriX>`,
		""},
	{"RDFa in HTML", "a.html", "HTML",
		`<!DOCTYPE html><html><body vocab="http://schema.org/" typeof="Person"><span property="name">x</span></body></html>`, ""},
	{"Microdata in HTML", "b.html", "HTML",
		`<!DOCTYPE html><html><body itemscope itemtype="http://schema.org/Person"><span itemprop="name">x</span></body></html>`, ""},
	{"microformats in HTML", "g.html", "HTML",
		`<!DOCTYPE html><html><body><p class="vcard"><span class="fn">x</span></p></body></html>`, ""},
	{"JSON-LD in HTML", "c.html", "HTML",
		`<!DOCTYPE html><html><head><script type="application/ld+json">{"@id": "http://e/s", "http://e/p": "o"}</script></head></html>`,
		""},
	{"RDFa in XHTML", "a.xhtml", "HTML",
		`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body about="http://e/s"><a rel="http://e/p" href="http://e/o">x</a></body></html>`,
		""},
	{"RDFa in SVG", "a.svg", "RDFa",
		`<svg xmlns="http://www.w3.org/2000/svg"><desc about="http://e/s" property="http://e/p">o</desc></svg>`, ""},

	{"N3 with rules", "a.n3", "N3", "@prefix : <http://e/> .\n{ ?x :p ?y } => { ?y :q ?x } .\n", ""},
	{"OWL, functional", "a.ofn", "OWL functional syntax", "Prefix(:=<http://e/>)\nOntology(<http://e/>\nDeclaration(Class(:A))\n)", ""},
	{"OWL, Manchester", "a.omn", "OWL Manchester syntax", "Prefix: : <http://e/>\nOntology: <http://e/>\nClass: A\n  SubClassOf: B\n", ""},
	{"OWL/XML", "a.owx", "OWL/XML",
		`<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://e/"><Declaration><Class IRI="#A"/></Declaration></Ontology>`,
		""},
	{"OBO", "a.obo", "OBO", "format-version: 1.2\n\n[Term]\nid: GO:1\nname: x\n", ""},
	{"HDT", "a.hdt", "HDT", "$HDT\x01<http://purl.org/HDT/hdt#HDTv1>\x00\x00\x8a\x12", ""},
	{"RDF Thrift, as riot writes it", "a.trdf", "RDF Thrift",
		unhex("1c180265781813687474703a2f2f6578616d706c652e6f72672f00002c1c4c1802657818016100001c4c1802657818016200" +
			"001c3c1801631802656e000000002c1c4c1802657818016100001c4c1802657818016400001c4c1802657818016500000000" +
			"2c1c4c1802657818016100001c4c1802657818016400001c3c1801312828687474703a2f2f7777772e77332e6f72672f3230" +
			"30312f584d4c536368656d6123696e746567657200000000"), ""},
	{"Jelly", "a.jelly", "RDF in Protobuf (Jelly)",
		"\x1e\x0a\x0c\x0a\x0a\x10\x01\x48\x80\x01\x50\x08\x58\x08\x78\x01\x0a\x0e\x52\x0c\x12\x0ahttp://e/p", ""},
	{"RDF4J Binary RDF", "a.brf", "RDF4J Binary RDF", "BRDF\x00\x00\x00\x02\x00\x00\x00", ""},
	{"HexTuples", "a.hext", "HexTuples",
		"[\"http://e/s\", \"http://e/p\", \"o\", \"http://www.w3.org/2001/XMLSchema#string\", \"\", \"\"]\n[\"http://e/s\", \"http://e/q\", \"o\", \"http://www.w3.org/2001/XMLSchema#string\", \"\", \"\"]\n",
		""},
	{"YAML-LD", "a.yamlld", "YAML-LD", "\"@context\": https://schema.org/\n\"@type\": Person\nname: x\n", ""},
	{"metadata of CSVW", "a-metadata.json", "JSON-LD",
		`{"@context": "http://www.w3.org/ns/csvw", "url": "a.csv", "tableSchema": {"columns": [{"name": "a"}]}}`, ""},
	{"ShEx", "a.shex", "ShEx",
		"PREFIX e: <http://e/>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\ne:S { e:p xsd:string ; e:q @e:T * }\n", ""},
	{"a SPARQL query", "a.rq", "SPARQL query", "PREFIX e: <http://e/>\nSELECT ?x WHERE { ?x e:p ?n . }\n", ""},
	{"a SPARQL update", "a.ru", "SPARQL update", "PREFIX e: <http://e/>\nINSERT DATA { e:s e:p e:o }\n", ""},
	{"SPARQL results in XML", "a.srx", "SPARQL results",
		`<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head><results><result><binding name="x"><uri>http://e/s</uri></binding></result></results></sparql>`,
		""},
	{"SPARQL results in JSON", "a.srj", "SPARQL results",
		`{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/s"}}]}}`, ""},
	{"SPARQL results in TSV", "a-results.tsv", "SPARQL results in TSV", "?s\t?o\n<http://e/s>\t\"o\"\n<http://e/t>\t1\n", ""},
	{"SPARQL results in CSV", "a-results.csv", "CSV", "s,o\r\nhttp://e/s,o\r\nhttp://e/t,1\r\n", ""},

	{"CSV", "a.csv", "CSV", "name,age\nx,1\ny,2\n", ""},
	{"CSV with IRIs", "b.csv", "CSV", "\"s\",\"p\",\"o\"\n\"http://e/s\",\"http://e/p\",\"a, b\"\n\"http://e/s\",\"http://e/p\",\"c\"\n",
		""},
	{"TSV", "a.tsv", "TSV", "name\tage\nx\t1\ny\t2\n", ""},
	{"GeoJSON", "a.geojson", "GeoJSON",
		`{"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"url": "http://e/s"}}]}`,
		""},
	{"GeoJSON whose properties have an @id", "b.geojson", "GeoJSON",
		`{"type": "FeatureCollection", "generator": "overpass-ide", "features": [{"type": "Feature", "id": "node/1", "properties": {"@id": "node/1", "@type": "node", "addr:city": "x"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]}` +
			"\n", ""},
	{"JSON whose attributes have the names of keywords", "f.json", "JSON",
		`{"feed": {"@lang": "en", "entry": [{"@id": "1", "@type": "a", "title": "x"}]}}` + "\n", ""},
	{"TopoJSON", "a.topojson", "TopoJSON", `{"type": "Topology", "objects": {}, "arcs": []}`, ""},
	{"JSON", "a.json", "JSON", `{"name": "x", "homepage": "http://e/s"}`, ""},
	{"JSON, an array of records with links", "b.json", "JSON", `[{"id": 1, "url": "http://e/1"}, {"id": 2, "url": "http://e/2"}]`, ""},
	{"JSON, a line a record", "a.ndjson", "JSON lines", "{\"id\": 1}\n{\"id\": 2}\n", ""},
	{"OpenAPI", "c.json", "OpenAPI", `{"openapi": "3.0.0", "paths": {}}`, ""},
	{"JSON Schema", "d.json", "JSON Schema", `{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"}`, ""},
	{"Jupyter notebook", "a.ipynb", "Jupyter notebook", `{"cells": [], "metadata": {}, "nbformat": 4}`, ""},
	{"HTML without data", "d.html", "HTML without data",
		`<!DOCTYPE html><html><head><title>404</title><link rel="stylesheet" href="x.css"></head><body><h1>Not found</h1></body></html>`,
		""},
	{"RSS 2.0", "b.rss", "RSS", `<?xml version="1.0"?><rss version="2.0"><channel><title>x</title></channel></rss>`, ""},
	{"Atom", "a.atom", "Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title></feed>`, ""},
	{"KML", "a.kml", "KML", `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>`, ""},
	{"GML", "a.gml", "GML", `<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml"><gml:featureMember/></gml:FeatureCollection>`,
		""},
	{"GPX", "a.gpx", "GPX",
		`<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"/></gpx>`, ""},
	{"SVG", "b.svg", "SVG", `<svg xmlns="http://www.w3.org/2000/svg"><rect width="1"/></svg>`, ""},
	{"XML Schema", "a.xsd", "XML Schema", `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a"/></xs:schema>`, ""},
	{"WSDL", "a.wsdl", "WSDL", `<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" name="x"/>`, ""},
	{"XSLT", "a.xslt", "XSLT",
		`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"/></xsl:stylesheet>`, ""},
	{"OAI-PMH", "a.xml", "OAI-PMH", `<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords/></OAI-PMH>`,
		""},
	{"MARCXML", "b.xml", "MARCXML", `<collection xmlns="http://www.loc.gov/MARC21/slim"><record/></collection>`, ""},
	{"ISO 19139", "c.xml", "ISO 19139", `<gmd:MD_Metadata xmlns:gmd="http://www.isotc211.org/2005/gmd"/>`, ""},
	{"a sitemap", "sitemap.xml", "sitemap",
		`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>`, ""},
	{"XML of no known language", "d.xml", "XML (a)", `<?xml version="1.0"?><a><b resource="c">d</b></a>`, ""},
	{"JavaScript", "a.js", "JavaScript", "var a = {\"@id\": 1};\nfunction f() { return a; }\n", ""},
	{"CSS", "a.css", "CSS", "body { margin: 0; color: red }\na:hover { color: blue; }\n", ""},
	{"SQL", "a.sql", "SQL", "CREATE TABLE a (b INTEGER);\nINSERT INTO a VALUES (1);\n", ""},
	{"PHP", "a.php", "PHP", "<?php\necho '<rdf:RDF>';\n", ""},
	{"YAML", "a.yaml", "YAML", "---\nname: x\nurl: http://e/s\n", ""},
	{"vCard", "a.vcf", "vCard", "BEGIN:VCARD\nVERSION:3.0\nFN:x\nEND:VCARD\n", ""},
	{"iCalendar", "a.ics", "calendar", "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n", ""},
	{"BibTeX", "a.bib", "BibTeX", "@article{a,\n  title = {x},\n  year = 2000\n}\n", ""},
	{"LaTeX", "a.tex", "LaTeX", "\\documentclass{article}\n\\begin{document}\nx\n\\end{document}\n", ""},
	{"Graphviz, as rapper writes it", "a.dot", "Graphviz", "",
		"printf '<http://e/s> <http://e/p> \"o\" .\\n' | rapper -q -i ntriples -o dot - http://e/ > $1"},
	{"a readme", "README.md", "plain text",
		"# Data\n\nAn example of what is in here, for those who have never seen Turtle:\n\n    ex:a ex:b ex:c .\n\nMore at http://example.org, or ask the people who made it; they are kind.\n",
		""},
	{"plain text", "a.txt", "plain text", "It was a dark and stormy night; the rain fell in torrents.\n", ""},

	{"N3 with a formula as an object", "b.n3", "N3",
		"@prefix : <http://e/#> .\n@prefix log: <http://www.w3.org/2000/10/swap/log#> .\n:a :says { :b :c :d } .\n{ ?x a :Man } log:implies { ?x a :Mortal } .\n",
		""},
	{"N3 with one rule among statements", "c.n3", "N3",
		"@prefix : <http://e/#> .\n:a :b :c .\n:d :e :f .\n:g :h :i .\n:j :k :l .\n:m!:n :o :p .\n:q :r :s .\n:a :b :c2 .\n:d :e :f2 .\n{ :a :b :c } => { :d :e :f } .\n:g :h :i2 .\n",
		""},
	{"N3 with a rule in words", "d.n3", "N3",
		"@prefix log: <http://www.w3.org/2000/10/swap/log#> .\n@prefix : <http://e/#> .\n:a :b :c .\n{ :d :p :z } log:implies { :d :q :z } .\n",
		""},
	{"OWL, Manchester, after a comment", "b.omn", "OWL Manchester syntax",
		"# comment\nOntology:\n\nClass: A\n    SubClassOf: B and (p some C)\n", ""},
	{"ShEx of property and datatype alone", "b.shex", "ShEx",
		"PREFIX ex: <http://ex.example/#>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n<S1> {\n  ex:p1 xsd:string ;\n  ex:p2 xsd:integer\n}\n",
		""},
	{"ShEx with sets of values", "c.shex", "ShEx",
		"<http://a.example/S1> {\n  <http://a.example/p1> [1 2 3] ,\n <http://a.example/p2> <http://a.example/dt> *\n}\n", ""},
	{"SHACL, compact", "a.shaclc", "SHACL compact syntax",
		"BASE <http://example.com/ns>\nPREFIX ex: <http://e/>\nshape ex:PersonShape -> ex:Person {\n  ex:ssn xsd:string [0..1] pattern=\"^x$\" .\n}\n",
		""},
	{"rules of Jena", "a.rules", "Jena rules", "[rule1: (?a eg:p ?b) (?b eg:p ?c) -> (?a eg:p ?c)]\n@prefix eg: <urn:ex:> .\n", ""},
	{"a SPARQL query without variables", "b.rq", "SPARQL query",
		"PREFIX foaf: <http://xmlns.com/foaf/0.1/>\nASK { <http://e/a> foaf:name \"x\" . }", ""},
	{"a SPARQL query that describes", "c.rq", "SPARQL query", "PREFIX ex: <http://e/>\nDESCRIBE <http://e/a>\n", ""},
	{"a SPARQL update with a pattern", "b.ru", "SPARQL update",
		"PREFIX ex: <http://e/>\nDELETE { ?a ex:b ?c } INSERT { ?a ex:b2 ?c } WHERE { ?a ex:b ?c }", ""},
	{"Datalog", "a.dl", "Prolog or Datalog",
		"parent(xerces, brooke).\nparent(brooke, damocles).\nancestor(X, Y) :- parent(X, Y).\nancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).\n",
		""},
	{"GraphML", "a.graphml", "GraphML",
		"<?xml version=\"1.0\"?><graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><graph id=\"G\" edgedefault=\"undirected\"><node id=\"n0\"/></graph></graphml>",
		""},
	{"Markdown with Turtle in it", "b.md", "Markdown",
		"# Title\n\nSome [link](http://example.org/) and `<http://a> <http://b> <http://c> .` code\n\n```turtle\n@prefix : <http://e/> .\n:a :b :c .\n```\n",
		""},
	{"YAML without a beginning", "b.yaml", "YAML", "name: x\nlist:\n  - a\n  - b: 1\nurl: http://example.org/\n", ""},
	{"TOML", "a.toml", "settings (INI or TOML)",
		"[package]\nname = \"x\"\nversion = \"1.0\"\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n", ""},
	{"INI", "a.ini", "settings (INI or TOML)", "; c\n[section]\nkey=value\nurl=http://example.org/\n", ""},
	{"Java", "a.java", "Java", "package x;\nimport java.util.*;\npublic class A { int b = 1; }\n", ""},
	{"Protocol Buffers", "a.proto", "Protocol Buffers", "syntax = \"proto3\";\nmessage A { string b = 1; }\n", ""},
	{"mail", "a.eml", "mail", "From: a@b.c\nTo: d@e.f\nSubject: x\n\nbody <http://e/>\n", ""},

	{"PDF", "a.pdf", "PDF", "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", ""},
	{"PNG", "a.png", "PNG", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02", ""},
	{"JPEG", "a.jpg", "JPEG", "\xFF\xD8\xFF\xE0\x00\x10JFIF\x00\x01\x01", ""},
	{"GIF", "a.gif", "GIF", "GIF89a\x01\x00\x01\x00\x80\x00\x00", ""},
	{"TIFF", "a.tiff", "TIFF", "II*\x00\x08\x00\x00\x00\x01\x00", ""},
	{"BMP", "a.bmp", "BMP", "BM\x46\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00", ""},
	{"SQLite", "a.sqlite", "SQLite", "", "sqlite3 $1 'create table a (b)'"},
	{"a shapefile", "a.shp", "shapefile", "\x00\x00\x27\x0a" + strings.Repeat("\x00", 20) +
		"\x00\x00\x00\x32\xe8\x03\x00\x00\x01\x00\x00\x00" + strings.Repeat("\x00", 80), ""},
	{"Parquet", "a.parquet", "Parquet", "PAR1\x15\x04\x15\x10\x15\x14\x4c\x15\x02\x15\x00\x12\x00\x00PAR1", ""},
	{"Microsoft Word, before 2007", "a.doc", "Microsoft Office", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + strings.Repeat("\x00", 600), ""},
	{"Microsoft Excel", "a.xlsx", "Microsoft Excel", "", zipped("[Content_Types].xml", "<Types/>", "_rels/.rels", "<r/>", "xl/workbook.xml",
		"<workbook/>")},
	{"OpenDocument", "a.odt", "OpenDocument text", "", zipped("mimetype", "application/vnd.oasis.opendocument.text", "content.xml",
		"<a/>")},
	{"Microsoft Excel, as others write it", "b.xlsx", "Microsoft Excel", "", zipped("_rels/.rels", "<r/>", "docProps/app.xml", "<a/>",
		"xl/workbook.xml", "<workbook/>", "[Content_Types].xml", "<Types/>")},
	{"OpenDocument spreadsheet", "a.ods", "OpenDocument spreadsheet", "",
		zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "<a/>")},
	{"EPUB", "a.epub", "EPUB", "", zipped("mimetype", "application/epub+zip", "a.xhtml", "<a/>")},
	{"Avro", "a.avro", "Avro", "Obj\x01\x04\x14avro.codec\x08null\x16avro.schema\x04{}\x00" + strings.Repeat("\x07", 16), ""},
	{"HDF5", "a.h5", "HDF5", "\x89HDF\r\n\x1A\n\x00\x00\x00\x00\x00\x08\x08\x00", ""},
	{"a program of Windows", "a.exe", "Windows program", "MZ\x90\x00\x03" + strings.Repeat("\x00", 55) + "\x80\x00\x00\x00" +
		strings.Repeat("\x00", 64) + "PE\x00\x00" + strings.Repeat("\x00", 40), ""},
	{"a program of Linux", "a.elf", "ELF program", "", "cp /bin/true $1"},
	{"MP3", "a.mp3", "MP3", "ID3\x03\x00\x00\x00\x00\x00\x21TIT2\x00\x00\x00\x05\x00\x00\x00abcd", ""},
	{"a font", "a.ttf", "font", "\x00\x01\x00\x00\x00\x0F\x00\x80" + strings.Repeat("\x00", 60), ""},
	{"gzip", "a.gz", "gzip", "", "echo x | gzip > $1"},
	{"bytes at random", "a.bin", "binary data", "\x03\x91\x00\x07\xfe\x10\x00\x02\x81\x99\x00\x01\x02\x05\x0e\x00", ""},

	{"N-Triples without dots, with tabs", "b.nt", "N-Triples", strings.Repeat("<http://e/s>\t<http://e/p>\t<http://e/o>\n", 3), ""},
	{"SPARQL results in TSV, of three variables", "b-results.tsv", "SPARQL results in TSV", "?s\t?p\t?o\n" +
		strings.Repeat("<http://e/s>\t<http://e/p>\t<http://e/o>\n", 3), ""},
	{"JSON with addresses as names", "e.json", "JSON", `{"http://e/a": {"status": 200}, "http://e/b": {"status": 404}}`, ""},
	{"a log in JSON", "log.json", "JSON lines",
		strings.Repeat("{\"@timestamp\": \"2024-01-01T00:00:00Z\", \"@version\": \"1\", \"message\": \"x\"}\n", 2), ""},
	{"HTTP archive", "a.har", "HTTP archive (HAR)", `{"log": {"version": "1.2", "entries": [{"request": {"url": "http://e/"}}]}}`, ""},
	{"Dublin Core in XML", "dc.xml", "Dublin Core in XML",
		`<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>x</dc:title></oai_dc:dc>`,
		""},
	{"MODS", "mods.xml", "MODS", `<mods xmlns="http://www.loc.gov/mods/v3"><titleInfo/></mods>`, ""},
	{"EAD", "ead.xml", "EAD", `<ead xmlns="urn:isbn:1-931666-22-9"><eadheader/></ead>`, ""},
	{"TEI", "tei.xml", "TEI", `<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader/></TEI>`, ""},
	{"OpenStreetMap", "a.osm", "OpenStreetMap", `<osm version="0.6"><node id="1" lat="1" lon="2"/></osm>`, ""},
	{"features of a WFS", "b.gml", "GML",
		`<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml"><gml:featureMember/></wfs:FeatureCollection>`,
		""},
	{"XLIFF", "a.xlf", "XLIFF", `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"/>`, ""},
	{"XSLT that writes RDF", "b.xslt", "XSLT",
		`<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><xsl:template match="/"><rdf:RDF/></xsl:template></xsl:stylesheet>`,
		""},
	{"OpenAPI in YAML", "openapi.yaml", "YAML", "openapi: 3.0.0\ninfo:\n  title: x\npaths: {}\n", ""},
	{"a dump of PostgreSQL", "pg.sql", "SQL", "--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\n", ""},
	{"Cypher", "a.cypher", "Cypher", "CREATE (a:Person {name: \"x\"})-[:KNOWS]->(b:Person)\n", ""},
	{"GraphQL", "a.graphql", "GraphQL", "type Person {\n  name: String!\n  age: Int\n}\n", ""},
	{"a shell script", "a.sh", "shell script", "#!/bin/sh\nset -e\n", ""},
	{"Python", "a.py", "Python", "import os\n\ndef f(x):\n    return x\n", ""},
	{"Go", "a.go", "Go", "package main\n\nfunc main() {\n}\n", ""},
	{"C", "a.c", "C", "#include <stdio.h>\nint main() { return 0; }\n", ""},
	{"a makefile", "Makefile", "Makefile", "all: x\n\tgo build\n", ""},
	{"a dockerfile", "Dockerfile", "Dockerfile", "FROM debian:12\nRUN apt-get update\n", ""},
	{"a patch", "a.patch", "a patch", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", ""},
	{"gettext", "a.po", "gettext", "msgid \"\"\nmsgstr \"\"\n\nmsgid \"x\"\nmsgstr \"y\"\n", ""},
	{"a certificate", "a.pem", "PEM", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", ""},
	{"a log of a web server", "access.log", "log", "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /a HTTP/1.0\" 200 2326\n", ""},
	{"a log", "app.log", "log", "2024-01-01 12:00:00 INFO start\n2024-01-01 12:00:01 ERROR http://e/\n", ""},
	{"a mailbox", "a.mbox", "mail", "From a@e Mon Jan  1 00:00:00 2024\nFrom: A <a@e>\nSubject: x\n\nHi\n", ""},
	{"RIS", "a.ris", "RIS", "TY  - JOUR\nTI  - X\nER  - \n", ""},
	{"subtitles", "a.srt", "subtitles", "1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nYou\n", ""},
	{"FASTA", "a.fasta", "FASTA", ">sp|P1|X\nMKTAYIAKQR\n>sp|P2|Y\nMKTAY\n", ""},
	{"FASTQ", "a.fastq", "FASTQ", "@SEQ1\nGATTTGGGG\n+\n!''*((((*\n", ""},
	{"GFF", "a.gff", "GFF", "##gff-version 3\nctg123\t.\tgene\t1000\t9000\t.\t+\t.\tID=gene1\n", ""},
	{"variants of genes", "b.vcf", "VCF (variants)", "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\n1\t10\t.\n", ""},
	{"a protein", "a.pdb", "Protein Data Bank", "HEADER    HYDROLASE\nATOM      1  N   ALA A   1      11.1  12.2  13.3\n", ""},
	{"FITS", "a.fits", "FITS", "SIMPLE  =                    T / conforms to FITS standard" + strings.Repeat(" ", 22), ""},
	{"ARFF", "a.arff", "ARFF", "@relation x\n@attribute a numeric\n@data\n1\n", ""},
	{"an error page", "error.html", "HTML without data",
		"<html>\n<head><title>404 Not Found</title></head>\n<body><center><h1>404 Not Found</h1></center></body>\n</html>\n", ""},
	{"an error of a server", "error.txt", "error of Virtuoso", "Virtuoso 37000 Error SP030: SPARQL compiler, line 1: syntax error", ""},
	{"WebP", "a.webp", "WebP", "RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x00", ""},
	{"MP4", "a.mp4", "MP4", "\x00\x00\x00\x20ftypisom\x00\x00\x02\x00isomiso2avc1mp41", ""},
	{"Matroska", "a.mkv", "Matroska",
		"\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\xf7\x81\x01\x42\xf2\x81\x04\x42\xf3\x81\x08\x42\x82\x88matroska", ""},
	{"MARC 21", "a.mrc", "MARC 21", "00079nam a2200049 a 4500001000600000245001700006\x1e12345\x1e10\x1faA title /\x1fcby X.\x1e\x1d", ""},
	{"Arrow", "a.arrow", "Arrow", "ARROW1\x00\x00\xff\xff\xff\xff\x10\x00\x00\x00", ""},
	{"ORC", "a.orc", "ORC", "ORC\x08\x01\x10\x00", ""},
	{"NetCDF", "a.nc", "NetCDF", "CDF\x01" + strings.Repeat("\x00", 40), ""},
	{"a table of NumPy", "a.npy", "NumPy array", "\x93NUMPY\x01\x00v\x00{'descr': '<f8'}", ""},
	{"SPSS", "a.sav", "SPSS", "$FL2@(#) SPSS DATA FILE\x02\x00\x00\x00", ""},
	{"Stata", "a.dta", "Stata", "<stata_dta><header><release>118</release>" + strings.Repeat("\x00", 40), ""},
	{"dBASE", "a.dbf", "dBASE table", "\x03\x7a\x07\x1a\x01\x00\x00\x00\x41\x00\x0b\x00" + strings.Repeat("\x00", 20) +
		"NAME\x00\x00\x00\x00\x00\x00\x00C\x00\x00\x00\x00\x0a" + strings.Repeat("\x00", 15) + "\x0d Ann       ", ""},
	{"CBOR", "a.cbor", "CBOR", "\xd9\xd9\xf7\xa2\x61a\x01\x61b\x82\x02\x03", ""},
	{"Java, compiled", "a.class", "Java class", "",
		"d=$(mktemp -d) && echo 'class A {}' > $d/A.java && javac -d $d $d/A.java && cp $d/A.class $1 && rm -r $d"},
	{"packets of a network", "a.pcap", "packets (pcap)", "\xd4\xc3\xb2\xa1\x02\x00\x04\x00" + strings.Repeat("\x00", 16), ""},
}

var emptySamples = []sample{
	{"nothing", "empty.ttl", "nothing", "", ""},
	{"comments alone", "comments.ttl", "nothing", "# only\n# comments\n", ""},
}

// zipped is the command that makes a ZIP of names and what they hold.
func zipped(all ...string) string {
	return `python3 -c 'import sys, zipfile
z, a = zipfile.ZipFile(sys.argv[1], "w"), sys.argv[2:]
for n, t in zip(a[::2], a[1::2]): z.writestr(n, t)
z.close()' "$1" '` + strings.Join(all, "' '") + "'"
}

func unhex(digits string) string {
	b, _ := hex.DecodeString(digits[:len(digits)&^1])
	return string(b)
}

// bytes is the document; false if the program that makes it is not there.
func (s *sample) bytes(t testing.TB) ([]byte, bool) {
	t.Helper()
	if s.make == "" {
		return []byte(s.text), true
	}
	path := filepath.Join(t.TempDir(), s.file)
	if out, err := exec.Command("sh", "-c", s.make, "sh", path).CombinedOutput(); err != nil {
		t.Logf("%s: not made: %v %s", s.what, err, out)
		return nil, false
	}
	made, err := os.ReadFile(path)
	return made, err == nil && len(made) > 0
}

// told is what a document is recognised as without a hint, in the way that it is washed.
func told(in []byte) string {
	g := format.GuessBytes(in)
	if g.NotRDF == "" {
		g = format.Guess(in, true, "", "")
	}
	switch {
	case g.Empty:
		return "nothing"
	case g.Format != "":
		return string(g.Format)
	}
	return g.NotRDF
}

func TestTextThatBeginsLikeAPictureIsText(t *testing.T) {
	for _, in := range []string{"BM is a prefix", "BM <http://e/p> \"caf\xe9\" .", "MZ", "II* x", "\xFF\xFE<\x00a\x00>\x00"} {
		if g := format.GuessBytes([]byte(in)); g.NotRDF != "" {
			t.Errorf("%q: %s", in, g.NotRDF)
		}
	}
}

func TestEverySampleIsToldForWhatItIs(t *testing.T) {
	files := map[string]bool{}
	for i := range samples {
		s := &samples[i]
		if files[s.file] {
			t.Errorf("%s is the file of two samples", s.file)
		}
		files[s.file] = true
		if in, made := s.bytes(t); made {
			if got := told(in); got != s.want {
				t.Errorf("%s: reported as %s, not %s", s.what, got, s.want)
			}
		}
	}
}
