package storage

import (
	"context"
	"errors"
	"slices"

	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/web"
)

// verify holds the seed list against the files. What was found before an error is counted too.
func (f *Folder) verify(ctx context.Context, found func(web.Verified) error) error {
	sums, err := daemon.Verify(ctx, f.Seeds, f.Files, func(d daemon.Damage) error { return found(verifiedOf(d)) })
	return errors.Join(err, found(web.Verified{Sums: sumsOf(sums)}))
}

// repair is verify that marks what has to be done again.
func (f *Folder) repair(ctx context.Context, found func(web.Verified) error) error {
	sums, err := daemon.Repair(ctx, f.Seeds, f.Files, func(d daemon.Damage) error { return found(verifiedOf(d)) })
	shown := sumsOf(sums)
	shown.Marked = &sums.Marked
	return errors.Join(err, found(web.Verified{Sums: shown}))
}

func verifiedOf(d daemon.Damage) web.Verified {
	v := web.Verified{Hash: d.Hash, File: d.File, Problem: d.Problem, Seed: d.Seed, URI: d.Name}
	if d.Mending != nil {
		mended := actedOn(*d.Mending)
		v.Mended = &mended
	}
	return v
}

func sumsOf(sums daemon.Verified) *web.Sums {
	return &web.Sums{Seeds: sums.Seeds, Files: sums.Files, Bad: sums.Bad, Strays: sums.Strays}
}

// again has seeds washed again.
func (f *Folder) again(ctx context.Context, request web.AgainRequest, seeds []seedlist.Seed) (answers []web.ActedOn, err error) {
	if runner := f.Runner.Load(); runner != nil && request.Makes != "" {
		if made := daemon.ProductsOf(runner); !slices.Contains(made, request.Makes) {
			return nil, &web.NotMadeError{Product: request.Makes, Made: made}
		}
	}
	mender := daemon.NewMender(f.Seeds, f.Files)
	var mendings []daemon.Mending
	if request.Asked == seedlist.Retry {
		mendings, err = mender.Retry(ctx, request.From, request.DryRun, seeds...)
	} else {
		mendings, err = mender.Again(ctx, request.Asked, request.DryRun, seeds...)
	}
	for _, m := range mendings {
		answers = append(answers, actedOn(m))
	}
	return answers, err
}

func actedOn(m daemon.Mending) web.ActedOn {
	acted := web.ActedOn{Hash: m.Hash, URI: m.Name, Follows: m.Follows}
	if m.Err != nil {
		acted.Error = m.Err.Error()
		return acted
	}
	acted.Begins = m.To
	if m.Root != m.Hash {
		acted.With = m.Root
	}
	return acted
}
