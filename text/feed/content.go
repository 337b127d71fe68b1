package feed

import (
	"bytes"

	"laundromat/internal/fault"
	"laundromat/text"
	"laundromat/text/article"
)

// content makes an article of the content of an entry; of its summary or the like, if it has no other. An element that
// is there several times counts each time.
func (f *reader) content(e *entry, opt article.Options) (*text.Article, []byte, error) {
	for _, values := range e.texts {
		var all *text.Article
		var content []byte
		for i := range values {
			a, err := f.article(e, &values[i], opt)
			if err != nil {
				return nil, nil, err
			}
			switch {
			case a == nil || all != nil && all.Text == a.Text:
			case all == nil:
				all, content = a, e.content.text
			default:
				all.Append(a)
				content = append(append(content[:len(content):len(content)], '\n'), e.content.text...)
			}
		}
		if all != nil {
			return all, content, nil
		}
	}
	return &text.Article{}, nil, nil
}

// article makes an article of one content; nil if it has no text.
func (f *reader) article(e *entry, v *value, opt article.Options) (a *text.Article, err error) {
	if v.isMedia {
		return nil, nil
	}
	e.content = f.decode(v)
	c := &e.content
	if len(bytes.TrimSpace(c.text)) == 0 {
		return nil, nil
	}
	opt.IsXML = c.isMarkup
	opt.URL = firstOf(v.scope.base, opt.URL, f.opt.URL)
	opt.Prefix = v.scope.prefixOf("xhtml")
	if v.isPlain && !c.isMarkup {
		a = article.FromText(c.text, opt, untold{f.to})
	} else {
		a, err = article.FromPage(f.ctx, c.text, opt, f.to)
	}
	if err != nil || a == nil || len(a.Blocks) == 0 {
		return nil, err
	}
	a.Places = a.Places.Through(c.places)
	for i := range a.Blocks {
		a.Blocks[i].Bytes = a.Places.Source(a.Blocks[i].Span)
	}
	return a, nil
}

// untold takes what is found in the plain text of an entry: that it has no date or no text is told of the entry.
type untold struct{ article.Listener }

func (u untold) Notice(n fault.Notice) {
	if n.Code != fault.TextNoDate && n.Code != fault.TextEmpty {
		u.Listener.Notice(n)
	}
}
