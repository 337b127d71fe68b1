package rdfxml

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/markup/xmltext"
)

// What a damaged name was meant for is found by comparing. The syntax of RDF/XML has a few names, and
// the two tags of an element have the same. Where more than one could be meant, what depends on the
// name is lost.

// syntaxNames are the attributes that say what a node is or what a property holds. Their namespace
// holds nothing else that is as much as one letter away from them.
var syntaxNames = []string{"about", "nodeID", "resource", "datatype", "parseType", "ID"}

// meantAttr is the attribute of the syntax that a local name was meant for. The name has other
// capitals, or one letter too many, too few, wrong, or in the place of its neighbour. "" if there is
// none.
func meantAttr(local []byte) string {
	for _, known := range syntaxNames {
		if len(known) == 2 && string(local) == known || len(known) > 2 && spelling.Nearly(local, known) {
			return known
		}
	}
	return ""
}

// resembles says that two names differ in capitals and in so few letters that the one was meant for
// the other. That is one letter, in long names two.
func resembles(name, other []byte) bool {
	most := 1
	if min(len(name), len(other)) >= 8 {
		most = 2
	}
	if d := len(name) - len(other); d > most || -d > most || min(len(name), len(other)) < 3 ||
		max(len(name), len(other)) > spelling.MaxCompared {
		return false
	}
	return spelling.Distance(name, other) <= most
}

// misspeltAttr takes an attribute whose name is unknown or damaged. It is read as the one that it was
// meant for, if the tag does not have that. Else it may have been one that says what the element is
// about or holds: then p.found.doubt is set. Its result says whether the attribute is done with.
func (p *parser) misspeltAttr(f *frame, a *xmltext.Attr, n *name, i int) bool {
	broken := isBrokenName(a, n)
	local := bytes.Trim(bytes.Map(nameRune, a.Local), ":")
	if broken && n.kind == rdfName {
		local = bytes.Map(lawfulRune, local)
	}
	meant := ""
	switch {
	case a.Lost != nil && a.Lost.Code == fault.XMLBadAttribute:
		p.found.doubt = true // it has no value, so that it may be a part of a name
		return false
	case n.kind == rdfName, n.kind == lostName && len(a.Prefix) > 0 && p.space(a.Prefix, nil) == rdfName:
		meant = meantAttr(local)
	case n.kind == noName && len(a.Prefix) == 0:
		if len(local) > 4 && bytes.EqualFold(local[:3], []byte("xml")) {
			// The colon may be missing, or another sign be in its place.
			done := p.misspeltXML(f, a, bytes.TrimLeft(local[3:], ".-_:"))
			p.found.doubt = p.found.doubt || !done && broken
			return done
		}
		meant = p.meantWithoutPrefix(local)
		p.found.doubt = p.found.doubt || meant == "" && meantAttr(local) != ""
		if string(local) == "lang" {
			return p.misspeltXML(f, a, local)
		}
	case n.kind == lostName && !broken && p.scope.Find(a.Prefix) == nil:
		meant = p.meantUnderPrefix(a.Prefix, local)
		if spelling.Nearly(a.Prefix, "xml") || isXMLName(local) {
			return p.misspeltXML(f, a, local)
		}
	}
	if meant == "" || p.hasSyntax(meant) {
		p.found.doubt = p.found.doubt || broken
		return false
	}
	p.tellAttr(a, fault.RDFXMLMisspelt, fault.Repair, 0, fmt.Sprintf("%s isn't a name that may occur here; it was taken for rdf:%s",
		qname(a.Prefix, a.Local), meant))
	p.found.repaired = true
	p.rdfAttr(&name{kind: rdfName, ns: rdfNamespace, local: []byte(meant)}, i)
	return true
}

// isXMLName says that a local name is that of xml:lang or xml:base.
func isXMLName(local []byte) bool { return string(local) == "lang" || string(local) == "base" }

// isBrokenName says that the name of an attribute is none by the rules of XML.
func isBrokenName(a *xmltext.Attr, n *name) bool {
	switch {
	case n.kind == lostName && n.lost.Code == fault.XMLBadName, n.kind == rdfName && xmltext.IsBadQName(nil, a.Local):
		return true
	}
	return len(a.Local) == 0 || bytes.IndexByte(a.Local, ':') >= 0
}

