package extract

import (
	"context"
	"strconv"
	"strings"

	"laundromat/markup/page"
	"laundromat/markup/xmltext"
	"laundromat/records"
)

// Records that this program wrote as XML or as a page have marks of what their form can't say: see package dump.
const (
	ownPrefix = "laundromat"
	ownTable  = "data-laundromat"
	ownSpace  = "urn:laundromat:records"
)

// ownMarks are the marks of an element of XML.
type ownMarks struct {
	name  string // of the field, where named
	kind  string // of the value; empty: what the element looks like
	json  string // the text as JSON, where exact
	named bool
	exact bool
}

// add takes an attribute; false if it is none of ours.
func (m *ownMarks) add(a *xmltext.Attr) bool {
	if string(a.Prefix) != ownPrefix {
		return false
	}
	switch value := string(a.Value); string(a.Local) {
	case "name":
		m.name, m.named = markedValue(value).Text, true
	case "kind":
		m.kind = value
	case "json":
		m.json, m.exact = value, true
	default:
		return false
	}
	return true
}

// apply is the value that the marks say; items are the children, in order.
func (m *ownMarks) apply(v records.Value, items []records.Value) records.Value {
	if m.exact {
		return markedValue(m.json)
	}
	switch m.kind {
	case "null":
		return records.Value{}
	case "list":
		return records.Value{Kind: records.List, Items: items}
	case "object":
		v.Kind, v.Text = records.Object, ""
	case "number":
		if records.IsNumber(v.Text) {
			return records.NumberOf(v.Text)
		}
	case "boolean":
		if v.Text == "true" || v.Text == "false" {
			return records.BoolOf(v.Text == "true")
		}
	}
	return v
}

// markedValue is a value that a mark has as JSON; a broken one is a text.
func markedValue(json string) records.Value {
	p := newJSONReader(context.Background(), &Document{Text: strings.NewReader(json)}, &Options{}, nothing{})
	if v, ok := p.value(); ok {
		return v
	}
	return records.TextOf(json)
}

// isOwnXML says that a document begins as one that this program wrote.
func isOwnXML(head []byte) bool {
	return strings.Contains(string(head[:min(len(head), 300)]), `<records xmlns:`+ownPrefix+`="`+ownSpace+`">`)
}

// isOwn says that this program wrote the table of a page.
func (t *pageTable) isOwn() bool {
	if t.element == nil {
		return false
	}
	value, _ := t.element.Get(ownTable)
	return value == "records"
}

// readOwn reads a table that this program wrote: the first row has the names, and each other is a record.
func (t *pageTable) readOwn(ctx context.Context, document, name string, to records.Sink) error {
	var names []string
	for i := range t.lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		line := &t.lines[i]
		r := records.Record{Document: document, Table: name, Pos: line.element.Pos, Element: line.selector}
		at := 0
		for _, c := range line.element.Children {
			if c.Element == nil || !isElement(c.Element, "td", "th") {
				continue
			}
			v, there := ownCell(c.Element)
			switch {
			case i == 0:
				names = append(names, v.Text)
			case there:
				if at == len(names) { // somebody added a cell
					names = append(names, "column_"+strconv.Itoa(at+1))
				}
				r.Fields = append(r.Fields, records.Field{Name: names[at], Value: v, Pos: c.Element.Pos, Element: line.selector})
			case at == len(names):
				names = append(names, "column_"+strconv.Itoa(at+1))
			}
			at++
		}
		if i == 0 {
			continue
		}
		if err := to.Record(&r); err != nil {
			return &records.SinkError{Err: err}
		}
	}
	return nil
}

// ownCell is the value of a cell; false if its field is absent.
func ownCell(e *page.Element) (records.Value, bool) {
	if json, ok := e.Get("data-json"); ok {
		return markedValue(json), true
	}
	kind, _ := e.Get("data-kind")
	m := ownMarks{kind: kind}
	return m.apply(records.TextOf(cellText(e)), nil), kind != "absent"
}
