package storage

import (
	"context"
	"errors"
	"maps"
	"slices"

	"laundromat/internal/fault"
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
	if request.Makes != "" {
		if seeds, err = daemon.NewRecipes(f.Seeds).Making(ctx, request.Makes, seeds); err != nil {
			return nil, err
		}
	}
	if request.Recipe != "" {
		if seeds, err = daemon.NewRecipes(f.Seeds).Concerned(ctx, request.Recipe, seeds); err != nil {
			return nil, err
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

// errNotBegun says that the daemon is about to begin.
var errNotBegun = errors.New("the daemon begins: ask again in a moment")

// beside washes a document beside.
func (f *Folder) beside(ctx context.Context, seed seedlist.Seed) (b web.Beside, err error) {
	runner := f.Runner.Load()
	if runner == nil {
		return b, errNotBegun
	}
	found, err := daemon.WashBeside(ctx, runner, seed)
	if err != nil {
		return b, err
	}
	b = web.Beside{From: found.From, To: found.To, Added: found.Added, Removed: found.Removed, Codes: map[fault.Code]web.CodeChange{}}
	for code, n := range found.Before {
		b.Codes[code] = web.CodeChange{Before: n, After: found.After[code]}
	}
	for code, n := range found.After {
		b.Codes[code] = web.CodeChange{Before: found.Before[code], After: n}
	}
	maps.DeleteFunc(b.Codes, func(_ fault.Code, c web.CodeChange) bool { return c.Before == c.After })
	b.Failed, b.FailedBefore = codeIn(found.Failed), codeIn(found.FailedBefore)
	return b, nil
}

// codeIn is the code of an error; "" without one.
func codeIn(err error) string {
	if err == nil {
		return ""
	}
	return string(fault.CodeOf(err))
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
