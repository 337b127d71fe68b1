package match

import (
	"strings"

	"github.com/antchfx/xpath"
	"golang.org/x/net/html"

	"laundromat/records"
	"laundromat/records/spec"
)

// Source is what kind of input the selectors of a spec work on.
type Source uint8

// The sources. Unknown takes each selector for what it looks like, and refuses those of the
// wrong kind when the input is there.
const (
	Unknown Source = iota
	HTML
	XML
	JSON // values and the rows of tables
)

var sourceNames = [...]string{"input of any kind", "a page in HTML", "a document in XML", "a JSON value or a row"}

// selector finds elements or values. It is of one kind; for an unknown source one in CSS may
// also be the name of a member.
type selector struct {
	node *spec.Node
	text string // as it is written in the spec

	chains []chain
	xpath  *xpath.Expr
	query  *query
	member string // for JSON: the name of a member, which comes before the query
	css    string // what an old path was rewritten to
}

const xpathPrefix = "xpath:"

// selector compiles a selector, or refuses it with its place.
func (c *compiler) selector(node *spec.Node) (*selector, error) {
	text := strings.TrimSpace(node.Text)
	s := &selector{node: node, text: text}
	var err error
	switch {
	case strings.HasPrefix(text, xpathPrefix):
		if c.opt.Source == JSON {
			return nil, node.Errorf("XPath selects from pages and XML, not from %s: write JSONPath ($.name)", sourceNames[JSON])
		}
		s.xpath, err = parseXPath(strings.TrimSpace(text[len(xpathPrefix):]))
	case strings.HasPrefix(text, "$"):
		if c.opt.Source == HTML || c.opt.Source == XML {
			return nil, node.Errorf("JSONPath selects from JSON, not from %s: write CSS or xpath:", sourceNames[c.opt.Source])
		}
		s.query, err = parseQuery(text)
	case c.opt.Source == JSON:
		s.member = node.Text
		// What can't be read as a path is the name of a member all the same.
		s.query, _ = parseQuery("$." + text)
	default:
		if err = c.css(s, node); c.opt.Source == Unknown {
			s.member = node.Text
			if s.query, _ = parseQuery("$." + text); s.query != nil {
				err = nil
			}
		}
	}
	if err != nil {
		return nil, node.Errorf("%v", err)
	}
	c.selectors = append(c.selectors, s)
	return s, nil
}

func (c *compiler) css(s *selector, node *spec.Node) (err error) {
	if !isOldPath(s.text, c.opt.Source == XML) {
		s.chains, err = parseCSS(s.text, false)
		return err
	}
	if s.css, err = rewriteOldPath(s.text); err != nil {
		return err
	}
	if s.chains, err = parseCSS(s.css, !strings.HasPrefix(s.text, "/") || strings.HasPrefix(s.text, "//")); err == nil {
		c.note(node, oldPath, "the old path "+quoted(s.text)+" is read as the selector "+quoted(s.css))
	}
	return err
}

// check refuses a selector that does not work on the source.
func (s *selector) check(source Source) error {
	switch {
	case source == JSON && s.query == nil && s.member == "":
		return s.node.Errorf("the selector %q does not select from %s: write JSONPath ($.name)", s.text, sourceNames[JSON])
	case source != JSON && s.chains == nil && s.xpath == nil:
		return s.node.Errorf("the selector %q does not select from %s: write CSS or xpath:", s.text, sourceNames[source])
	}
	return nil
}

// each calls f with each thing that the selector finds at an item, in the order of the
// document, until f returns false.
func (r *run) each(s *selector, at item, f func(item) bool) {
	switch {
	case r.tree == nil:
		r.eachValue(s, at, f)
	case s.xpath != nil:
		if at.kind != elementItem {
			return
		}
		items, err := r.evaluateXPath(s.xpath, at.el)
		if err != nil {
			r.warn(at, selectorFailed, "the expression "+quoted(s.text)+" failed: "+err.Error())
			return
		}
		for _, i := range items {
			if !f(i) {
				return
			}
		}
	case at.kind == elementItem:
		r.eachElement(s, at.el, f)
	}
}

