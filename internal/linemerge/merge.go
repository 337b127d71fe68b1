// Package linemerge merges files of sorted lines into one in which each line is once, and counts which lines
// several of them have. The lines of an input must rise strictly by their bytes, as those of a clean file do.
//
// Each input is read ahead by a goroutine, in blocks; one goroutine compares. More inputs than may be open at
// once are merged in groups first, into temporary files.
package linemerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Input is a file to be merged.
type Input struct {
	Name string
	// Open opens it from its beginning. It is called once.
	Open func() (io.ReadCloser, error)
}

// Options say how inputs are merged.
type Options struct {
	// Memory is how many bytes the blocks that are read ahead may take together; at least 1 MiB is used.
	Memory int64
	// Temp is the folder for temporary files; "" for the system's.
	Temp string
	// MostOpen is how many inputs are open at once; by default 512. At least two are.
	MostOpen int
	// Check is asked about each line of an input, on the goroutine that reads it; nil for no check.
	Check func(line []byte) error
}

// Counts are what was found of one input.
type Counts struct {
	Lines int64 // in it
	Alone int64 // of these, in no other input
}

// Sums are what was found of all inputs.
type Sums struct {
	Lines   int64    // read
	Written int64    // each once
	Shared  int64    // of the written, in two inputs or more
	Inputs  []Counts // in the order of the inputs
}

// UnsortedError says that a line does not rise above the one before it.
type UnsortedError struct {
	Name string
	Line int64 // from 1
	Text []byte
}

func (e *UnsortedError) Error() string {
	return fmt.Sprintf("%s:%d: the lines are not sorted, or not each once: %s", e.Name, e.Line, excerpt(e.Text))
}

// excerpt is the beginning of a line, safe to be shown.
func excerpt(line []byte) []byte {
	return bytes.ToValidUTF8(line[:min(len(line), excerptLength)], []byte("\uFFFD"))
}

const (
	excerptLength   = 200 // bytes of a line that an error quotes
	defaultMostOpen = 512
)

// Merge gives the lines of all inputs to line, sorted, each once, without their ends. A line is valid until the call
// returns. An error of line ends the merge, and is returned as it is.
func Merge(ctx context.Context, inputs []Input, options Options, line func([]byte) error) (Sums, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if options.MostOpen == 0 {
		options.MostOpen = defaultMostOpen
	}
	options.MostOpen = max(2, options.MostOpen)
	m := &merge{ctx: ctx, options: options, sums: Sums{Inputs: make([]Counts, len(inputs))}}
	defer m.removeGroups()
	sources := make([]source, len(inputs))
	for i, input := range inputs {
		sources[i] = source{Input: input, number: i}
	}
	for len(sources) > options.MostOpen {
		var err error
		if sources, err = m.group(sources); err != nil {
			return m.sums, err
		}
	}
	err := m.run(sources, func(text []byte, of origin) error {
		m.sums.Written++
		if of == shared {
			m.sums.Shared++
		} else {
			m.sums.Inputs[of].Alone++
		}
		return line(text)
	})
	for _, counts := range m.sums.Inputs {
		m.sums.Lines += counts.Lines
	}
	return m.sums, err
}

// origin is the number of the one input that has a line, or shared.
type origin int

const shared origin = -1

// merge is one call of Merge.
type merge struct {
	ctx     context.Context
	options Options
	sums    Sums
	groups  []string // temporary files
}

// source is an input, or a group of inputs that were merged before.
type source struct {
	Input
	number  int // of an input
	grouped bool
}

// run merges sources that are open together.
func (m *merge) run(sources []source, give func([]byte, origin) error) error {
	ctx, cancel := context.WithCancel(m.ctx)
	defer cancel() // ends the goroutines that read ahead
	size := blockSize(m.options.Memory, len(sources))
	t := tree{cursors: make([]*cursor, len(sources))}
	for i, s := range sources {
		t.cursors[i] = &cursor{source: s, blocks: make(chan *block, 1), used: make(chan *block, blocksEach)}
		go t.cursors[i].readAhead(ctx, size, m.options.Check)
	}
	defer func() {
		for _, c := range t.cursors {
			for range c.blocks { // until its reader has ended, and closed what it read
			}
			if !c.grouped {
				m.sums.Inputs[c.number].Lines += c.taken
			}
		}
	}()
	defer cancel()
	if err := t.start(); err != nil {
		return err
	}
	for !t.isEmpty() {
		if err := t.giveNext(give); err != nil {
			return err
		}
	}
	return m.ctx.Err()
}

// group merges the sources in groups, as many as may be open at once, into temporary files.
func (m *merge) group(sources []source) (grouped []source, err error) {
	for len(sources) > 0 {
		n := min(m.options.MostOpen, len(sources))
		file, err := os.CreateTemp(m.options.Temp, "laundromat-merge-*")
		if err != nil {
			return nil, err
		}
		name := file.Name()
		m.groups = append(m.groups, name)
		writer := newGroupWriter(file)
		err = m.run(sources[:n], writer.line)
		if err = errors.Join(err, writer.flush(), file.Close()); err != nil {
			return nil, err
		}
		grouped = append(grouped,
			source{grouped: true, Input: Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}})
		sources = sources[n:]
	}
	return grouped, nil
}

func (m *merge) removeGroups() {
	for _, name := range m.groups {
		os.Remove(name)
	}
}
