package format_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// gap is in a proof where something is missing.
const gap = "‸"

// proof is a document in which something is missing, as a notice says. With the sign put in at the gap
// there is no such notice any more, and all that was kept before is kept.
type proof struct {
	code   fault.Code
	format format.Format
	in     string // with a gap, or several
	sign   string // what is missing in each gap; with a gap in it, what is missing in one after another
	at     string // line:column of the notice
}

const (
	turtleHead = "@prefix : <http://e/> .\n"
	xmlHead    = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">` + "\n"
	xmlNode    = xmlHead + `<rdf:Description rdf:about="http://e/s">` + "\n"
	xmlEnd     = "\n</rdf:Description></rdf:RDF>"
	trixHead   = `<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph><triple><uri>http://e/s</uri><uri>http://e/p</uri>` + "\n"
	trixEnd    = "</triple></graph></TriX>"
)

var proofs = []proof{
	{fault.SyntaxUnclosedString, format.NTriples, "<http://e/s> <http://e/p> \"x‸ .\n<http://e/s> <http://e/p> <http://e/o> .\n", `"`,
		"1:27"},
	{fault.SyntaxUnclosedString, format.NTriples, "<http://e/s> <http://e/p> \"\"\"x‸ .\n<http://e/s> <http://e/p> <http://e/o> .\n", `"""`,
		"1:27"},
	{fault.SyntaxUnclosedString, format.Turtle, turtleHead + ":s :p \"x‸ .\n:t :p :o .\n", `"`, "2:7"},
	{fault.SyntaxUnclosedString, format.Turtle, turtleHead + ":s :p \"x‸ ;\n :q 1 .\n:t :p :o .\n", `"`, "2:7"},
	{fault.SyntaxUnclosedString, format.Turtle, turtleHead + ":s :p \"\"\"x\ny‸ .\n:t :p :o .\n", `"""`, "2:7"},
	{fault.SyntaxUnclosedString, format.Turtle, turtleHead + ":s :p 'x‸ .\n:t :p :o .\n", `'`, "2:7"},
	{fault.SyntaxUnclosedIRI, format.NTriples, "<http://e/s‸ <http://e/p> \"x\" .\n<http://e/s> <http://e/p> <http://e/o> .\n", ">", "1:1"},
	{fault.SyntaxUnclosedIRI, format.NTriples, "<http://e/s> <http://e/p> <http://e/o‸ .\n<http://e/s> <http://e/p> <http://e/o> .\n", ">",
		"1:27"},
	{fault.SyntaxUnclosedIRI, format.Turtle, turtleHead + ":s :p <http://e/o‸ ;\n :q 1 .\n:t :p :o .\n", ">", "2:7"},
	{fault.SyntaxUnclosedIRI, format.TriG, turtleHead + "<http://e/g‸ { :s :p :o }\n:h { :t :p :o }\n", ">", "2:1"},
	{fault.SyntaxUnclosedBracket, format.Turtle, turtleHead + ":s :p [ :q :r ‸.\n:t :p :o .\n", "]", "2:15"},
	{fault.SyntaxUnclosedBracket, format.Turtle, turtleHead + ":s :p ( :q :r ‸.\n:t :p :o .\n", ")", "2:15"},
	{fault.SyntaxUnclosedGraph, format.TriG, turtleHead + ":x :p :o .\n:g { :s :p :o . :s :q 1 .\n‸:h { :s :p :o . }\n:y :p :o .\n", "}\n",
		"3:17"},
	{fault.SyntaxUnfinished, format.NTriples, "<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p> \"x\"‸", " .", "2:30"},
	{fault.SyntaxUnfinished, format.Turtle, turtleHead + ":s :p :o ; :q ‸", "1 .", "2:14"},
	{fault.SyntaxIncomplete, format.NTriples,
		"<http://e/s> <http://e/p> ‸.\n<http://e/s> <http://e/p> <http://e/o> .\n<http://e/s> <http://e/p>‸\n",
		" <http://e/x> ‸ <http://e/x> .", "3:26"},
	{fault.SyntaxIncomplete, format.Turtle, turtleHead + ":s :p ‸.\n:t :p :o .\n", ":o ", "2:7"},
	{fault.SyntaxMissingDot, format.NTriples, "<http://e/s> <http://e/p> \"x\"‸\n<http://e/s> <http://e/p> <http://e/o>‸\n", " .", "1:30"},
	{fault.SyntaxMissingDot, format.Turtle, turtleHead + ":s :p :o‸\n:t :p :o .\n", " .", "2:9"},
	{fault.SyntaxMissingDot, format.Turtle, "@prefix : <http://e/>‸\n:t :p :o .\n", " .", "1:22"},
	{fault.SyntaxStray, format.TriG, turtleHead + ":g { :s :p :o .‸", " }", "2:16"},
	{fault.SyntaxDirective, format.Turtle, "@prefix e‸ <http://e/> .\n<http://e/s> <http://e/p> <http://e/o> .\n", ":", "1:9"},
	{fault.SyntaxUndeclaredPrefix, format.Turtle, "‸<http://e/s> <http://e/p> x:o .\n", "@prefix x: <http://x/> .\n", "1:27"},
	{fault.SyntaxNumber, format.Turtle, turtleHead + ":s :p 1e‸ .\n:t :p :o .\n", "5", "2:7"},
	{fault.SyntaxNumericEscape, format.NTriples, `<http://e/s> <http://e/p> "\u00‸" .` + "\n", "41", "1:28"},
	{fault.BlankNodeLabel, format.NTriples, "_:‸ <http://e/p> \"x\" .\n<http://e/s> <http://e/p> <http://e/o> .\n", "b", "1:1"},
	{fault.SyntaxUnexpected, format.Turtle, turtleHead + ":s :p :o‸ 5 .\n:t :p :o .\n", " ,", "2:10"},
	{fault.SyntaxSymbol, format.Turtle, turtleHead + ":s :p ‸& x\" .\n:t :p :o .\n", `"`, "2:7"},
	{fault.SyntaxWord, format.Turtle, turtleHead + ":s :p ‸word‸ .\n:t :p :o .\n", `"`, "2:7"},
	{fault.SyntaxFormula, format.Turtle, turtleHead + "‸{ :s :p :o }\n:t :p :o .\n", ":g ", "2:1"},
	{fault.IRINoBase, format.Turtle, "<‸x> <http://e/p> \"x\" .\n", "http://e/", "1:1"},
	{fault.IRIUnlikely, format.Turtle, "@base <http://e/> .\n<http://e/s> <http://e/p> <‸www.example.org> .\n", "http://", "2:27"},
	{fault.IRINamespaceEnd, format.Turtle, "@prefix e: <http://example.org‸> .\ne:s <http://e/p> \"x\" .\n", "/", "2:1"},
	{fault.IRIAuthority, format.NTriples, "<http://‸/x> <http://e/p> \"x\" .\n", "e", "1:1"},

	{fault.JSONBracket, format.JSONLD, `{"@id":"http://e/s","http://e/p":["a","b"‸}`, "]", "1:42"},
	{fault.JSONColon, format.JSONLD, `{"@id"‸ "http://e/s","http://e/p":"x"}`, ":", "1:8"},
	{fault.JSONComma, format.JSONLD, `[{"@id":"http://e/s","http://e/p":"x"}‸ {"@id":"http://e/t","http://e/p":"x"}]`, ",", "1:40"},
	{fault.JSONContextName, format.JSONLD, `{"@context":"‸schema.org","@id":"http://e/s","name":"x"}`, "https://", "1:13"},
	{fault.JSONCutShort, format.JSONLD, `{"@id":"http://e/s","http://e/p":"x"‸`, "}", "1:37"},
	{fault.JSONKeyword, format.JSONLD, `{"@‸d":"http://e/s","http://e/p":"x"}`, "i", "1:2"},
	{fault.JSONQuotes, format.JSONLD, `{"@context":{"p":"http://e/p"},‸p‸:"x"}`, `"`, "1:32"},
	{fault.JSONUndefinedTerm, format.JSONLD, `{"@id":"http://e/s","‸p":"x"}`, "http://e/", "1:21"},

	{fault.MicrodataItemID, format.HTML, `<div itemscope itemtype="http://e/T" itemid="‸x"><span itemprop="name">x</span></div>`,
		"http://e/", "1:1"},
	{fault.MicrodataNoType, format.HTML, `<base href="http://e/d"><div itemscope‸><span itemprop="name">x</span></div>`,
		` itemtype="http://e/T"`, "1:40"},
	{fault.MicrodataProperty, format.HTML, `<div itemscope‸><span itemprop="name">x</span></div>`, ` itemtype="http://e/T"`, "1:16"},
	{fault.MicrodataType, format.HTML, `<div‸ itemtype="http://e/T"><span>x</span></div>`, " itemscope", "1:1"},
	{fault.MicrodataValue, format.HTML, `<div itemscope itemtype="http://e/T"><img itemprop="image"‸></div>`, ` src="http://e/i"`, "1:38"},
	{fault.MicroformatUnmapped, format.HTML, `<p class="vcard"><b class="fn">x</b><b class="note">‸</b></p>`, "y", "1:37"},
	{fault.RDFaTerm, format.HTML, `<div‸><p about="http://e/s" property="name">x</p></div>`, ` vocab="http://e/"`, "1:6"},
	{fault.HTMLCutShort, format.HTML,
		"<html><body vocab=\"http://e/\"><p about=\"http://e/s\" property=\"name\">x</p><b about=\"http://e/t\" property=\"name\">y‸",
		"</b></body></html>", "1:113"},

	{fault.RDFJSONArray, format.RDFJSON, `{"http://e/s":{"http://e/p":‸{"type":"literal","value":"x"}‸}}`, "[‸]", "1:29"},
	{fault.RDFJSONTerm, format.RDFJSON, `{"http://e/s":{"http://e/p":[{"type":"literal"‸}]}}`, `,"value":"x"`, "1:30"},
	{fault.TriXTerm, format.TriX, trixHead + "<typedLiteral‸>5</typedLiteral>" + trixEnd, ` datatype="http://e/d"`, "2:1"},

	{fault.RDFXMLMissingNode, format.RDFXML, xmlHead + "‸<e:p>x</e:p></rdf:Description></rdf:RDF>",
		`<rdf:Description rdf:about="http://e/s">`, "2:1"},
	{fault.RDFXMLNoNamespace, format.RDFXML, xmlNode + "<‸p>x</‸p>" + xmlEnd, "e:", "3:1"},
	{fault.RDFXMLUnfinished, format.RDFXML, xmlNode + "<e:p>x‸" + xmlEnd, "</e:p>", "3:1"},
	{fault.RDFXMLUnqualified, format.RDFXML, xmlHead + `<rdf:Description ‸about="http://e/s"><e:p>x</e:p></rdf:Description></rdf:RDF>`,
		"rdf:", "2:18"},
	{fault.XMLUnclosedElement, format.RDFXML, xmlHead + `<rdf:Description rdf:about="http://e/s"><e:p>x</e:p>‸</rdf:RDF>`,
		"</rdf:Description>", "2:53"},
	{fault.XMLUnclosedTag, format.RDFXML, xmlNode + "<e:p rdf:parseType=\"Resource\"‸<e:q>x</e:q></e:p>" + xmlEnd, ">", "3:1"},
	{fault.XMLCutShort, format.RDFXML, xmlNode + "<e:p>x</e:p>‸", xmlEnd, "3:13"},
	{fault.XMLBadAttribute, format.RDFXML, xmlNode + `<e:p rdf:resource‸/>` + xmlEnd, `="http://e/o"`, "3:6"},
	{fault.XMLUnquotedValue, format.RDFXML, xmlNode + `<e:p rdf:resource=‸http://e/o‸ />` + xmlEnd, `"`, "3:19"},
	{fault.XMLUnclosedQuote, format.RDFXML, xmlNode + `<e:p rdf:resource="http://e/o‸/>` + "\n<e:q>x</e:q>" + xmlEnd, `"`, "3:6"},
	{fault.XMLMissingSpace, format.RDFXML, xmlNode + `<e:p xml:lang="en"‸rdf:datatype="http://e/d">x</e:p>` + xmlEnd, " ", "3:19"},
	{fault.XMLBadCharacter, format.RDFXML, xmlNode + `<e:p>a &#38‸ b</e:p>` + xmlEnd, ";", "3:8"},
	{fault.XMLBadEntity, format.RDFXML, "<!DOCTYPE rdf:RDF [<!ENTITY ns \"http://e/\">]>" + xmlNode + `<e:p rdf:resource="&ns‸#o"/>` +
		xmlEnd, ";", "3:20"},
	{fault.XMLBadEntity, format.RDFXML, "<!DOCTYPE rdf:RDF [<!ENTITY ns \"http://e/\">]>" + xmlNode + `<e:p rdf:resource="&ns‸o"/>` +
		xmlEnd, ";", "3:20"},
	{fault.XMLUnknownEntity, format.RDFXML, "<!DOCTYPE rdf:RDF [‸]>" + xmlNode + `<e:p>&x;</e:p>` + xmlEnd, `<!ENTITY x "y">`, "3:6"},
	{fault.XMLUnclosedComment, format.RDFXML, xmlNode + "<!-- x ‸\n<e:p>x</e:p>" + xmlEnd, "-->", "3:1"},
	{fault.XMLUnopenedTag, format.RDFXML, xmlNode + `‸e:p>x</e:p>` + xmlEnd, "<", "3:1"},
}

