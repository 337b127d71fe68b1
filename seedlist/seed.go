package seedlist

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/prefix"
)

// Seed is a record of the seed list: one URI, one entry of an archive, or one
// clean file. What is not known is the zero value (nil for what may be known to be 0 or
// empty) and absent from the JSON. Nothing is ever null.
type Seed struct {
	Hash string `json:"hash"`
	// URI is as first given: what is requested. MarshalJSON hides its user info.
	URI string `json:"uri,omitempty"`
	Standing
	Record
	Links
}

// Standing is what claims and completions change.
type Standing struct {
	Relative bool  `json:"relative"`
	Status   State `json:"status"`
	Priority int   `json:"priority"` // larger first
	// Due is when a ready seed may be claimed (since when, if it has passed). For a final
	// one with a URI, it is when it will be fetched again.
	Due   time.Time `json:"due,omitzero"`
	Fence uint64    `json:"fence"`
	Tries int       `json:"tries"` // of the present stage that have ended in an error
	// Worker and Progress are of the claim, while there is one.
	Worker   string    `json:"worker,omitempty"`
	Progress *Progress `json:"progress,omitempty"`
	// Gone says of a child that its entry is no longer in the archive. Of others it says
	// that no catalog names it any more, though one did.
	Gone *bool `json:"gone,omitempty"`
}

// Progress says how far the work on a seed has come.
type Progress struct {
	Bytes   int64  `json:"bytes"`
	Of      int64  `json:"of,omitempty"` // 0 if not known
	Message string `json:"message,omitempty"`
}

// Turns are when a document turned bad, and good again.
type Turns struct {
	// Broken is since when the document fails, and Mended when it was last washed after it had failed.
	Broken time.Time `json:"broken,omitzero"`
	Mended time.Time `json:"mended,omitzero"`
}

// Record is what is known about a seed's document. Completions change it, by
// [Outcome.Update].
type Record struct {
	Interval *int64 `json:"interval,omitempty"` // seconds; 0: never fetched again by itself
	// IntervalAdapts says that the interval follows what became of the seed.
	IntervalAdapts bool      `json:"interval_adapts,omitempty"`
	Added          time.Time `json:"added,omitzero"`
	Retrieved      time.Time `json:"retrieved,omitzero"` // the last bytes came
	Processed      time.Time `json:"processed,omitzero"` // the last final state was reached
	Turns
	Source string            `json:"source,omitempty"`
	Title  string            `json:"title,omitempty"`
	Claims map[string]string `json:"claims,omitempty"` // what a catalog says of it

	HTTP []Exchange `json:"http,omitzero"` // the redirect chain, in order
	// Mirror is the URI that gave the document in place of the seed's own; "" if that did.
	Mirror  string          `json:"mirror,omitempty"`
	Content *digest.Content `json:"content,omitempty"`
	Text    *digest.Text    `json:"text,omitempty"`
	Archive *Archive        `json:"archive,omitempty"` // of a child: where it was found
	Parent  string          `json:"parent,omitempty"`
	// Document is the hash of the seed without the fragment, of a URI that has one.
	Document string `json:"document,omitempty"`
	Clean    string `json:"clean,omitempty"` // the hash of its clean seed
	Made
	// Previous is the clean seed of the last good wash, which is served until the bytes that came since are washed
	// too. Good is what else is known of it.
	Previous string    `json:"previous,omitempty"`
	Good     *Good     `json:"last_good,omitempty"`
	Encoding *Encoding `json:"encoding,omitempty"`

	Format         string     `json:"format,omitempty"`
	FormatEvidence []Evidence `json:"format_evidence,omitzero"` // why it was presumed

	Statements *digest.Statements `json:"statements,omitempty"`
	// Sources divides the statements read of a page in HTML by where they are in it:
	// "RDFa", "Microdata", "microformats", "JSON-LD", or other formats of its scripts. What the page as a
	// whole lost is under "page". The sum is Statements.Read.
	Sources map[string]int64     `json:"sources,omitzero"`
	Notices map[fault.Code]int64 `json:"notices,omitzero"`
	Stock
	// BaseUsed says that the base IRI, or the URI, had a part in what was made of the document, or may have had.
	// BlankNodes says that it has blank nodes. Without either, the same bytes are washed to the same
	// whatever their URI is.
	BaseUsed   *bool `json:"base_used,omitempty"`
	BlankNodes *bool `json:"blank_nodes,omitempty"`
	// Contexts are those of JSON-LD that the document named and that were fetched, or could not be.
	Contexts []ContextUse `json:"contexts,omitzero"`
	// WashedFrom is the seed of the same bytes whose wash was taken over.
	WashedFrom string `json:"washed_from,omitempty"`
	Error      *Error `json:"error,omitempty"`
	Washer     string `json:"washer,omitempty"` // the version that reached the last final state
	// WashedWith are the flags that the document was washed with, of those that change
	// what is written; nil for none.
	WashedWith []string `json:"washed_with,omitzero"`
	// Changes is what the last wash changed, with the files that say it.
	Changes *Changes `json:"changes,omitempty"`
	// Marked is what was asked of the seed and is not done yet.
	Marked *Mark `json:"marked,omitempty"`
	// KeepVersions is how many clean files of older versions are kept; nil: as the store says.
	KeepVersions *int `json:"keep_versions,omitempty"`
	// History is of the versions that came, oldest first: of more than [MaxHistory] the last.
	History []Version `json:"history,omitzero"`
}

