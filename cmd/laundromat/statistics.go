package main

import (
	"io"
	"os"
	"strings"

	"laundromat/rdf/statistics"
	"laundromat/states/outputs"
)

// checkStatistics refuses --statistics where lines aren't written in one sorted order of subjects.
func (o *washOptions) checkStatistics(form outputs.Form) error {
	if o.statistics == "" {
		return nil
	}
	info, err := os.Stat(o.output)
	switch isFolder := strings.HasSuffix(o.output, "/") || err == nil && info.IsDir(); {
	case isFolder || o.inPlace:
		return usage("--statistics is for one output, -o FILE or standard output, not a file for each document")
	case o.noSort:
		return usage("--statistics counts sorted lines, and --no-sort leaves them as they come")
	case form.Syntax.WantsGraphFirst():
		return usage("--statistics counts lines by subject, and %s is written by graph: write .nq, .nt or .ttl", form.Syntax)
	case o.statistics == "-" && (o.output == "" || o.output == "-" || o.report == "-" || o.repairs == "-"):
		return usage("--statistics - needs stdout for itself: write the rest to files")
	}
	return nil
}

// writeStatistics writes what was counted as JSON.
func (r *washRun) writeStatistics() error {
	if r.counter == nil {
		return nil
	}
	return writeWhole(r.options.statistics, func(w io.Writer) error {
		return statistics.JSON{Indent: true}.Write(w, r.counter.Statistics())
	})
}
