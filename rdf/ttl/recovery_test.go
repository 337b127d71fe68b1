package ttl_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// recovery says what becomes of faults: the statements that are kept, in the compact
// form of short, and each notice as "severity code line:column lost".
type recovery struct {
	name    string
	syntax  ttl.Syntax
	in      string
	want    []string
	notices []string
}

var recoveries = []recovery{
	// N-Triples and N-Quads: a broken line costs itself
	{"line: a broken one between two", ttl.NTriples, "<a:s> <a:p> <a:o> .\n<a:s> broken <a:o> .\n<a:s> <a:p> <a:q> .\n",
		[]string{"a:s a:p a:o", "a:s a:p a:q"}, []string{"drop syntax/unknown-word 2:7 1"}},
	{"line: missing dot", ttl.NTriples, "<a:s> <a:p> <a:o>\n<a:s> <a:p> <a:q> .",
		[]string{"a:s a:p a:o*", "a:s a:p a:q"}, []string{"repair syntax/missing-dot 1:18 0"}},
	{"line: missing dot at the end of the text", ttl.NTriples, "<a:s> <a:p> <a:o>",
		[]string{"a:s a:p a:o*"}, []string{"repair syntax/missing-dot 1:18 0"}},
	{"line: a string that may be cut short", ttl.NTriples, "<a:s> <a:p> \"5\"",
		nil, []string{"drop syntax/unfinished 1:16 1"}},
	{"line: CR and CRLF", ttl.NTriples, "<a:s> <a:p> <a:o> .\r<a:s> <a:p> \"\r\n<a:s> <a:p> <a:q> .\r\n\r\n<a:s> <a:p> x .",
		[]string{"a:s a:p a:o", "a:s a:p a:q"}, []string{"drop syntax/unclosed-string 2:13 1", "drop syntax/unknown-word 5:13 1"}},
	{"line: space in an IRI", ttl.NTriples, "<http://a/b c> <a:p> < a:o > .",
		[]string{"http://a/b%20c a:p a:o*"}, []string{"repair iri/space 1:12 0", "repair iri/trimmed 1:23 0"}},
	{"line: space in the host of an IRI", ttl.NTriples,
		"<http://a b/c> <a:p> <a:o> .\n<a:s> <//a\\u0020b> <a:o> .\n<a:s> <a:p> <http://a/?b c#d e> .",
		[]string{"a:s a:p http://a/?b%20c#d%20e*"}, []string{"drop iri/host 1:10 1", "drop iri/host 2:11 1", "repair iri/space 3:25 0"}},
	{"line: space in the scheme of an IRI", ttl.NTriples,
		"<http ://a/b> <a:p> <a:o> .\n< ht tp://a/b> <a:p> <a:o> .\n<b c?u=a://d> <a:p> <a:o> .",
		[]string{"http://base.example/dir/b%20c?u=a://d a:p a:o*"}, []string{"drop iri/space 1:6 1", "drop iri/space 2:5 1",
			"repair iri/space 3:3 0", "repair iri/relative-in-line-format 3:1 0"}},
	{"line: forbidden characters in an IRI", ttl.NTriples, `<http://a/{b}|\c^> <a:p> <a:\u003Co\u00e9> .`,
		[]string{"http://a/%7Bb%7D%7C%5Cc%5E a:p a:%3Coé*"}, []string{"repair iri/character 1:11 0", "repair iri/character 1:29 0"}},
	{"line: control character in an IRI", ttl.NTriples, "<a:s\x01> <a:p> <a:o> .",
		nil, []string{"drop iri/forbidden 1:5 1"}},
	{"line: unclosed IRI", ttl.NTriples, "<a:s <a:p> <a:o> .", nil, []string{"drop syntax/unclosed-iri 1:1 1"}},
	{"line: relative IRI", ttl.NTriples, "<s> <a:p> <#o> .",
		[]string{"http://base.example/dir/s a:p http://base.example/dir/file#o*"},
		[]string{"repair iri/relative-in-line-format 1:1 0", "repair iri/relative-in-line-format 1:11 0"}},
	{"line: language with underscore", ttl.NTriples, `<a:s> <a:p> "é"@en_US .`,
		[]string{`a:s a:p "é"@en-US*`}, []string{"repair language/underscore 1:16 0"}},
	{"line: language that is none", ttl.NTriples, `<a:s> <a:p> "x"@1 .`, nil, []string{"drop language/malformed-tag 1:16 1"}},
	{"line: unknown escape", ttl.NTriples, `<a:s> <a:p> "C:\data\users" .`,
		[]string{`a:s a:p "C:\\data\\users"*`}, []string{"repair syntax/unknown-escape 1:16 0"}},
	{"line: numeric escape of no character", ttl.NTriples, `<a:s> <a:p> "\ud800" .`, nil, []string{"drop syntax/numeric-escape 1:14 1"}},
	{"line: surrogate pair", ttl.NTriples, `<a:s> <a:p> "\ud83d\uDE00" .`,
		[]string{`a:s a:p "😀"*`}, []string{"repair syntax/surrogate-pair 1:14 0"}},
	{"line: Turtle's terms", ttl.NTriples, "<a:s> a 'x' .\n<a:s> <a:p> 5 .\n<a:s> <a:p> \"\"\"a\"b\"\"\" .\n<a:s> foaf:name true .",
		[]string{`a:s rdf:type "x"*`, `a:s a:p "5"^^xsd:integer*`, `a:s a:p "a\"b"*`,
			`a:s http://xmlns.com/foaf/0.1/name "true"^^xsd:boolean*`},
		[]string{"repair syntax/turtle-in-line-format 1:7 0", "repair syntax/turtle-in-line-format 1:9 0",
			"repair syntax/turtle-in-line-format 2:13 0",
			"repair syntax/turtle-in-line-format 3:13 0", "repair syntax/undeclared-prefix 4:7 0",
			"repair syntax/turtle-in-line-format 4:17 0"}},
	{"line: two statements", ttl.NTriples, "<a:s> <a:p> <a:o> . <a:s> <a:p> <a:q> . .",
		[]string{"a:s a:p a:o", "a:s a:p a:q*"}, []string{"repair syntax/shared-line 1:21 0", "repair syntax/stray-punctuation 1:41 0"}},
	{"line: four terms in N-Triples", ttl.NTriples, "<a:s> <a:p> <a:o> <a:g> .",
		[]string{"a:s a:p a:o a:g*"}, []string{"repair syntax/graph-in-triples 1:19 0"}},
	{"line: literal as graph, five terms", ttl.NQuads, "<a:s> <a:p> <a:o> \"g\" .\n<a:s> <a:p> <a:o> <a:g> <a:n> .",
		nil, []string{"drop syntax/misplaced-term 1:19 1", "drop syntax/unexpected-token 2:25 1"}},
	{"line: blank node labels", ttl.NQuads, "_:a:b <a:p> _:c. .\n_:é <a:p> _:d.\n_: <a:p> <a:o> .",
		[]string{"_:a:b a:p _:c*", "_:é a:p _:d"},
		[]string{"repair blank-node/malformed-label 1:1 0", "repair syntax/stray-punctuation 1:18 0",
			"drop blank-node/malformed-label 3:1 1"}},
	{"line: no object", ttl.NTriples, "<a:s> <a:p>\n<a:s> <a:p> .", nil,
		[]string{"drop syntax/incomplete-statement 1:12 1", "drop syntax/unexpected-token 2:13 1"}},

	// Turtle: what is lost, and what is not
	{"undeclared prefix in a list of objects", ttl.Turtle, "@prefix : <a:> .\n:s :p :a , bad:x , :c ; :q :r .",
		[]string{"a:s a:p a:a", "a:s a:p a:c", "a:s a:q a:r"}, []string{"drop syntax/undeclared-prefix 2:12 1"}},
	{"broken subject costs all its statements", ttl.Turtle, "@prefix : <a:> .\nbad:s :p :a , :b ; :q :r .\n:t :p :o .",
		[]string{"a:t a:p a:o"},
		[]string{"drop syntax/undeclared-prefix 2:1 1", "drop syntax/undeclared-prefix 2:15 1", "drop syntax/undeclared-prefix 2:23 1"}},
	{"broken predicate costs its objects", ttl.Turtle, "@prefix : <a:> .\n:s bad:p :a , :b ; :q :r .",
		[]string{"a:s a:q a:r"}, []string{"drop syntax/undeclared-prefix 2:4 1", "drop syntax/undeclared-prefix 2:15 1"}},
	{"literal as predicate and as subject", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n :q :o .\n:s \"p\" :a ; :q :r . \"s\" :p :o .",
		[]string{"a:r a:p a:o", "a:r a:q a:o", "a:s a:q a:r"}, []string{"drop syntax/misplaced-term 4:4 1",
			"drop syntax/misplaced-term 4:21 1"}},
	{"missing dot", ttl.Turtle, "@prefix : <a:> .\n:s :p :a\n:t :p :b .",
		[]string{"a:s a:p a:a*", "a:t a:p a:b"}, []string{"repair syntax/missing-dot 2:9 0"}},
	{"missing dot before a directive", ttl.Turtle, "@prefix : <a:> .\n:s :p :a\n@prefix b: <b:>\n:s :p b:o .",
		[]string{"a:s a:p a:a*", "a:s a:p b:o*"}, []string{"repair syntax/missing-dot 2:9 0", "repair syntax/missing-dot 3:16 0"}},
	{"missing semicolon is not a missing dot", ttl.Turtle, "@prefix : <a:> .\n:s :p :a\n   :q :b ;\n   :r :c .",
		[]string{"a:s a:p a:a", "a:s a:r a:c"}, []string{"drop syntax/unexpected-token 3:4 1"}},
	{"missing dot within the line", ttl.Turtle, "@prefix : <a:> .\n:s :p :a :t :p :b ; :q :c .\n:u :p :o .",
		[]string{"a:t a:p a:b", "a:t a:q a:c", "a:u a:p a:o"}, []string{"drop syntax/unexpected-token 2:10 1"}},
	{"unclosed string, then a statement", ttl.Turtle, "@prefix : <a:> .\n:s :p \"open .\n:t :p :o .",
		[]string{"a:t a:p a:o"}, []string{"drop syntax/unclosed-string 2:7 1"}},
	{"unclosed string, then another predicate", ttl.Turtle, "@prefix : <a:> .\n:s :p \"open ;\n   :q :r .",
		[]string{"a:s a:q a:r"}, []string{"drop syntax/unclosed-string 2:7 1"}},
	{"line end in a short string", ttl.Turtle, "@prefix : <a:> .\n:s :p \"one.\ntwo\" .\n:t :p :o .\n:u :p :o .",
		[]string{"a:t a:p a:o", "a:u a:p a:o"}, []string{"drop syntax/unclosed-string 2:7 1", "drop syntax/unknown-word 3:1 0",
			"drop syntax/unclosed-string 3:4 0"}},
	{"unclosed long string, and another one", ttl.Turtle,
		"@prefix : <a:> .\n:s :p \"\"\"open .\n:t :p :o .\n:u :p \"\"\"two\nlines\"\"\" .",
		[]string{"a:t a:p a:o", `a:u a:p "two\nlines"`}, []string{"drop syntax/unclosed-string 2:7 1"}},
	{"unclosed long string", ttl.Turtle, "@prefix : <a:> .\n:s :p \"\"\"open .\n:t :p :o .",
		[]string{"a:t a:p a:o"}, []string{"drop syntax/unclosed-string 2:7 1"}},
	{"unclosed IRI", ttl.Turtle, "@prefix : <a:> .\n:s :p <a:x ; :q :r .\n:t :p :o .",
		[]string{"a:s a:q a:r", "a:t a:p a:o"}, []string{"drop syntax/unclosed-iri 2:7 1"}},
	{"list member", ttl.Turtle, "@prefix : <a:> .\n:s :p ( :a bad:b ) .",
		[]string{"_:0-1 rdf:first a:a", "_:0-1 rdf:rest _:0-2", "_:0-2 rdf:rest rdf:nil", "a:s a:p _:0-1"},
		[]string{"drop syntax/undeclared-prefix 2:12 1"}},
	{"list member that isn't a term", ttl.Turtle, "@prefix : <a:> .\n:s :p ( = :b ) .",
		[]string{"_:0-1 rdf:first a:b", "_:0-1 rdf:rest rdf:nil", "a:s a:p _:0-1"}, []string{"drop syntax/unknown-symbol 2:9 1"}},
	{"fault within [ ]", ttl.Turtle, "@prefix : <a:> .\n:s :p [ :q ^ ; :r :y ] ; :q :z .",
		[]string{"_:0-1 a:r a:y", "a:s a:p _:0-1", "a:s a:q a:z"}, []string{"drop syntax/unknown-symbol 2:12 1"}},
	{"[ that is not closed", ttl.Turtle, "@prefix : <a:> .\n:s :p [ :q :r . :t :p :o .",
		[]string{"a:t a:p a:o"}, []string{"drop syntax/unclosed-bracket 2:12 1", "drop syntax/unclosed-bracket 2:1 1",
			"drop syntax/unclosed-bracket 2:15 0"}},
	{"dot before ]", ttl.Turtle, "@prefix : <a:> .\n:s :p [ :q 27. ] .",
		[]string{`_:0-1 a:q "27"^^xsd:integer`, "a:s a:p _:0-1"}, []string{"repair syntax/stray-punctuation 2:14 0"}},
	{"empty values", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n :q :o .\n:s :p ; :q :o , ; ; :r .",
		[]string{"a:r a:p a:o", "a:r a:q a:o"},
		[]string{"drop syntax/incomplete-statement 4:7 1", "drop syntax/incomplete-statement 4:12 1",
			"drop syntax/incomplete-statement 4:17 1", "drop syntax/incomplete-statement 4:24 1"}},
	{"end in the middle", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ; :q :x", []string{"a:s a:p a:o"},
		[]string{"drop syntax/unfinished 2:17 1"}},
	{"number and name that are none", ttl.Turtle, "@prefix : <a:> .\n:s :p 12ab , :-x , :y .",
		[]string{"a:s a:p a:y"}, []string{"drop syntax/malformed-number 2:7 1", "drop syntax/malformed-name 2:14 1"}},
	{"directives", ttl.Turtle, "@PREFIX : <a:> .\nPREFIX b: <b:> .\n@prefix c <c:> .\n@prefix d: .\n:s b:p c:o . d:s b:p c:o .",
		[]string{"a:s b:p c:o*"},
		[]string{"repair syntax/directive 1:1 0", "repair syntax/directive 2:16 0", "repair syntax/directive 3:9 0",
			"drop syntax/directive 4:12 1", "drop syntax/directive 5:14 1"}},
	{"prefix of the initial context", ttl.Turtle, "<a:s> a foaf:Person ; dct:title \"x\" .",
		[]string{"a:s rdf:type http://xmlns.com/foaf/0.1/Person*", `a:s http://purl.org/dc/terms/title "x"*`},
		[]string{"repair syntax/undeclared-prefix 1:9 0", "repair syntax/undeclared-prefix 1:23 0"}},
	{"a repaired namespace touches every use", ttl.Turtle, "@prefix : <http://a/b c/> .\n:s :p \"o\" .",
		[]string{"http://a/b%20c/s http://a/b%20c/p \"o\"*"}, []string{"repair iri/space 1:22 0"}},
	{"so does a repaired directive, but for a dot too many", ttl.Turtle,
		"@BASE <a:x/> .\nPREFIX b: <b:> .\n<s> b:p b:o .\nb:s b:p b:o .\n@base <b:x> .\n<s> b:p b:o .",
		[]string{"a:x/s b:p b:o*", "b:s b:p b:o", "b:s b:p b:o"}, []string{"repair syntax/directive 1:1 0",
			"repair syntax/directive 2:16 0"}},
	{"two namespaces for an undeclared prefix", ttl.Turtle, "<a:s> dc:title \"x\" ; <a:p> \"y\" .",
		[]string{`a:s a:p "y"`}, []string{"drop syntax/undeclared-prefix 1:7 1"}},
	{"well-known prefixes that stand for two vocabularies", ttl.Turtle,
		"v:1 <a:p> vcard:VCard , ical:Vevent , cc:Work , <a:o> .\n<a:s> a foaf:Person .",
		[]string{"a:s rdf:type http://xmlns.com/foaf/0.1/Person*"}, []string{"drop syntax/undeclared-prefix 1:1 1",
			"drop syntax/undeclared-prefix 1:11 0",
			"drop syntax/undeclared-prefix 1:25 1", "drop syntax/undeclared-prefix 1:39 1", "drop syntax/undeclared-prefix 1:49 1",
			"repair syntax/undeclared-prefix 2:9 0"}},
	{"stray bytes in names", ttl.Turtle,
		"@prefix caf\xE9: <a:caf\xE9> .\n_:b\xE9 caf\xE9:\xE9t\xE9 caf\xE9:\xE9.\xE9.\n_:b\xE9 caf\xC3\xA9:p caf\xE9:o.",
		[]string{"_:b\xE9 a:caf\xE9\xE9t\xE9 a:caf\xE9\xE9.\xE9"}, []string{"drop syntax/undeclared-prefix 3:6 1"}},
	{"stray bytes in a label of a line", ttl.NTriples, "_:b\xE9 <a:p> <a:o> .\n_:\xE9.\xE9 <a:p> _:\xE9.\n",
		[]string{"_:b\xE9 a:p a:o", "_:\xE9.\xE9 a:p _:\xE9"}, nil},
	{"stray bytes that aren't names", ttl.Turtle,
		"<a:s> <a:p> \"x\"@fran\xE7ais .\n<a:s> <a:p> <a:o> .\n<a:s> <a:p> \xFF <a:r> .\n<a:s> <a:p> <a:o> .\n\xFE\xFF <a:s> <a:p> <a:o> .\n<a:s> <a:p> <a:o> .",
		[]string{"a:s a:p a:o", "a:s a:p a:o", "a:s a:p a:o", "a:s a:p a:o"},
		[]string{"drop syntax/unknown-symbol 1:21 1", "drop syntax/unknown-symbol 3:13 1", "drop syntax/unknown-symbol 5:1 1"}},
	{"an IRI without its brackets", ttl.Turtle, "<a:s> <a:p> http://a/b .",
		[]string{"a:s a:p http://a/b*"}, []string{"repair syntax/iri-without-brackets 1:13 0"}},
	{"slashes as JSON writes them", ttl.Turtle, `<a:s> <a:p> "http:\/\/a\\\/\d" , <http:\/\/a\/b> .`,
		[]string{`a:s a:p "http://a\\/\\d"*`, "a:s a:p http://a/b*"},
		[]string{"repair syntax/unknown-escape 1:19 0", "repair syntax/unknown-escape 1:28 0", "repair syntax/unknown-escape 1:40 0"}},
	{"what stands before a string without an end, in brackets", ttl.Turtle,
		"@prefix : <a:> .\n:s :p [ a :T ; :q 1 , 2 ; :r \"open\n:t :p :o .\n:u :p :o .", []string{"_:0-1 rdf:type a:T", "a:t a:p a:o",
			"a:u a:p a:o"},
		[]string{"drop syntax/unclosed-string 2:30 1", "drop syntax/unexpected-token 3:1 0", "drop syntax/unclosed-bracket 2:19 1",
			"drop syntax/unclosed-bracket 2:23 1", "drop syntax/unclosed-bracket 2:1 1"}},
	{"a list that breaks off with its line", ttl.Turtle, "@prefix : <a:> .\n:s :p ( :a :b\n:t :p :o ; :q :r .\n:u :p :o .",
		[]string{"_:0-1 rdf:first a:a", "_:0-1 rdf:rest _:0-2", "_:0-2 rdf:first a:b", "_:0-2 rdf:rest _:0-3", "_:0-3 rdf:first a:t",
			"_:0-3 rdf:rest _:0-4", "_:0-4 rdf:first a:p", "_:0-4 rdf:rest _:0-5", "_:0-5 rdf:first a:o", "a:s a:q a:r", "a:u a:p a:o"},
		[]string{"drop syntax/unclosed-bracket 3:7 1", "drop syntax/unclosed-bracket 2:1 1", "drop syntax/unclosed-bracket 3:10 0"}},
	{"a list with a string without an end", ttl.Turtle, "@prefix : <a:> .\n:s :p ( \"a b :c \"d\" ) ; :q :o .", nil,
		[]string{"drop syntax/unknown-word 2:9 1", "drop syntax/unknown-word 2:9 1", "drop syntax/unknown-word 2:18 1",
			"drop syntax/unclosed-string 2:19 0", "drop syntax/unfinished 2:32 0", "drop syntax/unclosed-bracket 2:7 1",
			"drop syntax/unclosed-bracket 2:1 1"}},
	{"a missing semicolon behind a string in three quotes", ttl.Turtle,
		"@prefix : <a:> .\n@prefix b: <a:> .\n:s :p \"\"\"a\"\"\"b:q :o ; :r :o .", []string{`a:s a:r a:o`},
		[]string{"drop syntax/unexpected-token 3:14 1", "drop syntax/unexpected-token 3:18 0"}},
	{"the rest of a string in three quotes, its line lost", ttl.Turtle,
		"@prefix : <a:> .\n:s a :T ;\n  :p :o .\n:t a :T ;\nand so on; a.\nThe end\"\"\" ;\n  :q :o ;\n  :r :o .\n:u :p :o .",
		[]string{"a:s rdf:type a:T", "a:s a:p a:o", "a:t rdf:type a:T", "a:u a:p a:o"},
		[]string{"drop syntax/unknown-word 5:1 1", "drop syntax/unknown-word 7:6 1", "drop syntax/unknown-word 8:6 1"}},
	{"the rest of a string in three quotes within a line", ttl.Turtle,
		"@prefix : <a:> .\n:s a :T ; :p \"cut\nand so on; a.\nThe end\"\"\" ; :q :o ; :r :o . :u :p :o .",
		[]string{`a:s rdf:type a:T`, `a:u a:p a:o`},
		[]string{"drop syntax/unclosed-string 2:14 1", "drop syntax/unknown-word 3:1 0", "drop syntax/unknown-word 4:17 1",
			"drop syntax/unknown-word 4:25 1"}},
	{"the keyword a in a list", ttl.Turtle, "@prefix : <a:> .\n:s :p ( :m a :n ) .", []string{"_:0-1 rdf:first a:m", "_:0-1 rdf:rest _:0-2",
		"_:0-2 rdf:rest _:0-3", "_:0-3 rdf:first a:n", "_:0-3 rdf:rest rdf:nil", "a:s a:p _:0-1"},
		[]string{"drop syntax/misplaced-term 2:12 1"}},
	{"marks of a merge", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ;\n<<<<<<< HEAD\n  :q :o ;\n=======\n  :q :n ;\n>>>>>>> other\n  :r :o .",
		[]string{`a:s a:p a:o`, `a:s a:q a:o`, `a:s a:q a:n`, `a:s a:r a:o`},
		[]string{"drop syntax/unknown-symbol 3:1 1", "drop syntax/unknown-symbol 5:1 1", "drop syntax/unknown-symbol 7:1 1"}},
	{"an unclosed IRI that holds what follows", ttl.Turtle, "@prefix : <a:> .\n:s :p <a:o;:q 1,2 ;:r 3 .",
		[]string{`a:s a:q "1"^^xsd:integer`, `a:s a:q "2"^^xsd:integer`, `a:s a:r "3"^^xsd:integer`},
		[]string{"drop syntax/unclosed-iri 2:7 1"}},
	{"a dot in a name for the end of a statement", ttl.Turtle, "@prefix : <a:> .\n@prefix x: <x:> .\n:s :p x:o.x:q 1 , 2 ; :r 3 .",
		[]string{`a:s a:p "2"^^xsd:integer`, `a:s a:r "3"^^xsd:integer`},
		[]string{"drop syntax/unexpected-token 3:15 1"}},
	{"a literal as the first predicate of all", ttl.Turtle, "@prefix : <a:> .\n:s \"p\" :o ; :q :o .", []string{`a:s a:q a:o`},
		[]string{"drop syntax/misplaced-term 2:4 1"}},
	{"a statement within a list of objects", ttl.Turtle, "<a:s> <a:p> 1 .\n<a:s> <a:p> <a:o> ,\n<a:t> <a:p> 2 .\n<a:u> <a:p> 3 .",
		[]string{`a:s a:p "1"^^xsd:integer`, "a:s a:p a:o", `a:t a:p "2"^^xsd:integer*`, `a:u a:p "3"^^xsd:integer`},
		[]string{"repair syntax/missing-dot 2:19 0"}},
	{"a statement within a bracket", ttl.Turtle, "<a:s> <a:p> 1 .\n<a:s> <a:p> [\n<a:t> <a:p> 2 .\n<a:u> <a:p> 3 .",
		[]string{`a:s a:p "1"^^xsd:integer`, `a:t a:p "2"^^xsd:integer`, `a:u a:p "3"^^xsd:integer`},
		[]string{"drop syntax/unexpected-token 2:13 1", "drop syntax/unexpected-token 3:1 0"}},
	{"N3", ttl.Turtle, "@prefix : <a:> .\n{ :s :p :o } .\n:s = :o .\n:t :p :o .",
		[]string{"a:t a:p a:o"},
		[]string{"drop syntax/formula 2:1 0", "drop syntax/formula 2:3 1", "repair syntax/stray-punctuation 2:14 0",
			"drop syntax/unknown-symbol 3:4 1"}},
	{"named graph in Turtle", ttl.Turtle, "@prefix : <a:> .\n:g { :s :p :o }",
		[]string{"a:s a:p a:o a:g*"}, []string{"repair syntax/graph-in-triples 2:4 0"}},
	{"a reifier that is cut off", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ~ ",
		[]string{"a:s a:p a:o"}, []string{"drop syntax/unfinished 2:11 1", "repair syntax/stray-punctuation 2:12 0"}},
	{"a missing dot at the end of the text, behind a subject that is lost", ttl.Turtle, ":s :p :o , \"a\"@en ",
		nil, []string{"drop syntax/undeclared-prefix 1:1 1", "drop syntax/undeclared-prefix 1:4 0", "drop syntax/undeclared-prefix 1:7 0",
			"repair syntax/missing-dot 1:18 0", "drop syntax/undeclared-prefix 1:12 1"}},
	{"a missing dot behind a subject that is lost", ttl.Turtle, "@prefix : <a:> .\nbad:s :p :o\n:t :p :o .",
		[]string{"a:t a:p a:o*"}, []string{"drop syntax/undeclared-prefix 2:1 1", "repair syntax/missing-dot 2:12 0"}},
	{"line: a graph that may be cut off", ttl.NQuads, "<a:s> <a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:o> ",
		[]string{"a:s a:p a:o a:g"}, []string{"drop syntax/unfinished 2:18 1"}},
}

