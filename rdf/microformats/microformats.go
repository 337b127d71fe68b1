// Package microformats makes statements of the microformats in a page: hCard and hCalendar of the old
// web, h-card and h-event of the new (microformats2 parsing specification).
//
//	p, err := page.Read(ctx, text, page.Options{}, sink)
//	err = microformats.Process(ctx, p, rdf.Input{Base: "http://example.org/"}, sink)
//
// A page is parsed as the specification says, old class names included ([Parse]). People, organizations,
// addresses and places then become W3C's vCard ontology of 2006, and events icaltzd, by one table (see
// vocabulary.go). Items of other types are parsed and make no statements, which is reported once for
// each type of a page; the cards and events in them do.
package microformats

import (
	"slices"
	"strings"

	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
)

// Document is what the microformats of a page say.
type Document struct {
	Items []*Item
	Links []Link // those with a @rel, each URL once, in document order
}

// Item is an element with one or more types, as h-card.
type Item struct {
	Types      []string // sorted, each once
	ID         string   // of its element, where the type is of microformats2
	Properties []Property
	Children   []*Item // those in it that are no value of a property
	Element    *page.Element
}

// Property is a property of an item with its values, in document order.
type Property struct {
	Name   string // without its prefix
	Values []Value
}

// Value is one value of a property.
type Value struct {
	Text    string
	Alt     *string // of an image that a URL is of
	Item    *Item   // that the value is, beside its text
	Element *page.Element
	// Language is that of the element, as @lang gives it; "" if none does.
	Language string

	prefix    byte   // of the property: see property
	words     string // of a URL that is not in an attribute for one: the text that it was resolved from
	reference string // of a URL: as it was before it was resolved
}

// Link is a URL that elements with a @rel lead to; Text and the attributes are those of the first.
type Link struct {
	URL, Text string
	Rels      []string // sorted, each once
	Attrs     []page.Attr
}

// Values are those of a property; nil if the item hasn't got it.
func (i *Item) Values(name string) []Value {
	for p := range i.Properties {
		if i.Properties[p].Name == name {
			return i.Properties[p].Values
		}
	}
	return nil
}

func (i *Item) add(name string, v Value) {
	for p := range i.Properties {
		if i.Properties[p].Name == name {
			i.Properties[p].Values = append(i.Properties[p].Values, v)
			return
		}
	}
	i.Properties = append(i.Properties, Property{name, []Value{v}})
}

const (
	// maxItems is how many items may be one in another.
	maxItems = 500
	// maxVisits bounds how many elements inclusions may have items go through again and
	// again, beyond four times the elements of the page.
	maxVisits = 1 << 16
)

// Parse reads the microformats of a page. Relative URLs are resolved against base and the page's own
// base element; base may be "".
func Parse(p *page.Page, base string) *Document {
	parser := newParser(p, base)
	parser.parse(p)
	for _, root := range p.Roots {
		parser.link(root)
	}
	return &parser.document
}

func newParser(p *page.Page, base string) *parser {
	if href := p.BaseHref(); href != "" && (base != "" || rfc3986.IsAbsolute([]byte(href))) {
		base = string(rfc3986.AppendResolved(nil, []byte(base), []byte(href)))
	}
	return &parser{base: base, inclusions: inclusions{open: map[*page.Element]bool{}}}
}

// parser parses one page.
type parser struct {
	base     string
	document Document
	links    map[string]int // numbers in document.Links, by URL
	elements int            // of the page
	depth    int            // of items
	deepest  *page.Element  // the first item that is too deep in others
	language string         // in force
	isOld    bool           // the item that is being read has the old class names, which know inclusions
	inclusions
}

func (p *parser) parse(of *page.Page) *Document {
	p.roots = of.Roots
	for _, root := range of.Roots {
		p.find(root)
	}
	return &p.document
}

