package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"laundromat/bench/process"
)

// mapping makes a statement of each of the ten columns.
const mapping = `rdf:
  context: {"@vocab": "https://example.org/vocab#", id: "https://example.org/vocab#id"}
  id: "https://example.org/row/{id}"
`

// columns is how many columns the tables have of which statements are made.
const columns = 10

// statementJobs are the ways to make statements of a table.
func statementJobs(folder string) []job {
	return []job{
		{"by a spec with rdf", []string{"--spec", filepath.Join(folder, "mapping.yaml")}},
		{"by its metadata", []string{"--base", "https://example.org/table.csv", "--metadata", filepath.Join(folder, "metadata.json")}},
	}
}

// statements measures clean, sorted statements of tables.
func statements(ctx context.Context, o options) error {
	metadata := []byte(`{"@context": "http://www.w3.org/ns/csvw", "url": "table.csv", "tableSchema": {"aboutUrl": "#{id}", "columns": [` +
		`{"name": "id", "titles": "id"}`)
	for i := 1; i < columns; i++ {
		metadata = fmt.Appendf(metadata, `, {"name": "c%d", "titles": "c%d"}`, i, i)
	}
	metadata = append(metadata, "]}}\n"...)
	if err := errors.Join(os.WriteFile(filepath.Join(o.Folder, "mapping.yaml"), []byte(mapping), 0o600),
		os.WriteFile(filepath.Join(o.Folder, "metadata.json"), metadata, 0o600)); err != nil {
		return err
	}
	var section bytes.Buffer
	out := io.MultiWriter(os.Stdout, &section)
	fmt.Fprintf(out, "`go -C bench run ./records -statements`, --memory %s, %s:\n\n", memory, process.Today())
	fmt.Fprintln(out, "| | rows | statements | s | s of the processor | most memory, MiB |\n|---|--:|--:|--:|--:|--:|")
	for times := 1; times <= o.growth; times *= max(o.growth, 2) {
		if err := o.makeTen(o.rows * times); err != nil {
			return err
		}
		for _, j := range statementJobs(o.Folder) {
			if err := o.measureStatements(ctx, j, o.rows*times, out); err != nil {
				return err
			}
		}
	}
	if o.write == "" {
		return nil
	}
	return process.WriteSection(o.write, "bench/records -statements", section.Bytes())
}

// makeTen writes a table of ten columns. No two rows are the same.
func (o *options) makeTen(rows int) error {
	file, err := os.Create(filepath.Join(o.Folder, "table.csv"))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	out.WriteString("id")
	for i := 1; i < columns; i++ {
		fmt.Fprintf(out, ",c%d", i)
	}
	out.WriteByte('\n')
	var line []byte
	for i := range rows {
		row := i * 7919 % rows // in no order
		if rows%7919 == 0 {
			row = i
		}
		line = strconv.AppendInt(line[:0], int64(row), 10)
		for c := 1; c < columns; c++ {
			line = append(line, ",value "...)
			line = strconv.AppendInt(line, int64((row+c*c)*31%100_003), 10)
		}
		out.Write(append(line, '\n'))
	}
	return errors.Join(out.Flush(), file.Close())
}

// measureStatements runs a job, holds what it wrote against what is due, and writes its row.
func (o *options) measureStatements(ctx context.Context, j job, rows int, out io.Writer) error {
	made := filepath.Join(o.Folder, "made.nq")
	var usages []process.Usage
	for range max(o.Runs, 1) {
		args := append([]string{"records", "--quiet", "--memory", memory, "-o", made, filepath.Join(o.Folder, "table.csv")}, j.args...)
		command := exec.CommandContext(ctx, o.Program, append(args, o.Args...)...)
		command.Stderr = os.Stderr
		usage, err := process.Run(command)
		if err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		usages = append(usages, usage)
	}
	written, err := sortedLines(made)
	if err == nil && written != rows*columns {
		err = fmt.Errorf("it wrote %d statements of %d", written, rows*columns)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", j.name, err)
	}
	wall := process.Median(usages, func(u process.Usage) float64 { return u.Wall.Seconds() })
	processor := process.Median(usages, func(u process.Usage) float64 { return (u.User + u.System).Seconds() })
	peak := process.Median(usages, func(u process.Usage) float64 { return float64(u.PeakResident) })
	_, err = fmt.Fprintf(out, "| %s | %d | %d | %.1f | %.1f | %.0f |\n", j.name, rows, written, wall, processor, peak/(1<<20))
	return errors.Join(err, os.Remove(made))
}

// sortedLines counts the lines of a file, each of which is greater than the one before.
func sortedLines(path string) (n int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	var last []byte
	for lines.Scan() {
		if n++; n > 1 && bytes.Compare(last, lines.Bytes()) >= 0 {
			return n, fmt.Errorf("line %d is not behind the one before", n)
		}
		last = append(last[:0], lines.Bytes()...)
	}
	return n, lines.Err()
}
