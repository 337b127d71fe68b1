package main

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/linesort"
	"laundromat/internal/outfile"
	"laundromat/report"
	"laundromat/states"
)

func checkCommand(u *ui) *cobra.Command {
	var o washOptions
	var as string
	c := &cobra.Command{
		Use:   "check [flags] FILE|URL|-…",
		Short: "Read as wash does, and show only what is wrong",
		Long: "Check reads documents and archives as wash does, and writes no data but the findings.\n" +
			"A folder stands for all files in it, at any depth; without a name, standard input is read.\n\n" +
			"Exit: 0 all kept, 3 something would be dropped, 1 a document ended in an error, 7 nothing was RDF.",
		RunE: func(c *cobra.Command, args []string) error {
			args, err := namedInputs(u, c, args)
			if err != nil {
				return err
			}
			if u.json && !c.Flags().Changed("as") {
				as = "json"
			}
			return runCheck(c.Context(), u, &o, as, args)
		},
	}
	o.addReading(c)
	o.level = 6
	c.Flags().StringVar(&as, "as", "text", "how findings are written: "+reportFormats())
	return c
}

func runCheck(ctx context.Context, u *ui, o *washOptions, as string, args []string) error {
	format, err := report.FormatByName(as)
	if err != nil {
		return usage("--as: %w", err)
	}
	settings, err := o.settings()
	if err != nil {
		return err
	}
	if err := o.checkFolders(); err != nil {
		return err
	}
	if o.repairs == "-" {
		return usage("--repairs - needs stdout for itself, where check writes its findings: name a file")
	}
	sort := linesort.Options{Memory: o.memory * 2 / 5, Temp: o.temp, Workers: o.workers}
	// They are sorted only to count duplicates.
	target := states.NewSorted(sort, func() (states.LineWriter, error) { return outfile.Nowhere{}, nil })
	defer target.Close()
	run := &washRun{ui: u, options: o, settings: settings, target: target, measured: format.Name == "json",
		quoted:   format.Name == "html",
		unlisted: format.Name == "text" && o.report == ""}
	if run.unlisted { // as soon as each document is done: an archive may hold a million
		out := bufio.NewWriter(u.out) // which remembers what could not be written
		showing := report.Showing{Most: o.samples}
		run.tell = func(_ io.Writer, d *report.Document) error {
			showing.Write(out, d, coloured(u.out))
			return out.Flush()
		}
	}
	if err := run.read(ctx, args); err != nil {
		return err
	}
	if o.report != "" {
		if err := writeReport(o.report, run.whole); err != nil {
			return err
		}
	}
	if err := writeFindings(u, format, run.whole); err != nil {
		return err
	}
	if err := run.tellRepairs(); err != nil {
		return err
	}
	return exitOf(run.whole)
}

// writeFindings writes the report in the format asked for; text has colours on a
// terminal, and of documents that were only counted is the verdict.
func writeFindings(u *ui, format report.Format, r *report.Report) error {
	if format.Name == report.Formats[0].Name {
		return report.WriteText(u.out, r, coloured(u.out))
	}
	return format.Write(u.out, r)
}

func reportFormats() string { return strings.Join(reportNames(), ", ") }

// reportNames are the names of the formats of findings.
func reportNames() (names []string) {
	for _, format := range report.Formats {
		names = append(names, format.Name)
	}
	return names
}
