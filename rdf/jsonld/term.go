package jsonld

import (
	"strings"

	"laundromat/internal/fault"
)

// defining is the state of one run through the term definitions of a local context.
type defining struct {
	*expander
	active    *active
	local     *value
	where     where
	protected bool
	defined   map[string]bool // false while the term is being defined
}

// define makes one term definition, and those that it needs. One with a fault is told
// and marked as lost; only one too many is a failure.
func (d *defining) define(name string) *failure {
	if done, begun := d.defined[name]; begun {
		if done {
			return nil
		}
		return failed(fault.JSONContext, d.local.get(name), "cyclic IRI mapping: the term %q is defined by itself", name)
	}
	if v := d.local.get(name); v.kind == lost { // which was told
		d.active.set(name, &term{lost: failed(fault.JSONContext, v, "")})
		d.defined[name] = true
		return nil
	}
	f := d.make(name)
	if f == nil || f.code == fault.LimitContexts || name == "" && d.local.get(name).aliases() || isKeyword(name) {
		return f
	}
	d.lose(name, f)
	return nil
}

// make makes a term definition (JSON-LD 1.1 API §4.2.2).
func (d *defining) make(name string) *failure {
	v := d.local.get(name)
	if d.termsDefined++; d.termsDefined > 10_000*d.opt.MaxContexts {
		return failed(fault.LimitContexts, v, "more than %d terms were to be defined for one item", 10_000*d.opt.MaxContexts)
	}
	bad := func(format string, args ...any) *failure {
		f := failed(fault.JSONContext, v, format, args...)
		f.message += ` (term "` + name + `")`
		return f
	}
	if name == "" {
		return bad("invalid term definition: a term can't be empty")
	}
	d.defined[name] = false
	switch {
	case name == "@type" && !d.old():
		if !isTypeDefinition(v) {
			return bad("keyword redefinition: of @type only @container: @set and @protected may be given")
		}
	case isKeyword(name):
		return bad("keyword redefinition: %s can't be given another meaning", name)
	case looksLikeKeyword(name):
		d.reserved(v, name)
		return nil
	}
	before := d.active.terms[name]
	d.active.set(name, nil)

	t := &term{protected: d.protected}
	simple := false
	id := v.get("@id")
	switch v.kind {
	case null:
		id = v
	case text:
		id, simple = v, true
	case object:
	default:
		return bad("invalid term definition: it is a string, an object or null, not %s", kindNames[v.kind])
	}
	for i := range v.members {
		switch v.members[i].name {
		case "@id", "@reverse", "@container", "@language", "@type":
		case "@context", "@direction", "@index", "@nest", "@prefix", "@protected":
			if d.old() {
				return bad("invalid term definition: JSON-LD 1.0 has no %s in it", v.members[i].name)
			}
		default:
			return bad("invalid term definition: %q has no meaning in it", v.members[i].name)
		}
	}
	if p := v.get("@protected"); p != nil {
		if p.kind != boolean {
			return bad("invalid @protected value: it is true or false")
		}
		t.protected = p.text == "true"
	}
	if typ := v.get("@type"); typ != nil {
		if typ.kind != text {
			return bad("invalid type mapping: @type is a string, not %s", kindNames[typ.kind])
		}
		iri, ok, f := d.expandIRI(d.active, typ.text, typ, false, true, d)
		if f != nil {
			return f
		}
		if d.old() && (iri == "@json" || iri == "@none") {
			return bad("invalid type mapping: JSON-LD 1.0 has no %s", iri)
		}
		if !ok || iri != "@id" && iri != "@vocab" && iri != "@json" && iri != "@none" && !isIRI(iri) {
			return bad("invalid type mapping: %q is no IRI", typ.text)
		}
		t.typ = iri
	}
	if reverse := v.get("@reverse"); reverse != nil {
		if id != nil || v.get("@nest") != nil {
			return bad("invalid reverse property: @reverse excludes @id and @nest")
		}
		if reverse.kind != text {
			return bad("invalid IRI mapping: @reverse is a string, not %s", kindNames[reverse.kind])
		}
		if looksLikeKeyword(reverse.text) {
			d.reserved(v, reverse.text)
			return nil
		}
		iri, ok, f := d.expandIRI(d.active, reverse.text, reverse, false, true, d)
		if f != nil {
			return f
		}
		if !ok || !isIRI(iri) && !isBlank(iri) {
			return bad("invalid IRI mapping: @reverse %q is no IRI", reverse.text)
		}
		t.iri = iri
		if c := v.get("@container"); c != nil && c.kind != null {
			t.container = containerNames[c.text]
			if c.kind != text || t.container != asSet && t.container != asIndex {
				return bad("invalid reverse property: its @container can only be @set or @index")
			}
		}
		if c := v.get("@context"); c != nil {
			d.warn(fault.JSONUndefinedTerm, c, "the context of a term with @reverse has no meaning, and is passed over")
		}
		t.reverse = true
		return d.finish(name, t, before, bad)
	}
	if f := d.mapping(name, t, v, id, simple, bad); f != nil {
		return f
	}
	if f := d.containers(t, v, bad); f != nil {
		return f
	}
	if f := d.details(name, t, v, bad); f != nil {
		return f
	}
	if t.iri == dropTerm {
		d.defined[name] = true
		return nil
	}
	return d.finish(name, t, before, bad)
}

