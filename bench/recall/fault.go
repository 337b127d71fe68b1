package main

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
)

// fault is a kind of fault: where it can be made, and how.
type fault struct {
	name     string
	sentence string
	formats  string // of those below, the letters
	// fits says that the fault can be made at a piece.
	fits func(d *document, i int) bool
	make func(r *rand.Rand, d *document, i int) edit
	// quiet: the format allows it, so that no notice is needed.
	quiet bool
	// alone: it can't be made often in one document.
	alone bool
}

// formats are the formats with the letters that the table of faults has for them.
var formats = []struct {
	name   string
	letter string
}{{"N-Triples", "n"}, {"N-Quads", "q"}, {"Turtle", "t"}, {"TriG", "g"}, {"RDF/XML", "x"}, {"JSON-LD", "j"}}

func (f *fault) in(format string) bool {
	for _, known := range formats {
		if known.name == format {
			return strings.Contains(f.formats, known.letter)
		}
	}
	return false
}

// edit replaces a stretch of the clean text.
type edit struct {
	fault    *fault
	from, to int
	with     string
	since    int   // where what is broken begins, if that is before from; else 0
	until    int   // and ends, if that is behind to
	touched  []int // statements
}

// over is an edit of a stretch. What it touches are the statements of all pieces in it. If it only
// puts something in, they are those of the piece around, or of the pieces on both sides in the same
// block.
func (d *document) over(from, to int, with string) edit {
	e := edit{from: from, to: to, with: with}
	first := d.pieceAt(from)
	if from < to || d.at[first] < from {
		for i := first; i < len(d.pieces) && (d.at[i] < to || i == first); i++ {
			e.touch(d, i)
			e.since = min(nonzero(e.since, d.at[i]), d.at[i])
		}
		return e
	}
	before, after := first-1, first
	for before >= 0 && d.pieces[before].kind == space {
		before--
	}
	for after < len(d.pieces) && d.pieces[after].kind == space {
		after++
	}
	if before >= 0 && after < len(d.pieces) && d.pieces[before].block == d.pieces[after].block && d.pieces[after].block > 0 {
		e.touch(d, before)
		e.touch(d, after)
		e.since = d.at[before]
	}
	return e
}

func nonzero(a, b int) int {
	if a == 0 {
		return b
	}
	return a
}

func (e *edit) touch(d *document, i int) { e.touched = append(e.touched, d.pieces[i].needs...) }

// pieceAt is the piece that the byte at an offset belongs to.
func (d *document) pieceAt(at int) int {
	return sort.Search(len(d.pieces), func(i int) bool { return d.at[i+1] > at })
}

func (d *document) instead(i int, text string) edit { return d.over(d.at[i], d.at[i+1], text) }

// inside puts text into a piece.
func (d *document) inside(i, at int, text string) edit {
	return d.over(d.at[i]+at, d.at[i]+at, text)
}

// without cuts bytes out of a piece.
func (d *document) without(i, from, to int) edit {
	e := d.over(d.at[i]+from, d.at[i]+to, "")
	return e
}

// restOfLine adds the statements of the pieces after a piece on its line. Where a quotation mark is
// missing, nothing on that line shows where the string ends. Of the members of a list these are the
// rdf:rest too, since nothing shows how many there are.
func (d *document) restOfLine(e edit, i int) edit {
	block := d.pieces[i].block
	for ; i < len(d.pieces); i++ {
		if d.format == "JSON-LD" && d.pieces[i].block != block { // a node that is on the same line
			break
		}
		e.touch(d, i)
		for _, s := range d.pieces[i].needs {
			if d.statements[s].predicate == "<"+rdfNS+"first>" && !strings.HasPrefix(d.format, "RDF") {
				e.touched = append(e.touched, s+1) // see cells
			}
		}
		if strings.Contains(d.pieces[i].text, "\n") && d.pieces[i].kind != long {
			break
		}
	}
	return e
}

// restOfBlock adds all statements that are after a piece in its block: where a
// bracket is missing or superfluous, their subject depends on it.
func (d *document) restOfBlock(e edit, i int) edit {
	for block := d.pieces[i].block; i < len(d.pieces) && d.pieces[i].block == block; i++ {
		e.touch(d, i)
		e.until = d.at[i+1]
	}
	return e
}

// wholeTag adds the statements that depend on any part of a tag.
func (d *document) wholeTag(e edit, i int) edit {
	tag := d.pieces[i].tag
	for j := i; tag > 0 && j >= 0 && d.pieces[j].tag == tag; j-- {
		e.touch(d, j)
		e.since = d.at[j]
	}
	for j := i; tag > 0 && j < len(d.pieces) && d.pieces[j].tag == tag; j++ {
		e.touch(d, j)
	}
	return e
}

// broken is a text with faults in it.
type broken struct {
	text    string
	touched map[int]bool
	faults  []injected
	edits   []edit // in their order
}

// place is where a byte of the clean text is in the broken one.
func (b *broken) place(at int) int {
	moved := 0
	for _, e := range b.edits {
		if e.to > at {
			break
		}
		moved += len(e.with) - (e.to - e.from)
	}
	return at + moved
}

// injected is a fault with the lines on which a notice of it is right. They go from where what is
// broken begins to where the next piece begins, in which the fault may first show.
type injected struct {
	*fault
	first, last int
	at          int // its offset
}

// apply makes edits, which must not overlap.
func (d *document) apply(edits []edit) broken {
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	out := broken{touched: map[int]bool{}, edits: edits}
	var b strings.Builder
	at := 0
	var spans [][3]int
	for _, e := range edits {
		b.WriteString(d.text[at:e.from])
		begin := b.Len()
		b.WriteString(e.with)
		at = e.to
		back := 0
		if e.since > 0 {
			back = e.from - e.since
		}
		next := d.pieceAt(e.to)
		if next < len(d.pieces) && d.at[next] < e.to && e.from < e.to {
			next++
		}
		for next < len(d.pieces) && (d.pieces[next].kind == space || d.pieces[next].kind == newline) {
			next++
		}
		end := max(d.at[min(next, len(d.pieces))], e.until)
		spans = append(spans, [3]int{begin - back, b.Len() + end - e.to, begin})
		for _, s := range e.touched {
			out.touched[s] = true
		}
	}
	d.touchCells(out.touched)
	b.WriteString(d.text[at:])
	out.text = b.String()
	lineOf := lineCounter(out.text)
	for i, e := range edits {
		out.faults = append(out.faults, injected{e.fault, lineOf(max(spans[i][0], 0)), lineOf(min(spans[i][1], len(out.text))),
			spans[i][2]})
	}
	return out
}

// touchCells adds the cells of each list that a touched statement of JSON-LD leads to. Without that statement they
// say nothing, and a reader leaves them out with it.
func (d *document) touchCells(touched map[int]bool) {
	if d.format != "JSON-LD" {
		return
	}
	for s := range touched {
		list, isList := strings.CutSuffix(d.statements[s].object, ".0")
		if !isList || !strings.HasPrefix(list, "_:cell") {
			continue
		}
		for c := s + 1; c < len(d.statements) && strings.HasPrefix(d.statements[c].subject, list+"."); c++ {
			touched[c] = true // see cells
		}
	}
}

func lineCounter(text string) func(int) int {
	var ends []int
	for i := range len(text) {
		if text[i] == '\n' {
			ends = append(ends, i)
		}
	}
	return func(at int) int { return sort.SearchInts(ends, at) + 1 }
}
