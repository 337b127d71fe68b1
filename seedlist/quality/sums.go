// Package quality sums up what became of the documents of a publisher, and scores it. It reads records alone: of equal
// records, the sums and the score are equal.
//
//	var all quality.Sums
//	for _, seed := range seeds {
//		one := quality.Of(&seed)
//		all.Add(&one, 1)
//	}
//	score := all.Score()
package quality

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Sums are counts of documents, and of what is in them. A document is a seed that is neither a clean file, nor an
// archive that was unpacked, nor a URI with a fragment or a relative one.
type Sums struct {
	Documents int64 `json:"documents"`
	Clean     int64 `json:"clean" doc:"documents with a clean file that is served"`
	Washed    int64 `json:"washed" doc:"documents whose last wash ended well"`
	Waiting   int64 `json:"waiting" doc:"documents that were never washed, and did not fail yet"`
	Again     int64 `json:"again" doc:"documents that are being fetched or washed again"`
	// Failed are the documents that failed, by the kind of their error.
	Failed FailedDocuments `json:"failed"`

	Statements StatementSums `json:"statements"`
	Records    RecordSums    `json:"records"`
	Articles   ArticleSums   `json:"articles"`
	// Doubtful counts warnings about literals, language tags and IRIs, in a document at most one per statement.
	Doubtful int64 `json:"doubtful" doc:"warnings about terms, at most one per statement"`

	// Read are documents of which it is known in which format they are. Told are those of them of which a server or
	// a catalog said something that is not so. One may be in several.
	Read int64       `json:"format_found" doc:"documents whose format was found"`
	Told ToldWrongly `json:"told_wrongly"`

	// Dated are documents with a time of their last bytes, and Days the sum of these times, in days since 1970.
	Dated int64 `json:"-"`
	Days  int64 `json:"-"`
}

// FailedDocuments are documents that failed, by kind of error.
type FailedDocuments struct {
	Remote  int64 `json:"remote"`
	Refused int64 `json:"refused"`
	Data    int64 `json:"data"`
	Limit   int64 `json:"limit"`
	Other   int64 `json:"other" doc:"by a fault of ours: local, or a bug"`
}

// All are all that failed.
func (f *FailedDocuments) All() int64 { return f.Remote + f.Refused + f.Data + f.Limit + f.Other }

// Theirs are those that failed by a fault of the publisher.
func (f *FailedDocuments) Theirs() int64 { return f.Remote + f.Refused + f.Data }

// StatementSums are those of documents. Read is the sum of Kept, Repaired and Dropped.
type StatementSums struct {
	Read     int64 `json:"read"`
	Kept     int64 `json:"kept"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`
	Written  int64 `json:"written"`
	IllTyped int64 `json:"ill_typed" doc:"literals that are not of their datatype"`
}

// RecordSums are records. Read is the sum of Kept, Repaired and Dropped.
type RecordSums struct {
	Read     int64 `json:"read"`
	Kept     int64 `json:"kept"`
	Repaired int64 `json:"repaired"`
	Dropped  int64 `json:"dropped"`
}

// ArticleSums are texts of pages. Read is Kept and Empty together.
type ArticleSums struct {
	Read  int64 `json:"read"`
	Kept  int64 `json:"kept"`
	Empty int64 `json:"empty"`
}

// ToldWrongly are documents of which a server or a catalog said something that is not so.
type ToldWrongly struct {
	MediaType int64 `json:"media_type"`
	Length    int64 `json:"length"`
	Encoding  int64 `json:"encoding"`
	Catalog   int64 `json:"catalog" doc:"by claims of a catalog"`
	Any       int64 `json:"any"`
}

// Age is how old the bytes of the documents are on average.
func (s *Sums) Age(now time.Time) (age time.Duration, ok bool) {
	if s.Dated == 0 {
		return 0, false
	}
	mean := float64(s.Days) / float64(s.Dated) // the sum of many days is too long for a duration
	return time.Duration(max(0, float64(DayOf(now))-mean) * float64(day)), true
}

const day = 24 * time.Hour

// fieldCount is how many counts there are: fewer than bits of a word.
const fieldCount = 32

// fields are the counts in the order in which they are stored: append only.
func (s *Sums) fields() [fieldCount]*int64 {
	f, n, r, a, t := &s.Failed, &s.Statements, &s.Records, &s.Articles, &s.Told
	return [fieldCount]*int64{
		&s.Documents, &s.Clean, &s.Washed, &s.Waiting, &s.Again, &f.Remote, &f.Refused, &f.Data, &f.Limit, &f.Other,
		&n.Read, &n.Kept, &n.Repaired, &n.Dropped, &n.Written, &n.IllTyped, &r.Read, &r.Kept, &r.Repaired, &r.Dropped,
		&a.Read, &a.Kept, &a.Empty, &s.Doubtful, &t.MediaType, &t.Length, &t.Encoding, &t.Catalog, &t.Any, &s.Dated, &s.Days,
		&s.Read,
	}
}

// Add adds the counts of others, so many times; -1 takes them away.
func (s *Sums) Add(o *Sums, times int64) {
	others := o.fields()
	for i, field := range s.fields() {
		*field += times * *others[i]
	}
}

