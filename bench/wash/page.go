package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"

	"laundromat/bench/process"
)

// results are what the page shows.
type results struct {
	input   *input
	jobs    []*job
	missing []string
	growth  []growth
}

// ratio is how many times as long a job took as the one that it is compared with.
func (r *results) ratio(j *job) (float64, bool) {
	for _, other := range r.jobs {
		if other.name == j.beside {
			return j.median(wall) / other.median(wall), true
		}
	}
	return 0, false
}

// limit is how many seconds all processors have to do at least, and the share of that in what
// level 1 takes.
func (r *results) limit() (seconds, share float64, ok bool) {
	var least, ours *job
	for _, j := range r.jobs {
		switch j.name {
		case floor:
			least = j
		case one:
			ours = j
		}
	}
	if least == nil || ours == nil {
		return 0, 0, false
	}
	seconds = least.median(processor) / float64(runtime.NumCPU())
	return seconds, seconds / ours.median(wall), true
}

func (r *results) shownRatio(j *job) string {
	ratio, ok := r.ratio(j)
	if !ok {
		return ""
	}
	if j.aim > 0 {
		return fmt.Sprintf("%.2f (aim: %.1f)", ratio, j.aim)
	}
	return fmt.Sprintf("%.2f", ratio)
}

func shownOutput(j *job) string {
	if j.output == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f MB", float64(j.output)/1e6)
}

// print writes the results as text.
func (r *results) print(to io.Writer) {
	jobs := r.jobs
	if len(jobs) > 0 && len(jobs[0].usages) == 0 { // -runs 0: growth alone
		jobs = nil
	} else {
		fmt.Fprintf(to, "\n%-40s %8s %8s %6s %10s %7s %12s  %s\n", "medians", "seconds", "CPU s", "busy", "RssAnon", "stolen", "output",
			"times")
	}
	for _, j := range jobs {
		fmt.Fprintf(to, "%-40s %8.2f %8.2f %4.0f %% %6.0f MiB %5.1f %% %12s  %s\n", j.name, j.median(wall), j.median(processor),
			j.median(busy), j.median(anonymous), j.median(stolen), shownOutput(j), r.shownRatio(j))
	}
	if len(r.growth) > 0 {
		growthTable(to, r.growth)
	}
	if len(r.missing) > 0 {
		fmt.Fprintf(to, "not there: %s\n", strings.Join(r.missing, ", "))
	}
}

// said says what -calm did.
func (o *options) said() string {
	if o.calm >= 100 {
		return ""
	}
	return fmt.Sprintf(
		" Where\nthat was more than %g %%, a job was run again, twice at most, and the calmest run counts: %d runs were beyond those that are told.",
		o.calm, o.again)
}

// section writes them for the page.
func (o *options) section(to io.Writer, r results) {
	command := fmt.Sprintf("go -C bench run ./wash -n %d -runs %d", o.statements, o.Runs)
	if o.format != "nt" {
		command += " -format " + o.format
	}
	if o.dirt > 0 {
		command += fmt.Sprint(" -dirt ", o.dirt)
	}
	if o.blank {
		command += " -blank-nodes"
	}
	if o.growth != "" {
		command += " -growth " + o.growth
	}
	if o.calm < 100 {
		command += fmt.Sprintf(" -calm %g", o.calm)
	}
	command += " -write " + o.write
	if len(o.Args) > 0 {
		command += " -- " + strings.Join(o.Args, " ")
	}
	fmt.Fprintf(to, `
    %s

%d DBpedia-like statements, %.2f GB, %.0f MB as gzip, taken on %s, in turn, medians of %d, the input in the page
cache. RssAnon is the anonymous memory of all processes of a job together, at its most. "Times" is how many
times as long a job takes as the one of ours that it stands beside. "Busy" is what part of the time of all
processors the job took. "Stolen" is the share of the processors' time that the
host of this machine gave to others while the job wanted it.%s

| job | seconds | processor s | busy | stolen | RssAnon | output | times |
|---|--:|--:|--:|--:|--:|--:|--:|
`, command, r.input.statements, float64(r.input.size)/1e9, float64(r.input.packed)/1e6, process.Today(), o.Runs, o.said())
	for _, j := range r.jobs {
		times := r.shownRatio(j)
		if times != "" {
			times += ", of " + strings.TrimPrefix(j.beside, "laundromat, ")
		}
		fmt.Fprintf(to, "| %s | %.2f | %.2f | %.0f %% | %.1f %% | %.0f MiB | %s | %s |\n", j.name, j.median(wall), j.median(processor),
			j.median(busy), j.median(stolen), j.median(anonymous), shownOutput(j), times)
	}
	if limit, share, ok := r.limit(); ok {
		fmt.Fprintf(to, "\nUnpacking the text and packing it again, as fast as any program we know does it, is %.1f s of work for this machine's\n"+
			"%d processors: level 1 reaches %.0f %% of the limit at which nothing would be parsed or sorted.\n", limit, runtime.NumCPU(),
			share*100)
	}
	fmt.Fprint(to, "\nThe jobs:\n\n")
	for _, j := range r.jobs {
		fmt.Fprintf(to, "- %s: `%s`\n", j.name, j.what)
	}
	if len(r.missing) > 0 {
		fmt.Fprintf(to, "\nNot there: %s.\n", strings.Join(r.missing, ", "))
	}
	if len(r.growth) > 0 {
		fmt.Fprint(to, "\nBy size, at level 1, each once:\n\n")
		growthTable(to, r.growth)
	}
	fmt.Fprintln(to)
}
