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
		return claim.Try >= r.opt.Retries.Tries
	}
	return false
}

// fromMirrors asks the mirrors of a seed whose own URI gave failure, one after the other,
// until one gives the document. It returns what the last one gave, all exchanges, and
// which it was; if none gave it, the error is one that calls for another try, where a
// mirror may give it later, or else failure.
func (r *Runner) fromMirrors(ctx context.Context, claim seedlist.Claim, request fetch.Request, body *partial, told *told, exchanges []seedlist.Exchange, failure error) (*fetch.Result, []seedlist.Exchange, string, error) {
	seed := &claim.Seed
	mirrors := mirrorsOf(seed)
	var fetched *fetch.Result
	var last, later error
	for _, uri := range mirrors {
		if err := body.restart(); err != nil {
			return fetched, exchanges, "", err
		}
		request.URI, request.Part, request.Patience = uri, nil, mirrorPatience
		got, err := r.fetcher.Do(ctx, request, told)
		fetched = got
		exchanges = append(exchanges, exchangesOf(got)...)
		r.shown(got, seed)
		if err == nil {
			return got, exchanges, uri, nil
		}
		last = err
		switch kind := fault.KindOf(err); {
		case ctx.Err() != nil, kind == fault.Local, kind == fault.Bug:
			return got, exchanges, "", err
		case !r.failsForGood(claim, err) && (kind == fault.Remote || kind == fault.Stopped):
			later = err
		}
	}
	switch {
	case later != nil:
		return fetched, exchanges, "", later
	case last != nil:
		var e *fault.Error
		told := fault.Error{Op: "states.downloading", Kind: fault.KindOf(failure), Code: fault.CodeOf(failure)}
		if errors.As(failure, &e) {
			told.After = e.After
		}
		told.Err = fmt.Errorf("%w; nor did %d mirrors give it, the last: %v", failure, len(mirrors), last)
		return fetched, exchanges, "", &told
	}
	return fetched, exchanges, "", failure
}
