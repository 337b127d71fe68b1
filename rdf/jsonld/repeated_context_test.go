package jsonld_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdftest"
)

// A context that is in a document again and again is applied once. Yet each line is read, and judged
// in its own place, as if it were alone.
func TestARepeatedContextIsReadAsTheFirst(t *testing.T) {
	for _, r := range []struct{ name, line string }{
		{"sound", `{"@context":{"p":"http://p","l":{"@id":"http://l","@type":"@id"}},"@id":"a","p":"x","l":"b"}`},
		{"indented", `{ "@context" : { "p": "http://p" } ,"@id":"a","p":"x"}`},
		{"empty", `{"@context":{},"@id":"a","http://p":"x"}`},
		{"an empty array", `{"@context":[],"@id":"a","http://p":"x"}`},
		{"an array", `{"@context":["http://nowhere/c",{"p":"http://p"}],"@id":"a","p":"x","q":"y","http://q":"z"}`},
		{"a term that is none", `{"@context":{"p":"http://p","q":5},"@id":"a","p":"x","q":"y"}`},
		{"a warning", `{"@context":{"@odd":"http://p","p":"http://p"},"@id":"a","p":"x"}`},
		{"no context at all", `{"@context":{"@vocab":5},"@id":"a","http://p":"x"}`},
		{"a repair", `{"@context":{"@version":"1.1","p":"http://p"},"@id":"a","p":"x"}`},
		{"a name that occurs twice", `{"@context":{"p":"http://p","p":"http://q"},"@id":"a","p":"x"}`},
		{"contexts for types and terms",
			`{"@context":{"p":{"@id":"http://p","@context":{"q":5}},"T":{"@id":"http://T","@context":{"q":"http://q"}}},"@id":"a","@type":"T","q":"x","p":[{"q":1}]}`},
		{"in one another",
			`{"@context":{"p":"http://p"},"@id":"a","p":{"@context":{"p":"http://q"},"p":{"@context":{"p":"http://p"},"p":"x"}}}`},
		{"protected", `{"@context":{"@protected":true,"p":"http://p"},"@id":"a","p":{"@context":{"p":"http://q"},"p":"x"}}`},
		{"not for nested nodes", `{"@context":{"@propagate":false,"p":"http://p"},"@id":"a","p":{"p":"x"}}`},
		{"keywords by other names", `{"@context":{"i":"@id","t":"@type","p":"http://p"},"i":"a","t":"http://T","p":{"i":"b","p":"x"}}`},
		{"another base", `{"@context":{"@base":"http://c/","p":{"@id":"http://p","@type":"@id"}},"@id":"a","p":"x"}`},
	} {
		t.Run(r.name, func(t *testing.T) {
			// The second context between the lines is another one, and the third line begins further in.
			other := `{"@context":{"p":"http://other"},"@id":"o","p":"x"}`
			text := r.line + "\n" + other + "\n" + r.line + "\n" + other + "\n  " + r.line + "\n"
			all, one, second := marked(t, text), marked(t, r.line+"\n"), marked(t, "\n\n"+r.line+"\n")
			third := marked(t, other+"\n\n\n"+other+"\n  "+r.line+"\n")
			var quads, told []string
			for _, q := range all.Lines() {
				if !strings.Contains(q, "<http://b/o>") {
					quads = append(quads, q)
				}
			}
			n := len(one.Quads)
			if len(quads) != 3*n {
				t.Fatalf("%d statements of three lines, and %d of one:\n%s", len(quads), n, strings.Join(quads, "\n"))
			}
			for i := range n {
				if all.Quads[i].Repaired != one.Quads[i].Repaired || all.Quads[n+1+i].Repaired != one.Quads[i].Repaired {
					t.Errorf("%s is repaired in one line only", quads[i])
				}
				if !strings.Contains(quads[i], "_:") && (quads[i] != quads[n+i] || quads[i] != quads[2*n+i]) {
					t.Errorf("%s, but %s and %s", quads[i], quads[n+i], quads[2*n+i])
				}
			}
			for _, c := range []*rdftest.Collector{one, second, third} {
				for _, told := range c.Told() {
					if !slices.Contains(all.Told(), told) && !strings.Contains(told, "json-context-not-available") &&
						!strings.Contains(told, "json-context-missing") {
						t.Errorf("%s is not told", told)
					}
				}
			}
			told = all.Told()
			if want := len(one.Notices) + len(second.Notices) + len(third.Notices); len(told) != want &&
				!strings.Contains(r.line, "nowhere") {
				t.Errorf("%d findings, and %d in lines of their own: %s", len(told), want, told)
			}
		})
	}
}

func marked(t *testing.T, text string) *rdftest.Collector {
	t.Helper()
	var got rdftest.Collector
	if err := jsonld.Read(context.Background(), strings.NewReader(text), rdf.Input{Base: "http://b/"}, jsonld.Options{}, &got); err != nil {
		t.Fatal(err)
	}
	return &got
}
