package rdfxml

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"laundromat/internal/fault"
	"laundromat/internal/spelling"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// nameKind says whose name it is.
type nameKind uint8

const (
	noName   nameKind = iota // in no namespace
	rdfName                  // in that of RDF
	itsName                  // in another
	lostName                 // its prefix is not declared, or not known
)

// name is the name of an element or attribute with its namespace.
type name struct {
	kind      nameKind
	ns, local []byte
	repaired  bool
	lost      *fault.Notice // why, with lostName; not reported yet
}

func (n *name) isRDF(local string) bool { return n.kind == rdfName && string(n.local) == local }

// elementName resolves the name of the start tag.
func (p *parser) elementName() name {
	n := p.resolveName(p.x.Prefix(), p.x.Local(), 0)
	if p.x.Lost() != nil || p.renamed != "" || p.unnamed || n.kind == lostName {
		p.judgeName(&n)
	}
	if attrs := p.x.Attrs(); len(attrs) > 0 && attrs[0].Lost != nil && n.kind != lostName {
		p.judgeWord(&n, &attrs[0])
	}
	return n
}

// judgeWord looks whether the first attribute may be a part of the name before it, which is not known
// then. It is a word without a value, not the prefix of RDF, after a name that was not used before.
func (p *parser) judgeWord(n *name, a *xmltext.Attr) {
	known := n.kind == rdfName && isDefined(n.local) || !p.isNew
	if known || !p.rules.on(doubtWord) || len(a.Prefix) > 0 || a.Lost.Code != fault.XMLBadAttribute || a.ValueAt != a.NameAt ||
		p.scope.Find(a.Local) != nil && p.space(a.Local, nil) == rdfName {
		return
	}
	notice := p.notice(fault.XMLBadName, fault.Drop, "a word without a value follows the name of an element, and may be a part of it")
	n.kind, n.lost = lostName, &notice
}

// judgeName finds what the name of the start tag was meant for, if it is damaged or not known.
func (p *parser) judgeName(n *name) {
	lost := p.x.Lost()
	switch {
	case p.renamed != "":
		p.tell(fault.RDFXMLMisspelt, fault.Repair, 0, fmt.Sprintf("a start tag was taken for that of %s, as its end tag is", p.renamed))
		n.repaired = true
	case p.unnamed && n.kind != lostName:
		notice := p.notice(fault.XMLMismatchedEnd, fault.Drop, "the start tag of an element has another name than its end tag, so that "+
			"nobody knows which is meant")
		n.kind, n.lost = lostName, &notice
	case n.kind == lostName && n.lost.Code == fault.SyntaxUndeclaredPrefix && p.nearRDF(p.x.Prefix()) && isDefined(n.local) &&
		p.rules.on(prefixOfRDF):
		p.tell(fault.RDFXMLMisspelt, fault.Repair, 0, fmt.Sprintf("the prefix %s is not declared; %[1]s:%s was taken for rdf:%[2]s",
			p.x.Prefix(), n.local))
		*n = name{kind: rdfName, ns: rdfNamespace, local: n.local, repaired: true}
	case lost == nil:
	case n.kind == rdfName && isDefined(n.local):
		// RDF has a few names, so that no other can be meant.
		lost.Severity, lost.Message = fault.Repair, "signs that no name holds are in a name of RDF; they were left out of it"
		p.to.Notice(*lost)
		n.repaired = true
	case n.kind != lostName:
		n.kind, n.lost = lostName, lost
	}
}

func (p *parser) attrName(a *xmltext.Attr) name {
	if len(a.Prefix) == 0 {
		n := name{local: a.Local}
		p.judgeBare(&n, a.Prefix, a.NameAt)
		return n
	}
	return p.resolveName(a.Prefix, a.Local, a.NameAt)
}

