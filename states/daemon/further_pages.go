package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"laundromat/internal/fault"
	"laundromat/records/match"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
)

// The pages that a page leads to by its recipe become seeds of their own. They are fetched in the turn of their host,
// and washed by the same recipe.

// furtherPages are those that a document leads to.
type furtherPages struct {
	named     []states.Named
	isRead    bool      // the records of the document say to which
	isChanged bool      // the page is not what its recipe is for any more
	follow    *follower // of these; nil where none may be
}

// lead finds those that the document leads to. The record of a page says which links led to it.
func (w *parseWork) lead(ctx context.Context, document states.Document, guessed states.Guessed, reading *states.Reading) error {
	plan, err := w.by.Plan()
	if plan == nil || err != nil || w.inPlace || w.further.isChanged || !w.by.Leads(guessed.Kind) {
		return err
	}
	seed, name := &w.claim.Seed, w.use.Name
	links := 0
	if seed.PageOf() == name {
		if links = seed.Page.Links; seed.Page.Detail {
			return nil
		}
	}
	if !w.further.isRead {
		if err := w.readLinks(ctx, document, guessed, plan, reading); err != nil {
			return err
		}
	}
	f, err := rootFollower(ctx, w.runner, *seed)
	if err != nil {
		return err
	}
	own := *f.opt
	own.Most = math.MaxInt
	f.opt, f.source = &own, seedlist.RecipeSource+name
	for _, e := range seed.HTTP {
		if u, err := seedlist.ParseURI(e.URI); err == nil {
			f.seen[u.Hash()] = true // where redirects led: that gave the page
		}
	}
	for _, n := range w.further.named {
		if n.IsDetail || links < plan.Depth() {
			f.page = &seedlist.RecipePage{Links: links + 1, Detail: n.IsDetail}
			f.uri(n.URI)
		}
	}
	for i := range f.named {
		f.named[i].Recipe, f.named[i].Most = name, int64(plan.Limit())
	}
	first, err := f.limitPages(ctx, w.runner.seeds, name, int64(plan.Limit()))
	if err != nil {
		return err
	}
	if f.over > 0 {
		w.found.Collector.Notice(fault.Notice{Code: fault.RecordLimitPages, Severity: fault.Warning, Message: fmt.Sprintf(
			"the recipe %s leads to no more than %d pages; of those that this one names %d are not read, from %s on", name, plan.Limit(),
			f.over, seedlist.Shown(first))})
	}
	w.further.follow = f
	return nil
}

// limitPages leaves out what a recipe has no room for, and counts it. It returns the first that is left out. The list
// holds to that too, where others use up the room meanwhile.
func (f *follower) limitPages(ctx context.Context, seeds seedlist.Reader, name string, most int64) (first string, err error) {
	if len(f.named) == 0 {
		return "", nil
	}
	counts, err := seeds.Counts(ctx)
	room := most - counts.RecipePages[name]
	if err != nil || int64(len(f.named)) <= room {
		return "", err
	}
	kept := f.named[:0]
	for _, seed := range f.named {
		_, err := seeds.Record(ctx, seedlist.Key(seed.URI))
		switch {
		case err == nil: // it is there already
			kept = append(kept, seed)
		case !errors.Is(err, seedlist.ErrNotFound):
			return "", err
		case room > 0:
			room--
			kept = append(kept, seed)
		default:
			if f.over++; f.over == 1 {
				first = seed.URI
			}
		}
	}
	f.named = kept
	return first, nil
}

// readLinks reads the links of a page of which no records were made. If it is the first reading of the page, its
// findings are those of the document.
func (w *parseWork) readLinks(ctx context.Context, document states.Document, guessed states.Guessed, plan *match.Plan,
	reading *states.Reading) error {
	isFirst := reading.Encoding.Name == ""
	if !isFirst {
		guessed = reading.Proved()
	}
	begin := func() (*states.Making, error) {
		w.further.named = nil
		to := &states.Making{Memory: w.need.reader, Temp: w.runner.opt.Temp, Notice: func(fault.Notice) {}, Named: w.named}
		if isFirst {
			to.Document = w.found.Again().Notice
		}
		return to, nil
	}
	opt := states.ParseOptions{Settings: settingsBy(w.by, w.runner.opt.Settings), Hashes: states.ForNothing, Held: w.held}
	read, _, err := states.MakeProduct(ctx, w.decoded(ctx, document), guessed, opt,
		states.ProductOutput{Product: pageLinksOf{plan}, Begin: begin})
	if isFirst && err == nil {
		*reading = read
	}
	return err
}

// named notes a page that the document leads to.
func (w *parseWork) named(n states.Named) { w.further.named = append(w.further.named, n) }

// pageLinksOf is a product without lines: it finds the pages that a page leads to.
type pageLinksOf struct{ plan *match.Plan }

func (pageLinksOf) Name() string { return kind.Records }

func (of pageLinksOf) Make(ctx context.Context, d *states.Decoded, to *states.Making) (made states.Made, err error) {
	text, err := io.ReadAll(io.LimitReader(d.Text, to.Memory+1))
	if err == nil && int64(len(text)) > to.Memory {
		err = fault.New("daemon.parsing", fault.Limit, fault.LimitMemory, "the page has more than the %d bytes that may be held", to.Memory)
	}
	if err != nil {
		return made, err
	}
	urls, err := of.plan.Links(ctx, match.Document{URL: d.URL}, text)
	for _, url := range urls {
		to.Named(states.Named{URI: url})
	}
	return made, err
}
