package web

import (
	"cmp"
	"context"
	"slices"
	"time"

	"laundromat/seedlist/views"
)

// ranking is the sums of all values of a facet, and the order of their list. It is shared: not to be changed.
type ranking struct {
	sums  views.Sums
	names map[string]string // of values that people know by another name
	order []int32           // places in sums
}

// rankedPublisher is a publisher with what lists are ordered by.
type rankedPublisher struct {
	group *views.Group
	name  string
	// points are the score; without one, they are above all.
	points float64
	age    time.Duration // -1: not known
	place  int32
}

// rankedBy puts the values of a facet in an order, which is known by its name. There may be as many as hosts, so the
// order is kept until something changes.
func (a publishersAPI) rankedBy(ctx context.Context, by views.Facet, name string, order func(x, y *rankedPublisher) int) (ranking, error) {
	fresh := func() (r ranking, err error) {
		if r.names, err = a.names(ctx, by); err != nil {
			return r, err
		}
		if r.sums, err = a.Views.Sums(ctx, by); err != nil {
			return r, problem(err)
		}
		now := time.Now()
		all := make([]rankedPublisher, len(r.sums.Groups))
		ranked := make([]*rankedPublisher, len(all))
		for i := range all {
			g := &r.sums.Groups[i]
			all[i] = rankedPublisher{group: g, name: cmp.Or(r.names[g.Value], g.Value), points: 101, age: -1, place: int32(i)}
			if score := g.Sums.Score().Score; score != nil {
				all[i].points = *score
			}
			if age, ok := g.Age(now); ok {
				all[i].age = age
			}
			ranked[i] = &all[i]
		}
		slices.SortFunc(ranked, order)
		r.order = make([]int32, len(all))
		for i := range ranked {
			r.order[i] = ranked[i].place
		}
		return r, nil
	}
	known := a.Views.AsOf()
	if known.Building { // at one revision they hold more and more
		return fresh()
	}
	return a.ranked.get(by.String()+" "+name, known.Revision, fresh)
}
