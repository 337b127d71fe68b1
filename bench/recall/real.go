package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"laundromat/internal/rule"
)

// Real files are those that people publish, of the folder that -real or LAUNDROMAT_SHARED names. They are
// cut into pieces by small scanners that share nothing with the readers. A piece needs all statements
// of its block. That is the statement up to its dot, the line, the child of rdf:RDF or the item of the outermost array.
// So no more than the blocks that a fault stands in are touched.

// realBytes is how long a real file may be that faults are put into.
const realBytes = 200 << 10

// leastBlocks is how many blocks a real file must have, so that something is left untouched.
const leastBlocks = 4

// realFormats are the formats by their names in index.tsv.
var realFormats = map[string]string{"nt": "N-Triples", "nq": "N-Quads", "ttl": "Turtle", "trig": "TriG", "rdfxml": "RDF/XML",
	"jsonld": "JSON-LD"}

// scanners cut a text into pieces with their blocks; false for one with something that they don't know.
var scanners = map[string]func(d *document, text string) bool{
	"N-Triples": scanTurtle, "N-Quads": scanTurtle, "Turtle": scanTurtle, "TriG": scanTurtle, "RDF/XML": scanXML, "JSON-LD": scanJSON,
}

// realFolder is where the real files are; "" if they are nowhere.
func realFolder(given string) string {
	folders := []string{given}
	if given == "" {
		folders = nil
		if shared := os.Getenv("LAUNDROMAT_SHARED"); shared != "" {
			folders = append(folders, filepath.Join(shared, "real"))
		}
		for up := ".."; len(up) < len("../../../.."); up = filepath.Join("..", up) {
			folders = append(folders, filepath.Join(up, "shared", "real"))
		}
	}
	for _, folder := range folders {
		if _, err := os.Stat(filepath.Join(folder, "index.tsv")); err == nil {
			return folder
		}
	}
	return ""
}

// realDocuments are the real files of a format that can be cut into blocks, and have no fault. That is so by what
// other programs and Laundromat say. The others of their format are counted by left. Of a long file of lines the
// first are taken.
func realDocuments(ctx context.Context, folder, format string) (all []*document, left int, err error) {
	index, err := os.ReadFile(filepath.Join(folder, "index.tsv"))
	if err != nil {
		return nil, 0, err
	}
	for _, line := range strings.Split(string(index), "\n") {
		columns := strings.Split(line, "\t")
		if len(columns) < 5 || realFormats[columns[1]] != format {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, columns[0]))
		if err != nil {
			return nil, 0, err
		}
		if strings.HasPrefix(format, "N-") && len(text) > realBytes { // lines say the same without those behind them
			text = text[:bytes.LastIndexByte(text[:realBytes], '\n')+1]
		}
		if !bytes.HasSuffix(text, []byte("\n")) { // faults that cost a line look for its end
			text = append(text, '\n')
		}
		d := &document{format: format, layout: "real", name: columns[0]}
		if columns[4] != "all-ok" || len(text) > realBytes || !scanners[format](d, string(text)) {
			left++
			continue
		}
		d.finish()
		ok, err := d.sayWhatIsRead(ctx)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", columns[0], err)
		}
		if !ok {
			left++
			continue
		}
		all = append(all, d)
	}
	return all, left, nil
}

// sayWhatIsRead gives the blocks of a real file their statements, which are those that Laundromat reads. False if
// it mends or drops anything, or reads a statement outside of all blocks.
func (d *document) sayWhatIsRead(ctx context.Context) (bool, error) {
	r, err := washed(ctx, d.format, d.text)
	if err != nil || len(r.mended) > 0 || slices.Contains(r.repaired, true) {
		return false, err
	}
	d.statements, d.origin = r.statements, r.at
	blocks := map[int][]int{}
	for i, at := range r.at {
		block := d.pieces[d.pieceAt(min(at, len(d.text)-1))].block
		if block == 0 {
			return false, nil
		}
		blocks[block] = append(blocks[block], i)
	}
	for i := range d.pieces {
		if p := &d.pieces[i]; p.block > 0 && p.kind != space && p.kind != newline {
			p.needs = blocks[p.block]
		}
	}
	d.block = len(blocks)
	d.spreadGraphs()
	return len(blocks) >= leastBlocks, nil
}

