package datapackage

import (
	"fmt"

	"laundromat/records"
	"laundromat/records/spec"
)

// Inline is the text of data that are in the descriptor: as it is, or as JSON. Of an array of arrays it is an array of
// objects, whose names are the first row, or those of the schema where the table has no header.
func (r *Resource) Inline() []byte {
	if r.Data.Kind == spec.Text {
		return []byte(r.Data.Text)
	}
	v := r.Data.Value()
	if v.Kind == records.List && len(v.Items) > 0 && allLists(v.Items) {
		v = r.rows(v.Items)
	}
	return append(v.AppendJSON(nil), '\n')
}

func allLists(items []records.Value) bool {
	for i := range items {
		if items[i].Kind != records.List {
			return false
		}
	}
	return true
}

// rows makes objects of rows.
func (r *Resource) rows(items []records.Value) records.Value {
	var names []string
	if header := r.Dialect.Get("header"); header == nil || header.Text != "false" {
		for i := range items[0].Items {
			names = append(names, items[0].Items[i].Text)
		}
		items = items[1:]
	} else {
		names = r.FieldNames()
	}
	all := records.Value{Kind: records.List}
	for i := range items {
		one := records.Value{Kind: records.Object}
		for j := range items[i].Items {
			for len(names) <= j {
				names = append(names, fmt.Sprintf("column_%d", len(names)+1))
			}
			one.Fields = append(one.Fields, records.Field{Name: names[j], Value: items[i].Items[j]})
		}
		all.Items = append(all.Items, one)
	}
	return all
}
