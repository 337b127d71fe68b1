package jsonld

import (
	"context"
	"embed"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/fault"
)

// loader finds the documents of contexts: in files that were named, else among
// those that are built in. It never asks the network.
type loader struct {
	opt   Options
	known map[string]*value
}

func newLoader(opt Options) *loader { return &loader{opt: opt, known: map[string]*value{}} }

//go:embed context/*.jsonld
var builtIn embed.FS

// builtInNames maps IRIs of contexts, without their scheme, to the files that are built in.
// That of schema.org is a short one: @vocab, and the properties whose values are
// always IRIs or dates. Values of others stay literals, where the context that
// schema.org publishes may make IRIs of them; --context takes a full copy.
var builtInNames = map[string]string{
	"schema.org":                                    "schema",
	"www.schema.org":                                "schema",
	"schema.org/docs/jsonldcontext.json":            "schema",
	"schema.org/docs/jsonldcontext.jsonld":          "schema",
	"geojson.org/geojson-ld/geojson-context.jsonld": "geojson",
}

// load finds the document of a context; at is where it is named.
func (e *expander) load(at *value, iri string) (*value, *failure) {
	if v := e.loader.known[iri]; v != nil {
		return v, nil
	}
	body, err := e.loader.open(iri)
	if errors.Is(err, errNoContext) {
		return nil, failed(fault.JSONContextNotAvailable, at, "loading remote context failed: the context <%s> is not at hand; give it with --context", iri)
	}
	if err != nil {
		return nil, failed(fault.JSONContextNotAvailable, at, "loading remote context failed: <%s>: %v", iri, err)
	}
	defer body.Close()
	broken := ""
	p := parser{source: newSource(context.Background(), body, e.opt.MaxContextBytes), notice: func(fault.Notice) {},
		maxDepth: e.opt.MaxDepth, names: map[string]string{}}
	v := p.value(false)
	switch {
	case p.err != nil && fault.KindOf(p.err) == fault.Limit:
		broken = "it is too long"
	case p.err != nil:
		broken = p.err.Error()
	case v == nil:
		broken = p.broken.message
	case v.kind == lost || v.partial:
		broken = "a part of it is no JSON"
	}
	if broken != "" {
		return nil, failed(fault.JSONContextNotAvailable, at, "loading remote context failed: the context <%s> can't be read: %s", iri, broken)
	}
	e.loader.known[iri] = v
	return v, nil
}

var errNoContext = errors.New("no such context")

func (l *loader) open(iri string) (io.ReadCloser, error) {
	if file, ok := l.opt.Contexts[iri]; ok {
		return os.Open(file)
	}
	folder, rest := "", ""
	for prefix, dir := range l.opt.Contexts {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(iri, prefix) && (rest == "" || len(iri)-len(prefix) < len(rest)) {
			folder, rest = dir, iri[len(prefix):]
		}
	}
	if rest != "" {
		return openBelow(folder, rest)
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(iri, "https://"), "http://")
	bare, _, _ = strings.Cut(bare, "#")
	if name, ok := builtInNames[strings.TrimSuffix(bare, "/")]; ok && bare != iri {
		return builtIn.Open("context/" + name + ".jsonld")
	}
	return nil, errNoContext
}

// openBelow opens a file that must lie below a folder, whatever its name or links say.
func openBelow(folder, name string) (io.ReadCloser, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNoContext
	}
	return f, err
}
