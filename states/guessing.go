package states

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"unicode/utf8"

	"laundromat/archive"
	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/rfc3986"
	"laundromat/rdf/format"
	"laundromat/seedlist"
)

// guessPrefix is how much of a document the guess looks at, in bytes. It is more
// than the comments, DTDs and prefix lists that stand before the first statement.
// Where no RDF is found in it, as in a page that begins with its styles and
// scripts, longPrefix is looked at.
const (
	guessPrefix = 256 << 10
	longPrefix  = 8 << 20
)

// prefixes are the buffers for that; nothing of a guess stays in them.
var prefixes = sync.Pool{New: func() any { return new([guessPrefix]byte) }}

// Guessed is what is presumed of a document before it is read, with the evidence.
type Guessed struct {
	Encoding encoding.Choice
	Format   format.Format
	Evidence []format.Evidence
	// FormatGuessed says that nobody gave the format, so that a line reader may hand over.
	FormatGuessed bool
	Notices       []fault.Notice

	notRDF   string // what it is, if it is no RDF
	hints    encoding.Hints
	called   string // the media type that stands for the server's; "" if none does
	tolerate bool   // the text is proved to be UTF-8 with stray bytes
	// handsOver says that the lines are proved to turn into Turtle or TriG.
	handsOver bool
}

// Guess presumes the encoding and the format of a document from its beginning,
// what the server said, and its name. What is no RDF is an error of kind
// fault.Data with code format/not-rdf that names what it is.
func Guess(ctx context.Context, d Document, given Given) (Guessed, error) {
	r, err := d.open(ctx)
	if err != nil {
		return Guessed{}, err
	}
	defer r.Close()
	buffer := prefixes.Get().(*[guessPrefix]byte)
	defer prefixes.Put(buffer)
	prefix := buffer[:]
	n, err := io.ReadFull(r, prefix)
	for err == nil && isZero(prefix) { // the hole of a sparse file: what stands behind it tells
		n, err = io.ReadFull(r, prefix)
	}
	whole := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !whole {
		return Guessed{}, blamed(fmt.Errorf("%s: %w", d.Name, err))
	}
	prefix = prefix[:n]

	contentType := d.ContentType
	if given.ContentType != "" {
		contentType = given.ContentType
	}
	guessed := Guessed{hints: encoding.Hints{ContentType: contentType, Given: given.Encoding}, called: given.ContentType}
	if format.IsXHTML(given.Format) {
		guessed.called = format.XHTML
	}
	guessed.Encoding, guessed.Notices = encoding.Presume(prefix, guessed.hints)

	if given.Format != "" {
		guessed.Format, err = format.Named(given.Format)
		guessed.Evidence = []format.Evidence{{From: "given", Value: given.Format}}
		return guessed, err
	}
	if found := format.GuessBytes(prefix); found.NotRDF != "" {
		guessed.Evidence, guessed.notRDF = found.Evidence, found.NotRDF
		return guessed, found.Err()
	}
	look := func() (format.Guessed, error) {
		text, err := decodePrefix(prefix, guessed.Encoding.Name)
		if err != nil {
			return format.Guessed{}, err
		}
		return format.Guess(text, whole, contentType, d.FileName).Try(ctx, text, whole), nil
	}
	guess, err := look()
	if err == nil && guess.Format == "" && !whole {
		if prefix, whole, err = readPrefix(r, prefix, longPrefix); err != nil {
			return guessed, blamed(fmt.Errorf("%s: %w", d.Name, err))
		}
		guess, err = look()
	}
	if err != nil {
		return guessed, blamed(err)
	}
	guessed.Format, guessed.Evidence, guessed.notRDF = guess.Format, guess.Evidence, guess.NotRDF
	guessed.FormatGuessed = true
	if err := guess.Err(); err != nil {
		if guess.Contradicts(contentType) {
			err = fault.New("states.Guess", fault.Data, fault.FormatNotRDF, "not RDF: %s, sent as %s", guess.NotRDF, contentType)
		}
		return guessed, err
	}
	if guess.Contradicts(contentType) {
		guessed.Notices = append(guessed.Notices, fault.Notice{
			Code: fault.HTTPContentType, Severity: fault.Warning,
			Message: fmt.Sprintf("sent as %s, but it is %s", contentType, guess.Format),
		})
	}
	return guessed, nil
}

