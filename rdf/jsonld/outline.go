package jsonld

import (
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// holdBytes is how long a top-level object may be that is read at once. A longer one is read twice:
// first its members, then the items of its arrays one by one. Only all members together say what graph
// the nodes of @graph belong to, and under which context.
const holdBytes = 1 << 20

// heldNotices is how many findings in an array are held until it is known whether it
// is read again.
const heldNotices = 1 << 12

// outline is a top-level object that is long, or not sound, while its members are read.
type outline struct {
	*reader
	spool  spool
	spills []spill
	held   int64 // bytes of its arrays that are held
}

// spill is an array that was passed over for its length.
type spill struct {
	v     *value
	name  string
	outer []shape
	// sample is what was known of the layout then, so that it is judged alike again.
	sample sample
	faulty bool // likewise
}

// outline reads the object at the mark for the second time, and returns those of the
// brackets around it that are still open.
func (r *reader) outline(at mark, outer []shape) []shape {
	r.rewind(at)
	before := min(r.keep, lookback)
	o := &outline{reader: r, spool: spool{folder: r.out.opt.Temp, began: at.pos.Offset - int64(before)}}
	defer o.spool.close()
	r.maxBytes = r.out.opt.MaxBytes
	if r.err = o.spool.write(r.window[r.keep-before:]); r.err != nil {
		return nil
	}
	r.tee = &o.spool
	m := mender{tokens: tokens{parser: &r.parser}, outer: slices.Clone(outer)}
	m.last = at.pos
	m.array = func(f *frame, one token) { o.array(&m, f, one) }
	m.mend(at)
	r.tee = nil
	r.mended = r.mended || m.faults > 0
	switch {
	case r.err != nil:
		return nil
	case r.long || r.deep:
		r.found = r.found[:0]
		r.tooMuch(at.pos, m.marked, m.opened, r.deep)
		return ended(outer)
	}
	r.release()
	if !m.each(func(v *value) bool {
		if v.kind != lost {
			o.item(v)
		}
		return r.out.failed == nil && r.err == nil
	}) {
		return nil
	}
	return m.left()
}

// array reads an array that is the value of a member, its bracket being next.
func (o *outline) array(m *mender, f *frame, one token) {
	p := &o.parser
	v := &value{kind: array, pos: one.pos, compound: new(compound)}
	p.at = p.keep + one.to
	graph := o.isGraph(f.m.name)
	nodes, refers := graph, false
	if !graph && len(m.frames) == 1 && f.m.name != p.words.Context {
		nodes, refers = p.nodesAhead(m.now())
	}
	outer := append(slices.Clone(m.now()), shape{nodes: nodes, refers: refers, placed: !graph, indent: one.indent, sort: sort{context: f.m.name == p.words.Context}})
	initial, layout, faulty := slices.Clone(outer), p.sample, p.faulty
	p.release()
	p.unclosed, p.ranOut = false, false
	before, spilled := len(p.found), false
	p.touchLast = func() bool {
		n := len(v.items)
		if n > 0 {
			v.items[n-1].touch()
		}
		return n > 0
	}
	most := o.out.opt.hold
	if name := f.m.name; name == p.words.Context || name == p.words.Type || o.aliases[name] == p.words.Type {
		most = o.out.opt.MaxBytes // what all others need
	}
	p.holding = true
	weight := p.weight
	p.between = func() {
		if !spilled && (p.weight > p.maxWeight/2 || o.held+p.offset()-one.pos.Offset > most || len(p.found)-before > heldNotices) {
			spilled, p.skipping, v.items = true, true, nil
			p.holding, p.weight = false, weight
			p.memory.detach()
			o.spills = append(o.spills, spill{v, f.m.name, initial, layout, faulty})
		}
		if spilled {
			p.found = p.found[:before]
		}
	}
	left := p.records(outer, one.pos, func(item *value) bool {
		if !spilled {
			v.items = append(v.items, item)
		}
		v.partial, v.gaps = v.partial || item.kind == lost || item.partial, v.gaps || item.gaps
		return p.err == nil
	})
	if p.ranOut {
		v.cut, v.partial = true, true
	}
	p.touchLast, p.holding = nil, false
	f.end = p.pos()
	v.end = f.end.Offset
	if p.skipping = false; spilled {
		p.found = p.found[:before]
	} else {
		o.held += v.end - v.pos.Offset
	}
	if p.unclosed {
		v.repaired, v.unclosed = true, true
		f.torn = graph
	}
	m.restart()
	m.add(f, v)
	if len(p.found) > 4*heldNotices {
		p.deep, p.hopeless, p.deepAt = true, true, f.end
	}
	for len(m.frames) > max(len(left), 0) {
		m.pop(false)
	}
	if n := len(left); n > 0 {
		m.frames[n-1].state = left[n-1].state
	}
}

func (o *outline) isGraph(name string) bool {
	return name == o.words.Graph || o.aliases[name] == o.words.Graph
}

// item makes the statements of the object.
func (o *outline) item(v *value) {
	if len(o.spills) == 0 {
		o.reader.item(v)
		return
	}
	a, name, f := o.graphOf(v)
	if f != nil { // which is told now
		o.reader.item(v)
		return
	}
	var graph *spill
	for i := range o.spills {
		s := &o.spills[i]
		if s.name == name && v.get(name) == s.v {
			graph = s
		} else if !o.load(s) {
			if o.err == nil {
				n := v.end - v.pos.Offset
				o.found = append(o.found, fault.Notice{Code: fault.LimitJSONValue, Severity: fault.Drop, Pos: v.pos, Lost: 1, Bytes: n,
					Message: longerThan(o.out.opt.MaxBytes, n), Excerpt: v.sample()})
			}
			return
		}
	}
	if graph == nil {
		o.reader.item(v)
		return
	}
	o.start()
	in, nowhere := rdf.Term{}, false // the graph's name was lost, and the graph with it
	if o.inArray || !onlyGraph(v) {
		graph.v.items = []*value{standIn} // since a graph in which nothing stands says nothing
		nodes := o.out.each(o.out.start, "", v, mode{}).all
		if graph.v.items = nil; len(nodes) == 0 {
			return
		}
		nodes[0].graph = nil
		if o.inArray || !isDefaultGraph(nodes) {
			o.write(nodes)
			s := o.out.subject(nodes[0])
			in = rdf.Term{Kind: s.kind, Value: []byte(s.value), Anonymous: s.number, Pos: s.pos}
			nowhere = in.Kind == rdf.NoTerm
		}
	}
	o.again(graph, false, func(item *value) bool {
		o.flush()
		o.out.reset()
		for _, node := range o.out.each(a, "@graph", item, mode{}).all {
			switch {
			case nowhere:
			case in.Kind == rdf.NoTerm:
				o.out.node(node, in)
			default:
				o.out.inGraph(node, in)
			}
		}
		return o.out.failed == nil && !o.stopped()
	})
}

// standIn is a node in the place of others. It is never written to.
var standIn = &value{kind: object, compound: &compound{members: []member{
	{name: "@id", value: &value{kind: text, text: "_:b", compound: &noCompound}},
	{name: "@type", value: &value{kind: text, text: "urn:x", compound: &noCompound}},
}}}

// onlyGraph says that an object holds but nodes, and a context for them.
func onlyGraph(v *value) bool {
	return v.get("@graph") != nil && (len(v.members) == 1 || len(v.members) == 2 && v.get("@context") != nil)
}

// isDefaultGraph says that a top-level object has expanded to no more than the nodes
// of a graph without a name (JSON-LD 1.1 API §5.1.1).
func isDefaultGraph(nodes []*thing) bool {
	return len(nodes) == 1 && nodes[0].hasGraph && !nodes[0].named && len(nodes[0].types)+len(nodes[0].props)+
		len(nodes[0].reverse)+len(nodes[0].included) == 0 && !nodes[0].indexed
}

// graphOf finds the name under which the nodes of an object stand, "" if there is none,
// and the context for them.
func (o *outline) graphOf(v *value) (*active, string, *failure) {
	e := o.out.expander
	sink := e.sink
	e.sink = nobody{}
	defer func() { e.sink = sink }()
	a, _, f := e.contextOf(e.start, v, nil, mode{})
	if f != nil {
		return nil, "", f
	}
	for i := range v.members {
		if iri, _, f := e.expandIRI(a, v.members[i].name, v, iriRole{vocab: true}); f == nil && iri == "@graph" {
			return a, v.members[i].name, nil
		}
	}
	return a, "", nil
}

// again reads the items of an array that was passed over; holding says that they are
// held together.
func (o *outline) again(s *spill, holding bool, hand func(*value) bool) {
	began := s.v.pos
	from := max(o.spool.began, began.Offset-lookback)
	p := &parser{guide: o.guide, words: o.words, source: newSource(o.ctx, o.spool.from(from), o.out.opt.MaxBytes),
		maxDepth: o.maxDepth, maxWeight: o.maxWeight, names: o.names, aliases: o.aliases, intricate: o.intricate, habit: o.habit, sample: s.sample, faulty: s.faulty, until: o.until, head: o.head}
	for p.at = int(began.Offset - from); len(p.window) <= p.at && p.fill(); {
	}
	p.known, p.knownAt = began, p.at
	p.at++
	p.weight, p.holding = o.weight, holding
	p.between = func() {
		o.weight = p.weight
		o.found, p.found = append(o.found, p.found...), p.found[:0]
		o.flush()
	}
	tell := p.between
	p.records(slices.Clone(s.outer), began, func(item *value) bool {
		tell()
		more := hand(item)
		if !holding {
			p.memory.reset()
		}
		return more
	})
	tell()
	if o.err == nil {
		o.err = p.err
	}
}

// load reads an array that was passed over into memory, if it may be so long.
func (o *outline) load(s *spill) bool {
	if o.held += s.v.end - s.v.pos.Offset; o.held > o.out.opt.MaxBytes {
		return false
	}
	light := true
	o.again(s, true, func(item *value) bool {
		s.v.items = append(s.v.items, item)
		light = o.weight <= o.maxWeight
		return light
	})
	return light && o.err == nil
}
