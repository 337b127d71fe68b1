package page

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

var errTooDeep = errors.New("nested too deeply")

// places are those of what the parser's tree has no place for.
type places struct {
	source  []byte
	text    string // the same
	lines   *lines
	how     marking
	marks   bool                        // the page itself has the characters that stand around numbers
	isData  func(mediaType string) bool // of Options
	tags    []pageTag
	parts   []part
	skipped int // where the first tag is that was left out, and 1; of those that cost something, if there are
	costs   bool
	cut     cut
	doubled []doubled
	zeros   []int // where the character U+0000 is in a text or tag
	again   bool  // the tree does not have what the parser got

	hasBlock bool         // an element was taken to be read by itself
	texts    *sharedTexts // nil where nobody asks
	slab     slab
}

// marking says how much of a page the parser gets. Where it turns out to see other tokens than the scanner, it gets
// more.
type marking uint8

const (
	inParts marking = iota // numbers of texts and tags
	inTexts                // texts as they are, and numbers of tags
	bare                   // the page; nothing knows its place
)

// pageTag is a start tag with its number, and the script that begins there.
type pageTag struct {
	from, to int32
	isWhole  bool // the parser gets its attributes
	isUsed   bool // an element has its number
	script   *Script
}

// part is a text or a comment that the parser gets the number of.
type part struct {
	from, to int32
	stretch  int32 // the number of that of Texts; 0 for none
	kind     partKind
}

type partKind uint8

const (
	textPart    partKind = iota // with references
	titlePart                   // with references, of an element that holds text without tags
	rawPart                     // without them, of such an element
	commentPart                 // without its marks
)

// doubled is an attribute that occurs twice in a tag, with two values, of which the first counts.
type doubled struct {
	at   int // of the tag
	name string
}

// saying are the attributes that statements are made of.
var saying = set("about", "content", "data", "datatype", "datetime", "href", "inlist", "itemid", "itemprop", "itemref", "itemscope",
	"itemtype",
	"lang", "prefix", "property", "rel", "resource", "rev", "src", "typeof", "value", "vocab", "xml:lang")

// depths are how many elements may be open at once, as far as tags can show. Each is tried where the
// parser gives up with the one before; 0 is no limit but its own, 512.
var depths = []int{0, 250, 50}

// partOf is the kind of the texts of an element of HTML.
func partOf(name string) partKind {
	switch {
	case name == "title" || name == "textarea":
		return titlePart
	case rawText[name] || name == "noframes":
		return rawPart
	}
	return textPart
}

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

// parseToDepth gives the parser a page without texts and attributes, which are found again by their numbers. Where the
// parser does not see the tokens that the scanner saw, it is given more.
func parseToDepth(source []byte, depth int, opt *Options) (roots []*Element, found *places, err error) {
	how := inParts
	has := bytes.IndexByte(source, partBegin) >= 0 || bytes.IndexByte(source, partEnd) >= 0
	if has {
		how = inTexts
	}
	for ; ; how++ {
		marked, found := mark(source, depth, how, opt)
		if found.again && how == inParts {
			continue
		}
		found.again = false
		found.isData, found.marks = opt.IsData, has
		document, err := html.ParseWithOptions(bytes.NewReader(marked), html.ParseOptionEnableScripting(false))
		if err != nil {
			return nil, nil, errTooDeep
		}
		root := document.FirstChild
		for root != nil && root.Type != html.ElementNode {
			root = root.NextSibling
		}
		if root == nil {
			return nil, found, nil
		}
		document.RemoveChild(root)
		e := found.convert(root, fault.Pos{Line: 1, Column: 1})
		if found.again && how != bare {
			continue
		}
		found.slab = slab{}
		return []*Element{e}, found, nil
	}
}

