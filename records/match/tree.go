package match

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/page"
)

// tree is a page in HTML or a document in XML, as the nodes that selectors work on.
type tree struct {
	document *html.Node
	source   string
	lines    lines
	isXML    bool
	nodes    *page.Nodes // of HTML
	base     string      // the @href of the page's base element

	xml map[*html.Node]*xmlElement // of XML

	indexes map[*html.Node]int32  // the place of an element among its siblings, where there are many
	counts  map[*html.Node]int32  // how many children a node has
	sizes   map[*html.Node]int32  // how many nodes are in a node
	paths   map[*html.Node]string // selectors that lead to an element
}

// xmlElement is what the tree of the HTML parser has no place for.
type xmlElement struct {
	start    int // offset of the start tag
	repaired bool
	lost     *fault.Notice
}

func htmlTree(ctx context.Context, text []byte, opt *Options, to listener) (*tree, error) {
	nodes, err := page.ReadNodes(ctx, text, page.Options{MaxMemory: opt.MaxMemory}, to)
	if err != nil {
		return nil, err
	}
	source := string(text)
	t := &tree{document: nodes.Document, source: source, nodes: nodes}
	t.lines.text = text
	t.base = baseOf(nodes.Document)
	return t, nil
}

// baseOf is the @href of the first base element that has one.
func baseOf(n *html.Node) string {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			continue
		}
		if c.Data == "base" {
			if href, ok := attrOf(c, "href"); ok {
				return strings.TrimSpace(href)
			}
		}
		if c.Data == "body" {
			return ""
		}
		if base := baseOf(c); base != "" {
			return base
		}
	}
	return ""
}

// xmlTree mirrors the tree of package page, so that the same selectors work on it. Names are
// in lower case, for the library of CSS; the name as it is written stays beside it.
func xmlTree(ctx context.Context, text []byte, opt *Options, to listener) (*tree, error) {
	options := page.Options{Host: page.XML, MaxMemory: opt.MaxMemory, MaxBytes: int64(len(text)) + 1}
	p, err := page.Read(ctx, bytes.NewReader(text), options, to)
	if err != nil {
		return nil, err
	}
	t := &tree{document: &html.Node{Type: html.DocumentNode}, source: string(text), isXML: true, xml: map[*html.Node]*xmlElement{}}
	t.lines.text = text
	for _, root := range p.Roots {
		t.document.AppendChild(t.mirror(root))
	}
	return t, nil
}

func (t *tree) mirror(e *page.Element) *html.Node {
	name := e.Name
	if e.Prefix != "" {
		name = e.Prefix + ":" + e.Name
	}
	n := &html.Node{Type: html.ElementNode, Data: strings.ToLower(name), Namespace: name}
	x := &xmlElement{start: int(e.Pos.Offset), repaired: e.Mended(func(string) bool { return true }),
		lost: e.Lost(func(string) bool { return true })}
	t.xml[n] = x
	for _, a := range e.Attrs {
		n.Attr = append(n.Attr, html.Attribute{Namespace: a.Name, Key: strings.ToLower(a.Name), Val: a.Value})
	}
	for i := range e.Children {
		c := &e.Children[i]
		switch {
		case c.Element != nil:
			n.AppendChild(t.mirror(c.Element))
		case c.Markup:
		default:
			x.repaired = x.repaired || c.Repaired
			if c.Lost != nil && x.lost == nil {
				x.lost = c.Lost
			}
			n.AppendChild(&html.Node{Type: html.TextNode, Data: c.Text})
		}
	}
	return n
}

// nameOf is the name of an element as it is written.
func nameOf(n *html.Node) string {
	if n.Namespace != "" && strings.EqualFold(n.Namespace, n.Data) {
		return n.Namespace // see mirror
	}
	return n.Data
}

// attrOf is the value of an attribute. In HTML and for a name in lower case, letters count alike.
func attrOf(n *html.Node, name string) (string, bool) {
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key == page.TagKey {
			continue
		}
		if attrName(a) == name {
			return a.Val, true
		}
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; equalFold(attrName(a), name) {
			return a.Val, true
		}
	}
	return "", false
}

