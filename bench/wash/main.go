// Command wash measures "laundromat wash" on one large document, in turn with the pipelines of tools
// that people write for the same work. It also measures what no program can do without: unpacking,
// sorting, packing.
//
//	go -C bench run ./wash                                10 million statements of N-Triples
//	go -C bench run ./wash -format ttl -n 100000 -dirt 100
//	go -C bench run ./wash -growth 1000000,10000000       time and memory by size, too; with -runs 0 alone
//	go -C bench run ./wash -calm 5                        again what a busy host disturbed
//	go -C bench run ./wash -write ../docs/benchmarks.md      into the section of that page
//	go -C bench run ./wash -shapes all -n 1000000         each shape of lines that there is, the worst leading
//	go -C bench run ./wash -shapes hub -before FILE       one, beside another build of the program
//	go -C bench run ./wash -shapes shuffled -growth 1000000,10000000    time, memory and temporary file by size
//	go -C bench run ./wash -- --memory 128M               flags after -- go to laundromat
//
// The pipelines do less: they canonicalise no literal, judge no term, and count nothing.
// Programs that are not installed are left out, and named.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
)

type options struct {
	*process.Setup
	statements int
	format     string
	dirt       int
	blank      bool
	growth     string
	calm       float64 // percent
	write      string
	shapes     string
	before     string // an older build of the program
	busy       bool   // other work runs on the machine

	again int // runs that did not count
}

func main() {
	var o options
	flag.IntVar(&o.statements, "n", 10_000_000, "statements")
	flag.StringVar(&o.format, "format", "nt", "nt, nq, ttl, trig, rdf or jsonld")
	flag.IntVar(&o.dirt, "dirt", 0, "break a line in so many; 0 breaks none")
	flag.BoolVar(&o.blank, "blank-nodes", false, "a statement in ten has a blank node")
	flag.StringVar(&o.growth, "growth", "", "numbers of statements, with commas between, to be washed one after another")
	flag.Float64Var(&o.calm, "calm", 100,
		"percent of the processors' time that the machine's host may give to others during a job: else it is run again, twice at most, and the calmest run counts")
	flag.StringVar(&o.write, "write", "", "page whose section on wash is written anew")
	flag.StringVar(&o.shapes, "shapes", "", "instead of all that: shapes of lines, between commas, or all")
	flag.StringVar(&o.before, "before", "", "with -shapes, another build of the program to run in turn")
	flag.BoolVar(&o.busy, "busy", false,
		"with -shapes, other work runs on the machine: only processor time counts, of which the least of the runs is told")
	process.Main("wash", 3, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		switch {
		case o.shapes != "" && o.growth != "":
			return o.runGrowth(ctx)
		case o.shapes != "":
			return o.runShapes(ctx)
		}
		return run(ctx, o)
	})
}

func run(ctx context.Context, o options) error {
	if o.Runs == 0 && o.write != "" {
		return errors.New("the page needs -runs")
	}
	in, err := o.make("x", o.statements)
	if err != nil {
		return err
	}
	fmt.Printf("%d statements, %.1f MB of %s, %.1f MB as gzip\n", o.statements, float64(in.size)/1e6, o.format, float64(in.packed)/1e6)
	jobs, missing := o.jobs(in)
	for i := range o.Runs {
		for _, j := range jobs {
			if err := o.once(ctx, j, i == 0); err != nil {
				return err
			}
		}
	}
	r := results{input: in, jobs: jobs, missing: missing}
	if in.sorted != "" {
		os.Remove(in.sorted)
	}
	if o.growth != "" {
		os.Remove(in.path)
		if r.growth, err = o.grow(ctx, func(n int) (*input, error) { return o.make("growth", n) }); err != nil {
			return err
		}
	}
	r.print(os.Stdout)
	if o.write == "" {
		return nil
	}
	var section bytes.Buffer
	o.section(&section, r)
	return process.WriteSection(o.write, "bench/wash", section.Bytes())
}

// input is a document as gzip.
type input struct {
	path       string
	statements int
	size       int64 // of the text, in bytes
	packed     int64
	sorted     string // the same, washed; "" until it is
}

