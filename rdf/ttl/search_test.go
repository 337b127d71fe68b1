package ttl_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
	"laundromat/rdf/ttl/grammar"
	"laundromat/rdf/ttl/lex"
)

// FuzzSearchLaws holds the reader of Turtle and TriG against the laws of reading, and against those of its own.
func FuzzSearchLaws(f *testing.F) {
	for _, seed := range fuzzSeeds {
		for options := range byte(8) {
			f.Add([]byte(seed), options, byte(7))
		}
	}
	f.Add([]byte("<p:<p>\"\"S< "), byte(0), byte(0))
	f.Add([]byte("<00>'00000000000000000000000000'0000 A000'00000000000000000000000000000000000000"), byte(5), byte(79))
	for _, s := range strangers {
		f.Add([]byte("@prefix ex: <http://example.org/> .\n"+strings.Join(s.broken, "\n")), byte(0), byte(9))
	}
	f.Fuzz(func(t *testing.T, text []byte, options, block byte) {
		if len(text) > 2048 {
			return
		}
		opt := ttl.Options{Syntax: ttl.Turtle + ttl.Syntax(options&1), MayHandOver: options&2 != 0}
		if options&4 != 0 {
			opt.MaxToken = 24
		}
		checkLaws(t, text, opt, int(block)+1, 1, max(len(text), 1))
		c, _ := read(t, bytes.NewReader(text), opt)
		checkTold(t, text, c)
		if opt.MaxToken == 0 {
			checkStrict(t, text, c, opt.Syntax == ttl.TriG || opt.MayHandOver)
		}
	})
}

// checkTold: nothing that is dropped points to a notice that does not exist. What is told of above comes before, what
// is told of there, within the statement, may come behind.
func checkTold(t *testing.T, text []byte, c *rdftest.Collector) {
	t.Helper()
	points := regexp.MustCompile("told of (above|there)")
	for i, n := range c.Notices {
		var all []fault.Notice
		switch points.FindString(n.Message) {
		case "":
			continue
		case "told of above":
			all = c.Notices[:i]
		default:
			all = c.Notices
		}
		if !slices.ContainsFunc(all, func(o fault.Notice) bool {
			return o.Severity >= fault.Repair && o.Code == n.Code && !points.MatchString(o.Message)
		}) {
			t.Errorf("%v: it was not told of\n%stext: %q", n, dump(c), text)
		}
	}
}

// checkStrict: a text has a repair or a drop of its syntax if and only if the strict grammar refuses it.
func checkStrict(t *testing.T, text []byte, c *rdftest.Collector, trig bool) {
	t.Helper()
	faulty := slices.ContainsFunc(c.Notices, func(n fault.Notice) bool {
		area, _, _ := strings.Cut(string(n.Code), "/")
		return n.Severity >= fault.Repair && (area == "syntax" || area == "language" || area == "blank-node") && !ofTerms[n.Code] &&
			!(n.Code == fault.LanguageDirection && n.Severity == fault.Repair)
	})
	accepted, known := accepts(text, trig)
	if known && faulty == accepted {
		t.Errorf("the strict grammar accepts it: %v\n%stext: %q", accepted, dump(c), text)
	}
}

// ofTerms are the codes of faults within terms, which the grammar of tokens does not know.
var ofTerms = map[fault.Code]bool{
	fault.SyntaxEscape: true, fault.SyntaxNumericEscape: true, fault.SyntaxSurrogates: true, fault.SyntaxUndeclaredPrefix: true,
	fault.SyntaxZeroBytes: true, fault.SyntaxUnseen: true,
}

// accepts says that the strict grammar accepts a text. What it leaves to terms, and what the reader must accept more,
// is not known.
func accepts(text []byte, trig bool) (accepted, known bool) {
	l := lex.New(lex.NewWindow(bytes.NewReader(text), context.Background().Err, 0), 16<<20)
	var walk grammar.Walk
	directive := lex.EndOfText
	for l.Next(); l.Tok.Kind != lex.EndOfText; l.Next() {
		k, at := l.Tok.Kind, walk.State
		if l.Tok.Forbidden || l.Tok.Bare || l.BehindHole || walk.Depth() > 100 {
			return false, false
		}
		if at.Expect == grammar.Tag && l.Tok.From == l.Ended.Offset && (k == lex.Prefix || k == lex.Base || k == lex.Version) {
			k = lex.Language
		}
		switch walk.Take(k) {
		case grammar.Refused:
			return false, true
		case grammar.BeginDirective:
			if directive = k; at.InGraph {
				return false, false
			}
		case grammar.EndDirective:
			if !at.Dotted {
				return false, true
			}
		case grammar.OpenGraph, grammar.BeginGraph:
			if !trig {
				return false, false
			}
		case grammar.TakeVersion, grammar.TakePrefix:
			if directive == lex.Version || directive == lex.SPARQLVersion || l.Tok.Colon != int(l.Tok.To-l.Tok.From)-1 {
				return false, false
			}
		case grammar.TakePredicate:
			if k == lex.IRI && strings.HasPrefix(string(l.Bytes(&l.Tok)), "<_:") {
				return false, false
			}
		case grammar.TakeCarets, grammar.TakeLanguage:
			if at.Expect != grammar.Tag {
				return false, false
			}
		}
	}
	return (walk.Expect == grammar.Block && !walk.InGraph || walk.Expect == grammar.DirectiveEnd && !walk.Dotted) && walk.Depth() == 0, true
}

