package format_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
)

// sound are documents of each format with each sign. Words in them are joined by a blank or line end.
var sound = map[format.Format]string{
	format.NTriples: "<http://e/s1> <http://e/p> \"one two\"@en .\n<http://e/s2> <http://e/p> \"3\"^^<http://e/d> .\n_:b <http://e/q> <http://e/o> .\n<http://e/s4> <http://e/p> _:b .\n",
	format.NQuads:   "<http://e/s1> <http://e/p> \"one two\"@en <http://e/g> .\n<http://e/s2> <http://e/p> \"3\"^^<http://e/d> .\n_:b <http://e/q> <http://e/o> _:g .\n<http://e/s4> <http://e/p> _:b .\n",
	format.Turtle: turtleHead +
		":s1 a :C ;\n    :p \"one two\"@en , 'it' , \"\"\"long\ntext\"\"\" ;\n    :q [ :r 5 ; :t ( :a [ :u <http://e/v> ] \"w\" ) ] .\n" +
		":s2 :p 1.5 , true .\n<http://e/s3> :p <http://e/o> ; :q \"x\"^^:d .\n[ :p :o ] :q :s2 .\n:s4 :p :o .\n",
	format.TriG: turtleHead +
		":g1 {\n  :s1 a :C ; :p \"one two\"@en .\n  :s2 :q [ :r 5 ] .\n}\n<http://e/g2> { :s3 :p ( :a :b ) . :s4 :p 'x' }\n:s5 :p :o .\nGRAPH :g3 { :s6 :p :o . }\n",
	format.RDFXML: xmlNode +
		"<e:p xml:lang=\"en\">one two</e:p>\n<e:q rdf:resource=\"http://e/o\" />\n<e:r rdf:parseType=\"Resource\"> <e:t>x</e:t> </e:r>\n" +
		"<e:u> <e:C rdf:about=\"http://e/v\"> <e:w rdf:datatype=\"http://e/d\">5</e:w> </e:C> </e:u>" + xmlEnd,
	format.JSONLD:  `{ "@context" : { "p" : "http://e/p" } , "@id" : "http://e/s" , "p" : [ "one two" , 5 , { "@id" : "http://e/o" , "p" : true } ] , "http://e/q" : { "@value" : "x" , "@language" : "en" } }`,
	format.RDFJSON: `{ "http://e/s" : { "http://e/p" : [ { "type" : "literal" , "value" : "one two" , "lang" : "en" } , { "type" : "uri" , "value" : "http://e/o" } ] } }`,
	format.TriX: strings.Replace(trixHead, "<graph>", "<graph> <uri>http://e/g</uri> ", 1) +
		"<plainLiteral xml:lang=\"en\">one two</plainLiteral> </triple>\n<triple> <uri>http://e/s</uri> <uri>http://e/q</uri> <typedLiteral datatype=\"http://e/d\">5</typedLiteral> </triple> </graph> </TriX>",
	format.HTML: "<html> <head> <title>T</title> </head> <body vocab=\"http://e/\"> <p about=\"http://e/s\" property=\"name\">one two</p>\n" +
		"<div itemscope itemtype=\"http://e/T\"> <span itemprop=\"name\">x</span> <a itemprop=\"url\" href=\"http://e/o\">y</a> </div> </body> </html>",
}

// claims finds messages that say that a sign is not there.
var claims = regexp.MustCompile(
	`\b(is missing\b(?: [^o]|$)|are missing|is not closed[^,]|unclosed|has no [;.>}\])]|does not end|has no semicolon|has no object|ends the statement)`)

// doubts finds messages that only say that one may not be there.
var doubts = regexp.MustCompile(`\bmay be missing`)

