package format_test

import (
	"bytes"
	"context"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/rdftest"
)

// read returns what a document says in a format; ok is false if anything is lost.
func read(t testing.TB, f format.Format, in []byte, base string, guessed bool) (c rdftest.Collector, proved format.Format) {
	t.Helper()
	reading, err := format.Parse(context.Background(), f, bytes.NewReader(in), format.Options{Input: rdf.Input{Base: base},
		Guessed: guessed}, &c)
	if err != nil {
		t.Fatalf("reading as %s: %v", f, err)
	}
	return c, reading.Format
}
