package rdfa

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
)

var errTooDeep = errors.New("nested too deeply")

// placeName is an attribute that carries the place of a start tag through the HTML
// parser, whose tree knows none.
const placeName = "laundromat-place"

// parseHTML reads a page by the rules of HTML. All errors are errTooDeep: there are
// no others.
func parseHTML(page []byte) ([]*element, error) {
	marked, places := mark(page)
	document, err := html.ParseWithOptions(bytes.NewReader(marked), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, errTooDeep
	}
	root := document.FirstChild
	for root != nil && root.Type != html.ElementNode {
		root = root.NextSibling
	}
	if root == nil {
		return nil, nil
	}
	document.RemoveChild(root)
	return []*element{convert(root, places, fault.Pos{Line: 1, Column: 1})}, nil
}

// mark writes into each start tag the number of its place.
func mark(page []byte) (marked []byte, places []fault.Pos) {
	z := html.NewTokenizer(bytes.NewReader(page))
	marked = make([]byte, 0, len(page)+len(page)/4)
	at := fault.Pos{Line: 1, Column: 1}
	for {
		kind := z.Next()
		raw := z.Raw()
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			end := 1
			for end < len(raw) && strings.IndexByte(" \t\r\n\f/>", raw[end]) < 0 {
				end++
			}
			if name := raw[1:end]; bytes.EqualFold(name, []byte("noscript")) {
				z.NextIsNotRawText()
			}
			marked = append(marked, raw[:end]...)
			marked = append(marked, " "+placeName+"="...)
			marked = strconv.AppendInt(marked, int64(len(places)), 10)
			if end < len(raw) && raw[end] == '/' {
				marked = append(marked, ' ')
			}
			marked = append(marked, raw[end:]...)
			places = append(places, at)
		} else {
			marked = append(marked, raw...)
		}
		at = advance(at, raw)
		if kind == html.ErrorToken {
			break
		}
	}
	return marked, places
}

// advance is the place behind text that begins at a place.
func advance(at fault.Pos, text []byte) fault.Pos {
	at.Offset += int64(len(text))
	for len(text) > 0 {
		i := bytes.IndexAny(text, "\r\n")
		if i < 0 {
			at.Column += int64(utf8.RuneCount(text))
			break
		}
		if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
			i++
		}
		at.Line++
		at.Column = 1
		text = text[i+1:]
	}
	return at
}

func convert(n *html.Node, places []fault.Pos, pos fault.Pos) *element {
	e := &element{name: n.Data, pos: pos}
	for _, a := range n.Attr {
		name := a.Key
		if a.Namespace != "" {
			name = a.Namespace + ":" + a.Key
		}
		if name == placeName {
			if i, err := strconv.Atoi(a.Val); err == nil && i < len(places) && e.pos == pos {
				e.pos = places[i]
			}
			continue
		}
		if !e.has(name) {
			e.attrs = append(e.attrs, attr{name: name, value: a.Val})
		}
	}
	if n.Data == "template" && n.Namespace == "" {
		return e // what it holds is not part of the page
	}
	for c := n.FirstChild; c != nil; c = n.FirstChild {
		n.RemoveChild(c) // so that it can be freed: only one of the trees is held
		switch c.Type {
		case html.ElementNode:
			e.children = append(e.children, child{element: convert(c, places, e.pos)})
		case html.TextNode:
			e.children = append(e.children, child{text: c.Data})
		case html.CommentNode:
			e.children = append(e.children, child{text: "<!--" + c.Data + "-->", markup: true})
		}
	}
	return e
}
