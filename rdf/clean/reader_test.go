package clean_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// washText reads a text and washes what is in it; the KEY is filled in.
func washText(t testing.TB, syntax ttl.Syntax, options clean.Options, text string) washed {
	t.Helper()
	var w washed
	first, tally := clean.Chain(options, clean.EachLine(
		func(line []byte) error {
			w.lines = append(w.lines, string(clean.AppendWithKey(nil, line, key)))
			return nil
		}),

		func(n fault.Notice) { w.notices = append(w.notices, n) })

	in := rdf.Input{Base: "http://base.example/"}
	if _, err := ttl.Read(context.Background(), strings.NewReader(text), in, ttl.Options{Syntax: syntax}, first); err != nil {
		t.Fatal(err)
	}
	tally.Close()
	w.tally = *tally
	return w
}

func TestCanonicalLinesAreThoseOfTheW3C(t *testing.T) {
	for folder, syntax := range map[string]ttl.Syntax{"rdf-n-triples": ttl.NTriples, "rdf-n-quads": ttl.NQuads} {
		dir := rdftest.Shared(t, "conformance", "w3c-rdf-tests", "rdf12", folder, "c14n")
		manifest, err := os.ReadFile(filepath.Join(dir, "manifest.ttl"))
		if err != nil {
			t.Fatal(err)
		}
		action := regexp.MustCompile(`(?m)^\s*mf:action\s+<(.+?)>\s*;\s*mf:result\s+<(.+?)>`)
		ran := 0
		for _, m := range action.FindAllStringSubmatch(string(manifest), -1) {
			in, err := os.ReadFile(filepath.Join(dir, m[1]))
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(filepath.Join(dir, m[2]))
			if err != nil {
				t.Fatal(err)
			}
			ran++
			w := washText(t, syntax, clean.Options{KeepBlankNodes: true, KeepLiterals: true}, string(in))
			got := strings.Join(w.lines, "\n") + "\n"
			if got != string(want) {
				t.Errorf("%s: got %s, want %s (%s)", m[1], got, want, w.found())
			}
		}
		if ran < 41 {
			t.Errorf("%s: only %d cases ran", folder, ran)
		}
	}
}

// Washing what was washed gives the same bytes, and no notice but the warnings of
// the first wash. Every statement is accounted for.
func FuzzWashingTwiceIsWashingOnce(f *testing.F) {
	for _, c := range examples {
		f.Add(string(rdf.AppendQuad(nil, ref(of(c.object)))), uint8(0))
	}
	for _, text := range []string{
		"_:a <http://e/p> _:b .\n_:-x <p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> <g a> .",
		"<http://e/s> <http://e/p> \"x\"@EN_us .\n<x> <y> \"1e3\"^^<http://www.w3.org/2001/XMLSchema#double>",
		"@prefix e: <http://e/> . e:s e:p [ e:q \"caf\xE9\" ], (1 02 1.50 1e0 true) ; a e:b .",
		"<http://e/\\u0001> <http://e/p> \"\\u0001\" .\n<http://e/[x]> <http://e/%zz> <http://e/#a#b> .",
		"_:0-1 <http://e/p> [] , _:00-2 .",
		"_:r <http://e/p> <<( _:s <p> <<( <http://e/a b> <http://e/\\u0001> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> )>> )>> _:g .",
		"<s> <p> \"caf\xE9\"@EN--RTL ~ [] {| <q> <<( _:b <p> [] )>> |} , << <a b> <c> \"x\"@EN >> .",
	} {
		for mode := range uint8(16) {
			f.Add(text, mode)
		}
	}
	f.Fuzz(func(t *testing.T, text string, mode uint8) {
		options := clean.Options{KeepBlankNodes: mode&1 != 0, KeepLiterals: mode&2 != 0, Strict: mode&4 != 0, HasAnonymous: mode&8 != 0}
		syntax := ttl.NQuads
		if options.HasAnonymous {
			syntax = ttl.TriG
		}
		once := washText(t, syntax, options, text)
		accounted(t, text, once)
		if options.Strict && once.tally.Repaired > 0 {
			t.Fatalf("%q: strict keeps %d repaired statements", text, once.tally.Repaired)
		}
		options.HasAnonymous = false
		all := strings.Join(once.lines, "\n")
		again := washText(t, ttl.NQuads, options, all)
		accounted(t, all, again)
		if !slices.Equal(once.lines, again.lines) {
			t.Fatalf("%q: %q, then %q (%s)", text, once.lines, again.lines, again.found())
		}
		var before []fault.Code
		for _, n := range once.notices {
			if n.Severity == fault.Warning {
				before = append(before, n.Code)
			}
		}
		for _, n := range again.notices {
			if n.Severity != fault.Warning || !slices.Contains(before, n.Code) {
				t.Fatalf("%q: the second wash finds %+v in %q", text, n, all)
			}
		}
	})
}

func ref(q rdf.Quad) *rdf.Quad { return &q }

func accounted(t *testing.T, text string, w washed) {
	t.Helper()
	s, lost := w.tally, 0
	for _, n := range w.notices {
		lost += n.Lost
		if n.Lost > 0 && n.Severity != fault.Drop {
			t.Fatalf("%q: %+v loses a statement", text, n)
		}
		if info, ok := fault.Explain(n.Code); !ok || info.Title == "" {
			t.Fatalf("%q: %s is not explained", text, n.Code)
		}
	}
	if s.Read != s.Kept+s.Repaired+s.Dropped || int64(len(w.lines)) != s.Kept+s.Repaired || int64(lost) != s.Dropped {
		t.Fatalf("%q: %+v, %d lines, %d lost", text, s, len(w.lines), lost)
	}
}

func TestAWholeDocumentIsWashed(t *testing.T) {
	w := washText(t, ttl.Turtle, clean.Options{HasAnonymous: true}, strings.ReplaceAll(`
@prefix e: <http://e.example/> .
e:a e:p "1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>, "chat"@FR ; e:q [ e:r _:x ] .
`, "\t", ""))
	const at = "<https://lodlaundromat.org/.well-known/genid/" + key + "/"
	want := []string{
		`<http://e.example/a> <http://e.example/p> "1.5"^^<http://www.w3.org/2001/XMLSchema#decimal> .`,
		`<http://e.example/a> <http://e.example/p> "chat"@fr .`,
		`<http://e.example/a> <http://e.example/q> ` + at + `-1> .`,
		at + `-1> <http://e.example/r> ` + at + `x> .`,
	}
	slices.Sort(w.lines)
	slices.Sort(want)
	if !slices.Equal(w.lines, want) || w.found() != "note literal/non-canonical, note language/case" {
		t.Errorf("got %q, %s", w.lines, w.found())
	}
	if w.notices[0].Line != 3 || w.notices[0].Column != 9 {
		t.Errorf("placed at %+v", w.notices[0].Pos)
	}
}
