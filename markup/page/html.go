package page

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

var errTooDeep = errors.New("nested too deeply")

// placeName is an attribute that carries the place of a start tag through the HTML
// parser, whose tree knows none.
const placeName = "laundromat-place"

// places are those of all start tags; scripts are few.
type places struct {
	tags    []fault.Pos
	scripts map[int]*Script // by the number of their tag
	skipped *fault.Pos      // the first tag that was left out; of those that cost something, if there are
	costs   bool
	cut     cut
	doubled []doubled
	zeros   []fault.Pos // of the texts and tags that hold the character U+0000
}

// doubled is an attribute that occurs twice in a tag, with two values, of which the first counts.
type doubled struct {
	pos  fault.Pos // of the tag
	name string
}

// saying are the attributes that statements are made of.
var saying = set("about", "content", "data", "datatype", "datetime", "href", "inlist", "itemid", "itemprop", "itemref", "itemscope",
	"itemtype",
	"lang", "prefix", "property", "rel", "resource", "rev", "src", "typeof", "value", "vocab", "xml:lang")

// depths are how many elements may be open at once, as far as tags can show. Each is tried where the
// parser gives up with the one before; 0 is no limit but its own, 512.
var depths = []int{0, 250, 50}

// parseHTML reads a page by the rules of HTML. Where that is nested too deeply for the parser, tags
// are left out from some depth on, and what is between them stays. The place of the first is in
// found. All errors are errTooDeep: there are no others.
func parseHTML(source []byte, opt *Options) (roots []*Element, found *places, err error) {
	for _, depth := range depths {
		if roots, found, err = parseToDepth(source, depth, opt); err == nil {
			return roots, found, nil
		}
	}
	return nil, nil, err
}

func parseToDepth(source []byte, depth int, opt *Options) ([]*Element, *places, error) {
	marked, places := mark(source, depth, opt)
	document, err := html.ParseWithOptions(bytes.NewReader(marked), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, nil, errTooDeep
	}
	root := document.FirstChild
	for root != nil && root.Type != html.ElementNode {
		root = root.NextSibling
	}
	if root == nil {
		return nil, places, nil
	}
	document.RemoveChild(root)
	return []*Element{places.convert(root, fault.Pos{Line: 1, Column: 1})}, places, nil
}

// mark writes into each start tag the number of its place, and takes the scripts. A tag
// without attributes says nothing, and stays as it is. From depth on, if that is not 0,
// tags are left out.
func mark(source []byte, depth int, opt *Options) (marked []byte, found *places) {
	z := html.NewTokenizer(bytes.NewReader(source))
	found = &places{scripts: map[int]*Script{}}
	m := &marker{source: source, opt: opt, found: found, marked: make([]byte, 0, len(source)+len(source)/4),
		at: fault.Pos{Line: 1, Column: 1}, ends: finder{page: source}}
	nest := nesting{depth: depth}
	for {
		kind := z.Next()
		raw := z.Raw()
		if m.at.Offset < m.passed && kind != html.ErrorToken {
			m.at = Advance(m.at, raw)
			continue
		}
		found.cut.tell(kind, raw, m.at)
		if skip, costs := nest.skips(kind, raw); skip {
			found.skip(m.at, costs)
			m.at = Advance(m.at, raw)
			continue
		}
		if kind != html.CommentToken && bytes.IndexByte(raw, 0) >= 0 {
			found.zeros = append(found.zeros, Advance(m.at, raw[:bytes.IndexByte(raw, 0)]))
		}
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			name := tagName(raw)
			if bytes.EqualFold(name, []byte("noscript")) {
				z.NextIsNotRawText()
			}
			m.startTag(name, raw, kind == html.StartTagToken)
		} else {
			if kind == html.TextToken && m.script != nil {
				m.script.add(raw, m.at, false)
			}
			m.script = nil
			m.marked = append(m.marked, raw...)
		}
		m.at = Advance(m.at, raw)
		if kind == html.ErrorToken {
			break
		}
	}
	found.cut.finish(source, m.at)
	return m.marked, found
}

