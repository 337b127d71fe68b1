package seedlist

import (
	"slices"
	"time"

	"laundromat/internal/fault"
)

// Good is the last good wash of a document whose bytes were replaced by others. It stays what is served until
// these are washed too, however often something else comes in between.
type Good struct {
	Version int64     `json:"version,omitempty"` // its number, as in URI@VERSION
	AsOf    time.Time `json:"as_of,omitzero"`    // its bytes were last seen then
	// Empty counts the sound pages without statements that came since, in a row and a day apart at least. The
	// last of them came at EmptyAt.
	Empty   int       `json:"empty,omitempty"`
	EmptyAt time.Time `json:"empty_at,omitzero"`
	// Reading is what the record said of the wash: its bytes, its counts, its files. Its clean seed is
	// [Record.Previous].
	Reading Record `json:"reading,omitzero"`
}

// holdGood keeps what the record says of its own wash, if it has one, before it is forgotten. Without one, the
// wash that was kept before stays.
func (r *Record) holdGood() {
	if r.Clean == "" {
		return
	}
	version := r.versionOf(r.Clean)
	good := &Good{Version: version.Number, AsOf: version.Seen, Reading: Record{
		Retrieved: r.Retrieved, Processed: r.Processed, HTTP: decisive(r.HTTP), Mirror: r.Mirror, Content: r.Content, Text: r.Text,
		Encoding: r.Encoding, Format: r.Format, Statements: r.Statements, Sources: r.Sources, Notices: r.Notices,
		Made: r.madeOfStatements(), Stock: r.Stock,
		BaseUsed: r.BaseUsed, BlankNodes: r.BlankNodes, WashedFrom: r.WashedFrom, Washer: r.Washer,
		WashedWith: r.WashedWith,
	}}
	if r.Archive != nil { // where a member was found stays in the record
		good.Reading.Archive = &Archive{Filters: r.Archive.Filters, Format: r.Archive.Format, Unpacked: r.Archive.Unpacked}
	}
	if good.AsOf.IsZero() {
		good.AsOf = r.Retrieved.UTC()
	}
	r.Good, r.Previous = good, r.Clean
}

// endGood forgets the last good wash: another has taken its place.
func (r *Record) endGood() { r.Good, r.Previous = nil, "" }

// forgetGood takes the last good wash from a record that shows why none came since. Other records keep theirs.
func (r *Record) forgetGood() {
	if e := r.Error; e != nil && r.Clean != "" { // its bytes could not be fetched again
		r.ForgetReading()
		r.Error = e
	}
	if r.Clean == "" {
		r.endGood()
	}
	r.forgetHeld()
}

// versionOf is the last version that was washed to a clean file; the zero value if the history has none.
func (r *Record) versionOf(clean string) (found Version) {
	for _, v := range r.Versions() {
		if v.Clean == clean {
			found = v
		}
	}
	return found
}

// decisive are exchanges with those headers that decide how bytes are read.
func decisive(chain []Exchange) []Exchange {
	short := slices.Clone(chain)
	for i := range short {
		headers := make(map[string][]string)
		for _, name := range weightyHeaders {
			if values := short[i].Headers[name]; values != nil {
				headers[name] = values
			}
		}
		short[i].Headers = headers
	}
	return short
}

// ServedClean is the hash of the clean file that is served: that of the last good wash.
func (r *Record) ServedClean() string {
	if r.Clean != "" {
		return r.Clean
	}
	return r.Previous
}

// CleanFile is the hash of the clean file that people get of a seed: of a clean seed its own, else that which is
// served; "" for none.
func (s *Seed) CleanFile() string {
	if s.Status == Cleaned {
		return s.Hash
	}
	return s.ServedClean()
}

// isOwn says that the record itself is that of what is served.
func (r *Record) isOwn() bool { return r.Clean != "" || r.Previous == "" || r.HasOwnProduct() }

