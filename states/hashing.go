package states

import (
	"sync"

	"laundromat/internal/content"
)

// hashing is an io.Writer that hashes what is read, beside the reading once there
// is much of it. It must be ended, with end, before its Content is asked for; its
// goroutine waits for nothing but the next bytes, so that writing never hangs.
type hashing struct {
	hasher *content.Hasher
	n      int64
	full   chan []byte // to the goroutine; nil while there is none
	free   chan []byte
	done   sync.WaitGroup
}

const (
	hashedHere   = 64 << 10 // bytes that are not worth a goroutine
	hashBlock    = 64 << 10
	hashBuffers  = 4
	hashingBytes = hashBlock * hashBuffers
)

func newHashing() *hashing { return &hashing{hasher: content.NewHasher()} }

func (h *hashing) Write(p []byte) (int, error) {
	h.n += int64(len(p))
	if h.full == nil {
		if h.n <= hashedHere {
			return h.hasher.Write(p)
		}
		h.start()
	}
	for rest := p; len(rest) > 0; {
		block := <-h.free
		n := copy(block[:hashBlock], rest)
		h.full <- block[:n] // has room for all buffers
		rest = rest[n:]
	}
	return len(p), nil
}

func (h *hashing) start() {
	h.full, h.free = make(chan []byte, hashBuffers), make(chan []byte, hashBuffers)
	buffers := make([]byte, hashingBytes)
	for i := range hashBuffers {
		h.free <- buffers[i*hashBlock : (i+1)*hashBlock]
	}
	full, free := h.full, h.free
	h.done.Go(func() {
		for block := range full {
			h.hasher.Write(block)
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

// content returns the hashes and the length of all that was written.
func (h *hashing) content() content.Content {
	h.end()
	return h.hasher.Content()
}
