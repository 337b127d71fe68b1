package seedlist

import (
	"fmt"
	"time"
)

// Attempt is the log's entry of one claim. Times are UTC, to the second.
type Attempt struct {
	ID            string  `json:"id"`          // when, what, how it ended, and of which claim, joined by " – "
	ParserName    string  `json:"parser_name"` // the stage, or what did its work
	ParserVersion string  `json:"parser_version"`
	ParserRuntime float64 `json:"parser_runtime"` // seconds
	SourceURL     string  `json:"source_url"`
	// SourceText is the beginning of what came back, of work that failed. Of a document that was washed it is the key
	// of its bytes in the store.
	SourceText     string           `json:"source_text"`
	AccessDatetime time.Time        `json:"access_datetime"`
	InsertCount    int64            `json:"insert_count"` // statements written
	Result         string           `json:"result"`
	Traceback      string           `json:"traceback"` // empty on success
	Seed           string           `json:"seed"`
	Fence          uint64           `json:"fence"`
	Tries          int              `json:"tries"` // which try of the stage it was, from 1
	Worker         string           `json:"worker"`
	Kind           string           `json:"kind"` // of the error; empty on success
	Counts         map[string]int64 `json:"counts"`
	// HTTP are the exchanges of a download that asked for less than the whole, without
	// the headers of the replies.
	HTTP []Exchange `json:"http,omitzero"`
}

// Encode fills in what the caller left out, and writes the entry. Long texts are
// cut in the middle: of a stack, both ends matter.
func (a Attempt) Encode(c *Claim, uri, result string, now time.Time) ([]byte, error) {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&a.ParserName, string(c.Stage))
	set(&a.Result, result)
	set(&a.SourceURL, uri)
	if a.AccessDatetime.IsZero() {
		a.AccessDatetime = c.Since
	}
	if a.ParserRuntime == 0 {
		a.ParserRuntime = max(0, now.Sub(c.Since).Seconds())
	}
	a.AccessDatetime = a.AccessDatetime.UTC().Truncate(time.Second)
	a.ID = fmt.Sprintf("%s – %s – %s – %.16s-%d", a.AccessDatetime.Format(time.RFC3339), a.ParserName, a.Result, c.Seed.Hash, c.Fence)
	if a.Counts == nil {
		a.Counts = map[string]int64{}
	}
	a.Seed, a.Fence, a.Tries, a.Worker = c.Seed.Hash, c.Fence, c.Try, c.Worker
	a.SourceURL = cut(Shown(a.SourceURL), MaxURI)
	a.SourceText = cutMiddle(a.SourceText, 8<<10)
	a.Traceback = cutMiddle(a.Traceback, 24<<10)
	a.ParserName, a.ParserVersion, a.Result = cut(a.ParserName, 256), cut(a.ParserVersion, 256), cut(a.Result, 1<<10)
	data, err := EncodeJSON(a)
	if err == nil && len(data) > MaxValue {
		// Escapes may make six bytes of one; there are no counts so many.
		a.SourceText, a.Traceback, a.Counts, a.HTTP = cut(a.SourceText, 1<<10), cutMiddle(a.Traceback, 4<<10), map[string]int64{}, nil
		data, err = EncodeJSON(a)
	}
	return data, err
}

// Place is where a document came from: its URI, or that of its record in a dump.
func (c *Stored) Place() string { return placeOf(c.URI, &c.Record) }

// Place is where a document came from: its URI, or that of its record in a dump.
func (s *Seed) Place() string { return placeOf(s.URI, &s.Record) }

func placeOf(uri string, r *Record) string {
	if uri == "" && r.Archive != nil {
		return r.Archive.URI
	}
	return uri
}

func cutMiddle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := cut(s, n/2)
	tail := s[len(s)-n/2:]
	for len(tail) > 0 && tail[0]&0xC0 == 0x80 {
		tail = tail[1:]
	}
	return head + "\n" + tail
}
