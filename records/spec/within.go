package spec

import (
	"strings"
	"unicode/utf8"
)

// Within is a node at a place inside a text: line from 1 and column from 0, in characters,
// of the text's own. It is the place in the file where the text can be found there as it
// is. Else, after an escape or in a folded text, it is the node's own place.
func (n *Node) Within(line, column int) *Node {
	at := *n
	lines := strings.Split(n.Text, "\n")
	if n.Kind != Text || line < 1 || line > len(lines) {
		return &at
	}
	before := firstRunes(lines[line-1], column)
	source := strings.Split(n.source, "\n")
	if line == 1 && strings.HasPrefix(from(source[0], n.Column-1), before) && before != "" {
		at.Column = n.Column + column
		return &at
	}
	if quoted := from(source[0], n.Column-1); line == 1 && quoted != "" && (quoted[0] == '"' || quoted[0] == '\'') {
		if strings.HasPrefix(quoted[1:], before) {
			at.Column = n.Column + 1 + column
		}
		return &at
	}
	if !strings.HasPrefix(from(source[0], n.Column-1), "|") {
		return &at
	}
	// A literal block: its lines follow, indented as its first line that is not blank.
	indent := -1
	for i := 1; i < len(source) && indent < 0; i++ {
		if rest := strings.TrimLeft(source[i], " "); rest != "" && rest != "\r" {
			indent = len(source[i]) - len(rest)
		}
	}
	if indent >= 0 && line < len(source) && strings.HasPrefix(from(source[line], indent), before) {
		at.Line, at.Column = n.Line+line, indent+1+column
	}
	return &at
}

// firstRunes is the first n characters of s, from the n+1-th what follows is cut.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// from is s without its first n characters.
func from(s string, n int) string {
	for ; n > 0 && s != ""; n-- {
		_, size := utf8.DecodeRuneInString(s)
		s = s[size:]
	}
	return s
}

// locate gives each text the source of its line and what follows, for Within.
func (n *Node) locate(text string, starts []int) {
	if n.Kind == Text && n.Line >= 1 && n.Line <= len(starts) {
		n.source = text[starts[n.Line-1]:]
		if end := n.Line + strings.Count(n.Text, "\n") + 1; end < len(starts) {
			n.source = text[starts[n.Line-1]:starts[end]]
		}
	}
	for _, i := range n.Items {
		i.locate(text, starts)
	}
	for _, e := range n.Entries {
		e.Value.locate(text, starts)
	}
}

// lineStarts are the offsets at which the lines of a text begin.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}
