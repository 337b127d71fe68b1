package inputs

import (
	"bytes"
	"context"
	"sync"
	"time"

	"laundromat/archive"
	"laundromat/internal/fetch"
	"laundromat/rdf/format"
	"laundromat/states"
)

// Contexts fetches the contexts that documents name. As a crawler it asks
// robots.txt, and makes pauses between requests to one host. It asks for no context twice.
type Contexts struct {
	Fetch  fetch.Options // UserAgent, AllowPrivate and MaxBytes
	Memory int64         // of which a context may take a quarter, in bytes
	Limits archive.Limits

	mu      sync.Mutex
	fetcher *fetch.Fetcher // nil until one is wanted
	had     map[string]fetchedContext
	held    int // the length of those had, in bytes
}

type fetchedContext struct {
	document format.ContextDocument
	err      error
}

const (
	heldContextBytes = 64 << 20 // of all that are kept for further documents
	contextDelay     = 500 * time.Millisecond
)

// LoadContext fetches a context, or gives it as it came before.
func (f *Contexts) LoadContext(ctx context.Context, iri string) (format.ContextDocument, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.had[iri]; ok {
		return known.document, known.err
	}
	var one fetchedContext
	if one.document, one.err = f.load(ctx, iri); ctx.Err() != nil {
		return one.document, ctx.Err()
	}
	if f.held += len(one.document.Text); f.held > heldContextBytes || f.had == nil {
		f.had, f.held = map[string]fetchedContext{}, len(one.document.Text)
	}
	f.had[iri] = one
	return one.document, one.err
}

// load fetches a document.
func (f *Contexts) load(ctx context.Context, iri string) (format.ContextDocument, error) {
	if f.fetcher == nil {
		options := f.Fetch
		options.MaxBytes = min(states.MostContext, options.MaxBytes)
		options.HostDelay, options.HostConnections = contextDelay, 1
		f.fetcher = fetch.New(options)
	}
	settings := states.Settings{Settings: format.Settings{MaxMemory: f.Memory / 4}, Limits: f.Limits}
	return states.ReadContext(ctx, iri, settings, func(ctx context.Context, uri string) (r states.ContextReply, err error) {
		var body bytes.Buffer
		result, err := f.fetcher.Do(ctx, fetch.Request{URI: uri, Accept: states.ContextTypes}, &body)
		if err != nil {
			return r, err
		}
		r = states.ContextReply{FinalURI: result.FinalURI, ContentType: result.ContentType, Codings: result.Codings, Body: body.Bytes()}
		if last := len(result.Exchanges) - 1; last >= 0 {
			r.Links = result.Exchanges[last].Headers["link"]
		}
		return r, nil
	})
}
