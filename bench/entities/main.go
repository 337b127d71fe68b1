// Command entities measures how well "laundromat records merge" finds the records that are the same, on tables with
// known pairs: those that are given, and those that it makes.
//
//	go -C bench run ./entities                     all sets
//	go -C bench run ./entities -persons 1000000    a table of so many persons, by the clock and by memory
//	go -C bench run ./entities -write ../docs/reconcile.md    into the section of that page
//
// The given sets are in the folder that LAUNDROMAT_SHARED names, or next to the checkout; they are left out where they
// are not there.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"laundromat/bench/process"
	"laundromat/internal/testkit/entities"
)

func main() {
	persons := flag.Int("persons", 0, "so many persons alone, without the other sets")
	write := flag.String("write", "", "page whose section on the command is written anew")
	process.Main("entities", 1, func(ctx context.Context, s *process.Setup) error {
		var section bytes.Buffer
		out := io.MultiWriter(os.Stdout, &section)
		m := &measuring{s, out}
		fmt.Fprintf(out, "`go -C bench run ./entities`, %s:\n\n", process.Today())
		fmt.Fprintln(out, "| set | records | pairs | precision | recall | F1 | s of the processor | s | most memory, MiB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
		if *persons > 0 {
			return m.measure(ctx, "persons", entities.Persons(*persons*5/8, 101, 1), "id")
		}
		for _, g := range []struct {
			name string
			set  *entities.Set
		}{
			{"persons, generated", entities.Persons(5000, 101, 1)},
			{"persons, twice the errors", entities.Persons(5000, 102, 2)},
			{"papers, generated", entities.Papers(1500, 700, 700, 103, 1)},
			{"papers, 300 of 1,500 × 2,300", entities.Papers(300, 1200, 2000, 104, 1.5)},
			{"products, generated", entities.Products(1000, 300, 800, 105, 1)},
			{"products, 500 of 1,200 × 3,500", entities.Products(500, 700, 3000, 106, 1.2)},
			{"papers, none the same", entities.Papers(0, 500, 1500, 107, 1)},
			{"products, none the same", entities.Products(0, 800, 1500, 108, 1)},
		} {
			if err := m.measure(ctx, g.name, g.set, "id"); err != nil {
				return err
			}
		}
		for _, g := range given() {
			set, err := g.read()
			if err != nil {
				return err
			}
			if set == nil {
				continue
			}
			if err := m.measure(ctx, g.name, set, g.id); err != nil {
				return err
			}
		}
		if *write == "" {
			return nil
		}
		return process.WriteSection(*write, "bench/entities", section.Bytes())
	})
}

// measuring writes the rows of a table to out.
type measuring struct {
	*process.Setup
	out io.Writer
}

// measure merges a set, and compares the pairs with the true ones.
func (s *measuring) measure(ctx context.Context, name string, set *entities.Set, id string) error {
	var inputs []string
	for side, rows := range set.Rows {
		if len(rows) == 0 {
			continue
		}
		path := filepath.Join(s.Folder, fmt.Sprintf("%c.csv", 'a'+side))
		if err := writeTable(path, set.Header[side], rows); err != nil {
			return err
		}
		inputs = append(inputs, path)
	}
	spec, pairs := filepath.Join(s.Folder, "spec.yaml"), filepath.Join(s.Folder, "pairs.jsonl")
	if err := os.WriteFile(spec, fmt.Appendf(nil, "reconcile: {id: %s}\n", id), 0o600); err != nil {
		return err
	}
	args := append([]string{"records", "merge", "-q", "--spec", spec, "--pairs", pairs,
		"-o", filepath.Join(s.Folder, "merged.jsonl")}, inputs...)
	command := exec.CommandContext(ctx, s.Program, append(args, s.Args...)...)
	command.Stderr = os.Stderr
	cost, err := process.Run(command)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	right, found, err := compare(pairs, set.Pairs)
	if err != nil {
		return err
	}
	p, r := share(right, found), share(right, len(set.Pairs))
	fmt.Fprintf(s.out, "| %s | %d | %d | %.3f | %.3f | %.3f | %.1f | %.1f | %d |\n", name, len(set.Rows[0])+len(set.Rows[1]), found, p, r,
		2*p*r/max(p+r, 1e-9), (cost.User + cost.System).Seconds(), cost.Wall.Seconds(), cost.PeakResident>>20)
	return nil
}

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

func writeTable(path string, header []string, rows [][]string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := csv.NewWriter(file)
	out.Write(header)
	out.WriteAll(rows)
	if err := out.Error(); err != nil {
		return err
	}
	return file.Close()
}

// compare counts the pairs of a file, and those that are right.
func compare(path string, truth map[[2]string]bool) (right, found int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var p struct{ A, B string }
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return 0, 0, err
		}
		found++
		if truth[[2]string{p.A, p.B}] || truth[[2]string{p.B, p.A}] {
			right++
		}
	}
	return right, found, lines.Err()
}

// source is a given set.
type source struct {
	name, id string
	files    []string
	truth    string
	comma    rune
}

func given() []source {
	return []source{
		{"restaurants (truth incomplete)", "id", []string{"restaurants/rest1.csv", "restaurants/rest2.csv"}, "restaurants/gt.csv", '|'},
		{"movies (truth incomplete)", "id", []string{"movies/imdb.csv", "movies/tmdb.csv"}, "movies/gt.csv", '|'},
		{"Febrl 1", "rec_id", []string{"febrl/dataset1.csv"}, "", ','},
		{"Febrl 2", "rec_id", []string{"febrl/dataset2.csv"}, "", ','},
	}
}

// read reads a given set; nil if it is not there.
func (g *source) read() (*entities.Set, error) {
	set := &entities.Set{Pairs: map[[2]string]bool{}}
	for side, name := range g.files {
		rows, err := g.rows(filepath.Join(process.Shared(), "records/entities", name))
		if os.IsNotExist(err) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		set.Header[side], set.Rows[side] = rows[0], rows[1:]
	}
	if g.truth == "" {
		same := map[string][]string{}
		for _, row := range set.Rows[0] {
			n := strings.Split(row[0], "-")[1]
			for _, other := range same[n] {
				set.Pairs[[2]string{other, row[0]}] = true
			}
			same[n] = append(same[n], row[0])
		}
		return set, nil
	}
	rows, err := g.rows(filepath.Join(process.Shared(), "records/entities", g.truth))
	if err != nil {
		return nil, err
	}
	for _, row := range rows[1:] {
		set.Pairs[[2]string{row[0], row[1]}] = true
	}
	return set, nil
}

func (g *source) rows(path string) ([][]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := csv.NewReader(file)
	in.Comma, in.LazyQuotes, in.FieldsPerRecord, in.TrimLeadingSpace = g.comma, true, -1, true
	rows, err := in.ReadAll()
	for _, row := range rows {
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
	}
	return rows, err
}
