package format_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
)

const turtle = `@prefix ex: <http://example.org/> .
ex:a ex:b "c" ; ex:d ex:e .
ex:f a ex:G .
`

const rdfRoot = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">`

func TestDirtyDocumentsAreStillWhatTheyAre(t *testing.T) {
	lines := strings.Repeat("<http://a/s> <http://a/p> \"o\" .\n", 5)
	quads := strings.Repeat("<http://a/s> <http://a/p> \"o\"@en <http://a/g> .\n", 5)
	for _, test := range []struct {
		name, in string
		want     format.Format
	}{
		{"N-Triples", lines, format.NTriples},
		{"N-Triples, one line", "<http://a/s> <http://a/p> <http://a/o> .", format.NTriples},
		{"N-Triples without spaces", "<http://a/s><http://a/p><http://a/o>.\n_:a<http://a/p>_:b.\n", format.NTriples},
		{"N-Triples, first line broken", "<http://a/s> <http://a/p> \"never closed .\n" + lines, format.NTriples},
		{"N-Triples, every line broken", "<http://a/s> <http://a/p> \"never closed .\n", format.NTriples},
		{"N-Triples, every line broken, blank node", "_:b <http://a/p> \"never closed .\n_:b <http://a/p>\n", format.NTriples},
		{"N-Triples, no dot in the first line", "<http://a/s> <http://a/p> <http://a/o>\n" + lines, format.NTriples},
		{"N-Triples, junk before", "Warning: mysql_connect() failed in /var/www on line 3\n\n" + lines, format.NTriples},
		{"N-Triples, a mark and comments", "\uFEFF# a comment: <not> \"this\n\n" + lines, format.NTriples},
		{"N-Triples, a space in an IRI", "<http://a/s b> <http://a/p> <http://a/o> .\n" + lines, format.NTriples},
		{"N-Triples, relative IRIs here and there", strings.Repeat(lines, 5) + "<s> <http://a/p> <http://a/o> .\n", format.NTriples},
		{"N-Triples with language tags and datatypes",
			"<http://a/s> <http://a/p> \"o\"@en-GB .\n<http://a/s> <http://a/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> . # end\n",
			format.NTriples},
		{"N-Triples, CRLF", strings.ReplaceAll(lines, "\n", "\r\n"), format.NTriples},
		{"N-Triples, CR", strings.ReplaceAll(lines, "\n", "\r"), format.NTriples},
		{"N-Triples with tags in its literals", "<http://a/s> <http://a/p> \"<p class='x'>Hello</p>\" .\n" + lines, format.NTriples},
		{"N-Triples, triple terms and a version",
			"VERSION \"1.2\"\n_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://a/s> <http://a/p> <<(_:b<http://a/p>\"x\"@en--ltr)>> )>> .\n",
			format.NTriples},
		{"RDF/XML, a document type that is not closed", "<!DOCTYPE rdf:RDF [<!ENTITY x 'v'>\n" + rdfRoot + "<rdf:Description/></rdf:RDF>",
			format.RDFXML},
		{"RDF/XML, an entity whose value is not", "<!DOCTYPE rdf:RDF [<!ENTITY x \"v>]>\n" + rdfRoot + "<rdf:Description/></rdf:RDF>",
			format.RDFXML},
		{"RDF/XML, a comment that is not", "<!-- comment\n" + rdfRoot + "<rdf:Description/></rdf:RDF>", format.RDFXML},
		{"RDF/XML, an XML declaration that is not", "<?xml version=\"1.0\"\n" + rdfRoot + "<rdf:Description/></rdf:RDF>", format.RDFXML},
		{"RDF/XML, a root of 80 kB", strings.TrimSuffix(rdfRoot, ">") + strings.Repeat(" xmlns:prefix=\"http://example.org/ns#\"", 2000) +
			"><rdf:Description/></rdf:RDF>", format.RDFXML},
		{"N-Quads, triple terms",
			"_:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( <http://a/s> <http://a/p> \"o\" )>> <http://a/g> .\n",
			format.NQuads},
		{"Turtle, reified triples", "<< <http://a/s> <http://a/p> \"o\" >> <http://a/q> 1 .\n", format.Turtle},
		{"Turtle, a version", "version '1.2'\n" + turtle, format.Turtle},
		{"N-Quads", quads, format.NQuads},
		{"N-Quads after triples", lines + quads, format.NQuads},
		{"N-Quads, blank graph", "<http://a/s> <http://a/p> \"o\" _:g .\n", format.NQuads},
		{"N-Quads, broken lines", "xyz <http://a/p>\n<http://a/s> <http://a/p>\n" + quads, format.NQuads},
		{"Turtle", turtle, format.Turtle},
		{"Turtle, an equals sign for a predicate", "@prefix ex: <http://e/> .\nex:a ex:p 1 .\nex:e = ex:O .\n", format.Turtle},
		{"Turtle, two versions that nobody joined",
			"@prefix : <http://e/> .\n<<<<<<< HEAD\n:a :p 1 .\n=======\n:a :p 2 .\n>>>>>>> branch\n:c :p 3 .\n", format.Turtle},
		{"Turtle, relative IRIs only", "<a> <b> <c> .\n<d> <e> <f> .", format.Turtle},
		{"Turtle, SPARQL directives", "PREFIX ex: <http://example.org/>\nBASE <http://b/>\nex:a ex:b <c> .", format.Turtle},
		{"Turtle, without the colon of a prefix", "@prefix ex <http://example.org/> .\nex:a ex:b \"c\" .\nex:d a ex:E .\n", format.Turtle},
		{"Turtle without directives", "foaf:a foaf:knows foaf:b ;\n  foaf:name \"x\" .\n", format.Turtle},
		{"Turtle, IRIs over lines", "<http://a/s>\n  <http://a/p> <http://a/o> ;\n  <http://a/q> <http://a/r> .\n", format.Turtle},
		{"Turtle, two statements a line", "<http://a/s> <http://a/p> <http://a/o> . <http://a/s> <http://a/p> <http://a/o2> .\n",
			format.Turtle},
		{"Turtle, numbers", "<http://a/s> <http://a/p> 1, 2.5, true .\n", format.Turtle},
		{"Turtle, a blank node first", "[ a <http://a/C> ; <http://a/p> \"x\" ] .\n", format.Turtle},
		{"Turtle, an empty blank node first", "[] a <http://a/C> .\n", format.Turtle},
		{"Turtle, a list first", "(1 2) <http://a/p> <http://a/o> .\n", format.Turtle},
		{"Turtle, long literals with tags and braces", turtle + "ex:a ex:b \"\"\"<html>\n{ \"@id\": 1 }\n</html>\"\"\" .\n", format.Turtle},
		{"Turtle, a broken statement first", "ex:a ex:b ex:c ex:d ex:e ,, .\n" + turtle, format.Turtle},
		{"Turtle, junk before", "Notice: Undefined variable: foo in bar.php\n<br />\n" + turtle, format.Turtle},
		{"Turtle, an address without brackets", turtle + "ex:a ex:b http://example.org/x .\nex:c ex:d ex:e .\n", format.Turtle},
		{"Turtle, a long comment first", strings.Repeat("# This is a comment, with words. {\n", 200) + turtle, format.Turtle},
		{"TriG", "@prefix ex: <http://example.org/> .\nex:g { ex:a ex:b \"c\" . }\n", format.TriG},
		{"TriG, GRAPH", "GRAPH <http://a/g> { <http://a/s> <http://a/p> <http://a/o> }\n", format.TriG},
		{"TriG, default graph", "{ <http://a/s> <http://a/p> <http://a/o> . }\n", format.TriG},
		{"TriG, name on its own line", "@prefix ex: <http://example.org/> .\nex:g\n{\n ex:a ex:b \"c\" .\n}\n", format.TriG},
		{"TriG, IRIs only", "<http://a/g> {\n<http://a/s> <http://a/p> <http://a/o> .\n}\n", format.TriG},
		{"TriG, a blank graph", "[] { <http://a/s> <http://a/p> <http://a/o> . }\n", format.TriG},
		{"TriG, after triples", turtle + "ex:g { ex:a ex:b \"c\" }", format.TriG},
		{"N-Triples, no dots", strings.Repeat("<http://a/s>\t<http://a/p>\t<http://a/o>\n", 4), format.NTriples},
		{"N-Triples, no dots, literals", strings.Repeat("_:b1 <http://a/p> \"o\"@en\n", 2), format.NTriples},
		{"N-Quads, no dots", strings.Repeat("<http://a/s> <http://a/p> \"o\" <http://a/g>\n", 4), format.NQuads},
		{"Turtle, no dots", "@prefix e: <http://a/> .\n" + strings.Repeat("e:s e:p e:o\n", 4), format.Turtle},
		{"Turtle, absolute IRIs, objects on the next line", "<http://a/s> <http://a/p> <http://a/o>\n  , <http://a/q> .\n", format.Turtle},
		{"JSON-LD", `{"@context": {"name": "http://schema.org/name"}, "name": "x"}`, format.JSONLD},
		{"JSON-LD, an array", "[\n {\"@id\": \"http://a/s\", \"http://a/p\": [{\"@value\": 1}]}]", format.JSONLD},
		{"JSON-LD, a comma too many", `{"@context": {"a": "http://a/",}, "@graph": [,]`, format.JSONLD},
		{"JSON-LD, a comment first", "// made by x\n{\"@id\": \"http://a/s\"}", format.JSONLD},
		{"JSON-LD, keyword late", `{"a": {"b": [1, 2, {"c": null}]}, "@context": "http://schema.org/"}`, format.JSONLD},
		{"JSON-LD, IRIs as keys", `{"http://a/p": "x"}`, format.JSONLD},
		{"JSON-LD, cut", `{"@context": {"name": "htt`, format.JSONLD},
		{"RDF/XML", `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>`, format.RDFXML},
		{"RDF/XML, white space first",
			"\n\n <?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'></rdf:RDF>", format.RDFXML},
		{"RDF/XML, another prefix", `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><x/></r:RDF>`, format.RDFXML},
		{"RDF/XML, default namespace", `<RDF xmlns="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><Description about="x"/></RDF>`,
			format.RDFXML},
		{"RDF/XML, namespace by entity",
			"<!DOCTYPE rdf:RDF [<!ENTITY rdf 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'> <!-- > ] -->]>\n<rdf:RDF xmlns:rdf=\"&rdf;\"></rdf:RDF>",
			format.RDFXML},
		{"RDF/XML, undeclared prefix", `<rdf:RDF><rdf:Description rdf:about="x"/></rdf:RDF>`, format.RDFXML},
		{"RDF/XML, long comment first", "<?xml version='1.0'?>\n<!-- " + strings.Repeat("a <b> c\n", 2000) +
			"-->\n<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", format.RDFXML},
		{"RDF/XML without rdf:RDF",
			`<foaf:Person xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="#me"><foaf:name>x</foaf:name></foaf:Person>`,
			format.RDFXML},
		{"RDF/XML, only a description", `<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="#me"/>`,
			format.RDFXML},
		{"RDF/XML, tags that do not match", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><a></b></rdf:RDF>`,
			format.RDFXML},
		{"RDF/XML, cut in the middle", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Descr`, format.RDFXML},
		{"RDF/XML, junk before",
			"Warning: headers already sent\n<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>",
			format.RDFXML},
		{"TriX", `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"/>`, format.TriX},
		{"TriX by the DTD of the W3C",
			`<?xml version="1.0"?><!-- x --><trix xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph/></trix>`, format.TriX},
		{"TriX with a prefix", `<t:trix xmlns:t="http://www.w3.org/2004/03/trix/trix-1/"><t:graph/></t:trix>`, format.TriX},
		{"RDF/JSON", `{"http://a/s": {"http://a/p": [{"type": "uri", "value": "http://a/o"}]}}`, format.RDFJSON},
		{"RDF/JSON, blank nodes", `{"_:a": {"http://a/p": [{"value": "x", "type": "literal", "lang": "en"}]}}`, format.RDFJSON},
		{"RSS 1.0", `<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel rdf:about="x"/></rdf:RDF>`,
			format.RDFXML},
		{"RDFa", `<!DOCTYPE html><html><body vocab="http://schema.org/" typeof="Person"><span property="name">x</span></body></html>`,
			format.HTML},
		{"RDFa, Open Graph", `<html><head><meta property="og:title" content="x"></head></html>`, format.HTML},
		{"RDFa, upper case", `<HTML><BODY><SPAN PROPERTY="dc:title">x</SPAN></BODY></HTML>`, format.HTML},
		{"RDFa in XHTML",
			`<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body about="#x"><a rel="foaf:knows" href="#y"/></body></html>`,
			format.HTML},
		{"RDFa in SVG", `<svg xmlns="http://www.w3.org/2000/svg"><desc property="dc:title">x</desc></svg>`, format.RDFa},
		{"JSON-LD in a page",
			`<html><head><script src="a.js"></script><script type='application/ld+json; profile="x"'>{"@context": "http://schema.org/"}</script></head></html>`,
			format.HTML},
		{"Microdata in a page", `<!DOCTYPE html><title>x</title><DIV ItemScope itemtype="http://schema.org/Person"></DIV>`, format.HTML},
		{"RDFa in a piece of HTML", `<div vocab="http://schema.org/" typeof="Person"><span property="name">x</span></div>`, format.HTML},
	} {
		for _, whole := range []bool{true, false} {
			in := test.in
			if !whole { // as the beginning of something longer
				in += "\n<http://a/"
			}
			g := format.Guess([]byte(in), whole, "", "")
			if g.Format != test.want {
				t.Errorf("%s (whole %v): %s %s, want %s", test.name, whole, g.Format, g.NotRDF, test.want)
			}
			if g.Confidence <= 0 || g.Confidence > 1 || len(g.Evidence) == 0 || g.Err() != nil {
				t.Errorf("%s: %+v", test.name, g)
			}
		}
	}
}

