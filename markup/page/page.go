// Package page makes a light tree of a page in HTML, XHTML, SVG or other XML, for the readers of what
// is embedded in it.
//
// HTML is read as browsers read it, and never fails; XML by package xmltext, which
// forgives what is clear. The elements know where their start tags are, and each
// script knows the place of all its text.
//
//	p, err := page.Read(ctx, text, page.Options{}, sink)
//	for _, root := range p.Roots {
//		…
//	}
//
// A page is read once and held whole; nothing changes it after Read.
package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
)

// Page is a page as a tree.
type Page struct {
	Host Host // neither Detect nor DetectXML
	// Need is about how many bytes of memory the page takes, with what is made of its
	// elements.
	Need int64
	// Roots holds the root element; in XML several where the document has several,
	// each of which is read. It is empty where there is none, and for a page that was
	// lost as a whole, which was reported.
	Roots []*Element
	// Prolog is what is before the root, where the page is XML and declares entities or
	// the defaults of attributes there; else empty.
	Prolog []byte
}

// Options of a reading; zero values mean what is said here.
type Options struct {
	Host Host
	// MaxMemory is how many bytes of memory the page and what is made of it may take. If
	// it is 0, MaxBytes alone bounds the page.
	MaxMemory int64
	// MaxBytes is the longest page: 4 MiB, or with MaxMemory whatever that holds. It
	// takes up to MemoryFactor times its length in memory, and a fifth of that if most of
	// it is text.
	MaxBytes int64
	// MaxDepth is how many elements may be open at once in XML: 500. Deeper ones are lost. In HTML it is
	// what the parser allows, 512. Where that is not enough, tags that say nothing are skipped from a
	// depth of 50 on, others from one of 250. What is in them is kept.
	MaxDepth int
	// IsData says that what scripts of a media type hold is read by itself. What they hold in
	// elements, which is the plain way to write RDF/XML in XML, is then their text as it is.
	// Elements rdf:RDF are as scripts of the type RDFXML. nil stands for no type.
	IsData func(mediaType string) bool
	// Places gives the parts of tables in HTML the places of their own tags. Without it, one whose tag has no
	// attributes has the place of what is around it, as all other elements have.
	Places bool
	// Prefix is that of the elements of XHTML, with its colon, where a page declares none: that of a part of a feed.
	Prefix string
	// Shared is the page for several readers; nil where there is one.
	Shared *Shared

	texts bool // the places of texts are kept for Shared
}

func (o *Options) applyDefaults() {
	switch {
	case o.MaxBytes > 0:
	case o.MaxMemory > 0:
		o.MaxBytes = o.MaxMemory / leastFactor
	default:
		o.MaxBytes = 4 << 20
	}
	o.MaxBytes = min(o.MaxBytes, 1<<30)
	if o.MaxDepth <= 0 {
		o.MaxDepth = 500
	}
}

// Read reads a page to its end. The notices on its markup go to the listener. What a fault costs is
// known to the readers of the page alone, who give a notice of that.
//
// It returns an error if text can't be read, if ctx ends, or if the page is longer
// than opt.MaxBytes (kind Limit, code limit/memory).
func Read(ctx context.Context, text io.Reader, opt Options, to xmltext.Listener) (*Page, error) {
	opt.applyDefaults()
	if p, err := opt.Shared.read(&opt, to); p != nil || err != nil {
		return p, err
	}
	source, err := readAll(ctx, text, &opt)
	if err != nil {
		return nil, err
	}
	m := measure(source)
	if err := opt.admit(len(source), m.need()); err != nil {
		return nil, err
	}
	if opt.Shared == nil || opt.Shared.source != nil {
		p, _, err := readPage(ctx, source, m, &opt, to)
		return p, err
	}
	heard := heard{to: to}
	opt.Places, opt.texts = true, true
	p, found, err := readPage(ctx, source, m, &opt, &heard)
	if err == nil {
		opt.Shared.keep(p, found, source, m, heard.all)
	}
	return p, err
}

