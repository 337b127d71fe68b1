//go:build !race

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/rdftest"
	"laundromat/rdf/ttl"
)

// faultCase is a fault that somebody met with another program. The statements that are
// to be read are in a file next to it; where that is in words, they are here.
type faultCase struct {
	file string
	exit int
	// drops are the lines on which a notice says that something is lost, in document order; 0 is
	// a finding without a line.
	drops []int
	// repairs are the lines, with columns, on which there must be a notice of a repair.
	repairs []string
	// want are the statements of a case whose outcome is in words; nil if they are in its file.
	want []string
}

var faultCases = []faultCase{
	{file: "06-hash-in-name.ttl", exit: 3, drops: []int{3, 4}, want: []string{
		`<http://example.org/c> <http://example.org/p> "one" .`,
		`<http://example.org/f> <http://example.org/p> "two" .`, `<http://example.org/g> <http://example.org/p> "three" .`,
	}},
	{file: "10-multiline.nt", exit: 3, drops: []int{1, 4}},
	{file: "11-iris.nq", exit: 3, drops: []int{6}, repairs: []string{"3:1", "4:29", "5:29"}},
	{file: "13-labels.nt", repairs: []string{"1:37", "2:1"}},
	{file: "16-langstring.rdf", repairs: []string{"4:96"}},
	{file: "18-blank-as-iri.rdf", repairs: []string{"4:13", "6:18"}},
	{file: "22-degree-sign.rdf", repairs: []string{"4:3", "8:3"}, want: []string{
		`<http://example.org/p1> <http://example.org/name> "Asha" .`,
		`<http://example.org/p2> <http://example.org/name> "Bim" .`,
		`<http://example.org/p1> <http://example.org/birth°place> <http://example.org/Nepal> .`,
		`<http://example.org/p2> <http://example.org/1st> "no letter" .`,
	}},
	{file: "53-mail-subject.ttl", exit: 3, drops: []int{2, 2}},
	{file: "54-two-in-a-row.ttl", exit: 3, drops: []int{2, 3}, want: []string{}},
	// 40 are lost; a record holds the first 20 findings of a kind
	{file: "56-same-fault.ttl", exit: 3, drops: linesTo(2, 21), want: []string{}},
	{file: "58-semicolon.jsonld", repairs: []string{"1:61"}, want: []string{`<http://example.org/s> <http://example.org/p> "x" .`}},
	{file: "62-first-semicolon.ttl", repairs: []string{"2:6", "5:3"}},
	{file: "67-slash-name.ttl", exit: 3, drops: linesTo(2, 6), want: []string{}},
	{file: "69-two-values.html", repairs: []string{"3:93"}, want: []string{
		`<http://example.org/a> <http://example.org/p> "1" .`, `<http://example.org/b> <http://example.org/p> "2" .`,
	}},
	{file: "70-comment-behind-a.ttl"},
	{file: "72-space-before-value.jsonld", repairs: []string{"1:56"}},
	{file: "h01-class-names-as-properties.rdf"},
	{file: "h02-four-terms-like-markup.ttl", exit: 3, drops: []int{2}},
	{file: "h05-label-in-angle-brackets-strict.ttl", exit: 3, drops: []int{1, 2}},
	{file: "h08-white-space-reference.rdf", repairs: []string{"2:57", "2:104"}},
	{file: "h10-xhtml-without-declaration.xhtml"},
	{file: "h11-guess-rdf-in-svg.svg"},
	{file: "h14-guess-version-reifier.ttl"},
	{file: "h16-guess-brackets-in-graph.trig"},
	{file: "h19-empty.7z"},
	{file: "h20-guess-reified-triple.ttl"},
}

// linesTo are the numbers of lines from one to another.
func linesTo(first, last int) (lines []int) {
	for n := first; n <= last; n++ {
		lines = append(lines, n)
	}
	return lines
}

// TestFaultsOfOthersHaveTheirOutcome washes each case as its folder's README says, and holds
// statements, exit code, and where there are notices.
func TestFaultsOfOthersHaveTheirOutcome(t *testing.T) {
	dir := rdftest.Shared(t, "cases", "rdf")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		known := strings.Contains(e.Name(), ".expect.") ||
			slices.ContainsFunc(faultCases, func(c faultCase) bool { return c.file == e.Name() })
		if !known {
			t.Errorf("%s is in no row of the table", e.Name())
		}
	}
	for _, c := range faultCases {
		t.Run(c.file, func(t *testing.T) { c.hold(t, dir) })
	}
}

func (c *faultCase) hold(t *testing.T, dir string) {
	args := []string{"--base", "http://example.org/dir/doc", "--blank-nodes", "keep"}
	if c.file[0] == 'h' {
		args = []string{"--base", "http://example.org/d/x", "--blank-nodes", "keep", "--literals", "keep"}
	}
	name := strings.TrimSuffix(c.file, filepath.Ext(c.file))
	if strings.HasSuffix(name, "-strict") {
		args = append(args, "--strict")
	}
	got, exit, found := reported(t, filepath.Join(dir, c.file), args...)
	want := strings.Join(c.want, "\n")
	if c.want == nil {
		want = string(readFile(t, filepath.Join(dir, name+".expect.nq")))
	}
	if !rdftest.Isomorphic(quadsOf(t, got), quadsOf(t, want)) {
		t.Errorf("the statements are\n%s\nwant\n%s", got, want)
	}
	if exit != c.exit {
		t.Errorf("exit code %d, want %d", exit, c.exit)
	}
	var drops []int
	var repairs []string
	for _, d := range found.Documents {
		if s := d.Statements; s.Read != s.Kept+s.Repaired+s.Dropped {
			t.Errorf("%+v: the sum is wrong", s)
		}
		for _, s := range d.Samples {
			switch s.Severity {
			case fault.Drop:
				drops = append(drops, int(s.Line))
			case fault.Repair:
				repairs = append(repairs, fmt.Sprintf("%d:%d", s.Line, s.Column))
			}
		}
	}
	slices.Sort(drops)
	if !slices.Equal(drops, c.drops) {
		t.Errorf("something is lost on the lines %v, want %v", drops, c.drops)
	}
	for _, place := range c.repairs {
		if !slices.Contains(repairs, place) {
			t.Errorf("no repair is told at %s, but at %v", place, repairs)
		}
	}
}

// quadsOf reads lines that must be N-Quads.
func quadsOf(t *testing.T, lines string) []rdf.Quad {
	t.Helper()
	var c rdftest.Collector
	_, err := ttl.Read(context.Background(), strings.NewReader(lines), rdf.Input{}, ttl.Options{Syntax: ttl.NQuads}, &c)
	if err != nil || c.Worst() > fault.Note {
		t.Fatalf("%v %v: not N-Quads:\n%s", err, c.Notices, lines)
	}
	return c.Quads
}
