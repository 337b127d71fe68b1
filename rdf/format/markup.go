package format

import (
	"bytes"
	"strings"

	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/microformats"
)

// lookMarkup recognises RDF/XML, RDFa, pages with data, other XML, HTML without data, and what is no
// markup although it begins with an angle bracket.
func lookMarkup(in []byte, hint Format) verdict {
	m := &markup{in: in}
	root, ok := m.next()
	if in[0] != '<' || len(in) < 2 || in[1] != '!' && in[1] != '?' && (!ok || root.at > 0) {
		return verdict{} // <http://…>: no name of an element holds a slash
	}
	if isLine(in) { // <http:/>, a name of an element
		return verdict{}
	}
	if !ok {
		if m.declared { // nothing but a prologue
			return verdict{not: "XML (no root element)", certain: 0.6}
		}
		return verdict{}
	}
	if isTurtleIRI(m, root) && !(hint == HTML && htmlName(root.name)) || hasTurtleBefore(m, root) {
		return verdict{}
	}
	if strings.EqualFold(root.name, "html") || strings.EqualFold(local(root.name), "html") ||
		strings.HasPrefix(m.doctype, "<!doctype html") {
		return lookHTML(m, root)
	}
	return lookXML(m, root, hint)
}

// isTurtleIRI says that what was taken for the root element is an IRI: <a> <b> <c> .
func isTurtleIRI(m *markup, root tag) bool {
	return !m.declared && len(root.attributes) == 0 &&
		bytes.HasPrefix(m.in, []byte("<"+root.name+">")) && !bytes.Contains(m.in, []byte("</"+root.name)) &&
		!strings.EqualFold(local(root.name), "html") && local(root.name) != "RDF" && !holdsElement(m.in, root)
}

