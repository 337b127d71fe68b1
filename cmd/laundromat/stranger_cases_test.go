//go:build !race

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/report"
)

// strangerCase is a fault in data of strangers. Where the outcome is a file of statements, that is held too.
type strangerCase struct {
	file string
	exit []int // any of them; 0 if there is none
	// must are statements that are kept, and never is what no statement may hold.
	must, never []string
	// told are the codes of which there must be a notice, each with the line if it has one: "iri/space:3".
	told []string
	// notices is how many there must be at least.
	notices int64
	// lost is how many statements must be lost, -1 if that may be any number.
	lost int
	make func() []byte // the document, where it is none of the folder
	// later says that the outcome is not right yet.
	later bool
}

var strangerCases = []strangerCase{
	{file: "01-graphs-with-equals.trig", told: []string{"2", "6", "9"}},
	{file: "11-trix-empty-name.trix", exit: []int{0, 3}, lost: -1, told: []string{"3"}, must: []string{
		`<http://example.org/s> <http://example.org/p> "two"@en <http://example.org/g> .`,
	}},
	{file: "20-two-iris.rdf", exit: []int{0, 3}, lost: -1, told: []string{"3", "7"}, never: []string{"%20http"}, must: []string{
		`<https://example.org/b> <http://purl.org/dc/terms/title> "B" .`,
	}},
	{file: "23-protected.jsonld", exit: []int{0, 3}, lost: -1, told: []string{"5"}, must: []string{
		`<http://example.org/vc/1> <http://example.org/title> "A credential" .`,
		`<http://example.org/vc/1> <http://example.org/issuer> <http://example.org/i/1> .`,
	}},
	{file: "28-doubled-quotes.html", must: []string{
		`<http://example.org/sound> <http://schema.org/name> "sound" .`,
	}},
	{file: "42-prefixes.nq", told: []string{"6", "7", "8"}},
	{file: "66-directive-last.nq", exit: []int{0, 3}, lost: -1, told: []string{"7"}},
	{file: "69-star-majority.nq", exit: []int{0, 3}, lost: -1, told: []string{"2", "3", "4", "5"}, must: []string{
		`<http://example.org/s1> <http://example.org/p> "1" <http://example.org/g> .`,
		`<http://example.org/s2> <http://example.org/p> "2" <http://example.org/g> .`,
	}},
	{file: "70-text-behind-the-limit.ttl", exit: []int{0, 3}, lost: -1, make: textBeyondLimit, never: []string{"\n<http://evil/"},
		must: []string{`<http://e/s> <http://e/p> "next" .`}},
	{file: "73-equals-and-dot.trig", told: []string{"2", "3"}},
	{file: "75-two-iris.ttl", exit: []int{0, 3}, lost: -1, told: []string{"2"}, never: []string{"%20http"}, must: []string{
		`<http://example.org/s> <http://example.org/q> "text" .`,
	}},
	{file: "77-trix-empty-predicate.trix", exit: []int{3}, lost: 1, never: []string{"<http://example.org/dir/doc>"}, must: []string{
		`<http://example.org/s> <http://example.org/p> "next" .`,
	}},
	{file: "80-fourth-term.nt", exit: []int{0, 3}, lost: -1, told: []string{"syntax/graph-in-triples:61"}},
	{file: "83-value-nodes.ttl", exit: []int{3}, lost: 2, never: []string{"rdf.data-vocabulary.org"}, must: []string{
		`<http://example.org/entity/Q1> <http://example.org/prop/value/P31> <http://example.org/entity/Q5> .`,
	}},
	{file: "85-seq-in-resource.rdf"},
	{file: "87-parse-type-html.rdf", must: []string{`<http://example.org/a> <http://example.org/last> "end" .`}},
	{file: "88-bare-prefix.ttl", exit: []int{0, 3}, lost: -1, told: []string{"2"}},
	{file: "89-bare-terms.ttl", exit: []int{0, 3}, lost: -1, told: []string{"syntax/iri-without-brackets:2",
		"syntax/iri-without-brackets:3", "syntax/iri-without-brackets:4"}, must: []string{
		`<http://example.org/b> <http://example.org/order> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .`,
	}},
	{file: "90-paths.nt", exit: []int{0, 3}, lost: -1, told: []string{"1", "2"}, never: []string{`"C:\temp`, `"D:\reports`}, must: []string{
		`<http://example.org/a> <http://example.org/p> "end" .`,
	}},
	{file: "93-namespaces.rdf", notices: 4},
	{file: "96-id-is-a-number.jsonld", exit: []int{3}, lost: 4},
	{file: "98-curly-quotes.jsonld", exit: []int{0, 3}, lost: -1},
	{file: "h3-01-schema-context-after-own.jsonld", exit: []int{0, 3}, lost: -1},
	{file: "h3-03-schema-context-within.jsonld", exit: []int{0, 3}, lost: -1},
	{file: "h3-06-base-without-brackets.ttl", exit: []int{0, 3}, lost: -1, told: []string{"1"}},
	{file: "h3-09-semicolon-missing-behind-number.ttl", exit: []int{3}, lost: 2},
	{file: "h3-11-prefix-without-dot-same-line.ttl", exit: []int{0, 3}, lost: -1, told: []string{"1"}},
	{file: "h3-13-list-of-dropped-predicate.jsonld", exit: []int{0, 3}, lost: -1},
	{file: "h3-14-told-twice-strict.nt", exit: []int{0, 3}, lost: -1},
	{file: "h3-15-reified-triple-without-dot.ttl"},
}

