package catalog_test

import (
	"testing"

	"laundromat/seedlist/catalog"
)

// A description in Turtle may be on one line, with semicolons and commas between its statements: it is not a table or a
// list for that.
func TestTurtleOnOneLineIsNoTable(t *testing.T) {
	const void = "@prefix void: <http://rdfs.org/ns/void#> . "
	for _, text := range []string{
		void + "<#d> a void:Dataset ; void:dataDump <b.nt> .",
		void + "<#d> a void:Dataset ; void:dataDump <b.nt> , <c.nt> .",
		void + "<#d> a void:Dataset ; void:dataDump <http://h.example/b.nt> .",
		void + "<#d> a void:Dataset ; void:dataDump <http://h.example/b.nt>, <http://h.example/c.nt> .",
		void + "<#d> a void:Dataset; void:uriSpace \"http://h.example/\"; void:dataDump <b.nt> .",
		void + "[] a void:Dataset ; void:dataDump <b.nt> .",
		void + "@base <http://h.example/> . <#d> a void:Dataset ; void:dataDump <b.nt> .",
		"PREFIX void: <http://rdfs.org/ns/void#> <#d> a void:Dataset ; void:dataDump <b.nt> .",
		"<#d> a <http://rdfs.org/ns/void#Dataset> ; <http://rdfs.org/ns/void#dataDump> <b.nt> .",
		"<#d> a <http://rdfs.org/ns/void#Dataset> ; <http://rdfs.org/ns/void#dataDump> <http://h.example/b.nt> .",
		"# our data\n" + void + "<#d> a void:Dataset ; void:dataDump <b.nt> .",
		"\uFEFF" + void + "<#d> a void:Dataset ; void:dataDump <b.nt> .\r\n",
	} {
		s := site{"http://h.example/void.ttl": {body: []byte(text)}}
		out, result, err := harvest(t, s, "http://h.example/void.ttl", catalog.Options{})
		if err != nil || result.Kind != catalog.VoID || len(out.entries) == 0 {
			t.Errorf("%s: %s, %v, %v", text, result.Kind, out.entries, err)
		}
	}
}
