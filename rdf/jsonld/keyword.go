package jsonld

import (
	"laundromat/internal/fault"
)

// keyword reads a member whose name means a keyword (step 13.4).
func (x *expansion) keyword(word string, m *member) *failure {
	v := m.value
	if x.prop == "@reverse" {
		return failed(fault.JSONKeyword, v, "invalid reverse property map: in @reverse stand properties, not %s", word)
	}
	once := func(k keys) *failure {
		if x.keys&k != 0 {
			return failed(fault.JSONKeyword, v, "colliding keywords: %s is given twice, under two names", word)
		}
		x.keys |= k
		return nil
	}
	switch word {
	case "@id":
		return x.id(v, once)
	case "@type":
		x.keys |= hasType
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
		x.thing.included = append(x.thing.included, x.each(x.active, "", v, mode{}).all...)
		for _, item := range v.list() {
			if item.kind != object || item.get("@value") != nil || item.get("@list") != nil || item.get("@set") != nil {
				x.lose(failed(fault.JSONKeyword, item, "invalid @included value: it is a node object, not %s", kindNames[item.kind]))
			}
		}
	case "@value":
		if !x.isJSON && (v.kind == object || v.kind == array) {
			return failed(fault.JSONKeyword, v, "invalid value object value: @value is a string, number, boolean or null, not %s", kindNames[v.kind])
		}
		x.value = v
		return once(hasValue)
	case "@language":
		if v.kind != text {
			return failed(fault.JSONKeyword, v, "invalid language-tagged string: @language is a string, not %s", kindNames[v.kind])
		}
		x.thing.language, x.thing.hasLanguage = v.text, true
		return once(hasLanguage)
	case "@direction":
		if !isDirection(v) {
			return failed(fault.JSONKeyword, v, "invalid base direction: @direction is ltr or rtl")
		}
		x.thing.direction = v.text
		return once(hasDirection)
	case "@index":
		if v.kind != text {
			return failed(fault.JSONKeyword, v, "invalid @index value: it is a string, not %s", kindNames[v.kind])
		}
		x.thing.indexed = true
		return once(hasIndex)
	case "@list":
		if x.prop == "" || x.prop == "@graph" {
			x.warn(fault.JSONFreeValue, v, "a list that belongs to no node means nothing")
			return nil
		}
		x.thing.items = x.each(x.active, x.prop, v, mode{inList: true}).all
		return once(hasList)
	case "@set":
		x.hasSet, x.set = true, x.each(x.active, x.prop, v, mode{})
		return once(hasSet)
	case "@reverse":
		return x.reversed(v)
	case "@nest":
		x.nests = append(x.nests, nesting{x.active, m.name, v})
	default:
		x.warn(fault.JSONUndefinedTerm, v, "%s has no meaning here, and is passed over", word)
	}
	return nil
}

func (x *expansion) id(v *value, once func(keys) *failure) *failure {
	if f := once(hasID); f != nil {
		return f
	}
	if v.kind != text {
		return failed(fault.JSONKeyword, v, "invalid @id value: it is a string, not %s", kindNames[v.kind])
	}
	iri, ok, f := x.expandIRI(x.active, v.text, v, true, false, nil)
	if f != nil {
		return f
	}
	x.thing.repaired = x.thing.repaired || v.repaired
	if !ok {
		return failed(fault.JSONKeyword, v, "%q has the form of a keyword, and can't name a node", v.text)
	}
	x.thing.named, x.thing.iri = true, iri
	return nil
}

// types reads the value of @type. A value that is no string costs only itself in a
// node, but all of a value object, whose datatype it would be.
func (x *expansion) types(v *value) *failure {
	for _, item := range v.list() {
		if item.kind != text {
			f := failed(fault.JSONKeyword, item, "invalid type value: @type is a string, not %s", kindNames[item.kind])
			if x.badType == nil {
				x.badType = f
			} else {
				x.lose(f)
			}
			continue
		}
		iri, ok, f := x.expandIRI(x.typeScoped, item.text, item, true, true, nil)
		if f != nil {
			return f
		}
		if !ok {
			x.warn(fault.JSONUndefinedTerm, item, "the context takes all meaning from the type %q", item.text)
			continue
		}
		x.thing.types = append(x.thing.types, name{iri, item, item.repaired || v.repaired})
	}
	return nil
}

