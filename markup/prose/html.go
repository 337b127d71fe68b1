package prose

import (
	"bytes"
	"html"
)

// findEntity finds a character reference that HTML knows, with its semicolon.
func findEntity(text []byte) string {
	for rest := text; ; {
		i := bytes.IndexByte(rest, '&')
		if i < 0 {
			return ""
		}
		rest = rest[i:]
		end := 1
		if end < len(rest) && rest[end] == '#' {
			end++
		}
		for end < len(rest) && end < 33 && isWordByte(rest[end]) {
			end++
		}
		if end >= 3 && end < len(rest) && rest[end] == ';' {
			if reference := string(rest[:end+1]); html.UnescapeString(reference) != reference {
				return reference
			}
		}
		rest = rest[1:]
	}
}

func isWordByte(b byte) bool {
	return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}

// elements are those of HTML that are in running text; void ones have no end tag.
var elements = map[string]bool{
	"a": true, "abbr": true, "b": true, "big": true, "blockquote": true, "center": true, "cite": true, "code": true, "dd": true,
	"div": true, "dl": true, "dt": true, "em": true, "font": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true,
	"h6": true, "i": true, "iframe": true, "li": true, "ol": true, "p": true, "pre": true, "s": true, "script": true, "small": true,
	"span": true, "strong": true, "sub": true, "sup": true, "table": true, "tbody": true, "td": true, "th": true, "thead": true,
	"tr": true, "tt": true, "u": true, "ul": true,
}

var voids = map[string]bool{"br": true, "hr": true, "img": true}

// findTag finds a tag of HTML: an end tag, a void element, or a start tag with
// attributes. A start tag alone may be anything: <p> is a placeholder in many texts.
func findTag(text []byte) string {
	for rest := text; ; {
		i := bytes.IndexByte(rest, '<')
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
		end := bytes.IndexByte(rest[:min(len(rest), 500)], '>')
		if end < 0 {
			continue
		}
		tag := rest[:end]
		isEnd := len(tag) > 0 && tag[0] == '/'
		if isEnd {
			tag = tag[1:]
		}
		n := 0
		for n < len(tag) && isWordByte(tag[n]) {
			n++
		}
		var kept [12]byte
		name := kept[:0]
		for _, b := range tag[:min(n, len(kept))] {
			if 'A' <= b && b <= 'Z' {
				b |= 0x20
			}
			name = append(name, b)
		}
		attributes := bytes.TrimSpace(bytes.TrimSuffix(tag[n:], []byte("/")))
		switch {
		case len(attributes) > 0 && (isEnd || tag[n] != ' ' || !bytes.Contains(attributes, []byte("=\"")) &&
			!bytes.Contains(attributes, []byte("='"))):
			continue
		case isEnd && elements[string(name)], voids[string(name)], len(attributes) > 0 && elements[string(name)]:
			return "<" + string(rest[:end+1])
		}
	}
}
