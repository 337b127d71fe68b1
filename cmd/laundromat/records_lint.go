package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/records/lint"
	"laundromat/records/spec"
	"laundromat/records/statements"
	"laundromat/states/recordset"
)

func recordsLintCommand(u *ui) *cobra.Command {
	var o lint.Options
	c := &cobra.Command{
		Use:   "lint SPEC [FILE…]",
		Short: "The faults of a spec, and the selectors that a page no longer fits",
		Long: "Lint compiles a spec and runs it over its fixtures: files that are kept beside it, in the folder\n" +
			"NAME.fixtures of NAME.yaml or in fixtures, each with the records that it should give in\n" +
			"FILE.expected.json. Where they differ, the selectors that fail are named, and the nearest that match.\n" +
			"FILEs are read in place of the fixtures.\n\n" +
			"Exit: 0 all fixtures give their records, 3 one does not or a selector fails, 2 the spec is wrong,\n" +
			"1 a file can't be read.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Inputs = args[1:]
			if o.Expected != "" && len(o.Inputs) != 1 {
				return usage("--expected is for one FILE, and there are %d", len(o.Inputs))
			}
			return runRecordsLint(c.Context(), u, args[0], o)
		},
	}
	c.Flags().StringVar(&o.Expected, "expected", "", "what FILE should give (default: FILE.expected.json beside it)")
	c.Flags().BoolVar(&o.Write, "write", false, "keep the records of now as those that are expected")
	return c
}

// lintFinding is a finding as JSON.
type lintFinding struct {
	File string `json:"file"`
	fault.Notice
}

func runRecordsLint(ctx context.Context, u *ui, file string, o lint.Options) error {
	o.Statements = recordset.LinesOf
	report, err := lint.Spec(ctx, file, o)
	if err == nil {
		err = checkStatements(file)
	}
	if u.json {
		if err := lintJSON(u, report, err); err != nil {
			return err
		}
	} else {
		for _, f := range report.Findings {
			if f.Severity > fault.Note || !u.quiet {
				fmt.Fprintf(u.out, "%s: %s: %s: %s\n", placed(f.File, f.Pos), f.Severity, f.Code, f.Message)
			}
		}
	}
	var wrong *spec.Error
	switch {
	case errors.As(err, &wrong):
		return usage("%w", err)
	case err != nil:
		return err
	}
	if !u.quiet && !u.json {
		fmt.Fprintf(u.err, "%s: fixtures: %d, with expected records: %d, right: %d\n",
			file, report.Fixtures, report.Expected, report.Right)
	}
	if report.Failed() {
		return exit(exitDropped, nil)
	}
	return nil
}

// checkStatements compiles the part rdf of a spec, if it has one.
func checkStatements(file string) error {
	whole, err := spec.Load(file)
	if err != nil || whole.RDF == nil {
		return err
	}
	_, err = statements.Compile(whole.RDF, statements.Options{})
	return err
}

// placed is a place in a file.
func placed(file string, pos fault.Pos) string {
	if pos.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, pos.Line, pos.Column)
}

// lintJSON writes a report as one object.
func lintJSON(u *ui, report *lint.Report, failed error) error {
	whole := struct {
		Fixtures int           `json:"fixtures"`
		Expected int           `json:"expected"`
		Right    int           `json:"right"`
		Records  int           `json:"records"`
		Findings []lintFinding `json:"findings"`
		Error    *lintError    `json:"error,omitempty"`
	}{report.Fixtures, report.Expected, report.Right, report.Records, []lintFinding{}, nil}
	for _, f := range report.Findings {
		whole.Findings = append(whole.Findings, lintFinding{f.File, f.Notice})
	}
	var wrong *spec.Error
	switch {
	case errors.As(failed, &wrong):
		whole.Error = &lintError{wrong.File, wrong.Line, wrong.Column, wrong.Message}
	case failed != nil:
		whole.Error = &lintError{Message: failed.Error()}
	}
	return encodeTo(u.out, whole)
}

// lintError is why a spec could not be used, as JSON.
type lintError struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}
