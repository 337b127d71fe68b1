package rdfxml_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdfxml"
)

// head and foot are before and after the rows of a table whose documents are not whole. The
// head is one line, so that a row begins in line 2, column 1.
const (
	head = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">` + "\n"
	foot = "\n</rdf:RDF>\n"
)

var short = strings.NewReplacer("<http://www.w3.org/1999/02/22-rdf-syntax-ns#", "<rdf:", "<http://e/", "<e:",
	"<http://www.w3.org/2001/XMLSchema#", "<xsd:")

// row is a document, what is made of it and what is reported. Quads are canonical lines,
// shortened, with ! in front if repaired; notices are "line:column severity code lost".
type row struct {
	name    string
	body    string // between head and foot; a whole document if it begins with a space
	quads   []string
	notices []string
}

func (r *row) doc() string {
	if whole, ok := strings.CutPrefix(r.body, " "); ok {
		return whole
	}
	return head + r.body + foot
}

const sp = `<rdf:Description rdf:about="http://e/s">`
const ps = `</rdf:Description>`

var faults = slices.Concat(faults11, loneNodes, parseTypes, membersOf, declarations, tripleFaults, nameFaults, badNames, blankProperties,
	bothWays)

var faults11 = []row{
	// End tags.
	{"unclosed property loses its text", sp + "<e:p>text" + ps + `<e:T rdf:about="http://e/t"/>`,
		[]string{"<e:t> <rdf:type> <e:T> ."},
		[]string{"2:50 repair syntax/xml-unclosed-element 0", "2:41 drop syntax/rdfxml-unfinished-statement 1"}},
	{"unclosed node", sp + `<e:p><e:T rdf:about="http://e/t"></e:p><e:q>v</e:q>` + ps,
		[]string{"<e:s> <e:p> <e:t> .", "<e:t> <rdf:type> <e:T> .", "<e:s> <e:q> \"v\" ."},
		[]string{"2:74 repair syntax/xml-unclosed-element 0"}},
	{"misnamed end tag after text", sp + "<e:p>text</e:q><e:r>v</e:r>" + ps,
		[]string{"!<e:s> <e:p> \"text\" .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:50 repair syntax/xml-mismatched-end-tag 0"}},
	{"end tag in another case", sp + "<e:p rdf:resource='http://e/o'></E:P><e:r>v</e:r>" + ps,
		[]string{"<e:s> <e:p> <e:o> .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:72 repair syntax/xml-mismatched-end-tag 0"}},
	{"superfluous end tag", sp + "<e:p rdf:resource='http://e/o'/></e:x><e:r>v</e:r>" + ps,
		[]string{"<e:s> <e:p> <e:o> .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:73 repair syntax/xml-stray-end-tag 0"}},
	{"tag without >", sp + "<e:p rdf:resource='http://e/o'/><e:r xml:lang='en'\n<e:x/></e:r><e:q>v</e:q>" + ps,
		[]string{"<e:s> <e:p> <e:o> .", "!<e:s> <e:r> _:0-1 .", "_:0-1 <rdf:type> <e:x> .", "<e:s> <e:q> \"v\" ."},
		[]string{"2:73 repair syntax/xml-unclosed-tag 0"}},

	{"missing end tag of a node", sp + "<e:p>v</e:p><rdf:Description rdf:about=\"http://e/o\"><e:q>v</e:q>" + ps,
		[]string{"<e:s> <e:p> \"v\" .", "<e:o> <e:q> \"v\" ."},
		[]string{"2:53 repair syntax/xml-unclosed-element 0"}},
	{"missing end tag of a text before the next property", sp + "<e:p>text <e:q>v</e:q><e:r>v</e:r>" + ps,
		[]string{"<e:s> <e:q> \"v\" .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:51 repair syntax/xml-unclosed-element 0", "2:41 drop syntax/rdfxml-unfinished-statement 1"}},
	{"missing start tag of a node", "<e:p>v</e:p><e:q>w</e:q>" + ps + `<e:T rdf:about="http://e/t"/>`,
		[]string{"<e:t> <rdf:type> <e:T> ."},
		[]string{"2:1 drop syntax/rdfxml-missing-node 0", "2:1 drop syntax/rdfxml-lost-part 1", "2:13 drop syntax/rdfxml-lost-part 1"}},
	{"tag without <", sp + `e:p rdf:resource="http://e/o"/><e:q>v/e:q><e:r>v</e:r>` + ps,
		[]string{"!<e:s> <e:p> <e:o> .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:41 repair syntax/xml-unopened-tag 0", "2:83 repair syntax/xml-unclosed-element 0",
			"2:72 drop syntax/rdfxml-unfinished-statement 1"}},
	{"rdf:nodeID of dots and with control characters", `<e:T rdf:nodeID="."/><e:T rdf:nodeID=".a"/><e:T rdf:nodeID="b&#x14;"/>`,
		[]string{"!_:.a <rdf:type> <e:T> ."},
		[]string{"2:6 drop syntax/rdfxml-bad-id 0", "2:1 drop syntax/rdfxml-lost-part 1", "2:27 repair syntax/rdfxml-bad-id 0",
			"2:61 repair syntax/xml-control-character 0", "2:49 drop syntax/rdfxml-bad-id 0", "2:44 drop syntax/rdfxml-lost-part 1"}},
	{"end tag of a node without its slash", `<e:T rdf:about="http://e/u"/><e:T rdf:about="http://e/t"><e:p>v</e:p><e:T>` + "\n" + sp +
		"<e:p>v</e:p>" + ps + "\n" + sp + "<e:q>v</e:q>" + ps,
		[]string{"<e:u> <rdf:type> <e:T> .", "<e:t> <rdf:type> <e:T> .", "<e:t> <e:p> \"v\" .", "<e:s> <e:p> \"v\" .",
			"<e:s> <e:q> \"v\" ."},
		[]string{"2:70 repair syntax/xml-unclosed-element 0", "2:70 repair syntax/xml-unclosed-element 0",
			"2:70 drop syntax/rdfxml-lost-part 1", "3:1 repair syntax/xml-unclosed-element 0"}},
	{"comment that does not end", sp + "<!-- note\n<e:p>v</e:p><e:q>w</e:q>" + ps + `<e:T rdf:about="http://e/t"/>`,
		[]string{"!<e:s> <e:p> \"v\" .", "!<e:s> <e:q> \"w\" .", "<e:t> <rdf:type> <e:T> ."},
		[]string{"2:41 repair syntax/xml-unclosed-comment 0"}},
	{"comment that does not end before properties without their node", `<!-- note <e:T rdf:about="e:t"><e:p rdf:resource="e:x">` +
		strings.Repeat("\n<e:p>v</e:p>", 40) + "\n</e:T>\n" + `<e:T rdf:about="e:u"><e:q>w</e:q></e:T>`,
		[]string{"!<e:u> <rdf:type> <e:T> .", "!<e:u> <e:q> \"w\" ."},
		[]string{"2:1 repair syntax/xml-unclosed-comment 0"}},
	{"comment in a value that does not end", sp + "<e:p><!-- note</e:p><e:q>w<!-- note</e:q><e:r><!-- note\n<e:T/></e:r><e:r>v</e:r>" + ps,
		[]string{"!<e:s> <e:r> _:0-1 .", "!_:0-1 <rdf:type> <e:T> .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:46 repair syntax/xml-unclosed-comment 0", "2:41 drop syntax/rdfxml-unfinished-statement 1",
			"2:67 drop syntax/xml-unclosed-comment 1", "2:87 repair syntax/xml-unclosed-comment 0"}},
	{"page of HTML", sp + "<e:p>v</e:p><!DOCTYPE html><html><body><hr><p>502<br></body></html><e:q>w</e:q>" + ps,
		[]string{"<e:s> <e:p> \"v\" .", "<e:s> <e:q> \"w\" ."},
		[]string{"2:53 repair syntax/xml-bad-markup 0", "2:94 repair syntax/xml-unclosed-element 0",
			"2:68 drop syntax/rdfxml-html-page 1"}},

	{"end tag of the root too early", sp + "<e:p>v</e:p>" + ps + `</rdf:RDF><e:T rdf:about="http://e/t"/>`,
		[]string{"<e:s> <e:p> \"v\" .", "<e:t> <rdf:type> <e:T> ."},
		[]string{"2:71 repair syntax/xml-stray-end-tag 0"}},
	{"XML literal without end", sp + `<e:p rdf:parseType="Literal">a <b>c</b><e:q>v</e:q>` + ps, []string{"<e:s> <e:q> \"v\" ."},
		[]string{"2:41 drop syntax/rdfxml-unfinished-statement 1", "2:80 repair syntax/xml-unclosed-element 0"}},
	{"end tag of a node without indentation missing",
		sp + `<e:p rdf:parseType="Resource"><e:q>1</e:q><e:r>2</e:r><e:p rdf:resource="http://e/o"/><e:t>3</e:t>` + ps,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <e:q> \"1\" .", "<e:s> <e:p> <e:o> .", "<e:s> <e:t> \"3\" ."},
		[]string{"2:41 drop syntax/rdfxml-unfinished-statement 0", "2:83 drop syntax/rdfxml-lost-part 1",
			"2:95 repair syntax/xml-unclosed-element 0"}},
	{"list cut off at the end of a line", "<e:T rdf:about='http://e/1'/>\n<e:T rdf:about='http://e/2'/>\n" + sp +
		`<e:p rdf:parseType="Collection"><e:T rdf:about="http://e/3"/><e:T rdf:about="http://e/4"/` + "\n<e:T rdf:about='http://e/5'/>",
		[]string{"<e:1> <rdf:type> <e:T> .", "<e:2> <rdf:type> <e:T> .", "<e:s> <e:p> _:0-1 .", "_:0-1 <rdf:first> <e:3> .",
			"<e:3> <rdf:type> <e:T> .", "_:0-1 <rdf:rest> _:0-2 .", "!_:0-2 <rdf:first> <e:4> .", "!<e:4> <rdf:type> <e:T> .",
			"!_:0-2 <rdf:rest> <rdf:nil> .", "<e:5> <rdf:type> <e:T> ."}, []string{"4:102 repair syntax/xml-unclosed-tag 0",
			"5:1 repair syntax/xml-unclosed-element 0"}},
	{"list cut off in the first node", sp + `<e:p rdf:parseType="Collection"><e:T rdf:about="http://e/3"/><rdf:Descr` +
		"\n<e:T rdf:about='http://e/5'/>\n<e:T rdf:about='http://e/6'/>",
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <rdf:first> <e:3> .", "<e:3> <rdf:type> <e:T> .", "_:0-1 <rdf:rest> _:0-2 .",
			"!_:0-2 <rdf:rest> <rdf:nil> .", "<e:5> <rdf:type> <e:T> .", "<e:6> <rdf:type> <e:T> ."},
		[]string{"2:102 repair syntax/xml-bare-less-than 0", "3:1 repair syntax/xml-unclosed-element 0",
			"2:102 drop syntax/rdfxml-stray-text 1"}},
	{"node where a datatype tells of text", sp + `<e:p rdf:datatype="http://e/d"><e:T rdf:about="http://e/t"/></e:p><e:q>v</e:q>` + ps,
		[]string{"<e:t> <rdf:type> <e:T> .", "<e:s> <e:q> \"v\" ."}, []string{"2:72 drop syntax/rdfxml-conflicting-attributes 1"}},
	{"tag without < behind an empty one", sp + "\n<e:a rdf:nodeID='n'/>\ne:b xml:lang='en'>text</e:b>\n" + ps + sp + "<e:p>v</e:p>" + ps,
		[]string{"<e:s> <e:a> _:n .", "!<e:s> <e:b> \"text\"@en .", "<e:s> <e:p> \"v\" ."},
		[]string{"4:1 repair syntax/xml-unopened-tag 0"}},
	{"control characters in names", sp + "<e:\x00p>v</e\x00:p><e:\xffq>w</e:q>" + ps,
		[]string{"<e:s> <e:\xffq> \"w\" ."},
		[]string{"2:42 drop syntax/xml-control-character 1", "2:50 repair syntax/xml-control-character 0"}},
	{"control characters in a name of RDF", "<rdf:Desc\x02ription rdf:about='http://e/s'><e:p>v</e:p>" + ps,
		[]string{"!<e:s> <e:p> \"v\" ."}, []string{"2:2 repair syntax/xml-control-character 0"}},
	{"control characters in the name of a class", "<e:T\x02 rdf:about='http://e/s'><e:p>v</e:p></e:T>",
		[]string{"<e:s> <e:p> \"v\" ."}, []string{"2:2 drop syntax/xml-control-character 1"}},
	{"control characters in the name of an attribute", "<e:T rdf:about='http://e/s' e:p\x02='v' e:q='w'/><e:T rdf:ab\x00out='http://e/t'/>",
		[]string{"<e:s> <rdf:type> <e:T> .", "<e:s> <e:q> \"w\" ."},
		[]string{"2:29 drop syntax/xml-control-character 1", "2:52 drop syntax/xml-control-character 0",
			"2:47 drop syntax/rdfxml-lost-part 1"}},
	{"control characters in the name rdf:parseType",
		sp + "<e:a rdf:\x00parseType='Resource'><e:b>v</e:b><e:c rdf:nodeID='n'/></e:a><e:p>v</e:p>" + ps,
		[]string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:46 drop syntax/xml-control-character 1", "2:72 drop syntax/rdfxml-lost-part 1", "2:84 drop syntax/rdfxml-lost-part 1"}},
	{"control characters in the name of an attribute that occurs twice", "<e:T rdf:about='http://e/t'\x00rdf:about><e:p>v</e:p></e:T>", nil,
		[]string{"2:6 drop syntax/xml-unclosed-quote 0", "2:1 drop syntax/rdfxml-lost-part 1", "2:39 drop syntax/rdfxml-lost-part 1"}},
	{"bytes that are not UTF-8 in names", "<e:T\xe9 rdf:about='http://e/s' e:p\xe9='v'><e:q rdf:parseType='Literal'><e:\xe9/></e:q></e:T>",
		[]string{"<e:s> <rdf:type> <e:T\xe9> .", "<e:s> <e:p\xe9> \"v\" .",
			"<e:s> <e:q> \"<e:\xe9 xmlns:e=\\\"http://e/\\\"></e:\xe9>\"^^<rdf:XMLLiteral> ."}, nil},
	{"text behind a tag without >", sp + `<e:p xml:lang="en"some words</e:p><e:q rdf:resource="http://e/o"/` + "\n<e:r>v</e:r>" + ps,
		[]string{"!<e:s> <e:p> \"some words\"@en .", "!<e:s> <e:q> <e:o> .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:41 repair syntax/xml-unclosed-tag 0", "2:75 repair syntax/xml-unclosed-tag 0"}},
	{"opening quotation mark missing", sp + `<e:p e:q=some words" e:r="v"/>` + ps,
		[]string{"<e:s> <e:p> _:0-1 .", "!_:0-1 <e:q> \"some words\" .", "_:0-1 <e:r> \"v\" ."},
		[]string{"2:50 repair syntax/xml-unquoted-value 0"}},
	{"quotation marks in a value", sp + `<e:p e:q="say "yes" or no" e:r="v"/>` + ps,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <e:r> \"v\" ."},
		[]string{"2:46 drop syntax/xml-unclosed-quote 1"}},
	{"misspelt parseType", sp + `<e:p rdf:parseType="collection"/><e:q rdf:parseType="Foo">v</e:q>` + ps,
		[]string{"!<e:s> <e:p> <rdf:nil> .", `<e:s> <e:q> "v"^^<rdf:XMLLiteral> .`},
		[]string{"2:46 repair syntax/rdfxml-unknown-parse-type 0", "2:79 warning syntax/rdfxml-unknown-parse-type 0"}},
	{"CDATA and instruction without end", sp + "<e:p><![CDATA[text</e:p><e:q>v</e:q><?x <e:r>w</e:r>" + ps,
		[]string{"<e:s> <e:q> \"v\" .", "!<e:s> <e:r> \"w\" ."},
		[]string{"2:46 drop syntax/xml-bad-markup 1", "2:77 repair syntax/xml-bad-markup 0"}},

	// References and characters.
	{"bare ampersand in an attribute", sp + "<e:p rdf:resource='http://e/o?a=1&b=2'/>" + ps,
		[]string{"!<e:s> <e:p> <e:o?a=1&b=2> ."}, []string{"2:60 repair syntax/xml-bare-ampersand 0"}},
	{"bare ampersand and less in text", sp + "<e:p>a & b < c</e:p><e:q>d</e:q>" + ps,
		[]string{"!<e:s> <e:p> \"a & b < c\" .", "<e:s> <e:q> \"d\" ."},
		[]string{"2:48 repair syntax/xml-bare-ampersand 0", "2:52 repair syntax/xml-bare-less-than 0"}},
	{"less before a word", sp + "<e:p>a <b and c</e:p>" + ps,
		[]string{"!<e:s> <e:p> \"a <b and c\" ."}, []string{"2:48 repair syntax/xml-bare-less-than 0"}},
	{"less in an attribute", sp + `<e:p e:q="a <b> c"/>` + ps,
		[]string{"<e:s> <e:p> _:0-1 .", "!_:0-1 <e:q> \"a <b> c\" ."}, []string{"2:51 repair syntax/xml-bare-less-than 0"}},
	{"entity of HTML", sp + "<e:p>a&nbsp;b&eacute;</e:p>" + ps,
		[]string{"!<e:s> <e:p> \"a\u00a0b\u00e9\" ."}, []string{"2:47 repair syntax/xml-html-entity 0",
			"2:54 repair syntax/xml-html-entity 0"}},
	{"unknown entity costs its statement", sp + "<e:p>a&what;b</e:p><e:q e:r='&what;' e:s='v'/><e:r>v</e:r>" + ps,
		[]string{"<e:s> <e:q> _:0-1 .", "_:0-1 <e:s> \"v\" .", "<e:s> <e:r> \"v\" ."},
		[]string{"2:47 drop syntax/xml-unknown-entity 1", "2:70 drop syntax/xml-unknown-entity 1"}},
	{"entity of a well-known namespace", sp + "<rdf:type rdf:resource='&owl;Class'/>" + ps,
		[]string{"!<e:s> <rdf:type> <http://www.w3.org/2002/07/owl#Class> ."}, []string{"2:65 repair syntax/xml-namespace-entity 0"}},
	{"control characters", sp + "<e:p>a\x0bb&#1;</e:p>" + ps,
		[]string{`!<e:s> <e:p> "a\u000Bb\u0001" .`}, []string{"2:47 repair syntax/xml-control-character 0",
			"2:49 repair syntax/xml-control-character 0"}},
	{"surrogates", sp + "<e:p>&#xD83D;&#xDE00;</e:p><e:q>&#xD83D;</e:q>" + ps,
		[]string{"!<e:s> <e:p> \"\U0001F600\" ."},
		[]string{"2:46 repair syntax/xml-bad-character-reference 0", "2:73 drop syntax/xml-bad-character-reference 1"}},
	{"reference without semicolon", sp + "<e:p>&#65 </e:p>" + ps,
		[]string{"!<e:s> <e:p> \"A \" ."}, []string{"2:46 repair syntax/xml-bad-character-reference 0"}},
	{"end of CDATA in text", sp + "<e:p>a[1]]>b</e:p>" + ps,
		[]string{"!<e:s> <e:p> \"a[1]]>b\" ."}, []string{"2:49 repair syntax/xml-bad-markup 0"}},

	// Attributes.
	{"unquoted value", sp + "<e:p rdf:resource=http://e/o/><e:q rdf:resource=http://e/o>" + "</e:q>" + ps,
		[]string{"!<e:s> <e:p> <e:o> .", "!<e:s> <e:q> <e:o> ."},
		[]string{"2:59 repair syntax/xml-unquoted-value 0", "2:89 repair syntax/xml-unquoted-value 0"}},
	{"missing quotation mark before an attribute", sp + `<e:p e:q="a e:r="b"/><e:q>v</e:q>` + ps,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <e:r> \"b\" .", "<e:s> <e:q> \"v\" ."},
		[]string{"2:46 drop syntax/xml-unclosed-quote 1"}},
	{"missing quotation mark before the end of a tag", sp + `<e:p rdf:resource="http://e/o/><e:q e:r="b"/>` + ps,
		[]string{"<e:s> <e:q> _:0-1 .", "_:0-1 <e:r> \"b\" ."},
		[]string{"2:46 drop syntax/xml-unclosed-quote 1"}},
	{"attributes without space", sp + `<e:p e:q="a"e:r="b"/>` + ps,
		[]string{"!<e:s> <e:p> _:0-1 .", "!_:0-1 <e:q> \"a\" .", "!_:0-1 <e:r> \"b\" ."},
		[]string{"2:53 repair syntax/xml-missing-space 0"}},
	{"attribute twice", sp + `<e:p e:q="a" e:q="b" e:r="c"/>` + ps,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <e:r> \"c\" ."}, []string{"2:54 drop syntax/xml-duplicate-attribute 1"}},
	{"an attribute that occurs twice with one value", `<rdf:Description rdf:about="http://e/s" e:p="x" e:p="x" e:q="y"/>`,
		[]string{"!<e:s> <e:p> \"x\" .", "<e:s> <e:q> \"y\" ."}, []string{"2:49 repair syntax/xml-duplicate-attribute 0"}},
	{"values between quotation marks of typography", `<rdf:Description rdf:about=“http://e/s” e:p=„a b“/>`,
		[]string{"!<e:s> <e:p> \"a b\" ."}, []string{"2:28 repair syntax/xml-unquoted-value 0", "2:45 repair syntax/xml-unquoted-value 0"}},
	{"one that does not end", `<rdf:Description rdf:about="http://e/s" e:p=“a/>`,
		[]string{"!<e:s> <e:p> \"“a\" ."}, []string{"2:45 repair syntax/xml-unquoted-value 0"}},
	{"two document types", ` <!DOCTYPE rdf:RDF [<!ENTITY e "http://e/">]><!DOCTYPE rdf:RDF [<!ENTITY e "http://f/">]>` + "\n" + head +
		`<rdf:Description rdf:about="&e;s" e:p="x"/>` + foot,
		[]string{"<e:s> <e:p> \"x\" ."}, []string{"1:45 repair syntax/xml-bad-markup 0"}},
	{"attribute without a value", sp + `<e:p rdf:resource="http://e/o" e:q , />` + ps,
		[]string{"!<e:s> <e:p> <e:o> ."}, []string{"2:76 repair syntax/xml-bad-attribute 0", "2:72 drop syntax/xml-bad-attribute 1"}},

	// Names.
	{"undeclared prefix costs its statement", sp + `<x:p>v</x:p><e:p x:q="v" e:r="w"/>` + ps + `<x:T rdf:about="http://e/t" e:p="v"/>`,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <e:r> \"w\" .", "<e:t> <e:p> \"v\" ."},
		[]string{"2:41 drop syntax/undeclared-prefix 1", "2:58 drop syntax/undeclared-prefix 1", "2:93 drop syntax/undeclared-prefix 1"}},
	{"well-known prefix is told once", sp + `<foaf:name>a</foaf:name><foaf:name>b</foaf:name>` + ps,
		[]string{"!<e:s> <http://xmlns.com/foaf/0.1/name> \"a\" .", "!<e:s> <http://xmlns.com/foaf/0.1/name> \"b\" ."},
		[]string{"2:41 repair syntax/undeclared-prefix 0"}},
	{"names without a namespace", sp + `<p>v</p><e:p a="v" e:r="w"/>` + ps + `<T rdf:about="http://e/t" e:p="v"/>`,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <e:r> \"w\" .", "<e:t> <e:p> \"v\" ."},
		[]string{"2:41 drop syntax/rdfxml-no-namespace 1", "2:54 drop syntax/rdfxml-no-namespace 1",
			"2:87 drop syntax/rdfxml-no-namespace 1"}},
	{"names that XML does not allow", sp + `<e:1>v</e:1><e:>v</e:>` + ps, []string{"!<e:s> <e:1> \"v\" ."},
		[]string{"2:41 repair syntax/xml-bad-name 0", "2:53 drop syntax/xml-bad-name 1"}},
	{"rdf: left out", `<rdf:Description about="http://e/s"><e:p resource="http://e/o"/><e:q nodeID="n"/></rdf:Description>`,
		[]string{"<e:s> <e:p> <e:o> .", "!<e:s> <e:q> _:n ."},
		[]string{"2:18 warning syntax/rdfxml-unqualified-attribute 0", "2:42 warning syntax/rdfxml-unqualified-attribute 0",
			"2:70 repair syntax/rdfxml-unqualified-attribute 0"}},
	{"reserved attributes are ignored", sp + `<e:p xml:foo="a" xmlfoo="b" xml:space="preserve">v</e:p>` + ps,
		[]string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:46 warning syntax/xml-reserved-attribute 0", "2:58 warning syntax/xml-reserved-attribute 0"}},
	{"unknown name of RDF", sp + `<rdf:foo>v</rdf:foo>` + ps, []string{"<e:s> <rdf:foo> \"v\" ."},
		[]string{"2:42 warning syntax/rdfxml-unknown-name 0"}},
	{"forbidden names", `<rdf:li>x</rdf:li>` + sp + `<rdf:about>v</rdf:about>` + ps +
		`<e:T rdf:about="http://e/t" rdf:li="v" rdf:resource="x"/>`,
		[]string{"<e:t> <rdf:type> <e:T> ."},
		[]string{"2:1 drop syntax/rdfxml-forbidden-name 1", "2:59 drop syntax/rdfxml-forbidden-name 1",
			"2:140 drop syntax/rdfxml-forbidden-name 1", "2:129 drop syntax/rdfxml-forbidden-name 1"}},

	// RDF/XML.
	{"lost subject", `<e:T rdf:about="a" rdf:nodeID="b" e:p="v"><e:q><e:U rdf:about="http://e/u"/></e:q></e:T>`,
		[]string{"<e:u> <rdf:type> <e:U> ."},
		[]string{"2:1 drop syntax/rdfxml-conflicting-attributes 0", "2:1 drop syntax/rdfxml-lost-part 1",
			"2:1 drop syntax/rdfxml-lost-part 1", "2:43 drop syntax/rdfxml-lost-part 1"}},
	{"aboutEach and bagID", `<e:T rdf:aboutEach="#a"/><e:T rdf:about="http://e/t" rdf:bagID="b"/>`, []string{"<e:t> <rdf:type> <e:T> ."},
		[]string{"2:6 drop syntax/rdfxml-obsolete 0", "2:1 drop syntax/rdfxml-lost-part 1", "2:54 drop syntax/rdfxml-obsolete 1"}},
	{"conflicting attributes",
		sp + `<e:p rdf:resource="a" rdf:nodeID="b"><e:T/></e:p><e:q rdf:parseType="Resource" rdf:resource="x" rdf:ID="i"><e:r>v</e:r></e:q><e:s>v</e:s>` +
			ps,
		[]string{"<e:s> <e:s> \"v\" ."},
		[]string{"2:41 drop syntax/rdfxml-conflicting-attributes 1", "2:90 drop syntax/rdfxml-conflicting-attributes 5"}},
	{"property attributes beside parseType", sp + `<e:q rdf:parseType="Resource" e:x="x"><e:r>v</e:r></e:q>` + ps,
		[]string{"<e:s> <e:q> _:0-1 .", "_:0-1 <e:r> \"v\" ."}, []string{"2:71 drop syntax/rdfxml-conflicting-attributes 1"}},
	{"bad identifiers", `<e:T rdf:ID="1"/><e:T rdf:ID=""/><e:T rdf:nodeID="a b"/>` + sp + `<e:p rdf:ID="http://e/x">v</e:p>` + ps,
		[]string{"!<http://base/d#1> <rdf:type> <e:T> .", "!_:a b <rdf:type> <e:T> .", "<e:s> <e:p> \"v\" ."},
		[]string{"2:6 repair syntax/rdfxml-bad-id 0", "2:23 drop syntax/rdfxml-bad-id 0", "2:18 drop syntax/rdfxml-lost-part 1",
			"2:39 repair syntax/rdfxml-bad-id 0", "2:102 drop syntax/rdfxml-bad-id 4"}},
	{"rdf:ID twice", `<e:T rdf:ID="a"/><e:T rdf:ID="a"/>`,
		[]string{"<http://base/d#a> <rdf:type> <e:T> .", "!<http://base/d#a> <rdf:type> <e:T> ."},
		[]string{"2:23 repair syntax/rdfxml-duplicate-id 0"}},
	{"unknown parseType", sp + `<e:p rdf:parseType="literal"><e:b/></e:p>` + ps,
		[]string{`<e:s> <e:p> "<e:b xmlns:e=\"http://e/\"></e:b>"^^<rdf:XMLLiteral> .`},
		[]string{"2:46 warning syntax/rdfxml-unknown-parse-type 0"}},
	{"stray text", "text " + sp + "more<e:p>v</e:p>" + ps, []string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:1 drop syntax/rdfxml-stray-text 1", "2:46 drop syntax/rdfxml-stray-text 1"}},
	{"mark-up in text", sp + "<e:p>a <b>bold</b> word</e:p><e:q><i>x</i></e:q><e:r>v</e:r>" + ps, []string{"<e:s> <e:r> \"v\" ."},
		[]string{"2:41 drop syntax/rdfxml-mixed-content 1", "2:70 drop syntax/rdfxml-mixed-content 1"}},
	{"text beside a node", sp + `<e:p>a<rdf:Description rdf:about="http://e/o"/>b</e:p>` + ps, []string{"<e:s> <e:p> <e:o> ."},
		[]string{"2:46 drop syntax/rdfxml-stray-text 1", "2:88 drop syntax/rdfxml-stray-text 1"}},
	{"property not empty", sp + `<e:p rdf:resource="http://e/o">text</e:p><e:q rdf:resource="http://e/o"> <e:x/> </e:q>` + ps,
		[]string{"<e:s> <e:p> <e:o> .", "<e:s> <e:q> <e:o> ."},
		[]string{"2:72 drop syntax/rdfxml-stray-text 1", "2:114 drop syntax/rdfxml-not-empty 1"}},
	{"two nodes in a property", sp + `<e:p><e:T rdf:about="http://e/t"/><e:U rdf:about="http://e/u"/></e:p>` + ps,
		[]string{"<e:s> <e:p> <e:t> .", "<e:t> <rdf:type> <e:T> .", "<e:u> <rdf:type> <e:U> ."},
		[]string{"2:75 drop syntax/rdfxml-several-nodes 1"}},
	{"node in a node", sp + `<rdf:Description rdf:about="http://e/o" e:p="v"/><e:q>v</e:q>` + ps,
		[]string{"<e:o> <e:p> \"v\" .", "<e:s> <e:q> \"v\" ."}, []string{"2:41 drop syntax/rdfxml-missing-property 1"}},
	{"broken member keeps the list",
		sp + `<e:p rdf:parseType="Collection"><e:T rdf:about="http://e/1"/><rdf:Description rdf:nodeID=""/><e:T rdf:about="http://e/3"/></e:p>` +
			ps,
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <rdf:first> <e:1> .", "<e:1> <rdf:type> <e:T> .", "_:0-1 <rdf:rest> _:0-2 .",
			"_:0-2 <rdf:rest> _:0-3 .",
			"_:0-3 <rdf:first> <e:3> .", "<e:3> <rdf:type> <e:T> .", "_:0-3 <rdf:rest> <rdf:nil> ."},
		[]string{"2:119 drop syntax/rdfxml-bad-id 0", "2:102 drop syntax/rdfxml-lost-part 1"}},

	// Documents.
	{"rdf:RDF within", sp + `<e:p>v</e:p><rdf:RDF><e:T rdf:about="http://e/t"/></rdf:RDF>` + ps,
		[]string{"<e:s> <e:p> \"v\" .", "!<e:t> <rdf:type> <e:T> ."}, []string{"2:53 repair syntax/rdfxml-nested-rdf 0"}},
	{"misspelt namespace",
		` <r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns" xmlns:e="http://e/"><r:Description r:about="http://e/s" e:p="v"/></r:RDF>`,
		[]string{"!<e:s> <e:p> \"v\" ."}, []string{"1:8 repair syntax/rdfxml-misspelt-namespace 0"}},
	{"several roots and junk", " junk\n" + head + `<e:T rdf:about="http://e/1"/></rdf:RDF>` + "\n<?xml version='1.0'?>\n" +
		`<e:T xmlns:e="http://e/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about="http://e/2"/>` + "\nmore junk",
		[]string{"<e:1> <rdf:type> <e:T> .", "!<e:2> <rdf:type> <e:T> ."},
		[]string{"1:1 repair syntax/xml-outside-root 0", "4:1 repair syntax/xml-misplaced-declaration 0",
			"5:1 repair syntax/xml-several-roots 0", "6:1 repair syntax/xml-outside-root 0"}},
	{"RDF in another document", ` <svg xmlns="http://www.w3.org/2000/svg"><metadata>` + head +
		`<e:T rdf:about="http://e/t"/></rdf:RDF></metadata>text</svg>`,
		[]string{"<e:t> <rdf:type> <e:T> ."}, []string{"1:51 note syntax/rdfxml-no-rdf 0"}},
	{"no RDF at all", ` <html><body>text</body></html>`, nil, []string{"1:1 drop syntax/rdfxml-no-rdf 1"}},
	{"cut between statements", " " + head + sp + "<e:p>v</e:p>", []string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:53 drop syntax/xml-cut-short 1"}},
	{"cut in a text", " " + head + sp + "<e:p>v</e:p><e:q>hal", []string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:53 drop syntax/xml-cut-short 1"}},
	{"cut in a tag", " " + head + sp + "<e:p>v</e:p><e:q rdf:reso", []string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:53 drop syntax/xml-cut-short 1"}},
	{"cut in a list", " " + head + sp + "<e:p rdf:parseType='Collection'><e:T rdf:about='http://e/1'/>",
		[]string{"<e:s> <e:p> _:0-1 .", "_:0-1 <rdf:first> <e:1> .", "<e:1> <rdf:type> <e:T> ."},
		[]string{"2:41 drop syntax/xml-cut-short 1"}},
	{"cut in a comment", " " + head + sp + "<e:p>v</e:p>" + ps + "</rdf:RDF><!-- and ", []string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:81 drop syntax/xml-cut-short 1"}},
	{"entity that holds itself", " <!DOCTYPE rdf:RDF [<!ENTITY a 'x&b;'><!ENTITY b 'y&a;'>]>\n" + head + sp +
		"<e:p>&a;</e:p><e:q e:r='&a;' e:s='w'/><e:r>v</e:r>" + ps + foot,
		[]string{"<e:s> <e:q> _:0-1 .", "_:0-1 <e:s> \"w\" .", "<e:s> <e:r> \"v\" ."}, []string{"3:46 drop syntax/xml-bad-entity 1",
			"3:65 drop syntax/xml-bad-entity 1"}},
	{"external entity", " <!DOCTYPE rdf:RDF [<!ENTITY a SYSTEM 'http://e/a'>\n%x;]>\n" + head + sp + "<e:p>&a;</e:p><e:r>v</e:r>" + ps +
		foot,
		[]string{"<e:s> <e:r> \"v\" ."}, []string{"2:1 warning syntax/xml-external-entity 0", "4:46 drop syntax/xml-external-entity 1"}},
	{"value of an entity without its end", " <!DOCTYPE rdf:RDF [<!ENTITY a 'x>\n<!ENTITY b 'y'>]>\n" + head + sp +
		"<e:p>&a;</e:p><e:q>&b;</e:q>" + ps + foot,
		[]string{"<e:s> <e:q> \"y\" ."}, []string{"1:20 repair syntax/xml-bad-markup 0", "4:46 drop syntax/xml-unknown-entity 1"}},
	{"last value of an entity without its end", " <!DOCTYPE rdf:RDF [<!ENTITY a \"x>]>\n" + head + sp + "<e:q>y</e:q>" + ps + foot,
		[]string{"<e:s> <e:q> \"y\" ."}, []string{"1:20 repair syntax/xml-bad-markup 0"}},
	{"XML declaration without its end", " <?xml version='1.0'\n" + head + sp + "<e:q>y</e:q>" + ps + foot,
		[]string{"<e:s> <e:q> \"y\" ."}, []string{"1:1 repair syntax/xml-bad-markup 0"}},
	{"comment without its end before the root", " <!-- c\n" + head + sp + "<e:q>y</e:q>" + ps + foot,
		[]string{"!<e:s> <e:q> \"y\" ."}, []string{"1:1 repair syntax/xml-unclosed-comment 0"}},
	{"entities without their semicolon", " <!DOCTYPE rdf:RDF [<!ENTITY ab 'http://e/o'>]>\n" + head + sp +
		"<e:p rdf:resource='&ab'/><e:q rdf:resource='&abc'/><e:r rdf:resource='http://e/?x&ab'/>" + ps + foot,
		[]string{"!<e:s> <e:p> <e:o> .", "!<e:s> <e:r> <e:?x&ab> ."}, []string{"3:60 repair syntax/xml-bad-entity 0",
			"3:85 drop syntax/xml-bad-entity 1", "3:111 repair syntax/xml-bare-ampersand 0"}},
	{"comment with --", "<!-- a -- b -->" + sp + "<e:p>v</e:p>" + ps, []string{"<e:s> <e:p> \"v\" ."},
		[]string{"2:1 warning syntax/xml-comment 0"}},
}

// TestNodesBehindXMLWithoutEndAreRead cuts off an XML literal inside an element, far from the end of the document.
func TestNodesBehindXMLWithoutEndAreRead(t *testing.T) {
	const nodes = 3000
	for _, line := range []string{"\n", ""} {
		var b strings.Builder
		node := func(i int) { fmt.Fprintf(&b, `<e:T rdf:about="http://e/%d"><e:p>v</e:p></e:T>%s`, i, line) }
		b.WriteString(head)
		for i := range 4 {
			node(i)
		}
		b.WriteString(sp + `<e:q rdf:parseType="Literal">a <b>bold` + line)
		for i := range nodes {
			node(i + 4)
		}
		b.WriteString(foot)
		c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
		if len(c.Quads) != 2*(nodes+4) {
			t.Errorf("%q: %d statements of %d nodes", line, len(c.Quads), nodes+4)
		}
		for i, line := range c.Lines() {
			if strings.Contains(line, "<http://e/s>") || c.Quads[i].Repaired {
				t.Errorf("statement %s", line)
			}
		}
	}
}

// TestAnXMLLiteralEndsWithItsElement damages an end tag in an XML literal, so that the end tag of its
// property element is where that is due. What is behind is full of further faults, of which none would
// be one in XML.
func TestAnXMLLiteralEndsWithItsElement(t *testing.T) {
	const nodes = 200
	for _, inside := range []string{"<b>bold<&#xD800;/b> text", "<b>bold<i>er< /i></b", "<b>bold text"} {
		for _, line := range []string{"\n", ""} {
			var b strings.Builder
			b.WriteString(head + sp + `<e:q rdf:parseType="Literal">a ` + inside + `</e:q>`)
			for i := range 4 {
				fmt.Fprintf(&b, `<e:a%d rdf:parseType="Literal">a <b>bold</b> text</e:a%[1]d>e:b%[1]d rdf:resource="http://e/o"/>`, i)
			}
			b.WriteString(ps + line)
			for i := range nodes {
				fmt.Fprintf(&b, `<rdf:Description rdf:about="http://e/%d"><e:p>v</e:p></rdf:Description>%s`, i, line)
			}
			b.WriteString(foot)
			c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
			others := 0
			for _, line := range c.Lines() {
				if !strings.Contains(line, " <http://e/q> ") {
					others++
				}
			}
			if want := 8 + nodes; others != want {
				t.Errorf("%s, %q: %d statements of %d; %v", inside, line, others, want, c.Notices)
			}
		}
	}
}

// TestFaultCostsOnlyItself reads each faulty document, and compares all that is made of it and reported.
func TestFaultCostsOnlyItself(t *testing.T) {
	for _, row := range faults {
		t.Run(row.name, func(t *testing.T) {
			c := read(t, row.doc(), rdf.Input{Base: "http://base/d"}, rdfxml.Options{})
			var quads, notices []string
			for i, line := range c.Lines() {
				mark := ""
				if c.Quads[i].Repaired {
					mark = "!"
				}
				quads = append(quads, mark+short.Replace(line))
			}
			for i, n := range c.Notices {
				if n.Lost > 1 {
					t.Errorf("%d statements in one notice: %+v", n.Lost, n)
				}
				// Those of the further statements that one fault costs are shown by their number.
				if strings.HasPrefix(n.Message, "another statement") {
					continue
				}
				for _, more := range c.Notices[i+1:] {
					if !strings.HasPrefix(more.Message, "another statement") {
						break
					}
					n.Lost++
				}
				notices = append(notices, fmt.Sprintf("%d:%d %s %s %d", n.Line, n.Column, n.Severity, n.Code, n.Lost))
				if n.Message == "" || n.Excerpt == "" && n.Code != fault.XMLCutShort {
					t.Errorf("nothing said or shown: %+v", n)
				}
			}
			if !slices.Equal(quads, row.quads) {
				t.Errorf("quads:\n%s\nwant:\n%s", strings.Join(quads, "\n"), strings.Join(row.quads, "\n"))
			}
			if !slices.Equal(notices, row.notices) {
				t.Errorf("notices:\n%s\nwant:\n%s", strings.Join(notices, "\n"), strings.Join(row.notices, "\n"))
			}
		})
	}
}

// TestTheFirstNodeTakesInNoOther cuts off the line of the first node. Those after it say where nodes
// begin on their lines, also if a line is so long that no other node is near.
func TestTheFirstNodeTakesInNoOther(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">` + "\n" +
		`<rdf:Description rdf:about="http://e/first"><e:p>text</e:p><e:q>cut o` + "\n")
	for i := range 3 {
		fmt.Fprintf(&b, `<e:Town rdf:about="http://e/%d">%s</e:Town>`+"\n", i,
			strings.Repeat(`<e:r><e:Film><e:s>`+strings.Repeat("value ", 20)+`</e:s></e:Film></e:r>`, 130))
	}
	b.WriteString("</rdf:RDF>\n")
	c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
	towns := 0
	for i, line := range c.Lines() {
		if strings.HasPrefix(line, "<http://e/first> <http://e/q>") && !c.Quads[i].Repaired {
			t.Error("read: ", line)
		}
		if strings.HasSuffix(line, "type> <http://e/Town> .") {
			towns++
		}
	}
	if towns != 3 {
		t.Errorf("%d towns", towns)
	}
}

// TestTheLanguageOfADamagedTagIsNotThatOfNodes cuts off the line after xml:lang. Nobody knows whether
// the node on the next line is within that element. So its text in no language of its own is lost, and
// reported.
func TestTheLanguageOfADamagedTagIsNotThatOfNodes(t *testing.T) {
	c := read(t, head+sp+`<e:p xml:lang="en"`+"\n"+
		`<e:Town rdf:about="http://e/t"><e:q>word</e:q><e:r xml:lang="de">Wort</e:r></e:Town></e:p>`+ps+foot, rdf.Input{}, rdfxml.Options{})
	own, lost := false, 0
	for _, line := range c.Lines() {
		own = own || strings.Contains(line, `"Wort"@de`)
		if strings.Contains(line, `"word"`) {
			t.Error("read: ", line)
		}
	}
	for _, n := range c.Notices {
		lost += int(n.Lost)
	}
	if !own || lost != 1 {
		t.Errorf("own language %v, %d lost: %v", own, lost, c.Lines())
	}
}

// TestALostPropertyIsSeenByTheIndentOfWhatStoodInIt leaves out the start tag of an element with
// parseType="Resource" that was the first in another. What is about its node is not said of the node
// around.
func TestALostPropertyIsSeenByTheIndentOfWhatStoodInIt(t *testing.T) {
	var b strings.Builder
	b.WriteString(head)
	for i := range 6 {
		fmt.Fprintf(&b, "  <e:T rdf:about=\"http://e/%d\">\n    <e:p>v</e:p>\n  </e:T>\n", i)
	}
	b.WriteString("  <e:T rdf:about=\"http://e/t\">\n    <e:o rdf:parseType=\"Resource\">\n        <e:a>1</e:a>\n        <e:b>2</e:b>\n      </e:i>\n      <e:c>3</e:c>\n    </e:o>\n  </e:T>\n</rdf:RDF>\n")
	c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
	said := strings.Join(c.Lines(), "\n")
	if strings.Contains(said, "<http://e/a>") || strings.Contains(said, "<http://e/b>") || !strings.Contains(said, "<http://e/c>") {
		t.Error(said)
	}
}

// TestATagWithoutItsLessThanHoldsWhatFollows takes the < from the start tag of an element that holds
// others, after an empty element of a new name. Indents speak against reading them in the node
// around.
func TestATagWithoutItsLessThanHoldsWhatFollows(t *testing.T) {
	for inner := 1; inner <= 6; inner++ {
		var b strings.Builder
		b.WriteString(head)
		for i := range 2 {
			fmt.Fprintf(&b, "  <e:T rdf:about=\"http://e/%d\">\n    <e:p>v</e:p>\n    <e:q rdf:parseType=\"Resource\">\n      <e:r>v</e:r>\n    </e:q>\n  </e:T>\n",
				i)
		}
		b.WriteString("  <e:T rdf:about=\"http://e/t\">\n    <e:p>v</e:p>\n    <e:a rdf:nodeID=\"n\"/>\n    e:b rdf:parseType=\"Resource\">\n")
		for i := range inner {
			fmt.Fprintf(&b, "      <e:c%d>v</e:c%[1]d>\n", i)
		}
		b.WriteString("    </e:b>\n  </e:T>\n</rdf:RDF>\n")
		broken := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
		sound := read(t, strings.Replace(b.String(), " e:b", " <e:b", 1), rdf.Input{}, rdfxml.Options{})
		if got, want := strings.Join(broken.Lines(), "\n"), strings.Join(sound.Lines(), "\n"); got != want || len(broken.Notices) != 1 {
			t.Errorf("%d elements in it: %v\n%s\nwant\n%s", inner, broken.Notices, got, want)
		}
	}
}

// TestALostParseTypeCostsOnlyItsElement cuts off a line within rdf:parseType, and another one soon after it.
func TestALostParseTypeCostsOnlyItsElement(t *testing.T) {
	var b strings.Builder
	b.WriteString(head)
	const nodes = 40
	for i := range nodes {
		if i == 5 {
			b.WriteString(sp + `<e:q rdf:parseType="Li` + "\n" + sp +
				`<e:l rdf:parseType="Collection"><rdf:Description rdf:about="http://e/m"/></e:l>` + ps + "\n" + sp + `<e:q>1</e:q><e:p1` +
				"\n")
		}
		fmt.Fprintf(&b, "<e:T rdf:about=\"http://e/%d\"><e:p>v</e:p></e:T>\n", i)
	}
	b.WriteString(foot)
	c := read(t, b.String(), rdf.Input{}, rdfxml.Options{})
	read := 0
	for _, line := range c.Lines() {
		if strings.HasSuffix(line, "<http://e/p> \"v\" .") {
			read++
		}
	}
	if read != nodes {
		t.Errorf("%d nodes of %d", read, nodes)
	}
}