// short is a canonical line made compact for the tables. IRIs have no brackets, the common
// namespaces are prefixes, and a star marks a repaired statement.
func short(line string, repaired bool) string {
	line = strings.TrimSuffix(line, " .")
	line = strings.NewReplacer("<"+rdf.RDF, "rdf:", "<"+rdf.XSD, "xsd:", "<", "", ">", "").Replace(line)
	if repaired {
		line += "*"
	}
	return line
}

func TestFaultsCostOnlyWhatTheyTouch(t *testing.T) {
	for _, test := range slices.Concat(recoveries, graphRecoveries, layoutRecoveries, tripleRecoveries, scrapRecoveries, tagRecoveries,
		secondRecoveries, cutLines, openStrings, zeroBytes) {
		t.Run(test.name, func(t *testing.T) {
			c, _ := read(t, strings.NewReader(test.in), ttl.Options{Syntax: test.syntax})
			var lines, notices []string
			for i, line := range c.Lines() {
				lines = append(lines, short(line, c.Quads[i].Repaired))
			}
			for _, n := range c.Notices {
				notices = append(notices, fmt.Sprintf("%v %s %d:%d %d", n.Severity, n.Code, n.Line, n.Column, n.Lost))
			}
			if !slices.Equal(lines, test.want) {
				t.Errorf("statements\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(test.want, "\n"))
			}
			if !slices.Equal(notices, test.notices) {
				t.Errorf("notices\n%s\nwant\n%s", strings.Join(notices, "\n"), strings.Join(test.notices, "\n"))
			}
			checkLaws(t, []byte(test.in), ttl.Options{Syntax: test.syntax}, 1, 2, 3, 16)
		})
	}
}

// TestEveryCodeIsTold holds the table of codes and the readers together.
func TestEveryCodeIsTold(t *testing.T) {
	told := map[fault.Code]bool{}
	for _, test := range slices.Concat(recoveries, graphRecoveries, layoutRecoveries, tripleRecoveries, scrapRecoveries, tagRecoveries,
		secondRecoveries, cutLines, openStrings, zeroBytes) {
		for _, n := range test.notices {
			told[fault.Code(strings.Fields(n)[1])] = true
		}
	}
	others := regexp.MustCompile("^syntax/(json|rdfa|rdfjson|rdfxml|xml|html|microdata|microformat|script|trix|unreadable)")
	for _, info := range fault.Codes() {
		if strings.HasPrefix(string(info.Code), "syntax/") && !others.MatchString(string(info.Code)) && !told[info.Code] {
			t.Errorf("no test tells %s", info.Code)
		}
	}
}

func TestHandingOver(t *testing.T) {
	const nt = "<a:s> <a:p> <a:o> .\n"
	for _, test := range []struct {
		name, in string
		want     ttl.Syntax
		quads    int
	}{
		{"only lines", nt + nt, ttl.NTriples, 2},
		{"a quad", nt + "<a:s> <a:p> <a:o> <a:g> .\n", ttl.NQuads, 2},
		{"@prefix", nt + "@prefix : <a:> .\n:s :p :o .\n", ttl.Turtle, 2},
		{"PREFIX", nt + "prefix : <a:>\n:s :p :o .\n", ttl.Turtle, 2},
		{"a word that only looks like one", "base camp\n" + nt, ttl.NTriples, 1},
		{"semicolon", nt + "<a:s> <a:p> <a:o> ;\n <a:q> <a:r> .\n", ttl.Turtle, 3},
		{"comma", "<a:s> <a:p> <a:o> ,\n <a:r> .\n", ttl.Turtle, 2},
		{"open bracket", "<a:s> <a:p> [\n <a:q> <a:r> ] .\n", ttl.Turtle, 2},
		{"a semicolon for a dot", "<a:s> <a:p> <a:o> ;\n<a:s> <a:p> \"x\"^^<a:t> <a:g> .\n" + nt, ttl.NQuads, 2},
		{"a comma for a dot", "<a:s> <a:p> <a:o> ,\n" + nt, ttl.NTriples, 1},
		{"a superfluous bracket", "<a:s> <a:p> [ <a:o> .\n" + nt, ttl.NTriples, 1},
		{"semicolon within the line", "<a:s> <a:p> <a:o> ; <a:q> <a:r> .\n" + nt, ttl.NTriples, 1},
		{"graph", nt + "<a:g> {\n<a:s> <a:p> <a:o> }\n", ttl.TriG, 2},
		{"graph whose { stands alone", nt + "<a:g>\n{\n<a:s> <a:p> <a:o> }\n", ttl.TriG, 2},
		{"GRAPH", "GRAPH <a:g> { <a:s> <a:p> <a:o> }", ttl.TriG, 1},
		{"Turtle, then a graph", "@prefix : <a:> .\n:s :p :o .\n:g { :s :p :o }", ttl.TriG, 2},
		{"not after a quad", "<a:s> <a:p> <a:o> <a:g> .\n@prefix : <a:> .\n:s :p :o ;\n:q 1 .\n", ttl.NQuads, 1},
		{"a list of words", "one, two,\nthree;\n" + nt, ttl.NTriples, 1},
		{"a broken line", "<a:s> <a:p> \"open ;\n" + nt, ttl.NTriples, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			opt := ttl.Options{Syntax: ttl.NTriples, MayHandOver: true}
			c, syntax := read(t, strings.NewReader(test.in), opt)
			if syntax != test.want || len(c.Quads) != test.quads {
				t.Errorf("%v with %d quads, want %v with %d\n%s", syntax, len(c.Quads), test.want, test.quads, dump(c))
			}
			for _, q := range c.Quads {
				if q.Repaired {
					t.Errorf("repaired: %s", dump(c))
				}
			}
			checkLaws(t, []byte(test.in), opt, 1, 2, 3, 16)
			if _, syntax := read(t, strings.NewReader(test.in), ttl.Options{Syntax: ttl.NTriples}); syntax != ttl.NTriples {
				t.Errorf("a format that was given became %v", syntax)
			}
		})
	}
}

