package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
	"laundromat/states/kind"
)

// Selection says which seeds a request is about: those of Hashes or, where there are none, a page
// of those that Filter lets through. Whoever asks goes on with the cursor that the reply has as next.
type Selection struct {
	Hashes []string    `json:"hashes,omitempty" maxItems:"1000" doc:"keys of the seeds"`
	Filter *SeedFilter `json:"filter,omitempty" doc:"in their place: all that it lets through, a page at a time"`
	Cursor string      `json:"cursor,omitempty" doc:"what the page before gave as next"`
	Limit  int         `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"seeds that are looked at; 1000 if it is left out"`
	DryRun bool        `json:"dry_run,omitempty" doc:"change nothing; say what would be done"`
}

// RetrySelection is the body of a request to retry seeds: from the working or ready state From, or
// from the start. With Force they are fetched whatever the server says, and washed whatever came.
type RetrySelection struct {
	Selection
	From  string `json:"from,omitempty" doc:"the stage that failed, to begin again with"`
	Force bool   `json:"force,omitempty" doc:"fetch without conditions, and wash what came"`
}

// RewashSelection is the body of a request to wash stored bytes again.
type RewashSelection struct {
	Selection
	Lacks  string `json:"lacks,omitempty" enum:"statements,records,articles" doc:"only documents that make this product and have none, since it was not asked for"`
	Recipe string `json:"recipe,omitempty" doc:"only those that this recipe concerns: they would be washed otherwise now"`
}

// ActedOn says what was done with one seed, or why nothing was.
type ActedOn struct {
	Hash string `json:"hash"`
	URI  string `json:"uri"` // of a member, URI!/entry
	// Begins is the ready state with which it begins again; "" if it does not.
	Begins seedlist.State `json:"begins,omitempty"`
	// With is the key of what begins again in its place. That is the outermost archive of a member, or
	// the document of a URI with a fragment.
	With string `json:"with,omitempty"`
	// Follows says of Error that the seed is a member of an archive, without a URI to begin again with: it is washed
	// again when its archive is.
	Follows bool   `json:"follows,omitempty"`
	Removed bool   `json:"removed,omitempty"`
	Error   string `json:"error,omitempty"`
}

// Acted answers for each seed that was looked at. Next is the cursor of the next page, "" at the end.
type Acted struct {
	DryRun bool      `json:"dry_run,omitempty"`
	Seeds  []ActedOn `json:"seeds"`
	Next   string    `json:"next,omitempty"`
}

// AgainRequest is what [Options.Again] is asked for.
type AgainRequest struct {
	Asked seedlist.Wish
	From  seedlist.State // with [seedlist.Retry] alone; "": from the start
	// Makes is the product for which stored bytes are washed again; "": for no one. The error is a [NotMadeError] where
	// the daemon does not make it.
	Makes  string
	DryRun bool
	Recipe string // only seeds that it concerns; "": all
}

// NotMadeError says that a daemon makes other products than one that is wanted.
type NotMadeError struct {
	Product string
	Made    []string
}

// Error says with which flag the daemon makes it.
func (e *NotMadeError) Error() string {
	return "the daemon makes no " + e.Product + ": start it with --products " + strings.Join(append(slices.Clone(e.Made), e.Product), ",")
}

// selected are the seeds of a selection, the answers for those that are not there, and the cursor
// of the next page.
func (a *api) selected(ctx context.Context, s *Selection) (seeds []seedlist.Seed, missing []ActedOn, next string, err error) {
	if (len(s.Hashes) == 0) == (s.Filter == nil) {
		return nil, nil, "", huma.Error422UnprocessableEntity("a selection has either hashes or a filter; {} is the filter that lets all " +
			"through")
	}
	if s.Filter == nil {
		for _, hash := range s.Hashes {
			seed, err := a.Seeds.Seed(ctx, hash)
			if errors.Is(err, seedlist.ErrNotFound) {
				missing = append(missing, ActedOn{Hash: hash, URI: hash, Error: err.Error()})
			} else if err != nil {
				return nil, nil, "", problem(err)
			} else {
				seeds = append(seeds, seed)
			}
		}
		return seeds, missing, "", nil
	}
	limit := s.Limit
	if limit == 0 {
		limit = 1000
	}
	page, next, err := a.listed(ctx, s.Filter, s.Cursor, limit, nil)
	if err != nil {
		return nil, nil, "", err
	}
	for _, seed := range page {
		// Clean files go with what they were washed from. Who means them says so.
		if seed.Status != seedlist.Cleaned || s.Filter.State != "" {
			seeds = append(seeds, seed)
		}
	}
	return seeds, nil, next, nil
}

// again has the seeds of a selection washed again, those that are meant; nil: all.
func (a *api) again(ctx context.Context, s *Selection, request AgainRequest, isMeant func(*seedlist.Seed) bool) (*raw, error) {
	seeds, done, next, err := a.selected(ctx, s)
	if err != nil {
		return nil, err
	}
	if isMeant != nil {
		seeds = slices.DeleteFunc(seeds, func(seed seedlist.Seed) bool { return !isMeant(&seed) })
	}
	if request.Recipe != "" {
		if err := (recipesAPI{a}).checkAny(ctx, request.Recipe); err != nil {
			return nil, err
		}
	}
	request.DryRun = s.DryRun
	answers, err := a.Again(ctx, request, seeds)
	if notMade := new(NotMadeError); errors.As(err, &notMade) {
		return nil, huma.Error422UnprocessableEntity(notMade.Error())
	}
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(Acted{DryRun: s.DryRun, Seeds: append(append([]ActedOn{}, done...), answers...), Next: next})
}