// Served is the seed as its files are served. All that speaks of bytes, of a reading and of files is of the last
// good wash. The rest is as it is now: the state and the error. Of bytes that gave another product, but no statements,
// only what speaks of statements is of the wash before.
func (s *Seed) Served() Seed {
	switch {
	case s.Clean != "" || s.Previous == "":
		return *s
	case !s.isOwn():
		return s.LastGood()
	}
	served := *s
	served.Clean, served.Previous, served.Good = s.Previous, "", nil
	if s.Good != nil {
		of := &s.Good.Reading
		served.Statements, served.Sources, served.WashedFrom = of.Statements, of.Sources, of.WashedFrom
		served.Products = s.servedProducts()
		served.BaseUsed, served.BlankNodes = of.BaseUsed, of.BlankNodes
	}
	return served
}

// LastGood is the seed as it was after the last good wash of its statements, where that is not the last.
func (s *Seed) LastGood() Seed {
	served := *s
	if s.Previous == "" {
		return served
	}
	served.Clean, served.Previous, served.Good = s.Previous, "", nil
	if s.Good == nil {
		return served // it was replaced before records said more of it
	}
	of := &s.Good.Reading
	served.Retrieved, served.Processed, served.HTTP, served.Mirror = of.Retrieved, of.Processed, of.HTTP, of.Mirror
	served.Content, served.Text, served.Encoding = of.Content, of.Text, of.Encoding
	served.Format, served.FormatEvidence, served.Products = of.Format, nil, s.servedProducts()
	served.Statements, served.Sources, served.Notices = of.Statements, of.Sources, of.Notices
	served.Fences.Dirty, served.Fences.Notices, served.Removed = of.Fences.Dirty, of.Fences.Notices, of.Removed
	served.BaseUsed, served.BlankNodes, served.WashedFrom = of.BaseUsed, of.BlankNodes, of.WashedFrom
	served.Washer, served.WashedWith = of.Washer, of.WashedWith
	switch {
	case s.Archive == nil:
		served.Archive = of.Archive
	case s.Parent != "":
		served.Archive = s.Archive.WithFilters(&Archive{})
		if of.Archive != nil {
			served.Archive = s.Archive.WithFilters(of.Archive)
		}
	default:
		served.Archive = of.Archive
	}
	return served
}

// ServedVersion is the number of the version that is served, and when its bytes were last seen.
func (r *Record) ServedVersion() (number int64, asOf time.Time) {
	if r.Clean == "" && r.Good != nil {
		return r.Good.Version, r.Good.AsOf
	}
	if r.ServedClean() == "" && r.IsServed() {
		return r.servedOfProducts()
	}
	version := r.versionOf(r.ServedClean())
	if version.Seen.IsZero() {
		return version.Number, version.Retrieved
	}
	return version.Number, version.Seen
}

// IsBehind says that what is served is not what came last: something else was tried since, and it came to nothing.
func (s *Seed) IsBehind() bool {
	return s.IsServed() && (s.Status == Failed || s.Clean == "" && s.Status == Depleted)
}

// Behind says in words as of when what is served is, and what came since; "" where it is what came last.
func (s *Seed) Behind() string {
	since := ""
	isGone := s.Gone != nil && *s.Gone
	switch {
	case !s.IsServed():
	case isGone && s.Parent != "":
		since = "no longer in its archive"
	case isGone:
		since = "no catalog names it any more"
	case s.Status == Depleted:
		since = "an archive"
	case s.Status != Failed || s.Error == nil:
	case s.Error.Code == fault.HTTPStatus && len(s.HTTP) > 0 && s.HTTP[len(s.HTTP)-1].Status == statusGone:
		since = "the server says that it is gone for good"
	case s.Error.Code == fault.RobotsDisallowed:
		since = "robots.txt forbids it"
	default:
		since = ShownIn(s.Error.Message)
	}
	if since == "" {
		return ""
	}
	_, asOf := s.ServedVersion()
	if asOf.IsZero() {
		return "since then: " + since
	}
	return "as of " + asOf.UTC().Format(time.DateOnly) + "; since then: " + since
}

// IsRefreshed says that the seed has a file of a product and is being fetched or washed again.
func (s *Seed) IsRefreshed() bool {
	return s.IsServed() && (s.Status.IsWorking() || s.Status.IsReady())
}

