package statements

import (
	"errors"
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/jsonld"
	"laundromat/records"
)

// Document makes the statements of the records of one document, whose blank nodes are its own. It belongs to one
// goroutine.
type Document struct {
	mapping *Mapping
	nodes   *jsonld.Nodes
	tally   *clean.Tally
	notice  func(fault.Notice)
	types   map[string]string // datatypes by the names of fields, "" where the schema says none that matters here

	passed map[string]bool // fields without a meaning, of which that was told

	record *records.Record
	before int64   // places given before this record
	places []place // of the values of this record
	id     []byte
}

// place is where a value is, and the field of the record that it is in.
type place struct {
	pos     fault.Pos
	element string
	field   *records.Field
}

// Document begins a document. Its clean lines go to lines, its findings to notice, those about statements with
// the places of the values that they are made of. They lose no record: their Lost is 0, and [Document.Close] counts.
func (m *Mapping) Document(opt clean.Options, lines clean.Lines, notice func(fault.Notice)) (*Document, error) {
	d := &Document{mapping: m, notice: notice, types: map[string]string{}, passed: map[string]bool{}}
	opt.HasAnonymous = true
	first, tally := clean.Chain(opt, lines, d.found)
	d.tally = tally
	var err error
	if d.nodes, err = m.nodes(first); err == nil {
		return d, nil
	}
	if wrong := (*jsonld.ContextError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("the context of the records: %w", err)
		err = &fault.Error{Op: "statements.Document", Kind: fault.Data, Code: wrong.Code, Err: err}
	}
	return nil, err
}

// found gives a finding about statements the place of the value.
func (d *Document) found(n fault.Notice) {
	n.Lost, n.Edits = 0, nil
	at := n.Pos.Line - d.before - 1
	n.Pos = fault.Pos{}
	if d.record != nil {
		n.Pos, n.Element = d.record.Pos, d.record.Element
	}
	if at >= 0 && at < int64(len(d.places)) {
		p := &d.places[at]
		n.Pos, n.Element = p.pos, p.element
		if p.field != nil {
			n.Field = p.field.Name
		}
	}
	d.notice(n)
}

// Record makes the statements of a record. If it has no node, that is told, and the error is records.ErrLost. Another
// error is that of lines.
func (d *Document) Record(r *records.Record) error {
	d.record = r
	d.before += int64(len(d.places))
	d.places = d.places[:0]
	node, lost := d.node(r)
	if lost != nil {
		n := r.Notice(fault.RecordNoNode, fault.Drop, "the record has no IRI: "+lost.Error())
		if f := r.Field(lost.field); f != nil {
			n = r.FieldNotice(f, n.Code, n.Severity, n.Message)
		}
		d.notice(n)
		return records.ErrLost
	}
	err := d.nodes.Node(node)
	d.tally.Close() // a finding that waits is about this record
	d.record = nil
	return err
}

// Close ends the document, and counts its statements.
func (d *Document) Close() clean.Tally {
	d.record, d.places = nil, nil
	d.nodes.Close()
	d.tally.Close()
	return *d.tally
}

// Tally counts the statements until now.
func (d *Document) Tally() clean.Tally { return *d.tally }

// at is the place of a value, as the reader is given it.
func (d *Document) at(pos fault.Pos, element string, field *records.Field) fault.Pos {
	if pos == (fault.Pos{}) && field != nil {
		pos = field.Pos
	}
	if pos == (fault.Pos{}) {
		pos = d.record.Pos
	}
	if element == "" && field != nil {
		element = field.Element
	}
	if element == "" {
		element = d.record.Element
	}
	d.places = append(d.places, place{pos, element, field})
	n := d.before + int64(len(d.places))
	return fault.Pos{Line: n, Column: 1, Offset: n}
}

