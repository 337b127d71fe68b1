package seedlist

import (
	"slices"
	"time"

	"laundromat/internal/digest"
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
		Made: r.Made, Fences: r.Fences, BaseUsed: r.BaseUsed, BlankNodes: r.BlankNodes, WashedFrom: r.WashedFrom, Washer: r.Washer,
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

// setClean notes the clean file that a wash wrote.
func (r *Record) setClean(of *digest.Content) {
	bytes := of.NumberOfBytes
	r.Clean, r.Products = of.MD5, []Product{{Name: ProductStatements, SHA256: of.SHA256, Bytes: &bytes}}
}

// forgetGood takes the last good wash from a record that shows why none came since. Other records keep theirs.
func (r *Record) forgetGood() {
	if e := r.Error; e != nil && r.Clean != "" { // its bytes could not be fetched again
		r.ForgetReading()
		r.Error = e
	}
	if r.Clean == "" {
		r.endGood()
	}
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

// isOwn says that the record itself is that of what is served.
func (r *Record) isOwn() bool { return r.Clean != "" || r.Previous == "" }

// Served is the seed as its files are served. All that speaks of bytes, of a reading and of files is of the last
// good wash. The rest is as it is now: the state and the error.
func (s *Seed) Served() Seed {
	served := *s
	if s.isOwn() {
		return served
	}
	served.Clean, served.Previous, served.Good = s.Previous, "", nil
	if s.Good == nil {
		return served // it was replaced before records said more of it
	}
	of := &s.Good.Reading
	served.Retrieved, served.Processed, served.HTTP, served.Mirror = of.Retrieved, of.Processed, of.HTTP, of.Mirror
	served.Content, served.Text, served.Encoding = of.Content, of.Text, of.Encoding
	served.Format, served.FormatEvidence, served.Made = of.Format, nil, of.Made
	served.Statements, served.Sources, served.Notices = of.Statements, of.Sources, of.Notices
	served.Fences.Dirty, served.Fences.Notices = of.Fences.Dirty, of.Fences.Notices
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
	if !r.isOwn() && r.Good != nil {
		return r.Good.Version, r.Good.AsOf
	}
	version := r.versionOf(r.ServedClean())
	if version.Seen.IsZero() {
		return version.Number, version.Retrieved
	}
	return version.Number, version.Seen
}

// IsBehind says that what is served is not what came last: something else was tried since, and it came to nothing.
func (s *Seed) IsBehind() bool {
	return s.ServedClean() != "" && (s.Status == Failed || s.Clean == "" && s.Status == Depleted)
}

// Behind says in words as of when what is served is, and what came since; "" where it is what came last.
func (s *Seed) Behind() string {
	since := ""
	isGone := s.Gone != nil && *s.Gone
	switch {
	case s.ServedClean() == "":
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

// IsRefreshed says that the seed has a clean file and is being fetched or washed again.
func (s *Seed) IsRefreshed() bool {
	return s.ServedClean() != "" && (s.Status.IsWorking() || s.Status.IsReady())
}

// productsOf are what a wash made of the seed, with the version that is served where that is not what came last.
func (s *Seed) productsOf() []Product {
	if s.ServedClean() == "" || !s.IsBehind() && s.isOwn() {
		return s.Products
	}
	product := Product{Name: ProductStatements}
	for _, made := range s.madeOfServed() {
		product.SHA256, product.Bytes = made.SHA256, made.Bytes
	}
	product.Good, _ = s.ServedVersion()
	if s.Status == Failed {
		product.Error = s.Error
		if s.Good != nil && s.Good.Empty > 0 {
			product.None, product.Error = true, nil
		}
	}
	return []Product{product}
}

// madeOfServed are the products of what is served.
func (r *Record) madeOfServed() []Product {
	if !r.isOwn() && r.Good != nil {
		return r.Good.Reading.Products
	}
	return r.Products
}

// What follows the last good wash of a document.
const (
	// againGood is the first pause before a document is asked for again whose statements can't be made any more.
	againGood = 24 * time.Hour
	// believed is how many sound pages without statements, in a row, are taken for what the document is now.
	believed = 3
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

// Decide says what a try at a time means for the last good wash of a record. A record without one takes what
// comes.
func (r *Record) Decide(try Try, now time.Time) (d Decision) {
	isServed := r.ServedClean() != ""
	switch {
	case !isServed:
		d.Replaces = try.Error == nil
		return d
	case try.Error != nil:
		// A page in between that is no data breaks the row: nothing sound came.
		if !IsForGood(try) {
			d.Again = againGood
		}
		return d
	case try.Written > 0 || r.servedStatements() == 0 || !try.IsPage && try.Dropped == 0:
		d.Replaces = true
		return d
	case try.Dropped > 0: // it is broken throughout, and not sound
		d.Again = againGood
		return d
	}
	d.Empty, d.EmptyAt = 1, now.UTC()
	if good := r.Good; good != nil && good.Empty > 0 {
		d.Empty, d.EmptyAt = good.Empty, good.EmptyAt
		if now.Sub(good.EmptyAt) >= apart {
			d.Empty, d.EmptyAt = good.Empty+1, now.UTC()
		}
	}
	if d.Empty >= believed {
		return Decision{Replaces: true}
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
	if !r.isOwn() && r.Good != nil {
		return &r.Good.Reading
	}
	return r
}
