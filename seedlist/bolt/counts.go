package bolt

import (
	"strings"

	"laundromat/seedlist"
)

// countNames are the names of counts as the engine has them, and those in the file. After one that ends in a colon or a
// slash comes what is counted. How many seeds and clean files there are is said by the counts of states.
var countNames = [...][2]string{
	{"state:", countState}, {"format:", "format/"}, {"error:", "error/"}, {"notice:", "noticed/"}, {"times:", "notice/"},
	{"statements:", "statements/"}, {"product:", "products/"}, {"removed:", countRemoved}, {"recipe:", "recipes/"}, {"pages:", "pages/"},
	{"field:", "fields/"}, {"relative", countRelative}, {"fragments", countFragments}, {"unchanged", countUnchanged},
	{"refreshed", countRefreshed}, {"bytes", "bytes"}, {"clean_bytes", "clean/bytes"}, {"clean_lines", "clean/lines"},
	{"damaged", countDamaged},
}

const (
	countState     = "state/"
	countRelative  = "relative"
	countFragments = "fragments"
	countDamaged   = "damaged"
	countUnchanged = "unchanged"
	countKept      = "kept" // documents with a clean file in another state than parsed: all of them are what is washed
	countRefreshed = "refreshed"
	countRemoved   = "removed/"
	// countWaiting was kept by older builds. It is of no use: which seeds wait depends on the time.
	countWaiting = "waiting"
)

// renamed is a name that begins with one of countNames, in the other form; "" for one that has none.
func renamed(name string, from, to int) string {
	for _, names := range countNames {
		if what, is := strings.CutPrefix(name, names[from]); is && (what == "" || names[from][len(names[from])-1] < 'a') {
			return names[to] + what
		}
	}
	return ""
}

// addCounts adds counts of the engine to those of the file.
func addCounts(counts, of map[string]int64) {
	for name, n := range of {
		switch name {
		case "washed":
			counts[countKept] += n
			continue
		case "state:" + string(seedlist.Parsed):
			counts[countKept] -= n
		}
		if name = renamed(name, 0, 1); name != "" {
			counts[name] += n
		}
	}
}

// tally adds to the counts what a small record does.
func (h *hot) tally(counts map[string]int64) {
	counts[countState+string(h.state)]++
	for name, is := range map[string]bool{
		countRelative: h.is(isRelative), countFragments: h.is(isFragment), countDamaged: h.is(isDamaged),
		countKept:      h.is(isServed) && h.state != seedlist.Parsed,
		countRefreshed: h.is(isServed) && h.state != seedlist.Parsed && !h.state.IsFinal(),
	} {
		if is {
			counts[name]++
		}
	}
}

// isCleanRecord says that a record is that of a clean seed.
func isCleanRecord(c *seedlist.Stored) bool {
	return c.URI == "" && c.Parent == "" && c.Content != nil && c.Content.MD5 == c.Hash
}

// Counts are all sums, by the names of the engine.
func (t *tx) Counts() (map[string]int64, error) {
	if t.batch != nil {
		t.batch.writeCounts() // those of sessions before
	}
	counts := map[string]int64{}
	t.scan(inCounts, nil, nil, func(key, value []byte) bool {
		name, n := string(key), int64(0)
		if len(value) == 8 {
			n = int64(lastNumber(value))
		}
		if is := renamed(name, 1, 0); is != "" {
			counts[is] = n
		}
		if name == countKept {
			counts["washed"] += n
		}
		if strings.HasPrefix(name, countState) {
			counts["seeds"] += n
		}
		return true
	})
	counts["washed"] += counts["state:"+string(seedlist.Parsed)]
	counts["clean_files"] = counts["state:"+string(seedlist.Cleaned)]
	return counts, nil
}
