package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/outfile"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/rdf/write"
	"laundromat/report"
	"laundromat/states"
)

// replacement is a run of wash in the place of another program, as scripts call it: with its flags,
// closing lines and exit codes. Data go to stdout as they are read, neither sorted nor unique. Blank
// nodes stay blank nodes and literals as they were written, as in those programs.
//
// Notes are not written: what they speak of is not changed here.
type replacement struct {
	*ui
	name     string // of the other program
	options  washOptions
	triples  bool // N-Triples are asked for
	dry      bool // nothing is written
	compress bool
	silent   []fault.Severity // findings that are not written
	refused  string           // why a flag that was given is not served
	files    []string
}

// replacing makes the verb that runs in the place of another program. Its flags are not ours,
// not even -q and -v, so that it reads its arguments by itself.
func replacing(u *ui, c *cobra.Command, run func(ctx context.Context, u *ui, args []string) error) *cobra.Command {
	c.DisableFlagParsing = true
	c.RunE = func(c *cobra.Command, args []string) error { return run(c.Context(), u, args) }
	return c
}

// newReplacement holds the options of wash as they are without any flag, except for
// what those programs do otherwise.
func newReplacement(u *ui, name string) *replacement {
	r := &replacement{ui: u, name: name, silent: []fault.Severity{fault.Note}}
	r.options.addReading(&cobra.Command{})
	r.options.blankNodes, r.options.literals = "keep", "keep"
	r.options.noSort, r.options.level = true, 6
	return r
}

// flags is an empty set of flags of the other program.
func (r *replacement) flags() *pflag.FlagSet {
	flags := pflag.NewFlagSet(r.name, pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.SortFlags = false
	return flags
}

// refuse adds a flag that is known by name, and is an error if it is given: it asks
// for what is not done here.
func (r *replacement) refuse(flags *pflag.FlagSet, name, letter, why string) {
	flag := flags.VarPF(refusal(func() {
		if r.refused == "" {
			r.refused = "--" + name + " is not served: " + why
		}
	}), name, letter, "")
	flag.Hidden, flag.NoOptDefVal = true, " "
}

// refusal is the value of a flag that is refused; setting it calls the function.
type refusal func()

func (f refusal) Set(string) error { f(); return nil }
func (refusal) String() string     { return "" }
func (refusal) Type() string       { return "" }

// parse reads the arguments; help says that its own help was asked for, and written.
func (r *replacement) parse(flags *pflag.FlagSet, synopsis string, args []string) (help bool, err error) {
	help = slices.Contains(args, "--help") || slices.Contains(args, "-h")
	if help {
		_, err := fmt.Fprintf(r.out, "Usage:\n  laundromat %s\n\nFlags:\n%s", synopsis, flags.FlagUsages())
		return true, err
	}
	if err := flags.Parse(args); err != nil {
		return false, usage("%s: %w (see \"laundromat %s --help\")", r.name, err, r.name)
	}
	if r.refused != "" {
		return false, usage("%s: %s", r.name, r.refused)
	}
	r.files = flags.Args()
	return false, nil
}

// output settles the format that is written, which is asked for by flag.
func (r *replacement) output(flag, name string) error {
	switch f, err := format.Named(name); {
	case err == nil && f == format.NTriples:
		r.triples = true
	case err == nil && f == format.NQuads:
	default:
		return usage("%s: %s %s is not served: laundromat writes N-Triples and N-Quads", r.name, flag, name)
	}
	return nil
}

// run washes the files and returns what came of them.
func (r *replacement) run(ctx context.Context) (*report.Report, error) {
	settings, err := r.options.settings()
	if err != nil {
		return nil, err
	}
	if r.triples {
		settings.Clean.Output = clean.Output{Name: write.NTriples.String(), NoGraphs: true}
	}
	target := states.NewUnsorted(r.open)
	defer target.Close()
	run := &washRun{ui: r.ui, options: &r.options, settings: settings, target: target, tell: r.tellFindings}
	if err := run.read(ctx, r.files); err != nil {
		return nil, err
	}
	return run.whole, nil
}

func (r *replacement) open() (states.LineWriter, error) {
	switch {
	case r.dry:
		return outfile.Nowhere{}, nil
	case r.compress:
		return outfile.GzipStream(r.out, r.options.level)
	}
	return outfile.Stream(r.out), nil
}

// tellFindings writes what was found in a document, but what is to be skipped.
func (r *replacement) tellFindings(w io.Writer, d *report.Document) error {
	told := *d
	told.Samples = slices.DeleteFunc(slices.Clone(d.Samples), func(s report.Sample) bool {
		return slices.Contains(r.silent, s.Severity)
	})
	told.Findings = slices.DeleteFunc(slices.Clone(d.Findings), func(f report.Finding) bool {
		return slices.Contains(r.silent, f.Severity)
	})
	return report.WriteFindings(w, &told, coloured(r.err))
}

// end reports documents that ended in an error, and finds the exit code: those
// programs know only 0 and 1.
func (r *replacement) end(whole *report.Report) error {
	if err := report.WriteErrors(r.err, whole, coloured(r.err)); err != nil {
		return err
	}
	if whole.ExitCode() != exitOK {
		return exit(exitFailed, nil)
	}
	return nil
}

// emitted is how many statements went out: those kept and those repaired.
func emitted(s digest.Statements) int64 { return s.Kept + s.Repaired }

// inThousands writes a number with commas between groups of three digits.
func inThousands(n int64) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