// node is the record as a node of JSON-LD. One without its IRI, or that of its graph, is none.
func (d *Document) node(r *records.Record) (*jsonread.Value, *missing) {
	m := d.mapping
	top := jsonread.NewObject(d.at(r.Pos, r.Element, nil), 0)
	set := func(to *jsonread.Value, name string, v *jsonread.Value) {
		to.Members = append(to.Members, jsonread.Member{Name: name, Pos: v.Pos, Value: v})
	}
	if m.id != nil {
		v, lost := d.iri(m.id, r)
		if lost != nil {
			return nil, lost
		}
		set(top, "@id", v)
	}
	var types []*jsonread.Value
	for _, t := range m.types {
		types = append(types, jsonread.NewText(t, d.at(r.Pos, r.Element, nil)))
	}
	for i := range r.Fields {
		f := &r.Fields[i]
		keyword := d.nodes.Keyword(f.Name)
		switch {
		case d.isLink(f.Name):
		case f.Name == records.MergeField && len(r.Originals()) > 0:
			d.linkOriginals(top, r)
		case keyword == "@id" && m.id != nil:
			d.notice(r.FieldNotice(f, fault.RecordOwnKeyword, fault.Warning, "the field is the @id of the record, and the spec sets that"))
		case keyword == "@type" && len(m.types) > 0:
			types = append(types, d.value(&f.Value, f, f.Pos, f.Element).List()...)
		case d.nodes.Defines(f.Name) || r.Field("@context") != nil: // which may define more
			set(top, f.Name, d.typed(f))
		default:
			d.passOver(f)
		}
	}
	if len(types) > 0 {
		set(top, "@type", jsonread.NewArray(types, types[0].Pos))
	}
	for i := range m.links {
		if v := d.link(&m.links[i], r); v != nil {
			set(top, m.links[i].field, v)
		}
	}
	if m.graph == nil {
		return top, nil
	}
	v, lost := d.iri(m.graph, r)
	if lost != nil {
		return nil, lost
	}
	graph := jsonread.NewObject(v.Pos, 0)
	set(graph, "@id", v)
	set(graph, "@graph", top)
	return graph, nil
}

// passOver tells, once, that the context gives a field no meaning, unless the spec says so or makes IRIs of it.
func (d *Document) passOver(f *records.Field) {
	if d.passed[f.Name] || d.nodes.Knows(f.Name) || d.mapping.uses(f.Name) {
		return
	}
	d.passed[f.Name] = true
	d.notice(d.record.FieldNotice(f, fault.JSONUndefinedTerm, fault.Warning,
		"the context says nothing of the field, so that its values are in no statement; this is reported once per document"))
}

func (d *Document) isLink(name string) bool {
	for i := range d.mapping.links {
		if d.mapping.links[i].field == name {
			return true
		}
	}
	return false
}

// iri is the IRI that a template makes of a record, at the place of the first field in it.
func (d *Document) iri(t *template, r *records.Record) (*jsonread.Value, *missing) {
	var lost *missing
	d.id, lost = t.expand(d.id[:0], fieldsOf(r))
	if lost != nil {
		return nil, lost
	}
	return jsonread.NewText(string(d.id), d.atTemplate(t, r)), nil
}

func (d *Document) atTemplate(t *template, r *records.Record) fault.Pos {
	for _, p := range t.parts {
		name, _, _ := strings.Cut(p.field, ".")
		if f := r.Field(p.field); p.field != "" && f != nil {
			return d.at(f.Pos, f.Element, f)
		} else if f = r.Field(name); p.field != "" && f != nil {
			return d.at(f.Pos, f.Element, f)
		}
	}
	return d.at(r.Pos, r.Element, nil)
}

// fieldsOf finds the values of a record's fields, and by names with dots those in them.
func fieldsOf(r *records.Record) values {
	return func(name string) (records.Value, bool) {
		if f := r.Field(name); f != nil {
			return f.Value, true
		}
		v, found := records.Value{Kind: records.Object, Fields: r.Fields}, true
		for step := range strings.SplitSeq(name, ".") {
			if v, found = v.Get(step); !found {
				break
			}
		}
		return v, found
	}
}

