// Package feed makes articles of feeds in RSS (0.9 to 2.0, 1.0 in RDF too) and Atom (0.3 and 1.0): one of each entry.
//
// A feed is read by its tags as they are written, not as a tree, so that a fault in one entry costs no other. One
// that is cut off gives what it has. Every place is one of the feed's bytes, also where an entry's page is escaped.
package feed

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/article"
)

// Count is what became of the entries of a feed: Read = Kept + Empty.
type Count struct{ Read, Kept, Empty int }

// Page fetches the page of an entry that has no content.
type Page func(ctx context.Context, url string) (*text.Article, error)

// Options of a reading: those of the article of each entry, and what a feed needs besides.
type Options struct {
	article.Options
	// Fetch may be nil: an entry that has no content is empty then.
	Fetch Page
}

// Yield takes an article, and the content that it was made of, without its escapes.
type Yield func(a *text.Article, content []byte) error

// Is says that a document that begins so is a feed.
func Is(prefix []byte) bool {
	tags := page.NewTags(prefix)
	for kind := tags.Next(); kind != page.EndOfTags; kind = tags.Next() {
		if kind != page.StartTag {
			continue
		}
		switch name := strings.ToLower(tags.Name()); local(name) {
		case "rss", "feed":
			return name != "feed" || bytes.Contains(prefix[tags.From:tags.To], []byte("Atom")) || bytes.Contains(prefix[tags.From:tags.To], []byte("atom"))
		case "rdf":
			return bytes.Contains(prefix, []byte("http://purl.org/rss/1.0/")) || bytes.Contains(prefix, []byte("http://my.netscape.com/rdf/simple/0.9/"))
		}
		return false
	}
	return false
}

