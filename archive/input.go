package archive

import (
	"bytes"
	"io"
)

// input is what a decoder's buffer is filled from. Where it remembers, it can go back a
// little. The next sound member may begin between the start of a damaged member and the
// place where the decoder noticed.
type input struct {
	below  io.Reader
	at     int64  // bytes that were handed out
	recent []byte // the last of them
	keep   int    // how many of those are wanted; 0 for none
	again  []byte // to be handed out before what is below
}

// recentBytes is how far back a search for the next sound member goes, in bytes.
const recentBytes = 256 << 10

func (in *input) Read(p []byte) (n int, err error) {
	if len(in.again) > 0 {
		n = copy(p, in.again)
		in.again = in.again[n:]
	} else {
		n, err = in.below.Read(p)
	}
	in.at += int64(n)
	if in.keep > 0 && n > 0 {
		if len(in.recent)+n > 2*in.keep {
			from := max(len(in.recent)-in.keep, 0)
			in.recent = in.recent[:copy(in.recent, in.recent[from:])]
		}
		in.recent = append(in.recent, p[:n]...)
	}
	return n, err
}

// rewind goes back to a place, or as near to it as is remembered, and returns
// where that is.
func (in *input) rewind(to int64) int64 {
	start := in.at - int64(len(in.recent))
	to = min(max(to, start), in.at)
	in.giveBack(in.recent[to-start:])
	in.recent = in.recent[:to-start]
	return to
}

// giveBack has the last bytes that were handed out be the next again. They are copied.
func (in *input) giveBack(last []byte) {
	in.again = append(bytes.Clone(last), in.again...)
	in.at -= int64(len(last))
}
