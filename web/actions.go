package web

import (
	"cmp"
	"context"
	"net/http"
)

// ofActions are the operations about actions.
func (a *api) ofActions() []operation {
	if a.Actions == nil {
		return nil
	}
	operations := []operation{
		get("/api/v1/actions", a.actions),
		get("/api/v1/actions/{id}", a.action),
	}
	if a.hasWrites() {
		operations = append(operations,
			post("/api/v1/actions", a.askAction),
			post("/api/v1/actions/{id}/stop", a.stopAction),
			remove("/api/v1/actions/{id}", a.stopAction))
	}
	return operations
}

// ActionPage is one page of the list of actions, the newest first; Next is the cursor of the next.
type ActionPage struct {
	Actions []Action `json:"actions"`
	Next    string   `json:"next,omitempty"`
}

// AskedAction answers who asked for an action.
type AskedAction struct {
	// Action is its record; absent in a dry run.
	Action *Action `json:"action,omitempty"`
	// DryRun says that nothing is done. Matched is then how many seeds it would be about.
	DryRun  bool   `json:"dry_run,omitempty"`
	Matched *int64 `json:"matched,omitempty"`
}

// NewAction is the body of a request for an action.
type NewAction struct {
	ActionRequest
	DryRun bool `json:"dry_run,omitempty" doc:"do nothing; say how many seeds it would be about"`
}

type actionsRequest struct {
	Cursor string `query:"cursor" pattern:"^[0-9]+$" doc:"what the page before gave as next"`
	Limit  int    `query:"limit" minimum:"1" maximum:"1000" doc:"actions of a page; 100 if absent"`
	Accept string `header:"Accept" doc:"application/x-ndjson: the whole list, an action a line"`
}

func (a *api) actions(_ context.Context, r *actionsRequest) (*reply, error) {
	return listReply(r.Accept, r.Limit, r.Cursor, func(cursor string) (page ActionPage, err error) {
		page.Actions, page.Next, err = a.Actions.List(cursor, cmp.Or(r.Limit, 100))
		if page.Actions == nil {
			page.Actions = []Action{}
		}
		return page, problem(err)
	}, func(page ActionPage) ([]Action, string) { return page.Actions, page.Next })
}

type byActionID struct {
	ID string `path:"id" pattern:"^[0-9]+$" doc:"id of the action"`
}

func (a *api) action(_ context.Context, r *byActionID) (*raw, error) {
	found, err := a.Actions.Get(r.ID)
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(found)
}

type askedAction struct {
	Status   int
	Location string `header:"Location"`
	Body     AskedAction
}

func (a *api) askAction(ctx context.Context, r *struct{ Body NewAction }) (*askedAction, error) {
	if r.Body.DryRun {
		n, err := a.Actions.Count(ctx, r.Body.ActionRequest)
		if err != nil {
			return nil, problem(err)
		}
		return &askedAction{Status: http.StatusOK, Body: AskedAction{DryRun: true, Matched: &n}}, nil
	}
	made, err := a.Actions.Ask(ctx, r.Body.ActionRequest, WhoIn(ctx).Name)
	if err != nil {
		return nil, problem(err)
	}
	return &askedAction{Status: http.StatusAccepted, Location: "/api/v1/actions/" + made.ID, Body: AskedAction{Action: &made}}, nil
}

func (a *api) stopAction(_ context.Context, r *byActionID) (*raw, error) {
	stopped, err := a.Actions.Stop(r.ID)
	if err != nil {
		return nil, problem(err)
	}
	return rawJSON(stopped)
}