// convert makes an element of a node; pos is the place of the one around it, which
// an element that no tag made takes.
func (p *places) convert(n *html.Node, pos fault.Pos) *Element {
	e := p.slab.element()
	e.Name, e.Pos = n.Data, pos
	var script *Script
	if number := p.convertAttrs(n, e); number >= 0 {
		tag := &p.tags[number]
		e.Pos, script = p.lines.pos(int(tag.from)), tag.script
	}
	if n.Data == "template" && n.Namespace == "" {
		return e // what it holds is not part of the page
	}
	if p.how == bare && n.Data == "script" && n.Namespace == "" && n.FirstChild != nil && p.isData != nil && p.isData(e.MediaType()) {
		script = &Script{}
		script.add([]byte(n.FirstChild.Data), pos, true)
	}
	if n.Data == "script" && n.Namespace == "" || script != nil && script.IsMarkup {
		e.setScript(script)
	}
	e.Children = p.slab.childrenOf(n)
	kind := textPart
	if n.Namespace == "" {
		kind = partOf(n.Data)
	}
	texts := p.texts.in(e, n)
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c) // so that it can be freed: only one of the trees is held
		switch c.Type {
		case html.ElementNode:
			e.Children = append(e.Children, Child{Element: p.convert(c, e.Pos)})
		case html.TextNode:
			if texts != nil {
				e.Children = p.appendShared(e.Children, c.Data, kind)
			} else {
				e.Children = append(e.Children, Child{Text: p.textOf(c.Data, kind)})
			}
		case html.CommentNode:
			e.Children = append(e.Children, Child{Text: p.commentOf(c.Data), Markup: true})
		}
	}
	texts.out(n)
	return e
}

// partAt is the part whose number a text begins with, and the text after that. If it is none of the kind, the page has
// to be parsed again.
func (p *places) partAt(text string, kind partKind) (of part, after string) {
	end := strings.IndexByte(text, partEnd)
	if end < 1 || text[0] != partBegin {
		p.again = true
		return part{}, ""
	}
	number, err := strconv.Atoi(text[1:end])
	if err != nil || number >= len(p.parts) || p.parts[number].kind != kind {
		p.again = true
		return part{}, ""
	}
	return p.parts[number], text[end+1:]
}

// textOf is the text that a text of the parser's tree stands for.
func (p *places) textOf(data string, kind partKind) string {
	i := strings.IndexByte(data, partBegin)
	if p.isOf(data) {
		return data
	}
	var b strings.Builder
	for ; i >= 0; i = strings.IndexByte(data, partBegin) {
		of, after := p.partAt(data[i:], kind)
		text := p.read(&of)
		if i == 0 && after == "" && b.Len() == 0 {
			return text
		}
		b.WriteString(data[:i])
		b.WriteString(text)
		data = after
	}
	b.WriteString(data)
	return b.String()
}

// read is the text of a part.
func (p *places) read(of *part) string {
	text := newLinesOf(p.text[of.from:of.to])
	if of.kind != rawPart && strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	return text
}

// newLinesOf is a text with line ends as HTML has them.
func newLinesOf(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}

// isOf says that a text of the parser's tree is of the page.
func (p *places) isOf(data string) bool {
	isMarked := strings.IndexByte(data, partBegin) >= 0
	if p.how == inTexts && isMarked && !p.marks {
		p.again = true
	}
	return !isMarked || p.how != inParts
}

func (p *places) commentOf(data string) string {
	if p.isOf(data) {
		return "<!--" + data + "-->"
	}
	of, after := p.partAt(data, commentPart)
	if after != "" || p.again {
		p.again = true
		return ""
	}
	return p.text[int(of.from)-len("<!--") : int(of.to)+len("-->")]
}

// convertAttrs gives an element the attributes of its node, and returns the number of its tag; -1 if no tag made it.
// The elements html and body have those of all their tags.
func (p *places) convertAttrs(n *html.Node, e *Element) (number int) {
	number = -1
	isOwn := n.Namespace != "" // the parser has adjusted the names
	numbers := 0
	for i := range n.Attr {
		a := &n.Attr[i]
		if k := strings.IndexByte(a.Key, partBegin); !p.marks && (k > 0 || k == 0 && a.Val != "" ||
			strings.IndexByte(a.Val, partBegin) >= 0) {
			p.again = true
			return -1
		}
		if a.Key == "" || a.Key[0] != partBegin {
			isOwn = isOwn || number < 0 && i == 0
			continue
		}
		of, err := strconv.Atoi(a.Key[1:])
		if err != nil || of >= len(p.tags) {
			continue
		}
		if numbers++; number < 0 {
			number = of
		}
		p.texts.use(p, of, numbers)
		if isOwn {
			p.again = p.again || !p.tags[of].isWhole
			continue
		}
		attrs := readAttrs(p.text[p.tags[of].from:p.tags[of].to], &p.slab)
		if e.Attrs == nil {
			e.Attrs = attrs
			continue
		}
		for _, a := range attrs {
			if !hasAttr(e.Attrs, a.Name) {
				e.Attrs = append(e.Attrs, a)
			}
		}
	}
	if numbers > 1 && !p.marks && n.Data != "html" && n.Data != "body" {
		p.again = true
	}
	if isOwn {
		p.ownAttrs(n, e)
	}
	return number
}