// TestDataOfStrangersHaveTheirOutcome washes each case as its folder's README says. A case that is not right yet fails
// once it is, so that the table says what there is to do.
func TestDataOfStrangersHaveTheirOutcome(t *testing.T) {
	dir := rdftest.Shared(t, "cases", "rdf3")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		is := func(c strangerCase) bool { return c.file == e.Name() }
		known := strings.Contains(e.Name(), ".expect.") || strings.Contains(e.Name(), ".or.") || strings.HasSuffix(e.Name(), ".notices")
		if !known && !slices.ContainsFunc(strangerCases, is) {
			t.Errorf("%s is in no row of the table", e.Name())
		}
	}
	for _, c := range strangerCases {
		t.Run(c.file, func(t *testing.T) {
			wrong := c.wrong(t, dir)
			switch {
			case c.later && len(wrong) == 0:
				t.Error("it is right now: its row must not say later any more")
			case c.later:
				t.Skipf("not right yet: %s", strings.Join(wrong, "\n"))
			case len(wrong) > 0:
				t.Error(strings.Join(wrong, "\n"))
			}
		})
	}
}

// wrong washes the case, and says what of its outcome is not right.
func (c *strangerCase) wrong(t *testing.T, dir string) (all []string) {
	args := []string{"--base", "http://example.org/dir/doc", "--blank-nodes", "keep"}
	if c.file[0] == 'h' {
		args = []string{"--base", "http://example.org/d/x", "--blank-nodes", "keep", "--literals", "keep"}
	}
	name := strings.TrimSuffix(c.file, filepath.Ext(c.file))
	if strings.HasSuffix(name, "-strict") {
		args = append(args, "--strict")
	}
	path := filepath.Join(dir, c.file)
	if c.make != nil {
		path = filepath.Join(t.TempDir(), c.file)
		if err := os.WriteFile(path, c.make(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, exit, found := reported(t, path, args...)
	bad := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	if !slices.Contains(c.exit, exit) && (exit != 0 || len(c.exit) > 0) {
		bad("exit code %d, want one of %v", exit, c.exit)
	}
	if !c.isExpected(t, dir, name, got) {
		bad("the statements are\n%s", got)
	}
	for _, must := range c.must {
		if !strings.Contains("\n"+got, "\n"+must+"\n") {
			bad("%s is not kept", must)
		}
	}
	for _, never := range c.never {
		if strings.Contains("\n"+got, never) {
			bad("%s is in a statement", never)
		}
	}
	return append(all, c.wrongNotices(t, filepath.Join(dir, name+".notices"), found.Documents)...)
}

// isExpected says that the statements are those of one of the files beside the case, if there are any.
func (c *strangerCase) isExpected(t *testing.T, dir, name, got string) bool {
	given := false
	for _, ending := range []string{".expect.nq", ".or.nq"} {
		if want, err := os.ReadFile(filepath.Join(dir, name+ending)); err == nil {
			if given = true; rdftest.Isomorphic(quadsOf(t, got), quadsOf(t, string(want))) {
				return true
			}
		}
	}
	return !given
}

// wrongNotices says what is not told, or wrongly counted.
func (c *strangerCase) wrongNotices(t *testing.T, codesFile string, documents []report.Document) (all []string) {
	codes, places, lost := map[fault.Code]int64{}, map[string]bool{}, int64(0)
	for _, d := range documents {
		s := d.Statements
		if lost += s.Dropped; s.Read != s.Kept+s.Repaired+s.Dropped {
			all = append(all, fmt.Sprintf("%+v: the sum is wrong", s))
		}
		for code, n := range d.Notices {
			codes[code] += n
		}
		for _, n := range d.Samples {
			line := fmt.Sprint(n.Line)
			places[line], places[string(n.Code)+":"+line] = true, true
		}
	}
	if c.lost >= 0 && lost != int64(c.lost) {
		all = append(all, fmt.Sprintf("%d are lost, want %d", lost, c.lost))
	}
	for _, place := range c.told {
		if !places[place] {
			all = append(all, fmt.Sprintf("nothing is told of %s, but of %v", place, places))
		}
	}
	sum := int64(0)
	for _, n := range codes {
		sum += n
	}
	if sum < c.notices {
		all = append(all, fmt.Sprintf("%d notices, want %d", sum, c.notices))
	}
	if text, err := os.ReadFile(codesFile); err == nil {
		want := map[fault.Code]int64{}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		for code, n := range want {
			if codes[code] != n {
				all = append(all, fmt.Sprintf("%s is told %d times, want %d", code, codes[code], n))
			}
		}
		if len(codes) != len(want) {
			all = append(all, fmt.Sprintf("the notices are %v, want %v", codes, want))
		}
	}
	return all
}

// textBeyondLimit is a literal of Turtle within Turtle, of 19 MB, and a statement behind it.
func textBeyondLimit() []byte {
	out := []byte("@prefix e: <http://e/> .\ne:s e:p \"\"\"head\n")
	for i := range 400000 {
		out = fmt.Appendf(out, "<http://evil/z%d> <http://evil/p> \"%d\" .\n", i, i)
	}
	return append(out, "end\"\"\" .\ne:s e:p \"next\" .\n"...)
}
