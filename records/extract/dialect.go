package extract

import (
	"bytes"
	"strings"
)

// dialect is how a table is written as text.
type dialect struct {
	delimiter byte
	quote     byte // 0: there is none
	escape    byte // 0: a quotation mark is doubled
	comment   string
	// hash says that a line which begins with # and has not as many delimiters as a row is a
	// comment.
	hash bool
}

func (d *dialect) isComment(line []byte, want int) bool {
	if d.comment != "" {
		return len(line) >= len(d.comment) && string(line[:len(d.comment)]) == d.comment
	}
	return d.hash && len(line) > 0 && line[0] == '#' && (want < 2 || bytes.Count(line, []byte{d.delimiter}) != want-1)
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
