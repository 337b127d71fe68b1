package article

import (
	"bytes"
	"context"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/link"
)

// ReadTitle reads a title that stands outside of a page, in one line, with its links. It is text; loose says that it is
// HTML only where it has elements that end, or references. Else it is HTML.
func ReadTitle(ctx context.Context, source []byte, loose bool, opt Options) (title string, links []text.Link) {
	markup := source
	if loose {
		markup = withoutStrayTags(source)
	}
	if bytes.IndexByte(markup, '<') < 0 && bytes.IndexByte(markup, '&') < 0 {
		return PlainTitle(source)
	}
	opt.Part = true
	a, err := FromPage(ctx, markup, opt, silent{})
	if err != nil {
		return "", nil
	}
	for _, l := range a.Links {
		links = append(links, text.Link{URL: l.URL, InTitle: true})
	}
	return strings.Join(strings.Fields(a.Text), " "), links
}

// PlainTitle is a title in which nothing is markup.
func PlainTitle(source []byte) (title string, links []text.Link) {
	title = strings.Join(strings.Fields(string(source)), " ")
	return title, link.OfTitle(title)
}

// silent takes what is found in a title.
type silent struct{}

// Notice does nothing: a title keeps its words whatever is wrong with it.
func (silent) Notice(fault.Notice) {}

// inTitles are the elements that titles of RSS have. What looks like another is text.
var inTitles = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields("a abbr acronym address article b bdi bdo big blockquote center cite code data dd del dfn dir " +
		"div dl dt em figcaption " +
		"figure font footer h1 h2 h3 h4 h5 h6 header hgroup i ins kbd label li main mark menu nav nobr ol p pre q rb rp rt ruby s samp " +
		"section small span " +
		"strike strong sub sup table tbody td tfoot th thead time tr tt u ul var") {
		known[name] = true
	}
	return known
}()

// voidInTitles are those without content.
var voidInTitles = map[string]bool{"br": true, "hr": true, "img": true, "wbr": true}

// HasMarkup says that a text has elements of HTML that end.
func HasMarkup(s []byte) bool {
	if bytes.IndexByte(s, '<') < 0 {
		return false
	}
	kept := withoutStrayTags(s)
	return bytes.IndexByte(kept, '<') >= 0
}

// withoutStrayTags escapes the brackets of a text that may be HTML, but for those of elements that end. Such a one is a
// pair of tags of an element that HTML has, or a tag that says that it is empty.
func withoutStrayTags(s []byte) []byte {
	if bytes.IndexByte(s, '<') < 0 {
		return s
	}
	var keep []int // where tags begin that stay
	open := map[string][]int{}
	tags := page.NewTags(s)
	for kind := tags.Next(); kind != page.EndOfTags; kind = tags.Next() {
		switch name := strings.ToLower(tagName(tags, kind)); {
		case kind == page.StartTag && voidInTitles[name]:
			if tags.SelfEnds() || len(tags.Attrs()) > 0 {
				keep = append(keep, tags.From)
			}
		case kind == page.StartTag && inTitles[name] && !tags.SelfEnds():
			open[name] = append(open[name], tags.From)
		case kind == page.EndTag && len(open[name]) > 0:
			last := len(open[name]) - 1
			keep = append(keep, open[name][last], tags.From)
			open[name] = open[name][:last]
		}
	}
	stays := make(map[int]bool, len(keep))
	for _, from := range keep {
		stays[from] = true
	}
	out := make([]byte, 0, len(s)+16)
	tags = page.NewTags(s)
	for {
		kind := tags.Next()
		raw := s[tags.From:tags.To]
		switch {
		case kind == page.EndOfTags:
			return appendEscaped(out, s[tags.From:])
		case kind == page.Section:
			out = appendEscaped(out, s[tags.Inner[0]:tags.Inner[1]])
		case kind == page.Other && bytes.HasPrefix(raw, []byte("<!--")) && bytes.HasSuffix(raw, []byte("-->")):
		case stays[tags.From]:
			out = append(out, raw...)
		default:
			out = appendEscaped(out, raw)
		}
	}
}

func tagName(tags *page.Tags, kind page.TagKind) string {
	if kind == page.StartTag || kind == page.EndTag {
		return tags.Name()
	}
	return ""
}

func appendEscaped(out, raw []byte) []byte {
	return append(out, bytes.ReplaceAll(raw, []byte("<"), []byte("&lt;"))...)
}
