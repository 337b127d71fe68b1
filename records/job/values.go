package job

import (
	"context"
	"slices"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/extract"
	"laundromat/records/match"
)

// values takes the values of a document in JSON or YAML, and makes the records that select asks
// for of each. It gives the repairs of a value to the records that they lie in.
type values struct {
	matcher  *match.Matcher
	ctx      context.Context
	document match.Document
	to       records.Sink
	repairs  []fault.Notice // of the value that is read
	read     int            // values so far
	made     int64          // records of them, lost ones too
	names    []string       // in the first value
}

// Record is never called: values come in place of records.
func (s *values) Record(r *records.Record) error { return s.to.Record(r) }

// Notice holds repairs until their value is there.
func (s *values) Notice(n fault.Notice) {
	if n.Severity == fault.Repair {
		s.repairs = append(s.repairs, n)
		return
	}
	s.to.Notice(n)
}

// take makes the records of a value.
func (s *values) take(v extract.Whole) error {
	if s.read++; s.read == 1 {
		s.names = namesOf(v.Fields)
	}
	if !v.Repaired {
		s.end()
		counts, err := s.matcher.Value(s.ctx, s.document, v.Value, v.Pos, s.to)
		s.made += counts.Read
		return err
	}
	slices.SortStableFunc(s.repairs, func(a, b fault.Notice) int { return int(a.Offset - b.Offset) })
	mended := &mended{values: s, whole: !s.matcher.IsList(), begins: v.Begins}
	counts, err := s.matcher.Value(s.ctx, s.document, v.Value, v.Pos, mended)
	s.made += counts.Read
	if err == nil {
		err = mended.flush()
	}
	s.end()
	return err
}

// end tells the repairs that belong to no record.
func (s *values) end() {
	for _, n := range s.repairs {
		s.to.Notice(n)
	}
	s.repairs = s.repairs[:0]
}

// mended is a sink for the records of a value that was mended. A record goes from its place to that
// of the next one, so each is held until the next comes.
type mended struct {
	*values
	whole  bool    // the value is one record
	begins []int64 // the offsets of objects
	held   *records.Record
	after  []fault.Notice // findings behind the record
}

func (m *mended) Notice(n fault.Notice) {
	if m.held == nil {
		m.to.Notice(n)
		return
	}
	m.after = append(m.after, n)
}

func (m *mended) Record(r *records.Record) error {
	from := r.Pos.Offset // of the value of the first member; the object that has it begins before
	if i, _ := slices.BinarySearch(m.begins, from); i > 0 && len(r.Fields) > 0 {
		from = m.begins[i-1]
	}
	if m.held == nil {
		for !m.whole && len(m.repairs) > 0 && m.repairs[0].Offset < from {
			m.to.Notice(m.repairs[0]) // before the first record: of the document
			m.repairs = m.repairs[1:]
		}
	}
	if err := m.give(from); err != nil {
		return err
	}
	m.held = r.Clone()
	return nil
}

// give passes the record on that is held, with the repairs before the next.
func (m *mended) give(next int64) error {
	r := m.held
	if r == nil {
		return nil
	}
	for len(m.repairs) > 0 && m.repairs[0].Offset < next {
		r.Repaired = true
		m.to.Notice(m.repairs[0])
		m.repairs = m.repairs[1:]
	}
	m.held = nil
	if err := m.to.Record(r); err != nil {
		return err
	}
	for _, n := range m.after {
		m.to.Notice(n)
	}
	m.after = m.after[:0]
	return nil
}

func (m *mended) flush() error { return m.give(1 << 62) }
