package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// long makes the statements of a top-level object, or of an item of an array, of which arrays were
// passed over for their length. The nodes of a graph come one after another, and so do the values of
// other members.
func (r *reader) long(v *jsonread.Value, inArray bool, passed []*jsonread.Spill) {
	a, name, f := r.graphOf(v)
	if f != nil { // which is told now
		r.item(v, inArray)
		return
	}
	e := r.out.expander
	e.long = map[*jsonread.Value]*longMember{}
	defer func() {
		for _, s := range passed {
			if long := e.long[s.Array]; long != nil {
				long.tellUnread()
			}
		}
		e.long = nil
	}()
	var graph *jsonread.Spill
	for _, s := range passed {
		switch {
		case name != "" && s.Name == name && v.Get(name) == s.Array:
			graph = s
		case r.out.canBeLong(a, s.Name, v):
			e.long[s.Array] = &longMember{spill: s, stopped: r.json.Stopped}
		case !s.Load(v):
			return
		}
	}
	if graph == nil {
		r.item(v, inArray)
		return
	}
	held := &longMember{spill: graph, stopped: r.json.Stopped} // which is read to be counted, where it is lost
	e.long[graph.Array] = held
	r.start(nil)
	if !inArray && onlyGraph(v) {
		if a, _, f = r.out.contextOf(r.out.start, v, nil, mode{}); f != nil { // what is found in it is told now
			r.out.loseInside(f, r.out.start, v)
			return
		}
	}
	var named *thing
	in, nowhere := rdf.Term{}, false // the graph's name was lost, and the graph with it
	if inArray || !onlyGraph(v) {
		graph.Array.Items = []*jsonread.Value{standIn} // since a graph in which nothing stands says nothing
		nodes := r.out.each(r.out.start, "", v, mode{}).all
		if graph.Array.Items = nil; len(nodes) == 0 {
			return
		}
		named = &thing{from: nodes[0].from, parts: &noParts}
		nodes[0].graph = nil
		if inArray || !isDefaultGraph(nodes) {
			r.write(nodes)
			s := r.out.subject(nodes[0])
			in = rdf.Term{Kind: s.kind, Value: []byte(s.value), Anonymous: s.number, Pos: s.pos}
			nowhere = in.Kind == rdf.NoTerm
		}
	}
	held.isRead = true
	graph.Each(func(item *jsonread.Value) bool {
		r.out.reset()
		for _, node := range r.out.each(a, "@graph", item, mode{}).all {
			switch {
			case nowhere:
				r.out.nodeInNoGraph(node, named)
			case in.Kind == rdf.NoTerm:
				r.out.node(node, in)
			default:
				r.out.inGraph(node, in)
			}
		}
		return r.out.failed == nil && !r.json.Stopped()
	})
}

// standIn is a node in the place of others. It is never written to.
var standIn = func() *jsonread.Value {
	v := jsonread.NewObject(fault.Pos{}, 0)
	v.Members = []jsonread.Member{{Name: "@id", Value: jsonread.NewText("_:b", fault.Pos{})},
		{Name: "@type", Value: jsonread.NewText("urn:x", fault.Pos{})}}
	return v
}()

// onlyGraph says that an object holds but nodes, and a context for them.
func onlyGraph(v *jsonread.Value) bool {
	return v.Get("@graph") != nil && (len(v.Members) == 1 || len(v.Members) == 2 && v.Get("@context") != nil)
}

// isDefaultGraph says that a top-level object has expanded to no more than the nodes
// of a graph without a name (JSON-LD 1.1 API §5.1.1).
func isDefaultGraph(nodes []*thing) bool {
	return len(nodes) == 1 && nodes[0].hasGraph && !nodes[0].named && !nodes[0].from.Nameless && len(nodes[0].types)+len(nodes[0].props)+
		len(nodes[0].reverse)+len(nodes[0].included) == 0 && !nodes[0].indexed
}

// silence begins a look ahead of which nothing is told, nor remembered as told, until the function is called.
func (e *expander) silence() (end func()) {
	before := *e
	e.sink = nobody{}
	e.processed, e.applied = map[memo]*active{}, map[applied]*active{}
	e.missing, e.toldTerms = map[string]*absence{}, map[*jsonread.Value]bool{}
	return func() {
		e.sink, e.processed, e.applied, e.missing, e.toldTerms = before.sink, before.processed, before.applied, before.missing,
			before.toldTerms
		e.fileBaseTold, e.flaw, e.told, e.said, e.lost = before.fileBaseTold, before.flaw, before.told, before.said, before.lost
		e.contextsRead, e.termsDefined = before.contextsRead, before.termsDefined
	}
}

// graphOf finds the name under which the nodes of an object stand, "" if there is none,
// and the context for them.
func (r *reader) graphOf(v *jsonread.Value) (*active, string, *failure) {
	e := r.out.expander
	defer e.silence()()
	a, _, f := e.contextOf(e.start, v, nil, mode{})
	if f != nil {
		return nil, "", f
	}
	for i := range v.Members {
		if iri, _, f := e.expandIRI(a, v.Members[i].Name, v, iriRole{vocab: true}); f == nil && iri == "@graph" {
			return a, v.Members[i].Name, nil
		}
	}
	return a, "", nil
}
