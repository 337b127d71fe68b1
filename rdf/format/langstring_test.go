package format_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// xmlOf is RDF/XML that says one thing of <http://e/s>, with attributes on the root.
func xmlOf(attributes, property string) string {
	return "<rdf:RDF xmlns:rdf=\"" + rdf.RDF + "\" xmlns:e=\"http://e/\"" + attributes + ">\n<rdf:Description rdf:about=\"http://e/s\">\n" +
		property + "\n</rdf:Description></rdf:RDF>\n"
}

func trixOf(literal string) string {
	return "<TriX xmlns=\"http://www.w3.org/2004/03/trix/trix-1/\"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri>\n" + literal +
		"</triple></graph></TriX>\n"
}

const (
	spokenAs  = "repair literal/language-datatype"
	noSpeech  = "warning literal/no-language"
	langIRI   = rdf.LangString
	speaks    = "<http://e/s> <http://e/p> "
	typedText = "^^<" + rdf.LangString + ">"
)

// speech is a document of one literal, and what is made of it.
type speech struct {
	name  string
	of    format.Format
	text  string
	lines []string // behind speaks
	found []string
}

var spoken = []speech{
	{"RDF/XML", format.RDFXML, xmlOf("", `<e:p rdf:datatype="`+langIRI+`" xml:lang="en">x</e:p>`), []string{`"x"@en`},
		[]string{spokenAs + " 3:89"}},
	{"RDF/XML: the language stands around", format.RDFXML, xmlOf(` xml:lang="nl"`, `<e:p rdf:datatype="`+langIRI+`">x</e:p>`),
		[]string{`"x"@nl`}, []string{spokenAs + " 3:75"}},
	{"RDF/XML: no language", format.RDFXML, xmlOf("", `<e:p rdf:datatype="`+langIRI+`">x</e:p>`), []string{`"x"` + typedText},
		[]string{noSpeech + " 3:75"}},
	{"RDF/XML: xml:lang takes the language away", format.RDFXML, xmlOf(` xml:lang="nl"`, `<e:p rdf:datatype="`+langIRI+
		`" xml:lang="">x</e:p>`), []string{`"x"` + typedText}, []string{noSpeech + " 3:87"}},
	{"RDF/XML: other datatypes have no language", format.RDFXML,
		xmlOf(` xml:lang="nl"`, `<e:p rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">1</e:p>`),
		[]string{`"1"^^<http://www.w3.org/2001/XMLSchema#integer>`}, nil},
	{"RDF/XML: a datatype of others", format.RDFXML, xmlOf(` xml:lang="nl"`, `<e:p rdf:datatype="http://e/langString">1</e:p>`),
		[]string{`"1"^^<http://e/langString>`}, nil},
	{"RDF/XML: misspelt", format.RDFXML,
		xmlOf("", `<e:p rdf:datatype="https://www.w3.org/1999/02/22-rdf-syntax-ns#LangString" xml:lang="en">x</e:p>`), []string{`"x"@en`},
		[]string{spokenAs + " 3:90"}},
	{"RDF/XML: empty", format.RDFXML, xmlOf("", `<e:p xml:lang="en" rdf:datatype="`+langIRI+`"/>`), []string{`""@en`},
		[]string{spokenAs + " 3:1"}},
	{"RDF/XML: an underscore", format.RDFXML, xmlOf("", `<e:p xml:lang="en_gb" rdf:datatype="`+langIRI+`">x</e:p>`), []string{`"x"@en-gb`},
		[]string{"repair language/underscore 3:92", spokenAs + " 3:92"}},
	{"RDF/XML: no language tag at all", format.RDFXML, xmlOf("", `<e:p xml:lang="in English" rdf:datatype="`+langIRI+`">x</e:p>`), nil,
		[]string{"drop language/invalid 3:97"}},
	{"RDF/XML: a direction", format.RDFXML, xmlOf(` xmlns:its="http://www.w3.org/2005/11/its" rdf:version="1.2" its:version="2.0"`,
		`<e:p xml:lang="he" its:dir="rtl" rdf:datatype="`+rdf.DirLangString+`">x</e:p>`), []string{`"x"@he--rtl`},
		[]string{spokenAs + " 3:106"}},

	{"N-Triples", format.NTriples, speaks + `"x"@en` + typedText + " .\n", []string{`"x"@en`}, []string{spokenAs + " 1:27"}},
	{"N-Triples: the tag behind", format.NTriples, speaks + `"x"` + typedText + "@en .\n", []string{`"x"@en`},
		[]string{spokenAs + " 1:27"}},
	{"N-Triples: another datatype", format.NTriples, speaks + "\"x\"@en^^<http://www.w3.org/2001/XMLSchema#string> .\n" + speaks +
		"\"y\" .\n", []string{`"y"`}, []string{"drop syntax/unexpected-token 1:33"}},
	{"N-Triples: a direction", format.NTriples, speaks + `"x"@he--rtl^^<` + rdf.DirLangString + "> .\n", []string{`"x"@he--rtl`},
		[]string{spokenAs + " 1:27"}},
	{"N-Triples: no tag", format.NTriples, speaks + `"x"@` + typedText + " .\n", nil, []string{"drop language/malformed-tag 1:30"}},
	{"N-Triples: misspelt, and no language", format.NTriples, speaks + `"x"^^<` + strings.ToLower(langIRI) + "> .\n",
		[]string{`"x"` + typedText}, []string{"repair literal/misspelt-datatype 1:27", noSpeech + " 1:27"}},
	{"N-Quads", format.NQuads, speaks + `"x"@en` + typedText + " <http://e/g> .\n", []string{`"x"@en <http://e/g>`},
		[]string{spokenAs + " 1:27"}},
	{"Turtle", format.Turtle, "PREFIX r: <" + rdf.RDF + ">\n" + speaks +
		"'x'@en^^r:langString, 'y'@EN^^r:langString, '1'@en^^r:HTML, 'z'^^r:langString@en, 'v'@en ^^ r:langString .\n",
		[]string{`"v"@en`, `"x"@en`, `"y"@en`, `"z"@en`},
		[]string{spokenAs + " 2:27", "note language/case 2:49", spokenAs + " 2:49", "drop syntax/unexpected-token 2:77", spokenAs + " 2:87",
			spokenAs + " 2:109"}},
	{"TriG", format.TriG, "PREFIX r: <" + rdf.RDF + ">\n<http://e/g> {\n" + speaks + "'x'@en^^r:langString }\n",
		[]string{`"x"@en <http://e/g>`}, []string{spokenAs + " 3:27"}},
	{"TriX", format.TriX, trixOf(`<typedLiteral datatype="` + langIRI + `" xml:lang="en">x</typedLiteral>`), []string{`"x"@en`},
		[]string{spokenAs + " 2:1"}},
	{"TriX: the other way round", format.TriX, trixOf(`<typedLiteral xml:lang="en" datatype="` + langIRI + `">x</typedLiteral>`),
		[]string{`"x"@en`}, []string{spokenAs + " 2:1"}},
	{"TriX: no language", format.TriX, trixOf(`<typedLiteral xml:lang="" datatype="` + langIRI + `">x</typedLiteral>`),
		[]string{`"x"` + typedText}, []string{noSpeech + " 2:1"}},
	{"TriX: another datatype", format.TriX,
		trixOf(`<typedLiteral xml:lang="en" datatype="http://www.w3.org/2001/XMLSchema#integer">1</typedLiteral>`),
		[]string{`"1"^^<http://www.w3.org/2001/XMLSchema#integer>`}, []string{"warning syntax/trix-foreign 2:15"}},
	{"RDF/JSON", format.RDFJSON, `{"http://e/s":{"http://e/p":[{"type":"literal","value":"x","lang":"en","datatype":"` + langIRI + `"}]}}`,
		[]string{`"x"@en`}, []string{spokenAs + " 1:30"}},
	{"RDF/JSON: another datatype", format.RDFJSON,
		`{"http://e/s":{"http://e/p":[{"type":"literal","value":"x","lang":"en","datatype":"http://www.w3.org/2001/XMLSchema#token"}]}}`,
		nil, []string{"drop syntax/rdfjson-term 1:30"}},
	{"JSON-LD", format.JSONLD, `{"@id":"http://e/s","http://e/p":{"@value":"x","@language":"en","@type":"` + langIRI + `"}}`,
		[]string{`"x"@en`}, []string{spokenAs + " 1:44"}},
	{"JSON-LD: by a term", format.JSONLD, `{"@context":{"@language":"en","p":{"@id":"http://e/p","@type":"` + langIRI +
		`"}},"@id":"http://e/s","p":"x"}`, []string{`"x"@en`}, []string{spokenAs + " 1:144"}},
	{"JSON-LD: by a term, and no language", format.JSONLD, `{"@context":{"p":{"@id":"http://e/p","@type":"` + langIRI +
		`"}},"@id":"http://e/s","p":"x"}`, []string{`"x"` + typedText}, []string{noSpeech + " 1:127"}},
	{"JSON-LD: another datatype", format.JSONLD,
		`{"@id":"http://e/s","http://e/p":{"@value":"x","@language":"en","@type":"http://www.w3.org/2001/XMLSchema#token"}}`, nil,
		[]string{"drop syntax/json-keyword 1:34"}},
	{"JSON-LD: other terms keep their datatype", format.JSONLD,
		`{"@context":{"@language":"en","p":{"@id":"http://e/p","@type":"http://www.w3.org/2001/XMLSchema#token"}},"@id":"http://e/s","p":"x"}`,
		[]string{`"x"^^<http://www.w3.org/2001/XMLSchema#token>`}, nil},
	{"RDFa", format.RDFa, "<p about='http://e/s'>\n<b property='http://e/p' datatype='rdf:langString' lang='en'>x</b></p>",
		[]string{`"x"@en`}, []string{spokenAs + " 2:1"}},
	{"RDFa: the language stands around", format.RDFa,
		"<html lang='en'><p about='http://e/s'>\n<b property='http://e/p' datatype='rdf:langString' content='x'></b></p>",
		[]string{`"x"@en`}, []string{spokenAs + " 2:1"}},
	{"RDFa: no language", format.RDFa,
		"<html lang='en'><p about='http://e/s'>\n<b property='http://e/p' lang='' datatype='rdf:langString'>x</b></p>",
		[]string{`"x"` + typedText}, []string{noSpeech + " 2:1"}},
}