func TestBases(t *testing.T) {
	for _, test := range []struct {
		name, in string
		syntax   ttl.Syntax
		input    rdf.Input
		want     []string
		notices  []string
	}{
		{"none", "<s> <a:p> <a:o> . <a:s> <a:p> <a:o> .", ttl.Turtle, rdf.Input{}, []string{"a:s a:p a:o"}, []string{"iri/no-base"}},
		{"none, for a namespace", "@prefix : <#> . :s <a:p> <a:o> . <a:s> <a:p> <a:o> .", ttl.Turtle, rdf.Input{}, []string{"a:s a:p a:o"},
			[]string{"iri/no-base"}},
		{"a file: told once", "<s> <a:p> <#o> .", ttl.Turtle, rdf.Input{Base: "file:///d/f.ttl", BaseIsFile: true},
			[]string{"file:///d/s a:p file:///d/f.ttl#o"}, []string{"iri/relative"}},
		{"a file, and one in the document", "BASE <http://b/>\n<s> <a:p> <#o> .", ttl.Turtle,
			rdf.Input{Base: "file:///d/f.ttl", BaseIsFile: true}, []string{"http://b/s a:p http://b/#o"}, nil},
		{"none, for a line", "<s> <a:p> <a:o> .", ttl.NTriples, rdf.Input{}, nil, []string{"iri/relative-in-line-format"}},
	} {
		var c rdftest.Collector
		if _, err := ttl.Read(context.Background(), strings.NewReader(test.in), test.input, ttl.Options{Syntax: test.syntax},
			&c); err != nil {
			t.Fatal(err)
		}
		var lines, codes []string
		for i, line := range c.Lines() {
			lines = append(lines, short(line, c.Quads[i].Repaired))
		}
		for _, n := range c.Notices {
			codes = append(codes, string(n.Code))
		}
		if !slices.Equal(lines, test.want) || !slices.Equal(codes, test.notices) {
			t.Errorf("%s: %q %q", test.name, lines, codes)
		}
	}
}

