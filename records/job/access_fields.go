package job

import (
	"slices"

	"laundromat/records/spec"
)

// AccessFields are the fields that say when a document was fetched, as far as the spec names them: they differ from
// reading to reading of the same bytes.
func (j *Job) AccessFields() []string { return j.fleeting }

// accessFields are those that the part select fills with access_time, and the copies that the part map makes of them.
func accessFields(s *spec.Spec) (names []string) {
	var look func(*spec.Node)
	look = func(node *spec.Node) {
		if node == nil {
			return
		}
		for _, e := range node.Entries {
			if e.Value.Get("access_time") != nil {
				names = append(names, e.Key)
			}
			look(e.Value)
		}
		for _, item := range node.Items {
			look(item)
		}
	}
	look(s.Select)
	if len(names) > 0 {
		names = append(names, copies(s.Map, names)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// copies are fields that a map makes of others of these names.
func copies(node *spec.Node, of []string) (names []string) {
	if node == nil {
		return nil
	}
	for _, item := range node.Items {
		names = append(names, copies(item, append(slices.Clone(of), names...))...)
	}
	for _, e := range node.Entries {
		if from := e.Value.Get("from"); from != nil && from.Kind == spec.Text && slices.Contains(of, from.Text) {
			names = append(names, e.Key)
		}
	}
	return names
}
