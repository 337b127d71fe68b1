// Package microdata makes statements of the Microdata in a page (W3C Microdata to RDF, Second Edition;
// W3C HTML Microdata).
//
//	p, err := page.Read(ctx, text, page.Options{}, sink)
//	err = microdata.Process(ctx, p, rdf.Input{Base: "http://example.org/"}, sink)
//
// Each item is a node, named by its @itemid or without a name; each of its properties is a statement.
// The statement that leads to an item comes before those of the item; else they come in document
// order.
//
// A name in @itemprop that is no absolute IRI belongs to the vocabulary of the item's first type. That
// is the type without what follows its last "/" or "#", or a prefix in the registry (see registry.go).
// An item without a type takes the vocabulary of the item around it. Where there is none, the names
// become fragments of the page's own IRI, which gives a warning. Values are what HTML Microdata says.
// First comes @content on any element, then the attribute with the URL, number or time of the elements
// that have one, then the text. Dates, times, durations and numbers get their XSD datatypes by their
// form, text the language that @lang gives it. The attribute itemprop-reverse is read too.
//
// What the Note has a processor skip gives a warning. An item that says to be the property of
// another which is nowhere around it is read as if it were alone: a repair.
package microdata

import (
	"context"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// Process hands the statements in the Microdata of a page to a sink. It returns an
// error if the sink fails (as *rdf.SinkError) or if ctx ends.
func Process(ctx context.Context, p *page.Page, in rdf.Input, to rdf.Sink) error {
	r := &reader{ctx: ctx, in: in, to: to, host: p.Host, known: map[*page.Element]*known{}, wanted: map[string]bool{}}
	r.survey(p)
	for _, k := range r.all {
		if k.isItem && !k.isProperty() {
			r.item(k, scope{}, 0)
		}
	}
	r.strays()
	return r.failed
}

// reader reads the Microdata of one page.
type reader struct {
	ctx  context.Context
	in   rdf.Input
	to   rdf.Sink
	host page.Host

	known    map[*page.Element]*known // the elements that Microdata marks
	all      []*known                 // the same, in document order
	wanted   map[string]bool          // what @itemref names
	named    map[string]*page.Element // the first element with such an @id
	elements int                      // of the page
	visited  int                      // elements that were gone through by @itemref

	fileTold bool
	numbered uint64
	quad     rdf.Quad
	buffer   []byte // what the terms of quad point into
	failed   error  // of the sink, or of ctx: nothing more is made
}

// known is what is known of an element with @itemscope, @itemprop or
// @itemprop-reverse.
type known struct {
	e        *page.Element
	order    int    // in the document
	language string // in force there
	base     string
	isItem   bool
	reached  bool // some item has it

	// Of an item:
	subject term   // NoTerm until it is asked for
	isOpen  bool   // its properties are being made
	isMade  bool   // they were, for an item around it of the type
	madeFor string // of that type
}

// isProperty says that an item is a value of another, or says to be.
func (k *known) isProperty() bool { return k.e.Has("itemprop") || k.e.Has("itemprop-reverse") }

// mended says that the element was repaired where it matters.
func (k *known) mended() bool { return k.e.Mended(matters) }

// matters says that Microdata reads the attribute of that name.
func matters(name string) bool {
	switch name {
	case "itemscope", "itemid", "itemtype", "itemprop", "itemprop-reverse", "itemref",
		"content", "src", "href", "data", "value", "datetime":
		return true
	}
	return false
}

// survey goes through the page once, and finds all that Microdata marks.
func (r *reader) survey(p *page.Page) {
	base := r.in.Base
	if href := p.BaseHref(); href != "" && (base != "" || rfc3986.IsAbsolute([]byte(href))) {
		r.judge(base, href, p.Roots[0])
		base = r.resolve(base, href, p.Roots[0].Pos)
	}
	for _, root := range p.Roots {
		r.surveyElement(root, base, "")
	}
	if len(r.wanted) == 0 {
		return
	}
	r.named = make(map[string]*page.Element, len(r.wanted))
	for _, root := range p.Roots {
		r.find(root)
	}
}

func (r *reader) surveyElement(e *page.Element, base, language string) {
	r.elements++
	if v, ok := e.Get("xml:base"); ok && r.host == page.XML {
		r.judge(base, trim(v), e)
		base = r.resolve(base, trim(v), e.Pos)
	}
	language = r.languageOf(e, language)
	isItem := e.Has("itemscope")
	if isItem || e.Has("itemprop") || e.Has("itemprop-reverse") {
		k := &known{e: e, order: r.elements, language: language, base: base, isItem: isItem}
		r.known[e] = k
		r.all = append(r.all, k)
		if isItem {
			v, _ := e.Get("itemref")
			for _, id := range fields(v) {
				r.wanted[id] = true
			}
		}
	}
	if _, ok := e.Get("itemtype"); ok && !isItem {
		r.warn(fault.MicrodataType, e, "itemtype", "@itemtype without @itemscope makes no item; it is passed over")
	}
	if r.known[e] != nil && e.Lost(matters) != nil {
		return // it is lost with all in it
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			r.surveyElement(c, base, language)
		}
	}
}

// languageOf is the language in an element; around is that outside of it.
func (r *reader) languageOf(e *page.Element, around string) string {
	order := [...]string{"xml:lang", "lang"}
	if r.host == page.HTML {
		order = [...]string{"lang", "xml:lang"}
	}
	for _, name := range order {
		if v, ok := e.Get(name); ok {
			return trim(v)
		}
	}
	return around
}

// find notes the first element of each wanted name.
func (r *reader) find(e *page.Element) {
	if id, ok := e.Get("id"); ok && r.wanted[id] && r.named[id] == nil {
		r.named[id] = e
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil {
			r.find(c)
		}
	}
}

// strays sees to what no item reached: an item is read as if it was alone, a
// property is of nothing.
func (r *reader) strays() {
	for _, k := range r.all {
		switch {
		case r.failed != nil:
			return
		case k.reached || k.isItem && !k.isProperty():
		case k.isItem:
			r.repair(fault.MicrodataNoItem, k.e, wordsOf(k.e), "this item says to be a property, but of no item; it is read as if it "+
				"was alone")
			r.item(k, scope{repaired: true}, 0)
		default:
			r.warn(fault.MicrodataNoItem, k.e, wordsOf(k.e), "this is a property of no item; it is passed over")
		}
	}
}

// wordsOf is what the element says to be a property of.
func wordsOf(e *page.Element) string {
	if v, ok := e.Get("itemprop"); ok {
		return v
	}
	v, _ := e.Get("itemprop-reverse")
	return v
}

func (r *reader) warn(code fault.Code, e *page.Element, excerpt, format string, args ...any) {
	r.tell(fault.Notice{Code: code, Severity: fault.Warning, Message: fmt.Sprintf(format, args...)}, e, excerpt)
}

func (r *reader) repair(code fault.Code, e *page.Element, excerpt, format string, args ...any) {
	r.tell(fault.Notice{Code: code, Severity: fault.Repair, Message: fmt.Sprintf(format, args...)}, e, excerpt)
}

// lose reports one statement that is lost.
func (r *reader) lose(code fault.Code, e *page.Element, excerpt, format string, args ...any) {
	r.tell(fault.Notice{Code: code, Severity: fault.Drop, Lost: 1, Message: fmt.Sprintf(format, args...)}, e, excerpt)
}

// tell passes on a notice about an element.
func (r *reader) tell(n fault.Notice, e *page.Element, excerpt string) {
	n.Pos, n.Excerpt = e.Pos, fault.Excerpt([]byte(excerpt))
	r.to.Notice(n)
}
