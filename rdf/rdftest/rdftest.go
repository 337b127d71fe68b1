// Package rdftest holds what the tests of readers and sinks share: a sink that
// remembers, dataset isomorphism, and the place of the conformance suites.
package rdftest

import (
	"os"
	"path/filepath"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Collector is a Sink that keeps copies of all it gets, in order.
type Collector struct {
	Quads   []rdf.Quad
	Notices []fault.Notice
}

// Quad keeps a copy of q.
func (c *Collector) Quad(q *rdf.Quad) error {
	copied := *q
	keep(&copied.Subject, &copied.Predicate, &copied.Object, &copied.Graph)
	c.Quads = append(c.Quads, copied)
	return nil
}

func keep(terms ...*rdf.Term) {
	for _, t := range terms {
		t.Value = append([]byte(nil), t.Value...)
		t.Datatype = append([]byte(nil), t.Datatype...)
		t.Language = append([]byte(nil), t.Language...)
		if t.Triple != nil {
			triple := *t.Triple
			keep(&triple.Subject, &triple.Predicate, &triple.Object)
			t.Triple = &triple
		}
	}
}

// Notice keeps n.
func (c *Collector) Notice(n fault.Notice) { c.Notices = append(c.Notices, n) }

// Lines returns the canonical line of each quad, in document order.
func (c *Collector) Lines() []string {
	lines := make([]string, len(c.Quads))
	for i := range c.Quads {
		lines[i] = string(rdf.AppendQuad(nil, &c.Quads[i]))
	}
	return lines
}

// Lost is the number of statements that the notices report as dropped.
func (c *Collector) Lost() (n int) {
	for _, notice := range c.Notices {
		n += notice.Lost
	}
	return n
}

// Worst is the highest severity among the notices; 0 if there are none.
func (c *Collector) Worst() (worst fault.Severity) {
	for _, notice := range c.Notices {
		worst = max(worst, notice.Severity)
	}
	return worst
}

// Shared returns a path below the folder of conformance suites and catalogs,
// which LAUNDROMAT_SHARED names or which is next to the checkout as "shared".
// It skips the test, and says so, where there is none.
func Shared(t testing.TB, elements ...string) string {
	t.Helper()
	path, isThere := FindShared(t, elements...)
	if !isThere {
		t.Skipf("skipped: no conformance data at %s (set LAUNDROMAT_SHARED)", path)
	}
	return path
}

// FindShared is Shared for a test that goes on without: it says whether the path is there.
func FindShared(t testing.TB, elements ...string) (path string, isThere bool) {
	t.Helper()
	root := os.Getenv("LAUNDROMAT_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for root == "" && dir != filepath.Dir(dir) {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				root = filepath.Join(filepath.Dir(dir), "shared")
			}
			dir = filepath.Dir(dir)
		}
	}
	path = filepath.Join(append([]string{root}, elements...)...)
	_, err := os.Stat(path)
	return path, err == nil
}
