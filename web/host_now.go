package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// HostNow is a host as it is now, with what its documents and the daemon that answers know of it.
type HostNow struct {
	seedlist.HostUse
	Standing HostStanding `json:"standing"`
	// Until is how long that lasts; zero if nobody knows.
	Until time.Time `json:"until,omitzero"`
	// Asking is how this daemon asks the host; nil where none works here, or it does not yet.
	Asking *HostAsking `json:"asking,omitempty"`
	// Last is the last request to it that is known of, without headers; nil: none.
	Last *seedlist.Exchange `json:"last,omitempty"`
	// Later are the seeds that are to be downloaded again, by the code of the error for which they are.
	Later []CodeCount `json:"later,omitzero"`
}

// HostStanding is whether a host may be asked now.
type HostStanding string

const (
	HostFree    HostStanding = "free"
	HostBusy    HostStanding = "busy"
	HostResting HostStanding = "resting"
	HostPaused  HostStanding = "paused"
	HostTurned  HostStanding = "turned"
	// HostAwaited is being asked for its robots.txt, and for documents once that has come.
	HostAwaited HostStanding = "robots"
	// HostClosed has a robots.txt that can't be had, and is not asked for documents until it is asked for again.
	HostClosed HostStanding = "closed"
)

// HostAsking is how a daemon asks a host.
type HostAsking struct {
	// Pause is the seconds between two requests, by the settings, its replies and its robots.txt.
	Pause  float64      `json:"pause"`
	Next   time.Time    `json:"next,omitzero"`   // when it may be asked again, if that is not now
	Robots []HostRobots `json:"robots,omitzero"` // of each scheme that it was asked by
}

// HostRobots is what a robots.txt says.
type HostRobots struct {
	Origin       string    `json:"origin"`
	IsBeingAsked bool      `json:"is_being_asked,omitempty"`
	Asked        time.Time `json:"asked,omitzero"`
	Until        time.Time `json:"until,omitzero"`  // it is kept so long
	Status       int       `json:"status,omitzero"` // of the reply; 0: none came
	Error        string    `json:"error,omitempty"` // why it can't be had, and nothing is asked until then
	// Rules are the first lines that hold for this program; without any, all is allowed.
	Rules []string `json:"rules,omitzero"`
	Total int      `json:"total,omitzero"` // of the rules
	Delay float64  `json:"delay,omitzero"` // seconds between two requests that it asks for, as far as that is kept
}

// CodeCount is how many seeds have a code.
type CodeCount struct {
	Code  string `json:"code"`
	Seeds int64  `json:"seeds"`
}

// More is how many rules are not among the first.
func (r HostRobots) More() int { return r.Total - len(r.Rules) }

// IsByRobots says that the pause between two requests is the one that a robots.txt asks for.
func (h HostNow) IsByRobots() bool {
	return h.Asking != nil && slices.ContainsFunc(h.Asking.Robots,
		func(r HostRobots) bool { return r.Delay > 0 && r.Delay >= h.Asking.Pause })
}

// codesLater bounds the codes of seeds that are to be downloaded again.
const codesLater = 10

// hostNow is a host as it is now; the error is for the client.
func hostNow(ctx context.Context, a *api, name string) (now HostNow, err error) {
	if now.HostUse, err = a.Seeds.Host(ctx, name); err != nil {
		return now, hostProblem(err)
	}
	if a.Daemon.Asking != nil {
		if now.Asking, now.Last, err = a.Daemon.Asking(ctx, now.Host); err != nil {
			return now, problem(err)
		}
	}
	now.stand(time.Now())
	if a.Views == nil {
		return now, nil
	}
	if err := a.catchUp(ctx); err != nil {
		return now, problem(err)
	}
	later, err := a.Views.Among(ctx, views.Query{
		Where: map[views.Facet]string{views.Host: now.Host, views.State: string(seedlist.Added)},
	}, []views.Facet{views.Error}, codesLater)
	if err != nil {
		return now, problem(err)
	}
	for _, c := range later.Facets[views.Error].Counts {
		if code := c.Values[0]; code != "" {
			now.Later = append(now.Later, CodeCount{code, c.Seeds})
		}
	}
	if now.Last == nil {
		now.Last, err = lastRequest(ctx, a, now.Host)
	}
	return now, err
}

// stand finds out whether a host may be asked.
func (h *HostNow) stand(now time.Time) {
	h.Standing, h.Until = HostFree, time.Time{}
	var robots []HostRobots
	if h.Asking != nil {
		robots = h.Asking.Robots
	}
	switch {
	case h.Paused:
		h.Standing = HostPaused
		return
	case h.Turned != nil:
		h.Standing, h.Until = HostTurned, h.Rests
		return
	}
	for i := range robots {
		switch r := &robots[i]; {
		case r.IsBeingAsked:
			h.Standing, h.Until = HostAwaited, time.Time{}
			return
		case r.Error != "" && r.Until.After(now):
			h.Standing, h.Until = HostClosed, r.Until
		}
	}
	switch {
	case h.Standing == HostClosed:
	case h.Rests.After(now):
		h.Standing, h.Until = HostResting, h.Rests
	case h.Busy > 0:
		h.Standing = HostBusy
	}
}

// mostAskedOfLast is how many documents are looked at for the last request to a host: some were not downloaded.
const mostAskedOfLast = 10

// lastRequest is the last one that the records tell of the documents of a host that came to an end last; nil if they
// tell of none.
func lastRequest(ctx context.Context, a *api, host string) (*seedlist.Exchange, error) {
	ended, err := a.page(ctx, &listRequest{
		SeedFilter: SeedFilter{Host: host}, Sort: "-processed", Limit: mostAskedOfLast,
	})
	var last *seedlist.Exchange
	for i := range ended.Seeds {
		for _, e := range ended.Seeds[i].HTTP {
			is, err := seedlist.HostOf(e.URI)
			if err == nil && strings.EqualFold(is, host) && (last == nil || e.Time.After(last.Time)) {
				e.Headers, e.Version = nil, nil
				last = &e
			}
		}
	}
	return last, err
}
