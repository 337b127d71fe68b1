package page

import (
	"bytes"
	"strconv"
	"unsafe"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
)

// The characters around the number of a text or a comment. A start tag has the first and its number as the name of
// an attribute, so that the attributes of several tags of one element stay.
const partBegin, partEnd = '\x01', '\x02'

// marker writes the page that the parser gets in place of the whole one: numbers stand for attributes and texts.
// White space before a text stays, by which the parser decides, and so do the attributes of elements that it asks for
// some. A number has a kind, by which a text is recognised that the parser sees otherwise than the scanner.
type marker struct {
	textScanner
	opt     *Options
	found   *places
	marked  []byte
	nest    nesting
	foreign foreign
	script  *Script // whose text may come next
	rawName string  // the element whose text may come next, if that has no tags in it
	ends    finder
	strange bool // there was an element of SVG or MathML
	passed  int  // up to where what follows a tag is read by itself
}

// mark writes into each start tag its number, and takes the scripts. A tag without attributes says nothing, and stays
// as it is. From depth on, if that is not 0, tags are left out.
func mark(source []byte, depth int, how marking, opt *Options) (marked []byte, found *places) {
	found = &places{source: source, text: unsafe.String(unsafe.SliceData(source), len(source)), lines: newLines(source), how: how}
	m := &marker{textScanner: textScanner{source: source, framesRaw: true}, opt: opt, found: found,
		marked: make([]byte, 0, len(source)/5+64), nest: nesting{depth: depth}, ends: finder{page: source}}
	if opt.texts && how == inParts && depth == 0 {
		found.texts = &sharedTexts{isSound: true}
	}
	for {
		kind, raw := m.nextTag()
		if m.from < m.passed && kind != html.ErrorToken {
			continue
		}
		found.cut.tell(kind, raw, fault.Pos{Offset: int64(m.from)})
		if skip, costs := m.nest.skips(kind, raw); skip {
			found.skip(m.from, costs)
			continue
		}
		if zero := bytes.IndexByte(raw, 0); zero >= 0 && kind != html.CommentToken {
			found.zeros = append(found.zeros, m.from+zero)
		}
		if found.texts != nil && found.texts.isSound {
			found.texts.look(m, raw)
		}
		if kind != html.TextToken {
			m.script, m.rawName = nil, ""
		}
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			m.startTag(raw, kind == html.StartTagToken)
		case html.EndTagToken:
			if len(m.foreign) > 0 {
				m.foreign = m.foreign.end(m.tag())
			}
			m.marked = append(m.marked, raw...)
		case html.TextToken:
			m.text()
		case html.CommentToken:
			m.comment(raw)
		default:
			m.marked = append(m.marked, raw...)
		}
		if kind == html.ErrorToken {
			found.cut.finishWith(&textScanner{source: source, framesRaw: true}, source, fault.Pos{Offset: int64(m.from)})
			return m.marked, found
		}
	}
}

// skip notes the place of a tag that is left out; costs says that statements may be lost by it.
func (p *places) skip(at int, costs bool) {
	if p.skipped == 0 || costs && !p.costs {
		p.skipped = at + 1
	}
	p.costs = p.costs || costs
}

// part writes the number of a part of the page.
func (m *marker) part(from, to int, kind partKind, stretch int32) {
	m.marked = append(m.marked, partBegin)
	m.marked = strconv.AppendInt(m.marked, int64(len(m.found.parts)), 10)
	m.marked = append(m.marked, partEnd)
	m.found.parts = append(m.found.parts, part{int32(from), int32(to), stretch, kind})
}

func (m *marker) text() {
	text := m.source[m.from:m.to]
	if m.script != nil {
		m.script.take(text, m.found.lines.pos(m.from))
	}
	name := m.rawName
	m.script, m.rawName = nil, ""
	kind := partOf(name)
	rest := bytes.TrimLeft(text, " \t\r\n\f")
	stretch := int32(0)
	if m.found.texts != nil {
		stretch = m.found.texts.take(m, name, len(rest) == 0)
	}
	switch {
	case m.found.how != inParts || bytes.IndexByte(text, 0) >= 0 || len(rest) < 4 && name == "" && stretch == 0:
		m.marked = append(m.marked, text...)
	case kind == rawPart:
		m.part(m.from, m.to, kind, stretch)
	case len(rest) == 0:
		m.marked = append(m.marked, text...)
	default:
		m.marked = append(m.marked, text[:len(text)-len(rest)]...)
		m.part(m.to-len(rest), m.to, kind, stretch)
	}
}

