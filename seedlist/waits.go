package seedlist

import "time"

// Waits are what a list can't give out now: seeds whose host is left alone, and those that are to be
// tried again later.
type Waits struct {
	// Hosts are the first of the hosts that seeds wait for, in the order of their turns.
	Hosts []HostWait `json:"hosts"`
	// HostsTotal is how many there are.
	HostsTotal int `json:"hosts_total"`
	// Later is how many seeds are to be tried again, counted up to [MostCounted], and Next when
	// the first of them is; zero without any.
	Later int       `json:"later"`
	Next  time.Time `json:"next,omitzero"`
}

// HostWait is a host that seeds wait for.
type HostWait struct {
	Host  string `json:"host"`
	Seeds int    `json:"seeds"` // that wait, counted up to MostCounted
	// Why is paused (by the operator), resting (between two requests, or as it asked), or
	// busy (all of its connections are in use).
	Why WaitCause `json:"why"`
	// Until is when it may be asked again; only of one that rests.
	Until time.Time `json:"until,omitzero"`
}

// WaitCause is why a host is not asked now.
type WaitCause string

const (
	HostPaused  WaitCause = "paused"
	HostResting WaitCause = "resting"
	HostBusy    WaitCause = "busy"
)

// WaitFor is the wait for a host as it is now, which is not asked.
func WaitFor(use HostUse, now time.Time) HostWait {
	w := HostWait{Host: use.Host, Seeds: use.Waiting, Why: HostBusy}
	switch {
	case use.Paused:
		w.Why = HostPaused
	case use.Rests.After(now):
		w.Why, w.Until = HostResting, use.Rests
	}
	return w
}
