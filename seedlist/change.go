package seedlist

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Change is what one transaction did to one seed. Two changes of the same seed in one
// transaction are one.
type Change struct {
	// Revision rises by one from change to change, over all seeds, and never falls.
	Revision uint64
	Time     time.Time // of the transaction, by the clock of the machine
	// Number is the list's own of the seed. It is given once, and rises with age.
	Number uint64
	// From and To are the states before and after. From is "" for a new seed, To for one
	// that was removed. They are the same where something else of the seed changed.
	From, To State
	// Hash is that of a seed that was removed; "" for others, which [Feed.Numbered] reads.
	Hash string
	// Name is the URI of a seed that was removed, as it is shown, or what it was called in its archive; at most
	// [MostName] bytes of it. It is "" for others, and where its record could not be read.
	Name string
}

// MostName is how many bytes of the name of a removed seed are kept: a hundred of them are written together.
const MostName = 512

// NameOf is the name of a seed as [Change] has it.
func NameOf(s *Stored) string {
	name := Shown(s.URI)
	if name == "" && s.Archive != nil {
		name = s.Archive.Entry
	}
	if len(name) > MostName {
		name = name[:MostName]
	}
	return strings.ReplaceAll(strings.ToValidUTF8(name, ""), "\x00", "")
}

// Numbered is a seed with its number, as [Change] has it.
type Numbered struct {
	Number uint64
	Seed   Seed
}

// Feed tells what changed, in order. Each transaction that changes seeds writes a [Change]
// for each of them, with itself. What memory alone knows (worker, progress) changes nothing.
type Feed interface {
	// Revision is that of the last change; 0 before the first.
	Revision(ctx context.Context) (uint64, error)
	// Changes are the changes after a revision, in order, up to limit. None says that there
	// are none yet. [*LateError] says that some of them are no longer kept, or that the
	// revision is of another list.
	Changes(ctx context.Context, after uint64, limit int) ([]Change, error)
	// WaitChange returns nil when there is a change after a revision. It must not poll.
	WaitChange(ctx context.Context, after uint64) error
	// Numbered returns the seeds of these numbers that are there, in the order of the
	// numbers given, all of one moment. It is for those who read every seed that changes. Of the
	// links only Catalogs is there. Of the record there is what lists, events and searches tell: Added, Processed,
	// Broken, Mended, the washes of History, Source,
	// Title, Claims, Clean, Previous, Good, Archive, Parent, Encoding without evidence, Format, Sources,
	// Products beside the clean file,
	// Notices, Error, Washer and Recipe. Of Content there is the number of bytes, of Statements those read, dropped
	// and written. The rest need not be.
	// Of a record that can't be read there is its Standing alone, without a hash.
	Numbered(ctx context.Context, numbers ...uint64) ([]Numbered, error)
	// Whole is Numbered with all links, as [Reader.Seed] returns a seed. What can't be read is left out.
	Whole(ctx context.Context, numbers ...uint64) ([]Seed, error)
	// NumberedAfter is Numbered for the seeds that follow a number, oldest first, up to
	// limit, at most 1,000; none at the end.
	NumberedAfter(ctx context.Context, after uint64, limit int) ([]Numbered, error)
	// Washed are the sums of what was washed by spans of time, oldest first. They are of the
	// spans that begin in [from, to). A span in which nothing was washed is left out.
	Washed(ctx context.Context, span Span, from, to time.Time) ([]Washed, error)
}

// MostChanges is how many changes are kept, unless [Options.KeepChanges] says otherwise. Those of a
// transaction go together, so that there may be some more.
const MostChanges = 1_000_000

// LateError says that what followed a revision can't be told any more. Whoever gets it
// reads the whole list again and goes on from its present revision.
type LateError struct {
	After       uint64 // what was asked for
	First, Last uint64 // what is kept; First is above Last where nothing is
}

// Error says what is kept, or that the revision is of another list.
func (e *LateError) Error() string {
	if e.After > e.Last {
		return fmt.Sprintf("the revision %d is not of this seed list, which has come to %d: read the list again and go on from there",
			e.After, e.Last)
	}
	return fmt.Sprintf("the changes after revision %d are not all kept (the first is %d): read the list again and go on from revision %d",
		e.After, e.First, e.Last)
}

// Span is a length of time over which sums are kept.
type Span string

// Sums are kept by the minute for two days, by the hour for two months, and by the day
// for ever. All are of UTC.
const (
	Minute Span = "minute"
	Hour   Span = "hour"
	Day    Span = "day"
)

// Spans are all spans, the shortest first.
func Spans() []Span { return []Span{Minute, Hour, Day} }

// Length is how long a span is; 0 for what is none.
func (s Span) Length() time.Duration {
	switch s {
	case Minute:
		return time.Minute
	case Hour:
		return time.Hour
	case Day:
		return 24 * time.Hour
	}
	return 0
}

// Kept is how long the sums of a span are kept; 0: for ever.
func (s Span) Kept() time.Duration {
	switch s {
	case Minute:
		return 2 * 24 * time.Hour
	case Hour:
		return 61 * 24 * time.Hour
	}
	return 0
}

// Washed are the sums over the documents whose wash ended well in a span of time: they
// became [Parsed]. A document that was washed twice counts twice. One that is removed
// afterwards still counts.
type Washed struct {
	Begin      time.Time `json:"begin"`
	Documents  int64     `json:"documents"`
	Bytes      int64     `json:"bytes"`      // as they came
	Statements int64     `json:"statements"` // that were written
}

// Count adds a document whose record this is.
func (w *Washed) Count(r *Record) {
	w.Documents++
	if r.Content != nil {
		w.Bytes += r.Content.NumberOfBytes
	}
	if r.Statements != nil {
		w.Statements += r.Statements.Written
	}
}

// Add adds other sums.
func (w *Washed) Add(other Washed) {
	w.Documents += other.Documents
	w.Bytes += other.Bytes
	w.Statements += other.Statements
}