func (m *marker) comment(raw []byte) {
	const begin, end = "<!--", "-->"
	isSound := len(raw) >= len(begin+end) && bytes.HasPrefix(raw, []byte(begin)) && bytes.HasSuffix(raw, []byte(end))
	switch {
	case isSound && m.found.how == inParts && !bytes.ContainsAny(raw, "&\r\x00"):
		m.marked = append(m.marked, begin...)
		m.part(m.from+len(begin), m.to-len(end), commentPart, 0)
		m.marked = append(m.marked, end...)
	case bytes.HasPrefix(raw, []byte("<![CDATA[")):
		m.section(raw)
	default:
		m.marked = append(m.marked, raw...)
	}
}

// section takes a section of CDATA. In SVG and MathML it is text, in which there are no tags. Elsewhere it is a
// comment.
func (m *marker) section(raw []byte) {
	if !m.foreign.is() && !(m.found.how != inParts && m.strange) {
		m.found.again = true // the parser may see it otherwise
		m.marked = append(m.marked, raw...)
		return
	}
	m.at = len(m.source)
	if n := bytes.Index(m.source[m.from:], []byte("]]>")); n >= 0 {
		m.at = m.from + n + len("]]>")
	}
	m.marked = append(m.marked, m.source[m.from:m.at]...)
}

// startTag marks a start tag; isOpen says that it is no empty-element tag.
func (m *marker) startTag(raw []byte, isOpen bool) {
	name := m.tag()
	is := traitsOf(name)
	isBlock := isOpen && m.opt.isRDFTag(name, raw)
	m.strange = m.strange || is&isForeignRoot != 0
	if is&isForeignRoot != 0 || len(m.foreign) > 0 {
		wasForeign := len(m.foreign)
		m.foreign = m.foreign.start(name, !isOpen)
		if m.found.how == inParts && (m.foreign.is() || len(m.foreign) > wasForeign) {
			m.raw = "" // a title of SVG, say, holds elements
		}
	}
	m.rawName = m.textScanner.raw
	if is&isFrame != 0 {
		m.found.again = true // of texts in frames the parser takes the white space
	}
	end := 1 + len(name)
	if !isBlock && (m.found.how == bare || !m.hasAttrs && is&m.numbered() == 0) {
		m.marked = append(m.marked, raw...)
		return
	}
	if name := repeated(raw[end:]); name != "" {
		m.found.doubled = append(m.found.doubled, doubled{m.from, name})
	}
	number := len(m.found.tags)
	m.found.tags = append(m.found.tags, pageTag{from: int32(m.from), to: int32(m.to)})
	tag := &m.found.tags[number]
	m.marked = append(m.marked, raw[:end]...)
	m.marked = append(m.marked, ' ', partBegin)
	m.marked = strconv.AppendInt(m.marked, int64(number), 10)
	tag.isWhole = m.found.how != inParts || is&(isAsked|isForeignRoot) != 0 || m.foreign.is()
	switch {
	case tag.isWhole:
		m.marked = append(m.marked, ' ')
		m.marked = append(m.marked, raw[end:]...)
	case isOpen:
		m.marked = append(m.marked, '>')
	default:
		m.marked = append(m.marked, " />"...)
	}
	if isOpen && bytes.EqualFold(name, []byte("script")) && m.isData(tag) {
		m.script = &Script{Pos: m.found.lines.pos(m.to)}
		tag.script = m.script
	}
	if isBlock {
		m.found.hasBlock = true
		tag.script = m.block(name, raw)
	}
}

// numbered are the elements whose tags have numbers without attributes too.
func (m *marker) numbered() trait {
	numbered := isForeignRoot
	if m.opt.Places {
		numbered |= isTable
	}
	if m.found.texts != nil {
		numbered |= isNumbered
	}
	return numbered
}

// isData says that somebody may ask for the text of a script.
func (m *marker) isData(tag *pageTag) bool {
	if m.opt.IsData == nil {
		return true
	}
	e := Element{Name: "script", Attrs: readAttrs(m.found.text[tag.from:tag.to], nil)}
	return m.opt.IsData(e.MediaType())
}

// block takes an element of RDF/XML, which is read by itself, from its start tag to its end.
func (m *marker) block(name, raw []byte) *Script {
	at := m.found.lines.pos(m.from)
	from := m.from + len(raw)
	c, closed := m.ends.content(from, string(name), true)
	block := &Script{IsMarkup: true}
	if !closed && !m.ends.isSpent() {
		c.length = m.ends.rest(from, "head", "body", "html")
		c.end = c.length
	}
	if m.ends.isSpent() {
		c = content{}
		block.Lost = tooMany(at, m.source[m.from:])
	}
	m.passed = from + c.length
	block.take(m.source[m.from:from+c.end], at)
	return block
}
