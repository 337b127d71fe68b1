package encoding

import (
	"io"
	"unicode/utf8"
)

// prover passes UTF-8 on while it is UTF-8. It reads into the buffer of its
// caller, and looks at each byte once.
type prover struct {
	src      io.Reader
	tolerate bool

	end   error // ends the reading once tail is empty
	tail  [utf8.UTFMax]byte
	held  int  // bytes in tail: the beginning of a sequence, not judged yet
	begun bool // past the place of a byte order mark
	taken int64
	stray int64

	small [64]byte // replaces a buffer that could not hold a sequence
	ready []byte   // the part of small that is not handed out yet
}

func (r *prover) Read(p []byte) (int, error) {
	if len(r.ready) == 0 {
		if len(p) >= len(r.small) {
			return r.readInto(p)
		}
		n, err := r.readInto(r.small[:])
		if n == 0 {
			return 0, err
		}
		r.ready = r.small[:n]
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	return n, nil
}

func (r *prover) readInto(p []byte) (int, error) {
	for idle := 0; ; idle++ {
		if r.end != nil && r.held == 0 {
			return 0, r.end
		}
		n := copy(p, r.tail[:r.held])
		r.held = 0
		if r.end == nil {
			m, err := r.src.Read(p[n:])
			n, r.end = n+m, err
			if m > 0 {
				idle = 0
			} else if err == nil && idle > 100 {
				r.end = io.ErrNoProgress
			}
		}
		text := p[:n]
		if !r.begun {
			if n < len(bom) && r.end == nil {
				r.held = copy(r.tail[:], text)
				continue
			}
			r.begun = true
			if n >= len(bom) && string(text[:len(bom)]) == bom {
				text = text[:copy(text, text[len(bom):])]
				r.taken = int64(len(bom))
			}
		}
		if good := r.judge(text); good > 0 {
			return good, nil
		}
	}
}

const bom = "\xEF\xBB\xBF"

// judge returns how much of text may be handed out. The beginning of a sequence at the end
// is held back, and all from the first fault on, unless faults are tolerated.
func (r *prover) judge(text []byte) int {
	end := len(text)
	if r.end == nil {
		end -= unfinished(text)
		r.held = copy(r.tail[:], text[end:])
	}
	start := r.taken
	r.taken += int64(end)
	if validUTF8(text[:end]) {
		return end
	}
	for i := validPrefix(text[:end]); i < end; i += validPrefix(text[i:end]) {
		if !r.tolerate {
			r.end, r.held = &Refuted{Offset: start + int64(i), Byte: text[i]}, 0
			return i
		}
		r.stray++
		i++
	}
	return end
}

// validPrefix is the length of the longest part of p, from its beginning, that is
// well-formed UTF-8.
func validPrefix(p []byte) int {
	for i := 0; i < len(p); {
		if p[i] < utf8.RuneSelf {
			i++
			continue
		}
		_, size := utf8.DecodeRune(p[i:])
		if size == 1 {
			return i
		}
		i += size
	}
	return len(p)
}

// unfinished is the number of bytes at the end of p that begin a sequence which
// further bytes may complete; 0 to 3.
func unfinished(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		if b := p[len(p)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(p[len(p)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
