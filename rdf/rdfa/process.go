package rdfa

import (
	"context"
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// processor makes the statements of a page (RDFa Core 1.1 §7.5).
type processor struct {
	host     page.Host
	in       rdf.Input
	to       rdf.Sink
	base     string
	terms    map[string]string
	blanks   map[string]term
	fileTold bool
	hosts    rdf.HostNames
	judged   struct { // what was found in the attributes of the last element
		e     *page.Element
		found []*findings
	}

	ctx      context.Context
	keeps    bool     // triples are kept until the page is read, since there may be patterns in it
	triples  []triple // that are kept
	pattern  bool     // rdfa:copy or rdfa:Pattern was met
	numbered uint64
	written  int
	quad     rdf.Quad
	buffer   []byte // what the terms of quad point into
	failed   error  // of the sink, or of ctx: nothing more is made
}

type triple struct{ s, p, o term }

// term is a term of a triple. Blank nodes without a label are the same if their
// node is the same; they get their number when they are written.
type term struct {
	kind     rdf.Kind
	value    string
	datatype string
	language string
	node     *blank
	pos      fault.Pos
	repaired bool
	found    *findings // what is wrong with the text that it is made of; nil for nothing
}

type blank struct{ number uint64 }

func iriTerm(iri string, e *page.Element) term {
	return term{kind: rdf.IRI, value: iri, pos: e.Pos, repaired: mended(e)}
}

// is says that two terms are the same.
func (t *term) is(o *term) bool {
	return t.kind == o.kind && t.value == o.value && t.datatype == o.datatype && t.language == o.language && t.node == o.node
}

func newProcessor(ctx context.Context, in rdf.Input, host page.Host, to rdf.Sink) *processor {
	p := &processor{ctx: ctx, host: host, in: in, to: to, base: in.Base, terms: coreTerms, blanks: map[string]term{}}
	if host == page.XHTML1 {
		p.terms = map[string]string{}
		for _, from := range []map[string]string{xhtmlTerms, coreTerms} {
			for name, iri := range from {
				p.terms[name] = iri
			}
		}
	}
	return p
}

func (p *processor) warn(code fault.Code, e *page.Element, excerpt, format string, args ...any) {
	p.to.Notice(fault.Notice{Code: code, Severity: fault.Warning, Pos: e.Pos,
		Message: fmt.Sprintf(format, args...), Excerpt: fault.Excerpt([]byte(excerpt))})
}

func (p *processor) add(s, pred, o term, e *page.Element) {
	s.repaired = s.repaired || mended(e)
	p.tell(&s)
	p.tell(&o)
	if !p.keeps {
		p.write(&triple{s, pred, o})
		return
	}
	p.triples = append(p.triples, triple{s, pred, o})
	if strings.HasPrefix(pred.value, rdfaNS) || strings.HasPrefix(o.value, rdfaNS) {
		p.pattern = p.pattern || pred.value == rdfaNS+"copy" || o.value == rdfaNS+"Pattern"
	}
}

// blank is the node with a label; "" is a label too, but one that can't be written.
func (p *processor) blank(label string, e *page.Element) term {
	if label != "" {
		return term{kind: rdf.BlankNode, value: label, pos: e.Pos, repaired: mended(e)}
	}
	t, ok := p.blanks[label]
	if !ok {
		t = p.fresh(e)
		p.blanks[label] = t
	}
	return t
}

func (p *processor) fresh(e *page.Element) term {
	return term{kind: rdf.BlankNode, node: new(blank), pos: e.Pos, repaired: mended(e)}
}

// resolve resolves an IRI (RFC 3986 §5.2.2), which takes dot segments out of an
// absolute one too.
func (p *processor) resolve(iri string, pos fault.Pos) string {
	if rfc3986.IsAbsolute([]byte(iri)) {
		return string(rfc3986.AppendResolved(nil, nil, []byte(iri)))
	}
	if p.base == "" {
		return iri
	}
	if p.in.BaseIsFile && !p.fileTold && p.base == p.in.Base {
		p.fileTold = true
		p.to.Notice(fault.Notice{Code: fault.IRIRelative, Severity: fault.Warning, Pos: pos,
			Message: "a relative IRI was resolved against the place of the file on this machine", Excerpt: fault.Excerpt([]byte(iri))})
	}
	return string(rfc3986.AppendResolved(nil, []byte(p.base), []byte(iri)))
}

func (p *processor) baseTerm(e *page.Element) term { return iriTerm(p.resolve("", e.Pos), e) }

// evaluation is the evaluation context (§7.2).
type evaluation struct {
	subject    term // the parent subject
	object     term // the parent object
	incomplete []incomplete
	lists      *lists
	language   string
	names      *names
}

// incomplete is a triple whose other end is not known yet.
type incomplete struct {
	predicate term
	reverse   bool
	list      *list // if set, the other end becomes a member of it
	from      *page.Element
}

// lists is a list mapping: the lists of one subject, which end with the element that
// brought the subject in.
type lists struct {
	subject term
	all     []*list
}

type list struct {
	predicate term
	members   []term
	from      *page.Element
}

func (l *lists) get(predicate term, e *page.Element) *list {
	for _, one := range l.all {
		if one.predicate.is(&predicate) {
			return one
		}
	}
	one := &list{predicate: predicate, from: e}
	l.all = append(l.all, one)
	return one
}

// run reads the whole page.
func (p *processor) run(pg *page.Page) {
	if href := pg.BaseHref(); href != "" && (p.base != "" || rfc3986.IsAbsolute([]byte(href))) {
		p.judgeName(href, pg.Roots[0])
		p.base = p.resolve(href, pg.Roots[0].Pos)
	}
	for _, root := range pg.Roots {
		base := iriTerm("", root)
		if p.base != "" {
			base.value = string(rfc3986.AppendResolved(nil, []byte(p.base), nil))
		}
		p.element(root, &evaluation{subject: base, object: base, lists: &lists{subject: base}, names: &names{}}, true)
	}
}

// element processes an element; the numbers are the steps of §7.5.
func (p *processor) element(e *page.Element, ctx *evaluation, isRoot bool) {
	if p.failed != nil {
		return
	}
	if lost := e.Lost(matters); lost != nil {
		p.to.Notice(*lost)
		return
	}
	if !isRoot && p.passOver(e, ctx) {
		return
	}
	outerBase := p.base
	if v, ok := e.Get("xml:base"); ok && p.host == page.XML {
		v = strings.TrimFunc(v, page.IsSpace)
		p.judgeName(v, e)
		p.base = p.resolve(v, e.Pos)
		if isRoot {
			base := iriTerm(string(rfc3986.AppendResolved(nil, []byte(p.base), nil)), e)
			ctx = &evaluation{subject: base, object: base, lists: ctx.lists, names: ctx.names}
		}
	}
	defer func() { p.base = outerBase }()

	// 2, 3
	s := &state{processor: p, e: e, ctx: ctx, isRoot: isRoot, names: p.declare(e, ctx.names), language: ctx.language}
	// 4
	s.setLanguage()
	s.readWords()
	s.findSubject() // 5, 6
	s.writeTypes()  // 7
	s.lists = ctx.lists
	if isRoot || s.named || s.subject.kind != rdf.NoTerm && !s.subject.is(&ctx.lists.subject) { // 8
		s.lists = &lists{subject: s.subject}
	}
	if s.object.kind != rdf.NoTerm && s.hasLink {
		s.writeLinks() // 9
	} else if s.hasLink {
		s.writeIncomplete() // 10
	}
	if s.hasProperty {
		s.writeProperties() // 11
	}
	if !s.skip && s.subject.kind != rdf.NoTerm {
		s.complete() // 12
	}
	s.children() // 13
	if s.lists != ctx.lists {
		s.writeLists(s.lists) // 14
	}
}

// matters says that RDFa reads the attribute of that name.
func matters(name string) bool {
	switch name {
	case "about", "resource", "href", "src", "rel", "rev", "property", "content", "datatype", "typeof", "datetime", "inlist",
		"prefix", "vocab", "xml:lang", "lang", "xml:base", "xmlns":
		return true
	}
	return strings.HasPrefix(name, "xmlns:")
}

// mended says that the element was repaired where it matters.
func mended(e *page.Element) bool { return e.Mended(matters) }
