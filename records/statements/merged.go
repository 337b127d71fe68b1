package statements

import (
	"slices"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
	"laundromat/records"
	"laundromat/records/spec"
)

// The properties of a merged record that lead to the records that it is made of.
const (
	sameAs         = "http://www.w3.org/2002/07/owl#sameAs"
	wasDerivedFrom = "http://www.w3.org/ns/prov#wasDerivedFrom"
)

// mergedNames are the values of the key merged: the IRIs of all records that were merged are the same, or the one that
// was chosen is alone.
var mergedNames = []string{"same-as", "one-iri"}

func (m *Mapping) compileMerged(node *spec.Node) error {
	if node == nil {
		return nil
	}
	if node.Kind != spec.Text || !slices.Contains(mergedNames, node.Text) {
		return node.Errorf("merged says which IRIs a merged record has: same-as or one-iri%s", spec.Meant(node.Text, mergedNames...))
	}
	m.oneIRI = node.Text == mergedNames[1]
	return nil
}

// linkOriginals adds what a merged record is made of to its node, where the spec makes IRIs of records: PROV says what
// it was derived from, OWL that they are the same.
func (d *Document) linkOriginals(node *jsonread.Value, r *records.Record) {
	if d.mapping.id == nil {
		return
	}
	own, _ := d.mapping.id.expand(nil, fieldsOf(r))
	var derived, same []*jsonread.Value
	for _, original := range r.Originals() {
		iri, lost := d.mapping.id.expand(nil, fieldsOf(original))
		if lost != nil {
			d.notice(r.Notice(fault.RecordNoNode, fault.Warning,
				"a record that was merged has no IRI: "+lost.Error()+"; nothing leads to it"))
			continue
		}
		at := d.at(r.Pos, r.Element, nil)
		to := jsonread.NewObject(at, 0)
		to.Members = []jsonread.Member{{Name: "@id", Pos: at, Value: jsonread.NewText(string(iri), at)}}
		if derived = append(derived, to); string(iri) != string(own) {
			same = append(same, to)
		}
	}
	if d.mapping.oneIRI {
		same = nil
	}
	for _, of := range [...]struct {
		property string
		nodes    []*jsonread.Value
	}{{sameAs, same}, {wasDerivedFrom, derived}} {
		if len(of.nodes) > 0 {
			at := of.nodes[0].Pos
			node.Members = append(node.Members, jsonread.Member{Name: of.property, Pos: at, Value: jsonread.NewArray(of.nodes, at)})
		}
	}
}
