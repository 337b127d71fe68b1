package format

import (
	"context"
	"io"
	"path"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
	"laundromat/rdf/html"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/rdfa"
	"laundromat/rdf/rdfjson"
	"laundromat/rdf/rdfxml"
	"laundromat/rdf/trix"
	"laundromat/rdf/ttl"
)

// Options of [Parse].
type Options struct {
	rdf.Input

	// Guessed says that the format was guessed, not given. A reader of lines may then
	// hand over to the larger language that the document proves to be in.
	Guessed bool
	// Contexts maps the IRI of a JSON-LD context to the file that holds it; an IRI that
	// ends in "/" maps to a folder.
	Contexts map[string]string
	// JSONLD says how JSON-LD is processed; its Check takes Contexts.
	JSONLD JSONLDProcessing
	// MaxMemory is how many bytes a reader may take that has to hold a document or a
	// large part of it: JSON-LD, HTML, RDFa. 0 leaves the choice to that reader. The readers of
	// other formats take a fixed amount whatever the document is.
	MaxMemory int64
	// Temp is the folder for text that a reader has to read twice; "" for the system's.
	Temp string
	// MaxToken is the longest term or tag that is held, in bytes; 0 leaves the choice
	// to the reader.
	MaxToken int
	// Workers is how many goroutines look at the lines of N-Triples and N-Quads; by default one.
	Workers int
	// ContentType is the Content-Type header the document came with, or "", and Name the name of the file
	// or the IRI. They matter to pages. One that the header, or else the extension, calls HTML is read as
	// browsers read it, also if it begins like XML. One that they call XHTML or XML is read by the rules
	// of XML, however it begins. And lines in a document that they call Turtle or TriG hand over at any
	// sound statement which only these have.
	ContentType, Name string

	// Scripts says which JSON-LD scripts of a page in HTML are read.
	Scripts html.Scripts
	// Sources is filled, where it is not nil, with the counts of a page in HTML (see html.Sources). They
	// are how many statements it was read for, by their place in it, those lost included. Its keys are the
	// three below, and the names of the formats of other scripts, where the page has such.
	Sources map[string]int64
}

// Keys of Options.Sources. What the page as a whole lost, as one that is cut short,
// stands under none of them.
const (
	SourceRDFa      = "RDFa"
	SourceMicrodata = "Microdata"
	SourceJSONLD    = "JSON-LD"
)

// JSONLDProcessing holds what JSON-LD leaves to whoever has a document processed.
type JSONLDProcessing = jsonld.Processing

// Parse reads text to its end in the given format, and hands statements and findings to a sink. The
// text is UTF-8 without a byte order mark. It returns the format that the document proved to be in,
// which differs from f only if that was guessed.
//
// A document of which neither a statement nor a lost one was found gets the note format/empty. An
// error is *rdf.SinkError if the sink failed, what text or ctx returned, or a *fault.Error if the
// document can't be read at all.
func Parse(ctx context.Context, f Format, text io.Reader, opt Options, to rdf.Sink) (Format, error) {
	sink := &noticing{to: to}
	proved, err := parse(ctx, f, text, opt, sink)
	if err == nil && !sink.any {
		to.Notice(fault.Notice{Code: fault.FormatEmpty, Severity: fault.Note, Message: "no statements in the document"})
	}
	return proved, err
}

func parse(ctx context.Context, f Format, text io.Reader, opt Options, to rdf.Sink) (Format, error) {
	switch f {
	case NTriples:
		return parseTTL(ctx, ttl.NTriples, text, opt, to)
	case NQuads:
		return parseTTL(ctx, ttl.NQuads, text, opt, to)
	case Turtle:
		return parseTTL(ctx, ttl.Turtle, text, opt, to)
	case TriG:
		return parseTTL(ctx, ttl.TriG, text, opt, to)
	case RDFXML:
		return f, rdfxml.Read(ctx, text, opt.Input, rdfxml.Options{MaxToken: opt.MaxToken}, to)
	case TriX:
		return f, trix.Read(ctx, text, opt.Input, trix.Options{MaxToken: opt.MaxToken}, to)
	case RDFJSON:
		return f, rdfjson.Read(ctx, text, opt.Input, rdfjson.Options{MaxToken: opt.MaxToken}, to)
	case RDFa:
		opt.UseBase() // the page itself is the subject where nothing names another
		return f, rdfa.Read(ctx, text, opt.Input, page.Options{Host: hostOf(opt), MaxMemory: opt.MaxMemory}, to)
	case HTML:
		opt.UseBase()
		return f, parseHTML(ctx, text, opt, to)
	case JSONLD:
		return f, jsonld.Read(ctx, text, opt.Input, opt.jsonLD(), to)
	}
	return f, fault.New("format.Parse", fault.Data, fault.FormatUnknown, "no reader for the format %q", string(f))
}

