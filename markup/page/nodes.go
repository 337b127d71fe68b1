package page

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// TagKey is the name of the attribute that carries the number of a start tag in the tree of
// Nodes. It is the first attribute of an element that a tag made. The parser sorts the
// attributes of some elements, and this name comes before others.
const TagKey = "\x01"

// Nodes is a page in HTML as the tree of the HTML parser, where each element knows the
// places of its tags. It serves those who select from a page and show what is written there.
type Nodes struct {
	Document *html.Node // the node around the root element
	Source   []byte
	tags     []Span
	implied  map[*html.Node]*Span // of elements that no tag made
}

// Span is where an element is written: offsets in bytes from 0. [Start, Inner) is the start
// tag, [Inner, End) what is written in the element.
type Span struct {
	Start, Inner, End int32
	placed            bool // an element of the tree has the tag
	open, closed      bool // while places are found
}

// Number is the number of the start tag of an element; -1 if no tag made it.
func Number(e *html.Node) int {
	if len(e.Attr) == 0 || e.Attr[0].Key != TagKey {
		return -1
	}
	n, err := strconv.Atoi(e.Attr[0].Val)
	if err != nil {
		return -1
	}
	return n
}

// Tags is how many start tags the page has; their numbers are below it.
func (p *Nodes) Tags() int { return len(p.tags) }

// Span finds where an element is written; not ok for one that no tag made and whose place is
// not known.
func (p *Nodes) Span(e *html.Node) (s Span, ok bool) {
	if n := Number(e); n >= 0 && n < len(p.tags) {
		return p.tags[n], true
	}
	if s := p.implied[e]; s != nil {
		return *s, true
	}
	return Span{}, false
}

// tagEvent is a tag of the page, as it is written.
type tagEvent struct {
	from, to int32
	number   int32 // of a start tag; -1 for an end tag
	selfEnds bool  // ends with />
}

// ReadNodes reads a page in HTML to its end. What is wrong with the page goes to the listener
// as warnings. The error is of kind Limit if the page takes more memory than it may.
func ReadNodes(ctx context.Context, source []byte, opt Options, to xmltext.Listener) (*Nodes, error) {
	if opt.MaxBytes == 0 && opt.MaxMemory == 0 {
		opt.MaxBytes = 1 << 30
	}
	opt.applyDefaults()
	if int64(len(source)) > opt.MaxBytes || len(source) > 1<<30 {
		return nil, tooMuch("a page can only be read whole, and this one has more than %d bytes", min(opt.MaxBytes, 1<<30))
	}
	if opt.MaxMemory > 0 {
		m := measure(source)
		if takes := m.need(); takes > opt.MaxMemory {
			return nil, tooMuch("the page can only be read whole, which by its tags and attributes takes some %d bytes of memory; it may "+
				"take %d", takes, opt.MaxMemory)
		}
	}
	for _, depth := range depths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := &Nodes{Source: source}
		marked, events, found := p.number(depth)
		document, err := html.ParseWithOptions(bytes.NewReader(marked), html.ParseOptionEnableScripting(false))
		if err != nil {
			continue
		}
		p.Document = document
		p.place(events)
		p.tell(found, to)
		return p, nil
	}
	return nil, tooMuch("elements are nested more deeply than the HTML parser allows")
}

func (p *Nodes) tell(found *places, to xmltext.Listener) {
	if c := &found.cut; c.message != "" {
		to.Notice(fault.Notice{Code: fault.HTMLCutShort, Severity: fault.Warning, Pos: c.pos,
			Message: c.message + "; the rest is missing", Excerpt: c.excerpt(p.Source)})
	}
	if found.skipped > 0 {
		to.Notice(fault.Notice{Code: fault.LimitNesting, Severity: fault.Warning, Pos: newLines(p.Source).pos(found.skipped - 1),
			Message: "elements are nested more deeply than the HTML parser allows; tags so deep are passed over, and their text is kept"})
	}
}

