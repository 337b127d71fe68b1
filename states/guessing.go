package states

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"unicode/utf8"

	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/rdf/format"
	"laundromat/states/kind"
)

// GuessPrefix is how much of a document the guess looks at, in bytes. It is more than the comments,
// DTDs and prefix lists that come before the first statement. Where no RDF is found in it, as in a
// page that begins with its styles and scripts, longPrefix is looked at.
const (
	GuessPrefix = 256 << 10
	longPrefix  = 8 << 20
)

// prefixes are the buffers for that; nothing of a guess stays in them.
var prefixes = sync.Pool{New: func() any { return new([GuessPrefix]byte) }}

// Guessed is what is presumed of a document before it is read, with the evidence.
type Guessed struct {
	Encoding encoding.Choice
	Format   format.Format
	Evidence []format.Evidence
	// FormatGuessed says that nobody gave the format, so that a line reader may hand over.
	FormatGuessed bool
	Notices       []fault.Notice
	NotRDF        string // what the document is, if it is no RDF
	// Kind is what the document is, RDF or not; "" where Encoding alone was asked for.
	Kind kind.Kind
	// IsBytes says that its first bytes show that it is no text, or none that people read.
	IsBytes bool

	hints    encoding.Hints
	called   string // the media type in the place of the server's; "" if none does
	tolerate bool   // the text is proved to be UTF-8 with stray bytes
	// handsOver says that the lines are proved to turn into Turtle or TriG.
	handsOver bool
}

// Guess presumes the encoding and the format of a document from its beginning,
// what the server said, and its name. What is no RDF is an error of kind
// fault.Data with code format/not-rdf that names what it is.
func Guess(ctx context.Context, d Document, given Given) (Guessed, error) {
	r, err := d.Bytes(ctx)
	if err != nil {
		return Guessed{}, err
	}
	defer r.Close()
	buffer := prefixes.Get().(*[GuessPrefix]byte)
	defer prefixes.Put(buffer)
	prefix := buffer[:]
	n, err := io.ReadFull(r, prefix)
	for err == nil && isZero(prefix) { // the hole of a sparse file: what is after it says more
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
		guessed.Evidence = []format.Evidence{{From: "given", Value: given.Format}}
		if is, ok := kind.Named(given.Format); ok && is.Form(kind.Statements) == kind.Not {
			guessed.Kind, guessed.NotRDF = is, string(is)
			return guessed, nil
		}
		guessed.Format, err = format.Named(given.Format)
		guessed.Kind = kind.Kind(guessed.Format)
		return guessed, err
	}
	if found := format.GuessBytes(prefix); found.NotRDF != "" {
		guessed.Evidence, guessed.NotRDF, guessed.IsBytes = found.Evidence, found.NotRDF, true
		guessed.Kind = kind.OfBytes(found, prefix, contentType, d.FileName)
		return guessed, found.Err()
	}
	var text []byte
	look := func() (_ format.Guessed, err error) {
		text, err = decodePrefix(prefix, guessed.Encoding.Name)
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
	guessed.Format, guessed.Evidence, guessed.NotRDF = guess.Format, guess.Evidence, guess.NotRDF
	if kind.Kind(guess.NotRDF).BeginsAsText() {
		guessed.IsBytes = true
	}
	guessed.FormatGuessed = true
	guessed.Kind = kind.Of(kind.Look{Found: guess, Text: text, MediaType: contentType, FileName: d.FileName})
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

// WithHint adds words about who reads the document to the error of a guess that it is no RDF.
func (g *Guessed) WithHint(err error, words string) error {
	if words == "" || fault.CodeOf(err) != fault.FormatNotRDF {
		return err
	}
	return &fault.Error{Op: "states.Guess", Kind: fault.KindOf(err), Code: fault.FormatNotRDF, Err: fmt.Errorf("%w; %s", err, words)}
}

// isZero says that there is nothing but zero bytes.
func isZero(b []byte) bool {
	return b[0] == 0 && len(bytes.TrimLeft(b, "\x00")) == 0
}

// readPrefix reads on from r after prefix until it has size bytes; whole says that
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

// headOf reads the first GuessPrefix bytes, or all; whole says that there are no more. Most documents are much shorter.
func headOf(r io.Reader) (head []byte, whole bool, err error) {
	buffer := prefixes.Get().(*[GuessPrefix]byte)
	defer prefixes.Put(buffer)
	n, err := io.ReadFull(r, buffer[:])
	if whole = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF); whole {
		err = nil
	}
	return bytes.Clone(buffer[:n]), whole, err
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

// FileNameIn is the last segment of the path of a URI, for the sake of its ending. What a host ends in
// (http://example.org) says nothing of a format, and neither does a name that is no path (dns:example.org).
func FileNameIn(uri string) string {
	c := rfc3986.Split([]byte(uri))
	slash := bytes.LastIndexByte(c.Path, '/')
	if slash < 0 && c.HasScheme {
		return ""
	}
	return string(c.Path[slash+1:])
}
