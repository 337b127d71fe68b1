package bolt

import (
	"laundromat/internal/digest"
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
	if h.is(isServed) && h.state != seedlist.Parsed { // those are counted by their state
		b.deltas[countKept] += times
		if !h.state.IsFinal() {
			b.deltas[countRefreshed] += times
		}
	}
}

// tallyPlace adds to the counts where a seed waits, so many times.
func (h *hot) tallyPlace(counts map[string]int64, times int64) {
	if h.is(isWaiting) {
		counts[countWaiting] += times
	}
	if h.is(isDamaged) {
		counts[countDamaged] += times
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
