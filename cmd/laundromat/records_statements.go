package main

import (
	"cmp"
	"context"
	"os"
	"strings"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf/write"
	"laundromat/records/dump"
	"laundromat/states/outputs"
	"laundromat/states/recordset"
)

// statementsForm is the form in which statements are to be written, by --as or the name of the output; ok is false
// where records are.
func (o *recordsOptions) statementsForm(u *ui) (form outputs.Form, ok bool, err error) {
	named, isNamed := outputs.FormOf(o.output)
	for _, name := range o.as {
		if syntax, known := write.Of(name); known {
			form.Syntax, ok = syntax, true
		}
	}
	switch {
	case ok && len(o.as) > 1:
		return form, ok, usage("--as %s: statements are written alone, and not together with another format", strings.Join(o.as, ","))
	case ok && isNamed && named.Syntax != form.Syntax:
		return form, ok, usage("-o %s is named as %s, and --as says %s", o.output, named.Syntax.Extension(), o.as[0])
	case ok && !isNamed && dump.FormatOf(o.output) != "":
		return form, ok, usage("-o %s is named as %s, and --as says %s", o.output, dump.FormatOf(o.output), o.as[0])
	case len(o.as) == 0 && isNamed:
		form, ok = named, true
	case ok:
		form.Coding = named.Coding
	}
	if !ok {
		return form, false, nil
	}
	return form, ok, o.checkStatements()
}

// checkStatements refuses flags that say nothing of statements.
func (o *recordsOptions) checkStatements() error {
	switch {
	case !o.hasSpec() && o.schema != "":
		return usage("--schema is for records; the statements of a table follow its metadata: name that, with --metadata")
	case o.hasSpec() && (o.metadata != "" || o.csvw != ""):
		return usage("--metadata and --csvw are for tables without a spec")
	case o.places || o.csvSafe || o.descriptor != "":
		return usage("--places, --csv-safe and --package are for records, not for statements")
	}
	if info, err := os.Stat(o.output); strings.HasSuffix(o.output, "/") || err == nil && info.IsDir() {
		return usage("-o %s is a folder: name a file for the statements", o.output)
	}
	return nil
}

// hasSpec says that a spec is named, or given by a recipe.
func (o *recordsOptions) hasSpec() bool { return o.spec != "" || o.whole != nil && o.whole.Root != nil }

// runStatements writes the statements that are made of records.
func runStatements(ctx context.Context, u *ui, o *recordsOptions, form outputs.Form, args []string) error {
	if err := o.checkFolders(); err != nil {
		return err
	}
	given := len(args)
	args, err := expandFolders(u, args, o.output, o.report)
	if err != nil {
		return err
	}
	if given > 0 && len(args) == 0 {
		return exit(exitNoRDF, nil) // folders without files
	}
	r, err := newRecordsRun(u, o, args)
	if err != nil {
		return err
	}
	if !o.hasSpec() {
		return runTables(ctx, u, o, form, r)
	}
	if r.mapping == nil {
		return usage("%s has no part rdf, which says which statements are made of the records", cmp.Or(o.spec, "the spec of the recipe"))
	}
	if o.log != "" {
		r.options.Log = recordset.NewLog(o.log, r.spec, o.spec, o.accessed.Time)
	}
	out := &recordset.Statements{Mapping: r.mapping, Keyed: r.options.Job.Schema() != nil}
	out.Clean.Strict, out.Clean.Output = o.strict, form.CleanOutput()
	r.options.OutputName = "output"
	if o.output == "" || o.output == "-" {
		out.Target = r.prefixes.Stream(form, u.out)
	} else {
		r.options.OutputName, r.options.KeepsOld = o.output, !o.allowEmpty
		out.Target = r.prefixes.File(form, o.output)
	}
	r.sums = &out.Sums
	out.Finish = func() (digest.Statements, error) { return out.Target.Finish(ctx) }
	err = r.run(ctx, func(notice func(fault.Notice)) (recordsOutput, error) {
		out.Findings = notice
		return out, nil
	})
	return r.logged(err)
}
