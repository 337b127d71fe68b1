package jsonld

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// loader finds the documents of contexts: in files that were named, else among
// those that are built in. It never asks the network.
type loader struct {
	opt   Options
	known map[string]*jsonread.Value
	held  int64 // the length of those known, in bytes
}

func newLoader(opt Options) *loader { return &loader{opt: opt, known: map[string]*jsonread.Value{}} }

//go:embed context/*.jsonld
var builtIn embed.FS

// builtInNames maps IRIs of contexts, without their scheme, to the files that are
// built in. They mean what those published mean at the time that they name; where the
// publisher has changed one since, --context takes the newer copy.
var builtInNames = map[string]string{
	"schema.org":                                    "schema",
	"www.schema.org":                                "schema",
	"schema.org/docs/jsonldcontext.json":            "schema",
	"schema.org/docs/jsonldcontext.jsonld":          "schema",
	"geojson.org/geojson-ld/geojson-context.jsonld": "geojson",
}

// load finds the document of a context; at is where it is named.
func (e *expander) load(at *jsonread.Value, iri string) (*jsonread.Value, *failure) {
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
	v, found, err := jsonread.One(context.Background(), body, jsonread.Options{Guide: guide{}, Format: formatName,
		MaxBytes: e.opt.MaxContextBytes, MaxWeight: MemoryFactor * e.opt.MaxContextBytes, MaxDepth: e.opt.MaxDepth})
	if err != nil {
		return nil, failed(fault.JSONContextNotAvailable, at, "loading remote context failed: the context <%s> can't be read: %v", iri, err)
	}
	for _, n := range found {
		if n.Severity == fault.Repair { // a place in another file would mislead
			e.say(fault.Notice{Code: n.Code, Severity: n.Severity, Pos: at.Pos, Excerpt: n.Excerpt,
				Message: fmt.Sprintf("in the context <%s>, line %d: %s", iri, n.Line, n.Message)})
		}
	}
	if e.loader.held += v.End; e.loader.held > 4*e.opt.MaxContextBytes {
		clear(e.loader.known) // a document may name any number of them
		clear(e.processed)
		e.loader.held = v.End
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
	if name := builtInName(iri); name != "" && hasWebScheme(iri) {
		return builtIn.Open("context/" + name + ".jsonld")
	}
	return nil, errNoContext
}

func hasWebScheme(iri string) bool {
	scheme, rest, _ := strings.Cut(iri, ":")
	return (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) && strings.HasPrefix(rest, "//")
}

// builtInName finds the file that is built in for a context, whatever the scheme of its IRI and even
// without one. It is "" if there is none.
func builtInName(iri string) string {
	if hasWebScheme(iri) {
		_, iri, _ = strings.Cut(iri, ":")
	}
	host, path, _ := strings.Cut(strings.TrimPrefix(iri, "//"), "/")
	bare, _, _ := strings.Cut(strings.ToLower(host)+"/"+path, "#")
	return builtInNames[strings.TrimSuffix(bare, "/")]
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
