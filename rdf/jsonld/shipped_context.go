package jsonld

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
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
	// isStable says that applying it to what it makes changes nothing.
	isStable func() bool
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
	apply := func(to *active) *active {
		var opt Options
		opt.applyDefaults()
		e := newExpander(rdf.Input{}, opt, nobody{})
		if to == nil {
			to = e.initial
		}
		at := jsonread.NewText(iri, fault.Pos{})
		a, f := e.process(to, s.document().Get("@context"), where{from: iri, chain: []string{iri}, at: at})
		if f != nil || e.said > 0 || len(e.loader.known) > 0 || a.lacks != "" {
			return nil
		}
		return a
	}
	s.applied = sync.OnceValue(func() *active { return apply(nil) })
	s.isStable = sync.OnceValue(func() bool {
		ready := s.applied()
		again := apply(ready)
		return again != nil && again.saysAs(ready) && reflect.DeepEqual(again.terms, ready.terms)
	})
	known, _ := shippedContexts.LoadOrStore(name, s)
	return known.(*shipped)
}

// isAlready says that a context is what this one makes, whatever the base, and that applying it again changes nothing.
func (s *shipped) isAlready(a *active) bool {
	ready := s.applied()
	return ready != nil && len(a.terms) == len(ready.terms) && a.saysAs(ready) &&
		reflect.ValueOf(a.terms).Pointer() == reflect.ValueOf(ready.terms).Pointer() && s.isStable()
}

// isInForce says that a context in the program is named where it has been applied, and would change nothing.
func (l loaded) isInForce(a *active, iri string, w where, m Mode) bool {
	return l.isShipped && m != Mode10 && w.isPlain() && shippedContext(iri).isAlready(a)
}

// isPlain says that a context is named by the document that is being read, and by no rule that alters what it means.
func (w where) isPlain() bool { return len(w.chain) == 0 && !w.override && !w.unresolved }

// saysAs says that two contexts have the same in all but their terms and the base.
func (a *active) saysAs(b *active) bool {
	return a.vocab == b.vocab && a.hasVocab == b.hasVocab && a.language == b.language && a.direction == b.direction &&
		a.previous == b.previous && a.protected == b.protected && a.mended == b.mended && a.lacks == b.lacks && a.faulty == b.faulty &&
		a.breaks == b.breaks && a.scoped == b.scoped
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