// reversed reads the value of @reverse (step 13.4.13).
func (x *expansion) reversed(v *value) *failure {
	if v.kind != object {
		x.lose(failed(fault.JSONKeyword, v, "invalid @reverse value: it is an object, not %s", kindNames[v.kind]))
		return nil
	}
	inner := &expansion{expander: x.expander, active: x.active, typeScoped: x.typeScoped, prop: "@reverse", thing: &thing{from: v, parts: new(parts)}}
	a, typeScoped, f := x.contextOf(x.active, v, nil, mode{})
	if f != nil {
		return f
	}
	inner.active, inner.typeScoped = a, typeScoped
	if f := inner.members(v); f != nil {
		x.lose(f)
		return nil
	}
	for _, p := range inner.thing.reverse { // reversed twice
		x.thing.props = add(x.thing.props, p.iri, p.pos, p.things)
		x.keys |= hasOther
	}
	for _, p := range inner.thing.props {
		x.addReverse(p.iri, &member{pos: p.pos}, p.things)
		x.keys |= hasOther
	}
	x.badMember = v
	return nil
}

// finish settles what kind of thing the object is (steps 15 to 19).
func (x *expansion) finish(v *value, top bool) (things, *failure) {
	t := x.thing
	switch {
	case x.keys&hasValue != 0:
		return x.finishLiteral(v, top)
	case x.keys&(hasSet|hasList) != 0 && x.keys&^(hasSet|hasList|hasIndex) != 0, x.keys&(hasSet|hasList) == hasSet|hasList:
		return things{}, failed(fault.JSONKeyword, v, "invalid set or list object: beside @set or @list only @index may stand")
	case x.hasSet:
		return x.set, nil
	case x.keys&hasList != 0:
		t.kind = aList
		return things{all: []*thing{t}}, nil
	}
	if x.badType != nil {
		x.lose(x.badType)
	}
	if x.keys == hasLanguage {
		return things{}, nil
	}
	if top {
		if x.keys == 0 && len(t.reverse)+len(t.included) == 0 {
			return things{}, nil
		}
		if x.keys == hasID {
			return things{}, nil
		}
	}
	return things{all: []*thing{t}}, nil
}

func (x *expansion) finishLiteral(v *value, top bool) (things, *failure) {
	t := x.thing
	if x.keys&(hasOther|hasID|hasGraph|hasList|hasSet) != 0 {
		return things{}, failed(fault.JSONKeyword, v, "invalid value object: beside @value only @type, @language, @direction and @index may stand")
	}
	if x.badType != nil {
		return things{}, x.badType
	}
	if x.keys&hasType != 0 && x.keys&(hasLanguage|hasDirection) != 0 {
		return things{}, failed(fault.JSONKeyword, v, "invalid value object: @type excludes @language and @direction")
	}
	if len(t.types) > 1 {
		return things{}, failed(fault.JSONKeyword, v, "invalid typed value: a literal has one datatype")
	}
	t.kind, t.literal = aLiteral, x.value
	t.repaired = t.repaired || x.value.repaired
	if len(t.types) == 1 {
		t.iri = t.types[0].iri
		t.types = nil
		if t.iri != "@json" && !isIRI(t.iri) {
			return things{}, failed(fault.JSONKeyword, v, "invalid typed value: the datatype %q is no IRI", t.iri)
		}
	}
	if x.value.kind == null && t.iri != "@json" {
		return things{}, nil
	}
	if t.hasLanguage && x.value.kind != text {
		return things{}, failed(fault.JSONKeyword, v, "invalid language-tagged value: only a string has a language, not %s", kindNames[x.value.kind])
	}
	if top {
		x.warn(fault.JSONFreeValue, v, "a value that belongs to no node means nothing")
		return things{}, nil
	}
	return things{all: []*thing{t}}, nil
}
