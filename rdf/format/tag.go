package format

import (
	"bytes"
	"strings"
)

// tag is a start tag, as it is written.
type tag struct {
	name       string
	attributes []attribute
	at         int // where it begins
}

type attribute struct{ name, value string }

func (t tag) get(name string) (string, bool) {
	for _, a := range t.attributes {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// local is a name without its prefix.
func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

// prefixOf is the prefix of a name, or "".
func prefixOf(name string) string { return name[:max(0, strings.IndexByte(name, ':'))] }

// markup cuts XML and HTML into start tags, skipping comments, processing
// instructions, declarations, CDATA, end tags, and the insides of scripts.
type markup struct {
	in       []byte
	at       int
	doctype  string // the declaration, in lower case
	ends     int    // end tags and empty elements seen
	declared bool   // what only markup has was seen: a comment or a declaration
}

// next returns the next start tag; false at the end.
func (m *markup) next() (tag, bool) {
	for {
		i := bytes.IndexByte(m.in[m.at:], '<')
		if i < 0 {
			m.at = len(m.in)
			return tag{}, false
		}
		m.at += i
		rest := m.in[m.at:]
		switch {
		case bytes.HasPrefix(rest, []byte("<!--")):
			m.declared = true
			if m.at += len("<!--"); bytes.Contains(m.in[m.at:], []byte("-->")) { // else what follows may go on soundly
				m.pass("-->")
			}
		case bytes.HasPrefix(rest, []byte("<![CDATA[")):
			m.pass("]]>")
		case bytes.HasPrefix(rest, []byte("<?")):
			m.declared = m.declared || bytes.HasPrefix(rest, []byte("<?xml")) || bytes.HasPrefix(rest, []byte("<?xpacket"))
			if end := bytes.IndexAny(rest[1:], "<>"); end >= 0 && rest[1+end] == '<' && bytes.HasPrefix(rest, []byte("<?xml ")) {
				m.at += 1 + end // it has no end of its own
			} else {
				m.pass(">")
			}
		case len(rest) > 9 && bytes.EqualFold(rest[:9], []byte("<!doctype")):
			m.declared = true
			m.doctypeDeclaration()
		case bytes.HasPrefix(rest, []byte("</")):
			m.ends++
			m.at += 2
		case len(rest) > 1 && nameStart(rest[1]):
			if t, ok := m.startTag(); ok {
				return t, true
			}
		default:
			m.at++
		}
	}
}

func nameStart(b byte) bool { return letter(b) || b == '_' || b == ':' || b >= 0x80 }

// pass goes past the next end, or to the end of all.
func (m *markup) pass(end string) {
	if i := bytes.Index(m.in[m.at:], []byte(end)); i >= 0 {
		m.at += i + len(end)
	} else {
		m.at = len(m.in)
	}
}

func (m *markup) doctypeDeclaration() {
	begin, subset, quote := m.at, false, byte(0)
	for m.at < len(m.in) {
		b := m.in[m.at]
		m.at++
		switch {
		case quote != 0:
			if b == quote {
				quote = 0
			}
		case subset && b == '<' && bytes.HasPrefix(m.in[m.at:], []byte("!--")):
			m.pass("-->")
		case b == '"' || b == '\'':
			quote = b
		case b == '[':
			subset = true
		case b == ']':
			subset = false
		case b == '>' && !subset:
			m.doctype = strings.ToLower(string(m.in[begin:m.at]))
			return
		}
	}
	m.at = begin + 1 // it does not end, or not soundly
}

// startTag takes a start tag. What begins like one but never ends, or holds what no tag holds, is
// skipped. What declares namespaces is one, however long it is.
func (m *markup) startTag() (tag, bool) {
	const longest = 64 << 10
	in := m.in[:min(len(m.in), m.at+longest)]
	t := tag{at: m.at}
	i := m.at + 1
	for i < len(in) && in[i] > ' ' && in[i] != '>' && in[i] != '/' && in[i] != '<' && in[i] != '"' && in[i] != '=' {
		i++
	}
	t.name = string(in[m.at+1 : i])
	for {
		if i = passSpace(in, i); i >= len(in) {
			return m.longTag(t)
		}
		switch in[i] {
		case '>':
			m.at = i + 1
			if strings.EqualFold(t.name, "script") || strings.EqualFold(t.name, "style") {
				m.passText(t.name)
			}
			return t, true
		case '/':
			if i++; i == len(in) {
				return m.longTag(t)
			}
			switch in[i] {
			case '>':
				m.ends++
				m.at = i + 1
				return t, true
			case '/': // an address, not a tag
				m.at++
				return t, false
			}
			continue
		case '<':
			m.at = i
			return t, false
		case '"', '\'':
			m.at = i + 1
			return t, false
		}
		a, next, ok := attributeAt(in, i)
		if !ok {
			return m.longTag(t)
		}
		t.attributes = append(t.attributes, a)
		i = next
	}
}

// attributeAt takes the attribute that begins at in[i], and returns where it ends. It is not ok if its
// value has no end.
func attributeAt(in []byte, i int) (a attribute, next int, ok bool) {
	begin := i
	for i < len(in) && in[i] > ' ' && in[i] != '=' && in[i] != '>' && in[i] != '<' && in[i] != '/' {
		i++
	}
	a.name = string(in[begin:i])
	if i = passSpace(in, i); i == len(in) || in[i] != '=' {
		return a, i, true
	}
	i = passSpace(in, i+1)
	if i < len(in) && (in[i] == '"' || in[i] == '\'') {
		end := bytes.IndexByte(in[i+1:], in[i])
		if end < 0 {
			return a, i, false
		}
		a.value = string(in[i+1 : i+1+end])
		return a, i + end + 2, true
	}
	begin = i
	for i < len(in) && in[i] > ' ' && in[i] != '>' {
		i++
	}
	a.value = string(in[begin:i])
	return a, i, true
}

// passSpace is the index of the first byte from i on that is no white space.
func passSpace(in []byte, i int) int {
	for i < len(in) && in[i] <= ' ' {
		i++
	}
	return i
}

// longTag judges a start tag of which the beginning alone was seen.
func (m *markup) longTag(t tag) (tag, bool) {
	declared := 0
	for _, a := range t.attributes {
		if a.name == "xmlns" || prefixOf(a.name) == "xmlns" {
			declared++
		}
	}
	m.at++
	return t, declared >= 2
}

// passText goes to the end tag of an element that holds text alone, if there is one.
func (m *markup) passText(name string) {
	for at := m.at; ; {
		i := bytes.Index(m.in[at:], []byte("</"))
		if i < 0 {
			return
		}
		at += i
		if rest := m.in[at+2:]; len(rest) >= len(name) && bytes.EqualFold(rest[:len(name)], []byte(name)) {
			m.at = at
			return
		}
		at += 2
	}
}
