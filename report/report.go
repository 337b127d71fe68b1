// Package report is what "laundromat wash" and "laundromat check" say of their work. It holds what
// became of each document, what was found in it, and the verdict.
//
// A [Collector] takes the notices of one document while it is read, counts them, and keeps the
// first of each code. It gives a [Document], and documents make a [Report]. A [List] writes all
// notices of a document to a file. [Formats] are the ways to write a Report for people and for
// other programs.
package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/records"
)

// Report is the outcome of a run. Its JSON is what --report writes.
type Report struct {
	Documents []Document `json:"documents"`
	// SamplesEach is how many notices of each code a document holds at most; 0 if it is not
	// known. The counts in Notices are of all.
	SamplesEach int               `json:"samples_each,omitempty"`
	Statements  digest.Statements `json:"statements"` // totals; duplicates include those between documents
	// Records are the totals of a run that reads records; nil for statements, which then count nothing.
	Records *records.Counts `json:"records,omitempty"`
	// Articles are the totals of a run that reads articles, as Records are.
	Articles *Articles `json:"articles,omitempty"`
	Repeats  []Repeats `json:"repeats,omitempty"` // of articles, by input
	// Sources are the sums of those of all documents, and so of the pages in HTML alone.
	Sources    Sources `json:"sources,omitempty"`
	Walltime   float64 `json:"walltime"`    // seconds
	PeakMemory int64   `json:"peak_memory"` // bytes

	counted counted // documents that are not listed
}

// Document is what became of one document, or of an input that could not be read as one (Error says
// why).
type Document struct {
	Name       string               `json:"name"` // FILE or URL, members as FILE!/entry
	Format     string               `json:"format,omitempty"`
	Encoding   string               `json:"encoding,omitempty"`
	Base       string               `json:"base,omitempty"`
	Content    *digest.Content      `json:"content,omitempty"`
	Text       *digest.Text         `json:"text,omitempty"`
	Statements digest.Statements    `json:"statements"`
	Records    *records.Counts      `json:"records,omitempty"`  // where it was read for records, not statements
	Articles   *Articles            `json:"articles,omitempty"` // where it was read for those
	Sources    Sources              `json:"sources,omitempty"`  // of a page in HTML
	Notices    map[fault.Code]int64 `json:"notices"`
	Samples    []Sample             `json:"samples"` // the first of each code, in document order
	Error      *DocumentError       `json:"error,omitempty"`
	// WrittenTo is the file of its statements, where it has one of its own.
	WrittenTo string `json:"written_to,omitempty"`
	// Output says that it is no document: what was found in writing the output.
	Output bool `json:"output,omitempty"`

	// Findings counts the notices by code and severity, in order of first sight.
	Findings []Finding `json:"-"`
}

// Articles are counts of articles: Read = Kept + Empty. An empty one has no text.
type Articles struct {
	Read  int64 `json:"read"`
	Kept  int64 `json:"kept"`
	Empty int64 `json:"empty"`
	// Repeated ones are kept, but repeat an earlier one. They are counted for all documents together.
	Repeated int64 `json:"repeated,omitempty"`
	// Phases count the articles of each phase of the Spinn3r corpus by the month of their publication.
	Phases map[string]map[string]int64 `json:"phases,omitempty"`

	areDropped bool // repeated ones are not written
}

// addPhases adds the counts of others.
func (a *Articles) addPhases(of map[string]map[string]int64) {
	for phase, months := range of {
		if a.Phases == nil {
			a.Phases = map[string]map[string]int64{}
		}
		if a.Phases[phase] == nil {
			a.Phases[phase] = map[string]int64{}
		}
		for month, n := range months {
			a.Phases[phase][month] += n
		}
	}
}

// Sources divides the statements read of a page in HTML by where they are in it. The keys "RDFa", "Microdata"
// and "JSON-LD" are always there. "microformats" and the formats of further scripts, such as "Turtle", are there
// if the page has any, and "records" where a recipe makes statements of its records. The value "page" is for what was
// lost of the page as a whole, as by a broken connection. The map counts what Statements.Read does, kept, repaired and
// dropped ones, and their sum is that number. A statement that two sources say counts for each.
type Sources map[string]int64

// PageSource is the source of what belongs to none: the page as a whole.
const PageSource = "page"

