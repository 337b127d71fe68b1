package conformance_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf/format"
)

const report = "../../docs/conformance.earl.ttl"

// earl is the same as the page, for machines: an assertion a test, in the vocabulary
// EARL 1.0. It names no time, so that it changes only with the results.
type earl struct{ strings.Builder }

func newEARL() *earl {
	e := &earl{}
	e.WriteString(`# Written by a test: go test ./rdf/conformance -run TestPageIsUpToDate -update
# The suites are those of the commits that docs/conformance.md names.
PREFIX earl: <http://www.w3.org/ns/earl#>
PREFIX doap: <http://usefulinc.com/ns/doap#>
PREFIX dct: <http://purl.org/dc/terms/>

_:laundromat a doap:Project, earl:Software, earl:TestSubject ;
  doap:name "Laundromat" ;
  doap:shortdesc "Washes dirty linked data into clean N-Quads"@en ;
  doap:programming-language "Go" .
_:test a earl:Software, earl:Assertor ;
  dct:title "go test ./rdf/conformance"@en ;
  dct:isPartOf _:laundromat .
`)
	return e
}

// add writes what became of a test; why is empty if it passed.
func (e *earl) add(test, why string) {
	outcome, description := "passed", ""
	if why != "" {
		outcome, description = "failed", fmt.Sprintf(" ; dct:description %q@en", why)
	}
	fmt.Fprintf(e, "[] a earl:Assertion ; earl:assertedBy _:test ; earl:subject _:laundromat ; earl:mode earl:automatic ;\n"+
		"  earl:test <%s> ; earl:result [ a earl:TestResult ; earl:outcome earl:%s%s ] .\n", test, outcome, description)
}

// TestReportIsClean washes the report of the conformance: a program that washes
// other people's data writes none that needs it.
func TestReportIsClean(t *testing.T) {
	lines, worst, err := washed(format.Turtle, file(t, report), format.Options{}, false)
	if err != nil || worst > 0 || len(lines) == 0 {
		t.Errorf("%d statements, worst finding %v, %v", len(lines), worst, err)
	}
}
