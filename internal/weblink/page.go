package weblink

import (
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
)

const (
	maxTag      = 1 << 20 // bytes of one tag or text; what is longer ends the reading
	maxElements = 10_000  // links of one page
)

// Page reads the links of a page in HTML: its link elements, and those anchors that have a
// relation and a type. The result base is the reference of its base element, "" without one. At most
// 10,000 links are read. An error is that of page; what came before it is given.
func Page(page io.Reader) (base string, links []Link, err error) {
	tokens := html.NewTokenizer(page)
	tokens.SetMaxBuf(maxTag)
	based := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) && !errors.Is(err, html.ErrBufferExceeded) {
				return base, links, err
			}
			return base, links, nil
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := tokens.TagName()
			tag := string(name)
			if tag != "link" && tag != "a" && tag != "base" || !more {
				continue
			}
			link, found := element(tokens)
			switch {
			case !found || len(links) >= maxElements:
			case tag == "base" && !based:
				base, based = link.Target, true
			case tag == "link" && len(link.Rel) > 0, tag == "a" && len(link.Rel) > 0 && link.Type != "":
				links = append(links, link)
			}
		}
	}
}

// element reads the attributes of a tag; found says that it has an href. Of an attribute
// that is there twice the first one counts.
func element(tokens *html.Tokenizer) (link Link, found bool) {
	seen := map[string]bool{}
	for more := true; more; {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		if seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		switch string(key) {
		case "href":
			link.Target, found = strings.TrimSpace(string(value)), true
		case "rel":
			link.Rel = strings.Fields(strings.ToLower(string(value)))
		case "type":
			link.Type = mediaType(string(value))
		}
	}
	return link, found
}
