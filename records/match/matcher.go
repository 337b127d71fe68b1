package match

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/spec"
)

// matcher finds the first match of its selector, and makes a value of it.
type matcher struct {
	node    *spec.Node
	sel     *selector // nil for the present node
	do      valueMaker
	spreads bool // the value is an Object whose fields join the record
	late    bool // needs the other fields of the record: it has an expression
}

// valueMaker makes a value of an item; found is false where there is none.
type valueMaker interface {
	make(r *run, at item) (v result, found bool)
}

// result is a value with what tells its place.
type result struct {
	value records.Value
	from  origin
	// raw says that a conversion failed, and the value is what it was before.
	raw bool
}

// origin tells where a value comes from, so that its place is found only when it is needed.
type origin struct {
	el   *html.Node
	attr string
	part part
	skip string    // the text of the element before the value
	pos  fault.Pos // of a value of JSON
}

// part is the part of an element that a value begins with.
type part uint8

const (
	ofTag part = iota
	ofText
	ofContent
)

func (m *matcher) find(r *run, at item) (result, bool) {
	found, ok := r.first(m.sel, at)
	if !ok || r.over() {
		return result{}, false
	}
	return m.do.make(r, found)
}

// makesRecord says that what the matcher makes is a record.
func (m *matcher) makesRecord() bool {
	switch do := m.do.(type) {
	case *record:
		return true
	case within:
		return do.of.makesRecord()
	case alternatives:
		for _, a := range do.of {
			if c, ok := a.do.(constant); !a.makesRecord() && (!ok || c.value.Kind != records.Null) {
				return false
			}
		}
		return do.of[0].makesRecord()
	}
	return false
}

// lateOutside says that the matcher needs fields of the record that it is in; those of a
// record of its own it sees there.
func (m *matcher) lateOutside() bool {
	if _, ok := m.do.(*record); ok {
		return false
	}
	return m.late
}

// itself is the value of the node: the stripped text of an element.
type itself struct{}

func (itself) make(r *run, at item) (result, bool) {
	v, from := r.value(at)
	return result{value: v, from: from}, true
}

// attribute is the value of the first of some attributes, as it stands.
type attribute struct{ names []string }

func (a attribute) make(r *run, at item) (result, bool) {
	if at.kind == textItem && at.attr != "" {
		return result{value: records.TextOf(at.text), from: origin{el: at.el, attr: at.attr}}, true
	}
	if at.kind == valueItem && at.json.value.Kind == records.Text {
		return result{value: *at.json.value, from: origin{pos: at.json.pos}}, true
	}
	if at.kind != elementItem {
		return result{}, false
	}
	r.see(at.el)
	for _, name := range a.names {
		if v, ok := attrOf(at.el, name); ok {
			return result{value: records.TextOf(r.keep(v)), from: origin{el: at.el, attr: name}}, true
		}
	}
	return result{}, false
}

// innerHTML is what is written in an element.
type innerHTML struct{}

func (innerHTML) make(r *run, at item) (result, bool) {
	switch at.kind {
	case elementItem:
		r.see(at.el)
		if at.el.Type == html.DocumentNode {
			return result{value: records.TextOf(r.keep(r.tree.source)), from: origin{el: at.el}}, true
		}
		text, from := r.tree.innerHTML(at.el)
		o := origin{el: at.el, part: ofContent}
		if from < 0 {
			o.part = ofTag
		}
		return result{value: records.TextOf(r.keep(text)), from: o}, true
	case valueItem:
		return result{value: records.TextOf(textOfValue(at.json.value)), from: origin{pos: at.json.pos}}, true
	}
	return result{value: records.TextOf(at.text), from: origin{el: at.el, attr: at.attr}}, true
}

// within is a matcher on the first match of a selector.
type within struct{ of *matcher }

func (w within) make(r *run, at item) (result, bool) { return w.of.find(r, at) }

// all is the values of all matches of a selector.
type all struct {
	sel *selector
	of  *matcher
}

func (a all) make(r *run, at item) (result, bool) {
	var list result
	list.value.Kind = records.List
	take := func(i item) bool {
		v, ok := a.of.find(r, i)
		if rec, isRecord := a.of.do.(*record); !ok && isRecord && a.of.sel == nil && len(rec.fields) > 0 {
			v, ok = result{value: records.Value{Kind: records.Object}, from: origin{el: i.el, pos: i.json.pos}}, true
		}
		if ok && r.items() {
			if len(list.value.Items) == 0 {
				list.from = v.from
			}
			list.value.Items = append(list.value.Items, v.value)
		}
		return !r.over()
	}
	if a.sel == nil {
		take(at)
	} else {
		r.every(a.sel, at, take)
	}
	return list, len(list.value.Items) > 0
}

