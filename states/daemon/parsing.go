package daemon

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"laundromat/encoding"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/linesort"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recipe"
	"laundromat/states/recordset"
)

// parsing washes a seed's document into its clean file.
func (r *Runner) parsing(ctx context.Context, claim seedlist.Claim) (outcome, error) {
	w := &parseWork{runner: r, claim: claim, drawn: drawn{runner: r}, number: -1, lost: -1, context: contextLoader{runner: r}}
	w.drawn.claim = &w.claim
	claimed, err := r.claimedOfBytes(ctx, claim.Seed)
	if err != nil {
		return nil, err
	}
	before := append(transportNotices(claim.Seed.Record), claimed...)
	if len(before) == 0 {
		if done, err := r.shared(ctx, &w.claim); err != nil {
			return nil, err
		} else if done != nil {
			return done, nil
		}
	}
	defer w.close()
	w.found = states.NewFindings(w.newCollector)
	layer := func(n fault.Notice) {
		if n.Severity == fault.Drop {
			w.layersLost += int64(n.Lost)
		}
		w.found.Layer(n)
	}
	for _, n := range before {
		layer(n)
	}
	document, closer, err := r.document(ctx, claim.Seed, layer)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	if document.Size < 0 {
		document.ReadAhead(w.found)
	}
	guessed, known := r.guesses.take(claim.Seed)
	if use := claim.Seed.Recipe; known && use != nil {
		if w.by, err = r.recipes.Form(ctx, use.Name, use.SHA256); err != nil {
			return nil, err
		}
		document, w.use, known = readBy(w.by, document), use, w.by != nil
	}
	if !known {
		// After a restart what the guess found is found again: the same bytes give the same.
		c, err := r.recipes.cookAgain(ctx, &claim, document)
		if err == nil {
			err = r.opt.unmade(&c)
		}
		if err != nil {
			return nil, err
		}
		w.by, w.use, guessed, document = c.by, c.use, c.guessed, c.document
	}
	found := guessed
	if guessed, err = w.describedBy(ctx, document, guessed, layer); err != nil {
		if errors.Is(err, format.ErrContextDue) {
			r.guesses.keep(claim.Seed, found) // it is read again when the metadata is there
		}
		return nil, err
	}
	w.need = r.need(guessed.Format, document.Size)
	w.needProducts(&guessed, document.Size)
	if err := w.drawn.draw(ctx, w.need.total()); err != nil {
		return nil, err
	}
	if w.follow, err = r.follower(ctx, claim.Seed); err != nil {
		return nil, err
	}
	w.longest = states.UsualTerm(r.opt.Memory)
	return w.run(ctx, document, guessed)
}

// describedBy finds the metadata of a document that is a table. One whose encoding that says is guessed once more.
func (w *parseWork) describedBy(ctx context.Context, document states.Document, guessed states.Guessed, notice func(fault.Notice),
) (states.Guessed, error) {
	loader := metadataLoader{runner: w.runner, seed: &w.claim.Seed, by: w.by, uses: &w.context, waits: patienceOf(&w.claim)}
	table, err := loader.described(ctx, guessed.Kind, notice)
	if err = w.context.judge(err); err != nil {
		return guessed, err
	}
	if w.table = table; !table.IsFound() {
		return guessed, nil
	}
	w.done.evidence = append(w.done.evidence, evidenceOf("metadata", table.Found.Where, 0))
	given := states.Given{}
	if w.by != nil {
		given = w.by.Given()
	}
	if named := table.Found.Encoding(); named == "" || given.Encoding != "" {
		return guessed, nil
	} else if _, err := encoding.NewReader(strings.NewReader(""), named, encoding.Options{}); err != nil {
		return guessed, nil // it is found out
	} else {
		given.Encoding = named
	}
	again, err := states.Guess(ctx, document, given)
	if err != nil && fault.CodeOf(err) != fault.FormatNotRDF {
		return guessed, err
	}
	if again.Kind != guessed.Kind {
		return guessed, nil
	}
	return again, nil
}

// needsMore says that a term was longer than those for which no memory is drawn, and might be read with more. What is
// needed for that is noted.
func (w *parseWork) needsMore(size int64) bool {
	most := w.runner.opt.MaxToken
	if w.found.Collector.Document().Notices[fault.LimitToken] == 0 || most <= w.longest {
		return false
	}
	if w.longest = most; size >= 0 {
		w.longest = int(min(int64(most), max(size, 1<<20)))
	}
	w.need.term = int64(w.longest) * states.TermFactor
	return true
}

