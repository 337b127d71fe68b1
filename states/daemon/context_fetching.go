package daemon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/states"
)

// contexts fetches the contexts of JSON-LD that documents name, and what may describe tables, as documents are fetched.
// That is after robots.txt, in the turn of their host, within limits, and again where the other side has trouble. What
// is known of each is in the list.
type contexts struct {
	seeds  seedlist.List
	wanted chan struct{} // holds a value when there may be one to fetch
	// atWork are, by the IRI of a context that came or changed, seeds that were at work then. One goroutine has them.
	atWork map[string][]string
	coming coming
	quiet  *quietSites
}

const (
	// contextLease is how long one that is being fetched is left to who does that.
	contextLease = 5 * time.Minute
	// contextLook is how often the list is looked through for some that are due, or that another
	// daemon's documents name.
	contextLook = 30 * time.Second
	// contextsAtOnce are fetched at a time: most wait for their host.
	contextsAtOnce = 8
	contextsListed = 1000
)

func newContexts(seeds seedlist.List) contexts {
	return contexts{seeds: seeds, wanted: make(chan struct{}, 1), atWork: map[string][]string{}, coming: newComing(), quiet: &quietSites{}}
}

// wake has the list looked through soon.
func (c *contexts) wake() {
	select {
	case c.wanted <- struct{}{}:
	default:
	}
}

// want is what is known of a context; one that nobody has named is to be fetched from then on.
func (c *contexts) want(ctx context.Context, iri string) (is seedlist.Context, err error) {
	is, err = c.seeds.Context(ctx, iri)
	if !errors.Is(err, seedlist.ErrNotFound) {
		return is, err
	}
	err = c.seeds.EditContext(ctx, iri, func(known *seedlist.Context) bool {
		isNew := known.Wanted.IsZero()
		if isNew {
			known.Wanted = time.Now().UTC()
			known.Due = known.Wanted
		}
		is = *known
		return isNew
	})
	c.wake()
	return is, err
}

// claim takes a context that is due; false if another has.
func (c *contexts) claim(ctx context.Context, iri string) (is seedlist.Context, claimed bool, err error) {
	err = c.seeds.EditContext(ctx, iri, func(known *seedlist.Context) bool {
		now := time.Now()
		if claimed = !known.Due.After(now); claimed {
			known.Due = now.Add(contextLease).UTC()
			is = *known
		}
		return claimed
	})
	return is, claimed, err
}

// fetchContexts fetches contexts that are due, until the daemon stops.
func (r *Runner) fetchContexts(stopping, working context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	free := make(chan struct{}, contextsAtOnce)
	for {
		next := contextLook
		err := r.eachContext(stopping, func(known *seedlist.Context) error {
			if known.Washing {
				if err := r.washWithContext(stopping, known); err != nil {
					return err
				}
			}
			if known.IsAnswered() {
				return nil
			}
			if left := time.Until(known.Due); left > 0 {
				next = min(next, left)
				return nil
			}
			select {
			case free <- struct{}{}:
			case <-stopping.Done():
				return stopping.Err()
			}
			is, claimed, err := r.contexts.claim(stopping, known.IRI)
			if err != nil || !claimed {
				<-free
				return err
			}
			all.Go(func() {
				defer func() { <-free }()
				r.fetchContext(stopping, working, is)
				r.contexts.coming.tell()
				r.contexts.wake()
			})
			return nil
		})
		if err != nil && stopping.Err() == nil {
			r.log.Warn().Err(err).Msg("contexts could not be looked through")
		}
		select {
		case <-stopping.Done():
			return
		case <-r.contexts.wanted:
		case <-time.After(next):
		}
	}
}

// eachContext calls a function with each context of the list, without its text.
func (r *Runner) eachContext(ctx context.Context, do func(*seedlist.Context) error) error {
	for after := ""; ; {
		page, err := r.seeds.Contexts(ctx, after, contextsListed)
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			if err := do(&page[i]); err != nil {
				return err
			}
		}
		after = page[len(page)-1].IRI
	}
}