// TestOnePercentOfBrokenLines breaks one line in a hundred in every way, and asks
// for every statement that was not touched.
func TestOnePercentOfBrokenLines(t *testing.T) {
	breaks := []func(string) string{
		func(s string) string { return strings.Replace(s, "\"", "", 1) },
		func(s string) string { return strings.Replace(s, "> \"", "> '", 1) },
		func(s string) string { return strings.Replace(s, ">", "", 1) },
		func(s string) string { return strings.Replace(s, "<", "", 1) },
		func(s string) string { return "]" + s },
		func(s string) string { return strings.Replace(s, " ", " = ", 1) },
		func(s string) string { return strings.Replace(s, " ", " \xff ", 1) },
		func(s string) string { return strings.Replace(s, "\"", "\"\"\"", 1) },
	}
	random := rand.New(rand.NewPCG(1, 2))
	for syntax := ttl.NTriples; syntax <= ttl.TriG; syntax++ {
		var text bytes.Buffer
		var want []string
		for i := range 20000 {
			line := fmt.Sprintf("<http://a/s%d> <http://a/p> \"value %d\" .", i, i)
			if i%100 == 50 {
				text.WriteString(breaks[random.IntN(len(breaks))](line))
			} else {
				text.WriteString(line)
				want = append(want, line)
			}
			text.WriteByte('\n')
		}
		c, _ := read(t, &text, ttl.Options{Syntax: syntax})
		var got []string
		for i, line := range c.Lines() {
			if !c.Quads[i].Repaired {
				got = append(got, line)
			}
		}
		missing := 0
		have := map[string]bool{}
		for _, line := range got {
			have[line] = true
		}
		for _, line := range want {
			if !have[line] {
				if missing++; missing < 5 {
					t.Errorf("%v: lost %s", syntax, line)
				}
			}
		}
		if missing > 0 || len(got) > len(want)+200 {
			t.Errorf("%v: %d of %d untouched statements lost; %d kept", syntax, missing, len(want), len(got))
		}
	}
}
