package ttl_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/ttl"
)

// pastedSlips are slips of exports by hand: of spreadsheets and databases, of other languages, and of pasted text.
var pastedSlips = []slip{
	{"a value after a #", "ex:a ex:p #5\nex:a ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a line that ends behind its predicate", "ex:a ex:p\nex:a ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a subject alone on its line", "ex:a\nex:a ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a line that ends behind a later predicate", "ex:a ex:p ex:b ; ex:r\nex:a ex:q ex:c .", []string{"p b", "q c"}, nil, 3},
	{"words of signs", `ex:a ex:p N/A ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a date with slashes", `ex:a ex:p 12/31/2020 ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a date and a time", `ex:a ex:p 2020-12-31T10:00:00Z ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a mail address without a prefix", `ex:a ex:p ann@e.org ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"an address without a scheme", `ex:a ex:p www.e.org/x ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"an amount", `ex:a ex:p $5.00 ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a variable", `ex:a ex:p %name ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a word with a datatype", `ex:a ex:p x^^ex:d ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a word behind the subject", `ex:New York ex:p ex:b ; ex:q ex:c .`, nil, nil, 2},
	{"a word before the predicate", `ex:a x ex:p ex:b ; ex:q ex:c .`, nil, nil, 2},
	{"a label with @", `_:a@b ex:p ex:b ; ex:q ex:c .`, nil, nil, 2},
	{"a line of words with a number", "%%%%% part 2\nex:a ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a prompt", "user@host:~$ cat data.ttl\nex:a ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a comment of C behind a statement", "ex:a ex:q ex:c . // a note", []string{"q c"}, nil, 2},
	{"no-break spaces between terms", "ex:a\u00a0ex:p\u00a0ex:b\u00a0; ex:q ex:c\u00a0.", []string{"p b", "q c"}, nil, 2},
	{"a space of Chinese text", "ex:a ex:p\u3000ex:b ; ex:q ex:c .", []string{"p b", "q c"}, nil, 2},
	{"a no-break space behind a broken word", "ex:a ex:p N/A\u00a0; ex:q ex:c .", []string{"q c"}, nil, 2},
	{"a tag of a template", `ex:a ex:p <%= x %> ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a comment of HTML as an object", `ex:a ex:p <!-- x --> ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a tag with an attribute", `ex:a ex:p <img src="x y"> ; ex:q ex:c .`, []string{"q c"}, nil, 2},
	{"a comma before another a", `ex:a a ex:C, a ex:D ; ex:q ex:c .`, []string{"type C", "q c"}, []string{"type D"}, 3},
	{"a header of HTTP", "HTTP/1.1 200 OK\nContent-Type: text/turtle\nex:a ex:q ex:c .", []string{"q c"}, nil, 3},
}

// TestAPastedSlipCostsWhatItTouchesAndCountsOnce is the law of everyday slips for what is pasted.
func TestAPastedSlipCostsWhatItTouchesAndCountsOnce(t *testing.T) {
	for _, row := range pastedSlips {
		t.Run(row.name, func(t *testing.T) {
			judgeSlip(t, row, "@prefix ex: <http://e/> .\n"+soundBefore+row.text+"\n"+soundBehind, ttl.Turtle, "")
		})
	}
}

// TestAStatementInACommentIsNotStated reads comments of other languages among statements on one line each.
func TestAStatementInACommentIsNotStated(t *testing.T) {
	const sound = "ex:s ex:p ex:o .\n"
	for _, comment := range []string{"// ex:a ex:q ex:c .", "-- ex:a ex:q ex:c .", "/* ex:a ex:q ex:c . */", "//ex:a ex:q ex:c ."} {
		text := "@prefix ex: <http://e/> .\n" + strings.Repeat(sound, 4) + comment + "\n" + strings.Repeat(sound, 4)
		if c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: ttl.Turtle}); len(c.Quads) != 8 || c.Lost() == 0 {
			t.Errorf("%s\n%s", comment, dump(c))
		}
	}
}

// TestMarkupIsNoStatement reads three tags, which would be three IRIs with spaces.
func TestMarkupIsNoStatement(t *testing.T) {
	for _, tags := range []string{
		"<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n<rdf:Description rdf:about=\"http://e/x\"/>\n</rdf:RDF>",
		"<!-- a --> <!-- b --> <!-- c --> .", "<% a %> <% b %> <% c %> .",
	} {
		for syntax := range ttl.TriG + 1 {
			if c, _ := read(t, strings.NewReader(tags), ttl.Options{Syntax: syntax}); len(c.Quads) > 0 || c.Lost() == 0 {
				t.Errorf("%v: %s\n%s", syntax, tags, dump(c))
			}
		}
	}
}

// TestOneFaultyLineCostsItself reads lines that are none of N-Quads among such.
func TestOneFaultyLineCostsItself(t *testing.T) {
	const sound = "<http://e/s> <http://e/p> <http://e/o> <http://e/g> .\n"
	for _, test := range []struct {
		line string
		lost int
	}{{`{"a": 1}`, 1}, {`{"level": "info", "n": [1]}`, 1}, {".", 0}, {" . ", 0}} {
		for _, text := range []string{test.line + "\n" + sound + sound, sound + test.line + "\n" + sound, sound + sound + test.line} {
			c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: ttl.NQuads, MayHandOver: true})
			if len(c.Quads) != 2 || c.Lost() != test.lost {
				t.Errorf("%q\n%s", text, dump(c))
			}
		}
	}
}

// TestEachOfManySlipsIsTold reads documents of nothing but one slip: each of the statements is told on its line.
func TestEachOfManySlipsIsTold(t *testing.T) {
	for _, text := range []string{
		"ex:a%d ex:p N/A ; ex:q ex:c .", "ex:a%d ex:p NaN , INF ; ex:q ex:c .", "ex:a%d ex:p TRUE ; ex:q FALSE .",
		"ex:a%d ex:p ex :b ; ex:q ex:c .",
		"ex:a%d ex:p 2020-12-31 10:00:00 ; ex:q ex:c .", "ex:a%d ex:p ex:AC/DC , ex:b/c .", "ex:a%d ?p ex:c ; ex:q ?o .",
		"ex:a%d ex:p \"x\"@* .",
		"ex:a%d ex:p ex:b !", "Notice: no index %d: name in C:\\htdocs\\export.php on line 12", "SELECT * WHERE { ?s%d ?p ?o }",
	} {
		var lines strings.Builder
		for i := range 30 {
			fmt.Fprintf(&lines, text+"\n", i)
		}
		c, _ := read(t, strings.NewReader("@prefix ex: <http://e/> .\n"+lines.String()), ttl.Options{Syntax: ttl.Turtle})
		at := map[int64]int{}
		for _, n := range c.Notices {
			if n.Severity == fault.Drop {
				at[n.Line] += n.Lost
			}
		}
		for i := range c.Quads {
			at[c.Quads[i].Object.Pos.Line]++
		}
		for line := int64(2); line < 32; line++ {
			if at[line] == 0 {
				t.Errorf("%s: nothing is read or told on line %d\n%s", text, line, dump(c))
				break
			}
		}
	}
}
