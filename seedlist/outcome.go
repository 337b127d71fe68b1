package seedlist

import (
	"fmt"
	"math"
	"slices"
	"time"

	"laundromat/internal/digest"
)

// Outcome is what the work on a claim came to.
type Outcome struct {
	// Next is the state that follows, as the table allows.
	Next State
	// Unchanged, in place of Next, leads from downloading back to the seed's last
	// final state, with all that is known from it.
	Unchanged bool
	// Update changes the record, before the transaction that writes it. It may be called more than
	// once, each time with the record as it is, on the caller's goroutine, and must do nothing else.
	// Not all is its to change: Parent and Archive of a child, Added, and what the store keeps
	// elsewhere stay.
	Update func(*Record)
	// Children are the entries of the archive, all of them but those in Filed; only with Depleted.
	Children []Child
	// Filed is what [Completer.FileChildren] returned for this claim, all of it in one.
	Filed FiledChildren
	// Clean is the file that was written; only with Parsed. The record's Clean is set
	// to it.
	Clean *Clean
	// Products say of each product that was asked for what became of it: a file, an Error or None. They are in the
	// order of [Products], only with Parsed or, without any file, with Failed. That of statements is there only where
	// no clean file was written. A product that is not listed was not asked for, and its file goes as that of an older
	// version.
	Products []Product
	// Named are documents that the data, or a page in its place, names; those that are no
	// seeds become some. Only with Parsed, and from guessing.
	Named []NewSeed
	// Again is when a seed that failed is tried again by itself, sooner than its interval
	// says; only where the seed ends failed. A fetch that found nothing new may end so too. It
	// doubles with each such failure in a row. 0: not sooner. A seed without an interval is not
	// tried again by itself.
	Again time.Duration
	// Attempt is the log's entry. What is left out of it, the store fills in.
	Attempt Attempt
	// Load is what the host showed; only from downloading.
	Load Load
}

// Clean is a clean file: the content is that of the N-Quads before compression,
// and its MD5 is the clean seed's hash.
type Clean struct {
	Content digest.Content
}

// Change is what an outcome whose state is end does to the record of a claim at a time.
// It may be called more than once, each time with the record as it is stored.
func (o *Outcome) Change(c *Claim, end State, now time.Time, options *Options) func(*Record) {
	return func(r *Record) {
		was := *r
		o.record(c, r, end, now)
		o.remember(c, &was, r, now, options)
		if r.Marked = was.Marked; c.Stage != table[0].working {
			r.Marked = nil // its bytes were opened: that was asked for
		}
	}
}

// Result is what the log says of it.
func (o *Outcome) Result() string {
	if o.Unchanged {
		return "unchanged"
	}
	return string(o.Next)
}

// Check finds mistakes of the caller.
func (o *Outcome) Check(c *Claim) error {
	switch {
	case o.Unchanged && (o.Next != "" || c.Last == "" || !ByNoChange.Allows(c.Stage, c.Last)):
		return fmt.Errorf("complete: %s → unchanged (last %q) isn't a move", c.Stage, c.Last)
	case !o.Unchanged && !ByOutcome.Allows(c.Stage, o.Next):
		return fmt.Errorf("complete: %s → %s isn't a move", c.Stage, o.Next)
	case len(o.Children)+len(o.Filed) > 0 && o.Next != Depleted:
		return fmt.Errorf("complete: children, but %s", o.Next)
	case len(o.Named) > 0 && o.Next != Parsed && c.Stage != Guessing:
		return fmt.Errorf("complete: documents named, but %s", o.Next)
	case o.Clean != nil && o.Next != Parsed:
		return fmt.Errorf("complete: a clean file, but %s", o.Next)
	case o.Products != nil && o.Next != Parsed && (o.Next != Failed || slices.ContainsFunc(o.Products, isMade)):
		return fmt.Errorf("complete: products, but %s", o.Next)
	}
	return nil
}

// isMade says that a product has a file.
func isMade(p Product) bool { return p.SHA256 != "" }

