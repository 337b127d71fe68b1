// Package outputs makes what the statements of a wash flow into: a stream, a file or its parts, a folder with a
// file a document, or each document's own file written again. The names of files say what is written.
//
//	maker := outputs.NewMaker(outputs.Options{Memory: 512 << 20, Workers: 4, Level: 6})
//	form, _ := outputs.FormOf("data.ttl.gz")
//	washer := states.Washer{Target: maker.File(form, "data.ttl.gz")}
package outputs

import (
	"fmt"
	"io"
	"os"
	"strings"

	"laundromat/internal/linesort"
	"laundromat/internal/outfile"
	"laundromat/rdf/write"
	"laundromat/states"
)

// Options say how outputs are made.
type Options struct {
	NoSort   bool  // in document order; duplicates stay
	Memory   int64 // of the sort, in bytes
	Temp     string
	Workers  int
	Level    int                                   // of compression
	Split    outfile.Split                         // of a file into parts
	Prefixes [][2]string                           // names and IRIs, before those of documents
	Watch    func(text []byte, ends, shared []int) // sees sorted lines, as of states.Sorted
}

// Maker makes the targets of a run.
type Maker struct {
	Options
	prefixes *write.Prefixes // those of the output that is being made
	written  string
}

// NewMaker makes a Maker.
func NewMaker(o Options) *Maker {
	m := &Maker{Options: o}
	m.begin()
	return m
}

// begin begins the prefixes of an output.
func (m *Maker) begin() *write.Prefixes {
	m.prefixes = &write.Prefixes{}
	for _, one := range m.Prefixes {
		m.prefixes.Add([]byte(one[0]), []byte(one[1]))
	}
	return m.prefixes
}

// Prefix adds a prefix that a document declares to those of the output that is being made.
func (m *Maker) Prefix(name, iri []byte) { m.prefixes.Add(name, iri) }

// Written is the file of the document that was done last, where each has one of its own; it is given once.
func (m *Maker) Written() (name string) {
	name, m.written = m.written, ""
	return name
}

// Stream is a target that writes to w.
func (m *Maker) Stream(form Form, w io.Writer) states.Target {
	lines := m.lines(form, m.prefixes)
	return m.target(form, func() (states.LineWriter, error) { return lines.Stream(w), nil })
}

// File is a target that writes a file, or its parts.
func (m *Maker) File(form Form, name string) states.Target {
	lines := m.lines(form, m.prefixes)
	return m.target(form, func() (states.LineWriter, error) { return m.create(lines, name) })
}

// Folder is a target that writes a file a document under a folder; none is one of the inputs.
func (m *Maker) Folder(form Form, folder string, inputs []os.FileInfo) states.Target {
	names := outfile.NewFolder(folder, form.Suffix(), inputs)
	return &states.Separate{Unsorted: m.NoSort, Make: func(name string) states.Target {
		lines := m.lines(form, m.begin())
		return m.target(form, func() (states.LineWriter, error) {
			m.written = names.Path(name)
			return m.create(lines, m.written)
		})
	}}
}

// InPlace is a target that writes each document over its file, and keeps the old one; kept is given its name.
func (m *Maker) InPlace(kept func(name, kept string)) states.Target {
	return &states.Separate{Unsorted: m.NoSort, Make: func(name string) states.Target {
		form, ok := FormOf(name)
		lines := m.lines(form, m.begin())
		return m.target(form, func() (states.LineWriter, error) {
			if !ok || strings.Contains(name, "!/") {
				return nil, fmt.Errorf("%s is part of another file, and can't be written in its place", name)
			}
			m.written = name
			return outfile.Replace(name, lines, kept)
		})
	}}
}

// lines are the options of files of a form.
func (m *Maker) lines(form Form, prefixes *write.Prefixes) outfile.Options {
	options := outfile.Options{Level: m.Level, Workers: m.Workers}
	if !form.Syntax.IsLines() {
		options.Encode = func(w io.Writer) outfile.Encoder { return write.New(form.Syntax, w, prefixes) }
	}
	return options
}

// create begins a file, or its parts.
func (m *Maker) create(lines outfile.Options, name string) (states.LineWriter, error) {
	if m.Split.IsSet() {
		return outfile.NewParts(name, m.Split, lines), nil
	}
	return lines.Create(name)
}

// target makes the target of one output of a form.
func (m *Maker) target(form Form, open func() (states.LineWriter, error)) (target states.Target) {
	if m.NoSort {
		target = states.NewUnsorted(open)
	} else {
		sorted := states.NewSorted(linesort.Options{Memory: m.Memory, Temp: m.Temp, Workers: m.Workers}, open)
		sorted.Watch = m.Watch
		target = sorted
	}
	if form.Syntax.WantsGraphFirst() {
		return states.GraphFirst(target)
	}
	return target
}
