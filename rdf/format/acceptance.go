package format

import (
	"bytes"
	"context"
	"errors"
	"io"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/rdf"
)

// The law of acceptance: a header or a name may say one of the formats below. A text that the grammar
// of this format accepts is then of this format, whatever else it looks like. Where neither says
// anything, so is a text that the grammar of Turtle or TriG accepts and that states something.
//
// What a text looks like decides first, since that costs less, and only then is it read.

// accepted is the verdict of the law on a text that v would refuse, or take for something else than it
// is called. It is v where the law says nothing. says are the formats of header and name, hint the one
// that counts more.
func (v verdict) accepted(text []byte, whole bool, hint Format, says ...Format) verdict {
	if v.empty {
		return v
	}
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF"))
	for _, f := range says {
		if v.allows(f) {
			if r := accepts(f, text, whole, !whole); r.accepted {
				return verdict{format: r.proved, certain: sureOfGrammar}
			}
		}
	}
	switch hint {
	case HTML, RDFa: // <p> <b> <i> . is a page to a browser
		return v
	}
	if v.format != "" {
		return v
	}
	if !mayState(text) {
		return v
	}
	r := accepts(Turtle, text, whole, true)
	if !r.accepted && bytes.IndexByte(text[:min(len(text), int(r.at)+1)], '{') >= 0 {
		r = accepts(TriG, text, whole, true) // a graph that begins the text may not prove Turtle to be TriG
	}
	if r.accepted {
		return verdict{format: r.proved, certain: sureOfTerms}
	}
	return v
}

// statingWords are what a statement or a directive may begin with that is a word without a colon.
var statingWords = pattern.New(`\A(?i:prefix|base|version|graph|true|false|a\b)`)

// mayState says that a text may begin with a statement of Turtle or TriG, as far as its first word shows. One that
// begins with a letter has a colon in it, or is a keyword. In a table, or in prose, the first word is neither, and a
// reader who looks for ways to mend it need not be asked.
func mayState(text []byte) bool {
	for {
		text = bytes.TrimLeft(text, " \t\r\n")
		if len(text) == 0 || text[0] != '#' {
			break
		}
		end := bytes.IndexByte(text, '\n')
		if end < 0 {
			return true
		}
		text = text[end:]
	}
	if len(text) == 0 || text[0]|0x20 < 'a' || text[0]|0x20 > 'z' {
		return true
	}
	word := text
	if end := bytes.IndexAny(text, " \t\r\n"); end >= 0 {
		word = text[:end]
	}
	return bytes.IndexByte(word, ':') >= 0 || statingWords.Match(word)
}

// How sure a text that a grammar accepts makes of its format, and one that nothing says to be of the format.
const (
	sureOfGrammar = 0.9
	sureOfTerms   = 0.7
)

// allows says that a text on which v is the verdict may be of the format f, by which it is called, instead.
func (v verdict) allows(f Format) bool {
	switch f {
	case NTriples, NQuads, Turtle, TriG:
		return v.format == "" || !includes(f, v.format)
	case RDFXML:
		return v.format == ""
	}
	return false
}

// acceptedBytes is how much of a text is read to see whether a grammar accepts it.
const acceptedBytes = 256 << 10

// accepts reads the text in f. It is accepted without a repair or a loss; if it is not whole, all
// of it up to where it is cut. With stating, something must be stated as well.
func accepts(f Format, text []byte, whole, stating bool) strictReading {
	if len(text) > acceptedBytes {
		text, whole = text[:acceptedBytes], false
	}
	// A fault near the beginning, as most texts have that are none of the format, is found in a few of the bytes.
	for size := 2 << 10; ; size *= 8 {
		part, isAll := text[:min(size, len(text))], size >= len(text)
		var r strictReading
		r.read(f, part, isAll && whole)
		switch {
		case r.faulty && (isAll && whole || int(r.at) < len(part)-len(part)/maybeCut):
			return r
		case isAll:
			r.accepted = r.stated || !stating
			return r
		}
	}
}

// maybeCut is the part of a text, at its end, in which a fault may only be that it is cut. Readers
// look ahead, and find no end of what is open.
const maybeCut = 4

// strictReading is a reading that ends at the first fault. It is its own sink and source.
type strictReading struct {
	text   []byte
	end    error  // what the source says at the end of text
	proved Format // TriG where what is called Turtle has graphs
	faulty bool
	at     int64 // where the first fault is
	stated bool

	accepted bool
}

// errCut ends what is read of a text that goes on.
var errCut = errors.New("the text is cut here")

func (s *strictReading) read(f Format, text []byte, whole bool) {
	s.text, s.end = text, errCut
	if whole {
		s.end = io.EOF
	}
	reading, err := Parse(context.Background(), f, s, Options{
		Settings: Settings{MaxToken: acceptedBytes, MaxMemory: 64 << 20}, Input: rdf.Input{Base: "http://trial.invalid/"},
		Guessed: f == Turtle,
	}, s)
	s.proved = reading.Format
	if err != nil && !errors.Is(err, errCut) {
		s.fault(0)
	}
}

// Read hands out the text, unless a fault was found: nothing after it matters.
func (s *strictReading) Read(to []byte) (n int, err error) {
	if s.faulty {
		return 0, errCut
	}
	n = copy(to, s.text)
	s.text = s.text[n:]
	if n < len(to) {
		err = s.end
	}
	return n, err
}

func (s *strictReading) Quad(q *rdf.Quad) error {
	s.stated = true
	if q.Repaired {
		s.fault(q.Subject.Pos.Offset)
	}
	if s.faulty {
		return errCut
	}
	return nil
}

func (s *strictReading) Notice(n fault.Notice) {
	if n.Severity == fault.Repair || n.Severity == fault.Drop {
		s.fault(n.Offset)
	}
}

func (s *strictReading) fault(at int64) {
	if !s.faulty {
		s.faulty, s.at = true, at
	}
}