// marker is a page while its tags are marked.
type marker struct {
	source []byte
	opt    *Options
	found  *places
	marked []byte // the page up to at
	at     fault.Pos
	script *Script // whose text may come next
	ends   finder
	passed int64 // up to where what follows a tag is read by itself
}

// skip notes the place of a tag that is left out; costs says that statements may be lost by it.
func (p *places) skip(at fault.Pos, costs bool) {
	if p.skipped == nil || costs && !p.costs {
		first := at
		p.skipped = &first
	}
	p.costs = p.costs || costs
}

// tagName is the name in a start tag.
func tagName(raw []byte) []byte {
	end := 1
	for end < len(raw) && strings.IndexByte(" \t\r\n\f/>", raw[end]) < 0 {
		end++
	}
	return raw[1:end]
}

// startTag marks a start tag; isOpen says that it is no empty-element tag.
func (m *marker) startTag(name, raw []byte, isOpen bool) {
	end := 1 + len(name)
	m.script = nil
	// In SVG and MathML a title holds elements, which are not found here: they
	// are given the place of what is around them.
	isBlock := isOpen && m.opt.isRDFTag(name, raw)
	if !m.opt.Places && !isBlock && bytes.IndexByte(raw[end:], '=') < 0 && len(raw)-end <= len(" />") &&
		!bytes.EqualFold(name, []byte("svg")) && !bytes.EqualFold(name, []byte("math")) {
		m.marked = append(m.marked, raw...)
		return
	}
	if name := repeated(raw[end:]); name != "" {
		m.found.doubled = append(m.found.doubled, doubled{m.at, name})
	}
	number := len(m.found.tags)
	m.marked = append(m.marked, raw[:end]...)
	m.marked = append(m.marked, " "+placeName+"="...)
	m.marked = strconv.AppendInt(m.marked, int64(number), 10)
	if end < len(raw) && raw[end] == '/' {
		m.marked = append(m.marked, ' ')
	}
	m.marked = append(m.marked, raw[end:]...)
	if bytes.EqualFold(name, []byte("script")) && isOpen {
		m.script = &Script{Pos: Advance(m.at, raw)}
		m.found.scripts[number] = m.script
	}
	if isBlock {
		m.found.scripts[number] = m.block(name, raw)
	}
	m.found.tags = append(m.found.tags, m.at)
}

// block takes an element of RDF/XML, which is read by itself, from its start tag to its end.
func (m *marker) block(name, raw []byte) *Script {
	from := m.at.Offset + int64(len(raw))
	c, closed := m.ends.content(int(from), string(name), true)
	block := &Script{IsMarkup: true}
	if !closed && !m.ends.isSpent() {
		c.length = m.ends.rest(int(from), "head", "body", "html")
		c.end = c.length
	}
	if m.ends.isSpent() {
		c = content{}
		block.Lost = tooMany(m.at, m.source[m.at.Offset:])
	}
	m.passed = from + int64(c.length)
	block.add(m.source[m.at.Offset:from+int64(c.end)], m.at, false)
	return block
}

// Advance is the place after text that begins at a place.
func Advance(at fault.Pos, text []byte) fault.Pos {
	at.Offset += int64(len(text))
	for len(text) > 0 {
		i := bytes.IndexAny(text, "\r\n")
		if i < 0 {
			at.Column += int64(utf8.RuneCount(text))
			break
		}
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			i++
		}
		at.Line++
		at.Column = 1
		text = text[i+1:]
	}
	return at
}

