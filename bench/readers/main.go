// Command readers measures whole commands that read a large document of each format and write it as
// N-Quads to nowhere. They are "laundromat wash --no-sort" and the programs that package peer finds,
// in turn, each on one processor:
//
//	go -C bench run ./readers                             a million statements of each format
//	go -C bench run ./readers -n 100000 -formats ttl,rdf  fewer
//	go -C bench run ./readers -shapes all                 lines in every shape, beside serdi alone
//	go -C bench run ./readers -write ../docs/benchmarks.md   into the section of that page
//
// The figures are medians of -runs runs. Before the runs that are timed each command is run once and
// its lines are counted. One that does not write every statement is not timed, and the table says so.
package main

import (
	"bytes"
	"context"
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
	"laundromat/internal/testkit/corpus"
	"laundromat/internal/testkit/peer"
)

type options struct {
	*process.Setup
	statements int
	formats    string
	only       string
	cpu        string
	write      string
	shapes     string
	as         string // formats
	before     string // another build of the program
	real       string // folder of real files
}

func main() {
	var o options
	flag.IntVar(&o.statements, "n", 1_000_000, "statements")
	flag.StringVar(&o.formats, "formats", "nt,nq,ttl,trig,rdf,jsonld", "formats, between commas")
	flag.StringVar(&o.only, "only", "", "programs, between commas (default: all that are there)")
	flag.StringVar(&o.cpu, "cpu", "0", "processor that all run on, by taskset where that is installed; empty: any")
	flag.StringVar(&o.write, "write", "", "page whose section on readers is written anew")
	flag.StringVar(&o.shapes, "shapes", "", "instead of the formats: shapes of lines, between commas, or all")
	flag.StringVar(&o.as, "as", "",
		"with -shapes, formats that they are written in instead of lines (ttl,trig,rdf,jsonld); -only names the peers")
	flag.StringVar(&o.before, "before", "", "with -shapes, another build of the program to run in turn")
	flag.StringVar(&o.real, "real", "", "with -shapes, a folder of real files to be read as they are")
	process.Main("readers", 5, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		if o.shapes != "" {
			return o.runShapes(ctx)
		}
		return run(ctx, o)
	})
}

const base = "http://example.org/doc"

var formats = []struct {
	extension corpus.Format
	name      string
}{
	{corpus.NTriples, "N-Triples"}, {corpus.NQuads, "N-Quads"}, {corpus.Turtle, "Turtle"},
	{corpus.TriG, "TriG"}, {corpus.RDFXML, "RDF/XML"}, {corpus.JSONLD, "JSON-LD"},
}

// contender is a command that reads a file, with what its runs took.
type contender struct {
	name    string
	command func(context.Context) *exec.Cmd
	fault   string // why it is not timed
	usages  []process.Usage
}

// median of what a run took.
func (c *contender) median(of func(process.Usage) float64) float64 {
	return process.Median(c.usages, of)
}

func (c *contender) processor() float64 {
	return c.median(func(u process.Usage) float64 { return (u.User + u.System).Seconds() })
}

// result is a format with what came of it.
type result struct {
	format     string
	statements int
	size       int64
	contenders []*contender
}

func run(ctx context.Context, o options) error {
	peers, missing, err := peer.Find(ctx, o.Folder)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath("taskset"); err != nil {
		o.cpu = ""
	}
	var results []result
	for _, f := range formats {
		if !slices.Contains(strings.Split(o.formats, ","), string(f.extension)) {
			continue
		}
		r, err := o.format(ctx, f.extension, f.name, peers)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		r.print(os.Stdout)
		results = append(results, r)
	}
	if o.write == "" {
		return nil
	}
	return o.page(results, peers, missing)
}

// format measures one format.
func (o *options) format(ctx context.Context, extension corpus.Format, name string, peers []*peer.Peer) (r result, err error) {
	input := filepath.Join(o.Folder, "x."+string(extension))
	size, err := corpus.WriteFile(input, extension, 1, o.statements)
	if err != nil {
		return r, err
	}
	defer os.Remove(input)
	r = result{format: name, statements: (o.statements + 9) / 10 * 10, size: size}
	ours := []string{"wash", "--no-sort", "--quiet", "--base", base, "--format", name, input}
	for _, c := range []struct {
		name string
		args []string
	}{{"laundromat", ours}, {"laundromat (terms kept)", append(slices.Clone(ours), "--literals", "keep", "--blank-nodes", "keep")}} {
		r.contenders = append(r.contenders, &contender{name: c.name, command: func(ctx context.Context) *exec.Cmd {
			command := exec.CommandContext(ctx, o.Program, c.args...)
			command.Env = append(os.Environ(), "GOMAXPROCS=1")
			return command
		}})
	}
	for _, p := range peers {
		if p.Reads(name) {
			r.contenders = append(r.contenders, &contender{name: p.Name, command: func(ctx context.Context) *exec.Cmd {
				return p.Convert(ctx, name, input, base)
			}})
		}
	}
	if o.only != "" {
		r.contenders = slices.DeleteFunc(r.contenders,
			func(c *contender) bool { return !slices.Contains(strings.Split(o.only, ","), c.name) })
	}
	for _, c := range r.contenders {
		if err := o.count(ctx, c, r.statements); err != nil {
			return r, err
		}
	}
	for range o.Runs {
		for _, c := range r.contenders {
			if c.fault != "" {
				continue
			}
			usage, err := o.timed(ctx, c)
			if err != nil {
				return r, fmt.Errorf("%s: %w", c.name, err)
			}
			c.usages = append(c.usages, usage)
		}
	}
	return r, nil
}