// RecordsSource is the source of statements that are made of the records of a page.
const RecordsSource = "records"

// Add adds the counts of o to those of s, which it makes where there are none.
func (s *Sources) Add(o Sources) {
	for name, n := range o {
		if *s == nil {
			*s = Sources{}
		}
		(*s)[name] += n
	}
}

// String names the sources with their counts, as "5 RDFa, 3 Microdata, 0 JSON-LD".
func (s Sources) String() string {
	var parts []string
	for _, name := range slices.SortedFunc(maps.Keys(s), bySource) {
		parts = append(parts, strconv.FormatInt(s[name], 10)+" "+name)
	}
	return strings.Join(parts, ", ")
}

// bySource orders sources as a page is read for them: the four, other formats of scripts,
// and what is the page's.
func bySource(a, b string) int {
	place := func(name string) int {
		switch i := slices.Index([]string{"RDFa", "Microdata", "microformats", "JSON-LD"}, name); {
		case name == PageSource:
			return 5
		case i < 0:
			return 4
		default:
			return i
		}
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a, b))
}

// Sample is a notice that is shown for others of its code.
type Sample struct {
	fault.Notice
	// Passage is the text around it, where [Document.Quote] was asked for it.
	Passage *Passage `json:"-"`
}

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

// samplesByFinding counts the samples of a document by their kind.
func (d *Document) samplesByFinding() map[finding]int64 {
	counts := map[finding]int64{}
	for i := range d.Samples {
		n := &d.Samples[i].Notice
		counts[finding{n.Code, n.Severity}]++
	}
	return counts
}

// unshown are the findings of which not all are shown, and how many are not.
func (d *Document) unshown(shown map[finding]int64) (rest []Finding) {
	for _, f := range d.Findings {
		if f.Count -= shown[finding{f.Code, f.Severity}]; f.Count > 0 {
			rest = append(rest, f)
		}
	}
	return rest
}

// unshownText says in words how many findings of a kind are not shown.
func unshownText(f Finding) string {
	return fmt.Sprintf("and %d more of this kind, not shown", f.Count)
}

// isNotRDF says that the document holds no RDF, as a readme does. Beside others
// that do, that is no error.
func (d *Document) isNotRDF() bool { return d.Error != nil && d.Error.isNotRDF() }

// isNotRDF says so, or that a document which is read for records or articles is none that has any.
func (e *DocumentError) isNotRDF() bool {
	return e.Code == fault.FormatNotRDF || e.Code == fault.RecordFormat || e.Code == fault.TextFormat
}

// isContainer says that this is no document itself: an archive that was opened, of which only its
// own notices are given. One without any file counts as an empty document.
func (d *Document) isContainer() bool {
	return d.Error == nil && d.Format == "" && d.Content == nil && d.Notices[fault.FormatEmpty] == 0
}

// nothingWasRDF says that no document of the report holds RDF.
func (r *Report) nothingWasRDF() bool {
	if r.counted.rdf {
		return false
	}
	for i := range r.Documents {
		if d := &r.Documents[i]; !d.isNotRDF() && !d.isContainer() {
			return false
		}
	}
	return true
}

// ExitCode is that of the process, by the worst of the documents. It is 1 if one ended in an error,
// 3 if something was dropped, 7 if nothing at all was RDF, else 0.
func (r *Report) ExitCode() int {
	failed, dropped := r.counted.failed, r.counted.dropped
	for i := range r.Documents {
		d := &r.Documents[i]
		failed = failed || d.Error != nil && !d.isNotRDF()
		dropped = dropped || d.hasLoss()
	}
	switch {
	case failed:
		return 1
	case dropped:
		return 3
	case r.nothingWasRDF():
		return 7
	}
	return 0
}

// IsRead says that no document ended in an error, and something was what it was read for.
func (r *Report) IsRead() bool { code := r.ExitCode(); return code == 0 || code == 3 }

// hasLoss says that something of the document was dropped.
func (d *Document) hasLoss() bool {
	if d.Statements.Dropped > 0 || d.Records != nil && d.Records.Dropped > 0 {
		return true
	}
	for _, f := range d.Findings {
		if f.Severity == fault.Drop {
			return true
		}
	}
	return false
}
