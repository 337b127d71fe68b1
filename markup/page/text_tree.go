package page

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// Texts is a page whose texts know where they are written. It serves those who want the text of a page, not what tags
// say. The text of frames is left out.
//
// Of the texts of the tree those count that have a Stretch, or are white space in preformatted text: see IsSpace.
// Others are between elements, or are comments, styles and scripts, and may be left out.
type Texts struct {
	Source string
	Root   *Element // nil if there is none
	// Need is about how many bytes of memory the page takes.
	Need    int64
	HasMath bool // it has formulas in MathML
	stretch []Stretch
}

// Stretch is where a text stands: bytes of the page.
type Stretch struct {
	Start, End int32
	Plain      bool // it holds no references
	// Apart says that a tag of a table stands between this text and the one before. The parser may have moved both
	// out of the table.
	Apart bool
	// Spaced says that white space stands between this text and the one before, in whatever elements.
	Spaced bool
}

// Stretch is where the text of a child of the tree is written; not ok for white space, and for what is no text.
func (p *Texts) Stretch(c *Child) (s Stretch, ok bool) {
	if c.number <= 0 {
		return Stretch{}, false
	}
	return p.stretch[c.number-1], true
}

// keptSpace is the number of a child that is white space in preformatted text.
const keptSpace = -1

// IsSpace says that a child is white space that counts, as it does in preformatted text. It is Child.Text, as written.
func (p *Texts) IsSpace(c *Child) bool { return c.number == keptSpace }

// Count is how many stretches of text the page has.
func (p *Texts) Count() int { return len(p.stretch) }

// ReadTexts reads a page to its end. XHTML is read by the rules of HTML too, but for empty elements and sections of
// CDATA, so that no fault costs a text. What is wrong with the page goes to the listener as warnings. The error is of
// kind Limit if the page takes more memory than it may.
func ReadTexts(ctx context.Context, source []byte, opt Options, to xmltext.Listener) (*Texts, error) {
	opt.applyDefaults()
	if int64(len(source)) > opt.MaxBytes || len(source) > 1<<30 {
		return nil, tooMuch("a page can only be read whole, and this one has more than %d bytes", min(opt.MaxBytes, 1<<30))
	}
	isXML := opt.Host > HTML
	if opt.Host == Detect || opt.Host == DetectXML {
		isXML = detect(source, opt.Host == DetectXML) != HTML
	}
	shared := opt.Shared.textsOf(source, isXML)
	p := shared
	if p == nil {
		m := measure(source)
		p = &Texts{Need: m.needTexts()}
	}
	if opt.MaxMemory > 0 && p.Need > opt.MaxMemory {
		return nil, tooMuch("the page can only be read whole, which by its tags and attributes takes some %d bytes of memory; it may "+
			"take %d", p.Need, opt.MaxMemory)
	}
	if shared != nil {
		return shared, nil
	}
	p.Source = unsafe.String(unsafe.SliceData(source), len(source))
	prefix := ""
	if isXML {
		if prefix = xhtmlPrefix(source); prefix == "" {
			prefix = opt.Prefix
		}
	}
	for _, depth := range depths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m := &textMarker{page: p, opt: &opt, nest: nesting{depth: depth}, textScanner: textScanner{source: source, xml: isXML,
			prefix: prefix, mends: &rawEnds{}}}
		p.stretch = p.stretch[:0]
		m.mark()
		document, err := html.ParseWithOptions(bytes.NewReader(m.marked), html.ParseOptionEnableScripting(false))
		if err != nil {
			continue
		}
		m.tell(to)
		for n := document.FirstChild; n != nil; n = n.NextSibling {
			if n.Type == html.ElementNode {
				p.Root = m.convert(n, fault.Pos{Line: 1, Column: 1})
			}
		}
		return p, nil
	}
	return nil, tooMuch("elements are nested more deeply than the HTML parser allows")
}

// textMarker writes the page that the parser gets in place of the whole one. Its tags are without their attributes,
// which are found again by a number. In place of texts it has their numbers.
type textMarker struct {
	textScanner
	page    *Texts
	opt     *Options
	marked  []byte
	tags    []markedTag
	nest    nesting
	skipped int // where the first tag stands that was left out, and 1
	nul     int // where the first U+0000 stands in a text, and 1
	foreign foreign
	kept    int // open elements whose white space is kept
	aside   []aside
	// What stands between the last text and the next.
	apart, spaced bool
	cut           cut
	// What the tree is made of, many at a time.
	slab slab
}

