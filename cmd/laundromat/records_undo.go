package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/reconcile"
	"laundromat/records/spec"
	"laundromat/report"
)

// undoOptions are the flags of records undo.
type undoOptions struct {
	dump.UndoOptions
	output, as string
	merge      bool
}

func recordsUndoCommand(u *ui) *cobra.Command {
	var o undoOptions
	c := &cobra.Command{
		Use:   "undo FILE",
		Short: "Give the originals of what rules changed back",
		Long: "Undo reads a file of records that records wrote, as jsonl, json, csv or tsv, and writes it with the\n" +
			"originals of what rules changed: those under \"was\" in JSON, those of FILE.was.jsonl of a table. With\n" +
			"--rule only what that rule changed. With --merge it gives the records back that records merge merged.\n\n" +
			"Exit: 0 done, 1 FILE is missing, broken, or not that which the originals are of.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return runRecordsUndo(c.Context(), u, args[0], o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.Rule, "rule", "", "only what the rule of this NAME changed")
	flags.BoolVar(&o.merge, "merge", false, "give the records back that were merged, each in its place of before")
	flags.StringVar(&o.Was, "was", "", "the FILE of the originals of a table (default FILE.was.jsonl)")
	flags.StringVar(&o.Format, "format", "", "the format of FILE (default: by its name)")
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE")
	flags.StringVar(&o.as, "as", "", "the format of the output (default: by its name, else that of FILE)")
	return c
}

func runRecordsUndo(ctx context.Context, u *ui, file string, o undoOptions) error {
	if o.merge && o.Rule != "" {
		return usage("--merge gives records back, and --rule fields: give one of them")
	}
	if o.Format == "" {
		o.Format = dump.FormatOf(file)
	}
	if !slices.Contains([]string{"jsonl", "json", "csv", "tsv"}, o.Format) {
		return usage("%s: originals are given back of jsonl, json, csv and tsv (see --format)", file)
	}
	if o.as == "" {
		if o.as = dump.FormatOf(o.output); o.as == "" {
			o.as = o.Format
		}
	}
	if !slices.Contains(dump.Formats(), o.as) {
		return usage("--as: there is no format %q%s", o.as, spec.Meant(o.as, dump.Formats()...))
	}
	to := dump.File{Format: o.as, Path: o.output}
	if o.output == "" || o.output == "-" {
		to = dump.File{Format: o.as, Writer: u.out}
	}
	collector := report.NewCollector(outputName([]dump.File{to}), report.SamplesShown)
	out, err := dump.Open(dump.Options{Files: []dump.File{to}, Stopped: ctx.Err, Notices: collector.Notice})
	if err != nil {
		return err
	}
	defer out.Abort()
	undone, err := o.undo(file, stoppable{ctx, out})
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return written(err)
	}
	if !u.quiet {
		if err := report.WriteFindings(u.err, collector.Document(), coloured(u.err)); err != nil {
			return err
		}
		if undone == 0 && o.Rule != "" {
			fmt.Fprintf(u.err, "%s: no field was changed by a rule of the name %q\n", file, o.Rule)
			return nil
		}
		if o.merge {
			fmt.Fprintf(u.err, "%s: records given back: %d\n", file, undone)
			return nil
		}
		fmt.Fprintf(u.err, "%s: fields given back: %d\n", file, undone)
	}
	return nil
}

// undo passes on what is given back, and counts it: fields, or records that were merged.
func (o *undoOptions) undo(file string, to records.Sink) (int64, error) {
	if !o.merge {
		return dump.Undo(file, o.UndoOptions, to)
	}
	o.AsIs = true
	u := &reconcile.Unmerger{To: to.Record, Parse: dump.ReadJSON}
	if _, err := dump.Undo(file, o.UndoOptions, unmerging{u, to}); err != nil {
		return 0, err
	}
	return u.Originals, u.Close()
}

// unmerging is a sink that gives records back that were merged.
type unmerging struct {
	*reconcile.Unmerger
	to records.Sink
}

// Record takes a record, which the Unmerger may pass on at once.
func (s unmerging) Record(r *records.Record) error { return s.Unmerger.Record(r) }

// Notice passes a finding on.
func (s unmerging) Notice(n fault.Notice) { s.to.Notice(n) }

// stoppable is a sink that ends with a context.
type stoppable struct {
	ctx context.Context
	records.Sink
}

func (s stoppable) Record(r *records.Record) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return s.Sink.Record(r)
}
