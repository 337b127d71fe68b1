package recordset

import (
	"errors"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records"
	"laundromat/records/statements"
	"laundromat/states"
	"laundromat/states/recipe"
)

// mappedSink makes the statements of records, and passes these on.
type mappedSink struct {
	records.Sink
	statements *statements.Document // nil where none are wanted
	made       *states.StatementsMade
}

// begin begins the statements. A context that is wrong costs the statements alone.
func (s *mappedSink) begin(to *states.StatementsMaking, by *recipe.Recipe) (err error) {
	if to == nil || !by.HasStatements() {
		return nil
	}
	s.statements, err = by.Mapping(to.Contexts).Document(to.Clean, to.Lines, to.Notice)
	if fault.KindOf(err) == fault.Data && !errors.Is(err, format.ErrContextDue) {
		s.made.Failed = err
		return nil
	}
	return err
}

// end counts the statements.
func (s *mappedSink) end() {
	if s.statements != nil {
		s.made.Tally = s.statements.Close()
	}
}

// Record makes the statements of a record.
func (s *mappedSink) Record(r *records.Record) error {
	if s.statements != nil {
		switch err := s.statements.Record(r); {
		case errors.Is(err, records.ErrLost):
			s.made.WithoutNode++
		case err != nil:
			return &records.SinkError{Err: err}
		}
	}
	return s.Sink.Record(r)
}
