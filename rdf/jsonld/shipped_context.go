package jsonld

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
	"laundromat/rdf/jsonld/contexts"
)

// shipped is a context that the program has. What is made of it is made when first asked for, and
// shared by all readings; nothing in it changes afterwards.
type shipped struct {
	document func() *jsonread.Value
	// applied is what it makes of a context that says nothing. It is nil where that depends on other
	// contexts, which may be given as files.
	applied func() *active
}

// shippedContexts are those that were asked for, by their file.
var shippedContexts sync.Map

// shippedContext is the context in the program that an IRI names.
func shippedContext(iri string) *shipped {
	name := contexts.Named(iri).File
	if known, ok := shippedContexts.Load(name); ok {
		return known.(*shipped)
	}
	s := new(shipped)
	s.document = sync.OnceValue(func() *jsonread.Value {
		text, _ := contexts.Find(iri)
		v, _, err := jsonread.One(context.Background(), bytes.NewReader(text), jsonread.Options{Guide: guide{}, Format: formatName,
			MaxBytes: int64(len(text)) + 1, MaxWeight: MemoryFactor * int64(len(text)), MaxDepth: 500})
		if err != nil {
			panic(fmt.Sprintf("the context %s in the program: %v", name, err)) // a test has read them all
		}
		v.Prepare()
		return v
	})
	s.applied = sync.OnceValue(func() *active {
		var opt Options
		opt.applyDefaults()
		e := newExpander(rdf.Input{}, opt, nobody{})
		at := jsonread.NewText(iri, fault.Pos{})
		a, f := e.process(e.initial, s.document().Get("@context"), where{from: iri, chain: []string{iri}, at: at})
		if f != nil || e.said > 0 || len(e.loader.known) > 0 || a.lacks != "" {
			return nil
		}
		return a
	})
	known, _ := shippedContexts.LoadOrStore(name, s)
	return known.(*shipped)
}

// withShipped applies a context in the program to one that says nothing but the base; nil where it has to be
// processed like any other.
func (e *expander) withShipped(a *active, iri string) *active {
	if e.old() || len(a.terms) > 0 || a.hasVocab || a.language != "" || a.direction != "" || a.previous != nil ||
		a.protected || a.mended || a.lacks != "" || a.breaks != nil {
		return nil
	}
	ready := shippedContext(iri).applied()
	if ready == nil {
		return nil
	}
	result := ready.copy()
	result.base, result.hasBase, result.ownBase = a.base, a.hasBase, a.ownBase
	return result
}