// parseWork is the work of parsing one seed.
type parseWork struct {
	runner     *Runner
	claim      seedlist.Claim
	need       memoryNeed
	by         *recipe.Recipe      // nil for none
	use        *seedlist.RecipeUse // of the record
	longest    int                 // term that is read
	drawn      drawn
	found      *states.Findings
	held       *states.Held     // the document for all of its products; nil where there is one
	list       *report.List     // of the notices of the last reading; nil before the first
	sorter     *linesort.Sorter // of its lines
	number     int              // of the last reading in the sorter
	follow     *follower        // of what the lines name; nil where nothing is followed
	context    contextLoader
	table      *recordset.Described // the document as a table, with its metadata; nil where none is looked for
	done       parseOutcome
	further    furtherPages // that the document leads to by its recipe
	entries    []string     // the pages of a feed's entries without content
	ofEntries  *follower    // of those; nil where none are followed
	layersLost int64        // what is lost in transport and layers
	inPlace    bool         // it is a page that came in the place of what is served
	joining
	usesURI bool // the URI had a part in a product other than statements
	// lost is what is lost of statements, and of all products; -1 as long as all that is lost is.
	lost int64
	// decided is what the reading means for the last good wash of the document.
	decided seedlist.Decision
}

// joining is how statements are made of records too.
type joining struct {
	// joined says that they are: the clean file is made once the records are read.
	joined bool
	// keyOfRecords is the KEY of the blank nodes of records, and readingOfRecords the number of their reading in the
	// sorter; "" where it is that of the document.
	keyOfRecords     string
	readingOfRecords int
}

// newCollector makes the collector of a reading, with a list of its own.
func (w *parseWork) newCollector() *report.Collector {
	if w.list != nil {
		w.list.Close()
	}
	w.list = report.NewList(w.runner.opt.Temp, w.runner.opt.NoticesMax)
	collector := report.NewCollector(w.claim.Seed.Hash, report.SamplesListed)
	collector.Keep(w.list)
	return collector
}

// close gives back what the work holds.
func (w *parseWork) close() {
	if w.sorter != nil {
		w.sorter.Close()
	}
	w.drawn.release()
	if w.list != nil {
		w.list.Close()
	}
}

// run makes what is wanted of the document, and says what came of it.
func (w *parseWork) run(ctx context.Context, document states.Document, guessed states.Guessed) (_ outcome, err error) {
	var reading states.Reading
	makes := w.runner.opt.makes(w.by, &guessed)
	if len(makes) > 1 && states.IsHeld(guessed.Kind) {
		w.held = &states.Held{}
	}
	w.inPlace = w.isInPlace(&guessed)
	w.joined = !w.inPlace && w.by.HasStatements() && w.by.FormOf(guessed.Kind) != kind.Not &&
		(w.by.CSVWMode() == "" || guessed.Kind.IsTable())
	if slices.Contains(makes, kind.Statements) && guessed.Format != "" && !w.inPlace {
		reading, err = w.statements(ctx, document, guessed)
	}
	others := w.inPlace || len(makes) > 1 || !slices.Contains(makes, kind.Statements) || len(w.lacked(makes)) > 0 ||
		w.by.Leads(guessed.Kind)
	if others {
		w.lost = w.found.Collector.Lost()
		err = w.makeProducts(ctx, document, guessed, &reading, err)
	}
	if err == nil {
		err = w.lead(ctx, document, guessed, &reading)
	}
	if err == nil {
		err = w.leadToEntries(ctx)
	}
	w.describe(guessed, reading, err == nil)
	if others && err == nil {
		w.describeProducts(&reading, &guessed)
	}
	w.describeEmpty()
	if listErr := w.fileNotices(); listErr != nil {
		return &w.done, listErr // this machine's trouble, whatever the document's is
	}
	if err != nil && fault.KindOf(err) != fault.Stopped {
		w.done.log.SourceText = beginning(ctx, document)
	}
	return &w.done, err
}

// statements reads the document, and sorts its lines into the clean file.
func (w *parseWork) statements(ctx context.Context, document states.Document, guessed states.Guessed) (states.Reading, error) {
	r := w.runner
	w.newSorter()
	opt := states.ParseOptions{Settings: settingsBy(w.by, r.opt.Settings), Hashes: states.ForNothing}
	opt.MaxMemory, opt.Workers, opt.MaxToken = w.need.reader, w.need.workers, w.longest
	opt.ContextLoader, opt.Held = &w.context, w.held
	var reading states.Reading
	err := states.Safely(func() (err error) {
		reading, err = states.Parse(ctx, document, guessed, opt, states.Output{
			Begin: w.begin,
			Progress: func(bytes, statements int64) {
				r.progress(ctx, w.claim, seedlist.Progress{Bytes: bytes, Of: max(document.Size, 0),
					Message: fmt.Sprintf("%d statements", statements)})
			},
		})
		return err
	})
	if err = w.context.judge(err); err == nil && w.needsMore(document.Size) {
		w.sorter.Close()
		w.number = -1
		if err := w.drawn.draw(ctx, w.need.total()); err != nil {
			return reading, err
		}
		return w.statements(ctx, document, guessed)
	}
	if err == nil && !w.joined {
		err = w.complete(ctx, reading)
	}
	return reading, err
}

