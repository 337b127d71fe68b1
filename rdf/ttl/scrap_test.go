package ttl_test

import "laundromat/rdf/ttl"

// scrapRecoveries say what becomes of what is no part of a document, but was pasted into it.
var scrapRecoveries = []recovery{
	{"comment of HTML within a statement", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ;\n<!-- generated -->\n:q :o .\n:t :p :o .",
		[]string{"a:s a:p a:o", "a:s a:q a:o", "a:t a:p a:o"}, []string{"drop syntax/unexpected-token 3:1 1"}},
	{"comment of HTML before a predicate of its line", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ; <!-- generated --> :q :o .",
		[]string{"a:s a:p a:o", "a:s a:q a:o"}, []string{"drop syntax/unexpected-token 2:12 1"}},
	{"tag of HTML before a statement", ttl.Turtle, "@base <a:b> .\n@prefix : <a:> .\n<p>\n:s :p \"o\" .\n</p>\n:t :p \"o\" .",
		[]string{`a:s a:p "o"`, `a:t a:p "o"`}, []string{"drop syntax/unexpected-token 3:1 1", "drop syntax/unexpected-token 5:1 1"}},
	{"tag of HTML within a statement", ttl.TriG, "@base <a:b> .\n@prefix : <a:> .\n:g { :s :p :o ;\n<p>nginx</p> x\n:q :o . }",
		[]string{"a:s a:p a:o a:g", "a:s a:q a:o a:g"}, []string{"drop syntax/unexpected-token 4:1 1"}},
	{"IRIs that look like tags", ttl.Turtle, "@base <http://e/b> .\n</a>\n</b> </c> ;\n<p>\n<html> .\n<a> <p> \"1\" .\n</p> <p>\n<p> .",
		[]string{"http://e/a http://e/b http://e/c", "http://e/a http://e/p http://e/html", `http://e/a http://e/p "1"`, "http://e/p http://e/p http://e/p"}, nil},
	{"byte order mark between files", ttl.Turtle, "@prefix : <a:> .\n:s :p :o .\n\uFEFF@prefix : <b:> .\n\uFEFF:s :p \u200B:o .",
		[]string{"a:s a:p a:o", "b:s b:p b:o"}, []string{"repair syntax/unseen-mark 3:1 0", "repair syntax/unseen-mark 4:1 0", "repair syntax/unseen-mark 4:8 0"}},
	{"line: byte order mark between files", ttl.NTriples, "<a:s> <a:p> <a:o> .\n\uFEFF<a:s> <a:p> <a:q> .\n\uFEFF\uFEFF# none\n\uFEFF",
		[]string{"a:s a:p a:o", "a:s a:p a:q"}, []string{"repair syntax/unseen-mark 2:1 0", "repair syntax/unseen-mark 3:1 0", "repair syntax/unseen-mark 4:1 0"}},
	{"line: byte order mark before a broken line", ttl.NQuads, "<a:s> <a:p> <a:o> <a:g> .\n\uFEFF<a:s> broken <a:q> .\n\uFEFF<a:s> <a:p> \"x\" <a:g>.",
		[]string{"a:s a:p a:o a:g", `a:s a:p "x" a:g`}, []string{"drop syntax/unknown-word 2:8 1", "repair syntax/unseen-mark 2:1 0", "repair syntax/unseen-mark 3:1 0"}},
	{"directive with a semicolon", ttl.Turtle, "@prefix a:<a:>;\n@base <b:>;@prefix : <c:>.\na:s a:p <o> .\n:s :p :o .",
		[]string{"a:s a:p b:o*", "c:s c:p c:o"}, []string{"repair syntax/directive 1:15 0", "repair syntax/directive 2:11 0"}},
	{"semicolon for a dot before a class", ttl.Turtle, "@prefix : <a:> .\n:s :p 1;:q 2;\n:t a :C;:p 3;:q [a :D;:p 4].\n:u :p 5.",
		[]string{`a:s a:p "1"^^xsd:integer`, `a:s a:q "2"^^xsd:integer`, "a:t rdf:type a:C", `a:t a:p "3"^^xsd:integer`, "_:0-1 rdf:type a:D", `_:0-1 a:p "4"^^xsd:integer`, "a:t a:q _:0-1", `a:u a:p "5"^^xsd:integer`},
		[]string{"drop syntax/unexpected-token 3:1 1"}},
	{"is before a", ttl.Turtle, "@prefix : <a:> .\n:s is a :C, :D ;\n:p [is a :E; :p is] .\n:t is :o .",
		[]string{"a:s rdf:type a:C*", "a:s rdf:type a:D*", "_:0-1 rdf:type a:E*", "a:s a:p _:0-1"}, []string{"repair syntax/unknown-word 2:4 0", "repair syntax/unknown-word 3:5 0", "drop syntax/unknown-word 3:17 1", "drop syntax/misplaced-term 4:4 1"}},
	{"sign for text left out", ttl.Turtle, "@prefix : <a:> .\n:s :p :o ;\n[...]\n:q :o .\n[truncated]\n:t :p [] .",
		[]string{"a:s a:p a:o", "a:s a:q a:o", "a:t a:p _:0-1"}, []string{"drop syntax/unexpected-token 3:1 1", "drop syntax/unexpected-token 5:1 1"}},
}
