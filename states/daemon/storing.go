package daemon

import (
	"context"
	"errors"
	"time"

	"laundromat/internal/files"
	"laundromat/seedlist"
)

// store commits files of the claim. While the store of files is away, the claim is held and its files are kept, so
// that nothing is fetched or washed twice: neither here nor by another daemon of the list, for which the seed is at
// work. They are given up when the daemon stops, when the claim is lost, and when the disk that they wait on is short.
//
// Held claims are bounded: the brake is pulled, so that nothing is claimed after them.
func (f *finishing) store(ctx context.Context, pending []files.Pending) error {
	r := f.runner
	err := r.commit(ctx, f.claim, pending)
	if !isUnstored(err) || f.stopping.Err() != nil {
		return err
	}
	r.unstored.Add(1)
	defer r.unstored.Add(-1)
	if f.claim.Stage == seedlist.Downloading && len(f.links) == 0 {
		if err := r.seeds.Rest(context.WithoutCancel(ctx), f.claim, f.done.common().load); err != nil {
			f.log.Debug().Err(err).Msg("its host can't be asked by others before its files are stored")
		}
	}
	// Files without a record may be removed meanwhile: all are committed again.
	r.naming.RUnlock()
	defer r.naming.RLock()
	defer r.showWaiting(ctx, f.claim, "waiting for the store of files")()
	for isUnstored(err) && f.awaitStore(ctx, err) {
		r.naming.RLock()
		err = r.commit(ctx, f.claim, pending)
		r.naming.RUnlock()
	}
	return err
}

// isUnstored says that files could not be stored, and can be committed again.
func isUnstored(err error) bool {
	var unstored *files.UnstoredError
	return errors.As(err, &unstored)
}

// awaitStore pulls the brake, and waits until it is loose. It is false if what waits is to be given up.
func (f *finishing) awaitStore(ctx context.Context, why error) bool {
	r := f.runner
	f.brake.pull(why)
	tick := time.NewTicker(r.opt.ProbeEvery)
	defer tick.Stop()
	for loosened := f.brake.wait(); loosened != nil; {
		select {
		case <-loosened:
			loosened = nil
		case <-f.stopping.Done():
			return false
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		if err := r.files.Short(); err != nil {
			f.log.Warn().Err(err).Msg("given up before it could be stored: the disk is short")
			return false
		}
	}
	return true
}
