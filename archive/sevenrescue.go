package archive

import (
	"bufio"
	"fmt"
	"io"

	"laundromat/archive/sevenzip"
	"laundromat/internal/fault"
	"laundromat/internal/lzma"
)

// A 7z has its directory at its end, so one that is cut short has none. But packed data begins
// right after its head, stream after stream. LZMA2, the usual way of packing, and deflate
// describe themselves. What is only copied, or packed by bzip2, is recognised by its own bytes.
// Each stream, which may hold many files, is handed on as one entry without a name. Of LZMA, the
// usual way before 2010, and of PPMd the directory alone knows how the stream was packed and
// where it ends. What a decoder makes of the bytes after that looks like data.

// sevenRescue reads the streams of a 7z without its directory.
func (w *walk) sevenRescue(in *tap) error {
	at, end := int64(sevenzip.HeadSize), in.src.Size()
	if start, isSound, _ := sevenzip.ReadStart(in); isSound && start.At < uint64(end-at) {
		end = at + int64(start.At) // the streams are all there
	}
	for at < end {
		next, err := w.sevenRescued(in, at, end)
		switch {
		case err != nil:
			return err
		case w.chain.trouble.err != nil:
			return errStop
		case next < 0:
			w.place++
			w.note(fault.ArchiveCorrupt, fault.Warning, "", "the %d bytes from byte %d on can't be unpacked without the directory", end-at,
				at)
			return nil
		}
		at = next
	}
	return nil
}

// sevenRescued hands on the stream at a place, and returns the place after it; -1
// if there is none that could be read.
func (w *walk) sevenRescued(in *tap, at, end int64) (int64, error) {
	var start [headSize]byte
	n, _ := in.ReadAt(start[:min(headSize, end-at)], at)
	head := start[:n]
	switch {
	case begins(sevenHeaderMark)(head), begins(sevenEncodedMark)(head):
		return end, nil // a directory that nothing leads to
	case isLzma2Start(head) && startsLzma2(in, at, end):
		s := &sevenLoose{w: w, in: in, end: end, hops: lzma2Hops}
		s.open(at, followLzma2(in, at, end, &s.hops))
		err := w.sevenLoose(s)
		return s.behind(), err
	case w.knownBytes(head):
		return end, w.sevenLoose(io.NewSectionReader(in, at, end-at))
	case isSevenDirectory(in, at, end):
		return end, nil
	}
	if z := w.findSevenInflate(in, at, end); z != nil {
		return w.sevenInflated(z, at, end)
	}
	return -1, nil
}

func (w *walk) sevenLoose(r io.Reader) error {
	if err := w.met(); err != nil {
		return err
	}
	return w.entry(Entry{Size: -1}, r, checks{size: -1})
}

// knownBytes says whether bytes that were only copied into an archive begin with
// head: packed ones of a known kind, or text.
func (w *walk) knownBytes(head []byte) bool {
	if w.isPacked(head) {
		return true
	}
	for _, b := range head {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' && b != '\f' {
			return false
		}
	}
	return len(head) > 0
}

// What a directory, and one that is packed itself, begin with.
const (
	sevenHeaderMark  = "\x01\x04\x06"
	sevenEncodedMark = "\x17\x06"
)

// isSevenDirectory says whether it is the directory itself that is packed at a place.
func isSevenDirectory(in *tap, at, end int64) bool {
	z := lzma.NewReader(bufio.NewReader(io.NewSectionReader(in, at, end-at)), usualLzma, 1<<20, lzma.UnknownSize, 1<<20)
	var head [3]byte
	n, _ := io.ReadFull(z, head[:])
	return n == len(head) && string(head[:]) == sevenHeaderMark
}

// sevenLoose reads a stream of LZMA2 of which nothing is known, and goes on after
// damage.
type sevenLoose struct {
	w      *walk
	in     *tap
	at     int64 // where the decoder began
	end    int64
	chain  lzma2Chain // from there
	stream *lzma.Reader2
	err    error
	hops   int
	mark   []byte
}

func (s *sevenLoose) open(at int64, chain lzma2Chain) {
	s.at, s.chain, s.err = at, chain, nil
	packed := bufio.NewReaderSize(io.NewSectionReader(s.in, at, s.end-at), layerBuffer)
	s.stream = lzma.NewReader2(packed, 1<<32-1, s.w.o.limits.window())
}

// behind is where the stream ends, if its headers show; else the end of all.
func (s *sevenLoose) behind() int64 {
	if s.chain.marked {
		return s.chain.end
	}
	return s.end
}

func (s *sevenLoose) Read(p []byte) (int, error) {
	for {
		if len(s.mark) > 0 {
			n := copy(p, s.mark)
			s.mark = s.mark[n:]
			return n, nil
		}
		if s.err != nil {
			return 0, s.err
		}
		n, err := s.stream.Read(p)
		if n > 0 {
			return n, nil
		}
		if s.err = err; err == lzma.ErrCorrupt && s.in.trouble.err == nil {
			s.resume()
		}
	}
}

// resume goes on after damage, in this stream if its headers lead to its end.
func (s *sevenLoose) resume() {
	lost := s.at + s.stream.Chunk()
	end := s.behind()
	at, chain, found := nextLzma2Start(s.in, lost+1, end, &s.hops, func(c lzma2Chain) bool {
		return !c.stored && (c.marked || c.cut) // what is stored begins like anything
	})
	if !found {
		s.err = fmt.Errorf("at byte %d of the 7z: %w", lost, s.err)
		return
	}
	s.w.gap = true
	s.w.note(fault.ArchiveCorrupt, fault.Drop, "", "what is packed from byte %d on is damaged; the reading goes on at byte %d", lost, at)
	s.open(at, chain)
	s.mark = []byte(gapMark)
}
