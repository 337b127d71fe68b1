// Package report is what "laundromat wash" and "laundromat check" say of their
// work: what became of each document, what was found in it, and the verdict.
//
// A [Collector] takes the notices of one document while it is read, counts them,
// and keeps the first of each code; it gives a [Document], and documents make a
// [Report]. A [List] writes all notices of a document to a file, and [Formats] are
// the ways to write a Report for people and for other programs.
package report

import (
	"laundromat/internal/content"
	"laundromat/internal/fault"
)

// Report is the outcome of a run. Its JSON is what --report writes.
type Report struct {
	Documents  []Document `json:"documents"`
	Statements Statements `json:"statements"`  // totals; duplicates include those between documents
	Walltime   float64    `json:"walltime"`    // seconds
	PeakMemory int64      `json:"peak_memory"` // bytes
}

// Document is what became of one document, or of an input that could not be read
// as one (Error tells why).
type Document struct {
	Name       string               `json:"name"` // FILE or URL, members as FILE!/entry
	Format     string               `json:"format,omitempty"`
	Encoding   string               `json:"encoding,omitempty"`
	Base       string               `json:"base,omitempty"`
	Content    *content.Content     `json:"content,omitempty"`
	Text       *content.Text        `json:"text,omitempty"`
	Statements Statements           `json:"statements"`
	Notices    map[fault.Code]int64 `json:"notices"`
	Samples    []Sample             `json:"samples"` // the first of each code, in document order
	Error      *DocumentError       `json:"error,omitempty"`

	// Findings counts the notices by code and severity, in order of first sight.
	Findings []Finding `json:"-"`
}

// Statements accounts for every statement: read = kept + repaired + dropped, and
// written = kept + repaired - duplicates.
type Statements struct {
	Read       int64 `json:"read"`
	Kept       int64 `json:"kept"`
	Repaired   int64 `json:"repaired"`
	Dropped    int64 `json:"dropped"`
	Duplicates int64 `json:"duplicates"`
	Written    int64 `json:"written"`
}

// Add adds the counts of o.
func (s *Statements) Add(o Statements) {
	s.Read += o.Read
	s.Kept += o.Kept
	s.Repaired += o.Repaired
	s.Dropped += o.Dropped
	s.Duplicates += o.Duplicates
	s.Written += o.Written
}

// Sample is a notice that stands for others of its code.
type Sample struct{ fault.Notice }

// Finding is how often a code was found with one severity, and where first.
type Finding struct {
	Code     fault.Code
	Severity fault.Severity
	Count    int64
	First    fault.Pos
}

// DocumentError says that the work on a document stopped.
type DocumentError struct {
	Stage   string     `json:"stage"` // the working state, as "parsing"
	Kind    string     `json:"kind"`  // a fault.Kind by name
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
}

// isNotRDF says that the document holds no RDF, as a readme does. Beside others
// that do, that is no error.
func (d *Document) isNotRDF() bool { return d.Error != nil && d.Error.Code == fault.FormatNotRDF }

// isContainer says that this is no document itself: an archive that was opened, of
// which only its own notices are told.
func (d *Document) isContainer() bool { return d.Error == nil && d.Format == "" && d.Content == nil }

// nothingWasRDF says that no document of the report holds RDF.
func (r *Report) nothingWasRDF() bool {
	for i := range r.Documents {
		if d := &r.Documents[i]; !d.isNotRDF() && !d.isContainer() {
			return false
		}
	}
	return true
}

// ExitCode is that of the process, by the worst of the documents: 1 if one ended in
// an error, 3 if something was dropped, 7 if nothing at all was RDF, else 0.
func (r *Report) ExitCode() int {
	dropped := false
	for i := range r.Documents {
		d := &r.Documents[i]
		if d.Error != nil && !d.isNotRDF() {
			return 1
		}
		dropped = dropped || d.Statements.Dropped > 0 || d.hasDrop()
	}
	switch {
	case dropped:
		return 3
	case r.nothingWasRDF():
		return 7
	}
	return 0
}

func (d *Document) hasDrop() bool {
	for _, f := range d.Findings {
		if f.Severity == fault.Drop {
			return true
		}
	}
	return false
}
