package web

import (
	"context"
	"slices"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// damages are the sentences about records that a list goes on behind, since they can't be read.
type damages []string

// tell takes one more.
func (d *damages) tell(damage *seedlist.Damage) { *d = append(*d, damage.Error()) }

// mostUnread is how many records that can't be read the first page of a list tells of.
const mostUnread = 100

// unread are the sentences about records that can't be read. On the first page they are of those that the
// views know of, on each page of those that it would show.
func (a *api) unread(ctx context.Context, q *views.Query, numbers []uint64, here []seedlist.Seed) (told damages, err error) {
	var all []uint64
	if q.Cursor == "" {
		if all, err = a.Views.Unread(ctx, mostUnread); err != nil {
			return nil, err
		}
	}
	if len(here) < len(numbers) {
		for _, number := range numbers {
			one, err := a.Seeds.Whole(ctx, number)
			if err != nil {
				return nil, err
			}
			if len(one) == 0 { // or removed meanwhile: then there is nothing to tell
				all = append(all, number)
			}
		}
	}
	tellOnce := func(damage *seedlist.Damage) {
		if !slices.Contains(told, damage.Error()) {
			told.tell(damage)
		}
	}
	for _, number := range all {
		// The list tells of what it can't read on its way to the next seed.
		only := seedlist.Filter{Cursor: seedlist.CursorAfter(number - 1), Limit: 1, Damaged: tellOnce}
		if _, _, err := a.Seeds.List(ctx, only); err != nil {
			return nil, err
		}
	}
	return told, nil
}
