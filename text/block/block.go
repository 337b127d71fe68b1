// Package block makes the text of a page, in blocks that know where they stand in the document.
//
// The order is that of the document. Nothing is scored or left out: what is navigation is a block that says so. White
// space is what a browser shows: one space for several, but in preformatted text. Blocks are apart by an empty line,
// items of a list and rows of a table by a newline, cells by a tab.
package block

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/text"
)

// Anchor is a link of the page.
type Anchor struct {
	Href string // as the page has it, without space around it
	// Span is the place of its text; without text, it is empty, at the offset of what follows.
	Span   text.Span
	Source int      // where its tag stands in the document
	Bases  []string // of xml:base around it, from the outermost, if those are asked for
}

// Node is an element that stands apart from the text around it. Parent is the number of the one around it; the first
// node is around all others, has itself as its parent, and has no element.
type Node struct {
	Element *page.Element
	Parent  int32
}

// Options of a reading; zero values mean what is said here.
type Options struct {
	// Twice says that the page is part of a feed or the like, where references are written twice over by mistake.
	// What still is one in the text is decoded once more, but not in code.
	Twice bool
	// Bases says that xml:base is heard, as in parts of feeds.
	Bases bool
}

// Result is the text of a page.
type Result struct {
	Text    string
	Blocks  []text.Block
	Places  text.Places
	Anchors []Anchor // in the order of the document
	// Quotes are the texts of the elements q that are in no other, in the order of the document.
	Quotes []text.Span
	// Nodes are the elements that stand apart, each after the one around it. Within has, for each block, the number
	// of the innermost one around it.
	Nodes  []Node
	Within []int32
	Title  string // of the element title, with single spaces
	// TitleSource is what stands in that element.
	TitleSource string
	// Again is the first reference that was decoded a second time, AgainAt its place in the document; CountAgain is
	// how many there were.
	Again      string
	AgainAt    int
	CountAgain int
}

// Read makes the text of a page.
func Read(p *page.Texts, opt Options) *Result {
	w := &walker{page: p, hasBases: opt.Bases, byPlace: map[int64]int32{}, pieces: make([]piece, 0, 3*p.Count()+16),
		contexts: make([]context, 0, p.Count()+16)}
	s := state{}
	w.nodes = append(w.nodes, Node{})
	w.begin(&s)
	if p.Root != nil {
		w.element(p.Root, p.Root, &s)
	}
	w.order()
	for i := range w.links {
		w.links[i].Span = text.Span{Start: -1, End: -1}
	}
	b := &builder{page: p, contexts: w.contexts, result: &Result{Anchors: w.links, Nodes: w.nodes}, twice: opt.Twice, block: -1, run: -1}
	b.out = make([]byte, 0, len(p.Source)/8)
	b.result.Places = make(text.Places, 0, p.Count()+16)
	for i := range w.pieces {
		b.piece(&w.pieces[i])
	}
	b.finish()
	b.result.Text = string(b.out)
	if w.title != nil {
		b.result.Title = titleOf(p, w.title, opt)
		b.result.TitleSource = sourceOf(p, w.title)
	}
	return b.result
}

// sourceOf is the text of an element as it is written, without space around it.
func sourceOf(p *page.Texts, e *page.Element) string {
	start, end := -1, 0
	for i := range e.Children {
		if s, ok := p.Stretch(&e.Children[i]); ok {
			if start < 0 {
				start = int(s.Start)
			}
			end = max(end, int(s.End))
		}
	}
	if start < 0 {
		return ""
	}
	return strings.Clone(strings.TrimSpace(p.Source[start:max(start, end)]))
}

// titleOf is the text of a title, with single spaces.
func titleOf(p *page.Texts, e *page.Element, opt Options) string {
	b := &builder{page: p, contexts: []context{{}}, result: &Result{}, twice: opt.Twice, block: -1, run: -1}
	for i := range e.Children {
		if s, ok := p.Stretch(&e.Children[i]); ok {
			b.piece(&piece{kind: words, Stretch: s})
		} else if p.IsSpace(&e.Children[i]) || e.Children[i].Element != nil {
			b.piece(&piece{kind: space, keep: " "})
		}
	}
	b.finish()
	return string(b.out)
}

// builder writes pieces as blocks.
type builder struct {
	page     *page.Texts
	contexts []context
	result   *Result
	out      []byte
	twice    bool

	block     int        // of the result, which is open; -1 if none is
	run       int32      // of that block
	closed    []*context // of the blocks of the result
	open      *context   // of the open one
	space     bool       // white space came
	lineEnds  int
	visible   bool    // the open block shows something
	lineStart bool    // a newline of preformatted text may come that is none of it
	waiting   int     // from this anchor on, places may be missing
	seen      int     // anchors that began
	quotes    int     // open elements q
	touched   []int32 // the numbers of those whose place is in the open block
}

func (b *builder) piece(p *piece) {
	if p.run != b.run {
		b.close()
		b.run = p.run
		b.lineStart = b.contexts[p.ctx].pre
	}
	switch p.kind {
	case lineEnd:
		if b.contexts[p.ctx].pre {
			b.write(p, "\n", 0, 0)
			return
		}
		if b.block >= 0 {
			b.lineEnds++
		}
	case space:
		if b.contexts[p.ctx].pre {
			b.write(p, p.keep, 0, 0)
			return
		}
		b.space = true
	case linkStart:
		b.seen = max(b.seen, int(p.link))
	case quoteStart, quoteEnd:
		b.quote(p.kind)
	case words:
		raw := b.page.Source[p.Start:p.End]
		if b.contexts[p.ctx].pre {
			b.kept(p, raw, int(p.Start))
		} else {
			b.space = b.space || p.Spaced
			b.words(p, raw)
		}
	}
}

// softHyphen is where a word may end a line. It is no part of the word, and left out as the element wbr is.
const softHyphen = "\u00ad"

// isPlain are the bytes that are text as they stand, wherever they are.
var isPlain = func() (plain [256]bool) {
	for i := range plain {
		plain[i] = strings.IndexByte(" \t\n\r\f&\x00"+softHyphen[:1], byte(i)) < 0
	}
	return plain
}()

// words writes text in which white space is one space.
func (b *builder) words(p *piece, raw string) {
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == 0:
			i++
			continue
		case c == softHyphen[0] && i+1 < len(raw) && raw[i+1] == softHyphen[1]:
			i += len(softHyphen)
			continue
		case !isPlain[c] && c != '&' && c != softHyphen[0]:
			b.space = true
			i++
			continue
		case c == '&' && !p.Plain:
			if decoded, n, again, ok := reference(raw[i:], b.twice && !b.contexts[p.ctx].code); ok {
				b.again(again, raw[i:i+n], int(p.Start)+i)
				if decoded == " " || decoded == "\n" || decoded == "\t" || decoded == "\r" || decoded == "\f" {
					b.space = true
				} else if decoded != "\x00" && decoded != softHyphen {
					b.write(p, decoded, int(p.Start)+i, n)
				}
				i += n
				continue
			}
		}
		from := i
		for i++; i < len(raw) && (isPlain[raw[i]] || raw[i] == ' ' && i+1 < len(raw) && isPlain[raw[i+1]]); i++ {
		}
		b.write(p, raw[from:i], int(p.Start)+from, i-from)
	}
}