func TestTextsThatNameTheirDatatypeKeepTheirLanguage(t *testing.T) {
	for _, c := range spoken {
		holdSpoken(t, c)
	}
}

func holdSpoken(t *testing.T, c speech) {
	t.Helper()
	var want []string
	for _, line := range c.lines {
		want = append(want, speaks+line+" .")
	}
	how := clean.Options{HasAnonymous: true}
	w := readLabelled(t, how, c.of, c.text)
	slices.Sort(w.lines)
	var got []string
	for _, n := range w.notices {
		got = append(got, fmt.Sprintf("%s %s %d:%d", n.Severity, n.Code, n.Line, n.Column))
	}
	if !slices.Equal(w.lines, want) || !slices.Equal(got, c.found) {
		t.Errorf("%s: got %q\n%q, want %q\n%q\n%s", c.name, w.lines, got, want, c.found, c.text)
	}
	how.Strict = true
	for _, n := range readLabelled(t, how, c.of, c.text).notices {
		if n.Code == fault.LiteralLanguageDatatype && (n.Severity != fault.Drop || n.Lost != 1) {
			t.Errorf("%s: strict: %+v", c.name, n)
		}
	}
}

// Two hundred texts, with any language and any spelling of the datatype. By RDF 1.1 Concepts §3.3 a
// literal has a language if and only if its datatype is rdf:langString. So that is the one literal
// that both can mean.
func TestAnyTextThatNamesItsDatatypeKeepsItsLanguage(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 3))
	of := func(all ...string) string { return all[random.IntN(len(all))] }
	for range 200 {
		tag := of("en", "nl", "en-gb", "zh-hans", "de-1996", "sr-latn-rs", "x-own", "fy")
		value := of("About", "kort", "Ünïcode", "a b", "1", "true", "2024-01-01")
		datatype := of(rdf.LangString, rdf.LangString, rdf.DirLangString, "https://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
			"http://w3.org/1999/02/22-rdf-syntax-ns#langString", rdf.RDF+"langstring", rdf.RDF+"LANGSTRING", rdf.RDF+"DirLangString")
		around, on := "", of(` xml:lang="`+tag+`"`, ` xml:lang='`+tag+"'")
		if random.IntN(2) == 0 {
			around, on = on, ""
		}
		if random.IntN(3) == 0 {
			around = ` xml:lang="pt"`
			on = ` xml:lang="` + tag + `"`
		}
		typed := ` rdf:datatype="` + datatype + `"`
		if random.IntN(2) == 0 {
			on, typed = typed, on
		}
		members := []string{`"type":"literal"`, `"value":"` + value + `"`, `"lang":"` + tag + `"`, `"datatype":"` + datatype + `"`}
		random.Shuffle(4, func(i, j int) { members[i], members[j] = members[j], members[i] })
		keys := []string{`"@value":"` + value + `"`, `"@language":"` + tag + `"`, `"@type":"` + datatype + `"`}
		random.Shuffle(3, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		tagged := of(`@`+tag+`^^<`+datatype+`>`, `^^<`+datatype+`>@`+tag)
		for _, c := range []struct {
			of   format.Format
			text string
		}{
			{format.RDFXML, xmlOf(around, "<e:p"+on+typed+">"+value+"</e:p>")},
			{format.TriX, trixOf(`<typedLiteral datatype="` + datatype + `" xml:lang="` + tag + `">` + value + "</typedLiteral>")},
			{format.NTriples, speaks + `"` + value + `"` + tagged + " .\n"},
			{format.NQuads, speaks + `"` + value + `"` + tagged + ".\n"},
			{format.Turtle, speaks + "'''" + value + "'''" + tagged + ".\n"},
			{format.TriG, "{ " + speaks + `"` + value + `"` + tagged + " }\n"},
			{format.RDFJSON, `{"http://e/s":{"http://e/p":[{` + strings.Join(members, ",") + `}]}}`},
			{format.JSONLD, `{"@id":"http://e/s","http://e/p":{` + strings.Join(keys, ",") + `}}`},
			{format.RDFa, "<html lang='" + tag + "'><p about='http://e/s'><b property='http://e/p' datatype='" + datatype + "'>" + value +
				"</b></p>"},
		} {
			w := readLabelled(t, clean.Options{HasAnonymous: true}, c.of, c.text)
			want := speaks + `"` + value + `"@` + tag + " ."
			repairs := 0
			for _, n := range w.notices {
				if n.Severity == fault.Drop {
					t.Errorf("%s: %+v", c.text, n)
				}
				if n.Code == fault.LiteralLanguageDatatype {
					repairs++
				}
			}
			if len(w.lines) != 1 || w.lines[0] != want || repairs != 1 || w.tally.Repaired != 1 {
				t.Errorf("%s: got %q, %s%+v, want %s", c.text, w.lines, w.found(), w.tally, want)
			}
		}
	}
}