// count runs a command and looks whether it writes every statement. One that is there twice may be
// written once: a graph of rdflib has it once.
func (o *options) count(ctx context.Context, c *contender, statements int) error {
	limited, stop := context.WithTimeout(ctx, o.Timeout)
	defer stop()
	command := c.command(limited)
	var lines counter
	var said bytes.Buffer
	command.Stdout, command.Stderr = &lines, &said
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		c.fault = fmt.Sprintf("not done after %v", o.Timeout)
	case err != nil && errors.As(err, &exit):
		c.fault = strings.ReplaceAll(err.Error()+": "+last(said.String()), o.Folder+"/", "")
	case err != nil:
		return err
	case int(lines) > statements || int(lines) < statements*97/100: // 2 % are there twice
		c.fault = fmt.Sprintf("wrote %d of %d statements", lines, statements)
	}
	return nil
}

func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// counter counts the ends of lines.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}

// timed runs a command once, on one processor.
func (o *options) timed(ctx context.Context, c *contender) (process.Usage, error) {
	ctx, stop := context.WithTimeout(ctx, o.Timeout)
	defer stop()
	command := c.command(ctx)
	if o.cpu != "" {
		taskset := exec.CommandContext(ctx, "taskset", append([]string{"-c", o.cpu}, command.Args...)...)
		taskset.Env = command.Env
		command = taskset
	}
	var said bytes.Buffer
	command.Stderr = &said
	usage, err := process.Run(command)
	if err != nil {
		err = fmt.Errorf("%w: %s", err, last(said.String()))
	}
	return usage, err
}

// print writes what came of a format, as text.
func (r *result) print(to io.Writer) {
	fmt.Fprintf(to, "\n%s: %d statements, %.1f MB\n%-24s %8s %8s %8s %12s %9s %8s\n", r.format, r.statements, float64(r.size)/1e6,
		"", "seconds", "CPU s", "MB/CPU s", "k statem./s", "peak MiB", "ratio")
	for _, c := range r.contenders {
		if c.fault != "" {
			fmt.Fprintf(to, "%-24s %s\n", c.name, c.fault)
			continue
		}
		s := c.processor()
		fmt.Fprintf(to, "%-24s %8.2f %8.2f %8.1f %12.0f %9.0f %8s\n", c.name, c.wall(), s, float64(r.size)/1e6/s,
			float64(r.statements)/1e3/s, c.peak(), r.ratio(c))
	}
}

// ratio is the processor time of a command to that of the first, which is ours.
func (r *result) ratio(c *contender) string {
	if r.contenders[0].fault != "" {
		return "–"
	}
	return fmt.Sprintf("%.2f", c.processor()/r.contenders[0].processor())
}

func (c *contender) wall() float64 {
	return c.median(func(u process.Usage) float64 { return u.Wall.Seconds() })
}

func (c *contender) peak() float64 {
	return c.median(func(u process.Usage) float64 { return float64(u.PeakResident) / (1 << 20) })
}

// page writes the section again.
func (o *options) page(results []result, peers []*peer.Peer, missing []peer.Missing) error {
	var section bytes.Buffer
	o.section(&section, results, peers, missing)
	return process.WriteSection(o.write, "bench/readers", section.Bytes())
}

func (o *options) section(to io.Writer, results []result, peers []*peer.Peer, missing []peer.Missing) {
	fmt.Fprintf(to, `
    go -C bench run ./readers -write ../docs/benchmarks.md

%d DBpedia-like statements of each format, read from a file and written as N-Quads to
/dev/null, whole commands in turn, medians of %d, taken on %s`, (o.statements+9)/10*10, o.Runs, process.Today())
	if o.cpu != "" {
		fmt.Fprint(to, ", each pinned to one processor")
	}
	fmt.Fprint(to, `. A core gives so
many MB, and statements, for each second of processor time, the system's included. The ratio is that of the
processor time to ours: 2 is twice as long.

"laundromat" is `+"`laundromat wash --no-sort --base IRI`"+`: literals in canonical form, blank nodes as IRIs, each IRI and
literal judged. "terms kept" adds `+"`--literals keep --blank-nodes keep`"+`, which is
what the others do. All with GOMAXPROCS=1.

`)
	var names []string
	for _, p := range peers {
		names = append(names, p.String())
	}
	fmt.Fprintf(to, "Beside it: %s.", strings.Join(names, ", "))
	for _, m := range missing {
		fmt.Fprintf(to, " Not there: %s (%s).", m.Name, m.Why)
	}
	fmt.Fprint(to, "\n\n| format | input | program | seconds | MB/s a core | thousand statements/s a core | peak memory | ratio |\n|---|--:|---|--:|--:|--:|--:|--:|\n")
	for _, r := range results {
		for _, c := range r.contenders {
			if c.fault != "" {
				fmt.Fprintf(to, "| %s | %.1f MB | %s | %s | | | | |\n", r.format, float64(r.size)/1e6, c.name,
					strings.ReplaceAll(c.fault, "|", "/"))
				continue
			}
			s := c.processor()
			fmt.Fprintf(to, "| %s | %.1f MB | %s | %.2f | %.1f | %.0f | %.0f MiB | %s |\n", r.format, float64(r.size)/1e6, c.name, c.wall(),
				float64(r.size)/1e6/s,
				float64(r.statements)/1e3/s, c.peak(), r.ratio(c))
		}
	}
	fmt.Fprintln(to)
}