func (a *api) retryMany(ctx context.Context, r *struct{ Body RetrySelection }) (*raw, error) {
	from, err := retryFrom(r.Body.From)
	if err != nil {
		return nil, err
	}
	request := AgainRequest{From: from}
	if r.Body.Force {
		if from != "" {
			return nil, huma.Error422UnprocessableEntity("force begins with the fetch: from has no meaning then")
		}
		request.Asked = seedlist.Force
	}
	return a.again(ctx, &r.Body.Selection, request, nil)
}

func (a *api) rewashMany(ctx context.Context, r *struct{ Body RewashSelection }) (*raw, error) {
	product := r.Body.Lacks
	lacking := func(seed *seedlist.Seed) bool { return product == "" || kind.IsLacking(seed, product) }
	return a.again(ctx, &r.Body.Selection, AgainRequest{Asked: seedlist.Rewash, Makes: product, Recipe: r.Body.Recipe}, lacking)
}

// SetSelection is the body of a request to change settings of seeds.
type SetSelection struct {
	Selection
	Set seedlist.SeedSettings `json:"set" doc:"what is changed"`
}

// setMany changes the settings of the seeds of a selection. A dry run does not know what would be refused.
func (a *api) setMany(ctx context.Context, r *struct{ Body SetSelection }) (*raw, error) {
	if r.Body.Set.IsEmpty() {
		return nil, huma.Error422UnprocessableEntity(nothingToSet)
	}
	seeds, done, next, err := a.selected(ctx, &r.Body.Selection)
	if err != nil {
		return nil, err
	}
	answers, err := a.setAll(ctx, &r.Body.Set, seeds, r.Body.DryRun)
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(Acted{DryRun: r.Body.DryRun, Seeds: append(append([]ActedOn{}, done...), answers...), Next: next})
}

// setAll changes the settings of seeds.
func (a *api) setAll(ctx context.Context, set *seedlist.SeedSettings, seeds []seedlist.Seed, isDryRun bool) (answers []ActedOn, err error) {
	hashes := make([]string, len(seeds))
	for i := range seeds {
		hashes[i] = seeds[i].Hash
	}
	errs := make([]error, len(seeds))
	if !isDryRun {
		errs, err = a.Seeds.Set(ctx, *set, hashes...)
	}
	for i, refused := range errs {
		one := ActedOn{Hash: seeds[i].Hash, URI: shownName(&seeds[i])}
		if refused != nil {
			one.Error = refused.Error()
		}
		answers = append(answers, one)
	}
	return answers, err
}

// shownName is what a seed is called without looking up its archive.
func shownName(seed *seedlist.Seed) string {
	if seed.URI == "" && seed.Archive != nil && seed.Parent != "" {
		return seed.Parent + "!/" + seed.Archive.Entry
	}
	return seedlist.Shown(seed.URI)
}

// removeMany removes the seeds of a selection, with their children and files.
func (a *api) removeMany(ctx context.Context, r *struct{ Body Selection }) (*raw, error) {
	seeds, done, next, err := a.selected(ctx, &r.Body)
	if err != nil {
		return nil, err
	}
	answers, err := a.removeAll(ctx, seeds, r.Body.DryRun)
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(Acted{DryRun: r.Body.DryRun, Seeds: append(append([]ActedOn{}, done...), answers...), Next: next})
}

// removeAll removes seeds, with their children and files. With an error, the answers are for those that
// were removed before it.
func (a *api) removeAll(ctx context.Context, seeds []seedlist.Seed, isDryRun bool) ([]ActedOn, error) {
	answers := make([]ActedOn, len(seeds))
	var hashes []string
	var which []int
	for i := range seeds {
		seed := &seeds[i]
		answers[i] = ActedOn{Hash: seed.Hash, URI: seedlist.Shown(seed.URI)}
		switch {
		case seed.Status == seedlist.Cleaned || seed.Parent != "":
			answers[i].Error = seedlist.ErrDerived.Error()
			if seed.Archive != nil && seed.Parent != "" {
				answers[i].URI = seed.Parent + "!/" + seed.Archive.Entry
			}
		case isDryRun:
			answers[i].Removed = true
		default:
			hashes, which = append(hashes, seed.Hash), append(which, i)
		}
	}
	errs, err := a.Seeds.Remove(ctx, hashes...)
	for i, refused := range errs {
		if answers[which[i]].Removed = refused == nil; refused != nil {
			answers[which[i]].Error = refused.Error()
		}
	}
	if err != nil {
		var done []ActedOn
		for i := range answers {
			if answers[i].Removed {
				done = append(done, answers[i])
			}
		}
		return done, err
	}
	return answers, nil
}

// retryFrom is the ready state of the working or ready state that a request names.
func retryFrom(name string) (seedlist.State, error) {
	from := seedlist.State(name)
	if from.IsWorking() {
		from = from.Ready()
	}
	if from != "" && !from.IsReady() {
		return "", huma.Error422UnprocessableEntity("there is no stage " + name)
	}
	return from, nil
}

// repair is verify that marks what has to be done again.
func (a *api) repair(w http.ResponseWriter, r *http.Request) {
	verified(w, r, a.Repair)
}

// verified streams what a look at the files finds, and then the sums.
func verified(w http.ResponseWriter, r *http.Request, look func(context.Context, func(Verified) error) error) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	encoder := json.NewEncoder(w)
	sums := Sums{}
	err := look(r.Context(), func(v Verified) error {
		if v.Sums != nil {
			sums = *v.Sums
			return nil
		}
		return encoder.Encode(v)
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		sums.Error = err.Error()
	}
	encoder.Encode(Verified{Sums: &sums})
}