// resolveName finds the namespace of a name that is at a byte of the tag.
func (p *parser) resolveName(prefix, local []byte, at int) name {
	n := name{local: local, kind: itsName}
	if string(prefix) == "xml" {
		n.ns = xmlNamespace
		return n
	}
	b := p.scope.Find(prefix)
	if b == nil && len(prefix) > 0 {
		b = p.guess(prefix, at)
	}
	switch {
	case b == nil && len(prefix) == 0:
		n.kind = noName
		p.judgeBare(&n, prefix, at)
		return n
	case b == nil:
		notice := p.noticeAt(at, fault.SyntaxUndeclaredPrefix, fault.Drop, fmt.Sprintf("the prefix %s is not declared", prefix))
		n.kind, n.lost = lostName, &notice
		return n
	case b.Lost:
		notice := p.noticeAt(at, fault.RDFXMLLostPart, fault.Drop, fmt.Sprintf("the declaration of the prefix %s could not be read",
			prefix))
		n.kind, n.lost = lostName, &notice
		return n
	}
	n.ns, n.repaired = b.IRI, b.Repaired
	switch {
	case len(b.IRI) == 0:
		n.kind = noName
	case string(b.IRI) == rdf.RDF:
		n.kind = rdfName
	}
	// Only the first byte, a colon and what is not ASCII can be wrong by now, or the whole be missing.
	if len(local) == 0 || local[0] <= ':' || p.x.Odd() || prefix != nil && len(prefix) == 0 || bytes.IndexByte(local, ':') >= 0 {
		p.judgeLocal(&n, prefix, at)
	}
	return n
}

// judgeBare finds what is wrong with a name in no namespace. It is of use in an XML literal alone;
// elsewhere it is lost.
func (p *parser) judgeBare(n *name, prefix []byte, at int) {
	if p.top().kind == inXML && (p.x.Odd() || prefix != nil) {
		p.judgeLocal(n, prefix, at)
	}
}

// judgeLocal finds what is wrong with the local part of a name that is at a byte of the tag.
func (p *parser) judgeLocal(n *name, prefix []byte, at int) {
	local := n.local
	behind := bytes.TrimLeft(local, ":")
	switch {
	case len(behind) == 0:
		notice := p.noticeAt(at, fault.XMLBadName, fault.Drop, "nothing follows the colon of a name")
		n.kind, n.lost = lostName, &notice
	case bytes.IndexByte(behind, ':') >= 0:
		notice := p.noticeAt(at, fault.XMLBadName, fault.Drop, fmt.Sprintf("%s isn't a name that XML allows: it has two colons",
			qname(prefix, local)))
		n.kind, n.lost = lostName, &notice
	case len(behind) < len(local):
		n.repaired, n.local = true, behind
		p.to.Notice(p.noticeAt(at, fault.XMLBadName, fault.Repair, fmt.Sprintf("%s isn't a name that XML allows; one colon was read",
			qname(prefix, local))))
	case utf8.Valid(local) && bytes.ContainsFunc(local, unseen):
		notice := p.noticeAt(at, fault.XMLBadName, fault.Drop, fmt.Sprintf("%s holds what can't be seen or read, so that nobody knows "+
			"which name is meant", qname(prefix, local)))
		n.kind, n.lost = lostName, &notice
	case prefix != nil && len(prefix) == 0:
		n.repaired = true
		p.to.Notice(p.noticeAt(at, fault.XMLBadName, fault.Repair, fmt.Sprintf("%s isn't a name that XML allows; it was read without "+
			"its colon", qname(prefix, local))))
	case n.kind == rdfName && xmltext.IsBadQName(nil, local):
		// What it was taken for is reported by whoever needs it.
		n.repaired = true
		p.to.Notice(p.noticeAt(at, fault.XMLBadName, fault.Repair, fmt.Sprintf("%s isn't a name that XML allows", qname(prefix, local))))
	case xmltext.IsBadQName(prefix, local):
		n.repaired = true
		p.to.Notice(p.noticeAt(at, fault.XMLBadName, fault.Repair, fmt.Sprintf("%s isn't a name that XML allows; it was taken as it is",
			qname(prefix, local))))
	}
}

var xmlNamespace = []byte(xmltext.XML)