// dropTerm marks a term that is not defined because its IRI looks like a keyword.
const dropTerm = "\x00"

func (d *defining) reserved(v *value, word string) {
	d.warn(fault.JSONUndefinedTerm, v, "%s has the form of a keyword, but is none; it is passed over", word)
}

func isTypeDefinition(v *value) bool {
	if v.kind != object || len(v.members) == 0 {
		return false
	}
	for i := range v.members {
		m := &v.members[i]
		switch m.name {
		case "@container":
			for _, c := range m.value.list() {
				if c.kind != text || c.text != "@set" {
					return false
				}
			}
		case "@protected":
		default:
			return false
		}
	}
	return true
}

// mapping finds the IRI that a term stands for (steps 14 to 18).
func (d *defining) mapping(name string, t *term, v, id *value, simple bool, bad func(string, ...any) *failure) *failure {
	colon := strings.IndexByte(name[1:], ':') + 1
	switch {
	case id != nil && (id.kind != text || id.text != name):
		if id.kind == null {
			return nil
		}
		if id.kind != text {
			return bad("invalid IRI mapping: @id is a string or null, not %s", kindNames[id.kind])
		}
		if !isKeyword(id.text) && looksLikeKeyword(id.text) {
			d.reserved(v, id.text)
			t.iri = dropTerm
			return nil
		}
		iri, ok, f := d.expandIRI(d.active, id.text, id, false, true, d)
		if f != nil {
			return f
		}
		if !ok || !isKeyword(iri) && !isIRI(iri) && !isBlank(iri) {
			return bad("invalid IRI mapping: %q is no IRI and no keyword", id.text)
		}
		if iri == "@context" {
			return bad("invalid keyword alias: @context can have no other name")
		}
		t.iri = iri
		inner := strings.TrimSuffix(name[1:], ":")
		if strings.Contains(inner, ":") || strings.Contains(name, "/") {
			d.defined[name] = true
			own, _, f := d.expandIRI(d.active, name, v, false, true, d)
			if f != nil {
				return f
			}
			if own != iri {
				return bad("invalid IRI mapping: the term is an IRI itself, <%s>, and can't mean <%s>", own, iri)
			}
		} else if !strings.Contains(name, ":") && simple {
			t.prefix = isBlank(iri) || iri != "" && strings.IndexByte(":/?#[]@", iri[len(iri)-1]) >= 0
		}
	case colon > 0:
		prefix := name[:colon]
		if d.local.get(prefix) != nil {
			if f := d.define(prefix); f != nil {
				return f
			}
		}
		switch p := d.active.terms[prefix]; {
		case p != nil && p.lost != nil:
			return p.unknown(prefix, v)
		case p != nil && p.iri != "":
			t.iri = p.iri + name[colon+1:]
		case d.active.uncertain(name, false, true):
			return d.active.doubt(name, v)
		case d.active.hides(prefix, false, true):
			return hidden(prefix, v)
		default:
			t.iri = name
		}
	case strings.Contains(name, "/"):
		iri, ok, f := d.expandIRI(d.active, name, v, false, true, nil)
		if f != nil {
			return f
		}
		if !ok || !isIRI(iri) {
			return bad("invalid IRI mapping: the term is relative, and there is no @vocab")
		}
		t.iri = iri
	case name == "@type":
		t.iri = "@type"
	case d.active.breaks != nil && d.active.breaks.vocab:
		return hidden(name, v)
	case d.active.hasVocab:
		t.iri = d.active.vocab + name
	default:
		return bad("invalid IRI mapping: there is no IRI, and no @vocab to make one with")
	}
	return nil
}

