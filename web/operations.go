package web

import (
	"context"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// operation is what a method does at a path, as the OpenAPI description says it.
type operation struct {
	method, path string
	register     func(huma.API)
}

// get and its like make an operation whose requests are read into an I, and whose reply is
// made of an O.
func get[I, O any](path string, answer func(context.Context, *I) (*O, error)) operation {
	return operation{http.MethodGet, path, func(s huma.API) { huma.Get(s, path, answer) }}
}

func post[I, O any](path string, answer func(context.Context, *I) (*O, error), more ...func(*huma.Operation)) operation {
	return operation{http.MethodPost, path, func(s huma.API) { huma.Post(s, path, answer, more...) }}
}

func patch[I, O any](path string, answer func(context.Context, *I) (*O, error)) operation {
	return operation{http.MethodPatch, path, func(s huma.API) { huma.Patch(s, path, answer) }}
}

func remove[I, O any](path string, answer func(context.Context, *I) (*O, error)) operation {
	return operation{http.MethodDelete, path, func(s huma.API) { huma.Delete(s, path, answer) }}
}

// serve adds the operations to mux, and the description of them all. Each is made when it is asked
// for first. To describe all takes longer than to answer many requests, and a verb of the command
// line makes one or two.
func (a *api) serve(mux *http.ServeMux, operations []operation) {
	for _, o := range operations {
		mux.Handle(o.method+" "+o.path, onceAsked(func() http.Handler { return a.service(o) }))
	}
	whole := onceAsked(func() http.Handler { return a.service(operations...) })
	for _, suffix := range []string{".json", ".yaml", "-3.0.json", "-3.0.yaml"} {
		mux.Handle("GET "+descriptionPath+suffix, whole)
	}
	mux.Handle("GET "+schemasPath+"/{schema}", whole)
}

const (
	descriptionPath = "/openapi"
	schemasPath     = "/schemas"
)

// service is a handler for operations, and of their description.
func (a *api) service(operations ...operation) http.Handler {
	mux := http.NewServeMux()
	config := huma.DefaultConfig("Laundromat", a.Version)
	config.OpenAPIPath, config.SchemasPath = descriptionPath, schemasPath
	// The defaults serve a page that loads scripts from elsewhere, and put a link to a schema into
	// every object. Records are to be as the store has them.
	config.DocsPath = ""
	config.CreateHooks = nil
	if path := a.Daemon.Site.Path(); path != "" {
		config.Servers = []*huma.Server{{URL: path}}
	}
	service := humago.New(mux, config)
	service.UseMiddleware(refuseStrange(service))
	for _, o := range operations {
		o.register(service)
	}
	return mux
}

// onceAsked is the handler that build returns, which is called at the first request.
func onceAsked(build func() http.Handler) http.Handler {
	handler := sync.OnceValue(build)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) })
}