// spreadGraphs notes what depends on the braces of graphs and on their names.
func (d *document) spreadGraphs() {
	if d.format != "TriG" {
		return
	}
	for i := range d.pieces {
		if d.pieces[i].kind != closeGraph {
			continue
		}
		open := d.opener(i)
		var in []int
		for _, p := range d.pieces[open:i] {
			if p.block > 0 && (len(in) == 0 || len(p.needs) > 0 && in[len(in)-1] != p.needs[len(p.needs)-1]) {
				in = append(in, p.needs...)
			}
		}
		d.pieces[open].needs = in
		for j := open - 1; j >= 0 && d.pieces[j].block == 0 && d.pieces[j].kind != dot && d.pieces[j].kind != closeGraph; j-- {
			d.pieces[j].needs = in
		}
	}
	d.spreadBraces()
}

// inItsWords are the statements of a reading with the document's names for blank nodes. In a real file many
// nodes are alike, so that places tell which is which. A program that gives none is asked only for what
// has no blank node: other statements are empty.
func (d *document) inItsWords(b broken, r reading) []statement {
	switch {
	case d.origin == nil:
		return d.renamed(r.statements)
	case len(r.at) == len(r.statements):
		return d.renamedByPlace(b, r)
	}
	out := slices.Clone(r.statements)
	for i := range out {
		if out[i].hasBlank() {
			out[i] = statement{}
		}
	}
	return out
}

func (s statement) hasBlank() bool {
	return isBlank(s.subject) || isBlank(s.object) || isBlank(s.graph)
}

// spot is where a statement is: its object, and its predicate.
type spot struct {
	at        int
	predicate string
}

// renamedByPlace takes two blank nodes for one where statements at the same place say most of it.
func (d *document) renamedByPlace(b broken, r reading) []statement {
	meant := map[spot][]statement{}
	for i, s := range d.statements {
		k := spot{d.origin[i], s.predicate}
		meant[k] = append(meant[k], s)
	}
	type pair struct{ read, meant string }
	votes := map[pair]int{}
	var order []pair
	vote := func(read, meant string) {
		if isBlank(read) && isBlank(meant) {
			p := pair{read, meant}
			if votes[p]++; votes[p] == 1 {
				order = append(order, p)
			}
		}
	}
	for i, s := range r.statements {
		for _, m := range meant[spot{b.cleanPlace(r.at[i]), s.predicate}] {
			if alike(s.subject, m.subject) && alike(s.object, m.object) && alike(s.graph, m.graph) {
				vote(s.subject, m.subject)
				vote(s.object, m.object)
				vote(s.graph, m.graph)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b pair) int { return votes[b] - votes[a] })
	names, taken := map[string]string{}, map[string]bool{}
	for _, p := range order {
		if names[p.read] == "" && !taken[p.meant] {
			names[p.read], taken[p.meant] = p.meant, true
		}
	}
	name := func(term string) string {
		if n := names[term]; n != "" {
			return n
		}
		if isBlank(term) {
			return "_: of no name, " + term
		}
		return term
	}
	out := make([]statement, len(r.statements))
	for i, s := range r.statements {
		out[i] = statement{name(s.subject), s.predicate, name(s.object), name(s.graph)}
	}
	return out
}

// alike says that two terms are the same, or blank nodes both.
func alike(a, b string) bool { return a == b || isBlank(a) && isBlank(b) }

// cleanPlace is where a byte of the broken text is in the clean one; -1 for one that a fault put in.
func (b *broken) cleanPlace(at int) int {
	moved := 0
	for _, e := range b.edits {
		from := e.from + moved
		if at < from {
			break
		}
		if at < from+len(e.with) {
			return -1
		}
		moved += len(e.with) - (e.to - e.from)
	}
	return at - moved
}

// washedWithout is washed without a rule, or with a trial that only notes which rules are asked.
func washedWithout(ctx context.Context, t *rule.Trial, d *document, text string) (reading, error) {
	return washed(rule.With(ctx, t), d.format, text)
}