// number writes into each start tag its number.
func (p *Nodes) number(depth int) (marked []byte, events []tagEvent, found *places) {
	source := p.Source
	z := html.NewTokenizer(bytes.NewReader(source))
	marked = make([]byte, 0, len(source)+len(source)/5+64)
	found = &places{}
	nest := nesting{depth: depth}
	at, foreign, passed := 0, 0, 0
	for {
		kind := z.Next()
		raw := z.Raw()
		from := at
		at += len(raw)
		if kind == html.ErrorToken || kind == html.CommentToken {
			found.cut.tell(kind, raw, fault.Pos{Offset: int64(from)})
		}
		if skip, _ := nest.skips(kind, raw); skip {
			found.skip(from, false)
			continue
		}
		switch {
		case kind == html.ErrorToken:
			marked = append(marked, raw...)
			found.cut.finish(source, fault.Pos{Offset: int64(at)})
			if found.cut.message != "" {
				found.cut.pos = Advance(fault.Pos{Line: 1, Column: 1}, source[:found.cut.pos.Offset])
			}
			return marked, events, found
		case from < passed:
		case kind == html.StartTagToken || kind == html.SelfClosingTagToken:
			end := tagNameEnd(raw)
			switch name := raw[1:end]; {
			case bytes.EqualFold(name, []byte("noscript")):
				z.NextIsNotRawText()
			case len(name) <= 4 && (bytes.EqualFold(name, []byte("svg")) || bytes.EqualFold(name, []byte("math"))):
				foreign++
			}
			marked = append(marked, raw[:end]...)
			marked = append(marked, " "+TagKey+"="...)
			marked = strconv.AppendInt(marked, int64(len(p.tags)), 10)
			if end < len(raw) && raw[end] == '/' {
				marked = append(marked, ' ')
			}
			marked = append(marked, raw[end:]...)
			events = append(events, tagEvent{int32(from), int32(at), int32(len(p.tags)), bytes.HasSuffix(raw, []byte("/>"))})
			p.tags = append(p.tags, Span{Start: int32(from), Inner: int32(at), End: int32(at)})
			continue
		case kind == html.EndTagToken:
			events = append(events, tagEvent{int32(from), int32(at), -1, false})
			if name := nameOf(raw); name == "svg" || name == "math" {
				foreign--
			}
		case kind == html.CommentToken && foreign > 0 && bytes.HasPrefix(raw, []byte("<![CDATA[")):
			// In SVG and MathML this is text, in which there are no tags.
			if n := bytes.Index(source[from:], []byte("]]>")); n >= 0 {
				passed = from + n + len("]]>")
			}
		}
		marked = append(marked, raw...)
	}
}

// tagNameEnd is the length of what a start tag begins with: the bracket and the name.
func tagNameEnd(raw []byte) int {
	end := 1
	for end < len(raw) && strings.IndexByte(" \t\r\n\f/>", raw[end]) < 0 {
		end++
	}
	return end
}

// noContent are the elements of HTML that have no content, and no end tag.
var noContent = set("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link", "meta",
	"param", "source", "track", "wbr")

// walls are the elements that an end tag of a block outside of them does not close.
var walls = set("applet", "caption", "html", "table", "td", "th", "marquee", "object", "template", "foreignObject", "desc")

// tableParts are the elements whose end tags reach out of cells.
var tableParts = set("table", "tbody", "thead", "tfoot", "tr", "td", "th", "caption")

// blocks are those elements that an end tag of others (span, i, label, …) does not reach over.
var blocks = set("address", "applet", "article", "aside", "blockquote", "body", "button", "caption", "center", "colgroup", "dd", "details",
	"dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
	"header", "hgroup", "html", "iframe", "li", "listing", "main", "marquee", "menu", "nav", "noscript", "object", "ol", "p", "plaintext",
	"pre", "script", "section", "select", "style", "summary", "table", "tbody", "td", "template", "textarea", "tfoot", "th", "thead",
	"title",
	"tr", "ul")

// formatting are the elements that the parser closes under blocks, and opens in them again.
var formatting = set("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")

// placing finds where elements end: it goes through the tags next to the tree that was made of
// them. The tree says which elements are open at a start tag; rules of HTML, which element an
// end tag closes.
type placing struct {
	page  *Nodes
	nodes []*html.Node // by the number of their tag
	stack []*html.Node
}

func (p *Nodes) place(events []tagEvent) {
	pl := &placing{page: p, nodes: make([]*html.Node, len(p.tags))}
	pl.find(p.Document)
	for i := range events {
		e := &events[i]
		if e.number < 0 {
			pl.end(e)
		} else if n := pl.nodes[e.number]; n != nil {
			pl.start(e, n)
		}
	}
	for len(pl.stack) > 0 {
		pl.pop(int32(len(p.Source)))
	}
}

