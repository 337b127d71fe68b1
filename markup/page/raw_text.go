package page

import (
	"bytes"
	"fmt"
	"slices"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// openEnd is an element, a tag or a comment that does not end where it should.
type openEnd struct {
	from, to int // its tag, and where what is in it ends
	message  string
}

// rawEnds finds where raw text ends in pages that are to lose nothing. An element without its end tag takes the rest of
// the page by the rules of HTML. Where a block begins in what should have none, the text goes on there.
type rawEnds struct {
	next  map[string]int // by name: where the next end tag stands, or the end of what is read
	early string         // the element that the present token ends without its end tag; empty mostly
	open  []openEnd
	// What is in noscript is read apart: whole is the page around it, while source ends with it. Outer is next of the
	// page.
	whole []byte
	outer map[string]int
}

// mendedEnd is where the text of an element ends; it begins at s.at, behind the tag of the element.
func (s *textScanner) mendedEnd(name string) int {
	r := s.mends
	end, known := r.next[name]
	if !known || end < s.at || end > len(s.source) {
		end = s.rawEnd(name)
	}
	isOpen := end == len(s.source) && name != "plaintext"
	limit := end
	switch {
	case isOpen:
	case name == "style" || name == "iframe" || name == "noembed":
		// Another of the kind in it says that this one has lost its end tag.
		again := s.startOf(name, s.at, end)
		if again < 0 {
			return end
		}
		isOpen, limit = true, again
	default:
		return end
	}
	if !isOpen {
		return end
	}
	if r.next == nil {
		r.next = map[string]int{}
	}
	r.next[name] = end // what comes next may be looked for again
	to := s.soundEnd(name, limit)
	r.early = name
	message := "the element <" + name + "> has no end tag, and takes the rest of the page"
	if to < len(s.source) || r.whole != nil {
		message = "the element <" + name + "> has no end tag; it is read to where another begins"
	}
	r.open = append(r.open, openEnd{s.rawFrom, to, message})
	return to
}

// startOf finds the first start tag of an element.
func (s *textScanner) startOf(name string, from, to int) int {
	for {
		n := bytes.IndexByte(s.source[from:to], '<')
		if n < 0 {
			return -1
		}
		from += n + 1
		if rest := s.source[from:to]; len(rest) > len(name) && bytes.EqualFold(rest[:len(name)], []byte(name)) &&
			endsName(rest[len(name)]) {
			return from - 1
		}
	}
}

// blockTags are the elements that no text without tags holds. Their tags show where it ends.
var blockTags = set("address", "article", "aside", "blockquote", "body", "center", "details", "dialog", "dd", "div", "dl", "dt", "fieldset",
	"figcaption", "figure", "footer",
	"form", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "li", "main", "menu", "nav", "noscript", "ol",
	"p", "pre", "search", "section", "table",
	"tbody", "td", "tfoot", "th", "thead", "tr", "ul")

// inHeads are those that end a title, besides.
var inHeads = set("base", "link", "meta", "script", "style", "title", "template")

// soundEnd is where a block begins in raw text, or limit. In a script that is only where a statement may end: others
// write markup.
func (s *textScanner) soundEnd(name string, limit int) int {
	for i := s.at; ; i++ {
		n := bytes.IndexByte(s.source[i:limit], '<')
		if n < 0 {
			return limit
		}
		i += n
		from := i + 1
		isEnd := from < limit && s.source[from] == '/'
		if isEnd {
			from++
		}
		to := from
		for to < limit && to-from < 12 && !endsName(s.source[to]) {
			to++
		}
		if to == limit || !endsName(s.source[to]) {
			continue
		}
		switch tag := string(bytes.ToLower(s.source[from:to])); {
		case !blockTags[tag] && !(name == "title" && inHeads[tag] && !isEnd):
		case isEnd && name == "textarea" && tag == "p":
		case name == "script" && !s.endsStatement(i):
		default:
			return i
		}
	}
}

// endsStatement says that a statement of a script ends before i, so that none of its strings goes on there.
func (s *textScanner) endsStatement(i int) bool {
	before := bytes.TrimRight(s.source[s.at:i], " \t\r\n\f")
	if len(before) == 0 {
		return true
	}
	switch before[len(before)-1] {
	case ';', '}':
		return true
	case ')', '>':
		return bytes.ContainsAny(s.source[s.at+len(before):i], "\r\n")
	}
	return false
}

// enterNoscript bounds what is read to the present element, so that nothing in it passes its end tag.
func (s *textScanner) enterNoscript() {
	r := s.mends
	if r.whole != nil {
		return
	}
	end, known := r.next["noscript"]
	if !known || end < s.at {
		end = s.rawEnd("noscript")
		if r.next == nil {
			r.next = map[string]int{}
		}
		r.next["noscript"] = end
	}
	if end < len(s.source) {
		r.whole, s.source = s.source, s.source[:end]
		r.outer, r.next = r.next, nil
	}
}

// leaveNoscript goes on behind what was read apart; not ok if nothing was.
func (s *textScanner) leaveNoscript() bool {
	if s.mends == nil || s.mends.whole == nil {
		return false
	}
	s.source, s.mends.whole, s.mends.next = s.mends.whole, nil, s.mends.outer
	return true
}

// cutInNoscript takes a tag or a comment that what is in noscript ends in; not ok outside of one.
func (s *textScanner) cutInNoscript() bool {
	if s.mends == nil || s.mends.whole == nil {
		return false
	}
	s.mends.open = append(s.mends.open, openEnd{s.from, len(s.source), "a tag or comment in <noscript> does not end, and takes the rest " +
		"of that"})
	return true
}

// tell tells of elements that have no end tag.
func (r *rawEnds) tell(source []byte, to xmltext.Listener) {
	pos := fault.Pos{Line: 1, Column: 1}
	slices.SortStableFunc(r.open, func(a, b openEnd) int { return a.from - b.from })
	for _, o := range r.open {
		pos = Advance(pos, source[pos.Offset:o.from])
		to.Notice(fault.Notice{Code: fault.TextCut, Severity: fault.Warning, Pos: pos, Message: fmt.Sprintf("%s: %d bytes", o.message,
			o.to-o.from),
			Excerpt: fault.Excerpt(source[o.from:min(len(source), o.from+fault.MaxExcerpt)])})
	}
}

// aside is an open element whose text is none of the page's, or read beside it.
type aside struct {
	name string
	from int
}

// startAside notes that such an element begins. What is in noscript is read apart.
func (m *textMarker) startAside(name []byte) {
	if m.xml && m.selfEnds {
		return
	}
	lower := string(bytes.ToLower(name))
	if lower == "noscript" {
		m.enterNoscript()
		return
	}
	m.aside = append(m.aside, aside{lower, m.from})
}

func (m *textMarker) endAside(name []byte) {
	for i := len(m.aside) - 1; i >= 0; i-- {
		if bytes.EqualFold([]byte(m.aside[i].name), name) {
			m.aside = m.aside[:i]
			return
		}
	}
}

// finish ends the page: what is open is told.
func (m *textMarker) finish() {
	for _, a := range m.aside {
		message := "the element <" + a.name + "> has no end tag; its content is read as text of the page"
		if a.name == "template" {
			message = "the element <template> has no end tag, and takes the rest of the page, which isn't text of it"
		}
		m.mends.open = append(m.mends.open, openEnd{a.from, len(m.source), message})
	}
	if len(m.mends.open) == 0 {
		m.cut.finishWith(&textScanner{source: m.source}, m.source, fault.Pos{Offset: int64(m.from)})
	}
}
