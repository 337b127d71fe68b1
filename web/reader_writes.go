package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
)

// The methods below write. Who may do that was asked before, by the path of the request: see [Authority].

// Add adds URIs and answers for each, in order.
func (r *Reader) Add(ctx context.Context, seeds []NewSeed) ([]Added, error) {
	reply, err := r.a.add(ctx, &addRequest{Body: AddRequest{Seeds: seeds}})
	if err != nil {
		return nil, err
	}
	return reply.Body.Added, nil
}

// WashAgain has one seed worked on again: by retry, force or rewash.
func (r *Reader) WashAgain(ctx context.Context, hash, how string) (ActedOn, error) {
	request := AgainRequest{}
	switch how {
	case "retry":
	case "force":
		request.Asked = seedlist.Force
	case "rewash":
		request.Asked = seedlist.Rewash
	default:
		return ActedOn{}, huma.Error422UnprocessableEntity("how is retry, force or rewash")
	}
	if r.a.Again == nil {
		return ActedOn{}, huma.Error503ServiceUnavailable("nothing can be washed again here")
	}
	seed, err := r.a.find(ctx, hash)
	if err != nil {
		return ActedOn{}, err
	}
	answers, err := r.a.Again(ctx, request, []seedlist.Seed{seed})
	if err != nil {
		return ActedOn{}, problem(err)
	}
	if len(answers) != 1 || answers[0].Error != "" {
		message := "nothing was done"
		if len(answers) == 1 {
			message = answers[0].Error
		}
		return ActedOn{}, huma.Error409Conflict(message)
	}
	return answers[0], nil
}

// AddCatalog adds a catalog, or gives it other settings.
func (r *Reader) AddCatalog(ctx context.Context, wanted NewCatalog) (added AddedCatalog, err error) {
	body, err := json.Marshal(wanted)
	if err != nil {
		return added, err
	}
	reply, err := r.a.addCatalog(ctx, &addCatalogRequest{RawBody: body})
	if err == nil {
		err = json.Unmarshal(reply.Body, &added)
	}
	return added, err
}

// Harvest has a catalog harvested as soon as may be; with accept it is believed.
func (r *Reader) Harvest(ctx context.Context, hash string, accept bool) error {
	_, err := r.a.harvest(ctx, &harvestRequest{Hash: hash, Accept: accept})
	return err
}

// RemoveCatalog removes a catalog; its seeds stay.
func (r *Reader) RemoveCatalog(ctx context.Context, hash string) error {
	_, err := r.a.removeCatalog(ctx, &byHash{Hash: hash})
	return err
}

// SetHost changes the settings of a host.
func (r *Reader) SetHost(ctx context.Context, host string, change HostChange) error {
	_, err := r.a.Seeds.SetHost(ctx, host, change.apply)
	return hostProblem(err)
}

// Actions is a page of the list of actions, the newest first, and the cursor of the next.
func (r *Reader) Actions(cursor string, limit int) ([]Action, string, error) {
	if r.a.Actions == nil {
		return nil, "", nil
	}
	all, next, err := r.a.Actions.List(cursor, limit)
	return all, next, problem(err)
}

// Action is the record of an action.
func (r *Reader) Action(id string) (found Action, err error) {
	if r.a.Actions == nil || strings.Trim(id, "0123456789") != "" {
		return found, huma.Error404NotFound(fmt.Sprintf("there is no action %s", id))
	}
	found, err = r.a.Actions.Get(id)
	return found, problem(err)
}

// CountAction says how many seeds an action would be about.
func (r *Reader) CountAction(ctx context.Context, request ActionRequest) (int64, error) {
	if r.a.Actions == nil {
		return 0, noActions()
	}
	n, err := r.a.Actions.Count(ctx, request)
	return n, problem(err)
}

// AskAction asks for an action, in the name of who sent the request.
func (r *Reader) AskAction(ctx context.Context, request ActionRequest) (made Action, err error) {
	if r.a.Actions == nil {
		return made, noActions()
	}
	made, err = r.a.Actions.Ask(ctx, request, WhoIn(ctx).Name)
	return made, problem(err)
}

// StopAction stops an action; what it has done stays done.
func (r *Reader) StopAction(id string) (stopped Action, err error) {
	if stopped, err = r.Action(id); err == nil {
		stopped, err = r.a.Actions.Stop(id)
	}
	return stopped, problem(err)
}

func noActions() error {
	return huma.Error503ServiceUnavailable(`actions are worked on by a daemon: start "laundromat serve"`)
}

// Hosts are those with settings of their own.
func (r *Reader) Hosts(ctx context.Context) ([]seedlist.HostUse, error) {
	all, err := r.a.Seeds.Hosts(ctx)
	return all, problem(err)
}

// Host is a host as it is now.
func (r *Reader) Host(ctx context.Context, name string) (HostNow, error) {
	return hostNow(ctx, r.a, name)
}

// Waits are what can't be worked on now, with up to limit hosts.
func (r *Reader) Waits(ctx context.Context, limit int) (seedlist.Waits, error) {
	waits, err := r.a.Seeds.Waits(ctx, limit)
	return waits, problem(err)
}

// Catalogs is a page of the list of catalogs, oldest first, and the cursor of the next.
func (r *Reader) Catalogs(ctx context.Context, cursor string, limit int) ([]seedlist.Catalog, string, error) {
	all, next, err := r.a.Seeds.Catalogs(ctx, cursor, limit)
	return all, next, problem(err)
}

// Catalog is a catalog, with the first of what its last harvest refused.
func (r *Reader) Catalog(ctx context.Context, hash string) (c Catalog, err error) {
	if !isHash(hash) {
		return c, huma.Error404NotFound("no catalog has the hash " + hash)
	}
	reply, err := r.a.catalog(ctx, &byHash{Hash: strings.ToLower(hash)})
	if err == nil {
		err = json.Unmarshal(reply.Body, &c)
	}
	return c, err
}

// Formats are the names of formats.
func (r *Reader) Formats() []string { return r.a.Formats }
