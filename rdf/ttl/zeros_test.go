package ttl_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

var hole = strings.Repeat("\x00", 600)

// zeroBytes say what becomes of zero bytes: they cost no statement around them, and holes within a statement cost that.
var zeroBytes = []recovery{
	{"zeros: at the beginning", ttl.NTriples, hole + "<a:s> <a:p> <a:o> .\n",
		[]string{"a:s a:p a:o"}, []string{"repair syntax/zero-bytes 1:1 0"}},
	{"zeros: between lines, and with white space", ttl.NTriples, "<a:s> <a:p> <a:o> .\r\n" + hole + " \x00\t<a:t> <a:p> \"x\" .\n",
		[]string{"a:s a:p a:o", `a:t a:p "x"`}, []string{"repair syntax/zero-bytes 2:1 0"}},
	{"zeros: at the end", ttl.NQuads, "<a:s> <a:p> <a:o> <a:g> .\n" + hole,
		[]string{"a:s a:p a:o a:g"}, []string{"repair syntax/zero-bytes 2:1 0"}},
	{"zeros: behind the last dot", ttl.NTriples, "<a:s> <a:p> <a:o> ." + hole,
		[]string{"a:s a:p a:o"}, []string{"repair syntax/zero-bytes 1:20 0"}},
	{"zeros: lines of nothing else", ttl.NTriples, "<a:s> <a:p> <a:o> .\n\x00\n\x00\x00\n<a:t> <a:p> <a:o> .",
		[]string{"a:s a:p a:o", "a:t a:p a:o"}, []string{"repair syntax/zero-bytes 2:1 0", "repair syntax/zero-bytes 3:1 0"}},
	{"zeros: between the words of a line", ttl.NTriples, "<a:s>\x00<a:p> \x00\x00 \"x\"\x00.\x00\n_:b \x00<a:p>\x00<a:o>.\n",
		[]string{`a:s a:p "x"`, "_:b a:p a:o"}, []string{"repair syntax/zero-bytes 1:6 0", "repair syntax/zero-bytes 1:13 0",
			"repair syntax/zero-bytes 1:19 0", "repair syntax/zero-bytes 1:21 0", "repair syntax/zero-bytes 2:5 0",
			"repair syntax/zero-bytes 2:11 0"}},
	{"zeros: right behind a word that may not be whole", ttl.NTriples,
		"_:b\x00 <a:p> <a:o> .\n<a:s> <a:p> _:b\x00.\n<a:s> <a:p> 5\x00.\n<a:t> <a:p> \"x\" .\n",
		[]string{`a:t a:p "x"`}, []string{"drop blank-node/malformed-label 1:1 1", "drop blank-node/malformed-label 2:13 1",
			"drop syntax/malformed-number 3:13 1"}},
	{"zeros: a hole within a line", ttl.NTriples, "<a:s> <a:p> " + hole + "<a:o> .\n<a:t> <a:p> \"x\"" + hole + "\n<a:u> <a:p> <a:o> .\n",
		[]string{"a:u a:p a:o"}, []string{"drop syntax/zero-bytes 1:13 1", "drop syntax/zero-bytes 2:16 1"}},
	{"zeros: a hole where a subject may stand", ttl.NQuads, manyQuads() + hole + "<a:p> <a:o> <a:g> .\n<a:t> <a:p> <a:o> <a:g> .\n",
		append(manyOf(), "a:t a:p a:o a:g"), []string{"repair syntax/zero-bytes 17:1 0", "drop syntax/incomplete-statement 17:601 1"}},
	{"zeros: in an IRI, and in a string", ttl.NTriples, "<a:\x00s> <a:p> <a:o> .\n<a:t> <a:p> \"x\x00y\" .\n",
		[]string{`a:t a:p "x\u0000y"`}, []string{"drop iri/forbidden 1:4 1"}},
	{"zeros: before a broken line", ttl.NTriples, hole + "broken\n<a:t> <a:p> <a:o> .\n",
		[]string{"a:t a:p a:o"}, []string{"repair syntax/zero-bytes 1:1 0", "drop syntax/unknown-word 1:601 1"}},
	{"zeros: around statements of Turtle", ttl.Turtle, hole + "PREFIX : <a:>\n" + hole + ":s :p :o ; :q 1 .\n" + hole + "\n\x00:t :p :o ." +
		hole,
		[]string{"a:s a:p a:o", `a:s a:q "1"^^xsd:integer`, "a:t a:p a:o"},
		[]string{"repair syntax/zero-bytes 1:1 0", "drop syntax/zero-bytes 2:1 1", "repair syntax/zero-bytes 3:1 0",
			"repair syntax/zero-bytes 4:12 0"}},
	{"zeros: between the words of Turtle", ttl.Turtle,
		"@prefix : <a:> .\n:s \x00:p\x20\x00\x00:o ,\x00\"x\"@en ;\x00:q\n[\x00:r 5 \x00]\x00.\n:t \x00a :C .",
		[]string{"a:s a:p a:o", `a:s a:p "x"@en`, "_:0-1 a:r \"5\"^^xsd:integer", "a:s a:q _:0-1", "a:t rdf:type a:C"},
		[]string{"repair syntax/zero-bytes 2:4 0", "repair syntax/zero-bytes 2:8 0", "repair syntax/zero-bytes 2:14 0",
			"repair syntax/zero-bytes 2:23 0", "repair syntax/zero-bytes 3:2 0", "repair syntax/zero-bytes 3:8 0",
			"repair syntax/zero-bytes 3:10 0", "repair syntax/zero-bytes 4:4 0"}},
	{"zeros: a hole within a statement of Turtle", ttl.Turtle, "@prefix : <a:> .\n:s :p :o .\n:t :p " + hole + ":o .\n:u :p :o .\n",
		[]string{"a:s a:p a:o", "a:u a:p a:o"}, []string{"drop syntax/zero-bytes 3:7 1", "drop syntax/unexpected-token 3:607 1"}},
	{"zeros: a hole behind which a statement begins", ttl.Turtle, "@prefix : <a:> .\n:s :p :o .\n:t :p " + hole +
		":u :p :o .\n:v :p :o .\n",
		[]string{"a:s a:p a:o", "a:u a:p a:o", "a:v a:p a:o"}, []string{"drop syntax/zero-bytes 3:7 1"}},
	{"zeros: in and between graphs", ttl.TriG, "@prefix : <a:> .\n" + hole + ":g {" + hole + ":s :p :o .\n" + hole + ":t :p :o }\n" + hole +
		":h { :s :p :o }\n" + hole,
		[]string{"a:s a:p a:o a:g", "a:t a:p a:o a:g", "a:s a:p a:o a:h"},
		[]string{"repair syntax/zero-bytes 2:1 0", "repair syntax/zero-bytes 2:605 0", "repair syntax/zero-bytes 3:1 0",
			"repair syntax/zero-bytes 4:1 0", "repair syntax/zero-bytes 5:1 0"}},
}

