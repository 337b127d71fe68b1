package recordset

import (
	"context"
	"errors"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/clean"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/records/spec"
	"laundromat/records/statements"
	"laundromat/states"
)

// CompileStatements compiles the part rdf of a spec; j is the whole spec, compiled. It is nil without the part.
func CompileStatements(s *spec.Spec, j *job.Job, opt statements.Options) (*statements.Mapping, error) {
	if s.RDF == nil {
		return nil, nil
	}
	opt.Type = j.FieldType
	return statements.Compile(s.RDF, opt)
}

// Statements is an Output that makes clean statements of records.
type Statements struct {
	Mapping *statements.Mapping
	Clean   clean.Options
	Target  states.Target
	// Keyed says that records may come after the end of their document. The KEY of its blank nodes is kept for them.
	Keyed bool
	// Findings takes those about statements.
	Findings func(fault.Notice)
	// Finish completes the target.
	Finish func() (digest.Statements, error)
	// Sums are those of the run, once it is closed.
	Sums digest.Statements

	document *statements.Document  // at work; nil before the first
	lines    states.DocumentTarget // where its lines go
	name     string
	key      string
	find     func() (string, error)
	counted  clean.Tally // what was told of the document's statements
}

// documentOutput is an Output that knows where documents begin and end.
type documentOutput interface {
	Output
	// Begin begins a document. key finds the KEY of its blank nodes until End returns.
	Begin(name string, key func() (string, error)) error
	// End says that the document was read. It counts the statements since Begin, or since the last End.
	End() (digest.Statements, error)
}

// Begin ends the document before, and begins another.
func (s *Statements) Begin(name string, key func() (string, error)) error {
	if err := s.done(); err != nil {
		return err
	}
	s.name, s.key, s.find, s.counted = name, "", key, clean.Tally{}
	var err error
	if s.lines, err = s.Target.Document(name, key); err != nil {
		return err
	}
	s.document, err = s.Mapping.Document(s.Clean, s.lines.Lines, s.Findings)
	return err
}

// Record makes the statements of a record.
func (s *Statements) Record(r *records.Record) error {
	if s.document == nil {
		return errors.New("a record came before its document")
	}
	return s.document.Record(r)
}

// Notice is not for an output.
func (s *Statements) Notice(fault.Notice) {}

// End says that the document was read.
func (s *Statements) End() (digest.Statements, error) {
	if s.document == nil {
		return digest.Statements{}, nil
	}
	now, last := s.document.Tally(), s.counted
	s.counted = now
	var err error
	if s.find != nil && (now.Keyed || s.Keyed) {
		s.key, err = s.find()
	}
	s.find = nil
	kept, repaired := now.Kept-last.Kept, now.Repaired-last.Repaired
	return digest.Statements{Read: now.Read - last.Read, Kept: kept, Repaired: repaired, Dropped: now.Dropped - last.Dropped,
		Written: kept + repaired}, err
}

// done ends the document at work.
func (s *Statements) done() error {
	if s.document == nil {
		return nil
	}
	tally := s.document.Close()
	s.document = nil
	key := s.key
	if !tally.Keyed {
		key = ""
	}
	return s.lines.Done(context.Background(), key, nil)
}

// Close completes the output.
func (s *Statements) Close() (err error) {
	if err = s.done(); err == nil {
		s.Sums, err = s.Finish()
	}
	return err
}

// Abort gives up an output that is not complete.
func (s *Statements) Abort() { s.Target.Close() }