func local(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// Read makes an article of each entry of a feed, which is UTF-8, and gives them to yield in their order. It ends with
// the error of yield or of Options.Fetch, if that is no fault of the entry.
func Read(ctx context.Context, source []byte, opt Options, to article.Listener, yield Yield) (Count, error) {
	f := &reader{ctx: ctx, source: source, opt: opt.Options, fetch: opt.Fetch, yield: yield, tags: page.NewTags(source)}
	f.pos = fault.Pos{Line: 1, Column: 1}
	f.to = to
	for {
		switch f.tags.Next() {
		case page.EndOfTags:
			if f.open > 0 || f.tags.From < f.tags.To {
				f.cut(f.tags.From)
			}
			return f.count, nil
		case page.EndTag:
			f.open--
		case page.StartTag:
			if err := ctx.Err(); err != nil {
				return f.count, err
			}
			done, err := f.startTag()
			if done || err != nil {
				return f.count, err
			}
		}
	}
}

type reader struct {
	ctx      context.Context
	source   []byte
	opt      article.Options
	fetch    Page
	to       article.Listener
	yield    Yield
	tags     *page.Tags
	count    Count
	open     int
	base     string // of xml:base
	language string
	pos      fault.Pos
}

// at is the place of an offset. Offsets mostly rise.
func (f *reader) at(offset int) fault.Pos {
	if int64(offset) < f.pos.Offset {
		f.pos = fault.Pos{Line: 1, Column: 1}
	}
	f.pos = page.Advance(f.pos, f.source[f.pos.Offset:offset])
	return f.pos
}

func (f *reader) cut(offset int) {
	from := max(0, offset-fault.MaxExcerpt/2)
	f.to.Notice(fault.Notice{Code: fault.TextCut, Severity: fault.Warning, Pos: f.at(offset), Excerpt: fault.Excerpt(f.source[from:]),
		Message: "the feed ends before its elements do; what followed is not there"})
}

// startTag takes a tag outside of entries; done says that the feed ended in an entry.
func (f *reader) startTag() (done bool, err error) {
	name := strings.ToLower(f.tags.Name())
	switch {
	case name == "item" || name == "entry" || strings.HasSuffix(name, ":item") && !strings.HasPrefix(name, "media:") || name == "atom:entry":
	case (name == "language" || name == "dc:language") && !f.tags.SelfEnds():
		v := value{start: f.tags.To}
		v.end, _ = f.endOf(f.tags.Name(), "channel")
		f.language = firstOf(f.language, v.shown(f.source))
		return false, nil
	default:
		if f.base == "" {
			f.base = f.tags.Attr("xml:base")
		}
		if f.language == "" {
			f.language = f.tags.Attr("xml:lang")
		}
		if !f.tags.SelfEnds() {
			f.open++
		}
		return false, nil
	}
	if f.tags.SelfEnds() {
		return false, nil
	}
	e := &entry{at: f.tags.From, isAtom: local(name) == "entry", base: f.resolve(f.base, f.tags.Attr("xml:base")), about: f.tags.Attr("rdf:about"),
		language: f.tags.Attr("xml:lang")}
	if whole := f.readEntry(e, f.tags.Name()); !whole {
		f.cut(len(f.source))
		f.to = withoutCut{f.to}
		done = true
	}
	return done, f.make(e)
}

// withoutCut leaves out that the content of an entry is cut off, which was told of the feed.
type withoutCut struct{ article.Listener }

func (w withoutCut) Notice(n fault.Notice) {
	if n.Code != fault.TextCut {
		w.Listener.Notice(n)
	}
}

func (f *reader) resolve(base, reference string) string {
	base = string(rfc3986.AppendResolved(nil, []byte(f.opt.URL), []byte(base)))
	if reference == "" {
		return base
	}
	return string(rfc3986.AppendResolved(nil, []byte(base), []byte(reference)))
}

// make makes the article of an entry and yields it.
func (f *reader) make(e *entry) error {
	f.count.Read++
	url := e.url(f)
	opt := f.opt
	opt.URL, opt.Part, opt.IsXML = url, true, false
	opt.At = func(offset int) fault.Pos {
		return f.at(e.content.places.Source(text.Span{Start: offset, End: offset}).Start)
	}
	a, err := f.content(e, opt)
	if err != nil {
		return err
	}
	a.URL = ""
	if len(a.Blocks) == 0 && url != "" && f.fetch != nil {
		fetched, err := f.fetch(f.ctx, url)
		if err != nil {
			return err
		}
		if fetched != nil {
			a = fetched
		}
	}
	a.Language = firstOf(e.language, a.Language, f.language)
	a.Source, a.URL = f.opt.Source, firstOf(url, a.URL)
	if title := f.title(e); title != "" {
		a.Title = title
	}
	if f.opt.Key != nil {
		a.ID = f.opt.Key(firstOf(a.URL, fmt.Sprintf("%s %d", f.opt.Source, e.at)))
	}
	if date, said, ok := e.date(); ok {
		a.Created, a.CreatedFrom = date, "feed"
	} else if a.Created == "" {
		message := "the entry does not say when it was published"
		if said != "" {
			message = "what the entry says of its date can't be read as one: " + fault.Excerpt([]byte(said))
		}
		f.to.Notice(fault.Notice{Code: fault.TextNoDate, Severity: fault.Note, Pos: f.at(e.at), Message: message, Excerpt: fault.Excerpt([]byte(said))})
	}
	if len(a.Blocks) == 0 {
		f.count.Empty++
		f.to.Notice(fault.Notice{Code: fault.TextEmpty, Severity: fault.Note, Pos: f.at(e.at), Message: "the entry has no content",
			Excerpt: fault.Excerpt(f.source[e.at:min(len(f.source), e.at+fault.MaxExcerpt)])})
		return nil
	}
	f.count.Kept++
	return f.yield(a, e.content.text)
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// content makes an article of the content of an entry; of its summary, if it has no other.
func (f *reader) content(e *entry, opt article.Options) (*text.Article, error) {
	for _, v := range []*value{&e.encoded, &e.body, &e.description, &e.summary} {
		if !v.found || v.isMedia {
			continue
		}
		e.content = v.decode(f.source)
		c := &e.content
		if len(bytes.TrimSpace(c.text)) == 0 {
			continue
		}
		opt.IsXML = c.isMarkup && v.isXHTML
		if base := v.base; base != "" {
			opt.URL = f.resolve(e.base, base)
		} else if opt.URL == "" {
			opt.URL = e.base
		}
		var a *text.Article
		if v.isPlain && !c.isMarkup {
			a = article.FromText(c.text, opt, silent{})
			if a == nil {
				continue
			}
		} else {
			var err error
			if a, err = article.FromPage(f.ctx, c.text, opt, f.to); err != nil {
				return nil, err
			}
		}
		if len(a.Blocks) == 0 {
			continue
		}
		a.Places = a.Places.Through(c.places)
		for i := range a.Blocks {
			a.Blocks[i].Bytes = a.Places.Source(a.Blocks[i].Span)
		}
		return a, nil
	}
	return &text.Article{}, nil
}

// silent takes what is told of an entry's content as of a file.
type silent struct{}

func (silent) Notice(fault.Notice) {}

// title is the title of an entry as text.
func (f *reader) title(e *entry) string {
	if !e.title.found {
		return ""
	}
	c := e.title.decode(f.source)
	if e.title.isPlain && !c.isMarkup {
		return strings.Join(strings.Fields(string(c.text)), " ")
	}
	a, err := article.FromPage(f.ctx, c.text, article.Options{Part: true}, silent{})
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(a.Text), " ")
}
