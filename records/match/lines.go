package match

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"laundromat/internal/fault"
)

// lines finds the line and the column of an offset in a text, in any order.
type lines struct {
	text   string
	starts []int // of lines; made when first asked
	runes  []int // how many characters begin before each block
}

const runeBlock = 1 << 10

func (l *lines) index() {
	l.starts = append(l.starts, 0)
	for i := 0; i < len(l.text); i++ {
		switch l.text[i] {
		case '\n':
			l.starts = append(l.starts, i+1)
		case '\r':
			if i+1 < len(l.text) && l.text[i+1] == '\n' {
				i++
			}
			l.starts = append(l.starts, i+1)
		}
	}
	for i, n := 0, 0; i <= len(l.text); i += runeBlock {
		l.runes = append(l.runes, n)
		for _, b := range []byte(l.text[i:min(len(l.text), i+runeBlock)]) {
			if utf8.RuneStart(b) {
				n++
			}
		}
	}
}

// at is the place of an offset.
func (l *lines) at(offset int) fault.Pos {
	if l.starts == nil {
		l.index()
	}
	offset = max(0, min(offset, len(l.text)))
	line := sort.SearchInts(l.starts, offset+1) - 1
	return fault.Pos{Line: int64(line + 1), Column: int64(l.before(offset)-l.before(l.starts[line])) + 1, Offset: int64(offset)}
}

// before is how many characters begin before an offset.
func (l *lines) before(offset int) int {
	block := offset / runeBlock
	n := l.runes[block]
	for _, b := range []byte(l.text[block*runeBlock : offset]) {
		if utf8.RuneStart(b) {
			n++
		}
	}
	return n
}

// skipMarkup is the first place from an offset on that is neither white space nor markup:
// where the text of an element begins.
func skipMarkup(text string, from, to int) int {
	for i := from; i < to; {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			i++
		case hasPrefix(text, i, "<!--"):
			end := bytes.Index([]byte(text[i:to]), []byte("-->"))
			if end < 0 {
				return from
			}
			i += end + 3
		case hasPrefix(text, i, "<![CDATA["):
			i += len("<![CDATA[")
		case c == '<':
			i = tagEnd(text, i, to)
		case hasPrefix(text, i, "&nbsp;"):
			i += len("&nbsp;")
		case c == 0xC2 && i+1 < to && text[i+1] == 0xA0:
			i += 2
		default:
			return i
		}
	}
	return from
}

func hasPrefix(text string, i int, prefix string) bool {
	return len(text)-i >= len(prefix) && text[i:i+len(prefix)] == prefix
}

// tagEnd is the offset behind a tag.
func tagEnd(text string, i, to int) int {
	quote := byte(0)
	for ; i < to; i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && i > 0 && (text[i-1] == '=' || text[i-1] == ' '):
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return to
}

// attrPlace is where the value of an attribute begins in a start tag at [from, to).
func attrPlace(text string, from, to int, name string) int {
	i := from + 1
	for i < to && text[i] > ' ' && text[i] != '/' && text[i] != '>' {
		i++
	}
	for i < to {
		for i < to && (text[i] <= ' ' || text[i] == '/') {
			i++
		}
		at := i
		for i < to && text[i] > ' ' && text[i] != '=' && text[i] != '>' && (text[i] != '/' || i == at) {
			i++
		}
		if i == at {
			break
		}
		key := text[at:i]
		for i < to && text[i] <= ' ' {
			i++
		}
		value := at
		if i < to && text[i] == '=' {
			i++
			for i < to && text[i] <= ' ' {
				i++
			}
			value = i
			if i < to && (text[i] == '"' || text[i] == '\'') {
				quote := text[i]
				value = i + 1
				for i++; i < to && text[i] != quote; i++ {
				}
				i++
			} else {
				for i < to && text[i] > ' ' && text[i] != '>' {
					i++
				}
			}
		}
		if len(key) == len(name) && equalFold(key, name) {
			return value
		}
	}
	return from
}
