package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/records/dump"
	"laundromat/records/reconcile"
	"laundromat/records/spec"
	"laundromat/report"
	"laundromat/states/recordset"
)

// mergeOptions are the flags of records merge.
type mergeOptions struct {
	recordsOptions
	pairs, judge, model string
}

func recordsMergeCommand(u *ui) *cobra.Command {
	var o mergeOptions
	c := &cobra.Command{
		Use:   "merge [flags] A [B]",
		Short: "Merge the records that are the same",
		Long: "Merge reads records as records does, finds those of A and B that are the same, or those within A, and merges\n" +
			"them. The part reconcile of the spec names the id of a record; all else is found out. No examples and no\n" +
			"threshold are needed. A merged record holds the records that it is made of in the field _merge, and\n" +
			"\"records undo --merge\" gives them back.\n\n" +
			"Exit: as of records; 1 and no output if an input could not be read to its end.",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error { return runRecordsMerge(c.Context(), u, &o, args) },
	}
	o.addRecords(c.Flags())
	c.Flags().StringVar(&o.pairs, "pairs", "", "write the pairs that are the same to this FILE, a line of JSON each, with score and reason")
	c.Flags().StringVar(&o.judge, "judge", "", "take a person's answers from this FILE if it is there, and write the questions to it "+
		"whose answers would change most")
	c.Flags().StringVar(&o.model, "model", "", "merge by what an earlier run learned and wrote to this FILE; if it is not there, "+
		"write to it what this one learns")
	return c
}

// readModel reads the model of an earlier run, if there is one.
func (o *mergeOptions) readModel() (*reconcile.Model, error) {
	if o.model == "" {
		return nil, nil
	}
	file, err := os.Open(o.model)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	model, err := reconcile.ReadModel(bufio.NewReader(file))
	if err != nil {
		return nil, usage("--model: %s: %w", o.model, err)
	}
	return model, nil
}

func runRecordsMerge(ctx context.Context, u *ui, o *mergeOptions, args []string) error {
	if err := o.checkRecords(); err != nil {
		return err
	}
	if o.spec == "" {
		return usage("records merge needs a spec with the part reconcile, which names the id of a record: name it, with --spec")
	}
	if _, ofStatements, err := o.statementsForm(u); err != nil {
		return err
	} else if ofStatements {
		return usage("records merge writes records, and not statements: make those of what it wrote, with records")
	}
	files, err := o.files(u)
	if err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	r, err := newRecordsRun(u, &o.recordsOptions, args)
	if err != nil {
		return err
	}
	if r.spec.Reconcile == nil {
		return usage("%s has no part reconcile, which names the id of a record", o.spec)
	}
	plan, err := reconcile.Compile(r.spec.Reconcile)
	if err == nil {
		err = plan.CheckFiles()
	}
	if err != nil {
		return usage("%w", err)
	}
	model, err := o.readModel()
	if err != nil {
		return err
	}
	if o.log != "" {
		r.options.Log = recordset.NewLog(o.log, r.spec, o.spec, o.accessed.Time)
	}
	r.options.OutputName = outputName(files)
	r.options.KeepsOld = files[0].Path != "" && !o.allowEmpty
	failed := false
	each := r.options.Each
	r.options.Each = func(d *report.Document) {
		failed = failed || d.Error != nil
		each(d)
	}
	err = r.run(ctx, func(notice func(fault.Notice)) (recordsOutput, error) {
		opt := o.dumping(r.options.Job, files)
		opt.Notices, opt.Stopped, opt.Fixed = notice, ctx.Err, false
		to, err := dump.Open(opt)
		if err != nil {
			return nil, err
		}
		out := &recordset.Merged{To: to, PairsPath: o.pairs, JudgePath: o.judge, Single: len(args) == 1, Notices: notice,
			Failed: func() bool { return failed },
			Told: func(result *reconcile.Result, written int64) {
				if !u.quiet {
					r.tally.bar.aside(func(w io.Writer) { tellMerged(w, result, written) })
				}
			}}
		if model == nil {
			out.ModelPath = o.model
		}
		answers, err := out.Begin(ctx)
		if err != nil {
			to.Abort()
			return nil, usage("--judge: %w", err)
		}
		out.Engine = reconcile.New(plan, reconcile.Options{Temp: o.temp, Memory: o.memory / 2, Workers: o.workers, Answers: answers,
			Model: model, Notices: notice})
		r.begin = out.Engine.Input
		return out, nil
	})
	var wrong *spec.Error
	if errors.As(err, &wrong) { // it does not fit the records
		err = usage("%w", err)
	}
	return r.logged(err)
}

// tellMerged says in two lines what was found.
func tellMerged(w io.Writer, result *reconcile.Result, written int64) {
	if result.Groups == 0 {
		fmt.Fprintf(w, "merged: nothing; %d of %d records written\n", written, result.Records)
		return
	}
	right := fmt.Sprintf("of which %.1f %% are expected to be right", 100*result.Precision)
	if result.Few {
		right = "too few to say how many are right"
	}
	fmt.Fprintf(w, "merged (%s): %d of %d records became %d, by %d pairs, %s; %d records written\n",
		result.Mode, result.Merged, result.Records, result.Groups, result.Pairs, right, written)
}
