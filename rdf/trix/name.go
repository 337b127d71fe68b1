package trix

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// declare takes the namespaces that the tag declares.
func (p *parser) declare() {
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		prefix, ok := a.Declares()
		if !ok {
			continue
		}
		if a.Lost != nil {
			n := *a.Lost
			n.Lost = 0
			p.to.Notice(n)
			p.scope.Bind(prefix, a.Value, p.x.Depth(), a.Repaired, true)
			continue
		}
		iri, repaired := rdf.TrimReference(a.Value), a.Repaired
		if len(iri) < len(a.Value) {
			p.repairAttr(a, fault.IRITrimmed, "white space around a namespace was cut off", xmltext.EditTrimmed(p.x, a))
			repaired = true
		}
		message, isVoid := xmltext.JudgeDeclaration(prefix, iri)
		if message != "" {
			p.repairAttr(a, fault.XMLNamespace, message, xmltext.EditDeclaration(p.x, a, prefix, iri))
		}
		if !isVoid || len(iri) == 0 {
			p.scope.Bind(prefix, iri, p.x.Depth(), repaired || message != "", isVoid)
		}
	}
}

// elementName is the name of the start tag as TriX has it. The second result says whether it is in the
// namespace of the root, or has its prefix.
func (p *parser) elementName() (name string, ours bool) {
	p.changed = false
	prefix, local := string(p.x.Prefix()), p.x.Local()
	space := ""
	if b := p.scope.Find(p.x.Prefix()); b != nil {
		space = string(b.IRI)
	}
	if p.top().kind == inDocument && !p.rooted {
		p.prefix, p.space = prefix, space
	}
	ours = space == p.space || prefix == p.prefix || space == Namespace
	name = string(local)
	if !ours {
		return name, false
	}
	if lost := p.x.Lost(); lost != nil {
		n := *lost
		n.Severity, n.Lost = fault.Drop, 0
		p.to.Notice(n)
		return "", true
	}
	if known := spelling[strings.ToLower(name)]; known != "" && p.top().kind != inTerm && (p.top().kind != inDocument || isRoot(known)) {
		p.judgeNamespace(space)
	}
	if known, ok := spelling[strings.ToLower(name)]; ok && known != name && name != "trix" {
		p.changed = true
		p.tell(fault.TriXName, fault.Repair, 0, fmt.Sprintf("TriX writes %s, not %s", known, name))
		return known, true
	}
	return name, true
}

// isRoot says that a root element may have the name.
func isRoot(name string) bool { return name == "TriX" || name == "trix" || name == "graphset" }

// judgeNamespace reports, once for each, a namespace of elements of TriX that is not its own.
func (p *parser) judgeNamespace(space string) {
	if space == Namespace {
		return
	}
	p.changed = true
	if slices.Contains(p.spaces, space) {
		return
	}
	p.spaces = append(p.spaces, space)
	message := fmt.Sprintf("the namespace of these elements is <%s>, and not <%s>; they were read as those of TriX", excerpt([]byte(space)),
		Namespace)
	if space == "" {
		message = fmt.Sprintf("these elements are in no namespace, and not in <%s>; they were read as those of TriX", Namespace)
	}
	p.tell(fault.TriXNamespace, fault.Repair, 0, message)
}

// spelling has the names of elements by their lower case.
var spelling = map[string]string{
	"trix": "TriX", "graphset": "graphset", "graph": "graph", "triple": "triple", "uri": "uri", "id": "id",
	"qname": "qname", "plainliteral": "plainLiteral", "typedliteral": "typedLiteral",
}

// attributes takes xml:base, and warns of attributes that say nothing to f.
func (p *parser) attributes(f *frame) {
	for i := range p.x.Attrs() {
		a := &p.x.Attrs()[i]
		switch name := attrName(a); {
		case string(a.Prefix) == "xmlns", name == "xmlns", string(a.Prefix) == "xsi":
		case name == "asserted" && f.kind == inGraph && a.Lost == nil:
		case name == "xml:base":
			p.setBase(f, a)
		case name == "xml:lang" && p.hasLanguage(f.term), name == "datatype" && f.term == typedLiteral:
		default:
			p.tellAttr(a, fault.TriXForeign, fault.Warning, fmt.Sprintf("the attribute %s says nothing here; it was passed over", name))
		}
	}
}