type markedTag struct {
	from, to int32
	script   *Script
}

// The characters that stand around the number of a text.
const textBegin, textEnd = '\x01', '\x02'

func (m *textMarker) mark() {
	m.marked = make([]byte, 0, len(m.source)/8+64)
	for {
		kind := m.next()
		raw := m.source[m.from:m.to]
		early := m.mends.early
		if early != "" {
			m.mends.early = ""
			if kind != html.TextToken {
				m.closeTag([]byte(early))
			}
		}
		switch {
		case m.mends.whole != nil && isOpenComment(kind, raw):
			m.cutInNoscript()
		case kind == html.CommentToken || kind == html.ErrorToken:
			m.cut.tell(kind, raw, fault.Pos{Offset: int64(m.from)})
		}
		if skip, _ := m.nest.skips(kind, raw); skip {
			if m.skipped == 0 {
				m.skipped = m.from + 1
			}
			continue
		}
		switch kind {
		case html.ErrorToken:
			m.finish()
			return
		case html.TextToken:
			m.text(m.from, m.to, m.isRaw)
			if early != "" {
				m.closeTag([]byte(early))
			}
		case html.StartTagToken:
			m.startTag()
		case html.EndTagToken:
			m.endTag()
		case html.CommentToken:
			if (m.xml || m.foreign.is()) && bytes.HasPrefix(raw, []byte("<![CDATA[")) {
				m.section()
			}
		case html.DoctypeToken:
			if m.xml {
				m.marked = append(m.marked, "<!DOCTYPE html>"...)
			} else {
				m.marked = append(m.marked, raw...)
			}
		}
	}
}

// section takes a section of CDATA.
func (m *textMarker) section() {
	from := m.from + len("<![CDATA[")
	end := len(m.source)
	m.at = end
	if n := bytes.Index(m.source[from:], []byte("]]>")); n >= 0 {
		end, m.at = from+n, from+n+len("]]>")
	}
	m.text(from, end, true)
}

// text writes the number of a text. White space alone is no text, but where it is kept. That it stands there is known
// of the text behind it, and the parser makes no nodes of it.
func (m *textMarker) text(from, to int, plain bool) {
	text := m.source[from:to]
	rest := bytes.TrimLeft(text, " \t\r\n\f")
	switch {
	case len(rest) == 0 && m.kept > 0:
		m.marked = append(m.marked, text...)
		return
	case len(rest) == 0:
		m.spaced = true
		return
	}
	if m.nul == 0 {
		m.nul = from + 1 + bytes.IndexByte(text, 0)
		if m.nul == from {
			m.nul = 0
		}
	}
	m.page.stretch = append(m.page.stretch, Stretch{int32(from), int32(to), plain, m.apart, m.spaced})
	m.apart, m.spaced = false, false
	m.marked = append(m.marked, textBegin)
	m.marked = strconv.AppendInt(m.marked, int64(len(m.page.stretch)), 10)
	m.marked = append(m.marked, textEnd)
}

// trait is what is asked of an element by its name.
type trait uint16

const (
	isDropped     trait = 1 << iota // its text is none of the page's, and nothing else is asked of it
	isFrame                         // left out, for a page has its text where there are no frames
	isAsked                         // the parser asks for its attributes
	isKept                          // white space in it is kept
	isVoid                          // has no content
	isTable                         // a part of a table
	isForeignRoot                   // another language begins in it
	isAside                         // it is told if it does not end
	isNumbered                      // its tag has a number, also without attributes
)

// traits are those of all elements that have some.
var traits = func() map[string]trait {
	all := map[string]trait{"a": isNumbered, "time": isNumbered,
		"svg": isForeignRoot, "math": isForeignRoot, "template": isAside, "noscript": isAside}
	for _, t := range []struct {
		trait trait
		names map[string]bool
	}{
		{isDropped, set("iframe", "noembed", "style", "script")},
		{isFrame, set("frameset", "frame", "noframes")},
		{isAside, set("noframes")},
		{isAsked, set("input", "font", "annotation-xml")},
		{isKept, set("pre", "textarea", "listing", "xmp", "plaintext")},
		{isVoid, noContent},
		{isTable, tableParts},
	} {
		for name := range t.names {
			all[name] |= t.trait
		}
	}
	return all
}()

