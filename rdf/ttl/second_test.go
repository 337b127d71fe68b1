package ttl_test

import "laundromat/rdf/ttl"

// secondRecoveries say what becomes of what stands between two faults, and right behind the second.
var secondRecoveries = []recovery{
	{"predicates behind a page of HTML, of which a tag seems to be their subject", ttl.Turtle, "@prefix : <a:> .\n:a :p 1 .\n<html><head><title>502 Bad</title></head>\n</body></html>\n   :q 2 ;\n   :r 3 .\n:b :p :c .\n",
		[]string{`a:a a:p "1"^^xsd:integer`, "a:b a:p a:c"},
		[]string{"drop syntax/unexpected-token 3:20 1", "drop syntax/unexpected-token 5:7 1", "drop syntax/unexpected-token 6:7 1"}},
	{"lines of three terms without dots", ttl.Turtle, "@prefix : <a:> .\n:a :p :o\n:b :p \"x\"@en\n:c :q 12\n<a:d> <a:p> <a:o>\n:e a :T .\n",
		[]string{"a:a a:p a:o*", "a:b a:p \"x\"@en*", "a:c a:q \"12\"^^xsd:integer*", "a:d a:p a:o*", "a:e rdf:type a:T"},
		[]string{"repair syntax/missing-dot 2:9 0", "repair syntax/missing-dot 3:13 0", "repair syntax/missing-dot 4:9 0", "repair syntax/missing-dot 5:18 0"}},
	{"{ of a graph without a subject behind it", ttl.TriG, "@prefix : <a:> .\n:g { :s :p :o . }\n:h { = :o . :t :p :o . }\n:u :p :o .\n",
		[]string{"a:s a:p a:o a:g", "a:t a:p a:o a:h", "a:u a:p a:o"},
		[]string{"drop syntax/unknown-symbol 3:6 1"}},
	{"line: a whole statement behind a faulty one", ttl.NTriples, "<a:s> broken <a:o> . <a:s> <a:p> <a:q> .\n<a:s> <a:p> No text\" . <a:s> <a:p> <a:o> .\n<a:s> x <a:o> . <a:s> <a:p> <a:q> . <a:s> <a:p> <a:r> .",
		[]string{"a:s a:p a:q*", "a:s a:p a:r*"},
		[]string{"drop syntax/unknown-word 1:7 1", "repair syntax/shared-line 1:22 0", "drop syntax/unknown-word 2:13 1", "drop syntax/unknown-word 3:7 1", "repair syntax/shared-line 3:37 0"}},
	{"fault behind the semicolon of a fault", ttl.Turtle, "@prefix : <a:> .\n:s :p \"1\" ;\n   :q \"2\" .\n:t :p \"3\" ;\n   :q x y ;\n   :r <http://e/data\n   :u \"5\" .\n:v :p \"6\" .",
		[]string{`a:s a:p "1"`, `a:s a:q "2"`, `a:t a:p "3"`, `a:v a:p "6"`},
		[]string{"drop syntax/unknown-word 5:7 1", "drop syntax/unknown-word 5:9 0", "drop syntax/unclosed-iri 6:7 1", "drop syntax/unexpected-token 7:4 0"}},
	{"fault in the statement behind that of a fault", ttl.Turtle, "@prefix : <a:> .\n:s :p \"1\" ;\n   :q \"2\" .\n:t :p \"3\" ;\n   :q x y .\n:v _:p \"6\" ;\n   :q \"7\" .",
		[]string{`a:s a:p "1"`, `a:s a:q "2"`, `a:t a:p "3"`, `a:v a:q "7"`},
		[]string{"drop syntax/unknown-word 5:7 1", "drop syntax/unknown-word 5:9 0", "drop syntax/misplaced-term 6:4 1"}},
	{"long string without its beginning in a graph on one line", ttl.TriG, "@prefix : <a:> .\n:g { :s :p \"A\" ; :q A text is here\nof two lines\"\"\" ; :r \"1\" . :t :p \"2\" . }",
		[]string{`a:s a:p "A" a:g`, `a:s a:r "1" a:g`, `a:t a:p "2" a:g`},
		[]string{"drop syntax/unknown-word 2:21 1", "drop syntax/unknown-word 2:23 0"}},
	{"unclosed list before a graph without its {", ttl.TriG, "@prefix : <a:> .\n:g { :s :p ( \"2\" .\n}\nGRAPH :h :u :p \"4\" ; x \"5\" . }",
		[]string{`a:u a:p "4" a:h*`},
		[]string{"drop syntax/unexpected-token 2:18 1", "drop syntax/unclosed-bracket 2:12 1", "drop syntax/unclosed-bracket 2:6 1", "repair syntax/stray-punctuation 4:10 0", "drop syntax/misplaced-term 4:22 1"}},
	{"IRI without its > before a string", ttl.Turtle, "@prefix : <a:> .\n:s :p ( <http://e/a\"2\" \"3\" ), \"4\" .",
		[]string{"_:0-1 rdf:rest _:0-2", `_:0-2 rdf:first "2"`, "_:0-2 rdf:rest _:0-3", `_:0-3 rdf:first "3"`, "_:0-3 rdf:rest rdf:nil", "a:s a:p _:0-1", `a:s a:p "4"`},
		[]string{"drop syntax/unclosed-iri 2:9 1"}},
	// Statements that begin their lines, and predicates that never do:
	{"line cut off behind a predicate, before a subject that is no IRI", ttl.Turtle, "@prefix : <a:> .\n:a a :C ; :p 1 .\n:s a :C ; :p\n<a:\x01t> a :C ; :q 3 , 4 .\n:u :p 5 .\n",
		[]string{"a:a rdf:type a:C", `a:a a:p "1"^^xsd:integer`, "a:s rdf:type a:C", `a:u a:p "5"^^xsd:integer`},
		[]string{"drop iri/forbidden 4:4 1", "drop syntax/unexpected-token 4:1 0", "drop iri/forbidden 4:10 1", "drop iri/forbidden 4:18 1", "drop iri/forbidden 4:22 1"}},
	{"missing dot before a subject without a predicate", ttl.Turtle, "@prefix : <a:> .\n:a a :C ; :p 1 .\n:s a :C ; :p ( 1 )\n:t  :C ; :q 3 ; :r 4 .\n:u :p 5 .\n",
		[]string{"a:a rdf:type a:C", `a:a a:p "1"^^xsd:integer`, "a:s rdf:type a:C", `_:0-1 rdf:first "1"^^xsd:integer`, "_:0-1 rdf:rest rdf:nil", `a:u a:p "5"^^xsd:integer`},
		[]string{"drop syntax/unexpected-token 4:1 1"}},
	{"line cut off in a list, before a faulty statement", ttl.Turtle, "@prefix : <a:> .\n:a a :C ; :p 1 .\n:s a :C ; :p ( 1 <a:m\n:t :q 3 ; :r \xff 4 .\n:u :p 5 .\n",
		[]string{"a:a rdf:type a:C", `a:a a:p "1"^^xsd:integer`, "a:s rdf:type a:C", `_:0-1 rdf:first "1"^^xsd:integer`, "_:0-1 rdf:rest _:0-2", `a:t a:q "3"^^xsd:integer`, `a:u a:p "5"^^xsd:integer`},
		[]string{"drop syntax/unclosed-iri 3:18 1", "drop syntax/unexpected-token 4:1 0", "drop syntax/unclosed-bracket 3:14 1", "drop syntax/unclosed-bracket 3:1 1", "drop syntax/unknown-symbol 4:14 1"}},
}