// Stock is what a record says of how its files are stored.
type Stock struct {
	// Fences says which claims wrote the files of the seed, in a store that keeps them apart.
	Fences Fences `json:"fences,omitzero"`
	// Removed are files of the reading that were removed since a setting says so.
	Removed Removed `json:"removed,omitzero"`
}

// Fences are the fences of the claims that last wrote the files of a seed. With 0, the file is named by the seed
// alone. It is so in a folder, and where a version before this one wrote it. The bytes of an entry were
// written by the claim on its archive.
type Fences struct {
	Dirty   uint64 `json:"dirty,omitempty"`   // the bytes as they came
	Notices uint64 `json:"notices,omitempty"` // the full list of notices
	Changes uint64 `json:"changes,omitempty"` // what the last wash changed
}

// Syntaxes are the format of a document and, of a page in HTML, those of its parts that Sources names, in order. A list
// by format finds a seed under each, and [Counts] count it there.
func (r *Record) Syntaxes() []string {
	if r.Format == "" {
		return nil
	}
	names := []string{r.Format}
	for _, name := range slices.Sorted(maps.Keys(r.Sources)) {
		if r.Sources[name] > 0 && name != r.Format && !isNoSyntax(name) {
			names = append(names, name)
		}
	}
	return names
}

// isNoSyntax says of a key of Sources that it is for what is of no part of the page, or made of its records.
func isNoSyntax(source string) bool { return source == "page" || source == "records" }

// HasSyntax says that name is one of the Syntaxes.
func (r *Record) HasSyntax(name string) bool {
	return r.Format == name || r.Format != "" && !isNoSyntax(name) && r.Sources[name] > 0
}

// ForgetReading clears what was found by reading the document's bytes, for when
// these were replaced. A good wash goes to Good and Previous; what the last wash changed stays
// until the next.
func (r *Record) ForgetReading() {
	r.holdGood()
	r.holdProducts()
	r.Text, r.Clean, r.Encoding = nil, "", nil
	r.BaseUsed, r.BlankNodes, r.WashedFrom = nil, nil, ""
	r.Format, r.FormatEvidence, r.Statements, r.Sources, r.Notices, r.Error = "", nil, nil, nil, nil, nil
	r.WashedWith, r.Contexts, r.Removed.Notices, r.Recipe = nil, nil, nil, nil
}

// Shareable says that the wash holds for any URI with the same bytes. The document used
// neither its base nor a blank node, nor a context that may change.
func (r *Record) Shareable() bool {
	return (r.Clean != "" || r.HasOwnProduct()) && r.Content != nil && r.Parent == "" && len(r.Contexts) == 0 &&
		r.BaseUsed != nil && !*r.BaseUsed && r.BlankNodes != nil && !*r.BlankNodes
}

