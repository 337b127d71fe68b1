package jsonld

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// thing is what a value expands to: a node, a literal or a list (JSON-LD 1.1 API
// §5.1). A hole is a member of a list that was lost. There is one for each value of
// a document, so it is kept small.
type thing struct {
	kind        thingKind
	repaired    bool
	named       bool // the node has an identifier
	indexed     bool // it had @index
	hasGraph    bool
	hasLanguage bool
	counted     bool // its name was lost by a fault of JSON, which counts as one statement
	cut         bool // a list whose end was lost
	from        *jsonread.Value
	iri         string // the identifier of a node, the datatype of a literal
	language    string
	direction   string
	literal     *jsonread.Value
	*parts
}

// parts are what only nodes with members and lists have.
type parts struct {
	types   []name
	props   []property
	reverse []property
	// where many of them stand, by their IRIs; see add
	propsAt, reverseAt map[string]int
	graph              []*thing
	included           []*thing
	items              []*thing
	number             uint64 // of a node without a name, once it has been written
	long               *longMember
}

// noParts are those of all things without members. They are never written to.
var noParts parts

// own gives a thing parts that it can change.
func (t *thing) own() *parts {
	if t.parts == &noParts {
		t.parts = new(parts)
	}
	return t.parts
}

type thingKind uint8

const (
	aNode thingKind = iota
	aLiteral
	aList
	aHole
	aLong // the items of a member that are expanded when they are written
)

type name struct {
	iri      string
	from     *jsonread.Value
	repaired bool
}

type property struct {
	iri    string
	pos    fault.Pos
	things []*thing
}

// things is the result of an expansion; array tells an array of one from a value,
// and an empty array from null.
type things struct {
	all   []*thing
	array bool
}

func (t things) isNull() bool { return len(t.all) == 0 && !t.array }

func add(props []property, at *map[string]int, iri string, pos fault.Pos, all []*thing) []property {
	if len(props) < manyProperties {
		for i := range props {
			if props[i].iri == iri {
				props[i].things = append(props[i].things, all...)
				return props
			}
		}
		return append(props, property{iri, pos, all})
	}
	if len(*at) != len(props) {
		*at = make(map[string]int, 2*len(props))
		for i := range props {
			(*at)[props[i].iri] = i
		}
	}
	if i, known := (*at)[iri]; known {
		props[i].things = append(props[i].things, all...)
		return props
	}
	(*at)[iri] = len(props)
	return append(props, property{iri, pos, all})
}

// manyProperties is how many properties of a node are looked through one by one.
const manyProperties = 32

// expander holds what the expansion of a document needs beside the values.
type expander struct {
	in           rdf.Input
	opt          Options
	rules        ruleSwitch
	sink         rdf.Sink
	loader       *loader
	initial      *active // the one that null leads back to
	start        *active // the one that top-level values begin with
	processed    map[memo]*active
	missing      map[string]*absence      // contexts that could not be had, by their IRIs
	toldTerms    map[*jsonread.Value]bool // definitions that are lost, which was told
	flaw         *failure                 // the first of an entry of a context that is lost
	contextsRead int
	termsDefined int
	fileBaseTold bool
	hosts        rdf.HostNames
	told         int // findings handed on
	said         int // all findings, repairs too
	lost         int // statements that are lost by them
	applied      map[applied]*active
	item         *jsonread.Value              // that is read; nil where it is not held whole
	unlabelled   int                          // see isUnlabelled; 0 before it was counted
	nameless     map[*jsonread.Value]*failure // why the nodes of the item lost their names, where that was found here
	meanings     [manyMeanings]meaning
	actives      uint64                          // contexts that have a number
	long         map[*jsonread.Value]*longMember // arrays of the present object that were passed over
	texts        strings.Builder                 // of IRIs, one behind the other
	expanded
	spare []*expansion // that have ended

	failed error // of the sink
}

func newExpander(in rdf.Input, opt Options, sink rdf.Sink) *expander {
	initial := &active{base: in.Base, hasBase: in.Base != ""}
	return &expander{in: in, opt: opt, sink: sink, loader: newLoader(opt),
		initial: initial, start: initial, processed: map[memo]*active{}, applied: map[applied]*active{},
		missing: map[string]*absence{}, toldTerms: map[*jsonread.Value]bool{}}
}

// old says that the rules of JSON-LD 1.0 hold.
func (e *expander) old() bool { return e.opt.Mode == Mode10 }

// say hands on a finding.
func (e *expander) say(n fault.Notice) {
	e.said++
	e.lost += n.Lost
	e.sink.Notice(n)
}

// tell hands on a finding that is no repair.
func (e *expander) tell(n fault.Notice) {
	e.told++
	e.say(n)
}

func (e *expander) warn(code fault.Code, at *jsonread.Value, format string, args ...any) {
	e.tell(fault.Notice{Code: code, Severity: fault.Warning, Pos: at.Pos,
		Message: fmt.Sprintf(format, args...), Excerpt: at.Sample()})
}