// isZero says that there is nothing but zero bytes.
func isZero(b []byte) bool {
	return b[0] == 0 && len(bytes.TrimLeft(b, "\x00")) == 0
}

// readPrefix reads on from r behind prefix until it has size bytes; whole says that
// there are no more.
func readPrefix(r io.Reader, prefix []byte, size int) (_ []byte, whole bool, err error) {
	n := len(prefix)
	prefix = append(prefix, make([]byte, size-n)...)
	more, err := io.ReadFull(r, prefix[n:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		whole, err = true, nil
	}
	return prefix[:n+more], whole, err
}

// decodePrefix is the text of prefix in UTF-8, which may be prefix itself.
func decodePrefix(prefix []byte, name string) ([]byte, error) {
	if name == "utf-8" && utf8.Valid(prefix) && !bytes.HasPrefix(prefix, []byte("\xEF\xBB\xBF")) {
		return prefix, nil
	}
	r, err := encoding.NewReader(bytes.NewReader(prefix), name, encoding.Options{Tolerate: true})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.Grow(len(prefix) + bytes.MinRead)
	_, err = text.ReadFrom(r)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil // the prefix may end inside a character
	}
	return text.Bytes(), err
}

// guessing presumes encoding and format of a seed's document.
func (r *Runner) guessing(ctx context.Context, claim seedlist.Claim) (result, error) {
	document, closer, err := r.document(ctx, claim.Seed, func(fault.Notice) {})
	if err != nil {
		return result{}, err
	}
	defer closer.Close()
	guessed, err := Guess(ctx, document, Given{})
	if err == nil {
		r.guesses.keep(claim.Seed, guessed)
	}
	encodingFound := encodingOf(guessed.Encoding, "")
	evidence := []seedlist.Evidence{}
	for _, e := range guessed.Evidence {
		evidence = append(evidence, evidenceOf(e.From, e.Value, e.Confidence))
	}
	done := result{
		next: seedlist.Guessed,
		update: func(record *seedlist.Record) {
			record.Encoding = encodingFound
			record.Format = string(guessed.Format)
			record.FormatEvidence = evidence
			if err != nil {
				record.Washer = r.opt.Version
			}
		},
	}
	if err != nil {
		done.sourceText = beginning(ctx, document)
	}
	follow, followErr := r.alternates(ctx, claim.Seed, document, &guessed)
	if followErr != nil {
		return done, followErr
	}
	if follow != nil {
		done.named, done.counts = follow.named, map[string]int64{}
		follow.counts(done.counts)
		if n := len(done.named); n > 0 && err != nil {
			err = leadsOn(err, n)
		}
	}
	return done, err
}

// leadsOn is the error of what is no data, and names n documents that may be.
func leadsOn(err error, n int) error {
	documents := "documents"
	if n == 1 {
		documents = "document"
	}
	return &fault.Error{Op: "states.Guess", Kind: fault.KindOf(err), Code: fault.CodeOf(err), Err: fmt.Errorf("%w; it leads to %d %s", err, n, documents)}
}

// encodingOf puts what is known of an encoding into the words of a record.
func encodingOf(choice encoding.Choice, presumed string) *seedlist.Encoding {
	found := &seedlist.Encoding{Presumed: choice.Name, Evidence: []seedlist.Evidence{}}
	if presumed != "" {
		found.Presumed, found.Chosen = presumed, choice.Name
	}
	for _, e := range choice.Evidence {
		found.Evidence = append(found.Evidence, evidenceOf(e.From, e.Value, e.Confidence))
	}
	return found
}

func evidenceOf(from, value string, confidence float64) seedlist.Evidence {
	evidence := seedlist.Evidence{From: from, Value: value}
	if confidence != 0 {
		evidence.Confidence = &confidence
	}
	return evidence
}

