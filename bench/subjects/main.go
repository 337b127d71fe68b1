// Command subjects measures how long it takes to find the statements of one subject in a large clean
// file. It does so with "laundromat get URI --subject IRI", as a whole command, and with a request to
// "laundromat serve". The page cache has nothing of the data folder, or all that was read before.
//
//	go -C bench run ./subjects                      1,000 subjects of 10 million statements
//	go -C bench run ./subjects -n 100000000 -timeout 1h
//	go -C bench run ./subjects -write ../docs/benchmarks.md
//	go -C bench run ./subjects -keep FOLDER         the washed file stays there, and is reused
//
// The daemon washes the document first. Each answer is compared with what the clean file
// says, read from its beginning.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/bench/process"
	"laundromat/internal/testkit/corpus"
)

type options struct {
	*process.Setup
	statements, subjects int
	keep, write          string
}

func main() {
	var o options
	flag.IntVar(&o.statements, "n", 10_000_000, "statements")
	flag.IntVar(&o.subjects, "subjects", 1000, "subjects that are looked for")
	flag.StringVar(&o.keep, "keep", "", "folder where the washed file stays, to be taken again when it is there")
	flag.StringVar(&o.write, "write", "", "page whose section on subjects is written anew")
	process.Main("subjects", 1, func(ctx context.Context, s *process.Setup) error {
		o.Setup = s
		return run(ctx, o)
	})
}

func run(ctx context.Context, o options) error {
	data, uri, err := o.wash(ctx)
	if err != nil {
		return err
	}
	subjects, err := o.sample(ctx, data, uri)
	if err != nil {
		return err
	}
	var rows []row
	ask := func(what string, ask func(iri string) ([]byte, error)) error {
		for _, cache := range []string{"cold", "warm"} {
			took, err := look(data, subjects, cache == "cold", ask)
			if err != nil {
				return err
			}
			rows = append(rows, row{what, cache, took})
		}
		return nil
	}
	err = ask("`laundromat get`", func(iri string) ([]byte, error) {
		return exec.CommandContext(ctx, o.Program, "get", "--data", data, "--subject", iri, uri).Output()
	})
	if err != nil {
		return err
	}
	daemon, err := o.serve(ctx, data, uri)
	if err != nil {
		return err
	}
	err = ask("request to `laundromat serve`", daemon.ask)
	if err := errors.Join(err, daemon.stop()); err != nil {
		return err
	}
	var section bytes.Buffer
	o.section(&section, rows)
	os.Stdout.Write(section.Bytes())
	if o.write == "" {
		return nil
	}
	return process.WriteSection(o.write, "bench/subjects", section.Bytes())
}

// wash makes a document and has the daemon wash it, unless that was done and kept.
func (o *options) wash(ctx context.Context) (data, uri string, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	folder := o.Folder
	if o.keep != "" {
		if o.keep, err = filepath.Abs(o.keep); err != nil {
			return "", "", err
		}
		folder = filepath.Join(o.keep, fmt.Sprint(o.statements))
	}
	dump := filepath.Join(folder, "dump.nt.gz")
	data, uri = filepath.Join(folder, "data"), "file://"+dump
	done := filepath.Join(folder, "washed")
	if _, err := os.Stat(done); o.keep != "" && err == nil {
		return data, uri, nil
	}
	if err := errors.Join(os.RemoveAll(data), os.MkdirAll(folder, 0o755)); err != nil {
		return "", "", err
	}
	file, err := os.Create(dump)
	if err != nil {
		return "", "", err
	}
	packed, _ := gzip.NewWriterLevel(file, 1) // the level is known
	err = corpus.Corpus{Format: corpus.NTriples, Family: 1, Statements: o.statements, Named: true}.Write(packed)
	if err := errors.Join(err, packed.Close(), file.Close()); err != nil {
		return "", "", err
	}
	seeds := filepath.Join(folder, "seeds.txt")
	if err := os.WriteFile(seeds, []byte(uri+"\n"), 0o644); err != nil {
		return "", "", err
	}
	args := []string{"serve", "--data", data, "--seeds", seeds, "--allow-file", "--until-idle", "--listen", "127.0.0.1:0", "--quiet"}
	serve := exec.CommandContext(ctx, o.Program, append(args, o.Args...)...)
	if said, err := serve.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("%w: %s", err, said)
	}
	return data, uri, errors.Join(os.Remove(dump), os.WriteFile(done, nil, 0o644))
}