// lose tells of a value that can't be expanded.
func (e *expander) lose(f *failure) { e.loseAll(f, f.at, 1) }

// loseAll tells of a failure in all, which is lost with it, and of how many statements that were.
func (e *expander) loseAll(f *failure, all *jsonread.Value, statements int) {
	n := fault.Notice{Code: f.code, Severity: fault.Drop, Pos: f.at.Pos, Message: f.message,
		Excerpt: f.at.Sample(), Lost: statements}
	if all.End > all.Pos.Offset {
		n.Bytes = all.End - all.Pos.Offset
	}
	if a := e.missing[f.lacks]; a != nil {
		a.lost += int64(n.Lost)
	}
	e.tell(n)
}

// mendThing tells of a repair that touches a thing.
func (e *expander) mendThing(t *thing, code fault.Code, at *jsonread.Value, format string, args ...any) {
	e.say(fault.Notice{Code: code, Severity: fault.Repair, Pos: at.Pos,
		Message: fmt.Sprintf(format, args...), Excerpt: at.Sample()})
	t.repaired = true
}

// expandTop expands a top-level value to the nodes that stand in the default graph.
func (e *expander) expandTop(v *jsonread.Value) []*thing {
	result := e.each(e.start, "", v, mode{})
	nodes := result.all
	if len(nodes) == 1 && nodes[0].isGraph() && !nodes[0].named && !nodes[0].from.Nameless && !nodes[0].indexed && !nodes[0].hasLanguage &&
		nodes[0].direction == "" {
		nodes = nodes[0].graph
	}
	return nodes
}

type mode struct {
	fromMap bool // the value stands in an index, id or type map
	inList  bool // the value is the value of @list
}

// each expands a value, or the items of an array, each of which may fail alone.
func (e *expander) each(a *active, prop string, v *jsonread.Value, m mode) things {
	if v.Kind != jsonread.Array {
		before := e.lost
		result, f := e.expand(a, prop, v, m)
		if f != nil {
			e.loseValue(f, a, prop, v, e.lost-before)
			return things{}
		}
		return result
	}
	result := things{array: true, all: e.pointers.Slice(len(v.Items))[:0]}
	lists := m.inList
	if t := e.term(a, prop); t != nil {
		lists = lists || t.container&asList != 0
	}
	for _, item := range v.Items {
		if item.Kind == jsonread.Lost {
			if lists {
				result.all = append(result.all, e.thing(thing{kind: aHole, from: item, parts: &noParts}))
			}
			continue
		}
		if item.Kind == jsonread.Array {
			inner := e.each(a, prop, item, m)
			if lists {
				inner.all = e.only(e.listOf(inner.all, thing{from: item, cut: item.Cut}))
			}
			result.all = append(result.all, inner.all...)
			continue
		}
		before := e.lost
		one, f := e.expand(a, prop, item, m)
		if f != nil {
			e.loseValue(f, a, prop, item, e.lost-before)
			if lists {
				result.all = append(result.all, e.thing(thing{kind: aHole, from: item, parts: &noParts}))
			}
			continue
		}
		if lists && one.array {
			one.all = e.only(e.listOf(one.all, thing{from: item}))
		}
		result.all = append(result.all, one.all...)
	}
	return result
}

// expand expands a value that is no array (JSON-LD 1.1 API §5.1.2).
func (e *expander) expand(a *active, prop string, v *jsonread.Value, m mode) (things, *failure) {
	if v.Kind == jsonread.Null || v.Kind == jsonread.Lost {
		return things{}, nil
	}
	scoped := e.term(a, prop)
	if scoped != nil && scoped.contexts == nil {
		scoped = nil
	}
	top := prop == "" || prop == "@graph"
	if v.Kind != jsonread.Object {
		if top {
			e.warn(fault.JSONFreeValue, v, "a value that belongs to no node means nothing")
			return things{}, nil
		}
		if scoped != nil {
			var f *failure
			if a, f = e.process(a, scoped.contexts, where{from: scoped.from, override: true}); f != nil {
				return things{}, f
			}
		}
		t, f := e.expandScalar(a, prop, v)
		if f != nil || t == nil {
			return things{}, f
		}
		return things{all: e.only(t)}, nil
	}

	a, typeScoped, f := e.contextOf(a, v, scoped, m)
	if f != nil {
		return things{}, f
	}
	x := e.expansion()
	defer e.end(x)
	*x = expansion{expander: e, active: a, typeScoped: typeScoped, prop: prop, before: e.told,
		thing: e.thing(thing{from: v, repaired: v.Repaired || a.mended, counted: v.Nameless, parts: e.parts.Next()})}
	if f := x.members(v); f != nil {
		return things{}, f
	}
	return x.finish(v, top)
}