func TestWhatIsNoRDFIsNamed(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "PNG"},
		{"\xFF\xD8\xFF\xE0\x00\x10JFIF", "JPEG"},
		{"%PDF-1.4\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Catalog >>", "PDF"},
		{"PK\x03\x04\x14\x00", "ZIP"},
		{"\x00\x01\x02\x03\x04\x05\x06\x07\x08", "binary data"},
		{"name,age\nx,1\ny,2\n", "CSV"},
		{"\"s\",\"p\",\"o\"\n\"http://a/s\",\"http://a/p\",\"a, b\"\n\"http://a/s\",\"http://a/p\",\"c\"\n", "CSV"},
		{"name;age\r\nx;1\r\ny;2\r\n", "CSV"},
		{"name\tage\nx\t1\ny\t2\n", "TSV"},
		{"Hello, world.\n", "plain text"},
		{"# A project\n\nThis is the readme of a project. It says: see http://example.org for more.\n\n## Usage\n\n    make all\n",
			"plain text"},
		{"Title: A text\nAuthor: Someone\n\nIt was a dark and stormy night; the rain fell in torrents.\n", "plain text"},
		{"User-agent: *\nDisallow: /private\n", "robots.txt"},
		{"# Data\n\nAn example of what is in here, for those who have never seen Turtle before and wonder what all this may be:\n\n```\nex:a ex:b ex:c .\n```\n\nThat is all that there is to say about it, and more can be read at the site of the project.\n",
			"Markdown"},
		{"404 Not Found", "plain text"},
		{"!<thin>\n//                                              10        `\na.ttl/\nb.nt/\n", "thin ar archive"},
		{"\x1E{\"type\": \"Feature\", \"geometry\": null}\n\x1E{\"type\": \"Feature\"}\n", "JSON text sequence"},
		{"SELECT * FROM table;\n", "SQL"},
		{"a", "plain text"},
		{".", "plain text"},
		{"<", "plain text"},
		{"{", "JSON"},
		{"x = { 1, 2 }\n", "plain text"},
		{"PREFIX foaf: <http://xmlns.com/foaf/0.1/>\nSELECT ?x WHERE { ?x foaf:name ?n . }\n", "SPARQL query"},
		{"format-version: 1.2\n\n[Term]\nid: GO:1\n", "OBO"},
		{"Prefix(:=<http://a/>)\nOntology(<http://a/>\nDeclaration(Class(:A))\n)", "OWL functional syntax"},
		{"Prefix: : <http://a/>\nOntology: <http://a/>\nClass: A\n  SubClassOf: B\n", "OWL Manchester syntax"},
		{`{"name": "x"}`, "JSON"},
		{`[1, 2, 3]`, "JSON"},
		{`{"http://a/": {"status": 200}, "http://b/": {"status": 404}}`, "JSON"},
		{`[{"url": "http://a/", "http://a/p": 1}]`, "JSON"},
		{"{\"@timestamp\": \"2024-01-01T00:00:00Z\", \"@version\": \"1\", \"message\": \"x\"}\n{\"@timestamp\": \"2024-01-01T00:00:01Z\", \"@version\": \"1\", \"message\": \"y\"}\n",
			"JSON lines"},
		{`[]`, "JSON"},
		{`{"type": "FeatureCollection", "features": []}`, "GeoJSON"},
		{`{"head": {"vars": ["x"]}, "results": {"bindings": []}}`, "SPARQL results"},
		{`<html><head><title>x</title></head><body><p>Hello</p></body></html>`, "HTML without data"},
		{`<!DOCTYPE html><title>404</title><h1>Not found</h1>`, "HTML without data"},
		{`<!-- x --><HTML><BODY BGCOLOR=white>x</BODY></HTML>`, "HTML without data"},
		{`<p>Hello <b>world</b></p>`, "HTML without data"},
		{`<html><head><link rel="stylesheet" href="x.css"></head><body><!-- <p property="x:y"> --><script>var a = '<p property="x:y">'</script></body></html>`,
			"HTML without data"},
		{`<html><head><meta itemprop="name" content="x"></head><script>a = '<script type="application/ld+json">'</script></html>`,
			"HTML without data"},
		{`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url/></urlset>`, "sitemap"},
		{`<?xml version="1.0"?><a><b resource="c">d</b></a>`, "XML (a)"},
		{`<a><b/></a>`, "XML (a)"},
		{`<a><b><c>1</c></b><b><c>2</c></b><b><c>3`, "XML (a)"}, // cut short
		{"<rows>\n  <row>\"1\"</row>\n  <row>2</row>\n", "plain text"},
		{"<rows>\n  <row><n>\"1\"</n></row>\n  <row>2", "XML (rows)"},
		{"<rows>\n  <row id='1'>one</row>\n", "XML (rows)"},
		{`<s> <p> "<b>bold</b>" and more`, "plain text"},
		{`<rss version="2.0"><channel/></rss>`, "RSS"},
		{`<feed xmlns="http://www.w3.org/2005/Atom"/>`, "Atom"},
		{`<svg xmlns="http://www.w3.org/2000/svg"><metadata/></svg>`, "SVG"},
		{`<svg xmlns="http://www.w3.org/2000/svg"><!-- <rdf:RDF/> --><desc><![CDATA[<rdf:RDF/>]]></desc></svg>`, "SVG"},
		{`<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head/></sparql>`, "SPARQL results"},
		{`<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://a/"/>`, "OWL/XML"},
	} {
		g := format.Guess([]byte(test.in), true, "", "")
		if g.Format != "" || g.NotRDF != test.want {
			t.Errorf("%.60q: %s %s, want %s", test.in, g.Format, g.NotRDF, test.want)
		}
		if err := g.Err(); fault.KindOf(err) != fault.Data || fault.CodeOf(err) != fault.FormatNotRDF {
			t.Errorf("%.60q: error %v", test.in, err)
		}
	}
}

