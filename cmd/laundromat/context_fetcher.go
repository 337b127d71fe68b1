package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"laundromat/internal/fetch"
	"laundromat/internal/report"
	"laundromat/internal/rfc3986"
	"laundromat/internal/weblink"
	"laundromat/rdf/format"
	"laundromat/states"
)

// contextFetcher fetches the contexts that documents name (--fetch-contexts). As a crawler it asks
// robots.txt, and makes pauses between requests to one host. It asks for no context twice.
type contextFetcher struct {
	options *washOptions

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
	contextBytes     = 4 << 20  // of a context
	heldContextBytes = 64 << 20 // of all that are kept for further documents
	contextDelay     = 500 * time.Millisecond
	contextTypes     = "application/ld+json;profile=\"http://www.w3.org/ns/json-ld#context\", application/ld+json, application/json;q=0.9, */*;q=0.1"
)

// LoadContext fetches a context, or gives it as it came before.
func (f *contextFetcher) LoadContext(ctx context.Context, iri string) (format.ContextDocument, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.had[iri]; ok {
		return known.document, known.err
	}
	var one fetchedContext
	if one.document, one.err = f.load(ctx, iri, true); ctx.Err() != nil {
		return one.document, ctx.Err()
	}
	if f.held += len(one.document.Text); f.held > heldContextBytes || f.had == nil {
		f.had, f.held = map[string]fetchedContext{}, len(one.document.Text)
	}
	f.had[iri] = one
	return one.document, one.err
}

// load fetches a document. A first one that is no JSON may name its form in JSON-LD, which is taken
// (JSON-LD 1.1 API §9.4.2, LoadDocumentCallback).
func (f *contextFetcher) load(ctx context.Context, iri string, first bool) (d format.ContextDocument, err error) {
	if !isWeb(iri) || strings.HasPrefix(strings.ToLower(iri), "ftp:") {
		return d, errors.New("only http and https are fetched")
	}
	if f.fetcher == nil {
		f.fetcher = fetch.New(fetch.Options{UserAgent: userAgent(f.options.contact), AllowPrivate: f.options.allowPrivate,
			MaxBytes: min(contextBytes, f.options.maxBytes), HostDelay: contextDelay, HostConnections: 1})
	}
	var body bytes.Buffer
	result, err := f.fetcher.Do(ctx, fetch.Request{URI: iri, Accept: contextTypes}, &body)
	if err != nil {
		return d, err
	}
	if last := len(result.Exchanges) - 1; first && last >= 0 && !isJSONType(result.ContentType) {
		for _, link := range weblink.Parse(result.Exchanges[last].Headers["link"]) {
			if link.Has("alternate") && link.Type == "application/ld+json" {
				return f.load(ctx, string(rfc3986.AppendResolved(nil, []byte(result.FinalURI), []byte(link.Target))), false)
			}
		}
	}
	d.IRI = result.FinalURI
	d.Text, err = f.text(ctx, result, body.Bytes())
	return d, err
}

// text is what came, unpacked and in UTF-8.
func (f *contextFetcher) text(ctx context.Context, result *fetch.Result, body []byte) (text []byte, err error) {
	reader := states.TextReader{
		Settings: states.Settings{Settings: format.Settings{MaxMemory: f.options.memory / 4}, Limits: f.options.limits},
		Read: func(_ context.Context, x *states.Text) (err error) {
			if x.Text != nil && text == nil {
				text, err = io.ReadAll(io.LimitReader(x.Text, contextBytes+1))
			}
			return err
		},
		Each: func(d *report.Document) {
			if d.Error != nil {
				err = errors.New(d.Error.Message)
			}
		},
	}
	in := states.Input{Name: result.FinalURI, ContentType: result.ContentType, Codings: result.Codings, Source: bytes.NewReader(body)}
	if stopped := reader.Input(ctx, in); stopped != nil {
		return nil, stopped
	}
	switch {
	case err != nil:
		return nil, err
	case text == nil:
		return nil, errors.New("it has no text")
	case len(text) > contextBytes:
		return nil, fmt.Errorf("it is longer than %v", sizeValue{ptr(int64(contextBytes))})
	}
	return text, nil
}

// isJSONType says that a Content-Type is one of JSON.
func isJSONType(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}