// TestTheStrictGrammarAndTheReaderAgree reads the documents of the suites, and the tables of faults.
func TestTheStrictGrammarAndTheReaderAgree(t *testing.T) {
	texts := map[string]ttl.Syntax{}
	for _, test := range slices.Concat(recoveries, graphRecoveries, layoutRecoveries, tripleRecoveries, scrapRecoveries, tagRecoveries,
		secondRecoveries, openStrings) {
		if test.syntax == ttl.Turtle || test.syntax == ttl.TriG {
			texts[test.in] = test.syntax
		}
	}
	root := rdftest.Shared(t, "conformance", "w3c-rdf-tests")
	for pattern, syntax := range map[string]ttl.Syntax{"*.ttl": ttl.Turtle, "*.trig": ttl.TriG} {
		for _, depth := range []string{"*/*", "*/*/*"} {
			files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(depth), pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				texts[string(text)] = syntax
			}
		}
	}
	if len(texts) < 500 {
		t.Errorf("only %d texts", len(texts))
	}
	for text, syntax := range texts {
		c, _ := read(t, strings.NewReader(text), ttl.Options{Syntax: syntax})
		checkStrict(t, []byte(text), c, syntax == ttl.TriG)
		checkTold(t, []byte(text), c)
	}
}

// TestCasesOfStrangers reads files of strangers: what they write, and what becomes of it.
func TestCasesOfStrangers(t *testing.T) {
	root := rdftest.Shared(t, "cases", "rdf")
	for _, test := range []struct {
		file string
		want []string // statements, in the compact form of short
		told []int64  // the lines with a drop
	}{
		{"06-hash-in-name.ttl", []string{`:c :p "one"`, `:f :p "two"`, `:g :p "three"`}, []int64{3, 4}},
		{"53-mail-subject.ttl", []string{":bob rdf:type :Person"}, []int64{2, 2}},
		{"54-two-in-a-row.ttl", nil, []int64{2, 3}},
		{"62-first-semicolon.ttl", []string{":a :p :o", `:a :q "x"`, ":b :p :o", ":c :p :o"}, nil},
		{"67-slash-name.ttl", nil, []int64{2, 3, 4, 5, 6}},
		{"70-comment-behind-a.ttl", []string{"_:0-1 rdf:type :C"}, nil},
		{"h02-four-terms-like-markup.ttl", nil, []int64{2}},
	} {
		c := readFile(t, filepath.Join(root, test.file), testBaseIRI, ttl.Options{Syntax: ttl.Turtle})
		var lines []string
		for _, line := range c.Lines() {
			lines = append(lines, strings.ReplaceAll(short(line, false), "http://example.org/", ":"))
		}
		var told []int64
		for _, n := range c.Notices {
			if n.Severity == fault.Drop {
				told = append(told, n.Line)
			}
		}
		if !slices.Equal(lines, test.want) || !slices.Equal(told, test.told) || c.Lost() != len(test.told) {
			t.Errorf("%s: %q, told on %v, %d lost\n%s", test.file, lines, told, c.Lost(), dump(c))
		}
	}
	c := readFile(t, filepath.Join(root, "56-same-fault.ttl"), testBaseIRI, ttl.Options{Syntax: ttl.Turtle})
	for i, n := range c.Notices {
		if n.Line != int64(i)+2 || n.Code != fault.SyntaxName || n.Lost != 1 || !strings.Contains(n.Message, "sign / must be escaped") {
			t.Errorf("%+v", n)
		}
	}
	if len(c.Notices) != 40 || len(c.Quads) != 0 {
		t.Errorf("%d notices, %d statements", len(c.Notices), len(c.Quads))
	}
}