func TestLinesWhoseFirstTermLooksLikeATagAreLines(t *testing.T) {
	for _, in := range []string{"<http:/> <http://a/p> <http://a/o> .\n", "<a:/> <http://a/p> \"</a:>\" .\n"} {
		if g := format.Guess([]byte(in), true, "", ""); g.Format != format.NTriples {
			t.Errorf("%q: %s %s", in, g.Format, g.NotRDF)
		}
	}
}

// What is looked at may be less than the first line.
func TestLinesLongerThanThePrefixAreStillLines(t *testing.T) {
	long := strings.Repeat("x", 300_000)
	for _, in := range []string{
		`<http://a/s> <http://a/p> "` + long,
		`<http://a/s> <http://a/p> <http://a/` + long,
		`<http://a/s> <http://a/` + long,
		`<http://a/` + long,
		`_:b <http://a/p> "` + long + `"`,
		"\n" + `<http://a/s> <http://a/p> "` + long + `" .`,
	} {
		if g := format.Guess([]byte(in), false, "", ""); g.Format != format.NTriples {
			t.Errorf("%.40q: %s %s", in, g.Format, g.NotRDF)
		}
	}
	for _, in := range []string{long, "<" + long, `"` + long, "a: " + long} {
		if g := format.Guess([]byte(in), false, "", ""); g.Format != "" {
			t.Errorf("%.40q: %s", in, g.Format)
		}
	}
}

