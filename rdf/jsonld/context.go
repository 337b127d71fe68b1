package jsonld

import (
	"fmt"
	"maps"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/jsonread"
	"laundromat/rdf/jsonld/contexts"
)

// active is an active context (JSON-LD 1.1 API §4.1). It is never changed once it
// has been handed out.
type active struct {
	base      string
	hasBase   bool
	ownBase   bool // the document names it whole
	vocab     string
	hasVocab  bool
	language  string
	direction string
	terms     map[string]*term
	shared    bool // terms belongs to another context too
	previous  *active
	protected bool   // some term may be protected
	mended    bool   // the contexts that led here were not all as they should be
	lacks     string // the IRI of a context that could not be had
	faulty    bool   // a context that led here could not be read, for a fault
	breaks    *breaks
	scoped    bool   // some term may have a context
	number    uint64 // that the context has got, if any
}

// term is a term definition (§4.2).
type term struct {
	iri          string // "" if the term is mapped to null
	prefix       bool
	protected    bool
	reverse      bool
	contexts     *jsonread.Value // the scoped context
	from         string          // the IRI of the document that the scoped context stands in
	typ          string
	language     string
	hasLanguage  bool
	direction    string
	hasDirection bool
	container    containers
	index        string
	nest         string
	lost         *failure // what was wrong with the definition; nothing else is known then
}

type containers uint8

const (
	asList containers = 1 << iota
	asSet
	asIndex
	asLanguage
	asGraph
	asID
	asType
)

var containerNames = map[string]containers{"@list": asList, "@set": asSet, "@index": asIndex,
	"@language": asLanguage, "@graph": asGraph, "@id": asID, "@type": asType}

func (a *active) copy() *active {
	c := *a
	c.shared, c.number = true, 0
	return &c
}

func (a *active) set(name string, t *term) {
	if a.shared || a.terms == nil {
		a.terms = maps.Clone(a.terms)
		if a.terms == nil {
			a.terms = map[string]*term{}
		}
		a.shared = false
	}
	if a.number = 0; t != nil && t.contexts != nil {
		a.scoped = true
	}
	if t == nil {
		delete(a.terms, name)
		return
	}
	a.terms[name] = t
}

// where says how a local context is processed.
type where struct {
	from       string          // the IRI of the document that it stands in; "" for the one being read
	chain      []string        // the contexts named by IRI that led here
	override   bool            // protected terms may be defined anew
	once       bool            // do not propagate to nested nodes
	unresolved bool            // scoped contexts are only checked, which must end
	at         *jsonread.Value // where the document being read names the first of chain
}

// process applies a local context (JSON-LD 1.1 API §4.1.2).
func (e *expander) process(a *active, local *jsonread.Value, w where) (*active, *failure) {
	if p := local.Get("@propagate"); p != nil && p.Kind == jsonread.Boolean {
		w.once = p.Text == "false"
	}
	result := a.copy()
	if w.once && result.previous == nil {
		result.previous = a
	}
	for i, item := range local.List() {
		if e.contextsRead++; e.contextsRead > 1000*e.opt.MaxContexts {
			return nil, failed(fault.LimitContexts, item, "more than %d contexts were to be read for one item", 1000*e.opt.MaxContexts)
		}
		before := result
		var f *failure
		switch item.Kind {
		case jsonread.Null:
			if !w.override && result.protected && result.hasProtected() {
				return nil, failed(fault.JSONContext, item, "invalid context nullification: null would take away terms that are protected")
			}
			fresh := e.initial.copy()
			if w.once {
				fresh.previous = result
			}
			result = fresh
		case jsonread.Text:
			if i == 0 && !w.once {
				result = a // so that what was made of it before is found again
			}
			result, f = e.named(result, item, w)
		case jsonread.Object:
			result, f = e.definitions(result, item, w)
		default:
			f = failed(fault.JSONContext, item, "invalid local context: a context is an IRI, an object, null or an array of these, not %s",
				item.Kind)
		}
		switch {
		case f == nil:
		case w.unresolved || f.code == fault.LimitContexts:
			return nil, f
		default:
			result = e.withoutFaulty(before, item, f, w)
		}
	}
	return result, nil
}

