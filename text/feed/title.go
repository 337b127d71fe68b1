package feed

import (
	"strings"

	"laundromat/text"
	"laundromat/text/article"
)

// title is the title of an entry.
type title struct {
	text   string // in one line
	source string // as it is written, without the escapes of the feed
	links  []text.Link
}

// title is the first title of an entry that has text.
func (f *reader) title(e *entry) title {
	for i := range e.titles {
		v := &e.titles[i]
		if !v.found || f.isBlank(v) {
			continue
		}
		if t := f.titleOf(v, firstOf(v.scope.base, e.url(f))); t.text != "" {
			return t
		}
	}
	return title{}
}

func (f *reader) titleOf(v *value, base string) (t title) {
	d := decoded{}
	if v.isLoose {
		d = f.flatten(v, true)
	} else {
		d = f.decode(v)
	}
	t.source = strings.TrimSpace(string(d.text))
	if v.isPlain && !d.isMarkup {
		t.text, t.links = article.PlainTitle(d.text)
	} else {
		t.text, t.links = article.ReadTitle(f.ctx, d.text, v.isLoose, article.Options{URL: firstOf(base, f.opt.URL), IsXML: d.isMarkup,
			Prefix: v.scope.prefixOf("xhtml")})
	}
	return t
}
