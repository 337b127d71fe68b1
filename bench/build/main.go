// Command build measures what it takes to build the program without a cache, and what the program takes to start. It
// does so for the whole program and for that with the tag "lean".
//
//	go -C bench run ./build
//	go -C bench run ./build -write ../docs/benchmarks.md     into the section of that page
//
// Every package is compiled, those of Go too, into a cache of its own: that takes minutes.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"laundromat/bench/process"
)

func main() {
	write := flag.String("write", "", "page whose section on the build is written anew")
	process.Main("build", 21, func(ctx context.Context, s *process.Setup) error {
		var page bytes.Buffer
		fmt.Fprintf(&page,
			"\n    go -C bench run ./build -write ../docs/benchmarks.md\n\n%s, %s, each build once and each start %d times (median):\n\n",
			process.Machine(), process.Today(), s.Runs)
		page.WriteString(
			"| program | build: processor s | clock s | MB without symbols | `version`: processor ms |\n|---|--:|--:|--:|--:|\n")
		for _, tags := range []string{"", "lean"} {
			if err := measure(ctx, s, tags, &page); err != nil {
				return err
			}
		}
		page.WriteString("\n")
		os.Stdout.Write(page.Bytes())
		if *write == "" {
			return nil
		}
		return process.WriteSection(*write, "bench/build", page.Bytes())
	})
}

// measure writes the row of a program.
func measure(ctx context.Context, s *process.Setup, tags string, page *bytes.Buffer) error {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	cache := filepath.Join(s.Folder, "cache")
	defer os.RemoveAll(cache)
	program := filepath.Join(s.Folder, "program")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-tags", tags, "-o", program, "./cmd/laundromat")
	build.Dir, build.Env, build.Stderr = "..", append(os.Environ(), "GOCACHE="+cache), os.Stderr
	built, err := process.Run(build)
	if err != nil {
		return fmt.Errorf("build with the tags %q: %w", tags, err)
	}
	file, err := os.Stat(program)
	if err != nil {
		return err
	}
	var starts []process.Usage
	for range s.Runs {
		usage, err := process.Run(exec.CommandContext(ctx, program, "version"))
		if err != nil {
			return err
		}
		starts = append(starts, usage)
	}
	name := "whole"
	if tags != "" {
		name = "with the tag `" + tags + "`"
	}
	fmt.Fprintf(page, "| %s | %.0f | %.0f | %.1f | %.1f |\n", name, (built.User + built.System).Seconds(), built.Wall.Seconds(),
		float64(file.Size())/1e6,
		process.Median(starts, func(u process.Usage) float64 { return (u.User + u.System).Seconds() * 1000 }))
	return nil
}
