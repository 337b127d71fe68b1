// Command wash measures "laundromat wash" on one large document and, where serdi
// is installed and reads the format, the same work by a pipeline of the tools that
// people use for it, in turn:
//
//	go run ./bench/wash                      1 million statements of N-Triples
//	go run ./bench/wash -format ttl -n 100000
//	go run ./bench/wash -- --memory 128M     flags behind -- go to laundromat
//
// It prints each run and the medians. The pipeline does less: it canonicalises no
// literal, names no blank node anew, and counts nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"laundromat/bench/corpus"
	"laundromat/bench/process"
)

type options struct {
	*process.Setup
	statements int
	format     string
}

func main() {
	var o options
	flag.IntVar(&o.statements, "n", 1_000_000, "statements")
	flag.StringVar(&o.format, "format", "nt", "nt, nq, ttl, trig, rdf or jsonld")
	process.Main("wash", 3, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, o)
	})
}

// contender is one way to do the work.
type contender struct {
	name    string
	command func(context.Context) *exec.Cmd
	usages  []process.Usage
}

func run(ctx context.Context, o options) error {
	input := filepath.Join(o.Folder, "x."+o.format)
	size, err := corpus.WriteFile(input, corpus.Format(o.format), 1, o.statements)
	if err != nil {
		return err
	}
	fmt.Printf("%d statements, %.1f MB of %s\n", o.statements, float64(size)/1e6, o.format)
	fmt.Printf("%-10s %9s %9s %8s %8s %12s %12s %10s\n", "", "seconds", "MB/s", "user s", "sys s", "RssAnon MiB", "VmHWM MiB", "output MB")
	contenders := o.contenders(input)
	for range o.Runs {
		for _, c := range contenders {
			if err := o.once(ctx, c, size); err != nil {
				return err
			}
		}
	}
	var medians []time.Duration
	for _, c := range contenders {
		walls := make([]time.Duration, len(c.usages))
		for i, u := range c.usages {
			walls[i] = u.Wall
		}
		slices.Sort(walls)
		medians = append(medians, walls[len(walls)/2])
		fmt.Printf("%-10s %9.2f median\n", c.name, walls[len(walls)/2].Seconds())
	}
	if len(medians) == 2 {
		fmt.Printf("the pipeline takes %.2f times as long\n", medians[1].Seconds()/medians[0].Seconds())
	}
	return nil
}

// contenders are laundromat and, if it is there, the pipeline.
func (o *options) contenders(input string) []*contender {
	output := filepath.Join(o.Folder, "out.nq.gz")
	all := []*contender{{name: "laundromat", command: func(ctx context.Context) *exec.Cmd {
		args := append([]string{"wash", "--quiet", "-o", output, input}, o.Args...)
		return exec.CommandContext(ctx, o.Program, args...)
	}}}
	syntax := map[string]string{"nt": "ntriples", "nq": "nquads", "ttl": "turtle", "trig": "trig"}[o.format]
	if _, err := exec.LookPath("serdi"); err != nil || syntax == "" {
		return all
	}
	const pipeline = `set -o pipefail; serdi -l -i "$1" -o nquads "$2" | LC_ALL=C sort -u --parallel=2 -S 512M | gzip -6 > "$3"`
	return append(all, &contender{name: "pipeline", command: func(ctx context.Context) *exec.Cmd {
		return exec.CommandContext(ctx, "bash", "-c", pipeline, "bash", syntax, input, output)
	}})
}

func (o *options) once(ctx context.Context, c *contender, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	command := c.command(ctx)
	command.Stderr = os.Stderr
	usage, err := process.Run(command)
	if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	output := filepath.Join(o.Folder, "out.nq.gz")
	info, err := os.Stat(output)
	if err != nil {
		return err
	}
	c.usages = append(c.usages, usage)
	seconds := usage.Wall.Seconds()
	fmt.Printf("%-10s %9.2f %9.1f %8.2f %8.2f %12.0f %12.0f %10.1f\n", c.name, seconds, float64(size)/1e6/seconds,
		usage.User.Seconds(), usage.System.Seconds(), float64(usage.PeakAnonymous)/(1<<20), float64(usage.PeakResident)/(1<<20), float64(info.Size())/1e6)
	return os.Remove(output)
}
