package dump

import (
	"fmt"
	"io"
	"strings"

	"laundromat/records"
)

// ReadLines reads records that were written as JSON lines, with their originals, and passes them on. Fields whose names
// begin with one of drop are left out.
func ReadLines(from io.Reader, drop []string, to records.Sink) error {
	in := newLines(from)
	for in.next() {
		value, err := ReadJSON(in.line)
		if err != nil || value.Kind != records.Object {
			return fmt.Errorf("line %d is no record: %w", in.number, err)
		}
		r := records.Record{Fields: value.Fields[:0]}
		r.Pos.Line = 0
		for i := range value.Fields {
			f := value.Fields[i]
			if f.Name == "was" && i == len(value.Fields)-1 {
				if was, ok := originalsOf(f.Value); ok {
					r.Was = was
					continue
				}
			}
			if !dropped(f.Name, drop) {
				r.Fields = append(r.Fields, f)
			}
		}
		if err := to.Record(&r); err != nil {
			return err
		}
	}
	return in.err
}

func dropped(name string, drop []string) bool {
	for _, prefix := range drop {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
