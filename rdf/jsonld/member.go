package jsonld

import (
	"cmp"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// expansion is an object being expanded.
type expansion struct {
	*expander
	active     *active
	typeScoped *active
	prop       string // the active property
	thing      *thing

	keys      keys // keywords met
	value     *jsonread.Value
	hasSet    bool
	set       things
	badTypes  []*failure
	voidTypes []*jsonread.Value // types that the context maps to null
	typed     *jsonread.Value   // the value of @type
	keyed     *jsonread.Value   // that of @language or @direction
	doubt     *failure          // of the first member whose name has no certain meaning
	unsure    bool              // a member is lost, since its name has no certain meaning
	before    int               // what had been told when the object began
	badMember *jsonread.Value   // something that a value object must not have
	nests     []nesting
}

type nesting struct {
	active *active
	name   string
	value  *jsonread.Value
}

type keys uint16

const (
	hasID keys = 1 << iota
	hasType
	hasValue
	hasLanguage
	hasDirection
	hasIndex
	hasList
	hasSet
	hasGraph
	hasOther
)

// expansion gives one that has ended, or a new one.
func (e *expander) expansion() *expansion {
	if n := len(e.spare); n > 0 {
		x := e.spare[n-1]
		e.spare = e.spare[:n-1]
		return x
	}
	return new(expansion)
}

// end takes an expansion back.
func (e *expander) end(x *expansion) {
	if len(e.spare) < 64 {
		*x = expansion{}
		e.spare = append(e.spare, x)
	}
}

// isJSON says that the type is @json, which decides how @value is read.
func (x *expansion) isJSON() bool {
	found := x.typeMembers(x.active, x.thing.from)
	if len(found) == 0 {
		return false
	}
	all := found[0].Value.List()
	return len(all) > 0 && all[len(all)-1].Kind == jsonread.Text && x.active.keyword(all[len(all)-1].Text) == "@json" && !x.old()
}

// members expands the members of an object (steps 13 and 14).
func (x *expansion) members(v *jsonread.Value) *failure {
	for i := range v.Members {
		m := &v.Members[i]
		if m.Name == "@context" {
			continue
		}
		iri, ok, f := x.mean(x.active, m.Name, m.Value, false)
		if f != nil {
			x.unknown(f, m)
			continue
		}
		if ok && len(iri) > 0 && iri[0] == '@' && isKeyword(iri) {
			if f := x.keyword(iri, m); f != nil {
				return f
			}
			continue
		}
		if !ok || !isIRI(iri) && !hasColon(iri) {
			if known, f := x.misspelt(m); f != nil {
				return f
			} else if known {
				continue
			}
			if !m.Value.IsNull() {
				n := fault.Notice{Code: fault.JSONUndefinedTerm, Severity: fault.Warning, Pos: m.Pos,
					Message: "the context gives no meaning to " + `"` + m.Name + `", so that its value is passed over`,
					Excerpt: fault.Excerpt([]byte(m.Name))}
				if t := x.active.terms[m.Name]; t != nil && t.iri == "" {
					n.Message = "the context takes all meaning from " + `"` + m.Name + `", so that its value is passed over`
				}
				x.tell(n)
			}
			continue
		}
		before := x.lost
		if f := x.property(iri, m); f != nil {
			x.loseAll(f, m.Value, max(0, x.countMember(x.active, m.Name, m.Value)-(x.lost-before)))
		}
	}
	x.adrift(v)
	return x.nested()
}

// unknown tells of a member that is lost, since its name has no certain meaning.
func (x *expansion) unknown(f *failure, m *jsonread.Member) {
	f.at = jsonread.NewText(m.Name, m.Pos)
	if m.Name == "id" && m.Value.Kind == jsonread.Text { // as good as surely its name
		x.unname(f)
		x.loseAll(f, m.Value, 0)
	} else {
		x.loseAll(f, m.Value, x.countMember(x.active, m.Name, m.Value))
	}
	x.doubt = cmp.Or(x.doubt, f)
	x.unsure = x.unsure || f.code == fault.JSONContextNotAvailable
}

func hasColon(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == ':' {
			return true
		}
	}
	return false
}

// nested expands the members that were put into an object of their own by @nest.
func (x *expansion) nested() *failure {
	nests := x.nests
	x.nests = nil
	outer := x.active
	for _, n := range nests {
		x.active = n.active
		if t := n.active.terms[n.name]; t != nil && t.contexts != nil {
			scoped, f := x.process(n.active, t.contexts, where{from: t.from, override: true})
			if f != nil {
				x.loseInside(f, n.active, n.value)
				continue
			}
			x.active = scoped
		}
		for _, v := range n.value.List() {
			sound := v.Kind == jsonread.Object
			for i := range v.Members {
				sound = sound && x.active.keyword(v.Members[i].Name) != "@value"
			}
			if c := v.Get("@context"); c != nil && sound {
				x.warn(fault.JSONUndefinedTerm, c, "a context has no meaning in an object that @nest holds, and is passed over")
			}
			if !sound {
				x.lose(failed(fault.JSONKeyword, v, "invalid @nest value: it is a node object, not %s", v.Kind))
				continue
			}
			if f := x.members(v); f != nil {
				return f
			}
		}
	}
	x.active = outer
	return nil
}

