package jsonld

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// definition is a term definition that is being made.
type definition struct {
	*defining
	name   string
	entry  *jsonread.Value // of the context, which defines the term
	made   *term
	before *term           // what the name meant until now; nil for nothing
	id     *jsonread.Value // what says the IRI; nil if nothing does
	simple bool            // the entry is a string
}

// bad is what is wrong with the definition.
func (d *definition) bad(format string, args ...any) *failure {
	f := failed(fault.JSONContext, d.entry, format, args...)
	f.message += ` (term "` + d.name + `")`
	return f
}

// make makes a term definition (JSON-LD 1.1 API §4.2.2).
func (d *defining) make(name string) *failure {
	v := d.local.Get(name)
	if d.termsDefined++; d.termsDefined > 10_000*d.opt.MaxContexts {
		return failed(fault.LimitContexts, v, "more than %d terms were to be defined for one item", 10_000*d.opt.MaxContexts)
	}
	one := &definition{defining: d, name: name, entry: v}
	if name == "" {
		return one.bad("invalid term definition: a term can't be empty")
	}
	d.defined[name] = false
	switch {
	case name == "@type" && !d.old():
		if !isTypeDefinition(v) {
			return one.bad("keyword redefinition: of @type only @container: @set and @protected may be given")
		}
	case isKeyword(name):
		return one.bad("keyword redefinition: %s can't be given another meaning", name)
	case looksLikeKeyword(name):
		d.reserved(v, name)
		return nil
	}
	one.before, one.made = d.active.terms[name], &term{protected: d.protected}
	d.active.set(name, nil)
	if f := one.begin(); f != nil {
		return f
	}
	if v.Get("@reverse") != nil {
		if f := one.reverse(); f != nil || one.made.iri == dropTerm {
			return f
		}
		return one.finish()
	}
	for _, step := range [...]func(*definition) *failure{
		(*definition).mapping, (*definition).containers, (*definition).index, (*definition).scopedContext,
		(*definition).languageOf, (*definition).nest, (*definition).prefix,
	} {
		if f := step(one); f != nil {
			return f
		}
	}
	if one.made.iri == dropTerm {
		d.defined[name] = true
		return nil
	}
	return one.finish()
}

// dropTerm marks a term that is not defined because its IRI looks like a keyword.
const dropTerm = "\x00"

// begin reads what the entry is, whether it is protected, and the datatype (steps 5 to 12).
func (d *definition) begin() *failure {
	v := d.entry
	d.id = v.Get("@id")
	switch v.Kind {
	case jsonread.Null:
		d.id = v
	case jsonread.Text:
		d.id, d.simple = v, true
	case jsonread.Object:
	default:
		return d.bad("invalid term definition: it is a string, an object or null, not %s", v.Kind)
	}
	for i := range v.Members {
		switch v.Members[i].Name {
		case "@id", "@reverse", "@container", "@language", "@type":
		case "@context", "@direction", "@index", "@nest", "@prefix", "@protected":
			if d.old() {
				return d.bad("invalid term definition: JSON-LD 1.0 has no %s in it", v.Members[i].Name)
			}
		default:
			return d.bad("invalid term definition: %q has no meaning in it", v.Members[i].Name)
		}
	}
	if p := v.Get("@protected"); p != nil {
		if p.Kind != jsonread.Boolean {
			return d.bad("invalid @protected value: it is true or false")
		}
		d.made.protected = p.Text == "true"
	}
	if typ := v.Get("@type"); typ != nil {
		return d.datatype(typ)
	}
	return nil
}

// expand finds what a string in the definition means.
func (d *definition) expand(s string, at *jsonread.Value) (iri string, ok bool, f *failure) {
	return d.expandIRI(d.active, s, at, iriRole{vocab: true, within: d.defining})
}

// datatype reads @type (step 12).
func (d *definition) datatype(typ *jsonread.Value) *failure {
	if typ.Kind != jsonread.Text {
		return d.bad("invalid type mapping: @type is a string, not %s", typ.Kind)
	}
	iri, ok, f := d.expand(typ.Text, typ)
	if f != nil {
		return f
	}
	if d.old() && (iri == "@json" || iri == "@none") {
		return d.bad("invalid type mapping: JSON-LD 1.0 has no %s", iri)
	}
	if !ok || iri != "@id" && iri != "@vocab" && iri != "@json" && iri != "@none" && !isIRI(iri) {
		return d.bad("invalid type mapping: %q isn't an IRI", typ.Text)
	}
	d.made.typ = iri
	return nil
}

