package page

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/net/html"

	"laundromat/internal/fault"
)

// cut is how a page ends that is not whole: within a tag or a comment, or within
// elements that need an end tag.
type cut struct {
	pos     fault.Pos // of the tag or comment, or of the end of the page
	message string
	open    []string // the elements that are open there, from the outermost
	text    string   // the innermost of them, if it is one that holds text alone
}

// textAlone are the elements that hold nothing but text. Scripts and styles end with a page
// that is cut off as they would anyway: their readers report what is not whole.
var textAlone = set("script", "style", "title", "textarea")

// optionalEnd are the elements whose end tags HTML lets out.
var optionalEnd = set("html", "head", "body", "p", "li", "dt", "dd", "option", "optgroup", "rb", "rt", "rtc", "rp",
	"colgroup", "caption", "thead", "tbody", "tfoot", "tr", "td", "th")

// tell notes that the page ends within a token.
func (c *cut) tell(kind html.TokenType, raw []byte, at fault.Pos) {
	switch {
	case isOpenComment(kind, raw):
		c.pos, c.message = at, "a comment does not end, and takes the rest of the page"
	case kind == html.ErrorToken && len(raw) > 1 && raw[0] == '<':
		c.pos, c.message = at, "the page ends within a tag"
	}
}

// isOpenComment says that a token is a comment without its end.
func isOpenComment(kind html.TokenType, raw []byte) bool {
	return kind == html.CommentToken && bytes.HasPrefix(raw, []byte("<!--")) && !bytes.HasSuffix(raw, []byte("-->")) &&
		!bytes.HasSuffix(raw, []byte("--!>"))
}

// finish finds what is open where the page ends, and whether that says that it is cut off.
// Only a page that says to be one is asked whether its elements end: a part of one is none.
func (c *cut) finish(source []byte, end fault.Pos) {
	c.finishWith(tokenizer{html.NewTokenizer(bytes.NewReader(source))}, source, end)
}

// tokens are those of a page.
type tokens interface {
	// nextTag is the kind of the next token, and its text. What is in noscript is read as elements.
	nextTag() (html.TokenType, []byte)
}

type tokenizer struct{ *html.Tokenizer }

func (t tokenizer) nextTag() (html.TokenType, []byte) {
	kind := t.Next()
	raw := t.Raw()
	if kind == html.StartTagToken && nameOf(raw) == "noscript" {
		t.NextIsNotRawText()
	}
	return kind, raw
}

// finishWith does so by the tokens that a tokenizer gives.
func (c *cut) finishWith(z tokens, source []byte, end fault.Pos) {
	tail := bytes.ToLower(bytes.TrimRight(source[max(0, len(source)-64):], " \t\r\n\f\x00"))
	if c.message == "" && (bytes.HasSuffix(tail, []byte("</html>")) || bytes.HasSuffix(tail, []byte("</body>"))) {
		return
	}
	whole, ended := false, false
	names := map[string]int{} // of what is open: how many have a name
	for kind, raw := z.nextTag(); kind != html.ErrorToken; kind, raw = z.nextTag() {
		switch kind {
		case html.DoctypeToken:
			whole = true
		case html.StartTagToken:
			name := nameOf(raw)
			whole = whole || name == "html"
			switch last := len(c.open) - 1; {
			case name == "noscript":
			case textAlone[name]:
				c.text = name
			case neverHolds[name]:
			case last >= 0 && c.open[last] == name && endsItsLike[name]:
			default:
				c.open = append(c.open, name)
				names[name]++
			}
		case html.EndTagToken:
			name := nameOf(raw)
			c.text = ""
			ended = ended || name == "html" || name == "body"
			for i := len(c.open) - 1; i >= 0 && names[name] > 0; i-- {
				names[c.open[i]]--
				if c.open[i] == name {
					c.open = c.open[:i]
					break
				}
			}
		}
	}
	if c.message == "" {
		c.tellOpen(whole && !ended, end)
	}
}

// tellOpen says which element is open where the page ends, if all were to be closed.
func (c *cut) tellOpen(closes bool, end fault.Pos) {
	if c.text != "" {
		c.open = append(c.open, c.text)
	}
	for i := len(c.open) - 1; i >= 0 && closes; i-- {
		if !optionalEnd[c.open[i]] {
			c.pos, c.message = end, "the page ends within <"+c.open[i]+">"
			return
		}
	}
}

// lose makes the texts that the end of the page cuts off ones that can't be trusted.
func (c *cut) lose(roots []*Element, n fault.Notice) {
	if len(roots) == 0 {
		return
	}
	n.Message = "the text of an element is cut off with the page"
	if e := lastOf(roots[len(roots)-1], c.text); e != nil && c.text != "script" {
		e.Children = append(e.Children, Child{Lost: &n})
		return
	}
	e, open := roots[len(roots)-1], c.open
	for {
		last := len(e.Children) - 1
		for last >= 0 && (e.Children[last].Markup || e.Children[last].Element == nil &&
			len(bytes.TrimFunc([]byte(e.Children[last].Text), IsSpace)) == 0) {
			last--
		}
		if last < 0 || e.Children[last].Element == nil {
			break
		}
		inner := e.Children[last].Element
		if inner.Name != "body" && inner.Name != "head" {
			i := slices.Index(open, inner.Name)
			if i < 0 {
				break
			}
			open = open[i+1:]
		}
		e = inner
	}
	if e != roots[len(roots)-1] && e.Name != "body" && e.Name != "head" {
		e.Children = append(e.Children, Child{Lost: &n})
	}
}

// lastOf is the last element of a name, which is not that of one around it; nil if there is none.
func lastOf(e *Element, name string) *Element {
	if name == "" {
		return nil
	}
	if e.Name == name {
		return e
	}
	for i := len(e.Children) - 1; i >= 0; i-- {
		if c := e.Children[i].Element; c != nil {
			if found := lastOf(c, name); found != nil {
				return found
			}
		}
	}
	return nil
}

// excerpt shows where the page ends.
func (c *cut) excerpt(source []byte) string {
	from := min(int(c.pos.Offset), max(0, len(source)-40))
	for from < len(source) && !utf8.RuneStart(source[from]) {
		from++
	}
	return fault.Excerpt(source[from:min(len(source), from+fault.MaxExcerpt)])
}