// convert makes an element of a node; pos is the place of the one around it, which
// an element that no tag made takes.
func (p *places) convert(n *html.Node, pos fault.Pos) *Element {
	e := &Element{Name: n.Data, Pos: pos}
	number := p.convertAttrs(n, e)
	if number >= 0 {
		e.Pos = p.tags[number]
	}
	if n.Data == "template" && n.Namespace == "" {
		return e // what it holds is not part of the page
	}
	if n.Data == "script" && n.Namespace == "" || number >= 0 && p.scripts[number] != nil && p.scripts[number].IsMarkup {
		e.setScript(p.scripts[number])
	}
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c) // so that it can be freed: only one of the trees is held
		switch c.Type {
		case html.ElementNode:
			e.Children = append(e.Children, Child{Element: p.convert(c, e.Pos)})
		case html.TextNode:
			e.Children = append(e.Children, Child{Text: c.Data})
		case html.CommentNode:
			e.Children = append(e.Children, Child{Text: "<!--" + c.Data + "-->", Markup: true})
		}
	}
	return e
}

// convertAttrs gives an element the attributes of its node, and returns the number of its tag; -1 if no tag made it.
func (p *places) convertAttrs(n *html.Node, e *Element) (number int) {
	number = -1
	if len(n.Attr) > 0 {
		e.Attrs = make([]Attr, 0, len(n.Attr))
	}
	var seen map[string]bool // of attributes that are too many to look through
	if len(n.Attr) > 32 {
		seen = make(map[string]bool, len(n.Attr))
	}
	for _, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		if name == placeName {
			if i, err := strconv.Atoi(a.Val); err == nil && 0 <= i && i < len(p.tags) && number < 0 {
				number = i
			}
			continue
		}
		if seen == nil && !e.Has(name) || seen != nil && !seen[name] {
			e.Attrs = append(e.Attrs, Attr{Name: name, Value: a.Val})
		}
		if seen != nil {
			seen[name] = true
		}
	}
	return number
}

// repeated is an attribute that occurs twice in a tag with two values, and of which statements
// are made; "" if there is none. The parameter raw is what follows the name of the tag.
func repeated(raw []byte) string {
	const space = " \t\r\n\f"
	type attr struct{ name, value []byte }
	var few [8]attr
	seen := few[:0]
	for {
		if raw = bytes.TrimLeft(raw, space+"/"); len(raw) == 0 || raw[0] == '>' {
			return ""
		}
		n := 1 // an = that a name begins with is part of it
		for n < len(raw) && strings.IndexByte(space+"/>=", raw[n]) < 0 {
			n++
		}
		a := attr{name: raw[:n]}
		if raw = bytes.TrimLeft(raw[n:], space); len(raw) > 0 && raw[0] == '=' {
			raw = bytes.TrimLeft(raw[1:], space)
			if len(raw) > 0 && (raw[0] == '"' || raw[0] == '\'') {
				if n = bytes.IndexByte(raw[1:], raw[0]); n < 0 {
					return ""
				}
				a.value, raw = raw[1:n+1], raw[n+2:]
			} else {
				for n = 0; n < len(raw) && strings.IndexByte(space+">", raw[n]) < 0; {
					n++
				}
				a.value, raw = raw[:n], raw[n:]
			}
		}
		for _, other := range seen {
			if bytes.EqualFold(other.name, a.name) && !bytes.Equal(other.value, a.value) {
				if name := strings.ToLower(string(a.name)); saying[name] {
					return name
				}
			}
		}
		if len(seen) < 64 {
			seen = append(seen, a)
		}
	}
}

// tell says what the rules of HTML leave out of a page, though statements may be made of it.
func (p *places) tell(source []byte, to xmltext.Listener) {
	excerpt := func(at fault.Pos) string {
		return fault.Excerpt(source[at.Offset:min(int64(len(source)), at.Offset+fault.MaxExcerpt)])
	}
	for _, d := range p.doubled {
		to.Notice(fault.Notice{Code: fault.XMLDuplicateAttribute, Severity: fault.Warning, Pos: d.pos,
			Message: fmt.Sprintf("the attribute %s occurs twice in a tag, with two values; HTML takes the first", d.name),
			Excerpt: excerpt(d.pos)})
	}
	for _, at := range p.zeros {
		to.Notice(fault.Notice{Code: fault.XMLControl, Severity: fault.Warning, Pos: at,
			Message: "the character U+0000 is in the page; HTML leaves it out of text, and puts U+FFFD for it elsewhere",
			Excerpt: excerpt(at)})
	}
}