// Append appends the counts as they are stored: which are not 0, and these.
func (s *Sums) Append(b []byte) []byte {
	fields := s.fields()
	mask := uint64(0)
	for i, field := range fields {
		if *field != 0 {
			mask |= 1 << i
		}
	}
	b = binary.AppendUvarint(b, mask)
	for ; mask != 0; mask &= mask - 1 {
		b = binary.AppendVarint(b, *fields[bits.TrailingZeros64(mask)])
	}
	return b
}

// Decode reads stored counts, and returns what follows them.
func (s *Sums) Decode(b []byte) []byte {
	*s = Sums{}
	fields := s.fields()
	mask, size := binary.Uvarint(b)
	b = b[max(size, 0):]
	for mask &= 1<<fieldCount - 1; mask != 0; mask &= mask - 1 {
		n, size := binary.Varint(b)
		b = b[max(size, 0):]
		*fields[bits.TrailingZeros64(mask)] = n
	}
	return b
}

// Of are the counts of one seed, as it is listed: see [seedlist.Seed.Served].
func Of(seed *seedlist.Seed) (s Sums) {
	if !isDocument(seed) {
		return s
	}
	s.Documents = 1
	if seed.Clean != "" {
		s.Clean = 1
	}
	s.ofState(seed)
	if n := seed.Statements; n != nil {
		s.Statements = StatementSums{Read: n.Read, Kept: n.Kept, Repaired: n.Repaired, Dropped: n.Dropped, Written: n.Written,
			IllTyped: seed.Notices[fault.LiteralIllTyped]}
	}
	if n := seed.Records; n != nil {
		s.Records = RecordSums{n.Read, n.Kept, n.Repaired, n.Dropped}
	}
	if n := seed.Articles; n != nil {
		s.Articles = ArticleSums{n.Read, n.Kept, n.Empty}
	}
	if seed.Format != "" {
		s.Read = 1
		s.ofNotices(seed)
	}
	if !seed.Retrieved.IsZero() {
		s.Dated, s.Days = 1, seed.Retrieved.Unix()/int64(day/time.Second)
	}
	return s
}

func isDocument(seed *seedlist.Seed) bool {
	return seed.Hash != "" && !seed.Relative && seed.Document == "" && seed.Status != seedlist.Cleaned && seed.Status != seedlist.Depleted
}

// ofState counts a document by what became of it.
func (s *Sums) ofState(seed *seedlist.Seed) {
	switch {
	case seed.Status == seedlist.Parsed:
		s.Washed = 1
	case seed.Status == seedlist.Failed:
		*s.Failed.of(seed.Error) = 1
	case seed.Processed.IsZero():
		s.Waiting = 1
	default:
		s.Again = 1
	}
}

func (f *FailedDocuments) of(e *seedlist.Error) *int64 {
	if e == nil {
		return &f.Other
	}
	switch e.Kind {
	case fault.Remote:
		return &f.Remote
	case fault.Refused:
		return &f.Refused
	case fault.Data:
		return &f.Data
	case fault.Limit:
		return &f.Limit
	}
	return &f.Other
}

// toldBy are the notices that a server or a catalog said what is not so, and what it was about.
var toldBy = map[fault.Code]ToldWrongly{
	fault.HTTPContentType:            {MediaType: 1},
	fault.HTTPShortBody:              {Length: 1},
	fault.EncodingDeclarationRefuted: {Encoding: 1},
	fault.EncodingDisagreement:       {Encoding: 1},
	fault.ClaimMediaType:             {MediaType: 1, Catalog: 1},
	fault.ClaimFormat:                {MediaType: 1, Catalog: 1},
	fault.ClaimSize:                  {Length: 1, Catalog: 1},
	fault.ClaimChecksum:              {Catalog: 1},
	fault.ClaimModified:              {Catalog: 1},
	fault.ClaimTriples:               {Catalog: 1},
}

// ofNotices counts what notices say.
func (s *Sums) ofNotices(seed *seedlist.Seed) {
	doubts := int64(0)
	for code, n := range seed.Notices {
		if n <= 0 {
			continue
		}
		if isDoubt[code] {
			doubts += n
		}
		if told, ok := toldBy[code]; ok {
			s.Told = ToldWrongly{
				MediaType: max(s.Told.MediaType, told.MediaType), Length: max(s.Told.Length, told.Length),
				Encoding: max(s.Told.Encoding, told.Encoding), Catalog: max(s.Told.Catalog, told.Catalog), Any: 1,
			}
		}
	}
	s.Doubtful = min(doubts, s.Statements.Kept+s.Statements.Repaired)
}

// isDoubt has the codes of warnings about terms.
var isDoubt = doubts()

func doubts() map[fault.Code]bool {
	all := map[fault.Code]bool{}
	for _, info := range fault.Codes() {
		group, _, _ := strings.Cut(string(info.Code), "/")
		if info.Severity == fault.Warning && slices.Contains([]string{"literal", "language", "iri"}, group) {
			all[info.Code] = true
		}
	}
	return all
}
