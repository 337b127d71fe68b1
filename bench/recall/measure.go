package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"laundromat/bench/peer"
)

// tables are all results.
type tables struct {
	options
	programs []string
	versions []string
	missing  []peer.Missing
	// single and dense are by program and format; kinds by program, format and kind.
	single, dense map[[2]string]*score
	clean         map[[2]string]*score // without any fault
	kinds         map[[3]string]*score
	kept          int                  // texts in the folder
	laid          map[[2]string]*score // of Laundromat, one fault in a document, by layout and format
	proof         *proof
}

// quickWitnesses are the programs that are asked whether a text is legal where no others are measured.
var quickWitnesses = []string{"serdi", "N3.js", "rdfxml-streaming-parser", "jsonld.js", "rdflib"}

// program reads a text in a format; ok is false if it does not know the format.
type program struct {
	name string
	read func(ctx context.Context, format, text string) (r reading, ok bool, err error)
}

// measure measures the formats, several at a time, each worker with programs of its own. What
// is drawn at random depends on format and seed alone.
func measure(ctx context.Context, o options, to io.Writer) (*tables, error) {
	todo := make(chan string, len(formats))
	for _, f := range formats {
		if o.format == "" || o.format == f.name {
			todo <- f.name
		}
	}
	close(todo)
	workers := min(max(o.workers, 1), len(todo))
	if o.show > 0 {
		workers = 1 // what is shown stands in order
	}
	parts, errs := make([]*tables, workers), make([]error, workers)
	var running sync.WaitGroup
	for i := range workers {
		running.Go(func() { parts[i], errs[i] = measureSome(ctx, o, to, todo) })
	}
	running.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		parts[0].join(part)
	}
	return parts[0], nil
}

// join takes the results of other formats.
func (t *tables) join(other *tables) {
	maps.Copy(t.single, other.single)
	maps.Copy(t.dense, other.dense)
	maps.Copy(t.clean, other.clean)
	maps.Copy(t.kinds, other.kinds)
	maps.Copy(t.laid, other.laid)
}

// measureSome measures one format after the other.
func measureSome(ctx context.Context, o options, to io.Writer, todo <-chan string) (*tables, error) {
	t := &tables{options: o, single: map[[2]string]*score{}, dense: map[[2]string]*score{}, clean: map[[2]string]*score{}, kinds: map[[3]string]*score{}, laid: map[[2]string]*score{}, proof: &proof{}}
	programs := []program{{"laundromat", func(ctx context.Context, format, text string) (reading, bool, error) {
		r, err := washed(ctx, format, text)
		return r, true, err
	}}}
	if o.peers && o.show == 0 || o.witnesses {
		folder, err := os.MkdirTemp("", "recall-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		var wanted []string
		if !o.peers || o.show > 0 {
			wanted = quickWitnesses
		}
		peers, missing, err := peer.Find(ctx, folder, wanted...)
		if err != nil {
			return nil, err
		}
		for _, p := range peers {
			defer p.Close()
			if o.witnesses {
				strict := p.Strict()
				defer strict.Close()
				t.proof.witnesses = append(t.proof.witnesses, asked(strict, folder))
			}
			if wanted == nil {
				programs = append(programs, asked(p, folder))
				t.versions = append(t.versions, p.String())
			}
		}
		if wanted == nil {
			t.missing = missing
		}
	}
	for _, p := range programs {
		t.programs = append(t.programs, p.name)
	}
	for name := range todo {
		for n, seed := range o.seeds {
			if err := t.format(ctx, name, seed, n, programs, to); err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", name, seed, err)
			}
		}
	}
	return t, nil
}

// faultsInDocument is how many faults of a kind are put into a document at most, each alone.
const faultsInDocument = 4

