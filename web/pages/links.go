package pages

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// leading are the attributes of our templates that hold addresses.
var leading = map[string]bool{"action": true, "data-live": true, "formaction": true, "href": true, "hx-get": true, "hx-post": true,
	"src": true}

// below puts a path before all addresses of a page that are paths of this host. Templates write them as if the
// service had a host of its own, and what others wrote is text in them, so that no link is forgotten or invented here.
func below(path string, page []byte) []byte {
	if path == "" {
		return page
	}
	out := make([]byte, 0, len(page)+len(page)/8)
	tokens := html.NewTokenizer(bytes.NewReader(page))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			return append(out, tokens.Raw()...) // the end
		}
		raw := tokens.Raw()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out = append(out, raw...)
			continue
		}
		kept := len(out)
		out = append(out, raw...) // which lives until the token is read
		token := tokens.Token()
		isChanged := false
		for i := range token.Attr {
			a := &token.Attr[i]
			if leading[a.Key] && strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") {
				a.Val, isChanged = path+a.Val, true
			}
		}
		if isChanged {
			out = append(out[:kept], token.String()...)
		}
	}
}