// holdsElement says that the first thing in a root element is an element that ends. The root's own end may be far away,
// or missing. What a literal of Turtle holds comes after a quotation mark.
func holdsElement(in []byte, root tag) bool {
	_, rest, _ := bytes.Cut(in[root.at:], []byte(">"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	m := &markup{in: rest}
	child, ok := m.next()
	if !ok || child.at > 0 {
		return false
	}
	rest = rest[m.at:]
	end := bytes.Index(rest, []byte("</"+child.name+">"))
	return end >= 0 && bytes.IndexAny(bytes.TrimLeft(rest[:end], " \t\r\n"), "\"'") != 0
}

// hasTurtleBefore says that terms precede the first tag, which then is in a literal of Turtle.
func hasTurtleBefore(m *markup, root tag) bool {
	return !m.declared && root.at > 0 && len(tokens(nil, m.in[:min(root.at, 8192)], false)) > 3
}

// lookXML recognises RDF/XML, TriX, RDFa and other XML, and pages that have no html element. m is after the root.
func lookXML(m *markup, root tag, hint Format) verdict {
	in, space := m.in, namespace(root)
	if v := lookRoot(root, space); v.format != "" {
		return v
	}
	if declaresRDF(in, root) && nodeElement(m, root, isForeign(root, space)) {
		return verdict{format: RDFXML, certain: 0.85}
	}
	isPage := htmlName(root.name) && !bytes.HasPrefix(in, []byte("<?xml"))
	if isPage && space == "" {
		if v := lookHTML(&markup{in: in}, root); v.format != "" {
			return v
		}
	}
	language := describeXML(root, space)
	if v := lookWithin(in, language, hint); v != (verdict{}) {
		return v
	}
	isKnown := !strings.HasPrefix(language, "XML (")
	switch {
	case isKnown && (m.declared || space != "" || len(root.attributes) > 0):
		return verdict{not: language, certain: 0.9}
	case hint == RDFXML && space != "":
		// A node element may be the root, and need not use a word of RDF.
		return verdict{format: RDFXML, certain: 0.5}
	case isPage:
		return lookHTML(&markup{in: in}, root)
	case m.declared || m.ends > 0 || space != "" || bytes.Contains(in, []byte("</"+root.name)) || holdsElement(in, root):
		return verdict{not: language, certain: 0.9}
	}
	return verdict{}
}

// lookRoot recognises RDF/XML and TriX by the name of the root element; space is its namespace.
func lookRoot(root tag, space string) verdict {
	switch name := local(root.name); {
	case isRDF(root), name == "RDF" && prefixOf(root.name) == "rdf": // of no other vocabulary a document would be
		return verdict{format: RDFXML, certain: 0.99}
	case root.name == "RDF" && space == "":
		return verdict{format: RDFXML, certain: 0.6}
	case name == "TriX", (name == "trix" || name == "graphset") && strings.Contains(strings.ToLower(space), "trix"):
		return verdict{format: TriX, certain: 0.97}
	}
	return verdict{}
}

// lookWithin recognises RDF/XML and RDFa by what is inside a document of a language of XML.
func lookWithin(in []byte, language string, hint Format) verdict {
	embeds := language != stylesheet && embedsRDF(in)
	switch {
	case language == epubPackage && !embeds:
		// The package of an EPUB has properties, but what they say is not what RDFa would.
		return verdict{not: language, certain: 0.9}
	case language != epubPackage && rdfaIn(&markup{in: in}, true):
		if holds(in, isBlock) {
			return verdict{format: HTML, certain: 0.8} // which reads them too
		}
		return verdict{format: RDFa, certain: 0.8}
	case embeds || hint == RDFXML && isSoundRDFXML(in):
		return verdict{format: RDFXML, certain: 0.9}
	}
	return verdict{}
}

// htmlName recognises elements that pages without an html element begin with.
func htmlName(name string) bool {
	switch strings.ToLower(name) {
	case "head", "body", "title", "meta", "link", "main", "section", "article", "header", "div", "p", "script", "style", "table", "span",
		"h1", "h2", "h3", "center", "font", "br", "ul", "ol", "img":
		return true
	}
	return false
}

// namespace is that of the element's own name, as far as its own tag declares it.
func namespace(t tag) string {
	name := "xmlns"
	if prefix := prefixOf(t.name); prefix != "" {
		name += ":" + prefix
	}
	value, _ := t.get(name)
	return strings.TrimSpace(value)
}

// declaresRDF says that the RDF namespace is declared at all, by its name or by an
// entity.
func declaresRDF(in []byte, root tag) bool {
	if bytes.Contains(in, []byte(rdf.RDF)) {
		return true
	}
	value, ok := root.get("xmlns:rdf")
	return ok && strings.Contains(value, "&")
}

// nodeElement says that the root is a node element of RDF/XML without rdf:RDF around it. It, or its
// first children if it is of no other language, have attributes of RDF.
func nodeElement(m *markup, root tag, foreign bool) bool {
	prefixes := map[string]bool{"rdf": true}
	for t, n := root, 0; n < 20; n++ {
		for _, a := range t.attributes {
			if strings.TrimSpace(a.value) == rdf.RDF && prefixOf(a.name) == "xmlns" {
				prefixes[local(a.name)] = true
			}
		}
		if prefixes[prefixOf(t.name)] {
			switch local(t.name) {
			case "RDF":
				return false // inside something else
			case "Description", "Bag", "Seq", "Alt", "List", "Statement", "Property":
				if n == 0 {
					return true
				}
			}
		}
		for _, a := range t.attributes {
			if !prefixes[prefixOf(a.name)] {
				continue
			}
			switch local(a.name) {
			case "about", "ID", "nodeID", "resource", "datatype", "parseType":
				return n == 0 || !foreign && (prefixOf(root.name) != "" || namespace(root) != "")
			}
		}
		var ok bool
		if t, ok = m.next(); !ok {
			break
		}
	}
	return false
}

// lookHTML distinguishes pages with data, in RDFa, Microdata or a script in a format of RDF, from
// pages without. Properties of Microdata without an item say nothing.
func lookHTML(m *markup, root tag) verdict {
	version, _ := root.get("version")
	named := strings.Contains(m.doctype, "rdfa") || strings.Contains(version, "RDFa")
	if rdfaIn(&markup{in: m.in}, false) || named && linksIn(&markup{in: m.in}) || holds(m.in, isItem, isBlock) {
		return verdict{format: HTML, certain: 0.9}
	}
	return verdict{not: "HTML without data", certain: 0.9}
}

// holds says that a tag in a document is one of those looked for.
func holds(in []byte, wanted ...func(tag) bool) bool {
	m := markup{in: in}
	for t, ok := m.next(); ok; t, ok = m.next() {
		for _, is := range wanted {
			if is(t) {
				return true
			}
		}
	}
	return false
}

// isItem recognises the tag of an item of Microdata or microformats.
func isItem(t tag) bool {
	for _, a := range t.attributes {
		if strings.EqualFold(a.name, "itemscope") || strings.EqualFold(a.name, "class") && microformats.IsItem(a.value) {
			return true
		}
	}
	return false
}

// isBlock recognises the tag of a script in JSON-LD or another format of RDF, or of an element rdf:RDF.
func isBlock(t tag) bool {
	if strings.EqualFold(local(t.name), "script") {
		for _, a := range t.attributes {
			if strings.EqualFold(a.name, "type") && isOfRDF(a.value) {
				return true
			}
		}
	}
	return isRDF(t)
}

// isRDF recognises the tag of an element rdf:RDF.
func isRDF(t tag) bool { return page.IsRDF(prefixOf(t.name), local(t.name), t.get) }

// isOfRDF says that a script of this type is read.
func isOfRDF(mediaType string) bool {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	mediaType = strings.TrimSpace(mediaType)
	return strings.EqualFold(mediaType, "application/ld+json") || ofBlock(mediaType) != ""
}

// rdfaIn looks for the attributes of RDFa in all tags. In XML that is not XHTML,
// names like "resource" may mean anything; there the values must look like RDFa.
func rdfaIn(m *markup, strict bool) bool {
	for t, ok := m.next(); ok; t, ok = m.next() {
		for _, a := range t.attributes {
			name, value := strings.ToLower(a.name), strings.TrimSpace(a.value)
			if strict {
				name = a.name
			}
			switch name {
			case "vocab":
				if value != "" {
					return true
				}
			case "typeof", "property", "datatype", "inlist":
				if !strict || curie(value) {
					return true
				}
			case "about", "resource":
				if !strict {
					return true
				}
			case "rel", "rev":
				if curie(value) || strings.EqualFold(value, "license") || strings.EqualFold(value, "describedby") {
					return true
				}
			case "prefix":
				if strings.Contains(value, ": ") {
					return true
				}
			}
		}
	}
	return false
}

// linksIn looks for links with a relation: in a page that says that it has RDFa,
// the words of XHTML are such.
func linksIn(m *markup) bool {
	for t, ok := m.next(); ok; t, ok = m.next() {
		for _, a := range t.attributes {
			if name := strings.ToLower(a.name); name == "rel" || name == "rev" {
				return true
			}
		}
	}
	return false
}

// curie says that one of the words of an attribute has a prefix or a scheme.
func curie(value string) bool {
	for _, word := range strings.Fields(value) {
		if i := strings.IndexByte(word, ':'); i > 0 || i == 0 && len(word) > 1 {
			return true
		}
	}
	return false
}
