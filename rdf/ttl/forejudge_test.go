package ttl_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/internal/testkit/corpus"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// plainSink hides that a sink takes lines as they are.
type plainSink struct{ rdf.Sink }

// washed is all that comes of a text: clean lines, findings, sums. With judged, lines may
// be judged before they are read, by so many goroutines, in windows of the given size.
func washed(t testing.TB, text []byte, opt ttl.Options, how clean.Options, judged bool) string {
	var lines, notices strings.Builder
	first, tally := clean.Chain(how, clean.EachLine(func(line []byte) error {
		lines.Write(append(line[:len(line):len(line)], '\n'))
		return nil
	}),

		func(n fault.Notice) { fmt.Fprintf(&notices, "%+v\n", n) })

	if !judged {
		first = plainSink{first}
	}
	syntax, err := ttl.Read(context.Background(), bytes.NewReader(text), rdf.Input{Base: testBaseIRI}, opt, first)
	if err != nil {
		t.Fatal(err)
	}
	tally.Close()
	return fmt.Sprintf("%s%s%v %d %d %d %d", lines.String(), notices.String(), syntax, tally.Read, tally.Kept, tally.Repaired,
		tally.Dropped)
}

var judgedSeeds = []string{
	"<http://e.org/s> <http://e.org/p> <http://e.org/o> .\n<http://e.org/s> <http://e.org/p> \"x\"@en .\n<http://e.org/s> <http://e.org/p> \"x\"@EN .\n",
	"<http://e.org/s> <http://e.org/p> \"a \\\"b\\\" \\n \\t\" .\n<http://e.org/s> <http://e.org/p> \"a\\u0041\" .\r\n<http://e.org/s> <http://e.org/p> \"a\tb\x7f\" .\n",
	"<http://e.org/s> <http://e.org/p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n<http://e.org/s> <http://e.org/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n<http://e.org/s> <http://e.org/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#string> .\n",
	"<http://e.org/s> <http://e.org/p> <http://e.org/o> <http://e.org/g> .\n<http://e.org/s> <http://e.org/p> <http://e.org/o> .\n<http://e.org/s> <http://e.org/p> <http://e.org/o> ;\n <http://e.org/p> 1 .\n",
	"<http://e.org/s>  <http://e.org/p> <http://e.org/o> .\n<http://e.org/s> <http://e.org/p> <http://e.org/o>.\n<http://e.org/s> <http://e.org/p> <http://e.org/o> . # x\n<http://e.org/s b> <http://e.org/p> <o> .\n",
	"<http://e.org/s> <http://e.org/p> \"open\n<http://e.org/s> <http://e.org/p> <http://e.org/o> .\r<http://e.org/s> <http://e.org/p> <http://e.org/o> .\n_:b <http://e.org/p> _:b .\n",
	"<http://e.org/s> <http://e.org/p> \"é\uffff\ufffd MÃ¼nchen\" .\n<http://e.org/s> <http://e.org/p> \"\xff\"@zh-Hans .\n<http://e.org/s> <http://e.org/p> \"x\"@zz-zz .\n<urn:x:y> <http://e.org/p> \"x\"@ar--rtl .\n",
	"<http://e.org/s> <http://e.org/p> \"one\ntwo\n<http://e.org/s> <http://e.org/p> <http://e.org/o> .\nthree\"@en .\n<http://e.org/s> <http://e.org/p> \"x\" .\n",
	"<http://e.org/s>\t<http://e.org/p>\t\"caf\\u00E9\"@EN\t.\n<http://e.org/é\\u00E9>\t<http://e.org/p>\t_:b\t. # é\n#\n<http://e.org/é> <http://e.org/é> \"+01\"^^<http://www.w3.org/2001/XMLSchema#integer> . \n",
	"<http://e.org/é a> <http://e.org/p> \"é\"@pt-BR .\r\n_:é <http://e.org/p> _:a.b .\r\n_:-a<http://e.org/p>\"1.50\"^^<http://www.w3.org/2001/XMLSchema#decimal>.\r\n<http://e.org/s> <http://e.org/p> \"x \"@EN-uk .\n",
	"# first\n\n<http://e.org/s> <http://e.org/p> <http://e.org/o> .\n  <http://e.org/s> <http://e.org/p> <http://e.org/o> .",
}

