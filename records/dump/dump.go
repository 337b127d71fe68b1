// Package dump writes records into files, of several formats in one pass.
//
// [Open] gives a sink for records; Close completes the files, and only then do they take
// their names. Formats without columns (jsonl) are written as the records come. The others
// need to know all columns and what is in them. So the rows are held first, in a temporary
// file if they are many, and written by Close. Where the columns are known beforehand
// ([Options.Fixed]) and need no types, they are written as they come too.
//
//	sink, err := dump.Open(dump.Options{Files: []dump.File{{Format: "csv", Path: "out.csv"}}})
//	…                    // sink.Record for each record
//	err = sink.Close()   // out.csv is there, whole
//
// [Undo] reads a file that was written so, and gives what rules changed back.
package dump

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Options say what is written where. Only Files must be set.
type Options struct {
	Files []File
	// Fields are the columns that are known, in order, as a schema has them.
	Fields []Column
	// Behind is how many of Fields, from the last, come after the columns of fields with other
	// names. The others come before them.
	Behind int
	// Fixed promises that no record has a field of another name than those of Fields, each
	// once. So rows of formats without types are written as they come.
	Fixed bool
	// Safe writes an apostrophe before text in CSV and TSV that a spreadsheet takes for a formula.
	Safe bool
	// Places adds the fields _source, _line and _element to each record.
	Places bool
	// Table is the name of the table in SQLite and of the sheet in XLSX; "records" if empty.
	Table string
	// Package is the path of the Data Package descriptor to write; empty for none.
	Package string
	// Stopped is asked, while Close writes the rows that were held, whether it is to stop. An error
	// ends it, and no file takes its name. If Stopped is nil, it goes on.
	Stopped func() error
	// Notices takes the findings, of the records and of the writing; nil drops them.
	Notices func(fault.Notice)

	Temp       string // the folder of what is held; the system's if empty
	MaxTemp    int64  // the most bytes held there; 0 for no limit but the disk's
	MaxColumns int    // the most columns of any table; 0 for no limit but those of the formats
}

// File is a file to write.
type File struct {
	Format string // one of those of [Formats]
	Path   string
	// Writer is written to in place of a path, as standard output is. Originals then go
	// to Was.
	Writer io.Writer
	// Was takes the originals of what rules changed, for a flat format with a Writer.
	Was io.Writer
}

// Column is a field that is known beforehand.
type Column struct {
	Name string
	// Type is a type of Table Schema; empty or "any" where what is in the column decides.
	Type string
}

// Sink writes records into files.
type Sink struct {
	opt     Options
	outputs []*output
	table   *table // nil if no file has columns
	spool   *spool // nil if rows are written as they come
	places  records.Record
	wasSeen bool
	moved   []string // names of places that fields had
	done    bool
}

// output is a file while it is written.
type output struct {
	format *format
	file   File
	target *target
	rows   rowWriter    // nil before the columns are known, and for records without columns
	whole  recordWriter // nil for a format with columns
	was    *originals
	err    error
}

// rowWriter writes the rows of a format that has columns.
type rowWriter interface {
	row(r *row) error
	// close completes what is written; the target is the caller's to complete.
	close() error
}

// recordWriter writes the records of a format without columns.
type recordWriter interface {
	record(r *records.Record) error
	// close completes what is written; the target is the caller's to complete.
	close() error
}

// Open begins to write files. A format that this program is built without is refused.
func Open(opt Options) (*Sink, error) {
	if opt.Table == "" {
		opt.Table = "records"
	}
	if opt.Notices == nil {
		opt.Notices = func(fault.Notice) {}
	}
	s := &Sink{opt: opt}
	if err := s.open(); err != nil {
		s.Abort()
		return nil, err
	}
	return s, nil
}

func (s *Sink) open() error {
	chosen := make([]*format, len(s.opt.Files))
	var all traits
	for i, file := range s.opt.Files {
		var err error
		if chosen[i], err = formatNamed(file.Format); err != nil {
			return err
		}
		all.add(chosen[i])
		for _, other := range s.opt.Files[:i] {
			if file.Writer == nil && other.Writer == nil && filepath.Clean(file.Path) == filepath.Clean(other.Path) {
				return fmt.Errorf("%s is to be written twice", file.Path)
			}
		}
	}
	if all.columns || s.opt.Package != "" {
		s.table = newTable(s.opt, all)
	}
	for i, file := range s.opt.Files {
		target, err := createTarget(file, s.opt.Temp)
		if err != nil {
			return err
		}
		o := &output{format: chosen[i], file: file, target: target}
		s.outputs = append(s.outputs, o)
		if o.format.records != nil {
			o.whole = o.format.records(o, s.opt.Notices)
		}
	}
	switch {
	case !all.columns:
		return nil
	case s.opt.Fixed && len(s.opt.Fields) > 0 && (!all.typed || textOnly(s.opt.Fields)):
		s.table.fixed = true
		return s.begin()
	}
	s.spool = newSpool(s.opt.Temp, s.opt.MaxTemp)
	return nil
}

// begin opens the writers of rows, when the columns are known.
func (s *Sink) begin() error {
	var failed error
	for _, o := range s.outputs {
		if o.format.open == nil || o.err != nil {
			continue
		}
		if n := len(s.table.columns); n > o.format.most {
			o.err = fault.New("dump.Close", fault.Limit, fault.LimitColumns, "a table of %s has at most %d columns, and this one %d",
				o.format.name, o.format.most, n)
			failed = errors.Join(failed, o.err)
			continue
		}
		o.was = &originals{target: o.target, to: o.file.Was, tell: s.opt.Notices}
		o.rows, o.err = o.format.open(o, s.table)
		failed = errors.Join(failed, o.err)
	}
	return failed
}

