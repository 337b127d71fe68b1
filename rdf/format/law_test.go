package format_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// The laws that bind every reader, each with the chain of package clean after it:
//
//   - split anywhere is read as whole: the same lines, the same findings in the same
//     places. In JSON-LD an excerpt may be shorter, since it shows what was at hand;
//   - the sums add up: read = kept + repaired + dropped, one line for each statement
//     kept or repaired, one loss reported for each dropped;
//   - strict keeps what lenient keeps unrepaired, except for literals that RDF does not
//     know, and nothing else; it repairs nothing, and reads as many statements;
//   - where the reader says that it made nothing with the base, another base gives the same;
//   - what comes out washes to itself, in the format that the clean text is taken for. It
//     has no finding but the warnings about terms that the first wash gave;
//   - every finding has a code that is explained and lies at its place in the text;
//   - it ends, and takes no more memory than a multiple of the document.
//
// A format has a target, since mutations that serve one are lost on another.

func FuzzLawsOfNTriples(f *testing.F) { fuzzLaws(f, format.NTriples) }
func FuzzLawsOfNQuads(f *testing.F)   { fuzzLaws(f, format.NQuads) }
func FuzzLawsOfTurtle(f *testing.F)   { fuzzLaws(f, format.Turtle) }
func FuzzLawsOfTriG(f *testing.F)     { fuzzLaws(f, format.TriG) }
func FuzzLawsOfN3(f *testing.F)       { fuzzLaws(f, format.N3) }
func FuzzLawsOfRDFXML(f *testing.F)   { fuzzLaws(f, format.RDFXML) }
func FuzzLawsOfTriX(f *testing.F)     { fuzzLaws(f, format.TriX) }
func FuzzLawsOfRDFJSON(f *testing.F)  { fuzzLaws(f, format.RDFJSON) }
func FuzzLawsOfJSONLD(f *testing.F)   { fuzzLaws(f, format.JSONLD) }
func FuzzLawsOfRDFa(f *testing.F)     { fuzzLaws(f, format.RDFa) }
func FuzzLawsOfHTML(f *testing.F)     { fuzzLaws(f, format.HTML) }

// lawSources say where the first documents of a format come from. They are extensions of the
// demonstration's files and of the conformance suites, and files of testdata/laws, which hold several
// documents each.
var lawSources = map[format.Format]struct{ files, extensions []string }{
	format.NTriples: {[]string{"nt"}, []string{"nt"}},
	format.NQuads:   {[]string{"nt"}, []string{"nt", "nq"}},
	format.Turtle:   {[]string{"nt", "ttl"}, []string{"ttl"}},
	format.TriG:     {[]string{"nt", "ttl"}, []string{"ttl", "trig"}},
	format.N3:       {[]string{"n3", "ttl"}, nil},
	format.RDFXML:   {[]string{"rdf"}, []string{"rdf"}},
	format.TriX:     {[]string{"trix"}, nil},
	format.RDFJSON:  {[]string{"rdfjson"}, nil},
	format.JSONLD:   {[]string{"jsonld"}, []string{"jsonld"}},
	format.RDFa:     {[]string{"html"}, []string{"html", "xhtml", "svg"}},
	format.HTML:     {[]string{"html", "page"}, []string{"html", "xhtml"}},
}

// longestInput bounds what an execution works on: the laws are about the smallest
// documents that break them.
const longestInput = 2 << 10

// modes is how many combinations of options there are; see holdLaws.
const modes = 32

// fuzzLaws holds mutations of a format's documents to the laws. The bits of mode
// choose options; cut says where the document is split.
func fuzzLaws(f *testing.F, of format.Format) {
	for i, text := range lawSeeds(f, of) {
		f.Add(text, uint8(i), uint32(i))
	}
	f.Fuzz(func(t *testing.T, text []byte, mode uint8, cut uint32) {
		if len(text) <= longestInput {
			holdLaws(t, of, text, mode, cut)
		}
	})
}

