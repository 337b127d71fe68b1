package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/mholt/archives"

	"laundromat/internal/fault"
)

// sevenStream reads what one coder alone has packed, from its beginning to its end, once
// for all files in it; the library would unpack it anew for each file that lies
// behind damage. Of LZMA2, which has places where nothing before is needed, what lies
// behind damage is read too.
type sevenStream struct {
	in     *tap
	info   *sevenFolderInfo
	number int
	at     int64 // in what comes out
	out    io.ReadCloser
	lzma2  *lzma2Stream // out, if it is one
	start  int64        // where that begins in the file
	hops   int
	ready  []byte // came and was not taken
	buffer []byte
	gap    int64 // bytes that are missing before what comes next
	err    error
	lost   int64 // where in the file the damage is that the last gap, or the end, is for
}

// reads says whether a folder is read here.
func (f *sevenFolderInfo) reads() bool {
	return len(f.coders) == 1 && sevenCoders[f.coders[0].id].read >= sevenOurs && f.unknown == "" && !f.encrypted
}

func newSevenStream(in *tap, info *sevenFolderInfo, number int) *sevenStream {
	f := &sevenStream{in: in, info: info, number: number, hops: lzma2Hops, buffer: make([]byte, 32<<10)}
	f.open(info.at)
	return f
}

// open unpacks from a place of the file on, which is the beginning but for LZMA2.
func (f *sevenStream) open(at int64) {
	f.start = at
	packed := bufio.NewReaderSize(io.NewSectionReader(f.in, at, f.info.at+f.info.length-at), layerBuffer)
	f.out, f.lzma2 = nil, nil
	switch coder := f.info.coders[0]; coder.id {
	case sevenCopy:
		f.out = io.NopCloser(packed)
	case sevenLzma:
		var z *lzmaStream
		if z, f.err = newLzma(packed, [5]byte(coder.properties), f.info.size); f.err == nil {
			f.out = io.NopCloser(z)
		}
	case sevenLzma2:
		if f.lzma2, f.err = newLzma2(packed, coder.properties[0]); f.err == nil {
			f.out = io.NopCloser(f.lzma2)
		}
	case sevenDeflate64:
		f.out = io.NopCloser(newDeflate64(packed))
	case sevenZstd:
		f.out, f.err = archives.Zstd{DecoderOptions: zstdOptions}.OpenReader(packed)
	}
}

func (f *sevenStream) close() {
	if f.out != nil {
		f.out.Close()
	}
}

// fill has some bytes ready, or a gap, or an error: io.EOF only at the folder's size.
func (f *sevenStream) fill() {
	for len(f.ready) == 0 && f.gap == 0 && f.err == nil {
		left := int64(f.info.size) - f.at
		if left <= 0 {
			f.err = io.EOF
			return
		}
		n, err := f.out.Read(f.buffer[:min(left, int64(len(f.buffer)))])
		f.ready = f.buffer[:n]
		switch {
		case err == nil:
		case n > 0 && err == io.EOF: // it is met again
		case f.in.trouble.err != nil:
			f.err = f.in.trouble.err
		default:
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			f.lost = f.start
			if f.lzma2 != nil {
				f.lost += f.lzma2.lost
			}
			if f.lzma2 == nil || !f.resume(left-int64(n)) {
				f.err = err
			}
		}
	}
}

// resume goes on behind damage with the next chunk that needs nothing before it, if
// from there to the end so many bytes come out that it is known where they belong.
func (f *sevenStream) resume(left int64) bool {
	end := f.info.at + f.info.length
	at, chain, found := nextLzma2Start(f.in, f.lost+1, end, &f.hops, func(c lzma2Chain) bool {
		return c.marked && c.end == end && c.unpacked <= left
	})
	if !found {
		return false
	}
	f.open(at)
	f.gap = left - chain.unpacked
	return f.err == nil
}

// skip goes to a place in what comes out. It returns false if that is lost, and the
// next that is not lies behind the end of the file there.
func (f *sevenStream) skip(to, end int64) bool {
	for {
		f.fill()
		switch {
		case f.at >= to && len(f.ready) > 0:
			return true
		case f.gap > 0:
			if f.at+f.gap >= end {
				return false // the next file may begin in the gap too
			}
			if f.at >= to {
				return true
			}
			n := min(f.gap, to-f.at)
			f.gap -= n
			f.at += n
		case len(f.ready) > 0:
			n := min(int64(len(f.ready)), to-f.at)
			f.take(n)
		default:
			return false
		}
	}
}

func (f *sevenStream) take(n int64) {
	f.ready = f.ready[n:]
	f.at += n
}

// sevenFile is a file in a folder.
type sevenFile struct {
	w    *walk
	f    *sevenStream
	name string
	end  int64
	mark []byte
}

func (s *sevenFile) Read(p []byte) (int, error) {
	for {
		if len(s.mark) > 0 {
			n := copy(p, s.mark)
			s.mark = s.mark[n:]
			return n, nil
		}
		if s.f.at >= s.end {
			return 0, io.EOF
		}
		s.f.fill()
		switch {
		case s.f.gap > 0:
			n := min(s.f.gap, s.end-s.f.at)
			s.f.gap -= n
			s.w.gap = true
			s.w.note(fault.ArchiveCorrupt, fault.Drop, s.name, "%d bytes of it are lost in damage at byte %d of the 7z; the reading goes on behind them", n, s.f.lost)
			s.f.at += n
			s.mark = []byte(gapMark)
		case len(s.f.ready) > 0:
			n := copy(p, s.f.ready[:min(int64(len(s.f.ready)), s.end-s.f.at)])
			s.f.take(int64(n))
			return n, nil
		case s.f.err == io.EOF:
			return 0, io.ErrUnexpectedEOF // its directory says that there is more
		default:
			return 0, fmt.Errorf("at byte %d of the 7z: %w", s.f.lost, s.f.err)
		}
	}
}

// loss says why nothing is left of a file.
func (f *sevenStream) loss(w *walk, name string) {
	err := f.err
	if f.gap > 0 || err == nil || err == io.EOF {
		err = errors.New("archive: in a gap")
	}
	code := damageCode(err)
	w.cut = true
	w.note(code, fault.Drop, name, "it is lost: the stream that it is packed in %s at byte %d of the 7z", damageVerb(code), f.lost)
}
