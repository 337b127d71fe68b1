package records

// MergeField is the field of a merged record that holds the records that it is made of, and says of which each value
// is.
const MergeField = "_merge"

// The members of MergeField that say what a merged record is made of. The first is named as in PROV-O
// (https://www.w3.org/TR/prov-o/).
const (
	MergedFrom     = "wasDerivedFrom"
	OriginalRecord = "record"
)

// Originals are the records that a merged one is made of; none if it is not merged.
func (r *Record) Originals() (all []*Record) {
	f := r.Field(MergeField)
	if f == nil {
		return nil
	}
	from, _ := f.Value.Get(MergedFrom)
	for i := range from.Items {
		if held, is := from.Items[i].Get(OriginalRecord); is && held.Kind == Object {
			all = append(all, &Record{Fields: held.Fields, Document: r.Document, Table: r.Table, Pos: r.Pos, Element: r.Element})
		}
	}
	return all
}
