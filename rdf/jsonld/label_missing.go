package jsonld

import (
	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// noLabel is the name of a blank node without its label. Where it stands once in an item, the node is one
// without a name. Where it stands again, nobody knows whether the same node is meant.
const noLabel = "_:"

// isUnlabelled says that an identifier is no more than _: and stands once in the item that is read, which is
// told. It then names nothing.
func (e *expander) isUnlabelled(iri string, at *jsonread.Value) bool {
	if iri != noLabel || e.item == nil {
		return false
	}
	if e.unlabelled == 0 {
		e.unlabelled = unlabelled(e.item)
	}
	if e.unlabelled > 1 {
		return false
	}
	e.say(fault.Notice{Code: fault.BlankNodeLabel, Severity: fault.Repair, Pos: at.Pos, Excerpt: at.Sample(),
		Message: "_: alone has no label; it was read as a node without a name, since it occurs once"})
	at.Repaired = true
	return true
}

// unlabelled counts the strings _: in a value.
func unlabelled(v *jsonread.Value) (n int) {
	if v == nil { // an item of a graph that was written
		return 0
	}
	if v.Kind == jsonread.Text && v.Text == noLabel {
		return 1
	}
	for _, item := range v.Items {
		n += unlabelled(item)
	}
	for i := range v.Members {
		if v.Members[i].Name == noLabel {
			n++
		}
		n += unlabelled(v.Members[i].Value)
	}
	return n
}
