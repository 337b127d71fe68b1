package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// long makes the statements of a top-level object, or of an item of an array, of which arrays were
// passed over for their length. The nodes of a graph come one after another.
func (r *reader) long(v *jsonread.Value, inArray bool, passed []*jsonread.Spill) {
	a, name, f := r.graphOf(v)
	if f != nil { // which is told now
		r.item(v, inArray)
		return
	}
	var graph *jsonread.Spill
	for _, s := range passed {
		if s.Name == name && v.Get(name) == s.Array {
			graph = s
		} else if !s.Load(v) {
			return
		}
	}
	if graph == nil {
		r.item(v, inArray)
		return
	}
	r.start()
	in, nowhere := rdf.Term{}, false // the graph's name was lost, and the graph with it
	if inArray || !onlyGraph(v) {
		graph.Array.Items = []*jsonread.Value{standIn} // since a graph in which nothing stands says nothing
		nodes := r.out.each(r.out.start, "", v, mode{}).all
		if graph.Array.Items = nil; len(nodes) == 0 {
			return
		}
		nodes[0].graph = nil
		if inArray || !isDefaultGraph(nodes) {
			r.write(nodes)
			s := r.out.subject(nodes[0])
			in = rdf.Term{Kind: s.kind, Value: []byte(s.value), Anonymous: s.number, Pos: s.pos}
			nowhere = in.Kind == rdf.NoTerm
		}
	}
	graph.Each(func(item *jsonread.Value) bool {
		r.out.reset()
		for _, node := range r.out.each(a, "@graph", item, mode{}).all {
			switch {
			case nowhere:
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
	v.Members = []jsonread.Member{{Name: "@id", Value: jsonread.NewText("_:b", fault.Pos{})}, {Name: "@type", Value: jsonread.NewText("urn:x", fault.Pos{})}}
	return v
}()

// onlyGraph says that an object holds but nodes, and a context for them.
func onlyGraph(v *jsonread.Value) bool {
	return v.Get("@graph") != nil && (len(v.Members) == 1 || len(v.Members) == 2 && v.Get("@context") != nil)
}

// isDefaultGraph says that a top-level object has expanded to no more than the nodes
// of a graph without a name (JSON-LD 1.1 API §5.1.1).
func isDefaultGraph(nodes []*thing) bool {
	return len(nodes) == 1 && nodes[0].hasGraph && !nodes[0].named && len(nodes[0].types)+len(nodes[0].props)+
		len(nodes[0].reverse)+len(nodes[0].included) == 0 && !nodes[0].indexed
}

// graphOf finds the name under which the nodes of an object stand, "" if there is none,
// and the context for them.
func (r *reader) graphOf(v *jsonread.Value) (*active, string, *failure) {
	e := r.out.expander
	sink := e.sink
	e.sink = nobody{}
	defer func() { e.sink = sink }()
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