// setBase takes xml:base, which is resolved against the base around it.
func (p *parser) setBase(f *frame, a *xmltext.Attr) {
	inner := &rdf.Resolver{}
	if a.Lost != nil {
		n := *a.Lost
		n.Lost = 0
		p.to.Notice(n)
	} else if code, message := judge(rdf.TrimReference(a.Value)); code == fault.IRINoReference {
		p.tellAttr(a, code, fault.Drop, "an xml:base that is "+message)
	} else if base, found := f.base.Append(nil, rdf.TrimReference(a.Value)); found != fault.IRINoBase {
		inner.Base = string(base)
		if !rfc3986.IsAbsolute(rdf.TrimReference(a.Value)) {
			inner.BaseUsed = f.base.BaseUsed
		}
		inner.BaseIsFile = f.base.BaseIsFile && !rfc3986.IsAbsolute(rdf.TrimReference(a.Value))
		if code != "" {
			p.tellAttr(a, code, fault.Warning, message)
		}
		f.repaired = f.repaired || a.Repaired
	} else {
		p.tellAttr(a, fault.IRINoBase, fault.Drop, "an xml:base that is relative, and no base that makes it absolute")
	}
	f.base = inner
}

// judge is [rdf.JudgeReference] for what may be absolute.
func judge(ref []byte) (code fault.Code, message string) {
	if rfc3986.IsAbsolute(ref) {
		return "", ""
	}
	return rdf.JudgeReference(ref)
}

func attrName(a *xmltext.Attr) string {
	if len(a.Prefix) == 0 {
		return string(a.Local)
	}
	return string(a.Prefix) + ":" + string(a.Local)
}

// Begin implements xmltext.Guide. A start tag ends the elements before it in which it can't be, if
// there is one around them in which it can.
func (p *parser) Begin(context.Context) (xmltext.Plan, error) {
	if len(p.frames) < 3 || p.skipped > 0 && !p.strays {
		return xmltext.Plan{}, nil
	}
	_, local := splitName(p.x.TagName())
	name := spelling[strings.ToLower(string(local))]
	top := len(p.frames) - 1
	at := top // where it belongs
	if p.skipped > 0 {
		// An element of TriX that can't be in a graph holds no triples either: it is not closed.
		for p.frames[at].kind == inTerm {
			at--
		}
		if p.frames[at].kind != inGraph || name != "graph" && name != "triple" {
			return xmltext.Plan{}, nil
		}
		top = p.x.Depth()
	}
	switch {
	case name == "graph":
		at = 1
	case name == "triple" && p.skipped == 0:
		for p.frames[at].kind == inTerm || p.frames[at].kind == inTriple && p.full(at, top) {
			at--
		}
	case termKinds[name] != 0 && p.skipped == 0 && p.frames[top].kind == inTerm:
		at--
	}
	return xmltext.Plan{Close: top - at}, nil
}

// full says that the triple i of the frames up to top can't have another one in it. That would be its
// predicate or a superfluous one, or a term in it is not closed. A triple that is the subject is not
// stated. It must not be read as one by itself.
func (p *parser) full(i, top int) bool {
	n := p.frames[i].count
	return i < top || n == 1 || n > 2
}

// End implements xmltext.Guide. An end tag closes the innermost element of its name. One of a name
// that nothing has is that of a term, if one is open.
func (p *parser) End(_ context.Context, name []byte) (xmltext.Plan, error) {
	top := p.x.Depth() - 1
	_, local := splitName(name)
	for i := top; i >= 0; i-- {
		if _, open := splitName(p.x.Name(i)); bytes.EqualFold(open, local) {
			return xmltext.Plan{Close: top - i}, nil
		}
	}
	if known := spelling[strings.ToLower(string(local))]; p.skipped == 0 && p.top().kind == inTerm &&
		(known == "" || termKinds[known] != 0) {
		return xmltext.Plan{}, nil
	}
	return xmltext.Plan{Skip: true}, nil
}

// Resume implements xmltext.Guide: sound mark-up goes on at the next start tag of a
// triple or graph.
func (p *parser) Resume(ctx context.Context, from, to int) (int, error) {
	const step, most = 16 << 10, 256
	for ; from < to; from += step {
		tags, _, err := p.x.Ahead(ctx, from, min(to-from, step), most, nil)
		if err != nil {
			return -1, err
		}
		for _, tag := range tags {
			_, local := splitName(tag.Name)
			if tag.Kind == xmltext.AheadStart && !tag.Broken && (string(local) == "triple" || string(local) == "graph") {
				return tag.At, nil
			}
		}
	}
	return -1, nil
}

// Elements implements xmltext.Guide: tags without their < are not looked for.
func (p *parser) Elements() (elements, text bool) { return false, true }

// Declared implements xmltext.Guide.
func (p *parser) Declared(prefix []byte) bool { return p.scope.Find(prefix) != nil }

func splitName(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}