// link is what a link leads to: a node, or one for each item of a list. nil if there is nothing to link to.
func (d *Document) link(l *link, r *records.Record) *jsonread.Value {
	fields := fieldsOf(r)
	list, several := "", []records.Value(nil)
	for _, p := range l.iri.parts {
		v, _ := fields(p.field)
		if p.field == "" || v.Kind != records.List || p.field == list {
			continue
		}
		if list != "" {
			d.noLink(l, r, "it would be made of several lists")
			return nil
		}
		list, several = p.field, v.Items
	}
	if list == "" {
		several = []records.Value{{}}
	}
	var nodes []*jsonread.Value
	for i := range several {
		iri, lost := l.iri.expand(nil, func(name string) (records.Value, bool) {
			if name == list && list != "" {
				return several[i], true
			}
			return fields(name)
		})
		switch {
		case lost == nil:
			at := d.atTemplate(l.iri, r)
			node := jsonread.NewObject(at, 0)
			node.Members = []jsonread.Member{{Name: "@id", Pos: at, Value: jsonread.NewText(string(iri), at)}}
			nodes = append(nodes, node)
		case lost.has && lost.kind > records.Bool:
			d.noLink(l, r, lost.Error())
		}
	}
	if list == "" && len(nodes) == 1 {
		return nodes[0]
	}
	if len(nodes) == 0 {
		return nil
	}
	return jsonread.NewArray(nodes, nodes[0].Pos)
}

func (d *Document) noLink(l *link, r *records.Record, why string) {
	n := r.Notice(fault.RecordNoLink, fault.Warning, "there is no link "+l.field+": "+why)
	n.Field = l.field
	d.notice(n)
}

// typed is the value of a field, with the datatype that the schema says where the context says none.
func (d *Document) typed(f *records.Field) *jsonread.Value {
	kind, known := d.types[f.Name]
	if !known {
		if d.mapping.opt.Type != nil && !d.nodes.Types(f.Name) {
			kind = d.mapping.opt.Type(f.Name)
		}
		d.types[f.Name] = kind
	}
	v := d.value(&f.Value, f, f.Pos, f.Element)
	if f.Value.Kind != records.Text && f.Value.Kind != records.Number {
		return v
	}
	datatype := datatypeOf(kind, f.Value.Text)
	if datatype == "" {
		return v
	}
	object := jsonread.NewObject(v.Pos, 0)
	object.Members = []jsonread.Member{
		{Name: "@value", Pos: v.Pos, Value: jsonread.NewText(f.Value.Text, v.Pos)},
		{Name: "@type", Pos: v.Pos, Value: jsonread.NewText(datatype, v.Pos)},
	}
	return object
}

// datatypeOf is the datatype of a value whose type Table Schema names; "" where the value says it itself.
func datatypeOf(kind, text string) string {
	switch kind {
	case "number":
		if strings.ContainsAny(text, "eEN") { // an exponent, NaN or INF
			return rdf.XSD + "double"
		}
		return rdf.XSD + "decimal"
	case "integer", "date", "time", "duration":
		return rdf.XSD + kind
	case "datetime":
		return rdf.XSD + "dateTime"
	case "year":
		return rdf.XSD + "gYear"
	case "yearmonth":
		return rdf.XSD + "gYearMonth"
	}
	return ""
}

var kinds = [...]jsonread.Kind{records.Null: jsonread.Null, records.Text: jsonread.Text, records.Number: jsonread.Number,
	records.Bool: jsonread.Boolean}

// value is a value of the record as one of JSON.
func (d *Document) value(v *records.Value, field *records.Field, pos fault.Pos, element string) *jsonread.Value {
	at := d.at(pos, element, field)
	switch v.Kind {
	case records.List:
		items := make([]*jsonread.Value, len(v.Items))
		for i := range v.Items {
			items[i] = d.value(&v.Items[i], field, pos, element)
		}
		return jsonread.NewArray(items, at)
	case records.Object:
		object := jsonread.NewObject(at, 0)
		for i := range v.Fields {
			f := &v.Fields[i]
			inner := d.value(&f.Value, field, f.Pos, f.Element)
			object.Members = append(object.Members, jsonread.Member{Name: f.Name, Pos: inner.Pos, Value: inner})
		}
		return object
	}
	return jsonread.NewScalar(kinds[v.Kind], v.Text, at)
}
