// Package job makes the articles of a document, whatever it is: a page, a feed, a plain text, or a file of f5 or
// full5. Each article comes out complete, with its blocks, links, quotations and tokens, and can be appended in
// any format.
//
// What knows where bytes come from, and where articles go, is above this package.
package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/article"
	"laundromat/text/content"
	"laundromat/text/era"
	"laundromat/text/feed"
	"laundromat/text/language"
	"laundromat/text/quote"
	"laundromat/text/spinn3r"
	"laundromat/text/token"
)

// Tokens is how the tokens of articles are made.
type Tokens uint8

const (
	Repaired Tokens = iota
	CoreNLP         // as the reference makes them, with its faults
	None
)

// Newline is how the token of a line end is written.
const Newline = "*NL*"

// Options of a job; zero values mean what is said here.
type Options struct {
	Tokens Tokens
	// Newlines makes a token of each line end of the text.
	Newlines bool
	Mojibake Mojibake
	// Main leaves only the main content of pages, and of all else everything.
	Main      bool
	MaxMemory int64 // of a page and what is made of it; without a limit if 0
}

// Document is what is read.
type Document struct {
	Name string // the URL or member, as people know it
	// FileName and MediaType are what is said of its format, if anything.
	FileName, MediaType string
	Form                Form   // what it is: see Guess
	URL                 string // where it is; empty if that is not known
	Added               string // when its bytes were fetched; empty for files
	Key                 func(uri string) string
	Shared              *page.Shared // the page for several readers; nil where there is one
	// Page fetches the page of an entry that has no content; nil if none is to be fetched.
	Page func(ctx context.Context, url string) (page []byte, at string, err error)
	// Named is told the page of an entry that has no content, where it is not fetched; nil if nobody asks.
	Named func(url string)
}

// Item is an article that is complete, and what it was made of.
type Item struct {
	Article *text.Article
	Source  []byte          // the content as it was, in UTF-8
	Record  *spinn3r.Record // the record that it was read from; nil if it comes from something else
}

// Count is what became of articles: Read = Kept + Empty.
type Count struct {
	Read, Kept, Empty int64
	Phases            Phases
}

// Phases count the articles of each phase by the month of their publication, such as 2010-06. The month is empty
// where it is unknown.
type Phases = map[string]map[string]int64

// add counts an article with text.
func (c *Count) add(a *text.Article) {
	phase := a.Metadata.Phase
	if phase == "" {
		return
	}
	if c.Phases == nil {
		c.Phases = Phases{}
	}
	if c.Phases[phase] == nil {
		c.Phases[phase] = map[string]int64{}
	}
	month := ""
	if len(a.Created) >= len("2006-01") {
		month = a.Created[:len("2006-01")]
	}
	c.Phases[phase][month]++
}

// Listener takes what is found.
type Listener interface{ Notice(n fault.Notice) }

// IsStream says that documents of a form are read article by article, by Stream, and so need not fit into memory.
func IsStream(form Form) bool { return form == F5 || form == Full5 }

// Whole makes the articles of a document that is held whole, in UTF-8, and gives them to yield in their order. It
// may be called from several goroutines.
func (o Options) Whole(ctx context.Context, source []byte, doc Document, to Listener, yield func(*Item) error) (Count, error) {
	source = o.readBack(source, to)
	if doc.Form == Feed {
		return o.feed(ctx, source, doc, to, yield)
	}
	opt := article.Options{Source: doc.Name, URL: doc.URL, MaxMemory: o.MaxMemory, IsXML: doc.Form == XHTML, Key: doc.Key,
		Judge: content.Judge, Shared: doc.Shared}
	var a *text.Article
	if doc.Form == Plain {
		a = article.FromText(source, opt, to)
	} else {
		var err error
		if a, err = article.FromPage(ctx, source, opt, to); err != nil {
			return Count{}, err
		}
	}
	if a == nil {
		return Count{Read: 1, Empty: 1}, nil
	}
	o.complete(a, source, to)
	a.Added = doc.Added
	count := Count{Read: 1, Kept: 1}
	count.add(a)
	return count, yield(&Item{Article: a, Source: source})
}