// find looks for items outside of items.
func (p *parser) find(e *page.Element) {
	p.elements++
	defer p.setLanguage(p.speak(e))
	if r := rootOf(e); r != nil {
		if item := p.item(e, r); item != nil {
			p.document.Items = append(p.document.Items, item)
		}
		return
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			p.find(c)
		}
	}
}

// speak sets the language to that of an element, and returns the one before.
func (p *parser) speak(e *page.Element) (before string) {
	before = p.language
	for _, name := range [...]string{"lang", "xml:lang"} {
		if v, ok := e.Get(name); ok {
			p.language = trim(v)
			break
		}
	}
	return before
}

func (p *parser) setLanguage(language string) { p.language = language }

// item reads an element that is an item; nil where items are nested too deeply.
func (p *parser) item(e *page.Element, r *root) *Item {
	if p.depth >= maxItems {
		if p.deepest == nil {
			p.deepest = e
		}
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	item := &Item{Types: r.types, Element: e}
	if r.old == nil {
		item.ID, _ = e.Get("id")
	}
	s := &scan{parser: p, item: item, old: r.old}
	wasOld, wasOpen := p.isOld, p.open[e]
	p.isOld = r.old != nil
	if p.isOld {
		p.open[e] = true
	}
	s.children(e)
	if r.old == nil {
		s.imply(e)
	}
	p.isOld = wasOld
	if !wasOpen {
		delete(p.open, e)
	}
	return item
}

// scan is the reading of one item.
type scan struct {
	*parser
	item *Item
	old  *oldType // nil for microformats2

	hasText, hasURL, hasItem bool // explicit p- or e-, u- properties, items in it
}

func (s *scan) children(e *page.Element) {
	for _, c := range s.contents(e) {
		if c.Element != nil && s.enter(c.Element) {
			around := s.speak(c.Element)
			s.element(c.Element)
			s.setLanguage(around)
			s.leave(c.Element)
		}
	}
}

// element reads an element within an item.
func (s *scan) element(e *page.Element) {
	if e.Name == "template" {
		return
	}
	names := s.propertiesOf(e)
	nested := rootOf(e)
	if nested == nil && s.old != nil {
		nested = s.old.itemOf(e)
	}
	for _, n := range names {
		switch n.prefix {
		case 'p', 'e':
			s.hasText = true
		case 'u':
			s.hasURL = true
		}
	}
	if nested == nil {
		for _, n := range names {
			s.item.add(n.name, s.value(e, n.prefix))
		}
		s.children(e)
		return
	}
	s.hasItem = true
	inner := s.parser.item(e, nested)
	if inner == nil {
		return
	}
	if len(names) == 0 {
		s.item.Children = append(s.item.Children, inner)
	}
	within := &scan{parser: s.parser, item: s.item, old: nested.old}
	for _, n := range names {
		v := within.value(e, n.prefix)
		v.Item = inner
		if of, ok := inner.meant(n.prefix); ok {
			v.Text, v.Alt, v.words, v.reference = of.Text, of.Alt, of.words, of.reference
		} else if n.prefix == 'u' && inner.Values("url") != nil {
			v.Text, v.words = v.words, "" // a url that is no u-url is none
		}
		s.item.add(n.name, v)
	}
}

// meant is the value that an item stands for in a text ("p") or as a URL ("u"): its first name, its first URL.
func (i *Item) meant(prefix byte) (Value, bool) {
	name := map[byte]string{'p': "name", 'u': "url"}[prefix]
	for _, v := range i.Values(name) {
		if v.prefix == prefix {
			return v, true
		}
	}
	return Value{}, false
}

// property is a class that names a property: 'p' for text, 'u' for URLs, 't' for dt- and 'e' for markup.
type property struct {
	prefix byte
	name   string
}

// propertiesOf are the properties that an element is a value of, as often as it says so.
func (s *scan) propertiesOf(e *page.Element) (names []property) {
	if s.old != nil {
		return s.old.propertiesOf(e)
	}
	for _, class := range classes(e) {
		prefix, name, ok := strings.Cut(class, "-")
		if !ok || !isName(name) {
			continue
		}
		switch prefix {
		case "p", "u", "e":
			names = append(names, property{prefix[0], name})
		case "dt":
			names = append(names, property{'t', name})
		}
	}
	return names
}

// root is what makes an element an item.
type root struct {
	types []string
	old   *oldType // nil for microformats2
}

// IsItem says that an element with that @class is an item.
func IsItem(class string) bool { return rootNamed(strings.FieldsFunc(class, page.IsSpace)) != nil }

// rootOf says what item an element is; nil if none.
func rootOf(e *page.Element) *root {
	if class, _ := e.Get("class"); mayNameRoot(class) {
		return rootNamed(classes(e))
	}
	return nil
}

// mayNameRoot says that one of the classes may make an element an item. Those of most elements do not.
func mayNameRoot(class string) bool {
	for i := 0; i < len(class); {
		end := i
		for end < len(class) && !page.IsSpace(rune(class[end])) {
			end++
		}
		if word := class[i:end]; strings.HasPrefix(word, "h-") || oldTypes[word] != nil {
			return true
		}
		i = end + 1
	}
	return false
}

// rootNamed says what item an element with these classes is; nil if none.
func rootNamed(classes []string) *root {
	var types []string
	for _, class := range classes {
		if name, ok := strings.CutPrefix(class, "h-"); ok && isName(name) && !slices.Contains(types, class) {
			types = append(types, class)
		}
	}
	if len(types) > 0 {
		slices.Sort(types)
		return &root{types: types}
	}
	return oldRootOf(classes)
}

// isName says that what follows the prefix of a class is a name: words of small letters with "-" between
// them, of which the first may have digits if others follow.
func isName(name string) bool {
	words := strings.Split(name, "-")
	for i, word := range words {
		if word == "" {
			return false
		}
		for _, c := range []byte(word) {
			isLetter := 'a' <= c && c <= 'z'
			if !isLetter && (i > 0 || len(words) == 1 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}

// classes are the words of @class.
func classes(e *page.Element) []string {
	for i := range e.Attrs {
		if e.Attrs[i].Name == "class" {
			return strings.FieldsFunc(e.Attrs[i].Value, page.IsSpace)
		}
	}
	return nil
}

// resolve makes a URL absolute where it can.
func (p *parser) resolve(reference string) string {
	reference = strings.TrimFunc(reference, page.IsSpace)
	if p.base == "" && !rfc3986.IsAbsolute([]byte(reference)) {
		return reference
	}
	return string(rfc3986.AppendResolved(nil, []byte(p.base), []byte(reference)))
}

// link takes the links with a @rel of an element and all in it.
func (p *parser) link(e *page.Element) {
	if e.Name == "template" {
		return
	}
	rel, _ := e.Get("rel")
	href, isLink := e.Get("href")
	if words := strings.FieldsFunc(rel, page.IsSpace); isLink && len(words) > 0 && (e.Name == "a" || e.Name == "area" || e.Name == "link") {
		url := p.resolve(href)
		n, known := p.links[url]
		if !known {
			if p.links == nil {
				p.links = map[string]int{}
			}
			n = len(p.document.Links)
			p.links[url] = n
			l := Link{URL: url, Text: p.text(e, withoutImages)}
			for _, name := range [...]string{"hreflang", "media", "title", "type"} {
				if v, ok := e.Get(name); ok {
					l.Attrs = append(l.Attrs, page.Attr{Name: name, Value: v})
				}
			}
			p.document.Links = append(p.document.Links, l)
		}
		l := &p.document.Links[n]
		l.Rels = append(l.Rels, words...)
		slices.Sort(l.Rels)
		l.Rels = slices.Compact(l.Rels)
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			p.link(c)
		}
	}
}
