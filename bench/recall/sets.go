package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A set is documents with faults of one kind of origin. Beside the two of the first tables, these are measured.
type set struct {
	name     string
	sentence string
	ours     bool // the documents are made by this program, and not by others
	long     bool // they are too long to be read without each rule
	// make makes the documents of a format with one seed.
	make func(s *source) ([]sample, error)
}

// sample is a document with faults in it.
type sample struct {
	*document
	broken
}

// source is what samples are made of: a format, random numbers and real files.
type source struct {
	ctx    context.Context
	format string
	draw   *draw
	real   []*document
	places int
	first  bool // of all seeds
	lines  bool // JSON-LD has a node a line
}

// sizes are the statements of the documents that are small.
var sizes = []int{12, 24, 120}

// rowLengths are how many broken blocks stand one after another. The last is made with the first seed alone.
var rowLengths = []int{2, 5, 50, 300}

// around are the blocks without a fault before and behind such a row.
const aroundRow = 12

// statementsAFault is how many statements there are for each fault of a dense document.
const statementsAFault = 10

// sets are all sets, in the order of the page.
func sets() []set {
	var all []set
	for _, n := range sizes {
		all = append(all, set{fmt.Sprintf("single, %d", n), fmt.Sprintf("one fault of the table in a document of %d statements", n), true,
			false,
			func(s *source) ([]sample, error) { return s.single(faults, n) }})
	}
	for _, n := range sizes {
		all = append(all, set{fmt.Sprintf("dense, %d", n), fmt.Sprintf("a fault for each %d statements in documents of %d",
			statementsAFault, n), true, false,
			func(s *source) ([]sample, error) { return s.dense(faults, n) }})
	}
	for _, n := range rowLengths {
		all = append(all,
			set{fmt.Sprintf("row of %d", n),
				fmt.Sprintf("the same fault in each of %d blocks one after another, with %d sound ones on both sides", n, aroundRow), true,
				n == rowLengths[len(rowLengths)-1],
				func(s *source) ([]sample, error) {
					if n == rowLengths[len(rowLengths)-1] && !s.first {
						return nil, nil
					}
					return s.rows(n, aroundRow)
				}})
	}
	all = append(all,
		set{"lines of JSON-LD", "one fault of the table in a file of JSON-LD with a node a line, of 24 statements", true, false,
			func(s *source) ([]sample, error) {
				if s.lines = s.format == "JSON-LD"; !s.lines {
					return nil, nil
				}
				return s.single(faults, 24)
			}},
		set{"same fault", "the same fault in each block of a document", true, false,
			func(s *source) ([]sample, error) { return s.rows(24, 0) }},
		set{"written, single", "one slip such as people make in a document of 24 statements", true, false,
			func(s *source) ([]sample, error) { return s.single(slips, 24) }},
		set{"written, dense", fmt.Sprintf("a slip for each %d statements in documents of 120", statementsAFault), true, false,
			func(s *source) ([]sample, error) { return s.dense(slips, 120) }},
		set{"real, single", "one fault of the table in a real file", false, false,
			func(s *source) ([]sample, error) { return s.realSingle(faults) }},
		set{"real, dense", "a fault in each fourth block of a real file", false, false,
			func(s *source) ([]sample, error) { return s.realDense(faults) }},
		set{"real, written", "one slip such as people make in a real file", false, false,
			func(s *source) ([]sample, error) { return s.realSingle(slips) }},
	)
	return all
}

// document makes one of ours, in the next layout.
func (s *source) document(statements int) (*document, error) {
	r := s.draw
	d := makeDocument(r.format, statements, r.layouts[r.made%len(r.layouts)], r.random)
	r.made++
	if s.lines {
		d.nodeALine()
	}
	return d, checkClean(s.ctx, d)
}

// single makes documents with one fault of a table.
func (s *source) single(table []fault, statements int) (all []sample, err error) {
	for i := range table {
		f := &table[i]
		if !f.in(s.format) {
			continue
		}
		for made, try := 0, 0; made < s.places && try < s.places*8; try++ {
			d, err := s.document(statements)
			if err != nil {
				return nil, err
			}
			if e, ok := d.choose(s.draw.random, f); ok {
				made++
				all = append(all, sample{d, d.apply([]edit{e})})
			}
		}
	}
	return all, nil
}

// often are the faults of a table that can be made more than once in a document.
func (s *source) often(table []fault) (all []*fault) {
	for i := range table {
		if f := &table[i]; f.in(s.format) && !f.alone {
			all = append(all, f)
		}
	}
	return all
}

// dense makes documents with many faults, of each kind by turns. There are as many documents as kinds.
func (s *source) dense(table []fault, statements int) (all []sample, err error) {
	kinds := s.often(table)
	next := 0
	for range kinds {
		d, err := s.document(statements)
		if err != nil {
			return nil, err
		}
		var edits []edit
		wanted := max(2, statements/statementsAFault)
		for try := 0; len(edits) < wanted && try < 8*wanted; try++ {
			e, ok := d.choose(s.draw.random, kinds[next%len(kinds)])
			next++
			if ok && !d.touchesAny(e, edits) {
				edits = append(edits, e)
			}
		}
		all = append(all, sample{d, d.apply(edits)})
	}
	return all, nil
}