// Links are kept in an index, not in the record; reading fills them in, with the
// first [MaxLinks] of each.
type Links struct {
	Children       []string `json:"children,omitzero"`
	ChildrenTotal  *int64   `json:"children_total,omitempty"`
	Dirty          string   `json:"dirty,omitempty"`     // of a clean seed: what it was washed from
	AlsoDirty      []string `json:"also_dirty,omitzero"` // what else washes to the same bytes
	AlsoDirtyTotal *int64   `json:"also_dirty_total,omitempty"`
	// Outcome is the state of the document of a URI with a fragment: see [Reader.FillOutcomes].
	Outcome State `json:"outcome,omitempty"`
	// Catalogs are those that name the seed, or did.
	Catalogs []Listing `json:"catalogs,omitzero"`
	// Root is what a member of an archive is listed and counted by; nil of other seeds.
	Root *Root `json:"-"`
}

// Root is the seed that was downloaded, of a member of an archive. Its host, its catalogs and what these claim are
// those of the member.
type Root struct {
	URI      string
	Catalogs []Listing
	Claims   map[string]string
}

// IsOfHost says that the root was asked for at a host, which has its port.
func (r *Root) IsOfHost(host string) bool {
	if r == nil {
		return false
	}
	u, err := ParseURI(r.URI)
	return err == nil && u.Host == host
}

// ListedHost is the host under which the seed is listed and counted, with its port; "" for none.
func (s *Seed) ListedHost() string {
	uri := s.URI
	if s.Root != nil {
		uri = s.Root.URI
	}
	if uri == "" || s.Relative {
		return ""
	}
	if u, err := ParseURI(uri); err == nil {
		return u.Host
	}
	return ""
}

// ListedBy are the catalogs under which the seed is listed and counted.
func (s *Seed) ListedBy() []Listing {
	if s.Root != nil {
		return s.Root.Catalogs
	}
	return s.Catalogs
}

// ListedClaims are the claims of the catalogs under which the seed is listed and counted.
func (s *Seed) ListedClaims() map[string]string {
	if s.Root != nil {
		return s.Root.Claims
	}
	return s.Claims
}

// LastStatus is the status of HTTP with which the last download ended; 0 where no reply came, or none of HTTP. A member
// of an archive was not downloaded by itself.
func (r *Record) LastStatus() int {
	for i := len(r.HTTP) - 1; i >= 0; i-- {
		if !r.HTTP[i].Robots {
			return r.HTTP[i].Status
		}
	}
	return 0
}

// MaxLinks is the number of children, and of other dirty seeds, that a Seed shows.
const MaxLinks = 1000

// Exchange is one reply of a redirect chain, or one connection that brought none.
type Exchange struct {
	URI      string              `json:"uri"`
	Time     time.Time           `json:"time,omitzero"`
	Status   int                 `json:"status,omitempty"` // 0: no reply
	Version  *HTTPVersion        `json:"version,omitempty"`
	Headers  map[string][]string `json:"headers,omitzero"` // names in lower case; no cookies, no credentials
	Walltime float64             `json:"walltime"`         // seconds
	Error    string              `json:"error,omitempty"`
	// Conditions are the headers of a request that asked for less than the whole: for
	// what has changed, or for the rest.
	Conditions map[string]string `json:"conditions,omitempty"`
	// Robots says that it was for the host's robots.txt, without which the document is not asked for.
	Robots bool `json:"robots,omitempty"`
}

// HTTPVersion is the version of HTTP that a reply was in.
type HTTPVersion struct {
	Major int `json:"major"`
	Minor int `json:"minor"`
}

// Archive says where in its parent a child was found.
type Archive struct {
	Format string `json:"format,omitempty"`
	// Entry is the entry's name as text. EntryBytes is the name itself where it is
	// another, most often since it is not UTF-8; [Archive.Name] gives the right one of the two.
	Entry      string    `json:"entry,omitempty"`
	EntryBytes []byte    `json:"entry_bytes,omitempty"`
	Nth        int       `json:"nth,omitempty"` // from 2, among entries of the same name; 0 for the first
	MTime      time.Time `json:"mtime,omitzero"`
	Size       *int64    `json:"size,omitempty"`
	Filters    []string  `json:"filters,omitzero"`
	// Unpacked is how many bytes its own entries have, all together.
	Unpacked int64  `json:"unpacked,omitempty"`
	URI      string `json:"uri,omitempty"` // of a WARC record or a page of a crawl dump
	// ContentType is what the archive says of the entry.
	ContentType string `json:"content_type,omitempty"`
}

