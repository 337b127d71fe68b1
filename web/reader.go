package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// Reader answers in this process what the API answers over HTTP, by the same functions and with the same
// bounds. Errors are in the same words: [ProblemOf] says what an error is to a client.
type Reader struct {
	a     *api
	among memo[views.Among]
	// tallied are the first stretches of lists.
	tallied memo[views.Tallied]
	// datasets is how many there are.
	datasets memo[int64]
}

// Problem is an error as a client is told it (RFC 9457).
type Problem struct {
	Status int
	Title  string // of the status, such as "Not Found"
	Detail string
}

// ProblemOf is what the API answers for an error of a [Reader].
func ProblemOf(err error) Problem {
	err = problem(err)
	p := Problem{Status: http.StatusInternalServerError, Detail: err.Error()}
	if e, ok := errors.AsType[huma.StatusError](err); ok {
		p.Status = e.GetStatus()
	}
	if model, ok := errors.AsType[*huma.ErrorModel](err); ok {
		p.Detail = model.Detail
	}
	p.Title = http.StatusText(p.Status)
	return p
}

// Nothing is the error of a path at which nothing is.
func Nothing(path string) error { return huma.Error404NotFound("there is nothing at " + path) }

// Conflict is the error of what can't be done here, as it is.
func Conflict(message string) error { return huma.Error409Conflict(message) }

// Invalid is the error of a parameter whose value nothing can have.
func Invalid(message string) error { return huma.Error422UnprocessableEntity(message) }

// Unknown is the error of a query with a parameter that is none of those known; nil if all are.
func Unknown(query url.Values, known []string) error {
	if message := strange(query, known); message != "" {
		return huma.Error400BadRequest(message)
	}
	return nil
}

// ListQuery says which seeds a list has, and in which order. What is left out filters nothing.
type ListQuery struct {
	SeedFilter
	ViewFilter
	TurnFilter
	Files  string // "false": without clean files
	Sort   string // as the API has it; "" for the order of age
	Cursor string
	Limit  int // 1 to 1,000; 0: 100
}

// Version is that of the program.
func (r *Reader) Version() string { return r.a.Version }

// Stats are the counts of the list, and what the daemon does not go on with.
func (r *Reader) Stats(ctx context.Context) (Stats, error) {
	reply, err := r.a.stats(ctx, nil)
	if err != nil {
		return Stats{}, err
	}
	return reply.Body, nil
}

// Counts are how many seeds have each value of a facet, or pair of values, such as "error,host".
func (r *Reader) Counts(ctx context.Context, by string, limit int) (CountReply, error) {
	reply, err := r.a.counts(ctx, &countRequest{By: by, Limit: limit})
	if err != nil {
		return CountReply{}, err
	}
	return reply.Body, nil
}

// Washed is what was washed by spans of time.
func (r *Reader) Washed(ctx context.Context, span seedlist.Span, spans int) ([]seedlist.Washed, error) {
	q := &washedRequest{By: string(span), To: time.Now()}
	q.From = q.To.Add(-span.Length() * time.Duration(spans))
	reply, err := r.a.washed(ctx, q)
	if err != nil {
		return nil, err
	}
	return reply.Body.Washed, nil
}

// AsOf says how far lists and counts have come; the zero value where there are none.
func (r *Reader) AsOf() (asOf views.AsOf) {
	if r.a.Views != nil {
		asOf = r.a.Views.AsOf()
	}
	return asOf
}

// Revision is that of the last change. A page that reads it first, and then the rest, misses nothing when it
// listens for changes after it.
func (r *Reader) Revision(ctx context.Context) (uint64, error) {
	revision, err := r.a.Seeds.Revision(ctx)
	return revision, problem(err)
}

func isHash(text string) bool {
	return len(text) == 32 && strings.Trim(text, "0123456789abcdefABCDEF") == ""
}

// Seed is the record of a hash, with what became of the document that it names a thing in.
func (r *Reader) Seed(ctx context.Context, hash string) (seed seedlist.Seed, err error) {
	if !isHash(hash) {
		return seed, huma.Error404NotFound("no seed has the hash " + hash)
	}
	if seed, err = r.a.find(ctx, hash); err == nil {
		err = problem(r.a.Seeds.FillOutcomes(ctx, &seed))
	}
	return seed, err
}

// Attempts is the log of one seed, oldest first.
func (r *Reader) Attempts(ctx context.Context, hash string) ([]seedlist.Attempt, error) {
	if seed, err := r.a.Seeds.Record(ctx, hash); err == nil && seed.Document != "" {
		hash = seed.Document
	}
	attempts, err := r.a.Seeds.Attempts(ctx, hash)
	return attempts, problem(err)
}

// Rows are lines of the clean file of a seed.
func (r *Reader) Rows(ctx context.Context, hash string, from int64, limit int) (Rows, error) {
	reply, err := r.a.rows(ctx, &rowsRequest{Hash: hash, From: from, Limit: limit})
	if err != nil {
		return Rows{}, err
	}
	return reply.Body, nil
}