// TestLawsHoldForTheSeeds holds the documents to the laws in every mode.
func TestLawsHoldForTheSeeds(t *testing.T) {
	for of := range lawSources {
		for i, text := range lawSeeds(t, of) {
			for mode := range uint8(modes) {
				holdLaws(t, of, text, mode, uint32(i))
			}
		}
	}
}

// lawSeeds are the documents of a format that are at hand. They are those of testdata, of the table of
// repairs, of the demonstration, and of the conformance suites.
func lawSeeds(t testing.TB, of format.Format) (texts [][]byte) {
	t.Helper()
	from := lawSources[of]
	for _, name := range from.files {
		joined, err := os.ReadFile("testdata/laws/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, bytes.Split(joined, []byte("\n=====\n"))...)
	}
	for _, mended := range fault.Repairs() {
		for _, e := range mended.Examples {
			if e.Format == string(of) {
				texts = append(texts, []byte(e.Before))
			}
		}
	}
	for _, extension := range from.extensions {
		patterns := []string{"../../internal/demo/files/*." + extension}
		if shared := os.Getenv("LAUNDROMAT_SHARED"); shared != "" {
			patterns = append(patterns, filepath.Join(shared, "conformance/w3c-rdf-tests/rdf1?/*/*."+extension),
				filepath.Join(shared, "conformance/w3c-rdf-tests/rdf1?/rdf-xml/*/*."+extension),
				filepath.Join(shared, "conformance/json-ld-api/tests/toRdf/*."+extension),
				filepath.Join(shared, "conformance/rdfa/test-suite/test-cases/*/*/*."+extension))
		}
		for _, pattern := range patterns {
			names, err := filepath.Glob(pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range names {
				if text, err := os.ReadFile(name); err == nil && len(text) <= longestInput {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

// lawful is what came of one wash.
type lawful struct {
	lines    []string
	notices  []fault.Notice
	tally    clean.Tally
	proved   format.Format
	baseUsed bool
}

const lawKey = "0123456789abcdef0123456789abcdef"

func (w *lawful) forgetExcerpts() {
	for i := range w.notices {
		w.notices[i].Excerpt = ""
	}
}

func (w *lawful) found() string {
	var b strings.Builder
	for _, n := range w.notices {
		fmt.Fprintf(&b, "%+v\n", n)
	}
	return b.String()
}

func holdLaws(t *testing.T, of format.Format, text []byte, mode uint8, cut uint32) {
	t.Helper()
	bad := func(message string, args ...any) {
		t.Helper()
		t.Fatalf("%s, mode %d, cut %d, %q: %s", of, mode, cut, text, fmt.Sprintf(message, args...))
	}
	l := laws{of: of, text: text, bad: bad,
		how: clean.Options{KeepBlankNodes: mode&1 != 0, KeepLiterals: mode&2 != 0,
			HasAnonymous: of != format.NTriples && of != format.NQuads || mode&4 != 0},
		options: format.Options{Input: rdf.Input{Base: "http://base.example/dir/file", BaseIsFile: mode&16 != 0}, Guessed: mode&4 != 0}}
	if mode&8 != 0 {
		l.options.MaxToken = 200
	}

	before := allocated()
	whole := l.read(l.how, of, l.options, bytes.NewReader(text))
	// The readers' buffers and a page's tree are the first two terms. No reading of these sizes comes near
	// the bound unless something grows without measure.
	if took, most := allocated()-before, uint64(16<<20+len(text)*(32<<10)); took > most {
		bad("took %d bytes of memory", took)
	}
	account(whole, bad)
	places(text, whole.notices, bad)
	l.holdBase(whole, [...]string{"urn:another", "https://elsewhere.example/a/b/c.ttl?d#e"}[cut&1])
	l.holdSplit(whole, cut)
	l.holdStrict(whole)
	l.holdSecondWash(whole)
}

// laws are those of one document, read in one way.
type laws struct {
	of      format.Format
	text    []byte
	how     clean.Options
	options format.Options
	bad     func(message string, args ...any)
}

func (l *laws) read(how clean.Options, of format.Format, options format.Options, from io.Reader) lawful {
	w, err := washLawfully(how, of, options, from)
	if err != nil {
		l.bad("%v", err)
	}
	return w
}

// holdBase: another base changes nothing where none is used.
func (l *laws) holdBase(whole lawful, base string) {
	if whole.baseUsed {
		return
	}
	elsewhere := l.options
	elsewhere.Base = base
	other := l.read(l.how, l.of, elsewhere, bytes.NewReader(l.text))
	if other.baseUsed || !slices.Equal(other.lines, whole.lines) || other.found() != whole.found() || other.proved != whole.proved {
		l.bad("the base is not used, and yet another gives\n%q\n%s, not\n%q\n%s", other.lines, other.found(), whole.lines, whole.found())
	}
}

// holdSplit: a document in many pieces is read as one in one piece.
func (l *laws) holdSplit(whole lawful, cut uint32) {
	split := l.read(l.how, l.of, l.options, &cutting{text: l.text, state: cut})
	if l.of == format.JSONLD {
		whole.notices = slices.Clone(whole.notices)
		whole.forgetExcerpts()
		split.forgetExcerpts()
	}
	if !slices.Equal(split.lines, whole.lines) || split.found() != whole.found() || split.tally != whole.tally ||
		split.proved != whole.proved {
		l.bad("in one piece\n%q %+v\n%sin many\n%q %+v\n%s", whole.lines, whole.tally, whole.found(), split.lines, split.tally,
			split.found())
	}
}

// holdStrict: what is strict repairs nothing, and has no other lines.
func (l *laws) holdStrict(whole lawful) {
	strict := l.how
	strict.Strict = true
	s := l.read(strict, l.of, l.options, bytes.NewReader(l.text))
	account(s, l.bad)
	if !isPart(s.lines, whole.lines) || s.tally.Repaired != 0 || s.tally.Kept > whole.tally.Kept ||
		s.tally.Kept < whole.tally.Kept && !dropsWarned(s.notices) || s.tally.Read != whole.tally.Read {
		l.bad("strict\n%q %+v\n%selse\n%q %+v\n%s", s.lines, s.tally, s.found(), whole.lines, whole.tally, whole.found())
	}
	for _, n := range s.notices {
		if n.Severity == fault.Repair {
			l.bad("strict repairs: %+v", n)
		}
	}
}

// holdSecondWash: what comes out is clean, and is washed to the same lines.
func (l *laws) holdSecondWash(whole lawful) {
	all := []byte(strings.Join(append(whole.lines, ""), "\n"))
	guess := format.Guess(all, true, "", "clean.nq")
	if guess.Format != format.NQuads && guess.Format != format.NTriples {
		l.bad("what comes out is taken for %s: %q", guess.Format, all)
	}
	how := l.how
	how.HasAnonymous = false
	again := l.read(how, guess.Format, format.Options{Guessed: true}, bytes.NewReader(all))
	if !slices.Equal(again.lines, whole.lines) || again.proved != guess.Format {
		l.bad("washed once\n%q\ntwice (%s)\n%q\n%s", whole.lines, again.proved, again.lines, again.found())
	}
	warned := map[fault.Code]bool{}
	for _, n := range whole.notices {
		warned[n.Code] = warned[n.Code] || n.Severity == fault.Warning
	}
	for _, n := range again.notices {
		if n.Code == fault.FormatEmpty && len(whole.lines) == 0 {
			continue
		}
		if n.Severity != fault.Warning || !warned[n.Code] {
			l.bad("the second wash finds %+v in %q", n, all)
		}
	}
}

// washLawfully reads a document to its end and washes it. It ends the program if the
// reader does not end, which no other law would find.
func washLawfully(how clean.Options, of format.Format, options format.Options, from io.Reader) (w lawful, err error) {
	endless := time.AfterFunc(time.Minute, func() { panic(fmt.Sprintf("a reading of %s does not end", of)) })
	defer endless.Stop()
	first, tally := clean.Chain(how, clean.EachLine(
		func(line []byte) error {
			w.lines = append(w.lines, string(clean.AppendWithKey(nil, line, lawKey)))
			return nil
		}),

		func(n fault.Notice) { w.notices = append(w.notices, n) })

	reading, err := format.Parse(context.Background(), of, from, options, first)
	w.proved, w.baseUsed = reading.Format, reading.BaseUsed
	tally.Close()
	w.tally = *tally
	return w, err
}

// account holds the sums to each other, to the lines and to the findings.
func account(w lawful, bad func(string, ...any)) {
	s, lost, repairs := w.tally, int64(0), 0
	for _, n := range w.notices {
		lost += int64(n.Lost)
		info, explained := fault.Explain(n.Code)
		switch {
		case n.Lost < 0 || n.Lost > 0 && n.Severity != fault.Drop:
			bad("a loss that is none: %+v", n)
		case !explained || info.Title == "":
			bad("%s is not explained", n.Code)
		case n.Severity < fault.Note || n.Severity > fault.Drop || n.Message == "" || len(n.Excerpt) > fault.MaxExcerpt:
			bad("no finding: %+v", n)
		case n.Severity == fault.Repair:
			repairs++
			if _, listed := fault.RepairOf(n.Code); !listed {
				bad("%s is a repair that stands in no table: %+v", n.Code, n)
			}
		}
	}
	if s.Read != s.Kept+s.Repaired+s.Dropped || int64(len(w.lines)) != s.Kept+s.Repaired || lost != s.Dropped || s.Repaired > 0 &&
		repairs == 0 {
		bad("%+v, %d lines, %d lost, %d repairs told\n%s", s, len(w.lines), lost, repairs, w.found())
	}
}

// places holds lines and columns to offsets, which are counted the plainest way.
func places(text []byte, notices []fault.Notice, bad func(string, ...any)) {
	for _, n := range notices {
		if n.Pos == (fault.Pos{}) { // the document as a whole
			continue
		}
		if n.Offset < 0 || n.Offset > int64(len(text)) || n.Bytes < 0 || n.Bytes > int64(len(text)) {
			bad("%+v lies outside of the text", n)
		}
		at := fault.Pos{Line: 1, Column: 1, Offset: n.Offset}
		for i, b := range text[:n.Offset] {
			switch {
			case b == '\n' && i > 0 && text[i-1] == '\r':
			case b == '\n', b == '\r':
				at.Line++
				at.Column = 1
			case b&0xC0 != 0x80:
				at.Column++
			}
		}
		if !utf8.Valid(text) {
			at.Column = n.Column // what characters stray bytes are is not reported
		}
		if at != n.Pos {
			bad("%+v: its offset is at %d:%d", n, at.Line, at.Column)
		}
	}
}

// dropsWarned says that strict dropped a literal that is kept else, with a warning.
func dropsWarned(notices []fault.Notice) bool {
	return slices.ContainsFunc(notices, func(n fault.Notice) bool {
		return n.Severity == fault.Drop && (n.Code == fault.LiteralNoLanguage || n.Code == fault.LanguageIllFormed)
	})
}

// isPart says that the lines of part are in whole, in their order.
func isPart(part, whole []string) bool {
	for _, line := range whole {
		if len(part) > 0 && part[0] == line {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// cutting gives a text in pieces of changing size, the first ones as state says.
type cutting struct {
	text  []byte
	state uint32
	ended bool
}

func (c *cutting) Read(p []byte) (int, error) {
	if c.ended {
		return 0, errors.New("read on behind the end")
	}
	c.state = c.state*1664525 + 1013904223
	n := copy(p, c.text[:min(1+int(c.state>>28), len(c.text))])
	c.text = c.text[n:]
	if len(c.text) == 0 && c.state&1 != 0 || n == 0 {
		c.ended = true
		return n, io.EOF
	}
	return n, nil
}

// allocated is how many bytes the program has allocated so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return math.MaxUint64
	}
	return sample[0].Value.Uint64()
}
