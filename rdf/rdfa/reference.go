package rdfa

import (
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// reference is what the text of an attribute that holds an IRI means, without the white space that
// HTML allows around it. It is an IRI, or the blank node in its place.
//
// What is wrong with it is reported where a statement is made with it: most links of a page say
// nothing in RDFa.
func (p *processor) reference(text string, e *page.Element) term {
	ref := rdf.TrimReference([]byte(text))
	if len(ref) == len(text) && rfc3986.IsAbsolute(ref) {
		return iriTerm(p.resolve(text, e.Pos), e)
	}
	found := p.findings(text, e)
	note := func(code fault.Code, severity fault.Severity, message string) {
		if !found.told {
			found.notices = append(found.notices, fault.Notice{Code: code, Severity: severity, Pos: e.Pos,
				Message: message, Excerpt: fault.Excerpt([]byte(text))})
		}
	}
	found.notices = nil
	trimmed := len(ref) < len(text)
	if trimmed {
		note(fault.IRITrimmed, fault.Repair, "white space around an IRI was cut off")
	}
	var t term
	if label, ok := rdf.BlankNodeIn(ref); ok {
		note(fault.BlankNodeIRI, fault.Repair, rdf.NodeForIRI)
		t = p.blank(string(label), e)
		t.repaired = true
	} else {
		if code, message := p.judge(string(ref)); code != "" {
			note(code, fault.Warning, message)
		}
		t = iriTerm(p.resolve(string(ref), e.Pos), e)
		t.repaired = t.repaired || trimmed
	}
	if len(found.notices) > 0 {
		t.found = found
	}
	return t
}

// findings are what was found in a reference; they are reported once a statement is made with it.
type findings struct {
	text    string
	notices []fault.Notice
	told    bool
}

// findings are those of a text in the attributes of e, which are the same however often it is looked at.
func (p *processor) findings(text string, e *page.Element) *findings {
	if p.judged.e != e {
		p.judged.e, p.judged.found = e, nil
	}
	for _, f := range p.judged.found {
		if f.text == text {
			return f
		}
	}
	f := &findings{text: text}
	p.judged.found = append(p.judged.found, f)
	return f
}

// tell says what was found in the reference that t was made of.
func (p *processor) tell(t *term) {
	if t.found == nil || t.found.told {
		return
	}
	for _, n := range t.found.notices {
		p.to.Notice(n)
	}
	t.found.told = true
}

// judge is [rdf.JudgeReference] for what may be absolute, or have no base to be resolved against.
func (p *processor) judge(ref string) (code fault.Code, message string) {
	if p.base == "" || rfc3986.IsAbsolute([]byte(ref)) {
		return "", ""
	}
	return rdf.JudgeReference([]byte(ref))
}

// judgeName warns of the text of a base or namespace.
func (p *processor) judgeName(ref string, e *page.Element) {
	if code, message := p.judge(ref); code != "" {
		p.warn(code, e, ref, "%s", message)
	}
}

// join puts a name after its namespace.
func (p *processor) join(namespace, name string, e *page.Element) string {
	if p.hosts.RunInto([]byte(namespace), []byte(name)) {
		p.warn(fault.IRINamespaceEnd, e, namespace+name, "%s", rdf.NameInHost([]byte(namespace)))
	}
	return namespace + name
}
