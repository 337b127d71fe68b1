package daemon

import (
	"fmt"
	"testing"

	"laundromat/internal/digest"
	"laundromat/rdf/format"
	"laundromat/seedlist"
	"laundromat/states"
)

func seedOf(hash, md5 string) seedlist.Seed {
	var s seedlist.Seed
	s.Hash = hash
	if md5 != "" {
		s.Content = &digest.Content{MD5: md5}
	}
	return s
}

// A guess serves the parsing of the same bytes, once.
func TestGuessIsKeptForTheSameBytesAlone(t *testing.T) {
	var g guesses
	turtle := states.Guessed{Format: format.Turtle}
	if _, ok := g.take(seedOf("a", "1")); ok {
		t.Error("a guess that nobody made")
	}
	g.keep(seedOf("a", "1"), turtle)
	if got, ok := g.take(seedOf("a", "1")); !ok || got.Format != format.Turtle {
		t.Errorf("%+v, %v", got, ok)
	}
	if _, ok := g.take(seedOf("a", "1")); ok {
		t.Error("a guess was given twice")
	}
	g.keep(seedOf("a", "1"), turtle)
	if _, ok := g.take(seedOf("a", "2")); ok {
		t.Error("a guess was given for other bytes")
	}
	g.keep(seedOf("a", ""), turtle)
	if _, ok := g.take(seedOf("a", "")); ok {
		t.Error("a guess was given for bytes that nobody knows")
	}
	for i := range maxGuesses + 10 {
		g.keep(seedOf(fmt.Sprint(i), "1"), turtle)
	}
	if len(g.kept) != maxGuesses {
		t.Errorf("%d are kept", len(g.kept))
	}
}
