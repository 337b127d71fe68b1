// Package weblink reads the links of a document: its Link headers (RFC 8288), and the link elements of
// a page in HTML.
//
//	for _, link := range weblink.Parse(reply.Header.Values("Link")) {
//		if link.Has("alternate") && link.Type == "text/turtle" { … }
//	}
//
// Both are dirty. What can't be read of a header costs that link alone; the next one
// that begins with "<" is read.
package weblink

import (
	"slices"
	"strings"
)

// Link is a link from the current document.
type Link struct {
	Target string   // as it is there: a reference, perhaps a relative one
	Rel    []string // its relations, in lower case
	Type   string   // media type of the target, in lower case, without parameters; "" if it is not said
	Anchor string   // what it is a link of, if not of the document: a reference
}

// Has says that a link has a relation, given in lower case.
func (l *Link) Has(rel string) bool { return slices.Contains(l.Rel, rel) }

const (
	maxHeader = 64 << 10 // bytes of one header that are read
	maxLinks  = 1000     // links of one header
)

// Parse reads the values of Link headers (RFC 8288 §3, appendix B.2). Of one header at
// most 64 kB and 1,000 links are read.
func Parse(values []string) (links []Link) {
	for _, value := range values {
		p := parser{rest: value[:min(len(value), maxHeader)]}
		for n := 0; n < maxLinks; n++ {
			link, ok := p.link()
			if !ok {
				break
			}
			links = append(links, link)
		}
	}
	return links
}

type parser struct{ rest string }

const white = " \t"

// link reads the next link.
func (p *parser) link() (Link, bool) {
	start := strings.IndexByte(p.rest, '<')
	if start < 0 {
		return Link{}, false
	}
	target, rest, closed := strings.Cut(p.rest[start+1:], ">")
	if !closed {
		return Link{}, false
	}
	link := Link{Target: strings.TrimSpace(target)}
	p.rest = rest
	seen := map[string]bool{}
	for {
		p.rest = strings.TrimLeft(p.rest, white)
		after, more := strings.CutPrefix(p.rest, ";")
		if !more {
			return link, true
		}
		p.rest = strings.TrimLeft(after, white)
		name, value := p.parameter()
		if seen[name] {
			continue // the first one counts (RFC 8288 §3.3, §3.4.1)
		}
		seen[name] = true
		switch name {
		case "rel":
			link.Rel = strings.Fields(strings.ToLower(value))
		case "type":
			link.Type = mediaType(value)
		case "anchor":
			link.Anchor = strings.TrimSpace(value)
		}
	}
}

// parameter reads a name and its value: a token, or a quoted string.
func (p *parser) parameter() (name, value string) {
	end := strings.IndexAny(p.rest, "=;,")
	if end < 0 {
		end = len(p.rest)
	}
	name = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(p.rest[:end]), "*"))
	if p.rest = p.rest[end:]; !strings.HasPrefix(p.rest, "=") {
		return name, ""
	}
	p.rest = strings.TrimLeft(p.rest[1:], white)
	if quoted, ok := strings.CutPrefix(p.rest, `"`); ok {
		var b strings.Builder
		for i := 0; i < len(quoted); i++ {
			switch c := quoted[i]; {
			case c == '"':
				p.rest = quoted[i+1:]
				return name, b.String()
			case c == '\\' && i+1 < len(quoted):
				i++
				b.WriteByte(quoted[i])
			default:
				b.WriteByte(c)
			}
		}
		p.rest = ""
		return name, b.String()
	}
	if end = strings.IndexAny(p.rest, ";,"); end < 0 {
		end = len(p.rest)
	}
	value, p.rest = strings.TrimSpace(p.rest[:end]), p.rest[end:]
	return name, value
}

func mediaType(value string) string {
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(value))
}