func (r *run) eachElement(s *selector, scope *html.Node, f func(item) bool) {
	under, first := scope, scope.FirstChild
	for i := range s.chains {
		if s.chains[i].fromSiblings() && scope.Parent != nil {
			// What comes before the current node is none of what follows it.
			under, first = scope.Parent, scope
		}
	}
	if s.chains == nil {
		return
	}
	r.descend(s, under, first, scope, f)
}

// descend goes through all elements under a node, from the first on, in document order.
func (r *run) descend(s *selector, under, first, scope *html.Node, f func(item) bool) {
	for n := first; n != nil; {
		if n.Type == html.ElementNode {
			if r.steps <= 0 {
				return
			}
			for i := range s.chains {
				c := &s.chains[i]
				if c.at(r, n, len(c.steps)-1, scope) == fits && (under == scope || inside(n, scope) || c.fromSiblings()) {
					if !f(item{kind: elementItem, el: n}) {
						return
					}
					break
				}
			}
		}
		switch {
		case n.FirstChild != nil && (n.Type != html.ElementNode || n.Data != "template"):
			n = n.FirstChild
		default:
			for n.NextSibling == nil {
				if n = n.Parent; n == under || n == nil {
					return
				}
			}
			n = n.NextSibling
		}
	}
}

func inside(n, scope *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if p == scope {
			return true
		}
	}
	return false
}

func (r *run) eachValue(s *selector, at item, f func(item) bool) {
	if at.kind != valueItem {
		return
	}
	if s.member != "" {
		for i := range at.json.value.Fields {
			if at.json.value.Fields[i].Name == s.member {
				f(item{kind: valueItem, json: at.json.member(i)})
				return
			}
		}
	}
	if s.query != nil {
		r.selectValues(s.query, at.json, func(j jsonItem) bool { return f(item{kind: valueItem, json: j}) })
	}
}

// every calls f with each thing that the selector finds at an item, as each does. Where several elements of XML
// are one value, f is called with each of them.
func (r *run) every(s *selector, at item, f func(item) bool) {
	r.each(s, at, func(i item) bool {
		if i.kind != valueItem || !i.json.several || i.json.value.Kind != records.List {
			return f(i)
		}
		for n := range i.json.value.Items {
			if !f(item{kind: valueItem, json: i.json.item(n)}) {
				return false
			}
		}
		return true
	})
}

// first is the first thing that a selector finds. Without a selector it is the item itself.
func (r *run) first(s *selector, at item) (found item, ok bool) {
	if s == nil {
		return at, true
	}
	r.each(s, at, func(i item) bool {
		found, ok = i, true
		return false
	})
	return found, ok
}

// itemKind is the kind of what a selector finds.
type itemKind uint8

const (
	elementItem itemKind = iota
	textItem             // a text or an attribute that XPath found
	numberItem
	boolItem
	valueItem // a value of JSON
)

// item is what a selector finds.
type item struct {
	kind itemKind
	el   *html.Node // the element, or that which the text is of
	attr string     // the attribute that the text is the value of
	text string
	json jsonItem
}

// value is an item as a value: of an element the stripped text, of JSON the value as it is.
func (r *run) value(at item) (v records.Value, from origin) {
	switch at.kind {
	case textItem:
		if at.attr != "" {
			return records.TextOf(at.text), origin{el: at.el, attr: at.attr}
		}
		return records.TextOf(strip(at.text)), origin{el: at.el}
	case numberItem:
		return records.NumberOf(at.text), origin{el: at.el}
	case boolItem:
		return records.BoolOf(at.text == "true"), origin{el: at.el}
	case valueItem:
		return *at.json.value, origin{pos: at.json.pos}
	}
	r.see(at.el)
	return records.TextOf(r.keep(strip(r.tree.seenText(at.el, true)))), origin{el: at.el, part: ofText}
}
