package web

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// actionPage is how many seeds an action looks at in one go. What happens to one page happens in one
// transaction, or, of removals, in several. Rewash reads the bytes of each first, which may be long.
const (
	actionPage = 500
	rewashPage = 50
)

// check completes a request as the verbs do, and refuses what makes no sense.
func (s *Actions) check(ctx context.Context, r *ActionRequest) error {
	refuse := huma.Error422UnprocessableEntity
	if r.Filter == nil {
		return refuse("an action has a filter; {} is the one that lets all through")
	}
	isEmpty := *r.Filter == ActionFilter{}
	switch r.Do {
	case DoRetry:
		if r.Filter.State == "" {
			filter := *r.Filter
			filter.State = string(seedlist.Failed)
			r.Filter = &filter
		}
		from, err := retryFrom(r.From)
		if err != nil {
			return err
		}
		r.From = string(from)
	case DoForce, DoRewash:
	case DoRemove:
		if isEmpty {
			return refuse("remove wants a filter that says which seeds")
		}
	case DoSet:
		if r.Set == nil || r.Set.IsEmpty() {
			return refuse(nothingToSet)
		}
	default:
		return refuse("an action is to retry, force, rewash, remove or set")
	}
	if r.From != "" && r.Do != DoRetry {
		return refuse("from has a meaning with retry only")
	}
	if r.Set != nil && r.Do != DoSet {
		return refuse("settings have a meaning with set only")
	}
	// The list refuses what nothing can be, with what was meant.
	_, err := s.api.page(ctx, r.Filter.listing("", 1))
	return err
}

// Count is how many seeds a request would be about. It changes nothing. Some of them may be refused.
func (s *Actions) Count(ctx context.Context, request ActionRequest) (n int64, err error) {
	if err := s.check(ctx, &request); err != nil {
		return 0, err
	}
	return s.api.matching(ctx, request.Filter)
}

// matching counts the seeds of a filter.
func (a *api) matching(ctx context.Context, f *ActionFilter) (int64, error) {
	if a.Views == nil || a.Views.AsOf().Building {
		return a.matchingListed(ctx, f)
	}
	if counts, err := a.Seeds.Counts(ctx); err != nil || counts.Damaged > 0 {
		return a.matchingListed(ctx, f) // the views do not know what can't be read
	}
	if err := a.catchUp(ctx); err != nil {
		return 0, problem(err)
	}
	all, err := a.matchingViewed(ctx, f)
	if err != nil || f.meansClean() {
		return all, err
	}
	clean := *f
	clean.State = string(seedlist.Cleaned)
	without, err := a.matchingViewed(ctx, &clean)
	return all - without, err
}

