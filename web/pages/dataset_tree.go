package pages

import (
	"context"

	"laundromat/seedlist"
)

// tree is where a seed lies in archives, and what lies in it.
type tree struct {
	Above    []branch // from the outermost on
	Here     branch
	Entries  []branch
	Total    int64 // of entries
	IsBundle bool  // it is an archive
	// Alike are other documents that are washed to the same; Dirty is what a clean file was washed from.
	Alike      []branch
	AlikeTotal int64
}

// branch is a seed in the tree.
type branch struct {
	Hash   string
	Name   string
	Layers []string // filters and the format of an archive, the outermost first
	State  seedlist.State
	Size   int64 // of its bytes; -1 if not known
	Format string
	Error  string // the code
	IsGone bool
}

// branchOf describes a seed.
func branchOf(seed *seedlist.Seed) branch {
	b := branch{Hash: seed.Hash, Name: seedlist.Shown(seed.URI), State: stateOf(seed), Format: seed.Format, Size: -1}
	if a := seed.Archive; a != nil {
		b.Layers = append(b.Layers, a.Filters...)
		if seed.Parent != "" {
			b.Name = a.Entry // its format is that of the archive which it lies in
		} else if a.Format != "" {
			b.Layers = append(b.Layers, a.Format)
		}
	}
	if b.Name == "" {
		b.Name = seed.Hash
	}
	if seed.Content != nil {
		b.Size = seed.Content.NumberOfBytes
	}
	if seed.Error != nil {
		b.Error = string(seed.Error.Code)
	}
	b.IsGone = seed.Gone != nil && *seed.Gone
	return b
}

func (s *site) treeOf(ctx context.Context, seed *seedlist.Seed) (t tree, err error) {
	above, err := s.read.Ancestors(ctx, seed)
	if err != nil {
		return t, err
	}
	for i := range above {
		t.Above = append(t.Above, branchOf(&above[i]))
	}
	t.Here = branchOf(seed)
	t.IsBundle = seed.Status == seedlist.Depleted || len(seed.Children) > 0
	if seed.ChildrenTotal != nil {
		t.Total = *seed.ChildrenTotal
	}
	if t.Entries, err = s.branches(ctx, seed.Children, datasetEntries); err != nil {
		return t, err
	}
	alike := seed.AlsoDirty
	if seed.Status == seedlist.Cleaned && seed.Dirty != "" {
		alike = append([]string{seed.Dirty}, alike...)
		t.AlikeTotal = 1
	}
	if seed.AlsoDirtyTotal != nil {
		t.AlikeTotal += *seed.AlsoDirtyTotal
	} else {
		t.AlikeTotal += int64(len(seed.AlsoDirty))
	}
	t.Alike, err = s.branches(ctx, alike, datasetAlike)
	return t, err
}

// branches describes the first of some seeds.
func (s *site) branches(ctx context.Context, hashes []string, most int) (all []branch, err error) {
	seeds, err := s.read.Records(ctx, hashes[:min(len(hashes), most)])
	for i := range seeds {
		all = append(all, branchOf(&seeds[i]))
	}
	return all, err
}
