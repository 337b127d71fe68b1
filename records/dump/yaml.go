package dump

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// longestDocument is how much one document of YAML has. Readers hold a document whole, so a longer list goes on in
// the next document of the file.
const longestDocument = 4 << 20

// yamlRecords writes records as a list of mappings in YAML. Lists and objects in them are on one line.
type yamlRecords struct {
	to   *target
	tell func(fault.Notice)
	some bool // there was a record
	size int  // of the document
	told bool
	line []byte
}

func openYAML(o *output, tell func(fault.Notice)) recordWriter {
	return &yamlRecords{to: o.target, tell: tell}
}

func (w *yamlRecords) record(r *records.Record) error {
	b := w.line[:0]
	if w.size > longestDocument {
		w.size, b = 0, append(b, "---\n"...)
		if !w.told {
			w.told = true
			w.tell(fault.Notice{Code: fault.DumpDocument, Severity: fault.Note,
				Message: "the list has more than 4 MiB, and is continued in further documents of the file"})
		}
	}
	from := len(b)
	for i := range r.Fields {
		b = appendMember(b, from, &r.Fields[i])
	}
	if was, any := wasObject(r); any {
		b = appendMember(b, from, &was)
	}
	if len(b) == from {
		b = append(b, "- {}\n"...)
	}
	w.line, w.some = b, true
	w.size += len(b)
	_, err := w.to.Write(b)
	return err
}

// appendMember appends a field of a record on a line of its own; the first begins the item of the list.
func appendMember(b []byte, from int, f *records.Field) []byte {
	start := "  "
	if len(b) == from {
		start = "- "
	}
	b = append(records.AppendYAMLKey(append(b, start...), f.Name, 2), ' ')
	return append(appendYAML(b, &f.Value), '\n')
}

func (w *yamlRecords) close() (err error) {
	if !w.some {
		_, err = w.to.WriteString("[]\n")
	}
	return err
}

// appendYAML appends a value on one line.
func appendYAML(b []byte, v *records.Value) []byte {
	switch v.Kind {
	case records.Text:
		return records.AppendYAMLText(b, v.Text)
	case records.Number:
		if strings.ContainsAny(v.Text, "eE") { // some readers take 1e3 for a text
			b = append(b, "!!float "...)
		}
		return append(b, v.Text...)
	case records.List:
		b = append(b, '[')
		for i := range v.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = appendYAML(b, &v.Items[i])
		}
		return append(b, ']')
	case records.Object:
		b = append(b, '{')
		for i := range v.Fields {
			if i > 0 {
				b = append(b, ", "...)
			}
			if len(v.Fields[i].Name) > 500 { // a key that is not short is marked as one
				b = append(b, "? "...)
			}
			b = append(records.AppendYAMLText(b, v.Fields[i].Name), ": "...)
			b = appendYAML(b, &v.Fields[i].Value)
		}
		return append(b, '}')
	}
	return v.AppendJSON(b)
}