// traitLengths has, for each first letter of a name with traits, a bit for each length of such names. Most elements
// have none, and need not be looked up.
var traitLengths = func() (lengths [256]uint16) {
	for name := range traits {
		lengths[name[0]] |= 1 << len(name)
	}
	return lengths
}()

// maxTraitName is the length of the longest name that has traits.
const maxTraitName = 14

// traitsOf are the traits of an element, whatever the case of its name.
func traitsOf(name []byte) trait {
	if len(name) > maxTraitName || len(name) == 0 {
		return 0
	}
	first := name[0]
	if 'A' <= first && first <= 'Z' {
		first |= 0x20
	}
	if traitLengths[first]>>len(name)&1 == 0 {
		return 0
	}
	var buffer [maxTraitName]byte
	lower := buffer[:len(name)]
	for i, c := range name {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		lower[i] = c
	}
	return traits[string(lower)]
}

func (m *textMarker) startTag() {
	name := m.tag()
	is := traitsOf(name)
	isForeign := len(m.foreign)+int(is&isForeignRoot) > 0 && m.startForeign(name, is)
	switch {
	case isForeign:
	case is&isDropped != 0:
		m.drop(m.source[m.from:m.to])
		return
	case is&isAside != 0:
		m.startAside(name)
		if is&isFrame != 0 {
			return
		}
	case is&isFrame != 0:
		return
	}
	m.apart = m.apart || is&isTable != 0
	selfEnds := m.selfEnds
	if m.xml && selfEnds {
		m.raw = ""
	}
	if is&isKept != 0 && !((m.xml || isForeign) && selfEnds) {
		m.kept++
	}
	m.marked = append(m.marked, '<')
	m.marked = append(m.marked, name...)
	if m.hasAttrs || is&isNumbered != 0 {
		m.number(nil)
	}
	switch {
	case is&isAsked != 0:
		m.marked = append(m.marked, ' ')
		m.marked = append(m.marked, m.source[m.nameEnd:m.to]...)
	case m.xml && selfEnds && is&isVoid == 0:
		m.marked = append(m.marked, '>')
		m.closeTag(name)
	case selfEnds && (isForeign || is&isForeignRoot != 0):
		m.marked = append(m.marked, " />"...)
	default:
		m.marked = append(m.marked, '>')
	}
}

// startForeign takes a start tag of another language, or in it; false if HTML goes on behind the tag.
func (m *textMarker) startForeign(name []byte, is trait) bool {
	m.foreign = m.foreign.start(name, m.selfEnds)
	m.page.HasMath = m.page.HasMath || is&isForeignRoot != 0 && len(name) == len("math")
	if m.foreign.is() {
		m.raw = ""
	}
	return m.foreign.is()
}

func (m *textMarker) closeTag(name []byte) {
	m.marked = append(m.marked, '<', '/')
	m.marked = append(m.marked, name...)
	m.marked = append(m.marked, '>')
}

// number writes the number of the present tag.
func (m *textMarker) number(script *Script) {
	m.marked = append(m.marked, " "+TagKey+"="...)
	m.marked = strconv.AppendInt(m.marked, int64(len(m.tags)), 10)
	m.tags = append(m.tags, markedTag{int32(m.from), int32(m.to), script})
}

// drop passes over an element whose text is none of the page's. Of a script that holds data the text is kept.
func (m *textMarker) drop(raw []byte) {
	from, tag, name := m.from, m.to, string(m.tag())
	if m.xml && m.selfEnds {
		m.raw = ""
		return
	}
	var text []byte
	if m.next() == html.TextToken {
		text = m.source[m.from:m.to]
		m.next()
	}
	m.mends.early = ""
	if m.kind != html.EndTagToken || !strings.EqualFold(string(m.tag()), name) {
		m.at, m.raw = m.from, "" // the next token is another
	}
	if strings.EqualFold(name, "script") && m.opt.IsData != nil && m.isDataScript(raw) {
		m.from, m.to = from, tag
		m.marked = append(m.marked, "<script"...)
		m.number(&Script{Text: text})
		m.marked = append(m.marked, "></script>"...)
		m.to = m.at
	}
}