// washed is what comes of a text in the chain of all sinks.
func washed(t *testing.T, f format.Format, text string) (lines []string, notices []fault.Notice) {
	t.Helper()
	first, tally := clean.Chain(clean.Options{KeepBlankNodes: true}, clean.EachLine(func(line []byte) error {
		lines = append(lines, string(line))
		return nil
	}), func(n fault.Notice) { notices = append(notices, n) })
	var in rdf.Input
	if strings.Contains(text, "vocab=") {
		in.Base = "http://e/page" // that a page uses a vocabulary is said of its address
	}
	if _, err := format.Parse(context.Background(), f, strings.NewReader(text), format.Options{Input: in}, first); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	tally.Close()
	return lines, notices
}

func TestWhatIsToldAsMissingIsMissing(t *testing.T) {
	for _, p := range proofs {
		t.Run(fmt.Sprintf("%s %s", p.code, p.format), func(t *testing.T) {
			parts := strings.Split(p.in, gap)
			signs := strings.Split(p.sign, gap)
			whole := parts[0]
			for i, part := range parts[1:] {
				whole += signs[i%len(signs)] + part
			}
			kept, notices := washed(t, p.format, strings.Join(parts, ""))
			told := func(n fault.Notice) bool { return n.Code == p.code }
			found := slices.ContainsFunc(notices, func(n fault.Notice) bool {
				return told(n) &&
					fmt.Sprintf("%d:%d", n.Line, n.Column) == p.at
			})
			if !found {
				t.Errorf("not told at %s: %+v\n%s", p.at, notices, strings.Join(parts, ""))
			}
			mended, left := washed(t, p.format, whole)
			if slices.ContainsFunc(left, told) {
				t.Errorf("told where it stands: %+v\n%s", left, whole)
			}
			for _, n := range left {
				if n.Severity == fault.Drop {
					t.Errorf("lost where it stands: %+v\n%s", n, whole)
				}
			}
			if len(mended) < len(kept) {
				t.Errorf("less is kept where it stands")
			}
			warned := slices.ContainsFunc(notices, func(n fault.Notice) bool { return told(n) && n.Severity == fault.Warning })
			for _, line := range kept {
				if !warned && !slices.Contains(mended, line) {
					t.Errorf("not kept where it stands: %s\n%s", line, strings.Join(mended, "\n"))
				}
			}
		})
	}
}

