package database

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"laundromat/internal/prefix"
	"laundromat/records"
	"laundromat/records/schema"
)

// columnType is what a column holds.
type columnType string

const (
	textColumn    columnType = "text"
	numberColumn  columnType = "number"
	booleanColumn columnType = "boolean"
)

// typeOf is the column of a type of Table Schema. Dates are texts: years before 1 and times without a zone are, too.
func typeOf(declared string) columnType {
	switch declared {
	case "integer", "number", "year":
		return numberColumn
	case "boolean":
		return booleanColumn
	}
	return textColumn
}

// column is one of a table.
type column struct {
	at          int // among those of the table
	field, name string
	holds       columnType
}

// cell is a value as the column holds it; nil for null. fits is false where it would not be the same there.
func (c *column) cell(v *records.Value) (cell any, fits bool) {
	switch {
	case v == nil || v.Kind == records.Null:
		return nil, true
	case c.holds == numberColumn:
		if v.Kind != records.Number {
			return nil, false
		}
		return numberCell(v.Text)
	case c.holds == booleanColumn:
		return v.Text == "true", v.Kind == records.Bool
	}
	return textOf(v), true
}

// numberCell is a number that every database holds as it is: a whole one of 64 bits, or a double.
func numberCell(text string) (cell any, fits bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, false
	}
	return f, schema.IsSameNumber(text, strconv.FormatFloat(f, 'g', -1, 64))
}

// textOf is a value as text: of a list or an object, its JSON.
func textOf(v *records.Value) string {
	if v.Kind == records.List || v.Kind == records.Object {
		return string(v.AppendJSON(nil))
	}
	return v.Text
}

// sound is a text that every database holds, and whether it was one.
func sound(text string) (string, bool) {
	if utf8.ValidString(text) && !strings.Contains(text, "\x00") {
		return text, true
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD"), false
}

// freeName is a name for a column that differs from the others for every database: in more than capital letters, and
// within 63 bytes.
func freeName(field string, isTaken func(lower string) bool) string {
	base, _ := sound(field)
	if base == "" {
		base = "field"
	}
	name := prefix.Of(base, mostName)
	for n := 2; isTaken(strings.ToLower(name)); n++ {
		suffix := "_" + strconv.Itoa(n)
		name = prefix.Of(base, mostName-len(suffix)) + suffix
	}
	return name
}
