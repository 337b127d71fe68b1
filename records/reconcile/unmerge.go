package reconcile

import (
	"container/heap"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Unmerger gives the records back that merged ones were made of, each in its place of before.
type Unmerger struct {
	// To takes the records.
	To func(r *records.Record) error
	// Parse reads a value that a table holds as JSON.
	Parse func(text []byte) (records.Value, error)

	// Inputs are those of the merged records, as far as one was seen.
	Inputs []Input
	// Unmerged counts the merged records, and Originals what they were made of.
	Unmerged, Originals int64

	next    int64 // the number of the record that is due
	waiting waiting
}

// Record takes a record. Records come in the order in which they were written.
func (u *Unmerger) Record(r *records.Record) error {
	f := r.Field(records.MergeField)
	if f == nil || isEmpty(&f.Value) {
		if err := u.due(); err != nil {
			return err
		}
		if f != nil { // the empty cell of a table
			r.Fields = slices.DeleteFunc(r.Fields, func(f records.Field) bool { return f.Name == records.MergeField })
		}
		u.next++
		return u.To(r)
	}
	value := f.Value
	if value.Kind == records.Text && u.Parse != nil {
		var err error
		if value, err = u.Parse([]byte(value.Text)); err != nil {
			return u.broken(r, err)
		}
	}
	if err := u.take(r, value.Clone()); err != nil {
		return u.broken(r, err)
	}
	return nil
}

func (u *Unmerger) broken(r *records.Record, err error) error {
	return fault.New("reconcile.Unmerger", fault.Data, fault.DumpUnreadable,
		"%s:%d: the field %s does not hold the records that were merged: %w",
		r.Document, r.Pos.Line, records.MergeField, err)
}

// take takes the originals of a merged record.
func (u *Unmerger) take(r *records.Record, value records.Value) error {
	from, _ := value.Get(records.MergedFrom)
	if value.Kind != records.Object || from.Kind != records.List || len(from.Items) == 0 {
		return errors.New("it names none")
	}
	inputs, _ := value.Get(inputsOf)
	u.Inputs = u.Inputs[:0]
	for i := range inputs.Items {
		name, _ := inputs.Items[i].Get(inputName)
		first, err := numberOf(&inputs.Items[i], fromName)
		if err != nil {
			return err
		}
		u.Inputs = append(u.Inputs, Input{name.Text, first - 1})
	}
	u.Unmerged++
	for i := range from.Items {
		v := &from.Items[i]
		number, err := numberOf(v, numberName)
		if err != nil {
			return err
		}
		held, is := v.Get(records.OriginalRecord)
		if !is || held.Kind != records.Object {
			return errors.New("a record is missing")
		}
		one := &records.Record{Fields: held.Fields, Document: r.Document, Pos: r.Pos}
		if name, _ := v.Get(inputName); name.Text != "" {
			one.Document = name.Text
		}
		if line, err := numberOf(v, lineName); err == nil {
			one.Pos = fault.Pos{Line: line, Column: 1}
		}
		was, _ := v.Get(wasName)
		for k := range was.Fields {
			w := &was.Fields[k].Value
			value, _ := w.Get("value")
			rule, _ := w.Get("rule")
			one.Was = append(one.Was, records.Original{Field: was.Fields[k].Name, Value: value, Rule: rule.Text})
		}
		u.Originals++
		heap.Push(&u.waiting, numbered{number, one})
	}
	return nil
}

func numberOf(v *records.Value, name string) (int64, error) {
	member, _ := v.Get(name)
	n, err := strconv.ParseInt(member.Text, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("the member %q is no number", name)
	}
	return n, nil
}

// due passes on the originals that come before the next record. In a table that was sorted they come as they can.
func (u *Unmerger) due() error {
	for len(u.waiting) > 0 && u.waiting[0].number <= u.next+1 {
		one := heap.Pop(&u.waiting).(numbered)
		u.next++
		if err := u.To(one.record); err != nil {
			return err
		}
	}
	return nil
}

// Close passes on what is left.
func (u *Unmerger) Close() error {
	for len(u.waiting) > 0 {
		if err := u.due(); err != nil {
			return err
		}
		if len(u.waiting) > 0 { // records were taken out of the file
			u.next = u.waiting[0].number - 1
		}
	}
	return nil
}

// numbered is an original that waits for its turn.
type numbered struct {
	number int64
	record *records.Record
}

type waiting []numbered

func (w waiting) Len() int           { return len(w) }
func (w waiting) Less(i, j int) bool { return w[i].number < w[j].number }
func (w waiting) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }
func (w *waiting) Push(x any)        { *w = append(*w, x.(numbered)) }
func (w *waiting) Pop() any {
	last := (*w)[len(*w)-1]
	*w = (*w)[:len(*w)-1]
	return last
}
