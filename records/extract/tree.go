package extract

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/records"
)

// tree makes records of whole values: of a list its items, of an object with one list of objects the
// items of that, of anything else one.
type tree struct {
	to       records.Sink
	document string
	key      string // of the list that is wanted; may be empty
	record   records.Record
}

func (t *tree) emitAll(v records.Value, pos fault.Pos) error {
	if v.Kind == records.Object {
		list, beside := listOf(v)
		if t.key != "" {
			list, beside = listNamed(&v, t.key), ""
		}
		if list != nil {
			t.to.Notice(fault.Notice{Code: fault.RecordList, Severity: fault.Note, Pos: list.Pos, Field: list.Name,
				Message: fmt.Sprintf("the records are the items of %q%s", list.Name, beside)})
			v, pos = list.Value, list.Pos
		}
	}
	if v.Kind != records.List {
		return t.emit(v, pos)
	}
	for _, item := range v.Items {
		at := pos
		if len(item.Fields) > 0 {
			at = item.Fields[0].Pos
		}
		if err := t.emit(item, at); err != nil {
			return err
		}
	}
	return nil
}

// listNamed is the list of that name in an object, or in an object in it.
func listNamed(v *records.Value, name string) *records.Field {
	for i := range v.Fields {
		if f := &v.Fields[i]; f.Name == name && f.Value.Kind == records.List {
			return f
		}
	}
	for i := range v.Fields {
		if found := listNamed(&v.Fields[i].Value, name); found != nil {
			return found
		}
	}
	return nil
}

func (t *tree) emit(v records.Value, pos fault.Pos) error {
	t.record = recordOf(v, pos)
	t.record.Document = t.document
	if err := t.to.Record(&t.record); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// give passes a value on whole.
func (o *Options) give(v Whole) error {
	if err := o.Value(v); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}
