package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
)

// raw is a reply whose JSON is made by the type itself, not by its schema.
type raw struct {
	ContentType string `header:"Content-Type"`
	Body        []byte
}

func rawJSON(v any) (*raw, error) {
	text, err := json.Marshal(v)
	return &raw{ContentType: "application/json", Body: append(text, '\n')}, err
}

// fillOutcomes fills in what became of the documents that seeds name things in.
func (a *api) fillOutcomes(ctx context.Context, seeds []seedlist.Seed) error {
	var named []*seedlist.Seed
	for i := range seeds {
		if seeds[i].Document != "" {
			named = append(named, &seeds[i])
		}
	}
	if named == nil {
		return nil
	}
	return problem(a.Seeds.FillOutcomes(ctx, named...))
}

func (a *api) seed(ctx context.Context, r *byHash) (*raw, error) {
	seed, err := a.find(ctx, r.Hash)
	if err != nil {
		return nil, err
	}
	if err := a.Seeds.FillOutcomes(ctx, &seed); err != nil {
		return nil, problem(err)
	}
	return rawJSON(seed)
}

// Attempts is the log of one seed, oldest first.
type Attempts struct {
	Attempts []seedlist.Attempt `json:"attempts"`
}

func (a *api) attempts(ctx context.Context, r *byHash) (*raw, error) {
	if seed, err := a.Seeds.Record(ctx, r.Hash); err == nil && seed.Document != "" {
		r.Hash = seed.Document
	}
	attempts, err := a.Seeds.Attempts(ctx, r.Hash)
	if err != nil {
		return nil, problem(err)
	}
	if attempts == nil {
		attempts = []seedlist.Attempt{}
	}
	return rawJSON(Attempts{Attempts: attempts})
}

// NewSeed is a URI to add.
type NewSeed struct {
	URI      string            `json:"uri"`
	Priority int               `json:"priority,omitempty"`
	Interval *int64            `json:"interval,omitempty" doc:"seconds; 0: never fetched again by itself"`
	Source   string            `json:"source,omitempty"`
	Title    string            `json:"title,omitempty"`
	Claims   map[string]string `json:"claims,omitempty"`
	// Recipe is that by which it is washed, whatever matches it.
	Recipe string `json:"recipe,omitempty" doc:"the name of the recipe by which it is washed, whatever matches"`
	// KeepVersions is how many clean files of older versions are kept.
	KeepVersions *int `json:"keep_versions,omitempty" minimum:"0" maximum:"49" doc:"clean files of older versions that are kept"`
}

// AddRequest is the body of a request that adds URIs to the seed list.
type AddRequest struct {
	Seeds []NewSeed `json:"seeds"`
}

// Added says what became of one URI.
type Added struct {
	URI      string `json:"uri"`
	Hash     string `json:"hash,omitempty"`
	New      bool   `json:"new"`
	Relative bool   `json:"relative"`
	// Document is the hash of the seed without the fragment.
	Document string `json:"document,omitempty"`
	Error    string `json:"error,omitempty"`
}

// AddReply answers for each URI, in order.
type AddReply struct {
	Added []Added `json:"added"`
}

type addRequest struct{ Body AddRequest }

type addReply struct{ Body AddReply }

func (a *api) add(ctx context.Context, r *addRequest) (*addReply, error) {
	seeds := make([]seedlist.NewSeed, len(r.Body.Seeds))
	checked := ""
	for i, s := range r.Body.Seeds {
		seeds[i] = seedlist.NewSeed{URI: s.URI, Priority: s.Priority, Source: s.Source, Title: s.Title, Claims: s.Claims,
			KeepVersions: s.KeepVersions, Recipe: s.Recipe}
		if s.Recipe != checked {
			if err := (recipesAPI{a}).check(ctx, s.Recipe); err != nil {
				return nil, err
			}
			checked = s.Recipe
		}
		if s.Interval != nil {
			seeds[i].Interval = time.Duration(*s.Interval) * time.Second
			if *s.Interval <= 0 {
				seeds[i].Interval = -1
			}
		}
	}
	answers, err := a.Seeds.Add(ctx, seeds)
	if err != nil {
		return nil, problem(err)
	}
	if err := (recipesAPI{a}).ask(ctx, seeds, answers); err != nil {
		return nil, err
	}
	reply := &addReply{Body: AddReply{Added: make([]Added, len(answers))}}
	for i, answer := range answers {
		added := Added{URI: seedlist.Shown(seeds[i].URI), Hash: answer.Hash, New: answer.New, Relative: answer.Relative,
			Document: answer.Document}
		if answer.Err != nil {
			added.Error = answer.Err.Error()
		}
		var refused *seedlist.URIError
		if errors.As(answer.Err, &refused) {
			added.URI = refused.Line // what is no URI may hold a password, too
		}
		reply.Body.Added[i] = added
	}
	return reply, nil
}

