package states

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/internal/weblink"
	"laundromat/rdf/format"
	"laundromat/report"
)

// MostContext is how many bytes a context of JSON-LD may have that is fetched.
const MostContext = 4 << 20

// ContextTypes is the header Accept of who asks for a context.
const ContextTypes = "application/ld+json;profile=\"http://www.w3.org/ns/json-ld#context\", application/ld+json, application/json;q=0.9, */*;q=0.1"

// ContextReply is what came when a context was asked for.
type ContextReply struct {
	FinalURI, ContentType string
	Codings               []string // of the content
	Links                 []string // values of the header Link
	Body                  []byte
}

// ReadContext has a context fetched by the function get, and gives it unpacked and in UTF-8. What is no JSON may name
// its form in JSON-LD, which is taken (JSON-LD 1.1 API §9.4.2, LoadDocumentCallback). The errors of get stay as they
// are.
func ReadContext(ctx context.Context, iri string, settings Settings, get func(ctx context.Context, uri string) (ContextReply,
	error)) (d format.ContextDocument, err error) {
	if !IsWebIRI(iri) {
		return d, fault.New("states.ReadContext", fault.Refused, fault.TransportUnsupportedScheme, "only http and https are fetched")
	}
	reply, err := get(ctx, iri)
	if err != nil {
		return d, err
	}
	if !isJSONType(reply.ContentType) {
		for _, link := range weblink.Parse(reply.Links) {
			if !link.Has("alternate") || link.Type != "application/ld+json" {
				continue
			}
			other := string(rfc3986.AppendResolved(nil, []byte(reply.FinalURI), []byte(link.Target)))
			if IsWebIRI(other) {
				if reply, err = get(ctx, other); err != nil {
					return d, err
				}
			}
			break
		}
	}
	d.IRI = reply.FinalURI
	d.Text, err = reply.text(ctx, settings)
	return d, err
}

// MetadataTypes is the header Accept of who asks for what may describe a table.
const MetadataTypes = "application/csvm+json, application/ld+json;q=0.9, application/json;q=0.9, */*;q=0.1"

// ReadMetadata has a document fetched that may describe a table, as [ReadContext] does a context.
func ReadMetadata(ctx context.Context, iri string, settings Settings, get func(ctx context.Context, uri string) (ContextReply,
	error)) (d format.ContextDocument, err error) {
	if !IsWebIRI(iri) {
		return d, fault.New("states.ReadMetadata", fault.Refused, fault.TransportUnsupportedScheme, "only http and https are fetched")
	}
	reply, err := get(ctx, iri)
	if err != nil {
		return d, err
	}
	d.IRI = reply.FinalURI
	d.Text, err = reply.text(ctx, settings)
	return d, err
}

// text is what came, unpacked and in UTF-8.
func (r *ContextReply) text(ctx context.Context, settings Settings) (text []byte, err error) {
	reader := TextReader{
		Settings: settings,
		Read: func(_ context.Context, x *Text) (err error) {
			if x.Text != nil && text == nil {
				text, err = io.ReadAll(io.LimitReader(x.Text, MostContext+1))
			}
			return err
		},
		Each: func(d *report.Document) {
			if d.Error != nil {
				err = errors.New(d.Error.Message)
			}
		},
	}
	in := Input{Name: r.FinalURI, ContentType: r.ContentType, Codings: r.Codings, Source: bytes.NewReader(r.Body)}
	if stopped := reader.Input(ctx, in); stopped != nil {
		return nil, stopped
	}
	switch {
	case err != nil:
	case text == nil:
		err = errors.New("it has no text")
	case len(text) > MostContext:
		return nil, fault.New("states.ReadContext", fault.Limit, fault.LimitBytes, "it is longer than 4 MiB")
	}
	if err != nil {
		return nil, &fault.Error{Op: "states.ReadContext", Kind: fault.Data, Code: fault.SyntaxUnreadable, Err: err}
	}
	return text, nil
}

// IsWebIRI says that an IRI has the scheme http or https.
func IsWebIRI(iri string) bool {
	scheme, _, _ := strings.Cut(iri, ":")
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

// isJSONType says that a Content-Type is one of JSON.
func isJSONType(contentType string) bool {
	mediaType, _, _ := strings.Cut(contentType, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	return mediaType == "application/json" || strings.HasSuffix(mediaType, "+json")
}
