package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
	into "laundromat/records/database"
	"laundromat/states/recordset"
)

// runRecordsInto puts the records of a run into a table of a database, in one transaction.
func runRecordsInto(ctx context.Context, u *ui, o *recordsOptions, args []string) error {
	address, err := o.intoAddress()
	if err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	given := len(args)
	if args, err = expandFolders(u, args, o.report, o.log, address.File); err != nil {
		return err
	}
	if given > 0 && len(args) == 0 {
		return exit(exitNoRDF, nil) // folders without files
	}
	r, err := newRecordsRun(u, o, args)
	if err != nil {
		return err
	}
	shape := recordset.Shape(r.options.Job)
	if r.options.Job.Schema() != nil && shape.NamesNoKey() {
		return usage("--into: %w", &into.NoKeyError{Names: []string{"id"}})
	}
	var sink *into.Sink
	if o.log != "" {
		r.options.Log = recordset.NewLog(o.log, r.spec, o.spec, o.accessed.Time)
		r.options.Log.Into = func() int64 {
			if sink == nil {
				return 0
			}
			return sink.Counts().New
		}
	}
	r.options.OutputName = address.String()
	var db *into.Database
	defer func() {
		if db != nil {
			db.Close()
		}
	}()
	r.concluded = func() {
		r.tally.bar.aside(func(w io.Writer) { tellInto(w, address.String(), sink.Counts()) })
	}
	err = r.run(ctx, func(notice func(fault.Notice)) (recordsOutput, error) {
		var err error
		if db, err = into.Open(ctx, address); err != nil {
			return nil, err
		}
		sink, err = db.Sink(ctx, address.Table, shape, into.SinkOptions{Notices: notice, Temp: o.temp, Memory: o.memory / 8,
			Put: into.Put{At: o.accessed.Time, Order: into.Order(o.accessed.Time, "")}})
		return sink, err
	})
	if noKey := new(into.NoKeyError); errors.As(err, &noKey) {
		err = usage("--into: %w", noKey)
	}
	return r.logged(err)
}

// intoAddress reads --into, and refuses what has no meaning beside it.
func (o *recordsOptions) intoAddress() (into.Address, error) {
	address, err := into.ParseAddress(o.into)
	switch {
	case err != nil:
		return address, usage("--into %w", err)
	case o.output != "" || len(o.as) > 0 || o.descriptor != "":
		return address, usage("--into writes into a table: -o, --as and --package have no meaning beside it")
	}
	if address.Table == "" {
		address.Table = o.table
	}
	return address, nil
}

// tellInto says what became of the records.
func tellInto(w io.Writer, where string, c into.Counts) {
	fmt.Fprintf(w, "%s: %d new, %d changed, %d the same", where, c.New, c.Changed, c.Same)
	if c.Older > 0 {
		fmt.Fprintf(w, ", %d older than what is there", c.Older)
	}
	fmt.Fprintln(w)
}
