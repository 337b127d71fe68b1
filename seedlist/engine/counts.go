package engine

import (
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// The names of sums. Those that end in a colon are followed by what is counted.
const (
	countSeeds     = "seeds"
	countRelative  = "relative"
	countFragments = "fragments"
	CountUnchanged = "unchanged" // of which no record says anything
	countWashed    = "washed"
	countRefreshed = "refreshed"
	countDamaged   = "damaged" // by the store
	countBytes     = "bytes"
	countFiles     = "clean_files"
	countCleanSize = "clean_bytes"
	countLines     = "clean_lines"
	countState     = "state:"
	countFormat    = "format:"
	countError     = "error:"
	countNotice    = "notice:" // documents that have it
	countTimes     = "times:"  // how often in all
	countStatement = "statements:"
	countProduct   = "product:" // name, colon, what is counted of it
	CountRemoved   = "removed:" // by retention; no record says anything of it either
	countRecipe    = "recipe:"  // name, colon, SHA-256 of the form
	countField     = "field:"   // name of a recipe, colon, a field: records that have it
	countPages     = "pages:"   // seeds that a recipe led to, by its name
)

// counted is what is counted: one of the names, and what follows it.
type counted struct{ name, what string }

// named are sums by their names.
func named(counts map[counted]int64) map[string]int64 {
	all := make(map[string]int64, len(counts))
	for of, n := range counts {
		if n != 0 {
			all[of.name+of.what] = n
		}
	}
	return all
}

// sums are what a document counts for.
type sums struct {
	counts []amount
	served bool   // it has a file that is served
	alike  string // see [Seed.Alike]
}

type amount struct {
	of counted
	n  int64
}

func (s *sums) add(name, what string, n int64) {
	s.counts = append(s.counts, amount{counted{name, what}, n})
}

func sumsOf(stored *seedlist.Stored, isClean bool) *sums {
	is := &sums{served: stored.IsServed()}
	if isClean {
		is.counts = make([]amount, 0, 3)
		is.add(countFiles, "", 1)
		if stored.Content != nil {
			is.add(countCleanSize, "", stored.Content.NumberOfBytes)
			if stored.Content.NumberOfLines != nil {
				is.add(countLines, "", *stored.Content.NumberOfLines)
			}
		}
		return is
	}
	if stored.Shareable() {
		is.alike = stored.Content.SHA256
	}
	of := stored.Summed()
	if of.Content != nil { // else there is next to nothing to count
		is.counts = make([]amount, 0, 16)
	}
	for _, name := range of.Syntaxes() {
		is.add(countFormat, name, 1)
	}
	if stored.Error != nil {
		is.add(countError, string(stored.Error.Code), 1)
	}
	for code, n := range of.Notices {
		is.add(countNotice, string(code), 1)
		is.add(countTimes, string(code), n)
	}
	if stored.Content != nil {
		is.add(countBytes, "", stored.Content.NumberOfBytes)
	}
	for name, n := range stored.CountedProducts() {
		for i, field := range productOf(&n) {
			if *field != 0 {
				is.add(countProduct, name+":"+productNames[i], *field)
			}
		}
	}
	if use := stored.Recipe; use != nil {
		is.add(countRecipe, use.Name+":"+use.SHA256, 1)
	}
	for name, n := range stored.FieldsFound() {
		is.add(countField, stored.Recipe.Name+":"+name, n)
	}
	if name := stored.PageOf(); name != "" {
		is.add(countPages, name, 1)
	}
	if n := of.Statements; n != nil {
		for i, field := range statementsOf(n) {
			is.add(countStatement, statementNames[i], *field)
		}
	}
	return is
}

func (s *Session) sumsOf(r *Seed) *sums {
	stored := s.document(r)
	return sumsOf(&stored, r.Clean)
}

var statementNames = [...]string{"read", "kept", "repaired", "dropped", "duplicates", "written"}

// statementsOf are counts in the order of statementNames.
func statementsOf(n *digest.Statements) [len(statementNames)]*int64 {
	return [...]*int64{&n.Read, &n.Kept, &n.Repaired, &n.Dropped, &n.Duplicates, &n.Written}
}

var productNames = [...]string{"seeds", "errors", "none", "bytes", "written", "read", "kept", "repaired", "dropped", "empty", "repeated"}

// productOf are counts in the order of productNames.
func productOf(n *seedlist.ProductCount) [len(productNames)]*int64 {
	return [...]*int64{&n.Seeds, &n.Errors, &n.None, &n.Bytes, &n.Written, &n.Read, &n.Kept, &n.Repaired, &n.Dropped, &n.Empty, &n.Repeated}
}

// count counts what the transaction did to a seed.
func (s *Session) count(r *Seed) {
	if r.Damage != nil { // what its document counts for is not known
		if r.was.State != "" {
			countHot(s.counts, &r.was, -1)
		}
		if !r.Erased && r.State != "" {
			countHot(s.counts, &r.Hot, +1)
		}
		return
	}
	if !r.born {
		countHot(s.counts, &r.was, -1)
	}
	if !r.Erased {
		countHot(s.counts, &r.Hot, +1)
	}
	if !r.born && !r.Erased && !r.changed && r.was.State.IsFinal() == r.State.IsFinal() {
		return
	}
	s.tellBefore(r)
	if r.sums == nil {
		r.sums = r.told
	}
	if !r.born {
		countSums(s.counts, &r.was, r.told, -1)
	}
	if !r.Erased {
		countSums(s.counts, &r.Hot, r.sums, +1)
	}
}

// countHot adds what a standing counts for, so many times.
func countHot(counts map[counted]int64, h *Hot, times int64) {
	counts[counted{name: countSeeds}] += times
	counts[counted{countState, string(h.State)}] += times
	if h.Relative {
		counts[counted{name: countRelative}] += times
	}
	if h.Fragment {
		counts[counted{name: countFragments}] += times
	}
}

// countSums adds what a document counts for, so many times.
func countSums(counts map[counted]int64, h *Hot, of *sums, times int64) {
	for _, a := range of.counts {
		counts[a.of] += times * a.n
	}
	if !h.Clean && (h.State == seedlist.Parsed || of.served) {
		counts[counted{name: countWashed}] += times
		if !h.State.IsFinal() {
			counts[counted{name: countRefreshed}] += times
		}
	}
}

// Tally adds to counts what a seed counts for, as transactions do. It is for inspections.
func Tally(counts map[string]int64, h *Hot, stored *seedlist.Stored) {
	of := map[counted]int64{}
	countHot(of, h, +1)
	countSums(of, h, sumsOf(stored, h.Clean), +1)
	for name, n := range named(of) {
		counts[name] += n
	}
}

// Tallied is what the document of a seed counts for in any state.
func Tallied(stored *seedlist.Stored, isClean bool) map[string]int64 {
	of := map[counted]int64{}
	for _, a := range sumsOf(stored, isClean).counts {
		of[a.of] += a.n
	}
	return named(of)
}

// AlikeOf is what [Seed.Alike] is to be.
func AlikeOf(stored *seedlist.Stored, isClean bool) string { return sumsOf(stored, isClean).alike }

// Counts are the sums over the list.
func (l *Moves) Counts(ctx context.Context) (seedlist.Counts, error) {
	return found(ctx, l.read, func(s *Session) (seedlist.Counts, error) {
		c := s.sums()
		c.Waiting = int64(s.outlook(QueueReady, s.now, math.MaxInt).Later)
		return c, nil
	})
}

func (s *Session) sums() seedlist.Counts {
	c := seedlist.Counts{
		States: map[seedlist.State]int64{}, Formats: map[string]int64{},
		Errors: map[fault.Code]int64{}, Notices: map[fault.Code]seedlist.Found{}, Products: map[string]seedlist.ProductCount{},
	}
	for _, state := range seedlist.States() {
		c.States[state] = 0
	}
	for name, n := range s.allCounts() {
		if n != 0 {
			addCount(&c, name, n)
		}
	}
	if of, isThere := c.Products[seedlist.ProductStatements]; isThere {
		of.OfStatements(&c)
		c.Products[seedlist.ProductStatements] = of
	}
	return c
}

func addCount(c *seedlist.Counts, name string, n int64) {
	plain := map[string]*int64{
		countSeeds: &c.Seeds, countRelative: &c.Relative, countFragments: &c.Fragments, CountUnchanged: &c.Unchanged,
		countWashed: &c.Washed, countRefreshed: &c.Refreshed, countDamaged: &c.Damaged, countBytes: &c.Bytes,
		countFiles: &c.Clean.Files, countCleanSize: &c.Clean.Bytes, countLines: &c.Clean.Lines,
	}
	if field := plain[name]; field != nil {
		*field = n
		return
	}
	kind, what, _ := strings.Cut(name, ":")
	switch kind + ":" {
	case countState:
		c.States[seedlist.State(what)] = n
	case countFormat:
		c.Formats[what] = n
	case countError:
		c.Errors[fault.Code(what)] = n
	case countNotice:
		found := c.Notices[fault.Code(what)]
		found.Seeds = n
		c.Notices[fault.Code(what)] = found
	case countTimes:
		found := c.Notices[fault.Code(what)]
		found.Times = n
		c.Notices[fault.Code(what)] = found
	case countProduct:
		product, what, _ := strings.Cut(what, ":")
		of := c.Products[product]
		if i := slices.Index(productNames[:], what); i >= 0 {
			*productOf(&of)[i] = n
			c.Products[product] = of
		}
	case CountRemoved:
		if i := slices.Index(trimmedNames[:], what); i >= 0 {
			*trimmedOf(&c.Removed)[i] = n
		}
	case countRecipe:
		addRecipeCount(&c.Recipes, what, n)
	case countField:
		addRecipeCount(&c.RecipeFields, what, n)
	case countPages:
		if c.RecipePages == nil {
			c.RecipePages = map[string]int64{}
		}
		c.RecipePages[what] = n
	case countStatement:
		if i := slices.Index(statementNames[:], what); i >= 0 {
			*statementsOf(&c.Statements)[i] = n
		}
	}
}

// addRecipeCount adds what is counted of a recipe: its name, a colon, and what it is.
func addRecipeCount(counts *map[string]map[string]int64, of string, n int64) {
	name, what, _ := strings.Cut(of, ":")
	if *counts == nil {
		*counts = map[string]map[string]int64{}
	}
	if (*counts)[name] == nil {
		(*counts)[name] = map[string]int64{}
	}
	(*counts)[name][what] = n
}

// addedTo adds documents that were washed to the sums of each span.
func addedTo(all map[seedlist.Span][]seedlist.Washed, washed []seedlist.Washed, now time.Time) map[seedlist.Span][]seedlist.Washed {
	if len(washed) == 0 {
		return all
	}
	var sum seedlist.Washed
	for _, w := range washed {
		sum.Add(w)
	}
	if all == nil {
		all = map[seedlist.Span][]seedlist.Washed{}
	}
	for _, span := range seedlist.Spans() {
		sum.Begin = now.UTC().Truncate(span.Length())
		all[span] = append(all[span], sum)
	}
	return all
}
