package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// keyword reads a member whose name means a keyword (step 13.4).
func (x *expansion) keyword(word string, m *jsonread.Member) *failure {
	v := m.Value
	if x.prop == "@reverse" {
		return failed(fault.JSONKeyword, v, "invalid reverse property map: in @reverse are properties, not %s", word)
	}
	if v.Kind == jsonread.Null && lacks(word) {
		x.mend(fault.JSONEmptyKeyword, v, "null isn't a value of %s; it is read as if %s were not there", word, word)
		return nil
	}
	once := func(k keys) *failure {
		if x.keys&k != 0 {
			return failed(fault.JSONKeyword, v, "colliding keywords: %s is given twice, under two names", word)
		}
		x.keys |= k
		return nil
	}
	if x.old() && (word == "@included" || word == "@nest" || word == "@direction") {
		x.warn(fault.JSONUndefinedTerm, v, "JSON-LD 1.0 has no %s, which is passed over", word)
		return nil
	}
	switch word {
	case "@id":
		return x.id(v, once)
	case "@type":
		x.keys |= hasType
		x.typed = v
		return x.types(v)
	case "@graph":
		if f := once(hasGraph); f != nil {
			return f
		}
		x.badMember = v
		x.thing.hasGraph, x.thing.graph = true, x.each(x.active, "@graph", v, mode{}).all
	case "@included":
		x.keys |= hasOther
		x.badMember = v
		x.included(v)
	case "@value":
		return x.literal(v, once)
	case "@language":
		return x.language(v, once)
	case "@direction":
		if !isDirection(v) {
			return failed(fault.JSONKeyword, v, "invalid base direction: @direction is ltr or rtl")
		}
		x.keyed = v
		x.thing.direction = v.Text
		return once(hasDirection)
	case "@index":
		if v.Kind != jsonread.Text {
			return failed(fault.JSONKeyword, v, "invalid @index value: it is a string, not %s", v.Kind)
		}
		x.thing.indexed = true
		return once(hasIndex)
	case "@list":
		return x.list(v, once)
	case "@set":
		x.hasSet, x.set = true, x.each(x.active, x.prop, v, mode{})
		return once(hasSet)
	case "@reverse":
		return x.reversed(v)
	case "@nest":
		x.nests = append(x.nests, nesting{x.active, m.Name, v})
	default:
		x.warn(fault.JSONUndefinedTerm, v, "%s has no meaning here, and is passed over", word)
	}
	return nil
}

// included reads the value of @included.
func (x *expansion) included(v *jsonread.Value) {
	for _, item := range v.List() {
		if item.Kind != jsonread.Object || x.active.says(item, "@value") || x.active.says(item, "@list") || x.active.says(item, "@set") {
			x.lose(failed(fault.JSONKeyword, item, "invalid @included value: it is a node object"))
			continue
		}
		x.thing.included = append(x.thing.included, x.each(x.active, "", item, mode{}).all...)
	}
}

// literal reads the value of @value.
func (x *expansion) literal(v *jsonread.Value, once func(keys) *failure) *failure {
	if (v.Kind == jsonread.Object || v.Kind == jsonread.Array) && !x.isJSON() {
		return failed(fault.JSONKeyword, v, "invalid value object value: @value is a string, number, boolean or null, not %s", v.Kind)
	}
	x.value = v
	return once(hasValue)
}

// language reads the value of @language.
func (x *expansion) language(v *jsonread.Value, once func(keys) *failure) *failure {
	if v.Kind != jsonread.Text {
		return failed(fault.JSONKeyword, v, "invalid language-tagged string: @language is a string, not %s", v.Kind)
	}
	x.keyed = v
	if v.Text == "" {
		x.mend(fault.JSONEmptyKeyword, v, "an empty string isn't a language; it is read as if @language were not there")
		return nil
	}
	x.thing.language, x.thing.hasLanguage = v.Text, true
	return once(hasLanguage)
}

// list reads the value of @list.
func (x *expansion) list(v *jsonread.Value, once func(keys) *failure) *failure {
	if x.prop == "" || x.prop == "@graph" {
		x.warn(fault.JSONFreeValue, v, "a list that belongs to no node means nothing")
		return nil
	}
	x.thing.items, x.thing.cut = x.each(x.active, x.prop, v, mode{inList: true}).all, v.Cut
	return once(hasList)
}

