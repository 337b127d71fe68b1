package format

import (
	"context"
	"io"
	"maps"
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

// Settings are the same for every document of a run. The zero value leaves all to the readers.
type Settings struct {
	// Contexts maps the IRI of a JSON-LD context to the file that holds it; an IRI that
	// ends in "/" maps to a folder.
	Contexts map[string]string
	// ContextLoader is asked for contexts that are neither there nor in the program; nil: no one is.
	ContextLoader ContextLoader
	// JSONLD says how JSON-LD is processed; its Check takes Contexts and ContextLoader.
	JSONLD JSONLDProcessing
	// Scripts says which JSON-LD scripts of a page in HTML are read.
	Scripts html.Scripts
	// Prefix is told the prefixes that documents declare: see rdf.Input. It may be nil.
	Prefix func(name, iri []byte)
	// MaxMemory is how many bytes a reader may take that has to hold a document or a large part
	// of it: JSON-LD, HTML, RDFa. With 0, that reader chooses. The readers of other formats
	// take a fixed amount whatever the document is.
	MaxMemory int64
	// MaxToken is the longest term, tag or line that is held, in bytes; 0 leaves the choice
	// to the reader.
	MaxToken int
	// Workers is how many goroutines look at the lines of N-Triples and N-Quads; by default one.
	Workers int
	// Temp is the folder for what has to be read twice; "" for the system's.
	Temp string
}

// Options of [Parse]: the settings of the run, and what is known of the document.
type Options struct {
	Settings
	rdf.Input // its BaseUsed is Parse's own

	// Guessed says that the format was guessed, not given. A reader of lines may then
	// hand over to the larger language that the document proves to be in.
	Guessed bool
	// ContentType is the Content-Type header that the document came with, or "". Name is the name
	// of the file, or the IRI. They matter to pages: a page that the header calls HTML is read as
	// browsers read it, also if it begins like XML. So is one without a header whose extension
	// says HTML. A page that they call XHTML or XML is read by the rules of XML, however it begins.
	// Lines in a document that they call Turtle or TriG hand over at
	// any sound statement which only these have.
	ContentType, Name string
	// Shared is the page for several readers; nil where this is the only one.
	Shared *page.Shared
}

// Reading is what Parse found out of a document.
type Reading struct {
	// Format is what the document proved to be in. It differs from the format given to
	// Parse only if that was guessed.
	Format Format
	// Sources are the counts of a page in HTML; nil for other formats. They say how many statements
	// it was read for, by where they are in it, those lost included (see html.Sources).
	// The keys are the three below, and the formats of other scripts, where the page has such.
	Sources map[string]int64
	// BaseUsed says that anything was made with the base, or may have been. If not, any
	// other base that is not "" gives the same statements and findings.
	BaseUsed bool
}

// Keys of Reading.Sources. What the page as a whole lost, as one that is cut short,
// is under none of them.
const (
	SourceRDFa      = "RDFa"
	SourceMicrodata = "Microdata"
	SourceJSONLD    = "JSON-LD"
	// SourceMicroformats is there where a page has statements of them.
	SourceMicroformats = "microformats"
)

// JSONLDProcessing holds what JSON-LD leaves to whoever has a document processed.
type JSONLDProcessing = jsonld.Processing

// ContextLoader finds the documents of contexts of JSON-LD; ContextDocument is what it gives.
type (
	ContextLoader   = jsonld.ContextLoader
	ContextDocument = jsonld.ContextDocument
)

// ErrContextDue is what a ContextLoader says of a context that is still being fetched, and Parse of a document
// that names one.
var ErrContextDue = jsonld.ErrContextDue

// Parse reads text, which is UTF-8 without a byte order mark, to its end in the given
// format. It hands statements and findings to a sink.
//
// A document of which neither a statement nor a lost one was found gets the note
// format/empty. An error is one of the reader. It is *rdf.SinkError if the sink failed,
// what text or ctx returned, or a *fault.Error if the document can't be read at all.
func Parse(ctx context.Context, f Format, text io.Reader, opt Options, to rdf.Sink) (Reading, error) {
	baseUsed := false
	opt.BaseUsed, opt.Input.Prefix = &baseUsed, opt.Settings.Prefix
	sink := &noticing{to: to}
	reading, err := parse(ctx, f, text, opt, sink)
	reading.BaseUsed = baseUsed
	if err == nil && !sink.any {
		to.Notice(fault.Notice{Code: fault.FormatEmpty, Severity: fault.Note, Message: "no statements in the document"})
	}
	return reading, err
}

func parse(ctx context.Context, f Format, text io.Reader, opt Options, to rdf.Sink) (Reading, error) {
	as := Reading{Format: f}
	switch f {
	case NTriples:
		return parseTTL(ctx, ttl.NTriples, text, opt, to)
	case NQuads:
		return parseTTL(ctx, ttl.NQuads, text, opt, to)
	case Turtle:
		return parseTTL(ctx, ttl.Turtle, text, opt, to)
	case TriG:
		return parseTTL(ctx, ttl.TriG, text, opt, to)
	case N3:
		return parseTTL(ctx, ttl.N3, text, opt, to)
	case RDFXML:
		return as, rdfxml.Read(ctx, text, opt.Input, rdfxml.Options{MaxToken: opt.MaxToken}, to)
	case TriX:
		return as, trix.Read(ctx, text, opt.Input, trix.Options{MaxToken: opt.MaxToken}, to)
	case RDFJSON:
		return as, rdfjson.Read(ctx, text, opt.Input, rdfjson.Options{MaxToken: opt.MaxToken}, to)
	case RDFa:
		opt.UseBase() // the page itself is the subject where nothing names another
		return as, rdfa.Read(ctx, text, opt.Input, opt.page(), to)
	case HTML:
		opt.UseBase()
		return parseHTML(ctx, text, opt, to)
	case JSONLD:
		return as, jsonld.Read(ctx, text, opt.Input, opt.jsonLD(), to)
	}
	return as, fault.New("format.Parse", fault.Data, fault.FormatUnknown, "no reader for the format %q", string(f))
}

// jsonLD are the options of the reader of JSON-LD.
func (o *Settings) jsonLD() jsonld.Options {
	return jsonld.Options{Contexts: o.Contexts, Loader: o.ContextLoader, Temp: o.Temp, Processing: o.JSONLD,
		MaxBytes:   o.MaxMemory / jsonld.MemoryFactor,
		MaxLiteral: min(int64(o.MaxToken), o.MaxMemory/jsonld.LiteralFactor)}
}

// parseHTML reads all sources of a page, and counts them.
func parseHTML(ctx context.Context, text io.Reader, opt Options, to rdf.Sink) (Reading, error) {
	counts, err := html.Read(ctx, text, opt.Input, html.Options{
		Options: opt.page(),
		JSONLD:  opt.jsonLD(),
		Scripts: opt.Scripts,
		Block:   opt.block,
	}, to)
	sources := map[string]int64{SourceRDFa: counts.RDFa, SourceMicrodata: counts.Microdata, SourceJSONLD: counts.JSONLD}
	if counts.Microformats > 0 {
		sources[SourceMicroformats] = counts.Microformats
	}
	maps.Copy(sources, counts.Blocks)
	return Reading{Format: HTML, Sources: sources}, err
}

// page are the options of the tree of a page.
func (o Options) page() page.Options {
	return page.Options{Host: hostOf(o), MaxMemory: o.MaxMemory, Shared: o.Shared}
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
			_, err := parse(ctx, f, text, Options{Settings: Settings{MaxToken: o.MaxToken}, Input: in, Guessed: true}, to)
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

// hostOf distinguishes pages that are HTML, and those that are XML, from what the reader is to find out by itself.
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
		case ".xhtml", ".xht", ".xml":
			return page.DetectXML
		}
	default:
		if strings.HasSuffix(mediaType, "/xml") || strings.HasSuffix(mediaType, "+xml") {
			return page.DetectXML
		}
	}
	return page.Detect
}