// document is the document of a seed whose layers are known. Findings about the
// layers go to notice, once, while the document is read.
func (r *Runner) document(ctx context.Context, seed seedlist.Seed, notice func(fault.Notice)) (Document, io.Closer, error) {
	if b := r.fresh.of(&seed); b != nil && b.leaf != nil {
		base, contentType, err := r.provenance(ctx, seed)
		return Document{
			Name: seed.Hash, Open: b.open, Size: int64(len(b.leaf)),
			ContentType: contentType, FileName: b.name, Base: base, BaseIsFile: fetch.IsFile(base),
		}, closers{}, err
	}
	source, err := r.openDirty(ctx, seed)
	if err != nil {
		return Document{}, nil, err
	}
	limits, _ := r.limitsOf(ctx, seed)
	opened, err := archive.OpenCoded(ctx, source, archive.Said{Name: fileName(seed), Codings: codingsOf(&seed)}, limits, notice)
	if err != nil {
		source.Close()
		return Document{}, nil, err
	}
	base, contentType, err := r.provenance(ctx, seed)
	if err != nil {
		source.Close()
		return Document{}, nil, err
	}
	size := source.Size()
	if len(opened.Filters) > 0 {
		size = -1
	}
	return Document{
		Name: seed.Hash, Open: opened.Reader, Size: size,
		ContentType: contentType, FileName: opened.InnerName(fileName(seed)), Base: base, BaseIsFile: fetch.IsFile(base),
	}, closers{opened, source}, nil
}

type closers []io.Closer

func (all closers) Close() (err error) {
	for _, c := range all {
		err = errors.Join(err, c.Close())
	}
	return err
}

// provenance finds the base IRI of a seed: that of its last reply or, for an entry
// of an archive, the archive's. What a mirror gave is still the seed's. The Content-Type
// is of the seed's own reply.
func (r *Runner) provenance(ctx context.Context, seed seedlist.Seed) (base, contentType string, err error) {
	if reply := lastReply(seed.Record); reply != nil {
		if values := reply.Headers["content-type"]; len(values) > 0 {
			contentType = values[0]
		}
	}
	if contentType == "" && seed.Archive != nil {
		contentType = seed.Archive.ContentType
	}
	for {
		if reply := lastReply(seed.Record); reply != nil && seed.Mirror == "" {
			return reply.URI, contentType, nil
		}
		if seed.Archive != nil && seed.Archive.URI != "" {
			return seed.Archive.URI, contentType, nil
		}
		if seed.Parent == "" {
			return withoutUser(seed.URI), contentType, nil
		}
		if seed, err = r.seeds.Record(ctx, seed.Parent); err != nil {
			return "", "", err
		}
	}
}

// withoutUser is a URI as a base: without user, password and fragment.
func withoutUser(uri string) string {
	uri, _, _ = strings.Cut(uri, "#")
	c := rfc3986.Split([]byte(uri))
	if at := bytes.LastIndexByte(c.Authority, '@'); at >= 0 {
		c.Authority = c.Authority[at+1:]
		return string(c.Append(nil))
	}
	return uri
}

// fileName is the name of a seed's file for the sake of the extension.
func fileName(seed seedlist.Seed) string {
	if seed.Archive != nil && seed.Parent != "" {
		if seed.Archive.URI != "" {
			return nameIn(seed.Archive.URI)
		}
		return seed.Archive.Name()
	}
	uri := seed.URI
	if reply := lastReply(seed.Record); reply != nil {
		uri = reply.URI
	}
	return nameIn(uri)
}

// nameIn is the last part of the path of a URI.
func nameIn(uri string) string {
	if i := strings.IndexAny(uri, "?#"); i >= 0 {
		uri = uri[:i]
	}
	return path.Base(uri)
}

// beginning is the first 1,000 characters of a document's bytes, for the log of a failure.
func beginning(ctx context.Context, d Document) string {
	r, err := d.open(ctx)
	if err != nil {
		return ""
	}
	defer r.Close()
	head := make([]byte, excerptBytes)
	n, _ := io.ReadFull(r, head)
	return excerpt(head[:n])
}

// excerptBytes hold 1,000 characters of UTF-8.
const excerptBytes = 4000

// excerpt is the first 1,000 characters of what head begins.
func excerpt(head []byte) string {
	text := []rune(strings.ToValidUTF8(string(head), "\uFFFD"))
	return string(text[:min(len(text), 1000)])
}
