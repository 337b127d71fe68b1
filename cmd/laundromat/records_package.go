package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/job"
	"laundromat/records/schema"
	"laundromat/states/inputs"
	"laundromat/states/recordset"
)

// unpack names the descriptor in place of a zip that is a Data Package, and has its entries opened as files.
func (o *recordsOptions) unpack(ctx context.Context, args []string) (_ []string, err error) {
	isTold := o.hasSpec() || o.schema != "" || o.metadata != "" || o.given.Format != ""
	if len(args) != 1 || isTold || inputs.IsWeb(args[0]) || args[0] == "-" {
		return args, nil
	}
	var descriptor string
	o.unpacked, descriptor, err = inputs.Unpack(ctx, args[0], recordset.DescriptorName, o.temp, o.reading().Limits)
	if err != nil || o.unpacked == nil {
		return args, err
	}
	return []string{descriptor}, nil
}

// runPackage writes the records of all tables of a Data Package: in files of their own under a folder, else in one
// output, with the name of the table in each record if there are several.
func runPackage(ctx context.Context, u *ui, o *recordsOptions, args []string) error {
	switch {
	case len(args) > 1:
		return usage("a Data Package is read by itself: name no other input beside %s",
			args[slices.IndexFunc(args, recordset.IsDescriptor)])
	case o.schema != "":
		return usage("--schema is for tables without one; those of a Data Package have theirs")
	case o.log != "" || o.descriptor != "":
		return usage("--log and --package are not for a Data Package as an input")
	}
	files, err := o.files(u)
	if err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	r, err := newRecordsRun(u, o, args)
	if err != nil {
		return err
	}
	defer r.tally.bar.stop()
	r.tally.whole.Records = &records.Counts{}
	packaged := &recordset.Packaged{Options: r.options, Opener: r.opener, Name: args[0],
		Compiling: job.Options{Strict: o.strict, AllowEmpty: o.allowEmpty, AllTables: o.allTables, MaxMemory: o.memory / 2,
			SchemaOptions: schema.Options{KeyMemory: o.memory / 8, Temp: o.temp}},
		Loader: &inputs.DescribedTables{Opener: r.opener, Settings: o.reading(), Given: &o.given, HostDelay: o.hostDelay}}
	tables, others, err := packaged.Tables(ctx)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		u.note("%s: no tables, and passed over: %s", args[0], shortList(others))
	}
	if len(tables) == 0 {
		return exit(exitNoRDF, fmt.Errorf("%s: no resource of the Data Package is a table", args[0]))
	}
	if o.isFolder() {
		err = r.tablesApart(ctx, o, files, tables)
	} else {
		err = r.tablesTogether(ctx, o, files, tables)
	}
	if err != nil {
		return written(err)
	}
	return r.tally.conclude(nil)
}

// tablesApart writes each table into files of its own.
func (r *recordsRun) tablesApart(ctx context.Context, o *recordsOptions, files []dump.File, tables []*recordset.PackagedTable) error {
	taken := map[string]bool{}
	for i, t := range tables {
		name := fileNameOf(t.Name)
		if name == "" || taken[name] {
			name = fmt.Sprintf("table-%d", i+1)
		}
		taken[name] = true
		own := slices.Clone(files)
		for j := range own {
			own[j].Path = filepath.Join(o.output, name+"."+own[j].Format)
		}
		opt := o.dumping(t.Job, own)
		opt.Notices, opt.Stopped = func(fault.Notice) {}, ctx.Err
		out, err := dump.Open(opt)
		if err != nil {
			return err
		}
		err = t.Read(ctx, out, own[0].Path, !o.allowEmpty)
		out.Abort()
		if err != nil {
			return err
		}
	}
	return nil
}

// fileNameOf is the name of a resource as that of a file.
func fileNameOf(name string) string {
	return strings.Trim(strings.Map(func(c rune) rune {
		if c < ' ' || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '_'
		}
		return c
	}, name), ". ")
}

// tablesTogether writes all tables into one output.
func (r *recordsRun) tablesTogether(ctx context.Context, o *recordsOptions, files []dump.File, tables []*recordset.PackagedTable) error {
	opt := o.dumping(tables[0].Job, files)
	if len(tables) > 1 {
		opt.Fields, opt.Behind = nil, 0
	}
	opt.Notices, opt.Stopped = func(fault.Notice) {}, ctx.Err
	out, err := dump.Open(opt)
	if err != nil {
		return err
	}
	defer out.Abort()
	name := outputName(files)
	keepsOld := files[0].Path != "" && !o.allowEmpty
	if len(tables) == 1 {
		return tables[0].Read(ctx, out, name, keepsOld)
	}
	for _, t := range tables {
		if err := t.Read(ctx, &namedTable{Sink: out, name: t.Name}, name, false); err != nil {
			return err
		}
	}
	r.tally.bar.say("writing")
	if keepsOld && r.tally.whole.Records.Written == 0 && r.tally.whole.ExitCode() != exitOK {
		return errors.New("nothing is written, since no record was found; the former output stays (--allow-empty writes it all the same)")
	}
	return out.Close()
}

// namedTable puts the name of its table into each record.
type namedTable struct {
	records.Sink
	name string
	with records.Record
}

// Record passes a record on.
func (n *namedTable) Record(r *records.Record) error {
	fields := append(n.with.Fields[:0], records.Field{Name: "_table", Value: records.TextOf(n.name), Pos: r.Pos})
	n.with = *r
	n.with.Fields = append(fields, r.Fields...)
	return n.Sink.Record(&n.with)
}

// Close leaves the output to who opened it.
func (n *namedTable) Close() error { return nil }
