package dump

import (
	"bytes"
	"fmt"
	"strconv"

	"laundromat/records"
)

// originalLine is a line of a file of originals.
type originalLine struct {
	row         int64
	value       records.Value
	field, rule string // those of the line before are used again
}

// read reads a line; false for the last, which names the table.
func (o *originalLine) read(line []byte) (ok bool, err error) {
	if o.quick(line) {
		return true, nil
	}
	v, err := ReadJSON(line)
	if err != nil {
		return false, err
	}
	number, ok := v.Get("row")
	if !ok {
		return false, nil
	}
	if _, err := fmt.Sscan(number.Text, &o.row); err != nil {
		return false, err
	}
	field, _ := v.Get("field")
	rule, _ := v.Get("rule")
	o.value, _ = v.Get("value")
	o.field, o.rule = field.Text, rule.Text
	return true, nil
}

// quick reads a line that is written as originals writes it, of a text or number without escapes. It says false of
// any other, which is read as JSON.
func (o *originalLine) quick(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"row":`))
	end := bytes.IndexByte(rest, ',')
	if !ok || end < 1 || end > 18 {
		return false
	}
	row, err := strconv.ParseInt(string(rest[:end]), 10, 64)
	if err != nil {
		return false
	}
	field, rest, ok := plainMember(rest[end:], `,"field":"`)
	if !ok {
		return false
	}
	value, after, isText := plainMember(rest, `,"value":"`)
	if !isText {
		if value, ok = bytes.CutPrefix(rest, []byte(`,"value":`)); !ok {
			return false
		}
		if end = bytes.IndexByte(value, ','); end < 1 {
			return false
		}
		value, after = value[:end], value[end:]
	}
	rule, rest, ok := plainMember(after, `,"rule":"`)
	if !ok || string(rest) != "}" {
		return false
	}
	if isText {
		o.value = records.TextOf(string(value))
	} else if o.value = records.NumberOf(string(value)); !records.IsNumber(o.value.Text) {
		return false
	}
	o.row = row
	if string(field) != o.field {
		o.field = string(field)
	}
	if string(rule) != o.rule {
		o.rule = string(rule)
	}
	return true
}

// plainMember takes a member with a text in which nothing is escaped.
func plainMember(b []byte, start string) (text, rest []byte, ok bool) {
	if rest, ok = bytes.CutPrefix(b, []byte(start)); !ok {
		return nil, nil, false
	}
	end := bytes.IndexByte(rest, '"')
	if end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 {
		return nil, nil, false
	}
	for _, c := range rest[:end] {
		if c < ' ' { // no JSON: the other way tells
			return nil, nil, false
		}
	}
	return rest[:end], rest[end+1:], true
}
