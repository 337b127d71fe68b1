package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"laundromat/states"
)

// parts writes lines to several files in turn, each with as many as may be. They take
// their names, x.0001.nq.gz for x.nq.gz, when all are complete.
type parts struct {
	name   string
	limit  splitValue
	create func(name, told string) (states.LineWriter, error)

	cur          states.LineWriter
	lines, bytes int64    // in cur
	waiting      []string // files that are complete, under the names they have until all are
	done         bool
}

func (p *parts) Line(line []byte) error {
	n := int64(len(line)) + 1
	if p.cur != nil && (p.limit.lines > 0 && p.lines >= p.limit.lines || p.limit.bytes > 0 && p.lines > 0 && p.bytes+n > p.limit.bytes) {
		if err := p.finish(); err != nil {
			return err
		}
	}
	if err := p.ready(); err != nil {
		return err
	}
	p.lines++
	p.bytes += n
	return p.cur.Line(line)
}

// ready begins a part if none is being written.
func (p *parts) ready() (err error) {
	if p.cur != nil {
		return nil
	}
	part := p.part(len(p.waiting) + 1)
	folder, base := filepath.Split(part)
	name := filepath.Join(folder, fmt.Sprintf(".%08x-%s", rand.Uint32(), base))
	if p.cur, err = p.create(name, part); err != nil {
		p.cur = nil
		return err
	}
	p.waiting = append(p.waiting, name)
	p.lines, p.bytes = 0, 0
	return nil
}

func (p *parts) finish() error {
	err := p.cur.Close()
	p.cur = nil
	return err
}

// part is the name of the n-th part, from 1.
func (p *parts) part(n int) string {
	stem, suffix := p.name, ""
	for _, known := range []string{".gz", ".nq", ".nt"} {
		if rest, ok := strings.CutSuffix(stem, known); ok && filepath.Base(rest) != known {
			stem, suffix = rest, known+suffix
		}
	}
	return fmt.Sprintf("%s.%04d%s", stem, n, suffix)
}

// Close completes the last part and names all. Without a line there is one part, with
// none. Parts of an earlier run that would come behind are removed: they are not of
// this output.
func (p *parts) Close() error {
	if p.done {
		return nil
	}
	err := p.ready()
	if err == nil {
		err = p.finish()
	}
	if err != nil {
		p.Abort()
		return err
	}
	p.done = true
	for i, name := range p.waiting {
		if err := os.Rename(name, p.part(i+1)); err != nil {
			for _, left := range p.waiting[i:] {
				os.Remove(left)
			}
			return err
		}
	}
	for n := len(p.waiting) + 1; ; n++ {
		if err := os.Remove(p.part(n)); errors.Is(err, fs.ErrNotExist) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (p *parts) Abort() {
	if p.done {
		return
	}
	p.done = true
	if p.cur != nil {
		p.cur.Abort()
	}
	for _, name := range p.waiting {
		os.Remove(name)
	}
}

// splitValue is the flag --split: a number of lines (10M), or a size of text (100MB).
type splitValue struct{ lines, bytes int64 }

func (v *splitValue) String() string {
	switch {
	case v.bytes > 0:
		return strconv.FormatInt(v.bytes, 10) + "B"
	case v.lines > 0:
		return strconv.FormatInt(v.lines, 10)
	}
	return ""
}

func (v *splitValue) Set(text string) error {
	number, isSize := strings.CutSuffix(strings.ToUpper(strings.TrimSpace(text)), "B")
	number, isBinary := strings.CutSuffix(number, "I")
	unit, factor := int64(1000), int64(1)
	if isBinary {
		unit = 1024
	}
	for i, name := range []string{"K", "M", "G", "T"} {
		if rest, ok := strings.CutSuffix(number, name); ok {
			number = rest
			for range i + 1 {
				factor *= unit
			}
			isBinary = false
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || isBinary || strings.ContainsAny(number, "EXP_N") || !(n*float64(factor) >= 1 && n*float64(factor) < 1<<62) {
		return fmt.Errorf("%q is neither a number of statements (10M) nor a size of text (100MB, 64MiB)", text)
	}
	if *v = (splitValue{lines: int64(n * float64(factor))}); isSize {
		*v = splitValue{bytes: v.lines}
	}
	return nil
}

func (v *splitValue) Type() string { return "N|SIZE" }

func (v *splitValue) isSet() bool { return v.lines > 0 || v.bytes > 0 }
