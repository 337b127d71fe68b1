package spec

import "laundromat/records"

// Value is the node as a value of a record. A number that YAML writes as JSON does not is written as
// JSON has it; one that can't be is a text.
func (n *Node) Value() records.Value {
	switch n.Kind {
	case Text:
		return records.TextOf(n.Text)
	case Bool:
		return records.BoolOf(n.Text == "true")
	case Number:
		if number, ok := records.ToNumber(n.Text); ok {
			return records.NumberOf(number)
		}
		return records.TextOf(n.Text)
	case List:
		v := records.Value{Kind: records.List}
		for _, item := range n.Items {
			v.Items = append(v.Items, item.Value())
		}
		return v
	case Map:
		v := records.Value{Kind: records.Object}
		for _, e := range n.Entries {
			v.Fields = append(v.Fields, records.Field{Name: e.Key, Value: e.Value.Value()})
		}
		return v
	}
	return records.Value{}
}
