package daemon

import (
	"context"
	"fmt"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/internal/linesort"
	"laundromat/internal/report"
	"laundromat/rdf/clean"
	"laundromat/seedlist"
	"laundromat/states"
)

// parsing washes a seed's document into its clean file.
func (r *Runner) parsing(ctx context.Context, claim seedlist.Claim) (result, error) {
	seed := claim.Seed
	var list *report.List
	defer func() {
		if list != nil {
			list.Close()
		}
	}()
	found := states.NewFindings(func() *report.Collector {
		if list != nil {
			list.Close()
		}
		list = report.NewList(r.opt.Temp, r.opt.NoticesMax)
		collector := report.NewCollector(seed.Hash, report.SamplesListed)
		collector.Keep(list)
		return collector
	})
	claimed, err := r.claimedOfBytes(ctx, seed)
	if err != nil {
		return result{}, err
	}
	before := append(transportNotices(seed.Record), claimed...)
	for _, n := range before {
		found.Layer(n)
	}
	if len(before) == 0 {
		if done, ok, err := r.shared(ctx, claim); ok || err != nil {
			return done, err
		}
	}
	document, closer, err := r.document(ctx, seed, found.Layer)
	if err != nil {
		return result{}, err
	}
	defer closer.Close()
	if document.Size < 0 {
		document.ReadAhead(found)
	}
	guessed, known := r.guesses.take(seed)
	if !known {
		// After a restart what the guess found is found again: the same bytes give the same.
		if guessed, err = states.Guess(ctx, document, states.Given{}); err != nil {
			return result{}, err
		}
	}
	need := r.need(guessed.Format, document.Size)
	drawn := drawn{runner: r, claim: claim}
	if err := drawn.draw(ctx, need.total()); err != nil {
		return result{}, err
	}
	defer drawn.release()

	opt := states.ParseOptions{Settings: r.opt.Settings}
	opt.MaxMemory, opt.Workers, opt.MaxToken = need.reader, need.workers, states.LongestTerm(r.opt.Memory)
	sorter := linesort.New(linesort.Options{Memory: need.sort, Temp: r.opt.Temp, Workers: need.workers, Room: r.files.Short})
	defer sorter.Close()
	follow, err := r.follower(ctx, seed)
	if err != nil {
		return result{}, err
	}
	reading := -1 // the document's number in the sort: one for each reading
	parsed, err := states.Parse(ctx, document, guessed, opt, states.Output{
		Begin: func() (clean.Lines, func(fault.Notice), error) {
			if reading >= 0 {
				sorter.Discard(reading)
			}
			reading++
			number := reading
			add := clean.Lines(func(text []byte, _ int) error { return sorter.AddLines(number, text) })
			if follow != nil {
				follow.again()
				add = clean.EachLine(func(line []byte) error {
					follow.line(line)
					return nil
				}).Then(add)
			}
			return add, found.Again().Notice, nil
		},
		Progress: func(bytes, statements int64) {
			r.seeds.Progress(claim, seedlist.Progress{Bytes: bytes, Of: max(document.Size, 0), Message: fmt.Sprintf("%d statements", statements)})
		},
	})
	var done result
	if err == nil {
		done, err = r.writeClean(ctx, claim, sorter, seed.Hash, need.workers)
	}
	if err == nil {
		sorter.Close() // its memory is what matching may use
		err = r.changed(ctx, claim, &done, &drawn)
	}
	if err == nil {
		written := found.Statements(parsed.Statements.Kept, parsed.Statements.Repaired).Written - done.duplicates
		for _, n := range claimedOfReading(seed.Record, parsed.Format, written) {
			found.Collector.Notice(n)
		}
	}
	if err == nil && follow != nil {
		if n, over := follow.notice(); over {
			found.Collector.Notice(n)
		}
		done.named = follow.named
	}
	r.describe(&done, found, guessed, parsed, err == nil)
	if follow != nil {
		follow.counts(done.counts)
	}
	if found.Collector.Count() > 0 {
		listed, listErr := r.sealNotices(seed.Hash, list)
		if listErr != nil {
			return done, listErr // this machine's trouble, whatever the document's is
		}
		done.listed = listed
	} else {
		done.discard = append(done.discard, discarded{seed.Hash, files.Notices})
	}
	if err != nil {
		done.sourceText = beginning(ctx, document)
	}
	return done, err
}

// describe says how the reading changes the record and the log.
func (r *Runner) describe(done *result, found *states.Findings, guessed states.Guessed, parsed states.Reading, complete bool) {
	counts := found.Collector.Document().Notices
	sums := found.Statements(parsed.Statements.Kept, parsed.Statements.Repaired)
	sums.Duplicates = done.duplicates
	sums.Written -= done.duplicates
	done.counts = countsOf(sums)
	countChanges(done.changes, done.counts)
	changes := done.changes
	done.inserted = sums.Written
	done.update = func(record *seedlist.Record) {
		record.Notices = counts
		if !complete {
			return
		}
		text := parsed.Text
		record.Statements = &sums
		record.Sources = parsed.PageSources(sums.Read)
		record.Text = &text
		record.Format = string(parsed.Format)
		record.Encoding = encodingOf(parsed.Encoding, guessed.Encoding.Name)
		record.Washer = r.opt.Version
		record.WashedWith = r.opt.Clean.Asked()
		record.Changes = changes
		record.BaseUsed, record.BlankNodes = &parsed.BaseUsed, &parsed.HasBlankNodes
	}
}

// countsOf are the counts of an attempt.
func countsOf(sums content.Statements) map[string]int64 {
	return map[string]int64{
		"read": sums.Read, "kept": sums.Kept, "repaired": sums.Repaired, "dropped": sums.Dropped,
		"duplicates": sums.Duplicates, "written": sums.Written,
	}
}
