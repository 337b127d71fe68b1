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

	"laundromat/internal/rule"
	"laundromat/internal/testkit/peer"
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
	inSets        map[setKey]*score
	worth         map[rule.Ref]*worth    // with -without
	real          map[string][]*document // by format
	realLeft      map[string]int         // files of a format that can't be used
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
		workers = 1 // what is shown is in order
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
	maps.Copy(t.inSets, other.inSets)
	maps.Copy(t.worth, other.worth)
	maps.Copy(t.real, other.real)
	maps.Copy(t.realLeft, other.realLeft)
}

// measureSome measures one format after the other.
func measureSome(ctx context.Context, o options, to io.Writer, todo <-chan string) (*tables, error) {
	t := &tables{options: o, single: map[[2]string]*score{}, dense: map[[2]string]*score{}, clean: map[[2]string]*score{},
		kinds: map[[3]string]*score{}, laid: map[[2]string]*score{}, proof: &proof{},
		inSets: map[setKey]*score{}, worth: map[rule.Ref]*worth{}, real: map[string][]*document{}, realLeft: map[string]int{}}
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
	m := &measurer{tables: t, readers: programs, to: to}
	for name := range todo {
		if err := m.findReal(ctx, name); err != nil {
			return nil, err
		}
		for n, seed := range o.seeds {
			if err := m.seed(ctx, name, seed, n); err != nil {
				return nil, fmt.Errorf("%s, seed %d: %w", name, seed, err)
			}
		}
	}
	return t, nil
}

// findReal reads the real files of a format.
func (m *measurer) findReal(ctx context.Context, format string) (err error) {
	if folder := realFolder(m.options.real); folder != "" && m.options.sets {
		m.real[format], m.realLeft[format], err = realDocuments(ctx, folder, format)
	}
	return err
}

// seed measures all that is asked for of one format with one seed, the n-th of all.
func (m *measurer) seed(ctx context.Context, format string, seed uint64, n int) error {
	if err := m.format(ctx, format, seed, n); err != nil {
		return err
	}
	if m.options.sets && m.kind == "" {
		return m.measureSets(ctx, format, seed, n)
	}
	return nil
}

// faultsInDocument is how many faults of a kind are put into a document at most, each alone.
const faultsInDocument = 4

// measurer measures documents with programs of its own.
type measurer struct {
	*tables
	readers []program
	to      io.Writer // where examples are shown
}

// draw is what is drawn at random for one format and one seed.
type draw struct {
	format  string
	random  *rand.Rand
	layouts []*layout // that the format has
	made    int       // documents, each in the next layout
}

// format measures one format with one seed, the n-th of all.
func (m *measurer) format(ctx context.Context, format string, seed uint64, n int) error {
	r := &draw{format: format, random: rand.New(rand.NewPCG(seed, 0))}
	for _, l := range m.options.layouts {
		if l.in(format) {
			r.layouts = append(r.layouts, l)
		}
	}
	if len(r.layouts) == 0 {
		return nil
	}
	var common []*fault
	for i := range faults {
		f := &faults[i]
		if !f.in(format) || m.kind != "" && m.kind != f.name {
			continue
		}
		if !f.alone {
			common = append(common, f)
		}
		if err := m.alone(ctx, r, f); err != nil {
			return err
		}
	}
	if m.options.dense == 0 || m.kind != "" {
		return nil
	}
	return m.together(ctx, r, r.layouts[n%len(r.layouts)], common)
}

// another makes a document without a fault, in the next layout.
func (m *measurer) another(ctx context.Context, r *draw) (*document, error) {
	d := makeDocument(r.format, m.statements, r.layouts[r.made%len(r.layouts)], r.random)
	r.made++
	if err := checkClean(ctx, d); err != nil {
		return nil, err
	}
	return d, m.control(ctx, d)
}

// alone measures documents with one fault of a kind.
func (m *measurer) alone(ctx context.Context, r *draw, f *fault) error {
	var d *document
	made := 0
	for try := 0; made < m.places && try < m.places*8; try++ {
		if try%faultsInDocument == 0 {
			var err error
			if d, err = m.another(ctx, r); err != nil {
				return err
			}
		}
		e, ok := d.choose(r.random, f)
		if !ok {
			continue
		}
		made++
		if err := m.judge(ctx, d, d.apply([]edit{e}), f.name, m.single); err != nil {
			return err
		}
	}
	if m.places > 0 && made == 0 && len(r.layouts) == len(m.options.layouts) {
		return fmt.Errorf("no place for the fault %q", f.name)
	}
	return nil
}

// together measures a large document with many faults.
func (m *measurer) together(ctx context.Context, r *draw, in *layout, faults []*fault) error {
	large := makeDocument(r.format, m.options.dense, in, r.random)
	if err := m.control(ctx, large); err != nil {
		return err
	}
	var edits []edit
	for try := 0; len(edits) < len(large.statements)/100 && try < len(large.statements); try++ {
		e, ok := large.choose(r.random, faults[try%len(faults)])
		if ok && !large.touchesAny(e, edits) {
			edits = append(edits, e)
		}
	}
	return m.judge(ctx, large, large.apply(edits), "", m.dense)
}

// touchesAny says that a fault changes the place of another, or makes one string of both.
func (d *document) touchesAny(e edit, others []edit) bool {
	return slices.ContainsFunc(others, func(other edit) bool {
		return e.from <= other.to+1 && other.from <= e.to+1 || d.makeOneString(e, other)
	})
}

