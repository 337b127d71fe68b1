package daemon

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

const (
	// maxMirrors is how many mirrors of one document are asked in one try.
	maxMirrors = 5
	// mirrorPatience is how long the turn of a mirror's host is waited for.
	mirrorPatience = 30 * time.Second
)

// mirrorsOf are the URIs at which a catalog says that a seed's document is, too. A
// catalog never leads to the files of this machine.
func mirrorsOf(seed *seedlist.Seed) (uris []string) {
	seen := map[string]bool{seed.Hash: true}
	for uri := range strings.FieldsSeq(seed.Claims[catalog.Mirrors]) {
		u, err := seedlist.ParseURI(uri)
		if err != nil || u.Relative || u.IsFile() || seen[u.Hash()] || len(uris) == maxMirrors {
			continue
		}
		seen[u.Hash()] = true
		uris = append(uris, u.Given)
	}
	return uris
}

// failsForGood says that a download that ended in err is not tried again.
func (r *Runner) failsForGood(claim seedlist.Claim, err error) bool {
	switch fault.KindOf(err) {
	case fault.Refused:
		return true
	case fault.Remote:
		return claim.Try >= r.opt.retries().Tries
	}
	return false
}

// fromMirrors asks the mirrors of a seed whose own URI gave failure, one after the other,
// until one gives the document. If none gives it, the error is one that calls for another try, where
// a mirror may give it later, or else failure.
func (d *download) fromMirrors(ctx context.Context, request fetch.Request, failure error) error {
	r, seed := d.runner, &d.claim.Seed
	mirrors := mirrorsOf(seed)
	var last, later error
	for _, uri := range mirrors {
		if err := d.body.restart(); err != nil {
			return err
		}
		request.URI, request.Part, request.Patience, request.Claimed = uri, nil, mirrorPatience, false
		got, err := r.fetcher.Do(ctx, request, d.told)
		d.fetched = got
		d.exchanges = append(d.exchanges, exchangesOf(got)...)
		r.shown(ctx, got, seed)
		if err == nil {
			d.mirror = uri
			return nil
		}
		last = err
		switch kind := fault.KindOf(err); {
		case ctx.Err() != nil, kind == fault.Local, kind == fault.Bug:
			return err
		case !r.failsForGood(d.claim, err) && (kind == fault.Remote || kind == fault.Stopped):
			later = err
		}
	}
	switch {
	case later != nil:
		return later
	case last != nil:
		return withMirrors(failure, last, len(mirrors))
	}
	return failure
}

// withMirrors is failure, which says too that n mirrors failed, the last with last.
func withMirrors(failure, last error, n int) error {
	all := fault.Error{Op: "states.downloading", Kind: fault.KindOf(failure), Code: fault.CodeOf(failure)}
	var e *fault.Error
	if errors.As(failure, &e) {
		all.After = e.After
	}
	all.Err = fmt.Errorf("%w; nor did %d mirrors give it, the last: %v", failure, n, last)
	return &all
}
