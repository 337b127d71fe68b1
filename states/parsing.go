package states

import (
	"context"
	"errors"
	"fmt"
	"io"

	"laundromat/encoding"
	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/clean"
	"laundromat/rdf/format"
	"laundromat/states/kind"
)

// Output takes what Parse makes of one document.
type Output struct {
	// Begin starts a reading of the document, and gives the sinks of its lines and its findings,
	// which are called from the goroutine of Parse. It is called again where a reading refuted what
	// was presumed of the document. All that came of the reading before is void then.
	Begin func() (lines clean.Lines, notice func(fault.Notice), err error)
	// Progress is given, now and then, how many bytes of the document are read, and
	// how many statements; nil if nobody asks.
	Progress func(bytes, statements int64)
}

// Reading is what one reading of a document proved. Its Format is "" for an empty document, if
// nothing says what it is.
type Reading struct {
	format.Reading
	Encoding   encoding.Choice
	Statements clean.Tally
	Text       digest.Text
	// HasBlankNodes says that lines hold blank nodes, or IRIs made of them. Without them, and without
	// BaseUsed, the same bytes give the same under any URI.
	HasBlankNodes bool
	// Bytes is what the document was after its filters, without the counts of text. Hashes that were
	// not asked for are left out, and so, ForKey, are those that were not needed.
	Bytes digest.Content

	proved Guessed
}

// Proved is what was presumed of the document, as this reading left it. Another reading need not prove it again.
func (r *Reading) Proved() Guessed { return r.proved }

// Parse reads a document in the encoding and format presumed, cleans it, and
// proves the encoding on the way. An error has a kind that says whose trouble it
// is; findings in the data never are one. With an error, Reading holds the
// statements that had come until then.
func Parse(ctx context.Context, d Document, presumed Guessed, opt ParseOptions, out Output) (Reading, error) {
	pass := pass{document: d, guessed: presumed, opt: opt, out: out}
	for {
		reading, err := pass.read(ctx)
		again, failed := pass.presumeAnew(ctx, reading, err)
		switch {
		case failed != nil:
			return Reading{}, blamed(failed)
		case !again:
			reading.proved = pass.guessed
			return reading, blamed(err)
		}
	}
}

// presumptions are what a reading may refute of what was presumed of the document. Each puts
// right what was presumed, and says whether the document must be read again for that.
var presumptions = [...]func(*pass, context.Context, Reading, error) (again bool, failed error){
	(*pass).refutedEncoding, (*pass).foundDoubled, (*pass).foundAnonymous,
}

// presumeAnew puts right the first presumption that the last reading refuted; again says that there
// was one. err is how that reading ended.
func (p *pass) presumeAnew(ctx context.Context, last Reading, err error) (again bool, failed error) {
	for _, refuted := range presumptions {
		if again, failed = refuted(p, ctx, last, err); again || failed != nil {
			return again, failed
		}
	}
	return false, nil
}

// refutedEncoding decides the encoding, once, if the bytes refuted it.
func (p *pass) refutedEncoding(ctx context.Context, _ Reading, err error) (again bool, failed error) {
	if p.isDecided || !errors.Is(err, encoding.ErrRefuted) {
		return false, nil
	}
	p.isDecided = true
	p.guessed, failed = decide(ctx, p.document, p.guessed)
	return true, failed
}

// foundDoubled has a text read back that was encoded twice, where that is asked for.
func (p *pass) foundDoubled(_ context.Context, _ Reading, err error) (again bool, _ error) {
	if err != nil || !p.opt.Clean.FixMojibake || !p.doubled.Whole() || p.guessed.Encoding.Doubled >= maxDoubled {
		return false, nil
	}
	p.guessed = p.guessed.undoubled(p.doubled)
	return true, nil
}

// foundAnonymous is for lines that turned out to be Turtle. Labels that are kept must make room for
// those of the nodes without one, from the first line on.
func (p *pass) foundAnonymous(_ context.Context, last Reading, err error) (again bool, _ error) {
	if err != nil || !p.opt.Clean.KeepBlankNodes || !hasAnonymous(last.Format) || p.guessed.anonymous() {
		return false, nil
	}
	p.guessed.handsOver = true
	return true, nil
}

// maxDoubled is how often a document is read back at most.
const maxDoubled = 3

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

// pass is the readings of one document, one after the other.
type pass struct {
	document Document
	guessed  Guessed
	opt      ParseOptions
	out      Output

	isDecided bool              // the encoding was decided by all of the bytes
	doubled   *encoding.Doubled // what the last reading found
}

func (p *pass) read(ctx context.Context) (Reading, error) {
	held := p.opt.Held
	held.Reset()
	raw, err := p.document.Bytes(ctx)
	if err != nil {
		return Reading{}, err
	}
	defer raw.Close()

	line, notice, err := p.out.Begin()
	if err != nil {
		return Reading{}, &rdf.SinkError{Err: err}
	}
	first, tally := clean.Chain(p.cleanOptions(), line, notice)
	for _, n := range p.guessed.Notices {
		first.Notice(n)
	}

	hash := newHashing(p.opt.Hashes, func() bool { return tally.Keyed })
	defer hash.end()
	bytes := &watched{ctx: ctx, from: io.TeeReader(raw, hash), tell: p.out.Progress, tally: tally}
	decoding, err := p.guessed.decode(bytes, first.Notice)
	if err != nil {
		return Reading{}, err
	}
	p.doubled = decoding.doubled
	text := decoding.text
	if held != nil && p.guessed.Kind == kind.RSS10 {
		text = io.TeeReader(text, &held.text)
	}
	contentType := p.document.ContentType
	if p.guessed.called != "" {
		contentType = p.guessed.called
	}
	proved, err := format.Parse(ctx, p.guessed.Format, text, format.Options{
		Settings:    p.opt.Settings.Settings,
		Input:       rdf.Input{Base: p.document.Base, BaseIsFile: p.document.BaseIsFile, Edits: p.opt.Edits},
		Guessed:     p.guessed.FormatGuessed,
		ContentType: contentType,
		Name:        p.document.FileName,
		Shared:      held.shared(),
	}, first)
	if err == nil {
		// A reader may stop before the end; hashes and counts are of the whole.
		_, err = io.Copy(io.Discard, text)
	}
	if err != nil {
		return Reading{Statements: *tally}, fmt.Errorf("%s: %w", p.document.Name, err)
	}
	measured := decoding.finish(&p.guessed, first.Notice, false)
	tally.Close()
	held.finish()
	return Reading{
		Reading:       proved,
		Encoding:      p.guessed.Encoding,
		Statements:    *tally,
		Text:          measured,
		HasBlankNodes: tally.Keyed || p.opt.Clean.KeepBlankNodes,
		Bytes:         hash.content(),
		proved:        p.guessed,
	}, nil
}

// cleanOptions are those of the run, with what is known of the document.
func (p *pass) cleanOptions() clean.Options {
	opt := p.opt.Clean
	opt.HasAnonymous = p.guessed.anonymous()
	if strays := p.guessed.Encoding.Strays; strays != nil {
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