// contextOf finds the context for the members of an object (steps 7 to 11), and the
// one in which its types are looked up.
func (e *expander) contextOf(a *active, v *jsonread.Value, scoped *term, m mode) (forMembers, forTypes *active, f *failure) {
	if a.previous != nil && !m.fromMap {
		revert := true
		for i := range v.Members {
			word := a.keyword(v.Members[i].Name)
			if word == "@value" || word == "@id" && len(v.Members) == 1 {
				revert = false
			}
		}
		if revert {
			a = a.previous
		}
	}
	if scoped != nil {
		if a, f = e.process(a, scoped.contexts, where{from: scoped.from, override: true}); f != nil {
			return nil, nil, f
		}
	}
	if local := v.Get("@context"); local != nil {
		if a, f = e.applyAgain(a, local); f != nil {
			return nil, nil, f
		}
	}
	forTypes = a
	if !a.scoped {
		return a, a, nil
	}
	for _, m := range e.typeMembers(a, v) {
		var names []string
		for _, item := range m.Value.List() {
			if item.Kind == jsonread.Text {
				names = append(names, item.Text)
			}
		}
		slices.Sort(names)
		for _, name := range names {
			if t := forTypes.terms[name]; t != nil && t.contexts != nil {
				if a, f = e.process(a, t.contexts, where{from: t.from, once: true}); f != nil {
					return nil, nil, f
				}
			}
		}
	}
	return a, forTypes, nil
}

// keyword is the keyword that a name means; "" if it means none.
func (a *active) keyword(name string) string {
	if t := a.terms[name]; t != nil {
		name = t.iri
	}
	if isKeyword(name) {
		return name
	}
	return ""
}

// says says that an object has a member that means a keyword.
func (a *active) says(v *jsonread.Value, word string) bool {
	for i := range v.Members {
		if a.keyword(v.Members[i].Name) == word {
			return true
		}
	}
	return false
}

// typeMembers finds the members that mean @type, in the order of their names.
func (e *expander) typeMembers(a *active, v *jsonread.Value) (found []*jsonread.Member) {
	for i := range v.Members {
		m := &v.Members[i]
		if t := e.term(a, m.Name); m.Name == "@type" || t != nil && t.iri == "@type" {
			found = append(found, m)
		}
	}
	if len(found) > 1 {
		slices.SortFunc(found, func(x, y *jsonread.Member) int { return strings.Compare(x.Name, y.Name) })
	}
	return found
}

// expandReference expands a string that the definition of its term makes an IRI.
func (e *expander) expandReference(a *active, t *term, v *jsonread.Value) (*thing, *failure) {
	iri, ok, f := e.expandIRI(a, v.Text, v, iriRole{relative: true, vocab: t.typ == "@vocab"})
	if f != nil {
		return nil, f
	}
	if !ok {
		return nil, failed(fault.JSONKeyword, v, "%q has the form of a keyword, and can't name a node", v.Text)
	}
	if !isIRI(v.Text) && strings.ContainsAny(strings.TrimSpace(v.Text), " \t\r\n\u00a0") {
		e.warn(fault.IRIUnlikely, v, "a text of several words, which the context takes for a relative IRI")
	}
	named := !e.isUnlabelled(iri, v)
	return e.thing(thing{kind: aNode, named: named, iri: iri, from: v, repaired: v.Repaired, parts: e.partsOf(named)}), nil
}

// partsOf are the parts of a node in which nothing stands. One without a name needs its own, for its number.
func (e *expander) partsOf(named bool) *parts {
	if named {
		return &noParts
	}
	return e.parts.Next()
}

// expandScalar expands a string, number or boolean (§5.3).
func (e *expander) expandScalar(a *active, prop string, v *jsonread.Value) (*thing, *failure) {
	t := e.term(a, prop)
	if t != nil && v.Kind == jsonread.Text && (t.typ == "@id" || t.typ == "@vocab") {
		return e.expandReference(a, t, v)
	}
	x := e.thing(thing{kind: aLiteral, literal: v, from: v, repaired: v.Repaired, parts: &noParts})
	if t != nil && t.typ != "" && t.typ != "@id" && t.typ != "@vocab" && t.typ != "@none" {
		x.iri = t.typ
	}
	if v.Kind == jsonread.Text && (x.iri == "" || isLanguageType(x.iri)) {
		if a.breaks != nil && a.breaks.language && (t == nil || !t.hasLanguage) {
			return nil, failed(fault.JSONContext, v, "the language of this can't be known, since that of the context is lost")
		}
		x.language, x.direction = a.language, a.direction
		if t != nil && t.hasLanguage {
			x.language = t.language
		}
		if t != nil && t.hasDirection {
			x.direction = t.direction
		}
		if x.hasLanguage = x.language != ""; x.iri != "" && !x.hasLanguage {
			x.direction = ""
		}
	}
	return x, nil
}

// adrift expands the nodes in members of an object that have lost their names.
func (x *expansion) adrift(v *jsonread.Value) {
	for _, item := range v.Adrift {
		if x.keys&(hasValue|hasList|hasSet) != 0 || x.hasSet || x.prop == "@reverse" {
			x.loseInside(failed(fault.JSONSyntax, item, "this is lost with the name that was before it"), x.active, item)
			continue
		}
		x.thing.included = append(x.thing.included, x.each(x.active, "", item, mode{}).all...)
	}
}