func (a *active) hasProtected() bool {
	for _, t := range a.terms {
		if t.protected {
			return true
		}
	}
	return false
}

// named applies a context that is named by its IRI.
func (e *expander) named(a *active, name *jsonread.Value, w where) (*active, *failure) {
	if plain := strings.TrimSpace(name.Text); contexts.Named(plain) != nil && (plain != name.Text || !contexts.HasWebScheme(plain)) {
		meant := *name
		if meant.Text = plain; !contexts.HasWebScheme(plain) {
			meant.Text = "https://" + strings.TrimPrefix(plain, "//")
		}
		result, f := e.named(a, &meant, w)
		if f == nil {
			result = e.mendContext(result, name, fault.Notice{Code: fault.JSONContextName, Message: fmt.Sprintf("the context <%s> is meant",
				meant.Text), Meant: meant.Text})
		}
		return result, f
	}
	iri, f := e.contextIRI(name, w.from)
	if f != nil {
		return e.without(a, name, name.Text, f, w), nil
	}
	for _, before := range w.chain {
		if before != iri {
			continue
		}
		if w.unresolved {
			return a, nil
		}
		return nil, failed(fault.JSONContext, name, "recursive context inclusion: the context <%s> includes itself", iri)
	}
	if len(w.chain) >= e.opt.MaxContexts {
		return nil, failed(fault.LimitContexts, name, "more than %d contexts include one another, the last being <%s>", e.opt.MaxContexts,
			iri)
	}
	key := memo{a, iri}
	plain := (a == e.initial || a == e.start) && !w.override && !w.unresolved && len(w.chain) == 0
	if known := e.processed[key]; known != nil && plain {
		return known, nil
	}
	document, f := e.load(name, iri)
	if f != nil {
		result := e.without(a, name, iri, f, w)
		e.remember(key, result, plain)
		return result, nil
	}
	local := document.Get("@context")
	if local == nil {
		return nil, failed(fault.JSONContext, name, "invalid remote context: the document <%s> holds no @context", iri)
	}
	if document.isShipped && plain {
		if result := e.withShipped(a, iri); result != nil {
			e.remember(key, result, plain)
			return result, nil
		}
	}
	if document.isInForce(a, iri, w, e.opt.Mode) {
		return a, nil // as pages name it in each of their items
	}
	inner := where{from: document.from, chain: append(w.chain[:len(w.chain):len(w.chain)], iri), override: w.override,
		unresolved: w.unresolved, at: w.at}
	if inner.at == nil {
		inner.at = name
	}
	result, f := e.process(a, local, inner)
	if f != nil {
		// A place in another file would mislead.
		return nil, &failure{code: f.code, at: name, message: "in the context <" + iri + ">: " + f.message}
	}
	e.remember(key, result, plain)
	return result, nil
}

// remember keeps a processed context for the next item that begins with it.
func (e *expander) remember(key memo, result *active, plain bool) {
	if !plain {
		return
	}
	if len(e.processed) > 1000 {
		clear(e.processed) // a document may name any number of them
	}
	e.processed[key] = result
}

// mendContext is a context that goes on behind a repair.
func (e *expander) mendContext(a *active, at *jsonread.Value, n fault.Notice) *active {
	n.Severity, n.Pos, n.Excerpt = fault.Repair, at.Pos, at.Sample()
	e.say(n)
	a = a.copy()
	a.mended = true
	return a
}

// memo names a processed context: what it was applied to, and which it was.
type memo struct {
	to  *active
	iri string
}

// contextIRI resolves the name of a context against the document that names it.
func (e *expander) contextIRI(name *jsonread.Value, from string) (string, *failure) {
	if rfc3986.IsAbsolute([]byte(name.Text)) {
		return name.Text, nil
	}
	if from == "" {
		from = e.in.Base
		e.in.UseBase()
	}
	if from == "" {
		return "", failed(fault.JSONContextNotAvailable, name, "the context %q is relative, and there is no base IRI", name.Text)
	}
	return string(rfc3986.AppendResolved(nil, []byte(from), []byte(name.Text))), nil
}

