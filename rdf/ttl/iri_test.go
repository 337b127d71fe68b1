package ttl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/ttl"
)

// bracketed says what becomes of what is between < and >.
var bracketed = []recovery{
	{"quotes around words", ttl.NTriples, `<http://a/by:"Ann Lee, Bo"> <a:p> <a:o> .`,
		[]string{"http://a/by:%22Ann%20Lee,%20Bo%22 a:p a:o*"}, []string{"repair iri/character 1:14 0", "repair iri/space 1:18 0"}},
	{"quotes behind a blank", ttl.NTriples, `<a:s> <a:p> <http://a/the "big" one> .`,
		[]string{"a:s a:p http://a/the%20%22big%22%20one*"}, []string{"repair iri/space 1:26 0", "repair iri/character 1:27 0"}},
	{"quotes at the end, behind a blank", ttl.NQuads, `<a:s> <a:p> "x" <http://a/say "hi you"> .`,
		[]string{`a:s a:p "x" http://a/say%20%22hi%20you%22*`}, []string{"repair iri/space 1:30 0", "repair iri/character 1:31 0"}},
	{"one quote, before a blank", ttl.NTriples, `<http://a/5" disk> <a:p> "a disk" .`,
		[]string{`http://a/5%22%20disk a:p "a disk"*`}, []string{"repair iri/character 1:12 0", "repair iri/space 1:13 0"}},
	{"one quote, behind a blank", ttl.NTriples, `<http://a/disk "5> <a:p> "a \"disk\"" .`,
		[]string{`http://a/disk%20%225 a:p "a \"disk\""*`}, []string{"repair iri/space 1:15 0", "repair iri/character 1:16 0"}},
	{"three quotes", ttl.Turtle, `<a:s> <a:p> <http://a/"b" c"> ; <a:q> "y" .`,
		[]string{`a:s a:p http://a/%22b%22%20c%22*`, `a:s a:q "y"`}, []string{"repair iri/character 1:23 0", "repair iri/space 1:26 0"}},
	{"quotes in the IRI of a datatype", ttl.Turtle, `<a:s> <a:p> "x"^^<http://a/"my type"> .`,
		[]string{`a:s a:p "x"^^http://a/%22my%20type%22*`}, []string{"repair iri/character 1:28 0", "repair iri/space 1:31 0"}},
	{"quotes in a namespace", ttl.Turtle, "@prefix n: <http://a/\"b c\"/> .\nn:s <a:p> <a:o> .",
		[]string{"http://a/%22b%20c%22/s a:p a:o*"}, []string{"repair iri/character 1:22 0", "repair iri/space 1:24 0"}},
	{"quotes in a base", ttl.Turtle, "@base <http://a/\"b c\"/> .\n<s> <a:p> <a:o> .",
		[]string{"http://a/%22b%20c%22/s a:p a:o*"}, []string{"repair iri/character 1:17 0", "repair iri/space 1:19 0"}},
	{"quotes in the label of a graph", ttl.TriG, `<http://a/"g h"> { <a:s> <a:p> <a:o> }`,
		[]string{"a:s a:p a:o http://a/%22g%20h%22*"}, []string{"repair iri/character 1:11 0", "repair iri/space 1:13 0"}},
	{"a comma and a dot between words", ttl.Turtle, `<http://a/Dr. Lee, Ann> <a:p> <a:o> .`,
		[]string{"http://a/Dr.%20Lee,%20Ann a:p a:o*"}, []string{"repair iri/space 1:14 0"}},
	{"a string that holds a >, behind an IRI without one", ttl.Turtle,
		"<a:s> <a:p> <a:o> .\n<a:s> <http://a/p \"a > b\" .\n<a:t> <a:p> <a:o> .",
		[]string{"a:s a:p a:o", "a:t a:p a:o"}, []string{"drop syntax/unclosed-iri 2:7 1"}},
	{"line: a string that holds a >, behind an IRI without one", ttl.NTriples, `<a:s> <http://a/p "a > b" .`,
		nil, []string{"drop syntax/unclosed-iri 1:7 1"}},
	{"line: a string that holds a quote and a >", ttl.NTriples, `<a:s> <http://a/p "a \"b > c" .`,
		nil, []string{"drop syntax/unclosed-iri 1:7 1"}},
	{"a literal with its datatype", ttl.Turtle, `<a:s> <http://a/p "a"^^xsd:string> .`,
		nil, []string{"drop syntax/unclosed-iri 1:7 1", "drop syntax/unknown-symbol 1:34 0"}},
	{"line: an IRI without its >, before another statement", ttl.NTriples, `<a:s> <http://a/p "x" . <a:s> <a:p> <a:o> .`,
		[]string{"a:s a:p a:o*"}, []string{"drop syntax/unclosed-iri 1:7 1", "repair syntax/shared-line 1:25 0"}},
	{"a list of objects without a >", ttl.Turtle, "<a:s> <a:p> <http://a/o, http://a/q> .\n<a:t> <a:p> <a:o> .",
		[]string{"a:t a:p a:o"}, []string{"drop iri/two-iris 1:25 1"}},
	{"line ends around an IRI", ttl.Turtle, "<\n  http://a/s> <a:p> <http://a/o\n\t>, < \r\nhttp://a/q\r\n > .\n<a:t> <a:p> 1 .",
		[]string{"http://a/s a:p http://a/o*", "http://a/s a:p http://a/q*", `a:t a:p "1"^^xsd:integer`},
		[]string{"repair iri/trimmed 1:2 0", "repair iri/trimmed 2:22 0", "repair iri/trimmed 3:6 0"}},
	{"line end within an IRI", ttl.Turtle, "<a:s> <a:p> <http://a/b\nc> .\n<a:t> <a:p> 1 .",
		[]string{`a:t a:p "1"^^xsd:integer`}, []string{"drop syntax/unclosed-iri 1:13 1", "drop syntax/unknown-word 2:1 0",
			"drop syntax/unknown-symbol 2:2 0"}},
	{"escaped white space around an IRI", ttl.NTriples, `<\u0009http://a/s\U0000000A> <a:p> <http://a/o \u0020> .`,
		[]string{"http://a/s a:p http://a/o*"}, []string{"repair iri/trimmed 1:2 0", "repair iri/trimmed 1:37 0"}},
	{"escaped line end within an IRI", ttl.NTriples, `<a:s> <a:p> <http://a/b\u000Ac> .`,
		nil, []string{"drop iri/forbidden 1:24 1"}},
}