// Lines that are judged before they are read give the same lines, findings and sums as
// those that are read. The number of goroutines and the cuts of the window do not matter.
func FuzzForejudgedLinesAreAsRead(f *testing.F) {
	for _, seed := range append(judgedSeeds, fuzzSeeds...) {
		for _, options := range []byte{0, 1, 4, 5, 13, 16, 32, 64} {
			f.Add([]byte(seed), options, byte(30))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, options, block byte) {
		if len(text) > 4096 {
			return
		}
		opt := ttl.Options{Syntax: ttl.Syntax(options & 1), MayHandOver: options&4 != 0}
		if options&8 != 0 {
			opt.MaxToken = 60
		}
		how := clean.Options{KeepLiterals: options&16 != 0, Output: clean.Output{NoGraphs: options&32 != 0}, Strict: options&64 != 0,
			KeepBlankNodes: options&128 != 0}
		want := washed(t, text, opt, how, false)
		for _, workers := range []int{1, 3} {
			opt.Workers = workers
			for _, cut := range []ttl.Options{opt, ttl.WithBlock(opt, int(block)+1)} {
				if got := washed(t, text, cut, how, true); got != want {
					t.Errorf("%v, judged:\n%s\nread:\n%s\ntext: %q", cut, got, want, text)
				}
			}
		}
	})
}

// TestForejudgedLinesAreAsReadInLongTexts goes over many windows of both clean and other lines.
func TestForejudgedLinesAreAsReadInLongTexts(t *testing.T) {
	var text bytes.Buffer
	for i := 0; text.Len() < 3<<20; i++ {
		for j := 0; j < 1+i%97; j++ {
			fmt.Fprintf(&text, "<http://e.org/s%d> <http://e.org/p%d> \"text %d\"@en .\n", i, j%7, j)
		}
		text.WriteString(judgedSeeds[i%len(judgedSeeds)])
		if i%11 == 0 {
			text.WriteString(strings.Repeat("_:b <http://e.org/p> \"01\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", 20*i))
		}
	}
	for _, handsOver := range []bool{false, true} {
		opt := ttl.Options{Syntax: ttl.NQuads, MayHandOver: handsOver}
		want := washed(t, text.Bytes(), opt, clean.Options{}, false)
		for _, workers := range []int{1, 2, 5} {
			opt.Workers = workers
			if got := washed(t, text.Bytes(), opt, clean.Options{}, true); got != want {
				t.Errorf("%d workers: not the same", workers)
			}
		}
	}
}

// TestForejudgedFilesAreAsRead reads the shapes of the benchmarks, and the files of lines that we did not make.
func TestForejudgedFilesAreAsRead(t *testing.T) {
	same := func(name string, text []byte) {
		t.Helper()
		for _, how := range []clean.Options{{}, {KeepBlankNodes: true, KeepLiterals: true}} {
			opt := ttl.Options{Syntax: ttl.NQuads, Workers: 1}
			want := washed(t, text, opt, how, false)
			for _, opt.Workers = range []int{1, 3} {
				if washed(t, text, opt, how, true) != want {
					t.Errorf("%s, %d goroutines: not the same", name, opt.Workers)
				}
			}
		}
	}
	for _, shape := range corpus.Shapes() {
		var text bytes.Buffer
		if err := shape.Write(&text, 1000); err != nil {
			t.Fatal(err)
		}
		same(shape.Name, text.Bytes())
	}
	files := 0
	for _, folder := range []string{"real", "cases", "conformance/w3c-rdf-tests/rdf11", "conformance/w3c-rdf-tests/rdf12"} {
		err := filepath.WalkDir(rdftest.Shared(t, filepath.FromSlash(folder)), func(path string, entry fs.DirEntry, err error) error {
			if extension := filepath.Ext(path); err != nil || extension != ".nt" && extension != ".nq" {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil && len(text) < 256<<10 {
				files++
				same(path, text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files", files)
}