// attrName is the name of an attribute as it is written, or as HTML has it.
func attrName(a *html.Attribute) string {
	switch {
	case a.Namespace == "":
		return a.Key
	case strings.EqualFold(a.Namespace, a.Key):
		return a.Namespace
	}
	return a.Namespace + ":" + a.Key
}

func equalFold(a, b string) bool { return len(a) == len(b) && strings.EqualFold(a, b) }

// strip takes white space from both ends of a text.
func strip(s string) string { return strings.TrimFunc(s, unicode.IsSpace) }

// textOf is all the text in an element, as it is.
func textOf(n *html.Node) string {
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return c.Data
	}
	var b strings.Builder
	collect(&b, n)
	return b.String()
}

func collect(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			b.WriteString(c.Data)
		case html.ElementNode:
			if c.Data != "template" {
				collect(b, c)
			}
		}
	}
}

// seenText is the text in an element of a page that a reader sees: without scripts, styles and what is hidden. Where
// lines, blocks or cells meet without a space, a line end parts them.
func (t *tree) seenText(n *html.Node, noscript bool) string {
	if t.isXML {
		return textOf(n)
	}
	if c := n.FirstChild; c != nil && c.NextSibling == nil && c.Type == html.TextNode {
		return c.Data
	}
	s := seen{noscript: noscript}
	s.collect(n)
	return s.text.String()
}

// seen gathers text that a reader sees.
type seen struct {
	text     strings.Builder
	blank    bool // the text ends in white space, or there is none
	parted   bool // what follows is apart from what is before
	noscript bool // the text of noscript is wanted
}

func (s *seen) collect(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.TextNode:
			s.add(c.Data)
		case html.ElementNode:
			if s.passes(c) {
				continue
			}
			apart := page.Apart(c.Data)
			s.parted = s.parted || apart
			s.collect(c)
			s.parted = s.parted || apart
		}
	}
}

func (s *seen) add(text string) {
	if text == "" {
		return
	}
	if s.parted && s.text.Len() > 0 && !s.blank && !isSpace(text[0]) {
		s.text.WriteByte('\n')
	}
	s.text.WriteString(text)
	s.parted, s.blank = false, isSpace(text[len(text)-1])
}

func isSpace(b byte) bool { return strings.IndexByte(cssSpace, b) >= 0 }

// passes says that a reader doesn't see an element.
func (s *seen) passes(n *html.Node) bool {
	switch n.Data {
	case "script", "style", "template":
		return true
	case "noscript":
		return !s.noscript
	}
	for i := range n.Attr {
		if a := &n.Attr[i]; a.Key == "hidden" || a.Key == "style" && page.Hides(a.Val) {
			return true
		}
	}
	return false
}

// span is where an element is written; ok is false where that is not known.
func (t *tree) span(n *html.Node) (start, inner, end int, ok bool) {
	if !t.isXML {
		s, ok := t.nodes.Span(n)
		return int(s.Start), int(s.Inner), int(s.End), ok
	}
	x := t.xml[n]
	if x == nil || x.start >= len(t.source) || t.source[x.start] != '<' {
		return 0, 0, 0, false
	}
	inner = tagEnd(t.source, x.start, len(t.source))
	return x.start, inner, elementEnd(t.source, inner, nameOf(n)), true
}

// elementEnd is where the end tag of an element in XML begins, whose content begins at from.
func elementEnd(text string, from int, name string) int {
	if from >= 2 && text[from-2] == '/' {
		return from
	}
	depth := 1
	for i := from; i < len(text); {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			break
		}
		i += next
		skip := func(open, end string) bool {
			if !hasPrefix(text, i, open) {
				return false
			}
			n := strings.Index(text[i:], end)
			if n < 0 {
				n = len(text) - i - len(end)
			}
			i += n + len(end)
			return true
		}
		if skip("<!--", "-->") || skip("<![CDATA[", "]]>") || skip("<?", "?>") {
			continue
		}
		to := tagEnd(text, i, len(text))
		rest := text[i+1 : to]
		switch {
		case strings.HasPrefix(rest, "/") && sameTag(rest[1:], name):
			if depth--; depth == 0 {
				return i
			}
		case sameTag(rest, name) && !strings.HasSuffix(rest, "/>"):
			depth++
		}
		i = max(to, i+1)
	}
	return from
}

