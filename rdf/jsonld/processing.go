package jsonld

import (
	"context"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// Processing holds what JSON-LD leaves to whoever has a document processed (JSON-LD 1.1
// API §9.3, JsonLdOptions). The zero value is what that section takes as given.
type Processing struct {
	// Mode is the version whose rules hold.
	Mode Mode
	// Direction says what becomes of base directions (@direction).
	Direction Direction
	// ExpandContext is the IRI of a context that each top-level value begins with, as
	// if it stood before its own; "" for none. Like any other it is looked for among
	// the contexts that are at hand. A context that is null takes it away.
	ExpandContext string
}

// Mode is a processing mode (JSON-LD 1.1 §5.5).
type Mode string

const (
	// Mode11, which "" means too, reads documents of JSON-LD 1.0 as well.
	Mode11 Mode = "1.1"
	// Mode10 takes for faults what JSON-LD 1.1 has added.
	Mode10 Mode = "1.0"
)

// Direction is a way to write the base direction of a text in RDF (JSON-LD 1.1 §10.2.1).
type Direction string

const (
	// NoDirection leaves directions out, each with a warning: RDF 1.1 has none.
	NoDirection Direction = ""
	// I18nDatatype makes language and direction a datatype, which holds both.
	I18nDatatype Direction = "i18n-datatype"
	// CompoundLiteral makes the text a blank node with rdf:value, rdf:language and
	// rdf:direction.
	CompoundLiteral Direction = "compound-literal"
	// DirLangString writes the literals of RDF 1.2 that have a language and a
	// direction. A text without a language can't be one, and loses its direction.
	DirLangString Direction = "dir-lang-string"
)

// Set takes the mode of a name; "" is none.
func (m *Mode) Set(name string) error {
	switch *m = Mode(name); *m {
	case Mode10, Mode11:
		return nil
	}
	return fmt.Errorf("the processing mode is %s or %s, not %q", Mode11, Mode10, name)
}

// Set takes the direction of a name; "" is none.
func (d *Direction) Set(name string) error {
	switch *d = Direction(name); *d {
	case I18nDatatype, CompoundLiteral, DirLangString:
		return nil
	}
	return fmt.Errorf("a base direction is written as %s, %s or %s, not %q", I18nDatatype, CompoundLiteral, DirLangString, name)
}

// Check says why the context to begin with can't be had or used, if it can't.
// contexts and loader are those of [Options].
func (p Processing) Check(contexts map[string]string, loader ContextLoader) error {
	opt := Options{Contexts: contexts, Loader: loader, Processing: p}
	opt.applyDefaults()
	e := newExpander(rdf.Input{}, opt, nobody{})
	e.loader.askWith(context.Background())
	return e.begin()
}

// nobody is a sink whose findings nobody asks for.
type nobody struct{}

func (nobody) Quad(*rdf.Quad) error { return nil }
func (nobody) Notice(fault.Notice)  {}

// begin makes the context that top-level values begin with.
func (e *expander) begin() error {
	e.start = e.initial
	iri := e.opt.ExpandContext
	if iri == "" {
		return nil
	}
	name := jsonread.NewText(iri, fault.Pos{})
	_, f := e.load(name, iri) // a context that lacks it is of no use
	if f == nil {
		e.start, f = e.process(e.initial, name, where{})
	}
	if f == nil && e.start.lacks != "" {
		f = failed(fault.JSONContextNotAvailable, name, "it needs the context <%s>, which is not at hand", e.start.lacks)
	}
	if f == nil && (e.start.breaks != nil || e.start.faulty) { // whoever asks for it can mend it
		f = e.flaw
	}
	if e.failed != nil {
		return e.failed
	}
	if f != nil {
		return fault.New("jsonld.Read", fault.Local, f.code, "the context to expand with: %s", f.message)
	}
	return nil
}
