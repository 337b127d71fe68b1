package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

const (
	// mostMending is how many diffs of repairs are made at once: a document is read several times for one.
	mostMending = 2
	// mostMended is how many bytes of a document are read for one, and longestMending is how long that may take, with
	// the wait for others, where not only the owner of the store asks.
	mostMended     = 64 << 20
	longestMending = time.Minute
)

// diffType is the media type of a diff: its lines are in the encoding of the document.
const diffType = "text/x-diff"

// repairsAPI is the part of the API that sends the repairs of documents.
type repairsAPI struct{ *api }

// HasRepairs says that repairs of a seed's document can be asked for, as far as its record says: it was read as RDF, is
// kept and not too long, and something in it was repaired.
func HasRepairs(seed *seedlist.Seed) bool {
	if seed.Statements == nil || !seed.HasDirty() || seed.Text != nil && seed.Text.NumberOfBytes > mostMended {
		return false
	}
	isNoted := func(kind fault.Mended) bool { return seed.Notices[kind.Code] > 0 }
	return slices.ContainsFunc(fault.Repairs(), isNoted) || slices.ContainsFunc(fault.AskedRepairs(), isNoted)
}

// send sends the repairs of a document as a diff against its bytes as they came, as the commands wash and check write
// it.
func (a repairsAPI) send(w http.ResponseWriter, r *http.Request) {
	seed, ok := a.seedOf(w, r)
	if !ok {
		return
	}
	seed = seed.Served()
	name := a.name(r.Context(), &seed)
	if problem := a.refused(r.Context(), &seed, name); problem != nil {
		writeProblem(w, problem)
		return
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	most, inTime := int64(0), func() bool { return true }
	if !a.Writable {
		most, inTime = mostMended, time.AfterFunc(longestMending, func() { cancel(errLongMending) }).Stop
		defer inTime()
	}
	select {
	case a.mending <- struct{}{}:
	case <-ctx.Done():
		writeProblem(w, unmended(ctx, name, seed.Hash, ctx.Err()))
		return
	}
	isMaking := true
	end := func() {
		if isMaking {
			<-a.mending
			isMaking = false
		}
	}
	defer end()
	to := &begunWriter{to: w, begin: func() {
		inTime()
		end() // what follows is as slow as the client reads
		w.Header().Set("Content-Type", diffType)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		attach(w.Header(), &seed, ".diff", true)
	}}
	err := a.Repairs(ctx, seed, name, most, to)
	switch {
	case err == nil && to.hasBegun:
	case err == nil:
		writeProblem(w, huma.Error404NotFound("nothing in "+name+" was repaired"))
	case to.hasBegun:
		panic(http.ErrAbortHandler) // the reader must not take what came for all
	default:
		writeProblem(w, unmended(ctx, name, seed.Hash, err))
	}
}

// refused says why repairs of a seed can't be made, as far as its record says; nil if they can.
func (a repairsAPI) refused(ctx context.Context, seed *seedlist.Seed, name string) error {
	switch {
	case a.Repairs == nil:
		return huma.Error503ServiceUnavailable("no document can be read here")
	case seed.Status == seedlist.Depleted:
		return huma.Error404NotFound(name + a.containing(ctx, seed, name))
	case seed.Content == nil || seed.Status == seedlist.Cleaned:
		return huma.Error404NotFound(a.whyNotDirty(ctx, seed))
	case seed.Removed.Dirty != nil:
		return huma.Error410Gone(whyRemoved(name, seed.Hash, "bytes", seed.Removed.Dirty))
	}
	return nil
}

// errLongMending ends the making of a diff that takes too long.
var errLongMending = errors.New("it takes too long")

// unmended is the problem of a document whose repairs could not be made.
func unmended(ctx context.Context, name, hash string, err error) error {
	byCommand := fmt.Sprintf("%q and %q make it without a bound", "laundromat get --dirty "+hash, "laundromat check --repairs FILE")
	switch kind := fault.KindOf(err); {
	case errors.Is(context.Cause(ctx), errLongMending):
		slow := huma.Error503ServiceUnavailable(fmt.Sprintf("the diff of %s was not made in %v; %s", name, longestMending, byCommand))
		return huma.ErrorWithHeaders(slow, http.Header{"Retry-After": {"60"}})
	case kind == fault.Limit:
		return huma.Error422UnprocessableEntity(fmt.Sprintf("%s: %s; %s", name, seedlist.ShownIn(err.Error()), byCommand))
	case kind == fault.Data || kind == fault.Refused:
		return huma.Error404NotFound(fmt.Sprintf("no repairs of %s can be shown: %s", name, seedlist.ShownIn(err.Error())))
	}
	return missing(err)
}
