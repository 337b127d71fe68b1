package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/internal/linemerge"
	"laundromat/internal/outfile"
	"laundromat/rdf"
	"laundromat/rdf/columns"
	"laundromat/rdf/format"
)

// parquetOptions are the flags of parquet.
type parquetOptions struct {
	all     bool
	records string // a recipe, of whose documents the records are wanted
	output  string
	group   int64
}

func parquetCommand(u *ui) *cobra.Command {
	o := parquetOptions{group: columns.GroupBytes}
	c := &cobra.Command{
		Use:   "parquet [flags] FILE|DIR… | --all | --records RECIPE -o FILE",
		Short: "Clean files as one table in Parquet, a statement per row",
		Long: "Parquet writes the statements of clean files (N-Quads or N-Triples as wash writes them, plain or in gzip) as one\n" +
			"table, a row each, in the order of the files. With --all they are the clean files of the store. Of a DIR it takes\n" +
			"all files whose names end in .nq, .nt, .nq.gz or .nt.gz. DuckDB, Spark, ClickHouse and pandas read the table as it is.\n\n" +
			"Columns: dataset (the file's name; with --all the key of the clean file), graph, subject, predicate, object,\n" +
			"kind (iri, blank, literal, triple), language, direction, datatype.\n\n" +
			"With --records it is the records of all documents of a recipe, a row each, with the columns that they have.",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case o.records != "" && (o.all || len(args) > 0):
				return usage("--records is of all documents of a recipe: name no other")
			case o.all && len(args) > 0:
				return usage("--all is all clean files of the store: name no other")
			case !o.all && o.records == "" && len(args) == 0:
				return usage("parquet wants files, folders, --all or --records RECIPE")
			case o.output == "" || o.output == "-":
				return usage("parquet wants -o FILE: the format can't be written to a stream")
			case o.group < 1<<20:
				return usage("--group is 1M or more")
			}
			if o.records != "" {
				if err := refuseIdle(c, "on records", "group"); err != nil {
					return err
				}
				t, err := openTable(c.Context(), u, o.records, "parquet", false)
				if err != nil {
					return err
				}
				return t.writeTo("parquet", o.output)
			}
			return runParquet(c.Context(), u, &o, args)
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.all, "all", false, "all clean files of the store (--data)")
	flags.StringVar(&o.records, "records", "", "the records of all documents of this RECIPE (--data)")
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE")
	flags.Var(sizeValue{&o.group}, "group", "size of a group of rows, of text before it is packed; memory is up to twice as much")
	return c
}

func runParquet(ctx context.Context, u *ui, o *parquetOptions, args []string) error {
	if err := columns.Available(); err != nil {
		return err
	}
	inputs, done, err := mergeable(ctx, u, o.all, args, o.output)
	if err != nil {
		return err
	}
	defer done()
	file, err := outfile.Create(o.output)
	if err != nil {
		return err
	}
	defer file.Abort()
	table, err := columns.NewWriter(file, columns.Options{GroupBytes: o.group, Creator: "laundromat " + version().String()})
	if err != nil {
		return err
	}
	for _, input := range inputs {
		if err := addRows(ctx, table, input); err != nil {
			return fmt.Errorf("%s: %w", input.Name, err)
		}
	}
	if err := errors.Join(table.Close(), file.Close()); err != nil {
		return err
	}
	if u.json {
		return encodeTo(u.out, map[string]int64{"files": int64(len(inputs)), "rows": table.Rows()})
	}
	u.note("%s: %s in %s", counted(len(inputs), "file", "files"), counted(int(table.Rows()), "statement", "statements"), o.output)
	return nil
}

// addRows reads a clean file into the table.
func addRows(ctx context.Context, table *columns.Writer, input linemerge.Input) error {
	in, err := input.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	table.Dataset(input.Name)
	_, err = format.Parse(ctx, format.NQuads, in, format.Options{}, table)
	if failed := new(rdf.SinkError); errors.As(err, &failed) {
		err = failed.Err
	}
	if lost := table.Lost(); lost != nil {
		return fmt.Errorf("this isn't a clean file: %w", lost)
	}
	return err
}
