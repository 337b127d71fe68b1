package match

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sort"

	"laundromat/internal/fault"
)

// lines finds the line and the column of an offset in a text, in any order.
type lines struct {
	text   []byte
	starts []int // of lines; made when first asked
	runes  []int // how many characters begin before each block
}

const runeBlock = 1 << 10

func (l *lines) index() {
	l.starts = append(l.starts, 0)
	for i := 0; i < len(l.text); i++ {
		next := bytes.IndexByte(l.text[i:], '\n')
		end := len(l.text)
		if next >= 0 {
			end = i + next
		}
		// A line of LF may hold CRs, which end lines too, but for one right before it.
		for at := i; ; {
			cr := bytes.IndexByte(l.text[at:end], '\r')
			if cr < 0 || at+cr+1 == end && next >= 0 {
				break
			}
			at += cr + 1
			l.starts = append(l.starts, at)
		}
		if next < 0 {
			break
		}
		l.starts = append(l.starts, end+1)
		i = end
	}
	n := 0
	for i := 0; i <= len(l.text); i += runeBlock {
		l.runes = append(l.runes, n)
		n += beginnings(l.text[i:min(len(l.text), i+runeBlock)])
	}
}

// beginnings is how many characters begin in a text: its bytes but for those that go on with
// a character (10xxxxxx), eight at a time.
func beginnings(text []byte) int {
	n, i := len(text), 0
	for ; i+8 <= len(text); i += 8 {
		x := binary.LittleEndian.Uint64(text[i:])
		n -= bits.OnesCount64(x >> 7 & ^(x >> 6) & 0x0101010101010101)
	}
	for ; i < len(text); i++ {
		if text[i]&0xC0 == 0x80 {
			n--
		}
	}
	return n
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
	return l.runes[block] + beginnings(l.text[block*runeBlock:offset])
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
		key, value := text[at:i], at
		if i = behindSpace(text, i, to); i < to && text[i] == '=' {
			value, i = attrValue(text, i+1, to)
		}
		if len(key) == len(name) && equalFold(key, name) {
			return value
		}
	}
	return from
}

// attrValue is where the value of an attribute begins, its = being before from, and where the next may.
func attrValue(text string, from, to int) (value, end int) {
	i := behindSpace(text, from, to)
	if i < to && (text[i] == '"' || text[i] == '\'') {
		quote := text[i]
		for end = i + 1; end < to && text[end] != quote; end++ {
		}
		return i + 1, end + 1
	}
	for end = i; end < to && text[end] > ' ' && text[end] != '>'; end++ {
	}
	return i, end
}

// behindSpace is the first place from i on that is no white space.
func behindSpace(text string, i, to int) int {
	for i < to && text[i] <= ' ' {
		i++
	}
	return i
}