// newSorter makes the sorter of the lines.
func (w *parseWork) newSorter() {
	r := w.runner
	w.sorter = linesort.New(linesort.Options{Memory: w.need.sort, Temp: r.opt.Temp, Workers: w.need.workers, Room: r.files.Short})
}

// complete makes the clean file of the lines, unless the last good one stays.
func (w *parseWork) complete(ctx context.Context, reading states.Reading) error {
	err := w.writeClean(ctx)
	if err == nil {
		err = w.replaces(reading)
	}
	if err == nil {
		w.sorter.Close() // its memory is what matching may use
		err = w.runner.changed(ctx, &w.claim, &w.done, &w.drawn)
	}
	if err == nil {
		w.findAtEnd(reading)
	}
	return err
}

// begin begins a reading: what came of the one before is void.
func (w *parseWork) begin() (clean.Lines, func(fault.Notice), error) {
	if w.number >= 0 {
		w.sorter.Discard(w.number)
	}
	if w.follow != nil {
		w.follow.again()
	}
	return w.nextLines(), w.found.Again().Notice, nil
}

// nextLines are the lines of another reading: into the sorter, by the number of the reading, and to what is followed.
func (w *parseWork) nextLines() clean.Lines {
	w.number++
	number := w.number
	add := clean.Lines(func(text []byte, _ int) error { return w.sorter.AddLines(number, text) })
	if w.follow != nil {
		add = clean.EachLine(func(line []byte) error {
			w.follow.line(line)
			return nil
		}).Then(add)
	}
	return add
}

// findAtEnd adds what is found only when the whole document is read: claims that are not so, and
// that not all is followed.
func (w *parseWork) findAtEnd(reading states.Reading) {
	written := w.sums(reading).Written
	for _, n := range claimedOfReading(w.claim.Seed.Record, reading.Format, written) {
		w.found.Collector.Notice(n)
	}
	if w.follow == nil {
		return
	}
	if n, over := w.follow.notice(); over {
		w.found.Collector.Notice(n)
	}
	w.done.named = w.follow.named
}

// fileNotices makes the list of notices a file of the seed, or removes the one of before.
func (w *parseWork) fileNotices() (err error) {
	done := &w.done
	if w.found.Collector.Count() == 0 {
		done.files.discard = append(done.files.discard, w.runner.old(&w.claim.Seed, files.Notices))
		return nil
	}
	done.files.notices, err = w.runner.sealNotices(&w.claim, w.list)
	return err
}

// sums are the counts of a reading, without the duplicates that the sort left out.
func (w *parseWork) sums(reading states.Reading) digest.Statements {
	sums := w.found.Statements(reading.Statements.Kept, reading.Statements.Repaired)
	if w.lost >= 0 { // what other products lost is theirs
		sums.Dropped = w.lost
		sums.Read = sums.Kept + sums.Repaired + sums.Dropped
	}
	sums.Duplicates = w.done.duplicates
	sums.Written -= w.done.duplicates
	return sums
}

// describe says how the reading changes the record and the log.
func (w *parseWork) describe(guessed states.Guessed, reading states.Reading, isComplete bool) {
	r, done := w.runner, &w.done
	counts := w.found.Collector.Document().Notices
	sums := w.sums(reading)
	done.log.Counts = countsOf(sums)
	done.countChanges()
	if w.follow != nil {
		w.follow.counts(done.log.Counts)
	}
	if w.ofEntries != nil {
		w.ofEntries.counts(done.log.Counts)
		done.named = append(done.named, w.ofEntries.named...)
	}
	if w.further.follow != nil {
		w.further.follow.counts(done.log.Counts)
		done.named = append(done.named, w.further.follow.named...)
	}
	done.log.InsertCount = sums.Written
	changes, presumed := done.changes, guessed.Encoding.Name
	done.update = func(record *seedlist.Record) {
		record.Notices, record.Recipe = counts, w.use
		if !isComplete {
			return
		}
		text := reading.Text
		record.Statements = &sums
		record.Sources = reading.PageSources(sums.Read)
		record.Text = &text
		record.Format = string(reading.Format)
		record.Encoding = encodingOf(reading.Encoding, presumed)
		record.Washer = r.opt.Version
		record.WashedWith = r.opt.Clean.Asked()
		record.Changes = changes
		record.BaseUsed, record.BlankNodes = &reading.BaseUsed, &reading.HasBlankNodes
		record.Contexts = w.context.uses
	}
}

// countsOf are the counts of an attempt.
func countsOf(sums digest.Statements) map[string]int64 {
	return map[string]int64{
		"read": sums.Read, "kept": sums.Kept, "repaired": sums.Repaired, "dropped": sums.Dropped,
		"duplicates": sums.Duplicates, "written": sums.Written,
	}
}
