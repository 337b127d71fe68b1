// Package extract reads tables and trees as records: CSV and its kin, JSON, YAML, XML, the tables of
// pages, and workbooks (XLSX, OpenDocument, SpreadsheetML).
//
//	err := extract.Read(ctx, extract.Document{Name: "a.csv", Text: text}, extract.Options{}, sink)
//
// A document is UTF-8 text that was unpacked and decoded before, but for XLSX and ODS, which are read
// from their bytes. One record at a time flows into the sink. What is wrong with a row or item costs that alone, and
// is reported with its place. How an input is read is found out, and a [Source] overrules that.
package extract

import (
	"context"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/records"
)

// Document is what is read.
type Document struct {
	Name      string // as people know it: URI-or-FILE!/entry
	FileName  string // for the sake of its extension; Name if it is empty
	MediaType string // as a server says; may be empty
	// Text is the decoded text, in UTF-8.
	Text io.Reader
	// Raw is the bytes as they came, and Size how many: XLSX and ODS are read from them. Where Raw is
	// nil such a document is read into memory from Text.
	Raw  io.ReaderAt
	Size int64
	// Known is the format as it was found before; "" finds it out.
	Known string
	// Page is the document for several readers of pages; nil where this is the only one.
	Page *page.Shared
}

// Options of a reading; zero values mean what is said here.
type Options struct {
	// Source says how the input is read; nil finds all of it out.
	Source *Source
	// MaxRow is the longest row, in bytes: 16 MiB. Longer ones are dropped.
	MaxRow int
	// MaxItem is the largest record of a tree, in bytes of the text: 16 MiB. Larger ones are dropped.
	MaxItem int
	// MaxDepth is how deep lists and objects are nested in a tree: 500.
	MaxDepth int
	// MaxMemory bounds, in bytes, what is held whole: a page, a workbook in one file, the strings of others.
	// 256 MiB if 0.
	MaxMemory int64
	// AllTables reads every table of a page. Else those that Source does not name and that only lay the page out are
	// left out, and counted in a note.
	AllTables bool
	// Value takes the values of a document in JSON or YAML in place of records. An error ends
	// the reading.
	Value func(Whole) error
	// Items gives Value the items of a list that a document is, one by one.
	Items bool
}

func (o *Options) source() *Source {
	if o.Source == nil {
		return &Source{}
	}
	return o.Source
}

// Whole is a value of a document in JSON or YAML, as an object with a list in it.
type Whole struct {
	records.Value
	Pos      fault.Pos
	Repaired bool // it was mended
	// Begins are the offsets at which the objects in it begin, in order, if it was mended.
	Begins []int64
}

// format is a kind of document that can be read.
type format struct {
	name       string
	extensions []string
	mediaTypes []string
	raw        bool // it is read from bytes
	read       func(context.Context, *Document, *Options, records.Sink) error
}

// Read reads all records of a document. The error is a *records.SinkError if what they flow
// into failed; else reading the document failed, or ctx ended.
func Read(ctx context.Context, doc Document, opt Options, to records.Sink) error {
	name, evidence, err := doc.Format(opt.source())
	if err != nil {
		return err
	}
	f := formatNamed(name)
	if f == nil {
		return fault.New("extract.Read", fault.Data, fault.RecordFormat, "no format of tables or trees is found in it: %s", evidence)
	}
	to.Notice(fault.Notice{Code: fault.RecordFormat, Severity: fault.Note, Message: fmt.Sprintf("it is read as %s: %s", f.name, evidence)})
	return f.read(ctx, &doc, &opt, to)
}

// Format says which format the document is read in, and why. The document is as it was. One in a format of office
// programs that is not read is an error.
func (d *Document) Format(source *Source) (name, evidence string, err error) {
	if source != nil && source.Format != "" {
		return source.Format, "the spec says so", nil
	}
	head, err := d.peek()
	if err != nil {
		return "", "", err
	}
	if isZip(head) && d.Raw != nil {
		return packageFormat(d.Raw, d.Size)
	}
	if err := Foreign(head); err != nil {
		return "", "", err
	}
	name, evidence = Detect(d.fileName(), d.MediaType, head)
	if d.Known != "" && name != d.Known {
		name, evidence = d.Known, "its content is of that format"
	}
	return name, evidence, nil
}

func (d *Document) fileName() string {
	if d.FileName != "" {
		return d.FileName
	}
	return d.Name
}
