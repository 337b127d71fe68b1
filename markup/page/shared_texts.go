package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// sharedTexts finds the texts of a page on the tree that is made of all of it, as textMarker finds them on a tree of
// their own. It is sound as long as both would be the same: where no end tag is missing that only textMarker mends, and
// nothing of the page is in a place where what textMarker leaves out changes how the parser goes on.
type sharedTexts struct {
	isSound   bool
	stretches []Stretch

	// What is between the last text and the next.
	apart, spaced bool
	kept          []string // the open elements whose white space is kept
	noscript      int      // where the element ends that is read apart by itself; 0 outside of one
	title         string   // an element of SVG that textMarker takes for one of text alone
	inBody        bool
	templates     int // that are open
	depth         int // in the tree: of elements whose white space is kept
}

// inHead are the elements that do not begin the body of a page.
var inHead = set("html", "head", "base", "basefont", "bgsound", "link", "meta", "script", "style", "template", "title", "noscript",
	"iframe", "noembed")

// boundary are elements in which no end tag of an element around them counts, beside parts of tables.
var boundary = set("applet", "marquee", "object", "select", "template")

// look looks at the token that a marker is at.
func (t *sharedTexts) look(m *marker, raw []byte) {
	if t.noscript > 0 && m.to > t.noscript {
		// Nothing reaches over the end tag.
		if t.isSound = m.from == t.noscript && m.kind == html.EndTagToken; !t.isSound {
			return
		}
		t.noscript = 0
	}
	switch m.kind {
	case html.ErrorToken:
		t.isSound = m.rawName == "" && t.title == "" && len(raw) == 0 && len(t.kept) == 0 && t.templates == 0
	case html.TextToken:
		t.isSound = bytes.IndexByte(raw, 0) < 0 && (m.rawName == "" || m.rawName == "plaintext" || !t.isOpen(m))
		t.inBody = t.inBody || m.rawName == "" && len(bytes.TrimLeft(raw, " \t\r\n\f")) > 0
	case html.StartTagToken:
		t.startTag(m)
	case html.EndTagToken:
		t.endTag(m)
	case html.CommentToken:
		t.isSound = t.title == "" && !bytes.HasPrefix(raw, []byte("<![CDATA[")) && !isOpenComment(m.kind, raw)
	}
}

// isOpen says that a text without tags has no end tag, or seems to have none.
func (t *sharedTexts) isOpen(m *marker) bool {
	switch m.rawName {
	case "style", "iframe", "noembed":
		if m.startOf(m.rawName, m.from, m.to) >= 0 {
			return true
		}
	}
	return m.to == len(m.source)
}

func (t *sharedTexts) startTag(m *marker) {
	name := m.tag()
	is := traitsOf(name)
	if t.title != "" || len(t.kept) > 0 && (is&(isTable|isForeignRoot) != 0 || boundary[string(bytes.ToLower(name))]) {
		t.isSound = false
		return
	}
	isForeign := false
	if len(m.foreign) > 0 || is&isForeignRoot != 0 {
		after := m.foreign.start(name, m.selfEnds)
		isForeign = after.is()
		if is&isForeignRoot != 0 && len(name) == len("math") {
			t.isSound = false // how far copies of a formula are from it is counted in nodes
		}
		if !isForeign && len(after) > len(m.foreign) && rawText[after[len(after)-1]] {
			t.title = after[len(after)-1]
		}
	}
	switch {
	case is&isFrame != 0, isForeign && is&isKept != 0:
		t.isSound = false
	case !isForeign && (is&(isDropped|isAside|isKept) != 0 || !t.inBody):
		t.special(m, string(bytes.ToLower(name)))
	}
	t.apart = t.apart || is&isTable != 0
}

// special looks at a start tag of HTML that textMarker treats in its own way.
func (t *sharedTexts) special(m *marker, name string) {
	switch name {
	case "noscript":
		if t.noscript > 0 {
			break
		}
		if end := m.rawEnd(name); end < len(m.source) {
			t.noscript = end
		}
	case "template":
		t.templates++
		t.isSound = t.isSound && !bytes.Contains(bytes.ToLower(m.source[m.from:m.to]), []byte("shadowrootmode"))
	case "iframe", "noembed":
		t.isSound = t.isSound && t.inBody
	case "pre", "textarea", "listing", "xmp", "plaintext":
		t.kept = append(t.kept, name)
	}
	t.inBody = t.inBody || !inHead[name]
}

