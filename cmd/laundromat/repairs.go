package main

import (
	"fmt"

	"laundromat/internal/outfile"
	"laundromat/states"
)

// repairsFile is where --repairs writes; the zero value is for a run without.
type repairsFile struct{ whole *outfile.File }

// openRepairs creates the file of --repairs, which takes its name when it is complete,
// and gives the run its diffs.
func (r *washRun) openRepairs() (repairsFile, error) {
	switch path := r.options.repairs; path {
	case "":
		return repairsFile{}, nil
	case "-":
		r.diffs = &states.Diffs{To: r.ui.out}
		return repairsFile{}, nil
	default:
		whole, err := outfile.Create(path)
		if err != nil {
			return repairsFile{}, err
		}
		r.diffs = &states.Diffs{To: whole}
		return repairsFile{whole}, nil
	}
}

func (f repairsFile) close() error {
	if f.whole == nil {
		return nil
	}
	return f.whole.Close()
}

func (f repairsFile) abort() {
	if f.whole != nil {
		f.whole.Abort()
	}
}

// tellRepairs says on stderr how many repairs the diff holds, and how many it does not.
func (r *washRun) tellRepairs() error {
	if r.diffs == nil || r.ui.quiet {
		return nil
	}
	d := r.diffs
	word := "repairs"
	if d.Written == 1 {
		word = "repair"
	}
	text := fmt.Sprintf("%s: %d %s", r.options.repairs, d.Written, word)
	if left := d.Repairs - d.Written; left > 0 {
		text += fmt.Sprintf("; %d more can't be shown as an edit, its lines with # say why", left)
	}
	_, err := fmt.Fprintln(r.ui.err, text)
	return err
}
