package report

import (
	_ "embed"
	"html/template"
	"io"
	"slices"
	"sync"

	"laundromat/internal/fault"
)

//go:embed html.tmpl
var pageText string

// page is parsed when it is first used: few verbs write one.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })

// WriteHTML writes a page that needs no other file, to be sent to those who publish the data. It
// has the sums, what was found by code, what each code means and how to mend it, and the samples in
// their lines. A sample has its line only if [Document.Quote] was called; else its excerpt is
// there.
func WriteHTML(w io.Writer, r *Report) error {
	data := pageData{Report: r}
	for i := range r.Documents {
		d := &r.Documents[i]
		section := pageDocument{Document: d, Name: oneLine(d.Name)}
		if d.Error != nil {
			section.Error = oneLine(d.Error.Message)
		}
		for _, f := range d.Findings {
			finding := pageFinding{Finding: f, Place: placeOf("line", f.First)}
			finding.Info, _ = fault.Explain(f.Code)
			if mended, ok := fault.RepairOf(f.Code); ok && f.Severity == fault.Repair {
				finding.Why = mended.Why
			}
			for _, s := range d.Samples {
				if s.Code == f.Code && s.Severity == f.Severity {
					finding.Samples = append(finding.Samples, pageSample{Sample: s, Message: oneLine(s.Message)})
				}
			}
			section.Findings = append(section.Findings, finding)
		}
		slices.SortStableFunc(section.Findings, func(a, b pageFinding) int {
			if a.Severity != b.Severity {
				return int(b.Severity) - int(a.Severity)
			}
			return int(min(max(b.Count-a.Count, -1), 1))
		})
		data.Sections = append(data.Sections, section)
	}
	return page().Execute(w, data)
}

type pageData struct {
	*Report
	Sections []pageDocument
}

type pageDocument struct {
	*Document
	Name     string
	Error    string
	Findings []pageFinding
}

type pageFinding struct {
	Finding
	Info    fault.Info
	Why     string // why the intention is clear; only of repairs
	Place   string
	Samples []pageSample
}

// More is how many findings of this kind are not shown.
func (f pageFinding) More() int64 { return f.Count - int64(len(f.Samples)) }

type pageSample struct {
	Sample
	Message string
}
