package web

import (
	"context"
	"net/http"
	"time"

	"laundromat/seedlist"
)

// Pause is a part of the daemon that does not go on, since this machine has trouble.
type Pause struct {
	Part    string    `json:"part" doc:"the working state that is paused, or store"`
	Since   time.Time `json:"since"`
	Code    string    `json:"code,omitempty"`
	Message string    `json:"message"`
}

// healthReply says that the process answers, and nothing else.
type healthReply struct {
	Body struct {
		Status  string `json:"status"`
		Version string `json:"version"`
	}
}

func (a *api) health(context.Context, *struct{}) (*healthReply, error) {
	reply := &healthReply{}
	reply.Body.Status, reply.Body.Version = "ok", a.Version
	return reply, nil
}

// readyReply says whether the daemon does its work, and if not, why.
type readyReply struct {
	Status int
	Body   struct {
		Status string  `json:"status" doc:"ready, paused or starting"`
		Paused []Pause `json:"paused,omitempty"`
		// Held is how many parts of the work people hold, which says nothing against the daemon.
		Held int `json:"held,omitempty"`
		// Warnings say nothing against the daemon, but wait for an operator.
		Warnings []string `json:"warnings,omitempty"`
		// Waits say nothing against the daemon: it is polite, or others have trouble.
		Waits *seedlist.Waits `json:"waits,omitempty"`
		// Lag is how many changes lists and counts do not hold yet.
		Lag *uint64 `json:"lag,omitempty"`
	}
}

func (a *api) ready(ctx context.Context, _ *struct{}) (*readyReply, error) {
	reply := &readyReply{Status: http.StatusOK}
	pauses, isRunning := a.pauses()
	if _, err := a.Seeds.Counts(ctx); err != nil {
		pauses = append(pauses, Pause{Part: "store", Since: time.Now().UTC(), Message: err.Error()})
	}
	if a.Views != nil {
		if revision, err := a.Seeds.Revision(ctx); err == nil {
			lag := revision - min(revision, a.Views.AsOf().Revision)
			reply.Body.Lag = &lag
		}
	}
	reply.Body.Status, reply.Body.Paused = "ready", pauses
	isStranger := WhoIn(ctx).Way == ByNothing
	if isStranger {
		reply.Body.Paused = withoutNames(pauses)
	}
	if waits, err := a.Seeds.Waits(ctx, hostsShown); err == nil && waits.HostsTotal+waits.Later > 0 {
		if isStranger {
			waits.Hosts = []seedlist.HostWait{}
		}
		reply.Body.Waits = &waits
	}
	if held, err := a.Seeds.Held(ctx); err == nil {
		reply.Body.Held = len(held)
	}
	reply.Body.Warnings = warningsOf(ctx, a.Seeds)
	switch {
	case len(pauses) > 0:
		reply.Status, reply.Body.Status = http.StatusServiceUnavailable, "paused"
	case !isRunning:
		reply.Status, reply.Body.Status = http.StatusServiceUnavailable, "starting"
	}
	return reply, nil
}

// withoutNames are pauses as anybody may read them: messages may name a user, a host or a bucket.
func withoutNames(pauses []Pause) (all []Pause) {
	for _, p := range pauses {
		p.Message = "details are in the log and in \"laundromat stats\""
		all = append(all, p)
	}
	return all
}

// pauses are those of the daemon; isRunning is false where none runs yet.
func (a *api) pauses() (all []Pause, isRunning bool) {
	if a.Pauses == nil {
		return nil, false
	}
	return a.Pauses()
}