// TestZeroBytesBetweenStatementsCostNone puts runs of zero bytes at random between the statements
// of texts in each syntax: each is kept, and each run is reported once.
func TestZeroBytesBetweenStatementsCostNone(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		for syntax := ttl.NTriples; syntax <= ttl.TriG; syntax++ {
			var b strings.Builder
			runs := 0
			zeros := func() {
				if random.IntN(2) == 0 {
					runs++
					b.WriteString(strings.Repeat("\x00", 1+random.IntN(3000)))
				}
			}
			var want []string
			for i := range 1 + random.IntN(8) {
				zeros()
				line := fmt.Sprintf("<http://e.org/s%d> <http://e.org/p> %s", i, []string{"<http://e.org/o>", "\"x\"@en",
					"_:b"}[random.IntN(3)])
				switch {
				case syntax == ttl.TriG:
					b.WriteString("<http://e.org/g> { " + line + " }\n")
					line += " <http://e.org/g>"
				case syntax == ttl.NQuads && random.IntN(2) == 0:
					line += " <http://e.org/g>"
					fallthrough
				default:
					b.WriteString(line + " .\n")
				}
				want = append(want, line+" .")
			}
			zeros()
			opt := ttl.Options{Syntax: syntax, MayHandOver: random.IntN(2) == 0}
			c, _ := read(t, strings.NewReader(b.String()), opt)
			told := 0
			for _, n := range c.Notices {
				if n.Code == fault.SyntaxZeroBytes && n.Severity == fault.Repair {
					told++
				}
			}
			if got := c.Lines(); !slices.Equal(got, want) || told != runs || len(c.Notices) != runs {
				t.Fatalf("%v: %d runs, %+v\n%s\nwant\n%s", syntax, runs, c.Notices, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			checkLaws(t, []byte(b.String()), opt, 1+random.IntN(1000))
			if syntax <= ttl.NQuads {
				opt.Workers = 2
				plain := washed(t, []byte(b.String()), opt, clean.Options{}, false)
				if judged := washed(t, []byte(b.String()), ttl.WithBlock(opt, 1+random.IntN(300)), clean.Options{}, true); judged != plain {
					t.Errorf("judged:\n%s\nread:\n%s", judged, plain)
				}
			}
		}
	}
}

// zeroReader is n zero bytes.
type zeroReader struct{ n int }

func (z *zeroReader) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	n := min(len(p), z.n)
	clear(p[:n])
	z.n -= n
	return n, nil
}

func TestZeroBytesAreNotHeld(t *testing.T) {
	const many = 64 << 20
	for syntax := ttl.NTriples; syntax <= ttl.TriG; syntax++ {
		text := io.MultiReader(strings.NewReader("<a:s> <a:p> <a:o> .\n"), &zeroReader{many}, strings.NewReader("<a:t> <a:p> <a:o> .\n"),
			&zeroReader{many})
		var c rdftest.Collector
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := ttl.Read(context.Background(), text, rdf.Input{}, ttl.WithBlock(ttl.Options{Syntax: syntax, MaxToken: 4096}, 4096),
			&c); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if held := after.TotalAlloc - before.TotalAlloc; held > 1<<20 {
			t.Errorf("%v: %d bytes allocated", syntax, held)
		}
		if len(c.Quads) != 2 || len(c.Notices) != 2 || c.Notices[0].Bytes != many || c.Notices[1].Bytes != many {
			t.Errorf("%v: %s", syntax, dump(&c))
		}
	}
}
