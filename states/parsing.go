package states

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"laundromat/encoding"
	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
)

// ParseOptions are the same for every document of a run.
type ParseOptions struct {
	Clean    clean.Options
	Contexts map[string]string // JSON-LD contexts by IRI: files, or folders for IRIs that end in /
	JSONLD   format.JSONLDProcessing
	Temp     string // folder for what must be read twice; "" for the system's
	Memory   int64  // what a reader that must hold its document may use, in bytes; 0 for its default
	MaxToken int    // longest term, tag or line that a reader holds, in bytes; 0 for its default. See LongestTerm
	Hashes   Hashes // of the document's bytes
	Workers  int    // goroutines that look at the lines of a document; by default one
}

// LongestTerm is how long a term, a tag or a line may be that readers hold, in bytes, where they
// may use so much memory: while their buffers grow they take up to six times that.
func LongestTerm(memory int64) int { return int(min(max(memory/32, 1<<20), 16<<20)) }

// Output takes what Parse makes of one document.
type Output struct {
	// Begin starts the document. It is called again when the document's own bytes
	// refuted the encoding that was presumed, or lines whose labels are kept turned
	// out to be Turtle; all that came of the reading before is void then. The sinks are called from
	// the goroutine of Parse.
	Begin func() (lines clean.Lines, notice func(fault.Notice), err error)
	// Progress is told, now and then, how many bytes of the document are read, and
	// how many statements; nil if nobody asks.
	Progress func(bytes, statements int64)
}

// Parsed is what one reading proved.
type Parsed struct {
	Encoding   encoding.Choice
	Format     format.Format // "" for an empty document of which nothing tells
	Statements clean.Tally
	Sources    map[string]int64 // of Statements.Read, those of each source of a page in HTML; nil for other formats
	Text       content.Text
	// BaseUsed says that the base had a part in what came out, or may have had;
	// HasBlankNodes, that lines hold blank nodes, or IRIs made of them. Without either the same bytes
	// give the same under any URI.
	BaseUsed, HasBlankNodes bool
	// Bytes is what the document was after its filters, without the counts of text and
	// without the hashes that were not asked for or, ForKey, not needed.
	Bytes content.Content
}

// Parse reads a document in the encoding and format presumed, cleans it, and
// proves the encoding on the way. An error has a kind that says whose trouble it
// is; findings in the data never are one. With an error, Parsed holds the
// statements that had come until then.
func Parse(ctx context.Context, d Document, presumed Guessed, opt ParseOptions, out Output) (Parsed, error) {
	reading := reading{document: d, guessed: presumed, opt: opt, out: out}
	parsed, err := reading.read(ctx)
	if errors.Is(err, encoding.ErrRefuted) {
		if reading.guessed, err = decide(ctx, d, presumed); err != nil {
			return Parsed{}, err
		}
		parsed, err = reading.read(ctx)
	}
	for err == nil && reading.isDoubled() {
		reading.guessed = reading.guessed.undoubled(reading.doubled)
		parsed, err = reading.read(ctx)
	}
	if err == nil && opt.Clean.KeepBlankNodes && hasAnonymous(parsed.Format) && !reading.guessed.anonymous() {
		// Lines that turned out to be Turtle: their labels must make room for those of
		// the nodes without one, from the first line on.
		reading.guessed.handsOver = true
		parsed, err = reading.read(ctx)
	}
	return parsed, blamed(err)
}

// maxDoubled is how often a document is read back at most.
const maxDoubled = 3

// isDoubled says that the text has to be read back once more.
func (r *reading) isDoubled() bool {
	return r.opt.Clean.FixMojibake && r.doubled.Whole() && r.guessed.Encoding.Doubled < maxDoubled
}

// undoubled is g for a text that is read back once more, by what was found of it.
func (g Guessed) undoubled(found *encoding.Doubled) Guessed {
	choice, notice := found.Undone(g.Encoding)
	g.Encoding = choice
	g.Notices = append(g.Notices[:len(g.Notices):len(g.Notices)], notice)
	return g
}

// hasAnonymous says that a format knows blank nodes without a label.
func hasAnonymous(f format.Format) bool { return f != format.NTriples && f != format.NQuads }

