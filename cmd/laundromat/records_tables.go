package main

import (
	"context"

	"laundromat/records"
	"laundromat/records/csvw"
	"laundromat/states/inputs"
	"laundromat/states/outputs"
	"laundromat/states/recordset"
)

// csvwModes are the modes of W3C's statements of tables.
var csvwModes = []string{"minimal", "standard"}

// runTables writes the statements of tables, by the metadata that describes them.
func runTables(ctx context.Context, u *ui, o *recordsOptions, form outputs.Form, r *recordsRun) error {
	defer r.tally.bar.stop()
	r.tally.whole.Records = &records.Counts{}
	if o.log != "" {
		r.options.Log = recordset.NewLog(o.log, r.spec, "", o.accessed.Time)
	}
	run := &recordset.Tables{
		Options: r.options, Source: r.options.Job.Source(), MaxMemory: o.memory / 2,
		CSVW: csvw.Options{Standard: o.csvw == "standard", Overriding: recordset.OverridingURL(o.metadata),
			Memory: o.memory / 8, Temp: o.temp},
		Opener: &inputs.DescribedTables{Opener: r.opener, Settings: o.reading(), Given: &o.given, HostDelay: o.hostDelay},
	}
	run.Clean.Strict, run.Clean.Output = o.strict, form.CleanOutput()
	if o.output == "" || o.output == "-" {
		run.Target = r.prefixes.Stream(form, u.out)
	} else {
		run.OutputName, run.KeepsOld = o.output, !o.allowEmpty
		run.Target = r.prefixes.File(form, o.output)
	}
	defer run.Target.Close()
	return r.logged(r.tables(ctx, run))
}

// tables reads all inputs and completes the output.
func (r *recordsRun) tables(ctx context.Context, run *recordset.Tables) error {
	if err := run.Read(ctx, r.args, r.opener); err != nil {
		return written(err)
	}
	r.tally.bar.say("writing")
	if err := run.Finish(ctx); err != nil {
		return written(err)
	}
	return r.tally.conclude(&run.Sums)
}
