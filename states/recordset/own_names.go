package recordset

import (
	"fmt"
	"slices"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/database"
)

// The fields that say where a stored record comes from.
const (
	PlaceLine    = "_line"
	PlaceElement = "_element"
	PlaceTable   = "_table"
	PlaceDetail  = database.DetailField // the page of the record's own, that holds more of its fields
)

// ownNames gives the fields of a record that have one of our names another name, so that no place takes that of a
// value. It tells each once.
type ownNames struct {
	records.Sink
	renamed records.Record
	told    []string
}

// Record passes a record on.
func (s *ownNames) Record(r *records.Record) error {
	isOwn := func(f records.Field) bool {
		return f.Name == PlaceLine || f.Name == PlaceElement || f.Name == PlaceTable || f.Name == PlaceDetail
	}
	if !slices.ContainsFunc(r.Fields, isOwn) {
		return s.Sink.Record(r)
	}
	s.renamed = *r
	s.renamed.Fields = append([]records.Field(nil), r.Fields...)
	s.renamed.Was = slices.Clone(r.Was)
	for _, name := range [...]string{PlaceLine, PlaceElement, PlaceTable, PlaceDetail} {
		as, found := s.renamed.MoveAside(name)
		if !found || slices.Contains(s.told, name) {
			continue
		}
		s.told = append(s.told, name)
		s.Notice(r.FieldNotice(r.Field(name), fault.DumpReserved, fault.Warning,
			fmt.Sprintf("the field %q has a name under which places are kept; it is kept as %q", name, as)))
	}
	return s.Sink.Record(&s.renamed)
}
