package seedlist

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// A RowSource is a list whose rows can be read one by one: to be copied into a [RowTarget], or compared.
type RowSource interface {
	List
	// Rows returns up to limit rows of a part that follow a place, in their order; none at the end. Nothing may be at
	// work on the list.
	Rows(ctx context.Context, part Part, after Place, limit int) ([]Row, error)
}

// A RowTarget is a list into which the rows of another can be written. Numbers stay, so that cursors, orders and links
// stay too. What a list derives from its rows (counts, indices, turns, the feed) the target derives again.
type RowTarget interface {
	RowSource
	// Settle gives back what processes hold that are gone, and refuses with [ErrAtWork] while one works
	// on the list.
	Settle(ctx context.Context) error
	// PutRows writes rows of a part, in one transaction, and with it where it has come to. Rows come part by
	// part, in the order of [Parts], to a list that was empty.
	PutRows(ctx context.Context, part Part, rows []Row) error
	// Came is where PutRows has come to, of which copy; nil if none was begun, or it was ended.
	Came(ctx context.Context) (*Copying, error)
	// SetCopying begins a copy or, with nil, ends it: then the list is like any other.
	SetCopying(ctx context.Context, c *Copying) error
}

// Copying says how far a copy has come.
type Copying struct {
	From string `json:"from"` // what is copied: its name and its last revision
	Part Part   `json:"part"`
	At   Place  `json:"at"` // the last row that was written
}

// Part is a part of a list that is copied by itself.
type Part string

// The parts, in the order in which they are copied.
const (
	PartSeeds    Part = "seeds"
	PartLinks    Part = "links" // which clean seed was washed from which others
	PartCatalogs Part = "catalogs"
	PartListings Part = "listings"
	PartAttempts Part = "attempts"
	PartHosts    Part = "hosts" // their settings
	PartOrphans  Part = "orphans"
	PartContexts Part = "contexts" // of JSON-LD, with their texts
	PartRecipes  Part = "recipes"  // with older forms that records name
	PartWashed   Part = "washed"   // sums by spans of time
	PartSums     Part = "sums"     // what is derived from nothing: see the names of sums
)

// Parts are all parts.
func Parts() []Part {
	return []Part{PartSeeds, PartLinks, PartCatalogs, PartListings, PartAttempts, PartHosts, PartOrphans, PartContexts, PartRecipes,
		PartWashed, PartSums}
}

// The names of sums.
const (
	SumAttempts  = "attempts"  // the last number of an attempt
	SumNumbers   = "numbers"   // the last number of a seed or a catalog
	SumRemoved   = "removed:"  // what retention removed; what it is follows
	SumUnchanged = "unchanged" // how often a fetch found that nothing had changed
)

// Place is where a row is in its part: rows rise by Number, then Other, then Name.
type Place struct {
	// Number is that of the seed, the catalog or the attempt; of a link the clean seed, of a listing the
	// catalog. Of a span of time it is the seconds since 1970 of its begin.
	Number uint64 `json:"number,omitempty"`
	Other  uint64 `json:"other,omitempty"` // the dirty seed of a link, the seed of a listing
	Name   string `json:"name,omitempty"`  // a host, an orphan's hash, a context's key, a span, the name of a sum
}

// Row is a row of a part. What its part does not have is the zero value.
type Row struct {
	Place
	Hash  string   // of the seed or the catalog, or that an attempt is of
	Data  []byte   // JSON: of [Stored], [Catalog], [Attempt], [HostSettings] or [Context]
	More  []byte   // what the last harvest of a catalog refused; the packed text of a context
	Flag  bool     // an attempt is of a catalog; a listing is gone
	Moves Moves    // of a seed
	Sums  [3]int64 // of a span; of a listing the harvest; of a sum the number
}

// Moves are what claims and completions change of a seed.
type Moves struct {
	State State `json:"state"`
	Last  State `json:"last,omitempty"`  // the last final state
	Stage State `json:"stage,omitempty"` // the working state that failed last

	Fence     uint64 `json:"fence,omitempty"`
	Tries     int    `json:"tries,omitempty"`
	Failures  int    `json:"failures,omitempty"`
	Crashes   int    `json:"crashes,omitempty"`
	Priority  int32  `json:"priority,omitempty"`
	Due       int64  `json:"due,omitempty"` // nanoseconds since 1970; 0: none
	Relative  bool   `json:"relative,omitempty"`
	Fragment  bool   `json:"fragment,omitempty"`
	Fetchable bool   `json:"fetchable,omitempty"`
	Clean     bool   `json:"clean,omitempty"`
	Gone      bool   `json:"gone,omitempty"`
	IsArchive bool   `json:"is_archive,omitempty"`
	Parent    uint64 `json:"parent,omitempty"` // the number of its archive; 0: none
	Host      string `json:"host,omitempty"`
	OldKey    string `json:"old_key,omitempty"` // its identifier of 2018 in hexadecimal digits; "" if another has that
}

// ErrAtWork refuses to copy a list on which a process works.
var ErrAtWork = errors.New("a daemon works on the seed list: stop it first (one that was killed is forgotten after a minute)")

// ErrUnfinished refuses a list into which another was not copied to its end.
var ErrUnfinished = errors.New("another list is being copied into this one, which is not whole yet: run the same \"laundromat store " +
	"migrate\" or \"laundromat seed import\" again")

// HostName is the host that a stored seed is asked from; "" for none.
func (c *Stored) HostName() string {
	if c.URI == "" {
		return ""
	}
	u, err := ParseURI(c.URI)
	if err != nil || u.Relative {
		return ""
	}
	return u.Host
}

// RowsAtOnce is how many rows are copied in one transaction.
const RowsAtOnce = 1000

// EachRows calls each for the rows of a part that follow a place, up to [RowsAtOnce] at a time.
func EachRows(ctx context.Context, list RowSource, part Part, after Place, each func([]Row) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows, err := list.Rows(ctx, part, after, RowsAtOnce)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := each(rows); err != nil {
			return err
		}
		after = rows[len(rows)-1].Place
	}
}

// Following are the rows, up to limit, that follow a place, in their order. It is for lists with few rows of a part.
func Following(rows []Row, after Place, limit int) []Row {
	slices.SortFunc(rows, func(a, b Row) int { return a.Place.Compare(b.Place) })
	rows = slices.DeleteFunc(rows, func(r Row) bool { return r.Place.Compare(after) <= 0 })
	return rows[:min(len(rows), limit)]
}

// Compare orders places.
func (p Place) Compare(other Place) int {
	return cmp.Or(cmp.Compare(p.Number, other.Number), cmp.Compare(p.Other, other.Other), cmp.Compare(p.Name, other.Name))
}
