package database

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/schema"
)

// SinkOptions say how records are put into a table.
type SinkOptions struct {
	Put     Put                // of all records; a record's own document goes before its Source
	Notices func(fault.Notice) // of the records, and of the table
	Temp    string             // the folder of what is held of keys
	Memory  int64              // for those, in bytes; 16 MiB by default
}

// Sink puts the records of a run into a table, in one transaction.
type Sink struct {
	taking
	done bool
}

// Sink begins a transaction, and opens the table.
func (d *Database) Sink(ctx context.Context, table string, shape Shape, opt SinkOptions) (*Sink, error) {
	tx, err := d.begin(ctx)
	if err != nil {
		return nil, err
	}
	s := &Sink{}
	if err := s.open(tx, table, rowPart, shape, opt); err != nil {
		tx.rollback()
		return nil, err
	}
	return s, nil
}

// Counts are those of the records so far.
func (s *Sink) Counts() Counts { return s.table.counts }

// Close writes what waits, and ends the transaction: all of it is there then.
func (s *Sink) Close() error {
	if s.done {
		return nil
	}
	if err := s.finish(); err != nil {
		s.Abort()
		return err
	}
	s.done = true
	s.finished()
	return s.table.tx.commit()
}

// Abort undoes all of it. It does nothing after Close.
func (s *Sink) Abort() {
	if !s.done {
		s.done = true
		s.finished()
		s.table.tx.rollback()
	}
}

// taking puts records into a table, of each key the first that comes.
type taking struct {
	table *Table
	opt   SinkOptions
	names []string     // of the key
	keys  *schema.Keys // that came, and with the sums of their records
	some  bool         // a record came
}

func (s *taking) open(tx *Tx, table string, of part, shape Shape, opt SinkOptions) (err error) {
	if opt.Notices == nil {
		opt.Notices = func(fault.Notice) {}
	}
	if opt.Memory <= 0 {
		opt.Memory = 16 << 20
	}
	s.opt, s.names = opt, shape.key()
	if s.table, err = tx.table(table, of, shape, opt.Notices); err != nil {
		return err
	}
	s.keys = schema.NewKeys(opt.Memory, opt.Temp)
	return nil
}

// Record puts a record into the table. Without a key, or with that of another record before it, it is lost.
func (s *taking) Record(r *records.Record) error {
	key, ok := schema.KeyText(r, s.names)
	if !ok && s.table.shape.KeyOrPage {
		key, ok = schema.KeyText(r, []string{DetailField})
	}
	if !ok {
		return s.keyless(r)
	}
	s.some = true
	sum := s.table.sumOf(r)
	isNew, err := s.keys.Add(key)
	if err != nil {
		return err
	}
	isOther, err := s.keys.Add(key + "\x00" + sum)
	switch {
	case err != nil:
		return err
	case !isNew && !isOther:
		s.table.counts.Same++
		return nil
	case !isNew:
		return s.lost(r, fault.RecordSameKey, fmt.Sprintf("an earlier record has the same %s, and says something else: %s",
			strings.Join(s.names, ", "), fault.Excerpt([]byte(key))))
	}
	put := s.opt.Put
	if r.Document != "" {
		put.Source = r.Document
	}
	return s.table.put(r, row{key: key, sum: sum, put: put})
}

func (s *taking) keyless(r *records.Record) error {
	for _, name := range s.names {
		if !s.some && r.Field(name) == nil {
			return &NoKeyError{s.names}
		}
	}
	return s.lost(r, fault.RecordNoKey, fmt.Sprintf("a record has no %s, and no place in the table", strings.Join(s.names, ", ")))
}

func (s *taking) lost(r *records.Record, code fault.Code, message string) error {
	s.opt.Notices(r.Notice(code, fault.Drop, message))
	return records.ErrLost
}

// Notice passes a finding on.
func (s *taking) Notice(n fault.Notice) { s.opt.Notices(n) }

func (s *taking) finish() error {
	if err := s.table.Flush(); err != nil || !s.table.isNew {
		return err
	}
	s.table.isNew = false
	return s.table.tx.join(s.table.base)
}

// finished lets go of the keys.
func (s *taking) finished() {
	if s.keys != nil {
		s.keys.Close()
		s.keys = nil
	}
}

// IsNoKey says that an error is that records can't be told apart.
func IsNoKey(err error) bool { return errors.As(err, new(*NoKeyError)) }