// rows makes documents with the same fault in each of many blocks, one after another.
func (s *source) rows(length, around int) (all []sample, err error) {
	for _, f := range s.often(faults) {
		d, err := s.blocks(length + 2*around)
		if err != nil {
			return nil, err
		}
		var edits []edit
		for block := around + 1; block <= around+length; block++ {
			if e, ok := d.chooseIn(s.draw.random, f, block); ok && !d.touchesAny(e, edits) {
				edits = append(edits, e)
			}
		}
		if len(edits) > 0 {
			all = append(all, sample{d, d.apply(edits)})
		}
	}
	return all, nil
}

// blocks makes a document of at least so many blocks.
func (s *source) blocks(least int) (*document, error) {
	statements := least
	for {
		d, err := s.document(statements)
		if err != nil {
			return nil, err
		}
		blocks := 0
		for i := range d.pieces {
			blocks = max(blocks, d.pieces[i].block)
		}
		if blocks >= least {
			return d, nil
		}
		s.draw.made--
		statements += statements * (least - blocks + 1) / least
	}
}

// chooseIn makes a fault at a random place of a block that fits.
func (d *document) chooseIn(random *rand.Rand, f *fault, block int) (edit, bool) {
	var places []int
	first, _ := slices.BinarySearchFunc(d.firstOfBlocks(), block, func(f [2]int, block int) int { return f[0] - block })
	if first == len(d.firsts) {
		return edit{}, false
	}
	for i := d.firsts[first][1]; i < len(d.pieces) && (d.pieces[i].block == block || d.pieces[i].block == 0); i++ {
		if d.pieces[i].block == block && f.fits(d, i) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return edit{}, false
	}
	e := f.make(random, d, places[random.IntN(len(places))])
	e.fault = f
	return e, true
}

// firstOfBlocks are the numbers of all blocks, each with its first piece.
func (d *document) firstOfBlocks() [][2]int {
	if d.firsts == nil {
		last := 0
		for i := range d.pieces {
			if block := d.pieces[i].block; block > last {
				d.firsts = append(d.firsts, [2]int{block, i})
				last = block
			}
		}
	}
	return d.firsts
}

// notOfRealFiles are faults that are made of the names of our own documents, or that need to know more of a
// document than its blocks.
var notOfRealFiles = []string{"second root", "cut at the end", "broken prefix declaration", "undeclared namespace prefix",
	"less-than in an attribute", "unclosed comment"}

// realSingle puts one fault into real files that are drawn at random.
func (s *source) realSingle(table []fault) (all []sample, err error) {
	if len(s.real) == 0 {
		return nil, nil
	}
	for i := range table {
		f := &table[i]
		if !f.in(s.format) || slices.Contains(notOfRealFiles, f.name) {
			continue
		}
		for made, try := 0, 0; made < s.places && try < s.places*8; try++ {
			d := s.real[s.draw.random.IntN(len(s.real))]
			blocks := d.firstOfBlocks()
			if e, ok := d.chooseIn(s.draw.random, f, blocks[s.draw.random.IntN(len(blocks))][0]); ok {
				made++
				all = append(all, sample{d, d.apply([]edit{e})})
			}
		}
	}
	return all, nil
}

// realDense puts a fault into each fourth block of each real file.
func (s *source) realDense(table []fault) (all []sample, err error) {
	kinds := slices.DeleteFunc(s.often(table), func(f *fault) bool { return slices.Contains(notOfRealFiles, f.name) })
	next := 0
	for _, d := range s.real {
		var edits []edit
		for n, block := range d.firstOfBlocks() {
			if n%4 != 1 {
				continue
			}
			for range 8 {
				e, ok := d.chooseIn(s.draw.random, kinds[next%len(kinds)], block[0])
				next++
				if ok && !d.touchesAny(e, edits) {
					edits = append(edits, e)
					break
				}
			}
		}
		if len(edits) > 0 {
			all = append(all, sample{d, d.apply(edits)})
		}
	}
	return all, nil
}

// setsOf makes the sets of a format with one seed, the n-th of all, and calls something for each.
func (m *measurer) setsOf(ctx context.Context, format string, seed uint64, n int, each func(one set, all []sample) error) error {
	var layouts []*layout
	for _, l := range m.options.layouts {
		if l.in(format) {
			layouts = append(layouts, l)
		}
	}
	if len(layouts) == 0 {
		return nil
	}
	for i, one := range sets() {
		if m.options.set != "" && !strings.HasPrefix(one.name, m.options.set) {
			continue
		}
		s := &source{ctx: ctx, format: format, draw: &draw{format: format, random: rand.New(rand.NewPCG(seed, uint64(i+1))),
			layouts: layouts},
			real: m.real[format], places: max(1, m.places), first: n == 0}
		all, err := one.make(s)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		if err := each(one, all); err != nil {
			return err
		}
	}
	return nil
}