// readPage reads a page that is held.
func readPage(ctx context.Context, source []byte, m measured, opt *Options, to xmltext.Listener) (p *Page, found *places, err error) {
	p = &Page{Host: opt.Host, Need: m.need()}
	if p.Host == Detect || p.Host == DetectXML {
		p.Host = detect(source, p.Host == DetectXML)
	}
	if p.Host == HTML {
		if opt.texts && opt.IsData == nil {
			opt.IsData = isJSONLD // others may ask for those scripts
		}
		p.Roots, found, err = parseHTML(source, opt)
	} else {
		p.Roots, err = parseXML(ctx, source, opt, to)
		if len(p.Roots) > 0 {
			prolog := source[:p.Roots[0].Pos.Offset]
			if bytes.Contains(prolog, []byte("<!ENTITY")) || bytes.Contains(prolog, []byte("<!ATTLIST")) {
				p.Prolog = prolog
			}
		}
	}
	if errors.Is(err, errTooDeep) {
		to.Notice(fault.Notice{Code: fault.LimitNesting, Severity: fault.Drop, Pos: fault.Pos{Line: 1, Column: 1},
			Message: "elements are nested more deeply than the HTML parser allows; the page is lost",
			Excerpt: fault.Excerpt(source[:min(len(source), fault.MaxExcerpt)]), Lost: 1, Bytes: int64(len(source))})
		return p, found, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if found != nil && found.cut.message != "" {
		c := &found.cut
		c.pos = found.lines.pos(int(c.pos.Offset))
		n := fault.Notice{Code: fault.HTMLCutShort, Severity: fault.Drop, Pos: c.pos, Lost: 1, Bytes: int64(len(source)) - c.pos.Offset,
			Message: c.message + "; the rest of its statements is lost", Excerpt: c.excerpt(source)}
		to.Notice(n)
		c.lose(p.Roots, n)
	}
	if found != nil {
		found.tell(source, to)
	}
	if found != nil && found.skipped > 0 {
		at := found.skipped - 1
		n := fault.Notice{Code: fault.LimitNesting, Severity: fault.Warning, Pos: found.lines.pos(at),
			Message: "elements are nested more deeply than the HTML parser allows; tags that say nothing are passed over",
			Excerpt: fault.Excerpt(source[at:min(len(source), at+fault.MaxExcerpt)])}
		if found.costs {
			n.Severity, n.Lost = fault.Drop, 1
			n.Message = "elements are nested more deeply than the HTML parser allows; from here on tags so deep are passed over, and " +
				"only their text is kept"
		}
		to.Notice(n)
	}
	return p, found, nil
}

// buffers are those that pages are read into, as long as most are. What is read is copied out of them once its length
// is known: a buffer that grows with each page takes, and clears, several times the memory of the page.
var buffers = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 256<<10)) }}

// keptBuffer is the longest buffer that serves again, in bytes.
const keptBuffer = 2 << 20

func readAll(ctx context.Context, text io.Reader, opt *Options) ([]byte, error) {
	page, _ := buffers.Get().(*bytes.Buffer)
	page.Reset()
	_, err := page.ReadFrom(io.LimitReader(cancellable{ctx, text}, opt.MaxBytes+1))
	if err != nil {
		err = fmt.Errorf("read the page: %w", err)
	}
	if page.Cap() > keptBuffer {
		return page.Bytes(), err // not to be kept
	}
	defer buffers.Put(page)
	return bytes.Clone(page.Bytes()), err
}

// admit is an error of kind Limit if a page is too long, or takes more memory than it may.
func (o *Options) admit(length int, takes int64) error {
	if int64(length) > o.MaxBytes {
		return tooMuch("a page can only be read whole, and one of more than %d bytes takes up to %d bytes of memory", o.MaxBytes,
			MemoryFactor*o.MaxBytes)
	}
	if o.MaxMemory > 0 && takes > o.MaxMemory {
		return tooMuch("the page can only be read whole, which by its tags and attributes takes some %d bytes of memory; it may take %d",
			takes, o.MaxMemory)
	}
	return nil
}

// cancellable is a reader that ends with its context.
type cancellable struct {
	ctx    context.Context
	reader io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.reader.Read(p)
}

// BaseHref is the @href of the first base element that has one, without white space around it; "" if
// there is none. In XML that is no XHTML it is always "": there @xml:base speaks, element by element.
func (p *Page) BaseHref() string {
	if p.Host == XML {
		return ""
	}
	for _, root := range p.Roots {
		if href := findBase(root); href != "" {
			return href
		}
	}
	return ""
}