func TestWhatStandsInAngleBracketsIsOneIRIOrTold(t *testing.T) {
	for _, test := range bracketed {
		t.Run(test.name, func(t *testing.T) {
			c, _ := read(t, strings.NewReader(test.in), ttl.Options{Syntax: test.syntax})
			var lines, notices []string
			for i, line := range c.Lines() {
				lines = append(lines, short(line, c.Quads[i].Repaired))
			}
			for _, n := range c.Notices {
				notices = append(notices, fmt.Sprintf("%v %s %d:%d %d", n.Severity, n.Code, n.Line, n.Column, n.Lost))
				if rest := test.in[n.Offset+1:]; n.Code == fault.SyntaxUnclosedIRI {
					next := strings.IndexAny(rest, "<>\n")
					if isMissing := next < 0 || rest[next] != '>'; strings.Contains(n.Message, "is missing") != isMissing {
						t.Errorf("told that %s", n.Message)
					}
				}
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

// TestQuotesAndBlanksInAnIRIAreEncoded makes IRIs of words, quotes and blanks. As long as each quote has another, or
// no string follows, the encoded one belongs to the statement. A string that holds the > is never part of one.
func TestQuotesAndBlanksInAnIRIAreEncoded(t *testing.T) {
	random := rand.New(rand.NewPCG(0x1D3, 0))
	for range 300 {
		var iri strings.Builder
		iri.WriteString("http://e/")
		for range 1 + random.IntN(5) {
			iri.WriteString([]string{"Ann", "b", "x9", "é", "(c)"}[random.IntN(5)])
			iri.WriteString([]string{`"`, " ", `" `, ` "`, `""`, "  ", "-", ", "}[random.IntN(8)])
		}
		iri.WriteString([]string{"Bo", `"`, `z"`}[random.IntN(3)])
		want := strings.NewReplacer(`"`, "%22", " ", "%20").Replace(iri.String())
		syntax := []ttl.Syntax{ttl.NTriples, ttl.NQuads, ttl.Turtle, ttl.TriG}[random.IntN(4)]
		text := []string{
			"<%s> <a:p> <a:o> .\n", "<a:s> <a:p> <%s> .\n", "<%s> <a:p> \"a \\\" > b\" .\n", "<a:s> <a:p> \"x\"^^<%s> .\n",
			"<a:s> <a:p> <%s> . # a comment\n",
		}[random.IntN(5)]
		text = fmt.Sprintf(text, iri.String())
		c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: syntax})
		got := ""
		if len(c.Quads) == 1 {
			q := &c.Quads[0]
			for _, value := range [][]byte{q.Subject.Value, q.Object.Value, q.Object.Datatype} {
				if strings.HasPrefix(string(value), "http://e/") {
					got = string(value)
				}
			}
		}
		if got != want {
			t.Errorf("%v %s: %s, want %s, %v", syntax, text, got, want, c.Notices)
		}

		// The same without the > of the predicate, before a string with one.
		text = fmt.Sprintf("<a:s> <http://e/%s \"%s > b\" .\n", "p"+fmt.Sprint(random.IntN(100)),
			strings.ReplaceAll(iri.String(), `"`, `\"`))
		c, _ = read(t, strings.NewReader(text), ttl.Options{Syntax: syntax})
		if len(c.Quads) > 0 || !slices.ContainsFunc(c.Notices, func(n fault.Notice) bool { return n.Code == fault.SyntaxUnclosedIRI }) {
			t.Errorf("%v %s: %q, %v", syntax, text, c.Lines(), c.Notices)
		}
	}
}

// TestRelativeReferencesOfLinesWaitForTheirStatement holds warnings back where the line is lost.
func TestRelativeReferencesOfLinesWaitForTheirStatement(t *testing.T) {
	c, _ := read(t, strings.NewReader("<a:s> <a:p> <www.example.org> x .\n<a:s> <a:p> <www.example.org> .\n"),
		ttl.Options{Syntax: ttl.NTriples})
	told := 0
	for _, n := range c.Notices {
		if n.Code == fault.IRIUnlikely {
			told++
		}
	}
	if told != 1 || len(c.Quads) != 1 || c.Quads[0].Subject.Kind != rdf.IRI {
		t.Errorf("%d told, %v", told, c.Notices)
	}
}
