package web

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/seedlist"
)

// Held are the parts of the work that people hold: "all", stages, "harvesting", and sources ("source NAME").
type Held struct {
	Held []string `json:"held"`
}

// HoldRequest holds parts of the work, or lets them go on.
type HoldRequest struct {
	Parts  []string `json:"parts"`
	IsHeld bool     `json:"held"`
}

// HoldAnswer says which of the parts are now otherwise than before.
type HoldAnswer struct {
	Changed []string `json:"changed"`
}

// ofHolds are the operations about what people hold. Reading is for all, writing for the socket and this process.
func ofHolds(a *api) []operation {
	operations := []operation{get("/api/v1/holds", func(ctx context.Context, _ *struct{}) (*raw, error) {
		held, err := a.Seeds.Held(ctx)
		if err != nil {
			return nil, problem(err)
		}
		return rawJSON(Held{Held: append([]string{}, held...)})
	})}
	if !a.Writable {
		return operations
	}
	return append(operations, compaction(a), post("/api/v1/holds", func(ctx context.Context, r *struct{ Body HoldRequest }) (*raw, error) {
		answer := HoldAnswer{Changed: []string{}}
		for _, part := range r.Body.Parts {
			if err := seedlist.CheckHold(part); err != nil {
				return nil, Invalid(err.Error())
			}
		}
		for _, part := range r.Body.Parts {
			changed, err := a.Seeds.Hold(ctx, part, r.Body.IsHeld)
			if err != nil {
				return nil, problem(err)
			}
			if changed {
				answer.Changed = append(answer.Changed, part)
			}
		}
		return rawJSON(answer)
	}), post("/api/v1/drain", func(context.Context, *struct{}) (*raw, error) {
		if a.Drain == nil {
			return nil, huma.Error409Conflict(errNoDaemon.Error())
		}
		if err := a.Drain(); err != nil {
			return nil, huma.Error409Conflict(err.Error())
		}
		return rawJSON(struct{}{})
	}))
}

var errNoDaemon = errors.New("no daemon runs here, so that there is none to end")