func TestNothingIsStillRead(t *testing.T) {
	for _, in := range []string{"", " \r\n\t", "# only\n# comments", "\uFEFF"} {
		g := format.Guess([]byte(in), true, "", "")
		if !g.Empty || g.Format == "" {
			t.Errorf("%q: %+v", in, g)
		}
		c, _ := read(t, g.Format, []byte(strings.TrimPrefix(in, "\uFEFF")), "", true)
		if len(c.Quads) > 0 || len(c.Notices) != 1 || c.Notices[0].Code != fault.FormatEmpty || c.Notices[0].Severity != fault.Note {
			t.Errorf("%q: %v", in, c.Notices)
		}
	}
	if g := format.Guess([]byte("# a comment\n"), true, "", "x.nq"); g.Format != format.NQuads {
		t.Errorf("an empty file x.nq is %s", g.Format)
	}
	if g := format.Guess([]byte("# a comment\n"), false, "", ""); g.Empty {
		t.Error("a document that only begins with comments is called empty")
	}
}

func TestHintsDecideOnlyWhatContentLeavesOpen(t *testing.T) {
	triple := "<http://a/s> <http://a/p> <http://a/o> .\n"
	for _, test := range []struct {
		in, contentType, name string
		want                  format.Format
	}{
		{triple, "", "", format.NTriples},
		{triple, "text/html", "", format.NTriples},
		{triple, "application/n-quads", "", format.NQuads},
		{triple, "text/html; charset=utf-8", "http://a/data.nq.gz", format.NQuads},
		{"<s> <http://a/p> <http://a/o> .\n", "", "x.nt", format.NTriples},
		{turtle, "application/rdf+xml", "x.rdf", format.Turtle},
		{turtle, "application/trig", "", format.TriG},
		{turtle, "", "http://a/x.trig?y#z", format.TriG},
		{`{"name": "x"}`, "application/ld+json", "", format.JSONLD},
		{`{"name": "x"}`, "application/json", "", ""},
		{`<Book xmlns="http://a/"><title>x</title></Book>`, "application/rdf+xml", "", format.RDFXML},
		{`<Book xmlns="http://a/"><title>x</title></Book>`, "application/xml", "", ""},
		{"Not found.", "text/turtle", "x.ttl", ""},
	} {
		g := format.Guess([]byte(test.in), true, test.contentType, test.name)
		if g.Format != test.want {
			t.Errorf("%.30q, %s, %s: %s %s, want %s", test.in, test.contentType, test.name, g.Format, g.NotRDF, test.want)
		}
	}
}

