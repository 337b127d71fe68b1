package dump

import (
	"fmt"
	"io"
	"slices"

	"laundromat/records"
)

// ReadLines reads records that were written as JSON lines, with their originals, and passes them on. Fields that are
// named in drop are left out.
func ReadLines(from io.Reader, drop []string, to records.Sink) error {
	in := newLines(from)
	for in.next() {
		value, err := ReadJSON(in.line)
		if err != nil || value.Kind != records.Object {
			return fmt.Errorf("line %d is no record: %w", in.number, err)
		}
		fields, was := Originals(value.Fields)
		r := records.Record{Fields: fields[:0], Was: was}
		for _, f := range fields {
			if !slices.Contains(drop, f.Name) {
				r.Fields = append(r.Fields, f)
			}
		}
		if err := to.Record(&r); err != nil {
			return err
		}
	}
	return in.err
}

// Originals takes what rules changed out of the fields of a record that was written as JSON: its originals are the
// last.
func Originals(fields []records.Field) ([]records.Field, []records.Original) {
	if last := len(fields) - 1; last >= 0 && fields[last].Name == "was" {
		if was, ok := originalsOf(fields[last].Value); ok {
			return fields[:last], was
		}
	}
	return fields, nil
}