// reverse reads @reverse (step 13).
func (d *definition) reverse() *failure {
	t, v, reverse := d.made, d.entry, d.entry.Get("@reverse")
	if d.id != nil || v.Get("@nest") != nil {
		return d.bad("invalid reverse property: @reverse excludes @id and @nest")
	}
	if reverse.Kind != jsonread.Text {
		return d.bad("invalid IRI mapping: @reverse is a string, not %s", reverse.Kind)
	}
	if looksLikeKeyword(reverse.Text) {
		d.reserved(v, reverse.Text)
		t.iri = dropTerm
		return nil
	}
	iri, ok, f := d.expand(reverse.Text, reverse)
	if f != nil {
		return f
	}
	if !ok || !isIRI(iri) && !isBlank(iri) {
		return d.bad("invalid IRI mapping: @reverse %q isn't an IRI", reverse.Text)
	}
	t.iri = iri
	if c := v.Get("@container"); c != nil && c.Kind != jsonread.Null {
		t.container = containerNames[c.Text]
		if c.Kind != jsonread.Text || t.container != asSet && t.container != asIndex {
			return d.bad("invalid reverse property: its @container can only be @set or @index")
		}
	}
	if c := v.Get("@context"); c != nil {
		d.warn(fault.JSONUndefinedTerm, c, "the context of a term with @reverse has no meaning, and is passed over")
	}
	t.reverse = true
	return nil
}

// mapping finds the IRI that a term stands for (steps 14 to 18).
func (d *definition) mapping() *failure {
	name, t := d.name, d.made
	switch {
	case d.id != nil && (d.id.Kind != jsonread.Text || d.id.Text != name):
		return d.byID()
	case strings.IndexByte(name[1:], ':') >= 0:
		return d.byPrefix()
	case strings.Contains(name, "/"):
		iri, ok, f := d.expandIRI(d.active, name, d.entry, iriRole{vocab: true})
		if f != nil {
			return f
		}
		if !ok || !isIRI(iri) {
			return d.bad("invalid IRI mapping: the term is relative, and there is no @vocab")
		}
		t.iri = iri
	case name == "@type":
		t.iri = "@type"
	case d.active.breaks != nil && d.active.breaks.vocab:
		return hidden(name, d.entry)
	case d.active.hasVocab:
		t.iri = d.active.vocab + name
	default:
		return d.bad("invalid IRI mapping: there is no IRI, and no @vocab to make one with")
	}
	return nil
}

// byID finds the IRI by what the definition says it is (step 14).
func (d *definition) byID() *failure {
	id := d.id
	if id.Kind == jsonread.Null {
		return nil
	}
	if id.Kind != jsonread.Text {
		return d.bad("invalid IRI mapping: @id is a string or null, not %s", id.Kind)
	}
	if !isKeyword(id.Text) && looksLikeKeyword(id.Text) {
		d.reserved(d.entry, id.Text)
		d.made.iri = dropTerm
		return nil
	}
	iri, ok, f := d.expand(id.Text, id)
	if f != nil {
		return f
	}
	if !ok || !isKeyword(iri) && !isIRI(iri) && !isBlank(iri) {
		return d.bad("invalid IRI mapping: %q is neither an IRI nor a keyword", id.Text)
	}
	if iri == "@context" {
		return d.bad("invalid keyword alias: @context can have no other name")
	}
	d.made.iri = iri
	inner := strings.TrimSuffix(d.name[1:], ":")
	if strings.Contains(inner, ":") || strings.Contains(d.name, "/") {
		return d.means(iri)
	}
	if !strings.Contains(d.name, ":") && d.simple {
		d.made.prefix = isBlank(iri) || iri != "" && strings.IndexByte(":/?#[]@", iri[len(iri)-1]) >= 0
	}
	return nil
}

// means says that a term which has the form of an IRI can mean no other than itself.
func (d *definition) means(iri string) *failure {
	d.defined[d.name] = true
	own, _, f := d.expand(d.name, d.entry)
	if f == nil && own != iri {
		return d.bad("invalid IRI mapping: the term is an IRI itself, <%s>, and can't mean <%s>", own, iri)
	}
	return f
}

// byPrefix finds the IRI of a term that is a compact IRI or an IRI (step 15).
func (d *definition) byPrefix() *failure {
	name := d.name
	colon := strings.IndexByte(name[1:], ':') + 1
	prefix := name[:colon]
	if f := d.need(prefix); f != nil {
		return f
	}
	switch p := d.active.terms[prefix]; {
	case p != nil && p.lost != nil:
		return p.unknown(prefix, d.entry)
	case p != nil && p.iri != "":
		d.made.iri = p.iri + name[colon+1:]
	case d.isUncertain(d.active, name, iriRole{vocab: true}):
		return d.active.doubt(name, d.entry)
	case d.hides(d.active, prefix, iriRole{vocab: true}):
		return hidden(prefix, d.entry)
	default:
		d.made.iri = name
	}
	return nil
}