// make makes a document of n statements.
func (o *options) make(name string, n int) (in *input, err error) {
	in = &input{path: filepath.Join(o.Folder, name+"."+o.format+".gz"), statements: n}
	return in, in.fill(6, func(to io.Writer) error {
		dirt := &corpus.Dirt{To: to, Every: o.dirt}
		return errors.Join(corpus.Corpus{Format: corpus.Format(o.format), Family: 1, Statements: n, Named: !o.blank}.Write(dirt),
			dirt.Close())
	})
}

// fill writes the document at a level of gzip, and measures it.
func (in *input) fill(level int, write func(io.Writer) error) error {
	file, err := os.Create(in.path)
	if err != nil {
		return err
	}
	packed, _ := gzip.NewWriterLevel(file, level) // the level is known
	text, made := io.Pipe()                       // made and packed on two processors
	go func() {
		to := bufio.NewWriterSize(made, 1<<20)
		made.CloseWithError(errors.Join(write(to), to.Flush()))
	}()
	in.size, err = io.Copy(packed, text)
	text.CloseWithError(err)
	if err := errors.Join(err, packed.Close(), file.Close()); err != nil {
		return err
	}
	info, err := os.Stat(in.path)
	if err != nil {
		return err
	}
	in.packed = info.Size()
	return nil
}

// mostAttempts is how often a job is run where the host disturbs it.
const mostAttempts = 3

// once runs a job and keeps what it took; where it was disturbed, several times, of which the calmest counts.
func (o *options) once(ctx context.Context, j *job, first bool) error {
	var calmest process.Usage
	for i := range mostAttempts {
		if i > 0 {
			o.again++
		}
		usage, err := o.attempt(ctx, j, first && i == 0)
		if err != nil {
			return err
		}
		if i == 0 || usage.StolenShare() < calmest.StolenShare() {
			calmest = usage
		}
		if calmest.StolenShare()*100 <= o.calm {
			break
		}
	}
	j.usages = append(j.usages, calmest)
	return nil
}

// attempt runs a job. The first run is preceded by a look at the input, so that it is in the
// page cache for all.
func (o *options) attempt(ctx context.Context, j *job, first bool) (process.Usage, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	if first && j.before != nil {
		if err := j.before(ctx); err != nil {
			return process.Usage{}, fmt.Errorf("%s: %w", j.name, err)
		}
	}
	output := filepath.Join(o.Folder, "out.nq.gz")
	command := exec.CommandContext(ctx, "bash", "-o", "pipefail", "-c", j.shell)
	command.Env = append(os.Environ(), "LC_ALL=C")
	var said bytes.Buffer
	command.Stderr = &said
	usage, err := process.Run(command)
	if err != nil && !(j.mayDrop && command.ProcessState != nil && command.ProcessState.ExitCode() == exitDropped) {
		return usage, fmt.Errorf("%s: %w: %s", j.name, err, strings.TrimSpace(said.String()))
	}
	if info, err := os.Stat(output); err == nil {
		j.output = info.Size()
		if j.keep != "" {
			err = os.Rename(output, j.keep)
		} else {
			err = os.Remove(output)
		}
		if err != nil {
			return usage, err
		}
	}
	fmt.Printf("%-44s %7.2f s %7.2f s CPU %3.0f %% busy %6.0f MiB %5.1f %% stolen\n", j.name, usage.Wall.Seconds(), processor(usage),
		busy(usage),
		anonymous(usage), usage.StolenShare()*100)
	return usage, nil
}

// exitDropped is how wash ends when statements were lost.
const exitDropped = 3

// median is the middle of what the runs of a job took.
func (j *job) median(of func(process.Usage) float64) float64 {
	return process.Median(j.usages, of)
}

func wall(u process.Usage) float64 { return u.Wall.Seconds() }
func processor(u process.Usage) float64 {
	return (u.User + u.System).Seconds()
}
func busy(u process.Usage) float64      { return u.Busy() * 100 }
func stolen(u process.Usage) float64    { return u.StolenShare() * 100 }
func anonymous(u process.Usage) float64 { return float64(u.PeakAnonymous) / (1 << 20) }
