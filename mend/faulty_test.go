package mend_test

import (
	"strings"
	"testing"
)

// TestFaultsOfEachFormatAreWrittenRight makes documents of each format with one fault each. What no edit is made of is
// left with a reason.
func TestFaultsOfEachFormatAreWrittenRight(t *testing.T) {
	made := map[string]int{}
	for _, form := range faulty {
		for _, wrong := range form.faults {
			text := strings.Replace(form.text, "FAULT", wrong, 1)
			before := wash(t, form.format, text)
			after, edits, diff := mended(t, before, form.format, text)
			if n := sum(edits.Made()) + sum(edits.Left()); n != sum(before.repairs) || n == 0 {
				t.Errorf("%s %q: %d repairs of %d are accounted for", form.format, text, n, sum(before.repairs))
			}
			for code := range edits.Left() {
				if edits.Why(code) == "" || !strings.Contains(diff, "# not here: ") {
					t.Errorf("%s %q: %s is left without a word", form.format, text, code)
				}
			}
			if sum(edits.Made()) == 0 || before.lost > 0 {
				continue
			}
			made[form.format]++
			again := wash(t, form.format, after)
			if again.lines != before.lines || sum(again.repairs) != sum(before.repairs)-sum(edits.Made()) {
				t.Errorf("%s %q\n%s\nbecomes %q\nwhich washes to %q, not %q, with the repairs %v", form.format,
					text, diff, after, again.lines,
					before.lines, again.repairs)
			}
		}
	}
	t.Log(made)
	for _, form := range faulty {
		if made[form.format] < form.least {
			t.Errorf("%s: edits are made in %d documents, not %d", form.format, made[form.format], form.least)
		}
	}
}