// saysMissing finds the texts of codes that say of the document that a sign or a part is missing.
var (
	saysMissing = regexp.MustCompile(
		`missing|unclosed|not closed|still open|forgotten|\bwithout\b|\bhas no(t|ne)?\b|\black|cut short|does not end|in the middle|too few|no dot`)
	ofDocuments = regexp.MustCompile(`^(syntax|iri|language|blank-node|literal|archive|format|encoding)/`)
)

// saysOtherwise are the codes whose texts have such a word and say something else with it, or are proved elsewhere.
var saysOtherwise = map[fault.Code]string{
	fault.ArchiveDevice:           "a device has no bytes by its nature",
	fault.ArchiveEncrypted:        "without a password it can't be read, which isn't a sign",
	fault.ArchiveTruncated:        "proved in package archive, where streams are cut at each byte",
	fault.EncodingLost:            "letters in the words of a document",
	fault.EncodingMixed:           "how data was joined",
	fault.FormatNamedGraph:        "the output has no graphs",
	fault.FormatTripleTerm:        "the output has no triple terms",
	fault.FormatNotRDF:            "the message says what it is",
	fault.IRIPort:                 "the IRI without the port that it has",
	fault.IRIBlank:                "characters without width stand there",
	fault.JSONDirection:           "how it is written",
	fault.LanguageScript:          "what need not be said",
	fault.LiteralControl:          "a character that stands there",
	fault.LiteralIllTyped:         "literals without a value",
	fault.LiteralPrivateUse:       "a character that stands there",
	fault.LiteralQuestionMarks:    "letters that a question mark stands for",
	fault.SyntaxBareIRI:           "two signs; proved by TestAnIRIWithoutItsBracketsIsReadWhereItsEndIsPlain",
	fault.SyntaxGraphInTriples:    "a format that has no graphs",
	fault.JSONComment:             "JSON has none",
	fault.JSONContextNotAvailable: "a file that is not at hand; proved in package jsonld",
	fault.JSONEmptyKeyword:        "null stands there",
	fault.JSONNumber:              "JSON has none",
	fault.MicrodataPrefix:         "Microdata has none",
	fault.RDFJSONLostPart:         "proved by TestALostPartIsToldItself",
	fault.RDFXMLLostPart:          "proved by TestALostPartIsToldItself",
	fault.TriXLostPart:            "proved by TestALostPartIsToldItself",
	fault.RDFXMLResourceNode:      "an attribute that is passed over",
	fault.RDFXMLNestedRDF:         "a property element around rdf:RDF has no value",
	fault.TriXEmptyName:           "an empty element says as much as none",
	fault.TriXElement:             "an element that stands there",
	fault.SyntaxUnreadable:        "an error that has no code",
	fault.SyntaxUnseen:            "a space without width stands there",
	fault.XMLMisplacedDeclaration: "something stands before it",
}

func TestEveryTextThatSaysThatSomethingIsMissingIsProved(t *testing.T) {
	proved := map[fault.Code]bool{}
	for _, p := range proofs {
		proved[p.code] = true
	}
	for _, info := range fault.Codes() {
		says := ofDocuments.MatchString(string(info.Code)) && saysMissing.MatchString(info.Title+" "+info.Explain)
		_, otherwise := saysOtherwise[info.Code]
		switch {
		case says && !proved[info.Code] && !otherwise:
			t.Errorf("no proof of %s: %s\n%s", info.Code, info.Title, info.Explain)
		case otherwise && (!says || proved[info.Code]):
			t.Errorf("%s is in vain among those that say something else", info.Code)
		}
	}
}
