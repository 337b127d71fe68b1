package main

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"laundromat/internal/linemerge"
	"laundromat/internal/outfile"
	"laundromat/states/inputs"
)

// uniqueOptions are the flags of unique.
type uniqueOptions struct {
	all     bool
	records string // a recipe, of whose documents the records are wanted
	output  string
	report  string
	temp    string
	memory  int64
	lines   outfile.Options
}

func uniqueCommand(u *ui) *cobra.Command {
	var o uniqueOptions
	c := &cobra.Command{
		Use:   "unique [flags] FILE|DIR… | --all | --records RECIPE",
		Short: "One sorted file of all statements that clean files hold, each once",
		Long: "Unique merges clean files (N-Quads or N-Triples as wash writes them, plain or in gzip) into one in which\n" +
			"each statement is once, and counts the statements that two files or more share. With --all they are the\n" +
			"clean files of the store. Of a DIR it takes all files whose names end in .nq, .nt, .nq.gz or .nt.gz.\n\n" +
			"With --records it is the records of all documents of a recipe: lines of JSON, sorted by their bytes, each once.\n\n" +
			"Files must be sorted, as clean ones are; one that is not is named, with its line. Files with blank nodes\n" +
			"that kept their labels are refused beside others: the same label would join nodes of two documents.",
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(args); err != nil {
				return err
			}
			if o.records != "" {
				return uniqueRecords(c.Context(), u, &o)
			}
			return runUnique(c.Context(), u, &o, args)
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.all, "all", false, "all clean files of the store (--data)")
	flags.StringVar(&o.records, "records", "", "the records of all documents of this RECIPE (--data)")
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE (.gz: in gzip), not to standard output")
	flags.StringVar(&o.report, "report", "", "write to this FILE, as JSON, how many lines each file has, and has alone")
	flags.StringVar(&o.temp, "temp", "", "folder for temporary files (default $TMPDIR)")
	o.memory = 512 << 20
	flags.Var(sizeValue{&o.memory}, "memory", "memory for the command as a whole")
	flags.IntVar(&o.lines.Workers, "workers", runtime.NumCPU(), "how many goroutines compress")
	flags.IntVar(&o.lines.Level, "level", 6, "compression, 1 (fast) to 9 (small)")
	return c
}

func (o *uniqueOptions) check(args []string) error {
	switch {
	case o.records != "" && (o.all || len(args) > 0):
		return usage("--records is of all documents of a recipe: name no other")
	case o.records != "" && o.report != "":
		return usage("--report is of clean files")
	case o.all && len(args) > 0:
		return usage("--all is all clean files of the store: name no other")
	case !o.all && o.records == "" && len(args) == 0:
		return usage("unique wants files, folders, --all or --records RECIPE")
	case o.memory < minMemory:
		return usage("--memory is %d bytes or more", minMemory)
	case o.lines.Level < 1 || o.lines.Level > 9:
		return usage("--level is 1 to 9")
	case o.lines.Workers < 1:
		return usage("--workers is 1 or more")
	}
	return nil
}

// uniqueReport is what --report and --json write.
type uniqueReport struct {
	Lines   int64        `json:"read"`
	Written int64        `json:"written"`
	Shared  int64        `json:"shared"`
	Files   []uniqueFile `json:"files,omitempty"`
}

type uniqueFile struct {
	Name  string `json:"name"`
	Lines int64  `json:"read"`
	Alone int64  `json:"alone"`
}

// outputMemory is what is left to the program and to who compresses.
const outputMemory = 48 << 20

func runUnique(ctx context.Context, u *ui, o *uniqueOptions, args []string) error {
	files, done, err := mergeable(ctx, u, o.all, args, o.output, o.report)
	if err != nil {
		return err
	}
	defer done()
	out := outfile.Stream(u.out)
	if o.output != "" && o.output != "-" {
		if out, err = o.lines.Create(o.output); err != nil {
			return err
		}
	}
	defer out.Abort()
	sums, err := linemerge.Merge(ctx, files, linemerge.Options{
		Memory: (o.memory - outputMemory) / 2, Temp: o.temp, Check: inputs.CheckStatement(len(files) > 1),
	}, out.Line)
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		return err
	}
	return tellUnique(u, o, files, sums)
}

// tellUnique writes the sums, and the report.
func tellUnique(u *ui, o *uniqueOptions, inputs []linemerge.Input, sums linemerge.Sums) error {
	report := uniqueReport{Lines: sums.Lines, Written: sums.Written, Shared: sums.Shared}
	if o.report != "" {
		report.Files = make([]uniqueFile, len(inputs))
		for i, input := range inputs {
			report.Files[i] = uniqueFile{Name: input.Name, Lines: sums.Inputs[i].Lines, Alone: sums.Inputs[i].Alone}
		}
		file, err := outfile.Create(o.report)
		if err != nil {
			return err
		}
		defer file.Abort()
		if err := errors.Join(json.NewEncoder(file).Encode(report), file.Close()); err != nil {
			return err
		}
		report.Files = nil
	}
	if u.json && o.output != "" && o.output != "-" {
		return encodeTo(u.out, report)
	}
	u.note("%s: %s read, %d written, %d of them in two files or more", counted(len(inputs), "file", "files"),
		counted(int(sums.Lines), "line", "lines"), sums.Written, sums.Shared)
	return nil
}
