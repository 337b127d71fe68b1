package extract

import (
	"slices"
	"strings"
)

// cellKind is what the text of a cell looks like. It decides which row is the header and
// which delimiter is meant; the values stay texts.
type cellKind uint8

const (
	empty cellKind = iota
	plainText
	number
	date
	address
)

// cellKinds are the kinds of the cells of a row. They are found once.
func (r *row) cellKinds() []cellKind {
	if len(r.looks) != len(r.texts) {
		r.looks = slices.Grow(r.looks[:0], len(r.texts))
		for _, text := range r.texts {
			r.looks = append(r.looks, kindOf(text))
		}
	}
	return r.looks
}

// kindOf is the kind of one cell.
func kindOf(text string) cellKind {
	text = strings.TrimSpace(text)
	if text == "" || isMissing(text) {
		return empty
	}
	n := countSigns(text)
	switch {
	case n.digits > 0 && n.others == 0 && n.dates == 0 && n.separators <= n.digits+1:
		return number
	case n.digits >= 3 && n.others == 0 && n.dates > 0 && n.dates <= 6:
		return date
	case n.others > 3 && isAddress(text):
		return address
	}
	return plainText
}

// signs are how many signs of each sort a text has. dates are those that stand in dates and times alone.
type signs struct{ digits, separators, dates, others int }

// countSigns counts the signs of a text.
func countSigns(text string) (n signs) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			n.digits++
		case c >= 0x80 && i > 0 && isUnit(text, i): // the rest of the sign
		case c == '.' || c == ',' || c == '\'' || c == ' ', isUnit(text, i):
			n.separators++
		case c == '/' || c == ':', (c == '-' || c == '+') && i > 0:
			n.dates++
		case c == '-' || c == '+':
		case (c == 'e' || c == 'E') && n.digits > 0 && i+1 < len(text): // an exponent
		case (c == 'T' || c == 'Z') && n.digits >= 4:
		default:
			n.others++
		}
	}
	return n
}

// isUnit says that the i-th byte of a text is one of a sign that stands before or behind a number.
func isUnit(text string, i int) bool {
	c := text[i]
	return c == '%' && i == len(text)-1 || c == '$' || c >= 0x80 && i < 4 && strings.HasPrefix(text, "€")
}

// isAddress says that a text is an IRI, or an address of e-mail.
func isAddress(text string) bool {
	return strings.Contains(text, "://") || strings.Count(text, "@") == 1 && strings.Contains(text, ".") && !strings.Contains(text, " ")
}

// isMissing says that a cell has a word or sign for a value that is not there.
func isMissing(text string) bool {
	if len(text) > len("unknown") {
		return false
	}
	switch strings.ToLower(text) {
	case "-", "--", "?", ".", "..", "...", "na", "n/a", "nan", "null", "none", "nil", "unknown", "n.a.", "#n/a", "\\n", "–", "—":
		return true
	}
	return false
}
