package rdfa

import (
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// names are the prefixes, terms and vocabulary in force at an element. They are
// shared by the elements below that change none of them.
type names struct {
	outer    *names
	prefixes map[string]string // in lower case
	order    []string          // as they were declared, for XML literals
	vocab    string
	repaired bool // an attribute that declares them was
}

// prefix finds a prefix, and says whether its declaration was repaired.
func (n *names) prefix(name string) (iri string, repaired, ok bool) {
	for ; n != nil; n = n.outer {
		if iri, ok := n.prefixes[name]; ok {
			return iri, n.repaired, true
		}
	}
	return "", false, false
}

const xhv = "http://www.w3.org/1999/xhtml/vocab#"

// coreTerms are the terms of the RDFa initial context.
var coreTerms = map[string]string{
	"describedby": "http://www.w3.org/2007/05/powder-s#describedby",
	"license":     xhv + "license",
	"role":        xhv + "role",
}

// xhtmlTerms are the further terms of XHTML+RDFa.
var xhtmlTerms = func() map[string]string {
	terms := map[string]string{}
	for name := range strings.FieldsSeq(`alternate appendix bookmark chapter cite contents copyright first glossary
		help icon index itsRules last license meta next p3pv1 prev previous role section start stylesheet
		subsection top up`) {
		terms[name] = xhv + name
	}
	return terms
}()

// declare takes the prefixes and the vocabulary that an element declares.
func (p *processor) declare(e *page.Element, outer *names) *names {
	var own *names
	add := func(prefix, iri string) {
		if own == nil {
			own = &names{outer: outer, vocab: outer.vocab, prefixes: map[string]string{}}
		}
		prefix = strings.ToLower(prefix)
		if p.in.Base != "" && !rfc3986.IsAbsolute([]byte(iri)) {
			p.judgeName(iri, e)
			// A base element has no part in this.
			iri = string(rfc3986.AppendResolved(nil, []byte(p.in.Base), []byte(iri)))
		}
		if _, known := own.prefixes[prefix]; !known {
			own.order = append(own.order, prefix)
		}
		own.prefixes[prefix] = iri
		p.in.DeclarePrefix([]byte(prefix), []byte(iri))
	}
	for i := range e.Attrs {
		if prefix, ok := strings.CutPrefix(e.Attrs[i].Name, "xmlns:"); ok && prefix != "" && prefix != "_" {
			add(prefix, e.Attrs[i].Value)
		}
	}
	if v, ok := e.Get("prefix"); ok {
		fields := strings.FieldsFunc(v, page.IsSpace)
		for i := 0; i < len(fields); i++ {
			prefix, found := strings.CutSuffix(fields[i], ":")
			switch {
			case !found || strings.Contains(prefix, ":"):
				p.warn(fault.RDFaPrefix, e, fields[i], "@prefix wants pairs of a prefix with a colon and an IRI; %q is passed over",
					fields[i])
			case i+1 == len(fields):
				p.warn(fault.RDFaPrefix, e, fields[i], "the prefix %q has no IRI, and is passed over", fields[i])
			case prefix == "" || prefix == "_":
				p.warn(fault.RDFaPrefix, e, fields[i], "the prefix %q can't be declared, and is passed over", fields[i])
				i++
			default:
				i++
				add(prefix, fields[i])
			}
		}
	}
	if v, ok := e.Get("vocab"); ok {
		if own == nil {
			own = &names{outer: outer}
		}
		own.vocab = ""
		if v = strings.TrimFunc(v, page.IsSpace); v != "" {
			p.judgeName(v, e)
			own.vocab = p.resolve(v, e.Pos)
			p.add(p.baseTerm(e), iriTerm(rdfaNS+"usesVocabulary", e), iriTerm(own.vocab, e), e)
		}
	}
	if own == nil {
		return outer
	}
	own.repaired = mended(e)
	return own
}

const rdfaNS = "http://www.w3.org/ns/rdfa#"

// curie expands a CURIE whose prefix is declared (RDFa Core 1.1 §6).
func (p *processor) curie(n *names, s string, e *page.Element) (term, bool) {
	prefix, rest, found := strings.Cut(s, ":")
	switch {
	case !found:
		return term{}, false
	case prefix == "_":
		return p.blank(rest, e), true
	case prefix == "":
		return iriTerm(xhv+rest, e), true
	}
	lower := strings.ToLower(prefix)
	if iri, repaired, ok := n.prefix(lower); ok {
		t := iriTerm(p.join(iri, rest, e), e)
		t.repaired = t.repaired || repaired
		return t, true
	}
	if iri, ok := rdf.InitialContext[lower]; ok && !strings.HasPrefix(rest, "//") {
		return iriTerm(iri+rest, e), true
	}
	return term{}, false
}

// resource reads the value of @about or @resource: a safe CURIE, a CURIE or an IRI.
func (p *processor) resource(n *names, value string, e *page.Element) (term, bool) {
	s := strings.TrimFunc(value, page.IsSpace)
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		t, ok := p.curie(n, s[1:len(s)-1], e)
		if !ok && s != "[]" {
			p.warn(fault.RDFaName, e, s, "the CURIE %s has no prefix that is declared; the attribute is passed over", s)
		}
		return t, ok
	}
	if t, ok := p.curie(n, s, e); ok && !strings.HasPrefix(s, ":") {
		return t, true
	}
	return p.reference(s, e), true
}

