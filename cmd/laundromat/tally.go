package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/outfile"
	"laundromat/report"
)

// tally shows what became of each document of a run, and sums it up.
type tally struct {
	ui        *ui
	options   *washOptions
	start     time.Time
	bar       *bar
	showing   report.Showing
	whole     report.Report
	documents []*report.Document // those of the report
}

// newTally begins a run, for which it sets the memory of the process.
func newTally(u *ui, o *washOptions) *tally {
	debug.SetMemoryLimit(min(o.memory*9/10, o.memory-programMemory))
	return &tally{ui: u, options: o, start: time.Now(), bar: u.newBar(o.output), showing: report.Showing{Most: o.samples}}
}

// each shows the findings of a document. Only a report lists the documents afterwards.
func (t *tally) each(d *report.Document) {
	advise(d)
	t.bar.reached.complete(1)
	if !t.ui.quiet {
		t.bar.aside(func(w io.Writer) { t.showing.Write(w, d, coloured(t.ui.err)) })
	}
	if t.options.report == "" {
		t.whole.Count(d)
		return
	}
	t.documents = append(t.documents, d)
}

// advise names the flag that allows an address that was refused.
func advise(d *report.Document) {
	if d.Error != nil && d.Error.Stage == "downloading" && d.Error.Code == fault.TransportForbiddenAddress {
		d.Error.Message += " (--allow-private allows it)"
	}
}

// conclude writes the report and the verdict of a run, and gives its exit.
// Of statements it is given how many were written.
func (t *tally) conclude(written *digest.Statements) error {
	t.bar.stop()
	for _, d := range t.documents {
		t.whole.Documents = append(t.whole.Documents, *d)
		t.whole.AddRecords(d)
		t.whole.Statements.Add(d.Statements)
	}
	if written != nil {
		t.whole.Statements.Duplicates, t.whole.Statements.Written = written.Duplicates, written.Written
	}
	t.whole.SamplesEach = t.options.samples
	t.whole.Walltime = time.Since(t.start).Seconds()
	t.whole.PeakMemory = peakMemory()
	if err := writeVerdict(t.ui, t.options, &t.whole); err != nil {
		return err
	}
	return exitOf(&t.whole)
}

// writeVerdict writes the report, and the verdict on stderr.
func writeVerdict(u *ui, o *washOptions, whole *report.Report) error {
	if o.report != "" {
		if err := writeReport(o.report, whole); err != nil {
			return err
		}
	}
	verdict := report.WriteVerdict
	if u.quiet {
		verdict = report.WriteErrors
	}
	return verdict(u.err, whole, coloured(u.err))
}

// exitOf is the exit of a run, by the worst of its documents.
func exitOf(whole *report.Report) error {
	if code := whole.ExitCode(); code != exitOK {
		return exit(code, nil)
	}
	return nil
}

// writeReport writes a report to a file, or to standard output.
func writeReport(path string, r *report.Report) error {
	write := report.WriteJSON
	if isPage(path) {
		write = report.WriteHTML
	}
	return writeWhole(path, func(w io.Writer) error { return write(w, r) })
}

// writeWhole writes a file that takes its name when it is complete, or to standard output.
func writeWhole(path string, write func(io.Writer) error) error {
	if path == "-" {
		return write(os.Stdout)
	}
	whole, err := outfile.Create(path)
	if err != nil {
		return err
	}
	defer whole.Abort()
	if err := write(whole); err != nil {
		return err
	}
	return whole.Close()
}

// isPage says that a report of that name is a page of HTML.
func isPage(path string) bool {
	extension := strings.ToLower(filepath.Ext(path))
	return extension == ".html" || extension == ".htm"
}