// containers reads @container (step 19).
func (d *definition) containers() *failure {
	t, c := d.made, d.entry.Get("@container")
	if c == nil {
		return nil
	}
	if c.Kind == jsonread.Null {
		d.active.mended = true
		d.say(fault.Notice{Code: fault.JSONEmptyKeyword, Severity: fault.Repair, Pos: c.Pos, Excerpt: c.Sample(),
			Message: "null isn't a value of @container; it is read as if @container were not there"})
		return nil
	}
	for _, item := range c.List() {
		one := containerNames[item.Text]
		if item.Kind != jsonread.Text || one == 0 {
			return d.bad("invalid container mapping: there is no such @container")
		}
		t.container |= one
	}
	if d.old() && (c.Kind != jsonread.Text || t.container&(asGraph|asID|asType) != 0) {
		return d.bad("invalid container mapping: JSON-LD 1.0 has no such @container")
	}
	rest := t.container &^ asSet
	switch {
	case rest&(rest-1) == 0 && (rest != asList || t.container == asList):
	case rest == asGraph|asID, rest == asGraph|asIndex:
	default:
		return d.bad("invalid container mapping: these can't be combined")
	}
	if t.container&asType != 0 {
		if t.typ == "" {
			t.typ = "@id"
		}
		if t.typ != "@id" && t.typ != "@vocab" {
			return d.bad("invalid type mapping: with @container @type it is @id or @vocab")
		}
	}
	return nil
}

// index reads @index (step 20).
func (d *definition) index() *failure {
	x := d.entry.Get("@index")
	if x == nil {
		return nil
	}
	if d.made.container&asIndex == 0 || x.Kind != jsonread.Text {
		return d.bad("invalid term definition: @index needs @container @index and is a string")
	}
	iri, ok, f := d.expand(x.Text, x)
	if f != nil {
		return f
	}
	if !ok || !isIRI(iri) {
		return d.bad("invalid term definition: @index %q isn't an IRI", x.Text)
	}
	d.made.index = x.Text
	return nil
}

// scopedContext reads @context (step 21).
func (d *definition) scopedContext() *failure {
	x := d.entry.Get("@context")
	if x == nil {
		return nil
	}
	w := where{from: d.where.from, chain: d.where.chain, override: true, unresolved: true}
	if _, f := d.process(d.active, x, w); f != nil {
		if f.code == fault.JSONContext {
			f = d.bad("invalid scoped context: %s", f.message)
		}
		return f
	}
	d.made.contexts, d.made.from = x, d.where.from
	return nil
}

// languageOf reads @language and @direction (steps 22 and 23).
func (d *definition) languageOf() *failure {
	if d.entry.Get("@type") != nil {
		return nil
	}
	if x := d.entry.Get("@language"); x != nil {
		if x.Kind != jsonread.Null && x.Kind != jsonread.Text {
			return d.bad("invalid language mapping: @language is a string or null")
		}
		d.made.language, d.made.hasLanguage = x.Text, true
	}
	if x := d.entry.Get("@direction"); x != nil {
		if x.Kind != jsonread.Null && !isDirection(x) {
			return d.bad("invalid base direction: @direction is ltr, rtl or null")
		}
		d.made.direction, d.made.hasDirection = x.Text, true
	}
	return nil
}

// nest reads @nest (step 24).
func (d *definition) nest() *failure {
	x := d.entry.Get("@nest")
	if x == nil {
		return nil
	}
	if x.Kind != jsonread.Text || isKeyword(x.Text) && x.Text != "@nest" {
		return d.bad("invalid @nest value: it is a string, and no keyword but @nest")
	}
	d.made.nest = x.Text
	return nil
}

// prefix reads @prefix (step 25).
func (d *definition) prefix() *failure {
	x := d.entry.Get("@prefix")
	if x == nil {
		return nil
	}
	if strings.ContainsAny(d.name, ":/") {
		return d.bad("invalid term definition: a term with : or / can't be a prefix")
	}
	if x.Kind != jsonread.Boolean {
		return d.bad("invalid @prefix value: it is true or false")
	}
	d.made.prefix = x.Text == "true"
	if d.made.prefix && isKeyword(d.made.iri) {
		return d.bad("invalid term definition: a keyword can't be a prefix")
	}
	return nil
}

// finish puts the definition into the context, if it may replace the one before (steps 26 and 27).
func (d *definition) finish() *failure {
	t, before := d.made, d.before
	if before != nil && before.protected && !d.where.override {
		as := *t
		as.protected = true
		if !as.equals(before) {
			// The definition that is protected holds, and is that on which a reader of the first context relies.
			f := d.bad("protected term redefinition: the term is protected, and would get another meaning; it keeps the one that it has")
			if d.where.unresolved {
				return f
			}
			d.toldLost(d.entry, f, d.where)
		}
		t = before
	}
	d.active.protected = d.active.protected || t.protected
	d.active.set(d.name, t)
	d.defined[d.name] = true
	if t.prefix && d.where.from == "" {
		d.in.DeclarePrefix([]byte(d.name), []byte(t.iri))
	}
	return nil
}