func TestContradictions(t *testing.T) {
	for _, test := range []struct {
		found       format.Guessed
		contentType string
		want        bool
	}{
		{format.Guessed{Format: format.Turtle}, "", false},
		{format.Guessed{Format: format.Turtle}, "text/plain; charset=utf-8", false},
		{format.Guessed{Format: format.Turtle}, "application/octet-stream", false},
		{format.Guessed{Format: format.Turtle}, "application/x-anything", false},
		{format.Guessed{Format: format.Turtle}, "text/html", true},
		{format.Guessed{Format: format.Turtle}, "application/rdf+xml", true},
		{format.Guessed{Format: format.Turtle}, "application/n-triples", true},
		{format.Guessed{Format: format.Turtle}, "application/trig", false},
		{format.Guessed{Format: format.Turtle}, "text/n3", false},
		{format.Guessed{Format: format.Turtle}, "application/xml", true},
		{format.Guessed{Format: format.Turtle}, "application/json", true},
		{format.Guessed{Format: format.Turtle}, "image/png", true},
		{format.Guessed{Format: format.NTriples}, "text/turtle", false},
		{format.Guessed{Format: format.NTriples}, "application/n-quads", false},
		{format.Guessed{Format: format.NQuads}, "application/n-triples", true},
		{format.Guessed{Format: format.NQuads}, "application/trig", true},
		{format.Guessed{Format: format.TriG}, "text/turtle", true},
		{format.Guessed{Format: format.RDFXML}, "text/xml", false},
		{format.Guessed{Format: format.RDFXML}, "application/rss+xml", false},
		{format.Guessed{Format: format.RDFXML}, "text/html", true},
		{format.Guessed{Format: format.HTML}, "application/xhtml+xml", false},
		{format.Guessed{Format: format.HTML}, "application/xml", false},
		{format.Guessed{Format: format.HTML}, "image/svg+xml", true},
		{format.Guessed{Format: format.RDFa}, "application/xhtml+xml", false},
		{format.Guessed{Format: format.RDFa}, "text/html;;", false},
		{format.Guessed{Format: format.JSONLD}, "application/json", false},
		{format.Guessed{Format: format.JSONLD}, "text/html", true},
		{format.Guessed{NotRDF: "HTML without data"}, "text/turtle", true},
		{format.Guessed{NotRDF: "HTML without data"}, "text/html", false},
		{format.Guessed{NotRDF: "PDF"}, "application/pdf", false},
		{format.Guessed{Format: format.Turtle, Empty: true}, "text/html", false},
	} {
		if got := test.found.Contradicts(test.contentType); got != test.want {
			t.Errorf("%s%s, %q: %v", test.found.Format, test.found.NotRDF, test.contentType, got)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]format.Format{
		"JSON-LD": format.JSONLD, "json-ld": format.JSONLD, "jsonld": format.JSONLD, "application/ld+json; profile=x": format.JSONLD,
		".jsonld": format.JSONLD,
		"N-Quads": format.NQuads, "nq": format.NQuads, "application/n-quads": format.NQuads,
		"ntriples": format.NTriples, ".nt": format.NTriples, "N-Triples": format.NTriples,
		"application/n-triples;charset=utf-8": format.NTriples,
		"rdf/xml":                             format.RDFXML, "RDFXML": format.RDFXML, "owl": format.RDFXML,
		"application/rdf+xml": format.RDFXML,
		"rdfa":                format.RDFa, "image/svg+xml": format.RDFa, ".svg": format.RDFa,
		"html": format.HTML, "HTML": format.HTML, "text/html": format.HTML, "application/xhtml+xml": format.HTML, ".html": format.HTML,
		".htm": format.HTML, "xhtml": format.HTML,
		"TriX": format.TriX, "trix": format.TriX, "application/trix": format.TriX, "application/trix+xml": format.TriX,
		".trix":    format.TriX,
		"RDF/JSON": format.RDFJSON, "rdfjson": format.RDFJSON, "rdf-json": format.RDFJSON, "application/rdf+json": format.RDFJSON,
		".rj":  format.RDFJSON,
		"TRIG": format.TriG, "trig": format.TriG, "turtle": format.Turtle, "TTL": format.Turtle, "text/turtle": format.Turtle,
		"n3": format.N3, "text/n3": format.N3, ".n3": format.N3,
	} {
		if got, err := format.Named(name); err != nil || got != want {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "pdf", "application/pdf", "text/plain", ".", "/"} {
		if got, err := format.Named(name); err == nil || fault.CodeOf(err) != fault.FormatUnknown {
			t.Errorf("%q: %s, %v", name, got, err)
		}
	}
	for _, f := range []format.Format{format.TriX, format.RDFJSON, format.JSONLD, format.NQuads, format.NTriples, format.RDFXML,
		format.RDFa, format.HTML, format.TriG, format.Turtle} {
		if got, err := format.Named(string(f)); err != nil || got != f {
			t.Errorf("%s isn't a name of itself", f)
		}
		if got, err := format.Named(f.MediaType()); err != nil || got != f {
			t.Errorf("%s isn't a media type of %s", f.MediaType(), f)
		}
	}
}

func TestEveryFormatIsParsed(t *testing.T) {
	const line = "<http://a/s> <http://a/p> <http://a/o> ."
	for f, in := range map[format.Format]string{
		format.NTriples: line, format.NQuads: line, format.Turtle: line, format.TriG: line,
		format.JSONLD:  `{"@id": "http://a/s", "http://a/p": {"@id": "http://a/o"}}`,
		format.RDFXML:  `<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="http://a/" rdf:about="http://a/s"><a:p rdf:resource="http://a/o"/></rdf:Description>`,
		format.TriX:    `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://a/s</uri><uri>http://a/p</uri><uri>http://a/o</uri></triple></graph></TriX>`,
		format.RDFJSON: `{"http://a/s": {"http://a/p": [{"type": "uri", "value": "http://a/o"}]}}`,
		format.HTML:    `<html><a about="http://a/s" rel="http://a/p" href="http://a/o">x</a></html>`,
		format.RDFa:    `<html><a about="http://a/s" rel="http://a/p" href="http://a/o">x</a></html>`,
	} {
		c, proved := read(t, f, []byte(in), "http://a/base", false)
		if lines := c.Lines(); proved != f || len(lines) != 1 || lines[0] != line || len(c.Notices) > 0 {
			t.Errorf("%s: %s %v %v", f, proved, lines, c.Notices)
		}
	}
}

func TestGuessedLinesHandOver(t *testing.T) {
	for _, test := range []struct {
		rest string
		want format.Format
	}{
		{"", format.NTriples},
		{"@prefix a: <http://a/> .\na:s a:p a:o .\n", format.Turtle},
		{"<http://a/g> { <http://a/s> <http://a/p> \"x\" }\n", format.TriG},
		{"<http://a/s> <http://a/p> \"x\" <http://a/g> .\n", format.NQuads},
	} {
		_, proved := read(t, format.NTriples, []byte("<http://a/s> <http://a/p> <http://a/o> .\n"+test.rest), "", true)
		if proved != test.want {
			t.Errorf("%q: %s, want %s", test.rest, proved, test.want)
		}
	}
}

// Whatever the bytes, there is an answer: a format, or a name for what it is instead. It is the same
// every time, and what is found can be parsed.
func FuzzGuess(f *testing.F) {
	for _, in := range []string{turtle, "<a> <b> <c> .", "{\"@id\": 1}", "[[[{\"a\":", "<?xml?><!DOCTYPE a [<!-- ", "<a b='c' d=e/>",
		"@prefix", "\"\"\"", "<<", "a,b\nc,d", "<html property>", "{ ?x => { <= = .", "<a>'", "[]{", "GRAPH a:b {"} {
		f.Add([]byte(in), true, "text/turtle", "x.nt")
		f.Add([]byte(in), false, "", "")
	}
	f.Fuzz(func(t *testing.T, in []byte, whole bool, contentType, name string) {
		g := format.Guess(in, whole, contentType, name)
		if (g.Format == "") == (g.NotRDF == "") || g.Confidence <= 0 || g.Confidence > 1 {
			t.Fatalf("%+v", g)
		}
		g.Contradicts(contentType)
		if again := format.Guess(in, whole, contentType, name); fmt.Sprint(again) != fmt.Sprint(g) {
			t.Fatalf("%+v, then %+v", g, again)
		}
	})
}

func TestJSONLDIsKnownByItsKeywordsBehindABrokenBeginning(t *testing.T) {
	const rest = `"http://e/s", "@type": "http://e/T", "http://e/p": [{"@id": "http://e/o"}]}`
	for _, begins := range []string{"{null:", "{@id:", "{'@id':", `{"@id:`, `{"@id"=`, `{"@id" `, "[{", "{{", "{,"} {
		if got := format.Guess([]byte(begins+rest), true, "", "a.jsonld"); got.Format != format.JSONLD {
			t.Errorf("%s: %+v", begins, got)
		}
	}
}

// Dirt in a document of many sound statements does not make it one of another language.
func TestDirtAmongStatementsIsNoOtherLanguage(t *testing.T) {
	const statements = 200
	for _, dirt := range []string{
		"ex:s ex:p { ex:q 1 ] .\n", "ex:s ex:p { ex:t ex:q 1 .\n", "{ ex:a ex:b ex:c .\n",
		"ex:s ex:p ?x ; ex:q the words where and select .\n",
		"ex:s ex:p words insert data words .\n", "ex:g { ex:s ex:p 1 . ; }\n", "ex:s ex:p EXTRA words } .\n", "ex:s ex:p 5 } .\n",
	} {
		var text strings.Builder
		text.WriteString("@prefix ex: <http://example.org/> .\n")
		for i := range statements {
			if i == 40 {
				text.WriteString(dirt)
			}
			fmt.Fprintf(&text, "ex:s%d ex:p \"value %d\" ; ex:q ex:s%d .\n", i, i, i+1)
		}
		got := format.Guess([]byte(text.String()), true, "", "")
		if got.Format != format.Turtle && got.Format != format.TriG {
			t.Errorf("%q: %+v", dirt, got)
		}
	}
}