// TestNoNoticeSaysThatWhatStandsThereIsMissing puts words that are none, undeclared prefixes,
// control characters and faults in letters into sound documents. None takes a sign away, and no
// notice says so.
func TestNoNoticeSaysThatWhatStandsThereIsMissing(t *testing.T) {
	unclosed := map[fault.Code]bool{
		fault.SyntaxUnclosedString: true, fault.SyntaxUnclosedIRI: true, fault.SyntaxUnclosedBracket: true, fault.SyntaxUnclosedGraph: true,
		fault.SyntaxUnfinished: true, fault.SyntaxMissingDot: true, fault.XMLUnclosedElement: true, fault.XMLUnclosedTag: true,
		fault.XMLUnclosedQuote: true,
		fault.XMLCutShort:      true, fault.JSONCutShort: true, fault.JSONColon: true, fault.HTMLCutShort: true,
	}
	for f, text := range sound {
		if _, notices := washed(t, f, text); len(notices) > 0 {
			for _, n := range notices {
				if n.Severity >= fault.Repair {
					t.Fatalf("%s: not sound: %+v", f, n)
				}
			}
		}
		random := rand.New(rand.NewPCG(13, uint64(len(text))))
		told := map[string]bool{}
		for range 400 {
			broken := breakOne(random, text)
			_, notices := washed(t, f, broken)
			for _, n := range notices {
				if key := string(n.Code) + n.Message; (unclosed[n.Code] || claims.MatchString(n.Message)) &&
					!doubts.MatchString(n.Message) && !told[key] {
					told[key] = true
					t.Errorf("%s: %d:%d %v %s: %s\n%q", f, n.Line, n.Column, n.Severity, n.Code, n.Message, broken)
				}
			}
		}
	}
}

// breakOne puts one fault into a text that takes no sign from it.
func breakOne(random *rand.Rand, text string) string {
	var gaps []int // between words, where no string goes on
	for i, c := range text {
		if c == ' ' && !inString(text[:i]) && !inTagName(text[:i]) {
			gaps = append(gaps, i)
		}
	}
	at := gaps[random.IntN(len(gaps))]
	switch random.IntN(4) {
	case 0: // a word
		return text[:at] + " " + []string{"word", "bad:name", "=", "%", "5x", "\x01", "a-", "&"}[random.IntN(8)] + text[at:]
	case 1: // a space more, and of another kind
		return text[:at] + []string{"\u00A0", "\u200B", "\uFEFF", "\x00"}[random.IntN(4)] + text[at:]
	default: // another letter
		for {
			i := random.IntN(len(text))
			if c := text[i]; 'a' <= c && c <= 'z' && !inTagName(text[:i]) {
				return fmt.Sprintf("%s%c%s", text[:i], []rune("x5é_\uFFFD\x02")[random.IntN(6)], text[i+1:])
			}
		}
	}
}

func inString(before string) bool { return strings.Count(before, `"`)%2 == 1 }

// inTagName says that a letter of the name of a tag comes: with another one, its element has no end
// tag, or no start tag.
func inTagName(before string) bool {
	return strings.LastIndexByte(before, '<') > strings.LastIndexAny(before, " >")
}

// TestALostPartIsToldItself breaks sound documents, also by taking signs away. Where a statement is
// said to be lost with a part that has its own notice, that notice is there.
func TestALostPartIsToldItself(t *testing.T) {
	lost := map[fault.Code]bool{fault.RDFJSONLostPart: true, fault.RDFXMLLostPart: true, fault.TriXLostPart: true}
	seen := map[fault.Code]bool{}
	for f, text := range sound {
		random := rand.New(rand.NewPCG(19, uint64(len(text))))
		for range 600 {
			broken := breakOne(random, text)
			if random.IntN(2) == 0 {
				i := random.IntN(len(text))
				broken = text[:i] + text[i+1:]
			}
			_, notices := washed(t, f, broken)
			told := slices.ContainsFunc(notices, func(n fault.Notice) bool {
				return n.Severity >= fault.Warning && !lost[n.Code] && !strings.Contains(n.Message, "told of above")
			})
			for _, n := range notices {
				switch refers := lost[n.Code] || strings.Contains(n.Message, "told of above"); {
				case refers && !told:
					t.Errorf("%s: nothing else is told than %d:%d %v %s: %s\n%q", f, n.Line, n.Column, n.Severity, n.Code, n.Message,
						broken)
				case refers:
					seen[n.Code] = true
				}
			}
		}
	}
	for code := range lost {
		if !seen[code] {
			t.Errorf("%s was not met", code)
		}
	}
}