// containers reads @container (step 19).
func (d *defining) containers(t *term, v *value, bad func(string, ...any) *failure) *failure {
	c := v.get("@container")
	if c == nil {
		return nil
	}
	if c.kind == null {
		d.active.mended = true
		d.say(fault.Notice{Code: fault.JSONEmptyKeyword, Severity: fault.Repair, Pos: c.pos, Excerpt: c.sample(),
			Message: "null is no value of @container; it is read as if @container were not there"})
		return nil
	}
	for _, item := range c.list() {
		one := containerNames[item.text]
		if item.kind != text || one == 0 {
			return bad("invalid container mapping: there is no such @container")
		}
		t.container |= one
	}
	if d.old() && (c.kind != text || t.container&(asGraph|asID|asType) != 0) {
		return bad("invalid container mapping: JSON-LD 1.0 has no such @container")
	}
	rest := t.container &^ asSet
	switch {
	case rest&(rest-1) == 0 && (rest != asList || t.container == asList):
	case rest == asGraph|asID, rest == asGraph|asIndex:
	default:
		return bad("invalid container mapping: these can't be combined")
	}
	if t.container&asType != 0 {
		if t.typ == "" {
			t.typ = "@id"
		}
		if t.typ != "@id" && t.typ != "@vocab" {
			return bad("invalid type mapping: with @container @type it is @id or @vocab")
		}
	}
	return nil
}

// details reads the other entries of a term definition (steps 20 to 25).
func (d *defining) details(name string, t *term, v *value, bad func(string, ...any) *failure) *failure {
	if x := v.get("@index"); x != nil {
		if t.container&asIndex == 0 || x.kind != text {
			return bad("invalid term definition: @index needs @container @index and is a string")
		}
		iri, ok, f := d.expandIRI(d.active, x.text, x, false, true, d)
		if f != nil {
			return f
		}
		if !ok || !isIRI(iri) {
			return bad("invalid term definition: @index %q is no IRI", x.text)
		}
		t.index = x.text
	}
	if x := v.get("@context"); x != nil {
		w := where{from: d.where.from, chain: d.where.chain, override: true, unresolved: true}
		if _, f := d.process(d.active, x, w); f != nil {
			if f.code == fault.JSONContext {
				f = bad("invalid scoped context: %s", f.message)
			}
			return f
		}
		t.contexts, t.from = x, d.where.from
	}
	if x := v.get("@language"); x != nil && v.get("@type") == nil {
		if x.kind != null && x.kind != text {
			return bad("invalid language mapping: @language is a string or null")
		}
		t.language, t.hasLanguage = x.text, true
	}
	if x := v.get("@direction"); x != nil && v.get("@type") == nil {
		if x.kind != null && !isDirection(x) {
			return bad("invalid base direction: @direction is ltr, rtl or null")
		}
		t.direction, t.hasDirection = x.text, true
	}
	if x := v.get("@nest"); x != nil {
		if x.kind != text || isKeyword(x.text) && x.text != "@nest" {
			return bad("invalid @nest value: it is a string, and no keyword but @nest")
		}
		t.nest = x.text
	}
	if x := v.get("@prefix"); x != nil {
		if strings.ContainsAny(name, ":/") {
			return bad("invalid term definition: a term with : or / can't be a prefix")
		}
		if x.kind != boolean {
			return bad("invalid @prefix value: it is true or false")
		}
		t.prefix = x.text == "true"
		if t.prefix && isKeyword(t.iri) {
			return bad("invalid term definition: a keyword can't be a prefix")
		}
	}
	return nil
}

func (d *defining) finish(name string, t, before *term, bad func(string, ...any) *failure) *failure {
	if before != nil && before.protected && !d.where.override {
		as := *t
		as.protected = true
		if !as.equals(before) {
			return bad("protected term redefinition: the term is protected, and would get another meaning")
		}
		t = before
	}
	d.active.protected = d.active.protected || t.protected
	d.active.set(name, t)
	d.defined[name] = true
	return nil
}

func (t *term) equals(other *term) bool {
	a, b := *t, *other
	if (a.contexts == nil) != (b.contexts == nil) || !same(a.contexts, b.contexts) {
		return false
	}
	a.contexts, b.contexts, a.from, b.from = nil, nil, "", ""
	return a == b
}
