package archive

import (
	"errors"
	"fmt"
	"io"

	"laundromat/internal/fault"
)

// solid is a stream that several files were packed in, one after another, as 7z and
// cabinets have it. It is unpacked once for all of them.
type solid struct {
	format string // for messages
	more   func() // unpacks on: has some bytes ready, or a gap, or an error, if it can
	at     int64  // in what comes out
	ready  []byte // came and was not taken
	gap    int64  // bytes that are missing before what comes next
	err    error
	lost   int64 // where in the file the damage is that the last gap, or the end, is for
}

// fill has some bytes ready, or a gap, or an error.
func (f *solid) fill() {
	for len(f.ready) == 0 && f.gap == 0 && f.err == nil {
		f.more()
	}
}

// skip goes to a place in what comes out. It returns false if that is lost, and the
// next that is not lies after the end of the file there.
func (f *solid) skip(to, end int64) bool {
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

func (f *solid) take(n int64) {
	f.ready = f.ready[n:]
	f.at += n
}

// solidFile is a file in a solid stream.
type solidFile struct {
	w    *walk
	f    *solid
	name string
	end  int64
	mark []byte
}

func (s *solidFile) Read(p []byte) (int, error) {
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
			s.w.note(fault.ArchiveCorrupt, fault.Drop, s.name, "%d bytes of it are lost in damage at byte %d of the %s; the reading goes "+
				"on after them", n, s.f.lost, s.f.format)
			s.f.at += n
			s.mark = []byte(gapMark)
		case len(s.f.ready) > 0:
			n := copy(p, s.f.ready[:min(int64(len(s.f.ready)), s.end-s.f.at)])
			s.f.take(int64(n))
			return n, nil
		case s.f.err == io.EOF:
			return 0, io.ErrUnexpectedEOF // its directory says that there is more
		default:
			return 0, fmt.Errorf("at byte %d of the %s: %w", s.f.lost, s.f.format, s.f.err)
		}
	}
}

// loss says why nothing is left of a file.
func (f *solid) loss(w *walk, name string) {
	err := f.err
	if f.gap > 0 || err == nil || err == io.EOF {
		err = errors.New("archive: in a gap")
	}
	code := damageCode(err)
	w.cut = true
	w.note(code, fault.Drop, name, "it is lost: the stream that it is packed in %s at byte %d of the %s", damageVerb(code), f.lost,
		f.format)
}
