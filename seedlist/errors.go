package seedlist

import "errors"

var (
	// ErrHeld says that people hold the stage that would be next.
	ErrHeld = errors.New("people hold this stage")
	// ErrLost refuses what is done with a claim that is no longer held. Its lease ran out
	// and it was given back, or its seed was removed.
	ErrLost = errors.New("the claim is no longer held")
	// ErrNotFound says that no seed has this hash or URI.
	ErrNotFound = errors.New("not in the seed list")
	// ErrReadOnly refuses writes to a store that was opened to be read.
	ErrReadOnly = errors.New("the seed list was opened to be read only")
	// ErrClosed says that the store was closed.
	ErrClosed = errors.New("the seed list is closed")
	// ErrNoStore says that there is nothing to read: no store was made here yet.
	ErrNoStore = errors.New("there is no seed list here")
)

// ErrCollision says that a clean file has the hash of another whose bytes differ.
var ErrCollision = errors.New("another clean file has the same MD5 and other bytes")

// ErrDerived refuses to remove what goes with another seed: children go with
// their archive, clean files with the last dirty seed that names them.
var ErrDerived = errors.New("the seed belongs to another: remove that")

// What [Editor.Retry] answers for a seed that it can't move now.
var (
	ErrNotAtRest = errors.New("not at rest: the seed, its archive or its entries are still being worked on")
	ErrNotFailed = errors.New("the seed did not fail in that stage")
	ErrNoURI     = errors.New("the seed has no URI of its own to begin again with")
)

// ErrCursor says that a [Filter] holds a cursor that no List returned.
var ErrCursor = errors.New("that isn't a cursor: take the one that the page before gave")
