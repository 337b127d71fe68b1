package kind_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/format"
	"laundromat/records/extract"
	"laundromat/states/kind"
)

const (
	rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><item><title>A</title></item></channel></rss>`
	rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="http://a/">` +
		`<title>T</title></channel><item rdf:about="http://a/1"><title>A</title></item></rdf:RDF>`
	calendar = "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nSUMMARY:Tea, at four\nEND:VEVENT\nEND:VCALENDAR\n"
	prose    = "The mill stood by the river, and nobody went there.\nIn winter, the wheel froze.\n"
	words    = "It was a bright day in April.\nThe clocks were striking.\n\nNobody heard them.\n"
)

// documents are small files that say little of themselves.
var documents = []struct {
	title, text, media, name string
	want                     kind.Kind
}{
	{"a page that begins with a comment", "<!-- made by hand --><html><title>T</title><p>Words.</p></html>", "", "", kind.HTML},
	{"a page", "<!DOCTYPE html><title>T</title><p>Words.</p>", "text/html", "", kind.HTML},
	{"a page with data", `<html><p vocab="http://schema.org/" typeof="Person"><b property="name">Ann</b></p></html>`, "", "a.html", kind.HTML},
	{"a page in XML", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>Words.</p></body></html>`, "", "", kind.HTML},
	{"a page as text/plain", "<html><title>T</title><p>Words.</p></html>", "text/plain", "", kind.HTML},
	{"elements of no language", "<a><b><c/></b></a>", "", "", kind.XML},
	{"a page that is never closed", "<div><div><div>deep", "", "a.html", kind.HTML},
	{"elements in a file of text", "<b>bold</b> and <br />", "", "doc.txt", kind.Text},
	{"XML", `<?xml version="1.0"?><books><book><title>T</title></book></books>`, "", "", kind.XML},
	{"XML of a known language", `<kml xmlns="http://www.opengis.net/kml/2.2"><Document/></kml>`, "", "", kind.XML},
	{"XML called CSV", `<?xml version="1.0"?><books><book/></books>`, "text/csv", "a.csv", kind.XML},
	{"a table without a name", "name,age\nAnn,7\nBen,8\n", "", "", kind.CSV},
	{"a table with semicolons", "name;age\nAnn;7,5\nBen;8,25\n", "", "", kind.CSV},
	{"a table of texts", "id,text\n1,\"It rained, and stopped.\"\n2,\"It snowed, and stayed.\"\n", "", "", kind.CSV},
	{"a table with spaces", "name, age\nAnn, 7\nBen, 8\n", "", "", kind.CSV},
	{"a table in a text file", "name,age\nAnn,7\nBen,8\n", "text/plain", "a.txt", kind.CSV},
	{"a table with tabs", "name\tage\nAnn\t7\nBen\t8\n", "", "", kind.TSV},
	{"one column", "name\nAnn\nBen\n", "text/csv", "", kind.CSV},
	{"words called CSV", words, "", "words.csv", kind.CSV},
	{"words", words, "", "", kind.Text},
	{"words as a page", words, "text/html", "", kind.Text},
	{"sentences with commas", prose, "", "", kind.Text},
	{"sentences with commas in a file of text", prose, "text/plain", "a.txt", kind.Text},
	{"a page in a record of f5", "U:http://a.example/\tD:2013-04-09T02:26:00Z\tF:x\tH:<!doctype html><html><p>x</p></html>*NL*\n", "", "", kind.F5},
	{"a page with data in a record of f5", "U:http://a.example/\tD:\tF:x\tH:<html><p vocab=\"http://schema.org/\" typeof=\"Person\">" +
		"<b property=\"name\">Ann</b></p></html>*NL*\n", "text/plain", "a.f5", kind.F5},
	{"Markdown", "# Title\n\nSome words, and more.\n\n```\ncode\n```\n", "", "README.md", kind.Text},
	{"a calendar", calendar, "", "", "calendar"},
	{"a calendar by its type", calendar, "text/calendar", "a.ics", "calendar"},
	{"a query", "PREFIX a: <http://a/>\nSELECT ?s WHERE { ?s ?p ?o }\n", "", "", "SPARQL query"},
	{"RSS", rss, "", "", kind.RSS},
	{"RSS as text", rss, "text/plain", "", kind.RSS},
	{"RSS in RDF", rdf, "", "", kind.RSS10},
	{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>A</title></entry></feed>`, "", "", kind.Atom},
	{"an entry of Atom", `<entry xmlns="http://www.w3.org/2005/Atom"><title>A</title></entry>`, "", "", kind.Atom},
	{"a feed in JSON", `{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[]}`, "", "", kind.JSONFeed},
	{"JSON", `{"name":"Ann","age":7}`, "", "", kind.JSON},
	{"JSON of a known language", `{"type":"FeatureCollection","features":[]}`, "", "a.geojson", kind.JSON},
	{"lines of JSON", "{\"a\":1}\n{\"a\":2}\n", "", "", kind.JSONLines},
	{"one line of JSON", "{\"a\":1}\n", "", "a.jsonl", kind.JSONLines},
	{"JSON-LD", `{"@context":{"name":"http://schema.org/name"},"@id":"http://a/","name":"Ann"}`, "", "", kind.Kind(format.JSONLD)},
	{"YAML", "name: Ann\nage: 7\n", "", "", kind.YAML},
	{"YAML by its name", "- Ann\n- Ben\n", "", "a.yaml", kind.YAML},
	{"Turtle", "@prefix a: <http://a/> .\na:a a:b a:c .\n", "", "", kind.Kind(format.Turtle)},
	{"Turtle as text", "@prefix a: <http://a/> .\na:a a:b a:c .\n", "text/plain", "a.txt", kind.Kind(format.Turtle)},
	{"N-Triples", "<http://a/a> <http://a/b> \"c\" .\n", "", "", kind.Kind(format.NTriples)},
	{"RDF/XML", strings.ReplaceAll(rdf, "http://purl.org/rss/1.0/", "http://a/"), "", "", kind.Kind(format.RDFXML)},
	{"a workbook in XML", `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>`, "", "a.xml",
		kind.SpreadsheetML},
}