// find finds the elements of all tags. Of several that one tag made, the first counts.
func (pl *placing) find(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if i := Number(c); i >= 0 && i < len(pl.nodes) {
			if pl.nodes[i] == nil {
				pl.nodes[i] = c
				pl.page.tags[i].placed = true
			} else {
				c.Attr = c.Attr[1:] // a copy that the parser made
			}
		}
		pl.find(c)
	}
}

func (pl *placing) span(n *html.Node) *Span {
	if i := Number(n); i >= 0 && i < len(pl.page.tags) {
		return &pl.page.tags[i]
	}
	s := pl.page.implied[n]
	if s == nil {
		s = &Span{Start: -1}
		if pl.page.implied == nil {
			pl.page.implied = map[*html.Node]*Span{}
		}
		pl.page.implied[n] = s
	}
	return s
}

func (pl *placing) pop(at int32) {
	last := len(pl.stack) - 1
	s := pl.span(pl.stack[last])
	if !s.closed {
		s.End = at
	}
	s.open = false
	pl.stack = pl.stack[:last]
}

func (pl *placing) start(e *tagEvent, n *html.Node) {
	around := n.Parent
	if last := len(pl.stack) - 1; last < 0 || pl.stack[last] != around {
		for around != nil && around.Type == html.ElementNode && !pl.span(around).open {
			around = around.Parent
		}
		if around != nil && around.Type != html.ElementNode {
			around = nil
		}
		for len(pl.stack) > 0 && pl.stack[len(pl.stack)-1] != around {
			pl.pop(e.from)
		}
		pl.imply(n.Parent, around, e.from)
	}
	if n.Parent != nil && n.Parent.Type == html.ElementNode {
		pl.span(n.Parent).closed = false
	}
	if noContent[n.Data] || e.selfEnds && n.Namespace != "" {
		return
	}
	pl.span(n).open = true
	pl.stack = append(pl.stack, n)
}

// imply opens the elements from around down to n.
func (pl *placing) imply(n, around *html.Node, at int32) {
	if n == around || n == nil || n.Type != html.ElementNode {
		return
	}
	pl.imply(n.Parent, around, at)
	s := pl.span(n)
	if s.Start < 0 {
		s.Start, s.Inner = at, at
	}
	s.open, s.closed = true, false
	pl.stack = append(pl.stack, n)
}

func (pl *placing) end(e *tagEvent) {
	raw := pl.page.Source[e.from:e.to]
	name := raw[min(2, len(raw)):]
	if end := bytes.IndexAny(name, " \t\r\n\f/>"); end >= 0 {
		name = name[:end]
	}
	if last := len(pl.stack) - 1; last >= 0 && sameName(pl.stack[last].Data, name) && len(name) > 0 {
		if d := pl.stack[last].Data; d != "body" && d != "html" {
			pl.pop(e.from)
			return
		}
	}
	lower := string(bytes.ToLower(name))
	if lower == "body" || lower == "html" {
		pl.endBody(lower, e.from)
		return
	}
	pl.endOuter(name, lower, e.from)
}

// endBody notes where the end tag of body or html stands; both stay open.
func (pl *placing) endBody(lower string, at int32) {
	for _, n := range pl.stack {
		if s := pl.span(n); (n.Data == "body" || n.Data == lower) && !s.closed {
			s.closed, s.End = true, at
		}
	}
}

// endOuter ends the element that an end tag names, if it is open within what the tag can reach.
func (pl *placing) endOuter(name []byte, lower string, at int32) {
	for i := len(pl.stack) - 1; i >= 0; i-- {
		open := pl.stack[i].Data
		if sameName(open, name) || isHeading(lower) && isHeading(open) {
			for len(pl.stack) > i {
				pl.pop(at)
			}
			return
		}
		switch {
		case tableParts[lower]:
			if open == "table" || open == "template" || open == "html" {
				return
			}
		case blocks[lower] || formatting[lower]:
			if walls[open] {
				return
			}
		case blocks[open]:
			return
		}
	}
}

func isHeading(name string) bool {
	return len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6'
}

// sameName compares a name of the tree with one as it is written.
func sameName(name string, written []byte) bool {
	if len(name) != len(written) {
		return false
	}
	for i := range written {
		a, b := name[i], written[i]
		if a != b && (a|0x20 != b|0x20 || a|0x20 < 'a' || a|0x20 > 'z') {
			return false
		}
	}
	return true
}
