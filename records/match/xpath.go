package match

import (
	"fmt"
	"strings"

	"github.com/antchfx/xpath"
	"golang.org/x/net/html"

	"laundromat/markup/page"
)

// navigator leads the library of XPath through a tree. When the work of a page is used up, it
// finds nothing more, so that every expression ends.
type navigator struct {
	r        *run
	root, at *html.Node
	attr     int // the number of the attribute; -1 for the node itself
}

func (n *navigator) NodeType() xpath.NodeType {
	switch {
	case n.attr >= 0:
		return xpath.AttributeNode
	case n.at.Type == html.TextNode:
		return xpath.TextNode
	case n.at.Type == html.CommentNode:
		return xpath.CommentNode
	case n.at.Type == html.ElementNode:
		return xpath.ElementNode
	}
	return xpath.RootNode
}

func (n *navigator) name() string {
	if n.attr >= 0 {
		return attrName(&n.at.Attr[n.attr])
	}
	if n.at.Type != html.ElementNode {
		return ""
	}
	return nameOf(n.at)
}

func (n *navigator) LocalName() string {
	name := n.name()
	return name[strings.IndexByte(name, ':')+1:]
}

func (n *navigator) Prefix() string {
	prefix, _, found := strings.Cut(n.name(), ":")
	if !found {
		return ""
	}
	return prefix
}

func (n *navigator) Value() string {
	if n.attr >= 0 {
		return n.at.Attr[n.attr].Val
	}
	if n.at.Type == html.TextNode || n.at.Type == html.CommentNode {
		return n.at.Data
	}
	if !n.spend(1 + n.r.tree.size(n.at)) {
		return ""
	}
	return textOf(n.at)
}

func (n *navigator) spend(steps int) bool {
	n.r.steps -= int64(steps)
	return n.r.steps > 0
}

func (n *navigator) Copy() xpath.NodeNavigator {
	n.spend(1)
	c := *n
	return &c
}

func (n *navigator) MoveToRoot() { n.at, n.attr = n.root, -1 }

func (n *navigator) move(to *html.Node) bool {
	if to == nil || !n.spend(1) {
		return false
	}
	n.at, n.attr = to, -1
	return true
}

func (n *navigator) MoveToParent() bool {
	if n.attr >= 0 {
		n.attr = -1
		return n.spend(1)
	}
	return n.move(n.at.Parent)
}

func (n *navigator) MoveToNextAttribute() bool {
	if n.at.Type != html.ElementNode || !n.spend(1) {
		return false
	}
	i := n.attr + 1
	if i < len(n.at.Attr) && n.at.Attr[i].Key == page.TagKey {
		i++
	}
	if i >= len(n.at.Attr) {
		return false
	}
	n.attr = i
	return true
}

func (n *navigator) MoveToChild() bool {
	if n.attr >= 0 || n.at.Type == html.ElementNode && n.at.Data == "template" {
		return false
	}
	return n.move(n.at.FirstChild)
}

func (n *navigator) MoveToFirst() bool {
	if n.attr >= 0 || n.at.Parent == nil {
		return false
	}
	return n.move(n.at.Parent.FirstChild)
}

func (n *navigator) MoveToNext() bool { return n.attr < 0 && n.move(n.at.NextSibling) }

func (n *navigator) MoveToPrevious() bool { return n.attr < 0 && n.move(n.at.PrevSibling) }

func (n *navigator) MoveTo(other xpath.NodeNavigator) bool {
	o, ok := other.(*navigator)
	if !ok || o.root != n.root {
		return false
	}
	n.at, n.attr = o.at, o.attr
	return true
}

// parseXPath compiles an expression and tries it on a small document, since the library finds
// wrong types only when it meets them.
func parseXPath(text string) (*xpath.Expr, error) {
	if len(text) > maxSelector {
		return nil, fmt.Errorf("a selector has at most %d bytes, this one has %d", maxSelector, len(text))
	}
	for _, function := range []string{"matches(", "replace("} {
		if i := strings.Index(text, function); i >= 0 && strings.Contains(text[i:], "{") {
			return nil, fmt.Errorf("a regular expression in XPath has no counts in braces")
		}
	}
	e, err := compileXPath(text)
	if err != nil {
		return nil, fmt.Errorf("the expression %q is wrong: %w", text, err)
	}
	document := &html.Node{Type: html.DocumentNode}
	root := &html.Node{Type: html.ElementNode, Data: "r", Attr: []html.Attribute{{Key: "a", Val: "1"}}}
	document.AppendChild(root)
	root.AppendChild(&html.Node{Type: html.TextNode, Data: "1"})
	trial := &run{tree: &tree{document: document}, steps: 1 << 20}
	if _, err := trial.evaluateXPath(e, root); err != nil {
		return nil, fmt.Errorf("the expression %q is wrong: %w", text, err)
	}
	return e, nil
}

func compileXPath(text string) (e *xpath.Expr, err error) {
	defer func() { err = panicked(recover(), err) }()
	return xpath.Compile(text)
}

// panicked makes an error of a panic. The library of XPath reports wrong types by panics; a
// fault of an expression must not look like one of ours.
func panicked(cause any, err error) error {
	if cause == nil {
		return err
	}
	return fmt.Errorf("%v", cause)
}

// evaluateXPath gives the nodes that an expression selects from a node, or its one value.
func (r *run) evaluateXPath(e *xpath.Expr, at *html.Node) (items []item, err error) {
	defer func() { err = panicked(recover(), err) }()
	switch v := e.Evaluate(&navigator{r: r, root: r.tree.document, at: at, attr: -1}).(type) {
	case *xpath.NodeIterator:
		for v.MoveNext() && r.steps > 0 {
			n := v.Current().(*navigator)
			switch {
			case n.attr >= 0:
				a := &n.at.Attr[n.attr]
				items = append(items, item{kind: textItem, el: n.at, attr: attrName(a), text: a.Val})
			case n.at.Type == html.ElementNode:
				items = append(items, item{kind: elementItem, el: n.at})
			case n.at.Type == html.TextNode:
				items = append(items, item{kind: textItem, el: n.at.Parent, text: n.at.Data})
			case n.at.Type == html.DocumentNode:
				items = append(items, item{kind: elementItem, el: n.at})
			}
		}
	case string:
		items = append(items, item{kind: textItem, el: at, text: v})
	case float64:
		items = append(items, item{kind: numberItem, el: at, text: numberText(v)})
	case bool:
		items = append(items, item{kind: boolItem, el: at, text: fmt.Sprint(v)})
	}
	return items, nil
}