func TestOneGuessDecidesWhatADocumentIs(t *testing.T) {
	for _, d := range documents {
		found := format.Guess([]byte(d.text), true, d.media, d.name)
		got := kind.Of(kind.Look{Found: found, Text: []byte(d.text), MediaType: d.media, FileName: d.name})
		if got != d.want {
			t.Errorf("%s: %s, want %s (%s%s)", d.title, got, d.want, found.Format, found.NotRDF)
		}
	}
}

func TestOfBytesOnlyWorkbooksMakeRecords(t *testing.T) {
	for _, d := range []struct {
		not, begins, name string
		want              kind.Kind
	}{
		{"Microsoft Excel", "PK\x03\x04", "", kind.XLSX},
		{"Microsoft Excel", "\xD0\xCF\x11\xE0", "a.xls", "Microsoft Excel"},
		{"OpenDocument spreadsheet", "PK\x03\x04", "", kind.ODS},
		{"ZIP", "PK\x03\x04", "a.xlsx", kind.XLSX},
		{"ZIP", "PK\x03\x04", "a.ods", kind.ODS},
		{"ZIP", "PK\x03\x04", "a.zip", "ZIP"},
		{"Microsoft Word", "PK\x03\x04", "a.docx", "Microsoft Word"},
		{"OpenDocument text", "PK\x03\x04", "a.odt", "OpenDocument text"},
		{"PDF", "%PDF-1.7", "a.pdf", "PDF"},
		{"PNG", "\x89PNG\r\n", "a.csv", "PNG"},
	} {
		got := kind.OfBytes(format.Guessed{NotRDF: d.not}, []byte(d.begins), "", d.name)
		if got != d.want {
			t.Errorf("%s %s: %s, want %s", d.not, d.name, got, d.want)
		}
		makes := got.Makes(kind.Products())
		if isWorkbook := got == kind.XLSX || got == kind.ODS; isWorkbook != (len(makes) == 1) {
			t.Errorf("%s makes %q", got, makes)
		}
	}
}

// Each format of package format has a row, and what a kind makes by itself can be made of it.
func TestTheTableOfKindsIsWhole(t *testing.T) {
	for _, f := range []format.Format{format.NTriples, format.NQuads, format.Turtle, format.TriG, format.N3, format.RDFXML,
		format.TriX, format.JSONLD, format.RDFJSON, format.RDFa, format.HTML} {
		if k := kind.Kind(f); k.Form(kind.Statements) == kind.Not || len(k.ByItself()) == 0 {
			t.Errorf("%s makes %q", f, k.ByItself())
		}
	}
	for _, d := range documents {
		for _, product := range d.want.ByItself() {
			if d.want.Form(product) == kind.Not {
				t.Errorf("%s makes %s by itself, and can't", d.want, product)
			}
		}
		if readsRecords := d.want.Form(kind.Records) != kind.Not; readsRecords != (d.want.Extract() != "") {
			t.Errorf("%s is read for records: %v, as %q", d.want, readsRecords, d.want.Extract())
		}
		if name := d.want.Extract(); name != "" && !slices.Contains(extract.Names(), name) {
			t.Errorf("%s is read as %s", d.want, name)
		}
	}
}

func TestTheHintNamesTheSettingThatMakesMore(t *testing.T) {
	for _, c := range []struct {
		kind   kind.Kind
		wanted string
		want   string
	}{
		{kind.CSV, "statements", "--products statements,records makes records of it"},
		{kind.CSV, "records", ""},
		{kind.HTML, "statements", "--products statements,records,articles makes records and articles of it"},
		{kind.HTML, "statements articles", "--products statements,records,articles makes records of it"},
		{kind.RSS, "records", "--products records,articles makes articles of it"},
		{kind.Kind(format.Turtle), "records", "--products statements,records makes statements of it"},
		{"PDF", "statements", ""},
	} {
		if got := c.kind.Unwanted(strings.Fields(c.wanted)); got != c.want {
			t.Errorf("%s, beside %s: %q, want %q", c.kind, c.wanted, got, c.want)
		}
	}
}

func TestTheHintNamesWhoReadsADocument(t *testing.T) {
	for _, c := range []struct {
		kind    kind.Kind
		product string
		want    string
	}{
		{kind.CSV, kind.Statements, `"laundromat records" reads it`},
		{kind.CSV, kind.Records, ""},
		{kind.CSV, kind.Articles, `"laundromat records" reads it`},
		{kind.HTML, kind.Statements, `"laundromat records" and "laundromat text" read it`},
		{kind.RSS, kind.Statements, `"laundromat text" reads it`},
		{kind.Kind(format.Turtle), kind.Records, `"laundromat wash" reads it`},
		{"PDF", kind.Statements, ""},
		{"SPARQL query", kind.Articles, ""},
	} {
		if got := c.kind.Elsewhere(c.product); got != c.want {
			t.Errorf("%s, beside %s: %q, want %q", c.kind, c.product, got, c.want)
		}
	}
}
