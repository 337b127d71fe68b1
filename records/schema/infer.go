package schema

import (
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Inference is a sink that finds the schema of a table. It looks at every row, and hands
// each on. What it keeps does not grow with the rows.
type Inference struct {
	to     records.Sink // nil: nothing is handed on
	names  map[string]int
	fields []*inferred
	rows   int64
	// Unseen counts the fields beyond the first 10,000 names; they are not in the schema.
	Unseen int64
}

const maxInferred = 10_000

// Counterexample is the first value that is not of a type.
type Counterexample struct {
	Type  string // the type that it speaks against
	Value string // cut to an excerpt
	Line  int64  // 0 where the place is not known
}

// InferredField is what is known of a field.
type InferredField struct {
	Name, Type, Format string
	// Against are the values that decided against narrower types, in the order in which
	// the types would have been taken.
	Against []Counterexample
	Values  int64 // that are not missing
	Missing int64 // null, absent or the empty text
	// Readings are ways to read texts as numbers or dates that nine of ten values fit at least.
	// With several, which is meant can't be known.
	Readings []Reading
}

// NewInference makes one; to may be nil.
func NewInference(to records.Sink) *Inference {
	return &Inference{to: to, names: map[string]int{}}
}

// Notice hands a finding on.
func (in *Inference) Notice(n fault.Notice) {
	if in.to != nil {
		in.to.Notice(n)
	}
}

// Header hands a header on.
func (in *Inference) Header(h *records.Header) {
	if next, ok := in.to.(records.HeaderSink); ok {
		next.Header(h)
	}
}

// Flush hands the end on.
func (in *Inference) Flush() error {
	if next, ok := in.to.(records.Flusher); ok {
		return next.Flush()
	}
	return nil
}

// Record looks at a record.
func (in *Inference) Record(r *records.Record) error {
	in.rows++
	for i := range r.Fields {
		f := &r.Fields[i]
		// The fields of a table come in one order.
		if at := i; at < len(in.fields) && in.fields[at].name == f.Name {
			in.fields[at].see(f, r)
			continue
		}
		at, known := in.names[f.Name]
		if !known {
			if len(in.fields) >= maxInferred {
				in.Unseen++
				continue
			}
			at = len(in.fields)
			name := strings.Clone(f.Name)
			in.names[name] = at
			in.fields = append(in.fields, newInferred(name))
		}
		in.fields[at].see(f, r)
	}
	if in.to != nil {
		return in.to.Record(r)
	}
	return nil
}

// narrow are the types that are tried, the first that all values are of is taken. Types
// that a text of a wider one may have by chance are not among them. These are year,
// yearmonth (an integer), geopoint (a number with a decimal comma) and list.
var narrow = []struct {
	name, format string
	is           func(*records.Value) bool
}{
	{"integer", "", isPlainInteger},
	{"number", "", isPlainNumber},
	{"boolean", "", func(v *records.Value) bool {
		if v.Kind == records.Text {
			switch v.Text {
			case "true", "True", "TRUE", "false", "False", "FALSE":
				return true
			}
		}
		return v.Kind == records.Bool
	}},
	{"date", "", func(v *records.Value) bool { return v.Kind == records.Text && isISO("date", v.Text) }},
	{"datetime", "", func(v *records.Value) bool { return v.Kind == records.Text && isISO("datetime", v.Text) }},
	{"time", "", func(v *records.Value) bool { return v.Kind == records.Text && isISO("time", v.Text) }},
	{"object", "", func(v *records.Value) bool { return v.Kind == records.Object }},
	{"array", "", func(v *records.Value) bool { return v.Kind == records.List }},
	{"string", "uuid", func(v *records.Value) bool { return v.Kind == records.Text && isUUID(v.Text) }},
	{"string", "uri", func(v *records.Value) bool {
		return v.Kind == records.Text && (strings.HasPrefix(v.Text, "http://") || strings.HasPrefix(v.Text,
			"https://")) &&
			isURI(v.Text)
	}},
	{"string", "email", func(v *records.Value) bool {
		return v.Kind == records.Text && isEmail(v.Text) && strings.LastIndexByte(v.Text,
			'.') > strings.IndexByte(v.Text, '@')
	}},
	{"string", "", func(v *records.Value) bool { return v.Kind == records.Text }},
}

// isPlainInteger leaves to texts what loses by becoming a number: "01", "+3", and more
// digits than a whole number of 64 bits has.
func isPlainInteger(v *records.Value) bool {
	return (v.Kind == records.Number || v.Kind == records.Text) && len(v.Text) <= 18 && v.Text != "-0" && plainInteger(v.Text)
}

// isPlainNumber leaves to texts what is no number by the look of it alone: 1E3 may be a
// code. With a decimal sign it is none.
func isPlainNumber(v *records.Value) bool {
	if v.Kind == records.Number {
		return true
	}
	if v.Kind != records.Text || len(v.Text) > 40 || !records.IsNumber(v.Text) {
		return false
	}
	return isPlainInteger(v) || strings.IndexByte(v.Text, '.') > 0
}

type inferred struct {
	name     string
	possible uint32 // a bit for each of narrow
	against  []Counterexample
	values   int64
	missing  int64
	reading  columnReading
}

func newInferred(name string) *inferred {
	return &inferred{name: name, possible: 1<<len(narrow) - 1, against: make([]Counterexample, len(narrow))}
}

func (f *inferred) see(field *records.Field, r *records.Record) {
	v := &field.Value
	if v.Kind == records.Null || v.Kind == records.Text && v.Text == "" {
		f.missing++
		return
	}
	f.values++
	for i := range narrow {
		if f.possible&(1<<i) == 0 || narrow[i].is(v) {
			continue
		}
		f.possible &^= 1 << i
		f.against[i] = *exampleAt(v, placeOf(field, r), narrow[i].name)
	}
	f.reading.see(v, isPlainInteger(v), func() *Counterexample { return exampleAt(v, placeOf(field, r), "") })
}

// placeOf is where a value is, as far as that is known.
func placeOf(field *records.Field, r *records.Record) fault.Pos {
	if field.Pos != (fault.Pos{}) {
		return field.Pos
	}
	return r.Pos
}

// Fields are what is known of each field, in the order in which they came.
func (in *Inference) Fields() []InferredField {
	var all []InferredField
	for _, f := range in.fields {
		one := InferredField{Name: f.name, Type: "any", Values: f.values, Missing: in.rows - f.values}
		chosen := len(narrow)
		for i := len(narrow) - 1; i >= 0; i-- {
			if f.possible&(1<<i) != 0 {
				chosen = i
			}
		}
		if f.values == 0 {
			chosen = len(narrow) // nothing is known
		} else if chosen < len(narrow) {
			one.Type, one.Format = narrow[chosen].name, narrow[chosen].format
		}
		for i := range chosen {
			if f.values > 0 && narrow[i].format == "" {
				one.Against = append(one.Against, f.against[i])
			}
		}
		if one.Format == "" {
			one.Readings = f.reading.readings(one.Type)
		}
		all = append(all, one)
	}
	return all
}

// AppendJSON appends the Table Schema that was found, as JSON that people can edit. The key
// "inferred" of a field, which checks pass over, says what the type was found by. It holds how many
// values there are and are missing. For each type that comes before it, it holds the first value
// that is none of that type.
func (in *Inference) AppendJSON(dst []byte) []byte {
	dst = append(dst, "{\n  \"fields\": ["...)
	for i, f := range in.Fields() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = records.AppendJSONText(append(dst, "\n    {\"name\": "...), f.Name)
		dst = records.AppendJSONText(append(dst, ", \"type\": "...), f.Type)
		if f.Format != "" {
			dst = records.AppendJSONText(append(dst, ", \"format\": "...), f.Format)
		}
		dst = append(f.appendReasons(append(dst, ",\n     \"inferred\": {"...)), "}}"...)
	}
	return append(dst, "\n  ],\n  \"missingValues\": [\"\"]\n}\n"...)
}

func (f *InferredField) appendReasons(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, "\"values\": "...), f.Values, 10)
	dst = strconv.AppendInt(append(dst, ", \"missing\": "...), f.Missing, 10)
	dst = appendReadings(dst, f.Readings)
	if len(f.Against) == 0 {
		return dst
	}
	dst = append(dst, ", \"against\": ["...)
	for i, c := range f.Against {
		if slices.ContainsFunc(f.Against[:i], c.sameValue) {
			continue
		}
		if i > 0 {
			dst = append(dst, ", "...)
		}
		dst = append(dst, "{\"types\": ["...)
		for k, other := range f.Against[i:] {
			if c.sameValue(other) {
				if k > 0 {
					dst = append(dst, ", "...)
				}
				dst = records.AppendJSONText(dst, other.Type)
			}
		}
		dst = records.AppendJSONText(append(dst, "], \"value\": "...), c.Value)
		if c.Line > 0 {
			dst = strconv.AppendInt(append(dst, ", \"line\": "...), c.Line, 10)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// sameValue says that one value speaks against both types.
func (c Counterexample) sameValue(other Counterexample) bool {
	return c.Value == other.Value && c.Line == other.Line
}
