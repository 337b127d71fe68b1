package schema

import (
	"laundromat/records/spec"
)

// table is a compiled Table Schema.
type table struct {
	fields  []*field
	byName  map[string]*field
	match   string // fieldsMatch
	unique  []*uniqueKey
	foreign []*foreignKey
}

var tableKeys = []string{"fields", "fieldsMatch", "missingValues", "primaryKey", "uniqueKeys", "foreignKeys", "$schema",
	"name", "title", "description", "rdfType"}

var fieldsMatches = []string{"exact", "equal", "subset", "superset", "partial"}

func compileTable(node *spec.Node, opt Options) (*table, error) {
	if err := refuseTypos(node, "key of a Table Schema", tableKeys); err != nil {
		return nil, err
	}
	list := node.Get("fields")
	if list == nil {
		return nil, node.Errorf(`a Table Schema has "fields", a JSON Schema "$schema" or "type"; there is neither`)
	}
	if err := list.Want(spec.List); err != nil {
		return nil, err
	}
	missing, err := missingValues(node.Get("missingValues"))
	if err != nil {
		return nil, err
	}
	if missing == nil {
		missing = []string{""}
	}
	t := &table{byName: map[string]*field{}}
	for _, item := range list.Items {
		f, err := compileField(item, missing)
		if err != nil {
			return nil, err
		}
		if t.byName[f.name] != nil {
			return nil, item.Get("name").Errorf("there are two fields of the name %q", f.name)
		}
		f.index = len(t.fields)
		t.fields = append(t.fields, f)
		t.byName[f.name] = f
	}
	if t.match, err = fieldsMatch(node.Get("fieldsMatch")); err != nil {
		return nil, err
	}
	return t, t.compileKeys(node, opt)
}

// fieldsMatch is a string in the profile of the standard and a list of one in its text.
func fieldsMatch(node *spec.Node) (string, error) {
	if node == nil {
		return "exact", nil
	}
	if node.Kind == spec.List && len(node.Items) == 1 {
		node = node.Items[0]
	}
	return oneOf(node, "value of fieldsMatch", fieldsMatches)
}

// oneOf refuses a text that is none of the valid ones.
func oneOf(node *spec.Node, what string, valid []string) (string, error) {
	if err := node.Want(spec.Text); err != nil {
		return "", err
	}
	for _, v := range valid {
		if v == node.Text {
			return v, nil
		}
	}
	return "", node.Errorf("unknown %s %q%s", what, node.Text, spec.Meant(node.Text, valid...))
}

// missingValues reads a list of texts, or of mappings with a value and a label; nil if
// there is none.
func missingValues(node *spec.Node) ([]string, error) {
	if node == nil {
		return nil, nil
	}
	if err := node.Want(spec.List); err != nil {
		return nil, err
	}
	values := make([]string, 0, len(node.Items))
	for _, item := range node.Items {
		value, err := labelled(item)
		if err != nil {
			return nil, err
		}
		if value.Kind != spec.Text {
			return nil, value.Errorf("a missing value is a text: put it in quotation marks")
		}
		values = append(values, value.Text)
	}
	return values, nil
}

// labelled is the value of an item that may have a label.
func labelled(item *spec.Node) (*spec.Node, error) {
	if item.Kind != spec.Map {
		return item, nil
	}
	if err := item.Only("key", "value", "label"); err != nil {
		return nil, err
	}
	if item.Get("value") == nil {
		return nil, item.Errorf(`the key "value" is missing`)
	}
	return item.Get("value"), nil
}

// names reads a name or a list of names of fields.
func (t *table) names(node *spec.Node, known map[string]*field) ([]string, error) {
	items := []*spec.Node{node}
	if node.Kind == spec.List {
		items = node.Items
		if len(items) == 0 {
			return nil, node.Errorf("a key has at least one field")
		}
	}
	var names []string
	for _, item := range items {
		if err := item.Want(spec.Text); err != nil {
			return nil, err
		}
		if known != nil && known[item.Text] == nil {
			return nil, item.Errorf("there is no field %q%s", item.Text, spec.Meant(item.Text, fieldNames(known)...))
		}
		names = append(names, item.Text)
	}
	return names, nil
}

func fieldNames(known map[string]*field) []string {
	names := make([]string, len(known))
	for name, f := range known {
		names[f.index] = name
	}
	return names
}

// places are the indexes of fields that exist.
func (t *table) places(names []string) []int {
	places := make([]int, len(names))
	for i, name := range names {
		places[i] = t.byName[name].index
	}
	return places
}

// uniqueKey is a key whose values come once.
type uniqueKey struct {
	names   []string
	places  []int
	primary bool // no part may be null
	alone   bool // the constraint "unique" of a single field
}

// foreignKey is a key whose values are those of another table, or of this one.
type foreignKey struct {
	names     []string
	places    []int
	resource  string // "" is this table
	reference []string
}

func (t *table) compileKeys(node *spec.Node, opt Options) error {
	if key := node.Get("primaryKey"); key != nil {
		names, err := t.names(key, t.byName)
		if err != nil {
			return err
		}
		t.unique = append(t.unique, &uniqueKey{names: names, places: t.places(names), primary: true})
	}
	if keys := node.Get("uniqueKeys"); keys != nil {
		if err := keys.Want(spec.List); err != nil {
			return err
		}
		for _, key := range keys.Items {
			names, err := t.names(key, t.byName)
			if err != nil {
				return err
			}
			t.unique = append(t.unique, &uniqueKey{names: names, places: t.places(names)})
		}
	}
	for i, f := range t.fields {
		if f.unique {
			t.unique = append(t.unique, &uniqueKey{names: []string{f.name}, places: []int{i}, alone: true})
		}
	}
	if keys := node.Get("foreignKeys"); keys != nil {
		if err := keys.Want(spec.List); err != nil {
			return err
		}
		for _, key := range keys.Items {
			k, err := t.foreignKey(key, opt)
			if err != nil {
				return err
			}
			t.foreign = append(t.foreign, k)
		}
	}
	return nil
}

func (t *table) foreignKey(node *spec.Node, opt Options) (*foreignKey, error) {
	if err := node.Only("key of a foreign key", "fields", "reference", "name", "title", "description"); err != nil {
		return nil, err
	}
	fields, reference := node.Get("fields"), node.Get("reference")
	if fields == nil || reference == nil {
		return nil, node.Errorf(`a foreign key has "fields" and "reference"`)
	}
	names, err := t.names(fields, t.byName)
	if err != nil {
		return nil, err
	}
	if err := reference.Only("key of a reference", "resource", "fields"); err != nil {
		return nil, err
	}
	k := &foreignKey{names: names, places: t.places(names)}
	known := t.byName
	if resource := reference.Get("resource"); resource != nil {
		if err := resource.Want(spec.Text); err != nil {
			return nil, err
		}
		if k.resource = resource.Text; k.resource != "" {
			other, given := opt.Resources[k.resource]
			if !given {
				return nil, resource.Errorf("the table %q, which a foreign key refers to, is not given", k.resource)
			}
			known = nil
			if other.Schema != nil && other.Schema.table != nil {
				known = other.Schema.table.byName
			}
		}
	}
	to := reference.Get("fields")
	if to == nil {
		return nil, reference.Errorf(`the key "fields" is missing`)
	}
	if k.reference, err = t.names(to, known); err != nil {
		return nil, err
	}
	if len(k.reference) != len(k.names) {
		return nil, to.Errorf("the key has %d fields, its reference %d", len(k.names), len(k.reference))
	}
	return k, nil
}
