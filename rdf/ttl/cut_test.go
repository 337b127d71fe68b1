package ttl_test

import (
	"fmt"
	"strings"

	"laundromat/rdf/ttl"
)

// cutLines say what becomes of lines of N-Triples and N-Quads that end too early.
var cutLines = []recovery{
	{"line: cut off in a term that may go on, and not in one that tells its end", ttl.NTriples,
		"<a:s> <a:p> _:b1\n<a:s> <a:p> \"x\"\n<a:s> <a:p> \"x\"@e\n<a:s> <a:p> <a:o>\n<a:s> <a:p> _:b2 \n<a:s> <a:q> <a:o> .\n",
		[]string{`a:s a:p _:b1*`, `a:s a:p "x"*`, `a:s a:p "x"@e*`, "a:s a:p a:o*", "a:s a:p _:b2*", "a:s a:q a:o"},
		[]string{"repair syntax/missing-dot 1:17 0", "repair syntax/missing-dot 2:16 0", "repair syntax/missing-dot 3:18 0",
			"repair syntax/missing-dot 4:18 0", "repair syntax/missing-dot 5:17 0"}},
	{"line: cut off in a term among lines with dots", ttl.NTriples,
		"<a:s> <a:p> _:b1\n<a:s> <a:q> \"1\" .\n<a:s> <a:p> \"x\"@e\n<a:s> <a:q> \"2\" .\n<a:s> <a:p> \"12\"\n<a:s> <a:q> \"3\" .\n<a:s> <a:p> \"y\"\n.\n<a:s> <a:p> \"z\"",
		[]string{`a:s a:q "1"`, `a:s a:q "2"`, `a:s a:p "12"*`, `a:s a:q "3"`, `a:s a:p "y"*`},
		[]string{"drop syntax/incomplete-statement 1:17 1", "drop syntax/incomplete-statement 3:18 1", "repair syntax/missing-dot 5:17 0",
			"repair syntax/missing-dot 7:16 0", "repair syntax/stray-punctuation 8:1 0", "drop syntax/unfinished 9:16 1"}},
	{"line: a dot in the middle of a term", ttl.NTriples,
		"<a:s> <a:p> \"1\"^^<a:x>.y/z> .\n<a:s> <a:p> \"1\".^<a:x> .\n<a:s> <a:p> _:b .<a:s> <a:q> \"2\" .\n",
		[]string{"a:s a:p _:b", `a:s a:q "2"*`},
		[]string{"drop syntax/unexpected-token 1:23 1", "drop syntax/unexpected-token 2:16 1", "repair syntax/shared-line 3:18 0"}},
	{"line: statements with a graph, broken over two lines", ttl.NQuads, manyQuads() +
		"<a:s>\n<a:p> <a:o> <a:g> .\n<a:s> <a:p> <a:q> <a:g> .\n<a:s> <a:p> <a:r>\n<a:g> .\n<a:s> <a:p>\n\n<a:o> <a:g> .\n<a:s> <a:p> <a:t> .\n<a:u> <a:p> <a:o>\n",
		append(manyOf(), "a:s a:p a:q a:g", "a:s a:p a:t", "a:u a:p a:o*"),
		[]string{"drop syntax/incomplete-statement 17:6 1", "drop syntax/incomplete-statement 18:1 1",
			"drop syntax/incomplete-statement 20:18 1", "drop syntax/unexpected-token 21:7 1", "drop syntax/incomplete-statement 22:12 1",
			"drop syntax/unexpected-token 24:13 1", "repair syntax/missing-dot 26:18 0"}},
	{"line: a statement without a graph behind a broken line, where some have none", ttl.NQuads, "<a:s> <a:p> <a:o> .\n" + manyQuads() +
		"<a:s>\n<a:p> <a:o> <a:g> .\n",
		append([]string{"a:s a:p a:o"}, append(manyOf(), "a:p a:o a:g")...),
		[]string{"drop syntax/incomplete-statement 18:6 1"}},
}

func manyQuads() string {
	var b strings.Builder
	for i := range 16 {
		fmt.Fprintf(&b, "<a:s> <a:p> \"%d\" <a:g> .\n", i)
	}
	return b.String()
}

func manyOf() (all []string) {
	for i := range 16 {
		all = append(all, fmt.Sprintf("a:s a:p \"%d\" a:g", i))
	}
	return all
}
