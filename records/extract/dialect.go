package extract

import (
	"bytes"
	"fmt"
	"strings"
)

// form is how the cells of a row stand in its line.
type form uint8

const (
	delimited form = iota // a delimiter between them
	padded                // a delimiter and a space between them
	printed               // a delimiter between them and around them, as programs print tables: | a | b |
	aligned               // each at its own columns of characters
)

// dialect is how a table is written as text.
type dialect struct {
	form      form
	delimiter byte // 0: a row has one cell
	quote     byte // 0: there is none
	escape    byte // 0: a quotation mark is doubled
	comment   string
	// hash says that a line which begins with # and has not as many delimiters as a row is a
	// comment.
	hash bool
	// edges are the columns of characters, from 0, at which the cells of an aligned table begin, the first at 0.
	edges []int
}

func (d *dialect) isComment(line []byte, want int) bool {
	if d.form == printed && isDivider(string(line)) {
		return true
	}
	if d.comment != "" {
		return len(line) >= len(d.comment) && string(line[:len(d.comment)]) == d.comment
	}
	return d.hash && len(line) > 0 && line[0] == '#' && (want < 2 || bytes.Count(line, []byte{d.delimiter}) != want-1)
}

// sparesCommas says that a comma in a number is part of that number: those who write such numbers cut their tables
// by these delimiters.
func (d *dialect) sparesCommas() bool {
	return d.form == delimited && (d.delimiter == ';' || d.delimiter == '\t' || d.delimiter == '|')
}

// unescape is the text of a cell whose marks are doubled or escaped. Of what an escape may
// be before, it is taken away only before marks, delimiters and itself.
func (d *dialect) unescape(text string, quoted bool) string {
	if d.escape == 0 {
		double := string([]byte{d.quote, d.quote})
		return strings.ReplaceAll(text, double, double[:1])
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if i+1 < len(text) {
			next := text[i+1]
			if c == d.escape && (next == d.quote || next == d.escape || next == d.delimiter || next == '\n') ||
				quoted && c == d.quote && next == d.quote {
				c = next
				i++
			}
		}
		b.WriteByte(c)
	}
	return b.String()
}

// String says what the dialect is.
func (d *dialect) String() string {
	text := "fields are apart by " + delimiterName(d.delimiter)
	switch {
	case d.form == aligned:
		return fmt.Sprintf("fields begin at %d columns of characters", len(d.edges))
	case d.delimiter == 0:
		text = "a row has one field"
	case d.form == padded:
		text += " and a space"
	case d.form == printed:
		text += ", as a program prints tables; the lines of dashes are passed over"
	}
	switch {
	case d.quote == 0:
		text += ", without quotation marks"
	case d.escape != 0:
		text += fmt.Sprintf(", quoted by %c, which %c escapes", d.quote, d.escape)
	default:
		text += fmt.Sprintf(", quoted by %c, which is doubled", d.quote)
	}
	return text
}

func delimiterName(delimiter byte) string {
	if delimiter == 0 {
		return "no delimiter"
	}
	for _, c := range candidates {
		if c.delimiter == delimiter {
			return c.name
		}
	}
	return fmt.Sprintf("%q", rune(delimiter))
}

// isDivider says that a line is one of dashes, as those between the header and the rows of a printed table.
func isDivider(line string) bool {
	dashes := 0
	for i := range len(line) {
		switch line[i] {
		case '-', '=', '_':
			dashes++
		case '+', '|', ':', ' ', '\t', ',', ';':
		default:
			return false
		}
	}
	return dashes > 1
}
