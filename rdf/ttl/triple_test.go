package ttl_test

import "laundromat/rdf/ttl"

// tripleRecoveries say what becomes of faults in what RDF 1.2 adds: triple terms,
// reified triples, annotations, directions and versions.
var tripleRecoveries = []recovery{
	{"line: faults in a triple term and in its place", ttl.NTriples, "<a:s> <a:p> <<( <a:b> <a:c> bad )>> .\n<a:s> <a:p> <<( <a:b> <a:c> <a:d> .\n<a:s> <a:p> <<( <a:b> <a:c> \"x\"@en_US )>> .\n<<( <a:s> <a:p> <a:o> )>> <a:p> <a:q> .\n<< <a:s> <a:p> <a:o> >> <a:p> <a:q> .",
		[]string{`a:s a:p ( a:b a:c "x"@en-US )*`},
		[]string{
			"drop syntax/unknown-word 1:29 1",
			"drop syntax/unexpected-token 2:35 1",
			"repair language/underscore 3:32 0",
			"drop syntax/misplaced-term 4:1 1",
			"drop syntax/unexpected-token 5:1 1"}},
	{"line: directions and versions", ttl.NTriples, "<a:s> <a:p> \"x\"@en--LTR .\n<a:s> <a:p> \"x\"@en_GB--rtl .\n<a:s> <a:p> \"x\"@en--up .\nVERSION \"1.2\"\nVERSION '9'\nVERSION 1.2\nVERSION <x>\nVERSION \"1.2\" <a:s> <a:p> <a:o> .\n<a:s> <a:p> \"x\"@en .",
		[]string{`a:s a:p "x"@en--ltr*`, `a:s a:p "x"@en-GB--rtl*`, `a:s a:p "x"@en`},
		[]string{
			"repair language/direction 1:16 0",
			"repair language/underscore 2:16 0",
			"drop language/direction 3:16 1",
			"warning syntax/unknown-version 5:9 0",
			"repair syntax/directive 6:9 0",
			"drop syntax/directive 7:9 1",
			"drop syntax/unexpected-token 8:15 1"}},
	{"reified triples with a broken term", ttl.Turtle, "@prefix : <a:> .\n<< :s bad:p :o >> :q :z .\n:x :y << :s :p bad:o ~ :r >> , << :s :p :o ~ bad:r >> , :k .",
		[]string{`_:0-1 a:q a:z`, `a:x a:y a:r`, `a:x a:y a:k`},
		[]string{
			"drop syntax/undeclared-prefix 2:7 1",
			"drop syntax/undeclared-prefix 3:16 1",
			"drop syntax/undeclared-prefix 3:46 1",
			"drop syntax/undeclared-prefix 3:32 1"}},
	{"a reifier behind a fault is not known", ttl.Turtle, "@prefix : <a:> .\n<< :s :p = ~ :r >> :q :z .\n<< :s :p = >> :q :z .\n:k :k :k .",
		[]string{`_:0-1 a:q a:z`, `a:k a:k a:k`},
		[]string{
			"drop syntax/unknown-symbol 2:10 1",
			"drop syntax/unknown-symbol 2:23 1",
			"drop syntax/unknown-symbol 3:10 1"}},
	{"faults in triple terms cost their statements", ttl.Turtle, "@prefix : <a:> .\n:s :p <<( :a :b bad:c )>> , <<( :a :b <<( :c :d ^ )>> )>> , :k .",
		[]string{`a:s a:p a:k`},
		[]string{
			"drop syntax/undeclared-prefix 2:17 1",
			"drop syntax/unknown-symbol 2:49 1"}},
	{"triple terms where only others can stand", ttl.Turtle, "@prefix : <a:> .\n:r :p :o ;\n :q :o .\n<<( :a :b :c )>> :p :o ; :q :r .\n:s <<( :a :b :c )>> :o ; :q <<:a :b :c>> .\n:s << :a :b :c >> :o ; :k :k .",
		[]string{`a:r a:p a:o`, `a:r a:q a:o`, `_:0-1 rdf:reifies ( a:a a:b a:c )`, `a:s a:q _:0-1`, `_:0-2 rdf:reifies ( a:a a:b a:c )`, `a:s a:k a:k`},
		[]string{
			"drop syntax/misplaced-term 4:1 1",
			"drop syntax/misplaced-term 4:29 1",
			"drop syntax/misplaced-term 5:4 1",
			"drop syntax/misplaced-term 6:4 1"}},
	{"triples that are not closed", ttl.Turtle, "@prefix : <a:> .\n:s :p <<( :a :b <<( :c :d :e . :k :k :k .\n:s :p << :a :b << :c :d :e . :k :k :k .",
		[]string{`a:k a:k a:k`, `a:k a:k a:k`},
		[]string{
			"drop syntax/unexpected-token 2:30 1",
			"drop syntax/unexpected-token 3:28 1",
			"drop syntax/unclosed-bracket 3:7 1",
			"drop syntax/unclosed-bracket 3:1 1"}},
	{"faults in annotations", ttl.Turtle, "@prefix : <a:> .\n:s :p :o {| :a bad:b ; :c :d |} ~ bad:r , :k .",
		[]string{`a:s a:p a:o`, `_:0-1 rdf:reifies ( a:s a:p a:o )`, `_:0-1 a:c a:d`, `a:s a:p a:k`},
		[]string{
			"drop syntax/undeclared-prefix 2:16 1",
			"drop syntax/undeclared-prefix 2:35 1"}},
	{"annotations of a statement that is lost", ttl.Turtle, "@prefix : <a:> .\n:s :p bad:o {| :a :b |} ~ :r , :k ~:i {| :a :b . |} .",
		[]string{`_:0-1 a:a a:b`, `a:s a:p a:k`, `a:i rdf:reifies ( a:s a:p a:k )`, `a:i a:a a:b`},
		[]string{
			"drop syntax/undeclared-prefix 2:7 1",
			"drop syntax/unexpected-token 2:13 1",
			"drop syntax/unexpected-token 2:27 1",
			"repair syntax/stray-punctuation 2:48 0"}},
	{"empty annotations, and such as are not closed", ttl.Turtle, "@prefix : <a:> .\n:s :p :o {| |} ; :q :r {| :a ^ |} ; :k :k .\n:s :p :o {| :a :b . :k :k :k .",
		[]string{`a:s a:p a:o`, `_:0-1 rdf:reifies ( a:s a:p a:o )`, `a:s a:q a:r`, `_:0-2 rdf:reifies ( a:s a:q a:r )`, `a:s a:k a:k`, `a:s a:p a:o`, `_:0-3 rdf:reifies ( a:s a:p a:o )`, `_:0-3 a:a a:b`, `a:k a:k a:k`},
		[]string{
			"repair syntax/stray-punctuation 2:13 0",
			"drop syntax/unknown-symbol 2:30 1",
			"drop syntax/unclosed-bracket 3:19 0"}},
	{"annotations without a dot behind", ttl.Turtle, "@prefix : <a:> .\n:s :p :o {| :a :b |}\n:k :k :k ~\n:k :k :l .\n:s :p :o~:r , :h~me .",
		[]string{`a:s a:p a:o`, `_:0-1 rdf:reifies ( a:s a:p a:o )`, `_:0-1 a:a a:b`, `a:k a:k a:k*`, `a:k a:k a:l`, `a:s a:p a:o`, `a:r rdf:reifies ( a:s a:p a:o )`},
		[]string{
			"repair syntax/stray-punctuation 3:1 0",
			"repair syntax/missing-dot 3:10 0",
			"drop syntax/malformed-name 5:15 1"}},
	{"end behind an annotation", ttl.Turtle, "@prefix : <a:> .\n:s :p :o {| :a :b |}",
		[]string{`a:s a:p a:o`, `_:0-1 rdf:reifies ( a:s a:p a:o )`, `_:0-1 a:a a:b`},
		[]string{
			"repair syntax/stray-punctuation 2:21 0"}},
	{"triples in a list", ttl.Turtle, "@prefix : <a:> .\n:s :p ( << :a :b :c >> <<( :a :b bad:c )>> :d ~ :r ) .\n:k :k :k .",
		[]string{`_:0-2 rdf:reifies ( a:a a:b a:c )`, `_:0-1 rdf:first _:0-2`, `_:0-1 rdf:rest _:0-3`, `_:0-3 rdf:rest _:0-4`, `a:k a:k a:k`},
		[]string{
			"drop syntax/undeclared-prefix 2:34 1",
			"drop syntax/unexpected-token 2:47 1",
			"drop syntax/unclosed-bracket 2:7 1",
			"drop syntax/unclosed-bracket 2:1 1"}},
	{"brackets in reified triples", ttl.Turtle, "@prefix : <a:> .\n<< :s :p [ :q :r ] >> :q :z .\n<< [] :p [] ~ [] >> :q :z .\n<< :s :p (1) >> :q :z .",
		[]string{`_:0-1 a:q a:z`, `_:0-4 rdf:reifies ( _:0-2 a:p _:0-3 )`, `_:0-4 a:q a:z`, `_:0-5 a:q a:z`},
		[]string{
			"drop syntax/misplaced-term 2:10 1",
			"drop syntax/unexpected-token 4:10 1"}},
	{"versions", ttl.Turtle, "@VERSION \"1.2\" .\nVERSION 1.2\nVERSION \"\"\"1.2\"\"\"\nVERSION \"7\" .\nVERSION <x>\n@version \"1.2\"\n<a:s> <a:p> \"x\"@version .",
		[]string{`a:s a:p "x"@version`},
		[]string{
			"repair syntax/directive 1:1 0",
			"repair syntax/directive 2:9 0",
			"repair syntax/directive 3:9 0",
			"warning syntax/unknown-version 4:9 0",
			"repair syntax/directive 4:13 0",
			"drop syntax/directive 5:9 1",
			"repair syntax/missing-dot 6:15 0"}},
	{"triples in graphs", ttl.TriG, "@prefix : <a:> .\nbad:g { :s :p :o {| :a :b |} . <<:s :p :o>> . :s :p <<(:a :b :c)>> }\n:g { :s :p \"x\"@EN--rtl ~:r }",
		[]string{`a:s a:p "x"@EN--rtl a:g`, `a:r rdf:reifies ( a:s a:p "x"@EN--rtl ) a:g`},
		[]string{
			"drop syntax/undeclared-prefix 2:1 1",
			"drop syntax/undeclared-prefix 2:9 1",
			"drop syntax/undeclared-prefix 2:18 1",
			"drop syntax/undeclared-prefix 2:18 1",
			"drop syntax/undeclared-prefix 2:32 1",
			"drop syntax/undeclared-prefix 2:47 1"}},
	{"doubled < of an IRI, and repairs in a triple term", ttl.Turtle, "<<http://a/s>> <a:p> <a:o> .\n<a:s> <a:p> <<( <http://a/{> <a:q> \"\\d\" )>> ~ .",
		[]string{`a:s a:p ( http://a/%7B a:q "\\d" )*`, `_:0-1 rdf:reifies ( a:s a:p ( http://a/%7B a:q "\\d" ) )*`},
		[]string{
			"drop syntax/unclosed-iri 1:1 1",
			"repair iri/character 2:27 0",
			"repair syntax/unknown-escape 2:37 0"}},
}