// jsonLD are the options of the reader of JSON-LD.
func (o *Options) jsonLD() jsonld.Options {
	return jsonld.Options{Contexts: o.Contexts, Temp: o.Temp, Processing: o.JSONLD, MaxBytes: o.MaxMemory / jsonld.MemoryFactor}
}

// parseHTML reads all sources of a page, and counts them.
func parseHTML(ctx context.Context, text io.Reader, opt Options, to rdf.Sink) error {
	counts, err := html.Read(ctx, text, opt.Input, html.Options{
		Options: page.Options{Host: hostOf(opt), MaxMemory: opt.MaxMemory},
		JSONLD:  opt.jsonLD(),
		Scripts: opt.Scripts,
		Block:   opt.block,
	}, to)
	if opt.Sources != nil {
		opt.Sources[SourceRDFa] = counts.RDFa
		opt.Sources[SourceMicrodata] = counts.Microdata
		opt.Sources[SourceJSONLD] = counts.JSONLD
		for name, n := range counts.Blocks {
			opt.Sources[name] = n
		}
	}
	return err
}

// block finds how a script of a page is read that is in another format than JSON-LD. What
// its type says is as good as what a server says of a document.
func (o Options) block(mediaType string) *html.Block {
	f := ofBlock(mediaType)
	if f == "" {
		return nil
	}
	return &html.Block{Source: string(f), IsXML: f == RDFXML || f == TriX,
		Read: func(ctx context.Context, text io.Reader, in rdf.Input, to rdf.Sink) error {
			_, err := parse(ctx, f, text, Options{Input: in, Guessed: true, MaxToken: o.MaxToken}, to)
			return err
		}}
}

// ofBlock is the format of a script of a page, by its media type, that is read as a block. It is ""
// for JSON-LD, which is not, and for other scripts.
func ofBlock(mediaType string) Format {
	switch f := ofMediaType(mediaType); f {
	case JSONLD, HTML, RDFa:
		return ""
	default:
		return f
	}
}

// MemoryFactor is how many bytes of memory a reader takes, at most, for each byte of a document that
// it must hold whole. It is 0 for formats that are read as a stream.
func (f Format) MemoryFactor() int64 {
	switch f {
	case JSONLD:
		return jsonld.MemoryFactor
	case RDFa:
		return rdfa.MemoryFactor
	case HTML:
		return html.MemoryFactor
	default:
		return 0
	}
}

// hostOf tells pages that are HTML, and those that are XML, from what the reader is to find out by itself.
func hostOf(opt Options) page.Host {
	switch mediaType := mediaTypeOf(opt.ContentType); mediaType {
	case "text/html":
		return page.HTML
	case "", "text/plain", "application/octet-stream":
		name, _, _ := strings.Cut(opt.Name, "#")
		name, _, _ = strings.Cut(name, "?")
		switch strings.ToLower(path.Ext(name)) {
		case ".html", ".htm":
			return page.HTML
		case ".xhtml", ".xht":
			return page.DetectXML
		}
	default:
		if strings.HasSuffix(mediaType, "/xml") || strings.HasSuffix(mediaType, "+xml") {
			return page.DetectXML
		}
	}
	return page.Detect
}

func parseTTL(ctx context.Context, syntax ttl.Syntax, text io.Reader, opt Options, to rdf.Sink) (Format, error) {
	called := hinted(ofMediaType(opt.ContentType), ofName(opt.Name))
	proved, err := ttl.Read(ctx, text, opt.Input, ttl.Options{
		Syntax: syntax, MayHandOver: opt.Guessed, CalledTurtle: called == Turtle || called == TriG, MaxToken: opt.MaxToken, Workers: opt.Workers,
	}, to)
	switch proved {
	case ttl.NTriples:
		return NTriples, err
	case ttl.NQuads:
		return NQuads, err
	case ttl.TriG:
		return TriG, err
	default:
		return Turtle, err
	}
}

// noticing is a sink that remembers whether anything came that counts as a statement.
type noticing struct {
	to  rdf.Sink
	any bool
}

func (n *noticing) Quad(q *rdf.Quad) error {
	n.any = true
	return n.to.Quad(q)
}

// Judge is that of the sink behind; nil if it has none.
func (n *noticing) Judge() func(*rdf.Quad) bool {
	if to, ok := n.to.(rdf.LineSink); ok {
		return to.Judge()
	}
	return nil
}

func (n *noticing) Lines(text []byte, lines int) error {
	n.any = true
	return n.to.(rdf.LineSink).Lines(text, lines) // there is no Judge without it
}

func (n *noticing) Notice(notice fault.Notice) {
	n.any = n.any || notice.Lost > 0
	n.to.Notice(notice)
}