// feed makes the articles of a feed.
func (o Options) feed(ctx context.Context, source []byte, doc Document, to Listener, yield func(*Item) error) (Count, error) {
	opt := article.Options{Source: doc.Name, URL: doc.URL, MaxMemory: o.MaxMemory, Key: doc.Key}
	var fetched *text.Article
	var page []byte
	var fetch feed.Page
	if doc.Page != nil {
		fetch = func(ctx context.Context, url string) (*text.Article, error) {
			fetched, page = nil, nil
			body, at, err := doc.Page(ctx, url)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err == nil {
				page = body
				fetched, err = article.FromPage(ctx, body, article.Options{Source: doc.Name, URL: at, MaxMemory: o.MaxMemory,
					Judge: content.Judge},
					elsewhere{to, at})
			}
			if err != nil {
				to.Notice(fault.Notice{Code: codeOf(err), Severity: fault.Warning,
					Message: fmt.Sprintf("the page of an entry, %s, can't "+
						"be had: %v", fault.Excerpt([]byte(url)), err)})
				return nil, nil
			}
			return fetched, nil
		}
	}
	if fetch == nil && doc.Named != nil {
		fetch = func(_ context.Context, url string) (*text.Article, error) {
			doc.Named(url)
			return nil, nil
		}
	}
	var phases Count
	count, err := feed.Read(ctx, source, feed.Options{Options: opt, Fetch: fetch}, to, func(a *text.Article, content []byte) error {
		a.Added = doc.Added
		if a == fetched {
			o.complete(a, page, elsewhere{to, a.URL})
			content = page
		} else {
			o.complete(a, source, to)
		}
		phases.add(a)
		return yield(&Item{Article: a, Source: content})
	})
	return Count{int64(count.Read), int64(count.Kept), int64(count.Empty), phases.Phases}, err
}

func codeOf(err error) fault.Code {
	if code := fault.CodeOf(err); code != "" {
		return code
	}
	return fault.TextEmpty
}

// elsewhere takes what is found in a page that a feed leads to: places in it are none of the feed's.
type elsewhere struct {
	to  Listener
	url string
}

func (e elsewhere) Notice(n fault.Notice) {
	if n.Line > 0 {
		n.Message += fmt.Sprintf(" (line %d, column %d of %s)", n.Line, n.Column, e.url)
	}
	n.Pos = fault.Pos{}
	e.to.Notice(n)
}

// complete gives an article its quotations and then its tokens, whose repair needs the marks of those.
func (o Options) complete(a *text.Article, source []byte, to Listener) {
	if a.Metadata.Phase == "" { // the time at which a page was collected is not that of its publication
		a.Metadata.Phase = era.Recognise(era.Look(a.Text), time.Time{}).String()
	}
	if o.Main {
		a.KeepMain()
	}
	language.Complete(a)
	marks := quote.Complete(a, source, to)
	if o.Tokens == None {
		return
	}
	settings := token.Options{Repaired: o.Tokens == Repaired, Marks: marks}
	a.Tokens = o.withNewlines(token.Append(nil, a.Text, settings), a.Text)
	if a.Title == "" {
		return
	}
	if settings.Marks = nil; settings.Repaired {
		settings.Marks = quote.Find(a.Title, quote.Options{Language: a.Language}).Marks
	}
	a.TitleTokens = token.Append(nil, a.Title, settings)
}

// withNewlines adds a token for each line end that is in none.
func (o Options) withNewlines(tokens []text.Token, s string) []text.Token {
	if !o.Newlines {
		return tokens
	}
	all := make([]text.Token, 0, len(tokens)+16)
	at := 0
	between := func(end int) {
		for ; at < end; at++ {
			if s[at] == '\n' {
				all = append(all, text.Token{Start: at, End: at + 1, Text: Newline})
			}
		}
	}
	for _, t := range tokens {
		between(t.Start)
		all = append(all, t)
		at = max(at, t.End)
	}
	between(len(s))
	return all
}

