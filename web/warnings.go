package web

import (
	"context"
	"fmt"
	"slices"

	"laundromat/seedlist"
	"laundromat/seedlist/views"
)

// WashedBy is how many seeds a version of the program washed last.
type WashedBy struct {
	Washer string `json:"washer"`
	Seeds  int64  `json:"seeds"`
}

// String says it in words.
func (w WashedBy) String() string {
	if w.Seeds == 1 {
		return "1 document was washed by " + w.Washer
	}
	digits := fmt.Sprint(w.Seeds)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits + " documents were washed by " + w.Washer
}

// OtherWashers counts the seeds that other versions than this one washed last, the most first. It is nil while lists
// are made anew, and where none are kept.
func OtherWashers(ctx context.Context, lists *views.Views, version string) []WashedBy {
	if lists == nil || lists.AsOf().Building {
		return nil
	}
	counts, err := lists.Count(ctx, []views.Facet{views.Washer}, mostWashers)
	if err != nil {
		return nil // the lists say why when they are asked for
	}
	var all []WashedBy
	for _, c := range counts.Counts {
		if washer := c.Values[0]; washer != version && washer != "" {
			all = append(all, WashedBy{washer, c.Seeds})
		}
	}
	return all
}

// washersMeant are the versions that washed seeds and are meant by the name of one, or of a release; nil while lists
// are made anew.
func washersMeant(ctx context.Context, lists *views.Views, meant string) (all []string) {
	counts, err := lists.Count(ctx, []views.Facet{views.Washer}, mostWashers)
	if err != nil {
		return nil // the lists say why when they are asked for
	}
	for _, c := range counts.Counts {
		if seedlist.IsWasher(c.Values[0], meant) {
			all = append(all, c.Values[0])
		}
	}
	slices.Sort(all)
	return all
}

// catalogWarnings say how many catalogs failed, or named no document any more.
func catalogWarnings(health seedlist.CatalogHealth) (all []string) {
	if health.Failed > 0 {
		all = append(all, fmt.Sprintf("catalogs whose last harvest failed: %d", health.Failed))
	}
	if health.Empty > 0 {
		all = append(all, fmt.Sprintf("catalogs that named no document: %d", health.Empty))
	}
	return all
}

// warningsOf wait for an operator, and say nothing against the daemon. No name is among them.
func warningsOf(ctx context.Context, seeds Seeds) []string {
	health, err := seedlist.CatalogHealthOf(ctx, seeds.Catalogs)
	if err != nil {
		return nil
	}
	return catalogWarnings(health)
}
