package block

import (
	"sort"
	"strings"

	"laundromat/markup/page"
	"laundromat/text"
)

// piece is a stretch of text in the order of the tree, or what stands between two.
type piece struct {
	page.Stretch
	kind  pieceKind
	keep  string // white space as it stands
	place int32  // where it is in the document; for what knows it not, where the last text was
	run   int32  // pieces with the same number are in one block, if no other is between them
	ctx   int32  // the number of its context
	link  int32  // the number of the link around it, and 1
}

type pieceKind uint8

const (
	words pieceKind = iota
	space
	lineEnd
	linkStart // place is that of the link
	quoteStart
	quoteEnd
)

// context is what a text stands in.
type context struct {
	kind   text.Kind
	level  int
	region bool // kind is that of a region
	pre    bool
	code   bool
	table  int32 // the numbers of the innermost table, row and cell or list item; 0 for none
	row    int32
	cell   int32
	node   int32 // the number of the innermost element that stands apart
}

// walker makes pieces of a tree.
type walker struct {
	page     *page.Texts
	pieces   []piece
	contexts []context
	nodes    []Node
	links    []Anchor
	byPlace  map[int64]int32 // the numbers of links by the place of their tags
	run      int32
	numbers  int32
	place    int32
	disorder bool
	title    *page.Element
	hasBases bool     // xml:base is heard
	bases    []string // around what is walked
}

// state is what is handed down to the children of an element.
type state struct {
	context
	ctx, link int32
}

func (w *walker) add(p piece, s *state) {
	p.run, p.ctx = w.run, s.ctx
	if p.link == 0 {
		p.link = s.link
	}
	if p.kind == words || p.kind == linkStart {
		if p.place < w.place {
			w.disorder = true
		}
		w.place = p.place
	}
	p.place = w.place
	w.pieces = append(w.pieces, p)
}

func (w *walker) children(e *page.Element, s *state) {
	for i := range e.Children {
		c := &e.Children[i]
		if c.Element != nil {
			w.element(c.Element, e, s)
			continue
		}
		if stretch, ok := w.page.Stretch(c); ok {
			if stretch.Apart {
				w.run++
			}
			w.add(piece{kind: words, Stretch: stretch, place: stretch.Start}, s)
		} else if w.page.IsSpace(c) {
			w.add(piece{kind: space, keep: c.Text}, s)
		}
	}
}

// element walks an element; around is the one around it, and s what that hands down.
func (w *walker) element(e, around *page.Element, s *state) {
	if w.hasBases && e.Has("xml:base") {
		w.based(e, around, s)
	} else {
		w.walk(e, around, s)
	}
}

// based walks an element that has a base for the links in it.
func (w *walker) based(e, around *page.Element, s *state) {
	outer := w.bases
	base, _ := e.Get("xml:base")
	w.bases = append(outer[:len(outer):len(outer)], strings.TrimSpace(base))
	w.walk(e, around, s)
	w.bases = outer
}

func (w *walker) walk(e, around *page.Element, s *state) {
	known := w.meaning(e, around)
	switch known.role {
	case hidden:
		if e.Name == "head" {
			w.head(e)
		}
		return
	case br:
		w.add(piece{kind: lineEnd}, s)
		return
	case gap:
		w.add(piece{kind: space, keep: " "}, s)
		return
	case link:
		w.anchor(e, s)
		return
	case quoted:
		w.add(piece{kind: quoteStart}, s)
		w.children(e, s)
		w.add(piece{kind: quoteEnd}, s)
		return
	}
	inner := *s
	inner.code = inner.code || known.code
	switch known.role {
	case inline:
		if inner.code != s.code {
			w.begin(&inner)
		}
		w.children(e, &inner)
		return
	case gapText:
		w.add(piece{kind: space, keep: " "}, s)
		w.children(e, s)
		w.add(piece{kind: space, keep: " "}, s)
		return
	}
	w.nodes = append(w.nodes, Node{e, s.node})
	inner.node = int32(len(w.nodes) - 1)
	w.block(&inner, e.Name, &known)
	w.run++
	w.children(e, &inner)
	w.run++
}

