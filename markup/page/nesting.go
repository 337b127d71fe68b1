package page

import (
	"bytes"
	"slices"

	"golang.org/x/net/html"
)

// nesting leaves tags out of a page that is nested too deeply, as far as tags alone can show. The first to
// go are those that say nothing, whose loss changes no statement.
type nesting struct {
	depth   int // how many elements may be open at once; 0 for any number
	open    []openTag
	written int            // of open, those whose tag was not left out
	names   map[string]int // of open: how many have a name
}

type openTag struct {
	name    string
	written bool
}

// plainShare is the part of the depth that tags that say nothing may take.
const plainShare = 5

// skips says that a token is a tag to be left out, and whether that costs anything.
func (n *nesting) skips(kind html.TokenType, raw []byte) (skip, costs bool) {
	if n.depth == 0 || kind != html.StartTagToken && kind != html.EndTagToken {
		return false, false
	}
	name := nameOf(raw)
	if neverHolds[name] {
		return false, false
	}
	if kind == html.StartTagToken {
		if last := len(n.open) - 1; last >= 0 && n.open[last].name == name && endsItsLike[name] {
			n.closeFrom(last)
		}
		costs = says(raw)
		skip = n.written >= n.depth || !costs && n.written >= n.depth/plainShare
		if n.names == nil {
			n.names = map[string]int{}
		}
		n.open = append(n.open, openTag{name, !skip})
		n.names[name]++
		if !skip {
			n.written++
		}
		return skip, skip && costs
	}
	for i := len(n.open) - 1; i >= 0 && n.names[name] > 0; i-- {
		if n.open[i].name == name {
			skip = !n.open[i].written
			n.closeFrom(i)
			return skip, false
		}
	}
	return false, false
}

// closeFrom closes the i-th open element and all in it.
func (n *nesting) closeFrom(i int) {
	for _, tag := range n.open[i:] {
		n.names[tag.name]--
		if tag.written {
			n.written--
		}
	}
	n.open = n.open[:i]
}

// telling are parts of the attributes that RDFa and Microdata read on any element, and
// of those that others refer to.
var telling = [][]byte{[]byte("property"), []byte("about"), []byte("typeof"), []byte("resource"), []byte("href"), []byte("src"),
	[]byte("rel"), []byte("rev"), []byte("vocab"), []byte("prefix"), []byte("xmlns"), []byte("item"), []byte("lang"), []byte("id")}

// says that a start tag may bear on a statement.
func says(raw []byte) bool {
	if bytes.IndexByte(raw, '=') < 0 && bytes.IndexByte(raw, ' ') < 0 {
		return false
	}
	lower := bytes.ToLower(raw)
	return slices.ContainsFunc(telling, func(part []byte) bool { return bytes.Contains(lower, part) })
}

// nameOf is the name in a tag, in lower case.
func nameOf(raw []byte) string {
	raw = bytes.TrimLeft(raw, "</")
	if end := bytes.IndexAny(raw, " \t\r\n\f/>"); end >= 0 {
		raw = raw[:end]
	}
	return string(bytes.ToLower(raw))
}

// neverHolds are the elements of HTML that no other can be in: they have no end tag,
// or hold text alone.
var neverHolds = set("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
	"script", "style", "title", "textarea", "html", "head", "body")

// endsItsLike are those whose start tag ends another of the name before it.
var endsItsLike = set("p", "li", "dt", "dd", "option", "tr", "td", "th")

func set(names ...string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, name := range names {
		all[name] = true
	}
	return all
}