// fetchContext fetches a claimed context, and writes down what came of it.
func (r *Runner) fetchContext(stopping, working context.Context, was seedlist.Context) {
	var d format.ContextDocument
	read, types := states.ReadContext, states.ContextTypes
	if was.Metadata != nil {
		read, types = states.ReadMetadata, states.MetadataTypes
	}
	err := states.Safely(func() (err error) {
		d, err = read(working, was.IRI, r.opt.Settings, func(ctx context.Context, uri string) (states.ContextReply, error) {
			return r.contextReply(ctx, uri, types)
		})
		return err
	})
	end := contextEnd{document: d, err: err, interval: r.opt.ContextInterval}
	end.verdict, end.pause = settle(err, was.Tries, stopping.Err() != nil, r.opt.retries())
	written := r.seeds.EditContext(context.WithoutCancel(working), was.IRI, func(known *seedlist.Context) bool {
		if known.Metadata != nil {
			endMetadata(known, end, time.Now())
		} else {
			endContext(known, end, time.Now())
		}
		return true
	})
	what, event := "a context was asked for", r.log.Debug()
	isMetadata := was.Metadata != nil // most tables have none: that is no trouble
	if isMetadata {
		what = "the metadata of a table was asked for"
	}
	if written != nil || err != nil && !isMetadata {
		event = r.log.Warn()
	}
	event.AnErr("trouble", errors.Join(err, written)).Str("context", seedlist.Shown(was.IRI)).Int("bytes", len(d.Text)).Msg(what)
}

// contextReply asks for a document as for any other, and notes how much its hosts have to do.
func (r *Runner) contextReply(ctx context.Context, uri, types string) (reply states.ContextReply, err error) {
	var body bytes.Buffer
	bounded := &boundedWriter{to: &body, left: states.MostContext}
	got, err := r.fetcher.Do(ctx, fetch.Request{URI: uri, Accept: types}, bounded)
	for _, s := range got.Shown {
		noted := r.seeds.Showed(context.WithoutCancel(ctx), s.Host, loadOf(s, r.opt.retries().Most))
		if err == nil {
			err = noted
		}
	}
	switch {
	case bounded.over:
		return reply, fault.New("states.contexts", fault.Limit, fault.LimitBytes, "it is longer than 4 MiB")
	case err != nil:
		return reply, err
	}
	reply = states.ContextReply{FinalURI: got.FinalURI, ContentType: got.ContentType, Codings: got.Codings, Body: body.Bytes()}
	if last := len(got.Exchanges) - 1; last >= 0 {
		reply.Links = got.Exchanges[last].Headers["link"]
	}
	return reply, nil
}

// contextEnd is how a try to fetch a context ended.
type contextEnd struct {
	document format.ContextDocument // that came
	err      error
	verdict  verdict
	pause    time.Duration
	interval time.Duration // after which it is asked for again
}

// endContext changes what is known of a context by how a try ended. One that was had before stays as it was where
// nothing came. This machine's trouble counts as a try here: documents need not wait for ever for what they can do
// without.
func endContext(known *seedlist.Context, end contextEnd, now time.Time) {
	switch end.verdict {
	case succeeded:
		sum := sha256.Sum256(end.document.Text)
		hash := hex.EncodeToString(sum[:])
		known.Washing = known.Washing || known.SHA256 != hash && !known.IsComing()
		known.Text, known.SHA256, known.From, known.Retrieved = end.document.Text, hash, end.document.IRI, now.UTC()
		known.Due, known.Tries, known.Failures, known.Error = now.Add(end.interval).UTC(), 0, 0, nil
		return
	default:
		putOffContext(known, end, now, max(end.interval, againRemote))
	}
}

// putOffContext notes when a context is asked for again that did not come: soon, or after a rest that doubles up to the
// longest. The result says that it is the rest: those who wait go on without the context.
func putOffContext(known *seedlist.Context, end contextEnd, now time.Time, longest time.Duration) (rests bool) {
	switch end.verdict {
	case givenBack:
		known.Due = now.Add(end.pause).UTC()
		return false
	case paused:
		end.pause = contextRest
	}
	known.Error = contextError(end.err)
	known.Tries++
	if end.verdict == retried || end.verdict == paused && known.Tries < contextTries {
		known.Due = now.Add(end.pause).UTC()
		return false
	}
	known.Due = now.Add(min(againRemote<<min(known.Failures, 10), longest)).UTC()
	known.Failures, known.Tries = known.Failures+1, 0
	return true
}

