package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/records/spec"
	"laundromat/report"
)

func (p *program) recordsUndoCommand() *cobra.Command {
	var o dump.UndoOptions
	var output, as string
	c := &cobra.Command{
		Use:   "undo FILE",
		Short: "Give the originals of what rules changed back",
		Long: "Undo reads a file of records that records wrote, as jsonl, json, csv or tsv, and writes it with the\n" +
			"originals of what rules changed: those under \"was\" in JSON, those of FILE.was.jsonl of a table. With\n" +
			"--rule only what that rule changed.\n\n" +
			"Exit: 0 done, 1 FILE is missing, broken, or not that which the originals are of.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return p.recordsUndo(c.Context(), args[0], o, output, as) },
	}
	flags := c.Flags()
	flags.StringVar(&o.Rule, "rule", "", "only what the rule of this NAME changed")
	flags.StringVar(&o.Was, "was", "", "the FILE of the originals of a table (default FILE.was.jsonl)")
	flags.StringVar(&o.Format, "format", "", "the format of FILE (default: by its name)")
	flags.StringVarP(&output, "output", "o", "", "write to this FILE")
	flags.StringVar(&as, "as", "", "the format of the output (default: by its name, else that of FILE)")
	return c
}

func (p *program) recordsUndo(ctx context.Context, file string, o dump.UndoOptions, output, as string) error {
	if o.Format == "" {
		o.Format = dump.FormatOf(file)
	}
	if !slices.Contains([]string{"jsonl", "json", "csv", "tsv"}, o.Format) {
		return usage("%s: originals are given back of jsonl, json, csv and tsv (see --format)", file)
	}
	if as == "" {
		if as = dump.FormatOf(output); as == "" {
			as = o.Format
		}
	}
	if !slices.Contains(dump.Formats(), as) {
		return usage("--as: there is no format %q%s", as, spec.Meant(as, dump.Formats()...))
	}
	to := dump.File{Format: as, Path: output}
	if output == "" || output == "-" {
		to = dump.File{Format: as, Writer: p.out}
	}
	collector := report.NewCollector(outputName([]dump.File{to}), report.SamplesShown)
	out, err := dump.Open(dump.Options{Files: []dump.File{to}, Stopped: ctx.Err, Notices: collector.Notice})
	if err != nil {
		return err
	}
	defer out.Abort()
	undone, err := dump.Undo(file, o, stoppable{ctx, out})
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return written(err)
	}
	if !p.quiet {
		if err := report.WriteFindings(p.err, collector.Document(), coloured(p.err)); err != nil {
			return err
		}
		if undone == 0 && o.Rule != "" {
			fmt.Fprintf(p.err, "%s: no field was changed by a rule of the name %q\n", file, o.Rule)
			return nil
		}
		fmt.Fprintf(p.err, "%s: fields given back: %d\n", file, undone)
	}
	return nil
}

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
