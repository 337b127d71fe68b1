package xmltext

import (
	"bytes"
	"slices"
)

// Canonical writes start tags as Exclusive XML Canonicalization 1.0 has them. Open comes first, then
// what is in the tag, then AppendStart, unless it is not to be written. Close comes where the element
// ends. The zero value is ready.
type Canonical struct {
	depth      int   // elements open
	rendered   Scope // the declarations in force that were written
	namespaces []canonicalNamespace
	attributes []canonicalAttribute
}

// canonicalNamespace is a prefix that the current tag uses, with what it stands for.
type canonicalNamespace struct{ prefix, iri []byte }

type canonicalAttribute struct{ space, prefix, local, value []byte }

// Reset forgets the open elements and their declarations, so that c can be used again.
func (c *Canonical) Reset() {
	c.depth = 0
	c.rendered.Leave(0)
}

// Depth is the number of open elements.
func (c *Canonical) Depth() int { return c.depth }

// Open begins a start tag.
func (c *Canonical) Open() {
	c.depth++
	c.namespaces, c.attributes = c.namespaces[:0], c.attributes[:0]
}

// Use notes that the tag uses a prefix, "" for none, which stands for iri. Both are valid until
// AppendStart.
func (c *Canonical) Use(prefix, iri []byte) {
	if string(prefix) != "xml" {
		c.namespaces = append(c.namespaces, canonicalNamespace{prefix, iri})
	}
}

// Attribute adds one to the tag, in the namespace space. It uses no prefix by itself.
func (c *Canonical) Attribute(space, prefix, local, value []byte) {
	c.attributes = append(c.attributes, canonicalAttribute{space, prefix, local, value})
}

// AppendStart appends the start tag.
func (c *Canonical) AppendStart(dst, prefix, local []byte) []byte {
	slices.SortFunc(c.namespaces, func(a, b canonicalNamespace) int { return bytes.Compare(a.prefix, b.prefix) })
	slices.SortFunc(c.attributes, func(a, b canonicalAttribute) int {
		if c := bytes.Compare(a.space, b.space); c != 0 {
			return c
		}
		return bytes.Compare(a.local, b.local)
	})
	dst = appendName(append(dst, '<'), prefix, local)
	for i := range c.namespaces {
		if i == 0 || !bytes.Equal(c.namespaces[i].prefix, c.namespaces[i-1].prefix) {
			dst = c.appendDeclaration(dst, &c.namespaces[i])
		}
	}
	for i := range c.attributes {
		a := &c.attributes[i]
		dst = appendName(append(dst, ' '), a.prefix, a.local)
		dst = append(valueEscapes.append(append(dst, `="`...), a.value), '"')
	}
	return append(dst, '>')
}

// appendDeclaration appends a namespace declaration unless it is in force.
func (c *Canonical) appendDeclaration(dst []byte, n *canonicalNamespace) []byte {
	switch b := c.rendered.Find(n.prefix); {
	case b != nil && bytes.Equal(b.IRI, n.iri), b == nil && len(n.prefix)+len(n.iri) == 0:
		return dst
	}
	c.rendered.Bind(n.prefix, n.iri, c.depth, false, false)
	dst = append(dst, " xmlns"...)
	if len(n.prefix) > 0 {
		dst = append(append(dst, ':'), n.prefix...)
	}
	return append(valueEscapes.append(append(dst, `="`...), n.iri), '"')
}

// Close ends an element.
func (c *Canonical) Close() {
	c.rendered.Leave(c.depth)
	c.depth--
}

// AppendEnd appends an end tag.
func AppendEnd(dst, prefix, local []byte) []byte {
	return append(appendName(append(dst, "</"...), prefix, local), '>')
}

// AppendCharacters appends text between tags.
func AppendCharacters(dst, text []byte) []byte { return textEscapes.append(dst, text) }

// AppendComment appends a comment.
func AppendComment(dst, text []byte) []byte {
	return append(append(append(dst, "<!--"...), text...), "-->"...)
}

// AppendInstruction appends a processing instruction.
func AppendInstruction(dst, target, data []byte) []byte {
	dst = append(append(dst, "<?"...), target...)
	if len(data) > 0 {
		dst = append(append(dst, ' '), data...)
	}
	return append(dst, "?>"...)
}

func appendName(dst, prefix, local []byte) []byte {
	if len(prefix) > 0 {
		dst = append(append(dst, prefix...), ':')
	}
	return append(dst, local...)
}

// escapes are what canonical XML writes for a character; "" for itself.
type escapes ['>' + 1]string

var (
	textEscapes  = escapes{'&': "&amp;", '<': "&lt;", '>': "&gt;", '\r': "&#xD;"}
	valueEscapes = escapes{'&': "&amp;", '<': "&lt;", '"': "&quot;", '\t': "&#x9;", '\n': "&#xA;", '\r': "&#xD;"}
)

func (e *escapes) append(dst, text []byte) []byte {
	for _, b := range text {
		if int(b) < len(e) && e[b] != "" {
			dst = append(dst, e[b]...)
		} else {
			dst = append(dst, b)
		}
	}
	return dst
}
