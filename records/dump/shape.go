package dump

import (
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/records"
)

// A shape is how the values of a column are stored in a format with types.
type shape uint8

const (
	shapeText shape = iota
	shapeInteger
	shapeNumber
	shapeBoolean
	shapeDate
	shapeTime // a date with a time, in UTC
	shapeJSON // values of several kinds, lists and objects
)

// declaredShapes are the shapes of the types of Table Schema. Those that are missing have no
// shape of their own: what is in the column decides.
var declaredShapes = map[string]shape{"string": shapeText, "integer": shapeInteger, "year": shapeInteger,
	"number": shapeNumber, "boolean": shapeBoolean, "date": shapeDate, "datetime": shapeTime}

// fits says that a value can be stored in the shape of a declared type.
func fits(declared string, v *cell) bool {
	s, shaped := declaredShapes[declared]
	if !shaped {
		return true
	}
	switch s {
	case shapeText:
		return v.kind == text
	case shapeInteger:
		return (v.kind == number || v.kind == text) && isInteger(v.text)
	case shapeNumber:
		return v.kind == number && isExact(v.text) || v.kind == text && records.IsNumber(v.text) && isExact(v.text)
	case shapeBoolean:
		return v.kind == boolean || v.kind == text && (v.text == "true" || v.text == "false")
	case shapeDate:
		_, ok := dayOf(v.text)
		return v.kind == text && ok
	}
	_, ok := microsOf(v.text)
	return v.kind == text && ok
}

// decide chooses the shape of each column by what is in it.
func (t *table) decide() {
	if len(t.columns) == 0 && (t.rows > 0 || t.traits.typed) {
		t.add("column_1") // a table has a column, also one of records without fields
	}
	for _, c := range t.columns {
		c.shape = c.decided()
		if c.shape == shapeText && c.kinds&^null.set() == number.set() && t.traits.typed && !c.toldNumber {
			c.toldNumber = true
			t.notices(fault.Notice{Code: fault.DumpNumber, Severity: fault.Note, Field: c.name,
				Message: "the column has numbers with parts and large whole numbers, which no type holds both; it is written as text"})
		}
	}
}

func (c *column) decided() shape {
	if s, shaped := declaredShapes[c.declared]; shaped && !c.misfit {
		return s
	}
	if c.declared == "string" && c.kinds&(list.set()|object.set()) == 0 {
		return shapeText
	}
	switch c.kinds &^ null.set() {
	case 0, text.set():
		return shapeText
	case boolean.set():
		return shapeBoolean
	case number.set():
		switch {
		case c.integers:
			return shapeInteger
		case c.exact:
			return shapeNumber
		}
		return shapeText // all its digits
	}
	return shapeJSON
}

// textOnly says that no column is declared as anything but text, so that columns that are
// fixed need no look at what is in them.
func textOnly(columns []Column) bool {
	for _, c := range columns {
		if s, shaped := declaredShapes[c.Type]; shaped && s != shapeText {
			return false
		}
	}
	return true
}

// schemaType is the type of a column for Table Schema.
func (c *column) schemaType() string {
	if c.declared != "" && !c.misfit {
		return c.declared
	}
	switch c.decided() {
	case shapeInteger:
		return "integer"
	case shapeNumber:
		return "number"
	case shapeBoolean:
		return "boolean"
	case shapeJSON:
		switch c.kinds &^ null.set() {
		case list.set():
			return "array"
		case object.set():
			return "object"
		}
		return "any"
	}
	if c.kinds&number.set() != 0 {
		return "number"
	}
	return "string"
}

// isInteger says that s is a whole number without needless zeros that 64 bits hold.
func isInteger(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 19 || digits[0] == '0' && s != "0" {
		return false
	}
	for i := range len(digits) {
		if digits[i] < '0' || '9' < digits[i] {
			return false
		}
	}
	if len(digits) < 19 {
		return true
	}
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// isExact says that the number is found again, digit for digit, from the nearest double.
func isExact(s string) bool {
	digits, exponent := 0, false
	for i := range len(s) {
		switch b := s[i]; {
		case '0' <= b && b <= '9':
			digits++
		case b == 'e' || b == 'E':
			exponent = true
		}
	}
	if digits <= 15 && !exponent {
		return true // IEEE 754 binary64 holds 15 digits
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return false
	}
	mantissa, power := significant(s)
	m, p := significant(strconv.FormatFloat(f, 'e', -1, 64))
	return mantissa == m && (power == p || m == "")
}

// fitsSheet says that a number has no more than the 15 digits that spreadsheets keep.
func fitsSheet(s string) bool {
	if len(s) <= 15 && !strings.ContainsAny(s, "eE") {
		return true
	}
	digits, _ := significant(s)
	return len(strings.TrimPrefix(digits, "-")) <= 15 && isExact(s)
}

// significant is a number as its significant digits and the power of ten of the first of them.
func significant(s string) (digits string, power int) {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	s, e, _ := strings.Cut(strings.ToLower(s), "e")
	power, _ = strconv.Atoi(e)
	whole, fraction, _ := strings.Cut(s, ".")
	power += len(whole) - 1
	digits = whole + fraction
	trimmed := strings.TrimLeft(digits, "0")
	power -= len(digits) - len(trimmed)
	if trimmed = strings.TrimRight(trimmed, "0"); trimmed == "" {
		return "", 0
	}
	return sign + trimmed, power
}

const secondsPerDay = 24 * 60 * 60

// dayOf is a date (YYYY-MM-DD) as the days since 1970-01-01.
func dayOf(s string) (int32, bool) {
	if len(s) != len(time.DateOnly) {
		return 0, false
	}
	t, err := time.Parse(time.DateOnly, s)
	seconds := t.Unix()
	if seconds < 0 {
		seconds -= secondsPerDay - 1
	}
	return int32(seconds / secondsPerDay), err == nil
}

// microsOf is a date with a time in UTC (YYYY-MM-DDThh:mm:ss, up to six digits of a
// second, Z) as the microseconds since 1970.
func microsOf(s string) (int64, bool) {
	if len(s) < len("2006-01-02T15:04:05Z") || len(s) > len("2006-01-02T15:04:05.999999Z") || s[10] != 'T' || s[len(s)-1] != 'Z' {
		return 0, false
	}
	t, err := time.Parse("2006-01-02T15:04:05Z", s)
	return t.UnixMicro(), err == nil && t.Year() > 0 && !strings.ContainsRune(s, ',')
}
