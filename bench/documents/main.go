// Command documents measures what the wash of one very large document takes, in the formats whose
// readers have the most to hold. These are JSON-LD in the shapes that are read as a stream, and
// RDF/XML with all statements in one description.
//
//	go -C bench run ./documents                                   1 GB of JSON-LD, 8 million statements of RDF/XML
//	go -C bench run ./documents -size 50000000 -n 400000          smaller
//	go -C bench run ./documents -only lines                       one shape
//	go -C bench run ./documents -write ../docs/benchmarks.md         into the section of that page
//
// It ends with 1 if a wash took more anonymous memory than its bound, or did not write
// every statement.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/bench/process"
)

type options struct {
	*process.Setup
	size       int64
	statements int64
	only       string
	write      string
}

func main() {
	var o options
	flag.Int64Var(&o.size, "size", 1e9, "bytes of each document of JSON-LD, at least")
	flag.Int64Var(&o.statements, "n", 8_000_000, "statements of the document of RDF/XML")
	flag.StringVar(&o.only, "only", "", "shapes, between commas (default: all)")
	flag.StringVar(&o.write, "write", "", "page whose section on large documents is written anew")
	process.Main("documents", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, o)
	})
}

// result is what came of a shape.
type result struct {
	shape
	size       int64
	statements int64
	usages     []process.Usage
}

func (r *result) processor() float64 {
	return process.Median(r.usages, func(u process.Usage) float64 { return (u.User + u.System).Seconds() })
}

// peak is the most anonymous memory of all runs.
func (r *result) peak() (most int64) {
	for _, u := range r.usages {
		most = max(most, u.PeakAnonymous)
	}
	return most
}

func run(ctx context.Context, o options) error {
	var results []*result
	var over error
	for _, s := range shapes {
		if o.only != "" && !slices.Contains(strings.Split(o.only, ","), s.name) {
			continue
		}
		r, err := o.shape(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Printf("%-12s %6.0f MB %9d statements  --memory %s  %8.1f processor s  %6.0f thousand statements/s a core  RssAnon %4d MiB of %d\n",
			s.name, float64(r.size)/1e6, r.statements, s.memory, r.processor(), float64(r.statements)/1e3/r.processor(), r.peak()>>20,
			s.bound>>20)
		if r.peak() > s.bound {
			over = errors.Join(over, fmt.Errorf("%s: %d bytes of anonymous memory, and %d are the bound", s.name, r.peak(), s.bound))
		}
		results = append(results, r)
	}
	if over != nil || o.write == "" {
		return over
	}
	var section bytes.Buffer
	o.section(&section, results)
	return process.WriteSection(o.write, "bench/documents", section.Bytes())
}

// shape makes a document and has it washed.
func (o *options) shape(ctx context.Context, s shape) (*result, error) {
	name := filepath.Join(o.Folder, "x."+s.extension)
	r := &result{shape: s}
	var err error
	if r.size, r.statements, err = s.writeFile(name, o.size, o.statements); err != nil {
		return nil, err
	}
	defer os.Remove(name)
	for range o.Runs {
		usage, err := o.wash(ctx, r, name)
		if err != nil {
			return nil, err
		}
		r.usages = append(r.usages, usage)
	}
	return r, nil
}

// wash washes the document once and looks whether all of it came out.
func (o *options) wash(ctx context.Context, r *result, name string) (usage process.Usage, err error) {
	ctx, stop := context.WithTimeout(ctx, o.Timeout)
	defer stop()
	report, out := filepath.Join(o.Folder, "report.json"), filepath.Join(o.Folder, "out.nq.gz")
	defer os.Remove(out)
	command := exec.CommandContext(ctx, o.Program, "wash", "--quiet", "--memory", r.memory, "--temp", o.Folder, "--report", report, "-o",
		out, name)
	var said bytes.Buffer
	command.Stderr = &said
	if usage, err = process.Run(command); err != nil {
		return usage, fmt.Errorf("%w: %s", err, said.Bytes())
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return usage, err
	}
	var found struct {
		Statements struct{ Kept, Repaired, Dropped, Written int64 }
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return usage, err
	}
	if s := found.Statements; s.Kept != r.statements || s.Written != r.statements || s.Dropped+s.Repaired > 0 {
		return usage, fmt.Errorf("%+v, where %d statements are", s, r.statements)
	}
	return usage, nil
}

func (o *options) section(to io.Writer, results []*result) {
	fmt.Fprintf(to, `
    go -C bench run ./documents -write ../docs/benchmarks.md

Documents of %.0f MB of JSON-LD in each shape that is read as a stream, and of %d statements of RDF/XML in one
rdf:Description, by `+"`laundromat wash --memory SIZE -o out.nq.gz FILE`"+`, sorting and compressing included, taken on %s.
RssAnon is the most anonymous memory, sampled every 5 ms; the benchmark fails if it is more than the bound, or if
not every statement was written. A core gives so many statements for each second of processor time, the system's included.

| document | input | statements | `+"`--memory`"+` | processor s | thousand statements/s a core | RssAnon | bound |
|---|--:|--:|--:|--:|--:|--:|--:|
`, float64(o.size)/1e6, o.statements, process.Today())
	for _, r := range results {
		fmt.Fprintf(to, "| %s | %.0f MB | %d | %s | %.1f | %.0f | %d MiB | %d MiB |\n", r.title, float64(r.size)/1e6, r.statements,
			r.memory,
			r.processor(), float64(r.statements)/1e3/r.processor(), r.peak()>>20, r.bound>>20)
	}
	fmt.Fprintln(to)
}
