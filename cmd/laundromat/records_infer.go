package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"laundromat/internal/outfile"
	"laundromat/records/dump"
	"laundromat/records/schema"
)

func (p *program) recordsInferCommand() *cobra.Command {
	var o recordsOptions
	c := &cobra.Command{
		Use:   "infer [flags] FILE|URL|-…",
		Short: "The Table Schema that all records follow",
		Long: "Infer reads all records, as records does, and writes the Table Schema that they follow. Each field has the\n" +
			"first type that all its values are of; for the types before it, the value and line that decided against\n" +
			"it are given under \"inferred\". Records read the schema as it is: --schema FILE.\n\n" +
			"Exit: as of records.",
		RunE: func(c *cobra.Command, args []string) error { return p.recordsInfer(c.Context(), &o, args) },
	}
	flags := c.Flags()
	flags.StringVar(&o.spec, "spec", "", "the spec of the records, a FILE in YAML or JSON (default: records as they are)")
	flags.StringVarP(&o.output, "output", "o", "", "write the schema to this FILE")
	o.addReading(flags)
	return c
}

func (p *program) recordsInfer(ctx context.Context, o *recordsOptions, args []string) error {
	if err := o.checkRecords(); err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	r, args, err := p.newRecordsRun(o, args)
	if err != nil {
		return err
	}
	inference := schema.NewInference(nil)
	r.output = &inferred{inference, o.output, p.out}
	name := o.output
	if name == "" {
		name = "output"
	}
	return r.run(ctx, []dump.File{{Path: name}}, args)
}

// inferred is an output that writes a schema.
type inferred struct {
	*schema.Inference
	path string
	to   io.Writer
}

func (f *inferred) Abort() {}

// Close writes the schema.
func (f *inferred) Close() error {
	text := f.AppendJSON(nil)
	if f.path == "" || f.path == "-" {
		_, err := f.to.Write(text)
		return err
	}
	whole, err := outfile.Create(f.path)
	if err != nil {
		return err
	}
	defer whole.Abort()
	if _, err := whole.Write(text); err != nil {
		return err
	}
	return whole.Close()
}
