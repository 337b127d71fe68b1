package web

import (
	"context"
	"fmt"

	"laundromat/seedlist"
)

// whyNotClean says of a seed without a clean file which it is, why, and what to do.
func (a *api) whyNotClean(ctx context.Context, seed *seedlist.Seed) string {
	name := a.name(ctx, seed)
	switch {
	case seed.Status == seedlist.Depleted:
		return name + a.containing(ctx, seed, name)
	case seed.Status == seedlist.Parsed:
		return name + " has no clean file: " + whyNotMade(seed, seedlist.ProductStatements) + otherProducts(seed)
	case seed.Status == seedlist.Failed && seed.Error != nil:
		return fmt.Sprintf("%s has no clean file: %s failed: %s (%s); %q says its story, %q tries it again",
			name, seed.Error.Stage, seedlist.ShownIn(seed.Error.Message), seed.Error.Code, "laundromat why "+seed.Hash,
			"laundromat seed retry "+seed.Hash)
	case seed.Relative:
		return name + " has no clean file: it is a relative URI, which is never fetched; add it as it is with its host"
	case seed.Status.IsReady() && seed.Error != nil:
		return fmt.Sprintf("%s has no clean file yet: %s failed: %s (%s); it is tried again at %s, while a daemon runs (\"laundromat "+
			"serve\")",
			name, seed.Error.Stage, seedlist.ShownIn(seed.Error.Message), seed.Error.Code, seed.Due.Format("2006-01-02 15:04:05 MST"))
	}
	return fmt.Sprintf("%s has no clean file yet: it is %s, and is washed while a daemon runs (\"laundromat serve\")", name,
		seed.Status.Words())
}

// otherProducts says how one gets what was made of a document beside statements.
func otherProducts(seed *seedlist.Seed) (how string) {
	before := "; "
	for _, name := range []string{seedlist.ProductRecords, seedlist.ProductArticles} {
		if p := seed.Product(name); p != nil && p.SHA256 != "" {
			how += fmt.Sprintf("%sit has %s: %q", before, name, "laundromat get --"+name+" "+seed.Hash)
			before = ", "
		}
	}
	return how
}

// containing says what an archive holds, and how one gets at it.
func (a *api) containing(ctx context.Context, seed *seedlist.Seed, name string) string {
	format, total := "an archive", int64(0)
	if seed.Archive != nil && seed.Archive.Format != "" && seed.Parent == "" {
		format += " (" + seed.Archive.Format + ")"
	}
	if seed.ChildrenTotal != nil {
		total = *seed.ChildrenTotal
	}
	if len(seed.Children) == 0 {
		return fmt.Sprintf(" has no clean file: it is %s without entries; %q says more", format, "laundromat why "+seed.Hash)
	}
	entry := seed.Children[0]
	if child, err := a.Seeds.Record(ctx, seed.Children[0]); err == nil && child.Archive != nil && child.Archive.EntryBytes == nil &&
		child.Archive.Nth < 2 {
		entry = name + "!/" + child.Archive.Entry
	}
	return fmt.Sprintf(" has no clean file: it is %s of %d entries, each with its own; name one, such as %s (%q lists them)",
		format, total, entry, "laundromat show "+seed.Hash)
}

// whyNotDirty says of a seed without bytes which it is, why, and what to do.
func (a *api) whyNotDirty(ctx context.Context, seed *seedlist.Seed) string {
	name := a.name(ctx, seed)
	if seed.Status == seedlist.Cleaned {
		return name + " is a clean file: name the document that it was washed from"
	}
	if seed.Error != nil {
		return fmt.Sprintf("no bytes of %s came: %s (%s); %q tries it again", name, seedlist.ShownIn(seed.Error.Message), seed.Error.Code,
			"laundromat seed retry "+seed.Hash)
	}
	return fmt.Sprintf("no bytes of %s came yet: it is %s", name, seed.Status.Words())
}

// whyRemoved says that files of a seed are not kept, and what to do.
func whyRemoved(name, hash, what string, removal *seedlist.Removal) string {
	return fmt.Sprintf("the %s of %s were %s; %q makes them again", what, name, removal, "laundromat seed retry --force "+hash)
}

// name is how people know a seed: its URI, or URI!/entry.
func (a *api) name(ctx context.Context, seed *seedlist.Seed) string {
	inner, at := "", *seed
	for at.Parent != "" && at.Archive != nil {
		inner = "!/" + at.Archive.Entry + inner
		parent, err := a.Seeds.Record(ctx, at.Parent)
		if err != nil {
			return seed.Hash
		}
		at = parent
	}
	if at.URI == "" {
		return seed.Hash
	}
	return seedlist.Shown(at.URI) + inner
}
