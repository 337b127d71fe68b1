package encoding

import (
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
)

// ErrRefuted is what a [Refuted] error is, in the sense of errors.Is.
var ErrRefuted = errors.New("the bytes are not UTF-8")

// Refuted ends the reading of a document that was presumed to be UTF-8. It is no
// fault of the document: [Decide] finds its encoding.
type Refuted struct {
	Offset int64 // of the first byte of the sequence that is not UTF-8, in the raw bytes
	Byte   byte  // that byte
}

// Error names the byte and its offset.
func (e *Refuted) Error() string {
	return fmt.Sprintf("%v: byte 0x%02X at offset %d", ErrRefuted, e.Byte, e.Offset)
}

// Is makes errors.Is(err, ErrRefuted) true.
func (e *Refuted) Is(target error) bool { return target == ErrRefuted }

// Options of a [Reader]; the zero value is a strict first reading.
type Options struct {
	// Tolerate lets bytes that are not UTF-8 pass on as they are; they are counted.
	// It has no effect on other encodings.
	Tolerate bool
	// Notice takes a warning for each piece of the document that stands for no
	// character. Nil: they are only counted. It is called within Read, before Read
	// returns the text in question.
	Notice func(fault.Notice)
	// Undouble is how often the text is read back, as Choice.Doubled.
	Undouble int
}

// Reader decodes a document to UTF-8 as it is read, and removes a byte order mark
// at its beginning. It starts no goroutine, and need not be closed. It holds less
// than 200 kB.
type Reader struct {
	name     string
	proved   *prover   // one of the two
	decoding *decoding // is nil
	text     io.Reader // what is read of: one of the two, or what reads it back
}

// NewReader returns a Reader of what r gives in the encoding of that name (any
// that IANA or the browsers know). A name that is not known, or can't be read, is
// an error of kind Data with the code encoding/unsupported. Nothing is read as
// "replacement", as browsers do with what they refuse.
//
// UTF-8 passes through unchanged. Where it is not well-formed (RFC 3629), Read
// returns all that came before, and then a *Refuted; with Options.Tolerate the
// stray bytes pass on too.
//
// Any other error of Read is that of r, as it is.
func NewReader(r io.Reader, name string, opt Options) (*Reader, error) {
	c, ok := lookup(name)
	switch {
	case !ok:
		return nil, fault.New("encoding.NewReader", fault.Data, fault.EncodingUnsupported, "the encoding %q can't be read", name)
	case c.name == "utf-8":
		p := &prover{src: r, tolerate: opt.Tolerate}
		return (&Reader{name: c.name, proved: p, text: p}).undoubled(opt.Undouble), nil
	default:
		d := newDecoding(r, c, opt.Notice)
		return (&Reader{name: c.name, decoding: d, text: d}).undoubled(opt.Undouble), nil
	}
}

func (r *Reader) undoubled(times int) *Reader {
	for range times {
		r.text = newUndoubler(r.text)
	}
	return r
}

// Read gives the next bytes of the text in UTF-8. Its errors are those of the source, and *[Refuted] where the
// bytes are not UTF-8 and that is not tolerated.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return r.text.Read(p)
}

// Name is the encoding that is read, by its lower-case IANA name.
func (r *Reader) Name() string { return r.name }

// Stray is the number of bytes so far that are not UTF-8 and were passed on; only
// with Options.Tolerate.
func (r *Reader) Stray() int64 {
	if r.proved == nil {
		return 0
	}
	return r.proved.stray
}

// Bad is the number of places so far where an encoding other than UTF-8 had bytes
// that stand for no character.
func (r *Reader) Bad() int64 {
	if r.decoding == nil {
		return 0
	}
	return r.decoding.bad
}