func sameTag(rest, name string) bool {
	return strings.HasPrefix(rest, name) && len(rest) > len(name) && strings.IndexByte(" \t\r\n/>", rest[len(name)]) >= 0
}

// innerHTML is what is written in an element, byte for byte. Where its place is not known, it
// is written again.
func (t *tree) innerHTML(n *html.Node) (text string, from int) {
	if _, inner, end, ok := t.span(n); ok && inner <= end && end <= len(t.source) {
		return t.source[inner:end], inner
	}
	var b strings.Builder
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		t.write(&b, c)
	}
	return b.String(), -1
}

func (t *tree) write(b *strings.Builder, n *html.Node) {
	switch n.Type {
	case html.TextNode:
		b.WriteString(escapeText(n.Data))
	case html.ElementNode:
		b.WriteString("<" + nameOf(n))
		for i := range n.Attr {
			if a := &n.Attr[i]; a.Key != page.TagKey {
				b.WriteString(" " + attrName(a) + `="` + escapeText(a.Val) + `"`)
			}
		}
		b.WriteByte('>')
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			t.write(b, c)
		}
		b.WriteString("</" + nameOf(n) + ">")
	}
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

func escapeText(s string) string { return escaper.Replace(s) }

// manyChildren is from how many siblings on the places among them are remembered.
const manyChildren = 8

// index is the place of an element among the elements around it, from 1.
func (t *tree) index(n *html.Node) int {
	if i, ok := t.indexes[n]; ok {
		return int(i)
	}
	i := 1
	for p := before(n); p != nil; p = before(p) {
		i++
	}
	if i < manyChildren {
		return i
	}
	if t.indexes == nil {
		t.indexes = map[*html.Node]int32{}
	}
	at := int32(0)
	for c := n.Parent.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			at++
			t.indexes[c] = at
		}
	}
	return i
}

// children is how many children a node has, of all kinds.
func (t *tree) children(n *html.Node) int {
	if n == nil {
		return 0
	}
	if i, ok := t.counts[n]; ok {
		return int(i)
	}
	i := int32(0)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		i++
	}
	if t.counts == nil {
		t.counts = map[*html.Node]int32{}
	}
	t.counts[n] = i
	return int(i)
}

// size is how many nodes are in a node.
func (t *tree) size(n *html.Node) int {
	if i, ok := t.sizes[n]; ok {
		return int(i)
	}
	i := 1
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		i += t.size(c)
	}
	if n.FirstChild != nil {
		if t.sizes == nil {
			t.sizes = map[*html.Node]int32{}
		}
		t.sizes[n] = int32(i)
	}
	return i
}

// path is a selector from the root that leads to the element and to no other.
func (t *tree) path(n *html.Node) string {
	if n == nil || n.Type != html.ElementNode {
		return ""
	}
	if p, ok := t.paths[n]; ok {
		return p
	}
	own := nameOf(n)
	if strings.IndexFunc(own, func(r rune) bool { return !isNameRune(r) }) >= 0 {
		own = escapeName(own)
	}
	p := own
	if around := parentOf(n); around != nil {
		p = t.path(around) + " > " + own
		if i := t.index(n); i >= manyChildren || !alone(n) {
			p += ":nth-child(" + strconv.Itoa(i) + ")"
		}
	} else if i := t.index(n); i > 1 {
		p += ":nth-child(" + strconv.Itoa(i) + ")"
	}
	if t.paths == nil {
		t.paths = map[*html.Node]string{}
	}
	t.paths[n] = p
	return p
}

// alone says that no element around has the same name, as far as a short look can show.
func alone(n *html.Node) bool {
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if c.Type == html.ElementNode && c.Data == n.Data {
			return false
		}
	}
	left := 4 * manyChildren
	for c := n.NextSibling; c != nil; c = c.NextSibling {
		if left--; left == 0 || c.Type == html.ElementNode && c.Data == n.Data {
			return false
		}
	}
	return true
}

func isNameRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_' || r >= 0x80
}

// escapeName escapes what can't be in a name of CSS as it is.
func escapeName(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case i == 0 && '0' <= r && r <= '9':
			fmt.Fprintf(&b, `\%x `, r)
		case isNameRune(r):
			b.WriteRune(r)
		default:
			b.WriteByte('\\')
			b.WriteRune(r)
		}
	}
	return b.String()
}