// Name is the entry's name as the archive has it.
func (a *Archive) Name() string {
	if a.EntryBytes != nil {
		return string(a.EntryBytes)
	}
	return a.Entry
}

// Encoding is the character encoding that was presumed, the one that reading
// proved, and why.
type Encoding struct {
	Presumed string     `json:"presumed,omitempty"`
	Chosen   string     `json:"chosen,omitempty"`
	Evidence []Evidence `json:"evidence,omitzero"`
}

// Evidence is one source's word on the encoding or the format.
type Evidence struct {
	From       string   `json:"from"`
	Value      string   `json:"value"`
	Confidence *float64 `json:"confidence,omitempty"` // 0 to 1
}

// Error is the error that a stage stopped with.
type Error struct {
	Stage   State      `json:"stage"`
	Kind    fault.Kind `json:"kind"`
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
}

// MarshalJSON writes the record as people see it: one object, user info of URIs
// hidden. A struct that embeds Seed would have only this JSON: name the field.
func (s Seed) MarshalJSON() ([]byte, error) {
	type plain Seed
	shown := plain(s)
	shown.URI, shown.Mirror = Shown(s.URI), Shown(s.Mirror)
	shown.Contexts = slices.Clone(s.Contexts)
	for i := range shown.Contexts {
		shown.Contexts[i].IRI = Shown(shown.Contexts[i].IRI)
	}
	shown.Source, shown.Title = ShownIn(s.Source), ShownIn(s.Title)
	if len(s.Claims) > 0 {
		shown.Claims = maps.Clone(s.Claims)
		for name, value := range shown.Claims {
			shown.Claims[name] = ShownIn(value)
		}
	}
	shown.HTTP = slices.Clone(s.HTTP)
	for i := range shown.HTTP {
		shown.HTTP[i].URI = Shown(shown.HTTP[i].URI)
	}
	if s.Archive != nil {
		archive := *s.Archive
		archive.URI = Shown(archive.URI)
		shown.Archive = &archive
	}
	shown.Products = s.productsOf()
	if s.Good != nil {
		good := *s.Good
		good.Reading.Mirror = Shown(good.Reading.Mirror)
		good.Reading.HTTP = slices.Clone(good.Reading.HTTP)
		for i := range good.Reading.HTTP {
			good.Reading.HTTP[i].URI = Shown(good.Reading.HTTP[i].URI)
		}
		shown.Good = &good
	}
	return EncodeJSON(shown)
}

// Stored is the part of a seed that a store keeps as JSON: all but its standing and
// its links.
type Stored struct {
	Hash string `json:"hash"`
	URI  string `json:"uri,omitempty"`
	Record
}

// MaxValue is the longest value that a store is given to keep, in bytes. Values over
// a page go to pages of their own. The trees stay shallow as long as these are few.
// There is room in 64 KiB for what a store adds.
const MaxValue = 64<<10 - 64

// Encode writes the stored form: times in UTC, no more than [MaxValue] bytes. What has
// to go for that, goes step by step: long texts, headers that decide nothing,
// claims, and at the last the chain itself.
func (c *Stored) Encode() ([]byte, error) {
	for _, t := range []*time.Time{&c.Added, &c.Retrieved, &c.Processed, &c.Broken, &c.Mended} {
		*t = t.UTC()
	}
	c.Title, c.Source = cut(c.Title, 1<<10), cut(c.Source, 4<<10)
	if c.Error != nil {
		e := *c.Error
		e.Message = cut(e.Message, 4<<10)
		c.Error = &e
	}
	if c.Archive != nil {
		a := *c.Archive
		a.MTime = a.MTime.UTC()
		a.Entry, a.URI, a.ContentType = cut(a.Entry, 16<<10), cut(a.URI, 16<<10), cut(a.ContentType, 1<<10)
		a.EntryBytes = a.EntryBytes[:min(len(a.EntryBytes), 16<<10)]
		c.Archive = &a
	}
	if c.HTTP != nil {
		c.HTTP = slices.Clone(c.HTTP)
	}
	for i := range c.HTTP {
		c.HTTP[i].Time = c.HTTP[i].Time.UTC()
		c.HTTP[i].Error = cut(c.HTTP[i].Error, 2<<10)
	}
	data, err := EncodeJSON(c)
	for shorten := range slices.Values(shortenings) {
		if err != nil || len(data) <= MaxValue {
			break
		}
		shorten(c)
		data, err = EncodeJSON(c)
	}
	return data, err
}

