package archive

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
)

// sevenInflate unpacks a stream of deflate or Deflate64 in a 7z whose directory is
// lost. Both tell by themselves where they end.
type sevenInflate struct {
	packed *byteCounter
	out    io.Reader
}

func newSevenInflate(in *tap, at, end int64, is64 bool) *sevenInflate {
	packed := &byteCounter{in: bufio.NewReaderSize(io.NewSectionReader(in, at, end-at), layerBuffer)}
	if is64 {
		return &sevenInflate{packed, newDeflate64(packed)}
	}
	return &sevenInflate{packed, flate.NewReader(packed)}
}

// sevenInflateTrial is how many bytes must come right, or as many as there are, before a
// stream is believed to be deflate.
const sevenInflateTrial = 64 << 20

// findSevenInflate says whether a stream of deflate begins at a place, by what comes out
// of it: bytes that are known. The two ways are told apart by one of them failing, since one
// instruction means two things; nil if both fail.
func findSevenInflate(in *tap, at, end int64) *sevenInflate {
	for _, is64 := range []bool{false, true} {
		trial := newSevenInflate(in, at, end, is64)
		var head [headSize]byte
		n, err := io.ReadFull(trial.out, head[:])
		if !knownBytes(head[:n]) || trial.packed.n < 16 {
			continue
		}
		if err == nil || n > 0 { // which of the two ends it was is met again
			_, err = io.CopyN(io.Discard, trial.out, sevenInflateTrial)
		}
		isCut := errors.Is(err, io.ErrUnexpectedEOF) && trial.packed.n >= end-at
		if err == nil || err == io.EOF || isCut {
			return newSevenInflate(in, at, end, is64)
		}
	}
	return nil
}

// sevenInflated hands on a stream, and returns the place behind it.
func (w *walk) sevenInflated(z *sevenInflate, at, end int64) (int64, error) {
	if err := w.sevenLoose(z.out); err != nil {
		return end, err
	}
	n, err := io.Copy(io.Discard, z.out) // what nobody read
	if w.chain.trouble.err != nil {
		return end, errStop
	}
	if w.cut || err != nil {
		return end, w.passOver(n)
	}
	return at + z.packed.n, w.passOver(n)
}
