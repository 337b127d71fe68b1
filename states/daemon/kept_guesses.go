package daemon

import (
	"sync"

	"laundromat/seedlist"
	"laundromat/states"
)

// guesses are kept from the guessing of a seed to its parsing, which comes next, so that
// the document is not looked at twice. They live in memory alone: one that is not there
// any more is made again.
type guesses struct {
	mu   sync.Mutex
	kept map[string]keptGuess // by the hash of the seed
}

// keptGuess is a guess with the bytes that it was made of.
type keptGuess struct {
	guessed states.Guessed
	md5     string
}

// maxGuesses bounds what is kept: seeds that wait to be parsed. One takes some kilobytes at most.
const maxGuesses = 4096

// keep remembers the guess of a seed's document.
func (g *guesses) keep(seed seedlist.Seed, guessed states.Guessed) {
	if seed.Content == nil || seed.Content.MD5 == "" {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.kept == nil {
		g.kept = map[string]keptGuess{}
	}
	for old := range g.kept { // any: who waits longest is not known
		if len(g.kept) < maxGuesses {
			break
		}
		delete(g.kept, old)
	}
	g.kept[seed.Hash] = keptGuess{guessed, seed.Content.MD5}
}

// take returns the guess of a seed's document, if it is there and of the same bytes, and forgets it.
func (g *guesses) take(seed seedlist.Seed) (states.Guessed, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	k, ok := g.kept[seed.Hash]
	delete(g.kept, seed.Hash)
	if !ok || seed.Content == nil || seed.Content.MD5 != k.md5 {
		return states.Guessed{}, false
	}
	return k.guessed, true
}