// What follows the last good wash of a document.
const (
	// againGood is the first pause before a document is asked for again whose statements can't be made any more.
	againGood = 24 * time.Hour
	// Believed is how many sound pages without any of a product, in a row, are taken for what the document is now.
	Believed = 3
	// apart is how far they are apart at least. A fetch that a daily interval brings a little early counts.
	apart = 24*time.Hour - time.Hour
)

// statusGone is the status of a reply by which a server takes a document back for good.
const statusGone = 410

// Try is what a try to make the statements of a document anew came to.
type Try struct {
	// Error is why it made none; nil if it read the document to its end.
	Error *Error
	Reply int // the status of the last reply of HTTP; 0 without one
	// Written are the statements of a document that was read to its end, Dropped those that were lost in it.
	// IsPage says that its format holds much else beside statements, so that it may be any page.
	Written, Dropped int64
	IsPage           bool
}

// Decision is what a try means for the last good wash of its document.
type Decision struct {
	// Replaces says that what came is a good wash, and is served from now on.
	Replaces bool
	// Again is when the document is asked for again, sooner than its interval says. It doubles with each such try in a
	// row. 0: not sooner.
	Again time.Duration
	Empty int // is that of [Good] from now on
	// EmptyAt is when the last page came that Empty counts.
	EmptyAt time.Time
}

// held is what is served of a product.
type held struct {
	isServed bool
	// isEmpty says that what is served is empty too.
	isEmpty bool
	empty   int
	emptyAt time.Time
}

// heldOf is what is served of a product; of "", that of a document as a whole.
func (r *Record) heldOf(product string) (h held) {
	if product == ProductStatements || product == "" {
		h.isServed, h.isEmpty = r.ServedClean() != "", r.servedStatements() == 0
		if r.Good != nil {
			h.empty, h.emptyAt = r.Good.Empty, r.Good.EmptyAt
		}
		h.isServed = h.isServed || product == "" && r.IsServed()
		return h
	}
	if p := r.Product(product); p != nil {
		h = held{isServed: p.SHA256 != "", isEmpty: p.Written != nil && *p.Written == 0, empty: p.Empty, emptyAt: p.EmptyAt}
	}
	return h
}

// Decide says what a try at a time means for the last good form of a product; "" stands for the document as a whole.
// One without such a form takes what comes.
func (r *Record) Decide(product string, try Try, now time.Time) (d Decision) {
	was := r.heldOf(product)
	switch {
	case !was.isServed:
		d.Replaces = try.Error == nil
		return d
	case try.Error != nil:
		// A page in between that is no data breaks the row: nothing sound came.
		if !IsForGood(try) {
			d.Again = againGood
		}
		return d
	case try.Written > 0 || was.isEmpty || !try.IsPage && try.Dropped == 0:
		d.Replaces = true
		return d
	case try.Dropped > 0: // it is broken throughout, and not sound
		d.Again = againGood
		return d
	}
	d.Empty, d.EmptyAt = 1, now.UTC()
	if was.empty > 0 {
		d.Empty, d.EmptyAt = was.empty, was.emptyAt
		if now.Sub(was.emptyAt) >= apart {
			d.Empty, d.EmptyAt = was.empty+1, now.UTC()
		}
	}
	if d.Empty >= Believed {
		return Decision{Replaces: true, Empty: d.Empty, EmptyAt: d.EmptyAt}
	}
	d.Again = againGood
	return d
}

// servedStatements are those of the clean file that is served; 1 where that is not known.
func (r *Record) servedStatements() int64 {
	if of := r.Summed(); of.Statements != nil {
		return of.Statements.Written
	}
	return 1
}

// IsForGood says that who answers has said that he does not give the document any more: asking sooner is of no use.
func IsForGood(try Try) bool {
	switch try.Error.Code {
	case fault.HTTPStatus:
		return try.Reply == statusGone
	case fault.RobotsDisallowed:
		return true
	}
	return false
}

// Summed is the part of a record that sums over documents are made of: the format, the statements and the notices of
// what is served.
func (r *Record) Summed() *Record {
	switch {
	case r.Clean != "" || r.Good == nil:
		return r
	case r.isOwn():
		mixed := *r
		mixed.Statements, mixed.Sources = r.Good.Reading.Statements, r.Good.Reading.Sources
		return &mixed
	}
	return &r.Good.Reading
}
