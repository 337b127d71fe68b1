package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// What is lost counts as the statements that it would have made. They are counted in the value as it
// stands, by the context that holds there, since a value with a fault can't be expanded. A name that
// means nothing makes none; one whose meaning is lost makes what it seems to make.

// loseValue tells that a value of a member is lost; told of it were those statements already that are
// lost in it. With prop "" or "@graph" it stands where no statement leads to it.
func (e *expander) loseValue(f *failure, a *active, prop string, v *jsonread.Value, told int) {
	n := 1
	if !f.isLiteral {
		n = e.countValue(a, prop, v)
	}
	e.loseAll(f, v, max(0, n-told))
}

// loseInside tells that all that an object says is lost.
func (e *expander) loseInside(f *failure, a *active, v *jsonread.Value) {
	e.loseAll(f, v, e.countInside(a, v))
}

// countMember counts the statements of a member of an object whose context is a.
func (e *expander) countMember(a *active, name string, v *jsonread.Value) int {
	defer e.silence()()
	return e.ofMember(a, name, v)
}

func (e *expander) countValue(a *active, prop string, v *jsonread.Value) int {
	defer e.silence()()
	if prop == "" || prop == "@graph" {
		return e.ofNodes(a, v)
	}
	return e.ofValue(a, prop, v)
}

func (e *expander) countInside(a *active, v *jsonread.Value) int {
	defer e.silence()()
	return e.ofNodes(a, v)
}

// countKeyword counts what the value of a keyword would have said.
func (e *expander) countKeyword(word string, v *jsonread.Value) int {
	switch word {
	case "@type":
		return len(v.List())
	case "@graph":
		return e.countInside(e.start, v)
	}
	return 1
}

// ofMember is countMember, of what a term does with its value too.
func (e *expander) ofMember(a *active, name string, v *jsonread.Value) (n int) {
	t := e.term(a, name)
	switch {
	case t == nil || t.lost != nil:
		return e.ofValue(a, name, v)
	case t.typ == "@json":
		return 1
	case t.container&asList != 0:
		return e.ofList(a, name, v)
	case t.container&(asLanguage|asIndex|asID|asType) != 0 && v.Kind == jsonread.Object:
		for i := range v.Members {
			n += e.ofValue(a, name, v.Members[i].Value)
			if t.container&asType != 0 || t.container&asIndex != 0 && t.index != "" && t.index != "@index" {
				n += len(v.Members[i].Value.List())
			}
		}
		return n
	}
	return e.ofValue(a, name, v)
}

// ofList counts a list with what leads to it: each item has an rdf:first and an rdf:rest.
func (e *expander) ofList(a *active, name string, v *jsonread.Value) int {
	n := 1
	e.items(v, func(item *jsonread.Value) {
		switch {
		case item.Kind == jsonread.Array:
			n += e.ofList(a, name, item) + 1
		case item.Kind != jsonread.Null:
			n += e.ofValue(a, name, item) + 1
		}
	})
	return n
}

// ofValue counts a value with the statement that leads to it.
func (e *expander) ofValue(a *active, name string, v *jsonread.Value) (n int) {
	switch v.Kind {
	case jsonread.Null, jsonread.Lost:
		return 0
	case jsonread.Array:
		e.items(v, func(item *jsonread.Value) { n += e.ofValue(a, name, item) })
		return n
	case jsonread.Object:
	default:
		return 1
	}
	inner := e.inside(a, name, v)
	for i := range v.Members {
		value := v.Members[i].Value
		switch inner.keyword(v.Members[i].Name) {
		case "@value":
			if value.IsNull() {
				return 0
			}
			return 1
		case "@list":
			return e.ofList(inner, name, value)
		case "@set":
			return e.ofValue(inner, name, value)
		}
	}
	return 1 + e.ofMembers(inner, v)
}

// items hands on the items of an array, also of one that was passed over for its length, or a value that is none.
func (e *expander) items(v *jsonread.Value, hand func(*jsonread.Value)) {
	if l := e.long[v]; l != nil {
		if !l.isRead {
			l.isRead = true
			l.each(func(array *jsonread.Value) { hand(array.Items[0]) }, func() bool { return e.failed != nil })
		}
		return
	}
	for _, item := range v.List() {
		hand(item)
	}
}

// inside is the context for the members of an object.
func (e *expander) inside(a *active, name string, v *jsonread.Value) *active {
	scoped := e.term(a, name)
	if scoped != nil && scoped.contexts == nil {
		scoped = nil
	}
	if inner, _, f := e.contextOf(a, v, scoped, mode{}); f == nil {
		return inner
	}
	return a
}

// ofNodes counts what nodes say to which no statement leads.
func (e *expander) ofNodes(a *active, v *jsonread.Value) (n int) {
	e.items(v, func(item *jsonread.Value) {
		if item.Kind == jsonread.Object {
			n += e.ofMembers(e.inside(a, "", item), item)
		}
	})
	return n
}

// ofMembers counts what an object says whose context is a.
func (e *expander) ofMembers(a *active, v *jsonread.Value) (n int) {
	for i := range v.Members {
		m := &v.Members[i]
		switch word := a.keyword(m.Name); word {
		case "":
			if iri, ok, f := e.mean(a, m.Name, m.Value, false); f != nil || ok && hasColon(iri) {
				n += e.ofMember(a, m.Name, m.Value)
			}
		case "@type":
			n += len(m.Value.List())
		case "@graph", "@included":
			n += e.ofNodes(a, m.Value)
		case "@reverse", "@nest":
			for _, item := range m.Value.List() {
				n += e.ofMembers(a, item)
			}
		}
	}
	return n
}

// unname takes the node's name, for a failure that was told. What is said of it is told one by one.
func (x *expansion) unname(f *failure) {
	if x.nameless == nil {
		x.nameless = map[*jsonread.Value]*failure{}
	}
	if !x.thing.from.Nameless {
		x.thing.from.Nameless = true
		x.nameless[x.thing.from] = f
	}
}

// loseStatement tells of a statement that can't be written, since its subject, its object, its list or its
// graph is lost, which was told.
func (e *emitter) loseStatement(s, p, o *ref) {
	message, of, at := "the statement is lost with the name of its subject", s.lost, o
	switch {
	case e.void != nil:
		message, of = "the statement is lost with the name of its graph", e.void
	case e.unlisted:
		message, of = "the statement is lost with its list, to which nothing leads", nil
	case s.kind != rdf.NoTerm:
		message, of, at = "the statement is lost with the name of its object", o.lost, p
	case o.kind == rdf.NoTerm:
		at = p
	}
	f := &failure{code: fault.JSONKeyword}
	if of != nil && e.nameless[of.from] != nil {
		f = e.nameless[of.from]
	} else if of != nil && of.counted {
		of.counted = false
		return
	}
	e.loseAll(failed(f.code, jsonread.NewText(at.value, at.pos), "%s", message).because(f), &jsonread.Value{}, 1)
}

// because says that a failure comes of the same as another.
func (f *failure) because(of *failure) *failure {
	f.lacks = of.lacks
	return f
}