// shortenings make a record shorter, each more than the one before it.
var shortenings = []func(*Stored){
	func(c *Stored) { c.shortenHeaders(1<<10, 64) },
	func(c *Stored) { c.shortenClaims(256, 32) },
	func(c *Stored) { c.shortenHeaders(256, 16) },
	func(c *Stored) { c.shortenClaims(128, 8) },
	func(c *Stored) { c.shortenHeaders(128, 6) },
	func(c *Stored) { c.shortenHeaders(0, 0) },
	func(c *Stored) {
		// A chain keeps its two ends: where it began and what came of it.
		if n := len(c.HTTP); n > 2 {
			c.HTTP = []Exchange{c.HTTP[0], c.HTTP[n-1]}
		}
		c.Claims = nil
		if c.Encoding != nil {
			e := *c.Encoding
			e.Evidence = e.Evidence[:min(len(e.Evidence), 8)]
			c.Encoding = &e
		}
	},
	func(c *Stored) { c.History = c.History[max(0, len(c.History)-8):] },
	func(c *Stored) { c.HTTP, c.Encoding, c.Notices, c.History = nil, nil, nil, nil },
	func(c *Stored) {
		if c.Good != nil {
			good := *c.Good
			good.Reading.HTTP, good.Reading.Encoding, good.Reading.Notices = nil, nil, nil
			c.Good = &good
		}
	},
}

// shortenHeaders cuts values to a length and keeps so many names a reply, in the
// order of the alphabet but those first that decide something.
func (c *Stored) shortenHeaders(length, names int) {
	for i, exchange := range c.HTTP {
		kept := make(map[string][]string)
		for _, name := range slices.SortedFunc(maps.Keys(exchange.Headers), byWeight) {
			if len(kept) == names {
				break
			}
			values := slices.Clone(exchange.Headers[name])
			values = values[:min(len(values), 4)]
			for j := range values {
				values[j] = cut(values[j], length)
			}
			kept[cut(name, 128)] = values
		}
		c.HTTP[i].Headers = kept
	}
}

func (c *Stored) shortenClaims(length, names int) {
	kept := make(map[string]string)
	for _, name := range slices.Sorted(maps.Keys(c.Claims)) {
		if len(kept) == names {
			break
		}
		kept[cut(name, 128)] = cut(c.Claims[name], length)
	}
	c.Claims = kept
}

// weightyHeaders decide how a reply is read and whether it is fetched again.
var weightyHeaders = []string{"content-type", "content-encoding", "etag", "last-modified", "location", "link", "content-length",
	"content-disposition", "retry-after"}

func byWeight(a, b string) int {
	i, j := slices.Index(weightyHeaders, a), slices.Index(weightyHeaders, b)
	switch {
	case i >= 0 && j >= 0:
		return i - j
	case i >= 0:
		return -1
	case j >= 0:
		return 1
	}
	return strings.Compare(a, b)
}

// cut shortens s to n bytes, between characters, and marks it where it was cut.
func cut(s string, n int) string {
	const mark = "…"
	if len(s) <= n {
		return s
	}
	if n < len(mark) {
		return ""
	}
	return prefix.Of(s, n-len(mark)) + mark
}

// EncodeJSON is json.Marshal that leaves <, > and & as they are: URIs are full of them.
func EncodeJSON(v any) ([]byte, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.Clone(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// buffers are those in which records are written down; no record is long.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// DecodeStored reads what [Stored.Encode] wrote.
func DecodeStored(data []byte) (c Stored, err error) {
	err = json.Unmarshal(data, &c)
	return c, err
}
