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
