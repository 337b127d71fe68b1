// Package feed makes an article of each entry of a feed. Feeds are RSS 0.9 to 2.0, RSS 1.0 and 1.1 in RDF, Atom 0.3 and
// 1.0, and JSON Feed 1 and 1.1. A lone entry of Atom is a feed of one.
//
// A feed is read by its tags as they are written, not as a tree, so that a fault in one entry costs no other. One
// that is cut off gives what it has. Every place is one of the feed's bytes, also where an entry's page is escaped.
package feed

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
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

// jsonHead is in how many bytes a JSON Feed must say its version.
const jsonHead = 16 << 10

// Yield takes an article, and the content that it was made of, without its escapes.
type Yield func(a *text.Article, content []byte) error

// Is says that a document that begins so is a feed.
func Is(prefix []byte) bool {
	if IsJSON(prefix[:min(len(prefix), jsonHead)]) {
		return true
	}
	tags := page.NewTags(prefix)
	for kind := tags.Next(); kind != page.EndOfTags; kind = tags.Next() {
		if kind == page.StartTag {
			_, ok := root(tags, prefix)
			return ok
		}
	}
	return false
}

// Read makes an article of each entry of a feed, which is UTF-8, and gives them to yield in their order. It ends with
// the error of yield or of Options.Fetch, if that is no fault of the entry. A feed without entries is told as empty.
func Read(ctx context.Context, source []byte, opt Options, to article.Listener, yield Yield) (Count, error) {
	f := &reader{ctx: ctx, source: source, opt: opt.Options, fetch: opt.Fetch, yield: yield, tags: page.NewTags(source)}
	f.pos = fault.Pos{Line: 1, Column: 1}
	f.to = to
	if IsJSON(source[:min(len(source), jsonHead)]) {
		return f.readJSON()
	}
	for {
		switch f.tags.Next() {
		case page.EndOfTags:
			if len(f.open) > 0 || f.tags.From < f.tags.To {
				f.cut(f.tags.From)
			}
			f.tellEmpty()
			return f.count, nil
		case page.EndTag:
			f.endTag()
		case page.Other:
			f.declare(source[f.tags.From:f.tags.To])
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
	dialect  dialect
	hasRoot  bool
	open     []scope // of the elements around entries
	entities map[string]string
	expanded int // what references to them have brought
	language string
	pos      fault.Pos
	names    names
	// Reused for each entry.
	written []tag
}

// around is the scope of what comes next.
func (f *reader) around() scope {
	if n := len(f.open); n > 0 {
		return f.open[n-1]
	}
	return scope{}
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
		Message: "the feed ends before its elements do; the rest is missing"})
}

// unclosed tells that an element has no end tag.
func (f *reader) unclosed(from int, message string) {
	f.to.Notice(fault.Notice{Code: fault.TextCut, Severity: fault.Warning, Pos: f.at(from), Message: message,
		Excerpt: fault.Excerpt(f.source[from:min(len(f.source), from+fault.MaxExcerpt)])})
}

func (f *reader) tellEmpty() {
	if f.count.Read == 0 {
		f.to.Notice(fault.Notice{Code: fault.TextEmpty, Severity: fault.Note, Message: "the feed has no entries"})
	}
}

// endTag closes an element around entries, and those in it that have no end tag.
func (f *reader) endTag() {
	name := strings.ToLower(f.tags.Name())
	for i := len(f.open) - 1; i >= 0; i-- {
		if f.open[i].name == name {
			f.open = f.open[:i]
			return
		}
	}
}

// startTag takes a tag outside of entries; done says that the feed ended in an entry.
func (f *reader) startTag() (done bool, err error) {
	if !f.hasRoot {
		f.hasRoot = true
		f.dialect, _ = root(f.tags, f.source)
	}
	around := f.around()
	s := around.within(f.tags, f.source, f.opt.URL)
	name, _ := f.dialect.name(f.tags.Name(), &s)
	switch {
	case isEntry(name):
	case (name == "language" || name == "dc:language") && !f.tags.SelfEnds():
		f.language = firstOf(f.language, f.text())
		return false, nil
	default:
		if f.language == "" {
			f.language = f.tags.Attr("xml:lang")
		}
		if !f.tags.SelfEnds() {
			f.open = append(f.open, s)
		}
		return false, nil
	}
	e := &entry{at: f.tags.From, end: f.tags.To, scope: s, about: f.tags.Attr("rdf:about"), language: f.tags.Attr("xml:lang")}
	if !f.tags.SelfEnds() {
		if whole := f.readEntry(e); !whole {
			f.cut(len(f.source))
			f.to = withoutCut{f.to}
			done = true
		}
	}
	return done, f.make(e)
}

func isEntry(name string) bool { return name == "item" || name == "entry" }

// text is the text up to the next tag.
func (f *reader) text() string {
	v := value{start: f.tags.To}
	for {
		switch f.tags.Next() {
		case page.StartTag, page.EndTag:
			v.end = f.tags.From
			f.tags.Back()
			return f.shown(&v)
		case page.EndOfTags:
			return ""
		}
	}
}

// withoutCut leaves out that the content of an entry is cut off, which was told of the feed.
type withoutCut struct{ article.Listener }

func (w withoutCut) Notice(n fault.Notice) {
	if n.Code != fault.TextCut {
		w.Listener.Notice(n)
	}
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
	a, content, err := f.content(e, opt)
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
	if t := f.title(e); t.text != "" {
		a.Title, a.TitleSource = t.text, ""
		if t.source != t.text {
			a.TitleSource = t.source
		}
		a.Links = slices.Insert(slices.DeleteFunc(a.Links, func(l text.Link) bool { return l.InTitle }), 0, t.links...)
	}
	if f.opt.Key != nil {
		a.ID = f.opt.Key(firstOf(a.URL, fmt.Sprintf("%s %d", f.opt.Source, e.at)))
	}
	f.date(e, a)
	if len(a.Blocks) == 0 {
		f.count.Empty++
		f.to.Notice(fault.Notice{Code: fault.TextEmpty, Severity: fault.Note, Pos: f.at(e.at), Message: "the entry has no content",
			Excerpt: fault.Excerpt(f.source[e.at:min(len(f.source), e.at+fault.MaxExcerpt)])})
		return nil
	}
	f.count.Kept++
	return f.yield(a, content)
}

// date gives an article the date that its entry says, and tells if there is none.
func (f *reader) date(e *entry, a *text.Article) {
	date, said, ok := e.date()
	switch {
	case ok:
		a.Created, a.CreatedFrom = date, "feed"
	case a.Created == "":
		message := "the entry does not say when it was published"
		if said != "" {
			message = "what the entry says of its date can't be read as one: " + fault.Excerpt([]byte(said))
		}
		f.to.Notice(fault.Notice{Code: fault.TextNoDate, Severity: fault.Note, Pos: f.at(e.at), Message: message,
			Excerpt: fault.Excerpt([]byte(said))})
	}
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