// guess finds a prefix that is not declared in the initial context; reported once for each.
func (p *parser) guess(prefix []byte, at int) *xmltext.Binding {
	if b := p.guessed.Find(prefix); b != nil {
		return b
	}
	iri, ok := rdf.WellKnown(string(prefix))
	if !ok || !p.rules.on(prefixWellKnown) {
		return nil
	}
	n := p.noticeAt(at, fault.SyntaxUndeclaredPrefix, fault.Repair, fmt.Sprintf("the prefix %s is not declared; it was taken for <%s> "+
		"from here on", prefix, iri))
	if p.in.Edits && p.in.Around == nil {
		n.Edits = []fault.Edit{{From: p.rootName, To: p.rootName, With: fmt.Sprintf(" xmlns:%s=%q", prefix, iri)}}
	}
	p.to.Notice(n)
	p.guessed.Bind(prefix, []byte(iri), 0, true, false)
	return p.guessed.Find(prefix)
}

// unseen says that a rune can't be seen, and may not be in a name; or that it stands for what could not be read.
func unseen(r rune) bool {
	return r == utf8.RuneError || r >= utf8.RuneSelf && nameRune(r) < 0 && !xmltext.IsNameRune(r)
}

func qname(prefix, local []byte) string {
	if prefix == nil {
		return string(local)
	}
	return string(prefix) + ":" + string(local)
}

// vocabulary recognises the names that RDF defines, and so may be used as any other.
var vocabulary = map[string]bool{
	"type": true, "value": true, "subject": true, "predicate": true, "object": true,
	"first": true, "rest": true, "nil": true, "List": true,
	"Bag": true, "Seq": true, "Alt": true, "Statement": true, "Property": true,
	"XMLLiteral": true, "HTML": true, "JSON": true, "langString": true, "dirLangString": true, "PlainLiteral": true,
	"language": true, "direction": true, "CompoundLiteral": true, "reifies": true,
}

// knownAttr says that RDF/XML defines an attribute of a name, or RDF a property.
func knownAttr(local []byte) bool {
	switch string(local) { // the most frequent first
	case "about", "ID", "nodeID", "resource", "datatype", "parseType", "li", "annotation", "annotationNodeID", "version":
		return true
	}
	return isDefined(local) || isMember(local)
}

// isDefined says that a name is one of the syntax or of the vocabulary of RDF.
func isDefined(local []byte) bool { return coreName[string(local)] || vocabulary[string(local)] }