// meantWithoutPrefix is the attribute of the syntax that a name without a prefix was meant for, "" if
// there is none. The colon may be missing, or another sign be in its place; or capitals differ.
func (p *parser) meantWithoutPrefix(local []byte) string {
	const longestPrefix = 4
	for j := 1; j < len(local) && j <= longestPrefix; j++ {
		rest := bytes.TrimLeft(local[j:], ".-_")
		if p.space(local[:j], nil) == rdfName && p.scope.Find(local[:j]) != nil && slices.Contains(syntaxNames, string(rest)) {
			return string(rest)
		}
	}
	for _, known := range syntaxNames[:5] { // all but ID
		if bytes.EqualFold(local, []byte(known)) {
			return known
		}
	}
	return ""
}

// meantUnderPrefix is the attribute of the syntax that a name with an undeclared prefix was
// meant for. If there is none, or if that is in doubt, it is "".
func (p *parser) meantUnderPrefix(prefix, local []byte) string {
	known := meantAttr(local)
	if known == "" || p.nearRDF(prefix) && strings.EqualFold(known, string(local)) {
		return known
	}
	p.found.doubt = true
	return ""
}

// nameRune leaves out what no name holds, and what can't be seen.
func nameRune(r rune) rune {
	if r < ' ' || r == utf8.RuneError || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) {
		return -1
	}
	return r
}

// lawfulRune leaves out what XML allows in no name.
func lawfulRune(r rune) rune {
	if !xmltext.IsNameRune(r) {
		return -1
	}
	return r
}

// misspeltXML takes an attribute that may have been meant for xml:lang or xml:base. It is read as that
// if nothing else can be meant, else the language is not known.
func (p *parser) misspeltXML(f *frame, a *xmltext.Attr, local []byte) bool {
	plain := string(a.Prefix) == "xml" || isXMLName(local)
	plain = plain && (len(a.Prefix) == 0 || spelling.Nearly(a.Prefix, "xml")) && a.Lost == nil
	tell := func(meant string) {
		p.tellAttr(a, fault.RDFXMLMisspelt, fault.Repair, 0, fmt.Sprintf("%s isn't a name that may occur here; it was taken for xml:%s",
			qname(a.Prefix, a.Local), meant))
	}
	switch {
	case !p.rules.on(nameOfXML):
	case plain && spelling.Nearly(local, "lang"):
		tell("lang")
		f.language, f.languageRepaired, f.languageLost = p.keep(a.Value), true, false
		return true
	case plain && spelling.Nearly(local, "base"):
		tell("base")
		p.setBase(f, a)
		f.baseRepaired = true
		return true
	case spelling.Nearly(local, "lang"):
		f.languageLost = true
	case spelling.Nearly(local, "base"):
		p.found.doubt = true
	}
	return false
}

// hasSyntax says that the tag has an attribute of the syntax, as it should be written.
func (p *parser) hasSyntax(local string) bool {
	if !p.rules.on(nameOfAttribute) {
		return true
	}
	for i := range p.x.Attrs() {
		if a := &p.x.Attrs()[i]; string(a.Local) == local && (len(a.Prefix) == 0 || p.space(a.Prefix, nil) == rdfName) {
			return true
		}
	}
	return false
}

// nearRDF says that a prefix that is not declared is one letter away from one that is declared for RDF.
func (p *parser) nearRDF(prefix []byte) bool {
	return spelling.Nearly(prefix, "rdf") && p.space([]byte("rdf"), nil) == rdfName
}

// meantName is the name that the start tag of an element was meant to have: that of its end tag. The
// one it has is no name that the document used before. If the two are so far apart that nobody knows
// which is right, lost is true. What is ahead is looked at.
func (p *parser) meantName(ctx context.Context, as role) (meant string, lost bool, err error) {
	name := p.x.TagName()
	end, err := p.endName(ctx, newTags, aheadTags, farTags)
	if err != nil || end == nil || bytes.Equal(end, name) || p.isOpen(end) {
		return "", false, err
	}
	known := p.roles.of(hashName(end))&as != 0
	prefix, local := splitName(end)
	if as == asNode && string(local) == "Description" && p.space(prefix, nil) == rdfName {
		known = true
	}
	switch {
	case !known:
		return "", false, nil
	case resembles(name, end) && p.rules.on(nameOfEndTag):
		return string(end), false, nil
	}
	return "", true, nil
}

