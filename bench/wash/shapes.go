package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
)

// shapeResult is what the jobs of one shape took.
type shapeResult struct {
	shape   corpus.Shape
	input   *input
	columns []*column
}

// column is a comparison of ours with another way to the same end.
type column struct {
	name string
	ours *job
	peer *job
	aim  float64 // how many times as long the other should take at least
}

// times is how many times as long the other takes.
func (o *options) times(c *column, of func(process.Usage) float64) float64 {
	return o.told(c.peer, of) / max(o.told(c.ours, of), 0.001)
}

// told is what counts of a job's runs: the median, or the least where other work delays them.
func (o *options) told(j *job, of func(process.Usage) float64) float64 {
	if !o.busy {
		return j.median(of)
	}
	least := of(j.usages[0])
	for _, u := range j.usages {
		least = min(least, of(u))
	}
	return least
}

// measure is what shapes are compared by.
func (o *options) measure() func(process.Usage) float64 {
	if o.busy {
		return processor
	}
	return wall
}

// runShapes measures shape after shape, in each ours and the pipelines in turn.
func (o *options) runShapes(ctx context.Context) error {
	var results []*shapeResult
	for _, shape := range corpus.Shapes() {
		if o.shapes != "all" && !slices.Contains(strings.Split(o.shapes, ","), shape.Name) {
			continue
		}
		r, err := o.shape(ctx, shape)
		if err != nil {
			return fmt.Errorf("%s: %w", shape.Name, err)
		}
		results = append(results, r)
	}
	if len(results) == 0 {
		return fmt.Errorf("no shape %q", o.shapes)
	}
	slices.SortStableFunc(results, func(a, b *shapeResult) int { return cmp.Compare(o.worst(a), o.worst(b)) })
	o.shapesTable(os.Stdout, results)
	if o.write == "" {
		return nil
	}
	var section bytes.Buffer
	o.shapesSection(&section, results)
	return process.WriteSection(o.write, "bench/wash -shapes", section.Bytes())
}

// worst is the least part of an aim that is reached; shapes are shown in its order.
func (o *options) worst(r *shapeResult) float64 {
	worst := 1e9
	for _, c := range r.columns {
		if c.aim > 0 {
			worst = min(worst, o.times(c, o.measure())/c.aim)
		}
	}
	return worst
}

func (o *options) shape(ctx context.Context, shape corpus.Shape) (*shapeResult, error) {
	n := shape.Statements(o.statements)
	in := &input{path: filepath.Join(o.Folder, "x."+string(shape.Format)+".gz"), statements: n}
	if err := in.fill(6, func(to io.Writer) error { return shape.Write(to, o.statements) }); err != nil {
		return nil, err
	}
	defer os.Remove(in.path)
	fmt.Printf("\n%s: about %d statements, %.1f MB, %.1f MB as gzip\n", shape.Name, n, float64(in.size)/1e6, float64(in.packed)/1e6)
	columns := o.columns(in, shape)
	var jobs []*job
	for _, c := range columns {
		for _, j := range []*job{c.ours, c.peer} {
			if !slices.Contains(jobs, j) {
				jobs = append(jobs, j)
			}
		}
	}
	for i := range o.Runs {
		for _, j := range jobs {
			if err := o.once(ctx, j, i == 0); err != nil {
				return nil, err
			}
		}
	}
	return &shapeResult{shape, in, columns}, nil
}