// matchingViewed counts in the views, clean files too.
func (a *api) matchingViewed(ctx context.Context, f *ActionFilter) (n int64, err error) {
	r := f.listing("", 0)
	q := views.Query{Where: r.where(), Relative: r.relative(), Limit: views.MostLooked}
	for {
		page, err := a.Views.List(ctx, q)
		if err != nil {
			return 0, problem(err)
		}
		n += int64(len(page.Numbers))
		if q.Cursor = page.Next; q.Cursor == "" {
			return n, nil
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
}

// matchingListed counts by reading every record.
func (a *api) matchingListed(ctx context.Context, f *ActionFilter) (n int64, err error) {
	for cursor := ""; ; {
		page, err := a.page(ctx, f.listing(cursor, 1000))
		if err != nil {
			return 0, err
		}
		n += int64(len(f.meant(page.Seeds)))
		if cursor = page.Next; cursor == "" {
			return n, nil
		}
	}
}

// meant are the seeds of a page that an action is about.
func (f *ActionFilter) meant(page []seedlist.Seed) (seeds []seedlist.Seed) {
	for i := range page {
		if f.meansClean() || page[i].Status != seedlist.Cleaned {
			seeds = append(seeds, page[i])
		}
	}
	return seeds
}

// Run works on the actions that wait, until ctx ends. An action that is at work then goes on when Run is called
// again. A page of it is done as a whole, or not at all. The error says that the records can't be read.
func (s *Actions) Run(ctx context.Context) error {
	s.mu.Lock()
	if err := s.load(); err != nil {
		s.mu.Unlock()
		return err
	}
	s.isRunning = true
	for _, a := range s.all {
		if a.State == ActionInterrupted && a.Ended.IsZero() {
			a.Ended = time.Now().UTC()
			s.save(a) // else it is interrupted at the next start, too
		}
	}
	s.mu.Unlock()
	for {
		if a := s.next(); a != nil {
			s.work(ctx, a)
		} else {
			select {
			case <-s.wake:
			case <-ctx.Done():
			}
		}
		if ctx.Err() != nil {
			s.mu.Lock()
			s.isRunning = false
			s.mu.Unlock()
			return nil
		}
	}
}

// next is the oldest action that waits; nil if there is none.
func (s *Actions) next() *Action {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.all {
		if a.State == ActionWaiting {
			return a
		}
	}
	return nil
}

// work works on one action until it ends, or ctx does.
func (s *Actions) work(ctx context.Context, a *Action) {
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	if !s.begin(a, cancel) {
		return
	}
	err := s.eachPage(work, a)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.working = nil
	if a.State == ActionStopped {
		s.save(a) // with what it came to; it is stopped already
		return
	}
	switch {
	case err == nil:
		a.State = ActionDone
	case ctx.Err() != nil:
		a.State = ActionWaiting
		s.save(a)
		return
	default:
		a.State, a.Error = ActionFailed, seedlist.ShownIn(err.Error())
	}
	a.Ended = time.Now().UTC()
	s.save(a) // if that fails it is interrupted at the next start, which is so
}

// begin notes that an action is at work; false if it must not be.
func (s *Actions) begin(a *Action, interrupt context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.State != ActionWaiting {
		return false // it was stopped
	}
	a.State = ActionWorking
	if a.Begun.IsZero() {
		a.Begun = time.Now().UTC()
	}
	if err := s.save(a); err != nil {
		a.State, a.Error, a.Ended = ActionFailed, err.Error(), time.Now().UTC()
		return false
	}
	s.working, s.interrupt = a, interrupt
	return true
}

// eachPage does what is asked page by page, and writes down how far it has come after each.
func (s *Actions) eachPage(ctx context.Context, a *Action) error {
	size := actionPage
	if a.Do == DoRewash {
		size = rewashPage
	}
	if a.Matched == nil {
		n, err := patiently(ctx, func() (int64, error) { return s.api.matching(ctx, a.Filter) })
		if err != nil {
			return err
		}
		s.mu.Lock()
		a.Matched = &n
		s.mu.Unlock()
	}
	for {
		page, err := patiently(ctx, func() (SeedPage, error) { return s.api.page(ctx, a.Filter.listing(a.Cursor, size)) })
		var refused huma.StatusError
		switch {
		case errors.As(err, &refused) && refused.GetStatus() == http.StatusUnprocessableEntity:
			return nil // nothing matches any more, as where the only seed of a washer is gone
		case err != nil:
			return err
		}
		answers, err := s.api.act(ctx, &a.ActionRequest, a.Filter.meant(page.Seeds))
		s.mu.Lock()
		a.count(answers)
		if err == nil {
			a.Cursor = page.Next
			err = s.save(a)
		}
		s.mu.Unlock()
		if err != nil || page.Next == "" {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// patiently asks again while the lists are being made anew.
func patiently[T any](ctx context.Context, ask func() (T, error)) (answer T, err error) {
	for {
		answer, err = ask()
		var refused huma.StatusError
		if !errors.As(err, &refused) || refused.GetStatus() != http.StatusServiceUnavailable {
			return answer, err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return answer, ctx.Err()
		}
	}
}

// act does what a request asks with some seeds. With an error there are answers for those that
// it was done with.
func (a *api) act(ctx context.Context, r *ActionRequest, seeds []seedlist.Seed) ([]ActedOn, error) {
	if len(seeds) == 0 {
		return nil, nil
	}
	switch r.Do {
	case DoRetry:
		return a.Again(ctx, AgainRequest{From: seedlist.State(r.From)}, seeds)
	case DoForce:
		return a.Again(ctx, AgainRequest{Asked: seedlist.Force}, seeds)
	case DoRewash:
		return a.Again(ctx, AgainRequest{Asked: seedlist.Rewash}, seeds)
	case DoRemove:
		return a.removeAll(ctx, seeds, false)
	}
	return a.setAll(ctx, r.Set, seeds, false)
}
