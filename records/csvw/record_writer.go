package csvw

import (
	"net/url"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/records"
)

// record makes a record of the row at hand.
func (w *rowWriter) record(r *row) error {
	rec := records.Record{Pos: r.pos}
	for i, c := range w.columns {
		at := fault.Pos{}
		if i < len(r.places) && !c.Virtual {
			at = r.places[i]
		}
		if v := &w.cells[i]; v.null && c.Virtual && c.byDefault != "" {
			w.parse(v, c, c.byDefault, r.pos)
		}
		if value, ok := w.cells[i].record(); ok {
			rec.Fields = append(rec.Fields, records.Field{Name: fieldName(c.Name), Value: value, Pos: at})
		}
	}
	if err := w.c.opt.Records.Record(&rec); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// fieldName is the name of a column as a field has it, which need not be that of an IRI.
func fieldName(name string) string {
	if plain, err := url.PathUnescape(name); err == nil {
		return plain
	}
	return name
}

// record is what a cell says, as a value of a record; false where it says nothing.
func (c *cell) record() (v records.Value, ok bool) {
	switch {
	case c.null:
		return v, false
	case !c.isList:
		if len(c.values) == 0 {
			return v, false
		}
		return c.values[0].record(), true
	}
	v.Kind = records.List
	for i := range c.values {
		v.Items = append(v.Items, c.values[i].record())
	}
	return v, true
}

// record is a number or a boolean where the datatype is such, and else a text.
func (v *value) record() records.Value {
	name, isXSD := strings.CutPrefix(v.datatype, rdf.XSD)
	if !isXSD {
		return records.TextOf(v.lexical)
	}
	if name == "boolean" {
		return records.BoolOf(v.lexical == "true" || v.lexical == "1")
	}
	if is := builtIns[name]; is == nil || is.family != numeric {
		return records.TextOf(v.lexical)
	}
	if number, ok := jsonNumber(v.lexical); ok {
		return records.NumberOf(number)
	}
	return records.TextOf(v.lexical) // INF and NaN are no numbers of JSON
}

// jsonNumber is a lexical form of XSD as JSON writes a number, with all its digits.
func jsonNumber(lexical string) (string, bool) {
	sign, digits := "", strings.TrimPrefix(lexical, "+")
	if rest, isNegative := strings.CutPrefix(digits, "-"); isNegative {
		sign, digits = "-", rest
	}
	mantissa, exponent := digits, ""
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		mantissa, exponent = digits[:i], digits[i:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if strings.Trim(whole+fraction, "0123456789") != "" {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent, true
}