// endName is the name in the end tag of the element whose start tag is asked about, judged by its
// depth among so many tags. It is nil if that can't be known.
func (p *parser) endName(ctx context.Context, far ...int) ([]byte, error) {
	m := p.mender()
	for _, most := range far {
		if !p.may() {
			return nil, nil
		}
		whole, err := m.tagsBehind(ctx, p.x, most)
		if err != nil {
			return nil, err
		}
		var open [][]byte
		for i := range m.tags {
			switch tag := &m.tags[i]; {
			case tag.Kind == xmltext.AheadStart:
				open = append(open, tag.Name)
			case tag.Kind == xmltext.AheadEnd && len(open) == 0:
				return tag.Name, nil
			case tag.Kind == xmltext.AheadEnd && !bytes.Equal(open[len(open)-1], tag.Name):
				return nil, nil
			case tag.Kind == xmltext.AheadEnd:
				open = open[:len(open)-1]
			}
		}
		if whole {
			break
		}
	}
	return nil, nil
}

// lookBehind looks after the start tag of a property element for what may not be there. After an
// empty-element tag without an object, the end tag of its name says that its / is too much (open). The
// other is text after attributes for properties of its object.
func (p *parser) lookBehind(ctx context.Context) (open bool, err error) {
	empty, properties := p.x.EmptyTag(), false
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		if len(a.Prefix) == 0 || string(a.Prefix) == "xml" || string(a.Prefix) == "xmlns" {
			continue
		}
		switch string(a.Local) {
		case "datatype", "parseType":
		case "resource", "nodeID", "ID", "about":
			if empty {
				return false, nil
			}
		default:
			if empty {
				return false, nil
			}
			properties = properties || p.space(a.Prefix, nil) != rdfName || !knownAttr(a.Local)
		}
	}
	if empty {
		if name := p.x.TagName(); !p.isOpen(name) {
			end, err := p.endName(ctx, newTags)
			return bytes.Equal(end, name) && p.rules.on(openEmpty), err
		}
		return false, nil
	}
	content, err := p.contentBehind(ctx)
	p.blank = content == blankContent
	p.asked = p.asked || p.blank
	if properties && content == otherContent && err == nil {
		p.textual, err = p.textFollows(ctx)
		p.asked = true
	}
	return false, err
}

// restFollows says that what seems to be the rest of the start tag of a node is right after it as text.
func (p *parser) restFollows(ctx context.Context) (bool, error) {
	const longest = 512
	b, err := p.x.Behind(ctx, 1)
	if err != nil || len(b) > 0 && (b[0] == '<' || b[0] == '\n' || b[0] == '\r') {
		return false, err
	}
	if b, err = p.x.Behind(ctx, longest); err != nil {
		return false, err
	}
	if n := bytes.IndexByte(b, '<'); n >= 0 {
		b = b[:n]
	}
	return bytes.HasSuffix(bytes.TrimRight(b, " \t\r\n"), []byte(">")) && bytes.IndexByte(b, '=') > 0 && p.rules.on(doubtText), nil
}

// textFollows says that text is right after the start tag.
func (p *parser) textFollows(ctx context.Context) (bool, error) {
	m := p.mender()
	var err error
	m.tags, _, err = p.x.Ahead(ctx, p.x.Len(), newBytes, 1, m.tags[:0])
	return len(m.tags) > 0 && m.tags[0].Kind == xmltext.AheadText && p.rules.on(doubtText), err
}

// similar says that one name was written for the other. They differ in case or prefix alone, or the
// second is the beginning of the first.
func similar(name, other []byte) bool {
	_, local := splitName(name)
	_, otherLocal := splitName(other)
	return bytes.EqualFold(local, otherLocal) || bytes.HasPrefix(name, other)
}

// related says that a tag of which hint is left may have had a name.
func related(hint, name []byte) bool {
	return len(hint) > 0 && (bytes.HasPrefix(name, hint) || bytes.HasPrefix(hint, name))
}

// coming is what was found of the start tag that comes, when it was asked about.
type coming struct {
	asked     bool // something was found
	unslashed bool // it has the name of the element that it is in or ends, and may be an end tag without its /
	isNew     bool // its name was not used before
	blank     bool // white space follows, and nothing else
	// text follows that may not: after attributes for properties, or as if it were the rest of the
	// tag of a node
	textual bool
	guest   bool      // it is that of a property that is by itself in a list
	unnamed bool      // it has another name than its end tag, and nobody knows which is right
	renamed string    // the name that it was given instead of its own
	opening unlearned // the role of its name, if that is to be learned at its end
}
