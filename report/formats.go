package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Format is a way to write a Report.
type Format struct {
	Name  string
	About string // a few words
	Write func(w io.Writer, r *Report) error
}

// Formats are all ways, by name; the first is the one for people.
var Formats = []Format{
	{"text", "lines as compilers write them, then a table", func(w io.Writer, r *Report) error { return WriteText(w, r, false) }},
	{"json", "the report as one JSON object", WriteJSON},
	{"sarif", "SARIF 2.1.0, for code scanning", WriteSARIF},
	{"github", "workflow commands of GitHub Actions", WriteGitHub},
	{"junit", "JUnit XML, for build servers", WriteJUnit},
	{"html", "one page for the publisher of the data", WriteHTML},
}

// FormatByName finds a format; the error lists all names.
func FormatByName(name string) (Format, error) {
	var names []string
	for _, f := range Formats {
		if strings.EqualFold(f.Name, name) {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Format{}, fmt.Errorf("no report format %q; there are %s", name, strings.Join(names, ", "))
}

// WriteJSON writes the report as one object, as --report does.
func WriteJSON(w io.Writer, r *Report) error {
	whole := *r
	if whole.Documents == nil {
		whole.Documents = []Document{}
	}
	if (r.Records != nil || r.Articles != nil) && r.Statements.Read == 0 {
		return writeIndented(w, withoutStatements(&whole))
	}
	return writeIndented(w, whole)
}

// Of a run that reads records or articles, and makes no statements of them, the counts of statements are left
// out: a nil field of the same name hides them.
type (
	recordsReport struct {
		Documents []recordsDocument `json:"documents"`
		*Report
		Statements *struct{} `json:"statements,omitempty"`
	}
	recordsDocument struct {
		*Document
		Statements *struct{} `json:"statements,omitempty"`
	}
)

func withoutStatements(r *Report) recordsReport {
	whole := recordsReport{Report: r, Documents: make([]recordsDocument, len(r.Documents))}
	for i := range r.Documents {
		whole.Documents[i].Document = &r.Documents[i]
	}
	return whole
}

func writeIndented(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
