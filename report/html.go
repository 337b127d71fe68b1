package report

import (
	"cmp"
	_ "embed"
	"fmt"
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

// WriteHTML writes a page that needs no other file, to be sent to those who publish the data. It has the sums, a table
// by document, the worst first, and for each what was found, what each code means and how to mend it, and samples in
// their lines: of each code as many as a document holds at most, for all documents together. Documents in which nothing
// was found come last. A sample has its line only if [Document.Quote] was called; else its excerpt is there.
func WriteHTML(w io.Writer, r *Report) error {
	verdicts, order := make([]verdictOf, len(r.Documents)), make([]int, len(r.Documents))
	for i := range r.Documents {
		verdicts[i], order[i] = r.Documents[i].verdict(), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return worse(&verdicts[a], &verdicts[b]) })
	data := &pageData{Report: r}
	p := pageSamples{most: cmp.Or(r.SamplesEach, SamplesShown), shown: map[fault.Code]int{}, explained: map[fault.Code]string{}}
	for _, at := range order {
		d, row := &r.Documents[at], verdicts[at]
		section := pageDocument{Document: d, Name: row.Name}
		if d.Error == nil && len(d.Findings) == 0 {
			data.Sound = append(data.Sound, section)
			continue
		}
		if d.Error != nil {
			section.Error = oneLine(d.Error.Message)
		}
		section.Findings = p.findings(d, len(data.Sections))
		row.Section = len(data.Sections)
		data.Worst = append(data.Worst, row)
		data.Sections = append(data.Sections, section)
	}
	if len(r.Documents) < 2 {
		data.Worst = nil // the sums say it
	}
	return page().Execute(w, data)
}

// pageSamples are what a page has shown so far.
type pageSamples struct {
	most      int // samples of a code
	shown     map[fault.Code]int
	explained map[fault.Code]string // where on the page a code is explained
}

// findings are those of a document in a section of the page, the worst first.
func (p *pageSamples) findings(d *Document, section int) (all []pageFinding) {
	sorted := slices.Clone(d.Findings)
	slices.SortStableFunc(sorted, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(b.Count, a.Count))
	})
	for i, f := range sorted {
		finding := pageFinding{Finding: f, Place: placeOf("line", f.First), Explained: p.explained[f.Code]}
		finding.Info, _ = fault.Explain(f.Code)
		if mended, ok := fault.RepairOf(f.Code); ok && f.Severity == fault.Repair {
			finding.Why = mended.Why
		}
		if finding.Explained == "" {
			p.explained[f.Code] = fmt.Sprintf("d%df%d", section, i)
		}
		for _, s := range d.Samples {
			if s.Code == f.Code && s.Severity == f.Severity && p.shown[f.Code] < p.most {
				p.shown[f.Code]++
				finding.Samples = append(finding.Samples, pageSample{Sample: s, Message: oneLine(s.Message)})
			}
		}
		all = append(all, finding)
	}
	return all
}

type pageData struct {
	*Report
	Worst    []verdictOf    // the table by document
	Sections []pageDocument // of documents in which something was found
	Sound    []pageDocument // of those in which nothing was
}

// Only is the name of the document of a report on one; "" for others.
func (d *pageData) Only() string {
	if len(d.Documents) != 1 {
		return ""
	}
	return oneLine(d.Documents[0].Name)
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
	// Explained is where the page explains the code already; "" where this is the first.
	Explained string
}

// More is how many findings of this kind are not shown.
func (f pageFinding) More() int64 { return f.Count - int64(len(f.Samples)) }

type pageSample struct {
	Sample
	Message string
}
