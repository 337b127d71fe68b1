package daemon

import (
	"context"
	"errors"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// Repair is [Verify] that marks what has to be done again, so that what is damaged or missing is
// made again. A seed whose stored bytes are whole is washed again from these, any other is fetched
// without conditions. A member goes back to its archive. The Mending of each fault says what was
// marked, or why nothing could be. Nothing is removed, and no network is used: the daemon does the rest.
func Repair(ctx context.Context, seeds Marker, blobs files.Blobs, found func(Damage) error) (Verified, error) {
	r := repair{ctx: ctx, mender: NewMender(seeds, blobs), found: found}
	sums, err := Verify(ctx, seeds, blobs, r.add)
	if err == nil {
		err = r.flush()
	}
	sums.Marked = r.marked
	return sums, err
}

// repairBatch is how many faults are marked at once.
const repairBatch = 500

type repair struct {
	ctx    context.Context
	mender *Mender
	found  func(Damage) error
	faults []Damage
	marked int64
}

func (r *repair) add(fault Damage) error {
	r.faults = append(r.faults, fault)
	if len(r.faults) < repairBatch {
		return nil
	}
	return r.flush()
}

// flush marks what the faults need, and tells of them.
func (r *repair) flush() error {
	var seeds []seedlist.Seed
	first := make([]int, len(r.faults)+1) // of the seeds of each fault
	for i := range r.faults {
		fault := &r.faults[i]
		if !fault.Stray && !fault.InList {
			makers, err := r.makersOf(fault)
			if err != nil {
				return err
			}
			seeds = append(seeds, makers...)
		}
		first[i+1] = len(seeds)
	}
	mendings, err := r.mender.Again(r.ctx, seedlist.Repair, false, seeds...)
	if err != nil {
		return err
	}
	for i := range r.faults {
		fault := &r.faults[i]
		if !fault.Stray && !fault.InList {
			fault.Mending = mendingOf(fault, mendings[first[i]:first[i+1]])
			if fault.Mending.Err == nil {
				r.marked++
			}
		}
		if err := r.found(*fault); err != nil {
			return err
		}
	}
	r.faults = r.faults[:0]
	return nil
}

// errOldVersion says that a clean file of an older version can't be made again.
var errOldVersion = errors.New("it is of an older version, and the bytes that it was washed from are gone")

// mendingOf is what is said of a fault. One seed that makes the file again is enough.
func mendingOf(fault *Damage, of []Mending) *Mending {
	for i := range of {
		if of[i].Err == nil {
			return &of[i]
		}
	}
	if len(of) > 0 {
		return &of[0]
	}
	return &Mending{Hash: fault.Seed, Name: fault.Name, Err: errOldVersion}
}

// makersOf are the seeds of which a wash makes the file of a fault again. Of a clean file these are
// all that were washed to it: another version may wash one of them to other lines.
func (r *repair) makersOf(fault *Damage) ([]seedlist.Seed, error) {
	seed, err := r.mender.seeds.Seed(r.ctx, fault.Hash)
	if errors.Is(err, seedlist.ErrNotFound) || errors.As(err, new(*seedlist.Damage)) {
		return nil, nil
	}
	if err != nil || seed.Status != seedlist.Cleaned {
		return []seedlist.Seed{seed}, err
	}
	var makers []seedlist.Seed
	for _, hash := range append([]string{seed.Dirty}, seed.AlsoDirty...) {
		dirty, err := r.mender.seeds.Record(r.ctx, hash)
		if errors.Is(err, seedlist.ErrNotFound) || errors.As(err, new(*seedlist.Damage)) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// One that is marked already names it as that of the bytes before, as does one that came to nothing since.
		if dirty.Clean == seed.Hash || dirty.Previous == seed.Hash {
			makers = append(makers, dirty)
		}
	}
	return makers, nil
}
