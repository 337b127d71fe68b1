package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Seed returns the record of a hash, or of an identifier of 2018.
func (s *Store) Seed(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = s.read(ctx, func() error {
		r := s.find(hash)
		if r == nil {
			return seedlist.ErrNotFound
		}
		seed = s.attended(r)
		return nil
	})
	return seed, err
}

// Record returns the record of a hash without what it is linked with.
func (s *Store) Record(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	err = s.read(ctx, func() error {
		r := s.byHash(hash)
		if r == nil {
			return seedlist.ErrNotFound
		}
		seed = s.bare(r)
		return nil
	})
	return seed, err
}

// List returns seeds, oldest first, and the cursor that the next call goes on from.
func (s *Store) List(ctx context.Context, f seedlist.Filter) (seeds []seedlist.Seed, next string, err error) {
	after := uint64(0)
	if f.Cursor != "" {
		if after, err = seedlist.ReadCursor(f.Cursor); err != nil {
			return nil, "", err
		}
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Host = strings.ToLower(f.Host)
	err = s.read(ctx, func() error {
		if f.State != "" && f.State.Number() == 0 {
			return fmt.Errorf("list: %q is no state", f.State)
		}
		if f.Parent != "" && s.byHash(f.Parent) == nil {
			return seedlist.ErrNotFound
		}
		for r := range s.since(after) {
			if !s.matches(r, &f) {
				continue
			}
			seeds = append(seeds, s.attended(r))
			if len(seeds) == f.Limit {
				next = seedlist.CursorAfter(r.number)
				return nil
			}
		}
		return nil
	})
	return seeds, next, err
}

// matches looks at the cheapest first.
func (s *Store) matches(r *record, f *seedlist.Filter) bool {
	if f.Parent != "" && r.parent != s.byHash(f.Parent) ||
		f.State != "" && r.state != f.State ||
		f.Relative != nil && r.relative != *f.Relative ||
		f.Host != "" && r.host != f.Host {
		return false
	}
	if f.Format == "" && f.Source == "" && f.Washer == "" && f.Error == "" && f.Notice == "" {
		return true
	}
	stored := r.stored()
	return f.MatchesRecord(&stored.Record)
}

// maxAttempts is the number of attempts that are shown.
const maxAttempts = 1000

// Attempts returns the log's entries of a seed, and of a catalog of that hash.
func (s *Store) Attempts(ctx context.Context, hash string) (attempts []seedlist.Attempt, err error) {
	err = s.read(ctx, func() error {
		r, c := s.find(hash), s.catalogOf(hash)
		if r == nil && c == nil {
			return seedlist.ErrNotFound
		}
		var all []attempt
		if r != nil {
			all = append(all, r.attempts...)
		}
		if c != nil {
			all = append(all, c.attempts...)
		}
		slices.SortFunc(all, func(a, b attempt) int { return int(a.number) - int(b.number) })
		for _, entry := range all[max(0, len(all)-maxAttempts):] {
			var a seedlist.Attempt
			if err := json.Unmarshal(entry.data, &a); err != nil {
				return err
			}
			attempts = append(attempts, a)
		}
		return nil
	})
	return attempts, err
}

// FillOutcomes fills in what became of the documents that seeds name things in.
func (s *Store) FillOutcomes(ctx context.Context, seeds ...*seedlist.Seed) error {
	return s.read(ctx, func() error {
		for _, seed := range seeds {
			s.fillOutcome(seed)
		}
		return nil
	})
}

func (s *Store) fillOutcome(seed *seedlist.Seed) {
	r := s.byHash(seed.Document)
	if seed.Document == "" || r == nil {
		return // no name in a document, or that was removed
	}
	own, document := seed.Record, s.seed(r)
	seed.Record = document.Record
	seed.Added, seed.Interval, seed.IntervalAdapts = own.Added, own.Interval, own.IntervalAdapts
	seed.Source, seed.Title, seed.Claims, seed.Depth = own.Source, own.Title, own.Claims, own.Depth
	seed.KeepVersions, seed.Document = own.KeepVersions, own.Document
	seed.Outcome = r.state
	seed.ChildrenTotal, seed.Children = document.ChildrenTotal, document.Children
}

// Alike are seeds whose wash holds for any URI with these bytes.
func (s *Store) Alike(ctx context.Context, bytes *digest.Content, limit int) (seeds []seedlist.Seed, err error) {
	err = s.read(ctx, func() error {
		for r := range s.since(0) {
			if len(seeds) >= limit {
				return nil
			}
			stored := r.stored()
			if stored.Shareable() && stored.Content.SHA256 == bytes.SHA256 && stored.Content.NumberOfBytes == bytes.NumberOfBytes {
				seeds = append(seeds, s.seed(r))
			}
		}
		return nil
	})
	return seeds, err
}

// Counts are the sums over the list.
func (s *Store) Counts(ctx context.Context) (seedlist.Counts, error) {
	c := seedlist.Counts{
		States: map[seedlist.State]int64{}, Formats: map[string]int64{},
		Errors: map[fault.Code]int64{}, Notices: map[fault.Code]seedlist.Found{},
	}
	for _, state := range seedlist.States() {
		c.States[state] = 0
	}
	err := s.read(ctx, func() error {
		now := time.Now()
		c.Unchanged = s.unchanged
		for r := range s.since(0) {
			count(&c, r, now)
		}
		return nil
	})
	return c, err
}

func count(c *seedlist.Counts, r *record, now time.Time) {
	c.Seeds++
	c.States[r.state]++
	switch {
	case r.relative:
		c.Relative++
	case r.fragment:
		c.Fragments++
	case r.state.IsReady() && r.due.After(now):
		c.Waiting++
	}
	stored := r.stored()
	if r.clean {
		c.Clean.Files++
		c.Clean.Bytes += stored.Content.NumberOfBytes
		if stored.Content.NumberOfLines != nil {
			c.Clean.Lines += *stored.Content.NumberOfLines
		}
		return
	}
	if r.state == seedlist.Parsed || stored.ServedClean() != "" {
		c.Washed++
		if !r.state.IsFinal() {
			c.Refreshed++
		}
	}
	of := stored.Summed()
	for _, name := range of.Syntaxes() {
		c.Formats[name]++
	}
	if stored.Error != nil {
		c.Errors[stored.Error.Code]++
	}
	for code, n := range of.Notices {
		found := c.Notices[code]
		c.Notices[code] = seedlist.Found{Seeds: found.Seeds + 1, Times: found.Times + n}
	}
	if stored.Content != nil {
		c.Bytes += stored.Content.NumberOfBytes
	}
	if n := of.Statements; n != nil {
		sum := &c.Statements
		sum.Read, sum.Kept, sum.Repaired = sum.Read+n.Read, sum.Kept+n.Kept, sum.Repaired+n.Repaired
		sum.Dropped, sum.Duplicates, sum.Written = sum.Dropped+n.Dropped, sum.Duplicates+n.Duplicates, sum.Written+n.Written
	}
}

// Idle says that the list has come to rest.
func (s *Store) Idle(ctx context.Context) (idle bool, err error) {
	err = s.read(ctx, func() error {
		for r := range s.since(0) {
			isPaused := r.waits && s.host(r.host).isLeftAlone(time.Now())
			if !r.state.IsFinal() && !r.relative && !r.fragment && !isPaused {
				return nil
			}
		}
		idle = s.catalogsRest(time.Now())
		return nil
	})
	return idle, err
}