// definitions applies a context that is an object.
func (e *expander) definitions(a *active, local *jsonread.Value, w where) (*active, *failure) {
	a, f := e.version(a, local, w)
	if f != nil {
		return nil, f
	}
	if v := local.Get("@import"); v != nil {
		merged, f := e.imported(local, v, w)
		switch {
		case f == nil:
			local = merged
		case w.unresolved || f.code == fault.LimitContexts:
			return nil, f
		case f.code == fault.JSONContextNotAvailable:
			a = e.without(a, v, v.Text, f, w)
		default:
			a = e.withoutFaulty(a, v, f, w)
		}
	}
	result := a.copy()
	if len(local.Broken) > 0 || a.breaks != nil {
		e.broken(result, local, len(w.chain) > 0)
	}
	for _, keyword := range [...]struct {
		word string
		set  func(*active, *jsonread.Value) *failure
	}{{"@base", e.setBase}, {"@vocab", e.setVocab}, {"@language", setLanguage}, {"@direction", setDirection}} {
		v := local.Get(keyword.word)
		if v == nil || keyword.word == "@base" && len(w.chain) > 0 {
			continue
		}
		if f := keyword.set(result, v); f != nil {
			e.loseEntry(result, keyword.word, f, w)
		}
	}
	if v := local.Get("@propagate"); v != nil && v.Kind != jsonread.Boolean {
		e.loseEntry(result, "@propagate", failed(fault.JSONContext, v, "invalid @propagate value: it is true or false"), w)
	}
	d := defining{expander: e, active: result, local: local, where: w, defined: make(map[string]bool, len(local.Members))}
	if v := local.Get("@protected"); v != nil {
		if v.Kind != jsonread.Boolean {
			e.loseEntry(result, "@protected", failed(fault.JSONContext, v, "invalid @protected value: it is true or false"), w)
		}
		d.protected = v.Text == "true"
	}
	for i := range local.Members {
		switch m := &local.Members[i]; m.Name {
		case "@base", "@direction", "@import", "@language", "@propagate", "@protected", "@version", "@vocab":
		default:
			if f := d.define(m.Name); f != nil {
				return nil, f
			}
		}
	}
	return result, nil
}

// version reads the @version of a context, and asks that it has no entries which the rules in force do
// not know. It gives the context that the entries go into.
func (e *expander) version(a *active, local *jsonread.Value, w where) (*active, *failure) {
	if v := local.Get("@version"); v != nil {
		switch {
		case v.Kind == jsonread.Text && v.Text == "1.1" && !e.old():
			a = e.mendContext(a, v, fault.Notice{Code: fault.JSONVersion, Message: "@version is the number 1.1, and no string"})
		case v.Kind != jsonread.Number || !isOnePointOne(v.Text):
			a = a.copy()
			e.loseEntry(a, "@version", failed(fault.JSONContext, v, "invalid @version value: it can only be the number 1.1"), w)
			a = e.mendContext(a, v, fault.Notice{Code: fault.JSONVersion, Message: "a context whose version is not known was read like " +
				"any other"})
		case e.old():
			return nil, failed(fault.JSONContext, v, "processing mode conflict: the context asks for JSON-LD 1.1, but it is to be read "+
				"by the rules of JSON-LD 1.0")
		}
	}
	if !e.old() {
		return a, nil
	}
	for _, word := range []string{"@import", "@direction", "@propagate"} {
		if v := local.Get(word); v != nil {
			return nil, failed(fault.JSONContext, v, "invalid context entry: JSON-LD 1.0 has no %s", word)
		}
	}
	return a, nil
}