// Record writes a record. An error speaks of the disk, or of a limit.
func (s *Sink) Record(r *records.Record) error {
	if s.opt.Places {
		r = s.withPlaces(r)
	}
	var row *row
	if s.table != nil {
		var err error
		if row, err = s.table.observe(r); err != nil {
			return err
		}
	}
	for _, o := range s.outputs {
		switch {
		case o.whole != nil:
			s.tellReservedName(r)
			if err := o.whole.record(r); err != nil {
				return err
			}
		case s.spool == nil:
			if err := o.rows.row(row); err != nil {
				return err
			}
		}
	}
	if s.spool != nil {
		return s.spool.add(row)
	}
	return nil
}

// Header makes columns of the fields that a table's header names, so that one in which no record has a value is
// written too. It does nothing where columns are known by [Options].Fields.
func (s *Sink) Header(h *records.Header) {
	if s.table == nil || len(s.opt.Fields) > 0 {
		return
	}
	for _, name := range h.Names {
		name = validUTF8(name)
		if _, known := s.table.index[name]; !known && name != "" && len(s.table.columns) < s.table.most {
			s.table.add(name)
		}
	}
}

// Notice passes a finding on.
func (s *Sink) Notice(n fault.Notice) { s.opt.Notices(n) }

// withPlaces is the record with the fields that say where it comes from.
func (s *Sink) withPlaces(r *records.Record) *records.Record {
	p := &s.places
	*p = records.Record{Fields: append(p.Fields[:0], r.Fields...), Was: r.Was, Document: r.Document,
		Table: r.Table, Pos: r.Pos, Element: r.Element}
	s.moveAside(p)
	if r.Document != "" {
		p.Set("_source", records.TextOf(r.Document))
	}
	if r.Pos.Line > 0 {
		p.Set("_line", records.IntOf(r.Pos.Line))
	}
	if r.Element != "" {
		p.Set("_element", records.TextOf(r.Element))
	}
	return p
}

// moveAside gives other names to fields that have those of places.
func (s *Sink) moveAside(p *records.Record) {
	for _, name := range placeNames {
		f := p.Field(name)
		if f == nil {
			continue
		}
		found := p.FieldNotice(f, fault.DumpReserved, fault.Warning, "")
		p.Was = slices.Clone(p.Was)
		as, _ := p.MoveAside(name)
		if slices.Contains(s.moved, name) {
			continue
		}
		s.moved = append(s.moved, name)
		found.Message = fmt.Sprintf("the field %q has a name under which places are written; it is written as %q", name, as)
		s.opt.Notices(found)
	}
}

func (s *Sink) tellReservedName(r *records.Record) {
	if s.wasSeen {
		return
	}
	if f := r.Field("was"); f != nil {
		s.wasSeen = true
		s.opt.Notices(r.FieldNotice(f, fault.DumpReserved, fault.Warning,
			`the field "was" has the name under which originals are kept in JSON lines`))
	}
}

// Close completes the files, which then take their names. A file that fails leaves nothing,
// and does not keep the others from theirs.
func (s *Sink) Close() error {
	if s.done {
		return nil
	}
	if s.spool != nil {
		s.table.decide()
		places := s.table.arrange()
		s.begin() // failures are those of the outputs
		if err := s.spool.each(places, s.replay); err != nil {
			s.Abort()
			return err
		}
	}
	if s.table != nil {
		s.table.tellMerged()
	}
	s.done = true
	s.spool.close()
	var failed error
	for _, o := range s.outputs {
		if o.err == nil {
			o.err = o.finish()
		}
		if o.err != nil {
			o.abort()
			failed = errors.Join(failed, fmt.Errorf("write %s: %w", o.name(), o.err))
		}
	}
	if s.opt.Package != "" && failed == nil {
		failed = s.writePackage()
	}
	return failed
}

// replay gives a held row to all files that have not failed.
func (s *Sink) replay(r *row) error {
	if s.opt.Stopped != nil {
		if err := s.opt.Stopped(); err != nil {
			return err
		}
	}
	for _, o := range s.outputs {
		if o.rows != nil && o.err == nil {
			o.err = o.rows.row(r)
		}
	}
	return nil
}

// name is the file's name in errors.
func (o *output) name() string {
	if o.file.Writer != nil {
		return o.format.name
	}
	return o.file.Path
}

// finish completes a file and the one of its originals.
func (o *output) finish() error {
	if o.whole != nil {
		if err := o.whole.close(); err != nil {
			return err
		}
	}
	if o.rows != nil {
		if err := o.rows.close(); err != nil {
			return err
		}
	}
	if err := o.target.complete(); err != nil {
		return err
	}
	if o.was != nil {
		if err := o.was.complete(filepath.Base(o.file.Path)); err != nil {
			return err
		}
	}
	if err := o.target.rename(); err != nil {
		return err
	}
	if o.was != nil {
		return o.was.rename()
	}
	return nil
}

func (o *output) abort() {
	if c, ok := o.rows.(io.Closer); ok {
		c.Close()
	}
	o.target.abort()
	if o.was != nil {
		o.was.abort()
	}
}

// Abort removes what was written, unless Close was called.
func (s *Sink) Abort() {
	if s.done {
		return
	}
	s.done = true
	s.spool.close()
	for _, o := range s.outputs {
		o.abort()
	}
}
