package format

import (
	"bytes"

	"laundromat/internal/pattern"
	"laundromat/markup/jsontext"
)

// wrappedBytes is how far a value of JSON may begin after what a program or an editor has put around it.
const wrappedBytes = 4 << 10

// wrapping finds what ends with the sign or word after which programs write a value, or is a fence of Markdown.
var wrapping = pattern.New("(?:[(=;,'&*/>!]|\\b(?:return|default)|<!--|CDATA\\[|(?:^|\n)(?:```|~~~)[\\w-]*)\\s*$")

// lookWrapped knows JSON-LD and RDF/JSON around which there is what is no JSON and holds no statement.
// That is marks that can't be seen, a call of a function, an assignment, or a fence. Without a hint
// more than a line before it, or three after it, are a program or a text of its own.
func lookWrapped(in []byte, whole bool, hint Format) verdict {
	at := skipStray(in)
	if at == 0 || at >= len(in) || in[at] != '{' && in[at] != '[' {
		return verdict{}
	}
	before := bytes.TrimFunc(in[:at], isUnseen)
	hinted := hint == JSONLD || hint == RDFJSON
	// a page, or XML
	if bytes.IndexByte(before, '<') >= 0 && hasTag(before) && (!hinted || bytes.Contains(before, []byte("<script"))) {
		return verdict{}
	}
	if !hinted && len(before) > 0 && (bytes.Count(before, []byte("\n")) > 1 || !wrapping.Match(before) || !endsWrapped(in[at:])) {
		return verdict{}
	}
	v := lookJSON(unfilled(in[at:]), whole, hint)
	if v.certain *= 0.95; v.format == "" {
		return verdict{}
	}
	return v
}

func isUnseen(r rune) bool {
	return r == ' ' || r == '\t' || r == '\n' || r == '\r' || jsontext.Unseen([]byte(string(r))) > 0
}

// hasTag says that a tag of HTML, or of XML, is in text.
func hasTag(text []byte) bool {
	for at := bytes.IndexByte(text, '<'); at >= 0; at = bytes.IndexByte(text, '<') {
		text = text[at:]
		if jsontext.Tag(text) > 0 {
			return true
		}
		text = text[1:]
	}
	return false
}

// skipStray is where the first value may begin after what is no JSON; 0 if there is none near.
func skipStray(in []byte) (at int) {
	in = in[:min(len(in), wrappedBytes)]
	for at < len(in) {
		if end := skipJSON(in, at); end > at {
			at = end
			continue
		}
		if in[at] == '{' || in[at] == '[' {
			return at
		}
		if n := jsontext.Unseen(in[at:]); n > 0 {
			at += n
			continue
		}
		line, _, found := bytes.Cut(in[at:], []byte("\n"))
		n := jsontext.Stray(bytes.TrimRight(line, "\r"), found || len(in) < wrappedBytes)
		if n == 0 {
			return 0
		}
		at += n
	}
	return 0
}

// endsWrapped says that only a few lines without words, or further values, follow the value with which
// text begins, as far as that is seen.
func endsWrapped(in []byte) bool {
	depth, at := 0, 0
	for ; at < len(in); at++ {
		switch in[at] {
		case '"':
			for at++; at < len(in) && in[at] != '"'; at++ {
				if in[at] == '\\' {
					at++
				}
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return endsSoon(in[at+1:])
			}
		}
	}
	return true
}

func endsSoon(in []byte) bool {
	lines := 0
	for line := range bytes.Lines(in) {
		line = bytes.TrimFunc(line, isUnseen)
		if len(line) == 0 {
			continue
		}
		if lines++; line[0] == '{' || line[0] == '[' {
			return true
		}
		sign := bytes.IndexByte([]byte(",}]"), line[0]) >= 0
		if lines > 3 || !sign && skipJSON(line, 0) == 0 && jsontext.StrayMarks(line, true) == 0 {
			return false
		}
	}
	return true
}

// unfilled is text in JSON with blanks in the place of what is between its tokens and says nothing.
func unfilled(in []byte) []byte {
	out := in
	blank := func(from, to int) {
		if &out[0] == &in[0] {
			out = bytes.Clone(in)
		}
		for i := from; i < to; i++ {
			out[i] = ' '
		}
	}
	for at := 0; at < len(in); {
		switch b := in[at]; {
		case b == '"':
			for at++; at < len(in) && in[at] != '"'; at++ {
				if in[at] == '\\' {
					at++
				}
			}
			at++
		case b == '/' || b == '\\' || b == '<' || b < ' ' || b >= 0x7F:
			n := max(skipJSON(in, at)-at, jsontext.Unseen(in[at:]), jsontext.Backslash(in[at:], true), jsontext.Tag(in[at:]))
			if n > 0 && b != '\n' && b != '\r' && b != '\t' {
				blank(at, at+n)
			}
			at += max(1, n)
		default:
			at++
		}
	}
	return out
}
