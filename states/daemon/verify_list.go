package daemon

import (
	"context"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// inspector is a list that can be damaged, and tells of all that is.
type inspector interface {
	Inspect(ctx context.Context, found func(*seedlist.Damage) error) (records int64, err error)
}

// list looks at the list itself, before it is held against the files.
func (v *verification) list() error {
	list, ok := v.seeds.(inspector)
	if !ok {
		return nil
	}
	_, err := list.Inspect(v.ctx, func(d *seedlist.Damage) error {
		v.sums.Bad++
		return v.found(DamageOfList(d))
	})
	return err
}

// DamageOfList is damage of the list as a fault that verify finds.
func DamageOfList(d *seedlist.Damage) Damage {
	return Damage{Hash: d.Hash, File: d.List, Problem: d.Finding(), InList: true}
}

// IsWhole says that the files of one seed are there, and are what its record says.
func IsWhole(ctx context.Context, seeds seedlist.Reader, blobs files.Blobs, seed *seedlist.Seed) (bool, error) {
	v := verification{ctx: ctx, seeds: seeds, blobs: blobs}
	err := v.look(seed)
	return len(v.faults) == 0, err
}