func (m *textMarker) isDataScript(raw []byte) bool {
	if !bytes.Contains(raw, []byte("+")) && !bytes.Contains(raw, []byte("&")) {
		return false // no type of data that pages hold is without
	}
	e := Element{Name: "script", Attrs: readAttrs(string(raw), nil)}
	return m.opt.IsData(e.MediaType())
}

func (m *textMarker) endTag() {
	name := m.tag()
	isForeign := m.foreign.is()
	if len(m.foreign) > 0 {
		m.foreign = m.foreign.end(name)
	}
	is := traitsOf(name)
	if is&isAside != 0 && !isForeign {
		m.endAside(name)
	}
	switch {
	case is&(isDropped|isFrame) != 0 && !isForeign:
		return
	case is&isKept != 0:
		m.kept = max(0, m.kept-1)
	case is&isTable != 0:
		m.apart = true
	}
	m.closeTag(name)
}

// tell tells what is wrong with the page.
func (m *textMarker) tell(to xmltext.Listener) {
	at := func(offset int64) fault.Pos { return Advance(fault.Pos{Line: 1, Column: 1}, m.source[:offset]) }
	if c := &m.cut; c.message != "" {
		to.Notice(fault.Notice{Code: fault.TextCut, Severity: fault.Warning, Pos: at(c.pos.Offset), Excerpt: c.excerpt(m.source),
			Message: c.message + "; the rest is missing"})
	}
	m.mends.tell(m.source, to)
	if m.skipped > 0 {
		from := m.skipped - 1
		to.Notice(fault.Notice{Code: fault.TextTooDeep, Severity: fault.Warning, Pos: at(int64(from)),
			Excerpt: fault.Excerpt(m.source[from:min(len(m.source), from+fault.MaxExcerpt)]),
			Message: "elements are nested more deeply than the HTML parser allows; tags so deep are passed over, and their text is kept"})
	}
	if m.nul > 0 {
		from := m.nul - 1
		to.Notice(fault.Notice{Code: fault.TextNUL, Severity: fault.Warning, Pos: at(int64(from)),
			Excerpt: fault.Excerpt(m.source[from:min(len(m.source), from+fault.MaxExcerpt)]),
			Message: fmt.Sprintf("the text holds the character U+0000, in all %d times; it is left out",
				bytes.Count(m.source[from:], []byte{0}))})
	}
}

// convert makes an element of a node; pos is the place of the one around it.
func (m *textMarker) convert(n *html.Node, pos fault.Pos) *Element {
	e := m.slab.element()
	e.Name, e.Pos = n.Data, pos
	if i := Number(n); i >= 0 && i < len(m.tags) {
		tag := &m.tags[i]
		e.Pos = fault.Pos{Offset: int64(tag.from)}
		e.Attrs = readAttrs(m.page.Source[tag.from:tag.to], &m.slab)
		e.setScript(tag.script)
	}
	if n.Data == "template" && n.Namespace == "" && !e.Has("shadowrootmode") {
		return e
	}
	if n.Namespace != "" {
		e.Space = n.Namespace
	}
	e.Children = m.slab.childrenOf(n)
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c) // so that it can be freed: only one of the trees is held
		switch c.Type {
		case html.ElementNode:
			e.Children = append(e.Children, Child{Element: m.convert(c, e.Pos)})
		case html.TextNode:
			e.Children = appendTexts(e.Children, c.Data)
		}
	}
	return e
}

// appendTexts appends the texts whose numbers a text of the marked page holds.
func appendTexts(children []Child, marked string) []Child {
	for marked != "" {
		i := strings.IndexByte(marked, textBegin)
		if i < 0 {
			return append(children, Child{Text: onlySpace(marked), number: keptSpace})
		}
		if i > 0 {
			children = append(children, Child{Text: onlySpace(marked[:i]), number: keptSpace})
		}
		end := strings.IndexByte(marked, textEnd)
		if end < i {
			return children
		}
		if number, err := strconv.ParseInt(marked[i+1:end], 10, 32); err == nil {
			children = append(children, Child{number: int32(number)})
		}
		marked = marked[end+1:]
	}
	return children
}

// onlySpace is white space as it is. What else stands between numbers is a tag that the parser took for text. Such a
// tag is in a title, say, and was not known to be in one. Its place is not known, and it is none of the page's text.
func onlySpace(marked string) string {
	if strings.Trim(marked, " \t\n\r\f") != "" {
		return " "
	}
	return marked
}
