package extract

import "strings"

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

// kindOf is the kind of one cell.
func kindOf(text string) cellKind {
	text = strings.TrimSpace(text)
	if text == "" || isMissing(text) {
		return empty
	}
	digits, others, separators := 0, 0, 0
	dates := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case '0' <= c && c <= '9':
			digits++
		case c == '.' || c == ',' || c == '\'' || c == ' ':
			separators++
		case c == '-' || c == '+':
			if i > 0 {
				dates++
			}
		case c == '%' && i == len(text)-1 || c == '$' || c >= 0x80 && i < 4 && strings.HasPrefix(text, "€"):
			separators++
		case c == 'e' || c == 'E':
			if digits == 0 || i+1 == len(text) {
				others++
			}
		case c == '/' || c == ':':
			dates++
		case c == 'T' || c == 'Z':
			if digits < 4 {
				others++
			}
		default:
			others++
		}
	}
	switch {
	case digits > 0 && others == 0 && dates == 0 && separators <= digits+1:
		return number
	case digits >= 3 && others == 0 && dates > 0 && dates <= 6:
		return date
	case others > 3 && (strings.Contains(text, "://") || strings.Count(text, "@") == 1 && strings.Contains(text, ".") && !strings.Contains(text, " ")):
		return address
	}
	return plainText
}

// isMissing says that a cell has a word or sign for a value that is not there.
func isMissing(text string) bool {
	switch strings.ToLower(text) {
	case "-", "--", "?", ".", "..", "...", "na", "n/a", "nan", "null", "none", "nil", "unknown", "n.a.", "#n/a", "\\n", "–", "—":
		return true
	}
	return false
}

// columnKind is the kind that nine of ten filled cells of a column have; else plainText.
func columnKind(rows []*row, column int) cellKind {
	var counts [address + 1]int
	filled := 0
	for _, r := range rows {
		if column >= len(r.texts) {
			continue
		}
		if k := kindOf(r.texts[column]); k != empty {
			counts[k]++
			filled++
		}
	}
	for k := number; k <= address; k++ {
		if filled > 0 && 10*counts[k] >= 9*filled {
			return k
		}
	}
	return plainText
}
