package ttl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// openStrings say what becomes of strings of N-Triples and N-Quads that go over line ends. Each is one loss, and
// each sound statement in it is kept.
var openStrings = []recovery{
	{"string over lines: two", ttl.NTriples, "<a:s> <a:p> \"one\ntwo\" .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: three, with CRLF and a language", ttl.NTriples,
		"<a:r> <a:p> <a:o> .\r\n<a:s> <a:p> \"one\r\ntwo\r\nthree\"@en .\r\n<a:t> <a:p> \"x\" .\r\n",
		[]string{"a:r a:p a:o", `a:t a:p "x"`}, []string{"drop syntax/unclosed-string 2:13 1"}},
	{"string over lines: with CR alone and a datatype", ttl.NTriples, "<a:s> <a:p> \"one\rtwo\"^^<a:d> . # x\r<a:t> <a:p> \"x\" .\r",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: in a graph", ttl.NQuads,
		"<a:s> <a:p> \"one\ntwo\" <a:g> .\n_:b <a:p> \"one\n\ntwo\"@en _:g .\n<a:t> <a:p> \"x\" <a:g> .\n",
		[]string{`a:t a:p "x" a:g`}, []string{"drop syntax/unclosed-string 1:13 1", "drop syntax/unclosed-string 3:11 1"}},
	{"string over lines: with escaped quotation marks", ttl.NTriples,
		"<a:s> <a:p> \"one \\\"two\\\"\n\\\" three \\\\\" .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: with quotation marks that are not escaped", ttl.NTriples,
		"<a:s> <a:p> \"said \"no\" and\nsaid \"yes\" and\nleft\" .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unknown-word 1:20 1"}},
	{"string over lines: with lines like comments and an empty one", ttl.NTriples,
		"<a:s> <a:p> \"one\n# two\n\n#three\nfour\" .\n# five\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: it ends on a line like a comment", ttl.NTriples, "<a:s> <a:p> \"one\n# two\" .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: statements within are kept", ttl.NTriples,
		"<a:s> <a:p> \"one\n<a:t> <a:p> <a:o> .\n  _:b <a:p> _:c .\nthree\" .\n<a:u> <a:p> \"x\" .\n",
		[]string{"a:t a:p a:o", "_:b a:p _:c", `a:u a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: statements that take a repair are kept", ttl.NTriples,
		"<a:s> <a:p> \"one\n<a:t> <a:p> <a:o>\n<u> <a:p> 5 .\n<a:v> <a:p> \"x\" .\n",
		[]string{"a:t a:p a:o*", `http://base.example/dir/u a:p "5"^^xsd:integer*`, `a:v a:p "x"`},
		[]string{"drop syntax/unclosed-string 1:13 1", "repair syntax/missing-dot 2:18 0", "repair iri/relative-in-line-format 3:1 0",
			"repair syntax/turtle-in-line-format 3:11 0"}},
	{"string over lines: no end comes", ttl.NTriples, "<a:s> <a:p> \"one\n<a:t> <a:p> \"x\" .\n<a:u> <a:p> \"y\" .\n",
		[]string{`a:t a:p "x"`, `a:u a:p "y"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: no end comes before a statement", ttl.NTriples, "<a:s> <a:p> \"one\ntwo\nthree\n<a:t> <a:p> \"x\" .\nfour .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1", "drop syntax/unknown-word 5:1 1"}},
	{"string over lines: no end comes, and lines behind a statement are losses of their own", ttl.NTriples,
		"<a:s> <a:p> \"one\ntwo\n<a:t> <a:p> <a:o> .\na note\n<a:u> <a:p> <a:o> .\nfour .\n<a:v> <a:p> \"x\" .\n",
		[]string{"a:t a:p a:o", "a:u a:p a:o", `a:v a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1",
			"drop syntax/misplaced-term 4:1 1", "drop syntax/unknown-word 6:1 1"}},
	{"string over lines: an end comes behind them", ttl.NTriples,
		"<a:s> <a:p> \"one\ntwo\n<a:t> <a:p> <a:o> .\na note\n<a:u> <a:p> <a:o> .\nfour\" .\n<a:v> <a:p> \"x\" .\n",
		[]string{"a:t a:p a:o", "a:u a:p a:o", `a:v a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: two in a row", ttl.NTriples,
		"<a:s> <a:p> \"one\ntwo\" .\n<a:t> <a:p> \"one\ntwo\nthree\" .\n<a:u> <a:p> \"x\" .\n",
		[]string{`a:u a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1", "drop syntax/unclosed-string 3:13 1"}},
	{"string over lines: the second opens before the first ends", ttl.NTriples,
		"<a:s> <a:p> \"one\ntwo\n<a:t> <a:p> \"one\ntwo\" .\n<a:u> <a:p> \"x\" .\n",
		[]string{`a:u a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1", "drop syntax/unclosed-string 3:13 1"}},
	{"string over lines: at the end of the text", ttl.NTriples, "<a:t> <a:p> \"x\" .\n<a:s> <a:p> \"one\ntwo\" .",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 2:13 1"}},
	{"string over lines: the text ends before it", ttl.NTriples, "<a:t> <a:p> \"x\" .\n<a:s> <a:p> \"one\ntwo\nthree",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 2:13 1"}},
	{"string over lines: a broken statement within is told", ttl.NTriples,
		"<a:s> <a:p> \"one\n<a:t> <a:p> two .\nthree\" .\n<a:u> <a:p> \"x\" .\n",
		[]string{`a:u a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1", "drop syntax/unknown-word 2:13 1"}},
	{"string over lines: three quotation marks", ttl.NTriples, "<a:s> <a:p> \"\"\"one\ntwo\"\"\"@en .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:13 1"}},
	{"string over lines: of a triple term", ttl.NTriples, "<a:s> <a:p> <<( <a:s> <a:p> \"one\ntwo\" )>> .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop syntax/unclosed-string 1:29 1"}},
	{"string over lines: a language that is none opens no string", ttl.NTriples, "<a:s> <a:p> \"x\"@1 .\ntwo .\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop language/malformed-tag 1:16 1", "drop syntax/unknown-word 2:1 1"}},
}

func TestStringsOverLinesSayHowMuchIsLost(t *testing.T) {
	for _, test := range []struct {
		in, message string
		bytes       int64
	}{
		{"<a:s> <a:p> \"one\ntwo\" .\n<a:t> <a:p> \"x\" .\n",
			"the quotation mark that ends this string is missing on its line; the string goes on up to line 2, and its lines are lost as one",
			11},
		{"<a:s> <a:p> \"one\r\ntwo\nthree .\n<a:t> <a:p> \"x\" .\n",
			"the quotation mark that ends this string is missing on its line; 2 lines after it aren't statements, and lost with it", 17},
		{"<a:s> <a:p> \"one\n<a:t> <a:p> <a:o> .\ntwo\" .",
			"the quotation mark that ends this string is missing on its line; the string goes on up to line 3, and its lines are lost as one, but for statements of their own",
			11},
		{"<a:s> <a:p> \"one\n<a:t> <a:p> \"x\" .\n", "the quotation mark that ends this string is missing on its line", 0},
		{"<a:s> <a:p> \"\"\"one\ntwo\n<a:t> <a:p> \"x\" .\n",
			"the three quotation marks that end this string are missing on its line; the line after it isn't a statement, and lost with it",
			10},
	} {
		c, _ := read(t, strings.NewReader(test.in), ttl.Options{})
		if len(c.Notices) != 1 || c.Notices[0].Message != test.message || c.Notices[0].Bytes != test.bytes {
			t.Errorf("%q: %+v", test.in, c.Notices)
		}
	}
}

// TestEachStringOverLinesIsOneLoss makes texts in which some strings hold raw line ends, and says
// what is to be kept and how many losses there are.
func TestEachStringOverLinesIsOneLoss(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for range 300 {
		text, want, losses := stringsOverLines(random)
		for syntax := ttl.NTriples; syntax <= ttl.NQuads; syntax++ {
			for _, guessed := range []bool{false, true} {
				opt := ttl.Options{Syntax: syntax, MayHandOver: guessed}
				c, _ := read(t, strings.NewReader(text), opt)
				checkLosses(t, text, c, want, losses)
				checkLaws(t, []byte(text), opt, 1+random.IntN(100))
				opt.Workers = 2
				plain := washed(t, []byte(text), opt, clean.Options{}, false)
				if judged := washed(t, []byte(text), ttl.WithBlock(opt, 1+random.IntN(300)), clean.Options{}, true); judged != plain {
					t.Errorf("judged:\n%s\nread:\n%s\ntext: %q", judged, plain, text)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

func checkLosses(t *testing.T, text string, c *rdftest.Collector, want []string, losses int) {
	t.Helper()
	drops := 0
	for _, n := range c.Notices {
		if n.Severity == fault.Drop {
			drops++
		}
	}
	if got := c.Lines(); !slices.Equal(got, want) || c.Lost() != losses || drops != losses {
		t.Errorf("%d losses in %d notices, not %d; kept\n%s\nwant\n%s\n%+v\ntext: %s", c.Lost(), drops, losses, strings.Join(got, "\n"),
			strings.Join(want, "\n"), c.Notices, text)
	}
}

// stringsOverLines makes a text of some statements.
func stringsOverLines(random *rand.Rand) (text string, want []string, losses int) {
	pick := func(all ...string) string { return all[random.IntN(len(all))] }
	end := pick("\n", "\n", "\r\n")
	var b strings.Builder
	statement := func(object string) {
		line := fmt.Sprintf("<http://e.org/s%d> <http://e.org/p> %s .", len(want), object)
		want = append(want, line)
		b.WriteString(line + end)
	}
	words := func() string {
		return pick("a carrier of sheets", "it's, well; done.", "said \\\"no\\\" twice", "é ß 漢", "<p>bold <b>move</b></p>",
			"1. first [a] (b)", "C:\\\\temp", "see http://e.org/x")
	}
	for range 2 + random.IntN(8) {
		if random.IntN(3) > 0 {
			statement(pick("<http://e.org/o>", "\"plain\"", "\"x\"@en", "_:b"))
			continue
		}
		losses++
		b.WriteString(pick("<http://e.org/lost>", "_:lost") + " <http://e.org/p> \"" + words() + end)
		for range random.IntN(1 + random.IntN(100)) {
			switch random.IntN(8) {
			case 0:
				b.WriteString(end)
			case 1:
				b.WriteString("# " + words() + end)
			case 2:
				statement("<http://e.org/within>")
			default:
				b.WriteString(words() + end)
			}
		}
		b.WriteString(words() + "\"" + pick("", "@en", "^^<http://e.org/d>") + pick(" .", " .", " <http://e.org/g> .", " . # \"x\"") + end)
	}
	return b.String(), want, losses
}