// record makes the changes of an outcome to a record.
func (o *Outcome) record(c *Claim, r *Record, end State, now time.Time) {
	kept := *r
	if !o.Unchanged || end != Failed {
		r.Error = nil // that of a try before, if nothing changed
	}
	if end == Depleted && !o.Unchanged {
		r.holdGood()
		r.holdProducts()
		r.Clean, r.Changes = "", nil
	}
	if end.IsEnd() && c.Stage != table[0].working {
		r.endRow()
	}
	if o.Update != nil {
		o.Update(r)
	}
	r.KeepOrigin(&kept)
	if r.Clean != "" {
		r.Clean = kept.Clean
	}
	switch {
	case o.Clean != nil:
		r.takeProducts(o.Products, &o.Clean.Content)
	case o.Next == Parsed && o.Products != nil:
		r.takeProducts(o.Products, nil)
	default:
		r.missProducts(o.Products)
	}
	if end == table[0].next[0] && r.Retrieved.Equal(kept.Retrieved) {
		r.Retrieved = now
	}
	if end.IsEnd() {
		r.Processed = now
		r.turn(end, now)
	}
}

// turn notes when a document began to fail, and when it was mended.
func (r *Record) turn(end State, now time.Time) {
	switch {
	case end == Failed && r.Broken.IsZero():
		r.Broken = now
	case end != Failed && !r.Broken.IsZero():
		r.Broken, r.Mended = time.Time{}, now
	}
}

// KeepOrigin takes back what an update of a record has no say in: where the document was found, and when.
func (r *Record) KeepOrigin(was *Record) {
	r.Parent, r.Added = was.Parent, was.Added
	if was.Parent != "" {
		r.Archive = was.Archive.WithFilters(r.Archive)
	}
}

// WithFilters is a with the filters of the other. Where a child was found is for the archive to say.
// What its own bytes are wrapped in, or contain, is found by opening them.
func (a *Archive) WithFilters(other *Archive) *Archive {
	if a == nil || other == nil {
		return a
	}
	changed := *a
	changed.Filters, changed.Unpacked = other.Filters, other.Unpacked
	return &changed
}

// DueAfter is when a seed of this interval in seconds is due again; the zero time for
// never.
func DueAfter(now time.Time, interval *int64) time.Time {
	if interval == nil || *interval <= 0 {
		return time.Time{}
	}
	const most = math.MaxInt64 / int64(time.Second) / 4 // some 73 years
	return now.Add(time.Duration(min(*interval, most)) * time.Second).Round(0).UTC()
}

// DueAgain is when a seed that failed is due again. failures counts those in a row before
// this one that were tried again by themselves. The pause doubles with each, up to the
// interval. The zero time: never by itself.
func (o *Outcome) DueAgain(now time.Time, interval *int64, failures int) time.Time {
	due := DueAfter(now, interval)
	if o.Again <= 0 || due.IsZero() {
		return due
	}
	at := now.Add(o.Again)
	for pause := o.Again; failures > 0 && at.Before(due); failures-- {
		pause *= 2
		at = now.Add(pause)
	}
	if at.Before(due) {
		return at.Round(0).UTC()
	}
	return due
}

// Step is one of the outcomes that are completed together, with the claim that it is of
// and the state that it leads to.
type Step struct {
	Claim   *Claim
	Outcome *Outcome
	End     State
	// Attempt is the encoded entry of the log, which the list fills in.
	Attempt []byte
}

// Steps are the outcomes of the stage of a claim and of those that follow. Each begins
// where the one before it led to. The error is a mistake of the caller.
func Steps(c *Claim, outcomes []Outcome) ([]Step, error) {
	steps := make([]Step, 0, len(outcomes))
	for at := c; ; {
		o := &outcomes[len(steps)]
		if err := o.Check(at); err != nil {
			return nil, err
		}
		end := o.Next
		if o.Unchanged {
			end = c.Last
		}
		steps = append(steps, Step{Claim: at, Outcome: o, End: end})
		if len(steps) == len(outcomes) {
			return steps, nil
		}
		if o.Unchanged || !end.IsReady() {
			return nil, fmt.Errorf("complete: a stage after %s", end)
		}
		next := at.Following(end)
		at = &next
	}
}
