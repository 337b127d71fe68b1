package jsonld

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/jsonread"
	"laundromat/rdf"
)

// iriRole says what a string may be that means an IRI.
type iriRole struct {
	relative bool // relative to the base IRI
	vocab    bool // a term, or relative to @vocab
	// within are the definitions that need it, and may have to make that of a term first; nil for none.
	within *defining
}

// expandIRI finds what a string means (JSON-LD 1.1 API §5.2). ok is false if it means nothing (null).
func (e *expander) expandIRI(a *active, s string, at *jsonread.Value, as iriRole) (iri string, ok bool, f *failure) {
	if as.relative || as.within != nil {
		cut := e.trim(s, at)
		if as.within != nil && len(cut) < len(s) {
			as.within.active.mended = true
		}
		s = cut
	}
	if len(s) > 0 && s[0] == '@' {
		if isKeyword(s) {
			return s, true, nil
		}
		if looksLikeKeyword(s) {
			return "", false, nil
		}
	}
	if f := as.within.need(s); f != nil {
		return "", false, f
	}
	if t := a.terms[s]; t != nil && (as.vocab || len(t.iri) > 0 && t.iri[0] == '@' && isKeyword(t.iri)) {
		if t.lost != nil {
			return "", false, t.unknown(s, at)
		}
		return t.iri, t.iri != "", nil
	}
	if e.hides(a, s, as) {
		return "", false, hidden(s, at)
	}
	if colon := strings.IndexByte(s, ':'); colon > 0 {
		if iri, ok, f = e.expandCompact(a, s, colon, at, as); ok || f != nil {
			return iri, ok, f
		}
	} else if e.isUncertain(a, s, as) {
		return "", false, a.doubt(s, at)
	}
	switch {
	case as.vocab && a.hasVocab:
		e.judgeNamespace(a.vocab, s, at)
		return a.vocab + s, true, nil
	case as.relative && a.hasBase:
		return e.resolve(a, s, at.Pos), true, nil
	}
	return s, true, nil
}

// expandCompact finds what a string means that has a colon: as a compact IRI, as an IRI, or as the name
// of a blank node. If it is none of them, ok is false.
func (e *expander) expandCompact(a *active, s string, colon int, at *jsonread.Value, as iriRole) (iri string, ok bool, f *failure) {
	prefix, rest := s[:colon], s[colon+1:]
	if prefix == "_" || strings.HasPrefix(rest, "//") {
		return s, true, nil
	}
	if f := as.within.need(prefix); f != nil {
		return "", false, f
	}
	switch t := a.terms[prefix]; {
	case t != nil && t.lost != nil:
		return "", false, t.unknown(prefix, at)
	case t != nil && t.iri != "" && t.prefix:
		e.judgeNamespace(t.iri, rest, at)
		if as.within == nil {
			return e.join(t.iri, rest), true, nil
		}
		return t.iri + rest, true, nil
	case e.isUncertain(a, s, as):
		return "", false, a.doubt(s, at)
	}
	return s, isIRI(s), nil
}

// trim cuts off the white space around an IRI that is the value at.
func (e *expander) trim(s string, at *jsonread.Value) string {
	if !needsTrim(s) {
		return s
	}
	cut := string(rdf.TrimReference([]byte(s)))
	if len(cut) < len(s) {
		e.say(fault.Notice{Code: fault.IRITrimmed, Severity: fault.Repair, Pos: at.Pos,
			Message: "white space around an IRI was cut off", Excerpt: fault.Excerpt([]byte(s))})
		at.Repaired = true
	}
	return cut
}

// needsTrim says that white space may stand at an end of s.
func needsTrim(s string) bool {
	n := len(s)
	return n > 0 && (s[0] <= ' ' || s[0] >= 0x7F || s[n-1] <= ' ' || s[n-1] >= 0x7F)
}

// judgeNamespace warns of a name that runs into the host of its namespace.
func (e *expander) judgeNamespace(namespace, name string, at *jsonread.Value) {
	if n := len(namespace); n == 0 || namespace[n-1] == '/' || namespace[n-1] == '#' {
		return
	}
	if space := []byte(namespace); e.hosts.RunInto(space, []byte(name)) {
		e.warn(fault.IRINamespaceEnd, at, "%s", rdf.NameInHost(space))
	}
}

// resolve resolves a relative IRI against the base of a context.
func (e *expander) resolve(a *active, s string, pos fault.Pos) string {
	if e.in.BaseIsFile && !e.fileBaseTold && a.base == e.in.Base && !isIRI(s) {
		e.fileBaseTold = true
		e.say(fault.Notice{Code: fault.IRIRelative, Severity: fault.Warning, Pos: pos,
			Message: "a relative IRI was resolved against the place of the file on this machine",
			Excerpt: fault.Excerpt([]byte(s))})
	}
	if !isIRI(s) {
		if code, message := rdf.JudgeReference([]byte(s)); code != "" {
			e.tell(fault.Notice{Code: code, Severity: fault.Warning, Pos: pos, Message: message, Excerpt: fault.Excerpt([]byte(s))})
		}
	}
	if !a.ownBase {
		e.in.UseBase()
	}
	return string(rfc3986.AppendResolved(nil, []byte(a.base), []byte(s)))
}

func isIRI(s string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i] | 0x20; {
		case 'a' <= b && b <= 'z':
		case i > 0 && s[i] == ':':
			return true
		case i > 0 && ('0' <= s[i] && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.'):
		default:
			return false
		}
	}
	return false
}

func isBlank(s string) bool { return strings.HasPrefix(s, "_:") }

// isLanguageType says that a datatype is that of texts in a language: see [rdf.LanguageType].
func isLanguageType(iri string) bool {
	return len(iri) > 0 && iri[len(iri)-1]|0x20 == 'g' && rdf.LanguageType([]byte(iri)) != ""
}

// isKeyword knows the keywords of JSON-LD 1.1 (§1.7).
func isKeyword(s string) bool {
	switch s {
	case "@base", "@container", "@context", "@direction", "@graph", "@id", "@import", "@included", "@index",
		"@json", "@language", "@list", "@nest", "@none", "@prefix", "@propagate", "@protected", "@reverse",
		"@set", "@type", "@value", "@version", "@vocab":
		return true
	}
	return false
}

// looksLikeKeyword: an @ and nothing but letters, which is kept free for the future.
func looksLikeKeyword(s string) bool {
	if len(s) < 2 || s[0] != '@' {
		return false
	}
	for i := 1; i < len(s); i++ {
		if b := s[i] | 0x20; b < 'a' || b > 'z' {
			return false
		}
	}
	return true
}