// subject is one that is looked for, and its lines as the clean file has them.
type subject struct {
	iri   string
	lines []byte
}

// sample takes subjects from all over the clean file, each with the same chance.
func (o *options) sample(ctx context.Context, data, uri string) ([]subject, error) {
	get := exec.CommandContext(ctx, o.Program, "get", "--data", data, uri)
	out, err := get.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := get.Start(); err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(1, 2))
	var sample []subject
	var at subject
	seen := 0
	keep := func() {
		if at.iri == "" {
			return
		}
		seen++
		if len(sample) < o.subjects {
			sample = append(sample, at)
		} else if i := random.IntN(seen); i < len(sample) {
			sample[i] = at
		}
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 1<<20), 64<<20)
	for lines.Scan() {
		line := lines.Bytes()
		iri, _, _ := bytes.Cut(line, []byte("> "))
		if string(iri[1:]) != at.iri {
			keep()
			at = subject{iri: string(iri[1:])}
		}
		at.lines = append(append(at.lines, line...), '\n')
	}
	keep()
	random.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
	return sample, errors.Join(lines.Err(), get.Wait())
}

// look asks for each subject, and returns how long each took, shortest first.
func look(data string, subjects []subject, cold bool, ask func(iri string) ([]byte, error)) ([]time.Duration, error) {
	took := make([]time.Duration, 0, len(subjects))
	for _, s := range subjects {
		if cold {
			if err := evict(data); err != nil {
				return nil, err
			}
		}
		start := time.Now()
		out, err := ask(s.iri)
		took = append(took, time.Since(start))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.iri, err)
		}
		if !bytes.Equal(out, s.lines) {
			return nil, fmt.Errorf("%s: %q instead of %q", s.iri, out, s.lines)
		}
	}
	slices.Sort(took)
	return took, nil
}

// evict takes the files of a folder out of the page cache.
func evict(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		file, err := os.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		return forget(file)
	})
}

// row is what one way to ask took.
type row struct {
	what, cache string
	took        []time.Duration
}

func (o *options) section(to *bytes.Buffer, rows []row) {
	fmt.Fprintf(to, "\n    go -C bench run ./subjects -n %d -timeout 1h -write ../docs/benchmarks.md\n\n", o.statements)
	fmt.Fprintf(to, "%d subjects of a clean file of %d statements, one after another: each by a `laundromat get URI --subject IRI` of its own,\n",
		o.subjects, o.statements)
	fmt.Fprintf(to, "as a whole command without a daemon, and each by a request (`clean.nq.gz?subject=IRI`) to a daemon; taken on %s.\n",
		process.Today())
	fmt.Fprintf(to, "Each answer is the one that reading the file from its beginning gives. Cold: before each, all files of the data folder\n")
	fmt.Fprintf(to, "were taken out of the page cache (of the seed list, what a daemon has mapped stays).\n\n")
	fmt.Fprintf(to, "| by | page cache | median ms | 95 %% within ms | longest ms |\n|---|---|--:|--:|--:|\n")
	for _, row := range rows {
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
		n := len(row.took)
		fmt.Fprintf(to, "| %s | %s | %.1f | %.1f | %.1f |\n", row.what, row.cache, ms(row.took[n/2]), ms(row.took[n*95/100]),
			ms(row.took[n-1]))
	}
	fmt.Fprintln(to)
}