func parseTTL(ctx context.Context, syntax ttl.Syntax, text io.Reader, opt Options, to rdf.Sink) (Reading, error) {
	called := withoutFormulae(hinted(ofMediaType(opt.ContentType), ofName(opt.Name)))
	proved, err := ttl.Read(ctx, text, opt.Input, ttl.Options{
		Syntax: syntax, MayHandOver: opt.Guessed, CalledTurtle: called == Turtle || called == TriG, CalledTriples: called == NTriples,
		MaxToken: opt.MaxToken, Workers: opt.Workers,
	}, to)
	f := Turtle
	switch proved {
	case ttl.NTriples:
		f = NTriples
	case ttl.NQuads:
		f = NQuads
	case ttl.TriG:
		f = TriG
	case ttl.N3:
		f = N3
	}
	return Reading{Format: f}, err
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

// Judge is that of the sink after; nil if it has none.
func (n *noticing) Judge() rdf.LineJudge {
	if to, ok := n.to.(rdf.LineSink); ok {
		return to.Judge()
	}
	return nil
}

func (n *noticing) Lines(text []byte, lines int) error {
	n.any = true
	return n.to.(rdf.LineSink).Lines(text, lines) // there is no Judge without it
}

func (n *noticing) Cleaned(lines *rdf.CleanedLines) error {
	n.any = n.any || lines.Lines > 0
	for i := range lines.Notices {
		n.any = n.any || lines.Notices[i].Lost > 0
	}
	return n.to.(rdf.LineSink).Cleaned(lines)
}

// Gather lets statements wait in the sink after, if that gathers any.
func (n *noticing) Gather() {
	if to, ok := n.to.(rdf.GatheringSink); ok {
		to.Gather()
	}
}

// Release ends what Gather begins.
func (n *noticing) Release() error {
	if to, ok := n.to.(rdf.GatheringSink); ok {
		return to.Release()
	}
	return nil
}

func (n *noticing) Notice(notice fault.Notice) {
	n.any = n.any || notice.Lost > 0
	n.to.Notice(notice)
}