// Stream makes the articles of a file of f5 or full5, which is UTF-8, and gives them to yield as they are read. A
// record without text is given, too, for the formats that hold it nevertheless.
func (o Options) Stream(ctx context.Context, r io.Reader, doc Document, to Listener, yield func(*Item) error) (count Count, err error) {
	written := spinn3r.F5
	if doc.Form == Full5 {
		written = spinn3r.Full5
	}
	reader := spinn3r.NewReader(r, written, to.Notice)
	if o.MaxMemory > 0 {
		reader.Limit = int(max(1, o.MaxMemory/16))
	}
	for {
		if err := ctx.Err(); err != nil {
			return count, err
		}
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return count, nil
		}
		if err != nil {
			return count, err
		}
		item, err := o.record(ctx, record, doc, to)
		if err != nil {
			return count, err
		}
		count.Read++
		if item.Article.Text == "" {
			count.Empty++
			to.Notice(fault.Notice{Code: fault.TextEmpty, Severity: fault.Note, Pos: fault.Pos{Line: record.Line, Column: 1},
				Message: "the record has no text"})
		} else {
			count.Kept++
			count.add(item.Article)
		}
		if err := yield(item); err != nil {
			return count, err
		}
	}
}

// record makes the article of a record: of its C if it has one, else of its H.
func (o Options) record(ctx context.Context, r *spinn3r.Record, doc Document, to Listener) (*Item, error) {
	phase := o.phase(r, to)
	a := r.Article()
	a.Metadata.Phase = phase
	item := &Item{Article: a, Record: r, Source: []byte(r.Source())}
	a.Source, a.Added = doc.Name, doc.Added
	if a.ID == "" && doc.Key != nil {
		uri := a.URL
		if uri == "" {
			uri = fmt.Sprintf("%s %d", doc.Name, r.Line)
		}
		a.ID = doc.Key(uri)
	}
	if len(a.Metadata.Languages) > 0 {
		a.Language = a.Metadata.Languages[0].Tag
	}
	links := o.cleanTitle(ctx, a, r)
	if r.Has('C') || !r.Has('H') {
		language.Complete(a)
		if o.Tokens == None {
			a.Tokens, a.TitleTokens = nil, nil
		} else if a.Title != "" && a.TitleTokens == nil {
			a.TitleTokens = token.Append(nil, a.Title, token.Options{Repaired: o.Tokens == Repaired})
		}
		return item, nil
	}
	here := at{to, fault.Pos{Line: r.Line, Column: 1}}
	made, err := article.FromPage(ctx, item.Source, article.Options{Source: doc.Name, URL: a.URL, MaxMemory: o.MaxMemory,
		Part: true}, here)
	if fault.KindOf(err) == fault.Limit && ctx.Err() == nil {
		here.Notice(fault.Notice{Code: fault.CodeOf(err), Severity: fault.Drop, Lost: 1,
			Message: "the text of the record can't be made: " +
				err.Error()})
		return item, nil
	}
	if err != nil {
		return nil, err
	}
	a.Text, a.Blocks, a.Places = made.Text, made.Blocks, made.Places
	if len(a.Links) == 0 {
		a.Links = links
	}
	for _, l := range made.Links {
		l.InTitle = false
		a.Links = append(a.Links, l)
	}
	if a.Language == "" {
		a.Language = made.Language
	}
	a.Quotes = made.Quotes
	o.complete(a, item.Source, here)
	r.Complete(a)
	return item, nil
}

// cleanTitle takes the tags and references out of the title of a record, which F holds as it was, and gives its
// links.
func (o Options) cleanTitle(ctx context.Context, a *text.Article, r *spinn3r.Record) []text.Link {
	source, ok := r.Value('F')
	if !ok || source == "" {
		return nil
	}
	title, links := article.ReadTitle(ctx, []byte(source), true, article.Options{URL: a.URL, MaxMemory: o.MaxMemory})
	if title != "" && title != source {
		a.Title, a.TitleSource = title, source
	}
	return links
}

// at gives what is found in the content of a record the place of the record.
type at struct {
	to  Listener
	pos fault.Pos
}

func (p at) Notice(n fault.Notice) {
	n.Pos = p.pos
	p.to.Notice(n)
}
