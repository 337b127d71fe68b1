package jsonld_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// flat is a document whose lines all begin in the first column, with n nodes in the array that head opens.
func flat(head string, n int) string {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"@id":"http://e/%d","http://e/p":"%s"}`, i, strings.Repeat("x", 100))
	}
	b.WriteString("\n]}\n")
	return b.String()
}

// A graph of any length is read node by node, however its lines are indented, and a fault
// costs what it touches.
func TestLinesWithoutIndentationAreNoLayout(t *testing.T) {
	for _, head := range []string{
		"{\"@context\":{\"p\":\"http://e/\"},\n\"@graph\":[\n", "{\n\"@context\":{},\n\"@graph\":[\n", "{\"@context\":{},\n\"@graph\":\n[",
		"{\"@context\":{},\n  \"@graph\":[\n",
	} {
		const n = 15000
		text := flat(head, n)
		var got, faulty rdftest.Collector
		opt := jsonld.Options{MaxBytes: int64(len(text) * 4 / 5)}
		if err := jsonld.Read(context.Background(), strings.NewReader(text), rdf.Input{}, opt, &got); err != nil || len(got.Quads) != n ||
			len(got.Notices) > 0 {
			t.Errorf("%q: %d statements, %v %v", head, len(got.Quads), err, got.Notices)
		}
		text = strings.Replace(flat(head, 20), `"http://e/7",`, `"http://e/7",}`, 1)
		if err := jsonld.Read(context.Background(), strings.NewReader(text), rdf.Input{}, jsonld.Options{}, &faulty); err != nil ||
			len(faulty.Quads) < 19 {
			t.Errorf("%q with a fault: %d statements, %v %v", head, len(faulty.Quads), err, faulty.Notices)
		}
	}
}
