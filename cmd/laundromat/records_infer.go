package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/internal/outfile"
	"laundromat/records/spec"
	"laundromat/states/recordset"
)

func recordsInferCommand(u *ui) *cobra.Command {
	var o recordsOptions
	c := &cobra.Command{
		Use:   "infer [flags] FILE|URL|-…",
		Short: "The Table Schema that all records follow, or a spec that makes them typed",
		Long: "Infer reads all records, as records does, and writes the Table Schema that they follow. Each field has the\n" +
			"first type that all its values are of; for the types before it, the value and line that decided against\n" +
			"it are given under \"inferred\". So are ways to read texts as numbers or dates: decimal and group signs,\n" +
			"percent, currency, the order of day and month. Records read the schema as it is: --schema FILE.\n\n" +
			"--spec without a FILE writes a spec in place of the schema. It reads numbers and dates in the ways that\n" +
			"are certain, and names the others in comments: infer table.csv --spec -o spec.yaml.\n\n" +
			"Exit: as of records.",
		RunE: func(c *cobra.Command, args []string) error { return runRecordsInfer(c.Context(), u, &o, args) },
	}
	flags := c.Flags()
	flags.StringVar(&o.spec, "spec", "", "the spec of the records, a FILE in YAML or JSON (default: records as they are); without FILE: "+
		"write a spec")
	flags.BoolVar(&o.writeSpec, bareSpec, false, "write a spec")
	flags.MarkHidden(bareSpec)
	flags.StringVarP(&o.output, "output", "o", "", "write the schema or spec to this FILE")
	o.addReading(flags)
	return c
}

// bareSpec is the flag --spec of infer without a FILE.
const bareSpec = "write-spec"

// withBareSpec finds a --spec of infer that no FILE follows. A flag can't tell by itself.
func withBareSpec(args []string) []string {
	verb := slices.Index(args, "infer")
	if verb < 1 || !slices.Contains(args[:verb], "records") {
		return args
	}
	for i := verb + 1; i < len(args) && args[i] != "--"; i++ {
		if args[i] == "--spec" && (i+1 == len(args) || len(args[i+1]) > 1 && args[i+1][0] == '-') {
			args = slices.Clone(args)
			args[i] = "--" + bareSpec
		}
	}
	return args
}

func runRecordsInfer(ctx context.Context, u *ui, o *recordsOptions, args []string) error {
	if ending := strings.ToLower(filepath.Ext(o.spec)); len(args) == 0 && o.spec != "" && ending != ".yaml" && ending != ".yml" {
		if _, err := spec.Load(o.spec); err != nil { // --spec stands before the one input
			o.writeSpec, args, o.spec = true, []string{o.spec}, ""
		}
	}
	if o.writeSpec && o.spec != "" {
		return usage("a spec is written of records as they are, not by another spec")
	}
	if err := o.checkRecords(); err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	r, err := newRecordsRun(u, o, args)
	if err != nil {
		return err
	}
	if r.options.OutputName = o.output; o.output == "" {
		r.options.OutputName = "output"
	}
	return r.run(ctx, func(func(fault.Notice)) (recordsOutput, error) {
		return recordset.NewInferred(o.writeSpec, func(text []byte) error {
			if o.output == "" || o.output == "-" {
				_, err := u.out.Write(text)
				return err
			}
			return outfile.WriteFile(o.output, text)
		}), nil
	})
}
