package bolt

import (
	"context"
	"encoding/binary"
	"strings"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// The names of stored counts; after a name that ends in / comes what is counted.
const (
	countState      = "state/"
	countFormat     = "format/"
	countError      = "error/"
	countNotice     = "notice/" // times
	countNoticed    = "noticed/"
	countStatements = "statements/"
	countRelative   = "relative"
	countFragments  = "fragments"
	countWaiting    = "waiting"
	countDamaged    = "damaged"
	countBytes      = "bytes"
	countCleanBytes = "clean/bytes"
	countCleanLines = "clean/lines"
	countUnchanged  = "unchanged"
	countKept       = "kept" // documents with a clean file that are in another state than parsed
	countRefreshed  = "refreshed"
)

// tallyHot adds to the counts what a hot record does, so many times.
func (b *batch) tallyHot(h *hot, times int64) {
	b.deltas[stateCounts[h.state]] += times
	if h.is(isRelative) {
		b.deltas[countRelative] += times
	}
	if h.is(isFragment) {
		b.deltas[countFragments] += times
	}
	if h.is(isWaiting) {
		b.deltas[countWaiting] += times
	}
	if h.is(isDamaged) {
		b.deltas[countDamaged] += times
	}
	if h.is(isServed) && h.state != seedlist.Parsed { // those are counted by their state
		b.deltas[countKept] += times
		if !h.state.IsFinal() {
			b.deltas[countRefreshed] += times
		}
	}
}

// stateCounts are the names of the counts of states, made once.
var stateCounts = func() map[seedlist.State]string {
	names := make(map[seedlist.State]string)
	for _, s := range seedlist.States() {
		names[s] = countState + string(s)
	}
	return names
}()

// tally adds to the counts what a cold record does, so many times.
func tally(c *seedlist.Stored, counts map[string]int64, times int64) {
	of := c.Summed()
	for _, name := range of.Syntaxes() {
		counts[countFormat+name] += times
	}
	if c.Error != nil {
		counts[countError+string(c.Error.Code)] += times
	}
	for code, n := range of.Notices {
		counts[countNotice+string(code)] += n * times
		counts[countNoticed+string(code)] += times
	}
	if c.Content != nil {
		counts[countBytes] += c.Content.NumberOfBytes * times
	}
	if of.Statements != nil {
		for i, n := range fieldsOf(of.Statements) {
			counts[countStatements+statementNames[i]] += *n * times
		}
	}
}

// tallyClean is tally for the record of a clean seed.
func tallyClean(c *seedlist.Stored, counts map[string]int64, times int64) {
	if c.Content == nil {
		return
	}
	counts[countCleanBytes] += c.Content.NumberOfBytes * times
	if c.Content.NumberOfLines != nil {
		counts[countCleanLines] += *c.Content.NumberOfLines * times
	}
}

var statementNames = [...]string{"read", "kept", "repaired", "dropped", "duplicates", "written"}

// fieldsOf are the counts in the order of statementNames.
func fieldsOf(s *digest.Statements) [6]*int64 {
	return [...]*int64{&s.Read, &s.Kept, &s.Repaired, &s.Dropped, &s.Duplicates, &s.Written}
}

// Counts reads the sums: some hundred keys, however large the store is.
func (s *Store) Counts(ctx context.Context) (seedlist.Counts, error) {
	c := seedlist.Counts{
		States: make(map[seedlist.State]int64), Formats: make(map[string]int64),
		Errors: make(map[fault.Code]int64), Notices: make(map[fault.Code]seedlist.Found),
	}
	for _, state := range seedlist.States() {
		c.States[state] = 0
	}
	err := s.view(ctx, func(t *tables) error {
		t.scan(inCounts, nil, nil, func(key, value []byte) bool {
			if len(value) == 8 {
				readCount(&c, string(key), int64(binary.BigEndian.Uint64(value)))
			}
			return true
		})
		for _, part := range waitingParts() {
			t.scanDue(part, time.Now(), func(uint64) { c.Waiting-- })
		}
		return nil
	})
	for _, n := range c.States {
		c.Seeds += n
	}
	c.Clean.Files = c.States[seedlist.Cleaned]
	c.Washed += c.States[seedlist.Parsed]
	return c, err
}

func readCount(c *seedlist.Counts, name string, n int64) {
	if state, ok := strings.CutPrefix(name, countState); ok {
		c.States[seedlist.State(state)] = n
	} else if format, ok := strings.CutPrefix(name, countFormat); ok {
		c.Formats[format] = n
	} else if code, ok := strings.CutPrefix(name, countError); ok {
		c.Errors[fault.Code(code)] = n
	} else if code, ok := strings.CutPrefix(name, countNotice); ok {
		found := c.Notices[fault.Code(code)]
		found.Times = n
		c.Notices[fault.Code(code)] = found
	} else if code, ok := strings.CutPrefix(name, countNoticed); ok {
		found := c.Notices[fault.Code(code)]
		found.Seeds = n
		c.Notices[fault.Code(code)] = found
	} else if field, ok := strings.CutPrefix(name, countStatements); ok {
		for i, f := range fieldsOf(&c.Statements) {
			if statementNames[i] == field {
				*f = n
			}
		}
	}
	switch name {
	case countRelative:
		c.Relative = n
	case countFragments:
		c.Fragments = n
	case countWaiting:
		c.Waiting = n
	case countDamaged:
		c.Damaged = n
	case countBytes:
		c.Bytes = n
	case countCleanBytes:
		c.Clean.Bytes = n
	case countCleanLines:
		c.Clean.Lines = n
	case countUnchanged:
		c.Unchanged = n
	case countKept:
		c.Washed = n
	case countRefreshed:
		c.Refreshed = n
	}
}

// Idle says that the store has come to rest. Nothing is being worked on, nothing waits to be tried
// again, and no catalog is to be harvested now. Nothing waits to be claimed but relative
// references, names with a fragment and the seeds of paused hosts. Seeds and catalogs whose
// interval has not passed are at rest.
func (s *Store) Idle(ctx context.Context) (bool, error) {
	c, err := s.Counts(ctx)
	moving := -c.Relative - c.Fragments - c.Damaged
	for _, stage := range seedlist.Stages() {
		moving += c.States[stage.Ready()] + c.States[stage]
	}
	if moving != 0 && err == nil {
		var paused int64
		paused, err = s.paused(ctx)
		moving -= paused
	}
	if moving != 0 || err != nil {
		return false, err
	}
	return s.catalogsRest(ctx)
}