// id reads the value of @id. One that can't be a name costs what is said of the node,
// and not the nodes in it.
func (x *expansion) id(v *jsonread.Value, once func(keys) *failure) *failure {
	if f := once(hasID); f != nil {
		return f
	}
	iri, ok, f := "", false, (*failure)(nil)
	if v.Kind != jsonread.Text {
		f = failed(fault.JSONKeyword, v, "invalid @id value: it is a string, not %s", v.Kind)
	} else if iri, ok, f = x.expandIRI(x.active, v.Text, v, iriRole{relative: true}); f == nil && !ok {
		f = failed(fault.JSONKeyword, v, "%q has the form of a keyword, and can't name a node", v.Text)
	}
	if f != nil {
		f.message += "; the statements about the node are lost"
		x.loseAll(f, x.thing.from, 0) // its statements are told one by one
		x.unname(f)
		return nil
	}
	if x.isUnlabelled(iri, v) {
		x.thing.repaired = true
		return nil
	}
	x.thing.repaired = x.thing.repaired || v.Repaired
	x.thing.named, x.thing.iri = true, iri
	return nil
}

// types reads the value of @type. A value that is no string costs only itself in a
// node, but all of a value object, whose datatype it would be.
func (x *expansion) types(v *jsonread.Value) *failure {
	var one [1]*jsonread.Value
	items := v.ListIn(&one)
	if x.thing.types == nil {
		x.thing.types = x.names.Slice(len(items))[:0]
	}
	for _, item := range items {
		if item.Kind == jsonread.Null {
			x.mend(fault.JSONEmptyKeyword, item, "null isn't a type; it is left out")
			continue
		}
		if item.Kind != jsonread.Text {
			x.badTypes = append(x.badTypes, failed(fault.JSONKeyword, item, "invalid type value: @type is a string, not %s", item.Kind))
			continue
		}
		iri, ok, f := x.mean(x.typeScoped, item.Text, item, true)
		if f != nil {
			x.badTypes = append(x.badTypes, f)
			continue
		}
		if !ok {
			x.voidTypes = append(x.voidTypes, item)
			continue
		}
		x.thing.types = append(x.thing.types, name{iri, item, item.Repaired || v.Repaired})
	}
	return nil
}

// reversed reads the value of @reverse (step 13.4.13).
func (x *expansion) reversed(v *jsonread.Value) *failure {
	if v.Kind != jsonread.Object {
		x.lose(failed(fault.JSONKeyword, v, "invalid @reverse value: it is an object, not %s", v.Kind))
		return nil
	}
	inner := &expansion{expander: x.expander, active: x.active, typeScoped: x.typeScoped, prop: "@reverse",
		thing: x.expander.thing(thing{from: v, parts: x.parts.Next()})}
	a, typeScoped, f := x.contextOf(x.active, v, nil, mode{})
	if f != nil {
		return f
	}
	inner.active, inner.typeScoped = a, typeScoped
	before := x.lost
	if f := inner.members(v); f != nil {
		x.loseAll(f, v, max(0, x.countMember(x.active, "@reverse", v)-1-(x.lost-before)))
		return nil
	}
	for _, p := range inner.thing.reverse { // reversed twice
		x.thing.props = add(x.thing.props, &x.thing.propsAt, p.iri, p.pos, p.things)
		x.keys |= hasOther
	}
	for _, p := range inner.thing.props {
		x.addReverse(p.iri, &jsonread.Member{Pos: p.pos}, p.things)
		x.keys |= hasOther
	}
	x.badMember = v
	return nil
}

// mend tells of a repair in the object.
func (x *expansion) mend(code fault.Code, at *jsonread.Value, format string, args ...any) {
	x.mendThing(x.thing, code, at, format, args...)
}

// lacks says that nothing is said where a keyword has null as its value, which JSON-LD forbids. Many
// programs write null for what they have not.
func lacks(word string) bool {
	switch word {
	case "@id", "@type", "@language", "@direction", "@index", "@reverse", "@included", "@nest":
		return true
	}
	return false
}

