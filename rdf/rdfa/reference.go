package rdfa

import (
	"slices"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/page"
)

// reference is what the text of an attribute that holds an IRI means, the white space cut
// off that HTML allows around it: an IRI, or the blank node that stands in its place.
func (p *processor) reference(text string, e *page.Element) term {
	ref := rdf.TrimReference([]byte(text))
	trimmed := len(ref) < len(text)
	if trimmed {
		p.tellOnce(fault.IRITrimmed, fault.Repair, e, text, "white space around an IRI was cut off")
	}
	t := term{}
	if label, ok := rdf.BlankNodeIn(ref); ok {
		p.tellOnce(fault.BlankNodeIRI, fault.Repair, e, text, "the label of a blank node stands where an IRI is due; it was taken for that node")
		t = p.blank(string(label), e)
		t.repaired = true
		return t
	}
	p.judge(string(ref), e)
	t = iriTerm(p.resolve(string(ref), e.Pos), e)
	t.repaired = t.repaired || trimmed
	return t
}

// judge warns of text that is no reference, or is hardly meant as one.
func (p *processor) judge(ref string, e *page.Element) {
	if rdf.IsAbsolute([]byte(ref)) || p.base == "" {
		return
	}
	if code, message := rdf.JudgeReference([]byte(ref)); code != "" {
		p.tellOnce(code, fault.Warning, e, ref, message)
	}
}

// join puts a name behind its namespace.
func (p *processor) join(namespace, name string, e *page.Element) string {
	if p.hosts.RunInto([]byte(namespace), []byte(name)) {
		p.warn(fault.IRINamespaceEnd, e, namespace+name, "%s", rdf.NameInHost([]byte(namespace)))
	}
	return namespace + name
}

// tellOnce tells a finding about an attribute, once however often the attribute is looked at.
func (p *processor) tellOnce(code fault.Code, severity fault.Severity, e *page.Element, text, message string) {
	if p.judged.e != e {
		p.judged.e, p.judged.found = e, p.judged.found[:0]
	}
	key := string(code) + " " + text
	if slices.Contains(p.judged.found, key) {
		return
	}
	p.judged.found = append(p.judged.found, key)
	p.to.Notice(fault.Notice{Code: code, Severity: severity, Pos: e.Pos, Message: message, Excerpt: fault.Excerpt([]byte(text))})
}
