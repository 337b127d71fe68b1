package ttl_test

import "laundromat/rdf/ttl"

// layoutRecoveries say what becomes of faults of which lines, their indentation, or what follows shows.
var layoutRecoveries = []recovery{
	{"JSON within a statement", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ;\n{\"a\": {\"b\": 1}}\n:q :o .\n:t :p :o .",
		[]string{"a:s a:p a:o", "a:t a:p a:o"}, []string{"drop syntax/unexpected-token 3:1 1"}},
	{"a { that begins no graph", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ; { :q :o .\n{\n:t :p :o .",
		[]string{"a:s a:p a:o", "a:s a:q a:o", "a:t a:p a:o"}, []string{"repair syntax/stray-punctuation 2:12 0", "repair syntax/stray-punctuation 3:1 0"}},
	{"~ for a dot, as the next line shows", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ~\n:t :p :o .\n:u :p :o ~\n:r .",
		[]string{"a:s a:p a:o", "a:u a:p a:o", "a:r rdf:reifies ( a:u a:p a:o )"}, []string{"drop syntax/unexpected-token 3:4 1", "drop syntax/unexpected-token 3:7 1"}},
	{"a list without brackets is no statement", ttl.Turtle, "@prefix : <a:> .\n:r :q :o .\n:s :p :a :b :c :d .\n:t :p :e\n:f\n:g\n:h .\n:u :p :o .",
		[]string{"a:r a:q a:o", "a:b a:c a:d", "a:t a:p a:e*", "a:f a:g a:h", "a:u a:p a:o"}, []string{"drop syntax/unexpected-token 3:10 1", "repair syntax/missing-dot 4:9 0"}},
	{"dot for a semicolon, and a bracket behind it that is not opened", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n  :q :o .\n:s :p :o ;\n  :q :o .\n  :p :q 1 ;\n    :r 2 ] , 3 ;\n  :t 4 .\n:u :p :o .",
		[]string{"a:r a:p a:o", "a:r a:q a:o", "a:s a:p a:o", "a:s a:q a:o", `a:p a:q "1"^^xsd:integer`, `a:p a:t "4"^^xsd:integer`, "a:u a:p a:o"}, []string{"drop syntax/unexpected-token 7:10 1", "drop syntax/unexpected-token 7:14 1"}},
	{"a statement indented as predicates are, and sound", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n  :q :o .\n:s :p :o ;\n  :q :o .\n  :p :q 1 ;\n    :r 2 .\n:u :p :o .",
		[]string{"a:r a:p a:o", "a:r a:q a:o", "a:s a:p a:o", "a:s a:q a:o", `a:p a:q "1"^^xsd:integer`, `a:p a:r "2"^^xsd:integer`, "a:u a:p a:o"}, nil},
	{"a comma before another predicate, as the layout shows", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n  :q :o .\n:s :p 1 ,\n  :q 2 , 3 ;\n  :r 4 .\n:u :p :o .",
		[]string{"a:r a:p a:o", "a:r a:q a:o", `a:s a:p "1"^^xsd:integer`, `a:s a:r "4"^^xsd:integer`, "a:u a:p a:o"}, []string{"drop syntax/unexpected-token 5:3 1", "drop syntax/unexpected-token 5:10 1"}},
	{"a broken list before another predicate, as the layout shows", ttl.Turtle, "@prefix : <a:> .\n:r :p [ :q :o ;\n    :r :o ] ;\n  :q :o .\n:s :p ( <a:b\n    :q 1 , [ :r 2 ] ;\n    :r 3 ] ;\n  :t 4 .\n:u :p :o .",
		[]string{"_:0-1 a:q a:o", "_:0-1 a:r a:o", "a:r a:p _:0-1", "a:r a:q a:o", `_:0-3 a:r "2"^^xsd:integer`, `a:s a:t "4"^^xsd:integer`, "a:u a:p a:o"}, []string{"drop syntax/unclosed-iri 5:9 1", "drop syntax/unexpected-token 6:5 0", "drop syntax/unexpected-token 5:9 1", "drop syntax/unclosed-bracket 5:1 1", "drop syntax/unexpected-token 6:8 1", "drop syntax/unexpected-token 6:12 1", "drop syntax/unexpected-token 7:10 1"}},
	{"a number for a predicate, then another statement on the next line", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n  :q :o .\n:s :p 1 ;\n  2\n:t :p 3 ;\n  :q 4 .\n:u :p :o .",
		[]string{"a:r a:p a:o", "a:r a:q a:o", `a:s a:p "1"^^xsd:integer`, `a:t a:p "3"^^xsd:integer`, `a:t a:q "4"^^xsd:integer`, "a:u a:p a:o"}, []string{"drop syntax/misplaced-term 5:3 1", "drop syntax/unexpected-token 6:1 0"}},
	{"brackets around values", ttl.Turtle, "@prefix : <a:> .\n:s :p [ \"x\" , 1 ] , 2 ;\n  :q ( [ 3 , 4 ; :r 5 ] 6 ) .\n:u :p :o .",
		[]string{"a:s a:p _:0-1", `a:s a:p "2"^^xsd:integer`, `_:0-3 a:r "5"^^xsd:integer`, "_:0-2 rdf:first _:0-3", "_:0-2 rdf:rest _:0-4", `_:0-4 rdf:first "6"^^xsd:integer`, "_:0-4 rdf:rest rdf:nil", "a:s a:q _:0-2", "a:u a:p a:o"},
		[]string{"drop syntax/misplaced-term 2:9 1", "drop syntax/misplaced-term 2:15 1", "drop syntax/misplaced-term 3:10 1", "drop syntax/misplaced-term 3:14 1"}},
}