// choose makes a fault at a random place that fits.
func (d *document) choose(random *rand.Rand, f *fault) (edit, bool) {
	from := random.IntN(len(d.pieces))
	for n := range d.pieces {
		i := (from + n) % len(d.pieces)
		if f.fits(d, i) {
			// another try from here on, so that places after long gaps are not favoured
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

// outcome is what a program made of a document with faults.
type outcome struct {
	document *document
	broken   broken
	reading  reading
	lost     []int // statements of the document
	invented []finding
}

// judge lets the programs read a document with faults: of one kind, or "" for many. The score
// is added to those of the table.
func (m *measurer) judge(ctx context.Context, d *document, b broken, kind string, into map[[2]string]*score) error {
	for _, p := range m.readers {
		if !d.whole[p.name] {
			continue
		}
		r, ok, err := p.read(ctx, d.format, b.text)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		if !ok {
			continue
		}
		s, lost, invented := d.judge(b, r)
		if invented, s.legal, err = m.proof.take(ctx, d, b, invented); err != nil {
			return err
		}
		s.invented -= s.legal
		addTo(into, [2]string{p.name, d.format}, s)
		addTo(m.kinds, [3]string{p.name, d.format, kind}, s)
		if p.name != "laundromat" {
			continue
		}
		if kind != "" {
			addTo(m.laid, [2]string{d.layout, d.format}, s)
		}
		if err := m.showOutcome(outcome{d, b, r, lost, invented}, kind, s); err != nil {
			return err
		}
	}
	return nil
}

// addTo adds a score to the one of a key.
func addTo[Key comparable](scores map[Key]*score, key Key, s score) {
	if scores[key] == nil {
		scores[key] = &score{}
	}
	scores[key].add(s)
}

// showOutcome shows an outcome if that was asked for, of one fault only where that cost something.
func (m *measurer) showOutcome(o outcome, kind string, s score) error {
	switch {
	case m.show > 0 && kind == "":
		return m.examples(o)
	case m.show > 0 && (len(o.lost) > 0 || len(o.invented) > 0 || s.placed < s.faults):
		m.show--
		return m.example(o)
	}
	return nil
}

// example shows what became of a text with one fault.
func (m *measurer) example(o outcome) error {
	f := o.broken.faults[0]
	if err := m.keepText(o.broken); err != nil {
		return err
	}
	fmt.Fprintf(m.to, "== %s, %s: lines %d to %d; reported on %v\n", o.document.format, f.name, f.first, f.last, o.reading.lines)
	all := strings.Split(o.broken.text, "\n")
	for i := max(1, f.first-2); i <= min(len(all), f.last+6); i++ {
		fmt.Fprintf(m.to, "%4d %q\n", i, all[i-1])
	}
	fmt.Fprintf(m.to, "  %d lost, %d invented\n", len(o.lost), len(o.invented))
	for _, s := range o.lost[:min(len(o.lost), 6)] {
		fmt.Fprintln(m.to, "  lost", o.document.statements[s])
	}
	for _, s := range o.invented[:min(len(o.invented), 6)] {
		fmt.Fprintln(m.to, "  invented", s.statement)
	}
	if m.show == 0 {
		m.show = -1
	}
	return nil
}

// sameRun is how near two statements are that are shown as one, in bytes.
const sameRun = 400

// examples shows what was invented in a text with many faults, what was lost, and faults without a notice on
// their lines. The faults in the text are marked with «». Statements that follow one another in the text are
// shown as one.
func (m *measurer) examples(o outcome) error {
	d, b, lost, invented := o.document, o.broken, o.lost, o.invented
	if err := m.keepText(b); err != nil {
		return err
	}
	show := func(at int, format string, args ...any) bool {
		const before, behind = 500, 250
		from, end := max(at-before, 0), min(at+behind, len(b.text))
		fmt.Fprintf(m.to, "== "+format+"\n   ", args...)
		for _, f := range b.faults {
			if from <= f.at && f.at < end {
				fmt.Fprintf(m.to, "%s«%s»", strings.ToValidUTF8(b.text[from:f.at], "?"), f.name)
				from = f.at
			}
		}
		fmt.Fprintln(m.to, strings.ToValidUTF8(b.text[from:end], "?"))
		if m.show--; m.show == 0 {
			m.show = -1
		}
		return m.show > 0
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
			told = told || o.reading.lines[line]
		}
		if !told && !show(f.at, "not reported at %d: %s, lines %d to %d", f.at, f.name, f.first, f.last) {
			return nil
		}
	}
	return nil
}

// keepText writes a text that is shown to a file, if that was asked for.
func (m *measurer) keepText(b broken) error {
	if m.keep == "" {
		return nil
	}
	m.kept++
	name := filepath.Join(m.keep, fmt.Sprintf("%03d", m.kept))
	if err := os.WriteFile(name, []byte(b.text), 0o666); err != nil {
		return err
	}
	fmt.Fprintln(m.to, name)
	return nil
}

// control lets the programs read a clean document: what one does not read there, no
// fault cost it.
func (m *measurer) control(ctx context.Context, d *document) error {
	d.whole = map[string]bool{}
	for _, p := range m.readers {
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
		if m.clean[k] == nil {
			m.clean[k] = &score{}
		}
		if d.whole[p.name] {
			m.clean[k].whole++
		}
		m.clean[k].add(s)
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
		return fmt.Errorf("the clean document (%s) is not read as it was meant: lost %v, invented %v, reported on %v", d.layout, lost,
			invented,
			r.lines)
	}
	return nil
}
