package archive

import (
	"bufio"
	"errors"
	"io"

	"laundromat/internal/inflate"
)

// sevenInflate unpacks a stream of deflate or Deflate64 in a 7z whose directory is
// lost. Both tell by themselves where they end.
type sevenInflate struct {
	out   io.Reader
	taken func() int64 // bytes of the stream that were read
}

func newSevenInflate(in *tap, at, end int64, is64 bool) *sevenInflate {
	packed := bufio.NewReaderSize(io.NewSectionReader(in, at, end-at), layerBuffer)
	if is64 {
		counted := &countedBytes{in: packed}
		return &sevenInflate{newDeflate64(counted), func() int64 { return counted.n }}
	}
	z := new(inflate.Reader)
	z.Reset(packed)
	return &sevenInflate{z, z.InputOffset}
}

// countedBytes counts the bytes that a decoder takes one by one.
type countedBytes struct {
	in *bufio.Reader
	n  int64
}

func (c *countedBytes) ReadByte() (byte, error) {
	b, err := c.in.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
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
		if !knownBytes(head[:n]) || trial.taken() < 16 {
			continue
		}
		if err == nil || n > 0 { // which of the two ends it was is met again
			_, err = io.CopyN(io.Discard, trial.out, sevenInflateTrial)
		}
		isCut := errors.Is(err, io.ErrUnexpectedEOF) && trial.taken() >= end-at
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
	return at + z.taken(), w.passOver(n)
}