// word reads one value of @property, @rel, @rev, @typeof or @datatype: a term, a
// CURIE or an absolute IRI.
func (p *processor) word(n *names, s, attribute string, e *page.Element) (term, bool) {
	if !strings.Contains(s, ":") {
		if !isTerm(s) {
			p.warn(fault.RDFaName, e, s, "%q in @%s isn't a term, a CURIE or an absolute IRI; it is passed over", s, attribute)
			return term{}, false
		}
		if n.vocab != "" {
			return iriTerm(p.join(n.vocab, s, e), e), true
		}
		if iri, ok := p.terms[s]; ok {
			return iriTerm(iri, e), true
		}
		if iri, ok := p.terms[strings.ToLower(s)]; ok {
			return iriTerm(iri, e), true
		}
		if attribute != "rel" && attribute != "rev" {
			p.warn(fault.RDFaTerm, e, s, "the term %q in @%s has no meaning, since no vocabulary is declared; it is passed over", s,
				attribute)
		}
		return term{}, false
	}
	if t, ok := p.curie(n, s, e); ok {
		if t.kind == rdf.BlankNode && attribute != "typeof" {
			p.warn(fault.RDFaName, e, s, "a blank node can't occur in @%s; it is passed over", attribute)
			return term{}, false
		}
		return t, true
	}
	length := rfc3986.SchemeLength([]byte(s))
	if length == 0 {
		p.warn(fault.RDFaName, e, s, "%q in @%s isn't a term, a CURIE or an absolute IRI; it is passed over", s, attribute)
		return term{}, false
	}
	if !schemes[strings.ToLower(s[:length])] && !strings.HasPrefix(s[length:], "://") {
		p.warn(fault.RDFaUndeclaredPrefix, e, s, "the prefix %q is not declared, so that %q is an IRI as it is", s[:length], s)
	}
	return iriTerm(s, e), true
}

// isTerm says that a word has the form of a term (RDFa Core §7.4.3). What has another is most often
// a piece of mark-up after a quotation mark that is missing.
func isTerm(s string) bool {
	for i, r := range s {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', r == '_', r >= 0x80:
		case i > 0 && ('0' <= r && r <= '9' || r == '-' || r == '.' || r == '/'):
		default:
			return false
		}
	}
	return s != ""
}

// schemes are those of IRIs that leave no doubt that an IRI is meant.
var schemes = map[string]bool{"http": true, "https": true, "urn": true, "mailto": true, "tag": true, "ftp": true,
	"info": true, "doi": true, "data": true, "file": true, "ni": true, "tel": true, "did": true, "geo": true, "news": true}

// words reads a list of them.
func (p *processor) words(n *names, value, attribute string, e *page.Element) (all []term) {
	count := 0
	for s := range strings.FieldsFuncSeq(value, page.IsSpace) {
		if count++; count > page.MaxWords {
			p.to.Notice(fault.Notice{Code: fault.LimitExpansion, Severity: fault.Drop, Pos: e.Pos, Lost: 1,
				Message: fmt.Sprintf("@%s lists more than %d words; the others are lost", attribute, page.MaxWords),
				Excerpt: fault.Excerpt([]byte(s))})
			break
		}
		if t, ok := p.word(n, s, attribute, e); ok {
			all = append(all, t)
		}
	}
	return all
}
