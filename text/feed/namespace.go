package feed

import (
	"bytes"
	"strings"

	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
)

// namespaces are those of which elements are read, each with the prefix that names it in this package. They are in
// lower case, without a slash at the end. Elements of RSS have no prefix. Those of Atom have none either, but types.
var namespaces = map[string]string{
	"http://www.w3.org/2005/atom": "atom", "http://purl.org/atom/ns#": "atom", "http://example.com/newformat#": "atom",
	"http://purl.org/rss/1.0": "", "http://my.netscape.com/rdf/simple/0.9": "", "http://channel.netscape.com/rdf/simple/0.9": "",
	"http://purl.org/net/rss1.1#": "", "http://backend.userland.com/rss": "", "http://backend.userland.com/rss2": "",
	"http://blogs.law.harvard.edu/tech/rss": "",
	"http://cyber.law.harvard.edu/rss":      "", "http://www.rssboard.org/rss-specification": "", "http://purl.org/rss/2.0": "",
	"http://purl.org/rss/1.0/modules/content": "content",
	"http://purl.org/dc/elements/1.1":         "dc", "http://purl.org/dc/elements/1.0": "dc", "http://purl.org/dc/terms": "dcterms",
	"http://www.itunes.com/dtds/podcast-1.0.dtd": "itunes", "http://example.com/dtds/podcast-1.0.dtd": "itunes",
	"http://search.yahoo.com/mrss": "media", "http://www.w3.org/1999/xhtml": "xhtml",
	"http://rssnamespace.org/feedburner/ext/1.0": "feedburner", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
}

// undeclared are prefixes that mean what they always do where a feed forgets to declare them.
var undeclared = map[string]string{"atom": "atom", "a10": "atom", "rss": "", "content": "content", "dc": "dc", "dcterms": "dcterms",
	"itunes": "itunes",
	"media":  "media", "xhtml": "xhtml", "html": "xhtml", "feedburner": "feedburner", "rdf": "rdf"}

// another is the prefix of all other namespaces.
const another = "?"

// scope is what an element hands down to those in it.
type scope struct {
	name     string // of the element, in lower case
	bindings []binding
	base     string // of xml:base; empty if no element around has one
}

type binding struct{ prefix, uri string }

// within is the scope of an element in s.
func (s scope) within(tags *page.Tags, source []byte, url string) scope {
	inner := scope{name: strings.ToLower(tags.Name()), bindings: s.bindings, base: s.base}
	raw := source[tags.From:tags.To]
	if !bytes.Contains(raw, []byte("xml")) {
		return inner
	}
	for _, a := range tags.Attrs() {
		prefix, isBinding := strings.CutPrefix(a.Name, "xmlns:")
		switch {
		case a.Name == "xml:base":
			if base := strings.TrimSpace(a.Value); base != "" {
				inner.base = resolve(s.base, url, base)
			}
		case isBinding || a.Name == "xmlns":
			if !isBinding {
				prefix = ""
			}
			// never in place: an element beside this one may share what stands before
			inner.bindings = append(inner.bindings[:len(inner.bindings):len(inner.bindings)], binding{prefix, strings.TrimSpace(a.Value)})
		}
	}
	return inner
}

// prefixOf is the prefix that elements of a namespace have in s, with its colon; empty if they have none.
func (s *scope) prefixOf(space string) string {
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if b := &s.bindings[i]; b.prefix != "" {
			if of, ok := known(b.uri); ok && of == space {
				return b.prefix + ":"
			}
		}
	}
	return ""
}

// resolve resolves a reference against a base, and that against the URL of the feed.
func resolve(base, url, reference string) string {
	if base == "" {
		base = url
	}
	return string(rfc3986.AppendResolved(nil, []byte(base), []byte(reference)))
}

// dialect is how a feed names what is its own.
type dialect struct {
	isAtom bool   // what has no namespace is Atom's
	uri    string // of the root, if it is none that is known: what has it is the feed's own
}

// known is the prefix of this package for a namespace.
func known(uri string) (prefix string, ok bool) {
	prefix, ok = namespaces[strings.TrimSuffix(strings.ToLower(uri), "/")]
	return prefix, ok
}

// name is the name of an element as this package knows it, and whether it is Atom's. Those of RSS and Atom have no
// prefix.
func (d *dialect) name(qualified string, s *scope) (name string, isAtom bool) {
	qualified = strings.ToLower(qualified)
	prefix, local := "", qualified
	if i := strings.IndexByte(qualified, ':'); i >= 0 {
		prefix, local = qualified[:i], qualified[i+1:]
	}
	space, isDeclared := another, false
	for i := len(s.bindings) - 1; i >= 0 && !isDeclared; i-- {
		b := &s.bindings[i]
		if isDeclared = b.prefix == prefix; !isDeclared {
			continue
		}
		var ok bool
		if space, ok = known(b.uri); !ok {
			if space = another; b.uri == d.uri || b.uri == "" {
				space = d.own()
			}
		}
	}
	if !isDeclared {
		var ok bool
		if space, ok = undeclared[prefix]; !ok {
			space = another
		}
		if prefix == "" {
			space = d.own()
		}
	}
	switch space {
	case "", "atom":
		return local, space == "atom"
	}
	return space + ":" + local, false
}

func (d *dialect) own() string {
	if d.isAtom {
		return "atom"
	}
	return ""
}

// root finds out how a feed names what is its own, by the tag of its root. Not ok if that is the root of no feed.
func root(tags *page.Tags, prefix []byte) (d dialect, ok bool) {
	s := scope{}.within(tags, prefix, "")
	name := s.name
	bound, local := "", name
	if i := strings.IndexByte(name, ':'); i >= 0 {
		bound, local = name[:i], name[i+1:]
	}
	uri := ""
	for _, b := range s.bindings {
		if b.prefix == bound {
			uri = b.uri
		}
	}
	space, isKnown := known(uri)
	if uri != "" && !isKnown {
		d.uri = uri
	}
	switch local {
	case "rss":
		return d, true
	case "feed", "entry":
		d.isAtom = true
		tag := bytes.ToLower(prefix[tags.From:tags.To])
		return d, isKnown && space == "atom" || local == "feed" && bytes.Contains(tag, []byte("atom"))
	case "channel": // RSS 1.1, or a channel that lost what is around it
		return d, uri == "" || isKnown && space == ""
	case "rdf":
		for _, of := range []string{"http://purl.org/rss/1.0/", "netscape.com/rdf/simple/0.9", "http://purl.org/net/rss1.1#"} {
			if bytes.Contains(prefix, []byte(of)) {
				return d, true
			}
		}
	}
	return d, false
}
