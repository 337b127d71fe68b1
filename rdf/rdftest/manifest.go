package rdftest

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/ttl"
)

// Entry is a test of a W3C manifest.
type Entry struct {
	IRI  string // of the test
	Name string
	Type string // the local name of the class of the test, as TestTurtleEval
	// Action and Result are paths of files; Result is empty for a syntax test.
	Action, Result string
	// Base is the IRI of the action, which its relative IRIs are resolved against.
	Base string
}

const (
	mf       = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	testBase = mf + "assumedTestBase"
)

// iriOf is the IRI of a test whose manifest was read under the name self and is at base.
func iriOf(iri, self, base string) string {
	if relative, ok := strings.CutPrefix(iri, self); ok {
		return base + relative
	}
	return iri
}

// Manifest reads the entries of the manifest at file (Turtle), in its order. Base
// comes from its mf:assumedTestBase; where there is none, from the folder that the
// suite has on w3c.github.io.
func Manifest(t testing.TB, file string) []Entry {
	t.Helper()
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	const self = "test:/manifest/"
	var c Collector
	if _, err := ttl.Read(context.Background(), text, rdf.Input{Base: self + "manifest.ttl"}, ttl.Options{Syntax: ttl.Turtle},
		&c); err != nil {
		t.Fatal(err)
	}
	if len(c.Notices) > 0 {
		t.Fatalf("%s: %+v", file, c.Notices[0])
	}
	about := map[string]map[string]string{} // subject, predicate → object
	for _, q := range c.Quads {
		subject := string(rdf.AppendTerm(nil, &q.Subject))
		if about[subject] == nil {
			about[subject] = map[string]string{}
		}
		object := string(q.Object.Value)
		if q.Object.Kind == rdf.BlankNode {
			object = string(rdf.AppendTerm(nil, &q.Object))
		}
		about[subject][string(q.Predicate.Value)] = object
	}
	var manifest map[string]string // the only thing with entries
	for _, node := range about {
		if node[mf+"entries"] != "" {
			manifest = node
		}
	}
	base := manifest[testBase]
	if base == "" {
		dir, _ := filepath.Abs(filepath.Dir(file))
		base = "https://w3c.github.io/rdf-tests/rdf/" + path.Base(path.Dir(filepath.ToSlash(dir))) + "/" +
			path.Base(filepath.ToSlash(dir)) + "/"
	}
	var entries []Entry
	for cell := manifest[mf+"entries"]; cell != rdf.Nil && cell != ""; cell = about[cell][rdf.Rest] {
		test := about["<"+about[cell][rdf.First]+">"]
		action := strings.TrimPrefix(test[mf+"action"], self)
		e := Entry{
			IRI:    iriOf(about[cell][rdf.First], self, base),
			Name:   test[mf+"name"],
			Type:   test[rdf.Type][strings.LastIndexByte(test[rdf.Type], '#')+1:],
			Action: filepath.Join(filepath.Dir(file), filepath.FromSlash(action)),
			Base:   base + action,
		}
		if result := test[mf+"result"]; result != "" {
			e.Result = filepath.Join(filepath.Dir(file), filepath.FromSlash(strings.TrimPrefix(result, self)))
		}
		if test[mf+"action"] == "" {
			t.Fatalf("%s: entry %s has no action", file, about[cell][rdf.First])
		}
		entries = append(entries, e)
	}
	if len(entries) == 0 {
		t.Fatalf("%s: no entries", file)
	}
	return entries
}
