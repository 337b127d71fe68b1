// Command records measures "laundromat records" on tables, from the file to the files that it writes.
//
//	go -C bench run ./records                             a million rows, and ten times as many
//	go -C bench run ./records -n 100000 -growth 1
//	go -C bench run ./records -dirt 10                    a row in ten has a fault
//	go -C bench run ./records -statements                 clean statements of tables of ten columns
//	go -C bench run ./records -write ../docs/records.md      into the section of that page
//	go -C bench run ./records -- --memory 128M            flags behind -- go to laundromat
//
// A row has five fields: a whole number, a text, a number, a date and a boolean. Figures are given by
// the clock and by the processor time that the command took, on all threads together.
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
	"strconv"
	"time"

	"laundromat/bench/process"
)

type options struct {
	*process.Setup
	rows   int
	growth int
	dirt   int
	write  string
}

func main() {
	var o options
	flag.IntVar(&o.rows, "n", 1_000_000, "rows")
	flag.IntVar(&o.growth, "growth", 10, "so many times the rows are measured, too; 1 for none")
	flag.IntVar(&o.dirt, "dirt", 0, "put a fault into a row in so many; 0 into none")
	of := flag.Bool("statements", false, "clean, sorted statements of tables of ten columns, in place of records")
	flag.StringVar(&o.write, "write", "", "page whose section on the command is written anew")
	process.Main("records", 1, func(ctx context.Context, s *process.Setup) error {
		if o.Setup = s; *of {
			return statements(ctx, o)
		}
		return run(ctx, o)
	})
}

// memory is what laundromat is given, unless flags behind -- say otherwise.
const memory = "256M"

// job is one way to run the command.
type job struct {
	name string
	args []string
}

// jobs are the formats, a table that is checked, and several formats at once.
func jobs(folder string) []job {
	schema := filepath.Join(folder, "schema.json")
	var all []job
	for _, format := range []string{"jsonl", "csv", "tsv", "parquet", "sqlite", "xlsx"} {
		all = append(all, job{format, []string{"--as", format}})
	}
	return append(all,
		job{"checked against five fields, jsonl", []string{"--as", "jsonl", "--schema", schema}},
		job{"checked, parquet", []string{"--as", "parquet", "--schema", schema}},
		job{"jsonl, csv, parquet and sqlite at once", []string{"--as", "jsonl,csv,parquet,sqlite"}},
	)
}

const schema = `{"fields": [{"name": "id", "type": "integer"}, {"name": "title", "type": "string"}, {"name": "price", "type": "number"},
{"name": "day", "type": "date"}, {"name": "sold", "type": "boolean"}]}`

// longestSheet is how many rows a sheet may have.
const longestSheet = 1_048_575

func run(ctx context.Context, o options) error {
	if err := os.WriteFile(filepath.Join(o.Folder, "schema.json"), []byte(schema), 0o600); err != nil {
		return err
	}
	var section bytes.Buffer
	out := io.MultiWriter(os.Stdout, &section)
	fmt.Fprintf(out, "`go -C bench run ./records`, --memory %s, %s:\n\n", memory, process.Today())
	fmt.Fprintln(out, "| | rows | MB/s | rows/s | rows for a second of the processor | most memory, MiB |\n|---|--:|--:|--:|--:|--:|")
	for times := 1; times <= o.growth; times *= max(o.growth, 2) {
		size, err := o.make(o.rows * times)
		if err != nil {
			return err
		}
		for _, j := range jobs(o.Folder) {
			if j.name == "xlsx" && o.rows*times > longestSheet {
				continue
			}
			if err := o.measure(ctx, j, o.rows*times, size, out); err != nil {
				return err
			}
		}
	}
	if o.write == "" {
		return nil
	}
	return process.WriteSection(o.write, "bench/records", section.Bytes())
}

// make writes the table.
func (o *options) make(rows int) (size int64, err error) {
	file, err := os.Create(filepath.Join(o.Folder, "table.csv"))
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	out.WriteString("id,title,price,day,sold\n")
	day := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	var line []byte
	for i := range rows {
		line = strconv.AppendInt(line[:0], int64(i+1), 10)
		if i%5 == 0 {
			line = append(line, `,"A title, with ""quotes"" of `...)
			line = append(strconv.AppendInt(line, int64(i*7919%1_000_003), 10), '"')
		} else {
			line = append(line, ",The title of number "...)
			line = strconv.AppendInt(line, int64(i*7919%1_000_003), 10)
		}
		line = append(strconv.AppendFloat(append(line, ','), float64(i%10_000)/100, 'f', 2, 64), ',')
		line = day.AddDate(0, 0, i%9000).AppendFormat(line, "2006-01-02")
		line = append(strconv.AppendBool(append(line, ','), i%3 == 0), '\n')
		if o.dirt > 0 && i%o.dirt == o.dirt-1 {
			line = append(line[:len(line)-1], ",\n"...)
		}
		if _, err := out.Write(line); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		return 0, err
	}
	info, err := os.Stat(file.Name())
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// measure runs a job, and writes its row.
func (o *options) measure(ctx context.Context, j job, rows int, size int64, out io.Writer) error {
	var usages []process.Usage
	for range max(o.Runs, 1) {
		folder := filepath.Join(o.Folder, "out") + "/"
		args := append([]string{"records", "--quiet", "--memory", memory, "-o", folder, filepath.Join(o.Folder, "table.csv")}, j.args...)
		command := exec.CommandContext(ctx, o.Program, append(args, o.Args...)...)
		command.Stderr = os.Stderr
		usage, err := process.Run(command)
		var ended *exec.ExitError
		if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != 3) {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		usages = append(usages, usage)
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	wall := process.Median(usages, func(u process.Usage) float64 { return u.Wall.Seconds() })
	processor := process.Median(usages, func(u process.Usage) float64 { return (u.User + u.System).Seconds() })
	peak := process.Median(usages, func(u process.Usage) float64 { return float64(u.PeakResident) })
	_, err := fmt.Fprintf(out, "| %s | %d | %.0f | %.0f | %.0f | %.0f |\n", j.name, rows,
		float64(size)/1e6/wall, float64(rows)/wall, float64(rows)/processor, peak/(1<<20))
	return err
}
