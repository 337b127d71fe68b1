// Package article makes articles of pages and of plain text.
//
// A page is one article: its text in blocks, its links, its title, its address, and when it was published, with the
// evidence for that. Nothing is dropped: a page without text is told as empty.
package article

import (
	"context"
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/text"
	"laundromat/text/block"
	"laundromat/text/content"
	"laundromat/text/link"
)

// Options of a reading; zero values mean what is said here.
type Options struct {
	Source string // the URL or member that is read
	// URL is where the page is, against which its links are resolved; empty if that is not known.
	URL       string
	MaxMemory int64 // of a page and what is made of it; without a limit if 0
	// IsXML says that the page was served as XML, or that its name says so.
	IsXML bool
	// Part says that the page is a part of a feed. References that are written twice over are decoded then, and a
	// date and a title are not looked for.
	Part bool
	// Prefix is that of the elements of XHTML, with its colon, where it is declared around the page.
	Prefix string
	// Key makes the id of an article of its URL, or of Source if it has none. May be nil.
	Key func(uri string) string
	// Judge says which blocks are main content, if it is to be said.
	Judge func(*content.Page) content.Verdict
	// Shared is the page for several readers; nil where there is one.
	Shared *page.Shared
	// At is where the page stands in its document, and Pos the place of that.
	At func(offset int) fault.Pos
}

// Listener takes what is found.
type Listener interface{ Notice(n fault.Notice) }

// isData says that a script holds JSON-LD.
func isData(mediaType string) bool {
	return strings.EqualFold(mediaType, "application/ld+json")
}

// FromPage makes the article of a page in HTML or XHTML, which is UTF-8. It is nil if the page has no text, which is
// told. The error is of kind Limit if the page takes more memory than it may.
func FromPage(ctx context.Context, source []byte, opt Options, to Listener) (*text.Article, error) {
	settings := page.Options{MaxMemory: opt.MaxMemory, IsData: isData, Shared: opt.Shared}
	if opt.MaxMemory == 0 {
		settings.MaxBytes = 1 << 30
	}
	switch {
	case opt.Part && !opt.IsXML:
		settings.Host = page.HTML
	case opt.IsXML:
		settings.Host, settings.Prefix = page.DetectXML, opt.Prefix
	}
	p, err := page.ReadTexts(ctx, source, settings, placed{to, opt.At})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opt.Source, err)
	}
	to = placed{to, opt.At}
	result := block.Read(p, block.Options{Twice: opt.Part, Bases: opt.Part && opt.IsXML})
	if result.CountAgain > 0 {
		to.Notice(fault.Notice{Code: fault.TextEntity, Severity: fault.Note, Pos: position(source, result.AgainAt),
			Excerpt: fault.Excerpt([]byte(result.Again)),
			Message: fmt.Sprintf("character references are written twice over, in all %d times; they are decoded once more",
				result.CountAgain)})
	}
	a := &text.Article{Source: opt.Source, URL: opt.URL, Title: result.Title, Text: result.Text, Blocks: result.Blocks,
		Places: result.Places}
	for _, anchor := range result.Anchors {
		href := anchor.Href
		if len(anchor.Bases) > 0 {
			base := []byte(opt.URL)
			for _, inner := range anchor.Bases {
				base = rfc3986.AppendResolved(nil, base, []byte(inner))
			}
			if resolved, ok := link.Resolve(string(base), href); ok {
				href = resolved
			}
		}
		a.Links = append(a.Links, text.Link{Span: anchor.Span, URL: href})
	}
	tellControls(a, source, to)
	for _, span := range result.Quotes {
		a.Quotes = append(a.Quotes, text.Quote{Span: span, Text: a.Text[span.Start:span.End]})
	}
	var said evidence
	if p.Root != nil && !opt.Part {
		said.read(p)
	}
	base := opt.URL
	if said.base != "" {
		base = string(rfc3986.AppendResolved(nil, []byte(opt.URL), []byte(said.base)))
	}
	link.Complete(a, base)
	if opt.Part {
		return a, nil
	}
	if result.Title != "" && result.TitleSource != result.Title {
		a.TitleSource = result.TitleSource
	}
	said.fill(a, base)
	if links := link.OfTitle(a.Title); len(links) > 0 {
		a.Links = append(links, a.Links...)
	}
	if opt.Key != nil {
		a.ID = opt.Key(firstOf(a.URL, opt.Source))
	}
	if len(a.Blocks) == 0 {
		to.Notice(fault.Notice{Code: fault.TextEmpty, Severity: fault.Note, Message: "the page has no text"})
		return nil, nil
	}
	if opt.Judge != nil {
		spans := make([]text.Span, len(result.Anchors))
		for i := range result.Anchors {
			spans[i] = result.Anchors[i].Span
		}
		said.judge(a, &content.Page{Text: result.Text, Blocks: a.Blocks, Links: spans, Nodes: result.Nodes,
			Within: result.Within}, opt.Judge)
	}
	said.tellDate(a, source, to)
	return a, nil
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}

// placed moves the places of notices to where the page stands in its document.
type placed struct {
	to Listener
	at func(offset int) fault.Pos
}

func (p placed) Notice(n fault.Notice) {
	if p.at != nil && n.Line > 0 {
		n.Pos = p.at(int(n.Offset))
	}
	p.to.Notice(n)
}

func position(source []byte, offset int) fault.Pos {
	return page.Advance(fault.Pos{Line: 1, Column: 1}, source[:min(offset, len(source))])
}
