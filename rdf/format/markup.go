package format

import (
	"bytes"
	"strings"

	"laundromat/markup/page"
	"laundromat/rdf"
)

// tag is a start tag, as it stands.
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

// markup cuts XML and HTML into start tags, passing over comments, processing
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

// pass goes behind the next end, or to the end of all.
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
// passed over. What declares namespaces is one, however long it is.
func (m *markup) startTag() (tag, bool) {
	const longest = 64 << 10
	in := m.in[:min(len(m.in), m.at+longest)]
	t := tag{at: m.at}
	i := m.at + 1
	name := i
	for i < len(in) && in[i] > ' ' && in[i] != '>' && in[i] != '/' && in[i] != '<' && in[i] != '"' && in[i] != '=' {
		i++
	}
	t.name = string(in[name:i])
	for {
		for i < len(in) && (in[i] <= ' ') {
			i++
		}
		if i >= len(in) {
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
			if i+1 < len(in) && in[i+1] == '>' {
				m.ends++
				m.at = i + 2
				return t, true
			}
			if i+1 < len(in) && in[i+1] == '/' { // an address, not a tag
				m.at++
				return t, false
			}
			i++
			continue
		case '<', '"', '\'':
			m.at = i
			if in[i] != '<' {
				m.at++
			}
			return t, false
		}
		begin := i
		for i < len(in) && in[i] > ' ' && in[i] != '=' && in[i] != '>' && in[i] != '<' && in[i] != '/' {
			i++
		}
		a := attribute{name: string(in[begin:i])}
		for i < len(in) && in[i] <= ' ' {
			i++
		}
		if i < len(in) && in[i] == '=' {
			i++
			for i < len(in) && in[i] <= ' ' {
				i++
			}
			if i < len(in) && (in[i] == '"' || in[i] == '\'') {
				end := bytes.IndexByte(in[i+1:], in[i])
				if end < 0 {
					return m.longTag(t)
				}
				a.value = string(in[i+1 : i+1+end])
				i += end + 2
			} else {
				begin = i
				for i < len(in) && in[i] > ' ' && in[i] != '>' {
					i++
				}
				a.value = string(in[begin:i])
			}
		} else if a.name == "" {
			i++
			continue
		}
		t.attributes = append(t.attributes, a)
	}
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

// lookMarkup tells RDF/XML, RDFa, pages with data, other XML, HTML without data, and what is no
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
	xml := bytes.HasPrefix(in, []byte("<?xml"))
	if !ok {
		if m.declared { // nothing but a prologue
			return verdict{not: "XML (no root element)", certain: 0.6}
		}
		return verdict{}
	}
	if !m.declared && len(root.attributes) == 0 && bytes.HasPrefix(in, []byte("<"+root.name+">")) && !bytes.Contains(in, []byte("</"+root.name)) &&
		!strings.EqualFold(local(root.name), "html") && local(root.name) != "RDF" {
		return verdict{} // <a> <b> <c> .
	}
	if !m.declared && root.at > 0 && len(tokens(nil, in[:min(root.at, 8192)], false)) > 3 {
		return verdict{} // tags in the literals of Turtle
	}
	if strings.EqualFold(root.name, "html") || strings.EqualFold(local(root.name), "html") || strings.HasPrefix(m.doctype, "<!doctype html") {
		return lookHTML(m, root)
	}

	space := namespace(root)
	switch name := local(root.name); {
	case isRDF(root), name == "RDF" && prefixOf(root.name) == "rdf": // of no other vocabulary a document would be
		return verdict{format: RDFXML, certain: 0.99}
	case root.name == "RDF" && space == "":
		return verdict{format: RDFXML, certain: 0.6}
	case name == "TriX", (name == "trix" || name == "graphset") && strings.Contains(strings.ToLower(space), "trix"):
		return verdict{format: TriX, certain: 0.97}
	}
	if declaresRDF(in, root) && nodeElement(m, root, isForeign(root, space)) {
		return verdict{format: RDFXML, certain: 0.85}
	}
	if htmlName(root.name) && !xml && space == "" {
		if v := lookHTML(&markup{in: in}, root); v.format != "" {
			return v
		}
	}
	language := describeXML(root, space)
	embeds := language != stylesheet && embedsRDF(in)
	// The package of an EPUB has properties, but what they say is not what RDFa would.
	if language == epubPackage && !embeds {
		return verdict{not: language, certain: 0.9}
	}
	if language != epubPackage && rdfaIn(&markup{in: in}, true) {
		if holds(in, isBlock) {
			return verdict{format: HTML, certain: 0.8} // which reads them too
		}
		return verdict{format: RDFa, certain: 0.8}
	}
	if embeds || hint == RDFXML && isSoundRDFXML(in) {
		return verdict{format: RDFXML, certain: 0.9}
	}
	switch {
	case m.declared && !strings.HasPrefix(language, "XML ("), !strings.HasPrefix(language, "XML (") && (space != "" || len(root.attributes) > 0):
		return verdict{not: language, certain: 0.9}
	case hint == RDFXML && space != "":
		// A node element may stand alone, and need not use a word of RDF.
		return verdict{format: RDFXML, certain: 0.5}
	case m.declared || m.ends > 0 || space != "" || bytes.Contains(in, []byte("</"+root.name)):
		if htmlName(root.name) && !xml {
			return lookHTML(&markup{in: in}, root)
		}
		return verdict{not: language, certain: 0.9}
	}
	if htmlName(root.name) {
		return lookHTML(&markup{in: in}, root)
	}
	return verdict{}
}

// htmlName tells elements that pages without an html element begin with.
func htmlName(name string) bool {
	switch strings.ToLower(name) {
	case "head", "body", "title", "meta", "link", "main", "section", "article", "header", "div", "p", "script", "style", "table", "span", "h1", "h2", "h3", "center", "font", "br", "ul", "ol", "img":
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

// lookHTML tells pages with data, be it RDFa, Microdata or a script in a format of RDF, from
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

// isItem tells the tag of an item of Microdata.
func isItem(t tag) bool {
	for _, a := range t.attributes {
		if strings.EqualFold(a.name, "itemscope") {
			return true
		}
	}
	return false
}

// isBlock tells the tag of a script in JSON-LD or another format of RDF, or of an element rdf:RDF.
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

// isRDF tells the tag of an element rdf:RDF.
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
