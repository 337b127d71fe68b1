package dump

import (
	"laundromat/internal/fault"
	"laundromat/records"
)

// jsonRecords writes records as JSON, each on a line of its own: JSON lines, or an array.
type jsonRecords struct {
	to    *target
	array bool
	some  bool // there was a record
	line  []byte
}

func openJSONLines(o *output, _ func(fault.Notice)) recordWriter { return &jsonRecords{to: o.target} }

func openJSON(o *output, _ func(fault.Notice)) recordWriter {
	return &jsonRecords{to: o.target, array: true}
}

func (w *jsonRecords) record(r *records.Record) error {
	b := w.line[:0]
	switch {
	case !w.array:
		b = append(r.AppendJSON(b), '\n')
	case w.some:
		b = r.AppendJSON(append(b, ",\n"...))
	default:
		b = r.AppendJSON(append(b, "[\n"...))
	}
	w.line, w.some = b, true
	_, err := w.to.Write(b)
	return err
}

func (w *jsonRecords) close() (err error) {
	switch {
	case !w.array:
	case w.some:
		_, err = w.to.WriteString("\n]\n")
	default:
		_, err = w.to.WriteString("[]\n")
	}
	return err
}

// wasObject is the originals of a record as the member "was" of an object; false if there are none.
func wasObject(r *records.Record) (f records.Field, any bool) {
	if len(r.Was) == 0 {
		return f, false
	}
	f.Name, f.Value.Kind = "was", records.Object
	for _, w := range r.Was {
		one := records.Value{Kind: records.Object, Fields: []records.Field{{Name: "value", Value: w.Value},
			{Name: "rule", Value: records.TextOf(w.Rule)}}}
		f.Value.Fields = append(f.Value.Fields, records.Field{Name: w.Field, Value: one})
	}
	return f, true
}