// removeRequest names a seed, and may say how it must be.
type removeRequest struct {
	Hash    string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
	IfMatch string `header:"If-Match" doc:"the ETag of the record: 412 if it has changed since"`
}

// unchanged is the condition that a record is still the one of an ETag. It is asked in the transaction that
// writes. Without a tag it is nil.
func unchanged(ifMatch string) seedlist.Condition {
	if ifMatch == "" {
		return nil
	}
	return func(seed seedlist.Seed) error {
		record, err := rawJSON(seed)
		if err != nil {
			return err
		}
		tag := tagOf(record.Body)
		if ifMatch == "*" || isAmong([]string{strings.ReplaceAll(ifMatch, `-gzip"`, `"`)}, tag) && !strings.Contains(ifMatch, "W/") {
			return nil
		}
		return huma.Error412PreconditionFailed("the record of " + seed.Hash + " has changed: read it again")
	}
}

func (a *api) remove(ctx context.Context, r *removeRequest) (*struct{}, error) {
	return nil, problem(a.Seeds.RemoveIf(ctx, unchanged(r.IfMatch), r.Hash))
}

type setRequest struct {
	Hash    string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
	IfMatch string `header:"If-Match" doc:"the ETag of the record: 412 if it has changed since"`
	Body    seedlist.SeedSettings
}

// set changes the settings of a seed, and answers with its record.
func (a *api) set(ctx context.Context, r *setRequest) (*raw, error) {
	if r.Body.IsEmpty() {
		return nil, huma.Error422UnprocessableEntity(nothingToSet)
	}
	settings := r.Body
	settings.If = unchanged(r.IfMatch)
	answers, err := a.Seeds.Set(ctx, settings, r.Hash)
	if err == nil {
		err = answers[0]
	}
	if err != nil {
		return nil, problem(err)
	}
	return a.seed(ctx, &byHash{Hash: r.Hash})
}

const nothingToSet = "set wants what is to be changed: priority, interval, keep_versions, title or recipe, or forget"

// RetryRequest says where a seed begins again: at the working or ready state From,
// or from the start. With Force it is fetched whatever the server says.
type RetryRequest struct {
	From  string `json:"from,omitempty"`
	Force bool   `json:"force,omitempty"`
}

type retryRequest struct {
	Hash    string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
	IfMatch string `header:"If-Match" doc:"the ETag of the record: 412 if it has changed since"`
	Body    RetryRequest
}

func (a *api) retry(ctx context.Context, r *retryRequest) (*struct{}, error) {
	from, err := retryFrom(r.Body.From)
	if err != nil {
		return nil, err
	}
	again := seedlist.Again{To: from}
	if r.Body.Force {
		if from != "" {
			return nil, huma.Error422UnprocessableEntity("force begins with the fetch: from has no meaning then")
		}
		again = seedlist.Again{Asked: seedlist.Force, To: seedlist.Added, Entries: true}
	}
	again.If = unchanged(r.IfMatch)
	answers, err := a.Seeds.WashAgain(ctx, again, r.Hash)
	if err == nil && len(answers) > 0 {
		err = answers[0].Err
	}
	return nil, problem(err)
}

// WriteProblem answers with an error of a [Reader].
func WriteProblem(w http.ResponseWriter, err error) { writeProblem(w, problem(err)) }

func writeProblem(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if e, ok := err.(huma.StatusError); ok {
		status = e.GetStatus()
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(err)
}