// ownAttrs gives an element the attributes that its node has.
func (p *places) ownAttrs(n *html.Node, e *Element) {
	e.Attrs = make([]Attr, 0, len(n.Attr))
	var seen map[string]bool // of attributes that are too many to look through
	if len(n.Attr) > 32 {
		seen = make(map[string]bool, len(n.Attr))
	}
	for _, a := range n.Attr {
		name := a.Key
		if name != "" && name[0] == partBegin {
			continue
		}
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		if seen == nil && !e.Has(name) || seen != nil && !seen[name] {
			e.Attrs = append(e.Attrs, Attr{Name: name, Value: a.Val})
		}
		if seen != nil {
			seen[name] = true
		}
	}
}

// repeated is an attribute that occurs twice in a tag with two values, and of which statements
// are made; "" if there is none. The parameter raw is what follows the name of the tag.
func repeated(raw []byte) string {
	type attr struct{ name, value []byte }
	var few [8]attr
	seen := few[:0]
	for {
		if raw = raw[spanOf(raw, isTagSpace|isTagSlash):]; len(raw) == 0 || raw[0] == '>' {
			return ""
		}
		n := 1 // an = that a name begins with is part of it
		for n < len(raw) && tagBytes[raw[n]] == 0 {
			n++
		}
		a := attr{name: raw[:n]}
		raw = raw[n:]
		if raw = raw[spanOf(raw, isTagSpace):]; len(raw) > 0 && raw[0] == '=' {
			raw = raw[1:]
			raw = raw[spanOf(raw, isTagSpace):]
			if len(raw) > 0 && (raw[0] == '"' || raw[0] == '\'') {
				if n = bytes.IndexByte(raw[1:], raw[0]); n < 0 {
					return ""
				}
				a.value, raw = raw[1:n+1], raw[n+2:]
			} else {
				for n = 0; n < len(raw) && tagBytes[raw[n]]&(isTagSpace|isTagEnd) == 0; {
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

// What ends the name of an attribute.
const (
	isTagSpace uint8 = 1 << iota
	isTagSlash
	isTagEnd
	isTagEquals
)

var tagBytes = [256]uint8{' ': isTagSpace, '\t': isTagSpace, '\r': isTagSpace, '\n': isTagSpace, '\f': isTagSpace,
	'/': isTagSlash, '>': isTagEnd, '=': isTagEquals}

// spanOf is how many bytes of such kinds s begins with.
func spanOf(s []byte, kinds uint8) int {
	n := 0
	for n < len(s) && tagBytes[s[n]]&kinds != 0 {
		n++
	}
	return n
}

// tell says what the rules of HTML leave out of a page, though statements may be made of it.
func (p *places) tell(source []byte, to xmltext.Listener) {
	excerpt := func(at int) string { return fault.Excerpt(source[at:min(len(source), at+fault.MaxExcerpt)]) }
	for _, d := range p.doubled {
		to.Notice(fault.Notice{Code: fault.XMLDuplicateAttribute, Severity: fault.Warning, Pos: p.lines.pos(d.at),
			Message: fmt.Sprintf("the attribute %s occurs twice in a tag, with two values; HTML takes the first", d.name),
			Excerpt: excerpt(d.at)})
	}
	for _, at := range p.zeros {
		to.Notice(fault.Notice{Code: fault.XMLControl, Severity: fault.Warning, Pos: p.lines.pos(at),
			Message: "the character U+0000 is in the page; HTML leaves it out of text, and puts U+FFFD for it elsewhere",
			Excerpt: excerpt(at)})
	}
}
