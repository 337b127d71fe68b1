package bolt

import (
	"strings"

	"laundromat/seedlist"
	"laundromat/seedlist/engine"
)

// The names of stored counts; after a name that ends in / comes what is counted.
const (
	countState      = "state/"
	countFormat     = "format/"
	countError      = "error/"
	countNotice     = "notice/" // times
	countNoticed    = "noticed/"
	countStatements = "statements/"
	countProducts   = "products/" // name, colon, what is counted of it
	countRecipes    = "recipes/"  // name, colon, SHA-256 of the form
	countPages      = "pages/"    // seeds that a recipe led to, by its name
	countFields     = "fields/"   // name of a recipe, colon, a field
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
	countRemoved    = "removed/"
)

// tally adds to the counts what a hot record does, so many times.
func (h *hot) tally(counts map[string]int64, times int64) {
	counts[stateCounts[h.state]] += times
	if h.is(isRelative) {
		counts[countRelative] += times
	}
	if h.is(isFragment) {
		counts[countFragments] += times
	}
	if h.is(isServed) && h.state != seedlist.Parsed { // those are counted by their state
		counts[countKept] += times
		if !h.state.IsFinal() {
			counts[countRefreshed] += times
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
	addCounts(counts, engine.Tallied(c, isCleanRecord(c)), times)
}

// isCleanRecord says that a record is that of a clean seed.
func isCleanRecord(c *seedlist.Stored) bool {
	return c.URI == "" && c.Parent == "" && c.Content != nil && c.Content.MD5 == c.Hash
}

// addCounts adds those of the engine, so many times, under names of the file's own.
func addCounts(counts, of map[string]int64, times int64) {
	for name, n := range of {
		kind, what, _ := strings.Cut(name, ":")
		switch n *= times; {
		case name == "washed":
			counts[countKept] += n
		case name == "state:"+string(seedlist.Parsed):
			counts[countKept] -= n // those are counted by their state
			counts[countState+what] += n
		case renamed[name] != "":
			counts[renamed[name]] += n
		case kinds[kind] != "":
			counts[kinds[kind]+what] += n
		}
	}
}

// renamed are the counts of the engine that the file has under another name, and kinds what others begin with. How
// many seeds and clean files there are is said by the counts of states.
var (
	renamed = map[string]string{
		"relative": countRelative, "fragments": countFragments, "unchanged": countUnchanged, "refreshed": countRefreshed,
		"bytes": countBytes, "clean_bytes": countCleanBytes, "clean_lines": countCleanLines, "damaged": countDamaged,
	}
	kinds = map[string]string{
		"state": countState, "format": countFormat, "error": countError, "notice": countNoticed, "times": countNotice,
		"statements": countStatements, "product": countProducts, "removed": countRemoved, "recipe": countRecipes,
		"pages": countPages, "field": countFields,
	}
)

// Counts are all sums, by the names of the engine.
func (t *tx) Counts() (map[string]int64, error) {
	if t.batch != nil {
		t.batch.writeCounts() // those of sessions before
	}
	counts := map[string]int64{}
	t.scan(inCounts, nil, nil, func(key, value []byte) bool {
		if len(value) == 8 {
			t.readCount(counts, string(key), int64(lastNumber(value)))
		}
		return true
	})
	for name, n := range counts {
		if strings.HasPrefix(name, "state:") {
			counts["seeds"] += n
		}
	}
	counts["washed"] += counts["state:"+string(seedlist.Parsed)]
	counts["clean_files"] = counts["state:"+string(seedlist.Cleaned)]
	return counts, nil
}

func (t *tx) readCount(counts map[string]int64, name string, n int64) {
	if name == countKept {
		counts["washed"] = n
	}
	for theirs, ours := range renamed {
		if ours == name {
			counts[theirs] = n
		}
	}
	for theirs, ours := range kinds {
		if what, is := strings.CutPrefix(name, ours); is {
			counts[theirs+":"+what] = n
		}
	}
}
