package daemon

import (
	"context"
	"strings"

	"laundromat/seedlist"
)

// The page of a feed's entry that has no content becomes a seed, whose article is its own.

// leadToEntries makes seeds of the pages of entries. They have the priority and the interval of the feed. A recipe that
// makes articles of the feed makes those of the pages too; its spec, if it has one, is for the feed alone.
func (w *parseWork) leadToEntries(ctx context.Context) error {
	if len(w.entries) == 0 || w.inPlace {
		return nil
	}
	f, err := w.runner.newFollower(ctx, w.claim.Seed)
	if err != nil || f == nil {
		return err
	}
	for _, e := range w.claim.Seed.HTTP {
		if u, err := seedlist.ParseURI(e.URI); err == nil {
			f.seen[u.Hash()] = true // where redirects led: that gave the feed
		}
	}
	for _, uri := range w.entries {
		document, _, _ := strings.Cut(uri, "#")
		f.uri(document)
	}
	if w.by != nil && w.by.Spec == nil && w.by.Pages == nil {
		for i := range f.named {
			f.named[i].Recipe = w.use.Name
		}
	}
	if n, over := f.notice(); over {
		w.found.Collector.Notice(n)
	}
	w.ofEntries = f
	return nil
}