// columns are the comparisons for which all programs are there.
func (o *options) columns(in *input, shape corpus.Shape) (columns []*column) {
	out := filepath.Join(o.Folder, "out.nq.gz")
	syntax := "ntriples"
	if shape.Format == corpus.NQuads {
		syntax = "nquads"
	}
	const unpack, sort = "igzip -dc %s | ", "sort -u --parallel=2 -S 4G | "
	wash := func(program, level string) string {
		return fmt.Sprintf("%s wash --quiet %s --level %s %s -o %s %s", program, memory, level, strings.Join(o.Args, " "), out, in.path)
	}
	// In dirty lines something is lost, and serdi says so too.
	drops := func(j *job) *job { j.mayDrop = true; return j }
	ours6 := drops(&job{name: six, shell: wash(o.Program, "6")})
	ours1 := drops(&job{name: one, shell: wash(o.Program, "1")})
	add := func(c *column, programs ...string) {
		for _, p := range programs {
			if _, err := exec.LookPath(p); err != nil {
				return
			}
		}
		columns = append(columns, c)
	}
	lax := fmt.Sprintf("{ serdi -l -i %s -o nquads - || true; } | ", syntax)
	add(&column{name: "P1", aim: 4, ours: ours6, peer: &job{name: "P1",
		shell: fmt.Sprintf("zcat %s | "+lax+sort+"gzip -6 > %s", in.path, out)}}, "serdi", "gzip")
	add(&column{name: "P2", aim: 2.5, ours: ours1, peer: &job{name: "P2",
		shell: fmt.Sprintf(unpack+lax+sort+"igzip -1 -c > %s", in.path, out)}}, "serdi", "igzip")
	add(&column{name: "P3", aim: 1.5, ours: ours1, peer: &job{name: "P3",
		shell: fmt.Sprintf(unpack+sort+"igzip -1 -c > %s", in.path, out)}}, "igzip")
	if o.before != "" {
		add(&column{name: "before, level 6", ours: ours6, peer: drops(&job{name: "before, level 6", shell: wash(o.before, "6")})})
		add(&column{name: "before, level 1", ours: ours1, peer: drops(&job{name: "before, level 1", shell: wash(o.before, "1")})})
	}
	return columns
}

// shapesTable writes the table: times by the clock, and by processor time in brackets.
func (o *options) shapesTable(to io.Writer, results []*shapeResult) {
	fmt.Fprint(to, "\n| shape | statements | MB | level 6, s (processor, busy) | level 1, s (processor, busy) |")
	rule := "|---|--:|--:|--:|--:|"
	for _, c := range results[0].columns {
		fmt.Fprintf(to, " %s |", c.name)
		rule += "--:|"
	}
	fmt.Fprintln(to, "\n"+rule)
	for _, r := range results {
		fmt.Fprintf(to, "| %s | %d | %.0f |", r.shape.Name, r.input.statements, float64(r.input.size)/1e6)
		for _, name := range []string{six, one} {
			cell := "–"
			for _, c := range r.columns {
				if c.ours.name == name {
					cell = fmt.Sprintf("%.2f (%.2f, %.0f %%)", o.told(c.ours, wall), o.told(c.ours, processor), c.ours.median(busy))
				}
			}
			fmt.Fprintf(to, " %s |", cell)
		}
		for _, c := range r.columns {
			fmt.Fprintf(to, " %.2f (%.2f) |", o.times(c, wall), o.times(c, processor))
		}
		fmt.Fprintln(to)
	}
}

func (o *options) shapesSection(to io.Writer, results []*shapeResult) {
	command := fmt.Sprintf("go -C bench run ./wash -shapes %s -n %d -runs %d", o.shapes, o.statements, o.Runs)
	if o.before != "" {
		command += " -before FILE"
	}
	counted, busy := "medians", ""
	if o.busy {
		command += " -busy"
		counted = "the least"
		busy = "\nMuch other work ran on the machine meanwhile: only the ratios of processor time are of use, and shapes are in their order.\n"
	}
	fmt.Fprintf(to, `
    %s -write %s

Lines in each shape, as gzip, washed in turn with the pipelines, %s of %d, taken on %s. A column of a pipeline
says how many times as long it takes by the clock, and in brackets by processor time. The shape that is furthest from
the aims leads. The aims are 4 for P1 beside level 6, 2.5 for P2 and 1.5 for P3 beside level 1. Busy is what part of the
time of all processors ours took; the aim is 85 %%.
%s`, command, o.write, counted, o.Runs, process.Today(), busy)
	o.shapesTable(to, results)
	fmt.Fprint(to, "\nThe shapes:\n\n")
	for _, r := range results {
		fmt.Fprintf(to, "- %s: %s\n", r.shape.Name, r.shape.What)
	}
	fmt.Fprintln(to)
}