// finish settles what kind of thing the object is (steps 15 to 19).
func (x *expansion) finish(v *jsonread.Value, top bool) (things, *failure) {
	t := x.thing
	switch {
	case x.keys&hasValue != 0:
		return x.finishLiteral(v, top)
	case x.keys&(hasSet|hasList) != 0 && x.keys&^(hasSet|hasList|hasIndex) != 0, x.keys&(hasSet|hasList) == hasSet|hasList:
		return things{}, failed(fault.JSONKeyword, v, "invalid set or list object: beside @set or @list only @index may occur")
	case x.hasSet:
		if t.repaired {
			for _, one := range x.set.all {
				one.repaired = true
			}
		}
		return x.set, nil
	case x.keys&hasList != 0:
		t.kind = aList
		return things{all: x.only(t)}, nil
	}
	for _, f := range x.badTypes {
		x.lose(f)
	}
	for _, item := range x.voidTypes {
		x.warn(fault.JSONUndefinedTerm, item, "the context takes all meaning from the type %q, which is passed over", item.Text)
	}
	if !top && x.unsure && x.keys&^hasType == 0 && !t.named && t.saysNothing() {
		f := failed(fault.JSONContextNotAvailable, v, "what this is can't be known without the context that gives its names a meaning")
		f.lacks = x.active.lacks
		return things{}, f
	}
	if x.keys&(hasLanguage|hasDirection) != 0 {
		x.warn(fault.JSONFreeValue, x.keyed, "a language or base direction means nothing without @value")
	}
	if x.keys == hasLanguage {
		return things{}, nil
	}
	if top && t.saysNothing() {
		if t.named && x.told == x.before && !v.Partial {
			x.warn(fault.JSONFreeValue, v, "a node of which nothing is said means nothing")
		}
		if len(t.included) == 0 {
			return things{}, nil
		}
	}
	return things{all: x.only(t)}, nil
}

// saysNothing says that no statement is made of a node or in its graph.
func (t *thing) saysNothing() bool {
	for _, props := range [][]property{t.props, t.reverse} {
		for i := range props {
			if len(props[i].things) > 0 {
				return false
			}
		}
	}
	return len(t.types)+len(t.graph) == 0
}

// finishLiteral makes the literal of an object with @value.
func (x *expansion) finishLiteral(v *jsonread.Value, top bool) (things, *failure) {
	t := x.thing
	if f := x.notLiteral(v); f != nil {
		return things{}, f
	}
	if x.typed != nil && x.typed.Kind == jsonread.Array && len(x.typed.Items) == 0 {
		x.mend(fault.JSONEmptyKeyword, x.typed, "an empty array isn't a datatype; it is read as if @type were not there")
	}
	t.kind, t.literal = aLiteral, x.value
	t.repaired = t.repaired || x.value.Repaired
	if len(t.types) == 1 {
		t.iri = t.types[0].iri
		t.types = t.types[:0]
		if (t.iri != "@json" || x.old()) && !isIRI(t.iri) {
			return things{}, failed(fault.JSONKeyword, v, "invalid typed value: the datatype %q isn't an IRI", t.iri)
		}
	}
	if x.value.Kind == jsonread.Null && t.iri != "@json" {
		if x.keys&(hasType|hasLanguage|hasDirection) != 0 {
			x.warn(fault.JSONFreeValue, v, "null says nothing, whatever its type or language")
		}
		return things{}, nil
	}
	if t.hasLanguage && x.value.Kind != jsonread.Text {
		return things{}, failed(fault.JSONKeyword, v, "invalid language-tagged value: only a string has a language, not %s", x.value.Kind)
	}
	if top {
		x.warn(fault.JSONFreeValue, v, "a value that belongs to no node means nothing")
		return things{}, nil
	}
	return things{all: x.only(t)}, nil
}

// notLiteral is why an object with @value is no value object; nil if it is one.
func (x *expansion) notLiteral(v *jsonread.Value) *failure {
	t := x.thing
	if x.keys&(hasOther|hasID|hasGraph|hasList|hasSet) != 0 {
		return failed(fault.JSONKeyword, v, "invalid value object: beside @value only @type, @language, @direction and @index may occur")
	}
	if len(x.badTypes) > 0 {
		return x.badTypes[0]
	}
	if x.doubt != nil {
		return failed(x.doubt.code, v, "the broken member beside @value can't be read, and may be its type or language")
	}
	if len(x.voidTypes) > 0 {
		return failed(fault.JSONKeyword, v, "invalid typed value: the context takes all meaning from the datatype %q", x.voidTypes[0].Text)
	}
	if x.keys&hasType != 0 && x.keys&(hasLanguage|hasDirection) != 0 &&
		(t.language == "" || x.value.Kind != jsonread.Text || len(t.types) != 1 || !isLanguageType(t.types[0].iri)) {
		return failed(fault.JSONKeyword, v, "invalid value object: @type excludes @language and @direction")
	}
	if len(t.types) > 1 {
		return failed(fault.JSONKeyword, v, "invalid typed value: a literal has one datatype")
	}
	return nil
}
