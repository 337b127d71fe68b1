package jsonld

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf/jsonld/contexts"
)

// ContextLoader finds the documents of contexts that are neither given as files nor in the program.
type ContextLoader interface {
	// LoadContext finds the context that an absolute IRI names. Several readings may call it at once.
	//
	// An error that is ErrContextDue ends the reading, which returns it. With any other error the
	// document is read without the context; the error says why in the notice.
	LoadContext(ctx context.Context, iri string) (ContextDocument, error)
}

// ContextDocument is a context as it came.
type ContextDocument struct {
	Text []byte // JSON in UTF-8; it is only read
	// IRI is where the document was in the end, which relative IRIs in it are resolved against; "" where
	// that is the IRI that named it.
	IRI string
}

// ErrContextDue says that a context is not here yet, but is being fetched. The document is to be read
// again later, from its beginning.
var ErrContextDue = errors.New("a context is still being fetched")

// maxLoads is how many contexts a document may have a loader asked for. Nothing real names so many.
const maxLoads = 100

// loaded is the document of a context.
type loaded struct {
	*jsonread.Value
	from      string // what relative IRIs in it are resolved against
	isShipped bool   // with the program
}

// loader finds the documents of contexts: in files that were named, among those in the program, and
// else by what Options.Loader is.
type loader struct {
	opt   Options
	ask   func(iri string) (ContextDocument, error) // Options.Loader, until the reading ends; nil without one
	asked int
	known map[string]loaded
	held  int64 // the length of those known, in bytes
}

func newLoader(opt Options) *loader { return &loader{opt: opt, known: map[string]loaded{}} }

// askWith has Options.Loader asked for contexts, which ctx may end.
func (l *loader) askWith(ctx context.Context) {
	if with := l.opt.Loader; with != nil {
		l.ask = func(iri string) (ContextDocument, error) {
			document, err := with.LoadContext(ctx, iri)
			if err != nil && ctx.Err() != nil {
				err = &endOfReading{ctx.Err()}
			}
			return document, err
		}
	}
}

// endOfReading is an error with which no reading goes on.
type endOfReading struct{ error }

// load finds the document of a context; at is where it is named.
func (e *expander) load(at *jsonread.Value, iri string) (loaded, *failure) {
	if v, known := e.loader.known[iri]; known {
		return v, nil
	}
	unavailable := func(err error) (loaded, *failure) {
		return loaded{}, failed(fault.JSONContextNotAvailable, at, "loading remote context failed: <%s>: %v", iri, err)
	}
	body, from, err := e.loader.open(iri)
	if err != nil {
		var end *endOfReading
		if errors.As(err, &end) {
			e.failed = end.error
		} else if errors.Is(err, ErrContextDue) {
			e.failed = fmt.Errorf("the context <%s>: %w", iri, err)
		}
		return unavailable(err)
	}
	if body == nil { // the program has it
		return loaded{Value: shippedContext(iri).document(), from: iri, isShipped: true}, nil
	}
	defer body.Close()
	v, found, err := jsonread.One(context.Background(), body, jsonread.Options{Guide: guide{}, Format: formatName,
		MaxBytes: e.opt.MaxContextBytes, MaxWeight: MemoryFactor * e.opt.MaxContextBytes, MaxDepth: e.opt.MaxDepth})
	if err != nil {
		return unavailable(fmt.Errorf("it can't be read: %w", err))
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
	e.loader.known[iri] = loaded{Value: v, from: from}
	return e.loader.known[iri], nil
}

var errNoContext = errors.New("it is not at hand")

// open opens the document of a context, and says what relative IRIs in it are resolved against. There is
// no body for one that the program has.
func (l *loader) open(iri string) (body io.ReadCloser, from string, err error) {
	if file, ok := l.opt.Contexts[iri]; ok {
		body, err = os.Open(file)
		return body, iri, err
	}
	folder, rest := "", ""
	for prefix, dir := range l.opt.Contexts {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(iri, prefix) && (rest == "" || len(iri)-len(prefix) < len(rest)) {
			folder, rest = dir, iri[len(prefix):]
		}
	}
	switch {
	case rest != "":
		body, err = openBelow(folder, rest)
		return body, iri, err
	case contexts.HasWebScheme(iri) && contexts.Named(iri) != nil:
		return nil, iri, nil
	case l.ask == nil:
		return nil, "", errNoContext
	case l.asked >= maxLoads:
		return nil, "", fmt.Errorf("the document names more than %d contexts", maxLoads)
	}
	l.asked++
	document, err := l.ask(iri)
	if document.IRI == "" {
		document.IRI = iri
	}
	return io.NopCloser(bytes.NewReader(document.Text)), document.IRI, err
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