// format measures one format with one seed, the n-th of all.
func (t *tables) format(ctx context.Context, format string, seed uint64, n int, programs []program, to io.Writer) error {
	random := rand.New(rand.NewPCG(seed, 0))
	var laid []*layout
	for _, l := range t.options.layouts {
		if l.in(format) {
			laid = append(laid, l)
		}
	}
	if len(laid) == 0 {
		return nil
	}
	turn := 0
	another := func() (*document, error) {
		d := makeDocument(format, t.statements, laid[turn%len(laid)], random)
		turn++
		if err := checkClean(ctx, d); err != nil {
			return nil, err
		}
		return d, t.control(ctx, d, programs)
	}
	var d *document
	var err error
	var common []*fault
	for i := range faults {
		f := &faults[i]
		if !f.in(format) || t.kind != "" && t.kind != f.name {
			continue
		}
		if !f.alone {
			common = append(common, f)
		}
		made := 0
		for try := 0; made < t.places && try < t.places*8; try++ {
			if try%faultsInDocument == 0 {
				if d, err = another(); err != nil {
					return err
				}
			}
			e, ok := d.choose(random, f)
			if !ok {
				continue
			}
			made++
			if err := t.judge(ctx, d, d.apply([]edit{e}), format, f.name, programs, to, t.single); err != nil {
				return err
			}
		}
		if t.places > 0 && made == 0 && len(laid) == len(t.options.layouts) {
			return fmt.Errorf("no place for the fault %q", f.name)
		}
	}
	if t.dense1() {
		return nil
	}
	large := makeDocument(format, t.options.dense, laid[n%len(laid)], random)
	if err := t.control(ctx, large, programs); err != nil {
		return err
	}
	var edits []edit
	var taken [][2]int
	for try := 0; len(edits) < len(large.statements)/100 && try < len(large.statements); try++ {
		e, ok := large.choose(random, common[try%len(common)])
		if !ok {
			continue
		}
		overlaps := false
		for _, other := range taken {
			overlaps = overlaps || e.from <= other[1]+1 && other[0] <= e.to+1
		}
		for _, other := range edits {
			overlaps = overlaps || large.makeOneString(e, other)
		}
		if !overlaps {
			edits, taken = append(edits, e), append(taken, [2]int{e.from, e.to})
		}
	}
	faulty := large.apply(edits)
	return t.judge(ctx, large, faulty, format, "", programs, to, t.dense)
}

func (t *tables) dense1() bool { return t.options.dense == 0 || t.kind != "" }

// choose makes a fault at a random place that fits.
func (d *document) choose(random *rand.Rand, f *fault) (edit, bool) {
	from := random.IntN(len(d.pieces))
	for n := range d.pieces {
		i := (from + n) % len(d.pieces)
		if f.fits(d, i) {
			// another try from here on, so that places behind long gaps are not favoured
			if n > 0 && n < 40 && random.IntN(2) == 0 {
				continue
			}
			e := f.make(random, d, i)
			e.fault = f
			return e, true
		}
	}
	return edit{}, false
}

func (t *tables) judge(ctx context.Context, d *document, b broken, format, kind string, programs []program, to io.Writer, into map[[2]string]*score) error {
	for _, p := range programs {
		if !d.whole[p.name] {
			continue
		}
		r, ok, err := p.read(ctx, format, b.text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if !ok {
			continue
		}
		s, lost, invented := d.judge(b, r)
		if invented, s.legal, err = t.proof.take(ctx, d, b, invented); err != nil {
			return err
		}
		s.invented -= s.legal
		if into[[2]string{p.name, format}] == nil {
			into[[2]string{p.name, format}] = &score{}
		}
		into[[2]string{p.name, format}].add(s)
		k := [3]string{p.name, format, kind}
		if t.kinds[k] == nil {
			t.kinds[k] = &score{}
		}
		t.kinds[k].add(s)
		if p.name == "laundromat" && kind != "" {
			l := [2]string{d.layout, format}
			if t.laid[l] == nil {
				t.laid[l] = &score{}
			}
			t.laid[l].add(s)
		}
		if t.show > 0 && p.name == "laundromat" && kind != "" && (len(lost) > 0 || len(invented) > 0 || s.placed < s.faults) {
			t.show--
			if err := t.example(to, d, b, r, format, lost, invented); err != nil {
				return err
			}
		}
		if t.show > 0 && p.name == "laundromat" && kind == "" {
			if err := t.examples(to, d, b, r, lost, invented); err != nil {
				return err
			}
		}
	}
	return nil
}

// example shows what became of a broken text.
func (t *tables) example(to io.Writer, d *document, b broken, r reading, format string, lost []int, invented []finding) error {
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
		fmt.Fprintln(to, "  lost", d.statements[s])
	}
	for _, s := range invented[:min(len(invented), 6)] {
		fmt.Fprintln(to, "  invented", s.statement)
	}
	if t.show == 0 {
		t.show = -1
	}
	return nil
}

