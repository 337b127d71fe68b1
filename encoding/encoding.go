// Package encoding takes the bytes of a document and gives UTF-8, with the
// evidence for the encoding that was chosen.
//
// RDF is nearly always UTF-8, so UTF-8 is presumed, and proved while the document is
// parsed. A document is read again only where its own bytes refute that. The way is
//
//  1. [Presume] looks at the first bytes and at what was declared. It presumes another
//     encoding only for a byte order mark, the pattern of zero bytes or an escape sequence.
//     The declaration of an encoding that has only bytes below 0x80 counts too. A declared
//     8-bit encoding is kept as evidence.
//  2. [NewReader] reads as presumed. At the first byte that is not UTF-8 it stops
//     with a [Refuted] error. What was read by then is thrown away.
//  3. [Decide] reads all the raw bytes once more, in bounded memory, and chooses. The
//     result is UTF-8 with stray bytes, the declared encoding, or the one that makes the
//     most likely words of the bytes.
//  4. A second NewReader, with that choice, cannot be refuted.
//
// An example:
//
//	choice, notices := encoding.Presume(prefix, hints)
//	text, err := encoding.NewReader(raw, choice.Name, encoding.Options{})
//	… parse text; if errors.Is(err, encoding.ErrRefuted):
//	choice, tolerate, notices, err := encoding.Decide(ctx, rawAgain, choice, hints)
//	text, err = encoding.NewReader(rawThirdTime, choice.Name, encoding.Options{Tolerate: tolerate})
package encoding

import "laundromat/internal/fault"

// Choice is an encoding and why it was chosen.
type Choice struct {
	// Name is the lower-case IANA name: utf-8, windows-1252, utf-16le, …
	Name     string
	Evidence []Evidence
	// Strays judges the texts of a document that is UTF-8 with other bytes in it; nil for others.
	Strays *Strays
	// Doubled is how often the text must be read back. Each time, UTF-8 was read in another
	// encoding and written as UTF-8 again. See [Doubled].
	Doubled int
}

// Evidence is one thing that speaks for an encoding.
type Evidence struct {
	// From says where it was found: bom, xml, html, css, http, given, guess (the likelihood
	// of the words), bytes (their patterns) or double-encoded. For double-encoded, Value is
	// the encoding in which the text, which was UTF-8, was read by mistake. Its Confidence
	// is the share of such characters.
	From string `json:"from"`
	// Value is the encoding it speaks for; a declared name is kept as declared.
	Value string `json:"value"`
	// Confidence, above 0 and up to 1, is only set where it is less than plain.
	Confidence float64 `json:"confidence,omitempty"`
}

// Hints are what is known from outside the document.
type Hints struct {
	// ContentType is the Content-Type header the document came with; its charset
	// parameter is weak evidence.
	ContentType string
	// Given is the encoding that the user names. It wins over everything else, and
	// is never refuted.
	Given string
}

// declarations are the pieces of evidence that are somebody's word.
func (c *Choice) declarations() (found []Evidence) {
	for _, e := range c.Evidence {
		switch e.From {
		case "xml", "html", "css", "http":
			found = append(found, e)
		}
	}
	return found
}

func (c *Choice) add(from, value string, confidence float64) {
	c.Evidence = append(c.Evidence, Evidence{from, value, confidence})
}

func warning(code fault.Code, message string) fault.Notice {
	return fault.Notice{Code: code, Severity: fault.Warning, Message: message}
}
