package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// example shows what became of a broken text.
func (t *tables) example(to io.Writer, b broken, r reading, format string, lost []statement, invented []finding) error {
	f := b.faults[0]
	if err := t.keepText(to, b); err != nil {
		return err
	}
	fmt.Fprintf(to, "== %s, %s: lines %d to %d; told on %v\n", format, f.name, f.first, f.last, r.lines)
	all := strings.Split(b.text, "\n")
	for i := max(1, f.first-2); i <= min(len(all), f.last+6); i++ {
		fmt.Fprintf(to, "%4d %q\n", i, all[i-1])
	}
	for _, s := range lost[:min(len(lost), 6)] {
		fmt.Fprintln(to, "  lost", s)
	}
	for _, s := range invented[:min(len(invented), 6)] {
		fmt.Fprintln(to, "  invented", s.statement)
	}
	if t.show == 0 {
		t.show = -1
	}
	return nil
}

// sight is what is shown at a place of a text with many faults.
type sight struct {
	at   int
	text string
}

// examples shows what was lost and invented in a text with many faults, and faults not told on their lines: those that are
// near each other together, with the text around, in which «» marks the faults.
func (t *tables) examples(to io.Writer, d *document, b broken, r reading, lost []statement, invented []finding) error {
	if err := t.keepText(to, b); err != nil {
		return err
	}
	var all []sight
	for _, s := range invented {
		all = append(all, sight{s.at, fmt.Sprint("invented ", s.statement)})
	}
	places := map[statement]int{}
	for i := range d.pieces {
		for _, n := range d.pieces[i].needs {
			places[d.statements[n]] = b.offset(d.at[i])
		}
	}
	for _, s := range lost {
		all = append(all, sight{places[s], fmt.Sprint("lost ", s)})
	}
	for _, f := range b.faults {
		told := f.quiet
		for line := f.first; line <= f.last; line++ {
			told = told || r.lines[line]
		}
		if !told {
			all = append(all, sight{f.at, fmt.Sprintf("not told: %s, lines %d to %d", f.name, f.first, f.last)})
		}
	}
	slices.SortStableFunc(all, func(a, b sight) int { return a.at - b.at })
	const before, behind, near = 700, 250, 1000
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].at-all[n-1].at < near {
			n++
		}
		from, end := max(all[0].at-before, 0), min(all[n-1].at+behind, len(b.text))
		fmt.Fprintf(to, "== at %d to %d\n", all[0].at, all[n-1].at)
		for _, s := range all[:n] {
			fmt.Fprintf(to, "  %d %s\n", s.at, s.text)
		}
		fmt.Fprint(to, "   ")
		for _, f := range b.faults {
			if from <= f.at && f.at < end {
				fmt.Fprintf(to, "%s«%s»", strings.ToValidUTF8(b.text[from:f.at], "?"), f.name)
				from = f.at
			}
		}
		fmt.Fprintln(to, strings.ToValidUTF8(b.text[from:end], "?"))
		if t.show--; t.show == 0 {
			t.show = -1
			return nil
		}
		all = all[n:]
	}
	return nil
}

// keepText writes a text that is shown to a file, if that was asked for.
func (t *tables) keepText(to io.Writer, b broken) error {
	if t.keep == "" {
		return nil
	}
	t.kept++
	name := filepath.Join(t.keep, fmt.Sprintf("%03d", t.kept))
	if err := os.WriteFile(name, []byte(b.text), 0o666); err != nil {
		return err
	}
	fmt.Fprintln(to, name)
	return nil
}
