package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
)

// growth is what became of one size.
type growth struct {
	statements int
	usage      process.Usage
	output     int64 // bytes
}

// grow washes documents of several sizes, which make gives, each once.
func (o *options) grow(ctx context.Context, make func(n int) (*input, error)) ([]growth, error) {
	var all []growth
	for _, size := range strings.Split(o.growth, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(size))
		if err != nil {
			return nil, err
		}
		in, err := make(n)
		if err != nil {
			return nil, err
		}
		j := &job{name: fmt.Sprintf("%d statements", n), shell: o.laundromat("--level 1", in.path), mayDrop: o.dirt > 0}
		if err := o.once(ctx, j, true); err != nil {
			return nil, err
		}
		all = append(all, growth{n, j.usages[0], j.output})
		if err := os.Remove(in.path); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// runGrowth washes documents of several sizes in a shape.
func (o *options) runGrowth(ctx context.Context) error {
	shape, err := corpus.ShapeOf(o.shapes)
	if err != nil {
		return err
	}
	all, err := o.grow(ctx, func(n int) (*input, error) {
		in := &input{path: filepath.Join(o.Folder, "growth."+string(shape.Format)+".gz"), statements: n}
		return in, in.fill(1, func(to io.Writer) error { return shape.Write(to, n) })
	})
	if err != nil {
		return err
	}
	growthTable(os.Stdout, all)
	if o.write == "" {
		return nil
	}
	var section bytes.Buffer
	fmt.Fprintf(&section, `
    go -C bench run ./wash -shapes %s -growth %s -write %s

Documents of several sizes in the shape %s, packed at level 1, each washed once at level 1 with %s, taken on %s.
Busy is what part of the time of all processors the program took. The temporary file is what it wrote beside its output.

`, shape.Name, o.growth, o.write, shape.Name, memory, process.Today())
	growthTable(&section, all)
	fmt.Fprintln(&section)
	return process.WriteSection(o.write, "bench/wash -growth", section.Bytes())
}

// growthTable writes what became of the sizes.
func growthTable(to io.Writer, all []growth) {
	fmt.Fprint(to, "| statements | seconds | ns a statement | processor ns a statement | busy | RssAnon | output | temporary file |\n"+
		"|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, g := range all {
		n := float64(g.statements)
		fmt.Fprintf(to, "| %d | %.2f | %.0f | %.0f | %.0f %% | %.0f MiB | %.0f MB | %.0f MB |\n", g.statements, wall(g.usage),
			wall(g.usage)*1e9/n,
			processor(g.usage)*1e9/n, busy(g.usage), anonymous(g.usage), float64(g.output)/1e6,
			float64(max(g.usage.Written-g.output, 0))/1e6)
	}
}
