package pages

import (
	"net/http"

	"laundromat/seedlist"
	"laundromat/web"
)

// overview is what a person sees first: how much is washed, what is at work, what is stuck and why.
type overview struct {
	Stats  web.Stats
	Funnel []stateCount
	Most   int64 // the largest count of a state
}

// stateCount is how many seeds are in a state.
type stateCount struct {
	State seedlist.State
	N     int64
}

func (s *site) overview(r *http.Request) (page, error) {
	stats, err := s.read.Stats(r.Context())
	if err != nil {
		return page{}, err
	}
	o := overview{Stats: stats}
	for _, state := range seedlist.States() {
		n := stats.States[state]
		o.Funnel = append(o.Funnel, stateCount{state, n})
		o.Most = max(o.Most, n)
	}
	return page{title: "Overview", template: "overview.html", data: o, listens: true}, nil
}
