// Package statements makes statements of records. Each record is a node of JSON-LD in the context of the
// spec's part rdf, which package jsonld reads and package clean cleans:
//
//	mapping, err := statements.Compile(spec.RDF, statements.Options{})
//	document, err := mapping.Document(clean.Options{}, lines, notice)
//	err = document.Record(record)
//	tally := document.Close()
package statements

import (
	"errors"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/jsonld"
	"laundromat/records"
	"laundromat/records/spec"
)

// Options of a mapping.
type Options struct {
	// Type is the type of a field by the schema of the records, as Table Schema names it, "" where it is not
	// known. nil: of none is it known.
	Type func(field string) string
	// Loader gets contexts that the program does not have; nil: such a context is refused.
	Loader jsonld.ContextLoader
	// Prefix is told each prefix that the context declares; nil if nobody asks.
	Prefix func(name, iri []byte)
}

// Mapping is a compiled part rdf. Several documents may use it at the same time.
type Mapping struct {
	opt       Options
	context   *jsonread.Value
	id, graph *template // nil if not given
	types     []string
	links     []link
	oneIRI    bool // of a merged record: the IRIs of the others are not named
}

// link is a field whose values are links.
type link struct {
	field string
	iri   *template
}

// Compile compiles the part rdf of a spec. The context and the templates are tried, so that wrong ones are refused
// before anything is read, with a *spec.Error. With a loader that says of a context that it is due, nothing can be
// tried, and [Mapping.Document] finds what is wrong.
func Compile(node *spec.Node, opt Options) (*Mapping, error) {
	if err := node.Only("key of rdf", "context", "id", "type", "graph", "links", "merged"); err != nil {
		return nil, err
	}
	m := &Mapping{opt: opt}
	context := node.Get("context")
	if context == nil {
		return nil, node.Errorf("rdf needs a context, which says what the names of fields mean")
	}
	m.context = contextValue(context)
	var err error
	if id := node.Get("id"); id != nil {
		if m.id, err = compileTemplate(id); err != nil {
			return nil, err
		}
		if !m.id.fields() {
			return nil, id.Errorf("the id names no field, as {name}: all records would be one")
		}
	}
	if graph := node.Get("graph"); graph != nil {
		if m.graph, err = compileTemplate(graph); err != nil {
			return nil, err
		}
	}
	if err := m.compileTypes(node.Get("type")); err != nil {
		return nil, err
	}
	if err := m.compileLinks(node.Get("links")); err != nil {
		return nil, err
	}
	if err := m.compileMerged(node.Get("merged")); err != nil {
		return nil, err
	}
	if err := m.try(node); err != nil && !errors.Is(err, jsonld.ErrContextDue) {
		return nil, err
	}
	return m, nil
}

// LoadingBy is the same mapping with another loader of contexts.
func (m *Mapping) LoadingBy(loader jsonld.ContextLoader) *Mapping {
	by := *m
	by.opt.Loader = loader
	return &by
}

// uses says that an IRI is made of a field.
func (m *Mapping) uses(field string) bool {
	for _, t := range m.templates() {
		for _, p := range t.parts {
			if first, _, _ := strings.Cut(p.field, "."); p.field != "" && (p.field == field || first == field) {
				return true
			}
		}
	}
	return false
}

// templates are all templates of the mapping.
func (m *Mapping) templates() (all []*template) {
	for _, t := range [...]*template{m.id, m.graph} {
		if t != nil {
			all = append(all, t)
		}
	}
	for i := range m.links {
		all = append(all, m.links[i].iri)
	}
	return all
}

func (m *Mapping) compileTypes(node *spec.Node) error {
	if node == nil {
		return nil
	}
	all := []*spec.Node{node}
	if node.Kind == spec.List {
		if all = node.Items; len(all) == 0 {
			return node.Errorf("a type is wanted here")
		}
	}
	for _, one := range all {
		if err := one.Want(spec.Text); err != nil {
			return err
		}
		if one.Text == "" {
			return one.Errorf("a type is an IRI, or a name from the context")
		}
		m.types = append(m.types, one.Text)
	}
	return nil
}

func (m *Mapping) compileLinks(node *spec.Node) error {
	if node == nil {
		return nil
	}
	if err := node.Want(spec.Map); err != nil {
		return err
	}
	for _, e := range node.Entries {
		value := e.Value
		if value.Kind == spec.Map {
			if err := value.Only("key of a link", "@id"); err != nil {
				return err
			}
			if value = value.Get("@id"); value == nil {
				return e.Value.Errorf("a link is a template, or {\"@id\": template}")
			}
		}
		iri, err := compileTemplate(value)
		if err != nil {
			return err
		}
		if !iri.fields() {
			return value.Errorf("the link names no field, as {name}")
		}
		m.links = append(m.links, link{e.Key, iri})
	}
	return nil
}

