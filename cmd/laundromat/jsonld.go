package main

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"laundromat/internal/rfc3986"
	"laundromat/rdf/format"
)

// jsonLDFlags are the flags about how JSON-LD is processed.
type jsonLDFlags struct {
	mode, direction, expand string
}

func (f *jsonLDFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.expand, "expand-context", "", "IRI or FILE of a JSON-LD context that every document begins with, before its own")
	flags.StringVar(&f.mode, "json-ld-mode", "1.1", "1.1: read JSON-LD 1.1 and 1.0; 1.0: features that only JSON-LD 1.1 has are faults")
	flags.StringVar(&f.direction, "rdf-direction", "", "how JSON-LD's base directions are written: i18n-datatype, compound-literal,\nor "+
		"dir-lang-string (RDF 1.2); default: left out, with a warning")
}

// processing checks the flags. A context that is a file joins contexts under its
// file: IRI.
func (f *jsonLDFlags) processing(contexts map[string]string, loader format.ContextLoader) (p format.JSONLDProcessing, err error) {
	if f.mode != "" && p.Mode.Set(f.mode) != nil {
		return p, usage("--json-ld-mode is 1.1 or 1.0, not %q", f.mode)
	}
	if f.direction != "" && p.Direction.Set(f.direction) != nil {
		return p, usage("--rdf-direction is i18n-datatype, compound-literal or dir-lang-string, not %q", f.direction)
	}
	if p.ExpandContext = f.expand; f.expand == "" {
		return p, nil
	}
	if _, err := os.Stat(f.expand); err == nil {
		file, err := filepath.Abs(f.expand)
		if err != nil {
			return p, err
		}
		p.ExpandContext = (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()
		contexts[p.ExpandContext] = file
	} else if !rfc3986.IsAbsolute([]byte(f.expand)) {
		return p, usage("--expand-context: %w", err)
	}
	if err := p.Check(contexts, loader); err != nil {
		return p, usage("--expand-context: %w", err)
	}
	return p, nil
}

// contextFiles reads --context flags.
func contextFiles(flags []string) (map[string]string, error) {
	contexts := map[string]string{}
	for _, flag := range flags {
		iri, file, ok := strings.Cut(flag, "=")
		if !ok || iri == "" || file == "" {
			return nil, usage("--context is IRI=FILE, not %q", flag)
		}
		if _, err := os.Stat(file); err != nil {
			return nil, usage("--context: %w", err)
		}
		contexts[iri] = file
	}
	return contexts, nil
}
