package extract

import (
	"fmt"

	"laundromat/internal/fault"
	"laundromat/records"
)

// tree makes records of whole values. Of a list they are its items, of an object with one list of
// objects the items of that, of anything else the value.
type tree struct {
	to       records.Sink
	document string
	key      string // of the list that is wanted; may be empty
	record   records.Record
}

func (t *tree) emitAll(v records.Value, pos fault.Pos) error {
	l, found := recordsIn(v, pos, t.key, t.to)
	if !found {
		return t.emit(v, pos)
	}
	for i := range l.Value.Items {
		if err := t.emit(l.Value.Items[i], l.at(i)); err != nil {
			return err
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

// addField adds a field; the n-th of the same name is called name_N, which is reported.
func addField(v *records.Value, f records.Field) *fault.Notice {
	same, again := f.Name, false
	_, there := v.Get(f.Name)
	for n := 2; there; n++ {
		again = true
		f.Name = fmt.Sprintf("%s_%d", same, n)
		_, there = v.Get(f.Name)
	}
	v.Fields = append(v.Fields, f)
	if !again {
		return nil
	}
	return &fault.Notice{Code: fault.RecordNameAgain, Severity: fault.Warning, Field: f.Name,
		Message: fmt.Sprintf("the name %q is there already; this field is called %s", same, f.Name)}
}
