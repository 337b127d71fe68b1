package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// SampleRequest asks for a wash beside of some of the documents that a filter lets through.
type SampleRequest struct {
	Filter SeedFilter `json:"filter"`
	// Sample is how many are washed at most.
	Sample int `json:"sample"`
}

// CodeChange is how often a notice is found before and after.
type CodeChange struct {
	Before int64 `json:"before"`
	After  int64 `json:"after"`
}

// Beside is what another wash of a document would change.
type Beside struct {
	Hash    string                    `json:"hash,omitempty"`
	URI     string                    `json:"uri,omitempty"`
	From    string                    `json:"from,omitempty"` // the clean file that is served
	To      string                    `json:"to,omitempty"`
	Added   int64                     `json:"added"` // statements
	Removed int64                     `json:"removed"`
	Codes   map[fault.Code]CodeChange `json:"codes,omitempty"` // those whose number changes
	// Failed is why it would end as failed, and FailedBefore why it did.
	Failed       string `json:"failed,omitempty"`
	FailedBefore string `json:"failed_before,omitempty"`
	// Unknown is why it could not be washed now.
	Unknown string `json:"unknown,omitempty"`
	// Sums end the lines.
	Sums *SampleSums `json:"sums,omitempty"`
}

// Changes says that the wash would not come to the same.
func (b *Beside) Changes() bool {
	return b.Unknown == "" && (b.From != b.To && b.Failed == "" || len(b.Codes) > 0 || b.Failed != b.FailedBefore)
}

// SampleSums are those of a sample.
type SampleSums struct {
	Documents int64                     `json:"documents"` // that the filter lets through
	Washed    int64                     `json:"washed"`    // beside
	Changed   int64                     `json:"changed"`
	Fail      int64                     `json:"fail"`    // would end as failed, and did not
	Unknown   int64                     `json:"unknown"` // could not be washed now
	Added     int64                     `json:"added"`
	Removed   int64                     `json:"removed"`
	Codes     map[fault.Code]CodeChange `json:"codes,omitempty"`
	Error     string                    `json:"error,omitempty"`
}

func (s *SampleSums) add(b *Beside) {
	if b.Unknown != "" {
		s.Unknown++
		return
	}
	s.Washed++
	if b.Changes() {
		s.Changed++
	}
	if b.Failed != "" && b.FailedBefore == "" {
		s.Fail++
	}
	s.Added += b.Added
	s.Removed += b.Removed
	for code, c := range b.Codes {
		if s.Codes == nil {
			s.Codes = map[fault.Code]CodeChange{}
		}
		sum := s.Codes[code]
		s.Codes[code] = CodeChange{sum.Before + c.Before, sum.After + c.After}
	}
}

// mostSample is the largest sample: each is held until it is washed.
const mostSample = 10_000

// sampling has a sample washed beside. Nothing is stored.
func sampling(a *api) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { washSample(a, w, r) }
}

func washSample(a *api, w http.ResponseWriter, r *http.Request) {
	var wanted SampleRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&wanted); err != nil || wanted.Sample < 1 ||
		wanted.Sample > mostSample {
		writeProblem(w, huma.Error422UnprocessableEntity("want an object with filter and sample, from 1 to 10000"))
		return
	}
	if a.Daemon.Beside == nil {
		writeProblem(w, huma.Error409Conflict("a sample is washed by a daemon, with its settings: start \"laundromat serve\""))
		return
	}
	chosen, n, err := choose(r.Context(), a, &wanted)
	if err != nil {
		writeProblem(w, problem(err))
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	encoder := json.NewEncoder(w)
	sums := SampleSums{Documents: n}
	for i := range chosen {
		b, err := a.Daemon.Beside(r.Context(), chosen[i])
		if errors.Is(err, context.Canceled) {
			return
		}
		b.Hash, b.URI = chosen[i].Hash, seedlist.Shown(a.name(r.Context(), &chosen[i]))
		if err != nil {
			b.Unknown = seedlist.ShownIn(err.Error())
		}
		sums.add(&b)
		if encoder.Encode(b) != nil {
			return
		}
		http.NewResponseController(w).Flush()
	}
	encoder.Encode(Beside{Sums: &sums})
}

// choose are some documents that a filter lets through, and how many there are. Those with the least keys are taken,
// which are sums: they are spread over all, and are the same each time.
func choose(ctx context.Context, a *api, wanted *SampleRequest) (chosen []seedlist.Seed, n int64, err error) {
	byHash := func(x, y seedlist.Seed) int { return cmp.Compare(x.Hash, y.Hash) }
	shorten := func() {
		slices.SortFunc(chosen, byHash)
		chosen = slices.Delete(chosen, min(len(chosen), wanted.Sample), len(chosen))
	}
	for cursor := ""; ; {
		page, next, err := a.listed(ctx, &wanted.Filter, cursor, 1000, nil)
		if err != nil {
			return nil, 0, err
		}
		for i := range page {
			if seed := &page[i]; seed.Content != nil && (seed.Status == seedlist.Parsed || seed.Status == seedlist.Failed) {
				n++
				chosen = append(chosen, *seed)
			}
		}
		if len(chosen) > 2*wanted.Sample {
			shorten()
		}
		if cursor = next; cursor == "" {
			shorten()
			return chosen, n, nil
		}
	}
}