// meaning is what an element means where it stands.
func (w *walker) meaning(e, around *page.Element) element {
	known := elements[e.Name]
	switch {
	case e.Name == "title" && e.Space != "":
		known.role = gapText
	case e.Name == "title" && w.title == nil:
		w.title = e
	case e.Name == "text" && e.Space == "":
		known.role = inline
	}
	if len(e.Attrs) > 0 && known.role != hidden {
		known = attributed(e, known)
	}
	switch known.role {
	case inline, source:
		known.role = inline
		if w.page.HasMath && (isSource(e, around) || len(e.Attrs) > 0 && isCopy(e, around)) {
			known.role = hidden
		}
	case shadow:
		known.role = hidden
		if e.Has("shadowrootmode") {
			known.role = apart
		}
	case annotation:
		known.role = gapText
		if hasChild(around, "rp") {
			known.role = inline
		}
	}
	return known
}

// attributed is what an element means by its attributes.
func attributed(e *page.Element, known element) element {
	for i := range e.Attrs {
		switch a := &e.Attrs[i]; a.Name {
		case "role":
			if kind, ok := regions[strings.ToLower(strings.TrimSpace(a.Value))]; ok {
				known.role, known.kind = region, kind
			}
		case "hidden":
			// What a script shows once it is ready is no part of a page; what is navigation says so.
			if e.Name != "html" && e.Name != "body" && known.role != region && known.kind != text.Control {
				known.role, known.kind = region, text.Hidden
			}
		}
	}
	return known
}

// head finds the title in the head of a page, which has no text.
func (w *walker) head(e *page.Element) {
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil && c.Name == "title" && w.title == nil {
			w.title = c
		}
	}
}

// block makes the context of a block.
func (w *walker) block(c *state, name string, known *element) {
	c.pre = c.pre || known.pre
	switch known.role {
	case apart:
		if name == "p" && c.kind == text.TableCell {
			c.kind, c.level = text.Paragraph, 0
		}
	case resets:
		if !c.region {
			c.kind, c.level = text.Paragraph, 0
		}
	case is:
		if !c.region || c.kind == text.Header || c.kind == text.Hidden && name == "button" {
			c.kind, c.level, c.region = known.kind, known.level, false
		}
		if known.kind == text.TableCell || known.kind == text.ListItem {
			w.numbers++
			c.cell = w.numbers
		}
	case region:
		if !c.region || c.kind == text.Hidden || known.kind != text.Hidden && (c.kind == text.Header || known.kind != text.Header) {
			c.kind, c.level, c.region = known.kind, 0, true
		}
	case row:
		w.numbers++
		c.row = w.numbers
	case table:
		w.numbers++
		c.table, c.row, c.cell = w.numbers, 0, 0
	}
	w.begin(c)
}

func (w *walker) begin(s *state) {
	s.ctx = int32(len(w.contexts))
	w.contexts = append(w.contexts, s.context)
}

// anchor walks a link. The parser makes several elements of one that is not closed before a block ends: they are one.
func (w *walker) anchor(e *page.Element, s *state) {
	href, ok := e.Get("href")
	if !ok {
		w.children(e, s)
		return
	}
	inner := *s
	if number, ok := w.byPlace[e.Pos.Offset]; ok {
		inner.link = number
	} else {
		w.links = append(w.links, Anchor{Href: strings.Clone(strings.TrimFunc(href, page.IsSpace)), Source: int(e.Pos.Offset),
			Bases: w.bases})
		inner.link = int32(len(w.links))
		w.byPlace[e.Pos.Offset] = inner.link
		w.add(piece{kind: linkStart, place: int32(e.Pos.Offset)}, &inner)
	}
	w.children(e, &inner)
}

func hasChild(e *page.Element, name string) bool {
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil && c.Name == name {
			return true
		}
	}
	return false
}

// order brings the pieces into the order of the document, where the parser moved some out of a table.
func (w *walker) order() {
	if w.disorder {
		sort.SliceStable(w.pieces, func(i, j int) bool { return w.pieces[i].place < w.pieces[j].place })
	}
}
