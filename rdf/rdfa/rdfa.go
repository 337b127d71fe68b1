// Package rdfa reads RDFa 1.1 from HTML, XHTML, SVG and other XML (W3C RDFa Core 1.1,
// HTML+RDFa 1.1, XHTML+RDFa 1.1).
//
// HTML is read as browsers read it, and never fails; XML by package xmltext, which
// forgives what is plain. A page is held whole, as a light tree whose elements know
// where their start tags stand; its statements come in document order.
//
//	err := rdfa.Read(ctx, text, rdf.Input{Base: "http://example.org/"}, rdfa.Options{}, sink)
//
// A page without RDFa has no statements, and no findings. What the specification
// tells a processor to pass over (terms without a vocabulary, prefixes that can't be
// read) gives a warning, but not the many values of @rel that only mean something to
// browsers. A CURIE whose prefix is not declared is an absolute IRI, as the
// specification says, and gives a warning unless its scheme is a well-known one.
//
// Not done, since the specification leaves it open: the processor graph, vocabulary
// expansion, and @role.
package rdfa

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// Host is the language that RDFa stands in.
type Host uint8

const (
	Detect Host = iota // by the first bytes of the text
	HTML               // HTML 4 and 5, read as browsers read them
	XHTML1             // XHTML+RDFa 1.1
	XHTML5             // HTML 5 in XML
	XML                // SVG and any other XML
)

// Options of a reading; zero values mean what is said here.
type Options struct {
	Host Host
	// MaxBytes is the longest page: 4 MiB. It takes some MemoryFactor times its
	// length in memory.
	MaxBytes int64
	// MaxDepth is how many elements may be open at once in XML: 500. Deeper ones are
	// lost. In HTML it is what the parser allows, 512.
	MaxDepth int
}

func (o *Options) applyDefaults() {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 4 << 20
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = 500
	}
}

// MemoryFactor is how many bytes of memory the process takes at its peak for a byte of
// a page. Measured on 6 MiB of HTML: 32 for plain paragraphs, 42 where RDFa is dense, 90
// for nothing but empty elements.
const MemoryFactor = 90

// Read reads the RDFa of a page and hands its statements to a sink.
//
// It returns nil at the end of the page, whatever it found there; and an error if the
// sink fails (as *rdf.SinkError), if text can't be read, if ctx ends, or if the page
// is longer than opt.MaxBytes (kind Limit, code limit/memory).
func Read(ctx context.Context, text io.Reader, in rdf.Input, opt Options, to rdf.Sink) error {
	opt.applyDefaults()
	page, err := readAll(ctx, text, opt.MaxBytes)
	if err != nil {
		return err
	}
	if opt.Host == Detect {
		opt.Host = detect(page)
	}
	var roots []*element
	if opt.Host == HTML {
		roots, err = parseHTML(page)
	} else {
		roots, err = parseXML(ctx, page, opt, to)
	}
	if errors.Is(err, errTooDeep) {
		to.Notice(fault.Notice{Code: fault.LimitNesting, Severity: fault.Drop, Pos: fault.Pos{Line: 1, Column: 1},
			Message: "elements are nested more deeply than the HTML parser allows; the page is lost",
			Excerpt: fault.Excerpt(page[:min(len(page), fault.MaxExcerpt)]), Lost: 1, Bytes: int64(len(page))})
		return nil
	}
	if err != nil {
		return err
	}
	p := newProcessor(in, opt.Host, to)
	for _, root := range roots {
		p.run(root)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("read RDFa: %w", err)
	}
	p.copyPatterns()
	return p.emit(ctx)
}

func readAll(ctx context.Context, text io.Reader, maxBytes int64) ([]byte, error) {
	var page bytes.Buffer
	n, err := io.Copy(&page, io.LimitReader(cancellable{ctx, text}, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read RDFa: %w", err)
	}
	if n > maxBytes {
		return nil, fault.New("rdfa.Read", fault.Limit, fault.LimitMemory,
			"a page of more than %d bytes can only be read whole, which takes some %d times its size in memory (%d bytes)",
			maxBytes, MemoryFactor, MemoryFactor*maxBytes)
	}
	return page.Bytes(), nil
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

// detect finds the host language by what a page begins with: XML needs an XML
// declaration, a document type of XHTML+RDFa, or a root element that is not html;
// all else is HTML, as it is for browsers.
func detect(page []byte) Host {
	head := page[:min(len(page), 2048)]
	xml := bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<?xml"))
	lower := bytes.ToLower(head)
	switch name := rootName(head); {
	case bytes.Contains(head, []byte("XHTML+RDFa")):
		return XHTML1
	case bytes.EqualFold(name, []byte("html")) && xml && bytes.Contains(lower, []byte("-//w3c//dtd xhtml")):
		return XHTML1
	case bytes.EqualFold(name, []byte("html")) && xml:
		return XHTML5
	case xml, bytes.Equal(name, []byte("svg")), bytes.IndexByte(name, ':') > 0:
		return XML
	case len(name) > 0 && bytes.Contains(head, []byte("xmlns")) && !bytes.EqualFold(name, []byte("html")) && bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")):
		return XML
	}
	return HTML
}

// rootName finds the name in the first start tag.
func rootName(head []byte) []byte {
	for i := 0; i+1 < len(head); i++ {
		if head[i] != '<' {
			continue
		}
		if bytes.HasPrefix(head[i:], []byte("<!--")) {
			end := bytes.Index(head[i:], []byte("-->"))
			if end < 0 {
				return nil
			}
			i += end
			continue
		}
		if c := head[i+1] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		end := bytes.IndexAny(head[i+1:], " \t\r\n/>")
		if end < 0 {
			return nil
		}
		return head[i+1 : i+1+end]
	}
	return nil
}
