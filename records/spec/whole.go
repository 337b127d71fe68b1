package spec

import (
	"path/filepath"
	"strings"

	"laundromat/records"
)

// Value is the whole spec, with the parts put in that are files of their own.
func (s *Spec) Value() records.Value {
	v := records.Value{Kind: records.Object}
	for _, e := range s.Root.Entries {
		node := e.Value
		if place := s.part(e.Key); place != nil && *place != nil {
			node = *place
		}
		v.Fields = append(v.Fields, records.Field{Name: e.Key, Value: node.Value()})
	}
	return v
}

// RefuseFiles refuses the files that a spec names, or that it is, where there is no folder to find them in.
func (n *Node) RefuseFiles() error {
	if n.Kind == Text {
		return n.Errorf("the spec is put in here: a file can't be named")
	}
	if err := refuseContextFiles(n.Get("rdf")); err != nil {
		return err
	}
	for _, e := range n.Entries {
		isName := e.Value.Kind == Text && e.Key != "name" && e.Key != "version"
		if isName && !(e.Key == "map" && e.Value.Text == Natural) {
			return e.Value.Errorf("the part %s is put in here: a file can't be named", e.Key)
		}
	}
	return nil
}

// refuseContextFiles refuses files of contexts that the part rdf of a spec names.
func refuseContextFiles(rdf *Node) error {
	if rdf == nil {
		return nil
	}
	context := rdf.Get("context")
	if context == nil {
		return nil
	}
	for _, item := range append([]*Node{context}, context.Items...) {
		if isContextFile(item) {
			return item.Errorf("the context is put in here, or named by its IRI: a file can't be named")
		}
	}
	return nil
}

// isContextFile says that a context is named, and that the name is of a file: the IRI of a context has a scheme.
func isContextFile(item *Node) bool {
	return item.Kind == Text && (!strings.Contains(item.Text, ":") || filepath.IsAbs(item.Text))
}