func (t *sharedTexts) endTag(m *marker) {
	name := m.tag()
	if t.title != "" && !strings.EqualFold(string(name), t.title) {
		t.isSound = false
	}
	t.title = ""
	switch is := traitsOf(name); {
	case is&isFrame != 0:
		t.isSound = false
	case is&isKept != 0:
		last := len(t.kept) - 1
		if t.isSound = t.isSound && last >= 0 && strings.EqualFold(t.kept[last], string(name)); t.isSound {
			t.kept = t.kept[:last]
		}
	case is&isTable != 0:
		t.apart = true
		t.isSound = t.isSound && len(t.kept) == 0
	case is&isAside != 0 && !m.foreign.is() && strings.EqualFold(string(name), "template"):
		t.templates = max(0, t.templates-1)
	}
}

// take takes the text that a marker is at, in an element of text alone if that has a name. The result is the number of
// its stretch; 0 for none.
func (t *sharedTexts) take(m *marker, name string, isBlank bool) int32 {
	switch {
	case !t.isSound, traitsOf([]byte(name))&isDropped != 0:
		return 0
	case isBlank:
		t.spaced = t.spaced || len(t.kept) == 0
		return 0
	}
	t.stretches = append(t.stretches, Stretch{int32(m.from), int32(m.to), m.isRaw, t.apart, t.spaced})
	t.apart, t.spaced = false, false
	return int32(len(t.stretches))
}

// in enters an element of the tree, whose texts are shared; nil if they are not.
func (t *sharedTexts) in(e *Element, n *html.Node) *sharedTexts {
	if t == nil || !t.isSound {
		return nil
	}
	e.Space = n.Namespace
	if n.Namespace == "" && traitsOf([]byte(n.Data))&isKept != 0 {
		t.depth++
	}
	return t
}

// out leaves an element that was entered.
func (t *sharedTexts) out(n *html.Node) {
	if t != nil && n.Namespace == "" && traitsOf([]byte(n.Data))&isKept != 0 {
		t.depth--
	}
}

// use notes that an element has the number of a tag, and how many it has. Where one tag makes several elements, which
// of them and of others are in each other may depend on white space that textMarker leaves out. That matters only for
// links, and for elements that stand apart by an attribute.
func (t *sharedTexts) use(p *places, number, numbers int) {
	if t == nil {
		return
	}
	tag := &p.tags[number]
	if tag.isUsed {
		lower := bytes.ToLower(p.source[tag.from:tag.to])
		t.isSound = t.isSound && !bytes.Contains(lower, []byte("role")) && !bytes.Contains(lower, []byte("hidden")) && nameOf(lower) != "a"
	}
	tag.isUsed = true
	t.isSound = t.isSound && numbers == 1
}

// space is the child that white space makes.
func (t *sharedTexts) space(text string) Child {
	if t.depth > 0 {
		return Child{Text: text, number: keptSpace}
	}
	return Child{Text: text}
}

// appendShared appends a text of the parser's tree, one child for each text of the page.
func (p *places) appendShared(children []Child, data string, kind partKind) []Child {
	t := p.texts
	for data != "" {
		i := strings.IndexByte(data, partBegin)
		if i < 0 {
			if strings.Trim(data, " \t\n\r\f") != "" {
				t.isSound = false // a tag that the parser took for text
			}
			return append(children, t.space(data))
		}
		of, after := p.partAt(data[i:], kind)
		if p.again {
			return children
		}
		before := data[:i]
		if of.stretch == 0 {
			text := before + p.read(&of)
			data = after
			if strings.Trim(text, " \t\n\r\f") == "" {
				children = append(children, t.space(text))
			} else {
				children = append(children, Child{Text: text})
			}
			continue
		}
		start := t.stretches[of.stretch-1].Start
		own := newLinesOf(p.text[start:of.from])
		if rest, ok := strings.CutSuffix(before, own); ok && rest != "" {
			children = append(children, t.space(rest))
			before = own
		}
		text := p.text[start:of.to] // of the page as it is, where that is the same
		if before != own || strings.IndexByte(text, '\r') >= 0 || of.kind != rawPart && strings.IndexByte(text, '&') >= 0 {
			text = before + p.read(&of)
		}
		children = append(children, Child{Text: text, number: of.stretch})
		data = after
	}
	return children
}
