package states

import (
	"crypto/md5"
	"encoding/hex"
	"hash"
	"io"
	"sync"

	"laundromat/internal/digest"
)

// Hashes says what the hashes of a document's bytes are for.
type Hashes uint8

const (
	// ForNothing takes none. It is the zero value, so that only those hash who say why: the daemon
	// has the hashes from the download.
	ForNothing Hashes = iota
	// ForKey takes the MD5 alone, which is the KEY of blank nodes, and only as long as there may be
	// some. It is given up where a long document has shown none.
	ForKey
	// ForRecord takes all that a record or a report holds.
	ForRecord
)

// hashing is an io.Writer that hashes what is read, on another goroutine once there is much of it.
// It must be ended, with end, before its Content is asked for. Its goroutine waits for nothing but
// the next bytes, so that writing never hangs.
type hashing struct {
	what   Hashes
	needed func() bool // asked ForKey, when much was hashed
	full   chan []byte // to the goroutine; nil while there is none
	free   chan []byte
	done   sync.WaitGroup

	n      int64
	all    *digest.Hasher // ForRecord
	single hash.Hash      // ForKey; nil when it was given up
}

const (
	hashedHere   = 64 << 10 // bytes that are not worth a goroutine
	hashedInVain = 8 << 20  // bytes without a blank node after which there is hardly one
	hashBlock    = 64 << 10
	hashBuffers  = 4
	hashingBytes = hashBlock * hashBuffers
)

// newHashing makes the hashes that are wanted; needed says, ForKey, that a blank node
// was seen.
func newHashing(what Hashes, needed func() bool) *hashing {
	h := &hashing{what: what, needed: needed}
	switch what {
	case ForRecord:
		h.all = digest.NewHasher()
	case ForKey:
		h.single = md5.New()
	}
	return h
}

func (h *hashing) Write(p []byte) (int, error) {
	h.n += int64(len(p))
	to := h.to()
	if to == nil {
		return len(p), nil
	}
	if h.what == ForKey && h.n > hashedInVain && h.n-int64(len(p)) <= hashedInVain && !h.needed() {
		h.end()
		h.single = nil
		return len(p), nil
	}
	if h.full == nil {
		if h.n <= hashedHere {
			return to.Write(p)
		}
		h.start(to)
	}
	for rest := p; len(rest) > 0; {
		block := <-h.free
		n := copy(block[:hashBlock], rest)
		h.full <- block[:n] // has room for all buffers
		rest = rest[n:]
	}
	return len(p), nil
}

// to is what hashes, or nil.
func (h *hashing) to() io.Writer {
	switch {
	case h.all != nil:
		return h.all
	case h.single != nil:
		return h.single
	}
	return nil
}

func (h *hashing) start(to io.Writer) {
	h.full, h.free = make(chan []byte, hashBuffers), make(chan []byte, hashBuffers)
	buffers := make([]byte, hashingBytes)
	for i := range hashBuffers {
		h.free <- buffers[i*hashBlock : (i+1)*hashBlock]
	}
	full, free := h.full, h.free
	h.done.Go(func() {
		for block := range full {
			to.Write(block)
			free <- block
		}
	})
}

// end ends the goroutine when all is hashed; it may be called again.
func (h *hashing) end() {
	if h.full != nil {
		close(h.full)
		h.done.Wait()
		h.full = nil
	}
}

// content returns the length of all that was written, and the hashes that were taken.
func (h *hashing) content() digest.Content {
	h.end()
	switch {
	case h.all != nil:
		return h.all.Content()
	case h.single != nil:
		return digest.Content{MD5: hex.EncodeToString(h.single.Sum(nil)), NumberOfBytes: h.n}
	}
	return digest.Content{NumberOfBytes: h.n}
}
