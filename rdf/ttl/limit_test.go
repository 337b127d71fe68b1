package ttl_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

func TestLimits(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, test := range []struct {
		name, in string
		syntax   ttl.Syntax
		quads    int
		code     fault.Code
	}{
		{"line", "<a:s> <a:p> <a:o> .\n<a:s> <a:p> \"" + long + "\" .\n<a:s> <a:p> <a:q> .\n", ttl.NTriples, 2, fault.LimitToken},
		{"comment", "# " + long + "\n<a:s> <a:p> <a:q> .\n", ttl.NTriples, 1, ""},
		{"string", "<a:s> <a:p> \"" + long + "\" .\n<a:s> <a:p> <a:q> .\n<a:s> <a:p> <a:r> .\n", ttl.Turtle, 2, fault.LimitToken},
		{"long string", "<a:s> <a:p> \"\"\"x.\n" + long + "\n" + long + "\"\"\" .\n<a:s> <a:p> <a:q> .\n<a:s> <a:p> <a:r> .\n", ttl.Turtle,
			2, fault.LimitToken},
	} {
		c, _ := read(t, strings.NewReader(test.in), ttl.Options{Syntax: test.syntax, MaxToken: 64})
		if len(c.Quads) != test.quads || test.code != "" && (len(c.Notices) == 0 || c.Notices[0].Code != test.code) || test.code == "" &&
			len(c.Notices) > 0 {
			t.Errorf("%s: %s", test.name, dump(c))
		}
	}
	for _, open := range []string{"[ <a:p> ", "( "} {
		in := "<a:s> <a:p> " + strings.Repeat(open, 5000) + ".\n<a:s> <a:p> <a:o> .\n"
		c, _ := read(t, strings.NewReader(in), ttl.Options{Syntax: ttl.Turtle})
		if !slices.ContainsFunc(c.Notices, func(n fault.Notice) bool { return n.Code == fault.LimitNesting }) ||
			!slices.Contains(c.Lines(), "<a:s> <a:p> <a:o> .") {
			t.Errorf("%s: %d quads, %+v", open, len(c.Quads), c.Notices[:min(3, len(c.Notices))])
		}
	}
}

// A term longer than all that may be looked ahead, so early in the text, costs the rest of its
// line and nothing after it.
func TestTermTooLongCostsItsLineAlone(t *testing.T) {
	long := strings.Repeat("x", 700_000)
	for _, test := range []struct{ name, before, behind string }{
		{"string", "<a:s> <a:p> \"", "\" .\n"},
		{"string in a graph", "<a:g> { <a:s> <a:p> \"", "\" .\n"},
		{"IRI", "<a:s> <a:p> <a:", "> .\n"},
		{"name", "<a:s> <a:p> a:", " .\n"},
		{"number", "<a:s> <a:p> 1", " .\n"},
		{"language tag", "<a:s> <a:p> \"x\"@en-", " .\n"},
		{"string before another predicate", "<a:s> <a:p> \"", "\" ;\n  <a:q> <a:r> .\n"},
	} {
		text := long
		if test.name == "number" {
			text = strings.Repeat("1", len(long))
		}
		in := "<a:r> <a:p> <a:o> .\n" + test.before + text + test.behind + "<a:t> <a:p> <a:o> .\n<a:u> <a:p> <a:o> .\n"
		if strings.Contains(test.before, "{") {
			in += "}\n"
		}
		c, _ := read(t, strings.NewReader(in), ttl.Options{Syntax: ttl.TriG, MaxToken: 600_000})
		lines := c.Lines()
		for _, s := range []string{"<a:r>", "<a:t>", "<a:u>"} {
			isOpen(t, "long "+test.name+", "+s, !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, s) }))
		}
		if len(c.Notices) == 0 || c.Notices[0].Code != fault.LimitToken || c.Notices[0].Pos.Line != 2 {
			t.Errorf("%s: %+v", test.name, c.Notices)
		}
	}
}