// contextValue is a node of the spec as a value whose places are those in the spec.
func contextValue(n *spec.Node) *jsonread.Value {
	pos := fault.Pos{Line: int64(n.Line), Column: int64(n.Column)}
	switch n.Kind {
	case spec.Map:
		v := jsonread.NewObject(pos, 0)
		for _, e := range n.Entries {
			at := fault.Pos{Line: int64(e.Line), Column: int64(e.Column)}
			v.Members = append(v.Members, jsonread.Member{Name: e.Key, Pos: at, Value: contextValue(e.Value)})
		}
		return v
	case spec.List:
		var items []*jsonread.Value
		for _, item := range n.Items {
			items = append(items, contextValue(item))
		}
		return jsonread.NewArray(items, pos)
	case spec.Text:
		return jsonread.NewText(n.Text, pos)
	}
	value := n.Value()
	kinds := map[records.Kind]jsonread.Kind{records.Null: jsonread.Null, records.Bool: jsonread.Boolean, records.Number: jsonread.Number,
		records.Text: jsonread.Text}
	return jsonread.NewScalar(kinds[value.Kind], value.Text, pos)
}

// try processes the context, and makes the statements of a record that has all fields.
func (m *Mapping) try(node *spec.Node) error {
	nodes, err := m.nodes(nobody{})
	if err != nil {
		return contextError(node.Get("context"), err)
	}
	links := node.Get("links")
	for _, l := range m.links {
		if !nodes.Defines(l.field) {
			return links.EntryErrorf(links.Entry(l.field), "the context says nothing of %q, so that the link would be lost", l.field)
		}
	}
	with := func(id, graph *template, types []string, links []link) *Mapping {
		return &Mapping{opt: m.opt, context: m.context, id: id, graph: graph, types: types, links: links}
	}
	sample := []string{sampleType}
	for _, alone := range [...]struct {
		name string
		m    *Mapping
	}{{"id", with(m.id, nil, sample, nil)}, {"graph", with(nil, m.graph, sample, nil)}, {"type", with(nil, nil, m.types, nil)},
		{"links", with(nil, nil, nil, m.links)}} {
		if at := node.Get(alone.name); at != nil {
			if err := alone.m.trySample(alone.name, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// trySample makes the statements of a record in which all fields of the templates are; at is the key of the spec
// that is tried.
func (m *Mapping) trySample(name string, at *spec.Node) error {
	var first *fault.Notice
	d, err := m.Document(clean.Options{}, func([]byte, int) error { return nil }, func(n fault.Notice) {
		if first == nil && n.Severity >= fault.Repair {
			first = &n
		}
	})
	if err != nil {
		return err
	}
	sample := &records.Record{}
	for _, t := range m.templates() {
		for _, p := range t.parts {
			if p.field != "" {
				sample.Set(p.field, records.TextOf("1"))
			}
		}
	}
	if err := d.Record(sample); err != nil {
		return err
	}
	switch tally := d.Close(); {
	case first != nil && first.Excerpt != "":
		return at.Errorf("%s makes no sound statement: %s: %s", name, first.Message, first.Excerpt)
	case first != nil:
		return at.Errorf("%s makes no sound statement: %s", name, first.Message)
	case tally.Kept == 0:
		return at.Errorf("%s makes no statement in this context", name)
	}
	return nil
}

// sampleType is the class of the record with which a template is tried.
const sampleType = "http://www.w3.org/2000/01/rdf-schema#Resource"

func contextError(at *spec.Node, err error) error {
	var wrong *jsonld.ContextError
	if !errors.As(err, &wrong) {
		return err
	}
	// A place in one of several files would mislead.
	elsewhere := slices.ContainsFunc(at.Items, func(n *spec.Node) bool { return n.File != at.File })
	if wrong.Pos.Line > 0 && !elsewhere {
		return &spec.Error{File: at.File, Line: int(wrong.Pos.Line), Column: int(wrong.Pos.Column), Message: "the context: " + wrong.Err}
	}
	return at.Errorf("the context: %s", wrong.Err)
}

// nodes begins statements in the context.
func (m *Mapping) nodes(to rdf.Sink) (*jsonld.Nodes, error) {
	return jsonld.NewNodes(m.context, rdf.Input{Prefix: m.opt.Prefix}, jsonld.Options{Loader: m.opt.Loader}, to)
}

type nobody struct{}

func (nobody) Quad(*rdf.Quad) error { return nil }
func (nobody) Notice(fault.Notice)  {}
