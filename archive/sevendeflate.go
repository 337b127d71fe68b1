package archive

import (
	"bufio"
	"errors"
	"io"

	"laundromat/internal/inflate"
)

// newSevenInflate unpacks a stream of deflate or Deflate64 in a 7z whose directory is
// lost. Both show by themselves where they end.
func newSevenInflate(in *tap, at, end int64, is64 bool) *inflate.Reader {
	packed := bufio.NewReaderSize(io.NewSectionReader(in, at, end-at), layerBuffer)
	if is64 {
		return newDeflate64(packed)
	}
	z := new(inflate.Reader)
	z.Reset(packed)
	return z
}

// newDeflate64 unpacks a stream of Deflate64.
func newDeflate64(packed *bufio.Reader) *inflate.Reader {
	z := new(inflate.Reader)
	z.Reset64(packed)
	return z
}

// sevenInflateTrial is how many bytes must come right, or as many as there are, before a
// stream is believed to be deflate.
const sevenInflateTrial = 64 << 20

// findSevenInflate says whether a stream of deflate begins at a place, by what comes out
// of it: bytes that are known. The two ways are distinguished by one of them failing, since one
// instruction means two things; nil if both fail.
func (w *walk) findSevenInflate(in *tap, at, end int64) *inflate.Reader {
	for _, is64 := range []bool{false, true} {
		trial := newSevenInflate(in, at, end, is64)
		var head [headSize]byte
		n, err := io.ReadFull(trial, head[:])
		if !w.knownBytes(head[:n]) || trial.InputOffset() < 16 {
			continue
		}
		if err == nil || n > 0 { // which of the two ends it was is met again
			_, err = io.CopyN(io.Discard, guarded{w.guard(), trial}, sevenInflateTrial)
		}
		isCut := errors.Is(err, io.ErrUnexpectedEOF) && trial.InputOffset() >= end-at
		if err == nil || err == io.EOF || isCut {
			return newSevenInflate(in, at, end, is64)
		}
	}
	return nil
}

// sevenInflated hands on a stream, and returns the place after it.
func (w *walk) sevenInflated(z *inflate.Reader, at, end int64) (int64, error) {
	if err := w.sevenLoose(z); err != nil {
		return end, err
	}
	n, err := io.Copy(io.Discard, guarded{w.guard(), z}) // what nobody read
	if w.chain.trouble.err != nil {
		return end, errStop
	}
	if w.cut || err != nil {
		return end, w.passOver(n)
	}
	return at + z.InputOffset(), w.passOver(n)
}