// property expands a member whose name means an IRI, and adds it to the node.
func (x *expansion) property(iri string, m *jsonread.Member) *failure {
	t := x.term(x.active, m.Name)
	var container containers
	if t != nil {
		container = t.container
	}
	if v := m.Value; t != nil && t.typ == "@json" && (v.Partial || v.Gaps) {
		x.tell(fault.Notice{Code: fault.JSONSyntax, Severity: fault.Drop, Pos: v.Pos, Bytes: v.End - v.Pos.Offset, Excerpt: v.Sample(),
			Message: "a JSON literal is lost with what is missing or broken in it"})
		return nil
	}
	result, f := x.values(t, m)
	if f != nil {
		return f
	}
	if result.isNull() {
		return nil
	}
	if m.Value.Repaired {
		for _, one := range result.all {
			one.repaired = true
		}
	}
	if container&asList != 0 && !(len(result.all) == 1 && !result.array && result.all[0].kind == aList) {
		result = things{all: x.only(x.listOf(result.all, thing{from: m.Value, repaired: m.Value.Repaired, cut: m.Value.Cut}))}
	}
	if container&asGraph != 0 && container&(asID|asIndex) == 0 {
		for i, one := range result.all {
			if one.kind == aLong {
				one.long.graphs = true
				continue
			}
			result.all[i] = x.graphOf(one)
		}
	}
	x.keys |= hasOther
	x.badMember = m.Value
	if t != nil && t.reverse {
		x.addReverse(iri, m, result.all)
		return nil
	}
	if x.thing.props == nil {
		x.thing.props = x.props.Slice(len(x.thing.from.Members))[:0]
	}
	x.thing.props = add(x.thing.props, &x.thing.propsAt, iri, m.Pos, result.all)
	return nil
}

// values expands what a member of a term holds; t is nil where the name is no term.
func (x *expansion) values(t *term, m *jsonread.Member) (things, *failure) {
	v := m.Value
	if long := x.longThing(m); long != nil {
		return things{all: x.only(long), array: true}, nil
	}
	if t == nil {
		return x.each(x.active, m.Name, v, mode{}), nil
	}
	switch {
	case t.typ == "@json":
		one := x.expander.thing(thing{kind: aLiteral, literal: v, iri: "@json", from: v, repaired: v.Repaired, parts: &noParts})
		return things{all: x.only(one)}, nil
	case t.container&asLanguage != 0 && v.Kind == jsonread.Object:
		return x.languageMap(t, v)
	case t.container&(asIndex|asID|asType) != 0 && v.Kind == jsonread.Object:
		return x.indexMap(m.Name, t, v)
	}
	return x.each(x.active, m.Name, v, mode{}), nil
}

// isGraph says that a thing is a graph, and no node of which something is said too.
func (t *thing) isGraph() bool {
	return t.kind == aNode && t.hasGraph && len(t.types)+len(t.props)+len(t.reverse)+len(t.included) == 0
}

// notReversed is why a thing can't be the value of a reverse property.
const notReversed = "invalid reverse property value: a literal or a list can't be a subject"

// addReverse adds statements that have this node as their object.
func (x *expansion) addReverse(iri string, m *jsonread.Member, all []*thing) {
	nodes := all[:0]
	for _, one := range all {
		switch one.kind {
		case aNode:
		case aLong:
			one.long.reverse = true
		default:
			x.lose(failed(fault.JSONKeyword, one.from, notReversed))
			continue
		}
		nodes = append(nodes, one)
	}
	x.thing.reverse = add(x.thing.reverse, &x.thing.reverseAt, iri, m.Pos, nodes)
}

// languageMap expands an object whose names are language tags (step 13.7).
func (x *expansion) languageMap(t *term, v *jsonread.Value) (things, *failure) {
	result := things{array: true}
	direction := x.active.direction
	if t.hasDirection {
		direction = t.direction
	}
	for i := range v.Members {
		m := &v.Members[i]
		none := x.active.keyword(m.Name) == "@none"
		for _, item := range m.Value.List() {
			switch item.Kind {
			case jsonread.Null:
			case jsonread.Text:
				one := x.expander.thing(thing{kind: aLiteral, literal: item, direction: direction, from: item,
					repaired: item.Repaired || m.Value.Repaired, parts: &noParts})
				switch {
				case none:
				case m.Name == "":
					x.mendThing(one, fault.JSONEmptyKeyword, item, "an empty string isn't a language; the text is read as one without")
				default:
					one.language, one.hasLanguage = m.Name, true
				}
				result.all = append(result.all, one)
			default:
				x.lose(failed(fault.JSONKeyword, item, "invalid language map value: under a language are strings, not %s", item.Kind))
			}
		}
	}
	return result, nil
}