// constant is always the same value.
type constant struct{ value records.Value }

func (c constant) make(*run, item) (result, bool) { return result{value: c.value.Clone()}, true }

// spreadConstant gives each of several fields the same value.
type spreadConstant struct {
	names []string
	value records.Value
}

func (c spreadConstant) make(*run, item) (result, bool) {
	v := records.Value{Kind: records.Object}
	for _, name := range c.names {
		if name != "" {
			v.Fields = append(v.Fields, records.Field{Name: name, Value: c.value.Clone()})
		}
	}
	return result{value: v}, true
}

// pageURL is the URL of the page.
type pageURL struct{}

func (pageURL) make(r *run, _ item) (result, bool) {
	return result{value: records.TextOf(r.document.URL)}, r.document.URL != ""
}

// accessTime is when the page was fetched or opened, in ISO 8601 in UTC to the second.
type accessTime struct{}

func (accessTime) make(r *run, _ item) (result, bool) {
	at := r.document.Accessed
	return result{value: records.TextOf(at.UTC().Format("2006-01-02T15:04:05Z"))}, !at.IsZero()
}

// alternatives is the first of several matchers that finds something. A value that could not
// be converted counts only if no later one finds any.
type alternatives struct{ of []*matcher }

func (a alternatives) make(r *run, at item) (result, bool) {
	var raw result
	for _, m := range a.of {
		if v, ok := m.find(r, at); ok {
			if !v.raw {
				return v, true
			}
			if !raw.raw {
				raw = v
			}
		}
	}
	return raw, raw.raw
}

// expression is computed from the other fields of the record.
type expression struct {
	node *spec.Node
	eval func(*records.Record, records.Value) (records.Value, error)
}

func (e expression) make(r *run, at item) (result, bool) {
	if r.present == nil {
		r.present = &records.Record{}
	}
	var present records.Value
	if strings.Contains(e.node.Text, "value") { // else nothing of it is asked for
		present, _ = r.value(at)
	}
	v, err := e.eval(r.present, present)
	if err != nil {
		r.warn(at, exprFailed, err.Error())
		return result{}, false
	}
	return result{value: v}, true
}

// record makes a record of fields. One in which nothing was found is not found itself.
type record struct {
	fields []recordField
	late   bool
}

type recordField struct {
	name    string
	names   []string // the fields that it fills, if it spreads
	matcher *matcher
}

func (c *record) make(r *run, at item) (result, bool) {
	v := records.Value{Kind: records.Object, Fields: make([]records.Field, 0, len(c.fields))}
	around, field := r.present, r.field
	for i := range c.fields {
		if f := &c.fields[i]; !f.matcher.late {
			r.fill(&v, f, at, len(v.Fields))
		}
	}
	if c.late {
		at := at
		c.expressions(r, &v, at)
	}
	r.present, r.field = around, field
	return result{value: v, from: origin{el: at.el, pos: at.json.pos}}, len(v.Fields) > 0
}

// expressions fills the fields that need others, each at its place in the order of the spec.
func (c *record) expressions(r *run, v *records.Value, at item) {
	seen := &records.Record{Document: r.document.Name}
	r.present = seen
	place := 0
	for i := range c.fields {
		f := &c.fields[i]
		if f.matcher.late {
			seen.Fields = v.Fields
			n := len(v.Fields)
			r.fill(v, f, at, place)
			place += len(v.Fields) - n
			continue
		}
		for place < len(v.Fields) && f.fills(v.Fields[place].Name) {
			place++
		}
	}
}

// fills says that a field of this name comes from here.
func (f *recordField) fills(name string) bool {
	if !f.matcher.spreads {
		return f.name == name
	}
	return slices.Contains(f.names, name)
}

// fill puts what the matcher of a field finds into the record, at a place.
func (r *run) fill(v *records.Value, f *recordField, at item, place int) {
	r.field = f.name
	found, ok := f.matcher.find(r, at)
	if !ok || r.over() {
		return
	}
	var fields []records.Field
	if f.matcher.spreads {
		fields = found.value.Fields
	} else {
		fields = []records.Field{{Name: f.name, Value: found.value}}
		fields[0].Pos, fields[0].Element = r.place(found.from)
	}
	if place == len(v.Fields) {
		v.Fields = append(v.Fields, fields...)
		return
	}
	rest := append([]records.Field(nil), v.Fields[place:]...)
	v.Fields = append(append(v.Fields[:place], fields...), rest...)
}

// textOfValue is a value as text: what JSON writes for what is no text.
func textOfValue(v *records.Value) string {
	if v.Kind == records.Text {
		return v.Text
	}
	return strings.TrimSpace(string(v.AppendJSON(nil)))
}
