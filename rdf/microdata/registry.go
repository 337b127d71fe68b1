package microdata

import (
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// registry is the vocabulary registry of the W3C (Microdata to RDF §3). It holds prefixes of types
// that are a vocabulary whatever follows them, and the properties in it that say what another property
// says too.
var registry = []struct {
	prefix string
	also   map[string]string // by name: the property that every statement is made with too
}{
	{"http://schema.org/", map[string]string{"additionalType": rdf.Type}},
	{"http://microformats.org/profile/hcard", nil},
}

// vocabularyOf is what names are appended to in an item of that type.
func vocabularyOf(typ string) string {
	for i := range registry {
		if strings.HasPrefix(typ, registry[i].prefix) {
			return registry[i].prefix
		}
	}
	if i := strings.IndexByte(typ, '#'); i >= 0 {
		return typ[:i+1]
	}
	path, _, _ := strings.Cut(typ, "?")
	return path[:strings.LastIndexByte(path, '/')+1]
}

// alsoOf is the property that says what a name of the vocabulary says too; "" if none.
func alsoOf(vocabulary, name string) string {
	for i := range registry {
		if registry[i].prefix == vocabulary {
			return registry[i].also[name]
		}
	}
	return ""
}

// predicate is the IRI of a name in @itemprop (§4.3); false if it has none.
func (r *reader) predicate(name string, s *scope, k *known) (string, bool) {
	if n := rfc3986.SchemeLength([]byte(name)); n > 0 {
		if !schemes[strings.ToLower(name[:n])] && !strings.HasPrefix(name[n:], "://") {
			r.warn(fault.MicrodataPrefix, k.e, name, "Microdata knows no prefixes, so that %q is an IRI as it is", name)
		}
		return name, true
	}
	vocabulary := s.vocabulary
	if s.typ == "" {
		base, _, _ := strings.Cut(r.resolve(k.base, "", k.e.Pos), "#")
		if !rfc3986.IsAbsolute([]byte(base)) {
			return "", false
		}
		vocabulary = base + "#"
	} else if !strings.HasSuffix(vocabulary, "#") && !strings.HasSuffix(vocabulary, "/") {
		vocabulary += "#"
	}
	return vocabulary + fragment(name), true
}

// fragment writes a name as a fragment of an IRI, as browsers do.
func fragment(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c <= ' ', c == 0x7F, c == '"', c == '<', c == '>', c == '`':
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// schemes are those of IRIs that leave no doubt that an IRI is meant.
var schemes = map[string]bool{"http": true, "https": true, "urn": true, "mailto": true, "tag": true, "ftp": true,
	"info": true, "doi": true, "data": true, "file": true, "ni": true, "tel": true, "did": true, "geo": true, "news": true}

// reference is what the text of an attribute that holds an IRI means, without the white space that
// HTML allows around it. It is an IRI, or the blank node in its place.
func (r *reader) reference(base, text string, e *page.Element) term {
	ref := rdf.TrimReference([]byte(text))
	trimmed := len(ref) < len(text)
	if trimmed {
		r.repair(fault.IRITrimmed, e, text, "white space around an IRI was cut off")
	}
	if label, ok := rdf.BlankNodeIn(ref); ok {
		r.repair(fault.BlankNodeIRI, e, text, rdf.NodeForIRI)
		return term{kind: rdf.BlankNode, value: string(label), pos: e.Pos, repaired: true}
	}
	r.judge(base, string(ref), e)
	return term{kind: rdf.IRI, value: r.resolve(base, string(ref), e.Pos), pos: e.Pos, repaired: trimmed}
}

// judge warns of text that is no reference, or is hardly meant as one.
func (r *reader) judge(base, ref string, e *page.Element) {
	if rfc3986.IsAbsolute([]byte(ref)) || base == "" {
		return
	}
	if code, message := rdf.JudgeReference([]byte(ref)); code != "" {
		r.warn(code, e, ref, "%s", message)
	}
}

// resolve resolves an IRI against a base (RFC 3986 §5.2.2); without a base it stays
// as it is.
func (r *reader) resolve(base, iri string, pos fault.Pos) string {
	switch {
	case rfc3986.IsAbsolute([]byte(iri)):
		return string(rfc3986.AppendResolved(nil, nil, []byte(iri)))
	case base == "":
		return iri
	case r.in.BaseIsFile && !r.fileTold && base == r.in.Base:
		r.fileTold = true
		r.to.Notice(fault.Notice{Code: fault.IRIRelative, Severity: fault.Warning, Pos: pos,
			Message: "a relative IRI was resolved against the place of the file on this machine", Excerpt: fault.Excerpt([]byte(iri))})
	}
	return string(rfc3986.AppendResolved(nil, []byte(base), []byte(iri)))
}

func trim(s string) string { return strings.TrimFunc(s, page.IsSpace) }

func fields(s string) []string { return strings.FieldsFunc(s, page.IsSpace) }
