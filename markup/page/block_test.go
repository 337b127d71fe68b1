package page_test

import (
	"testing"

	"laundromat/markup/page"
)

// TestWhatIsRDFIsSaidByItsNamespaceElseByItsPrefix asks of tags whose prefix is declared, and of others.
func TestWhatIsRDFIsSaidByItsNamespaceElseByItsPrefix(t *testing.T) {
	const ns = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	for _, row := range []struct {
		prefix, local, name, value string
		want                       bool
	}{
		{"rdf", "RDF", "", "", true},
		{"", "RDF", "", "", false},
		{"r", "RDF", "", "", false},
		{"", "RDF", "xmlns", ns, true},
		{"r", "RDF", "xmlns:r", ns, true},
		{"rdf", "RDF", "xmlns:rdf", "&rdf;", true},
		{"rdf", "RDF", "xmlns:rdf", "http://example.org/", false},
		{"r", "RDF", "xmlns:rdf", ns, false},
		{"rdf", "Description", "xmlns:rdf", ns, false},
	} {
		got := page.IsRDF(row.prefix, row.local, func(name string) (string, bool) { return row.value, name == row.name })
		if got != row.want {
			t.Errorf("%+v: %v", row, got)
		}
	}
}