// indexMap expands an object whose names are indexes, identifiers or types (step 13.8).
func (x *expansion) indexMap(prop string, t *term, v *jsonread.Value) (things, *failure) {
	result := things{array: true}
	for i := range v.Members {
		m := &v.Members[i]
		inner, f := x.mapContext(t, m)
		if f != nil {
			return things{}, f
		}
		none := x.active.keyword(m.Name) == "@none"
		for _, one := range x.each(inner, prop, m.Value, mode{fromMap: true}).all {
			if one.kind == aHole {
				continue
			}
			if t.container&asGraph != 0 && !one.isGraph() {
				one = x.graphOf(one)
			}
			one.repaired = one.repaired || m.Value.Repaired
			if none || x.nameByKey(t, m, one) {
				result.all = append(result.all, one)
			}
		}
	}
	return result, nil
}

// mapContext is the context for what is under a name of a map.
func (x *expansion) mapContext(t *term, m *jsonread.Member) (*active, *failure) {
	inner := x.active
	if t.container&(asID|asType) != 0 && inner.previous != nil {
		inner = inner.previous
	}
	if t.container&asType != 0 {
		if named := inner.terms[m.Name]; named != nil && named.contexts != nil {
			return x.process(inner, named.contexts, where{from: named.from, once: true})
		}
	}
	return inner, nil
}

// nameByKey gives a thing in a map what its name there says; false if the thing is lost by it.
func (x *expansion) nameByKey(t *term, m *jsonread.Member, one *thing) bool {
	byIndex := t.container&asIndex != 0
	switch {
	case byIndex && t.index != "" && t.index != "@index":
		return x.indexBy(t, m, one)
	case byIndex:
		one.indexed = true
	case one.kind != aNode:
		x.lose(failed(fault.JSONKeyword, one.from, "invalid value object: a literal can't have an identifier or type"))
		return false
	case t.container&asID != 0:
		return x.identifyBy(m, one)
	default:
		x.typeBy(m, one)
	}
	return true
}

// indexBy gives a node in a map the property that its index means; false if it is no node.
func (x *expansion) indexBy(t *term, m *jsonread.Member, one *thing) bool {
	if one.kind != aNode {
		x.lose(failed(fault.JSONKeyword, one.from, "invalid value object: a literal can't have the property that its index means"))
		return false
	}
	key, _, f := x.expandIRI(x.active, t.index, m.Value, iriRole{vocab: true})
	var value *thing
	if f == nil {
		value, f = x.expandScalar(x.active, t.index, jsonread.NewText(m.Name, m.Pos))
	}
	if f != nil {
		x.lose(f)
	} else {
		one.own().props = append([]property{{key, m.Pos, []*thing{value}}}, one.props...)
	}
	return true
}

// identifyBy gives a node in a map its identifier; false if it has none then.
func (x *expansion) identifyBy(m *jsonread.Member, one *thing) bool {
	at := jsonread.NewText(m.Name, m.Pos)
	id, ok, f := x.expandIRI(x.active, m.Name, at, iriRole{relative: true})
	one.repaired = one.repaired || at.Repaired
	switch {
	case f != nil && !one.named:
		x.loseAll(f, one.from, 1+x.countInside(x.active, one.from))
		return false
	case f != nil:
	case one.named && one.iri != id:
		x.warn(fault.JSONDuplicateKey, m.Value, "the node is under the identifier %q, but has one of its own, which counts", m.Name)
	case !ok:
		f := failed(fault.JSONKeyword, m.Value, "%q has the form of a keyword, and can't name a node", m.Name)
		x.loseAll(f, one.from, 1+x.countInside(x.active, one.from))
		return false
	}
	one.named, one.iri = true, cmp.Or(one.iri, id)
	return true
}

// typeBy gives a node in a map its type.
func (x *expansion) typeBy(m *jsonread.Member, one *thing) {
	at := jsonread.NewText(m.Name, m.Pos)
	switch iri, ok, f := x.expandIRI(x.active, m.Name, at, iriRole{vocab: true}); {
	case f != nil:
		x.lose(f)
	case !ok:
		x.warn(fault.JSONUndefinedTerm, at, "the context takes all meaning from the type %q, which is passed over", m.Name)
	default:
		one.own().types = append([]name{{iri: iri, from: at}}, one.types...)
	}
}
