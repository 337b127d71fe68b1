package format

import (
	"bytes"
	"context"
	"fmt"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// doubtful is the confidence in the content below which the beginning is read before the guess is
// believed. Above it, no document of the conformance suites was misread.
const doubtful = 0.9

// trialBytes is how much of a text is read on trial.
const trialBytes = 64 << 10

// Try reads the beginning of the text on trial, if what it seems to be is in doubt. Where hardly
// anything can be read in that format, it reads the next ones that the text may be in. It takes one in
// which it can, and the evidence says so. text and whole are those that the guess was made of.
func (g Guessed) Try(ctx context.Context, text []byte, whole bool) Guessed {
	if g.Format == "" || g.Empty || len(g.Evidence) == 0 || g.Evidence[0].Confidence >= doubtful {
		return g
	}
	if len(text) > trialBytes {
		text, whole = text[:trialBytes], false
	}
	if !whole { // a line that is cut says nothing
		if end := bytes.LastIndexByte(text, '\n'); end > 0 {
			text = text[:end+1]
		}
	}
	first := attempt(ctx, g.Format, text)
	if first.read > first.bad() || first.bad() == 0 {
		return g
	}
	for _, next := range nextFormats(g.Format, text) {
		if a := attempt(ctx, next, text); a.read > first.read && a.read > 2*a.bad() {
			g.Evidence = append(g.Evidence[:len(g.Evidence):len(g.Evidence)],
				Evidence{From: "trial", Confidence: round(float64(a.read) / float64(a.read+a.bad())),
					Value: fmt.Sprintf("%s: of the beginning %d statements are sound and %d mended or lost, as %s %d and %d", next, a.read,
						a.bad(), g.Format, first.read, first.bad())})
			g.Format, g.Confidence = next, g.Evidence[len(g.Evidence)-1].Confidence
			return g
		}
	}
	return g
}

// nextFormats are those that a text may be in which is not in f.
func nextFormats(f Format, text []byte) (all []Format) {
	candidates := []Format{Turtle, TriG, NQuads}
	switch start := bytes.TrimLeft(text, " \t\r\n"); {
	case bytes.HasPrefix(start, []byte("<")):
		candidates = []Format{RDFXML, TriX, RDFa, Turtle, TriG, NQuads}
	case bytes.HasPrefix(start, []byte("{")), bytes.HasPrefix(start, []byte("[")):
		candidates = []Format{RDFJSON, JSONLD, Turtle, TriG}
	}
	for _, c := range candidates {
		if c != f {
			all = append(all, c)
		}
	}
	return all
}

// attempted is what came of a trial: statements that are sound, mended and lost.
type attempted struct{ read, mended, lost int }

func (a *attempted) bad() int { return a.mended + a.lost }

func attempt(ctx context.Context, f Format, text []byte) (a attempted) {
	_, err := Parse(ctx, f, bytes.NewReader(text), Options{
		Settings: Settings{MaxToken: trialBytes, MaxMemory: 64 << 20}, Input: rdf.Input{Base: "http://trial.invalid/"}, Guessed: true,
	}, &a)
	if err != nil {
		a.lost++
	}
	return a
}

func (a *attempted) Quad(q *rdf.Quad) error {
	if q.Repaired {
		a.mended++
	} else {
		a.read++
	}
	return nil
}

func (a *attempted) Notice(n fault.Notice) { a.lost += n.Lost }
