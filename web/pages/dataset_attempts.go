package pages

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/web"
)

// attempts are a part of the log of a seed, oldest first.
type attempts struct {
	Hash  string
	Back  string // the page of whose log it is
	Steps []attempt
	// Earlier is how many are before these, and Later how many after. Total is of all that are kept.
	Earlier, Later, Total int64
	// Before and After are what the pages of these are asked for; 0 for the last.
	Before, After int
}

// attempt is one step of the work on a seed.
type attempt struct {
	seedlist.Attempt
	Took    time.Duration
	Bar     bar    // how long it took beside the longest
	Ended   string // what it came to, without the time and the stage, which are said beside it
	IsError bool
	Counts  string
	Hops    []hop
}

// attemptsOf is a part of the log, up to datasetAttempts. It ends before the attempt of that number, counted
// from 1; with 0, at the last.
func attemptsOf(ctx context.Context, read *web.Reader, hash string, before int) (a attempts, err error) {
	all, err := read.Attempts(ctx, hash)
	if err != nil {
		return a, err
	}
	end := len(all)
	if before > 0 {
		end = min(end, before-1)
	}
	begin := max(0, end-datasetAttempts)
	a = attempts{Hash: hash, Back: "/seeds/" + hash, Earlier: int64(begin), Later: int64(len(all) - end), Total: int64(len(all))}
	if begin > 0 {
		a.Before = begin + 1
	}
	if end < len(all) {
		a.After = min(end+datasetAttempts, len(all)) + 1
	}
	longest := 0.0
	for _, one := range all[begin:end] {
		longest = max(longest, one.ParserRuntime)
	}
	for _, one := range all[begin:end] {
		step := attempt{
			Attempt: one, Took: seconds(one.ParserRuntime), IsError: one.Kind != "",
			Bar: bar{int64(one.ParserRuntime * 1e6), int64(longest * 1e6)}, Hops: hopsOf(one.HTTP),
		}
		step.Ended = one.Result
		var counts []string
		for _, name := range slices.Sorted(maps.Keys(one.Counts)) {
			counts = append(counts, strings.ReplaceAll(name, "_", " ")+" "+number(one.Counts[name]))
		}
		step.Counts = strings.Join(counts, ", ")
		a.Steps = append(a.Steps, step)
	}
	return a, nil
}

// attemptsPage is the log of a seed, a part on each page.
func (s *site) attemptsPage(r *http.Request) (page, error) {
	hash, name, back := r.PathValue("hash"), "", ""
	seed, document, err := s.find(r)
	if c, other := s.read.Catalog(r.Context(), hash); err != nil && other == nil {
		name, back, err = seedlist.Shown(c.Catalog.URI), "/catalogs/"+hash, nil // a catalog that is no seed
	} else if err == nil {
		hash, name, back = document.Hash, s.read.Name(r.Context(), &seed), "/seeds/"+document.Hash
	}
	if err != nil {
		return page{}, err
	}
	before, err := numberIn(r, "before", 0)
	if err != nil {
		return page{}, err
	}
	a, err := attemptsOf(r.Context(), s.read, hash, int(before))
	if err != nil {
		return page{}, err
	}
	a.Back = back
	return page{title: "Log of " + name, template: "dataset_attempts.html", data: a}, nil
}

// numberIn is the parameter of a request that is a whole number from 1 on, or the one to take without it.
func numberIn(r *http.Request, name string, without int64) (int64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return without, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, unprocessable(fmt.Sprintf("%s is a number from 1, not %q", name, text))
	}
	return n, nil
}