// anonymous says that blank nodes without a label may come.
func (g *Guessed) anonymous() bool { return g.handsOver || hasAnonymous(g.Format) }

// reading is one pass over a document.
type reading struct {
	document Document
	guessed  Guessed
	opt      ParseOptions
	out      Output

	doubled *encoding.Doubled // what the last reading found
}

func (r *reading) read(ctx context.Context) (Parsed, error) {
	raw, err := r.document.Bytes(ctx)
	if err != nil {
		return Parsed{}, err
	}
	defer raw.Close()

	line, notice, err := r.out.Begin()
	if err != nil {
		return Parsed{}, &rdf.SinkError{Err: err}
	}
	first, tally := clean.Chain(r.cleanOptions(), line, notice)
	for _, n := range r.guessed.Notices {
		first.Notice(n)
	}

	hash := newHashing(r.opt.Hashes, func() bool { return tally.Keyed })
	defer hash.end()
	meter := &content.Meter{}
	bytes := &watched{ctx: ctx, from: io.TeeReader(raw, hash), tell: r.out.Progress, tally: tally}
	decoded, err := encoding.NewReader(bytes, r.guessed.Encoding.Name, encoding.Options{
		Tolerate: r.guessed.tolerate,
		Notice:   first.Notice,
		Undouble: r.guessed.Encoding.Doubled,
	})
	if err != nil {
		return Parsed{}, err
	}
	r.doubled = &encoding.Doubled{}
	lost := &encoding.Lost{}
	text := io.TeeReader(decoded, io.MultiWriter(meter, r.doubled, lost))
	var sources map[string]int64
	if r.guessed.Format == format.HTML {
		sources = map[string]int64{}
	}

	baseUsed, contentType := false, r.document.ContentType
	if r.guessed.called != "" {
		contentType = r.guessed.called
	}
	proved, err := format.Parse(ctx, r.guessed.Format, text, format.Options{
		Input:       rdf.Input{Base: r.document.Base, BaseIsFile: r.document.BaseIsFile, BaseUsed: &baseUsed},
		Guessed:     r.guessed.FormatGuessed,
		Contexts:    r.opt.Contexts,
		JSONLD:      r.opt.JSONLD,
		MaxMemory:   r.opt.Memory,
		MaxToken:    r.opt.MaxToken,
		Workers:     r.opt.Workers,
		Temp:        r.opt.Temp,
		ContentType: contentType,
		Name:        r.document.FileName,
		Sources:     sources,
	}, first)
	if err == nil {
		// A reader may stop before the end; hashes and counts are of the whole.
		_, err = io.Copy(io.Discard, text)
	}
	if err != nil {
		return Parsed{Statements: *tally}, fmt.Errorf("%s: %w", r.document.Name, err)
	}
	r.doubled.Close()
	lost.Close()
	for _, n := range slices.Concat(r.doubled.Notices(), lost.Notices(r.doubled.Outside())) {
		first.Notice(n)
	}
	measured := meter.Text()
	for _, n := range r.guessed.Encoding.Proved(measured.NumberOfBytes == measured.NumberOfChars) {
		first.Notice(n)
	}
	tally.Close()
	return Parsed{
		Encoding:   r.guessed.Encoding,
		Format:     proved,
		Statements: *tally,
		Sources:    sources,
		Text:       measured,
		Bytes:      hash.content(),

		BaseUsed: baseUsed, HasBlankNodes: tally.Keyed || r.opt.Clean.KeepBlankNodes,
	}, nil
}

func (r *reading) cleanOptions() clean.Options {
	opt := r.opt.Clean
	opt.HasAnonymous = r.guessed.anonymous()
	if strays := r.guessed.Encoding.Strays; strays != nil {
		opt.ReadStray = strays.Read
	}
	return opt
}

// blamed gives err the kind that rdf.Blame finds, and a code, unless it carries them.
func blamed(err error) error {
	kind := fault.KindOf(err)
	if err == nil || kind == fault.Stopped || kind != fault.Unknown && fault.CodeOf(err) != "" {
		return err
	}
	kind = rdf.Blame(err)
	code := fault.SyntaxUnreadable
	if kind == fault.Local {
		code = fault.LocalDisk
	}
	return &fault.Error{Op: "states.Parse", Kind: kind, Code: code, Err: err}
}
