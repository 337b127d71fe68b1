package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Parts writes lines to several files in turn, each with as many as may be. They take
// their names, x.0001.nq.gz for x.nq.gz, when all are complete.
type Parts struct {
	name    string
	limit   Split
	options Options

	cur          Lines
	lines, bytes int64    // in cur
	waiting      []string // temporary names of the parts so far
	done         bool
}

// NewParts writes lines to parts of the file of that name.
func NewParts(name string, limit Split, options Options) *Parts {
	return &Parts{name: name, limit: limit, options: options}
}

// Line writes a line to the part that is being written, or to a new one.
func (p *Parts) Line(line []byte) error {
	n := int64(len(line)) + 1
	if p.cur != nil && p.limit.isReached(p.lines, p.bytes, n) {
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
func (p *Parts) ready() (err error) {
	if p.cur != nil {
		return nil
	}
	part := p.part(len(p.waiting) + 1)
	folder, base := filepath.Split(part)
	name := filepath.Join(folder, fmt.Sprintf(".%08x-%s", rand.Uint32(), base))
	if p.cur, err = p.options.createAs(name, part); err != nil {
		p.cur = nil
		return err
	}
	p.waiting = append(p.waiting, name)
	p.lines, p.bytes = 0, 0
	return nil
}

func (p *Parts) finish() error {
	err := p.cur.Close()
	p.cur = nil
	return err
}

// part is the name of the n-th part, from 1.
func (p *Parts) part(n int) string {
	stem, suffix := p.name, ""
	for _, known := range []string{".gz", ".zst", ".nq", ".nt", ".ttl", ".trig", ".jsonld"} {
		if rest, ok := strings.CutSuffix(stem, known); ok && filepath.Base(rest) != known {
			stem, suffix = rest, known+suffix
		}
	}
	return fmt.Sprintf("%s.%04d%s", stem, n, suffix)
}

// Existing are the parts of the file of that name that are there.
func (p *Parts) Existing() (names []string) {
	for n := 1; ; n++ {
		name := p.part(n)
		if _, err := os.Stat(name); err != nil {
			return names
		}
		names = append(names, name)
	}
}

// Close completes the last part and names all; an output without a line is one empty part.
// Parts of an earlier run that would come after are removed: they are not of this output.
func (p *Parts) Close() error {
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

// Abort removes all parts, unless they were closed.
func (p *Parts) Abort() {
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
