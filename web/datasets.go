package web

import (
	"context"
	"slices"

	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/views"
	"laundromat/web/metadata"
)

// Datasets answers about the washed documents, as a [Reader] does about all seeds.
type Datasets struct{ *Reader }

// DatasetPage are washed documents in the order of their age, by numbers that never change.
type DatasetPage struct {
	Seeds []seedlist.Seed
	Next  string // the cursor of the next page; "" at the end
}

// Page is a page of the washed documents: those of [metadata.IsDataset]. A cursor stays good whatever changes.
func (r Datasets) Page(ctx context.Context, cursor string, limit int) (page DatasetPage, err error) {
	if err = r.viewedWhole(ctx); err != nil {
		return page, err
	}
	numbers, next, err := r.datasetNumbers(ctx, cursor, limit)
	if err != nil {
		return page, problem(err)
	}
	page.Next = next
	page.Seeds, err = r.whole(ctx, numbers)
	return page, err
}

// whole are the datasets of these numbers.
func (r Datasets) whole(ctx context.Context, numbers []uint64) ([]seedlist.Seed, error) {
	seeds, err := r.a.Seeds.Whole(ctx, numbers...)
	if err != nil {
		return nil, problem(err)
	}
	return slices.DeleteFunc(seeds, func(seed seedlist.Seed) bool { return !metadata.IsDataset(&seed) }), nil
}

// viewedWhole says that the views hold all seeds.
func (r Datasets) viewedWhole(ctx context.Context) error {
	if r.a.Views == nil || r.a.Views.AsOf().Building {
		return r.a.notViewed()
	}
	return r.viewed(ctx)
}

// served are the two lists that the datasets are in.
var served = [...]map[views.Facet]string{
	{views.State: string(seedlist.Parsed)},
	{views.Product: seedlist.ProductStatements},
}

// datasetNumbers joins the two lists of datasets from a cursor on. Both are in the order of the numbers.
func (r Datasets) datasetNumbers(ctx context.Context, cursor string, limit int) (numbers []uint64, next string, err error) {
	after, err := seedlist.ReadCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	isMore, reached := false, ^uint64(0) // up to which number both lists are known
	for _, where := range served {
		page, err := r.a.Views.List(ctx, views.Query{Where: where, Cursor: cursor, Limit: limit})
		if err != nil {
			return nil, "", err
		}
		numbers = append(numbers, page.Numbers...)
		if page.Next != "" {
			last, err := seedlist.ReadCursor(page.Next)
			if err != nil {
				return nil, "", err
			}
			isMore, reached = true, min(reached, last)
		}
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if i, _ := slices.BinarySearch(numbers, reached+1); isMore && reached != ^uint64(0) {
		numbers = numbers[:i]
	}
	if len(numbers) > limit {
		isMore, numbers = true, numbers[:limit]
		reached = numbers[limit-1]
	}
	if isMore && reached > after {
		next = seedlist.CursorAfter(reached)
	}
	return numbers, next, nil
}

// Count is how many datasets there are on all pages.
func (r Datasets) Count(ctx context.Context) (n int64, err error) {
	if err = r.viewedWhole(ctx); err != nil {
		return 0, err
	}
	n, err = r.datasets.get("", r.AsOf().Revision, func() (int64, error) { return r.countDatasets(ctx) })
	return n, problem(err)
}

// countDatasets adds up the documents that are parsed and those in another state whose last good wash is served.
func (r Datasets) countDatasets(ctx context.Context) (n int64, err error) {
	for _, state := range seedlist.States() {
		if state == seedlist.Cleaned {
			continue
		}
		q := views.Query{Where: map[views.Facet]string{views.State: string(state)}, Limit: views.MostLooked}
		if state != seedlist.Parsed {
			q.Where[views.Product] = seedlist.ProductStatements
		}
		for {
			page, err := r.a.Views.List(ctx, q)
			if err != nil {
				return 0, err
			}
			n += int64(len(page.Numbers))
			if q.Cursor = page.Next; q.Cursor == "" {
				break
			}
		}
	}
	return n, nil
}

// LastNumber is the greatest number of a seed; 0 without any.
func (r Datasets) LastNumber(ctx context.Context) (uint64, error) {
	if err := r.viewedWhole(ctx); err != nil {
		return 0, err
	}
	page, err := r.a.Views.List(ctx, views.Query{Descending: true, Limit: 1})
	if err != nil || len(page.Numbers) == 0 {
		return 0, problem(err)
	}
	return page.Numbers[0], nil
}

// UpTo visits the datasets after a number, up to another. A seed lives until visit returns.
func (r Datasets) UpTo(ctx context.Context, after, last uint64, visit func(*seedlist.Seed)) error {
	if err := r.viewedWhole(ctx); err != nil {
		return err
	}
	for cursor := seedlist.CursorAfter(after); cursor != ""; {
		numbers, next, err := r.datasetNumbers(ctx, cursor, mostListed)
		if err != nil {
			return problem(err)
		}
		if i, _ := slices.BinarySearch(numbers, last+1); i < len(numbers) {
			numbers, next = numbers[:i], ""
		}
		some, err := r.whole(ctx, numbers)
		if err != nil {
			return err
		}
		for i := range some {
			visit(&some[i])
		}
		if cursor = next; cursor != "" {
			if at, err := seedlist.ReadCursor(cursor); err != nil || at >= last {
				cursor = ""
			}
		}
	}
	return nil
}

// Described is what is known of a seed, to be described. With whole, that is also its log and what it says.
func (r Datasets) Described(ctx context.Context, seed seedlist.Seed, whole bool) (d metadata.Dataset, err error) {
	d = metadata.Dataset{Seed: seed, Name: r.a.name(ctx, &seed)}
	if !whole {
		return d, nil
	}
	if seed.Status != seedlist.Cleaned {
		if d.Attempts, err = r.a.Seeds.Attempts(ctx, seed.Hash); err != nil {
			return d, problem(err)
		}
	}
	d.Statistics, err = r.statisticsIfAny(ctx, &seed)
	return d, err
}

// statisticsIfAny are the statistics of the clean file of a seed; nil where there is none, or where it is too long
// to be counted now.
func (r Datasets) statisticsIfAny(ctx context.Context, seed *seedlist.Seed) (*statistics.Statistics, error) {
	clean := seed.CleanFile()
	if clean == "" {
		return nil, nil
	}
	counted, err := cleanStatistics(ctx, r.a, clean)
	if err != nil && ProblemOf(err).Status == 404 {
		return nil, nil
	}
	return counted, err
}
