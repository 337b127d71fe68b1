// Package diff says what changed between two clean files: the statements that went and those that
// came.
//
// Both are streams of canonical N-Quads lines, sorted by their bytes, each once. Lines without a blank
// node are compared in one merge of the two streams, in a few buffers of memory. The names of blank
// nodes say nothing: a document that gets one more node at its beginning may name all others again. So
// nodes are matched by what the documents say of them, as far as the memory allows that is given;
// matching.go explains how.
//
// A blank node is here a term _:label, or an IRI under the path /.well-known/genid/ of any host (RDF
// 1.1 Concepts §3.5). It may be a subject, an object or the name of a graph, in triple terms too.
//
// What comes out keeps a law that needs no isomorphism. Take Removed from the lines before, rename the
// nodes as Renamed says (all at once), add Added, and sort. Those are the lines after, byte by byte. A
// match that is not the best one makes more changes, never wrong ones.
package diff

import (
	"context"
	"fmt"
	"io"
)

// Source opens a fresh stream of a file's lines, unpacked. It is called up to twice.
type Source func() (io.ReadCloser, error)

// Output takes what changed. Lines and names are valid until the call returns; an error
// ends the work.
type Output struct {
	// Removed and Added take lines without their ends, each in the order of its file and
	// under the names that nodes have there.
	Removed, Added func(line []byte) error
	// Renamed takes the names of a node that is in both under different ones, as terms of
	// N-Quads; before any line.
	Renamed func(before, after []byte) error
}

// Options say how much may be done to match nodes.
type Options struct {
	// Memory is what matching may use, in bytes; 0: 256 MiB. If the statements with blank
	// nodes need more, nodes are compared by their names.
	Memory int64
	// ByName compares nodes by their names, whatever they are.
	ByName bool
	// Check, if it is not nil, is given the lines that are in one of the files alone, with their ends.
	// It gets some hundred kilobytes at a time, before any output. Its error ends the work.
	Check func(side Side, lines []byte) error
	// Progress gets the number of lines read now and then; nil if nobody asks.
	Progress func(lines int64)
}

const defaultMemory = 256 << 20

// Side is one of the two files.
type Side int

// The files, in the order in which they were made.
const (
	Before Side = iota
	After
)

// String is "before" or "after".
func (s Side) String() string { return [...]string{"before", "after"}[s] }

// Result counts what changed. Before - Removed + Added = After.
type Result struct {
	Before, After  int64 // statements
	Removed, Added int64
	Renamed        int64 // nodes that have another name and are the same
	// Gone and New are the blank nodes that are in a statement on one side and could not
	// be matched with one of the other. They are 0 where nodes were compared by name.
	Gone, New int64
	// ByName says that nodes were compared by their names: it was asked for, or they are too
	// many for the memory.
	ByName bool
}

// Same says that nothing changed but names.
func (r *Result) Same() bool { return r.Removed == 0 && r.Added == 0 }

// Unclean says that a file is not what clean files are. Line counts from 1.
type Unclean struct {
	Side    Side
	Line    int64
	Message string
}

// Error is the message, after the number of the line.
func (u *Unclean) Error() string { return fmt.Sprintf("line %d: %s", u.Line, u.Message) }

// Compare says what changed from one file to the other. The files are read once if no
// statement with a blank node differs and nothing was removed or added, else twice.
func Compare(ctx context.Context, before, after Source, out Output, opt Options) (Result, error) {
	if opt.Memory <= 0 {
		opt.Memory = defaultMemory
	}
	c := &comparison{ctx: ctx, sources: [2]Source{before, after}, out: out, opt: opt}
	if err := c.survey(); err != nil {
		return c.result, err
	}
	if !c.linesDiffer {
		return c.result, nil
	}
	if c.nodesDiffer && c.graphs != nil {
		if err := c.graphs.match(ctx); err != nil {
			return c.result, err
		}
		if err := c.rename(); err != nil {
			return c.result, err
		}
	} else {
		c.result.ByName, c.graphs = c.nodesDiffer, nil
	}
	return c.result, c.write()
}

// comparison is one call of Compare.
type comparison struct {
	ctx     context.Context
	sources [2]Source
	out     Output
	opt     Options
	result  Result

	linesDiffer bool
	nodesDiffer bool    // statements with blank nodes differ
	graphs      *graphs // nil: nodes are compared by name
	spans       [][2]int
	batch       [2][]byte // lines to be checked
}

// checkBatch is how many bytes of lines are checked together.
const checkBatch = 256 << 10

// survey reads both files for the first time: it looks whether anything differs, and
// gathers what is said of blank nodes.
func (c *comparison) survey() error {
	if !c.opt.ByName {
		c.graphs = newGraphs(c.opt.Memory)
	}
	err := c.merge(func(side Side, line []byte, both bool) error {
		node := hasNode(line)
		if !both {
			c.linesDiffer = true
			c.nodesDiffer = c.nodesDiffer || node
			if err := c.check(side, line); err != nil {
				return err
			}
		}
		if !node || c.graphs == nil {
			return nil
		}
		spans, ok := appendNodes(c.spans[:0], line)
		c.spans = spans
		if !ok {
			return errNoStatement
		}
		if len(spans) > 0 && !c.graphs.add(side, line, spans) {
			c.graphs = nil // too many: what was gathered is of no use
		}
		return nil
	})
	for side := range c.batch {
		if err == nil {
			err = c.checkNow(Side(side))
		}
	}
	return err
}

// check has a line checked that is in one file alone.
func (c *comparison) check(side Side, line []byte) error {
	if c.opt.Check == nil {
		return nil
	}
	c.batch[side] = append(append(c.batch[side], line...), '\n')
	if len(c.batch[side]) < checkBatch {
		return nil
	}
	return c.checkNow(side)
}

func (c *comparison) checkNow(side Side) error {
	lines := c.batch[side]
	c.batch[side] = lines[:0]
	if len(lines) == 0 {
		return nil
	}
	return c.opt.Check(side, lines)
}

// rename reports the names that changed.
func (c *comparison) rename() error {
	g := c.graphs
	for id := range g.sides[Before].names {
		partner, ok := g.partner(Before, uint32(id))
		if !ok {
			c.result.Gone++
			continue
		}
		before, after := g.name(Before, uint32(id)), g.name(After, partner)
		if before == after {
			continue
		}
		c.result.Renamed++
		if err := c.out.Renamed([]byte(before), []byte(after)); err != nil {
			return err
		}
	}
	for id := range g.sides[After].names {
		if _, ok := g.partner(After, uint32(id)); !ok {
			c.result.New++
		}
	}
	return nil
}

// write reads both files again and gives out what changed.
func (c *comparison) write() error {
	sums := c.result
	c.result.Before, c.result.After = 0, 0
	var nth [2]int // statements with blank nodes so far
	give := [2]func([]byte) error{c.out.Removed, c.out.Added}
	count := [2]*int64{&c.result.Removed, &c.result.Added}
	err := c.merge(func(side Side, line []byte, both bool) error {
		kept := both
		if c.graphs != nil && hasNode(line) {
			spans, _ := appendNodes(c.spans[:0], line)
			c.spans = spans
			if len(spans) > 0 {
				if nth[side] == len(c.graphs.sides[side].ground) {
					return errChanged
				}
				kept = c.graphs.sides[side].isKept(nth[side])
				nth[side]++
			}
		}
		if kept {
			return nil
		}
		*count[side]++
		return give[side](line)
	})
	if err == nil && (sums.Before != c.result.Before || sums.After != c.result.After) {
		err = errChanged
	}
	return err
}
