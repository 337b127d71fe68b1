package archive

import "errors"

// blocks reads what next unpacks, a block after another. After a gap the reading goes on.
type blocks struct {
	// valid until the next call; what could be unpacked of a broken one comes with the error
	next  func() ([]byte, error)
	ready []byte
	err   error // after what is ready
}

func (b *blocks) Read(p []byte) (int, error) {
	for len(b.ready) == 0 {
		if err := b.err; err != nil {
			var gap *gapped
			if errors.As(err, &gap) {
				b.err = nil
			}
			return 0, err
		}
		b.ready, b.err = b.next()
	}
	n := copy(p, b.ready)
	b.ready = b.ready[n:]
	return n, nil
}