// sameRun is how near two statements are that are shown as one, in bytes.
const sameRun = 400

// examples shows what was invented in a text with many faults, what was lost, and faults not told on
// their lines, with the text around, in which «» marks the faults. Statements that follow one another
// in the text are shown as one.
func (t *tables) examples(to io.Writer, d *document, b broken, r reading, lost []int, invented []finding) error {
	if err := t.keepText(to, b); err != nil {
		return err
	}
	show := func(at int, format string, args ...any) bool {
		const before, behind = 500, 250
		from, end := max(at-before, 0), min(at+behind, len(b.text))
		fmt.Fprintf(to, "== "+format+"\n   ", args...)
		for _, f := range b.faults {
			if from <= f.at && f.at < end {
				fmt.Fprintf(to, "%s«%s»", strings.ToValidUTF8(b.text[from:f.at], "?"), f.name)
				from = f.at
			}
		}
		fmt.Fprintln(to, strings.ToValidUTF8(b.text[from:end], "?"))
		if t.show--; t.show == 0 {
			t.show = -1
		}
		return t.show > 0
	}
	slices.SortStableFunc(invented, func(a, b finding) int { return a.at - b.at })
	for i := 0; i < len(invented); {
		first, n := invented[i], 1
		for i++; i < len(invented) && invented[i].at-invented[i-1].at < sameRun; i++ {
			n++
		}
		if !show(first.at, "invented at %d, %d statements: %v", first.at, n, first.statement) {
			return nil
		}
	}
	places, clean := []int(nil), d.places()
	for _, s := range lost {
		places = append(places, b.place(clean[s]))
	}
	for i := 0; i < len(lost); {
		first := i
		for i++; i < len(lost) && places[i]-places[i-1] < sameRun; {
			i++
		}
		if !show(places[first], "lost at %d, %d statements: %v", places[first], i-first, d.statements[lost[first]]) {
			return nil
		}
	}
	for _, f := range b.faults {
		told := f.quiet
		for line := f.first; line <= f.last; line++ {
			told = told || r.lines[line]
		}
		if !told && !show(f.at, "not told at %d: %s, lines %d to %d", f.at, f.name, f.first, f.last) {
			return nil
		}
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

// control lets the programs read a clean document: what one does not read there, no
// fault cost.
func (t *tables) control(ctx context.Context, d *document, programs []program) error {
	d.whole = map[string]bool{}
	for _, p := range programs {
		r, ok, err := p.read(ctx, d.format, d.text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if !ok {
			continue
		}
		s, _, _ := d.judge(d.apply(nil), r)
		d.whole[p.name] = s.saved == s.untouched && s.invented == 0
		k := [2]string{p.name, d.format}
		if t.clean[k] == nil {
			t.clean[k] = &score{}
		}
		if d.whole[p.name] {
			t.clean[k].whole++
		}
		t.clean[k].add(s)
	}
	return nil
}

// checkClean proves that a document without a fault is read as it was meant.
func checkClean(ctx context.Context, d *document) error {
	r, err := washed(ctx, d.format, d.text)
	if err != nil {
		return err
	}
	s, numbers, invented := d.judge(d.apply(nil), r)
	var lost []statement
	for _, n := range numbers {
		lost = append(lost, d.statements[n])
	}
	if s.saved != len(d.statements) || s.invented+s.changed > 0 || len(r.lines) > 0 {
		return fmt.Errorf("the clean document (%s) is not read as it was meant: lost %v, invented %v, told on %v", d.layout, lost, invented, r.lines)
	}
	return nil
}