func (e *expander) setBase(a *active, v *jsonread.Value) *failure {
	iri := v.Text
	if v.Kind == jsonread.Text {
		iri = e.trim(v.Text, v)
		a.mended = a.mended || len(iri) < len(v.Text)
	}
	switch {
	case v.Kind == jsonread.Null:
		a.base, a.hasBase = "", false
	case v.Kind != jsonread.Text:
		return failed(fault.JSONContext, v, "invalid base IRI: @base is a string or null, not %s", v.Kind)
	case rfc3986.IsAbsolute([]byte(iri)):
		a.base, a.hasBase, a.ownBase = iri, true, true
	case !isReference(iri):
		return failed(fault.JSONContext, v, "invalid base IRI: @base %q is neither an IRI nor a relative one", v.Text)
	case a.hasBase:
		a.base = e.resolve(a, iri, v.Pos)
	default:
		return failed(fault.JSONContext, v, "invalid base IRI: @base %q is relative, and there is nothing to resolve it against", v.Text)
	}
	return nil
}

func (e *expander) setVocab(a *active, v *jsonread.Value) *failure {
	switch {
	case v.Kind == jsonread.Null:
		a.vocab, a.hasVocab = "", false
		return nil
	case v.Kind != jsonread.Text:
		return failed(fault.JSONContext, v, "invalid vocab mapping: @vocab is a string or null, not %s", v.Kind)
	case e.old() && !isIRI(v.Text) && !isBlank(v.Text):
		return failed(fault.JSONContext, v, "invalid vocab mapping: in JSON-LD 1.0 @vocab isn't a relative IRI")
	}
	text := e.trim(v.Text, v)
	a.mended = a.mended || len(text) < len(v.Text)
	iri, ok, f := e.expandIRI(a, text, v, iriRole{relative: true, vocab: true})
	if f != nil {
		return f
	}
	if !ok || !isIRI(iri) && !isBlank(iri) && a.hasBase {
		return failed(fault.JSONContext, v, "invalid vocab mapping: @vocab %q isn't an IRI", text)
	}
	a.vocab, a.hasVocab = iri, true
	return nil
}

func setLanguage(a *active, v *jsonread.Value) *failure {
	if v.Kind != jsonread.Null && v.Kind != jsonread.Text {
		return failed(fault.JSONContext, v, "invalid default language: @language is a string or null, not %s", v.Kind)
	}
	a.language = v.Text
	return nil
}

func setDirection(a *active, v *jsonread.Value) *failure {
	if v.Kind != jsonread.Null && !isDirection(v) {
		return failed(fault.JSONContext, v, "invalid base direction: @direction is ltr, rtl or null")
	}
	a.direction = v.Text
	return nil
}

func isOnePointOne(number string) bool {
	return number == "1.1" || number == "1.10" || number == "11e-1"
}

// isReference says that a string without a scheme may be a relative reference, the
// first segment of whose path holds no colon (RFC 3986 §4.2).
func isReference(s string) bool {
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	return !strings.Contains(s[:end], ":")
}

func isDirection(v *jsonread.Value) bool {
	return v.Kind == jsonread.Text && (v.Text == "ltr" || v.Text == "rtl")
}

// imported merges the context that @import names with the one that names it.
func (e *expander) imported(local, name *jsonread.Value, w where) (*jsonread.Value, *failure) {
	if name.Kind != jsonread.Text {
		return nil, failed(fault.JSONContext, name, "invalid @import value: it is a string, not %s", name.Kind)
	}
	iri, f := e.contextIRI(name, w.from)
	if f != nil {
		return nil, f
	}
	document, f := e.load(name, iri)
	if f != nil {
		return nil, f
	}
	other := document.Get("@context")
	if other == nil || other.Kind != jsonread.Object {
		return nil, failed(fault.JSONContext, name, "invalid remote context: the document <%s> holds no @context that is an object", iri)
	}
	if other.Get("@import") != nil {
		return nil, failed(fault.JSONContext, name, "invalid context entry: the imported context <%s> imports another", iri)
	}
	merged := jsonread.NewObject(local.Pos, local.End)
	merged.Broken = local.Broken
	for _, m := range other.Members {
		if local.Get(m.Name) == nil {
			merged.Members = append(merged.Members, m)
		}
	}
	for _, m := range local.Members {
		if m.Name != "@import" {
			merged.Members = append(merged.Members, m)
		}
	}
	return merged, nil
}