var comments = strings.Repeat("#"+strings.Repeat("-", 62)+"\n", 64)

// gap is a text of n comment lines between two pieces, which is never whole in memory.
type gap struct {
	before, after string
	n             int
}

func (g *gap) Read(p []byte) (int, error) {
	if g.before != "" {
		n := copy(p, g.before)
		g.before = g.before[n:]
		return n, nil
	}
	if g.n > 0 {
		n := copy(p, comments[:64*min(g.n, 64)])
		g.n -= n / 64
		if n%64 != 0 {
			g.before, g.n = strings.Repeat("-", 63-n%64)+"\n", g.n-1
		}
		return n, nil
	}
	if g.after == "" {
		return 0, io.EOF
	}
	g.before, g.after = g.after, ""
	return g.Read(p)
}

// TestCommentsAreNotHeld looks ahead over a comment that is longer than may be held.
func TestCommentsAreNotHeld(t *testing.T) {
	for _, before := range []string{"<a:s> <a:p> <a:o> .\n", "<a:s> <a:p> = .\n<a:s> <a:p> <a:o>\n<a:s>\n"} {
		text := &gap{before: before, after: "\n<a:t> <a:p> <a:o> .\n<a:u> <a:p> <a:o> .\n", n: 100000}
		var c rdftest.Collector
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := ttl.Read(context.Background(), text, rdf.Input{}, ttl.WithBlock(ttl.Options{Syntax: ttl.Turtle, MaxToken: 4096}, 4096),
			&c); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if held := after.TotalAlloc - before.TotalAlloc; held > 2<<20 {
			t.Errorf("%d bytes allocated", held)
		}
		if !slices.Contains(c.Lines(), "<a:u> <a:p> <a:o> .") {
			t.Errorf("%s", dump(&c))
		}
	}
}

type fullDisk struct{ rdftest.Collector }

func (*fullDisk) Quad(*rdf.Quad) error { return syscall.ENOSPC }

func TestFullDiskIsNotTheDocumentsFault(t *testing.T) {
	for syntax := ttl.NTriples; syntax <= ttl.TriG; syntax++ {
		for _, in := range []string{"<a:s> <a:p> <a:o> .\n", "<s> <a:p> <a:o>\n"} {
			_, err := ttl.Read(context.Background(), strings.NewReader(in), rdf.Input{Base: testBaseIRI}, ttl.Options{Syntax: syntax},
				&fullDisk{})
			var sink *rdf.SinkError
			if !errors.As(err, &sink) || rdf.Blame(err) != fault.Local {
				t.Errorf("%v: %v", syntax, err)
			}
		}
	}
}

func TestBrokenSourceEndsTheReading(t *testing.T) {
	cause := fault.New("test", fault.Remote, "transport/reset", "connection reset")
	for syntax := ttl.NTriples; syntax <= ttl.TriG; syntax++ {
		var c rdftest.Collector
		text := io.MultiReader(strings.NewReader("<a:s> <a:p> <a:o> .\n<a:s> <a:p> \"x"), iotest.ErrReader(cause))
		_, err := ttl.Read(context.Background(), text, rdf.Input{}, ttl.Options{Syntax: syntax}, &c)
		if fault.KindOf(err) != fault.Remote || len(c.Notices) > 0 || len(c.Quads) != 1 {
			t.Errorf("%v: %v\n%s", syntax, err, dump(&c))
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := ttl.Read(ctx, strings.NewReader("<a:s> <a:p> <a:o> .\n"), rdf.Input{}, ttl.Options{Syntax: syntax},
			&c); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: %v", syntax, err)
		}
	}
}

func TestPlainLinesCostNoAllocation(t *testing.T) {
	text := sample(ttl.NQuads)
	few := testing.AllocsPerRun(3, func() {
		var d discard
		if _, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, &d); err != nil ||
			d.quads < 1000 {
			t.Fatal(err, d)
		}
	})
	if few > 40 {
		t.Errorf("%v allocations for a megabyte of lines", few)
	}
}