const (
	// contextTries and contextRest are the tries and the pauses between them while this machine has trouble.
	contextTries = 5
	contextRest  = 10 * time.Second
)

// washWithContext has the documents washed again that were washed with another text of a context, or without it. They
// begin with their stored bytes. What is at work may end with the old text: it is looked at again when it has ended.
func (r *Runner) washWithContext(ctx context.Context, known *seedlist.Context) error {
	atWork, isBegun := r.contexts.atWork[known.IRI]
	again, asked, err := []string(nil), 0, error(nil)
	if !isBegun {
		again, asked, err = r.washAllWith(ctx, known)
	} else {
		again, asked, err = r.washThoseWith(ctx, known, atWork)
	}
	if err != nil {
		return err
	}
	if asked > 0 {
		r.log.Info().Str("context", seedlist.Shown(known.IRI)).Int("documents", asked).Msg("documents are washed again, since a context " +
			"came or changed")
	}
	if r.contexts.atWork[known.IRI] = again; len(again) > 0 {
		return nil // it stays asked for
	}
	delete(r.contexts.atWork, known.IRI)
	return r.seeds.EditContext(ctx, known.IRI, func(is *seedlist.Context) bool {
		isSame := is.SHA256 == known.SHA256
		is.Washing = is.Washing && !isSame
		return isSame
	})
}

// washAllWith looks at all seeds.
func (r *Runner) washAllWith(ctx context.Context, known *seedlist.Context) (atWork []string, asked int, err error) {
	for cursor := ""; ; {
		page, next, err := r.seeds.List(ctx, seedlist.Filter{Limit: contextsListed, Cursor: cursor})
		if err != nil {
			return nil, asked, err
		}
		some, n, err := r.washStale(ctx, known, page)
		atWork, asked = append(atWork, some...), asked+n
		if err != nil || next == "" {
			return atWork, asked, err
		}
		cursor = next
	}
}

// washThoseWith looks at seeds that were at work before.
func (r *Runner) washThoseWith(ctx context.Context, known *seedlist.Context, hashes []string) (atWork []string, asked int, err error) {
	var seeds []seedlist.Seed
	for _, hash := range hashes {
		seed, err := r.seeds.Seed(ctx, hash)
		if errors.Is(err, seedlist.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		seeds = append(seeds, seed)
	}
	return r.washStale(ctx, known, seeds)
}

// washStale has those of some seeds washed again that are at rest, and says which are at work.
func (r *Runner) washStale(ctx context.Context, known *seedlist.Context, seeds []seedlist.Seed) (atWork []string, asked int, err error) {
	var stale []seedlist.Seed
	for _, seed := range seeds {
		switch {
		case seed.Status.IsWorking():
			atWork = append(atWork, seed.Hash)
		case seed.Status.IsEnd() && seed.Names(known):
			stale = append(stale, seed)
		}
	}
	if len(stale) > 0 {
		err = washStored(ctx, r.seeds, r.files, stale)
	}
	return atWork, len(stale), err
}

// washStored has seeds washed again from their stored bytes, and fetched where a setting had these removed.
func washStored(ctx context.Context, list Marker, blobs files.Opener, seeds []seedlist.Seed) error {
	mender := NewMender(list, blobs)
	mendings, err := mender.Again(ctx, seedlist.Rewash, false, seeds...)
	var removed []seedlist.Seed
	for i := range mendings {
		if mendings[i].Err != nil && seeds[i].Removed.Dirty != nil {
			removed = append(removed, seeds[i])
		}
	}
	if err != nil || len(removed) == 0 {
		return err
	}
	_, err = mender.Again(ctx, seedlist.Force, false, removed...)
	return err
}