// isMember says that local is _1, _2, …
func isMember(local []byte) bool {
	if len(local) < 2 || local[0] != '_' || local[1] == '0' {
		return false
	}
	for _, c := range local[1:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// checkVocabulary warns of a name in the namespace of RDF that RDF does not define (§5.1).
func (p *parser) checkVocabulary(n *name, at int) {
	if n.kind == rdfName && !vocabulary[string(n.local)] && !isMember(n.local) {
		p.to.Notice(p.noticeAt(at, fault.RDFXMLUnknownName, fault.Warning, fmt.Sprintf("RDF defines no rdf:%s", n.local)))
	}
}

// attribute numbers that stand for "there is none".
const none = -1

// found is what the attributes of an element say. The numbers are those of xmltext.Reader.Attrs.
type found struct {
	about, id, nodeID, resource, datatype, parseType int
	aboutEach                                        int // or aboutEachPrefix
	bagID                                            int
	annotation, annotationNode                       int // rdf:annotation, rdf:annotationNodeID
	version                                          int // rdf:version
	dir, itsVersion                                  int // its:dir, its:version
	properties                                       []propertyAttr
	forbidden                                        []int
	repaired                                         bool // rdf: was put before a name
	// doubt says that something in the tag can't be read that may have said what the element is about, or holds.
	doubt bool
}

// nameless says that no attribute shows what a node is.
func (a *found) nameless() bool { return a.about == none && a.id == none && a.nodeID == none }

// propertyAttr is an attribute that makes a statement.
type propertyAttr struct {
	attr int
	name name
}

// others are the attributes that rdf:RDF can't have.
func (f *found) others() []int {
	all := f.forbidden
	for _, i := range []int{f.about, f.id, f.nodeID, f.resource, f.datatype, f.parseType, f.aboutEach, f.bagID, f.annotation,
		f.annotationNode} {
		if i != none {
			all = append(all, i)
		}
	}
	for i := range f.properties {
		all = append(all, f.properties[i].attr)
	}
	return all
}

// collect sorts the attributes of the start tag, and takes xml:base, xml:lang, rdf:version
// and its:dir into f (§6.1.2; RDF 1.2 XML Syntax §2.8 and §2.10).
func (p *parser) collect(f *frame) {
	p.found = found{about: none, id: none, nodeID: none, resource: none, datatype: none, parseType: none,
		aboutEach: none, bagID: none, annotation: none, annotationNode: none, version: none, dir: none, itsVersion: none,
		properties: p.found.properties[:0], forbidden: p.found.forbidden[:0], doubt: p.x.Junk()}
	attrs, based := p.x.Attrs(), false
	for i := range attrs {
		a := &attrs[i]
		switch {
		case string(a.Prefix) == "xmlns" || len(a.Prefix) == 0 && string(a.Local) == "xmlns":
			p.found.doubt = p.found.doubt || mayHoldMore(a)
		case string(a.Prefix) == "xml":
			based = based || string(a.Local) == "base"
			p.found.doubt = p.found.doubt || mayHoldMore(a)
			p.xmlAttr(f, a)
		case len(a.Prefix) == 0:
			p.unqualified(f, a, i)
		default:
			n := p.attrName(a)
			switch {
			case (n.kind == lostName || n.kind == rdfName && !knownAttr(n.local)) && p.misspeltAttr(f, a, &n, i):
			case n.kind == rdfName:
				p.found.repaired = p.found.repaired || n.repaired
				p.rdfAttr(&n, i)
			case string(n.ns) == its && string(n.local) == "dir" && p.found.dir == none:
				p.found.dir = i
			case string(n.ns) == its && string(n.local) == "version" && p.found.itsVersion == none:
				p.found.itsVersion = i
			default:
				p.found.properties = append(p.found.properties, propertyAttr{i, n})
			}
		}
	}
	if p.found.doubt && !based {
		f.base = nil // which may be what can't be read
	}
	if p.found.version != none {
		p.setVersion(f, &attrs[p.found.version])
	}
	if p.found.dir != none || p.found.itsVersion != none {
		p.setDirection(f, attrs)
	}
}

// mayHoldMore says that an attribute is lost in a way that others may be lost with it.
func mayHoldMore(a *xmltext.Attr) bool {
	return a.Lost != nil && (a.Lost.Code == fault.XMLUnclosedQuote || a.Lost.Code == fault.XMLBadAttribute)
}

// its is the namespace of the Internationalization Tag Set.
const its = "http://www.w3.org/2005/11/its"

// setVersion takes rdf:version, which is in force for what is in the element.
func (p *parser) setVersion(f *frame, a *xmltext.Attr) {
	if a.Lost != nil {
		p.to.Notice(*a.Lost)
		return
	}
	f.is12 = true
	switch string(a.Value) {
	case "1.1":
		f.is12 = false
	case "1.2", "1.2-basic":
	default:
		p.tellAttr(a, fault.SyntaxVersion, fault.Warning, 0, "a version of RDF that is not known")
	}
}

// setDirection takes its:dir and its:version. Where no rdf:version is in force they are
// attributes as others; but rdf:RDF can't have properties.
func (p *parser) setDirection(f *frame, attrs []xmltext.Attr) {
	for _, i := range []int{p.found.dir, p.found.itsVersion} {
		switch {
		case i == none || f.is12 && i == p.found.itsVersion:
		case f.kind == inRDF && !f.is12:
			p.tellAttr(&attrs[i], fault.LanguageDirection, fault.Warning, 0, "a direction where no rdf:version is in force was ignored")
		case !f.is12:
			p.found.properties = append(p.found.properties, propertyAttr{i, p.attrName(&attrs[i])})
		case attrs[i].Lost != nil:
			f.direction = rdf.NoDirection
			p.to.Notice(*attrs[i].Lost)
		default:
			var ok bool
			if f.direction, ok = rdf.DirectionOf(attrs[i].Value); !ok {
				p.tellAttr(&attrs[i], fault.LanguageDirection, fault.Warning, 0, "a direction that is neither ltr nor rtl was ignored")
			}
		}
	}
}

func (p *parser) xmlAttr(f *frame, a *xmltext.Attr) {
	switch string(a.Local) {
	case "lang":
		if f.languageLost = a.Lost != nil; f.languageLost {
			p.to.Notice(*a.Lost)
		}
		f.language, f.languageRepaired = p.keep(a.Value), a.Repaired
	case "base":
		p.setBase(f, a)
	case "space", "id":
	default:
		if (spelling.Nearly(a.Local, "lang") || spelling.Nearly(a.Local, "base")) && a.Lost == nil {
			p.misspeltXML(f, a, a.Local)
			return
		}
		if a.Lost != nil {
			f.languageLost, p.found.doubt = true, true
		}
		p.tellAttr(a, fault.XMLReservedAttribute, fault.Warning, 0, fmt.Sprintf("RDF/XML knows no xml:%s; it was left out", a.Local))
	}
}

// unqualified takes an attribute without a namespace: some mean those of RDF (§6.1.4).
func (p *parser) unqualified(f *frame, a *xmltext.Attr, i int) {
	n := name{kind: rdfName, local: a.Local}
	switch string(a.Local) {
	case "about", "ID", "resource", "parseType", "type":
		p.tellAttr(a, fault.RDFXMLUnqualified, fault.Warning, 0, fmt.Sprintf("the attribute %s was read as rdf:%s", a.Local, a.Local))
	case "nodeID", "datatype", "bagID", "aboutEach", "aboutEachPrefix":
		var edits []fault.Edit
		if b := p.scope.Find([]byte("rdf")); b != nil && string(b.IRI) == rdf.RDF {
			edits = xmltext.EditName(p.x, a, "rdf:"+string(a.Local))
		}
		p.repairAttr(a, fault.RDFXMLUnqualified, fmt.Sprintf("the attribute %s was read as rdf:%s", a.Local, a.Local), edits)
		p.found.repaired = true
	default:
		if p.misspeltAttr(f, a, &name{local: a.Local}, i) {
			return
		}
		if len(a.Local) >= 3 && bytes.EqualFold(a.Local[:3], []byte("xml")) {
			p.tellAttr(a, fault.XMLReservedAttribute, fault.Warning, 0, fmt.Sprintf("XML reserves names that begin with xml; %s was "+
				"left out", a.Local))
			return
		}
		p.found.properties = append(p.found.properties, propertyAttr{i, name{local: a.Local}})
		return
	}
	n.ns = rdfNamespace
	p.rdfAttr(&n, i)
}

var rdfNamespace = []byte(rdf.RDF)

func (p *parser) rdfAttr(n *name, i int) {
	var at *int
	switch string(n.local) {
	case "about":
		at = &p.found.about
	case "ID":
		at = &p.found.id
	case "nodeID":
		at = &p.found.nodeID
	case "resource":
		at = &p.found.resource
	case "datatype":
		at = &p.found.datatype
	case "parseType":
		at = &p.found.parseType
	case "aboutEach", "aboutEachPrefix":
		at = &p.found.aboutEach
	case "bagID":
		at = &p.found.bagID
	case "annotation":
		at = &p.found.annotation
	case "annotationNodeID":
		at = &p.found.annotationNode
	case "version":
		at = &p.found.version
	case "RDF", "Description", "li":
		p.found.forbidden = append(p.found.forbidden, i)
		return
	default:
		p.found.properties = append(p.found.properties, propertyAttr{i, *n})
		return
	}
	if *at != none {
		p.found.forbidden = append(p.found.forbidden, i)
		return
	}
	*at = i
}
