package main

import (
	"regexp"
	"strings"
)

var (
	xmlAside     = regexp.MustCompile(`^(?:<!--(?s:.*?)-->|<\?(?s:.*?)\?>|<!DOCTYPE[^\[>]*(?:\[(?s:.*?)\]\s*)?>)`)
	xmlName      = regexp.MustCompile(`^</?[\pL_][\pL\pN_.:-]*`)
	xmlAttribute = regexp.MustCompile(`^\s+[\pL_][\pL\pN_.:-]*\s*=\s*(?:"[^"]*"|'[^']*')`)
	xmlTagEnd    = regexp.MustCompile(`^\s*/?>`)
)

// scanXML cuts RDF/XML into pieces. Each child of the root is a block.
func scanXML(d *document, text string) bool {
	depth, blocks := 0, 0
	for len(text) > 0 {
		d.block = 0
		if depth > 1 {
			d.block = blocks
		}
		switch {
		case strings.HasPrefix(text, "<![CDATA["):
			return false
		case xmlAside.MatchString(text):
			aside := xmlAside.FindString(text)
			d.add(space, noRole, aside)
			text = text[len(aside):]
		case strings.HasPrefix(text, "</"):
			end := strings.IndexByte(text, '>')
			if depth--; depth < 0 || end < 0 {
				return false
			}
			if depth == 0 {
				d.block = 0
			}
			k := endTag
			if d.block == 0 {
				k = head
			}
			d.add(k, noRole, text[:end+1])
			text = text[end+1:]
		case text[0] == '<':
			if depth == 1 {
				blocks++
			}
			d.block = blocks
			if depth == 0 {
				d.block = 0
			}
			n, open, ok := d.scanTag(text)
			if !ok {
				return false
			}
			if text = text[n:]; open {
				depth++
			}
		default:
			end := strings.IndexByte(text, '<')
			if end < 0 {
				end = len(text)
			}
			k := content
			if strings.TrimSpace(text[:end]) == "" || d.block == 0 {
				k = space
			}
			d.add(k, noRole, text[:end])
			text = text[end:]
		}
	}
	return blocks > 0 && depth == 0
}

// scanTag adds the pieces of a start tag, and says how long it is and whether its element is open behind it.
func (d *document) scanTag(text string) (n int, open, ok bool) {
	begin := xmlName.FindString(text)
	if begin == "" {
		return 0, false, false
	}
	d.tag++
	defer func() { d.tag = 0 }()
	kinds := [3]kind{tagOpen, attribute, tagClose}
	if d.block == 0 { // the root
		kinds = [3]kind{declaration, declaration, declaration}
	}
	tag := d.tags() + 1
	d.tag = tag
	d.add(kinds[0], noRole, begin)
	for n = len(begin); ; {
		a := xmlAttribute.FindString(text[n:])
		if a == "" {
			break
		}
		// the makers of faults know attributes behind one space
		name := strings.TrimLeft(a, " \t\r\n")
		if before := len(a) - len(name) - 1; before > 0 {
			d.add(space, noRole, a[:before])
		}
		d.add(kinds[1], noRole, a[len(a)-len(name)-1:])
		n += len(a)
	}
	end := xmlTagEnd.FindString(text[n:])
	if end == "" {
		return 0, false, false
	}
	closing := strings.TrimLeft(end, " \t\r\n")
	if len(closing) < len(end) {
		d.add(space, noRole, end[:len(end)-len(closing)])
	}
	d.add(kinds[2], noRole, closing)
	return n + len(end), closing == ">", true
}

// tags is the number of the last tag so far.
func (d *document) tags() int {
	for i := len(d.pieces) - 1; i >= 0; i-- {
		if d.pieces[i].tag > 0 {
			return d.pieces[i].tag
		}
	}
	return 0
}

var (
	jsonString = regexp.MustCompile(`^"(?:[^"\\\n]|\\.)*"`)
	jsonNumber = regexp.MustCompile(`^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?`)
	jsonWord   = regexp.MustCompile(`^(?:true|false|null)`)
	jsonSpace  = regexp.MustCompile(`^[ \t\r\n]+`)
	jsonColon  = regexp.MustCompile(`^[ \t\r\n]*:`)
)

var jsonMarks = map[byte]kind{'{': openObject, '}': closeObject, '[': openArray, ']': closeArray, ',': comma, ':': colon}

// scanJSON cuts JSON-LD into pieces. The blocks are the items of the outermost array, or of that of @graph.
func scanJSON(d *document, text string) bool {
	var open []byte
	blocks, home, last := 0, -1, "" // home: how many brackets are open around the blocks
	for len(text) > 0 {
		n, k := 1, head
		switch {
		case jsonSpace.MatchString(text):
			n, k = len(jsonSpace.FindString(text)), space
		case text[0] == '"':
			if n, k = len(jsonString.FindString(text)), quoted; n == 0 {
				return false
			}
			if jsonColon.MatchString(text[n:]) {
				k, last = key, text[:n]
			}
		case jsonNumber.MatchString(text):
			n, k = len(jsonNumber.FindString(text)), number
		case jsonWord.MatchString(text):
			n, k = len(jsonWord.FindString(text)), word
		case jsonMarks[text[0]] != 0:
			k = jsonMarks[text[0]]
		default:
			return false
		}
		opens, closes := k == openObject || k == openArray, k == closeObject || k == closeArray
		if closes {
			if len(open) == 0 {
				return false
			}
			open = open[:len(open)-1]
		}
		if opens && len(open) == home && k == openObject {
			blocks++
		}
		d.block = 0
		if inside := len(open) > home || len(open) == home && (k == openObject || k == closeObject); home > 0 && inside {
			d.block = blocks
		} else if k != space {
			k = head
		}
		d.add(k, noRole, text[:n])
		if opens {
			open = append(open, text[0])
			if home < 0 && text[0] == '[' && (len(open) == 1 || len(open) == 2 && last == `"@graph"`) {
				home = len(open)
			}
		}
		if closes && len(open) < home {
			home = 1 << 20 // the array has ended
		}
		text = text[n:]
	}
	return blocks > 0
}