// faulty are documents, by format, in which FAULT is to be one of the faults. At least so many of them get an edit.
var faulty = []struct {
	format, text string
	least        int
	faults       []string
}{
	{"N-Triples", "<http://e/s> <http://e/p> FAULT\n<http://e/s> <http://e/p> \"z\" .\n", 21, []string{
		"<http://e/a b> .", "<http://e/a{b}> .", "< http://e/a > .", "<http://e/a#b#c> .", "<http://e/[a]> .",
		"\"a\"@en_US .", "\"a\\/b\" .",
		"\"a\\qb\\w\" .", "\"C:\\temp\\x\" .", "\"\\uD83D\\uDE00\" .", "'a' .", "12 .", "1.5 .", "1e6 .", "true .",
		"<http://e/o>", "<_:b> .",
		"\uFEFF<http://e/o> .", "<http://e/o> . <http://e/s> <http://e/p> \"y\" .",
		"\"1\"^^<http://www.w3.org/2001/XMLSchema#Integer> .",
		"\"a\xE9\" ."}},
	{"N-Quads", "<http://e/s> <http://e/p> FAULT\n<http://e/s> <http://e/p> \"z\" <http://e/g> .\n", 8, []string{
		"<http://e/a b> <http://e/g> .", "\"a\"@en_US <http://e/g> .", "\"a\\/b\" <http://e/g b> .", "12 <http://e/g> .",
		"<http://e/o> <http://e/g>",
		"<rel> <http://e/g> .", "\"a\" <http://e/g> . <http://e/s> <http://e/p> \"y\" .", "\"a\" _:g\u00A0 ."}},
	{"Turtle", "@prefix ex: <http://e/> .\nex:s ex:p FAULT ;\n  ex:q \"z\" .\n", 15, []string{
		"<http://e/a b>", "<http://e/a^b>", "< a >", "<a#b#c>", "\"a\"@en_US", "\"a\\/b\"", "\"a\\qb\"",
		"\"\\uD83D\\uDE00\"", "\u200Bex:o", "<_:b>",
		"\"a\"@en--LTR", "\"1\"^^<http://www.w3.org/2001/XMLSchema#Integer>", "\"\"\"a\\/b\"\"\"",
		"ex:o # \u200B\n \u200B", "foaf:x"}},
	{"TriG", "@prefix ex: <http://e/> .\nex:g {\nex:s ex:p FAULT .\nex:s ex:q \"z\" }\n", 8, []string{
		"<http://e/a b>", "\"a\"@en_US", "\"a\\/b\"", "\"\\uD83D\\uDE00\"", "\u200Bex:o", "<_:b>", "foaf:x", "< a >"}},
	{"N3", "@prefix ex: <http://e/> .\nex:s ex:p FAULT ;\n  ex:q \"z\" .\n", 8, []string{
		"<http://e/a b>", "\"a\"@en_US", "\"a\\/b\"", "\"\\uD83D\\uDE00\"", "\u200Bex:o", "<_:b>", "foaf:x", "< a >"}},
	{"RDF/XML", "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n" +
		"<rdf:Description rdf:about=\"s\">FAULT<e:q>z</e:q></rdf:Description>\n</rdf:RDF>\n", 25, []string{
		"<e:p>a & b</e:p>", "<e:p>a && b</e:p>", "<e:p>1 < 2</e:p>", "<e:p>a &eacute; b</e:p>",
		"<e:p>&#xD83D;&#xDE00;</e:p>", "<e:p>&#233 b</e:p>",
		"<e:p rdf:resource=\"http://e/?a&b&c\"/>", "<e:p rdf:resource=\"http://e/?a=&eacute;\"/>",
		"<e:p rdf:resource=\"http://e/&#233\"/>",
		"<e:p rdf:resource=\" o \"/>", "<e:p rdf:resource=\"http://e/a b\"/>", "<e:p rdf:resource='_:b'/>",
		"<e:p rdf:resource=\"o\"> </e:p>",
		"<e:p xml:lang=\"en_US\">a</e:p>", "<e:p rdf:datatype=\"http://www.w3.org/2001/XMLSchema#Integer\">1</e:p>",
		"<e:p rdf:parseType=\"resource\"><e:r>a</e:r></e:p>", "<e:p xml:lang=\"en\" xml:lang=\"en\">a</e:p>",
		"<e:p nodeID=\"b\"/>",
		"<e:p xmlns:xmlns=\"http://e/\">a</e:p>", "<e:p xmlns:x=\"\">a</e:p>", "<!ELEMENT a ANY><e:p>a</e:p>",
		"<!-- a <e:p>a</e:p>",
		"<e:p><e:C rdf:ID=\"1a\"/></e:p>", "<e:p><e:C rdf:ID=\"a\"/></e:p><e:p><e:C rdf:ID=\"a\"/></e:p>",
		"<e:p rdf:resource='1 < 2'/>"}},
	{"TriX",
		"<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\">\n<graph><triple><uri>http://e/s</uri><uri>http://e/p</uri>FAULT</triple>" +
			"</graph>\n</TriX>\n", 9, []string{
			"<plainLiteral>a & b</plainLiteral>", "<plainLiteral>1 < 2</plainLiteral>",
			"<plainLiteral>a &eacute; b</plainLiteral>",
			"<plainLiteral>&#233 b</plainLiteral>", "<uri>http://e/?a&b&c</uri>",
			"<plainLiteral xml:lang=\"en\" xml:lang=\"en\">a</plainLiteral>",
			"<plainLiteral xmlns:x=\"\">a</plainLiteral>", "<uri>http://e/a b</uri>", "<uri>rel</uri>", "<uri>_:b</uri>",
			"<plainLiteral xml:lang=\"en_US\">a</plainLiteral>",
			"<typedLiteral datatype=\"http://www.w3.org/2001/XMLSchema#Integer\">1</typedLiteral>"}},
	{"JSON-LD", "{\"@id\":\"http://e/s\",\n\"http://e/q\":\"z\",\n\"http://e/p\":FAULT}\n", 16, []string{
		"[1,2,]", "[1,,2]", "[1 2]", "{'@id':'http://e/o'}", "\"a\tb\"", "\"it\\'s\"", "\"a\"\u00A0",
		"{\"@id\":\"http://e/a b\"}",
		"{\"@id\":\" http://e/a \"}", "{\"@value\":\"a\",\"@language\":\"en_US\"}", "NaN", "{\"@value\":-Infinity}",
		"{\"@value\":\"1\",\"@type\":\"http://www.w3.org/2001/XMLSchema#Integer\"}",
		"{\"@id\":\"http://e/o\",\"@type\":null}", "[{\"@id\":\"http://e/o\"}}",
		"{\"@id\":\"http://e/o\" /* c */}"}},
	{"RDF/JSON",
		"{\"http://e/s\":{\"http://e/q\":[{\"type\":\"literal\",\"value\":\"z\"}],\n\"http://e/p\":[FAULT]}}\n", 9, []string{
			"{\"type\":\"literal\",\"value\":\"a\"},", "{\"type\":\"literal\",\"value\":\"a\",}",
			"{'type':\"literal\",\"value\":\"a\"}",
			"{\"type\":\"literal\",\"value\":'a'}", "{\"type\":\"literal\",\"value\":\"a\tb\"}",
			"{\"type\":\"literal\",\"value\":\"it\\'s\"}",
			"{\"type\":\"uri\",\"value\":\"http://e/a b\"}", "{\"type\":\"uri\",\"value\":\" http://e/a \"}",
			"{\"type\":\"uri\",\u00A0\"value\":\"http://e/a\"}",
			"{\"type\":\"literal\",\"value\":\"a\",\"lang\":\"en_US\"}", "{\"type\":\"literal\" \"value\":\"a\"}",
			"{\"type\":\"uri\",\"value\":\"_:b\"}",
			"{\"type\":\"literal\",\"value\":\"1\",\"datatype\":\"http://www.w3.org/2001/XMLSchema#Integer\"}"}},
	{"RDFa",
		"<!DOCTYPE html>\n<html prefix=\"ex: http://e/\"><body about=\"http://e/s\"><p property=\"ex:q\">z</p>\n" +
			"FAULT</body></html>\n", 5, []string{
			"<a rel=\"ex:p\" href=\"http://e/a b\">a</a>", "<p property=\"ex:p\" lang=\"en_US\">a</p>",
			"<p property=\"ex:p\" datatype=\"xsd:Integer\">1</p>", "<a rel=\"ex:p\" resource=\"http://e/a{b}\">a</a>",
			"<a rel=\"ex:p\" href='http://e/a|b'>a</a>"}},
	{"HTML",
		"<!DOCTYPE html>\n<html><body><div itemscope itemid=\"http://e/s\" itemtype=\"http://e/T\"><p itemprop=\"q\">z</p>\n" +
			"FAULT</div></body></html>\n",
		3, []string{"<a itemprop=\"p\" href=\"http://e/a b\">a</a>",
			"<p itemprop=\"p\" lang=\"en_US\">a</p>",
			"</div><div itemscope itemprop=\"p\" itemid=\"http://e/o\"><p itemprop=\"r\">a</p>"}},
}
