package content

import (
	"strings"

	"laundromat/markup/page"
	"laundromat/text"
)

// node is what is known of an element that stands apart, and of all in it.
type node struct {
	parent   int32
	depth    uint8
	name     uint8
	flags    uint32
	from, to int32 // its tokens: of class and id
	shape    int32 // nodes of the same names and classes, within such, have the same number
	classWeights
	counts
	first, lastBlock int32
}

// classWeights are the weights of the tokens of an element and of those around it.
type classWeights struct {
	weight           int16
	least, most, sum int16
	last             int16 // the weight of the nearest that has one
}

// The elements that a block may stand in.
const (
	inMain uint32 = 1 << iota
	inArticle
	inSection
	inForm
	inTable
	inList
	inNav
	inHeader
	inFooter
	inAside
	inHidden
	inFigure
	inQuote
	inDialog
	inPre
	inDetails
	inDefinition
)

// nodeNames are the elements that features know by number.
var nodeNames = func() map[string]uint8 {
	known := map[string]uint8{}
	for i, name := range strings.Fields("body div p ul ol li table tbody thead tr td th h1 h2 h3 h4 h5 h6 section article " +
		"main nav header footer aside form fieldset " +
		"blockquote pre figure figcaption dl dt dd address details summary button select option textarea label legend svg " +
		"noscript center dialog video object") {
		known[name] = uint8(i + 1)
	}
	return known
}()

// The numbers of those that are asked for by name.
var bodyName, articleName, tableName, formName, listName = nodeNames["body"], nodeNames["article"], nodeNames["table"],
	nodeNames["form"], nodeNames["ul"]

// nodeFlags are what a block is in that stands in an element; all of these are in nodeNames.
var nodeFlags = func() (known [1 << 8]uint32) {
	for name, flags := range map[string]uint32{"main": inMain, "article": inArticle, "section": inSection, "form": inForm,
		"fieldset": inForm, "table": inTable, "ul": inList,
		"ol": inList, "nav": inNav, "header": inHeader, "footer": inFooter, "aside": inAside, "figure": inFigure,
		"blockquote": inQuote, "dialog": inDialog,
		"pre": inPre, "details": inDetails, "dl": inDefinition} {
		known[nodeNames[name]] = flags
	}
	return known
}()

// element reads the names and attributes of an element. It gives the place of its tokens in hashes.
func (n *node) element(e *page.Element, hashes []Hash) []Hash {
	n.name = nodeNames[e.Name]
	n.flags |= nodeFlags[n.name]
	n.from = int32(len(hashes))
	for i := range e.Attrs {
		a := &e.Attrs[i]
		switch a.Name {
		case "class", "id", "itemprop", "data-testid", "data-component", "aria-label":
			tokens(a.Value, func(h Hash) {
				if len(hashes)-int(n.from) < 48 {
					hashes = append(hashes, h)
				}
			})
			if a.Name == "itemprop" && strings.EqualFold(a.Value, "articleBody") {
				n.flags |= inMain
			}
		case "role":
			switch strings.ToLower(strings.TrimSpace(a.Value)) {
			case "main":
				n.flags |= inMain
			case "article":
				n.flags |= inArticle
			case "navigation", "menu", "menubar":
				n.flags |= inNav
			case "contentinfo":
				n.flags |= inFooter
			case "banner":
				n.flags |= inHeader
			case "complementary":
				n.flags |= inAside
			case "dialog", "alertdialog":
				n.flags |= inDialog
			case "search":
				n.flags |= inForm
			}
		case "style":
			if v := strings.ToLower(a.Value); hasAny(v, "display:none", "display: none", "visibility:hidden", "visibility: hidden") {
				n.flags |= inHidden
			}
		case "hidden":
			n.flags |= inHidden
		case "aria-hidden":
			if a.Value == "true" {
				n.flags |= inHidden
			}
		}
	}
	n.to = int32(len(hashes))
	return hashes
}

// shapes gives each node the number of its shape.
type shapeKey struct {
	parent int32
	name   string
	class  Hash
	has    bool
}

// readNodes makes the nodes of a page.
func (t *Table) readNodes(p *Page) {
	t.nodes = make([]node, max(1, len(p.Nodes)))
	shapes := make(map[shapeKey]int32, len(p.Nodes)/4)
	for i := range p.Nodes {
		n := &t.nodes[i]
		n.parent, n.first = p.Nodes[i].Parent, -1
		e := p.Nodes[i].Element
		if e == nil {
			continue
		}
		around := &t.nodes[n.parent]
		n.flags = around.flags
		n.depth = uint8(min(255, int(around.depth)+1))
		t.NodeHashes = n.element(e, t.NodeHashes)
		key := shapeKey{parent: around.shape, name: e.Name}
		if n.to > n.from {
			key.class, key.has = t.NodeHashes[n.from], true
		}
		number, ok := shapes[key]
		if !ok {
			number = int32(len(shapes) + 1)
			shapes[key] = number
		}
		n.shape = number
	}
	t.shapes = make([]group, len(shapes)+1)
}

// group is what blocks of one shape have together.
type group struct{ blocks, words, linked, chars, nodes int32 }

// fillNodes adds up what is in each node.
func (t *Table) fillNodes(p *Page) {
	for i := range p.Blocks {
		b, n := &t.blocks[i], &t.nodes[p.Within[i]]
		n.counts.add(&b.counts)
		if n.first < 0 {
			n.first = int32(i)
		}
		n.lastBlock = int32(i)
		g := &t.shapes[n.shape]
		g.blocks++
		g.words += b.words
		g.chars += b.chars
		g.linked += b.linked
	}
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		t.shapes[n.shape].nodes++
		up := &t.nodes[n.parent]
		up.counts.add(&n.counts)
		if n.first >= 0 {
			if up.first < 0 || n.first < up.first {
				up.first = n.first
			}
			up.lastBlock = max(up.lastBlock, n.lastBlock)
		}
	}
}

// story is the innermost node that holds most of the prose.
func (t *Table) story() int32 {
	all := t.nodes[0].prose
	best := int32(0)
	if all == 0 {
		return 0
	}
	for i := 1; i < len(t.nodes); i++ {
		if n := &t.nodes[i]; n.parent == best && n.prose*10 >= all*6 {
			best = int32(i)
		}
	}
	return best
}

// weigh gives each node the weights of its class.
func (t *Table) weigh(weights []int8) {
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		up := &t.nodes[n.parent]
		sum, count := 0, 0
		least, most := 0, 0
		for _, h := range t.NodeHashes[n.from:n.to] {
			if w := int(weights[h]); w != 0 {
				sum += w
				count++
				least, most = min(least, w), max(most, w)
			}
		}
		n.weight = 0
		if count > 0 {
			n.weight = int16(least + most + sum/count)
		}
		n.least, n.most, n.last = min(up.least, n.weight), max(up.most, n.weight), up.last
		n.sum = int16(max(-2000, min(2000, int(up.sum)+int(n.weight))))
		if n.weight != 0 {
			n.last = n.weight
		}
	}
}

func isProse(b *text.Block, words, chars, linked int) bool {
	return words >= 10 && linked*2 < chars && b.Kind != text.Control
}
